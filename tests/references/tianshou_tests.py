"""Runs Tianshou's own tests of its vector environments with the classes of `envpool_rs.vector` instead of Tianshou's.

    python tests/references/tianshou_tests.py PATH_OF_A_CLONE_OF_TIANSHOU [TAG ...]

Needs a virtual environment with this package, pytest, networkx and torch, and Tianshou 0.4.11 with its requirements of
old gym:

    pip install "setuptools<66" "wheel<0.40"
    pip install --no-build-isolation "gym==0.26.2" "numpy<2" networkx
    pip install --no-deps tianshou==0.4.11

`test/base/test_env.py` and `test/base/env.py` are read from the clone, at each tag. Tests before v0.4.10 expect four
values from `step` and only observations from `reset`, which are the defaults of our classes. Later tests expect five
values and infos, which our classes return if they are requested.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

TAGS = ("v0.4.6", "v0.4.9", "v0.4.11")
FILES = ("test/__init__.py", "test/base/__init__.py", "test/base/test_env.py", "test/base/env.py")

NOT_RUN = {
    "test_venv_wrapper_envpool": "steps EnvPool's Ant-v3, none of the vector environments",
    "test_venv_wrapper_envpool_gym_reset_return_info": "steps EnvPool's Ant-v3, none of the vector environments",
}
"""Tests that are not run, with the reasons."""

CONFTEST = '''
import pytest
import tianshou.env
from envpool_rs import vector

FIVE_VALUES = {five_values}
NOT_RUN = {not_run!r}


def stands_for(ours):
    """Returns our class with five values and infos, as in Tianshou since 0.4.10."""

    class VectorEnv(ours):
        def __init__(self, env_fns, **keywords):
            super().__init__(env_fns, return_truncated=True, **keywords)

        def reset(self, id=None, **keywords):
            return super().reset(id, return_info=True, **keywords)

    VectorEnv.__name__ = ours.__name__
    return VectorEnv


for name, ours in {{
    "DummyVectorEnv": vector.DummyVectorEnv,
    "SubprocVectorEnv": vector.SubprocVectorEnv,
    "ShmemVectorEnv": vector.SubprocVectorEnv,
}}.items():
    setattr(tianshou.env, name, stands_for(ours) if FIVE_VALUES else ours)


def pytest_collection_modifyitems(items):
    for item in items:
        assert issubclass(item.module.SubprocVectorEnv, vector.SubprocVectorEnv)
        if item.name in NOT_RUN:
            item.add_marker(pytest.mark.skip(reason=NOT_RUN[item.name]))
'''


def lay_out(clone, tag, folder):
    """Writes Tianshou's tests at a git tag into a folder, with a conftest.py that replaces its classes."""
    for name in FILES:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        shown = subprocess.run(["git", "-C", clone, "show", f"{tag}:{name}"], capture_output=True, check=False)
        file.write_bytes(shown.stdout)
    five_values = tuple(map(int, tag.removeprefix("v").split("."))) >= (0, 4, 10)
    (folder / "conftest.py").write_text(CONFTEST.format(five_values=five_values, not_run=NOT_RUN))


def run(clone, tag):
    """Runs Tianshou's tests at a git tag, and returns whether they pass; pytest prints the results."""
    with tempfile.TemporaryDirectory() as folder:
        lay_out(clone, tag, Path(folder))
        print(f"\nTianshou {tag}", flush=True)
        options = ["-p", "no:cacheprovider", "-v", "-rs", "--tb=short", "--no-header", "--disable-warnings"]
        command = [sys.executable, "-m", "pytest", *options, "test/base/test_env.py"]
        return subprocess.run(command, cwd=folder, check=False).returncode == 0


def main(clone, *tags):
    failed = [tag for tag in tags or TAGS if not run(clone, tag)]
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
