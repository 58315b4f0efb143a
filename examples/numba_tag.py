"""A game of two players in Python, compiled by Numba: one player tries to catch the other on a torus.

    python examples/numba_tag.py

Observations, actions and rewards have a row for each player.
"""

import time

import numpy as np
from envpool_rs import make, numba
from gymnasium import spaces

SIZE = 9
MOVES = np.array([[0, 0], [-1, 0], [1, 0], [0, -1], [0, 1]])
"""Rows and columns of the actions: stay, up, down, left, right."""


@numba.env(
    "Tag-v0",
    observation=spaces.Box(-SIZE, SIZE, (3,), np.int32),
    action=5,
    players=2,
    state={"positions": (np.int64, (2, 2)), "steps": np.int64},
    options={"slow_runner": numba.Option(3, low=2, high=100, doc="the runner rests in every n-th step")},
    max_episode_steps=60,
)
class Tag:
    """Game of tag: player 0 gets reward 1 for catching player 1, and player 1 then gets -1. Each player observes the
    direction to the other player and its own number.
    """

    def reset(state, random):
        state.steps = 0
        for player in range(2):
            for axis in range(2):
                state.positions[player, axis] = random.integers(SIZE)

    def step(state, action, options):
        state.steps += 1
        for player in range(2):
            if player == 1 and state.steps % options.slow_runner == 0:
                continue
            for axis in range(2):
                state.positions[player, axis] = (state.positions[player, axis] + MOVES[action[player], axis]) % SIZE
        if state.positions[0, 0] == state.positions[1, 0] and state.positions[0, 1] == state.positions[1, 1]:
            return (1.0, -1.0), True
        return (0.0, 0.0), False

    def observe(state, out):
        for player in range(2):
            for axis in range(2):
                way = state.positions[1 - player, axis] - state.positions[player, axis]
                out[player, axis] = (way + SIZE // 2) % SIZE - SIZE // 2
            out[player, 2] = player


def greedy(observations):
    """Returns actions with which player 0 approaches player 1, and player 1 moves away."""
    way = np.where(observations[:, 2:] == 0, 1, -1) * observations[:, :2]
    vertical = np.abs(way[:, 0]) >= np.abs(way[:, 1])
    return np.where(vertical, np.where(way[:, 0] < 0, 1, 2), np.where(way[:, 1] < 0, 3, 4)).astype(np.int32)


def main(num_envs=512, steps=600):
    """Steps a pool with greedy actions, and returns how many episodes ended by a catch."""
    envs = make(Tag.task_id, num_envs=num_envs, seed=2)
    observations, _ = envs.reset()
    assert observations.shape == (2 * num_envs, 3)
    caught = 0
    start = time.perf_counter()
    for _ in range(steps):
        observations, rewards, terminated, _, _ = envs.step(greedy(observations))
        assert rewards.sum() == 0  # one player gains what the other loses
        caught += int(terminated.sum())
    rate = steps * num_envs / (time.perf_counter() - start)
    envs.close()
    print(f"Tag-v0: {caught} catches; {rate / 1e6:.2f} million steps per second with both players' policy")
    return caught


if __name__ == "__main__":
    main()
