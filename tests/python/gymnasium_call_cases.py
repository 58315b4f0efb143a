"""Helpers of the tests `test_gymnasium_calls*.py`."""

import warnings

import gymnasium

CARTPOLE = "CartPole-v1"


def made_fixture():
    """Fixture that returns a function. Environments that a test passes to this function are closed at the end of the
    test.
    """
    envs = []
    yield lambda env: envs.append(env) or env
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # environments with pending calls warn when they are closed
        for env in envs:
            env.close(terminate=True)


def cartpoles(count=3):
    return [lambda: gymnasium.make(CARTPOLE)] * count
