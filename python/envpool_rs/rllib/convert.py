"""Converts environments of every kind to RLlib's ``BaseEnv``."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import gymnasium
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv

from envpool_rs._arguments import flag, integer, mapping
from envpool_rs._facades.interfaces import GymnasiumInterface, VectorInterface
from envpool_rs._python_pool.pool import PythonPool
from envpool_rs.ray.actors import import_ray
from envpool_rs.rllib import environments
from envpool_rs.rllib.base_env import BaseEnv, MakeEnv, RayBaseEnv, RayExternalEnv, RayVectorEnv, uses_ray
from envpool_rs.rllib.external_env import ExternalEnv, ExternalEnvWrapper
from envpool_rs.rllib.pool_base_env import PoolBaseEnv
from envpool_rs.vector import BaseVectorEnv

_BASE_ENVS = RayBaseEnv if uses_ray else BaseEnv

# Classes of objects that already contain all environments, and their conversions.
_WRAPPERS: tuple[tuple[Any, Callable[..., Any]], ...] = (
    (RayExternalEnv if uses_ray else ExternalEnv, ExternalEnvWrapper),
    (RayVectorEnv if uses_ray else environments.VectorEnv, environments.VectorEnvWrapper),
    ((GymnasiumInterface, VectorInterface, PythonPool), PoolBaseEnv),
    (GymnasiumVectorEnv, environments.GymnasiumBaseEnv),
    (BaseVectorEnv, environments.StackedBaseEnv),
)


def convert_to_base_env(
    env: Any,
    make_env: MakeEnv = None,
    num_envs: int = 1,
    remote_envs: bool = False,
    remote_env_batch_wait_ms: float = 0,
    restart_failed_sub_environments: bool = False,
    policy_config: Mapping[str, Any] | None = None,
    *,
    strict_rllib: bool = False,
) -> Any:
    """Converts an environment to a ``BaseEnv``, RLlib's interface for many environments with many agents.

    Args:
        env: a ``gymnasium.Env``; a ``gymnasium.vector.VectorEnv``; a pool of ``make_gymnasium``, ``make_vec`` or
            ``make_python``; a vector of ``envpool_rs.vector``; a ``BaseEnv``, ``VectorEnv``, ``MultiAgentEnv``,
            ``ExternalEnv`` or ``ExternalMultiAgentEnv``, of this package or ray's; with ``remote_envs`` also a Ray
            actor.
        make_env: function that makes the environment at an index; required for single environments with ``num_envs``
            above 1, and to recreate failed environments.
        num_envs: required number of environments, ``env`` included.
        remote_envs: whether each environment runs in its own Ray actor. ``make_env`` makes them; ``env`` then only
            provides the spaces.
        remote_env_batch_wait_ms: how long a poll waits for more than one remote environment (milliseconds).
        restart_failed_sub_environments: whether an environment that raised an exception is closed and recreated, and a
            poll returns the exception instead of an observation; if not, the exception is raised.
        policy_config: accepted for compatibility; not used.
        strict_rllib: whether ``poll`` has the form of RLlib 2.60 where that differs from its documentation: rewards at
            the start of an episode are 0.0 or missing, and flags of agents are omitted.

    Raises:
        TypeError: for another kind of environment, or an argument of the wrong type.
        ValueError: for arguments that the kind of environment does not support.
        ImportError: for ``remote_envs`` without ray.
    """
    if make_env is not None and not callable(make_env):
        raise TypeError(f"make_env={make_env!r}: expected a function of the environment's index, or None")
    integer("num_envs", num_envs, 1)
    flag("remote_envs", remote_envs)
    if policy_config is not None:
        mapping("policy_config", policy_config, "a dict or None")
    environments.check_wait(remote_env_batch_wait_ms)
    restart, kind = restart_failed_sub_environments, type(env).__name__
    wrapper = next((wrapper for kinds, wrapper in _WRAPPERS if isinstance(env, kinds)), None)
    if remote_envs:
        if num_envs == 1:
            raise ValueError("remote_envs=True with num_envs=1: expected at least 2 environments to spread over actors")
        if wrapper is not None or isinstance(env, _BASE_ENVS):
            expected = "expected a single environment (gymnasium.Env, MultiAgentEnv) or a Ray actor"
            raise ValueError(f"remote_envs=True for a {kind}: {expected}")
        multiagent = environments.is_multi_agent_env(env)
        if hasattr(getattr(env, "_is_multi_agent", None), "remote"):  # an actor of RLlib
            multiagent = bool(import_ray("remote_envs=True").get(env._is_multi_agent.remote()))
        return environments.RemoteBaseEnv(
            make_env, num_envs, multiagent, remote_env_batch_wait_ms, [env], restart, strict_rllib=strict_rllib
        )
    if isinstance(env, _BASE_ENVS):
        return env
    if wrapper is not None:
        own, why = 1, "an external environment opens its own episodes"
        if wrapper is not ExternalEnvWrapper:
            own = len(env) if wrapper is environments.StackedBaseEnv else env.num_envs
            why = f"env has {own} environments"
        if num_envs not in (1, own):
            raise ValueError(f"num_envs={num_envs}: expected {own}, since {why}")
        return wrapper(env, strict_rllib=strict_rllib)
    if environments.is_multi_agent_env(env):
        return environments.MultiAgentEnvWrapper(make_env, [env], num_envs, restart, strict_rllib=strict_rllib)
    if isinstance(env, gymnasium.Env):
        make_vector = environments.VectorEnv.vectorize_gym_envs
        vector = make_vector(make_env, [env], num_envs, restart_failed_sub_environments=restart)
        return environments.VectorEnvWrapper(vector, strict_rllib=strict_rllib)
    raise TypeError(
        f"env is a {kind}: expected a gymnasium.Env, a gymnasium.vector.VectorEnv, a pool of make_gymnasium, make_vec "
        "or make_python, a BaseVectorEnv, or RLlib's BaseEnv, VectorEnv, MultiAgentEnv, ExternalEnv or "
        "ExternalMultiAgentEnv"
    )
