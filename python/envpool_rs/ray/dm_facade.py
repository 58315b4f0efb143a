"""EnvPool's dm_env interface for pools on a cluster."""

from __future__ import annotations

from envpool_rs._facades.dm_facade import DMEnvPool
from envpool_rs.ray.pool import RayPool


class DMRayPool(RayPool, DMEnvPool):
    """Pool on a cluster with EnvPool's dm_env interface: batched ``dm_env.TimeStep``s, as in
    :class:`envpool_rs.pools.DMEnvPool`. ``observation`` is a namedtuple ``State`` with an additional last field:
    ``restarted``, whether each environment's actor died since the environment's last row.
    """
