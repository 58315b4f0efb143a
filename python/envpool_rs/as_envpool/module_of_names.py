"""Creates EnvPool's modules that only re-export names."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def module_of_names(parent: str, name: str, doc: str, **names: Any) -> ModuleType:
    """Makes a module that ``import parent.name`` finds.

    Args:
        parent: the package that contains it, and gets it as an attribute.
        name: its last name.
        doc: its docstring.
        names: its contents; names that begin with two underscores are not public.
    """
    module = ModuleType(f"{parent}.{name}", doc)
    public = sorted(each for each in names if not each.startswith("__"))
    vars(module).update({"__all__": public, "__package__": parent, **names})
    sys.modules[module.__name__] = module
    setattr(sys.modules[parent], name, module)
    return module
