"""Environments of other libraries than gymnasium, given its interface."""

from __future__ import annotations

from typing import Any


class Adapter:
    """Gives another library's environment gymnasium's interface; all else is the environment's own.

    Attributes:
        env: the environment.
    """

    env: Any

    def __init__(self, env: Any) -> None:
        self.env = env

    @property
    def unwrapped(self) -> Any:
        """The environment without any wrapper."""
        return getattr(self.env, "unwrapped", self.env)

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # before it is set, as by copy and pickle
            raise AttributeError(name)
        return getattr(self.env, name)
