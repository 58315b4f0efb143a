"""EnvPool's ``handle, recv, send, step = env.xla()``: calls a pool from programs compiled by jax."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._nested import fold_space, parts_of_descriptor
from envpool_rs._spec.spaces import import_dm_env, observation_type
from envpool_rs._spec.spec import EnvSpec

__all__ = ["xla_functions"]

Functions = tuple[npt.NDArray[np.uint8], Callable[..., Any], Callable[..., Any], Callable[..., Any]]
OLDEST_JAX = (0, 4, 35)  # first release whose `ffi_call` returns a function and takes `has_side_effect`
# First release whose foreign function interface rejects `vmap`, and differentiates optimization barriers.
FIRST_COMPLETE_FFI = (0, 6)
_NUMBERS = {np.dtype(name) for name in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f4", "f8", "?")}


def xla_functions(pool: _core.Pool, spec: EnvSpec) -> Functions:
    """Returns ``handle, recv, send, step`` of a pool, which each function keeps alive.

    Raises an ``ImportError`` if jax is missing or too old, and a ``RuntimeError`` if the pool is closed, or belongs to
    this process's parent.
    """
    calls = PoolCalls(pool, spec)
    return calls.handle, calls.recv, calls.send, calls.step


def import_jax() -> Any:
    """Returns ``jax``; raises an ``ImportError`` that names the extra, or the oldest release that is supported."""
    try:
        import jax
    except ImportError as error:
        raise ImportError("xla() needs jax (0.6 or later is best): pip install 'envpool_rs[jax]'") from error
    if jax.__version_info__ < OLDEST_JAX:
        oldest = ".".join(map(str, OLDEST_JAX))
        raise ImportError(f"jax=={jax.__version__}: expected jax {oldest} or newer; pip install -U jax")
    return jax


def has_complete_ffi(jax: Any) -> bool:
    return bool(jax.__version_info__ >= FIRST_COMPLETE_FFI)


def import_ffi() -> Any:
    """Returns jax's foreign function interface, which was in ``jax.extend`` before jax 0.5."""
    try:
        from jax import ffi
    except ImportError:
        from jax.extend import ffi
    return ffi


@functools.cache
def register_handlers() -> None:
    """Registers the extension's call handlers with jax, once per process."""
    is_complete, ffi = has_complete_ffi(import_jax()), import_ffi()
    for name, platform, capsule in _core.xla_handlers():
        if is_complete or platform == "cpu":  # on a GPU, a call needs barriers
            ffi.register_ffi_target(name, capsule, platform=platform, api_version=1)


class PoolCalls:
    """Methods that jax traces, each of which calls one pool.

    ``handle``, ``(16,)`` uint8, identifies the pool, which the methods keep alive. Programs pass it from call to call,
    which orders the calls. Results equal those of the pool's own ``step`` except for ended episodes: results of a
    compiled program have a fixed structure, so ``episode``, ``final_obs`` and ``final_info`` always exist, with masks
    of the environments that have them and zeros for all other environments. ``final_obs`` has the observation's
    structure and rows.
    """

    def __init__(self, pool: _core.Pool, spec: EnvSpec) -> None:
        self._jax, self._ffi = import_jax(), import_ffi()
        register_handlers()
        self._pool, self._spec = pool, spec  # `_pool` keeps the pool alive
        number, handle, arrays = _core.xla_exposure(pool)
        self._number = np.int64(number)  # an attribute of calls, which has 64 bits in every jax configuration
        self._arrays = [(np.dtype(dtype), rows, shape) for _, dtype, rows, shape in arrays]
        # After two arrays of ids: `action`, or `action:key` for each key. In shapes, -1 stands for players' rows.
        self._actions = {
            name.partition(":")[2] or name: tuple(size for size in shape if size != -1)
            for name, _, shape in spec.pool.action_arrays[2:]
        }
        self._names = [name for name, _, _, _ in arrays]
        self._info_keys = [key for key, _, _ in spec.pool.info]
        if "step_type" in self._names:
            self._time_step, self._state = import_dm_env().TimeStep, observation_type(spec.pool)
        self.handle = np.frombuffer(handle, np.uint8)

    def step(self, handle: Any, action: Any, env_id: Any = None) -> tuple[Any, Any]:
        """Runs ``send`` and ``recv`` in one call; returns the handle, and the result of the pool's own ``step``: of the
        given environments, or in async mode of the first ``batch_size`` environments to finish.

        ``handle`` is that of ``xla()`` or of the previous call, ``action`` is as for the pool's own ``step``, and
        ``env_id`` has ``(n,)`` integers, or is ``None`` for all environments in order.
        """
        arguments, count = self._arguments(action, env_id)
        return self._receive("step", handle, arguments, self._spec.batch_size if self._spec.is_async else count)

    def send(self, handle: Any, action: Any, env_id: Any = None) -> Any:
        """Queues one step of some environments, of a synchronous pool of all, and returns the handle."""
        arguments, count = self._arguments(action, env_id)
        if not self._spec.is_async and count != self._spec.num_envs:
            raise ValueError(
                f"env_id has {count} entries: recv has room for num_envs={self._spec.num_envs} rows, so that send "
                "takes all environments of a synchronous pool; step takes some, and send does where batch_size is "
                "below num_envs"
            )
        return self._call("send", handle, arguments, [])[0]

    def recv(self, handle: Any) -> tuple[Any, Any]:
        """Waits for the next batch; returns the handle, and ``batch_size`` rows of the pool's own ``recv``."""
        return self._receive("recv", handle, [], self._spec.batch_size)

    def _receive(self, name: str, handle: Any, arguments: Sequence[Any], rows: int) -> tuple[Any, Any]:
        canonical, describe = self._jax.dtypes.canonicalize_dtype, self._jax.ShapeDtypeStruct
        results = [describe((rows * each, *shape), canonical(dtype)) for dtype, each, shape in self._arrays]
        handle, *values = self._call(name, handle, arguments, results)
        arrays: dict[str, list[Any]] = {}
        for array_name, value in zip(self._names, values, strict=True):
            arrays.setdefault(array_name, []).append(value)
        if "env_id" in arrays:  # with one player per environment, its id is the environment's id
            arrays.setdefault("player_env_id", arrays["env_id"])
        return handle, self._result(arrays)

    def _call(self, name: str, handle: Any, arguments: Sequence[Any], results: Sequence[Any]) -> Any:
        handle = self._array("handle", handle)
        if handle.shape != self.handle.shape or handle.dtype != np.uint8:
            given = f"handle has shape {handle.shape} and dtype {handle.dtype}"
            raise ValueError(f"{given}: expected (16,) and uint8, as xla() and the last call returned it")
        results = [self._jax.ShapeDtypeStruct(handle.shape, handle.dtype), *results]
        target = f"envpool_rs.{name}"
        try:
            if not has_complete_ffi(self._jax):
                # `vectorized` replaces the default, which runs a call inside `jax.vmap` in a loop.
                call = self._ffi.ffi_call(target, results, has_side_effect=True, vectorized=None)
                return call(handle, *arguments, pool=self._number)
            call = self._ffi.ffi_call(target, results, has_side_effect=True)
            # XLA's GPU compiler fuses a call with slices of its arguments and results, as in `jax.lax.scan`, and then
            # also executes the original call. It does not fuse across barriers.
            barrier = self._jax.lax.optimization_barrier
            return barrier(call(*barrier((handle, *arguments)), pool=self._number))
        except NotImplementedError as error:
            raise NotImplementedError(
                f"{name}(): environments cannot be stepped inside jax.vmap, since a pool is one already: "
                "call it outside with all actions, or make pools of more environments"
            ) from error

    def _arguments(self, action: Any, env_id: Any) -> tuple[list[Any], int]:
        """Returns the checked action arrays in the pool's order, then the ids if there are any, and the row count."""
        names = ", ".join(self._actions)
        if isinstance(action, Mapping):
            values = dict(action)
            if "env_id" in values:
                if env_id is not None:
                    raise ValueError("env_id is given twice: in the action and as an argument")
                env_id = values.pop("env_id")
        elif len(self._actions) > 1:
            raise TypeError(f"action is a {type(action).__name__}: expected a dict with the keys {names}")
        else:
            values = dict.fromkeys(self._actions, action)
        for name in [*values, *self._actions]:
            if name in ("players", "players.env_id"):
                raise ValueError(f"action has the key {name!r}: leave it out, rows of players follow env_id")
            if name not in self._actions:
                raise ValueError(f"action has the unknown key {name!r}: expected {names}")
            if name not in values:
                raise ValueError(f"action lacks the key {name!r}")
        ids = [] if env_id is None else [self._ids(env_id)]
        count = int(ids[0].shape[0]) if ids else self._spec.num_envs
        rows = count * self._spec.rows
        actions = [self._action(name, values[name], (rows, *shape)) for name, shape in self._actions.items()]
        return [*actions, *ids], count

    def _action(self, name: str, value: Any, shape: tuple[int, ...]) -> Any:
        array = self._array(name, value)
        if array.shape != shape:
            raise ValueError(f"{name} has shape {array.shape}: expected {shape}")
        if array.dtype in _NUMBERS:
            return array
        if self._jax.numpy.issubdtype(array.dtype, self._jax.numpy.floating):
            return array.astype(np.float32)  # float16, bfloat16 and smaller types become float32
        raise TypeError(f"{name} has dtype {array.dtype}: expected integers, bools or floats")

    def _ids(self, env_id: Any) -> Any:
        array = self._array("env_id", env_id)
        if array.ndim != 1:
            raise ValueError(f"env_id has shape {array.shape}: expected one dimension")
        if array.shape[0] == 0 and array.dtype == np.float32:  # an empty list, of which jax makes a float32 array
            return array.astype(np.int32)
        if not self._jax.numpy.issubdtype(array.dtype, np.integer):
            raise TypeError(f"env_id has dtype {array.dtype}: expected integers")
        return array.astype(np.int64 if array.dtype.itemsize == np.dtype(np.int64).itemsize else np.int32)

    def _array(self, name: str, value: Any) -> Any:
        if value is None:
            raise TypeError(f"{name} is None: expected an array")
        try:
            # Traced values, which jax can stack, and invalid values are left to jax.
            values = np.asarray(value) if isinstance(value, (np.ndarray, list, tuple)) else np.zeros(0)
        except (TypeError, ValueError):
            values = np.zeros(0)
        if values.dtype.kind in "iu" and values.size:
            # jax would truncate integers that do not fit its dtype silently, possibly to a valid action.
            limits = np.iinfo(self._jax.dtypes.canonicalize_dtype(values.dtype))
            for extreme in (int(values.min()), int(values.max())):
                if not limits.min <= extreme <= limits.max:
                    raise ValueError(
                        f"{name} has the value {extreme}: expected {limits.min} to {limits.max}, jax's {limits.dtype}"
                    )
        try:
            return self._jax.numpy.asarray(value)
        except OverflowError as error:
            raise ValueError(f"{name} has a value that is too large: {error}") from error
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name} is a {type(value).__name__}: expected an array ({error})") from error

    def _result(self, arrays: dict[str, list[Any]]) -> Any:
        observation, reward = self._nest(arrays["observation"]), arrays["reward"][0]
        if "step_type" in arrays:
            kind = self._spec.pool.observation[0]
            parts = observation.values() if kind == "dict" else observation if kind == "tuple" else [observation]
            fields = self._state(arrays["env_id"][0], arrays["player_env_id"][0], *parts, *arrays.get("info", []))
            return self._time_step(arrays["step_type"][0], reward, arrays["discount"][0], fields)
        ends = ["terminated", "truncated"] if "terminated" in arrays else ["done"]
        return observation, reward, *(arrays[name][0] for name in ends), self._info(arrays)

    def _nest(self, values: Sequence[Any]) -> Any:
        """Nests arrays, which are given depth first, in the structure of the observation space."""
        remaining = iter(values)
        return fold_space(self._spec.pool.observation, lambda _: next(remaining), parts=parts_of_descriptor)

    def _info(self, arrays: dict[str, list[Any]]) -> dict[str, Any]:
        one = {name: values[0] for name, values in arrays.items()}
        info: dict[str, Any] = {"env_id": one["env_id"]} if "env_id" in one else {}
        if self._spec.pool.dialect == "envpool":
            info["players"] = {"env_id": one["player_env_id"]}
        present = arrays.get("present", [])
        info |= self._keyed(arrays.get("info", []), present)
        if "elapsed_step" in one:
            info["elapsed_step"] = one["elapsed_step"]
        if "terminated" not in one:
            info["TimeLimit.truncated"] = one["truncated"]
        if "episode_return" in one:
            info["episode"] = {"r": one["episode_return"], "l": one["episode_length"], "t": one["episode_time"]}
            info["_episode"] = one["done"]
        if "final_observation" in one:
            # A final info exists where an episode ended, or terminated if the info exists only then.
            rare = self._spec.pool.infos_of_terminations
            masks = [one["terminated" if key in rare else "done"] for key in self._info_keys] if present else []
            info["final_obs"], info["_final_obs"] = self._nest(arrays["final_observation"]), one["done"]
            info["final_info"] = self._keyed(arrays.get("final_info", []), masks)
            info["_final_info"] = one["done"]
        return info

    def _keyed(self, values: Sequence[Any], present: Sequence[Any]) -> dict[str, Any]:
        """Returns a dict of infos with their masks; ``present`` has a mask for each info, one mask for all, or none."""
        keyed = {}
        for index, (key, value) in enumerate(zip(self._info_keys, values, strict=True)):
            keyed[key] = value
            if present:
                keyed[f"_{key}"] = present[index if len(present) > 1 else 0]
        return keyed
