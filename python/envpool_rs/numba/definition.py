"""Checked definition of a task whose functions Numba compiles."""

from __future__ import annotations

import inspect
import re
from collections import namedtuple
from collections.abc import Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from envpool_rs._arguments import flag, integer, number, optional_integer, optional_number, shown, text
from envpool_rs.numba.abi import LARGEST_INT, LEAST_INT, OPTION_KINDS
from envpool_rs.numba.leaves import Leaf, checked_dtype, checked_shape, infos_of, is_attribute, leaves_of

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
        """Checks a value for the option, and returns it.

        Raises:
            TypeError: for a value of another type.
            ValueError: for a number out of bounds.
        """
        if isinstance(self.default, bool):
            return flag(name, argument)
        is_integer = isinstance(self.default, int)
        value = integer(name, argument, LEAST_INT, LARGEST_INT) if is_integer else number(name, argument)
        low, high = -np.inf if self.low is None else self.low, np.inf if self.high is None else self.high
        if not low <= value <= high:
            raise ValueError(f"{name}={value!r}: expected a number from {low:g} to {high:g}")
        return value

    def check(self, name: str) -> None:
        """Checks the declaration.

        Raises:
            TypeError: for a default, bound or description of the wrong type.
            ValueError: for a default out of bounds.
        """
        if type(self.default) not in OPTION_KINDS:
            raise TypeError(f"{name}={self.default!r}: expected a bool, an int or a float, or an Option")
        for bound in ("low", "high"):
            optional_number(f"{name}: {bound}", getattr(self, bound), "a number or None")
        text(f"{name}: doc", self.doc)
        self.value(name, self.default)


@dataclass(frozen=True)
class Definition:
    """Checked description of a task, from the arguments of its decorator.

    Attributes:
        task_id: the id.
        functions: the functions of the class, by name.
        observation: arrays of the observation.
        action: arrays of the action.
        infos: arrays of the infos.
        spaces: observation space and action space of one player, as given.
        state: dtype of the state: a structured dtype, or the dtype of an array's elements.
        state_shape: shape of a state that is an array; ``None`` for a structured one.
        options: name and declaration of each option of the task.
        players: number of players.
        max_episode_steps: time limit; 0 for none.
        reward_threshold: mean return that counts as solved; NaN for none.
        frame: width and height of pictures; ``(0, 0)`` for a task without pictures.
        frames_per_second: frame rate of videos.
        uniform: whether every step takes about the same time, below a microsecond.
        boundscheck: whether compiled code checks indices.
        version: version given by the user; empty if the version is a hash of the layout.
        origin: module and name of the class of functions.
    """

    task_id: str
    functions: Mapping[str, FunctionType]
    observation: tuple[Leaf, ...]
    action: tuple[Leaf, ...]
    infos: tuple[Leaf, ...]
    spaces: tuple[Any, Any]
    state: np.dtype[Any]
    state_shape: tuple[int, ...] | None
    options: tuple[tuple[str, Option], ...]
    players: int
    max_episode_steps: int
    reward_threshold: float
    frame: tuple[int, int]
    frames_per_second: int
    uniform: bool
    boundscheck: bool
    version: str
    origin: str

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
    """Returns the functions of a class, by name.

    Raises:
        TypeError: if ``cls`` is not a class, lacks a required function, or has a method or a function with unknown
            parameters.
    """
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
    """Returns the dtype and the shape of a state.

    Args:
        state: a dict of dtypes, or of dtypes with shapes, whose keys are attributes of the state; or a dtype and a
            shape, for a state that is one array.

    Raises:
        TypeError: for anything else.
        ValueError: for a name, dtype or shape that states cannot have.
    """
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
    """Returns name and declaration of each option.

    Raises:
        TypeError: for a default of another type than bool, int and float.
        ValueError: for a name that is no identifier, or a default out of bounds.
    """
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
    """Returns a checked definition.

    Args:
        cls: class of the functions.
        task_id: the task's id.
        arguments: the decorator's other arguments.

    Raises:
        TypeError: for an argument or a function of the wrong type.
        ValueError: for a value that is not allowed.
    """
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
