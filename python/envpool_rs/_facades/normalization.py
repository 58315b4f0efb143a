"""``Normalization``: access to the running statistics by which a pool normalises observations and rewards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import flag, shown
from envpool_rs._known_attributes import KnownAttributes

if TYPE_CHECKING:
    from envpool_rs._core import NormalizationState

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
        """Creates the object for one pool.

        Args:
            env: the interface of the pool.
            shape: shape of one observation.
        """
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
