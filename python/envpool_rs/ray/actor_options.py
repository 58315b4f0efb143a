"""How the environments of a pool are put into actors."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any, get_args

from envpool_rs.ray.cluster import check_cpus
from envpool_rs.ray.remote_share import OnActorDeath


@dataclass(frozen=True)
class ActorOptions:
    """Options of the actors, checked.

    Attributes:
        num_actors: how many; ``None`` for as many as the cluster has room for, at most one per environment.
        num_cpus_per_actor: CPUs that Ray reserves for each.
        on_actor_death: what becomes of the environments of an actor that died.
        snapshot_interval: operations from one snapshot to the next.
        start_timeout: seconds to wait for the actors to start.
        copy: whether results that come from one actor are copied out of the object store.
    """

    num_actors: int | None
    num_cpus_per_actor: float
    on_actor_death: OnActorDeath
    snapshot_interval: int
    start_timeout: float
    copy: bool

    @classmethod
    def checked(cls, given: dict[str, Any], num_envs: int) -> ActorOptions:
        """The options, checked.

        Args:
            given: all of them by name.
            num_envs: environments of the pool.

        Raises:
            ValueError: for a value that is not allowed.
            TypeError: for one of the wrong kind.
        """
        num_actors = given["num_actors"]
        if num_actors is not None:
            num_actors = _integer("num_actors", num_actors, 1, num_envs, "num_envs=")
        policies = get_args(OnActorDeath)
        if given["on_actor_death"] not in policies:
            allowed = ", ".join(map(repr, policies))
            raise ValueError(f"on_actor_death={given['on_actor_death']!r}: expected one of {allowed}")
        if not isinstance(given["copy"], bool):
            raise TypeError(f"copy={given['copy']!r}: expected a bool")
        timeout = check_cpus("start_timeout", given["start_timeout"])
        interval = _integer("snapshot_interval", given["snapshot_interval"], 1)
        cpus = check_cpus("num_cpus_per_actor", given["num_cpus_per_actor"])
        return cls(num_actors, cpus, given["on_actor_death"], interval, timeout, given["copy"])


def _integer(name: str, value: Any, least: int, most: int | None = None, most_name: str = "") -> int:
    expected = f"an int, {least} or more" if most is None else f"an int from {least} to {most_name}{most}"
    try:
        number = operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name}={value!r}: expected {expected}") from error
    if isinstance(value, bool):
        raise TypeError(f"{name}={value!r}: expected {expected}")
    if number < least or (most is not None and number > most):
        raise ValueError(f"{name}={value!r}: expected {expected}")
    return number
