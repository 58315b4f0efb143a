"""Runs a task in Python before it is compiled, to find errors in indices, which compiled code does not check."""

from __future__ import annotations

import linecache
import sys
import traceback
from typing import Any

import numpy as np

from envpool_rs.numba.definition import Definition
from envpool_rs.numba.leaves import Leaf
from envpool_rs.numba.python_env import PythonEnv

_PATTERNS = (0xA5, 0x5A)
_STEPS = 3


class TrialError(ValueError):
    """Raised if a function of a task reads or writes outside of its arrays, or leaves elements unwritten."""


def check_shapes(definition: Definition) -> None:
    """Runs an episode's first steps in Python, with random actions.

    Raises:
        TrialError: for an index out of bounds, values of another shape, an unknown name, or an output that is not
            written. The message has the user's file and line. Other exceptions end the trial without an error:
            functions may raise them on purpose, or use features that only exist in compiled code.
    """
    env = PythonEnv(definition, {})
    players = definition.players
    try:
        with np.errstate(all="ignore"):
            env.reset(seed=0)
            _check_written(env, "observe", definition.observation, players)
            if definition.infos:
                _check_written(env, "inform", definition.infos, 1)
            for step in range(_STEPS):
                env.action_space.seed(step)
                action = env.action_space.sample() if players == 1 else _actions(env, players)
                env.step(action)
            if definition.frame[0]:
                env.render()
    except TrialError:
        raise
    except Exception as error:
        if _is_certain(error) and not (definition.boundscheck and isinstance(error, IndexError)):
            raise TrialError(_located(definition, error)) from None


def _is_certain(error: Exception) -> bool:
    """Returns whether an exception shows that compiled code would also fail, or would write outside of its arrays."""
    if isinstance(error, ValueError):
        return "broadcast" in str(error) or "array element with a sequence" in str(error)
    if isinstance(error, AttributeError):  # a name that the state, the observation or the options do not have
        return isinstance(error.obj, (np.record, tuple))
    return isinstance(error, (IndexError, NameError))


def _actions(env: PythonEnv, players: int) -> Any:
    samples = [env.action_space.sample() for _ in range(players)]
    if isinstance(samples[0], dict):
        return {key: np.stack([sample[key] for sample in samples]) for key in samples[0]}
    return np.stack(samples)


def _check_written(env: PythonEnv, function: str, leaves: tuple[Leaf, ...], players: int) -> None:
    """Raises an error if ``function`` left an element unwritten.

    The function runs with two fill patterns; an unwritten element still has the pattern's bytes in both runs.
    """
    filled = [env.outputs(function, leaves, players, fill) for fill in _PATTERNS]
    for k, leaf in enumerate(leaves):
        if leaf.dtype == "bool":
            continue  # skipped: a bool has two values, which may equal both patterns
        raw = [np.ascontiguousarray(arrays[k]).reshape(-1).view(np.uint8) for arrays in filled]
        size = np.dtype(leaf.dtype).itemsize
        left = [np.all(part.reshape(-1, size) == fill, axis=1) for part, fill in zip(raw, _PATTERNS, strict=True)]
        unwritten = np.flatnonzero(left[0] & left[1])
        if unwritten.size:
            shape = filled[0][k].shape
            index = tuple(int(each) for each in np.unravel_index(unwritten[0], shape)) if shape else ()
            name = f"out.{leaf.name}" if leaf.name else "out"
            position = ", ".join(map(str, index)) or "..."
            raise TrialError(
                f"{env._definition.task_id}: {function} leaves {name}[{position}] unwritten: "
                f"expected all {leaf.size * players} elements to be set"
            )


def _located(definition: Definition, error: Exception) -> str:
    """Returns the message of an exception with the user's file, line and function."""
    files = {function.__code__.co_filename for function in definition.functions.values()}
    frames = traceback.extract_tb(sys.exc_info()[2])
    own = next((frame for frame in reversed(frames) if frame.filename in files), frames[-1])
    text = (own.line or linecache.getline(own.filename, own.lineno or 0)).strip()
    hint = "; expected functions and constants to stand above the class" if isinstance(error, NameError) else ""
    return (
        f"{definition.task_id}: {own.name} ({own.filename}, line {own.lineno}) fails in Python: "
        f"{type(error).__name__}: {error}" + (f", at `{text}`" if text else "") + hint
    )
