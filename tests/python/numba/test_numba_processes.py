"""Tests tasks compiled by Numba in several processes: snapshots, pickles, the cache on disk, and the package without
numba.
"""

import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_rs import pools
from gymnasium import spaces

pytest.importorskip("numba")

import numba_tasks
from envpool_rs import numba
from envpool_rs._tasks.plugins import portable
from envpool_rs.numba.compiler import STRUCTS, content_hash
from numba_tasks import bits, cart_pole, own_tasks

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True, scope="module")
def _own_tasks():
    with own_tasks():
        cart_pole()
        yield


SAVE = """
import numpy as np, envpool_rs, numba_tasks
numba_tasks.cart_pole()
pool = envpool_rs.make_gymnasium("NumbaCartPole-v1", num_envs=8, seed=5)
pool.reset()
for t in range(30):
    pool.step(np.full(8, t % 2, np.int32))
{do}
"""


def run(code, **variables):
    environment = {**os.environ, **variables}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_snapshot_continues_in_another_process(tmp_path):
    path = tmp_path / "snapshot"
    run(SAVE.format(do=f"import pickle; open({str(path)!r}, 'wb').write(pickle.dumps(pool.get_state()))"))
    pool, expected = (
        envpool_rs.make_gymnasium(task, num_envs=8, seed=5) for task in ("NumbaCartPole-v1", "CartPole-v1")
    )
    pool.reset()
    pool.set_state(pickle.loads(path.read_bytes()))
    expected.reset()
    for t in range(30):
        expected.step(np.full(8, t % 2, np.int32))
    for t in range(100):
        actions = np.full(8, t % 3 == 0, np.int32)
        got, wanted = pool.step(actions), expected.step(actions)
        assert np.array_equal(bits(got[0]), bits(wanted[0]))
        assert np.array_equal(got[2], wanted[2])
    pool.close()
    expected.close()


def test_a_repeated_definition_is_the_same_task():
    task = cart_pole()
    assert numba.env("NumbaCartPole-v1", **numba_tasks.ARGUMENTS)(numba_tasks.CartPole) is task
    with pytest.raises(
        ValueError, match=r"this task exists already, defined by numba_tasks\.CartPole; expected a new id"
    ):
        numba.env("NumbaCartPole-v1", **numba_tasks.ARGUMENTS)(type("Other", (numba_tasks.CartPole,), {}))


def test_another_definition_of_a_class_replaces_it_for_new_pools():
    def define(start, **changes):
        class Cell:
            def reset(state):
                state.x = start

            def step(state):
                state.x += 1
                return 0.0, False

            def observe(state, out):
                out[0] = state.x

        box = spaces.Box(-100, 100, (1,), np.float64)
        return numba.env("Cell-v0", observation=box, action=1, state={"x": np.float64}, **changes)(Cell)

    define(1.0)
    old = envpool_rs.make_gymnasium("Cell-v0", num_envs=1)
    assert old.reset()[0] == 1
    pickled = pickle.dumps(old.spec)
    cell = define(2.0)
    assert cell.task_id == "Cell-v0" and define(2.0) is cell
    assert define(2.0, max_episode_steps=7) is not cell
    new = envpool_rs.make_gymnasium("Cell-v0", num_envs=1)
    assert new.reset()[0] == 2
    assert old.step(np.zeros(1, np.int32))[0] == 2 and new.step(np.zeros(1, np.int32))[0] == 3
    assert new.spec.id == "Cell-v0" and new.spec.max_episode_steps == 7 and "Cell-v0" in envpool_rs.list_all_envs()
    for spec in (pickle.loads(pickled), pickle.loads(pickle.dumps(new.spec))):
        again = pools.GymnasiumEnvPool(spec)
        assert again.reset()[0] == 2
        again.close()
    old.close()
    new.close()


COMPILED = """
import numba_tasks
print(numba_tasks.cart_pole().compilations)
"""


def test_a_second_process_compiles_nothing(tmp_path):
    code = COMPILED
    first, second = (int(run(code, ENVPOOL_RS_NUMBA_CACHE=str(tmp_path))) for _ in range(2))
    assert first == 4 and second == 0
    changed = code.replace("print(", "numba_tasks.LIMIT = 0.1; print(")
    assert (
        int(run(changed, ENVPOOL_RS_NUMBA_CACHE=str(tmp_path))) == 4
    )  # the value of a constant is part of the cache key


def cached_files(folder):
    """Returns all files of compiled functions, in the folder and in numba's own folders below it."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def test_damaged_files_of_compiled_functions_are_replaced(tmp_path):
    """Damages every file in turn: emptied, cut, and with one byte changed in each of several places."""
    code = COMPILED
    assert int(run(code, ENVPOOL_RS_NUMBA_CACHE=str(tmp_path))) == 4
    whole = {path: path.read_bytes() for path in cached_files(tmp_path)}
    assert whole
    for damage in (
        lambda content: b"",
        lambda content: content[: len(content) // 2],
        lambda content: content[:-1],
        lambda content: b"\0" + content[1:],
        lambda content: content[:-2000] + bytes(byte ^ 1 for byte in content[-2000:]),
    ):
        for path, content in whole.items():
            path.write_bytes(damage(content))
        assert int(run(code, ENVPOOL_RS_NUMBA_CACHE=str(tmp_path))) == 4
        assert int(run(code, ENVPOOL_RS_NUMBA_CACHE=str(tmp_path))) == 0


NO_FILES = """
import sys, warnings
import numba_tasks
{before}
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(numba_tasks.cart_pole().compilations)
print(*{{str(each.message) for each in caught}})
"""

FULL = "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))"
HOMELESS = """
import os, pwd
for name in ("HOME", "XDG_CACHE_HOME", "ENVPOOL_RS_NUMBA_CACHE"):
    os.environ.pop(name, None)
def getpwuid(number):
    raise KeyError(number)
pwd.getpwuid = getpwuid
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits of Unix")
@pytest.mark.parametrize(("before", "reason"), [(FULL, "File too large"), (HOMELESS, "home directory")])
def test_a_task_is_compiled_without_files_on_a_full_disk_or_without_a_home(before, reason, tmp_path):
    printed = run(NO_FILES.format(before=before), ENVPOOL_RS_NUMBA_CACHE=str(tmp_path))
    count, warned = printed.splitlines()
    assert int(count) == 4 and not cached_files(tmp_path)
    assert "expected a writable folder, or an empty text for no cache" in warned and reason in warned


def test_a_pickle_names_the_library_and_needs_the_definition():
    pickled = pickle.dumps(envpool_rs.make_spec("NumbaCartPole-v1", num_envs=2))
    assert pickle.loads(pickled).num_envs == 2
    assert b"numba NumbaCartPole-v1" in pickled and b"numba_tasks" not in pickled
    code = (
        f"import pickle, envpool_rs\ntry:\n    pickle.loads({pickled!r})\nexcept ValueError as error:\n    print(error)"
    )
    assert "needs the library 'numba NumbaCartPole-v1', version " in run(code)
    assert ", which is not loaded: load it first" in run(code)


def test_a_task_is_sent_to_a_spawned_process():
    pickled = pickle.dumps(portable(envpool_rs.make_spec("NumbaCartPole-v1", num_envs=2)))
    code = (
        f"import pickle\nspec = pickle.loads({pickled!r})\n"
        "from envpool_rs.pools import GymnasiumEnvPool\nprint(GymnasiumEnvPool(spec).reset()[0].shape)"
    )
    assert run(code).strip() == "(2, 4)"


def test_a_missing_numba_is_an_error_that_names_the_extra():
    code = (
        "import sys; sys.modules['numba'] = None\nimport numpy as np, envpool_rs\nassert envpool_rs.numba.env\n"
        "try:\n    envpool_rs.numba.env('X-v0', observation=2, action=2, state=(np.float64, 1))(object)\n"
        "except ImportError as error:\n    print(error)"
    )
    assert "envpool_rs.numba needs numba: pip install 'envpool_rs[numba]'" in run(code)


def test_importing_the_package_imports_no_numba():
    assert run("import sys, envpool_rs, envpool_rs.numba; print('numba' in sys.modules)").strip() == "False"


def test_struct_fields_equal_those_of_the_header():
    text = (Path(envpool_rs.get_include()) / "envpool_rs.h").read_text()
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    found = {}
    for name, body in re.findall(r"typedef struct epr_(\w+) \{(.*?)\n?\} epr_\w+;", text, re.S):
        fields = []
        for declaration in filter(str.strip, re.sub(r"\([^()]*\)(?=\s*;)", "", body).split(";")):
            for part in declaration.split(","):
                field = re.findall(r"\w+", part)[-1]
                kind = "i8" if "int64_t" in declaration.replace("uint64_t", "") else "u8"
                kind = "f8" if "double" in declaration else kind
                is_address = "*" in declaration
                fields.append((field, found["value"] if "epr_value value" in part else "u8" if is_address else kind))
        found[name] = np.dtype(fields)
    assert {name: found[name] for name in STRUCTS} == {name: np.dtype(each.descr) for name, each in STRUCTS.items()}
    assert found["random"].itemsize == 48


def test_specifications_are_of_one_class_for_each_task():
    assert isinstance(envpool_rs.make_spec("NumbaCartPole-v1"), pools.EnvSpec)


def test_constants_and_helper_functions_are_part_of_the_key():
    scope = {"np": np, "LIMIT": 3.0, "TABLE": np.arange(3)}
    exec(
        "def helper(x):\n    return x + LIMIT + TABLE[0]\ndef function(state):\n    return helper(state.shape)\n", scope
    )

    def key():
        return content_hash(scope["function"])

    first = key()
    assert key() == first
    for name, value in (("LIMIT", 4.0), ("TABLE", np.arange(1, 4)), ("shape", object())):
        before, scope[name] = scope.get(name), value
        assert (key() == first) == (name == "shape")  # an attribute's name is not the name of a global
        scope[name] = before
    scope["LIMIT"] = object()
    with pytest.raises(ValueError, match="object object"):
        key()


def test_a_file_imported_under_another_name_is_recompiled(tmp_path):
    """Checks that functions are compiled again if their file is imported under another name.

    Numba imports the module of cached functions by the name that it had when they were compiled.
    """
    (tmp_path / "first_name.py").write_text(Path(numba_tasks.__file__).read_text())
    environment = {**os.environ, "ENVPOOL_RS_NUMBA_CACHE": str(tmp_path / "cache")}
    code = (
        "import sys, importlib.util\n"
        "spec = importlib.util.spec_from_file_location(sys.argv[1], sys.argv[2])\n"
        "module = importlib.util.module_from_spec(spec); sys.modules[sys.argv[1]] = module\n"
        "spec.loader.exec_module(module)\n"
        "print(module.cart_pole().compilations)\n"
    )
    counts = []
    for name in ("first_name", "second_name", "second_name"):
        command = [sys.executable, "-c", code, name, str(tmp_path / "first_name.py")]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=environment)
        assert done.returncode == 0, done.stderr
        counts.append(int(done.stdout))
    assert counts[0] == counts[1] > 0 == counts[2]
