"""Compares the reference implementations in this repository with recordings of the packages whose
behaviour they copy.
"""

import json

import numpy as np
import pytest
import references
from references.batch import flat
from repository import TESTS

DATA = TESTS / "data" / "toy_text"


def numbers(*values):
    return [float(number) for value in values for number in np.ravel(value)]


@pytest.mark.parametrize("task", ["Taxi-v3", "CliffWalking-v0", "NChain-v0", "Catch-v0"])
def test_a_vendored_reference_reproduces_the_recorded_games(task):
    for game in json.loads((DATA / f"{task}.json").read_text()):
        env = references.make(task, **game["options"])
        env = env.unwrapped
        seed = game["seed"]
        for action, observation, reward, done, infos in game["turns"]:
            if action is None:
                result = env.reset(seed=seed)
                got = (result[0], 0.0, False, result[1])
                seed = None
            else:
                result = env.step(action)
                got = (*result[:3], result[4])
            assert numbers(*flat(got[0])) == observation
            assert (float(got[1]), bool(got[2]), numbers(*got[3].values())) == (reward, done, infos)
