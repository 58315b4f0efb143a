"""Tests lost processes, asynchronous use and normalised observations of the BaseVectorEnv family."""

import functools
import multiprocessing
import time

import numpy as np
import pytest
from envpool_rs.vector import (
    BaseVectorEnv,
    DummyVectorEnv,
    RunningMeanStd,
    SubprocEnvWorker,
    SubprocVectorEnv,
)
from gymnasium import spaces
from python_envs import (
    ActionEnv,
    CountingEnv,
    GatedEnv,
    MisbehavingEnv,
    SpaceEnv,
    message_spaces,
    signal_sender,
)
from vector_env_cases import OwnWorker, counting


def test_a_dead_process_loses_only_its_own_environments():
    with SubprocVectorEnv([ActionEnv] * 4, num_workers=2) as env:
        env.reset()
        with pytest.raises(RuntimeError, match=r"worker 1 .*SIGKILL.*environments 2, 3"):
            env.step([0, 0, "kill", 0])
        with pytest.raises(RuntimeError, match="worker 1"):
            env.step(None)
        observations, *_, infos = env.step(None)
        assert observations[:, 2].tolist() == [1, 1]
        assert [info["env_id"] for info in infos] == [0, 1]
        assert env.step([0, 0], [0, 1])[0][:, 2].tolist() == [2, 2]
        for call in (lambda: env.step([0] * 4), env.reset, lambda: env.get_env_attr("steps"), lambda: env.reset(3)):
            with pytest.raises(RuntimeError, match="worker 1"):
                call()
        assert env.reset([0, 1]).tolist() == [[-1, 2, 0]] * 2


def test_a_dead_process_is_restarted_on_request():
    with SubprocVectorEnv([ActionEnv] * 4, num_workers=2, restart=True) as env:
        env.reset(seed=0)
        observations, rewards, done, infos = env.step([0, 0, "kill", 0])
        assert observations[:, 2].tolist() == [1, 1, 0, 0]
        assert done.tolist() == [False, False, True, True]
        assert rewards.tolist() == [1, 1, 0, 0]
        assert [info.get("restarted") for info in infos] == [None, None, True, True]
        assert [info.get("TimeLimit.truncated") for info in infos] == [None, None, True, True]
        assert env.step([0] * 4)[0][:, 2].tolist() == [2, 2, 1, 1]


def test_a_restarted_process_has_its_own_seed():
    with SubprocVectorEnv([ActionEnv] * 2, num_workers=2, restart=True) as env:
        env.seed([3, 4])
        env.step([0, "kill"])
        first = env.reset()[:, 0].tolist()
        assert first[0] == 3
        assert first[1] not in (-1, 4)


@pytest.mark.parametrize("keywords", [{}, {"wait_num": 1}], ids=["sync", "async"])
def test_the_death_of_a_single_environment_worker_is_detected(keywords):
    with BaseVectorEnv([ActionEnv] * 2, SubprocEnvWorker, **keywords) as env:
        env.reset()
        with pytest.raises(RuntimeError, match="died") as raised:
            while True:
                env.step(None if env.waiting_id else ["kill", 0])
        assert raised.value.env_id == 0
        assert env.step([0], [1])[0].shape == (1, 3) if env.ready_id == [0, 1] else env.step(None)[0].shape == (1, 3)


def test_a_death_in_asynchronous_mode_loses_only_its_own_environment():
    with SubprocVectorEnv([ActionEnv] * 3, wait_num=3, timeout=20.0) as env:
        env.reset()
        with pytest.raises(RuntimeError, match=r"died.*environment 1 is lost"):
            env.step([0, "kill", 0])
        assert sorted(info["env_id"] for info in env.step(None)[3]) == [0, 2]
        assert env.step([0, 0], [0, 2])[0][:, 2].tolist() == [2, 2]
        with pytest.raises(RuntimeError, match="environment 1 is lost"):
            env.step([0], [1])
        assert env.ready_id == [0, 1, 2]


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_processes_may_start_in_every_way_with_closures_as_env_fns(context):
    lengths = [3, 4]
    env_fns = [lambda length=length: CountingEnv(length) for length in lengths]
    with SubprocVectorEnv(env_fns, num_workers=1, context=context, no_warning=True) as env:
        assert env.get_env_attr("length") == lengths
        assert env.reset(seed=1)[:, 0].tolist() == [1, 2]
        assert env.customized_method("add", [{"a": 1}, {"a": 2}]) == [1, 2]
        assert env.step(np.array([0, 1]))[0].shape == (2, 3)


def test_ctrl_c_interrupts_a_method_call_and_the_next_call_continues():
    gate, step_started = (multiprocessing.get_context("fork").Event() for _ in range(2))
    with SubprocVectorEnv([CountingEnv, lambda: GatedEnv(gate, step_started)], num_workers=2, context="fork") as env:
        env.reset()
        sender = signal_sender(step_started)
        with pytest.raises(KeyboardInterrupt):
            sender.start()
            env.customized_method("step", [{"action": 0}] * 2)
        sender.join()
        gate.set()
        assert env.step([0, 0])[1].tolist() == [2, 2]


class Interrupted(OwnWorker):
    """Worker whose result is interrupted when it is received, once."""

    is_due = False

    def recv(self):
        if self.is_due:
            self.is_due = False
            raise KeyboardInterrupt
        return super().recv()


def test_an_interrupt_while_results_are_received_loses_none():
    env = BaseVectorEnv(counting(3), Interrupted, wait_num=1)
    env.reset()
    env.workers[1].is_due = True
    with pytest.raises(KeyboardInterrupt):
        env.step(np.zeros(3))
    received = []
    while len(received) < 3:
        received += [info["env_id"] for info in env.step(None)[-1]]
    assert sorted(received) == [0, 1, 2]
    assert env.reset().shape[0] == 3
    env.close()


class Restepped(CountingEnv):
    """Environment that gets another `step` later."""

    def swap(self):
        self.step = lambda action: (*CountingEnv.step(self, action)[:1], 7.0, False, False, {})


@pytest.mark.parametrize("no_warning", [False, True])
def test_a_method_that_is_assigned_later_steps_in_every_process(no_warning):
    with SubprocVectorEnv([Restepped] * 2, num_workers=1, caller_steps=True, no_warning=no_warning) as env:
        env.reset()
        env.customized_method("swap")
        assert env.step(np.zeros(2))[1].tolist() == [7, 7]


def test_asynchronous_steps_return_each_environment_once(make):
    env = make(counting(5, length=10**9), wait_num=2)
    env.reset()
    ids = np.arange(5)
    steps = dict.fromkeys(range(5), 0)
    deadline = time.monotonic() + 30
    # The caller's own share may be stepped many times before a busy machine schedules the workers.
    while min(steps.values()) == 0 or sum(steps.values()) < 40:
        assert time.monotonic() < deadline
        observations, rewards, _, infos = env.step(np.zeros(len(ids)), ids)
        ids = np.array([info["env_id"] for info in infos])
        assert len(ids) == len(set(ids.tolist())) >= 1
        for env_id, observation, reward in zip(ids.tolist(), observations, rewards, strict=True):
            steps[env_id] += 1
            assert observation[2] == reward == steps[env_id]
    assert sorted(env.ready_id + env.waiting_id) == list(range(5))


def test_unfinished_steps_can_be_fetched_until_none_are_left(make):
    env = make(counting(4), wait_num=2)
    env.reset()
    fetched = [info["env_id"] for info in env.step([0] * 4)[3]]
    while env.waiting_id:
        fetched += [info["env_id"] for info in env.step(None)[3]]
    assert sorted(fetched) == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="no environment has a step to fetch"):
        env.step(None)


def test_the_loop_steps_every_environment_in_asynchronous_mode():
    with DummyVectorEnv(counting(6), wait_num=2) as env:
        env.reset()
        assert [info["env_id"] for info in env.step([0] * 6)[3]] == list(range(6))


SLOW = [0.0, 0.0, 0.0, 30.0]


def slow_env_fns():
    return [functools.partial(CountingEnv, 10**6, seconds=seconds) for seconds in SLOW]


@pytest.mark.parametrize("keywords", [{"wait_num": 3}, {"timeout": 0.2}, {"wait_num": 4, "timeout": 0.2}], ids=str)
def test_a_slow_environment_does_not_delay_another(keywords):
    env = SubprocVectorEnv(slow_env_fns(), **keywords)
    try:
        env.reset()
        ids = list(range(4))
        for round_ in range(3):
            observations, *_, infos = env.step([0] * len(ids), ids)
            counts = dict(zip((info["env_id"] for info in infos), observations[:, 2].tolist(), strict=True))
            while len(counts) < 3:  # on a busy machine, fewer environments may have finished at the timeout
                observations, *_, infos = env.step(None)
                counts.update(zip((info["env_id"] for info in infos), observations[:, 2].tolist(), strict=True))
            assert counts == dict.fromkeys(range(3), round_ + 1)
            ids = list(range(3))
        assert env.waiting_id == [3]  # the step of environment 3 takes half a minute
        assert env.ready_id == [0, 1, 2]
        for call in (
            lambda: env.step([0], [3]),
            lambda: env.step([0] * 4),
            env.reset,
            lambda: env.reset(3),
            lambda: env.get_env_attr("steps"),
            lambda: env.set_env_attr("steps", 0, [3]),
            lambda: env.customized_method("add", id=3),
            env.render,
            env.seed,
        ):
            with pytest.raises(RuntimeError, match="environment 3 is stepping now"):
                call()
        assert env.get_env_attr("steps", [0, 1, 2]) == [3, 3, 3]
        assert env.reset([1, 2])[:, 1].tolist() == [2, 2]
    finally:
        env._executor.close(terminate=True)


def test_a_step_waits_for_at_least_one_environment():
    with SubprocVectorEnv(counting(2, seconds=0.3), timeout=0.01) as env:
        env.reset()
        assert len(env.step([0, 0])[0]) >= 1


def test_results_are_in_order_of_completion():
    env_fns = [functools.partial(CountingEnv, seconds=seconds) for seconds in (0.4, 0.0, 0.2)]
    with SubprocVectorEnv(env_fns, wait_num=3, timeout=20.0) as env:
        for _ in range(10):
            env.reset()
            order = [info["env_id"] for info in env.step([0] * 3)[3]]
            if order == [1, 2, 0]:
                break
            # On a busy machine, a process may be stopped for so long that the case is repeated.
        assert order == [1, 2, 0]


def test_processes_of_single_workers_can_be_waited_for():
    gate = multiprocessing.get_context("fork").Event()
    with BaseVectorEnv([lambda: GatedEnv(gate), CountingEnv, CountingEnv], SubprocEnvWorker, wait_num=2) as env:
        env.reset()
        assert sorted(info["env_id"] for info in env.step([0] * 3)[3]) == [1, 2]
        gate.set()
        assert [info["env_id"] for info in env.step(None)[3]] == [0]


def test_a_failure_in_asynchronous_mode_keeps_the_other_results(make):
    env = make([CountingEnv, functools.partial(MisbehavingEnv, {1: "raise"}), CountingEnv], wait_num=3, timeout=20.0)
    env.reset()
    with pytest.raises(ValueError, match="environment 1"):
        env.step([0, 0, 0])
    assert sorted(env.waiting_id) == [0, 2]
    with pytest.raises(RuntimeError, match="environment 0 has a result that was not fetched: fetch it by step"):
        env.reset(0)
    assert sorted(info["env_id"] for info in env.step(None)[3]) == [0, 2]
    assert env.ready_id == [0, 1, 2]


def test_observations_are_normalised_with_all_returned_observations(make):
    env = make(counting(3), norm_obs=True)
    plain = DummyVectorEnv(counting(3))
    expected = []
    for raw, normalised in [
        (plain.reset(seed=5), env.reset(seed=5)),
        (plain.step([0] * 3)[0], env.step([0] * 3)[0]),
        (plain.step([0], [1])[0], env.step([0], [1])[0]),
        (plain.reset(2), env.reset(2)),
    ]:
        expected.extend(raw)
        mean, var = np.mean(expected, axis=0), np.var(expected, axis=0)
        wanted = np.clip((raw - mean) / np.sqrt(var + np.finfo(np.float32).eps), -10, 10)
        np.testing.assert_allclose(normalised, wanted, rtol=1e-9, atol=1e-9)
    assert env.obs_rms.count == 8
    np.testing.assert_allclose(env.obs_rms.mean, mean)
    np.testing.assert_allclose(env.obs_rms.var, var)
    plain.close()


def test_frozen_statistics_can_be_assigned(make):
    frozen = RunningMeanStd(mean=np.array([1.0, 1.0, 0.0]), var=np.array([4.0, 1.0, 1.0]), count=10)
    env = make(counting(2), norm_obs=True, update_obs_rms=False, obs_rms=frozen)
    observations = env.reset(seed=[5, 5])
    np.testing.assert_allclose(observations, [[2, 0, 0]] * 2, rtol=1e-6)
    assert env.obs_rms is frozen
    assert frozen.count == 10
    env.obs_rms = RunningMeanStd()
    np.testing.assert_allclose(env.reset(seed=[100, 100])[:, 0], 10)


def test_statistics_start_at_mean_0_and_variance_1():
    env = DummyVectorEnv(counting(2), norm_obs=True)
    assert (env.obs_rms.mean, env.obs_rms.var, env.obs_rms.count) == (0, 1, 0)
    assert DummyVectorEnv(counting(2)).obs_rms is None


def test_statistics_have_the_structure_of_dicts_and_tuples(make):
    space = spaces.Dict({"t": spaces.Tuple((spaces.Discrete(3), spaces.Box(0, 1, (2,)))), "n": spaces.MultiBinary(4)})
    env = make([functools.partial(SpaceEnv, space)] * 3, norm_obs=True)
    observations = env.reset(seed=0)
    assert observations["t"][1].dtype == np.float32
    assert observations["n"].dtype == np.float64
    assert abs(observations["t"][1].mean(axis=0)).max() < 1e-6
    assert env.obs_rms["t"][1].count == 3
    env.step([0] * 3)
    assert env.obs_rms["t"][1].count == 6


@pytest.mark.parametrize("name", ["text", "graph", "dict with text"])
def test_unsupported_spaces_cannot_be_normalised(name):
    env = DummyVectorEnv([functools.partial(SpaceEnv, message_spaces()[name])] * 2, norm_obs=True)
    with pytest.raises(TypeError, match=r"norm_obs=True, and observation.*expected numbers"):
        env.reset(seed=0)
