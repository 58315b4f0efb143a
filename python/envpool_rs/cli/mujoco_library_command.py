"""``envpool-rs mujoco-library``: writes the path and struct layout of MuJoCo's library, for Rust programs."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from envpool_rs._spec.mujoco_library import describe_library

if TYPE_CHECKING:
    from envpool_rs.cli.list_command import Commands


def add_to(commands: Commands) -> None:
    """Adds the command to the command line."""
    parser = commands.add_parser(
        "mujoco-library",
        help="write down where MuJoCo lies, for programs in Rust",
        description="Writes down where the installed mujoco package's library lies, and what its structs look like: "
        "sim::mujoco::install_described reads it in programs that embed the crate.",
    )
    parser.add_argument("file", metavar="FILE", type=Path, help="the file to be written")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Writes the file.

    Raises:
        ImportError: if MuJoCo is not installed, or of an unknown version.
        OSError: if the file cannot be written.
    """
    text = describe_library()
    options.file.write_text(text)
    print(f"{options.file}: {text.partition(chr(10))[0]}")
    return 0
