"""Tests lookup, registration and rejection of task names."""

import subprocess
import sys
import types
from pathlib import Path

import envpool_rs
import gymnasium
import pytest
from envpool_rs._tasks import table
from envpool_rs.pools import gymnasium_id

ENVPOOL_ONLY = Path(table.__file__).with_name("envpool_only.txt")


@pytest.fixture
def clean_registry():
    tasks, ids = dict(table.tasks), set(gymnasium.registry)
    yield
    table.tasks.clear()
    table.tasks.update(tasks)
    for added in set(gymnasium.registry) - ids:
        del gymnasium.registry[added]


def run(code):
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_every_task_is_known_to_gymnasium_with_its_limits():
    for task in envpool_rs.list_all_envs():
        spec = gymnasium.spec(gymnasium_id(task))
        assert spec.vector_entry_point == "envpool_rs.registration:make_vec"
    assert gymnasium.spec("envpool_rs/CartPole-v1").max_episode_steps == 500
    assert gymnasium.spec("envpool_rs/CartPole-v1").reward_threshold == 475.0


def test_every_task_has_a_specification_of_its_name():
    for task in envpool_rs.list_all_envs():
        assert envpool_rs.make_spec(task).id == task


def test_gymnasium_imports_the_package_named_in_the_id():
    code = "import gymnasium; print(gymnasium.make_vec('envpool_rs:envpool_rs/CartPole-v1', num_envs=2).num_envs)"
    assert run(code) == "2"


def test_importing_brings_in_no_optional_package():
    code = (
        "import sys, envpool_rs; print([m for m in ('gym', 'dm_env', 'torch', 'jax', 'envpool') if m in sys.modules])"
    )
    assert run(code) == "[]"


def test_a_missing_dm_env_names_the_extra():
    code = """
import sys; sys.modules["dm_env"] = None
import envpool_rs
try: envpool_rs.make_dm("CartPole-v1")
except ImportError as error: print(error)
"""
    assert "envpool_rs[dm]" in run(code)


@pytest.mark.parametrize("make", [envpool_rs.make, envpool_rs.make_spec, envpool_rs.make_vec])
def test_unknown_tasks_are_refused_with_near_names(make):
    with pytest.raises(ValueError, match="did you mean 'CartPole-v1'"):
        make("cartpole-v1")
    with pytest.raises(ValueError, match="EnvPool has it, this release of envpool_rs does not"):
        make("Backgammon-v1")
    with pytest.raises(ValueError, match="list_all_envs"):
        make("qqqqqq")
    with pytest.raises(ValueError, match="task_id=3"):
        make(3)


@pytest.mark.parametrize(
    ("task", "text"),
    [
        (
            "PongNoFrameskip-v4",
            "did you mean 'ALE/Pong-v5' with frameskip=1, repeat_action_probability=0.0, or",
        ),
        (
            "MsPacman-ram-v0",
            r"'ALE/MsPacman-v5' with obs_type='ram', frameskip=\(2, 5\), repeat_.*=0.25",
        ),
        ("PongDeterministic-v4", "'ALE/Pong-v5' with frameskip=4, repeat_action_probability=0.0"),
    ],
)
def test_old_ids_of_atari_games_are_refused_with_the_options_that_stand_for_them(task, text):
    with pytest.raises(ValueError, match=text):
        envpool_rs.make(task)


def test_ids_of_gymnasium_alone_are_refused_with_the_functions_that_make_them():
    gymnasium.register("Foreign-v0", entry_point="nowhere:Foreign")
    try:
        with pytest.raises(ValueError, match=r"gymnasium has it: make_vec\('Foreign-v0'\) and make_python"):
            envpool_rs.make("Foreign-v0")
    finally:
        del gymnasium.registry["Foreign-v0"]


def test_suggestions_of_two_tables_are_listed_once():
    with pytest.raises(ValueError, match="unknown") as caught:
        envpool_rs.make_vec("CartPole-v9")
    assert str(caught.value).count("'CartPole-v0'") == 1


def test_tasks_only_in_envpool_are_not_registered():
    names = ENVPOOL_ONLY.read_text().split()
    assert len(names) == len(set(names))
    assert set(names).isdisjoint(table.tasks)
    assert {"Backgammon-v1", "gfootball/11_vs_11_easy_stochastic-v1"} <= set(names)


def test_unknown_options_are_refused():
    for make in (envpool_rs.make, envpool_rs.make_spec, envpool_rs.make_vec):
        with pytest.raises(TypeError, match='"gravitas"'):
            make("CartPole-v1", gravitas=3)
    with pytest.raises(TypeError, match='did you mean "num_envs"'):
        envpool_rs.make("CartPole-v1", num_env=3)
    for short, name in (("norm_obs", "normalize_obs"), ("max_steps", "max_episode_steps")):
        with pytest.raises(TypeError, match=f'no option "{short}"; did you mean "{name}"'):
            envpool_rs.make("HalfCheetah-v5", **{short: 3})
    with pytest.raises(TypeError, match=r'"map_name"; tasks that have it: FrozenLake.*envpool_rs\.Batch steps a model'):
        envpool_rs.make("HalfCheetah-v5", map_name=3)


def test_unknown_interfaces_are_refused():
    with pytest.raises(ValueError, match="'gym', 'gymnasium' or 'dm'"):
        envpool_rs.make("CartPole-v1", "torch")


def test_unused_arguments_accept_only_their_neutral_values():
    neutral = {
        "base_path": None,
        "render_mode": None,
        "render_env_id": 0,
        "render_width": 0,
        "render_camera_id": -1,
        "from_pixels": False,
    }
    for make in (envpool_rs.make, envpool_rs.make_vec):
        make("CartPole-v1", **neutral)
        for name, value in {
            "render_mode": "ascii",
            "render_env_id": 1,
            "render_camera_id": 0,
            "from_pixels": True,
        }.items():
            with pytest.raises(ValueError, match=name):
                make("CartPole-v1", **{name: value})


def test_env_seed_is_a_list_of_seeds():
    env = envpool_rs.make("CartPole-v1", num_envs=2, env_seed=[4, 9])
    assert env.np_random_seed == (4, 9)
    # `env_seed` decides, and a different `seed` is accepted and ignored, because EnvPool's configurations have both
    # options.
    assert envpool_rs.make("CartPole-v1", num_envs=2, env_seed=[4, 9], seed=1).np_random_seed == (4, 9)
    with pytest.raises(ValueError, match="env_seed"):
        envpool_rs.make("CartPole-v1", num_envs=2, env_seed=[4, 9], seed=[4, 9])


WRONG_SEEDS = [
    (5, TypeError, r"^env_seed=5: expected a list of ints or None"),
    ("ab", TypeError, r"^env_seed='ab': expected a list"),
    ([4, "a"], TypeError, r"^env_seed\[1\]='a': expected an int"),
    ([4, 1.5], TypeError, r"^env_seed\[1\]=1.5: expected an int"),
    ([4], ValueError, r"^env_seed has 1 entries: expected num_envs=2"),
]


@pytest.mark.parametrize(("seeds", "error", "message"), WRONG_SEEDS, ids=str)
def test_a_wrong_env_seed_is_refused_by_that_name(seeds, error, message):
    with pytest.raises(error, match=message):
        envpool_rs.make("CartPole-v1", num_envs=2, env_seed=seeds)


def test_only_gym_resets_without_info():
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_spec):
        with pytest.raises(ValueError, match="gym_reset_return_info=False"):
            make("CartPole-v1", gym_reset_return_info=False)
    with pytest.raises(TypeError, match="gym_reset_return_info"):
        envpool_rs.make_gym("CartPole-v1", gym_reset_return_info="yes")
    assert envpool_rs.make("CartPole-v1", gym_reset_return_info=True, max_num_players=1).num_envs == 1


def test_make_vec_accepts_gymnasiums_ids():
    assert envpool_rs.make_vec("envpool_rs/CartPole-v1", 2).spec.id == "envpool_rs/CartPole-v1"


def test_a_registered_name_has_its_own_defaults(clean_registry):
    envpool_rs.register("Light-v1", base="Pendulum-v1", g=1.0, max_episode_steps=7, aliases=["Feather-v1"])
    assert envpool_rs.list_all_envs()[-2:] == ["Light-v1", "Feather-v1"]
    env = envpool_rs.make("Light-v1", num_envs=2)
    assert env.config["g"] == 1.0 and env.spec.id == "Light-v1" and env.spec.task_id == "Pendulum-v1"
    assert envpool_rs.make("Feather-v1", g=2.0).config["g"] == 2.0
    vector = gymnasium.make_vec("envpool_rs/Light-v1", num_envs=2)
    assert vector.spec.config.g == 1.0 and vector.spec.config.max_episode_steps == 7
    assert gymnasium.make("envpool_rs/Light-v1").spec.max_episode_steps == 7


def test_invalid_registrations_are_refused(clean_registry):
    with pytest.raises(ValueError, match="registered already"):
        envpool_rs.register("CartPole-v1", base="CartPole-v1")
    with pytest.raises(ValueError, match="unknown task"):
        envpool_rs.register("New-v1", base="Cartpole")
    with pytest.raises(TypeError, match="gravitas"):
        envpool_rs.register("New-v1", base="CartPole-v1", gravitas=1.0)
    with pytest.raises(ValueError, match="both given"):
        envpool_rs.register("New-v1", "module", base="CartPole-v1")
    with pytest.raises(ValueError, match="either base"):
        envpool_rs.register("New-v1")
    assert "New-v1" not in envpool_rs.list_all_envs()


@pytest.mark.parametrize("names", [["a name with spaces"], ["Fine-v1", "Fine-v2!"], ["Fine-v1", ""]], ids=str)
def test_ids_refused_by_gymnasium_are_not_registered(clean_registry, names):
    tasks, ids = list(table.tasks), list(gymnasium.registry)
    for _ in range(2):
        with pytest.raises(gymnasium.error.Error, match="Malformed environment ID"):
            envpool_rs.register(names[0], base="CartPole-v1", aliases=names[1:])
    assert list(table.tasks) == tasks and list(gymnasium.registry) == ids


def test_classes_of_another_package_are_created_like_envpools(clean_registry, monkeypatch):
    class Spec:
        def __init__(self, config):
            self.config = config

        @staticmethod
        def gen_config(**options):
            return options

    class Env:
        def __init__(self, spec):
            self.spec = spec

    module = types.ModuleType("other_package")
    module.Spec, module.Env = Spec, Env
    monkeypatch.setitem(sys.modules, "other_package", module)
    envpool_rs.register(
        task_id="Other-v0", import_path="other_package", spec_cls="Spec", dm_cls=None, gymnasium_cls="Env", size=3
    )
    env = envpool_rs.make("Other-v0", num_envs=2)
    assert isinstance(env, Env) and env.spec.config == {"size": 3, "num_envs": 2}
    assert isinstance(envpool_rs.make_gym("Other-v0"), Env)
    assert envpool_rs.make_spec("Other-v0").config == {"size": 3}
    with pytest.raises(ValueError, match="gym and gymnasium only"):
        envpool_rs.make_dm("Other-v0")
    with pytest.raises(ValueError, match="make_vec"):
        envpool_rs.make_vec("Other-v0")
