"""Worker processes that several threads may use."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from envpool_rs._workers import Steps, WorkerDied, WorkerGroup

Result = TypeVar("Result")

WAIT_SECONDS = 0.05
"""How long a thread waits until it looks whether others want the workers too."""

POLL_SECONDS = (5e-5, 1e-3)
"""Shortest and longest pause of a thread between two looks, where several threads use the workers."""

CLOSE_SECONDS = 5.0
"""What environments have to close."""

INTERRUPTED_SECONDS = 1.0
"""The same where some are at work on an interrupted call: whoever interrupted it does not want to wait."""


class SharedWorkers:
    """A group of workers that several threads use, each for other environments. Answers that an interrupted call left
    behind are dropped before the next request.

    Attributes:
        group: the workers.
    """

    def __init__(self, group: WorkerGroup) -> None:
        """Takes over a group.

        Args:
            group: initialised workers.
        """
        self.group = group
        self._everyone = np.arange(group.num_envs)
        # The group knows no threads: whatever is done with it, waiting included, is done under the lock.
        self._lock = threading.Lock()
        self._is_contended = False
        # Of the last request of each: steps and calls are taken in different ways.
        self._asked_for_steps = [True] * group.num_envs

    def begin_steps(self, ids: Sequence[int], actions: Any) -> None:
        """Sends actions.

        Args:
            ids: environments, in ascending order.
            actions: one for each.

        Raises:
            WorkerDied: where one of the environments is known to have no process any more; nothing is sent then.
        """
        array = self._array(ids)
        self._begin(ids, True, lambda: self.group.send_steps(array, actions))

    def begin_calls(self, ids: Sequence[int], operation: str, arguments: Sequence[Any]) -> None:
        """Sends what is neither step nor reset.

        Args:
            ids: environments, in ascending order.
            operation: of ``WorkerGroup.send_calls``.
            arguments: one for each.

        Raises:
            WorkerDied: where one of the environments is known to have no process any more; nothing is sent then.
        """
        array = self._array(ids)
        self._begin(ids, False, lambda: self.group.send_calls(array, operation, arguments))

    def finish_steps(self, ids: Sequence[int]) -> Steps:
        """Waits for steps."""
        return self._finish(ids, self.group.take_steps)

    def finish_calls(self, ids: Sequence[int]) -> list[Any]:
        """Waits for calls; failures are among their results."""
        return self._finish(ids, self.group.take_values)

    def is_busy(self, env_id: int) -> bool:
        """Whether the answer to an interrupted call was not taken yet."""
        return not self.group.is_ready(env_id)

    def close(self) -> None:
        """Closes the environments and ends the processes, by force those that go on with an interrupted call.

        Raises:
            Exception: what the first environment raised that failed to close.
        """
        with self._lock:
            self.group.close(INTERRUPTED_SECONDS if len(self.group.in_flight) else CLOSE_SECONDS)

    def _array(self, ids: Sequence[int]) -> np.ndarray[Any, Any]:
        # They are ascending: as many as there are, are all.
        return self._everyone if len(ids) == len(self._everyone) else np.array(ids, np.int64)

    def _begin(self, ids: Sequence[int], steps: bool, send: Callable[[], None]) -> None:
        try:
            self._locked(send)
        except WorkerDied:
            raise
        except RuntimeError:
            # Nothing was sent. In flight are only requests whose caller was interrupted.
            left = [env_id for env_id in ids if self.is_busy(env_id)]
            if not left:
                raise
            self._drop(left)
            self._locked(send)
        for env_id in ids:
            self._asked_for_steps[env_id] = steps

    def _locked(self, send: Callable[[], None]) -> None:
        self._note_contention()
        with self._lock:
            send()

    def _note_contention(self) -> None:
        if self._lock.locked():
            self._is_contended = True

    def _drop(self, ids: Sequence[int]) -> None:
        for env_id in ids:
            finish = self.finish_steps if self._asked_for_steps[env_id] else self.finish_calls
            finish([env_id])

    def _check_coming(self, ids: Sequence[int]) -> None:
        """Refuses to wait for answers that somebody else took: an environment is one thread's at a time."""
        for env_id in ids:
            if self.group.is_ready(env_id):
                raise RuntimeError(f"environment {env_id} is in use by another thread, which took its answer")

    def _finish(self, ids: Sequence[int], take: Callable[[np.ndarray[Any, Any]], Result]) -> Result:
        array = self._array(ids)
        pause, longest = POLL_SECONDS
        while True:
            self._note_contention()
            with self._lock:
                # Others have to get in while this thread waits.
                done = self.group.wait(array, len(ids), 0.0 if self._is_contended else WAIT_SECONDS)
                if len(done) == len(ids):
                    return take(array)
                self._check_coming(ids)
            if self._is_contended:
                time.sleep(pause)
                pause = min(2 * pause, longest)
