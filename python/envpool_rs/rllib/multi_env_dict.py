"""The words of RLlib's environments: ids, and dicts of dicts."""

from __future__ import annotations

from typing import Any, NoReturn, TypeAlias

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
