"""EnvPool's interface for dm_env over Python environments."""

from __future__ import annotations

from envpool_rs._facades.dm_facade import DMInterface, dm_env
from envpool_rs._python_pool.pool import PythonPool


class PythonDMEnvPool(DMInterface, PythonPool, dm_env.Environment):  # type: ignore[misc]
    """EnvPool's dm_env interface over Python environments: batched ``dm_env.TimeStep``s.

    It corresponds to :class:`envpool_rs.pools.DMEnvPool`. ``observation`` is a namedtuple ``State`` of ``env_id``,
    ``players`` (with ``env_id``), the observation (``obs``, or the fields of a dict space), and the environments' infos
    of this step.
    """
