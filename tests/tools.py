"""Prints the requirements of the build and of the named extras in pyproject.toml, one per line, for the Makefile.

    python tests/tools.py build test
    python tests/tools.py build-only

``build-only`` leaves out what the package itself needs.

So that tools can be installed before the package itself is built, and their list stands in one place.
"""

import re
import sys
from pathlib import Path

TEXT = (Path(__file__).parents[1] / "pyproject.toml").read_text()


def section(name):
    """A table's text; CPython 3.10 reads no TOML."""
    return re.search(rf"^\[{re.escape(name)}\]\n(.*?)(?=^\[|\Z)", TEXT, re.M | re.S)[1]


def requirements(table, key):
    return re.findall(r'"([^"]+)"', re.search(rf"^{key} = \[(.*?)\]$", section(table), re.M | re.S)[1])


if __name__ == "__main__":
    found = [] if sys.argv[1:] == ["build-only"] else requirements("project", "dependencies")
    for extra in sys.argv[1:]:
        found += (
            requirements("build-system", "requires")
            if extra in ("build", "build-only")
            else requirements("project.optional-dependencies", extra)
        )
    print("\n".join(found))
