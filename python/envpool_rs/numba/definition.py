"""Checked definition of a task: its functions, state and options, and the arrays of its spaces and infos."""

from __future__ import annotations

import functools
import inspect
import keyword
import re
from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping, Sequence
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
    mapping,
    number,
    optional_integer,
    optional_number,
    shown,
    text,
)

DTYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "float32", "float64")
"""Names of the element types."""

TIMES = {"always": "", "steps": "AFTER_STEPS", "terminations": "AFTER_TERMINATIONS"}
"""Flags of the C interface that say when an info is reported; "" for none."""

WORD = 8
"""Size in bytes of each field of the C interface's structs."""

_MAX_VALUES = 2**31 - 1
_INT64 = -(2**63), 2**63 - 1

# Arrays of spaces and infos


@dataclass(frozen=True)
class Leaf:
    """One array of a space or info, for one environment (or one player)."""

    name: str  # path in a Dict, joined by dots; empty for a space that is one array
    kind: str  # constant of the C interface, such as "BOX"
    dtype: Any
    shape: tuple[int, ...]
    low: tuple[float, ...] = ()  # of a box: none, one bound for all elements, or one for each element
    high: tuple[float, ...] = ()
    n: tuple[int, ...] = ()  # numbers of values of a discrete space
    start: int = 0  # smallest value of a discrete space
    when: str = "always"  # calls after which an info is reported

    @property
    def action_dtype(self) -> str:
        """Element type of an action in memory: int32 for discrete actions, the declared dtype for boxes."""
        return self.dtype if self.kind == "BOX" else "int32"


@functools.cache
def tuple_type(name: str, fields: tuple[str, ...]) -> Any:
    """Returns the namedtuple class of this name with these fields, the same one for equal arguments."""
    return namedtuple(name, fields)


@dataclass(frozen=True)
class Arrays:
    """Arrays of a space or of the infos, which a Dict nests in namedtuples."""

    name: str
    """Name of the namedtuple."""
    leaves: tuple[Leaf, ...]
    players: int = 1
    """Number of rows of each array; 1: the array itself."""

    @property
    def shapes(self) -> list[tuple[int, ...]]:
        """Shape of each array in an environment."""
        return [(self.players, *leaf.shape) if self.players > 1 else leaf.shape for leaf in self.leaves]

    @property
    def offsets(self) -> list[int]:
        """Offsets in bytes of an environment's arrays, if stored one after the other in whole words, then their end."""
        offsets = [0]
        for shape, leaf in zip(self.shapes, self.leaves, strict=True):
            size = int(np.prod(shape, dtype=np.int64)) * np.dtype(leaf.dtype).itemsize
            offsets.append(offsets[-1] + -(-size // WORD) * WORD)
        return offsets

    def nest(
        self, values: Sequence[Any], join: Callable[[Any, list[Any]], Any] = lambda cls, members: cls(*members)
    ) -> Any:
        """Nests a value of each array as the space does; ``join`` combines the values in a namedtuple of a class."""
        if len(self.leaves) == 1 and not self.leaves[0].name:
            return values[0]
        tree: dict[str, Any] = {}
        for leaf, value in zip(self.leaves, values, strict=True):
            *path, last = leaf.name.split(".")
            inner = tree
            for key in path:
                inner = inner.setdefault(key, {})
            inner[last] = value

        def at(name: str, part: Any) -> Any:
            if not isinstance(part, dict):
                return part
            return join(tuple_type(name, tuple(part)), [at(f"{name}_{key}", each) for key, each in part.items()])

        return at(self.name, tree)


def _attribute(name: str, key: Any) -> str:
    """Returns a name through which the functions of a task access an array."""
    if not isinstance(key, str) or not key.isidentifier() or keyword.iskeyword(key) or key.startswith("_"):
        raise ValueError(f"{name} {key!r}: expected an identifier, which the functions use as an attribute")
    return key


def _dtype(name: str, dtype: Any) -> str:
    try:
        found = np.dtype(dtype)
    except TypeError:
        raise TypeError(f"{name}: dtype={dtype!r}: expected {alternatives(DTYPES)}") from None
    if found.name not in DTYPES or not found.isnative:
        raise ValueError(f"{name}: dtype={found.name}: expected {alternatives(DTYPES)}")
    return str(found.name)


def _shape(name: str, shape: Any) -> tuple[int, ...]:
    """Returns a shape as a tuple; an integer is the length of one dimension."""
    sizes = shape if isinstance(shape, (tuple, list)) else (shape,)
    allowed = "sizes of 1 or more"
    return tuple(
        integer(f"{name}: shape", each, 1, allowed=allowed, kind="an int or a tuple of ints") for each in sizes
    )


def _leaves(name: str, space: Any, *, is_action: bool = False, path: str = "") -> Iterator[Leaf]:
    """Yields the arrays of a space, in the order of its keys."""
    if isinstance(space, spaces.Dict):
        if not space.spaces:
            raise ValueError(f"{name}={space}: expected at least one key")
        for key, part in space.spaces.items():
            inner = f"{path}.{_attribute(f'{name}: key', key)}".lstrip(".")
            yield from _leaves(f"{name}[{key!r}]", part, is_action=is_action, path=inner)
    elif isinstance(space, spaces.Box):
        dtype = _dtype(name, space.dtype)
        if is_action and dtype not in ("float32", "float64"):
            raise ValueError(f"{name}: dtype={dtype}: expected a Box of float32 or float64, or a MultiDiscrete")
        shape = _shape(name, space.shape)
        low, high = (np.ravel(bound).astype(np.float64) for bound in (space.low, space.high))
        if (low == low[0]).all() and (high == high[0]).all():
            low, high = low[:1], high[:1]
        yield Leaf(path, "BOX", dtype, shape, tuple(low.tolist()), tuple(high.tolist()))
    elif isinstance(space, spaces.Discrete):
        yield Leaf(path, "DISCRETE", "int64", (), n=(int(space.n),), start=int(space.start))
    elif isinstance(space, spaces.MultiDiscrete):
        if np.any(space.start):
            raise ValueError(f"{name}: start={space.start.tolist()}: expected a MultiDiscrete that starts at 0")
        counts = tuple(int(count) for count in np.ravel(space.nvec))
        yield Leaf(path, "MULTI_DISCRETE", "int64", _shape(name, space.shape), n=counts)
    elif isinstance(space, spaces.MultiBinary):
        yield Leaf(path, "MULTI_BINARY", "int8", _shape(name, space.shape))
    else:
        raise TypeError(f"{name}={space!r}: expected a Box, Discrete, MultiDiscrete, MultiBinary, or a Dict of these")


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


def _infos(infos: Any, functions: Mapping[str, FunctionType]) -> Arrays:
    leaves = []
    for key, declared in mapping("infos", {} if infos is None else infos, "a dict of names and dtypes").items():
        name = f"infos[{_attribute('infos: key', key)!r}]"
        parts = declared if isinstance(declared, tuple) else (declared,)
        info = declared if isinstance(declared, Info) else Info(*parts)
        when = choice(f"{name}: when", info.when, tuple(TIMES))
        leaves.append(Leaf(key, "BOX", _dtype(name, info.dtype), _shape(name, info.shape), when=when))
    if leaves and "inform" not in functions:
        raise TypeError("infos are given: expected a function inform(state, out, options), which computes them")
    if "inform" in functions and not leaves:
        raise TypeError("the class has a function inform: expected infos={...} with the dtype of each")
    return Arrays("Infos", tuple(leaves))


# Options, state and functions


@dataclass(frozen=True)
class Option:
    """Declaration of an option.

    Attributes:
        default: a bool, an int or a float; the option's values have the type of the default.
        low: the smallest allowed number; ``None`` for no bound.
        high: the largest allowed number.
        doc: one line of description.
        drawn: whether the value may change from episode to episode: by ``set_options``, or drawn from a distribution.
            Neither spaces nor data beyond an episode may depend on it. An int lies between -2**53 and 2**53.
    """

    default: bool | int | float
    low: float | None = None
    high: float | None = None
    doc: str = ""
    drawn: bool = False

    def value(self, name: str, argument: Any) -> bool | int | float:
        """Checks a value for the option, and returns it."""
        if isinstance(self.default, bool):
            return flag(name, argument)
        value = integer(name, argument, *_INT64) if isinstance(self.default, int) else number(name, argument)
        low, high = -np.inf if self.low is None else self.low, np.inf if self.high is None else self.high
        if not low <= value <= high:
            raise ValueError(f"{name}={value!r}: expected a number from {low:g} to {high:g}")
        return value

    def check(self, name: str) -> None:
        """Checks the declaration."""
        if type(self.default) not in (bool, int, float):
            raise TypeError(f"{name}={self.default!r}: expected a bool, an int or a float, or an Option")
        for bound in ("low", "high"):
            optional_number(f"{name}: {bound}", getattr(self, bound), "a number or None")
        text(f"{name}: doc", self.doc)
        flag(f"{name}: drawn", self.drawn)
        self.value(name, self.default)


def _options(options: Any) -> dict[str, Option]:
    found = {}
    given = mapping("options", {} if options is None else options, "a dict of names and defaults")
    for name, declared in given.items():
        option = declared if isinstance(declared, Option) else Option(declared)
        option.check(f"options[{_attribute('options: name', name)!r}]")
        found[name] = option
    return found


def _state(state: Any) -> tuple[np.dtype[Any], tuple[int, ...] | None]:
    """Returns the dtype and the shape of a state."""
    if isinstance(state, Mapping):
        if not state:
            raise ValueError("state={}: expected at least one field")
        fields = []
        for key, declared in state.items():
            name = f"state[{_attribute('state: field', key)!r}]"
            dtype, shape = declared if isinstance(declared, tuple) else (declared, ())
            fields.append((key, _dtype(name, dtype), _shape(name, shape)))
        return np.dtype(fields, align=True), None
    if isinstance(state, tuple) and len(state) == 2:  # noqa: PLR2004
        return np.dtype(_dtype("state", state[0])), _shape("state", state[1]) or (1,)
    raise TypeError(f"state={state!r}: expected a dict of fields and dtypes, or (dtype, shape)")


PARAMETERS = {
    "reset": ("state", "random", "options"),
    "step": ("state", "action", "random", "options"),
    "observe": ("state", "out", "options"),
    "inform": ("state", "out", "options"),
    "is_valid": ("state", "options"),
    "render": ("state", "picture", "options"),
}
"""Functions that a task may have, the first three of which are required, and the parameters that each may take, in any
order. A function may omit parameters.
"""


def parameters_of(function: FunctionType) -> tuple[str, ...]:
    """Returns the parameters of a checked function, in the order of its signature."""
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def _functions(task_id: str, cls: Any) -> dict[str, FunctionType]:
    """Returns the functions of a class, by name."""
    if not inspect.isclass(cls):
        raise TypeError(f"{task_id}: {cls!r}: expected a class with the functions reset, step and observe")
    found: dict[str, FunctionType] = {}
    for name, allowed in PARAMETERS.items():
        function = inspect.getattr_static(cls, name, None)
        function = function.__func__ if isinstance(function, staticmethod) else function
        if function is None and name not in ("reset", "step", "observe"):
            continue
        if not isinstance(function, FunctionType):
            expected = f"a function {name}({', '.join(allowed)})"
            raise TypeError(f"{task_id}: class {cls.__name__} has {function!r} as {name}: expected {expected}")
        parameters = inspect.signature(function).parameters
        for parameter in parameters.values():
            if parameter.name == "self":
                expected = "a function without self: all data of an environment is in `state`"
                raise TypeError(f"{task_id}: {name}: expected {expected}")
            if parameter.name not in allowed or parameter.kind is not parameter.POSITIONAL_OR_KEYWORD:
                expected = f"some of {', '.join(allowed)}"
                raise TypeError(f"{task_id}: {name}: parameter {str(parameter)!r}: expected {expected}")
        for needed in ("state", "out", "picture"):
            if needed in allowed and needed not in parameters:
                expected = f"the parameter {needed}" + ("" if needed == "state" else ", which it fills in")
                raise TypeError(f"{task_id}: {name}({', '.join(parameters)}): expected {expected}")
        found[name] = function
    return found


def _frame(frame: Any, functions: Mapping[str, FunctionType]) -> tuple[int, int]:
    if frame is None:
        if "render" in functions:
            raise TypeError("the class has a function render: expected frame=(width, height)")
        return 0, 0
    if "render" not in functions:
        raise TypeError(f"frame={frame!r} is given: expected a function render(state, picture, options)")
    if not isinstance(frame, (tuple, list)) or len(frame) != 2:  # noqa: PLR2004
        raise TypeError(f"frame={frame!r}: expected (width, height)")
    width, height = (integer("frame", size, 1, 4096) for size in frame)
    return width, height


_ID = re.compile(r"(?:[\w-]+/)?[\w.-]+-v\d+", re.ASCII)
_MAX_ID = 128


class Definition:
    """Checked description of a task, from the arguments of its decorator."""

    def __init__(self, cls: Any, task_id: Any, arguments: Mapping[str, Any]) -> None:
        if not _ID.fullmatch(text("id", task_id)):
            raise ValueError(f"id={task_id!r}: expected a name with a version, such as 'MyEnv-v0' or 'folder/MyEnv-v0'")
        if len(task_id) > _MAX_ID:
            raise ValueError(f"id={shown(task_id)}: expected at most {_MAX_ID} characters")
        self.task_id: str = task_id
        self.functions = _functions(task_id, cls)
        self.origin = f"{cls.__module__}.{cls.__qualname__}"
        try:
            self._read(arguments)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{task_id}: {error}") from None

    def _read(self, given: Mapping[str, Any]) -> None:
        self.players = integer("players", given["players"], 1, 1024)
        self.spaces: list[Any] = []  # observation and action space of one player
        for name in ("observation", "action"):
            space = given[name]
            if isinstance(space, (int, np.integer)) and not isinstance(space, bool):
                allowed = f"1 to {_MAX_VALUES} actions, or a gymnasium space"
                space = spaces.Discrete(integer(name, space, 1, _MAX_VALUES, allowed=allowed))
            self.spaces.append(space)
        observation, action = self.spaces
        self.observation = Arrays("Observation", tuple(_leaves("observation", observation)), self.players)
        self.action = Arrays("Action", tuple(_leaves("action", action, is_action=True)), self.players)
        self.infos = _infos(given["infos"], self.functions)
        # Structured, or the dtype of an array's elements; `state_shape` is `None` for a structured state.
        self.state, self.state_shape = _state(given["state"])
        self.options = _options(given["options"])
        limit = optional_integer("max_episode_steps", given["max_episode_steps"], 1, 2**31 - 2)
        self.max_episode_steps = limit or 0  # 0 for no limit
        threshold = optional_number("reward_threshold", given["reward_threshold"], "a number or None")
        self.reward_threshold = np.nan if threshold is None else threshold
        self.frame = _frame(given["frame"], self.functions)  # width and height; (0, 0) for a task without pictures
        self.frames_per_second = integer("frames_per_second", given["frames_per_second"], 1, 1000)
        self.uniform, self.boundscheck = flag("uniform", given["uniform"]), flag("boundscheck", given["boundscheck"])
        # As given; empty for a hash of the layout.
        self.version = "" if given["version"] is None else text("version", given["version"], "a str or None")

    @property
    def option_values(self) -> Arrays:
        """Values of the options; without options one that is not used, because compiled tuples are not empty."""
        kinds = [(name, type(option.default).__name__) for name, option in self.options.items()] or [("none", "int")]
        return Arrays("Options", tuple(Leaf(name, "BOX", np.dtype(kind).name, ()) for name, kind in kinds))

    def layout(self) -> list[Any]:
        """Returns the memory layout of states, actions and results, as plain values that can be hashed."""
        parts = self.observation, self.action, self.infos, self.option_values
        arrays = [list(vars(leaf).items()) for part in parts for leaf in part.leaves]
        return [repr(self.state), self.state_shape, arrays, self.players, *self.drawn]

    @property
    def drawn(self) -> list[str]:
        """Names of the options whose values may change from episode to episode."""
        return [name for name, option in self.options.items() if option.drawn]

    def settings(self) -> str:
        """Returns as text all settings that affect neither the compiled code nor the layout."""
        limits = self.max_episode_steps, self.reward_threshold, self.frames_per_second
        return repr((self.options, limits, self.uniform, self.version))
