"""Missions of MiniGrid and BabyAI as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["decode_mission"]


def decode_mission(mission: npt.ArrayLike) -> str | npt.NDArray[Any]:
    """Decodes one mission, or several, from the letters observed through EnvPool's interfaces.

    Args:
        mission: uint8 ``(length,)`` or ``(n, length)``, padded with zeros: ``observation["mission"]``.

    Returns:
        A ``str`` for one mission, an array of ``n`` strings for several.
    """
    letters = np.asarray(mission, dtype=np.uint8)
    if letters.ndim == 1:
        return _text(letters)
    return np.array([_text(row) for row in letters], dtype=object)


def _text(letters: npt.NDArray[np.uint8]) -> str:
    return letters.tobytes().partition(b"\0")[0].decode()
