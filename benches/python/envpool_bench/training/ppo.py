"""PPO in the style of CleanRL's scripts, which every executor of the training benchmark uses."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from envpool_bench.training.executors import Array


@dataclass(frozen=True)
class Settings:
    """PPO's hyperparameters for a task."""

    rollout: int
    """Steps of each environment between updates."""
    minibatch: int
    epochs: int
    learning_rate: float
    gamma: float
    gae_lambda: float
    clip: float
    entropy: float
    max_steps: int
    """Environment steps over which the learning rate falls to 0."""
    log_std: float = 0.0
    """Logarithm of the standard deviation of actions at the start."""


SETTINGS = {
    "CartPole-v1": Settings(64, 512, 6, 1.5e-3, 0.98, 0.9, 0.2, 0.0, 2_000_000),
    "HalfCheetah-v4": Settings(32, 256, 8, 4e-4, 0.99, 0.95, 0.2, 0.0, 3_000_000),
    "myoElbowPose1D6MRandom-v0": Settings(64, 256, 8, 5e-4, 0.95, 0.9, 0.2, 0.0, 10_000_000),
    "myoHandPoseRandom-v0": Settings(128, 512, 5, 1e-3, 0.8, 0.9, 0.2, 0.0, 30_000_000, -1.5),
    "Pong-v5": Settings(64, 1024, 3, 1e-3, 0.99, 0.95, 0.1, 0.01, 10_000_000),
}
"""Hyperparameters by task."""


@dataclass
class Outcome:
    """Result of a training run."""

    reached: bool
    """Whether the mean return of the last 100 episodes reached the goal."""
    mean_return: float
    steps: int
    seconds: float
    seconds_in_environments: float
    curve: list[tuple[float, float]]
    """Seconds and mean return after each update."""
    solved: float
    """Share of the last 100 episodes whose last step solved the task, if its environments say so."""


def layer(module: Any, gain: float = 2**0.5) -> Any:
    """Initialises a layer with an orthogonal weight and a bias of 0."""
    nn.init.orthogonal_(module.weight, gain)
    nn.init.zeros_(module.bias)
    return module


class Agent(nn.Module):
    """Policy and value function for vectors or stacked frames as observations, with discrete or continuous actions."""

    def __init__(self, observation_shape: tuple[int, ...], action_space: Any, bfloat16: bool = False) -> None:
        super().__init__()
        self.bfloat16 = bfloat16
        self.is_discrete = hasattr(action_space, "n")
        actions = int(action_space.n) if self.is_discrete else action_space.shape[0]
        self.has_frames = len(observation_shape) > 1
        if self.has_frames:
            frames = observation_shape[0]
            features = nn.Sequential(
                layer(nn.Conv2d(frames, 16, 6, stride=3)), nn.ReLU(),
                layer(nn.Conv2d(16, 32, 3, stride=2)), nn.ReLU(), nn.Flatten(),
            )  # fmt: skip
            width = features(torch.zeros(1, *observation_shape)).shape[1]
            self.features = nn.Sequential(features, layer(nn.Linear(width, 256)), nn.ReLU())
            self.policy, self.value = layer(nn.Linear(256, actions), 0.01), layer(nn.Linear(256, 1), 1.0)
        else:
            self.features = nn.Identity()
            self.policy = self._perceptron(observation_shape[0], actions, 0.01)
            self.value = self._perceptron(observation_shape[0], 1, 1.0)
        self.log_std = nn.Parameter(torch.zeros(actions))

    @staticmethod
    def _perceptron(inputs: int, outputs: int, gain: float) -> nn.Sequential:
        layers: list[nn.Module] = []
        for before, after in pairwise((inputs, 64, 64)):
            layers += [layer(nn.Linear(before, after)), nn.Tanh()]
        return nn.Sequential(*layers, layer(nn.Linear(64, outputs), gain))

    def forward(self, observations: Tensor) -> tuple[Any, Tensor]:
        """Returns the distribution of actions, and the values, for a batch of observations."""
        inputs = observations.float() / 255 if self.has_frames else observations
        with torch.autocast(inputs.device.type, torch.bfloat16, enabled=self.bfloat16 and self.has_frames):
            features = self.features(inputs)
        features = features.float()
        parameters, values = self.policy(features), self.value(features).squeeze(-1)
        if self.is_discrete:
            distribution: Any = torch.distributions.Categorical(logits=parameters, validate_args=False)
        else:
            normal = torch.distributions.Normal(parameters, self.log_std.exp(), validate_args=False)
            distribution = torch.distributions.Independent(normal, 1, validate_args=False)
        return distribution, values


class RunningMoments:
    """Running mean and variance of all rows that were added."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.mean, self.variance, self.count = np.zeros(shape), np.ones(shape), 1e-4

    def add(self, rows: Array) -> None:
        """Updates mean and variance with the rows of a batch."""
        mean, variance, count = rows.mean(0), rows.var(0), len(rows)
        total = self.count + count
        difference = mean - self.mean
        squares = self.variance * self.count + variance * count + difference**2 * self.count * count / total
        self.mean, self.variance, self.count = self.mean + difference * count / total, squares / total, total


class Trainer:
    """Trains an agent on an executor until a goal, a number of steps or a time limit."""

    def __init__(self, task: str, executor: Any, device: str, seed: int, bfloat16: bool = False) -> None:
        torch.manual_seed(seed)
        self.settings, self.executor = SETTINGS[task], executor
        self.device = torch.device(device)
        space = executor.action_space
        self.agent = Agent(executor.observation_shape, space, bfloat16).to(self.device)
        nn.init.constant_(self.agent.log_std, self.settings.log_std)
        self.optimizer = torch.optim.Adam(self.agent.parameters(), self.settings.learning_rate, eps=1e-5)
        self.limits = None if self.agent.is_discrete else (space.low, space.high)
        self.moments = None if self.agent.is_discrete else RunningMoments(executor.observation_shape)
        self.return_moments = RunningMoments(())
        self.seconds_in_environments, self.steps = 0.0, 0
        self.returns: deque[float] = deque(maxlen=100)
        self.solved: deque[bool] = deque(maxlen=100)
        first = self._timed(executor.reset)
        self.running, self.discounted = np.zeros(len(first)), np.zeros(len(first))
        self.ended = np.zeros(len(first), bool)
        self.observation = self._tensor(first)

    def _timed(self, call: Any, *arguments: Any) -> Any:
        start = time.perf_counter()
        result = call(*arguments)
        self.seconds_in_environments += time.perf_counter() - start
        return result

    def _tensor(self, observations: Array) -> Tensor:
        """Returns observations on the device, normalised if actions are continuous."""
        if self.moments is not None:
            self.moments.add(observations)
            scaled = (observations - self.moments.mean) / np.sqrt(self.moments.variance + 1e-8)
            observations = np.clip(scaled, -10, 10).astype(np.float32)
        return torch.as_tensor(observations, device=self.device)

    def _scaled(self, rewards: Array) -> Array:
        """Returns rewards, scaled by the discounted returns' standard deviation if actions are continuous."""
        if self.moments is None:
            return rewards
        self.discounted = self.discounted * self.settings.gamma * ~self.ended + rewards
        self.return_moments.add(self.discounted)
        return np.clip(rewards / np.sqrt(self.return_moments.variance + 1e-8), -10, 10)

    def play(self) -> dict[str, Tensor]:
        """Steps the environments for one rollout. Returns the rollout's columns, and the values of the observations
        after the last step.
        """
        columns: dict[str, list[Tensor]] = {
            key: [] for key in ("observations", "actions", "log_probs", "values", "rewards", "ends", "is_real")
        }
        with torch.inference_mode():
            for _ in range(self.settings.rollout):
                distribution, values = self.agent(self.observation)
                actions = distribution.sample()
                if self.executor.resets_in_next_step:
                    is_real = torch.as_tensor(~self.ended)
                else:
                    is_real = torch.ones(len(self.ended), dtype=torch.bool)
                row = (self.observation, actions, distribution.log_prob(actions), values)
                rewards, ends = self._step(actions.cpu().numpy())
                row += tuple(each.to(self.device) for each in (rewards, ends, is_real))
                for column, value in zip(columns.values(), row, strict=True):
                    column.append(value)
            last = self.agent(self.observation)[1]
        stacked = {key: torch.stack(column) for key, column in columns.items()}
        return {**stacked, "advantages": self._advantages(stacked, last)}

    def _step(self, actions: Array) -> tuple[Tensor, Tensor]:
        if self.limits is not None:
            actions = np.clip(actions, *self.limits)
        observations, rewards, ends = self._timed(self.executor.step, actions)
        scaled = self._scaled(rewards)
        self.observation, self.ended = self._tensor(observations), ends
        self.steps += len(ends)
        self.running += rewards
        self.returns.extend(self.running[ends].tolist())
        if self.executor.solved is not None:
            self.solved.extend(self.executor.solved[ends].tolist())
        self.running[ends] = 0
        return torch.as_tensor(scaled, dtype=torch.float32), torch.as_tensor(ends).float()

    def _advantages(self, rollout: dict[str, Tensor], following: Tensor) -> Tensor:
        """Returns generalised advantages. As in CleanRL, no rewards are expected after an end, even after a
        truncation.
        """
        rewards, values, ends = rollout["rewards"], rollout["values"], rollout["ends"]
        advantages, last = torch.zeros_like(rewards), torch.zeros_like(following)
        for t in reversed(range(len(rewards))):
            is_open = 1 - ends[t]
            delta = rewards[t] + self.settings.gamma * following * is_open - values[t]
            last = delta + self.settings.gamma * self.settings.gae_lambda * is_open * last
            advantages[t], following = last, values[t]
        return advantages

    def learn(self, rollout: dict[str, Tensor]) -> None:
        """Trains the agent on a rollout for several epochs."""
        left = max(1 - self.steps / self.settings.max_steps, 0.0)
        self.optimizer.param_groups[0]["lr"] = self.settings.learning_rate * left
        flat = {key: column.flatten(0, 1) for key, column in rollout.items()}
        flat["targets"] = flat["advantages"] + flat["values"]
        rows = flat["is_real"].nonzero().squeeze(1)
        for _ in range(self.settings.epochs):
            order = rows[torch.randperm(len(rows), device=self.device)]
            for chosen in order.split(self.settings.minibatch):
                self._learn_from({key: column[chosen] for key, column in flat.items()})

    def _learn_from(self, batch: dict[str, Tensor]) -> None:
        distribution, values = self.agent(batch["observations"])
        ratio = (distribution.log_prob(batch["actions"]) - batch["log_probs"]).exp()
        advantages = batch["advantages"]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        clipped = ratio.clamp(1 - self.settings.clip, 1 + self.settings.clip)
        policy_loss = -torch.min(ratio * advantages, clipped * advantages).mean()
        value_loss = (values - batch["targets"]).pow(2).mean()
        loss = policy_loss + 0.5 * value_loss
        if self.settings.entropy:
            loss = loss - self.settings.entropy * distribution.entropy().mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.agent.parameters(), 0.5)
        self.optimizer.step()

    def run(self, goal: float, limit: float) -> Outcome:
        """Trains until the goal is reached, the last step was made, or ``limit`` seconds have passed."""
        start, curve, reached = time.perf_counter(), [], False
        mean, seconds = float("nan"), 0.0
        self.seconds_in_environments = 0.0
        while not reached and seconds < limit and self.steps < self.settings.max_steps:
            self.learn(self.play())
            seconds = time.perf_counter() - start
            if self.returns:
                mean = float(np.mean(self.returns))
                curve.append((round(seconds, 3), round(mean, 2)))
            reached = len(self.returns) == self.returns.maxlen and mean >= goal
        solved = float(np.mean(self.solved)) if self.solved else 0.0
        return Outcome(reached, mean, self.steps, seconds, self.seconds_in_environments, curve, solved)
