"""Classic control environments of gym that gymnasium no longer has."""

import numpy as np
from gymnasium.envs.classic_control.pendulum import PendulumEnv, angle_normalize

#: Options of classic control that are attributes of the environments instead of arguments of their constructors.
ATTRIBUTES = {
    "CartPole": ("gravity", "masscart", "masspole", "length", "force_mag"),
    "MountainCar": ("force", "gravity", "power"),
    "Pendulum": ("m", "l"),
    "Acrobot": (
        *("link_length_1", "link_mass_1", "link_mass_2", "link_com_pos_1", "link_com_pos_2"),
        "link_moi",
    ),
}


def split(task_id, options):
    """Returns the constructor's arguments of a task, and the options that are attributes, from both together."""
    attributes = next((names for start, names in ATTRIBUTES.items() if task_id.startswith(start)), ())
    arguments = {name: value for name, value in options.items() if name not in attributes}
    return arguments, {name: value for name, value in options.items() if name in attributes}


def set_physics(env, physics):
    """Sets attributes of an environment by the names of options, and those that its constructor computes of them."""
    own = env.unwrapped
    for name, value in physics.items():
        setattr(own, name.upper() if name.startswith("link_") else name, value)
    if hasattr(own, "polemass_length"):
        own.total_mass, own.polemass_length = own.masspole + own.masscart, own.masspole * own.length


class OldPendulum(PendulumEnv):
    """`Pendulum-v0` of gym 0.20.0, whose equations of motion differ from those of `Pendulum-v1`."""

    def step(self, u):
        angle, velocity = self.state
        u = np.clip(u, -self.max_torque, self.max_torque)[0]
        costs = angle_normalize(angle) ** 2 + 0.1 * velocity**2 + 0.001 * (u**2)
        moved = (
            velocity + (-3 * self.g / (2 * self.l) * np.sin(angle + np.pi) + 3.0 / (self.m * self.l**2) * u) * self.dt
        )
        self.state = np.array([angle + moved * self.dt, np.clip(moved, -self.max_speed, self.max_speed)])
        return self._get_obs(), -costs, False, False, {}
