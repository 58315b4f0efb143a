"""Trains with skrl's PPO on a pool; skrl's `wrap_env` detects the kind of environment.

pip install skrl torch
python examples/consumers/skrl_ppo.py [STEPS]
"""

import sys
import tempfile

import envpool_rs
from skrl.agents.torch.ppo import PPO, PPO_CFG
from skrl.envs.wrappers.torch import wrap_env
from skrl.memories.torch import RandomMemory
from skrl.trainers.torch import SequentialTrainer
from skrl.utils.model_instantiators.torch import categorical_model, deterministic_model

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000

env = wrap_env(envpool_rs.make_vec("CartPole-v1", 8, seed=1))
network = [{"name": "net", "input": "OBSERVATIONS", "layers": [64, 64], "activations": "tanh"}]
spaces = {"observation_space": env.observation_space, "action_space": env.action_space, "device": "cpu"}
models = {
    "policy": categorical_model(**spaces, network=network, output="ACTIONS"),
    "value": deterministic_model(**spaces, network=network, output="ONE"),
}

with tempfile.TemporaryDirectory() as folder:
    configuration = PPO_CFG(rollouts=128)
    configuration.experiment.directory = folder
    configuration.experiment.write_interval = configuration.experiment.checkpoint_interval = 0
    agent = PPO(
        models=models,
        memory=RandomMemory(memory_size=128, num_envs=env.num_envs, device="cpu"),
        cfg=configuration,
        observation_space=env.observation_space,
        action_space=env.action_space,
        device="cpu",
    )
    trainer = SequentialTrainer(
        env=env, agents=agent, cfg={"timesteps": steps, "headless": True, "disable_progressbar": True}
    )
    trainer.train()

print(f"played {steps} steps of {env.num_envs} environments")
