"""A task in Python, without Numba: an environment for debuggers, and a trial before the task is compiled."""

from __future__ import annotations

import linecache
import sys
import traceback
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space

from envpool_rs.numba.definition import Arrays, Definition, parameters_of


class PythonEnv(gymnasium.Env[Any, Any]):
    """One environment whose functions run in Python, with gymnasium's interface.

    Trajectories are those of the compiled task with the same seed, if the functions use no other random numbers. Arrays
    are numpy arrays, so an index out of bounds raises an ``IndexError``.
    """

    def __init__(self, definition: Definition, options: dict[str, Any]) -> None:
        self._definition, declared = definition, definition.options
        unknown = options.keys() - declared.keys() - {"max_episode_steps"}
        if unknown:
            raise TypeError(f"unknown option {sorted(unknown)[0]!r}: expected some of {', '.join(declared) or 'none'}")
        values = [option.value(name, options.get(name, option.default)) for name, option in declared.items()]
        self.options = definition.option_values.nest(values or [0])
        self._limit = options.get("max_episode_steps", definition.max_episode_steps)
        self.observation_space, self.action_space = definition.spaces
        self.render_mode = "rgb_array" if definition.frame[0] else None
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": definition.frames_per_second}
        self._elapsed = 0
        self.state = np.zeros(definition.state_shape or 1, definition.state)
        if definition.state_shape is None:
            self.state = self.state.view(np.recarray)[0]
        self._generator: np.random.Generator = np.random.default_rng()

    def call(self, function: str, **values: Any) -> Any:
        """Calls a function of the task with the parameters that the function takes."""
        values.update(state=self.state, random=self._generator, options=self.options)
        called = self._definition.functions[function]
        return called(*(values[name] for name in parameters_of(called)))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode."""
        if options:
            raise ValueError(f"options={options!r}: expected none")
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        self._elapsed = 0
        self.call("reset")
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Runs one step."""
        result = self.call("step", action=self._action(action))
        if not isinstance(result, tuple) or len(result) not in (2, 3):
            expected = "(reward, terminated) or (reward, terminated, truncated)"
            raise TypeError(f"step returned {result!r}: expected {expected}")
        self._elapsed += 1
        reward, terminated, *truncated = result
        is_over_limit = 0 < self._limit <= self._elapsed
        reward = float(reward) if self._definition.players == 1 else np.array(reward, np.float64)
        return self._observation(), reward, bool(terminated), any(truncated) or is_over_limit, self._info()

    def render(self) -> Any:
        """Returns a picture ``(height, width, 3)`` uint8."""
        if "render" not in self._definition.functions:
            raise NotImplementedError(f"{self._definition.task_id} has no function render")
        picture = np.zeros((*self._definition.frame[::-1], 3), np.uint8)
        self.call("render", picture=picture)
        return picture

    def _action(self, action: Any) -> Any:
        arrays, values = self._definition.action, []
        for leaf, shape in zip(arrays.leaves, arrays.shapes, strict=True):
            value = action
            for key in filter(None, leaf.name.split(".")):
                value = value[key]
            array = np.ascontiguousarray(value, leaf.action_dtype)
            if array.size != np.prod(shape, dtype=np.int64):
                raise ValueError(f"action {value!r}: expected the shape {shape}")
            array = array.reshape(shape)
            values.append(array if shape else array[()] if leaf.kind == "BOX" else int(array))
        return arrays.nest(values)

    def outputs(self, function: str, arrays: Arrays, fill: int = 0) -> list[Any]:
        """Returns the arrays that ``observe`` or ``inform`` has filled in, whose bytes were ``fill`` before."""
        sizes = [shape or (1,) for shape in arrays.shapes]
        raw = [np.empty(size, leaf.dtype) for size, leaf in zip(sizes, arrays.leaves, strict=True)]
        for array in raw:
            array.view(np.uint8)[...] = fill
        values = [array.reshape(shape) for array, shape in zip(raw, arrays.shapes, strict=True)]
        self.call(function, out=arrays.nest(values))
        return values

    def _observation(self) -> Any:
        arrays = self._definition.observation
        pairs = zip(arrays.leaves, self.outputs("observe", arrays), strict=True)
        values = [np.int64(array) if leaf.n and not array.ndim else array for leaf, array in pairs]
        return arrays.nest(values, lambda cls, members: dict(zip(cls._fields, members, strict=True)))

    def _info(self) -> dict[str, Any]:
        infos = self._definition.infos
        if not infos.leaves:
            return {}
        pairs = zip(infos.leaves, self.outputs("inform", infos), strict=True)
        return {leaf.name: array[()] for leaf, array in pairs}


# The trial

_PATTERNS = (0xA5, 0x5A)
_STEPS = 3


class TrialError(ValueError):
    """Raised if a function of a task reads or writes outside of its arrays, or leaves elements unwritten."""


def check_shapes(definition: Definition) -> None:
    """Runs an episode's first steps in Python, with random actions."""
    env = PythonEnv(definition, {})
    actions = env.action_space if definition.players == 1 else batch_space(env.action_space, definition.players)
    try:
        with np.errstate(all="ignore"):
            env.reset(seed=0)
            _check_written(env, "observe", definition.observation)
            if definition.infos.leaves:
                _check_written(env, "inform", definition.infos)
            for step in range(_STEPS):
                actions.seed(step)
                env.step(actions.sample())
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


def _check_written(env: PythonEnv, function: str, arrays: Arrays) -> None:
    """Raises an error if ``function`` left an element unwritten.

    The function runs with two fill patterns; an unwritten element still has the pattern's bytes in both runs.
    """
    runs = [env.outputs(function, arrays, fill) for fill in _PATTERNS]
    for leaf, *filled in zip(arrays.leaves, *runs, strict=True):
        if leaf.dtype == "bool":
            continue  # skipped: a bool has two values, which may equal both patterns
        raw = [array.reshape(-1, 1).view(np.uint8) for array in filled]
        is_left = [(each == fill).all(axis=1) for each, fill in zip(raw, _PATTERNS, strict=True)]
        unwritten = np.flatnonzero(is_left[0] & is_left[1])
        if unwritten.size:
            shape = filled[0].shape
            position = ", ".join(map(str, np.unravel_index(unwritten[0], shape))) if shape else "..."
            raise TrialError(
                f"{env._definition.task_id}: {function} leaves {f'out.{leaf.name}'.rstrip('.')}[{position}] unwritten: "
                f"expected all {filled[0].size} elements to be set"
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
