"""Prints requirements of pyproject.toml and of the families' manifests, one per line, for the Makefile and noxfile.py.

    python tools/requirements.py build test
    python tools/requirements.py exact vizdoom

Names are dependency groups, extras, ``build`` (the build's and the package's own) and ``build-only`` (the build's).
``test`` includes the references of the environment families. ``without-dependencies`` prints packages that pip must
install without dependencies for the tests, and ``programs`` those for examples and other projects' programs. ``exact``
prints what a family's comparison needs in addition. Only the standard library is needed, before anything is installed.
"""

import sys
from pathlib import Path

from families import families, listed, tomllib

TABLES = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = TABLES["build-system"]["requires"]
SPECIAL = {
    "build-only": lambda: BUILD,
    "build": lambda: [*TABLES["project"]["dependencies"], *BUILD],
    "test": lambda: [*TABLES["dependency-groups"]["test"], *listed("tests", "packages")],
    "without-dependencies": lambda: listed("tests", "packages_without_dependencies"),
    "programs": lambda: listed("programs", "packages_without_dependencies"),
}


def requirements(name):
    if name in SPECIAL:
        return SPECIAL[name]()
    groups = {**TABLES["project"]["optional-dependencies"], **TABLES["dependency-groups"]}
    if name not in groups:
        raise SystemExit(f"{name}: expected one of {', '.join([*SPECIAL, *groups])}")
    return groups[name]


def main(*names):
    if names[:1] == ("exact",):
        return [package for family in families() if family.key in names for package in family.exact.get("packages", [])]
    return [requirement for name in names for requirement in requirements(name)]


if __name__ == "__main__":
    print("".join(f"{requirement}\n" for requirement in main(*sys.argv[1:])), end="")
