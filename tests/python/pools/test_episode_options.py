"""Tests that options of later episodes and queued resets take effect when the next episode begins."""

import envpool_rs
import gymnasium
import numpy as np
import pytest
from hypothesis import given, settings
from pendulum_model import LIMIT, MODES, PLANS, follow
from references.classic_control import set_physics


@pytest.mark.parametrize("mode", MODES)
@settings(max_examples=40, deadline=None)
@given(plan=PLANS)
def test_pools_follow_a_plain_model(mode, plan):
    follow("Pendulum-v1", mode, plan)


@pytest.mark.parametrize("mode", MODES)
def test_episodes_equal_those_of_pools_made_with_the_options(mode):
    options = {"max_episode_steps": 4, "autoreset_mode": mode, "num_envs": 40}
    env = envpool_rs.make_vec("CartPole-v1", **options)
    env.reset(seed=1)
    env.set_options(gravity=3.0, length=np.linspace(0.3, 0.9, 40))
    other = envpool_rs.make_vec("CartPole-v1", gravity=3.0, length=np.linspace(0.3, 0.9, 40), **options)
    for pool in (env, other):
        pool.reset(seed=7)
    rng = np.random.default_rng(0)
    for step in range(30):
        actions = rng.integers(0, 2, 40)
        if mode == "disabled" and step % 4 == 0:
            ours, theirs = (pool.reset(options={"reset_mask": np.ones(40, bool)})[0] for pool in (env, other))
            np.testing.assert_array_equal(ours, theirs)
        for ours, theirs in zip(env.step(actions)[:4], other.step(actions)[:4], strict=True):
            np.testing.assert_array_equal(ours, theirs)


PHYSICS = {
    "CartPole-v1": {"gravity": 3.7, "masscart": 0.6, "masspole": 0.3, "length": 0.71, "force_mag": 7.3},
    "Pendulum-v1": {"g": 3.3, "m": 0.7, "l": 1.3},
    "MountainCar-v0": {"force": 0.0013, "gravity": 0.0021, "goal_velocity": 0.01},
    "MountainCarContinuous-v0": {"power": 0.0021, "goal_velocity": 0.01},
    "Acrobot-v1": {
        "link_length_1": 1.3,
        "link_mass_1": 0.7,
        "link_mass_2": 1.2,
        "link_com_pos_1": 0.45,
        "link_com_pos_2": 0.62,
        "link_moi": 0.9,
    },
}


@pytest.mark.parametrize("task", PHYSICS)
@pytest.mark.parametrize("num_envs", [1, 17])
def test_physics_options_equal_attributes_of_gymnasiums_environments(task, num_envs):
    env = envpool_rs.make_vec(task, num_envs, autoreset_mode="disabled")
    env.reset()
    env.set_options(**PHYSICS[task])
    references = [gymnasium.make(task) for _ in range(num_envs)]
    for reference in references:
        set_physics(reference, PHYSICS[task])
    rng = np.random.default_rng(1)
    for _ in range(3):
        env.reset(seed=4)
        for index, reference in enumerate(references):
            reference.reset(seed=4 + index)
        for name in {"total_mass", "LINK_MOI", *PHYSICS[task]}:
            if hasattr(references[0].unwrapped, name):
                assert env.get_attr(name) == tuple(getattr(each.unwrapped, name) for each in references)
        for _ in range(60):
            actions = np.array([reference.action_space.sample() for reference in references])
            if actions.dtype.kind == "f":
                actions = rng.uniform(-3, 3, actions.shape).astype(np.float32)
            results = [reference.step(action) for reference, action in zip(references, actions, strict=True)]
            ours = env.step(actions)
            np.testing.assert_array_equal(ours[0], [each[0] for each in results])
            np.testing.assert_array_equal(ours[1], np.array([each[1] for each in results], np.float64))
            np.testing.assert_array_equal(ours[2], [each[2] for each in results])
            if ours[2].any():
                break


def test_a_distribution_of_the_pool_reports_later_values_in_infos():
    env = envpool_rs.make_vec("Pendulum-v1", 2, g=("uniform", 9, 11), max_episode_steps=2)
    env.reset()
    env.set_options(g=3.0, env_ids=[1])
    info = env.reset()[1]
    assert 9 <= info["g"][0] <= 11
    assert info["g"][1] == 3
    np.testing.assert_array_equal(env.get_options()["g"], info["g"])
    env.set_options(g=[1.0, ("uniform", 5, 6)])
    info = env.reset()[1]
    assert info["g"][0] == 1
    assert 5 <= info["g"][1] <= 6


def test_mixed_pools_set_options_of_every_task():
    env = envpool_rs.make(["CartPole-v0", "CartPole-v1"], num_envs=6, gravity=[9, 9, 8, 8, 8, 7])
    env.reset()
    env.set_options(gravity=1.0, env_ids=[0, 4])
    env.queue_resets([5], options={"gravity": 2.0})
    np.testing.assert_array_equal(env.get_options()["gravity"], [9, 9, 8, 8, 8, 7])
    env.reset()
    np.testing.assert_array_equal(env.get_options()["gravity"], [1, 9, 8, 8, 1, 2])
    env.reset()
    np.testing.assert_array_equal(env.get_options()["gravity"], [1, 9, 8, 8, 1, 7])


def test_a_queue_replays_levels():
    env = envpool_rs.make_vec("MiniGrid-Empty-Random-6x6-v0", 2, max_episode_steps=3, autoreset_mode="same_step")
    levels = [env.reset(seed=[seed, seed])[0]["image"][0] for seed in range(4)]
    env.queue_resets([0, 0, 1, 1], seeds=[2, 3, 1, 0])
    shown = [[], []]
    for _ in range(6):
        observation, _, terminated, truncated, _ = env.step(np.full(2, 6))
        for index in np.flatnonzero(terminated | truncated):
            shown[index].append(observation["image"][index])
    for index, seeds in enumerate(([2, 3], [1, 0])):
        np.testing.assert_array_equal(shown[index], [levels[seed] for seed in seeds])


def test_a_single_environment_changes_options():
    env = gymnasium.make("envpool_rs/Pendulum-v1")
    env.reset(seed=1)
    env.unwrapped.set_options(g=2.0)
    assert env.unwrapped.get_options()["g"] == 10
    env.unwrapped.queue_resets(seeds=3, options={"x_init": 0.25})
    first, _ = env.reset()
    assert first[0] >= np.cos(0.25) - 1e-6
    assert env.unwrapped.get_options()["g"] == 2


def test_an_environment_that_failed_keeps_its_options():
    env = envpool_rs.make_vec("Pendulum-v1", 1)
    env.set_options(g=4.0)
    assert env.get_options()["g"].tolist() == [4.0]


REFUSED = [
    ({"gravity": 3.0}, TypeError, r"unknown option \"gravity\"; there are: g, m, l"),
    ({"g": "heavy"}, TypeError, "g=.*expected float, not str"),
    ({"g": float("nan")}, ValueError, "finite numbers"),
    ({"l": 0.0}, ValueError, r"l=0.0: expected above 0"),
    ({"g": [1, 2]}, ValueError, "g has 2 entries: expected one value, or num_envs=3 of them"),
    ({"g": 1.0, "env_ids": [7]}, IndexError, "7"),
    ({"g": 1.0, "env_ids": [1, 1]}, ValueError, "1"),
    ({"g": 1.0, "when": "now"}, ValueError, "when='now': expected 'next_episode'"),
]


@pytest.mark.parametrize(("options", "error", "message"), REFUSED)
def test_wrong_options_change_nothing(options, error, message):
    env = envpool_rs.make_vec("Pendulum-v1", 3)
    env.reset()
    with pytest.raises(error, match=message):
        env.set_options(**options)
    env.reset()
    assert env.get_options()["g"].tolist() == [10.0] * 3


def test_options_that_shape_an_environment_are_refused_by_name():
    env = envpool_rs.make("NChain-v0", num_envs=2)
    with pytest.raises(ValueError, match=r"n=4: expected no change: the spaces, or state that outlasts an episode"):
        env.set_options(n=4)
    lake = envpool_rs.make_vec("FrozenLake-v1", 2)
    with pytest.raises(ValueError, match=r"desc=.*values that leave the spaces as they are"):
        lake.set_options(desc=["SFG"])


def test_wrong_queues_change_nothing():
    env = envpool_rs.make_vec("Pendulum-v1", 2)
    for arguments, error in (
        ({"options": {"x_init": -1}}, ValueError),
        ({"options": {"height": 1}}, ValueError),
        ({"options": {"g": "x"}}, TypeError),
        ({"seeds": [1, 2, 3]}, ValueError),
        ({"seeds": [1, -2]}, ValueError),
        ({"seeds": 1.5}, TypeError),
        ({"seeds": {1, 2}}, TypeError),
        ({"seeds": {1: 2, 3: 4}}, TypeError),
        ({"seeds": b"12"}, TypeError),
        ({"options": "g"}, TypeError),
        ({"options": {"x_init": [0.1, 0.2, 0.3]}}, ValueError),
        ({"options": {"x_init": [0.1, "a"]}}, TypeError),
    ):
        with pytest.raises(error):
            env.queue_resets([0, 1], **arguments)
    assert env.queued_resets().tolist() == [0, 0]


def test_environments_in_flight_are_refused():
    env = envpool_rs.make_vec("Pendulum-v1", 4, batch_size=2)
    env.async_reset()
    with pytest.raises(RuntimeError, match="in flight"):
        env.set_options(g=1.0)
    ids = env.recv(reset=True)[1]["env_id"]
    env.set_options(g=1.0, env_ids=ids)


def test_one_reset_takes_options_of_the_task():
    env = envpool_rs.make_vec("Pendulum-v1", 3, max_episode_steps=2)
    env.set_options(g=4.0, env_ids=[1])
    observation = env.reset(seed=1, options={"g": 3.0, "x_init": 0.0})[0]
    np.testing.assert_array_equal(observation[:, 0], [1, 1, 1])
    assert env.get_options()["g"].tolist() == [3, 3, 3]
    env.reset(options={"m": ("uniform", 2, 3), "reset_mask": np.array([True, True, False])})
    assert env.get_options()["g"].tolist() == [10, 4, 3]
    np.testing.assert_array_less(1.9, env.get_options()["m"][:2])
    for options, error, text in (
        ({"g": [1.0, 2.0, 3.0]}, ValueError, "g: expected one value for all environments of a reset; queue_resets"),
        ({"g": "x"}, TypeError, "g="),
        ({"gg": 1.0}, ValueError, "unknown reset option"),
    ):
        with pytest.raises(error, match=text):
            env.reset(options=options)
    lake = envpool_rs.make_vec("FrozenLake-v1", 2)
    with pytest.raises(ValueError, match="expected no change"):
        lake.reset(options={"map_name": "8x8"})
    assert envpool_rs.make("Pendulum-v1", num_envs=2).reset(options={"g": 3.0})[0].shape == (2, 3)


def test_the_seed_is_no_option_and_the_error_names_the_queue():
    env = envpool_rs.make_vec("Pendulum-v1", 2)
    with pytest.raises(ValueError, match=r"seed is fixed when the pool is made: queue_resets\(seeds=...\)"):
        env.set_options(seed=3)
    with pytest.raises(ValueError, match="num_envs is fixed when the pool is made: make a new pool"):
        env.set_options(num_envs=3)


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_asynchronous_pools_use_options_from_the_next_step_that_is_sent(mode):
    env = envpool_rs.make_vec("Pendulum-v1", 6, batch_size=2, seed=3, max_episode_steps=LIMIT, autoreset_mode=mode)
    env.async_reset()
    rng, sent = np.random.default_rng(0), {}
    gravity = np.full(6, 10.0)  # of the episodes that begin in a step that is sent from now on
    steps, began = np.zeros(6, int), np.full(6, 10.0)
    for number in range(200):
        info = env.recv(reset=number < 3)[1 if number < 3 else 4]
        ids = np.asarray(info["env_id"])
        for index in ids if number >= 3 else ():
            # With next_step, the step after the last one begins an episode; with same_step, the last one does.
            steps[index] += 1
            if steps[index] == (LIMIT + 1 if mode == "next_step" else LIMIT):
                steps[index], began[index] = 0, sent[index]
        assert env.get_options(ids)["g"].tolist() == began[ids].tolist()
        others = np.setdiff1d(np.arange(6), ids)
        with pytest.raises(RuntimeError, match="in flight"):
            env.set_options(g=1.0, env_ids=[ids[0], others[0]])
        with pytest.raises(RuntimeError, match="in flight"):
            env.queue_resets(others[:1], seeds=1)
        if rng.random() < 0.5:
            gravity[ids[0]] = rng.uniform(1, 9)
            env.set_options(g=gravity[ids[0]], env_ids=ids[:1])
        sent.update(zip(ids.tolist(), gravity[ids], strict=True))
        env.send(np.zeros((2, 1), np.float32), ids)


def test_queued_reset_options_have_a_value_for_each_id():
    env = envpool_rs.make_vec("Pendulum-v1", 3)
    env.queue_resets(options={"x_init": [0.0, None, 0.0], "y_init": 0.0})
    observation = env.reset()[0]
    np.testing.assert_array_equal(observation[[0, 2]], [[1, 0, 0]] * 2)
    assert observation[1, 0] != 1
    for values, count in (([0.1, 0.2], "num_envs=3"), (np.zeros(4), "num_envs=3")):
        with pytest.raises(ValueError, match=f"x_init has .* entries: expected one value, or {count} of them"):
            env.queue_resets(options={"x_init": values})


def test_messages_count_the_environments_that_were_given():
    env = envpool_rs.make_vec("Pendulum-v1", 3)
    for ids, counted in ((None, "num_envs=3"), ([0, 1], "env_ids: 2")):
        for call in (
            lambda ids: env.set_options(g=[1], env_ids=ids),
            lambda ids: env.queue_resets(ids, options={"g": [1]}),
            lambda ids: env.queue_resets(ids, seeds=[1]),
        ):
            with pytest.raises(ValueError, match=f"has 1 entries: expected one value, or {counted} of them"):
                call(ids)
    with pytest.raises(ValueError, match=r"^g=10{79}\.\.\.: expected"):
        env.set_options(g=10**400)
    assert {name: len(values) for name, values in env.get_options([]).items()} == {"g": 0, "m": 0, "l": 0}


@pytest.mark.parametrize("task", ["FrozenLake-v1", "CartPole-v1", "MiniGrid-FourRooms-v0", "ALE/Pong-v5", "highway-v0"])
def test_options_in_force_can_be_set_again(task):
    if task.startswith("ALE/"):
        pytest.importorskip("ale_py")
    env = envpool_rs.make_vec(task, 3)
    for _ in range(2):
        before = env.get_options()
        env.set_options(**before)
        env.reset()
        np.testing.assert_equal(env.get_options(), before)
    if task == "FrozenLake-v1":
        assert envpool_rs.make_vec(task, 3, desc=[None] * 3).get_options()["desc"] == [None] * 3


def test_reset_options_precede_options_of_the_task():
    pytest.importorskip("metaworld")
    env = envpool_rs.make_vec("MetaWorld/Reach-v3", 2)
    assert env.reset(options={"terminate_on_success": True})[0].shape == (2, 39)
    with pytest.raises(ValueError, match="terminate_on_success=True: expected no change"):
        env.set_options(terminate_on_success=True)
