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


def actions_of(policy, observation, random, step):
    """Returns the scripted policy's actions for most environments, and random actions for the others."""
    actions = random.normal(size=(COUNT, 4)).astype(np.float32)
    scripted = [policy.get_action(each) for each in observation[::2]]
    actions[::2] = np.stack(scripted).astype(np.float32) + np.float32(0.3 * (step % 2)) * actions[::2]
    return actions


#: Tasks whose resets are simulated, with a number of steps in which the policy solves two environments at once.
SOLVED = {"MetaWorld/BoxClose-v3": 120, "MetaWorld/HandlePress-v3": 80, "MetaWorld/LeverPull-v3": 100}


@pytest.mark.parametrize("task", METAWORLD)
def test_native_steps_are_the_librarys(task):
    """Compares two episodes and their resets, with groups of environments of all sizes."""
    compare(task, 100, max_episode_steps=70)


@pytest.mark.parametrize("task", SOLVED)
def test_native_resets_of_some_environments_are_the_librarys(task):
    """Compares steps in which several environments of a group are reset, because their task was solved."""
    ends = compare(task, SOLVED[task], terminate_on_success=True)
    assert any(1 < end[:8].sum() < 8 for end in ends)


def compare(task, steps, **options):
    """Compares the steps of both steppers. Returns the environments whose episode ended, for each step."""
    assert envpool_rs.make_gymnasium(task, num_envs=1).config["physics"] == "native"
    policy, ends = ENV_POLICY_MAP[name_of(task)](), []
    options = {"partially_observable": False, "seed": SEED, **options}
    pools = [envpool_rs.make_vec(task, COUNT, physics=physics, **options) for physics in ("auto", "libmujoco")]
    random = np.random.default_rng(0)
    (ours, _), (theirs, _) = (pool.reset(seed=SEED) for pool in pools)
    same(ours, theirs, "reset")
    for step in range(steps):
        actions = actions_of(policy, theirs, random, step)
        (*ours, our_infos), (*theirs, their_infos) = (pool.step(actions) for pool in pools)
        for value, expected in zip(ours, theirs, strict=True):
            same(value, expected, step)
        assert our_infos.keys() == their_infos.keys()
        for key, expected in their_infos.items():
            same(our_infos[key], expected, (step, key))
        ends.append(theirs[2] | theirs[3])
        theirs = theirs[0]
    return ends


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
