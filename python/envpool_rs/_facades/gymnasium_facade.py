"""Pools of native environments with EnvPool's gymnasium interface, and as gymnasium's vector environments."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Generic

import gymnasium
import numpy as np
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv

from envpool_rs._arguments import bounded, text
from envpool_rs._facades.environments import (
    fixed_attribute,
    physics_of,
    seed_list,
    values_in_force,
    zero_other_rows,
)
from envpool_rs._facades.interfaces import GymnasiumInterface, ObservationT, VectorInterface
from envpool_rs._facades.pool import EnvPoolCalls, NativePool
from envpool_rs._spec.assets import MAZE_OPTION, METAWORLD
from envpool_rs._spec.entry_points import SINGLE_ENV
from envpool_rs._spec.options import ENGINE_OPTIONS
from envpool_rs.robotics import GOAL_OPTIONS, TASKS_OPTION, compute_reward

if TYPE_CHECKING:
    import numpy.typing as npt


class RandomGenerators(NativePool):
    """``np_random`` and ``np_random_seed`` of gymnasium's interfaces, for native environments of this process."""

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """Seed of each environment's last seeded reset, as in gymnasium's own vector environments."""
        return tuple(seed_list(self._seeds, len(self)))

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """Copies of the environments' generators, so that drawing changes nothing in the environments. Raises an
        ``AttributeError`` if the environments use another generator than numpy's, or are in flight.
        """
        try:
            states = self._bit_generators()
        except RuntimeError as error:
            raise AttributeError(f"np_random: {error}") from error
        generators = tuple(np.random.Generator(np.random.PCG64()) for _ in states)
        for parts, generator in zip(states, generators, strict=True):
            if parts is None:
                raise AttributeError("np_random: these environments draw from another generator than numpy's Generator")
            state, increment, spare = parts
            own = {"state": {"state": state, "inc": increment}, "has_uint32": spare is not None, "uinteger": spare or 0}
            generator.bit_generator.state = {"bit_generator": "PCG64", **own}
        return generators


class GymnasiumEnvPool(  # type: ignore[misc, override]
    GymnasiumInterface[ObservationT],
    RandomGenerators,
    EnvPoolCalls,
    GymnasiumVectorEnv,
    gymnasium.Env,
    Generic[ObservationT],
):
    """EnvPool's gymnasium interface: ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environment's own infos. Rewards are float32, integers int32. The pool is an instance of both
    ``gymnasium.vector.VectorEnv`` and ``gymnasium.Env``, so that wrappers of both kinds accept it.
    ``observation_space`` and ``action_space`` are those of *one* environment, as in EnvPool, and assignable.
    """


class VectorEnv(  # type: ignore[misc]
    VectorInterface[ObservationT], RandomGenerators, NativePool, GymnasiumVectorEnv, Generic[ObservationT]
):
    """gymnasium's vector interface: batched spaces, float64 rewards, gymnasium's dtypes and infos (``key`` with
    ``_key`` masks).

    If an environment has several players that share one space, observations, actions and rewards have a row per player
    (players of environment 0 first), while the flags ``terminated`` and ``truncated`` have one per environment.
    ``observation_space`` is that of one result, ``batch_space(single_observation_space, rows)``, with rows for
    ``batch_size`` environments: all, unless the pool is asynchronous. ``action_space`` is that of one step's actions.
    """

    _own_attributes: dict[str, list[Any]] | None = None

    def call_some(self, env_ids: Sequence[int], name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Runs ``call``, whose further arguments it takes, for the environments with ids ``(n,)``."""
        ids = list(bounded("env_ids", env_ids))
        if text("name", name) == "render":
            pictures: tuple[Any, ...] | None = self.render(ids, *arguments, **keywords)
            return (None,) * len(ids) if pictures is None else pictures
        if name == "sample_tasks" and self._has_attribute(METAWORLD.option):
            name, keywords = "reset", {**keywords, "options": {name: 1}}
        if name == "reset":
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
        names = [name for name in ("reward_type", *GOAL_OPTIONS) if self._has_attribute(name)]
        values = [
            [tuple(each) if isinstance(each, list) else each for each in self._attributes(env_ids, name)]
            for name in names
        ]
        keys = list(zip(*values, strict=True)) or [()] * len(env_ids)
        rewards = {
            key: compute_reward(achieved_goal, desired_goal, info, **dict(zip(names, key, strict=True)))
            for key in set(keys)
        }
        return tuple(rewards[key] for key in keys)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns an attribute of each environment: an option of the environment; a physics constant by gymnasium's
        name (classic control); ``"np_random"``, ``"np_random_seed"``, ``"observation_space"``, ``"action_space"``,
        ``"spec"``, ``"metadata"``, ``"render_mode"``; or an attribute set by ``set_attr``. Raises an ``AttributeError``
        for any other name.
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
        if text("name", name) in ("np_random", "np_random_seed"):
            return getattr(self, name)  # type: ignore[no-any-return]
        own = self._own_attributes or {}
        differing: dict[str, Any] = {**self._spec.pool.given_for_each(), **own}
        if values_in_force(name, dict.fromkeys(self._spec.pool.episode_options, 0)) is not None:
            with suppress(RuntimeError):  # environments in flight: the options that the pool was made with
                values = values_in_force(name, self.get_options())
                return [each.item() if isinstance(each, np.generic) else each for each in values]
        if name in differing:
            return differing[name]  # type: ignore[no-any-return]
        config = self.config  # whose values win: some options are constants of gymnasium's classes
        shared = {**config, **physics_of(self._spec.task_id), **config, **self._descriptive_attributes()}
        if name not in shared:
            names = ", ".join([*shared, *own])
            raise AttributeError(f"environments of a pool have no attribute {name!r}; there are: {names}")
        return (shared[name],) * self.num_envs

    def _descriptive_attributes(self) -> dict[str, Any]:
        of_pools = {*ENGINE_OPTIONS} - {"render_mode"}
        kept = ("reward_threshold", "max_episode_steps", "vector_entry_point")
        fields: dict[str, Any] = {name: getattr(self._spec, name) for name in kept}
        kwargs = {name: value for name, value in self._spec.kwargs.items() if name not in of_pools}
        return {
            "observation_space": self.single_observation_space,
            "action_space": self.single_action_space,
            # With this, `gymnasium.make` creates a single environment of this task.
            "spec": GymnasiumEnvSpec(id=self._spec.id, entry_point=SINGLE_ENV, kwargs=kwargs, **fields),
            "metadata": {name: value for name, value in self.metadata.items() if name != "autoreset_mode"},
            "render_mode": self.render_mode,
        }

    def set_attr(self, name: str, values: Any) -> None:
        self._check_idle("set_attr")
        if not isinstance(values, (list, tuple)):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:  # with gymnasium's error message
            expected = "Values must be a list or tuple with length equal to the number of environments."
            raise ValueError(f"{expected} Got `{len(values)}` values for {self.num_envs} environments.")
        self._set_attribute([], name, None)
        vars(self)["_own_attributes"][name] = list(values)

    def set_attr_of_some(self, env_ids: Any, name: str, value: Any) -> None:
        """Sets an attribute of environments ``(n,)`` to one value; in all others, it is ``None`` until set."""
        self._set_attribute(list(bounded("env_ids", env_ids)), name, value)

    def _set_attribute(self, env_ids: Sequence[int], name: str, value: Any, *, force: bool = True) -> bool:
        own = self._own_attributes or {}
        call = f"set_attr({text('name', name)!r})"
        changeable = self._spec.pool.episode_options
        error = fixed_attribute(name, call, self.config, self._spec.task_id, changeable)
        if error is not None:
            raise error
        if name in self._descriptive_attributes():
            raise AttributeError(f"{call}: that is the engine's; set_state() brings environments to states")
        if name not in own and not force:
            return False
        own.setdefault(name, [None] * self.num_envs)
        for env_id in env_ids:
            own[name][env_id] = value
        self._own_attributes = own
        return True

    def render(self, env_ids: Any = None) -> tuple[Any, ...] | None:
        """Renders environments with the ids ``(n,)``, or all; none may be in flight.

        Returns for each environment an image ``(height, width, 3)`` uint8 in the mode ``"rgb_array"``; a depth image
        ``(height, width)`` float32 in ``"depth_array"``; a tuple of image and depth image in ``"rgbd_tuple"``; a str in
        ``"ansi"``; ``None`` in ``"human"``, which shows all frames in a window. Raises the errors of
        :meth:`envpool_rs.pools.GymnasiumEnvPool.render`.
        """
        pictures = self._render_rows(env_ids)
        if self._spec.rendering.mode == "rgbd_tuple":
            return tuple(zip(*pictures, strict=True))
        return None if pictures is None else tuple(pictures)

    def _mask_infos(self, info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
        zero_other_rows(info, mask)
