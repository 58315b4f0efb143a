"""Implements ``register``, which registers names of tasks that the user defines."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from envpool_rs._arguments import shown, text
from envpool_rs._spec.other_names import from_envpool_names, pool_options, restoring_given_names
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import load_plugin
from envpool_rs._tasks.table import ForeignTask, NamedTask, add_to_gymnasium, find, requested, tasks


def register(
    task_id: str,
    import_path: str | None = None,
    spec_cls: str | None = None,
    dm_cls: str | None = None,
    gym_cls: str | None = None,
    gymnasium_cls: str | None = None,
    *,
    base: str | None = None,
    library: str | os.PathLike[str] | None = None,
    aliases: Sequence[str] = (),
    **options: Any,
) -> None:
    """Registers a new task name, for a task with other default options or for classes of another package.

    ``register("LightPendulum-v1", base="Pendulum-v1", g=5.0)`` registers the name for all functions of this package and
    with gymnasium. With ``library``, the base is a task of a library, which is loaded first. The form with
    ``import_path`` is EnvPool's: the named classes are imported on first use, and called as
    ``cls(spec_cls(spec_cls.gen_config(**options)))``.

    Args:
        task_id: the new name.
        import_path: module of the classes (EnvPool's form).
        spec_cls: name of the specification's class.
        dm_cls: name of the class for ``env_type="dm"``; ``None`` for no class.
        gym_cls: name of the class for ``env_type="gym"``; by default ``gymnasium_cls``, as in EnvPool since 1.0.
        gymnasium_cls: name of the class for ``env_type="gymnasium"``; ``None`` for no class.
        base: an existing task (the form with other defaults). With ``library``, one of the library's tasks; by default
            ``task_id``, or the library's only task.
        library: path of a library of tasks, as for :func:`load_plugin`.
        aliases: further names of the task.
        options: defaults for the options.

    Raises:
        ValueError: for a name that is taken, an unknown ``base``, or a mixture of both forms.
        TypeError: for an unknown option, and for names that are not str.
        gymnasium.error.Error: for a name that gymnasium rejects.
    """
    text("task_id", task_id)
    if isinstance(aliases, str) or not isinstance(aliases, Sequence):
        raise TypeError(f"aliases={shown(aliases)}: expected a list of str")
    aliases = [text(f"aliases[{index}]", each) for index, each in enumerate(aliases)]
    _check_new([*aliases] if library is not None else [task_id, *aliases])
    if library is not None:
        base = _base_in(library, task_id, base)
    classes = {"dm": dm_cls, "gym": gym_cls or gymnasium_cls, "gymnasium": gymnasium_cls}
    foreign = [each for each in (import_path, spec_cls, *classes.values()) if each is not None]
    task = (
        _foreign_task(import_path, spec_cls, classes, options) if base is None else _named_task(base, foreign, options)
    )
    named = dict.fromkeys([task_id, *aliases], task)
    # gymnasium comes first: if it rejects a name, no name is registered.
    add_to_gymnasium(named)
    tasks.update(named)


def _check_new(names: Sequence[str]) -> None:
    taken = [name for name in names if name in tasks]
    if taken:
        raise ValueError(f"task_id={taken[0]!r} is registered already: expected a new name")


def _base_in(library: str | os.PathLike[str], task_id: str, base: str | None) -> str:
    """Loads a library of tasks, and returns the id of its task that a name refers to."""
    was_known = task_id in tasks
    ids = load_plugin(library)
    if task_id not in ids and was_known:
        _check_new([task_id])
    base = base or (task_id if task_id in ids else ids[0] if len(ids) == 1 else None)
    if base not in ids:
        raise ValueError(f"base={base!r}: expected a task of the library {os.fspath(library)!r}: {', '.join(ids)}")
    return base


def _foreign_task(
    import_path: str | None, spec_cls: str | None, classes: dict[str, str | None], options: dict[str, Any]
) -> NamedTask | ForeignTask:
    if import_path is None or spec_cls is None:
        raise ValueError("register() needs either base, or import_path and spec_cls")
    return ForeignTask(import_path, spec_cls, classes, options)


def _named_task(base: str, foreign: list[str], options: dict[str, Any]) -> NamedTask | ForeignTask:
    if foreign:
        raise ValueError(f"base={base!r} and {foreign[0]!r} of another package are both given: expected one of them")
    base, given = requested(base)
    options = {**given, **options}
    task = find(base)
    if not isinstance(task, NamedTask):
        raise ValueError(f"base={base!r}: expected a task of envpool_rs, not one registered with other classes")
    with restoring_given_names(options):
        of_extension, own = from_envpool_names(task.base, options)
        assert isinstance(of_extension, str)  # a single task, as `NamedTask` requires of its base
        preset = pool_options(of_extension, task.with_presets(own))
        # Options are checked here, so that a misspelt option fails at registration and not at the first use.
        EnvSpec(base, of_extension, "envpool", preset)
    return NamedTask(of_extension, preset)
