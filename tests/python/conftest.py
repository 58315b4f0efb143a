"""Defines options of pytest, the final report of the tests, and the check for leaked processes and files."""

import gc
import os
import sys
import tempfile
import time
from pathlib import Path

import numba_tasks  # noqa: F401 - sets a folder for compiled tasks, instead of the user's
import pytest
from instances import default_seed, split
from interrupts import take_interrupts
from leftovers import children, not_held_by_others, shared_files
from parity_table import ParityTable
from repository import IMPORTS, python_path

sys.path.extend(IMPORTS)

TABLE = pytest.StashKey()
SEED = pytest.StashKey()
WITH_SLOW = pytest.StashKey()
LEFT_OUT = pytest.StashKey()


def pytest_addoption(parser):
    parser.addoption("--parity-json", type=Path, help="writes what was compared with the references into this file")
    parser.addoption(
        "--all-instances",
        action="store_true",
        default=os.environ.get("ENVPOOL_RS_ALL_TESTS", "") not in ("", "0"),
        help="runs all instances of parametrised tests (or ENVPOOL_RS_ALL_TESTS=1)",
    )
    parser.addoption(
        "--instances-seed",
        type=int,
        help="draws which instances of parametrised tests run (or ENVPOOL_RS_INSTANCES_SEED; default: 0)",
    )


def pytest_configure(config):
    take_interrupts()
    # Programs that tests start import modules of the same folders. Workers of pytest-xdist inherit the variable.
    if not is_worker(config):
        os.environ["PYTHONPATH"] = python_path()
    config.stash[TABLE] = ParityTable()
    config.stash[LEFT_OUT] = 0
    given = config.getoption("instances_seed")
    config.stash[SEED] = default_seed() if given is None else given
    # A run of all files leaves slow tests out. Names of files or folders include their slow tests.
    config.stash[WITH_SLOW] = config.args_source is not config.ArgsSource.TESTPATHS
    if is_worker(config):
        config.stash[SEED] = config.workerinput["instances_seed"]
        config.stash[WITH_SLOW] = config.workerinput["with_slow"]
        # `leftovers.children` identifies this worker's processes by their group.
        os.setpgid(0, 0)


def is_worker(config):
    """Returns whether this process is a worker of pytest-xdist, which runs a part of the tests."""
    return hasattr(config, "workerinput")


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node):
    """Passes the selection of tests to a worker of pytest-xdist."""
    node.workerinput["instances_seed"] = node.config.stash[SEED]
    node.workerinput["with_slow"] = node.config.stash[WITH_SLOW]


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    """Adds the counts of an ended worker of pytest-xdist to those of the main process."""
    counts = getattr(node, "workeroutput", {})
    # Counts of deselected tests are not added up, because each worker collects all tests.
    node.config.stash[LEFT_OUT] = max(node.config.stash[LEFT_OUT], counts.get("left_out", 0))
    for task, row in counts.get("parity", {}).items():
        node.config.stash[TABLE].add(task, *row)


def pytest_sessionfinish(session):
    config = session.config
    if is_worker(config):
        rows = {task: tuple(map(int, row)) for task, row in config.stash[TABLE].rows.items()}
        config.workeroutput.update(left_out=config.stash[LEFT_OUT], parity=rows)


def pytest_report_header(config):
    if config.getoption("all_instances"):
        return "instances: all of each parametrised test"
    return f"instances: a few of each parametrised test, drawn by --instances-seed={config.stash[SEED]}"


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config, items):
    """Deselects instances among those selected by ``-k`` and similar options.

    An instance selected by its id always runs.
    """
    if config.getoption("all_instances") or any("[" in argument for argument in config.args):
        return
    items[:], left_out = split(items, config.stash[SEED], config.stash[WITH_SLOW])
    config.stash[LEFT_OUT] = len(left_out)
    config.hook.pytest_deselected(items=left_out)


def pytest_collection_finish():
    """Excludes the collected tests, which live until the end, from garbage collections; these would take seconds."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def parity_table(pytestconfig):
    """Returns the table of comparisons, which is printed at the end."""
    return pytestconfig.stash[TABLE]


def pytest_terminal_summary(terminalreporter, config):
    table = config.stash[TABLE]
    if table.rows:
        terminalreporter.section("compared with the references, bit for bit, behind both interfaces")
        for line in table.lines():
            terminalreporter.write_line(line)
        if path := config.getoption("parity_json", None):
            table.write(path)
    if config.stash[LEFT_OUT]:
        terminalreporter.write_line(
            f"{config.stash[LEFT_OUT]} slow tests and instances of parametrised tests were left out (drawn by "
            f"--instances-seed={config.stash[SEED]}); --all-instances or ENVPOOL_RS_ALL_TESTS=1 runs all"
        )


@pytest.fixture(scope="session", autouse=True)
def _nothing_is_left_behind(tmp_path_factory):
    """Asserts after all tests that no processes and files exist that did not exist before."""
    if not Path("/proc/self/stat").exists():
        yield
        return
    folder = tmp_path_factory.mktemp("temporary")
    before, variable, tempfile.tempdir = tempfile.tempdir, os.environ.get("TMPDIR"), str(folder)
    os.environ["TMPDIR"] = str(folder)
    processes, files = children(), shared_files()
    yield
    deadline = time.monotonic() + 60
    while (left := children().keys() - processes.keys()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left, [text for pid, text in children().items() if pid in left]
    # Waits, because files of other test workers and programs disappear only after some time.
    while (left := not_held_by_others(shared_files() - files)) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not left
    tempfile.tempdir = before
    os.environ.pop("TMPDIR") if variable is None else os.environ.update(TMPDIR=variable)
