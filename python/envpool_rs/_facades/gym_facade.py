"""EnvPool's interface for legacy gym: gym's own classes where gym is installed, gymnasium's otherwise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
from gymnasium import spaces as gymnasium_spaces

from envpool_rs._facades.envpool_mixin import NativePool, autoreset_mode
from envpool_rs._facades.final_infos import add_final_infos
from envpool_rs._facades.rendering import LegacyRenderMixin, render_metadata
from envpool_rs._spec.spaces import build_space
from envpool_rs._spec.spec import EnvSpec

try:
    import gym
except ImportError:
    gym = None

SPACES = gymnasium_spaces if gym is None else gym.spaces
"""The module with the classes of spaces: gym's, or gymnasium's where there is no gym."""

BASES: tuple[type, ...] = (gymnasium.Env if gym is None else gym.Env,)
"""What interfaces for legacy gym derive from, so that wrappers of the gym that there is take them."""


def _has_five_values() -> bool:
    """Whether the installed gym steps to five values; without gym, the newer format."""
    if gym is None:
        return True
    major, minor = (int(part) for part in gym.__version__.split(".")[:2])
    return (major, minor) >= (0, 26)


FIVE_VALUES = _has_five_values()
"""Whether ``step`` returns ``terminated`` and ``truncated`` unless ``gym_reset_return_info`` asks for something
else."""


class GymEnvSpec(EnvSpec):
    """The specification of a pool behind the gym interface: its spaces are of the classes of ``SPACES``, as EnvPool's
    ``spec.action_space`` is gym's and ``spec.gymnasium_action_space`` gymnasium's.
    """

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment, one of gym's classes where gym is installed."""
        return build_space(self.pool.observation, SPACES)

    @property
    def action_space(self) -> Any:
        """Action space of one environment, one of gym's classes where gym is installed."""
        return build_space(self.pool.action, SPACES)


class GymMixin:
    """Seeding and resetting as old gym does, over the ``_spec`` and ``_reset`` of any pool."""

    reward_range = (-float("inf"), float("inf"))

    _spec: Any
    _reset: Any
    _next_seed: Any = None

    def seed(self, seed: Any = None) -> list[Any]:
        """Seeds the environments at the next ``reset()`` that names no seed, as gym before 0.26 does.

        Args:
            seed: an int, where environment ``i`` gets ``seed + i``; a list of ``num_envs`` ints; or ``None``, to go on
                with the generators.
        """
        self._next_seed = seed
        return [seed]

    def reset(
        self,
        env_id: Any = None,
        *,
        seed: Any = None,
        options: Mapping[str, Any] | None = None,
        return_info: bool | None = None,
    ) -> Any:
        """Resets environments now, cancelling an autoreset that is due.

        Args:
            env_id: ids ``(n,)``; ``None`` for all.
            seed: ``None`` to go on with the generators; an int, where environment ``i`` gets ``seed + i``; or a
                sequence with an entry for each environment asked for.
            options: ``reset_mask`` (``(num_envs,)`` booleans) in the place of ``env_id``, and the environment's reset
                options.
            return_info: whether to return ``(obs, info)``; ``None`` for what the class's table says.

        Returns:
            ``obs`` or ``(obs, info)``, ``n`` rows.
        """
        if seed is None and env_id is None:
            seed, self._next_seed = self._next_seed, None
        if return_info is None:
            return_info = bool(self._spec.config_dict()["gym_reset_return_info"])
        return self._reset(env_id, seed, options, return_info=return_info)


class GymEnvPool(GymMixin, LegacyRenderMixin, NativePool, *BASES):  # type: ignore[misc]
    """EnvPool's gym interface, in the format of the gym that is installed.

    * Before 0.26 ``reset()`` returns ``obs``, and ``step(action, env_id)`` returns ``(obs, reward, done, info)`` with
      ``info["TimeLimit.truncated"]``. With ``gym_reset_return_info=True`` the former returns ``(obs, info)``.
    * With 0.26, or none, they return ``(obs, info)`` and ``(obs, reward, terminated, truncated, info)``; with
      ``gym_reset_return_info=False`` ``obs`` and ``(obs, reward, done, info)``.

    Spaces are gym's classes, and the class derives from ``gym.Env``, where gym is installed; otherwise it is all
    gymnasium's. All attributes are assignable.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
        num_envs: number of environments.
        metadata: ``autoreset_mode`` is a ``gymnasium.vector.AutoresetMode``.
    """

    is_vector_env = True

    def __new__(cls, spec: GymEnvSpec) -> Any:
        """Creates the environments, unreset.

        Args:
            spec: what to create; its ``gym_reset_return_info`` decides the format.
        """
        five_values = FIVE_VALUES and spec.config_dict()["gym_reset_return_info"]
        return cls._create(spec, "gymnasium" if five_values else "gym", finish=add_final_infos)

    def __init__(self, spec: GymEnvSpec) -> None:
        """Names the spaces.

        Args:
            spec: the specification that the pool was made of.
        """
        super().__init__(spec)
        self.num_envs = len(self)
        metadata = render_metadata(spec.pool)
        self.metadata: dict[str, Any] = {
            "render.modes": metadata["render_modes"],
            **metadata,
            "autoreset_mode": autoreset_mode(spec),
        }
        self.observation_space = self.single_observation_space = spec.observation_space
        self.action_space = self.single_action_space = spec.action_space
