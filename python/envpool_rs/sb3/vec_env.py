"""Stable-Baselines3's vector environment over a pool."""

from __future__ import annotations

import time
import warnings
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from envpool_rs._make.make import make_vec
from envpool_rs.sb3.env_infos import env_infos

try:
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv as Sb3VecEnv
except ImportError as error:
    raise ImportError("envpool_rs.sb3 needs Stable-Baselines3: pip install 'envpool_rs[sb3]'") from error

_ENDINGS = ("episode", "final_obs", "final_info")
"""Infos about the end of an episode, which Stable-Baselines3 has in a form of its own."""


class VecEnv(Sb3VecEnv):  # type: ignore[misc, unused-ignore]
    """A pool as Stable-Baselines3 takes it: what ``make_vec_env(task, n_envs)`` makes, and ``VecMonitor`` around it.

    Rewards are float32, ``dones`` (n,) bool, and infos a list of dicts. The step that ends an episode returns the next
    one's first observation; its info has ``terminal_observation``, ``TimeLimit.truncated``, and ``episode`` with
    return ``r``, length ``l`` and seconds since this object was made ``t``.

    Attributes:
        vector_env: the gymnasium vector environment underneath.
    """

    def __init__(self, env: str | VectorEnv[Any, Any, Any], num_envs: int = 1, **options: Any) -> None:
        """Makes the environments, or takes over those of a vector environment.

        Args:
            env: a task or any other id that ``envpool_rs.make_vec`` takes; or a vector environment in gymnasium's
                same-step autoreset mode, anybody's.
            num_envs: number of environments, where ``env`` is an id.
            options: as for ``envpool_rs.make_vec``, where ``env`` is an id.

        Raises:
            ValueError: for an option that is not allowed, for environments with several players, for vector
                environments in another autoreset mode, or with the spaces of a single environment.
            TypeError: for options beside a vector environment.
        """
        self.vector_env: Any = _made(env, num_envs, options) if isinstance(env, str) else _checked(env, options)
        self._started = time.time()
        self._actions: npt.NDArray[Any] | None = None
        self._action_masks: npt.NDArray[np.bool_] | None = None
        self._every = range(self.vector_env.num_envs)
        super().__init__(
            self.vector_env.num_envs, self.vector_env.single_observation_space, self.vector_env.single_action_space
        )

    def reset(self) -> Any:
        """Begins an episode in every environment, with the seeds of ``seed`` and the options of ``set_options``.

        Raises:
            ValueError: where ``set_options`` was given options that differ between environments.
        """
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        observation, info = self.vector_env.reset(seed=seeds, options=self._common_options())
        self._reset_seeds()
        self._reset_options()
        self._actions = None
        self._keep_action_masks(info)
        self.reset_infos = env_infos(info, self._every)
        return observation

    def _common_options(self) -> dict[str, Any] | None:
        first = self._options[0]
        if any(each != first for each in self._options):
            raise ValueError(f"set_options({self._options!r}): expected the same options for all environments")
        return first or None

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Takes the actions of the next ``step_wait``.

        Args:
            actions: ``(n,)`` or ``(n, ...)``, as the action space has it.
        """
        self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Plays the step.

        Returns:
            Observations, rewards ``(n,)``, dones ``(n,)``, and a dict of infos for each environment.

        Raises:
            RuntimeError: without ``step_async`` before it.
            ValueError: for actions that are not allowed.
        """
        if self._actions is None:
            raise RuntimeError("step_wait(): nothing was begun; call step_async first")
        actions, self._actions = self._actions, None
        observation, reward, terminated, truncated, info = self.vector_env.step(actions)
        dones = terminated | truncated
        self._keep_action_masks(info)
        infos = self._infos(info, np.flatnonzero(dones).tolist())
        for each, timed_out in zip(infos, (truncated & ~terminated).tolist(), strict=True):
            each["TimeLimit.truncated"] = timed_out
        return observation, reward.astype(np.float32), dones, infos

    def _infos(self, info: dict[str, Any], ended: list[int]) -> list[dict[str, Any]]:
        if not info:
            return [{} for _ in self._every]
        own = {key: value for key, value in info.items() if key.removeprefix("_") not in _ENDINGS}
        infos = env_infos(own, self._every)
        if not ended:
            return infos
        last = env_infos(info.get("final_info", {}), ended)
        for index, each in zip(ended, last, strict=True):
            self.reset_infos[index] = infos[index]
            infos[index] = each
            each["terminal_observation"] = info["final_obs"][index]
            statistics = info.get("episode") or each.get("episode")
            if statistics is not None:
                each["episode"] = self._episode(statistics, index)
        return infos

    def _episode(self, statistics: dict[str, Any], index: int) -> dict[str, Any]:
        returned, length = (np.broadcast_to(statistics[key], self.num_envs)[index] for key in "rl")
        return {"r": round(float(returned), 6), "l": int(length), "t": round(time.time() - self._started, 6)}

    def close(self) -> None:
        """Frees all environments."""
        self.vector_env.close()

    def get_images(self) -> Sequence[Any]:
        """A picture of each environment, with ``render_mode="rgb_array"``."""
        if self.render_mode != "rgb_array":
            warnings.warn(f"render_mode is {self.render_mode!r}: pictures need 'rgb_array'", stacklevel=2)
            return [None] * self.num_envs
        pictures: Sequence[Any] = self.vector_env.render()
        return pictures

    # What is asked of single environments.

    def _keep_action_masks(self, info: dict[str, Any]) -> None:
        if "action_mask" in info:
            self._action_masks = info["action_mask"].astype(np.bool_)

    @property
    def _tells_action_masks(self) -> bool:
        """Whether native environments say in their infos which actions are allowed."""
        pool = getattr(self.vector_env.spec, "pool", None)
        return pool is not None and any(name == "action_mask" for name, *_ in pool.info)

    def _masks_of(self, index: int) -> npt.NDArray[np.bool_]:
        if self._action_masks is None:
            raise RuntimeError("action_masks(): the environments have no state yet; call reset first")
        mask: npt.NDArray[np.bool_] = self._action_masks[index].copy()
        return mask

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """What a method of each environment returns.

        Args:
            method_name: ``"action_masks"``, where environments tell which actions are allowed; ``"render"``; and every
                method of environments written in Python.
            method_args: for the method.
            indices: environments: ``None`` for all, an int, or several.
            method_kwargs: for the method.

        Raises:
            AttributeError: for methods that there are not.
        """
        chosen = list(self._get_indices(indices))
        if method_name == "action_masks" and self._tells_action_masks:
            return [self._masks_of(index) for index in chosen]
        if hasattr(self.vector_env, "call_some"):
            return list(self.vector_env.call_some(chosen, method_name, *method_args, **method_kwargs))
        results = self.vector_env.call(method_name, *method_args, **method_kwargs)
        return [results[index] for index in chosen]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of each environment.

        Args:
            attr_name: an option of the task, ``"spec"``, ``"render_mode"`` and so on; every attribute of environments
                written in Python.
            indices: environments: ``None`` for all, an int, or several.

        Raises:
            AttributeError: for attributes that there are not.
        """
        chosen = list(self._get_indices(indices))
        if attr_name == "action_masks" and self._tells_action_masks:
            return [partial(self._masks_of, index) for index in chosen]
        values = self.vector_env.get_attr(attr_name)
        return [values[index] for index in chosen]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets an attribute of environments written in Python.

        Args:
            attr_name: the attribute.
            value: its value, the same for all.
            indices: environments: ``None`` for all, an int, or several.

        Raises:
            AttributeError: for native environments, whose options are fixed when they are made.
        """
        chosen = list(self._get_indices(indices))
        if hasattr(self.vector_env, "set_attr_of_some"):
            self.vector_env.set_attr_of_some(chosen, attr_name, value)
        elif len(chosen) == self.num_envs:
            self.vector_env.set_attr(attr_name, [value] * self.num_envs)
        else:
            raise ValueError(f"indices={indices!r}: {type(self.vector_env).__name__} sets attributes of all or none")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Whether environments do what a wrapper of Stable-Baselines3 does: true of ``Monitor``, since ``episode`` is
        in the infos.
        """
        return [issubclass(wrapper_class, Monitor)] * len(list(self._get_indices(indices)))


def _made(task_id: str, num_envs: int, options: dict[str, Any]) -> Any:
    for name, allowed in (("autoreset_mode", "same_step"), ("record_episode_statistics", True)):
        if options.setdefault(name, allowed) != allowed:
            raise ValueError(f"{name}={options[name]!r}: Stable-Baselines3 expects {allowed!r}")
    env: Any = make_vec(task_id, num_envs, **options)
    if env.is_async or getattr(env.spec, "players", 1) != 1:
        env.close()
        what = "batch_size below num_envs" if env.is_async else f"env={task_id!r} has {env.spec.players} players"
        raise ValueError(f"{what}: Stable-Baselines3 expects one player, and all environments in every step")
    return env


def _checked(env: Any, options: dict[str, Any]) -> Any:
    if options:
        raise TypeError(f"{next(iter(options))}: options belong to an id; this is a vector environment already")
    if not isinstance(env, VectorEnv):
        raise TypeError(f"env={env!r}: expected an id or a gymnasium.vector.VectorEnv")
    mode = env.metadata.get("autoreset_mode")
    if mode is not AutoresetMode.SAME_STEP:
        raise ValueError(f"env.metadata['autoreset_mode'] is {mode}: expected AutoresetMode.SAME_STEP")
    if env.observation_space == env.single_observation_space:
        raise ValueError(f"env is {type(env).__name__}, with a single environment's spaces: expected one of make_vec's")
    return env
