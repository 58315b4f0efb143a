"""Calls to the actors of a cluster, their replies, and the error for lost environments."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from envpool_rs._workers.worker_process import block_interrupts
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.messages import packed, unpack


class ActorDied(RuntimeError):  # noqa: N818
    """Raised if an actor died and its environments are lost.

    Attributes:
        actor: number of the actor.
        env_ids: ids of its environments.
    """

    def __init__(self, actor: int, env_ids: range, reason: str, advice: str) -> None:
        """Sets the message.

        Args:
            actor: number of the actor.
            env_ids: ids of its environments.
            reason: Ray's reason for the death.
            advice: the remedy.
        """
        cause = reason.strip().splitlines()[0] if reason.strip() else "no reason known"
        names = f"{env_ids[0]} to {env_ids[-1]}" if len(env_ids) > 1 else f"{env_ids[0]}"
        super().__init__(f"actor {actor} died ({cause}): environments {names} are lost; {advice}")
        self.actor, self.env_ids = actor, env_ids

    @classmethod
    def of(cls, actor: int, env_ids: range, error: BaseException, losses: int, advice: str) -> ActorDied:
        """Makes the error for an actor that is not restarted.

        Args:
            actor: number of the actor.
            env_ids: ids of its environments.
            error: the known cause of death.
            losses: number of consecutive losses.
            advice: the remedy after a single loss.
        """
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


class ActorCalls(ABC):
    """Interface for calling actors' methods; each actor executes its calls in order.

    Attributes:
        deaths: exception classes that report a lost actor or a lost reply.
        is_direct: whether calls use the driver's direct connections instead of Ray.
    """

    is_direct: ClassVar[bool] = False
    deaths: tuple[type[BaseException], ...]

    @abstractmethod
    def call(self, actor: int, method: str, *arguments: Any) -> Any:
        """Calls a method of an actor, without waiting for the reply.

        Returns:
            A handle of the call.
        """

    def call_once(self, calls: dict[int, Any], number: int, actor: int, method: str, *arguments: Any) -> None:
        """Calls a method of an actor, unless a call with this number exists.

        An interrupt leaves one of three states: the call was made and recorded; it was neither made nor recorded; or it
        was only recorded, and calling this method again makes the call.

        Args:
            calls: handles of calls, by number; this call's handle is added.
            number: number of the call.
            actor: number of the actor.
            method: as for `call`.
            arguments: as for `call`.
        """
        with block_interrupts():
            if number not in calls:
                calls[number] = self.call(actor, method, *arguments)

    @abstractmethod
    def answered(self, calls: Sequence[Any], at_least: int, timeout: float | None) -> list[Any]:
        """Waits for replies to some calls.

        Args:
            calls: some calls.
            at_least: minimum number of replies to wait for.
            timeout: maximum time in seconds.

        Returns:
            The calls that have completed or failed.
        """

    @abstractmethod
    def answers(self, calls: Sequence[Any]) -> list[Any]:
        """Waits for the replies to calls, and returns them.

        Raises:
            Exception: one of `deaths`, or a method's exception.
        """

    def answer(self, call: Any) -> Any:
        """Waits for the reply to one call and returns it, as `answers` does."""
        return self.answers([call])[0]

    def join(self, actor: int) -> None:  # noqa: B027 - most have nothing to do
        """Connects to an actor that replaces a lost one.

        Raises:
            Exception: one of `deaths`.
        """

    def close(self) -> None:  # noqa: B027
        """Closes the connections; after that, no calls are allowed."""


class RayCalls(ActorCalls):
    """Calls actors through Ray, by their generic method ``call``."""

    def __init__(self, ray: Any, actors: list[Any]) -> None:
        self._ray, self._actors = ray, actors
        self.deaths = death_errors(ray)

    def call(self, actor: int, method: str, *arguments: Any) -> Any:
        """Calls a method of an actor through Ray; see `ActorCalls.call`. Arguments of plain types are packed into one
        message.
        """
        message = packed((method, arguments)) if is_plain(arguments) else (method, arguments)
        return self._actors[actor].call.remote(message)

    def answered(self, calls: Sequence[Any], at_least: int, timeout: float | None) -> list[Any]:
        """Waits for replies; see `ActorCalls.answered`."""
        ready, _ = self._ray.wait(list(calls), num_returns=at_least or len(calls), timeout=timeout)
        return list(ready)

    def answers(self, calls: Sequence[Any]) -> list[Any]:
        """Waits for the replies and returns them; see `ActorCalls.answers`."""
        return [unpack(each) for each in self._ray.get(list(calls))]


def is_plain(arguments: Sequence[Any]) -> bool:
    """Returns whether arguments pickle identically everywhere: numbers, text, numeric arrays, and lists and dicts of
    these.
    """
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
