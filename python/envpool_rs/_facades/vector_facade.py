"""gymnasium's vector environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Generic

from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._facades.final_infos import zero_other_rows
from envpool_rs._facades.gymnasium_facade import GymnasiumMixin, ObservationT
from envpool_rs._facades.rendering import VectorRenderMixin
from envpool_rs._facades.shared_attributes import SharedAttributes
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from typing import TypeAlias

    import numpy as np
    import numpy.typing as npt

    from envpool_rs._facades.gymnasium_facade import Flags, Reset

    Step: TypeAlias = tuple[ObservationT, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]


class VectorEnv(  # type: ignore[misc, override]
    SharedAttributes, VectorRenderMixin, GymnasiumMixin, GymnasiumVectorEnv, Generic[ObservationT]
):
    """gymnasium's vector interface: batched spaces, float64 rewards, gymnasium's dtypes and infos (``key`` with
    ``_key`` masks).

    Environments with several players that share one space have a row per player in observations, actions and rewards
    (players of environment 0 first), and one per environment in flags.

    Attributes:
        observation_space: the batched space, ``batch_space(single_observation_space, rows)``.
        action_space: the batched space, ``batch_space(single_action_space, rows)``.
    """

    def __init__(self, spec: EnvSpec) -> None:
        """Names the spaces.

        Args:
            spec: the specification that the pool was made of.
        """
        super().__init__(spec)
        rows = self.num_envs * spec.rows
        self.observation_space = batch_space(self.single_observation_space, rows)
        self.action_space = batch_space(self.single_action_space, rows)

    if TYPE_CHECKING:
        # The extension's own method, which no Python stands before.
        def step(self, action: Any, env_id: Any = None) -> Step[ObservationT]: ...

    def reset(self, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> Reset[ObservationT]:
        """Resets environments now, cancelling an autoreset that is due.

        Args:
            seed: ``None`` to go on with the generators; an int, where environment ``i`` gets ``seed + i``; or a
                sequence with an entry (``None`` allowed) for each environment.
            options: ``reset_mask`` (``(num_envs,)`` booleans) to reset some environments only, and the environment's
                reset options.

        Returns:
            Observations and infos of all environments; those that were not reset keep their observation, and are masked
            out in the infos.
        """
        mask = options.get("reset_mask") if isinstance(options, Mapping) else None
        observation, info = self._reset_envs(None, seed, options, all_rows=mask is not None)
        if mask is not None:
            zero_other_rows(info, mask)
        return observation, info

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"
