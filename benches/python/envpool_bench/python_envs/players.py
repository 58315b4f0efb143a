"""Loops that step vectorised environments as a trainer does, for each kind of interface."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from envpool_bench.python_envs.case import PythonCase

Play = Callable[[Any, Iterable[Any]], None]
"""``play(environments, actions)``: one step for each batch of actions; each result is held until the next."""


@dataclass(frozen=True)
class Player:
    """Library to measure, and the loop that steps its environments.

    Attributes:
        name: its name on the command line.
        title: its name in tables.
        version: version of its package.
        make: makes vectorised environments of a case.
        play: steps them.
        caller_steps: whether the calling process steps a share of the environments.
    """

    name: str
    title: str
    version: str
    make: Callable[[PythonCase], Any]
    play: Play
    caller_steps: bool = False


def cycle_batches(actions: list[Any], calls: int) -> Iterable[Any]:
    """Returns ``calls`` batches of actions: the given batches, repeated in order."""
    return itertools.islice(itertools.cycle(actions), calls)


def play_gymnasium(env: Any, actions: Iterable[Any]) -> None:
    """Steps environments whose steps return five values and which reset themselves after an episode."""
    for action in actions:
        _obs, _reward, _terminated, _truncated, _info = env.step(action)


def play_four_values(env: Any, actions: Iterable[Any]) -> None:
    """Steps environments whose steps return four values and which reset themselves after an episode."""
    for action in actions:
        _obs, _reward, _done, _info = env.step(action)


def play_tianshou(env: Any, actions: Iterable[Any]) -> None:
    """Steps environments whose steps return five values. The caller resets ended episodes, like Tianshou's
    collector.
    """
    for action in actions:
        _obs, _reward, terminated, truncated, _info = env.step(action)
        ended = np.flatnonzero(terminated | truncated)
        if ended.size:
            env.reset(ended)


def play_base_vector_env(env: Any, actions: Iterable[Any]) -> None:
    """Steps environments whose steps return four values. The caller resets ended episodes."""
    for action in actions:
        _obs, _reward, done, _info = env.step(action)
        ended = np.flatnonzero(done)
        if ended.size:
            env.reset(ended)
