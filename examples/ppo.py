"""PPO in one file: trains CartPole-v1 to a mean return of 475 on two cores.

    pip install envpool_rs torch
    python examples/ppo.py [--task CartPole-v1] [--steps 2000000] [--until 475] [--seed 1] [--interface gym]

The pool has EnvPool's interface: steps return gymnasium's five values or old gym's four. Without a GPU, `import
envpool` works instead of `import envpool_rs as envpool`. With a GPU, observations are copied through pinned memory.
Prints the mean return of the last 100 episodes, and the environments' share of time.
"""

import argparse
import time
from collections import deque
from itertools import pairwise

import envpool_rs as envpool
import numpy as np
import torch
from torch import nn


def arguments():
    """Parses the command line."""
    parser = argparse.ArgumentParser(description="PPO on a pool of environments with discrete actions.")
    parser.add_argument("--task", default="CartPole-v1")
    parser.add_argument("--interface", choices=("gymnasium", "gym"), default="gymnasium")
    parser.add_argument("--steps", type=int, default=2_000_000, help="environment steps at most")
    parser.add_argument("--until", type=float, help="mean return at which to stop; by default the task's threshold")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--num-envs", type=int, default=32)
    parser.add_argument("--rollout", type=int, default=64, help="steps of each environment between updates")
    parser.add_argument("--minibatch", type=int, default=512)
    parser.add_argument("--epochs", type=int, default=6)
    parser.add_argument("--learning-rate", type=float, default=1.5e-3)
    parser.add_argument("--gamma", type=float, default=0.98)
    parser.add_argument("--gae-lambda", type=float, default=0.9)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args()


def make(options):
    """Makes the pool with gymnasium's or old gym's interface."""
    old = {"gym_reset_return_info": False} if options.interface == "gym" else {}
    return envpool.make(options.task, env_type=options.interface, num_envs=options.num_envs, seed=options.seed, **old)


def on_gpu(envs, device):
    """Returns the pool; if `device` is a GPU, wraps it so that observations are copied to the GPU during steps."""
    if device.type != "cuda":
        return envs
    from envpool_rs.torch import Pinned

    return Pinned(envs, device, keys=["obs"])


def reset(envs):
    """Returns the first observations; gymnasium returns infos with them, old gym does not."""
    result = envs.reset()
    return result[0] if isinstance(result, tuple) else result


def step(envs, actions):
    """Returns observation, reward, terminated and truncated; old gym reports truncation in the infos."""
    observation, reward, *ended, info = envs.step(actions)
    if len(ended) == 1:
        truncated = info["TimeLimit.truncated"]
        return observation, reward, ended[0] & ~truncated, truncated
    return observation, reward, *ended


class Agent(nn.Module):
    """Policy and value function, each a network with two hidden layers."""

    def __init__(self, inputs, actions):
        super().__init__()
        self.policy, self.value = self._layers(inputs, actions, 0.01), self._layers(inputs, 1, 1.0)

    @staticmethod
    def _layers(inputs, outputs, gain):
        sizes = [inputs, 64, 64]
        layers = []
        for before, after in pairwise(sizes):
            layers += [nn.Linear(before, after), nn.Tanh()]
            nn.init.orthogonal_(layers[-2].weight, 2**0.5)
            nn.init.zeros_(layers[-2].bias)
        layers.append(nn.Linear(sizes[-1], outputs))
        nn.init.orthogonal_(layers[-1].weight, gain)
        nn.init.zeros_(layers[-1].bias)
        return nn.Sequential(*layers)

    def act(self, observation):
        """Returns sampled actions, and the logarithms of their probabilities."""
        logarithms = torch.log_softmax(self.policy(observation), dim=-1)
        actions = torch.multinomial(logarithms.exp(), 1).squeeze(1)
        return actions, logarithms.gather(1, actions[:, None]).squeeze(1)


class Rollout:
    """Training data: the steps of all environments, as tensors of shape (steps, num_envs, ...).

    The step after an episode's end resets the environment and ignores the action: `real` is 0 in its row, and training
    skips it.
    """

    def __init__(self, steps, num_envs, inputs, device):
        shape = (steps, num_envs)
        self.observations = torch.zeros(*shape, inputs, device=device)
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

    def __init__(self, options):
        torch.manual_seed(options.seed)
        self.options = options
        self.envs = make(options)
        device = torch.device(options.device)
        inputs = self.envs.observation_space.shape[0]
        self.agent = Agent(inputs, self.envs.action_space.n).to(device)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), lr=options.learning_rate, eps=1e-5)
        self.rollout = Rollout(options.rollout, options.num_envs, inputs, device)
        self.stepped = on_gpu(self.envs, device)
        self.returns, self.running = deque(maxlen=100), np.zeros(options.num_envs)
        self.steps, self.seconds_in_environments = 0, 0.0
        # The tensor shares the memory of the pool's array. The pool does not overwrite this memory as long as the
        # tensor exists.
        self.observation = torch.as_tensor(reset(self.stepped))
        self.ended = torch.zeros(options.num_envs)

    def play(self):
        """Steps the pool until the rollout is full; returns the values of the observations after the last step."""
        rollout = self.rollout
        with torch.inference_mode():
            for t in range(self.options.rollout):
                actions, rollout.logarithms[t] = self.agent.act(self.observation)
                rollout.observations[t], rollout.actions[t] = self.observation, actions
                rollout.real[t] = 1 - self.ended
                began = time.perf_counter()
                observation, reward, terminated, truncated = step(self.stepped, actions)  # Pools accept tensors.
                self.seconds_in_environments += time.perf_counter() - began
                self.observation = torch.as_tensor(observation)
                self.ended = torch.from_numpy(terminated | truncated).float()
                rollout.rewards[t], rollout.ends[t] = torch.from_numpy(reward), self.ended
                rollout.terminations[t] = torch.from_numpy(terminated)
                self._count(reward, terminated | truncated)
            rollout.values[:] = self.agent.value(rollout.observations).squeeze(-1)
            return self.agent.value(self.observation).squeeze(-1)

    def _count(self, reward, ended):
        self.steps += len(reward)
        self.running += reward
        self.returns.extend(self.running[ended].tolist())
        self.running[ended] = 0

    def learn(self, last_value):
        """Trains the agent on the rollout for several epochs."""
        advantages = self.rollout.advantages(last_value, self.options.gamma, self.options.gae_lambda)
        targets = (advantages + self.rollout.values).flatten()
        rows = self.rollout.real.flatten().nonzero().squeeze(1)
        for _ in range(self.options.epochs):
            for chosen in rows[torch.randperm(len(rows))].split(self.options.minibatch):
                self._update(chosen, advantages.flatten()[chosen], targets[chosen])

    def _update(self, chosen, advantages, targets):
        rollout = self.rollout
        observations = rollout.observations.flatten(0, 1)[chosen]
        distribution = torch.log_softmax(self.agent.policy(observations), dim=-1)
        logarithms = distribution.gather(1, rollout.actions.flatten()[chosen][:, None]).squeeze(1)
        ratio = (logarithms - rollout.logarithms.flatten()[chosen]).exp()
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clipped = ratio.clamp(1 - self.options.clip, 1 + self.options.clip)
        loss = -torch.min(ratio * advantages, clipped * advantages).mean()
        loss += 0.5 * (self.agent.value(observations).squeeze(-1) - targets).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
        self.optimizer.step()


def main():
    """Trains until the mean return reaches its goal, or until the last step."""
    options = arguments()
    torch.set_num_threads(1)  # Networks of this size are slower on two threads.
    training = Training(options)
    until = options.until if options.until is not None else training.envs.spec.reward_threshold or float("inf")
    began, mean = time.perf_counter(), float("nan")
    for update in range(1, options.steps // training.rollout.rewards.numel() + 1):
        fraction_left = 1 - training.steps / options.steps
        training.optimizer.param_groups[0]["lr"] = options.learning_rate * fraction_left
        training.learn(training.play())
        mean = float(np.mean(training.returns)) if training.returns else float("nan")
        if update % 10 == 0:
            print(
                f"{training.steps:>9,} steps  mean return {mean:6.1f}  {time.perf_counter() - began:5.1f} s",
                flush=True,
            )
        if len(training.returns) == training.returns.maxlen and mean >= until:
            break
    seconds = time.perf_counter() - began
    print(f"mean return {mean:.1f} after {training.steps:,} steps in {seconds:.1f} s")
    print(
        f"in the environments: {training.seconds_in_environments:.3f} s, "
        f"{training.seconds_in_environments / seconds:.2%}"
    )


if __name__ == "__main__":
    main()
