"""Toy text environments of gym and of gymnasium before 1.3 that the current gymnasium no longer has."""

import gymnasium
from gymnasium.envs.toy_text.taxi import TaxiEnv

SOUTH, NORTH, EAST, WEST = (1, 0), (-1, 0), (0, 1), (0, -1)
#: For each action, the moves (rows, columns) of the taxi: straight ahead, drifting to its left, drifting to its right.
#: gymnasium 1.2.3 swaps the sides of south and east.
RAIN = [(SOUTH, WEST, EAST), (NORTH, WEST, EAST), (EAST, SOUTH, NORTH), (WEST, SOUTH, NORTH)]


class OldTaxi(TaxiEnv):
    """`Taxi-v3` of gymnasium 1.2.3. In rain, it checks a drifting taxi's target cell for a wall on a fixed side: the
    east side when drifting left, the west side when drifting right, for all headings.
    """

    def __init__(self, is_rainy=False, fickle_passenger=False):
        super().__init__(is_rainy=is_rainy, fickle_passenger=fickle_passenger)
        if is_rainy:
            for state, actions in self.P.items():
                for action in range(len(RAIN)):
                    actions[action] = self.rain(state, action)

    def rain(self, state, action):
        row, column, passenger, destination = self.decode(state)
        heading, left, right = RAIN[action]
        cells = [(row, column)] * 3
        if action < 2 or self.is_open(row, column, heading == EAST):
            cells = [
                self.moved(row, column, heading),
                self.drifted(row, column, left, 1),
                self.drifted(row, column, right, 0),
            ]
        states = [self.encode(*cell, passenger, destination) for cell in cells]
        return [(probability, state, -1, False) for probability, state in zip((0.8, 0.1, 0.1), states, strict=True)]

    def is_open(self, row, column, east):
        return self.desc[1 + row, 2 * column + 2 * east] == b":"

    def moved(self, row, column, move):
        return min(max(row + move[0], 0), self.max_row), min(max(column + move[1], 0), self.max_col)

    def drifted(self, row, column, move, east):
        reached = self.moved(row, column, move)
        return reached if self.is_open(*reached, east) else (row, column)


class Chain(gymnasium.Env):
    """`NChain-v0` of gym 0.19.0, drawing from gymnasium's generator instead of gym's."""

    def __init__(self, n=5, slip=0.2, small=2, large=10):
        self.n, self.slip, self.small, self.large = n, slip, small, large
        self.observation_space, self.action_space = gymnasium.spaces.Discrete(n), gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.place = 0
        return self.place, {}

    def step(self, action):
        slips = self.np_random.random() < self.slip
        reward = 0
        if bool(action) != slips:
            self.place, reward = 0, self.small
        elif self.place < self.n - 1:
            self.place += 1
        else:
            reward = self.large
        return self.place, reward, False, False, {}
