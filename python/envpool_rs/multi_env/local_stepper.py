"""Steps environments that are objects of this process."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from envpool_rs.multi_env.auto_reset_wrapper import _AutoResetWrapper
from envpool_rs.multi_env.step_results import StepLists


class LocalStepper:
    """Steps environments of this process, each in its own thread; a single one in the calling thread.

    Threads help environments that release the interpreter's lock: those that wait for another process or compute in C.
    """

    def __init__(self, positions: Sequence[int], envs: Sequence[_AutoResetWrapper]) -> None:
        """Starts threads if there are several environments.

        Args:
            positions: of the environments in the whole list.
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
        self._begin({position: _call(env.step, actions[position]) for position, env in played.items()})

    def begin_resets(self, keywords: Sequence[dict[str, Any]]) -> None:
        """Starts resets.

        Args:
            keywords: arguments of each environment's ``reset``, by position.
        """
        self._begin({position: _call(env.reset, **keywords[position]) for position, env in self._envs.items()})

    def finish_steps(self, into: StepLists) -> None:
        """Waits for the steps, and stores their values or errors."""
        for position, values in self._results(into.errors).items():
            into.put(position, values)

    def finish_resets(self, observations: list[Any], errors: dict[int, BaseException]) -> None:
        """Waits for the resets, and stores their observations or errors."""
        for position, observation in self._results(errors).items():
            observations[position] = observation

    def close(self, errors: dict[int, BaseException]) -> None:
        """Closes all environments; stores their exceptions."""
        self._begin({position: env.close for position, env in self._envs.items()})
        self._results(errors)
        if self._executor is not None:
            self._executor.shutdown()

    def _begin(self, calls: dict[int, Callable[[], Any]]) -> None:
        # Calls left from an interrupted call end before their environments are called again.
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


def _call(function: Callable[..., Any], *arguments: Any, **keywords: Any) -> Callable[[], Any]:
    return lambda: function(*arguments, **keywords)
