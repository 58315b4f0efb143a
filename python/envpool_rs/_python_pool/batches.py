"""Converts batches of actions to actions of single environments, and results of single environments to batches."""

from __future__ import annotations

import difflib
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import batch_space, concatenate, create_empty_array, iterate

from envpool_rs._arguments import array
from envpool_rs._facades.environments import info_row
from envpool_rs._nested import fold_space, rows_of_batch
from envpool_rs._workers.adapters import ARRAY_SPACES
from envpool_rs._workers.serialization import EnvFailure, ObservationLayout, loads

_MAX_PYTHON_SCAN = 64
"""Maximum number of values for which comparing a list in Python is faster than reducing an array by numpy."""


class ActionReader:
    """Base class: validates batches of actions of one space; the name is used in error messages."""

    def __init__(self, name: str) -> None:
        self.name = name

    def rows(self, action: Any, count: int) -> npt.NDArray[Any] | list[Any]:
        """Returns the action of each of ``count`` environments: an array ``(count, ...)``, or a list."""
        # Raises ValueError for another shape, a value outside of the space, an extra or a missing key, and TypeError
        # for a batch or dtype of the wrong type.
        raise NotImplementedError


def action_reader(space: Any, name: str = "action") -> ActionReader:
    """Returns the reader for a space."""
    if isinstance(space, spaces.Dict):
        return DictActions(name, {key: action_reader(part, str(key)) for key, part in space.spaces.items()})
    if isinstance(space, spaces.Tuple):
        return TupleActions(name, [action_reader(part, f"{name}[{i}]") for i, part in enumerate(space.spaces)])
    if isinstance(space, ARRAY_SPACES):
        return ArrayActions(name, space.shape or (), space.dtype, _bounds(space))
    return ObjectActions(name, space)


def _bounds(space: Any) -> tuple[Any, Any] | None:
    """Returns the first and last integer of actions; ``None`` for floats."""
    if isinstance(space, spaces.Discrete):
        return int(space.start), int(space.start) + int(space.n) - 1
    if isinstance(space, spaces.MultiDiscrete):
        return space.start, space.start + space.nvec - 1
    dtype: np.dtype[Any] = np.dtype(space.dtype)
    if dtype.kind == "f":
        return None
    if dtype.kind == "b" or isinstance(space, spaces.MultiBinary):
        return 0, 1
    # Only values that the dtype cannot represent are rejected. Other values outside the space's bounds are passed to
    # the environment, as for boxes of floats.
    limits = np.iinfo(dtype.name)
    return limits.min, limits.max


class ArrayActions(ActionReader):
    """Actions in one array: integers within ``bounds``, inclusive, or finite floats, which environments clip."""

    def __init__(self, name: str, shape: Sequence[int], dtype: Any, bounds: tuple[Any, Any] | None) -> None:
        super().__init__(name)
        self.shape = tuple(shape)
        self.dtype = np.dtype(dtype)
        self._bounds = bounds
        self._is_discrete = not self.shape and bounds is not None

    def rows(self, action: Any, count: int) -> npt.NDArray[Any]:
        given: npt.NDArray[Any] = action if type(action) is np.ndarray else self._array(action)
        if given.shape != (count, *self.shape):
            raise ValueError(f"{self.name} has shape {given.shape}: expected {(count, *self.shape)}")
        if given.dtype.kind not in "iufb":
            raise TypeError(f"{self.name} has dtype {given.dtype}: expected integers, bools or floats")
        if self._bounds is None:
            return self._finite(given)
        first, last = self._bounds
        values = given.tolist() if self._is_discrete and given.size <= _MAX_PYTHON_SCAN else ()
        if not values or min(values) < first or max(values) > last or given.dtype.kind == "f":
            self._check_integers(given, first, last)
        return given if given.dtype == self.dtype else given.astype(self.dtype)

    def _array(self, action: Any) -> npt.NDArray[Any]:
        if action is None or isinstance(action, dict):
            raise TypeError(f"{self.name} is {'None' if action is None else 'a dict'}: expected an array")
        return array(self.name, action)

    def _check_integers(self, action: npt.NDArray[Any], first: Any, last: Any) -> None:
        good = (action >= first) & (action <= last)
        if action.dtype.kind == "f":
            good &= action == np.floor(action)
        if not good.all():
            index = tuple(int(each) for each in np.argwhere(~good)[0])
            lowest, highest = (int(np.broadcast_to(bound, self.shape)[index[1:]]) for bound in (first, last))
            raise self._refused(index, action[index], f"an integer from {lowest} to {highest}")

    def _finite(self, action: npt.NDArray[Any]) -> npt.NDArray[Any]:
        converted = action
        if action.dtype != self.dtype:
            with np.errstate(over="ignore"):
                converted = action.astype(self.dtype)
        finite = np.isfinite(converted)
        if not finite.all():
            index = tuple(int(each) for each in np.argwhere(~finite)[0])
            raise self._refused(index[:1], action[index], f"a finite number that fits {self.dtype}")
        return converted

    def _refused(self, index: Sequence[int], value: Any, expected: str) -> ValueError:
        position = ", ".join(map(str, index))
        return ValueError(f"{self.name}[{position}] is {value}: expected {expected}")


class PlayerActions(ArrayActions):
    """Actions of several players in one array, with a row for each player: ``(count * players, ...)``."""

    def __init__(self, reader: ArrayActions, players: int) -> None:
        super().__init__(reader.name, (players, *reader.shape), reader.dtype, None)
        self._reader = reader

    def rows(self, action: Any, count: int) -> npt.NDArray[Any]:
        rows: npt.NDArray[Any] = self._reader.rows(action, count * self.shape[0]).reshape(count, *self.shape)
        return rows


class ObjectActions(ActionReader):
    """Actions that are not arrays (``Text``, ``Graph``, ...): the batch is a sequence of actions."""

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
    ids = np.arange(num_envs) if env_id is None else _checked_ids("env_id", env_id, num_envs)
    given = array("players.env_id", players)
    if num_players == 1:
        _checked_ids("players.env_id", given, num_envs)
    if not np.array_equal(given, np.repeat(ids, num_players)):
        raise ValueError(
            f"players.env_id={players!r}: expected each env_id {num_players} time(s) in a row, in the order of env_id"
        )


def _checked_ids(name: str, env_id: Any, num_envs: int) -> npt.NDArray[Any]:
    # The engine checks `env_id` again, but it does not know `players`, which must fit.
    ids = array(name, env_id)
    if ids.ndim != 1:
        raise ValueError(f"{name} has shape {list(ids.shape)}: expected one dimension")
    if len(ids) and ids.dtype.kind not in "iu":
        raise TypeError(f"{name} has dtype {ids.dtype}: expected integers")
    listed = ids.tolist()
    for index, each in enumerate(listed):
        if not 0 <= each < num_envs:
            raise IndexError(f"{name}[{index}]={each}: expected 0 to {num_envs - 1}")
        if each in listed[:index]:
            raise ValueError(f"{name}[{index}]={each}: expected each id once at most")
    return ids


def _players(given: Any) -> Any:
    if not isinstance(given, dict):
        raise TypeError(f"players={given!r}: expected a dict with env_id")
    return given.get("env_id")


SMALLER: dict[np.dtype[Any], Any] = {
    np.dtype(np.int64): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.float32),
}
"""EnvPool's dtype for each dtype of gymnasium that EnvPool lacks."""


def envpool_space(space: Any) -> Any:
    """Converts a space of gymnasium to the one that EnvPool would use: int64 becomes int32, float64 becomes float32."""
    return fold_space(space, _envpool_leaf, lambda parts: spaces.Dict(OrderedDict(parts)), spaces.Tuple)


def _envpool_leaf(space: Any) -> Any:
    dtype = SMALLER.get(space.dtype)
    if dtype is None or not isinstance(space, (spaces.Box, spaces.MultiDiscrete)):
        return space
    if isinstance(space, spaces.MultiDiscrete):
        return spaces.MultiDiscrete(space.nvec, dtype=dtype.type, start=space.start)
    return spaces.Box(_converted_bound(space.low, dtype), _converted_bound(space.high, dtype), space.shape, dtype.type)


def _converted_bound(bound: Any, dtype: Any) -> Any:
    # Bounds are converted here, because Box warns about bounds that lose precision.
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        return np.clip(bound, limits.min, limits.max).astype(dtype)
    with np.errstate(over="ignore"):
        return bound.astype(dtype)


def envpool_observation(observation: Any) -> Any:
    """Converts a batch of observations to EnvPool's dtypes."""
    if isinstance(observation, (np.ndarray, np.generic)):
        return envpool_array(observation)
    if type(observation) is dict:
        return {key: envpool_observation(part) for key, part in observation.items()}
    if type(observation) is tuple:
        return tuple(envpool_observation(part) for part in observation)
    return observation


def envpool_array(array: Any) -> Any:
    """Converts an array (or numpy scalar) to EnvPool's dtype. Integers that do not fit int32 keep their dtype."""
    dtype = SMALLER.get(array.dtype)
    if dtype is None:
        return array
    with np.errstate(over="ignore"):
        smaller = array.astype(dtype)
    return array if dtype.kind == "i" and (smaller != array).any() else smaller


_KEPT_MASKS = {"_final_obs", "_final_info", "_episode"}


class BatchedInfos:
    """Merges infos of single environments into one dict, as gymnasium's vector environments do."""

    # A key becomes an array with a row for each environment, next to a mask `_key` of the environments that have it.
    # The first environment with the key determines the dtype; a value that does not fit converts the array to objects.
    # A dict becomes a dict of arrays, or an array of objects if another environment has no dict under the key.

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self.values: dict[str, Any] = {}

    def add(self, info: Mapping[str, Any], row: int) -> None:
        """Adds the info of one environment."""
        self._add(self.values, info, row)

    def _add(self, batched: dict[str, Any], info: Mapping[str, Any], row: int) -> None:
        for key, value in info.items():
            if key == "final_obs":
                batched.setdefault(key, np.full(self._rows, None, dtype=object))[row] = value
            elif isinstance(value, dict) and isinstance(batched.get(key, {}), dict):
                self._add(batched.setdefault(key, {}), value, row)
            else:
                batched[key] = self._with_row(batched, key, value, row)
            mask = batched.get(f"_{key}")
            if not isinstance(mask, np.ndarray):
                mask = batched[f"_{key}"] = np.zeros(self._rows, dtype=np.bool_)
            mask[row] = True

    def _with_row(self, batched: dict[str, Any], key: str, value: Any, row: int) -> npt.NDArray[Any]:
        column = batched.get(key)
        if column is None:
            column = self._empty(value)
        elif isinstance(column, dict):
            column = self._as_objects(batched, key)
        try:
            column[row] = value
        except (ValueError, TypeError, OverflowError):
            column = self._as_objects(batched, key)
            column[row] = value
        return column

    def _empty(self, value: Any) -> npt.NDArray[Any]:
        if type(value) in (int, float, bool) or isinstance(value, np.number):
            return np.zeros(self._rows, dtype=type(value))
        if isinstance(value, np.ndarray):
            return np.zeros((self._rows, *value.shape), dtype=value.dtype)
        return np.full(self._rows, None, dtype=object)

    def _as_objects(self, batched: dict[str, Any], key: str) -> npt.NDArray[np.object_]:
        """Returns the values added under a key so far as an array of objects, with ``None`` in rows without a value."""
        objects: npt.NDArray[np.object_] = np.full(self._rows, None, dtype=object)
        if key in batched:
            column = batched[key]
            for row in batched[f"_{key}"].nonzero()[0].tolist():
                objects[row] = info_row(column, row) if isinstance(column, dict) else column[row]
        return objects


def without_masks(infos: dict[Any, Any]) -> dict[Any, Any]:
    """Converts infos to EnvPool's format: without masks, int64 and float64 as int32 and float32."""
    masks = {f"_{key}" for key in infos} - _KEPT_MASKS
    return {
        key: without_masks(value) if isinstance(value, dict) else envpool_array(value)
        for key, value in infos.items()
        if key not in masks
    }


InfoColumns = tuple[dict[str, npt.NDArray[Any]], list[str], npt.NDArray[np.bool_]]
"""Infos of a batch that are all numbers, with equal keys.

An array by key, the keys whose values were Python's own numbers, and a mask of rows with an info.
"""


class ResultAugmenter:
    """Adds infos and observations that environments sent as messages to results of a pool."""

    # The results of gymnasium's vector environment have final observations as the environments returned them, including
    # Python numbers. Those of EnvPool's interfaces have EnvPool's dtypes, and no masks of infos. An environment has
    # several `rows` if its players share one space.

    def __init__(self, space: Any, num_envs: int, rows: int, *, is_envpool: bool) -> None:
        self._space = space
        self._rows = rows
        self._is_envpool = is_envpool
        self._in_arrays = ObservationLayout.of(space).structure is not None
        # The last observation of each environment, stored only if observations are not arrays.
        self._last: list[Any] = [None] * num_envs

    def augment(
        self,
        observation: Any,
        info: dict[str, Any],
        ids: npt.NDArray[np.int64],
        messages: list[tuple[int, bytes | dict[str, Any]]],
        columns: InfoColumns | None,
        ended: tuple[list[int], Any] | None,
        restarted: list[int],
    ) -> tuple[Any, dict[str, Any]]:
        """Returns the observation and info of a batch."""
        # A message is a row and a dict with `info`, `observation`, and, as bytes under `terminal`, such a dict of the
        # step that ended an episode; or the dict's bytes. `columns` are infos by key instead of messages. `ended`: rows
        # whose episode ended and that were reset in the same step, and their final observations, in arrays.
        by_row = {row: _read(int(ids[row]), message) for row, message in messages}
        ended_rows, finals = ended or ([], None)
        # Columns become infos as they are, unless a key is the name of a mask (`_key`) or the reserved key `final_obs`.
        if (
            columns is not None
            and not any(key.startswith("_") or key == "final_obs" for key in columns[0])
            and not (ended_rows or restarted)
        ):
            own: dict[str, Any] = {}
            for key, column in columns[0].items():
                own |= {key: column, f"_{key}": columns[2].copy()}
        else:
            if columns is not None:
                by_row = _rows_of_columns(*columns)
            own = self._batched_infos(by_row, len(ids), ended_rows, finals, restarted)
        if not self._in_arrays:
            observation = self._stacked(ids.tolist(), by_row)
        if self._is_envpool:
            observation = envpool_observation(observation)
        return observation, self._info(own, info)

    def _batched_infos(
        self,
        by_row: Mapping[int, dict[str, Any]],
        rows: int,
        ended: Sequence[int],
        finals: Any,
        restarted: Sequence[int],
    ) -> dict[str, Any]:
        batch = BatchedInfos(rows)
        for row in sorted({*by_row, *restarted, *ended}):
            message = by_row.get(row, {})
            if row in ended:
                final_info = message.get("final_info", {})
                batch.add({"final_obs": self._final(message, finals, row), "final_info": final_info}, row)
            info = message.get("info", {})
            batch.add({**info, "restarted": True} if row in restarted else info, row)
        return batch.values

    def _final(self, message: Mapping[str, Any], finals: Any, row: int) -> Any:
        """Returns the final observation of a row's episode that ended in this step."""
        if "final_observation" in message and not (self._is_envpool and self._in_arrays):
            return message["final_observation"]
        of_env = row if self._rows == 1 else slice(row * self._rows, (row + 1) * self._rows)
        return rows_of_batch(self._space, finals, of_env)

    def _stacked(self, ids: list[int], by_row: Mapping[int, dict[str, Any]]) -> Any:
        """Returns the observations of a batch that environments sent as messages."""
        for row, env_id in enumerate(ids):
            if "observation" in by_row.get(row, ()):
                self._last[env_id] = by_row[row]["observation"]
        empty: Any = create_empty_array(self._space, len(ids))
        return concatenate(self._space, [self._last[env_id] for env_id in ids], empty)

    def _info(self, own: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
        # The pool's infos take precedence over environments' infos of the same name.
        if not self._is_envpool:
            return {**own, **info}
        for row in np.flatnonzero(own.get("_final_obs", ())):
            own["final_obs"][row] = envpool_observation(own["final_obs"][row])
        return {**without_masks(own), **info}


def _read(env_id: int, message: bytes | dict[str, Any]) -> dict[str, Any]:
    try:
        parts: dict[str, Any] = message if isinstance(message, dict) else loads(message)
        # The terminal step's values were pickled before the reset that followed.
        return {**loads(parts["terminal"]), **parts} if "terminal" in parts else parts
    except Exception as error:
        raise EnvFailure.of(env_id, "step", error).raised() from error


def _rows_of_columns(
    columns: dict[str, npt.NDArray[Any]], own: list[str], has_info: npt.NDArray[np.bool_]
) -> dict[int, dict[str, Any]]:
    """Returns the messages that columns of infos replace."""
    # Columns in `own` held Python numbers, to which their values are converted back; all other columns held numpy
    # scalars.
    return {
        row: {"info": {key: column[row].item() if key in own else column[row] for key, column in columns.items()}}
        for row in np.flatnonzero(has_info).tolist()
    }
