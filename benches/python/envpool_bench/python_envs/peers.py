"""Other libraries that vectorise Python environments (peers), if they are installed."""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from importlib import metadata
from importlib.util import find_spec
from typing import Any

import gymnasium

from envpool_bench.python_envs.case import PythonCase
from envpool_bench.python_envs.players import Player, play_four_values, play_gymnasium, play_tianshou

BASELINE = "gymnasium-async"
"""Peer to whose time all ratios refer."""

LOOP = "gymnasium-sync"
"""Peer that steps the environments one by one in one process."""


def _gymnasium_async() -> Player:
    def make(case: PythonCase) -> Any:
        env: Any = gymnasium.vector.AsyncVectorEnv(case.env_fns, shared_memory=True)
        # With `terminate=False`, `close` after an interrupted step waits forever for replies that were already
        # received.
        env.close = functools.partial(env.close, terminate=True)
        return env

    return Player(BASELINE, "gymnasium AsyncVectorEnv", gymnasium.__version__, make, play_gymnasium)


def _gymnasium_sync() -> Player:
    def make(case: PythonCase) -> Any:
        return gymnasium.vector.SyncVectorEnv(case.env_fns)

    return Player(LOOP, "gymnasium SyncVectorEnv", gymnasium.__version__, make, play_gymnasium)


def _tianshou() -> Player:
    def make(case: PythonCase) -> Any:
        return importlib.import_module("tianshou.env").SubprocVectorEnv(case.env_fns)

    return Player("tianshou", "Tianshou SubprocVectorEnv", metadata.version("tianshou"), make, play_tianshou)


def _sb3() -> Player:
    def make(case: PythonCase) -> Any:
        vec_env = importlib.import_module("stable_baselines3.common.vec_env")
        # Forked workers have this process's imports. With the default start method each worker would import torch.
        return vec_env.SubprocVecEnv(case.env_fns, start_method="fork")

    return Player("sb3", "SB3 SubprocVecEnv", metadata.version("stable-baselines3"), make, play_four_values)


PEERS: dict[str, tuple[str, Callable[[], Player]]] = {
    BASELINE: ("gymnasium", _gymnasium_async),
    LOOP: ("gymnasium", _gymnasium_sync),
    "tianshou": ("tianshou", _tianshou),
    "sb3": ("stable_baselines3", _sb3),
}
"""Package and measured library of each peer, by name."""


def named_peers(names: str) -> list[Player]:
    """Returns the peers whose names are given.

    Args:
        names: names separated by commas; ``all`` for all installed peers; or ``none``.

    Raises:
        ValueError: for an unknown name.
        ImportError: for a peer that is not installed.
    """
    if names == "all":
        return [create() for package, create in PEERS.values() if find_spec(package) is not None]
    return [] if names == "none" else list(map(_peer, names.split(",")))


def _peer(name: str) -> Player:
    if name not in PEERS:
        raise ValueError(f"--peers {name}: expected 'none', 'all' or some of {', '.join(PEERS)}")
    package, create = PEERS[name]
    if find_spec(package) is None:
        raise ImportError(f"--peers {name} needs the package {package}: pip install --group bench-python")
    return create()
