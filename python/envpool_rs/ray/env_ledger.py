"""What a driver knows of each environment, so that misuse is refused before anything is sent."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from envpool_rs.python_pool.pool import FAILED, FINISHED, FRESH, RUNNING

Ids = npt.NDArray[np.int64]

_WHY = {
    FRESH: "has never been reset",
    FINISHED: "has finished its episode (autoreset is disabled)",
    FAILED: "has failed",
}


class EnvLedger:
    """Which environments are in flight, and which have to be reset first.

    Attributes:
        in_flight: ``(num_envs,)``, sent and not yet received.
        all: ``(num_envs,)``: 0, 1, ...
    """

    def __init__(self, num_envs: int, batch_size: int, mode: str) -> None:
        """Describes a pool whose environments are fresh.

        Args:
            num_envs: number of environments.
            batch_size: rows of one result.
            mode: of autoreset.
        """
        self.all: Ids = np.arange(num_envs)
        self.in_flight = np.zeros(num_envs, np.bool_)
        self._phases = np.full(num_envs, FRESH, np.uint8)
        self._batch_size = batch_size
        self._mode = mode

    def check_not_in_flight(self, ids: Ids) -> None:
        """Refuses ids whose results have not been received.

        Raises:
            RuntimeError: naming the first.
        """
        flying = ids[self.in_flight[ids]]
        if len(flying):
            raise RuntimeError(f"env_id {flying[0]} is in flight: its result has to be received first")

    def check_steppable(self, ids: Ids) -> None:
        """Refuses ids that have to be reset first.

        Raises:
            RuntimeError: naming the first, and why.
        """
        for index in ids[self._phases[ids] != RUNNING]:
            phase = int(self._phases[index])
            if phase != FRESH or self._mode != "next_step":
                raise RuntimeError(f"environment {index} {_WHY[phase]}: reset it before the next step")

    def check_enough_in_flight(self, more: int) -> None:
        """Refuses to wait for more rows than will come.

        Args:
            more: environments about to be sent.

        Raises:
            RuntimeError: saying how many are in flight.
        """
        flying = int(np.count_nonzero(self.in_flight)) + more
        if flying < self._batch_size:
            needed = self._batch_size
            raise RuntimeError(f"recv: {flying} environments are in flight, fewer than batch_size={needed}: send first")

    def check_shown(self, ids: Ids) -> None:
        """Refuses to show environments that have no observation.

        Raises:
            RuntimeError: naming the first.
        """
        for index in ids[np.isin(self._phases[ids], (FRESH, FAILED))]:
            raise RuntimeError(f"environment {index} shows nothing yet: the reset has to include it")

    def launch(self, ids: Ids) -> None:
        """Notes what was sent."""
        self.in_flight[ids] = True

    def land(self, ids: Ids, ended: npt.NDArray[np.bool_]) -> None:
        """Notes what was received.

        Args:
            ids: environments.
            ended: ``(n,)``, whose episodes are over.
        """
        self.in_flight[ids] = False
        self._phases[ids] = np.where(ended, FINISHED, RUNNING) if self._mode == "disabled" else RUNNING

    def fail(self, ids: Ids) -> None:
        """Notes which environments panicked, or were lost."""
        self.in_flight[ids] = False
        self._phases[ids] = FAILED
