"""EnvPool's legacy gym interface for pools on a cluster."""

from __future__ import annotations

from typing import Any

from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.resets import FinalInfos
from envpool_rs._spec.installed_gym import GymEnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.pool import RayPool


class GymRayPool(RayPool, GymEnvPool):
    """EnvPool's gym interface on a cluster, in the format of the installed gym: as
    :class:`envpool_rs.pools.GymEnvPool`.
    """

    def __new__(cls, spec: GymEnvSpec, actors: Actors) -> Any:
        """Makes a pool of started actors.

        Args:
            spec: the whole pool's specification; its ``gym_reset_return_info`` selects the format.
            actors: the actors with its environments.
        """
        return cls._from_actors(spec, actors, cls._layout(spec), finish=FinalInfos(spec))
