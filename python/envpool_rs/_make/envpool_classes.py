"""Classes with EnvPool's names for each task family.

A configuration makes a specification, and a specification makes a pool. ``make`` and ``make_spec`` return instances of
these classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from pkgutil import resolve_name
from typing import Any

from envpool_rs._facades.pool import EnvPoolCalls
from envpool_rs._make.make import FACADES, native_spec
from envpool_rs._spec.envpool_config import (
    Family,
    TaskClass,
    class_defaults,
    families,
    family_of,
    family_of_task,
    options_of,
)
from envpool_rs._spec.spec import EnvSpec, GymEnvSpec
from envpool_rs._tasks.table import find


def spec_of_config(cls: TaskClass, config: Any) -> EnvSpec:
    task_id = cls.class_task
    defaults, family = class_defaults(task_id), family_of_task(task_id)
    if hasattr(config, "_asdict"):
        values = {**defaults, **config._asdict()}
    elif not isinstance(config, Sequence) or isinstance(config, str):
        raise TypeError(f"config={config!r}: expected a configuration, such as gen_config(), or its values in order")
    elif len(config) != len(defaults):
        raise ValueError(f"config: expected {len(defaults)} values, as gen_config() has them, not {len(config)}")
    else:
        values = dict(zip(defaults, config, strict=True))
    # EnvPool has one class for all tasks of a family; the options `selectors` of the family select the task.
    if family is not None and (
        cls.family or any(values[name] != options_of(task_id)[name] for name in family.selectors)
    ):
        task_id = family.task(values)
    find(task_id)  # raises an error for unknown games
    defaults, of_task = class_defaults(task_id), options_of(task_id)
    # EnvPool's class also has options that do not apply to this task; they are dropped if they have their default
    # values.
    of_class = of_task if family is None else options_of(family.first)
    common = of_class.keys() & of_task.keys()
    own = {name: each for name, each in values.items() if name in common or each != defaults.get(name)}
    # A `base_path` equal to a default value counts as not given.
    if own["base_path"] in (defaults["base_path"], of_task["base_path"]):
        del own["base_path"]
    # Removes the option `task`, because the task id already selects the game.
    own.pop("task", None)
    return native_spec(task_id, "gym" if issubclass(cls, GymEnvSpec) else "gymnasium", own)


class EnvPoolClass(type):
    """Metaclass of EnvPool's pool classes: ``cls(spec)`` makes a pool."""

    family: Family
    env_type: str

    def __call__(cls, spec: EnvSpec) -> Any:
        """Makes a pool from a specification."""
        return resolve_name(FACADES[cls.env_type])(spec)

    def __instancecheck__(cls, instance: Any) -> bool:
        return (
            isinstance(instance, EnvPoolCalls)
            and isinstance(instance, resolve_name(FACADES[cls.env_type]))
            and family_of(instance.spec) is cls.family
        )


POOL_CLASSES = {"dm": "DMEnvPool", "gymnasium": "GymnasiumEnvPool"}
"""Last part of the names of EnvPool's pool classes, by the interface."""


def classes_of(module: str) -> dict[str, Any]:
    """Returns all classes of a module below ``envpool``, by EnvPool's names."""
    found: dict[str, Any] = {}
    for family in families().values():
        if family.module == module:
            named = {"family": family, "__module__": f"envpool.{module}"}
            name = f"{family.name}EnvSpec"
            found[name] = TaskClass(name, (EnvSpec,), {**named, "class_task": family.first})
            for env_type, suffix in POOL_CLASSES.items():
                name = f"{family.name}{suffix}"
                found[name] = EnvPoolClass(name, (), {**named, "env_type": env_type})
    return found
