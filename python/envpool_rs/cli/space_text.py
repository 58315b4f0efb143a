"""Spaces in a few characters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from envpool_rs._core import SpaceDescriptor


def space_text(space: SpaceDescriptor) -> str:
    """A space without its bounds: ``float32[4]``, ``Discrete(2)``, ``{key: float32[3], ...}``."""
    if space[0] == "box":
        return array_text(space[4], space[3])
    if space[0] == "discrete":
        _, n, start, _ = space
        return f"Discrete({n}, start={start})" if start else f"Discrete({n})"
    if space[0] == "dict":
        return "{" + ", ".join(f"{key}: {space_text(part)}" for key, part in space[1]) + "}"
    return "(" + ", ".join(space_text(part) for part in space[1]) + ")"


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
