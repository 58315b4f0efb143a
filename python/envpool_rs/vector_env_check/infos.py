"""The form of infos."""

from __future__ import annotations

from typing import Any

import numpy as np

from envpool_rs.vector_env_check.broken_promise import NothingToSee, NotKept
from envpool_rs.vector_env_check.trial import Trial


def infos_have_a_row_for_each_environment(trial: Trial) -> None:
    """Each entry of the infos is an array with a row for each environment, or a dict of such."""
    for key, value in _entries(trial):
        if not isinstance(value, np.ndarray) or value.shape[:1] != (trial.num_envs,):
            raise NotKept(f"info[{key!r}] was {value!r}.")


def infos_have_masks(trial: Trial) -> None:
    """Each entry of the infos has a mask, by the same name with an underscore before it: `(num_envs,)` booleans."""
    for step in trial.game:
        for key in step.info:
            mask = step.info.get(f"_{key}")
            if _is_mask(key, step.info):
                continue
            if not isinstance(mask, np.ndarray) or mask.shape != (trial.num_envs,) or mask.dtype != np.bool_:
                raise NotKept(f"info has {key!r}, and info['_{key}'] was {mask!r}.")


def _entries(trial: Trial) -> list[tuple[str, Any]]:
    found = [pair for step in trial.game for pair in _flat(step.info)]
    if not found:
        raise NothingToSee("the infos were empty")
    return found


def _flat(info: dict[str, Any]) -> list[tuple[str, Any]]:
    pairs: list[tuple[str, Any]] = []
    for key, value in info.items():
        pairs += _flat(value) if isinstance(value, dict) else [(key, value)]
    return pairs


def _is_mask(key: str, info: dict[str, Any]) -> bool:
    return key.startswith("_") and key[1:] in info
