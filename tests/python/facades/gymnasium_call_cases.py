"""Helpers of the tests `test_gymnasium_calls*.py`."""

import gymnasium

CARTPOLE = "CartPole-v1"


def cartpoles(count=3):
    return [lambda: gymnasium.make(CARTPOLE)] * count
