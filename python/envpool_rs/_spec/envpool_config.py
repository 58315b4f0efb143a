"""Configurations in EnvPool's format: options with EnvPool's names in its order, then options that EnvPool lacks."""

from __future__ import annotations

import functools
from typing import Any

from envpool_rs import _core
from envpool_rs._arguments import is_series
from envpool_rs._spec.installed import PACKAGE, PROCGEN_DIR, ROM_DIR, task_limits
from envpool_rs._spec.other_names import to_envpool_names

UNLIMITED = 2**31 - 1
"""EnvPool's value for no time limit."""

_SHARED = ("num_envs", "batch_size", "num_threads", "max_num_players", "thread_affinity_offset")
NORMALIZATION_OPTIONS = ("normalize_obs", "normalize_reward", "clip_obs", "clip_reward", "gamma", "epsilon")
"""Options of the normalisation of results."""

_TRAILING_OPTIONS = (
    *("reward_threshold", "autoreset_mode", "record_episode_statistics"),
    *NORMALIZATION_OPTIONS,
    *(ROM_DIR, PROCGEN_DIR),
)
"""Options that EnvPool does not have, or has for some tasks only."""

_PIXEL_DEFAULTS = {"render_width": 84, "render_height": 84, "render_camera_id": -1}
"""EnvPool's defaults of these render options with ``from_pixels=True``, for which observations are images."""

_ATARI = "Pong-v5"
_FIRST_OF_FAMILY = {
    "CartPole-v1": "CartPole-v0",
    "Pendulum-v1": "Pendulum-v0",
    "FrozenLake8x8-v1": "FrozenLake-v1",
    "CliffWalking-v1": "CliffWalking-v0",
    "CliffWalkingSlippery-v1": "CliffWalking-v0",
}
"""First task of each EnvPool class that several tasks share, by task; the class has the options of this first task."""

_MINIGRID = "MiniGrid-Empty-8x8-v0"
_LEVELS = ("MiniGrid-", "BabyAI-")
"""Prefixes of the ids of MiniGrid and BabyAI tasks. EnvPool has one class for all of them, with the defaults
``_MINIGRID``.
"""

_PROCGEN = "BigfishHard-v0"
PROCGEN_MODES = {0: "Easy", 1: "Hard", 2: "Extreme", 10: "Memory", 20: "Exploration"}
"""Names of Procgen's distribution modes in task ids, by EnvPool's numbers."""


def envpool_config(task_id: str, config: dict[str, Any], num_threads: int, return_info: bool) -> dict[str, Any]:
    """Returns all options with their values.

    Args:
        task_id: the extension's task.
        config: the options that the extension reports.
        num_threads: the value that the caller gave.
        return_info: EnvPool's ``gym_reset_return_info``.
    """
    seed, limit = config["seed"], config["max_episode_steps"]
    threshold = config["reward_threshold"]
    values = {name: config[name] for name in _SHARED}
    values["num_threads"] = num_threads
    values["base_path"] = (config[ROM_DIR] or "") if ROM_DIR in config else PACKAGE
    values["seed"] = 0 if is_series(seed) else seed
    values["env_seed"] = seed if is_series(seed) else []
    values["gym_reset_return_info"] = return_info
    values["max_episode_steps"] = [_limit(each) for each in limit] if isinstance(limit, list) else _limit(limit)
    if task_id in _tasks_with_threshold():
        values["reward_threshold"] = threshold
    values |= to_envpool_names(task_id, config)
    own = {name: value for name, value in config.items() if name not in values and name not in _TRAILING_OPTIONS}
    if config.get("from_pixels") is True:
        own |= {name: value for name, value in _PIXEL_DEFAULTS.items() if own[name] in (0, None)}
    return {
        **values,
        **own,
        **{name: config[name] for name in _TRAILING_OPTIONS if name in config and name not in values},
    }


def _limit(steps: int | None) -> int:
    return UNLIMITED if steps is None else steps


@functools.cache
def _tasks_with_threshold() -> frozenset[str]:
    return frozenset(task_id for task_id, (_, threshold) in task_limits().items() if threshold is not None)


@functools.cache
def first_of_family(task_id: str) -> str:
    """Returns the task whose options are the defaults of EnvPool's class for ``task_id``."""
    options = _core.Spec(task_id, "envpool", {}).config
    if ROM_DIR in options and not task_id.startswith("ALE/"):
        return _ATARI
    if PROCGEN_DIR in options and not task_id.startswith("procgen-"):
        return _PROCGEN
    if task_id.startswith(_LEVELS):
        return _MINIGRID
    return _FIRST_OF_FAMILY.get(task_id, task_id)


@functools.cache
def levels() -> dict[str, str]:
    """Returns the first task of each MiniGrid and BabyAI environment class, by the ``env_name`` that EnvPool uses for
    the class.
    """
    first: dict[str, str] = {}
    for task in _core.tasks():
        if task["id"].startswith(_LEVELS):
            first.setdefault(_core.Spec(task["id"], "envpool", {}).config["env_name"], task["id"])
    return first


@functools.cache
def procgen_tasks() -> dict[tuple[str, int], str]:
    """Returns EnvPool's Procgen tasks by ``env_name`` and ``distribution_mode``."""
    found: dict[tuple[str, int], str] = {}
    for task in _core.tasks():
        if not task["id"].startswith("procgen-") and any(option["name"] == PROCGEN_DIR for option in task["options"]):
            config = _core.Spec(task["id"], "envpool", {}).config
            found[config["env_name"], config["distribution_mode"]] = task["id"]
    return found


def options_of(task_id: str) -> dict[str, Any]:
    """Returns all options of an extension task with their defaults, as in EnvPool."""
    return envpool_config(task_id, _core.Spec(task_id, "envpool", {}).config, 0, return_info=True)


def class_defaults(task_id: str) -> dict[str, Any]:
    """Returns the options of EnvPool's class for a task, with their defaults.

    Args:
        task_id: the extension's task.
    """
    first = first_of_family(task_id)
    config = options_of(first)
    if first == _MINIGRID:
        # EnvPool's class has the options of all levels; None selects the level's value.
        config = {
            **config,
            **{name: None for level in levels().values() for name in options_of(level) if name not in config},
        }
    return {**config, "batch_size": 0, "base_path": "envpool", "max_episode_steps": UNLIMITED}
