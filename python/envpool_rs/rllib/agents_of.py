"""Environments of RLlib's with many agents, ours or RLlib's own: what they are known by, and their agents."""

from __future__ import annotations

from typing import Any

from envpool_rs.rllib.multi_env_dict import AgentID
from envpool_rs.rllib.ray_classes import RayMultiAgentEnv


def is_multi_agent_env(environment: Any) -> bool:
    """Whether an environment is a ``MultiAgentEnv``, ours or ray's."""
    return isinstance(environment, RayMultiAgentEnv)


def agents_of(environment: Any) -> set[AgentID]:
    """The agents that an RLlib environment tells of, in whatever way it does."""
    named = getattr(environment, "_agent_ids", None) or getattr(environment, "possible_agents", None)
    return set(named or getattr(environment, "agents", None) or ())
