"""Option values: copies, comparison, names in error messages, and logging of resolved values."""

from __future__ import annotations

import functools
import logging
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from envpool_rs._arguments import is_series

MAX_DEPTH = 4
"""Maximum nesting depth of an option's lists: for each environment, a choice of maps, which are lists of rows."""


def own_copy(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Returns a deep copy of a list, tuple or array; returns any other value unchanged.

    Subclasses of list and tuple are copied by their elements, not by their own methods.
    """
    if isinstance(value, np.ndarray):
        return value.copy()
    if depth == 0 or not isinstance(value, (list, tuple)):
        return value
    if isinstance(value, list):
        return [own_copy(entry, depth - 1) for entry in list.copy(value)]
    return tuple(own_copy(entry, depth - 1) for entry in tuple.__getitem__(value, slice(None)))


def is_same(one: Any, other: Any) -> bool:
    """Returns whether two values are equal, including arrays."""
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and np.array_equal(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(value, other[key]) for key, value in one.items())
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


def one_for_each(values: list[Any]) -> Any:
    """Packs the values of an option for several environments.

    Numbers become an array, because a list may stand for one value.
    """
    return np.array(values) if all(isinstance(value, (int, float)) for value in values) else values


_ALIAS_TARGETS = {
    "height": ("rows",),
    "width": ("columns",),
    "base_path": ("rom_dir", "assets_dir", "procgen_dir"),
    "env_seed": ("seed",),
}
"""This package's option names for which each EnvPool name may stand."""


VISUAL_FLAGS = "visual_options"
"""gymnasium's option with MuJoCo's visualization flags, which the extension takes as a list."""

CAMERA_CONFIG = "default_camera_config"
"""gymnasium's option with the fields of a camera."""

CAMERA_FIELDS = {
    "lookat": "camera_lookat",
    "distance": "camera_distance",
    "azimuth": "camera_azimuth",
    "elevation": "camera_elevation",
    "orthographic": "camera_orthographic",
}
"""Fields of ``default_camera_config`` that apply to a free camera, with the options of the same meaning."""


@contextmanager
def restoring_given_names(options: Mapping[str, Any]) -> Iterator[None]:
    """Context manager that re-raises errors about options with EnvPool's and gymnasium's names that the user gave.

    Args:
        options: the given options, by name.
    """
    try:
        yield
    except (TypeError, ValueError, OSError) as error:
        text = _with_given_name(str(error), options)
        if text is None:
            raise
        raise type(error)(text) from None


def _with_given_name(message: str, options: Mapping[str, Any]) -> str | None:
    """Replaces this package's option name at the start of a message by EnvPool's or gymnasium's name that the user
    gave; returns ``None`` if the message is about another option.
    """
    config = options.get(CAMERA_CONFIG)
    for field, own in CAMERA_FIELDS.items():
        if isinstance(config, Mapping) and field in config and message.startswith((f"{own}=", f"{own}[", f"{own} ")):
            return f"{CAMERA_CONFIG}[{field!r}]{message.removeprefix(own)}"
    flags = options.get(VISUAL_FLAGS)
    if isinstance(flags, Mapping) and message.startswith(f"{VISUAL_FLAGS}=["):
        return f"{VISUAL_FLAGS}={dict(flags)!r}{message[message.index(']: ') + 1 :]}"
    for name, owns in _ALIAS_TARGETS.items():
        if not _is_given(options.get(name)):
            continue
        for own in owns:
            is_about_own = message.startswith((f"{own}=", f"{own}[", f"{own} "))
            # If the user gave both names, the value in the message shows which of the two names the message is about.
            if is_about_own and not (own in options and message.startswith(f"{own}={options[own]!r}:")):
                return name + message.removeprefix(own)
    return None


def _is_given(value: Any) -> bool:
    return value is not None and not (is_series(value) and hasattr(value, "__len__") and len(value) == 0)


logger = logging.getLogger(__name__)

ResolvedOption = tuple[str, "bool | str", str]
"""A resolved option: name, value, and reason for the value."""

_SLOW_REASONS = {
    "physics": ("'auto'", "version ", "install one of these versions, or give physics='libmujoco'"),
    "translate": (
        "True",
        "the system refuses",
        "allow this process to make memory executable, or give translate=False",
    ),
}
"""Options whose value may be slower than requested: the requested value, the first words of the reasons, and the
remedy.
"""


def log_resolved(task_id: str, decided: list[ResolvedOption]) -> None:
    """Logs each resolved option. Warns once for each option whose resolved value is slower than requested, if the user
    can change that.

    Args:
        task_id: the pool's task.
        decided: option name, resolved value and reason of each resolved option.
    """
    for option, value, reason in decided:
        logger.info("%s: %s=%r (%s)", task_id, option, value, reason)
        _, start, _ = _SLOW_REASONS.get(option, ("", None, ""))
        if start is not None and reason.startswith(start):
            _warn(option, value, reason)


@functools.cache
def _warn(option: str, value: bool | str, reason: str) -> None:
    """Warns once per process that the resolved value of ``option`` is slower than the requested value."""
    asked, _, remedy = _SLOW_REASONS[option]
    warnings.warn(f"{reason}: {option}={asked} is {value!r}, which is slower; {remedy}", RuntimeWarning, stacklevel=2)
