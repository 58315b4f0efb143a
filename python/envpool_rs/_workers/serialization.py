"""Objects as bytes: pickle, and cloudpickle for what pickle refuses."""

from __future__ import annotations

import pickle
from typing import Any

import cloudpickle

PROTOCOL = 5


def dumps(value: Any) -> bytes:
    """``value`` as bytes, by pickle where it can, by cloudpickle (lambdas, local classes) otherwise.

    Raises:
        TypeError: if neither can, with pickle's reason.
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
    """What an environment returned, as bytes.

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
    """``value`` as bytes, or None if it cannot be pickled."""
    try:
        return dumps(value)
    except Exception:
        return None


def loads(data: bytes) -> Any:
    """The object that ``dumps`` took."""
    return pickle.loads(data)


class ByValue:
    """A callable on its way to a worker: pickled by value (cloudpickle) while the process is started.

    Args:
        name: the argument it came by (``env_fns[2]``), named where it cannot be pickled.
        function: what the user gave.
    """

    def __init__(self, name: str, function: Any) -> None:
        self.name = name
        self.function = function

    def __call__(self, *args: Any) -> Any:
        """What the function returns."""
        return self.function(*args)

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "function": _Unpickled(self._pickled())}

    def _pickled(self) -> bytes:
        # By value first: functions of __main__ would be looked up by name in the worker, where there may be none.
        try:
            return bytes(cloudpickle.dumps(self.function))
        except Exception as error:
            raise TypeError(
                f"{self.name}={self.function!r} cannot be pickled ({error}): expected a callable that can travel to a"
                " worker process, or context='fork'"
            ) from error


class _Unpickled:
    """A callable that is unpickled when it is called, so that what goes wrong is told as the environment's failure."""

    def __init__(self, pickled: bytes) -> None:
        self.pickled = pickled

    def __call__(self, *args: Any) -> Any:
        return loads(self.pickled)(*args)
