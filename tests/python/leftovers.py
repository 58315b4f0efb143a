"""Processes and files that nobody should leave behind."""

import os
import tempfile
from pathlib import Path

# Processes of multiprocessing's own, which stay until the interpreter exits.
MULTIPROCESSING = (b"resource_tracker", b"forkserver")


def children():
    """Processes of this one's group that are neither itself, nor its parents, nor multiprocessing's own."""
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, group, *_ = (each / "stat").read_text().rpartition(")")[2].split()
            command = (each / "cmdline").read_bytes()
        except OSError:
            continue
        if int(group) == os.getpgrp() and state != "Z" and not any(name in command for name in MULTIPROCESSING):
            found[int(each.name)] = f"pid {each.name}, child of {parent}: {command!r}"
    return found


def shared_files():
    """Shared memory and temporary files, but for those of multiprocessing, pytest and old jax."""
    folders = (Path("/dev/shm"), Path(tempfile.gettempdir()))
    files = (each for folder in folders if folder.is_dir() for each in folder.iterdir())
    return {each for each in files if not each.name.startswith(("pymp-", "pytest-", "tmp_tf_gcs_fs_"))}
