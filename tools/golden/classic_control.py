"""Records gymnasium's classic-control environments for the unit tests of `src/envs/classic/classic_control`.

Run with gymnasium 1.4.0 and numpy 2 installed:

    python tools/golden/classic_control.py tests/data/classic_control

Each file holds a few lanes. A lane is a list of rows `[action, reward, terminated, state, observation]`; a reset is a row
with the action null. Rewards and states are the bits of float64 numbers, observations the bits of float32 numbers.
"""

import json
import math
import sys
from pathlib import Path

import gymnasium
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


def balance(state, rng):
    """Returns the action that balances the pole of CartPole."""
    x, x_dot, theta, theta_dot = state
    return int(theta + 0.3 * theta_dot + 0.05 * x + 0.1 * x_dot > 0)


def push_along(state, rng):
    """Returns the action that pushes a mountain car in the direction in which it moves."""
    return 2 if state[1] >= 0 else 0


def throttle_along(state, rng):
    """Returns a throttle that pushes the car in the direction in which it moves, sometimes beyond its bounds."""
    return float(np.float32(math.copysign(rng.choice([0.3, 1.0, 1.0, rng.uniform(0, 2)]), state[1])))


def pump_pendulum(state, rng):
    """Returns a torque that adds energy to the pendulum, and balances it near the top."""
    angle, velocity = state
    if abs((angle + np.pi) % (2 * np.pi) - np.pi) < 0.3:
        return float(np.float32(-8.0 * math.sin(angle) - 2.0 * velocity))
    return float(np.float32(math.copysign(rng.choice([2.0, 1.0, 0.3]), velocity)))


def pump_acrobot(state, rng):
    """Returns the action that adds energy to the acrobot."""
    return 2 if state[3] >= 0 else 0


def random_action(space, rng):
    """Returns a uniformly random action; throttles and torques are sometimes at the limit, zero, or beyond."""
    if isinstance(space, gymnasium.spaces.Discrete):
        return int(rng.integers(space.n))
    high = float(space.high[0])
    return float(
        np.float32(rng.choice([rng.uniform(-high, high), rng.uniform(-2 * high, 2 * high), high, -high, 0.0, 0.01]))
    )


POLICIES = {
    "CartPole": balance,
    "MountainCar": push_along,
    "MountainCarContinuous": throttle_along,
    "Pendulum": pump_pendulum,
    "Acrobot": pump_acrobot,
}

#: The recorded cases: name of the file, task, options of the task, options of each reset.
CASES = [
    ("CartPole-v1", "CartPole-v1", {}, {}),
    ("CartPole-v1-sutton_barto_reward", "CartPole-v1", {"sutton_barto_reward": True}, {"low": -0.3, "high": 0.2}),
    ("MountainCar-v0", "MountainCar-v0", {}, {}),
    ("MountainCar-v0-goal_velocity", "MountainCar-v0", {"goal_velocity": 0.03}, {"low": -1.3, "high": 0.4}),
    ("MountainCarContinuous-v0", "MountainCarContinuous-v0", {}, {}),
    (
        "MountainCarContinuous-v0-goal_velocity",
        "MountainCarContinuous-v0",
        {"goal_velocity": 0.05},
        {"low": -1.3, "high": 0.4},
    ),
    ("Pendulum-v1", "Pendulum-v1", {}, {}),
    ("Pendulum-v1-g", "Pendulum-v1", {"g": 9.81}, {"x_init": 0.5, "y_init": 9.0}),
    ("Pendulum-v0", "Pendulum-v0", {}, {}),
    ("Acrobot-v1", "Acrobot-v1", {}, {}),
    ("Acrobot-v1-anywhere", "Acrobot-v1", {}, {"low": -4.0, "high": 4.0}),
]


def make(task, options):
    """Returns gymnasium's environment without wrappers, and its time limit."""
    if task == "Pendulum-v0":
        return OldPendulum(**options), 200
    env = gymnasium.make(task, **options)
    return env.unwrapped, env.spec.max_episode_steps


def play(task, options, reset_options, seed, steps):
    """Yields the rows of one lane: episodes with the policy and with random actions in turn."""
    env, limit = make(task, options)
    policy = POLICIES[task.split("-")[0]]
    rng = np.random.default_rng([seed, 1])
    box = isinstance(env.action_space, gymnasium.spaces.Box)
    observation, _ = env.reset(seed=seed, options=reset_options)
    yield None, 0.0, False, env.state, observation
    age, episode = 0, seed
    for _ in range(steps):
        exploring = rng.random() < (0.02 if episode % 2 else 1.0)
        action = random_action(env.action_space, rng) if exploring else policy(env.state, rng)
        observation, reward, terminated, _, _ = env.step(np.array([action], np.float32) if box else action)
        yield action, reward, terminated, env.state, observation
        age += 1
        if terminated or age == limit:
            age, episode = 0, episode + 1
            observation, _ = env.reset(options=reset_options)
            yield None, 0.0, False, env.state, observation


def bits(numbers, dtype, integers):
    """Returns the bits of floating-point numbers as unsigned integers."""
    return [int(value) for value in np.atleast_1d(np.asarray(numbers, dtype)).view(integers)]


def record(case, lanes=3, steps=210):
    """Plays the lanes of one case, and returns the contents of its file."""
    _, task, options, reset_options = case
    return {
        "options": options,
        "reset_options": reset_options,
        "lanes": [
            {
                "seed": seed,
                "rows": [
                    [action, *bits(reward, np.float64, np.uint64), terminated]
                    + [bits(state, np.float64, np.uint64), bits(observation, np.float32, np.uint32)]
                    for action, reward, terminated, state, observation in play(
                        task, options, reset_options, seed, steps
                    )
                ],
            }
            for seed in range(lanes)
        ],
    }


def main():
    """Writes all files."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    for case in CASES:
        (folder / f"{case[0]}.json").write_text(json.dumps(record(case), separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
