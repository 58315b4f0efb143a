"""Steps a pool as a native environment of PufferLib, which writes its results into PufferLib's buffers.

pip install --no-deps pufferlib gym==0.23.1   # PufferLib pins numpy 1 and gymnasium 0.29
python examples/consumers/pufferlib_env.py
"""

import numpy as np
import pufferlib.vector
from envpool_rs.pufferlib import PufferEnv

env = pufferlib.vector.make(PufferEnv, env_args=["CartPole-v1"], env_kwargs={"num_envs": 64}, num_envs=1)
env.async_reset(seed=1)
episodes = []
for _ in range(200):
    observations, rewards, terminals, truncations, infos, agent_ids, masks = env.recv()
    episodes += infos
    env.send((observations[:, 2] > 0).astype(np.int32))
print(f"{len(episodes)} episodes, mean return {np.mean([each['episode_return'] for each in episodes]):.1f}")
env.close()
