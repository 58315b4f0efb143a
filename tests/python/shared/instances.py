"""Selects a few instances of each parametrised test by a seed, and leaves slow tests out.

``--all-instances`` or ``ENVPOOL_RS_ALL_TESTS=1`` runs all of them.
"""

import os
import random
import re

from tasks import FAMILIES, LARGE_FAMILIES, REGISTERED

FEW = 3
"""Maximum number of instances of a test up to which all run. Of more instances, this number and one
of each family run.
"""

FAMILY_OF = {
    **{task: name for name, tasks in FAMILIES.items() for task in tasks},
    **{task: name for name, tasks in LARGE_FAMILIES.items() for task in tasks},
}
"""Group of tasks of each task."""

TASKS = {task["id"] for task in REGISTERED}


def family(values):
    """Returns the family of an instance: that of the task named by one of its parameters.

    Args:
        values: the parameters; for an object, its attributes ``task`` and ``task_id`` are used.

    Returns:
        The family's name; the task's id if it belongs to none; ``None`` if no parameter names a task.
    """
    for value in values:
        for text in (value, getattr(value, "task", None), getattr(value, "task_id", None)):
            if isinstance(text, str) and text in TASKS:
                return FAMILY_OF.get(text, text)
    return None


def default_seed():
    """Returns the seed in the variable ``ENVPOOL_RS_INSTANCES_SEED``, which CI draws, or 0."""
    return int(os.environ.get("ENVPOOL_RS_INSTANCES_SEED") or 0)


def few(name, families, seed):
    """Returns the indices of the instances of one test that run.

    Args:
        name: name of the test, without its parameters.
        families: family of each instance, in order; ``None`` for an instance without a family.
        seed: the seed of the selection.

    Returns:
        A set of indices: all indices if there are few; otherwise ``FEW`` of them, and one of each family.
    """
    places = list(range(len(families)))
    if len(places) <= FEW:
        return set(places)
    # A seed that is a str gives the same draws in each process.
    random.Random(f"{seed}:{name}").shuffle(places)
    first_of_family = {}
    for place in places:
        if families[place] is not None:
            first_of_family.setdefault(families[place], place)
    return {*places[:FEW], *first_of_family.values()}


def split(items, seed, with_slow):
    """Splits pytest's items, in their order, into those that run and those that are deselected.

    Tests without parameters run. Tests and instances marked `slow` run only ``with_slow``.
    """
    tests = {}
    for item in items:
        if not with_slow and item.get_closest_marker("slow"):
            continue
        tests.setdefault(item.nodeid.partition("[")[0] if hasattr(item, "callspec") else item.nodeid, []).append(item)
    running = set()
    for name, instances in tests.items():
        families = [family(each.callspec.params.values()) if hasattr(each, "callspec") else None for each in instances]
        running.update(instances[place].nodeid for place in few(name, families, seed))
    return [item for item in items if item.nodeid in running], [item for item in items if item.nodeid not in running]


def id_of(value):
    """Returns the id of a parameter: its text without memory addresses, which differ between processes."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))
