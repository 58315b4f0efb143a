"""Compares `envpool_rs.Batch` with `mujoco.batch.Batch` and `mujoco.rollout` on gymnasium's robots.

    python benches/python/mujoco_batch.py [--nsim 64 1024] [--threads 2] [--rounds 7] [--expand body_mass]

Prints environment steps (frame skips of physics steps) per CPU second, and medians of the ratios to `mujoco.rollout` in
the same round. All three libraries get the same random controls, and none resets its simulations. `mujoco.batch` needs
mujoco 3.17 or later.
"""

import argparse
import os
import statistics
import time
from pathlib import Path

import envpool_rs
import gymnasium
import mujoco
import numpy as np
from mujoco import rollout

ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"
#: Robots by name: the file stem of gymnasium's model, and the number of physics steps of an environment step.
ROBOTS = {"HalfCheetah": ("half_cheetah", 5), "Hopper": ("hopper", 4), "Ant": ("ant", 5), "Humanoid": ("humanoid", 5)}
#: Seconds for which each library is measured in a round.
SECONDS = 0.3
WARM_UP = 40


def beginning(model, nsim):
    """Returns random positions and velocities near the model's initial state, for `nsim` simulations."""
    random = np.random.default_rng(0)
    positions = np.tile(model.qpos0, (nsim, 1)) + random.uniform(-0.01, 0.01, (nsim, model.nq))
    return positions, random.normal(0, 0.01, (nsim, model.nv))


def rollout_side(model, nsim, skip, threads, controls):
    """Returns a function that takes an environment step of all simulations by ``mujoco.rollout``."""
    datas = [mujoco.MjData(model) for _ in range(threads)]
    pool = rollout.Rollout(nthread=threads)
    state = np.concatenate([np.zeros((nsim, 1)), *beginning(model, nsim)], axis=1)
    states, sensors = np.zeros((nsim, skip, state.shape[1])), np.zeros((nsim, skip, model.nsensordata))

    def step(number):
        nonlocal state
        control = np.repeat(controls[number % len(controls)][:, None], skip, axis=1)
        found, _ = pool.rollout(model, datas, state, control, state=states, sensordata=sensors)
        state = found[:, -1].copy()

    return step


def batch_side(simulations, model, nsim, skip, controls):
    """Returns a function that takes an environment step of all simulations of a batch (either library's)."""
    simulations.qpos, simulations.qvel = beginning(model, nsim)
    control = simulations.bind("ctrl")

    def step(number):
        control[:] = controls[number % len(controls)]
        simulations.step(nstep=skip)

    return step


def sides(model, nsim, skip, threads, fields):
    """Returns the step functions of all libraries, by name. The first is ``mujoco.rollout``, or with expanded fields,
    which it does not have, ``mujoco.batch``.
    """
    low, high = model.actuator_ctrlrange.T
    random = np.random.default_rng(1)
    controls = [random.uniform(low, high, (nsim, model.nu)) for _ in range(16)]
    found = {} if fields else {"mujoco.rollout": rollout_side(model, nsim, skip, threads, controls)}
    batches = {}
    try:
        from mujoco.batch import Batch

        batches["mujoco.batch"] = Batch(model, nsim, threads)
    except ImportError:
        pass
    for physics in ("auto", "library"):
        batches[f"envpool_rs {physics}"] = envpool_rs.Batch(model, nsim, threads, physics=physics)
    for name, each in batches.items():
        scales = np.random.default_rng(2)
        for field in fields:
            values = each.expand(field)
            values *= scales.uniform(0.8, 1.2, values.shape)
        found[name] = batch_side(each, model, nsim, skip, controls)
    return found


def measure(steps, nsim, rounds):
    """Returns each library's environment steps per CPU second in each round; the libraries run in turns."""
    for step in steps.values():
        for number in range(WARM_UP):
            step(number)
    rates = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            start, cpu, number = time.perf_counter(), time.process_time(), 0
            while time.perf_counter() - start < SECONDS:
                step(number)
                number += 1
            rates[name].append(nsim * number / (time.process_time() - cpu))
    return rates


def main():
    """Prints each library's environment steps per CPU second for all robots."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nsim", type=int, nargs="+", default=[64, 1024])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--robots", nargs="+", default=list(ROBOTS), choices=list(ROBOTS))
    parser.add_argument("--expand", nargs="*", default=[], help="fields with values for each simulation")
    given = parser.parse_args()
    print(f"mujoco {mujoco.__version__}, {given.threads} threads, load {os.getloadavg()[0]:.0f}")
    for robot in given.robots:
        name, skip = ROBOTS[robot]
        model = mujoco.MjModel.from_xml_path(str(ASSETS / f"{name}.xml"))
        for nsim in given.nsim:
            rates = measure(sides(model, nsim, skip, given.threads, given.expand), nsim, given.rounds)
            base = next(iter(rates.values()))
            for side, each in rates.items():
                ratio = statistics.median(rate / other for rate, other in zip(each, base, strict=True))
                print(f"{robot:12} n={nsim:5} {side:20} {statistics.median(each):9.0f}/s {ratio:5.2f}x", flush=True)


if __name__ == "__main__":
    main()
