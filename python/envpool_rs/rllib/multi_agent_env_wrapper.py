"""Converts multi-agent environments to the interface for many environments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envpool_rs.rllib.agent_values import AgentResult, AgentValues
from envpool_rs.rllib.indexed_base_env import EnvPhase, IndexedBaseEnv, as_list_or_dict
from envpool_rs.rllib.rllib_types import AgentID, EnvID, MultiEnvDict, Poll, agents_of, is_multi_agent_env
from envpool_rs.rllib.sub_environments import SubEnvironments


class MultiAgentEnvWrapper(IndexedBaseEnv):
    """``MultiAgentEnv`` environments (of this package or ray's) as one ``BaseEnv``.

    Each call may send actions to a subset of environments, and of their ready agents.
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
        """Makes the missing environments, without resetting any.

        Args:
            make_env: makes the environment at an index; may be ``None`` if all exist.
            existing_envs: existing environments, in order.
            num_envs: required number of environments.
            restart_failed_sub_environments: whether an environment that raised is recreated.
            strict_rllib: whether ``poll`` has RLlib's own form.

        Raises:
            ValueError: if environments are missing and ``make_env`` is ``None``.
            TypeError: for another kind of environment.
        """
        self._environments = SubEnvironments(make_env, existing_envs, num_envs, restart_failed_sub_environments)
        for index, environment in enumerate(self._environments.envs):
            if not is_multi_agent_env(environment):
                raise TypeError(f"environment {index} is a {type(environment).__name__}: expected a MultiAgentEnv")
        super().__init__(num_envs, strict_rllib)
        self._agents = [AgentValues(strict_rllib) for _ in range(num_envs)]
        self._news: dict[int, AgentResult] = {}

    def poll(self) -> Poll:
        """Returns new results: see :meth:`BaseEnv.poll`. The first poll resets."""
        self._check_open()
        for index, turn in enumerate(self._phases):
            if turn is EnvPhase.UNRESET:
                self._reset(index, None, None)
        result: Poll = ({}, {}, {}, {}, {}, {})
        for index in sorted(self._news):
            for part, values in zip(result, self._news[index], strict=False):
                part[index] = values
            self._phases[index] = EnvPhase.DONE if self._agents[index].over else EnvPhase.POLLED
        self._news = {}
        self._last.record(result, complete=len(result[0]) == self.num_envs)
        return result

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Steps the environments in ``action_dict``, each with its acting agents.

        An environment's exception is raised after all others were stepped; their results are stored.

        Args:
            action_dict: ``{env_id: {agent_id: action}}``; an environment without actions is stepped too.

        Raises:
            IndexError: for an unknown environment.
            ValueError: for one whose episode has ended, or for an agent that is not ready.
            RuntimeError: for one that was not polled since its last actions.
        """
        self._check_open()
        checked = self._checked_actions(action_dict)
        for index, actions in checked.items():
            self._check_ready(index, actions)
        failure: Exception | None = None
        for index, actions in checked.items():
            try:
                self._step(index, dict(actions))
            except Exception as error:
                self._phases[index] = EnvPhase.DONE
                self._news.pop(index, None)
                failure = failure or error
        if failure is not None:
            raise failure

    def _check_ready(self, index: int, actions: Mapping[AgentID, Any]) -> None:
        agents = self._agents[index]
        for agent in actions:
            if agent in agents.done:
                raise ValueError(f"action_dict[{index}] has an action of {agent!r}: this agent is done")
            if agent not in agents.ready:
                ready = sorted(agents.ready, key=str)
                raise ValueError(f"action_dict[{index}] has an action of {agent!r}: expected agents among {ready}")

    def _step(self, index: int, actions: dict[AgentID, Any]) -> None:
        agents = self._agents[index]
        result = self._environments.call(index, "step", actions)
        failed = isinstance(result, Exception)
        self._news[index] = agents.fail(result) if failed else agents.observe(result, f"environment {index}")
        self._phases[index] = EnvPhase.UNPOLLED

    def _reset(self, index: int, seed: int | None, options: Mapping[str, Any] | None) -> AgentResult:
        result = self._environments.call(index, "reset", seed=seed, options=options)
        observations, infos = (result, {}) if isinstance(result, Exception) else _checked_reset(result, index)
        shown = self._agents[index].begin(observations, infos, f"environment {index}")
        self._news[index] = shown
        self._phases[index] = EnvPhase.RESET
        return shown

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Starts new episodes: see :meth:`BaseEnv.try_reset`."""
        self._check_open()
        ids = self._checked_ids(env_id)
        number = self._checked_reset(seed, options)
        observations, infos = {}, {}
        for place, index in enumerate(ids):
            shown = self._reset(index, None if number is None else number + place, options)
            observations[index], infos[index] = shown[0], shown[4]
            if isinstance(shown[0], Exception):
                self._phases[index] = EnvPhase.DONE
                del self._news[index]
        self._last.record_reset(observations, infos)
        return observations, infos

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes and recreates environments; the next poll resets them.

        Args:
            env_id: the environment; ``None`` for all.

        Raises:
            ValueError: without ``make_env``.
        """
        self._check_open()
        for index in self._checked_ids(env_id):
            self._environments.restart(index)
            self._phases[index] = EnvPhase.UNRESET
            self._news.pop(index, None)

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environments."""
        return as_list_or_dict(self._environments.envs, as_dict)

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments: those that they declare, and those seen so far."""
        return {agent for agents in self._agents_of_environments().values() for agent in agents}

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        return {
            index: sorted({*agents_of(environment), *self._agents[index].known}, key=str)
            for index, environment in enumerate(self._environments.envs)
        }

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

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders one environment (returning its frame) or all (a dict by environment)."""
        self._check_open()
        if env_id is None:
            return {index: environment.render() for index, environment in enumerate(self._environments.envs)}
        return self._environments.envs[self._checked_id("env_id", env_id)].render()

    def _close(self) -> None:
        self._environments.close()


def _checked_reset(result: Any, index: int) -> tuple[Any, Any]:
    if not isinstance(result, tuple) or len(result) != 2:  # noqa: PLR2004
        raise ValueError(f"reset() of environment {index} returned {result!r}: expected observations and infos")
    return result
