"""Builds shared libraries of environments: from C and C++ by the system's compiler, from Rust by cargo."""

from __future__ import annotations

import hashlib
import os
import shlex
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[4]
"""Root folder of the repository."""

EXAMPLES = ROOT / "examples" / "plugins"
FIXTURES = ROOT / "tests" / "plugins"

C_OPTIONS = ("-std=gnu11", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror")
CPP_OPTIONS = ("-std=c++17", "-O2", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror")
OTHERS_OPTIONS = ("-std=gnu11", "-O2", "-ffp-contract=off", "-w")
"""Compiler options for sources that include files of other projects, without warnings."""

SECTIONS = ("-fvisibility=hidden", "-ffunction-sections", "-Wl,--gc-sections")
"""Options that leave out functions which no exported function calls, and libraries that only such functions need."""


DEV_PROFILE = """
[profile.dev]
opt-level = 0
debug = "line-tables-only"
"""
"""This repository's dev profile, so that cargo compiles dependencies once for the repository and the copied crate."""


def target_folder() -> Path:
    """Returns the folder into which libraries are compiled."""
    return Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))


def missing_compiler(source: Path) -> str | None:
    """Returns the reason why a C or C++ source file cannot be compiled; ``None`` if there is a compiler."""
    command = _compiler(source)
    if shutil.which(command[0]) is None:
        return f"{command[0]} is not installed: expected a C compiler, or its name in {_variable(source)}"
    return None


def compile_library(
    source: Path,
    options: Sequence[str] | None = None,
    include: Sequence[Path] = (),
    link: Sequence[str] = (),
    name: str | None = None,
) -> Path:
    """Compiles a C or C++ source file into a shared library, unless the library already exists.

    The name of the library's folder is a hash of the sources and the command, because a loaded file must not change.

    Args:
        source: the file.
        options: of the compiler; ``None`` for those of this module.
        include: folders of headers, searched after that of this package.
        link: further files and options at the end of the command.
        name: name of the file; ``None`` for that of the source.

    Returns:
        The library.

    Raises:
        RuntimeError: if the compiler reports an error, including warnings that ``options`` turn into errors.
    """
    import envpool_rs

    options = options or (CPP_OPTIONS if source.suffix == ".cpp" else C_OPTIONS)
    header = Path(envpool_rs.get_include())
    folders = [f"-I{folder}" for folder in (header, *include)]
    command = [*_compiler(source), "-shared", "-fPIC", *options, *folders, str(source)]
    contents = [source.read_bytes(), (header / "envpool_rs.h").read_bytes(), *map(str.encode, (*command, *link))]
    folder = target_folder().absolute() / "plugins" / hashlib.sha256(b"\0".join(contents)).hexdigest()[:16]
    library = folder / (name or f"lib{source.stem}.so")
    if library.exists():
        return library
    folder.mkdir(parents=True, exist_ok=True)
    # Several processes may compile the library at the same time. Each compiles it under another name and renames it, so
    # that the library never exists incompletely.
    unfinished = library.with_suffix(f".{os.getpid()}")
    done = subprocess.run([*command, "-o", str(unfinished), *link, "-lm"], check=False, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{done.stderr}")
    unfinished.replace(library)
    return library


def cargo_library(crate: Path, profile: str = "dev") -> Path:
    """Builds a library's crate in a copy of its folder, with the dependency versions of this repository's Cargo.lock.

    Args:
        crate: the crate's folder, whose manifest depends on ``envpool_rs`` by a relative path.
        profile: cargo's profile.

    Returns:
        The library.

    Raises:
        RuntimeError: if cargo fails.
    """
    target = target_folder().absolute()
    copy = target / "plugins" / "crates" / crate.name
    manifest = (crate / "Cargo.toml").read_text(encoding="utf-8")
    text = manifest + DEV_PROFILE
    for relative in ("../../..", "../.."):
        text = text.replace(f'path = "{relative}"', f'path = "{ROOT.as_posix()}"')
    _write(copy / "Cargo.toml", text)
    for source in crate.rglob("*"):
        if source.suffix in (".rs", ".py") and "target" not in source.parts:
            _write(copy / source.relative_to(crate), source.read_text(encoding="utf-8"))
    # The copy uses the locked dependency versions, which are already downloaded.
    shutil.copy(ROOT / "Cargo.lock", copy / "Cargo.lock")
    command = ["cargo", "build", "--offline", "--quiet", "--profile", profile, "--target-dir", str(target)]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=copy)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)} failed:\n{done.stderr}")
    name = crate_name(manifest)
    file = {"darwin": f"lib{name}.dylib", "win32": f"{name}.dll"}.get(sys.platform, f"lib{name}.so")
    return target / ("debug" if profile == "dev" else profile) / file


def _write(path: Path, text: str) -> None:
    """Writes a file if its content differs, so that cargo recompiles only changed files."""
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def crate_name(manifest: str) -> str:
    """Returns the name of a crate.

    Args:
        manifest: the text of its manifest.
    """
    line = next(line for line in manifest.splitlines() if line.startswith("name ="))
    return line.split('"')[1]


def pufferlib_sources() -> Path:
    """Returns the folder of PufferLib's sources, which `nox -s ocean` downloads; it may not exist."""
    return Path(os.environ.get("ENVPOOL_RS_PUFFERLIB", target_folder() / "sources" / "pufferlib-3.0.0"))


def raylib(sources: Path) -> Path:
    """Returns the folder of the raylib library in PufferLib's sources."""
    return sources / "raylib-5.5_linux_amd64"


def pufferlib_binding(sources: Path, env: str) -> Path:
    """Compiles the extension module of one of PufferLib's environments.

    Args:
        sources: PufferLib's sources.
        env: name of the environment's folder.

    Returns:
        The module, ``binding``.
    """
    import numpy as np

    ocean = sources / "pufferlib" / "ocean" / env
    headers = [ocean, raylib(sources) / "include", Path(sysconfig.get_paths()["include"]), Path(np.get_include())]
    link = [str(raylib(sources) / "lib" / "libraylib.a"), "-lpthread", "-ldl"]
    module = f"binding{sysconfig.get_config_var('EXT_SUFFIX')}"
    # The optimisation options are those of PufferLib's build.
    return compile_library(ocean / "binding.c", ("-O2", "-w", "-DPLATFORM_DESKTOP"), headers, link, module)


def _variable(source: Path) -> str:
    return "CXX" if source.suffix == ".cpp" else "CC"


def _compiler(source: Path) -> list[str]:
    return shlex.split(os.environ.get(_variable(source), "c++" if source.suffix == ".cpp" else "cc"))
