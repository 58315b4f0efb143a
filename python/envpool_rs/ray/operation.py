"""What a driver asks of an actor, and what it is told."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

LocalIds = npt.NDArray[np.int32]


@dataclass
class Operation:
    """A step or reset of some environments of one actor.

    Attributes:
        is_reset: whether it resets.
        ids: environments, counted within the actor; ``None`` for all in order.
        actions: of a step: array or dict of arrays, checked.
        seeds: of a reset: one for each of ``ids``, ``None`` to go on; or ``None`` for all.
        options: of a reset: the environments' own.
        all_rows: of a reset: whether to return a row for every environment.
        lost: of a step: whether each of ``ids`` began a new episode since the last one, because its actor died; such an
            environment is not stepped, and its row tells of it. ``None`` for nobody.
        snapshot: whether to return the states of all environments as they are afterwards.
    """

    is_reset: bool
    ids: LocalIds | None
    actions: Any = None
    seeds: list[int | None] | None = None
    options: dict[str, Any] | None = None
    all_rows: bool = False
    lost: npt.NDArray[np.bool_] | None = None
    snapshot: bool = False

    def fields(self) -> tuple[Any, ...]:
        """What makes an equal one; they travel faster than the object."""
        return tuple(vars(self).values())


@dataclass
class SetState:
    """Environments that were put into other states.

    Attributes:
        states: a snapshot of each.
        ids: environments, counted within the actor.
    """

    states: list[bytes]
    ids: LocalIds


@dataclass
class Past:
    """What brings new environments to where others were: a snapshot, and what was done since; they are deterministic.

    Attributes:
        states: a snapshot of each; ``None`` for environments as they are made.
        operations: done since, in their order.
    """

    states: list[bytes] | None
    operations: list[Operation | SetState]


@dataclass
class Answer:
    """What came of an operation.

    Attributes:
        result: observation, rewards, terminated, truncated and infos (without ids) of those that did not fail;
            ``None`` where all did.
        failed: environments that panicked, counted within the actor.
        message: what the first of them said.
        states: a snapshot of each environment, where one was asked for and none had failed.
    """

    result: tuple[Any, Any, Any, Any, dict[str, Any]] | None
    failed: list[int] = field(default_factory=list)
    message: str = ""
    states: list[bytes] | None = None
