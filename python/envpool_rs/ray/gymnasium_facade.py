"""EnvPool's gymnasium interface over a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv

from envpool_rs._facades.rendering import EnvPoolRenderMixin
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.pool import RayPool
from envpool_rs.ray.share_rows import ShareRows


class EnvPoolDialect(EnvPoolRenderMixin, RayPool):
    """What EnvPool's interfaces share: infos with ids."""

    def _infos(self, rows: ShareRows) -> dict[str, Any]:
        ids = rows.ids.astype(np.int32)
        return {"env_id": ids, "players": {"env_id": np.repeat(ids, self._spec.players)}, **rows.infos}


class GymnasiumRayPool(EnvPoolDialect, VectorEnv, gymnasium.Env):  # type: ignore[misc, override]
    """EnvPool's gymnasium interface over a cluster: as :class:`envpool_rs.gymnasium_facade.GymnasiumEnvPool`.

    Attributes:
        observation_space: observation space of *one* environment, as in EnvPool.
        action_space: action space of *one* environment, as in EnvPool.
    """

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification.
            actors: its environments.
        """
        super().__init__(spec, actors)
        self.observation_space = self.single_observation_space
        self.action_space = self.single_action_space

    def reset(
        self, env_id: Any = None, *, seed: Any = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets environments now, cancelling an autoreset that is due.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` to go on with the generators; an int, where environment ``i`` gets ``seed + i``; or a
                sequence with an entry (``None`` allowed) for each environment asked for (under a mask: for each of the
                pool).
            options: ``reset_mask`` (``(num_envs,)`` booleans) in the place of ``env_id``, and the environment's reset
                options.

        Returns:
            Observations and info of the environments asked for, ``n`` rows; in async mode without ids, of the first
            ``batch_size``.
        """
        return self._reset(env_id, seed, options)  # type: ignore[no-any-return]

    def _step_result(self, rows: ShareRows) -> Any:
        return rows.observation, rows.rewards, rows.terminated, rows.truncated, self._infos(rows)

    def _reset_result(self, rows: ShareRows, return_info: bool = True) -> Any:
        return rows.observation, self._infos(rows)
