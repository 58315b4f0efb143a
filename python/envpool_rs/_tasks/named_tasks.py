"""What a task's name stands for: a task of the extension, several of them, or another package's classes."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from envpool_rs._spec.option_values import is_same
from envpool_rs._tasks.pool_options import POOL_WIDE


@dataclass(frozen=True)
class NamedTask:
    """A name for a task of the extension with some options preset."""

    base: str
    options: dict[str, Any] = field(default_factory=dict)

    def with_presets(self, given: dict[str, Any]) -> dict[str, Any]:
        """The options ``given``, and the presets of all others."""
        return {**self.options, **given}


@dataclass(frozen=True)
class MixedTask:
    """Several tasks in one pool: the first part of its environments plays the first of them, and so on.

    Attributes:
        base: each task of the extension, and the options preset for it.
        options: presets that all of them have, of options that hold for a whole pool.
        disputed: such options that are preset for some only, and what to say of them.
    """

    base: tuple[tuple[str, dict[str, Any]], ...]
    options: dict[str, Any] = field(default_factory=dict)
    disputed: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, task_ids: Sequence[str], tasks: Sequence[NamedTask]) -> MixedTask:
        """These tasks, which the user named so."""
        presets: dict[str, Any] = {}
        disputed: dict[str, str] = {}
        for task_id, task in zip(task_ids, tasks, strict=True):
            for name in POOL_WIDE & task.options.keys():
                value = task.options[name]
                if all(name in other.options and is_same(other.options[name], value) for other in tasks):
                    presets[name] = value
                else:
                    disputed[name] = (
                        f"{name}={value!r} is preset for {task_id!r} and not for all tasks of the pool: expected "
                        f"{name} to be given, which holds for all of them"
                    )
        own = tuple((task.base, _without(task.options, POOL_WIDE)) for task in tasks)
        return cls(own, presets, disputed)

    def with_presets(self, given: dict[str, Any]) -> dict[str, Any]:
        """The options ``given``, and the presets of all others that hold for the whole pool.

        Raises:
            ValueError: for one that not all tasks have alike and that is not given, naming it and the task.
        """
        for name, reason in self.disputed.items():
            if name not in given:
                raise ValueError(reason)
        return {**self.options, **given}


@dataclass(frozen=True)
class ForeignTask:
    """A name for classes of another package that follow EnvPool's ``py_env`` protocol."""

    import_path: str
    spec_cls: str
    classes: dict[str, str | None]
    options: dict[str, Any]

    def spec(self, options: dict[str, Any]) -> Any:
        """That package's specification."""
        spec_cls = getattr(importlib.import_module(self.import_path), self.spec_cls)
        return spec_cls(spec_cls.gen_config(**{**self.options, **options}))

    def env(self, env_type: str, options: dict[str, Any]) -> Any:
        """That package's environment.

        Raises:
            ValueError: where it was registered without a class for ``env_type``.
        """
        name = self.classes[env_type]
        if name is None:
            there = [each for each, cls in self.classes.items() if cls is not None]
            raise ValueError(f"env_type={env_type!r}: this task was registered for {' and '.join(there)} only")
        return getattr(importlib.import_module(self.import_path), name)(self.spec(options))


def _without(options: dict[str, Any], names: frozenset[str]) -> dict[str, Any]:
    return {name: value for name, value in options.items() if name not in names}
