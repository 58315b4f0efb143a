"""Missions of MiniGrid and BabyAI as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._arguments import array, shown

__all__ = ["decode_mission"]

_ASCII = 128


def decode_mission(mission: npt.ArrayLike) -> str | npt.NDArray[Any]:
    """Decodes one mission, or several, from the letters observed through EnvPool's interfaces.

    Args:
        mission: uint8 ``(length,)`` or ``(n, length)``, padded with zeros: ``observation["mission"]``.

    Returns:
        A ``str`` for one mission, an array of ``n`` strings for several.

    Raises:
        ValueError: for anything else.
    """
    letters = array("mission", mission)
    if letters.ndim not in (1, 2) or (letters.size and (letters.dtype.kind not in "iu" or not _are_letters(letters))):
        raise ValueError(f"mission={shown(mission)}: expected uint8 (length,) or (n, length), letters of ASCII")
    letters = letters.astype(np.uint8)
    if letters.ndim == 1:
        return _text(letters)
    return np.array([_text(row) for row in letters], dtype=object)


def _are_letters(values: npt.NDArray[Any]) -> bool:
    return bool(((values >= 0) & (values < _ASCII)).all())


def _text(letters: npt.NDArray[np.uint8]) -> str:
    return letters.tobytes().partition(b"\0")[0].decode()
