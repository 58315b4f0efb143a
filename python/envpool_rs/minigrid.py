"""Missions of MiniGrid and BabyAI as text."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._arguments import array, shown

__all__ = ["decode_mission"]


def decode_mission(mission: npt.ArrayLike) -> str | npt.NDArray[Any]:
    """Decodes one mission, or several, from the letters observed through EnvPool's interfaces.

    ``mission`` is ``observation["mission"]``: uint8 ``(length,)`` or ``(n, length)``, padded with zeros. Returns a
    ``str`` for one mission, an array of ``n`` strings for several. Raises ValueError for anything else.
    """
    letters = array("mission", mission)
    is_text = letters.dtype.kind in "iu" and ((letters >= 0) & (letters < 128)).all()  # noqa: PLR2004 - ASCII
    if letters.ndim not in (1, 2) or (letters.size and not is_text):
        raise ValueError(f"mission={shown(mission)}: expected uint8 (length,) or (n, length), letters of ASCII")
    rows = [row.tobytes().partition(b"\0")[0].decode() for row in np.atleast_2d(letters.astype(np.uint8))]
    return rows[0] if letters.ndim == 1 else np.array(rows, dtype=object)
