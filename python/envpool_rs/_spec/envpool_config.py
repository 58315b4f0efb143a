"""EnvPool's families of tasks, configurations and specification classes.

A configuration has EnvPool's options, with its names in its order, then the options that EnvPool lacks.
"""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable, Mapping
from pkgutil import resolve_name
from typing import Any, NamedTuple

from envpool_rs import _core
from envpool_rs._arguments import is_series
from envpool_rs._spec.assets import CARTRIDGES, PACKAGE, PICTURES
from envpool_rs._spec.entry_points import SPEC_OF_CONFIG
from envpool_rs._spec.options import ENGINE_OPTIONS, task_limits, tasks_with
from envpool_rs._spec.other_names import to_envpool_names

# --- families ---------------------------------------------------------------------------------------------------------


class Family(NamedTuple):
    """Task family: tasks that share one class in EnvPool.

    Attributes:
        module: the EnvPool module with the classes.
        name: prefix of the class names.
        first: the task whose options are the defaults of the class.
        has: function that returns whether a task is one of the family.
        task: function that returns the task that a configuration selects.
        chosen_by: the options that select the task, if any.
    """

    module: str
    name: str
    first: str
    has: Callable[[str], bool]
    task: Callable[[Mapping[str, Any]], str]
    chosen_by: tuple[str, ...] = ()


def _family(module: str, name: str, *task_ids: str, default: str = "") -> Family:
    """Returns a family whose configurations do not select the task; the first task has the defaults of its class."""
    return Family(f"envpool.{module}", name, task_ids[0], task_ids.__contains__, lambda config: default or task_ids[-1])


def _atari(config: Mapping[str, Any]) -> str:
    game = config["task"]
    # Accepts bytes: EnvPool's programs pass them, because its compiled classes accept bytes as strings.
    game = game.decode() if isinstance(game, bytes) else str(game)
    return f"{''.join(word.capitalize() for word in game.split('_'))}-v5"


_LEVELS = ("MiniGrid-", "BabyAI-")
"""Prefixes of the ids of MiniGrid and BabyAI tasks."""


def _level(config: Mapping[str, Any]) -> str:
    name = config["env_name"]
    if name not in levels():
        raise ValueError(f"env_name={name!r}: expected one of {', '.join(levels())}")
    return levels()[name]


PROCGEN_MODES = {0: "Easy", 1: "Hard", 2: "Extreme", 10: "Memory", 20: "Exploration"}
"""Names of Procgen's distribution modes in task ids, by EnvPool's numbers."""


def _procgen(config: Mapping[str, Any]) -> str:
    name, mode = config["env_name"], config["distribution_mode"]
    games = sorted({game for game, _ in procgen_tasks()})
    if name not in games:
        raise ValueError(f"env_name={name!r}: expected one of {', '.join(games)}")
    if (name, mode) not in procgen_tasks():
        modes = ", ".join(f"{number} ({PROCGEN_MODES[number]})" for game, number in procgen_tasks() if game == name)
        raise ValueError(f"distribution_mode={mode!r}: expected a mode of {name}: {modes}")
    return procgen_tasks()[name, mode]


def _is_envpools(option: str, prefix: str) -> Callable[[str], bool]:
    """Returns a function that returns whether a task has an option, and is not the one that gymnasium has."""
    return lambda task_id: task_id in tasks_with(option) and not task_id.startswith(prefix)


_MINIGRID = "MiniGrid-Empty-8x8-v0"

FAMILIES = (
    Family("envpool.atari", "Atari", "Pong-v5", _is_envpools(CARTRIDGES.option, "ALE/"), _atari, chosen_by=("task",)),
    _family("classic_control", "Acrobot", "Acrobot-v1"),
    _family("toy_text", "Blackjack", "Blackjack-v1"),
    _family("classic_control", "CartPole", "CartPole-v0", "CartPole-v1"),
    _family("toy_text", "Catch", "Catch-v0"),
    _family(
        "toy_text",
        "CliffWalking",
        "CliffWalking-v0",
        "CliffWalking-v1",
        "CliffWalkingSlippery-v1",
        default="CliffWalking-v1",
    ),
    _family("toy_text", "FrozenLake", "FrozenLake-v1", "FrozenLake8x8-v1", default="FrozenLake-v1"),
    Family(
        "envpool.minigrid",
        "MiniGrid",
        _MINIGRID,
        lambda task_id: task_id.startswith(_LEVELS),
        _level,
        chosen_by=("env_name",),
    ),
    _family("classic_control", "MountainCar", "MountainCar-v0"),
    _family("classic_control", "MountainCarContinuous", "MountainCarContinuous-v0"),
    _family("toy_text", "NChain", "NChain-v0"),
    _family("classic_control", "Pendulum", "Pendulum-v0", "Pendulum-v1"),
    Family(
        "envpool.procgen",
        "Procgen",
        "BigfishHard-v0",
        _is_envpools(PICTURES.option, "procgen-"),
        _procgen,
        chosen_by=("env_name", "distribution_mode"),
    ),
    _family("toy_text", "Taxi", "Taxi-v3"),
)
"""Task families of EnvPool for which this package has EnvPool's classes."""


@functools.cache
def family_of_task(task_id: str) -> Family | None:
    """Returns the family of an extension task; ``None`` if EnvPool has no class for the task."""
    return next((family for family in FAMILIES if family.has(task_id)), None)


def first_of_family(task_id: str) -> str:
    """Returns the task whose options are the defaults of EnvPool's class for ``task_id``."""
    family = family_of_task(task_id)
    return task_id if family is None else family.first


@functools.cache
def levels() -> dict[str, str]:
    """Returns the first task of each MiniGrid and BabyAI environment class, by EnvPool's ``env_name`` for the class."""
    first: dict[str, str] = {}
    for task_id in task_limits():
        if task_id.startswith(_LEVELS):
            first.setdefault(_core.Spec(task_id, "envpool", {}).config["env_name"], task_id)
    return first


@functools.cache
def procgen_tasks() -> dict[tuple[str, int], str]:
    """Returns EnvPool's Procgen tasks by ``env_name`` and ``distribution_mode``."""
    found: dict[tuple[str, int], str] = {}
    is_envpools = _is_envpools(PICTURES.option, "procgen-")
    for task_id in filter(is_envpools, task_limits()):
        config = _core.Spec(task_id, "envpool", {}).config
        found[config["env_name"], config["distribution_mode"]] = task_id
    return found


# --- configurations ---------------------------------------------------------------------------------------------------

UNLIMITED = 2**31 - 1
"""EnvPool's value for no time limit."""

_SIZES = ENGINE_OPTIONS[: ENGINE_OPTIONS.index("seed")]
"""The first options of a configuration, which EnvPool has in this order."""

_TRAILING_OPTIONS = (
    *ENGINE_OPTIONS[ENGINE_OPTIONS.index("reward_threshold") :],
    *(CARTRIDGES.option, PICTURES.option),
)
"""Options that EnvPool does not have, or has for some tasks only."""

_PIXEL_DEFAULTS = {"render_width": 84, "render_height": 84, "render_camera_id": -1}
"""EnvPool's defaults of these render options with ``from_pixels=True``, for which observations are images."""


def envpool_config(task_id: str, config: dict[str, Any], num_threads: int, return_info: bool) -> dict[str, Any]:
    """Returns all options with their values."""
    seed, limit = config["seed"], config["max_episode_steps"]
    _, threshold = task_limits().get(task_id, (None, None))
    values = {
        **{name: config[name] for name in _SIZES},
        "num_threads": num_threads,
        "base_path": (config[CARTRIDGES.option] or "") if CARTRIDGES.option in config else PACKAGE,
        "seed": 0 if is_series(seed) else seed,
        "env_seed": seed if is_series(seed) else [],
        "gym_reset_return_info": return_info,
        "max_episode_steps": [_limit(each) for each in limit] if isinstance(limit, list) else _limit(limit),
        **({} if threshold is None else {"reward_threshold": config["reward_threshold"]}),
        **to_envpool_names(task_id, config),
    }
    own = {name: value for name, value in config.items() if name not in values and name not in _TRAILING_OPTIONS}
    if config.get("from_pixels") is True:
        own |= {name: value for name, value in _PIXEL_DEFAULTS.items() if own[name] in (0, None)}
    trailing = {name: config[name] for name in _TRAILING_OPTIONS if name in config and name not in values}
    return {**values, **own, **trailing}


def _limit(steps: int | None) -> int:
    return UNLIMITED if steps is None else steps


def options_of(task_id: str) -> dict[str, Any]:
    """Returns all options of an extension task with their defaults, as in EnvPool."""
    return envpool_config(task_id, _core.Spec(task_id, "envpool", {}).config, 0, return_info=True)


def class_defaults(task_id: str) -> dict[str, Any]:
    """Returns the options of EnvPool's class for an extension task, with their defaults."""
    first = first_of_family(task_id)
    config = options_of(first)
    if first == _MINIGRID:
        # EnvPool's class has the options of all levels; None selects the level's value.
        config = {
            **config,
            **{name: None for level in levels().values() for name in options_of(level) if name not in config},
        }
    return {**config, "batch_size": 0, "base_path": "envpool", "max_episode_steps": UNLIMITED}


# --- classes ----------------------------------------------------------------------------------------------------------


def config_class(defaults: Mapping[str, Any]) -> Any:
    """Returns EnvPool's class of configurations: a namedtuple of all options, whose fields have defaults."""
    return namedtuple("Config", defaults, defaults=defaults.values())


class ComputedAttribute:
    """Read-only descriptor of an EnvPool attribute, readable on a specification class and on its instances.

    ``view`` computes the attribute's value.
    """

    def __init__(self, view: Callable[[Any], Any], doc: str) -> None:
        self._view = view
        self.__doc__ = doc

    def __set__(self, spec: Any, value: Any) -> None:
        raise AttributeError("this attribute is computed from the options: make another specification instead")


class ClassOptions(ComputedAttribute):
    """Attribute with the values of all options: the defaults on a class, the configuration on an instance.

    A class of one task returns the options of EnvPool's class for the task. A class of any task returns the descriptor.
    """

    def __get__(self, spec: Any, owner: Any) -> Any:
        if spec is not None:
            return self._view(spec.defaults_of_class())
        if owner.class_task is None:
            return self
        return self._view(class_defaults(owner.class_task))


class ClassKeys(ComputedAttribute):
    """Attribute with the names of a step's arrays, which ``view`` computes from the Rust extension's specification.

    A class of one task returns the names for the task with default options. A class of any task returns the descriptor.
    """

    def __get__(self, spec: Any, owner: Any) -> Any:
        if spec is None and owner.class_task is None:
            return self
        described = _core.Spec(owner.class_task, "envpool", {}) if spec is None else spec.pool
        return [name for name, _, _ in self._view(described)]


class TaskClass(type):
    """Metaclass of a task's specification class: ``cls(cls.gen_config(num_envs=8))`` makes a specification."""

    class_task: str

    def __call__(cls, config: Any) -> Any:
        """Makes a specification from a value that ``gen_config`` returned, or the values of all options in order.

        Raises ValueError for another number of values, or a value that is not allowed.
        """
        return resolve_name(SPEC_OF_CONFIG)(cls, config)


@functools.cache
def class_of_task(base: Any, task_id: str) -> Any:
    """Returns the subclass of ``base`` for a task's specifications, which EnvPool's programs read by ``type(spec)``."""
    return TaskClass(
        base.__name__, (base,), {"class_task": task_id, "__module__": base.__module__, "__doc__": base.__doc__}
    )
