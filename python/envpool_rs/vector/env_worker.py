"""The interface of a worker: one environment, wherever it lives."""

from __future__ import annotations

import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any


class EnvWorker(ABC):
    """One environment of a `BaseVectorEnv`.

    Derive from it to have environments live elsewhere, and give the class to `BaseVectorEnv` as ``worker_fn``. ``send``
    and ``send_reset`` start something, ``recv`` waits for its result. A worker that is to be used with ``wait_num`` or
    ``timeout`` also needs ``wait``.

    Attributes:
        is_closed: whether `close` was called.
        is_reset: whether the last request was a reset.
        result: the last result, where the worker keeps it.
        action_space: the environment's.
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
        """An attribute of the environment.

        Raises:
            AttributeError: if there is none.
        """

    @abstractmethod
    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute of the environment."""

    def get_env_obj(self) -> Any:
        """The environment, or a copy of it."""
        raise NotImplementedError(f"{type(self).__name__} has no get_env_obj")

    def send(self, action: Any, **kwargs: Any) -> None:
        """Starts a step.

        Args:
            action: the action; ``None`` for a reset instead.
            kwargs: arguments of a reset.
        """
        if not hasattr(self, "send_action"):
            raise NotImplementedError(f"{type(self).__name__} has no send")
        warnings.warn("send_action is deprecated: define send and recv", DeprecationWarning, stacklevel=2)
        self.is_reset = action is None
        if self.is_reset:
            self.result = self.reset(**kwargs)
        else:
            self.send_action(action)

    def send_reset(self, **kwargs: Any) -> None:
        """Starts a reset.

        Args:
            kwargs: arguments of the environment's ``reset``.
        """
        self.send(None, **kwargs)

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        """Starts a call; `recv` returns what it returns.

        Args:
            func: a method's name, or names joined by dots.
            data: its arguments by name.
        """
        raise NotImplementedError(f"{type(self).__name__} has no customized_method")

    def recv(self) -> Any:
        """Waits for what was started.

        Returns:
            What ``env.step`` or ``env.reset`` or the method returned.
        """
        if hasattr(self, "get_result") and not self.is_reset:
            warnings.warn("get_result is deprecated: define send and recv", DeprecationWarning, stacklevel=2)
            self.result = self.get_result()
        return self.result

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment, and waits for it."""
        self.send_reset(**kwargs)
        return self.recv()

    def step(self, action: Any) -> Any:
        """Makes a step, and waits for it."""
        self.send(action)
        return self.recv()

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Waits for steps.

        Args:
            workers: workers with a step.
            wait_num: how many to wait for.
            timeout: seconds after which fewer will do; ``None`` for no limit.

        Returns:
            Those that have finished.
        """
        raise NotImplementedError("this worker class has no wait: wait_num and timeout need it")

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the action space.

        Args:
            seed: the seed; ``None`` for one of the operating system's.
        """
        seeded = self.action_space.seed(seed)
        return list(seeded) if isinstance(seeded, (list, tuple)) else [seeded]

    @abstractmethod
    def render(self, **kwargs: Any) -> Any:
        """What the environment's ``render`` returns."""

    @abstractmethod
    def close_env(self) -> None:
        """Closes the environment. `close` calls it once."""

    def close(self) -> None:
        """Closes the environment, the first time it is called."""
        if not self.is_closed:
            self.is_closed = True
            self.close_env()
