"""Single environments of a pool: arguments of resets, infos, final observations, and attributes that are fixed."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property
from pkgutil import resolve_name
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import SEEDS, array, bounded, integer, is_series, refuse_masked, seeds_of, shown
from envpool_rs._nested import copied, rows_of_batch
from envpool_rs._spec.spec import EnvSpec

Seeds: TypeAlias = int | list[int]  # of all environments: environment `i` has `seeds + i` or `seeds[i]`


class ResetArguments:
    """Arguments of `EnvPoolResets.reset`: ids (``None`` for all), the seed or one for each id, and reset options.

    Seeds and the mask, which may select the environments, are checked here, everything else by the pool.
    """

    def __init__(self, num_envs: int, env_id: Any, seed: Any, options: Mapping[str, Any] | None) -> None:
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options={shown(options)}: expected a dict or None")
        own = dict(options or {})
        mask = own.pop("reset_mask", None)
        if mask is not None and env_id is not None:
            raise ValueError("env_id and options['reset_mask'] are both given: expected one of them")
        self._num_envs = num_envs
        self.masked = mask is not None
        self.env_id = env_id if mask is None else _masked_ids(mask, num_envs)
        if self.masked:
            own = {name: self._masked_rows(name, value) for name, value in own.items()}
        self.options = own or None
        self.seed: int | list[int | None] | None = None
        if seed is not None and self.env_id is None and not is_series(seed):
            self.seed = integer("seed", seed, kind=SEEDS)
        elif seed is not None and env_id is not None:
            ids = self.ids()
            self.seed = seeds_of(seed, ids, f"len(env_id)={len(ids)}")
        elif seed is not None:
            every = seeds_of(seed, range(num_envs), f"num_envs={num_envs}")
            self.seed = [every[index] for index in self.ids()]

    def ids(self) -> list[int]:
        if self.env_id is None:
            return list(range(self._num_envs))
        given = np.atleast_1d(array("env_id", self.env_id)).tolist()
        return [integer(f"env_id[{index}]", each) for index, each in enumerate(given)]

    def _masked_rows(self, name: str, value: Any) -> Any:
        """Returns the rows of masked environments if a reset option has a row for each environment of the pool."""
        if isinstance(value, Mapping):
            return {key: self._masked_rows(f"{name}.{key}", each) for key, each in value.items()}
        rows = list(bounded(f"options[{name!r}]", value)) if is_series(value) else []
        if not any(each is None or is_series(each) or isinstance(each, Mapping) for each in rows):
            return value
        if len(rows) != self._num_envs:
            raise ValueError(f"options[{name!r}]: {len(rows)} rows: expected num_envs={self._num_envs}")
        return [rows[index] for index in self.ids()]

    def seeds_after(self, seeds: Seeds) -> Seeds:
        if self.seed is None:
            return seeds
        if isinstance(self.seed, int):
            return self.seed
        after = seed_list(seeds, self._num_envs)
        for index, seed in zip(self.ids(), self.seed, strict=True):
            after[index] = after[index] if seed is None else seed
        return after


def seed_list(seeds: Seeds, num_envs: int) -> list[int]:
    return _core.maker_seeds(seeds, num_envs)[1]


def _masked_ids(mask: Any, num_envs: int) -> npt.NDArray[np.int32]:
    # The assertion messages below are gymnasium's.
    refuse_masked("options['reset_mask']", mask)
    if not isinstance(mask, np.ndarray):
        raise TypeError(f"`options['reset_mask']` must be a numpy array, got {type(mask)}")
    if mask.shape != (num_envs,):
        raise ValueError(f"`options['reset_mask']` must have shape `({num_envs},)`, got {mask.shape}")
    if mask.dtype != np.bool_:
        raise TypeError(f"`options['reset_mask']` must have `dtype=np.bool_`, got {mask.dtype}")
    if not mask.any():
        raise ValueError(
            f"`options['reset_mask']` must contain a boolean array with at least one True value, got reset_mask={mask}"
        )
    return np.flatnonzero(mask).astype(np.int32)


PLAYER_INFOS = ("action_mask", "benchmark_data")  # infos of an environment with a row for each of its players


def info_row(infos: Mapping[str, Any], row: int, player: int = 0, players: int = 1) -> dict[str, Any]:
    """Copies an environment's (and player's) row of each info whose mask ``_key`` is true for the row, or absent."""
    own: dict[str, Any] = {}
    for key, values in infos.items():
        mask = infos.get(f"_{key}")
        if (key.startswith("_") and key[1:] in infos) or (mask is not None and not mask[row]):
            continue
        if isinstance(values, Mapping):
            own[key] = info_row(values, row, player, players)
        else:
            # A row is a view of its array: holding the view would prevent the reuse of the whole batch.
            value = values[player if players > 1 and len(values) == players else row]
            has_row = players > 1 and key in PLAYER_INFOS and np.shape(value)[:1] == (players,)
            own[key] = copied(value[player] if has_row else value)
    return own


_MAX_ROWS_COPIED_SINGLY = 3  # up to which copying each row is faster than indexing by an array of row numbers


class FinalInfos:
    """What the extension calls to add final observations and infos of one pool's episodes to a step's result."""

    def __init__(self, spec: EnvSpec) -> None:
        self._spec = spec

    @cached_property
    def _space(self) -> Any:
        # Not built by the constructor, because its bounds may exceed the available memory, an error that the pool
        # itself reports.
        return self._spec.observation_space

    def __call__(
        self, info: dict[str, Any], mask: npt.NDArray[np.bool_], final_obs: Any, final_info: dict[str, Any]
    ) -> None:
        """Stores in ``info`` the final observations and infos of episodes that ended in this step.

        ``mask`` ``(n,)`` is true for ended episodes; only their rows of ``final_obs`` are read, and all other rows of
        ``final_info`` are set to zero, as in gymnasium. ``info["final_obs"]`` becomes an object array ``(n,)``, with
        ``None`` for running episodes.
        """
        zero_other_rows(final_info, mask)
        # Rows are copied, because the pool may reuse an array's memory once no reference to the complete array exists.
        finals = np.full(mask.shape, None, dtype=object)
        ended, rows = mask.nonzero()[0], self._spec.rows
        if isinstance(final_obs, np.ndarray) and rows == 1 and len(ended) > _MAX_ROWS_COPIED_SINGLY:
            for index, row in zip(ended.tolist(), final_obs[ended], strict=True):
                finals[index] = row
        else:
            for index in ended.tolist():
                finals[index] = rows_of_env(self._space, rows, final_obs, index)
        info["final_obs"], info["_final_obs"] = finals, mask
        info["final_info"], info["_final_info"] = final_info, mask.copy()


def zero_other_rows(infos: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
    """Sets the rows of infos outside ``mask`` to zero, as gymnasium does; masks (``_key``) are not changed."""
    for key, values in infos.items():
        if not key.startswith("_"):
            values[~mask] = 0


def rows_of_env(space: Any, rows: int, batch: Any, env: int) -> Any:
    """Copies the row, or the ``rows`` of several players, of one environment out of a batch of observations."""
    return rows_of_batch(space, batch, env if rows == 1 else slice(env * rows, (env + 1) * rows))


# gymnasium's classes of classic control.
_CLASSIC_CONTROL = {
    "CartPole": "cartpole:CartPoleEnv",
    "Pendulum": "pendulum:PendulumEnv",
    "MountainCar": "mountain_car:MountainCarEnv",
    "MountainCarContinuous": "continuous_mountain_car:Continuous_MountainCarEnv",
    "Acrobot": "acrobot:AcrobotEnv",
}


@cache
def physics_of(task_id: str) -> Mapping[str, Any]:
    """Returns the constants of a task of classic control by name, those of gymnasium's class; or an empty dict."""
    name = _CLASSIC_CONTROL.get(task_id.rpartition("-v")[0])
    if name is None:
        return {}
    env = resolve_name(f"gymnasium.envs.classic_control.{name}")()
    own = {**vars(type(env)), **vars(env)}
    constants = {name: value for name, value in own.items() if type(value) in (int, float, str) and name[:1] != "_"}
    return {name: value for name, value in constants.items() if not name.lower().startswith("screen_")}


# Constants of gymnasium's classes that follow from options of the same task.
_DERIVED: dict[str, tuple[str, str, Callable[[Any, Any], Any]]] = {
    "total_mass": ("masspole", "masscart", operator.add),
    "polemass_length": ("masspole", "length", operator.mul),
}


def values_in_force(name: str, options: Mapping[str, Any]) -> Any:
    """Returns the values of an option, or of a constant of gymnasium's class that follows from options, given those in
    force; or ``None``.
    """
    if name in _DERIVED and set(_DERIVED[name][:2]) <= options.keys():
        one, other, combine = _DERIVED[name]
        return combine(options[one], options[other])
    return options.get(name, options.get(name.lower()))


def fixed_attribute(
    name: str, call: str, config: Mapping[str, Any], task_id: str, changeable: Sequence[str]
) -> AttributeError | None:
    """Returns the error for a ``call`` that assigns an option, the physics or the state of a native environment.

    ``changeable`` are the options that ``set_options`` takes.
    """
    if name in config:
        fixed = f"{call}: options are fixed when the pool is made; give {name} to make_vec"
        later = f", or call set_options({name}=...) for the next episodes" if name in changeable else " instead"
        return AttributeError(fixed + later)
    if name in physics_of(task_id):
        return AttributeError(
            f"{call}: the physics of native environments are fixed; make_vec(.., vectorization_mode='shared_memory') "
            "plays gymnasium's own, which can be changed"
        )
    # The first names are those of attributes in which gymnasium's environments store their state.
    if name in ("state", "s", "lastaction", "steps_beyond_terminated", "np_random", "np_random_seed"):
        return AttributeError(f"{call}: that is the engine's; set_state() brings environments to states")
    return None
