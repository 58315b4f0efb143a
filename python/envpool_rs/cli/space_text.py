"""Spaces in a few characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from envpool_rs._nested import folded, parts_of_descriptor

if TYPE_CHECKING:
    from envpool_rs._core import SpaceDescriptor


def space_text(space: SpaceDescriptor) -> str:
    """A space without its bounds: ``float32[4]``, ``Discrete(2)``, ``{key: float32[3], ...}``."""
    text: str = folded(
        space,
        _leaf_text,
        lambda parts: "{" + ", ".join(f"{key}: {part}" for key, part in parts.items()) + "}",
        lambda parts: "(" + ", ".join(parts) + ")",
        parts_of_descriptor,
    )
    return text


def _leaf_text(space: SpaceDescriptor) -> str:
    if space[0] == "box":
        return array_text(space[4], space[3])
    if space[0] == "text":
        return f"Text({space[1]})"
    if space[0] == "multi_binary":
        return f"MultiBinary({', '.join(map(str, space[1]))})"
    if space[0] == "multi_discrete":
        return f"MultiDiscrete({space[1]})"
    assert space[0] == "discrete"
    _, n, start, _ = space
    return f"Discrete({n}, start={start})" if start else f"Discrete({n})"


def array_text(dtype: str, shape: tuple[int, ...]) -> str:
    """``float32[10, 5]``; just the dtype where there is one number."""
    return f"{dtype}[{', '.join(map(str, shape))}]" if shape else dtype


def bounds_text(space: SpaceDescriptor) -> str:
    """Bounds of a box (``-1.0 to 1.0``, or a list of them); nothing for other spaces."""
    if space[0] != "box":
        return ""
    return f"{_bound_text(space[1])} to {_bound_text(space[2])}"


def _bound_text(bound: Any) -> str:
    numbers = bound if isinstance(bound, list) else [bound]
    text = [f"{number:.4g}" for number in numbers]
    return text[0] if len(set(text)) == 1 else f"[{', '.join(text)}]"
