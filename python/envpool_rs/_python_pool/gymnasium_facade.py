"""gymnasium's interfaces over Python environments: EnvPool's, and the vector environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
from gymnasium.vector import VectorEnv
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs._facades.async_calls import AsyncCalls
from envpool_rs._facades.envpool_calls import IgnoredSeeds
from envpool_rs._facades.resets import SingleResets
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers.worker_envs import WorkerEnvs

if TYPE_CHECKING:
    from envpool_rs._core import Out


class PythonGymnasiumEnvPool(IgnoredSeeds, PythonPool, VectorEnv, gymnasium.Env):  # type: ignore[misc, override]
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
        """Sets the spaces.

        Args:
            envs: the environments.
            spec: their specification.
        """
        super().__init__(envs, spec)
        self.observation_space = self.single_observation_space
        self.action_space = self.single_action_space

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Mapping[str, Any] | None = None,
        out: Out | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        """Resets environments now and cancels a pending autoreset.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` to continue the random streams; an int: environment ``i`` gets ``seed + i``; or a sequence
                with an entry (``None`` allowed) for each requested environment (under a mask: for each of the pool).
            options: ``reset_mask`` (``(num_envs,)`` booleans) instead of ``env_id``, and options for the environments'
                own ``reset``.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns:
            Observations and info of the requested environments, ``n`` rows; in async mode without ids, of the first
            ``batch_size``.
        """
        return self._reset_envs(env_id, seed, options, out=out)  # type: ignore[no-any-return]


class PythonVectorEnv(AsyncCalls, SingleResets, PythonPool, GymnasiumVectorEnv):  # type: ignore[misc]
    """gymnasium's vector interface over Python environments, with the same results as
    ``gymnasium.vector.AsyncVectorEnv``.

    Attributes:
        observation_space: the batched space, ``batch_space(single_observation_space, num_envs)``.
        action_space: the batched space, ``batch_space(single_action_space, num_envs)``.
    """

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        """Sets the spaces.

        Args:
            envs: the environments.
            spec: their specification.
        """
        super().__init__(envs, spec)
        batched = spec.batched_observation_space
        self.observation_space = (
            batch_space(self.single_observation_space, self.num_envs) if batched is None else batched
        )
        self.action_space = batch_space(self.single_action_space, self.num_envs)

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
            Observations and infos of all environments; those that were not reset keep their observation, and are masked
            out in the infos.
        """
        self._check_idle("reset_async")
        masked = isinstance(options, Mapping) and options.get("reset_mask") is not None
        if masked and self.is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        return self._reset_envs(None, seed, options, all_rows=masked, out=out)  # type: ignore[no-any-return]

    def _begin_reset(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        self._begin_reset_envs(seed, options)

    def _after_reset(self, result: Any) -> Any:
        return result

    def call(self, name: str, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Calls a method of each environment, or reads an attribute.

        Args:
            name: of the environment or of an environment it wraps; dots lead into attributes.
            arguments: for the method.
            keywords: for the method.

        Raises:
            AttributeError: if an environment does not have it, naming the environment.
            gymnasium.error.AlreadyPendingCallError: if an asynchronous call is pending.
        """
        self._check_idle("call_async")
        answers: tuple[Any, ...] = self._call_now(name, *arguments, **keywords)
        return answers

    def call_some(self, env_ids: Any, name: str, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Runs ``call`` in some environments.

        Args:
            env_ids: ids ``(n,)``.
            name: as for ``call``; ``"reset"`` also updates the pool's own state.
            arguments: for the method.
            keywords: for the method.
        """
        if name == "reset":
            return self._reset_some([int(each) for each in env_ids], *arguments, **keywords)
        return super().call_some(list(env_ids), name, *arguments, **keywords)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment.

        Args:
            name: of the environment or of an environment it wraps; dots lead into attributes.
            values: a list or tuple with one for each environment, or one for all.

        Raises:
            ValueError: for a list or tuple of another length.
            gymnasium.error.AlreadyPendingCallError: if an asynchronous call is pending.
        """
        self._check_idle("set_attr")
        super().set_attr(name, values)

    def close(self, **how: Any) -> None:
        """Closes all environments and ends their processes; closing twice is allowed.

        Warns if an asynchronous call is pending.

        Args:
            how: ``timeout``, seconds to wait for busy environments (default 5), and ``terminate``, whether to end them
                without waiting.

        Raises:
            TypeError: for any other argument.
            Exception: an exception of an environment's ``close``; the processes have ended nevertheless.
        """
        self._warn_pending()
        super().close(**how)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"
