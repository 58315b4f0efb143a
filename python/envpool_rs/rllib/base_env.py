"""RLlib's interface ``BaseEnv``: many environments with many agents, used through ``poll`` and ``send_actions``.

This module also has RLlib's own base classes, if RLlib is installed, and the ids and keys of dicts.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias

import gymnasium

EnvID: TypeAlias = Any
"""Id of an environment: an int, or a str if environments come and go (external episodes)."""

AgentID: TypeAlias = Any
"""Id of an agent: an int or a str."""

MultiAgentDict: TypeAlias = dict[Any, Any]
"""Dict of values by agent: ``{agent_id: value}``."""

MultiEnvDict: TypeAlias = dict[Any, Any]
"""Dict of values by environment and agent, ``{env_id: {agent_id: value}}``; a failed environment has an exception
instead of the inner dict.
"""

LastResult: TypeAlias = tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]
"""Observations, rewards, terminated flags, truncated flags, and infos."""

Poll: TypeAlias = tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]
"""Observations, rewards, terminated flags, truncated flags, infos, and off-policy actions."""

ALL = "__all__"
"""Key of an environment's flag in a dict of flags by agent."""

COMMON = "__common__"
"""Key of infos that belong to no single agent."""

ONLY_AGENT = "agent0"
"""Id of the agent of an environment with one agent."""

ASYNC_RESET_RETURN = "async_reset_return"
"""Return value of ``try_reset`` (twice) if a later ``poll`` returns the reset's result."""

ASYNC_RESET_REQUEST = ASYNC_RESET_RETURN
"""RLlib's documented name of :data:`ASYNC_RESET_RETURN`."""

OLDEST_RAY = (2, 50)
"""Oldest release of ray whose RLlib calls environments as this package expects."""


def import_ray() -> Any:
    """Imports and returns ray.

    Raises:
        ImportError: without ray, naming the extra that installs it; or the import error of an installed ray.
    """
    needed = "remote_envs=True needs ray: pip install 'envpool_rs[ray]'"
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ImportError(needed) from error
    if not _is_ray(ray):
        raise ImportError(needed)
    return ray


def _is_ray(module: Any) -> bool:
    """Returns whether a module is the package ray, and not a folder named ``ray``, which Python also imports."""
    return hasattr(module, "__version__") and hasattr(module, "init")


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


def _has_rllib() -> bool:
    """Returns whether a usable RLlib is installed. ray without RLlib's own requirements does not count.

    Raises:
        ImportError: if ray is installed, and cannot be imported.
    """
    if importlib.util.find_spec("ray") is None:
        return False
    ray = importlib.import_module("ray")
    if not _is_ray(ray):
        return False
    if _version(ray.__version__) < OLDEST_RAY:
        oldest = ".".join(map(str, OLDEST_RAY))
        warnings.warn(
            f"ray {ray.__version__} is installed: envpool_rs.rllib needs {oldest} or later to give RLlib its "
            "environments, and does without RLlib",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    try:
        importlib.import_module("ray.rllib.env.base_env")
    except ModuleNotFoundError as error:
        # Ignores a missing requirement of RLlib: ray was then installed without the extra `rllib`. Any other error
        # means a broken installation, and is raised.
        if error.name is None or error.name.partition(".")[0] == "ray":
            raise
        return False
    return True


uses_ray: bool = _has_rllib()
"""Whether the classes of ``envpool_rs.rllib`` are subclasses of RLlib's."""


class PlainMultiAgentEnv(gymnasium.Env):
    """Base class of multi-agent environments if RLlib is not installed, for ``isinstance`` checks."""


def _rllib_class(module: str, name: str, otherwise: type) -> Any:
    return getattr(importlib.import_module(f"ray.rllib.env.{module}"), name) if uses_ray else otherwise


RayBaseEnv = _rllib_class("base_env", "BaseEnv", object)
RayVectorEnv = _rllib_class("vector_env", "VectorEnv", object)
RayMultiAgentEnv = _rllib_class("multi_agent_env", "MultiAgentEnv", PlainMultiAgentEnv)
RayExternalEnv = _rllib_class("external_env", "ExternalEnv", threading.Thread)
RayExternalMultiAgentEnv = _rllib_class("external_multi_agent_env", "ExternalMultiAgentEnv", threading.Thread)


class ConversionOptions(NamedTuple):
    """Arguments of ``to_base_env``; see :meth:`Convertible.to_base_env`."""

    make_env: Callable[[int], Any] | None
    num_envs: int
    remote_envs: bool
    remote_env_batch_wait_ms: float
    restart_failed_sub_environments: bool
    strict_rllib: bool


class Convertible:
    """Mixin with RLlib's method ``to_base_env``."""

    def to_base_env(
        self,
        make_env: Callable[[int], Any] | None = None,
        num_envs: int = 1,
        remote_envs: bool = False,
        remote_env_batch_wait_ms: float = 0,
        restart_failed_sub_environments: bool = False,
        *,
        strict_rllib: bool = False,
    ) -> Any:
        """Converts to the interface for many environments with many agents.

        The method of a ``BaseEnv`` returns the object itself. Only a ``MultiAgentEnv`` uses all arguments: vectors make
        and restart their own environments, and external environments open their own episodes. For the arguments, see
        :func:`envpool_rs.rllib.convert_to_base_env`.

        Raises:
            ValueError: for an external environment, if several environments or remote environments are required.
            RuntimeError: for an external environment that was converted before.
        """
        return self._to_base_env(
            ConversionOptions(
                make_env,
                num_envs,
                remote_envs,
                remote_env_batch_wait_ms,
                restart_failed_sub_environments,
                strict_rllib,
            )
        )

    def _to_base_env(self, options: ConversionOptions) -> Any:
        raise NotImplementedError


class BaseEnv(Convertible, RayBaseEnv):  # type: ignore[misc, valid-type]
    """Environments whose agents act as soon as they are ready.

    ``poll`` returns new results of all ready agents; ``send_actions`` sends their actions. There is no autoreset:
    ``try_reset`` starts the next episode after an episode ended. Every value is a dict of dicts, ``{env_id: {agent_id:
    value}}``.

    Derive from this class to support another kind of environment, as the classes returned by
    :func:`envpool_rs.rllib.convert_to_base_env` do. With ray installed it is a subclass of
    ``ray.rllib.env.base_env.BaseEnv``.
    """

    def _to_base_env(self, options: ConversionOptions) -> BaseEnv:
        return self

    def poll(self) -> Poll:
        """Returns new results of the ready agents. Every observation is returned exactly once.

        Returns:
            Six dicts by environment and agent: observations, rewards (``None`` at the start of an episode), terminated
                and truncated flags (with ``"__all__"`` for the environment), infos, and off-policy actions. Agents took
                off-policy actions on their own; ``send_actions`` need not reply to them. If an environment failed and
                was recreated, its entry in the observations is the exception that it raised.
        """
        raise NotImplementedError

    def send_actions(self, action_dict: MultiEnvDict) -> None:
        """Sends actions ``{env_id: {agent_id: action}}`` of agents that a ``poll`` (or a reset) returned as ready."""
        raise NotImplementedError

    def try_reset(
        self, env_id: EnvID | None = None, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Any, Any]:
        """Starts new episodes.

        Args:
            env_id: the environment; ``None`` for all.
            seed: ``None`` continues the random streams; an int reseeds them. If all environments are reset, environment
                ``i`` gets ``seed + i``.
            options: the environments' reset options.

        Returns:
            Observations and infos by environment and agent, also for one environment; or :data:`ASYNC_RESET_RETURN`
                twice if a later ``poll`` returns the result.
        """
        return None, None

    def try_restart(self, env_id: EnvID | None = None) -> None:
        """Closes and recreates an environment (``None``: all), which must then be reset."""

    def get_sub_environments(self, as_dict: bool = False) -> Any:
        """Returns the environment objects, if there are any: a list, or a dict by environment."""
        return {} if as_dict else []

    def get_agent_ids(self) -> set[AgentID]:
        """Returns the agents of all environments."""
        return set()

    def try_render(self, env_id: EnvID | None = None) -> Any:
        """Renders an environment and returns what its ``render`` returns; for ``None``, a dict by environment."""
        return None

    def stop(self) -> None:
        """Frees all resources. A second call does nothing."""
        for environment in self.get_sub_environments():
            if hasattr(environment, "close"):
                environment.close()

    @property
    def observation_space(self) -> Any:
        """Observation space of one agent, or of all agents of one environment by their ids."""
        raise NotImplementedError

    @property
    def action_space(self) -> Any:
        """Action space of one agent, or of all agents of one environment by their ids."""
        raise NotImplementedError

    def last(self) -> LastResult:
        """Returns the last observations, rewards, terminated flags, truncated flags and infos of every environment.

        The method returns the values that ``poll`` and ``try_reset`` returned last.
        """
        raise NotImplementedError(f"{type(self).__name__} does not keep what it returned last")

    def action_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Returns random actions of some agents (``None`` or an empty list: all), by environment and agent.

        Raises:
            ValueError: for an unknown agent.
        """
        return self._sample("action", agent_id)

    def observation_space_sample(self, agent_id: Iterable[AgentID] | None = None) -> MultiEnvDict:
        """Returns random observations of some agents (``None`` or an empty list: all), by environment and agent.

        Raises:
            ValueError: for an unknown agent.
        """
        return self._sample("observation", agent_id)

    def _agents_of_environments(self) -> dict[EnvID, list[AgentID]]:
        agents = sorted(self.get_agent_ids(), key=str)
        return dict.fromkeys(self.get_sub_environments(as_dict=True), agents)

    def _space(self, kind: str, env_id: EnvID, agent_id: AgentID) -> Any:
        """Returns the ``"observation"`` or ``"action"`` space of one agent of one environment."""
        space = self.action_space if kind == "action" else self.observation_space
        return agent_space(space, agent_id)

    def _sample(self, kind: str, agent_id: Iterable[AgentID] | None) -> MultiEnvDict:
        agent_ids = [agent_id] if isinstance(agent_id, str) else list(agent_id or ())
        agents = self._agents_of_environments()
        known = {agent for ids in agents.values() for agent in ids}
        for each in agent_ids:
            if each not in known:
                raise ValueError(f"agent_id contains {each!r}: expected agents among {sorted(known, key=str)}")
        return {
            env_id: {
                each: self._space(kind, env_id, each).sample() for each in ids if not agent_ids or each in agent_ids
            }
            for env_id, ids in agents.items()
        }


def agent_space(space: Any, agent_id: AgentID) -> Any:
    """Returns an agent's space: the agent's entry in a dict by agents, or the space that all agents share."""
    spaces = getattr(space, "spaces", space)
    if isinstance(spaces, Mapping) and agent_id in spaces:
        return spaces[agent_id]
    return space
