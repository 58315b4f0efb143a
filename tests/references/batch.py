"""Batch of reference environments with individual seeds; the step after the end of an episode resets."""

import numpy as np

import references


class ReferenceBatch:
    """`count` references of a task, stepped one after the other.

    Attributes:
        players: players of an environment.
        rows: rows of an action for an environment whose players share one space; `None` for all others.

    Attributes of the last reset or step:
        observations: an observation per environment.
        infos: a dict per environment.
        rewards: float64 `(count * players,)`.
        terminated, truncated: bool `(count,)`.
        elapsed: int32 `(count,)`, steps since the environment's last reset.
    """

    def __init__(self, task_id, count, options):
        self.envs = [references.make(task_id, **options) for _ in range(count)]
        self.observations, self.infos = [None] * count, [None] * count
        self.terminated, self.truncated = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        self.elapsed = np.zeros(count, dtype=np.int32)
        self.players = len(getattr(self.envs[0], "players", [0]))
        self.rows = self.players if getattr(self.envs[0], "shared", False) else None
        self.rewards = np.zeros(count * self.players)

    def reset(self, seeds, options=None):
        self.rewards[:] = 0
        for index, seed in enumerate(seeds):
            self._reset(index, seed, options)

    def _reset(self, index, seed=None, options=None):
        self.observations[index], self.infos[index] = self.envs[index].reset(seed=seed, options=options)
        self.terminated[index] = self.truncated[index] = False
        self.elapsed[index] = 0

    def step(self, actions):
        """Steps all environments; `actions` has one action for each environment."""
        for index, (env, action) in enumerate(zip(self.envs, actions, strict=True)):
            rewards = self.rewards[index * self.players : (index + 1) * self.players]
            if self.terminated[index] or self.truncated[index]:
                rewards[:] = 0
                self._reset(index)
                continue
            observation, rewards[:], terminated, truncated, info = env.step(action)
            self.observations[index], self.infos[index] = observation, info
            self.terminated[index], self.truncated[index] = terminated, truncated
            self.elapsed[index] += 1

    def leaves(self):
        """Returns the batched observation as a list of arrays, in the order of the space's leaves."""
        return [np.stack(parts) for parts in zip(*map(flat, self.observations), strict=True)]


def flat(observation):
    """Yields the leaves of an observation, each an array or a number."""
    if isinstance(observation, dict):
        return [leaf for part in observation.values() for leaf in flat(part)]
    if isinstance(observation, tuple):
        return [leaf for part in observation for leaf in flat(part)]
    return [observation]
