"""Makes Gymnasium-Robotics 1.4.2 run on releases of mujoco whose enumerations do not equal numpy's integers."""

from types import SimpleNamespace

import gymnasium
import gymnasium_robotics
import mujoco
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
