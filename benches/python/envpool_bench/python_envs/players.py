"""Ways to step vectorised environments, as a trainer does it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from envpool_bench.python_envs.case import PythonCase

Play = Callable[[Any, Iterable[Any]], None]
"""``play(environments, actions)``: a step for each batch of actions; each result is kept until the next."""


@dataclass(frozen=True)
class Player:
    """A library's way to step environments.

    Attributes:
        name: what it is called on the command line.
        title: what it is called in tables.
        version: version of its package.
        make: vectorised environments of a case.
        play: steps them.
        caller_steps: whether the calling process steps a share of the environments.
    """

    name: str
    title: str
    version: str
    make: Callable[[PythonCase], Any]
    play: Play
    caller_steps: bool = False


def in_turn(actions: list[Any], calls: int) -> Iterable[Any]:
    """``calls`` batches of actions, from the first on and again."""
    return itertools.islice(itertools.cycle(actions), calls)


def play_gymnasium(env: Any, actions: Iterable[Any]) -> None:
    """Five values; ended episodes are reset in the workers."""
    for action in actions:
        _obs, _reward, _terminated, _truncated, _info = env.step(action)


def play_four_values(env: Any, actions: Iterable[Any]) -> None:
    """Four values; ended episodes are reset in the workers."""
    for action in actions:
        _obs, _reward, _done, _info = env.step(action)


def play_tianshou(env: Any, actions: Iterable[Any]) -> None:
    """Five values; the caller resets ended episodes, as Tianshou's collector does."""
    for action in actions:
        _obs, _reward, terminated, truncated, _info = env.step(action)
        ended = np.flatnonzero(terminated | truncated)
        if ended.size:
            env.reset(ended)


def play_base_vector_env(env: Any, actions: Iterable[Any]) -> None:
    """Four values; the caller resets ended episodes."""
    for action in actions:
        _obs, _reward, done, _info = env.step(action)
        ended = np.flatnonzero(done)
        if ended.size:
            env.reset(ended)
