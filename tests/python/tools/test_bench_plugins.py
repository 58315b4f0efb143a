"""Tests `python benches/python bench-plugins`: tables, packages that cannot be measured, and rejected arguments."""

import pytest
from envpool_bench.main import main
from envpool_bench.plugins import builds
from envpool_bench.plugins.timing import StepTime, measure

pytestmark = pytest.mark.slow

QUICK = ["bench-plugins", "--num-envs", "1,4", "--threads", "1,2", "--seconds", "0.002", "--rounds", "2"]


@pytest.mark.skipif(builds.missing_compiler(builds.EXAMPLES / "cart_pole.c") is not None, reason="needs a C compiler")
def test_the_benchmark_prints_a_row_for_each_contender(capsys, tmp_path):
    file = tmp_path / "speed.md"
    assert main([*QUICK, "--contenders", "built-in,c", "--markdown", str(file)]) == 0
    text = file.read_text()
    assert text in capsys.readouterr().out
    rows = [line for line in text.splitlines() if line.startswith(("| built-in |", "| C |"))]
    assert len(rows) == 4, "processor time and wall time of both"
    for row in rows:
        # There is no value for two threads, because a second thread does not speed up a single environment.
        cells = [float(cell.replace(",", "")) for cell in row.split("|")[2:-1]]
        assert len(cells) == 3
        assert min(cells) > 0


def test_a_contender_that_is_missing_is_named_with_the_reason(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("ENVPOOL_RS_PUFFERLIB", str(tmp_path / "none"))
    assert main([*QUICK, "--contenders", "built-in,pufferlib"]) == 0
    assert "pufferlib is not measured: there are no sources in" in capsys.readouterr().out
    assert main([*QUICK, "--contenders", "pufferlib"]) == 2


def test_an_unknown_contender_is_refused(capsys):
    assert main([*QUICK, "--contenders", "built-in,cobol"]) == 2
    assert "--contenders cobol: expected 'all' or some of built-in, c," in capsys.readouterr().err


def test_times_are_the_minimum_of_all_windows():
    calls = []
    time = measure(calls.append, ["a", "b"], 10, 0.001, 3)
    assert isinstance(time, StepTime)
    assert 0 < time.wall < 1e6
    assert time.cpu >= 0
    assert calls[:4] == ["a", "b", "a", "b"]
