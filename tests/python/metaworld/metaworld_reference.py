"""Reference environments of the package `metaworld`, and comparisons with them, for `test_metaworld*.py`."""

import re

import gymnasium
import mujoco
import numpy as np
import pytest
from metaworld.sawyer_xyz_env import SawyerMocapBase, SawyerXYZEnv

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


def patch_welds(monkeypatch):
    """Lets the reference run with versions of MuJoCo whose equality constraints have more than eleven parameters."""

    def reset_mocap_welds(self):
        for number in np.flatnonzero(self.model.eq_type == mujoco.mjtEq.mjEQ_WELD):
            self.model.eq_data[number, : len(WELD)] = WELD

    monkeypatch.setattr(SawyerMocapBase, "reset_mocap_welds", reset_mocap_welds)


def made_fast(make, *arguments, **options):
    """Makes a reference, with one of the hand's fifty steps while it draws goals: fifty take seconds, and goals do not
    depend on them.
    """
    reset_hand = SawyerXYZEnv._reset_hand
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SawyerXYZEnv, "_reset_hand", lambda self, steps=0: reset_hand(self, 1))
        return make(*arguments, **options)


def reference(task, seed, **options):
    """Makes the reference of a task."""
    return made_fast(
        gymnasium.make,
        "Meta-World/MT1",
        env_name=name_of(task),
        seed=seed,
        disable_env_checker=True,
        **options,
    )


def same(ours, theirs, where):
    ours, theirs = np.asarray(ours, np.float64), np.asarray(theirs, np.float64)
    places = np.flatnonzero(ours.view(np.int64) != theirs.view(np.int64))
    assert not places.size, (where, places, ours.flat[places], theirs.flat[places])
