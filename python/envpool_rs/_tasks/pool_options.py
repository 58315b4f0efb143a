"""Checks keyword arguments of EnvPool and gymnasium that a pool does not use, so that none is silently ignored."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs._arguments import choice, flag, integer, is_series
from envpool_rs._errors import RefusedOptionError
from envpool_rs._spec.envpool_config import NORMALIZATION_OPTIONS
from envpool_rs._spec.installed import (
    PROCGEN_DIR,
    TaskBase,
    check_no_files,
    has_assets,
    ids_of,
    needs_cartridge,
    needs_pictures,
    take_assets,
    take_base_path,
)
from envpool_rs._spec.render_options import RENDER_OPTIONS, has_cameras

_NEUTRAL: dict[str, tuple[tuple[object, ...], str]] = {
    "from_pixels": ((None, False), "this task does not observe pictures of itself"),
}


POOL_WIDE = frozenset(
    {
        *("num_envs", "batch_size", "num_threads", "max_num_players", "thread_affinity_offset", "seed", "env_seed"),
        *("autoreset_mode", "record_episode_statistics", "gym_reset_return_info", *RENDER_OPTIONS),
        *NORMALIZATION_OPTIONS,
    }
)
"""Options of a complete pool rather than of a task."""


def pool_options(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """Returns the options that have an effect, with EnvPool's ``env_seed`` and ``base_path`` translated.

    ``env_seed`` becomes ``seed``, and ``base_path`` the folder of cartridges.

    Args:
        task_id: the extension's task, or several.
        options: the given options.

    Raises:
        TypeError: for a ``base_path`` that is no path, and an ``env_seed`` that is no list of integers.
        ValueError: for an option without effect whose value is not its neutral one, naming the option; for a
            ``base_path`` of another package if the task reads no files; for an ``env_seed`` of another length than
            ``num_envs``; for both a list as ``seed`` and ``env_seed``, and both ``base_path`` and another ``rom_dir``.
    """
    kept = dict(options)
    if needs_cartridge(task_id):
        take_base_path(kept)
    elif has_assets(task_id):
        take_assets(kept)
    elif needs_pictures(task_id):
        take_assets(kept, PROCGEN_DIR)
    else:
        check_no_files(kept.pop("base_path", None))
    for name, (neutral, reason) in _NEUTRAL.items():
        if name in kept and not has_cameras(task_id):
            _check_neutral(name, kept.pop(name), neutral, reason)
    env_seed = kept.pop("env_seed", None)
    if env_seed is not None and not (is_series(env_seed) and hasattr(env_seed, "__len__")):
        raise TypeError(f"env_seed={env_seed!r}: expected a list of ints or None")
    if env_seed is not None and len(env_seed) > 0:
        if is_series(kept.get("seed")):
            raise ValueError("seed is a list, and env_seed is given too: expected one of them")
        kept["seed"] = _seeds(env_seed, kept.get("num_envs", len(ids_of(task_id))))
    return kept


def _seeds(env_seed: Any, num_envs: Any) -> list[int]:
    """Checks EnvPool's ``env_seed``: returns it as a list with a seed for each of ``num_envs`` environments."""
    if isinstance(num_envs, (int, np.integer)) and len(env_seed) != num_envs:
        raise ValueError(f"env_seed has {len(env_seed)} entries: expected num_envs={num_envs}")
    return [integer(f"env_seed[{index}]", each) for index, each in enumerate(env_seed)]


def _check_neutral(name: str, value: object, neutral: tuple[object, ...], reason: str) -> None:
    if value is None or (isinstance(value, (bool, int)) and value in neutral):
        return
    allowed = " or ".join(repr(each) for each in neutral)
    raise ValueError(f"{name}={value!r}: expected {allowed} ({reason})")


def check_env_type(env_type: str) -> None:
    """Raises an error unless ``env_type`` names one of the interfaces.

    Raises:
        RefusedOptionError: naming the three interfaces.
    """
    try:
        choice("env_type", env_type, ("gym", "gymnasium", "dm"))
    except ValueError as error:
        raise RefusedOptionError(str(error)) from None


def check_return_info(return_info: Any, env_type: str) -> bool:
    """Returns EnvPool's ``gym_reset_return_info``; if it is not given, the behaviour of the installed gym.

    Raises:
        TypeError: for anything but a bool or ``None``.
        ValueError: for ``False`` if ``env_type`` is not ``"gym"``.
    """
    if return_info is None:
        return env_type != "gym" or _installed_gym_returns_info()
    is_number = type(return_info) is int and return_info in (0, 1)
    returns_info = flag("gym_reset_return_info", bool(return_info) if is_number else return_info)
    if not returns_info and env_type != "gym":
        raise ValueError(f"gym_reset_return_info=False: only env_type='gym' resets without info, not {env_type!r}")
    return returns_info


def _installed_gym_returns_info() -> bool:
    from envpool_rs._spec.installed_gym import FIVE_VALUES

    return FIVE_VALUES
