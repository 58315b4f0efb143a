"""EnvPool's interface for legacy gym: based on gym's classes if gym is installed, on gymnasium's otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from envpool_rs._facades.interfaces import EnvPoolCalls, GymMixin
from envpool_rs._facades.pool import NativePool, autoreset_mode
from envpool_rs._facades.rendering import LegacyRenderMixin
from envpool_rs._spec.installed_gym import ENVIRONMENT_BASES, FIVE_VALUES
from envpool_rs._spec.options import render_metadata
from envpool_rs._spec.spec import EnvSpec, GymEnvSpec

if TYPE_CHECKING:
    from envpool_rs._core import Layout


class GymEnvPool(GymMixin, EnvPoolCalls, LegacyRenderMixin, NativePool, *ENVIRONMENT_BASES):  # type: ignore[misc]
    """EnvPool's gym interface, in the format of the installed gym.

    * Before 0.26 ``reset()`` returns ``obs``, and ``step(action, env_id)`` returns ``(obs, reward, done, info)`` with
      ``info["TimeLimit.truncated"]``. With ``gym_reset_return_info=True`` ``reset()`` returns ``(obs, info)``.
    * With gym 0.26, or without gym, ``reset()`` returns ``(obs, info)`` and ``step()`` returns ``(obs, reward,
      terminated, truncated, info)``. With ``gym_reset_return_info=False`` they return ``obs`` and ``(obs, reward, done,
      info)``.

    If gym is installed, spaces are gym's classes, and the class derives from ``gym.Env``. Otherwise spaces are
    gymnasium's, and the class derives from ``gymnasium.vector.VectorEnv`` and ``gymnasium.Env``. All attributes are
    assignable.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
        num_envs: number of environments.
        metadata: ``autoreset_mode`` is a ``gymnasium.vector.AutoresetMode``.
    """

    is_vector_env = True
    num_envs: int
    metadata: dict[str, Any]
    observation_space: Any
    action_space: Any
    single_observation_space: Any
    single_action_space: Any

    @staticmethod
    def _layout(spec: EnvSpec) -> Layout:
        five_values = FIVE_VALUES and spec.config_dict()["gym_reset_return_info"]
        return "gymnasium" if five_values else "gym"

    def __init__(self, spec: GymEnvSpec) -> None:
        super().__init__(spec)
        self.num_envs = len(self)
        metadata = render_metadata(spec.pool)
        self.metadata = {
            "render.modes": metadata["render_modes"],
            **metadata,
            "autoreset_mode": autoreset_mode(spec),
        }
        self.observation_space = self.single_observation_space = spec.observation_space
        self.action_space = self.single_action_space = spec.action_space
