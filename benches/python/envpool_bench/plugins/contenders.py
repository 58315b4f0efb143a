"""Implementations of CartPole that the benchmark compares (contenders)."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Callable
from dataclasses import dataclass
from importlib import metadata
from typing import Any

import envpool_rs
import numpy as np

from envpool_bench.plugins import builds
from envpool_bench.plugins.timing import Step

Make = Callable[[int, int], tuple[Step, Callable[[], None]]]
"""``make(lanes, threads)`` returns the functions that step all environments, and that close them."""


class UnavailableError(Exception):
    """Raised if a contender cannot be measured; the message says why."""


@dataclass(frozen=True)
class Contender:
    """An implementation of CartPole.

    Attributes:
        title: its name in tables.
        make: makes environments.
        most_threads: largest number of threads with which it is measured.
    """

    title: str
    make: Make
    most_threads: int = 2


def contender(name: str) -> Contender:
    """Returns the implementation of this name, a key of ``CONTENDERS``.

    Raises:
        UnavailableError: if the implementation cannot be built, or is not installed.
    """
    return CONTENDERS[name]()


def _pool(task: str, lanes: int, threads: int) -> tuple[Step, Callable[[], None]]:
    env = envpool_rs.make_vec(task, num_envs=lanes, num_threads=threads)
    env.reset(seed=0)
    return env.step, env.close


def _task(title: str, task: str) -> Contender:
    return Contender(title, functools.partial(_pool, task))


def _c(name: str, title: str, task: str, *options: str) -> Contender:
    source = builds.EXAMPLES / f"{name}.c"
    missing = builds.missing_compiler(source)
    if missing is not None:
        raise UnavailableError(missing)
    envpool_rs.load_plugin(str(builds.compile_library(source, options or None)))
    return _task(title, task)


@functools.cache
def _load_rust() -> None:
    try:
        envpool_rs.load_plugin(str(builds.cargo_library(builds.FIXTURES / "rust_tasks", "release")))
    except (OSError, RuntimeError) as error:
        raise UnavailableError(f"cargo: {error}") from error


def _rust(title: str, task: str) -> Contender:
    _load_rust()
    return _task(title, task)


def _numba() -> Contender:
    if importlib.util.find_spec("numba") is None:
        raise UnavailableError("numba is not installed")
    from envpool_bench.plugins import numba_cart_pole

    return _task("Numba", numba_cart_pole.TASK)


def _python_worker() -> Contender:
    def make(lanes: int, threads: int) -> tuple[Step, Callable[[], None]]:
        env = envpool_rs.make_vec(
            "CartPole-v1", num_envs=lanes, vectorization_mode="shared_memory", num_workers=min(lanes, threads)
        )
        env.reset(seed=0)
        return env.step, env.close

    return Contender("gymnasium's class in a worker process", make)


def _envpool() -> Contender:
    if importlib.util.find_spec("envpool") is None:
        raise UnavailableError("envpool is not installed")
    try:
        envpool = importlib.import_module("envpool")
    except (ImportError, OSError) as error:
        raise UnavailableError(f"envpool cannot be imported: {error}") from error

    def make(lanes: int, threads: int) -> tuple[Step, Callable[[], None]]:
        env = envpool.make_gymnasium("CartPole-v1", num_envs=lanes, num_threads=threads)
        env.reset()
        return env.step, lambda: None

    return Contender(f"EnvPool {metadata.version('envpool')}", make)


def _pufferlib() -> Contender:
    sources = builds.pufferlib_sources()
    if not sources.is_dir():
        raise UnavailableError(f"there are no sources in {sources}: expected `nox -s ocean` before")
    module = builds.pufferlib_binding(sources, "cartpole")
    spec = importlib.util.spec_from_file_location("binding", module)
    assert spec is not None and spec.loader is not None
    binding = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(binding)
    return Contender("PufferLib 3.0.0, its C CartPole", functools.partial(_pufferlib_envs, binding), most_threads=1)


def _pufferlib_envs(binding: Any, lanes: int, _threads: int) -> tuple[Step, Callable[[], None]]:
    """Makes PufferLib's CartPole environments. Returns functions that step and close them as PufferLib's class does;
    that class cannot be imported without torch.
    """
    observations, actions = np.zeros((lanes, 4), np.float32), np.zeros(lanes, np.float32)
    rewards, flags = np.zeros(lanes, np.float32), np.zeros((2, lanes), np.uint8)
    envs = binding.vec_init(observations, actions, rewards, flags[0], flags[1], lanes, 0, continuous=0)
    binding.vec_reset(envs, 0)

    def step(action: Any) -> Any:
        actions[:] = action
        binding.vec_step(envs)
        return observations, rewards, flags[0], flags[1], []

    return step, lambda: binding.vec_close(envs)


CONTENDERS: dict[str, Callable[[], Contender]] = {
    "built-in": lambda: _task("built-in", "CartPole-v1"),
    "c": lambda: _c("cart_pole", "C", "CCartPole-v1"),
    "c-columns": lambda: _c(
        "cart_pole_columns",
        "C, columns and vector instructions",
        "CColumnsCartPole-v1",
        *("-std=gnu11", "-O3", "-march=native", "-ffast-math", "-fno-finite-math-only"),
    ),
    "rust-env": lambda: _rust("Rust, `Env`", "RustEnvCartPole-v1"),
    "rust-kernel": lambda: _rust("Rust, `Kernel`", "RustKernelCartPole-v1"),
    "numba": _numba,
    "worker": _python_worker,
    "envpool": _envpool,
    "pufferlib": _pufferlib,
}
"""Functions that build the implementations, by the implementations' names on the command line."""
