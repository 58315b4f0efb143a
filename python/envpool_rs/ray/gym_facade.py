"""EnvPool's interface for legacy gym over a cluster."""

from __future__ import annotations

from typing import Any

from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.resets import FinalInfos
from envpool_rs._spec.installed_gym import GymEnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.pool import RayPool


class GymRayPool(RayPool, GymEnvPool):
    """EnvPool's gym interface over a cluster, in the format of the gym that is installed: as
    :class:`envpool_rs.pools.GymEnvPool`.
    """

    def __new__(cls, spec: GymEnvSpec, actors: Actors) -> Any:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification; its ``gym_reset_return_info`` decides the format.
            actors: its environments.
        """
        return cls._placed(spec, actors, cls._layout(spec), finish=FinalInfos(spec))
