"""Tests that this package declares the functions of MuJoCo's library with the types that the
installed package reports.
"""

import re

import pytest
from envpool_rs import _core

pytest.importorskip("mujoco")

from mujoco.introspect.ast_nodes import ArrayType, PointerType
from mujoco.introspect.functions import FUNCTIONS
from mujoco.introspect.structs import STRUCTS

SIGNATURES = _core.mujoco_signatures()

#: Name in C of each type in the table of Rust's declarations.
IN_C = {
    "c_char": "char",
    "c_int": "int",
    "c_void": "void",
    "f32": "float",
    "f64": "mjtNum",
    "i64": "mjtSize",
    "u8": "unsigned char",
    "RawCamera": "mjvCamera",
    "RawContext": "mjrContext",
    "RawData": "mjData",
    "RawModel": "mjModel",
    "RawOption": "mjvOption",
    "RawPerturb": "mjvPerturb",
    "RawScene": "mjvScene",
    "Rect": "mjrRect",
    "Vfs": "mjVFS",
}
#: Arguments whose types differ in some versions without effect: a called function with an ``int`` reads the lower half
#: of the register in which an ``mjtSize`` is passed.
OTHERWISE = {
    ("mj_saveModel", 3): ("mjtSize", "int"),
    # The C types `unsigned char` and `mjtBool` are both one byte.
    ("mj_ray", 5): ("unsigned char", "mjtBool"),
}


def in_c(text):
    """Converts a type of the Rust table to a tuple: whether a pointer's target is ``const``, the C name, and whether it
    is a pointer.
    """
    const, name = re.fullmatch(r"(?:\*(const|mut) )?(\w+)", text).groups()
    return (const == "const", IN_C[name], const is not None)


def declared(of):
    """Converts a type that the mujoco package declares to the format of ``in_c``; an array argument is a pointer."""
    is_pointer = isinstance(of, PointerType | ArrayType)
    shown = of.inner_type if is_pointer else of
    return (shown.is_const, "unsigned char" if shown.name == "mjtByte" else shown.name, is_pointer)


def difference(name, arguments, result):
    """Returns how a function's types differ from those that the package declares; ``None`` if they agree."""
    function = FUNCTIONS.get(name)
    if function is None:
        return f"{name} is not declared"
    ours, theirs = [in_c(each) for each in arguments], [declared(each.type) for each in function.parameters]
    for (each, index), (wide, narrow) in OTHERWISE.items():
        if each == name and theirs[index] == (False, narrow, False):
            theirs[index] = (False, wide, False)
    same = ours == theirs and in_c(result or "c_void") == declared(function.return_type)
    return None if same else f"{name}({', '.join(arguments)}) -> {result}: declared as {function}"


# This is one test for all functions, because by default only some instances of a parametrised test run.
def test_function_signatures_equal_the_librarys_declarations():
    assert [found for each in SIGNATURES if (found := difference(*each))] == []


@pytest.mark.parametrize(
    ("name", "altered"),
    [
        # `mj_sizeModel` returns 8 bytes, of which a `c_int` would read 4.
        ("mj_sizeModel", (["*const RawModel"], "c_int")),
        ("mj_step", (["*mut RawModel", "*mut RawData"], "")),
        ("mj_step", (["*const RawModel", "*const RawData"], "")),
        ("mj_step", (["*const RawModel"], "")),
        ("mj_step", (["*const RawModel", "*mut RawData"], "c_int")),
        ("mj_makeData", (["*const RawModel"], "*const RawData")),
        ("mjr_resizeOffscreen", (["*mut RawContext", "c_int", "c_int"], "")),
        ("mj_walk", ([], "")),
    ],
)
def test_a_changed_type_is_detected(name, altered):
    assert name in difference(name, *altered)


def test_all_functions_are_listed_once():
    names = [name for name, *_ in SIGNATURES]
    assert {"mj_step", "mj_saveModel", "mjr_readPixels"} < set(names)
    assert len(names) == len(set(names)) > 40


def test_a_rectangle_that_is_passed_by_value_is_four_integers():
    fields = [(field.name, str(field.type)) for field in STRUCTS["mjrRect"].fields]
    assert fields == [("left", "int"), ("bottom", "int"), ("width", "int"), ("height", "int")]
