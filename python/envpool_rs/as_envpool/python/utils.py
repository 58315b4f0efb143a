"""EnvPool's check of the names of arrays and options."""

from __future__ import annotations

from collections import Counter
from typing import Any

__all__ = ["check_key_duplication"]


def check_key_duplication(cls: Any, keytype: str, keys: list[str]) -> None:
    """Refuses names that are there twice.

    Args:
        cls: whose names.
        keytype: what they are names of.
        keys: the names.

    Raises:
        SystemError: naming them.
    """
    doubled = [key for key, count in Counter(keys).items() if count > 1]
    if doubled:
        raise SystemError(f"{keytype} keys of {cls}: {doubled} are there more than once")
