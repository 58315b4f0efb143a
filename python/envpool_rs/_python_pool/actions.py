"""Validates action batches and splits them, one action for each environment."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, iterate

from envpool_rs._arguments import array

_MAX_PYTHON_SCAN = 64
"""Maximum number of values for which comparing a list in Python is faster than reducing an array by numpy."""


class ActionReader(ABC):
    """Base class: validates a batch of actions of one space and splits it into one action for each environment."""

    def __init__(self, name: str) -> None:
        """Creates a reader; the name is used in error messages."""
        self.name = name

    @abstractmethod
    def rows(self, action: Any, count: int) -> npt.NDArray[Any] | list[Any]:
        """Returns the action of each environment."""
        # Returns `count` actions: an array `(count, ...)`, or a list. Raises ValueError for another shape, a value
        # outside of the space, an extra or a missing key, and TypeError for a batch or dtype of the wrong type.


def action_reader(space: Any, name: str = "action") -> ActionReader:
    """Returns the reader for a space."""
    if isinstance(space, spaces.Dict):
        return DictActions(name, {key: action_reader(part, str(key)) for key, part in space.spaces.items()})
    if isinstance(space, spaces.Tuple):
        return TupleActions(name, [action_reader(part, f"{name}[{i}]") for i, part in enumerate(space.spaces)])
    return _array_reader(space, name) or ObjectActions(name, space)


def _array_reader(space: Any, name: str) -> ActionReader | None:
    if isinstance(space, spaces.Discrete):
        return DiscreteActions(name, int(space.start), int(space.n), space.dtype)
    if isinstance(space, spaces.MultiDiscrete):
        return IntegerActions(name, space.start, space.start + space.nvec - 1, space.dtype)
    if isinstance(space, spaces.MultiBinary):
        return IntegerActions(name, np.zeros(space.shape, int), np.ones(space.shape, int), space.dtype)
    return _box_reader(name, space) if isinstance(space, spaces.Box) else None


def _box_reader(name: str, space: spaces.Box) -> ActionReader:
    dtype: np.dtype[Any] = np.dtype(space.dtype)
    if dtype.kind == "f":
        return FloatActions(name, space.shape, dtype)
    if dtype.kind == "b":
        return IntegerActions(name, np.zeros(space.shape, int), np.ones(space.shape, int), dtype)
    # Only values that the dtype cannot represent are rejected. Other values outside the space's bounds are passed to
    # the environment, as for boxes of floats.
    limits = np.iinfo(dtype.name)
    return IntegerActions(name, np.full(space.shape, limits.min, dtype), np.full(space.shape, limits.max, dtype), dtype)


class ArrayActions(ActionReader):
    """Actions in one array."""

    def __init__(self, name: str, shape: Sequence[int], dtype: Any) -> None:
        super().__init__(name)
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)

    def rows(self, action: Any, count: int) -> npt.NDArray[Any]:
        if type(action) is not np.ndarray:
            action = self._array(action)
        if action.shape != (count, *self.shape):
            raise ValueError(f"{self.name} has shape {action.shape}: expected {(count, *self.shape)}")
        if action.dtype.kind not in "iufb":
            raise TypeError(f"{self.name} has dtype {action.dtype}: expected integers, bools or floats")
        return self._checked(action)

    def _array(self, action: Any) -> npt.NDArray[Any]:
        if action is None:
            raise TypeError(f"{self.name} is None: expected an array")
        if isinstance(action, dict):
            raise TypeError(f"{self.name} is a dict: expected an array")
        return array(self.name, action)

    @abstractmethod
    def _checked(self, action: npt.NDArray[Any]) -> npt.NDArray[Any]: ...

    def _refused(self, index: Sequence[Any], value: Any, expected: str) -> ValueError:
        position = ", ".join(str(each) for each in index)
        return ValueError(f"{self.name}[{position}] is {value}: expected {expected}")


class DiscreteActions(ArrayActions):
    """Actions of a ``Discrete`` space: ``(count,)`` integers, in any dtype that holds them."""

    def __init__(self, name: str, start: int, size: int, dtype: Any) -> None:
        super().__init__(name, (), dtype)
        self._first, self._last = start, start + size - 1

    def _checked(self, action: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if action.dtype.kind == "f" or not self._in_range(action):
            self._check_each(action)
        return action if action.dtype == self.dtype else action.astype(self.dtype)

    def _in_range(self, action: npt.NDArray[Any]) -> bool:
        if action.size <= _MAX_PYTHON_SCAN:
            values = action.tolist()
            return not values or (min(values) >= self._first and max(values) <= self._last)
        return bool(action.min() >= self._first and action.max() <= self._last)

    def _check_each(self, action: npt.NDArray[Any]) -> None:
        for index, value in enumerate(action.tolist()):
            if not self._first <= value <= self._last or value != int(value):
                raise self._refused([index], value, f"an integer from {self._first} to {self._last}")


class IntegerActions(ArrayActions):
    """Integer actions with individual bounds: ``MultiDiscrete``, ``MultiBinary``, boxes of integers."""

    def __init__(self, name: str, first: npt.NDArray[Any], last: npt.NDArray[Any], dtype: Any) -> None:
        super().__init__(name, first.shape, dtype)
        self._first, self._last = first, last

    def _checked(self, action: npt.NDArray[Any]) -> npt.NDArray[Any]:
        good = (action >= self._first) & (action <= self._last)
        if action.dtype.kind == "f":
            good &= action == np.floor(action)
        if not good.all():
            index = tuple(int(each) for each in np.argwhere(~good)[0])
            first, last = self._first[index[1:]], self._last[index[1:]]
            raise self._refused(index, action[index], f"an integer from {int(first)} to {int(last)}")
        return action if action.dtype == self.dtype else action.astype(self.dtype)


class FloatActions(ArrayActions):
    """Actions of a box of floats. They must be finite; environments clip values outside the bounds."""

    def _checked(self, action: npt.NDArray[Any]) -> npt.NDArray[Any]:
        if action.dtype != self.dtype:
            with np.errstate(over="ignore"):
                converted = action.astype(self.dtype)
        else:
            converted = action
        finite = np.isfinite(converted)
        if not finite.all():
            index = tuple(int(each) for each in np.argwhere(~finite)[0])
            raise self._refused(index[:1], action[index], f"a finite number that fits {self.dtype}")
        return converted


class PlayerActions(ArrayActions):
    """Actions of several players in one array, with a row for each player: ``(count * players, ...)``."""

    def __init__(self, reader: ArrayActions, players: int) -> None:
        super().__init__(reader.name, (players, *reader.shape), reader.dtype)
        self._reader = reader

    def rows(self, action: Any, count: int) -> npt.NDArray[Any]:
        return self._reader.rows(action, count * self.shape[0]).reshape(count, *self.shape)

    def _checked(self, action: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return action


class ObjectActions(ActionReader):
    """Actions that are not arrays (``Text``, ``Sequence``, ``Graph``, ``OneOf``, ...): the batch is a sequence of
    actions.
    """

    def __init__(self, name: str, space: Any) -> None:
        super().__init__(name)
        self._space = space

    def rows(self, action: Any, count: int) -> list[Any]:
        if isinstance(action, (str, bytes, dict)) or not isinstance(action, Iterable):
            kind = type(action).__name__
            raise TypeError(f"{self.name} is a {kind}: expected a sequence with an action for each environment")
        rows = list(action)
        if len(rows) != count:
            raise ValueError(f"{self.name} has {len(rows)} entries: expected {count}")
        for index, row in enumerate(rows):
            if self._space is not None and not self._space.contains(row):
                raise ValueError(f"{self.name}[{index}] is {row!r}: expected an element of {self._space}")
        return rows


class TupleActions(ActionReader):
    """Actions of a ``Tuple`` space: a tuple of batches."""

    def __init__(self, name: str, parts: list[ActionReader]) -> None:
        super().__init__(name)
        self._parts = parts

    def rows(self, action: Any, count: int) -> list[Any]:
        if not isinstance(action, (tuple, list)):
            raise TypeError(f"{self.name} is a {type(action).__name__}: expected a tuple of {len(self._parts)} batches")
        if len(action) != len(self._parts):
            raise ValueError(f"{self.name} has {len(action)} entries: expected {len(self._parts)}")
        parts = [reader.rows(part, count) for reader, part in zip(self._parts, action, strict=True)]
        return list(zip(*parts, strict=True)) if parts else [()] * count


class DictActions(ActionReader):
    """Actions of a ``Dict`` space: a dict of batches."""

    def __init__(self, name: str, parts: dict[Any, ActionReader]) -> None:
        super().__init__(name)
        self.parts = parts

    def rows(self, action: Any, count: int) -> list[Any]:
        if not isinstance(action, dict):
            keys = ", ".join(map(str, self.parts))
            raise TypeError(f"{self.name} is a {type(action).__name__}: expected a dict with the keys {keys}")
        check_keys(self.name, action, list(self.parts))
        parts = [reader.rows(action[key], count) for key, reader in self.parts.items()]
        return [dict(zip(self.parts, row, strict=True)) for row in zip(*parts, strict=True)] if parts else [{}] * count


def check_keys(name: str, action: dict[Any, Any], expected: list[Any]) -> None:
    """Checks that a dict has exactly the expected keys."""
    for key in action:
        if key not in expected:
            if not isinstance(key, str):
                raise TypeError(f"{name} has the key {key!r}: expected a str")
            near = difflib.get_close_matches(key, map(str, expected), n=1)
            suggestion = f'; did you mean "{near[0]}"?' if near else ""
            raise ValueError(f'{name} has the unknown key "{key}"{suggestion}')
    for key in expected:
        if key not in action:
            raise ValueError(f'{name} lacks the key "{key}"')


Ids: TypeAlias = npt.NDArray[np.int64]
"""Array of environment ids, without repetition."""


def checked_ids(env_id: Any, num_envs: int, name: str = "env_id") -> Ids:
    """Validates ids of environments and returns them as int64."""
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
    """Splits a batch of actions as gymnasium's own vector environments do, without validation."""

    # Environments receive the actions unchanged, and validate them themselves.

    def __init__(self, reader: ActionReader, space: Any) -> None:
        super().__init__(reader.name)
        self._array = reader if isinstance(reader, ArrayActions) else None
        self._batched = batch_space(space)

    def rows(self, action: Any, count: int) -> npt.NDArray[Any] | list[Any]:
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
        except KeyError as error:
            raise ValueError(f"{self.name} lacks the key {error}") from error
        except ValueError as error:
            raise ValueError(f"{self.name} has parts of different lengths: expected {count} entries in each") from error
        if len(rows) != count:
            raise ValueError(f"{self.name} has {len(rows)} entries: expected {count}")
        return rows


def split_action(
    reader: ActionReader, num_envs: int, num_players: int, given: dict[Any, Any], env_id: Any
) -> tuple[Any, Any]:
    """Splits an action argument that is a dict into actions and ids (``None`` for all)."""
    own = reader.parts if isinstance(reader, DictActions) else {}
    rest = dict(given)
    if "env_id" in rest and "env_id" not in own:
        if env_id is not None:
            raise ValueError("env_id is given twice: in the action and as an argument")
        env_id = rest.pop("env_id")
    players = rest.pop("players.env_id", None) if "players.env_id" not in own else None
    if "players" in rest and "players" not in own:
        players = _players(rest.pop("players"))
    if players is not None:
        _check_players(players, env_id, num_envs, num_players)
    if own:
        return rest, env_id
    check_keys("action", rest, ["action"])
    return rest["action"], env_id


def _check_players(players: Any, env_id: Any, num_envs: int, num_players: int) -> None:
    ids = np.arange(num_envs) if env_id is None else checked_ids(env_id, num_envs)
    given = array("players.env_id", players)
    if num_players == 1:
        checked_ids(given, num_envs, "players.env_id")
    if not np.array_equal(given, np.repeat(ids, num_players)):
        raise ValueError(
            f"players.env_id={players!r}: expected each env_id {num_players} time(s) in a row, in the order of env_id"
        )


def _players(given: Any) -> Any:
    if not isinstance(given, dict):
        raise TypeError(f"players={given!r}: expected a dict with env_id")
    return given.get("env_id")
