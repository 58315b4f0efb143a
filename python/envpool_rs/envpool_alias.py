"""Makes this package importable as ``envpool``, so that programs for EnvPool run unchanged."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

_NAME = "envpool"
_PACKAGE = Path(__file__).with_name("as_envpool.py")


class EnvPoolAlias:
    """Handle that ``install_as_envpool`` returns. Its method :meth:`remove`, or the end of a ``with`` block, removes
    the alias, unless other handles remain.
    """

    def __init__(self, replaced: dict[str, ModuleType]) -> None:
        self._replaced = replaced  # modules of a previously imported `envpool`

    def remove(self) -> None:
        """Removes the alias and restores the replaced modules, if this is the last handle; may be called again."""
        if self not in _handles:
            return
        _handles.remove(self)
        if not _handles and _is_ours(sys.modules.get(_NAME)):
            _take_modules()
            sys.modules.update(self._replaced)

    def __enter__(self) -> EnvPoolAlias:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()


_handles: list[EnvPoolAlias] = []  # handles of the installed alias


def install_as_envpool(*, force: bool = False) -> EnvPoolAlias:
    """Makes ``import envpool`` return this package, under EnvPool's module paths; returns the handle that removes it.

    The alias covers functions such as ``make``, and modules such as ``envpool.registration`` and
    ``envpool.python.envpool``, of whose ``EnvPoolMixin`` all pools are instances. It applies to the current process.
    Call this function before any module imports ``envpool``: some libraries look for EnvPool only once, when they are
    imported. A second call returns another handle of the alias, which ends with its last handle.

    With ``force``, the alias replaces an ``envpool`` that was imported before; modules that imported it before are not
    changed. Raises RuntimeError if another ``envpool`` has been imported and ``force`` is false.
    """
    present = sys.modules.get(_NAME)
    if _is_ours(present):
        _handles.append(EnvPoolAlias(_handles[0]._replaced if _handles else {}))
        return _handles[-1]
    if present is not None and not force:
        version, place = getattr(present, "__version__", "of unknown version"), getattr(present, "__file__", None)
        remedy = "call install_as_envpool() before it is, or pass force=True"
        raise RuntimeError(f"envpool {version} has been imported already, from {place}: {remedy}")
    alias = EnvPoolAlias(_take_modules())
    try:
        spec = importlib.util.spec_from_file_location(_NAME, _PACKAGE, submodule_search_locations=[])
        if spec is None or spec.loader is None:
            raise ImportError(f"install_as_envpool(): {_PACKAGE} cannot be imported")
        # `importlib` replaces an empty list by the file's folder, whose other modules are not EnvPool's.
        spec.submodule_search_locations = []
        sys.modules[_NAME] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[_NAME])
    except BaseException:
        _take_modules()
        sys.modules.update(alias._replaced)
        raise
    _handles[:] = [alias]
    return alias


def _is_ours(module: ModuleType | None) -> bool:
    return getattr(module, "__file__", None) == str(_PACKAGE)


def _take_modules() -> dict[str, ModuleType]:
    names = [name for name in sys.modules if name == _NAME or name.startswith(f"{_NAME}.")]
    return {name: sys.modules.pop(name) for name in names}
