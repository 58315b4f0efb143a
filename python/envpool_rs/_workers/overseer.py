"""Supervises a pool's worker processes: detects, restarts and ends them, and builds their exceptions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envpool_rs._workers.env_failure import EnvFailure, WorkerDied, failure_bytes, load_failure
from envpool_rs._workers.serialization import dumps, loads
from envpool_rs._workers.worker_envs import WorkerEnvs
from envpool_rs._workers.worker_process import block_interrupts, end_all


class Supervisor:
    """Supervises the worker processes of a pool on behalf of the Rust extension.

    This object stores exceptions; the extension refers to them by numbers.

    Args:
        envs: the environments, which have been made.
        on_restart: function that is called with the ``WorkerDied`` error of each worker whose process was restarted.

    Attributes:
        restarts: the number of restarts of each worker's process.
    """

    def __init__(self, envs: WorkerEnvs, on_restart: Callable[[WorkerDied], None] | None = None) -> None:
        self._envs = envs
        self._on_restart = on_restart
        self._deaths: list[WorkerDied] = []
        self._renewed: set[int] = set()
        self.restarts = [0] * envs.num_workers

    def lost(self, known: list[int]) -> tuple[int, str, bytes] | None:
        """Returns a worker whose process has ended, the error message, and the number of its exception; None if all are
        alive.

        Args:
            known: workers whose end is already known.
        """
        for process in self._envs.processes:
            if process.worker not in known and not process.alive:
                return process.worker, *self._record_death(process.death())
        return None

    def _record_death(self, death: WorkerDied) -> tuple[str, bytes]:
        self._deaths.append(death)
        return str(death), (len(self._deaths) - 1).to_bytes(8, "little")

    def renew(self, worker: int) -> tuple[str, bytes] | None:
        """Restarts a worker's process. Returns None; if the restart fails, returns the message and the number of the
        exception.
        """
        assert self._envs.rows is not None  # set because all environments are made
        self._renewed.discard(worker)
        with block_interrupts():
            try:
                self._envs.processes.restart(worker, self._envs.rows)
            except Exception as failed:
                death = self._last_death(worker)
                death.__cause__ = failed
                return self._record_death(death)
            self._renewed.add(worker)
            self.restarts[worker] += 1
            if self._on_restart is not None:
                self._on_restart(self._last_death(worker))
        return None

    def failure_to_renew(self, worker: int) -> tuple[str, bytes] | None:
        """Returns the failure that the last :meth:`renew` reported, for a caller that an exception such as
        KeyboardInterrupt interrupted.
        """
        return None if worker in self._renewed else self._record_death(self._last_death(worker))

    def _last_death(self, worker: int) -> WorkerDied:
        return next(death for death in reversed(self._deaths) if death.worker == worker)

    def unreadable(self, env_id: int, error: Exception) -> bytes:
        """Returns the failure of an environment whose message cannot be unpickled here, as bytes."""
        return failure_bytes(env_id, "step", error)

    def close_request(self) -> bytes | None:
        """Returns the message that closes an environment; None if this process must not close environments."""
        return dumps(("close", None)) if self._envs.is_owner_process and not self._envs.ended else None

    def dead_workers(self) -> list[int]:
        """Returns the workers whose processes have ended."""
        return [process.worker for process in self._envs.processes if not process.alive]

    def terminate(self, env_ids: list[int]) -> None:
        """Ends the processes that host any of these environments, without waiting for running requests."""
        end_all([process for process in self._envs.processes if not set(env_ids).isdisjoint(process.env_ids)], 0.0)

    def end(self, seconds: float, replies: list[tuple[int, bytes]]) -> list[bytes]:
        """Ends all processes.

        Args:
            seconds: time for processes to exit.
            replies: the replies to the requests to close, by environment number.

        Returns: the failures that environments raised, as bytes.
        """
        values = [loaded_value(reply, env_id, "close") for env_id, reply in replies]
        return [dumps(value) for value in [*values, *self._envs.end(seconds)] if isinstance(value, EnvFailure)]

    def rebuilt(self, env_id: int, payload: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        """Builds the exception that reports a failure.

        Args:
            env_id: the environment.
            payload: the bytes of an ``EnvFailure``; for a lost environment, the number of a stored exception.
            text: the message to use if ``payload`` is empty.
            losses: the number of losses in a row of the environment's process; 0 if it was not lost.
            advice: the remedy, added as a note of the exception.
        """
        error = self._raised(env_id, payload, text, losses)
        if advice is not None and hasattr(error, "add_note"):  # Python 3.11 or later
            error.add_note(advice)
        return error

    def _raised(self, env_id: int, payload: bytes, text: str, losses: int) -> BaseException:
        if payload or losses:
            return self.failure(env_id, payload, text, losses).raised()
        return RuntimeError(f"environment {env_id}: {text}")

    def failure(self, env_id: int, payload: bytes, text: str, losses: int) -> EnvFailure:
        """Builds the ``EnvFailure`` that bytes and text describe.

        Args:
            env_id: the environment.
            payload: as for :meth:`rebuilt`.
            text: as for :meth:`rebuilt`.
            losses: as for :meth:`rebuilt`.
        """
        if losses:
            return EnvFailure.lost(env_id, "step", self._deaths[int.from_bytes(payload, "little")].again(losses))
        if payload:
            return load_failure(payload, env_id, "step")
        return EnvFailure(env_id, "step", RuntimeError(text), "RuntimeError", text, "")


def value_of(answer: bytes, env_id: int, operation: str) -> Any:
    """Returns the value that an environment returned for a call.

    Raises:
        Exception: the environment's exception.
    """
    value = loaded_value(answer, env_id, operation)
    if isinstance(value, EnvFailure):
        raise value.raised()
    return value


def loaded_value(answer: bytes, env_id: int, operation: str) -> Any:
    """Returns the value that an environment returned for a call, or its ``EnvFailure``."""
    try:
        return loads(answer)
    except Exception as error:
        return EnvFailure.of(env_id, operation, error)
