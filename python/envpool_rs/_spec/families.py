"""Facts of environment families that the package needs, written by `make families`.

The manifests `src/envs/**/family.toml` are their source.
"""

# ruff: noqa: E501

from __future__ import annotations

from typing import Any

ASSETS: tuple[dict[str, Any], ...] = (
    {
        "option": "rom_dir",
        "places": (("ale_py", "roms"),),
        "noun": "cartridges",
        "owner": "ale-py",
        "install": "pip install 'envpool_rs[atari]', or name their folder by rom_dir",
        "variable": "ALE_ROMS_DIR",
        "takes_base_path": True,
    },
    {
        "option": "xml_dir",
        "places": (("gymnasium", "envs", "mujoco", "assets"),),
        "needs_mujoco": True,
    },
    {
        "option": "suite_dir",
        "places": (("dm_control", "suite"),),
        "noun": "models",
        "owner": "dm_control",
        "install": "pip install 'envpool_rs[dm_control]', which is dm_control 1.0.38 or later with a mujoco that fits it",
        "needs_mujoco": True,
        "has_meshes": True,
    },
    {
        "option": "metaworld_dir",
        "places": (("metaworld", "assets"),),
        "noun": "models",
        "owner": "metaworld",
        "install": "pip install 'envpool_rs[metaworld]', then pip install --no-deps metaworld (which requires the older mujoco 3.3.0)",
        "substitutes": {"xml_file": "absolute"},
        "needs_mujoco": True,
        "has_meshes": True,
    },
    {
        "option": "robotics_dir",
        "places": (("gymnasium_robotics", "envs", "assets"),),
        "noun": "models",
        "owner": "gymnasium-robotics",
        "install": "pip install 'envpool_rs[robotics]', which is gymnasium-robotics 1.4.2 with mujoco",
        "substitutes": {"xml_file": "absolute"},
        "needs_mujoco": True,
        "has_meshes": True,
    },
    {
        "option": "vizdoom_dir",
        "places": (("vizdoom",),),
        "noun": "engine and the games",
        "owner": "ViZDoom's package",
        "install": "pip install 'envpool_rs[vizdoom]', or name their folder by vizdoom_dir",
        "substitutes": {"vzd_path": "given"},
    },
    {
        "option": "assets_dir",
        "places": (("envpool_assets",),),
        "takes_base_path": True,
    },
    {
        "option": "crafter_dir",
        "places": (("crafter",),),
        "noun": "textures",
        "owner": "the crafter package",
        "install": "pip install 'envpool_rs[crafter]', or name their folder by crafter_dir",
    },
    {
        "option": "procgen_dir",
        "places": (("procgen", "data", "assets"), ("envpool_assets", "procgen", "assets")),
        "noun": "pictures",
        "owner": "procgen-mirror",
        "install": "pip install --no-deps procgen-mirror, or name their folder by procgen_dir",
        "takes_base_path": True,
    },
)
"""Arguments of `Asset` for each folder of files that tasks read."""

GYMNASIUM_MODULES = ("procgen",)
"""Modules that gymnasium imports to register tasks, as ids may state them."""
