"""``EnvWorker``: interface of workers, each of which runs one environment. ``DummyEnvWorker``: worker in this
process.
"""

from __future__ import annotations

import contextlib
import warnings
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

from envpool_rs._workers import hosted_envs
from envpool_rs._workers.adapters import adapt_dm_env, reset_defaults


class EnvWorker(ABC):
    """Base class of workers: a worker runs one environment of a `BaseVectorEnv`.

    Derive a class from it to run environments elsewhere, and pass it to `BaseVectorEnv` as ``worker_fn``. ``send`` and
    ``send_reset`` start a request, ``recv`` waits for its result. A worker for use with ``wait_num`` or ``timeout``
    also needs ``wait``.

    Attributes:
        is_closed: whether `close` was called.
        is_reset: whether the last request was a reset.
        result: the last result, if the worker stores it.
        action_space: the environment's action space.
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
        """Returns an attribute of the environment.

        Raises:
            AttributeError: if the environment does not have the attribute.
        """

    @abstractmethod
    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute of the environment."""

    def get_env_obj(self) -> Any:
        """Returns the environment, or a copy of it."""
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
        """Starts a call; `recv` returns its result.

        Args:
            func: a method's name, or names joined by dots.
            data: the method's arguments by name.
        """
        raise NotImplementedError(f"{type(self).__name__} has no customized_method")

    def recv(self) -> Any:
        """Waits for the started request.

        Returns:
            The result of ``env.step``, ``env.reset`` or the method.
        """
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
        """Waits for steps.

        Args:
            workers: workers with a pending step.
            wait_num: the number of workers to wait for.
            timeout: seconds after which fewer workers are returned; ``None`` for no limit.

        Returns:
            The workers that have finished.
        """
        raise NotImplementedError("this worker class has no wait: wait_num and timeout need it")

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the action space.

        Args:
            seed: the seed; ``None`` draws a seed from the operating system.
        """
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


class DummyEnvWorker(EnvWorker):
    """An environment in this process: ``send`` runs the step, ``recv`` returns its result.

    Attributes:
        env: the environment.
    """

    def __init__(self, env_fn: Callable[[], Any], no_warning: bool = False) -> None:
        super().__init__(env_fn)
        self._no_warning = no_warning
        with self._quiet():
            self.env = adapt_dm_env(env_fn())
            self._reset_defaults = reset_defaults(self.env)

    @contextlib.contextmanager
    def _quiet(self) -> Iterator[None]:
        """Wraps ``env_fn`` if ``no_warning`` is set, so that only warnings of its environment are silenced."""
        if not self._no_warning:
            yield
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield

    def get_env_attr(self, key: str) -> Any:
        """Returns an attribute of the environment or of a wrapper around it."""
        with self._quiet():
            return hosted_envs.get_attribute(self.env, key)

    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute on the wrapper that has it, or on the innermost environment."""
        with self._quiet():
            hosted_envs.set_attribute(self.env, key, value)

    def get_env_obj(self) -> Any:
        """Returns the environment itself."""
        return self.env

    def send(self, action: Any, **kwargs: Any) -> None:
        """Runs a step; if ``action`` is ``None``, a reset with ``kwargs``."""
        if action is None:
            self.send_reset(**kwargs)
            return
        self.is_reset = False
        with self._quiet():
            self.result = self.env.step(action)

    def send_reset(self, **kwargs: Any) -> None:
        """Resets the environment."""
        self.is_reset = True
        with self._quiet():
            self.result = self.env.reset(**{**self._reset_defaults, **kwargs})

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        """Calls a method of the environment."""
        with self._quiet():
            self.result = hosted_envs.call_method(self.env, func, data or {})

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the environment and its action space."""
        with self._quiet():
            return hosted_envs.seed_environment(self.env, seed)

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Returns all workers, because requests have finished when `send` returns."""
        return list(workers)

    def render(self, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``."""
        with self._quiet():
            return hosted_envs.render(self.env, kwargs)

    def close_env(self) -> None:
        """Closes the environment, if it has a ``close``."""
        close = getattr(self.env, "close", None)
        if callable(close):
            with self._quiet():
                close()
