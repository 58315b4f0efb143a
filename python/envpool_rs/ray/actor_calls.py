"""Calls to the actors of a cluster, their answers, and the error for environments that were lost."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from envpool_rs._workers.worker_process import interrupts_held
from envpool_rs.ray.cluster import death_errors
from envpool_rs.ray.messages import packed, unpacked


class ActorDied(RuntimeError):  # noqa: N818
    """An actor died, and its environments with it.

    Attributes:
        actor: its number.
        env_ids: its environments.
    """

    def __init__(self, actor: int, env_ids: range, reason: str, advice: str) -> None:
        """Says what was lost.

        Args:
            actor: number of the actor.
            env_ids: its environments.
            reason: what Ray says of it.
            advice: what can be done.
        """
        cause = reason.strip().splitlines()[0] if reason.strip() else "no reason known"
        names = f"{env_ids[0]} to {env_ids[-1]}" if len(env_ids) > 1 else f"{env_ids[0]}"
        super().__init__(f"actor {actor} died ({cause}): environments {names} are lost; {advice}")
        self.actor, self.env_ids = actor, env_ids

    @classmethod
    def of(cls, actor: int, env_ids: range, error: BaseException, losses: int, advice: str) -> ActorDied:
        """The error for an actor that is not made anew.

        Args:
            actor: its number.
            env_ids: its environments.
            error: what is known of its death.
            losses: how often it was lost in a row.
            advice: what can be done, where that was once.
        """
        how = f"it died {losses} times without an answer in between" if losses > 1 else advice
        died = cls(actor, env_ids, str(error), how)
        died.__cause__ = error
        return died

    def again(self) -> ActorDied:
        """The same error to raise once more, so that tracebacks do not grow."""
        died = ActorDied.__new__(ActorDied)
        RuntimeError.__init__(died, *self.args)
        died.actor, died.env_ids, died.__cause__ = self.actor, self.env_ids, self.__cause__
        return died


class ActorCalls(ABC):
    """How the methods of actors are called, which play calls one after the other.

    Attributes:
        deaths: what is raised where an actor, or its answer, is lost.
        is_direct: whether calls go over connections of the driver's own.
    """

    is_direct: ClassVar[bool] = False
    deaths: tuple[type[BaseException], ...]

    @abstractmethod
    def call(self, actor: int, method: str, *arguments: Any) -> Any:
        """Calls a method.

        Returns:
            What stands for the call.
        """

    def call_once(self, calls: dict[int, Any], number: int, actor: int, method: str, *arguments: Any) -> None:
        """Calls a method, unless there is such a call. An interrupt leaves it made and noted, or neither; or noted, and
        to be made by the same call again.

        Args:
            calls: what stands for calls, by number; gets this one.
            number: of the call.
            actor: its number.
            method: as for `call`.
            arguments: likewise.
        """
        with interrupts_held():
            if number not in calls:
                calls[number] = self.call(actor, method, *arguments)

    @abstractmethod
    def answered(self, calls: Sequence[Any], at_least: int, timeout: float | None) -> list[Any]:
        """Waits for answers.

        Args:
            calls: some calls.
            at_least: how many answers to wait for.
            timeout: seconds to wait at most.

        Returns:
            The calls that have an answer, or will never have one.
        """

    @abstractmethod
    def answers(self, calls: Sequence[Any]) -> list[Any]:
        """The answers, waited for.

        Raises:
            Exception: one of `deaths`, or what a method raised.
        """

    def answer(self, call: Any) -> Any:
        """The answer to one call, as `answers`."""
        return self.answers([call])[0]

    def join(self, actor: int) -> None:  # noqa: B027 - most have nothing to do
        """An actor has been started in the place of another.

        Raises:
            Exception: one of `deaths`.
        """

    def close(self) -> None:  # noqa: B027
        """No more calls."""


class RayCalls(ActorCalls):
    """Calls as Ray has them; their methods are called by one of their own, ``call``."""

    def __init__(self, ray: Any, actors: list[Any]) -> None:
        """Looks actors up when it calls them.

        Args:
            ray: the module.
            actors: their handles, by number; may change.
        """
        self._ray, self._actors = ray, actors
        self.deaths = death_errors(ray)

    def call(self, actor: int, method: str, *arguments: Any) -> Any:
        """See `ActorCalls.call`. Plain messages are packed."""
        message = packed((method, arguments)) if are_plain(arguments) else (method, arguments)
        return self._actors[actor].call.remote(message)

    def answered(self, calls: Sequence[Any], at_least: int, timeout: float | None) -> list[Any]:
        """See `ActorCalls.answered`."""
        ready, _ = self._ray.wait(list(calls), num_returns=at_least or len(calls), timeout=timeout)
        return list(ready)

    def answers(self, calls: Sequence[Any]) -> list[Any]:
        """See `ActorCalls.answers`."""
        return [unpacked(each) for each in self._ray.get(list(calls))]


def are_plain(arguments: Sequence[Any]) -> bool:
    """Whether arguments are pickled the same way everywhere: numbers, text, arrays of numbers, and lists and dicts of
    them.
    """
    for value in arguments:
        kind = type(value)
        if kind in _PLAIN:
            continue
        if kind is list:
            plain = all(type(each) in _PLAIN or isinstance(each, np.generic) for each in value)
        elif kind is dict:
            plain = are_plain(list(value)) and are_plain(list(value.values()))
        else:
            plain = isinstance(value, np.ndarray) and value.dtype != object
        if not plain:
            return False
    return True


_PLAIN = frozenset({type(None), int, float, bool, str, bytes})
