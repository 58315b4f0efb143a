"""EnvPool's families of tasks, configurations and specification classes.

A configuration has EnvPool's options, with its names in its order, then the options that EnvPool lacks.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Mapping
from pkgutil import resolve_name
from typing import Any, NamedTuple

from envpool_rs import _core
from envpool_rs._arguments import is_series
from envpool_rs._spec.assets import ASSETS, CARTRIDGES, PACKAGE
from envpool_rs._spec.entry_points import SPEC_OF_CONFIG
from envpool_rs._spec.options import ENGINE_OPTIONS, task_limits
from envpool_rs._spec.other_names import to_envpool_names

# --- families ---------------------------------------------------------------------------------------------------------


class Family(NamedTuple):
    """Tasks that share one class in EnvPool, as `_core.envpool_classes` describes them."""

    module: str
    name: str
    first: str  # task whose options are the defaults of the class
    default: str  # task of a configuration, unless options select it
    selectors: tuple[str, ...]  # options that select the task
    tasks: dict[str, tuple[Any, ...]]  # values of these options of each task

    def task(self, config: Mapping[str, Any]) -> str:
        """Returns the task that a configuration selects; the id of an unknown Atari game may not exist."""
        # EnvPool's compiled classes accept bytes as strings.
        given = [config[name] for name in self.selectors]
        wanted = tuple(value.decode() if isinstance(value, bytes) else value for value in given)
        if not wanted:
            return self.default
        found = next((task_id for task_id, values in self.tasks.items() if values == wanted), None)
        if found is not None:
            return found
        if self.name == "Atari":
            return f"{''.join(word.capitalize() for word in str(wanted[0]).split('_'))}-v5"
        names = dict.fromkeys(values[0] for values in self.tasks.values())
        if wanted[0] not in names:
            raise ValueError(f"{self.selectors[0]}={wanted[0]!r}: expected one of {', '.join(names)}")
        modes = [values[1] for values in self.tasks.values() if values[0] == wanted[0]]
        expected = ", ".join(f"{mode} ({DISTRIBUTION_MODES[mode]})" for mode in modes)
        raise ValueError(f"{self.selectors[1]}={wanted[1]!r}: expected a mode of {wanted[0]}: {expected}")


DISTRIBUTION_MODES = {0: "Easy", 1: "Hard", 2: "Extreme", 10: "Memory", 20: "Exploration"}
"""Names of modes of generated levels in task ids, by EnvPool's numbers."""


@functools.cache
def families() -> dict[str, Family]:
    return {family.name: family for family in (Family(*each) for each in _core.envpool_classes())}


@functools.cache
def family_of_task(task_id: str) -> Family | None:
    """Returns the family of an extension task; ``None`` if EnvPool has no class for the task."""
    return next((family for family in families().values() if task_id in family.tasks), None)


# --- configurations ---------------------------------------------------------------------------------------------------

UNLIMITED = 2**31 - 1  # envPool's value for no time limit

_SIZES = ENGINE_OPTIONS[: ENGINE_OPTIONS.index("seed")]
"""The first options of a configuration, which EnvPool has in this order."""

_TRAILING_OPTIONS = (
    *ENGINE_OPTIONS[ENGINE_OPTIONS.index("reward_threshold") :],
    # EnvPool names the folders of these files by base_path.
    *(asset.option for asset in ASSETS if asset.takes_base_path and asset.install),
)
"""Options that EnvPool does not have, or has for some tasks only."""

_PIXEL_DEFAULTS = {"render_width": 84, "render_height": 84, "render_camera_id": -1}
"""EnvPool's defaults of these render options with ``from_pixels=True``, for which observations are images."""


def envpool_config(task_id: str, config: dict[str, Any], num_threads: int, return_info: bool) -> dict[str, Any]:
    seed, limit = config["seed"], config["max_episode_steps"]
    _, threshold = task_limits().get(task_id, (None, None))
    values = {
        **{name: config[name] for name in _SIZES},
        "num_threads": num_threads,
        "base_path": (config[CARTRIDGES.option] or "") if CARTRIDGES.option in config else PACKAGE,
        "seed": 0 if is_series(seed) else seed,
        "env_seed": seed if is_series(seed) else [],
        "gym_reset_return_info": return_info,
        "max_episode_steps": [each or UNLIMITED for each in limit] if isinstance(limit, list) else limit or UNLIMITED,
        **({} if threshold is None else {"reward_threshold": config["reward_threshold"]}),
        **to_envpool_names(task_id, config),
    }
    own = {name: value for name, value in config.items() if name not in values and name not in _TRAILING_OPTIONS}
    if config.get("from_pixels") is True:
        own |= {name: value for name, value in _PIXEL_DEFAULTS.items() if own[name] in (0, None)}
    trailing = {name: config[name] for name in _TRAILING_OPTIONS if name in config and name not in values}
    return {**values, **own, **trailing}


def options_of(task_id: str) -> dict[str, Any]:
    """Returns all options of an extension task with their defaults, as in EnvPool."""
    return envpool_config(task_id, _core.Spec(task_id, "envpool", {}).config, 0, return_info=True)


def class_defaults(task_id: str) -> dict[str, Any]:
    """Returns the options of EnvPool's class for an extension task, with their defaults."""
    family = family_of_task(task_id)
    first = task_id if family is None else family.first
    config = options_of(first)
    minigrid = families()["MiniGrid"]
    if first == minigrid.first:
        # EnvPool's class has the options of all levels; None selects the level's value.
        levels: dict[Any, str] = {}
        for level, values in minigrid.tasks.items():
            levels.setdefault(values, level)
        config |= {name: None for level in levels.values() for name in options_of(level) if name not in config}
    return {**config, "batch_size": 0, "base_path": "envpool", "max_episode_steps": UNLIMITED}


# --- classes ----------------------------------------------------------------------------------------------------------


def config_class(defaults: Mapping[str, Any]) -> Any:
    return namedtuple("Config", defaults, defaults=defaults.values())


class TaskClass(type):
    """Metaclass of specification classes of a task or of a family: ``cls(cls.gen_config(num_envs=8))`` makes a
    specification. The classes have EnvPool's attributes of their specifications, for the default options.
    """

    class_task: str  # task with the options of the class
    family: Family | None = None  # family of a class that has EnvPool's name; its configurations select the task

    def __call__(cls, config: Any) -> Any:
        """Makes a specification from a configuration or from the values of all options in order."""
        return resolve_name(SPEC_OF_CONFIG)(cls, config)

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) if cls.family is None else cls.family is family_of(instance)

    @property
    def gen_config(cls) -> Any:
        return config_class(class_defaults(cls.class_task))

    @property
    def _config_keys(cls) -> list[str]:
        return list(class_defaults(cls.class_task))

    @property
    def _default_config_values(cls) -> tuple[Any, ...]:
        return tuple(class_defaults(cls.class_task).values())

    @property
    def _state_keys(cls) -> list[str]:
        return [name for name, _, _ in _core.Spec(cls.class_task, "envpool", {}).state_arrays]

    @property
    def _action_keys(cls) -> list[str]:
        return [name for name, _, _ in _core.Spec(cls.class_task, "envpool", {}).action_arrays]


def family_of(spec: Any) -> Family | None:
    """Returns the family of a specification's task; ``None`` if EnvPool has no class for the task."""
    task_id = spec.envpool_task if isinstance(type(spec), TaskClass) else None
    return None if task_id is None else family_of_task(str(task_id))


@functools.cache
def class_of_task(base: Any, task_id: str) -> Any:
    """Returns the subclass of ``base`` for a task's specifications, which EnvPool's programs read by ``type(spec)``."""
    return TaskClass(
        base.__name__, (base,), {"class_task": task_id, "__module__": base.__module__, "__doc__": base.__doc__}
    )
