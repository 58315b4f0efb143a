"""Vectors of RLlib's interface behind its interface for many agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from envpool_rs.rllib.indexed_base_env import Turn, as_list_or_dict
from envpool_rs.rllib.multi_env_dict import EnvID
from envpool_rs.rllib.single_agent_base_env import SingleAgentBaseEnv


class VectorEnvWrapper(SingleAgentBaseEnv):
    """An RLlib ``VectorEnv`` (ours or ray's) as a ``BaseEnv``.

    A vector of single environments, which has ``step_at``, takes actions for any of them; every other vector steps all
    at once, so that it needs an action for each, and no episode may have ended without a reset.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a vector, unreset.

        Args:
            vector_env: the vector.
            strict_rllib: whether ``poll`` has RLlib's own form.
        """
        super().__init__(vector_env.num_envs, strict_rllib)
        self.vector_env = vector_env
        self._steps_single_environments = hasattr(vector_env, "step_at")

    @property
    def observation_space(self) -> Any:
        """The observation space of one environment."""
        return self.vector_env.observation_space

    @property
    def action_space(self) -> Any:
        """The action space of one environment."""
        return self.vector_env.action_space

    def _step(self, actions: dict[int, Any]) -> None:
        if self._steps_single_environments:
            self._step_single_environments(actions)
            return
        missing = sorted(set(range(self.num_envs)) - set(actions))
        if missing:
            raise ValueError(
                f"action_dict has no actions for environments {missing}: {type(self.vector_env).__name__} steps all "
                f"{self.num_envs} at once"
            )
        rows = self.vector_env.vector_step([actions[index] for index in range(self.num_envs)])
        for index, row in enumerate(zip(*rows, strict=True)):
            self._take(index, row)

    def _step_single_environments(self, actions: dict[int, Any]) -> None:
        """Steps one after the other. What one of them raises comes when all have played; the others' results stay."""
        failure: Exception | None = None
        for index, action in actions.items():
            try:
                self._take(index, self.vector_env.step_at(index, action))
            except Exception as error:
                self._turns[index] = Turn.DONE
                self._news.pop(index, None)
                failure = failure or error
        if failure is not None:
            raise failure

    def _reset(
        self, ids: Sequence[int], seed: int | None, options: Mapping[str, Any] | None
    ) -> dict[int, tuple[Any, Any]]:
        if len(ids) == self.num_envs and not self._steps_single_environments:
            seeds = None if seed is None else [seed + index for index in ids]
            each = None if options is None else [options] * len(ids)
            return dict(
                zip(ids, zip(*self.vector_env.vector_reset(seeds=seeds, options=each), strict=True), strict=True)
            )
        return {index: self._reset_at(index, None if seed is None else seed + index, options) for index in ids}

    def _reset_at(self, index: int, seed: int | None, options: Mapping[str, Any] | None) -> tuple[Any, Any]:
        result = self.vector_env.reset_at(index, seed=seed, options=options)
        return (result, {}) if isinstance(result, Exception) else result

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes environments and makes them anew; the next poll resets them.

        Args:
            env_id: the environment; ``None`` for all.

        Raises:
            ValueError: where nothing makes environments.
        """
        self._check_open()
        for index in self._checked_ids(env_id):
            self.vector_env.restart_at(index)
            self._turns[index] = Turn.UNRESET
            self._news.pop(index, None)

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """The environments' own objects, as far as there are any."""
        return as_list_or_dict(self.vector_env.get_sub_environments(), as_dict)

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Draws one environment (returning what it drew) or all (by environment)."""
        self._check_open()
        if env_id is None:
            return {index: self.vector_env.try_render_at(index) for index in range(self.num_envs)}
        return self.vector_env.try_render_at(self._checked_id("env_id", env_id))

    def _close(self) -> None:
        if hasattr(self.vector_env, "close"):
            self.vector_env.close()
            return
        for environment in self.vector_env.get_sub_environments():
            if hasattr(environment, "close"):
                environment.close()
