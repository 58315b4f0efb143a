"""Base classes of conversions with environments 0, 1, ...: they track phases, check arguments and store unpolled
results.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import IntEnum
from typing import Any

from envpool_rs._arguments import mapping, optional_integer
from envpool_rs.rllib.agent_values import AgentResult, AgentValues, LastValues
from envpool_rs.rllib.base_env import BaseEnv
from envpool_rs.rllib.rllib_types import ALL, ONLY_AGENT, AgentID, EnvID, MultiEnvDict, Poll


class EnvPhase(IntEnum):
    """Phase of an environment: the call that the environment waits for."""

    UNRESET = 0
    """The environment was never reset; the next poll resets it."""
    POLLED = 1
    """A poll returned the environment's observation; actions are expected."""
    RESET = 2
    """``try_reset`` returned the environment's observation; actions are expected, and until then a poll returns it
    again.
    """
    UNPOLLED = 3
    """The environment has results that no poll has returned yet."""
    IN_FLIGHT = 4
    """A step or reset of the environment is in flight."""
    DONE = 5
    """The environment's episode ended, or the environment failed; it must be reset."""


class IndexedBaseEnv(BaseEnv):
    """Base class for environments 0, 1, ..., which tracks the phase of each.

    Attributes:
        num_envs: number of environments.
        strict_rllib: whether ``poll`` has the form of RLlib 2.60 where that differs from its documentation.
    """

    def __init__(self, num_envs: int, strict_rllib: bool) -> None:
        self.num_envs = num_envs
        self.strict_rllib = strict_rllib
        self._phases = [EnvPhase.UNRESET] * num_envs
        self._last = LastValues()
        self._stopped = False

    def _check_open(self) -> None:
        if self._stopped:
            raise RuntimeError(f"this {type(self).__name__} is stopped")

    def _checked_id(self, name: str, env_id: EnvID) -> int:
        try:
            index = operator.index(env_id)
        except TypeError:
            index = -1
        if not 0 <= index < self.num_envs or isinstance(env_id, bool):
            raise IndexError(f"{name}={env_id!r}: expected an environment from 0 to {self.num_envs - 1}")
        return index

    def _checked_ids(self, env_id: EnvID | None) -> list[int]:
        return list(range(self.num_envs)) if env_id is None else [self._checked_id("env_id", env_id)]

    @staticmethod
    def _checked_reset(seed: Any, options: Any) -> int | None:
        """Checks a reset's seed and options; returns the seed as a plain int.

        Raises:
            TypeError: for a seed of another type, or options that are no dict.
            ValueError: for a negative seed.
        """
        if options is not None:
            mapping("options", options, "a dict or None")
        return optional_integer("seed", seed, 0)

    def _checked_actions(self, action_dict: Any) -> dict[int, Mapping[AgentID, Any]]:
        """Checks that all environments in ``action_dict`` expect actions; returns the actions by environment."""
        mapping("action_dict", action_dict, "a dict {env_id: {agent_id: action}}")
        checked: dict[int, Mapping[AgentID, Any]] = {}
        for env_id, actions in action_dict.items():
            index = self._checked_id("action_dict's key", env_id)
            mapping(f"action_dict[{env_id!r}]", actions, "a dict {agent_id: action}")
            self._check_phase(index)
            checked[index] = actions
        return checked

    def _check_phase(self, index: int) -> None:
        phase = self._phases[index]
        if phase is EnvPhase.DONE:
            raise ValueError(f"environment {index} is already done and takes no actions: try_reset({index}) first")
        if phase is EnvPhase.UNRESET:
            raise RuntimeError(f"environment {index} was not reset yet: poll() or try_reset({index}) first")
        if phase in (EnvPhase.UNPOLLED, EnvPhase.IN_FLIGHT):
            raise RuntimeError(f"environment {index} has been sent actions already: poll() first")

    def _only_action(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        """Returns the action of an environment with one agent."""
        if len(actions) != 1 or ONLY_AGENT not in actions:
            raise ValueError(
                f"action_dict[{index}] has actions of {sorted(actions, key=str)}: expected one of {ONLY_AGENT!r} alone"
            )
        return actions[ONLY_AGENT]

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments."""
        return {ONLY_AGENT}

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        return {index: [ONLY_AGENT] for index in range(self.num_envs)}

    def last(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """Returns the last observations, rewards, terminated flags, truncated flags and infos of every environment."""
        return self._last.merged()

    def stop(self) -> None:
        """Frees all resources. A second call does nothing."""
        if not self._stopped:
            self._stopped = True
            self._close()

    def _close(self) -> None:
        """Frees all resources; `stop` calls it once."""
        raise NotImplementedError


class SteppedBaseEnv(IndexedBaseEnv):
    """Base class for environments whose results are stored one by one until a poll returns them.

    Subclasses implement resets and steps of some of the environments.
    """

    def __init__(self, num_envs: int, strict_rllib: bool) -> None:
        super().__init__(num_envs, strict_rllib)
        self._unpolled: dict[int, AgentResult] = {}

    def _reset(
        self, ids: Sequence[int], seeds: Sequence[int | None], options: Mapping[str, Any] | None
    ) -> dict[int, AgentResult]:
        """Resets some environments and returns their results, except those that a later poll returns."""
        raise NotImplementedError

    def _step(self, actions: dict[int, Any]) -> None:
        """Steps some environments, and stores their results."""
        raise NotImplementedError

    def _actions_of(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        """Returns the checked actions of one environment, in the form that `_step` takes."""
        return self._only_action(index, actions)

    def _store(self, index: int, result: AgentResult) -> None:
        """Stores a result until a poll returns it."""
        self._unpolled[index] = result
        self._phases[index] = EnvPhase.UNPOLLED

    def _store_each(self, ids: Iterable[int], result_of: Callable[[int], AgentResult]) -> None:
        """Computes and stores the results of environments in order, then raises the first exception.

        Environments that raised an exception must be reset.
        """
        failure: Exception | None = None
        for index in ids:
            try:
                self._store(index, result_of(index))
            except Exception as error:
                self._phases[index] = EnvPhase.DONE
                self._unpolled.pop(index, None)
                failure = failure or error
        if failure is not None:
            raise failure

    def _reset_new(self) -> None:
        """Resets environments that were never reset."""
        ids = [index for index, phase in enumerate(self._phases) if phase is EnvPhase.UNRESET]
        if ids:
            for index, result in self._reset(ids, [None] * len(ids), None).items():
                self._store(index, result)

    def poll(self) -> Poll:
        """Returns new results: see :meth:`BaseEnv.poll`. The first poll resets all environments."""
        self._check_open()
        self._reset_new()
        return self._release()

    def _release(self) -> Poll:
        """Returns the stored results, and records whether their environments expect actions or must be reset."""
        result: Poll = ({}, {}, {}, {}, {}, {})
        for index in sorted(self._unpolled):
            for part, values in zip(result, self._unpolled[index], strict=False):
                part[index] = values
            _, _, terminated, truncated, _ = self._unpolled[index]
            self._phases[index] = EnvPhase.DONE if terminated[ALL] or truncated[ALL] else EnvPhase.POLLED
        self._unpolled = {}
        self._last.record(result, complete=len(result[0]) == self.num_envs)
        return result

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Steps the environments in ``action_dict``.

        Exceptions are raised after all of them were stepped; the other environments' results are stored.

        Args:
            action_dict: ``{env_id: {agent_id: action}}``.

        Raises:
            IndexError: for an unknown environment.
            ValueError: for an environment whose episode has ended, or for an agent that is not ready.
            RuntimeError: for an environment whose result of the last actions was not polled.
        """
        self._check_open()
        checked = self._checked_actions(action_dict)
        actions = {index: self._actions_of(index, agent_actions) for index, agent_actions in checked.items()}
        if actions:
            self._step(actions)
        for index in actions:
            # A poll does not return a result of `try_reset` again if actions were sent after it.
            if self._phases[index] is not EnvPhase.UNPOLLED:
                self._unpolled.pop(index, None)

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Starts new episodes: see :meth:`BaseEnv.try_reset`."""
        self._check_open()
        ids = self._checked_ids(env_id)
        number = self._checked_reset(seed, options)
        seeds = [None if number is None else number + position for position in range(len(ids))]
        return self._return_reset(self._reset(ids, seeds, options))

    def _return_reset(self, results: dict[int, AgentResult]) -> tuple[MultiEnvDict, MultiEnvDict]:
        """Returns the result of ``try_reset``. Its environments then expect actions, and a poll may return the result
        again.
        """
        observations, infos = {}, {}
        for index, result in results.items():
            observations[index], infos[index] = result[0], result[4]
            failed = isinstance(result[0], Exception)
            self._phases[index] = EnvPhase.DONE if failed else EnvPhase.RESET
            self._unpolled.pop(index, None)
            if not failed:
                self._unpolled[index] = result
        self._last.record_reset(observations, infos)
        return observations, infos

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes and recreates environments, where that is possible; the next poll resets them.

        Args:
            env_id: the environment; ``None`` for all.

        Raises:
            ValueError: without the function that makes environments.
        """
        self._check_open()
        for index in self._checked_ids(env_id):
            self._recreate(index)
            self._unpolled.pop(index, None)
            self._phases[index] = EnvPhase.UNRESET

    def _recreate(self, index: int) -> None:
        """Closes and recreates an environment; does nothing for an environment that this object did not make."""

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders one environment and returns its frame; or renders all, and returns a dict by environment."""
        self._check_open()
        ids = self._checked_ids(env_id)
        frames = dict(zip(ids, self._render(ids), strict=True))
        return frames if env_id is None else frames[ids[0]]

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        """Returns the frames of some environments."""
        raise NotImplementedError


class AgentsBaseEnv(SteppedBaseEnv):
    """Base class for environments with any number of agents each, which may appear and disappear."""

    def __init__(self, num_envs: int, strict_rllib: bool, *, zero_rewards: bool = False) -> None:
        super().__init__(num_envs, strict_rllib)
        self._agents = [AgentValues(strict_rllib, zero_rewards) for _ in range(num_envs)]

    def _actions_of(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        agents = self._agents[index]
        for agent in actions:
            if agent in agents.done:
                raise ValueError(f"action_dict[{index}] has an action of {agent!r}: this agent is done")
            if agent not in agents.ready:
                ready = sorted(agents.ready, key=str)
                raise ValueError(f"action_dict[{index}] has an action of {agent!r}: expected agents among {ready}")
        return dict(actions)

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments: agents that they declare, and agents observed so far."""
        return {agent for agents in self._agents_of_environments().values() for agent in agents}

    def _declared_agents(self) -> list[Iterable[AgentID]]:
        """Returns the agents that each environment declares."""
        raise NotImplementedError

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        pairs = zip(self._declared_agents(), self._agents, strict=True)
        return {index: sorted({*declared, *agents.known}, key=str) for index, (declared, agents) in enumerate(pairs)}


def as_list_or_dict(values: Iterable[Any], as_dict: bool) -> Any:
    """Returns values as a list, or as a dict by index."""
    return dict(enumerate(values)) if as_dict else list(values)
