"""Interfaces of pools over any backend: EnvPool's for gymnasium, and gymnasium's vector environment.

The class of a pool combines an interface with a backend: native environments, Python environments in worker processes,
or actors of a cluster. A backend has ``_reset_envs`` and ``_begin_reset_envs``, inherits all other calls from the
extension's pool, and calls an interface's ``_format`` before it creates the environments and ``_set_up`` afterwards. An
interface takes everything that describes the environments from the specification.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic

from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from envpool_rs._facades.async_calls import AsyncCalls
from envpool_rs._facades.environments import SingleResets

if TYPE_CHECKING:
    from typing import Literal, TypeAlias, overload

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import TypeVar

    from envpool_rs._core import Out
    from envpool_rs._spec.spec import EnvSpec

    ObservationT = TypeVar("ObservationT", default=Any)
    Flags: TypeAlias = npt.NDArray[np.bool_]
    Step: TypeAlias = tuple[ObservationT, npt.NDArray[np.float32], Flags, Flags, dict[str, Any]]
    WideStep: TypeAlias = tuple[ObservationT, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]
    Reset: TypeAlias = tuple[ObservationT, dict[str, Any]]
else:
    from typing import TypeVar

    ObservationT = TypeVar("ObservationT")
    """Type of a batch of observations: an array, or a dict or tuple of arrays."""


class GymnasiumAttributes:
    """Attributes of gymnasium's environments.

    Attributes:
        num_envs: number of environments.
        single_observation_space: observation space of one environment (one player).
        single_action_space: action space of one environment (one player).
        metadata: ``autoreset_mode`` is a ``gymnasium.vector.AutoresetMode``.
        autoreset_mode: equal to ``metadata["autoreset_mode"]``; gymnasium's own vector environments also have both.
    """

    is_vector_env = True
    num_envs: int
    single_observation_space: Any
    single_action_space: Any
    observation_space: Any
    action_space: Any
    metadata: dict[str, Any]
    autoreset_mode: AutoresetMode

    def _set_up(self, spec: EnvSpec) -> None:
        self.num_envs = spec.num_envs
        self.autoreset_mode = spec.autoreset_mode
        self.metadata = {**spec.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = spec.observation_space
        self.single_action_space = spec.action_space


class EnvPoolResets:
    """EnvPool's ``seed`` and ``reset``."""

    _reset_envs: Any

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Mapping[str, Any] | None = None,
        out: Out | None = None,
    ) -> Any:
        """Resets environments immediately, cancelling a pending autoreset.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` continues the random streams; an int gives environment ``i`` the seed ``seed + i``; a
                sequence has an entry (``None`` allowed) for each environment to reset (with a ``reset_mask``: for each
                environment of the pool).
            options: ``reset_mask`` (``(num_envs,)`` booleans) instead of ``env_id``, and the environment's reset
                options.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns:
            Observations and info of the reset environments, ``n`` rows; in async mode without ids, of the first
                ``batch_size`` environments to finish. With dm_env's interface, a time step whose ``first()`` is true.
        """
        return self._reset_envs(env_id, seed, options, out=out)

    def seed(self, seed: Any = None) -> Any:
        """Does nothing, as in EnvPool: seeds are set when a pool is made, or by ``reset``."""
        warnings.warn(
            f"seed({seed!r}) changes nothing, as in EnvPool: give seeds when the pool is made, or by reset(seed=...)",
            stacklevel=2,
        )


class GymnasiumInterface(EnvPoolResets, GymnasiumAttributes, Generic[ObservationT]):
    """EnvPool's gymnasium interface."""

    def _set_up(self, spec: EnvSpec) -> None:
        super()._set_up(spec)
        self.observation_space = self.single_observation_space
        self.action_space = self.single_action_space

    if TYPE_CHECKING:
        # At run time, `step`, `recv` and other methods are the Rust extension's, without Python wrappers. These
        # declarations are for type checkers.
        def step(self, action: Any, env_id: Any = None, *, out: Out | None = None) -> Step[ObservationT]: ...
        @overload
        def recv(
            self, reset: Literal[False] = False, return_info: bool = True, *, out: Out | None = None
        ) -> Step[ObservationT]: ...
        @overload
        def recv(
            self, reset: Literal[True], return_info: bool = True, *, out: Out | None = None
        ) -> Reset[ObservationT]: ...
        def recv(self, reset: bool = False, return_info: bool = True, *, out: Out | None = None) -> Any: ...
        def reset(
            self,
            env_id: Any = None,
            *,
            seed: Any = None,
            options: Mapping[str, Any] | None = None,
            out: Out | None = None,
        ) -> Reset[ObservationT]: ...


class VectorInterface(AsyncCalls, SingleResets, GymnasiumAttributes, Generic[ObservationT]):
    """gymnasium's vector interface."""

    _mask: npt.NDArray[np.bool_] | None = None
    """Mask of the pending ``reset_async``."""

    def _set_up(self, spec: EnvSpec) -> None:
        super()._set_up(spec)
        batched, rows = spec.batched_observation_space, spec.batch_size * spec.rows
        self.observation_space = batch_space(self.single_observation_space, rows) if batched is None else batched
        self.action_space = batch_space(self.single_action_space, rows)

    if TYPE_CHECKING:
        # At run time, `step` is the Rust extension's method, without a Python wrapper. This declaration is for type
        # checkers.
        def step(self, action: Any, env_id: Any = None, *, out: Out | None = None) -> WideStep[ObservationT]: ...

    def reset(
        self, *, seed: Any = None, options: Mapping[str, Any] | None = None, out: Out | None = None
    ) -> Reset[ObservationT]:
        """Resets environments immediately, cancelling a pending autoreset.

        Args:
            seed: ``None`` continues the random streams; an int gives environment ``i`` the seed ``seed + i``; a
                sequence has an entry (``None`` allowed) for each environment.
            options: ``reset_mask`` (``(num_envs,)`` booleans) to reset some environments only, and the environment's
                reset options.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns:
            Observations and infos of all environments; environments that were not reset keep their observation, and are
            masked out in the infos.
        """
        self._check_idle("reset_async")
        mask = _mask_of(options)
        observation, info = self._reset_envs(None, seed, options, all_rows=mask is not None, out=out)
        if mask is not None:
            self._mask_infos(info, mask)
        return observation, info

    def _begin_reset(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        self._begin_reset_envs(seed, options)
        self._mask = _mask_of(options)

    def _after_reset(self, result: Any) -> Any:
        observation, info = result
        if self._mask is not None:
            self._mask_infos(info, self._mask)
        return observation, info

    def _mask_infos(self, info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
        """Clears the infos of environments that a reset left out, if the backend returns infos of all."""


def _mask_of(options: Mapping[str, Any] | None) -> npt.NDArray[np.bool_] | None:
    return options.get("reset_mask") if isinstance(options, Mapping) else None
