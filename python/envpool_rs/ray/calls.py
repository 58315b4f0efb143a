"""Calls to the actors of a cluster by Ray, and the error for lost environments.

Ray's calls carry as few bytes objects as possible, because Ray serialises everything else slowly. A round trip of a
tuple of eight small arrays takes 1.4 ms, compared with 1.1 ms for the same data as one bytes object. Large arrays are
passed to Ray unchanged, which returns views of its object store without a copy.
"""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from envpool_rs._workers.worker_process import block_interrupts
from envpool_rs.ray.cluster import death_errors

LARGEST_COPIED = 64 * 1024
"""Maximum size of arrays in bytes for which a message is copied into one object."""


class ActorDied(RuntimeError):  # noqa: N818
    """Raised if an actor died and its environments are lost.

    ``actor`` is the number of the actor, and ``env_ids`` is the range of its environments' ids.
    """

    def __init__(self, actor: int, env_ids: range, reason: str, advice: str) -> None:
        cause = reason.strip().splitlines()[0] if reason.strip() else "no reason known"
        names = f"{env_ids[0]} to {env_ids[-1]}" if len(env_ids) > 1 else f"{env_ids[0]}"
        super().__init__(f"actor {actor} died ({cause}): environments {names} are lost; {advice}")
        self.actor, self.env_ids = actor, env_ids

    @classmethod
    def of(cls, actor: int, env_ids: range, error: BaseException, losses: int, advice: str) -> ActorDied:
        """Makes the error for an actor that is not restarted, from the cause and the number of consecutive losses."""
        how = f"it died {losses} times without an answer in between" if losses > 1 else advice
        died = cls(actor, env_ids, str(error), how)
        died.__cause__ = error
        return died

    def again(self) -> ActorDied:
        """Returns a copy of the error to raise again, so that tracebacks do not grow."""
        died = ActorDied.__new__(ActorDied)
        RuntimeError.__init__(died, *self.args)
        died.actor, died.env_ids, died.__cause__ = self.actor, self.env_ids, self.__cause__
        return died


class ActorCalls:
    """Calls methods of actors through Ray, by their generic method ``call``; an actor runs its calls in order.

    `DirectCalls` has the same interface over this process's own connections.
    """

    is_direct: ClassVar[bool] = False
    """Whether calls use the driver's direct connections instead of Ray."""
    deaths: tuple[type[BaseException], ...]
    """Exception classes that report a lost actor or a lost reply."""

    def __init__(self, ray: Any, actors: list[Any]) -> None:
        """Takes the actors' handles, which may change later."""
        self._ray, self._actors = ray, actors
        self.deaths = death_errors(ray)

    def call(self, actor: int, method: str, *arguments: Any) -> Any:
        """Calls a method of an actor, without waiting for the reply; returns a handle of the call."""
        message = packed((method, arguments)) if is_plain(arguments) else (method, arguments)
        return self._actors[actor].call.remote(message)

    def call_once(self, calls: dict[int, Any], number: int, actor: int, method: str, *arguments: Any) -> None:
        """Calls a method of an actor and adds the handle to ``calls``, unless a call with this number exists."""
        # An interrupt leaves one of three states: the call was made and recorded; it was neither made nor recorded; or
        # it was recorded and made in part, and calling this method again makes the rest.
        with block_interrupts():
            if number not in calls:
                calls[number] = self.call(actor, method, *arguments)

    def answered(self, calls: Sequence[Any], at_least: int, timeout: float | None) -> list[Any]:
        """Waits for ``at_least`` replies, or ``timeout`` seconds; returns the calls that have completed or failed."""
        ready, _ = self._ray.wait(list(calls), num_returns=at_least or len(calls), timeout=timeout)
        return list(ready)

    def answers(self, calls: Sequence[Any]) -> list[Any]:
        """Waits for the replies to calls and returns them; raises one of `deaths`, or a method's exception."""
        return [unpack(each) for each in self._ray.get(list(calls))]

    def join(self, actor: int) -> None:
        """Connects to an actor that replaces a lost one."""

    def close(self) -> None:
        """Closes the connections, also for threads that wait for replies; after that, no calls are allowed."""


def packed(value: Any) -> Any:
    """Packs anything but bytes for Ray: as bytes if it is small and of plain types, otherwise unchanged."""
    buffers: list[pickle.PickleBuffer] = []
    try:
        head = pickle.dumps(value, 5, buffer_callback=buffers.append)
        parts = [buffer.raw() for buffer in buffers]
    except Exception:
        return value  # non-contiguous arrays, and objects of classes that are pickled by value: Ray supports them
    if sum(part.nbytes for part in parts) > LARGEST_COPIED:
        return value
    return pickle.dumps((head, [bytearray(part) for part in parts]), 5)


def unpack(message: Any) -> Any:
    """Unpacks a message made by `packed`. Arrays are writable only if the message was small."""
    if type(message) is not bytes:
        return message
    head, parts = pickle.loads(message)
    return pickle.loads(head, buffers=parts)


def is_plain(arguments: Sequence[Any]) -> bool:
    """Returns whether arguments pickle identically everywhere: numbers, text, numeric arrays, and containers."""
    for value in arguments:
        kind = type(value)
        if kind in _PLAIN:
            continue
        if kind is list:
            plain = all(type(each) in _PLAIN or isinstance(each, np.generic) for each in value)
        elif kind is dict:
            plain = is_plain(list(value)) and is_plain(list(value.values()))
        else:
            plain = isinstance(value, np.ndarray) and value.dtype != object
        if not plain:
            return False
    return True


_PLAIN = frozenset({type(None), int, float, bool, str, bytes})
