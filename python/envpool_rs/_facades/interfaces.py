"""Interfaces of pools over any backend: EnvPool's for gymnasium, and gymnasium's vector environment.

The class of a pool combines an interface with a backend (native environments, Python environments in worker processes,
actors of a cluster), which has ``_reset_envs`` and ``_begin_reset_envs``, inherits all other calls from the extension's
pool, and calls an interface's ``_format`` before it creates the environments and ``_set_up`` afterwards.
"""

from __future__ import annotations

import math
import threading
import warnings
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, wait
from multiprocessing import TimeoutError as MultiprocessingTimeoutError
from typing import TYPE_CHECKING, Any, Generic

from gymnasium import logger
from gymnasium.vector import AutoresetMode
from gymnasium.vector.async_vector_env import AsyncState
from gymnasium.vector.utils import batch_space

from envpool_rs._arguments import optional_number
from envpool_rs._errors import ClosedPoolError, NoPendingCallError, PendingCallError
from envpool_rs._facades.environments import info_row, rows_of_env

if TYPE_CHECKING:
    from typing import Literal, TypeAlias, overload

    import numpy as np
    import numpy.typing as npt
    from typing_extensions import TypeVar

    from envpool_rs._core import Out
    from envpool_rs._spec.spec import EnvSpec

    ObservationT = TypeVar("ObservationT", default=Any)
    ResetT = TypeVar("ResetT", default=Any)
    Flags: TypeAlias = npt.NDArray[np.bool_]
    Step: TypeAlias = tuple[ObservationT, npt.NDArray[np.float32], Flags, Flags, dict[str, Any]]
    WideStep: TypeAlias = tuple[ObservationT, npt.NDArray[np.float64], Flags, Flags, dict[str, Any]]
    Reset: TypeAlias = tuple[ObservationT, dict[str, Any]]
    Options: TypeAlias = Mapping[str, Any] | None
else:
    from typing import TypeVar

    ObservationT = TypeVar("ObservationT")  # type of a batch of observations: an array, or a dict or tuple of arrays
    ResetT = TypeVar("ResetT")  # type of the result of `reset`


class GymnasiumAttributes:
    """Attributes of gymnasium's environments; ``single_observation_space`` and ``single_action_space`` are those of one
    environment (one player), and ``metadata["autoreset_mode"]`` is a ``gymnasium.vector.AutoresetMode``, as is
    ``autoreset_mode``.
    """

    is_vector_env = True
    num_envs: int
    single_observation_space: Any
    single_action_space: Any
    observation_space: Any
    action_space: Any
    metadata: dict[str, Any]
    autoreset_mode: AutoresetMode

    def _set_up(self, spec: EnvSpec) -> None:
        self.num_envs, self.autoreset_mode = spec.num_envs, spec.autoreset_mode
        self.metadata = {**spec.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = self.observation_space = spec.observation_space
        self.single_action_space = self.action_space = spec.action_space


class EnvPoolResets(Generic[ResetT]):
    """EnvPool's ``seed`` and ``reset``."""

    _reset_envs: Any

    def reset(self, env_id: Any = None, *, seed: Any = None, options: Options = None, out: Out | None = None) -> ResetT:
        """Resets environments immediately, cancelling a pending autoreset.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` continues the random streams; an int gives environment ``i`` the seed ``seed + i``; a
                sequence has an entry (``None`` allowed) for each environment to reset (with a ``reset_mask``: for each
                environment of the pool).
            options: ``reset_mask`` (``(num_envs,)`` booleans) instead of ``env_id``, and the environment's reset
                options.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns observations and info of the reset environments, ``n`` rows; in async mode without ids, of the first
        ``batch_size`` environments to finish. With dm_env's interface, a time step whose ``first()`` is true.
        """
        return self._reset_envs(env_id, seed, options, out=out)  # type: ignore[no-any-return]

    def seed(self, seed: Any = None) -> Any:
        """Does nothing, as in EnvPool: seeds are set when a pool is made, or by ``reset``."""
        warnings.warn(
            f"seed({seed!r}) changes nothing, as in EnvPool: give seeds when the pool is made, or by reset(seed=...)",
            stacklevel=2,
        )


class GymnasiumInterface(EnvPoolResets["Reset[ObservationT]"], GymnasiumAttributes, Generic[ObservationT]):
    """EnvPool's gymnasium interface."""

    if TYPE_CHECKING:
        # For type checkers: at run time, `step`, `recv` and other methods are the Rust extension's.
        def step(self, action: Any, env_id: Any = None, *, out: Out | None = None) -> Step[ObservationT]: ...
        @overload
        def recv(
            self, reset: Literal[False] = False, return_info: bool = True, *, out: Out | None = None
        ) -> Step[ObservationT]: ...
        @overload
        def recv(
            self, reset: Literal[True], return_info: bool = True, *, out: Out | None = None
        ) -> Reset[ObservationT]: ...
        def recv(self, reset: bool = False, return_info: bool = True, *, out: Out | None = None) -> Any: ...


class CallTimeoutError(MultiprocessingTimeoutError, TimeoutError):
    """Raised if a pending call does not finish in time."""


class VectorInterface(GymnasiumAttributes, Generic[ObservationT]):
    """gymnasium's vector interface.

    Only one of the asynchronous calls ``reset_async``, ``step_async`` and ``call_async`` may be pending. ``step``,
    ``send`` and ``recv`` ignore pending calls. All of them reject environments that are still running a request.
    """

    _mask: npt.NDArray[np.bool_] | None = None  # mask of the pending `reset_async`
    _state = AsyncState.DEFAULT
    _answers: Future[Any] | None = None

    closed: Any
    send: Any
    call_some: Callable[..., tuple[Any, ...]]
    _recv_within: Any
    _reset_envs: Any
    _begin_reset_envs: Any
    _spec: Any

    def _set_up(self, spec: EnvSpec) -> None:
        super()._set_up(spec)
        batched, rows = spec.batched_observation_space, spec.batch_size * spec.rows
        self.observation_space = batch_space(self.single_observation_space, rows) if batched is None else batched
        self.action_space = batch_space(self.single_action_space, rows)

    if TYPE_CHECKING:
        # For type checkers: at run time, `step` is the Rust extension's method.
        def step(self, action: Any, env_id: Any = None, *, out: Out | None = None) -> WideStep[ObservationT]: ...

    def reset(self, *, seed: Any = None, options: Options = None, out: Out | None = None) -> Reset[ObservationT]:
        """Resets environments immediately, cancelling a pending autoreset; arguments are those of
        :meth:`envpool_rs.pools.GymnasiumEnvPool.reset`, where ``options["reset_mask"]`` selects environments.

        Returns observations and infos of all environments; environments that were not reset keep their observation, and
        are masked out in the infos.
        """
        self._check_idle("reset_async")
        mask = _mask_of(options)
        observation, info = self._reset_envs(None, seed, options, all_rows=mask is not None, out=out)
        if mask is not None:
            self._mask_infos(info, mask)
        return observation, info

    def _mask_infos(self, info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
        """Clears the infos of environments that a reset left out, if the backend returns infos of all."""

    def _reset_some(self, env_ids: Sequence[int], *, seed: Any = None, options: Options = None) -> tuple[Any, ...]:
        """Resets some environments, all with the same seed and options; returns each one's observation and info."""
        if not env_ids:
            return ()
        seeds = None if seed is None else [seed] * len(env_ids)
        batch, info = self._reset_envs(list(env_ids), seeds, options)
        space, rows = self.single_observation_space, int(self._spec.rows)
        # Copies, because the pool may reuse the batch's memory for its next batch.
        return tuple((rows_of_env(space, rows, batch, each), info_row(info, each)) for each in range(len(env_ids)))

    # Asynchronous calls

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"

    def reset_async(self, seed: Any = None, options: Options = None) -> None:
        """Starts a ``reset``, whose arguments it takes; raises ``gymnasium.error.AlreadyPendingCallError`` if a call is
        pending, and ``gymnasium.error.ClosedEnvironmentError`` after ``close``.
        """
        self._check_idle("reset_async")
        self._begin_reset_envs(seed, options)
        self._mask = _mask_of(options)
        self._state = AsyncState.WAITING_RESET

    def reset_wait(self, timeout: float | None = None) -> Any:
        """Waits at most ``timeout`` seconds for the pending ``reset_async``; returns the result of ``reset``.

        Raises ``gymnasium.error.NoAsyncCallError`` without a pending call, and ``multiprocessing.TimeoutError`` after
        the timeout; a later ``reset`` waits for the pending reset and then resets again.
        """
        observation, info = self._wait_for_result(AsyncState.WAITING_RESET, timeout)
        if self._mask is not None:
            self._mask_infos(info, self._mask)
        return observation, info

    def step_async(self, actions: Any) -> None:
        """Starts a ``step`` with its actions; raises the errors of ``reset_async``."""
        self._check_idle("step_async")
        self.send(actions)
        self._state = AsyncState.WAITING_STEP

    def step_wait(self, timeout: float | None = None) -> Any:
        """Waits at most ``timeout`` seconds for the pending ``step_async``; returns the result of ``step``.

        Raises the errors of ``reset_wait``; after the timeout, the result can still be received by ``recv``.
        """
        return self._wait_for_result(AsyncState.WAITING_STEP, timeout)

    def call_async(self, name: str, /, *arguments: Any, **keywords: Any) -> None:
        """Starts a ``call``, whose arguments it takes; raises the errors of ``reset_async``."""
        self._check_idle("call_async")
        future: Future[Any] = Future()

        def run() -> None:
            try:
                future.set_result(self.call_some(range(self.num_envs), name, *arguments, **keywords))
            except BaseException as error:  # raised in the thread that waits for the result
                future.set_exception(error)

        # The thread does not keep the process alive.
        threading.Thread(target=run, name="envpool_rs call_async", daemon=True).start()
        self._answers, self._state = future, AsyncState.WAITING_CALL

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Calls a method of each environment with the given arguments, or returns an attribute of each.

        ``name`` is an attribute that ``get_attr`` supports; ``"render"``, ``"reset"``, ``"get_wrapper_attr"``,
        ``"has_wrapper_attr"``, ``"set_wrapper_attr"``; or any method of environments written in Python, where dots lead
        into attributes. Any other name raises an ``AttributeError``, because environments of a native pool are not
        Python objects, and a pending call ``gymnasium.error.AlreadyPendingCallError``.
        """
        self._check_idle("call_async")
        return self.call_some(range(self.num_envs), name, *arguments, **keywords)

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment: to one value for all, or to a list's or tuple's value for each.

        ``name`` is any attribute of environments written in Python, where dots lead into attributes; for native ones a
        name that the environment itself does not define, because options and physics are fixed when the pool is made,
        and the engine owns the rest.
        """
        self._check_idle("set_attr")
        super().set_attr(name, values)  # type: ignore[misc]

    def close(self, **how: Any) -> None:
        """Frees all environments as `EnvPoolMixin.close` does; warns of a pending call without its ``*_wait``."""
        if self._state is not AsyncState.DEFAULT:  # gymnasium's warning: `close` does not wait for the call
            logger.warn(f"Calling `close` while waiting for a pending call to `{self._state.value}` to complete.")
            self._state = AsyncState.DEFAULT
        super().close(**how)  # type: ignore[misc]

    def call_wait(self, timeout: float | None = None) -> tuple[Any, ...]:
        """Waits at most ``timeout`` seconds for the pending ``call_async``; returns the result of ``call``.

        Raises the errors of ``reset_wait``.
        """
        timeout = self._checked_timeout(AsyncState.WAITING_CALL, timeout)
        assert self._answers is not None  # set by `call_async`
        # If a signal interrupts this, the call is still pending.
        has_answered = wait([self._answers], timeout).done
        answers, self._answers, self._state = self._answers, None, AsyncState.DEFAULT
        if not has_answered:
            raise CallTimeoutError(f"The call to `call_wait` has timed out after {timeout} second(s).")
        return answers.result()  # type: ignore[no-any-return]

    def _wait_for_result(self, state: AsyncState, timeout: float | None) -> Any:
        timeout = self._checked_timeout(state, timeout)
        try:
            result = self._recv_within(timeout, state is AsyncState.WAITING_RESET)
        except KeyboardInterrupt:
            raise  # after which the call is still pending
        except BaseException as error:
            self._state = AsyncState.DEFAULT
            if timeout is None or not isinstance(error, TimeoutError):
                raise
            late = f"The call to `{state.value}_wait` has timed out after {timeout} second(s)."
            raise CallTimeoutError(late) from error
        self._state = AsyncState.DEFAULT
        return result

    def _check_idle(self, name: str) -> None:
        if self._state is not AsyncState.DEFAULT:
            pending = str(self._state.value)
            message = f"Calling `{name}` while waiting for a pending call to `{pending}` to complete."
            raise PendingCallError(message, pending)

    def _checked_timeout(self, state: AsyncState, timeout: Any) -> float | None:
        """Checks that a call is pending, and its ``timeout``; returns ``None`` for one that is longer than any wait."""
        if self.closed:
            raise ClosedPoolError("this pool is closed")
        if self._state is not state:
            name = str(state.value)
            raise NoPendingCallError(f"Calling `{name}_wait` without any prior call to `{name}_async`.", name)
        seconds = optional_number("timeout", timeout, "a number of seconds or None", lambda n: not math.isnan(n))
        return None if seconds is None or seconds > threading.TIMEOUT_MAX else seconds


def _mask_of(options: Mapping[str, Any] | None) -> npt.NDArray[np.bool_] | None:
    return options.get("reset_mask") if isinstance(options, Mapping) else None
