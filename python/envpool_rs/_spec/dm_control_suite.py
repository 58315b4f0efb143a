"""dm_control's models, which the user's own `dm_control` package brings: files, and functions that make their text."""

from __future__ import annotations

import functools
import os
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from envpool_rs import _core
from envpool_rs._spec.cartridges import TaskBase

SUITE_DIR = "suite_dir"
"""The option of all tasks of dm_control's that names the folder of models."""

EXTRA = "pip install 'envpool_rs[dm_control]', which is dm_control 1.0.38 or later with a mujoco that fits it"


def with_suite(task_id: TaskBase, options: dict[str, Any]) -> dict[str, Any]:
    """``options``, with the folder of the installed dm_control's models where one is needed and none is named."""
    ids = [task_id] if isinstance(task_id, str) else [each for each, _ in task_id]
    if not any(each in _suite_tasks() for each in ids):
        return options
    if options.get(SUITE_DIR) is not None:
        return {**options, SUITE_DIR: os.fspath(options[SUITE_DIR])}
    return {**options, SUITE_DIR: _installed_suite()}


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
def _suite_tasks() -> frozenset[str]:
    return frozenset(_core.tasks_with_option(SUITE_DIR))


@functools.cache
def _installed_suite() -> str | None:
    """The folder, found without importing anything of dm_control."""
    package = find_spec("dm_control")
    folders = [] if package is None else package.submodule_search_locations or []
    # pathlib is not worth its import here.
    candidates = (os.path.join(folder, "suite") for folder in folders)  # noqa: PTH118
    return next((folder for folder in candidates if os.path.isdir(folder)), None)  # noqa: PTH112


def _text_of(name: str) -> str:
    """The text of a model: ``"swimmer 6"`` is what ``dm_control.suite.swimmer`` makes of 6."""
    domain, *texts = name.split()
    module = import_module(f"dm_control.suite.{domain}")
    arguments = [_number(text) for text in texts]
    if domain == "lqr":
        # What it draws, the stiffness of springs, each environment draws for itself.
        arguments.append(np.random.RandomState(0))
    text = module.get_model_and_assets(*arguments)[0]
    return text if isinstance(text, str) else text.decode()


def _number(text: str) -> Any:
    """An argument: an integer, or ``True``, ``False`` or ``None``."""
    return {"True": True, "False": False, "None": None}[text] if text.isalpha() else int(text)
