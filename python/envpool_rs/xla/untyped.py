"""Calls of pools for jax before 0.6, whose foreign function interface is missing or unfinished.

Each call is a custom call of XLA's older, untyped interface, as in EnvPool, wrapped in a jax primitive. That interface
has no public way to report a failure. Therefore, each call has an additional result, the failure's number; if it is not
0, the program calls Python, which raises the error.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from envpool_rs import _core
from envpool_rs.xla.arguments import import_jax

#: XLA's API version for custom calls that receive a string argument and a status
#: (``API_VERSION_STATUS_RETURNING_UNIFIED``).
API_VERSION = 3

#: Shape and dtype name of an array.
Description = tuple[tuple[int, ...], str]


def untyped_call(name: str, results: Sequence[Any], pool: int) -> Callable[..., list[Any]]:
    """Returns a function that calls the pool, like the result of ``jax.ffi.ffi_call``.

    Args:
        name: ``step``, ``send`` or ``recv``.
        results: shapes and dtypes of the results.
        pool: the pool's number.

    Returns:
        A function that maps the call's arguments to its results.
    """
    return _compile(name, tuple((tuple(each.shape), np.dtype(each.dtype).name) for each in results), int(pool))


@functools.lru_cache(maxsize=256)
def _compile(name: str, results: tuple[Description, ...], pool: int) -> Callable[..., list[Any]]:
    jax = import_jax()
    primitive = _primitive(name)
    from jax.experimental import io_callback

    def report(number: Any) -> None:
        io_callback(_raise, None, number)

    def call(*arguments: Any) -> list[Any]:
        *values, failure = primitive.bind(*arguments, results=(*results, ((), "int32")), pool=pool)
        jax.lax.cond(failure != 0, report, lambda number: None, failure)
        return list(values)

    compiled: Callable[..., list[Any]] = jax.jit(call)
    return compiled


def _raise(number: Any) -> None:
    message = _core.xla_failure(int(number))
    raise RuntimeError(message or "a call failed, and so many after it that its reason is forgotten")


@functools.cache
def _primitive(name: str) -> Any:
    jax = import_jax()
    from jax.interpreters import ad, batching, mlir
    from jaxlib import xla_client

    try:
        from jax.extend.core import Primitive
    except ImportError:  # jax before 0.4.36
        Primitive = jax.core.Primitive  # noqa: N806

    target = f"envpool_rs.{name}"
    capsules: dict[str, Any] = dict(_core.xla_untyped_calls())
    xla_client.register_custom_call_target(target, capsules[target], platform="cpu")
    primitive = Primitive(target)
    primitive.multiple_results = True

    @primitive.def_abstract_eval  # type: ignore[untyped-decorator]
    def abstract(*_: Any, results: Sequence[Description], pool: int) -> list[Any]:
        return [jax.core.ShapedArray(shape, np.dtype(dtype)) for shape, dtype in results]

    def refuse_batches(*_: Any, **__: Any) -> Any:
        raise NotImplementedError(f"{name}() inside jax.vmap")

    def refuse_gradients(*_: Any, **__: Any) -> Any:
        raise ValueError(
            f"{name}() cannot be differentiated: stop gradients before it, by jax.lax.stop_gradient(action)"
        )

    batching.primitive_batchers[primitive] = refuse_batches
    ad.primitive_jvps[primitive] = refuse_gradients
    mlir.register_lowering(primitive, functools.partial(_lower, target), platform="cpu")
    return primitive


def _lower(target: str, context: Any, *operands: Any, results: Sequence[Description], pool: int) -> Any:
    from jax.interpreters import mlir
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo

    arguments = [(each.shape, np.dtype(each.dtype).name) for each in context.avals_in]
    text = f"{pool};{_text(arguments)};{_text(results)}"
    types = [mlir.aval_to_ir_type(each) for each in context.avals_out]
    layouts = [
        ir.ArrayAttr.get([_row_major(ir, shape) for shape, _ in descriptions]) for descriptions in (arguments, results)
    ]
    call: Any = stablehlo.CustomCallOp(
        [ir.TupleType.get_tuple(types)],
        list(operands),
        call_target_name=ir.StringAttr.get(target),
        has_side_effect=ir.BoolAttr.get(True),
        backend_config=ir.StringAttr.get(text),
        api_version=ir.IntegerAttr.get(ir.IntegerType.get_signless(32), API_VERSION),
        called_computations=ir.ArrayAttr.get([]),
        operand_layouts=layouts[0],
        result_layouts=layouts[1],
    )
    index_attribute = functools.partial(ir.IntegerAttr.get, ir.IntegerType.get_signless(32))
    return [stablehlo.GetTupleElementOp(call, index_attribute(index)).result for index in range(len(types))]


def _text(arrays: Sequence[Description]) -> str:
    return ",".join(f"{dtype}:{'x'.join(map(str, shape))}" for shape, dtype in arrays)


def _row_major(ir: Any, shape: tuple[int, ...]) -> Any:
    return ir.DenseIntElementsAttr.get(np.arange(len(shape) - 1, -1, -1, dtype=np.int64), type=ir.IndexType.get())
