"""Specification of a pool of Python environments, for users and for the extension."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector.utils import batch_space

from envpool_rs import _core
from envpool_rs._arguments import integer
from envpool_rs._nested import parts_of_space
from envpool_rs._python_pool.batches import (
    SMALLER,
    ArrayActions,
    ResultAugmenter,
    action_reader,
    split_action,
    unchecked_rows,
)
from envpool_rs._spec.options import POOL, RenderOptions, checked_options, options_of
from envpool_rs._spec.spaces import ArraySpec, array_spec, field_name, tuple_type
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._workers.adapters import ARRAY_SPACES, AgentSpaces
from envpool_rs._workers.serialization import ObservationLayout, dumps
from envpool_rs._workers.worker_process import WorkerEnvs

if TYPE_CHECKING:
    from envpool_rs._core import Dialect


OPTIONS = tuple(name for name in options_of(POOL) if name not in ("num_threads", "max_num_players"))
"""Names of all options of a pool."""

ENVPOOL_OPTIONS = ("num_threads", "max_num_players")
"""EnvPool's option names: ``num_threads`` stands for the number of worker processes; ``max_num_players`` is
checked only.
"""

_MAX_ENVS = 2**16


def check_num_envs(num_envs: Any) -> int:
    return integer("num_envs", num_envs, 1, _MAX_ENVS)


def checked_pool_options(given: Mapping[str, Any], num_envs: int) -> dict[str, Any]:
    """Validates the options of a pool, and fills in defaults; ``num_workers`` may be ``None`` (one per core)."""
    sizes = f"0 to num_envs={num_envs} (0 means all)"
    batch_size = integer("batch_size", given.get("batch_size", 0), 0, num_envs, allowed=sizes)
    # `num_threads` is EnvPool's name of `num_workers`; 0 lets the pool choose the number.
    threads = integer("num_threads", given.get("num_threads", 0), 0, allowed="0 (chosen for you) or more")
    workers = given.get("num_workers")
    if threads and workers is not None:
        raise ValueError(f"num_threads={threads} and num_workers={workers!r} are both given: expected one of them")
    if workers is not None:
        workers = integer("num_workers", workers, 1, num_envs, allowed=f"None or 1 to num_envs={num_envs}")
    elif threads or 0 < batch_size < num_envs:
        # Without a number, an asynchronous pool has one process for each environment, so that a slow environment does
        # not delay others that the caller could receive first.
        workers = min(threads or num_envs, num_envs)
    return {
        "num_envs": num_envs,
        "batch_size": batch_size or num_envs,
        "num_workers": workers,
        "seed": None if given.get("seed") is None else _core.maker_seeds(given["seed"], num_envs)[0],
        **checked_options(given, options_of(POOL)),
    }


@dataclass(frozen=True)
class PythonTask:
    """Description of Python environments, with attributes of the extension's specification of native ones."""

    task_id: str  # the gymnasium id of the environments, or "python" if functions made them
    dialect: Dialect
    config: dict[str, Any]  # the checked options
    observation_space: Any  # of one environment, with EnvPool's dtypes in its dialect
    action_space: Any  # of one environment
    agent_spaces: AgentSpaces | None  # agents of PettingZoo's environments
    metadata: Mapping[str, Any] | None
    render_mode: str | None
    counted_steps: int | None  # after which the pool truncates episodes, unless the environments truncate them
    env_spec: GymnasiumEnvSpec | None  # if an id made the environments
    env_options: Mapping[str, Any] = field(default_factory=dict)  # further arguments of `gymnasium.make`
    return_info: bool = True  # EnvPool's option `gym_reset_return_info`

    @property
    def players(self) -> int:
        return 1 if self.agent_spaces is None else len(self.agent_spaces.agents)

    @property
    def shared_spaces(self) -> bool:
        """Whether players share spaces, so that each has a row in arrays."""
        return self.agent_spaces is not None and self.agent_spaces.shared


_LIMITS = ("reward_threshold", "max_episode_steps")
"""Options that are fields of gymnasium's specification."""

_OWN = ("env_id", "players", "elapsed_step")
"""Names of infos that the pool adds to those of its environments."""


class PythonEnvSpec(EnvSpec):
    """Spaces and options of a pool of Python environments, with the attributes of :class:`envpool_rs.pools.EnvSpec`.

    The attribute ``pool`` does not exist, because the extension has no specification of Python environments; their
    spaces describe them.
    """

    _pool: Any

    def __init__(self, task: PythonTask, batched_observation_space: Any, **fields: Any) -> None:
        """Creates the specification; ``fields`` are further ones of gymnasium's ``EnvSpec`` (``kwargs``, ...)."""
        self._pool = task
        self._rendering = RenderOptions(task.render_mode)
        self.batched_observation_space = batched_observation_space
        GymnasiumEnvSpec.__init__(self, id=task.task_id, **{**{name: task.config[name] for name in _LIMITS}, **fields})

    def __reduce__(self) -> tuple[Any, ...]:
        return object.__new__, (type(self),), self.__dict__.copy()

    @property
    def pool(self) -> NoReturn:
        """Raises an ``AttributeError``: only native pools have a specification of the extension."""
        raise AttributeError("pool: the environments are Python's, and have no native specification")

    @property
    def agents(self) -> list[str]:
        spaces = self._pool.agent_spaces
        return ["agent_0"] if spaces is None else [str(agent) for agent in spaces.agents]

    def config_dict(self) -> dict[str, Any]:
        """All options with their values: the pool's first, then those of ``gymnasium.make``."""
        config = {**self._pool.config, **self._pool.env_options}
        if self._pool.dialect == "envpool":
            config["gym_reset_return_info"] = self._pool.return_info
        return config

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata of the first environment."""
        return dict(self._pool.metadata or {})

    def observation_type(self, *more: str) -> Callable[..., Any]:
        # The infos of a step have all fields.
        return _time_step_observation

    @property
    def envpool_task(self) -> None:
        """``None``, because the extension has no task of environments written in Python."""

    def with_options(self, **changes: Any) -> PythonEnvSpec:
        """Returns this specification with other options of the pool: none of the environments' own, on which the spaces
        may depend.

        Raises TypeError for other options, or an option of the wrong type, and ValueError for a value that is not
        allowed.
        """
        allowed = (*OPTIONS, *ENVPOOL_OPTIONS)
        for name in changes:
            if name not in allowed:
                raise TypeError(f"with_options({name}=...): expected one of {', '.join(allowed)}")
        own = dict(self._pool.config)
        num_envs = check_num_envs(changes.pop("num_envs", own.pop("num_envs")))
        own["batch_size"] = own["batch_size"] if self.is_async else 0
        own["num_workers"] = None if "num_threads" in changes else min(own["num_workers"], num_envs)
        config = checked_pool_options({**own, **changes}, num_envs)
        del config["max_num_players"]
        counted = None if self._pool.counted_steps is None else config["max_episode_steps"]
        changed = copy.copy(self)
        changed._pool = replace(self._pool, config=config, counted_steps=counted)
        for name in _LIMITS:
            setattr(changed, name, config[name])
        return changed

    def for_envs(self, env_ids: Sequence[int], **changes: Any) -> PythonEnvSpec:
        seed = self._pool.config["seed"]
        own = {"seed": [seed[env_id] for env_id in env_ids]} if isinstance(seed, list) else {}
        return self.with_options(**{**own, "num_envs": len(env_ids), "batch_size": 0, **changes})

    def distinct_envs(self, env_ids: Sequence[int]) -> list[int]:
        """Returns the first of ``env_ids`` if one id made all environments, otherwise all of them."""
        return list(env_ids) if self._pool.env_spec is None else list(env_ids[:1])

    def make(self, **options: Any) -> Any:
        """Makes a single environment, as ``gymnasium.make`` does; ``options`` are its arguments, which replace those of
        the pool.

        Raises ValueError if functions made the environments, which the specification does not have.
        """
        if self._pool.env_spec is None:
            raise ValueError("spec.make(): functions made these environments; call one of them")
        return gymnasium.make(self._pool.env_spec, **{**self._pool.env_options, **options})

    @property
    def state_array_spec(self) -> dict[str, ArraySpec]:
        """Arrays of a step's result by EnvPool's names.

        Observations that are not arrays are omitted. The environments' own infos are omitted too, because they are
        unknown before the first step.
        """
        reward = "float32" if self._pool.dialect == "envpool" else "float64"
        return {
            "info:env_id": array_spec("int32", ()),
            "info:players.env_id": array_spec("int32", (-1,)),
            "elapsed_step": array_spec("int32", ()),
            "done": array_spec("bool", ()),
            "reward": array_spec(reward, (-1,)),
            "discount": array_spec("float32", (-1,)),
            "step_type": array_spec("int32", ()),
            "trunc": array_spec("bool", ()),
            **_leaf_specs(self.observation_space, "obs"),
        }

    @property
    def action_array_spec(self) -> dict[str, ArraySpec]:
        ids = {"env_id": array_spec("int32", ()), "players.env_id": array_spec("int32", (-1,))}
        # Action arrays have one row per player.
        actions = _leaf_specs(self.action_space, "action").items()
        return {**ids, **{name: replace(array, shape=[-1, *array.shape]) for name, array in actions}}

    @property
    def observation_space(self) -> Any:
        return self._pool.observation_space

    @property
    def action_space(self) -> Any:
        return self._pool.action_space

    gymnasium_observation_space = observation_space
    gymnasium_action_space = action_space


def _time_step_observation(observation: Any, infos: dict[str, Any]) -> Any:
    parts = observation if isinstance(observation, dict) else {"obs": observation}
    players = tuple_type("players", ["env_id"])(infos["players"]["env_id"])
    fields = {"env_id": infos["env_id"], "players": players}
    fields |= {field_name(str(key)): part for key, part in parts.items()}
    # A field of the observation takes precedence over an info of the same name.
    fields |= {
        name: value for key, value in infos.items() if key not in _OWN and (name := field_name(str(key))) not in fields
    }
    return tuple_type("State", list(fields))(*fields.values())


def _leaf_specs(space: Any, name: str, separator: str = ":") -> dict[str, ArraySpec]:
    """Returns the specification of each array inside a space by EnvPool's name, depth first."""
    parts = parts_of_space(space)
    if parts is not None:
        specs: dict[str, ArraySpec] = {}
        for key, part in (parts if isinstance(parts, dict) else dict(enumerate(parts))).items():
            specs |= _leaf_specs(part, f"{name}{separator}{key}", ".")
        return specs
    if not isinstance(space, ARRAY_SPACES):
        return {}
    dtype: np.dtype[Any] = np.dtype(space.dtype)
    bounds: Any = (0, 1)
    if isinstance(space, spaces.Discrete):
        dtype, bounds = SMALLER.get(dtype, dtype), (int(space.start), int(space.start) + int(space.n) - 1)
    elif isinstance(space, spaces.MultiDiscrete):
        bounds = space.start, space.start + space.nvec - 1
    elif isinstance(space, spaces.Box):  # one number if all elements have the same bound
        low, high = space.low, space.high
        bounds = tuple(
            each.flat[0].item() if each.size and (each == each.flat[0]).all() else each for each in (low, high)
        )
    return {name: ArraySpec(dtype, list(space.shape or ()), *bounds)}


def backend_pool_spec(envs: WorkerEnvs, spec: PythonEnvSpec) -> _core.OutsideSpec:
    """Returns the Rust extension's specification of a pool of Python environments."""
    task = spec._pool
    options, agents = task.config, task.agent_spaces
    space = envs.observation_spaces[0] if agents is None else agents.observation_space
    layout = ObservationLayout.of(space)
    is_envpool = task.dialect == "envpool"
    in_rows = layout.structure is not None
    limits = np.iinfo(np.int32)
    wide = (  # whether an observation may hold integers that do not fit int32
        is_envpool
        and in_rows
        and any(
            np.min(each.minimum, initial=0) < limits.min or np.max(each.maximum, initial=0) > limits.max
            for each in _leaf_specs(space, "obs").values()
            if each.dtype.kind == "i"
        )
    )
    smaller = SMALLER if is_envpool and not wide else {}
    actions, players = spec.action_space, spec.players if task.shared_spaces else None
    keys = list(actions.spaces) if isinstance(actions, spaces.Dict) else []
    own = ArrayActions("action", actions, players) if isinstance(actions, ARRAY_SPACES) else None
    if is_envpool or agents is not None:
        rows_of_actions = action_reader(actions) if own is None else own.rows
    else:  # gymnasium's vector environments leave validation to the environments
        rows_of_actions = partial(unchecked_rows, batch_space(actions), own)
    return _core.OutsideSpec(
        envs.workers(),
        dialect=task.dialect,
        num_envs=options["num_envs"],
        batch_size=options["batch_size"],
        autoreset_mode=options["autoreset_mode"],
        max_episode_steps=task.counted_steps,
        record_episode_statistics=options["record_episode_statistics"],
        seeds=None if options["seed"] is None else [*_core.maker_seeds(options["seed"], spec.num_envs)[1]],
        restart=options["restart"],
        timeout=options["timeout"],
        copy=options["copy"],
        leaves=[(leaf.dtype.str, leaf.shape, smaller.get(leaf.dtype, leaf.dtype).str) for leaf in layout.leaves],
        structure=layout.structure,
        tells_always=not in_rows or wide,
        action=None if own is None else (own.dtype.str, own.shape),
        rows_of_actions=rows_of_actions,
        take_apart=partial(split_action, keys, spec.num_envs, spec.players),
        dumps=dumps,
        tell=ResultAugmenter(space, spec.num_envs, spec.rows, is_envpool=is_envpool).augment,
        rebuilt=envs.rebuilt,
        task=spec.task_id,
        players=None if agents is None else spec.players,
        shared_spaces=task.shared_spaces,
    )
