"""Checked definition of a task: its functions, state and options, and the arrays of its spaces and infos."""

from __future__ import annotations

import inspect
import keyword
import re
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._arguments import (
    alternatives,
    choice,
    flag,
    integer,
    number,
    optional_integer,
    optional_number,
    shown,
    text,
)
from envpool_rs.numba.abi import (
    AFTER,
    BOX,
    DISCRETE,
    DTYPES,
    LARGEST_INT,
    LEAST_INT,
    MULTI_BINARY,
    MULTI_DISCRETE,
    OPTION_KINDS,
    WORD,
    Memory,
)

# Arrays of spaces and infos

_MAX_VALUES = 2**31 - 1


@dataclass(frozen=True)
class Leaf:
    """Description of one array of a space or info, for one environment (or one player)."""

    name: str  # path in a Dict, joined by dots; empty for a space that is one array
    kind: int  # constant of the C interface
    dtype: str
    shape: tuple[int, ...]
    low: tuple[float, ...] = ()  # of a box: none, one bound for all elements, or one for each element
    high: tuple[float, ...] = ()
    n: tuple[int, ...] = ()  # numbers of values of a discrete space
    start: int = 0  # smallest value of a discrete space
    flags: int = 0  # constant of the C interface that says when an info is reported

    @property
    def size(self) -> int:
        """Number of elements."""
        return int(np.prod(self.shape, dtype=np.int64))

    def batch_shape(self, players: int) -> tuple[int, ...]:
        """Returns the shape with a row for each of several players."""
        return (players, *self.shape) if players > 1 else self.shape

    def row_size(self, players: int) -> int:
        """Returns the size in bytes of an environment's values, rounded up to whole words."""
        size = int(np.prod(self.batch_shape(players), dtype=np.int64)) * np.dtype(self.dtype).itemsize
        return -(-size // WORD) * WORD

    def row(self, memory: Memory) -> dict[str, int | float]:
        """Returns the values of the fields of the `epr_array` that describes this array."""
        return {
            "name": memory.text(self.name),
            "kind": self.kind,
            "dtype": DTYPES[self.dtype],
            "flags": self.flags,
            "dims": len(self.shape),
            "shape": memory.array(self.shape, np.uint64),
            "bounds": len(self.low),
            "low": memory.array(self.low, np.float64),
            "high": memory.array(self.high, np.float64),
            "n": memory.array(self.n, np.int64),
            "start": self.start,
        }


def is_attribute(name: Any) -> bool:
    """Returns whether a name can be an attribute of a namedtuple, through which a task's functions access arrays."""
    return isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name) and not name.startswith("_")


def checked_dtype(name: str, dtype: Any) -> str:
    """Returns the name of an element type."""
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"{name}: dtype={dtype!r}: expected {alternatives(list(DTYPES))}") from None
    if found.name not in DTYPES or not found.isnative:
        raise ValueError(f"{name}: dtype={found.name}: expected {alternatives(list(DTYPES))}")
    return str(found.name)


def checked_shape(name: str, shape: Any) -> tuple[int, ...]:
    """Returns a shape as a tuple; an integer is the length of one dimension."""
    sizes = (shape,) if isinstance(shape, (int, np.integer)) else shape
    if not isinstance(sizes, (tuple, list)) or not all(_is_integer(size) for size in sizes):
        raise TypeError(f"{name}: shape={shape!r}: expected an int or a tuple of ints")
    if any(size < 1 for size in sizes):
        raise ValueError(f"{name}: shape={tuple(sizes)}: expected sizes of 1 or more")
    return tuple(int(size) for size in sizes)


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, (bool, np.bool_))


def leaves_of(name: str, space: Any, *, is_action: bool = False) -> tuple[Leaf, ...]:
    """Returns the arrays of a space, in the order of its keys."""
    if _is_integer(space):
        if not 1 <= space <= _MAX_VALUES:
            raise ValueError(f"{name}={space}: expected 1 to {_MAX_VALUES} actions, or a gymnasium space")
        space = spaces.Discrete(int(space))
    if isinstance(space, spaces.Dict):
        if not space.spaces:
            raise ValueError(f"{name}={space}: expected at least one key")
        return tuple(leaf for key, part in space.spaces.items() for leaf in _leaves_at(name, key, part, is_action))
    return (_leaf(name, "", space, is_action),)


def _leaves_at(name: str, key: Any, space: Any, is_action: bool) -> list[Leaf]:
    if not is_attribute(key):
        raise ValueError(f"{name}: key {key!r}: expected an identifier, which the functions use as an attribute")
    if isinstance(space, spaces.Dict):
        inner = [leaf for each, part in space.spaces.items() for leaf in _leaves_at(name, each, part, is_action)]
        return [_renamed(leaf, f"{key}.{leaf.name}") for leaf in inner]
    return [_leaf(f"{name}[{key!r}]", key, space, is_action)]


def _renamed(leaf: Leaf, name: str) -> Leaf:
    return Leaf(**{**leaf.__dict__, "name": name})


def _leaf(name: str, key: str, space: Any, is_action: bool) -> Leaf:
    if isinstance(space, spaces.Box):
        dtype = checked_dtype(name, space.dtype)
        if is_action and dtype not in ("float32", "float64"):
            raise ValueError(f"{name}: dtype={dtype}: expected a Box of float32 or float64, or a MultiDiscrete")
        shape = checked_shape(name, space.shape)
        return Leaf(key, BOX, dtype, shape, *_bounds(space))
    if isinstance(space, spaces.Discrete):
        return Leaf(key, DISCRETE, "int64", (), n=(int(space.n),), start=int(space.start))
    if isinstance(space, spaces.MultiDiscrete):
        if np.any(space.start):
            raise ValueError(f"{name}: start={space.start.tolist()}: expected a MultiDiscrete that starts at 0")
        counts = tuple(int(count) for count in np.ravel(space.nvec))
        return Leaf(key, MULTI_DISCRETE, "int64", checked_shape(name, space.shape), n=counts)
    if isinstance(space, spaces.MultiBinary):
        return Leaf(key, MULTI_BINARY, "int8", checked_shape(name, space.shape))
    raise TypeError(f"{name}={space!r}: expected a Box, Discrete, MultiDiscrete, MultiBinary, or a Dict of these")


def _bounds(space: spaces.Box) -> tuple[tuple[float, ...], tuple[float, ...]]:
    low, high = (np.ravel(bound).astype(np.float64) for bound in (space.low, space.high))
    if np.all(low == low[0]) and np.all(high == high[0]):
        return (float(low[0]),), (float(high[0]),)
    return tuple(low.tolist()), tuple(high.tolist())


@dataclass(frozen=True)
class Info:
    """Declaration of an info.

    Attributes:
        dtype: element type.
        shape: shape; ``()`` for a single number.
        when: calls after which the info is reported: ``"always"`` (resets and steps), ``"steps"`` (steps only) or
            ``"terminations"`` (steps that terminate an episode).
    """

    dtype: Any
    shape: Any = ()
    when: str = "always"


def infos_of(infos: Any) -> tuple[Leaf, ...]:
    """Returns the arrays of infos."""
    if infos is None:
        return ()
    if not isinstance(infos, Mapping):
        raise TypeError(f"infos={infos!r}: expected a dict of names and dtypes")
    return tuple(_info(key, declared) for key, declared in infos.items())


def _info(key: Any, declared: Any) -> Leaf:
    if not is_attribute(key):
        raise ValueError(f"infos: key {key!r}: expected an identifier, which `inform` uses as an attribute")
    name = f"infos[{key!r}]"
    info = (
        declared if isinstance(declared, Info) else Info(*declared) if isinstance(declared, tuple) else Info(declared)
    )
    flags = AFTER[choice(f"{name}: when", info.when, tuple(AFTER))]
    return Leaf(key, BOX, checked_dtype(name, info.dtype), checked_shape(name, info.shape), flags=flags)


# Options and functions

PARAMETERS = {
    "reset": ("state", "random", "options"),
    "step": ("state", "action", "random", "options"),
    "observe": ("state", "out", "options"),
    "inform": ("state", "out", "options"),
    "is_valid": ("state", "options"),
    "render": ("state", "picture", "options"),
}
"""Functions that a task may have, and the parameters that each may take, in any order. A function
may omit parameters.
"""

REQUIRED = ("reset", "step", "observe")
"""Functions that every task must have."""

_ID = re.compile(r"(?:[\w-]+/)?[\w.-]+-v\d+", re.ASCII)
_MAX_ID = 128
_MAX_FRAME = 4096
_MAX_PLAYERS = 1024
_MAX_STEPS = 2**31 - 2
_MAX_FRAMES_PER_SECOND = 1000


@dataclass(frozen=True)
class Option:
    """Declaration of an option.

    Attributes:
        default: a bool, an int or a float; the option's values have the type of the default.
        low: the smallest allowed number; ``None`` for no bound.
        high: the largest allowed number.
        doc: one line of description.
    """

    default: bool | int | float
    low: float | None = None
    high: float | None = None
    doc: str = ""

    def value(self, name: str, argument: Any) -> bool | int | float:
        """Checks a value for the option, and returns it."""
        if isinstance(self.default, bool):
            return flag(name, argument)
        is_integer = isinstance(self.default, int)
        value = integer(name, argument, LEAST_INT, LARGEST_INT) if is_integer else number(name, argument)
        low, high = -np.inf if self.low is None else self.low, np.inf if self.high is None else self.high
        if not low <= value <= high:
            raise ValueError(f"{name}={value!r}: expected a number from {low:g} to {high:g}")
        return value

    def check(self, name: str) -> None:
        """Checks the declaration."""
        if type(self.default) not in OPTION_KINDS:
            raise TypeError(f"{name}={self.default!r}: expected a bool, an int or a float, or an Option")
        for bound in ("low", "high"):
            optional_number(f"{name}: {bound}", getattr(self, bound), "a number or None")
        text(f"{name}: doc", self.doc)
        self.value(name, self.default)


@dataclass(frozen=True)
class Definition:
    """Checked description of a task, from the arguments of its decorator."""

    task_id: str
    functions: Mapping[str, FunctionType]
    observation: tuple[Leaf, ...]
    action: tuple[Leaf, ...]
    infos: tuple[Leaf, ...]
    spaces: tuple[Any, Any]  # observation and action space of one player, as given
    state: np.dtype[Any]  # structured, or the dtype of an array's elements
    state_shape: tuple[int, ...] | None  # None for a structured state
    options: tuple[tuple[str, Option], ...]
    players: int
    max_episode_steps: int  # 0 for no limit
    reward_threshold: float  # NaN for none
    frame: tuple[int, int]  # width and height; (0, 0) for a task without pictures
    frames_per_second: int
    uniform: bool
    boundscheck: bool
    version: str  # as given; empty for a hash of the layout
    origin: str  # module and name of the class of functions

    @property
    def state_size(self) -> int:
        """Size in bytes of an environment's state."""
        return int(self.state.itemsize * np.prod(self.state_shape or (), dtype=np.int64))

    @property
    def options_type(self) -> Any:
        """Namedtuple class for the options' values."""
        return namedtuple("Options", [name for name, _ in self.options] or ["none"])

    def parameters(self, function: str) -> list[str]:
        """Returns the parameters of a function, in the order of its signature."""
        return list(inspect.signature(self.functions[function]).parameters)

    def layout(self) -> list[Any]:
        """Returns the memory layout of states, actions and results, as plain values that can be hashed."""
        arrays = [list(leaf.__dict__.items()) for part in (self.observation, self.action, self.infos) for leaf in part]
        kinds = [(name, type(option.default).__name__) for name, option in self.options]
        return [repr(self.state), self.state_shape, arrays, kinds, self.players]

    def settings(self) -> str:
        """Returns as text all settings that affect neither the compiled code nor the layout."""
        limits = self.max_episode_steps, self.reward_threshold, self.frames_per_second
        return repr((self.options, limits, self.uniform, self.version))


def functions_of(task_id: str, cls: Any) -> dict[str, FunctionType]:
    """Returns the functions of a class, by name."""
    if not inspect.isclass(cls):
        raise TypeError(f"{task_id}: {cls!r}: expected a class with the functions reset, step and observe")
    found: dict[str, FunctionType] = {}
    for name, allowed in PARAMETERS.items():
        function = inspect.getattr_static(cls, name, None)
        function = function.__func__ if isinstance(function, staticmethod) else function
        if function is None and name not in REQUIRED:
            continue
        if not isinstance(function, FunctionType):
            expected = f"a function {name}({', '.join(allowed)})"
            raise TypeError(f"{task_id}: class {cls.__name__} has {function!r} as {name}: expected {expected}")
        _check_parameters(f"{task_id}: {name}", function, allowed)
        found[name] = function
    return found


def _check_parameters(name: str, function: FunctionType, allowed: tuple[str, ...]) -> None:
    parameters = inspect.signature(function).parameters
    for parameter in parameters.values():
        if parameter.name == "self":
            raise TypeError(f"{name}: expected a function without self: all data of an environment is in `state`")
        if parameter.name not in allowed or parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
            raise TypeError(f"{name}: parameter {str(parameter)!r}: expected some of {', '.join(allowed)}")
    if "state" not in parameters:
        raise TypeError(f"{name}({', '.join(parameters)}): expected the parameter state")
    needed = {"out", "picture"} & set(allowed)
    if needed - set(parameters):
        raise TypeError(f"{name}({', '.join(parameters)}): expected the parameter {needed.pop()}, which it fills in")


def state_of(state: Any) -> tuple[np.dtype[Any], tuple[int, ...] | None]:
    """Returns the dtype and the shape of a state."""
    if isinstance(state, Mapping):
        if not state:
            raise ValueError("state={}: expected at least one field")
        fields = [_field(name, declared) for name, declared in state.items()]
        return np.dtype(fields, align=True), None
    if isinstance(state, tuple) and len(state) == 2:  # noqa: PLR2004
        return np.dtype(checked_dtype("state", state[0])), checked_shape("state", state[1]) or (1,)
    raise TypeError(f"state={state!r}: expected a dict of fields and dtypes, or (dtype, shape)")


def _field(name: Any, declared: Any) -> tuple[Any, ...]:
    if not is_attribute(name):
        raise ValueError(f"state: field {name!r}: expected an identifier")
    dtype, shape = declared if isinstance(declared, tuple) else (declared, ())
    return name, checked_dtype(f"state[{name!r}]", dtype), checked_shape(f"state[{name!r}]", shape)


def options_of(options: Any) -> tuple[tuple[str, Option], ...]:
    """Returns name and declaration of each option."""
    if options is None:
        return ()
    if not isinstance(options, Mapping):
        raise TypeError(f"options={options!r}: expected a dict of names and defaults")
    found = []
    for name, declared in options.items():
        if not is_attribute(name):
            raise ValueError(f"options: name {name!r}: expected an identifier")
        option = declared if isinstance(declared, Option) else Option(declared)
        option.check(f"options[{name!r}]")
        found.append((name, option))
    return tuple(found)


def define(cls: Any, task_id: Any, arguments: Mapping[str, Any]) -> Definition:
    """Returns a checked definition."""
    if not _ID.fullmatch(text("id", task_id)):
        raise ValueError(f"id={task_id!r}: expected a name with a version, such as 'MyEnv-v0' or 'folder/MyEnv-v0'")
    if len(task_id) > _MAX_ID:
        raise ValueError(f"id={shown(task_id)}: expected at most {_MAX_ID} characters")
    functions = functions_of(task_id, cls)
    try:
        state, state_shape = state_of(arguments["state"])
        threshold = optional_number("reward_threshold", arguments["reward_threshold"], "a number or None")
        return Definition(
            task_id=task_id,
            functions=functions,
            observation=leaves_of("observation", arguments["observation"]),
            action=leaves_of("action", arguments["action"], is_action=True),
            infos=_infos(arguments["infos"], functions),
            spaces=(arguments["observation"], arguments["action"]),
            state=state,
            state_shape=state_shape,
            options=options_of(arguments["options"]),
            players=integer("players", arguments["players"], 1, _MAX_PLAYERS),
            max_episode_steps=optional_integer("max_episode_steps", arguments["max_episode_steps"], 1, _MAX_STEPS) or 0,
            reward_threshold=np.nan if threshold is None else threshold,
            frame=_frame(arguments["frame"], functions),
            frames_per_second=integer("frames_per_second", arguments["frames_per_second"], 1, _MAX_FRAMES_PER_SECOND),
            uniform=flag("uniform", arguments["uniform"]),
            boundscheck=flag("boundscheck", arguments["boundscheck"]),
            version="" if arguments["version"] is None else text("version", arguments["version"], "a str or None"),
            origin=f"{cls.__module__}.{cls.__qualname__}",
        )
    except (TypeError, ValueError) as error:
        raise type(error)(f"{task_id}: {error}") from None


def _infos(infos: Any, functions: Mapping[str, FunctionType]) -> tuple[Leaf, ...]:
    leaves = infos_of(infos)
    if leaves and "inform" not in functions:
        raise TypeError("infos are given: expected a function inform(state, out, options), which computes them")
    if "inform" in functions and not leaves:
        raise TypeError("the class has a function inform: expected infos={...} with the dtype of each")
    return leaves


def _frame(frame: Any, functions: Mapping[str, FunctionType]) -> tuple[int, int]:
    if frame is None:
        if "render" in functions:
            raise TypeError("the class has a function render: expected frame=(width, height)")
        return 0, 0
    if "render" not in functions:
        raise TypeError(f"frame={frame!r} is given: expected a function render(state, picture, options)")
    if not isinstance(frame, (tuple, list)) or len(frame) != 2:  # noqa: PLR2004
        raise TypeError(f"frame={frame!r}: expected (width, height)")
    width, height = (integer("frame", size, 1, _MAX_FRAME) for size in frame)
    return width, height
