"""EnvPool's interface for dm_env over a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from envpool_rs._spec.spaces import field_name, import_dm_env, tuple_type
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._spec.time_steps import timestep_fields
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.gymnasium_facade import EnvPoolDialect
from envpool_rs.ray.share_rows import ShareRows

dm_env: Any = import_dm_env()

_FIRST, _MIDDLE, _LAST = 0, 1, 2


class DMRayPool(EnvPoolDialect, dm_env.Environment):  # type: ignore[misc]
    """EnvPool's dm_env interface over a cluster: batched ``dm_env.TimeStep``s, as those of
    :class:`envpool_rs.dm_facade.DMEnvPool`.

    ``observation`` is a namedtuple ``State`` with one field more, the last: ``restarted``, whether each environment's
    actor died since its last row.
    """

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification.
            actors: its environments.
        """
        super().__init__(spec, actors)
        keys = timestep_fields([name for name, _, _ in spec.pool.state_arrays]).values()
        # Fields of nested dict spaces arrive as one dict under their first name.
        names = dict.fromkeys(field_name(key.split(".")[0]) for key in keys)
        self._state_type = tuple_type("State", [*names, "restarted"])
        self._players_type = tuple_type("players", ["env_id"])

    def observation_spec(self) -> Any:
        """Specs of one environment's observation, with the fields of a time step's ``observation``."""
        return self._spec.observation_spec()

    def action_spec(self) -> Any:
        """Spec of one environment's action."""
        return self._spec.action_spec()

    def reset(self, env_id: Any = None, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> Any:
        """Resets environments now, cancelling an autoreset that is due.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` to go on with the generators; an int, where environment ``i`` gets ``seed + i``; or a
                sequence with an entry for each environment asked for.
            options: ``reset_mask`` (``(num_envs,)`` booleans) in the place of ``env_id``, and the environment's reset
                options.

        Returns:
            A time step of ``n`` rows whose ``first()`` is true.
        """
        return self._reset(env_id, seed, options)

    def _step_result(self, rows: ShareRows) -> Any:
        ended = rows.terminated | rows.truncated
        first = rows.infos["elapsed_step"] == 0
        step_type = np.where(ended, _LAST, np.where(first, _FIRST, _MIDDLE)).astype(np.int32)
        return dm_env.TimeStep(step_type, rows.rewards, (~ended).astype(np.float32), self._state(rows))

    def _reset_result(self, rows: ShareRows, return_info: bool = True) -> Any:
        return self._step_result(rows)

    def _state(self, rows: ShareRows) -> Any:
        infos = self._infos(rows)
        parts = rows.observation if isinstance(rows.observation, dict) else {"obs": rows.observation}
        fields = {"env_id": infos.pop("env_id"), "players": self._players_type(infos.pop("players")["env_id"])}
        fields |= {field_name(str(key)): part for key, part in parts.items()}
        fields |= {field_name(str(key)): value for key, value in infos.items()}
        fields.setdefault("restarted", np.zeros(len(rows), np.bool_))
        return self._state_type(**fields)
