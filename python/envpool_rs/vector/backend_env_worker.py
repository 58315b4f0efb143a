"""Worker for an environment behind an `EnvBackend`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envpool_rs._workers import EnvFailure
from envpool_rs.vector.env_worker import EnvWorker
from envpool_rs.vector.executor import EnvBackend, EnvironmentFailure
from envpool_rs.vector.step_result import StepBatch

STEP, RESET, METHOD = "step", "reset", "method"


class BackendEnvWorker(EnvWorker):
    """One of the environments of a backend, which subclasses set."""

    _executor: EnvBackend
    _env_id: int
    _method: Sequence[Any] = ()
    _requested: str = ""

    def get_env_attr(self, key: str) -> Any:
        """Returns an attribute of the environment or of a wrapper around it."""
        return self._answer(self._executor.get_attributes([self._env_id], key))

    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute on the layer that has it, or on the innermost environment."""
        self._answer(self._executor.set_attributes([self._env_id], key, value))

    def get_env_obj(self) -> Any:
        """Returns a copy of the environment."""
        return self._answer(self._executor.environments([self._env_id]))

    def send(self, action: Any, **kwargs: Any) -> None:
        """Starts a step; if ``action`` is ``None``, a reset with ``kwargs``."""
        if action is None:
            self.send_reset(**kwargs)
            return
        self._executor.send_steps([self._env_id], [action])
        self._requested, self.is_reset = STEP, False

    def send_reset(self, **kwargs: Any) -> None:
        """Starts a reset."""
        seed = kwargs.pop("seed", None)
        self._executor.send_resets([self._env_id], None if seed is None else [seed], kwargs)
        self._requested, self.is_reset = RESET, True

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        """Calls a method of the environment, and keeps the result for `recv`."""
        self._method = self._executor.call_methods([self._env_id], func, [data or {}])
        self._requested = METHOD

    def recv(self) -> Any:
        """Waits for the started request.

        Returns:
            For a step ``(observation, reward, terminated, truncated, info)``, or old gym's four values if the
            environment returned these; for a reset ``(observation, info)``; for a method its result.

        Raises:
            RuntimeError: if no request was started.
        """
        requested, self._requested = self._requested, ""
        if requested == METHOD:
            self.result = self._answer(self._method)
            return self.result
        if requested not in (STEP, RESET):
            raise RuntimeError("recv: nothing was sent: send first")
        try:
            self._executor.wait([self._env_id], 1, None)
        except BaseException:
            self._requested = requested
            raise
        self.result = self._received_step() if requested == STEP else self._answer(self._take_reset())
        return self.result

    def _received_step(self) -> Any:
        taken = self._executor.take_steps([self._env_id])
        step = taken.rows()[0] if isinstance(taken, StepBatch) else self._answer(taken)
        info = {key: value for key, value in step.info.items() if key != "env_id"}
        flags = (step.terminated or step.truncated,) if step.four_values else (step.terminated, step.truncated)
        return (step.observation, step.reward, *flags, info)

    def _take_reset(self) -> Sequence[Any]:
        return self._executor.take_resets([self._env_id])

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the environment and its action space."""
        seeds: list[Any] = self._answer(self._executor.seed([self._env_id], [seed]))
        return seeds

    def render(self, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``."""
        return self._answer(self._executor.render([self._env_id], kwargs))

    def _answer(self, values: Sequence[Any]) -> Any:
        """Returns the only value; raises it if it is a failure."""
        value = values[0]
        if isinstance(value, (EnvFailure, EnvironmentFailure)):
            raise value.raised()
        return value
