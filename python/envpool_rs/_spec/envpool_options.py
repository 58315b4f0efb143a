"""Options that EnvPool calls otherwise than the environments here do, and whose names its configurations have."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from envpool_rs._arguments import integer, is_series
from envpool_rs._spec.option_values import is_same

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription
    from envpool_rs._spec.installed import TaskBase

_FROZEN_LAKE = ("SFFF", "FHFH", "FFFH", "HFFG")
"""The smaller map of FrozenLake. EnvPool plays the upper left corner of it where a lake is smaller still."""

_SIZES = "1, 2, 3, 4 or 8"


class _Other(NamedTuple):
    """An option by EnvPool's name.

    Attributes:
        name: EnvPool's.
        preset: what it is unless given, by task.
        own: the options that say the same here, of EnvPool's value.
        told: EnvPool's value, of a configuration.
        doc: what it does.
        allowed: which values it takes, in words.
    """

    name: str
    preset: dict[str, int]
    own: Callable[[Any], dict[str, Any]]
    told: Callable[[dict[str, Any]], Any]
    doc: str
    allowed: str


def _lake(size: Any) -> dict[str, Any]:
    side = integer("size", size)
    if side in (4, 8):
        return {"desc": None, "map_name": f"{side}x{side}"}
    if side not in (1, 2, 3):
        raise ValueError(f"size={side}: expected {_SIZES}")
    return {"desc": [row[:side] for row in _FROZEN_LAKE[:side]], "map_name": None}


def _lake_size(config: dict[str, Any]) -> int | None:
    rows, name = config["desc"], config["map_name"]
    if rows is None:
        return 4 if "4x4" in (name, name[0] if isinstance(name, list) else None) else 8
    maps = rows if _is_map(rows) else next((each for each in rows if _is_map(each)), ()) if is_series(rows) else ()
    return len(maps) or None


def _is_map(value: Any) -> bool:
    """Whether this is one map, rather than one for each environment or several to choose from."""
    return isinstance(value, (list, tuple)) and all(isinstance(row, str) for row in value) and "choice" not in value


_FROZEN_LAKE_SIZE = _Other(
    "size",
    {"FrozenLake-v1": 4, "FrozenLake8x8-v1": 8},
    _lake,
    _lake_size,
    "EnvPool's name for the map: 4 or 8 is that of so many rows; 1 to 3 is a corner of the smaller one",
    _SIZES,
)


def _renamed(name: str, own: str, preset: int, doc: str) -> _Other:
    return _Other(
        name, {"Catch-v0": preset}, lambda value: {own: value}, lambda config: config[own], doc, f"those of {own}"
    )


_OTHERS: tuple[_Other, ...] = (
    _FROZEN_LAKE_SIZE,
    _renamed("height", "rows", 10, "EnvPool's name for rows"),
    _renamed("width", "columns", 5, "EnvPool's name for columns"),
)

_PENDULUM = ("Pendulum-v0", "Pendulum-v1")
_VERSION = "version"


def with_own_names(base: TaskBase, given: dict[str, Any]) -> tuple[TaskBase, dict[str, Any]]:
    """A task and its options by the names that they have here.

    Where both names are given and contradict each other, the one that says what the task does anyway is not meant: it
    comes from a configuration in which the other was changed.

    Args:
        base: the task of the extension, or several, which have their own names only.
        given: what the user gave.

    Raises:
        TypeError: for values of the wrong kind.
        ValueError: for a value that is not allowed, and where both names are given and neither says what the task does
            anyway.
    """
    if not isinstance(base, str):
        return base, given
    options = dict(given)
    if base in _PENDULUM and _VERSION in options:
        return f"Pendulum-v{integer(_VERSION, options.pop(_VERSION), 0, 1)}", options
    for other in _OTHERS:
        if base in other.preset and other.name in options:
            _rename(base, other, options)
    return base, options


def _rename(base: str, other: _Other, options: dict[str, Any]) -> None:
    value, preset = options.pop(other.name), other.preset[base]
    if value is None:
        return
    anyway = other.own(preset)
    mine = {**anyway, **{name: options[name] for name in anyway if name in options}}
    if is_same(other.told(mine), value):
        return
    if is_same(mine, anyway):
        options.update(other.own(value))
    elif not is_same(value, preset):
        text = ", ".join(f"{name}={each!r}" for name, each in mine.items())
        raise ValueError(f"{other.name}={value!r} and {text} contradict each other: expected one of them")


def told_by_envpool(task_id: str, config: dict[str, Any]) -> dict[str, Any]:
    """The options of a task that EnvPool's configuration has by names of its own.

    Args:
        task_id: the task of the extension.
        config: its options by their names here.
    """
    if task_id in _PENDULUM:
        return {_VERSION: int(task_id[-1])}
    return {other.name: other.told(config) for other in _OTHERS if task_id in other.preset}


def envpool_descriptions(task_id: str) -> list[OptionDescription]:
    """What there is to say of the options of a task that EnvPool calls otherwise."""
    described = [
        _description(other.name, other.preset[task_id], other.allowed, other.doc)
        for other in _OTHERS
        if task_id in other.preset
    ]
    if task_id in _PENDULUM:
        doc = "EnvPool's name for the task: 0 is Pendulum-v0, 1 is Pendulum-v1"
        described.append(_description(_VERSION, int(task_id[-1]), "0 or 1", doc))
    return described


def _description(name: str, default: int, allowed: str, doc: str) -> OptionDescription:
    return {
        "name": name,
        "default": default,
        "kind": "int",
        "allowed": allowed,
        "values": [],
        "each_episode": False,
        "doc": doc,
    }
