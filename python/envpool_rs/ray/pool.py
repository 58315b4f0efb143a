"""The pool's contract over native pools in the actors of a cluster."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._facades.envpool_mixin import EnvPoolMixin
from envpool_rs._facades.exclusive_use import ExclusiveUse
from envpool_rs._facades.rendering import RenderMixin
from envpool_rs._facades.reset_arguments import ResetArguments, seed_list
from envpool_rs._python_pool.env_ids import Ids, checked_ids
from envpool_rs._python_pool.options import check_seeds
from envpool_rs._spec.render_options import render_metadata
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.action_batches import ActionBatches
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.exchange import RayExchange
from envpool_rs.ray.share_rows import ShareRows


class RayPool(RenderMixin, EnvPoolMixin):
    """Native environments in the actors of a Ray cluster, as one pool: ids, seeds, batches, autoreset and errors are
    those of a local pool, and so is every trajectory.

    An answer of an actor is one object; the rows of one ``send`` to an actor arrive together, and asynchronous batches
    take the answers that came first.

    Subclasses say what a step and a reset return. Environments whose actor died are told of by ``info["restarted"]``
    (``(n,)`` booleans), which is there only in batches that have such rows.

    Attributes:
        num_envs: number of environments.
        single_observation_space: observation space of one environment (one player).
        single_action_space: action space of one environment (one player).
        metadata: ``autoreset_mode`` is a ``gymnasium.vector.AutoresetMode``.
    """

    is_vector_env = True

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification.
            actors: its environments.
        """
        super().__init__(spec)
        config = spec.pool.config
        mode = str(config["autoreset_mode"])
        self.num_envs = len(self)
        self.single_observation_space: Any = spec.observation_space
        self.single_action_space: Any = spec.action_space
        self.metadata: dict[str, Any] = {
            **render_metadata(spec.pool),
            "autoreset_mode": AutoresetMode[mode.upper()],
        }
        self.render_mode = spec.rendering.mode
        self._actors = actors
        self._is_async = self.is_async
        self._exchange = RayExchange(actors, self.num_envs, int(config["batch_size"]), mode, spec.rows)
        self._action_batches = ActionBatches(spec)
        self._pid = os.getpid()
        self._sending, self._receiving = ExclusiveUse("this pool"), ExclusiveUse("this pool")

    # What a result looks like: the subclasses' to say.

    def _step_result(self, rows: ShareRows) -> Any:
        raise NotImplementedError

    def _reset_result(self, rows: ShareRows, return_info: bool = True) -> Any:
        raise NotImplementedError

    # The contract of every pool.

    def step(self, action: Any, env_id: Any = None) -> Any:
        """``send`` and ``recv`` in one call.

        Args:
            action: ``(rows, ...)`` array of any integer, bool or float dtype; a dict of arrays for dict spaces.
            env_id: ``(n,)`` integers; ``None`` for all environments, in order.

        Raises:
            ValueError, TypeError, IndexError: for actions or ids that are not allowed.
            RuntimeError: where environments are in flight, have to be reset first, or an actor died for good.
        """
        with self._sending.taken(), self._receiving.taken():
            self._check_usable()
            actions, ids = self._checked_step(action, env_id)
            self._exchange.check_exchangeable(self.num_envs if ids is None else len(ids))
            self._exchange.send_steps(actions, ids)
            return self._step_result(self._exchange.receive())

    def send(self, action: Any, env_id: Any = None) -> None:
        """Queues one step of some environments; arguments as for ``step``."""
        with self._sending.taken():
            self._check_usable()
            self._exchange.send_steps(*self._checked_step(action, env_id))

    def recv(self, reset: bool = False, return_info: bool = True) -> Any:
        """Waits for the next results: of the oldest ``send``, or, where the pool is asynchronous, of the ``batch_size``
        environments whose actors answered first.

        Args:
            reset: whether to return the shape of a reset's result.
            return_info: whether that has infos (legacy gym).

        Raises:
            RuntimeError: where nothing, or less than ``batch_size``, is in flight, or an actor died for good.
        """
        with self._receiving.taken():
            self._check_usable()
            self._exchange.check_receivable()
            rows = self._exchange.receive()
            return self._reset_result(rows, return_info) if reset else self._step_result(rows)

    def async_reset(self) -> None:
        """Queues a reset of all environments, to be received in batches."""
        with self._sending.taken():
            self._check_usable()
            every = self._exchange.lanes.every
            self._exchange.lanes.check_not_in_flight(every)
            self._actors.check_alive(every)
            self._exchange.send_resets(every, None, None)

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values, those of the actors last."""
        return {**super().config, **self._actors.options()}

    @property
    def is_direct(self) -> bool:
        """Whether actors are called over connections of this process's own, and not by Ray's calls."""
        return self._actors.is_direct

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._actors.closed

    def close(self, **how: Any) -> None:
        """Ends all actors; closing twice is allowed. Ray itself goes on.

        Args:
            how: ``timeout`` and ``terminate``, which gymnasium's own vector environments take. Nothing is waited for
                here, so that every value of them is met.

        Raises:
            TypeError: for any other argument.
        """
        unknown = set(how) - {"timeout", "terminate"}
        if unknown:
            raise TypeError(f"close() got unexpected arguments {sorted(unknown)}: expected timeout or terminate")
        if self._pid == os.getpid():
            self._close_window()
            self._actors.close()

    def get_state(self, env_ids: Any = None) -> list[bytes]:
        """Snapshots of environments with their generators, as a local pool's; ``None`` for all.

        Raises:
            RuntimeError: while work is in flight, or after ``close``.
        """
        with self._sending.taken(), self._receiving.taken():
            ids = self._idle(env_ids)
            return self._actors.get_state(ids)

    def set_state(self, state: Sequence[bytes], env_ids: Any = None) -> None:
        """Restores snapshots of the same task and options, of this pool or a local one; ``None`` for all environments.

        Raises:
            ValueError: for snapshots that do not fit. Environments of other actors may have changed already.
            RuntimeError: while work is in flight, or after ``close``.
        """
        with self._sending.taken(), self._receiving.taken():
            ids = self._idle(env_ids)
            if len(state) != len(ids):
                raise ValueError(f"state has {len(state)} entries: expected {len(ids)}")
            self._actors.set_state(list(state), ids)
            self._exchange.lanes.settle(Restored(ids))

    def draw_pictures(self, env_ids: Any, width: int, height: int) -> npt.NDArray[np.uint8]:
        """Pictures ``(n, height, width, 3)`` of environments, drawn in this process; ``None`` for all."""
        pool, ids = self._local_copy(env_ids)
        return pool.draw_pictures(ids, width, height)

    def draw_texts(self, env_ids: Any = None) -> list[str]:
        """Environments in text; ``None`` for all."""
        pool, ids = self._local_copy(env_ids)
        return pool.draw_texts(ids)

    def _local_copy(self, env_ids: Any) -> tuple[_core.Pool, npt.NDArray[np.int64]]:
        """A pool in this process with environments that are what these are now, and their ids in it."""
        states = self.get_state(env_ids)
        shown = range(len(states)) if env_ids is None else [int(env_id) for env_id in env_ids]
        alone = {"batch_size": 0, "num_threads": 1, "seed": 0, "render_env_id": 0}
        pool = _core.Pool(self._spec.for_envs(shown or [0], **alone).pool, "gymnasium")
        ids = np.arange(len(states))
        pool.set_state(states, ids)
        return pool, ids

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """The seed that each environment's generator was last given."""
        return tuple(seed_list(self._actors.seeds, self.num_envs))

    @property
    def np_random(self) -> NoReturn:
        """The generators live in the actors, where no numpy ``Generator`` can draw from them.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("np_random: the generators live in the actors; seed them with reset(seed=...)")

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in actors")

    # Checks.

    def _check_usable(self) -> None:
        if os.getpid() != self._pid:
            raise RuntimeError("this pool belongs to the parent process: make another one after the fork")
        self._actors.check_usable()

    def _idle(self, env_ids: Any) -> Ids:
        self._check_usable()
        lanes = self._exchange.lanes
        ids = lanes.every if env_ids is None else checked_ids(env_ids, self.num_envs, "env_ids")
        lanes.check_not_in_flight(ids)
        return ids

    def _checked_step(self, action: Any, env_id: Any) -> tuple[Any, Ids | None]:
        actions, ids = self._action_batches.read(action, env_id)
        lanes = self._exchange.lanes
        asked = lanes.every if ids is None else ids
        lanes.check_not_in_flight(asked)
        self._actors.check_alive(asked)
        lanes.check_steppable(asked)
        return actions, ids

    def _reset(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: bool) -> Any:
        arguments = ResetArguments(self.num_envs, env_id, seed, options)
        all_rows = how.pop("all_rows", False)
        with self._sending.taken(), self._receiving.taken():
            self._check_usable()
            every = self._exchange.lanes.every
            ids = every if arguments.env_id is None else checked_ids(arguments.env_id, self.num_envs)
            seeds = _seeds_of(arguments.seed, ids)
            self._actors.check_reset_options(arguments.options)
            self._check_resettable(ids, drained=env_id is None, all_rows=all_rows)
            self._exchange.send_resets(ids, seeds, arguments.options, all_rows)
            self._actors.seeds = arguments.seeds_after(self._actors.seeds)
            return self._reset_result(self._exchange.receive(), **how)

    def _check_resettable(self, ids: Ids, drained: bool, all_rows: bool) -> None:
        """Refuses resets that cannot be answered now.

        Args:
            ids: what is to be reset.
            drained: whether what is in flight may be thrown away.
            all_rows: whether every environment is to be shown.
        """
        lanes = self._exchange.lanes
        if all_rows and self._is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        if drained and len(ids) == self.num_envs:
            self._exchange.drain()
        shown = lanes.every if all_rows else ids
        lanes.check_not_in_flight(shown)
        self._actors.check_alive(shown)
        if all_rows:
            lanes.check_shown(ids)
        self._exchange.check_exchangeable(len(ids))


class Restored:
    """Environments that were put into states that can be stepped."""

    def __init__(self, ids: Ids) -> None:
        """Says which.

        Args:
            ids: the environments.
        """
        self.ids = ids
        self.terminated = self.truncated = np.zeros(len(ids), np.bool_)


def _seeds_of(seed: int | list[int | None] | None, ids: Ids) -> list[int | None] | None:
    if seed is None:
        return None
    seeds: list[int | None] = [seed + index for index in range(len(ids))] if isinstance(seed, int) else seed
    check_seeds(seeds)
    return seeds
