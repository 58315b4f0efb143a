"""Worker for an environment in this process."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from envpool_rs._workers import environment_access
from envpool_rs._workers.adapters import adapt_dm_env
from envpool_rs.vector.env_worker import EnvWorker


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

    @contextlib.contextmanager
    def _quiet(self) -> Iterator[None]:
        """Silences only the environment's warnings, if ``no_warning`` is set."""
        if not self._no_warning:
            yield
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield

    def get_env_attr(self, key: str) -> Any:
        """Returns an attribute of the environment or of a wrapper around it."""
        with self._quiet():
            return environment_access.get_attribute(self.env, key)

    def set_env_attr(self, key: str, value: Any) -> None:
        """Sets an attribute on the layer that has it, or on the innermost environment."""
        with self._quiet():
            environment_access.set_attribute(self.env, key, value)

    def get_env_obj(self) -> Any:
        """The environment itself."""
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
            self.result = self.env.reset(**kwargs)

    def customized_method(self, func: str, data: dict[str, Any] | None = None) -> None:
        """Calls a method of the environment."""
        with self._quiet():
            self.result = environment_access.call_method(self.env, func, data or {})

    def seed(self, seed: int | None = None) -> list[Any] | None:
        """Seeds the environment and its action space."""
        with self._quiet():
            return environment_access.seed_environment(self.env, seed)

    @staticmethod
    def wait(workers: Sequence[Any], wait_num: int, timeout: float | None = None) -> list[Any]:
        """Returns all workers: sent requests have already run."""
        return list(workers)

    def render(self, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``."""
        with self._quiet():
            return environment_access.render(self.env, kwargs)

    def close_env(self) -> None:
        """Closes the environment, if it has a ``close``."""
        close = getattr(self.env, "close", None)
        if callable(close):
            with self._quiet():
                close()
