"""Observations, objects and exceptions in the form in which processes exchange them: rows of arrays, or bytes."""

from __future__ import annotations

import pickle
import signal
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias

import cloudpickle
import numpy as np

from envpool_rs._nested import fold_space, map_leaves, parts_of_space

PROTOCOL = 5
loads = pickle.loads


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


def dumps_or_none(value: Any) -> bytes | None:
    """Returns ``value`` as bytes, or None if it cannot be pickled."""
    try:
        return dumps(value)
    except Exception:
        return None


def dumps_message(message: dict[str, Any]) -> bytes:
    """Returns an environment's results as bytes; an error names the entry that cannot be pickled."""
    try:
        return dumps(message)
    except Exception as error:
        for name, value in message.items():
            parts = value.items() if isinstance(value, dict) else ()
            within = next((f"[{key!r}]" for key, each in parts if dumps_or_none(each) is None), "")
            if within or dumps_or_none(value) is None:
                raise TypeError(f"{name}{within} {error}") from error
        raise


def class_names(value: Any, *libraries: str) -> list[str]:
    """Returns the names of an object's classes that libraries define, without importing these."""
    return [each.__name__ for each in type(value).__mro__ if each.__module__.partition(".")[0] in libraries]


def reduced(owner: Any, state: Any) -> tuple[Any, ...]:
    """Returns the result of ``owner.__reduce__``: a copy whose ``__setstate__`` gets ``state``, classes by value."""
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
        self.name, self.function = name, function

    def __call__(self, *args: Any) -> Any:
        if isinstance(self.function, bytes):  # unpickled here, so that a failure is the environment's
            self.function = loads(self.function)
        return self.function(*args)

    def __getstate__(self) -> dict[str, Any]:
        # cloudpickle is tried first: pickle stores functions of __main__ by name, and a worker may not find that name.
        try:
            return {"name": self.name, "function": bytes(cloudpickle.dumps(self.function))}
        except Exception as error:
            raise TypeError(
                f"{self.name}={self.function!r} cannot be pickled ({error}): expected a callable that can travel to a"
                " worker process, or context='fork'"
            ) from error


class RemoteTraceback(Exception):  # noqa: N818 - named as in multiprocessing
    """Traceback of an exception in a worker process, as text: the ``__cause__`` of the exception in the caller."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.text = text

    def __str__(self) -> str:
        return f'\n"""\n{self.text.rstrip()}\n"""'


class WorkerDied(RuntimeError):  # noqa: N818 - names the event
    """Raised if worker process ``worker``, which hosted the environments ``env_ids``, ended without being asked to.

    ``exitcode`` is the process's; the negated signal number if a signal ended the process; None if unknown.
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
        """Returns a copy of this error to raise again, so that tracebacks do not grow, after ``losses`` in a row."""
        repeated = " (a second time in a row, without a request completed between)" if losses > 1 else ""
        died = WorkerDied(f"{self}{repeated}", self.worker, self.env_ids, self.exitcode)
        died.__cause__ = self.__cause__
        return died

    @classmethod
    def of(
        cls, worker: int, pid: int | None, env_ids: Sequence[int], exitcode: int | None, why: str = ""
    ) -> WorkerDied:
        """Builds the error for a process that died; its message names the worker, pid, cause and environments."""
        ids = ", ".join(map(str, env_ids))
        named = f"environment {ids} is" if len(env_ids) == 1 else f"environments {ids} are"
        text = f"worker {worker} (pid {pid}) died ({exit_text(exitcode)}): {named} lost{why}"
        return cls(text, worker, env_ids, exitcode)


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

    ``operation`` was requested: ``"make"``, ``"step"`` (also if the step reset the environment), ``"reset"``,
    ``"get_attr"`` ...; ``traceback`` is the worker's, as text.
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
        name, text = type(error).__name__, _text_of(error)
        try:
            lines = "".join(traceback.format_exception(type(error), error, error.__traceback__))
        except Exception:
            lines = f"{name}: {text}"
        pickled = dumps_or_none(error)
        try:
            is_readable = pickled is not None and isinstance(loads(pickled), type(error))
        except Exception:  # its constructor needs other arguments than `args`
            is_readable = False
        if not is_readable:  # None if its class cannot be pickled
            own = {name: value for name, value in vars(error).items() if dumps_or_none(value) is not None}
            pickled = dumps_or_none(_ExceptionParts(type(error), error.args, own))
        return cls(env_id, operation, pickled, name, text, lines)

    @property
    def exception(self) -> BaseException:
        """The original exception; a RuntimeError that names its type if it cannot be rebuilt in this process."""
        if isinstance(self._exception, BaseException):
            return self._exception
        try:
            rebuilt = loads(self._exception) if self._exception is not None else None
            if isinstance(rebuilt, _ExceptionParts):
                parts, rebuilt = rebuilt, rebuilt.kind.__new__(rebuilt.kind, *rebuilt.args)
                vars(rebuilt).update(parts.attributes)
                rebuilt = rebuilt if str(rebuilt) == self._text else None
            if isinstance(rebuilt, BaseException):
                return rebuilt
        except Exception:
            pass
        return RuntimeError(f"{self._name}: {self._text}" if self._text else self._name)

    def raised(self) -> BaseException:
        """Returns the exception to raise: of the original type, naming the environment, caused by its traceback."""
        # A RuntimeError replaces SystemExit, KeyboardInterrupt and others that would end the caller's program.
        error = self.exception
        if isinstance(error, WorkerDied):
            return error.again()
        if not isinstance(error, Exception):
            error = RuntimeError(f"environment {self.env_id} raised {error!r} in {self.operation}")
        error = with_env_id(error, self.env_id, self.operation)
        error.__cause__ = RemoteTraceback(self.traceback)
        return error


class _ExceptionParts(NamedTuple):
    """Parts of an exception that pickle cannot rebuild, without those that it rejects."""

    kind: type[BaseException]
    args: tuple[Any, ...]
    attributes: dict[str, Any]


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
    is_named = name in _text_of(error)
    try:
        error.env_id = env_id  # type: ignore[attr-defined]
    except AttributeError:
        is_named = False
    if not is_named and hasattr(error, "add_note"):  # Python 3.11 or later
        error.add_note(f"raised by {name} in {operation}")
    return error


def _text_of(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:
        return "<its text cannot be made>"


def failure_bytes(env_id: int, operation: str, error: BaseException) -> bytes:
    """Returns an exception as the bytes of an EnvFailure; never raises."""
    try:
        return dumps(EnvFailure.of(env_id, operation, error))
    except Exception:
        return dumps(EnvFailure(env_id, operation, None, type(error).__name__, "its text cannot be sent", ""))


def loaded_value(answer: bytes, env_id: int, operation: str) -> Any:
    """Returns the value that an environment returned for a call, or its ``EnvFailure``."""
    try:
        return loads(answer)
    except Exception as error:
        return EnvFailure.of(env_id, operation, error)


def load_failure(data: bytes, env_id: int, operation: str) -> EnvFailure:
    """Unpickles an EnvFailure; if ``data`` is unreadable or another object, returns one that says so."""
    failure = loaded_value(data, env_id, operation)
    if isinstance(failure, EnvFailure):
        return failure
    return EnvFailure(env_id, operation, None, "RuntimeError", f"a reply that is no failure: {failure!r}", "")


LeafTree: TypeAlias = "int | dict[Any, LeafTree] | tuple[LeafTree, ...]"

_LEAF_SPACES = frozenset(("Box", "Discrete", "MultiDiscrete", "MultiBinary"))
_PLAIN_KINDS = "biufc"  # of numpy dtypes that are stored by value


class Leaf(NamedTuple):
    dtype: np.dtype[Any]
    shape: tuple[int, ...]

    def __str__(self) -> str:
        return f"shape {self.shape} and dtype {self.dtype}"


class _MisfitError(Exception):
    is_error = False  # even if observations may be sent as objects


@dataclass(frozen=True)
class ObservationLayout:
    """The leaves of an observation in order, and their nesting."""

    leaves: tuple[Leaf, ...]
    structure: LeafTree | None  # None if observations are sent as messages

    @classmethod
    def of(cls, space: Any) -> ObservationLayout:
        # Box, Discrete, MultiDiscrete and MultiBinary, in Dict and Tuple to any depth, are stored in rows. Observations
        # of any other space, or without a space, are sent as messages.
        leaves: list[Leaf] = []

        def parts(space: Any) -> Any:
            return (
                None if {"Dict", "Tuple"}.isdisjoint(class_names(space, "gymnasium", "gym")) else parts_of_space(space)
            )

        def add(leaf: Any) -> LeafTree:
            is_known = not _LEAF_SPACES.isdisjoint(class_names(leaf, "gymnasium", "gym"))
            dtype = np.dtype(leaf.dtype) if is_known and leaf.dtype is not None else None
            if dtype is None or dtype.kind not in _PLAIN_KINDS or leaf.shape is None:
                raise _MisfitError("observations are sent as messages")
            leaves.append(Leaf(dtype.newbyteorder("="), tuple(map(int, leaf.shape))))
            return len(leaves) - 1

        try:
            structure: LeafTree = fold_space(space, add, parts=parts)
        except _MisfitError:
            return cls((), None)
        return cls(tuple(leaves), structure)

    @property
    def rows(self) -> list[tuple[str, tuple[int, ...]]]:
        """The dtype and shape of each leaf, as the block allocates them."""
        return [(leaf.dtype.str, leaf.shape) for leaf in self.leaves]

    def arrays(self, observation: Any, name: str = "observation", *, lenient: bool = False) -> list[Any] | None:
        """Splits an observation into arrays that fit the leaves exactly; ``None`` if it is sent as an object.

        Strictly, arrays are cast if numpy's "same_kind" rule allows it. Leniently, an observation of other dtypes or
        another structure is sent as an object. Raises ValueError for an observation that does not fit, naming the key
        and both shapes or dtypes.
        """
        if self.structure is None:
            return None
        try:
            return list(self._fitted(self.structure, observation, name, lenient))
        except _MisfitError as misfit:
            if lenient and not misfit.is_error:
                return None
            raise ValueError(f"{misfit}, as observation_space declares") from misfit.__cause__

    def _fitted(self, structure: LeafTree, value: Any, key: str, lenient: bool) -> Iterator[np.ndarray[Any, Any]]:
        """Yields the arrays of a part of an observation, whose name is ``key``."""
        if isinstance(structure, int):
            yield _fitted_leaf(self.leaves[structure], value, key, lenient)
            return
        described = f"{key} is of type {type(value).__name__}"
        if isinstance(structure, dict):
            expected = f"expected a dict with the keys {', '.join(map(repr, structure))}"
            if not isinstance(value, Mapping):
                raise _MisfitError(f"{described}: {expected}")
            missing = [name for name in structure if name not in value]
            extra = [name for name in value if name not in structure]
            if missing or extra:
                found = f"lacks {missing[0]!r}" if missing else f"has the extra key {extra[0]!r}"
                raise _MisfitError(f"{key} {found}: {expected}")
        elif not isinstance(value, (tuple, list)) or len(value) != len(structure):
            if isinstance(value, (tuple, list)):
                described = f"{key} is of length {len(value)}"
            raise _MisfitError(f"{described}: expected a tuple of length {len(structure)}")
        for name, part in structure.items() if isinstance(structure, dict) else enumerate(structure):
            quoted = f'"{name}"' if isinstance(name, str) else repr(name)
            yield from self._fitted(part, value[name], f"{key}[{quoted}]", lenient)


def nest_leaves(structure: LeafTree, leaves: Any) -> Any:
    """Nests a list of arrays as the space does: returns an array, or dicts and tuples of arrays."""
    if type(structure) is int:
        return leaves[structure]
    return map_leaves(lambda index: leaves[index], structure)


class RowLayouts(NamedTuple):
    """Layout of the shared block's rows, which the caller sends to every worker process."""

    layouts: list[ObservationLayout]  # of each environment
    uniform: bool  # whether observations are in rows; otherwise they are sent as messages
    final_rows: bool  # whether there is a second set of rows, for final observations

    @property
    def of_envs(self) -> list[list[tuple[str, tuple[int, ...]]]]:
        """The dtype and shape of each leaf, by environment."""
        return [layout.rows if self.uniform else [] for layout in self.layouts]


def _fitted_leaf(leaf: Leaf, value: Any, key: str, lenient: bool) -> np.ndarray[Any, Any]:
    try:
        array = np.asarray(value)
    except Exception as error:
        raise _MisfitError(f"{key} of type {type(value).__name__} is no array ({error}): expected {leaf}") from error
    fits = array.shape == leaf.shape and array.dtype == leaf.dtype
    if not fits and not lenient and array.shape == leaf.shape:
        fits = np.can_cast(array.dtype, leaf.dtype, "same_kind")
        # Checks the values of Python integers, because numpy converts them to int64 regardless of their value.
        if not isinstance(value, (np.ndarray, np.generic)) and array.dtype.kind == "i" and leaf.dtype.kind == "u":
            fits = np.array_equal(array.astype(leaf.dtype), array)
        array = array.astype(leaf.dtype) if fits else array
    if not fits:
        misfit = _MisfitError(f"{key} has {Leaf(array.dtype, array.shape)}: expected {leaf}")
        misfit.is_error = array.dtype == leaf.dtype and array.size != np.prod(leaf.shape)
        raise misfit
    return array if array.flags.c_contiguous and array.flags.aligned else array.copy()
