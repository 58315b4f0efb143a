"""Methods of the interfaces that several kinds of pools have: EnvPool's, gymnasium's and legacy gym's."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._facades.environments import seed_list
from envpool_rs._facades.pool import NativePool, autoreset_mode
from envpool_rs._spec.options import render_metadata
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from envpool_rs._core import Out

_CALLS = (
    *("step", "send", "recv", "reset_envs", "get_state", "set_state", "draw_pictures", "draw_texts"),
    *("rollout_buffer", "_recv_columns", "_recv_within", "_send_reset", "_next_rows", "_recv_again", "_deliveries"),
    "_bit_generators",
)
"""Methods of the Rust extension's pool; after ``close`` and ``reset``, they are bound to the recreated pool."""

_STEP_TYPE_LAST = 2
"""dm_env's step type of an episode's last step."""


class EnvPoolResets:
    """Mixin with EnvPool's ``seed`` and ``reset``, for any pool that has ``_reset_envs``."""

    _reset_envs: Any

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Mapping[str, Any] | None = None,
        out: Out | None = None,
    ) -> Any:
        """Resets environments immediately, cancelling a pending autoreset.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` continues the random streams; an int gives environment ``i`` the seed ``seed + i``; a
                sequence has an entry (``None`` allowed) for each environment to reset (with a ``reset_mask``: for each
                environment of the pool).
            options: ``reset_mask`` (``(num_envs,)`` booleans) instead of ``env_id``, and the environment's reset
                options.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns:
            Observations and info of the reset environments, ``n`` rows; in async mode without ids, of the first
                ``batch_size`` environments to finish. With dm_env's interface, a time step whose ``first()`` is true.
        """
        return self._reset_envs(env_id, seed, options, out=out)

    def seed(self, seed: Any = None) -> Any:
        """Does nothing, as in EnvPool: seeds are set when a pool is made, or by ``reset``."""
        warnings.warn(
            f"seed({seed!r}) changes nothing, as in EnvPool: give seeds when the pool is made, or by reset(seed=...)",
            stacklevel=2,
        )


class EnvPoolCalls(EnvPoolResets, NativePool):
    """Mixin with the methods that only EnvPool's interfaces have. A reset after ``close`` recreates the environments
    with their original seeds.

    ``_send``, ``_recv`` and ``_reset`` take and return lists of arrays, in the order of ``_action_keys`` and
    ``_state_keys``.
    """

    _excluded_from_copies: ClassVar[frozenset[str]] = NativePool._excluded_from_copies | {
        "_successor",
        "_has_ended",
        *_CALLS,
    }
    _is_final_when_closed: ClassVar[bool] = False
    _successor: _core.Pool | None = None
    """Pool that a reset after ``close`` created; it runs the environments from then on."""

    @property
    def _active_pool(self) -> _core.Pool:
        return self if self._successor is None else self._successor

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called without a later ``reset``."""
        return _closed(self._active_pool)

    def _recreate(self) -> None:
        if self._is_final_when_closed or not self.closed:
            return
        make: Any = type(self).__new__  # the pool class's `__new__`, which takes a specification
        successor = make(type(self), self._spec)
        for name in _CALLS:
            # Binds the Rust extension's methods to the recreated pool, so that calling them runs no Python wrapper.
            self.__dict__[name] = getattr(_core.Pool, name).__get__(successor)
        self._successor = successor
        self._seeds = self._spec.pool.config["seed"]

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        self._recreate()
        return super()._reset_envs(env_id, seed, options, **how)

    def async_reset(self) -> None:
        """Queues a reset of all environments. The results are received in batches."""
        self._recreate()
        _core.Pool.async_reset(self._active_pool)

    def _send(self, arrays: Sequence[Any]) -> None:
        """Queues one step of some environments: ids, players' ids and actions, as ``_action_keys`` names them."""
        names = [name.removeprefix("action:") for name in self._action_keys]
        if len(arrays) != len(names):
            keys = ", ".join(self._action_keys)
            raise ValueError(f"_send takes {len(names)} arrays, {keys}: {len(arrays)} were given")
        self.send(dict(zip(names, arrays, strict=True)))

    def _recv(self) -> list[npt.NDArray[Any]]:
        """Waits for the next batch; returns its arrays in the order of ``_state_keys``.

        Arrays that the pool's interface does not return are computed from its other arrays. Only the dm_env interface
        reports a discount of zero before an episode's end. With the other interfaces, if a lost life counts as the end
        of an episode, the step type after it is "first" only if this method also received the previous batch.
        """
        columns: dict[str, list[Any]] = {}
        for name, array in self._recv_columns():
            columns.setdefault(name, []).append(array)
        common = self._common_arrays(columns)
        own = iter([*columns["observation"], *columns.get("info", [])])
        return [common[name] if name in common else next(own) for name in self._state_keys]

    def _common_arrays(self, columns: dict[str, list[Any]]) -> dict[str, npt.NDArray[Any]]:
        """Returns the arrays of EnvPool's ``_recv`` that all tasks have, from those of the pool's interface."""
        first = {name: arrays[0] for name, arrays in columns.items()}
        ids, elapsed = first["env_id"], first["elapsed_step"]
        if "step_type" in first:  # results of the dm_env interface
            done = first["step_type"] == _STEP_TYPE_LAST
            truncated = done & (elapsed >= self._limits[ids])
            begins, discount = first["step_type"] == 0, first["discount"]
        else:
            truncated = first["truncated"]
            done = first["terminated"] | truncated if "terminated" in first else first["done"].copy()
            begins = (elapsed == 0) | (self._has_ended[ids] & ~done)
            discount = np.repeat(~done, self._spec.players).astype(np.float32)
        self._has_ended[ids] = done
        return {
            "info:env_id": ids,
            "info:players.env_id": first.get("player_env_id", ids),
            "elapsed_step": elapsed,
            "done": done,
            "reward": first["reward"],
            "discount": discount,
            "step_type": np.where(begins, 0, np.where(done, _STEP_TYPE_LAST, 1)).astype(np.int32),
            "trunc": truncated,
        }

    @functools.cached_property
    def _has_ended(self) -> npt.NDArray[np.bool_]:
        """Whether each environment's episode ended in the batch that ``_recv`` returned last for the environment."""
        return np.zeros(len(self), np.bool_)

    @functools.cached_property
    def _limits(self) -> npt.NDArray[np.int64]:
        """Time limit of each environment, in steps."""
        return np.broadcast_to(np.asarray(self.config["max_episode_steps"], np.int64), len(self))

    def _reset(self, env_id: Any) -> None:
        """Queues a reset of the environments with ids ``(n,)``. The results are received in batches."""
        self._recreate()
        self._send_reset(env_id)


def _closed(pool: _core.Pool) -> bool:
    closed: Any = _core.Pool.closed
    return bool(closed.__get__(pool))


class GymnasiumMixin(NativePool):
    """Attributes that EnvPool's gymnasium interface and gymnasium's vector environment share.

    Attributes:
        num_envs: number of environments.
        single_observation_space: observation space of one environment (one player).
        single_action_space: action space of one environment (one player).
        metadata: ``autoreset_mode`` is a ``gymnasium.vector.AutoresetMode``.
        autoreset_mode: equal to ``metadata["autoreset_mode"]``; gymnasium's own vector environments also have both.
    """

    is_vector_env = True
    num_envs: int
    single_observation_space: Any
    single_action_space: Any
    metadata: dict[str, Any]
    autoreset_mode: AutoresetMode

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(spec)
        self.num_envs = len(self)
        self.autoreset_mode = autoreset_mode(spec)
        self.metadata = {**render_metadata(spec.pool), "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = spec.observation_space
        self.single_action_space = spec.action_space

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """Seed of each environment's last seeded reset, as in gymnasium's own vector environments."""
        return tuple(seed_list(self._seeds, len(self)))

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """Copies of the environments' generators. Drawing from the copies changes nothing in the environments.

        Raises:
            AttributeError: if the environments use another generator than numpy's, run outside this process, or are in
                flight.
        """
        try:
            generators = self._bit_generators()
        except RuntimeError as error:
            raise AttributeError(f"np_random: {error}") from error
        return tuple(_generator(parts) for parts in generators)


def _generator(parts: tuple[int, int, int | None] | None) -> np.random.Generator:
    if parts is None:
        raise AttributeError("np_random: these environments draw from another generator than numpy's Generator")
    state, increment, spare = parts
    generator = np.random.Generator(np.random.PCG64())
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": int(spare is not None),
        "uinteger": spare or 0,
    }
    return generator


class GymMixin:
    """Mixin with ``seed`` and ``reset`` of legacy gym, for any pool that has ``_spec`` and ``_reset_envs``."""

    reward_range = (-float("inf"), float("inf"))

    _spec: Any
    _reset_envs: Any
    _next_seed: Any = None

    def seed(self, seed: Any = None) -> list[Any]:
        """Sets the seeds of the next ``reset()`` without a seed, as in gym before 0.26.

        Args:
            seed: an int, which gives environment ``i`` the seed ``seed + i``; a list of ``num_envs`` ints; or ``None``,
                which continues the random streams.
        """
        self._next_seed = seed
        return [seed]

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Mapping[str, Any] | None = None,
        return_info: bool | None = None,
        out: Out | None = None,
    ) -> Any:
        """Resets environments immediately, cancelling a pending autoreset.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` continues the random streams; an int gives environment ``i`` the seed ``seed + i``; a
                sequence has an entry for each environment to reset.
            options: ``reset_mask`` (``(num_envs,)`` booleans) instead of ``env_id``, and the environment's reset
                options.
            return_info: whether to return ``(obs, info)``; ``None`` follows the installed gym's format, see the class.
            out: arrays of the caller that receive the results, or a rollout buffer: see docs/learner.md.

        Returns:
            ``obs`` or ``(obs, info)``, ``n`` rows.
        """
        takes_next_seed = seed is None and env_id is None
        if takes_next_seed:
            seed = self._next_seed
        if return_info is None:
            return_info = bool(self._spec.config_dict()["gym_reset_return_info"])
        result = self._reset_envs(env_id, seed, options, return_info=return_info, out=out)
        if takes_next_seed:  # after the reset: if the reset raises, the seed remains for the next reset
            self._next_seed = None
        return result
