"""The environments of one actor: in the actor, and as the driver sees it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from envpool_rs import _core
from envpool_rs._spec.installed import check_cartridges, check_games
from envpool_rs._spec.mujoco_library import check_mujoco
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.cluster import import_ray
from envpool_rs.ray.direct_server import DirectServer
from envpool_rs.ray.messages import packed, unpacked

if TYPE_CHECKING:
    from envpool_rs._core import Layout


class ActorMethods:
    """What an actor is called by, see `ActorCalls`; what it does is a subclass's to say."""

    def __init__(
        self,
        methods: dict[str, Callable[..., Any]],
        begin: dict[str, Callable[..., Callable[[], Any] | None]] | None = None,
        beside: bool = False,
    ) -> None:
        """Is called by nobody yet.

        Args:
            methods: by name.
            begin: as for `DirectServer`.
            beside: likewise.
        """
        self._methods = methods
        self._server = DirectServer(methods, begin, beside)

    def ready(self) -> bool:
        """Says that the actor lives, and has been made."""
        return True

    def call(self, message: Any) -> Any:
        """Calls a method.

        Args:
            message: packed: its name, and its arguments.

        Returns:
            What it returns, packed.
        """
        method, arguments = unpacked(message)
        return packed(self._methods[method](*arguments))

    def listen(self, key: bytes) -> tuple[str, int]:
        """Opens a socket by which the driver may call the methods; see `DirectServer.listen`."""
        return self._server.listen(import_ray().util.get_node_ip_address(), key)

    def serve(self) -> Any:
        """Does what the driver asks for over the socket; see `DirectServer.serve`."""
        return self._server.serve()


class EnvShare(ActorMethods):
    """A native pool that plays what its environments are asked; an actor is one of these in a process of its own."""

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        """Makes the environments, unreset.

        Args:
            spec: what to make; a synchronous pool.
            layout: of the pool that they are part of.
            first_number: of the first request that will come.
        """
        super().__init__({"play": self.play}, self._beginnings(), beside=True)
        check_cartridges(spec.pool)
        check_mujoco(spec.pool)
        check_games(spec.pool)
        self._host = _core.RemoteHost(spec.pool, layout)

    def _beginnings(self) -> dict[str, Any]:
        return {}

    def play(self, number: int, request: bytes) -> bytes:
        """Plays a request.

        Args:
            number: counted through the life of the environments.
            request: as the extension makes them.

        Returns:
            The answer for the extension.
        """
        return self._host.play(request)

    def _begin(self, number: int, request: bytes) -> Callable[[], bytes] | None:
        """Queues steps; returns what waits for them. ``None`` for what is more than steps."""
        return self._host.finish if self._host.begin(request) else None


THREADS = 2
"""Requests of one actor under way at a time, where they come by Ray's calls."""


class PipelinedShare(EnvShare):
    """Plays requests in the order of their numbers: while the pool is busy with one, the next one is unpacked and
    queued, and the last one's answer is on its way. Between two of Ray's calls an actor with one thread loses half a
    millisecond and more.

    A connection of the driver's own brings them in their order. Ray's calls have threads of their own, and wait for
    their turns, of which a request has two: to be queued and to be received. Whatever is more than steps takes both at
    once.
    """

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        """Makes the environments; arguments as for `EnvShare`."""
        self._turns = threading.Condition()
        self._to_queue = self._to_receive = first_number
        super().__init__(spec, layout)
        # The connection begins steps in their order, and plays what is more than steps by itself.
        self._methods = {**self._methods, "play": self._play_in_turn}

    def _beginnings(self) -> dict[str, Any]:
        return {"play": self._begin}

    def _play_in_turn(self, number: int, request: bytes) -> bytes:
        """Plays a request after all that have smaller numbers."""
        with self._turn("_to_queue", number):
            finish = self._begin(number, request)
            if finish is None:
                with self._turn("_to_receive", number):
                    return self.play(number, request)
        with self._turn("_to_receive", number):
            return finish()

    @contextmanager
    def _turn(self, name: str, number: int) -> Iterator[None]:
        with self._turns:
            self._turns.wait_for(lambda: getattr(self, name) == number)
        try:
            yield
        finally:
            with self._turns:
                setattr(self, name, number + 1)
                self._turns.notify_all()


@dataclass(eq=False)
class RemoteShare:
    """One actor with its environments.

    Attributes:
        index: number of the actor.
        env_ids: its environments, counted through the whole pool.
        actor: Ray's handle.
        calls: what stands for each request that has no answer, by its number.
        sent: number of the last request that it was sent.
        death: what is known of its death, until that was told.
    """

    index: int
    env_ids: range
    actor: Any
    calls: dict[int, Any] = field(default_factory=dict)
    sent: int = 0
    death: BaseException | None = None

    def replaced(self, actor: Any) -> None:
        """Another actor has taken its place.

        Args:
            actor: its handle.
        """
        self.actor, self.calls = actor, {}
