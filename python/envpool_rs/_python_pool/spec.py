"""Specification of a pool of Python environments, for users and for the extension."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, NoReturn

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._nested import fold_space
from envpool_rs._python_pool.actions import (
    ActionReader,
    ArrayActions,
    PlayerActions,
    UncheckedActions,
    action_reader,
    split_action,
)
from envpool_rs._python_pool.options import ENVPOOL_OPTIONS, OPTIONS, PoolOptions, check_num_envs
from envpool_rs._python_pool.results import SMALLER, EnvPoolResults, ResultAugmenter, envpool_space
from envpool_rs._spec.options import RenderOptions
from envpool_rs._spec.spaces import ArraySpec, array_spec, field_name, tuple_type
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._workers.adapters import AgentSpaces
from envpool_rs._workers.observations import ObservationLayout
from envpool_rs._workers.serialization import dumps
from envpool_rs._workers.worker_process import WorkerEnvs

if TYPE_CHECKING:
    from envpool_rs._core import Dialect


_INT32 = np.dtype(np.int32)

_OWN = ("env_id", "players", "elapsed_step")
"""Names of infos that the pool adds to those of its environments."""


class PythonEnvSpec(EnvSpec):
    """Spaces and options of a pool of Python environments, with the attributes of :class:`envpool_rs.pools.EnvSpec`.

    The attribute ``pool`` does not exist, because the extension has no specification of Python environments; their
    spaces describe them.

    Attributes:
        options: the checked options.
        env_options: further arguments of ``gymnasium.make``.
        dialect: ``"envpool"`` or ``"gymnasium"``: selects the dtypes.
        counted_steps: steps after which the pool truncates episodes; ``None`` if the environments truncate them, or
            there is no limit.
        batched_observation_space: observation space of all environments together; ``None`` if it is the single space
            batched for all rows.
        agent_spaces: agents of PettingZoo's environments; ``None`` for other environments.
    """

    options: PoolOptions
    env_options: dict[str, Any]
    dialect: Dialect
    counted_steps: int | None
    batched_observation_space: Any
    agent_spaces: AgentSpaces | None

    def __init__(
        self,
        name: str,
        dialect: Dialect,
        options: PoolOptions,
        single_spaces: tuple[Any, Any],
        described: Mapping[str, Any],
    ) -> None:
        """Describes environments that were made before.

        Args:
            name: the environments' id, or another name.
            dialect: ``"envpool"`` or ``"gymnasium"``: selects the dtypes.
            options: the checked options.
            single_spaces: observation and action space of one environment, as it declares them.
            described: ``env_spec`` (gymnasium's specification of the environments), ``env_options``,
                ``gym_reset_return_info``, ``counted_steps``, ``batched_observation_space``, ``agent_spaces``,
                ``metadata`` and ``render_mode`` of the first environment, and fields of gymnasium's ``EnvSpec``
                (``entry_point``, ``kwargs``, ...).
        """
        rest = dict(described)
        self.options = options
        self.env_options = rest.pop("env_options", {})
        self._return_info: bool = rest.pop("gym_reset_return_info", True)
        self.counted_steps = rest.pop("counted_steps", None)
        self.batched_observation_space = rest.pop("batched_observation_space", None)
        self.agent_spaces = rest.pop("agent_spaces", None)
        self._metadata: dict[str, Any] = rest.pop("metadata", None) or {}
        self._render_mode: str | None = rest.pop("render_mode", None)
        self._env_spec: GymnasiumEnvSpec | None = rest.pop("env_spec", None)
        self.dialect = dialect
        self._task_id = name
        observation, self._action = single_spaces
        self._observation = envpool_space(observation) if dialect == "envpool" else observation
        fields = {"reward_threshold": options.reward_threshold, "max_episode_steps": options.max_episode_steps, **rest}
        GymnasiumEnvSpec.__init__(self, id=name, **fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return object.__new__, (type(self),), self.__dict__.copy()

    @property
    def pool(self) -> NoReturn:
        """The extension's specification, which only native pools have.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("pool: the environments are Python's, and have no native specification")

    @property
    def task_id(self) -> str:
        """The gymnasium id of the environments, or another name if functions made them."""
        return self._task_id

    @property
    def players(self) -> int:
        """Number of players in one environment."""
        return 1 if self.agent_spaces is None else len(self.agent_spaces.agents)

    @property
    def rows(self) -> int:
        """Number of rows that one environment takes in arrays: one per player if players share spaces."""
        return self.players if self.agent_spaces is not None and self.agent_spaces.shared else 1

    @property
    def agents(self) -> list[str]:
        """Names of the players, in the order of rows."""
        return ["agent_0"] if self.agent_spaces is None else [str(agent) for agent in self.agent_spaces.agents]

    def config_dict(self) -> dict[str, Any]:
        """Returns all options with their values: the pool's first, then those of ``gymnasium.make``."""
        config = {**self.options.as_dict(), **self.env_options}
        if self.dialect == "envpool":
            config["gym_reset_return_info"] = self._return_info
        return config

    @property
    def num_envs(self) -> int:
        """Number of environments."""
        return self.options.num_envs

    @property
    def batch_size(self) -> int:
        """Number of environments per result: all, unless the pool is asynchronous."""
        return self.options.batch_size

    @property
    def is_async(self) -> bool:
        """Whether batches are smaller than the pool, so that they hold the environments that finish first."""
        return self.options.is_async

    @property
    def rendering(self) -> RenderOptions:
        """Render options: the mode of the first environment."""
        return RenderOptions(self._render_mode)

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """Autoreset mode of the pool, as gymnasium's enum."""
        return AutoresetMode[self.options.autoreset_mode.upper()]

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata of the first environment."""
        return dict(self._metadata)

    def observation_type(self, *more: str) -> Callable[..., Any]:
        """Returns the constructor of a dm_env time step's ``observation``; the infos of a step have all its fields."""
        return _time_step_observation

    @property
    def envpool_task(self) -> None:
        """``None``, because the extension has no task of environments written in Python."""

    def with_options(self, **changes: Any) -> PythonEnvSpec:
        """Returns this specification with other options of the pool.

        Args:
            changes: options and their values, without those of the environments, on which the spaces may depend.

        Raises:
            TypeError: for other options, or an option of the wrong type.
            ValueError: for a value that is not allowed.
        """
        for name in changes:
            if name not in (*OPTIONS, *ENVPOOL_OPTIONS):
                raise TypeError(f"with_options({name}=...): expected one of {', '.join((*OPTIONS, *ENVPOOL_OPTIONS))}")
        own = self.options.as_dict()
        num_envs = check_num_envs(changes.pop("num_envs", own.pop("num_envs")))
        own["batch_size"] = own["batch_size"] if self.is_async else 0
        own["num_workers"] = None if "num_threads" in changes else min(own["num_workers"], num_envs)
        changed = copy.copy(self)
        changed.options = PoolOptions.checked({**own, **changes}, num_envs)
        changed.max_episode_steps = changed.options.max_episode_steps
        changed.reward_threshold = changed.options.reward_threshold
        changed.counted_steps = None if self.counted_steps is None else changed.options.max_episode_steps
        return changed

    def for_envs(self, env_ids: Sequence[int], **changes: Any) -> PythonEnvSpec:
        """Returns the specification of a pool with a subset of the environments.

        Args:
            env_ids: ids of the subset, in order; one or more.
            changes: options and their values, as for :meth:`with_options`.
        """
        seed = self.options.seed
        own = {"seed": [seed[env_id] for env_id in env_ids]} if isinstance(seed, list) else {}
        return self.with_options(**{**own, "num_envs": len(env_ids), "batch_size": 0, **changes})

    def distinct_envs(self, env_ids: Sequence[int]) -> list[int]:
        """Returns the first of ``env_ids`` if one id made all environments, otherwise all of them."""
        return list(env_ids) if self._env_spec is None else list(env_ids[:1])

    def make(self, **options: Any) -> Any:
        """Makes a single environment, as ``gymnasium.make`` does.

        Args:
            options: arguments of ``gymnasium.make``, which replace those of the pool.

        Raises:
            ValueError: if functions made the environments, which the specification does not have.
        """
        if self._env_spec is None:
            raise ValueError("spec.make(): functions made these environments; call one of them")
        return gymnasium.make(self._env_spec, **{**self.env_options, **options})

    @property
    def _state_keys(self) -> list[str]:
        """EnvPool's name for the names of the arrays of a result."""
        return list(self.state_array_spec)

    @property
    def _action_keys(self) -> list[str]:
        """EnvPool's name for the names of the arrays of a step's input."""
        return list(self.action_array_spec)

    @property
    def state_array_spec(self) -> dict[str, ArraySpec]:
        """Arrays of a step's result by EnvPool's names.

        Observations that are not arrays are omitted. The environments' own infos are omitted too, because they are
        unknown before the first step.
        """
        reward = "float32" if self.dialect == "envpool" else "float64"
        arrays: dict[str, tuple[str, tuple[int, ...]]] = {
            "info:env_id": ("int32", ()),
            "info:players.env_id": ("int32", (-1,)),
            "elapsed_step": ("int32", ()),
            "done": ("bool", ()),
            "reward": (reward, (-1,)),
            "discount": ("float32", (-1,)),
            "step_type": ("int32", ()),
            "trunc": ("bool", ()),
        }
        observation = {name: _leaf_spec(leaf) for name, leaf in _leaves(self._observation, "obs", ":")}
        return {**{name: array_spec(*array) for name, array in arrays.items()}, **observation}

    @property
    def action_array_spec(self) -> dict[str, ArraySpec]:
        """Arrays that a step takes, by EnvPool's names."""
        ids = {"env_id": array_spec("int32", ()), "players.env_id": array_spec("int32", (-1,))}
        # Action arrays have one row per player.
        actions = {name: _leaf_spec(leaf) for name, leaf in _leaves(self._action, "action", ":")}
        return {**ids, **{name: replace(array, shape=[-1, *array.shape]) for name, array in actions.items()}}

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment, one of gymnasium's classes."""
        return self._observation

    @property
    def action_space(self) -> Any:
        """Action space of one environment, one of gymnasium's classes."""
        return self._action

    @property
    def gymnasium_observation_space(self) -> Any:
        """Observation space of one environment, of gymnasium's class for every interface."""
        return self._observation

    @property
    def gymnasium_action_space(self) -> Any:
        """Action space of one environment, of gymnasium's class for every interface."""
        return self._action


def _time_step_observation(observation: Any, infos: dict[str, Any]) -> Any:
    parts = observation if isinstance(observation, dict) else {"obs": observation}
    players = _named("players", ("env_id",))(infos["players"]["env_id"])
    fields = {"env_id": infos["env_id"], "players": players}
    fields |= {field_name(str(key)): part for key, part in parts.items()}
    # A field of the observation takes precedence over an info of the same name.
    fields |= {
        name: value for key, value in infos.items() if key not in _OWN and (name := field_name(str(key))) not in fields
    }
    return _named("State", tuple(fields))(*fields.values())


@lru_cache(maxsize=256)
def _named(name: str, fields: tuple[str, ...]) -> Any:
    return tuple_type(name, list(fields))


def _leaves(space: Any, name: str, separator: str) -> Iterator[tuple[str, Any]]:
    """Yields EnvPool's name and the space of each array inside a space, depth first."""
    if isinstance(space, spaces.Dict):
        parts = [(str(key), part) for key, part in space.spaces.items()]
    elif isinstance(space, spaces.Tuple):
        parts = [(str(index), part) for index, part in enumerate(space.spaces)]
    else:
        if isinstance(space, (spaces.Box, spaces.Discrete, spaces.MultiDiscrete, spaces.MultiBinary)):
            yield name, space
        return
    for key, part in parts:
        yield from _leaves(part, f"{name}{separator}{key}", ".")


def _leaf_spec(space: Any) -> ArraySpec:
    dtype = np.dtype(space.dtype)
    if isinstance(space, spaces.Discrete):
        start = int(space.start)
        return ArraySpec(SMALLER.get(dtype, dtype), [], start, start + int(space.n) - 1)
    if isinstance(space, spaces.Box):
        return ArraySpec(dtype, list(space.shape), _bound(space.low), _bound(space.high))
    if isinstance(space, spaces.MultiDiscrete):
        return ArraySpec(dtype, list(space.shape), space.start, space.start + space.nvec - 1)
    return ArraySpec(dtype, list(space.shape), 0, 1)


def _bound(bound: Any) -> Any:
    same = bound.size and (bound == bound.reshape(-1)[0]).all()
    return bound.reshape(-1)[0].item() if same else bound


_INT32_RANGE = np.iinfo(np.int32)


def backend_pool_spec(envs: WorkerEnvs, spec: PythonEnvSpec) -> _core.OutsideSpec:
    """Returns the Rust extension's specification of a pool of Python environments."""
    options, agents = spec.options, spec.agent_spaces
    space = envs.observation_spaces[0] if agents is None else agents.observation_space
    layout = ObservationLayout.of(space)
    is_envpool = spec.dialect == "envpool"
    in_rows = layout.structure is not None
    wide = is_envpool and in_rows and _has_wide_integers(space)
    smaller = SMALLER if is_envpool and not wide else {}
    reader = action_reader(spec.action_space)
    if agents is not None and agents.shared and isinstance(reader, ArrayActions):
        reader = PlayerActions(reader, spec.players)
    results = EnvPoolResults if is_envpool else ResultAugmenter
    return _core.OutsideSpec(
        envs.workers(),
        dialect=spec.dialect,
        num_envs=options.num_envs,
        batch_size=options.batch_size,
        autoreset_mode=options.autoreset_mode,
        max_episode_steps=spec.counted_steps,
        record_episode_statistics=options.record_episode_statistics,
        seeds=options.first_seeds(),
        restart=options.restart,
        timeout=options.timeout,
        copy=options.copy,
        leaves=[(leaf.dtype.str, leaf.shape, smaller.get(leaf.dtype, leaf.dtype).str) for leaf in layout.leaves],
        structure=layout.structure,
        tells_always=not in_rows or wide,
        action=_in_arrays(reader),
        # gymnasium's vector environments leave validation to the environments; rows of several agents are validated.
        rows_of_actions=(
            reader if is_envpool or agents is not None else UncheckedActions(reader, spec.action_space)
        ).rows,
        take_apart=partial(split_action, reader, options.num_envs, spec.players),
        dumps=dumps,
        tell=results(space, options.num_envs, spec.rows).augment,
        rebuilt=envs.rebuilt,
        task=spec.task_id,
        players=None if agents is None else spec.players,
        shared_spaces=agents is not None and agents.shared,
    )


def _in_arrays(reader: ActionReader) -> tuple[str, tuple[int, ...]] | None:
    """Returns dtype and shape of one environment's action if actions are arrays, otherwise ``None``."""
    return (reader.dtype.str, reader.shape) if isinstance(reader, ArrayActions) else None


def _has_wide_integers(space: Any) -> bool:
    """Returns whether an observation may hold integers that do not fit int32."""
    found: list[bool] = []
    fold_space(space, lambda leaf: found.append(_is_wide(leaf)))
    return any(found)


def _is_wide(space: Any) -> bool:
    if space.dtype != np.int64:
        return False
    if isinstance(space, spaces.Discrete):
        low, high = int(space.start), int(space.start + space.n) - 1
    elif isinstance(space, spaces.MultiDiscrete):
        low, high = int(np.min(space.start, initial=0)), int(np.max(space.start + space.nvec, initial=0))
    elif isinstance(space, spaces.Box):
        low, high = int(np.min(space.low, initial=0)), int(np.max(space.high, initial=0))
    else:
        return False
    return low < _INT32_RANGE.min or high > _INT32_RANGE.max
