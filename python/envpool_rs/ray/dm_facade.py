"""EnvPool's dm_env interface for pools on a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from envpool_rs._facades.dm_facade import DMEnvPool, dm_env
from envpool_rs._spec.spaces import observation_type
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.pool import RayPool

if TYPE_CHECKING:
    from envpool_rs._core import Layout


class DMRayPool(RayPool, DMEnvPool):
    """Pool on a cluster with EnvPool's dm_env interface: batched ``dm_env.TimeStep``s, as in
    :class:`envpool_rs.pools.DMEnvPool`.

    ``observation`` is a namedtuple ``State`` with an additional last field: ``restarted``, whether each environment's
    actor died since the environment's last row.
    """

    flags: ClassVar[Layout] = "dm"

    def __new__(cls, spec: EnvSpec, actors: Actors) -> Any:
        """Makes a pool of started actors."""
        state = observation_type(spec.pool, "restarted")
        return cls._from_actors(spec, actors, "dm", timestep_type=dm_env.TimeStep, observation_type=state)
