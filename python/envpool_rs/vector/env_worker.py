"""Workers, each of which runs one environment; ``EnvBackend``: the interface of clients of environments."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np

from envpool_rs._nested import owned
from envpool_rs._workers import EnvFailure, hosted_envs
from envpool_rs._workers.adapters import adapt_dm_env, read_reset, reset_defaults
from envpool_rs._workers.serialization import ObservationLayout, conform_function, with_env_id
from envpool_rs._workers.worker_group import without_failures
from envpool_rs.vector.results import StepBatch, StepResult, Taken, read_step


class EnvWorker(ABC):
    """Base class of workers: a worker runs one environment of a `BaseVectorEnv`.

    Derive a class from it to run environments elsewhere, and pass it to `BaseVectorEnv` as ``worker_fn``. ``send`` and
    ``send_reset`` start a request, ``recv`` waits for its result. A worker for use with ``wait_num`` or ``timeout``
    also needs ``wait``.

    Attributes:
        is_closed: whether `close` was called.
        is_reset: whether the last request was a reset.
        result: the last result, if the worker stores it.
    """

    def __init__(self, env_fn: Callable[[], Any]) -> None:
        self._env_fn = env_fn
        self.is_closed = False
        self.is_reset = False
        self.result: Any = None

    @cached_property
    def action_space(self) -> Any:
        """The environment's action space."""
        return self.get_env_attr("action_space")

    @abstractmethod
    def get_env_attr(self, key: str) -> Any:
        """Returns an attribute of the environment; raises an ``AttributeError`` if it does not have the attribute."""

    @abstractmethod
    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute of the environment."""

    def get_env_obj(self) -> Any:
        """Returns the environment, or a copy of it."""
        raise NotImplementedError(f"{type(self).__name__} has no get_env_obj")

    def send(self, action: Any, **kwargs: Any) -> None:
        """Starts a step; for the action ``None`` a reset, with ``kwargs`` as its arguments."""
        if not hasattr(self, "send_action"):
            raise NotImplementedError(f"{type(self).__name__} has no send")
        warnings.warn("send_action is deprecated: define send and recv", DeprecationWarning, stacklevel=2)
        self.is_reset = action is None
        if self.is_reset:
            self.result = self.reset(**kwargs)
        else:
            self.send_action(action)

    def send_reset(self, **kwargs: Any) -> None:
        """Starts a reset, with ``kwargs`` as the arguments of the environment's ``reset``."""
        self.send(None, **kwargs)

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        """Starts a call of the method ``func``, whose name may contain dots, with arguments ``data`` by name.

        `recv` returns its result.
        """
        raise NotImplementedError(f"{type(self).__name__} has no customized_method")

    def recv(self) -> Any:
        """Waits for the started request; returns the result of ``env.step``, ``env.reset`` or the method."""
        if hasattr(self, "get_result") and not self.is_reset:
            warnings.warn("get_result is deprecated: define send and recv", DeprecationWarning, stacklevel=2)
            self.result = self.get_result()
        return self.result

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment and waits for the result."""
        self.send_reset(**kwargs)
        return self.recv()

    def step(self, action: Any) -> Any:
        """Steps the environment and waits for the result."""
        self.send(action)
        return self.recv()

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Waits until ``wait_num`` of the workers, each with a pending step, have finished; returns those.

        After ``timeout`` seconds (``None``: no limit), fewer workers are returned.
        """
        raise NotImplementedError("this worker class has no wait: wait_num and timeout need it")

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the action space; ``None`` draws a seed from the operating system."""
        seeded = self.action_space.seed(seed)
        return list(seeded) if isinstance(seeded, (list, tuple)) else [seeded]

    @abstractmethod
    def render(self, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``."""

    @abstractmethod
    def close_env(self) -> None:
        """Closes the environment; `close` calls this method once."""

    def close(self) -> None:
        """Closes the environment; later calls do nothing."""
        if not self.is_closed:
            self.is_closed = True
            self.close_env()


def call_quietly(call: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
    """Calls a function whose warnings are silenced."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return call(*arguments, **keywords)


class FunctionWorker(EnvWorker):
    """Base class of workers that call functions of `hosted_envs` with their environment."""

    @abstractmethod
    def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Calls a function with the environment and further arguments; returns its result."""

    def get_env_attr(self, key: str) -> Any:
        return self._ask(hosted_envs.get_attribute, key)

    def set_env_attr(self, key: str, value: Any) -> None:
        self._ask(hosted_envs.set_attribute, key, value)

    def get_env_obj(self) -> Any:
        return self._ask(hosted_envs.get_environment)

    def seed(self, seed: int | None = None) -> list[Any] | None:
        seeds: list[Any] | None = self._ask(hosted_envs.seed_environment, seed)
        return seeds

    def render(self, **kwargs: Any) -> Any:
        return self._ask(hosted_envs.render, kwargs)


class DummyEnvWorker(FunctionWorker):
    """An environment in this process: ``send`` runs the step, ``recv`` returns its result.

    ``no_warning`` silences the warnings of the environment.

    Attributes:
        env: the environment.
    """

    def __init__(self, env_fn: Callable[[], Any], no_warning: bool = False) -> None:
        super().__init__(env_fn)
        self._no_warning = no_warning
        self.env = self._call(lambda: adapt_dm_env(env_fn()))
        self._reset_defaults = self._call(reset_defaults, self.env)

    def _call(self, call: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        if self._no_warning:
            return call_quietly(call, *arguments, **keywords)
        return call(*arguments, **keywords)

    def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        return self._call(function, self.env, *arguments)

    def send(self, action: Any, **kwargs: Any) -> None:
        self.is_reset = action is None
        if self.is_reset:
            self.result = self._call(self.env.reset, **{**self._reset_defaults, **kwargs})
        else:
            self.result = self._call(self.env.step, action)

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        self.result = self._ask(hosted_envs.call_method, func, data or {})

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        return list(workers)

    def close_env(self) -> None:
        close = getattr(self.env, "close", None)
        if callable(close):
            self._call(close)


class LocalFailure(EnvFailure):
    """Failure whose exception was raised in this process, and is raised again itself."""

    def __init__(self, env_id: int, operation: str, error: BaseException) -> None:
        super().__init__(env_id, operation, error, type(error).__name__, "", "")

    def raised(self) -> BaseException:
        error = self.exception
        if isinstance(error, Exception):
            return with_env_id(error, self.env_id, self.operation)
        stopped = RuntimeError(f"environment {self.env_id} raised {error!r} in {self.operation}")
        stopped.__cause__ = error
        return stopped


Arguments: TypeAlias = "Sequence[tuple[Any, ...]]"
"""Arguments of a function for each environment."""


class EnvBackend(Protocol):
    """Client of environments that run in this process, in worker processes or in actors."""

    # Each environment has at most one request at a time. An environment's exception is returned as an `EnvFailure`
    # instead of its result; only `close` raises it, after all environments are closed. The caller validates arguments.
    # `wait_some` returns the environments that have finished, after `timeout` at least one. `take` waits for steps or
    # resets, and returns the results in the order of `ids`; `discard` waits for requests and drops their results.
    # `apply` calls a function of `hosted_envs` with each environment, and returns results or failures. Seeds after the
    # loss of a process are derived from those that `record_seeds` recorded.

    observation_spaces: list[Any]

    def send_steps(self, ids: Any, actions: Any) -> None: ...
    def send_resets(self, ids: Any, seeds: Any, /, **keywords: Any) -> None: ...
    def wait_some(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]: ...
    def take(self, ids: Sequence[int], *, is_reset: bool = False) -> Taken: ...
    def discard(self, ids: Any) -> None: ...
    def apply(self, ids: Sequence[int], function: Callable[..., Any], arguments: Arguments) -> list[Any]: ...
    def record_seeds(self, ids: Sequence[int], seeds: Sequence[int | None]) -> None: ...
    def close(self) -> None: ...


class BackendEnvWorker(FunctionWorker):
    """Base class of workers that represent one environment of a backend; subclasses set the backend."""

    _executor: EnvBackend
    _env_id: int
    _answers: list[Any] | None = None  # of the last method call; None after a step or reset
    _is_sent = False

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environment lives in another process")

    def send(self, action: Any, **kwargs: Any) -> None:
        if action is None:
            seed = kwargs.pop("seed", None)
            self._executor.send_resets([self._env_id], None if seed is None else [seed], **kwargs)
        else:
            self._executor.send_steps([self._env_id], [action])
        self._is_sent, self.is_reset, self._answers = True, action is None, None

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        self._answers = self._executor.apply([self._env_id], hosted_envs.call_method, [(func, dict(data or {}))])
        self._is_sent = True

    def recv(self) -> Any:
        """Waits for the request; returns the result of ``env.step``, ``env.reset`` or the method."""
        if not self._is_sent:
            raise RuntimeError("recv: nothing was sent: send first")
        taken = self._executor.take([self._env_id], is_reset=self.is_reset) if self._answers is None else self._answers
        self._is_sent = False
        self.result = result = taken.rows()[0] if isinstance(taken, StepBatch) else self._answer(taken)
        if self._answers is None and self.is_reset:
            self.result = result.observation, result.info
        elif self._answers is None:
            info = {key: value for key, value in result.info.items() if key != "env_id"}
            ended = result.terminated, result.truncated
            self.result = result.observation, result.reward, *((any(ended),) if result.four_values else ended), info
        return self.result

    def _ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        if function is hosted_envs.seed_environment:
            self._executor.record_seeds([self._env_id], list(arguments))
        return self._answer(self._executor.apply([self._env_id], function, [arguments]))

    def _answer(self, values: Sequence[Any]) -> Any:
        """Returns the reply of the worker's environment; raises the exception if the reply is a failure."""
        return without_failures(values)[0]


_METHODS = {
    hosted_envs.get_attribute: "get_env_attr",
    hosted_envs.set_attribute: "set_env_attr",
    hosted_envs.seed_environment: "seed",
    hosted_envs.get_environment: "get_env_obj",
}
"""Methods of `EnvWorker`, by the function of `EnvBackend.apply` that they implement."""


class EnvWorkerBackend:
    """Client of environments that each have their own `EnvWorker`: sends to, and receives from, one after the other."""

    def __init__(
        self, worker_fn: Callable[..., EnvWorker], env_fns: Sequence[Callable[[], Any]], keywords: Mapping[str, Any]
    ) -> None:
        """Makes a worker for each environment; if that fails for one, closes all workers made before."""
        self.workers: list[EnvWorker] = []
        try:
            for env_id, env_fn in enumerate(env_fns):
                made = _attempt(env_id, "make", worker_fn, env_fn, **keywords)
                if isinstance(made, LocalFailure):
                    raise made.raised() from made.exception.__cause__
                if not isinstance(made, EnvWorker):
                    raise TypeError(f"worker_fn={worker_fn!r} made a {type(made).__name__}: expected an EnvWorker")
                if self.workers and type(made) is not type(self.workers[0]):
                    kinds = f"a {type(self.workers[0]).__name__} and a {type(made).__name__}"
                    raise TypeError(f"worker_fn={worker_fn!r} made {kinds}: expected workers of one class")
                self.workers.append(made)
        except BaseException:
            for worker in self.workers:
                worker.close()
            raise
        self._pending: dict[int, LocalFailure | None] = {}
        """Environments whose request was sent and whose result was not received; with the failure if sending failed."""
        spaces = [self._ask(env_id, "get_env_attr", "observation_space") for env_id in range(len(env_fns))]
        self.observation_spaces = [None if isinstance(space, EnvFailure) else space for space in spaces]
        layouts = enumerate(map(ObservationLayout.of, self.observation_spaces))
        self._fits = conform_function(dict(layouts), lenient=True)

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        for index, env_id in enumerate(ids):
            # Environments may write to their actions.
            self._send(env_id, "step", self.workers[env_id].send, owned(actions[index]))

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, /, **keywords: Any) -> None:
        for env_id, seed in zip(ids, seeds or [None] * len(ids), strict=True):
            own = owned(keywords)
            seeded = own if seed is None else {**own, "seed": seed}
            self._send(env_id, "reset", self.workers[env_id].send_reset, **seeded)

    def _send(self, env_id: int, operation: str, send: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> None:
        failed = _attempt(env_id, operation, send, *arguments, **keywords)
        self._pending[env_id] = failed if isinstance(failed, LocalFailure) else None

    def wait_some(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        failed = [env_id for env_id in ids if self._pending[env_id] is not None]
        if len(failed) >= count:
            return failed
        if timeout is None and count >= len(ids):
            return list(ids)
        id_of = {id(self.workers[env_id]): env_id for env_id in ids if env_id not in failed}
        workers = [self.workers[env_id] for env_id in id_of.values()]
        ready = type(workers[0]).wait(list(workers), count - len(failed), timeout)
        while not ready and not failed:
            ready = type(workers[0]).wait(list(workers), 1, None)
        return failed + [id_of[id(worker)] for worker in ready]

    def take(self, ids: Sequence[int], *, is_reset: bool = False) -> list[StepResult | EnvFailure]:
        return self._receive(ids, "reset" if is_reset else "step", partial(self._read, is_reset))

    def _read(self, is_reset: bool, env_id: int, returned: Any) -> StepResult:
        space = self.observation_spaces[env_id]
        if is_reset:
            observation, info = read_reset(returned, space)
            result = StepResult(observation, 0.0, False, False, False, owned(dict(info)))
        else:
            result = read_step(returned)
        array = result.observation
        if type(array) is not np.ndarray or array.shape != getattr(space, "shape", None):
            self._fits(env_id, array)
        return result

    def _receive(self, ids: Sequence[int], operation: str, read: Callable[[int, Any], Any] | None = None) -> list[Any]:
        # Results stay pending until all are received, so that an interrupt loses none.
        for env_id in ids:
            if self._pending.get(env_id) is None:
                result = _attempt(env_id, operation, self.workers[env_id].recv)
                if read is not None and not isinstance(result, EnvFailure):
                    result = _attempt(env_id, operation, read, env_id, result)
                self._pending[env_id] = result
        return [self._pending.pop(env_id) for env_id in ids]

    def discard(self, ids: Sequence[int]) -> None:
        self._receive([env_id for env_id in ids if env_id in self._pending], "step")

    def apply(self, ids: Sequence[int], function: Callable[..., Any], arguments: Arguments) -> list[Any]:
        pairs = list(zip(ids, arguments, strict=True))
        if function is hosted_envs.call_method:
            # Calls are started on all workers before any result is received.
            for env_id, (path, keywords) in pairs:
                self._send(env_id, path, self.workers[env_id].customized_method, path, keywords)
            return self._receive(ids, pairs[0][1][0] if pairs else "", None)
        if function is hosted_envs.render:
            return [self._ask(env_id, "render", **keywords) for env_id, (keywords,) in pairs]
        return [self._ask(env_id, _METHODS[function], *each) for env_id, each in pairs]

    def _ask(self, env_id: int, operation: str, /, *arguments: Any, **keywords: Any) -> Any:
        return _attempt(env_id, operation, getattr(self.workers[env_id], operation), *arguments, **keywords)

    def record_seeds(self, ids: Sequence[int], seeds: Sequence[int | None]) -> None:
        pass

    def close(self) -> None:
        without_failures([self._ask(env_id, "close") for env_id in range(len(self.workers))])


def _attempt(env_id: int, operation: str, call: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
    """Calls a method of a worker; returns its result, or the failure."""
    try:
        return call(*arguments, **keywords)
    except (Exception, SystemExit) as error:
        return LocalFailure(env_id, operation, error)
