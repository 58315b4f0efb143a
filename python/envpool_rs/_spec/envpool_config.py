"""EnvPool's families of tasks, configurations (its options in its order, then others) and specification classes."""

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


# Names of modes of generated levels in task ids, by EnvPool's numbers.
DISTRIBUTION_MODES = {0: "Easy", 1: "Hard", 2: "Extreme", 10: "Memory", 20: "Exploration"}


@functools.cache
def families() -> dict[str, Family]:
    return {family.name: family for family in (Family(*each) for each in _core.envpool_classes())}


@functools.cache
def family_of_task(task_id: str) -> Family | None:
    """Returns the family of an extension task; ``None`` if EnvPool has no class for the task."""
    return next((family for family in families().values() if task_id in family.tasks), None)


UNLIMITED = 2**31 - 1  # EnvPool's value for no time limit
_SIZES = ENGINE_OPTIONS[: ENGINE_OPTIONS.index("seed")]  # the first options, which EnvPool has in this order
# Options that EnvPool does not have, or has for some tasks only; it names the folders of files by base_path.
_TRAILING_OPTIONS = (
    *ENGINE_OPTIONS[ENGINE_OPTIONS.index("reward_threshold") :],
    *(asset.option for asset in ASSETS if asset.takes_base_path and asset.install),
)
# EnvPool's defaults of these render options with `from_pixels=True`, for which observations are images.
_PIXEL_DEFAULTS = {"render_width": 84, "render_height": 84, "render_camera_id": -1}


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
    return envpool_config(task_id, _core.Spec(task_id, "envpool", {}).config, 0, return_info=True)


def class_defaults(task_id: str) -> dict[str, Any]:
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


def config_class(defaults: Mapping[str, Any]) -> Any:
    return namedtuple("Config", defaults, defaults=defaults.values())


class TaskClass(type):
    """Metaclass of specification classes of a task or of a family: ``cls(cls.gen_config(num_envs=8))`` makes a
    specification. The classes have EnvPool's attributes of their specifications, for the default options.
    """

    class_task: str  # task with the options of the class
    family: Family | None = None  # family of a class that has EnvPool's name; its configurations select the task

    def __call__(cls, config: Any) -> Any:
        return resolve_name(SPEC_OF_CONFIG)(cls, config)

    def __instancecheck__(cls, instance: Any) -> bool:
        return super().__instancecheck__(instance) if cls.family is None else cls.family is family_of(instance)

    gen_config = property(lambda cls: config_class(class_defaults(cls.class_task)))
    _config_keys = property(lambda cls: list(class_defaults(cls.class_task)))
    _default_config_values = property(lambda cls: tuple(class_defaults(cls.class_task).values()))
    _state_keys = property(lambda cls: [name for name, *_ in _core.Spec(cls.class_task, "envpool", {}).state_arrays])
    _action_keys = property(lambda cls: [name for name, *_ in _core.Spec(cls.class_task, "envpool", {}).action_arrays])


def family_of(spec: Any) -> Family | None:
    """Returns the family of a specification's task; ``None`` if EnvPool has no class for the task."""
    return family_of_task(spec.envpool_task) if isinstance(type(spec), TaskClass) else None


@functools.cache
def class_of_task(base: Any, task_id: str) -> Any:
    """Returns the subclass of ``base`` for a task's specifications, which EnvPool's programs read by ``type(spec)``."""
    named = {"class_task": task_id, "__module__": base.__module__, "__doc__": base.__doc__}
    return TaskClass(base.__name__, (base,), named)
