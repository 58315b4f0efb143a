"""The classes of ``tianshou.env`` over the backends of ``envpool_rs.vector``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from envpool_rs import vector
from envpool_rs._workers import EnvFailure
from envpool_rs._workers.hosted_envs import get_attribute
from envpool_rs._workers.worker_process import available_cores
from envpool_rs.tianshou.contract import Contract
from envpool_rs.vector.results import object_array, unstack


class BaseVectorEnv(vector.BaseVectorEnv):
    """Environments that are stepped together, with Tianshou's results.

    Observations that are dicts are an array ``(n,)`` of dicts, and infos are dicts with ``env_id``. Everything else is
    as in `envpool_rs.vector.BaseVectorEnv`.
    """

    def __init__(
        self,
        env_fns: Sequence[Callable[[], Any]],
        worker_fn: Callable[..., Any],
        wait_num: int | None = None,
        timeout: float | None = None,
        **kwargs: Any,
    ) -> None:
        """Makes the workers.

        Args:
            env_fns: functions that make one environment each.
            worker_fn: subclass of `envpool_rs.vector.EnvWorker`, or a function that returns a worker.
            wait_num: number of finished environments after which a step returns; ``None`` waits for all.
            timeout: seconds after which a step returns the environments that have finished, at least one.
            kwargs: further arguments of the class of this name in `envpool_rs.vector`.

        Raises:
            TypeError: for arguments of a wrong type, naming them.
            ValueError: for values that are not allowed, naming them.
        """
        super().__init__(env_fns, worker_fn, **self._options(wait_num, timeout, kwargs))

    def _options(self, wait_num: Any, timeout: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        """Returns the keyword arguments of the class in `envpool_rs.vector`."""
        self._contract = Contract.of_installed()
        five_values = self._contract.has_gymnasium_results
        return {"wait_num": wait_num, "timeout": timeout, "return_truncated": five_values, **kwargs}

    def reset(  # type: ignore[override]
        self, env_id: Any = None, *, id: Any = None, seed: Any = None, return_info: bool | None = None, **kwargs: Any
    ) -> Any:
        """Resets environments.

        Args:
            env_id: an id, or a sequence of ids; ``None`` for all.
            id: the name of ``env_id`` before Tianshou 2.
            seed: an integer, the seed of each of these environments as in Tianshou; or a sequence of seeds.
            return_info: whether to return infos; ``None`` for what the installed Tianshou returns.
            kwargs: further arguments of the environments' ``reset``.

        Returns:
            ``(observations, infos)``. Infos are an array ``(n,)`` of dicts (before Tianshou 2 a list). Before Tianshou
            0.4.10, only observations are returned.

        Raises:
            TypeError: for observations that are tuples, as in Tianshou.
            ValueError: if both ``env_id`` and ``id`` are given.
        """
        if env_id is not None and id is not None:
            raise ValueError(f"env_id={env_id!r} and id={id!r} are both given: expected one of them")
        ids = id if env_id is None else env_id
        if seed is not None:
            is_one = not isinstance(seed, (Sequence, np.ndarray))
            kwargs["seed"] = [seed] * len(self._wrap_id(ids)) if is_one else seed
        observations, infos = super().reset(ids, return_info=True, **kwargs)
        observations = _arrays(observations, len(infos))
        if not (self._contract.has_gymnasium_results if return_info is None else return_info):
            return observations
        return observations, object_array(infos) if self._contract.has_info_arrays else infos

    def step(self, action: Any, id: Any = None) -> Any:
        """Steps each environment.

        Args:
            action: a sequence with an action for each of ``id``; ``None`` to fetch steps that were not returned yet.
            id: an id, or a sequence of ids; ``None`` for all. For the action ``None``, ``id`` may be ``waiting_id``.

        Returns:
            ``(observations, rewards, terminated, truncated, infos)``, as from `envpool_rs.vector.BaseVectorEnv.step`;
            before Tianshou 0.4.10 ``(observations, rewards, done, infos)``.
        """
        if action is None and id is not None and self._wrap_id(id) == self.waiting_id:
            id = None
        return super().step(action, id)

    def _outputs(self, batch: Any) -> Any:
        observations, rewards, *rest = super()._outputs(batch)
        return (_arrays(observations, len(rewards)), rewards, *rest)


def _arrays(observations: Any, rows: int) -> Any:
    """Returns stacked observations as Tianshou stacks them: dicts as an array ``(n,)`` of dicts.

    Raises:
        TypeError: for tuples.
    """
    if isinstance(observations, tuple):
        raise TypeError(
            "observations are tuples: expected arrays or dicts, as Tianshou does; a wrapper may convert them"
        )
    if isinstance(observations, dict):
        return object_array([unstack(observations, row) for row in range(rows)])
    return observations


class _WithOwnWorkers(BaseVectorEnv):
    """Base class of vector environments whose class in `envpool_rs.vector` chooses the workers."""

    def __init__(
        self,
        env_fns: Sequence[Callable[[], Any]],
        wait_num: int | None = None,
        timeout: float | None = None,
        **kwargs: Any,
    ) -> None:
        """Makes the environments.

        Args:
            env_fns: functions that make one environment each.
            wait_num: number of finished environments after which a step returns; ``None`` waits for all.
            timeout: seconds after which a step returns the environments that have finished, at least one.
            kwargs: further arguments of the class of this name in `envpool_rs.vector`.
        """
        super(BaseVectorEnv, self).__init__(env_fns, **self._options(wait_num, timeout, kwargs))


class DummyVectorEnv(_WithOwnWorkers, vector.DummyVectorEnv):
    """Environments stepped in a loop, in this process."""


class _InProcesses(_WithOwnWorkers):
    """Base class of vector environments in which a missing attribute is ``None``, as in Tianshou's worker processes."""

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """Returns an attribute of each environment, in the order of ``id``; ``None`` for those that lack it."""
        ids = self._idle(id)
        return [_or_none(each) for each in self._answers(ids, get_attribute, [(key,)] * len(ids))]


def _or_none(value: Any) -> Any:
    return None if isinstance(value, EnvFailure) and isinstance(value.raised(), AttributeError) else value


class SubprocVectorEnv(_InProcesses, vector.SubprocVectorEnv):
    """Environments in worker processes that share memory with the calling process."""

    def __init__(
        self,
        env_fns: Sequence[Callable[[], Any]],
        wait_num: int | None = None,
        timeout: float | None = None,
        share_memory: bool = False,
        context: Any = None,
        **kwargs: Any,
    ) -> None:
        """Starts the processes, and makes the environments there.

        Args:
            env_fns: functions that make one environment each.
            wait_num: number of finished environments after which a step returns; ``None`` waits for all.
            timeout: seconds after which a step returns the environments that have finished, at least one.
            share_memory: accepted for compatibility with Tianshou; memory is always shared.
            context: how processes start, as for `envpool_rs.vector.SubprocVectorEnv`.
            kwargs: further arguments of `envpool_rs.vector.SubprocVectorEnv`.
        """
        super().__init__(env_fns, wait_num, timeout, share_memory=share_memory, context=context, **kwargs)


class ShmemVectorEnv(_InProcesses, vector.SubprocVectorEnv):
    """Environments in worker processes: as `SubprocVectorEnv`, which always shares memory."""


class RayVectorEnv(_WithOwnWorkers, vector.RayVectorEnv):
    """Environments in the actors of a Ray cluster; by default one actor for each core, at most one per environment."""

    def _options(self, wait_num: Any, timeout: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        return {"num_cpus": len(available_cores()), **super()._options(wait_num, timeout, kwargs)}
