"""The results of steps and resets, taken from the shared block."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs._nested import zipped
from envpool_rs._workers.answer_flags import FAILED, LOST, MESSAGE, OBSERVATION_IN_ROW
from envpool_rs._workers.env_failure import EnvFailure, loaded_failure
from envpool_rs._workers.observation_layout import Structure, put_together
from envpool_rs._workers.recovery import with_restart
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
        flags: uint32 [k].
        infos: a dict for each row; None if all are empty.
        failures: by environment, what it raised or its loss with its worker; its row holds nothing.
        restarted: the environments whose worker was made anew: the observation is the new episode's first, the
            reward 0, truncated True.
    """

    __slots__ = (
        "_messages",
        "_rows",
        "_structures",
        "failures",
        "flags",
        "ids",
        "infos",
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
        structures: list[Structure | None],
    ) -> None:
        self.ids = ids
        self.leaves = leaves
        self.rewards = rewards
        self.terminated = terminated
        self.truncated = truncated
        self.flags = flags
        self._structures = structures
        self.infos: list[dict[str, Any]] | None = None
        self.odd_rewards: dict[int, Any] = {}
        self.failures: dict[int, EnvFailure] = {}
        self.restarted: list[int] = []
        self._messages: dict[int, dict[str, Any]] = {}
        self._rows: dict[int, list[np.ndarray[Any, Any]]] = {}

    def read_messages(self, caller: Any, lost: dict[int, EnvFailure]) -> None:
        """Fetches what does not lie in ``leaves``, before the next requests overwrite it.

        Args:
            caller: from which the steps were taken.
            lost: the failures of environments that were lost with their worker; those told of here are removed.
        """
        for k, (env_id, flags) in enumerate(zip(self.ids.tolist(), self.flags.tolist(), strict=True)):
            if flags & LOST:
                self.failures[env_id] = lost.pop(env_id)
            elif flags & FAILED:
                self.failures[env_id] = loaded_failure(caller.message(env_id), env_id, "step")
            else:
                self._read_row(k, env_id, flags, caller)

    def _read_row(self, k: int, env_id: int, flags: int, caller: Any) -> None:
        message: dict[str, Any] = {}
        if flags & MESSAGE:
            try:
                message = self._messages[k] = loads(caller.message(env_id))
            except Exception as error:
                self.failures[env_id] = EnvFailure.of(env_id, "step", error)
                return
        if "info" in message:
            self._set_info(k, message["info"])
        if "reward" in message:
            self.odd_rewards[k] = message["reward"]
            self.rewards[k] = np.nan
        if flags & OBSERVATION_IN_ROW and self.leaves is None:
            self._rows[k] = caller.rows(env_id)

    def _set_info(self, k: int, info: dict[str, Any]) -> None:
        if self.infos is None:
            self.infos = [{} for _ in range(len(self.ids))]
        self.infos[k] = info

    def tell_of_restart(self, k: int, *, truncated: bool) -> None:
        """Marks row k as the first of an environment whose worker was made anew.

        Args:
            k: the row.
            truncated: it answers a step, which ended the episode that was lost.
        """
        self.restarted.append(int(self.ids[k]))
        self.truncated[k] = truncated
        self.rewards[k] = 0.0
        self._set_info(k, with_restart({} if self.infos is None else self.infos[k]))

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
