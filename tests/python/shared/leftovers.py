"""Finds processes and files that tests have leaked."""

import os
import tempfile
from pathlib import Path

# Helper processes of multiprocessing, which run until the interpreter exits; not counted as leaked.
MULTIPROCESSING = (b"resource_tracker", b"forkserver")


def children():
    """Returns the processes of this process group, and this process's children in other groups.

    This process, its parents and multiprocessing's processes are excluded.
    """
    found = {}
    for each in Path("/proc").glob("[0-9]*"):
        try:
            state, parent, group, *_ = (each / "stat").read_text().rpartition(")")[2].split()
            command = (each / "cmdline").read_bytes()
        except OSError:
            continue
        is_ours = int(group) == os.getpgrp() or int(parent) == os.getpid()
        if is_ours and state != "Z" and not any(name in command for name in MULTIPROCESSING):
            found[int(each.name)] = f"pid {each.name}, child of {parent}: {command!r}"
    return found


def shared_files():
    """Returns shared memory and temporary files, except those of multiprocessing, pytest and old jax."""
    folders = (Path("/dev/shm"), Path(tempfile.gettempdir()))
    files = {each for folder in folders if folder.is_dir() for each in folder.iterdir()}
    # Files of ViZDoom engines that other processes have started.
    foreign = {each for each in files if each.name.startswith("ViZDoom") and f"envpool{os.getpid()}x" not in each.name}
    return {each for each in files - foreign if not each.name.startswith(("pymp-", "pytest-", "tmp_tf_gcs_fs_"))}


def not_held_by_others(files):
    """Returns the ``files`` that no process other than this one and its children maps or has open."""
    if not files:
        return files
    ours = {os.getpid(), *children()}
    held = set()
    for each in Path("/proc").glob("[0-9]*"):
        if int(each.name) not in ours:
            held |= _held(each)
    return {each for each in files if str(each) not in held}


def _held(process):
    """Returns paths that a process maps or has open; none if it has ended or belongs to another user."""
    try:
        mapped = {line.split(maxsplit=5)[-1] for line in (process / "maps").read_text().splitlines()}
        return mapped | {os.readlink(each) for each in (process / "fd").iterdir()}  # noqa: PTH115 targets may be no paths
    except OSError:
        return set()
