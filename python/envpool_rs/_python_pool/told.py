"""What environments told beside the arrays of a batch: infos, and observations that are no arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._nested import mapped
from envpool_rs._workers.env_failure import EnvFailure
from envpool_rs._workers.recovery import with_restart
from envpool_rs._workers.serialization import loads

InfoColumns = tuple[dict[str, npt.NDArray[Any]], list[str], npt.NDArray[np.bool_]]
"""Infos that are numbers under the same keys: an array by key, keys whose numbers were Python's own, and which rows
have an info."""


class Told:
    """What was told with a batch.

    Attributes:
        ids: int64 ``(n,)``, the environment of each row.
        columns: the infos, where all that are there are numbers under the same keys; ``None`` otherwise.
        restarted: rows of environments whose worker was started again.
    """

    def __init__(
        self,
        ids: npt.NDArray[np.int64],
        messages: list[tuple[int, bytes | dict[str, Any]]],
        columns: InfoColumns | None,
        ended: tuple[list[int], Any] | None,
        restarted: list[int],
    ) -> None:
        """Reads the messages.

        Args:
            ids: the environment of each row.
            messages: row of each, and what was told: ``info``, ``observation``, ... by these names; or bytes to be
                read.
            columns: infos in the place of messages.
            ended: rows whose episode ended in the same step as the next one began, and last observations in arrays.
            restarted: rows of environments whose worker was started again.

        Raises:
            Exception: where a message cannot be read, naming its environment.
        """
        self.ids = ids
        self.columns = columns
        self.restarted = restarted
        no_rows: tuple[list[int], Any] = ([], None)
        self._ended, self._finals = no_rows if ended is None else ended
        self._messages: dict[int, dict[str, Any]] = {}
        for row, message in messages:
            self._messages[row] = message if isinstance(message, dict) else self._read(row, message)

    def _read(self, row: int, message: bytes) -> dict[str, Any]:
        try:
            return loads(message)  # type: ignore[no-any-return]
        except Exception as error:
            raise EnvFailure.of(int(self.ids[row]), "step", error).raised() from error

    @property
    def ended(self) -> list[int]:
        """Rows whose episode ended in the same step as the next one began."""
        return self._ended

    def info(self, row: int) -> dict[str, Any]:
        """A row's info."""
        if self.columns is not None:
            return self._info_of_columns(row, *self.columns)
        info: dict[str, Any] = self._messages.get(row, {}).get("info", {})
        return with_restart(info) if row in self.restarted else info

    def _info_of_columns(
        self, row: int, columns: dict[str, npt.NDArray[Any]], own: list[str], has_info: npt.NDArray[np.bool_]
    ) -> dict[str, Any]:
        info: dict[str, Any] = {}
        if has_info[row]:
            # As environments gave them: numbers of Python's own, or numpy's scalars.
            info = {key: column[row].item() if key in own else column[row] for key, column in columns.items()}
        return with_restart(info) if row in self.restarted else info

    @property
    def rows_with_info(self) -> list[int]:
        """Rows that may have an info, in order."""
        if self.columns is not None:
            return sorted({*np.flatnonzero(self.columns[2]).tolist(), *self.restarted})
        return sorted({*self._messages, *self.restarted})

    def has_observation(self, row: int) -> bool:
        """Whether a row's observation came by message."""
        return "observation" in self._messages.get(row, {})

    def observation(self, row: int) -> Any:
        """A row's observation that came by message; ``None`` if none did."""
        return self._messages.get(row, {}).get("observation")

    def has_final_observation(self, row: int) -> bool:
        """Whether the last observation of an episode that ended in this step came by message, as it was given."""
        return "final_observation" in self._messages.get(row, {})

    def final_observation(self, row: int) -> Any:
        """That last observation."""
        return self._messages[row]["final_observation"]

    def final_row(self, row: int) -> Any:
        """The last observation of an episode that ended in this step, out of arrays."""
        # Copied: the pool may write its next batch into the same memory.
        return mapped(lambda leaf: leaf[row].copy(), self._finals)

    def final_info(self, row: int) -> dict[str, Any]:
        """The info of the step that ended an episode."""
        info: dict[str, Any] = self._messages.get(row, {}).get("final_info", {})
        return info
