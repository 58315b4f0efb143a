"""Runs Gymnasium-Robotics 1.4.2 as a reference, also on releases of mujoco whose enumerations do not equal numpy's
integers.
"""

from types import SimpleNamespace

import envpool_rs
import gymnasium
import gymnasium_robotics
import mujoco
import numpy as np
from envpool_rs import robotics
from gymnasium.vector import SyncVectorEnv

# This module stores the exception of a failed import, whose frames keep all local variables of the importing functions
# alive. A test that imported it first would never release its pool.
from gymnasium_robotics.envs import robot_env  # noqa: F401
from gymnasium_robotics.utils import mujoco_utils

JOINTS = [name for name in dir(mujoco.mjtJoint) if name.startswith("mjJNT_")]

gymnasium.register_envs(gymnasium_robotics)
# The module mujoco, with the enumerations that Gymnasium-Robotics compares as ints.
mujoco_utils.mujoco = SimpleNamespace(
    **{
        **vars(mujoco),
        "mjtEq": SimpleNamespace(mjEQ_WELD=int(mujoco.mjtEq.mjEQ_WELD)),
        "mjtJoint": SimpleNamespace(**{name: int(getattr(mujoco.mjtJoint, name)) for name in JOINTS}),
    }
)


def bits(value):
    """Returns dtype, shape and bytes of an array, or of each array in a dict."""
    if isinstance(value, dict):
        return {key: bits(each) for key, each in value.items()}
    array = np.asarray(value)
    return array.dtype, array.shape, array.tobytes()


def reference(task, count, **others):
    """Returns a vector environment of the reference's environments."""
    return SyncVectorEnv([lambda: gymnasium.make(task, disable_env_checker=True)] * count, **others)


def compare_one(ours, theirs, steps, seed=11):
    """Compares a pool of one environment with an environment of the reference, over two episodes of ``steps`` steps."""
    random = np.random.default_rng(3)
    for chosen in (seed, None):
        observation, _ = ours.reset(seed=chosen)
        expected, _ = theirs.reset(seed=chosen)
        assert bits(observation) == bits({key: value[None] for key, value in expected.items()})
        for step in range(steps):
            action = random.normal(size=ours.single_action_space.shape).astype(np.float32)
            observation, reward, *_, info = ours.step(action[None])
            expected, their_reward, *_, their_info = theirs.step(action)
            assert bits(observation) == bits({key: value[None] for key, value in expected.items()}), step
            assert reward[0] == their_reward
            assert bits(info["is_success"][0]) == bits(their_info["is_success"])


def check(ours, theirs, where):
    """Compares the results of a reset or of a step, bit for bit."""
    final = theirs[-1].pop("final_info", None)
    if final is not None:
        mask, observations = theirs[-1].pop("_final_info"), theirs[-1].pop("final_obs")
        theirs[-1].pop("_final_obs")
        for env in np.flatnonzero(mask):
            assert bits(ours[-1]["final_obs"][env]) == bits(observations[env]), where
        for key in final.keys() & {"is_success", "success"}:
            expected = final[key][mask]
            expected = expected.astype(bool) if key == "success" else expected
            assert bits(ours[-1]["final_info"][key][mask]) == bits(expected), (where, key)
    for our, their in zip(ours[:-1], theirs[:-1], strict=True):
        assert bits(our) == bits(their), (where, our, their)
    for key, value in theirs[-1].items():
        if key == "success":
            # gymnasium collects numpy's bools as objects.
            value = np.asarray(value, bool)  # noqa: PLW2901
        assert bits(ours[-1][key]) == bits(value), (where, key, ours[-1][key], value)
    for key in ours[-1].keys() - theirs[-1].keys():
        assert "final" in key or key.startswith("_") or not ours[-1][f"_{key}"].any(), (where, key)


def check_relabelled_goals(task, theirs, size, spread):
    """Compares the rewards of goals of ``size`` numbers at a distance of about ``spread`` with those of the reference;
    returns the goals, achieved and desired.
    """
    ours, random = envpool_rs.make_vec(task, 2), np.random.default_rng(0)
    desired = random.uniform(-4, 4, (1000, size))
    achieved = desired + random.normal(size=(1000, size)) * spread
    expected = theirs.compute_reward(achieved, desired, {})
    assert len(set(expected)) > 1
    for got in ours.call("compute_reward", achieved, desired, [{}] * 1000):
        assert bits(got) == bits(expected)
    single = robotics.compute_reward(achieved[0], desired[0], reward_type=theirs.reward_type)
    assert bits(single) == bits(theirs.compute_reward(achieved[0], desired[0], {}))
    return achieved, desired
