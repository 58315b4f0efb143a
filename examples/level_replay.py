"""Prioritised level replay on MiniGrid, with numpy alone: levels that the policy can learn from are played more often.

    pip install envpool_rs
    python examples/level_replay.py [--task MiniGrid-DoorKey-8x8-v0] [--sampling replay] [--csv curve.csv]

`queue_resets` gives each environment the seed of its next level, which autoreset takes. With `--sampling uniform`, all
levels are equally likely. With `replay`, levels are chosen by the rank of their score and by the time since they were
played, as in Prioritized Level Replay (https://arxiv.org/abs/2010.03934). The score is m (1 - m), where m is the mean
return of a level's last episodes (https://arxiv.org/abs/2408.15099): levels that the policy neither always nor never
solves come first. The policy is a network with one hidden layer, trained by PPO.
"""

import argparse
import csv

import envpool_rs
import numpy as np


class Levels:
    """Chooses levels: by rank of their scores and by the time since they were played, or uniformly."""

    def __init__(self, count, sampling, rng):
        self.sampling, self.rng, self.chosen = sampling, rng, 0
        self.means, self.last = np.zeros(count), np.full(count, -1)

    def choose(self, count):
        """Returns `count` levels."""
        self.chosen += count
        seen, unseen = np.flatnonzero(self.last >= 0), np.flatnonzero(self.last < 0)
        if self.sampling == "uniform" or not seen.size:
            return self.rng.integers(0, self.last.size, count)
        scores = self.means[seen] * (1 - self.means[seen])
        weights, ages = np.empty(seen.size), self.chosen - self.last[seen]
        weights[np.argsort(-scores)] = 1 / np.arange(1, seen.size + 1)
        levels = self.rng.choice(seen, count, p=0.8 * weights / weights.sum() + 0.2 * ages / ages.sum())
        is_new = self.rng.random(count) * self.last.size < unseen.size
        if is_new.any():
            levels[is_new] = self.rng.choice(unseen, is_new.sum())
        return levels

    def record(self, level, episode_return):
        """Records an episode of a level."""
        share = 1 if self.last[level] < 0 else 0.3
        self.means[level] += share * (episode_return - self.means[level])
        self.last[level] = self.chosen


class Agent:
    """Policy and value function: a network with one hidden layer, and Adam."""

    def __init__(self, inputs, actions, rng, hidden=64, rate=1e-3):
        self.rng, self.rate, self.time = rng, rate, 0
        sizes = {"w": (inputs, hidden), "b": (hidden,), "p": (hidden, actions), "v": (hidden, 1)}
        scale = {"w": 0.1, "b": 0.0, "p": 0.01, "v": 0.1}
        self.weights = {k: (scale[k] * rng.standard_normal(size)).astype(np.float32) for k, size in sizes.items()}
        self.moments = {k: [np.zeros_like(each), np.zeros_like(each)] for k, each in self.weights.items()}

    def __call__(self, inputs):
        """Returns the hidden layer, the logarithms of probabilities, and the values."""
        w = self.weights
        hidden = np.tanh(inputs @ w["w"] + w["b"])
        logits = hidden @ w["p"]
        logits -= logits.max(1, keepdims=True)
        return hidden, logits - np.log(np.exp(logits).sum(1, keepdims=True)), (hidden @ w["v"])[:, 0]

    def act(self, inputs):
        """Returns random actions of the policy, the logarithms of their probabilities, and values."""
        _, logs, values = self(inputs)
        actions = (np.exp(logs).cumsum(1) > self.rng.random((len(logs), 1))).argmax(1)
        return actions, logs[np.arange(len(logs)), actions], values

    def train(self, inputs, actions, old, advantages, targets, entropy=0.01, clip=0.2):
        """Takes a step of PPO on a minibatch."""
        hidden, logs, values = self(inputs)
        count, rows = len(actions), np.arange(len(actions))
        ratio = np.exp(logs[rows, actions] - old)
        is_free = np.where(advantages > 0, ratio < 1 + clip, ratio > 1 - clip)
        chances = np.exp(logs)
        d_logits = chances * (advantages * ratio * is_free)[:, None]
        d_logits[rows, actions] -= advantages * ratio * is_free
        d_logits += entropy * chances * (logs - (chances * logs).sum(1, keepdims=True))
        d_logits, d_values = d_logits / count, ((values - targets) / count)[:, None]
        d_hidden = (d_logits @ self.weights["p"].T + d_values @ self.weights["v"].T) * (1 - hidden**2)
        gradients = {"w": inputs.T @ d_hidden, "b": d_hidden.sum(0), "p": hidden.T @ d_logits, "v": hidden.T @ d_values}
        norm = np.sqrt(sum((each**2).sum() for each in gradients.values()))
        self.time += 1
        for k, gradient in gradients.items():
            first, second = self.moments[k]
            clipped = gradient * min(1, 0.5 / (norm + 1e-9))
            first += 0.1 * (clipped - first)
            second += 0.001 * (clipped**2 - second)
            mean, deviation = first / (1 - 0.9**self.time), np.sqrt(second / (1 - 0.999**self.time))
            self.weights[k] -= self.rate * mean / (deviation + 1e-5)


def inputs_of(observation):
    """Returns pictures of one-hot cells as rows of float32."""
    return observation.reshape(len(observation), -1).astype(np.float32)


def make(options, num_envs, **more):
    """Makes environments of the task; their observations are the agent's view in one-hot cells."""
    own = {"obs": "onehot", "image_only": True, "autoreset_mode": "same_step"}
    return envpool_rs.make_vec(options.task, num_envs, **own, **more)


def test(options, agent, count=512):
    """Returns the mean return of one episode in each of `count` levels that the agent has not seen."""
    envs = make(options, count)
    inputs, returns, is_over = (
        inputs_of(envs.reset(seed=list(range(10**6, 10**6 + count)))[0]),
        np.zeros(count),
        np.zeros(count, bool),
    )
    while not is_over.all():
        observation, reward, terminated, truncated, _ = envs.step(agent.act(inputs)[0])
        returns += np.where(is_over, 0, reward)
        is_over |= terminated | truncated
        inputs = inputs_of(observation)
    return returns.mean()


def train(options, gamma=0.99, trace=0.95):
    """Trains an agent; yields the number of steps and the mean return on unseen levels, from time to time."""
    n, rng = options.num_envs, np.random.default_rng(options.seed)
    levels = Levels(options.levels, options.sampling, rng)
    envs = make(options, n)
    level, following = levels.choose(n), levels.choose(n)
    inputs = inputs_of(envs.reset(seed=level.tolist())[0])
    envs.queue_resets(seeds=following)
    agent = Agent(inputs.shape[1], int(envs.single_action_space.n), rng)
    returns = np.zeros(n)  # of the running episodes
    for update in range(options.steps // (n * options.rollout) + 1):
        if update % options.test_every == 0:
            yield update * n * options.rollout, test(options, agent)
        steps = []
        for _ in range(options.rollout):
            actions, logs, values = agent.act(inputs)
            observation, reward, terminated, truncated, _ = envs.step(actions)
            ended = np.flatnonzero(terminated | truncated)
            steps.append((inputs, actions, logs, values, reward, terminated | truncated))
            returns += reward
            if ended.size:
                for i in ended:
                    levels.record(level[i], returns[i])
                returns[ended] = 0
                level[ended], following[ended] = following[ended], levels.choose(ended.size)
                envs.queue_resets(ended, seeds=following[ended])
            inputs = inputs_of(observation)
        batch = [np.stack(each) for each in zip(*steps, strict=True)]
        values, reward, done = batch[3], batch[4], batch[5]
        advantages, following_value, last = np.zeros_like(values), agent.act(inputs)[2], np.zeros(n, np.float32)
        for t in reversed(range(options.rollout)):
            delta = reward[t] + gamma * following_value * ~done[t] - values[t]
            last = delta + gamma * trace * ~done[t] * last
            advantages[t], following_value = last, values[t]
        x, actions, logs = (each.reshape(n * options.rollout, *each.shape[2:]) for each in batch[:3])
        targets, flat = (advantages + values).ravel(), advantages.ravel()
        for _ in range(options.epochs):
            for rows in np.array_split(rng.permutation(flat.size), options.minibatches):
                own = (flat[rows] - flat[rows].mean()) / (flat[rows].std() + 1e-8)
                agent.train(x[rows], actions[rows], logs[rows], own, targets[rows])


def main():
    """Trains an agent, and prints and writes its learning curve."""
    parser = argparse.ArgumentParser(description="Prioritised level replay on MiniGrid.")
    parser.add_argument("--task", default="MiniGrid-DoorKey-8x8-v0")
    parser.add_argument("--sampling", choices=("replay", "uniform"), default="replay", help="how levels are chosen")
    parser.add_argument("--levels", type=int, default=1000, help="number of levels to train on")
    parser.add_argument("--steps", type=int, default=600_000, help="steps of all environments")
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--rollout", type=int, default=64, help="steps of each environment for an update")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--minibatches", type=int, default=4)
    parser.add_argument("--test-every", type=int, default=30, help="updates between tests on unseen levels")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--csv", help="file for the learning curve")
    options = parser.parse_args()
    curve = [("steps", "mean_return")]
    for steps, mean in train(options):
        print(f"{steps:>10,} steps  mean return on unseen levels {mean:.3f}", flush=True)
        curve.append((steps, f"{mean:.4g}"))
    if options.csv:
        with open(options.csv, "w", newline="") as file:  # noqa: PTH123
            csv.writer(file).writerows(curve)


if __name__ == "__main__":
    main()
