"""Steppers, each of which steps several environments at once: objects of this process, or environments in worker
processes.
"""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import numpy as np

from envpool_rs._nested import owned
from envpool_rs._workers.adapters import read_reset
from envpool_rs.multi_env.env_processes import EnvProcesses
from envpool_rs.multi_env.env_requests import Request
from envpool_rs.multi_env.step_results import StepLists, _AutoResetWrapper, four_lists
from envpool_rs.multi_env.subprocess_env import SubprocessEnv


class LocalStepper:
    """Steps environments that are objects of this process, each in its own thread; a single environment in the calling
    thread.

    Threads speed up environments that release the interpreter's lock, because they wait for another process or compute
    in C.
    """

    def __init__(self, positions: Sequence[int], envs: Sequence[_AutoResetWrapper]) -> None:
        """Starts threads if there are several environments.

        Args:
            positions: positions of the environments in the list of all environments.
            envs: the environments.
        """
        self._envs = dict(zip(positions, envs, strict=True))
        self._executor = ThreadPoolExecutor(len(envs), "MultiEnv") if len(envs) > 1 else None
        self._calls: dict[int, Callable[[], Any]] = {}
        self._futures: dict[int, Future[Any]] = {}

    def begin_steps(self, actions: Sequence[Any]) -> None:
        """Starts the steps of environments whose action is not ``None``.

        Args:
            actions: one for each environment in the whole list, by position.
        """
        played = {position: env for position, env in self._envs.items() if actions[position] is not None}
        self._begin({position: _call(_owned_step, env, actions[position]) for position, env in played.items()})

    def begin_resets(self, keywords: Sequence[dict[str, Any]]) -> None:
        """Starts the reset of each environment, without waiting for it.

        Args:
            keywords: keyword arguments of the environments' ``reset``; item ``i`` is for environment ``i`` of the list.
        """
        calls = {position: _call(_owned_reset, env, keywords[position]) for position, env in self._envs.items()}
        self._begin(calls)

    def finish_steps(self, into: StepLists) -> None:
        """Waits for the steps, and stores their results or exceptions in ``into``."""
        for position, values in self._results(into.errors).items():
            into.put(position, values)

    def finish_resets(self, observations: list[Any], errors: dict[int, BaseException]) -> None:
        """Waits for the resets, and stores their observations or exceptions."""
        for position, observation in self._results(errors).items():
            observations[position] = observation

    def close(self, errors: dict[int, BaseException]) -> None:
        """Closes all environments; stores their exceptions."""
        self._begin({position: env.close for position, env in self._envs.items()})
        self._results(errors)
        if self._executor is not None:
            self._executor.shutdown()

    def _begin(self, calls: dict[int, Callable[[], Any]]) -> None:
        # Waits for calls that an interrupted method left running, before their environments are called again.
        concurrent.futures.wait(self._futures.values())
        if self._executor is None:
            self._calls = calls
        else:
            self._futures = {position: self._executor.submit(call) for position, call in calls.items()}

    def _results(self, errors: dict[int, BaseException]) -> dict[int, Any]:
        calls, self._calls = self._calls, {}
        for position, future in self._futures.items():
            calls[position] = future.result
        results = {}
        for position, call in calls.items():
            try:
                results[position] = call()
            except Exception as error:
                errors[position] = error
        self._futures = {}
        return results


def _owned_step(env: _AutoResetWrapper, action: Any) -> Any:
    """Steps an environment with a copy of an action; returns copies, because the environment may reuse its objects."""
    return owned(env.step(owned(action)))


def _owned_reset(env: _AutoResetWrapper, keywords: dict[str, Any]) -> Any:
    """Resets an environment with copies of the arguments; returns a copy of the observation."""
    return owned(env.reset(**owned(keywords)))


def _call(function: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Callable[[], Any]:
    return lambda: function(*arguments, **keywords)


class WorkerStepper:
    """Steps ``SubprocessEnv``s that share worker processes, by one request for all of them, resets included."""

    def __init__(self, positions: Sequence[int], envs: Sequence[_AutoResetWrapper], is_everybody: bool) -> None:
        """Stores the environments and their positions.

        Args:
            positions: positions of the environments in the list of all environments.
            envs: wrappers around
            ``SubprocessEnv``s that share their processes.
            is_everybody: whether these are all environments of the list.
        """
        subprocess_envs: list[SubprocessEnv] = [env.env for env in envs]
        self._processes: EnvProcesses = subprocess_envs[0]._processes
        self._space = subprocess_envs[0].observation_space
        # Sorted by the environments' index in the processes, which expect ascending indices.
        indices = [env._index for env in subprocess_envs]
        self._position_of = dict(sorted(zip(indices, positions, strict=True)))
        self._wrapper_of = dict(zip(indices, envs, strict=True))
        self._indices = list(self._position_of)
        self._envs = [self._wrapper_of[index] for index in self._indices]
        # If these are all environments of the list, in the processes' order, actions and results are passed on without
        # reordering.
        self._is_whole_list = is_everybody and list(self._position_of.values()) == list(range(len(envs)))
        self._request: Request | None = None

    def begin_steps(self, actions: Sequence[Any]) -> None:
        """Sends the actions that are not ``None``.

        Args:
            actions: one for each environment in the whole list, by position.
        """
        chosen: Sequence[Any] = actions
        if self._is_whole_list and _without_none(actions):
            played = self._indices
        else:
            positions = self._position_of.items()
            played = [index for index, position in positions if actions[position] is not None]
            chosen = [actions[self._position_of[index]] for index in played]
        terminated = [self._wrapper_of[index]._terminated for index in played]
        self._request = self._processes.submit_steps(played, chosen, terminated) if played else None

    def begin_resets(self, keywords: Sequence[dict[str, Any]]) -> None:
        """Sends a reset to each environment's worker process, without waiting for the results.

        Args:
            keywords: keyword arguments of the environments' ``reset``; item ``i`` is for environment ``i`` of the list.
        """
        arguments = [("reset", (), keywords[position]) for position in self._position_of.values()]
        self._request = self._processes.submit_calls(list(self._position_of), "call", arguments)

    def finish_steps(self, into: StepLists) -> None:
        """Waits for the steps, and stores their results or exceptions in ``into``."""
        request, self._request = self._request, None
        if request is None:
            return
        answers = self._processes.collect(request)
        steps = answers.steps
        assert steps is not None  # the request was a step
        lists = four_lists(steps, self._space)
        if self._is_whole_list and len(request.envs) == len(self._indices) and not steps.failures:
            for wrapper, terminal in zip(self._envs, lists[2], strict=True):
                wrapper._terminated = terminal
            into.lists = lists
            return
        for row, index in enumerate(request.envs):
            if index not in steps.failures:
                self._enter(index, (lists[0][row], lists[1][row], lists[2][row], lists[3][row]), into)
        for index, error in answers.errors.items():
            into.errors[self._position_of[index]] = error

    def _enter(self, index: int, values: tuple[Any, Any, bool, Any], into: StepLists) -> None:
        self._wrapper_of[index]._terminated = bool(values[2])
        into.put(self._position_of[index], values)

    def finish_resets(self, observations: list[Any], errors: dict[int, BaseException]) -> None:
        """Waits for the resets, and stores their observations or exceptions."""
        request, self._request = self._request, None
        if request is None:
            return
        answers = self._processes.collect(request)
        for index, result in answers.results.items():
            self._wrapper_of[index]._terminated = False
            observations[self._position_of[index]] = read_reset(result, self._space)[0]
        for index, error in answers.errors.items():
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
