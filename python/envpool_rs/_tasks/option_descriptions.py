"""Descriptions of all options: those that the Rust extension defines, and those that only Python code handles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from envpool_rs import _core
from envpool_rs._spec.other_names import alias_descriptions
from envpool_rs._spec.render_options import RENDER_OPTIONS

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription, PoolOptionDescription, TaskDescription


def pool_options() -> list[PoolOptionDescription]:
    """Returns descriptions of the options that every task has: the extension's in the order of a configuration, then
    Python's.
    """
    return [*_core.pool_options(), *_core.options_of_python()]


def task_descriptions() -> list[TaskDescription]:
    """Returns all tasks of this release, in order of registration; those of loaded libraries are not included.

    A task's own options come first, then the names that EnvPool and gymnasium use for them. Options that every task has
    are not included, although environments with cameras read some of them.
    """
    further = {task_id for *_, ids in _core.plugin_libraries() for task_id in ids}
    return [_describe(task) for task in _core.tasks() if task["id"] not in further]


def task_description(task_id: str) -> TaskDescription:
    """Returns one task's description, as in `task_descriptions`.

    Raises:
        ValueError: for an unknown task, with suggestions.
    """
    return _describe(_core.task(task_id))


def _describe(task: TaskDescription) -> TaskDescription:
    return {**task, "options": _own_options(task)}


def _own_options(task: TaskDescription) -> list[OptionDescription]:
    own = [option for option in task["options"] if option["name"] not in RENDER_OPTIONS]
    return [*own, *alias_descriptions(task["id"])]


def kind_text(option: OptionDescription | PoolOptionDescription) -> str:
    """Returns text that describes the values an option accepts: its type, or a subset of that type."""
    allowed = option.get("allowed")
    if isinstance(allowed, str):
        return f"{option['kind']} from {allowed}" if allowed[0] in "-0123456789" else allowed
    if option["values"]:
        *most, last = [f'"{value}"' for value in option["values"]]
        others = [kind for kind in option["kind"].split(" or ") if kind != "str"]
        return " or ".join([", ".join(most), last, *others])
    return option["kind"]
