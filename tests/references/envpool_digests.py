"""Records runs of EnvPool's tasks as digests, and compares this package's runs with them, or with EnvPool itself.

A run has a `name`, `steps` and `envs`; `results(run, package, steps)` plays it and yields the arrays of each result,
by name.
"""

import json
import zlib

#: number of results that one digest covers
PART = 10


def digests(results):
    """Returns two digests per block of `PART` results: of observations, and of all other arrays with their dtypes."""
    lines, observations, others = [], 0, 0
    for number, arrays in enumerate(results, start=1):
        for name, array in arrays.items():
            if name == "observation":
                observations = zlib.crc32(array.tobytes(), observations)
            else:
                others = zlib.crc32(f"{name} {array.dtype} {array.shape}".encode() + array.tobytes(), others)
        if number % PART == 0:
            lines.append(f"{observations:08x}/{others:08x}")
            observations = others = 0
    return lines


def recorded(path):
    """Reads EnvPool's recorded digests; returns a list of them for each run's name."""
    return {name: text.split() for name, text in json.loads(path.read_text()).items()}


def record(path, runs, results):
    """Runs EnvPool, and writes the digests of its results to a file."""
    import envpool

    found = {run.name: " ".join(digests(results(run, envpool))) for run in runs}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(found, indent=0) + "\n")


def compare(runs, results, steps):
    """Runs this package and EnvPool side by side, and compares every array of every step; returns 1 if any differs."""
    import envpool
    import envpool_rs

    total = differing = 0
    for run in runs:
        found, first = {}, None
        for number, (ours, theirs) in enumerate(
            zip(results(run, envpool_rs, steps), results(run, envpool, steps), strict=True)
        ):
            for name, array in theirs.items():
                if ours[name].dtype != array.dtype or ours[name].tobytes() != array.tobytes():
                    found[name] = found.get(name, 0) + 1
                    first = first if first is not None else number
        total, differing = total + steps * run.envs, differing + max(found.values(), default=0)
        print(f"{run.name:<70} {steps:>7,} steps  {'equal' if first is None else f'differ from {first} on: {found}'}")
    print(f"{total:,} steps of environments compared; batches that differ: {differing:,}")
    return 1 if differing else 0
