"""RLlib's classes, where it is installed, and its words: ids, dicts of dicts, agents."""

from __future__ import annotations

import importlib
import importlib.util
import threading
import warnings
from typing import Any, NoReturn, TypeAlias

import gymnasium

OLDEST_RAY = (2, 50)
"""The oldest release of ray whose RLlib calls environments as this package expects."""


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


def _is_ray(module: Any) -> bool:
    """Whether it is the package, and not some folder of that name, which Python imports as well."""
    return hasattr(module, "__version__") and hasattr(module, "init")


def _has_rllib() -> bool:
    """Whether a usable RLlib is installed. ray alone, without RLlib's own requirements, is none.

    Raises:
        ImportError: where ray is installed, and cannot be imported.
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
        # A requirement of RLlib's is missing, where ray came without its extra; all else is a broken installation.
        if error.name is None or error.name.partition(".")[0] == "ray":
            raise
        return False
    return True


def _rllib_class(module: str, name: str, otherwise: type) -> Any:
    return getattr(importlib.import_module(f"ray.rllib.env.{module}"), name) if uses_ray else otherwise


uses_ray: bool = _has_rllib()
"""Whether the classes of ``envpool_rs.rllib`` are subclasses of RLlib's."""


class PlainMultiAgentEnv(gymnasium.Env):
    """What environments with many agents are where there is no RLlib: a class to know them by."""


RayBaseEnv = _rllib_class("base_env", "BaseEnv", object)
RayVectorEnv = _rllib_class("vector_env", "VectorEnv", object)
RayMultiAgentEnv = _rllib_class("multi_agent_env", "MultiAgentEnv", PlainMultiAgentEnv)
RayExternalEnv = _rllib_class("external_env", "ExternalEnv", threading.Thread)
RayExternalMultiAgentEnv = _rllib_class("external_multi_agent_env", "ExternalMultiAgentEnv", threading.Thread)


def import_ray() -> Any:
    """The package ray.

    Raises:
        ImportError: without ray, naming the extra that brings it; what an installed ray raised itself.
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


EnvID: TypeAlias = Any
"""An environment's id: an int, or a str where environments come and go (external episodes)."""

AgentID: TypeAlias = Any
"""An agent's id: an int or a str."""

MultiAgentDict: TypeAlias = dict[Any, Any]
"""``{agent_id: value}``"""

MultiEnvDict: TypeAlias = dict[Any, Any]
"""``{env_id: {agent_id: value}}``; an exception in the place of the inner dict where the environment failed."""

Poll: TypeAlias = tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]
"""Observations, rewards, terminated flags, truncated flags, infos, and actions that were taken without being asked."""

ALL = "__all__"
"""Key of the flag that speaks of the whole environment."""

COMMON = "__common__"
"""Key of infos that belong to no agent."""

ONLY_AGENT = "agent0"
"""Id of the agent of an environment that has one."""

ASYNC_RESET_RETURN = "async_reset_return"
"""What ``try_reset`` returns (twice) where the reset's result comes with a later ``poll``."""

ASYNC_RESET_REQUEST = ASYNC_RESET_RETURN
"""The name that RLlib's documentation has for :data:`ASYNC_RESET_RETURN`."""


class ReadOnlyDict(dict[Any, Any]):
    """A dict that several environments share in one result, so that nobody may write to it.

    Equal to a dict with the same contents. Copies, also by ``copy``, ``deepcopy`` and ``pickle``, are plain dicts.
    """

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this dict is shared by all environments of the poll: write to a copy, dict(...), instead")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> dict[Any, Any]:
        return dict(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def first_rewards(agents: Any, strict: bool, zero: bool) -> MultiAgentDict:
    """Rewards of agents whose episode just started.

    Args:
        agents: their ids.
        strict: whether to return what RLlib does, not what it documents.
        zero: what that is: 0.0 (environments with one agent), or nothing at all.
    """
    if not strict:
        return dict.fromkeys(agents)
    return dict.fromkeys(agents, 0.0) if zero else {}


def flags(agents: Any, value: bool, strict: bool) -> MultiAgentDict:
    """A flag that all agents share, ``"__all__"`` included; alone under RLlib's own habits."""
    return {ALL: value} if strict else {**dict.fromkeys(agents, value), ALL: value}


def is_multi_agent_env(environment: Any) -> bool:
    """Whether an environment is a ``MultiAgentEnv``, ours or ray's."""
    return isinstance(environment, RayMultiAgentEnv)


def agents_of(environment: Any) -> set[AgentID]:
    """The agents that an RLlib environment tells of, in whatever way it does."""
    named = getattr(environment, "_agent_ids", None) or getattr(environment, "possible_agents", None)
    return set(named or getattr(environment, "agents", None) or ())
