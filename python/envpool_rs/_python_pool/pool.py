"""Pools of Python environments: their options, their specification, and the classes of pools for gymnasium."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NoReturn

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import VectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs import _core
from envpool_rs._arguments import (
    array,
    bounded,
    choice,
    entries,
    integer,
    is_series,
    mapping,
    optional_integer,
    shown,
    text,
)
from envpool_rs._facades.environments import ResetArguments
from envpool_rs._facades.interfaces import GymnasiumAttributes, GymnasiumInterface, VectorInterface
from envpool_rs._facades.pool import EnvPoolMixin, array_or_list
from envpool_rs._facades.tuning import AUTO
from envpool_rs._nested import parts_of_space
from envpool_rs._python_pool import batches
from envpool_rs._spec.options import POOL, RenderOptions, checked_options, options_of
from envpool_rs._spec.spaces import ArraySpec, array_spec, field_name, tuple_type
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._workers.adapters import ARRAY_SPACES
from envpool_rs._workers.reset_schedule import check_distribution, is_distribution
from envpool_rs._workers.serialization import EnvFailure, ObservationLayout, dumps, loaded_value
from envpool_rs._workers.worker_process import WorkerEnvs

if TYPE_CHECKING:
    import numpy.typing as npt

OPTIONS = tuple(name for name in options_of(POOL) if name not in ("num_threads", "max_num_players"))
# EnvPool's names of options: of the number of worker processes, and of a number that is only checked.
ENVPOOL_OPTIONS = ("num_threads", "max_num_players")
check_num_envs = partial(integer, "num_envs", least=1, most=2**16)


def checked_pool_options(given: Mapping[str, Any], num_envs: int) -> dict[str, Any]:
    """Validates the options of a pool, and fills in defaults; ``num_workers`` may be ``None`` (one per core)."""
    sizes = f"0 to num_envs={num_envs} (0 means all)"
    batch_size = integer("batch_size", given.get("batch_size", 0), 0, num_envs, allowed=sizes)
    # `num_threads` is EnvPool's name of `num_workers`; 0 lets the pool choose the number.
    threads = given.get("num_threads", 0)
    if not isinstance(threads, str) or threads != AUTO:
        threads = integer("num_threads", threads, 0, allowed=f"0 (chosen for you) or more, or {AUTO!r}")
    workers = given.get("num_workers")
    if threads and workers is not None:
        raise ValueError(f"num_threads={threads} and num_workers={workers!r} are both given: expected one of them")
    if workers is not None:
        workers = integer("num_workers", workers, 1, num_envs, allowed=f"None or 1 to num_envs={num_envs}")
    elif threads == AUTO:
        workers = AUTO
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


_OF_THE_POOL = {
    **{name: f"{name} is fixed when the pool is made: make a new pool" for name in (*OPTIONS, *ENVPOOL_OPTIONS)},
    "seed": "queue_resets(seeds=...) seeds later episodes",
    "reset_mask": "give it to reset",
}
"""Names that are no options of episodes, and what to do instead."""
_LIMITS = ("reward_threshold", "max_episode_steps")  # options that are fields of gymnasium's specification
_OWN = ("env_id", "players", "elapsed_step")  # infos that the pool adds to those of its environments


class PythonEnvSpec(EnvSpec):
    """Spaces and options of a pool of Python environments, with the attributes of :class:`envpool_rs.pools.EnvSpec`.

    The attribute ``pool`` does not exist, because the extension has no specification of Python environments; their
    spaces describe them.
    """

    _pool: Any  # has the attributes of the extension's specification of a native task

    def __init__(self, task: SimpleNamespace, batched_observation_space: Any, **fields: Any) -> None:
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
        changed._pool = SimpleNamespace(**{**vars(self._pool), "config": config, "counted_steps": counted})
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
        """Arrays of a step's result by EnvPool's names, without observations that are no arrays, and without the
        environments' own infos, which are unknown before the first step.
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
    if isinstance(space, spaces.Discrete):
        dtype = batches.SMALLER.get(dtype, dtype)
    bounds = batches.bounds_of(space)
    if isinstance(space, spaces.Box):  # one number if all elements have the same bound
        bounds = tuple(each.flat[0].item() if np.unique(each).size == 1 else each for each in bounds)
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
    smaller = batches.SMALLER if is_envpool and not wide else {}
    actions, players = spec.action_space, spec.players if task.shared_spaces else None
    keys = list(actions.spaces) if isinstance(actions, spaces.Dict) else []
    own = batches.ArrayActions("action", actions, players) if isinstance(actions, ARRAY_SPACES) else None
    if is_envpool or agents is not None:
        rows_of_actions = batches.action_reader(actions) if own is None else own.rows
    else:  # gymnasium's vector environments leave validation to the environments
        rows_of_actions = partial(batches.unchecked_rows, batch_space(actions), own)
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
        take_apart=partial(batches.split_action, keys, spec.num_envs, spec.players),
        dumps=dumps,
        tell=batches.ResultAugmenter(space, spec.num_envs, spec.rows, is_envpool=is_envpool).augment,
        rebuilt=envs.rebuilt,
        task=spec.task_id,
        players=None if agents is None else spec.players,
        shared_spaces=task.shared_spaces,
    )


class PythonPool(GymnasiumAttributes, EnvPoolMixin, _core.Pool):
    """Pool of Python environments in worker processes, stepped in batches by the Rust extension's pool."""

    _spec: PythonEnvSpec
    _is_scheduled = False  # whether resets may have options or queue entries of earlier calls

    def __new__(cls, envs: WorkerEnvs, spec: PythonEnvSpec) -> Any:
        """Creates a pool of existing environments, none of which may be in flight."""
        return _core.Pool.__new__(cls, backend_pool_spec(envs, spec), **cls._format(spec))

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        super().__init__(spec)
        self._envs = envs

    def _close(self, how: Mapping[str, Any]) -> None:
        self._end(how.get("timeout"), bool(how.get("terminate")))

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")

    # Methods that access the environments, as in gymnasium's vector environments. A name is that of an attribute of an
    # environment or of an environment that it wraps; dots lead into attributes. Each method raises a RuntimeError while
    # environments are in flight, and an environment's exception, naming the environment.

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Calls a method of each environment, or reads an attribute."""
        return self._call(None, "call", [(name, arguments, keywords)] * self.num_envs)

    def call_some(self, env_ids: Any, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Calls a method of the environments ``env_ids`` ``(n,)``, or reads an attribute."""
        ids = list(bounded("env_ids", env_ids))
        return self._call(ids, "call", [(name, arguments, keywords)] * len(ids))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns an attribute of each environment; as in gymnasium, the result of a callable attribute."""
        return self.call(name)

    def get_attr_of_some(self, env_ids: Any, name: str) -> tuple[Any, ...]:
        """Returns an attribute of the environments ``env_ids`` ``(n,)``; a callable attribute is not called."""
        ids = list(bounded("env_ids", env_ids))
        return self._call(ids, "get_attr", [name] * len(ids))

    def apply_to_some(self, env_ids: Any, function: Any, *arguments: Any) -> tuple[Any, ...]:
        """Calls ``function(env, *arguments)`` in the processes of the environments ``env_ids`` ``(n,)``."""
        ids = list(bounded("env_ids", env_ids))
        return self._call(ids, "apply", [(function, arguments)] * len(ids))

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment to its entry of ``values`` (a list or tuple), or to one value."""
        if not isinstance(values, (list, tuple)):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            raise ValueError(f"values has {len(values)} entries: expected num_envs={self.num_envs}")
        self._call(None, "set_attr", [(name, value) for value in values])

    def set_attr_of_some(self, env_ids: Any, name: str, value: Any) -> None:
        """Sets an attribute of the environments ``env_ids`` ``(n,)`` to one value."""
        ids = list(bounded("env_ids", env_ids))
        self._call(ids, "set_attr", [(name, value)] * len(ids))

    def render(self, env_ids: Any = None) -> tuple[Any, ...]:
        """Returns the result of ``render()`` of an environment, of several ``(n,)``, or of all (``None``)."""
        return self._call(None if env_ids is None else np.atleast_1d(array("env_ids", env_ids)), "render", [None])

    @property
    def np_random_seed(self) -> tuple[Any, ...]:
        """Seed of each environment's generator, as the environments report it."""
        return self.get_attr("np_random_seed")

    @property
    def np_random(self) -> tuple[Any, ...]:
        """Copies of the environments' generators: drawing from them changes nothing in the environments."""
        return self.get_attr("np_random")

    def set_options(self, *, env_ids: Any = None, when: str = "next_episode", **options: Any) -> None:
        """Sets options of the environments ``env_ids`` ``(k,)``, or all, for their later episodes: each ``reset`` of an
        environment, also by autoreset, gets them as entries of its argument ``options``.

        A value is one for all these environments, a list or array of ``k``, or a distribution: a tuple ``("uniform",
        low, high)``, ``("integers", low, high)`` or ``("choice", first, ...)``, drawn for each episode from a generator
        that the seeds of resets seed. Options that a call of ``reset`` gives replace those of the same names. Raises a
        ``ValueError`` for a list of another length, and a ``RuntimeError`` for an environment in flight.
        """
        choice("when", when, ("next_episode",))
        ids = self._ids(env_ids)
        rows = _option_rows(options, len(ids), _counted(env_ids))
        self._schedule(ids, [("set", row) for row in rows])
        for env_id, row in zip(ids, rows, strict=True):
            self._envs.options.setdefault(env_id, {}).update(row)

    def get_options(self, env_ids: Any = None) -> dict[str, Any]:
        """Returns the options with which the current episodes began, of ``set_options``, ``queue_resets`` and ``reset``
        after the first call of one of the former: arrays ``(k,)`` of numbers, or lists; ``None`` where there is none.
        """
        ids = self._ids(env_ids)
        rows = self._schedule(ids or self._ids(None), [("get",)])
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: array_or_list([row.get(name) for row in rows[: len(ids)]]) for name in names}

    def queue_resets(self, env_ids: Any = None, *, seeds: Any = None, options: dict[str, Any] | None = None) -> None:
        """Appends a reset to the queue of each of the environments ``env_ids`` ``(k,)``, or all, as
        native pools do. ``options`` are entries of the argument ``options`` of ``reset``.
        """
        ids = self._ids(env_ids)
        counted = _counted(env_ids)
        expected = f"one value, or {counted}{len(ids)} of them"
        each = entries("seeds", seeds, len(ids), expected) if is_series(seeds) else [seeds] * len(ids)
        given = [optional_integer("seeds", seed, 0, 2**63 - 1, allowed="0 or more, and below 2**63") for seed in each]
        rows = _option_rows({} if options is None else mapping("options", options), len(ids), counted)
        queues: dict[int, list[tuple[int | None, dict[str, Any]]]] = {}
        for env_id, entry in zip(ids, zip(given, rows, strict=True), strict=True):
            queues.setdefault(env_id, []).append(entry)
        self._schedule(list(queues), [("queue", queue) for queue in queues.values()])
        for env_id, queue in queues.items():
            self._envs.store_queue(env_id, self._envs.queue_of(env_id) + queue)

    def queued_resets(self, env_ids: Any = None) -> npt.NDArray[np.int64]:
        """Returns the number of resets in the queue of each of the environments ``env_ids``, all by default."""
        return np.array(self._schedule(self._ids(env_ids), [("count",)]), np.int64)

    def clear_resets(self, env_ids: Any = None) -> None:
        """Removes all resets from the queues of the environments ``env_ids``, all by default."""
        ids = self._ids(env_ids)
        self._schedule(ids, [("clear",)])
        for env_id in ids:
            self._envs.store_queue(env_id, [])

    def _ids(self, env_ids: Any) -> list[int]:
        ids = range(self.num_envs) if env_ids is None else np.atleast_1d(array("env_ids", env_ids)).tolist()
        return [integer(f"env_ids[{index}]", each) for index, each in enumerate(ids)]

    def _schedule(self, ids: list[int], payloads: list[Any]) -> tuple[Any, ...]:
        values = self._call(ids, "schedule", payloads)
        self._is_scheduled = True
        return values

    def get_state(self, env_ids: Any = None) -> NoReturn:
        """Raises ``NotImplementedError``, because Python environments have no snapshots."""
        raise NotImplementedError("get_state(): Python environments have no snapshots")

    def set_state(self, state: Any, env_ids: Any = None) -> NoReturn:
        """Raises ``NotImplementedError``, because Python environments have no snapshots."""
        raise NotImplementedError("set_state(): Python environments have no snapshots")

    def _unknown_attribute(self, name: str) -> AttributeError:
        error = super()._unknown_attribute(name)
        return AttributeError(f"{error} (set_attr({name!r}, ...) sets attributes of the environments)")

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        if how.get("all_rows") and self.is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        arguments = ResetArguments(self.num_envs, env_id, seed, options)
        return self.reset_envs(arguments.env_id, arguments.seed, self._own_options(arguments, options), **how)

    def _begin_reset_envs(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        arguments = ResetArguments(self.num_envs, None, seed, options)
        own = self._own_options(arguments, options)
        self._send_reset(arguments.env_id, arguments.seed, own, all_rows=arguments.masked)

    def _own_options(self, arguments: ResetArguments, options: Mapping[str, Any] | None) -> dict[str, Any] | None:
        """Returns the options of a reset without the mask. Any dict keeps the reset from taking entries of queues. If
        only some environments get seeds, their resets take no entries.
        """
        own = {name: each for name, each in (options or {}).items() if name != "reset_mask"}
        if own or not self._is_scheduled:
            return None if options is None else own
        seeds = arguments.seed if isinstance(arguments.seed, list) else [arguments.seed]
        if None not in seeds:
            return own
        seeded = [pair for pair in zip(arguments.ids(), seeds, strict=False) if pair[1] is not None]
        if seeded:
            self._schedule([env_id for env_id, _ in seeded], [("seeded", seed) for _, seed in seeded])
        return None

    def _call(self, env_ids: Any, operation: str, payloads: list[Any]) -> tuple[Any, ...]:
        """Sends an operation to environments, with a payload for each, or with one for all."""
        answers = self._ask(env_ids, [dumps((operation, payload)) for payload in payloads])
        ids = range(self.num_envs) if env_ids is None else env_ids
        values = tuple(loaded_value(each, int(env_id), operation) for each, env_id in zip(answers, ids, strict=True))
        for value in values:
            if isinstance(value, EnvFailure):
                raise value.raised()
        return values


def _tuple_of_distribution(value: Any) -> Any:
    """Returns a list that begins with a distribution's name as a tuple, which JSON lacks."""
    return tuple(value) if isinstance(value, list) and is_distribution(tuple(value)) else value


def _counted(env_ids: Any) -> str:
    """Returns what messages write before the number of environments of a call."""
    return "num_envs=" if env_ids is None else "env_ids: "


def _option_rows(options: Mapping[str, Any], count: int, counted: str) -> list[dict[str, Any]]:
    """Returns the options of each of ``count`` environments."""
    for name, value in options.items():
        text("options", name, "str as the names of options")
        if name in _OF_THE_POOL:
            remedy = _OF_THE_POOL[name]
            raise ValueError(f"{name}={shown(value)}: expected an option of the environments; {remedy}")
    rows: list[dict[str, Any]] = [{} for _ in range(count)]
    for name, given in options.items():
        value = _tuple_of_distribution(given)
        check_distribution(name, value)
        is_each = isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0)
        values = list(value) if is_each else [value] * count
        if len(values) != count:
            raise ValueError(f"{name} has {len(values)} entries: expected one value, or {counted}{count} of them")
        for row, each in zip(rows, map(_tuple_of_distribution, values), strict=True):
            check_distribution(name, each)
            row[name] = each.item() if isinstance(each, np.generic) else each
    return rows


class PythonGymnasiumEnvPool(  # type: ignore[misc, override]
    GymnasiumInterface[Any], PythonPool, VectorEnv, gymnasium.Env
):
    """EnvPool's gymnasium interface over Python environments:
    ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environments' own infos as arrays. Rewards are float32; int64 and float64 observations become int32 and float32.
    As in EnvPool, ``observation_space`` and ``action_space`` are those of *one* environment.
    """


class PythonVectorEnv(VectorInterface[Any], PythonPool, VectorEnv):  # type: ignore[misc]
    """gymnasium's vector interface over Python environments, with the results of ``gymnasium.vector.AsyncVectorEnv``.

    ``observation_space`` and ``action_space`` are those of one result and one step's actions, with rows for
    ``batch_size`` environments: all, unless the pool is asynchronous.
    """

    def call_some(self, env_ids: Any, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        if name == "reset":
            ids = [int(each) for each in bounded("env_ids", env_ids)]
            return self._reset_some(ids, *arguments, **keywords)  # which also updates the pool's own state
        return super().call_some(env_ids, name, *arguments, **keywords)
