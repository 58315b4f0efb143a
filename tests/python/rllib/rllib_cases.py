"""Helpers of the tests `test_rllib*.py`."""

import gymnasium
from counters import Counter
from envpool_rs import rllib
from envpool_rs.rllib import convert_to_base_env
from rllib_environments import Talkers

FLAGS = {"agent0": False, "__all__": False}


OVER = {"agent0": True, "__all__": True}


def actions(*values):
    return {index: {"agent0": value} for index, value in enumerate(values)}


def _converted(make, num_envs, options):
    restart = options.pop("restart", False)
    strict = options.pop("strict", False)
    return convert_to_base_env(
        make(**options),
        lambda _: make(**options),
        num_envs,
        restart_failed_sub_environments=restart,
        strict_rllib=strict,
    )


def counters(num_envs=2, **options):
    return _converted(Counter, num_envs, options)


def talkers(num_envs=2, **options):
    return _converted(Talkers, num_envs, options)


def played(env, *steps):
    """Polls, then sends the actions of each step and polls again; returns the result of the last poll."""
    result = env.poll()
    for step in steps:
        env.send_actions(step)
        result = env.poll()
    return result


class Doubles(rllib.VectorEnv):
    """RLlib `VectorEnv` that doubles actions, and steps all environments at once."""

    def __init__(self):
        super().__init__(Counter.observation_space, Counter.action_space, 2)
        self.seeds = None

    def vector_reset(self, *, seeds=None, options=None):
        self.seeds = seeds
        return [0, 0], [{}, {}]

    def reset_at(self, index=None, *, seed=None, options=None):
        return -1, {"seed": seed}

    def vector_step(self, actions):
        return [2 * action for action in actions], [1.0, 2.0], [False, True], [False, False], [{}, {}]


MODES = ["next_step", "same_step", "disabled"]


def gymnasium_vector(mode, num_envs=2, length=2):
    return gymnasium.vector.SyncVectorEnv(
        [lambda index=index: Counter(length + index) for index in range(num_envs)],
        autoreset_mode=mode,
    )
