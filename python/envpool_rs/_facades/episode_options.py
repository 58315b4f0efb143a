"""Options of later episodes, and queues of resets, of environments that play a pool."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._arguments import bounded, is_series


class _WholeCopies:
    """Environment around a pool whose ``copy.copy`` is independent of it, as that of a pool is."""

    def __copy__(self) -> Any:
        return deepcopy(self)


class PoolOptions(_WholeCopies):
    """Methods of a pool for options of later episodes, with the pool's arguments and results: numbers and values belong
    to the pool's environments, whatever the rows of results are.
    """

    pool: Any

    @property
    def _options_pool(self) -> Any:
        return self.pool

    def set_options(self, *, env_ids: Any = None, when: str = "next_episode", **options: Any) -> None:
        """Sets options of the pool's environments, in force when their next episodes begin: the pool's method."""
        self._options_pool.set_options(env_ids=env_ids, when=when, **options)

    def get_options(self, env_ids: Any = None) -> dict[str, Any]:
        """Returns the values in force in the pool's environments: the pool's method."""
        return self._options_pool.get_options(env_ids)  # type: ignore[no-any-return]

    def queue_resets(self, env_ids: Any = None, *, seeds: Any = None, options: dict[str, Any] | None = None) -> None:
        """Appends resets to the queues of the pool's environments: the pool's method."""
        self._options_pool.queue_resets(env_ids, seeds=seeds, options=options)

    def queued_resets(self, env_ids: Any = None) -> npt.NDArray[np.int64]:
        """Returns the number of resets in the queue of each of the pool's environments."""
        return self._options_pool.queued_resets(env_ids)  # type: ignore[no-any-return]

    def clear_resets(self, env_ids: Any = None) -> None:
        """Removes all resets from the queues of the pool's environments."""
        self._options_pool.clear_resets(env_ids)


class SingleOptions(_WholeCopies):
    """Methods of the only environment of a pool for options of later episodes."""

    _pool: Any

    def set_options(self, *, when: str = "next_episode", **options: Any) -> None:
        """Sets options, in force when the next episode begins: a pool's ``set_options`` for one environment."""
        self._pool.set_options(when=when, **options)

    def get_options(self) -> dict[str, Any]:
        """Returns the values in force of all options that ``set_options`` can change."""
        return {name: values[0] for name, values in self._pool.get_options().items()}

    def queue_resets(self, *, seeds: Any = None, options: dict[str, Any] | None = None) -> None:
        """Appends resets to the queue, whose first entry each reset without a seed or options takes: one, or one for
        each of ``seeds``. ``options`` are for one episode alone.
        """
        count = len(list(bounded("seeds", seeds))) if is_series(seeds) else 1
        self._pool.queue_resets([0] * count, seeds=seeds, options=options)

    def queued_resets(self) -> int:
        """Returns the number of resets in the queue."""
        return int(self._pool.queued_resets()[0])

    def clear_resets(self) -> None:
        """Removes all resets from the queue."""
        self._pool.clear_resets()
