"""Compares the results of two machines: hashes of every step of every task that the installed packages can step.

    python tools/hashes.py record FILE [FAMILY ...]  # on each machine: steps tasks, and writes a hash of each step
    python tools/hashes.py compare FILE OTHER        # prints a table of families; fails if a step differs

Actions are integers of numpy's generators, or fractions of them, so that they are equal on all processors. Families
are the folders of `src/envs/**/family.toml`, such as `atari`. The machines need the same versions of the references.
"""

import json
import platform
import sys
import zlib
from collections import defaultdict
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
from families import families, family_of
from smoke import tasks

NUM_ENVS, STEPS, SEED = 3, 100, 7
FRACTIONS = 1024  # of a continuous action's range; a power of two, so that all are exact


def actions(space, random):
    """Returns one action of a batched space, which depends on integers of ``random`` only."""
    if isinstance(space, gymnasium.spaces.Dict):
        return {key: actions(part, random) for key, part in space.spaces.items()}
    if isinstance(space, gymnasium.spaces.Box) and space.dtype.kind == "f":
        low, high = np.maximum(space.low, -1e3).astype(float), np.minimum(space.high, 1e3).astype(float)
        return (low + (high - low) * (random.integers(0, FRACTIONS + 1, space.shape) / FRACTIONS)).astype(space.dtype)
    if isinstance(space, gymnasium.spaces.Box):
        return random.integers(space.low, space.high, endpoint=True, dtype=space.dtype)
    counts = space.nvec if isinstance(space, gymnasium.spaces.MultiDiscrete) else np.full(space.shape, 2)
    return (random.integers(0, 1 << 30, counts.shape) % counts + getattr(space, "start", 0)).astype(space.dtype)


def hashed(value, state=0):
    """Returns a checksum of arrays, of their names, dtypes and shapes, in dictionaries and tuples."""
    if isinstance(value, dict):
        for key in sorted(value):
            state = hashed(value[key], zlib.crc32(key.encode(), state))
    elif isinstance(value, (tuple, list)):
        for part in value:
            state = hashed(part, state)
    elif isinstance(value, np.ndarray) and value.dtype != object:
        state = zlib.crc32(f"{value.dtype.str} {value.shape}".encode(), state)
        state = zlib.crc32(np.ascontiguousarray(value), state)
    elif isinstance(value, np.ndarray):
        state = hashed(value.tolist(), state)
    else:
        state = zlib.crc32(repr(value).encode(), state)
    return state


def record(path, only):
    """Writes hashes of the reset and of each step of all tasks, or of those of some families."""
    unknown = set(only) - {family.key for family in families()}
    if unknown:
        raise SystemExit(f"{', '.join(sorted(unknown))}: expected families: {', '.join(f.key for f in families())}")
    described = {task["id"]: task for task in envpool_rs._core.tasks()}
    found = defaultdict(dict)
    for task in filter(described.__contains__, tasks()):
        family = family_of(described[task]).key
        if only and family not in only:
            continue
        with envpool_rs.make_vec(task, NUM_ENVS) as envs:
            random = np.random.default_rng(SEED)
            hashes = [hashed(envs.reset(seed=SEED))]
            for _ in range(STEPS):
                hashes.append(hashed(envs.step(actions(envs.action_space, random))))
        found[family][task] = hashes
        print(f"{task} {hashes[-1]:08x}", flush=True)
    machine = f"{platform.machine()}, {' '.join(platform.libc_ver())}, numpy {np.__version__}"
    Path(path).write_text(json.dumps({"machine": machine, "families": found}), encoding="utf-8")


def compare(path, other):
    """Prints how many tasks of each family have equal hashes, and the first step of each difference."""
    first, second = (json.loads(Path(each).read_text(encoding="utf-8")) for each in (path, other))
    print(f"{first['machine']}; {second['machine']}\n")
    print("| family | tasks | equal | differing, from step |\n|---|---:|---:|---|")
    differing = 0
    for family, known in first["families"].items():
        found = second["families"].get(family, {})
        common = [task for task in known if task in found]
        if not common:
            continue
        unequal = {
            task: next(i for i, pair in enumerate(zip(known[task], found[task], strict=True)) if pair[0] != pair[1])
            for task in common
            if known[task] != found[task]
        }
        differing += len(unequal)
        listed = ", ".join(f"{task}: {step}" for task, step in unequal.items())
        print(f"| {family} | {len(common):,} | {len(common) - len(unequal):,} | {listed} |")
    return differing


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["record", file, *only]:
            record(file, only)
        case ["compare", file, other]:
            sys.exit(bool(compare(file, other)))
        case _:
            sys.exit(__doc__)
