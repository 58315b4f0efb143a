"""Specification of a task: spaces, array specs and configuration, in EnvPool's and gymnasium's terms."""

from __future__ import annotations

import copy
import dataclasses
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pkgutil import resolve_name
from types import ModuleType
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium import spaces as gymnasium_spaces
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._arguments import shown
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import leaves_of_descriptor
from envpool_rs._spec import options as option_rules
from envpool_rs._spec import spaces
from envpool_rs._spec.assets import with_absolute_models, with_assets
from envpool_rs._spec.entry_points import MAKE_SINGLE, MAKE_VEC, SINGLE_ENV, SPEC_OF_PLUGINS
from envpool_rs._spec.envpool_config import class_defaults, class_of_task, config_class, envpool_config
from envpool_rs._spec.mujoco_library import adopt_numpy
from envpool_rs._spec.options import RenderOptions, TaskBase
from envpool_rs._spec.other_names import from_gymnasium_names

if TYPE_CHECKING:
    from envpool_rs._core import ArrayDescription, Dialect, SpaceDescriptor

NAMESPACE = "envpool_rs"  # gymnasium namespace of this package's tasks


def gymnasium_id(task_id: str) -> str:
    """Returns a task's gymnasium id, in which only one slash is allowed."""
    return f"{NAMESPACE}/{task_id.replace('/', '-')}"


class EnvSpec(KnownAttributes, GymnasiumEnvSpec):
    """Task with fixed options: EnvPool's ``EnvSpec`` and gymnasium's in one object.

    The fields of gymnasium's ``EnvSpec`` (``id``, ``kwargs``, ``max_episode_steps``, ...) are assignable, and
    ``gymnasium.make_vec(spec)`` makes an equal environment. The properties below describe one environment (and one
    player), and never change.
    """

    _statistics_source: Any = None  # specifications of Python environments have none

    def __init__(
        self,
        name: str,
        task_id: TaskBase,
        dialect: Dialect,
        options: Mapping[str, Any],
        gym_reset_return_info: bool = True,
    ) -> None:
        """Checks all options; raises ValueError and TypeError, with suggestions.

        ``name`` is the requested id: a task, or a name registered for one; several, separated by commas. ``task_id`` is
        the extension's task, or several with the options preset for each. ``dialect`` selects dtypes and infos.
        """
        self._statistics_source, options = _statistics_of(options)
        options = with_absolute_models({option: option_rules.own_copy(value) for option, value in options.items()})
        named = from_gymnasium_names(task_id, options)
        # Folders of installed cartridges and models are not stored: each machine that receives the specification finds
        # its own folders.
        own = with_assets(task_id, option_rules.extension_options(task_id, dialect, named))
        if option_rules.uses_numpy(task_id):
            adopt_numpy()
        self._pool = _core.Spec(task_id, dialect, own)
        self._rendering = RenderOptions.checked(named, self._pool)
        config = self._pool.config
        if options.get("seed") is not None:
            # Seeds are stored as ints, because an iterator that the user passed has been consumed.
            options["seed"] = config["seed"]
        self._origin = (name, task_id, dialect, dict(options), gym_reset_return_info)
        limit = config.get("max_episode_steps")
        super().__init__(
            id=name if dialect == "envpool" else gymnasium_id(name),
            entry_point=MAKE_SINGLE,
            vector_entry_point=MAKE_VEC,
            reward_threshold=config.get("reward_threshold"),
            # gymnasium's specification has one limit for all environments.
            max_episode_steps=None if isinstance(limit, list) else limit,
            kwargs={"task_id": name if isinstance(task_id, str) else name.split(", "), **options},
        )
        if dialect == "envpool" and isinstance(task_id, str):
            self.__class__ = class_of_task(self._base, task_id)

    class_task: ClassVar[str | None] = None  # task of all specifications of the class; `None`: any task

    @property
    def _base(self) -> Any:
        """Public base class, to which pickles of the specification refer."""
        return type(self) if self.class_task is None else type(self).__mro__[1]

    def __post_init__(self) -> None:
        """Splits the id into namespace, name and version, as gymnasium does, but accepts every id."""
        namespace, _, rest = self.id.rpartition("/")
        stem, _, version = rest.rpartition("-v")
        self.namespace = namespace or None
        self.name, self.version = (stem, int(version)) if "-v" in rest and version.isdigit() else (rest, None)

    def __reduce__(self) -> tuple[Any, ...]:
        state = {field.name: getattr(self, field.name) for field in dataclasses.fields(self)}
        ids = option_rules.ids_of(self._origin[1])
        needed = [(name, version) for name, version, _, own in _core.plugin_libraries() if not set(own).isdisjoint(ids)]
        if needed:
            return resolve_name(SPEC_OF_PLUGINS), (self._base, needed, self._origin), state
        return self._base, self._origin, state

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GymnasiumEnvSpec):
            return NotImplemented
        fields = dataclasses.fields(GymnasiumEnvSpec)
        return all(option_rules.is_same(getattr(self, each.name), getattr(other, each.name)) for each in fields)

    __hash__ = None  # type: ignore[assignment]

    def described_by(self, spec: GymnasiumEnvSpec) -> EnvSpec:
        """Returns this specification with gymnasium's fields of ``spec``, as ``gymnasium.make_vec`` assigns it."""
        described = copy.copy(self)
        for field in dataclasses.fields(GymnasiumEnvSpec):
            value = getattr(spec, field.name)
            shared = with_shared_statistics(value) if field.name == "kwargs" else value
            setattr(described, field.name, copy.deepcopy(shared))
        if described.entry_point == SINGLE_ENV:  # which refuses the pool's options
            described.entry_point = MAKE_SINGLE
        return described

    def with_options(self, **changes: Any) -> EnvSpec:
        """Returns this specification with other options."""
        name, task_id, dialect, options, return_info = self._origin
        return self._base(name, task_id, dialect, {**options, **changes}, return_info)  # type: ignore[no-any-return]

    def _tasks_of(self, env_ids: Sequence[int]) -> list[int]:
        return [env_id // (self.num_envs // len(option_rules.ids_of(self._origin[1]))) for env_id in env_ids]

    def for_envs(self, env_ids: Sequence[int], **changes: Any) -> EnvSpec:
        """Returns the specification of a pool with the environments ``env_ids``, in order, and with other options."""
        name, task_id, dialect, options, return_info = self._origin
        given = {**options, "num_envs": len(env_ids)}
        for option, values in self._pool.given_for_each().items():
            chosen = [values[env_id] for env_id in env_ids]
            # A list of numbers may be one value.
            given[option] = np.array(chosen) if all(isinstance(each, (int, float)) for each in chosen) else chosen
        if not isinstance(task_id, str):
            numbers, names = self._tasks_of(env_ids), name.split(", ")
            name = ", ".join(names[number] for number in numbers)
            task_id = tuple(task_id[number] for number in numbers)
        return self._base(name, task_id, dialect, {**given, **changes}, return_info)  # type: ignore[no-any-return]

    def distinct_envs(self, env_ids: Sequence[int]) -> list[int]:
        """Returns the first of ``env_ids`` for each task and combination of options."""
        given_for_each = list(self._pool.given_for_each().values())
        pairs = option_rules.ids_of(self._origin[1]) if isinstance(self._origin[1], str) else self._origin[1]
        first: dict[Any, int] = {}
        for env_id, number in zip(env_ids, self._tasks_of(env_ids), strict=True):
            first.setdefault((repr(pairs[number]), *(repr(values[env_id]) for values in given_for_each)), env_id)
        return list(first.values())

    @property
    def pool(self) -> _core.Spec:
        """Validated specification of the extension."""
        return self._pool

    @property
    def statistics_source(self) -> Any:
        """The other pool's ``normalization`` that was given; ``None`` in copies of the specification."""
        return self._statistics_source

    @property
    def rendering(self) -> RenderOptions:
        """Render options of the pool."""
        return self._rendering

    @property
    def task_id(self) -> str:
        """Name of the extension's task, which may differ from the requested name; several, separated by commas."""
        return self._pool.task_id

    @property
    def players(self) -> int:
        """Number of players in one environment."""
        return self._pool.players

    @property
    def agents(self) -> list[str]:
        """Names of the players in the order of their rows: keys of their spaces, or ``agent_0``, ``agent_1``, ..."""
        if self.rows != self.players:
            return list(self.gymnasium_observation_space.spaces)
        return [f"agent_{player}" for player in range(self.players)]

    @property
    def num_envs(self) -> int:
        """Number of environments."""
        return int(self._pool.config["num_envs"])

    @property
    def batch_size(self) -> int:
        """Number of environments per result: all, unless the pool is asynchronous."""
        return int(self._pool.config["batch_size"]) if self.is_async else self.num_envs

    @property
    def autoreset_mode(self) -> AutoresetMode:
        """Autoreset mode of the pool, as gymnasium's enum."""
        return AutoresetMode[str(self._pool.config["autoreset_mode"]).upper()]

    @property
    def metadata(self) -> dict[str, Any]:
        """Metadata of the environments, as gymnasium's environments have it: ``render_modes`` and ``render_fps``."""
        return option_rules.render_metadata(self._pool)

    @property
    def is_async(self) -> bool:
        """Whether batches are smaller than the pool, so that they hold the environments that finish first."""
        return 0 < int(self._pool.config["batch_size"]) < self.num_envs

    @property
    def rows(self) -> int:
        """Rows of one environment in observation and action arrays: one per player if players share a space."""
        return self._pool.players if self._pool.shared_spaces else 1

    @property
    def config(self) -> Any:
        """All options with their values, as a namedtuple ``Config``."""
        values = self.config_dict()
        return spaces.tuple_type("Config", list(values))(**values)

    def config_dict(self) -> dict[str, Any]:
        """All options with their values: pool options first, then the environment's.

        With ``dialect="envpool"``, EnvPool's options come first, in its order and format.
        """
        if self._pool.dialect != "envpool":
            return dict(self._pool.config)
        *_, options, return_info = self._origin
        return envpool_config(self.task_id, self._pool.config, int(options.get("num_threads") or 0), return_info)

    @property
    def envpool_task(self) -> str | None:
        """Extension task for an EnvPool interface; ``None`` for gymnasium's interface and for several tasks."""
        is_one = self._pool.dialect == "envpool" and self.task_id in option_rules.task_limits()
        return self.task_id if is_one else None

    def defaults_of_class(self) -> dict[str, Any]:
        """Default options of the task's EnvPool class, in the order of the configuration."""
        defaults = {} if self.envpool_task is None else class_defaults(self.envpool_task)
        return {name: defaults.get(name, value) for name, value in self.config_dict().items()}

    @property
    def gen_config(self) -> Any:
        """EnvPool's class of configurations: a namedtuple whose fields have defaults."""
        return config_class(self.defaults_of_class())

    @property
    def state_array_spec(self) -> dict[str, spaces.ArraySpec]:
        """Arrays of a step's result by EnvPool's names (``obs``, ``reward``, ``info:env_id``, ...)."""
        specs = _array_specs(self._pool.state_arrays, "obs", self._pool.observation)
        specs["discount"] = replace(specs["discount"], minimum=0.0, maximum=1.0)
        for key, (least, most) in self._pool.info_ranges.items():
            if f"info:{key}" in specs:
                specs[f"info:{key}"] = replace(specs[f"info:{key}"], minimum=least, maximum=most)
        return specs

    @property
    def action_array_spec(self) -> dict[str, spaces.ArraySpec]:
        """Arrays that a step takes, by EnvPool's names (``env_id``, ``players.env_id``, ``action``)."""
        return _array_specs(self._pool.action_arrays, "action", self._pool.action)

    # EnvPool's names for options, and for the arrays of a step's result and input.
    _config_keys = property(lambda self: list(self.config_dict()))
    _config_values = property(lambda self: tuple(self.config_dict().values()))
    _default_config_values = property(lambda self: tuple(self.defaults_of_class().values()))
    _state_keys = property(lambda self: list(self.state_array_spec))
    _action_keys = property(lambda self: list(self.action_array_spec))
    _state_spec = property(lambda self: tuple(array.as_tuple for array in self.state_array_spec.values()))
    _action_spec = property(lambda self: tuple(array.as_tuple for array in self.action_array_spec.values()))

    def _spaces(self) -> ModuleType:
        return gymnasium_spaces

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment, of gymnasium's class, or of gym's for the gym interface."""
        return spaces.build_space(self._pool.observation, self._spaces())

    @property
    def action_space(self) -> Any:
        """Action space of one environment, of gymnasium's class, or of gym's for the gym interface."""
        return spaces.build_space(self._pool.action, self._spaces())

    @property
    def gymnasium_observation_space(self) -> Any:
        """Observation space of one environment, of gymnasium's class for every interface."""
        return spaces.build_space(self._pool.observation)

    @property
    def gymnasium_action_space(self) -> Any:
        """Action space of one environment, of gymnasium's class for every interface."""
        return spaces.build_space(self._pool.action)

    batched_observation_space: Any = None
    """Observation space of all environments together; ``None`` if it is the single space batched for all rows."""

    def observation_type(self, *more: str) -> Callable[..., Any]:
        """Returns the constructor of a dm_env time step's ``observation``, with ``more`` fields after its infos."""
        return spaces.observation_type(self._pool, *more)

    def observation_spec(self) -> Any:
        """dm_env specs of one environment's observation: a namedtuple with the fields of a time step's ``observation``,
        in which keys of nested dicts are joined by underscores, as in EnvPool. Raises ImportError without dm_env.
        """
        specs, arrays = {}, self.state_array_spec
        for name, key in spaces.timestep_fields(list(arrays)).items():
            # EnvPool joins the keys of nested dicts by underscores here, while time steps have nested namedtuples.
            field = key.replace(".", "_") if name.count(":") > 1 else key
            specs[field] = spaces.dm_array(re.split("[:.]", name)[-1], arrays[name])
        return spaces.to_namedtuple("State", spaces.to_nested_dict(specs))

    def action_spec(self) -> Any:
        """dm_env spec of one environment's action: an array's spec, or a namedtuple of specs for several arrays. Raises
        ImportError without dm_env.
        """
        named = {name.replace(":", "."): array for name, array in self.action_array_spec.items()}
        specs = {name: spaces.dm_array(name.split(".")[-1], array) for name, array in named.items()}
        _, _, *actions = specs.values()  # after those of both kinds of ids
        return actions[0] if len(actions) == 1 else spaces.to_namedtuple("Action", spaces.to_nested_dict(specs))

    def __repr__(self) -> str:
        config = ", ".join(f"{name}={value!r}" for name, value in self.config_dict().items())
        return f"EnvSpec({self.id!r}, {config})"


def _statistics_of(options: Mapping[str, Any]) -> tuple[Any, Mapping[str, Any]]:
    """Takes ``normalization`` out of the options, and adds the other pool's options of normalisation."""
    source = options.get("normalization")
    own = {name: value for name, value in options.items() if name != "normalization"}
    if source is None:
        return None, own
    if not hasattr(source, "_options"):
        raise TypeError(f"normalization={shown(source)}: expected the normalization of a pool, or None")
    return source, {**source._options(), **own}


def with_shared_statistics(kwargs: Mapping[str, Any]) -> dict[str, Any]:
    """Returns arguments of an environment whose copies refer to the pool of ``normalization``, if it is among them."""
    source: Any = kwargs.get("normalization")
    return {**kwargs, "normalization": source._shared()} if hasattr(source, "_shared") else dict(kwargs)


def _array_specs(arrays: list[ArrayDescription], kind: str, space: SpaceDescriptor) -> dict[str, spaces.ArraySpec]:
    """Returns array specs by name; arrays named ``kind`` or ``kind:...`` have the leaves of ``space``, in order."""
    parts = iter(leaves_of_descriptor(space))
    specs = {}
    for name, dtype, shape in arrays:
        bounded = name == kind or name.startswith((f"{kind}:", f"{kind}."))
        specs[name] = spaces.array_spec(dtype, shape, next(parts) if bounded else None)
    return specs


class GymEnvSpec(EnvSpec):
    """Specification of a pool with the gym interface: its spaces have gym's classes if gym is installed.

    As in EnvPool, ``spec.action_space`` is gym's and ``spec.gymnasium_action_space`` is gymnasium's.
    """

    def _spaces(self) -> ModuleType:
        from envpool_rs._spec.installed_gym import SPACES  # imported here: it imports gym

        return SPACES
