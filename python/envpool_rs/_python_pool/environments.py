"""Factories that make the Python environments of a pool."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs._arguments import functions, is_series
from envpool_rs._python_pool.options import OPTIONS, check_num_envs
from envpool_rs._workers.adapters import AgentSpaces

EnvFn = Callable[[], Any]


@dataclass(frozen=True)
class GymnasiumEnvFactory:
    """Factory that makes an environment by ``gymnasium.make``, in any process.

    Attributes:
        spec: gymnasium's specification of the environment. With it, the process needs no registered id.
        options: keyword arguments for ``gymnasium.make``.
        wrappers: callables applied to the environment in order.
    """

    spec: GymnasiumEnvSpec
    options: dict[str, Any] = field(default_factory=dict)
    wrappers: tuple[Callable[[Any], Any], ...] = ()

    def __call__(self) -> Any:
        """Makes the environment."""
        env: Any = gymnasium.make(self.spec, **self.options)
        for wrapper in self.wrappers:
            env = wrapper(env)
        return env


@dataclass(frozen=True)
class WrappedEnvFactory:
    """Factory that calls a function and wraps the environment that the function returns.

    Attributes:
        function: function that makes the environment.
        wrappers: callables applied to the environment in order.
    """

    function: EnvFn
    wrappers: tuple[Callable[[Any], Any], ...]

    def __call__(self) -> Any:
        """Makes the environment."""
        env = self.function()
        for wrapper in self.wrappers:
            env = wrapper(env)
        return env


def gymnasium_spec(env_id: str | GymnasiumEnvSpec) -> GymnasiumEnvSpec:
    """Returns gymnasium's specification of an id, which may start with a module to import (``"module:Env-v0"``).

    Raises:
        gymnasium.error.Error: if gymnasium does not know the id.
        ImportError: if the module cannot be imported.
        ValueError: if only vectorised environments are registered for the id.
    """
    if isinstance(env_id, GymnasiumEnvSpec):
        spec = env_id
    else:
        module, _, name = env_id.rpartition(":")
        if module:
            importlib.import_module(module)
        spec = gymnasium.spec(name)
    if spec.entry_point is None:
        raise ValueError(
            f"{spec.id!r} has no entry point for single environments: expected an id that gymnasium.make takes"
        )
    return spec


def env_functions(
    env_fns: Any, num_envs: Any, env_options: Mapping[str, Any], max_episode_steps: Any = None
) -> list[EnvFn]:
    """Returns a factory of environments for each environment of a pool.

    Args:
        env_fns: a sequence of functions, one function, or an id of gymnasium's (or its specification).
        num_envs: the number of environments, or ``None``.
        env_options: keyword arguments for ``gymnasium.make``.
        max_episode_steps: time limit that replaces the id's; ``None`` keeps the id's.

    Raises:
        TypeError: for anything else, or ``env_options`` without an id.
        ValueError: for an empty sequence, one of another length than ``num_envs``, or an id that gymnasium does not
            know.
    """
    if isinstance(env_fns, (str, GymnasiumEnvSpec)):
        try:
            spec = gymnasium_spec(env_fns)
        except gymnasium.error.Error as error:
            raise ValueError(
                f"env_fns={env_fns!r}: expected functions, or an id that gymnasium knows: {error}"
            ) from error
        limit = {} if max_episode_steps is None else {"max_episode_steps": max_episode_steps}
        return [GymnasiumEnvFactory(spec, {**env_options, **limit})] * _count(num_envs)
    if env_options:
        raise _unknown_option(next(iter(env_options)))
    if callable(env_fns):
        return [env_fns] * _count(num_envs)
    makers = functions("env_fns", env_fns)
    if num_envs is not None and check_num_envs(num_envs) != len(makers):
        raise ValueError(f"num_envs={num_envs}: expected None or the number of env_fns, {len(makers)}")
    check_num_envs(len(makers))
    return makers


def _count(num_envs: Any) -> int:
    return 1 if num_envs is None else check_num_envs(num_envs)


def _unknown_option(name: str) -> TypeError:
    near = difflib.get_close_matches(name, OPTIONS, n=1)
    suggestion = f'; did you mean "{near[0]}"?' if near else " (only environments made by an id take their own)"
    return TypeError(f'make_python has no option "{name}"{suggestion}')


def checked_wrappers(wrappers: Any) -> tuple[Callable[[Any], Any], ...]:
    """Validates wrappers of single environments and returns them as a tuple.

    Raises:
        TypeError: if ``wrappers`` is not a sequence of callables.
    """
    empty = wrappers is None or (is_series(wrappers) and hasattr(wrappers, "__len__") and not len(wrappers))
    return () if empty else tuple(functions("wrappers", wrappers, "takes an environment"))


def wrapped_functions(makers: list[EnvFn], wrappers: Any) -> list[EnvFn]:
    """Returns factories that wrap the environments made by other factories.

    Args:
        makers: functions that make one environment each.
        wrappers: callables applied to each environment in order; ``None`` for none.

    Raises:
        TypeError: if the wrappers are not a sequence of callables.
    """
    chosen = checked_wrappers(wrappers)
    return [WrappedEnvFactory(maker, chosen) for maker in makers] if chosen else makers


def check_declared(name: str, spaces: Sequence[Any]) -> None:
    """Raises an error if an environment declares no space.

    Args:
        name: the attribute's name.
        spaces: the space of each environment, ``None`` if it declares none.

    Raises:
        ValueError: naming the first environment that declares no space.
    """
    for index, space in enumerate(spaces):
        if space is None:
            raise ValueError(f"environment {index} has no {name}: expected a space")


def common_agents(agent_spaces: Sequence[AgentSpaces | None]) -> AgentSpaces | None:
    """Returns the agents and spaces that all of PettingZoo's environments share; ``None`` for other environments.

    Args:
        agent_spaces: agents and spaces of each environment; ``None`` for an environment that is not PettingZoo's.

    Raises:
        ValueError: naming the first environment whose agents or spaces differ from those of environment 0.
    """
    first = agent_spaces[0]
    for index, each in enumerate(agent_spaces):
        if each != first:
            raise ValueError(
                f"environment {index} has {each}: expected the agents and spaces of environment 0, {first}"
            )
    return first


def common_spaces(observation: Sequence[Any], action: Sequence[Any]) -> tuple[Any, Any]:
    """Returns the spaces that all environments share.

    Args:
        observation: observation space of each environment, ``None`` if it declares none.
        action: action space of each environment, ``None`` if it declares none.

    Raises:
        ValueError: naming the first environment without a space, or with a different one.
    """
    for name, spaces in (("observation_space", observation), ("action_space", action)):
        check_declared(name, spaces)
        for index, space in enumerate(spaces):
            if space != spaces[0]:
                raise ValueError(f"environment {index} has {name}={space}: expected that of environment 0, {spaces[0]}")
    return observation[0], action[0]
