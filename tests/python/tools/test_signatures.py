"""Tests the signatures of the functions that make environments, as type checkers, editors and help() show them.

Signatures must agree with the table of tasks, and type checkers must report wrong calls.
"""

import ast
import importlib.util
import inspect
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import get_origin

import envpool_rs
import numpy as np
import pytest
import signatures
from envpool_rs.pools import DMEnvPool, GymnasiumEnvPool, VectorEnv
from tasks import ALL, REGISTERED

INSTALLED = Path(envpool_rs.__file__).parent / "_make"
STUB = INSTALLED / "signatures.pyi"
CALLS = Path(__file__).with_name("typed_calls.py")
FUNCTIONS = {"make", "make_gymnasium", "make_gym", "make_dm", "make_spec", "make_vec", "make_python"}
MOST_OVERLOADS = 7
WRONG = {number for number, line in enumerate(CALLS.read_text().splitlines(), 1) if line.endswith("# E")}


def test_signatures_equal_the_table_of_tasks():
    written, expected = (ast.dump(ast.parse(text), indent=1) for text in (STUB.read_text(), signatures.stub()))
    assert written == expected, "make generate"


def test_help_lists_the_options_of_the_table_of_tasks():
    assert signatures.options_file() == (INSTALLED / "options.txt").read_text(), "make generate"
    lists = signatures.lists_of_options()
    assert envpool_rs.make.__doc__.endswith(lists)
    for task in REGISTERED:
        for option in task["options"]:
            assert f"``{option['name']}``" in envpool_rs.make.__doc__
    own = {option["name"] for task in REGISTERED for option in task["options"]}
    for name in envpool_rs.make_spec("Acrobot-v1").config_dict().keys() - own:
        assert f"* ``{name}``: " in envpool_rs.make.__doc__


def overloads():
    """Returns the names of the parameters of each overload in the stub, by function."""
    found = {}
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.FunctionDef):
            arguments = [*node.args.args, *node.args.kwonlyargs]
            found.setdefault(node.name, []).append([argument.arg for argument in arguments])
    return found


def test_overloads_belong_to_existing_functions():
    taken_from_options = {"num_envs", "gym_reset_return_info", "env_type"}
    for function, signatures_of_it in overloads().items():
        parameters = inspect.signature(getattr(envpool_rs, function)).parameters
        named = [name for name, each in parameters.items() if each.kind is not each.VAR_KEYWORD]
        for names in signatures_of_it:
            assert names[: len(named)] == named, function
            assert set(names) - set(named) <= taken_from_options, function
    assert set(overloads()) == FUNCTIONS
    assert max(map(len, overloads().values())) <= MOST_OVERLOADS


def test_every_option_is_typed_once():
    """Checks for every task that the class of its family's options in the stub has a field for each option."""
    classes, fields = {}, []
    for node in ast.parse(STUB.read_text()).body:
        if isinstance(node, ast.ClassDef):
            own = [field.target.id for field in node.body if isinstance(field, ast.AnnAssign)]
            classes[node.name] = set(own).union(*(classes.get(base.id, ()) for base in node.bases))
            fields += own
    assert len(fields) == len(set(fields)), "a class of all options has no field twice"
    families = {task: family for family in signatures.families() for task in family.tasks}
    assert list(families) and set(families) == set(ALL)
    for task, family in families.items():
        typed = classes.get(f"{family.name}Options", classes["PoolOptions"] | classes["CommonOptions"])
        typed |= {"num_envs", "gym_reset_return_info"}
        assert set(envpool_rs.make_spec(task).config_dict()) <= typed
        assert set(family.options) <= typed <= classes["AnyOptions"] | {"num_envs", "gym_reset_return_info"}


def test_a_family_has_the_options_of_its_tasks():
    families = {task: family for family in signatures.families() for task in family.tasks}
    for task in REGISTERED:
        if task["id"] in families:
            assert {option["name"] for option in task["options"]} <= set(families[task["id"]].options)
    for family in set(families.values()):
        tasks = [task for task in REGISTERED if task["id"] in family.tasks]
        assert set(family.options) == {option["name"] for task in tasks for option in task["options"]}


def test_interfaces_accept_the_type_of_their_observations():
    for interface in (GymnasiumEnvPool, VectorEnv):
        assert get_origin(interface[np.ndarray]) is interface
    # The interfaces must not define `step`: pools inherit it from the extension's class.
    assert "step" not in vars(GymnasiumEnvPool) | vars(VectorEnv) | vars(DMEnvPool)


def checked(*command):
    command = [sys.executable, "-m", *command, CALLS.name]
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=300, cwd=CALLS.parent)
    assert done.returncode == 1, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="needs mypy")
def test_mypy_refuses_only_wrong_calls(cache):
    # mypy checks the file like a user's program, without this repository's settings. Reading numpy and gymnasium takes
    # most of the time.
    options = ["--strict", "--config-file=", "--cache-dir", str(cache.mkdir("mypy"))]
    output = checked("mypy", *options, "--python-executable", sys.executable)
    found = re.findall(rf"^{CALLS.name}:(\d+): error: (.*)", output, re.M)
    assert len(found) == len(re.findall(r": error: ", output)), output
    assert {int(line) for line, _ in found} == WRONG, "\n".join(map(str, found))


@pytest.mark.slow
@pytest.mark.skipif(importlib.util.find_spec("pyright") is None, reason="needs pyright")
def test_pyright_refuses_only_wrong_calls():
    output = json.loads(checked("pyright", "--outputjson", "--pythonpath", sys.executable))
    errors = [each for each in output["generalDiagnostics"] if each["severity"] == "error"]
    found = {each["range"]["start"]["line"] + 1 for each in errors}
    assert found == WRONG, "\n".join(f"{each['range']['start']['line'] + 1}: {each['message']}" for each in errors)
