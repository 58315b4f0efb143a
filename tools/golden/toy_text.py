"""Records games of the toy text references; `src/envs/classic/toy_text/replay.rs` replays them and compares every
number.

    python tools/golden/toy_text.py FAMILY [--steps 300] [--out tests/data/toy_text]

Each family comes from one release of one package, which must be importable:

    gymnasium      gymnasium==1.4.0
    gymnasium-1.2  gymnasium==1.2.3, the last with Taxi-v3
    gymnasium-1.1  gymnasium==1.1.1, the last with CliffWalking-v0
    gym            gym/envs/toy_text/nchain.py of gym 0.19.0, at the path in the environment variable NCHAIN
    bsuite         bsuite/environments/catch.py of bsuite 0.3.6, at the path in the environment variable CATCH; dm_env

The last two are loaded as single files, since their packages cannot be installed with a current numpy.
"""

import argparse
import importlib.util
import json
import os
import pathlib
import sys
import types

import numpy as np

WIDE_MAP = ["SFFHS", "FXFFF", "HFSFG"]

GYMNASIUM = {
    "FrozenLake-v1": [
        {},
        {"is_slippery": False},
        {"success_rate": 0.75},
        {"success_rate": 0.0},
        {"success_rate": 1.0},
        {"success_rate": 0.1, "map_name": "8x8"},
        {"desc": WIDE_MAP, "reward_schedule": [10, -1.5, 0.1]},
        {"desc": WIDE_MAP, "is_slippery": False, "reward_schedule": [1, 0, -1]},
    ],
    "FrozenLake8x8-v1": [{}, {"is_slippery": False}],
    "Taxi-v4": [
        {},
        {"is_rainy": True},
        {"fickle_passenger": True},
        {"is_rainy": True, "fickle_passenger": True},
        {"is_rainy": True, "rainy_probability": 0.35},
        {"fickle_passenger": True, "fickle_probability": 0.9},
        {"is_rainy": True, "rainy_probability": 0.6, "fickle_passenger": True, "fickle_probability": 1.0},
    ],
    "CliffWalking-v1": [{}, {"is_slippery": True}],
    "CliffWalkingSlippery-v1": [{}, {"is_slippery": False}],
    "Blackjack-v1": [{}, {"sab": False}, {"sab": False, "natural": True}, {"sab": True, "natural": True}],
}
GYMNASIUM_1_2 = {
    "Taxi-v3": [
        {},
        {"is_rainy": True},
        {"fickle_passenger": True},
        {"is_rainy": True, "fickle_passenger": True},
    ],
}
GYMNASIUM_1_1 = {"CliffWalking-v0": [{}, {"is_slippery": True}]}
GYM = {"NChain-v0": [{}, {"n": 1}, {"n": 3, "slip": 0.5, "small": -1, "large": 2.5}]}
BSUITE = {"Catch-v0": [{}, {"rows": 4, "columns": 7}, {"rows": 2, "columns": 1}, {"rows": 12, "columns": 8}]}


def load(path, name):
    """Loads the module in the file `path`, without its package."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def stub(name, **contents):
    """Registers a stub module with `contents`, for a module that a reference imports but does not use in these runs."""
    module = types.ModuleType(name)
    vars(module).update(contents)
    sys.modules[name] = module


class Gymnasium:
    """Environment of gymnasium that is reset every `limit` steps, as by a time limit."""

    limit = 150

    def __init__(self, task, options):
        import gymnasium

        options = {key: tuple(v) if key == "reward_schedule" else v for key, v in options.items()}
        self.env = gymnasium.make(task, **options).unwrapped
        self.actions = int(self.env.action_space.n)

    def reset(self, seed):
        observation, info = self.env.reset(seed=seed)
        return flat(observation), 0, False, flat(*info.values())

    def step(self, action):
        observation, reward, terminated, _, info = self.env.step(action)
        return flat(observation), reward, terminated, flat(*info.values())

    def way(self):
        """Returns the actions that bring a taxi nearer to its next stop, ignoring walls."""
        if not hasattr(self.env, "decode"):
            return []
        row, column, passenger, destination = self.env.decode(self.env.s)
        stop = self.env.locs[destination if passenger == 4 else passenger]
        if (row, column) == stop:
            return [5 if passenger == 4 else 4]
        useful = [row < stop[0], row > stop[0], column < stop[1], column > stop[1]]
        return [action for action, is_useful in enumerate(useful) if is_useful]


class Aimless:
    """An environment in which all actions are equally good."""

    def way(self):
        return []


class Chain(Aimless):
    """gym's `NChain`, changed to draw from numpy's `Generator`."""

    limit = 60
    actions = 2

    def __init__(self, _task, options):
        spaces = types.SimpleNamespace(Discrete=lambda n: types.SimpleNamespace(contains=lambda x: 0 <= x < n))
        seeding = types.SimpleNamespace(np_random=lambda seed: (None, seed))
        stub("gym", Env=object, spaces=spaces)
        stub("gym.utils", seeding=seeding)
        self.env = load(os.environ["NCHAIN"], "nchain").NChainEnv(**options)

    def reset(self, seed):
        if seed is not None:
            self.env.np_random = types.SimpleNamespace(rand=np.random.default_rng(seed).random)
        return flat(self.env.reset()), 0, False, []

    def step(self, action):
        state, reward, done, _ = self.env.step(action)
        return flat(state), reward, done, []


class Catch(Aimless):
    """bsuite's Catch; a reset with a seed creates a new environment, because only the constructor takes a seed."""

    limit = 1 << 30
    actions = 3

    def __init__(self, _task, options):
        path = pathlib.Path(os.environ["CATCH"])
        stub("bsuite")
        stub("bsuite.environments", base=load(path.parent / "base.py", "base"))
        stub("bsuite.experiments")
        stub("bsuite.experiments.catch", sweep=types.SimpleNamespace(NUM_EPISODES=0))
        self.module, self.options = load(path, "catch"), options

    def reset(self, seed):
        if seed is not None:
            self.env = self.module.Catch(seed=seed, **self.options)
        return flat(self.env.reset().observation), 0, False, []

    def step(self, action):
        time_step = self.env.step(action)
        return flat(time_step.observation), time_step.reward, time_step.last(), []


def flat(*values):
    """Returns all numbers in `values` as a flat list; whole numbers become integers, which take less space in JSON."""
    numbers = [float(number) for value in values for number in np.ravel(value)]
    return [int(number) if number.is_integer() else number for number in numbers]


def choose(env, policy):
    """Returns a random action; every second action of a taxi leads to its next stop, so that the taxi arrives."""
    way = env.way()
    if way and policy.random() < 0.5:
        return int(policy.choice(way))
    return int(policy.integers(env.actions))


def play(reference, task, options, seed, steps):
    """Plays `steps` random steps, with a reset after each end of an episode."""
    env = reference(task, options)
    policy = np.random.default_rng([seed, 1])
    turns = [[None, *env.reset(seed)]]
    length = 0
    for _ in range(steps):
        if turns[-1][3] or length == env.limit:
            turns.append([None, *env.reset(None)])
            length = 0
        action = choose(env, policy)
        turns.append([action, *env.step(action)])
        length += 1
    return {"options": options, "seed": seed, "turns": turns}


FAMILIES = {
    "gymnasium": (Gymnasium, GYMNASIUM),
    "gymnasium-1.2": (Gymnasium, GYMNASIUM_1_2),
    "gymnasium-1.1": (Gymnasium, GYMNASIUM_1_1),
    "gym": (Chain, GYM),
    "bsuite": (Catch, BSUITE),
}


def plain(value):
    """Converts numpy's scalars to Python's."""
    return value.item()


def record(file, reference, task, variants, arguments):
    """Writes the games of a task to a file, one per line, and returns the number of steps and resets."""
    turns = 0
    for index, options in enumerate(variants):
        for seed in range(1000 * index, 1000 * index + arguments.seeds):
            game = play(reference, task, options, seed, arguments.steps)
            file.write(",\n" if turns else "[\n")
            json.dump(game, file, default=plain, separators=(",", ":"))
            turns += len(game["turns"])
    file.write("\n]\n")
    return turns


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("family", choices=FAMILIES)
    parser.add_argument("--steps", type=int, default=300, help="steps of each game")
    parser.add_argument("--seeds", type=int, default=1, help="games with each set of options")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parents[2] / "tests/data/toy_text")
    arguments = parser.parse_args()
    reference, tasks = FAMILIES[arguments.family]
    arguments.out.mkdir(parents=True, exist_ok=True)
    for task, variants in tasks.items():
        with open(arguments.out / f"{task}.json", "w") as file:
            turns = record(file, reference, task, variants, arguments)
        print(task, turns, "resets and steps")


if __name__ == "__main__":
    main()
