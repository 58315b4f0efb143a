"""Runs TorchRL's MultiThreadedEnv, its interface to EnvPool, over this package. MultiThreadedEnv needs legacy gym.

pip install torchrl treevalue gym==0.26.2
python examples/consumers/torchrl_multi_threaded_env.py
"""

import envpool_rs

# This call precedes the import of torchrl, because torchrl checks only once whether EnvPool is installed.
envpool_rs.install_as_envpool()

from torchrl.envs import GymWrapper, MultiThreadedEnv  # noqa: E402

env = MultiThreadedEnv(num_workers=8, env_name="CartPole-v1", create_env_kwargs={"seed": 1})
rollout = env.rollout(200, break_when_any_done=False)
print(f"MultiThreadedEnv: {rollout.batch_size.numel()} steps, {int(rollout['next', 'done'].sum())} episodes ended")
env.close()

# TorchRL also accepts gymnasium's vector environments, without EnvPool's name and without legacy gym.
env = GymWrapper(envpool_rs.make_vec("Pendulum-v1", 8, seed=1, autoreset_mode="same_step"))
rollout = env.rollout(100, break_when_any_done=False)
print(f"GymWrapper: {rollout.batch_size.numel()} steps, mean reward {float(rollout['next', 'reward'].mean()):.2f}")
env.close()
