"""Converts mpe2's parallel environments to gymnasium environments with several players. The environments open no
windows.
"""

import os

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import gymnasium
import numpy as np
from mpe2 import (
    collect_treasure_v1,
    simple_adversary_v3,
    simple_crypto_v3,
    simple_formation_v1,
    simple_line_v1,
    simple_push_v3,
    simple_reference_v3,
    simple_speaker_listener_v4,
    simple_spread_v3,
    simple_tag_v3,
    simple_v3,
    simple_world_comm_v3,
)
from pettingzoo.utils.env_logger import EnvLogger

EnvLogger.suppress_output()  # PettingZoo logs every action that it clips.


def padded(data):
    """Returns the metrics of all players in one shape: zeros follow a single number, and -1 stands for None."""
    if isinstance(data[-1], tuple) and not isinstance(data[0], tuple):
        data = [each if isinstance(each, tuple) else (each, *[0.0] * (len(data[-1]) - 1)) for each in data]
    return [tuple(-1 if part is None else part for part in each) if isinstance(each, tuple) else each for each in data]


class Together(gymnasium.Env):
    """Converts a parallel environment to a gymnasium environment, in which all players act in each step.

    If all players have the same space (``shared``), observations and actions are arrays with a row per player;
    otherwise they are dicts by player.
    """

    def __init__(self, env, shared):
        self.env, self.shared, self.players = env, shared, env.possible_agents

    def together(self, values):
        return np.stack([values[player] for player in self.players]) if self.shared else dict(values)

    def reset(self, *, seed=None, options=None):
        observations, _ = self.env.reset(seed=seed)
        return self.together(observations), {}

    def step(self, action):
        actions = dict(zip(self.players, action, strict=True)) if self.shared else action
        observations, rewards, terminated, truncated, infos = self.env.step(actions)
        (terminated,), (truncated,) = set(terminated.values()), set(truncated.values())
        rewards = np.array([rewards[player] for player in self.players], dtype=np.float64)
        return self.together(observations), rewards, terminated, truncated, self.benchmark(infos)

    def benchmark(self, infos):
        if "benchmark_data" not in infos[self.players[0]]:
            return {}
        data = [infos[player]["benchmark_data"] for player in self.players]
        return {"benchmark_data": np.array(padded(data), dtype=np.float64)}


class Alone(gymnasium.Env):
    """Converts a parallel environment with one player to an environment without players."""

    def __init__(self, env):
        self.env, (self.player,) = env, env.possible_agents
        self.observation_space, self.action_space = env.observation_space(self.player), env.action_space(self.player)

    def reset(self, *, seed=None, options=None):
        return self.env.reset(seed=seed)[0][self.player], {}

    def step(self, action):
        observation, reward, terminated, truncated, _ = (
            each[self.player] for each in self.env.step({self.player: action})
        )
        return observation, reward, terminated, truncated, {}


# The modules of tasks with several players, and whether the players share one space.
MODULES = {
    "SimpleSpread-v3": (simple_spread_v3, True),
    "SimpleSpeakerListener-v4": (simple_speaker_listener_v4, False),
    "SimpleAdversary-v3": (simple_adversary_v3, False),
    "SimpleCrypto-v3": (simple_crypto_v3, False),
    "SimplePush-v3": (simple_push_v3, False),
    "SimpleReference-v3": (simple_reference_v3, True),
    "SimpleTag-v3": (simple_tag_v3, False),
    "SimpleWorldComm-v3": (simple_world_comm_v3, False),
    "SimpleFormation-v1": (simple_formation_v1, True),
    "SimpleLine-v1": (simple_line_v1, True),
    "CollectTreasure-v1": (collect_treasure_v1, False),
}


def parallel(task, **options):
    """Returns the reference of a task with several players."""
    module, shared = MODULES[task]
    return Together(module.parallel_env(**options), shared)


def simple(**options):
    """Returns the reference of Simple-v3, without its time limit."""
    return Alone(simple_v3.parallel_env(max_cycles=2**31, **options))
