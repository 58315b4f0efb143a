"""Steps every task of an installed wheel in every interface, with the wheel's own dependencies only.

    python tools/smoke.py

The release workflow runs it on each system and processor. Tasks that need files of other packages, or MuJoCo, are
stepped only if these packages are installed; otherwise only their specifications are made.
"""

import sys
from importlib.metadata import files
from importlib.util import find_spec

import envpool_rs
import gymnasium
import numpy as np
from envpool_rs._spec.assets import ASSETS, MAZE_OPTION

STEPS = 20
#: Package that an interface needs in addition to this package's own requirements.
NEEDS = {"dm": "dm_env"}


def actions(space, count):
    """Returns a batch of random actions, one sample of the space per row."""
    if isinstance(space, gymnasium.spaces.Dict):
        return {key: actions(part, count) for key, part in space.spaces.items()}
    return np.stack([space.sample() for _ in range(count)])


def play(task, env_type):
    """Runs a few steps of one pool in EnvPool's interface."""
    env = envpool_rs.make(task, env_type=env_type, num_envs=3, seed=1)
    space = envpool_rs.make_spec(task).action_space
    rows = 3 * env.spec.rows
    env.reset()
    for _ in range(STEPS):
        env.step(actions(space, rows))
    env.close()


def play_vector(task):
    """Runs a task twice in gymnasium's vector interface with the same seed, and compares the results."""
    first, second = (envpool_rs.make_vec(task, num_envs=3) for _ in range(2))
    first.action_space.seed(0)
    first.reset(seed=5)
    second.reset(seed=5)
    for _ in range(STEPS):
        action = first.action_space.sample()
        assert repr(first.step(action)) == repr(second.step(action)), task


def play_python():
    """Runs environments written in Python in two worker processes."""
    env = envpool_rs.make_python([lambda: gymnasium.make("CartPole-v1")] * 4, num_workers=2, seed=1)
    observation, _ = env.reset()
    for _ in range(STEPS):
        observation = env.step(np.ones(4, dtype=np.int64))[0]
    assert observation.shape == (4, 4)
    env.close()


def tasks():
    """Returns the tasks that can be stepped with the installed packages."""
    lacking = [
        asset.option
        for asset in ASSETS
        if (asset.install and asset.installed() is None) or (asset.needs_mujoco and not find_spec("mujoco"))
    ]
    if not find_spec("mujoco"):
        lacking.append(MAZE_OPTION)  # mazes need no files, but they need the library
    absent = {task for option in lacking for task in envpool_rs._core.tasks_with_option(option)}
    return [task for task in envpool_rs.list_all_envs() if task not in absent]


def main():
    played = tasks()
    for task in envpool_rs.list_all_envs():
        envpool_rs.make_spec(task)
    for task in played:
        play_vector(task)
        for env_type in ("gymnasium", "gym", "dm"):
            if env_type not in NEEDS or find_spec(NEEDS[env_type]):
                play(task, env_type)
    play_python()
    assert any("sboms" in str(path) for path in files("envpool_rs")), "the wheel has no list of its parts"
    print(f"envpool_rs {envpool_rs.__version__} on {sys.platform}: {len(played)} tasks played")


if __name__ == "__main__":
    main()
