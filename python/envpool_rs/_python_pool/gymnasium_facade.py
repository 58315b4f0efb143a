"""Pools of Python environments with EnvPool's gymnasium interface, and with gymnasium's vector environment
interface.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium.vector import VectorEnv
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._facades.async_calls import AsyncCalls
from envpool_rs._facades.environments import SingleResets
from envpool_rs._facades.interfaces import EnvPoolResets
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers.worker_envs import WorkerEnvs

if TYPE_CHECKING:
    from envpool_rs._core import Out


class PythonGymnasiumEnvPool(EnvPoolResets, PythonPool, VectorEnv, gymnasium.Env):  # type: ignore[misc, override]
    """EnvPool's gymnasium interface over Python environments:
    ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environments' own infos as arrays. Rewards are float32; int64 and float64 observations become int32 and float32.
    Like the native class it is an instance of both ``gymnasium.vector.VectorEnv`` and ``gymnasium.Env``.

    Attributes:
        observation_space: observation space of *one* environment, as in EnvPool.
        action_space: action space of *one* environment, as in EnvPool.
    """

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        super().__init__(envs, spec)
        self.observation_space = self.single_observation_space
        self.action_space = self.single_action_space


class PythonVectorEnv(AsyncCalls, SingleResets, PythonPool, GymnasiumVectorEnv):  # type: ignore[misc]
    """gymnasium's vector interface over Python environments, with the same results as
    ``gymnasium.vector.AsyncVectorEnv``.

    Attributes:
        observation_space: the space of one result, ``batch_space(single_observation_space, rows)``, with rows for
            ``batch_size`` environments: all, unless the pool is asynchronous.
        action_space: the space of one step's actions, ``batch_space(single_action_space, rows)``.
    """

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        super().__init__(envs, spec)
        batched, rows = spec.batched_observation_space, spec.batch_size * spec.rows
        self.observation_space = batch_space(self.single_observation_space, rows) if batched is None else batched
        self.action_space = batch_space(self.single_action_space, rows)

    def reset(
        self, *, seed: Any = None, options: Mapping[str, Any] | None = None, out: Out | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Resets environments now and cancels a pending autoreset.

        Args:
            seed: ``None`` to continue the random streams; an int: environment ``i`` gets ``seed + i``; or a sequence
                with an entry (``None`` allowed) for each environment.
            options: ``reset_mask`` (``(num_envs,)`` booleans) to reset only some environments, and options for the
                environments' own ``reset``.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns:
            Observations and infos of all environments; environments that were not reset keep their observation, and are
            masked out in the infos.
        """
        self._check_idle("reset_async")
        masked = isinstance(options, Mapping) and options.get("reset_mask") is not None
        if masked and self.is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        return self._reset_envs(None, seed, options, all_rows=masked, out=out)  # type: ignore[no-any-return]

    def call_some(self, env_ids: Any, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Runs ``call`` in some environments.

        Args:
            env_ids: ids ``(n,)``.
            name: as for ``call``; ``"reset"`` also updates the pool's own state.
            arguments: arguments for the method.
            keywords: keyword arguments for the method.
        """
        if name == "reset":
            return self._reset_some([int(each) for each in env_ids], *arguments, **keywords)
        return super().call_some(list(env_ids), name, *arguments, **keywords)
