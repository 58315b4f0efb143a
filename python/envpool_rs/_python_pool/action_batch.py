"""EnvPool's dicts of actions and ids."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs._python_pool.actions import ActionReader, DictActions, check_keys
from envpool_rs._python_pool.env_ids import checked_ids


class ActionBatch:
    """A dict given as action, taken apart: ``{"action": ..., "env_id": ..., "players": {"env_id": ...}}``, or the
    entries of a ``Dict`` space beside the ids.

    Attributes:
        action: the actions alone.
        env_id: ids, or ``None``.
    """

    def __init__(self, given: dict[Any, Any], env_id: Any, reader: ActionReader, num_envs: int) -> None:
        """Takes the dict apart.

        Args:
            given: what came as action.
            env_id: what came as ``env_id``.
            reader: the reader of the action space.
            num_envs: environments of the pool.

        Raises:
            ValueError: for ids given twice, unknown or missing keys, or players that are not the environments.
            TypeError: for a key or value of the wrong kind.
        """
        own = reader.parts if isinstance(reader, DictActions) else {}
        rest = dict(given)
        self.env_id = env_id
        if "env_id" in rest and "env_id" not in own:
            if env_id is not None:
                raise ValueError("env_id is given twice: in the action and as an argument")
            self.env_id = rest.pop("env_id")
        players = rest.pop("players.env_id", None) if "players.env_id" not in own else None
        if "players" in rest and "players" not in own:
            players = _players(rest.pop("players"))
        if players is not None:
            self._check_players(players, num_envs)
        if not own:
            check_keys("action", rest, ["action"])
        self.action = rest if own else rest["action"]

    def _check_players(self, players: Any, num_envs: int) -> None:
        ids = range(num_envs) if self.env_id is None else checked_ids(self.env_id, num_envs)
        if not np.array_equal(checked_ids(players, num_envs, "players.env_id"), ids):
            raise ValueError(
                f"players.env_id={players!r}: expected each env_id 1 time(s) in a row, in the order of env_id"
            )


def _players(given: Any) -> Any:
    if not isinstance(given, dict):
        raise TypeError(f"players={given!r}: expected a dict with env_id")
    return given.get("env_id")
