"""Converts multi-agent environments to the interface for many environments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from envpool_rs.rllib.agent_values import AgentResult
from envpool_rs.rllib.indexed_base_env import AgentsBaseEnv, as_list_or_dict
from envpool_rs.rllib.rllib_types import AgentID, EnvID, agents_of, is_multi_agent_env
from envpool_rs.rllib.sub_environments import SubEnvironments


class MultiAgentEnvWrapper(AgentsBaseEnv):
    """``MultiAgentEnv`` environments (of this package or ray's) as one ``BaseEnv``.

    Each call may send actions to a subset of environments, and to a subset of each environment's ready agents.
    """

    def __init__(
        self,
        make_env: Callable[[int], Any] | None,
        existing_envs: Sequence[Any],
        num_envs: int,
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> None:
        """Makes the environments that do not exist yet, without resetting any environment.

        Args:
            make_env: function that makes the environment at an index; may be ``None`` if all environments exist.
            existing_envs: existing environments, in order.
            num_envs: required number of environments.
            restart_failed_sub_environments: whether an environment that raised an exception is recreated.
            strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from its
                documentation.

        Raises:
            ValueError: if environments are missing and ``make_env`` is ``None``.
            TypeError: for another kind of environment.
        """
        self._environments = SubEnvironments(make_env, existing_envs, num_envs, restart_failed_sub_environments)
        for index, environment in enumerate(self._environments.envs):
            if not is_multi_agent_env(environment):
                raise TypeError(f"environment {index} is a {type(environment).__name__}: expected a MultiAgentEnv")
        super().__init__(num_envs, strict_rllib)

    def _step(self, actions: dict[int, Any]) -> None:
        self._store_each(actions, lambda index: self._step_one(index, actions[index]))

    def _step_one(self, index: int, actions: dict[AgentID, Any]) -> AgentResult:
        agents = self._agents[index]
        result = self._environments.call(index, "step", actions)
        failed = isinstance(result, Exception)
        return agents.fail(result) if failed else agents.observe(result, f"environment {index}")

    def _reset(
        self, ids: Sequence[int], seeds: Sequence[int | None], options: Mapping[str, Any] | None
    ) -> dict[int, AgentResult]:
        return {index: self._reset_one(index, seed, options) for index, seed in zip(ids, seeds, strict=True)}

    def _reset_one(self, index: int, seed: int | None, options: Mapping[str, Any] | None) -> AgentResult:
        result = self._environments.call(index, "reset", seed=seed, options=options)
        observations, infos = (result, {}) if isinstance(result, Exception) else _checked_reset(result, index)
        return self._agents[index].begin(observations, infos, f"environment {index}")

    def _recreate(self, index: int) -> None:
        self._environments.restart(index)

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environments."""
        return as_list_or_dict(self._environments.envs, as_dict)

    def _declared_agents(self) -> list[Iterable[AgentID]]:
        return [agents_of(environment) for environment in self._environments.envs]

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        environment = self._environments.envs[env_id]
        return getattr(environment, f"get_{kind}_space")(agent_id)

    @property
    def observation_space(self) -> Any:
        """Observation space of the first environment."""
        return self._environments.envs[0].observation_space

    @property
    def action_space(self) -> Any:
        """Action space of the first environment."""
        return self._environments.envs[0].action_space

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        return [self._environments.envs[index].render() for index in ids]

    def _close(self) -> None:
        self._environments.close()


def _checked_reset(result: Any, index: int) -> tuple[Any, Any]:
    if not isinstance(result, tuple) or len(result) != 2:  # noqa: PLR2004
        raise ValueError(f"reset() of environment {index} returned {result!r}: expected observations and infos")
    return result
