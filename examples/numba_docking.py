"""A continuous control task in Python, compiled by Numba: dock a boat in wind.

    python examples/numba_docking.py

Actions are thrust and rudder. The example steers the boats by a hand-written controller, which docks in most episodes.
"""

import math
import time

import numpy as np
from envpool_rs import make_vec, numba
from gymnasium import spaces

TIME_STEP = 0.1
"""Duration of a step in seconds."""
DRAG, POWER, TURN = 0.6, 2.0, 1.5
"""Drag per second; acceleration at full thrust in m/s²; turning speed at full rudder and 1 m/s in rad/s."""
FIELD = 10.0
"""Metres from the dock to each side of the field."""


def distance(state):
    """Returns the distance to the dock in metres."""
    return math.hypot(state.position[0], state.position[1])


def is_docked(state, radius):
    """Returns whether the boat is close enough to the dock to be docked."""
    return distance(state) < radius and math.hypot(state.velocity[0], state.velocity[1]) < 1.0


@numba.env(
    "Docking-v0",
    observation=spaces.Box(-np.inf, np.inf, (6,), np.float32),
    action=spaces.Box(-1.0, 1.0, (2,), np.float32),
    state={"position": (np.float64, 2), "velocity": (np.float64, 2), "heading": np.float64, "wind": (np.float64, 2)},
    options={
        "wind": numba.Option(0.2, low=0.0, high=2.0, doc="mean change of the wind, in metres per second squared"),
        "radius": numba.Option(0.5, low=0.1, high=2.0, doc="size of the dock, in metres"),
    },
    infos={"distance": np.float64, "docked": numba.Info(np.bool_, when="terminations")},
    max_episode_steps=300,
    reward_threshold=8.0,
)
class Docking:
    """Task of docking a boat. A step's reward is the number of metres by which the distance to the dock has decreased,
    plus 10 for docking below 1 m/s, or -10 for leaving the field.
    """

    def reset(state, random):
        angle = random.uniform(0.0, 2 * math.pi)
        state.position[0], state.position[1] = 7 * math.cos(angle), 7 * math.sin(angle)
        state.velocity[:] = 0.0
        state.wind[:] = 0.0
        state.heading = random.uniform(-math.pi, math.pi)

    def step(state, action, random, options):
        before = distance(state)
        speed = math.hypot(state.velocity[0], state.velocity[1])
        state.heading += TURN * action[1] * min(speed, 1.0) * TIME_STEP + 0.2 * action[1] * TIME_STEP
        push = POWER * max(action[0], -0.3)
        ahead = math.cos(state.heading), math.sin(state.heading)
        for k in range(2):
            state.wind[k] = 0.95 * state.wind[k] + options.wind * random.normal() * 0.1
            state.velocity[k] += (push * ahead[k] - DRAG * state.velocity[k] + state.wind[k]) * TIME_STEP
            state.position[k] += state.velocity[k] * TIME_STEP
        after = distance(state)
        if is_docked(state, options.radius):
            return before - after + 10.0, True
        if max(abs(state.position[0]), abs(state.position[1])) > FIELD:
            return before - after - 10.0, True
        return before - after, False

    def observe(state, out):
        out[0:2] = state.position
        out[2:4] = state.velocity
        out[4], out[5] = math.cos(state.heading), math.sin(state.heading)

    def inform(state, out, options):
        out.distance[...] = distance(state)
        out.docked[...] = is_docked(state, options.radius)


def controller(observations):
    """Returns actions that steer towards the dock, more slowly the nearer the boat is."""
    x, y, speed_x, speed_y, cosine, sine = observations.T
    away = np.hypot(x, y)
    wanted = np.arctan2(-y, -x)
    error = np.angle(np.exp(1j * (wanted - np.arctan2(sine, cosine))))
    ahead = speed_x * cosine + speed_y * sine
    target = np.minimum(1.5, 0.2 + 0.4 * away) * (np.cos(error) > 0.5)
    return np.stack([np.clip(1.5 * (target - ahead), -0.3, 1), np.clip(2 * error, -1, 1)], 1).astype(np.float32)


def main(num_envs=256, steps=300):
    """Steps a pool with the controller, and returns the share of episodes that end at the dock."""
    envs = make_vec(Docking.task_id, num_envs, seed=1, autoreset_mode="same_step")
    observations, _ = envs.reset()
    docked = ended = 0
    start = time.perf_counter()
    for _ in range(steps):
        observations, rewards, terminated, truncated, _ = envs.step(controller(observations))
        docked += int((terminated & (rewards > 5)).sum())
        ended += int((terminated | truncated).sum())
    rate = steps * num_envs / (time.perf_counter() - start)
    envs.close()
    share = docked / max(1, ended)
    print(f"Docking-v0: {ended} episodes, {share:.0%} docked; {rate / 1e6:.2f} million steps per second with control")
    return share


if __name__ == "__main__":
    main()
