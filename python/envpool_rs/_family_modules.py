"""Public modules of environment families, written by `make families`.

The manifests `src/envs/**/family.toml` are their source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envpool_rs import crafter, minigrid, robotics

__all__ = ["crafter", "minigrid", "robotics"]
