"""Selects the tasks of tests that cover all tasks.

Manifests describe the families: `src/envs/**/family.toml`. The tasks of a large family share code, so tests of
interfaces, threads, snapshots and the like cover the representatives that its manifest names. The family's own test
files cover all tasks.
"""

from fnmatch import fnmatch
from importlib.util import find_spec

import envpool_rs
from envpool_rs import _core
from families import families

#: Descriptions of all tasks of this release, which take a third of a second to make.
REGISTERED = _core.tasks()

#: Ids of all tasks of the package, stored here because tests that load libraries of tasks extend `list_all_envs()` for
#: their process.
ALL = envpool_rs.list_all_envs()

FAMILIES = {
    family.key: [
        task["id"] for task in REGISTERED if family.has(task["id"], {option["name"] for option in task["options"]})
    ]
    for family in families()
}
"""Ids of the tasks of each family, by the family's key."""

FAMILY_OF = {task: family for family in families() for task in FAMILIES[family.key]}
"""Manifest of each task's family."""


def matching(tasks, patterns):
    return [task for task in tasks if any(fnmatch(task, pattern) for pattern in patterns)]


def of_family(key, name):
    """Returns the tasks of a family that match the patterns under ``tests.name`` in its manifest."""
    family = next(family for family in families() if family.key == key)
    return matching(FAMILIES[key], family.tests.get(name, []))


def has_files(family):
    """Returns whether the packages are installed that have the files and libraries of a family."""
    packages = [asset["places"][0][0] for asset in family.assets if "install" in asset]
    return all(find_spec(package) for package in [*packages, *family.tests.get("imports", [])])


INSTALLED = {family.key for family in families() if has_files(family)}
"""Keys of the families whose files are installed."""


def is_installed(task):
    """Returns whether the files that a task needs are installed."""
    family = FAMILY_OF[task]
    if family.key not in INSTALLED or matching([task], family.tests.get("not_installable", [])):
        return False
    needs = family.tests.get("needs", {})
    return all(find_spec(package) or not matching([task], patterns) for package, patterns in needs.items())


def representatives(key):
    """Returns the tasks that stand for a family in tests; none if its files are not installed."""
    return of_family(key, "representatives") if key in INSTALLED else []


OPTIONS = {task: options for family in families() for task, options in family.tests.get("options", {}).items()}
"""Options of tasks that cannot be played with default options."""

# Constants of each family, by its key in capitals: `ATARI` are its tasks, `ATARI_ALIASES` those with EnvPool's names of
# other versions, and `HAS_ATARI` is whether its files are installed.
for _key, _tasks in FAMILIES.items():
    globals().update({_key.upper(): _tasks, f"HAS_{_key.upper()}": _key in INSTALLED})
    globals()[f"{_key.upper()}_ALIASES"] = of_family(_key, "aliases")

#: Gymnasium-Robotics' tasks. gymnasium knows them after an import of gymnasium_robotics, which other tests do.
ROBOTICS = [task for key in ("maze", "fetch", "adroit", "hand", "kitchen") for task in FAMILIES[key]]

#: Tasks of families that have tests of their own, by group of tasks.
LARGE_FAMILIES = {}
for _family in families():
    if not _family.tests.get("is_small", False):
        _rest = {*FAMILIES[_family.key]}
        for _name, _patterns in _family.tests.get("groups", {}).items():
            LARGE_FAMILIES[_name] = {*matching(_rest, _patterns)}
            _rest -= LARGE_FAMILIES[_name]
        LARGE_FAMILIES[_family.key] = _rest

#: Tasks that tests over all tasks omit: large families except their representatives.
_OTHERS = set().union(*LARGE_FAMILIES.values()) - {task for key in FAMILIES for task in representatives(key)}
TASKS = [task for task in envpool_rs.list_all_envs() if task not in _OTHERS]


def is_heavy(task):
    """Returns whether an environment of the task is expensive.

    An expensive environment takes milliseconds per step, uses megabytes of memory or address space, or generates a
    world per episode.
    """
    family = FAMILY_OF[task]
    return not family.tests.get("is_small", False) and not family.tests.get("is_cheap", False)
