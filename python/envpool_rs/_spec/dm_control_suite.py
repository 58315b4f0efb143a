"""dm_control's models, which the user's own `dm_control` package brings: files, and functions that make their text."""

from __future__ import annotations

import ast
import functools
from importlib import import_module
from typing import Any

import numpy as np

from envpool_rs import _core
from envpool_rs._spec.installed import TaskBase, folder_in, folder_named, ids_of, tasks_with

SUITE_DIR = "suite_dir"
"""The option of all tasks of dm_control's that names the folder of models."""

EXTRA = "pip install 'envpool_rs[dm_control]', which is dm_control 1.0.38 or later with a mujoco that fits it"


def with_suite(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """``options``, with the folder of the installed dm_control's models where one is needed and none is named."""
    if not any(each in tasks_with(SUITE_DIR) for each in ids_of(task_id)):
        return options
    return {**options, SUITE_DIR: folder_named(SUITE_DIR, options.get(SUITE_DIR), _installed_suite)}


def check_dm_control(spec: _core.Spec) -> None:
    """Lets dm_control make models of which there are no files.

    Raises:
        ImportError: where a task needs dm_control, which is not installed; naming the extra.
    """
    if SUITE_DIR not in spec.config:
        return
    if spec.config[SUITE_DIR] is None:
        raise ImportError(f"{spec.task_id} needs the models that dm_control brings: {EXTRA}")
    _core.make_models_with(_text_of)


@functools.cache
def _installed_suite() -> str | None:
    """The folder, found without importing anything of dm_control."""
    return folder_in("dm_control", "suite")


def _text_of(name: str) -> str:
    """The text of a model: ``"swimmer 6"`` is what ``dm_control.suite.swimmer`` makes of 6."""
    domain, *texts = name.split()
    module = import_module(f"dm_control.suite.{domain}")
    arguments = [_number(text) for text in texts]
    if domain == "lqr":
        # What it draws, the stiffness of springs, each environment draws for itself.
        arguments.append(np.random.RandomState(0))
    make = getattr(module, "make_model", None) or module.get_model_and_assets
    made = make(*arguments)
    text = made[0] if isinstance(made, tuple) else made
    return text if isinstance(text, str) else text.decode()


def _number(text: str) -> Any:
    """An argument: a number, or ``True``, ``False`` or ``None``."""
    return ast.literal_eval(text)
