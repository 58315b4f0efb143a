"""Environments of one process: makes, describes, calls and closes them; the main function of a worker process."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial, reduce
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for_any
from typing import Any

from envpool_rs._core import EnvHost, SharedBlock
from envpool_rs._workers import serialization
from envpool_rs._workers.adapters import Adapter, ParallelEnvAdapter, adapt, pair_test, reset_defaults
from envpool_rs._workers.reset_schedule import ResetSchedule
from envpool_rs._workers.serialization import EnvFailure, RowLayouts, class_names

_ABSENT = object()

# The functions `get_env_attr` to `get_env_obj` are named as the methods of `EnvWorker` that do the same.


def layers(env: Any) -> Iterator[Any]:
    """Yields the wrappers of an environment, from the outermost one to the innermost environment."""
    seen: list[Any] = []
    while env is not None and not any(env is each for each in seen):
        yield env
        seen.append(env)
        is_wrapper = isinstance(env, Adapter) or "Wrapper" in class_names(env, "gymnasium", "gym")
        env = vars(env).get("env") if is_wrapper else None


def get_env_attr(env: Any, name: str) -> Any:
    """Returns an attribute from the outermost layer that has it, or the result of a class's ``get_env_attr``."""
    for layer in layers(env):
        value = getattr(layer, name, _ABSENT)
        if value is not _ABSENT:
            return value
    own = _own_method(env, "get_env_attr")
    if own is not None:
        return own(name)
    raise AttributeError(f"{type(env).__name__} has no attribute {name!r}")


def set_env_attr(env: Any, name: str, value: Any) -> None:
    """Sets an attribute on the outermost layer that has it."""
    # Without such a layer, the method `set_env_attr` of an environment's class is called; without this method, the
    # attribute is set on the innermost environment.
    innermost = env
    for layer in layers(env):
        innermost = layer
        if name in getattr(layer, "__dict__", ()) or hasattr(type(layer), name):
            with suppress(AttributeError):  # a read-only property of a wrapper
                setattr(layer, name, value)
                return
    own = _own_method(env, "set_env_attr") or partial(setattr, innermost)
    own(name, value)


def _own_method(env: Any, name: str) -> Any:
    """Returns the method of the outermost layer whose class defines it; a layer's ``__getattr__`` is not called."""
    return next((getattr(layer, name) for layer in layers(env) if callable(getattr(type(layer), name, None))), None)


def call_method(env: Any, path: str, keywords: Mapping[str, Any]) -> Any:
    method = _get_attr(env, path)
    if not callable(method):
        raise TypeError(f"call_method={path!r}: it is a {type(method).__name__}, expected a method")
    return method(**keywords)


def seed(env: Any, seed: int | None) -> list[Any]:
    """Seeds the action space and the environment, by its ``seed``, or by a reset if it has none."""
    # The environment decides whether `None` draws a seed from the operating system or continues its random stream.
    space: Any = getattr(env, "action_space", None)
    if hasattr(space, "seed"):
        space.seed(seed)
    returned = _seed(env, seed)
    if returned is None:
        return [seed]
    return list(returned) if isinstance(returned, (list, tuple)) else [returned]


def _seed(env: Any, seed: int | None) -> Any:
    """Calls the environment's ``seed`` and returns its result; without it, resets and returns ``[seed]``."""
    for layer in layers(env):
        method = getattr(layer, "seed", None)
        if callable(method):
            try:
                return method(seed)
            except NotImplementedError:
                break
    env.reset(**{**reset_defaults(env), "seed": seed})
    return [seed]


def render(env: Any, keywords: Mapping[str, Any]) -> Any:
    return get_env_attr(env, "render")(**keywords)


def get_env_obj(env: Any) -> Any:
    """Returns the environment itself; a worker process sends a copy to the caller."""
    return env


def _get_attr(env: Any, name: str) -> Any:
    """Returns an attribute. Names in this function and the following ones may contain dots."""
    first, *names = name.split(".")
    return reduce(getattr, names, get_env_attr(env, first))


def _set_attr(env: Any, argument: tuple[str, Any]) -> None:
    """Sets an attribute on the wrapper that has it or on the environment."""
    name, value = argument
    owner, _, last = name.rpartition(".")
    if owner:
        setattr(_get_attr(env, owner), last, value)
        return
    while isinstance(env, Adapter):
        env = env.env
    has_method = callable(getattr(type(env), "set_wrapper_attr", None))
    (env.set_wrapper_attr if has_method else partial(setattr, env))(name, value)


def _call(env: Any, argument: tuple[str, tuple[Any, ...], dict[str, Any]]) -> Any:
    name, args, keywords = argument
    method = _get_attr(env, name)
    return method(*args, **keywords) if callable(method) or args or keywords else method


OPERATIONS: dict[str, Callable[[Any, Any], Any]] = {
    "get_attr": _get_attr,
    "set_attr": _set_attr,
    "call": _call,
    "render": lambda env, keywords: env.render(**(keywords or {})),
    "seed": _seed,
    "apply": lambda env, argument: argument[0](env, *argument[1]),
}
"""Operations that a worker runs for its caller, by name."""


@dataclass(frozen=True)
class HostOptions:
    """Options for making and running environments, equal in every process."""

    lenient: bool  # whether observations that do not fit their rows are sent as objects
    adapt: bool  # whether environments of other libraries get gymnasium's interface
    wrap: Callable[[Any], Any] | None  # applied to each new environment
    wrap_restarted: Callable[[Any], Any] | None = None  # applied instead of `wrap` in a restarted process


EnvReport = dict[str, "bytes | None"]
"""Spaces, metadata, ... of an environment, each pickled; None if it is missing or cannot be pickled."""


@dataclass(eq=False)
class HostedEnvs:
    env_ids: list[int]
    env_fns: Sequence[Callable[[], Any]]
    options: HostOptions
    is_restarted: bool = False  # whether the process replaces one that died
    taken: Any = None  # numbers of queued resets that environments took, if the pool counts them
    envs: dict[int, Any] = field(default_factory=dict)  # those that are made and not closed
    schedules: dict[int, ResetSchedule] = field(default_factory=dict)  # of environments with options of later episodes

    def make(self) -> tuple[bytes, BaseException] | None:
        """Makes all environments; if one fails, closes the others, and returns the failure and its exception."""
        wrap = (self.options.wrap_restarted if self.is_restarted else None) or self.options.wrap
        for env_id, function in zip(self.env_ids, self.env_fns, strict=True):
            try:
                env = function() if wrap is None else wrap(function())
                if not callable(getattr(env, "step", None)) or not callable(getattr(env, "reset", None)):
                    raise TypeError(f"its factory made {env!r}: expected an environment, with step and reset")
                self.envs[env_id] = adapt(env) if self.options.adapt else env
            except BaseException as error:
                failure = serialization.failure_bytes(env_id, "make", error)
                self.close_all()
                return failure, error
        return None

    def reports(self) -> list[EnvReport]:
        return [_report(self.envs[env_id]) for env_id in self.env_ids]

    def host(self, block: SharedBlock, rows: RowLayouts) -> EnvHost:
        """Returns the host that runs requests on the environments and writes observations into ``rows``."""
        envs, lenient = [self.envs[env_id] for env_id in self.env_ids], self.options.lenient
        return EnvHost(
            block,
            self.env_ids,
            envs,
            [rows.layouts[env_id].structure for env_id in self.env_ids],
            lenient=lenient,
            conform=lambda env_id, observation: rows.layouts[env_id].arrays(observation, lenient=lenient),
            dumps=serialization.dumps_message,
            failure=serialization.failure_bytes,
            call=self.call,
            schedules=self.schedules,
            required=[list(reset_defaults(env)) for env in envs],
            is_observation=[pair_test(_attribute(env, "observation_space")) for env in envs],
        )

    def call(self, env_id: int, payload: bytes) -> bytes:
        operation = "call"
        try:
            operation, argument = serialization.loads(payload)
            if operation == "close":
                return serialization.dumps(self._close(env_id))
            if env_id not in self.envs:
                raise RuntimeError(f"environment {env_id} is closed")
            if operation == "schedule":
                value = self.schedules.setdefault(env_id, ResetSchedule(self.taken, env_id)).run(*argument)
            else:
                value = OPERATIONS[operation](self.envs[env_id], argument)
            try:
                return serialization.dumps(value)
            except Exception as error:
                raise TypeError(f"the result, of type {type(value).__name__}, {error}") from error
        except BaseException as error:
            return serialization.failure_bytes(env_id, operation, error)

    def _close(self, env_id: int) -> Any:
        env = self.envs.pop(env_id, None)
        close = getattr(env, "close", None)
        if callable(close):
            close()

    def close_all(self) -> list[EnvFailure]:
        """Closes the environments that are still open; returns their failures."""
        failures = []
        for env_id in list(self.envs):
            try:
                self._close(env_id)
            except BaseException as error:
                failures.append(EnvFailure.of(env_id, "close", error))
        return failures


def _report(env: Any) -> EnvReport:
    # Values of another type than gym's or gymnasium's are left out, such as those that a catch-all `__getattr__`
    # returns.
    metadata, render_mode, limits = (_attribute(env, name) for name in ("metadata", "render_mode", "reward_range"))
    spec = _attribute(env, "spec")
    description = {
        "observation_space": _attribute(env, "observation_space"),
        "action_space": _attribute(env, "action_space"),
        "metadata": metadata if isinstance(metadata, Mapping) else None,
        "spec": spec if "EnvSpec" in class_names(spec, "gymnasium", "gym") else None,
        "reward_range": limits if isinstance(limits, (tuple, list)) and len(limits) == 2 else None,  # noqa: PLR2004
        "render_mode": render_mode if isinstance(render_mode, str) else None,
        "agent_spaces": env.agent_spaces if isinstance(env, ParallelEnvAdapter) else None,
    }
    return {name: None if value is None else serialization.dumps_or_none(value) for name, value in description.items()}


def _attribute(env: Any, name: str) -> Any:
    try:
        return getattr(env, name, None)
    except Exception:
        return None


def worker_main(
    block: SharedBlock, worker: int, envs: HostedEnvs, rows: RowLayouts | None, core: int | None, connection: Connection
) -> None:
    """Makes the environments, sends their descriptions to the parent, then runs requests until the block is closed."""
    # The `rows` are given to a restarted worker; otherwise the parent sends them. The process is pinned to `core`.
    # Excludes the objects that the process inherited by fork from garbage collection. Collecting them would copy all
    # their memory pages and run the caller's finalisers a second time.
    gc.freeze()
    # Ctrl-C signals all processes of the terminal; the parent handles it, so workers ignore it. The parent's handler of
    # SIGTERM, inherited by fork, could prevent termination of a hanging worker.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    block = SharedBlock.attach(block.fd)
    watch_parent(block)
    if core is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {core})
    try:
        not_made = envs.make()
        if not_made is not None:
            connection.send_bytes(not_made[0])
            return
        if rows is None:
            with suppress(EOFError, OSError):
                connection.send_bytes(serialization.dumps(envs.reports()))
                rows = serialization.loads(connection.recv_bytes())
        if rows is None:
            return  # the caller no longer needs the environments
        connection.close()
        block.allocate(rows.of_envs, rows.final_rows)
        # Excludes modules and environments from garbage collection: they live as long as the process, and scanning them
        # takes 2 to 5 % of the time of cheap steps.
        gc.collect()
        gc.freeze()
        envs.host(block, rows).serve(worker)
    finally:
        envs.close_all()


GRACE_SECONDS = 2.0
_LOOK_SECONDS = 0.5


def watch_parent(block: SharedBlock) -> None:
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        # The parent's sentinel is an end of a pipe, which workers forked later may hold open; so the parent's pid is
        # watched as well.
        try:
            wait_for_any([os.pidfd_open(parent.pid or 0), parent.sentinel])
        except ProcessLookupError:
            pass
        except (AttributeError, OSError):
            number = os.getppid()
            while not wait_for_any([parent.sentinel], _LOOK_SECONDS) and os.getppid() == number:
                pass
        block.close()
        time.sleep(GRACE_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True, name="parent_watch").start()
