"""Functions that make pools on a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any, Literal, overload

from envpool_rs._make.make import native_spec, native_vec_spec
from envpool_rs._spec.options import check_env_type
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.cluster import ActorOptions, OnActorDeath, connect
from envpool_rs.ray.pool import VectorRayPool

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from envpool_rs._core import Layout
    from envpool_rs._make.signatures import AnyOptions, EnvPool, EnvType
    from envpool_rs.ray.dm_facade import DMRayPool
    from envpool_rs.ray.gym_facade import GymRayPool
    from envpool_rs.ray.pool import GymnasiumRayPool

    class RayOptions(AnyOptions, total=False):
        """Keyword arguments of `make`."""

        num_envs: int
        num_actors: int | None
        num_cpus_per_actor: float
        on_actor_death: OnActorDeath
        snapshot_interval: int
        start_timeout: float
        copy: bool
        direct: bool
        ray_options: Mapping[str, Any] | None


_FACADES = {
    "gymnasium": "envpool_rs.ray.pool:GymnasiumRayPool",
    "gym": "envpool_rs.ray.gym_facade:GymRayPool",
    "dm": "envpool_rs.ray.dm_facade:DMRayPool",
}
"""Classes of pools, as module and name: they are imported on demand, because gym and dm_env are optional."""


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
def make(
    task_id: str,
    env_type: Literal["gymnasium", "gym", "dm"] = "gymnasium",
    *,
    num_envs: int = 1,
    batch_size: int = 0,
    num_actors: int | None = None,
    num_cpus_per_actor: float = 1,
    on_actor_death: OnActorDeath = "resume",
    snapshot_interval: int = 64,
    start_timeout: float = 60.0,
    copy: bool = True,
    direct: bool = True,
    ray_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> Any:
    """Makes a pool whose environments are distributed among the actors of a Ray cluster.

    The pool has the interface and the trajectories of a pool of :func:`envpool_rs.make`, for any number of actors.

    Args:
        task_id: one of ``list_all_envs()``.
        env_type: ``"gymnasium"``, ``"gym"`` (legacy) or ``"dm"``.
        num_envs: number of environments in all actors together.
        batch_size: rows of one result (0: ``num_envs``); a smaller number makes the pool asynchronous: a batch has the
            replies of the actors that finish first.
        num_actors: number of actors, each with a native pool; ``None`` for as many as the cluster has CPUs for.
        num_cpus_per_actor: CPUs that Ray reserves for each actor, and threads of its pool.
        on_actor_death: recovery policy for the environments of a dead actor. ``"resume"``: a new actor restores the
            environments exactly, and no step is missing. ``"new_episode"``: the environments start new episodes, after
            a row with the first observation, reward 0 and truncated. ``"raise"``: calls raise ``ActorDied``. The first
            two policies report the restart in ``info["restarted"]``.
        snapshot_interval: with ``"resume"``, steps of an environment between two snapshots; steps after the last
            snapshot are replayed.
        start_timeout: maximum start time of the actors in seconds.
        copy: whether results from a single actor must be writable; with ``False``, results of more than 64 KiB are
            read-only.
        direct: whether this process calls actors over its own TCP connections, in a twentieth of the time of Ray's
            calls. If an actor cannot be reached by TCP (because of a firewall between nodes), or if Ray's traffic is
            encrypted, Ray's calls are used. ``pool.is_direct`` reports which calls are used.
        ray_options: arguments for ``ray.init``, if this process is not connected to a cluster yet.
        options: options of the pool and the environment, as for :func:`envpool_rs.make`; ``num_threads`` applies to
            each actor.

    Returns:
        A ``GymnasiumRayPool``, ``GymRayPool`` or ``DMRayPool``.

    Raises:
        ImportError: if ray is missing or too old.
        ValueError: for an unknown task, a value that is not allowed, or more actors than the cluster has CPUs for.
        TypeError: for an unknown option, or an option of the wrong type.
        RuntimeError: if actors do not start within ``start_timeout``.
    """
    arguments = locals()
    check_env_type(env_type)
    spec = native_spec(task_id, env_type, _pool_options(arguments))
    return _make_pool(resolve_name(_FACADES[env_type]), spec, arguments)


def make_vec(
    task_id: str,
    num_envs: int = 1,
    *,
    batch_size: int = 0,
    num_actors: int | None = None,
    num_cpus_per_actor: float = 1,
    on_actor_death: OnActorDeath = "resume",
    snapshot_interval: int = 64,
    start_timeout: float = 60.0,
    copy: bool = True,
    direct: bool = True,
    ray_options: Mapping[str, Any] | None = None,
    **options: Any,
) -> VectorRayPool:
    """Makes a gymnasium vector environment whose environments are distributed among the actors of a Ray cluster.

    The vector environment has the interface of :func:`envpool_rs.make_vec` for native tasks.

    Args:
        task_id: one of ``list_all_envs()``, or its gymnasium id.
        num_envs: number of environments.
        batch_size: rows of one result, as for :func:`make`.
        num_actors: number of actors.
        num_cpus_per_actor: CPUs of each actor.
        on_actor_death: recovery policy for the environments of a lost actor.
        snapshot_interval: steps between two snapshots.
        start_timeout: maximum start time of the actors in seconds.
        copy: whether results from a single actor must be writable.
        direct: whether actors are called without Ray's calls.
        ray_options: arguments for ``ray.init``.
        options: options of the pool and the environment, as for :func:`envpool_rs.make_vec`.

    Raises:
        Exception: the exceptions of :func:`make`.
    """
    arguments = locals()
    spec = native_vec_spec(task_id, num_envs, _pool_options(arguments))
    pool: VectorRayPool = _make_pool(VectorRayPool, spec, arguments)
    return pool


def _pool_options(arguments: dict[str, Any]) -> dict[str, Any]:
    options = arguments["options"]
    if options.get("thread_affinity_offset", -1) != -1:
        offset = options["thread_affinity_offset"]
        raise ValueError(f"thread_affinity_offset={offset!r}: expected -1 (Ray chooses where actors run)")
    cpus = arguments["num_cpus_per_actor"]
    threads = max(1, int(cpus)) if isinstance(cpus, (int, float)) else 1
    sizes = {"num_envs": arguments["num_envs"], "batch_size": arguments["batch_size"]}
    return {"num_threads": threads, **options, **sizes}


def _make_pool(facade: Any, spec: EnvSpec, arguments: dict[str, Any]) -> Any:
    options = ActorOptions.checked(arguments, int(spec.pool.config["num_envs"]))
    # The flags in the actors' replies are those of time steps, or of gymnasium, from which gym's are derived.
    layout: Layout = "dm" if facade._format(spec)["layout"] == "dm" else "gymnasium"
    actors = Actors(connect(arguments["ray_options"]), spec, options, layout)
    try:
        return facade(spec, actors)
    except BaseException:
        actors.close()
        raise
