"""Observations of several environments as one batch, as gymnasium's vector environments make it."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector.utils import concatenate, create_empty_array

from envpool_rs._python_pool.told import Told
from envpool_rs._workers.observation_layout import ObservationLayout


class ObservationBatcher:
    """Makes batches of observations of one space.

    Arrays ``(n, *shape)`` for ``Box``, ``Discrete``, ``MultiDiscrete`` and ``MultiBinary``, dicts and tuples of them
    for ``Dict`` and ``Tuple``; tuples of ``n`` objects for all other spaces.
    """

    def __init__(self, space: Any, *, finals_as_given: bool) -> None:
        """Takes the space apart.

        Args:
            space: observation space of one environment, as it declares it.
            finals_as_given: last observations of episodes are what the environment returned, Python's own numbers
                included; otherwise numpy's.
        """
        self._space = space
        self._finals_as_given = finals_as_given
        self._structure = ObservationLayout.of(space).structure

    def stacked(self, observations: list[Any]) -> Any:
        """A batch of observations given one by one."""
        empty: Any = create_empty_array(self._space, len(observations))
        return concatenate(self._space, observations, empty)

    @property
    def in_arrays(self) -> bool:
        """Whether observations consist of arrays alone, which lie in shared memory."""
        return self._structure is not None

    def final(self, told: Told, row: int) -> Any:
        """The last observation of a row's episode that ended in this step."""
        if told.has_final_observation(row) and (self._finals_as_given or not self.in_arrays):
            return told.final_observation(row)
        return _as_declared(self._space, told.final_row(row))


def _as_declared(space: Any, observation: Any) -> Any:
    """What was taken out of rows, as spaces declare it: scalars of discrete spaces, arrays of boxes."""
    if isinstance(space, spaces.Dict) and type(observation) is dict:
        return {key: _as_declared(part, observation[key]) for key, part in space.spaces.items()}
    if isinstance(space, spaces.Tuple) and type(observation) is tuple:
        return tuple(_as_declared(*each) for each in zip(space.spaces, observation, strict=True))
    if isinstance(space, spaces.Discrete):
        return observation[()] if isinstance(observation, np.ndarray) else observation
    return np.asarray(observation) if isinstance(space, spaces.Box) else observation
