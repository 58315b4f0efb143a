"""Generates the Python source of a task's table functions, which call a user's function for each environment of a
batch.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Iterator, Sequence
from typing import Any

from envpool_rs._core import __version__
from envpool_rs.numba import abi
from envpool_rs.numba.definition import Definition, Leaf

SIGNATURES = {
    "reset": 2,
    "step": 2,
    "observe": 2,
    "inform": 2,
    "is_valid": 2,
    "render": 3,
}
"""Functions of the C interface's function table, with the number of arguments of each; arguments are addresses and
sizes.
"""


def nested(leaves: Sequence[Leaf]) -> Any:
    """Returns 0 for a space that is one array, otherwise a dict with the space's structure and the indices of its
    leaves.
    """
    if len(leaves) == 1 and not leaves[0].name:
        return 0
    tree: dict[str, Any] = {}
    for index, leaf in enumerate(leaves):
        *path, last = leaf.name.split(".")
        inner = tree
        for key in path:
            inner = inner.setdefault(key, {})
        inner[last] = index
    return tree


def tuple_types(name: str, tree: Any) -> dict[str, Any]:
    """Returns the namedtuple classes for a structure, by the names that the generated source uses."""
    if not isinstance(tree, dict):
        return {}
    found = {name: namedtuple(name, tree)}
    for key, part in tree.items():
        found.update(tuple_types(f"{name}_{key}", part))
    return found


def _value(name: str, tree: Any, leaves: Sequence[str]) -> str:
    """Returns the source of an expression that builds a structure from the expressions of its leaves."""
    if not isinstance(tree, dict):
        return str(leaves[tree])
    parts = [_value(f"{name}_{key}", part, leaves) for key, part in tree.items()]
    return f"{name}({', '.join(parts)})"


def action_dtype(leaf: Leaf) -> str:
    """Returns the element type of an action in memory: int32 for discrete actions, the declared dtype for boxes."""
    return leaf.dtype if leaf.kind == abi.BOX else "int32"


def _word(field: str, struct: str = "batch") -> str:
    return f"b[{abi.word_of(f'{struct}.{field}')}]"


def _array(dtype: str, address: str, shape: tuple[int, ...]) -> str:
    if shape:
        return f"carray(to_{dtype}({address}), {shape})"
    return f"carray(to_{dtype}({address}), 1).reshape(())"


class Source:
    """Generates the Python source of a task's table functions, for a `step` that returns `results` values."""

    def __init__(self, definition: Definition, results: int) -> None:
        self._definition = definition
        self._results = results

    def text(self) -> str:
        """Returns the Python source of the generated module."""
        names = ["reset", "step", "observe", *(each for each in ("inform", "is_valid", "render") if self._has(each))]
        blocks = [f'"""Table functions of {self._definition.task_id}, written by envpool_rs {__version__}."""']
        blocks += ["\n".join(getattr(self, f"_{name}")()) for name in names]
        return "\n\n\n".join(blocks) + "\n"

    def _has(self, function: str) -> bool:
        return function in self._definition.functions

    def _start(self, function: str, parameters: str = "env, batch") -> Iterator[str]:
        yield f"def {function}({parameters}):"
        yield f"    b = carray(to_uint64(batch), {len(abi.LAYOUTS['batch'])})"
        yield f"    count = np.int64({_word('count')})"
        yield f"    lanes = carray(to_uint32({_word('lane')}), count)"
        if "options" in self._definition.parameters(function):
            yield f"    data = carray(to_uint64(env), {len(abi.LAYOUTS['env'])})[{abi.word_of('env.data')}]"
            kinds = [type(option.default) for _, option in self._definition.options] or [int]
            reads = {bool: "carray(to_int64({0}), 1)[0] != 0", int: "carray(to_int64({0}), 1)[0]"}
            reads[float] = "carray(to_float64({0}), 1)[0]"
            # The first word of the data is the number of words.
            values = [reads[kind].format(f"data + np.uint64({abi.WORD * k})") for k, kind in enumerate(kinds, 1)]
            yield f"    options = Options({', '.join(values)})"

    def _lanes(self) -> Iterator[str]:
        shape = self._definition.state_shape
        # The generated code loads these words once, before the loop: the compiler cannot know that the user's functions
        # do not change them.
        yield f"    states, lane_stride, streams = {_word('state')}, {_word('lane_stride')}, {_word('random')}"
        yield "    for i in range(count):"
        yield "        lane = np.uint64(lanes[i])"
        yield f"        state = carray(to_state(states + lane * lane_stride), {shape or 1})" + ("" if shape else "[0]")

    def _random(self, function: str) -> Iterator[str]:
        if "random" in self._definition.parameters(function):
            yield f"        random = stream_at(streams + lane * np.uint64({abi.RANDOM_SIZE}))"

    def _call(self, function: str, result: str = "_") -> str:
        parameters = ", ".join(self._definition.parameters(function))
        return f"        failed, raised, {result} = guarded(user_{function}, ({parameters},))"

    @staticmethod
    def _failure(*lines: str) -> Iterator[str]:
        yield "        if failed:"
        yield f"            write_exception({_word('error')}, {_word('error_size')}, raised)"
        yield from (f"            {line}" for line in lines)

    def _reset(self) -> Iterator[str]:
        yield from self._start("reset")
        yield f"    ends = carray(to_uint8({_word('end')}), count)"
        yield from self._lanes()
        yield from self._random("reset")
        yield self._call("reset")
        yield from self._failure(f"ends[i] = {abi.FAILED}")
        yield "    return 0"

    def _step(self) -> Iterator[str]:
        players = self._definition.players
        yield from self._start("step")
        yield f"    ends = carray(to_uint8({_word('end')}), count)"
        yield f"    rewards = carray(to_float64({_word('reward')}), (count, {players}))"
        has_action = "action" in self._definition.parameters("step")
        leaves = self._definition.action
        if has_action:
            yield f"    actions = carray(to_uint64({_word('action')}), {len(leaves)})"
            yield f"    strides = carray(to_uint64({_word('action_stride')}), {len(leaves)})"
            for k in range(len(leaves)):
                yield f"    action{k}, stride{k} = actions[{k}], strides[{k}]"
        yield from self._lanes()
        yield from self._random("step")
        if has_action:
            values = [self._action(index, leaf) for index, leaf in enumerate(leaves)]
            yield f"        action = {_value('Action', nested(leaves), values)}"
        yield self._call("step", "result")
        yield from self._failure(f"ends[i] = {abi.FAILED}")
        yield "        else:"
        for player in range(players):
            reward = "result[0]" if players == 1 else f"result[0][{player}]"
            yield f"            rewards[i, {player}] = {reward}"
        yield f"            ends[i] = {abi.TERMINATED} if result[1] else 0"
        if self._results > 2:  # noqa: PLR2004
            yield f"            ends[i] |= {abi.TRUNCATED} if result[2] else 0"
        yield "    return 0"

    def _action(self, index: int, leaf: Leaf) -> str:
        address = f"action{index} + np.uint64(i) * stride{index}"
        shape = leaf.batch_shape(self._definition.players)
        if shape:
            return _array(action_dtype(leaf), address, shape)
        value = f"carray(to_{action_dtype(leaf)}({address}), 1)[0]"
        return value if leaf.kind == abi.BOX else f"np.int64({value})"

    def _observe(self) -> Iterator[str]:
        yield from self._outputs("observe", "Observation", self._definition.observation, self._definition.players)

    def _inform(self) -> Iterator[str]:
        yield from self._outputs("inform", "Infos", self._definition.infos, 1)

    def _outputs(self, function: str, name: str, leaves: Sequence[Leaf], players: int) -> Iterator[str]:
        yield from self._start(function)
        yield f"    rows = carray(to_uint64({_word('out')}), {len(leaves)})"
        yield f"    strides = carray(to_uint64({_word('out_stride')}), {len(leaves)})"
        values, offset = [], 0
        for k, leaf in enumerate(leaves):
            # A row that the caller does not request is written into scratch memory.
            yield f"    row{k} = rows[{k}] if rows[{k}] != 0 else {_word('scratch')} + np.uint64({offset})"
            yield f"    stride{k} = strides[{k}] if rows[{k}] != 0 else np.uint64(0)"
            values.append(_array(leaf.dtype, f"row{k} + np.uint64(i) * stride{k}", leaf.batch_shape(players)))
            offset += leaf.row_size(players)
        yield from self._lanes()
        yield f"        out = {_value(name, nested(leaves), values)}"
        yield self._call(function)
        yield from self._failure("return 1")
        yield "    return 0"

    def _is_valid(self) -> Iterator[str]:
        yield from self._start("is_valid")
        yield from self._lanes()
        yield self._call("is_valid", "result")
        yield from self._failure("return 1")
        yield "        if not result:"
        yield f"            write_invalid_state({_word('error')}, {_word('error_size')})"
        yield "            return 1"
        yield "    return 0"

    def _render(self) -> Iterator[str]:
        width, height = self._definition.frame
        yield from self._start("render", "env, batch, rgb")
        yield f"    picture = carray(to_uint8(rgb), ({height}, {width}, 3))"
        yield "    picture[...] = 0"
        yield from self._lanes()
        yield self._call("render")
        yield from self._failure("return 1")
        yield "    return 0"
