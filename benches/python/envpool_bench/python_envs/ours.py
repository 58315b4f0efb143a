"""Lists this package's interfaces to Python environments, for the benchmark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from envpool_rs._core import __version__
from envpool_rs._make.make import make_vec
from envpool_rs._python_pool import make_python

from envpool_bench.machine import usable_cpus
from envpool_bench.python_envs.case import PythonCase
from envpool_bench.python_envs.players import (
    Play,
    Player,
    play_base_vector_env,
    play_four_values,
    play_gymnasium,
)

Make = Callable[[PythonCase, bool, int | None], Any]
"""``make(case, caller_steps, num_workers)``."""


@dataclass(frozen=True)
class Interface:
    """Interface of this package that vectorises environments.

    Attributes:
        title: its name in tables.
        make: makes the environments.
        play: steps them.
        caller_steps: whether the calling process steps a share of the environments.
    """

    title: str
    make: Make
    play: Play
    caller_steps: bool = False


def _make_vec(case: PythonCase, caller_steps: bool, workers: int | None) -> Any:
    return make_vec(
        case.task, case.num_envs, vectorization_mode="shared_memory", caller_steps=caller_steps, num_workers=workers
    )


def _make_python(case: PythonCase, caller_steps: bool, workers: int | None) -> Any:
    return make_python(case.env_fns, caller_steps=caller_steps, num_workers=workers)


def _subproc_vector_env(case: PythonCase, caller_steps: bool, workers: int | None) -> Any:
    from envpool_rs.vector import SubprocVectorEnv

    return SubprocVectorEnv(case.env_fns, caller_steps=caller_steps, num_workers=workers)


def _multi_env(case: PythonCase, caller_steps: bool, workers: int | None) -> Any:
    from envpool_rs.multi_env import MultiEnv, create_subprocess_envs

    del caller_steps  # the environments of a MultiEnv run only in worker processes
    return MultiEnv(create_subprocess_envs(case.env_fns, num_workers=workers))


def _multi_env_on_cores(case: PythonCase, caller_steps: bool, workers: int | None) -> Any:
    return _multi_env(case, caller_steps, workers or min(usable_cpus(), case.num_envs))


OURS = {
    "make-vec": Interface("make_vec, the caller sleeps", _make_vec, play_gymnasium),
    "make-vec-helps": Interface("make_vec, the caller helps", _make_vec, play_gymnasium, True),
    "make-python": Interface("make_python, the caller sleeps", _make_python, play_gymnasium),
    "make-python-helps": Interface("make_python, the caller helps", _make_python, play_gymnasium, True),
    "subproc": Interface("SubprocVectorEnv, the caller sleeps", _subproc_vector_env, play_base_vector_env),
    "subproc-helps": Interface("SubprocVectorEnv, the caller helps", _subproc_vector_env, play_base_vector_env, True),
    "multi-env": Interface("MultiEnv, a process for each", _multi_env, play_four_values),
    "multi-env-cores": Interface("MultiEnv, a process for each core", _multi_env_on_cores, play_four_values),
}
"""This package's interfaces, by their names on the command line."""


def named_ours(names: str, workers: int | None) -> list[Player]:
    """Returns this package's interfaces whose names are given, as libraries to measure.

    Args:
        names: names separated by commas, or ``all``.
        workers: number of worker processes; ``None`` for each interface's own default.

    Raises:
        ValueError: for an unknown name.
    """
    chosen = list(OURS) if names == "all" else names.split(",")
    for name in chosen:
        if name not in OURS:
            raise ValueError(f"--ours {name}: expected 'all' or some of {', '.join(OURS)}")
    return [_player(name, workers) for name in chosen]


def _player(name: str, workers: int | None) -> Player:
    interface = OURS[name]

    def make(case: PythonCase) -> Any:
        return interface.make(case, interface.caller_steps, workers)

    title, version = f"envpool_rs {interface.title}", __version__
    return Player(name, title, version, make, interface.play, interface.caller_steps)
