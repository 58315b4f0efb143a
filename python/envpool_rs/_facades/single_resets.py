"""Resets of single environments of a pool, each answered as the environment itself answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from typing import Any

from gymnasium.vector.utils import batch_space, iterate

from envpool_rs._nested import mapped


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
        # Copied: the pool may write its next batch into the same memory.
        observations = deepcopy(self._taken_apart(batch, len(env_ids)))
        return tuple((each, _info_row(info, row)) for row, each in enumerate(observations))

    def _taken_apart(self, batch: Any, count: int) -> list[Any]:
        rows = int(self._spec.rows)
        if rows == 1:
            return list(iterate(batch_space(self.single_observation_space, count), batch))
        players = [slice(index * rows, (index + 1) * rows) for index in range(count)]
        return [mapped(lambda part, own=own: part[own], batch) for own in players]  # type: ignore[misc]


def _info_row(infos: Mapping[str, Any], row: int) -> dict[str, Any]:
    own: dict[str, Any] = {}
    for key, values in infos.items():
        mask = infos.get(f"_{key}")
        if (key.startswith("_") and key[1:] in infos) or (mask is not None and not mask[row]):
            continue
        own[key] = _info_row(values, row) if isinstance(values, Mapping) else deepcopy(values[row])
    return own
