"""EnvPool's interface for dm_env over Python environments."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from envpool_rs._facades.envpool_calls import IgnoredSeeds
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._spec.spaces import field_name, import_dm_env, tuple_type
from envpool_rs._workers.worker_envs import WorkerEnvs

if TYPE_CHECKING:
    from envpool_rs._core import Out

dm_env: Any = import_dm_env()

_OWN = ("env_id", "players", "elapsed_step")
"""Infos of the pool itself."""


class PythonDMEnvPool(IgnoredSeeds, PythonPool, dm_env.Environment):  # type: ignore[misc]
    """EnvPool's dm_env interface over Python environments: batched ``dm_env.TimeStep``s.

    It corresponds to :class:`envpool_rs.pools.DMEnvPool`. ``observation`` is a namedtuple ``State`` of ``env_id``,
    ``players`` (with ``env_id``), the observation (``obs``, or the fields of a dict space), and the environments' infos
    of this step.
    """

    def __new__(cls, envs: WorkerEnvs, spec: PythonEnvSpec) -> Any:
        """Creates the pool over environments that have been made.

        Args:
            envs: the environments, idle.
            spec: their specification.
        """
        return cls._create(envs, spec, "dm", timestep_type=dm_env.TimeStep, observation_type=_state)

    def observation_spec(self) -> Any:
        """Returns specs of one observation, plus the constant fields of a time step's ``observation``."""
        return self._spec.observation_spec()

    def action_spec(self) -> Any:
        """Returns the spec of one environment's action."""
        return self._spec.action_spec()

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Mapping[str, Any] | None = None,
        out: Out | None = None,
    ) -> Any:
        """Resets environments now and cancels a pending autoreset.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` to continue the random streams; an int: environment ``i`` gets ``seed + i``; or a sequence
                with an entry for each requested environment.
            options: ``reset_mask`` (``(num_envs,)`` booleans) instead of ``env_id``, and options for the environments'
                own ``reset``.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns:
            A time step of ``n`` rows whose ``first()`` is true.
        """
        return self._reset_envs(env_id, seed, options, out=out)


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
