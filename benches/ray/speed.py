"""Compares the speed of envpool_rs on Ray with alternatives, whose calls alternate in one run; prints Markdown tables.

    python benches/ray/speed.py [--seconds 4]

Needs ray. Tianshou's row needs tianshou. Starts Ray with more logical CPUs than the machine may have, because
Tianshou's RayVectorEnv reserves one for each environment.
"""

from __future__ import annotations

import argparse
import importlib.util
import time
from collections.abc import Callable, Sequence

import envpool_rs
import envpool_rs.ray
import gymnasium
import numpy as np
import ray
from envpool_rs.vector import RayVectorEnv

ENVS = 8


def interleaved(subjects: dict[str, Callable[[], None]], seconds: float) -> dict[str, np.ndarray]:
    """Calls the measured functions in turns. Returns the microseconds of each call, by function name."""
    for subject in subjects.values():
        for _ in range(3):
            subject()
    times: dict[str, list[float]] = {name: [] for name in subjects}
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        for name, subject in subjects.items():
            start = time.perf_counter()
            subject()
            times[name].append(time.perf_counter() - start)
    return {name: np.array(each) * 1e6 for name, each in times.items()}


def table(title: str, times: dict[str, np.ndarray], reference: str) -> None:
    """Prints a table of call times: medians, 10th percentiles, and ratios of the medians to the median of
    ``reference``.
    """
    print(f"\n{title}\n\n| | µs, median | 10th percentile | of {reference} |\n|---|---|---|---|")
    base = float(np.median(times[reference]))
    for name, each in times.items():
        median = float(np.median(each))
        print(f"| {name} | {median:,.0f} | {np.percentile(each, 10):,.0f} | {median / base:.2f} |")


@ray.remote
class Echo:
    """Actor that returns a fixed reply, with which the time of a bare Ray call is measured."""

    def __init__(self, answer: object) -> None:
        self._answer = answer

    def ask(self, _: object) -> object:
        """Returns the actor's fixed reply."""
        return self._answer


def stepper(env: object) -> Callable[[], None]:
    """Resets a vector environment, and returns a function that steps it; its environments must reset themselves."""
    env.reset()
    actions = np.ones(ENVS, np.int64)
    return lambda: env.step(actions)


class EndlessCartPole(gymnasium.Wrapper):
    """CartPole that resets itself after the end of an episode, so that the caller only steps."""

    def step(self, action: object) -> tuple:
        """Steps the environment. At the end of an episode, resets it and returns the next episode's first
        observation.
        """
        result = self.env.step(action)
        if result[2] or result[3]:
            observation, _ = self.env.reset()
            return (observation, result[1], False, False, result[4])
        return result


def make_cart_pole() -> gymnasium.Env:
    """Makes one CartPole that resets itself."""
    return EndlessCartPole(gymnasium.make("CartPole-v1"))


def vector_envs(seconds: float) -> None:
    """Measures a step of 8 CartPoles in this package's ``RayVectorEnv`` and in Tianshou's, and the time of bare Ray
    calls.
    """
    makers = [make_cart_pole] * ENVS
    ours = {f"RayVectorEnv, {n} actor{'s' * (n > 1)}": RayVectorEnv(makers, num_cpus=n) for n in (1, 2)}
    envs = dict(ours)
    if importlib.util.find_spec("tianshou") is not None:
        from tianshou.env import RayVectorEnv as TianshouRayVectorEnv

        envs["Tianshou's RayVectorEnv (8 actors)"] = TianshouRayVectorEnv(makers)
    echoes = [Echo.options(num_cpus=0).remote(b"answer") for _ in range(2)]
    subjects = {name: stepper(env) for name, env in envs.items()}
    subjects["one bare `ray.get` round trip"] = lambda: ray.get(echoes[0].ask.remote(b"question"))
    subjects["two at once"] = lambda: ray.get([echo.ask.remote(b"question") for echo in echoes])
    table("8 CartPoles, one vector step", interleaved(subjects, seconds), "one bare `ray.get` round trip")
    for env in envs.values():
        env.close()


def small_pools(seconds: float) -> None:
    """Measures pools of 8 CartPoles, whose actors are called over a direct connection or through Ray."""
    actions = np.zeros(ENVS, np.int64)
    pools = {
        f"pool, {count} actor{'s' * (count > 1)}, {'directly' if direct else 'by Ray'}": envpool_rs.ray.make(
            "CartPole-v1", num_envs=ENVS, num_actors=count, direct=direct
        )
        for direct in (True, False)
        for count in (1, 2)
    }
    for pool in pools.values():
        pool.reset()
    subjects = {name: (lambda pool=pool: pool.step(actions)) for name, pool in pools.items()}
    table("Native pools, 8 CartPoles", interleaved(subjects, seconds), "pool, 1 actor, by Ray")
    for pool in pools.values():
        pool.close()


def native_pools(seconds: float) -> None:
    """Measures a pool over 2 actors with 512 CartPoles each, and bare Ray calls that return arrays of the same size."""
    count = 1024
    actions = np.zeros(count, np.int64)
    pool = envpool_rs.ray.make("CartPole-v1", num_envs=count, num_actors=2)
    pool.reset()
    local = envpool_rs.make("CartPole-v1", num_envs=count // 2)
    answer = local.reset()[0], *local.step(actions[: count // 2])[1:4]
    echoes = [Echo.options(num_cpus=0).remote(answer) for _ in range(2)]
    half = actions[: count // 2]
    subjects = {
        "pool, 2 actors x 512 CartPoles": lambda: pool.step(actions),
        "bare round trips of the same arrays": lambda: ray.get([echo.ask.remote(half) for echo in echoes]),
    }
    times = interleaved(subjects, seconds)
    table("Native pool per actor, one batch", times, "bare round trips of the same arrays")
    pool.close()


def loaded_pools(seconds: float, milliseconds: Sequence[int] = (2, 5, 10, 20)) -> None:
    """Measures pools over two actors whose environments sleep 1 ms per step. Each actor has three batches, and stepping
    a batch takes one of the times ``milliseconds``.
    """
    print("\nLoaded actors: environments that sleep 1 ms per step, 2 actors, asynchronous\n")
    print("| load per batch | steps per second of one local pool, twice | of 2 actors | |\n|---|---|---|---|")
    for load in milliseconds:
        local = 2 * rate(envpool_rs.make("test/Scripted-v0", num_envs=load, num_threads=1), load, seconds / 2)
        options = {"num_envs": 6 * load, "batch_size": load, "num_threads": 1, "num_actors": 2}
        pool = envpool_rs.ray.make("test/Scripted-v0", **options)
        spread = rate(pool, load, seconds)
        print(f"| {load} ms | {local:,.0f} | {spread:,.0f} | {spread / local:.0%} |")
        pool.close()


def rate(pool: object, batch: int, seconds: float) -> float:
    """Returns the steps per second of a pool whose environments sleep 1 ms."""
    actions = np.ones(batch, np.int64)
    if pool.is_async:
        pool.async_reset()
    else:
        pool.reset()
        pool.send(actions)
    for _ in range(8):
        pool.send(actions, pool.recv()[4]["env_id"])
    steps, start = 0, time.perf_counter()
    while time.perf_counter() < start + seconds:
        pool.send(actions, pool.recv()[4]["env_id"])
        steps += batch
    return steps / (time.perf_counter() - start)


def main() -> None:
    """Starts Ray, and prints all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="for each table")
    seconds = parser.parse_args().seconds
    ray.init(num_cpus=16, object_store_memory=200 * 1024**2, include_dashboard=False, log_to_driver=False)
    try:
        vector_envs(seconds)
        small_pools(seconds)
        native_pools(seconds)
        loaded_pools(seconds / 4)
    finally:
        ray.shutdown()


if __name__ == "__main__":
    main()
