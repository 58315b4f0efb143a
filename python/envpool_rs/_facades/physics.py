"""What gymnasium's classic control environments call the numbers of their physics, by the stem of their names.

They are no options: a native environment has them built in. Programs ask for them by ``get_attr("gravity")``.
"""

from __future__ import annotations

import math
from typing import Any

_MOUNTAIN_CAR = {"min_position": -1.2, "max_position": 0.6, "max_speed": 0.07}

PHYSICS: dict[str, dict[str, Any]] = {
    "CartPole": {
        "gravity": 9.8,
        "masscart": 1.0,
        "masspole": 0.1,
        "total_mass": 0.1 + 1.0,
        "length": 0.5,
        "polemass_length": 0.1 * 0.5,
        "force_mag": 10.0,
        "tau": 0.02,
        "kinematics_integrator": "euler",
        "theta_threshold_radians": 12 * 2 * math.pi / 360,
        "x_threshold": 2.4,
    },
    "Pendulum": {"max_speed": 8, "max_torque": 2.0, "dt": 0.05, "m": 1.0, "l": 1.0},
    "MountainCar": {**_MOUNTAIN_CAR, "goal_position": 0.5, "force": 0.001, "gravity": 0.0025},
    "MountainCarContinuous": {
        **_MOUNTAIN_CAR,
        "min_action": -1.0,
        "max_action": 1.0,
        "goal_position": 0.45,
        "power": 0.0015,
    },
    "Acrobot": {
        "dt": 0.2,
        "LINK_LENGTH_1": 1.0,
        "LINK_LENGTH_2": 1.0,
        "LINK_MASS_1": 1.0,
        "LINK_MASS_2": 1.0,
        "LINK_COM_POS_1": 0.5,
        "LINK_COM_POS_2": 0.5,
        "LINK_MOI": 1.0,
        "MAX_VEL_1": 4 * math.pi,
        "MAX_VEL_2": 9 * math.pi,
        "torque_noise_max": 0.0,
        "book_or_nips": "book",
        "actions_num": 3,
    },
}


def physics_of(task_id: str) -> dict[str, Any]:
    """The numbers of a task's physics; of several tasks, none.

    Args:
        task_id: the task of the extension.
    """
    return PHYSICS.get(task_id.rpartition("-v")[0], {})
