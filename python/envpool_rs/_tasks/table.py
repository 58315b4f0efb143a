"""The tasks by name: those of this release, and those registered since."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from envpool_rs import _core
from envpool_rs._spec.spec import gymnasium_id
from envpool_rs._tasks.named_tasks import ForeignTask, MixedTask, NamedTask
from envpool_rs._tasks.unknown_task import unknown_task

TaskId: TypeAlias = "str | Sequence[str]"
"""A task, or several that share a pool."""

limits = _core.task_limits()
"""``max_episode_steps`` and ``reward_threshold`` of each task of this release."""

ENVPOOL_ALIASES = {
    "phys2d/CartPole-v0": "CartPole-v0",
    "phys2d/CartPole-v1": "CartPole-v1",
    "phys2d/Pendulum-v0": "Pendulum-v0",
    "tabular/Blackjack-v0": "Blackjack-v1",
    "tabular/CliffWalking-v0": "CliffWalking-v1",
}
"""Names that EnvPool has for tasks of its own. gymnasium's tasks of these names are others, written in jax: those are
what :func:`make_vec` plays.
"""

tasks: dict[str, NamedTask | ForeignTask] = {
    **{task_id: NamedTask(task_id) for task_id in limits},
    **{alias: NamedTask(task_id) for alias, task_id in ENVPOOL_ALIASES.items()},
}
"""All names, in order of registration."""

_TESTING = "test/"
"""Prefix of tasks that are tools for testing (``test/Scripted-v0`` sleeps, fails or ends as its action says): they can
be made like any other, but no list names them."""


def list_all_envs() -> list[str]:
    """All task ids: those of this release in order of registration, then those registered since. EnvPool's aliases are
    left out, since gymnasium means other tasks by them.
    """
    return [name for name in tasks if not name.startswith(_TESTING) and name not in ENVPOOL_ALIASES]


def find(task_id: TaskId) -> NamedTask | MixedTask | ForeignTask:
    """What a name, or several, stand for.

    Raises:
        ValueError: for an unknown task, naming near ones; for a mixture of which not all are tasks of envpool_rs.
    """
    if isinstance(task_id, (list, tuple)):
        return _mixed(task_id)
    task = tasks.get(task_id) if isinstance(task_id, str) else None
    if task is None:
        raise unknown_task(task_id, list_all_envs())
    return task


def _mixed(task_ids: Sequence[Any]) -> MixedTask:
    is_nested = any(isinstance(task_id, (list, tuple)) for task_id in task_ids)
    found = [] if is_nested else [find(task_id) for task_id in task_ids]
    named = [task for task in found if isinstance(task, NamedTask)]
    if len(named) < len(found) or not named:
        raise ValueError(f"task_id={task_ids!r}: expected one or more tasks of envpool_rs")
    return MixedTask.of(task_ids, named)


def joined_name(task_id: TaskId) -> str:
    """A task's name, which is no alias; several, separated by commas."""
    if isinstance(task_id, str):
        return ENVPOOL_ALIASES.get(task_id, task_id)
    return ", ".join(joined_name(each) for each in task_id)


def native_ids(task_id: Any) -> Any:
    """The tasks' own ids for those that gymnasium knows them by; anything else as it is."""
    if isinstance(task_id, (list, tuple)):
        return [_task_of_gymnasium_id(each) if isinstance(each, str) else each for each in task_id]
    return _task_of_gymnasium_id(task_id) if isinstance(task_id, str) else task_id


def _task_of_gymnasium_id(task_id: str) -> str:
    if task_id in tasks:
        return task_id
    return next((name for name in tasks if gymnasium_id(name) == task_id), task_id)
