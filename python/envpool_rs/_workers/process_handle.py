"""Handle of a process that remains correct if the system reuses the process's pid."""

from __future__ import annotations

import os
import select
import signal
import time
from multiprocessing.process import BaseProcess

_LOOK_SECONDS = 0.002


class ProcessHandle:
    """Checks whether a process that this process started has ended, and sends signals to it.

    The system reuses a pid as soon as the process has been reaped: by code that reaps all children of this process, or
    by the fork server. A pidfd (Linux 5.3) always refers to the same process. Without pidfds, only the pid of a current
    child is trusted.

    Args:
        process: a started process that has not been reaped.
    """

    def __init__(self, process: BaseProcess) -> None:
        self._process = process
        self._descriptor = _descriptor_of(process.pid)

    def has_ended(self) -> bool:
        """Returns whether the process has ended, even if other code has reaped it."""
        if self._process.exitcode is not None:
            return True
        if self._descriptor is not None:
            ends = select.poll()
            ends.register(self._descriptor, select.POLLIN)
            return bool(ends.poll(0))
        return os.name == "posix" and not self._has_its_number()

    def _has_its_number(self) -> bool:
        # The pid is checked in addition to multiprocessing's state, which reports a child as alive forever if other
        # code has reaped the child.
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
        """Returns whether the process is a child of multiprocessing's fork server instead of the current process."""
        return getattr(self._process, "_start_method", None) == "forkserver"

    def await_exitcode(self, seconds: float) -> None:
        """Waits until the fork server has reported an ended process's exit code; does nothing for other processes."""
        end = time.monotonic() + seconds
        while self._is_of_a_server() and self._process.exitcode is None and time.monotonic() < end:
            time.sleep(_LOOK_SECONDS)

    def terminate(self) -> None:
        """Sends SIGTERM to the process."""
        self._signal("SIGTERM")

    def kill(self) -> None:
        """Sends SIGKILL to the process."""
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
        """Closes the pidfd."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def __del__(self) -> None:
        """Closes the pidfd, as `close` does."""
        self.close()


def _descriptor_of(pid: int | None) -> int | None:
    if pid is None or not hasattr(os, "pidfd_open") or not hasattr(signal, "pidfd_send_signal"):
        return None
    try:
        return os.pidfd_open(pid)
    except OSError:  # old kernel, no permission, no descriptor left, or the process has ended
        return None
