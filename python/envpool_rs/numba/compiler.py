"""Compiles the functions of tasks by Numba, and stores them in files. This module imports numba."""

from __future__ import annotations

import ctypes
import dis
import hashlib
import os
import pickle
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.ccallback import CFunc
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.extending import intrinsic, models, overload_method, register_model

from envpool_rs import _core
from envpool_rs.numba import abi
from envpool_rs.numba.definition import PARAMETERS, Definition, Leaf, Option
from envpool_rs.numba.python_env import check_shapes
from envpool_rs.numba.source import SIGNATURES, Source, action_dtype, nested, tuple_types

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
    versions = [_core.__version__, sys.version, numba.__version__, np.__version__, llvm.get_host_cpu_name()]
    versions += [str(numba.config.BOUNDSCHECK), str(numba.config.OPT)]
    own = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    key.add([versions, own, str(llvm.get_host_cpu_features()), abi.LAYOUTS])
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


# Building blocks of compiled functions

_I64 = ir.IntType(64)


def pointer_to(element: types.Type) -> Any:
    """Returns a function for compiled code that converts an address to a pointer to values of a type."""

    @intrinsic
    def convert(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(signature.return_type))

        return types.CPointer(element)(types.uint64), generate

    return convert


to_words = pointer_to(types.uint64)


@intrinsic
def guarded(typing: Any, function: Any, arguments: Any) -> Any:
    """Calls a compiled function, and returns whether it raised, the address of numba's exception, and the result."""
    dispatcher = function.dispatcher
    dispatcher.compile(tuple(arguments.types))
    compiled = dispatcher.overloads[tuple(arguments.types)]
    result = compiled.signature.return_type

    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        items = cgutils.unpack_tuple(builder, values[1])
        context.active_code_library.add_linking_library(compiled.library)
        status, value = context.call_internal_no_propagate(builder, compiled.fndesc, compiled.signature, items)
        # The memory is initialised with zeros, because the result of a call that raised an exception is undefined.
        stored = cgutils.alloca_once_value(builder, context.get_constant_null(result))
        with builder.if_then(status.is_ok):
            builder.store(value, stored)
        raised = builder.select(status.is_user_exc, builder.ptrtoint(status.excinfoptr, _I64), _I64(0))
        return context.make_tuple(builder, signature.return_type, [status.is_error, raised, builder.load(stored)])

    return types.Tuple((types.boolean, types.uint64, result))(function, arguments), generate


@intrinsic
def _release(typing: Any, address: Any) -> Any:
    """Frees memory that numba's runtime has allocated."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        context.nrt.free(builder, builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.uint64), generate


def _external(name: str, address: int, signature: Any) -> Any:
    """Declares a function of the pool, so that compiled code can call it by a symbol."""
    symbol = f"envpool_rs_host_{name}"
    llvm.add_symbol(symbol, address)
    return types.ExternalFunction(symbol, signature)


_NUMBA_FUNCTIONS = _core.numba_functions()
_write_message = _external(
    "write_exception", _NUMBA_FUNCTIONS["write_exception"], types.void(types.uint64, types.uint64, types.uint64)
)
write_invalid_state = _external(
    "write_invalid_state", _NUMBA_FUNCTIONS["write_invalid_state"], types.void(types.uint64, types.uint64)
)


@numba.njit
def write_exception(error: Any, error_size: Any, raised: Any) -> None:
    """Writes the message of numba's exception at the address ``raised`` (0 for an unknown one).

    The exception is a struct: a pickle, its length, and for arguments that are not constant their address, a function,
    and their number. numba allocates the struct and the arguments in this case.
    """
    _write_message(error, error_size, raised)
    if raised != 0:
        words = numba.carray(to_words(raised), 5)
        if words[4] & 0xFFFFFFFF != 0:
            _release(words[2])
            _release(raised)


# Random draws in compiled functions


class Stream(types.Type):
    """numba type of the parameter ``random``, whose methods draw the same bits as those of numpy's ``Generator``."""

    def __init__(self) -> None:
        super().__init__(name="envpool_rs.numba.Stream")


stream_type = Stream()


@register_model(Stream)
class _StreamModel(models.PrimitiveModel):
    """Memory representation of `Stream`: the address of an `epr_random`."""

    def __init__(self, manager: Any, type_of_it: Any) -> None:
        super().__init__(manager, type_of_it, _I64)


@intrinsic
def stream_at(typing: Any, address: Any) -> Any:
    """Returns the random stream at an address."""
    return stream_type(types.uint64), lambda context, builder, signature, arguments: arguments[0]


@intrinsic
def _address_of(typing: Any, stream: Any) -> Any:
    """Returns the address of a random stream."""
    return types.uint64(stream_type), lambda context, builder, signature, arguments: arguments[0]


def _host_function(name: str, signature: Any) -> Any:
    """Declares a function of the pool's `epr_host` table."""
    table = ctypes.cast(_core.plugin_host(), ctypes.POINTER(ctypes.c_uint64))
    return _external(name, table[abi.LAYOUTS["host"].index(name)], signature)


_f64, _i64, _u64 = types.float64, types.int64, types.uint64
_random = _host_function("random", _f64(_u64))
_uniform = _host_function("uniform", _f64(_u64, _f64, _f64))
_normal = _host_function("normal", _f64(_u64))
_exponential = _host_function("exponential", _f64(_u64))
_integers = _host_function("integers", _i64(_u64, _i64, _i64))


def _plain(function: Callable[..., Any]) -> Callable[..., Any]:
    """Removes a function's annotations, because numba requires equal annotations in a method's typing and in its
    implementation, and the implementation is a lambda without annotations.
    """
    function.__annotations__ = {}
    return function


def _method(name: str, implementation: Callable[..., Any]) -> None:
    overload_method(Stream, name)(_plain(implementation))


def _random_method(stream: Any) -> Any:
    return lambda stream: _random(_address_of(stream))


def _uniform_method(stream: Any, low: Any = 0.0, high: Any = 1.0) -> Any:
    return lambda stream, low=0.0, high=1.0: _uniform(_address_of(stream), low, high)


def _standard_normal_method(stream: Any) -> Any:
    return lambda stream: _normal(_address_of(stream))


def _normal_method(stream: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return lambda stream, loc=0.0, scale=1.0: loc + scale * _normal(_address_of(stream))


def _standard_exponential_method(stream: Any) -> Any:
    return lambda stream: _exponential(_address_of(stream))


def _exponential_method(stream: Any, scale: Any = 1.0) -> Any:
    return lambda stream, scale=1.0: scale * _exponential(_address_of(stream))


def _integers_method(stream: Any, low: Any, high: Any = None) -> Any:
    if not isinstance(low, types.Integer):
        return None
    if high is None or isinstance(high, (types.NoneType, types.Omitted)):

        def below(stream: Any, low: Any, high: Any = None) -> Any:
            if low <= 0:
                raise ValueError("high <= 0")
            return _integers(_address_of(stream), 0, low)

        return _plain(below)
    if not isinstance(high, types.Integer):
        return None

    def between(stream: Any, low: Any, high: Any = None) -> Any:
        if low >= high:
            raise ValueError("low >= high")
        return _integers(_address_of(stream), low, high)

    return _plain(between)


_method("random", _random_method)
_method("uniform", _uniform_method)
_method("standard_normal", _standard_normal_method)
_method("normal", _normal_method)
_method("standard_exponential", _standard_exponential_method)
_method("exponential", _exponential_method)
_method("integers", _integers_method)


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
        addresses = {name: int(function.address) for name, function in functions.items()}
        addresses.update(make=_NUMBA_FUNCTIONS["make"], unmake=_NUMBA_FUNCTIONS["unmake"])
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
            "write_exception": write_exception,
            "write_invalid_state": write_invalid_state,
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
    return memory.structs("env", [env])
