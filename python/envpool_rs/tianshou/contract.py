"""Differences between Tianshou's releases in the results of its vector environments."""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version

_NEWEST = (2, 0)


@dataclass(frozen=True)
class Contract:
    """Results of ``reset`` and ``step`` in a release of Tianshou.

    Attributes:
        has_gymnasium_results: whether ``step`` returns five values and ``reset`` returns infos (from 0.4.10 on).
            Earlier releases return ``done`` instead of two flags, and only observations.
        has_info_arrays: whether the infos of ``reset`` are an array of objects (from 2.0 on), and not a list.
    """

    has_gymnasium_results: bool
    has_info_arrays: bool

    @classmethod
    def of_installed(cls) -> Contract:
        """Returns the contract of the installed Tianshou; that of Tianshou 2 if none is installed."""
        try:
            release = tuple(map(int, re.findall(r"\d+", version("tianshou"))[:3]))
        except PackageNotFoundError:
            release = _NEWEST
        return cls(release >= (0, 4, 10), release >= (2,))
