"""Makes the functions that a pool's ``xla()`` returns."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs.xla.arguments import ArgumentReader, import_jax, is_typed
from envpool_rs.xla.results import ResultBuilder
from envpool_rs.xla.untyped import untyped_call

if TYPE_CHECKING:
    from envpool_rs._spec.spec import EnvSpec

Functions = tuple[npt.NDArray[np.uint8], Callable[..., Any], Callable[..., Any], Callable[..., Any]]


def xla_functions(pool: _core.Pool, spec: EnvSpec) -> Functions:
    """Returns ``handle, recv, send, step`` of a pool.

    Args:
        pool: the pool; each function keeps it alive.
        spec: the pool's specification.

    Raises:
        ImportError: if jax is not installed; names the extra.
        RuntimeError: if the pool is closed, or belongs to this process's parent.
    """
    calls = PoolCalls(pool, spec)
    return calls.handle, calls.recv, calls.send, calls.step


@functools.cache
def register_handlers() -> None:
    """Registers the extension's call handlers with jax, once per process."""
    ffi = import_jax().ffi
    for name, platform, capsule in _core.xla_handlers():
        ffi.register_ffi_target(name, capsule, platform=platform, api_version=1)


class PoolCalls:
    """Methods that jax traces, each of which calls one pool.

    Attributes:
        handle: ``(16,)`` uint8: identifies the pool. Programs pass it from call to call, which keeps the calls in
            order.
    """

    def __init__(self, pool: _core.Pool, spec: EnvSpec) -> None:
        self._jax = import_jax()
        self._pool = pool  # keeps the pool alive
        self._is_typed = is_typed(self._jax)
        if self._is_typed:
            register_handlers()
        number, handle, arrays = _core.xla_exposure(pool)
        self._is_async = spec.is_async
        self._num_envs = spec.num_envs
        self._batch_size = spec.batch_size
        # The pool's number is passed as an attribute of the call, because an attribute has 64 bits in every jax
        # configuration.
        self._number = np.int64(number)
        self._arrays = [(np.dtype(dtype), rows, shape) for _, dtype, rows, shape in arrays]
        self._arguments = ArgumentReader(spec, self._num_envs)
        self._results = ResultBuilder(spec, [name for name, _, _, _ in arrays])
        self.handle = np.frombuffer(handle, np.uint8)

    def step(self, handle: Any, action: Any, env_id: Any = None) -> tuple[Any, Any]:
        """Runs ``send`` and ``recv`` in one call.

        Args:
            handle: the handle from ``xla()`` or from the previous call.
            action: as for the pool's own ``step``.
            env_id: ``(n,)`` integers; ``None`` for all environments, in order.

        Returns:
            The handle, and the result of the pool's own ``step``: of the given environments, or in async mode of the
                first ``batch_size`` environments to finish.
        """
        actions, ids = self._arguments.read(action, env_id)
        count = self._num_envs if ids is None else ids.shape[0]
        arguments = actions if ids is None else [*actions, ids]
        return self._receive("step", handle, arguments, self._batch_size if self._is_async else count)

    def send(self, handle: Any, action: Any, env_id: Any = None) -> Any:
        """Queues one step of some environments.

        Args:
            handle: as for ``step``.
            action: as for ``step``.
            env_id: as for ``step``. A synchronous pool accepts only all environments.

        Returns:
            The handle.
        """
        actions, ids = self._arguments.read(action, env_id)
        if ids is not None and not self._is_async and ids.shape[0] != self._num_envs:
            raise ValueError(
                f"env_id has {ids.shape[0]} entries: recv has room for num_envs={self._num_envs} rows, so that send "
                "takes all environments of a synchronous pool; step takes some, and send does where batch_size is "
                "below num_envs"
            )
        return self._call("send", handle, actions if ids is None else [*actions, ids], [])[0]

    def recv(self, handle: Any) -> tuple[Any, Any]:
        """Waits for the next batch.

        Args:
            handle: as for ``step``.

        Returns:
            The handle, and ``batch_size`` rows of the pool's own ``recv``.
        """
        return self._receive("recv", handle, [], self._batch_size)

    def _receive(self, name: str, handle: Any, arguments: Sequence[Any], rows: int) -> tuple[Any, Any]:
        canonical, describe = self._jax.dtypes.canonicalize_dtype, self._jax.ShapeDtypeStruct
        results = [describe((rows * each, *shape), canonical(dtype)) for dtype, each, shape in self._arrays]
        handle, *values = self._call(name, handle, arguments, results)
        return handle, self._results.build(values)

    def _call(self, name: str, handle: Any, arguments: Sequence[Any], results: Sequence[Any]) -> Any:
        handle = self._arguments.handle(handle)
        first = self._jax.ShapeDtypeStruct(handle.shape, handle.dtype)
        try:
            if not self._is_typed:
                return untyped_call(name, [first, *results], self._number)(handle, *arguments)
            call = self._jax.ffi.ffi_call(f"envpool_rs.{name}", [first, *results], has_side_effect=True)
            # XLA's GPU compiler fuses a call with slices of its arguments and results, as in `jax.lax.scan`, and then
            # also executes the original call. It does not fuse across barriers.
            barrier = self._jax.lax.optimization_barrier
            return barrier(call(*barrier((handle, *arguments)), pool=self._number))
        except NotImplementedError as error:
            raise NotImplementedError(
                f"{name}(): environments cannot be stepped inside jax.vmap, since a pool is one already: "
                "call it outside with all actions, or make pools of more environments"
            ) from error
