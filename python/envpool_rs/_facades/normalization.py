"""``Normalization``: running statistics with which a pool normalises observations and rewards."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import flag, is_number, mapping, readable, refuse_masked, shown
from envpool_rs._known_attributes import KnownAttributes

if TYPE_CHECKING:
    from envpool_rs._core import NormalizationState

Floats = npt.NDArray[np.float64]

OPTIONS = ("normalize_obs", "normalize_reward", "clip_obs", "clip_reward", "gamma", "epsilon")
_STATISTICS = ("obs_rms", "return_rms")
_PARTS = ("mean", "var", "count")
_COUNT_AT_FIRST = 1e-4


@dataclass(frozen=True, eq=False)
class RunningMoments:
    """Mean (0 at first), population variance (1 at first) and number (plus 1e-4) of the rows of the statistics."""

    mean: Floats
    var: Floats
    count: float


class Normalization(KnownAttributes):
    """Statistics of a pool made with ``normalize_obs``, ``normalize_reward``, ``clip_obs`` or ``clip_reward``. Values
    of attributes are copies. Assigning one changes the pool's statistics, from its next result on.

    A pool made with ``normalization=other.normalization`` has the options of the ``other`` pool, and its statistics,
    frozen: each reset of all environments copies them again.

    A copy (``copy.copy``, ``copy.deepcopy``, or pickled and unpickled) is detached: it belongs to a copy of the pool.
    ``gymnasium.make_vec`` copies the ``kwargs`` of ``gymnasium.register``, but not its own arguments.
    """

    def __init__(self, env: Any) -> None:
        self._env = env
        self._shape = env._spec.observation_space.shape if env._spec.pool.config["normalize_obs"] else ()

    def __copy__(self) -> Normalization:
        return deepcopy(self)

    def _shared(self) -> Normalization:
        """Returns this object for the arguments in a specification, whose copies refer to the same pool."""
        return _SharedNormalization(self._env)

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
    def obs_rms(self, statistics: Any) -> None:
        self._assign(obs_rms=_moments("obs_rms", statistics, self._shape))

    @property
    def return_rms(self) -> RunningMoments | None:
        """Statistics of discounted returns, assignable as ``obs_rms``; ``None`` if rewards are not normalised."""
        return _shaped(self._state()["return_rms"], ())

    @return_rms.setter
    def return_rms(self, statistics: Any) -> None:
        self._assign(return_rms=_moments("return_rms", statistics, ()))

    @property
    def returns(self) -> Floats:
        """Discounted return since the start of the episode, of each environment or of each of its players."""
        return self._state()["returns"]

    @returns.setter
    def returns(self, returns: Any) -> None:
        self._assign(returns=_numbers("returns", returns).ravel())

    @property
    def update_running_mean(self) -> bool:
        """Whether results update the statistics. ``False`` freezes them, for evaluation; resets then warn if they have
        counted no results. Statistics of another pool cannot be unfrozen.
        """
        return self._state()["update_running_mean"]

    @update_running_mean.setter
    def update_running_mean(self, setting: bool) -> None:
        self._set_training("update_running_mean", setting)

    @property
    def training(self) -> bool:
        """Stable-Baselines3's name for ``update_running_mean``."""
        return self.update_running_mean

    @training.setter
    def training(self, setting: bool) -> None:
        self._set_training("training", setting)

    def _set_training(self, name: str, setting: bool) -> None:
        updates = flag(name, setting)
        if updates and self._env._statistics_source is not None:
            raise ValueError(f"{name}=True: expected False, because this pool has the statistics of another pool")
        self._assign(update_running_mean=updates)
        self._env._is_frozen = not updates

    def _check_counted(self) -> None:
        """Warns if the statistics, which are frozen, have counted no results."""
        state: Any = self._state()
        counts = [state[name][2] for name in _STATISTICS if state[name] is not None]
        if counts and max(counts) <= _COUNT_AT_FIRST:
            warnings.warn(
                "reset(): the statistics of normalisation are frozen and have counted no results; make an evaluation "
                "pool with normalization=training_pool.normalization, or call load_state_dict first",
                stacklevel=5,
            )

    def state_dict(self) -> dict[str, Any]:
        """Returns the statistics, ``{"obs_rms": {"mean", "var", "count"}, "return_rms": ...}``, as lists and floats.

        ``torch.load`` with ``weights_only=True`` loads them (it refuses numpy's arrays), and so does json, bit for bit.
        ``None`` stands for results that are not normalised. Returns of running episodes are not contained.
        """
        state: Any = self._state()
        return {name: _plain(_shaped(state[name], self._shape_of(name))) for name in _STATISTICS}

    def _shape_of(self, name: str) -> tuple[int, ...]:
        return self._shape if name == "obs_rms" else ()

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Replaces the statistics by those of a ``state_dict``, whose numbers may be lists, arrays or tensors.

        Raises a ``ValueError`` for other keys, statistics that the pool lacks, and statistics that it has and that
        ``state`` lacks: nothing is changed then.
        """
        given = mapping("state", state)
        if set(given) != set(_STATISTICS):
            raise ValueError(f"state has the keys {sorted(map(str, given))}: expected obs_rms and return_rms")
        own: Any = self._state()
        changes: dict[str, Any] = {}
        for name in _STATISTICS:
            value = given[name]
            if (value is None) != (own[name] is None):
                has, lacks = ("pool", "state") if value is None else ("state", "pool")
                raise ValueError(f"state[{name!r}]={shown(value)}: the {has} has these statistics, the {lacks} has not")
            if value is not None:
                parts = mapping(f"state[{name!r}]", value, "a dict with mean, var and count")
                if set(parts) != set(_PARTS):
                    raise ValueError(f"state[{name!r}] has the keys {list(parts)}: expected mean, var and count")
                changes[name] = _moments(f"state[{name!r}]", RunningMoments(**parts), self._shape_of(name))
        self._assign(**changes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the statistics to a file of numpy's format ``.npz``, of exactly this name."""
        state = self.state_dict()
        arrays = {f"{name}.{part}": value for name in _STATISTICS for part, value in (state[name] or {}).items()}
        with open(path, "wb") as file:  # noqa: PTH123 - numpy would append .npz to a name
            np.savez(file, **arrays)

    def load(self, path: str | os.PathLike[str]) -> None:
        """Replaces the statistics by those of a file that ``save`` wrote; raises the errors of ``load_state_dict``."""
        state: dict[str, Any] = dict.fromkeys(_STATISTICS)
        with open(path, "rb") as file, readable(path, "expected a file that save has written"):  # noqa: PTH123
            arrays = dict(np.load(file, allow_pickle=False))
        for key, array in arrays.items():
            name, _, part = key.partition(".")
            state[name] = {**(state.get(name) or {}), part: array}
        self.load_state_dict(state)

    def merge(self, *others: Normalization) -> None:
        """Merges the statistics of other pools into those of this pool, as if this pool had returned their rows, too.

        ``others`` are ``normalization`` of pools with the same observations and the same options. Raises a
        ``TypeError`` for anything else, and a ``ValueError`` if one of them lacks statistics that this pool has, or has
        statistics that this pool lacks.
        """
        for other in others:
            if not isinstance(other, Normalization):
                raise TypeError(f"others has a {type(other).__name__}: expected the normalization of another pool")
        states: list[Any] = [each._state() for each in (self, *others)]
        merged: dict[str, Any] = {}
        for name in _STATISTICS:
            given = [state[name] for state in states if state[name] is not None]
            if given and (len(given) < len(states) or len({len(mean) for mean, _, _ in given}) > 1):
                raise ValueError(f"others: expected pools with {name} of the same size")
            merged[name] = _core.merge_moments(given) if given else None
        self._assign(**merged)

    def _options(self) -> dict[str, Any]:
        """Options of normalisation of the pool, as ``make`` takes them."""
        config = self._env._spec.pool.config
        return {name: config[name] for name in OPTIONS}

    def _copy_from(self, source: Normalization) -> None:
        """Copies the statistics of another pool, as far as this pool has them, and freezes them."""
        if source._env._active_pool.closed:
            return  # the last copy remains
        own, others = self._state(), source._state()
        changes: dict[str, Any] = {}
        for name in _STATISTICS:
            mine, given = own[name], others[name]  # type: ignore[literal-required]
            if mine is not None and (given is None or len(mine[0]) != len(given[0])):
                raise ValueError(f"normalization={shown(source)}: expected statistics {name} of {len(mine[0])} numbers")
            changes[name] = mine and given
        self._assign(**changes, update_running_mean=False)

    def __repr__(self) -> str:
        if self._env._active_pool.closed:
            return "Normalization(of a closed pool)"
        frozen = "" if self.update_running_mean else ", update_running_mean=False"
        return f"Normalization(obs_rms={self.obs_rms}, return_rms={self.return_rms}{frozen})"


class _SharedNormalization(Normalization):
    """``Normalization`` in a specification: gymnasium copies specifications, and a copy of the pool would never be
    trained.
    """

    def __copy__(self) -> Normalization:
        return self

    def __deepcopy__(self, memo: Any) -> Normalization:
        return self


def _plain(moments: RunningMoments | None) -> dict[str, Any] | None:
    if moments is None:
        return None
    return {"mean": moments.mean.tolist(), "var": moments.var.tolist(), "count": moments.count}


def _shaped(moments: _core.Moments | None, shape: tuple[int, ...]) -> RunningMoments | None:
    return moments and RunningMoments(moments[0].reshape(shape), moments[1].reshape(shape), moments[2])


def _moments(name: str, statistics: Any, shape: tuple[int, ...]) -> _core.Moments:
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
    refuse_masked(name, values)
    try:
        given = np.asarray(
            values, object if isinstance(values, (list, tuple)) else None
        )  # entries of lists as they are
        wrong = [each for each in given.ravel() if not is_number(each)] if given.dtype.kind == "O" else []
        if wrong or given.dtype.kind not in "iufO":
            raise TypeError(f"{shown(wrong[0])} is none" if wrong else f"dtype {given.dtype}")
        return np.asarray(values, np.float64)
    except OverflowError:
        raise ValueError(f"{name}={shown(values)}: expected numbers that float64 can hold") from None
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name}={shown(values)}: expected numbers ({error})") from error
