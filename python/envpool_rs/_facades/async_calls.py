"""gymnasium's asynchronous methods (``step_async``, ``step_wait``, ...), and a lock that lets one thread call at a
time.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable, Mapping
from multiprocessing import TimeoutError as MultiprocessingTimeoutError
from typing import Any

from gymnasium import logger
from gymnasium.vector.async_vector_env import AsyncState

from envpool_rs._arguments import optional_number
from envpool_rs._errors import ClosedPoolError, NoPendingCallError, PendingCallError


class ExclusiveUse:
    """Try-only lock: runs calls of one thread at a time and rejects a second thread's call at once."""

    __slots__ = ("_users", "_what")

    def __init__(self, what: str) -> None:
        # The entry of the running call comes first. Entries of calls that request to run follow, in the order of their
        # requests.
        self._users: dict[object, None] = {}
        self._what = what

    def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a call while no other call runs, and returns its result; raises a ``RuntimeError`` if another call is
        running.

        An exception at any point, including Ctrl-C, releases the lock: each operation on the dict is atomic in the
        interpreter, and the call's entry is added inside the ``try`` block.
        """
        user = object()
        try:
            self._users[user] = None
            first, *_ = list(self._users)  # a list, because other threads change the dict during iteration
            if first is not user:
                raise RuntimeError(f"{self._what} is in use by another thread")
            return call(*arguments)
        finally:
            self._users.pop(user, None)


class CallTimeoutError(MultiprocessingTimeoutError, TimeoutError):
    """Raised if a pending call does not finish in time.

    Derives from multiprocessing's ``TimeoutError``, as in gymnasium, and from Python's built-in one.
    """


class _PendingResult:
    """Result of a call that runs in a separate thread."""

    def __init__(self, call: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self._given = (call, name, arguments, keywords)
        self._answers: Any = None
        self._raised: BaseException | None = None
        # The thread sets this event; `Thread.is_alive` is not used, because after a signal interrupts `Thread.join`,
        # CPython reports the thread as ended.
        self._is_done = threading.Event()
        threading.Thread(target=self._run, name="envpool_rs call_async", daemon=True).start()

    def _run(self) -> None:
        call, name, arguments, keywords = self._given
        try:
            self._answers = call(name, *arguments, **keywords)
        except BaseException as error:  # `taken` raises the exception in the thread that waits for the result
            self._raised = error
        finally:
            self._is_done.set()

    def wait(self, timeout: float | None) -> bool:
        """Waits at most ``timeout`` seconds for the results; returns whether they are available."""
        return self._is_done.wait(timeout)

    def taken(self) -> Any:
        """Returns the results of the finished call, or raises the exception that it raised."""
        if self._raised is not None:
            raise self._raised
        return self._answers


class AsyncCalls:
    """``reset_async``, ``step_async`` and ``call_async`` with their ``_wait`` methods, with gymnasium's states and
    errors.

    Only one of these calls may be pending. ``step`` and the pool's ``send`` and ``recv`` ignore pending calls. All of
    them reject environments that are still running a request.
    """

    _state = AsyncState.DEFAULT
    _answers: _PendingResult | None = None

    closed: Any
    num_envs: Any
    send: Any
    call_some: Callable[..., tuple[Any, ...]]
    _recv_within: Any
    _begin_reset_envs: Any
    _spec: Any

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"

    def reset_async(self, seed: Any = None, options: Mapping[str, Any] | None = None) -> None:
        """Starts a ``reset``, whose arguments it takes.

        Raises:
            gymnasium.error.AlreadyPendingCallError: if a call is pending.
            gymnasium.error.ClosedEnvironmentError: after ``close``.
        """
        self._check_idle("reset_async")
        self._begin_reset(seed, options)
        self._state = AsyncState.WAITING_RESET

    def _begin_reset(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        self._begin_reset_envs(seed, options)

    def _after_reset(self, result: Any) -> Any:
        """Converts the received reset result to the format of ``reset``."""
        return result

    def reset_wait(self, timeout: float | None = None) -> Any:
        """Waits at most ``timeout`` seconds for the pending ``reset_async``; returns the result of ``reset``.

        Raises:
            gymnasium.error.NoAsyncCallError: without a pending ``reset_async``.
            multiprocessing.TimeoutError: after the timeout; a later ``reset`` waits for the pending reset and then
                resets again.
        """
        return self._after_reset(self._wait_for_result(AsyncState.WAITING_RESET, timeout))

    def step_async(self, actions: Any) -> None:
        """Starts a ``step`` with its actions.

        Raises:
            gymnasium.error.AlreadyPendingCallError: if a call is pending.
            gymnasium.error.ClosedEnvironmentError: after ``close``.
        """
        self._check_idle("step_async")
        self.send(actions)
        self._state = AsyncState.WAITING_STEP

    def step_wait(self, timeout: float | None = None) -> Any:
        """Waits at most ``timeout`` seconds for the pending ``step_async``; returns the result of ``step``.

        Raises:
            gymnasium.error.NoAsyncCallError: without a pending ``step_async``.
            multiprocessing.TimeoutError: after the timeout; the result can still be received by ``recv``.
        """
        return self._wait_for_result(AsyncState.WAITING_STEP, timeout)

    def call_async(self, name: str, /, *arguments: Any, **keywords: Any) -> None:
        """Starts a ``call``, whose arguments it takes.

        Raises:
            gymnasium.error.AlreadyPendingCallError: if a call is pending.
            gymnasium.error.ClosedEnvironmentError: after ``close``.
        """
        self._check_idle("call_async")
        self._answers = _PendingResult(self._call_now, name, arguments, keywords)
        self._state = AsyncState.WAITING_CALL

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Calls a method of each environment, or returns an attribute of each.

        Args:
            name: an attribute that ``get_attr`` supports; ``"render"``, ``"reset"``, ``"get_wrapper_attr"``,
                ``"has_wrapper_attr"``, ``"set_wrapper_attr"``; any method of environments written in Python, where dots
                lead into attributes.
            arguments: arguments of the method; ignored for attributes.
            keywords: keyword arguments of the method; ignored for attributes.

        Raises:
            AttributeError: for any other name, because environments of a native pool are not Python objects.
            gymnasium.error.AlreadyPendingCallError: if a call is pending.
        """
        self._check_idle("call_async")
        return self._call_now(name, *arguments, **keywords)  # type: ignore[no-any-return]

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment.

        Args:
            name: any attribute of environments written in Python, where dots lead into attributes; for native ones a
                name that the environment itself does not define.
            values: a list or tuple with one value for each environment, or one value for all.

        Raises:
            AttributeError: for an attribute of a native environment: options and physics are fixed when the pool is
                made, and the engine owns the rest.
            ValueError: for a list or tuple of another length.
            gymnasium.error.AlreadyPendingCallError: if a call is pending.
        """
        self._check_idle("set_attr")
        super().set_attr(name, values)  # type: ignore[misc]

    def close(self, **how: Any) -> None:
        """Frees all environments as `EnvPoolMixin.close` does; warns if a call is pending whose ``*_wait`` was not
        called.
        """
        self._warn_pending()
        super().close(**how)  # type: ignore[misc]

    def _call_now(self, name: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Runs ``call`` without checking whether an asynchronous call is pending."""
        return self.call_some(range(self.num_envs), name, *arguments, **keywords)

    def call_wait(self, timeout: float | None = None) -> tuple[Any, ...]:
        """Waits at most ``timeout`` seconds for the pending ``call_async``; returns the result of ``call``.

        Raises:
            gymnasium.error.NoAsyncCallError: without a pending ``call_async``.
            multiprocessing.TimeoutError: after the timeout.
        """
        self._check_pending(AsyncState.WAITING_CALL)
        timeout = _seconds(timeout)
        assert self._answers is not None  # set by `call_async`
        # The state "pending" ends only after the wait: if a signal interrupts the wait, the next call continues to
        # wait.
        has_answered = self._answers.wait(timeout)
        answers, self._answers, self._state = self._answers, None, AsyncState.DEFAULT
        if not has_answered:
            raise CallTimeoutError(f"The call to `call_wait` has timed out after {timeout} second(s).")
        return answers.taken()  # type: ignore[no-any-return]

    def _wait_for_result(self, state: AsyncState, timeout: float | None) -> Any:
        self._check_pending(state)
        timeout = _seconds(timeout)
        try:
            result = self._recv_within(timeout, state is AsyncState.WAITING_RESET)
        except KeyboardInterrupt:
            raise  # after the timeout, the call is still pending
        except TimeoutError as error:
            self._state = AsyncState.DEFAULT
            if timeout is None:
                raise
            late = f"The call to `{state.value}_wait` has timed out after {timeout} second(s)."
            raise CallTimeoutError(late) from error
        except BaseException:
            self._state = AsyncState.DEFAULT
            raise
        self._state = AsyncState.DEFAULT
        return result

    def _check_idle(self, name: str) -> None:
        """Raises ``AlreadyPendingCallError`` if an asynchronous call is pending."""
        if self._state is not AsyncState.DEFAULT:
            pending = str(self._state.value)
            raise PendingCallError(
                f"Calling `{name}` while waiting for a pending call to `{pending}` to complete.", pending
            )

    def _check_pending(self, state: AsyncState) -> None:
        if self.closed:
            raise ClosedPoolError("this pool is closed")
        if self._state is not state:
            name = str(state.value)
            raise NoPendingCallError(f"Calling `{name}_wait` without any prior call to `{name}_async`.", name)

    def _warn_pending(self) -> None:
        """Warns, as gymnasium does, that a call is pending and that ``close`` does not wait for it."""
        if self._state is not AsyncState.DEFAULT:
            logger.warn(f"Calling `close` while waiting for a pending call to `{self._state.value}` to complete.")
            self._state = AsyncState.DEFAULT


def _seconds(timeout: Any) -> float | None:
    """Checks a ``timeout``; returns ``None`` for one that is longer than any wait."""
    seconds = optional_number("timeout", timeout, "a number of seconds or None", lambda n: not math.isnan(n))
    return None if seconds is None or seconds > threading.TIMEOUT_MAX else seconds
