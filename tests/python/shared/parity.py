"""Compares a pool of `make_vec` and a pool of `make` with their references bit for bit, under equal actions."""

from dataclasses import dataclass, field

import envpool_rs
import numpy as np
from references.batch import ReferenceBatch, flat

#: Seed of environment 0.
SEED = 1000


@dataclass(frozen=True)
class Case:
    """Compared case: options of a task and of its resets."""

    options: dict = field(default_factory=dict)
    reset: dict = field(default_factory=dict)

    def __str__(self):
        given = [f"{name}={value}" for name, value in {**self.options, **self.reset}.items()]
        return ",".join(given).replace(" ", "") or "default"


class Run:
    """Two pools (of `make_vec` and `make`) and their reference environments, stepped with equal actions."""

    def __init__(self, task, case, count):
        self.count = count
        self.reference = ReferenceBatch(task, count, case.options)
        self.vector = envpool_rs.make_vec(task, count, seed=SEED, **case.options)
        self.envpool = envpool_rs.make(task, num_envs=count, seed=SEED, **case.options)
        self.episodes = self.truncated = self.values = self.differences = 0
        self.first_difference = None

    def reset(self, seeds, options, reference_seeds=None):
        self.reference.reset(seeds if reference_seeds is None else reference_seeds, options)
        given = {"options": options} if options else {}
        self.observation, info = self.vector.reset(seed=seeds, **given)
        self.compare_observations(self.observation, info, after="reset")
        self.compare_envpool(*self.envpool.reset(seed=seeds, **given), after="reset")

    def step(self, actions):
        self.reference.step(per_environment(actions, self.reference.rows))
        self.observation, rewards, terminated, truncated, info = self.vector.step(actions)
        self.compare("rewards", rewards, self.reference.rewards)
        self.compare_flags(terminated, truncated)
        self.compare_observations(self.observation, info, after="step")
        observation, rewards, terminated, truncated, info = self.envpool.step(actions)
        self.compare("float32 rewards", rewards, self.reference.rewards.astype(np.float32))
        self.compare_flags(terminated, truncated)
        self.compare_envpool(observation, info, after="step")
        self.episodes += int((terminated | truncated).sum())
        self.truncated += int(truncated.sum())

    def compare_flags(self, terminated, truncated):
        self.compare("terminated", terminated, self.reference.terminated)
        self.compare("truncated", truncated, self.reference.truncated)

    def compare_observations(self, observation, info, after):
        for index, (ours, theirs) in enumerate(zip(flat(observation), self.reference.leaves(), strict=True)):
            self.compare(f"observation {index} after {after}", ours, theirs)
        self.compare_infos(info, self.reference.infos, masked=True)

    def compare_envpool(self, observation, info, after):
        ours, theirs = flat(observation), self.reference.leaves()
        if len(theirs) > 1 and len(ours) == 1:
            theirs = [np.stack(theirs, axis=-1)]  # EnvPool's interface has no Tuple spaces: stacks the parts
        for index, (left, right) in enumerate(zip(ours, theirs, strict=True)):
            cast = right.astype(np.int32) if right.dtype == np.int64 else right
            self.compare(f"EnvPool's observation {index} after {after}", left, cast)
        self.compare("elapsed_step", info["elapsed_step"], self.reference.elapsed)
        self.compare_infos(info, self.reference.infos, masked=False)

    def compare_infos(self, info, expected, masked):
        """Compares infos of each environment that reports any; environments of mpe2 report none after a reset."""
        for index, theirs in enumerate(expected):
            for key, value in theirs.items():
                if masked:
                    assert info[f"_{key}"][index]
                elif key not in info:
                    continue  # EnvPool's interface omits this info
                ours = info[key][index]
                self.compare(f"info {key}", np.asarray(ours), np.asarray(value, dtype=ours.dtype))

    def counts(self, steps):
        """Returns this run's entry in the table of compared steps."""
        return 1, steps * self.count, self.episodes, self.truncated, self.values, self.differences

    def compare(self, what, ours, theirs):
        """Compares two values bit for bit, including signs of zeros and types of scalars."""
        assert ours.size == theirs.size and ours.dtype == theirs.dtype, (what, ours.dtype, theirs.dtype)
        self.values += ours.size
        if ours.tobytes() == theirs.tobytes():
            return
        differs = bits(ours) != bits(theirs)
        self.differences += int(differs.any(axis=-1).sum())
        self.first_difference = self.first_difference or (what, ours, theirs)


def bits(array):
    """Returns the bytes of each element."""
    return np.frombuffer(array.tobytes(), dtype=np.uint8).reshape(-1, array.dtype.itemsize)


def per_environment(actions, rows):
    """Splits a batch of actions into the rows of each environment."""
    if isinstance(actions, dict):
        return [dict(zip(actions, each, strict=True)) for each in zip(*actions.values(), strict=True)]
    return actions if rows is None else actions.reshape(-1, rows, *actions.shape[1:])
