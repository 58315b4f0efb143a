"""Tests libraries with mistakes: wrong files, exception classes, Ctrl-C.

More cases are in src/plugin/tests/hostile.
"""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_bench.plugins import builds
from plugin_cases import compiled

pytestmark = pytest.mark.slow

FIXTURE = builds.ROOT / "src/plugin/tests/fixtures/hostile.c"


@pytest.fixture(scope="session")
def library(tmp_path_factory):
    """Compiles the fixture, and returns a function that copies the library to a file whose name selects a mistake."""
    folder = tmp_path_factory.mktemp("hostile")
    path = compiled("hostile_none", source=FIXTURE)

    def with_mistake(mistake):
        copy = folder / f"libhostile_{mistake}.so"
        if not copy.exists():  # a loaded file must not be overwritten
            shutil.copy(path, copy)
        return str(copy)

    return with_mistake


def loaded(library, mistake, **options):
    """Loads a library with a mistake, and makes a pool of it."""
    envpool_rs.load_plugin(library(mistake))
    return envpool_rs.make_vec(f"hostile/{mistake}-v0", num_envs=3, **options)


def played(env, steps=3):
    env.reset(seed=1)
    for _ in range(steps):
        env.step(np.array([0, 1, 2]))


def test_the_fixture_without_mistakes_runs(library):
    env = loaded(library, "none")
    played(env)
    assert env.step(np.array([0, 1, 2]))[4]["steps"].tolist() == [4, 4, 4]
    with pytest.raises(ValueError, match="start: expected at most 5"):
        env.reset(options={"start": 9.0})
    played(envpool_rs.make_vec("hostile/none-v0", num_envs=3, check=True))


def test_a_missing_file_is_an_error(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"libnone\.so"):
        envpool_rs.load_plugin(str(tmp_path / "libnone.so"))


def test_a_folder_is_refused_as_a_library(tmp_path):
    with pytest.raises((ValueError, OSError), match=str(tmp_path)):
        envpool_rs.load_plugin(str(tmp_path))


@pytest.mark.parametrize("content", [b"", b"not a library\n", b"\x7fELF" + bytes(200)])
def test_a_file_that_is_not_a_library_is_an_error(tmp_path, content):
    path = tmp_path / "libtext.so"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"libtext\.so.*expected a shared library"):
        envpool_rs.load_plugin(str(path))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int other(void) { return 0; }", "expected a library that exports envpool_rs_library_0"),
        ("void *envpool_rs_library_7(void) { return 0; }", "it has version 7, for a newer envpool_rs"),
        ("extern int missing(void); int envpool_rs_library_0(void) { return missing(); }", "missing"),
    ],
)
def test_a_library_without_the_function_is_an_error(tmp_path, text, message):
    source = tmp_path / "other.c"
    source.write_text(text)
    path = compiled("other", ("-O1",), source=source)
    with pytest.raises(ValueError, match=message):
        envpool_rs.load_plugin(str(path))


@pytest.mark.parametrize(
    "mistake", ["id_taken", "no_tasks", "step_missing", "make_fails", "bounds_nan", "option_twice"]
)
def test_a_refused_library_adds_no_task(library, mistake):
    before = envpool_rs.list_all_envs()
    with pytest.raises(ValueError, match="hostile"):
        envpool_rs.load_plugin(library(mistake))
    assert envpool_rs.list_all_envs() == before
    with pytest.raises(ValueError, match="hostile"):
        envpool_rs.load_plugin(library(mistake))


def test_a_file_that_changed_is_refused(library, tmp_path):
    path = library("changes")
    envpool_rs.load_plugin(path)
    envpool_rs.load_plugin(path)
    os.utime(path, (1, 1))
    with pytest.raises(RuntimeError, match="has changed since it was loaded"):
        envpool_rs.load_plugin(path)


def test_failures_are_runtime_errors_and_the_pool_stays_usable(library):
    env = loaded(library, "lane_fails")
    for _ in range(2):
        env.reset(seed=1)
        with pytest.raises(RuntimeError, match=r"environment 1 failed: .*hostile/lane_fails-v0: this lane is broken"):
            env.step(np.array([0, 1, 2]))
    with pytest.raises(RuntimeError, match="no memory for the counter"):
        loaded(library, "create_fails")


@pytest.mark.parametrize(
    ("mistake", "finding"),
    [
        ("writes_after_the_row", "row_guard"),
        ("writes_before_the_state", "state_guard"),
        ("observation_unwritten", "unwritten"),
        ("observation_out_of_bounds", "bounds"),
        ("reward_nan", "reward"),
        ("hidden_state", "repeat"),
        ("not_plain", "repeat"),
        ("depends_on_the_call", "alone"),
        ("changes_the_lanes", "read_only"),
    ],
)
def test_checks_name_the_mistake(library, mistake, finding):
    env = loaded(library, mistake, check=True)
    with pytest.raises(RuntimeError, match=f"task hostile/{mistake}-v0: check {finding}: "):
        played(env)


SLOW = """
import sys, time
import numpy as np
import envpool_rs

envpool_rs.load_plugin(sys.argv[1])
env = envpool_rs.make_vec("hostile/slow_step-v0", num_envs=3)
env.reset()
print("stepping", flush=True)
start = time.monotonic()
try:
    env.step(np.zeros(3, np.int64))
except KeyboardInterrupt:
    print("interrupted", flush=True)
    import os
    os._exit(0)
"""


def test_ctrl_c_ends_the_wait_for_a_slow_step(library):
    program = [sys.executable, "-c", SLOW, library("slow_step")]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "stepping\n"
            time.sleep(0.5)
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            assert process.stdout.readline() == "interrupted\n"
            assert time.monotonic() - start < 10, "a step takes 30 seconds"
        finally:
            process.kill()


SMALL_STACK = """
import sys, threading
import numpy as np
import envpool_rs

envpool_rs.load_plugin(sys.argv[1])
env = envpool_rs.make_vec("hostile/uses_stack-v0", num_envs=3, num_threads=1)
env.reset()

def play():
    for _ in range(300):
        result = env.step(np.zeros(3, np.int64))
    print(result[4]["steps"].tolist())

threading.stack_size(int(sys.argv[2]) << 10)
thread = threading.Thread(target=play)
thread.start()
thread.join()
"""


def test_a_thread_with_a_small_stack_can_step_a_library_that_needs_more(library):
    program = [sys.executable, "-c", SMALL_STACK, library("uses_stack"), "1024"]
    result = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "[6, 6, 6]\n"), result.stderr


def test_the_table_of_the_rust_tests_covers_the_fixture():
    text = FIXTURE.read_text(encoding="utf-8")
    mistakes = {part.split('"')[0] for part in text.split('MISTAKE("')[1:]}
    tables = Path(FIXTURE.parents[1], "hostile/tables.rs").read_text(encoding="utf-8")
    tested = {part.split('"')[0] for part in tables.split('"')[1:]}
    left_out = {mistake for mistake in mistakes if f'"{mistake}"' not in tables}
    # The remaining modes are tested in this file, or contain no mistake.
    assert left_out <= {
        "slow_step",
        "uses_stack",
        "check_reset_fails_silently",
        "info_name_taken",
        "make_refuses_speed",
        "array_name_is_not_utf8",
    }
    assert len(mistakes) > 150
    assert tested
