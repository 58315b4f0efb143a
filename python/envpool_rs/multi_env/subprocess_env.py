"""``SubprocessEnv``: an environment in its own worker process, restarted if the process dies."""

from __future__ import annotations

import contextlib
import inspect
import os
import threading
import time
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping, Sequence
from multiprocessing.context import BaseContext
from typing import Any, NoReturn, TypeAlias, TypeVar

import numpy as np

from envpool_rs._arguments import functions
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs._workers import EnvFailure, Steps, WorkerDied, WorkerGroup
from envpool_rs._workers.adapters import Adapter, reset_defaults
from envpool_rs._workers.serialization import exit_text

GYM_VALUES, GYMNASIUM_VALUES = 4, 5

DEFAULT_MODE = "human"
"""Default of the argument ``mode`` of gym's ``render``."""


class HostedEnv(Adapter):
    """An environment in a worker process, with optional autoreset."""

    # Autoreset works as in `_AutoResetWrapper`; the reset after a terminal step needs no message from the caller.

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._reset_defaults = reset_defaults(env)
        self._resets_itself = False
        self._terminated = False
        self._needs_reset = False

    @classmethod
    def restarted(cls, env: Any) -> HostedEnv:
        """Wraps an environment in a restarted process, so that its first operation resets it."""
        hosted = cls(env)
        hosted._needs_reset = True
        return hosted

    def set_autoreset(self, enabled: bool, terminated: bool) -> None:
        self._resets_itself, self._terminated = enabled, terminated

    def step(self, action: Any) -> Any:
        """Runs a step; resets the environment first if its last step was terminal or its process was restarted."""
        if self._needs_reset or (self._resets_itself and self._terminated):
            self.reset()
        result = self.env.step(action)
        if self._resets_itself:
            self._terminated = _is_terminal(result)
        return result

    def reset(self, **kwargs: Any) -> Any:
        result = self.env.reset(**{**self._reset_defaults, **kwargs})
        self._terminated = self._needs_reset = False
        return result

    def render_as(self, mode: str) -> Any:
        """Calls ``render(mode)`` of gym, or ``render()`` of gymnasium if the environment was made with this mode."""
        if self._needs_reset:
            self.reset()
        if _takes_mode(self.env.render):
            return self.env.render(mode)
        made_with = getattr(self.env, "render_mode", None)
        if mode not in (DEFAULT_MODE, made_with):
            raise ValueError(
                f"mode={mode!r}: expected {made_with!r}, the render_mode that the environment was made with"
            )
        return self.env.render()

    def seed(self, seed: Any = None) -> Any:
        if self._needs_reset:
            self.reset()
        return self.env.seed(seed)


def _is_terminal(result: Any) -> bool:
    if isinstance(result, tuple) and len(result) == GYM_VALUES:
        return bool(result[2])
    if isinstance(result, tuple) and len(result) == GYMNASIUM_VALUES:
        return bool(result[2] or result[3])
    return False


def _takes_mode(render: Any) -> bool:
    try:
        return "mode" in inspect.signature(render).parameters
    except (TypeError, ValueError):  # functions written in C, without a signature
        return False


def weak_callback(method: Callable[[WorkerDied], None]) -> Callable[[WorkerDied], None]:
    """Returns a callable with a weak reference to a method's object."""
    # An object with a strong reference would never be freed, because the garbage collector cannot see references that
    # the extension holds.
    reference = weakref.WeakMethod(method)

    def call(death: WorkerDied) -> None:
        found = reference()
        if found is not None:
            found(death)

    return call


def loss_error(env: int, second: WorkerDied, first: WorkerDied | None) -> BaseException:
    """Returns the error for an environment whose process died again before its reply, or could not be started."""
    if second.__cause__ is not None and not isinstance(second.__cause__, WorkerDied):
        return second.__cause__  # the exception that the factory raised
    second.__cause__ = second.__cause__ or first
    error = RuntimeError(f"environment {env}: its process died twice in a row ({exit_text(second.exitcode)})")
    error.__cause__ = second
    return error


Result = TypeVar("Result")

Errors: TypeAlias = dict[int, BaseException]
"""Exceptions by environment."""

WAIT_SECONDS = 0.05
"""Time in seconds that a thread waits for replies before it checks whether other threads need the workers."""

POLL_SECONDS = (5e-5, 1e-3)
"""Shortest and longest pause, in seconds, between a thread's checks if several threads use the workers."""

CLOSE_SECONDS = 5.0
"""Time in seconds that environments have for closing."""

INTERRUPTED_SECONDS = 1.0
"""Time in seconds that environments have for closing if an interrupted call is still in flight; short, because the user
pressed Ctrl-C.
"""


class EnvProcesses:
    """A `WorkerGroup` that retries requests of dead processes, and that several threads may use at once."""

    # If a process dies, it is restarted with its environments, each environment is reset, and its request is sent
    # again. If the new process dies before it replies, an error is raised, and the next request restarts the process
    # again. Threads use different environments.

    def __init__(
        self, env_fns: Sequence[Callable[[], Any]], num_workers: int | None, context: str | BaseContext | None
    ) -> None:
        self._env_fns = list(env_fns)
        self._num_workers = len(self._env_fns) if num_workers is None else num_workers
        self._context = context
        self._group: WorkerGroup | None = None
        self._all_ids = np.arange(len(self._env_fns))
        self._autoreset_envs: set[int] = set()  # environments whose worker performs autoreset
        self._open = set(range(len(self._env_fns)))
        self._lock = threading.RLock()
        # Only one thread at a time uses the group: every access, including waits, holds this lock.
        self._use = threading.Lock()
        self._is_contended = False
        self._pid = os.getpid()
        self._deaths: dict[int, WorkerDied] = {}  # restarted environments without a reply so far
        self._warnings: list[str] = []
        self.is_initialized = False
        self.restarts = [0] * len(self._env_fns)

    # --- starting -----------------------------------------------------------------------------------------------------

    @property
    def is_started(self) -> bool:
        return self._group is not None

    @property
    def workers(self) -> WorkerGroup:
        assert self._group is not None  # callers have checked that the processes were started
        return self._group

    def start(self) -> None:
        """Starts the processes, which make the environments; does not wait for them."""
        with self._lock:
            if self._group is None:
                self._group = self._new_group()

    def _new_group(self) -> WorkerGroup:
        # With these options, results of environments are unchanged, and environments have their own interface, gym's or
        # gymnasium's.
        return WorkerGroup(
            self._env_fns,
            num_workers=self._num_workers,
            context=self._context,
            lenient=True,
            adapt=False,
            restart="retry",
            on_restart=weak_callback(self._record_restart),
            wrap=HostedEnv,
            wrap_restarted=HostedEnv.restarted,
            start=False,
        )

    def initialize(self) -> None:
        """Waits until all environments are made; restarts processes that died meanwhile, once."""
        with self._lock:
            if self._group is None or self.is_initialized:
                return
            if self._group.closed:  # the last attempt failed
                self._group = self._new_group()
            try:
                self._group.initialize()
            except WorkerDied as first:
                self._group = self._new_group()
                try:
                    self._group.initialize()
                except WorkerDied as death:
                    reason = "a process died twice in a row while it made its environment"
                    raise RuntimeError(f"{reason}: {death}") from death
                for env in first.env_ids:
                    self._count_restart(env, first)
            self.is_initialized = True
        self._warn()

    # --- requests -----------------------------------------------------------------------------------------------------

    def send_steps(self, envs: Sequence[int], actions: Sequence[Any], terminated: Sequence[bool] | None) -> None:
        """Sends actions to environments, in ascending order.

        ``terminated`` says whether the last step of each was terminal, so that the next step first resets it; ``None``
        for environments without autoreset.
        """
        if len(self._autoreset_envs) != (0 if terminated is None else len(self._env_fns)):
            self._delegate_resets(envs, terminated)
        ids = self._array(envs)
        self._send(envs, lambda group: group.send_steps(ids, actions))

    def send_calls(self, envs: Sequence[int], operation: str, arguments: Sequence[Any]) -> None:
        """Sends a call to environments."""
        ids = self._array(envs)
        self._send(envs, lambda group: group.send_calls(ids, operation, arguments))

    def _delegate_resets(self, envs: Sequence[int], terminated: Sequence[bool] | None) -> None:
        """Switches autoreset on or off in the environments whose setting differs from the requested one."""
        enables = terminated is not None
        flags = [False] * len(envs) if terminated is None else terminated
        pairs = zip(envs, flags, strict=True)
        changes = {env: bool(flag) for env, flag in pairs if (env in self._autoreset_envs) is not enables}
        if changes:
            calls: list[Any] = [("set_autoreset", (enables, flag), {}) for flag in changes.values()]
            self.send_calls(list(changes), "call", calls)
            results, _ = self._values(list(changes))
            change = self._autoreset_envs.update if enables else self._autoreset_envs.difference_update
            change(results)

    def _array(self, envs: Sequence[int]) -> np.ndarray[Any, Any]:
        # Environments are ascending and unique, so a list of full length contains all of them.
        return self._all_ids if len(envs) == len(self._all_ids) else np.array(envs, np.int64)

    def _send(self, envs: Sequence[int], send: Callable[[WorkerGroup], None]) -> None:
        if len(self._open) != len(self._env_fns):
            for env in envs:
                if env not in self._open:
                    raise ValueError(f"environment {env} is closed")
        group = self.workers
        try:
            self._locked(send)
        except WorkerDied:
            raise
        except RuntimeError:
            # `group` has sent no request of this call. Environments in flight still run requests whose caller was
            # interrupted.
            left = [env for env in envs if not group.is_ready(env)]
            if not left:
                raise
            for env in left:
                self._finished([env], group.discard)
            self._locked(send)

    def _locked(self, send: Callable[[WorkerGroup], None]) -> None:
        self._is_contended = self._is_contended or self._use.locked()
        with self._use:
            send(self.workers)

    # --- replies ------------------------------------------------------------------------------------------------------

    def take_steps(self, envs: Sequence[int]) -> tuple[Steps, Errors]:
        """Waits for steps; returns their results, and the exceptions of environments that failed."""
        steps = self._finished(envs, self.workers.take_steps)
        errors = self._errors(envs, steps.failures)
        self._warn()
        return steps, errors

    def take_values(self, envs: Sequence[int]) -> tuple[dict[int, Any], Errors]:
        """Waits for calls; returns the results, and the exceptions of environments that failed."""
        values = self._values(envs)
        self._warn()
        return values

    def _values(self, envs: Sequence[int]) -> tuple[dict[int, Any], Errors]:
        values = dict(zip(envs, self._finished(envs, self.workers.take_values), strict=True))
        failures = {env: value for env, value in values.items() if isinstance(value, EnvFailure)}
        return {env: value for env, value in values.items() if env not in failures}, self._errors(envs, failures)

    def step(self, env: int, action: Any) -> Any:
        """Steps one environment; returns gym's four values or gymnasium's five, as its ``step`` did."""
        self.send_steps([env], [action], None)
        steps, errors = self.take_steps([env])
        if errors:
            raise errors[env]
        reward = steps.odd_rewards[0] if steps.odd_rewards else float(steps.rewards[0])
        terminated, truncated = bool(steps.terminated[0]), bool(steps.truncated[0])
        flags = (terminated or truncated,) if steps.has_four_values(0) else (terminated, truncated)
        return steps.observation(0), reward, *flags, {} if steps.infos is None else steps.infos[0]

    def call(self, env: int, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        """Calls a method of `HostedEnv` in one environment."""
        self.send_calls([env], "call", [(method, arguments, keywords)])
        results, errors = self.take_values([env])
        if errors:
            raise errors[env]
        return results[env]

    def _finished(self, envs: Sequence[int], take: Callable[[np.ndarray[Any, Any]], Result]) -> Result:
        """Waits until all environments have replied, and returns the result of ``take``. Other threads may use the
        workers during the wait.
        """
        ids, group = self._array(envs), self.workers
        pause, longest = POLL_SECONDS
        while True:
            self._is_contended = self._is_contended or self._use.locked()
            with self._use:
                done = group.wait(ids, len(envs), 0.0 if self._is_contended else WAIT_SECONDS)
                if len(done) == len(envs):
                    return take(ids)
                flying = set(group.in_flight.tolist())
                for env in envs:
                    if env not in flying:
                        raise RuntimeError(f"environment {env} is in use by another thread, which took its answer")
            if self._is_contended:
                time.sleep(pause)
                pause = min(2 * pause, longest)

    # --- deaths -------------------------------------------------------------------------------------------------------

    def _record_restart(self, death: WorkerDied) -> None:
        """Records the restart of a process; the worker group calls this method inside its own methods."""
        for env in death.env_ids:
            self._deaths.setdefault(env, death)
            self._autoreset_envs.discard(env)

    def _errors(self, envs: Sequence[int], failures: Mapping[int, EnvFailure]) -> Errors:
        """Returns exceptions of environments; counts the restarts of environments that have replied."""
        errors: Errors = {}
        for env in envs if failures or self._deaths else ():
            failure, death = failures.get(env), self._deaths.get(env)
            # An `EnvFailure` without a traceback means a lost process; an environment itself may raise any exception,
            # even WorkerDied.
            if failure is not None and isinstance(failure.exception, WorkerDied) and not failure.traceback:
                errors[env] = loss_error(env, failure.exception, death)
                continue
            if death is not None:
                self._count_restart(env, self._deaths.pop(env))
            if failure is not None:
                errors[env] = failure.raised()
        return errors

    def _count_restart(self, env: int, death: WorkerDied) -> None:
        self.restarts[env] += 1
        self._warnings.append(
            f"environment {env}: its process died ({exit_text(death.exitcode)}); it was restarted and reset "
            f"(restart {self.restarts[env]})"
        )

    def _warn(self) -> None:
        # Warnings are issued last, so that the call's work is complete even if warnings are turned into errors.
        messages, self._warnings = self._warnings, []
        for message in messages:
            warnings.warn(message, RuntimeWarning, stacklevel=4)

    def __reduce__(self) -> NoReturn:
        raise TypeError("cannot copy or pickle environments that live in worker processes")

    # --- end ----------------------------------------------------------------------------------------------------------

    def close(self, envs: Sequence[int]) -> None:
        """Closes environments, and ends processes without open environments; does nothing in a forked process."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            leaving = set(envs)
            if self._group is None or not self.is_initialized or not self._open - leaving:
                self._open -= leaving
                self._end()
                return
            # An environment that still runs an interrupted call is not closed; it ends with the group's processes.
            reachable = [env for env in envs if self._group.is_ready(env)]
            self.send_calls(reachable, "close", [None] * len(reachable))
            self._open -= leaving
            _, failed = self._values(reachable)
        errors = {env: error for env, error in failed.items() if not isinstance(error.__cause__, WorkerDied)}
        if errors:
            raise errors[min(errors)]

    def _end(self) -> None:
        """Ends the processes if no environment is open."""
        if self._group is None or self._open:
            return
        if not self.is_initialized:
            with contextlib.suppress(Exception):
                self._group.close(terminate=True)
            return
        with self._use:
            self._group.close(INTERRUPTED_SECONDS if len(self._group.in_flight) else CLOSE_SECONDS)


def _described(name: str, default: Callable[[], Any], text: str) -> property:
    """Returns a property with an entry of the environment's description, which is missing before ``initialize``."""

    def get(env: SubprocessEnv) -> Any:
        processes = env._processes
        found = processes.workers.descriptions[env._index].get(name) if processes.is_initialized else None
        return default() if found is None else found

    return property(get, doc=text)


class SubprocessEnv(KnownAttributes, EnvironmentBase):  # type: ignore[misc]
    """An environment in its own process, so that it runs in parallel with others.

    ``env_fn`` makes the environment; it is called in the worker process at each start. A lambda or closure needs the
    start method "fork", or the package cloudpickle. ``context`` is the start method of the process: ``"fork"``,
    ``"spawn"``, ``"forkserver"`` or one of multiprocessing's contexts; ``None`` for its default.

    ``start()`` starts the process without waiting. ``initialize()`` waits until the environment is made, and receives
    its spaces; then the environment can be used. Because starting and waiting are two methods,
    ``create_subprocess_envs`` starts all environments before it waits for any. A call before ``start`` or
    ``initialize``, or after ``close``, raises a ``ValueError``.

    If the process dies, it is restarted, the environment is reset, and the request is sent again; ``restarts`` counts
    these restarts, and a ``RuntimeWarning`` reports each. If the new process also dies before it replies, a
    ``RuntimeError`` with the cause is raised. An exception of the environment itself is raised in the calling process,
    with the worker's traceback as its cause; it causes no restart.
    """

    def __init__(self, env_fn: Callable[[], Any], *, context: str | BaseContext | None = None) -> None:
        if not callable(env_fn):
            raise TypeError(f"env_fn={env_fn!r}: expected a function that makes an environment")
        self._become(EnvProcesses([env_fn], None, context), 0)

    def _become(self, processes: EnvProcesses, index: int) -> None:
        self._processes = processes
        self._index = index
        self._is_closed = False

    def start(self) -> None:
        """Starts the process without waiting; does nothing if it is started already.

        Raises a ``TypeError`` if ``env_fn`` cannot be sent to a process.
        """
        self._check_open("start()")
        self._processes.start()

    def initialize(self) -> None:
        """Waits until the environment is made; does nothing if it is initialized already.

        Raises an exception of ``env_fn``, and a ``RuntimeError`` if the process died twice in a row.
        """
        self._check_started("initialize()")
        self._processes.initialize()

    def close(self) -> None:
        """Closes the environment and ends its process.

        The processes of one ``create_subprocess_envs`` end with the last of their environments. An exception of the
        environment's ``close`` is raised after the process has ended.
        """
        self._check_started("close()")
        self._is_closed = True
        self._processes.close([self._index])

    def _check_open(self, method: str) -> None:
        if self._is_closed:
            raise ValueError(f"{method}: this environment is closed")

    def _check_started(self, method: str) -> None:
        self._check_open(method)
        if not self._processes.is_started:
            raise ValueError(f"{method}: the process is not started: call start() first")

    def _check_initialized(self, method: str) -> None:
        if self._is_closed or not self._processes.is_initialized:
            self._check_started(method)
            raise ValueError(f"{method}: the environment is not initialized: call initialize() first")

    @property
    def observation_space(self) -> Any:
        """The environment's observation space."""
        self._check_initialized("observation_space")
        return self._processes.workers.observation_spaces[self._index]

    @property
    def action_space(self) -> Any:
        """The environment's action space."""
        self._check_initialized("action_space")
        return self._processes.workers.action_spaces[self._index]

    metadata = _described("metadata", dict, "The environment's metadata; empty before ``initialize``.")
    spec = _described(
        "spec", lambda: None, "The environment's specification; ``None`` before ``initialize``, or if it has none."
    )
    render_mode = _described(
        "render_mode", lambda: None, "The environment's render mode; ``None`` before ``initialize``, or if it has none."
    )
    reward_range = _described(
        "reward_range",
        lambda: (-float("inf"), float("inf")),
        "The environment's bounds of rewards; infinite before ``initialize``, or if it has none.",
    )

    @property
    def restarts(self) -> int:
        """The number of restarts after deaths of the process."""
        return self._processes.restarts[self._index]

    def step(self, action: Any) -> Any:
        """Steps the environment; returns the result of its ``step``: gym's four values or gymnasium's five."""
        self._check_initialized("step()")
        return self._processes.step(self._index, action)

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment; ``kwargs`` are the arguments of its ``reset``.

        Returns the result of its ``reset``: an observation, or gymnasium's ``(observation, info)``.
        """
        self._check_initialized("reset()")
        return self._processes.call(self._index, "reset", (), kwargs)

    def render(self, mode: str = DEFAULT_MODE) -> Any:
        """Returns the result of the environment's ``render``.

        ``mode`` is the argument of gym's ``render(mode)``. Environments of gymnasium have one mode from their
        construction; another one raises a ``ValueError``.
        """
        self._check_initialized("render()")
        return self._processes.call(self._index, "render_as", (mode,), {})

    def seed(self, seed: Any = None) -> Any:
        """Calls the environment's ``seed``, which exists in gym before 0.26, with its argument ``seed``.

        Raises an ``AttributeError`` for environments that are seeded by ``reset(seed=...)``.
        """
        self._check_initialized("seed()")
        return self._processes.call(self._index, "seed", (seed,), {})

    def __str__(self) -> str:
        return f"<{type(self).__name__} {self._index}>"


def create_subprocess_envs(
    env_fns: Iterable[Callable[[], Any]],
    *,
    num_workers: int | None = None,
    context: str | BaseContext | None = None,
) -> list[SubprocessEnv]:
    """Makes environments in worker processes, all at the same time; returns them started and initialized.

    The environments share one block of memory, so that ``MultiEnv`` steps all of them with one message.

    Args:
        env_fns: functions that each make one environment, called in the worker processes; they must not make a
            ``SubprocessEnv``.
        num_workers: number of processes; ``None`` for one per environment, so that no environment waits for another.
            One process per core is faster if all environments are stepped together and steps take equally long; if such
            a process dies, several environments are lost.
        context: start method of the processes, as for ``SubprocessEnv``.

    Raises:
        ValueError: if ``env_fns`` is empty; for ``num_workers`` out of range.
        TypeError: for a function that is not callable, or cannot be sent to a process, naming its index.
        Exception: a function's exception, naming its index; all processes are ended then.
    """
    env_fns = functions("env_fns", env_fns)
    processes = EnvProcesses(env_fns, num_workers, context)
    processes.start()
    processes.initialize()
    envs = [SubprocessEnv.__new__(SubprocessEnv) for _ in env_fns]
    for index, env in enumerate(envs):
        env._become(processes, index)
    return envs
