"""Batches of actions on their way to actors: checked on the driver, before anything is sent, and divided."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._python_pool.actions import ActionReader, action_reader, check_keys
from envpool_rs._python_pool.env_ids import checked_ids
from envpool_rs._spec.spec import EnvSpec


class ActionBatches:
    """Reads batches of actions of one task, as native pools do."""

    def __init__(self, spec: EnvSpec) -> None:
        """Describes the actions.

        Args:
            spec: the whole pool's.
        """
        space = spec.action_space
        self._players = spec.players
        self._rows = spec.rows
        self._num_envs = int(spec.pool.config["num_envs"])
        parts = getattr(space, "spaces", None)
        self._parts: dict[str, ActionReader] = {key: action_reader(part, key) for key, part in (parts or {}).items()}
        self._reader: ActionReader | None = None if self._parts else action_reader(space)

    def read(self, action: Any, env_id: Any) -> tuple[Any, npt.NDArray[np.int64] | None]:
        """Checked actions, and ids (``None`` for all environments, in order).

        Args:
            action: an array ``(rows, ...)``; a dict of arrays for dict spaces; EnvPool's dict with ``env_id``,
                ``players.env_id`` and ``action``.
            env_id: ``(n,)`` integers, or ``None``.

        Raises:
            ValueError: for shapes, values, keys or ids that are not allowed.
            TypeError: for what is of the wrong kind.
            IndexError: for ids out of range.
        """
        if isinstance(action, dict):
            action, env_id = self._unpacked(action, env_id)
        ids = None if env_id is None else checked_ids(env_id, self._num_envs)
        count = self._num_envs if ids is None else len(ids)
        if self._reader is not None:
            return self._reader.rows(action, count * self._rows), ids
        if not isinstance(action, dict):
            raise TypeError(
                f"action is a {type(action).__name__}: expected a dict with the keys {', '.join(self._parts)}"
            )
        check_keys("action", action, list(self._parts))
        return {key: reader.rows(action[key], count) for key, reader in self._parts.items()}, ids

    def _unpacked(self, action: dict[Any, Any], env_id: Any) -> tuple[Any, Any]:
        """EnvPool's dict of actions and ids, taken apart."""
        rest = dict(action)
        if "env_id" in rest:
            if env_id is not None:
                raise ValueError("env_id is given twice: in the action and as an argument")
            env_id = rest.pop("env_id")
        for name in ("players.env_id", "players"):
            players = rest.pop(name, None)
            players = players.get("env_id") if isinstance(players, dict) else players
            if players is not None:
                self._check_players(players, env_id)
        if self._parts:
            return rest, env_id
        check_keys("action", rest, ["action"])
        return rest["action"], env_id

    def _check_players(self, players: Any, env_id: Any) -> None:
        ids = np.arange(self._num_envs) if env_id is None else np.asarray(env_id)
        if not np.array_equal(np.asarray(players), np.repeat(ids, self._players)):
            raise ValueError(
                f"players.env_id={players!r}: expected each env_id {self._players} time(s) in a row, "
                "in the order of env_id"
            )
