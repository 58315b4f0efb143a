"""Tests that the installed jaxlib's header has the struct layouts that src/interop/xla/c_api.rs declares for
handlers.
"""

import shutil
import subprocess

import pytest
from repository import TESTS

ffi = pytest.importorskip("jax.ffi")

RECORDED = TESTS / "data/xla_ffi_layout.txt"
COMPILER = shutil.which("cc")


def names():
    return [line.split()[0] for line in RECORDED.read_text().splitlines()]


def program(names):
    """Returns the source of a C program that prints each name with its offset or value."""
    values = [f"offsetof({name.replace('.', ', ')})" if "." in name else f"(size_t){name}" for name in names]
    prints = "\n".join(f'    printf("{name} %zu\\n", {value});' for name, value in zip(names, values, strict=True))
    return f'#include <stdio.h>\n#include "xla/ffi/api/c_api.h"\nint main(void) {{\n{prints}\n    return 0;\n}}\n'


@pytest.mark.skipif(COMPILER is None, reason="needs a C compiler")
def test_the_installed_header_has_the_recorded_layout(tmp_path):
    source, binary = tmp_path / "layout.c", tmp_path / "layout"
    source.write_text(program(names()))
    subprocess.run([COMPILER, "-I", ffi.include_dir(), source, "-o", binary], check=True, timeout=120)
    printed = subprocess.run([binary], check=True, capture_output=True, text=True, timeout=60).stdout
    assert printed == RECORDED.read_text()
