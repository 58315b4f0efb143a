"""gymnasium's vector environment over a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._facades.final_infos import zero_other_rows
from envpool_rs._facades.rendering import VectorRenderMixin
from envpool_rs._facades.shared_attributes import SharedAttributes
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.pool import RayPool
from envpool_rs.ray.share_rows import ShareRows


class VectorRayPool(SharedAttributes, VectorRenderMixin, RayPool, VectorEnv):  # type: ignore[misc, override]
    """gymnasium's vector interface over a cluster: as :class:`envpool_rs.vector_env.VectorEnv`.

    Attributes:
        observation_space: the batched space, ``batch_space(single_observation_space, rows)``.
        action_space: the batched space, ``batch_space(single_action_space, rows)``.
    """

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification.
            actors: its environments.
        """
        super().__init__(spec, actors)
        rows = self.num_envs * spec.rows
        self.observation_space = batch_space(self.single_observation_space, rows)
        self.action_space = batch_space(self.single_action_space, rows)

    def reset(self, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
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
        mask = None if options is None else options.get("reset_mask")
        observation, info = self._reset(None, seed, options, all_rows=mask is not None)
        if mask is not None:
            zero_other_rows(info, mask)
        return observation, info

    def _infos(self, rows: ShareRows) -> dict[str, Any]:
        infos = dict(rows.infos)
        if "restarted" in infos:
            infos["_restarted"] = infos["restarted"].copy()
        return {"env_id": rows.ids.astype(np.int32), **infos} if self._is_async else infos

    def _step_result(self, rows: ShareRows) -> Any:
        return rows.observation, rows.rewards, rows.terminated, rows.truncated, self._infos(rows)

    def _reset_result(self, rows: ShareRows, return_info: bool = True) -> Any:
        return rows.observation, self._infos(rows)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"
