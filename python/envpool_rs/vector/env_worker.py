"""Workers, each of which runs one environment; ``EnvBackend``: clients of environments; results of their steps."""

from __future__ import annotations

import contextlib
import os
import sys
import time
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, NamedTuple, NoReturn, Protocol, TypeAlias

import numpy as np

from envpool_rs import _nested as nested
from envpool_rs._workers import EnvFailure, Steps, WorkerGroup, hosted_envs
from envpool_rs._workers.adapters import Adapter, adapt_dm_env, read_reset, reset_defaults
from envpool_rs._workers.serialization import ObservationLayout, with_env_id
from envpool_rs._workers.worker_process import without_failures


def stack_observations(observations: Sequence[Any], space: Any = None) -> Any:
    """Stacks observations of single environments into a batch."""
    # Dicts and tuples of equal structure become dicts and tuples of batches, values of one shape an array `(n,
    # *shape)`, all others an array `(n,)` of objects. Without a space, the first observation determines the structure.
    first, parts = observations[0], nested.parts_of_space(space)
    if isinstance(first, Mapping) and (space is None or isinstance(parts, dict)):
        if all(isinstance(each, Mapping) and each.keys() == first.keys() for each in observations):
            of_key = parts if isinstance(parts, dict) else {}
            return {key: stack_observations([each[key] for each in observations], of_key.get(key)) for key in first}
    elif isinstance(parts, tuple) or (space is None and type(first) is tuple):
        of_index = parts if isinstance(parts, tuple) else (None,) * len(first)
        kinds = (tuple,) if space is None else (tuple, list)
        if all(isinstance(each, kinds) and len(each) == len(of_index) for each in observations):
            columns = zip(*observations, strict=True)
            return tuple(stack_observations(column, part) for column, part in zip(columns, of_index, strict=True))
    is_stacked = type(space).__name__ not in nested.SPACES_WITHOUT_PARTS
    if is_stacked and type(first).__module__.partition(".")[0] == "torch":
        torch = sys.modules["torch"]
        if all(isinstance(each, torch.Tensor) and each.shape == first.shape for each in observations):
            return torch.stack(list(observations))
    elif is_stacked:
        if all(type(each) in (int, float, bool) for each in observations):
            return np.asarray(observations, dtype=getattr(space, "dtype", None))
        try:
            is_uniform = _have_one_form(observations)
            stackable = (np.ndarray, np.generic, int, float, str, list, tuple)
            if is_uniform or all(isinstance(each, stackable) for each in observations):
                # `np.array` takes a quarter of the time of `np.stack`.
                return np.array(observations) if is_uniform else np.stack(observations)
        except ValueError:
            pass  # arrays of different shapes
    # Copies, because an environment may reuse its objects.
    return nested.object_array([nested.owned(each) for each in observations])


def _have_one_form(values: Sequence[Any]) -> bool:
    """Returns whether all values are arrays of the same shape and dtype, which are no objects."""
    first = values[0]
    if type(first) is not np.ndarray or first.dtype.hasobject:
        return False
    form = first.shape, first.dtype
    return all(type(each) is np.ndarray and (each.shape, each.dtype) == form for each in values)


def unstack(observations: Any, row: int) -> Any:
    """Returns one row of stacked observations: the inverse of `stack_observations`."""
    return nested.map_leaves(lambda part: part[row], observations)


TIME_LIMIT = "TimeLimit.truncated"  # in an info of old gym: whether a time limit ended the episode


class StepResult(NamedTuple):
    """Result of one environment's step."""

    observation: Any
    reward: Any  # a number, or a float64 array with one number per agent
    terminated: bool
    truncated: bool
    four_values: bool  # whether the environment returned old gym's four values
    info: dict[str, Any]  # owned by the caller


class StepBatch(NamedTuple):
    """Results of several environments' steps, one row each."""

    observations: Any
    rewards: np.ndarray  # float64 `(n,)` or `(n, agents)`
    terminated: np.ndarray
    truncated: np.ndarray
    four_values: np.ndarray  # nonzero where the environment returned old gym's four values
    infos: Any  # a list or an array of dicts that the caller owns, each with `env_id`

    def rows(self) -> list[StepResult]:
        """Splits the batch into single steps; observations are views."""
        flags = (self.terminated.tolist(), self.truncated.tolist(), self.four_values.astype(bool).tolist())
        observations = [unstack(self.observations, row) for row in range(len(self.infos))]
        return [StepResult(*each) for each in zip(observations, self.rewards, *flags, self.infos, strict=True)]


Taken: TypeAlias = "StepBatch | list[StepResult | EnvFailure]"
"""Results of steps or resets: a batch if none failed and batching is fast, otherwise a list."""


def read_step(returned: Any) -> StepResult:
    """Converts the return value of ``env.step`` to a `StepResult`."""
    if not isinstance(returned, (tuple, list)):
        kind = type(returned).__name__
        raise TypeError(f"step returned a {kind}: expected a tuple of 5 values (4 in old gym)")
    if len(returned) not in (4, 5):
        raise ValueError(f"step returned {len(returned)} values: expected 5 (4 in old gym)")
    observation, reward, ended, *truncated, info = returned
    reward, info = _reward_and_info(reward, info)
    if truncated:
        return StepResult(observation, reward, bool(ended), bool(truncated[0]), False, info)
    done, by_time = bool(ended), bool(info.get(TIME_LIMIT, False))
    return StepResult(observation, reward, done and not by_time, done and by_time, True, info)


def _reward_and_info(reward: Any, info: Any) -> tuple[Any, dict[str, Any]]:
    """Returns a reward as a number or a float64 array, and a copy of an info."""
    if not isinstance(info, dict):
        raise TypeError(f"step returned info of type {type(info).__name__}: expected a dict")
    own = {key: nested.owned(part) for key, part in info.items()}
    if type(reward) is float:
        return reward, own
    if hasattr(reward, "__float__") and not isinstance(reward, (np.ndarray, complex, np.complexfloating)):
        return float(reward), own
    try:
        values = np.asarray(reward)
        if values.dtype.kind in "biuf":
            return values.astype(np.float64), own
    except (TypeError, ValueError):
        pass
    raise TypeError(f"step returned reward {reward!r}: expected a number or an array of numbers")


def batch_steps(results: Sequence[StepResult], space: Any) -> StepBatch:
    """Stacks results of single steps into a batch; rewards are an array of objects if numbers of agents differ."""
    observations, rewards, *flags, infos = zip(*results, strict=True)
    columns = (np.array(column, dtype=bool) for column in flags)
    try:
        stacked_rewards = np.asarray(rewards, dtype=np.float64)
    except ValueError:
        stacked_rewards = nested.object_array(rewards)
    return StepBatch._make((stack_observations(observations, space), stacked_rewards, *columns, list(infos)))


def read_replies(steps: Steps, ids: Sequence[int], *, is_reset: bool = False) -> Taken:
    """Returns the results of a worker group: a batch, unless a step failed or returned what does not fit its row."""
    given = steps.infos
    are_dicts = given is None or is_reset or all(isinstance(info, dict) for info in given)
    if steps.odd_rewards or not steps.in_rows or not are_dicts:
        return [_read_row(steps, row, env_id, is_reset) for row, env_id in enumerate(ids)]
    infos: list[dict[str, Any]]
    if is_reset:
        infos = [{} for _ in ids] if given is None else [dict(info) for info in given]
    elif given is None:
        infos = [{"env_id": env_id} for env_id in ids]
    else:
        infos = [{**info, "env_id": env_id} for info, env_id in zip(given, ids, strict=True)]
    four_values = np.zeros(len(ids), bool) if steps.four_values is None else steps.four_values
    return StepBatch(steps.observations(), steps.rewards, steps.terminated, steps.truncated, four_values, infos)


def _read_row(steps: Steps, row: int, env_id: int, is_reset: bool) -> StepResult | EnvFailure:
    if env_id in steps.failures:
        return steps.failures[env_id]
    info = {} if steps.infos is None else steps.infos[row]
    if is_reset:
        return StepResult(steps.observation(row), 0.0, False, False, False, dict(info))
    try:
        reward, info = _reward_and_info(steps.reward(row), info)
    except (TypeError, ValueError, OverflowError) as error:
        return EnvFailure.of(env_id, "step", error)
    flags = bool(steps.terminated[row]), bool(steps.truncated[row]), steps.has_four_values(row)
    return StepResult(steps.observation(row), reward, *flags, info)


def empty_observations(space: Any) -> Any:
    """Returns a batch without observations."""

    def no_rows(leaf: Any) -> np.ndarray:
        shape, dtype = getattr(leaf, "shape", None), getattr(leaf, "dtype", None)
        if shape is None or dtype is None or type(leaf).__name__ in nested.SPACES_WITHOUT_PARTS:
            return np.empty(0, dtype=object)
        return np.empty((0, *shape), dtype=dtype)

    return nested.fold_space(space, no_rows)


def merge_batches(batches: Sequence[StepBatch], order: Sequence[int] | None) -> StepBatch | None:
    """Returns the rows of all batches in the given order; ``None`` if the shapes of observations or rewards differ."""

    def form(part: Any) -> Any:  # objects have nothing in common
        return (part.dtype, part.shape[1:]) if type(part) is np.ndarray else object()

    batch = batches[0]
    if len(batches) > 1:
        first, *others = ((nested.map_leaves(form, each.observations), each.rewards.shape[1:]) for each in batches)
        if any(other != first for other in others):
            return None
        observations = nested.zip_leaves(lambda *parts: np.concatenate(parts), *(each.observations for each in batches))
        columns = (np.concatenate(column) for column in zip(*(each[1:5] for each in batches), strict=True))
        batch = StepBatch._make((observations, *columns, [info for each in batches for info in each.infos]))
    if order is None and batch.rewards.flags.writeable:  # arrays from Ray are read-only
        return batch
    index = np.arange(len(batch.infos)) if order is None else np.asarray(order)
    observations = nested.map_leaves(lambda part: part[index], batch.observations)
    infos = [batch.infos[row] for row in index.tolist()]
    return StepBatch._make((observations, *(column[index] for column in batch[1:5]), infos))


class EnvWorker(ABC):
    """Base class of workers: a worker runs one environment of a `BaseVectorEnv`.

    Derive a class from it to run environments elsewhere, and pass it to `BaseVectorEnv` as ``worker_fn``. ``send`` and
    ``send_reset`` start a request, ``recv`` waits for its result. A worker for use with ``wait_num`` or ``timeout``
    also needs ``wait``. Attributes: ``is_closed`` is whether `close` was called, ``is_reset`` whether the last request
    was a reset, and ``result`` the last result, if the worker stores it.
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
        """Starts a call of the method ``func`` (or names joined by dots) with ``data``; `recv` returns its result."""
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
        """Waits up to ``timeout`` seconds (or ``None``) for ``wait_num`` workers; returns the finished ones."""
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
        return self._ask(hosted_envs.get_env_attr, key)

    def set_env_attr(self, key: str, value: Any) -> None:
        self._ask(hosted_envs.set_env_attr, key, value)

    def get_env_obj(self) -> Any:
        return self._ask(hosted_envs.get_env_obj)

    def seed(self, seed: int | None = None) -> list[Any] | None:
        return list(self._ask(hosted_envs.seed, seed))

    def render(self, **kwargs: Any) -> Any:
        return self._ask(hosted_envs.render, kwargs)


class DummyEnvWorker(FunctionWorker):
    """An environment ``env`` in this process, without warnings if ``no_warning``; ``send`` runs the step or reset."""

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
        if action is None:
            self.send_reset(**kwargs)
            return
        self.is_reset = False
        self.result = self._call(self.env.step, action)

    def send_reset(self, **kwargs: Any) -> None:
        self.is_reset = True
        self.result = self._call(self.env.reset, **{**self._reset_defaults, **kwargs})

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


Arguments: TypeAlias = "Sequence[tuple[Any, ...]]"  # of a function, for each environment


class EnvBackend(Protocol):
    """Client of environments that run in this process, in worker processes or in actors."""

    # Each environment has at most one request at a time. An environment's exception is returned as an `EnvFailure`
    # instead of its result; only `close` raises it, after all environments are closed. The caller validates arguments.
    # `wait_some` returns the environments that have finished, after `timeout` at least one. `take` waits for steps or
    # resets, and returns the results in the order of `ids`. It appends the reply to `replies` before the requests end,
    # so that an interrupt does not lose it: `read` returns a reply's results. `pending` returns the environments of
    # `ids` whose request was sent and not taken; `discard` waits for requests and drops their results.
    # `apply` calls a function of `hosted_envs` with each environment, and returns results or failures. Seeds after the
    # loss of a process are derived from those that `record_seeds` recorded.

    observation_spaces: list[Any]

    def send_steps(self, ids: Any, actions: Any) -> None: ...
    def send_resets(self, ids: Any, seeds: Any, /, **keywords: Any) -> None: ...
    def wait_some(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]: ...
    def take(self, ids: Sequence[int], replies: list[Any] | None = None, *, is_reset: bool = False) -> Taken: ...
    def read(self, ids: Sequence[int], reply: Any) -> Taken: ...
    def pending(self, ids: Sequence[int]) -> list[int]: ...
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
            self.send_reset(**kwargs)
            return
        self._executor.send_steps([self._env_id], [action])
        self._is_sent, self.is_reset, self._answers = True, False, None

    def send_reset(self, **kwargs: Any) -> None:
        seed = kwargs.pop("seed", None)
        self._executor.send_resets([self._env_id], None if seed is None else [seed], **kwargs)
        self._is_sent, self.is_reset, self._answers = True, True, None

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        self._answers = self._executor.apply([self._env_id], hosted_envs.call_method, [(func, dict(data or {}))])
        self._is_sent = True

    def recv(self) -> Any:
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
        if function is hosted_envs.seed:
            self._executor.record_seeds([self._env_id], list(arguments))
        return self._answer(self._executor.apply([self._env_id], function, [arguments]))

    def _answer(self, values: Sequence[Any]) -> Any:
        """Returns the reply of the worker's environment; raises the exception if the reply is a failure."""
        return without_failures(values)[0]


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
        self._layouts = [ObservationLayout.of(space) for space in self.observation_spaces]

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        for index, env_id in enumerate(ids):
            # Environments may write to their actions.
            self._send(env_id, "step", self.workers[env_id].send, nested.owned(actions[index]))

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, /, **keywords: Any) -> None:
        for env_id, seed in zip(ids, seeds or [None] * len(ids), strict=True):
            own = nested.owned(keywords)
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

    def take(
        self, ids: Sequence[int], replies: list[Any] | None = None, *, is_reset: bool = False
    ) -> list[StepResult | EnvFailure]:
        return self._receive(ids, "reset" if is_reset else "step", partial(self._read, is_reset), replies)

    def read(self, ids: Sequence[int], reply: Any) -> Taken:
        taken: Taken = reply
        return taken

    def pending(self, ids: Sequence[int]) -> list[int]:
        return [env_id for env_id in ids if env_id in self._pending]

    def _read(self, is_reset: bool, env_id: int, returned: Any) -> StepResult:
        space = self.observation_spaces[env_id]
        if is_reset:
            observation, info = read_reset(returned, space)
            result = StepResult(observation, 0.0, False, False, False, nested.owned(dict(info)))
        else:
            result = read_step(returned)
        array = result.observation
        if type(array) is not np.ndarray or array.shape != getattr(space, "shape", None):
            self._layouts[env_id].arrays(array, lenient=True)  # raises an error if the shape is another
        return result

    def _receive(
        self,
        ids: Sequence[int],
        operation: str,
        read: Callable[[int, Any], Any] | None = None,
        replies: list[Any] | None = None,
    ) -> list[Any]:
        # Results stay pending until all are received, so that an interrupt loses none.
        for env_id in ids:
            if self._pending.get(env_id) is None:
                self._pending[env_id] = _attempt(env_id, operation, self._received, env_id, read)
        received = [self._pending[env_id] for env_id in ids]
        if replies is not None:
            replies.append(received)
        self._pending = {env_id: each for env_id, each in self._pending.items() if env_id not in ids}
        return received

    def _received(self, env_id: int, read: Callable[[int, Any], Any] | None) -> Any:
        result = self.workers[env_id].recv()
        return result if read is None or isinstance(result, EnvFailure) else read(env_id, result)

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
        return [self._ask(env_id, function.__name__, *each) for env_id, each in pairs]

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


def make_quietly(env_fn: Callable[[], Any], caller: int) -> Any:
    """Makes an environment whose warnings are silenced: all warnings of the process, unless it is the caller's."""
    if os.getpid() == caller:
        return call_quietly(lambda: QuietEnvironment(adapt_dm_env(env_fn())))
    warnings.simplefilter("ignore")
    return env_fn()


class QuietEnvironment(Adapter):
    """Wrapper that silences warnings raised in an environment's methods."""

    def reset(self, **keywords: Any) -> Any:
        return call_quietly(super().reset, **keywords)

    def __getattr__(self, name: str) -> Any:
        value = super().__getattr__(name)
        return partial(call_quietly, value) if name in ("step", "render", "close") else value


class EnvGroup(WorkerGroup):
    """Worker processes that pass on what environments return, with the requests of an `EnvBackend`."""

    def __init__(self, env_fns: Sequence[Callable[[], Any]], no_warning: bool, **options: Any) -> None:
        makers = [partial(make_quietly, env_fn, os.getpid()) for env_fn in env_fns] if no_warning else env_fns
        super().__init__(makers, lenient=True, adapt=False, wrap=adapt_dm_env, **options)

    def wait_some(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        finished = self.wait(ids, count, timeout)
        if not len(finished):
            finished = self.wait(ids, 1, None)
        if len(finished) < len(ids):
            finished = self.wait(ids, len(ids), 0.0)  # environments that have finished meanwhile
        return [int(env_id) for env_id in finished]

    def take(self, ids: Sequence[int], replies: list[Any] | None = None, *, is_reset: bool = False) -> Taken:
        self.wait_all(ids)
        return read_replies(self.take_steps(ids, replies), ids, is_reset=is_reset)

    def read(self, ids: Sequence[int], reply: Any) -> Taken:
        steps = self.read_steps(ids, reply)
        if isinstance(steps, Steps):
            return read_replies(steps, ids)
        batch = StepBatch._make(steps)
        return batch if batch.four_values is not None else batch._replace(four_values=np.zeros(len(ids), bool))

    def pending(self, ids: Sequence[int]) -> list[int]:
        flying = set(self.in_flight.tolist())
        return [env_id for env_id in ids if env_id in flying]

    def apply(self, ids: Sequence[int], function: Callable[..., Any], arguments: Arguments) -> list[Any]:
        if not ids:
            return []
        # After Ctrl-C the calls remain in flight, as interrupted steps do, and are discarded later. `call` would drop
        # them.
        self.send_calls(ids, "apply", [(function, each) for each in arguments])
        self.wait_all(ids)
        return self.take_values(ids)


_LONGEST_SLEEP = 0.001  # seconds between checks of workers that no common event wakes up


class SubprocEnvWorker(BackendEnvWorker):
    """Worker for an environment in another process, which shares memory with the calling process.

    A worker created from an ``env_fn`` has its own process. An entry of `SubprocVectorEnv.workers` represents an
    environment in that vector environment's processes.

    Memory is always shared, whatever ``share_memory`` says. ``no_warning`` silences warnings of the environment;
    ``context`` and ``restart`` are those of `SubprocVectorEnv`.
    """

    _executor: EnvGroup

    def __init__(
        self,
        env_fn: Callable[[], Any],
        share_memory: bool = True,
        no_warning: bool = False,
        *,
        context: Any = None,
        restart: bool = False,
    ) -> None:
        super().__init__(env_fn)
        self._env_id, self._alone = 0, True
        with self._unnumbered():
            self._executor = EnvGroup([env_fn], no_warning, num_workers=1, context=context, restart=restart)

    @classmethod
    def among(cls, executor: EnvGroup, env_id: int, env_fn: Callable[[], Any]) -> SubprocEnvWorker:
        """Returns the worker of one environment of a group, which ``env_fn`` has made."""
        worker = cls.__new__(cls)
        BackendEnvWorker.__init__(worker, env_fn)
        worker._executor, worker._env_id, worker._alone = executor, env_id, False
        return worker

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        deadline = None if timeout is None else time.monotonic() + timeout
        sleep = 0.0
        while True:
            ready = [worker for worker in workers if worker.is_ready()]
            late = deadline is not None and time.monotonic() >= deadline
            if len(ready) >= min(wait_num, len(workers)) or late:
                return ready
            time.sleep(sleep)
            sleep = min(sleep + _LONGEST_SLEEP / 20, _LONGEST_SLEEP)

    def is_ready(self) -> bool:
        """Returns whether `recv` would return at once."""
        is_answered = self._is_sent and self._answers is not None
        return is_answered or bool(self._executor.wait([self._env_id], 1, 0.0).size)

    def close_env(self) -> None:
        with self._unnumbered():
            if self._alone:
                self._executor.close()
            else:
                self._executor.call([self._env_id], "close")

    def _answer(self, values: Sequence[Any]) -> Any:
        with self._unnumbered():
            return super()._answer(values)

    @contextlib.contextmanager
    def _unnumbered(self) -> Iterator[None]:
        """Removes the number from an error of a group of one environment, which the worker's owner numbers itself."""
        try:
            yield
        except Exception as error:
            if self._alone and error.args and isinstance(error.args[0], str):
                error.args = (error.args[0].removeprefix("environment 0: "), *error.args[1:])
            raise
