"""Tests of envpool_rs.rllib with ray installed: base classes, use by RLlib, remote environments."""

import envpool_rs
import gymnasium
import numpy as np
import pytest
import ray
from counters import Counter, RemoteCounter, Sleeper, Suicidal
from envpool_rs import rllib
from envpool_rs.rllib import convert_to_base_env
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.env import single_agent_env_runner
from ray.rllib.env.base_env import ASYNC_RESET_RETURN
from ray.rllib.env.base_env import BaseEnv as RayBaseEnv
from ray.rllib.env.base_env import convert_to_base_env as ray_convert_to_base_env
from ray.rllib.env.external_env import ExternalEnv as RayExternalEnv
from ray.rllib.env.external_multi_agent_env import ExternalMultiAgentEnv as RayExternalMultiAgentEnv
from ray.rllib.env.multi_agent_env import MultiAgentEnv as RayMultiAgentEnv
from ray.rllib.env.vector_env import VectorEnv as RayVectorEnv
from ray.rllib.env.vector_env import VectorEnvWrapper as RayVectorEnvWrapper
from ray.rllib.evaluation.rollout_worker import RolloutWorker
from ray.rllib.examples._old_api_stack.policy.random_policy import RandomPolicy
from repository import TESTS, python_path
from rllib_environments import MultiAgentScript, Script, Talkers


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Starts a local Ray cluster with two CPUs for all tests; its workers import this folder's modules by
    ``PYTHONPATH``.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", python_path(TESTS / "ray"))
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield
        ray.shutdown()


def remote(kind=Counter, num_envs=2, wait=0, restart=False, **options):
    return convert_to_base_env(
        kind(**options),
        lambda _: kind(**options),
        num_envs,
        remote_envs=True,
        remote_env_batch_wait_ms=wait,
        restart_failed_sub_environments=restart,
    )


def all_of(env, num_envs=2):
    """Polls until every environment has returned a result; returns the merged results."""
    parts = ({}, {}, {}, {}, {}, {})
    while len(parts[0]) < num_envs:
        for part, values in zip(parts, env.poll(), strict=True):
            part.update(values)
    return parts


def actions(*values):
    return {index: {"agent0": value} for index, value in enumerate(values)}


# --- base classes, and conversions ---------------------------------------------------------------------------------


def test_our_classes_are_subclasses_of_rllibs():
    assert rllib.uses_ray
    for ours, theirs in (
        (rllib.BaseEnv, RayBaseEnv),
        (rllib.VectorEnv, RayVectorEnv),
        (rllib.MultiAgentEnv, RayMultiAgentEnv),
        (rllib.ExternalEnv, RayExternalEnv),
        (rllib.ExternalMultiAgentEnv, RayExternalMultiAgentEnv),
    ):
        assert issubclass(ours, theirs)
    assert rllib.ASYNC_RESET_RETURN == ASYNC_RESET_RETURN


def test_rllib_converts_our_environments_with_our_classes():
    pool = convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=2))
    assert ray_convert_to_base_env(pool) is pool
    talkers = ray_convert_to_base_env(Talkers(), lambda _: Talkers(), num_envs=2)
    assert type(talkers) is rllib.MultiAgentEnvWrapper
    assert len(talkers.poll()[0]) == 2
    vector = rllib.VectorEnv.vectorize_gym_envs(lambda _: Counter(), num_envs=2)
    assert type(ray_convert_to_base_env(vector)) is rllib.VectorEnvWrapper
    external = ray_convert_to_base_env(Script(lambda env: env.get_action(env.start_episode("x"), [0.0])))
    assert list(external.poll()[0]) == ["x"]
    external.stop()


def test_rllibs_own_environments_are_converted():
    class Their(RayMultiAgentEnv):
        def reset(self, *, seed=None, options=None):
            return {"a": seed}, {}

        def step(self, action_dict):
            return {"a": 1}, {"a": 2.0}, {"a": True, "__all__": True}, {"__all__": False}, {}

    env = convert_to_base_env(Their(), lambda _: Their(), 2)
    assert env.try_reset(seed=3)[0] == {0: {"a": 3}, 1: {"a": 4}}
    env.send_actions({1: {"a": 0}})
    assert env.poll()[1] == {0: {"a": None}, 1: {"a": 2.0}}

    vector = RayVectorEnv.vectorize_gym_envs(lambda _: Counter(), num_envs=2)
    env = convert_to_base_env(vector)
    env.poll()
    env.send_actions(actions(1, 2))
    assert env.poll()[1] == actions(1.0, 2.0)

    theirs = RayVectorEnvWrapper(RayVectorEnv.vectorize_gym_envs(lambda _: Counter(), num_envs=2))
    assert convert_to_base_env(theirs) is theirs


@pytest.mark.parametrize("many", [False, True])
def test_rllibs_own_external_environments_are_polled(many):
    class Single(RayExternalEnv):
        def run(self):
            episode = self.start_episode("game")
            self.answer = self.get_action(episode, [0.5])
            self.log_returns(episode, 3.0)
            self.log_action(episode, [0.6], 1)
            self.end_episode(episode, [0.7])
            raise OSError("over")

    class Many(RayExternalMultiAgentEnv):
        def run(self):
            episode = self.start_episode("game")
            self.answer = self.get_action(episode, {"agent0": [0.5]})
            self.log_returns(episode, {"agent0": 3.0})
            self.log_action(episode, {"agent0": [0.6]}, {"agent0": 1})
            self.end_episode(episode, {"agent0": [0.7]})
            raise OSError("over")

    space = gymnasium.spaces.Discrete(3)
    external = (Many if many else Single)(space, space)
    env = convert_to_base_env(external)
    assert env.poll()[0] == {"game": {"agent0": [0.5]}}
    env.send_actions({"game": {"agent0": 2}})
    result = env.poll()
    assert external.answer == ({"agent0": 2} if many else 2)
    assert result[1] == {"game": {"agent0": 3.0}}
    assert result[5] == {"game": {"agent0": 1}}
    assert env.poll()[2]["game"]["__all__"]
    with pytest.raises(RuntimeError, match=r"raised OSError\('over'\)"):
        env.poll()
    env.stop()


class Alike(rllib.MultiAgentEnv):
    """Environment of two agents that observe 0 and get reward 1 for 25 steps.

    The agents act at the same time, or in turn.
    """

    def __init__(self, in_turn=False):
        super().__init__()
        self.in_turn = in_turn
        self.was_reset = False

    def reset(self, *, seed=None, options=None):
        self.was_reset = True
        self.steps = 0
        agents = [0] if self.in_turn else [0, 1]
        return dict.fromkeys(agents, 0), {agent: {} for agent in agents}

    def step(self, action_dict):
        self.steps += 1
        agents = [self.steps % 2] if self.in_turn else [0, 1]
        over = self.steps == 25
        flags = {**dict.fromkeys(agents, over), "__all__": over}
        return dict.fromkeys(agents, 0), dict.fromkeys(agents, 1), flags, dict(flags), {agent: {} for agent in agents}


def test_strict_polls_and_resets_equal_rllibs_wrapper():
    """Repeats cases of RLlib's own tests of its wrapper: the first poll resets, and all agents act at the same time."""
    both = {0: {0: 0, 1: 0}, 1: {0: 0, 1: 0}}
    env = rllib.MultiAgentEnvWrapper(lambda _: Alike(), [], 2, strict_rllib=True)
    theirs = ray.rllib.env.multi_agent_env.MultiAgentEnvWrapper(lambda _: Alike(), [], 2)
    assert not env.get_sub_environments()[0].was_reset
    assert env.poll() == theirs.poll()
    assert env.get_sub_environments()[0].was_reset
    for _ in range(25):
        for each in (env, theirs):
            each.send_actions(both)
        assert env.poll() == theirs.poll()
    for each in (env, theirs):
        with pytest.raises(ValueError, match="already done"):
            each.send_actions(both)
    for index in (0, 1):
        assert env.try_reset(index) == theirs.try_reset(index) == ({index: {0: 0, 1: 0}}, {index: {0: {}, 1: {}}})
    for each in (env, theirs):
        each.send_actions(both)
    assert env.poll() == theirs.poll()


def test_strict_turn_based_agents_equal_rllibs_wrapper():
    env = rllib.MultiAgentEnvWrapper(lambda _: Alike(True), [], 2, strict_rllib=True)
    theirs = ray.rllib.env.multi_agent_env.MultiAgentEnvWrapper(lambda _: Alike(True), [], 2)
    assert env.poll() == theirs.poll()
    for step in range(24):
        for each in (env, theirs):
            each.send_actions({0: {step % 2: 0}, 1: {step % 2: 0}})
        assert env.poll() == theirs.poll()


# --- sampling by RLlib ---------------------------------------------------------------------------------------------


def old_stack_worker(make, clip_rewards=None, **runners):
    config = (
        AlgorithmConfig()
        .api_stack(enable_rl_module_and_learner=False, enable_env_runner_and_connector_v2=False)
        .environment(disable_env_checking=True, clip_rewards=clip_rewards)
        .env_runners(rollout_fragment_length=50, num_env_runners=0, **runners)
        .framework(None)
    )
    return RolloutWorker(env_creator=lambda _: make(), default_policy_class=RandomPolicy, config=config)


@pytest.mark.parametrize(
    "make",
    [
        lambda: convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=4)),
        lambda: convert_to_base_env(envpool_rs.make_vec("CartPole-v1", num_envs=4, autoreset_mode="same_step")),
        lambda: convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=4, batch_size=2)),
        lambda: convert_to_base_env(gymnasium.make_vec("CartPole-v1", num_envs=4, vectorization_mode="sync")),
    ],
    ids=["pool", "same-step", "asynchronous", "gymnasium"],
)
def test_rllibs_old_stack_samples_from_our_base_env(make):
    worker = old_stack_worker(make)
    for _ in range(4):
        batch = worker.sample()
        assert batch.count >= 50
    worker.stop()


def test_rllibs_old_stack_samples_players_and_single_environments():
    worker = old_stack_worker(
        lambda: rllib.PoolMultiAgentEnv("SimpleSpread-v3", max_episode_steps=10), num_envs_per_env_runner=2
    )
    assert worker.sample().agent_steps() >= 150
    worker.stop()


@pytest.mark.parametrize("strict", [True, False])
def test_rllib_clips_rewards_of_strict_polls(strict):
    worker = old_stack_worker(
        lambda: convert_to_base_env(envpool_rs.make_gymnasium("CartPole-v1", num_envs=2), strict_rllib=strict),
        clip_rewards=True,
    )
    if strict:
        assert worker.sample().count >= 50
    else:
        with pytest.raises(TypeError):  # RLlib computes with the first reward of an episode, which is None
            worker.sample()
    worker.stop()


def test_rllibs_old_stack_samples_from_an_external_environment():
    def script(env):
        while True:
            episode = env.start_episode()
            for _ in range(10):
                assert env.action_space.contains(env.get_action(episode, np.zeros(1, np.float32)))
                env.log_returns(episode, 1.0)
            env.end_episode(episode, np.zeros(1, np.float32))

    # The sample ends with an episode: each episode of an external environment is a separate environment, and RLlib
    # would sample until one of them fills a truncated batch.
    worker = old_stack_worker(lambda: Script(script), batch_mode="complete_episodes")
    batch = worker.sample()
    assert batch.count >= 10
    assert set(np.concatenate([each["rewards"] for each in batch.policy_batches.values()])) == {1.0}
    worker.async_env.stop()


def test_rllibs_new_stack_samples_from_a_pool(monkeypatch):
    # The device is set to "cpu", because RLlib uses torch to find devices, and random actions need no torch.
    monkeypatch.setattr(single_agent_env_runner, "get_device", lambda *_: "cpu")
    config = (
        AlgorithmConfig()
        .environment(lambda config: envpool_rs.make_vec("CartPole-v1", num_envs=config["num_envs"]))
        .env_runners(num_env_runners=0, num_envs_per_env_runner=4, gym_env_vectorize_mode="vector_entry_point")
    )
    runner = single_agent_env_runner.SingleAgentEnvRunner(config=config)
    episodes = runner.sample(num_timesteps=200, random_actions=True)
    assert sum(len(episode) for episode in episodes) >= 200
    for episode in episodes:
        assert len(episode.get_observations()) == len(episode) + 1
        assert all(np.isfinite(each).all() for each in episode.get_observations())
    runner.stop()


# --- remote environments -------------------------------------------------------------------------------------------


def test_remote_environments_equal_local_ones():
    env = remote(num_envs=3)
    local = convert_to_base_env(Counter(), lambda _: Counter(), 3)
    assert env.try_reset(seed=5) == (ASYNC_RESET_RETURN, ASYNC_RESET_RETURN)
    local.try_reset(seed=5)
    for sent in (actions(1, 2, 3), actions(4, 5, 6), actions(7, 8, 9)):
        assert all_of(env, 3) == local.poll()
        for each in (env, local):
            each.send_actions(sent)
    assert all_of(env, 3) == local.poll()
    with pytest.raises(ValueError, match="environment 1 is already done"):
        env.send_actions({1: {"agent0": 0}})
    assert env.try_reset(1, seed=2) == (ASYNC_RESET_RETURN, ASYNC_RESET_RETURN)
    assert env.poll()[0] == {1: {"agent0": np.array([np.random.default_rng(2).random()])}}
    assert env.last()[1][0] == {"agent0": 7.0}
    assert [type(each).__name__ for each in env.get_sub_environments()] == ["ActorHandle"] * 3
    assert env.action_space == Counter.action_space
    assert env.get_agent_ids() == {"agent0"}
    assert set(env.try_render()) == {0, 1, 2}
    env.stop()


def test_a_poll_returns_ready_environments():
    env = remote(Sleeper, length=100)
    all_of(env)
    env.send_actions({0: {"agent0": 900}, 1: {"agent0": 0}})
    assert list(env.poll()[0]) == [1]
    env.send_actions({1: {"agent0": 0}})
    assert list(env.poll()[0]) == [1]
    assert list(env.poll()[0]) == [0]
    assert env.poll() == ({}, {}, {}, {}, {}, {})
    env.stop()


def test_a_poll_waits_for_more_results_up_to_its_timeout():
    env = remote(Sleeper, wait=30_000, length=100)
    assert set(env.poll()[0]) == {0, 1}
    env.send_actions({0: {"agent0": 300}, 1: {"agent0": 0}})
    assert set(env.poll()[0]) == {0, 1}
    env.stop()


def test_remote_agents_act_together():
    env = remote(Talkers)
    assert all_of(env)[1] == {0: {"a": None, "b": None}, 1: {"a": None, "b": None}}
    with pytest.raises(ValueError, match=r"has an action of 'c': expected agents among \['a', 'b'\]"):
        env.send_actions({0: {"c": 1}})
    env.send_actions({0: {"a": 1, "b": 2}})
    assert env.poll()[:2] == ({0: {"a": 1, "b": -1}}, {0: {"a": 1.0, "b": 2.0}})
    assert env.get_agent_ids() == {"a", "b"}
    assert set(env.action_space_sample()[1]) == {"a", "b"}
    env.stop()


def test_a_remote_exception_is_raised_unchanged():
    env = remote()
    all_of(env)
    env.send_actions(actions(666, 4))
    with pytest.raises(ZeroDivisionError, match="broken by 666") as caught:
        while True:
            env.poll()
    assert caught.value.__notes__ == ["raised by step() of environment 0"]
    env.try_reset(0)
    seen = {}
    while 0 not in seen:
        seen.update(env.poll()[0])
    env.stop()


def test_a_failed_remote_environment_is_recreated():
    env = remote(restart=True)
    all_of(env)
    before = env.get_sub_environments()[0]
    env.send_actions(actions(666, 4))
    observations, _, terminated, truncated, _, _ = all_of(env)
    assert isinstance(observations[0], ZeroDivisionError)
    assert terminated[0] == truncated[0] == {"__all__": True}
    assert env.get_sub_environments()[0] is not before
    env.try_reset(0)
    assert list(env.poll()[0][0]) == ["agent0"]
    env.stop()


@pytest.mark.parametrize("restart", [False, True])
def test_a_dead_actor_is_an_error_or_recreated(restart):
    env = remote(Suicidal, restart=restart)
    all_of(env)
    env.send_actions(actions(13, 4))
    if restart:
        observations = all_of(env)[0]
        assert isinstance(observations[0], RuntimeError)
        assert "the Ray actor of environment 0 died" in str(observations[0])
        env.try_reset(0)
        assert list(env.poll()[0]) == [0]
    else:
        with pytest.raises(RuntimeError, match="the Ray actor of environment 0 died"):
            while True:
                env.poll()
        env.try_restart(0)
        seen = {}
        while 0 not in seen:
            seen.update(env.poll()[0])
    env.stop()


def test_an_actor_killed_in_a_step_does_not_block_the_poll():
    env = remote(Sleeper)
    all_of(env)
    env.send_actions({0: {"agent0": 900}})
    ray.kill(env.get_sub_environments()[0])
    with pytest.raises(RuntimeError, match="the Ray actor of environment 0 died"):
        env.poll()
    env.stop()


def test_an_environment_that_fails_in_construction_is_an_error():
    def broken(index):
        raise OSError("no licence")

    env = convert_to_base_env(Counter(), broken, 2, remote_envs=True)
    with pytest.raises(RuntimeError, match="no licence"):
        env.poll()
    env.stop()


def test_a_function_that_cannot_be_pickled_is_named():
    lock = __import__("threading").Lock()
    with pytest.raises(TypeError, match=r"make_env is .* cannot be sent to another process"):
        convert_to_base_env(Counter(), lambda _: lock and Counter(), 2, remote_envs=True)


def test_existing_actors_are_accepted():
    actor = ray.remote(num_cpus=0)(RemoteCounter)
    env = convert_to_base_env(actor.remote(), lambda _: actor.remote(), 2, remote_envs=True)
    assert set(all_of(env)[0]) == {0, 1}
    env.send_actions(actions(3, 4))
    assert all_of(env)[1] == actions(3.0, 4.0)
    assert env.observation_space == Counter.observation_space
    env.stop()


def test_our_external_agents_are_polled_with_ray():
    env = convert_to_base_env(MultiAgentScript(lambda env: env.get_action(env.start_episode("x"), {"a": 1})))
    assert env.poll()[0] == {"x": {"a": 1}}
    env.stop()
