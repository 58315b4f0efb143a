"""A specification's configuration as EnvPool has it: its names in its order, those of this package behind them."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from envpool_rs import _core
from envpool_rs._arguments import is_series
from envpool_rs._spec.cartridges import ROM_DIR
from envpool_rs._spec.envpool_options import told_by_envpool
from envpool_rs._spec.envpool_order import envpool_order

UNLIMITED = 2**31 - 1
"""What EnvPool has for a time limit where there is none."""

_SHARED = ("num_envs", "batch_size", "num_threads", "max_num_players", "thread_affinity_offset")
_BEHIND = ("reward_threshold", "autoreset_mode", "record_episode_statistics", ROM_DIR)
"""Options that EnvPool has not, or not for all tasks."""

_OF_PIXELS = {"render_width": 84, "render_height": 84, "render_camera_id": -1}
"""What EnvPool has for them unless given, where pictures are what is observed."""

_PACKAGE = str(Path(__file__).parents[1])

_ATARI = "Pong-v5"
_FIRST_OF_FAMILY = {
    "CartPole-v1": "CartPole-v0",
    "Pendulum-v1": "Pendulum-v0",
    "FrozenLake8x8-v1": "FrozenLake-v1",
    "CliffWalking-v1": "CliffWalking-v0",
    "CliffWalkingSlippery-v1": "CliffWalking-v0",
}
"""Tasks that share one of EnvPool's classes with another, whose options are the class's."""


def envpool_config(task_id: str, config: dict[str, Any], num_threads: int, return_info: bool) -> dict[str, Any]:
    """All options with their values.

    Args:
        task_id: the task of the extension.
        config: what the extension says.
        num_threads: as it was given.
        return_info: EnvPool's ``gym_reset_return_info``.
    """
    seed, limit = config["seed"], config["max_episode_steps"]
    threshold = config["reward_threshold"]
    told = {name: config[name] for name in _SHARED}
    told["num_threads"] = num_threads
    told["base_path"] = (config[ROM_DIR] or "") if ROM_DIR in config else _PACKAGE
    told["seed"] = 0 if is_series(seed) else seed
    told["env_seed"] = [int(each) for each in seed] if is_series(seed) else []
    told["gym_reset_return_info"] = return_info
    told["max_episode_steps"] = [_limit(each) for each in limit] if isinstance(limit, list) else _limit(limit)
    if task_id in _tasks_with_threshold():
        told["reward_threshold"] = threshold
    told |= told_by_envpool(task_id, config)
    told |= {name: config[name] for name in envpool_order(task_id) if name in config}
    if config.get("from_pixels") is True:
        told |= {name: value for name, value in _OF_PIXELS.items() if told[name] in (0, None)}
    own = {name: value for name, value in config.items() if name not in told and name not in _BEHIND}
    return {**told, **own, **{name: config[name] for name in _BEHIND if name in config and name not in told}}


def _limit(steps: int | None) -> int:
    return UNLIMITED if steps is None else steps


@functools.cache
def _tasks_with_threshold() -> frozenset[str]:
    return frozenset(task_id for task_id, (_, threshold) in _core.task_limits().items() if threshold is not None)


def first_of_family(task_id: str) -> str:
    """The task whose options EnvPool's class for a task has unless others are given."""
    if ROM_DIR in _core.Spec(task_id, "envpool", {}).config and not task_id.startswith("ALE/"):
        return _ATARI
    return _FIRST_OF_FAMILY.get(task_id, task_id)


def class_defaults(task_id: str) -> dict[str, Any]:
    """The options of EnvPool's class for a task, with the values that they have where none is given.

    Args:
        task_id: the task of the extension.
    """
    first = first_of_family(task_id)
    config = envpool_config(first, _core.Spec(first, "envpool", {}).config, 0, return_info=True)
    return {**config, "batch_size": 0, "base_path": "envpool", "max_episode_steps": UNLIMITED}
