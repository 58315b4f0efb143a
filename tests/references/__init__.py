"""Reference environments of all tasks: those of the packages that the tasks follow, or reimplemented rules if a package
cannot be installed with a current numpy.

Each reference is a `gymnasium.Env` with its time limit. If an environment has several players, their observations are
rows of one array (or entries of a dict), and the reward is an array with an element per player.
"""

import warnings
from functools import cache
from importlib.metadata import version

import gymnasium
from envpool_rs import _core
from families import family_of
from gymnasium.envs.toy_text.cliffwalking import CliffWalkingEnv

from references import atari, classic_control, mpe
from references.bsuite import Catch
from references.toy_text import Chain, OldTaxi

#: References that this repository implements: for each task, the constructor and the time limit in steps.
KEPT_HERE = {
    "Pendulum-v0": (classic_control.OldPendulum, 200),
    "Taxi-v3": (OldTaxi, 200),
    # gymnasium 1.1.1's `CliffWalking-v0` has the rules and random draws of 1.4.0's `CliffWalking-v1`.
    "CliffWalking-v0": (CliffWalkingEnv, None),
    "NChain-v0": (Chain, 1000),
    "Catch-v0": (Catch, None),
    "Simple-v3": (mpe.simple, 25),
}


def make(task_id, max_episode_steps=None, **options):
    """Makes the reference environment of a task; raises gymnasium's error if there is none."""
    if task_id.startswith("ALE/"):
        return atari.make(task_id, max_episode_steps, **options)
    if task_id in mpe.MODULES:
        return mpe.parallel(task_id, max_cycles=max_episode_steps or 25, **options)
    options, physics = classic_control.split(task_id, options)
    if task_id in KEPT_HERE:
        constructor, limit = KEPT_HERE[task_id]
        env, limit = constructor(**options), max_episode_steps or limit
        env = env if limit is None else gymnasium.wrappers.TimeLimit(env, limit)
    else:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # gymnasium's warnings about ids that have a successor
            env = gymnasium.make(task_id, max_episode_steps=max_episode_steps, disable_env_checker=True, **options)
    classic_control.set_physics(env, physics)
    return env


#: For tasks that follow a package that is not installed: the package, and the method of comparison.
ITS_RULES = "its rules in `tests/references`"
REPLAYED = f"{ITS_RULES}, which replay games recorded from it (`tests/data/toy_text`)"
OLDER_SOURCES = {
    "Pendulum-v0": ("gym 0.20.0", f"{ITS_RULES}; no games were recorded from gym itself"),
    "Taxi-v3": ("gymnasium 1.2.3", REPLAYED),
    "CliffWalking-v0": ("gymnasium 1.1.1", "gymnasium 1.4's `CliffWalking-v1`, which replays games recorded from it"),
    "NChain-v0": ("gym 0.19.0, on gymnasium's random streams", REPLAYED),
    "Catch-v0": ("bsuite 0.3.6", REPLAYED),
}


@cache
def families_of_tasks():
    """Returns the family of each task by its id."""
    return {task["id"]: family_of(task) for task in _core.tasks()}


def source(task_id):
    """Returns the package that a task follows, with its version, and the method of comparison."""
    if task_id in OLDER_SOURCES:
        return OLDER_SOURCES[task_id]
    how = "played side by side"
    family = families_of_tasks()[task_id]
    if family.key == "mujoco" and task_id.endswith(("-v3", "-v2")):
        how += ", as version 4"
    if task_id.startswith("CarRacing"):
        how += "; pixels: [Box2D](box2d.md)"
    if task_id.startswith("LunarLander") and task_id.endswith("-v2"):
        how += ", as version 3"
    if family.key == "dm_control" and "/" not in task_id:
        how += ", by its dm_control name"
    package = family.exactness.get("reference", "gymnasium")
    how += family.exactness.get("note", "")
    if package == "minigrid":
        # Names the release that the levels follow, even if a later release is installed, which may draw other random
        # numbers.
        if "-WFC-" in task_id:
            how += ", with the pictures of its git repository"
        return "minigrid 3.2.0", how
    return f"{package} {version(package)}", how


def exists(task_id):
    """Returns whether the task's reference is a gymnasium environment; EnvPool's Atari tasks have no such reference."""
    return task_id.startswith("ALE/") or task_id in KEPT_HERE or task_id in mpe.MODULES or task_id in gymnasium.registry


def is_parallel(task_id):
    """Returns whether the task has several players."""
    return task_id in mpe.MODULES
