"""A process, and no other that may get its number."""

from __future__ import annotations

import os
import select
import signal
import time
from multiprocessing.process import BaseProcess

_LOOK_SECONDS = 0.002


class ProcessHandle:
    """Sees whether a process that was started here has ended, and sends it signals.

    The number of a process is given to another as soon as somebody has waited for it: whatever reaps all children of
    this process, or the fork server for its own. A descriptor of the process (Linux 5.3) stays what it is. Elsewhere
    only a number that is still a child's is believed.

    Args:
        process: one that has been started, and that nobody has waited for.
    """

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self._descriptor = _descriptor_of(process.pid)

    def has_ended(self) -> bool:
        """Whether it has ended, whoever has waited for it."""
        if self._process.exitcode is not None:
            return True
        if self._descriptor is not None:
            ends = select.poll()
            ends.register(self._descriptor, select.POLLIN)
            return bool(ends.poll(0))
        return os.name == "posix" and not self._has_its_number()

    def _has_its_number(self) -> bool:
        # multiprocessing, which was asked first, takes a child that somebody else has waited for as alive for ever.
        number = self._process.pid or 0
        try:
            if hasattr(os, "waitid") and not self._is_of_a_server():
                os.waitid(os.P_PID, number, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            else:
                os.kill(number, 0)
        except (ChildProcessError, ProcessLookupError):
            return False
        except OSError:
            return True
        return True

    def _is_of_a_server(self) -> bool:
        """Whether it is not a child of this process, but of multiprocessing's fork server."""
        return getattr(self._process, "_start_method", None) == "forkserver"

    def await_exitcode(self, seconds: float) -> None:
        """Waits until the fork server has told the exit code of its process that has ended; not for other processes."""
        end = time.monotonic() + seconds
        while self._is_of_a_server() and self._process.exitcode is None and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)

    def terminate(self) -> None:
        """Asks it to end at once."""
        self._signal("SIGTERM")

    def kill(self) -> None:
        """Ends it at once."""
        self._signal("SIGKILL")

    def _signal(self, name: str) -> None:
        if self.has_ended():
            return
        if self._descriptor is None:
            (self._process.terminate if name == "SIGTERM" else self._process.kill)()
            return
        try:
            signal.pidfd_send_signal(self._descriptor, getattr(signal, name))
        except ProcessLookupError:
            return

    def close(self) -> None:
        """Gives the descriptor back."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        """As `close`."""
        self.close()


def _descriptor_of(pid: int | None) -> int | None:
    if pid is None or not hasattr(os, "pidfd_open") or not hasattr(signal, "pidfd_send_signal"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:  # an older kernel, one that forbids it, no descriptor left, or a process that has ended already
        return None
