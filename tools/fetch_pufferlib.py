"""Downloads PufferLib's source distribution from PyPI, for tests and benchmarks of environments in C that others wrote.

    python tools/fetch_pufferlib.py target/sources/pufferlib-3.0.0

pip runs a package's `setup.py` before it stores the distribution. PufferLib's imports torch, for extensions that are
not built here; so an empty package replaces torch.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

VERSION = "3.0.0"
ROOT = Path(__file__).parents[1]

#: The names that PufferLib's `setup.py` imports from torch.
TORCH = """\
from setuptools import Extension
from setuptools.command.build_ext import build_ext

CppExtension = CUDAExtension = Extension
BuildExtension = build_ext
CUDA_HOME = None
"""


def main(target):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stand_in = folder / "torch" / "utils"
        stand_in.mkdir(parents=True)
        for path in (stand_in.parent / "__init__.py", stand_in / "__init__.py"):
            path.touch()
        (stand_in / "cpp_extension.py").write_text(TORCH)
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        subprocess.run([*pip, "install", "--target", folder / "tools", "setuptools>=70.1,<80"], check=True)
        # `pufferlib_build` defines a name that `setup.py` lacks without PufferLib's own environments.
        paths = [ROOT / "tests/consumers/pufferlib_build", folder, folder / "tools"]
        env = {**os.environ, "NO_OCEAN": "1", "NO_TRAIN": "1", "PYTHONPATH": os.pathsep.join(map(str, paths))}
        options = ["--no-binary", ":all:", "--no-deps", "--no-build-isolation", "--dest", folder]
        subprocess.run([*pip, "download", *options, f"pufferlib=={VERSION}"], check=True, env=env)
        (archive,) = folder.glob("pufferlib-*.tar.gz")
        target.parent.mkdir(parents=True, exist_ok=True)
        with tarfile.open(archive) as source:
            wanted = [one for one in source if one.name.split("/", 2)[1:2] != ["resources"] and one.isreg()]
            source.extractall(folder / "source", members=wanted, filter="data")
        shutil.move(folder / "source" / f"pufferlib-{VERSION}", target)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
