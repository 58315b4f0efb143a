"""EnvPool's classes of specifications: attributes of a specification and of its class, and calls of the class."""

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


class ClassKeys:
    """A descriptor for the names of a specification's arrays, read on a class of one task and on its instances.

    A class has those of its task where no option is given.

    Args:
        arrays: the arrays of an extension's specification.
        doc: the attribute's docstring.
    """

    def __init__(self, arrays: Callable[[_core.Spec], list[_core.ArrayDescription]], doc: str) -> None:
        self._arrays = arrays
        self.__doc__ = doc

    def __get__(self, spec: Any, owner: Any) -> Any:
        """The names; the descriptor itself on a class of any task, which has no arrays."""
        if spec is None and owner.class_task is None:
            return self
        described = _core.Spec(owner.class_task, "envpool", {}) if spec is None else spec.pool
        return [name for name, _, _ in self._arrays(described)]

    def __set__(self, spec: Any, value: Any) -> None:
        """Refuses assignment.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("this attribute is computed from the options: make another specification instead")


class TaskClass(type):
    """The type of classes of one task's specifications: ``cls(cls.gen_config(num_envs=8))`` is a specification."""

    class_task: str

    def __call__(cls, config: Any) -> Any:
        """A specification.

        Args:
            config: one of ``gen_config``, or the values of all options in the order of ``gen_config``.

        Raises:
            ValueError: for another number of values, or one that is not allowed.
        """
        return resolve_name(SPEC_OF_CONFIG)(cls, config)


@functools.cache
def class_of_task(base: Any, task_id: str) -> Any:
    """The class of all specifications of one task, which EnvPool's programs reach by ``type(spec)``.

    Args:
        base: the class it extends.
        task_id: a task of the extension.
    """
    return TaskClass(
        base.__name__, (base,), {"class_task": task_id, "__module__": base.__module__, "__doc__": base.__doc__}
    )
