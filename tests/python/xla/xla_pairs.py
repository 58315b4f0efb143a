"""Makes pairs of pools with equal trajectories, one of which is stepped inside jax programs, and compares results."""

import envpool_rs
import numpy as np
from policies import random_actions

ENVS = 4
MAKERS = {
    "gymnasium": envpool_rs.make,
    "gym": envpool_rs.make_gym,
    "gym, four values": lambda *names, **options: envpool_rs.make_gym(*names, gym_reset_return_info=False, **options),
    "dm": envpool_rs.make_dm,
    "vector": envpool_rs.make_vec,
}


def pair(task="CartPole-v1", interface="gymnasium", num_envs=ENVS, **options):
    """Returns two pools with the same seeds and short episodes, both reset."""
    pools = [
        MAKERS[interface](task, num_envs=num_envs, **{"seed": 3, "max_episode_steps": 9} | options) for _ in range(2)
    ]
    for each in pools:
        if not each.is_async:
            each.reset()
    return pools


def actions_for(env, rng, count=ENVS):
    """Returns random actions for `count` environments.

    float64 actions are exactly representable in float32, because jax has no doubles by default.
    """
    space, rows = env.spec.gymnasium_action_space, env.spec.rows
    actions = random_actions(space, count * rows, rng)
    return actions.astype(np.float32).astype(np.float64) if space.dtype == np.float64 else actions


def assert_matches(ours, theirs, where="result"):
    """Asserts that a program's result equals that of the pool's own `step`: values, shapes, keys; dtypes as in jax."""
    if isinstance(theirs, dict):
        assert isinstance(ours, dict) and set(ours) == set(theirs), where
        for key, value in theirs.items():
            assert_matches(ours[key], value, f"{where}[{key!r}]")
    elif isinstance(theirs, tuple):
        assert type(ours).__name__ == type(theirs).__name__ and len(ours) == len(theirs), where
        assert getattr(ours, "_fields", None) == getattr(theirs, "_fields", None), where
        for index, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            assert_matches(left, right, f"{where}[{index}]")
    else:
        narrow = {"float64": "float32", "int64": "int32"}.get(theirs.dtype.name, theirs.dtype.name)
        assert (ours.dtype.name, ours.shape) == (narrow, theirs.shape), where
        np.testing.assert_array_equal(np.asarray(ours), theirs.astype(narrow), where)
