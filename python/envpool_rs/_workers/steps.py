"""The results of steps and resets, taken from the shared block."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs._nested import zipped
from envpool_rs._workers.answer_flags import (
    FAILED,
    FINAL,
    FINAL_IN_ROW,
    LOST,
    MESSAGE,
    OBSERVATION_IN_ROW,
    PLAIN_INFO,
)
from envpool_rs._workers.env_failure import EnvFailure, loaded_failure
from envpool_rs._workers.observation_layout import Structure, put_together
from envpool_rs._workers.serialization import loads


class Steps:
    """What environments answered to a step or reset; row k belongs to ``ids[k]``.

    Attributes:
        ids: int64 [k].
        leaves: the observations as one fresh array ``[k, *shape]`` for each leaf; None unless all environments have
            equal spaces that lie in rows. Rows whose observation travelled by message hold nothing.
        rewards: float64 [k]; 0 after a reset; NaN where ``odd_rewards`` has it.
        odd_rewards: rewards that are no number (arrays, None), by row.
        terminated: bool [k].
        truncated: bool [k].
        elapsed: int32 [k], steps since the last reset; with same-step autoreset, of the episode that ended.
        flags: uint32 [k].
        info_columns: the infos where all that are not empty are numbers under the same keys: an array ``[k]`` by key;
            None otherwise.
        has_info: bool [k], beside ``info_columns``: which rows have an info.
        failures: by environment, what it raised or its loss with its worker; its row holds nothing.
        restarted: the environments whose worker was made anew: the observation is the new episode's first, the
            reward 0, truncated True.
    """

    __slots__ = (
        "_finals",
        "_infos",
        "_messages",
        "_own_numbers",
        "_rows",
        "_structures",
        "elapsed",
        "failures",
        "flags",
        "has_info",
        "ids",
        "info_columns",
        "leaves",
        "odd_rewards",
        "restarted",
        "rewards",
        "terminated",
        "truncated",
    )

    def __init__(
        self,
        ids: Any,
        leaves: list[np.ndarray[Any, Any]] | None,
        rewards: np.ndarray[Any, Any],
        terminated: np.ndarray[Any, Any],
        truncated: np.ndarray[Any, Any],
        flags: np.ndarray[Any, Any],
        elapsed: np.ndarray[Any, Any],
        structures: list[Structure | None],
    ) -> None:
        self.ids = ids
        self.leaves = leaves
        self.rewards = rewards
        self.terminated = terminated
        self.truncated = truncated
        self.elapsed = elapsed
        self.flags = flags
        self._structures = structures
        self.info_columns: dict[str, np.ndarray[Any, Any]] | None = None
        self.has_info: np.ndarray[Any, Any] | None = None
        self._own_numbers: list[str] = []
        self._infos: list[dict[str, Any]] | None = None
        self.odd_rewards: dict[int, Any] = {}
        self.failures: dict[int, EnvFailure] = {}
        self.restarted: list[int] = []
        self._messages: dict[int, dict[str, Any]] = {}
        self._rows: dict[int, list[np.ndarray[Any, Any]]] = {}
        self._finals: dict[int, list[np.ndarray[Any, Any]]] = {}

    @property
    def infos(self) -> list[dict[str, Any]] | None:
        """A dict for each row; None if all are empty."""
        if self._infos is None and self.info_columns is not None:
            self._infos = self._infos_of_columns(self.info_columns)
        return self._infos

    def _infos_of_columns(self, columns: dict[str, np.ndarray[Any, Any]]) -> list[dict[str, Any]]:
        # As environments gave them: numbers of Python's own, or numpy's scalars.
        values = [column.tolist() if key in self._own_numbers else list(column) for key, column in columns.items()]
        rows = [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]
        assert self.has_info is not None  # it comes with the columns
        return [row if has_info else {} for row, has_info in zip(rows, self.has_info.tolist(), strict=True)]

    @property
    def has_infos(self) -> bool:
        """Whether any row has an info that is not empty."""
        return self.info_columns is not None or self._infos is not None

    def read_info_columns(self, caller: Any, ids: Any) -> bool:
        """Fetches infos that are numbers under the same keys, or empty, before the next requests overwrite them.

        Args:
            caller: from which the steps were taken.
            ids: the environments; None for all.

        Returns: whether they were that.
        """
        columns = caller.info_columns(ids)
        if columns is None:
            return False
        self.info_columns, self._own_numbers, self.has_info = columns
        return True

    def read_messages(self, caller: Any, lost: dict[int, EnvFailure]) -> None:
        """Fetches what does not lie in ``leaves``, before the next requests overwrite it.

        Args:
            caller: from which the steps were taken.
            lost: the failures of environments that were lost with their worker; those told of here are removed.
        """
        infos: dict[int, dict[str, Any]] = {}
        for k, (env_id, flags) in enumerate(zip(self.ids.tolist(), self.flags.tolist(), strict=True)):
            if flags & LOST:
                self.failures[env_id] = lost.pop(env_id)
            elif flags & FAILED:
                self.failures[env_id] = loaded_failure(caller.message(env_id), env_id, "step")
            else:
                self._read_row(k, env_id, flags, caller, infos)
        if infos:
            self._infos = [infos.get(k, {}) for k in range(len(self.ids))]

    def _read_row(self, k: int, env_id: int, flags: int, caller: Any, infos: dict[int, dict[str, Any]]) -> None:
        message: dict[str, Any] = {}
        if flags & MESSAGE:
            try:
                message = self._messages[k] = loads(caller.message(env_id))
            except Exception as error:
                self.failures[env_id] = EnvFailure.of(env_id, "step", error)
                return
        if flags & PLAIN_INFO:
            infos[k] = caller.info(env_id)
        elif "info" in message:
            infos[k] = message["info"]
        if "reward" in message:
            self.odd_rewards[k] = message["reward"]
            self.rewards[k] = np.nan
        if flags & OBSERVATION_IN_ROW and self.leaves is None:
            self._rows[k] = caller.rows(env_id)
        if flags & FINAL_IN_ROW:
            self._finals[k] = caller.final_rows(env_id)

    def tell_of_restart(self, k: int, *, truncated: bool) -> None:
        """Marks row k as the first of an environment whose worker was made anew.

        Args:
            k: the row.
            truncated: it answers a step, which ended the episode that was lost.
        """
        self.restarted.append(int(self.ids[k]))
        self.truncated[k] = truncated
        self.rewards[k] = 0.0
        infos = self.infos or [{} for _ in range(len(self.ids))]
        infos[k] = {**infos[k], "restarted": True}
        self._infos, self.info_columns = infos, None

    def observations(self) -> Any:
        """All observations as one batch: an array ``[k, *shape]``, or dicts and tuples of them as the space has it.

        Observations that do not stack (shapes differ, or they are no arrays) are a numpy array of objects.
        """
        if self.leaves is not None and not self._by_message():
            structure = self._structures[0]
            assert structure is not None  # equal spaces that lie in rows have one
            return put_together(structure, self.leaves)
        return stacked([self.observation(k) for k in range(len(self.ids))])

    @property
    def in_rows(self) -> bool:
        """Whether all observations lie in rows of one layout, so that ``observations`` has nothing to stack."""
        return self.leaves is not None and not self.failures and not (self._messages and self._by_message())

    def _by_message(self) -> bool:
        return any("observation" in message for message in self._messages.values())

    def observation(self, k: int) -> Any:
        """Row k's observation as the environment returned it; None after a failure. The arrays are copies."""
        if self.ids[k] in self.failures:
            return None
        message = self._messages.get(k)
        if message is not None and "observation" in message:
            return message["observation"]
        structure = self._structures[int(self.ids[k])]
        if structure is None or not self.flags[k] & OBSERVATION_IN_ROW:
            return None
        row = self._rows[k] if self.leaves is None else [leaf[k] for leaf in self.leaves]
        return put_together(structure, [each.copy() if isinstance(each, np.ndarray) else each for each in row])

    def has_final(self, k: int) -> bool:
        """Whether row k's episode ended and was reset in the same step."""
        return bool(self.flags[k] & FINAL)

    def final_observation(self, k: int) -> Any:
        """The last observation of row k's episode that ended in this step (same-step autoreset); None if none did."""
        if not self.has_final(k):
            return None
        message = self._messages.get(k)
        if message is not None and "final_observation" in message:
            return message["final_observation"]
        structure = self._structures[int(self.ids[k])]
        return None if structure is None or k not in self._finals else put_together(structure, self._finals[k])

    def final_info(self, k: int) -> dict[str, Any]:
        """The info of the step that ended row k's episode (same-step autoreset); empty if none did."""
        message = self._messages.get(k)
        final: dict[str, Any] = message.get("final_info", {}) if message is not None else {}
        return final

    def reward(self, k: int) -> Any:
        """Row k's reward as the environment returned it."""
        return self.odd_rewards[k] if k in self.odd_rewards else self.rewards[k]


def stacked(observations: list[Any]) -> Any:
    """Observations as one batch: dicts and tuples of equal structure leaf by leaf, arrays of equal shape stacked.

    All else becomes an array of objects.
    """
    return zipped(_stacked_arrays, *observations) if observations else _stacked_arrays()


def _stacked_arrays(*observations: Any) -> np.ndarray[Any, Any]:
    try:
        arrays = [np.asarray(each) for each in observations]
        if all(array.dtype != object for array in arrays):
            return np.stack(arrays)
    except ValueError:
        pass  # ragged
    objects = np.empty(len(observations), dtype=object)
    for k, each in enumerate(observations):
        objects[k] = each
    return objects
