"""Plays environments by EPyMARL's own `GymmaWrapper`, next to those of lbforaging and rware, and compares all values.

`EPYMARL_CHECKOUT` is a checkout of EPyMARL; `nox -s epymarl` fetches it.
"""

import importlib
import os
import sys
import warnings
from pathlib import Path
from types import ModuleType
from unittest import mock

import gymnasium
import numpy as np
import pytest
from envpool_rs import multi_agent

CHECKOUT = os.environ.get("EPYMARL_CHECKOUT")
if not CHECKOUT:
    pytest.skip("EPYMARL_CHECKOUT is not set", allow_module_level=True)

# Without the package's `__init__`, which imports StarCraft.
ENVS = ModuleType("envs")
ENVS.__path__ = [str(Path(CHECKOUT) / "src" / "envs")]
sys.modules["envs"] = ENVS
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # names the packages of other environments
    GymmaWrapper = importlib.import_module("envs.gymma").GymmaWrapper


def wrapper(key, package, **options):
    """Returns the wrapper of this package's environment, or of the environment that `package` registers."""
    if package is None:
        return GymmaWrapper(f"{multi_agent.__name__}:{key}", **options)
    with mock.patch.dict(gymnasium.registry, clear=True):
        importlib.reload(importlib.import_module(package))
        return GymmaWrapper(key, **options)


@pytest.mark.filterwarnings("ignore::UserWarning")  # gymnasium's, of the spaces that the packages make
@pytest.mark.parametrize("common", [{"common_reward": True, "reward_scalarisation": "mean"}, {"common_reward": False}])
@pytest.mark.parametrize(
    ("key", "package", "limit"),
    [
        ("Foraging-8x8-2p-3f-v3", "lbforaging", 50),
        ("Foraging-2s-10x10-3p-3f-v3", "lbforaging", 20),
        ("rware-tiny-2ag-v2", "rware", 500),
        ("rware-small-4ag-hard-v2", "rware", 200),
    ],
)
def test_epymarls_wrapper_has_the_packages_values(key, package, limit, common):
    common = {"reward_scalarisation": "sum", **common}
    options = {"time_limit": limit, "pretrained_wrapper": None, "seed": 5, **common}
    own, theirs = wrapper(key, None, **options), wrapper(key, package, **options)
    assert own.get_env_info() == theirs.get_env_info()
    random = np.random.default_rng(1)
    for _ in range(3):
        own.reset()
        theirs.reset()
        over = False
        while not over:
            np.testing.assert_array_equal(own.get_state(), theirs.get_state())
            assert own.get_avail_actions() == theirs.get_avail_actions()
            actions = random.integers(own.get_total_actions(), size=own.n_agents)
            (mine, *results), (expected, *their_results) = own.step(actions), theirs.step(actions)
            assert [each.tobytes() for each in mine] == [each.tobytes() for each in expected]
            assert results[:3] == their_results[:3]
            over = results[1] or results[2]
    own.close()
    theirs.close()
