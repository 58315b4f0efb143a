"""What a pool knows of each of its environments: whether it is in flight, and whether it can be stepped."""

from __future__ import annotations

from typing import Protocol

import numpy as np
import numpy.typing as npt

from envpool_rs._python_pool.env_ids import Ids

FRESH, RUNNING, FINISHED, FAILED = range(4)
"""Phases: never reset, stepping, at the end of an episode (autoreset disabled), failed."""

_WHY = {
    FRESH: "has never been reset",
    FINISHED: "has finished its episode (autoreset is disabled)",
    FAILED: "has failed",
}


class Ends(Protocol):
    """Rows of results that say whose episodes are over."""

    ids: Ids
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]


class Lanes:
    """The environments of a pool by number.

    Attributes:
        every: all ids; requests for all environments use this very array.
        all_running: whether all can be stepped.
    """

    def __init__(self, num_envs: int, autoreset_mode: str) -> None:
        """Begins with environments that have never been reset.

        Args:
            num_envs: number of environments.
            autoreset_mode: ``"next_step"``, ``"same_step"`` or ``"disabled"``.
        """
        self.every: Ids = np.arange(num_envs)
        self.all_running = False
        self._mode = autoreset_mode
        self._phases = np.full(num_envs, FRESH, np.uint8)
        self._in_flight = np.zeros(num_envs, np.bool_)

    # In flight

    def flying(self) -> Ids:
        """The environments in flight."""
        return np.flatnonzero(self._in_flight)

    def count_flying(self) -> int:
        """How many are in flight."""
        return int(np.count_nonzero(self._in_flight))

    def check_not_in_flight(self, ids: Ids) -> None:
        """Refuses what is in flight.

        Raises:
            RuntimeError: naming the first that is.
        """
        if not self.count_flying():
            return
        flying = ids[self._in_flight[ids]]
        if len(flying):
            raise RuntimeError(f"env_id {flying[0]} is in flight: its result has to be received first")

    def launch(self, ids: Ids) -> None:
        """Marks environments as sent."""
        self._mark(ids, True)

    def land(self, ids: Ids) -> None:
        """Marks environments as received."""
        self._mark(ids, False)

    def _mark(self, ids: Ids, in_flight: bool) -> None:
        if ids is self.every:
            self._in_flight.fill(in_flight)
        else:
            self._in_flight[ids] = in_flight

    # Phases

    def check_steppable(self, ids: Ids) -> None:
        """Refuses what has to be reset before it can be stepped.

        Raises:
            RuntimeError: naming the first such environment.
        """
        if self.all_running:
            return
        for index in ids[self._phases[ids] != RUNNING]:
            phase = int(self._phases[index])
            if phase != FRESH or self._mode != "next_step":
                raise RuntimeError(f"environment {index} {_WHY[phase]}: reset it before the next step")

    def fresh(self, ids: Ids) -> npt.NDArray[np.bool_] | None:
        """Which of ``ids`` have never been reset; ``None`` for none of them."""
        if self.all_running:
            return None
        fresh: npt.NDArray[np.bool_] = self._phases[ids] == FRESH
        return fresh if fresh.any() else None

    def check_shown(self, but: Ids) -> None:
        """Refuses to go on where an environment has no observation that it showed last.

        Args:
            but: environments that need none.

        Raises:
            RuntimeError: naming the first that has none.
        """
        others = np.setdiff1d(self.every, but)
        for index in others[~np.isin(self._phases[others], (RUNNING, FINISHED))]:
            raise RuntimeError(f"environment {index} shows nothing yet: the reset has to include it")

    def settle(self, steps: Ends) -> None:
        """Notes who has been reset, and who has finished."""
        if self._mode == "disabled":
            ended = steps.terminated | steps.truncated
            self._phases[steps.ids] = np.where(ended, FINISHED, RUNNING)
        elif self.all_running:
            return
        else:
            self._phases[steps.ids] = RUNNING
        self.all_running = bool((self._phases == RUNNING).all())

    def fail(self, ids: Ids) -> None:
        """Notes who has failed."""
        self._phases[ids] = FAILED
        self.all_running = False
