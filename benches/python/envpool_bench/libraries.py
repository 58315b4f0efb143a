"""Benchmarked libraries: this package, and its peers if they are installed."""

from __future__ import annotations

import importlib
import pkgutil
import signal
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from importlib.util import find_spec
from typing import Any

import gymnasium
from envpool_rs._core import __version__
from envpool_rs._make.make import make, make_vec

from envpool_bench import peers as peer_modules
from envpool_bench.case import Case

OURS = "envpool_rs"

SYNC_LIMIT = 4096
"""Maximum number of environments for gymnasium's SyncVectorEnv, with which one call takes 20 milliseconds."""

PROCESS_LIMIT = 64
"""Maximum number of environments for gymnasium's AsyncVectorEnv, which runs each in a process."""


@dataclass(frozen=True)
class Library:
    """Benchmarked library.

    Attributes:
        name: its name on the command line and in tables.
        version: version of its package.
        refusal: returns the reason why the library does not support a case; ``None`` if it does.
        make: makes environments for a case.
        has_processes: whether the library forks processes; these libraries run first, before others start threads.
    """

    name: str
    version: str
    refusal: Callable[[Case], str | None]
    make: Callable[[Case], Any]
    has_processes: bool = False


def ours(facade: str) -> Library:
    """Returns this package as one of the benchmarked libraries.

    Args:
        facade: the measured interface: ``"A"`` is that of :func:`envpool_rs.make`, ``"B"`` that of
            :func:`envpool_rs.make_vec`.
    """
    made_by = make if facade == "A" else make_vec

    def pool(case: Case) -> Any:
        return made_by(case.task, num_envs=case.num_envs, batch_size=case.batch_size, num_threads=case.threads)

    return Library(OURS, __version__, lambda _: None, pool)


def peers(names: list[str] | None) -> list[Library]:
    """Returns the peers whose names are given.

    Args:
        names: keys of ``PEERS``; ``None`` for all peers that are installed.

    Raises:
        ValueError: for an unknown name.
        ImportError: for a peer that is not installed, naming the package to install.
    """
    if names is None:
        return [create() for package, create in PEERS.values() if find_spec(package) is not None]
    return [_peer(name) for name in names]


def _peer(name: str) -> Library:
    if name not in PEERS:
        raise ValueError(f"--peers {name}: expected 'none', 'all' or some of {', '.join(PEERS)}")
    package, create = PEERS[name]
    if find_spec(package) is None:
        raise ImportError(f"--peers {name} needs the package {package}: pip install --group bench")
    return create()


def _envpool() -> Library:
    envpool = importlib.import_module("envpool")
    tasks = set(envpool.list_all_envs())

    def refusal(case: Case) -> str | None:
        return None if case.task in tasks else "it has no such task"

    def make(case: Case) -> Any:
        return envpool.make_gymnasium(
            case.task, num_envs=case.num_envs, batch_size=case.batch_size, num_threads=case.threads
        )

    return Library("envpool", metadata.version("envpool"), refusal, make)


def _adapted(name: str, module: Any) -> Callable[[], Library]:
    """Returns the maker of the library whose adapter is a module of `envpool_bench.peers`."""
    return lambda: Library(name, module.version(), module.refusal, module.make)


def _adapters() -> dict[str, Any]:
    """Returns the modules of `envpool_bench.peers` by the names of their libraries."""
    names = sorted(module.name for module in pkgutil.iter_modules(peer_modules.__path__))
    return {name.replace("_", "-"): importlib.import_module(f"{peer_modules.__name__}.{name}") for name in names}


def _gymnasium(name: str, mode: str, limit: int | None) -> Callable[[], Library]:
    def refusal(case: Case) -> str | None:
        spec = gymnasium.registry.get(case.task)
        if spec is None:
            return "gymnasium has no such task"
        if mode == "vector_entry_point" and spec.vector_entry_point is None:
            return "gymnasium has no vector version of this task"
        if case.is_async:
            return "it has no send and recv"
        if limit is not None and case.num_envs > limit:
            return f"measured up to {limit} environments only"
        return None

    def make(case: Case) -> Any:
        return without_interrupts(
            lambda: gymnasium.make_vec(case.task, num_envs=case.num_envs, vectorization_mode=mode)
        )

    return lambda: Library(name, gymnasium.__version__, refusal, make, has_processes=mode == "async")


def without_interrupts(make: Callable[[], Any]) -> Any:
    """Calls ``make`` and returns its result. Processes that ``make`` starts ignore Ctrl-C."""
    # Worker processes inherit the ignored signal. So Ctrl-C ends only the benchmark's process, which ends its workers,
    # and workers print no tracebacks.
    if threading.current_thread() is not threading.main_thread():
        return make()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        return make()
    finally:
        signal.signal(signal.SIGINT, before)


PEERS: dict[str, tuple[str, Callable[[], Library]]] = {
    "envpool": ("envpool", _envpool),
    **{name: (module.PACKAGE, _adapted(name, module)) for name, module in _adapters().items()},
    "gymnasium-vector": ("gymnasium", _gymnasium("gymnasium-vector", "vector_entry_point", None)),
    "gymnasium-sync": ("gymnasium", _gymnasium("gymnasium-sync", "sync", SYNC_LIMIT)),
    "gymnasium-async": ("gymnasium", _gymnasium("gymnasium-async", "async", PROCESS_LIMIT)),
}
"""Package and library of each peer, by name.

``gymnasium-vector`` is a vector environment written for the task (``CartPoleVectorEnv``). `envpool_bench.peers` has the
adapters of packages with one family's environments.
"""
