"""Options of EnvPool's classes of specifications: attributes of a specification and of its class."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from typing import Any

from envpool_rs._spec.envpool_config import class_defaults


def config_class(defaults: dict[str, Any]) -> Any:
    """EnvPool's class of configurations: a namedtuple whose fields have defaults.

    Args:
        defaults: all options with their defaults.
    """
    return namedtuple("Config", defaults, defaults=defaults.values())


class ClassOptions:
    """A descriptor that EnvPool has on a class of specifications, read on the class and on its instances.

    A class of one task has the options of EnvPool's class for the task, an instance those of its own configuration.

    Args:
        view: makes the attribute's value of all options with their defaults.
        doc: the attribute's docstring.
    """

    def __init__(self, view: Callable[[dict[str, Any]], Any], doc: str) -> None:
        self._view = view
        self.__doc__ = doc

    def __get__(self, spec: Any, owner: Any) -> Any:
        """The attribute's value; the descriptor itself on a class of any task, which has no options."""
        if spec is not None:
            return self._view(spec.defaults_of_class())
        if owner.class_task is None:
            return self
        return self._view(class_defaults(owner.class_task))

    def __set__(self, spec: Any, value: Any) -> None:
        """Refuses assignment.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("this attribute is computed from the options: make another specification instead")


@functools.cache
def class_of_task(base: Any, task_id: str) -> Any:
    """The class of all specifications of one task, which EnvPool's programs reach by ``type(spec)``.

    Args:
        base: the class it extends.
        task_id: a task of the extension.
    """
    return type(base.__name__, (base,), {"class_task": task_id, "__module__": base.__module__, "__doc__": base.__doc__})
