"""Compiles a task's functions by Numba."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from envpool_rs.numba.definition import PARAMETERS, Definition
from envpool_rs.numba.entry_text import SIGNATURES, EntryText, action_dtype, nested, tuple_types
from envpool_rs.numba.leaves import Leaf
from envpool_rs.numba.sources import UnknownValueError, with_compiled_helpers
from envpool_rs.numba.trial import check_shapes

_TWO, _THREE = 2, 3


class CompileError(TypeError):
    """Raised for a function of a task that Numba cannot compile."""


@dataclass(frozen=True)
class CompiledTask:
    """Compiled functions of a task that the C interface calls through a function table.

    Attributes:
        addresses: addresses of the functions, by name.
        key: hash of the definition.
        compilations: number of functions that this process compiled; all other functions came from the cache.
        owners: objects that own the functions' memory.
    """

    addresses: dict[str, int]
    key: str
    compilations: int
    owners: tuple[Any, ...]


def import_numba() -> Any:
    """Returns the module numba.

    Raises:
        ImportError: if numba is not installed; names the extra.
    """
    try:
        numba = import_module("numba")
    except ImportError as error:
        raise ImportError(f"envpool_rs.numba needs numba: pip install 'envpool_rs[numba]' ({error})") from error
    if numba.config.DISABLE_JIT:
        raise ImportError("envpool_rs.numba needs numba's compiler: expected NUMBA_DISABLE_JIT not to be set")
    _compile_in_children()
    return numba


@functools.cache
def _compile_in_children() -> None:
    """Lets forks wait for compilations of other threads, so that a child never inherits a locked compiler.

    LLVM has locks of its own, which a child could not reset.
    """
    llvm = import_module("llvmlite.binding.ffi").lib
    locks = [import_module("numba.core.compiler_lock").global_compiler_lock]
    locks += [llvm._lock] if hasattr(llvm, "_lock") else []

    def acquire() -> None:
        for lock in locks:
            lock.__enter__()

    def release() -> None:
        for lock in reversed(locks):
            with contextlib.suppress(RuntimeError):  # an interrupt (Ctrl-C) may have ended `acquire`
                lock.__exit__(None, None, None)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(before=acquire, after_in_parent=release, after_in_child=release)


def key_of(definition: Definition) -> str | None:
    """Returns the hash of everything that the compiled code depends on; ``None`` if a function uses a value that cannot
    be hashed.
    """
    import_numba()
    try:
        key = import_module("envpool_rs.numba.code_cache").base_key()
        key.add([definition.layout(), definition.frame, definition.boundscheck])
        key.add([[name, function] for name, function in definition.functions.items()])
    except (UnknownValueError, ValueError, OSError):
        return None
    return str(key.text())


class Compiler:
    """Compiles the functions of one task.

    Args:
        definition: the task.
    """

    def __init__(self, definition: Definition) -> None:
        self._numba = import_numba()
        self._primitives = import_module("envpool_rs.numba.primitives")
        self._runtime = import_module("envpool_rs.numba.runtime")
        self._definition = definition
        self._types = self._argument_types()
        jit = self._numba.njit(error_model="python", boundscheck=definition.boundscheck or None)
        seen: dict[int, Any] = {}
        self._user = {
            name: with_compiled_helpers(function, jit, seen) for name, function in definition.functions.items()
        }

    def compile(self) -> CompiledTask:
        """Compiles the table functions, or loads them from the cache.

        Raises:
            CompileError: for a function that Numba rejects (the message has its file and line), or a result of another
                type.
        """
        key, task_id = key_of(self._definition), self._definition.task_id
        cache = import_module("envpool_rs.numba.code_cache").CodeCache(task_id, key)
        if cache.source is None:
            check_shapes(self._definition)
            cache.source = EntryText(self._definition, self._checked_results()).text()
        # numba looks up the module of cached functions by name, so the module is registered.
        module = ModuleType("envpool_rs_numba_" + re.sub(r"\W", "_", key or task_id))
        sys.modules[module.__name__] = module
        scope = module.__dict__
        scope.update(self._scope())
        exec(compile(cache.source, f"<table functions of {task_id}>", "exec"), scope)
        functions = {name: self._entry(cache, name, scope[name]) for name in SIGNATURES if name in scope}
        cache.save()
        functions.update(make=self._runtime.make, unmake=self._runtime.unmake)
        addresses = {name: int(function.address) for name, function in functions.items()}
        return CompiledTask(addresses, key or "", cache.compilations, tuple(functions.values()))

    def _entry(self, cache: Any, name: str, function: Callable[..., Any]) -> Any:
        types = self._numba.types
        try:
            return cache.function(name, types.int64(*[types.uint64] * SIGNATURES[name]), function)
        except self._numba.core.errors.NumbaError as error:
            raise compile_error(self._definition, name, error) from error

    def _scope(self) -> dict[str, Any]:
        """Returns the global names that the table functions use."""
        primitives, types = self._primitives, self._numba.types
        elements = ("uint8", "int8", "int16", "int32", "int64", "uint32", "uint64", "float32", "float64")
        pointers = {f"to_{element}": primitives.pointer_to(getattr(types, element)) for element in elements}
        return {
            "np": np,
            "carray": self._numba.carray,
            "Options": self._definition.options_type,
            **pointers,
            "to_bool": primitives.pointer_to(types.boolean),
            "to_state": primitives.pointer_to(self._state_element()),
            "guarded": primitives.guarded,
            "stream_at": primitives.stream_at,
            "write_failure": self._runtime.call_write_failure,
            "write_text": self._runtime.write_text,
            **{f"user_{name}": function for name, function in self._user.items()},
            **tuple_types("Observation", nested(self._definition.observation)),
            **tuple_types("Action", nested(self._definition.action)),
            **tuple_types("Infos", nested(self._definition.infos)),
        }

    def _state_element(self) -> Any:
        return self._numba.from_dtype(self._definition.state)

    def _argument_types(self) -> dict[str, Any]:
        types, definition = self._numba.types, self._definition
        element = self._state_element()
        shape = definition.state_shape
        kinds = {bool: types.boolean, int: types.int64, float: types.float64}
        options = [kinds[type(option.default)] for _, option in definition.options] or [types.int64]
        return {
            "state": element if shape is None else types.Array(element, len(shape), "C"),
            "random": self._primitives.stream_type,
            "options": types.NamedTuple(options, definition.options_type),
            "action": self._nested_type("Action", definition.action, definition.players, is_action=True),
            "observe": self._nested_type("Observation", definition.observation, definition.players),
            "inform": self._nested_type("Infos", definition.infos, 1),
            "picture": types.Array(types.uint8, 3, "C"),
        }

    def _nested_type(self, name: str, leaves: tuple[Leaf, ...], players: int, is_action: bool = False) -> Any:
        types, tree = self._numba.types, nested(leaves)
        classes = tuple_types(name, tree)

        def of(leaf: Leaf) -> Any:
            dims = len(leaf.shape) + (players > 1)
            element = self._numba.from_dtype(np.dtype(action_dtype(leaf) if is_action else leaf.dtype))
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
        """Compiles the user's functions, and returns the number of results of ``step``.

        Raises:
            CompileError: for a function that cannot be compiled, or a result of another type than expected.
        """
        results = {}
        for name, function in self._user.items():
            types = {**self._types, "out": self._types.get(name)}
            signature = tuple(types[parameter] for parameter in self._definition.parameters(name))
            try:
                function.compile(signature)
            except Exception as error:  # numba also raises exceptions of its own code
                raise compile_error(self._definition, name, error) from None
            results[name] = function.overloads[signature].signature.return_type
        self._check_results(results)
        return len(results["step"])

    def _check_results(self, results: dict[str, Any]) -> None:
        types = self._numba.types
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
        types, players = self._numba.types, self._definition.players
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
    """Returns the error for a function that Numba rejects: the user's file and line, and one sentence.

    Args:
        definition: the task.
        name: name of the function.
        error: Numba's error, whose message is pages long.
    """
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
