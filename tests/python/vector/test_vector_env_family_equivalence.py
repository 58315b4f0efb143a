"""Compares the classes of the BaseVectorEnv family with each other, and tests interrupts."""

import functools
import multiprocessing
import signal
from collections import OrderedDict
from fractions import Fraction

import gymnasium
import numpy as np
import pytest
from envpool_rs.vector import (
    SubprocVectorEnv,
)
from gymnasium import spaces
from python_envs import (
    CountingEnv,
    GatedEnv,
    MisbehavingEnv,
    signal_sender,
)
from vector_env_cases import KINDS, equal


def program(random):
    """Yields a random sequence of calls, some of which are invalid."""

    def ids():
        if random.random() < 0.3:
            return None
        if random.random() < 0.05:
            return [0, 7]
        return random.permutation(4)[: random.integers(0, 5)].tolist()

    def step(env, chosen):
        count = 4 if chosen is None else len(chosen)
        return env.step(random.integers(0, 3, count) if random.random() < 0.9 else [0] * (count + 1), chosen)

    calls = [
        lambda env: step(env, ids()),
        lambda env: step(env, ids()),
        lambda env: step(env, ids()),
        lambda env: step(env, None),
        lambda env: env.step(None),
        lambda env: env.reset(ids()),
        lambda env: env.reset(ids(), return_info=True),
        lambda env: env.reset(ids(), seed=int(random.integers(0, 9))),
        lambda env: env.seed(int(random.integers(0, 9))),
        lambda env: env.get_env_attr("steps", ids()),
        lambda env: env.set_env_attr("steps", int(random.integers(0, 5)), ids()),
        lambda env: env.customized_method("add", None, ids()),
        lambda env: env.customized_method("render", None, ids()),
        lambda env: env.render(),
        lambda env: (env.ready_id, env.waiting_id),
    ]
    return [calls[random.integers(len(calls))] for _ in range(40)]


def outcomes(kind, seed):
    env_fns = [
        functools.partial(CountingEnv, 3, info=True),
        functools.partial(MisbehavingEnv, {2: "raise", 5: "raise", 9: "raise"}),
        functools.partial(CountingEnv, 2, truncates=True),
        functools.partial(
            MisbehavingEnv, {3: "raise", 5: "raise"}, observations={4: [1, 2, 3], 6: np.ones(3, np.float32)}
        ),
    ]
    # The programs of all kinds of vector environments draw the same random numbers as long as they take the same
    # branches.
    random = np.random.default_rng(seed)
    found = []
    with KINDS[kind](env_fns, return_truncated=seed % 2 == 0) as env:
        for call in program(random):
            try:
                found.append(call(env))
            except Exception as error:
                found.append((type(error).__name__, str(error)))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_random_programs_give_equal_results_in_processes(seed):
    wanted = outcomes("dummy", seed)
    for kind in ("subproc", "caller"):
        for index, (one, other) in enumerate(zip(wanted, outcomes(kind, seed), strict=True)):
            assert equal(one, other), (kind, index, one, other)


@pytest.mark.parametrize("env_id", ["CartPole-v1", "Blackjack-v1", "Pendulum-v1"])
def test_trajectories_equal_gymnasiums(make_ours, env_id):
    single = [gymnasium.make(env_id) for _ in range(3)]
    env = make_ours([functools.partial(gymnasium.make, env_id)] * 3)
    random = np.random.default_rng(3)
    for each in single:
        each.action_space.seed(1)
    wanted = [each.reset(seed=7 + index)[0] for index, each in enumerate(single)]
    assert equal(env.reset(seed=7), _stacked(wanted))
    for _ in range(60):
        actions = [each.action_space.sample() for each in single]
        results = [each.step(action) for each, action in zip(single, actions, strict=True)]
        observations, rewards, done, _ = env.step(actions if random.random() < 0.5 else np.array(actions))
        assert equal(observations, _stacked([each[0] for each in results]))
        assert rewards.tolist() == [float(each[1]) for each in results]
        assert done.tolist() == [each[2] or each[3] for each in results]
        for index in np.flatnonzero(done):
            assert equal(env.reset(index), _stacked([single[index].reset()[0]]))
    for each in single:
        each.close()


def _stacked(observations):
    if isinstance(observations[0], tuple):
        return tuple(np.stack(parts) for parts in zip(*observations, strict=True))
    return np.stack(observations)


class ScriptedEnv:
    """Environment whose methods return scripted values."""

    def __init__(self, space, returned, reset):
        if space is not None:
            self.observation_space = space
        self.returned, self.reset_returned = returned, reset

    def reset(self):
        return self.reset_returned

    def step(self, action):
        return self.returned


ZEROS = np.zeros(2, np.float32)


BOX, DISCRETE = spaces.Box(-1, 1, (2,), np.float32), spaces.Discrete(3)


def odd_returns():
    """Yields a name and cases (space, result of `step`, result of `reset`): usual, unusual and wrong return values."""
    rewards = [
        True,
        np.float32(0.1),
        np.int64(3),
        np.array(2.0),
        np.array([2.0]),
        [1, 2],
        Fraction(1, 2),
        "1",
        None,
        1j,
    ]
    rewards += [np.array([[1.0, 2.0]]), 10**400, np.float16(1), [], np.array("x"), {1: 2}, float("nan")]
    flags = [1, 0, np.bool_(True), np.array(True), np.array([True]), None, "x", [], np.array([True, False]), 2.5]
    infos = [None, 3, {1: 2}, OrderedDict(a=1), [("a", 1)], {"env_id": 99}]
    arrays = [[0.0, 0.0], (0.0, 0.0), np.zeros(2), np.zeros(3, np.float32), np.zeros((2, 1), np.float32), None, "abc"]
    arrays += [np.zeros(2, np.int32), {"a": 1}, np.zeros((2, 0), np.float32), np.array([None, 1], object)]
    numbers = [2, np.int64(1), np.int32(1), True, 1.0, np.array(1), np.array([1]), 99, -5, 2**70, None, "x"]
    parts = [(ZEROS, 1), [ZEROS, 1], (ZEROS,), (ZEROS, 1, 2), {"a": ZEROS, "b": 1}, {"b": 1, "a": ZEROS}, {"a": ZEROS}]
    parts += [(ZEROS, np.int32(1)), (ZEROS, 1.5), {"a": np.zeros(3, np.float32), "b": 1}, ({"x": 1}, {"y": 1})]
    wrong = [(), (1,), (1, 2, 3), (1, 2, 3, 4, 5, 6), [ZEROS, 1.0, False, False, {}], None, "abcd", np.zeros(5)]
    both = spaces.Tuple((BOX, DISCRETE)), spaces.Dict(a=BOX, b=DISCRETE)
    yield "reward", [(BOX, (ZEROS, reward, False, False, {}), ZEROS) for reward in rewards]
    yield "done", [(BOX, (ZEROS, 1.0, flag, {}), ZEROS) for flag in flags]
    yield "terminated", [(BOX, (ZEROS, 1.0, flag, False, {}), ZEROS) for flag in flags]
    yield "truncated", [(BOX, (ZEROS, 1.0, False, flag, {}), ZEROS) for flag in flags]
    yield (
        "by time",
        [(BOX, (ZEROS, 1.0, end, {"TimeLimit.truncated": flag}), ZEROS) for flag in flags for end in (0, 1)],
    )
    yield "info", [(BOX, (ZEROS, 1.0, False, False, info), ZEROS) for info in infos]
    for name, space, values in [("box", BOX, arrays), ("discrete", DISCRETE, numbers), ("parts", both[0], parts)]:
        yield name, [(space, (value, 1.0, False, False, {}), value) for value in values]
    yield "dict", [(both[1], (value, 1.0, False, False, {}), value) for value in parts]
    yield "no space", [(None, (value, 1.0, False, False, {}), value) for value in arrays + numbers + parts]
    yield "no step", [(BOX, returned, ZEROS) for returned in wrong]
    resets = [(ZEROS, {}), [ZEROS, {}], (ZEROS, None), (ZEROS, {"a": 1}), (ZEROS, {}, 1), None]
    yield "reset", [(BOX, (ZEROS, 1.0, False, False, {}), reset) for reset in resets]


def answers(kind, env_fn):
    """Makes a vector environment of two environments; returns the results or errors of a few calls."""
    with KINDS[kind]([env_fn] * 2) as env:
        calls = [lambda: env.reset(return_info=True), lambda: env.step([0, 0]), lambda: env.step(None)]
        found = []
        for call in [*calls, lambda: env.step([0], [1])]:
            try:
                found.append(call())
            except Exception as error:
                found.append((type(error).__name__, str(error)))
        return found


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("cases", [each[1] for each in odd_returns()], ids=[each[0] for each in odd_returns()])
def test_unusual_return_values_are_treated_equally_in_processes(cases):
    for case in cases:
        env_fn = functools.partial(ScriptedEnv, *case)
        wanted, got = answers("dummy", env_fn), answers("subproc", env_fn)
        assert equal(wanted, got), case


@pytest.mark.skipif(not hasattr(signal, "SIGALRM"), reason="a system without this signal")
def test_results_of_an_interrupted_step_can_be_fetched():
    class InterruptionError(Exception):
        pass

    def interrupt(*_):
        raise InterruptionError

    gate, step_started = (multiprocessing.get_context("fork").Event() for _ in range(2))
    env_fns = [lambda: GatedEnv(gate), lambda: GatedEnv(gate, step_started)]

    def step_with_interrupt(env):
        gate.clear()
        step_started.clear()
        sender = signal_sender(step_started, signal.SIGALRM)
        with pytest.raises(InterruptionError):
            sender.start()
            env.step([0, 0])
        sender.join()

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with SubprocVectorEnv(env_fns, num_workers=2, context="fork") as env:
            env.reset()
            step_with_interrupt(env)
            assert env.waiting_id == [0, 1]
            with pytest.raises(RuntimeError, match="environment 0 is stepping now"):
                env.step([0, 0])
            with pytest.raises(RuntimeError, match="environment 0 is stepping now"):
                env.get_env_attr("steps")
            gate.set()
            assert env.step(None)[0][:, 2].tolist() == [1, 1]
            step_with_interrupt(env)
            gate.set()
            assert env.reset()[:, 1].tolist() == [2, 2]
    finally:
        signal.signal(signal.SIGALRM, before)
