"""Access to attributes of environments, as in gymnasium's vector environments."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs import _core
from envpool_rs._arguments import text
from envpool_rs._facades.resets import SingleResets
from envpool_rs._spec.entry_points import SINGLE_ENV
from envpool_rs._spec.goal_rewards import GOAL_OPTIONS, TASKS_OPTION, compute_reward
from envpool_rs._spec.mujoco_library import MAZE_OPTION, METAWORLD_DIR

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
    """Returns the constants of a task's physics by name; an empty dict for a pool of several tasks.

    Args:
        task_id: the extension's task.
    """
    return PHYSICS.get(task_id.rpartition("-v")[0], {})


def fixed_attribute(name: str, call: str, config: Mapping[str, Any], task_id: str) -> AttributeError | None:
    """Returns the error for an assignment to an option, to the physics or to the state of a native environment;
    ``None`` for other names.

    Args:
        name: the attribute.
        call: the user's call, as the message names it.
        config: the environment's options.
        task_id: the extension's task.
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
        """Runs ``call`` for some environments.

        Args:
            env_ids: ids ``(n,)``.
            name: as for ``call``.
            arguments: arguments for the method.
            keywords: keyword arguments for the method.
        """
        ids = list(env_ids)
        if text("name", name) == "render":
            pictures: tuple[Any, ...] | None = self.render(ids, *arguments, **keywords)
            return (None,) * len(ids) if pictures is None else pictures
        is_sampling = name == "sample_tasks" and self._has_attribute(METAWORLD_DIR)
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
        """Computes the rewards of the given goals once for each reward type and threshold; returns the rewards for
        each environment.
        """
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
        """Sets an attribute of some environments. In all other environments, the attribute is ``None`` until it is set.

        Args:
            env_ids: ids ``(n,)``.
            name: as for ``set_attr``.
            value: one value for all of these environments.
        """
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
