"""EnvPool's gymnasium interface over Python environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import VectorEnv

from envpool_rs._python_pool.dialects import envpool_observation
from envpool_rs._python_pool.infos import without_masks
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.rows import Rows
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers import Steps, WorkerGroup


class EnvPoolDialect(PythonPool):
    """What EnvPool's interfaces share: its dtypes, its infos."""

    def __init__(self, group: WorkerGroup, spec: PythonEnvSpec) -> None:
        """Takes over environments that have been made.

        Args:
            group: the environments, idle.
            spec: their specification.
        """
        super().__init__(group, spec)
        self._all32: npt.NDArray[np.int32] = self._lanes.every.astype(np.int32)

    def _ids32(self, steps: Steps | Rows) -> npt.NDArray[np.int32]:
        return self._all32.copy() if steps.ids is self._lanes.every else steps.ids.astype(np.int32)  # type: ignore[no-any-return]

    def _infos(self, steps: Steps | Rows) -> dict[str, Any]:
        ids = self._ids32(steps)
        infos = {"env_id": ids, "players": {"env_id": ids.copy()}, "elapsed_step": steps.elapsed}
        own = self._own_infos(steps)
        if own:
            for row in np.flatnonzero(own.get("_final_obs", ())):
                own["final_obs"][row] = envpool_observation(own["final_obs"][row])
            # Where names are the same, the pool's own count.
            infos = {**without_masks(own), **infos}
            if self._records_statistics and "episode" in own:
                # Returns and lengths are float64 and int64, as in native pools.
                infos["episode"] = own["episode"]
        return infos

    def _observations(self, steps: Steps | Rows) -> Any:
        return envpool_observation(super()._observations(steps))


class PythonGymnasiumEnvPool(EnvPoolDialect, VectorEnv, gymnasium.Env):  # type: ignore[misc, override]
    """EnvPool's gymnasium interface over Python environments:
    ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environments' own infos as arrays. Rewards are float32, observations int32 and float32 where the environments'
    are int64 and float64. As its native sibling it is an instance both of ``gymnasium.vector.VectorEnv`` and of
    ``gymnasium.Env``.

    Attributes:
        observation_space: observation space of *one* environment, as in EnvPool.
        action_space: action space of *one* environment, as in EnvPool.
    """

    def __init__(self, group: WorkerGroup, spec: PythonEnvSpec) -> None:
        """Takes over environments that have been made.

        Args:
            group: the environments, idle.
            spec: their specification.
        """
        super().__init__(group, spec)
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
            options: ``reset_mask`` (``(num_envs,)`` booleans) in the place of ``env_id``, and what the environments'
                own ``reset`` takes as options.

        Returns:
            Observations and info of the environments asked for, ``n`` rows; in async mode without ids, of the first
            ``batch_size``.
        """
        return self._reset(env_id, seed, options)  # type: ignore[no-any-return]

    def _step_result(self, steps: Steps | Rows) -> Any:
        rewards = steps.rewards.astype(np.float32)
        return self._observations(steps), rewards, steps.terminated, steps.truncated, self._infos(steps)

    def _reset_result(self, steps: Steps | Rows, *, return_info: bool = True, masked: bool = False) -> Any:
        return self._observations(steps), self._infos(steps)
