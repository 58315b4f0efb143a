"""Imports ray, connects to a Ray cluster, checks its resources, and validates options of actors."""

from __future__ import annotations

import importlib
import math
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypedDict

from envpool_rs._arguments import choice, flag, integer, mapping, number, optional_integer

OLDEST = (2, 50)
"""Oldest supported release of ray, as in the extra ``ray``."""


def import_ray() -> Any:
    """Imports and returns ``ray``; raises an ImportError if it is not installed, too old, or broken."""
    hint = f"expected ray {'.'.join(map(str, OLDEST))} or later: pip install 'envpool_rs[ray]'"
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ImportError(f"envpool_rs.ray needs ray, which is not installed; {hint}") from error
    version = str(getattr(ray, "__version__", "0"))
    parts = re.match(r"(\d+)\.(\d+)", version)
    if parts is None or (int(parts[1]), int(parts[2])) < OLDEST:
        raise ImportError(f"ray {version} is too old; {hint}")
    return ray


def connect(ray_options: Mapping[str, Any] | None) -> Any:
    """Starts Ray or joins the cluster in ``RAY_ADDRESS``, unless this process is connected; returns ``ray``."""
    ray = import_ray()
    if ray_options is not None:
        mapping("ray_options", ray_options, "a dict of arguments for ray.init")
    if not ray.is_initialized():
        ray.init(**(ray_options or {}))
    return ray


def check_cpus(name: str, value: Any) -> float:
    """Checks a number of CPUs, GPUs or seconds: finite, and 0 or more."""
    return number(name, value, "a number, 0 or more", lambda cpus: math.isfinite(cpus) and cpus >= 0)


def max_actors(ray: Any, cpus_each: float) -> int:
    """Returns the number of actors with ``cpus_each`` CPUs each that fit the cluster, at least one."""
    total = ray.cluster_resources().get("CPU", 0.0)
    return max(1, int(total // cpus_each) if cpus_each > 0 else int(total))


def check_room(ray: Any, num_actors: int, cpus_each: float, gpus_each: float = 0) -> None:
    """Rejects more actors than the whole cluster has resources for, because Ray would wait for them forever."""
    resources = ray.cluster_resources()
    for resource, each in (("CPU", cpus_each), ("GPU", gpus_each)):
        total, requested = resources.get(resource, 0.0), num_actors * each
        if requested > total:
            raise ValueError(
                f"num_actors={num_actors} with {each:g} {resource}s each need {requested:g} {resource}s: "
                f"the cluster has {total:g}"
            )


def wait_until_ready(ray: Any, refs: Sequence[Any], timeout: float) -> list[Any]:
    """Waits until each new actor has sent one reply, and returns them; raises its error, or a RuntimeError after
    ``timeout`` seconds.
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
    return list(ray.get(list(refs)))


def death_errors(ray: Any) -> tuple[type[BaseException], ...]:
    """Returns the exception classes that ``ray.get`` raises if an actor, process, node or stored reply was lost."""
    names = ("RayActorError", "ObjectLostError", "NodeDiedError", "WorkerCrashedError", "OutOfMemoryError")
    return tuple(getattr(ray.exceptions, name) for name in names)


class ActorOptions(TypedDict, total=False):
    """Options of the actors, as documented by `envpool_rs.ray.make`."""

    num_actors: int | None
    num_cpus_per_actor: float
    on_actor_death: Literal["resume", "new_episode", "raise"]
    snapshot_interval: int
    start_timeout: float
    copy: bool
    direct: bool
    ray_options: Mapping[str, Any] | None


def checked_actor_options(given: ActorOptions, num_envs: int) -> ActorOptions:
    """Checks all options but ``ray_options``, which `connect` checks; returns all, those not given with defaults."""
    allowed = f"None or 1 to num_envs={num_envs}"
    policies = ("resume", "new_episode", "raise")
    return {
        "num_actors": optional_integer("num_actors", given.get("num_actors"), 1, num_envs, allowed=allowed),
        "on_actor_death": choice("on_actor_death", given.get("on_actor_death", "resume"), policies),
        "copy": flag("copy", given.get("copy", True)),
        "direct": flag("direct", given.get("direct", True)),
        "start_timeout": check_cpus("start_timeout", given.get("start_timeout", 60.0)),
        "snapshot_interval": integer("snapshot_interval", given.get("snapshot_interval", 64), 1),
        "num_cpus_per_actor": check_cpus("num_cpus_per_actor", given.get("num_cpus_per_actor", 1)),
        "ray_options": given.get("ray_options"),
    }
