"""Compares `envpool_rs.sb3.VecEnv` with Stable-Baselines3's vector environment over gymnasium's environments, and
trains with its algorithms.
"""

import os
import pathlib
import signal
import sys
from functools import partial

import envpool_rs
import gymnasium
import numpy as np
import pytest
from conftest import consumer

consumer("stable_baselines3")

from envpool_rs.robotics import compute_reward  # noqa: E402
from envpool_rs.sb3 import FrameReplayBuffer, VecEnv  # noqa: E402
from envpool_rs.sb3 import make_vec_env as our_make_vec_env  # noqa: E402
from gymnasium.error import AlreadyPendingCallError  # noqa: E402
from gymnasium.wrappers.vector import TransformReward  # noqa: E402
from stable_baselines3 import DQN, PPO, SAC, HerReplayBuffer  # noqa: E402
from stable_baselines3.common.buffers import ReplayBuffer  # noqa: E402
from stable_baselines3.common.callbacks import EvalCallback  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402
from stable_baselines3.common.monitor import Monitor  # noqa: E402
from stable_baselines3.common.vec_env import (  # noqa: E402
    SubprocVecEnv,
    VecCheckNan,
    VecFrameStack,
    VecMonitor,
    VecNormalize,
)

CASES = [
    ("CartPole-v1", "native"),
    ("Pendulum-v1", "native"),
    ("MountainCarContinuous-v0", "native"),
    ("Acrobot-v1", "native"),
    ("FrozenLake-v1", "native"),
    ("CartPole-v1", "shared_memory"),
    ("Pendulum-v1", "gymnasium's"),
]
ENVS = 3
LIMIT = 14


def ours_over(task, kind):
    if kind != "gymnasium's":
        return VecEnv(task, ENVS, max_episode_steps=LIMIT, vectorization_mode=kind)
    single = [lambda: gymnasium.make(task, max_episode_steps=LIMIT)] * ENVS
    envs = gymnasium.vector.SyncVectorEnv(single, autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP)
    return VecEnv(gymnasium.wrappers.vector.RecordEpisodeStatistics(envs))


def sampled(space, rng):
    if hasattr(space, "n"):
        return rng.integers(space.n, size=ENVS)
    return rng.uniform(space.low, space.high, (ENVS, *space.shape)).astype(space.dtype)


def assert_infos_equal(ours, theirs):
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.keys() == other.keys()
        for key, value in mine.items():
            if key == "episode":
                assert (value["r"], value["l"]) == (pytest.approx(other[key]["r"], abs=1e-5), other[key]["l"])
                assert type(value["r"]) is float and type(value["l"]) is int and value["t"] >= 0
            else:
                np.testing.assert_array_equal(value, other[key], key)


@pytest.mark.filterwarnings("ignore:The `render_mode` attribute is not defined")  # warning of RecordEpisodeStatistics
@pytest.mark.parametrize(("task", "kind"), CASES)
def test_results_equal_those_of_stable_baselines3s_vec_env(task, kind):
    ours = ours_over(task, kind)
    theirs = make_vec_env(task, ENVS, env_kwargs={"max_episode_steps": LIMIT})
    assert (ours.observation_space, ours.action_space) == (theirs.observation_space, theirs.action_space)
    assert ours.seed(5) == theirs.seed(5)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    rng, ended = np.random.default_rng(0), 0
    for _ in range(60):
        actions = sampled(ours.action_space, rng)
        mine, other = ours.step(actions), theirs.step(actions)
        for left, right in zip(mine[:3], other[:3], strict=True):
            assert (left.dtype, left.shape) == (right.dtype, right.shape)
            np.testing.assert_array_equal(left, right)
        assert_infos_equal(mine[3], other[3])
        ended += mine[2].sum()
    assert ended >= ENVS * 4
    ours.close(), theirs.close()


def test_truncation_is_distinguished_from_termination():
    ours = VecEnv("CartPole-v1", 2, max_episode_steps=5)
    ours.reset()
    results = [ours.step(np.array([0, 1])) for _ in range(5)]
    assert results[4][2].all() and all(info["TimeLimit.truncated"] for info in results[4][3])
    assert not any(info["TimeLimit.truncated"] for result in results[:4] for info in result[3])


def test_terminal_observations_differ_from_the_next_first_observations():
    ours = VecEnv("CartPole-v1", 2, max_episode_steps=5)
    first = ours.reset()
    for _ in range(5):
        observation, _, dones, infos = ours.step(np.array([0, 1]))
    assert dones.all() and not any((infos[i]["terminal_observation"] == observation[i]).any() for i in range(2))
    assert (np.abs(observation) <= 0.05).all() and observation.shape == first.shape


def test_action_masks_belong_to_the_returned_observation():
    ours = VecEnv("Taxi-v3", ENVS, max_episode_steps=7)
    assert ours.has_attr("action_masks")
    with pytest.raises(RuntimeError, match="call reset first"):
        ours.env_method("action_masks")
    observation = ours.reset()
    single = gymnasium.make("Taxi-v4").unwrapped
    for _ in range(20):
        masks = ours.env_method("action_masks")
        assert [mask.tolist() for mask in masks] == [
            single.action_mask(int(state)).astype(bool).tolist() for state in observation
        ]
        observation = ours.step(np.array([mask.argmax() for mask in masks]))[0]
    assert len(ours.env_method("action_masks", indices=[2, 0])) == 2
    assert (
        ours.get_attr("action_masks", indices=1)[0]().tolist() == ours.env_method("action_masks", indices=1)[0].tolist()
    )


def test_tasks_without_masks_raise_an_error():
    assert not VecEnv("CartPole-v1").has_attr("action_masks")
    with pytest.raises(AttributeError):
        VecEnv("CartPole-v1").env_method("action_masks")


def test_masked_ppo_learns_on_taxi():
    maskable = consumer("sb3_contrib")
    model = maskable.MaskablePPO("MlpPolicy", VecEnv("Taxi-v3", 4), n_steps=32, batch_size=64, device="cpu", seed=0)
    assert model.learn(256).num_timesteps >= 256


def test_options_are_attributes_that_cannot_be_set():
    ours = VecEnv("CartPole-v1", 2)
    assert ours.get_attr("sutton_barto_reward") == [False, False] and ours.get_attr("render_mode", 1) == [None]
    with pytest.raises(AttributeError, match="fixed when the pool is made"):
        ours.set_attr("sutton_barto_reward", True)
    with pytest.raises(AttributeError, match="physics of native environments are fixed"):
        ours.set_attr("tau", 3.0)
    with pytest.raises(AttributeError, match="environments of a pool have no attribute 'training'; there are: "):
        ours.set_attr("training", False)


def test_attribute_and_method_calls_equal_those_of_make_vec_env():
    ours, theirs = VecEnv("CartPole-v1", 3), make_vec_env("CartPole-v1", 3)
    for env in (ours, theirs):
        env.seed(1)
        env.reset()
        assert not env.has_attr("own") and env.has_attr("gravity") and env.has_attr("spec")
        assert env.env_method("get_wrapper_attr", "gravity", indices=[0, 2]) == [9.8, 9.8]
        assert env.env_method("has_wrapper_attr", "gravity") == [True] * 3
        assert env.env_method("set_wrapper_attr", "other", 1, indices=1) == [True]
        assert env.get_attr("other", indices=1) == [1]
    for indices in (None, [2, 0], -1):
        mine, other = (env.env_method("reset", seed=4, indices=indices) for env in (ours, theirs))
        assert len(mine) == len(other)
        for left, right in zip(mine, other, strict=True):
            np.testing.assert_array_equal(left[0], right[0])
            assert left[1] == right[1]
    assert ours.metadata == {**theirs.metadata, "render_modes": ["human", "rgb_array"]}
    assert ours.render_mode is None and VecEnv("CartPole-v1", render_mode="rgb_array").render_mode == "rgb_array"
    spec = ours.get_attr("spec")[0]
    assert (spec.max_episode_steps, spec.reward_threshold) == (500, 475.0)
    assert spec.make().reset(seed=4)[0].tolist() == mine[0][0].tolist()


def test_steps_before_the_first_reset_are_refused():
    for env in (VecEnv("CartPole-v1", 2), make_vec_env("CartPole-v1", 2)):
        with pytest.raises(RuntimeError, match="reset"):
            env.step(np.array([0, 1]))


def test_environments_are_made_by_functions():
    ours = VecEnv([lambda: Monitor(gymnasium.make("CartPole-v1")), lambda: gymnasium.make("CartPole-v1")])
    assert ours.env_is_wrapped(Monitor) == [True, False]
    ours.reset()
    assert ours.step([0, 1])[0].shape == (2, 4)
    ours.close()


def test_environments_written_in_python_have_all_attributes_and_methods():
    ours = VecEnv("CartPole-v1", 3, vectorization_mode="shared_memory")
    ours.reset()
    ours.set_attr("gravity", 3.0, indices=[0, 2])
    assert ours.get_attr("unwrapped.gravity", indices=1) == [9.8]
    ours.set_attr("unwrapped.gravity", 3.0, indices=[0, 2])
    assert ours.get_attr("unwrapped.gravity") == [3.0, 9.8, 3.0]
    assert ours.env_method("has_wrapper_attr", "gravity", indices=1) == [True]
    ours.close()


def test_pictures_of_all_environments_are_tiled():
    ours = VecEnv("CartPole-v1", 3, render_mode="rgb_array")
    ours.reset()
    assert ours.render().shape == (800, 1200, 3) and len(ours.get_images()) == 3
    with pytest.warns(UserWarning, match="need 'rgb_array'"):
        assert VecEnv("CartPole-v1", 2).get_images() == [None, None]


def test_seeds_apply_to_one_reset():
    ours = VecEnv("CartPole-v1", 2)
    ours.seed(3)
    first = ours.reset()
    second = ours.reset()
    ours.seed(3)
    np.testing.assert_array_equal(ours.reset(), first)
    np.testing.assert_array_equal(ours.reset(), second)
    assert (first != second).any()


def test_reset_options_are_passed_on():
    ours = VecEnv("CartPole-v1", 2)
    ours.set_options({"low": 0.3, "high": 0.31})
    assert (ours.reset() >= np.float32(0.3)).all() and (ours.reset() < 0.3).all()
    ours.set_options([{"low": 0.3, "high": 0.31}, {}])
    first, second = ours.reset()
    assert (first >= np.float32(0.3)).all() and (second < 0.3).all() and (ours.reset() < 0.3).all()
    single = [lambda: gymnasium.make("CartPole-v1")] * 2
    theirs = VecEnv(gymnasium.vector.SyncVectorEnv(single, autoreset_mode=gymnasium.vector.AutoresetMode.SAME_STEP))
    theirs.set_options([{"low": -0.1}, {}])
    with pytest.raises(ValueError, match="the same options for all environments"):
        theirs.reset()


def test_options_of_later_episodes_and_queues_are_those_of_the_pool():
    env = VecEnv("Pendulum-v1", 3)
    env.set_options(g=3.0, env_ids=[1])
    env.queue_resets([2], options={"g": 5.0})
    assert env.queued_resets().tolist() == [0, 0, 1]
    env.reset()
    assert env.get_options()["g"].tolist() == [10, 3, 5]
    env.queue_resets(seeds=3)
    env.clear_resets()
    assert env.queued_resets().tolist() == [0, 0, 0]


def test_players_are_environments():
    env = VecEnv("SimpleSpread-v3", 2)
    env.seed(4)
    assert env.num_envs == 6 and env.reset().shape == (6, 18)
    import envpool_rs

    pool = envpool_rs.make_vec("SimpleSpread-v3", 2, autoreset_mode="same_step")
    pool.reset(seed=[4, 7])
    for step in range(1, 26):
        observation, reward, done, infos = env.step(np.ones(6, np.int64))
        expected, rewards, *_, info = pool.step(np.ones(6, np.int64))
        np.testing.assert_array_equal(observation, expected)
        np.testing.assert_array_equal(reward, rewards.astype(np.float32))
        assert done.tolist() == [step == 25] * 6
    np.testing.assert_array_equal(infos[4]["terminal_observation"], info["final_obs"][1][1])
    assert infos[4]["TimeLimit.truncated"] and infos[4]["episode"]["l"] == 25
    assert env.get_attr("local_ratio", [0, 5]) == [0.5, 0.5]
    PPO("MlpPolicy", env, n_steps=8, batch_size=24, n_epochs=1).learn(96)
    env.close()


def test_agents_of_pettingzoo_are_environments():
    import mpe2.simple_spread_v3

    env = VecEnv([lambda: mpe2.simple_spread_v3.parallel_env(max_cycles=4)] * 2)
    assert env.num_envs == 6
    env.reset()
    for _ in range(4):
        *_, done, infos = env.step(np.ones(6, np.int64))
    assert done.all() and all(info["episode"]["l"] == 4 and info["TimeLimit.truncated"] for info in infos)
    env.close()


def test_wrong_constructor_arguments_are_named():
    with pytest.raises(ValueError, match="autoreset_mode='next_step'"):
        VecEnv("CartPole-v1", autoreset_mode="next_step")
    with pytest.raises(ValueError, match="speaker_0, listener_0 have spaces of their own"):
        VecEnv("SimpleSpeakerListener-v4")
    with pytest.raises(ValueError, match="batch_size is below num_envs"):
        VecEnv("CartPole-v1", 4, batch_size=2)
    import envpool_rs

    with pytest.raises(ValueError, match=r"NEXT_STEP: expected AutoresetMode.SAME_STEP"):
        VecEnv(envpool_rs.make_vec("CartPole-v1"))
    with pytest.raises(ValueError, match="single environment's spaces"):
        VecEnv(envpool_rs.make("CartPole-v1", autoreset_mode="same_step"))
    with pytest.raises(TypeError, match="expected an id or a gymnasium"):
        VecEnv(gymnasium.make("CartPole-v1"))
    with pytest.raises(TypeError, match="seed: options belong to an id"):
        VecEnv(envpool_rs.make_vec("CartPole-v1", autoreset_mode="same_step"), seed=3)


def test_waiting_for_a_step_that_was_not_started_is_an_error():
    ours = VecEnv("CartPole-v1")
    ours.reset()
    with pytest.raises(RuntimeError, match="call step_async first"):
        ours.step_wait()


def test_a_refused_step_leaves_nothing_in_flight():
    ours = VecEnv("CartPole-v1", 3)
    ours.seed(1)
    ours.reset()
    for wrong in (np.full(3, 7), np.zeros(2, int)):
        with pytest.raises(ValueError, match="action"):
            ours.step(wrong)
        with pytest.raises(RuntimeError, match="call step_async first"):
            ours.step_wait()
    other = VecEnv("CartPole-v1", 3)
    other.seed(1)
    other.reset()
    np.testing.assert_array_equal(ours.step(np.ones(3, int))[0], other.step(np.ones(3, int))[0])


class SignalError(Exception):
    """Raised by the handler of a signal."""


class Interrupting(gymnasium.Env):
    """Environment that, in its second step, signals the caller's process and reads a pipe, if it has one."""

    observation_space = gymnasium.spaces.Box(0, 9, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, process, pipe):
        self.process, self.pipe, self.count = process, pipe, 0

    def reset(self, *, seed=None, options=None):
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.count += 1
        if self.count == 2 and self.pipe is not None:
            os.kill(self.process, signal.SIGUSR1)
            pathlib.Path(self.pipe).read_text()
        return np.full(1, self.count, np.float32), float(action), False, False, {}


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_an_interrupted_step_is_received_by_the_next_wait(tmp_path, is_wrapped):
    def raise_error(*_):
        raise SignalError

    pipe, process = str(tmp_path / "pipe"), os.getpid()
    os.mkfifo(pipe)
    functions = [partial(Interrupting, process, each) for each in (pipe, None)]
    env = envpool_rs.make_vec(functions, autoreset_mode="same_step", caller_steps=False)
    ours = VecEnv(TransformReward(env, lambda reward: 10 * reward) if is_wrapped else env)
    ours.reset()
    before = signal.signal(signal.SIGUSR1, raise_error)
    try:
        ours.step(np.zeros(2, int))
        with pytest.raises(SignalError):
            ours.step(np.ones(2, int))
    finally:
        signal.signal(signal.SIGUSR1, signal.SIG_IGN)
    with pytest.raises(AlreadyPendingCallError, match="call step_wait"):
        ours.step(np.zeros(2, int))
    pathlib.Path(pipe).write_text("")  # waits until the environment reads
    observation, reward, *_ = ours.step_wait()
    signal.signal(signal.SIGUSR1, before)
    assert observation.tolist() == [[2], [2]] and reward.tolist() == [10 if is_wrapped else 1] * 2
    assert ours.step(np.zeros(2, int))[0].tolist() == [[3], [3]]
    ours.close()


@pytest.mark.parametrize("is_wrapped", [False, True])
def test_a_result_that_an_interrupt_loses_is_returned_by_the_next_wait(is_wrapped):
    def made():
        env = envpool_rs.make_vec("CartPole-v1", 2, seed=3, autoreset_mode="same_step")
        return VecEnv(TransformReward(env, lambda reward: 10 * reward) if is_wrapped else env)

    def profile(frame, event, function):
        if event == "c_return" and function.__name__ == "step":
            sys.setprofile(None)
            raise KeyboardInterrupt

    ours, twin = made(), made()
    ours.reset(), twin.reset()
    for _ in range(30):
        sys.setprofile(profile)
        try:
            with pytest.raises(KeyboardInterrupt):
                ours.step(np.zeros(2, int))
        finally:
            sys.setprofile(None)
        with pytest.raises(AlreadyPendingCallError, match="call step_wait"):
            ours.step(np.zeros(2, int))
        for got, expected in zip(ours.step_wait()[:3], twin.step(np.zeros(2, int))[:3], strict=True):
            np.testing.assert_array_equal(got, expected)


def test_monitors_find_their_statistics():
    assert VecEnv("CartPole-v1", 2).env_is_wrapped(Monitor) == [True, True]
    assert VecEnv("CartPole-v1", 2).env_is_wrapped(gymnasium.wrappers.TimeLimit, 1) == [False]


@pytest.mark.parametrize("records", [False, True])
def test_a_recording_vector_environment_is_monitored(records):
    import envpool_rs

    options = {"num_envs": 2, "autoreset_mode": "same_step"}
    pool = envpool_rs.make_vec("CartPole-v1", record_episode_statistics=records, **options)
    assert VecEnv(pool).env_is_wrapped(Monitor) == [records] * 2
    wrapped = gymnasium.wrappers.vector.RecordEpisodeStatistics(envpool_rs.make_vec("CartPole-v1", **options))
    ours = VecEnv(wrapped)
    assert ours.env_is_wrapped(Monitor) == [True] * 2
    assert ours.get_attr("render_mode") == [None] * 2
    with pytest.raises(ValueError, match="method_name='reset'"):
        ours.env_method("reset", indices=0)
    python = envpool_rs.make_vec(
        "Acrobot-v1", record_episode_statistics=records, vectorization_mode="shared_memory", **options
    )
    assert VecEnv(python).env_is_wrapped(Monitor) == [records] * 2


@pytest.mark.filterwarnings("ignore:The environment is already wrapped with a `Monitor`")
@pytest.mark.parametrize("wrapper", [VecCheckNan, VecMonitor, VecNormalize, lambda env: VecFrameStack(env, 3)])
def test_wrappers_of_stable_baselines3_wrap_our_vec_env(wrapper):
    ours = wrapper(VecEnv("CartPole-v1", 2, max_episode_steps=6))
    ours.reset()
    infos = [ours.step(np.array([0, 1]))[3] for _ in range(6)][5]
    assert all("terminal_observation" in info and info["episode"]["l"] == 6 for info in infos)


@pytest.mark.parametrize("task", ["CartPole-v1", "Pendulum-v1"])
def test_normalised_pools_equal_vec_normalize(task):
    ours = VecEnv(task, ENVS, max_episode_steps=LIMIT, normalize_obs="sb3", normalize_reward="sb3")
    theirs = VecNormalize(VecEnv(task, ENVS, max_episode_steps=LIMIT))
    rng = np.random.default_rng(0)
    for env in (ours, theirs):
        env.seed(3)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    for _ in range(5 * LIMIT):
        actions = sampled(ours.action_space, rng)
        mine, other = ours.step(actions), theirs.step(actions)
        for got, expected in zip(mine[:3], other[:3], strict=True):
            assert got.dtype == expected.dtype
            np.testing.assert_array_equal(got, expected)
        for info, expected in zip(mine[3], other[3], strict=True):
            if "terminal_observation" in expected:
                np.testing.assert_array_equal(info["terminal_observation"], expected["terminal_observation"])
    statistics = ours.vector_env.normalization
    for own, reference in ((statistics.obs_rms, theirs.obs_rms), (statistics.return_rms, theirs.ret_rms)):
        np.testing.assert_array_equal(own.mean, reference.mean)
        np.testing.assert_array_equal(own.var, reference.var)
        assert own.count == reference.count


@pytest.mark.parametrize("algorithm", [PPO, DQN])
def test_algorithms_learn_from_our_vec_env(algorithm):
    options = {"n_steps": 32, "batch_size": 64} if algorithm is PPO else {"learning_starts": 50, "buffer_size": 500}
    model = algorithm("MlpPolicy", VecEnv("CartPole-v1", 4), seed=1, device="cpu", **options).learn(256)
    assert len(model.ep_info_buffer) > 0


def test_off_policy_algorithms_take_continuous_actions():
    env = VecNormalize(VecEnv("Pendulum-v1", 2, max_episode_steps=20))
    model = SAC("MlpPolicy", env, learning_starts=20, buffer_size=500, seed=1, device="cpu").learn(80)
    assert len(model.ep_info_buffer) == 4


def test_the_example_runs(run_example):
    assert "return after 1024 steps" in run_example("consumers/stable_baselines3_ppo.py", "1024")


def stacked_steps(env, count):
    """Yields the arguments of a replay buffer's ``add``; the environments are also reset in between."""
    observation = env.reset()
    for step in range(count):
        actions = np.array([env.action_space.sample() for _ in range(env.num_envs)])
        following, reward, done, infos = env.step(actions)
        last = following.copy()
        for index in np.flatnonzero(done):
            last[index] = infos[index]["terminal_observation"]
        yield observation, last, actions, reward, done, infos
        observation = env.reset() if step == count // 2 else following


@pytest.mark.parametrize("options", [{}, {"episodic_life": True, "frame_skip": 12}, {"max_episode_steps": 7}])
def test_a_buffer_of_frames_has_the_samples_of_the_buffer_of_stacks(options):
    pytest.importorskip("ale_py")
    env = VecEnv("Breakout-v5", 3, seed=4, img_height=12, img_width=10, **options)
    spaces = (env.observation_space, env.action_space)
    ours = FrameReplayBuffer(90, *spaces, device="cpu", n_envs=3)
    theirs = ReplayBuffer(90, *spaces, device="cpu", n_envs=3)
    env.action_space.seed(0)
    for step, arguments in enumerate(stacked_steps(env, 100)):
        ours.add(*arguments), theirs.add(*arguments)
        if step in (0, 20, 40, 75, 99):
            samples = []
            for buffer in (ours, theirs):
                np.random.seed(step)
                samples.append(buffer.sample(256))
            for own, other in zip(*(each[:5] for each in samples), strict=True):
                np.testing.assert_array_equal(own.numpy(), other.numpy())
    assert ours.size() == theirs.size() == 30
    env.close()


def test_a_buffer_of_frames_takes_an_eighth():
    from gymnasium.spaces import Box, Discrete

    space = Box(0, 255, (4, 84, 84), np.uint8)
    ours = FrameReplayBuffer(4000, space, Discrete(6), device="cpu", n_envs=4)
    theirs = ReplayBuffer(4000, space, Discrete(6), device="cpu", n_envs=4)
    stacks = theirs.observations.nbytes + theirs.next_observations.nbytes
    assert 7.8 < stacks / ours.nbytes < 8
    with pytest.raises(ValueError, match="whose first axis holds stack_num=3 frames"):
        FrameReplayBuffer(10, space, Discrete(6), stack_num=3)
    with pytest.raises(ValueError, match="optimize_memory_usage=True: expected False"):
        FrameReplayBuffer(10, space, Discrete(6), optimize_memory_usage=True)
    with pytest.raises(TypeError, match=r"stack_num=4\.0: expected an int"):
        FrameReplayBuffer(10, space, Discrete(6), stack_num=4.0)


def test_dqn_learns_from_a_buffer_of_frames():
    pytest.importorskip("ale_py")
    env = VecEnv("Pong-v5", 2, img_height=36, img_width=36)
    options = {"buffer_size": 200, "learning_starts": 20, "batch_size": 8, "train_freq": 4}
    agent = DQN("CnnPolicy", env, replay_buffer_class=FrameReplayBuffer, seed=0, device="cpu", **options)
    agent.learn(64)
    assert agent.replay_buffer.size() == 32 and agent._n_updates > 0
    env.close()


def test_her_trains_on_a_pool_of_mazes_with_relabelled_rewards():
    """Trains SAC with ``HerReplayBuffer``, and compares rewards of relabelled transitions with the goals' distances."""
    pytest.importorskip("mujoco")
    venv = VecEnv("PointMaze_UMaze-v3", 4, seed=3, max_episode_steps=20, continuing_task=False)
    model = SAC(
        "MultiInputPolicy",
        venv,
        replay_buffer_class=HerReplayBuffer,
        replay_buffer_kwargs={"n_sampled_goal": 4, "goal_selection_strategy": "future"},
        learning_starts=100,
        batch_size=64,
        policy_kwargs={"net_arch": [16]},
        seed=0,
        device="cpu",
    )
    before = [parameter.detach().clone() for parameter in model.actor.parameters()]
    model.learn(200)
    assert any(not old.equal(new) for old, new in zip(before, model.actor.parameters(), strict=True))
    sample = model.replay_buffer.sample(512)
    achieved, desired = (sample.next_observations[key].numpy() for key in ("achieved_goal", "desired_goal"))
    rewards = sample.rewards.numpy()[:, 0]
    distances = np.linalg.norm(achieved.astype(np.float64) - desired, axis=-1)
    clear = np.abs(distances - 0.45) > 1e-5  # the buffer's goals are float32
    np.testing.assert_array_equal(rewards[clear], (distances <= 0.45)[clear])
    np.testing.assert_array_equal(rewards[clear], compute_reward(achieved, desired)[clear])
    assert set(rewards) == {0.0, 1.0}
    venv.close()


def test_unknown_attributes_are_refused():
    env = VecEnv("CartPole-v1", ENVS)
    with pytest.raises(AttributeError, match="VecEnv has no attribute 'training' to assign"):
        env.training = False
    with pytest.raises(AttributeError, match="did you mean 'num_envs'"):
        env.num_env = 4
    env.render_mode, env.metadata, env.reset_infos = None, {}, [{}] * ENVS
    env.close()


class OutOfOrderError(Exception):
    """Raised by an environment."""


class Failing(gymnasium.Env):
    """Environment that fails for action 2, and ends its process for action 3. Episodes take two steps."""

    observation_space = gymnasium.spaces.Dict({"count": gymnasium.spaces.Box(0, 9, (1,), np.float32)})
    action_space = gymnasium.spaces.Discrete(4)

    def reset(self, *, seed=None, options=None):
        self.count = 0
        return {"count": np.zeros(1, np.float32)}, {"first": True}

    def step(self, action):
        if action == 2:
            raise OutOfOrderError("out of order")
        if action == 3:
            os._exit(1)
        self.count += 1
        observation = {"count": np.full(1, self.count, np.float32)}
        return observation, float(action), self.count == 2, False, {"steps": self.count}


@pytest.mark.parametrize("is_wrapped", [False, True])
@pytest.mark.parametrize("failed", [[1], [0, 2], [0, 1, 2]])
def test_a_step_in_which_environments_fail_is_completed_by_the_next_wait(failed, is_wrapped):
    env = envpool_rs.make_vec([Failing] * ENVS, autoreset_mode="same_step")
    ours = VecEnv(TransformReward(env, lambda reward: 10 * reward) if is_wrapped else env)
    ours.reset()
    ours.step(np.ones(ENVS, int))
    actions = np.ones(ENVS, int)
    actions[failed] = 2
    with pytest.raises(OutOfOrderError, match="out of order") as caught:
        ours.step(actions)
    assert caught.value.env_ids == failed
    with pytest.raises(AlreadyPendingCallError, match=r"failed in the last step; call step_wait, which resets them"):
        ours.step(actions)
    observation, reward, dones, infos = ours.step_wait()
    is_failed = np.isin(np.arange(ENVS), failed)
    assert observation["count"].tolist() == [[0]] * ENVS and dones.all()
    assert reward.tolist() == np.where(is_failed, 0, 10 if is_wrapped else 1).tolist()
    for index, info in enumerate(infos):
        assert info["TimeLimit.truncated"] == is_failed[index]
        assert info.get("restarted", False) == is_failed[index]
        if is_failed[index]:
            assert "terminal_observation" not in info
        else:
            assert info["terminal_observation"]["count"] == 2 and info["steps"] == 2
        assert ours.reset_infos[index]["first"]
    with pytest.raises(RuntimeError, match="no step was started"):
        ours.step_wait()
    observation, reward, dones, _ = ours.step(np.ones(ENVS, int))
    assert observation["count"].tolist() == [[1]] * ENVS and not dones.any()
    ours.close()


def test_a_reset_forgets_a_step_in_which_an_environment_failed():
    ours = VecEnv([Failing] * ENVS)
    ours.reset()
    with pytest.raises(OutOfOrderError):
        ours.step(np.array([1, 2, 1]))
    assert ours.reset()["count"].tolist() == [[0]] * ENVS
    assert ours.step(np.ones(ENVS, int))[0]["count"].tolist() == [[1]] * ENVS
    ours.close()


def test_steps_of_restarted_environments_are_done_without_a_terminal_observation():
    ours = VecEnv([Failing] * ENVS, num_workers=ENVS, restart=True)
    ours.reset()
    observation, reward, dones, infos = ours.step(np.array([1, 3, 1]))
    assert observation["count"].tolist() == [[1], [0], [1]] and reward.tolist() == [1, 0, 1]
    assert dones.tolist() == [False, True, False] and infos[1]["restarted"] and infos[1]["TimeLimit.truncated"]
    assert "terminal_observation" not in infos[1] and ours.reset_infos[1]["restarted"]
    ours.close()


def rows_of_monitors(folder):
    """Returns the rows of monitor files without their times, by file."""
    return {path.name: [line.split(",")[:2] for line in path.read_text().splitlines()[1:]] for path in folder.iterdir()}


@pytest.mark.parametrize("wrapped", [False, True])
def test_make_vec_env_takes_the_arguments_of_the_original_and_writes_its_files(wrapped, tmp_path):
    arguments = {"n_envs": ENVS, "seed": 5, "start_index": 2, "vec_env_cls": SubprocVecEnv}
    arguments["vec_env_kwargs"] = {"start_method": "fork"}
    if wrapped:
        limit = gymnasium.wrappers.TimeLimit
        arguments |= {"wrapper_class": limit, "wrapper_kwargs": {"max_episode_steps": 9}}
    ours = our_make_vec_env("CartPole-v1", monitor_dir=tmp_path / "ours", **arguments)
    theirs = make_vec_env("CartPole-v1", monitor_dir=str(tmp_path / "theirs"), **arguments)
    rng = np.random.default_rng(0)
    try:
        assert (ours.reset() == theirs.reset()).all()
        assert ours.action_space.sample() == theirs.action_space.sample()
        for _ in range(60):
            actions = rng.integers(0, 2, ENVS)
            for one, other in zip(ours.step(actions)[:3], theirs.step(actions)[:3], strict=True):
                assert (one == other).all()
    finally:
        ours.close(), theirs.close()
    rows = rows_of_monitors(tmp_path / "ours")
    assert rows == rows_of_monitors(tmp_path / "theirs")
    assert set(rows) == {f"{rank}.monitor.csv" for rank in (2, 3, 4)}
    assert wrapped or all(len(each) > 2 for each in rows.values())  # a TimeLimit cuts episodes without the monitor


def test_make_vec_env_adds_infos_to_the_episodes_of_native_tasks(tmp_path):
    keywords = {"info_keywords": ("x_position",)}
    env = our_make_vec_env(
        "HalfCheetah-v5", 2, env_kwargs={"max_episode_steps": 3}, monitor_kwargs=keywords, monitor_dir=tmp_path
    )
    env.reset()
    for _ in range(3):
        *_, infos = env.step(np.zeros((2, 6), np.float32))
    assert infos[0]["episode"]["x_position"] == infos[0]["x_position"]
    assert env.render_mode == "rgb_array"
    env.close()
    assert (tmp_path / "0.monitor.csv").read_text().splitlines()[1] == "r,l,t,x_position"


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"vec_env_cls": int}, ValueError, "vec_env_cls=<class 'int'>: expected None; stable_baselines3"),
        ({"wrapper_kwargs": {"a": 1}}, TypeError, "wrapper_kwargs={'a': 1}: expected None without a wrapper_class"),
        ({"env_kwargs": {"gravitas": 1}}, TypeError, 'no option "gravitas"'),
        ({"monitor_kwargs": {"file": 1}}, TypeError, "'file'"),
        ({"vec_env_kwargs": {"start_method": "x"}}, ValueError, "context='x': expected 'fork', 'spawn' or"),
        (
            {"vec_env_kwargs": {"num_threads": 1}, "env_kwargs": {"num_threads": 1}},
            TypeError,
            "num_threads is given twice: in env_kwargs and in vec_env_kwargs",
        ),
    ],
)
def test_wrong_arguments_of_make_vec_env_are_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        our_make_vec_env("CartPole-v1", 2, **arguments)


def test_eval_callback_evaluates_with_the_statistics_of_training_which_torch_saves(tmp_path):
    torch = pytest.importorskip("torch")
    training = our_make_vec_env(
        "Pendulum-v1", 4, seed=1, vec_env_kwargs={"normalize_obs": "sb3", "normalize_reward": "sb3"}
    )
    evaluation = VecEnv("Pendulum-v1", 2, seed=2, normalization=training.normalization, normalize_reward=False)
    counts = []

    class Noting(EvalCallback):
        def _on_step(self):
            is_due = self.n_calls % self.eval_freq == 0
            result = super()._on_step()
            if is_due:
                counts.append((training.normalization.obs_rms.count, evaluation.normalization.obs_rms.count))
            return result

    callback = Noting(evaluation, eval_freq=32, n_eval_episodes=2, verbose=0)
    PPO("MlpPolicy", training, n_steps=32, batch_size=32, n_epochs=1, seed=1).learn(384, callback=callback)
    assert len(counts) == 3 and counts[0] != counts[1] and all(one == other for one, other in counts)
    own = VecEnv("Pendulum-v1", 2, normalize_obs="sb3")
    own.reset()  # no environment was trained since it was made
    own.close()
    own = VecEnv("Pendulum-v1", 2, normalize_obs="sb3")
    model = PPO("MlpPolicy", training, n_steps=32, batch_size=32, n_epochs=1, seed=1)
    with pytest.warns(UserWarning, match="make this one with normalization=training_env.normalization"):
        model.learn(128, callback=EvalCallback(own, eval_freq=32, n_eval_episodes=2, verbose=0))
    torch.save(training.normalization.state_dict(), tmp_path / "statistics.pt")
    state = torch.load(tmp_path / "statistics.pt", weights_only=True)
    later = VecEnv("Pendulum-v1", 2, normalize_obs="sb3", normalize_reward="sb3")
    tensors = {
        name: {part: torch.tensor(value, dtype=torch.float64) for part, value in parts.items()}
        for name, parts in state.items()
    }
    later.normalization.load_state_dict(tensors)
    assert later.normalization.state_dict() == training.normalization.state_dict() == state
