"""``SubprocessEnv``: an environment in its own worker process."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from multiprocessing.context import BaseContext
from typing import Any

from envpool_rs._arguments import functions
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs.multi_env.env_processes import EnvProcesses
from envpool_rs.multi_env.hosted_env import DEFAULT_MODE


class SubprocessEnv(KnownAttributes, EnvironmentBase):  # type: ignore[misc]
    """An environment in its own process, so that it runs in parallel with others.

    ``start()`` starts the process without waiting. ``initialize()`` waits until the environment is made, and receives
    its spaces; then the environment can be used. Because starting and waiting are two methods,
    ``create_subprocess_envs`` starts all environments before it waits for any.

    If the process dies, it is restarted, the environment is reset, and the request is sent again; ``restarts`` counts
    these restarts, and a ``RuntimeWarning`` reports each. If the new process also dies before it replies, a
    ``RuntimeError`` with the cause is raised. An exception of the environment itself is raised in the calling process,
    with the worker's traceback as its cause; it causes no restart.
    """

    def __init__(self, env_fn: Callable[[], Any], *, context: str | BaseContext | None = None) -> None:
        """Stores the arguments; starts no process.

        Args:
            env_fn: function that makes the environment; it is called in the worker process at each start. A lambda or
                closure needs the start method "fork", or the package cloudpickle.
            context: start method of the process: ``"fork"``, ``"spawn"``, ``"forkserver"`` or one of multiprocessing's
                contexts; ``None`` for its default.

        Raises:
            TypeError: if ``env_fn`` is not callable.
        """
        if not callable(env_fn):
            raise TypeError(f"env_fn={env_fn!r}: expected a function that makes an environment")
        self._become(EnvProcesses([env_fn], None, context), 0)

    def _become(self, processes: EnvProcesses, index: int) -> None:
        self._processes = processes
        self._index = index
        self._is_closed = False

    # Methods that start and close the process

    def start(self) -> None:
        """Starts the process without waiting. Does nothing if it is started already.

        Raises:
            ValueError: if the environment is closed.
            TypeError: if ``env_fn`` cannot be sent to a process.
        """
        self._check_open("start()")
        self._processes.start()

    def initialize(self) -> None:
        """Waits until the environment is made. Does nothing if it is initialized already.

        Raises:
            ValueError: before ``start``; if the environment is closed.
            Exception: an exception of ``env_fn``.
            RuntimeError: if the process died twice in a row.
        """
        self._check_started("initialize()")
        self._processes.initialize()

    def close(self) -> None:
        """Closes the environment and ends its process.

        The processes of one ``create_subprocess_envs`` end with the last of their environments.

        Raises:
            ValueError: before ``start``; if the environment is closed.
            Exception: an exception of the environment's ``close``, after the process has ended.
        """
        self._check_started("close()")
        self._is_closed = True
        self._processes.close([self._index])

    def _check_open(self, method: str) -> None:
        if self._is_closed:
            raise ValueError(f"{method}: this environment is closed")

    def _check_started(self, method: str) -> None:
        self._check_open(method)
        if not self._processes.is_started:
            raise ValueError(f"{method}: the process is not started: call start() first")

    def _check_initialized(self, method: str) -> None:
        if self._is_closed or not self._processes.is_initialized:
            self._check_started(method)
            raise ValueError(f"{method}: the environment is not initialized: call initialize() first")

    # --- description --------------------------------------------------------------------------------------------------

    @property
    def observation_space(self) -> Any:
        """The environment's observation space.

        Raises:
            ValueError: before ``initialize``; if the environment is closed.
        """
        self._check_initialized("observation_space")
        return self._processes.observation_spaces[self._index]

    @property
    def action_space(self) -> Any:
        """The environment's action space.

        Raises:
            ValueError: before ``initialize``; if the environment is closed.
        """
        self._check_initialized("action_space")
        return self._processes.action_spaces[self._index]

    @property
    def metadata(self) -> Any:
        """The environment's metadata; empty before ``initialize``."""
        return self._description("metadata") or {}

    @property
    def spec(self) -> Any:
        """The environment's specification; ``None`` before ``initialize``, or if it has none."""
        return self._description("spec")

    @property
    def render_mode(self) -> Any:
        """The environment's render mode; ``None`` before ``initialize``, or if it has none."""
        return self._description("render_mode")

    @property
    def reward_range(self) -> Any:
        """The environment's bounds of rewards; infinite before ``initialize``, or if it has none."""
        return self._description("reward_range") or (-float("inf"), float("inf"))

    @property
    def restarts(self) -> int:
        """The number of restarts after deaths of the process."""
        return self._processes.restarts[self._index]

    def _description(self, name: str) -> Any:
        return self._processes.descriptions[self._index].get(name) if self._processes.descriptions else None

    # --- use ----------------------------------------------------------------------------------------------------------

    def step(self, action: Any) -> Any:
        """Steps the environment.

        Args:
            action: the environment's action.

        Returns:
            The result of the environment's ``step``: gym's four values or gymnasium's five.

        Raises:
            ValueError: before ``initialize``; if the environment is closed.
            Exception: an exception of the environment.
            RuntimeError: if the process died twice in a row.
        """
        self._check_initialized("step()")
        return self._processes.step(self._index, action)

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment.

        Args:
            kwargs: arguments of the environment's ``reset``.

        Returns:
            The result of the environment's ``reset``: an observation, or gymnasium's ``(observation, info)``.

        Raises:
            ValueError: before ``initialize``; if the environment is closed.
            Exception: an exception of the environment.
            RuntimeError: if the process died twice in a row.
        """
        self._check_initialized("reset()")
        return self._processes.call(self._index, "call", ("reset", (), kwargs))

    def render(self, mode: str = DEFAULT_MODE) -> Any:
        """Renders the environment.

        Args:
            mode: argument of gym's ``render(mode)``; environments of gymnasium have one mode from their construction.

        Returns:
            The result of the environment's ``render``.

        Raises:
            ValueError: before ``initialize``; if the environment is closed; for another mode than the one with which a
                gymnasium environment was made.
            Exception: an exception of the environment.
            RuntimeError: if the process died twice in a row.
        """
        self._check_initialized("render()")
        return self._processes.call(self._index, "call", ("render_as", (mode,), {}))

    def seed(self, seed: Any = None) -> Any:
        """Calls the environment's ``seed``, which exists in gym before 0.26.

        Args:
            seed: the argument of the environment's ``seed``.

        Raises:
            AttributeError: for environments that are seeded by ``reset(seed=...)``.
            ValueError: before ``initialize``; if the environment is closed.
            Exception: an exception of the environment.
            RuntimeError: if the process died twice in a row.
        """
        self._check_initialized("seed()")
        return self._processes.call(self._index, "call", ("seed", (seed,), {}))

    def __str__(self) -> str:
        return f"<{type(self).__name__} {self._index}>"


def create_subprocess_envs(
    env_fns: Iterable[Callable[[], Any]],
    *,
    num_workers: int | None = None,
    context: str | BaseContext | None = None,
) -> list[SubprocessEnv]:
    """Makes environments in worker processes, all at the same time.

    The environments share one block of memory, so that ``MultiEnv`` steps all of them with one message.

    Args:
        env_fns: functions that each make one environment, called in the worker processes; they must not make a
            ``SubprocessEnv``.
        num_workers: number of processes; ``None`` for one per environment, so that no environment waits for another.
            One process per core is faster if all environments are stepped together and steps take equally long; if such
            a process dies, several environments are lost.
        context: start method of the processes: ``"fork"``, ``"spawn"``, ``"forkserver"`` or one of multiprocessing's
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
