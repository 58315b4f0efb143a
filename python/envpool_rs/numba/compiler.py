"""Compiles the functions of tasks by Numba, and stores them in files. This module imports numba."""

from __future__ import annotations

import contextlib
import dis
import functools
import hashlib
import inspect
import linecache
import math
import os
import pickle
import re
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, ModuleType
from typing import Any, NoReturn

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
from numba.np import arrayobj

from envpool_rs import _core
from envpool_rs.numba.definition import PARAMETERS, TIMES, WORD, Arrays, Definition, Leaf, Option, parameters_of
from envpool_rs.numba.python_env import check_shapes

_LAYOUTS, CONSTANTS = _core.plugin_layouts()

STRUCTS: dict[str, np.dtype[Any]] = {}
"""Numpy's dtype of each struct ``epr_...``."""

for _name, _fields in _LAYOUTS:
    STRUCTS[_name] = np.dtype([(field, STRUCTS.get(kind, kind)) for field, kind in _fields], align=True)


def _used_values(function: FunctionType) -> tuple[dict[str, Any], dict[str, Any]]:
    """Returns the globals, and the variables of enclosing functions, that a function and its inner functions use."""
    codes, names = [function.__code__], set()
    for code in codes:
        names |= {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
    used = {name: function.__globals__[name] for name in sorted(names & function.__globals__.keys())}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    return used, {name: cell.cell_contents for name, cell in cells}


def _content(value: Any, seen: dict[int, int]) -> Iterator[Any]:
    """Yields what identifies a value: plain data, an array, a module, or a function with all values that it uses.

    Raises a ValueError for other values, with which compiled code cannot be cached.
    """
    kind = type(value).__name__
    if value is None or value is Ellipsis or isinstance(value, (bool, int, float, complex, str, bytes)):
        yield kind, value
    elif isinstance(value, (tuple, list, dict)):
        parts = [part for item in value.items() for part in item] if isinstance(value, dict) else value
        yield kind, len(parts)
        for part in parts:
            yield from _content(part, seen)
    elif isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        if array.dtype.hasobject:
            raise ValueError(f"an array of objects: {value!r}")
        yield kind, array.dtype.descr, array.shape, array.tobytes()
    elif isinstance(value, CodeType):
        # File, function and lines are part of the key, because compiled exceptions contain them.
        yield value.co_code, value.co_names, value.co_varnames, value.co_filename, value.co_name
        yield from _content([value.co_firstlineno, *value.co_consts], seen)
    elif isinstance(value, ModuleType):
        yield kind, value.__name__
        if not _is_installed(value.__name__):
            if getattr(value, "__file__", None) is None:
                raise ValueError(f"module {value.__name__} without a file")
            yield Path(str(value.__file__)).read_bytes()
    elif isinstance(value, (type, BuiltinFunctionType, np.ufunc, np.dtype)):
        yield str(type(value)), str(getattr(value, "__module__", "")), str(value)
    else:
        yield from _function_content(value, seen)


def _function_content(value: Any, seen: dict[int, int]) -> Iterator[Any]:
    function = getattr(value, "py_func", value)  # of a function that Numba has compiled
    if not isinstance(function, FunctionType):
        raise ValueError(repr(value))
    if id(function) in seen:
        yield "seen", seen[id(function)]
        return
    seen[id(function)] = len(seen)
    # The module's name is part of the key, because Numba imports the module by this name when it loads cached code.
    yield "function", function.__module__, function.__qualname__
    if not _is_installed(function.__module__):
        yield sorted(getattr(value, "targetoptions", {}).items()), function.__defaults__
        yield from _content([function.__code__, *_used_values(function)], seen)


def content_hash(value: Any) -> str:
    """Returns a hash of functions and of all values that their compiled code depends on."""
    found = hashlib.sha256()
    for part in _content(value, {}):
        found.update(repr(part).encode() + b"\0")
    return found.hexdigest()


def _is_installed(module: str | None) -> bool:
    """Returns whether a module belongs to Python, numpy or numba, whose versions are part of each key."""
    first = (module or "").partition(".")[0]
    return first in sys.stdlib_module_names or first in ("numpy", "numba", "llvmlite")


def _with_compiled_helpers(function: FunctionType, compiled: Callable[..., Any], seen: dict[int, Any]) -> Any:
    """Compiles a function with all plain Python functions that it calls by their global names."""
    if id(function) in seen:
        return seen[id(function)]
    used, enclosed = _used_values(function)
    scope = dict(function.__globals__)
    cells = {name: CellType(value) for name, value in enclosed.items()}
    closure = tuple(cells.values()) or None
    copy = FunctionType(function.__code__, scope, function.__name__, function.__defaults__, closure)
    copy.__kwdefaults__ = function.__kwdefaults__
    copy.__module__, copy.__qualname__ = function.__module__, function.__qualname__
    result = seen[id(function)] = compiled(copy)
    for name, value in {**used, **enclosed}.items():
        if isinstance(value, FunctionType) and not _is_installed(value.__module__):
            helper = _with_compiled_helpers(value, compiled, seen)
            if name in cells:
                cells[name].cell_contents = helper
            else:
                scope[name] = helper
    return result


def key_of(definition: Definition) -> str | None:
    """Returns the hash of everything that the compiled code depends on: versions, settings, processor, this package and
    the functions; ``None`` if a function uses a value that cannot be hashed.
    """
    versions = [_core.__version__, sys.version, numba.__version__, np.__version__, llvm.get_host_cpu_name()]
    settings = [numba.config.BOUNDSCHECK, numba.config.OPT, str(llvm.get_host_cpu_features())]
    structs = [[name, str(dtype)] for name, dtype in STRUCTS.items()]
    task = [definition.layout(), definition.frame, definition.boundscheck, dict(definition.functions)]
    try:
        own = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
        return content_hash([versions, settings, structs, own, task])
    except (ValueError, OSError):
        return None


CACHE_VARIABLE = "ENVPOOL_RS_NUMBA_CACHE"
"""Environment variable that sets the folder of compiled functions; empty for no cache."""

_DIGEST = hashlib.sha256().digest_size


class CodeCache:
    """Compiled functions of one task, read from and written to one file. It has the interface of numba's caches.

    The file begins with a hash of its contents. A file with another hash is ignored and replaced, because LLVM ends the
    process for a damaged object file. If no file can be written, a warning says so once.
    """

    def __init__(self, name: str, key: str | None) -> None:
        self.compilations = 0
        self.functions: dict[str, bytes] = {}
        self._name = ""
        self._path: Path | None = None
        configured = os.environ.get(CACHE_VARIABLE)
        if key is None or configured == "":
            return
        try:
            base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
            folder = Path(configured) if configured else Path(base or Path.home() / ".cache") / "envpool_rs" / "numba"
            folder.mkdir(parents=True, exist_ok=True)
            if not os.access(folder, os.W_OK):
                raise OSError(f"{folder} is not writable")
        except (
            OSError,
            RuntimeError,
        ) as error:  # `Path.home` raises a RuntimeError for a user without a home directory
            _warn(error)
            return
        self._path = folder / f"{name.replace('/', '.')[:64]}-{key[:24]}.bin"
        with contextlib.suppress(OSError):
            content = self._path.read_bytes()
            if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
                self.functions = pickle.loads(content[_DIGEST:])

    def compiled(self, function: Callable[..., Any]) -> Any:
        """Returns a compiled C function, from the file if possible. Arguments are addresses."""
        self._name = function.__name__
        parameters = inspect.signature(function).parameters
        compiled: Any = CFunc(function, ((types.uint64,) * len(parameters), types.int64), {}, {})
        compiled._cache = self
        compiled.compile()
        return compiled

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        try:
            return CompileResult._rebuild(target, *pickle.loads(self.functions[self._name]))
        except Exception:  # not stored, or of a class or module that no longer exists: the function is compiled again
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        self.compilations += 1
        if self._path is not None and not result.library.has_dynamic_globals:
            self.functions[self._name] = dumps(result._reduce())

    def save(self) -> None:
        """Writes the file atomically, if functions were compiled: other processes see the complete file or none."""
        if self._path is None or not self.compilations:
            return
        content = pickle.dumps(self.functions)
        try:
            with tempfile.NamedTemporaryFile(dir=self._path.parent, delete=False, suffix=".tmp") as file:
                try:
                    file.write(hashlib.sha256(content).digest() + content)
                    file.close()
                    Path(file.name).replace(self._path)
                except BaseException:
                    Path(file.name).unlink(missing_ok=True)
                    raise
        except OSError as error:
            _warn(f"{self._path}: {error}")


def _warn(reason: object) -> None:
    name = f"{CACHE_VARIABLE}={os.environ.get(CACHE_VARIABLE)!r}"
    expected = "expected a writable folder, or an empty text for no cache"
    warnings.warn(f"{name}: {expected}; each process compiles its tasks: {reason}", RuntimeWarning, stacklevel=2)


_I8, _I64 = ir.IntType(8), ir.IntType(64)


def _as(source, target):
    """Returns a function for compiled code that takes an address for a pointer, struct or stream, or the reverse."""

    def generate(context, builder, signature, values):
        kind = context.get_value_type(target)
        return values[0] if kind == values[0].type else builder.inttoptr(values[0], kind)

    return intrinsic(lambda typing, value: (target(source), generate))


_batch_at, _env_at = (_as(types.uint64, numba.from_dtype(STRUCTS[name])) for name in ("batch", "env"))
_to_u8, _to_u32, _to_u64 = (_as(types.uint64, types.CPointer(getattr(types, f"uint{bits}"))) for bits in (8, 32, 64))


def _value_at(context, builder, place, address):
    """Generates the value at an address: an array or a struct, which refers to memory, or a number, which is loaded."""
    kind, element, shape = place
    if isinstance(kind, types.Record):
        return builder.inttoptr(address, context.get_value_type(kind))
    pointer = builder.inttoptr(address, context.get_data_type(element).as_pointer())
    if not isinstance(kind, types.Array):
        return context.cast(builder, context.unpack_value(builder, element, pointer), element, kind)
    size = arrayobj.get_itemsize(context, kind)
    steps = [size * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    sizes, strides = ([context.get_constant(types.intp, each) for each in numbers] for numbers in (shape, steps))
    array = arrayobj.make_array(kind)(context, builder)
    arrayobj.populate_array(array, pointer, sizes, strides, context.get_constant(types.intp, size), meminfo=None)
    return array._getvalue()


class _Values:
    """Values in memory that a user's function takes: a state, the options, or arrays of an action or for results."""

    def __init__(self, arrays, *, has_numbers=False, doubles=()):
        """With ``has_numbers``, arrays without dimensions are numbers, or structs; those in ``doubles`` are stored as
        float64.
        """
        self._arrays, self._places = arrays, []
        for leaf, shape in zip(arrays.leaves, arrays.shapes, strict=True):
            element = numba.from_dtype(np.dtype(leaf.action_dtype if has_numbers else leaf.dtype))
            number = element if leaf.kind == "BOX" else types.int64
            kind = number if has_numbers and not shape else types.Array(element, len(shape), "C")
            element = types.float64 if leaf.name in doubles else element
            self._places.append((kind, element, shape))
        self.kind = self._nest([(kind, None) for kind, *_ in self._places], lambda kind, values: None)[0]

    def _nest(self, pairs, make):
        """Returns type and value of namedtuples, which ``make`` makes, from those of their values."""

        def join(cls, members):
            kind = types.NamedTuple([each for each, _ in members], cls)
            return kind, make(kind, [value for _, value in members])

        return self._arrays.nest(pairs, join) if pairs else (types.none, None)

    def reader(self):
        """Returns a function for compiled code of the addresses of first rows, their strides, and the number of a row.

        If one address is given for several values, they are consecutive words.
        """

        @intrinsic
        def read(typing, rows, strides, index):
            def generate(context, builder, signature, arguments):
                rows, strides = (cgutils.unpack_tuple(builder, each) for each in arguments[:2])
                rows = [
                    builder.add(row, builder.mul(stride, arguments[2]))
                    for row, stride in zip(rows, strides, strict=True)
                ]
                if len(rows) < len(self._places):
                    rows = [builder.add(rows[0], _I64(WORD * k)) for k in range(len(self._places))]
                pairs = zip(self._places, rows, strict=True)
                values = [(place[0], _value_at(context, builder, place, row)) for place, row in pairs]
                value = self._nest(values, lambda kind, members: context.make_tuple(builder, kind, members))[1]
                return context.get_dummy_value() if value is None else value

            return self.kind(rows, strides, index), generate

        return read

    def rows(self):
        """Returns a function for compiled code that loads addresses of first rows and strides from their lists.

        A row that the caller does not request, whose address is 0, is written into scratch memory.
        """
        words = types.Tuple((types.uint64,) * len(self._places))

        @intrinsic
        def load(typing, rows, strides, scratch):
            def generate(context, builder, signature, arguments):
                found = []
                for k, offset in enumerate(self._arrays.offsets[:-1]):
                    lists = [builder.inttoptr(each, _I64.as_pointer()) for each in arguments[:2]]
                    row, stride = (builder.load(builder.gep(each, [_I64(k)])) for each in lists)
                    is_given = builder.icmp_unsigned("!=", row, _I64(0))
                    row = builder.select(is_given, row, builder.add(arguments[2], _I64(offset)))
                    found.append((row, builder.select(is_given, stride, _I64(0))))
                tuples = [context.make_tuple(builder, words, each) for each in zip(*found, strict=True)]
                return context.make_tuple(builder, signature.return_type, tuples)

            return types.Tuple((words, words))(rows, strides, scratch), generate

        return load


_HOST = _core.numba_functions()


def _host_function(name, result, *arguments):
    """Declares a function of the pool, so that compiled code can call it by a symbol."""
    symbol = f"envpool_rs_host_{name}"
    llvm.add_symbol(symbol, _HOST[name])
    return types.ExternalFunction(symbol, result(*arguments))


class Stream(types.Type):
    """numba type of the parameter ``random``, whose methods draw the same bits as those of numpy's ``Generator``. Its
    values are addresses of an `epr_random`.
    """


_stream = Stream("envpool_rs.numba.Stream")
register_model(Stream)(lambda manager, kind: models.PrimitiveModel(manager, kind, _I64))
_stream_at, _address_of = _as(types.uint64, _stream), _as(_stream, types.uint64)

_f64, _i64, _u64 = types.float64, types.int64, types.uint64
_random = _host_function("random", _f64, _u64)
_uniform = _host_function("uniform", _f64, _u64, _f64, _f64)
_normal = _host_function("normal", _f64, _u64)
_exponential = _host_function("exponential", _f64, _u64)
_integers = _host_function("integers", _i64, _u64, _i64, _i64)


def _method(name, implementation):
    """Defines a method of `Stream` that one function implements for all types of arguments."""

    @functools.wraps(implementation)
    def typed(*kinds, **named_kinds):
        return implementation

    typed.__name__ = typed.__qualname__ = f"_{name}_method"
    overload_method(Stream, name)(typed)


_method("random", lambda stream: _random(_address_of(stream)))
_method("uniform", lambda stream, low=0.0, high=1.0: _uniform(_address_of(stream), low, high))
_method("standard_normal", lambda stream: _normal(_address_of(stream)))
_method("normal", lambda stream, loc=0.0, scale=1.0: loc + scale * _normal(_address_of(stream)))
_method("standard_exponential", lambda stream: _exponential(_address_of(stream)))
_method("exponential", lambda stream, scale=1.0: scale * _exponential(_address_of(stream)))


@overload_method(Stream, "integers")
def _integers_method(stream, low, high=None):
    def below(stream, low, high=None):
        if low <= 0:
            raise ValueError("high <= 0")
        return _integers(_address_of(stream), 0, low)

    def between(stream, low, high=None):
        if low >= high:
            raise ValueError("low >= high")
        return _integers(_address_of(stream), low, high)

    has_high = high is not None and not isinstance(high, (types.NoneType, types.Omitted))
    are_integers = isinstance(low, types.Integer) and (not has_high or isinstance(high, types.Integer))
    return (between if has_high else below) if are_integers else None


_VALUES = {"state": 0, "random": 1, "options": 2, "action": 3, "out": 3, "picture": 3}
"""Position of each parameter in the values for `_guarded`."""

_STREAM_SIZE = np.uint64(STRUCTS["random"].itemsize)


@intrinsic
def _guarded(typing, function, values):
    """Calls a compiled function of a task with those of the values that it takes; returns whether it raised, the
    address of numba's exception, and the result.
    """
    dispatcher = function.dispatcher
    places = [_VALUES[name] for name in parameters_of(dispatcher.py_func)]
    kinds = tuple(values.types[place] for place in places)
    dispatcher.compile(kinds)
    compiled = dispatcher.overloads[kinds]
    result = compiled.signature.return_type

    def generate(context, builder, signature, arguments):
        items = cgutils.unpack_tuple(builder, arguments[1])
        context.active_code_library.add_linking_library(compiled.library)
        taken = [items[place] for place in places]
        status, value = context.call_internal_no_propagate(builder, compiled.fndesc, compiled.signature, taken)
        # The memory is initialised with zeros, because the result of a call that raised an exception is undefined.
        stored = cgutils.alloca_once_value(builder, context.get_constant_null(result))
        with builder.if_then(status.is_ok):
            builder.store(value, stored)
        raised = builder.select(status.is_user_exc, builder.ptrtoint(status.excinfoptr, _I64), _I64(0))
        return context.make_tuple(builder, signature.return_type, [status.is_error, raised, builder.load(stored)])

    return types.Tuple((types.boolean, types.uint64, result))(function, values), generate


def _finish(players: int) -> Any:
    """Returns a function for compiled code that stores the rewards of a user's function at an address, and returns bits
    of `epr_batch.end`: how the step ended, or that ``is_valid`` is false.
    """

    def reward(context, builder, kind, value, player):
        if isinstance(kind, types.BaseTuple):
            kind, value = kind.types[player], builder.extract_value(value, player)
        elif isinstance(kind, types.Array):
            array = context.make_array(kind)(context, builder, value)
            item = cgutils.get_item_pointer(context, builder, kind, array, [context.get_constant(types.intp, player)])
            kind, value = kind.dtype, arrayobj.load_item(context, builder, kind, item)
        return context.cast(builder, value, kind, types.float64)

    @intrinsic
    def finish(typing, rewards, result):
        def generate(context, builder, signature, values):
            end = _I8(0)
            if result == types.none:
                return end
            if not isinstance(result, types.BaseTuple):
                return builder.select(context.is_true(builder, result, values[1]), end, _I8(CONSTANTS["FAILED"]))
            parts = cgutils.unpack_tuple(builder, values[1])
            first = builder.inttoptr(values[0], context.get_data_type(types.float64).as_pointer())
            for player in range(players):
                number = reward(context, builder, result.types[0], parts[0], player)
                builder.store(number, builder.gep(first, [_I64(player)]))
            for bit, kind, part in zip(("TERMINATED", "TRUNCATED"), result.types[1:], parts[1:], strict=False):
                is_set = context.is_true(builder, kind, part)
                end = builder.or_(end, builder.select(is_set, _I8(CONSTANTS[bit]), _I8(0)))
            return end

        return types.uint8(rewards, result), generate

    return finish


@intrinsic
def _release(typing, address):
    """Frees memory that numba's runtime has allocated."""

    def generate(context, builder, signature, values):
        context.nrt.free(builder, builder.inttoptr(values[0], _I8.as_pointer()))
        return context.get_dummy_value()

    return types.void(types.uint64), generate


_write_message = _host_function("write_exception", types.void, _u64, _u64, _u64)
_write_invalid_state = _host_function("write_invalid_state", types.void, _u64, _u64)


@numba.njit
def _write_exception(batch, raised):
    """Writes the message of numba's exception at the address ``raised`` (0 for an unknown one).

    The exception is a struct: a pickle, its length, and for arguments that are not constant their address, a function,
    and their number. numba allocates the struct and the arguments in this case.
    """
    _write_message(batch.error, batch.error_size, raised)
    if raised != 0:
        words = numba.carray(_to_u64(raised), 5)
        if words[4] & 0xFFFFFFFF != 0:
            _release(words[2])
            _release(raised)


class CompiledTask:
    """Compiled functions of a task, by ``addresses`` that the C interface calls."""

    def __init__(self, definition: Definition, key: str | None) -> None:
        """Compiles the functions, or loads them from the cache."""
        self._definition = definition
        jit = numba.njit(error_model="python", boundscheck=definition.boundscheck or None)
        seen: dict[int, Any] = {}
        self._user = {name: _with_compiled_helpers(each, jit, seen) for name, each in definition.functions.items()}
        self._options = _Values(definition.option_values, has_numbers=True, doubles=definition.drawn)
        state = Leaf("", "BOX", definition.state, definition.state_shape or ())
        self._state = _Values(Arrays("State", (state,)), has_numbers=True)
        none = _Values(Arrays("None", ()))
        self._members = {"reset": none, "step": _Values(definition.action, has_numbers=True), "is_valid": none}
        self._members.update(observe=_Values(definition.observation), inform=_Values(definition.infos))
        cache = CodeCache(definition.task_id, key)
        if not cache.functions:
            check_shapes(definition)
            self._check_results({name: self._result(name) for name in self._user})
        self.functions = {}
        for name in self._user:
            function = self._render() if name == "render" else self._table_function(name)
            function.__name__ = name
            function.__qualname__ = f"{name}_{(key or str(id(self)))[:24]}"  # symbols must differ
            try:
                self.functions[name] = cache.compiled(function)
            except numba.core.errors.NumbaError as error:
                raise _compile_error(definition, name, error) from error
        cache.save()
        self.compilations = cache.compilations
        self.addresses = {name: int(function.address) for name, function in self.functions.items()}
        self.addresses.update(make=_HOST["make"], unmake=_HOST["unmake"])

    def _table_function(self, name):
        """Returns a function of the C interface, which calls a user's function for each environment of a batch."""
        user, members, players = self._user[name], self._members[name], self._definition.players
        state_at, options_at, members_at = (each.reader() for each in (self._state, self._options, members))
        rows_of, finish, is_step, has_ends = members.rows(), _finish(players), name == "step", name in ("reset", "step")
        failure, stream_size, reward_size = np.uint8(CONSTANTS["FAILED"]), _STREAM_SIZE, np.uint64(WORD * players)
        options_of = self._option_rows()

        def function(env, batch):
            b = _batch_at(batch)
            # These fields are loaded once, before the loop: the compiler cannot know that the user's functions do not
            # change them.
            count, states, lane_stride, streams, rewards = np.int64(b.count), b.state, b.lane_stride, b.random, b.reward
            lanes, ends = numba.carray(_to_u32(b.lane), count), numba.carray(_to_u8(b.end), count)
            lists = (b.action, b.action_stride) if is_step else (b.out, b.out_stride)
            rows, strides = rows_of(lists[0], lists[1], b.scratch)
            option_rows, option_strides = options_of(_env_at(env).data, b.option)
            for i in range(count):
                lane, row = np.uint64(lanes[i]), np.uint64(i)
                options = options_at(option_rows, option_strides, lane)
                state, random = state_at((states,), (lane_stride,), lane), _stream_at(streams + lane * stream_size)
                values = (state, random, options, members_at(rows, strides, row))
                failed, raised, result = _guarded(user, values)
                if failed:
                    _write_exception(b, raised)
                    end = failure
                else:
                    end = finish(rewards + row * reward_size, result)
                if has_ends:
                    ends[i] = end
                elif end != 0:
                    if not failed:
                        _write_invalid_state(b.error, b.error_size)
                    return 1
            return 0

        return function

    def _option_rows(self):
        """Returns a function for compiled code that takes the addresses of an environment's options and of the first
        lane's drawn ones, and returns the address of the first lane's value of each option, and its stride in bytes.
        """
        names, drawn = list(self._definition.options) or ["none"], self._definition.drawn
        stride = WORD * len(drawn)
        words = types.Tuple((types.uint64,) * len(names))

        @intrinsic
        def rows(typing, data, option):
            def generate(context, builder, signature, arguments):
                common, of_lanes = arguments
                found, strides = [], []
                for k, name in enumerate(names):
                    is_drawn = name in drawn
                    word = drawn.index(name) if is_drawn else k + 1  # the common ones stand after their number
                    found.append(builder.add(of_lanes if is_drawn else common, _I64(WORD * word)))
                    strides.append(_I64(stride if is_drawn else 0))
                tuples = [context.make_tuple(builder, words, each) for each in (found, strides)]
                return context.make_tuple(builder, signature.return_type, tuples)

            return types.Tuple((words, words))(data, option), generate

        return rows

    def _render(self):
        """Returns the function ``render`` of the C interface, which gets one environment."""
        user, state_at, options_at = self._user["render"], self._state.reader(), self._options.reader()
        shape, stream_size, options_of = (*self._definition.frame[::-1], 3), _STREAM_SIZE, self._option_rows()

        def render(env, batch, rgb):
            b = _batch_at(batch)
            lane = np.uint64(numba.carray(_to_u32(b.lane), 1)[0])
            picture = numba.carray(_to_u8(rgb), shape)
            picture[...] = 0
            state, random = state_at((b.state,), (b.lane_stride,), lane), _stream_at(b.random + lane * stream_size)
            options = options_at(*options_of(_env_at(env).data, b.option), lane)
            failed, raised, _ = _guarded(user, (state, random, options, picture))
            if failed:
                _write_exception(b, raised)
            return 1 if failed else 0

        return render

    def _result(self, name: str) -> Any:
        """Compiles a user's function, and returns the type of its result."""
        function = self._user[name]
        last = types.Array(types.uint8, 3, "C") if name == "render" else self._members[name].kind
        known = (self._state.kind, _stream, self._options.kind, last)
        kinds = tuple(known[_VALUES[each]] for each in parameters_of(function.py_func))
        try:
            function.compile(kinds)
        except Exception as error:  # numba also raises exceptions of its own code
            raise _compile_error(self._definition, name, error) from None
        return function.overloads[kinds].signature.return_type

    def _check_results(self, results: dict[str, Any]) -> None:
        def refuse(name: str, returned: Any, expected: str) -> NoReturn:
            raise TypeError(f"{self._definition.task_id}: {name} returns {returned}: expected {expected}")

        bools, numbers = (types.Boolean, types.Integer), (types.Float, types.Integer, types.Boolean)
        for name, result in results.items():
            if name == "is_valid" and not isinstance(result, bools):
                refuse(name, result, "a bool")
            if name not in ("step", "is_valid") and result != types.none:
                refuse(name, result, "nothing; it fills in its parameters")
        step, players = results["step"], self._definition.players
        expected = _STEP_RETURNS
        if not isinstance(step, types.BaseTuple) or len(step) not in (2, 3):
            refuse("step", step, expected)
        reward, *ends = step.types
        if not all(isinstance(each, bools) for each in ends):
            refuse("step", step, f"{expected}, with bools as the last ones")
        if players == 1:
            if not isinstance(reward, numbers):
                refuse("step", f"a reward of type {reward}", f"a number in {expected}")
            return
        rewards = reward.types if isinstance(reward, types.BaseTuple) else []
        if isinstance(reward, types.Array) and reward.ndim == 1:
            rewards = [reward.dtype] * players
        if len(rewards) != players or not all(isinstance(each, numbers) for each in rewards):
            refuse("step", f"rewards {reward}", f"{players} numbers, one for each player")


def _compile_error(definition: Definition, name: str, error: Exception) -> TypeError:
    """Returns the error for a function that Numba rejects: the user's file and line, and one sentence."""
    location, function, kind = getattr(error, "loc", None), definition.functions[name], ""
    file, line = function.__code__.co_filename, function.__code__.co_firstlineno
    if location is None:
        kind = f"{type(error).__name__}: "
    else:
        file, line = location.filename, location.line
    lines = [line.strip() for line in str(error).replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()]
    useful = [line for line in lines if line and not line.startswith(_CONTEXT)] or ["numba gives no reason"]
    useful = [_METHOD.sub(r"random.\1(", _FUNCTION.sub(r"\1", line)) for line in useful]
    sentence = useful[0]
    for call in [line[4:] for line in useful if line.startswith(">>> ")][:1]:  # in which the error occurred
        sentence = sentence if call in sentence else f"{sentence.rstrip(':')}: {call}"
    returns = linecache.getline(file, line).lstrip().startswith("return")
    if name == "step" and (returns or "return type" in sentence):
        sentence = f"{sentence.rstrip('.')}; expected step to return {_STEP_RETURNS}"
    call = f"{name}({', '.join(PARAMETERS[name])}) ({file}, line {line})"
    return TypeError(f"{definition.task_id}: {call} cannot be compiled: {kind}{sentence}")


_STEP_RETURNS = "(reward, terminated) or (reward, terminated, truncated)"
_CONTEXT = (
    "Failed in nopython mode",
    "During: ",
    "There are ",
    "Overload ",
    "File ",
    "- Of which",
    "- Resolution fail",
)
_FUNCTION = re.compile(r"Function\(<(?:built-in |ufunc )?(?:function )?'?(\w+)'?(?: at \w+)?>\)")
_METHOD = re.compile(r"_(\w+)_method\(envpool_rs\.numba\.Stream(?:, )?")


# Table of a library with one task (`epr_library`), whose structs and constants are those of `envpool_rs.h`


class Memory(list[Any]):
    """Owner of structs, arrays and strings that C code reads. Their addresses never change."""

    def array(self, values: Sequence[Any], dtype: Any) -> int:
        """Stores an array, and returns its address; 0 for an empty one."""
        stored = np.array(values, dtype)
        self.append(stored)
        return int(stored.ctypes.data) if stored.size else 0

    def text(self, text: str) -> int:
        return self.array(list(text.encode() + b"\0"), np.uint8)

    def structs(self, name: str, rows: Sequence[Mapping[str, Any]]) -> int:
        """Stores consecutive structs, and returns the address of the first; 0 without rows. Omitted fields are zero."""
        table = np.zeros(len(rows), STRUCTS[name])
        table["size"] = table.itemsize
        for struct, row in zip(table, rows, strict=True):
            for field, value in row.items():
                struct[field] = value
        self.append(table)
        return int(table.ctypes.data) if rows else 0


def library_of(definition: Definition, addresses: Mapping[str, int], task_id: str) -> tuple[int, Memory]:
    """Returns the address of the table of a library, whose functions have these addresses, and the table's memory."""
    memory = Memory()
    arrays = {"observation": definition.observation, "action": definition.action, "info": definition.infos}
    env = {
        "players": definition.players,
        "flags": CONSTANTS["PLAIN"] | (CONSTANTS["UNIFORM"] if definition.uniform else 0),
        "state_size": definition.state.itemsize * int(np.prod(definition.state_shape or (), dtype=np.int64)),
        "state_align": max(WORD, definition.state.alignment),
        "scratch_size": max(definition.observation.offsets[-1], definition.infos.offsets[-1]),
        "frame_width": definition.frame[0],
        "frame_height": definition.frame[1],
        "frames_per_second": definition.frames_per_second if definition.frame[0] else 0,
        **{name: address for name, address in addresses.items() if name != "make"},
    }
    for name, each in arrays.items():
        env |= {
            f"{name}s": len(each.leaves),
            name: memory.structs("array", [_array(leaf, memory) for leaf in each.leaves]),
        }
    task = {
        "id": memory.text(task_id),
        "max_episode_steps": definition.max_episode_steps,
        "reward_threshold": definition.reward_threshold,
        "options": len(definition.options),
        "option": memory.structs("option", [_option(*each, memory) for each in definition.options.items()]),
        "data": memory.structs("env", [env]),  # the struct from which every `epr_env` of the task is copied
        "make": addresses["make"],
    }
    # Without a version of the user, snapshots and pickles contain a hash of the layout, on which the functions have no
    # influence.
    version = definition.version or hashlib.sha256(repr(definition.layout()).encode()).hexdigest()[:12]
    library = {
        "name": memory.text(f"numba {definition.task_id.replace('/', '.')}"),  # as snapshots and pickles contain it
        "version": memory.text(version),
        "tasks": 1,
        "task": memory.array([memory.structs("task", [task])], np.uint64),
    }
    return memory.structs("library", [library]), memory


def _array(leaf: Leaf, memory: Memory) -> dict[str, Any]:
    return {
        "name": memory.text(leaf.name),
        "kind": CONSTANTS[leaf.kind],
        "dtype": CONSTANTS[leaf.dtype.upper()],
        "flags": CONSTANTS.get(TIMES[leaf.when], 0),
        "dims": len(leaf.shape),
        "shape": memory.array(leaf.shape, np.uint64),
        "bounds": len(leaf.low),
        "low": memory.array(leaf.low, np.float64),
        "high": memory.array(leaf.high, np.float64),
        "n": memory.array(leaf.n, np.int64),
        "start": leaf.start,
    }


def _option(name: str, option: Option, memory: Memory) -> dict[str, Any]:
    default, is_float = option.default, isinstance(option.default, float)
    kind = CONSTANTS[f"OPTION_{type(default).__name__.upper()}"]
    return {
        "name": memory.text(name),
        "doc": memory.text(option.doc or "an option of this environment"),
        "value": (kind, 0 if is_float else default, default if is_float else 0, 0),
        "low": -np.inf if option.low is None else option.low,
        "high": np.inf if option.high is None else option.high,
        "flags": (0 if option.low is None and option.high is None else CONSTANTS["RANGE"])
        | (CONSTANTS["DRAWN"] if option.drawn else 0),
    }
