"""Builds the in-memory table (`epr_library`) of a library with one task."""

from __future__ import annotations

import hashlib

import numpy as np

from envpool_rs.numba import abi
from envpool_rs.numba.compiled import CompiledTask
from envpool_rs.numba.definition import Definition, Option
from envpool_rs.numba.entry_text import row_size

_FUNCTIONS = ("reset", "step", "observe", "inform", "is_valid", "render", "unmake")


def library_of(definition: Definition, compiled: CompiledTask, task_id: str) -> tuple[int, abi.Memory]:
    """Returns the address of an `epr_library`, and the owner of its memory.

    Args:
        definition: the task.
        compiled: the task's compiled functions.
        task_id: the id, which may differ from the definition's.
    """
    memory = abi.Memory()
    task = _task(definition, compiled, memory, task_id)
    library: dict[str, int | float] = {
        "name": memory.text(library_name(definition)),
        "version": memory.text(library_version(definition)),
        "tasks": 1,
        "task": memory.array([task], np.uint64),
    }
    return memory.structs("library", [library]), memory


def library_name(definition: Definition) -> str:
    """Returns the library name that snapshots and pickles contain."""
    return f"numba {definition.task_id.replace('/', '.')}"


def library_version(definition: Definition) -> str:
    """Returns the version that snapshots and pickles contain: the version given by the user, or a hash of the layout.

    A change of the functions alone does not change the hash.
    """
    return definition.version or hashlib.sha256(repr(definition.layout()).encode()).hexdigest()[:12]


def _task(definition: Definition, compiled: CompiledTask, memory: abi.Memory, task_id: str) -> int:
    options = [_option(name, option, memory) for name, option in definition.options]
    task: dict[str, int | float] = {
        "id": memory.text(task_id),
        "max_episode_steps": definition.max_episode_steps,
        "reward_threshold": float(definition.reward_threshold),
        "options": len(options),
        "option": memory.structs("option", options) if options else 0,
        "data": _env(definition, compiled, memory),
        "make": compiled.addresses["make"],
    }
    return memory.structs("task", [task])


def _option(name: str, option: Option, memory: abi.Memory) -> dict[str, int | float]:
    default = option.default
    is_bounded = option.low is not None or option.high is not None
    # A bound of infinity is passed as the largest float32, so that error messages show a number.
    low = -np.inf if option.low is None else option.low
    high = np.inf if option.high is None else option.high
    return {
        "size": abi.WORD * len(abi.LAYOUTS["option"]),
        "name": memory.text(name),
        "doc": memory.text(option.doc or "an option of this environment"),
        "value.kind": abi.OPTION_KINDS[type(default)],
        "value.integer": 0 if isinstance(default, float) else int(default),
        "value.number": float(default) if isinstance(default, float) else 0,
        "low": float(low),
        "high": float(high),
        "flags": abi.RANGE if is_bounded else 0,
    }


def _env(definition: Definition, compiled: CompiledTask, memory: abi.Memory) -> int:
    """Returns the address of the template from which every `epr_env` of the task is copied."""
    arrays = {"observation": definition.observation, "action": definition.action, "info": definition.infos}
    env: dict[str, int | float] = {
        "players": definition.players,
        "flags": abi.PLAIN | (abi.UNIFORM if definition.uniform else 0),
        "state_size": definition.state_size,
        "state_align": max(abi.WORD, definition.state.alignment),
        "scratch_size": max(
            sum(row_size(leaf, definition.players) for leaf in definition.observation),
            sum(row_size(leaf, 1) for leaf in definition.infos),
        ),
        "frame_width": definition.frame[0],
        "frame_height": definition.frame[1],
        "frames_per_second": definition.frames_per_second if definition.frame[0] else 0,
        **{name: compiled.addresses[name] for name in _FUNCTIONS if name in compiled.addresses},
    }
    for name, leaves in arrays.items():
        env[f"{name}s"] = len(leaves)
        env[name] = memory.structs("array", [leaf.row(memory) for leaf in leaves]) if leaves else 0
    words = [int(isinstance(option.default, float)) for _, option in definition.options]
    layout = [env.get(field, 0) for field in abi.LAYOUTS["env"]]
    layout[0] = abi.WORD * len(layout)
    return memory.array([*map(int, layout), len(words), *words], np.uint64)
