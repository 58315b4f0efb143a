"""Renders dm_control's environments with the OpenGL platform that this package uses, as reference images."""

import os
from contextlib import contextmanager
from importlib import import_module
from unittest import mock

import numpy as np
import pytest
from envpool_rs import _core
from tasks import DM_CONTROL, HAS_DM_CONTROL

if not HAS_DM_CONTROL:
    pytest.skip("needs dm_control and mujoco", allow_module_level=True)

try:
    BACKEND = _core.picture_backend()
except RuntimeError as error:
    pytest.skip(f"pictures cannot be drawn here: {error}", allow_module_level=True)

TASKS = [task for task in DM_CONTROL if "/" in task]

#: One task of each domain.
DOMAINS = list({task.partition("-")[0]: task for task in TASKS}.values())

SEED = 5
#: dm_control's class of GL context for each GL platform.
RENDERERS = {"egl": "EGLContext", "osmesa": "OSMesaContext"}


@contextmanager
def suite_with_pictures(logs):
    """Imports dm_control's suite so that it renders on the same OpenGL platform as this package.

    The suite writes its log files to the folder ``logs``.
    """
    folder = os.getcwd()  # noqa: PTH109
    os.chdir(logs)
    with mock.patch.dict(os.environ, MUJOCO_GL=BACKEND):
        from dm_control import _render, suite

        module = import_module(f"dm_control._render.pyopengl.{BACKEND}_renderer")
    with mock.patch.object(_render, "Renderer", getattr(module, RENDERERS[BACKEND])):
        yield suite
    os.chdir(folder)


class Reference:
    """Environment of dm_control's suite, and a generator of random actions for this environment."""

    def __init__(self, suite, task, seed=SEED, arguments=None, **others):
        domain, _, task = task.removeprefix("dm_control/").partition("-")
        colours = others.pop("visualize_reward", False)
        self.env = suite.load(domain, task, {"random": seed, **(arguments or {})}, others or None, colours)
        self.env.reset()
        spec = self.env.action_spec()
        random = np.random.default_rng(0)
        self.draw = lambda: random.uniform(np.maximum(spec.minimum, -3), np.minimum(spec.maximum, 3), spec.shape)
        self.render = self.env.physics.render

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.env.close()
