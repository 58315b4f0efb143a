"""Helpers of the tests `test_envpool_surface*.py`."""

import importlib
import importlib.util

from repository import ROOT, TESTS

GOLDEN = TESTS / "data" / "envpool_surface.json"


RECORDER = ROOT / "tools" / "golden" / "envpool_surface.py"


def recorder():
    spec = importlib.util.spec_from_file_location("envpool_surface", RECORDER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
