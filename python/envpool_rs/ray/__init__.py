"""Pools on a Ray cluster, whose environments are in actors.

Importing this package imports no ray; making a pool does (``pip install 'envpool_rs[ray]'``).
"""

from __future__ import annotations

from collections.abc import Callable
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, overload

from envpool_rs._arguments import choice, flag, integer, optional_integer
from envpool_rs._make.make import native_spec, native_vec_spec
from envpool_rs._spec.options import check_env_type
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import ActorDied, check_cpus, connect
from envpool_rs.ray.pool import ActorOptions, Actors, GymnasiumRayPool, VectorRayPool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from envpool_rs._core import Layout
    from envpool_rs._make.signatures import AnyOptions, EnvPool, EnvType
    from envpool_rs.ray.dm_facade import DMRayPool
    from envpool_rs.ray.gym_facade import GymRayPool

    class RayOptions(AnyOptions, ActorOptions, total=False):
        """Keyword arguments of `make`."""

        num_envs: int


__all__ = ["ActorDied", "make", "make_vec"]

# Imported on demand, because gym and dm_env are optional.
_FACADES = {"gym": "envpool_rs.ray.gym_facade:GymRayPool", "dm": "envpool_rs.ray.dm_facade:DMRayPool"}


@overload
def make(
    task_id: str, env_type: Literal["gymnasium"] = "gymnasium", **options: Unpack[RayOptions]
) -> GymnasiumRayPool: ...
@overload
def make(task_id: str, env_type: Literal["gym"], **options: Unpack[RayOptions]) -> GymRayPool: ...
@overload
def make(task_id: str, env_type: Literal["dm"], **options: Unpack[RayOptions]) -> DMRayPool: ...
@overload
def make(task_id: str, env_type: EnvType, **options: Unpack[RayOptions]) -> EnvPool: ...
def make(task_id: str, env_type: Literal["gymnasium", "gym", "dm"] = "gymnasium", **options: Any) -> Any:
    """Makes a pool whose environments are distributed among the actors of a Ray cluster.

    The pool has the interface and the trajectories of a pool of :func:`envpool_rs.make`, for any number of actors.

    Args:
        task_id: one of ``list_all_envs()``.
        env_type: ``"gymnasium"``, ``"gym"`` (legacy) or ``"dm"``.
        options: options of the pool and the environment, as for :func:`envpool_rs.make`, and the following ones of the
            actors.
        num_envs: number of environments in all actors together (default 1).
        batch_size: rows of one result (default 0: ``num_envs``); a smaller number makes the pool asynchronous: a batch
            has the replies of the actors that finish first.
        num_threads: threads of each actor's pool (default ``num_cpus_per_actor``).
        num_actors: number of actors, each with a native pool; ``None`` (default) for as many as the cluster has CPUs
            for.
        num_cpus_per_actor: CPUs that Ray reserves for each actor (default 1).
        on_actor_death: recovery policy for the environments of a dead actor. ``"resume"`` (default): a new actor
            restores the environments exactly, and no step is missing. ``"new_episode"``: the environments start new
            episodes, after a row with the first observation, reward 0 and truncated. ``"raise"``: calls raise
            ``ActorDied``. The first two policies report the restart in ``info["restarted"]``.
        snapshot_interval: with ``"resume"``, steps of an environment between two snapshots (default 64); steps after
            the last snapshot are replayed.
        start_timeout: maximum start time of the actors in seconds (default 60).
        copy: whether results from a single actor must be writable (default); with ``False``, results of more than 64
            KiB are read-only.
        direct: whether this process calls actors over its own TCP connections (default), in a twentieth of the time of
            Ray's calls. If an actor cannot be reached by TCP (because of a firewall between nodes), or if Ray's traffic
            is encrypted, Ray's calls are used. ``pool.is_direct`` reports which calls are used.
        ray_options: arguments for ``ray.init``, if this process is not connected to a cluster yet.

    Returns:
        A ``GymnasiumRayPool``, ``GymRayPool`` or ``DMRayPool``.

    Raises:
        ImportError: if ray is missing or too old.
        ValueError: for an unknown task, a value that is not allowed, or more actors than the cluster has CPUs for.
        TypeError: for an unknown option, or an option of the wrong type.
        RuntimeError: if actors do not start within ``start_timeout``.
    """
    check_env_type(env_type)
    facade = resolve_name(_FACADES[env_type]) if env_type in _FACADES else GymnasiumRayPool
    return _make_pool(facade, {"num_envs": 1, **options}, lambda own: native_spec(task_id, env_type, own))


def make_vec(task_id: str, num_envs: int = 1, **options: Any) -> VectorRayPool:
    """Makes a gymnasium vector environment whose environments are distributed among the actors of a Ray cluster. The
    vector environment has the interface of :func:`envpool_rs.make_vec` for native tasks. ``task_id`` is one of
    ``list_all_envs()``, or its gymnasium id; ``options`` and exceptions are those of :func:`make` and
    :func:`envpool_rs.make_vec`.
    """
    given = {**options, "num_envs": num_envs}
    pool: VectorRayPool = _make_pool(VectorRayPool, given, lambda own: native_vec_spec(task_id, num_envs, own))
    return pool


def _make_pool(facade: Any, options: dict[str, Any], spec_of: Callable[[dict[str, Any]], EnvSpec]) -> Any:
    """Makes a pool of ``options`` of the pool, of which ``spec_of`` makes the specification, and of the actors."""
    offset = options.get("thread_affinity_offset", -1)
    if offset != -1:
        raise ValueError(f"thread_affinity_offset={offset!r}: expected -1 (Ray chooses where actors run)")
    given = {name: options.pop(name) for name in ActorOptions.__annotations__ if name in options}
    cpus = check_cpus("num_cpus_per_actor", given.get("num_cpus_per_actor", 1))
    spec = spec_of({"num_threads": max(1, int(cpus)), "batch_size": 0, **options})
    allowed = f"None or 1 to num_envs={spec.num_envs}"
    policies = ("resume", "new_episode", "raise")
    checked: ActorOptions = {
        "num_actors": optional_integer("num_actors", given.get("num_actors"), 1, spec.num_envs, allowed=allowed),
        "on_actor_death": choice("on_actor_death", given.get("on_actor_death", "resume"), policies),
        "copy": flag("copy", given.get("copy", True)),
        "direct": flag("direct", given.get("direct", True)),
        "start_timeout": check_cpus("start_timeout", given.get("start_timeout", 60.0)),
        "snapshot_interval": integer("snapshot_interval", given.get("snapshot_interval", 64), 1),
        "num_cpus_per_actor": cpus,
    }
    # The flags in the actors' replies are those of time steps, or of gymnasium, from which gym's are derived.
    layout: Layout = "dm" if facade._format(spec)["layout"] == "dm" else "gymnasium"
    actors = Actors(connect(given.get("ray_options")), spec, checked, layout)
    try:
        return facade(spec, actors)
    except BaseException:
        actors.close()
        raise
