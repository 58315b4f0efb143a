"""Runs programs in separate processes."""

import subprocess
import sys
import textwrap


def run_script(text):
    """Runs a program, and returns its output."""
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(text)], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
