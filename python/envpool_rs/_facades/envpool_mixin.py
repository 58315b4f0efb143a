"""Methods and attributes shared by EnvPool's interfaces (gymnasium, gym, dm) and gymnasium's vector environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._facades.normalization import Normalization
from envpool_rs._facades.rendering import RenderMixin
from envpool_rs._facades.resets import FinalInfos, ResetArguments, Seeds
from envpool_rs._facades.shared_attributes import fixed_attribute
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._spec.installed import check_cartridges, check_games, check_pictures, check_textures
from envpool_rs._spec.mujoco_library import check_mujoco
from envpool_rs._spec.option_values import log_resolved
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from envpool_rs._core import Layout


def restore_env(cls: type[NativePool], spec: EnvSpec, states: list[bytes]) -> NativePool:
    """Restores a pickled pool: makes the pool from its specification, then restores its state."""
    env = cls(spec)
    env.set_state(states)
    return env


class EnvPoolMixin(KnownAttributes):
    """Base class with the methods and attributes of every pool, of native or Python environments. Pools are context
    managers.

    Attributes:
        spec: the specification, see :class:`envpool_rs.pools.EnvSpec`.
    """

    _spec: EnvSpec
    _size: int

    def __init__(self, spec: EnvSpec) -> None:
        self._spec = spec
        self._size = int(spec.config_dict()["num_envs"])

    def close(self, **how: Any) -> None:
        """Frees all environments. A second call does nothing.

        Any other call afterwards raises ``gymnasium.error.ClosedEnvironmentError``, which is also a ``RuntimeError``.
        With EnvPool's interfaces ``reset`` and ``async_reset`` recreate native environments.

        Args:
            how: ``timeout`` and ``terminate``, as in gymnasium's own vector environments: seconds to wait for busy
                worker processes (default 5), and whether to end them without waiting. They have no effect on native
                environments, for which this call does not wait.

        Raises:
            TypeError: for any other argument.
            Exception: an exception of a Python environment's ``close``; the processes have ended nevertheless.
        """
        unknown = set(how) - {"timeout", "terminate"}
        if unknown:
            raise TypeError(f"close() got unexpected arguments {sorted(unknown)}: expected timeout or terminate")
        self._close(how)

    def _close(self, how: Mapping[str, Any]) -> None:
        raise NotImplementedError

    @property
    def spec(self) -> EnvSpec:
        """Specification of the pool. Assigning a gymnasium spec replaces ``id``, ``kwargs`` and so on, and leaves all
        other fields unchanged.
        """
        return self._spec

    @spec.setter
    def spec(self, spec: GymnasiumEnvSpec) -> None:
        self._spec = self._spec.described_by(spec)

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values."""
        return self._spec.config_dict()

    @property
    def all_env_ids(self) -> npt.NDArray[np.int32]:
        """Ids of all environments ``(num_envs,)``: 0, 1, ..."""
        return np.arange(len(self), dtype=np.int32)

    @property
    def is_async(self) -> bool:
        """Whether batches are smaller than the pool, so that they hold the environments that finish first."""
        config = self._spec.config_dict()
        return 0 < int(config["batch_size"]) < int(config["num_envs"])

    def __del__(self) -> None:
        """Does nothing, unlike the method of gymnasium before 1.4, which calls ``close``: that fails at the end of the
        interpreter, when modules are empty. The extension frees the environments.
        """

    def __len__(self) -> int:
        return self._size

    def __enter__(self) -> Any:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        config = ", ".join(f"{name}={value!r}" for name, value in self.config.items())
        return f"{type(self).__name__}({self._spec.id!r}, {config})"

    def __str__(self) -> str:
        return repr(self)

    @property
    def _state_keys(self) -> list[str]:
        """Names of the arrays of a step's result. EnvPool has an attribute of this name."""
        keys: list[str] = self._spec._state_keys
        return keys

    @property
    def _action_keys(self) -> list[str]:
        """Names of the arrays that a step takes. EnvPool has an attribute of this name."""
        keys: list[str] = self._spec._action_keys
        return keys

    def xla(self) -> Any:
        """Returns functions for JAX; raises here, because only native pools of this process have them.

        Raises:
            NotImplementedError: for all other pools.
        """
        raise NotImplementedError(
            f"xla(): {type(self).__name__} has no functions for JAX, since its environments live in other processes; "
            "native tasks, made by make, make_gym, make_dm or make_vec, have them"
        )


class NativePool(RenderMixin, EnvPoolMixin, _core.Pool):
    """Base class of pools of native environments: extends the Rust extension's pool by methods shared by all
    interfaces.

    A pool can be pickled and deep-copied while none of its environments is in flight.
    """

    _seeds: Seeds
    _excluded_from_copies: ClassVar[frozenset[str]] = frozenset({"_window"})
    """Names of attributes that copies and pickles omit."""

    def __new__(cls, spec: EnvSpec) -> Any:
        """Creates the environments without resetting them.

        Args:
            spec: the specification.
        """
        return cls._create(spec, cls._layout(spec), finish=FinalInfos(spec))

    @staticmethod
    def _layout(spec: EnvSpec) -> Layout:
        """Returns the extension's layout for ``step``'s result: the format that the interface requires."""
        return "gymnasium"

    @classmethod
    def _create(cls, spec: EnvSpec, layout: Layout, **how: Any) -> Any:
        """Creates the environments without resetting them; the ``__new__`` methods of the interfaces call this method.

        Args:
            spec: the specification.
            layout: the format of ``step``'s result.
            how: further arguments of ``_core.Pool``.

        Raises:
            ImportError: for an Atari task without cartridges; names the extra.
            FileNotFoundError: for a missing cartridge file.
            ValueError: for a cartridge of another game.
        """
        check_cartridges(spec.pool)
        check_mujoco(spec.pool)
        check_games(spec.pool)
        check_textures(spec.pool)
        check_pictures(spec.pool)
        pool = _core.Pool.__new__(cls, spec.pool, layout, **how)
        log_resolved(spec.pool.task_id, pool.decided)
        return pool

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(spec)
        self._seeds = spec.pool.config["seed"]
        self.render_mode = spec.rendering.mode

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values. If the caller left an option to the pool, its value is the one that the pool
        chose.
        """
        return {**super().config, **{option: value for option, value, _ in self.decided}}

    def _close(self, how: Mapping[str, Any]) -> None:
        self._close_window()
        _core.Pool.close(self._active_pool)

    @property
    def _active_pool(self) -> _core.Pool:
        """The Rust extension's pool that runs the environments; a reset after ``close`` replaces it."""
        return self

    @property
    def normalization(self) -> Normalization | None:
        """Statistics of normalisation; ``None`` if the pool changes neither observations nor rewards."""
        config = self._spec.pool.config
        if not any(config[name] for name in ("normalize_obs", "normalize_reward", "clip_obs", "clip_reward")):
            return None
        shape = self._spec.observation_space.shape if config["normalize_obs"] else ()
        return Normalization(self, shape)

    def xla(self) -> Any:
        """Returns functions for JAX, usable inside ``jit``, ``lax.scan`` and so on: see docs/jax.md.

        Returns:
            ``handle, recv, send, step``: ``recv(handle)`` and ``step(handle, action, env_id=None)`` return the handle
                and the results of the methods of these names; ``send(handle, action, env_id=None)`` returns the handle.

        Raises:
            ImportError: if jax is not installed.
            RuntimeError: after ``close``, and in a forked child.
        """
        from envpool_rs.xla import xla_functions

        return xla_functions(self._active_pool, self._spec)

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            states = self.get_state()
        except RuntimeError as error:
            raise TypeError(f"cannot copy or pickle {type(self).__name__}: {error}") from error
        attributes = {name: value for name, value in self.__dict__.items() if name not in self._excluded_from_copies}
        return restore_env, (type(self), self._spec, states), attributes

    def _unknown_attribute(self, name: str) -> AttributeError:
        return fixed_attribute(name, name, self.config, self._spec.task_id) or super()._unknown_attribute(name)

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        arguments = ResetArguments(len(self), env_id, seed, options)
        result = self.reset_envs(arguments.env_id, arguments.seed, arguments.options, **how)
        self._seeds = arguments.seeds_after(self._seeds)
        return result

    def _begin_reset_envs(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        arguments = ResetArguments(len(self), None, seed, options)
        self._send_reset(arguments.env_id, arguments.seed, arguments.options, all_rows=arguments.masked)
        self._seeds = arguments.seeds_after(self._seeds)


def autoreset_mode(spec: EnvSpec) -> AutoresetMode:
    """Returns a specification's autoreset mode as gymnasium's enum."""
    mode = spec.pool.config["autoreset_mode"]
    return mode if isinstance(mode, AutoresetMode) else AutoresetMode[str(mode).upper()]
