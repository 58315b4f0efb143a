"""PPO for Procgen: trains on some levels of a game, and measures the return on levels that it has not seen.

    pip install 'envpool_rs' torch; pip install --no-deps procgen-mirror==0.10.7
    python examples/ppo_levels.py [--task CoinrunEasy-v0] [--levels 200] [--steps 8000000] [--csv coinrun.csv]

The network is IMPALA's residual network. The defaults are those of Procgen's paper, except for more environments with
shorter rollouts. `ppo_atari.py` contains the training loop. The program is meant for a GPU: a CPU takes hours. `--csv`
writes the learning curve on the training levels, and writes the curve on unseen levels to a second file with `-unseen`
in its name.
"""

import csv
import time
from collections import deque

import envpool_rs as envpool
import numpy as np
import torch
from ppo_atari import Training, common_arguments, on_gpu, run
from torch import nn

# Number by which rewards for the critic are divided: the reward for a coin is 10.
REWARD_SCALE = 10.0


def arguments(given=None):
    """Parses the command line."""
    parser = common_arguments("PPO on a pool of a Procgen game.")
    parser.set_defaults(
        steps=8_000_000, num_envs=256, rollout=64, minibatch=2048, learning_rate=5e-4, gamma=0.999, clip=0.2, threads=8
    )
    parser.add_argument("--task", default="CoinrunEasy-v0", help="one of EnvPool's Procgen tasks")
    parser.add_argument("--levels", type=int, default=200, help="number of levels to train on, from level 0 on")
    parser.add_argument("--widths", type=int, nargs=3, default=(16, 32, 32), help="channels of the three blocks")
    parser.add_argument(
        "--bfloat16", action="store_true", help="use bfloat16 on a CPU, too: twice as fast with AMX instructions"
    )
    parser.add_argument("--test-every", type=int, default=20, help="updates between tests on unseen levels")
    parser.add_argument("--test-steps", type=int, default=256, help="steps of a test")
    parser.add_argument("--test-envs", type=int, default=64, help="environments of a test")
    return parser.parse_args(given)


class Residual(nn.Module):
    """Residual block: two convolutions, whose result is added to the block's input."""

    def __init__(self, channels):
        super().__init__()
        self.layers = nn.Sequential(
            nn.ReLU(), nn.Conv2d(channels, channels, 3, padding=1),
            nn.ReLU(), nn.Conv2d(channels, channels, 3, padding=1),
        )  # fmt: skip

    def forward(self, pictures):
        """Returns the block's output, which has the shape of `pictures`."""
        return pictures + self.layers(pictures)


class Agent(nn.Module):
    """Policy and value function, which share IMPALA's residual network."""

    def __init__(self, actions, widths=(16, 32, 32), bfloat16=False):
        super().__init__()
        self.bfloat16 = bfloat16
        layers, channels = [], 3
        for width in widths:
            layers += [nn.Conv2d(channels, width, 3, padding=1), nn.MaxPool2d(3, stride=2, padding=1)]
            layers += [Residual(width), Residual(width)]
            channels = width
        self.features = nn.Sequential(
            *layers, nn.ReLU(), nn.Flatten(), nn.Linear(channels * 8 * 8, 256), nn.ReLU()
        )  # the three blocks halve 64 x 64 pixels three times
        self.policy, self.value = nn.Linear(256, actions), nn.Linear(256, 1)
        nn.init.orthogonal_(self.policy.weight, 0.01)
        nn.init.zeros_(self.policy.bias)
        self.to(memory_format=torch.channels_last)

    def forward(self, observation):
        """Returns log-probabilities of all actions, and values, of observations of shape (n, 3, 64, 64)."""
        pictures = observation.to(torch.float32, memory_format=torch.channels_last).div_(255)
        with torch.autocast(observation.device.type, torch.bfloat16, enabled=observation.is_cuda or self.bfloat16):
            features = self.features(pictures)
        features = features.float()
        return torch.log_softmax(self.policy(features), dim=-1), self.value(features).squeeze(-1)


class UnseenLevels:
    """Pool with all levels of the game, of which almost none is a training level."""

    def __init__(self, options):
        self.envs = envpool.make_gymnasium(
            options.task, num_envs=options.test_envs, num_threads=options.threads, seed=options.seed + options.num_envs
        )
        self.stepped = on_gpu(self.envs, torch.device(options.device))
        self.observation = torch.as_tensor(self.stepped.reset()[0])
        self.returns, self.running = deque(maxlen=400), np.zeros(options.test_envs)

    def play(self, agent, steps):
        """Steps the pool `steps` times with the agent's actions. Returns the mean return of the last 400 episodes."""
        with torch.inference_mode():
            for _ in range(steps):
                actions = torch.multinomial(agent(self.observation)[0].exp(), 1).squeeze(1)
                observation, reward, terminated, truncated, _ = self.stepped.step(actions)
                self.observation, ended = torch.as_tensor(observation), terminated | truncated
                self.running += reward
                self.returns.extend(self.running[ended].tolist())
                self.running[ended] = 0
        return float(np.mean(self.returns)) if self.returns else float("nan")


class ProcgenTraining(Training):
    """Trains an agent on some levels of a game, and tests it on all levels."""

    def __init__(self, options, envs, agent):
        super().__init__(options, envs, agent)
        self.unseen, self.updates, self.began = UnseenLevels(options), 0, time.perf_counter()
        self.returns = deque(maxlen=400)
        self.path = options.csv.with_stem(options.csv.stem + "-unseen") if options.csv else None
        if self.path:
            self.path.write_text("steps,seconds,mean_return\n")

    def update(self):
        """Runs a rollout and trains the agent on it; tests the agent after some of the updates."""
        learned = super().update()
        self.updates += 1
        if self.updates % self.options.test_every == 0:
            mean = self.unseen.play(self.agent, self.options.test_steps)
            print(f"{self.steps:>10,} steps  mean return on unseen levels {mean:.2f}", flush=True)
            if self.path:
                with self.path.open("a", newline="") as file:
                    seconds = time.perf_counter() - self.began
                    csv.writer(file).writerow((self.steps, f"{seconds:.1f}", f"{mean:.4g}"))
        return learned

    def unclipped(self, reward, info):
        """Returns the game's rewards, which are not clipped."""
        return reward

    def scaled(self, reward):
        """Returns the rewards that the agent learns from, divided by `REWARD_SCALE`."""
        return reward / REWARD_SCALE


def main():
    """Trains for the given number of steps."""
    options = arguments()
    torch.manual_seed(options.seed)
    envs = envpool.make_gymnasium(
        options.task,
        num_envs=options.num_envs,
        num_threads=options.threads,
        seed=options.seed,
        num_levels=options.levels,
    )
    run(ProcgenTraining(options, envs, Agent(envs.action_space.n, options.widths, options.bfloat16)))


if __name__ == "__main__":
    main()
