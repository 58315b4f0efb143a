"""EnvPool's gymnasium interface over a cluster."""

from __future__ import annotations

from typing import Any

from envpool_rs._facades.final_infos import FinalInfos
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.pool import RayPool


class GymnasiumRayPool(RayPool, GymnasiumEnvPool[Any]):  # type: ignore[misc, override]
    """EnvPool's gymnasium interface over a cluster: as :class:`envpool_rs.gymnasium_facade.GymnasiumEnvPool`."""

    def __new__(cls, spec: EnvSpec, actors: Actors) -> Any:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification.
            actors: its environments.
        """
        return cls._placed(spec, actors, "gymnasium", finish=FinalInfos(spec))
