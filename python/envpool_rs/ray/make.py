"""The functions that make pools over a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from envpool_rs._make.make import native_spec
from envpool_rs._make.vectorization import native_vec_spec
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.pool_options import check_env_type
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.cluster import ActorOptions, OnActorDeath, connect

if TYPE_CHECKING:
    from envpool_rs.ray.pool import VectorRayPool


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
    """Makes a pool whose environments are spread over the actors of a Ray cluster: to its user what
    :func:`envpool_rs.make` makes, with the same trajectories whatever the number of actors.

    Args:
        task_id: one of ``list_all_envs()``.
        env_type: ``"gymnasium"``, ``"gym"`` (legacy) or ``"dm"``.
        num_envs: number of environments, counted through all actors.
        batch_size: rows of one result (0: ``num_envs``); fewer is asynchronous: the actors that answer first make up a
            batch.
        num_actors: actors, each with a native pool; ``None`` for as many as the cluster has CPUs for.
        num_cpus_per_actor: CPUs that Ray reserves for each actor, and threads of its pool.
        on_actor_death: what becomes of the environments of an actor that died (killed, node lost). ``"resume"``: a new
            actor takes them to exactly where they were, and not even a step is lost; ``"new_episode"``: they begin new
            episodes, after a row with the first observation, reward 0 and truncated; ``"raise"``: ``ActorDied``.
            In the first two, ``info["restarted"]`` tells.
        snapshot_interval: with ``"resume"``, steps of an environment from one snapshot to the next; those since the
            last one are played again.
        start_timeout: seconds to wait for the actors to start.
        copy: whether results that come from one actor alone may be written to. ``False``: not those of more than
            64 KiB.
        direct: whether actors are called over TCP connections of this process's own, in a twentieth of the time of
            Ray's calls. Where an actor cannot be reached so (a firewall between nodes), and where Ray's own traffic is
            encrypted, they are Ray's calls all the same; ``pool.is_direct`` tells.
        ray_options: arguments for ``ray.init``, where this process is not connected to a cluster yet.
        options: of the pool and the environment, as for :func:`envpool_rs.make`; ``num_threads`` is each actor's.

    Returns:
        A ``GymnasiumRayPool``, ``GymRayPool`` or ``DMRayPool``.

    Raises:
        ImportError: where ray is missing or too old.
        ValueError: for an unknown task, a value that is not allowed, or more actors than the cluster has CPUs for.
        TypeError: for an unknown option, or one of the wrong kind.
        RuntimeError: where actors do not start within ``start_timeout``.
    """
    check_env_type(env_type)
    given = _actor_options(locals())
    spec = native_spec(task_id, env_type, _pool_options(locals()))
    facade = _facade(env_type, spec)
    return _made(facade, spec, given, ray_options)


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
    """Makes a gymnasium vector environment whose environments are spread over the actors of a Ray cluster: what
    :func:`envpool_rs.make_vec` makes of native tasks.

    Args:
        task_id: one of ``list_all_envs()``, or the id under which gymnasium knows it.
        num_envs: number of environments.
        batch_size: as for :func:`make`, like all that follow.
        num_actors: actors.
        num_cpus_per_actor: CPUs of each.
        on_actor_death: what becomes of the environments of an actor that died.
        snapshot_interval: steps from one snapshot to the next.
        start_timeout: seconds to wait for the actors to start.
        copy: whether results that come from one actor alone may be written to.
        direct: whether actors are called past Ray.
        ray_options: arguments for ``ray.init``.
        options: of the pool and the environment, as for :func:`envpool_rs.make_vec`.

    Raises:
        Exception: as :func:`make`.
    """
    from envpool_rs.ray.pool import VectorRayPool

    given = _actor_options(locals())
    spec = native_vec_spec(task_id, num_envs, _pool_options(locals()))
    pool: VectorRayPool = _made(VectorRayPool, spec, given, ray_options)
    return pool


_ACTOR_OPTIONS = (
    "num_actors",
    "num_cpus_per_actor",
    "on_actor_death",
    "snapshot_interval",
    "start_timeout",
    "copy",
    "direct",
)


def _actor_options(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: arguments[name] for name in _ACTOR_OPTIONS}


def _pool_options(arguments: dict[str, Any]) -> dict[str, Any]:
    options = arguments["options"]
    if options.get("thread_affinity_offset", -1) != -1:
        offset = options["thread_affinity_offset"]
        raise ValueError(f"thread_affinity_offset={offset!r}: expected -1 (Ray chooses where actors run)")
    cpus = arguments["num_cpus_per_actor"]
    threads = max(1, int(cpus)) if isinstance(cpus, (int, float)) else 1
    sizes = {"num_envs": arguments["num_envs"], "batch_size": arguments["batch_size"]}
    return {"num_threads": threads, **options, **sizes}


def _facade(env_type: str, spec: EnvSpec) -> Any:
    # Imported only when asked for: gym and dm_env are optional.
    if env_type == "gym":
        from envpool_rs.ray.gym_facade import GymRayPool

        return GymRayPool
    if env_type == "dm":
        from envpool_rs._spec.spaces import check_time_steps
        from envpool_rs.ray.dm_facade import DMRayPool

        config = spec.pool.config
        check_time_steps(str(config["autoreset_mode"]), bool(config["record_episode_statistics"]))
        return DMRayPool
    from envpool_rs.ray.pool import GymnasiumRayPool

    return GymnasiumRayPool


def _made(facade: Any, spec: EnvSpec, given: dict[str, Any], ray_options: Mapping[str, Any] | None) -> Any:
    options = ActorOptions.checked(given, int(spec.pool.config["num_envs"]))
    actors = Actors(connect(ray_options), spec, options, facade.flags)
    try:
        return facade(spec, actors)
    except BaseException:
        actors.close()
        raise
