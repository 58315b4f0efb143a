"""An actor's methods, called through Ray or over a connection of the driver's own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from envpool_rs.ray.direct_server import DirectServer
from envpool_rs.ray.messages import packed, unpacked
from envpool_rs.ray.ray_module import import_ray


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
