"""Environment that runs a task's functions in Python, without Numba, for debuggers, `print` and tracebacks."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from envpool_rs.numba.abi import BOX
from envpool_rs.numba.definition import Definition
from envpool_rs.numba.entry_text import nested, tuple_types
from envpool_rs.numba.leaves import Leaf


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

    Attributes:
        state: the state, which the functions change.
        options: values of the options, in the form that the functions receive.
    """

    def __init__(self, definition: Definition, options: dict[str, Any]) -> None:
        """Checks the options.

        Args:
            definition: the task.
            options: values of options; options that are not given have their defaults.

        Raises:
            TypeError: for an unknown option or a value of the wrong type.
            ValueError: for a value out of bounds.
        """
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
        """Calls a function of the task with the parameters that the function takes.

        Args:
            function: name of the function.
            **values: parameters other than state, random and options.
        """
        arguments = {"state": self.state, "random": self._generator, "options": self.options, **values}
        parameters = self._definition.parameters(function)
        return self._definition.functions[function](*(arguments[name] for name in parameters))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode.

        Args:
            seed: seed for numpy's ``default_rng``; ``None`` continues the random stream.
            options: none are supported.
        """
        if options:
            raise ValueError(f"options={options!r}: expected none")
        if seed is not None:
            self._generator = np.random.default_rng(seed)
        self._elapsed = 0
        self.call("reset")
        return self._observation(), self._info()

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Runs one step.

        Args:
            action: a value of the action space; with several players, a list of such values.

        Raises:
            TypeError: if ``step`` returns no tuple of two or three values.
        """
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
        """Returns a picture ``(height, width, 3)`` uint8.

        Raises:
            NotImplementedError: for a task without a function ``render``.
        """
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
        expected = (players, *leaf.shape) if players > 1 else leaf.shape
        if array.size != np.prod(expected, dtype=np.int64):
            raise ValueError(f"action {value!r}: expected the shape {expected}")
        array = array.reshape(expected)
        if expected:
            return array
        return int(array) if leaf.kind != BOX else array[()]

    def outputs(self, function: str, leaves: tuple[Leaf, ...], players: int, fill: int = 0) -> list[Any]:
        """Returns the arrays that ``observe`` or ``inform`` has filled in.

        Args:
            function: name of the function.
            leaves: the arrays.
            players: rows of each array.
            fill: value of each byte before the call.
        """
        shapes = [(players, *leaf.shape) if players > 1 else leaf.shape for leaf in leaves]
        arrays = [np.empty(shape, leaf.dtype) for shape, leaf in zip(shapes, leaves, strict=True)]
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
