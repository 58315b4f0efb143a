"""Independent PPO for cooperating players: all share a network, and each learns from its own reward.

    pip install 'envpool_rs[pettingzoo]' torch
    python examples/ippo.py [--task Foraging-8x8-2p-3f-v3] [--steps 4000000] [--csv curve.csv] [--package]

A task is a name of lbforaging or rware, or a layout of Overcooked. `--package` plays the environments of lbforaging or
rware, one after another, with the same results in more time.
"""

import argparse
import time
from collections import deque
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import torch
from torch import nn

GAMMA, DECAY, CLIP, ENTROPY, EPOCHS, LEARNING_RATE = 0.99, 0.95, 0.2, 0.01, 4, 1e-3


def arguments():
    """Parses the command line."""
    parser = argparse.ArgumentParser(description="IPPO on environments of several players with discrete actions.")
    parser.add_argument("--task", default="Foraging-8x8-2p-3f-v3")
    parser.add_argument("--steps", type=int, default=4_000_000, help="steps of environments")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="time after which to stop")
    for name, default in (("num-envs", 128), ("rollout", 100), ("minibatch", 3200), ("seed", 1)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--package", action="store_true")
    parser.add_argument("--csv", type=Path)
    return parser.parse_args()


class PackageRows:
    """Environments of a package with the interface of a pool, whose rows are players."""

    def __init__(self, task, count):
        __import__("rware" if task.startswith("rware") else "lbforaging")  # registers its names with gymnasium
        self.envs = [gymnasium.make(task, disable_env_checker=True) for _ in range(count)]
        self.players = self.envs[0].unwrapped.n_agents

    def reset(self, seed):
        return np.concatenate([env.reset(seed=seed + index)[0] for index, env in enumerate(self.envs)]), {}

    def step(self, actions):
        observations, rewards, ends = [], [], []
        for env, own in zip(self.envs, actions.reshape(-1, self.players), strict=True):
            observation, reward, terminated, truncated, _ = env.step(own.tolist())
            ends.append(bool(terminated or truncated))
            observations += env.reset()[0] if ends[-1] else observation
            rewards += reward
        return np.stack(observations), np.array(rewards), np.array(ends), np.zeros(len(ends), bool), {}


def make(options):
    """Makes the environments, and returns them with the number of players."""
    if options.package:
        return (envs := PackageRows(options.task, options.num_envs)), envs.players
    task, settings = options.task, {}
    if not task.startswith(("Foraging", "rware")):
        task, settings = "Overcooked-v0", {"layout": task, "encoding": "featurized", "reward_shaping_factor": 1.0}
    envs = envpool_rs.make_vec(task, options.num_envs, autoreset_mode="same_step", **settings)
    return envs, envs.spec.players


def layers(inputs, outputs, gain):
    """Returns a network with two hidden layers."""
    modules = []
    for before, after, own_gain in [(inputs, 128, 2**0.5), (128, 128, 2**0.5), (128, outputs, gain)]:
        modules += [nn.Linear(before, after), nn.Tanh()]
        nn.init.orthogonal_(modules[-2].weight, own_gain)
        nn.init.zeros_(modules[-2].bias)
    return nn.Sequential(*modules[:-1])


def advantages(rewards, values, ends):
    """Returns generalised advantages; the end of an episode has no value, also at a horizon."""
    found, following = torch.zeros_like(rewards), torch.zeros_like(rewards[0])
    for t in reversed(range(len(rewards))):
        delta = rewards[t] + GAMMA * values[t + 1] * (1 - ends[t]) - values[t]
        found[t] = following = delta + GAMMA * DECAY * (1 - ends[t]) * following
    return found


def ppo_loss(policy, value, observations, actions, logarithms, gains, targets):
    """Returns the clipped loss of the policy, with the losses of its entropy and of the values."""
    distribution = torch.log_softmax(policy(observations), dim=-1)
    ratio = (distribution.gather(1, actions[:, None]).squeeze(1) - logarithms).exp()
    gains = (gains - gains.mean()) / (gains.std() + 1e-8)
    loss = -torch.min(ratio * gains, ratio.clamp(1 - CLIP, 1 + CLIP) * gains).mean()
    loss += ENTROPY * (distribution.exp() * distribution).sum(-1).mean()
    return loss + 0.5 * (value(observations).squeeze(-1) - targets).pow(2).mean()


def main():
    """Trains, and prints the mean return of the team in the last 500 episodes."""
    options = arguments()
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)  # Networks of this size are slower on two threads.
    envs, players = make(options)
    observation, _ = envs.reset(seed=options.seed)
    (rows, inputs), actions = observation.shape, 5 if options.task.startswith("rware") else 6
    policy, value = layers(inputs, actions, 0.01), layers(inputs, 1, 1.0)
    optimizer = torch.optim.Adam(parameters := [*policy.parameters(), *value.parameters()], lr=LEARNING_RATE, eps=1e-5)
    observations, actions = torch.zeros(options.rollout + 1, rows, inputs), torch.zeros(options.rollout, rows).long()
    logarithms, rewards, ends = torch.zeros(3, options.rollout, rows)
    running, returns = np.zeros(options.num_envs), deque(maxlen=500)
    steps, began, in_environments, curve = 0, time.perf_counter(), 0.0, [("steps", "seconds", "mean_return")]
    while steps < options.steps and time.perf_counter() - began < options.seconds:
        with torch.inference_mode():
            for t in range(options.rollout):
                observations[t] = torch.from_numpy(observation)
                distribution = torch.log_softmax(policy(observations[t]), dim=-1)
                actions[t] = torch.multinomial(distribution.exp(), 1).squeeze(1)
                logarithms[t] = distribution.gather(1, actions[t, :, None]).squeeze(1)
                before = time.perf_counter()
                observation, reward, terminated, truncated, info = envs.step(actions[t].numpy())
                in_environments += time.perf_counter() - before
                ended, rewards[t] = terminated | truncated, torch.from_numpy(reward)
                ends[t] = torch.from_numpy(ended).float().repeat_interleave(players)
                # In Overcooked, soups count. The info of an episode's last step is that of the reset.
                running += info.get("sparse_r_by_agent", reward).reshape(-1, players).sum(axis=1)
                returns.extend(running[ended].tolist())
                running[ended] = 0
            observations[-1] = torch.from_numpy(observation)
            values = value(observations).squeeze(-1)
        steps += options.rollout * options.num_envs
        gains = advantages(rewards, values, ends)
        batch = [part.flatten(0, 1) for part in (observations[:-1], actions, logarithms, gains, gains + values[:-1])]
        for _ in range(EPOCHS):
            for chosen in torch.randperm(len(batch[0])).split(options.minibatch):
                loss = ppo_loss(policy, value, *(part[chosen] for part in batch))
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(parameters, 0.5)
                optimizer.step()
        seconds, mean = time.perf_counter() - began, np.mean(returns or [np.nan])
        print(
            f"{steps:>10,} steps {seconds:6.1f} s, environments {in_environments:5.1f} s, return {mean:.3f}", flush=True
        )
        curve.append((steps, f"{seconds:.2f}", f"{mean:.4f}"))
    if options.csv:
        options.csv.write_text("".join(f"{','.join(map(str, row))}\n" for row in curve))


if __name__ == "__main__":
    main()
