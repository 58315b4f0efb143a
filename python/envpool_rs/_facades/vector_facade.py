"""gymnasium's vector environment interface for pools of native environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic

from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._facades.async_calls import AsyncCalls
from envpool_rs._facades.gymnasium_facade import GymnasiumMixin, ObservationT
from envpool_rs._facades.rendering import VectorRenderMixin
from envpool_rs._facades.resets import zero_other_rows
from envpool_rs._facades.shared_attributes import SharedAttributes
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt

    from envpool_rs._core import Out
    from envpool_rs._facades.gymnasium_facade import Flags, Reset

    Step: TypeAlias = tuple[ObservationT, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]


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
        def step(self, action: Any, env_id: Any = None, *, out: Out | None = None) -> Step[ObservationT]: ...

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
