"""Tests that normalised results equal those of gymnasium's vector wrappers and Stable-Baselines3's `VecNormalize`, bit
for bit.
"""

import contextlib
import copy
import itertools
import json
import pickle
import types
import zlib

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.utils import RunningMeanStd
from gymnasium.wrappers.vector import NormalizeObservation, NormalizeReward

ENVS = 13
CARTPOLE = "CartPole-v1"
TASKS = [CARTPOLE, "Pendulum-v1", "MountainCarContinuous-v0", "HalfCheetah-v5"]
MODES = ["next_step", "same_step", "disabled"]
BOTH = {"normalize_obs": True, "normalize_reward": True}
SB3 = {"normalize_obs": "sb3", "normalize_reward": "sb3"}
FACADES = {
    "vector": lambda **options: envpool_rs.make_vec(CARTPOLE, **options),
    "gymnasium": lambda **options: envpool_rs.make_gymnasium(CARTPOLE, **options),
    "gym": lambda **options: envpool_rs.make_gym(CARTPOLE, gym_reset_return_info=False, **options),
    "dm": lambda **options: envpool_rs.make_dm(CARTPOLE, **options),
}


class Feed(gymnasium.vector.VectorEnv):
    """Vector environment that returns given results: the environment inside of the reference's wrappers."""

    def __init__(self, num_envs, space, mode):
        self.num_envs, self.single_observation_space = num_envs, space
        self.observation_space = gymnasium.vector.utils.batch_space(space, num_envs)
        self.metadata = {"autoreset_mode": mode}
        self.result = None

    def step(self, actions):
        return self.result

    def reset(self, *, seed=None, options=None):
        return self.result


class Gymnasium:
    """gymnasium's normalising wrappers around a `Feed` of results that are not normalised."""

    def __init__(self, num_envs, space, mode="next_step", clip_obs=None, clip_reward=None, **options):
        # NormalizeObservation accepts only vector environments with next-step autoreset.
        self.obs_feed = Feed(num_envs, space, AutoresetMode.NEXT_STEP)
        self.reward_feed = Feed(num_envs, space, AutoresetMode[mode.upper()])
        epsilon = {name: value for name, value in options.items() if name == "epsilon"}
        self.obs, self.reward = (
            NormalizeObservation(self.obs_feed, **epsilon),
            NormalizeReward(self.reward_feed, **options),
        )
        self.bounds = (np.inf if bound is None else bound for bound in (clip_obs, clip_reward))
        self.clip_obs, self.clip_reward = self.bounds

    def reset(self, obs):
        self.obs_feed.result = self.reward_feed.result = (obs, {})
        self.reward.reset()
        return np.clip(self.obs.reset()[0], -self.clip_obs, self.clip_obs)

    def step(self, obs, reward, terminated, truncated):
        self.obs_feed.result = self.reward_feed.result = (obs, reward, terminated, truncated, {})
        scaled = np.clip(self.reward.step(None)[1], -self.clip_reward, self.clip_reward)
        return np.clip(self.obs.step(None)[0], -self.clip_obs, self.clip_obs), scaled

    def final(self, obs):
        rms = self.obs.obs_rms
        return ((obs - rms.mean) / np.sqrt(rms.var + self.obs.epsilon)).astype(np.float32)


class VecNormalize:
    """Formulas of Stable-Baselines3 2.9's `VecNormalize`; rows that only reset do not count in the statistics of
    rewards.
    """

    def __init__(self, num_envs, space, mode="same_step", gamma=0.99, epsilon=1e-8, clip_obs=10.0, clip_reward=10.0):
        self.obs_rms, self.ret_rms = RunningMeanStd(shape=space.shape), RunningMeanStd()
        self.returns, self.ended = np.zeros(num_envs), np.zeros(num_envs, bool)
        self.skips = mode != "same_step"
        self.gamma, self.epsilon, self.clip_obs, self.clip_reward = gamma, epsilon, clip_obs, clip_reward

    def final(self, obs):
        scaled = (obs - self.obs_rms.mean) / np.sqrt(self.obs_rms.var + self.epsilon)
        return np.clip(scaled, -self.clip_obs, self.clip_obs).astype(np.float32)

    def reset(self, obs):
        self.returns[:], self.ended[:] = 0, False
        self.obs_rms.update(obs)
        return self.final(obs)

    def step(self, obs, reward, terminated, truncated):
        reward, active = reward.astype(np.float32), ~(self.ended & self.skips)
        self.obs_rms.update(obs)
        self.returns[active] = (self.returns * self.gamma + reward)[active]
        if active.any():
            self.ret_rms.update(self.returns[active])
        scaled = np.clip(reward / np.sqrt(self.ret_rms.var + self.epsilon), -self.clip_reward, self.clip_reward)
        self.ended = terminated | truncated
        self.returns[self.ended] = 0
        return self.final(obs), scaled.astype(np.float32)


def equal(ours, reference):
    """Returns whether arrays have the same dtype, shape and bits."""
    return ours.dtype == reference.dtype and ours.shape == reference.shape and ours.tobytes() == reference.tobytes()


def pair(task, num_envs=ENVS, **options):
    """Returns a pool with normalisation, an equal pool without normalisation, and actions."""
    names = (*BOTH, "clip_obs", "clip_reward", "gamma", "epsilon")
    plain = {name: value for name, value in options.items() if name not in names}
    ours, raw = (envpool_rs.make_vec(task, num_envs, seed=3, **each) for each in (options, plain))
    raw.action_space.seed(5)
    return ours, raw, raw.action_space.sample


def check_run(ours, raw, actions, reference, steps, rounds=lambda reward: reward):
    """Compares complete runs of a pool with those of a reference. Without autoreset, all environments are reset when
    one has ended.
    """
    assert equal(ours.reset(seed=1)[0], reference.reset(raw.reset(seed=1)[0]))
    ended = 0
    for _ in range(steps):
        action = actions()
        obs, reward, terminated, truncated, info = ours.step(action)
        plain = raw.step(action)
        expected = reference.step(*plain[:4])
        assert equal(obs, expected[0])
        assert equal(reward, rounds(expected[1]))
        assert (terminated == plain[2]).all() and (truncated == plain[3]).all()
        over = plain[2] | plain[3]
        ended += over.sum()
        if "final_obs" in info:
            for env_id in over.nonzero()[0]:
                assert equal(info["final_obs"][env_id], reference.final(plain[4]["final_obs"][env_id]))
        if over.any() and raw.metadata["autoreset_mode"] == AutoresetMode.DISABLED:
            assert equal(ours.reset()[0], reference.reset(raw.reset()[0]))
    assert ended > ENVS


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", TASKS)
def test_results_equal_gymnasiums_wrappers(task, mode):
    ours, raw, actions = pair(task, autoreset_mode=mode, max_episode_steps=60, **BOTH)
    check_run(ours, raw, actions, Gymnasium(ENVS, raw.single_observation_space, mode), 300)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", TASKS)
def test_results_equal_vec_normalizes(task, mode):
    ours, raw, actions = pair(task, autoreset_mode=mode, max_episode_steps=60, **SB3)
    reference = VecNormalize(ENVS, raw.single_observation_space, mode)
    check_run(ours, raw, actions, reference, 300, lambda reward: reward.astype(np.float64))


@pytest.mark.parametrize("num_envs", [1, 2, 4, 13])
def test_statistics_of_float64_rows_equal_gymnasiums_from_the_first_batch_on(num_envs):
    ours, raw, actions = pair("HalfCheetah-v5", num_envs, normalize_obs=True)
    for seed in range(8):
        ours.normalization.obs_rms = RunningMeanStd(shape=(17,))
        reference = Gymnasium(num_envs, raw.single_observation_space)
        assert equal(ours.reset(seed=seed)[0], reference.reset(raw.reset(seed=seed)[0]))
        for _ in range(3):
            action = actions()
            assert equal(ours.step(action)[0], reference.step(*raw.step(action)[:4])[0])
            np.testing.assert_array_equal(ours.normalization.obs_rms.var, reference.obs.obs_rms.var)


@pytest.mark.parametrize("num_envs", [1, 2, 300])
def test_any_number_of_environments_is_normalised(num_envs):
    for rules, reference in ((True, Gymnasium), ("sb3", VecNormalize)):
        ours, raw, actions = pair("Pendulum-v1", num_envs, normalize_obs=rules, normalize_reward=rules)
        expected = reference(num_envs, raw.single_observation_space, "next_step")
        assert equal(ours.reset(seed=1)[0], expected.reset(raw.reset(seed=1)[0]))
        for _ in range(220):
            action = actions()
            obs, reward = expected.step(*raw.step(action)[:4])
            got = ours.step(action)
            assert equal(got[0], obs)
            assert (got[1] == reward).all()


def test_bounds_discount_and_epsilon_are_the_wrappers():
    options = {"gamma": 0.9, "epsilon": 0.01, "clip_obs": 0.7, "clip_reward": 0.4}
    for rules, reference in ((True, Gymnasium), ("sb3", VecNormalize)):
        ours, raw, actions = pair("Pendulum-v1", normalize_obs=rules, normalize_reward=rules, **options)
        expected = reference(ENVS, raw.single_observation_space, "next_step", **options)
        ours.reset(seed=1)
        expected.reset(raw.reset(seed=1)[0])
        for _ in range(50):
            action = actions()
            obs, reward = expected.step(*raw.step(action)[:4])
            got = ours.step(action)
            assert equal(got[0], obs)
            assert (got[1] == reward).all()
            assert np.abs(got[0]).max() == np.float32(0.7)


def raw_of(name, result):
    """Returns the observation, the reward and the flags of a step, in the format of any facade."""
    if name == "dm":
        over = result.step_type == 2
        return result.observation.obs, result.reward, over, np.zeros_like(over)
    if len(result) == 4:
        obs, reward, done, info = result
        return obs, reward, done & ~info["TimeLimit.truncated"], info["TimeLimit.truncated"]
    return result[:4]


@pytest.mark.parametrize("name", FACADES)
def test_every_interface_normalises(name):
    if name == "dm":
        pytest.importorskip("dm_env")
    options = {"num_envs": ENVS, "seed": 3}
    ours, raw = FACADES[name](**BOTH, **options), FACADES[name](**options)
    reference = Gymnasium(ENVS, gymnasium.spaces.Box(-np.inf, np.inf, (4,)))

    def observation(result):
        return result.observation.obs if name == "dm" else result[0] if isinstance(result, tuple) else result

    assert equal(observation(ours.reset()), reference.reset(observation(raw.reset())))
    actions = np.random.default_rng(0).integers(0, 2, (200, ENVS)).astype(np.int32)
    for action in actions:
        obs, reward, *flags = raw_of(name, raw.step(action))
        expected = reference.step(obs, reward, *flags)
        got = raw_of(name, ours.step(action))
        assert equal(got[0], expected[0])
        assert equal(got[1], expected[1].astype(reward.dtype))


def test_single_environments_have_statistics():
    from envpool_rs.pettingzoo import make_agent_vec, parallel_env

    single = gymnasium.make("envpool_rs/CartPole-v1", **BOTH)
    players = [make("SimpleSpread-v3", **BOTH) for make in (parallel_env, make_agent_vec)]
    for env, rows, actions in (
        (single.unwrapped, 1, 0),
        (players[0], 3, dict.fromkeys(players[0].possible_agents, 0)),
        (players[1], 3, np.zeros(3, int)),
    ):
        env.reset(seed=1)
        env.step(actions)
        statistics = env.normalization
        assert (round(statistics.obs_rms.count), round(statistics.return_rms.count)) == (2 * rows, rows)
        statistics.update_running_mean = False
        env.step(actions)
        assert round(statistics.obs_rms.count) == 2 * rows
        with pytest.raises(ValueError, match=r"^return_rms\.var=inf: expected 0 to "):
            statistics.return_rms = types.SimpleNamespace(mean=0.0, var=np.inf, count=1.0)
    assert gymnasium.make("envpool_rs/CartPole-v1").unwrapped.normalization is None
    assert parallel_env("SimpleSpread-v3").normalization is None


def test_spaces_are_those_of_results():
    for rules, bound in ((True, np.inf), ("sb3", 10.0)):
        for make in (envpool_rs.make_vec, envpool_rs.make_gymnasium):
            env = make("HalfCheetah-v5", num_envs=2, normalize_obs=rules)
            space = env.spec.observation_space
            assert space == gymnasium.spaces.Box(-bound, bound, (17,), np.float32)
            assert env.reset()[0].dtype == np.float32
            assert env.spec.state_array_spec["obs"].dtype == np.float32
    env = envpool_rs.make_vec(CARTPOLE, 2, clip_obs=1)
    assert (env.single_observation_space.high == np.float32([1, 1, 0.41887903, 1])).all()
    assert envpool_rs.make_spec(CARTPOLE, normalize_obs=True).config.normalize_obs == "gymnasium"


def test_clipping_needs_no_statistics():
    ours, raw, actions = pair(
        "HalfCheetah-v5", clip_obs=0.5, clip_reward=0.1, autoreset_mode="same_step", max_episode_steps=5
    )
    assert equal(ours.reset(seed=1)[0], np.clip(raw.reset(seed=1)[0], -0.5, 0.5))
    for _ in range(20):
        action = actions()
        got, plain = ours.step(action), raw.step(action)
        assert equal(got[0], np.clip(plain[0], -0.5, 0.5))
        assert equal(got[1], np.clip(plain[1], -0.1, 0.1))
        for env_id in (plain[2] | plain[3]).nonzero()[0]:
            assert equal(got[4]["final_obs"][env_id], np.clip(plain[4]["final_obs"][env_id], -0.5, 0.5))
    assert ours.normalization.obs_rms is None


def test_episode_statistics_are_of_the_environments_rewards():
    ours, raw, actions = pair(CARTPOLE, record_episode_statistics=True, **BOTH)
    ours.reset(seed=1), raw.reset(seed=1)
    for _ in range(60):
        action = actions()
        infos = [env.step(action)[4].get("episode", {}).get("r") for env in (ours, raw)]
        assert infos[0] is None or (infos[0] == infos[1]).all()


def test_statistics_are_readable_and_those_of_the_wrappers():
    ours, raw, actions = pair("Pendulum-v1", **BOTH)
    reference = Gymnasium(ENVS, raw.single_observation_space)
    check_some(ours, raw, actions, reference, 30)
    mine = ours.normalization
    for own, other in ((mine.obs_rms, reference.obs.obs_rms), (mine.return_rms, reference.reward.return_rms)):
        assert (own.mean == other.mean).all() and (own.var == other.var).all() and own.count == other.count
        assert own.mean.shape == np.shape(other.mean)
    assert (mine.returns == reference.reward.accumulated_reward).all()
    assert mine.update_running_mean is True


def check_some(ours, raw, actions, reference, steps):
    ours.reset(seed=1), reference.reset(raw.reset(seed=1)[0])
    for _ in range(steps):
        action = actions()
        expected = reference.step(*raw.step(action)[:4])
        assert equal(ours.step(action)[0], expected[0])


@pytest.mark.filterwarnings("ignore:reset.*the statistics of normalisation are frozen")
def test_frozen_statistics_are_those_of_the_wrappers_for_evaluation():
    for task in ("Pendulum-v1", "HalfCheetah-v5"):
        for start in (0, 20):
            ours, raw, actions = pair(task, **BOTH)
            reference = Gymnasium(ENVS, raw.single_observation_space)
            if start:
                check_some(ours, raw, actions, reference, start)
            ours.normalization.update_running_mean = False
            reference.obs.update_running_mean = reference.reward.update_running_mean = False
            before = ours.normalization
            statistics = [before.obs_rms, before.return_rms]
            check_some(ours, raw, actions, reference, 20)
            after = [ours.normalization.obs_rms, ours.normalization.return_rms]
            assert pickle.dumps(statistics) == pickle.dumps(after)


def test_statistics_that_became_nan_can_be_kept_frozen_and_restored():
    env = envpool_rs.make_vec("HalfCheetah-v5", num_envs=2, seed=1, normalize_reward=True)
    env.reset()
    env.step(np.full((2, 6), 1e200))
    assert np.isnan(env.normalization.return_rms.var)
    env.normalization.update_running_mean = False
    env.normalization.returns = [0.0, 1.0]
    assert env.normalization.returns.tolist() == [0, 1] and not env.normalization.update_running_mean
    state = env.get_state()
    env.set_state(state)
    assert env.get_state() == state and pickle.loads(pickle.dumps(env)).get_state() == state
    with pytest.raises(ValueError, match=r"^return_rms\.var=-1: expected 0 to 1e307"):
        env.normalization.return_rms = types.SimpleNamespace(mean=0.0, var=-1.0, count=1.0)
    env.normalization.return_rms = types.SimpleNamespace(mean=0.0, var=1.0, count=1.0)
    assert env.normalization.return_rms.var == 1


def test_statistics_of_wrappers_can_be_assigned():
    ours, raw, actions = pair("Pendulum-v1", **BOTH)
    reference = Gymnasium(ENVS, raw.single_observation_space)
    check_some(ours, raw, actions, reference, 20)
    other = envpool_rs.make_vec("Pendulum-v1", ENVS, seed=3, **BOTH)
    other.normalization.obs_rms = reference.obs.obs_rms
    other.normalization.return_rms = reference.reward.return_rms
    other.normalization.update_running_mean = False
    reference.obs.update_running_mean = reference.reward.update_running_mean = False
    check_some(other, raw, actions, reference, 20)


def test_states_contain_statistics_and_returns():
    for options in (BOTH, SB3):
        ours, _, actions = pair(CARTPOLE, **options)
        ours.reset(seed=1)
        for _ in range(30):
            ours.step(actions())
        state, restored = ours.get_state(), envpool_rs.make_vec(CARTPOLE, ENVS, **options)
        restored.set_state(state)
        copies = [ours, restored, copy.deepcopy(ours), pickle.loads(pickle.dumps(ours))]
        for _ in range(40):
            action = actions()
            first, *others = [env.step(action) for env in copies]
            for other in others:
                assert equal(other[0], first[0])
                assert equal(other[1], first[1])


def test_states_of_some_environments_change_no_statistics():
    ours, _, actions = pair(CARTPOLE, **BOTH)
    ours.reset(seed=1)
    ours.step(actions())
    state, returns = ours.get_state([4]), ours.normalization.returns
    for _ in range(5):
        ours.step(actions())
    statistics = ours.normalization.obs_rms
    ours.set_state(state, [2])
    assert pickle.dumps(ours.normalization.obs_rms) == pickle.dumps(statistics)
    assert ours.normalization.returns[2] == returns[4]


def test_states_of_plain_pools_fit_and_the_other_way_round():
    ours, raw, actions = pair(CARTPOLE, **BOTH)
    ours.reset(seed=1), raw.reset(seed=1)
    raw.set_state(ours.get_state())
    ours.set_state(raw.get_state())
    assert (ours.normalization.returns == 0).all()
    action = actions()
    assert (ours.step(action)[2] == raw.step(action)[2]).all()


def test_merged_statistics_are_those_of_both_pools():
    pools = [envpool_rs.make_vec("Pendulum-v1", ENVS, seed=seed, **BOTH) for seed in (1, 100)]
    for env in pools:
        env.action_space.seed(1)
        env.reset()
        for _ in range(20):
            env.step(env.action_space.sample())
    first, second = (env.normalization for env in pools)
    for name in ("obs_rms", "return_rms"):
        parts = [getattr(each, name) for each in (first, second)]
        expected = RunningMeanStd(shape=parts[0].mean.shape)
        vars(expected).update(vars(parts[0]))
        expected.update_from_moments(parts[1].mean, parts[1].var, parts[1].count)
        clone = copy.deepcopy(pools[0]).normalization
        clone.merge(second)
        merged = getattr(clone, name)
        assert (merged.mean == expected.mean).all() and (merged.var == expected.var).all()
        assert merged.count == expected.count
    with pytest.raises(TypeError, match="others has a str"):
        first.merge("x")
    with pytest.raises(ValueError, match="others: expected pools with obs_rms"):
        first.merge(envpool_rs.make_vec("Pendulum-v1", 2, normalize_reward=True).normalization)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))])
def test_copies_of_statistics_are_detached(copied):
    env = envpool_rs.make_vec("Pendulum-v1", ENVS, seed=1, **BOTH)
    single = gymnasium.make("envpool_rs/Pendulum-v1", **BOTH)
    for each in (env, single.unwrapped):
        each.reset()
        twin, before = copied(each.normalization), each.normalization.obs_rms
        each.step(each.action_space.sample())
        assert twin.obs_rms.count == before.count != each.normalization.obs_rms.count
        twin.load_state_dict(each.normalization.state_dict())
        assert twin.state_dict() == each.normalization.state_dict()


@pytest.mark.parametrize("make", [gymnasium.make, gymnasium.make_vec])
def test_specifications_share_the_statistics_that_they_were_given(make):
    training = envpool_rs.make_vec("Pendulum-v1", ENVS, seed=1, **BOTH)
    training.reset()
    env = make("envpool_rs/Pendulum-v1", normalization=training.normalization)
    again = make(env.spec)
    for _ in range(3):
        training.step(training.action_space.sample())
        for each in (env, again):
            each.reset()
            assert each.unwrapped.normalization.state_dict() == training.normalization.state_dict()


def test_statistics_of_a_closed_pool_have_a_representation():
    env = envpool_rs.make_vec("Pendulum-v1", 1, **BOTH)
    statistics = env.normalization
    assert "obs_rms=RunningMoments" in repr(statistics)
    env.close()
    assert repr(statistics) == "Normalization(of a closed pool)"


def test_masked_resets_take_in_the_rows_that_were_reset():
    ours, raw, actions = pair(CARTPOLE, 4, autoreset_mode="disabled", max_episode_steps=9, **BOTH)
    rms = RunningMeanStd(shape=(4,), dtype=np.float32)
    ours.reset(seed=1)
    rms.update(raw.reset(seed=1)[0])
    action = actions()
    ours.step(action)
    rms.update(raw.step(action)[0])
    mask = {"reset_mask": np.array([True, False, False, True])}
    obs, plain = ours.reset(options=mask)[0], raw.reset(options=mask)[0]
    rms.update(plain[mask["reset_mask"]])
    assert equal(obs, (plain - rms.mean) / np.sqrt(rms.var + 1e-8))
    assert (ours.normalization.returns == [0, 1, 1, 0]).all()


def test_some_environments_at_a_time_are_normalised():
    ours = envpool_rs.make_gymnasium(CARTPOLE, num_envs=6, seed=1, **BOTH)
    raw = envpool_rs.make_gymnasium(CARTPOLE, num_envs=6, seed=1)
    rms = RunningMeanStd(shape=(4,), dtype=np.float32)
    ours.reset()
    rms.update(raw.reset()[0])
    rng = np.random.default_rng(0)
    for _ in range(100):
        ids = rng.permutation(6)[: rng.integers(1, 7)]
        action = rng.integers(0, 2, len(ids)).astype(np.int32)
        plain = raw.step(action, ids)[0]
        rms.update(plain)
        assert equal(ours.step(action, ids)[0], (plain - rms.mean) / np.sqrt(rms.var + 1e-8))


def test_asynchronous_batches_are_normalised_as_they_arrive():
    ours = envpool_rs.make_gymnasium("Pendulum-v1", num_envs=6, batch_size=4, seed=1, **BOTH)
    raw = envpool_rs.make_gymnasium("Pendulum-v1", num_envs=6, seed=1)
    plain = {(env_id, 0): obs for env_id, obs in enumerate(raw.reset()[0])}
    for step in range(1, 60):
        obs = raw.step(np.zeros((6, 1), np.float32))[0]
        plain |= {(env_id, step): row for env_id, row in enumerate(obs)}
    rms, steps = RunningMeanStd(shape=(3,), dtype=np.float32), dict.fromkeys(range(6), -1)
    ours.async_reset()
    for _ in range(50):
        obs, *_, info = ours.recv()
        for env_id in info["env_id"]:
            steps[env_id] += 1
        rows = np.array([plain[env_id, steps[env_id]] for env_id in info["env_id"]])
        rms.update(rows)
        assert equal(obs, (rows - rms.mean) / np.sqrt(rms.var + 1e-8))
        ours.send(np.zeros((4, 1), np.float32), info["env_id"])
    # Of 50 results with 4 rows, 6 rows only reset their environment; all others add a return to the statistics.
    assert ours.normalization.return_rms.count == pytest.approx(50 * 4 - 6, abs=1e-3)


def test_players_are_normalised_as_rows():
    task = "SimpleSpread-v3"
    ours, raw = (envpool_rs.make_vec(task, 3, seed=1, **options) for options in (BOTH, {}))
    rows = raw.observation_space.shape[0]
    assert rows > 3
    reference = Gymnasium(rows, raw.single_observation_space)
    raw.action_space.seed(1)
    assert equal(ours.reset(seed=1)[0], reference.reset(raw.reset(seed=1)[0]))
    for _ in range(60):
        action = raw.action_space.sample()
        obs, reward, *flags = raw.step(action)[:4]
        expected = reference.step(obs, reward, *(np.repeat(flag, rows // 3) for flag in flags))
        got = ours.step(action)
        assert equal(got[0], expected[0])
        assert equal(got[1], expected[1])


def test_rollouts_hold_normalised_results():
    ours, raw, actions = pair("HalfCheetah-v5", **BOTH)
    reference, rollout = Gymnasium(ENVS, raw.single_observation_space), ours.rollout_buffer(20)
    ours.reset(seed=1, out=rollout)
    expected = [reference.reset(raw.reset(seed=1)[0])]
    for t in range(20):
        action = actions()
        ours.step(action, out=rollout)
        obs, reward = reference.step(*raw.step(action)[:4])
        expected.append(obs)
        assert equal(rollout.reward[t], reward)
    assert equal(rollout.obs, np.array(expected))


def test_kept_results_stay_as_they_are():
    ours, raw, actions = pair("HalfCheetah-v5", **BOTH)
    reference, kept = Gymnasium(ENVS, raw.single_observation_space), []
    ours.reset(seed=1), reference.reset(raw.reset(seed=1)[0])
    for _ in range(10):
        action = actions()
        kept.append((ours.step(action)[0], reference.step(*raw.step(action)[:4])[0]))
    assert all(equal(*both) for both in kept)


@pytest.mark.parametrize("task", [CARTPOLE, "Pendulum-v1"])
def test_xla_normalises(task):
    jax = pytest.importorskip("jax")
    options = {"num_envs": 5, "seed": 2, **BOTH}
    ours, other = (envpool_rs.make_gymnasium(task, **options) for _ in range(2))
    ours.reset(), other.reset()
    handle, _, _, step = ours.xla()
    compiled, space = jax.jit(step), ours.action_space
    space.seed(1)
    for _ in range(40):
        action = np.array([space.sample() for _ in range(5)])
        handle, (obs, reward, *_) = compiled(handle, action)
        expected = other.step(action)
        assert equal(np.asarray(obs), expected[0])
        assert equal(np.asarray(reward), expected[1])


def test_discarded_results_change_no_statistics():
    for options in ({}, {"batch_size": 2}):
        env = envpool_rs.make_gymnasium(CARTPOLE, num_envs=3, **BOTH, **options)
        env.async_reset()
        env.reset()
        assert env.normalization.obs_rms.count == (2 if options else 3) + 1e-4
        if not options:
            env.step(np.zeros(3, np.int32))
            env.send(np.zeros(3, np.int32))
            env.reset()
            assert env.normalization.obs_rms.count == 3 + 3 + 3 + 1e-4
            assert (env.normalization.returns == 0).all()
            env.step(np.zeros(3, np.int32))
            assert (env.normalization.returns == 1).all()


def test_a_reset_after_close_starts_new_statistics():
    env = envpool_rs.make_gymnasium(CARTPOLE, num_envs=3, **BOTH)
    env.reset()
    env.close()
    env.reset()
    assert env.normalization.obs_rms.count == 3 + 1e-4


def test_threads_change_nothing():
    runs = []
    for threads in (1, 2):
        env = envpool_rs.make_vec(CARTPOLE, 600, seed=1, num_threads=threads, **BOTH)
        env.action_space.seed(1)
        env.reset()
        runs.append([env.step(env.action_space.sample())[:2] for _ in range(60)])
    for one, other in zip(*runs, strict=True):
        assert equal(one[0], other[0])
        assert equal(one[1], other[1])


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"normalize_obs": "stable"}, ValueError, "normalize_obs='stable': expected True, False, \"gymnasium\""),
        ({"normalize_reward": 3.5}, TypeError, "normalize_reward=3.5: expected True, False"),
        ({"gamma": 1.5}, ValueError, r"gamma=1.5: expected a discount factor in \[0, 1\]"),
        ({"gamma": "x"}, TypeError, "gamma='x': expected a float"),
        ({"epsilon": 0}, ValueError, "epsilon=0: expected a finite number above 0"),
        ({"epsilon": float("nan")}, ValueError, "epsilon=NaN"),
        ({"clip_obs": -1}, ValueError, "clip_obs=-1: expected a bound above 0"),
        ({"clip_reward": True}, TypeError, "clip_reward=True: expected a float or None"),
    ],
)
def test_wrong_options_are_refused_by_name(options, error, text):
    for make in FACADES.values():
        with pytest.raises(error, match=text):
            make(num_envs=2, **options)


@pytest.mark.parametrize("task", ["FrozenLake-v1", "Blackjack-v1", "MiniGrid-Empty-5x5-v0"])
def test_observations_that_are_no_box_of_floats_are_refused(task):
    with pytest.raises(ValueError, match="normalize_obs=gymnasium: expected False, because observations are"):
        envpool_rs.make_vec(task, 2, normalize_obs=True)
    with pytest.raises(ValueError, match="clip_obs=2: expected None, because observations are"):
        envpool_rs.make_vec(task, 2, clip_obs=2)
    env = envpool_rs.make_vec(task, 2, normalize_reward=True)
    env.reset()
    assert env.normalization.obs_rms is None


def test_wrong_statistics_are_refused_by_name():
    env = envpool_rs.make_vec(CARTPOLE, 2, **BOTH)
    statistics, wrong = env.normalization, types.SimpleNamespace
    right = wrong(mean=np.zeros(4), var=np.ones(4), count=1.0)
    for name, value, error, text in [
        ("obs_rms", wrong(mean=np.zeros(3), var=np.ones(4), count=1), ValueError, r"obs_rms.mean has shape \(3,\)"),
        (
            "obs_rms",
            wrong(**{**vars(right), "var": -np.ones(4)}),
            ValueError,
            r"obs_rms\.var=-1: expected 0 to 1e\d+",
        ),
        ("obs_rms", wrong(**{**vars(right), "count": 0}), ValueError, "obs_rms.count=0"),
        ("obs_rms", wrong(**{**vars(right), "mean": ["x"] * 4}), TypeError, "obs_rms.mean="),
        ("obs_rms", None, TypeError, "obs_rms=None: expected an object with mean, var and count"),
        ("return_rms", right, ValueError, "return_rms.mean has shape"),
        ("returns", [1.0], ValueError, r"returns=\[1 values\]: expected 2 values"),
        ("update_running_mean", 3, TypeError, "update_running_mean=3"),
    ]:
        with pytest.raises(error, match=text):
            setattr(statistics, name, value)
    assert envpool_rs.make_vec(CARTPOLE, 2).normalization is None
    with pytest.raises(ValueError, match="obs_rms"):
        envpool_rs.make_vec(CARTPOLE, 2, normalize_reward=True).normalization.obs_rms = right


@pytest.mark.parametrize("name", FACADES)
@pytest.mark.parametrize("options", [BOTH, SB3])
def test_statistics_that_would_overflow_are_refused_with_their_range(name, options):
    if name == "dm":
        pytest.importorskip("dm_env")
    env = FACADES[name](num_envs=3, seed=1, **options)
    env.reset()
    statistics, actions = env.normalization, np.zeros(3, np.int32)
    before = [pickle.dumps(each) for each in (statistics.obs_rms, statistics.return_rms, statistics.returns)]
    for attribute, shape in (("obs_rms", (4,)), ("return_rms", ())):
        for part, value in (
            *(("mean", value) for value in (1e308, -1e308, np.inf, np.nan)),
            *(("var", value) for value in (1e308, np.inf, np.nan, -1.0)),
            *(("count", value) for value in (1e300, 2.0**53 + 2, np.inf, np.nan, 0.0, -1.0)),
        ):
            given = {"mean": np.zeros(shape), "var": np.ones(shape), "count": 1e3}
            given[part] = value if part == "count" else np.full(shape, value)
            with pytest.raises(ValueError, match=rf"^{attribute}\.{part}=\S+: expected .*\d") as caught:
                setattr(statistics, attribute, types.SimpleNamespace(**given))
            assert len(str(caught.value)) < 120
    for value in (np.inf, np.nan, 1e300):
        with pytest.raises(ValueError, match=r"^returns=\S+: expected numbers from -1e\d+ to 1e\d+"):
            statistics.returns = [0, value, 0]
    assert [pickle.dumps(each) for each in (statistics.obs_rms, statistics.return_rms, statistics.returns)] == before
    assert np.isfinite(raw_of(name, env.step(actions))[0]).all()


@pytest.mark.parametrize("options", [BOTH, SB3])
@pytest.mark.parametrize("task", ["CartPole-v1", "HalfCheetah-v5"])
def test_statistics_that_are_accepted_keep_results_finite(task, options):
    env = envpool_rs.make_vec(task, 4, seed=1, **options)
    env.action_space.seed(1)
    env.reset()
    statistics = env.normalization
    shapes = {"obs_rms": env.single_observation_space.shape, "return_rms": ()}
    powers = [0.0, *(10.0**power for power in range(-300, 309, 38))]
    accepted = 0
    for count, var, mean in itertools.product((1e-300, 1e-4, 1e6, 2.0**53), powers, powers):
        for attribute, shape in shapes.items():
            given = types.SimpleNamespace(mean=np.full(shape, -mean), var=np.full(shape, var), count=count)
            with contextlib.suppress(ValueError):
                setattr(statistics, attribute, given)
                accepted += 1
        results = [env.step(env.action_space.sample())[:2] for _ in range(2)]
        results += [(each.mean, each.var) for each in (statistics.obs_rms, statistics.return_rms)]
        assert all(np.isfinite(part).all() for result in results for part in result), (count, var, mean)
    assert accepted > 500


def test_states_with_impossible_statistics_are_refused():
    env = envpool_rs.make_vec(CARTPOLE, 2, seed=1, **BOTH)
    env.reset()
    state = env.get_state()
    for part, value, message in (
        (np.array([env.normalization.obs_rms.count]), 1e300, r"obs_rms\.count=1e300: expected a number above 0"),
        (np.array([env.normalization.obs_rms.count]), np.nan, r"obs_rms\.count=NaN"),
        (env.normalization.obs_rms.var[:1], -1.0, r"obs_rms\.var=-1: expected 0 to 3\.4\d*e38, or inf"),
        (env.normalization.obs_rms.var[:1], 1e300, r"obs_rms\.var=1e300: expected 0 to 3\.4\d*e38, or inf"),
        (env.normalization.obs_rms.var[:1], np.nan, r"obs_rms\.var=NaN: expected 0 or more, with mean="),
        (
            env.normalization.obs_rms.mean[:1],
            np.inf,
            r"obs_rms\.mean=inf: expected -3\.4\d*e38 to 3\.4\d*e38, with var=",
        ),
        (env.normalization.obs_rms.mean[:1], np.nan, r"obs_rms\.mean=NaN: expected .* with var="),
        (np.array([env.normalization.return_rms.var]), np.nan, r"return_rms\.var=NaN: expected 0 or more, with mean="),
    ):
        start = state[0].index(part.tobytes())
        damaged = bytearray(state[0])
        damaged[start : start + 8] = np.float64(value).tobytes()
        damaged[4:8] = zlib.crc32(bytes(damaged[8:])).to_bytes(4, "little")
        with pytest.raises(ValueError, match=message):
            env.set_state([damaged, state[1]])
    env.set_state(state)


def test_states_with_statistics_of_another_size_are_refused():
    state = envpool_rs.make_vec(CARTPOLE, 2, normalize_obs=True).get_state()
    other = envpool_rs.make_vec(CARTPOLE, 2, normalize_reward=True)
    with pytest.raises(ValueError, match="obs_rms=statistics"):
        other.set_state(state)
    other.set_state(state[:1], [1])  # only the environment and its return


def trained(**options):
    """Returns a pool whose statistics have counted some results."""
    env = envpool_rs.make_vec("Pendulum-v1", ENVS, seed=1, **{**BOTH, "clip_obs": 5.0, **options})
    env.action_space.seed(1)
    env.reset()
    for _ in range(5):
        env.step(env.action_space.sample())
    return env


def state_of(env):
    return env.normalization.state_dict()


@pytest.mark.parametrize("name", FACADES)
def test_a_state_dict_restores_the_statistics_bit_for_bit_in_every_interface(name, tmp_path):
    if name == "dm":
        pytest.importorskip("dm_env")
    first, second, third = (FACADES[name](num_envs=3, seed=1, **BOTH) for _ in range(3))
    first.reset()
    for _ in range(5):
        first.step(np.zeros(3, np.int32))
    state = json.loads(json.dumps(state_of(first)))
    second.normalization.load_state_dict(state)
    first.normalization.save(tmp_path / "statistics")
    third.normalization.load(tmp_path / "statistics")
    assert state_of(first) == state_of(second) == state_of(third) == state
    assert type(state["return_rms"]["mean"]) is float and len(state["obs_rms"]["var"]) == 4
    assert second.normalization.update_running_mean  # only the statistics are loaded
    arrays = {key: {part: np.array(value) for part, value in state[key].items()} for key in state}
    second.normalization.load_state_dict(arrays)
    assert state_of(second) == state


def test_wrong_state_dicts_change_nothing(tmp_path):
    env, other = trained(), envpool_rs.make_vec("Pendulum-v1", 2, normalize_obs=True)
    state = state_of(env)
    lacking = {part: value for part, value in state["obs_rms"].items() if part != "var"}
    for wrong, error, text in (
        ({}, ValueError, r"state has the keys \[\]: expected obs_rms and return_rms"),
        (3, TypeError, "state=3: expected a dict"),
        (
            {**state, "obs_rms": None},
            ValueError,
            r"state\['obs_rms'\]=None: the pool has these statistics, the state has",
        ),
        ({**state, "obs_rms": lacking}, ValueError, r"state\['obs_rms'\] has the keys \['mean', 'count'\]"),
        ({**state, "obs_rms": state["return_rms"]}, ValueError, r"mean has shape \(\): expected \(3,\)"),
        ({**state, "return_rms": {**state["return_rms"], "var": -1.0}}, ValueError, "return_rms.var=-1"),
        ({**state, "return_rms": 3}, TypeError, "expected a dict with mean, var and count"),
        *(
            ({**state, "obs_rms": {**state["obs_rms"], part: value}}, TypeError, f"{part}=.*: expected numbers")
            for part, value in (
                ("count", "5"),
                ("count", True),
                ("mean", [True, 1.0, 2]),
                ("mean", ["1", "2", "3"]),
                ("mean", np.ones(3, bool)),
                ("mean", [None, 1.0, 2.0]),
            )
        ),
    ):
        with pytest.raises(error, match=text):
            env.normalization.load_state_dict(wrong)
        assert state_of(env) == state
    with pytest.raises(ValueError, match=r"state\['return_rms'\]=.*the state has these statistics, the pool has not"):
        other.normalization.load_state_dict(state)
    np.savez(tmp_path / "pickled.npz", obs_rms=np.array([object()]))
    with pytest.raises(ValueError, match="allow_pickle"):
        env.normalization.load(tmp_path / "pickled.npz")
    env.normalization.save(tmp_path / "whole")
    np.save(tmp_path / "array.npy", np.zeros((3, 3)))
    (tmp_path / "cut").write_bytes((tmp_path / "whole").read_bytes()[:200])
    (tmp_path / "empty").touch()
    whole = (tmp_path / "whole").read_bytes()
    entry = whole.index(b"PK\x01\x02")  # of the archive's directory
    for name, place in (("version", entry + 6), ("encrypted", entry + 8)):
        (tmp_path / name).write_bytes(whole[:place] + bytes([whole[place] ^ 65]) + whole[place + 1 :])
    for name in ("array.npy", "cut", "empty", "version", "encrypted"):
        with pytest.raises(ValueError, match=f"path='.*{name}': expected a file that save has written"):
            env.normalization.load(tmp_path / name)
    assert state_of(env) == state


def test_training_is_another_name_of_update_running_mean():
    env = trained()
    env.normalization.training = False
    state = state_of(env)
    assert not env.normalization.update_running_mean
    env.step(env.action_space.sample())
    assert state_of(env) == state
    env.normalization.training = True
    assert env.normalization.update_running_mean and env.normalization.training
    with pytest.raises(TypeError, match="training=3: expected a bool"):
        env.normalization.training = 3


@pytest.mark.parametrize("setting", ["training", "update_running_mean"])
def test_resets_with_frozen_statistics_that_have_counted_nothing_warn(setting):
    env = envpool_rs.make_vec("Pendulum-v1", 2, **BOTH)
    setattr(env.normalization, setting, False)
    with pytest.warns(UserWarning, match="the statistics of normalisation are frozen and have count") as caught:
        env.reset()
    assert caught[0].filename == __file__
    env.normalization.obs_rms = types.SimpleNamespace(mean=np.zeros(3), var=np.ones(3), count=5.0)
    env.reset()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", FACADES)
def test_a_pool_with_the_statistics_of_another_follows_it_frozen(name, mode):
    if name == "dm":
        pytest.importorskip("dm_env")
    if (name, mode) == ("dm", "same_step"):
        pytest.skip("dm_env's time steps have no final observation")
    training = FACADES["vector"](num_envs=ENVS, seed=1, clip_obs=5.0, **BOTH)
    training.reset()
    evaluation = FACADES[name](num_envs=3, seed=2, normalization=training.normalization, autoreset_mode=mode)
    plain = FACADES[name](num_envs=3, seed=2, autoreset_mode=mode)
    assert evaluation.spec.config.clip_obs == 5.0
    for _ in range(2):
        training.step(np.ones(ENVS, int))
        raw, ours = (raw_of(name, each.reset()) for each in (plain, evaluation))
        frozen = state_of(training)
        assert state_of(evaluation) == frozen
        moments = training.normalization.obs_rms
        expected = (raw[0] - moments.mean) / np.sqrt(moments.var + 1e-8)
        np.testing.assert_allclose(ours[0], np.clip(expected, -5, 5), rtol=1e-5)
        for _ in range(4):
            evaluation.step(np.ones(3, np.int32))
            training.step(np.ones(ENVS, int))
        assert state_of(evaluation) == frozen != state_of(training)
    with pytest.raises(ValueError, match="training=True: expected False, because this pool has the statistics of anot"):
        evaluation.normalization.training = True
    with contextlib.suppress(TypeError):
        restored = pickle.loads(pickle.dumps(evaluation))
        assert state_of(restored) == frozen and not restored.normalization.training
    training.close()
    evaluation.reset()
    assert state_of(evaluation) == frozen


def test_single_environments_async_pools_and_recreated_pools_follow_the_statistics_of_another():
    training = trained()
    single = gymnasium.make("envpool_rs/Pendulum-v1", normalization=training.normalization)
    single.reset()
    assert single.unwrapped.normalization.state_dict() == state_of(training)
    pool = envpool_rs.make("Pendulum-v1", num_envs=4, batch_size=2, normalization=training.normalization)
    for _ in range(2):
        training.step(training.action_space.sample())
        pool.async_reset()
        assert state_of(pool) == state_of(training)
        pool.recv()
        pool.close()
    with pytest.raises(TypeError, match="normalization=3: expected the normalization of a pool, or None"):
        envpool_rs.make("Pendulum-v1", normalization=3)
    with pytest.raises(ValueError, match="expected statistics obs_rms of 4 numbers"):
        envpool_rs.make(CARTPOLE, normalization=training.normalization)
    rewards = envpool_rs.make("Pendulum-v1", normalization=training.normalization, normalize_reward=False)
    assert rewards.normalization.return_rms is None and rewards.normalization.obs_rms is not None
