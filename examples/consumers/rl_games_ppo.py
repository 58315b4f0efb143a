"""Trains with rl_games's PPO and its vector environment ENVPOOL, whose `import envpool` returns this package.

pip install rl_games
python examples/consumers/rl_games_ppo.py [EPOCHS]
"""

import sys

import envpool_rs

envpool_rs.install_as_envpool()

from rl_games.torch_runner import Runner  # noqa: E402

epochs = int(sys.argv[1]) if len(sys.argv) > 1 else 40

configuration = {
    "params": {
        "seed": 1,
        "algo": {"name": "a2c_discrete"},
        "model": {"name": "discrete_a2c"},
        "network": {
            "name": "actor_critic",
            "separate": True,
            "space": {"discrete": None},
            "mlp": {
                "units": [64, 64],
                "activation": "relu",
                "initializer": {"name": "default"},
                "regularizer": {"name": None},
            },
        },
        "config": {
            "name": "cart_pole",
            "env_name": "envpool",
            "env_config": {"env_name": "CartPole-v1", "seed": 1},
            "num_actors": 16,
            "horizon_length": 64,
            "minibatch_size": 256,
            "mini_epochs": 4,
            "max_epochs": epochs,
            "reward_shaper": {"scale_value": 0.1},
            "normalize_advantage": True,
            "normalize_input": False,
            "gamma": 0.99,
            "tau": 0.95,
            "learning_rate": 1e-3,
            "lr_schedule": None,
            "kl_threshold": 0.008,
            "grad_norm": 1.0,
            "truncate_grads": True,
            "entropy_coef": 0.01,
            "critic_coef": 1,
            "clip_value": True,
            "e_clip": 0.2,
            "score_to_win": 475,
            "save_best_after": 10_000,
            "save_frequency": 0,
            "device": "cpu",
            "device_name": "cpu",
            "multi_gpu": False,
        },
    }
}

runner = Runner()
runner.load(configuration)
agent = runner.algo_factory.create("a2c_discrete", base_name="run", params=runner.params)
agent.train()  # rl_games writes checkpoints to ./runs.
print(f"return after {epochs} epochs: {float(agent.game_rewards.get_mean()[0]):.1f}")
