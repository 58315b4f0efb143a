"""Classes with EnvPool's names for each task family.

A configuration makes a specification, and a specification makes a pool. ``make`` and ``make_spec`` return instances of
these classes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envpool_rs._facades.pool import EnvPoolCalls
from envpool_rs._make.make import native_spec
from envpool_rs._spec.envpool_config import (
    FAMILIES,
    Family,
    class_defaults,
    class_of_task,
    config_class,
    family_of_task,
    first_of_family,
    options_of,
)
from envpool_rs._spec.spec import EnvSpec, GymEnvSpec
from envpool_rs._tasks.table import find


def family_of(spec: Any) -> Family | None:
    """Returns the family of a specification's task; ``None`` if EnvPool has no class for the task."""
    task = getattr(spec, "envpool_task", None) if isinstance(spec, EnvSpec) else None
    return None if task is None else family_of_task(str(task))


def _values(defaults: Mapping[str, Any], config: Any) -> dict[str, Any]:
    """Returns the values of all options of a class, with those of a configuration in place of the defaults."""
    if hasattr(config, "_asdict"):
        return {**defaults, **config._asdict()}
    if not isinstance(config, Sequence) or isinstance(config, str):
        raise TypeError(f"config={config!r}: expected a configuration, such as gen_config(), or its values in order")
    if len(config) != len(defaults):
        raise ValueError(f"config: expected {len(defaults)} values, as gen_config() has them, not {len(config)}")
    return dict(zip(defaults, config, strict=True))


def _spec_of_values(task_id: str, env_type: str, values: dict[str, Any]) -> EnvSpec:
    """Returns a task's specification, made from values of all options of the task's EnvPool class."""
    find(task_id)  # raises an error for unknown games
    defaults = class_defaults(task_id)
    # EnvPool's class also has options that do not apply to this task; they are dropped if they have their default
    # values.
    common = options_of(first_of_family(task_id)).keys() & options_of(task_id).keys()
    own = {name: each for name, each in values.items() if name in common or each != defaults.get(name)}
    # A `base_path` equal to a default value counts as not given.
    if own["base_path"] in (defaults["base_path"], options_of(task_id)["base_path"]):
        del own["base_path"]
    # Removes the option `task`, because the task id already selects the game.
    own.pop("task", None)
    return native_spec(task_id, env_type, own)


def spec_of_config(cls: Any, config: Any) -> EnvSpec:
    """Makes a specification of a task class, as ``type(spec)(config)`` does."""
    values = _values(class_defaults(cls.class_task), config)
    family = family_of_task(cls.class_task)
    task_id = cls.class_task
    # EnvPool has one class for all tasks of a family; the options `chosen_by` of the family select the task.
    if family is not None and any(values[option] != options_of(task_id)[option] for option in family.chosen_by):
        task_id = family.task(values)
    return _spec_of_values(task_id, "gym" if issubclass(cls, GymEnvSpec) else "gymnasium", values)


class EnvSpecClass(type):
    """Metaclass of EnvPool's specification classes: ``cls(cls.gen_config(num_envs=8))`` makes a specification."""

    family: Family

    @property
    def _defaults(cls) -> dict[str, Any]:
        return class_defaults(cls.family.first)

    @property
    def gen_config(cls) -> Any:
        """Type of the class's configuration: a namedtuple of all options, with their defaults."""
        return config_class(cls._defaults)

    @property
    def _config_keys(cls) -> list[str]:
        return list(cls._defaults)

    @property
    def _default_config_values(cls) -> tuple[Any, ...]:
        return tuple(cls._defaults.values())

    @property
    def _state_keys(cls) -> list[str]:
        keys: list[str] = class_of_task(EnvSpec, cls.family.first)._state_keys
        return keys

    @property
    def _action_keys(cls) -> list[str]:
        keys: list[str] = class_of_task(EnvSpec, cls.family.first)._action_keys
        return keys

    def __call__(cls, config: Any) -> EnvSpec:
        """Makes a specification from a configuration."""
        values = _values(cls._defaults, config)
        return _spec_of_values(cls.family.task(values), "gymnasium", values)

    def __instancecheck__(cls, instance: Any) -> bool:
        return family_of(instance) is cls.family


class EnvPoolClass(type):
    """Metaclass of EnvPool's pool classes: ``cls(spec)`` makes a pool."""

    family: Family
    facade: Callable[[], Any]

    def __call__(cls, spec: EnvSpec) -> Any:
        """Makes a pool from a specification."""
        return cls.facade()(spec)

    def __instancecheck__(cls, instance: Any) -> bool:
        return (
            isinstance(instance, EnvPoolCalls)
            and isinstance(instance, cls.facade())
            and family_of(instance.spec) is cls.family
        )


def gymnasium_facade() -> Any:
    """Returns the class of pools with EnvPool's gymnasium interface."""
    from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool

    return GymnasiumEnvPool


def dm_facade() -> Any:
    """Returns the class of pools with EnvPool's dm_env interface."""
    from envpool_rs._facades.dm_facade import DMEnvPool

    return DMEnvPool


_INTERFACES = {"DMEnvPool": dm_facade, "GymnasiumEnvPool": gymnasium_facade}


def classes_of(module: str) -> dict[str, Any]:
    """Returns all classes of an EnvPool module, by EnvPool's names."""
    found: dict[str, Any] = {}
    for family in FAMILIES:
        if family.module == module:
            named: dict[str, Any] = {"family": family, "__module__": module}
            name = f"{family.name}EnvSpec"
            found[name] = EnvSpecClass(name, (), named)
            for interface, facade in _INTERFACES.items():
                name = f"{family.name}{interface}"
                found[name] = EnvPoolClass(name, (), {**named, "facade": staticmethod(facade)})
    return found
