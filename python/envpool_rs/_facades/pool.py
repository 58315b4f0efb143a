"""Pools of native environments and the methods that all pools share, with rendering and normalisation."""

from __future__ import annotations

import functools
import secrets
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs import _core
from envpool_rs._arguments import SEEDS, alternatives, array, choice, integer, is_series, mapping, optional_integer
from envpool_rs._facades.environments import FinalInfos, ResetArguments, Seeds, fixed_attribute
from envpool_rs._facades.normalization import Normalization
from envpool_rs._facades.rendering import Window
from envpool_rs._facades.statistics import Statistics, print_tables, statistics_of
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._spec.assets import check_assets
from envpool_rs._spec.options import DEPTH_MODES, check_camera, log_resolved, render_modes
from envpool_rs._spec.spec import EnvSpec


class EnvPoolMixin(KnownAttributes):
    """Base class of every pool, of native or Python environments. Pools are context managers. ``render_mode`` is the
    format of ``render()``: ``"rgb_array"``, ``"depth_array"``, ``"rgbd_tuple"``, ``"ansi"``, ``"human"``, or ``None``.
    """

    render_mode: str | None = None
    _spec: EnvSpec
    _size: int
    _close: Any
    _recording = 0, ""  # of statistics: the number of the recorded object, and the recording's name

    def __init__(self, spec: EnvSpec) -> None:
        self._spec, self._size, self.render_mode = spec, spec.num_envs, spec.rendering.mode
        self._set_up(spec)
        print_tables(self)

    @classmethod
    def _format(cls, spec: EnvSpec) -> dict[str, Any]:
        """Returns the arguments of the extension's pool that define the format of the interface's results."""
        return {"layout": "gymnasium"}

    def _set_up(self, spec: EnvSpec) -> None:
        """Sets the attributes of the interface."""

    def close(self, **how: Any) -> None:
        """Frees all environments. A second call does nothing.

        Any other call afterwards raises ``gymnasium.error.ClosedEnvironmentError``, which is also a ``RuntimeError``.
        With EnvPool's interfaces ``reset`` and ``async_reset`` recreate native environments.

        Arguments are ``timeout`` and ``terminate``, as in gymnasium's own vector environments: seconds to wait for busy
        worker processes (default 5), and whether to end them without waiting. They have no effect on native
        environments. An exception of a Python environment's ``close`` is raised after the processes have ended.
        """
        unknown = set(how) - {"timeout", "terminate"}
        if unknown:
            raise TypeError(f"close() got unexpected arguments {sorted(unknown)}: expected timeout or terminate")
        self._close(how)

    @property
    def spec(self) -> EnvSpec:
        """Specification of the pool. Assigning a gymnasium spec replaces ``id``, ``kwargs`` and so on only."""
        return self._spec

    @spec.setter
    def spec(self, spec: GymnasiumEnvSpec) -> None:
        self._spec = self._spec.described_by(spec)

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values."""
        return self._spec.config_dict()

    def stats(self) -> Statistics:
        """Returns statistics of the pool's work: durations of steps, waits, resets and restarts, for the pool and each
        environment. The first call starts the recording; the pool is as fast as before without a call. Raises the
        errors of a closed pool, and of one in a forked child.
        """
        pool = self._recorded_pool
        if self._recording[0] != id(pool):
            self._recording = id(pool), secrets.token_hex(8)
        return statistics_of(pool, self._recording[1])

    @property
    def _recorded_pool(self) -> Any:
        return self

    @property
    def all_env_ids(self) -> npt.NDArray[np.int32]:
        """Ids of all environments ``(num_envs,)``: 0, 1, ..."""
        return np.arange(len(self), dtype=np.int32)

    @property
    def is_async(self) -> bool:
        """Whether batches are smaller than the pool, so that they hold the environments that finish first."""
        return self._spec.is_async

    def __del__(self) -> None:
        """Does nothing, unlike that of gymnasium before 1.4, whose ``close`` fails at the end of the interpreter."""

    def __len__(self) -> int:
        return self._size

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        config = ", ".join(f"{name}={value!r}" for name, value in self.config.items())
        return f"{type(self).__name__}({self._spec.id!r}, {config})"

    __str__ = object.__str__  # the `repr`, which gymnasium's classes replace
    _state_keys = property(lambda pool: pool._spec._state_keys, doc="EnvPool's names of a result's arrays.")
    _action_keys = property(lambda pool: pool._spec._action_keys, doc="EnvPool's names of a step's input.")

    def xla(self) -> Any:
        """Raises a ``NotImplementedError``: only native pools of this process have functions for JAX."""
        raise NotImplementedError(
            f"xla(): {type(self).__name__} has no functions for JAX, since its environments live in other processes; "
            "native tasks, made by make, make_gym, make_dm or make_vec, have them"
        )


class NativePool(EnvPoolMixin, _core.Pool):
    """Base class of pools of native environments, which can be copied and pickled while none of these is in flight."""

    _seeds: Seeds
    _window: Window | None = None
    _successor: _core.Pool | None = None  # the pool that runs the environments since a reset after `close`
    _statistics_source: Normalization | None = None  # of another pool, whose statistics this one uses
    _is_frozen = False  # whether the user has frozen the statistics

    def __new__(cls, spec: EnvSpec) -> Any:
        """Creates the environments of a specification without resetting them. Raises an ``ImportError`` or
        ``FileNotFoundError`` for missing files of other packages, and a ``ValueError`` for wrong ones and for a
        specification that the interface cannot represent.
        """
        check_assets(spec.pool)
        pool = _core.Pool.__new__(cls, spec.pool, **cls._format(spec), finish=FinalInfos(spec))
        log_resolved(spec.pool.task_id, pool.decided)
        return pool

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(spec)
        self._seeds = spec.pool.config["seed"]
        self._statistics_source = spec.statistics_source
        self._prepare_statistics()

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values; where the caller left the choice to the pool, with those that it chose."""
        return {**super().config, **{option: value for option, value, _ in self.decided}}

    def _close(self, how: Mapping[str, Any]) -> None:
        window, self._window = self._window, None
        if window is not None:
            window.close()
        _core.Pool.close(self._active_pool)

    @property
    def _recorded_pool(self) -> Any:
        return self._active_pool

    @property
    def _active_pool(self) -> _core.Pool:
        return self if self._successor is None else self._successor

    @property
    def normalization(self) -> Normalization | None:
        """Statistics of normalisation; ``None`` if the pool changes neither observations nor rewards."""
        config = self._spec.pool.config
        changes_results = any(config[name] for name in ("normalize_obs", "normalize_reward", "clip_obs", "clip_reward"))
        return Normalization(self) if changes_results else None

    def _prepare_statistics(self) -> None:
        """Copies the statistics of another pool before a reset of all environments, or checks frozen ones."""
        source, own = self._statistics_source, None
        if source is not None or self._is_frozen:
            own = self.normalization
        if own is not None and source is not None:
            own._copy_from(source)
        elif own is not None:
            own._check_counted()

    def xla(self) -> Any:
        """Returns ``handle, recv, send, step`` for JAX, usable inside ``jit``, ``lax.scan`` and so on: see docs/jax.md.

        ``recv(handle)`` and ``step(handle, action, env_id=None)`` return the handle and the results of the methods of
        these names; ``send(handle, action, env_id=None)`` returns the handle. Raises an ``ImportError`` if jax is not
        installed, and a ``RuntimeError`` after ``close`` and in a forked child.
        """
        from envpool_rs.xla import xla_functions

        return xla_functions(self._active_pool, self._spec)

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            states = self.get_state()
        except RuntimeError as error:
            raise TypeError(f"cannot copy or pickle {type(self).__name__}: {error}") from error
        attributes = {name: value for name, value in self.__dict__.items() if name not in _EXCLUDED_FROM_COPIES}
        return type(self), (self._spec,), (states, attributes)

    def __setstate__(self, state: tuple[list[bytes], dict[str, Any]]) -> None:
        self.set_state(state[0])
        vars(self).update(state[1])

    def set_options(self, *, env_ids: Any = None, when: str = "next_episode", **options: Any) -> None:
        """Sets options of the environments ``env_ids`` ``(k,)``, or all, in force when their next episodes begin.

        A value is one for all these environments, a list of ``k``, or a distribution such as ``("uniform", 8, 12)``, as
        when the pool is made. Other options keep their values. Raises a ``TypeError`` for an unknown option and for a
        value of another type; a ``ValueError`` for a value that is not allowed, and for an option that is fixed when
        the pool is made, because spaces or state beyond an episode depend on it; and a ``RuntimeError`` for an
        environment in flight. No environment is changed then.
        """
        choice("when", when, ("next_episode",))
        self._active_pool._set_options(options, _ids(env_ids))

    def get_options(self, env_ids: Any = None) -> dict[str, Any]:
        """Returns the values in force of all options that ``set_options`` can change: arrays ``(k,)``, or lists if they
        are no numbers. An environment that was never reset has those of its first episode, which may be distributions.
        """
        options = self._active_pool._get_options(_ids(env_ids))
        return {name: array_or_list(values) for name, values in options.items()}

    def queue_resets(self, env_ids: Any = None, *, seeds: Any = None, options: dict[str, Any] | None = None) -> None:
        """Appends a reset to the queue of each of the environments ``env_ids`` ``(k,)``, all by default.

        Each episode that begins without a seed or options of its own takes the first entry of its environment's queue,
        whether autoreset or ``reset`` begins it. An id may occur several times; its entries are taken in this order.
        ``seeds`` are one seed or one (or ``None``: the environment's generator continues) for each id. ``options`` are
        for one episode alone: those of ``set_options``, and those that ``reset(options=...)`` takes, with one value or
        one for each id. Raises the exceptions of ``set_options``.
        """
        if seeds is not None and not is_series(seeds):
            integer("seeds", seeds, kind=SEEDS)
        given = None if options is None else dict(mapping("options", options))
        self._active_pool._queue_resets(_ids(env_ids), seeds, given)

    def queued_resets(self, env_ids: Any = None) -> npt.NDArray[np.int64]:
        """Returns the number of resets in the queue of each of the environments ``env_ids``, all by default."""
        return np.array(self._active_pool._queued_resets(_ids(env_ids)), np.int64)

    def clear_resets(self, env_ids: Any = None) -> None:
        """Removes all resets from the queues of the environments ``env_ids``, all by default."""
        self._active_pool._clear_resets(_ids(env_ids))

    def _unknown_attribute(self, name: str) -> AttributeError:
        return fixed_attribute(
            name, name, self.config, self._spec.task_id, self._spec.pool.episode_options
        ) or super()._unknown_attribute(name)

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        arguments = ResetArguments(len(self), env_id, seed, options)
        if arguments.env_id is None:
            self._prepare_statistics()
        result = self.reset_envs(arguments.env_id, arguments.seed, arguments.options, **how)
        self._seeds = arguments.seeds_after(self._seeds)
        return result

    def _begin_reset_envs(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        arguments = ResetArguments(len(self), None, seed, options)
        if arguments.env_id is None:
            self._prepare_statistics()
        self._send_reset(arguments.env_id, arguments.seed, arguments.options, all_rows=arguments.masked)
        self._seeds = arguments.seeds_after(self._seeds)

    def _render_rows(self, env_ids: Any, mode: str | None = None, camera_id: Any = None) -> Any:
        """Renders environments in the format of ``mode``; returns ``None`` for frames shown in the window."""
        options, modes = self._spec.rendering, render_modes(self._spec.pool)
        if self._spec.pool.has_cameras:  # whose range these tasks check themselves
            camera_id = optional_integer("camera_id", camera_id)
        else:
            check_camera("camera_id", camera_id)
        mode = options.mode if mode is None else mode
        if not modes:
            raise NotImplementedError(f"render(): {self._spec.task_id} draws no pictures")
        if mode is None:
            raise RuntimeError(
                f"render(): this pool was made without render_mode; give {alternatives(modes)} when it is made"
            )
        if mode not in modes:
            raise ValueError(f"mode={mode!r}: expected {alternatives(modes)}")
        ids = None if env_ids is None else np.atleast_1d(array("env_ids", env_ids))
        if mode == "ansi":
            return self.draw_texts(ids)
        pictures = self.draw_pictures(ids, options.width, options.height, camera_id, mode in DEPTH_MODES)
        if mode != "human":
            return pictures[1] if mode == "depth_array" else pictures
        if self._window is None:
            self._window = Window(self._spec.id, self._spec.pool.render_fps)
        self._window.show(pictures)
        return None


def _ids(env_ids: Any) -> Any:
    return None if env_ids is None else np.atleast_1d(array("env_ids", env_ids))


def array_or_list(values: list[Any]) -> Any:
    return np.array(values) if all(isinstance(value, (bool, int, float)) for value in values) else values


_CALLS = (
    *("step", "send", "recv", "reset_envs", "get_state", "set_state", "draw_pictures", "draw_texts"),
    *("rollout_buffer", "_recv_columns", "_recv_within", "_send_reset", "_next_rows", "_recv_again", "_deliveries"),
    *("_bit_generators", "_set_options", "_get_options", "_queue_resets", "_queued_resets", "_clear_resets"),
)
"""Methods of the Rust extension's pool; after ``close`` and ``reset``, they are bound to the recreated pool."""

_EXCLUDED_FROM_COPIES = {"_window", "_recording", "_successor", "_endings", "_statistics_source", *_CALLS}
"""Attributes that copies and pickles omit."""
_STEP_TYPE_LAST = 2  # dm_env's step type of an episode's last step


class EnvPoolCalls(NativePool):
    """Methods that native pools have with EnvPool's interfaces only. A reset after ``close`` recreates the environments
    with their original seeds. ``_send`` and ``_recv`` take and return arrays in the order of ``_action_keys`` and
    ``_state_keys``.
    """

    _is_final_when_closed: ClassVar[bool] = False

    @property
    def closed(self) -> bool:
        """Whether ``close`` was called without a later ``reset``."""
        return bool(vars(_core.Pool)["closed"].__get__(self._active_pool))

    def _recreate(self) -> None:
        if self._is_final_when_closed or not self.closed:
            return
        make: Any = type(self).__new__  # the pool class's `__new__`, which takes a specification
        self._successor = make(type(self), self._spec)
        self._recording = 0, ""
        # Binds the Rust extension's methods to the recreated pool, so that calling them runs no Python wrapper.
        vars(self).update({name: getattr(_core.Pool, name).__get__(self._successor) for name in _CALLS})
        self._seeds = self._spec.pool.config["seed"]

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        self._recreate()
        return super()._reset_envs(env_id, seed, options, **how)

    def async_reset(self) -> None:
        """Queues a reset of all environments. The results are received in batches."""
        self._recreate()
        self._prepare_statistics()
        _core.Pool.async_reset(self._active_pool)

    def render(self, env_ids: Any = None, camera_id: int | None = None) -> Any:
        """Renders environments, none of which may be in flight: ``env_ids`` is an id, or ``(n,)`` ids, ``None`` for the
        pool's ``render_env_id`` (0).

        ``camera_id`` is the index of a camera of the MuJoCo model; -1 for the task's default camera; ``None`` for the
        pool's ``render_camera_id``. Returns ``(n, height, width, 3)`` uint8 in the mode ``"rgb_array"``; ``(n, height,
        width)`` float32 in ``"depth_array"``; a tuple of both in ``"rgbd_tuple"``; a list of ``n`` strings in
        ``"ansi"``; ``None`` in ``"human"``, which shows them in a window.

        Raises a ``NotImplementedError`` if the task renders nothing; an ``IndexError`` for an id, or a camera, that
        does not exist; and a ``RuntimeError`` if the pool was made without ``render_mode``, if an environment is in
        flight, has failed or was never reset, and after ``close``.
        """
        return self._render_rows(self._spec.rendering.env_id if env_ids is None else env_ids, None, camera_id)

    def _send(self, arrays: Sequence[Any]) -> None:
        """Queues one step of some environments: ids, players' ids and actions, as ``_action_keys`` names them."""
        keys = self._action_keys
        if len(arrays) != len(keys):
            raise ValueError(f"_send takes {len(keys)} arrays, {', '.join(keys)}: {len(arrays)} were given")
        self.send({key.removeprefix("action:"): array for key, array in zip(keys, arrays, strict=True)})

    def _recv(self) -> list[npt.NDArray[Any]]:
        """Waits for the next batch; returns its arrays in the order of ``_state_keys``, some computed from others.

        Only the dm_env interface reports a discount of zero before an episode's end. With the others, if a lost life
        counts as the end of an episode, the step type after it is "first" only if this method also received the
        previous batch.
        """
        columns: dict[str, list[Any]] = {}
        for name, column in self._recv_columns():
            columns.setdefault(name, []).append(column)
        first = {name: arrays[0] for name, arrays in columns.items()}
        ids, elapsed = first["env_id"], first["elapsed_step"]
        has_ended, limits = self._endings
        if "step_type" in first:  # results of the dm_env interface
            done = first["step_type"] == _STEP_TYPE_LAST
            truncated = done & (elapsed >= limits[ids])
            begins, discount = first["step_type"] == 0, first["discount"]
        else:
            truncated = first["truncated"]
            done = first["terminated"] | truncated if "terminated" in first else first["done"].copy()
            begins = (elapsed == 0) | (has_ended[ids] & ~done)
            discount = np.repeat(~done, self._spec.players).astype(np.float32)
        has_ended[ids] = done
        common = {
            "info:env_id": ids,
            "info:players.env_id": first.get("player_env_id", ids),
            "elapsed_step": elapsed,
            "done": done,
            "reward": first["reward"],
            "discount": discount,
            "step_type": np.where(begins, 0, np.where(done, _STEP_TYPE_LAST, 1)).astype(np.int32),
            "trunc": truncated,
        }
        own = iter([*columns["observation"], *columns.get("info", [])])
        return [common[name] if name in common else next(own) for name in self._state_keys]

    @functools.cached_property
    def _endings(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
        """Whether each environment's episode ended in its last batch of ``_recv``, and its time limit in steps."""
        limits = np.asarray(self.config["max_episode_steps"], np.int64)
        return np.zeros(len(self), np.bool_), np.broadcast_to(limits, len(self))

    def _reset(self, env_id: Any) -> None:
        """Queues a reset of the environments with ids ``(n,)``. The results are received in batches."""
        self._recreate()
        self._send_reset(env_id)
