"""How the environments of a pool are divided among actors."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt


class Shares:
    """Consecutive environments for each actor, as equal in number as can be.

    Attributes:
        starts: the first environment of each actor, and the number of all.
        of_env: ``(num_envs,)``, whose actor's each environment is.
    """

    def __init__(self, num_envs: int, num_actors: int) -> None:
        """Divides.

        Args:
            num_envs: number of environments.
            num_actors: number of actors, at most as many.
        """
        sizes = np.full(num_actors, num_envs // num_actors)
        sizes[: num_envs % num_actors] += 1
        self.starts: list[int] = [0, *np.cumsum(sizes).tolist()]
        self.of_env: npt.NDArray[np.int64] = np.repeat(np.arange(num_actors), sizes)

    def some(self, ids: npt.NDArray[np.int64]) -> Iterator[tuple[int, npt.NDArray[np.int64], npt.NDArray[np.int32]]]:
        """Each actor that has some of ``ids``, with their places in it, and their ids within the actor."""
        owners = self.of_env[ids]
        for share in np.unique(owners).tolist():
            places = np.flatnonzero(owners == share)
            yield share, places, (ids[places] - self.starts[share]).astype(np.int32)
