"""The cluster that actors run on: connected to, and asked whether it has room for them."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from typing import Any

from envpool_rs._arguments import mapping, number
from envpool_rs.ray.ray_module import import_ray


def connect(ray_options: Mapping[str, Any] | None) -> Any:
    """Starts Ray, or joins the cluster that ``RAY_ADDRESS`` names; nothing where this process is connected.

    Args:
        ray_options: arguments for ``ray.init``; not looked at where this process is connected.

    Returns:
        The module ``ray``.

    Raises:
        ImportError: where ray is missing or too old.
        TypeError: for options that are no mapping.
    """
    ray = import_ray()
    if ray_options is not None:
        mapping("ray_options", ray_options, "a dict of arguments for ray.init")
    if not ray.is_initialized():
        ray.init(**(ray_options or {}))
    return ray


class Session:
    """This process's connection to a cluster, which ``ray.shutdown`` ends, and ``ray.init`` does not bring back."""

    def __init__(self, ray: Any) -> None:
        """Takes down which one it is.

        Args:
            ray: the module, connected.
        """
        self._ray = ray
        self._name = self._current()

    def _current(self) -> tuple[str, str]:
        # Each cluster counts its jobs anew, and a cluster's nodes have many jobs.
        context = self._ray.get_runtime_context()
        return context.get_job_id(), context.get_node_id()

    def lasts(self, roughly: bool = False) -> bool:
        """Whether it has not ended.

        Args:
            roughly: whether to pass over a session that has taken its place, which saves 6 µs: where calls end with it.
        """
        return bool(self._ray.is_initialized()) and (roughly or self._current() == self._name)


def check_cpus(name: str, value: Any) -> float:
    """A number of CPUs (or GPUs) for one actor.

    Raises:
        TypeError: for anything but a number.
        ValueError: for a negative or infinite one.
    """
    return number(name, value, "a number, 0 or more", lambda cpus: math.isfinite(cpus) and cpus >= 0)


def actors_that_fit(ray: Any, cpus_each: float) -> int:
    """How many actors of so many CPUs the cluster has room for, at least one."""
    total = ray.cluster_resources().get("CPU", 0.0)
    return max(1, int(total // cpus_each)) if cpus_each > 0 else max(1, int(total))


def check_room(ray: Any, num_actors: int, cpus_each: float, gpus_each: float = 0) -> None:
    """Refuses more actors than the whole cluster can ever hold: Ray would wait for them without end.

    Raises:
        ValueError: naming what is asked for, and what there is.
    """
    resources = ray.cluster_resources()
    for resource, each in (("CPU", cpus_each), ("GPU", gpus_each)):
        total, asked = resources.get(resource, 0.0), num_actors * each
        if asked > total:
            raise ValueError(
                f"num_actors={num_actors} with {each:g} {resource}s each need {asked:g} {resource}s: "
                f"the cluster has {total:g}"
            )


def wait_until_ready(ray: Any, refs: Sequence[Any], timeout: float) -> None:
    """Waits for the first answers of new actors.

    Args:
        ray: the module.
        refs: one answer of each actor.
        timeout: seconds.

    Raises:
        RuntimeError: where some do not start in time, with what the cluster has free.
        Exception: what an actor raised when it was made.
    """
    end = time.monotonic() + timeout
    waiting = list(refs)
    while waiting:
        ready, waiting = ray.wait(waiting, num_returns=1, timeout=max(0.0, end - time.monotonic()))
        ray.get(ready)
        if not ready:
            free = ray.available_resources().get("CPU", 0.0)
            raise RuntimeError(
                f"{len(waiting)} of {len(refs)} actors did not start within start_timeout={timeout:g} s: "
                f"{free:g} CPUs of the cluster are free, others are in use"
            )


def death_errors(ray: Any) -> tuple[type[BaseException], ...]:
    """What ``ray.get`` raises where an actor, its process, its node, or an answer that lay on its node is lost."""
    names = ("RayActorError", "ObjectLostError", "NodeDiedError", "WorkerCrashedError", "OutOfMemoryError")
    found = (getattr(ray.exceptions, name, None) for name in names)
    return tuple(each for each in found if each is not None)
