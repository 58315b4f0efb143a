"""Tests libraries of tasks: loading, discovery by name, registration, pickles and the command line."""

import os
import pickle
import re
import subprocess
import sys
import threading
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import plugin_libraries
import pytest
from envpool_rs._tasks import plugins, table
from envpool_rs._tasks.plugin_checks import Finding
from envpool_rs.cli import main
from numba_tasks import own_tasks
from plugin_libraries import counting
from repository import ROOT, python_path

pytestmark = pytest.mark.skipif(plugin_libraries.COMPILER is None, reason="needs a C compiler")


@pytest.fixture(autouse=True)
def _loaded():
    with own_tasks():
        assert envpool_rs.load_plugin(counting()) == ["Counter-v0", "folder/Counter-v1"]
        yield


def run(code, **variables):
    """Runs a program in a new process, which has loaded no library, and returns its output."""
    environment = {**os.environ, **variables}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# --- loading ----------------------------------------------------------------------------------------------------------


def test_a_loaded_task_works_with_all_functions():
    assert envpool_rs.load_plugin(Path(counting())) == [
        "Counter-v0",
        "folder/Counter-v1",
    ]  # loads the library a second time
    assert {"Counter-v0", "folder/Counter-v1"} <= set(envpool_rs.list_all_envs())
    spec = envpool_rs.make_spec("Counter-v0", by=2.0)
    assert spec.config.by == 2.0 and spec.config.max_episode_steps == 50 and spec.reward_threshold == 12.0
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_gym, envpool_rs.make_dm, envpool_rs.make_vec):
        pool = make("Counter-v0", num_envs=3, seed=1)
        pool.reset()
        pool.step(np.ones(3, np.int32))
        pool.close()
    pool = envpool_rs.make_vec("Counter-v0", 3, seed=1, by=2.0)
    start = pool.reset()[0]
    assert start[:, 0].tolist() == [np.random.default_rng(1 + k).uniform() for k in range(3)]
    assert np.array_equal(pool.step(np.array([0, 1, 0]))[0][:, 0], start[:, 0] + [0, 2, 0])
    pool.close()
    env = gymnasium.make("envpool_rs/folder-Counter-v1", by=4.0)
    before = env.reset(seed=3)[0]
    assert env.step(1)[0] == before + 4
    env.close()
    vector = gymnasium.make_vec("envpool_rs/Counter-v0", num_envs=2)
    assert vector.reset()[0].shape == (2, 1)
    vector.close()
    mixed = envpool_rs.make_vec(["Counter-v0", "folder/Counter-v1"], 4, seed=0)
    assert mixed.reset()[0].shape == (4, 1)
    mixed.close()


def test_a_failed_environment_is_named_with_the_librarys_message():
    pool = envpool_rs.make_vec("Counter-v0", 3, seed=1, by=8.0)
    pool.reset()
    with pytest.raises(RuntimeError, match=r"action 2 fails"):
        pool.step(np.array([0, 2, 0]))
    pool.close()


def test_options_are_checked():
    with pytest.raises(ValueError, match=r"by=9\.0: expected"):
        envpool_rs.make_spec("Counter-v0", by=9.0)
    with pytest.raises(TypeError, match=r"bye"):
        envpool_rs.make_spec("Counter-v0", bye=1.0)


@pytest.mark.parametrize(
    ("path", "error", "message"),
    [
        (3, TypeError, r"path=3: expected the path of a shared library"),
        ("/nowhere/lib.so", FileNotFoundError, r"/nowhere/lib\.so"),
        ("/nowhere/tasks.py", FileNotFoundError, r"/nowhere/tasks\.py"),
        ("x" * 300, FileNotFoundError, r"path=.*/x{300}"),
        ("text.txt", ValueError, r"text\.txt.*expected a shared library for this system"),
        (
            "without_tasks.py",
            ValueError,
            r"without_tasks\.py.*expected a file that defines tasks, by envpool_rs\.numba",
        ),
    ],
)
@pytest.mark.parametrize("function", ["load_plugin", "check_plugin"])
def test_a_file_that_is_not_a_library_is_refused(function, path, error, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("text.txt", "without_tasks.py"):
        (tmp_path / name).write_text("import sys\n" * 1000)
    with pytest.raises(error, match=message):
        getattr(envpool_rs, function)(path)
    assert "without_tasks" not in sys.modules


def test_get_include_returns_the_folder_of_the_header():
    assert "epr_library" in (Path(envpool_rs.get_include()) / "envpool_rs.h").read_text()


def test_check_plugin_takes_a_path_a_task_or_tasks():
    assert envpool_rs.check_plugin(counting(), steps=20) == []
    assert envpool_rs.check_plugin("Counter-v0", {"by": 2.0}, steps=20) == []
    assert envpool_rs.check_plugin(["Counter-v0"], steps=20) == []
    with pytest.raises(ValueError, match=r"plugin='CartPole-v1': expected a task of a library"):
        envpool_rs.check_plugin("CartPole-v1")
    with pytest.raises(ValueError, match=r"steps=0: expected 1 or more"):
        envpool_rs.check_plugin("Counter-v0", steps=0)
    with pytest.raises(TypeError, match=r"options=3: expected a dict"):
        envpool_rs.check_plugin("Counter-v0", 3)
    with pytest.raises(ValueError, match=r"by=9\.0: expected"):
        envpool_rs.check_plugin(counting(), {"by": 9.0})


def test_check_plugin_finds_a_float_action_that_is_read_as_an_integer():
    place = "static const int64_t actions[1] = {3};"
    box = "static const double one[1] = {1}, minus[1] = {-1};"
    source = plugin_libraries.SOURCE.replace(place, box).replace("Counter", "FloatCounter")
    source = source.replace(
        ".kind = EPR_DISCRETE,\n    .dtype = EPR_INT64, .n = actions",
        (".kind = EPR_BOX, .dtype = EPR_FLOAT32, .dims = 1, .shape = shape, .bounds = 1, .low = minus, .high = one"),
    )
    source = source.replace("c->count += action * *by", "c->count += action == 1 ? 0.1 : 0.2")
    assert "EPR_DISCRETE" not in source
    findings = envpool_rs.check_plugin(counting("float", source), steps=20)
    assert {(finding.task_id, finding.check) for finding in findings} == {
        ("FloatCounter-v0", "action_type"),
        ("folder/FloatCounter-v1", "action_type"),
    }
    assert "expected step to read it as float" in str(findings[0])
    right = source.replace("int32_t action", "float action").replace("const int32_t *", "const float *")
    right = right.replace("action == 1", "action > 0")
    assert envpool_rs.check_plugin(counting("right", right), steps=20) == []


@pytest.mark.slow
@pytest.mark.parametrize("function", ["library", "make", "reset", "step", "observe", "is_valid"])
def test_check_plugin_names_the_call_in_which_a_library_crashes(function):
    path = plugin_libraries.crashing(function)
    command = [sys.executable, "-m", "envpool_rs", "check-plugin", path, "--steps", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    name, library, task = function, f"counting crash ({path})", "Counter-v0"
    if function == "library":
        name, library, task = "envpool_rs_library_0", path, path
    crash = f"{name} of library {library}: signal 11 (SIGSEGV) ended the process"
    assert done.returncode == 1, done.stderr
    assert f"{task}: crash: {crash}\n" in done.stdout
    assert f"{path}: 1 finding" in done.stdout
    assert envpool_rs.check_plugin(path, steps=20) == [Finding(task, "crash", crash)]


LOAD = """
import sys, envpool_rs
try:
    envpool_rs.load_plugin(sys.argv[1])
except ValueError as error:
    print(error)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="checks ELF files")
@pytest.mark.parametrize("part", [0.999, 0.9, 0.6, 0.3, 0.1, 0.01])
def test_a_truncated_library_is_refused(part, tmp_path):
    whole = Path(counting()).read_bytes()
    path = tmp_path / "part.so"
    path.write_bytes(whole[: int(len(whole) * part)])
    done = subprocess.run([sys.executable, "-c", LOAD, path], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (done.returncode, done.stderr)
    assert (
        f"path={path}: expected a complete shared library (the file has {int(len(whole) * part)} bytes" in done.stdout
    )


def test_tasks_can_be_listed_while_another_thread_loads_a_library(monkeypatch):
    monkeypatch.setattr(table, "tasks", dict(table.tasks))

    class Loading(str):
        """Name of a task; another one is added when it is listed."""

        def startswith(self, *arguments):
            table.tasks[f"Another{len(table.tasks)}-v0"] = table.NamedTask("CartPole-v1")
            return str.startswith(self, *arguments)

    table.tasks[Loading("Loading-v0")] = table.NamedTask("CartPole-v1")
    assert "Loading-v0" in envpool_rs.list_all_envs()


def test_a_library_that_another_thread_loads_is_waited_for(monkeypatch):
    """Lists tasks in a second thread, during the load of a library that the environment names."""
    monkeypatch.setenv("ENVPOOL_RS_PLUGINS", "/the/library")
    is_loading, may_finish, found = threading.Event(), threading.Event(), []

    def load(path):
        if threading.current_thread() is threading.main_thread():
            found.append(path)
            may_finish.set()
        else:
            is_loading.set()
            assert may_finish.wait(60)

    monkeypatch.setattr(plugins, "load_plugin", load)
    monkeypatch.setattr(plugins, "_entry_points", lambda path: [])
    other = threading.Thread(target=plugins.discover)
    other.start()
    assert is_loading.wait(60)
    plugins.discover()
    may_finish.set()
    other.join()
    assert found == ["/the/library"]
    plugins._read.discard("/the/library")


PAGE = ROOT / "docs" / "plugins.md"


@pytest.mark.skipif(not PAGE.exists(), reason="needs the repository, not only the tests")
def test_the_library_of_the_page_compiles_and_runs(tmp_path):
    (tmp_path / "hold.c").write_text(re.search(r"^```c\n(.*?)^```", PAGE.read_text(), re.M | re.S)[1])
    command = [plugin_libraries.COMPILER, "-std=c99", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    command += ["-I", envpool_rs.get_include(), str(tmp_path / "hold.c"), "-o", str(tmp_path / "hold.so")]
    subprocess.run(command, check=True)
    assert envpool_rs.load_plugin(tmp_path / "hold.so") == ["Hold-v0"]
    pool = envpool_rs.make_vec("Hold-v0", 4, seed=0)
    before = pool.reset()[0].copy()
    assert np.allclose(pool.step(np.array([1, 0, 1, 0]))[0] - before, [[0.1], [-0.1], [0.1], [-0.1]])
    pool.close()
    assert envpool_rs.check_plugin("Hold-v0", steps=20) == []


# --- registration -----------------------------------------------------------------------------------------------------


def test_register_loads_a_library():
    assert (
        run(
            f"import envpool_rs\nenvpool_rs.register('Counter-v0', library={counting()!r}, by=3.0)\n"
            f"envpool_rs.register('Fast-v0', library={counting()!r}, base='Counter-v0', by=5.0)\n"
            "print(envpool_rs.make_spec('Counter-v0').config.by, envpool_rs.make_spec('Fast-v0').config.by)"
        )
        == "3.0 5.0"
    )


def test_register_refuses_tasks_that_the_library_lacks():
    with pytest.raises(
        ValueError, match=r"base=None: expected a task of the library .*: Counter-v0, folder/Counter-v1"
    ):
        envpool_rs.register("Other-v0", library=counting())
    with pytest.raises(ValueError, match=r"base='CartPole-v1': expected a task of the library"):
        envpool_rs.register("Other-v0", library=counting(), base="CartPole-v1")
    with pytest.raises(ValueError, match=r"task_id='CartPole-v1' is registered already"):
        envpool_rs.register("CartPole-v1", library=counting(), base="Counter-v0")
    envpool_rs.register("Other-v0", base="Counter-v0", by=2.0)
    assert envpool_rs.make_spec("Other-v0").config.by == 2.0


# --- discovery --------------------------------------------------------------------------------------------------------


def test_the_environment_variable_loads_libraries():
    program = "import envpool_rs; print(envpool_rs.make_vec('Counter-v0', 2).reset()[0].shape)"
    assert run(program, ENVPOOL_RS_PLUGINS=counting()) == "(2, 1)"
    program = "import envpool_rs; print('Counter-v0' in envpool_rs.list_all_envs())"
    assert run(program, ENVPOOL_RS_PLUGINS=os.pathsep.join(["", counting()])) == "True"
    program = "import envpool_rs; print(envpool_rs._core.plugin_libraries())"
    assert run(program, ENVPOOL_RS_PLUGINS=counting()) == "[]"  # importing the package loads no library


def test_a_broken_path_in_the_variable_is_named_when_a_task_is_unknown():
    program = (
        "import envpool_rs, warnings; warnings.simplefilter('ignore')\n"
        "try:\n    envpool_rs.make('Nowhere-v0')\nexcept ValueError as error:\n    print(error)"
    )
    text = run(program, ENVPOOL_RS_PLUGINS="/nowhere/lib.so")
    assert "unknown task 'Nowhere-v0'" in text
    assert "'/nowhere/lib.so' of ENVPOOL_RS_PLUGINS cannot be loaded: FileNotFoundError" in text


def distribution(folder, entry_point, source):
    """Writes a distribution with one module and one entry point."""
    (folder / "my_plugin.py").write_text(source)
    info = folder / "my_plugin-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-plugin\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[envpool_rs.plugins]\ncounting = {entry_point}\n")
    return python_path(folder)


@pytest.mark.parametrize(
    ("entry_point", "source"),
    [
        ("my_plugin:path", "path = {path!r}"),
        ("my_plugin:paths", "def paths(): return [{path!r}]"),
        ("my_plugin", "import envpool_rs; envpool_rs.load_plugin({path!r})"),
    ],
)
def test_an_entry_point_is_read_when_a_name_is_unknown(tmp_path, entry_point, source):
    path = distribution(tmp_path, entry_point, source.format(path=counting()))
    program = (
        "import sys, envpool_rs; envpool_rs.make('CartPole-v1').close(); assert 'my_plugin' not in sys.modules\n"
        "print(envpool_rs.make('Counter-v0', num_envs=2).reset()[0].shape)"
    )
    assert run(program, PYTHONPATH=path) == "(2, 1)"


def test_a_broken_entry_point_is_an_error_that_names_the_distribution(tmp_path):
    path = distribution(tmp_path, "my_plugin:missing", "import nothing_of_that_name")
    program = (
        "import envpool_rs, warnings\nwith warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "    try:\n        envpool_rs.make('Counter-v0')\n    except ValueError as error:\n        print(error)\n"
        "    assert 'my-plugin' in str(caught[0].message)\n"
        "assert 'CartPole-v1' in envpool_rs.list_all_envs()"
    )
    text = run(program, PYTHONPATH=path)
    assert "the entry point counting = my_plugin:missing of the distribution 'my-plugin' cannot be loaded" in text
    assert "ModuleNotFoundError: No module named 'nothing_of_that_name'" in text


# --- pickles and snapshots --------------------------------------------------------------------------------------------

LOAD_PICKLE = """
import pickle, envpool_rs
for path in {paths!r}:
    envpool_rs.load_plugin(path)
try:
    print(pickle.loads({pickled!r}).config.by)
except ValueError as error:
    print(error)
"""


def test_a_pickle_names_library_and_version_and_no_path():
    pickled = pickle.dumps(envpool_rs.make_spec("Counter-v0", by=2.5))
    assert b"counting" in pickled and b"1.2" in pickled and counting().encode() not in pickled
    assert pickle.loads(pickled) == envpool_rs.make_spec("Counter-v0", by=2.5)
    assert run(LOAD_PICKLE.format(paths=[counting()], pickled=pickled)) == "2.5"
    text = run(LOAD_PICKLE.format(paths=[], pickled=pickled))
    assert (
        "Counter-v0 of a pickle needs the library 'counting', version '1.2', which is not loaded: load it first" in text
    )
    text = run(LOAD_PICKLE.format(paths=[counting("2.0")], pickled=pickled))
    assert "version '2.0' is loaded; expected the same version" in text


def test_a_pickled_pool_continues():
    pool = envpool_rs.make_gymnasium("Counter-v0", num_envs=2, seed=4)
    pool.reset()
    pool.step(np.ones(2, np.int32))
    copy = pickle.loads(pickle.dumps(pool))
    assert np.array_equal(copy.step(np.ones(2, np.int32))[0], pool.step(np.ones(2, np.int32))[0])
    copy.close()
    pool.close()


def test_a_snapshot_is_refused_until_the_library_is_loaded():
    pool = envpool_rs.make_gymnasium("Counter-v0", num_envs=2, seed=4)
    pool.reset()
    pool.step(np.ones(2, np.int32))
    program = """
import envpool_rs, numpy as np
for path in {paths!r}:
    envpool_rs.load_plugin(path)
try:
    pool = envpool_rs.make_gymnasium("Counter-v0", num_envs=2, seed=9)
    pool.set_state({state!r})
    print(pool.step(np.zeros(2, np.int32))[0][:, 0].tolist())
except ValueError as error:
    print(error)
"""
    state = pool.get_state()
    assert counting().encode() not in b"".join(state)
    expected = str(pool.step(np.zeros(2, np.int32))[0][:, 0].tolist())
    pool.close()
    assert run(program.format(paths=[counting()], state=state)) == expected
    assert "unknown task 'Counter-v0'" in run(program.format(paths=[], state=state))


def test_a_pickled_spec_loads_its_library_in_a_spawned_process():
    from envpool_rs._tasks.plugins import portable

    spec = envpool_rs.make_spec("CartPole-v1")
    assert portable(spec) is spec
    pickled = pickle.dumps(portable(envpool_rs.make_spec("Counter-v0", by=2.5)))
    assert run(LOAD_PICKLE.format(paths=[], pickled=pickled)) == "2.5"


# --- the command line -------------------------------------------------------------------------------------------------


def test_the_command_line_describes_and_lists_tasks(capsys):
    assert main(["info", "Counter-v0"]) == 0
    text = capsys.readouterr().out
    assert "size of a step" in text and "0.5" in text and "50 steps" in text
    assert main(["list", "counter"]) == 0
    assert "folder/Counter-v1" in capsys.readouterr().out


def test_the_command_line_loads_libraries_by_an_option():
    command = [sys.executable, "-m", "envpool_rs", "--plugin", counting(), "info", "Counter-v0"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "size of a step" in done.stdout
    command = [sys.executable, "-m", "envpool_rs", "check-plugin", counting(), "--steps", "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "no findings" in done.stdout
