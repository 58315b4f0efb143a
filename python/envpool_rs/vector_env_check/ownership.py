"""To whom arrays belong."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import data_equivalence

from envpool_rs._nested import leaves
from envpool_rs.vector_env_check.broken_promise import NotKept
from envpool_rs.vector_env_check.player import Player
from envpool_rs.vector_env_check.seeding import check_same_games


def results_stay_as_they_are(player: Player) -> None:
    """What was returned is not changed by later steps."""
    kept: list[Any] = []
    game = player.play(touch=kept.append)
    for number, (step, result) in enumerate(zip(game[1:], kept, strict=True), start=1):
        for name, then, now in zip(
            ("observation", "reward", "terminated", "truncated", "info"), step.result, result, strict=True
        ):
            if not data_equivalence(then, now, exact=True):
                raise NotKept(f"The {name} of step {number} was {then!r} and became {now!r}.")


def results_belong_to_the_caller(player: Player) -> None:
    """Writing into what was returned changes nothing in the environment."""
    check_same_games(player.game, player.play(touch=_spoil))


def actions_are_left_alone(player: Player) -> None:
    """Actions are read and not written."""
    player.env.reset(seed=player.seed)
    action = copy.deepcopy(player.actions[0])
    player.env.step(action)
    if not data_equivalence(action, player.actions[0], exact=True):
        raise NotKept(f"{player.actions[0]!r} became {action!r}.")


def _spoil(value: Any) -> None:
    """Writes into all arrays."""
    for each in leaves(value):
        if isinstance(each, np.ndarray) and each.dtype != object and each.flags.writeable:
            each[...] = 1
