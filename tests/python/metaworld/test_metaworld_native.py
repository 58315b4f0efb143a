"""Tests that the native stepper gives the same results in MetaWorld's tasks as MuJoCo's library, bit for bit."""

import envpool_rs
import numpy as np
import pytest
from tasks import METAWORLD

pytest.importorskip("mujoco")
pytest.importorskip("scipy")
pytest.importorskip("metaworld")
from metaworld.policies import ENV_POLICY_MAP
from metaworld_reference import name_of, same

# The scripted policies warn of actions outside of the action space.
pytestmark = pytest.mark.filterwarnings("ignore")

SEED = 21
#: Number of environments: one more than the native stepper steps together.
COUNT = 9
#: Tasks whose resets differ between episodes.
DIFFERENT = [
    "MetaWorld/BoxClose-v3",
    "MetaWorld/Disassemble-v3",
    "MetaWorld/DoorLock-v3",
    "MetaWorld/DoorUnlock-v3",
    "MetaWorld/HandlePress-v3",
    "MetaWorld/HandlePressSide-v3",
    "MetaWorld/HandlePull-v3",
    "MetaWorld/HandlePullSide-v3",
    "MetaWorld/LeverPull-v3",
    "MetaWorld/PegUnplugSide-v3",
]


def actions_of(policy, observation, random, step):
    """Returns the scripted policy's actions for most environments, and random actions for the others."""
    actions = random.normal(size=(COUNT, 4)).astype(np.float32)
    scripted = [policy.get_action(each) for each in observation[::2]]
    actions[::2] = np.stack(scripted).astype(np.float32) + np.float32(0.3 * (step % 2)) * actions[::2]
    return actions


@pytest.mark.parametrize("task", METAWORLD)
def test_native_steps_are_the_librarys(task):
    """Compares two episodes and their resets, with groups of environments of all sizes."""
    assert envpool_rs.make_gymnasium(task, num_envs=1).config["physics"] == "native"
    policy = ENV_POLICY_MAP[name_of(task)]()
    options = {"partially_observable": False, "max_episode_steps": 70, "seed": SEED}
    pools = [envpool_rs.make_vec(task, COUNT, physics=physics, **options) for physics in ("auto", "libmujoco")]
    random = np.random.default_rng(0)
    (ours, _), (theirs, _) = (pool.reset(seed=SEED) for pool in pools)
    same(ours, theirs, "reset")
    for step in range(100):
        actions = actions_of(policy, theirs, random, step)
        (*ours, our_infos), (*theirs, their_infos) = (pool.step(actions) for pool in pools)
        for value, expected in zip(ours, theirs, strict=True):
            same(value, expected, step)
        assert our_infos.keys() == their_infos.keys()
        for key, expected in their_infos.items():
            same(our_infos[key], expected, (step, key))
        theirs = theirs[0]


@pytest.mark.parametrize("task", DIFFERENT)
def test_native_resets_of_some_environments_are_the_librarys(task):
    """Compares steps in which some environments of a group are reset, and the others are stepped."""
    options = {"partially_observable": False, "max_episode_steps": 8, "seed": SEED}
    pools = [
        envpool_rs.make_gymnasium(task, num_envs=COUNT, physics=physics, **options)
        for physics in ("native", "libmujoco")
    ]
    random, ended = np.random.default_rng(0), set()
    for pool in pools:
        pool.reset()
    for step in range(24):
        if step == 3:
            ours, theirs = (pool.reset(np.array([1, 4, 6]))[0] for pool in pools)
            same(ours, theirs, "reset")
        actions = random.uniform(-1, 1, (COUNT, 4)).astype(np.float32)
        ours, theirs = (pool.step(actions)[:4] for pool in pools)
        for value, expected in zip(ours, theirs, strict=True):
            same(value, expected, step)
        ended.add(int(theirs[3].sum()))
    assert ended == {0, 3, COUNT - 3}


def test_snapshots_do_not_depend_on_the_stepper():
    options = {"partially_observable": False, "seed": SEED}
    native, library = (
        envpool_rs.make_vec("MetaWorld/DoorOpen-v3", COUNT, physics=physics, **options)
        for physics in ("native", "libmujoco")
    )
    random = np.random.default_rng(0)
    native.reset()
    library.reset(seed=900)
    for first, other in ((native, library), (library, native)):
        for _ in range(20):
            first.step(random.uniform(-1, 1, (COUNT, 4)).astype(np.float32))
        other.set_state(first.get_state())
        for step in range(20):
            actions = random.uniform(-1, 1, (COUNT, 4)).astype(np.float32)
            for ours, theirs in zip(first.step(actions)[:4], other.step(actions)[:4], strict=True):
                same(ours, theirs, step)
