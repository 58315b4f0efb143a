"""Makes environments whose warnings are silenced."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

from envpool_rs._workers.adapters import Adapter, adapt_dm_env, reset_defaults


class QuietEnvFn:
    """Callable that makes an environment whose warnings are silenced.

    If the environment is made in another process than this object, all warnings of that process are silenced.
    Otherwise, only warnings raised in the environment's methods are silenced.
    """

    def __init__(self, env_fn: Callable[[], Any]) -> None:
        self._env_fn = env_fn
        self._process = os.getpid()

    def __call__(self) -> Any:
        """Makes the environment."""
        if os.getpid() != self._process:
            warnings.simplefilter("ignore")
            return self._env_fn()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return QuietEnvironment(adapt_dm_env(self._env_fn()))


class QuietEnvironment(Adapter):
    """Wrapper that silences warnings raised in an environment's methods."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._reset_defaults = reset_defaults(env)

    def step(self, action: Any) -> Any:
        """Steps the environment."""
        return self._quietly(self.env.step, action)

    def reset(self, **keywords: Any) -> Any:
        """Resets the environment."""
        return self._quietly(self.env.reset, **{**self._reset_defaults, **keywords})

    def render(self, **keywords: Any) -> Any:
        """Renders the environment."""
        return self._quietly(self.env.render, **keywords)

    def close(self) -> None:
        """Closes the environment."""
        self._quietly(self.env.close)

    @staticmethod
    def _quietly(call: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return call(*arguments, **keywords)
