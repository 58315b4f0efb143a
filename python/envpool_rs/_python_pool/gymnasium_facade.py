"""EnvPool's gymnasium interface over Python environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium.vector import VectorEnv

from envpool_rs._facades.envpool_calls import IgnoredSeeds
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers.worker_envs import WorkerEnvs


class PythonGymnasiumEnvPool(IgnoredSeeds, PythonPool, VectorEnv, gymnasium.Env):  # type: ignore[misc, override]
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

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        """Names the spaces.

        Args:
            envs: the environments.
            spec: their specification.
        """
        super().__init__(envs, spec)
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
        return self._reset_envs(env_id, seed, options)  # type: ignore[no-any-return]
