"""Tests that hostile arguments of public functions raise documented exceptions with the argument's name, within a time
limit, and end no process.
"""

import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("mujoco")

pytestmark = pytest.mark.slow

GROUPS = {
    "makers": "make_|make$",
    "calls": "(step|send|recv|reset|rollout_buffer|get_state|set_state|render|get_attr|set_attr|call)",
    "memories and statistics": "(FrameMemory|memory|normalization|return_rms|merge|RunningMeanStd)",
    "batches": "(Batch|batch)",
    "others": "(load_plugin|check|register|Dummy|dummy|MultiEnv|decode)",
}
"""Patterns of the names in `hostile_calls.CASES`."""


@pytest.mark.parametrize("group", GROUPS)
def test_hostile_arguments_are_refused_by_name(group):
    pytest.importorskip("ale_py")
    program = Path(__file__).with_name("hostile_calls.py")
    done = subprocess.run(
        [sys.executable, str(program), GROUPS[group]], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    *problems, last = done.stdout.splitlines()
    problems = [line for line in problems if "): " in line]
    assert not problems, "\n".join(problems)
    assert int(last.split()[0]) > 400
