"""Environments with many agents: RLlib's ``MultiAgentEnv``; and single environments, local or in Ray actors, as
``BaseEnv``.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterable, Sequence
from itertools import repeat
from typing import Any

from envpool_rs._arguments import integer, number
from envpool_rs.rllib import base_env
from envpool_rs.rllib.base_env import AgentID, AgentValues, EnvPhase, MakeEnv, MultiAgentDict, Options, agent_space
from envpool_rs.rllib.vector_env import SubEnvironments

Step = tuple[MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict, MultiAgentDict]

_INTERRUPT_INTERVAL = 0.5
"""Interval in seconds at which waiting for environments lets Python handle Ctrl-C."""

_CLOSE_TIMEOUT = 2.0
"""Time in seconds in which environments must close before their actors are killed."""


class MultiAgentEnv(base_env.Convertible, base_env.RayMultiAgentEnv):  # type: ignore[misc]
    """Environment with independent agents. Derive from this class.

    Actions and all parts of a result are dicts by agent. An agent acts after an observation of it was returned; agents
    may appear and disappear during an episode. ``agents`` are the current agents, ``possible_agents`` all that may
    ever exist. Spaces are ``observation_spaces`` and ``action_spaces`` by agent, or else ``observation_space`` and
    ``action_space``: one space of all agents, or a dict space by agents.
    """

    observation_spaces: dict[AgentID, Any] | None = None
    action_spaces: dict[AgentID, Any] | None = None
    agents: list[AgentID] = []  # noqa: RUF012 - replaced, never changed
    possible_agents: list[AgentID] = []  # noqa: RUF012
    observation_space: Any = None
    action_space: Any = None

    def __init__(self) -> None:
        """Fills in the agents from ``_agent_ids``, which older environments set."""
        super().__init__()
        if not hasattr(self, "_agent_ids"):
            self._agent_ids: set[AgentID] = set()
        self.agents = self.agents or list(self._agent_ids)
        self.possible_agents = self.possible_agents or list(self.agents)

    def reset(self, *, seed: int | None = None, options: Options = None) -> tuple[MultiAgentDict, MultiAgentDict]:
        """Starts an episode; returns observations of the agents that act next, and infos.

        Override this method, and call it first to seed ``np_random``. Without a seed, the random stream continues.
        """
        super().reset(seed=seed, options=options)
        return {}, {}

    def step(self, action_dict: MultiAgentDict) -> Step:
        """Steps the environment with actions of some agents.

        Returns observations of the agents that act next; rewards; terminated and truncated flags, both with
        ``"__all__"``; infos, only of observed agents and under ``"__common__"``.
        """
        raise NotImplementedError

    def render(self) -> Any:
        """Renders the environment; does nothing by default."""
        return None

    def get_observation_space(self, agent_id: AgentID) -> Any:
        """Returns the observation space of an agent."""
        spaces = self.observation_spaces
        return agent_space(self.observation_space, agent_id) if spaces is None else spaces[agent_id]

    def get_action_space(self, agent_id: AgentID) -> Any:
        """Returns the action space of an agent."""
        spaces = self.action_spaces
        return agent_space(self.action_space, agent_id) if spaces is None else spaces[agent_id]

    @property
    def num_agents(self) -> int:
        """Number of current agents."""
        return len(self.agents)

    @property
    def max_num_agents(self) -> int:
        """Number of possible agents."""
        return len(self.possible_agents)

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents: those of ``_agent_ids`` if it is set, otherwise all possible agents."""
        return _agents_of(self)

    def with_agent_groups(self, groups: dict[str, list[AgentID]], obs_space: Any = None, act_space: Any = None) -> Any:
        """Applies RLlib's wrapper that merges the agents of each group into one; raises an ImportError without RLlib.

        The spaces are those of the groups.
        """
        if not base_env.uses_ray:
            raise ImportError("with_agent_groups needs RLlib: pip install 'envpool_rs[ray]'")
        return super().with_agent_groups(groups, obs_space, act_space)

    def _to_base_env(self, *options: Any) -> base_env.IndexedBaseEnv:
        make_env, num_envs, remote, batch_wait, restart, strict = options
        if remote:
            return RemoteBaseEnv(make_env, num_envs, True, batch_wait, [self], restart, strict_rllib=strict)
        return MultiAgentEnvWrapper(make_env, [self], num_envs, restart, strict_rllib=strict)


def is_multi_agent_env(environment: Any) -> bool:
    """Returns whether an environment is a ``MultiAgentEnv``, of this package or ray's."""
    return isinstance(environment, base_env.RayMultiAgentEnv if base_env.uses_ray else MultiAgentEnv)


def _agents_of(environment: Any) -> set[AgentID]:
    """Returns the agents that an RLlib environment declares, in any supported way."""
    named = getattr(environment, "_agent_ids", None) or getattr(environment, "possible_agents", None)
    return set(named or getattr(environment, "agents", None) or ())


class MultiAgentEnvWrapper(base_env.IndexedBaseEnv):
    """``MultiAgentEnv`` environments (of this package or ray's) as one ``BaseEnv``.

    Each call may send actions to a subset of environments, and to a subset of each environment's ready agents.
    ``existing_envs`` come first; ``make_env``, a function of the index, makes the others.
    """

    def __init__(
        self,
        make_env: MakeEnv,
        existing_envs: Sequence[Any],
        num_envs: int,
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> None:
        made = SubEnvironments(make_env, existing_envs, num_envs, restart_failed_sub_environments)
        super().__init__(made, num_envs, strict_rllib)
        for index, environment in enumerate(made.envs):
            if not is_multi_agent_env(environment):
                raise TypeError(f"environment {index} is a {type(environment).__name__}: expected a MultiAgentEnv")
        self._agents = [AgentValues(index, strict_rllib) for index in range(num_envs)]

    def _recreate(self, index: int) -> None:
        self._source.restart(index)

    def _environments(self) -> Sequence[Any]:
        return self._source.envs  # type: ignore[no-any-return]

    def _declared_agents(self) -> Sequence[Iterable[AgentID]]:
        return [_agents_of(environment) for environment in self._source.envs]

    def _space_of_all(self, kind: str) -> Any:
        return getattr(self._source.envs[0], f"{kind}_space")

    def _space(self, kind: str, env_id: Any, agent_id: AgentID) -> Any:
        return getattr(self._source.envs[env_id], f"get_{kind}_space")(agent_id)

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        return [self._source.envs[index].render() for index in ids]


class RemoteEnvironments(SubEnvironments):
    """Environments in Ray actors, the list ``envs``; ``make_env`` makes actors if ``handles`` has any."""

    def __init__(self, make_env: MakeEnv, handles: Sequence[Any], num_envs: int, restart_failed: bool) -> None:
        self._ray = base_env.import_ray()
        self._actor_class: Any = None if handles else self._ray.remote(num_cpus=0)(_actor_class())
        super().__init__(make_env, handles, num_envs, restart_failed)

    def _make(self, index: int) -> Any:
        if self._actor_class is None:
            return super()._make(index)
        try:
            return self._actor_class.remote(self._make_env, index)
        except TypeError as error:
            name = repr(self._make_env)
            raise TypeError(f"make_env is {name}, which cannot be sent to another process: {error}") from error

    def _discard(self, index: int) -> None:
        self._ray.kill(self.envs[index])

    def close(self) -> None:
        closing = [actor.close.remote() for actor in self.envs if hasattr(actor, "close")]
        if closing and self._ray.is_initialized():
            self._ray.wait(closing, num_returns=len(closing), timeout=_CLOSE_TIMEOUT)
        for index in range(len(self.envs)):
            with contextlib.suppress(Exception):  # Ray may have been shut down before
                self._discard(index)


class RemoteBaseEnv(base_env.IndexedBaseEnv):
    """Environments that each run in their own Ray actor; ``actors`` has the actors' handles.

    A poll returns the results of ready environments, at least one, without waiting for the slowest. Resets are
    asynchronous. Ray is started if it is not running.

    ``make_env`` makes the environment at an index, in its actor; or actors, if ``existing_envs`` contains an actor.
    ``existing_envs`` are actors; or one local environment, which provides the spaces and is not run. The other
    arguments are those of :func:`envpool_rs.rllib.convert_to_base_env`.
    """

    def __init__(
        self,
        make_env: MakeEnv,
        num_envs: int,
        multiagent: bool = False,
        remote_env_batch_wait_ms: float = 0,
        existing_envs: Sequence[Any] = (),
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> None:
        check_wait(remote_env_batch_wait_ms)
        integer("num_envs", num_envs, 1)
        self._ray = base_env.import_ray()
        if not self._ray.is_initialized():
            self._ray.init(include_dashboard=False)
        handles = [each for each in existing_envs if isinstance(each, self._ray.actor.ActorHandle)]
        made = RemoteEnvironments(make_env, handles, num_envs, restart_failed_sub_environments)
        super().__init__(made, num_envs, strict_rllib)
        self.actors = made.envs
        self._agents = [
            AgentValues(index, strict_rllib, True)
            if multiagent
            else base_env.OneAgent(strict_rllib, strict_steps=False)
            for index in range(num_envs)
        ]
        self._multiagent = multiagent
        self._has_own_actors = bool(handles)
        self._shown_env = existing_envs[0] if existing_envs and not handles else None
        self._shown_spaces: dict[str, Any] = {}
        self._batch_wait = remote_env_batch_wait_ms / 1000
        self._pending: dict[Any, tuple[int, str]] = {}

    def _request(self, index: int, method: str, *arguments: Any, **keywords: Any) -> None:
        self._pending[getattr(self.actors[index], method).remote(*arguments, **keywords)] = index, method
        self._set_phases([index], EnvPhase.IN_FLIGHT)

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> None:
        for index, seed in zip(ids, seeds or repeat(None), strict=False):
            self._discard_pending(index)
            self._request(index, "reset", seed=seed, options=options)

    def _discard_pending(self, index: int) -> None:
        self._pending = {ref: request for ref, request in self._pending.items() if request[0] != index}

    def _step(self, actions: dict[int, Any]) -> None:
        for index, message in actions.items():
            self._request(index, "step", message)

    def _collect(self) -> None:
        super()._collect()
        refs = list(self._pending)
        count, wait = len(refs), self._ray.wait
        # Waits for at least one finished request, unless none is in flight or other results are available.
        ready: list[Any] = []
        if refs:
            ready, _ = wait(refs, num_returns=count, timeout=0 if self._unpolled else self._batch_wait)
        while refs and not ready and not self._unpolled:
            if wait(refs, num_returns=1, timeout=_INTERRUPT_INTERVAL)[0]:
                ready, _ = wait(refs, num_returns=count, timeout=0)
        finished = {index: (method, ref) for ref in ready for index, method in [self._pending.pop(ref)]}
        self._store_each(finished, lambda index: self._received(index, *finished[index]))

    def _received(self, index: int, method: str, ref: Any) -> base_env.AgentResult:
        try:
            outcome = self._ray.get(ref)
            expected = 2 if method == "reset" else 5
            if not isinstance(outcome, tuple) or len(outcome) != expected:
                raise ValueError(f"{method}() of environment {index} returned {outcome!r}: expected {expected} values")
            self._source.succeeded(index)
        except self._ray.exceptions.RayActorError as error:
            died = RuntimeError(f"the Ray actor of environment {index} died: {error}")
            died.__cause__ = error
            outcome = self._source.failed(index, method, died)
        except Exception as error:
            outcome = self._source.failed(index, method, error)
        return self._result(index, method, outcome)

    def _recreate(self, index: int) -> None:
        self._source.restart(index)
        self._discard_pending(index)

    def _environments(self) -> Sequence[Any]:
        return self.actors

    def _declared_agents(self) -> Sequence[Iterable[AgentID]]:
        if not self._multiagent:
            return super()._declared_agents()
        declared: list[Iterable[AgentID]] = self._ray.get([actor.get_agent_ids.remote() for actor in self.actors])
        return declared

    def _space(self, kind: str, env_id: Any, agent_id: AgentID) -> Any:
        if not self._multiagent or self._has_own_actors:
            return super()._space(kind, env_id, agent_id)
        return self._ray.get(getattr(self.actors[env_id], f"get_{kind}_space").remote(agent_id))

    def _space_of_all(self, kind: str) -> Any:
        name = f"{kind}_space"
        if self._shown_env is not None:
            return getattr(self._shown_env, name)
        if name not in self._shown_spaces:
            self._shown_spaces[name] = self._ray.get(getattr(self.actors[0], name).remote())
        return self._shown_spaces[name]

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        frames: list[Any] = self._ray.get([self.actors[index].render.remote() for index in ids])
        return frames


def check_wait(remote_env_batch_wait_ms: Any) -> None:
    """Checks a waiting time: a finite number of milliseconds, 0 or more."""
    expected = "a number of milliseconds, 0 or more"
    number("remote_env_batch_wait_ms", remote_env_batch_wait_ms, expected, lambda wait: 0 <= wait < math.inf)


def _actor_class() -> type:
    """Returns a local class, which Ray sends by value: its actors import neither this package nor RLlib."""

    class RemoteEnvActor:
        def __init__(self, make_env: Callable[[int], Any], index: int) -> None:
            self._env = make_env(index)

        def observation_space(self) -> Any:
            return self._env.observation_space

        def action_space(self) -> Any:
            return self._env.action_space

        def close(self) -> None:
            if hasattr(self._env, "close"):
                self._env.close()

    def forwarded(name: str) -> Callable[..., Any]:
        return lambda actor, *arguments, **keywords: getattr(actor._env, name)(*arguments, **keywords)

    for name in ("reset", "step", "render", "get_observation_space", "get_action_space", "get_agent_ids"):
        setattr(RemoteEnvActor, name, forwarded(name))
    return RemoteEnvActor
