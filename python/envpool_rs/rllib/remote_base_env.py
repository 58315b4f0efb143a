"""Environments in Ray actors, polled as they get ready."""

from __future__ import annotations

import contextlib
import logging
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from envpool_rs._arguments import integer, number
from envpool_rs.rllib.agent_values import AgentResult, AgentValues
from envpool_rs.rllib.indexed_base_env import EnvPhase, IndexedBaseEnv, as_list_or_dict
from envpool_rs.rllib.remote_env_actor import RemoteEnvActor
from envpool_rs.rllib.rllib_types import (
    ALL,
    ASYNC_RESET_RETURN,
    ONLY_AGENT,
    AgentID,
    EnvID,
    MultiEnvDict,
    Poll,
    import_ray,
)
from envpool_rs.rllib.sub_environments import MAX_CONSECUTIVE_FAILURES, annotate

logger = logging.getLogger(__name__)

_INTERRUPT_INTERVAL = 0.5
"""Interval in seconds at which a wait for environments lets Python handle Ctrl-C."""

_CLOSE_TIMEOUT = 2.0
"""Seconds in which environments must close before their actors are killed."""


class RemoteBaseEnv(IndexedBaseEnv):
    """Environments that each run in their own Ray actor.

    A poll returns the ready ones, at least one, without waiting for the slowest. Resets are asynchronous.

    Attributes:
        actors: the actors' handles.
    """

    def __init__(
        self,
        make_env: Callable[[int], Any] | None,
        num_envs: int,
        multiagent: bool = False,
        remote_env_batch_wait_ms: float = 0,
        existing_envs: Sequence[Any] = (),
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> None:
        """Starts the actors, and Ray itself if it is not running.

        Args:
            make_env: makes the environment at an index, in its actor; or makes actors, if ``existing_envs`` contains
                one.
            num_envs: required number of environments.
            multiagent: whether they are multi-agent environments.
            remote_env_batch_wait_ms: how long a poll waits for more than one of them (milliseconds).
            existing_envs: existing actors; or one local environment, which provides the spaces and is not run.
            restart_failed_sub_environments: whether an environment that raised, or whose actor died, is recreated.
            strict_rllib: whether ``poll`` has RLlib's own form.

        Raises:
            ImportError: without ray.
            ValueError: without ``make_env`` if environments are missing.
            TypeError: for a ``make_env`` that cannot be pickled.
        """
        integer("num_envs", num_envs, 1)
        check_wait(remote_env_batch_wait_ms)
        super().__init__(num_envs, strict_rllib)
        self._ray = import_ray()
        if not self._ray.is_initialized():
            self._ray.init(include_dashboard=False)
        self._make_env = make_env
        self._multiagent = multiagent
        self._batch_wait = remote_env_batch_wait_ms / 1000
        self._restart_failed = restart_failed_sub_environments
        handles = [each for each in existing_envs if isinstance(each, self._ray.actor.ActorHandle)]
        self._shown_env = existing_envs[0] if existing_envs and not handles else None
        self._makes_actors = bool(handles)
        self._actor_class = self._ray.remote(num_cpus=0)(RemoteEnvActor)
        self.actors = handles + [self._made(index) for index in range(len(handles), num_envs)]
        self._agents = [AgentValues(strict_rllib, zero_rewards=True) for _ in range(num_envs)]
        self._pending: dict[Any, tuple[int, bool]] = {}
        self._failures = [0] * num_envs
        self._news: dict[int, AgentResult] = {}
        self._spaces: dict[str, Any] = {}

    def _made(self, index: int) -> Any:
        if not callable(self._make_env):
            raise ValueError(
                f"make_env={self._make_env!r}: expected a function that makes the environment at index {index}"
            )
        if self._makes_actors:
            return self._make_env(index)
        try:
            return self._actor_class.remote(self._make_env, index)
        except TypeError as error:
            raise TypeError(
                f"make_env is {self._make_env!r}, which cannot be sent to another process: {error}"
            ) from error

    def _request_reset(self, index: int, seed: int | None, options: Mapping[str, Any] | None) -> None:
        self._discard(index)
        self._pending[self.actors[index].reset.remote(seed=seed, options=options)] = index, True
        self._phases[index] = EnvPhase.IN_FLIGHT

    def _discard(self, index: int) -> None:
        """Discards an environment's results that were not polled yet."""
        self._pending = {ref: what for ref, what in self._pending.items() if what[0] != index}
        self._news.pop(index, None)

    def poll(self) -> Poll:
        """Waits until at least one environment is ready: see :meth:`BaseEnv.poll`.

        An environment's exception is raised after the results of all others that are ready were stored; the next poll
        returns them.

        Raises:
            RuntimeError: if an actor died and failed environments are not recreated.
        """
        self._check_open()
        for index, turn in enumerate(self._phases):
            if turn is EnvPhase.UNRESET:
                self._request_reset(index, None, None)
        failure: Exception | None = None
        for ref in self._ready():
            index, is_reset = self._pending.pop(ref)
            try:
                self._take(index, is_reset, ref)
            except Exception as error:
                self._phases[index] = EnvPhase.DONE
                failure = failure or error
        if failure is not None:
            raise failure
        return self._released()

    def _ready(self) -> list[Any]:
        """Returns finished requests: none only if none is in flight, or if other results are available."""
        refs = list(self._pending)
        if not refs:
            return []
        ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0 if self._news else self._batch_wait)
        while not ready and not self._news:
            if self._ray.wait(refs, num_returns=1, timeout=_INTERRUPT_INTERVAL)[0]:
                ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        return list(ready)

    def _take(self, index: int, is_reset: bool, ref: Any) -> None:
        name = f"environment {index}"
        try:
            result = self._result(index, is_reset, ref)
        except Exception as error:
            if not self._restart_failed:
                raise
            self._news[index] = self._failed(index, error)
        else:
            agents = self._agents[index]
            self._failures[index] = 0
            if is_reset:
                observations, infos = result
                self._news[index] = agents.begin(observations, infos, name)
            else:
                self._news[index] = agents.observe(result, name)
        self._phases[index] = EnvPhase.UNPOLLED

    def _result(self, index: int, is_reset: bool, ref: Any) -> Any:
        try:
            result = self._ray.get(ref)
        except self._ray.exceptions.RayActorError as error:
            raise RuntimeError(f"the Ray actor of environment {index} died: {error}") from error
        except Exception as error:
            raise annotate(error, index, "reset" if is_reset else "step") from None
        expected = 2 if is_reset else 5
        if not isinstance(result, tuple) or len(result) != expected:
            method = "reset" if is_reset else "step"
            raise ValueError(f"{method}() of environment {index} returned {result!r}: expected {expected} values")
        return result if self._multiagent else _by_agent(result)

    def _failed(self, index: int, error: Exception) -> AgentResult:
        self._failures[index] += 1
        if self._failures[index] > MAX_CONSECUTIVE_FAILURES:
            raise RuntimeError(
                f"environment {index} failed {self._failures[index]} times in a row: it is not recreated"
            ) from error
        logger.warning("environment %d failed in its Ray actor and is recreated", index, exc_info=error)
        self._restart(index)
        return self._agents[index].fail(error)

    def _released(self) -> Poll:
        result: Poll = ({}, {}, {}, {}, {}, {})
        for index in sorted(self._news):
            for part, values in zip(result, self._news[index], strict=False):
                part[index] = values
            self._phases[index] = EnvPhase.DONE if self._agents[index].over else EnvPhase.POLLED
        self._news = {}
        self._last.record(result, complete=len(result[0]) == self.num_envs)
        return result

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Sends actions to environments; returns immediately.

        Args:
            action_dict: ``{env_id: {agent_id: action}}``.

        Raises:
            IndexError: for an unknown environment.
            ValueError: for one whose episode has ended, or for an agent that is not ready.
            RuntimeError: for one that was not polled since its last actions.
        """
        self._check_open()
        checked = self._checked_actions(action_dict)
        messages = {index: self._message(index, actions) for index, actions in checked.items()}
        for index, message in messages.items():
            self._pending[self.actors[index].step.remote(message)] = index, False
            self._phases[index] = EnvPhase.IN_FLIGHT

    def _message(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        if not self._multiagent:
            return self._only_action(index, actions)
        ready = self._agents[index].ready
        for agent in actions:
            if agent not in ready:
                raise ValueError(
                    f"action_dict[{index}] has an action of {agent!r}: expected agents among {sorted(ready, key=str)}"
                )
        return dict(actions)

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Requests resets, whose results later polls return: see :meth:`BaseEnv.try_reset`.

        Returns:
            :data:`ASYNC_RESET_RETURN`, twice.
        """
        self._check_open()
        number = self._checked_reset(seed, options)
        for place, index in enumerate(self._checked_ids(env_id)):
            self._request_reset(index, None if number is None else number + place, options)
        return ASYNC_RESET_RETURN, ASYNC_RESET_RETURN

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Restarts actors; the next poll resets their environments.

        Args:
            env_id: the environment; ``None`` for all.

        Raises:
            ValueError: without ``make_env``.
        """
        self._check_open()
        for index in self._checked_ids(env_id):
            self._restart(index)
            self._discard(index)
            self._phases[index] = EnvPhase.UNRESET

    def _restart(self, index: int) -> None:
        made = self._made(index)
        self._ray.kill(self.actors[index])
        self.actors[index] = made

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the actors' handles."""
        return as_list_or_dict(self.actors, as_dict)

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments: those that they declare, and those seen so far."""
        return {agent for agents in self._agents_of_environments().values() for agent in agents}

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        if not self._multiagent:
            return super()._agents_of_environments()
        agent_ids = self._ray.get([actor.get_agent_ids.remote() for actor in self.actors])
        return {index: sorted({*agents, *self._agents[index].known}, key=str) for index, agents in enumerate(agent_ids)}

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        if not self._multiagent or self._makes_actors:
            return super()._space(kind, env_id, agent_id)
        return self._ray.get(self.actors[env_id].agent_space.remote(kind, agent_id))

    @property
    def observation_space(self) -> Any:
        """Observation space of the first environment."""
        return self._space_of_first("observation_space")

    @property
    def action_space(self) -> Any:
        """Action space of the first environment."""
        return self._space_of_first("action_space")

    def _space_of_first(self, name: str) -> Any:
        if self._shown_env is not None:
            return getattr(self._shown_env, name)
        if name not in self._spaces:
            self._spaces[name] = self._ray.get(getattr(self.actors[0], name).remote())
        return self._spaces[name]

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders one environment (returning its frame) or all (a dict by environment)."""
        self._check_open()
        drawn = self._ray.get([self.actors[index].render.remote() for index in self._checked_ids(env_id)])
        return as_list_or_dict(drawn, True) if env_id is None else drawn[0]

    def _close(self) -> None:
        closing = [actor.close.remote() for actor in self.actors if hasattr(actor, "close")]
        if closing and self._ray.is_initialized():
            self._ray.wait(closing, num_returns=len(closing), timeout=_CLOSE_TIMEOUT)
        for actor in self.actors:
            with contextlib.suppress(Exception):  # Ray may already be shut down
                self._ray.kill(actor)


def _by_agent(result: tuple[Any, ...]) -> tuple[dict[Any, Any], ...]:
    """Converts the result of an environment with one agent to the multi-agent form."""
    values = tuple({ONLY_AGENT: each} for each in result)
    if len(values) > 2:  # noqa: PLR2004 - a step's
        for flags in values[2:4]:
            flags[ALL] = bool(flags[ONLY_AGENT])
    return values


def check_wait(remote_env_batch_wait_ms: Any) -> None:
    """Checks a waiting time.

    Raises:
        TypeError: for anything but a number.
        ValueError: for a negative number, infinity or NaN.
    """
    expected = "a number of milliseconds, 0 or more"
    number("remote_env_batch_wait_ms", remote_env_batch_wait_ms, expected, lambda wait: 0 <= wait < math.inf)
