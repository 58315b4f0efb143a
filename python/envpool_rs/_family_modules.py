"""Public modules of environment families, which `__all__` names.

Written by tests/families.py (`make families`) from src/envs/**/family.toml.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from envpool_rs import crafter, minigrid, robotics

__all__ = ["crafter", "minigrid", "robotics"]
