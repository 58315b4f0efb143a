"""EnvPool's specification classes: attributes that both a class and its instances have, and construction from a
configuration.
"""

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


class ComputedAttribute:
    """Read-only descriptor of an EnvPool attribute, readable on a specification class and on its instances.

    Args:
        view: function that computes the attribute's value.
        doc: the attribute's docstring.
    """

    def __init__(self, view: Callable[[Any], Any], doc: str) -> None:
        self._view = view
        self.__doc__ = doc

    def __set__(self, spec: Any, value: Any) -> None:
        """Rejects assignment.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("this attribute is computed from the options: make another specification instead")


class ClassOptions(ComputedAttribute):
    """Attribute with the values of all options: the defaults on a class, the configuration on an instance.

    A class of one task returns the options of EnvPool's class for the task.
    """

    def __get__(self, spec: Any, owner: Any) -> Any:
        """Returns the attribute's value; on a class that stands for no particular task, returns the descriptor."""
        if spec is not None:
            return self._view(spec.defaults_of_class())
        if owner.class_task is None:
            return self
        return self._view(class_defaults(owner.class_task))


class ClassKeys(ComputedAttribute):
    """Attribute with the names of a step's arrays, which ``view`` computes from the Rust extension's specification.

    A class of one task returns the names for the task with default options.
    """

    def __get__(self, spec: Any, owner: Any) -> Any:
        """Returns the names; on a class that stands for no particular task, returns the descriptor."""
        if spec is None and owner.class_task is None:
            return self
        described = _core.Spec(owner.class_task, "envpool", {}) if spec is None else spec.pool
        return [name for name, _, _ in self._view(described)]


class TaskClass(type):
    """Metaclass of a task's specification class: ``cls(cls.gen_config(num_envs=8))`` makes a specification."""

    class_task: str

    def __call__(cls, config: Any) -> Any:
        """Makes a specification from a configuration.

        Args:
            config: a value that ``gen_config`` returned, or the values of all options in the same order.

        Raises:
            ValueError: for another number of values, or a value that is not allowed.
        """
        return resolve_name(SPEC_OF_CONFIG)(cls, config)


@functools.cache
def class_of_task(base: Any, task_id: str) -> Any:
    """Returns the class of a task's specifications, which EnvPool's programs reach by ``type(spec)``.

    Args:
        base: the base class of the returned class.
        task_id: a task of the extension.
    """
    return TaskClass(
        base.__name__, (base,), {"class_task": task_id, "__module__": base.__module__, "__doc__": base.__doc__}
    )
