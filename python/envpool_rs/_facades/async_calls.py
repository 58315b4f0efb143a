"""Sending and receiving apart, by one thread at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from multiprocessing import TimeoutError as MultiprocessingTimeoutError
from typing import Any

from gymnasium import logger
from gymnasium.vector.async_vector_env import AsyncState

from envpool_rs._errors import ClosedPoolError, NoPendingCallError, PendingCallError


class ExclusiveUse:
    """Runs calls of one thread at a time; a second thread's call is refused at once.

    Args:
        what: the object concerned, for the message.
    """

    __slots__ = ("_users", "_what")

    def __init__(self, what: str) -> None:
        # The calls that run or ask to run, in this order; the first one runs.
        self._users: dict[object, None] = {}
        self._what = what

    def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a call alone.

        An exception at any point of it, also Ctrl-C, ends the use: each operation on the users is a single one of
        the interpreter, and the entry is added where ``finally`` already holds.

        Args:
            call: the function.
            arguments: its arguments.

        Returns:
            What ``call`` returns.

        Raises:
            RuntimeError: while another call runs; this one does not wait for it.
        """
        user = object()
        try:
            self._users[user] = None
            first, *_ = list(self._users)  # a copy: other threads change the dict during an iteration
            if first is not user:
                raise RuntimeError(f"{self._what} is in use by another thread")
            return call(*arguments)
        finally:
            self._users.pop(user, None)


class CallTimeoutError(MultiprocessingTimeoutError, TimeoutError):
    """What was begun has not finished in time: multiprocessing's error, as gymnasium's, and Python's own."""


class _Answers:
    """What environments answer to a call that is under way in a thread of its own."""

    def __init__(self, call: Any, name: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> None:
        self._given = (call, name, arguments, keywords)
        self._answers: Any = None
        self._raised: BaseException | None = None
        # Set by the thread: after a signal interrupts `Thread.join`, CPython reports the thread as ended.
        self._is_over = threading.Event()
        threading.Thread(target=self._run, name="envpool_rs call_async", daemon=True).start()

    def _run(self) -> None:
        call, name, arguments, keywords = self._given
        try:
            self._answers = call(name, *arguments, **keywords)
        except BaseException as error:  # raised where it is waited for
            self._raised = error
        finally:
            self._is_over.set()

    def wait(self, timeout: float | None) -> bool:
        """Waits for the answers, at most ``timeout`` seconds; returns whether they are there."""
        return self._is_over.wait(timeout)

    def taken(self) -> Any:
        """The answers.

        Raises:
            Exception: what the call raised.
        """
        if self._raised is not None:
            raise self._raised
        return self._answers


class AsyncCalls:
    """``reset_async``, ``step_async`` and ``call_async`` with their ``_wait``, for pools behind gymnasium's vector
    interface: in gymnasium's states, with its errors.

    One thing is begun at a time. ``step`` and the pool's own ``send`` and ``recv`` do not look at the state; what is
    in flight is refused by all of them.
    """

    _state = AsyncState.DEFAULT
    _answers: _Answers | None = None

    closed: Any
    num_envs: Any
    send: Any
    call_some: Callable[..., tuple[Any, ...]]
    _recv_within: Any

    def reset_async(self, seed: Any = None, options: Mapping[str, Any] | None = None) -> None:
        """Begins what ``reset`` does.

        Args:
            seed: as for ``reset``.
            options: as for ``reset``.

        Raises:
            gymnasium.error.AlreadyPendingCallError: where something has been begun already.
            gymnasium.error.ClosedEnvironmentError: after ``close``.
        """
        self._check_idle("reset_async")
        self._begin_reset(seed, options)
        self._state = AsyncState.WAITING_RESET

    def _begin_reset(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        raise NotImplementedError

    def _after_reset(self, result: Any) -> Any:
        raise NotImplementedError

    def reset_wait(self, timeout: float | None = None) -> Any:
        """Waits for what ``reset_async`` began.

        Args:
            timeout: seconds to wait at most; ``None`` for as long as it takes.

        Returns:
            What ``reset`` returns.

        Raises:
            gymnasium.error.NoAsyncCallError: without ``reset_async`` before it.
            multiprocessing.TimeoutError: where the time has passed; ``reset`` waits on and begins anew.
        """
        return self._after_reset(self._waited(AsyncState.WAITING_RESET, timeout))

    def step_async(self, actions: Any) -> None:
        """Begins what ``step`` does.

        Args:
            actions: as for ``step``.

        Raises:
            gymnasium.error.AlreadyPendingCallError: where something has been begun already.
            gymnasium.error.ClosedEnvironmentError: after ``close``.
        """
        self._check_idle("step_async")
        self.send(actions)
        self._state = AsyncState.WAITING_STEP

    def step_wait(self, timeout: float | None = None) -> Any:
        """Waits for what ``step_async`` began.

        Args:
            timeout: seconds to wait at most; ``None`` for as long as it takes.

        Returns:
            What ``step`` returns.

        Raises:
            gymnasium.error.NoAsyncCallError: without ``step_async`` before it.
            multiprocessing.TimeoutError: where the time has passed; ``recv`` waits on.
        """
        return self._waited(AsyncState.WAITING_STEP, timeout)

    def call_async(self, name: str, /, *arguments: Any, **keywords: Any) -> None:
        """Begins what ``call`` does.

        Args:
            name: as for ``call``.
            arguments: for the method.
            keywords: for the method.

        Raises:
            gymnasium.error.AlreadyPendingCallError: where something has been begun already.
            gymnasium.error.ClosedEnvironmentError: after ``close``.
        """
        self._check_idle("call_async")
        self._answers = _Answers(self._call_now, name, arguments, keywords)
        self._state = AsyncState.WAITING_CALL

    def _call_now(self, name: str, *arguments: Any, **keywords: Any) -> Any:
        """``call``, whatever has been begun."""
        return self.call_some(range(self.num_envs), name, *arguments, **keywords)

    def call_wait(self, timeout: float | None = None) -> tuple[Any, ...]:
        """Waits for what ``call_async`` began.

        Args:
            timeout: seconds to wait at most; ``None`` for as long as it takes.

        Returns:
            What ``call`` returns.

        Raises:
            gymnasium.error.NoAsyncCallError: without ``call_async`` before it.
            multiprocessing.TimeoutError: where the time has passed.
        """
        self._check_begun(AsyncState.WAITING_CALL)
        assert self._answers is not None  # they are waited for
        # A signal may interrupt the wait: the state changes after it, so that the next call waits on.
        has_answered = self._answers.wait(timeout)
        answers, self._answers, self._state = self._answers, None, AsyncState.DEFAULT
        if not has_answered:
            raise CallTimeoutError(f"The call to `call_wait` has timed out after {timeout} second(s).")
        return answers.taken()  # type: ignore[no-any-return]

    def _waited(self, state: AsyncState, timeout: float | None) -> Any:
        self._check_begun(state)
        try:
            result = self._recv_within(timeout, state is AsyncState.WAITING_RESET)
        except KeyboardInterrupt:
            raise  # it is still on its way
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
        """Refuses what cannot be done while something else has been begun."""
        if self._state is not AsyncState.DEFAULT:
            pending = str(self._state.value)
            raise PendingCallError(
                f"Calling `{name}` while waiting for a pending call to `{pending}` to complete.", pending
            )

    def _check_begun(self, state: AsyncState) -> None:
        if self.closed:
            raise ClosedPoolError("this pool is closed")
        if self._state is not state:
            name = str(state.value)
            raise NoPendingCallError(f"Calling `{name}_wait` without any prior call to `{name}_async`.", name)

    def _forget_begun(self) -> None:
        """Warns, as gymnasium does, that ``close`` waits for nothing that was begun."""
        if self._state is not AsyncState.DEFAULT:
            logger.warn(f"Calling `close` while waiting for a pending call to `{self._state.value}` to complete.")
            self._state = AsyncState.DEFAULT
