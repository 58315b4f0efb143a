"""Tests options with a value for each environment or drawn for each episode, and pools of several tasks.

Every environment must equal gymnasium's environment with the same value, or a separate pool.
"""

import copy
import pickle

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._tasks import table
from hypothesis import given, settings
from hypothesis import strategies as st

ENDLESS: list[object] = []
ENDLESS.append(ENDLESS)
LAKES = [["SFFF", "FHFH", "FFFH", "HFFG"], ["SFFF", "FFFF", "FFHF", "HFFG"], ["SFHF", "FFFF", "HFFF", "FFFG"]]
EACH = [
    ("Pendulum-v1", "g", [9.0, 9.5, 9.5, 10.0, 1.62]),
    ("Pendulum-v1", "g", np.linspace(0, 20, 40)),
    ("MountainCar-v0", "goal_velocity", np.array([0.0, 0.01, 0.02], dtype=np.float32)),
    ("CartPole-v1", "sutton_barto_reward", [True, False, True, True]),
    ("FrozenLake-v1", "desc", LAKES),
    ("FrozenLake-v1", "success_rate", (0.2, 0.5, 0.9)),
    ("Blackjack-v1", "sab", np.array([True, False])),
    ("CliffWalking-v1", "is_slippery", [False, True]),
]


def plain(value):
    return value.item() if isinstance(value, np.generic) else value


def same(ours, theirs):
    ours, theirs = (value if isinstance(value, tuple) else (value,) for value in (ours, theirs))
    for left, right in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(left, right)


def lane(batch, index):
    return tuple(part[index] for part in batch) if isinstance(batch, tuple) else batch[index]


@pytest.mark.parametrize(("task", "option", "values"), EACH, ids=lambda value: value if isinstance(value, str) else "")
@pytest.mark.parametrize("threads", [1, 2])
def test_each_environment_equals_gymnasiums_with_its_option_value(task, option, values, threads):
    count = len(values)
    env = envpool_rs.make_vec(task, count, num_threads=threads, autoreset_mode="disabled", **{option: values})
    references = [gymnasium.make(task, **{option: plain(value)}) for value in values]
    env.action_space.seed(1)
    observation, _ = env.reset(seed=7)
    for index, reference in enumerate(references):
        same(lane(observation, index), reference.reset(seed=7 + index)[0])
    for _ in range(250):
        actions = env.action_space.sample()
        observation, reward, terminated, truncated, _ = env.step(actions)
        over = terminated | truncated
        for index, reference in enumerate(references):
            theirs = reference.step(actions[index])
            same(lane(observation, index), theirs[0])
            assert (reward[index], terminated[index], truncated[index]) == theirs[1:4]
        if over.any():
            observation, _ = env.reset(options={"reset_mask": over})
            for index in np.flatnonzero(over):
                same(lane(observation, index), references[index].reset()[0])


def test_option_draws_equal_those_of_gymnasiums_generator():
    env = envpool_rs.make_vec("Pendulum-v1", 6, seed=3, max_episode_steps=4, g=("uniform", 9, 11))
    observation, info = env.reset()
    references = [gymnasium.make("Pendulum-v1").unwrapped for _ in range(6)]
    for index, reference in enumerate(references):
        reference.reset(seed=3 + index)
        reference.np_random, _ = gymnasium.utils.seeding.np_random(3 + index)
    for _ in range(10):
        for index, reference in enumerate(references):
            reference.g = reference.np_random.uniform(9, 11)
            assert info["g"][index] == reference.g
            assert info["_g"][index]
            same(observation[index], reference.reset()[0])
        for _ in range(4):
            observation, reward, *_ = env.step(np.full((6, 1), 1.5, np.float32))
            for index, reference in enumerate(references):
                theirs = reference.step(np.array([1.5], np.float32))
                same(observation[index], theirs[0])
                assert reward[index] == theirs[1]
        observation, _, _, _, info = env.step(np.zeros((6, 1), np.float32))


def test_one_option_may_mix_distributions_and_fixed_values():
    env = envpool_rs.make("Pendulum-v1", num_envs=3, seed=2, g=[5, ("uniform", 1, 2), ("choice", 7, 8)])
    _, info = env.reset()
    second, third = (np.random.default_rng(2 + index) for index in (1, 2))
    expected = [5, second.uniform(1, 2), [7, 8][third.integers(0, 2)]]
    np.testing.assert_array_equal(info["g"], np.array(expected, np.float32))


def test_choices_and_integers_are_drawn_like_numpys():
    env = envpool_rs.make("FrozenLake-v1", num_envs=3, seed=11, max_episode_steps=1, desc=("choice", *LAKES))
    (_, info), streams = env.reset(), [np.random.default_rng(11 + index) for index in range(3)]
    seen = set()
    for _ in range(30):
        expected = [stream.integers(0, 3) for stream in streams]
        assert info["desc"].tolist() == expected
        seen.update(expected)
        for stream in streams:
            stream.random(2)  # the draws of the start state and of slips on the ice
        env.step(np.ones(3, np.int64))
        info = env.step(np.ones(3, np.int64))[4]
    assert seen == {0, 1, 2}


@settings(max_examples=15, deadline=None)
@given(
    values=st.lists(st.sampled_from([0.5, 3.0, 9.8]), min_size=12, max_size=12),
    batch=st.sampled_from([1, 3, 4, 12]),
    threads=st.integers(1, 3),
    mode=st.sampled_from(["next_step", "same_step"]),
)
def test_mixed_pools_do_not_depend_on_threads_and_batches(values, batch, threads, mode):
    limits = [3 + index % 4 for index in range(12)]
    common = {"seed": 5, "autoreset_mode": mode}
    pool = envpool_rs.make(
        "Pendulum-v1", num_envs=12, batch_size=batch, num_threads=threads, g=values, max_episode_steps=limits, **common
    )
    alone = [
        envpool_rs.make("Pendulum-v1", g=g, max_episode_steps=limit, **{**common, "seed": 5 + index})
        for index, (g, limit) in enumerate(zip(values, limits, strict=True))
    ]
    pool.async_reset()
    started = [False] * 12
    for _ in range(12 * 9 // batch):
        observation, reward, _, truncated, info = pool.recv()
        for row, index in enumerate(info["env_id"]):
            if started[index]:
                theirs = alone[index].step(np.full((1, 1), index / 6 - 1, np.float32))
                assert (reward[row], truncated[row]) == (theirs[1][0], theirs[3][0])
            else:
                theirs = alone[index].reset()
                started[index] = True
            same(observation[row], theirs[0][0])
        pool.send((info["env_id"] / 6 - 1).astype(np.float32)[:, None], info["env_id"])


def test_tasks_in_a_shared_pool_keep_their_presets():
    name = "test/Lunar-v1"
    if name not in table.tasks:
        envpool_rs.register(name, base="Pendulum-v1", g=1.62, max_episode_steps=3)
    for env in (
        envpool_rs.make([name, "Pendulum-v1"], num_envs=4, seed=1),
        envpool_rs.make_vec(["envpool_rs/Pendulum-v1", name][::-1], 4, seed=1),
    ):
        config = env.spec.config_dict()
        assert config["g"] == [1.62, 1.62, 10.0, 10.0]
        assert config["max_episode_steps"] == [3, 3, 200, 200]
        env.reset()
        alone = envpool_rs.make("Pendulum-v1", num_envs=4, seed=1, g=[1.62, 1.62, 10, 10])
        alone.reset()
        for _ in range(3):
            ours, theirs = env.step(np.ones((4, 1), np.float32)), alone.step(np.ones((4, 1), np.float32))
            same(ours[0], theirs[0])
        assert ours[3].tolist() == [True, True, False, False]
    given = envpool_rs.make([name, "Pendulum-v1"], num_envs=2, g=[3, 4], max_episode_steps=9).spec.config_dict()
    assert (given["g"], given["max_episode_steps"]) == ([3.0, 4.0], 9)


def test_games_with_the_same_actions_share_a_pool():
    pytest.importorskip("ale_py")
    games = ["Pong-v5", "Breakout-v5", "Qbert-v5"]
    env = envpool_rs.make(games, num_envs=6, seed=9, full_action_space=True, frame_skip=[4, 2] * 3)
    alone = [
        envpool_rs.make(games[index // 2], seed=9 + index, full_action_space=True, frame_skip=[4, 2][index % 2])
        for index in range(6)
    ]
    same(env.reset()[0], np.concatenate([each.reset()[0] for each in alone]))
    rng = np.random.default_rng(0)
    for _ in range(60):
        actions = rng.integers(0, 18, 6)
        ours, theirs = env.step(actions), [each.step(actions[[index]]) for index, each in enumerate(alone)]
        for part in range(4):
            np.testing.assert_array_equal(ours[part], np.concatenate([each[part] for each in theirs]))
        np.testing.assert_array_equal(ours[4]["lives"], np.concatenate([each[4]["lives"] for each in theirs]))
    with pytest.raises(ValueError, match=r"the action space of the one is Discrete\(6\), of the other Discrete\(4\)"):
        envpool_rs.make(games[:2])


def test_the_frame_skip_may_change_per_episode():
    pytest.importorskip("ale_py")
    options = {"num_envs": 2, "noop_max": 0, "max_episode_steps": 5}
    env = envpool_rs.make("Pong-v5", frame_skip=("integers", 2, 5), **options)
    alone = {skip: envpool_rs.make("Pong-v5", frame_skip=skip, **options) for skip in (2, 3, 4)}
    observation, info = env.reset()
    seen = set()
    for _ in range(8):
        for index in range(2):
            reference = alone[int(info["frame_skip"][index])]
            seen.add(int(info["frame_skip"][index]))
            same(observation[index], reference.reset()[0][index])
        runs = [{skip: each.step(np.full(2, 3))[0] for skip, each in alone.items()} for _ in range(5)]
        for run in runs:
            observation = env.step(np.full(2, 3))[0]
            for index in range(2):
                same(observation[index], run[int(info["frame_skip"][index])][index])
        for each in alone.values():
            each.step(np.zeros(2, np.int64))
        observation, _, _, _, info = env.step(np.zeros(2, np.int64))
    assert seen == {2, 3, 4}


@pytest.mark.parametrize(
    "make",
    [
        lambda: envpool_rs.make("Pendulum-v1", num_envs=6, g=[1, 2, 2, 3, 3, 3], max_episode_steps=[4, 5, 6] * 2),
        lambda: envpool_rs.make("Pendulum-v1", num_envs=6, g=("uniform", 1, 20), max_episode_steps=4),
        lambda: envpool_rs.make(["CartPole-v0", "CartPole-v1"], num_envs=6),
        lambda: envpool_rs.make_vec("Pendulum-v1", 6, g=np.arange(6.0), max_episode_steps=7),
    ],
)
def test_pickles_copies_and_snapshots_continue_identically(make):
    env = make()
    env.reset()

    def played(pool, steps=12):
        action = np.ones(6, np.int64) if "CartPole" in pool.spec.id else np.ones((6, 1), np.float32)
        return [pool.step(action)[:4] for _ in range(steps)]

    played(env, 3)
    others = [copy.deepcopy(env), pickle.loads(pickle.dumps(env)), make()]
    others[2].set_state(env.get_state())
    expected = played(env)
    for other in others:
        for ours, theirs in zip(played(other), expected, strict=True):
            for left, right in zip(ours, theirs, strict=True):
                np.testing.assert_array_equal(left, right)


def test_a_snapshot_fits_only_environments_with_its_options():
    env = envpool_rs.make("Pendulum-v1", num_envs=3, g=[1, 2, 1])
    env.reset()
    state = env.get_state(np.array([0]))
    env.set_state(state, np.array([2]))
    with pytest.raises(ValueError, match=r"g=1\.0"):
        env.set_state(state, np.array([1]))


def test_a_pool_of_a_subset_equals_the_whole_pool():
    spec = envpool_rs.make_spec(["CartPole-v0", "CartPole-v1"], num_envs=4, max_episode_steps=[2, 3, 4, 5])
    part = spec.for_envs([3, 0], batch_size=0)
    assert part.config.max_episode_steps == [5, 2]
    assert part.id == "CartPole-v1, CartPole-v0"
    assert envpool_rs.make_spec("Pendulum-v1", num_envs=3, g=[1, 2, 3]).for_envs(range(1, 3)).config.g == [2.0, 3.0]


@pytest.mark.parametrize("env_type", ["gym", "gymnasium", "dm"])
def test_every_interface_accepts_values_for_each_environment(env_type):
    if env_type == "dm":
        pytest.importorskip("dm_env")
    env = envpool_rs.make("Pendulum-v1", env_type, num_envs=2, g=[0, 10], seed=[4, 4])
    env.reset()
    for _ in range(3):
        result = env.step(np.zeros((2, 1), np.float32))
    observation = result.observation.obs if env_type == "dm" else result[0]
    assert (observation[0] != observation[1]).any()


def test_options_of_list_type_accept_lists_and_not_arrays():
    pytest.importorskip("ale_py")

    def skips(frameskip):
        return envpool_rs.make_spec("ALE/Pong-v5", num_envs=2, frameskip=frameskip).config.frameskip

    assert skips((2, 5)) == skips([2, 5]) == [2, 5]
    assert skips(np.array([2, 5])) == [2, 5]
    assert envpool_rs.make_spec("ALE/Pong-v5", num_envs=3, frameskip=np.array([2, 5, 3])).config.frameskip == [2, 5, 3]
    assert skips([[2, 5], 4]) == [[2, 5], 4]
    with pytest.raises(ValueError, match="a list is one value for all environments, an array has one for each"):
        envpool_rs.make_spec("ALE/Pong-v5", num_envs=3, frameskip=[4, 4, 4])
    lakes = envpool_rs.make_spec("FrozenLake-v1", num_envs=4, desc=LAKES[0]).config.desc
    assert lakes == LAKES[0]


def test_pictures_of_a_pool_of_several_games_have_one_size():
    pytest.importorskip("ale_py")
    games = ["Pong-v5", "Tetris-v5"]
    env = envpool_rs.make_vec(games, 2, full_action_space=True, render_mode="rgb_array")
    env.reset()
    assert len({frame.shape for frame in env.render()}) == 1


def test_later_changes_of_option_values_do_not_affect_the_pool():
    for g in ([1.0, 2.0], np.array([1.0, 2.0])):
        env = envpool_rs.make("Pendulum-v1", num_envs=2, g=g)
        env.reset()
        g[0] = 99.0
        assert copy.deepcopy(env).spec.config.g == pickle.loads(pickle.dumps(env)).spec.config.g == [1.0, 2.0]
        assert list(env.spec.kwargs["g"]) == [1.0, 2.0]


def test_specifications_with_arrays_are_compared():
    one, like, other = (envpool_rs.make_spec("Pendulum-v1", num_envs=2, g=np.array([1.0, g])) for g in (2, 2, 3))
    assert one == like
    assert one != other


def test_a_distribution_survives_json():
    env = gymnasium.make("envpool_rs/Pendulum-v1", g=("uniform", 9, 11))
    again = gymnasium.make(gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()))
    same(env.reset(seed=3)[0], again.reset(seed=3)[0])
    assert env.reset(seed=3)[1] == again.reset(seed=3)[1]


@pytest.mark.parametrize("limits", [np.array([5]), [5], np.array(5)])
def test_a_single_environment_accepts_an_array_with_one_time_limit(limits):
    assert envpool_rs.make_spec("Pendulum-v1", num_envs=1, max_episode_steps=limits).config.max_episode_steps == 5


def test_none_in_a_list_of_time_limits_means_the_tasks_default():
    spec = envpool_rs.make_spec(["CartPole-v0", "CartPole-v1"], num_envs=4, max_episode_steps=[5, None, None, 6])
    assert spec.config.max_episode_steps == [5, 200, 500, 6]


@pytest.mark.parametrize(
    ("task", "given"),
    [
        ("FrozenLake-v1", {"desc": [None, LAKES[0]]}),
        ("FrozenLake-v1", {"desc": [LAKES[0], None]}),
        ("FrozenLake-v1", {"desc": [None, ("choice", *LAKES)]}),
    ],
)
def test_lists_of_values_may_follow_other_options(task, given):
    desc = envpool_rs.make_spec(task, num_envs=2, **given).config.desc
    assert len(desc) == 2
    assert desc != given["desc"][1]


def test_infos_cover_all_environments_if_one_preset_is_a_distribution():
    name = "test/Shaky-v1"
    if name not in table.tasks:
        envpool_rs.register(name, base="Pendulum-v1", g=("uniform", 9, 11))
    spec = envpool_rs.make_spec([name, "Pendulum-v1"], num_envs=4)
    env = envpool_rs.make([name, "Pendulum-v1"], num_envs=4, seed=8)
    _, info = env.reset()
    drawn = [np.random.default_rng(8 + index).uniform(9, 11) for index in range(2)]
    np.testing.assert_array_equal(info["g"], np.array([*drawn, 10, 10], np.float32))
    for env_ids in ([0, 1], [2, 3]):
        assert [key for key in spec.for_envs(env_ids).state_array_spec if key.endswith(":g")] == ["info:g"]


def test_a_spec_of_a_subset_has_the_infos_of_the_whole():
    spec = envpool_rs.make_spec("Pendulum-v1", num_envs=3, g=[("uniform", 1, 2), 5, 6])
    assert "info:g" in spec.for_envs([1, 2]).state_array_spec
    pytest.importorskip("ale_py")
    skips = envpool_rs.make_spec("ALE/Pong-v5", num_envs=3, frameskip=np.array([2, 5, 3]))
    assert skips.for_envs([0, 1]).config.frameskip == [2, 5]
    assert skips.for_envs([0, 1]).for_envs([1]).config.frameskip == 5


def test_presets_of_pool_options_must_agree():
    names = ["test/Alone-v1", "test/Alike-v1"]
    for name in names:
        if name not in table.tasks:
            envpool_rs.register(name, base="CartPole-v1", num_threads=1, sutton_barto_reward=True)
    assert envpool_rs.make_spec(names, num_envs=4).config.num_threads == 1
    for make in (envpool_rs.make, envpool_rs.make_vec, envpool_rs.make_spec):
        with pytest.raises(ValueError, match=r"num_threads=1 is preset for 'test/Alone-v1' and not for all"):
            make([names[0], "CartPole-v1"])
    config = envpool_rs.make_spec([names[0], "CartPole-v1"], num_threads=2).config
    assert (config.num_threads, config.sutton_barto_reward) == (2, [True, False])


def test_gymnasium_registers_no_limit_for_ids_with_several_limits():
    name = "test/Limits-v1"
    if name not in table.tasks:
        envpool_rs.register(name, base="Pendulum-v1", num_envs=2, max_episode_steps=[3, 4])
    assert gymnasium.spec("envpool_rs/test-Limits-v1").max_episode_steps is None
    assert envpool_rs.make_spec(name).config.max_episode_steps == [3, 4]


class Endless(tuple):
    def __iter__(self):
        while True:
            yield 1.0


def test_a_distribution_is_read_without_its_iteration_methods():
    assert envpool_rs.make_spec("Pendulum-v1", g=Endless(("choice", 2.0))).config.g == ("choice", 2.0)
    core = envpool_rs._core.Spec("Pendulum-v1", "envpool", {"g": Endless(("choice", 2.0))})
    assert core.config["g"] == ("choice", 2.0)


def test_a_random_map_is_kept_while_other_options_are_drawn():
    options = {"map_name": None, "success_rate": ("uniform", 0.5, 1), "render_mode": "rgb_array"}
    env = envpool_rs.make_vec("FrozenLake-v1", 1, **options)
    env.reset()
    pictures = set()
    for _ in range(6):
        env.reset()
        pictures.add(env.render()[0].tobytes())
    assert len(pictures) == 1


def test_messages_show_the_beginning_of_long_values():
    for options in ({"g": ("a",) * 10**5}, {"g": [[1.5] * 10**5] * 2}):
        with pytest.raises((TypeError, ValueError), match="g=") as refused:
            envpool_rs.make_spec("Pendulum-v1", num_envs=2, **options)
        assert len(str(refused.value)) < 2000


def test_rom_dir_accepts_a_path_for_each_environment(tmp_path):
    with pytest.raises(FileNotFoundError, match="atari/roms"):
        envpool_rs.make("Pong-v5", num_envs=2, rom_dir=[tmp_path, tmp_path])


REFUSED = [
    ({"g": [1, 2]}, ValueError, r"g has 2 entries: expected one value, or num_envs=3 of them"),
    ({"g": np.zeros((3, 2))}, TypeError, "g=.*expected float, not list of float"),
    ({"g": [1, "2", 3]}, TypeError, "expected float, not str"),
    ({"g": [1, float("nan"), 3]}, ValueError, "finite numbers"),
    ({"g": iter([1, 2, 3])}, TypeError, "no value for an option"),
    ({"g": ("normal", 0, 1)}, ValueError, r"g=\('normal', 0, 1\): expected a value, or a tuple that begins with"),
    ({"g": ("uniform", 1)}, ValueError, r"expected a low and a high bound after .uniform."),
    ({"g": ("uniform", 2, 1)}, ValueError, "the first below the second"),
    ({"g": ("uniform", "a", 1)}, TypeError, "expected a float as a bound"),
    ({"g": ("integers", 1, 5)}, TypeError, "expected a distribution of floats"),
    ({"g": ("choice",)}, ValueError, "one value or more"),
    ({"max_episode_steps": [1, 2]}, ValueError, "max_episode_steps has 2 entries"),
    ({"max_episode_steps": [1, 0, 2]}, ValueError, "max_episode_steps=0"),
    ({"max_episode_steps": ("uniform", 1, 2)}, TypeError, "max_episode_steps"),
    ({"num_envs": [1, 2, 3]}, TypeError, "num_envs"),
]


@pytest.mark.parametrize(("options", "error", "message"), REFUSED)
def test_invalid_values_are_refused(options, error, message):
    with pytest.raises(error, match=message):
        envpool_rs.make("Pendulum-v1", **{"num_envs": 3, **options})


@pytest.mark.parametrize(
    ("tasks", "options", "error", "message"),
    [
        ([], {}, ValueError, r"task_id=\[\]: expected one or more tasks"),
        (ENDLESS, {}, ValueError, r"task_id=.*: expected one or more tasks"),
        (["CartPole-v0", "CartPol-v1"], {}, ValueError, "did you mean 'CartPole-v1'"),
        (["CartPole-v0", 3], {}, ValueError, "task_id=3"),
        (["CartPole-v0", "CartPole-v1"], {"num_envs": 3}, ValueError, "num_envs=3: expected a multiple of 2"),
        (["CartPole-v0", "Pendulum-v1"], {}, ValueError, r"environments 0 \(CartPole-v0\) and 1 \(Pendulum-v1\)"),
        (["CartPole-v0", "CartPole-v1"], {"g": 3}, TypeError, "CartPole-v0 has no option .g."),
        (["FrozenLake-v1", "FrozenLake8x8-v1"], {}, ValueError, r"is Discrete\(16\), of the other Discrete\(64\)"),
    ],
)
def test_incompatible_tasks_are_refused(tasks, options, error, message):
    for make in (envpool_rs.make, envpool_rs.make_vec, envpool_rs.make_spec):
        with pytest.raises(error, match=message):
            make(tasks, **options)


def test_options_fixed_at_creation_cannot_be_drawn():
    with pytest.raises(ValueError, match="it cannot change from episode to episode"):
        envpool_rs.make("NChain-v0", n=("integers", 3, 6))
    with pytest.raises(ValueError, match="values that leave the spaces as they are"):
        envpool_rs.make("FrozenLake-v1", desc=("choice", LAKES[0], ["SFG"]))
