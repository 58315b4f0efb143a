"""Automatic domain randomisation of a robot, with numpy alone: the physics vary more while the policy does well.

    pip install 'envpool_rs[mujoco]'
    python examples/domain_randomisation.py [--task InvertedPendulum-v5] [--iterations 60]

Most environments draw gravity and masses from ranges; two groups have the physics at the ends of these ranges. If
episodes at an end return enough, `set_options` moves it outwards, and inwards if they return too little: it changes
all later episodes of the running pool (https://arxiv.org/abs/1910.07113). Evolution strategies train a linear policy.
"""

import argparse

import envpool_rs
import numpy as np

# Shares of the full return above which an end moves outwards, and below which it moves inwards.
HIGH, LOW = 0.8, 0.4

NOMINAL = {"gravity": -9.81, "mass_scale": 1.0}


class Randomisation:
    """Ranges around the nominal physics, and the environments at their ends."""

    def __init__(self, envs, group, most=0.9, step=0.05):
        self.envs, self.most, self.step = envs, most, step
        self.ends = {
            -1: np.arange(group),
            1: np.arange(group, 2 * group),
        }  # environments at the lower and the upper end
        self.others, self.widths = np.arange(2 * group, envs.num_envs), {-1: 0.0, 1: 0.0}

    def update(self, returns, full):
        """Moves the ends by the returns of the last episodes, as shares of the full return, for all later episodes."""
        for end, env_ids in self.ends.items():
            share = returns[env_ids].mean() / full
            change = self.step if share > HIGH else -self.step if share < LOW else 0.0
            self.widths[end] = float(np.clip(self.widths[end] + change, 0, self.most))
            self.envs.set_options(env_ids=env_ids, **{k: v * (1 + end * self.widths[end]) for k, v in NOMINAL.items()})
        low, high = 1 - self.widths[-1], 1 + self.widths[1] + 1e-6
        drawn = {k: ("uniform", *sorted((v * low, v * high))) for k, v in NOMINAL.items()}
        self.envs.set_options(env_ids=self.others, **drawn)


def play(envs, policies, limit):
    """Plays an episode in every environment, each with its policy; returns the returns."""
    observation, returns = envs.reset()[0], np.zeros(envs.num_envs)
    is_running = np.ones(envs.num_envs, bool)
    for _ in range(limit):
        actions = np.einsum("nij,nj->ni", policies, observation).clip(-3, 3).astype(np.float32)
        observation, reward, terminated, truncated, _ = envs.step(actions)
        returns += reward * is_running
        is_running &= ~(terminated | truncated)
        if not is_running.any():
            break
    return returns


def train(options):
    """Trains a policy; yields the number of the iteration, the mean return and the ranges' widths."""
    rng, group, pairs = np.random.default_rng(options.seed), 8, 48
    n = 2 * group + 2 * pairs
    envs = envpool_rs.make_vec(
        options.task, n, seed=options.seed, max_episode_steps=options.limit, autoreset_mode="same_step"
    )
    policy = np.zeros((envs.single_action_space.shape[0], envs.single_observation_space.shape[0]))
    randomisation = Randomisation(envs, group)
    for iteration in range(options.iterations):
        noise = rng.standard_normal((pairs, *policy.shape))
        changes = np.concatenate([np.zeros((2 * group, *policy.shape)), noise, -noise])
        returns = play(envs, policy + 0.3 * changes, options.limit)
        plus, minus = returns[2 * group : 2 * group + pairs], returns[2 * group + pairs :]
        policy += (
            0.1 / (returns[2 * group :].std() + 1e-8) * np.einsum("n,nij->ij", plus - minus, noise) / np.sqrt(pairs)
        )
        randomisation.update(returns, options.limit)
        yield iteration, returns[: 2 * group].mean(), randomisation.widths


def main():
    """Trains a policy, and prints the ranges."""
    parser = argparse.ArgumentParser(description="Automatic domain randomisation.")
    parser.add_argument("--task", default="InvertedPendulum-v5")
    parser.add_argument("--iterations", type=int, default=60)
    parser.add_argument("--limit", type=int, default=200, help="steps of an episode")
    parser.add_argument("--seed", type=int, default=1)
    for iteration, mean, widths in train(parser.parse_args()):
        if (iteration + 1) % 5 == 0:
            low, high = 1 - widths[-1], 1 + widths[1]
            print(f"{iteration + 1:>4}: mean return at the ends {mean:6.1f}, physics times {low:.2f} to {high:.2f}")


if __name__ == "__main__":
    main()
