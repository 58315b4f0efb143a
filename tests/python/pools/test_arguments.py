"""Tests the functions that check arguments: the accepted values, and the format of error messages."""

import contextlib
import copy
import functools
import itertools
import re

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import _arguments as arguments
from envpool_rs.multi_agent import MultiAgentEnv
from envpool_rs.pettingzoo import make_agent_vec, parallel_env
from envpool_rs.vector import DummyVectorEnv
from python_envs import CountingEnv

WRONG = [
    (lambda: arguments.flag("copy", 7), TypeError, "copy=7: expected a bool"),
    (lambda: arguments.flag("copy", None), TypeError, "copy=None: expected a bool"),
    (lambda: arguments.integer("n", True), TypeError, "n=True: expected an int"),
    (lambda: arguments.integer("n", np.bool_(True)), TypeError, "n=np.True_: expected an int"),
    (lambda: arguments.integer("n", 1.0), TypeError, "n=1.0: expected an int"),
    (lambda: arguments.integer("n", None), TypeError, "n=None: expected an int"),
    (lambda: arguments.integer("n", 0, 1), ValueError, "n=0: expected 1 or more"),
    (lambda: arguments.integer("n", 4, 1, 3), ValueError, "n=4: expected 1 to 3"),
    (lambda: arguments.integer("n", 4, most=3), ValueError, "n=4: expected 3 or less"),
    (lambda: arguments.integer("n", 0, 1, allowed="a few"), ValueError, "n=0: expected a few"),
    (lambda: arguments.optional_integer("n", "1"), TypeError, "n='1': expected an int or None"),
    (lambda: arguments.number("wait", "1"), TypeError, "wait='1': expected a number"),
    (lambda: arguments.number("wait", True), TypeError, "wait=True: expected a number"),
    (lambda: arguments.number("wait", -1, "so", lambda n: n > 0), ValueError, "wait=-1: expected so"),
    (lambda: arguments.number("wait", np.nan, "so", lambda n: n > 0), ValueError, "wait=nan: expected so"),
    (lambda: arguments.number("wait", 10**400), ValueError, f"wait=1{'0' * 79}...: expected a number"),
    (lambda: arguments.integer("n", 10**5000, 1, 2), ValueError, "n=<int>: expected 1 to 2"),
    (lambda: arguments.path("file", 3), TypeError, "file=3: expected a path or None"),
    (lambda: arguments.path("file", b"x"), TypeError, "file=b'x': expected a path or None"),
    (lambda: arguments.path("file", "\udc80"), ValueError, "file='\\udc80': expected text that UTF-8 can hold"),
    (lambda: arguments.path("file", "a\0"), ValueError, "file='a\\x00': expected a path without NUL"),
    (lambda: arguments.choice("how", "x", ("a", "b", None)), ValueError, "how='x': expected 'a', 'b' or None"),
    (lambda: arguments.choice("how", [], ("a", "b")), ValueError, "how=[]: expected 'a' or 'b'"),
    (lambda: arguments.text("key", 3, "a name"), TypeError, "key=3: expected a name"),
    (lambda: arguments.mapping("data", [1]), TypeError, "data=[1]: expected a dict"),
    (lambda: arguments.entries("rows", (1, 2), 3, "num=3"), ValueError, "rows has 2 entries: expected num=3"),
    (lambda: arguments.entries("rows", range(9), 3, "num=3"), ValueError, "rows has 9 entries: expected num=3"),
    (
        lambda: arguments.entries("rows", itertools.count(), 3, "3"),
        ValueError,
        "rows has more than 3 entries: expected 3",
    ),
    (lambda: arguments.array("ids", [[1], [1, 2]]), ValueError, "ids=[[1], [1, 2]]: expected an array (setting an"),
    (lambda: arguments.array("x", [[1], [1] * 99]), ValueError, f"x=[[1], [{'1, ' * 24}1...: expected an array"),
    (lambda: arguments.functions("f", []), ValueError, "f is empty: expected at least one function that makes an"),
    (lambda: arguments.functions("f", print), TypeError, "f=<built-in function print>: expected a list of functions"),
    (lambda: arguments.functions("f", "ab"), TypeError, "f='ab': expected a list of functions"),
    (lambda: arguments.functions("f", [print, 3]), TypeError, "f[1]=3: expected a function that makes an environment"),
    (
        lambda: arguments.seeds_of(True, [0], "one"),
        TypeError,
        "seed=True: expected None, an int, or a sequence of ints",
    ),
    (lambda: arguments.seeds_of("ab", [0, 1], "two"), TypeError, "seed='ab': expected None, an int, or a sequence"),
    (lambda: arguments.seeds_of([1, 2.0], [0, 1], "two"), TypeError, "seed=2.0: expected None, an int, or a sequence"),
    (lambda: arguments.seeds_of([1], [0, 1], "two"), ValueError, "seed has 1 entries: expected two"),
]


@pytest.mark.parametrize(("check", "error", "message"), WRONG, ids=[message for _, _, message in WRONG])
def test_errors_name_the_argument_its_value_and_the_expectation(check, error, message):
    with pytest.raises(error, match="^" + re.escape(message)):
        check()


def test_numpy_scalars_are_converted_to_python_numbers():
    assert type(arguments.integer("n", np.int16(3), 3, 3)) is int
    assert type(arguments.number("n", np.float32(0.5))) is float and type(arguments.number("n", 2)) is float
    assert arguments.flag("n", np.bool_(False)) is False
    assert arguments.optional_integer("n", None, 1) is None


def test_int_seeds_count_by_env_id_and_list_seeds_follow_the_list():
    assert arguments.seeds_of(np.int64(5), [0, 3], "two") == [5, 8]
    assert arguments.seeds_of(np.array(5), [0, 3], "two") == [5, 8]
    assert arguments.seeds_of((7, None), [0, 3], "two") == [7, None]
    assert arguments.seeds_of(np.array([7, 9]), [0, 3], "two") == [7, 9]
    assert arguments.seeds_of(None, [0, 3], "two") == [None, None]


@pytest.mark.parametrize("name", ["norm_obs", "update_obs_rms", "return_truncated", "no_warning"])
def test_flags_of_vector_environments_are_bools(name):
    with pytest.raises(TypeError, match=f"{name}=7: expected a bool"):
        DummyVectorEnv([CountingEnv], **{name: 7})


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("Ant-v5", {"default_camera_config": {"distance": "far"}}, "default_camera_config['distance']=\"far\": "),
        ("Ant-v5", {"default_camera_config": {"lookat": [1, 2]}}, "default_camera_config['lookat']=[1.0, 2.0]: "),
        ("Ant-v5", {"visual_options": {1000: True}}, "visual_options={1000: True}: expected numbers of mjtVisFlag"),
        ("Meta-World/MT10", {"env_name": "reach-v3"}, "Meta-World/MT10 has no option 'env_name'"),
        ("Meta-World/MT10", {"num_tasks": 4}, "num_tasks=4: expected None or 10, the number of tasks, or more"),
        ("Meta-World/goal_hidden", {"env_name": 3}, "env_name=3: expected a str"),
    ],
)
def test_options_with_other_librarys_names_are_named_as_given(task, options, message):
    pytest.importorskip("mujoco")
    with pytest.raises((TypeError, ValueError)) as raised:
        envpool_rs.make_vec(task, **options)
    assert str(raised.value).startswith(message)


def test_messages_name_the_argument():
    env = envpool_rs.make_vec("Taxi-v3")
    with pytest.raises(ValueError, match=r'unknown reset option "gravity"; there are: is_rainy, fickle_passenger$'):
        env.reset(options={"gravity": 1.0})
    with pytest.raises(TypeError, match="infos=1: expected a bool"):
        env.rollout_buffer(3, infos=1)
    with pytest.raises(ValueError, match="steps=0: expected at least 1"):
        env.rollout_buffer(0)
    env.close()
    with pytest.raises(AttributeError, match="np_random: this pool is closed"):
        env.np_random  # noqa: B018
    with pytest.raises(ValueError, match=r"unknown task 'test/Nowhere-v0'; see list_all_envs\(\)$"):
        envpool_rs.make_vec("test/Nowhere-v0")
    with pytest.raises(ValueError, match="did you mean 'ALE/Breakout-v5' with frameskip=1"):
        envpool_rs.make("BreakoutNoFrameskip-v4")


def test_messages_of_batches_name_the_argument():
    pytest.importorskip("mujoco")
    with pytest.raises(ValueError, match=r"model='nothing.mjb': "):
        envpool_rs.Batch("nothing.mjb", 2)
    xml = "<mujoco><worldbody><body><joint/><geom size='1'/></body></worldbody></mujoco>"

    def env(observe):
        functions = (observe, lambda b, *_: b.qpos[:, 0], lambda b: b.qpos[:, 0] > 1, lambda *_: None)
        return envpool_rs.batch.make_vec(envpool_rs.Batch(xml, 2), *functions)

    with pytest.raises(ValueError, match=r"observe returned an array of shape \(3,\): expected \(2, ...\)$"):
        env(lambda b: np.zeros(3))
    closed = env(lambda b: b.qpos)
    closed.close()
    for call in (closed.reset, lambda: closed.step(np.zeros((2, 0)))):
        with pytest.raises(gymnasium.error.ClosedEnvironmentError, match="closed"):
            call()


@pytest.mark.parametrize(
    "interface", ["make", "make_gym", "make_dm", "make_vec", "gymnasium", "make_python", "vec of functions"]
)
def test_a_measured_number_of_threads_is_in_the_configuration(interface):
    options = {"num_envs": 3, "num_threads": "auto"}
    if interface == "gymnasium":
        env = gymnasium.make_vec("envpool_rs/CartPole-v1", **options)
    elif interface == "vec of functions":
        env = envpool_rs.make_vec([functools.partial(gymnasium.make, "CartPole-v1")] * 2, num_threads="auto")
    else:
        env = getattr(envpool_rs, interface)("CartPole-v1", **options)
    config = env.config
    chosen = config["num_workers" if "num_workers" in config else "num_threads"]
    assert 1 <= chosen <= 3
    env.reset()
    env.close()


@pytest.mark.parametrize("mode", ["same_step", "disabled"])
def test_threads_are_measured_in_every_autoreset_mode(mode):
    with contextlib.closing(
        envpool_rs.make_vec("CartPole-v1", num_envs=2, autoreset_mode=mode, num_threads="auto", max_episode_steps=3)
    ) as pool:
        assert 1 <= pool.config["num_threads"] <= 2


def test_the_configuration_has_the_number_of_threads_in_force():
    with contextlib.closing(envpool_rs.make_vec("CartPole-v1", num_envs=2)) as pool:
        assert 1 <= pool.config["num_threads"] <= 2
    for make in (envpool_rs.make, envpool_rs.make_gym, envpool_rs.make_dm):
        with contextlib.closing(make("CartPole-v1", num_envs=2)) as pool:
            assert pool.config["num_threads"] == 0  # as given, which is EnvPool's
    with pytest.raises(TypeError, match=r"num_threads='fast': expected an int"):
        envpool_rs.make("CartPole-v1", num_threads="fast")


MASKED = np.ma.array([9, 8, 7], mask=[1, 0, 0])
REFUSING = [
    ("gravity", lambda env: envpool_rs.make_vec("CartPole-v1", 3, gravity=MASKED * 1.0)),
    ("max_episode_steps", lambda env: envpool_rs.make_vec("CartPole-v1", 3, max_episode_steps=MASKED)),
    ("seed", lambda env: envpool_rs.make_vec("CartPole-v1", 3, seed=MASKED)),
    ("seed", lambda env: env.reset(seed=MASKED)),
    ("low", lambda env: env.reset(options={"low": np.ma.array([-0.1], mask=[1]), "high": 0.1})),
    ("gravity", lambda env: env.reset(options={"gravity": MASKED * 1.0})),
    ("gravity", lambda env: env.set_options(gravity=MASKED * 1.0)),
    ("gravity", lambda env: env.set_options(gravity=np.ma.masked)),
    ("seeds", lambda env: env.queue_resets(seeds=MASKED)),
    ("action", lambda env: env.step(MASKED)),
    ("env_ids", lambda env: env.get_options(MASKED)),
    ("env_id", lambda env: env.get_state(MASKED)),
]


@pytest.mark.parametrize("name, call", REFUSING)
def test_masked_entries_have_no_values(name, call):
    with contextlib.closing(envpool_rs.make_vec("CartPole-v1", 3)) as env:
        env.reset(seed=1)
        before = env.get_state()
        with pytest.raises((TypeError, ValueError), match=f"^{name}=.*(masked|--)"):
            call(env)
        assert env.get_state() == before
        env.step(np.ma.array([1, 0, 1]))  # nothing is masked


def test_ids_are_one_or_several_integers():
    with contextlib.closing(envpool_rs.make_vec("CartPole-v1", 3)) as env:
        env.reset(seed=1)
        calls = (env.get_state, env.queued_resets, env.get_options)
        for call in calls:
            assert repr(call(1)) == repr(call([1])) == repr(call(np.int64(1))) == repr(call(np.array(1)))
            for wrong in ("0", ["0"], 1.5):
                with pytest.raises(TypeError, match=r"env_ids? has dtype"):
                    call(wrong)
        state = env.get_state(2)
        env.step(np.ones(3, np.int64))
        env.set_state(state, 2)
        assert env.get_state(2) == state


def test_shapes_of_a_single_environment_have_no_axis_of_environments():
    pendulum, cart_pole = gymnasium.make("envpool_rs/Pendulum-v1"), gymnasium.make("envpool_rs/CartPole-v1")
    for env, action, message in [
        (pendulum, 0.5, r"action has shape \(\): expected \(1,\)"),
        (pendulum, np.zeros((1, 1)), r"action has shape \(1, 1\): expected \(1,\)"),
        (cart_pole, np.array([1]), r"action has shape \(1,\): expected \(\)"),
    ]:
        env.reset(seed=1)
        with pytest.raises(ValueError, match=message):
            env.unwrapped.step(action)
    team = MultiAgentEnv("SimpleSpread-v3", continuous_actions=True)
    team.reset(seed=1)
    with pytest.raises(ValueError, match=r"actions\[1\] has the shape \(2,\): expected \(5,\)"):
        team.step([np.zeros(5, np.float32), np.zeros(2, np.float32), np.zeros(5, np.float32)])


def test_copies_of_environments_are_independent():
    makers = [
        lambda: envpool_rs.make_vec("CartPole-v1", 1),
        lambda: gymnasium.make("envpool_rs/CartPole-v1").unwrapped,
        lambda: MultiAgentEnv("SimpleSpread-v3"),
        lambda: parallel_env("SimpleSpread-v3"),
        lambda: make_agent_vec("SimpleSpread-v3", 1),
    ]
    for make in makers:
        env = make()
        env.reset(seed=1)
        twin, pool = copy.copy(env), env if hasattr(env, "get_state") else getattr(env, "pool", None) or env._pool
        before = pool.get_state()
        twin.reset(seed=2)
        assert pool.get_state() == before
