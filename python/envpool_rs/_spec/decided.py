"""Values of options that a pool decides on: what is logged of them, and what warns."""

from __future__ import annotations

import functools
import logging
import warnings

logger = logging.getLogger(__name__)

Decided = tuple[str, "bool | str", str]
"""An option, the value that was decided on, and why."""

_SLOWER = {
    "physics": ("'auto'", "version ", "install one of these versions, or give physics='libmujoco'"),
    "translate": (
        "True",
        "the system refuses",
        "allow this process to make memory executable, or give translate=False",
    ),
}
"""For options whose value may be slower than asked for: what was asked, how such reasons begin, and what helps."""


def log_decided(task_id: str, decided: list[Decided]) -> None:
    """Logs each value that was decided on; warns once for each reason of those that are slower for want of something.

    Args:
        task_id: of the pool.
        decided: what its environments decided.
    """
    for option, value, reason in decided:
        logger.info("%s: %s=%r (%s)", task_id, option, value, reason)
        _, start, _ = _SLOWER.get(option, ("", None, ""))
        if start is not None and reason.startswith(start):
            _warn(option, value, reason)


@functools.cache
def _warn(option: str, value: bool | str, reason: str) -> None:
    """Warns once in a process that ``option`` is slower than what was asked for."""
    asked, _, remedy = _SLOWER[option]
    warnings.warn(f"{reason}: {option}={asked} is {value!r}, which is slower; {remedy}", RuntimeWarning, stacklevel=2)
