"""Validates action batches against the action space and splits them, one action for each environment."""

from __future__ import annotations

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from envpool_rs._arguments import array

_MAX_PYTHON_SCAN = 64
"""Maximum number of values for which comparing a list in Python is faster than reducing an array by numpy."""


class ActionReader(ABC):
    """Base class: validates a batch of actions of one space and splits it into one action for each environment."""

    def __init__(self, name: str) -> None:
        """Creates a reader; the name is used in error messages.

        Args:
            name: ``"action"``, or the key in a dict of actions.
        """
        self.name = name

    @abstractmethod
    def rows(self, action: Any, count: int) -> npt.NDArray[Any] | list[Any]:
        """Returns the action of each environment.

        Args:
            action: the batch.
            count: number of environments.

        Returns:
            ``count`` actions: an array ``(count, ...)``, or a list.

        Raises:
            ValueError: for another shape, a value outside of the space, an extra or a missing key.
            TypeError: for a batch or dtype of the wrong type.
        """


def action_reader(space: Any, name: str = "action") -> ActionReader:
    """Returns the reader for a space.

    Args:
        space: action space of one environment.
        name: the action's name in errors.
    """
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
    """Actions in one array.

    Attributes:
        shape: shape of one environment's action.
        dtype: the dtype that environments receive.
    """

    def __init__(self, name: str, shape: Sequence[int], dtype: Any) -> None:
        super().__init__(name)
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)

    def rows(self, action: Any, count: int) -> npt.NDArray[Any]:
        """Validates the batch; returns an action for each environment, as :meth:`ActionReader.rows` does."""
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
    """Actions of several players in one array, with a row for each player: ``(count * players, ...)``.

    Args:
        reader: the reader for one player's actions.
        players: players of one environment.
    """

    def __init__(self, reader: ArrayActions, players: int) -> None:
        super().__init__(reader.name, (players, *reader.shape), reader.dtype)
        self._reader = reader

    def rows(self, action: Any, count: int) -> npt.NDArray[Any]:
        """Returns the actions of each environment's players ``(count, players, ...)``."""
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
        """Validates the batch; returns an action for each environment, as :meth:`ActionReader.rows` does."""
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
        """Validates the batch; returns an action for each environment, as :meth:`ActionReader.rows` does."""
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
        """Validates the batch; returns an action for each environment, as :meth:`ActionReader.rows` does."""
        if not isinstance(action, dict):
            keys = ", ".join(map(str, self.parts))
            raise TypeError(f"{self.name} is a {type(action).__name__}: expected a dict with the keys {keys}")
        check_keys(self.name, action, list(self.parts))
        parts = [reader.rows(action[key], count) for key, reader in self.parts.items()]
        return [dict(zip(self.parts, row, strict=True)) for row in zip(*parts, strict=True)] if parts else [{}] * count


def check_keys(name: str, action: dict[Any, Any], expected: list[Any]) -> None:
    """Checks that a dict has exactly the expected keys.

    Args:
        name: the dict's name in errors.
        action: the dict.
        expected: the required keys.

    Raises:
        ValueError: naming the key that is unknown or missing.
        TypeError: for an unknown key that is not a str.
    """
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
