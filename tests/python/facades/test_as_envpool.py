"""Tests that programs that import `envpool` get this package, with EnvPool's module paths."""

import importlib
import importlib.util
import subprocess
import sys
import types

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import _core
from envpool_rs.envpool_alias import install_as_envpool

PATHS = {
    "envpool": "make make_dm make_gym make_gymnasium make_spec list_all_envs register EnvPool EnvSpec GymnasiumEnvPool",
    "envpool.registration": "make make_dm make_gym make_gymnasium make_spec list_all_envs register registry",
    "envpool.python.envpool": "EnvPoolMixin",
    "envpool.python.protocol": "EnvPool EnvSpec GymnasiumEnvPool ArraySpec",
    "envpool.python.api": "py_env",
    "envpool.atari.registration": "atari_game_list",
    "envpool.atari.atari_envpool": "_AtariEnvPool _AtariEnvSpec",
    "envpool.classic_control": "CartPoleEnvSpec CartPoleGymnasiumEnvPool CartPoleDMEnvPool",
    "envpool.python.glfw_context": "preload_windows_gl_dlls",
    "envpool.minigrid": "decode_mission MiniGridEnvSpec MiniGridGymnasiumEnvPool MiniGridDMEnvPool",
    "envpool.minigrid.registration": "register",
    "envpool.toy_text": "FrozenLakeEnvSpec FrozenLakeGymnasiumEnvPool FrozenLakeDMEnvPool",
}


@pytest.fixture
def envpool(monkeypatch):
    """Imports `envpool` in the test's process, where another EnvPool may already be imported."""
    with install_as_envpool(force=True):
        yield importlib.import_module("envpool")


@pytest.fixture
def another(monkeypatch):
    """Creates and imports a module named `envpool` that is not this package."""
    others = {name: types.ModuleType(name) for name in ("envpool", "envpool.python")}
    others["envpool"].__version__ = "9.9"
    for name, module in others.items():
        monkeypatch.setitem(sys.modules, name, module)
    return others


@pytest.mark.parametrize("path", PATHS)
def test_names_have_envpools_module_paths(envpool, path):
    module = importlib.import_module(path)
    missing = [name for name in PATHS[path].split() if not hasattr(module, name)]
    assert not missing


def test_importing_the_package_provides_all_modules(envpool):
    env = envpool.make_gymnasium("CartPole-v1", num_envs=2)
    assert isinstance(env, envpool.python.envpool.EnvPoolMixin)
    assert isinstance(env.spec, envpool.python.protocol.EnvSpec)
    listed = envpool.registration.registry.list_all_envs()
    assert listed[: len(envpool_rs.list_all_envs())] == envpool_rs.list_all_envs() and "phys2d/CartPole-v0" in listed
    assert importlib.util.find_spec("envpool") is not None


@pytest.mark.parametrize("maker", ["make_gymnasium", "make_gym", "make_dm"])
def test_every_pool_is_an_instance_of_envpools_class(envpool, maker):
    if maker == "make_dm":
        pytest.importorskip("dm_env")
    assert isinstance(getattr(envpool, maker)("CartPole-v1"), envpool.python.envpool.EnvPoolMixin)


def test_pools_of_python_environments_are_instances_of_envpools_class(envpool):
    with envpool_rs.make_python([lambda: gymnasium.make("CartPole-v1")]) as env:
        assert isinstance(env, envpool.python.envpool.EnvPoolMixin)


def test_the_alias_runs_a_pool(envpool):
    env = envpool.make("CartPole-v1", env_type="gymnasium", num_envs=3, seed=1)
    expected = envpool_rs.make("CartPole-v1", num_envs=3, seed=1)
    np.testing.assert_array_equal(env.reset()[0], expected.reset()[0])


def test_one_spec_class_has_the_options_of_all_minigrid_levels(envpool):
    cls = envpool.minigrid.MiniGridEnvSpec
    assert isinstance(envpool.make_spec("BabyAI-BossLevel-v0"), cls) and not isinstance(
        envpool.make_spec("CartPole-v1"), cls
    )
    for values in ({}, {"env_name": "fetch", "size": 9, "num_objs": 5}, {"env_name": "wfc", "size": 12}):
        config = dict(zip(cls._config_keys, cls._default_config_values, strict=True)) | values
        spec = cls([config[name] for name in cls._config_keys])
        assert isinstance(spec, cls)
        assert {name: getattr(spec.config, name) for name in values} == values
        assert spec.config.env_name == config["env_name"] and spec.config.size == config["size"]
        pool = envpool.minigrid.MiniGridGymnasiumEnvPool(spec)
        observation, _ = pool.reset()
        assert isinstance(pool, envpool.minigrid.MiniGridGymnasiumEnvPool)
        assert cls.decode_mission(observation["mission"][0])
    for values, error in (
        ({"env_name": "fetsch"}, "env_name='fetsch'"),
        ({"env_name": "wfc", "num_objs": 3}, "num_objs"),
    ):
        config = dict(zip(cls._config_keys, cls._default_config_values, strict=True)) | values
        with pytest.raises((TypeError, ValueError), match=error):
            cls([config[name] for name in cls._config_keys])


def test_programs_that_import_envpools_opengl_module_run(envpool):
    assert importlib.import_module("envpool.python.glfw_context").preload_windows_gl_dlls() is None


def test_the_alias_names_the_provided_interface(envpool):
    assert [int(part) for part in envpool.__version__.split(".")] >= [1, 2]


def test_dm_env_is_imported_only_for_the_dm_interface(envpool):
    pytest.importorskip("dm_env")
    assert envpool.DMEnvPool is envpool.python.protocol.DMEnvPool is type(envpool.make_dm("CartPole-v1"))


def test_unknown_names_are_refused_with_the_existing_names(envpool):
    with pytest.raises(AttributeError, match=r"has no 'Gym'.*make_gymnasium"):
        _ = envpool.Gym
    with pytest.raises(ImportError):
        importlib.import_module("envpool.box2d")


def test_cpp_environment_classes_are_refused_with_an_alternative(envpool):
    with pytest.raises(NotImplementedError, match=r"py_env\('_MyEnvSpec', ...\).*Rust.*make_python"):
        envpool.python.api.py_env(type("_MyEnvSpec", (), {}), object)


def test_removing_the_alias_removes_its_module(monkeypatch):
    for name in [name for name in sys.modules if name.split(".")[0] == "envpool"]:
        monkeypatch.delitem(sys.modules, name)
    alias = install_as_envpool()
    importlib.import_module("envpool.registration")
    alias.remove()
    alias.remove()
    assert not [name for name in sys.modules if name.split(".")[0] == "envpool"]


def test_only_modules_of_envpool_are_found(envpool):
    assert importlib.util.find_spec("envpool.registration").name.endswith("registration")
    assert importlib.util.find_spec("envpool.vector") is None
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module("envpool.pools")


def test_installing_twice_changes_nothing(envpool):
    with install_as_envpool():
        assert importlib.import_module("envpool") is envpool
    assert importlib.import_module("envpool") is envpool


def test_the_alias_ends_with_its_last_handle(another):
    with install_as_envpool(force=True) as outer:
        with install_as_envpool() as inner:
            outer.remove()
            assert importlib.import_module("envpool").EnvSpec is envpool_rs.registration.EnvSpec
            outer.remove()
        assert sys.modules["envpool"] is another["envpool"]
        inner.remove()
    assert sys.modules["envpool"] is another["envpool"]
    with install_as_envpool(force=True):
        with install_as_envpool():
            pass
        assert importlib.import_module("envpool").EnvSpec is envpool_rs.registration.EnvSpec
    assert sys.modules["envpool"] is another["envpool"]


def test_an_imported_envpool_is_not_replaced_by_default(another):
    with pytest.raises(RuntimeError, match=r"envpool 9.9 has been imported already.*force=True"):
        install_as_envpool()
    assert sys.modules["envpool"] is another["envpool"]


def test_an_imported_envpool_is_replaced_by_force_and_restored(another):
    with install_as_envpool(force=True):
        assert importlib.import_module("envpool").EnvSpec is envpool_rs.registration.EnvSpec
        assert importlib.import_module("envpool.python") is not another["envpool.python"]
    assert sys.modules["envpool"] is another["envpool"] and sys.modules["envpool.python"] is another["envpool.python"]


def test_the_package_imports_the_alias_modules_lazily():
    names = ["envpool_rs.envpool_alias", "envpool_rs.as_envpool", "envpool_rs.vector_env_check", "envpool"]
    code = f"import sys, envpool_rs; print([name for name in {names} if name in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )


def test_a_program_that_imports_envpool_runs_unchanged(tmp_path):
    script = tmp_path / "train.py"
    script.write_text(
        "import sys, envpool\n"
        "env = envpool.make('CartPole-v1', env_type='gym', num_envs=2)\n"
        "print(__name__, sys.argv[1:], type(env).__module__)\n"
    )
    command = [sys.executable, "-m", "envpool_rs", "as-envpool", str(script), "--seed", "3"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "__main__ ['--seed', '3'] envpool_rs._facades.gym_facade"


@pytest.mark.parametrize("arguments", [["train.py"], ["-m", "train"]])
def test_child_processes_inherit_the_alias(tmp_path, arguments):
    # The program starts a spawned worker, as Sample-Factory and PyTorch's data loaders do, and another Python program.
    (tmp_path / "train.py").write_text(
        "import multiprocessing, subprocess, sys\n"
        "def work(queue):\n"
        "    import envpool\n"
        "    queue.put(type(envpool.make_gymnasium('CartPole-v1')).__module__)\n"
        "if __name__ == '__main__':\n"
        "    context = multiprocessing.get_context('spawn')\n"
        "    queue = context.Queue()\n"
        "    worker = context.Process(target=work, args=(queue,))\n"
        "    worker.start()\n"
        "    print(queue.get(timeout=60), flush=True)\n"
        "    worker.join()\n"
        "    code = 'import envpool.registration; print(envpool.registration.make.__module__)'\n"
        "    subprocess.run([sys.executable, '-c', code], check=True)\n"
    )
    command = [sys.executable, "-m", "envpool_rs", "as-envpool", *arguments]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    worker, program = done.stdout.split()
    assert worker.startswith("envpool_rs.") and program.startswith("envpool_rs.")


def test_a_module_runs_as_with_python_m(tmp_path):
    (tmp_path / "train.py").write_text("import sys, envpool\nprint(__name__, sys.argv[1:], envpool.make.__module__)\n")
    command = [sys.executable, "-m", "envpool_rs", "as-envpool", "-m", "train", "-q", "--seed", "3"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("__main__ ['-q', '--seed', '3'] envpool_rs.")


def test_a_program_that_does_not_exist_is_named(tmp_path):
    command = [sys.executable, "-m", "envpool_rs", "as-envpool", str(tmp_path / "no.py")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "no.py" in done.stderr and "Traceback" not in done.stderr


def test_a_failing_program_shows_its_own_traceback(tmp_path):
    script = tmp_path / "train.py"
    script.write_text("import envpool\nenvpool.make('CartPol-v1', env_type='gym')\n")
    done = subprocess.run(
        [sys.executable, "-m", "envpool_rs", "as-envpool", str(script)], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1 and "train.py" in done.stderr and "did you mean 'CartPole-v1'" in done.stderr


def test_modules_of_mujoco_list_envpools_tasks(envpool):
    metaworld = importlib.import_module("envpool.mujoco.metaworld.registration")
    assert metaworld.metaworld_task_id("drawer-open-v3") == "MetaWorld/DrawerOpen-v3"
    assert metaworld.metaworld_public_task_name("drawer-open-v3") == "DrawerOpen-v3"
    assert len(metaworld.metaworld_v3_envs) == 50
    assert set(metaworld.metaworld_v3_task_ids) <= set(envpool.list_all_envs())
    robotics = importlib.import_module("envpool.mujoco.robotics.registration")
    counts = {"fetch": 16, "hand": 112, "adroit": 8, "point_maze": 20, "kitchen": 1}
    lists = {name: getattr(robotics, f"gymnasium_robotics_{name}_envs") for name in counts}
    assert {name: len(tasks) for name, tasks in lists.items()} == counts
    assert "FetchReach-v4" in lists["fetch"]
    with pytest.raises(AttributeError, match="gymnasium_robotics_ant_envs"):
        _ = robotics.gymnasium_robotics_ant_envs


def test_classes_of_the_extension_contain_the_tasks_that_they_name():
    for _, name, defaults, made, selectors, tasks in _core.envpool_classes():
        assert {defaults, made} <= tasks.keys(), name
        options = envpool_rs.make_spec(defaults).config
        assert tasks[defaults] == tuple(getattr(options, option) for option in selectors), name
