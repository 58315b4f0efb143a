"""Building blocks of compiled functions: pointers, calls that return exceptions as values, and random streams.

This module imports numba; other modules import it on use.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, overload_method, register_model

from envpool_rs import _core
from envpool_rs.numba.abi import LAYOUTS

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
to_bytes = pointer_to(types.uint8)


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
def release(typing: Any, address: Any) -> Any:
    """Frees memory that numba's runtime has allocated."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        context.nrt.free(builder, builder.inttoptr(arguments[0], ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.uint64), generate


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
    """Declares a function of the pool's `epr_host` table, so that compiled code can call it by a symbol."""
    table = ctypes.cast(_core.plugin_host(), ctypes.POINTER(ctypes.c_uint64))
    symbol = f"envpool_rs_host_{name}"
    llvm.add_symbol(symbol, table[LAYOUTS["host"].index(name)])
    return types.ExternalFunction(symbol, signature)


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
