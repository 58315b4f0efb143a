"""Records traces of mpe2's parallel environments for the unit tests of `src/envs/classic/mpe`.

    python tools/golden/mpe.py              # rewrites tests/data/mpe/*.jsonl (needs mpe2 1.1.1 and numpy 2)
    python tools/golden/mpe.py TRACE STEPS  # prints one of the traces with STEPS steps

A trace is one JSON object per line: the task and its options, then resets and steps of one environment in the order played.
Floating-point numbers are the hexadecimal digits of their big-endian bytes (8 for a float32, 16 for a float64), so that they
are compared bit for bit; the arrays of all players follow one another.
"""

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import numpy as np
from mpe2 import simple_speaker_listener_v4, simple_spread_v3
from pettingzoo.utils.env_logger import EnvLogger

EnvLogger.suppress_output()  # PettingZoo logs every action that it clips.

ENVIRONMENTS = {
    "SimpleSpread-v3": simple_spread_v3.parallel_env,
    "SimpleSpeakerListener-v4": simple_speaker_listener_v4.parallel_env,
}

# The traces, by name: (task, options, steps). mpe2's `max_cycles` corresponds to the engine's `max_episode_steps`.
TRACES = {
    "spread_discrete": ("SimpleSpread-v3", {}, 78),
    "spread_continuous": ("SimpleSpread-v3", {"continuous_actions": True}, 52),
    "spread_alone": ("SimpleSpread-v3", {"N": 1, "local_ratio": 0.0, "num_agent_neighbors": 2}, 30),
    "spread_crowd": ("SimpleSpread-v3", {"N": 5, "local_ratio": 0.3, "max_cycles": 40, "benchmark_data": True}, 45),
    "spread_near_sighted": ("SimpleSpread-v3", {"N": 5, "num_agent_neighbors": 2, "num_landmark_neighbors": 7}, 30),
    "spread_curriculum": ("SimpleSpread-v3", {"curriculum": True, "continuous_actions": True, "local_ratio": 1.0}, 75),
    "spread_success": ("SimpleSpread-v3", {"N": 2, "continuous_actions": True, "terminate_on_success": True}, 75),
    "listener_discrete": ("SimpleSpeakerListener-v4", {}, 78),
    "listener_continuous": ("SimpleSpeakerListener-v4", {"continuous_actions": True, "benchmark_data": True}, 78),
}

# Seed of the first trace's actions and resets; each further trace has the next integer. With this seed an episode of
# spread_success ends in success.
SEED = 60


def digits(array, dtype):
    return np.asarray(array, dtype=dtype).ravel().astype(np.dtype(dtype).newbyteorder(">")).tobytes().hex()


class Policy:
    """Policy that draws one behaviour per episode: acting at random, going to the middle (where agents collide) or to
    the landmarks, or standing still.
    """

    def __init__(self, env, rng):
        self.env, self.rng = env, rng
        self.new_episode()

    def new_episode(self):
        self.goal = self.rng.choice(["random", "middle", "landmarks", "landmarks", "still"])
        self.whim = self.rng.choice([0.0, 0.1, 0.5])

    def direction(self, index):
        world = self.env.unwrapped.world
        body = world.agents[index].state
        if self.goal == "middle":
            target = np.mean([agent.state.p_pos for agent in world.agents], axis=0)
        else:
            target = world.landmarks[index % len(world.landmarks)].state.p_pos
        # Subtracts a multiple of the velocity, because the agent would otherwise always overshoot the landmark.
        return target - body.p_pos - 0.35 * body.p_vel

    def action(self, index, space):
        if self.goal == "random" or self.rng.random() < self.whim or not self.env.unwrapped.world.agents[index].movable:
            return self.random(space)
        wish = np.zeros(2) if self.goal == "still" else self.direction(index)
        return self.discrete(wish) if hasattr(space, "n") else self.continuous(wish)

    def random(self, space):
        if hasattr(space, "n"):
            return int(self.rng.integers(space.n))
        # One action in three is outside of the space; mpe2 clips it.
        low, high = (-0.5, 1.5) if self.rng.random() < 1 / 3 else (0.0, 1.0)
        return self.rng.uniform(low, high, space.shape).astype(np.float32)

    def discrete(self, wish):
        if np.abs(wish).max() < 0.02:
            return 0
        axis = int(np.argmax(np.abs(wish)))
        return 1 + 2 * axis + int(wish[axis] > 0)

    def continuous(self, wish):
        left, right = np.clip([-wish[0], wish[0]], 0, 1)
        down, up = np.clip([-wish[1], wish[1]], 0, 1)
        return np.array([0.0, left, right, down, up], dtype=np.float32)


class Recorder:
    def __init__(self, task, options, seed, write):
        self.options, self.write = options, write
        self.env = ENVIRONMENTS[task](**options)
        self.agents = self.env.possible_agents
        self.rng = np.random.default_rng(seed)
        self.policy = Policy(self.env, self.rng)
        self.episodes = 0
        write({"task": task, "options": options})

    def observation(self, values):
        assert all(values[agent].dtype == np.float32 for agent in self.agents)
        return "".join(digits(values[agent], np.float32) for agent in self.agents)

    def benchmark(self, infos):
        return "".join(digits(infos[agent]["benchmark_data"], np.float64) for agent in self.agents)

    def reset(self):
        # A reset without a seed continues the random stream, in mpe2 and in the environment under test.
        seed = int(self.rng.integers(2**31)) if self.episodes % 4 == 0 else None
        if self.options.get("curriculum"):
            # `advance_curriculum` has no effect in mpe2 1.1.1. If a later version changes that, the trace will differ.
            self.env.unwrapped.advance_curriculum()
        self.episodes += 1
        self.policy.new_episode()
        observation, _ = self.env.reset(seed=seed)
        self.write({"seed": seed, "observation": self.observation(observation)})

    def step(self):
        """Plays one step, and returns whether the episode has ended."""
        spaces = [self.env.action_space(agent) for agent in self.agents]
        actions = [self.policy.action(index, space) for index, space in enumerate(spaces)]
        values = self.env.step(dict(zip(self.agents, actions)))
        observation, rewards, terminated, truncated, infos = values
        assert len(set(terminated.values())) == 1 and len(set(truncated.values())) == 1
        record = {
            "action": actions if hasattr(spaces[0], "n") else "".join(digits(action, np.float32) for action in actions),
            "observation": self.observation(observation),
            "rewards": digits([rewards[agent] for agent in self.agents], np.float64),
            "terminated": terminated[self.agents[0]],
            "truncated": truncated[self.agents[0]],
        }
        if self.options.get("benchmark_data"):
            record["benchmark"] = self.benchmark(infos)
        self.write(record)
        return record["terminated"] or record["truncated"]


def record(task, options, steps, seed, file):
    recorder = Recorder(task, options, seed, lambda line: file.write(json.dumps(line, separators=(",", ":")) + "\n"))
    over = True
    for _ in range(steps):
        if over:
            recorder.reset()
        over = recorder.step()


def main():
    if len(sys.argv) > 2:
        task, options, _ = TRACES[sys.argv[1]]
        record(task, options, int(sys.argv[2]), 1, sys.stdout)
        return
    folder = Path(__file__).parents[2] / "tests" / "data" / "mpe"
    folder.mkdir(parents=True, exist_ok=True)
    for number, (name, (task, options, steps)) in enumerate(TRACES.items()):
        with open(folder / f"{name}.jsonl", "w") as file:
            record(task, options, steps, SEED + number, file)


if __name__ == "__main__":
    main()
