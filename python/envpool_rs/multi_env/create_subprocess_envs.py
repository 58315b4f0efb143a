"""Makes many environments in their own processes, behind one block of shared memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from multiprocessing.context import BaseContext
from typing import Any

from envpool_rs._arguments import functions
from envpool_rs.multi_env.env_processes import EnvProcesses
from envpool_rs.multi_env.subprocess_env import SubprocessEnv


def create_subprocess_envs(
    env_fns: Iterable[Callable[[], Any]],
    *,
    num_workers: int | None = None,
    context: str | BaseContext | None = None,
) -> list[SubprocessEnv]:
    """Makes environments in worker processes, all at the same time.

    They share one block of memory, so that ``MultiEnv`` steps all of them with one message.

    Args:
        env_fns: make the environments, in the processes; they must not make a ``SubprocessEnv``.
        num_workers: processes; ``None`` for one for each environment, so that no environment waits for another.
            One process per core is faster if all environments are stepped together and steps take equally long; a
            process that dies then takes several environments with it.
        context: how processes are started: ``"fork"``, ``"spawn"``, ``"forkserver"`` or one of multiprocessing's
            contexts; ``None`` for its default.

    Returns:
        An environment for each function, started and initialized.

    Raises:
        ValueError: if ``env_fns`` is empty; for ``num_workers`` out of range.
        TypeError: for a function that is not callable, or cannot be sent to a process, naming its index.
        Exception: a function's exception, naming its index; all processes are ended then.
    """
    env_fns = functions("env_fns", env_fns)
    processes = EnvProcesses(env_fns, num_workers, context)
    processes.start()
    processes.initialize()
    return [_member(processes, index) for index in range(len(env_fns))]


def _member(processes: EnvProcesses, index: int) -> SubprocessEnv:
    env = SubprocessEnv.__new__(SubprocessEnv)
    env._become(processes, index)
    return env
