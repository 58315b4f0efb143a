"""What there is to say of every option: the extension's words, and those of the options that only Python knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from envpool_rs import _core
from envpool_rs._spec.envpool_options import envpool_descriptions
from envpool_rs._spec.picture_options import gymnasium_descriptions
from envpool_rs._spec.render_options import RENDER_OPTIONS

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription, PoolOptionDescription, TaskDescription

RETURN_INFO: PoolOptionDescription = {
    "name": "gym_reset_return_info",
    "default": "None: as the installed gym",
    "kind": "bool or None",
    "values": [],
    "doc": 'whether reset returns infos; False for env_type="gym" only',
}
"""The option of EnvPool's interfaces alone."""

_ENVPOOL_OPTIONS: list[PoolOptionDescription] = [
    {
        "name": "env_seed",
        "default": "[]: seed",
        "kind": "list of int or None",
        "values": [],
        "doc": "EnvPool's name for a list of seeds",
    },
    {
        "name": "base_path",
        "default": "None",
        "kind": "str or None",
        "values": [],
        "doc": "EnvPool's name for the folder of its files: Atari's rom_dir; no other task needs one",
    },
]
"""Options that say what others say, in EnvPool's words."""


def pool_options() -> list[PoolOptionDescription]:
    """The options of every task, in the order in which a configuration lists them, then those of Python alone."""
    return [*_core.pool_options(), *_ENVPOOL_OPTIONS, *RENDER_OPTIONS.values(), RETURN_INFO]


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
    return [*own, *envpool_descriptions(task["id"]), *gymnasium_descriptions(task["id"])]


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
