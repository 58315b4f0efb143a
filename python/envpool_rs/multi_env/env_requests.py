"""What environments in worker processes are asked, where they live, and what they answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from envpool_rs._workers import Steps, WorkerDied
from envpool_rs.multi_env.shared_workers import SharedWorkers

STEP = "step"
"""The operation of steps."""


@dataclass
class Place:
    """Where an environment lives.

    Attributes:
        workers: its workers.
        env_id: its number there.
        death: why it has no process there any more; ``None`` while nothing is known of any such thing.
    """

    workers: SharedWorkers
    env_id: int
    death: WorkerDied | None = None


@dataclass
class Request:
    """What was asked of environments.

    Attributes:
        envs: environments, in ascending order.
        arguments: one for each.
        operation: ``STEP``, or a call's.
        parts: who was asked, and for which environments; those that are missing have lost their process.
    """

    envs: Sequence[int]
    arguments: Sequence[Any]
    operation: str
    parts: list[tuple[SharedWorkers, Sequence[int]]] = field(default_factory=list)

    def argument(self, env: int) -> Any:
        """What this environment was asked."""
        return self.arguments[self.envs.index(env)]


@dataclass
class Answers:
    """What came back.

    Attributes:
        batches: environments and their steps; rows of those that failed hold nothing.
        results: by environment: those of calls, and of steps that were repeated, as ``step`` returned them.
        errors: by environment.
    """

    batches: list[tuple[Sequence[int], Steps]] = field(default_factory=list)
    results: dict[int, Any] = field(default_factory=dict)
    errors: dict[int, BaseException] = field(default_factory=dict)
