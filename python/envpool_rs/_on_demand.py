"""Names of a module that are imported on first access, because they need optional packages or take long to import."""

from __future__ import annotations

import dis
import sys
from collections.abc import Callable, Collection, Mapping
from importlib import import_module
from typing import Any


def on_demand(module: str, homes: Mapping[str, str], modules: Collection[str] = ()) -> Callable[[str], Any]:
    """Returns the ``__getattr__`` of a module whose names are imported on first access.

    ``homes`` has the module that defines each name, ``modules`` the submodules that are attributes. The module's
    ``__all__`` becomes such a name: it omits names whose packages are missing, for ``from module import *``.
    """
    public = vars(sys.modules[module]).pop("__all__")

    def attribute(name: str) -> Any:
        if name == "__all__":
            return [each for each in public if hasattr(sys.modules[module], each)]
        if name not in homes and name not in modules:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        try:
            home = import_module(homes.get(name, f"{module}.{name}"))
        except ImportError as error:
            # Python replaces an AttributeError in `from module import name`, which may pass through the functions of
            # several modules, by an ImportError that names no package.
            frame = sys._getframe(1)
            while frame.f_code.co_name == "__getattr__" and frame.f_back is not None:
                frame = frame.f_back
            if frame.f_lasti >= 0 and dis.opname[frame.f_code.co_code[frame.f_lasti]] == "IMPORT_FROM":
                raise
            raise AttributeError(f"module {module!r} has no attribute {name!r} here: {error}") from error
        if name in homes:
            home = vars(sys.modules[module])[name] = getattr(home, name)
        return home

    return attribute
