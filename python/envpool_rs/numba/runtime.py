"""Compiled functions that all tasks share: they write messages of exceptions, and store an environment's options.

This module imports numba, and compiles on import the functions that its `CodeCache` does not contain.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import llvmlite.binding as llvm
import numpy as np
from numba import carray, njit, types

from envpool_rs.numba.abi import LAYOUTS, WORD, word_of
from envpool_rs.numba.code_cache import CodeCache, base_key
from envpool_rs.numba.primitives import release, to_bytes, to_words


def _address_function(count: int, result: Any = types.void) -> Any:
    """Returns the numba signature of a function whose arguments are addresses and sizes."""
    return result(*[types.uint64] * count)


_cache = CodeCache("runtime", base_key().text())


def _compiled(signature: Any) -> Callable[[Callable[..., Any]], Any]:
    """Returns a decorator that compiles a C function, or loads it from this module's file of compiled functions."""
    return lambda function: _cache.function(function.__name__, signature, function)


# Exception messages

_LETTERS, _UNSIGNED, _SIGNED, _WORD, _VALUE, _STORE, _RECALL, _CLASS_ENDS, _NEW, _BUILT, _TUPLE_ENDS = range(11)
_OTHER, _END = 11, 12
"""Kinds of a pickle's opcodes."""
_OPCODES = {
    # Pickle opcodes that are shown: SHORT_BINUNICODE, BINUNICODE; BININT1, BININT2; BININT, LONG1; NONE, NEWTRUE,
    # NEWFALSE. The value of BINFLOAT is not shown.
    **{0x8C: (_LETTERS, 1), ord("X"): (_LETTERS, 4)},
    **{ord("K"): (_UNSIGNED, 1), ord("M"): (_UNSIGNED, 2), ord("J"): (_SIGNED, 4), 0x8A: (_SIGNED, 1)},
    **dict.fromkeys((ord("N"), 0x88, 0x89), (_WORD, 0)),
    **{ord("G"): (_VALUE, 8)},
    # MEMOIZE; BINGET, LONG_BINGET; STACK_GLOBAL; NEWOBJ; BUILD; TUPLE1 to TUPLE3, EMPTY_TUPLE, TUPLE.
    **{0x94: (_STORE, 0), ord("h"): (_RECALL, 1), ord("j"): (_RECALL, 4)},
    **{0x93: (_CLASS_ENDS, 0), 0x81: (_NEW, 0), ord("b"): (_BUILT, 0)},
    **dict.fromkeys((0x85, 0x86, 0x87, ord(")"), ord("t")), (_TUPLE_ENDS, 0)),
    # Pickle opcodes that are skipped: MARK, EMPTY_DICT, SETITEM, SETITEMS; PROTO; FRAME.
    **dict.fromkeys((ord("("), ord("}"), ord("s"), ord("u")), (_OTHER, 0)),
    **{0x80: (_OTHER, 1), 0x95: (_OTHER, 8)},
}
"""For each opcode its kind, and the number of bytes that follow it; for strings and LONG1, the number of bytes of the
length field.
"""
_NONE, _TRUE, _LONG, _EMPTY_TUPLE = ord("N"), 0x88, 0x8A, ord(")")
_KINDS = np.array([_OPCODES.get(code, (_END, 0))[0] for code in range(256)], np.int64)
_SIZES = np.array([_OPCODES.get(code, (_END, 0))[1] for code in range(256)], np.int64)
_CLASS, _ARGUMENTS, _LOCATION = range(3)
"""Parts of a pickled exception of numba, in the order in which the pickle stores them."""
_SLASHES = (ord("/"), ord("\\"))
_HIDDEN = b"<a value that compiled code does not show>"
_ONE, _TEN = np.uint64(1), np.uint64(10)


@njit
def little_endian(data: Any, first: int, last: int) -> int:
    """Returns the unsigned little-endian integer in ``data[first:last]``, modulo 2**64."""
    value = 0
    for k in range(first, last):
        value |= int(data[k]) << 8 * (k - first)
    return value


@njit
def token(data: Any, at: int) -> tuple[int, int, int, int]:
    """Returns the kind of a pickle's opcode, the bounds of its string or number, and the index of the next opcode."""
    kind, first = _KINDS[data[at]], at + 1
    last = first + _SIZES[data[at]]
    if kind == _LETTERS or data[at] == _LONG:
        first, last = last, last + little_endian(data, first, last)
    return kind, first, last, last


@njit
def recalled(data: Any, size: int, index: int) -> tuple[int, int, int]:
    """Returns the kind and the bounds of the value that a pickle has stored under a number."""
    kind, first, last, i, count = _OTHER, 0, 0, 0, 0
    while i < size and kind != _END:
        earlier, start, end = kind, first, last
        kind, first, last, i = token(data, i)
        if kind == _STORE:
            if count == index and earlier == _LETTERS:
                return earlier, start, end
            count += 1
    return _VALUE, 0, 0


@njit
def put(error: Any, at: int, text: Any, first: int, last: int) -> int:
    """Appends ``text[first:last]`` to a zero-terminated message, cut to the size of its buffer; returns the message's
    length.
    """
    for k in range(first, last):
        if at + 1 < len(error):
            error[at] = text[k]
            at += 1
    return at


@njit
def put_number(error: Any, at: int, value: int) -> int:
    """Appends an int64 in decimal digits; returns the message's length."""
    rest = np.uint64(value)
    if value < 0:
        at = put(error, at, b"-", 0, 1)
        rest = np.uint64(-(value + 1)) + _ONE
    power = _ONE
    while rest // power >= _TEN:
        power *= _TEN
    while power >= _ONE:
        if at + 1 < len(error):
            error[at] = np.uint64(ord("0")) + rest // power % _TEN
            at += 1
        power //= _TEN
    return at


@njit
def put_exception(error: Any, data: Any, size: int) -> int:
    """Writes the message of a pickled exception, and returns the message's length."""
    at, i, part, items, kind = 0, 0, _CLASS, 0, _OTHER
    before, previous = 0, 0  # lengths of the message before the last item and before the item that precedes it
    depth = -1  # number of objects that enclose the opcode; -1 outside of the arguments that are objects
    while i < size and kind != _END:
        opcode = i
        kind, first, last, i = token(data, i)
        if depth >= 0:
            depth += int(kind == _NEW) - int(kind == _BUILT)
            depth = -1 if depth == 0 and kind == _BUILT else depth
            continue
        if kind == _RECALL:
            kind, first, last = recalled(data, size, little_endian(data, first, last))
        if kind in (_LETTERS, _UNSIGNED, _SIGNED) or (part == _ARGUMENTS and kind in (_WORD, _VALUE)):
            previous, before = before, at
            if part == _ARGUMENTS:
                at = put(error, at, b": ", 0, 2) if items == 0 else put(error, at, b", ", 0, 2)
            elif part == _LOCATION:
                at = put_location(error, at, items)
                first = after_slash(data, first, last) if items == 1 else first
            # The first string is the module of the exception's class; the message omits it.
            if part != _CLASS or items == 1:
                at = put_item(error, at, data, opcode, kind, first, last)
            items += 1
        elif kind == _CLASS_ENDS and part == _CLASS:
            part, items = _ARGUMENTS, 0
        elif kind == _CLASS_ENDS and part == _ARGUMENTS:
            # The last two strings name a class. numba stores an object of its own for a value that is not constant.
            at, items = previous, items - 1
            at = put(error, at, b": ", 0, 2) if items == 1 else put(error, at, b", ", 0, 2)
            at = put(error, at, _HIDDEN, 0, len(_HIDDEN))
            following = i + int(_KINDS[data[i]] == _STORE)
            depth = 0 if data[following] == _EMPTY_TUPLE else -1
        elif kind == _TUPLE_ENDS and part == _ARGUMENTS:
            part, items = _LOCATION, 0
    if part == _LOCATION and items > 0:
        at = put(error, at, b")", 0, 1)
    return at


@njit
def put_item(error: Any, at: int, data: Any, opcode: int, kind: int, first: int, last: int) -> int:
    """Appends a value of a pickle to a message; returns the message's length."""
    if kind == _LETTERS:
        return put(error, at, data, first, last)
    if kind == _WORD:
        word = b"None " if data[opcode] == _NONE else b"True " if data[opcode] == _TRUE else b"False"
        return put(error, at, word, 0, 5 if data[opcode] > _TRUE else 4)
    if kind == _VALUE or last - first > 8:  # noqa: PLR2004
        return put(error, at, _HIDDEN, 0, len(_HIDDEN))
    value = little_endian(data, first, last)
    if kind == _SIGNED and last > first and last - first < 8 and data[last - 1] > 127:  # noqa: PLR2004
        value -= 1 << 8 * (last - first)
    return put_number(error, at, value)


@njit
def put_location(error: Any, at: int, items: int) -> int:
    """Appends to a message the words before the function (" (in "), the file (", ") or the line (", line ").

    Returns the message's length.
    """
    if items == 0:
        return put(error, at, b" (in ", 0, 5)
    return put(error, at, b", ", 0, 2) if items == 1 else put(error, at, b", line ", 0, 7)


@njit
def after_slash(data: Any, first: int, last: int) -> int:
    """Returns the index of the first character of a path's last part."""
    start = first
    for k in range(first, last):
        if data[k] in _SLASHES:
            start = k + 1
    return start


@_compiled(_address_function(3))
def write_failure(address: Any, room: Any, raised: Any) -> None:
    """Writes the message of an exception: ``ValueError: text (in step, file.py, line 3)``.

    numba stores an exception as a pickle of its class, arguments and location. This function reads the few opcodes that
    such pickles contain, because worker threads have no interpreter for `pickle.loads`. Values of arguments that are
    not constant are in other memory, without their types; this function frees the memory.
    """
    if address != 0 and room != 0:
        error = carray(to_bytes(address), int(room))
        if raised == 0:
            text = b"an exception without a message"
            error[put(error, 0, text, 0, len(text))] = 0
        else:
            fields = carray(to_words(raised), 2)
            size = int(fields[1] & 0xFFFFFFFF)
            data = carray(to_bytes(fields[0]), size)
            error[put_exception(error, data, size)] = 0
    if raised != 0:
        words = carray(to_words(raised), 5)
        if words[4] & 0xFFFFFFFF != 0:
            release(words[2])
            release(raised)


@njit
def write_text(address: Any, room: Any, text: Any) -> None:
    """Writes a zero-terminated message, cut to ``room`` bytes."""
    if address != 0 and room != 0:
        error = carray(to_bytes(address), int(room))
        error[put(error, 0, text, 0, len(text))] = 0


# --- options ----------------------------------------------------------------------------------------------------------

_malloc = types.ExternalFunction("malloc", types.uint64(types.uint64))
_free = types.ExternalFunction("free", types.void(types.uint64))
_TASK_WORDS, _ENV_WORDS, _VALUE_WORDS = (len(LAYOUTS[name]) for name in ("task", "env", "value"))
_TASK_DATA, _ENV_DATA = word_of("task.data"), word_of("env.data")
_INTEGER = word_of("value.integer")


@_compiled(_address_function(5, types.int64))
def make(task: Any, values: Any, env: Any, error: Any, error_size: Any) -> int:
    """Fills in an `epr_env`: a copy of the task's template, with the options' values as `data`.

    The task's data hold the template, the number of options, and a word per option for its type: 0 for an integer, 1
    for a float.
    """
    data = carray(to_words(task), _TASK_WORDS)[_TASK_DATA]
    template = carray(to_words(data), _ENV_WORDS + 1)
    count = int(template[_ENV_WORDS])
    words = carray(to_words(data + np.uint64(WORD * (_ENV_WORDS + 1))), count)
    made = carray(to_words(env), _ENV_WORDS)
    for k in range(_ENV_WORDS):
        made[k] = template[k]
    memory = _malloc(np.uint64(WORD * (count + 1)))
    if memory == 0:
        write_text(error, error_size, b"no memory for the options")
        return 1
    stored = carray(to_words(memory), count + 1)
    stored[count] = 0
    given = carray(to_words(values), _VALUE_WORDS * count)
    for k in range(count):
        stored[k] = given[_VALUE_WORDS * k + _INTEGER + int(words[k])]
    made[_ENV_DATA] = memory
    return 0


@_compiled(_address_function(1))
def unmake(env: Any) -> None:
    """Frees the options' values of an `epr_env`."""
    _free(carray(to_words(env), _ENV_WORDS)[_ENV_DATA])


_cache.save()

# Symbols by which the table functions of tasks call functions of this module


def _symbol(name: str, function: Any) -> Any:
    llvm.add_symbol(name, function.address)
    return types.ExternalFunction(name, function._sig)


call_write_failure = _symbol("envpool_rs_write_failure", write_failure)
