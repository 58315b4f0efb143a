"""RLlib's base classes, if RLlib is installed, and types for its ids, agents and dicts of dicts."""

from __future__ import annotations

import importlib
import importlib.util
import threading
import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn, TypeAlias

import gymnasium

OLDEST_RAY = (2, 50)
"""Oldest release of ray whose RLlib calls environments as this package expects."""


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


def _is_ray(module: Any) -> bool:
    """Returns whether a module is the package ray, and not a folder named ``ray``, which Python also imports."""
    return hasattr(module, "__version__") and hasattr(module, "init")


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


def _rllib_class(module: str, name: str, otherwise: type) -> Any:
    return getattr(importlib.import_module(f"ray.rllib.env.{module}"), name) if uses_ray else otherwise


uses_ray: bool = _has_rllib()
"""Whether the classes of ``envpool_rs.rllib`` are subclasses of RLlib's."""


class PlainMultiAgentEnv(gymnasium.Env):
    """Base class of multi-agent environments if RLlib is not installed, for ``isinstance`` checks."""


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
        and restart their own environments, and external environments open their own episodes.

        Args:
            make_env: function that makes the environment at an index.
            num_envs: required number of environments, this one included.
            remote_envs: whether each environment runs in its own Ray actor; this object then only provides the spaces.
            remote_env_batch_wait_ms: how long a poll waits for more than one remote environment (milliseconds).
            restart_failed_sub_environments: whether an environment that raised an exception is recreated.
            strict_rllib: whether results of ``poll`` have the form of RLlib 2.60 where that differs from its
                documentation.

        Returns:
            The ``BaseEnv``.

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


class ReadOnlyDict(dict[Any, Any]):
    """Read-only dict that several environments share in one result.

    It equals a dict with the same contents. Its copies, including those by ``copy``, ``deepcopy`` and ``pickle``, are
    plain dicts.
    """

    def _reject_write(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this dict is shared by all environments of the poll: write to a copy, dict(...), instead")

    __setitem__ = __delitem__ = __ior__ = _reject_write
    clear = pop = popitem = setdefault = update = _reject_write

    def __copy__(self) -> dict[Any, Any]:
        return dict(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


def first_rewards(agents: Any, strict: bool, zero: bool) -> MultiAgentDict:
    """Returns rewards of agents whose episode just started.

    Args:
        agents: the agents' ids.
        strict: whether to return what RLlib actually returns, instead of the documented ``None``.
        zero: whether RLlib actually returns 0.0 (for environments with one agent), instead of no entry.
    """
    if not strict:
        return dict.fromkeys(agents)
    return dict.fromkeys(agents, 0.0) if zero else {}


def flags(agents: Any, value: bool, strict: bool) -> MultiAgentDict:
    """Returns a dict with the same flag for ``"__all__"`` and every agent; with ``strict`` (as in RLlib 2.60), for
    ``"__all__"`` only.
    """
    return {ALL: value} if strict else {**dict.fromkeys(agents, value), ALL: value}


def is_multi_agent_env(environment: Any) -> bool:
    """Returns whether an environment is a ``MultiAgentEnv``, of this package or ray's."""
    return isinstance(environment, RayMultiAgentEnv)


def agents_of(environment: Any) -> set[AgentID]:
    """Returns the agents that an RLlib environment declares, in any supported way."""
    named = getattr(environment, "_agent_ids", None) or getattr(environment, "possible_agents", None)
    return set(named or getattr(environment, "agents", None) or ())
