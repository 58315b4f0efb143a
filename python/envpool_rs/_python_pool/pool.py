"""The pool's contract over Python environments in worker processes: ids, batches, autoreset, failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from gymnasium.vector import AutoresetMode

from envpool_rs._facades.envpool_mixin import EnvPoolMixin
from envpool_rs._facades.exclusive_use import ExclusiveUse
from envpool_rs._facades.reset_arguments import ResetArguments
from envpool_rs._python_pool.action_batch import ActionBatch
from envpool_rs._python_pool.actions import ActionReader, action_reader
from envpool_rs._python_pool.env_ids import Ids, checked_ids
from envpool_rs._python_pool.environment_access import EnvironmentAccess
from envpool_rs._python_pool.exchange import Exchange
from envpool_rs._python_pool.infos import batched_infos, show_statistics
from envpool_rs._python_pool.observations import ObservationBatcher
from envpool_rs._python_pool.options import check_seeds
from envpool_rs._python_pool.rows import Rows
from envpool_rs._python_pool.spec import PythonEnvSpec
from envpool_rs._workers import Steps, WorkerGroup


class PythonPool(EnvironmentAccess, EnvPoolMixin):
    """Python environments in worker processes, stepped in batches.

    Subclasses say what a step and a reset return.

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

    def __init__(self, group: WorkerGroup, spec: PythonEnvSpec) -> None:
        """Takes over environments that have been made.

        Args:
            group: the environments, idle.
            spec: their specification.
        """
        super().__init__(spec)
        options = spec.options
        description = group.descriptions[0]
        self.num_envs = options.num_envs
        self.single_observation_space: Any = spec.observation_space
        self.single_action_space: Any = spec.action_space
        self.autoreset_mode = AutoresetMode[options.autoreset_mode.upper()]
        self.metadata: dict[str, Any] = {
            **(description.get("metadata") or {}),
            "autoreset_mode": self.autoreset_mode,
        }
        self.render_mode: str | None = description.get("render_mode")
        self._observation_batcher = ObservationBatcher(group.observation_spaces[0])
        self._single_array = self._observation_batcher.is_single_array
        self._reader: ActionReader = action_reader(spec.action_space)
        self._ends_in_steps = options.autoreset_mode == "same_step"
        self._records_statistics = options.record_episode_statistics
        self._exchange = Exchange(group, options)
        self._lanes = self._exchange.lanes
        self._sending, self._receiving = ExclusiveUse("this pool"), ExclusiveUse("this pool")

    # What a result looks like: the subclasses' to say.

    def _step_result(self, steps: Steps | Rows) -> Any:
        raise NotImplementedError

    def _reset_result(self, steps: Steps | Rows, *, return_info: bool = True, masked: bool = False) -> Any:
        raise NotImplementedError

    def _observations(self, steps: Steps | Rows) -> Any:
        leaves = steps.leaves
        return leaves[0] if self._single_array and leaves is not None else self._observation_batcher.batch(steps)

    def _own_infos(self, steps: Steps | Rows) -> dict[str, Any]:
        """What the environments themselves gave, with masks."""
        if not steps.has_infos and not self._ends_in_steps:
            return {}
        infos = batched_infos(steps, self._observation_batcher)
        if self._records_statistics:
            show_statistics(infos)
        return infos

    # The contract of every pool.

    def step(self, action: Any, env_id: Any = None) -> Any:
        """``send`` and ``recv`` in one call.

        Args:
            action: a batch of actions: an array ``(n, ...)`` of any integer, bool or float dtype, or what the action
                space's batches are made of otherwise (a dict, a tuple, a sequence of objects).
            env_id: ids ``(n,)``; ``None`` for all environments, in order.

        Raises:
            ValueError: for actions or ids that are not allowed.
            IndexError: for ids out of range.
            RuntimeError: where environments are in flight, have to be reset first, or a worker died.
            TimeoutError: where they take longer than the pool's ``timeout``; ``recv`` goes on waiting.
        """
        with self._sending.taken(), self._receiving.taken():
            if env_id is None and self._exchange.is_plain and not isinstance(action, dict):
                self._exchange.check_usable()
                return self._step_result(self._exchange.exchange(self._reader.rows(action, self.num_envs)))
            ids, actions = self._checked_step(action, env_id)
            self._exchange.check_exchangeable(len(ids))
            self._exchange.send_steps(ids, actions)
            return self._step_result(self._exchange.receive(latest=True))

    def send(self, action: Any, env_id: Any = None) -> None:
        """Queues one step of some environments; arguments as for ``step``."""
        with self._sending.taken():
            self._exchange.send_steps(*self._checked_step(action, env_id))

    def recv(self, reset: bool = False, return_info: bool = True) -> Any:
        """Waits for the next results: of the oldest ``send``, or, where the pool is asynchronous, of the
        ``batch_size`` environments that finished first.

        Args:
            reset: whether to return the shape of a reset's result.
            return_info: whether that has infos (legacy gym).

        Raises:
            RuntimeError: where nothing, or less than ``batch_size``, is in flight, or a worker died.
            TimeoutError: where it takes longer than the pool's ``timeout``; call again to go on waiting.
        """
        with self._receiving.taken():
            self._exchange.check_usable()
            self._exchange.check_receivable()
            steps = self._exchange.receive()
            return self._reset_result(steps, return_info=return_info) if reset else self._step_result(steps)

    def async_reset(self) -> None:
        """Queues a reset of all environments, to be received in batches."""
        with self._sending.taken():
            self._exchange.check_usable()
            self._lanes.check_not_in_flight(self._lanes.every)
            self._exchange.send_resets(self._lanes.every, None, None)

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._exchange.closed

    def close(self, **how: Any) -> None:
        """Closes all environments and ends their processes; closing twice is allowed.

        Args:
            how: ``timeout``, seconds to wait for environments that are busy, and ``terminate``, whether not to wait.

        Raises:
            TypeError: for any other argument.
            Exception: what an environment raised when it was closed; the processes have ended all the same.
        """
        unknown = set(how) - {"timeout", "terminate"}
        if unknown:
            raise TypeError(f"close() got unexpected arguments {sorted(unknown)}: expected timeout or terminate")
        self._exchange.close(**{name: value for name, value in how.items() if value is not None})

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

    # How it is done.

    def _ids(self, env_id: Any) -> Ids:
        return self._lanes.every if env_id is None else checked_ids(env_id, self.num_envs)

    def _checked_step(self, action: Any, env_id: Any) -> tuple[Ids, Any]:
        self._exchange.check_usable()
        if isinstance(action, dict):
            batch = ActionBatch(action, env_id, self._reader, self.num_envs)
            action, env_id = batch.action, batch.env_id
        ids = self._ids(env_id)
        self._lanes.check_not_in_flight(ids)
        self._lanes.check_steppable(ids)
        return ids, self._reader.rows(action, len(ids))

    def _reset(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: bool) -> Any:
        """Resets environments now.

        Args:
            env_id: ids, or ``None``.
            seed: seeds, as the facades' ``reset`` takes them.
            options: ``reset_mask``, and the environments' own.
            how: for ``_reset_result``.
        """
        arguments = ResetArguments(self.num_envs, env_id, seed, options)
        with self._sending.taken(), self._receiving.taken():
            self._exchange.check_usable()
            ids = self._ids(arguments.env_id)
            seeds = _seed_list(arguments.seed, len(ids))
            if arguments.env_id is None:
                self._exchange.drain()
            self._lanes.check_not_in_flight(ids)
            self._exchange.check_exchangeable(len(ids))
            if arguments.masked:
                self._check_masked_reset(ids)
            self._exchange.send_resets(ids, seeds, _own_options(options))
            return self._reset_result(self._exchange.receive(latest=True), masked=arguments.masked, **how)

    def _check_masked_reset(self, ids: Ids) -> None:
        """Refuses masks that the facade cannot answer."""

    def _call(self, env_ids: Any, operation: str, payloads: list[Any] | None) -> tuple[Any, ...]:
        with self._sending.taken(), self._receiving.taken():
            self._exchange.check_usable()
            ids = self._ids(env_ids)
            self._lanes.check_not_in_flight(ids)
            return self._exchange.call(ids, operation, payloads)


def _own_options(options: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What environments get of a reset's options, as gymnasium passes them on: without the mask, but not ``None``."""
    return None if options is None else {key: value for key, value in options.items() if key != "reset_mask"}


def _seed_list(seed: int | list[int | None] | None, count: int) -> list[int | None] | None:
    seeds: list[int | None] | None = [seed + index for index in range(count)] if isinstance(seed, int) else seed
    check_seeds(seeds or [])
    return seeds
