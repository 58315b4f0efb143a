"""Names that the user gave options by, for messages about the options that those names stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from envpool_rs._arguments import is_series

_OWN = {
    "height": ("rows",),
    "width": ("columns",),
    "base_path": ("rom_dir", "assets_dir"),
    "env_seed": ("seed",),
}
"""The options that each of EnvPool's names may stand for."""


@contextmanager
def naming_as_given(options: Mapping[str, Any]) -> Iterator[None]:
    """Raises errors about options again by the names that the user gave, where those are EnvPool's.

    Args:
        options: those that the user gave, by name.
    """
    try:
        yield
    except (TypeError, ValueError, OSError) as error:
        text = _as_given(str(error), options)
        if text is None:
            raise
        raise type(error)(text) from None


def _as_given(message: str, options: Mapping[str, Any]) -> str | None:
    """A message with EnvPool's name in front, or ``None`` where it is about another option."""
    for name, owns in _OWN.items():
        if not _is_given(options.get(name)):
            continue
        for own in owns:
            is_about_own = message.startswith((f"{own}=", f"{own}[", f"{own} "))
            # Where both are given, the value decides which one the message is about.
            if is_about_own and not (own in options and message.startswith(f"{own}={options[own]!r}:")):
                return name + message.removeprefix(own)
    return None


def _is_given(value: Any) -> bool:
    return value is not None and not (is_series(value) and hasattr(value, "__len__") and len(value) == 0)
