"""Pool of one environment whose interrupted calls are completed by the next call."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envpool_rs._errors import PendingCallError


class SinglePool:
    """Resets and steps a pool of one environment without autoreset.

    After a call that a signal interrupted, the next step returns the result of an interrupted step, or first completes
    an interrupted reset.

    Args:
        pool: the pool, with gymnasium's vector interface.
    """

    def __init__(self, pool: Any) -> None:
        self._pool = pool
        self._is_resetting = False

    def reset(self, seed: int | None, options: Mapping[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode; returns observations and infos of the pool."""
        self._is_resetting = True
        result: tuple[Any, dict[str, Any]] = self._pool.reset(seed=seed, options=options)
        self._is_resetting = False
        return result

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Runs one step; returns the five values of the pool."""
        was_resetting, self._is_resetting = self._is_resetting, False
        try:
            result: tuple[Any, Any, Any, Any, dict[str, Any]] = self._pool.step(actions)
            return result
        except PendingCallError:
            # A signal interrupted the previous call, and the environment still runs that call's request.
            self._is_resetting = was_resetting
            result = self._pool.recv()
        if not was_resetting:
            return result
        self._is_resetting = False
        result = self._pool.step(actions)
        return result
