"""Classic control environments of gym that gymnasium no longer has."""

import numpy as np
from gymnasium.envs.classic_control.pendulum import PendulumEnv, angle_normalize


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
