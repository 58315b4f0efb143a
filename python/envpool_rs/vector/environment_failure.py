"""Failure of an environment in this process."""

from __future__ import annotations

from envpool_rs._workers.env_failure import with_env_id


class EnvironmentFailure:
    """An exception with the environment that raised it and the failed operation.

    Attributes:
        env_id: the environment.
        operation: ``"step"``, ``"reset"`` or a method's name.
        error: the exception itself.
    """

    def __init__(self, env_id: int, operation: str, error: BaseException) -> None:
        self.env_id = env_id
        self.operation = operation
        self.error = error

    def raised(self) -> BaseException:
        """Returns the exception itself, its message naming the environment; a RuntimeError instead of SystemExit."""
        if isinstance(self.error, Exception):
            return with_env_id(self.error, self.env_id, self.operation)
        error = RuntimeError(f"environment {self.env_id} raised {self.error!r} in {self.operation}")
        error.__cause__ = self.error
        return error
