"""Vector environment of a robot that a user defines, by numpy functions over `envpool_rs.Batch`.

    python examples/own_hopper.py [MODEL.xml]

Defines gymnasium's Hopper-v5 in five functions. Without MODEL.xml, the program uses gymnasium's hopper, and compares
300 steps with `gymnasium.make_vec`.
"""

import sys
from pathlib import Path

import envpool_rs.batch
import gymnasium
import numpy as np

FRAME_SKIP = 4
LEAST_HEIGHT, MOST_ANGLE, MOST_OTHERS = 0.7, 0.2, 100.0
HOPPER = Path(gymnasium.__file__).parent / "envs/mujoco/assets/hopper.xml"


def observe(batch):
    """Returns each hopper's observation: all positions but the first, and clipped velocities."""
    return np.concatenate([batch.qpos[:, 1:], np.clip(batch.qvel, -10, 10)], axis=1)


def is_healthy(batch):
    """Returns for each hopper whether it stands: height, angle and other state variables are within their limits."""
    height, angle = batch.qpos[:, 1], batch.qpos[:, 2]
    others = np.concatenate([batch.qpos[:, 2:], batch.qvel], axis=1)
    return (height > LEAST_HEIGHT) & (np.abs(angle) < MOST_ANGLE) & (np.abs(others) < MOST_OTHERS).all(axis=1)


def reward(batch, before, action):
    """Returns each hopper's forward velocity, plus one if it stands, minus the cost of its action."""
    velocity = (batch.qpos[:, 0] - before.qpos[:, 0]) / (batch.model.opt.timestep * FRAME_SKIP)
    cost = np.float32(1e-3) * np.square(action).sum(axis=1)
    return velocity + is_healthy(batch) - cost


def ended(batch):
    """Returns for each hopper whether it has fallen, which ends its episode."""
    return ~is_healthy(batch)


def begin(batch, sims, randoms):
    """Starts an episode: sets hoppers to random states near the model's initial state."""
    batch.qpos[sims] = batch.model.qpos0 + randoms.uniform(-5e-3, 5e-3, batch.model.nq)
    batch.qvel[sims] = randoms.uniform(-5e-3, 5e-3, batch.model.nv)


def make(num_envs, model=HOPPER, **options):
    """Makes a vector environment of `num_envs` hoppers, whose episodes have at most 1000 steps."""
    batch = envpool_rs.Batch(model, num_envs)
    return envpool_rs.batch.make_vec(batch, observe, reward, ended, begin, 1000, FRAME_SKIP, **options)


def main():
    """Compares the vector environment with gymnasium's; with a model on the command line, only steps it."""
    envs = make(8, *sys.argv[1:2])
    references = [] if sys.argv[1:] else [gymnasium.make_vec("Hopper-v5", 8, "sync")]
    envs.action_space.seed(0)
    found = envs.reset(seed=3)[0], *(each.reset(seed=3)[0] for each in references)
    same = sum(np.array_equal(found[0], each) for each in found[1:])
    for _ in range(300):
        action = envs.action_space.sample()
        found = envs.step(action)[:4]
        for each in references:
            same += all(np.array_equal(*pair) for pair in zip(found, each.step(action)[:4], strict=True))
    print(f"physics: {envs.batch.physics}; equal to gymnasium's: {same} of {301 * len(references)} results")


if __name__ == "__main__":
    main()
