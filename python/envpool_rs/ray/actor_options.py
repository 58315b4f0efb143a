"""How the environments of a pool are put into actors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from envpool_rs._arguments import choice, flag, integer, optional_integer
from envpool_rs.ray.cluster import check_cpus

OnActorDeath = Literal["resume", "new_episode", "raise"]
"""``"resume"``: another actor takes the environments to exactly where they were; ``"new_episode"``: they begin anew,
and tell so in a row that is truncated; ``"raise"``: they are lost."""


@dataclass(frozen=True)
class ActorOptions:
    """Options of the actors, checked.

    Attributes:
        num_actors: how many; ``None`` for as many as the cluster has room for, at most one per environment.
        num_cpus_per_actor: CPUs that Ray reserves for each.
        on_actor_death: what becomes of the environments of an actor that died.
        snapshot_interval: steps of an environment from one snapshot to the next.
        start_timeout: seconds to wait for the actors to start.
        copy: whether large results that come from one actor alone may be written to.
        direct: whether actors are called over connections of the driver's own, where they can be.
    """

    num_actors: int | None
    num_cpus_per_actor: float
    on_actor_death: OnActorDeath
    snapshot_interval: int
    start_timeout: float
    copy: bool
    direct: bool

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
        allowed = f"None or 1 to num_envs={num_envs}"
        num_actors = optional_integer("num_actors", given["num_actors"], 1, num_envs, allowed=allowed)
        on_actor_death: OnActorDeath = choice("on_actor_death", given["on_actor_death"], get_args(OnActorDeath))
        copy, direct = flag("copy", given["copy"]), flag("direct", given["direct"])
        timeout = check_cpus("start_timeout", given["start_timeout"])
        interval = integer("snapshot_interval", given["snapshot_interval"], 1)
        cpus = check_cpus("num_cpus_per_actor", given["num_cpus_per_actor"])
        return cls(num_actors, cpus, on_actor_death, interval, timeout, copy, direct)
