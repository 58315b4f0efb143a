"""Vector environments with the names, parameters and results of the installed ``tianshou.env``, or of Tianshou 2.

Other arguments are passed, by keyword, to the class of the same name in ``envpool_rs.vector``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, TypeAlias

import numpy as np

from envpool_rs import vector
from envpool_rs._nested import object_array
from envpool_rs._workers import EnvFailure
from envpool_rs._workers.hosted_envs import get_env_attr
from envpool_rs._workers.worker_process import available_cores
from envpool_rs.vector.env_worker import unstack

__all__ = ["BaseVectorEnv", "DummyVectorEnv", "RayVectorEnv", "ShmemVectorEnv", "SubprocVectorEnv"]

_EnvFns: TypeAlias = Sequence[Callable[[], Any]]

_GYMNASIUM_RESULTS = (0, 4, 10)  # first release whose `step` returns five values, and whose `reset` returns infos
_INFO_ARRAYS = (2,)  # first release whose `reset` returns infos as an array of objects, and not as a list


class BaseVectorEnv(vector.BaseVectorEnv):
    """Environments that are stepped together, with Tianshou's results. Observations that are dicts are an array
    ``(n,)`` of dicts, and infos are dicts with ``env_id``. Everything else is as in `envpool_rs.vector.BaseVectorEnv`.
    """

    def __init__(
        self,
        env_fns: _EnvFns,
        worker_fn: Callable[..., Any],
        wait_num: int | None = None,
        timeout: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(env_fns, worker_fn, **self._options(wait_num, timeout, kwargs))

    def _options(self, wait_num: Any, timeout: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        try:
            release = version("tianshou")
        except PackageNotFoundError:
            release = "2.0"
        self._release = tuple(map(int, re.findall(r"\d+", release)[:3]))
        truncated = self._release >= _GYMNASIUM_RESULTS
        return {"wait_num": wait_num, "timeout": timeout, "return_truncated": truncated, **kwargs}

    def reset(  # type: ignore[override]
        self, env_id: Any = None, *, id: Any = None, seed: Any = None, return_info: bool | None = None, **kwargs: Any
    ) -> Any:
        """Resets environments; returns ``(observations, infos)``, or before Tianshou 0.4.10 only observations.

        Infos are an array ``(n,)`` of dicts, before Tianshou 2 a list. ``env_id``, before Tianshou 2 ``id``, is an id
        or a sequence of ids; ``None`` for all. ``seed`` is the seed of each of these environments, as in Tianshou, or a
        sequence of seeds. ``return_info`` is whether to return infos; ``None`` for what the installed Tianshou does.
        ``kwargs`` are arguments of the environments' ``reset``. Raises a ``TypeError`` for observations that are
        tuples, as Tianshou does, and a ``ValueError`` if both ``env_id`` and ``id`` are given.
        """
        if env_id is not None and id is not None:
            raise ValueError(f"env_id={env_id!r} and id={id!r} are both given: expected one of them")
        ids = id if env_id is None else env_id
        if seed is not None:
            is_one = not isinstance(seed, (Sequence, np.ndarray))
            kwargs["seed"] = [seed] * len(self._wrap_id(ids)) if is_one else seed
        observations, infos = super().reset(ids, return_info=True, **kwargs)
        observations = _arrays(observations, len(infos))
        if not (self._release >= _GYMNASIUM_RESULTS if return_info is None else return_info):
            return observations
        return observations, object_array(infos) if self._release >= _INFO_ARRAYS else infos

    def step(self, action: Any, id: Any = None) -> Any:
        """Steps each environment. Returns ``(observations, rewards, terminated, truncated, infos)``, as from
        `envpool_rs.vector.BaseVectorEnv.step`; before Tianshou 0.4.10 ``(observations, rewards, done, infos)``. For the
        action ``None``, which fetches steps that were not returned yet, ``id`` may be ``waiting_id``.
        """
        if action is None and id is not None and self._wrap_id(id) == self.waiting_id:
            id = None
        return super().step(action, id)

    def _outputs(self, batch: Any) -> Any:
        observations, rewards, *rest = super()._outputs(batch)
        return (_arrays(observations, len(rewards)), rewards, *rest)


def _arrays(observations: Any, rows: int) -> Any:
    """Returns stacked observations as Tianshou stacks them: dicts as an array ``(n,)`` of dicts; refuses tuples."""
    if isinstance(observations, tuple):
        raise TypeError("observations are tuples: expected arrays or dicts, as in Tianshou; a wrapper may convert them")
    if isinstance(observations, dict):
        return object_array([unstack(observations, row) for row in range(rows)])
    return observations


class _WithOwnWorkers(BaseVectorEnv):
    """Base class of vector environments whose class in `envpool_rs.vector` chooses the workers."""

    def __init__(
        self, env_fns: _EnvFns, wait_num: int | None = None, timeout: float | None = None, **kwargs: Any
    ) -> None:
        super(BaseVectorEnv, self).__init__(env_fns, **self._options(wait_num, timeout, kwargs))


class DummyVectorEnv(_WithOwnWorkers, vector.DummyVectorEnv):
    """Environments stepped in a loop, in this process."""


class _InProcesses(_WithOwnWorkers):
    """Base class of vector environments in which a missing attribute is ``None``, as in Tianshou's worker processes."""

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """Returns an attribute of each environment, in the order of ``id``; ``None`` for those that lack it."""
        ids = self._idle(id)
        values = self._answers(ids, get_env_attr, [(key,)] * len(ids))
        is_missing = [isinstance(each, EnvFailure) and isinstance(each.raised(), AttributeError) for each in values]
        return [None if missing else value for value, missing in zip(values, is_missing, strict=True)]


class SubprocVectorEnv(_InProcesses, vector.SubprocVectorEnv):
    """Environments in worker processes that share memory with the calling process, whatever ``share_memory`` says."""

    def __init__(
        self,
        env_fns: _EnvFns,
        wait_num: int | None = None,
        timeout: float | None = None,
        share_memory: bool = False,
        context: Any = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(env_fns, wait_num, timeout, share_memory=share_memory, context=context, **kwargs)


class ShmemVectorEnv(_InProcesses, vector.SubprocVectorEnv):
    """Environments in worker processes: as `SubprocVectorEnv`, which always shares memory."""


class RayVectorEnv(_WithOwnWorkers, vector.RayVectorEnv):
    """Environments in the actors of a Ray cluster; by default one actor for each core, at most one per environment."""

    def _options(self, wait_num: Any, timeout: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
        return {"num_cpus": len(available_cores()), **super()._options(wait_num, timeout, kwargs)}
