"""EnvPool's legacy gym interface for pools on a cluster."""

from __future__ import annotations

from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs.ray.pool import RayPool


class GymRayPool(RayPool, GymEnvPool):
    """Pool on a cluster with EnvPool's gym interface, in the installed gym's format, as
    :class:`envpool_rs.pools.GymEnvPool`.
    """
