"""Serialises objects by pickle, or by cloudpickle if pickle fails."""

from __future__ import annotations

import pickle
from typing import Any

import cloudpickle

PROTOCOL = 5


def dumps(value: Any) -> bytes:
    """Returns ``value`` as bytes, by pickle, or by cloudpickle (lambdas, local classes) if pickle fails.

    Raises:
        TypeError: if both fail, with pickle's reason.
    """
    try:
        return pickle.dumps(value, PROTOCOL)
    except Exception as error:
        refused = error
    try:
        return bytes(cloudpickle.dumps(value, PROTOCOL))
    except Exception:
        raise TypeError(f"cannot be pickled: {refused}") from refused


def dumps_message(message: dict[str, Any]) -> bytes:
    """Returns an environment's results as bytes.

    Raises:
        TypeError: naming the entry (``info``, ``observation`` ...) that cannot be pickled.
    """
    try:
        return dumps(message)
    except Exception:
        for name, value in message.items():
            _check_entry(name, value)
        raise


def _check_entry(name: str, value: Any) -> None:
    try:
        dumps(value)
    except Exception as error:
        within = ""
        if isinstance(value, dict):
            within = next((f"[{key!r}]" for key, each in value.items() if not _is_picklable(each)), "")
        raise TypeError(f"{name}{within} {error}") from error


def _is_picklable(value: Any) -> bool:
    try:
        dumps(value)
    except Exception:
        return False
    return True


def dumps_or_none(value: Any) -> bytes | None:
    """Returns ``value`` as bytes, or None if it cannot be pickled."""
    try:
        return dumps(value)
    except Exception:
        return None


def loads(data: bytes) -> Any:
    """Returns the object that ``dumps`` serialized."""
    return pickle.loads(data)


def reduced(owner: Any, state: Any) -> tuple[Any, ...]:
    """Returns the result of ``owner.__reduce__``: a copy whose ``__setstate__`` gets ``state``, with lambdas and local
    classes by value.

    Raises:
        TypeError: if the state cannot be pickled.
    """
    try:
        return _rebuilt, (bytes(cloudpickle.dumps((type(owner), state), PROTOCOL)),)
    except Exception as error:
        raise TypeError(f"cannot copy or pickle {type(owner).__name__}: {error}") from error


def _rebuilt(data: bytes) -> Any:
    kind, state = loads(data)
    made = kind.__new__(kind)
    made.__setstate__(state)
    return made


class ByValue:
    """Wraps a callable for a worker process; cloudpickle pickles it by value when the process is started.

    Args:
        name: the argument that held the callable (``env_fns[2]``), for error messages.
        function: the user's callable.
    """

    def __init__(self, name: str, function: Any) -> None:
        self.name = name
        self.function = function

    def __call__(self, *args: Any) -> Any:
        """Calls the function and returns its result."""
        return self.function(*args)

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "function": _Unpickled(self._pickled())}

    def _pickled(self) -> bytes:
        # cloudpickle is tried first: pickle stores functions of __main__ by name, and a worker may not find that name.
        try:
            return bytes(cloudpickle.dumps(self.function))
        except Exception as error:
            raise TypeError(
                f"{self.name}={self.function!r} cannot be pickled ({error}): expected a callable that can travel to a"
                " worker process, or context='fork'"
            ) from error


class _Unpickled:
    """Callable that is unpickled when it is called, so that a failure to unpickle is reported as the environment's
    failure.
    """

    def __init__(self, pickled: bytes) -> None:
        self.pickled = pickled

    def __call__(self, *args: Any) -> Any:
        return loads(self.pickled)(*args)
