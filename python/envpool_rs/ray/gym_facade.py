"""EnvPool's interface for legacy gym over a cluster."""

from __future__ import annotations

from typing import Any

from envpool_rs._facades.gym_facade import GymMixin
from envpool_rs._facades.rendering import LegacyRenderMixin
from envpool_rs._spec.installed_gym import FIVE_VALUES, SPACES, EnvironmentBase
from envpool_rs._spec.spaces import build_space
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.gymnasium_facade import EnvPoolDialect
from envpool_rs.ray.share_rows import ShareRows


class GymRayPool(GymMixin, LegacyRenderMixin, EnvPoolDialect, EnvironmentBase):  # type: ignore[misc]
    """EnvPool's gym interface over a cluster, in the format of the gym that is installed: as
    :class:`envpool_rs.gym_facade.GymEnvPool`.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
    """

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification; its ``gym_reset_return_info`` decides the format.
            actors: its environments.
        """
        super().__init__(spec, actors)
        self._five_values = FIVE_VALUES and bool(spec.config_dict()["gym_reset_return_info"])
        self.metadata = {"render.modes": self.metadata["render_modes"], **self.metadata}
        self.observation_space = self.single_observation_space = build_space(spec.pool.observation, SPACES)
        self.action_space = self.single_action_space = build_space(spec.pool.action, SPACES)

    def _step_result(self, rows: ShareRows) -> Any:
        infos = self._infos(rows)
        if self._five_values:
            return rows.observation, rows.rewards, rows.terminated, rows.truncated, infos
        infos["TimeLimit.truncated"] = rows.truncated
        return rows.observation, rows.rewards, rows.terminated | rows.truncated, infos

    def _reset_result(self, rows: ShareRows, return_info: bool = True) -> Any:
        return (rows.observation, self._infos(rows)) if return_info else rows.observation
