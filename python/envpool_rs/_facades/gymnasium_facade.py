"""Pools of native environments with EnvPool's gymnasium interface, and as gymnasium's vector environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic

import gymnasium
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._facades.async_calls import AsyncCalls
from envpool_rs._facades.environments import SharedAttributes, zero_other_rows
from envpool_rs._facades.interfaces import EnvPoolCalls, GymnasiumMixin
from envpool_rs._facades.rendering import EnvPoolRenderMixin, VectorRenderMixin
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from typing import Literal, TypeAlias, overload

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import TypeVar

    from envpool_rs._core import Out

    ObservationT = TypeVar("ObservationT", default=Any)
    Flags: TypeAlias = npt.NDArray[np.bool_]
    Step: TypeAlias = tuple[ObservationT, npt.NDArray[np.float32], Flags, Flags, dict[str, Any]]
    WideStep: TypeAlias = tuple[ObservationT, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]
    Reset: TypeAlias = tuple[ObservationT, dict[str, Any]]
else:
    from typing import TypeVar

    ObservationT = TypeVar("ObservationT")
    """Type of a batch of observations: an array, or a dict or tuple of arrays."""


class GymnasiumEnvPool(  # type: ignore[misc, override]
    EnvPoolCalls, EnvPoolRenderMixin, GymnasiumMixin, GymnasiumVectorEnv, gymnasium.Env, Generic[ObservationT]
):
    """EnvPool's gymnasium interface: ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environment's own infos. Rewards are float32, integers int32. The pool is an instance of both
    ``gymnasium.vector.VectorEnv`` and ``gymnasium.Env``, so that wrappers of both kinds accept it. All attributes below
    are assignable.

    Attributes:
        observation_space: observation space of *one* environment, as in EnvPool.
        action_space: action space of *one* environment, as in EnvPool.
    """

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(spec)
        self.observation_space = self.single_observation_space
        self.action_space = self.single_action_space

    if TYPE_CHECKING:
        # At run time, `step`, `recv` and other methods are the Rust extension's, without Python wrappers. These
        # declarations are for type checkers.
        def step(  # type: ignore[override]
            self, action: Any, env_id: Any = None, *, out: Out | None = None
        ) -> Step[ObservationT]: ...
        @overload  # type: ignore[override]
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


class VectorEnv(
    AsyncCalls, SharedAttributes, VectorRenderMixin, GymnasiumMixin, GymnasiumVectorEnv, Generic[ObservationT]
):
    """gymnasium's vector interface: batched spaces, float64 rewards, gymnasium's dtypes and infos (``key`` with
    ``_key`` masks).

    If an environment has several players that share one space, observations, actions and rewards have a row per player
    (players of environment 0 first), while the flags ``terminated`` and ``truncated`` have one per environment.

    Attributes:
        observation_space: the space of one result, ``batch_space(single_observation_space, rows)``, with rows for
            ``batch_size`` environments: all, unless the pool is asynchronous.
        action_space: the space of one step's actions, ``batch_space(single_action_space, rows)``.
    """

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(spec)
        rows = spec.batch_size * spec.rows
        self.observation_space = batch_space(self.single_observation_space, rows)
        self.action_space = batch_space(self.single_action_space, rows)

    _mask: npt.NDArray[np.bool_] | None = None

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
            zero_other_rows(info, mask)
        return observation, info

    def _begin_reset(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        self._begin_reset_envs(seed, options)
        self._mask = _mask_of(options)

    def _after_reset(self, result: Any) -> Any:
        observation, info = result
        if self._mask is not None:
            zero_other_rows(info, self._mask)
        return observation, info


def _mask_of(options: Mapping[str, Any] | None) -> npt.NDArray[np.bool_] | None:
    return options.get("reset_mask") if isinstance(options, Mapping) else None
