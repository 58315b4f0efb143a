"""Imports jax on demand, and checks a call's arguments while jax traces the call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from envpool_rs import _core

#: First jax release whose foreign function interface is used.
FIRST_TYPED_RELEASE = (0, 6)
#: First jax release that is known to work.
OLDEST_JAX = (0, 4, 13)


def import_jax() -> Any:
    """Imports and returns ``jax``.

    Raises:
        ImportError: if jax is missing or too old; names the extra to install.
    """
    try:
        import jax
    except ImportError as error:
        raise ImportError("xla() needs jax (0.6 or later is best): pip install 'envpool_rs[jax]'") from error
    if version(jax) < OLDEST_JAX:
        raise ImportError(
            f"xla() needs jax 0.4.13 or later, and this is {jax.__version__}: pip install 'envpool_rs[jax]'"
        )
    if is_typed(jax):
        import jax.ffi
    return jax


def is_typed(jax: Any) -> bool:
    """Returns whether calls use jax's foreign function interface."""
    return version(jax) >= FIRST_TYPED_RELEASE


def version(jax: Any) -> tuple[int, ...]:
    """Returns the version of jax as a tuple of integers."""
    return tuple(int(number) for number in re.findall(r"\d+", jax.__version__)[:3])


HANDLE_BYTES = 16
PLAYER_IDS = ("players", "players.env_id")


class ArgumentReader:
    """Parses the actions and ids that programs pass to one pool, with the pool's own error messages."""

    def __init__(self, spec: Any, num_envs: int) -> None:
        self._jax = import_jax()
        self._num_envs = num_envs
        self._rows = spec.rows
        pool: _core.Spec = spec.pool
        # Ids come first, then actions: `action`, or `action:key` for each key. In their shapes -1 stands for players'
        # rows.
        self._keys = [
            (name.partition(":")[2] or name, tuple(size for size in shape if size != -1))
            for name, _, shape in pool.action_arrays[2:]
        ]

    def handle(self, handle: Any) -> Any:
        """Checks the handle, and returns it as an array.

        Raises:
            ValueError: for another shape or dtype.
        """
        array = self._array("handle", handle)
        if array.shape != (HANDLE_BYTES,) or array.dtype != np.uint8:
            raise ValueError(
                f"handle has shape {array.shape} and dtype {array.dtype}: expected ({HANDLE_BYTES},) and uint8, "
                "as xla() and the last call returned it"
            )
        return array

    def read(self, action: Any, env_id: Any) -> tuple[list[Any], Any]:
        """Checks actions and ids; returns action arrays in the pool's order, and ids or ``None``.

        Raises:
            ValueError: for a wrong shape or key.
            TypeError: for a wrong dtype or type.
        """
        by_key = dict(action) if isinstance(action, Mapping) else None
        if by_key is not None and "env_id" in by_key:
            if env_id is not None:
                raise ValueError("env_id is given twice: in the action and as an argument")
            env_id = by_key.pop("env_id")
        ids = None if env_id is None else self._ids(env_id)
        count = self._num_envs if ids is None else int(ids.shape[0])
        values = self._single(action) if by_key is None else self._by_key(by_key)
        pairs = zip(self._keys, values, strict=True)
        return [self._action(name, value, (count * self._rows, *shape)) for (name, shape), value in pairs], ids

    def _single(self, action: Any) -> list[Any]:
        if len(self._keys) == 1:
            return [action]
        names = ", ".join(name for name, _ in self._keys)
        raise TypeError(f"action is a {type(action).__name__}: expected a dict with the keys {names}")

    def _by_key(self, action: dict[str, Any]) -> list[Any]:
        names = [name for name, _ in self._keys]
        for name in action:
            if name in PLAYER_IDS:
                raise ValueError(f"action has the key {name!r}: leave it out, rows of players follow env_id")
            if name not in names:
                raise ValueError(f"action has the unknown key {name!r}: expected {', '.join(names)}")
        for name in names:
            if name not in action:
                raise ValueError(f"action lacks the key {name!r}")
        return [action[name] for name in names]

    def _action(self, name: str, value: Any, shape: tuple[int, ...]) -> Any:
        array = self._array(name, value)
        if array.shape != shape:
            raise ValueError(f"{name} has shape {array.shape}: expected {shape}")
        numpy = self._jax.numpy
        if array.dtype == np.bool_ or array.dtype in _NUMBERS:
            return array
        if numpy.issubdtype(array.dtype, numpy.floating):
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
        return array.astype(np.int64 if array.dtype.itemsize == _WIDE else np.int32)

    def _array(self, name: str, value: Any) -> Any:
        if value is None:
            raise TypeError(f"{name} is None: expected an array")
        if isinstance(value, (np.ndarray, list, tuple)):
            self._check_fits(name, value)
        try:
            return self._jax.numpy.asarray(value)
        except OverflowError as error:
            raise ValueError(f"{name} has a value that is too large: {error}") from error
        except (TypeError, ValueError) as error:
            raise TypeError(f"{name} is a {type(value).__name__}: expected an array ({error})") from error

    def _check_fits(self, name: str, value: Any) -> None:
        # Rejects integers that do not fit the dtype: jax would truncate them silently, possibly to a valid action.
        try:
            values = np.asarray(value)
        except (TypeError, ValueError):  # traced values, which jax can stack, or invalid values
            return
        if values.dtype.kind in "iu" and values.size:
            limits = np.iinfo(self._jax.dtypes.canonicalize_dtype(values.dtype))
            for extreme in (int(values.min()), int(values.max())):
                if not limits.min <= extreme <= limits.max:
                    raise ValueError(
                        f"{name} has the value {extreme}: expected {limits.min} to {limits.max}, jax's {limits.dtype}"
                    )


_WIDE = 8
_NUMBERS = frozenset(np.dtype(f"{kind}{size}") for kind in "iu" for size in (1, 2, 4, 8)) | {
    np.dtype("f4"),
    np.dtype("f8"),
}
