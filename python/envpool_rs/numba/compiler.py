"""Compiles a task's functions by Numba, and builds the table of a library with this task. This module imports numba."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import numba
import numpy as np
from numba import types

from envpool_rs.numba import abi, runtime
from envpool_rs.numba.code_cache import CodeCache, UnknownValueError, base_key, with_compiled_helpers
from envpool_rs.numba.definition import PARAMETERS, Definition, Leaf, Option
from envpool_rs.numba.primitives import guarded, pointer_to, stream_at, stream_type
from envpool_rs.numba.python_env import check_shapes
from envpool_rs.numba.source import SIGNATURES, Source, action_dtype, nested, tuple_types

# Compilation

_TWO, _THREE = 2, 3


class CompileError(TypeError):
    """Raised for a function of a task that Numba cannot compile."""


@dataclass(frozen=True)
class CompiledTask:
    """Compiled functions of a task that the C interface calls through a function table."""

    addresses: dict[str, int]
    key: str
    compilations: int
    owners: tuple[Any, ...]


def key_of(definition: Definition) -> str | None:
    """Returns the hash of everything that the compiled code depends on; ``None`` if a function uses a value that cannot
    be hashed.
    """
    try:
        key = base_key()
        key.add([definition.layout(), definition.frame, definition.boundscheck])
        key.add([[name, function] for name, function in definition.functions.items()])
    except (UnknownValueError, ValueError, OSError):
        return None
    return str(key.text())


class Compiler:
    """Compiles the functions of one task."""

    def __init__(self, definition: Definition) -> None:
        self._definition = definition
        self._types = self._argument_types()
        jit = numba.njit(error_model="python", boundscheck=definition.boundscheck or None)
        seen: dict[int, Any] = {}
        self._user = {
            name: with_compiled_helpers(function, jit, seen) for name, function in definition.functions.items()
        }

    def compile(self) -> CompiledTask:
        """Compiles the table functions, or loads them from the cache."""
        key, task_id = key_of(self._definition), self._definition.task_id
        cache = CodeCache(task_id, key)
        if cache.source is None:
            check_shapes(self._definition)
            cache.source = Source(self._definition, self._checked_results()).text()
        # numba looks up the module of cached functions by name, so the module is registered.
        module = ModuleType("envpool_rs_numba_" + re.sub(r"\W", "_", key or task_id))
        sys.modules[module.__name__] = module
        scope = module.__dict__
        scope.update(self._scope())
        exec(compile(cache.source, f"<table functions of {task_id}>", "exec"), scope)
        functions = {name: self._entry(cache, name, scope[name]) for name in SIGNATURES if name in scope}
        cache.save()
        functions.update(make=runtime.make, unmake=runtime.unmake)
        addresses = {name: int(function.address) for name, function in functions.items()}
        return CompiledTask(addresses, key or "", cache.compilations, tuple(functions.values()))

    def _entry(self, cache: CodeCache, name: str, function: Callable[..., Any]) -> Any:
        try:
            return cache.function(name, types.int64(*[types.uint64] * SIGNATURES[name]), function)
        except numba.core.errors.NumbaError as error:
            raise compile_error(self._definition, name, error) from error

    def _scope(self) -> dict[str, Any]:
        """Returns the global names that the table functions use."""
        elements = ("uint8", "int8", "int16", "int32", "int64", "uint32", "uint64", "float32", "float64")
        return {
            "np": np,
            "carray": numba.carray,
            "Options": self._definition.options_type,
            **{f"to_{element}": pointer_to(getattr(types, element)) for element in elements},
            "to_bool": pointer_to(types.boolean),
            "to_state": pointer_to(self._state_element()),
            "guarded": guarded,
            "stream_at": stream_at,
            "write_failure": runtime.call_write_failure,
            "write_text": runtime.write_text,
            **{f"user_{name}": function for name, function in self._user.items()},
            **tuple_types("Observation", nested(self._definition.observation)),
            **tuple_types("Action", nested(self._definition.action)),
            **tuple_types("Infos", nested(self._definition.infos)),
        }

    def _state_element(self) -> Any:
        return numba.from_dtype(self._definition.state)

    def _argument_types(self) -> dict[str, Any]:
        definition = self._definition
        element = self._state_element()
        shape = definition.state_shape
        kinds = {bool: types.boolean, int: types.int64, float: types.float64}
        options = [kinds[type(option.default)] for _, option in definition.options] or [types.int64]
        return {
            "state": element if shape is None else types.Array(element, len(shape), "C"),
            "random": stream_type,
            "options": types.NamedTuple(options, definition.options_type),
            "action": self._nested_type("Action", definition.action, definition.players, is_action=True),
            "observe": self._nested_type("Observation", definition.observation, definition.players),
            "inform": self._nested_type("Infos", definition.infos, 1),
            "picture": types.Array(types.uint8, 3, "C"),
        }

    def _nested_type(self, name: str, leaves: tuple[Leaf, ...], players: int, is_action: bool = False) -> Any:
        tree = nested(leaves)
        classes = tuple_types(name, tree)

        def of(leaf: Leaf) -> Any:
            dims = len(leaf.shape) + (players > 1)
            element = numba.from_dtype(np.dtype(action_dtype(leaf) if is_action else leaf.dtype))
            if is_action and dims == 0:
                return element if leaf.dtype.startswith("float") else types.int64
            return types.Array(element, dims, "C")

        def at(part: Any, name: str) -> Any:
            if not isinstance(part, dict):
                return of(leaves[part])
            inner = [at(each, f"{name}_{key}") for key, each in part.items()]
            return types.NamedTuple(inner, classes[name])

        return at(tree, name) if leaves else None

    def _checked_results(self) -> int:
        """Compiles the user's functions, and returns the number of results of ``step``."""
        results = {}
        for name, function in self._user.items():
            known = {**self._types, "out": self._types.get(name)}
            signature = tuple(known[parameter] for parameter in self._definition.parameters(name))
            try:
                function.compile(signature)
            except Exception as error:  # numba also raises exceptions of its own code
                raise compile_error(self._definition, name, error) from None
            results[name] = function.overloads[signature].signature.return_type
        self._check_results(results)
        return len(results["step"])

    def _check_results(self, results: dict[str, Any]) -> None:
        prefix = {name: f"{self._definition.task_id}: {name} returns" for name in results}
        for name in results.keys() - {"step", "is_valid"}:
            if results[name] != types.none:
                raise CompileError(f"{prefix[name]} {results[name]}: expected nothing; it fills in its parameters")
        if not isinstance(results.get("is_valid", types.boolean), (types.Boolean, types.Integer)):
            raise CompileError(f"{prefix['is_valid']} {results['is_valid']}: expected a bool")
        step = results["step"]
        expected = "expected (reward, terminated) or (reward, terminated, truncated)"
        if not isinstance(step, types.BaseTuple) or len(step) not in (_TWO, _THREE):
            raise CompileError(f"{prefix['step']} {step}: {expected}")
        reward, *flags = step.types
        if not all(isinstance(each, (types.Boolean, types.Integer)) for each in flags):
            raise CompileError(f"{prefix['step']} {step}: {expected}, with bools as the last ones")
        self._check_reward(reward, prefix["step"])

    def _check_reward(self, reward: Any, prefix: str) -> None:
        players = self._definition.players
        numbers = (types.Float, types.Integer, types.Boolean)
        if players == 1:
            if not isinstance(reward, numbers):
                raise CompileError(f"{prefix} a reward of type {reward}: expected a number")
        elif isinstance(reward, types.BaseTuple):
            if len(reward) != players or not all(isinstance(each, numbers) for each in reward.types):
                raise CompileError(f"{prefix} rewards {reward}: expected a tuple of {players} numbers, one per player")
        elif not isinstance(reward, types.Array) or reward.ndim != 1 or not isinstance(reward.dtype, numbers):
            raise CompileError(f"{prefix} rewards {reward}: expected {players} numbers, one for each player")


def compile_error(definition: Definition, name: str, error: Exception) -> CompileError:
    """Returns the error for a function that Numba rejects: the user's file and line, and one sentence."""
    location = getattr(error, "loc", None)
    function = definition.functions.get(name)
    source = ""
    if location is not None:
        source = f" ({location.filename}, line {location.line})"
    elif isinstance(function, FunctionType):
        source = f" ({function.__code__.co_filename}, line {function.__code__.co_firstlineno})"
    parameters = ", ".join(PARAMETERS.get(name, ()))
    kind = "" if location is not None else f"{type(error).__name__}: "
    text = f"{definition.task_id}: {name}({parameters}){source} cannot be compiled: {kind}{sentence_of(str(error))}"
    return CompileError(text)


_CONTEXT = (
    "Failed in nopython mode",
    "During: ",
    "There are ",
    "Overload ",
    "File ",
    "- Of which",
    "- Resolution failure",
)
_FUNCTION = re.compile(r"Function\(<(?:built-in |ufunc )?(?:function )?'?(\w+)'?(?: at \w+)?>\)")
_METHOD = re.compile(r"_(\w+)_method\(envpool_rs\.numba\.Stream(?:, )?")


def sentence_of(message: str) -> str:
    """Returns the first sentence of an error message of Numba, with the call in which the error occurred."""
    lines = [line.strip() for line in message.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()]
    useful = [line for line in lines if line and not line.startswith(_CONTEXT)]
    if not useful:
        return "numba gives no reason"
    useful = [_METHOD.sub(r"random.\1(", _FUNCTION.sub(r"\1", line)) for line in useful]
    call = next((line[4:] for line in useful if line.startswith(">>> ")), None)
    return useful[0] if call is None or call in useful[0] else f"{useful[0].rstrip(':')}: {call}"


# The table of a library with one task (`epr_library`)

_FUNCTIONS = ("reset", "step", "observe", "inform", "is_valid", "render", "unmake")


def library_of(definition: Definition, compiled: CompiledTask, task_id: str) -> tuple[int, abi.Memory]:
    """Returns the address of an `epr_library`, and the owner of its memory."""
    memory = abi.Memory()
    task = _task(definition, compiled, memory, task_id)
    library: dict[str, int | float] = {
        "name": memory.text(library_name(definition)),
        "version": memory.text(library_version(definition)),
        "tasks": 1,
        "task": memory.array([task], np.uint64),
    }
    return memory.structs("library", [library]), memory


def library_name(definition: Definition) -> str:
    """Returns the library name that snapshots and pickles contain."""
    return f"numba {definition.task_id.replace('/', '.')}"


def library_version(definition: Definition) -> str:
    """Returns the version that snapshots and pickles contain: the version given by the user, or a hash of the layout.

    A change of the functions alone does not change the hash.
    """
    return definition.version or hashlib.sha256(repr(definition.layout()).encode()).hexdigest()[:12]


def _task(definition: Definition, compiled: CompiledTask, memory: abi.Memory, task_id: str) -> int:
    options = [_option(name, option, memory) for name, option in definition.options]
    task: dict[str, int | float] = {
        "id": memory.text(task_id),
        "max_episode_steps": definition.max_episode_steps,
        "reward_threshold": float(definition.reward_threshold),
        "options": len(options),
        "option": memory.structs("option", options),
        "data": _env(definition, compiled, memory),
        "make": compiled.addresses["make"],
    }
    return memory.structs("task", [task])


def _option(name: str, option: Option, memory: abi.Memory) -> dict[str, int | float]:
    default = option.default
    is_bounded = option.low is not None or option.high is not None
    # A bound of infinity is passed as the largest float32, so that error messages show a number.
    low = -np.inf if option.low is None else option.low
    high = np.inf if option.high is None else option.high
    return {
        "name": memory.text(name),
        "doc": memory.text(option.doc or "an option of this environment"),
        "value.kind": abi.OPTION_KINDS[type(default)],
        "value.integer": 0 if isinstance(default, float) else int(default),
        "value.number": float(default) if isinstance(default, float) else 0,
        "low": float(low),
        "high": float(high),
        "flags": abi.RANGE if is_bounded else 0,
    }


def _env(definition: Definition, compiled: CompiledTask, memory: abi.Memory) -> int:
    """Returns the address of the template from which every `epr_env` of the task is copied."""
    arrays = {"observation": definition.observation, "action": definition.action, "info": definition.infos}
    env: dict[str, int | float] = {
        "players": definition.players,
        "flags": abi.PLAIN | (abi.UNIFORM if definition.uniform else 0),
        "state_size": definition.state_size,
        "state_align": max(abi.WORD, definition.state.alignment),
        "scratch_size": max(
            sum(leaf.row_size(definition.players) for leaf in definition.observation),
            sum(leaf.row_size(1) for leaf in definition.infos),
        ),
        "frame_width": definition.frame[0],
        "frame_height": definition.frame[1],
        "frames_per_second": definition.frames_per_second if definition.frame[0] else 0,
        **{name: compiled.addresses[name] for name in _FUNCTIONS if name in compiled.addresses},
    }
    for name, leaves in arrays.items():
        env[f"{name}s"] = len(leaves)
        env[name] = memory.structs("array", [leaf.row(memory) for leaf in leaves])
    # The compiled `make` reads the number of options after the template, and for each option whether it is a float.
    words = [int(isinstance(option.default, float)) for _, option in definition.options]
    layout = [env.get(field, 0) for field in abi.LAYOUTS["env"]]
    layout[0] = abi.WORD * len(layout)
    return memory.array([*map(int, layout), len(words), *words], np.uint64)
