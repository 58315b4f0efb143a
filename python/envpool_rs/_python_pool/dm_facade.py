"""EnvPool's interface for dm_env over Python environments."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from envpool_rs._facades.interfaces import EnvPoolResets
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._spec.spaces import field_name, import_dm_env, tuple_type
from envpool_rs._workers.worker_envs import WorkerEnvs

dm_env: Any = import_dm_env()

_OWN = ("env_id", "players", "elapsed_step")
"""Names of infos that the pool adds to those of its environments."""


class PythonDMEnvPool(EnvPoolResets, PythonPool, dm_env.Environment):  # type: ignore[misc]
    """EnvPool's dm_env interface over Python environments: batched ``dm_env.TimeStep``s.

    It corresponds to :class:`envpool_rs.pools.DMEnvPool`. ``observation`` is a namedtuple ``State`` of ``env_id``,
    ``players`` (with ``env_id``), the observation (``obs``, or the fields of a dict space), and the environments' infos
    of this step.
    """

    def __new__(cls, envs: WorkerEnvs, spec: PythonEnvSpec) -> Any:
        return cls._create(envs, spec, "dm", timestep_type=dm_env.TimeStep, observation_type=_state)

    def observation_spec(self) -> Any:
        """Returns specs of one observation, plus the constant fields of a time step's ``observation``."""
        return self._spec.observation_spec()

    def action_spec(self) -> Any:
        """Returns the spec of one environment's action."""
        return self._spec.action_spec()


def _state(observation: Any, infos: dict[str, Any]) -> Any:
    parts = observation if isinstance(observation, dict) else {"obs": observation}
    players = _named("players", ("env_id",))(infos["players"]["env_id"])
    fields = {"env_id": infos["env_id"], "players": players}
    fields |= {field_name(str(key)): part for key, part in parts.items()}
    # A field of the observation takes precedence over an info of the same name.
    fields |= {
        name: value for key, value in infos.items() if key not in _OWN and (name := field_name(str(key))) not in fields
    }
    return _named("State", tuple(fields))(*fields.values())


@lru_cache(maxsize=256)
def _named(name: str, fields: tuple[str, ...]) -> Any:
    return tuple_type(name, list(fields))
