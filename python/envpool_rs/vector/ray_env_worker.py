"""Worker for an environment in a Ray actor."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from envpool_rs.vector.env_worker import EnvWorker
from envpool_rs.vector.ray_executor import RayBackend
from envpool_rs.vector.step_result import StepBatch

_STEP, _RESET, _METHOD = "step", "reset", "method"


class RayEnvWorker(EnvWorker):
    """An environment in an actor; `RayVectorEnv` or `RaySubprocVectorEnv` makes these workers."""

    def __init__(self, executor: RayBackend, env_id: int, env_fn: Callable[[], Any]) -> None:
        """Creates the worker of one environment.

        Args:
            executor: of all environments.
            env_id: this environment.
            env_fn: the function that made it.
        """
        super().__init__(env_fn)
        self._executor, self._env_id = executor, env_id
        self._method: list[Any] = []
        self._requested = ""

    def get_env_attr(self, key: str) -> Any:
        """Returns an attribute of the environment or of a wrapper around it."""
        return _answer(self._executor.get_attributes([self._env_id], key))

    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute on the layer that has it, or on the innermost environment."""
        _answer(self._executor.set_attributes([self._env_id], key, value))

    def get_env_obj(self) -> Any:
        """Returns a copy of the environment."""
        return _answer(self._executor.environments([self._env_id]))

    def send(self, action: Any, **kwargs: Any) -> None:
        """Starts a step; if ``action`` is ``None``, a reset with ``kwargs``."""
        if action is None:
            self.send_reset(**kwargs)
            return
        self._executor.send_steps([self._env_id], [action])
        self._requested, self.is_reset = _STEP, False

    def send_reset(self, **kwargs: Any) -> None:
        """Starts a reset."""
        seed = kwargs.pop("seed", None)
        self._executor.send_resets([self._env_id], None if seed is None else [seed], kwargs)
        self._requested, self.is_reset = _RESET, True

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        """Calls a method of the environment, and keeps the result for `recv`."""
        self._method = self._executor.call_methods([self._env_id], func, [data or {}])
        self._requested = _METHOD

    def recv(self) -> Any:
        """Waits for the started request.

        Returns:
            For a step ``(observation, reward, terminated, truncated, info)``, or old gym's four values if the
            environment returned these; for a reset ``(observation, info)``; for a method its result.

        Raises:
            RuntimeError: if no request was started.
        """
        if self._requested == _METHOD:
            self.result = _answer(self._method)
        elif self._requested == _STEP:
            taken = self._executor.take_steps([self._env_id])
            step = taken.rows()[0] if isinstance(taken, StepBatch) else _answer(taken)
            info = {key: value for key, value in step.info.items() if key != "env_id"}
            flags = (step.terminated or step.truncated,) if step.four_values else (step.terminated, step.truncated)
            self.result = (step.observation, step.reward, *flags, info)
        elif self._requested == _RESET:
            self.result = _answer(list(self._executor.take_resets([self._env_id])))
        else:
            raise RuntimeError("recv: nothing was sent: send first")
        self._requested = ""
        return self.result

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Waits for steps; see `EnvWorker.wait`."""
        by_id = {worker._env_id: worker for worker in workers}
        ready = workers[0]._executor.wait(list(by_id), min(wait_num, len(by_id)), timeout)
        return [by_id[env_id] for env_id in ready]

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the environment and its action space."""
        seeds: list[Any] = _answer(self._executor.seed([self._env_id], [seed]))
        return seeds

    def render(self, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``."""
        return _answer(self._executor.render([self._env_id], kwargs))

    def close_env(self) -> None:
        """Does nothing: the vector environment closes the environment and ends the actor."""


def _answer(values: Sequence[Any]) -> Any:
    value = values[0]
    if hasattr(value, "raised") and hasattr(value, "operation"):
        raise value.raised()
    return value
