"""The processes behind a pool: noticed when they die, started again, ended; and the exceptions that tell of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envpool_rs._workers.env_failure import EnvFailure, WorkerDied, failure_bytes, loaded_failure
from envpool_rs._workers.serialization import dumps, loads
from envpool_rs._workers.worker_envs import WorkerEnvs
from envpool_rs._workers.worker_process import interrupts_held


class Overseer:
    """Looks after the worker processes of a pool, for the extension.

    Exceptions stay here, and travel through the pool as their numbers.

    Args:
        envs: the environments, made.
        on_restart: called with the death of a worker whose process has been started again.

    Attributes:
        restarts: how often each worker's process was started again.
    """

    def __init__(self, envs: WorkerEnvs, on_restart: Callable[[WorkerDied], None] | None = None) -> None:
        self._envs = envs
        self._on_restart = on_restart
        self._deaths: list[WorkerDied] = []
        self._renewed: set[int] = set()
        self.restarts = [0] * envs.num_workers

    def lost(self, known: list[int]) -> tuple[int, str, bytes] | None:
        """A worker whose process has ended, what to say of it, and the number of its exception; None if all live.

        Args:
            known: workers whose end is known already.
        """
        for process in self._envs.processes:
            if process.worker not in known and not process.alive:
                return process.worker, *self._noted(process.death())
        return None

    def _noted(self, death: WorkerDied) -> tuple[str, bytes]:
        self._deaths.append(death)
        return str(death), (len(self._deaths) - 1).to_bytes(8, "little")

    def renew(self, worker: int) -> tuple[str, bytes] | None:
        """Starts a worker's process again; what to say, and the number of an exception, where that is not possible."""
        assert self._envs.rows is not None  # the environments are made
        self._renewed.discard(worker)
        with interrupts_held():
            try:
                self._envs.processes.renew(worker, self._envs.rows)
            except Exception as failed:
                death = self._last_death(worker)
                death.__cause__ = failed
                return self._noted(death)
            self._renewed.add(worker)
            self.restarts[worker] += 1
            if self._on_restart is not None:
                self._on_restart(self._last_death(worker))
        return None

    def failure_to_renew(self, worker: int) -> tuple[str, bytes] | None:
        """What :meth:`renew` returned, where something else was raised at its end."""
        return None if worker in self._renewed else self._noted(self._last_death(worker))

    def _last_death(self, worker: int) -> WorkerDied:
        return next(death for death in reversed(self._deaths) if death.worker == worker)

    def unreadable(self, env_id: int, error: Exception) -> bytes:
        """The failure of an environment whose message cannot be read here, as bytes."""
        return failure_bytes(env_id, "step", error)

    def end(self, seconds: float, by_force: bool) -> list[bytes]:
        """Ends all processes.

        Args:
            seconds: that environments have to finish what they are doing and to close.
            by_force: does not wait for those that are busy.

        Returns: what environments raised, as bytes.
        """
        return [dumps(failure) for failure in self._envs.end(seconds, terminate=by_force)]

    def rebuilt(self, env_id: int, told: bytes, text: str, losses: int, advice: str | None) -> BaseException:
        """The exception that tells of a failure.

        Args:
            env_id: the environment.
            told: an ``EnvFailure`` as bytes; of a lost environment the number of an exception.
            text: what happened, for where there are no such bytes.
            losses: how often the environment's process was lost in a row; 0 where it was not.
            advice: how to go on, as a note of the exception.
        """
        error = self._raised(env_id, told, text, losses)
        if advice is not None and hasattr(error, "add_note"):  # from Python 3.11 on
            error.add_note(advice)
        return error

    def _raised(self, env_id: int, told: bytes, text: str, losses: int) -> BaseException:
        if told or losses:
            return self.failure(env_id, told, text, losses).raised()
        return RuntimeError(f"environment {env_id}: {text}")

    def failure(self, env_id: int, told: bytes, text: str, losses: int) -> EnvFailure:
        """The failure that bytes and text report.

        Args:
            env_id: the environment.
            told: as for :meth:`rebuilt`.
            text: as for :meth:`rebuilt`.
            losses: as for :meth:`rebuilt`.
        """
        if losses:
            return EnvFailure.lost(env_id, "step", self._deaths[int.from_bytes(told, "little")].again(losses))
        if told:
            return loaded_failure(told, env_id, "step")
        return EnvFailure(env_id, "step", RuntimeError(text), "RuntimeError", text, "")


def value_of(answer: bytes, env_id: int, operation: str) -> Any:
    """What an environment answered to a call.

    Raises:
        Exception: what it raised.
    """
    value = loaded_value(answer, env_id, operation)
    if isinstance(value, EnvFailure):
        raise value.raised()
    return value


def loaded_value(answer: bytes, env_id: int, operation: str) -> Any:
    """What an environment answered to a call, or the ``EnvFailure`` that kept it from doing so."""
    try:
        return loads(answer)
    except Exception as error:
        return EnvFailure.of(env_id, operation, error)
