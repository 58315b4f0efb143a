"""The pool of Python environments in worker processes, without the shape of its results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn

from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._facades.envpool_mixin import EnvPoolMixin, check_close_options
from envpool_rs._facades.reset_arguments import ResetArguments
from envpool_rs._python_pool.environment_access import EnvironmentAccess
from envpool_rs._python_pool.outside_spec import outside_spec
from envpool_rs._python_pool.overseer import value_of
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers.serialization import dumps
from envpool_rs._workers.worker_envs import WorkerEnvs

if TYPE_CHECKING:
    from envpool_rs._core import Layout


class PythonPool(EnvironmentAccess, EnvPoolMixin, _core.Pool):
    """Python environments in worker processes, stepped in batches by the pool that steps native ones.

    Attributes:
        num_envs: number of environments.
        single_observation_space: observation space of one environment.
        single_action_space: action space of one environment.
        metadata: the first environment's, and ``autoreset_mode`` as a ``gymnasium.vector.AutoresetMode``.
        autoreset_mode: the same.
        render_mode: the first environment's.
    """

    is_vector_env = True
    _spec: PythonEnvSpec

    def __new__(cls, envs: WorkerEnvs, spec: PythonEnvSpec) -> Any:
        """Takes over environments that have been made.

        Args:
            envs: the environments, idle.
            spec: their specification.
        """
        return cls._create(envs, spec, "gymnasium")

    @classmethod
    def _create(cls, envs: WorkerEnvs, spec: PythonEnvSpec, layout: Layout, **how: Any) -> Any:
        return _core.Pool.__new__(cls, outside_spec(envs, spec), layout, **how)

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        """Describes the environments.

        Args:
            envs: the environments.
            spec: their specification.
        """
        super().__init__(spec)
        assert envs.made is not None  # they are made
        options = spec.options
        description = envs.made.descriptions[0]
        self.num_envs = options.num_envs
        self.single_observation_space: Any = spec.observation_space
        self.single_action_space: Any = spec.action_space
        self.autoreset_mode = AutoresetMode[options.autoreset_mode.upper()]
        self.metadata: dict[str, Any] = {
            **(description.get("metadata") or {}),
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode: str | None = description.get("render_mode")

    def close(self, **how: Any) -> None:
        """Closes all environments and ends their processes; closing twice is allowed.

        Args:
            how: ``timeout``, seconds to wait for environments that are busy (5 unless given), and ``terminate``,
                whether not to wait.

        Raises:
            TypeError: for any other argument.
            Exception: what an environment raised when it was closed; the processes have ended all the same.
        """
        check_close_options(how)
        self._end(how.get("timeout"), bool(how.get("terminate")))

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")

    def get_state(self, env_ids: Any = None) -> NoReturn:
        """Python environments have no snapshots.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("get_state(): Python environments have no snapshots")

    def set_state(self, state: Any, env_ids: Any = None) -> NoReturn:
        """Python environments have no snapshots.

        Raises:
            NotImplementedError: always.
        """
        raise NotImplementedError("set_state(): Python environments have no snapshots")

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: bool) -> Any:
        arguments = ResetArguments(self.num_envs, env_id, seed, options)
        return self.reset_envs(arguments.env_id, arguments.seed, _own_options(options), **how)

    def _begin_reset_envs(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        arguments = ResetArguments(self.num_envs, None, seed, options)
        self._send_reset(arguments.env_id, arguments.seed, _own_options(options), all_rows=arguments.masked)

    def _call(self, env_ids: Any, operation: str, payloads: list[Any] | None) -> tuple[Any, ...]:
        # One for all of them where they are not told apart.
        messages = [dumps((operation, payload)) for payload in ([None] if payloads is None else payloads)]
        answers = self._ask(env_ids, messages)
        ids = range(self.num_envs) if env_ids is None else env_ids
        return tuple(value_of(answer, int(env_id), operation) for answer, env_id in zip(answers, ids, strict=True))


def _own_options(options: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The options of a reset that are the environments' own."""
    return None if options is None else {name: each for name, each in options.items() if name != "reset_mask"}
