"""Actions on their way to Python environments behind gymnasium's vector interface, which refuses none of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector.utils import batch_space, iterate

from envpool_rs._python_pool.actions import ActionReader, ArrayActions


class GivenActions(ActionReader):
    """Takes a batch apart as gymnasium's own vector environments do.

    Environments get what was given, and say themselves whether it is allowed.
    """

    def __init__(self, reader: ActionReader, space: Any) -> None:
        """Keeps what takes actions of the space.

        Args:
            reader: of the action space.
            space: action space of one environment.
        """
        super().__init__(reader.name)
        self._array = reader if isinstance(reader, ArrayActions) else None
        self._batched = batch_space(space)

    def rows(self, action: Any, count: int) -> npt.NDArray[Any] | list[Any]:
        """The action of each environment.

        Args:
            action: the batch.
            count: number of environments.

        Returns:
            ``count`` actions: an array ``(count, ...)`` in the space's dtype where that is what was given; or a list.

        Raises:
            ValueError: for another number of actions.
            TypeError: for what has none in it.
        """
        array = self._array
        if array is not None and type(action) is np.ndarray:
            if action.dtype == array.dtype and action.shape == (count, *array.shape):
                return action
            if action.ndim and len(action) != count:
                raise ValueError(f"{self.name} has shape {action.shape}: expected {(count, *array.shape)}")
        try:
            rows = list(iterate(self._batched, action))
        except TypeError as error:
            raise TypeError(f"{self.name} is {action!r}: expected one for each environment, {count}") from error
        if len(rows) != count:
            raise ValueError(f"{self.name} has {len(rows)} entries: expected {count}")
        return rows
