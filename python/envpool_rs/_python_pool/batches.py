"""Converts batches of actions to actions of single environments, and results of single environments to batches."""

from __future__ import annotations

import difflib
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import concatenate, create_empty_array, iterate

from envpool_rs._arguments import array, entries
from envpool_rs._facades.environments import info_row, rows_of_env
from envpool_rs._nested import fold_space, map_leaves, parts_of_space
from envpool_rs._workers.adapters import ARRAY_SPACES
from envpool_rs._workers.serialization import EnvFailure, ObservationLayout, loads

_MAX_PYTHON_SCAN = 64  # number of values up to which comparing a list in Python is faster than reducing an array


def action_reader(space: Any, name: str = "action") -> Callable[[Any, int], Any]:
    """Returns the reader of actions of a space: a function of a batch and the number of its rows that checks them, and
    returns the action of each environment, an array ``(count, ...)`` or a list.
    """
    parts = parts_of_space(space)
    if isinstance(parts, dict):
        readers = {key: action_reader(part, str(key)) for key, part in parts.items()}
        return partial(_nested_rows, name, True, readers)
    if parts is not None:
        readers = {key: action_reader(part, f"{name}[{key}]") for key, part in enumerate(parts)}
        return partial(_nested_rows, name, False, readers)
    return ArrayActions(name, space).rows if isinstance(space, ARRAY_SPACES) else partial(_object_rows, name, space)


def bounds_of(space: Any) -> tuple[Any, Any]:
    """Returns the smallest and the largest elements of a space of arrays."""
    if isinstance(space, spaces.Discrete):
        return int(space.start), int(space.start) + int(space.n) - 1
    if isinstance(space, spaces.MultiDiscrete):
        return space.start, space.start + space.nvec - 1
    return (space.low, space.high) if isinstance(space, spaces.Box) else (0, 1)


class ArrayActions:
    """Actions in one array, with a row for each of ``players``: integers within bounds, or finite floats."""

    def __init__(self, name: str, space: Any, players: int | None = None) -> None:
        self.name = name
        self.dtype: np.dtype[Any] = np.dtype(space.dtype)
        self._row_shape = tuple(space.shape or ())
        self._players = players
        self.shape = self._row_shape if players is None else (players, *self._row_shape)
        self._bounds: tuple[Any, Any] | None = None  # inclusive; None for floats
        if isinstance(space, spaces.Box) and self.dtype.kind in "iu":
            # Only values that the dtype cannot represent are rejected. Other values outside the space's bounds are
            # passed to the environment, as for boxes of floats.
            self._bounds = np.iinfo(self.dtype.name).min, np.iinfo(self.dtype.name).max
        elif self.dtype.kind != "f":
            self._bounds = (0, 1) if self.dtype.kind == "b" else bounds_of(space)
        self._is_discrete = not self._row_shape and self._bounds is not None

    def rows(self, action: Any, count: int) -> npt.NDArray[Any]:
        if action is None or isinstance(action, dict):
            raise TypeError(f"{self.name} is {'None' if action is None else 'a dict'}: expected an array")
        given: npt.NDArray[Any] = action if type(action) is np.ndarray else array(self.name, action)
        rows = count if self._players is None else count * self._players
        if given.shape != (rows, *self._row_shape):
            raise ValueError(f"{self.name} has shape {given.shape}: expected {(rows, *self._row_shape)}")
        if given.dtype.kind not in "iufb":
            raise TypeError(f"{self.name} has dtype {given.dtype}: expected integers, bools or floats")
        if self._bounds is None:
            with np.errstate(over="ignore"):
                converted = given if given.dtype == self.dtype else given.astype(self.dtype)
            if not (finite := np.isfinite(converted)).all():
                row = int(np.argwhere(~finite)[0][0])
                raise ValueError(f"{self.name}[{row}] is {given[row]}: expected a finite number that fits {self.dtype}")
        else:
            first, last = self._bounds
            values = given.tolist() if self._is_discrete and given.size <= _MAX_PYTHON_SCAN else ()
            if not values or min(values) < first or max(values) > last or given.dtype.kind == "f":
                self._check_integers(given, first, last)
            converted = given if given.dtype == self.dtype else given.astype(self.dtype)
        return converted if self._players is None else converted.reshape(count, *self.shape)

    def _check_integers(self, action: npt.NDArray[Any], first: Any, last: Any) -> None:
        good = (action >= first) & (action <= last)
        if action.dtype.kind == "f":
            good &= action == np.floor(action)
        for index in map(tuple, np.argwhere(~good)[:1].tolist()):
            lowest, highest = (int(np.broadcast_to(bound, self._row_shape)[index[1:]]) for bound in (first, last))
            place = ", ".join(map(str, index))
            raise ValueError(f"{self.name}[{place}] is {action[index]}: expected an integer from {lowest} to {highest}")


def _object_rows(name: str, space: Any, action: Any, count: int) -> list[Any]:
    """Reads actions that are not arrays (``Text``, ``Graph``, ...): the batch is a sequence of actions."""
    if isinstance(action, (str, bytes, dict)) or not isinstance(action, Iterable):
        kind = type(action).__name__
        raise TypeError(f"{name} is a {kind}: expected a sequence with an action for each environment")
    # Elements of an array stay numpy's, which a space may require.
    rows = entries(name, list(action) if isinstance(action, np.ndarray) else action, count, str(count))
    for index, row in enumerate(rows):
        if not space.contains(row):
            raise ValueError(f"{name}[{index}] is {row!r}: expected an element of {space}")
    return rows


def _nested_rows(name: str, is_dict: bool, readers: Mapping[Any, Any], action: Any, count: int) -> list[Any]:
    """Reads actions of a ``Dict`` or ``Tuple`` space: a dict or a tuple of batches."""
    kind = type(action).__name__
    if is_dict:
        if not isinstance(action, dict):
            raise TypeError(f"{name} is a {kind}: expected a dict with the keys {', '.join(map(str, readers))}")
        check_keys(name, action, list(readers))
    elif not isinstance(action, (tuple, list)):
        raise TypeError(f"{name} is a {kind}: expected a tuple of {len(readers)} batches")
    elif len(action) != len(readers):
        raise ValueError(f"{name} has {len(action)} entries: expected {len(readers)}")
    parts = [reader(action[key], count) for key, reader in readers.items()]
    rows = list(zip(*parts, strict=True)) if parts else [()] * count
    return [dict(zip(readers, row, strict=True)) for row in rows] if is_dict else rows


def check_keys(name: str, action: dict[Any, Any], expected: list[Any]) -> None:
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


def unchecked_rows(batched: Any, own: ArrayActions | None, action: Any, count: int) -> npt.NDArray[Any] | list[Any]:
    """Splits a batch of actions of the space ``batched`` as gymnasium's vector environments do, without validation."""
    name = "action"
    # Tensors are converted to numpy arrays, which environments expect.
    if own is not None and type(action) is not np.ndarray and hasattr(action, "__array__"):
        action = array("action", action)
    if own is not None and type(action) is np.ndarray:
        if action.dtype == own.dtype and action.shape == (count, *own.shape):
            return action
        if action.ndim and len(action) != count:
            raise ValueError(f"{name} has shape {action.shape}: expected {(count, *own.shape)}")
    try:
        rows = list(islice(iterate(batched, action), count + 1))
    except TypeError as error:
        raise TypeError(f"{name} is {action!r}: expected one for each environment, {count}") from error
    except KeyError as error:
        raise ValueError(f"{name} lacks the key {error}") from error
    except ValueError as error:
        raise ValueError(f"{name} has parts of different lengths: expected {count} entries in each") from error
    return entries(name, iter(rows), count, str(count))


def split_action(
    own: Collection[Any], num_envs: int, num_players: int, given: dict[Any, Any], env_id: Any
) -> tuple[Any, Any]:
    """Splits a dict into actions, whose keys are ``own`` if they are a dict, and ids, which the engine checks."""
    rest = dict(given)
    if "env_id" in rest and "env_id" not in own:
        if env_id is not None:
            raise ValueError("env_id is given twice: in the action and as an argument")
        env_id = rest.pop("env_id")
    players = rest.pop("players.env_id", None) if "players.env_id" not in own else None
    if "players" in rest and "players" not in own:
        named = rest.pop("players")
        if not isinstance(named, dict):
            raise TypeError(f"players={named!r}: expected a dict with env_id")
        players = named.get("env_id")
    if players is not None:
        ids = array("players.env_id", players)
        if ids.size and ids.dtype.kind not in "iu":
            raise TypeError(f"players.env_id has dtype {ids.dtype}: expected integers")
        if not np.array_equal(ids, np.repeat(np.arange(num_envs) if env_id is None else env_id, num_players)):
            expected = f"each env_id {num_players} time(s) in a row, in the order of env_id"
            raise ValueError(f"players.env_id={players!r}: expected {expected}")
    if own:
        return rest, env_id
    check_keys("action", rest, ["action"])
    return rest["action"], env_id


# EnvPool's dtype for each dtype of gymnasium that EnvPool lacks.
SMALLER: dict[Any, Any] = {np.dtype(f"{kind}8"): np.dtype(f"{kind}4") for kind in "if"}


def envpool_space(space: Any) -> Any:
    """Converts a space of gymnasium to the one that EnvPool would use: int64 becomes int32, float64 becomes float32."""
    return fold_space(space, _envpool_leaf, lambda parts: spaces.Dict(OrderedDict(parts)), spaces.Tuple)


def _envpool_leaf(space: Any) -> Any:
    dtype = SMALLER.get(space.dtype)
    if dtype is None or not isinstance(space, (spaces.Box, spaces.MultiDiscrete)):
        return space
    if isinstance(space, spaces.MultiDiscrete):
        return spaces.MultiDiscrete(space.nvec, dtype=dtype.type, start=space.start)
    # Bounds are converted here, because Box warns about bounds that lose precision.
    limits = (np.iinfo(dtype).min, np.iinfo(dtype).max) if dtype.kind == "i" else (-np.inf, np.inf)
    with np.errstate(over="ignore"):
        low, high = (np.clip(bound, *limits).astype(dtype) for bound in (space.low, space.high))
    return spaces.Box(low, high, space.shape, dtype.type)


def envpool_array(array: Any) -> Any:
    """Converts an array (or numpy scalar) to EnvPool's dtype. Integers that do not fit int32 keep their dtype."""
    dtype = SMALLER.get(array.dtype) if isinstance(array, (np.ndarray, np.generic)) else None
    if dtype is None:
        return array
    with np.errstate(over="ignore"):
        smaller = array.astype(dtype)
    return array if dtype.kind == "i" and (smaller != array).any() else smaller


def add_info(batched: dict[str, Any], info: Mapping[str, Any], row: int, rows: int) -> None:
    """Adds the info of one environment to the infos of ``rows`` environments, as gymnasium's vector environments do.

    A key becomes an array with a row for each environment, next to a mask ``_key`` of the environments that have it.
    The first environment with the key determines the dtype; a value that does not fit converts the array to objects. A
    dict becomes a dict of arrays, or an array of objects if another environment has no dict under the key.
    """
    for key, value in info.items():
        column = batched.get(key, {})
        if key != "final_obs" and isinstance(value, dict) and isinstance(column, dict):
            add_info(batched.setdefault(key, column), value, row, rows)
        else:
            if key not in batched:
                is_number = type(value) in (int, float, bool) or isinstance(value, np.number)
                if key != "final_obs" and (is_number or isinstance(value, np.ndarray)):
                    column = np.zeros((rows, *np.shape(value)), getattr(value, "dtype", type(value)))
                else:
                    column = np.full(rows, None, object)
            fits = not isinstance(column, dict)
            try:
                if fits:
                    column[row] = value
            except (ValueError, TypeError, OverflowError):
                fits = False
            if not fits:
                others = batched[f"_{key}"].nonzero()[0].tolist() if key in batched else []
                former, column = column, np.full(rows, None, object)
                for other in others:
                    column[other] = info_row(former, other) if isinstance(former, dict) else former[other]
                column[row] = value
            batched[key] = column
        mask = batched.get(f"_{key}")
        if not isinstance(mask, np.ndarray):
            mask = batched[f"_{key}"] = np.zeros(rows, np.bool_)
        mask[row] = True


def without_masks(infos: dict[Any, Any]) -> dict[Any, Any]:
    """Converts infos to EnvPool's format: without masks, int64 and float64 as int32 and float32."""
    masks = {f"_{key}" for key in infos} - {"_final_obs", "_final_info", "_episode"}
    return {
        key: without_masks(value) if isinstance(value, dict) else envpool_array(value)
        for key, value in infos.items()
        if key not in masks
    }


class ResultAugmenter:
    """Adds infos and observations that environments sent as messages to results of a pool."""

    # Results of EnvPool's interfaces have its dtypes and no masks of infos; gymnasium's have final observations as the
    # environments returned them. An environment has several `rows` if its players share one space.

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
        columns: tuple[dict[str, npt.NDArray[Any]], list[str], npt.NDArray[np.bool_]] | None,
        ended: tuple[list[int], Any] | None,
        restarted: list[int],
    ) -> tuple[Any, dict[str, Any]]:
        # A message is a row and a dict with `info`, `observation`, and, as bytes under `terminal`, such a dict of the
        # step that ended an episode; or the dict's bytes. `columns` replace messages if all infos are numbers with
        # equal keys: an array by key, the keys whose values were Python's own numbers, and a mask of rows with an info.
        # `ended`: rows whose episode ended and that were reset in the same step, and their final observations.
        by_row = {row: _read(int(ids[row]), message) for row, message in messages}
        ended_rows, finals = ended or ([], None)
        own: dict[str, Any] = {}
        # Columns become infos as they are, unless a key is the name of a mask (`_key`) or the reserved key `final_obs`.
        if (
            columns is not None
            and not any(key.startswith("_") or key == "final_obs" for key in columns[0])
            and not (ended_rows or restarted)
        ):
            for key, column in columns[0].items():
                own |= {key: column, f"_{key}": columns[2].copy()}
        else:
            if columns is not None:
                # Columns of Python numbers are converted back to these; all other columns held numpy scalars.
                by_row = {
                    row: {
                        "info": {
                            key: (each[row].item() if key in columns[1] else each[row])
                            for key, each in columns[0].items()
                        }
                    }
                    for row in np.flatnonzero(columns[2]).tolist()
                }
            for row in sorted({*by_row, *restarted, *ended_rows}):
                message = by_row.get(row, {})
                if row in ended_rows:
                    is_sent = "final_observation" in message and not (self._is_envpool and self._in_arrays)
                    final = (
                        message["final_observation"] if is_sent else rows_of_env(self._space, self._rows, finals, row)
                    )
                    add_info(own, {"final_obs": final, "final_info": message.get("final_info", {})}, row, len(ids))
                restart = {"restarted": True} if row in restarted else {}
                add_info(own, {**message.get("info", {}), **restart}, row, len(ids))
        if not self._in_arrays:
            for row, message in by_row.items():
                if "observation" in message:
                    self._last[int(ids[row])] = message["observation"]
            empty: Any = create_empty_array(self._space, len(ids))
            observation = concatenate(self._space, [self._last[env_id] for env_id in ids.tolist()], empty)
        # The pool's infos take precedence over environments' infos of the same name.
        if not self._is_envpool:
            return observation, {**own, **info}
        for row in np.flatnonzero(own.get("_final_obs", ())).tolist():
            own["final_obs"][row] = map_leaves(envpool_array, own["final_obs"][row])
        return map_leaves(envpool_array, observation), {**without_masks(own), **info}


def _read(env_id: int, message: bytes | dict[str, Any]) -> dict[str, Any]:
    try:
        parts: dict[str, Any] = message if isinstance(message, dict) else loads(message)
        # The terminal step's values were pickled before the reset that followed.
        return {**loads(parts["terminal"]), **parts} if "terminal" in parts else parts
    except Exception as error:
        raise EnvFailure.of(env_id, "step", error).raised() from error
