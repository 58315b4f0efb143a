"""Checks of what PettingZoo's parallel environments return, with messages that name the result."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_RESERVED = frozenset((
    "agent_mask", "agent_terminated", "agent_truncated", "elapsed_step", "env_id", "episode", "final_info", "final_obs",
    "players",
))  # fmt: skip
"""Keys of a pool's infos, which also have the names of agents as keys."""


def possible_agents(env: Any) -> tuple[Any, ...]:
    """Returns ``possible_agents`` of an environment.

    Raises:
        ValueError: if there are none, for agents without different names, and for names of infos.
    """
    given = getattr(env, "possible_agents", None)
    if given is not None and not isinstance(given, Iterable):
        raise ValueError(f"possible_agents={given!r}: expected a list of agents")
    agents = () if given is None else tuple(given)
    if not agents:
        raise ValueError("possible_agents is empty: expected the names of all agents that may be present")
    agent_of_name: dict[str, Any] = {}
    for agent in agents:
        name = str(agent)
        try:
            hash(agent)
        except TypeError:
            raise ValueError(f"possible_agents={given!r}: expected agents that are keys of a dict") from None
        if name in agent_of_name:
            raise ValueError(
                f"possible_agents={given!r}: expected agents with different names, got {agent_of_name[name]!r} and "
                f"{agent!r}"
            )
        if name in _RESERVED:
            raise ValueError(f"possible_agents={given!r}: expected no agent {name!r}, which is the name of an info")
        agent_of_name[name] = agent
    return agents


def present_agents(env: Any) -> list[Any]:
    """Returns the agents that are present in an environment.

    Raises:
        TypeError: if ``agents`` is no list.
    """
    agents = env.agents
    if not isinstance(agents, Iterable):
        raise TypeError(f"agents is {agents!r}: expected a list of agents")
    return list(agents)


def parts(call: str, result: Any, names: Sequence[str]) -> Sequence[Any]:
    """Returns the dicts that ``reset`` or ``step`` of an environment has returned.

    Args:
        call: the name of the method.
        result: what it has returned.
        names: the names of the dicts. The last one, of infos, may be ``None``.

    Raises:
        ValueError: for another number of dicts.
        TypeError: for a value that is no dict.
    """
    if not isinstance(result, Sequence) or isinstance(result, (str, bytes)) or len(result) != len(names):
        raise ValueError(f"{call}: expected dicts of {', '.join(names[:-1])} and {names[-1]}")
    for name, part in zip(names, result, strict=True):
        if not isinstance(part, Mapping) and (part is not None or name != names[-1]):
            raise TypeError(f"{name} is {part!r}: expected a dict of agents")
    return result


def as_bool(name: str, agent: Any, value: Any, expected: str) -> bool:
    """Returns an agent's value as a bool.

    Raises:
        ValueError: for an array with several elements.
    """
    try:
        return bool(value)
    except ValueError:
        raise ValueError(f"{name}[{agent!r}] is {value!r}: expected {expected}") from None


def reward_of(agent: Any, value: Any) -> float:
    """Returns an agent's reward as a float.

    Raises:
        TypeError: for anything but a number.
    """
    if type(value) is float:
        return value
    try:
        if not isinstance(value, (str, bytes)) and getattr(value, "size", 1) == 1:
            return float(value.item() if hasattr(value, "item") else value)
    except (TypeError, ValueError, OverflowError):
        pass
    raise TypeError(f"rewards[{agent!r}] is {value!r}: expected a number")
