"""Single environments of a pool: arguments of resets, infos, final observations, and attributes that are fixed."""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import SEEDS, array, integer, is_series, seeds_of, shown
from envpool_rs._nested import copied, rows_of_batch
from envpool_rs._spec.spec import EnvSpec

Seeds: TypeAlias = int | list[int]
"""Seeds of all environments: environment ``i`` has ``seeds + i`` or ``seeds[i]``."""


class ResetArguments:
    """Validated arguments of gymnasium's ``reset(seed=..., options=...)``.

    Environments ``env_id`` (``None`` for all) are reset. A ``seed`` of ``None`` continues all random streams; an int
    gives environment ``i`` the seed ``seed + i``; a list has an entry (``None`` continues) for each of ``env_id``.
    ``options`` are the environment's own reset options, or ``None``: numbers, lists of numbers, dicts of them, or a
    list with a list of numbers, a dict or ``None`` for each environment. ``masked`` is whether a mask selected the
    environments.
    """

    # Checks `seed`, which may be a sequence with an entry for each of `env_id` (without ids: for each environment of
    # the pool, even under a mask), and `options["reset_mask"]`; the pool checks everything else.

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
        self.seed = self._checked_seed(seed, whole_pool=env_id is None)

    def ids(self) -> list[int]:
        if self.env_id is None:
            return list(range(self._num_envs))
        given = np.atleast_1d(array("env_id", self.env_id)).tolist()
        return [integer(f"env_id[{index}]", each) for index, each in enumerate(given)]

    def _checked_seed(self, seed: Any, whole_pool: bool) -> int | list[int | None] | None:
        if seed is None:
            return None
        if self.env_id is None and not is_series(seed):
            return integer("seed", seed, kind=SEEDS)
        ids = self.ids()
        if not whole_pool:
            return seeds_of(seed, ids, f"len(env_id)={len(ids)}")
        every = seeds_of(seed, range(self._num_envs), f"num_envs={self._num_envs}")
        return [every[index] for index in ids]

    def _masked_rows(self, name: str, value: Any) -> Any:
        """Returns the rows of masked environments if a reset option has a row for each environment of the pool."""
        if isinstance(value, Mapping):
            return {key: self._masked_rows(f"{name}.{key}", each) for key, each in value.items()}
        if not is_series(value) or not any(
            each is None or is_series(each) or isinstance(each, Mapping) for each in value
        ):
            return value
        if len(value) != self._num_envs:
            raise ValueError(f"options[{name!r}]: {len(value)} rows: expected num_envs={self._num_envs}")
        return [value[index] for index in self.ids()]

    def seeds_after(self, seeds: Seeds) -> Seeds:
        """Returns the last seed of every environment of the pool after this reset."""
        if self.seed is None:
            return seeds
        if isinstance(self.seed, int):
            return self.seed
        after = seed_list(seeds, self._num_envs)
        for index, seed in zip(self.ids(), self.seed, strict=True):
            after[index] = after[index] if seed is None else seed
        return after


def seed_list(seeds: Seeds, num_envs: int) -> list[int]:
    """Returns the seed of each environment's generator."""
    return _core.maker_seeds(seeds, num_envs)[1]


def _masked_ids(mask: Any, num_envs: int) -> npt.NDArray[np.int32]:
    # The assertion messages below are gymnasium's.
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


def info_row(infos: Mapping[str, Any], row: int, player: int = 0, players: int = 1) -> dict[str, Any]:
    """Copies one environment's info out of batched infos: each ``key`` whose mask ``_key`` is true for the row, or
    absent. Of a single environment's infos with a row for each of several ``players``, copies that of ``player``.
    """
    own: dict[str, Any] = {}
    for key, values in infos.items():
        mask = infos.get(f"_{key}")
        if (key.startswith("_") and key[1:] in infos) or (mask is not None and not mask[row]):
            continue
        if isinstance(values, Mapping):
            own[key] = info_row(values, row, player, players)
        else:
            # A row is a view of its array: holding the view would prevent the reuse of the whole batch.
            own[key] = copied(values[player if players > 1 and len(values) == players else row])
    return own


_MAX_ROWS_COPIED_SINGLY = 3
"""Maximum number of rows for which copying each row is faster than indexing by an array of row numbers."""


class FinalInfos:
    """Callable that adds final observations and infos of one pool's episodes to a step's result; the Rust extension
    calls it.
    """

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
        info["final_obs"] = _rows_of_ended(self._space, self._spec.rows, final_obs, mask)
        info["_final_obs"] = mask
        info["final_info"] = final_info
        info["_final_info"] = mask.copy()


def zero_other_rows(infos: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
    """Sets the rows of infos outside ``mask`` to zero, as gymnasium does; masks (``_key``) are not changed."""
    for key, values in infos.items():
        if not key.startswith("_"):
            values[~mask] = 0


def _rows_of_ended(space: Any, rows: int, batch: Any, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.object_]:
    # Rows are copied, because the pool may reuse an array's memory once no reference to the complete array exists.
    finals = np.full(mask.shape, None, dtype=object)
    ended = mask.nonzero()[0]
    if isinstance(batch, np.ndarray) and rows == 1 and len(ended) > _MAX_ROWS_COPIED_SINGLY:
        for index, row in zip(ended.tolist(), batch[ended], strict=True):
            finals[index] = row
    else:
        for index in ended.tolist():
            finals[index] = rows_of_env(space, rows, batch, index)
    return finals


def rows_of_env(space: Any, rows: int, batch: Any, env: int) -> Any:
    """Copies the row, or the ``rows`` of several players, of one environment out of a batch of observations."""
    return rows_of_batch(space, batch, env if rows == 1 else slice(env * rows, (env + 1) * rows))


_MOUNTAIN_CAR = {"min_position": -1.2, "max_position": 0.6, "max_speed": 0.07}

PHYSICS: dict[str, dict[str, Any]] = {
    "CartPole": {
        "gravity": 9.8,
        "masscart": 1.0,
        "masspole": 0.1,
        "total_mass": 0.1 + 1.0,
        "length": 0.5,
        "polemass_length": 0.1 * 0.5,
        "force_mag": 10.0,
        "tau": 0.02,
        "kinematics_integrator": "euler",
        "theta_threshold_radians": 12 * 2 * math.pi / 360,
        "x_threshold": 2.4,
    },
    "Pendulum": {"max_speed": 8, "max_torque": 2.0, "dt": 0.05, "m": 1.0, "l": 1.0},
    "MountainCar": {**_MOUNTAIN_CAR, "goal_position": 0.5, "force": 0.001, "gravity": 0.0025},
    "MountainCarContinuous": {
        **_MOUNTAIN_CAR,
        "min_action": -1.0,
        "max_action": 1.0,
        "goal_position": 0.45,
        "power": 0.0015,
    },
    "Acrobot": {
        "dt": 0.2,
        "LINK_LENGTH_1": 1.0,
        "LINK_LENGTH_2": 1.0,
        "LINK_MASS_1": 1.0,
        "LINK_MASS_2": 1.0,
        "LINK_COM_POS_1": 0.5,
        "LINK_COM_POS_2": 0.5,
        "LINK_MOI": 1.0,
        "MAX_VEL_1": 4 * math.pi,
        "MAX_VEL_2": 9 * math.pi,
        "torque_noise_max": 0.0,
        "book_or_nips": "book",
        "actions_num": 3,
    },
}


def physics_of(task_id: str) -> dict[str, Any]:
    """Returns the constants of the physics of an extension's task by name; an empty dict for several tasks."""
    return PHYSICS.get(task_id.rpartition("-v")[0], {})


def fixed_attribute(name: str, call: str, config: Mapping[str, Any], task_id: str) -> AttributeError | None:
    """Returns the error for an assignment to an option, to the physics or to the state of a native environment;
    ``None`` for other names. ``call`` is the user's call, as the message names it.
    """
    if name in config:
        return AttributeError(f"{call}: options are fixed when the pool is made; give {name} to make_vec instead")
    if name in physics_of(task_id):
        return AttributeError(
            f"{call}: the physics of native environments are fixed; make_vec(.., vectorization_mode='shared_memory') "
            "plays gymnasium's own, which can be changed"
        )
    if name in (*_STATE_ATTRIBUTES, "np_random", "np_random_seed"):
        return AttributeError(f"{call}: that is the engine's; set_state() brings environments to states")
    return None


_STATE_ATTRIBUTES = ("state", "s", "lastaction", "steps_beyond_terminated")
"""Names of attributes in which gymnasium's environments store their state."""
