"""Pools of native environments, and the methods that all pools share, with their statistics of normalisation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._arguments import flag, shown
from envpool_rs._facades.environments import FinalInfos, ResetArguments, Seeds, fixed_attribute
from envpool_rs._facades.rendering import RenderMixin
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._spec.assets import check_assets
from envpool_rs._spec.options import log_resolved
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from envpool_rs._core import Layout, NormalizationState


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
        """Names of the arrays of a step's result, by EnvPool's name."""
        keys: list[str] = self._spec._state_keys
        return keys

    @property
    def _action_keys(self) -> list[str]:
        """Names of the arrays that a step takes, by EnvPool's name."""
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
        """Creates the environments of a specification without resetting them."""
        return cls._create(spec, cls._layout(spec), finish=FinalInfos(spec))

    @staticmethod
    def _layout(spec: EnvSpec) -> Layout:
        """Returns the extension's layout for ``step``'s result: the format that the interface requires."""
        return "gymnasium"

    @classmethod
    def _create(cls, spec: EnvSpec, layout: Layout, **how: Any) -> Any:
        """Creates the environments; ``how`` are further arguments of ``_core.Pool``.

        Raises:
            ImportError: for an Atari task without cartridges; names the extra.
            FileNotFoundError: for a missing cartridge file.
            ValueError: for a cartridge of another game.
        """
        check_assets(spec.pool)
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


def restore_env(cls: type[NativePool], spec: EnvSpec, states: list[bytes]) -> NativePool:
    """Restores a pickled pool: makes the pool from its specification, then restores its state."""
    env = cls(spec)
    env.set_state(states)
    return env


def autoreset_mode(spec: EnvSpec) -> AutoresetMode:
    """Returns a specification's autoreset mode as gymnasium's enum."""
    mode = spec.pool.config["autoreset_mode"]
    return mode if isinstance(mode, AutoresetMode) else AutoresetMode[str(mode).upper()]


Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RunningMoments:
    """Mean, population variance and number of the rows that have updated the statistics.

    Attributes:
        mean: mean of the rows, 0 at first.
        var: variance of the rows, 1 at first.
        count: number of rows, plus the initial value 1e-4.
    """

    mean: Floats
    var: Floats
    count: float


class HasMoments(Protocol):
    """Protocol of statistics with ``mean``, ``var`` and ``count``: of this package, gymnasium's wrappers or
    Stable-Baselines3.
    """

    mean: Any
    var: Any
    count: Any


class HasPool(Protocol):
    """Protocol of an environment's interface (facade), which may replace its extension pool, for example after
    ``close``.
    """

    @property
    def _active_pool(self) -> _core.Pool: ...


class Normalization(KnownAttributes):
    """Access to the statistics of a pool made with ``normalize_obs``, ``normalize_reward``, ``clip_obs`` or
    ``clip_reward``.

    Values of the attributes are copies. Assigning an attribute changes the pool's statistics, from its next result on.
    """

    def __init__(self, env: HasPool, shape: tuple[int, ...]) -> None:
        """Creates the object for the interface of one pool, and the shape of one observation."""
        self._env = env
        self._shape = shape

    def _state(self) -> NormalizationState:
        state = _core.normalization_state(self._env._active_pool)
        assert state is not None, "only pools that normalise have this object"
        return state

    def _assign(self, **changes: Any) -> None:
        _core.set_normalization_state(self._env._active_pool, **{**self._state(), **changes})

    @property
    def obs_rms(self) -> RunningMoments | None:
        """Statistics of observations; ``None`` if observations are not normalised.

        Objects with the attributes ``mean``, ``var`` and ``count`` can be assigned, such as the attribute of this name
        of gymnasium's ``NormalizeObservation`` and of Stable-Baselines3's ``VecNormalize``.
        """
        return _shaped(self._state()["obs_rms"], self._shape)

    @obs_rms.setter
    def obs_rms(self, statistics: HasMoments) -> None:
        self._assign(obs_rms=_moments("obs_rms", statistics, self._shape))

    @property
    def return_rms(self) -> RunningMoments | None:
        """Statistics of discounted returns; ``None`` if rewards are not normalised. The same objects as for ``obs_rms``
        can be assigned.
        """
        return _shaped(self._state()["return_rms"], ())

    @return_rms.setter
    def return_rms(self, statistics: HasMoments) -> None:
        self._assign(return_rms=_moments("return_rms", statistics, ()))

    @property
    def returns(self) -> Floats:
        """Discounted return since the start of the episode, of each environment or of each player of each
        environment.
        """
        return self._state()["returns"]

    @returns.setter
    def returns(self, returns: Any) -> None:
        self._assign(returns=_numbers("returns", returns).ravel())

    @property
    def update_running_mean(self) -> bool:
        """Whether results update the statistics. ``False`` freezes them, for evaluation."""
        return self._state()["update_running_mean"]

    @update_running_mean.setter
    def update_running_mean(self, setting: bool) -> None:
        self._assign(update_running_mean=flag("update_running_mean", setting))

    def merge(self, *others: Normalization) -> None:
        """Merges the statistics of other pools into those of this pool, as if this pool had returned their rows, too.

        Args:
            others: ``normalization`` of pools with the same observations and the same options.

        Raises:
            TypeError: for an argument that is not a pool's ``normalization``.
            ValueError: if one of ``others`` lacks statistics that this pool has, or has statistics that this pool
                lacks.
        """
        for other in others:
            if not isinstance(other, Normalization):
                raise TypeError(f"others has a {type(other).__name__}: expected the normalization of another pool")
        states = [each._state() for each in (self, *others)]
        self._assign(**{name: _merged(name, [state[name] for state in states]) for name in ("obs_rms", "return_rms")})

    def __repr__(self) -> str:
        frozen = "" if self.update_running_mean else ", update_running_mean=False"
        return f"Normalization(obs_rms={self.obs_rms}, return_rms={self.return_rms}{frozen})"


def _shaped(moments: _core.Moments | None, shape: tuple[int, ...]) -> RunningMoments | None:
    if moments is None:
        return None
    mean, var, count = moments
    return RunningMoments(mean.reshape(shape), var.reshape(shape), count)


def _moments(name: str, statistics: HasMoments, shape: tuple[int, ...]) -> _core.Moments:
    parts = {}
    for part in ("mean", "var", "count"):
        if not hasattr(statistics, part):
            raise TypeError(f"{name}={shown(statistics)}: expected an object with mean, var and count")
        parts[part] = _numbers(f"{name}.{part}", getattr(statistics, part))
        wanted = () if part == "count" else shape
        if parts[part].shape != wanted:
            raise ValueError(f"{name}.{part} has shape {parts[part].shape}: expected {wanted}")
    return parts["mean"].ravel(), parts["var"].ravel(), float(parts["count"])


def _numbers(name: str, values: Any) -> Floats:
    try:
        return np.asarray(values, np.float64)
    except OverflowError:
        raise ValueError(f"{name}={shown(values)}: expected numbers that float64 can hold") from None
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}={shown(values)}: expected numbers ({error})") from error


def _merged(name: str, parts: list[_core.Moments | None]) -> _core.Moments | None:
    given = [part for part in parts if part is not None]
    if not given:
        return None
    if len(given) < len(parts) or len({len(part[0]) for part in given}) > 1:
        raise ValueError(f"others: expected pools with {name} of the same size")
    return _core.merge_moments(given)
