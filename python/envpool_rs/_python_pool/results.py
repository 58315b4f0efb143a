"""Decodes what environments sent as messages, converts it to EnvPool's dtypes, and batches observations and infos."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import concatenate, create_empty_array

from envpool_rs._facades.environments import info_row
from envpool_rs._nested import fold_space, map_leaves
from envpool_rs._workers.observations import ObservationLayout
from envpool_rs._workers.recovery import with_restart
from envpool_rs._workers.serialization import EnvFailure, loads

InfoColumns = tuple[dict[str, npt.NDArray[Any]], list[str], npt.NDArray[np.bool_]]
"""Infos of a batch that are all numbers, with equal keys.

An array by key, the keys whose values were Python's own numbers, and a mask of rows with an info.
"""


class RowPayloads:
    """Decoded messages (infos, and observations that are not arrays) that belong to the rows of a batch."""

    def __init__(
        self,
        ids: npt.NDArray[np.int64],
        messages: list[tuple[int, bytes | dict[str, Any]]],
        columns: InfoColumns | None,
        ended: tuple[list[int], Any] | None,
        restarted: list[int],
    ) -> None:
        """Decodes the messages."""
        # A message is a row and a dict with `info`, `observation`, and, as bytes under `terminal`, such a dict of the
        # step that ended an episode; or the dict's bytes. `columns` are infos by key instead of messages. `ended`: rows
        # whose episode ended and that were reset in the same step, and their final observations, in arrays.
        self.ids = ids
        self.columns = columns
        self.restarted = restarted
        no_rows: tuple[list[int], Any] = ([], None)
        self._ended, self._finals = no_rows if ended is None else ended
        self._messages: dict[int, dict[str, Any]] = {}
        for row, message in messages:
            self._messages[row] = self._read(row, message)

    def _read(self, row: int, message: bytes | dict[str, Any]) -> dict[str, Any]:
        try:
            parts: dict[str, Any] = message if isinstance(message, dict) else loads(message)
            # The terminal step's values were pickled before the reset that followed.
            return {**loads(parts["terminal"]), **parts} if "terminal" in parts else parts
        except Exception as error:
            raise EnvFailure.of(int(self.ids[row]), "step", error).raised() from error

    @property
    def ended(self) -> list[int]:
        """Rows whose episode ended and that were reset in the same step."""
        return self._ended

    def info(self, row: int) -> dict[str, Any]:
        """Returns the info that an environment sent for its row of the batch."""
        if self.columns is not None:
            return self._info_of_columns(row, *self.columns)
        info: dict[str, Any] = self._messages.get(row, {}).get("info", {})
        return with_restart(info) if row in self.restarted else info

    def _info_of_columns(
        self, row: int, columns: dict[str, npt.NDArray[Any]], own: list[str], has_info: npt.NDArray[np.bool_]
    ) -> dict[str, Any]:
        info: dict[str, Any] = {}
        if has_info[row]:
            # Columns in `own` held Python numbers, to which their values are converted back; all other columns held
            # numpy scalars.
            info = {key: column[row].item() if key in own else column[row] for key, column in columns.items()}
        return with_restart(info) if row in self.restarted else info

    @property
    def rows_with_info(self) -> list[int]:
        """Rows that may have an info, in ascending order."""
        if self.columns is not None:
            return sorted({*np.flatnonzero(self.columns[2]).tolist(), *self.restarted})
        return sorted({*self._messages, *self.restarted})

    def message(self, row: int) -> dict[str, Any]:
        """Returns what was sent as a message for a row: ``observation``, ``final_observation``, ``final_info``."""
        return self._messages.get(row, {})

    def final_row(self, row: int | slice) -> Any:
        """Returns a copy of the final observation of the episode that ended in a row, if it is stored in arrays; for a
        slice of rows, returns the final observations of these players.
        """
        # Copies each leaf, because the pool may write its next batch into the same memory.
        return map_leaves(lambda leaf: leaf[row].copy(), self._finals)


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
    return spaces.Box(_bound(space.low, dtype), _bound(space.high, dtype), space.shape, dtype.type)


def _bound(bound: Any, dtype: Any) -> Any:
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


def space_of_gym(space: Any, gym_spaces: ModuleType) -> Any:
    """Converts a gymnasium space to legacy gym's class."""
    if gym_spaces is spaces:
        return space
    return fold_space(
        space,
        lambda leaf: _array_space_of_gym(leaf, gym_spaces) or leaf,
        lambda parts: gym_spaces.Dict(OrderedDict(parts)),
        lambda parts: gym_spaces.Tuple([*parts]),
    )


def _array_space_of_gym(space: Any, gym_spaces: ModuleType) -> Any:
    if isinstance(space, spaces.Box):
        return gym_spaces.Box(space.low, space.high, space.shape, space.dtype)
    if isinstance(space, spaces.Discrete):
        # gym's releases before 0.23 have no argument `start`.
        start = {"start": int(space.start)} if space.start else {}
        return gym_spaces.Discrete(int(space.n), **start)
    if isinstance(space, spaces.MultiDiscrete):
        return gym_spaces.MultiDiscrete(space.nvec)
    if isinstance(space, spaces.MultiBinary):
        return gym_spaces.MultiBinary(space.n)
    return None


class ObservationBatcher:
    """Makes batches of observations of one space."""

    # A batch is an array `(n, *shape)` for spaces of arrays; a dict or tuple of batches for `Dict` and `Tuple`; a tuple
    # of `n` objects for all others. `finals_as_given`: final observations of episodes stay as the environment returned
    # them, including Python numbers. An environment has several `rows` if its players share one space.

    def __init__(self, space: Any, *, finals_as_given: bool, rows: int = 1) -> None:
        """Determines the layout of the space."""
        self._space = space
        self._rows = rows
        self._finals_as_given = finals_as_given
        self._structure = ObservationLayout.of(space).structure

    def stacked(self, observations: list[Any]) -> Any:
        """Stacks observations of single environments into a batch."""
        empty: Any = create_empty_array(self._space, len(observations))
        return concatenate(self._space, observations, empty)

    @property
    def in_arrays(self) -> bool:
        """Whether observations consist only of arrays, stored in shared memory."""
        return self._structure is not None

    def final(self, payloads: RowPayloads, row: int) -> Any:
        """Returns the final observation of a row's episode that ended in this step."""
        message = payloads.message(row)
        if "final_observation" in message and (self._finals_as_given or not self.in_arrays):
            return message["final_observation"]
        if self._rows > 1:
            return payloads.final_row(slice(row * self._rows, (row + 1) * self._rows))
        return _as_declared(self._space, payloads.final_row(row))


def _as_declared(space: Any, observation: Any) -> Any:
    """Converts values stored in arrays to the space's types: to scalars for discrete spaces, to arrays for boxes."""
    if isinstance(space, spaces.Dict) and type(observation) is dict:
        return {key: _as_declared(part, observation[key]) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple) and type(observation) is tuple:
        return tuple(_as_declared(*each) for each in zip(space.spaces, observation, strict=True))
    if isinstance(space, spaces.Discrete):
        return observation[()] if isinstance(observation, np.ndarray) else observation
    return np.asarray(observation) if isinstance(space, spaces.Box) else observation


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
                batched.setdefault(key, self._objects())[row] = value
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
        return self._objects()

    def _objects(self) -> npt.NDArray[np.object_]:
        return np.full(self._rows, None, dtype=object)

    def _as_objects(self, batched: dict[str, Any], key: str) -> npt.NDArray[np.object_]:
        """Returns the values added under a key so far as an array of objects, with ``None`` in rows without a value."""
        objects = self._objects()
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


def batched_infos(payloads: RowPayloads, rows: int, batcher: ObservationBatcher) -> dict[str, Any]:
    """Returns the infos of a batch, with masks."""
    if (
        payloads.columns is not None
        and not payloads.ended
        and not payloads.restarted
        and _are_plain(payloads.columns[0])
    ):
        columns, _, has_info = payloads.columns
        return _with_masks(columns, has_info)
    batch = BatchedInfos(rows)
    ended = set(payloads.ended)
    for row in sorted({*payloads.rows_with_info, *ended}):
        if row in ended:
            info = payloads.message(row).get("final_info", {})
            batch.add({"final_obs": batcher.final(payloads, row), "final_info": info}, row)
        batch.add(payloads.info(row), row)
    return batch.values


def _are_plain(columns: Mapping[str, npt.NDArray[Any]]) -> bool:
    """Returns whether no key is the name of a mask (``_key``) or the reserved key ``final_obs``."""
    return not any(key.startswith("_") or key == "final_obs" for key in columns)


def _with_masks(columns: Mapping[str, npt.NDArray[Any]], has_info: npt.NDArray[np.bool_]) -> dict[str, Any]:
    infos: dict[str, Any] = {}
    for key, column in columns.items():
        infos[key] = column
        infos[f"_{key}"] = has_info.copy()
    return infos


Ids = npt.NDArray[np.int64]
Messages = list[tuple[int, "bytes | dict[str, Any]"]]
Ended = tuple[list[int], Any]


class ResultAugmenter:
    """Adds infos and observations that environments sent as messages to results of gymnasium's vector environment."""

    _finals_as_given = True

    def __init__(self, space: Any, num_envs: int, rows: int = 1) -> None:
        self._batcher = ObservationBatcher(space, finals_as_given=self._finals_as_given, rows=rows)
        # The last observation of each environment, stored only if observations are not arrays.
        self._last: list[Any] = [None] * num_envs

    def augment(
        self,
        observation: Any,
        info: dict[str, Any],
        ids: Ids,
        messages: Messages,
        columns: InfoColumns | None,
        ended: Ended | None,
        restarted: list[int],
    ) -> tuple[Any, dict[str, Any]]:
        """Returns the observation and info of a batch."""
        payloads = RowPayloads(ids, messages, columns, ended, restarted)
        own = batched_infos(payloads, len(ids), self._batcher)
        return self._observation(observation, payloads), self._info(own, info)

    def _observation(self, observation: Any, payloads: RowPayloads) -> Any:
        if self._batcher.in_arrays:
            return observation
        ids = payloads.ids.tolist()
        for row, env_id in enumerate(ids):
            if "observation" in payloads.message(row):
                self._last[env_id] = payloads.message(row)["observation"]
        return self._batcher.stacked([self._last[env_id] for env_id in ids])

    def _info(self, own: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
        return {**own, **info}


class EnvPoolResults(ResultAugmenter):
    """Adds infos and observations that environments sent as messages to results in EnvPool's format (EnvPool's dtypes,
    no masks).
    """

    _finals_as_given = False

    def _observation(self, observation: Any, payloads: RowPayloads) -> Any:
        return envpool_observation(super()._observation(observation, payloads))

    def _info(self, own: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
        for row in np.flatnonzero(own.get("_final_obs", ())):
            own["final_obs"][row] = envpool_observation(own["final_obs"][row])
        # The pool's infos take precedence over environments' infos of the same name.
        return {**without_masks(own), **info}
