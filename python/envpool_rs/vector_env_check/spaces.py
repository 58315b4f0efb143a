"""Spaces, and results that lie in them."""

from __future__ import annotations

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from envpool_rs.vector_env_check.broken_promise import NotKept
from envpool_rs.vector_env_check.trial import Trial

_RESULTS = 5


def spaces_are_batches(trial: Trial) -> None:
    """`observation_space` and `action_space` are the single environment's spaces, batched `num_envs` times."""
    for kind in ("observation", "action"):
        single, batched = (getattr(trial.env, f"{prefix}{kind}_space") for prefix in ("single_", ""))
        expected = batch_space(single, trial.num_envs)
        if batched != expected:
            raise NotKept(f"{kind}_space is {batched}, and not {expected}")


def autoreset_mode_is_told(trial: Trial) -> None:
    """`metadata["autoreset_mode"]` tells the autoreset mode, a `gymnasium.vector.AutoresetMode`."""
    if not isinstance(trial.mode, AutoresetMode):
        raise NotKept(f"It is {trial.mode!r}.")


def observations_lie_in_the_space(trial: Trial) -> None:
    """Observations lie in `observation_space`."""
    for number, step in enumerate(trial.game):
        if not trial.env.observation_space.contains(step.observation):
            raise NotKept(f"After {number} steps it was {step.observation!r}.")


def steps_return_five_values(trial: Trial) -> None:
    """A reset returns observation and info, a step observation, reward, terminated, truncated and info."""
    for number, step in enumerate(trial.game):
        expected = 2 if number == 0 else _RESULTS
        if not isinstance(step.result, tuple) or len(step.result) != expected:
            raise NotKept(f"Call {number} returned {step.result!r}.")


def rewards_are_numbers(trial: Trial) -> None:
    """Rewards are an array `(num_envs,)` of floats."""
    for step in trial.steps:
        _check_array(step.result[1], trial.num_envs, np.floating)


def flags_are_booleans(trial: Trial) -> None:
    """Terminated and truncated are arrays `(num_envs,)` of booleans."""
    for step in trial.steps:
        for flags in step.result[2:4]:
            _check_array(flags, trial.num_envs, np.bool_)


def _check_array(value: object, rows: int, kind: type) -> None:
    if not isinstance(value, np.ndarray) or value.shape != (rows,) or not np.issubdtype(value.dtype, kind):
        described = f"{value.dtype}{value.shape}" if isinstance(value, np.ndarray) else repr(value)
        raise NotKept(f"There was {described}.")
