"""Environments in Ray actors, whose results a poll returns as soon as they are ready."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

from envpool_rs._arguments import number
from envpool_rs.rllib.base_env import ALL, ONLY_AGENT, AgentID, EnvID, import_ray
from envpool_rs.rllib.polled_base_env import AgentResult, AgentsBaseEnv, EnvPhase, IndexedBaseEnv, Options
from envpool_rs.rllib.vector_env import RestartPolicy, annotate

_INTERRUPT_INTERVAL = 0.5
"""Interval in seconds at which waiting for environments lets Python handle Ctrl-C."""

_CLOSE_TIMEOUT = 2.0
"""Time in seconds in which environments must close before their actors are killed."""


class RemoteBaseEnv(AgentsBaseEnv):
    """Environments that each run in their own Ray actor.

    A poll returns the results of ready environments, at least one, without waiting for the slowest. Resets are
    asynchronous. Ray is started if it is not running.

    ``make_env`` makes the environment at an index, in its actor; or actors, if ``existing_envs`` contains an actor.
    ``existing_envs`` are actors; or one local environment, which provides the spaces and is not run. The other
    arguments are those of :func:`envpool_rs.rllib.convert_to_base_env`.

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
        self._policy = RestartPolicy(make_env, num_envs, restart_failed_sub_environments)
        check_wait(remote_env_batch_wait_ms)
        super().__init__(num_envs, strict_rllib, zero_rewards=True)
        self._ray = import_ray()
        if not self._ray.is_initialized():
            self._ray.init(include_dashboard=False)
        self._make_env = make_env
        self._multiagent = multiagent
        self._batch_wait = remote_env_batch_wait_ms / 1000
        handles = [each for each in existing_envs if isinstance(each, self._ray.actor.ActorHandle)]
        self._shown_env = existing_envs[0] if existing_envs and not handles else None
        self._makes_actors = bool(handles)
        self._actor_class = self._ray.remote(num_cpus=0)(_actor_class())
        self.actors = handles + [self._made(index) for index in range(len(handles), num_envs)]
        self._pending: dict[Any, tuple[int, bool]] = {}
        self._spaces: dict[str, Any] = {}

    def _made(self, index: int) -> Any:
        if self._makes_actors or not callable(self._make_env):
            return self._policy.make(index)
        try:
            return self._actor_class.remote(self._make_env, index)
        except TypeError as error:
            raise TypeError(
                f"make_env is {self._make_env!r}, which cannot be sent to another process: {error}"
            ) from error

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> None:
        for index, seed in zip(ids, seeds or repeat(None), strict=False):
            self._discard_pending(index)
            self._pending[self.actors[index].reset.remote(seed=seed, options=options)] = index, True
        self._set_phases(ids, EnvPhase.IN_FLIGHT)

    def _discard_pending(self, index: int) -> None:
        self._pending = {ref: request for ref, request in self._pending.items() if request[0] != index}

    def _step(self, actions: dict[int, Any]) -> None:
        for index, message in actions.items():
            self._pending[self.actors[index].step.remote(message)] = index, False
        self._set_phases(actions, EnvPhase.IN_FLIGHT)

    def _actions_of(self, index: int, actions: Mapping[AgentID, Any]) -> Any:
        kind = AgentsBaseEnv if self._multiagent else IndexedBaseEnv
        return kind._actions_of(self, index, actions)

    def _collect(self) -> None:
        """Waits until at least one environment is ready.

        If an environment raised an exception, the results of all other ready environments are stored for the next poll,
        then the exception is raised.
        """
        super()._collect()
        finished = {index: (is_reset, ref) for ref in self._ready() for index, is_reset in [self._pending.pop(ref)]}
        self._store_each(finished, lambda index: self._taken(index, *finished[index]))

    def _ready(self) -> list[Any]:
        """Waits for finished requests and returns them.

        The result is empty only if no request is in flight or other results are available.
        """
        refs = list(self._pending)
        if not refs:
            return []
        ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0 if self._unpolled else self._batch_wait)
        while not ready and not self._unpolled:
            if self._ray.wait(refs, num_returns=1, timeout=_INTERRUPT_INTERVAL)[0]:
                ready, _ = self._ray.wait(refs, num_returns=len(refs), timeout=0)
        return list(ready)

    def _taken(self, index: int, is_reset: bool, ref: Any) -> AgentResult:
        agents = self._agents[index]
        method = "reset" if is_reset else "step"
        try:
            result = self._result(index, method, ref)
        except Exception as error:
            if not self._policy.restarts_failed:
                raise
            self._policy.note_failure(index, method, error)
            self._recreate(index)
            return agents.fail(error)
        self._policy.note_success(index)
        return agents.begin(*result) if is_reset else agents.step(result)

    def _result(self, index: int, method: str, ref: Any) -> Any:
        try:
            result = self._ray.get(ref)
        except self._ray.exceptions.RayActorError as error:
            raise RuntimeError(f"the Ray actor of environment {index} died: {error}") from error
        except Exception as error:
            raise annotate(error, index, method) from None
        expected = 2 if method == "reset" else 5
        if not isinstance(result, tuple) or len(result) != expected:
            raise ValueError(f"{method}() of environment {index} returned {result!r}: expected {expected} values")
        return result if self._multiagent else _by_agent(result)

    def _recreate(self, index: int) -> None:
        actor = self._made(index)
        self._ray.kill(self.actors[index])
        self.actors[index] = actor
        self._discard_pending(index)

    def _environments(self) -> Sequence[Any]:
        return self.actors

    def _declared_agents(self) -> list[Iterable[AgentID]]:
        if not self._multiagent:
            return [[ONLY_AGENT]] * self.num_envs
        declared: list[Iterable[AgentID]] = self._ray.get([actor.get_agent_ids.remote() for actor in self.actors])
        return declared

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        if not self._multiagent or self._makes_actors:
            return super()._space(kind, env_id, agent_id)
        return self._ray.get(self.actors[env_id].agent_space.remote(kind, agent_id))

    def _space_of_all(self, kind: str) -> Any:
        name = f"{kind}_space"
        if self._shown_env is not None:
            return getattr(self._shown_env, name)
        if name not in self._spaces:
            self._spaces[name] = self._ray.get(getattr(self.actors[0], name).remote())
        return self._spaces[name]

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        frames: list[Any] = self._ray.get([self.actors[index].render.remote() for index in ids])
        return frames

    def _close(self) -> None:
        closing = [actor.close.remote() for actor in self.actors if hasattr(actor, "close")]
        if closing and self._ray.is_initialized():
            self._ray.wait(closing, num_returns=len(closing), timeout=_CLOSE_TIMEOUT)
        for actor in self.actors:
            with contextlib.suppress(Exception):  # Ray may have been shut down before
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


def _actor_class() -> type:
    """Returns the class of actors with one environment.

    Ray sends a class that is defined in a function by value, so that actors do not import this package, nor RLlib.
    """

    class RemoteEnvActor:
        def __init__(self, make_env: Callable[[int], Any], index: int) -> None:
            self._env = make_env(index)

        def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Any:
            return self._env.reset(seed=seed, options=options)

        def step(self, action: Any) -> Any:
            return self._env.step(action)

        def render(self) -> Any:
            return self._env.render()

        def observation_space(self) -> Any:
            return self._env.observation_space

        def action_space(self) -> Any:
            return self._env.action_space

        def agent_space(self, kind: str, agent_id: Any) -> Any:
            return getattr(self._env, f"get_{kind}_space")(agent_id)

        def get_agent_ids(self) -> set[Any]:
            return set(self._env.get_agent_ids())

        def close(self) -> None:
            if hasattr(self._env, "close"):
                self._env.close()

    return RemoteEnvActor
