"""What becomes of a batch that has more to it than its arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._python_pool.dialects import envpool_observation
from envpool_rs._python_pool.infos import batched_infos, without_masks
from envpool_rs._python_pool.observations import ObservationBatcher
from envpool_rs._python_pool.told import InfoColumns, Told

Ids = npt.NDArray[np.int64]
Messages = list[tuple[int, "bytes | dict[str, Any]"]]
Ended = tuple[list[int], Any]


class Results:
    """Adds to the results of gymnasium's vector environment what its environments told."""

    _finals_as_given = True

    def __init__(self, space: Any, num_envs: int) -> None:
        """Takes the space apart.

        Args:
            space: observation space of one environment, as it declares it.
            num_envs: environments of the pool.
        """
        self._batcher = ObservationBatcher(space, finals_as_given=self._finals_as_given)
        # Observations that are no arrays, as they were last shown.
        self._last: list[Any] = [None] * num_envs

    def tell(
        self,
        observation: Any,
        info: dict[str, Any],
        ids: Ids,
        messages: Messages,
        columns: InfoColumns | None,
        ended: Ended | None,
        restarted: list[int],
    ) -> tuple[Any, dict[str, Any]]:
        """The observation and info of a batch.

        Args:
            observation: in arrays; nothing where it is no arrays.
            info: the pool's own.
            ids: the environment of each row.
            messages: as :class:`Told` takes them, and so the rest.
            columns: infos in the place of messages.
            ended: rows whose episode ended in the same step as the next one began.
            restarted: rows of environments whose worker was started again.

        Raises:
            Exception: where a message cannot be read, naming its environment.
        """
        told = Told(ids, messages, columns, ended, restarted)
        own = batched_infos(told, len(ids), self._batcher)
        return self._observation(observation, told), self._info(own, info)

    def _observation(self, observation: Any, told: Told) -> Any:
        if self._batcher.in_arrays:
            return observation
        ids = told.ids.tolist()
        for row, env_id in enumerate(ids):
            if told.has_observation(row):
                self._last[env_id] = told.observation(row)
        return self._batcher.stacked([self._last[env_id] for env_id in ids])

    def _info(self, own: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
        return {**own, **info}


class EnvPoolResults(Results):
    """Adds to EnvPool's results what environments told: in its dtypes, without masks."""

    _finals_as_given = False

    def _observation(self, observation: Any, told: Told) -> Any:
        return envpool_observation(super()._observation(observation, told))

    def _info(self, own: dict[str, Any], info: dict[str, Any]) -> dict[str, Any]:
        for row in np.flatnonzero(own.get("_final_obs", ())):
            own["final_obs"][row] = envpool_observation(own["final_obs"][row])
        # Where names are the same, the pool's own count.
        return {**without_masks(own), **info}
