"""Vector environment of a quadruped of MuJoCo Menagerie, by numpy functions over `envpool_rs.Batch`.

    git clone --depth 1 https://github.com/google-deepmind/mujoco_menagerie
    python examples/own_quadruped.py mujoco_menagerie/unitree_go1/scene.xml [--num-envs 64] [--steps 1000]

The robot must walk at a given velocity. Actions are target angles of the joints. Runs with every model that has a
floor, a free joint as first joint, one position actuator for each other joint, and a first keyframe in which the robot
stands: for example Menagerie's `unitree_go1`, `unitree_go2`, `anybotics_anymal_c` and `boston_dynamics_spot`. Prints
who steps the model, the reasons if MuJoCo's library does, and the speed.
"""

import argparse
import time

import envpool_rs.batch
import mujoco
import numpy as np

FRAME_SKIP = 10
LIMIT = 500
VELOCITY = 0.8
"""Wanted velocity along the x axis, in m/s."""
LEAST_UPRIGHT, LEAST_HEIGHT = 0.5, 0.5
"""Limits below which the robot has fallen: cosine of its tilt, and height as a share of the initial height."""
NOISE = 0.05
"""Bound of the random changes of the joints' initial angles, in radians."""
JOINTS = slice(7, None)
"""Angles of the joints in `qpos`, after the free joint's position and quaternion."""


def to_body(quaternion, vector):
    """Returns `(n, 3)` vectors of the world in the frames of bodies with the unit quaternions `(n, 4)`."""
    scalar, axis = quaternion[:, :1], -quaternion[:, 1:]
    turned = 2 * np.cross(axis, vector)
    return vector + scalar * turned + np.cross(axis, turned)


def home(batch):
    """Returns positions and controls of the model's first keyframe."""
    return batch.model.key_qpos[0], batch.model.key_ctrl[0]


def up(batch):
    """Returns the world's upward direction in the frame of each robot; `[0, 0, 1]` for an upright robot."""
    return to_body(batch.qpos[:, 3:7], np.array([[0.0, 0.0, 1.0]]))


def observe(batch):
    """Returns upward direction, velocities in the robot's frame, joint angles and velocities, and targets."""
    angles, targets = home(batch)
    linear = to_body(batch.qpos[:, 3:7], batch.qvel[:, :3])
    parts = [up(batch), linear, batch.qvel[:, 3:6], batch.qpos[:, JOINTS] - angles[JOINTS]]
    return np.concatenate([*parts, 0.1 * batch.qvel[:, 6:], batch.ctrl - targets], axis=1)


def reward(batch, before, action):
    """Returns a reward for the wanted velocity, minus costs of other movements and of changed targets."""
    seconds = batch.model.opt.timestep * FRAME_SKIP
    velocity = (batch.qpos[:, :2] - before.qpos[:, :2]) / seconds
    error = np.square(velocity[:, 0] - VELOCITY) + np.square(velocity[:, 1])
    costs = 0.05 * np.square(batch.qvel[:, 2:6]).sum(axis=1) + 0.01 * np.square(action - before.ctrl).sum(axis=1)
    return np.exp(-4 * error) - costs


def ended(batch):
    """Returns for each robot whether it has fallen."""
    height = home(batch)[0][2]
    return (up(batch)[:, 2] < LEAST_UPRIGHT) | (batch.qpos[:, 2] < LEAST_HEIGHT * height)


def begin(batch, sims, randoms):
    """Starts an episode: sets robots to the first keyframe, with random changes of the joints' angles."""
    angles, targets = home(batch)
    batch.qpos[sims] = angles
    batch.qpos[sims, JOINTS] += randoms.uniform(-NOISE, NOISE, batch.model.nq - 7)
    batch.ctrl[sims] = targets


def make(model, num_envs, **options):
    """Makes a vector environment of `num_envs` robots.

    Raises:
        ValueError: if the model has no keyframe, or not one actuator for each joint after a free joint.
    """
    if isinstance(model, str):
        model = mujoco.MjModel.from_xml_path(model)
    is_free = model.njnt > 0 and model.jnt_type[0] == mujoco.mjtJoint.mjJNT_FREE
    if not model.nkey or not is_free or model.nu != model.nv - 6:
        raise ValueError("model: expected a keyframe, a free joint, and an actuator for each of the other joints")
    batch = envpool_rs.Batch(model, num_envs)
    return envpool_rs.batch.make_vec(batch, observe, reward, ended, begin, LIMIT, FRAME_SKIP, **options)


def main(given=None):
    """Steps robots with targets near the keyframe's, and prints who steps them and how fast."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model", help="MJCF file of the robot on a floor")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--steps", type=int, default=1000, help="steps of each environment")
    options = parser.parse_args(given)
    envs = make(options.model, options.num_envs)
    random, targets = np.random.default_rng(0), home(envs.batch)[1]
    low, high = envs.single_action_space.low, envs.single_action_space.high
    envs.reset(seed=0)
    began, falls = time.perf_counter(), 0
    for _ in range(options.steps):
        action = targets + random.normal(0, 0.1, (options.num_envs, len(targets)))
        _, _, terminated, _, _ = envs.step(np.clip(action, low, high).astype(np.float32))
        falls += int(terminated.sum())
    speed = options.steps * options.num_envs / (time.perf_counter() - began)
    print(f"physics: {envs.batch.physics}; {speed:,.0f} steps/s; {falls} falls")
    for reason in envs.batch.why:
        print(f"  {reason}")


if __name__ == "__main__":
    main()
