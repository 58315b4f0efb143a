"""The environment Catch of bsuite 0.3.6, with bsuite's own random stream."""

import gymnasium
import numpy as np


class Catch(gymnasium.Env):
    """bsuite's Catch: a ball falls one row per step, and a paddle moves in the last row."""

    def __init__(self, rows=10, columns=5):
        self.rows, self.columns = rows, columns
        self.observation_space = gymnasium.spaces.Box(0.0, 1.0, (rows, columns), np.float32)
        self.action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.stream = np.random.RandomState(seed)
        self.ball = [0, self.stream.randint(self.columns)]
        self.paddle = self.columns // 2
        return self.board(), {}

    def step(self, action):
        self.paddle = min(max(self.paddle + int(action) - 1, 0), self.columns - 1)
        self.ball[0] += 1
        landed = self.ball[0] == self.rows - 1
        reward = (1.0 if self.paddle == self.ball[1] else -1.0) if landed else 0.0
        return self.board(), reward, landed, False, {}

    def board(self):
        board = np.zeros((self.rows, self.columns), dtype=np.float32)
        board[self.ball[0], self.ball[1]] = 1.0
        board[self.rows - 1, self.paddle] = 1.0
        return board
