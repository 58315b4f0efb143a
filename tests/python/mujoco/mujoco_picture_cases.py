"""Helpers of the tests `test_mujoco_pictures*.py`."""

import os

import pytest
from envpool_rs import _core

mujoco = pytest.importorskip("mujoco")
pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning", "ignore::ResourceWarning")


try:
    BACKEND = _core.picture_backend()
except RuntimeError as error:
    pytest.skip(f"pictures cannot be drawn here: {error}", allow_module_level=True)


# Makes gymnasium's renderer select the same GL backend as this package.
os.environ["MUJOCO_GL"] = BACKEND


#: Options that make rendering cheap. Shadows, which take almost all of the time, are off.
FAST = {"render_shadows": False, "render_reflections": False, "render_multisamples": 0}


def refused(call):
    with pytest.raises(Exception) as caught:
        call()
    return caught.type, str(caught.value)
