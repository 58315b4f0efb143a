"""Resets of single environments of a pool, each answered as the environment itself answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from envpool_rs._nested import rows_of_batch


class SingleResets:
    """``call("reset")`` for pools behind gymnasium's vector interface."""

    single_observation_space: Any
    _reset_envs: Any
    _spec: Any

    def _reset_some(
        self, env_ids: Sequence[int], *, seed: Any = None, options: Mapping[str, Any] | None = None
    ) -> tuple[tuple[Any, dict[str, Any]], ...]:
        """Resets some environments, each with the same seed and options.

        Args:
            env_ids: which, in this order.
            seed: for each of them; ``None`` to go on with their generators.
            options: for each of them.

        Returns:
            An observation and an info for each.
        """
        if not env_ids:
            return ()
        seeds = None if seed is None else [seed] * len(env_ids)
        batch, info = self._reset_envs(list(env_ids), seeds, options)
        return tuple((self._copied(batch, row), info_row(info, row)) for row in range(len(env_ids)))

    def _copied(self, batch: Any, place: int) -> Any:
        """One environment's observation. Copied: the pool may write its next batch into the same memory."""
        rows = int(self._spec.rows)
        of_env = place if rows == 1 else slice(place * rows, (place + 1) * rows)
        return rows_of_batch(self.single_observation_space, batch, of_env)


def info_row(infos: Mapping[str, Any], row: int) -> dict[str, Any]:
    """Copies one environment's info out of batched infos.

    Args:
        infos: batched infos: ``key`` with a mask ``_key`` of the environments that have it.
        row: the environment.
    """
    own: dict[str, Any] = {}
    for key, values in infos.items():
        mask = infos.get(f"_{key}")
        if (key.startswith("_") and key[1:] in infos) or (mask is not None and not mask[row]):
            continue
        own[key] = info_row(values, row) if isinstance(values, Mapping) else deepcopy(values[row])
    return own
