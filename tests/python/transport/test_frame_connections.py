"""Tests connections that carry frames: greetings of other programs, interrupts, forks."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest
from envpool_rs._core import FrameConnection, FrameListener, wait_for_replies

KEY = b"k" * 32
SECONDS = 30.0
GREETING = b"EnvPoolR" + b"0.0.0-other".ljust(24, b"\0") + bytes(32)
"""Greeting of another version."""


def echo(listener):
    """Replies to requests with the requests."""
    connection = listener.accept(KEY, SECONDS, SECONDS)
    while (request := connection.next()) is not None:
        connection.reply(1, request)


@contextlib.contextmanager
def connected():
    listener = FrameListener("127.0.0.1")
    thread = threading.Thread(target=echo, args=(listener,))
    thread.start()
    connection = FrameConnection()
    connection.connect(*listener.address, SECONDS)
    assert connection.authenticate(KEY, SECONDS)
    yield connection
    connection.close()
    thread.join(SECONDS)
    assert not thread.is_alive()


def reply_to(connection, request):
    call = connection.send_call(request)
    assert wait_for_replies([connection], [call], 1, SECONDS) == [0]
    return call.reply()


def test_requests_are_replied_to_in_order():
    with connected() as connection:
        calls = {}
        for number, size in enumerate((0, 5, 300_000)):
            connection.send_call(bytes(size), calls, number)
        handles = list(calls.values())
        assert wait_for_replies([connection], handles, 3, SECONDS) == [0, 1, 2]
        assert [(call.number, len(call.reply()[1])) for call in handles] == [(0, 0), (1, 5), (2, 300_000)]
        assert connection.has_reply(1)
        calls.clear()
        handles.clear()
        assert not connection.has_reply(1)
    assert (connection.is_open, connection.end) == (False, "the connection was closed")


def test_other_programs_and_versions_are_refused():
    listener = FrameListener("127.0.0.1")

    def accept():
        with pytest.raises(OSError, match="did not answer in time"):
            listener.accept(KEY, 3.0, 1.0)

    accepted = threading.Thread(target=accept)
    accepted.start()
    for sent in (GREETING, b"GET / HTTP/1.1" + bytes(100), b""):
        # The listener may reset a connection before the client has closed it.
        with contextlib.suppress(OSError), socket.create_connection(listener.address, timeout=30) as client:
            client.sendall(sent)
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass
    accepted.join()

    connection = FrameConnection()
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        connection.connect("127.0.0.1", port, SECONDS)
        with server.accept()[0] as peer:
            peer.sendall(GREETING)
        refused = r"envpool_rs 0\.0\.0-other, and this process .*: install the same version"
        with pytest.raises(RuntimeError, match=refused):
            connection.authenticate(KEY, SECONDS)
        with pytest.raises(RuntimeError, match="call connect first"):
            connection.authenticate(KEY, SECONDS)
        with pytest.raises(ValueError, match="kind=7: expected 1"):
            connection.reply(7, b"")
    for host, number in (("127.0.0.1", port), ("no host", 1)):
        with pytest.raises(OSError, match=f"cannot connect to {host} port {number}"):
            connection.connect(host, number, SECONDS)
    with pytest.raises(OSError, match=r"cannot listen at 192\.0\.2\.1"):
        FrameListener("192.0.2.1")


@pytest.mark.skipif(not hasattr(signal, "pthread_kill"), reason="signals of threads")
def test_interrupts_lose_no_reply():
    main, over = threading.main_thread().ident, threading.Event()

    def interrupt():
        while not over.wait(0.001):
            signal.pthread_kill(main, signal.SIGUSR1)

    is_armed = False

    def handle(*_):
        nonlocal is_armed
        if is_armed:
            is_armed = False
            raise InterruptedError

    before = signal.signal(signal.SIGUSR1, handle)
    interrupts = 0
    thread = threading.Thread(target=interrupt)
    thread.start()
    try:
        with connected() as connection:
            for number in range(40):
                calls, reply = {}, None
                while reply is None:
                    try:
                        is_armed = True
                        if 0 in calls:
                            connection.flush()
                        else:
                            connection.send_call(bytes([number]) * 400_000, calls, 0)
                        wait_for_replies([connection], [calls[0]], 1, SECONDS)
                        reply = calls[0].reply()
                        is_armed = False
                    except InterruptedError:
                        interrupts += 1
                assert reply == (1, bytes([number]) * 400_000)
    finally:
        is_armed = False
        over.set()
        thread.join()
        signal.signal(signal.SIGUSR1, before)
    assert interrupts > 0


@pytest.mark.skipif(not hasattr(os, "fork"), reason="nothing is forked here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_child_neither_uses_nor_closes_the_parents_connection():
    with connected() as connection:
        assert reply_to(connection, b"first") == (1, b"first")
        child = os.fork()
        if not child:
            try:
                call = connection.send_call(b"from the child")
                over = wait_for_replies([connection], [call], 1, SECONDS)
                is_refused = over == [0] and call.reply() is None and "forked" in connection.end
                connection.close()
                os._exit(0 if is_refused else 1)
            finally:
                os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        assert connection.is_open
        assert reply_to(connection, b"second") == (1, b"second")


def test_a_wait_lasts_no_longer_than_its_limit():
    connection = FrameConnection()  # not connected
    call = connection.send_call(b"queued")
    start = time.monotonic()
    assert wait_for_replies([connection], [call], 1, 0.05) == []
    assert wait_for_replies([connection], [call], 0, SECONDS) == []
    assert wait_for_replies([], [], 0, -1.0) == wait_for_replies([], [], 0, float("nan")) == []
    assert time.monotonic() - start < SECONDS
    connection.close("a reason")
    assert wait_for_replies([connection], [call], 1, SECONDS) == [0]
    assert (connection.end, call.reply()) == ("a reason", None)


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="Windows has no SIGPIPE")
def test_a_closed_connection_does_not_end_programs_that_do_not_ignore_sigpipe():
    program = """if True:
        import signal
        import threading
        from envpool_rs._core import FrameConnection, FrameListener

        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        listener, accepted = FrameListener("127.0.0.1"), []
        thread = threading.Thread(target=lambda: accepted.append(listener.accept(b"k", 30.0, 30.0)))
        thread.start()
        connection = FrameConnection()
        connection.connect(*listener.address, 30.0)
        assert connection.authenticate(b"k", 30.0)
        thread.join()
        accepted[0].close()
        while connection.end is None:
            connection.send_call(bytes(100_000))
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=100, check=False)
    assert (done.returncode, done.stderr) == (0, "")
