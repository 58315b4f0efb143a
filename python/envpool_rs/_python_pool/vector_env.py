"""gymnasium's vector environment over Python environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._python_pool.env_ids import Ids
from envpool_rs._python_pool.infos import BatchedInfos
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.rows import Rows
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers import Steps, WorkerGroup


class PythonVectorEnv(PythonPool, GymnasiumVectorEnv):  # type: ignore[misc, override]
    """gymnasium's vector interface over Python environments: what ``gymnasium.vector.SyncVectorEnv`` makes of them,
    number for number.

    Attributes:
        observation_space: the batched space, ``batch_space(single_observation_space, num_envs)``.
        action_space: the batched space, ``batch_space(single_action_space, num_envs)``.
    """

    def __init__(self, group: WorkerGroup, spec: PythonEnvSpec) -> None:
        """Takes over environments that have been made.

        Args:
            group: the environments, idle.
            spec: their specification.
        """
        super().__init__(group, spec)
        self._in_arrays = self._observation_batcher.in_arrays
        # Observations that are no arrays, as they were last shown.
        self._last: list[Any] = [None] * self.num_envs
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets environments now, cancelling an autoreset that is due.

        Args:
            seed: ``None`` to go on with the generators; an int, where environment ``i`` gets ``seed + i``; or a
                sequence with an entry (``None`` allowed) for each environment.
            options: ``reset_mask`` (``(num_envs,)`` booleans) to reset some environments only, and what the
                environments' own ``reset`` takes as options.

        Returns:
            Observations and infos of all environments; those that were not reset keep their observation, and are masked
            out in the infos.
        """
        return self._reset(None, seed, options)  # type: ignore[no-any-return]

    def _step_result(self, steps: Steps | Rows) -> Any:
        return self._observations(steps), steps.rewards, steps.terminated, steps.truncated, self._infos(steps)

    def _reset_result(self, steps: Steps | Rows, *, return_info: bool = True, masked: bool = False) -> Any:
        if not masked:
            return self._observations(steps), self._infos(steps)
        self._observations(steps)
        infos = BatchedInfos(self.num_envs)
        for row, info in enumerate(steps.infos or []):
            infos.add(info, int(steps.ids[row]))
        return self._shown_observations(), infos.values

    def _check_masked_reset(self, ids: Ids) -> None:
        if self._exchange.is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        self._lanes.check_shown(but=ids)

    def _observations(self, steps: Steps | Rows) -> Any:
        if not self._in_arrays:
            for row, index in enumerate(steps.ids):
                self._last[index] = steps.observation(row)
        return super()._observations(steps)

    def _shown_observations(self) -> Any:
        """What each environment showed last."""
        if self._in_arrays:
            return self._observation_batcher.of_leaves(self._exchange.shown_leaves())
        return self._observation_batcher.stacked(self._last)

    def _infos(self, steps: Steps | Rows) -> dict[str, Any]:
        infos = self._own_infos(steps)
        if self._exchange.is_async:
            infos["env_id"] = steps.ids.astype(np.int32)
        return infos

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"
