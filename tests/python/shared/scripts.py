"""Runs programs in separate processes."""

import os
import subprocess
import sys
import textwrap


def run_script(text, **variables):
    """Runs a program with further environment variables, and returns its output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def prints_the_same_with_all_vectors(program):
    """Runs a program with scalar, AVX2 and AVX-512 instructions; checks that it prints the same, and returns that."""
    outputs = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "ENVPOOL_RS_VECTORS": vectors},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for vectors in ("scalar", "avx2", "avx512")
    ]
    assert outputs[1] == outputs[0]
    assert outputs[2] == outputs[0]
    return outputs[0]
