"""DQN for Atari games in one file, with a replay memory that stores each frame once.

    pip install 'envpool_rs[atari]' torch
    python examples/dqn_atari.py [--task Pong-v5] [--steps 2000000] [--memory 200000]

Trains a double DQN with a target network. The replay memory holds the last `--memory` steps and builds stacks of frames
when it samples. A step takes 7.1 kB for frames of 84 x 84; storing the stacks before and after each step would take
56.4 kB. Prints the mean return of the last 20 episodes.
"""

import argparse
import time
from collections import deque

import envpool_rs
import numpy as np
import torch
from torch import nn


def arguments(given=None):
    """Parses the command line."""
    parser = argparse.ArgumentParser(
        description="DQN on a pool of Atari games.", formatter_class=argparse.ArgumentDefaultsHelpFormatter
    )
    parser.add_argument("--task", default="Pong-v5", help="one of EnvPool's Atari tasks")
    parser.add_argument("--steps", type=int, default=2_000_000, help="environment steps")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--num-envs", type=int, default=16)
    parser.add_argument("--memory", type=int, default=200_000, help="steps in the memory")
    parser.add_argument("--start", type=int, default=20_000, help="steps before learning starts")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--train-every", type=int, default=4, help="environment steps for each update")
    parser.add_argument("--target-every", type=int, default=2_000, help="updates for each copy to the target network")
    parser.add_argument("--learning-rate", type=float, default=1e-4)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--explore", type=float, default=0.1, help="share of steps in which exploration falls to 1%%")
    parser.add_argument("--size", type=int, default=84, help="height and width of a frame")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    return parser.parse_args(given)


class Network(nn.Module):
    """Convolutional network that estimates the values of all actions, as in Mnih et al. (2015)."""

    def __init__(self, frames, size, actions):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Conv2d(frames, 32, 8, stride=4), nn.ReLU(),
            nn.Conv2d(32, 64, 4, stride=2), nn.ReLU(),
            nn.Conv2d(64, 64, 3), nn.ReLU(),
            nn.Flatten(),
        )  # fmt: skip
        width = self.layers(torch.zeros(1, frames, size, size)).shape[1]
        self.layers.extend([nn.Linear(width, 512), nn.ReLU(), nn.Linear(512, actions)])

    def forward(self, stacks):
        """Returns the estimated values (m, actions) of all actions for stacks (m, frames, size, size) of bytes."""
        return self.layers(stacks.float() / 255)


class Agent:
    """DQN agent: network, target network and optimiser.

    Attributes:
        updates: number of updates so far.
    """

    def __init__(self, options, frames, actions):
        torch.manual_seed(options.seed)
        self.options, self.actions = options, actions
        self.network, self.target = (Network(frames, options.size, actions).to(options.device) for _ in range(2))
        self.target.load_state_dict(self.network.state_dict())
        self.optimiser = torch.optim.Adam(self.network.parameters(), options.learning_rate)
        self.random = np.random.default_rng(options.seed)
        self.updates = 0

    def act(self, stacks, exploration):
        """Returns an action for each stack of frames: random with probability `exploration`."""
        with torch.no_grad():
            best = self.network(torch.from_numpy(stacks).to(self.options.device)).argmax(1).cpu().numpy()
        explores = self.random.random(len(best)) < exploration
        return np.where(explores, self.random.integers(self.actions, size=len(best)), best)

    def learn(self, steps):
        """Updates the network by transitions sampled from the replay memory; returns the loss."""
        device = self.options.device
        obs, action, reward, terminated, following = (torch.from_numpy(each).to(device) for each in steps)
        with torch.no_grad():
            chosen = self.network(following).argmax(1, keepdim=True)
            value = self.target(following).gather(1, chosen).squeeze(1)
            goal = reward.float() + self.options.gamma * value * ~terminated
        loss = nn.functional.smooth_l1_loss(self.network(obs).gather(1, action[:, None].long()).squeeze(1), goal)
        self.optimiser.zero_grad()
        loss.backward()
        self.optimiser.step()
        self.updates += 1
        if self.updates % self.options.target_every == 0:
            self.target.load_state_dict(self.network.state_dict())
        return loss.item()


def main(given=None):
    """Trains an agent; returns the number of updates and the mean return of the last episodes."""
    options = arguments(given)
    envs = envpool_rs.make(
        options.task, num_envs=options.num_envs, seed=options.seed, img_height=options.size, img_width=options.size,
        stack_once=True, reward_clip=True, repeat_action_probability=0.0,
    )  # fmt: skip
    memory = envpool_rs.FrameMemory(envs, max(options.memory // options.num_envs, 1), seed=options.seed)
    agent = Agent(options, memory.stack_num, envs.action_space.n)
    returns, scores = deque(maxlen=20), np.zeros(options.num_envs)
    stacks, _ = memory.reset()
    start, loss, debt = time.perf_counter(), float("nan"), 0
    for step in range(options.num_envs, options.steps + 1, options.num_envs):
        exploration = max(0.01, 1 - 0.99 * step / (options.explore * options.steps))
        stacks, _, terminated, truncated, info = memory.step(agent.act(stacks, exploration))
        scores += info["reward"]
        for env in np.flatnonzero(terminated | truncated):
            returns.append(scores[env])
            scores[env] = 0
        debt += options.num_envs * (step > options.start)
        while debt >= options.train_every:
            loss = agent.learn(memory.sample(options.batch))
            debt -= options.train_every
        if step // 20_000 != (step - options.num_envs) // 20_000:
            rate = step / (time.perf_counter() - start)
            mean = np.mean(returns) if returns else float("nan")
            print(
                f"{step:,} steps, {rate:,.0f}/s: mean return {mean:.1f}, loss {loss:.4f}, exploration {exploration:.2f}"
            )
    mean = np.mean(returns) if returns else float("nan")
    size = memory.nbytes / (memory.steps * options.num_envs)
    print(f"{agent.updates:,} updates; mean return {mean:.1f}; {size:,.0f} bytes per step in the memory")
    envs.close()
    return agent.updates, mean


if __name__ == "__main__":
    main()
