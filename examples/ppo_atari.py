"""PPO in one file for Atari: trains Pong-v5 on two cores, or on a GPU with observations in pinned memory.

    pip install 'envpool_rs[atari]' torch
    python examples/ppo_atari.py [--task Pong-v5] [--steps 5000000] [--until 20] [--csv pong.csv] [--save pong.pt]

Frames of 42 x 42 pixels and a small network are enough for Pong. They make training four times as fast as the usual 84
x 84 pixels with a large network. Prints the mean return of the last 100 episodes, and the environments' share of the
time. `--csv` writes the curve during training. Ctrl-C ends the training early and saves the agent.
"""

import argparse
import csv
import os
import time
from collections import deque
from pathlib import Path

# The variable is set before torch is imported, so that torch's idle threads sleep and leave the cores to the pool.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import envpool_rs as envpool
import numpy as np
import torch
from torch import nn

COLUMNS = (
    "steps", "seconds", "cpu_seconds", "seconds_in_environments", "episodes", "mean_return", "value_loss", "entropy",
    "divergence",
)  # fmt: skip


def common_arguments(description):
    """Returns a parser for the arguments that do not depend on the family of the task."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--steps", type=int, default=5_000_000, help="environment steps at most")
    parser.add_argument("--until", type=float, default=float("inf"), help="mean return at which to stop")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2, help="threads of the pool")
    parser.add_argument("--torch-threads", type=int, default=2, help="1 is better where others use the cores too")
    parser.add_argument("--csv", type=Path, help="file for the curve")
    parser.add_argument("--csv-every", type=int, default=1, help="updates for each of its rows")
    parser.add_argument("--save", type=Path, help="file for the agent's weights, at the end")
    parser.add_argument("--num-envs", type=int, default=32)
    parser.add_argument("--rollout", type=int, default=64, help="steps of each environment between updates")
    parser.add_argument("--minibatch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--learning-rate", type=float, default=7e-4, help="at the beginning; falls to 0 with the steps")
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--gae-lambda", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.1)
    parser.add_argument("--entropy", type=float, default=0.01, help="weight of the policy's entropy")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu", help="of the agent")
    return parser


def arguments(given=None):
    """Parses the command line."""
    parser = common_arguments("PPO on a pool of Atari games.")
    parser.add_argument("--task", default="Pong-v5", help="one of EnvPool's Atari tasks")
    parser.add_argument("--size", type=int, default=42, help="height and width of a frame")
    parser.add_argument("--stack", type=int, default=4, help="frames in an observation")
    return parser.parse_args(given)


def make(options):
    """Makes the pool; each action is repeated for four frames, without sticky actions, and rewards are clipped to -1, 0
    or 1.
    """
    return envpool.make(
        options.task,
        num_envs=options.num_envs,
        num_threads=options.threads,
        seed=options.seed,
        img_height=options.size,
        img_width=options.size,
        stack_num=options.stack,
        reward_clip=True,
        repeat_action_probability=0.0,
    )


def on_gpu(envs, device):
    """Returns the pool; if `device` is a GPU, wraps it so that observations are copied to the GPU during steps."""
    if device.type != "cuda":
        return envs
    from envpool_rs.torch import Pinned

    return Pinned(envs, device, keys=["obs"])


class Agent(nn.Module):
    """Policy and value function, which share a network of two convolutions."""

    def __init__(self, frames, size, actions):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(frames, 16, 6, stride=3), nn.ReLU(),
            nn.Conv2d(16, 32, 3, stride=2), nn.ReLU(),
            nn.Flatten(),
        )  # fmt: skip
        width = self.features(torch.zeros(1, frames, size, size)).shape[1]
        self.features.extend([nn.Linear(width, 256), nn.ReLU()])
        self.policy, self.value = nn.Linear(256, actions), nn.Linear(256, 1)
        for layer in self.modules():
            if isinstance(layer, nn.Conv2d | nn.Linear):
                nn.init.orthogonal_(layer.weight, {self.policy: 0.01, self.value: 1.0}.get(layer, 2**0.5))
                nn.init.zeros_(layer.bias)
        # Convolutions on a CPU run 1.5 times as fast with the channels last.
        self.to(memory_format=torch.channels_last)

    def forward(self, observation):
        """Returns log-probabilities of all actions, and values, of observations of shape (n, frames, size, size)."""
        pictures = observation.to(torch.float32, memory_format=torch.channels_last)
        features = self.features(pictures.div_(255))
        return torch.log_softmax(self.policy(features), dim=-1), self.value(features).squeeze(-1)


class Rollout:
    """Training data: the steps of all environments, as tensors of shape (steps, num_envs, ...).

    The step after an episode's end resets the environment and ignores the action: `real` is 0 in its row, and training
    skips it.
    """

    def __init__(self, steps, num_envs, observation_shape, device="cpu"):
        shape = (steps, num_envs)
        self.observations = torch.zeros(*shape, *observation_shape, dtype=torch.uint8, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.logarithms, self.rewards, self.values, self.ends, self.terminations, self.real = (
            torch.zeros(shape, device=device) for _ in range(6)
        )

    def advantages(self, last_value, gamma, decay):
        """Returns generalised advantages. After a truncation, the critic's value replaces the rewards that the episode
        would still give.
        """
        advantages, following = torch.zeros_like(self.rewards), torch.zeros_like(last_value)
        next_value = last_value
        for t in reversed(range(len(self.rewards))):
            # The row after an episode's end holds the episode's last observation, whose value estimates the missing
            # rewards.
            delta = self.rewards[t] + gamma * next_value * (1 - self.terminations[t]) - self.values[t]
            following = delta + gamma * decay * (1 - self.ends[t]) * following
            advantages[t], next_value = following, self.values[t]
        return advantages


class Training:
    """Trains an agent on a pool, and records statistics of episodes and times."""

    def __init__(self, options, envs, agent):
        self.options, self.envs = options, envs
        device = torch.device(options.device)
        self.agent = agent.to(device)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=options.learning_rate, eps=1e-5)
        self.rollout = Rollout(options.rollout, options.num_envs, self.envs.observation_space.shape, device)
        self.stepped = on_gpu(self.envs, device)
        self.returns, self.running = deque(maxlen=100), np.zeros(options.num_envs)
        self.steps, self.episodes, self.seconds_in_environments = 0, 0, 0.0
        # The tensor shares the memory of the pool's array. The pool does not overwrite this memory as long as the
        # tensor exists.
        self.observation = torch.as_tensor(self.stepped.reset()[0])
        self.ended = torch.zeros(options.num_envs)

    @property
    def mean_return(self):
        """Returns the mean return of the last 100 episodes, or of all episodes if fewer have ended."""
        return float(np.mean(self.returns)) if self.returns else float("nan")

    def update(self):
        """Runs a rollout and trains the agent on it. Returns the means of value loss, entropy and divergence between
        old and new policy.
        """
        fraction_left = 1 - self.steps / self.options.steps
        self.optimizer.param_groups[0]["lr"] = self.options.learning_rate * fraction_left
        return self._learn(self._play())

    def _play(self):
        """Steps the pool until the rollout is full; returns the values of the observations after the last step."""
        rollout = self.rollout
        with torch.inference_mode():
            for t in range(self.options.rollout):
                logarithms, rollout.values[t] = self.agent(self.observation)
                actions = torch.multinomial(logarithms.exp(), 1)
                rollout.observations[t], rollout.actions[t] = self.observation, actions.squeeze(1)
                rollout.logarithms[t] = logarithms.gather(1, actions).squeeze(1)
                rollout.real[t] = 1 - self.ended
                self._step(rollout, t)
            return self.agent(self.observation)[1]

    def _step(self, rollout, t):
        began = time.perf_counter()
        # Pools accept tensors.
        observation, reward, terminated, truncated, info = self.stepped.step(rollout.actions[t])
        self.seconds_in_environments += time.perf_counter() - began
        ended = terminated | truncated
        self.observation, self.ended = torch.as_tensor(observation), torch.from_numpy(ended).float()
        rollout.rewards[t], rollout.ends[t] = torch.from_numpy(self.scaled(reward)), self.ended
        rollout.terminations[t] = torch.from_numpy(terminated)
        self.steps += len(reward)
        self.episodes += int(ended.sum())
        self.running += self.unclipped(reward, info)
        self.returns.extend(self.running[ended].tolist())
        self.running[ended] = 0

    def unclipped(self, reward, info):
        """Returns the rewards before clipping, whose sum is the return of an episode."""
        return info["reward"]

    def scaled(self, reward):
        """Returns the rewards that the agent learns from, for a batch of the pool's rewards."""
        return reward

    def _learn(self, last_value):
        """Trains the agent on the rollout for several epochs. Returns the means of value loss, entropy and divergence
        between old and new policy.
        """
        advantages = self.rollout.advantages(last_value, self.options.gamma, self.options.gae_lambda)
        targets = (advantages + self.rollout.values).flatten()
        rows = self.rollout.real.flatten().nonzero().squeeze(1)
        losses = []
        for _ in range(self.options.epochs):
            for chosen in rows[torch.randperm(len(rows))].split(self.options.minibatch):
                losses.append(self._learn_from(chosen, advantages.flatten()[chosen], targets[chosen]))
        return torch.stack(losses).mean(0).tolist()

    def _learn_from(self, chosen, advantages, targets):
        rollout, options = self.rollout, self.options
        distribution, values = self.agent(rollout.observations.flatten(0, 1)[chosen])
        logarithms = distribution.gather(1, rollout.actions.flatten()[chosen][:, None]).squeeze(1)
        difference = logarithms - rollout.logarithms.flatten()[chosen]
        ratio = difference.exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clipped = ratio.clamp(1 - options.clip, 1 + options.clip)
        policy_loss = -torch.min(ratio * advantages, clipped * advantages).mean()
        value_loss = (values - targets).pow(2).mean()
        entropy = -(distribution.exp() * distribution).sum(-1).mean()
        self.optimizer.zero_grad()
        (policy_loss + 0.5 * value_loss - options.entropy * entropy).backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
        self.optimizer.step()
        divergence = (ratio - 1 - difference).mean()  # estimates the KL divergence between old and new policy
        return torch.stack([value_loss, entropy, divergence]).detach()


class Log:
    """Prints every tenth update, and writes every ``every``-th update to a CSV file if a path is given.

    Times count from the creation of the log.
    """

    def __init__(self, path, every):
        self.file = path.open("w", newline="") if path else None
        self.writer, self.every = csv.writer(self.file) if self.file else None, every
        self.began, self.cpu_began, self.updates = time.perf_counter(), time.process_time(), 0
        if self.writer:
            self.writer.writerow(COLUMNS)

    def write(self, training, learned):
        """Logs the state of the training after an update."""
        seconds, cpu_seconds = time.perf_counter() - self.began, time.process_time() - self.cpu_began
        self.updates += 1
        if self.writer and self.updates % self.every == 0:
            times = (f"{each:.3f}" for each in (seconds, cpu_seconds, training.seconds_in_environments))
            means = (f"{each:.4g}" for each in (training.mean_return, *learned))
            self.writer.writerow((training.steps, *times, training.episodes, *means))
            self.file.flush()
        if self.updates % 10 == 0:
            print(
                f"{training.steps:>10,} steps  {training.episodes:>5} episodes  "
                f"mean return {training.mean_return:6.1f}  {seconds:6.0f} s  {training.steps / seconds:5.0f} steps/s",
                flush=True,
            )


def main():
    """Trains the agent for an Atari game until the mean return reaches its goal, or until the last step."""
    options = arguments()
    torch.manual_seed(options.seed)
    envs = make(options)
    run(Training(options, envs, Agent(options.stack, options.size, envs.action_space.n)))


def run(training):
    """Trains until the mean return reaches its goal, or until the last step."""
    options = training.options
    torch.set_num_threads(options.torch_threads)
    log = Log(options.csv, options.csv_every)
    try:
        for _ in range(options.steps // training.rollout.rewards.numel()):
            log.write(training, training.update())
            if len(training.returns) == training.returns.maxlen and training.mean_return >= options.until:
                break
    except KeyboardInterrupt:
        print("interrupted")
    seconds, cpu_seconds = time.perf_counter() - log.began, time.process_time() - log.cpu_began
    if options.save:
        torch.save(training.agent.state_dict(), options.save)
    print(
        f"mean return {training.mean_return:.1f} after {training.steps:,} steps, {training.episodes} episodes, "
        f"in {seconds:.1f} s ({cpu_seconds:.1f} s of processor time)"
    )
    print(
        f"in the environments: {training.seconds_in_environments:.1f} s, "
        f"{training.seconds_in_environments / seconds:.1%}"
    )


if __name__ == "__main__":
    main()
