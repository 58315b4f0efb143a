"""A task in Python, without Numba: an environment for debuggers, and a trial before the task is compiled."""

from __future__ import annotations

import linecache
import sys
import traceback
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from envpool_rs.numba.abi import BOX
from envpool_rs.numba.definition import Definition, Leaf
from envpool_rs.numba.source import nested, tuple_types


def build(name: str, leaves: tuple[Leaf, ...], values: list[Any]) -> Any:
    """Builds a structure (an array or namedtuples) from the values of its leaves, in the form that compiled functions
    receive.
    """
    tree = nested(leaves)
    classes = tuple_types(name, tree)

    def at(part: Any, name: str) -> Any:
        if not isinstance(part, dict):
            return values[part]
        return classes[name](*(at(inner, f"{name}_{key}") for key, inner in part.items()))

    return at(tree, name)


class PythonEnv(gymnasium.Env[Any, Any]):
    """One environment whose functions run in Python, with gymnasium's interface.

    Trajectories are those of the compiled task with the same seed, if the functions use no other random numbers. Arrays
    are numpy arrays, so an index out of bounds raises an ``IndexError``.
    """

    def __init__(self, definition: Definition, options: dict[str, Any]) -> None:
        """Checks the options."""
        self._definition = definition
        declared = dict(definition.options)
        unknown = options.keys() - declared.keys() - {"max_episode_steps"}
        if unknown:
            raise TypeError(f"unknown option {sorted(unknown)[0]!r}: expected some of {', '.join(declared) or 'none'}")
        values = {name: option.value(name, options.get(name, option.default)) for name, option in declared.items()}
        self.options = definition.options_type(*(values.values() or [0]))
        self._limit = options.get("max_episode_steps", definition.max_episode_steps)
        observation, action = definition.spaces
        self.observation_space = observation
        self.action_space = spaces.Discrete(int(action)) if isinstance(action, (int, np.integer)) else action
        if isinstance(observation, (int, np.integer)):
            self.observation_space = spaces.Discrete(int(observation))
        self.render_mode = "rgb_array" if definition.frame[0] else None
        self.metadata = {"render_modes": ["rgb_array"], "render_fps": definition.frames_per_second}
        self._elapsed = 0
        self.state = self._zero_state()
        self._generator: np.random.Generator = np.random.default_rng()

    def _zero_state(self) -> Any:
        shape = self._definition.state_shape
        if shape is not None:
            return np.zeros(shape, self._definition.state)
        return np.zeros(1, self._definition.state).view(np.recarray)[0]

    def call(self, function: str, **values: Any) -> Any:
        """Calls a function of the task with the parameters that the function takes."""
        arguments = {"state": self.state, "random": self._generator, "options": self.options, **values}
        parameters = self._definition.parameters(function)
        return self._definition.functions[function](*(arguments[name] for name in parameters))

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
        values = self._leaf_values(self._definition.action, action)
        actions = [self._action(leaf, value) for leaf, value in zip(self._definition.action, values, strict=True)]
        result = self.call("step", action=build("Action", self._definition.action, actions))
        if not isinstance(result, tuple) or len(result) not in (2, 3):
            raise TypeError(
                f"step returned {result!r}: expected (reward, terminated) or (reward, terminated, truncated)"
            )
        self._elapsed += 1
        truncated = len(result) > 2 and bool(result[2])  # noqa: PLR2004
        is_over_limit = 0 < self._limit <= self._elapsed
        reward = float(result[0]) if self._definition.players == 1 else np.array(result[0], np.float64)
        return self._observation(), reward, bool(result[1]), truncated or is_over_limit, self._info()

    def render(self) -> Any:
        """Returns a picture ``(height, width, 3)`` uint8."""
        if "render" not in self._definition.functions:
            raise NotImplementedError(f"{self._definition.task_id} has no function render")
        width, height = self._definition.frame
        picture = np.zeros((height, width, 3), np.uint8)
        self.call("render", picture=picture)
        return picture

    def _leaf_values(self, leaves: tuple[Leaf, ...], action: Any) -> list[Any]:
        if len(leaves) == 1 and not leaves[0].name:
            return [action]
        values = []
        for leaf in leaves:
            value = action
            for key in leaf.name.split("."):
                value = value[key]
            values.append(value)
        return values

    def _action(self, leaf: Leaf, value: Any) -> Any:
        array = np.ascontiguousarray(value, leaf.dtype if leaf.kind == BOX else np.int32)
        players = self._definition.players
        expected = leaf.batch_shape(players)
        if array.size != np.prod(expected, dtype=np.int64):
            raise ValueError(f"action {value!r}: expected the shape {expected}")
        array = array.reshape(expected)
        if expected:
            return array
        return int(array) if leaf.kind != BOX else array[()]

    def outputs(self, function: str, leaves: tuple[Leaf, ...], players: int, fill: int = 0) -> list[Any]:
        """Returns the arrays that ``observe`` or ``inform`` has filled in."""
        arrays = [np.empty(leaf.batch_shape(players), leaf.dtype) for leaf in leaves]
        for array in arrays:
            array.reshape(-1).view(np.uint8)[:] = fill
        name = "Observation" if function == "observe" else "Infos"
        self.call(function, out=build(name, leaves, arrays))
        return arrays

    def _observation(self) -> Any:
        leaves = self._definition.observation
        return self._as_member(leaves, self.outputs("observe", leaves, self._definition.players))

    @staticmethod
    def _as_member(leaves: tuple[Leaf, ...], arrays: list[Any]) -> Any:
        values = [
            np.int64(array) if leaf.n and not array.ndim else array for leaf, array in zip(leaves, arrays, strict=True)
        ]
        tree = nested(leaves)

        def at(part: Any) -> Any:
            return {key: at(inner) for key, inner in part.items()} if isinstance(part, dict) else values[part]

        return at(tree)

    def _info(self) -> dict[str, Any]:
        leaves = self._definition.infos
        if not leaves:
            return {}
        arrays = self.outputs("inform", leaves, 1)
        return {leaf.name: array[()] for leaf, array in zip(leaves, arrays, strict=True)}


# The trial

_PATTERNS = (0xA5, 0x5A)
_STEPS = 3


class TrialError(ValueError):
    """Raised if a function of a task reads or writes outside of its arrays, or leaves elements unwritten."""


def check_shapes(definition: Definition) -> None:
    """Runs an episode's first steps in Python, with random actions."""
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
