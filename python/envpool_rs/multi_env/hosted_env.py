"""Wraps an environment inside the worker process that hosts it."""

from __future__ import annotations

import inspect
from typing import Any

from envpool_rs._workers.adapters import Adapter, reset_defaults
from envpool_rs.multi_env.step_results import GYM_VALUES, GYMNASIUM_VALUES

DEFAULT_MODE = "human"
"""Default of the argument ``mode`` of gym's ``render``."""


class HostedEnv(Adapter):
    """An environment in a worker process, with optional autoreset.

    Autoreset works as in ``_AutoResetWrapper``. With autoreset, the reset after a terminal step needs no message from
    the caller.

    Attributes:
        env: the environment.
    """

    def __init__(self, env: Any) -> None:
        """Wraps an environment.

        Args:
            env: the environment made by ``env_fn``.
        """
        super().__init__(env)
        self._reset_defaults = reset_defaults(env)
        self._resets_itself = False
        self._terminated = False
        self._needs_reset = False

    @classmethod
    def restarted(cls, env: Any) -> HostedEnv:
        """Wraps an environment in a restarted process, so that its first operation resets it.

        Args:
            env: the environment made by ``env_fn``.
        """
        hosted = cls(env)
        hosted._needs_reset = True
        return hosted

    def set_autoreset(self, enabled: bool, terminated: bool) -> None:
        """Switches autoreset on or off.

        Args:
            enabled: whether a step after a terminal step resets the environment.
            terminated: whether the last step counts as terminal.
        """
        self._resets_itself, self._terminated = enabled, terminated

    def step(self, action: Any) -> Any:
        """Runs a step; resets the environment first if its last step was terminal or its process was restarted."""
        if self._needs_reset or (self._resets_itself and self._terminated):
            self.reset()
        result = self.env.step(action)
        if self._resets_itself:
            self._terminated = _is_terminal(result)
        return result

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment."""
        result = self.env.reset(**{**self._reset_defaults, **kwargs})
        self._terminated = self._needs_reset = False
        return result

    def render_as(self, mode: str) -> Any:
        """Calls the environment's ``render`` and returns the result.

        A gym environment receives ``mode``; a gymnasium environment's mode is fixed.

        Raises:
            ValueError: for a mode other than that with which a gymnasium environment was made.
        """
        if self._needs_reset:
            self.reset()
        if _takes_mode(self.env.render):
            return self.env.render(mode)
        made_with = getattr(self.env, "render_mode", None)
        if mode not in (DEFAULT_MODE, made_with):
            raise ValueError(
                f"mode={mode!r}: expected {made_with!r}, the render_mode that the environment was made with"
            )
        return self.env.render()

    def seed(self, seed: Any = None) -> Any:
        """Seeds an environment of gym before 0.26."""
        if self._needs_reset:
            self.reset()
        return self.env.seed(seed)

    def close(self) -> None:
        """Closes the environment."""
        close = getattr(self.env, "close", None)
        if callable(close):
            close()


def _is_terminal(result: Any) -> bool:
    if isinstance(result, tuple) and len(result) == GYM_VALUES:
        return bool(result[2])
    if isinstance(result, tuple) and len(result) == GYMNASIUM_VALUES:
        return bool(result[2] or result[3])
    return False


def _takes_mode(render: Any) -> bool:
    try:
        parameters = inspect.signature(render).parameters
    except (TypeError, ValueError):  # functions written in C, without a signature
        return False
    return "mode" in parameters
