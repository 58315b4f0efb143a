"""``EnvActor``: a Ray actor with a pool of environments. ``ActorRecord``: the driver's record of an actor."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from envpool_rs import _core
from envpool_rs._spec.assets import check_assets
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.cluster import import_ray
from envpool_rs.ray.direct_server import DirectServer
from envpool_rs.ray.messages import packed, unpack

if TYPE_CHECKING:
    from envpool_rs._core import Layout


class ActorMethods:
    """Base class of actors: dispatches calls to methods that a subclass defines, see `ActorCalls`."""

    def __init__(
        self,
        methods: dict[str, Callable[..., Any]],
        begin: dict[str, Callable[..., Callable[[], Any] | None]] | None = None,
        out_of_band: bool = False,
    ) -> None:
        """Stores the methods.

        Args:
            methods: the methods by name.
            begin: as for `DirectServer`.
            out_of_band: as for `DirectServer`.
        """
        self._methods = methods
        self._server = DirectServer(methods, begin, out_of_band)

    def ready(self) -> bool:
        """Does nothing; a reply confirms that the actor was made and is alive."""
        return True

    def call(self, message: Any) -> Any:
        """Calls a method.

        Args:
            message: packed tuple of the method's name and its arguments.

        Returns:
            The method's result, packed.
        """
        method, arguments = unpack(message)
        return packed(self._methods[method](*arguments))

    def listen(self, key: bytes) -> tuple[str, int]:
        """Opens a socket for direct calls by the driver; see `DirectServer.listen`."""
        return self._server.listen(import_ray().util.get_node_ip_address(), key)

    def serve(self) -> Any:
        """Runs the driver's requests from the socket; see `DirectServer.serve`."""
        return self._server.serve()


class EnvActor(ActorMethods):
    """Actor with a native pool that runs the requests of a remote pool."""

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        """Makes the environments without resetting them.

        Args:
            spec: the specification of a synchronous pool.
            layout: result layout of the whole pool.
            first_number: number of the first request.
        """
        super().__init__({"play": self.play}, self._beginnings(), out_of_band=True)
        check_assets(spec.pool)
        self._host = _core.RemoteHost(spec.pool, layout)

    def _beginnings(self) -> dict[str, Any]:
        return {}

    def play(self, number: int, request: bytes) -> bytes:
        """Runs a request.

        Args:
            number: number of the request, which increases over the lifetime of the environments.
            request: in the extension's format.

        Returns:
            The reply, in the extension's format.
        """
        return self._host.play(request)

    def _begin(self, number: int, request: bytes) -> Callable[[], bytes] | None:
        """Queues steps; returns the function that waits for them, or ``None`` for requests with other operations."""
        return self._host.finish if self._host.begin(request) else None


THREADS = 2
"""Maximum number of requests in progress per actor, for Ray's calls."""


class PipelinedEnvActor(EnvActor):
    """Pipelined variant of `EnvActor`, which runs requests in the order of their numbers.

    While the pool runs one request, the next one is unpacked and queued, and the previous reply is sent. Without the
    pipeline, an actor idles for half a millisecond or more between two of Ray's calls.

    A direct connection delivers requests in order. Ray's calls run in separate threads, which wait until the previous
    request was queued, and later until its reply was taken. A request with operations other than steps waits until the
    previous request was queued and its reply was taken.
    """

    def __init__(self, spec: EnvSpec, layout: Layout, first_number: int = 1) -> None:
        """Makes the environments; takes the arguments of `EnvActor`."""
        self._turns = threading.Condition()
        self._to_queue = self._to_receive = first_number
        super().__init__(spec, layout)
        # A direct connection starts steps in order and runs requests with other operations alone. Ray's calls do not,
        # so they wait for each other.
        self._methods = {**self._methods, "play": self._play_in_turn}

    def _beginnings(self) -> dict[str, Any]:
        return {"play": self._begin}

    def _play_in_turn(self, number: int, request: bytes) -> bytes:
        """Runs a request after all requests with smaller numbers."""
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
class ActorRecord:
    """Driver's record of one actor with its environments.

    Attributes:
        index: number of the actor.
        env_ids: ids of its environments in the whole pool.
        actor: Ray's handle.
        calls: handles of requests whose replies were not taken, by number.
        sent: number of the last sent request.
        death: exception that reports the actor's death, until it was passed on.
    """

    index: int
    env_ids: range
    actor: Any
    calls: dict[int, Any] = field(default_factory=dict)
    sent: int = 0
    death: BaseException | None = None

    def replaced(self, actor: Any) -> None:
        """Records the actor that replaces a lost one.

        Args:
            actor: Ray's handle.
        """
        self.actor, self.calls = actor, {}
