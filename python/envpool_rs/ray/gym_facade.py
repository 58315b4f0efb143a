"""EnvPool's legacy gym interface for pools on a cluster."""

from __future__ import annotations

from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs.ray.pool import RayPool


class GymRayPool(RayPool, GymEnvPool):
    """EnvPool's gym interface on a cluster, in the format of the installed gym: as
    :class:`envpool_rs.pools.GymEnvPool`.
    """
