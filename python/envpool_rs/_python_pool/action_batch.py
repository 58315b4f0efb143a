"""Splits action batches: dicts of actions and ids as in EnvPool, and batches as in gymnasium's vector environments."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space, iterate

from envpool_rs._arguments import array
from envpool_rs._python_pool.actions import ActionReader, ArrayActions, DictActions, check_keys

Ids: TypeAlias = npt.NDArray[np.int64]
"""Array of environment ids, without repetition."""


def checked_ids(env_id: Any, num_envs: int, name: str = "env_id") -> Ids:
    """Validates ids of environments and returns them as int64.

    Args:
        env_id: a one-dimensional array (or sequence) of any integer dtype.
        num_envs: environments of the pool.
        name: the argument's name in errors.

    Raises:
        ValueError: for more dimensions, or a repeated id.
        TypeError: for another dtype.
        IndexError: for an id out of range.
    """
    ids = array(name, env_id)
    if ids.ndim != 1:
        raise ValueError(f"{name} has shape {list(ids.shape)}: expected one dimension")
    if not len(ids):
        return np.zeros(0, np.int64)
    if ids.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {ids.dtype}: expected integers")
    seen: set[int] = set()
    for index, each in enumerate(ids.tolist()):
        if not 0 <= each < num_envs:
            raise IndexError(f"{name}[{index}]={each}: expected 0 to {num_envs - 1}")
        if each in seen:
            raise ValueError(f"{name}[{index}]={each}: expected each id once at most")
        seen.add(each)
    return ids.astype(np.int64)


class UncheckedActions(ActionReader):
    """Splits a batch of actions as gymnasium's own vector environments do, without validation.

    Environments receive the actions unchanged, and validate them themselves.
    """

    def __init__(self, reader: ActionReader, space: Any) -> None:
        super().__init__(reader.name)
        self._array = reader if isinstance(reader, ArrayActions) else None
        self._batched = batch_space(space)

    def rows(self, action: Any, count: int) -> npt.NDArray[Any] | list[Any]:
        """Returns one action for each environment, as :meth:`ActionReader.rows` does, as an array if the batch is an
        array of the space's dtype.
        """
        array = self._array
        # Tensors are converted to numpy arrays, which environments expect.
        if array is not None and type(action) is not np.ndarray and hasattr(action, "__array__"):
            action = np.asarray(action)
        if array is not None and type(action) is np.ndarray:
            if action.dtype == array.dtype and action.shape == (count, *array.shape):
                return action
            if action.ndim and len(action) != count:
                raise ValueError(f"{self.name} has shape {action.shape}: expected {(count, *array.shape)}")
        try:
            rows = list(iterate(self._batched, action))
        except TypeError as error:
            raise TypeError(f"{self.name} is {action!r}: expected one for each environment, {count}") from error
        if len(rows) != count:
            raise ValueError(f"{self.name} has {len(rows)} entries: expected {count}")
        return rows


class ActionBatch:
    """An action argument that is a dict, split into actions and ids.

    The dict is ``{"action": ..., "env_id": ..., "players": {"env_id": ...}}``, or has the entries of a ``Dict`` space
    next to the ids.

    Attributes:
        action: the actions only.
        env_id: ids, or ``None``.
    """

    def __init__(
        self, given: dict[Any, Any], env_id: Any, reader: ActionReader, num_envs: int, num_players: int = 1
    ) -> None:
        """Splits the dict.

        Args:
            given: the action argument.
            env_id: the ``env_id`` argument.
            reader: the reader of the action space.
            num_envs: environments of the pool.
            num_players: players of one environment.

        Raises:
            ValueError: for ids given twice, unknown or missing keys, or players other than those of the environments.
            TypeError: for a key or value of the wrong type.
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
            self._check_players(players, num_envs, num_players)
        if not own:
            check_keys("action", rest, ["action"])
        self.action = rest if own else rest["action"]

    def _check_players(self, players: Any, num_envs: int, num_players: int) -> None:
        ids = np.arange(num_envs) if self.env_id is None else checked_ids(self.env_id, num_envs)
        given = array("players.env_id", players)
        if num_players == 1:
            checked_ids(given, num_envs, "players.env_id")
        if not np.array_equal(given, np.repeat(ids, num_players)):
            raise ValueError(
                f"players.env_id={players!r}: expected each env_id {num_players} time(s) in a row, in the order of "
                "env_id"
            )


def _players(given: Any) -> Any:
    if not isinstance(given, dict):
        raise TypeError(f"players={given!r}: expected a dict with env_id")
    return given.get("env_id")
