"""Runs a rollout of CartPole as one jax program, and compares its speed with loops in Python.

    pip install 'envpool_rs[jax]'
    python examples/jax_rollout.py --num-envs 1024 --steps 1000

The policy is a simple formula that balances the pole for some time, so nearly all time is spent on environments and on
passing actions and observations. The loops in Python compute the policy in numpy or in a separate jax program. If
EnvPool is installed, one loop steps EnvPool's pool.
"""

import argparse
import importlib.util
import time

import envpool_rs
import jax
import jax.numpy as jnp
import numpy as np


def compiled_rollout(step, steps):
    """Compiles a rollout to one jax program. Its arguments are the pool's handle and the first observations; it returns
    the handle, the last observations, and all steps.
    """

    def one_step(carry, _):
        handle, observation = carry
        action = (observation[:, 2] + observation[:, 3] > 0).astype(jnp.int32)
        handle, (following, reward, terminated, truncated, _) = step(handle, action)
        return (handle, following), (observation, action, reward, terminated, truncated)

    return jax.jit(lambda handle, observation: jax.lax.scan(one_step, (handle, observation), None, length=steps))


def balance(observation):
    """Returns the balancing policy's actions, computed in numpy."""
    return (observation[:, 2] + observation[:, 3] > 0).astype(np.int32)


COMPILED_BALANCE = jax.jit(lambda observation: (observation[:, 2] + observation[:, 3] > 0).astype(jnp.int32))


def balance_in_jax(observation):
    """Returns the policy's actions, computed by a separate jax program as for a neural network."""
    return np.asarray(COMPILED_BALANCE(observation))


def python_rollout(env, policy, observation, steps):
    """Runs a rollout step by step in Python, stores it in preallocated arrays, and returns the last observations."""
    count = len(observation)
    observations, rewards = np.empty((steps, *observation.shape), np.float32), np.empty((steps, count), np.float32)
    actions, flags = np.empty((steps, count), np.int32), np.empty((2, steps, count), bool)
    for index in range(steps):
        action = policy(observation)
        observations[index], actions[index] = observation, action
        observation, rewards[index], flags[0, index], flags[1, index], _ = env.step(action)
    return observation


def report(name, seconds, steps, num_envs):
    """Prints a row of the table: microseconds per step, and millions of environment steps per second."""
    rate = steps * num_envs / seconds
    print(f"{name:<30}{1e6 * seconds / steps:>10.2f} us per step{rate / 1e6:>10.2f} M environment steps/s")


def best_of(runs, function):
    """Calls a function several times after one warm-up call, and returns the seconds of the fastest call."""
    function()
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        function()
        times.append(time.perf_counter() - start)
    return min(times)


def measure_program(options, steps, runs):
    """Returns the seconds that a rollout takes as one jax program."""
    env = envpool_rs.make("CartPole-v1", **options)
    observation, _ = env.reset()
    handle, _, _, step = env.xla()
    rollout = compiled_rollout(step, steps)
    carry = (handle, observation)

    def run():
        nonlocal carry
        carry, _ = jax.block_until_ready(rollout(*carry))

    return best_of(runs, run)


def measure_loop(env, policy, steps, runs):
    """Returns the seconds that a rollout takes as a loop in Python."""
    observation, _ = env.reset()

    def run():
        nonlocal observation
        observation = python_rollout(env, policy, observation, steps)

    return best_of(runs, run)


def main():
    """Measures the compiled rollout and the loops in Python, and prints a row of the table for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--num-envs", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--runs", type=int, default=10)
    chosen = parser.parse_args()
    size = (chosen.steps, chosen.num_envs)
    options = {"num_envs": chosen.num_envs, "num_threads": chosen.threads}
    report("one lax.scan", measure_program(options, chosen.steps, chosen.runs), *size)
    for name, policy in (("numpy", balance), ("jax", balance_in_jax)):
        loop = measure_loop(envpool_rs.make("CartPole-v1", **options), policy, chosen.steps, chosen.runs)
        report(f"loop in Python, {name} policy", loop, *size)
    if importlib.util.find_spec("envpool") is not None:
        import envpool

        theirs = envpool.make("CartPole-v1", env_type="gymnasium", **options)
        report("EnvPool's, numpy policy", measure_loop(theirs, balance, chosen.steps, min(chosen.runs, 3)), *size)


if __name__ == "__main__":
    main()
