"""Compares MetaWorld's tasks with EnvPool's: the time of whole episodes, each a reset and 500 steps.

    python benches/python/metaworld_tasks.py [tasks ...] [--num-envs 64] [--threads 2] [--rounds 3]

Tasks are names such as ``BoxClose``; all 50 by default. Prints EnvPool's time divided by this package's: wall time and
CPU time of episodes, and wall time of their steps, with native steps; wall time of episodes with steps of MuJoCo's
library. All pools run in turns in the same process; medians over rounds. `envpool`, `metaworld` and `mujoco==3.6.0`
must be installed.
"""

import argparse
import os
import statistics
import time

import envpool
import envpool_rs
import mujoco
import numpy as np

LIBRARIES = ("native", "library", "envpool")
#: Steps of an episode, after which MetaWorld truncates it.
STEPS = 500


def all_tasks():
    """Returns the names of all tasks."""
    ids = [task for task in envpool_rs.list_all_envs() if task.startswith("MetaWorld/")]
    return sorted(task.removeprefix("MetaWorld/").removesuffix("-v3") for task in ids)


def pools(task, num_envs, threads):
    """Returns a pool of each library, by the library's name."""
    options = {"num_envs": num_envs, "num_threads": threads, "seed": 1}
    return {
        "native": envpool_rs.make_gymnasium(task, **options),
        "library": envpool_rs.make_gymnasium(task, physics="libmujoco", **options),
        "envpool": envpool.make_gymnasium(task, **options),
    }


def run(pool, actions):
    """Runs an episode. Returns its wall time, its CPU time and the wall time of its steps, in seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    pool.reset()
    stepped = time.perf_counter()
    for action in actions:
        pool.step(action)
    end = time.perf_counter()
    return end - wall, time.process_time() - cpu, end - stepped


def measure(task, given):
    """Returns EnvPool's time divided by this package's: wall, CPU, wall of steps, and wall with the library."""
    running = pools(f"MetaWorld/{task}-v3", given.num_envs, given.threads)
    random = np.random.default_rng(1)
    actions = random.uniform(-1, 1, (STEPS, given.num_envs, 4)).astype(np.float32)
    for pool in running.values():
        run(pool, actions[:4])
    times = {name: [] for name in LIBRARIES}
    for turn in range(given.rounds):
        for place in range(len(LIBRARIES)):
            name = LIBRARIES[(turn + place) % len(LIBRARIES)]
            times[name].append(run(running[name], actions))
    for pool in running.values():
        pool.close()

    def ratio(name, kind):
        pairs = zip(times["envpool"], times[name], strict=True)
        return statistics.median(theirs[kind] / ours[kind] for theirs, ours in pairs)

    return ratio("native", 0), ratio("native", 1), ratio("native", 2), ratio("library", 0)


def main():
    """Prints the ratios of all tasks, and their medians."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tasks", nargs="*", default=all_tasks())
    parser.add_argument("--num-envs", type=int, default=64)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    print(f"mujoco {mujoco.__version__}, {given.threads} threads, load {os.getloadavg()[0]:.0f}")
    print("| task | wall | CPU | steps | library |\n|---|---:|---:|---:|---:|")
    rows = []
    for task in given.tasks:
        rows.append(measure(task, given))
        print(f"| `{task}` | " + " | ".join(f"{ratio:.1f}x" for ratio in rows[-1]) + " |", flush=True)
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    print("| median | " + " | ".join(f"{ratio:.2f}x" for ratio in medians) + " |")


if __name__ == "__main__":
    main()
