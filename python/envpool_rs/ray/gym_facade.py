"""EnvPool's interface for legacy gym over a cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from envpool_rs.gym_facade import BASES, FIVE_VALUES, SPACES
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.gymnasium_facade import EnvPoolDialect
from envpool_rs.ray.share_rows import ShareRows
from envpool_rs.spaces import build_space
from envpool_rs.spec import EnvSpec


class GymRayPool(EnvPoolDialect, *BASES):  # type: ignore[misc]
    """EnvPool's gym interface over a cluster, in the format of the gym that is installed: as
    :class:`envpool_rs.gym_facade.GymEnvPool`.

    Attributes:
        observation_space: observation space of one environment; also ``single_observation_space``.
        action_space: action space of one environment; also ``single_action_space``.
    """

    reward_range = (-float("inf"), float("inf"))

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        """Takes over actors that have been started.

        Args:
            spec: the whole pool's specification; its ``gym_reset_return_info`` decides the format.
            actors: its environments.
        """
        super().__init__(spec, actors)
        self._return_info = bool(spec.config_dict()["gym_reset_return_info"])
        self._five_values = FIVE_VALUES and self._return_info
        self.metadata = {"render.modes": [], **self.metadata}
        self.observation_space = self.single_observation_space = build_space(spec.pool.observation, SPACES)
        self.action_space = self.single_action_space = build_space(spec.pool.action, SPACES)
        self._next_seed: Any = None

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
            return_info: whether to return ``(obs, info)``; ``None`` for what gym's version says.

        Returns:
            ``obs`` or ``(obs, info)``, ``n`` rows.
        """
        if seed is None and env_id is None:
            seed, self._next_seed = self._next_seed, None
        return_info = self._return_info if return_info is None else return_info
        return self._reset(env_id, seed, options, return_info=return_info)

    def _step_result(self, rows: ShareRows) -> Any:
        infos = self._infos(rows)
        if self._five_values:
            return rows.observation, rows.rewards, rows.terminated, rows.truncated, infos
        infos["TimeLimit.truncated"] = rows.truncated
        return rows.observation, rows.rewards, rows.terminated | rows.truncated, infos

    def _reset_result(self, rows: ShareRows, return_info: bool = True) -> Any:
        return (rows.observation, self._infos(rows)) if return_info else rows.observation
