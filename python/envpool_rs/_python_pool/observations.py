"""Decodes observations of Python environments from messages, converts them to EnvPool's dtypes, and batches them."""

from __future__ import annotations

from collections import OrderedDict
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.vector.utils import concatenate, create_empty_array

from envpool_rs._nested import fold_space, map_leaves
from envpool_rs._workers.observations import ObservationLayout
from envpool_rs._workers.recovery import with_restart
from envpool_rs._workers.serialization import EnvFailure, loads

InfoColumns = tuple[dict[str, npt.NDArray[Any]], list[str], npt.NDArray[np.bool_]]
"""Infos of a batch that are all numbers, with equal keys.

An array by key, the keys whose values were Python's own numbers, and a mask of rows with an info.
"""


class RowPayloads:
    """Decoded messages (infos, and observations that are not arrays) that belong to the rows of a batch.

    Attributes:
        ids: int64 ``(n,)``, the environment of each row.
        columns: the infos if all of them are numbers under the same keys; ``None`` otherwise.
        restarted: rows of environments whose worker was restarted.
    """

    def __init__(
        self,
        ids: npt.NDArray[np.int64],
        messages: list[tuple[int, bytes | dict[str, Any]]],
        columns: InfoColumns | None,
        ended: tuple[list[int], Any] | None,
        restarted: list[int],
    ) -> None:
        """Decodes the messages.

        Args:
            ids: the environment of each row.
            messages: for each message its row and its contents: a dict with ``info``, ``observation``, and, as bytes
                under ``terminal``, such a dict of the step that ended an episode; or bytes to be decoded.
            columns: infos as columns, one array per key, instead of messages.
            ended: rows whose episode ended and that were reset in the same step, and the final observations of these
                rows, in arrays.
            restarted: rows of environments whose worker was restarted.

        Raises:
            Exception: if a message cannot be decoded, naming its environment.
        """
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

    def has_observation(self, row: int) -> bool:
        """Returns whether a row's observation was sent as a message."""
        return "observation" in self._messages.get(row, {})

    def observation(self, row: int) -> Any:
        """Returns a row's observation if it was sent as a message, otherwise ``None``."""
        return self._messages.get(row, {}).get("observation")

    def has_final_observation(self, row: int) -> bool:
        """Returns whether the episode of a row ended in this step and its final observation was sent as a message."""
        return "final_observation" in self._messages.get(row, {})

    def final_observation(self, row: int) -> Any:
        """Returns the final observation of the episode that ended in a row, if it was sent as a message."""
        return self._messages[row]["final_observation"]

    def final_row(self, row: int | slice) -> Any:
        """Returns a copy of the final observation of the episode that ended in a row, if it is stored in arrays; for a
        slice of rows, returns the final observations of these players.
        """
        # Copies each leaf, because the pool may write its next batch into the same memory.
        return map_leaves(lambda leaf: leaf[row].copy(), self._finals)

    def final_info(self, row: int) -> dict[str, Any]:
        """Returns the info of the step that ended the row's episode."""
        info: dict[str, Any] = self._messages.get(row, {}).get("final_info", {})
        return info


SMALLER: dict[np.dtype[Any], Any] = {
    np.dtype(np.int64): np.dtype(np.int32),
    np.dtype(np.float64): np.dtype(np.float32),
}
"""EnvPool's dtype for each dtype of gymnasium that EnvPool lacks."""


def envpool_space(space: Any) -> Any:
    """Converts a gymnasium space to the space that EnvPool would use: int64 becomes int32, and float64 becomes float32.

    Args:
        space: any space; spaces that are not arrays stay unchanged.
    """
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
    """Converts a batch of observations to EnvPool's dtypes.

    Args:
        observation: an array, or a dict or tuple of them; other objects stay unchanged.
    """
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
    """Converts a gymnasium space to legacy gym's class.

    Args:
        space: any space; kinds that gym does not have stay gymnasium's.
        gym_spaces: ``gym.spaces``, or ``gymnasium.spaces`` for no conversion.
    """
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
    """Makes batches of observations of one space.

    A batch is an array ``(n, *shape)`` for ``Box``, ``Discrete``, ``MultiDiscrete`` and ``MultiBinary``; a dict or
    tuple of batches for ``Dict`` and ``Tuple``; a tuple of ``n`` objects for all other spaces.
    """

    def __init__(self, space: Any, *, finals_as_given: bool, rows: int = 1) -> None:
        """Determines the layout of the space.

        Args:
            space: observation space of one environment, as it declares it.
            finals_as_given: whether final observations of episodes stay as the environment returned them, including
                Python numbers; otherwise Python numbers become numpy's.
            rows: rows of one environment: the number of its players if they share one space.
        """
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
        if payloads.has_final_observation(row) and (self._finals_as_given or not self.in_arrays):
            return payloads.final_observation(row)
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
