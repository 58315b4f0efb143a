"""Options of later episodes and queued resets of one Python environment, in the process that hosts it."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

_DISTRIBUTIONS = ("uniform", "integers", "choice")


def is_distribution(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 0 and isinstance(value[0], str) and value[0] in _DISTRIBUTIONS


def check_distribution(name: str, value: Any) -> None:
    """Raises a ``ValueError`` for a distribution from which no value can be drawn."""
    if not is_distribution(value):
        return
    kind, *arguments = value
    if kind == "choice":
        expected, is_valid = "one value or more to choose from", bool(arguments)
    else:
        numbers = (int, np.integer) if kind == "integers" else (int, float, np.integer, np.floating)
        noun = "integer bounds of 64 bits" if kind == "integers" else "finite bounds"
        expected = f"two {noun} after {kind!r}, the first below the second"
        is_valid = len(arguments) == 2 and all(  # noqa: PLR2004
            isinstance(each, numbers) and not isinstance(each, bool) for each in arguments
        )
        is_valid = is_valid and arguments[0] < arguments[1] and _can_draw(kind, arguments)
    if not is_valid:
        raise ValueError(f"{name}={value!r}: expected {expected}")


def _can_draw(kind: str, bounds: list[Any]) -> bool:
    try:
        getattr(np.random.default_rng(0), kind)(*bounds)
    except (OverflowError, ValueError):
        return False
    return True


class ResetSchedule:
    """Adds options and seeds to the keywords with which an environment is reset."""

    def __init__(self, taken: Any = None, env_id: int = 0) -> None:
        self._taken, self._env_id = taken, env_id  # numbers of entries that environments took, for the pool's process
        self._seed_of_reset: int | None = None  # of a reset of some environments that takes no entry
        self.options: dict[str, Any] = {}  # of the next episodes
        self.queue: deque[tuple[int | None, dict[str, Any]]] = deque()
        self.in_force: dict[str, Any] = {}  # of the current episode
        self._random = np.random.default_rng()

    def run(self, operation: str, *arguments: Any) -> Any:
        """Runs an operation that the pool has sent."""
        if operation == "set":
            self.options.update(arguments[0])
        elif operation == "queue":
            self.queue.extend(arguments[0])
        elif operation == "seeded":
            self._seed_of_reset = arguments[0]
        elif operation == "clear":
            self.queue.clear()
        return self.in_force if operation == "get" else len(self.queue)

    def keywords(self, given: Mapping[str, Any] | None, takes_queued: bool) -> dict[str, Any]:
        """Returns the keywords of a reset for which the caller gave ``given``. Without options among them, the reset
        takes the first entry of the queue if it ``takes_queued``; the entry's seed replaces the pool's, unless the pool
        announced its seed (`run`).
        """
        keywords = dict(given or {})
        own = keywords.pop("options", None)
        expected, self._seed_of_reset = self._seed_of_reset, None
        is_seeded = expected is not None and keywords.get("seed") == expected
        seed: int | None = None
        queued: dict[str, Any] = {}
        if own is None and takes_queued and self.queue and not is_seeded:
            seed, queued = self.queue.popleft()
            if self._taken is not None:
                self._taken[self._env_id] += 1
        if seed is not None:
            keywords["seed"] = seed
        if keywords.get("seed") is not None:
            self._random = np.random.default_rng(keywords["seed"])
        options = {**self.options, **queued, **(own or {})}
        self.in_force = {name: self._drawn(value) for name, value in options.items()}
        if self.in_force:
            keywords["options"] = dict(self.in_force)
        elif given is not None and "options" in given:
            keywords["options"] = None
        return keywords

    def _drawn(self, value: Any) -> Any:
        if not is_distribution(value):
            return value
        name, *arguments = value
        if name == "choice":
            return arguments[self._random.integers(len(arguments))]
        number = self._random.uniform(*arguments) if name == "uniform" else self._random.integers(*arguments)
        return number if isinstance(number, float) else int(number)
