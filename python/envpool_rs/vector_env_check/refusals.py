"""Mistakes that have to be refused, and what comes after them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete

from envpool_rs.vector_env_check.broken_promise import NothingToSee, NotKept
from envpool_rs.vector_env_check.player import Player


def too_few_actions_are_refused(player: Player) -> None:
    """Actions for fewer environments than there are raise an exception."""
    if player.num_envs == 1:
        raise NothingToSee("there is one environment only")
    _check_refused(player, lambda: player.env.step(player.other_actions(player.num_envs - 1)))


def too_many_actions_are_refused(player: Player) -> None:
    """Actions for more environments than there are raise an exception."""
    _check_refused(player, lambda: player.env.step(player.other_actions(player.num_envs + 1)))


def a_wrong_number_of_seeds_is_refused(player: Player) -> None:
    """A list of seeds with more entries than there are environments raises an exception."""
    _check_refused(player, lambda: player.env.reset(seed=[1] * (player.num_envs + 1)))


def actions_outside_of_the_space_are_refused(player: Player) -> None:
    """Actions outside of a discrete action space raise an exception."""
    _check_refused(player, lambda: player.env.step(_outside(player)))


def a_mistake_leaves_it_usable(player: Player) -> None:
    """After an exception, a reset makes the environment usable again.

    Has to be the last check: what fails it cannot be played any more.
    """
    try:
        player.env.reset(seed=player.seed)
        _provoke(player)
        player.env.reset(seed=player.seed)
        player.env.step(copy.deepcopy(player.actions[0]))
    except NothingToSee:
        raise
    except Exception as error:
        raise NotKept(f"It raised {type(error).__name__}: {error}.") from error


def _provoke(player: Player) -> None:
    try:
        player.env.step(_outside(player))
    except NothingToSee:
        raise
    except Exception:
        return
    raise NothingToSee("no exception was raised")


def _check_refused(player: Player, mistake: Callable[[], Any]) -> None:
    try:
        player.env.reset(seed=player.seed)
    except Exception as error:
        raise NothingToSee(f"the mistake before this one made it unusable ({type(error).__name__})") from error
    try:
        mistake()
    except NothingToSee:
        raise
    except Exception:
        return
    raise NotKept("None was raised.")


def _outside(player: Player) -> Any:
    space = player.env.single_action_space
    if not isinstance(space, Discrete):
        raise NothingToSee("the action space is not discrete")
    return np.full(player.num_envs, space.start + space.n)
