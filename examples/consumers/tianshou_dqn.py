"""Trains with Tianshou's DQN and its EnvPoolFactory, whose `import envpool` returns this package.

python examples/consumers/tianshou_dqn.py [STEPS]
"""

import sys

import envpool_rs

# This call precedes the import of tianshou, because some of its modules check only once whether EnvPool is installed.
envpool_rs.install_as_envpool()

from tianshou.algorithm import DQN  # noqa: E402
from tianshou.algorithm.modelfree.dqn import DiscreteQLearningPolicy  # noqa: E402
from tianshou.algorithm.optim import AdamOptimizerFactory  # noqa: E402
from tianshou.data import Collector, VectorReplayBuffer  # noqa: E402
from tianshou.highlevel.env import EnvFactoryRegistered, EnvMode, EnvPoolFactory, VectorEnvType  # noqa: E402
from tianshou.trainer import OffPolicyTrainerParams  # noqa: E402
from tianshou.utils.net.common import Net  # noqa: E402

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000

factory = EnvFactoryRegistered(
    task="CartPole-v1", venv_type=VectorEnvType.DUMMY, envpool_factory=EnvPoolFactory(), max_episode_steps=200
)
training = factory.create_venv(8, EnvMode.TRAINING, seed=1)
test = factory.create_venv(8, EnvMode.TEST, seed=2)

policy = DiscreteQLearningPolicy(
    model=Net(state_shape=(4,), action_shape=2, hidden_sizes=[64, 64]), action_space=training.action_space
)
algorithm = DQN(
    policy=policy, optim=AdamOptimizerFactory(lr=1e-3), gamma=0.98, n_step_return_horizon=3, target_update_freq=300
)
policy.set_eps_training(0.1)
result = algorithm.run_training(
    OffPolicyTrainerParams(
        training_collector=Collector(algorithm, training, VectorReplayBuffer(20_000, 8), exploration_noise=True),
        test_collector=Collector(algorithm, test),
        max_epochs=1,
        epoch_num_steps=steps,
        collection_step_num_env_steps=64,
        test_step_num_episodes=8,
        update_step_num_gradient_steps_per_sample=0.1,
        batch_size=64,
        show_progress=False,
    )
)
print(f"best return after {steps} steps: {result.best_reward:.1f}")
