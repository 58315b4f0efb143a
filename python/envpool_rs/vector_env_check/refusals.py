"""Mistakes that have to be refused, and what comes after them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete

from envpool_rs.vector_env_check.broken_promise import NothingToSee, NotKept
from envpool_rs.vector_env_check.trial import Trial


def too_few_actions_are_refused(trial: Trial) -> None:
    """Actions for fewer environments than there are raise an exception."""
    if trial.num_envs == 1:
        raise NothingToSee("there is one environment only")
    _check_refused(trial, lambda: trial.env.step(trial.other_actions(trial.num_envs - 1)))


def too_many_actions_are_refused(trial: Trial) -> None:
    """Actions for more environments than there are raise an exception."""
    _check_refused(trial, lambda: trial.env.step(trial.other_actions(trial.num_envs + 1)))


def a_wrong_number_of_seeds_is_refused(trial: Trial) -> None:
    """A list of seeds with more entries than there are environments raises an exception."""
    _check_refused(trial, lambda: trial.env.reset(seed=[1] * (trial.num_envs + 1)))


def actions_outside_of_the_space_are_refused(trial: Trial) -> None:
    """Actions outside of a discrete action space raise an exception."""
    _check_refused(trial, lambda: trial.env.step(_outside(trial)))


def a_mistake_leaves_it_usable(trial: Trial) -> None:
    """After an exception, a reset makes the environment usable again.

    Has to be the last check: what fails it cannot be played any more.
    """
    try:
        trial.env.reset(seed=trial.seed)
        _provoke(trial)
        trial.env.reset(seed=trial.seed)
        trial.env.step(copy.deepcopy(trial.actions[0]))
    except NothingToSee:
        raise
    except Exception as error:
        raise NotKept(f"It raised {type(error).__name__}: {error}.") from error


def _provoke(trial: Trial) -> None:
    try:
        trial.env.step(_outside(trial))
    except NothingToSee:
        raise
    except Exception:
        return
    raise NothingToSee("no exception was raised")


def _check_refused(trial: Trial, mistake: Callable[[], Any]) -> None:
    try:
        trial.env.reset(seed=trial.seed)
    except Exception as error:
        raise NothingToSee(f"the mistake before this one made it unusable ({type(error).__name__})") from error
    try:
        mistake()
    except NothingToSee:
        raise
    except Exception:
        return
    raise NotKept("None was raised.")


def _outside(trial: Trial) -> Any:
    space = trial.env.single_action_space
    if not isinstance(space, Discrete):
        raise NothingToSee("the action space is not discrete")
    return np.full(trial.num_envs, space.start + space.n)
