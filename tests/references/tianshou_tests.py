"""Runs Tianshou's own tests of its vector environments with the classes of `envpool_rs.tianshou` instead of Tianshou's.

    python tests/references/tianshou_tests.py PATH_OF_A_CLONE_OF_TIANSHOU [TAG ...]

Needs a virtual environment with this package, pytest and Tianshou. The tags of Tianshou 2 need `tianshou==2.0.*`. The
tags of 0.4 need networkx, and Tianshou 0.4.11 with its requirements of old gym:

    pip install "setuptools<66" "wheel<0.40"
    pip install --no-build-isolation "gym==0.26.2" "numpy<2" networkx torch
    pip install --no-deps tianshou==0.4.11

The tests are read from the clone, at each tag, whose release then counts as the installed one. Tests before v0.4.10
expect four values from `step` and only observations from `reset`.
"""

import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

TAGS = {"0": ("v0.4.6", "v0.4.9", "v0.4.11"), "2": ("v2.0.0", "v2.0.1")}
"""Tags whose tests run by default, by the installed Tianshou's major version."""

TESTS = {"0": ("test_env.py",), "2": ("test_env.py", "test_collector.py")}
"""Files of tests in `test/base`, by the tag's major version."""

HELPERS = ("test/__init__.py", "test/base/__init__.py", "test/base/env.py")

NOT_RUN = {
    "test_venv_wrapper_envpool": "steps EnvPool's Ant-v3, none of the vector environments",
    "test_venv_wrapper_envpool_gym_reset_return_info": "steps EnvPool's Ant-v3, none of the vector environments",
}
"""Tests that are not run, with the reasons."""

CONFTEST = """
import pytest
import tianshou.env
from envpool_rs import tianshou as ours

NOT_RUN = {not_run!r}

ours.version = lambda package: {release!r}
for name in ("BaseVectorEnv", "DummyVectorEnv", "SubprocVectorEnv", "ShmemVectorEnv", "RayVectorEnv"):
    setattr(tianshou.env, name, getattr(ours, name))


def pytest_collection_modifyitems(items):
    for item in items:
        assert issubclass(item.module.SubprocVectorEnv, ours.SubprocVectorEnv)
        if item.name in NOT_RUN:
            item.add_marker(pytest.mark.skip(reason=NOT_RUN[item.name]))
"""


def lay_out(clone, tag, folder):
    """Writes Tianshou's tests at a git tag into a folder, with a conftest.py that replaces its classes; returns the
    paths of the tests.
    """
    tests = [f"test/base/{name}" for name in TESTS[major(tag)]]
    for name in (*HELPERS, *tests):
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shown = subprocess.run(["git", "-C", clone, "show", f"{tag}:{name}"], capture_output=True, check=False)
        file.write_bytes(shown.stdout)
    (folder / "conftest.py").write_text(CONFTEST.format(release=tag.removeprefix("v"), not_run=NOT_RUN))
    return tests


def major(release):
    return release.removeprefix("v").partition(".")[0]


def run(clone, tag):
    """Runs Tianshou's tests at a git tag, and returns whether they pass; pytest prints the results."""
    with tempfile.TemporaryDirectory() as folder:
        tests = lay_out(clone, tag, Path(folder))
        print(f"\nTianshou {tag}", flush=True)
        options = ["-p", "no:cacheprovider", "-v", "-rs", "--tb=short", "--no-header", "--disable-warnings"]
        command = [sys.executable, "-m", "pytest", *options, *tests]
        return subprocess.run(command, cwd=folder, check=False).returncode == 0


def main(clone, *tags):
    failed = [tag for tag in tags or TAGS[major(version("tianshou"))] if not run(clone, tag)]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
