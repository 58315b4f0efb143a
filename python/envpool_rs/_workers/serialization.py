"""Objects and exceptions in the form in which they are sent between processes."""

from __future__ import annotations

import pickle
import signal
import traceback
from collections.abc import Sequence
from typing import Any, NamedTuple

import cloudpickle

PROTOCOL = 5


def dumps(value: Any) -> bytes:
    """Returns ``value`` as bytes, by pickle, or by cloudpickle (lambdas, local classes) if pickle fails."""
    try:
        return pickle.dumps(value, PROTOCOL)
    except Exception as error:
        refused = error
    try:
        return bytes(cloudpickle.dumps(value, PROTOCOL))
    except Exception:
        raise TypeError(f"cannot be pickled: {refused}") from refused


def dumps_message(message: dict[str, Any]) -> bytes:
    """Returns an environment's results as bytes."""
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
    """Wraps a callable for a worker process; cloudpickle pickles it by value when the process is started."""

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


_REPEATED_LOSS = " (a second time in a row, without a request completed between)"


class RemoteTraceback(Exception):  # noqa: N818 - named as in multiprocessing
    """Text of the traceback of an exception in a worker process, set as ``__cause__`` of the exception raised in the
    caller.
    """

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f'\n"""\n{self.text.rstrip()}\n"""'


class WorkerDied(RuntimeError):  # noqa: N818 - names the event
    """Raised if a worker process ended without being asked to end.

    Attributes:
        worker: the worker's number.
        env_ids: the environments that the worker hosted.
        exitcode: the process's exit code; the negated signal number if a signal ended the process; None if unknown.
    """

    def __init__(
        self, message: str, worker: int = -1, env_ids: Sequence[int] = (), exitcode: int | None = None
    ) -> None:
        super().__init__(message, worker, tuple(env_ids), exitcode)
        self.worker = worker
        self.env_ids = list(env_ids)
        self.exitcode = exitcode

    def __str__(self) -> str:
        return str(self.args[0])

    def again(self, losses: int = 1) -> WorkerDied:
        """Returns a copy of this error to raise again, so that tracebacks do not grow.

        Args:
            losses: the number of losses in a row, after which the worker was not restarted.
        """
        died = WorkerDied(f"{self}{_REPEATED_LOSS if losses > 1 else ''}", self.worker, self.env_ids, self.exitcode)
        died.__cause__ = self.__cause__
        return died

    @classmethod
    def of(
        cls, worker: int, pid: int | None, env_ids: Sequence[int], exitcode: int | None, why: str = ""
    ) -> WorkerDied:
        """Builds the error for a process that died; its message names the worker, pid, cause and environments."""
        named = f"environment {env_ids[0]} is" if len(env_ids) == 1 else f"environments {_listed(env_ids)} are"
        text = f"worker {worker} (pid {pid}) died ({exit_text(exitcode)}): {named} lost{why}"
        return cls(text, worker, env_ids, exitcode)


def _listed(env_ids: Sequence[int]) -> str:
    return ", ".join(map(str, env_ids))


def exit_text(exitcode: int | None) -> str:
    """Formats an exit code for a message: ``killed by signal 9 (SIGKILL)``, ``exit code 1``."""
    if exitcode is None:
        return "exit code unknown"
    if exitcode >= 0:
        return f"exit code {exitcode}"
    try:
        return f"killed by signal {-exitcode} ({signal.Signals(-exitcode).name})"
    except ValueError:
        return f"killed by signal {-exitcode}"


class EnvFailure:
    """Picklable record of an environment's exception, or of the loss of an environment whose worker died.

    Attributes:
        env_id: the environment.
        operation: the requested operation: ``"make"``, ``"step"`` (also if the step reset the environment),
            ``"reset"``, ``"get_attr"`` ...
        traceback: the traceback in the worker, as text.
    """

    def __init__(
        self, env_id: int, operation: str, exception: bytes | BaseException | None, name: str, text: str, traceback: str
    ) -> None:
        self.env_id = env_id
        self.operation = operation
        self.traceback = traceback
        self._exception = exception
        self._name = name
        self._text = text

    def __repr__(self) -> str:
        return f"EnvFailure(env_id={self.env_id}, operation={self.operation!r}, {self._name}: {self._text})"

    @classmethod
    def of(cls, env_id: int, operation: str, error: BaseException) -> EnvFailure:
        """Builds the failure of an environment from an exception that was caught."""
        return cls(
            env_id, operation, exception_bytes(error), type(error).__name__, _text_of(error), _traceback_of(error)
        )

    @classmethod
    def lost(cls, env_id: int, operation: str, death: WorkerDied) -> EnvFailure:
        """Builds the failure of an environment whose worker died."""
        return cls(env_id, operation, death, "WorkerDied", str(death), "")

    @property
    def exception(self) -> BaseException:
        """The original exception; a RuntimeError that names its type if the exception's class is unknown in this
        process, or its text cannot be made from what arrived.
        """
        if isinstance(self._exception, BaseException):
            return self._exception
        try:
            rebuilt = loads(self._exception) if self._exception is not None else None
            if isinstance(rebuilt, _ExceptionParts):
                rebuilt = rebuilt.exception(self._text)
        except Exception:
            rebuilt = None
        if isinstance(rebuilt, BaseException):
            return rebuilt
        return RuntimeError(f"{self._name}: {self._text}" if self._text else self._name)

    def raised(self) -> BaseException:
        """Returns the exception to raise: it has the original type, the attribute ``env_id``, and a message that names
        the environment.

        The worker's traceback is its ``__cause__``. SystemExit, KeyboardInterrupt and other exceptions that would end
        the caller's program are replaced by a RuntimeError.
        """
        error = self.exception
        if isinstance(error, WorkerDied):
            return error.again()
        if not isinstance(error, Exception):
            error = RuntimeError(f"environment {self.env_id} raised {error!r} in {self.operation}")
        error = with_env_id(error, self.env_id, self.operation)
        error.__cause__ = RemoteTraceback(self.traceback)
        return error


class _ExceptionParts(NamedTuple):
    """Class, arguments and attributes of an exception that pickle cannot rebuild; without those that it rejects."""

    kind: type[BaseException]
    args: tuple[Any, ...]
    attributes: dict[str, Any]

    def exception(self, text: str) -> BaseException | None:
        """Returns the exception, made without its constructor; ``None`` unless its text is ``text``."""
        error = self.kind.__new__(self.kind, *self.args)
        vars(error).update(self.attributes)
        return error if str(error) == text else None


def exception_bytes(error: BaseException) -> bytes | None:
    """Returns an exception as bytes; ``None`` if its class cannot be pickled."""
    pickled = dumps_or_none(error)
    try:
        if pickled is not None and isinstance(loads(pickled), type(error)):
            return pickled
    except Exception:  # its constructor needs other arguments than `args`
        pass
    own = {name: value for name, value in vars(error).items() if dumps_or_none(value) is not None}
    return dumps_or_none(_ExceptionParts(type(error), error.args, own))


def with_env_id(error: Exception, env_id: int, operation: str) -> Exception:
    """Adds the environment's number to an exception's message if its type allows it, else as a note."""
    name = f"environment {env_id}"
    args = error.args
    if name not in _text_of(error):
        if isinstance(error, OSError) and error.strerror is not None:
            error.strerror = f"{name}: {error.strerror}"
        elif not args:
            error.args = (f"{name} raised {type(error).__name__} in {operation}",)
        elif len(args) == 1 and isinstance(args[0], str):
            error.args = (f"{name}: {args[0]}",)
        if name not in _text_of(error):
            _add_note(error, f"raised by {name} in {operation}")
    try:
        error.env_id = env_id  # type: ignore[attr-defined]
    except AttributeError:
        _add_note(error, f"raised by {name} in {operation}")
    return error


def _add_note(error: Exception, note: str) -> None:
    if hasattr(error, "add_note"):
        error.add_note(note)


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "<its text cannot be made>"


def _traceback_of(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(type(error), error, error.__traceback__))
    except Exception:
        return f"{type(error).__name__}: {_text_of(error)}"


def failure_bytes(env_id: int, operation: str, error: BaseException) -> bytes:
    """Returns an exception as the bytes of an EnvFailure; never raises."""
    try:
        return dumps(EnvFailure.of(env_id, operation, error))
    except Exception:
        return dumps(EnvFailure(env_id, operation, None, type(error).__name__, "its text cannot be sent", ""))


def load_failure(data: bytes, env_id: int, operation: str) -> EnvFailure:
    """Unpickles the EnvFailure in ``data``; if ``data`` is unreadable or holds another object, returns an EnvFailure
    that describes the problem.
    """
    try:
        failure: Any = loads(data)
    except Exception as error:
        return EnvFailure.of(env_id, operation, error)
    if isinstance(failure, EnvFailure):
        return failure
    return EnvFailure(env_id, operation, None, "RuntimeError", f"a reply that is no failure: {failure!r}", "")
