"""Base class of this package's own wrappers of environments."""

from __future__ import annotations

from typing import Any


class Adapter:
    """Base class of objects that wrap an environment, such as adapters to gymnasium's interface.

    Attributes that the wrapper does not define are forwarded to the environment.

    Attributes:
        env: the wrapped environment.
    """

    env: Any

    def __init__(self, env: Any) -> None:
        self.env = env

    @property
    def unwrapped(self) -> Any:
        """The environment without any wrapper."""
        return getattr(self.env, "unwrapped", self.env)

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # copy and pickle read attributes before `env` is set
            raise AttributeError(name)
        return getattr(self.env, name)
