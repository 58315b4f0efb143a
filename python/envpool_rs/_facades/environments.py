"""Access to single environments of a pool: resets, attributes, and infos of ended episodes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cached_property, partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs import _core
from envpool_rs._arguments import SEEDS, array, integer, is_series, seeds_of, shown, text
from envpool_rs._nested import rows_of_batch
from envpool_rs._spec.assets import MAZE_OPTION, METAWORLD
from envpool_rs._spec.entry_points import SINGLE_ENV
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.robotics import GOAL_OPTIONS, TASKS_OPTION, compute_reward

Seeds: TypeAlias = int | list[int]
"""Seeds of all environments: environment ``i`` has ``seeds + i`` or ``seeds[i]``."""


class ResetArguments:
    """Validated arguments of gymnasium's ``reset(seed=..., options=...)``.

    Attributes:
        env_id: environments to reset; ``None`` for all.
        seed: ``None`` continues all random streams; an int gives environment ``i`` the seed ``seed + i``; a list has an
            entry (``None`` continues) for each of ``env_id``.
        options: the environment's own reset options, or ``None``.
        masked: whether a mask selected the environments.
    """

    def __init__(self, num_envs: int, env_id: Any, seed: Any, options: Mapping[str, Any] | None) -> None:
        """Checks ``seed`` and ``options["reset_mask"]``; the pool checks everything else.

        ``seed`` is ``None``, an int, or a sequence with an entry for each of ``env_id`` (without ids: for each
        environment of the pool, even under a mask). Options are ``reset_mask`` (``(num_envs,)`` booleans, at least one
        of them true) and the environment's own: numbers, lists of numbers, dicts of them, or a list with a list of
        numbers, a dict or ``None`` for each environment.

        Raises:
            TypeError: for options that are no dict, a mask that is not a boolean array, or a seed that is no int.
            ValueError: for a mask or list of seeds of another length, a mask without true values, or both a mask and
                ids.
        """
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


class SingleResets:
    """Mixin that implements ``call("reset")`` for pools with gymnasium's vector interface."""

    single_observation_space: Any
    _reset_envs: Any
    _spec: Any

    def _reset_some(
        self, env_ids: Sequence[int], *, seed: Any = None, options: Mapping[str, Any] | None = None
    ) -> tuple[tuple[Any, dict[str, Any]], ...]:
        """Resets some environments, all with the same seed and options; returns a pair of observation and info for
        each.
        """
        if not env_ids:
            return ()
        seeds = None if seed is None else [seed] * len(env_ids)
        batch, info = self._reset_envs(list(env_ids), seeds, options)
        return tuple((self._copy_row(batch, row), info_row(info, row)) for row in range(len(env_ids)))

    def _copy_row(self, batch: Any, position: int) -> Any:
        """Copies one environment's observation out of a batch, whose memory the pool may reuse for its next batch."""
        rows = int(self._spec.rows)
        of_env = position if rows == 1 else slice(position * rows, (position + 1) * rows)
        return rows_of_batch(self.single_observation_space, batch, of_env)


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
            own[key] = _own(values[player if players > 1 and len(values) == players else row])
    return own


def _own(value: Any) -> Any:
    # Copies the row, because a row is a view of its array: holding the view would prevent the reuse of the whole batch.
    return value.copy() if isinstance(value, (np.ndarray, np.generic)) else deepcopy(value)


_MAX_ROWS_COPIED_SINGLY = 3
"""Maximum number of rows for which copying each row is faster than indexing by an array of row numbers."""


class FinalInfos:
    """Callable that adds final observations and infos to a step's result; the Rust extension calls it.

    Calls :func:`add_final_infos` with the observation space and the number of rows of one pool. The first call builds
    the observation space, not the constructor, because its bounds may exceed the available memory, an error that the
    pool itself reports.
    """

    def __init__(self, spec: EnvSpec) -> None:
        self._spec = spec

    @cached_property
    def _space(self) -> Any:
        return self._spec.observation_space

    def __call__(self, *arguments: Any) -> None:
        add_final_infos(self._space, self._spec.rows, *arguments)


def add_final_infos(
    space: Any,
    rows: int,
    info: dict[str, Any],
    mask: npt.NDArray[np.bool_],
    final_obs: Any,
    final_info: dict[str, Any],
) -> None:
    """Stores in ``info`` the final observations and infos of episodes that ended in this step.

    ``space`` is the observation space of one of an environment's ``rows``. ``mask`` ``(n,)`` is true for ended
    episodes; only their rows of ``final_obs`` are read, and all other rows of ``final_info`` are set to zero, as in
    gymnasium. ``info["final_obs"]`` becomes an object array ``(n,)``, with ``None`` for running episodes.
    """
    zero_other_rows(final_info, mask)
    info["final_obs"] = _rows_of_ended(space, rows, final_obs, mask)
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
    if isinstance(batch, np.ndarray) and rows == 1:
        copies = (
            batch[ended] if len(ended) > _MAX_ROWS_COPIED_SINGLY else (batch[index].copy() for index in ended.tolist())
        )
        for index, row in zip(ended.tolist(), copies, strict=True):
            finals[index] = row
        return finals
    for index in ended.tolist():
        of_env = index if rows == 1 else slice(index * rows, (index + 1) * rows)
        finals[index] = rows_of_batch(space, batch, of_env)
    return finals


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


class SharedAttributes(SingleResets):
    """Mixin with gymnasium's ``call``, ``get_attr`` and ``set_attr`` for pools of native environments."""

    num_envs: int
    config: Any
    spec: Any
    metadata: Any
    render_mode: Any
    render: Any
    np_random: Any
    np_random_seed: Any
    single_action_space: Any

    _own_attributes: dict[str, list[Any]] | None = None

    def call_some(self, env_ids: Sequence[int], name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Runs ``call``, whose further arguments it takes, for the environments with ids ``(n,)``."""
        ids = list(env_ids)
        if text("name", name) == "render":
            pictures: tuple[Any, ...] | None = self.render(ids, *arguments, **keywords)
            return (None,) * len(ids) if pictures is None else pictures
        is_sampling = name == "sample_tasks" and self._has_attribute(METAWORLD.option)
        if name == "reset" or is_sampling:
            keywords.update({"options": {name: 1}} if is_sampling else {})
            return self._reset_some(ids, *arguments, **keywords)
        if name == "get_wrapper_attr":
            return self._attributes(ids, *arguments, **keywords)
        if name in ("has_wrapper_attr", "set_wrapper_attr"):
            method = self._has_attribute if name == "has_wrapper_attr" else partial(self._set_attribute, ids)
            return (method(*arguments, **keywords),) * len(ids)
        if name == "compute_reward" and any(map(self._has_attribute, (MAZE_OPTION, TASKS_OPTION, *GOAL_OPTIONS))):
            return self._compute_rewards(ids, *arguments, **keywords)
        return self._attributes(ids, name)

    def _compute_rewards(
        self, env_ids: Sequence[int], achieved_goal: Any, desired_goal: Any, info: Any = None
    ) -> tuple[Any, ...]:
        """Computes the rewards of the given goals once for each reward type and threshold, for each environment."""
        types: list[dict[str, Any]] = [{} for _ in env_ids]
        for name in filter(self._has_attribute, ("reward_type", *GOAL_OPTIONS)):
            values = self._attributes(env_ids, name)
            types = [{**each, name: value} for each, value in zip(types, values, strict=True)]
        keys = [tuple(each.items()) for each in types]
        rewards = {key: compute_reward(achieved_goal, desired_goal, info, **dict(key)) for key in set(keys)}
        return tuple(rewards[key] for key in keys)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns an attribute of each environment.

        Args:
            name: an option of the environment; a physics constant by gymnasium's name (classic control);
                ``"np_random"``, ``"np_random_seed"``, ``"observation_space"``, ``"action_space"``, ``"spec"``,
                ``"metadata"``, ``"render_mode"``; or an attribute set by ``set_attr``.

        Raises:
            AttributeError: for any other name.
        """
        return self._attributes(range(self.num_envs), name)

    def _attributes(self, env_ids: Sequence[int], name: str) -> tuple[Any, ...]:
        values = self._values(name)
        return tuple(values[env_id] for env_id in env_ids)

    def _has_attribute(self, name: str) -> bool:
        try:
            self._values(name)
        except AttributeError:
            return False
        return True

    def _values(self, name: str) -> Sequence[Any]:
        """Returns the values of an attribute, one for each environment."""
        if text("name", name) in ("np_random", "np_random_seed"):
            values: tuple[Any, ...] = getattr(self, name)
            return values
        own = self._own_attributes or {}
        differing = self._spec.pool.given_for_each()
        for each in (own, differing):
            if name in each:
                return each[name]
        shared = {**self._constructor_options(), **self._descriptive_attributes()}
        if name not in shared:
            names = ", ".join([*shared, *own])
            raise AttributeError(f"environments of a pool have no attribute {name!r}; there are: {names}")
        return (shared[name],) * self.num_envs

    def _constructor_options(self) -> dict[str, Any]:
        """Returns an environment's options, which are fixed when the pool is made, by name."""
        return {**self.config, **physics_of(self._spec.task_id)}

    def _descriptive_attributes(self) -> dict[str, Any]:
        """Returns an environment's attributes that describe it, such as spaces and metadata, by name."""
        return {
            "observation_space": self.single_observation_space,
            "action_space": self.single_action_space,
            "spec": self._single_spec(),
            "metadata": {name: value for name, value in self.metadata.items() if name != "autoreset_mode"},
            "render_mode": self.render_mode,
        }

    def _single_spec(self) -> GymnasiumEnvSpec:
        """Returns the ``gymnasium.EnvSpec`` with which ``gymnasium.make`` creates a single environment of this task."""
        spec = self._spec
        of_pools = {each["name"] for each in _core.pool_options()} - {"render_mode"}
        kwargs = {name: value for name, value in spec.kwargs.items() if name not in of_pools}
        return GymnasiumEnvSpec(
            id=spec.id,
            entry_point=SINGLE_ENV,
            reward_threshold=spec.reward_threshold,
            max_episode_steps=spec.max_episode_steps,
            vector_entry_point=spec.vector_entry_point,
            kwargs=kwargs,
        )

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment, under a name that the environment itself does not use.

        Args:
            name: a name that the environment does not define.
            values: a list or tuple with one value for each environment, or one value for all.

        Raises:
            AttributeError: for an attribute of the environment itself: options and physics are fixed when the pool is
                made, and the engine owns the rest.
            ValueError: for a list or tuple of another length.
        """
        if not isinstance(values, (list, tuple)):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            # gymnasium raises the same error message.
            raise ValueError(
                "Values must be a list or tuple with length equal to the number of environments. "
                f"Got `{len(values)}` values for {self.num_envs} environments."
            )
        self._set_attributes(range(self.num_envs), name, values)

    def set_attr_of_some(self, env_ids: Any, name: str, value: Any) -> None:
        """Sets an attribute of environments ``(n,)`` to one value; in all others, it is ``None`` until set."""
        self._set_attribute(list(env_ids), name, value)

    def _set_attribute(self, env_ids: Sequence[int], name: str, value: Any, *, force: bool = True) -> bool:
        return self._set_attributes(env_ids, name, [value] * len(env_ids), force=force)

    def _set_attributes(self, env_ids: Sequence[int], name: str, values: Sequence[Any], *, force: bool = True) -> bool:
        """Sets an attribute of some environments, each to its own value; returns whether the attribute was set."""
        own = self._own_attributes or {}
        call = f"set_attr({text('name', name)!r})"
        error = fixed_attribute(name, call, self.config, self._spec.task_id)
        if error is not None:
            raise error
        if name in self._descriptive_attributes():
            raise AttributeError(f"{call}: that is the engine's; set_state() brings environments to states")
        if name not in own and not force:
            return False
        own.setdefault(name, [None] * self.num_envs)
        for env_id, value in zip(env_ids, values, strict=True):
            own[name][env_id] = value
        self._own_attributes = own
        return True
