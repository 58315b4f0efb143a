"""Makes, describes, calls and closes the environments that one process hosts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from envpool_rs._core import EnvHost, SharedBlock
from envpool_rs._workers.adapters import adapt
from envpool_rs._workers.conform import conform_function
from envpool_rs._workers.env_failure import EnvFailure, failure_bytes
from envpool_rs._workers.env_operations import OPERATIONS, is_from
from envpool_rs._workers.observation_layout import ObservationLayout, RowLayouts
from envpool_rs._workers.parallel_env import ParallelEnvAdapter
from envpool_rs._workers.reset_results import pair_test, reset_defaults
from envpool_rs._workers.serialization import dumps, dumps_message, dumps_or_none, loads

_PAIR = 2


@dataclass(frozen=True)
class HostOptions:
    """Options for making and running environments, equal in every process.

    Attributes:
        lenient: whether observations that do not fit their rows are sent as pickled objects.
        adapt: whether environments of legacy gym and dm_env are adapted to gymnasium's interface.
        wrap: callable that is applied to each new environment; None for none.
        wrap_restarted: callable applied instead of ``wrap`` in a restarted process; None for ``wrap``.
    """

    lenient: bool
    adapt: bool
    wrap: Callable[[Any], Any] | None
    wrap_restarted: Callable[[Any], Any] | None = None


@dataclass(frozen=True)
class EnvReport:
    """Description of an environment: spaces, metadata, ...

    Each field is pickled separately; a field is None if the environment lacks it or it cannot be pickled.
    """

    observation_space: bytes | None
    action_space: bytes | None
    description: dict[str, bytes | None]


class EnvCreationError(Exception):
    """Raised if an environment could not be made; holds the pickled failure."""

    def __init__(self, failure: bytes) -> None:
        super().__init__(failure)
        self.failure = failure


class HostedEnvs:
    """The environments that one process hosts.

    Args:
        env_ids: ids of these environments in the worker group.
        env_fns: factories of these environments.
        options: options for making and running the environments.
        is_restarted: whether the process was restarted.
    """

    def __init__(
        self,
        env_ids: Sequence[int],
        env_fns: Sequence[Callable[[], Any]],
        options: HostOptions,
        *,
        is_restarted: bool = False,
    ) -> None:
        self._wrap = (options.wrap_restarted if is_restarted else None) or options.wrap
        self._env_ids = list(env_ids)
        self._env_fns = env_fns
        self._options = options
        self._envs: dict[int, Any] = {}

    def make(self) -> None:
        """Makes all environments.

        Raises:
            EnvCreationError: for the first failure; the environments that were already made are closed first.
        """
        for env_id, function in zip(self._env_ids, self._env_fns, strict=True):
            try:
                self._envs[env_id] = self._made(function)
            except BaseException as error:
                failure = failure_bytes(env_id, "make", error)
                self.close_all()
                raise EnvCreationError(failure) from error

    def _made(self, function: Callable[[], Any]) -> Any:
        env = function()
        if self._wrap is not None:
            env = self._wrap(env)
        if not callable(getattr(env, "step", None)) or not callable(getattr(env, "reset", None)):
            raise TypeError(f"its factory made {env!r}: expected an environment, with step and reset")
        return adapt(env) if self._options.adapt else env

    def reports(self) -> list[EnvReport]:
        """Returns the descriptions of the process's environments, in order."""
        return [_report(self._envs[env_id]) for env_id in self._env_ids]

    def host(self, block: SharedBlock, rows: RowLayouts) -> EnvHost:
        """Returns the host that runs requests on the environments and writes observations into ``rows``."""
        layouts = {env_id: ObservationLayout.of_pickled(rows.spaces[env_id]) for env_id in self._env_ids}
        return EnvHost(
            block,
            self._env_ids,
            [self._envs[env_id] for env_id in self._env_ids],
            [layouts[env_id].structure for env_id in self._env_ids],
            lenient=self._options.lenient,
            conform=conform_function(layouts, lenient=self._options.lenient),
            dumps=dumps_message,
            failure=failure_bytes,
            call=self.call,
            required=[list(reset_defaults(self._envs[env_id])) for env_id in self._env_ids],
            is_observation=[pair_test(_attribute(self._envs[env_id], "observation_space")) for env_id in self._env_ids],
        )

    def call(self, env_id: int, payload: bytes) -> bytes:
        """Runs an operation that is neither a step nor a reset.

        Args:
            env_id: the environment.
            payload: ``(operation, argument)``, pickled.

        Returns: the pickled result or an EnvFailure.
        """
        operation = "call"
        try:
            operation, argument = loads(payload)
            if operation == "close":
                return dumps(self._close(env_id))
            if env_id not in self._envs:
                raise RuntimeError(f"environment {env_id} is closed")
            return _dumped_value(OPERATIONS[operation](self._envs[env_id], argument))
        except BaseException as error:
            return failure_bytes(env_id, operation, error)

    def _close(self, env_id: int) -> Any:
        env = self._envs.pop(env_id, None)
        close = getattr(env, "close", None)
        if callable(close):
            close()

    def close_all(self) -> list[EnvFailure]:
        """Closes the environments that are still open; returns their failures."""
        failures = []
        for env_id in list(self._envs):
            try:
                self._close(env_id)
            except BaseException as error:
                failures.append(EnvFailure.of(env_id, "close", error))
        return failures


def _dumped_value(value: Any) -> bytes:
    try:
        return dumps(value)
    except Exception as error:
        raise TypeError(f"the result, of type {type(value).__name__}, {error}") from error


def _report(env: Any) -> EnvReport:
    return EnvReport(
        _pickled(_attribute(env, "observation_space")),
        _pickled(_attribute(env, "action_space")),
        {name: _pickled(value) for name, value in _description(env).items()},
    )


def _description(env: Any) -> dict[str, Any]:
    """Returns what an environment declares besides its spaces; ``None`` for values of another type than gym's or
    gymnasium's, such as those that a catch-all ``__getattr__`` returns.
    """
    metadata, render_mode, limits = (_attribute(env, name) for name in ("metadata", "render_mode", "reward_range"))
    spec = _attribute(env, "spec")
    return {
        "metadata": metadata if isinstance(metadata, Mapping) else None,
        "spec": spec if is_from(spec, "EnvSpec") else None,
        "reward_range": limits if isinstance(limits, (tuple, list)) and len(limits) == _PAIR else None,
        "render_mode": render_mode if isinstance(render_mode, str) else None,
        "agent_spaces": env.agent_spaces if isinstance(env, ParallelEnvAdapter) else None,
    }


def _attribute(env: Any, name: str) -> Any:
    try:
        return getattr(env, name, None)
    except Exception:
        return None


def _pickled(value: Any) -> bytes | None:
    return None if value is None else dumps_or_none(value)
