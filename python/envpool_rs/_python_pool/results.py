"""Adds messages of environments to a batch's results; merges infos of environments into one dict of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._facades.environments import info_row
from envpool_rs._python_pool.observations import (
    InfoColumns,
    ObservationBatcher,
    RowPayloads,
    envpool_array,
    envpool_observation,
)

_KEPT_MASKS = {"_final_obs", "_final_info", "_episode"}


class BatchedInfos:
    """Merges infos of single environments into one dict, as gymnasium's vector environments do.

    A key becomes an array with a row for each environment, next to a mask ``_key`` of the environments that have it.
    The first environment with the key determines the dtype; a value that does not fit converts the array to objects. A
    dict becomes a dict of arrays, or an array of objects if another environment has no dict under the key.

    Attributes:
        values: the dict.
    """

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self.values: dict[str, Any] = {}

    def add(self, info: Mapping[str, Any], row: int) -> None:
        """Adds the info of one environment.

        Args:
            info: the info.
            row: the environment's row in the batch.
        """
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
    """Converts infos to EnvPool's format: without masks, int64 and float64 as int32 and float32.

    Args:
        infos: infos with masks.
    """
    masks = {f"_{key}" for key in infos} - _KEPT_MASKS
    return {
        key: without_masks(value) if isinstance(value, dict) else envpool_array(value)
        for key, value in infos.items()
        if key not in masks
    }


def batched_infos(payloads: RowPayloads, rows: int, batcher: ObservationBatcher) -> dict[str, Any]:
    """Returns the infos of a batch, with masks.

    The infos include ``final_obs`` and ``final_info`` where an episode ended and the next episode began in the same
    step.

    Args:
        payloads: decoded messages of the batch's environments.
        rows: number of rows of the batch.
        batcher: converter of final observations to batches.
    """
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
            batch.add({"final_obs": batcher.final(payloads, row), "final_info": payloads.final_info(row)}, row)
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
        """Returns the observation and info of a batch.

        Args:
            observation: the observations, if they are arrays; otherwise empty.
            info: the infos that the pool itself reports.
            ids: the environment of each row.
            messages: the row and the contents of each message, as for :class:`RowPayloads`.
            columns: infos as columns, one array per key, instead of messages.
            ended: rows whose episode ended and that were reset in the same step.
            restarted: rows of environments whose worker was restarted.

        Raises:
            Exception: if a message cannot be decoded, naming its environment.
        """
        payloads = RowPayloads(ids, messages, columns, ended, restarted)
        own = batched_infos(payloads, len(ids), self._batcher)
        return self._observation(observation, payloads), self._info(own, info)

    def _observation(self, observation: Any, payloads: RowPayloads) -> Any:
        if self._batcher.in_arrays:
            return observation
        ids = payloads.ids.tolist()
        for row, env_id in enumerate(ids):
            if payloads.has_observation(row):
                self._last[env_id] = payloads.observation(row)
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
