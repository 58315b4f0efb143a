"""Fixtures of the tests of interfaces."""

import importlib
import json
import warnings

import pytest
from envpool_rs.envpool_alias import install_as_envpool
from envpool_surface_cases import GOLDEN, recorder


@pytest.fixture(scope="module")
def golden():
    return json.loads(GOLDEN.read_text())


@pytest.fixture(scope="module")
def ours(golden):
    """Fixture that returns descriptions of this package's interface in the format of
    `tools/golden/envpool_surface.py`.
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


@pytest.fixture
def made():
    """Fixture that returns a function. Environments that a test passes to this function are closed at the end of the
    test.
    """
    envs = []
    yield lambda env: envs.append(env) or env
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # environments with pending calls warn when they are closed
        for env in envs:
            env.close(terminate=True)
