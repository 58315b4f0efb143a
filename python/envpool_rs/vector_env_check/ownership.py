"""To whom arrays belong."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import data_equivalence

from envpool_rs._nested import leaves
from envpool_rs.vector_env_check.broken_promise import NotKept
from envpool_rs.vector_env_check.seeding import check_same_games
from envpool_rs.vector_env_check.trial import Trial


def results_stay_as_they_are(trial: Trial) -> None:
    """What was returned is not changed by later steps."""
    kept: list[Any] = []
    game = trial.play(touch=kept.append)
    for number, (step, result) in enumerate(zip(game[1:], kept, strict=True), start=1):
        for name, then, now in zip(
            ("observation", "reward", "terminated", "truncated", "info"), step.result, result, strict=True
        ):
            if not data_equivalence(then, now, exact=True):
                raise NotKept(f"The {name} of step {number} was {then!r} and became {now!r}.")


def results_belong_to_the_caller(trial: Trial) -> None:
    """Writing into what was returned changes nothing in the environment."""
    check_same_games(trial.game, trial.play(touch=_spoil))


def actions_are_left_alone(trial: Trial) -> None:
    """Actions are read and not written."""
    trial.env.reset(seed=trial.seed)
    action = copy.deepcopy(trial.actions[0])
    trial.env.step(action)
    if not data_equivalence(action, trial.actions[0], exact=True):
        raise NotKept(f"{trial.actions[0]!r} became {action!r}.")


def _spoil(value: Any) -> None:
    """Writes into all arrays."""
    for each in leaves(value):
        if isinstance(each, np.ndarray) and each.dtype != object and each.flags.writeable:
            each[...] = 1
