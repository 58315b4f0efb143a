"""Tests that the selection of test instances includes every test and each family, and is equal in all processes."""

import os
import subprocess
import sys
from pathlib import Path

import instances
import pytest

TESTS = """
import pytest
IDS = ["CartPole-v1", "Pong-v5", "Alien-v5", "MiniGrid-DoorKey-5x5-v0", "BabyAI-BossLevel-v0", "Basic-v1", "Ant-v5"]
@pytest.mark.parametrize("number", range(50))
def test_many(number): pass
@pytest.mark.parametrize("number", range(2))
def test_two(number): pass
@pytest.mark.parametrize("task", IDS)
def test_tasks(task): pass
class TestClass:
    @pytest.mark.parametrize("number", range(50))
    def test_many(self, number): pass
def test_alone(): pass
"""


def collected(folder, *options):
    (folder / "conftest.py").write_text((Path(__file__).parents[1] / "conftest.py").read_text())
    (folder / "test_some.py").write_text(TESTS)
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        "/dev/null",
        "--rootdir",
        str(folder),
    ]
    # Variables that select the instances of the current run are removed.
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("ENVPOOL_RS_ALL", "PYTEST"))
    }
    command += [*options, str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def listed(text):
    return [line.partition("::")[2] for line in text.splitlines() if "::" in line]


@pytest.mark.slow
def test_every_test_and_every_family_is_touched(tmp_path):
    text = collected(tmp_path, "--collect-only", "--instances-seed=5")
    ids = listed(text)
    assert sum(each.startswith("test_many[") for each in ids) == instances.FEW
    assert sum(each.startswith("TestClass::test_many[") for each in ids) == instances.FEW
    assert [each for each in ids if each.startswith("test_two")] == ["test_two[0]", "test_two[1]"]
    assert "test_alone" in ids
    tasks = {each.partition("[")[2].rstrip("]") for each in ids if each.startswith("test_tasks")}
    families = {instances.family([task]) for task in tasks}
    assert families == {"classic_control", "atari", "minigrid", "babyai", "vizdoom", "mujoco"}
    left_out = 110 - len(ids)
    assert (
        f"{left_out} slow tests and instances of parametrised tests were left out (drawn by --instances-seed=5)" in text
    )
    assert listed(collected(tmp_path, "--collect-only", "--instances-seed=6")) != ids
    assert len(listed(collected(tmp_path, "--collect-only", "--all-instances"))) == 110


@pytest.mark.slow
def test_workers_of_xdist_choose_the_same_instances(tmp_path):
    pytest.importorskip("xdist")
    ids = listed(collected(tmp_path, "--collect-only", "--instances-seed=5"))
    shared = collected(tmp_path, "--instances-seed=5", "-n", "2", "--dist", "loadfile", "-rA")
    assert "instances of parametrised tests were left out" in shared
    assert f"{len(ids)} passed" in shared
    passed = [line.partition("::")[2] for line in shared.splitlines() if line.startswith("PASSED ")]
    assert sorted(passed) == sorted(ids)


@pytest.mark.parametrize("seed", range(20))
def test_a_selection_touches_each_family(seed):
    families = [None] * 20 + ["a"] * 20 + ["b"] + ["c"] * 3
    chosen = instances.few("test", families, seed)
    assert {families[place] for place in chosen} >= {"a", "b", "c"}
    assert instances.FEW <= len(chosen) <= instances.FEW + 3
    assert chosen == instances.few("test", families, seed)
    assert instances.few("test", families[: instances.FEW], seed) == set(range(instances.FEW))
