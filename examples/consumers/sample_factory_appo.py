"""Trains with Sample-Factory's APPO, and its wrapper for EnvPool around a pool of this package.

Sample-Factory 2.1.1 pins gymnasium below 1.0, whose wrappers forwarded attributes. To use Sample-Factory with newer
gymnasium, install Sample-Factory without its dependencies. This program then adds the forwarding of one attribute to
one of its wrappers.

    pip install --no-deps sample-factory
    pip install colorlog faster-fifo huggingface-hub psutil signal-slot-mp tensorboardX threadpoolctl wandb
    python examples/consumers/sample_factory_appo.py [STEPS]
"""

import sys
import tempfile

import envpool_rs

envpool_rs.install_as_envpool()

import envpool  # noqa: E402
from sample_factory.algo.utils.make_env import BatchedListToDictWrapper  # noqa: E402
from sample_factory.cfg.arguments import parse_full_cfg, parse_sf_args  # noqa: E402
from sample_factory.envs.env_utils import register_env  # noqa: E402
from sample_factory.train import run_rl  # noqa: E402
from sf_examples.envpool.envpool_wrappers import EnvPoolResetFixWrapper  # noqa: E402

steps = int(sys.argv[1]) if len(sys.argv) > 1 else 50_000
AGENTS = 16

BatchedListToDictWrapper.num_agents = property(lambda self: self.env.num_agents)


def make_env(name, cfg, env_config, render_mode=None):
    """Makes a pool, which Sample-Factory treats as one environment with many agents."""
    seed = 0 if env_config is None else env_config.env_id
    env = EnvPoolResetFixWrapper(envpool.make(name, env_type="gym", num_envs=AGENTS, seed=seed))
    env.num_agents = AGENTS
    return env


def main():
    """Trains; also runs in the processes that Sample-Factory spawns."""
    register_env("CartPole-v1", make_env)
    with tempfile.TemporaryDirectory() as folder:
        arguments = [
            "--env=CartPole-v1",
            "--experiment=cart_pole",
            f"--train_dir={folder}",
            f"--train_for_env_steps={steps}",
            "--device=cpu",
            "--serial_mode=True",
            "--async_rl=False",
            "--batched_sampling=True",
            "--num_workers=1",
            "--num_envs_per_worker=1",
            "--worker_num_splits=1",
            "--use_rnn=False",
            "--rollout=32",
            "--batch_size=512",
            "--num_batches_per_epoch=1",
            "--normalize_input=False",
            "--restart_behavior=overwrite",
        ]
        parser, _ = parse_sf_args(arguments)
        status = run_rl(parse_full_cfg(parser, arguments))
    print(f"finished with status {int(status)}")


if __name__ == "__main__":
    main()
