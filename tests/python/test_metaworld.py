"""Tests that MetaWorld's tasks replay the package `metaworld`, bit for bit, on the same MuJoCo library.

Environment `i` of a pool with seed `s` equals `gymnasium.make("Meta-World/MT1", env_name=.., seed=s + i)` in
observations, rewards, ends and infos, over several episodes with the package's scripted policies and with random
actions.

`METAWORLD_STEPS` sets the number of compared steps of each episode, by default a hundred.
"""

import os
import re

import envpool_rs
import gymnasium
import numpy as np
import pytest
from tasks import METAWORLD

mujoco = pytest.importorskip("mujoco")
pytest.importorskip("scipy")
pytest.importorskip("metaworld")
from metaworld.policies import ENV_POLICY_MAP  # noqa: E402
from metaworld.sawyer_xyz_env import SawyerMocapBase, SawyerXYZEnv  # noqa: E402

# The reference's resets ignore seeds, and some of its observations are outside of its space.
pytestmark = pytest.mark.filterwarnings("ignore")

STEPS = int(os.environ.get("METAWORLD_STEPS", "0")) or 100
SEED = 11
INFOS = [
    "success",
    "near_object",
    "grasp_success",
    "grasp_reward",
    "in_place_reward",
    "obj_to_target",
    "unscaled_reward",
]
WELD = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 5.0]


def name_of(task):
    """Returns MetaWorld's name of a task: ``drawer-open-v3`` for ``MetaWorld/DrawerOpen-v3``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "-", task.partition("/")[2]).lower()


@pytest.fixture(autouse=True)
def _welds(monkeypatch):
    """Lets the reference run with versions of MuJoCo whose equality constraints have more than eleven parameters."""

    def reset_mocap_welds(self):
        for number in np.flatnonzero(self.model.eq_type == mujoco.mjtEq.mjEQ_WELD):
            self.model.eq_data[number, : len(WELD)] = WELD

    monkeypatch.setattr(SawyerMocapBase, "reset_mocap_welds", reset_mocap_welds)


def reference(task, seed, **options):
    """Makes the reference, with one of the hand's fifty steps while it draws goals: fifty take seconds, and goals do
    not depend on them.
    """
    reset_hand = SawyerXYZEnv._reset_hand
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SawyerXYZEnv, "_reset_hand", lambda self, steps=0: reset_hand(self, 1))
        return gymnasium.make("Meta-World/MT1", env_name=name_of(task), seed=seed, disable_env_checker=True, **options)


def same(ours, theirs, where):
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    places = np.flatnonzero(ours.view(np.int64) != theirs.view(np.int64))
    assert not places.size, (where, places, ours.flat[places], theirs.flat[places])


def compare_steps(pool, references, actions, where):
    """Steps a pool and references with equal actions, compares the results, and returns the observations."""
    observation, reward, terminated, truncated, info = pool.step(actions)
    for env, theirs in enumerate(references):
        expected = theirs.step(actions[env])
        same(observation[env], expected[0], (*where, env, "observation"))
        same(reward[env], expected[1], (*where, env, "reward"))
        assert (terminated[env], truncated[env]) == expected[2:4], where
        for key in INFOS:
            same(info[key][env], expected[4][key], (*where, env, key))
    return observation, info


@pytest.mark.parametrize("task", METAWORLD)
def test_resets_are_the_references(task):
    pool = envpool_rs.make_vec(task, 2, partially_observable=False)
    references = [reference(task, SEED + env) for env in range(2)]
    assert pool.single_action_space == references[0].action_space
    for episode in range(3):
        observation, _ = pool.reset(seed=SEED if episode == 0 else None)
        for env, theirs in enumerate(references):
            same(observation[env], theirs.reset()[0], (episode, env))
    # The reference's `observation_space` has no goals, although its observations have them.
    assert pool.single_observation_space == references[0].unwrapped.sawyer_observation_space


@pytest.mark.parametrize("task", METAWORLD)
def test_episodes_are_the_references(task):
    """Compares an episode of the scripted policy, one of the policy with noise, and one of random actions that also
    exceed the action space.
    """
    policy = ENV_POLICY_MAP[name_of(task)]()
    pool = envpool_rs.make_vec(task, 2, partially_observable=False)
    references = [reference(task, SEED + env) for env in range(2)]
    random = np.random.default_rng(0)
    for episode in range(3):
        observation, _ = pool.reset(seed=SEED if episode == 0 else None)
        for env, theirs in enumerate(references):
            same(observation[env], theirs.reset()[0], (episode, env))
        for step in range(STEPS):
            actions = random.normal(size=(2, 4)).astype(np.float32)
            if episode < 2:
                scripted = np.stack([policy.get_action(each) for each in observation]).astype(np.float32)
                actions = scripted + np.float32(0.3 * episode) * actions
            observation, _ = compare_steps(pool, references, actions, (episode, step))
