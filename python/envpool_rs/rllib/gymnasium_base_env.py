"""Converts gymnasium's vector environments to RLlib's interface for many agents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import concatenate, create_empty_array, iterate

from envpool_rs._facades.environments import info_row
from envpool_rs.rllib.agent_values import AgentResult
from envpool_rs.rllib.indexed_base_env import EnvPhase, as_list_or_dict
from envpool_rs.rllib.rllib_types import ASYNC_RESET_RETURN, EnvID, Poll
from envpool_rs.rllib.single_agent_base_env import SingleAgentBaseEnv


class GymnasiumBaseEnv(SingleAgentBaseEnv):
    """``gymnasium.vector.VectorEnv`` as a ``BaseEnv``.

    A step runs all environments, so every environment needs an action, unless it starts a new episode in this step. The
    vector's autoreset mode determines how the next episode starts:

    * disabled: ``try_reset`` resets immediately;
    * same-step: ``try_reset`` returns the observation of the reset that the vector already made;
    * next-step: ``try_reset`` returns :data:`ASYNC_RESET_RETURN` twice, and the observation follows in the poll after
      the next step.

    Resets of single environments accept seeds and options only if autoreset is disabled; resets of all environments
    accept them in every mode.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        """Wraps a vector without resetting it.

        Args:
            vector_env: the vector.
            strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from its
                documentation.
        """
        super().__init__(vector_env.num_envs, strict_rllib)
        self.vector_env = vector_env
        mode = vector_env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP)
        self._mode = mode if isinstance(mode, AutoresetMode) else AutoresetMode(mode)
        self._next_episodes: dict[int, tuple[Any, Any]] = {}
        self._last_actions: dict[int, Any] = {}

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment."""
        return self.vector_env.single_observation_space

    @property
    def action_space(self) -> Any:
        """Action space of one environment."""
        return self.vector_env.single_action_space

    def poll(self) -> Poll:
        """Returns new results: see :meth:`BaseEnv.poll`.

        The first poll resets all environments. If every environment waits for its autoreset, the poll steps the vector
        until they have been reset.
        """
        self._check_open()
        if not self._unpolled and self._phases and all(phase is EnvPhase.IN_FLIGHT for phase in self._phases):
            self._step({})
        return super().poll()

    def _step(self, actions: dict[int, Any]) -> None:
        waiting = {index for index, phase in enumerate(self._phases) if phase is EnvPhase.IN_FLIGHT}
        missing = sorted(set(range(self.num_envs)) - set(actions) - waiting)
        if missing:
            raise ValueError(
                f"action_dict has no actions for environments {missing}: {type(self.vector_env).__name__} steps all "
                f"{self.num_envs} at once (try_reset those that are done)"
            )
        observation, reward, terminated, truncated, info = self.vector_env.step(self._batched(actions))
        observations, infos = self._rows(observation), self._info_rows(info)
        for index in range(self.num_envs):
            row = (observations[index], float(reward[index]), bool(terminated[index]), bool(truncated[index]))
            if index in waiting:
                result = self._step_result(row[0], info=infos[index])
            elif self._mode is AutoresetMode.SAME_STEP and (row[2] or row[3]):
                self._next_episodes[index] = row[0], infos[index]
                result = self._step_result(info["final_obs"][index], *row[1:], self._final_info(info, index))
            else:
                result = self._step_result(*row, infos[index])
            self._store(index, result)

    def _batched(self, actions: dict[int, Any]) -> Any:
        """Batches actions for the vector; an environment that the step resets gets an arbitrary action."""
        self._last_actions.update(actions)
        space = self.action_space
        for index in range(self.num_envs):
            if index not in self._last_actions:
                self._last_actions[index] = space.sample()
        ordered = [self._last_actions[index] for index in range(self.num_envs)]
        try:
            out: Any = create_empty_array(space, self.num_envs)
            return concatenate(space, ordered, out)
        except (ValueError, TypeError) as error:
            raise ValueError(f"action_dict has actions that do not fit {space}: {error}") from error

    def _rows(self, observation: Any) -> list[Any]:
        return list(iterate(self.vector_env.observation_space, observation))

    def _info_rows(self, info: Mapping[str, Any]) -> list[dict[str, Any]]:
        own = {key: values for key, values in info.items() if key.removeprefix("_") not in ("final_obs", "final_info")}
        return [info_row(own, index) for index in range(self.num_envs)]

    def _final_info(self, info: Mapping[str, Any], index: int) -> dict[str, Any]:
        final = info.get("final_info", {})
        return self._info_rows(final)[index] if isinstance(final, Mapping) else final[index] or {}

    def _reset(
        self, ids: Sequence[int], seeds: Sequence[int | None], options: Mapping[str, Any] | None
    ) -> dict[int, AgentResult]:
        every: list[int | None] = [None] * self.num_envs
        for index, seed in zip(ids, seeds, strict=True):
            every[index] = seed
        if len(ids) == self.num_envs:
            self._next_episodes = {}
        else:
            mask = np.zeros(self.num_envs, dtype=np.bool_)
            mask[list(ids)] = True
            options = {**(options or {}), "reset_mask": mask}
        observation, info = self.vector_env.reset(seed=None if None in seeds else every, options=options)
        observations, infos = self._rows(observation), self._info_rows(info)
        return self._reset_results(ids, [observations[index] for index in ids], [infos[index] for index in ids])

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Starts new episodes: see :meth:`BaseEnv.try_reset`; the class describes the effect of the autoreset mode.

        Raises:
            ValueError: for a single environment of a vector with autoreset, if a seed or options are given or its
                episode has not ended.
        """
        if env_id is None or self._mode is AutoresetMode.DISABLED:
            return super().try_reset(env_id, seed=seed, options=options)
        self._check_open()
        index = self._checked_ids(env_id)[0]
        if seed is not None or options is not None or self._phases[index] is not EnvPhase.DONE:
            raise ValueError(
                f"env_id is {env_id} (seed={seed!r}, options={options!r}): under autoreset mode {self._mode.name}, "
                "single environments are reset without seed and options, and only when their episodes have ended; make "
                "the vector with autoreset mode DISABLED"
            )
        if self._mode is AutoresetMode.SAME_STEP:
            observation, info = self._next_episodes.pop(index)
            return self._return_reset({index: self._step_result(observation, info=info)})
        self._phases[index] = EnvPhase.IN_FLIGHT
        return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environment objects, if the vector has them in this process."""
        return as_list_or_dict(getattr(self.vector_env, "envs", ()), as_dict)

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Schedules a reset of environments by the next poll; environments of a vector cannot be recreated
        individually.

        Args:
            env_id: must be ``None`` unless the vector's autoreset mode is disabled.
        """
        if env_id is not None and self._mode is not AutoresetMode.DISABLED:
            raise ValueError(f"env_id={env_id}: expected None under autoreset mode {self._mode.name}")
        super().try_restart(env_id)

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders all environments of the vector; returns the result of ``render``, or one environment's part of the
        result.
        """
        self._check_open()
        drawn = self.vector_env.render()
        return drawn if env_id is None or drawn is None else drawn[self._checked_id("env_id", env_id)]

    def _close(self) -> None:
        self.vector_env.close()
