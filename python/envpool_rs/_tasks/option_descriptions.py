"""What there is to say of every option: the extension's words, and those of the options that only Python knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from envpool_rs import _core
from envpool_rs._spec.other_names import described_otherwise
from envpool_rs._spec.render_options import RENDER_OPTIONS

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription, PoolOptionDescription, TaskDescription


def pool_options() -> list[PoolOptionDescription]:
    """The options of every task, in the order in which a configuration lists them, then those of Python alone."""
    return [*_core.pool_options(), *_core.options_of_python()]


def task_descriptions() -> list[TaskDescription]:
    """All tasks of this release, in order of registration; what EnvPool and gymnasium call otherwise is behind their
    own options. What every task has is not among these, though environments with cameras look at it themselves.
    """
    return [_described(task) for task in _core.tasks()]


def task_description(task_id: str) -> TaskDescription:
    """One task, as `task_descriptions` has it.

    Raises:
        ValueError: for a task that does not exist, suggesting near ones.
    """
    return _described(_core.task(task_id))


def _described(task: TaskDescription) -> TaskDescription:
    return {**task, "options": _own_options(task)}


def _own_options(task: TaskDescription) -> list[OptionDescription]:
    own = [option for option in task["options"] if option["name"] not in RENDER_OPTIONS]
    return [*own, *described_otherwise(task["id"])]


def kind_text(option: OptionDescription | PoolOptionDescription) -> str:
    """The values that an option takes: its kind, or which of that kind."""
    allowed = option.get("allowed")
    if isinstance(allowed, str):
        return f"{option['kind']} from {allowed}" if allowed[0] in "-0123456789" else allowed
    if option["values"]:
        *most, last = [f'"{value}"' for value in option["values"]]
        others = [kind for kind in option["kind"].split(" or ") if kind != "str"]
        return " or ".join([", ".join(most), last, *others])
    return option["kind"]
