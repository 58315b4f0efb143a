"""Tests MultiEnv, SubprocessEnv and create_subprocess_envs: lists of results, automatic resets, restarted processes."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import gymnasium
import numpy as np
import pytest
from envpool_rs.multi_env import MultiEnv, _AutoResetWrapper, create_subprocess_envs
from gymnasium import spaces
from multi_env_cases import BASE, FORK, TRUNCATED, LoggedEnv, assert_same, gym, multi_env
from python_envs import (
    CountingEnv,
    LegacyEnv,
    RequiringEnv,
    ReusingEnv,
    SpaceEnv,
    message_spaces,
    number_in,
    row_spaces,
)


def test_the_step_after_a_terminal_step_resets_and_applies_the_action():
    env = LoggedEnv(length=2)
    wrapper = _AutoResetWrapper(env)
    wrapper.reset(seed=7)
    results = [wrapper.step(action) for action in (1, 2, 3)]
    assert env.log == [("reset", {"seed": 7}), ("step", 1), ("step", 2), ("reset", {}), ("step", 3)]
    assert [list(observation) for observation, *_ in results] == [[7, 1, 1], [7, 1, 2], [7, 2, 1]]
    assert [terminal for _, _, terminal, _ in results] == [False, True, False]


def test_a_reset_by_hand_clears_the_flag():
    env = LoggedEnv(length=1)
    wrapper = _AutoResetWrapper(env)
    wrapper.reset()
    assert wrapper.step(0)[2]
    wrapper.reset(seed=3)
    wrapper.step(0)
    assert [call for call, _ in env.log] == ["reset", "step", "reset", "step"]


@pytest.mark.parametrize("truncates", [False, True])
def test_five_values_become_four_that_report_why_the_episode_ended(truncates):
    env = CountingEnv(length=2, truncates=truncates, info=True)
    wrapper = _AutoResetWrapper(env)
    np.testing.assert_array_equal(wrapper.reset(), [-1, 1, 0])
    assert wrapper.step(0)[1:] == (1.0, False, {"steps": 1})
    assert wrapper.step(0)[1:] == (2.0, True, {"steps": 2, TRUNCATED: truncates})


def test_an_episode_both_terminated_and_truncated_counts_as_terminated():
    class Both(CountingEnv):
        def step(self, action):
            observation, reward, _, _, info = super().step(action)
            return observation, reward, True, True, info

    wrapper = _AutoResetWrapper(Both())
    wrapper.reset()
    assert wrapper.step(0)[2:] == (True, {TRUNCATED: False})


def test_four_values_of_legacy_gym_are_returned_unchanged():
    wrapper = _AutoResetWrapper(LegacyEnv(length=1, truncates=True))
    wrapper.seed(5)
    np.testing.assert_array_equal(wrapper.reset(), np.float32([5, 0]))
    observation, *rest = wrapper.step(0)
    np.testing.assert_array_equal(observation, np.float32([5, 1]))
    assert rest == [1.0, True, {TRUNCATED: True}]


def test_a_pair_as_observation_is_not_unpacked():
    class Pairs(LegacyEnv):
        observation_space = spaces.Tuple((spaces.Discrete(3), spaces.Dict({"a": spaces.Discrete(2)})))

        def reset(self):
            return (np.int64(2), {"a": np.int64(1)})

    assert _AutoResetWrapper(Pairs()).reset() == (2, {"a": 1})


def test_wrong_numbers_of_values_are_refused():
    class Three(CountingEnv):
        def step(self, action):
            return 1, 2, 3

    with pytest.raises(ValueError, match="step returned a tuple of 3: expected"):
        _AutoResetWrapper(Three()).step(0)


def test_a_wrapper_forwards_public_attributes_only():
    env = CountingEnv(length=3)
    wrapper = _AutoResetWrapper(env)
    assert wrapper.length == 3
    assert (wrapper.metadata, wrapper.render_mode, wrapper.unwrapped) == (env.metadata, "rgb_array", env)
    assert (wrapper.observation_space, wrapper.action_space) == (env.observation_space, env.action_space)
    assert isinstance(wrapper, BASE)
    with pytest.raises(AttributeError, match="'_secret'"):
        _ = wrapper._secret
    assert copy.deepcopy(wrapper).length == 3


def plain_step(wrappers, actions):
    rows = [(None,) * 4 if a is None else wrapper.step(a) for wrapper, a in zip(wrappers, actions, strict=True)]
    return tuple(list(column) for column in zip(*rows, strict=True))


def some_actions(rng, count, space):
    choice = rng.integers(4)
    if choice == 0:
        return [None if rng.random() < 0.5 else int(rng.integers(space.n)) for _ in range(count)]
    actions = rng.integers(0, space.n, count)
    return actions if choice == 1 else actions.tolist() if choice == 2 else tuple(actions)


def gyms_own_env(length):
    """Makes an environment that derives from legacy gym's classes."""

    class OwnEnv(LegacyEnv, gym.Env):
        observation_space = gym.spaces.Box(-1.0, np.inf, (2,), np.float32)
        action_space = gym.spaces.Discrete(3)

    return OwnEnv(length)


def space_env(space):
    """Makes an environment whose observations are samples of a copy of ``space``."""
    return SpaceEnv(copy.deepcopy(space))


PARITY = {
    "CartPole": partial(gymnasium.make, "CartPole-v1"),
    "legacy": partial(LegacyEnv, 3, truncates=True),
    **({} if gym is None else {"gym's own": partial(gyms_own_env, 3)}),
    "truncating": partial(CountingEnv, 4, truncates=True, info=True),
    **{f"space: {name}": partial(space_env, space) for name, space in (row_spaces() | message_spaces()).items()},
}


def compared(env_fn, players, steps):
    """Steps a MultiEnv and a plain loop over environments in `_AutoResetWrapper`, and compares the results."""
    plain = [_AutoResetWrapper(env_fn()) for _ in range(len(players))]
    seeded = not isinstance(plain[0].env, LegacyEnv)
    assert_same(
        players.reset(seed=11) if seeded else players.reset(),
        [wrapper.reset(**({"seed": 11 + i} if seeded else {})) for i, wrapper in enumerate(plain)],
    )
    rng = np.random.default_rng(5)
    for _ in range(steps):
        actions = some_actions(rng, len(plain), plain[0].action_space)
        assert_same(players.step(actions), plain_step(plain, actions))
        if rng.random() < 0.2:  # a single environment may be stepped between steps of all
            chosen = int(rng.integers(len(plain)))
            assert_same(players.envs[chosen].step(1), plain[chosen].step(1))
        if rng.random() < 0.1:
            chosen = int(rng.integers(len(plain)))
            assert_same(players.envs[chosen].reset(), plain[chosen].reset())


@pytest.mark.parametrize("name", PARITY)
def test_worker_processes_equal_a_plain_loop(name, no_child_is_left):
    with multi_env([PARITY[name]] * 3, num_workers=2) as players:
        compared(PARITY[name], players, 40)


def test_environments_of_this_process_equal_a_plain_loop():
    for name in ("CartPole", "legacy"):
        with MultiEnv([PARITY[name]() for _ in range(3)]) as players:
            compared(PARITY[name], players, 100)


def test_all_kinds_of_environments_can_be_mixed(no_child_is_left):
    env_fn = PARITY["CartPole"]
    first, second = create_subprocess_envs([env_fn] * 2, **FORK), create_subprocess_envs([env_fn], **FORK)
    wrapped = create_subprocess_envs([env_fn], **FORK)[0]

    class Wrapped:
        def __getattr__(self, name):
            return getattr(wrapped, name)

    with MultiEnv([first[1], env_fn(), second[0], Wrapped(), first[0]]) as players:
        compared(env_fn, players, 60)


def test_spawned_processes_equal_forked_ones(no_child_is_left):
    with multi_env([partial(CountingEnv, 3)] * 2, context="spawn") as players:
        compared(partial(CountingEnv, 3), players, 20)


def test_none_as_every_action_steps_no_environment():
    with multi_env([CountingEnv] * 2) as players:
        players.reset()
        assert players.step([None, None]) == ([None] * 2,) * 4
        np.testing.assert_array_equal(players.step([0, 0])[0], [[-1, 1, 1]] * 2)


def test_observations_belong_to_the_caller():
    with multi_env([CountingEnv] * 2) as players:
        first = players.reset()
        second = players.step([0, 0])[0]
        kept = copy.deepcopy((first, second))
        second[0][:] = 99
        players.step([0, 0])
        assert_same((first, second[1]), (kept[0], kept[1][1]))
        np.testing.assert_array_equal(second[0], [99] * 3)


def test_seeds_are_a_list_or_consecutive():
    with multi_env([CountingEnv] * 3) as players:
        assert [observation[0] for observation in players.reset(seed=4)] == [4, 5, 6]
        assert [observation[0] for observation in players.reset(seed=[9, 1, None])] == [9, 1, 6]
        with pytest.raises(ValueError, match="seed has 2 entries: expected one for each of 3 environments"):
            players.reset(seed=[1, 2])


@pytest.mark.parametrize("where", ["in workers", "in this process"])
def test_reset_passes_none_for_arguments_that_an_environment_requires(where):
    envs = [RequiringEnv(length=1), RequiringEnv(length=1)]
    with multi_env([RequiringEnv] * 2) if where == "in workers" else MultiEnv(envs) as players:
        assert [observation[0] for observation in players.reset()] == [-1, -1]
        assert [observation[0] for observation in players.reset(seed=4)] == [4, 5]
        for _ in range(6):
            players.step([0, 0])


@pytest.mark.parametrize("form", ["array", "dict", "pickled"])
@pytest.mark.parametrize("where", ["in workers", "in this process"])
def test_environments_share_no_object_with_the_caller(where, form):
    env_fns = [partial(ReusingEnv, form)] * 2
    with multi_env(env_fns) if where == "in workers" else MultiEnv([env_fn() for env_fn in env_fns]) as players:
        options = {"a": [1]}
        resets = players.reset(options=options)
        actions = [np.zeros(2), np.ones(2)]
        results = [players.step(actions) for _ in range(3)]
        assert [action.tolist() for action in actions] == [[0, 0], [1, 1]] and options == {"a": [1]}
        assert [number_in(observation) for observation in resets] == [0, 0]
        for step, (observations, _, _, infos) in enumerate(results, 1):
            assert [number_in(observation) for observation in observations] == [step] * 2
            for info in infos:
                assert info["t"] == info["nested"]["t"] == info["list"][0] == info["array"][0] == step


def wait_for_the_other(barrier):
    class Meeting(CountingEnv):
        def step(self, action):
            barrier.wait(20)
            return super().step(action)

    return Meeting


@pytest.mark.parametrize("kind", ["together", "apart", "in threads of the caller's", "of this process"])
def test_environments_are_stepped_concurrently(kind):
    env_fn = wait_for_the_other(multiprocessing.get_context("fork").Barrier(2))
    if kind == "of this process":
        envs = [env_fn(), env_fn()]
    elif kind == "apart":
        envs = [create_subprocess_envs([env_fn], **FORK)[0] for _ in range(2)]
    else:
        envs = create_subprocess_envs([env_fn] * 2, **FORK)
    if kind != "in threads of the caller's":
        with MultiEnv(envs) as players:
            players.reset()
            for _ in range(3):
                players.step([0, 0])
        return
    with ThreadPoolExecutor(2) as executor:
        for count in range(1, 4):
            results = list(executor.map(lambda env: env.step(0), envs))
            assert [result[0][2] for result in results] == [count, count]
    for env in envs:
        env.close()


def test_environments_of_this_process_can_be_pickled_with_their_state():
    with MultiEnv([CountingEnv(length=2), CountingEnv(length=2)]) as players:
        players.reset(seed=7)
        players.step([0, 0])
        with pickle.loads(pickle.dumps(players)) as twin, copy.deepcopy(players) as other:
            for _ in range(4):
                expected = players.step([0, 0])
                assert_same(twin.step([0, 0]), expected)
                assert_same(other.step([0, 0]), expected)


def test_environments_of_other_processes_cannot_be_pickled():
    with multi_env([CountingEnv] * 2) as players:
        for each in (players, players.envs[0].env):
            with pytest.raises(TypeError, match=r"cannot copy or pickle .*worker processes"):
                pickle.dumps(each)
