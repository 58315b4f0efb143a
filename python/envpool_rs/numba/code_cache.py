"""Files of compiled functions, so that a second process need not compile them, and the keys of these files.

This module imports numba; other modules import it on use.
"""

from __future__ import annotations

import dis
import hashlib
import os
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.ccallback import CFunc
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from envpool_rs._core import __version__

# What functions use


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
    """Returns the variables of enclosing functions that a function uses, by name."""
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
        """Adds a value to the hash: plain data, an array, a module, or a function with all values that it uses."""
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
    """Compiles a function with all plain Python functions that it calls by their global names."""
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


# Files of compiled functions

CACHE_VARIABLE = "ENVPOOL_RS_NUMBA_CACHE"
"""Environment variable that sets the folder of compiled functions; empty for no cache."""

_DIGEST = hashlib.sha256().digest_size


def base_key() -> Key:
    """Returns the hash of everything that all compiled functions depend on: versions, settings, processor, package."""
    key = Key()
    versions = [__version__, sys.version, numba.__version__, np.__version__, llvm.get_host_cpu_name()]
    versions += [str(numba.config.BOUNDSCHECK), str(numba.config.OPT)]
    own = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    key.add([versions, own, str(llvm.get_host_cpu_features())])
    return key


class CodeCache:
    """Compiled functions of one task or module, read from and written to one file.

    The file begins with a hash of its contents. A file with another hash is ignored and replaced, because LLVM ends the
    process for a damaged object file. If no file can be written, a warning says so once.
    """

    def __init__(self, name: str, key: str | None) -> None:
        """Reads the file."""
        self.source: str | None = None
        self.compilations = 0
        self._functions: dict[str, bytes] = {}
        folder = None if key is None else _cache_folder()
        self._path = None if folder is None else folder / f"{name.replace('/', '.')[:64]}-{(key or '')[:24]}.bin"
        self._is_changed = False
        self._read()

    def _read(self) -> None:
        try:
            content = b"" if self._path is None else self._path.read_bytes()
        except OSError:
            return
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            self.source, self._functions = pickle.loads(content[_DIGEST:])

    def function(self, name: str, signature: Any, function: Callable[..., Any]) -> Any:
        """Returns a compiled C function, from the file if possible."""
        compiled: Any = CFunc(function, (signature.args, signature.return_type), {}, {})
        compiled._cache = _Entry(self, name)
        compiled.compile()
        return compiled

    def save(self) -> None:
        """Writes the file, if functions were compiled."""
        if self._path is None or not self._is_changed:
            return
        content = pickle.dumps((self.source, self._functions))
        try:
            _write(self._path, hashlib.sha256(content).digest() + content)
        except OSError as error:
            _warn(f"{self._path}: {error}")
        self._is_changed = False


class _Entry:
    """One function of a `CodeCache`, with the interface of numba's caches."""

    def __init__(self, cache: CodeCache, name: str) -> None:
        self._cache, self._name = cache, name

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        stored = self._cache._functions.get(self._name)
        try:
            return None if stored is None else CompileResult._rebuild(target, *pickle.loads(stored))
        except Exception:  # a class or module that no longer exists: the function is compiled again
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        cache = self._cache
        cache.compilations += 1
        if cache._path is not None and not result.library.has_dynamic_globals:
            cache._functions[self._name] = dumps(result._reduce())
            cache._is_changed = True


def _cache_folder() -> Path | None:
    """Returns the folder of all files, created if needed; ``None`` if there is none."""
    configured = os.environ.get(CACHE_VARIABLE)
    if configured == "":
        return None
    try:
        base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
        folder = Path(configured) if configured else Path(base or Path.home() / ".cache") / "envpool_rs" / "numba"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # `Path.home` raises a RuntimeError for a user without a home directory
        _warn(str(error))
        return None
    if not os.access(folder, os.W_OK):
        _warn(f"{folder} is not writable")
        return None
    return folder


def _warn(reason: str) -> None:
    name = f"{CACHE_VARIABLE}={os.environ.get(CACHE_VARIABLE)!r}"
    expected = "expected a writable folder, or an empty text for no cache"
    warnings.warn(f"{name}: {expected}; each process compiles its tasks: {reason}", RuntimeWarning, stacklevel=2)


def _write(path: Path, content: bytes) -> None:
    """Writes a file atomically: other processes see either the complete file or none."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False, suffix=".tmp") as file:
        temporary = Path(file.name)
        try:
            file.write(content)
            file.close()
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
