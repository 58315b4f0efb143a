"""A grid world in Python, compiled by Numba: collect coins among walls, and leave by the door.

    python examples/numba_grid_world.py

The example's state contains arrays, its observation is a Dict, and its `render` function draws pictures for `envpool-rs
play`.
"""

import time

import numpy as np
from envpool_rs import make_vec, numba
from gymnasium import spaces

SIZE = 8
FREE, WALL, COIN, DOOR = range(4)
MOVES = np.array([[-1, 0], [0, 1], [1, 0], [0, -1]])
"""Rows and columns of the actions: up, right, down, left."""
COLOURS = np.array([[240, 240, 240], [60, 60, 70], [230, 180, 30], [60, 160, 90]], np.uint8)
AGENT = np.array([200, 60, 60], np.uint8)
CELL = 16
"""Pixels of a cell's side."""


def random_cell(random):
    """Draws a random row and column. Numba also compiles module-level functions that the environment calls, such as
    this one.
    """
    return random.integers(SIZE), random.integers(SIZE)


@numba.env(
    "GridWorld-v0",
    observation=spaces.Dict(
        cells=spaces.Box(0, DOOR, (SIZE, SIZE), np.uint8),
        position=spaces.MultiDiscrete([SIZE, SIZE]),
    ),
    action=4,
    state={"cells": (np.uint8, (SIZE, SIZE)), "row": np.int64, "column": np.int64, "coins": np.int64},
    options={
        "walls": numba.Option(0.2, low=0.0, high=0.5, doc="share of cells that are walls"),
        "coins": numba.Option(3, low=0, high=10, doc="number of coins"),
        "slippery": numba.Option(False, doc="whether one move in ten goes another way"),
    },
    infos={"coins_left": np.int32},
    max_episode_steps=100,
    frame=(SIZE * CELL, SIZE * CELL),
    frames_per_second=8,
)
class GridWorld:
    """Grid world: each coin gives a reward of 1; the door ends the episode, and gives 5 if no coin is left."""

    def reset(state, random, options):
        for row in range(SIZE):
            for column in range(SIZE):
                state.cells[row, column] = WALL if random.random() < options.walls else FREE
        for _ in range(options.coins):
            row, column = random_cell(random)
            state.cells[row, column] = COIN
        row, column = random_cell(random)
        state.cells[row, column] = DOOR
        state.row, state.column = random_cell(random)
        while state.cells[state.row, state.column] == DOOR:
            state.row, state.column = random_cell(random)
        state.cells[state.row, state.column] = FREE
        state.coins = (state.cells == COIN).sum()

    def step(state, action, random, options):
        if options.slippery and random.random() < 0.1:
            action = random.integers(4)
        row, column = state.row + MOVES[action, 0], state.column + MOVES[action, 1]
        if not (0 <= row < SIZE and 0 <= column < SIZE) or state.cells[row, column] == WALL:
            return -0.1, False
        state.row, state.column = row, column
        found = state.cells[row, column]
        if found == COIN:
            state.cells[row, column] = FREE
            state.coins -= 1
            return 1.0, False
        if found == DOOR:
            return 5.0 if state.coins == 0 else 0.0, True
        return -0.01, False

    def observe(state, out):
        out.cells[:] = state.cells
        out.position[0], out.position[1] = state.row, state.column

    def inform(state, out):
        out.coins_left[...] = state.coins

    def is_valid(state):
        return 0 <= state.row < SIZE and 0 <= state.column < SIZE and state.cells.max() <= DOOR

    def render(state, picture):
        for row in range(SIZE * CELL):
            for column in range(SIZE * CELL):
                picture[row, column] = COLOURS[state.cells[row // CELL, column // CELL]]
        top, left = state.row * CELL, state.column * CELL
        picture[top + 4 : top + 12, left + 4 : left + 12] = AGENT


def main(num_envs=1024, steps=1000):
    """Compares a pool's first observation with that of one environment in Python, then steps the pool at random."""
    envs = make_vec(GridWorld.task_id, num_envs, seed=0, coins=5)
    one = GridWorld.python(coins=5)
    observations, infos = envs.reset()
    same, _ = one.reset(seed=0)
    assert np.array_equal(observations["cells"][0], same["cells"]) and infos["coins_left"].shape == (num_envs,)
    actions = np.random.default_rng(0).integers(4, size=(steps, num_envs))
    total, start = 0.0, time.perf_counter()
    for action in actions:
        _, rewards, _, _, _ = envs.step(action)
        total += rewards.sum()
    rate = steps * num_envs / (time.perf_counter() - start)
    envs.close()
    print(f"GridWorld-v0: {rate / 1e6:.1f} million steps per second, {total / num_envs:.1f} points per environment")


if __name__ == "__main__":
    main()
