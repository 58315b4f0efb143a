"""Structs and constants of the C interface, and the table of a library with one task (``epr_library``).

Structs and constants are those of the extension, whose tests compare them with the header ``envpool_rs.h``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envpool_rs import _core
from envpool_rs.numba.definition import TIMES, WORD, Definition, Leaf, Option

_LAYOUTS, CONSTANTS = _core.plugin_layouts()

STRUCTS: dict[str, np.dtype[Any]] = {}
"""Numpy's dtype of each struct ``epr_...``."""

for _name, _fields in _LAYOUTS:
    STRUCTS[_name] = np.dtype([(field, STRUCTS.get(kind, kind)) for field, kind in _fields], align=True)


class Memory(list[Any]):
    """Owner of structs, arrays and strings that C code reads. Their addresses never change."""

    def array(self, values: Sequence[Any], dtype: Any) -> int:
        """Stores an array, and returns its address; 0 for an empty one."""
        stored = np.array(values, dtype)
        self.append(stored)
        return int(stored.ctypes.data) if stored.size else 0

    def text(self, text: str) -> int:
        return self.array(list(text.encode() + b"\0"), np.uint8)

    def structs(self, name: str, rows: Sequence[Mapping[str, Any]]) -> int:
        """Stores consecutive structs, and returns the address of the first; 0 without rows. Omitted fields are zero."""
        table = np.zeros(len(rows), STRUCTS[name])
        table["size"] = table.itemsize
        for struct, row in zip(table, rows, strict=True):
            for field, value in row.items():
                struct[field] = value
        self.append(table)
        return int(table.ctypes.data) if rows else 0


def library_name(definition: Definition) -> str:
    """Returns the library name that snapshots and pickles contain."""
    return f"numba {definition.task_id.replace('/', '.')}"


def library_of(definition: Definition, addresses: Mapping[str, int], task_id: str) -> tuple[int, Memory]:
    """Returns the address of the table of a library, whose functions have these addresses, and the table's memory."""
    memory = Memory()
    arrays = {"observation": definition.observation, "action": definition.action, "info": definition.infos}
    env = {
        "players": definition.players,
        "flags": CONSTANTS["PLAIN"] | (CONSTANTS["UNIFORM"] if definition.uniform else 0),
        "state_size": definition.state.itemsize * int(np.prod(definition.state_shape or (), dtype=np.int64)),
        "state_align": max(WORD, definition.state.alignment),
        "scratch_size": max(definition.observation.offsets[-1], definition.infos.offsets[-1]),
        "frame_width": definition.frame[0],
        "frame_height": definition.frame[1],
        "frames_per_second": definition.frames_per_second if definition.frame[0] else 0,
        **{name: address for name, address in addresses.items() if name != "make"},
    }
    for name, each in arrays.items():
        env |= {
            f"{name}s": len(each.leaves),
            name: memory.structs("array", [_array(leaf, memory) for leaf in each.leaves]),
        }
    task = {
        "id": memory.text(task_id),
        "max_episode_steps": definition.max_episode_steps,
        "reward_threshold": definition.reward_threshold,
        "options": len(definition.options),
        "option": memory.structs("option", [_option(*each, memory) for each in definition.options.items()]),
        "data": memory.structs("env", [env]),  # the struct from which every `epr_env` of the task is copied
        "make": addresses["make"],
    }
    # Without a version of the user, snapshots and pickles contain a hash of the layout, on which the functions have no
    # influence.
    version = definition.version or hashlib.sha256(repr(definition.layout()).encode()).hexdigest()[:12]
    library = {
        "name": memory.text(library_name(definition)),
        "version": memory.text(version),
        "tasks": 1,
        "task": memory.array([memory.structs("task", [task])], np.uint64),
    }
    return memory.structs("library", [library]), memory


def _array(leaf: Leaf, memory: Memory) -> dict[str, Any]:
    return {
        "name": memory.text(leaf.name),
        "kind": CONSTANTS[leaf.kind],
        "dtype": CONSTANTS[leaf.dtype.upper()],
        "flags": CONSTANTS.get(TIMES[leaf.when], 0),
        "dims": len(leaf.shape),
        "shape": memory.array(leaf.shape, np.uint64),
        "bounds": len(leaf.low),
        "low": memory.array(leaf.low, np.float64),
        "high": memory.array(leaf.high, np.float64),
        "n": memory.array(leaf.n, np.int64),
        "start": leaf.start,
    }


def _option(name: str, option: Option, memory: Memory) -> dict[str, Any]:
    default, is_float = option.default, isinstance(option.default, float)
    kind = CONSTANTS[f"OPTION_{type(default).__name__.upper()}"]
    return {
        "name": memory.text(name),
        "doc": memory.text(option.doc or "an option of this environment"),
        "value": (kind, 0 if is_float else default, default if is_float else 0, 0),
        "low": -np.inf if option.low is None else option.low,
        "high": np.inf if option.high is None else option.high,
        "flags": 0 if option.low is None and option.high is None else CONSTANTS["RANGE"],
    }
