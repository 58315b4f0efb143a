"""What seeds promise."""

from __future__ import annotations

from typing import Any

from gymnasium.utils.env_checker import data_equivalence

from envpool_rs.vector_env_check.broken_promise import NotKept
from envpool_rs.vector_env_check.trial import Step, Trial


def the_same_seed_plays_the_same_game(trial: Trial) -> None:
    """After a reset with the same seed, the same actions give the same results."""
    check_same_games(trial.game, trial.play())


def an_int_seeds_environments_consecutively(trial: Trial) -> None:
    """`reset(seed=s)` seeds environment `i` with `s + i`, as the list of these seeds does."""
    seeds = [trial.seed + index for index in range(trial.num_envs)]
    check_same_games(trial.game, trial.play(seed=seeds))


def check_same_games(game: list[Step], other: list[Step]) -> None:
    """Compares two games.

    Raises:
        NotKept: naming the first difference.
    """
    names = ("observation", "reward", "terminated", "truncated", "info")
    for number, (left, right) in enumerate(zip(game, other, strict=True)):
        parts = names if number else (names[0], names[-1])
        for name, one, two in zip(parts, left.result, right.result, strict=True):
            if not data_equivalence(_timeless(one), _timeless(two), exact=True):
                raise NotKept(f"After {number} steps, {name} was {one!r} in one game and {two!r} in the other.")


def _timeless(value: Any) -> Any:
    """Infos without the times that statistics of episodes have."""
    if not isinstance(value, dict):
        return value
    return {
        key: {name: each for name, each in part.items() if name not in ("t", "_t")}
        if key == "episode"
        else _timeless(part)
        for key, part in value.items()
    }
