"""EnvPool's specification classes: attributes of specifications and their classes, and calls of the class."""

from __future__ import annotations

import functools
from collections import namedtuple
from collections.abc import Callable
from pkgutil import resolve_name
from typing import Any

from envpool_rs import _core
from envpool_rs._spec.entry_points import SPEC_OF_CONFIG
from envpool_rs._spec.envpool_config import class_defaults


def config_class(defaults: dict[str, Any]) -> Any:
    """Returns EnvPool's class of configurations: a namedtuple whose fields have defaults.

    Args:
        defaults: all options with their defaults.
    """
    return namedtuple("Config", defaults, defaults=defaults.values())


class ClassOptions:
    """Descriptor of an EnvPool attribute, readable on a specification class and on its instances.

    A class of one task returns the options of EnvPool's class for the task; an instance returns its own configuration.

    Args:
        view: computes the attribute's value from all options with their defaults.
        doc: the attribute's docstring.
    """

    def __init__(self, view: Callable[[dict[str, Any]], Any], doc: str) -> None:
        self._view = view
        self.__doc__ = doc

    def __get__(self, spec: Any, owner: Any) -> Any:
        """Returns the attribute's value; the descriptor itself on a class of any task, which has no options."""
        if spec is not None:
            return self._view(spec.defaults_of_class())
        if owner.class_task is None:
            return self
        return self._view(class_defaults(owner.class_task))

    def __set__(self, spec: Any, value: Any) -> None:
        """Rejects assignment.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("this attribute is computed from the options: make another specification instead")


class ClassKeys:
    """Descriptor of the names of a specification's arrays, readable on a class of one task and on its instances.

    A class returns the names of its task with default options.

    Args:
        arrays: returns the arrays of an extension's specification.
        doc: the attribute's docstring.
    """

    def __init__(self, arrays: Callable[[_core.Spec], list[_core.ArrayDescription]], doc: str) -> None:
        self._arrays = arrays
        self.__doc__ = doc

    def __get__(self, spec: Any, owner: Any) -> Any:
        """Returns the names; the descriptor itself on a class of any task, which has no arrays."""
        if spec is None and owner.class_task is None:
            return self
        described = _core.Spec(owner.class_task, "envpool", {}) if spec is None else spec.pool
        return [name for name, _, _ in self._arrays(described)]

    def __set__(self, spec: Any, value: Any) -> None:
        """Rejects assignment.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("this attribute is computed from the options: make another specification instead")


class TaskClass(type):
    """Type of a task's specification class: ``cls(cls.gen_config(num_envs=8))`` makes a specification."""

    class_task: str

    def __call__(cls, config: Any) -> Any:
        """Makes a specification.

        Args:
            config: a ``gen_config`` value, or the values of all options in its order.

        Raises:
            ValueError: for another number of values, or one that is not allowed.
        """
        return resolve_name(SPEC_OF_CONFIG)(cls, config)


@functools.cache
def class_of_task(base: Any, task_id: str) -> Any:
    """Returns the class of a task's specifications, which EnvPool's programs reach by ``type(spec)``.

    Args:
        base: its base class.
        task_id: a task of the extension.
    """
    return TaskClass(
        base.__name__, (base,), {"class_task": task_id, "__module__": base.__module__, "__doc__": base.__doc__}
    )
