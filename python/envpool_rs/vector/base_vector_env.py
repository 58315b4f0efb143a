"""Vector environments with Tianshou's and MetaBox's interface, in this process or others; statistics that normalise."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing.context import BaseContext
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt

from envpool_rs import _arguments
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import map_leaves, object_array, zip_leaves
from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs._workers import EnvFailure, Steps, hosted_envs
from envpool_rs._workers.adapters import parameters_of
from envpool_rs._workers.serialization import reduced
from envpool_rs._workers.worker_process import without_failures
from envpool_rs.vector import env_worker
from envpool_rs.vector.env_worker import DummyEnvWorker, EnvWorker, SubprocEnvWorker


@dataclass
class StepLedger:
    """Ledger of steps that were sent and whose results were not returned yet."""

    # A failed step is reported once, by an exception; the results that arrived together with it are stored, and the
    # next fetch returns them. An interrupted call (Ctrl-C) leaves its steps pending. Other interrupted requests are
    # waited for and dropped before their environments receive a new request.
    #
    # An interrupt may come between any two instructions. So `unsettled` is set before steps are sent or taken, the
    # transport stores replies in it by the call that takes them, and `settle` finds out later how far a call came.
    # The last assignment before results are returned makes them count as returned.

    executor: env_worker.EnvBackend
    wait_num: int
    timeout: float | None
    is_async: bool
    waiting: list[int] = field(default_factory=list)
    interrupted: Sequence[int] = ()
    unsettled: tuple[list[int], list[Any]] | None = None
    """Environments whose steps a call sends or takes, and a list with the reply once it was taken."""
    unreturned: dict[int, Any] = field(default_factory=dict)
    """Results and failures by environment, in the order of completion. Those of environments that are not waiting were
    returned; the next step removes them.
    """

    def send(self, ids: list[int], actions: Any) -> None:
        if self.waiting or self.interrupted or self.unsettled:
            self.require_idle(ids, is_step=True)
        for env_id in ids if self.unreturned else ():
            self.unreturned.pop(env_id, None)
        self.unsettled = ids, []
        try:
            self.executor.send_steps(ids, actions)
        except Exception:
            self.interrupted = ids
            self.unsettled = None
            raise
        self.waiting = [*self.waiting, *ids] if self.waiting else ids
        self.unsettled = None

    def fetch(self) -> tuple[env_worker.StepBatch, list[int]]:
        """Takes all finished steps in synchronous mode, otherwise at least one, by ``wait_num`` and ``timeout``."""
        self.settle()
        if not self.waiting:
            raise RuntimeError("step(None): no environment has a step to fetch: give actions first")
        if not self.is_async:
            return self.finish(self.waiting)
        ready = [env_id for env_id in self.unreturned if env_id in self.waiting]
        missing = min(self.wait_num, len(self.waiting)) - len(ready)
        if missing > 0:
            ready += self.executor.wait_some(self._stepping(self.waiting), missing, self.timeout)
        return self.finish(ready)

    def finish(self, ids: list[int]) -> tuple[env_worker.StepBatch, list[int]]:
        """Takes the steps of ``ids``, which may be unfinished in synchronous mode, or raises the first failure.

        Returns their results, and the environments that are waiting once these have been returned to the caller, who
        assigns them to ``waiting`` last, and ``None`` to ``unsettled``.
        """
        stepping = self._stepping(ids)
        results: env_worker.Taken = []
        if stepping:
            self.unsettled = stepping, []
            results = self.executor.take(stepping, self.unsettled[1])
        if not isinstance(results, env_worker.StepBatch) or len(stepping) < len(ids):
            self.settle()
            for env_id in ids:
                step = self.unreturned[env_id]
                if isinstance(step, EnvFailure):
                    error, left = step.raised(), self._without([env_id])
                    self.waiting = left
                    raise error
                step.info["env_id"] = env_id
            results = env_worker.batch_steps(
                [self.unreturned[each] for each in ids], self.executor.observation_spaces[ids[0]]
            )
        return results, self._without(ids)

    def settle(self) -> None:
        """Records what an interrupted call has sent or taken; drops other interrupted requests."""
        # If this method is interrupted, it begins again and gets the same results.
        if self.unsettled is not None:
            ids, replies = self.unsettled
            pending = list(ids)
            if replies:
                taken = self.executor.read(ids, replies[0])
                rows = taken.rows() if isinstance(taken, env_worker.StepBatch) else taken
                self.unreturned = {**self.unreturned, **dict(zip(ids, rows, strict=True))}
                self.executor.discard(ids)  # what an interrupted `take` has not removed
            else:
                pending = self.executor.pending(ids)
            self.waiting = [env_id for env_id in self.waiting if env_id not in ids or env_id in pending]
            self.waiting = [*self.waiting, *(env_id for env_id in pending if env_id not in self.waiting)]
            self.unsettled = None
        if self.interrupted:
            self.executor.discard(self.interrupted)
            self.waiting = [each for each in self.waiting if each not in self.interrupted or each in self.unreturned]
            self.interrupted = ()

    def _stepping(self, ids: list[int]) -> list[int]:
        """Returns the environments whose result has not arrived yet."""
        return [env_id for env_id in ids if env_id not in self.unreturned] if self.unreturned else ids

    def drop(self, ids: Sequence[int]) -> None:
        """Prepares environments for a reset: in synchronous mode, drops their unfetched steps."""
        if self.is_async:
            self.require_idle(ids)
            return
        self.settle()
        unfetched = [env_id for env_id in ids if env_id in self.waiting] if self.waiting else []
        if unfetched:
            self.interrupted = unfetched
            self.settle()
            self.waiting = [env_id for env_id in self.waiting if env_id not in unfetched]

    def require_idle(self, ids: Sequence[int], *, is_step: bool = False) -> None:
        """Raises an error for environments that are stepping, or in asynchronous mode have unfetched results."""
        self.settle()
        for env_id in ids if self.waiting else ():
            has_result = env_id in self.unreturned
            if env_id in self.waiting and has_result and (is_step or self.is_async):
                how = "fetch it by step(None)" if self.is_async else "fetch it by step(None), or reset the environment"
                raise RuntimeError(f"environment {env_id} has a result that was not fetched: {how}")
            if env_id in self.waiting and not has_result:
                raise RuntimeError(f"environment {env_id} is stepping now: step(None) waits for it")

    def _without(self, ids: Sequence[int]) -> list[int]:
        """Returns the waiting environments without ``ids``."""
        forgotten = () if len(ids) == len(self.waiting) else set(ids)
        return [env_id for env_id in self.waiting if env_id not in forgotten] if forgotten else []


def _listed(name: str, doc: str) -> property:
    """Returns a property with the list of the environments' values of an attribute."""
    return property(lambda envs: envs.get_env_attr(name), doc=doc)


class EnvironmentMethods(KnownAttributes):
    """Mixin with methods that access attributes, methods, seeds and rendered frames of single environments."""

    # It does not derive from gym's `Env`, whose metaclass (in gym 0.24 and 0.25) replaces `render`.

    is_closed: bool
    _executor: env_worker.EnvBackend
    _pending: StepLedger
    _all_ids: list[int]
    _id_set: frozenset[int]

    metadata = _listed("metadata", "List of the environments' ``metadata``.")
    reward_range = _listed("reward_range", "List of the environments' ``reward_range``.")
    spec = _listed("spec", "List of the environments' ``spec``.")
    action_space = _listed("action_space", "List of the environments' action spaces.")
    observation_space = _listed("observation_space", "List of the environments' observation spaces.")

    def _unknown_attribute(self, name: str) -> AttributeError:
        error = super()._unknown_attribute(name)
        return AttributeError(f"{error} (set_env_attr({name!r}, ...) sets attributes of the environments)")

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """Returns an attribute of each environment, in the order of ``id``: an id, or a sequence of ids; ``None`` for
        all.

        Raises an ``AttributeError`` if an environment does not have the attribute, naming the environment, and like all
        other methods a ``RuntimeError`` after `close` and, in asynchronous mode, for environments that are stepping.
        """
        return self._ask(id, hosted_envs.get_env_attr, _arguments.text("key", key, "an attribute's name"))

    def set_env_attr(self, key: str, value: Any, id: Any = None) -> None:
        """Sets an attribute in each environment of ``id``: on the wrapper that has it, or on the innermost one."""
        self._ask(id, hosted_envs.set_env_attr, _arguments.text("key", key, "an attribute's name"), value)

    def customized_method(self, call_method: str, data: Any = None, id: Any = None) -> list[Any]:
        """Calls a method of each environment; returns the results in the order of ``id``.

        ``call_method`` is the method's name, or names joined by dots, which is looked up as an attribute and never
        evaluated as code. ``data`` has a dict of arguments for each environment; ``None`` for none. ``id`` is an id, or
        a sequence of ids; ``None`` for all. Raises an ``AttributeError`` if an environment does not have the method,
        naming the environment, and a ``ValueError`` for a string that is not a name and for ``data`` of another length
        than ``id``.
        """
        path = _arguments.text("call_method", call_method, "a method's name")
        if not all(part.isidentifier() for part in path.split(".")):
            raise ValueError(f"call_method={path!r}: expected a method's name, or names joined by dots")
        ids = self._idle(id)
        if data is not None and not _arguments.is_series(data):
            raise TypeError(f"data={data!r}: expected a sequence with a dict of arguments for each id")
        expected = f"{len(ids)}, one for each id"
        listed = [None] * len(ids) if data is None else _arguments.entries("data", data, len(ids), expected)
        keywords = [{} if each is None else each for each in listed]
        for index, each in enumerate(keywords):
            if not isinstance(each, Mapping) or not all(isinstance(name, str) for name in each):
                raise TypeError(f"data[{index}]={each!r}: expected a dict of arguments by name, or None")
        arguments = [(path, dict(each)) for each in keywords]
        return without_failures(self._answers(ids, hosted_envs.call_method, arguments))

    def get_env_obj(self) -> list[Any]:
        """Returns the environments as objects; copies if they are in other processes."""
        return self._ask(None, hosted_envs.get_env_obj)

    def seed(self, seed: Any = None) -> list[Any]:
        """Seeds each environment and its action space; returns the list of seeds that each reports, or ``[seed]``.

        ``seed`` is ``None``; an integer, which gives environment ``i`` the seed ``seed + i``; or a sequence with a seed
        for each environment. Environments without a method ``seed`` are reset with the seed.
        """
        seeds = _arguments.seeds_of(seed, self._all_ids, f"env_num={len(self._all_ids)}")
        ids = self._idle(None)
        self._executor.record_seeds(ids, seeds)
        return without_failures(self._answers(ids, hosted_envs.seed, [(each,) for each in seeds]))

    def render(self, **kwargs: Any) -> list[Any]:
        """Returns the result of each environment's ``render``, which gets the arguments ``kwargs``."""
        return self._ask(None, hosted_envs.render, kwargs)

    def _idle(self, id: Any) -> list[int]:
        """Returns the ids of environments that must not be stepping."""
        self._assert_is_not_closed()
        ids = self._wrap_id(id)
        self._pending.require_idle(ids)
        return ids

    def _ask(self, id: Any, function: Callable[..., Any], *arguments: Any) -> list[Any]:
        """Calls a function with each environment and the same arguments; raises the first failure."""
        ids = self._idle(id)
        return without_failures(self._answers(ids, function, [arguments] * len(ids)))

    def _answers(self, ids: list[int], function: Callable[..., Any], arguments: env_worker.Arguments) -> list[Any]:
        """Calls a function with each environment; returns results or failures."""
        self._pending.interrupted = ids
        values = self._executor.apply(ids, function, arguments)
        self._pending.interrupted = ()
        return values

    def _assert_is_not_closed(self) -> None:
        if self.is_closed:
            raise RuntimeError(f"methods of {type(self).__name__} cannot be called after close")

    def _wrap_id(self, id: Any = None) -> list[int]:
        """Checks ids, and returns them as a list: all ids for ``None``, a single id for a number."""
        if id is None:
            return list(self._all_ids)
        given, count = id.tolist() if isinstance(id, np.ndarray) else id, len(self._all_ids)
        if isinstance(id, np.ndarray) and id.ndim == 1 and id.dtype.kind in "iu":
            numbers: list[int] = given
            distinct = set(numbers)
            if len(distinct) == len(numbers) and distinct <= self._id_set:
                return numbers  # in a third of the time of the checks below
        listed = islice(given, count + 1) if _arguments.is_series(given) else [given]
        ids = [_arguments.integer("id", each) for each in listed]
        for env_id in ids:
            if not 0 <= env_id < count:
                raise IndexError(f"id={env_id}: expected 0 to {count - 1}")
        if len(set(ids)) != len(ids):
            raise ValueError(f"id={ids}: expected each environment once")
        return ids


class RunningMeanStd(KnownAttributes):
    """Mean and variance of all rows seen, in float64; batches are merged by Chan, Golub and LeVeque's parallel formula.

    Attributes: ``mean`` of the rows, 0 before the first row; ``var``, their population variance, 1 before the first
    row; ``count`` of the rows seen; ``clip_max``, the bound of normalised values (``None`` for no bound); ``eps``, the
    number added to the variance before the division.
    """

    mean: Any
    var: Any
    count: Any
    clip_max: float | None
    eps: float

    def __init__(
        self,
        mean: Any = 0.0,
        var: Any = 1.0,
        count: int = 0,
        *,
        clip_max: float | None = 10.0,
        epsilon: float = float(np.finfo(np.float32).eps),
    ) -> None:
        """Creates statistics; raises a ``TypeError`` for anything but numbers, and a ``ValueError`` for numbers that
        are infinite or NaN, a negative variance or count, and bounds of 0 or less.
        """
        for name, value, least in (("mean", mean, -np.inf), ("var", var, 0.0), ("count", count, 0.0)):
            values = _numbers(value, name)
            if not (np.isfinite(values) & (values >= least)).all():
                expected = "finite numbers" if least < 0 else "finite numbers of 0 or more"
                raise ValueError(f"{name}={_arguments.shown(value)}: expected {expected}")
        _arguments.optional_number("clip_max", clip_max, "a number above 0, or None", lambda bound: bound > 0)
        _arguments.number("epsilon", epsilon, "a finite number of 0 or more", lambda least: 0 <= least < np.inf)
        self.mean = mean
        self.var = var
        self.count = count
        self.clip_max = clip_max
        self.eps = epsilon

    def update(self, batch: Any) -> None:
        """Updates the statistics with numbers ``(n, *shape)`` of always equal shape; or raises a ``TypeError``."""
        batch = _numbers(batch)
        if batch.ndim == 0:
            raise TypeError(f"batch={batch}: expected an array of rows")
        rows = len(batch)
        if rows == 0:
            return
        mean = np.mean(batch, axis=0, dtype=np.float64)
        var = np.var(batch, axis=0, dtype=np.float64)
        total = self.count + rows
        share = rows / total
        difference = mean - self.mean
        between = np.square(difference) * share * (1.0 - share)
        self.var = np.asarray(self.var, dtype=np.float64) * (1.0 - share) + var * share + between
        self.mean = self.mean + difference * share
        self.count = total

    def norm(self, batch: Any) -> Any:
        """Returns ``(batch - mean) / sqrt(var + eps)``, clipped, for numbers whose last axes are the rows' shape, in
        their floating-point dtype, otherwise float64. Raises a ``TypeError`` for anything but numbers.
        """
        values = _numbers(batch)
        normalised = (values - self.mean) / np.sqrt(np.asarray(self.var) + self.eps)
        if self.clip_max is not None:
            normalised = np.clip(normalised, -self.clip_max, self.clip_max)
        return normalised.astype(values.dtype) if values.dtype.kind == "f" else normalised

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={self.mean!r}, var={self.var!r}, count={self.count!r})"


def _numbers(value: Any, name: str = "batch") -> npt.NDArray[Any]:
    numbers = _arguments.array(name, value)
    if numbers.dtype.kind not in "biuf":
        raise TypeError(f"{name}={_arguments.shown(value)}: expected numbers")
    return numbers


def for_each_leaf(method: str, statistics: Any, observations: Any, path: str = "observation") -> Any:
    """Calls ``"update"`` or ``"norm"`` of statistics; returns the statistics, or the normalised observations."""

    def at(part: Any, leaf: Any, path: str) -> Any:
        if isinstance(part, (dict, tuple)):
            if not isinstance(leaf, RunningMeanStd) or leaf.count:
                parts = list(part) if isinstance(part, dict) else list(range(len(part)))
                raise TypeError(f"obs_rms={leaf!r}: expected statistics for {path} with {parts}")
            # Empty statistics are copied for each part of an observation.
            spread = map_leaves(lambda _: RunningMeanStd(clip_max=leaf.clip_max, epsilon=leaf.eps), part)
            return for_each_leaf(method, spread, part, path)
        if not isinstance(part, np.ndarray) or part.dtype.kind not in "biuf":
            kind = part.dtype if isinstance(part, np.ndarray) else type(part).__name__
            raise TypeError(
                f"norm_obs=True, and {path} is of {kind}: expected numbers of the same shape from all environments"
            )
        if isinstance(leaf, (dict, tuple)):
            raise TypeError(f"obs_rms={leaf!r} for {path}: expected a RunningMeanStd")
        normalised = getattr(leaf, method)(part)
        return leaf if method == "update" else normalised

    return zip_leaves(at, observations, statistics, path=path)


class BaseVectorEnv(EnvironmentMethods, EnvironmentBase):  # type: ignore[misc]
    """Environments that are stepped together; each is accessed through a worker (`EnvWorker`).

    Results are stacked in the order of the requested ids; infos carry ``env_id``. There is no autoreset. With
    ``wait_num`` or ``timeout`` steps are asynchronous: a step returns the results of environments that have finished,
    and all other environments continue.

    Args:
        env_fns: functions that make one environment each.
        worker_fn: subclass of `EnvWorker`, or a function that returns a worker; called with each of ``env_fns``. It
            also receives ``num_cpu_per_worker``, ``num_gpu_per_worker``, ``sub_worker_fn`` and ``no_warning`` if its
            signature names them.
        wait_num: number of finished environments after which a step returns; ``None`` waits for all.
        timeout: seconds after which a step returns the environments that have finished, at least one; ``None`` for no
            limit.
        norm_obs: whether to normalise observations by ``obs_rms``; an attribute, too.
        update_obs_rms: whether results of `reset` and `step` update ``obs_rms``; an attribute, too.
        num_cpu_per_worker, num_gpu_per_worker: number of CPUs and GPUs, for workers that accept them.
        sub_worker_fn: function that makes a worker for each environment, in workers that host several environments.
        no_warning: whether warnings of the environments are silenced.
        obs_rms: initial statistics.
        return_truncated: whether `step` returns ``terminated`` and ``truncated`` instead of ``done``.

    Attributes: ``env_num`` is the number of environments, also ``len()``; ``workers`` has the worker of each of them;
    ``worker_class``, ``worker_fn``, ``worker_name`` and ``worker_num`` are their class, the function that made them,
    its name, and their number; ``is_async`` is whether a step may return fewer environments than requested;
    ``is_closed`` is whether `close` was called.
    """

    env_num: int
    workers: list[EnvWorker]
    worker_class: type[EnvWorker]
    worker_fn: Callable[..., EnvWorker]
    worker_name: str
    worker_num: int
    wait_num: int
    timeout: float | None
    is_async: bool
    norm_obs: bool
    update_obs_rms: bool
    return_truncated: bool
    num_cpu_per_worker: float
    num_gpu_per_worker: float
    sub_worker_fn: Callable[..., Any]

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Any]],
        worker_fn: Callable[..., EnvWorker],
        wait_num: int | None = None,
        timeout: float | None = None,
        norm_obs: bool = False,
        update_obs_rms: bool = True,
        num_cpu_per_worker: float = 1,
        num_gpu_per_worker: float = 0,
        sub_worker_fn: Callable[..., Any] = DummyEnvWorker,
        no_warning: bool = False,
        *,
        obs_rms: Any = None,
        return_truncated: bool = False,
    ) -> None:
        self._env_fns = _arguments.functions("env_fns", env_fns)
        self.env_num = self.worker_num = len(self._env_fns)
        self._all_ids = list(range(self.env_num))
        self._id_set = frozenset(self._all_ids)
        allowed = f"1 to {self.env_num}, the number of environments"
        count = _arguments.optional_integer("wait_num", wait_num, 1, self.env_num, allowed=allowed)
        self.wait_num = count or self.env_num
        positive = "a number of seconds above 0, or None"
        seconds = _arguments.optional_number("timeout", timeout, positive, lambda seconds: seconds > 0)
        self.timeout = None if seconds is None else min(seconds, 1e8)  # three years, which the systems' clocks accept
        self.is_async = self.wait_num != self.env_num or timeout is not None
        self.is_closed = False
        self.norm_obs = _arguments.flag("norm_obs", norm_obs)
        self.update_obs_rms = _arguments.flag("update_obs_rms", update_obs_rms)
        self.return_truncated = _arguments.flag("return_truncated", return_truncated)
        self.obs_rms = RunningMeanStd() if obs_rms is None and norm_obs else obs_rms
        self.num_cpu_per_worker = num_cpu_per_worker
        self.num_gpu_per_worker = num_gpu_per_worker
        self.sub_worker_fn = sub_worker_fn
        self.worker_fn = worker_fn
        self.worker_name = getattr(worker_fn, "__name__", type(worker_fn).__name__)
        self.workers = []
        self._executor = self._make_executor(_arguments.flag("no_warning", no_warning))
        self._pending = StepLedger(self._executor, self.wait_num, self.timeout, self.is_async)
        self.worker_class = type(self.workers[0])

    def _make_executor(self, no_warning: bool) -> env_worker.EnvBackend:
        """Makes the workers by ``worker_fn``, with those options that ``worker_fn`` accepts."""
        parameters = parameters_of(self.worker_fn).values()
        names = {each.name for each in parameters if each.kind in (each.POSITIONAL_OR_KEYWORD, each.KEYWORD_ONLY)}
        if any(each.kind == each.VAR_KEYWORD for each in parameters):
            names.add("no_warning")
        accepted = names.intersection(("num_cpu_per_worker", "num_gpu_per_worker", "sub_worker_fn"))
        keywords = {name: getattr(self, name) for name in accepted}
        if "no_warning" in names:
            keywords["no_warning"] = no_warning
        executor = env_worker.EnvWorkerBackend(self.worker_fn, self._env_fns, keywords)
        self.workers = executor.workers
        return executor

    def __len__(self) -> int:
        return self.env_num

    def __repr__(self) -> str:
        return f"{type(self).__name__}(env_num={self.env_num})"

    __str__ = __repr__

    @property
    def waiting_id(self) -> list[int]:
        """Ids of environments with a step whose result has not been returned yet, in the order of sending."""
        self._pending.settle()
        return list(self._pending.waiting)

    @property
    def waiting_conn(self) -> list[EnvWorker]:
        """Workers of the environments with a step whose result has not been returned yet, in the order of sending."""
        return [self.workers[env_id] for env_id in self.waiting_id]

    @property
    def ready_id(self) -> list[int]:
        """Ids of environments that accept a request."""
        waiting = self.waiting_id
        return [env_id for env_id in self._all_ids if env_id not in waiting]

    def reset(self, id: Any = None, *, return_info: bool = False, **kwargs: Any) -> Any:
        """Resets environments; returns stacked observations, with ``return_info`` ``(observations, infos)``.

        Infos are a list of dicts. Unreturned steps of these environments are dropped (see `step`). ``id`` is an id, or
        a sequence of ids; ``None`` for all. ``kwargs`` are arguments of the environments' ``reset``: ``seed`` may be an
        integer, which gives environment ``i`` the seed ``seed + i``, or a sequence with a seed for each of ``id``; all
        other arguments are equal for all environments.
        """
        self._assert_is_not_closed()
        ids = self._wrap_id(id)
        seeds = (
            _arguments.seeds_of(kwargs.pop("seed"), ids, f"{len(ids)}, one for each id") if "seed" in kwargs else None
        )
        self._pending.drop(ids)
        if not ids:
            observations = env_worker.empty_observations(self._executor.observation_spaces[0])
            return (observations, []) if return_info else observations
        self._pending.interrupted = ids
        results = self._run_resets(ids, seeds, **kwargs)
        self._pending.interrupted = ()
        if not isinstance(results, env_worker.StepBatch):
            results = env_worker.batch_steps(without_failures(results), self._executor.observation_spaces[ids[0]])
        observations = self._normalised(results.observations) if self.norm_obs else results.observations
        return (observations, results.infos) if return_info else observations

    def _run_resets(self, ids: list[int], seeds: Sequence[int | None] | None, /, **kwargs: Any) -> env_worker.Taken:
        """Resets environments, and returns the results."""
        self._executor.send_resets(ids, seeds, **kwargs)
        return self._executor.take(ids, is_reset=True)

    def step(self, action: Any, id: Any = None) -> Any:
        """Steps each environment of ``id``, an id, or a sequence of ids; ``None`` for all.

        ``action`` is a sequence with an action for each of ``id``; ``None`` to fetch steps that were not returned yet.
        In asynchronous mode, only environments that are ready may be stepped: those in the last ``info``; initially all
        of them. If an environment raises an exception, this call raises it; the results of all other environments are
        stored, and ``step(None)`` returns them.

        Returns ``(observations, rewards, done, infos)``, in the order of ``id``; in asynchronous mode in the order of
        completion. Observations are stacked; rewards are float64 ``(n,)``, or ``(n, agents)`` if environments return
        arrays; done is bool ``(n,)``; infos are an object array of dicts with ``env_id``. With ``return_truncated``,
        terminated and truncated replace done. Without it, the info of an ended episode has ``"TimeLimit.truncated"``:
        whether it was truncated and not terminated.

        Raises an ``IndexError`` for ids that do not exist, a ``ValueError`` for repeated ids or another number of
        actions, and a ``RuntimeError`` after `close`, for environments that are stepping, and if there is no step to
        fetch.
        """
        self._assert_is_not_closed()
        if action is None:
            if id is not None:
                raise ValueError(f"id={id!r}: expected None where action is None")
            return self._returned(self._pending.fetch())
        ids = self._all_ids if id is None else self._wrap_id(id)
        plain = isinstance(action, np.ndarray) and action.ndim > 0 and action.dtype != object
        is_sequence = hasattr(action, "__getitem__") and hasattr(action, "__len__") and getattr(action, "ndim", 1) > 0
        if not plain and (isinstance(action, (str, bytes, Mapping)) or not is_sequence):
            raise TypeError(f"action={action!r}: expected a sequence with one action for each id")
        try:
            count = len(action)
        except OverflowError:  # of a range
            count = sys.maxsize
        if count != len(ids):
            raise ValueError(f"action has {count} entries: expected {len(ids)}, one for each id")
        for index, each in enumerate(() if plain else action):
            if each is None:
                raise ValueError(f"action[{index}]=None: expected an action")
        if ids:
            self._pending.send(ids, action)
        elif not self.is_async:
            observations = env_worker.empty_observations(self._executor.observation_spaces[0])
            return self._outputs((observations, np.empty(0), *np.empty((3, 0), dtype=bool), []))
        return self._returned(self._pending.fetch() if self.is_async else self._pending.finish(ids))

    def _returned(self, finished: tuple[env_worker.StepBatch, list[int]]) -> Any:
        """Returns the outputs of steps, which then are not pending any more."""
        batch, left = finished
        outputs, pending = self._outputs(batch), self._pending
        pending.waiting = left
        pending.unsettled = None
        return outputs

    def _outputs(self, batch: env_worker.StepBatch | tuple[Any, ...]) -> Any:
        observations, rewards, terminated, truncated, four_values, infos = batch
        if self.norm_obs:
            observations = self._normalised(observations)
        if self.return_truncated:
            return observations, rewards, terminated, truncated, object_array(infos)
        done = terminated
        # Bytes are searched ten times as fast as `any` searches an array.
        by_rules, by_limit = terminated.tobytes(), truncated.tobytes()
        if 1 in by_rules or 1 in by_limit:
            if 1 in by_limit:
                done = terminated | truncated
            for ended, is_limit in ((by_limit, True), (by_rules, False)):
                row = ended.find(1)
                while row >= 0:
                    if four_values is None or not four_values[row]:
                        infos[row][env_worker.TIME_LIMIT] = is_limit
                    row = ended.find(1, row + 1)
        return observations, rewards, done, object_array(infos)

    @property
    def obs_rms(self) -> Any:
        """Statistics that normalise observations: a `RunningMeanStd`, or a dict or tuple of them for dict and tuple
        observations; ``None`` for none. The statistics of another environment may be assigned; ``update_obs_rms=False``
        freezes them.
        """
        return self._obs_rms

    @obs_rms.setter
    def obs_rms(self, statistics: Any) -> None:
        def check(leaf: Any, path: str) -> None:
            if not (hasattr(leaf, "norm") and hasattr(leaf, "update")):
                raise TypeError(f"{path}={leaf!r}: expected a RunningMeanStd, or a dict or tuple of them")

        if statistics is not None:
            zip_leaves(check, statistics, path="obs_rms")
        self._obs_rms = statistics

    def _normalised(self, observations: Any) -> Any:
        if self.norm_obs and self.update_obs_rms and self.obs_rms is not None:
            self._obs_rms = for_each_leaf("update", self._obs_rms, observations)
        return self.normalize_obs(observations)

    def normalize_obs(self, obs: Any) -> Any:
        """Returns stacked observations, normalised if ``norm_obs`` is set; ``obs_rms`` is not updated."""
        return for_each_leaf("norm", self.obs_rms, obs) if self.norm_obs and self.obs_rms is not None else obs

    def close(self) -> None:
        """Closes all environments and ends their processes; a second call raises a ``RuntimeError``."""
        self._assert_is_not_closed()
        self.is_closed = True
        self._pending.unsettled, self._pending.interrupted = None, ()
        try:
            self._executor.close()
        finally:
            for worker in self.workers:
                worker.is_closed = True

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, self.__dict__)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *exception: object) -> None:
        if not self.is_closed:
            self.close()


class DummyVectorEnv(BaseVectorEnv):
    """Environments stepped in a loop, in this process, for debugging, or if a step takes less time than waking a
    process.

    In asynchronous mode, all steps have finished when they are fetched, so all are returned. It can be copied and
    pickled, with its environments. The arguments are those of `BaseVectorEnv`; ``num_cpus`` and ``num_gpus`` are not
    used.
    """

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Any]],
        num_cpus: float | None = 1,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(env_fns, DummyEnvWorker, no_warning=no_warning, **kwargs)


_NO_ROWS = np.empty(0)


class SubprocVectorEnv(BaseVectorEnv):
    """Environments in worker processes that share memory with the calling process.

    ``env_fns`` are functions that make one environment each; lambdas and closures too. ``num_workers`` is the number of
    processes; ``None`` means one for each core that this process may use, or, with ``wait_num`` or ``timeout``, one for
    each environment, so that a slow environment delays no other. With ``caller_steps``, this process hosts and steps a
    share of the environments itself, while it waits. ``context`` is how processes start: ``"fork"``, ``"spawn"``,
    ``"forkserver"`` or a context of multiprocessing; ``None`` for multiprocessing's default. With ``restart``, a dead
    process is restarted; its environments then start new episodes, which ``info["restarted"]`` reports. Otherwise, its
    environments are lost, and requests for them raise an error. ``num_cpus``, ``num_gpus`` and ``share_memory`` are
    accepted for compatibility with the family, and not used. ``kwargs`` are further arguments of `BaseVectorEnv`, such
    as ``wait_num`` and ``timeout``.
    """

    num_workers: int

    def __init__(
        self,
        env_fns: Iterable[Callable[[], Any]],
        num_cpus: float | None = 1,
        num_gpus: float | None = 0,
        no_warning: bool = False,
        *,
        num_workers: int | None = None,
        caller_steps: bool = False,
        context: str | BaseContext | None = None,
        restart: bool = False,
        share_memory: bool = True,
        **kwargs: Any,
    ) -> None:
        self._group_options: dict[str, Any] = {
            "num_workers": num_workers,
            "caller_share": _arguments.flag("caller_steps", caller_steps),
            "context": context,
            "restart": _arguments.flag("restart", restart),
        }
        super().__init__(env_fns, SubprocEnvWorker, no_warning=no_warning, **kwargs)

    def _make_executor(self, no_warning: bool) -> env_worker.EnvBackend:
        options = dict(self._group_options)
        if self.is_async and options["num_workers"] is None:
            options["num_workers"] = self.env_num - 1 if options["caller_share"] else self.env_num
        self._group = env_worker.EnvGroup(self._env_fns, no_warning, **options)
        self.num_workers = self._group.num_workers
        self._shape = (self.env_num,)
        self.workers = [SubprocEnvWorker.among(self._group, *each) for each in enumerate(self._env_fns)]
        return self._group

    def step(self, action: Any, id: Any = None) -> Any:
        pending = self._pending
        if (
            id is not None
            or type(action) is not np.ndarray
            or action.shape[:1] != self._shape
            or action.dtype.hasobject
            or self.is_async
            or self.is_closed
            or pending.waiting
            or pending.interrupted
            or pending.unsettled
            or pending.unreturned
        ):
            return super().step(action, id)
        # One call steps all environments and runs few Python functions, because these take as long as the steps.
        replies: list[Any] = []
        pending.unsettled = self._all_ids, replies
        played: Any = self._group.step(action, replies)
        if isinstance(played, Steps):
            pending.settle()
            return self._returned(pending.finish(self._all_ids))
        outputs = self._outputs(played)
        pending.unsettled = None
        return outputs

    def _run_resets(self, ids: list[int], seeds: Sequence[int | None] | None, /, **kwargs: Any) -> env_worker.Taken:
        if seeds is not None or kwargs:
            return super()._run_resets(ids, seeds, **kwargs)
        begun: Any = self._group.reset(ids)
        if isinstance(begun, Steps):
            return env_worker.read_replies(begun, ids, is_reset=True)
        return env_worker.StepBatch(begun, _NO_ROWS, _NO_ROWS, _NO_ROWS, _NO_ROWS, [{} for _ in ids])

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")
