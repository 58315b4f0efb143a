"""Helpers of the tests `test_envpool_surface*.py`."""

import importlib
import importlib.util
import json
import warnings
from pathlib import Path

import pytest
from envpool_rs.envpool_alias import install_as_envpool

pytest.importorskip("dm_env")


TESTS = Path(__file__).parents[1]


GOLDEN = TESTS / "data" / "envpool_surface.json"


RECORDER = TESTS / "golden" / "envpool_surface.py"


def recorder():
    spec = importlib.util.spec_from_file_location("envpool_surface", RECORDER)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def golden_fixture():
    return json.loads(GOLDEN.read_text())


def ours_fixture(golden):
    """Fixture that returns descriptions of this package's interface in the format of
    `tests/golden/envpool_surface.py`.
    """
    surface = recorder()
    one_of_each = {path.partition(".")[0] for path in golden["classes"]}
    with install_as_envpool(force=True), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = importlib.import_module("envpool")
        found = surface.surface(package, list(golden["tasks"]), sorted(one_of_each))
        found["modules"] = {
            path: {name: surface.described(getattr(importlib.import_module(path), name, None)) for name in names}
            for path, names in golden["modules"].items()
        }
    return json.loads(json.dumps(found))
