"""gymnasium's vector environment over Python environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers.worker_envs import WorkerEnvs


class PythonVectorEnv(PythonPool, GymnasiumVectorEnv):  # type: ignore[misc, override]
    """gymnasium's vector interface over Python environments: what ``gymnasium.vector.SyncVectorEnv`` makes of them,
    number for number.

    Attributes:
        observation_space: the batched space, ``batch_space(single_observation_space, num_envs)``.
        action_space: the batched space, ``batch_space(single_action_space, num_envs)``.
    """

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        """Names the spaces.

        Args:
            envs: the environments.
            spec: their specification.
        """
        super().__init__(envs, spec)
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
        masked = isinstance(options, Mapping) and options.get("reset_mask") is not None
        if masked and self.is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        return self._reset_envs(None, seed, options, all_rows=masked)  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"
