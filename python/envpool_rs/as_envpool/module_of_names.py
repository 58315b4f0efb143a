"""Creates EnvPool's modules that only re-export names."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


def module_of_names(parent: str, name: str, doc: str, **names: Any) -> ModuleType:
    """Creates a module that ``import parent.name`` finds.

    Args:
        parent: the package that contains the module as an attribute.
        name: the module's name inside the package.
        doc: the module's docstring.
        names: the module's contents; names that begin with two underscores are not public.
    """
    module = ModuleType(f"{parent}.{name}", doc)
    public = sorted(each for each in names if not each.startswith("__"))
    vars(module).update({"__all__": public, "__package__": parent, **names})
    sys.modules[module.__name__] = module
    setattr(sys.modules[parent], name, module)
    return module
