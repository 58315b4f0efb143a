"""Infos of several environments as one dict of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._facades.single_resets import info_row
from envpool_rs._python_pool.dialects import envpool_array
from envpool_rs._python_pool.observations import ObservationBatcher
from envpool_rs._python_pool.told import Told

_KEPT_MASKS = {"_final_obs", "_final_info", "_episode"}


class BatchedInfos:
    """A dict that infos of single environments are added to, as gymnasium's vector environments make it.

    A key becomes an array with a row for each environment, beside a mask ``_key`` that says whose info has it. The
    first environment that has it decides the dtype; values that do not fit make an array of objects of it. A dict
    becomes a dict of arrays, unless another environment has no dict under the key: then an array of objects.

    Attributes:
        values: the dict.
    """

    def __init__(self, rows: int) -> None:
        """Begins an empty dict.

        Args:
            rows: number of environments.
        """
        self._rows = rows
        self.values: dict[str, Any] = {}

    def add(self, info: Mapping[str, Any], row: int) -> None:
        """Adds the info of one environment.

        Args:
            info: the info.
            row: its place.
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
        """The values that environments have under a key so far, as objects; ``None`` for all others."""
        objects = self._objects()
        if key in batched:
            column = batched[key]
            for row in batched[f"_{key}"].nonzero()[0].tolist():
                objects[row] = info_row(column, row) if isinstance(column, dict) else column[row]
        return objects


def without_masks(infos: dict[Any, Any]) -> dict[Any, Any]:
    """Infos as EnvPool has them: without masks, with int32 and float32 in the place of int64 and float64.

    Args:
        infos: infos with masks.
    """
    masks = {f"_{key}" for key in infos} - _KEPT_MASKS
    return {
        key: without_masks(value) if isinstance(value, dict) else envpool_array(value)
        for key, value in infos.items()
        if key not in masks
    }


def batched_infos(told: Told, rows: int, batcher: ObservationBatcher) -> dict[str, Any]:
    """The infos of a batch, with masks; ``final_obs`` and ``final_info`` where episodes ended in the same step as the
    next one began.

    Args:
        told: what was told with the batch.
        rows: of the batch.
        batcher: makes batches of its observations.
    """
    if told.columns is not None and not told.ended and not told.restarted and _are_plain(told.columns[0]):
        columns, _, has_info = told.columns
        return _with_masks(columns, has_info)
    batch = BatchedInfos(rows)
    ended = set(told.ended)
    for row in sorted({*told.rows_with_info, *ended}):
        if row in ended:
            batch.add({"final_obs": batcher.final(told, row), "final_info": told.final_info(row)}, row)
        batch.add(told.info(row), row)
    return batch.values


def _are_plain(columns: Mapping[str, npt.NDArray[Any]]) -> bool:
    """Whether no key is one of a mask, or one that stands for something else."""
    return not any(key.startswith("_") or key == "final_obs" for key in columns)


def _with_masks(columns: Mapping[str, npt.NDArray[Any]], has_info: npt.NDArray[np.bool_]) -> dict[str, Any]:
    infos: dict[str, Any] = {}
    for key, column in columns.items():
        infos[key] = column
        infos[f"_{key}"] = has_info.copy()
    return infos
