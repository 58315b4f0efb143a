"""Options of pools of Python environments, and the factories that make the environments."""

from __future__ import annotations

import difflib
import importlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from multiprocessing.context import BaseContext
from typing import Any

import gymnasium
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.error import CustomSpaceError
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from gymnasium.vector.utils import batch_differing_spaces, batch_space, create_shared_memory

from envpool_rs import _core
from envpool_rs._arguments import functions, integer, is_series
from envpool_rs._errors import DifferentSpacesError
from envpool_rs._spec.options import ASYNC, POOL, checked_options, options_of
from envpool_rs._workers.adapters import AgentSpaces
from envpool_rs._workers.worker_process import available_cores

_MAX_ENVS = 2**16


@dataclass(frozen=True)
class PoolOptions:
    """Options of a pool of Python environments."""

    num_envs: int
    batch_size: int
    num_workers: int | None  # None: one per core, in asynchronous pools one per environment
    seed: int | list[int] | None  # of first resets: an int adds the environment's number
    max_episode_steps: int | None
    reward_threshold: float | None  # stored only
    thread_affinity_offset: int  # pins worker `k` to CPU `offset + k`; -1 pins none
    autoreset_mode: str
    record_episode_statistics: bool
    caller_steps: bool
    context: str | BaseContext | None
    restart: bool
    copy: bool
    timeout: float | None
    max_num_players: int | None  # checked only

    @classmethod
    def checked(cls, given: Mapping[str, Any], num_envs: int) -> PoolOptions:
        """Validates options, and fills in defaults."""
        sizes = f"0 to num_envs={num_envs} (0 means all)"
        batch_size = integer("batch_size", given.get("batch_size", 0), 0, num_envs, allowed=sizes)
        return cls(
            num_envs=num_envs,
            batch_size=batch_size or num_envs,
            num_workers=_num_workers(given, num_envs, is_async=0 < batch_size < num_envs),
            seed=None if given.get("seed") is None else _core.maker_seeds(given["seed"], num_envs)[0],
            **checked_options(given, options_of(POOL)),
        )

    @property
    def is_async(self) -> bool:
        """Whether a result holds the ``batch_size`` environments that finish first, instead of all."""
        return self.batch_size < self.num_envs

    def as_dict(self) -> dict[str, Any]:
        """Returns all options by name."""
        return {name: getattr(self, name) for name in OPTIONS}

    def check_players(self, players: int) -> None:
        """Raises an error if ``max_num_players`` is not the number of players in one environment."""
        if self.max_num_players not in (None, players):
            raise ValueError(
                f"max_num_players={self.max_num_players}: expected {players}, the players of these environments"
            )

    def first_seeds(self) -> list[int | None] | None:
        """Returns the seed of each environment's first reset, or ``None`` without seeds."""
        if self.seed is None:
            return None
        return [*_core.maker_seeds(self.seed, self.num_envs)[1]]


OPTIONS = tuple(field.name for field in fields(PoolOptions) if field.name != "max_num_players")
"""Names of all options."""

ENVPOOL_OPTIONS = ("num_threads", "max_num_players")
"""EnvPool's option names: ``num_threads`` stands for the number of worker processes; ``max_num_players`` is
checked only.
"""


def check_num_envs(num_envs: Any) -> int:
    """Checks the number of environments, and returns it as an int."""
    return integer("num_envs", num_envs, 1, _MAX_ENVS)


def _num_workers(given: Mapping[str, Any], num_envs: int, is_async: bool) -> int | None:
    # `num_threads` is EnvPool's name of `num_workers`; 0 lets the pool choose the number.
    threads = integer("num_threads", given.get("num_threads", 0), 0, allowed="0 (chosen for you) or more")
    workers = given.get("num_workers")
    if threads and workers is not None:
        raise ValueError(f"num_threads={threads} and num_workers={workers!r} are both given: expected one of them")
    if threads:
        return min(threads, num_envs)
    if workers is None:
        # Uses one process for each environment, so that a slow environment does not delay others that the caller could
        # receive first.
        return num_envs if is_async else None
    return integer("num_workers", workers, 1, num_envs, allowed=f"None or 1 to num_envs={num_envs}")


EnvFn = Callable[[], Any]


@dataclass(frozen=True)
class GymnasiumEnvFactory:
    """Factory that makes an environment by ``gymnasium.make``, in any process."""

    spec: GymnasiumEnvSpec  # with it, the process needs no registered id
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
    """Factory that calls a function and wraps the environment that the function returns."""

    function: EnvFn
    wrappers: tuple[Callable[[Any], Any], ...]

    def __call__(self) -> Any:
        """Makes the environment."""
        env = self.function()
        for wrapper in self.wrappers:
            env = wrapper(env)
        return env


def gymnasium_spec(env_id: str | GymnasiumEnvSpec) -> GymnasiumEnvSpec:
    """Returns gymnasium's specification of an id, which may start with a module to import (``"module:Env-v0"``)."""
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
    """Returns a factory of environments for each environment of a pool."""
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
    """Validates wrappers of single environments and returns them as a tuple."""
    empty = wrappers is None or (is_series(wrappers) and hasattr(wrappers, "__len__") and not len(wrappers))
    return () if empty else tuple(functions("wrappers", wrappers, "takes an environment"))


def wrapped_functions(makers: list[EnvFn], wrappers: Any) -> list[EnvFn]:
    """Returns factories that wrap the environments made by other factories."""
    chosen = checked_wrappers(wrappers)
    return [WrappedEnvFactory(maker, chosen) for maker in makers] if chosen else makers


def check_declared(name: str, spaces: Sequence[Any]) -> None:
    """Raises an error if an environment declares no space."""
    for index, space in enumerate(spaces):
        if space is None:
            raise ValueError(f"environment {index} has no {name}: expected a space")


def common_agents(agent_spaces: Sequence[AgentSpaces | None]) -> AgentSpaces | None:
    """Returns the agents and spaces that all of PettingZoo's environments share; ``None`` for other environments."""
    first = agent_spaces[0]
    for index, each in enumerate(agent_spaces):
        if each != first:
            raise ValueError(
                f"environment {index} has {each}: expected the agents and spaces of environment 0, {first}"
            )
    return first


def common_spaces(observation: Sequence[Any], action: Sequence[Any]) -> tuple[Any, Any]:
    """Returns the spaces that all environments share."""
    for name, spaces in (("observation_space", observation), ("action_space", action)):
        check_declared(name, spaces)
        for index, space in enumerate(spaces):
            if space != spaces[0]:
                raise ValueError(f"environment {index} has {name}={space}: expected that of environment 0, {spaces[0]}")
    return observation[0], action[0]


NAMES = options_of(ASYNC, without=(POOL,))
"""Arguments of ``AsyncVectorEnv`` that are not options of the pool."""


@dataclass(frozen=True)
class VectorOptions:
    """Options of gymnasium's vector interface over Python environments."""

    shared_memory: bool | None  # whether observations that cannot be in shared memory raise an error
    daemon: bool
    observation_mode: Any  # "same", "different", or the batched and the single space
    max_concurrency: int | None  # largest number of environments that run at once
    given: Mapping[str, Any]  # what the caller passed explicitly

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> VectorOptions:
        """Validates arguments, and fills in defaults."""
        checked = checked_options(given, NAMES)
        del checked["worker"]
        return cls(**checked, given=given)

    def limit_workers(self, options: PoolOptions) -> PoolOptions:
        """Returns the pool's options with ``max_concurrency`` worker processes, since each process steps one
        environment at a time.
        """
        if self.max_concurrency is None:
            return options
        if options.num_workers is not None and not options.is_async:
            raise ValueError(
                f"max_concurrency={self.max_concurrency} and num_workers={options.num_workers} are both given: "
                "expected one of them"
            )
        chosen = options.num_workers or len(available_cores())
        return replace(options, num_workers=min(chosen, self.max_concurrency, options.num_envs))

    def spaces(self, observation: Sequence[Any], action: Sequence[Any]) -> tuple[Any, Any, Any]:
        """Returns the spaces of the vector environment."""
        # Returns the batched observation space, and the observation and action space of one environment.
        check_declared("observation_space", observation)
        check_declared("action_space", action)
        batched, single = self._observation_spaces(observation)
        if self.shared_memory:
            _check_shared(single)
        for index, space in enumerate(action):
            if space != action[0]:
                raise DifferentSpacesError(
                    f"environment {index} has action_space={space}: expected that of environment 0, {action[0]}. "
                    "In order to batch actions, the action spaces from all environments must be equal."
                )
        return batched, single, action[0]

    def _observation_spaces(self, spaces: Sequence[Any]) -> tuple[Any, Any]:
        if self.observation_mode == "same":
            for index, space in enumerate(spaces):
                if space != spaces[0]:
                    raise DifferentSpacesError(
                        "make_vec(..., observation_mode='same') however the sub-environments observation spaces are "
                        f"not equivalent. environment {index} has observation_space={space}: expected that of "
                        f"environment 0, {spaces[0]}. If this is intentional, use `observation_mode='different'` "
                        "instead."
                    )
            return batch_space(spaces[0], len(spaces)), spaces[0]
        if self.observation_mode == "different":
            batched, single = batch_differing_spaces(list(spaces)), spaces[0]
        else:
            batched, single = self.observation_mode
        for index, space in enumerate(spaces):
            if not is_space_dtype_shape_equiv(space, single):
                raise DifferentSpacesError(
                    f"make_vec(..., observation_mode='different' or custom space) however environment {index} has "
                    f"observation_space={space}, whose shape and dtype are not those of {single}"
                )
        return batched, single


def _check_shared(space: Any) -> None:
    try:
        create_shared_memory(space, n=1)
    except CustomSpaceError as error:
        raise ValueError(
            f"shared_memory=True: observations of {space} cannot lie in shared memory; leave it out, or give False"
        ) from error
