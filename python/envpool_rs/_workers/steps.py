"""Results of steps and resets of environments in worker processes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from envpool_rs._nested import zip_leaves
from envpool_rs._workers.env_failure import EnvFailure
from envpool_rs._workers.observation_layout import LeafTree, nest_leaves

if TYPE_CHECKING:
    from envpool_rs._core import StepReplies


class Steps:
    """The results of a step or reset; row k belongs to ``ids[k]``.

    Attributes:
        ids: int64 [k].
        leaves: the observations as one new array ``[k, *shape]`` for each leaf; None unless all environments have equal
            spaces that are stored in rows. Rows whose observation was sent as a message hold no valid data.
        rewards: float64 [k]; 0 after a reset; NaN for rows in ``odd_rewards``.
        odd_rewards: rewards that are not numbers (arrays, None), by row.
        terminated: bool [k].
        truncated: bool [k].
        four_values: bool [k], True if the step returned old gym's four values; None if no step did so.
        infos: a dict for each row; None if all are empty.
        failures: by environment, its exception or the loss of its worker; rows of these environments hold no valid
            data.
        restarted: the environments whose worker was restarted; in their rows, the observation is the first of the new
            episode, the reward is 0 and truncated is True.
    """

    __slots__ = (
        "_messages",
        "_structures",
        "failures",
        "four_values",
        "ids",
        "infos",
        "leaves",
        "odd_rewards",
        "restarted",
        "rewards",
        "terminated",
        "truncated",
    )

    def __init__(self, ids: Any, replies: StepReplies, structures: list[LeafTree | None], *, uniform: bool) -> None:
        self.ids = ids
        self._structures = structures
        self.leaves: list[np.ndarray[Any, Any]] | None
        self.failures: dict[int, EnvFailure]
        self._messages: dict[int, dict[str, Any]]
        (
            self.leaves,
            self.rewards,
            self.terminated,
            self.truncated,
            self.four_values,
            self.infos,
            self._messages,
            self.failures,
            restarted,
        ) = replies
        if not uniform:
            self.leaves = None
        self.odd_rewards = {row: each["reward"] for row, each in self._messages.items() if "reward" in each}
        for row in self.odd_rewards:
            self.rewards[row] = np.nan
        self.restarted: list[int] = [int(ids[row]) for row in restarted]

    def observations(self) -> Any:
        """Returns all observations as one batch: an array ``[k, *shape]``, or dicts and tuples of them as in the space.

        Observations that do not stack (different shapes, or not arrays) become a numpy array of objects.
        """
        if self.leaves is not None and not self._by_message():
            structure = self._structures[0]
            assert structure is not None  # set because all environments have equal spaces that are stored in rows
            return nest_leaves(structure, self.leaves)
        return stacked([self.observation(k) for k in range(len(self.ids))])

    @property
    def in_rows(self) -> bool:
        """Whether all observations are in rows of one layout, so that ``observations`` need not stack them."""
        return self.leaves is not None and not self.failures and not (self._messages and self._by_message())

    def _by_message(self) -> bool:
        return any("observation" in message for message in self._messages.values())

    def observation(self, k: int) -> Any:
        """Returns row k's observation as the environment returned it; None after a failure. The arrays are copies."""
        if self.failures and self.ids[k] in self.failures:
            return None
        message = self._messages.get(k)
        if message is not None and "observation" in message:
            return message["observation"]
        structure = self._structures[int(self.ids[k])]
        if structure is None or self.leaves is None:
            return None
        row = [leaf[k] for leaf in self.leaves]
        return nest_leaves(structure, [each.copy() if isinstance(each, np.ndarray) else each for each in row])

    def has_four_values(self, k: int) -> bool:
        """Returns whether row k's step returned old gym's four values."""
        return self.four_values is not None and bool(self.four_values[k])

    def reward(self, k: int) -> Any:
        """Returns row k's reward as the environment returned it."""
        return self.odd_rewards[k] if k in self.odd_rewards else self.rewards[k]


def stacked(observations: list[Any]) -> Any:
    """Stacks observations into one batch: arrays of equal shape, and dicts and tuples of equal structure leaf by leaf.

    Observations that do not stack become an array of objects.
    """
    return zip_leaves(_stacked_arrays, *observations) if observations else _stacked_arrays()


def _stacked_arrays(*observations: Any) -> np.ndarray[Any, Any]:
    try:
        arrays = [np.asarray(each) for each in observations]
        if all(array.dtype != object for array in arrays):
            return np.stack(arrays)
    except ValueError:
        pass  # arrays of different shapes
    objects = np.empty(len(observations), dtype=object)
    for k, each in enumerate(observations):
        objects[k] = each
    return objects
