"""Files of compiled functions, so that a second process need not compile them.

This module imports numba; other modules import it on use.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numba
import numpy as np
from numba.core.ccallback import CFunc
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from envpool_rs._core import __version__
from envpool_rs.numba.sources import Key

CACHE_VARIABLE = "ENVPOOL_RS_NUMBA_CACHE"
"""Environment variable that sets the folder of compiled functions; empty for no cache."""

_DIGEST = hashlib.sha256().digest_size


def base_key() -> Key:
    """Returns the hash of everything that all compiled functions depend on: versions, settings, processor, package."""
    key = Key()
    versions = [__version__, sys.version, numba.__version__, np.__version__, llvm.get_host_cpu_name()]
    versions += [str(numba.config.BOUNDSCHECK), str(numba.config.OPT)]
    own = [path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py"))]
    key.add([versions, own, str(llvm.get_host_cpu_features())])
    return key


class CodeCache:
    """Compiled functions of one task or module, read from and written to one file.

    The file begins with a hash of its contents. A file with another hash is ignored and replaced, because LLVM ends the
    process for a damaged object file. If no file can be written, a warning says so once.

    Attributes:
        source: the source of the functions, which the file stores, too; ``None`` until it is set or found in the file.
        compilations: number of functions that were not in the file.
    """

    def __init__(self, name: str, key: str | None) -> None:
        """Reads the file.

        Args:
            name: name of the task or module.
            key: hash of everything that the functions depend on; ``None`` for no file.
        """
        self.source: str | None = None
        self.compilations = 0
        self._functions: dict[str, bytes] = {}
        folder = None if key is None else _cache_folder()
        self._path = None if folder is None else folder / f"{name.replace('/', '.')[:64]}-{(key or '')[:24]}.bin"
        self._is_changed = False
        self._read()

    def _read(self) -> None:
        try:
            content = b"" if self._path is None else self._path.read_bytes()
        except OSError:
            return
        if hashlib.sha256(content[_DIGEST:]).digest() == content[:_DIGEST]:
            self.source, self._functions = pickle.loads(content[_DIGEST:])

    def function(self, name: str, signature: Any, function: Callable[..., Any]) -> Any:
        """Returns a compiled C function, from the file if possible.

        Args:
            name: name of the function in the file.
            signature: numba's signature.
            function: the Python function.

        Raises:
            NumbaError: for a function that numba cannot compile.
        """
        compiled: Any = CFunc(function, (signature.args, signature.return_type), {}, {})
        compiled._cache = _Entry(self, name)
        compiled.compile()
        return compiled

    def save(self) -> None:
        """Writes the file, if functions were compiled."""
        if self._path is None or not self._is_changed:
            return
        content = pickle.dumps((self.source, self._functions))
        try:
            _write(self._path, hashlib.sha256(content).digest() + content)
        except OSError as error:
            _warn(f"{self._path}: {error}")
        self._is_changed = False


class _Entry:
    """One function of a `CodeCache`, with the interface of numba's caches."""

    def __init__(self, cache: CodeCache, name: str) -> None:
        self._cache, self._name = cache, name

    def load_overload(self, signature: Any, target: Any) -> Any:
        target.refresh()
        stored = self._cache._functions.get(self._name)
        try:
            return None if stored is None else CompileResult._rebuild(target, *pickle.loads(stored))
        except Exception:  # a class or module that no longer exists: the function is compiled again
            return None

    def save_overload(self, signature: Any, result: Any) -> None:
        cache = self._cache
        cache.compilations += 1
        if cache._path is not None and not result.library.has_dynamic_globals:
            cache._functions[self._name] = dumps(result._reduce())
            cache._is_changed = True


def _cache_folder() -> Path | None:
    """Returns the folder of all files, created if needed; ``None`` if there is none."""
    configured = os.environ.get(CACHE_VARIABLE)
    if configured == "":
        return None
    try:
        base = os.environ.get("LOCALAPPDATA" if sys.platform == "win32" else "XDG_CACHE_HOME")
        folder = Path(configured) if configured else Path(base or Path.home() / ".cache") / "envpool_rs" / "numba"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, RuntimeError) as error:  # `Path.home` raises a RuntimeError for a user without a home directory
        _warn(str(error))
        return None
    if not os.access(folder, os.W_OK):
        _warn(f"{folder} is not writable")
        return None
    return folder


def _warn(reason: str) -> None:
    name = f"{CACHE_VARIABLE}={os.environ.get(CACHE_VARIABLE)!r}"
    expected = "expected a writable folder, or an empty text for no cache"
    warnings.warn(f"{name}: {expected}; each process compiles its tasks: {reason}", RuntimeWarning, stacklevel=2)


def _write(path: Path, content: bytes) -> None:
    """Writes a file atomically: other processes see either the complete file or none."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False, suffix=".tmp") as file:
        temporary = Path(file.name)
        try:
            file.write(content)
            file.close()
            temporary.replace(path)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
