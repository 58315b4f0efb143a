"""Environments in worker processes, with the interface of actorcritic's ``multi_env``.

``create_subprocess_envs`` makes environments in worker processes behind shared memory. ``MultiEnv`` steps all of them
at the same time and resets each when its episode ends. ``SubprocessEnv`` is a single environment in a process.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import os
import threading
import time
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from multiprocessing.context import BaseContext
from typing import Any, NoReturn, TypeAlias

import numpy as np

from envpool_rs._arguments import functions, seeds_of
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import owned
from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs._workers import EnvFailure, Steps, WorkerDied, WorkerGroup
from envpool_rs._workers.adapters import Adapter, parameters_of, read_reset
from envpool_rs._workers.serialization import exit_text, reduced

__all__ = ["MultiEnv", "SubprocessEnv", "_AutoResetWrapper", "create_subprocess_envs"]

_GYM_VALUES, _GYMNASIUM_VALUES = 4, 5

_DEFAULT_MODE = "human"  # of the argument `mode` of gym's `render`
_TRUNCATED = "TimeLimit.truncated"  # in an info: whether a time limit and not the environment's rules ended the episode

Errors: TypeAlias = dict[int, BaseException]  # by environment


class HostedEnv(Adapter):
    """An environment in a worker process, with the autoreset of `_AutoResetWrapper`."""

    def __init__(self, env: Any, *, is_restarted: bool = False) -> None:
        super().__init__(env)
        self._is_restarted = is_restarted  # whether its process was restarted, so that its first operation resets it
        self._is_terminated = False

    def continue_episode(self) -> None:
        self._is_terminated = False

    def step(self, action: Any) -> Any:
        """Runs a step; resets the environment first if its last step was terminal or its process was restarted."""
        if self._is_terminated or self._is_restarted:
            self.reset()
        result = self.env.step(action)
        is_known = isinstance(result, tuple) and len(result) in (_GYM_VALUES, _GYMNASIUM_VALUES)
        self._is_terminated = is_known and any(result[2:-1])
        return result

    def reset(self, **keywords: Any) -> Any:
        result = super().reset(**keywords)
        self._is_terminated = self._is_restarted = False
        return result

    def render_as(self, mode: str) -> Any:
        """Calls ``render(mode)`` of gym, or ``render()`` of gymnasium if the environment was made with this mode."""
        if self._is_restarted:
            self.reset()
        if "mode" in parameters_of(self.env.render):
            return self.env.render(mode)
        made_with = getattr(self.env, "render_mode", None)
        if mode not in (_DEFAULT_MODE, made_with):
            raise ValueError(
                f"mode={mode!r}: expected {made_with!r}, the render_mode that the environment was made with"
            )
        return self.env.render()

    def seed(self, seed: Any = None) -> Any:
        if self._is_restarted:
            self.reset()
        return self.env.seed(seed)


WAIT_SECONDS = 0.05  # of a thread for replies, before it checks whether other threads need the workers
POLL_SECONDS = (5e-5, 1e-3)  # shortest and longest pause between checks if several threads use the workers
CLOSE_SECONDS = 5.0  # for environments to close
INTERRUPTED_SECONDS = 1.0  # the same if an interrupted call is still in flight, because the user pressed Ctrl-C


class EnvProcesses:
    """A `WorkerGroup` that retries requests of dead processes, and that several threads may use at once."""

    # If a process dies, it is restarted with its environments, each environment is reset, and its request is sent
    # again. If the new process dies before it replies, an error is raised, and the next request restarts the process
    # again. Threads use different environments.

    def __init__(
        self, env_fns: Sequence[Callable[[], Any]], num_workers: int | None, context: str | BaseContext | None
    ) -> None:
        count = len(env_fns)
        self._deaths: dict[int, WorkerDied] = {}  # restarted environments without a reply so far
        self._new_deaths: list[WorkerDied] = []
        # With these options, results of environments are unchanged, and environments have their own interface, gym's or
        # gymnasium's. The extension holds `on_restart`, which must not refer to this object: the garbage collector does
        # not see references that the extension holds.
        self._make_group = partial(
            WorkerGroup,
            list(env_fns),
            num_workers=count if num_workers is None else num_workers,
            context=context,
            lenient=True,
            adapt=False,
            restart="retry",
            on_restart=self._new_deaths.append,
            wrap=HostedEnv,
            wrap_restarted=partial(HostedEnv, is_restarted=True),
            start=False,
        )
        self.group: Any = None  # a `WorkerGroup`, once the processes are started
        self.is_initialized = False
        self.is_terminated = [False] * count  # whether the next step may reset the environment
        self.restarts = [0] * count
        self._all_ids = np.arange(count)
        self._open = set(range(count))
        self._lock = threading.RLock()
        # Only one thread at a time uses the group: every access, including waits, holds this lock.
        self._use = threading.Lock()
        self._is_contended = False
        self._pid = os.getpid()
        self._warnings: list[str] = []

    def start(self) -> None:
        with self._lock:
            if self.group is None:
                self.group = self._make_group()

    def initialize(self) -> None:
        """Waits until all environments are made; restarts processes that died meanwhile, once."""
        with self._lock:
            if self.group is None or self.is_initialized:
                return
            if self.group.closed:  # the last attempt failed
                self.group = self._make_group()
            try:
                self.group.initialize()
            except WorkerDied as first:
                self.group = self._make_group()
                try:
                    self.group.initialize()
                except WorkerDied as death:
                    reason = "a process died twice in a row while it made its environment"
                    raise RuntimeError(f"{reason}: {death}") from death
                for env in first.env_ids:
                    self._count_restart(env, first)
            self.is_initialized = True
        self._warn()

    def send(self, send: Callable[..., None], envs: Sequence[int], *arguments: Any) -> None:
        """Sends a request to environments, in ascending order, by a method of the group."""
        for env in envs if len(self._open) != len(self._all_ids) else ():
            if env not in self._open:
                raise ValueError(f"environment {env} is closed")
        # A refused call has sent no request. Environments in flight still run requests whose caller was interrupted.
        for is_last in (False, True):
            self._is_contended = self._is_contended or self._use.locked()
            try:
                with self._use:
                    return send(self._array(envs), *arguments)
            except WorkerDied:
                raise
            except RuntimeError:
                busy = [env for env in envs if not self.group.is_ready(env)]
                if is_last or not busy:
                    raise
                for env in busy:
                    self._finish([env], self.group.discard)
                    self.is_terminated[env] = True  # the discarded step may have been terminal

    def _array(self, envs: Sequence[int]) -> np.ndarray[Any, Any]:
        # Environments are ascending and unique, so a list of full length contains all of them.
        return self._all_ids if len(envs) == len(self._all_ids) else np.array(envs, np.int64)

    def _finish(self, envs: Sequence[int], take: Callable[[np.ndarray[Any, Any]], Any]) -> Any:
        """Waits for all replies, while other threads may use the workers; returns the result of ``take``."""
        ids, group = self._array(envs), self.group
        pause, longest = POLL_SECONDS
        while True:
            self._is_contended = self._is_contended or self._use.locked()
            with self._use:
                done = group.wait(ids, len(envs), 0.0 if self._is_contended else WAIT_SECONDS)
                if len(done) == len(envs):
                    for death in self._new_deaths:
                        for env in death.env_ids:
                            self._deaths.setdefault(env, death)
                    self._new_deaths.clear()
                    return take(ids)
                flying = set(group.in_flight.tolist())
                for env in envs:
                    if env not in flying:
                        raise RuntimeError(f"environment {env} is in use by another thread, which took its answer")
            if self._is_contended:
                time.sleep(pause)
                pause = min(2 * pause, longest)

    def take(self, envs: Sequence[int], take: Callable[[np.ndarray[Any, Any]], Any]) -> tuple[Any, Errors]:
        """Waits for requests; returns the result of ``take`` and the exceptions of failures; reports restarts."""
        taken = self._finish(envs, take)
        failures: Mapping[int, EnvFailure] = (
            taken.failures
            if isinstance(taken, Steps)
            else {env: value for env, value in zip(envs, taken, strict=True) if isinstance(value, EnvFailure)}
        )
        errors: Errors = {}
        for env in envs if failures or self._deaths else ():
            failure, first = failures.get(env), self._deaths.get(env)
            # An `EnvFailure` without a traceback means a lost process; an environment itself may raise any exception,
            # even WorkerDied.
            second = failure.exception if failure is not None and not failure.traceback else None
            if isinstance(second, WorkerDied):  # again, before its reply; or it could not be started
                cause = second.__cause__ = second.__cause__ or first
                if cause is not None and not isinstance(cause, WorkerDied):  # the exception of the factory
                    errors[env] = cause
                else:
                    code = exit_text(second.exitcode)
                    errors[env] = RuntimeError(f"environment {env}: its process died twice in a row ({code})")
                    errors[env].__cause__ = second
                continue
            if first is not None:
                self._count_restart(env, self._deaths.pop(env))
            if failure is not None:
                errors[env] = failure.raised()
        self._warn()
        return taken, errors

    def step(self, env: int, action: Any) -> Any:
        """Steps one environment; returns gym's four values or gymnasium's five, as its ``step`` did."""
        if self.is_terminated[env]:
            self.call(env, "continue_episode", (), {})
        self.send(self.group.send_steps, [env], [action])
        steps, errors = self.take([env], self.group.take_steps)
        if errors:
            raise errors[env]
        reward = steps.odd_rewards[0] if steps.odd_rewards else float(steps.rewards[0])
        terminated, truncated = bool(steps.terminated[0]), bool(steps.truncated[0])
        self.is_terminated[env] = terminated or truncated
        flags = (terminated or truncated,) if steps.has_four_values(0) else (terminated, truncated)
        return steps.observation(0), reward, *flags, {} if steps.infos is None else steps.infos[0]

    def call(self, env: int, method: str, arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        self.send(self.group.send_calls, [env], "call", [(method, arguments, keywords)])
        values, errors = self.take([env], self.group.take_values)
        if errors:
            raise errors[env]
        return values[0]

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

    def close(self, envs: Sequence[int]) -> None:
        """Closes environments, and ends processes without open environments; does nothing in a forked process."""
        if os.getpid() != self._pid:
            return
        with self._lock:
            left = self._open - set(envs)
            if not left or not self.is_initialized:
                self._open = left
                if self.is_initialized:
                    with self._use:
                        self.group.close(INTERRUPTED_SECONDS if len(self.group.in_flight) else CLOSE_SECONDS)
                elif not left and self.group is not None:
                    with contextlib.suppress(Exception):
                        self.group.close(terminate=True)
                return
            # An environment that still runs an interrupted call is not closed; it ends with the group's processes.
            reachable = [env for env in envs if self.group.is_ready(env)]
            self.send(self.group.send_calls, reachable, "close", [None] * len(reachable))
            self._open = left
            _, failed = self.take(reachable, self.group.take_values)
        _raise_first({env: error for env, error in failed.items() if not isinstance(error.__cause__, WorkerDied)})


def _raise_first(errors: Errors) -> None:
    if errors:
        raise errors[min(errors)]


def _optional(name: str, default: Callable[[], Any], value: str) -> property:
    """Returns a property with an attribute of the environment, which gym's base class would define otherwise."""

    def get(env: EnvironmentAttributes) -> Any:
        found = env._attribute(name)
        return default() if found is None else found

    return property(get, doc=f"The environment's {name.replace('_', ' ')}; {value} if it has none.")


class EnvironmentAttributes(KnownAttributes):
    """Mixin with attributes of an environment that is somewhere else."""

    metadata = _optional("metadata", dict, "empty")
    spec = _optional("spec", lambda: None, "``None``")
    render_mode = _optional("render_mode", lambda: None, "``None``")
    reward_range = _optional("reward_range", lambda: (-float("inf"), float("inf")), "infinite")

    def _attribute(self, name: str) -> Any:
        raise NotImplementedError


class SubprocessEnv(EnvironmentAttributes, EnvironmentBase):  # type: ignore[misc]
    """An environment in its own process, so that it runs in parallel with others.

    ``env_fn`` makes the environment; it is called in the worker process at each start. A lambda or closure needs the
    start method "fork", or the package cloudpickle. ``context`` is the start method of the process: ``"fork"``,
    ``"spawn"``, ``"forkserver"`` or one of multiprocessing's contexts; ``None`` for its default.

    ``start()`` starts the process without waiting; ``initialize()`` waits until the environment is made, which then can
    be used. So ``create_subprocess_envs`` starts all environments before it waits for any. A call before ``start`` or
    ``initialize``, or after ``close``, raises a ``ValueError``.

    If the process dies, it is restarted, the environment is reset, and the request is sent again; ``restarts`` counts
    these restarts, and a ``RuntimeWarning`` reports each. If the new process also dies before it replies, a
    ``RuntimeError`` with the cause is raised. An exception of the environment itself is raised in the calling process,
    with the worker's traceback as its cause; it causes no restart.
    """

    def __init__(self, env_fn: Callable[[], Any], *, context: str | BaseContext | None = None) -> None:
        if not callable(env_fn):
            raise TypeError(f"env_fn={env_fn!r}: expected a function that makes an environment")
        self._processes, self._index, self._is_closed = EnvProcesses([env_fn], None, context), 0, False

    def start(self) -> None:
        """Starts the process, once, without waiting; raises a ``TypeError`` if ``env_fn`` cannot be sent to it."""
        self._check("start()")
        self._processes.start()

    def initialize(self) -> None:
        """Waits for the environment, once; raises ``env_fn``'s exception, or RuntimeError if its process died twice."""
        self._check("initialize()", started=True)
        self._processes.initialize()

    def close(self) -> None:
        """Closes the environment and ends its process, or with the last environment the processes of one
        ``create_subprocess_envs``. An exception of the environment's ``close`` is raised after that.
        """
        self._check("close()", started=True)
        self._is_closed = True
        self._processes.close([self._index])

    def _check(self, method: str, *, started: bool = False, initialized: bool = False) -> None:
        if self._is_closed:
            raise ValueError(f"{method}: this environment is closed")
        if (started or initialized) and self._processes.group is None:
            raise ValueError(f"{method}: the process is not started: call start() first")
        if initialized and not self._processes.is_initialized:
            raise ValueError(f"{method}: the environment is not initialized: call initialize() first")

    @property
    def observation_space(self) -> Any:
        """The environment's observation space."""
        self._check("observation_space", initialized=True)
        return self._processes.group.observation_spaces[self._index]

    @property
    def action_space(self) -> Any:
        """The environment's action space."""
        self._check("action_space", initialized=True)
        return self._processes.group.action_spaces[self._index]

    def _attribute(self, name: str) -> Any:
        processes = self._processes
        return processes.group.descriptions[self._index].get(name) if processes.is_initialized else None

    @property
    def restarts(self) -> int:
        """The number of restarts after deaths of the process."""
        return self._processes.restarts[self._index]

    def step(self, action: Any) -> Any:
        """Steps the environment; returns the result of its ``step``: gym's four values or gymnasium's five."""
        self._check("step()", initialized=True)
        return self._processes.step(self._index, action)

    def reset(self, **kwargs: Any) -> Any:
        """Resets with the arguments ``kwargs``; returns an observation, or gymnasium's ``(observation, info)``."""
        self._check("reset()", initialized=True)
        result = self._processes.call(self._index, "reset", (), kwargs)
        self._processes.is_terminated[self._index] = False
        return result

    def render(self, mode: str = _DEFAULT_MODE) -> Any:
        """Returns the result of the environment's ``render``. ``mode`` is the argument of gym's ``render(mode)``;
        gymnasium's environments raise a ``ValueError`` for another mode than the one they were made with.
        """
        self._check("render()", initialized=True)
        return self._processes.call(self._index, "render_as", (mode,), {})

    def seed(self, seed: Any = None) -> Any:
        """Calls ``seed(seed)`` (gym before 0.26); an ``AttributeError`` if ``reset(seed=...)`` seeds instead."""
        self._check("seed()", initialized=True)
        return self._processes.call(self._index, "seed", (seed,), {})

    def __str__(self) -> str:
        return f"<{type(self).__name__} {self._index}>"


def create_subprocess_envs(
    env_fns: Iterable[Callable[[], Any]], *, num_workers: int | None = None, context: str | BaseContext | None = None
) -> list[SubprocessEnv]:
    """Makes environments in worker processes, all at the same time; returns them started and initialized.

    The environments share one block of memory, so that ``MultiEnv`` steps all of them with one message. ``env_fns`` are
    functions that each make one environment, called in the worker processes; they must not make a ``SubprocessEnv``.
    ``num_workers`` is the number of processes; ``None`` for one per environment, so that no environment waits for
    another. One process per core is faster if all environments are stepped together and steps take equally long; if
    such a process dies, several environments are lost. ``context`` is as for ``SubprocessEnv``.

    Raises a ``ValueError`` if ``env_fns`` is empty and for ``num_workers`` out of range, a ``TypeError`` for a function
    that is not callable or cannot be sent to a process, and a function's exception; both name its index, and all
    processes are ended then.
    """
    env_fns = functions("env_fns", env_fns)
    processes = EnvProcesses(env_fns, num_workers, context)
    processes.start()
    processes.initialize()
    envs = [SubprocessEnv.__new__(SubprocessEnv) for _ in env_fns]
    for index, env in enumerate(envs):
        env._processes, env._index, env._is_closed = processes, index, False
    return envs


def four_values(result: Any) -> tuple[Any, Any, bool, Any]:
    """Converts a ``step``'s result to ``(observation, reward, terminal, info)``."""
    # gym's four values stay unchanged. For gymnasium's five, `terminal` is terminated or truncated, and the info of a
    # terminal step has "TimeLimit.truncated": whether it was only truncated.
    if isinstance(result, tuple) and len(result) == _GYM_VALUES:
        return result
    if isinstance(result, tuple) and len(result) == _GYMNASIUM_VALUES:
        observation, reward, terminated, truncated, info = result
        if terminated or truncated:
            return observation, reward, True, {**info, _TRUNCATED: bool(truncated and not terminated)}
        return observation, reward, False, info
    described = f"a tuple of {len(result)}" if isinstance(result, tuple) else f"an object of {type(result).__name__}"
    raise ValueError(
        f"step returned {described}: expected (observation, reward, terminal, info) or "
        "(observation, reward, terminated, truncated, info)"
    )


def four_values_of_rows(steps: Steps, space: Any) -> Iterator[tuple[Any, ...]]:
    terminals = (steps.terminated | steps.truncated).tolist()
    infos = [{} for _ in terminals] if steps.infos is None else list(steps.infos)
    if True in terminals:
        for row, terminal in enumerate(terminals):
            if terminal and not steps.has_four_values(row):
                infos[row] = {**infos[row], _TRUNCATED: not bool(steps.terminated[row])}
    rewards = steps.rewards.tolist()
    for row, reward in steps.odd_rewards.items():
        rewards[row] = reward
    leaves = steps.leaves
    is_array = leaves is not None and len(leaves) == 1 and leaves[0].ndim > 1 and not hasattr(space, "spaces")
    # Rows of an array need not be copied, because the caller owns the memory of the batch that it took.
    observations: Any = leaves[0] if leaves is not None and is_array and steps.in_rows else None
    if observations is None:
        observations = [steps.observation(row) for row in range(len(steps.ids))]
    return zip(observations, rewards, terminals, infos, strict=True)


class _AutoResetWrapper(EnvironmentAttributes, Adapter, EnvironmentBase):  # type: ignore[misc]
    """Wrapper that resets an environment in the step after a terminal step.

    A terminal step returns its own observation. The next step resets, discards that observation, and applies the
    action. Steps return gym's four values, and resets return only the observation, for both interfaces. All other
    attributes are forwarded to the environment.

    Attributes:
        env: the environment of gym or gymnasium, or any object with their ``reset``, ``step`` and ``close``.
    """

    _terminated = False

    # Attributes that gym's base class would define otherwise.
    observation_space = property(lambda self: self.env.observation_space, doc="The environment's observation space.")
    action_space = property(lambda self: self.env.action_space, doc="The environment's action space.")
    np_random = property(lambda self: self.env.np_random, doc="The environment's random generator.")

    def _attribute(self, name: str) -> Any:
        return getattr(self.env, name, None)

    def step(self, action: Any) -> Any:
        """Runs one step, after a reset if the last step was terminal; returns ``(observation, reward, terminal,
        info)``.

        ``terminal`` is true if the episode was terminated or truncated; for gymnasium's environments,
        ``"TimeLimit.truncated"`` in the info of a terminal step distinguishes the two.
        """
        if self._terminated:
            self.reset()
        result = four_values(self.env.step(action))
        self._terminated = bool(result[2])
        return result

    def reset(self, **kwargs: Any) -> Any:
        """Resets with the arguments ``kwargs``; returns the observation. The next step does not reset."""
        result = super().reset(**kwargs)
        self._terminated = False
        return read_reset(result, getattr(self.env, "observation_space", None))[0]

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render`` with these arguments."""
        return self.env.render(*args, **kwargs)

    def seed(self, seed: Any = None) -> Any:
        """Calls the ``seed`` of an environment of gym before 0.26."""
        return self.env.seed(seed)

    def close(self) -> None:
        """Closes the environment."""
        self.env.close()

    def __getattr__(self, name: str) -> Any:
        # `copy` reads attributes of a new object before `env` is set, when no attribute can be forwarded.
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}, and private ones are not passed on")
        return getattr(self.env, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{self.env!r}>"

    __str__ = __repr__


class LocalEnvs:
    """Environments that are objects of this process, each in its own thread; a single one in the calling thread."""

    # Threads speed up environments that release the interpreter's lock, because they wait for another process or
    # compute in C. Requests are generators: they start calls up to `yield`, and wait for them afterwards.

    def __init__(self, envs: dict[int, _AutoResetWrapper]) -> None:
        self._envs = envs
        self._executor = ThreadPoolExecutor(len(envs), "MultiEnv") if len(envs) > 1 else None
        self._futures: list[Future[Any]] = []

    def step(self, actions: Sequence[Any], results: list[Any], errors: Errors) -> Iterator[None]:
        calls = {
            position: partial(_owned_call, env.step, actions[position])
            for position, env in self._envs.items()
            if actions[position] is not None
        }
        return self._run(calls, results, errors)

    def reset(self, keywords: Sequence[dict[str, Any]], results: list[Any], errors: Errors) -> Iterator[None]:
        calls = {
            position: partial(_owned_call, env.reset, **keywords[position]) for position, env in self._envs.items()
        }
        return self._run(calls, results, errors)

    def close(self, errors: Errors) -> None:
        for _ in self._run({position: env.close for position, env in self._envs.items()}, {}, errors):
            pass
        if self._executor is not None:
            self._executor.shutdown()

    def _run(self, calls: Mapping[int, Callable[[], Any]], results: Any, errors: Errors) -> Iterator[None]:
        # Waits for calls that an interrupted method left running, before their environments are called again.
        concurrent.futures.wait(self._futures)
        if self._executor is not None:
            futures = {position: self._executor.submit(call) for position, call in calls.items()}
            self._futures = list(futures.values())
            calls = {position: future.result for position, future in futures.items()}
        yield
        for position, call in calls.items():
            try:
                results[position] = call()
            except Exception as error:
                errors[position] = error
        self._futures = []


def _owned_call(call: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
    """Calls a method with copies of its arguments; returns a copy, because the environment may reuse its objects."""
    return owned(call(*owned(arguments), **owned(keywords)))


class WorkerEnvs:
    """``SubprocessEnv``s that share worker processes; one request steps all of them, resets included."""

    def __init__(self, envs: dict[int, _AutoResetWrapper], count: int) -> None:
        # Sorted by the environments' index in the processes, which expect ascending indices.
        self._position_of = dict(sorted((wrapper.env._index, position) for position, wrapper in envs.items()))
        self._wrapper_of = {index: envs[position] for index, position in self._position_of.items()}
        self._indices = list(self._position_of)
        first = self._wrapper_of[self._indices[0]].env
        self._processes: EnvProcesses = first._processes
        self._space = first.observation_space
        # If these are all `count` environments of the list, in the processes' order, actions are passed on as they are.
        self._is_whole_list = list(self._position_of.values()) == list(range(count))

    def step(self, actions: Any, results: list[Any], errors: Errors) -> Iterator[None]:
        played, chosen = self._indices, actions
        # Arrays that the caller passes hold only numbers. `None in actions` would compare arrays among the actions.
        is_whole = isinstance(actions, np.ndarray) or all(each is not None for each in actions)
        if not (self._is_whole_list and is_whole):
            played = [index for index, position in self._position_of.items() if actions[position] is not None]
            chosen = [actions[self._position_of[index]] for index in played]
        if not played:
            return
        self._processes.send(self._processes.group.send_steps, played, chosen)
        yield
        steps, failed = self._processes.take(played, self._processes.group.take_steps)
        for index, values in zip(played, four_values_of_rows(steps, self._space), strict=True):
            if index not in steps.failures:
                self._wrapper_of[index]._terminated = self._processes.is_terminated[index] = values[2]
                results[self._position_of[index]] = values
        errors.update({self._position_of[index]: error for index, error in failed.items()})

    def reset(self, keywords: Sequence[dict[str, Any]], results: list[Any], errors: Errors) -> Iterator[None]:
        arguments = [("reset", (), keywords[position]) for position in self._position_of.values()]
        self._processes.send(self._processes.group.send_calls, self._indices, "call", arguments)
        yield
        values, failed = self._processes.take(self._indices, self._processes.group.take_values)
        for index, value in zip(self._indices, values, strict=True):
            if index not in failed:
                self._wrapper_of[index]._terminated = self._processes.is_terminated[index] = False
                results[self._position_of[index]] = read_reset(value, self._space)[0]
        errors.update({self._position_of[index]: error for index, error in failed.items()})

    def close(self, errors: Errors) -> None:
        still_open = [env.env for env in self._wrapper_of.values() if not env.env._is_closed]
        for env in still_open:
            env._is_closed = True
        try:
            self._processes.close([env._index for env in still_open])
        except Exception as error:
            errors[min(self._position_of.values())] = error


class ExclusiveUse:
    """Try-only lock: runs calls of one thread at a time and rejects a second thread's call at once."""

    __slots__ = ("_users", "_what")

    def __init__(self, what: str) -> None:
        # The entry of the running call comes first. Entries of calls that request to run follow, in the order of their
        # requests.
        self._users: dict[object, None] = {}
        self._what = what

    def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a call and returns its result; raises a ``RuntimeError`` if another call is running."""
        user = object()
        try:
            self._users[user] = None
            first, *_ = list(self._users)  # a list, because other threads change the dict during iteration
            if first is not user:
                raise RuntimeError(f"{self._what} is in use by another thread")
            return call(*arguments)
        finally:
            self._users.pop(user, None)


class MultiEnv(KnownAttributes):
    """Steps several environments at the same time, with autoreset: ``reset`` needs to be called only once.

    Environments may be ``SubprocessEnv``s or any objects with gym's or gymnasium's interface, with equal observation
    spaces and equal action spaces. ``SubprocessEnv``s made by one call of ``create_subprocess_envs`` are fastest: one
    message steps all of them. Other objects are stepped in threads. A ``MultiEnv`` of such objects can be copied and
    pickled, with its environments.

    A method raises a ``ValueError`` if the environments are closed, and a ``RuntimeError`` while another thread, or one
    of the environments themselves, resets or steps them. If environments fail, the exception of the first one is raised
    after all are done.
    """

    def __init__(self, envs: Iterable[Any]) -> None:
        if not isinstance(envs, Iterable):
            raise TypeError(f"envs={envs!r}: expected a list of environments")
        chosen = list(envs)
        if not chosen:
            raise ValueError("envs is empty: expected at least one environment")
        for position, env in enumerate(chosen):
            needed = ("reset", "step", "close", "observation_space", "action_space")
            missing = [name for name in needed if not hasattr(env, name)]
            if missing:
                raise TypeError(f"envs[{position}] is {env!r}, without {', '.join(missing)}: expected an environment")
            if any(env is other for other in chosen[:position]):
                raise ValueError(f"envs[{position}] is given twice: expected each environment once")
            for name in ("observation_space", "action_space"):
                value, first = getattr(env, name), getattr(chosen[0], name)
                if value != first:
                    raise ValueError(f"envs[{position}].{name} is {value}: expected that of envs[0], {first}")
        self.__setstate__(([_AutoResetWrapper(env) for env in chosen], False))

    @property
    def envs(self) -> list[_AutoResetWrapper]:
        """The environments, each in a wrapper with autoreset."""
        return self._envs

    @property
    def observation_space(self) -> Any:
        """The observation space of every environment."""
        return self._envs[0].observation_space

    @property
    def action_space(self) -> Any:
        """The action space of every environment."""
        return self._envs[0].action_space

    @property
    def restarts(self) -> list[int]:
        """The number of restarts of each environment's process; 0 for environments of this process."""
        return [env.env.restarts if isinstance(env.env, SubprocessEnv) else 0 for env in self._envs]

    def __len__(self) -> int:
        return len(self._envs)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, **kwargs: Any) -> list[Any]:
        """Resets all environments with the arguments ``kwargs``; returns the observation of each.

        ``seed`` is for gymnasium's environments; an int seeds environment ``i`` with ``seed + i``. Raises a
        ``ValueError`` for another number of seeds than environments.
        """
        self._check_open("reset()")
        keywords = [kwargs] * len(self)
        if seed is not None:
            seeds = seeds_of(seed, range(len(self)), f"one for each of {len(self)} environments")
            keywords = [{**kwargs, "seed": each} for each in seeds]
        observations: list[Any] = [None] * len(self)
        errors: Errors = {}
        self._use.run(_send_and_finish, [each.reset(keywords, observations, errors) for each in self._groups])
        _raise_first(errors)
        return observations

    def step(self, actions: Any) -> tuple[list[Any], list[Any], list[Any], list[Any]]:
        """Steps all environments at the same time, with an action for each in a list, an array, or any other iterable.

        An environment whose last step was terminal is reset first; that observation is discarded, and the action is
        applied. An environment whose action is ``None`` is not stepped.

        Returns ``(observations, rewards, terminals, infos)``, lists with an entry for each environment, or ``None`` if
        its action is ``None``. An entry of ``terminals`` is true if the episode was terminated or truncated; for
        gymnasium's environments, ``"TimeLimit.truncated"`` in the info distinguishes the two.

        Raises a ``ValueError`` for another number of actions than environments, and the exception of the first
        environment that failed, after all have made their step. Its attribute ``results`` holds the four lists, with
        ``None`` for environments that failed.
        """
        self._check_open("step()")
        # Arrays of numbers are passed on unchanged, since they cannot contain None.
        if not isinstance(actions, np.ndarray) or actions.dtype == object or actions.ndim == 0:
            try:
                actions = list(actions)
            except TypeError:
                raise TypeError(f"actions={actions!r}: expected one for each of {len(self)} environments") from None
        if len(actions) != len(self):
            raise ValueError(f"actions has {len(actions)} entries: expected one for each of {len(self)} environments")
        results: list[Any] = [(None, None, None, None)] * len(self)
        errors: Errors = {}
        self._use.run(_send_and_finish, [each.step(actions, results, errors) for each in self._groups])
        observations, rewards, terminals, infos = map(list, zip(*results, strict=True))
        lists = (observations, rewards, terminals, infos)
        if errors:
            error = errors[min(errors)]
            # An exception class may not allow further attributes; its exceptions are raised without `results`.
            with contextlib.suppress(AttributeError):
                error.results = lists  # type: ignore[attr-defined]
            raise error
        return lists

    def close(self) -> None:
        """Closes all environments."""
        self._check_open("close()")
        self._is_closed = True
        errors: Errors = {}
        for group in self._groups:
            group.close(errors)
        _raise_first(errors)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, (self._envs, self._is_closed))

    def __setstate__(self, state: tuple[list[_AutoResetWrapper], bool]) -> None:
        self._envs, self._is_closed = state
        # One group for each set of worker processes, and one for all other environments. Only instances of
        # SubprocessEnv itself share requests, because a subclass may override `step`.
        parts: dict[int, dict[int, _AutoResetWrapper]] = {}
        for position, wrapper in enumerate(self._envs):
            shared = id(wrapper.env._processes) if type(wrapper.env) is SubprocessEnv else 0
            parts.setdefault(shared, {})[position] = wrapper
        local = parts.pop(0, None)
        self._groups: list[WorkerEnvs | LocalEnvs] = [WorkerEnvs(part, len(self._envs)) for part in parts.values()]
        if local is not None:
            self._groups.append(LocalEnvs(local))
        self._use = ExclusiveUse("this MultiEnv")

    def __enter__(self) -> MultiEnv:
        return self

    def __exit__(self, *exception: object) -> None:
        if not self._is_closed:
            self.close()

    def _check_open(self, method: str) -> None:
        if self._is_closed:
            raise ValueError(f"{method}: these environments are closed")


def _send_and_finish(requests: Sequence[Iterator[None]]) -> None:
    """Sends the requests of all groups, and then waits for the results of each."""
    for request in requests:
        next(request, None)
    for request in requests:
        next(request, None)
