"""Registers task names: the user's own, and the ids in gymnasium's registry."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Sequence
from typing import Any

from gymnasium.envs import registration as gymnasium_registration
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs._spec.entry_points import MAKE_VEC, SINGLE_ENV
from envpool_rs._spec.option_values import restoring_given_names
from envpool_rs._spec.other_names import from_envpool_names
from envpool_rs._spec.spec import EnvSpec, gymnasium_id
from envpool_rs._tasks.pool_options import pool_options
from envpool_rs._tasks.table import ENVPOOL_ALIASES, ForeignTask, NamedTask, find, limits, tasks


def register(
    task_id: str,
    import_path: str | None = None,
    spec_cls: str | None = None,
    dm_cls: str | None = None,
    gym_cls: str | None = None,
    gymnasium_cls: str | None = None,
    *,
    base: str | None = None,
    aliases: Sequence[str] = (),
    **options: Any,
) -> None:
    """Registers a name: a task with other defaults, or classes of another package.

    ``register("LightPendulum-v1", base="Pendulum-v1", g=5.0)`` makes the name known to all functions here and to
    gymnasium. The other form is EnvPool's: the named classes are imported on first use, and called as
    ``cls(spec_cls(spec_cls.gen_config(**options)))``.

    Args:
        task_id: the new name.
        import_path: module of the classes (EnvPool's form).
        spec_cls: name of the specification's class.
        dm_cls: name of the class for ``env_type="dm"``, if there is one.
        gym_cls: name of the class for ``env_type="gym"``; by default ``gymnasium_cls``, as in EnvPool since 1.0.
        gymnasium_cls: name of the class for ``env_type="gymnasium"``, if there is one.
        base: an existing task (the form with other defaults).
        aliases: further names of the task.
        options: defaults for the options.

    Raises:
        ValueError: for a name that is taken, an unknown ``base``, or a mixture of both forms.
        TypeError: for an unknown option.
        gymnasium.error.Error: for a name that gymnasium rejects.
    """
    names = [task_id, *aliases]
    taken = [name for name in names if name in tasks]
    if taken:
        raise ValueError(f"task_id={taken[0]!r} is registered already: expected a new name")
    classes = {"dm": dm_cls, "gym": gym_cls or gymnasium_cls, "gymnasium": gymnasium_cls}
    foreign = [each for each in (import_path, spec_cls, *classes.values()) if each is not None]
    task = (
        _foreign_task(import_path, spec_cls, classes, options) if base is None else _named_task(base, foreign, options)
    )
    # All specs are built first: gymnasium rejects some names, and then none is registered.
    specs = [_gymnasium_spec(name, task) for name in names] if isinstance(task, NamedTask) else []
    tasks.update(dict.fromkeys(names, task))
    _add_to_gymnasium(specs)


def _foreign_task(
    import_path: str | None, spec_cls: str | None, classes: dict[str, str | None], options: dict[str, Any]
) -> NamedTask | ForeignTask:
    if import_path is None or spec_cls is None:
        raise ValueError("register() needs either base, or import_path and spec_cls")
    return ForeignTask(import_path, spec_cls, classes, options)


def _named_task(base: str, foreign: list[str], options: dict[str, Any]) -> NamedTask | ForeignTask:
    if foreign:
        raise ValueError(f"base={base!r} and {foreign[0]!r} of another package are both given: expected one of them")
    task = find(base)
    if not isinstance(task, NamedTask):
        raise ValueError(f"base={base!r}: expected a task of envpool_rs, not one registered with other classes")
    with restoring_given_names(options):
        of_extension, own = from_envpool_names(task.base, options)
        assert isinstance(of_extension, str)  # like the base of a `NamedTask`
        preset = pool_options(of_extension, task.with_presets(own))
        # Checked here, so that a misspelt option fails at registration and not at the first use.
        EnvSpec(base, of_extension, "envpool", preset)
    return NamedTask(of_extension, preset)


def register_with_gymnasium() -> None:
    """Registers all tasks with gymnasium as ``envpool_rs/<task id>``; runs when the package is imported."""
    own = {name: task for name, task in tasks.items() if isinstance(task, NamedTask) and name not in ENVPOOL_ALIASES}
    _add_to_gymnasium(_gymnasium_spec(name, task) for name, task in own.items())


def _gymnasium_spec(name: str, task: NamedTask) -> GymnasiumEnvSpec:
    max_episode_steps, reward_threshold = limits[task.base]
    limit = task.options.get("max_episode_steps", max_episode_steps)
    return GymnasiumEnvSpec(
        id=gymnasium_id(name),
        entry_point=SINGLE_ENV,
        vector_entry_point=MAKE_VEC,
        # gymnasium has one limit for all environments.
        max_episode_steps=limit if isinstance(limit, numbers.Integral) else None,  # type: ignore[arg-type]
        reward_threshold=task.options.get("reward_threshold", reward_threshold),
        kwargs={"task_id": name},
    )


def _add_to_gymnasium(specs: Iterable[GymnasiumEnvSpec]) -> None:
    # gymnasium's own `register` scans all ids for other versions of each, which is noticeable with hundreds of ids.
    gymnasium_registration.registry.update((spec.id, spec) for spec in specs)
