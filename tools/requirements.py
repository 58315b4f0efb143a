"""Prints the requirements of the build and of the named extras in pyproject.toml, one per line, for the Makefile.

    python tools/requirements.py build test
    python tools/requirements.py build-only

``build-only`` omits the package's own requirements. ``test`` adds the references of the environment families, which
their manifests name. ``without-dependencies`` prints only packages that pip must install without dependencies for the
tests, and ``programs`` those for examples and other projects' programs. The Makefile thus installs tools before the
package is built.
"""

import sys
from pathlib import Path

from families import listed, tomllib

TABLES = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))


def requirements(extra):
    if extra in ("build", "build-only"):
        return TABLES["build-system"]["requires"]
    found = TABLES["project"]["optional-dependencies"][extra]
    return [*found, *listed("tests", "packages")] if extra == "test" else found


if __name__ == "__main__":
    alone = {"without-dependencies": "tests", "programs": "programs"}
    if sys.argv[1] in alone:
        print("\n".join(listed(alone[sys.argv[1]], "packages_without_dependencies")))
        sys.exit()
    found = [] if sys.argv[1:] == ["build-only"] else TABLES["project"]["dependencies"]
    print("\n".join([*found, *(name for extra in sys.argv[1:] for name in requirements(extra))]))
