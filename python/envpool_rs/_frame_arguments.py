"""Checks of the arguments of `FrameMemory`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy.typing as npt

from envpool_rs._arguments import array

RESULTS = ("obs", "reward", "terminated", "truncated")
"""Keys of the results that a memory stores."""


def integers(name: str, value: Any) -> npt.NDArray[Any]:
    """Converts a list of integers to an array.

    Raises:
        ValueError: for anything else.
    """
    given = array(name, value)
    if given.ndim != 1 or (given.dtype.kind not in "iu" and len(given)):
        raise ValueError(f"{name} has dtype {given.dtype} and shape {given.shape}: expected integers (m,)")
    return given


def checked_pool(env: Any) -> tuple[dict[str, Any], Mapping[str, Any]]:
    """Checks that a pool returns single frames; returns arrays for the results of one step, and the pool's
    configuration.

    Raises:
        ValueError: for a pool without ``stack_once``, with another interface, or an asynchronous one.
    """
    config = getattr(env, "config", None)
    if not isinstance(config, Mapping) or config.get("stack_once") is not True:
        raise ValueError(f"env={type(env).__name__}: expected a pool of Atari or ViZDoom made with stack_once=True")
    if env.is_async:
        raise ValueError("env.batch_size is below num_envs: expected a pool that steps all environments at once")
    arrays: dict[str, Any] = env.rollout_buffer(1).arrays
    if tuple(name for name in arrays if name != "info") != RESULTS:
        raise ValueError(f"env={type(env).__name__}: expected a pool of make_gymnasium, make or make_vec")
    return arrays, config
