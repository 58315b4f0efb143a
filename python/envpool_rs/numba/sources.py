"""Finds everything that a function uses, to compute cache keys of compiled code and to compile helper functions."""

from __future__ import annotations

import dis
import hashlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


class UnknownValueError(Exception):
    """Raised if a function uses a value that cannot be hashed, so that its compiled code cannot be cached."""


def used_names(code: CodeType) -> Iterator[str]:
    """Yields the names of globals that a function uses, including those that its inner functions use."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield str(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from used_names(constant)


def used_globals(function: FunctionType) -> dict[str, Any]:
    """Returns the globals that a function uses, by name, in sorted order."""
    names = sorted(set(used_names(function.__code__)))
    return {name: function.__globals__[name] for name in names if name in function.__globals__}


def used_cells(function: FunctionType) -> dict[str, Any]:
    """Returns the variables of enclosing functions that a function uses, by name.

    Raises:
        ValueError: for a variable without a value yet.
    """
    return {
        name: cell.cell_contents
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    }


class Key:
    """Hash of functions and of all values that their compiled code depends on."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()
        self._seen: dict[int, int] = {}

    def add(self, value: Any) -> None:
        """Adds a value to the hash: plain data, an array, a module, or a function with all values that it uses.

        Raises:
            UnknownValueError: for anything else.
        """
        if value is None or value is Ellipsis or isinstance(value, (bool, int, float, complex, str, bytes)):
            self._feed(type(value).__name__, repr(value))
        elif isinstance(value, (tuple, list)):
            self._feed(type(value).__name__, str(len(value)))
            for part in value:
                self.add(part)
        elif isinstance(value, dict):
            self.add([list(item) for item in value.items()])
        elif isinstance(value, (np.ndarray, np.generic)):
            array = np.asarray(value)
            if array.dtype.hasobject:
                raise UnknownValueError(f"an array of objects: {value!r}")
            self._feed(type(value).__name__, str(array.dtype.descr), str(array.shape))
            self._hash.update(array.tobytes())
        elif isinstance(value, CodeType):
            self._code(value)
        elif isinstance(value, ModuleType):
            self._module(value)
        elif isinstance(value, (type, BuiltinFunctionType, np.ufunc, np.dtype)):
            self._feed(str(type(value)), str(getattr(value, "__module__", "")), str(value))
        else:
            self._function(value)

    def _feed(self, *texts: str) -> None:
        for text in texts:
            self._hash.update(text.encode() + b"\0")

    def _function(self, value: Any) -> None:
        options = getattr(value, "targetoptions", {})
        function = getattr(value, "py_func", value)
        if not isinstance(function, FunctionType):
            raise UnknownValueError(repr(value))
        if id(function) in self._seen:
            self._feed("seen", str(self._seen[id(function)]))
            return
        self._seen[id(function)] = len(self._seen)
        if _is_installed(function.__module__):
            self._feed("installed", function.__module__, function.__qualname__)
            return
        # The module's name is part of the key, because Numba imports the module by this name when it loads cached code.
        self._feed("function", str(function.__module__), repr(sorted(options.items())), repr(function.__defaults__))
        self._code(function.__code__)
        self.add(used_globals(function))
        self.add(used_cells(function))

    def _code(self, code: CodeType) -> None:
        self._hash.update(code.co_code)
        # File, function and lines are part of the key, because compiled exceptions contain them.
        self._feed(str(code.co_names), str(code.co_varnames), code.co_filename, code.co_name, str(code.co_firstlineno))
        self.add(list(code.co_consts))

    def _module(self, module: ModuleType) -> None:
        """Adds a module to the hash: its version if it has one, otherwise its file."""
        self._feed("module", module.__name__)
        if _is_installed(module.__name__):
            return
        path = getattr(module, "__file__", None)
        if path is None:
            raise UnknownValueError(f"module {module.__name__} without a file")
        self._hash.update(Path(path).read_bytes())

    def text(self) -> str:
        """Returns the hash in hexadecimal digits."""
        return self._hash.hexdigest()


def _is_installed(module: str | None) -> bool:
    """Returns whether a module belongs to Python, numpy or numba, whose versions are part of each key."""
    first = (module or "").partition(".")[0]
    return first in sys.stdlib_module_names or first in ("numpy", "numba", "llvmlite")


def with_compiled_helpers(
    function: FunctionType, compiled: Callable[[FunctionType], Any], seen: dict[int, Any] | None = None
) -> Any:
    """Compiles a function with all plain Python functions that it calls by their global names.

    Args:
        function: the function.
        compiled: function that compiles one function.
        seen: results by the functions' ids.

    Returns:
        The result of ``compiled`` for a copy of the function, in which helper functions are replaced by their results.
    """
    seen = {} if seen is None else seen
    if id(function) in seen:
        return seen[id(function)]
    scope = dict(function.__globals__)
    cells = {name: CellType(value) for name, value in used_cells(function).items()}
    closure = tuple(cells.values()) or None
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__, copy.__module__, copy.__qualname__ = (
        function.__kwdefaults__,
        function.__module__,
        function.__qualname__,
    )
    result = seen[id(function)] = compiled(copy)
    for name, value in used_globals(function).items():
        if _is_helper(value):
            scope[name] = with_compiled_helpers(value, compiled, seen)
    for name, cell in cells.items():
        if _is_helper(cell.cell_contents):
            cells[name].cell_contents = with_compiled_helpers(cell.cell_contents, compiled, seen)
    return result


def _is_helper(value: Any) -> bool:
    return isinstance(value, FunctionType) and not _is_installed(value.__module__)
