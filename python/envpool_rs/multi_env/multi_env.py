"""``MultiEnv``, which steps many environments with one call and returns lists of results."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any

import numpy as np

from envpool_rs._arguments import seeds_of
from envpool_rs._facades.async_calls import ExclusiveUse
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import owned
from envpool_rs._workers.adapters import read_reset
from envpool_rs._workers.serialization import reduced
from envpool_rs.multi_env.results import FourLists, StepLists, _AutoResetWrapper, four_lists
from envpool_rs.multi_env.subprocess_env import EnvProcesses, SubprocessEnv


class LocalEnvs:
    """Environments that are objects of this process, each in its own thread; a single one in the calling thread."""

    # Threads speed up environments that release the interpreter's lock, because they wait for another process or
    # compute in C. Requests are generators: they start calls up to `yield`, and wait for them afterwards.

    def __init__(self, positions: Sequence[int], envs: Sequence[_AutoResetWrapper]) -> None:
        self._envs = dict(zip(positions, envs, strict=True))
        self._executor = ThreadPoolExecutor(len(envs), "MultiEnv") if len(envs) > 1 else None
        self._futures: list[Future[Any]] = []

    def step(self, actions: Sequence[Any], into: StepLists) -> Iterator[None]:
        """Steps environments whose action is not ``None``."""
        calls = {
            position: partial(_owned_step, env, actions[position])
            for position, env in self._envs.items()
            if actions[position] is not None
        }
        return self._run(calls, into.put, into.errors)

    def reset(
        self, keywords: Sequence[dict[str, Any]], observations: list[Any], errors: dict[int, BaseException]
    ) -> Iterator[None]:
        """Resets all environments."""
        calls = {position: partial(_owned_reset, env, keywords[position]) for position, env in self._envs.items()}
        return self._run(calls, observations.__setitem__, errors)

    def close(self, errors: dict[int, BaseException]) -> None:
        """Closes all environments; stores their exceptions."""
        for _ in self._run({position: env.close for position, env in self._envs.items()}, lambda *_: None, errors):
            pass
        if self._executor is not None:
            self._executor.shutdown()

    def _run(
        self, calls: Mapping[int, Callable[[], Any]], put: Callable[[int, Any], None], errors: dict[int, BaseException]
    ) -> Iterator[None]:
        # Waits for calls that an interrupted method left running, before their environments are called again.
        concurrent.futures.wait(self._futures)
        if self._executor is not None:
            futures = {position: self._executor.submit(call) for position, call in calls.items()}
            self._futures = list(futures.values())
            calls = {position: future.result for position, future in futures.items()}
        yield
        for position, call in calls.items():
            try:
                result = call()
            except Exception as error:
                errors[position] = error
            else:
                put(position, result)
        self._futures = []


def _owned_step(env: _AutoResetWrapper, action: Any) -> Any:
    """Steps an environment with a copy of an action; returns copies, because the environment may reuse its objects."""
    return owned(env.step(owned(action)))


def _owned_reset(env: _AutoResetWrapper, keywords: dict[str, Any]) -> Any:
    """Resets an environment with copies of the arguments; returns a copy of the observation."""
    return owned(env.reset(**owned(keywords)))


class WorkerEnvs:
    """``SubprocessEnv``s that share worker processes; one request steps all of them, resets included."""

    def __init__(self, positions: Sequence[int], envs: Sequence[_AutoResetWrapper], is_everybody: bool) -> None:
        self._processes: EnvProcesses = envs[0].env._processes
        self._space = envs[0].env.observation_space
        # Sorted by the environments' index in the processes, which expect ascending indices.
        indices = [env.env._index for env in envs]
        self._position_of = dict(sorted(zip(indices, positions, strict=True)))
        self._wrapper_of = dict(zip(indices, envs, strict=True))
        self._indices = list(self._position_of)
        self._envs = [self._wrapper_of[index] for index in self._indices]
        # If these are all environments of the list, in the processes' order, actions and results are passed on without
        # reordering.
        self._is_whole_list = is_everybody and list(self._position_of.values()) == list(range(len(envs)))

    def step(self, actions: Sequence[Any], into: StepLists) -> Iterator[None]:
        """Steps environments whose action is not ``None``."""
        chosen: Sequence[Any] = actions
        if self._is_whole_list and _without_none(actions):
            played = self._indices
        else:
            positions = self._position_of.items()
            played = [index for index, position in positions if actions[position] is not None]
            chosen = [actions[self._position_of[index]] for index in played]
        if not played:
            return
        self._processes.send_steps(played, chosen, [self._wrapper_of[index]._terminated for index in played])
        yield
        steps, errors = self._processes.take_steps(played)
        lists = four_lists(steps, self._space)
        if self._is_whole_list and len(played) == len(self._indices) and not steps.failures:
            for wrapper, terminal in zip(self._envs, lists[2], strict=True):
                wrapper._terminated = terminal
            into.lists = lists
            return
        for row, index in enumerate(played):
            if index not in steps.failures:
                self._wrapper_of[index]._terminated = bool(lists[2][row])
                into.put(self._position_of[index], (lists[0][row], lists[1][row], lists[2][row], lists[3][row]))
        for index, error in errors.items():
            into.errors[self._position_of[index]] = error

    def reset(
        self, keywords: Sequence[dict[str, Any]], observations: list[Any], errors: dict[int, BaseException]
    ) -> Iterator[None]:
        """Resets all environments."""
        arguments = [("reset", (), keywords[position]) for position in self._position_of.values()]
        self._processes.send_calls(self._indices, "call", arguments)
        yield
        results, failed = self._processes.take_values(self._indices)
        for index, result in results.items():
            self._wrapper_of[index]._terminated = False
            observations[self._position_of[index]] = read_reset(result, self._space)[0]
        for index, error in failed.items():
            errors[self._position_of[index]] = error

    def close(self, errors: dict[int, BaseException]) -> None:
        """Closes the environments that are still open; stores their exceptions."""
        still_open = [env.env for env in self._wrapper_of.values() if not env.env._is_closed]
        for env in still_open:
            env._is_closed = True
        try:
            self._processes.close([env._index for env in still_open])
        except Exception as error:
            errors[min(self._position_of.values())] = error


def _without_none(actions: Any) -> bool:
    # Arrays that the caller passes hold only numbers. `None in actions` is not used, because it would compare arrays
    # among the actions elementwise.
    return isinstance(actions, np.ndarray) or not any(action is None for action in actions)


NEEDED = ("reset", "step", "close", "observation_space", "action_space")
"""Attributes that every environment must have."""


class MultiEnv(KnownAttributes):
    """Steps several environments at the same time, with autoreset: ``reset`` needs to be called only once.

    Environments may be ``SubprocessEnv``s or any objects with gym's or gymnasium's interface. ``SubprocessEnv``s made
    by one call of ``create_subprocess_envs`` are fastest: one message steps all of them. Other objects are stepped in
    threads. A ``MultiEnv`` of such objects can be copied and pickled, with its environments.
    """

    def __init__(self, envs: Iterable[Any]) -> None:
        """Wraps environments.

        Args:
            envs: the environments, with equal observation spaces and equal action spaces.

        Raises:
            ValueError: if there is no environment, if spaces differ, or if an environment is repeated or not
                initialized yet.
            TypeError: for an object without an environment's interface.
        """
        if not isinstance(envs, Iterable):
            raise TypeError(f"envs={envs!r}: expected a list of environments")
        chosen = list(envs)
        _check_envs(chosen)
        self._envs = [_AutoResetWrapper(env) for env in chosen]
        self._groups = _grouped(self._envs)
        self._use = ExclusiveUse("this MultiEnv")
        self._is_closed = False

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
        """Resets all environments.

        Args:
            seed: for gymnasium's environments; an int seeds environment ``i`` with ``seed + i``.
            kwargs: arguments of every environment's ``reset``.

        Returns:
            The observation of each environment.

        Raises:
            ValueError: for another number of seeds than environments; if the environments are closed.
            RuntimeError: while another thread, or one of the environments themselves, resets or steps them.
            Exception: the exception of the first environment that failed, after all are done.
        """
        self._check_open("reset()")
        keywords = self._reset_keywords(seed, kwargs)
        observations: list[Any] = [None] * len(self._envs)
        errors: dict[int, BaseException] = {}
        self._use.run(self._reset_all, keywords, observations, errors)
        _raise_first(errors)
        return observations

    def step(self, actions: Any) -> FourLists:
        """Steps all environments at the same time.

        An environment whose last step was terminal is reset first; that observation is discarded, and the action is
        applied. An environment whose action is ``None`` is not stepped.

        Args:
            actions: an action for each environment, in a list, an array, or any other iterable.

        Returns:
            ``(observations, rewards, terminals, infos)``, lists with an entry for each environment; for an environment
            whose action is ``None``, all four entries are ``None``. An entry of ``terminals`` is true if the episode
            was terminated or truncated; for gymnasium's environments, ``"TimeLimit.truncated"`` in the info
            distinguishes the two.

        Raises:
            ValueError: for another number of actions than environments; if the environments are closed.
            RuntimeError: as for ``reset``.
            Exception: the exception of the first environment that failed, after all have made their step. Its attribute
                ``results`` holds the four lists, with ``None`` for environments that failed.
        """
        self._check_open("step()")
        checked = self._checked_actions(actions)
        lists = StepLists(len(self._envs))
        self._use.run(self._step_all, checked, lists)
        return lists.result()

    def close(self) -> None:
        """Closes all environments.

        Raises:
            ValueError: if the environments are already closed.
            Exception: the exception of the first environment that failed to close, after all are closed.
        """
        self._check_open("close()")
        self._is_closed = True
        errors: dict[int, BaseException] = {}
        for group in self._groups:
            group.close(errors)
        _raise_first(errors)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, (self._envs, self._is_closed))

    def __setstate__(self, state: tuple[list[_AutoResetWrapper], bool]) -> None:
        self._envs, self._is_closed = state
        self._groups = _grouped(self._envs)
        self._use = ExclusiveUse("this MultiEnv")

    def __enter__(self) -> MultiEnv:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_closed:
            self.close()

    def _check_open(self, method: str) -> None:
        if self._is_closed:
            raise ValueError(f"{method}: these environments are closed")

    def _reset_all(
        self, keywords: list[dict[str, Any]], observations: list[Any], errors: dict[int, BaseException]
    ) -> None:
        _run([each.reset(keywords, observations, errors) for each in self._groups])

    def _step_all(self, actions: Sequence[Any], lists: StepLists) -> None:
        _run([each.step(actions, lists) for each in self._groups])

    def _checked_actions(self, actions: Any) -> Sequence[Any]:
        # Arrays of numbers are passed on unchanged, since they cannot contain None.
        if not isinstance(actions, np.ndarray) or actions.dtype == object or actions.ndim == 0:
            try:
                actions = list(actions)
            except TypeError:
                raise TypeError(f"actions={actions!r}: expected one for each of {len(self)} environments") from None
        if len(actions) != len(self):
            raise ValueError(f"actions has {len(actions)} entries: expected one for each of {len(self)} environments")
        checked: Sequence[Any] = actions
        return checked

    def _reset_keywords(self, seed: Any, kwargs: dict[str, Any]) -> list[dict[str, Any]]:
        if seed is None:
            return [kwargs] * len(self)
        seeds = seeds_of(seed, range(len(self)), f"one for each of {len(self)} environments")
        return [{**kwargs, "seed": each} for each in seeds]


def _check_envs(envs: list[Any]) -> None:
    if not envs:
        raise ValueError("envs is empty: expected at least one environment")
    for position, env in enumerate(envs):
        missing = [name for name in NEEDED if not hasattr(env, name)]
        if missing:
            raise TypeError(f"envs[{position}] is {env!r}, without {', '.join(missing)}: expected an environment")
        if any(env is other for other in envs[:position]):
            raise ValueError(f"envs[{position}] is given twice: expected each environment once")
        for name in ("observation_space", "action_space"):
            value, first = getattr(env, name), getattr(envs[0], name)
            if value != first:
                raise ValueError(f"envs[{position}].{name} is {value}: expected that of envs[0], {first}")


def _grouped(envs: list[_AutoResetWrapper]) -> list[WorkerEnvs | LocalEnvs]:
    """Groups environments: one group for each set of worker processes, and one for all other environments."""
    parts: dict[int, list[int]] = {}
    for position, wrapper in enumerate(envs):
        env = wrapper.env
        # Only instances of SubprocessEnv itself share requests, because a subclass may override `step`.
        shared = id(env._processes) if type(env) is SubprocessEnv else 0
        parts.setdefault(shared, []).append(position)
    local = parts.pop(0, [])
    groups: list[WorkerEnvs | LocalEnvs] = [
        WorkerEnvs(positions, [envs[position] for position in positions], len(positions) == len(envs))
        for positions in parts.values()
    ]
    return groups + ([LocalEnvs(local, [envs[position] for position in local])] if local else [])


def _run(requests: Sequence[Iterator[None]]) -> None:
    """Sends all requests, and then waits for the results of each."""
    for request in requests:
        next(request, None)
    for request in requests:
        next(request, None)


def _raise_first(errors: dict[int, BaseException]) -> None:
    if errors:
        raise errors[min(errors)]
