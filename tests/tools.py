"""Prints the requirements of the build and of the named extras in pyproject.toml, one per line, for the Makefile.

    python tests/tools.py build test
    python tests/tools.py build-only

``build-only`` omits the package's own requirements. The Makefile thus installs tools before the package is built, and
pyproject.toml has the only list of them.
"""

import sys
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:  # only pip is installed when the Makefile runs this
    from pip._vendor import tomli as tomllib

TABLES = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(extra):
    if extra in ("build", "build-only"):
        return TABLES["build-system"]["requires"]
    return TABLES["project"]["optional-dependencies"][extra]


if __name__ == "__main__":
    found = [] if sys.argv[1:] == ["build-only"] else TABLES["project"]["dependencies"]
    print("\n".join([*found, *(name for extra in sys.argv[1:] for name in requirements(extra))]))
