"""Gymnasium-Robotics' mazes, and comparisons of their results with those of this package's pools."""

import tempfile
from pathlib import Path

import gymnasium
from gymnasium.vector import SyncVectorEnv
from robotics_reference import bits


def check(ours, theirs, where):
    names = ("observation", "reward", "terminated", "truncated")[: len(theirs) - 1]
    for name, our, their in zip(names, ours[:-1], theirs[:-1], strict=True):
        assert bits(our) == bits(their), (where, name, our, their)
    for key, value in theirs[-1].items():
        assert bits(ours[-1][key]) == bits(value), (where, key, ours[-1][key], value)
    for key in ours[-1].keys() - theirs[-1].keys():
        assert key.startswith("_") or not ours[-1][f"_{key}"].any(), (where, key)


def make_one(task, **options):
    """Returns an environment of Gymnasium-Robotics. Removes the model file that it has written into the folder of
    temporary files.
    """
    env = gymnasium.make(task, disable_env_checker=True, **options)
    for file in Path(tempfile.gettempdir()).glob("ant_maze*.xml"):
        file.unlink(missing_ok=True)
    return env


def reference(task, count, options, **others):
    """Returns a vector environment of Gymnasium-Robotics' environments."""
    return SyncVectorEnv([lambda: make_one(task, **options)] * count, **others)
