"""Tests `python benches/python bench`: measured packages, counts, output files and rejected arguments."""

import json
import subprocess
import sys
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_bench import __file__ as bench_package
from envpool_bench import libraries
from envpool_bench.case import Case
from envpool_bench.machine import Machine
from envpool_bench.main import main
from envpool_bench.peers import ale_vector
from envpool_bench.report import BEGIN, END, text_report, write_markdown
from envpool_bench.results import Measurement, Results, Settings
from envpool_bench.starts import Start
from envpool_bench.windows import Contender
from tasks import TASKS

pytestmark = pytest.mark.slow

QUICK = ["--seconds", "0.002", "--rounds", "3", "--threads", "1"]
PROGRAM = str(Path(bench_package).parents[1])


def command(*arguments):
    program = [sys.executable, PROGRAM, *arguments]
    return subprocess.run(program, check=False, capture_output=True, text=True, timeout=120)


def small_bench(*arguments):
    return main(["bench", *QUICK, "--num-envs", "1,4", "--async", "8/2", "--peers", "none", *arguments])


@pytest.mark.parametrize("tasks", [["CartPol-v1"], ["Taxi-v3", "CartPol-v1"]])
def test_unknown_tasks_are_refused_with_a_suggestion(tasks):
    done = command("bench", *tasks)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("python benches/python: error: unknown task 'CartPol-v1'; did you mean 'CartPole-v1'")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--num-envs", "0"], "'0': expected an integer from 1 on"),
        (["--num-envs", "1,x"], "'x': expected an integer from 1 on"),
        (["--async", "4/4"], "'4/4': expected environments/batch size with a smaller batch"),
        (["--seconds", "nan"], "'nan': expected a number above 0"),
        (["--rounds", "-1"], "--rounds"),
        (["--facade", "C"], "invalid choice: 'C'"),
    ],
)
def test_numbers_out_of_range_are_refused_by_name(arguments, message, capsys):
    with pytest.raises(SystemExit) as stop:
        main(["bench", *arguments])
    assert stop.value.code == 2
    error = capsys.readouterr().err
    assert message in error
    assert arguments[0] in error


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--peers", "isaac"], "--peers isaac: expected 'none', 'all' or some of envpool, "),
        (["--num-envs", "none", "--async", "none"], "expected a pool size in one of them"),
        (["--json", "/nowhere/results.json"], "there is no folder '/nowhere'"),
    ],
)
def test_impossible_benchmarks_are_refused_before_measuring(arguments, message, capsys):
    assert main(["bench", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_missing_packages_name_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert small_bench("--plot", "results.png") == 2
    assert "--plot needs matplotlib: pip install --group bench" in capsys.readouterr().err
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    assert main(["bench", "--peers", "envpool"]) == 2
    assert "--peers envpool needs the package envpool: pip install --group bench" in capsys.readouterr().err


def test_bench_writes_its_measurements(tmp_path, capsys):
    file = tmp_path / "results.json"
    assert small_bench("CartPole-v1", "Pendulum-v?", "--json", str(file)) == 0
    content = json.loads(file.read_text())
    assert content["settings"] == {"seconds": 0.002, "rounds": 3, "facade": "A"}
    assert content["machine"]["numpy"] == np.__version__
    shapes = [(each["task"], each["num_envs"], each["batch_size"]) for each in content["results"]]
    tasks = ["CartPole-v1", "Pendulum-v0", "Pendulum-v1"]
    assert shapes == [(task, *shape) for task in tasks for shape in ((1, 1), (4, 4), (8, 2))]
    for each in content["results"]:
        assert (each["library"], each["version"], each["threads"]) == ("envpool_rs", envpool_rs.__version__, 1)
        assert len(each["window_seconds"]) == 3
        best = each["batch_size"] * each["calls_per_window"] / min(each["window_seconds"])
        assert each["steps_per_second"]["best"] == pytest.approx(best)
        assert each["steps_per_second"]["median"] <= best
        assert each["microseconds_per_call"]["best"] == pytest.approx(each["batch_size"] / best * 1e6)
        assert each["times_faster"] is None
    out = capsys.readouterr().out
    assert "\x1b" not in out
    # The benchmark's output has one row for each task, and a row with the means.
    assert sum(line.startswith("async 8/2") for line in out.splitlines()) == 4


def test_gymnasium_is_reported_next_to_ours_with_a_ratio(tmp_path):
    file = tmp_path / "results.json"
    peers = "gymnasium-vector,gymnasium-sync,gymnasium-async"
    arguments = ["--num-envs", "4", "--async", "none", "--peers", peers, "--facade", "B", "--json", str(file)]
    assert main(["bench", *QUICK, *arguments]) == 0
    results = json.loads(file.read_text())["results"]
    assert [each["library"] for each in results] == ["envpool_rs", *peers.split(",")]
    ours = results[0]
    for peer in results[1:]:
        ratio = ours["steps_per_second"]["best"] / peer["steps_per_second"]["best"]
        assert peer["times_faster"]["best"] == pytest.approx(ratio)


def test_unsupported_cases_of_a_library_are_reported_with_the_reason(capsys):
    arguments = ["SimpleSpread-v3", "--num-envs", "2", "--async", "4/2", "--peers", "gymnasium-sync", "--facade", "B"]
    assert main(["bench", *QUICK, *arguments]) == 0
    out = capsys.readouterr().out
    assert "- SimpleSpread-v3: gymnasium-sync is not measured at 2, async 4/2: gymnasium has no such task." in out
    assert "envpool_rs is not measured" not in out


def test_envpool_runs_the_same_cases(tmp_path):
    pytest.importorskip("envpool")
    file = tmp_path / "results.json"
    arguments = ["--num-envs", "2", "--async", "4/2", "--peers", "envpool", "--json", str(file)]
    done = command("bench", *QUICK, *arguments)
    assert done.returncode == 0, done.stderr
    results = json.loads(file.read_text())["results"]
    assert [each["library"] for each in results] == ["envpool_rs", "envpool"] * 2


def test_ale_py_runs_the_same_cases_and_reports_its_start_time(tmp_path):
    pytest.importorskip("ale_py")
    file = tmp_path / "results.json"
    arguments = ["--num-envs", "2", "--async", "4/2", "--starts", "2", "--peers", "ale-vector", "--json", str(file)]
    done = command("bench", "Pong-v5", *QUICK, *arguments)
    assert done.returncode == 0, done.stderr
    content = json.loads(file.read_text())
    assert [each["library"] for each in content["results"]] == ["envpool_rs", "ale-vector"] * 2
    assert [each["library"] for each in content["starts"]] == ["envpool_rs", "ale-vector"]
    assert all(min(each["seconds"]) > 0 and len(each["env_bytes"]) == 2 for each in content["starts"])
    games = [
        ale_vector.ale_game(task) for task in ("TicTacToe3d-v5", "UpNDown-v5", "ALE/Pong-v5", "Pong-v4", "CartPole-v1")
    ]
    assert games == ["tic_tac_toe_3d", "up_n_down", None, None, None]


def test_every_task_can_be_benchmarked(tmp_path):
    file = tmp_path / "results.json"
    shape = ["--num-envs", "3", "--async", "4/2", "--peers", "none"]
    assert main(["bench", *TASKS, "--seconds", "1e-4", "--rounds", "1", *shape, "--json", str(file)]) == 0
    tasks = [each["task"] for each in json.loads(file.read_text())["results"]]
    assert tasks == [task for task in TASKS for _ in range(2)]


def test_measurement_windows_make_the_counted_calls():
    case = Case("CartPole-v1", 3, 3, 1)
    steps = []

    class Counting:
        def reset(self):
            steps.clear()

        def step(self, action):
            steps.append(action)
            return 1, 2, 3, 4, {}

    library = libraries.Library("counting", "1", lambda case: None, lambda case: Counting())
    contender = Contender(library, case)
    contender.calibrate(1e-4)
    steps.clear()
    contender.time_window()
    assert len(steps) == contender.calls + max(1, contender.calls // 10)
    assert len({id(action) for action in steps}) > 1
    assert all(action.shape == (3,) and action.dtype == np.int64 for action in steps)


def results_of(**windows):
    case = Case("CartPole-v1", 10, 10, 1)
    measurements = [Measurement(case, name, "1", 2, seconds) for name, seconds in windows.items()]
    return Results(Machine.this(), Settings(1, 3, "A"), measurements, [])


def test_ratios_compare_best_with_best_and_median_with_median():
    results = results_of(envpool_rs=[1.0, 2.0, 3.0], other=[10.0, 40.0, 90.0])
    ratio = results.ratio(results.measurements[1])
    assert (ratio.best, ratio.median) == (10, 20)
    assert results.measurements[0].best_rate == 20
    assert results.measurements[0].median_rate == 10
    assert results.ratio(results.measurements[0]) is None


def test_means_are_geometric_over_complete_libraries():
    def measurement(task, library, seconds):
        return Measurement(Case(task, 10, 10, 1), library, "1", 1, [seconds])

    played = [("a", "envpool_rs", 1.0), ("a", "other", 2.0), ("b", "envpool_rs", 4.0), ("b", "other", 72.0)]
    results = Results(Machine.this(), Settings(1, 1, "A"), [measurement(*each) for each in played], [])
    ours, other = results.means()
    assert (ours.library, ours.speedup, ours.rate.best) == ("envpool_rs", None, pytest.approx(5.0))
    assert (other.rate.median, other.speedup.best) == (pytest.approx(10 / 12), pytest.approx(6.0))
    assert "Geometric mean over 2 tasks" in text_report(results)
    results.measurements.pop()
    assert [each.library for each in results.means()] == ["envpool_rs"]
    assert results_of(envpool_rs=[1.0], other=[10.0]).means() == []


def test_many_tasks_share_a_table_with_libraries_side_by_side():
    def measurement(task, library, seconds):
        return Measurement(Case(task, 10, 10, 1), library, "1", 1, seconds)

    played = [(task, name, [1.0, factor, 9.0]) for task in "abcd" for name, factor in (("envpool_rs", 2), ("other", 8))]
    results = Results(Machine.this(), Settings(1, 3, "A"), [measurement(*each) for each in played[:-1]], [])
    text = text_report(results)
    lines = [line.split() for line in text.splitlines()]
    assert ["a", "10", "5.00", "1.25", "4.00x"] in lines
    assert ["d", "10", "5.00"] in lines
    assert "us per call" not in text
    assert " ".join(text.splitlines()[2].split()) == "task environments envpool_rs 1 other 1 times other"


def test_start_times_are_reported_relative_to_ours():
    results = results_of(envpool_rs=[1.0])
    case = results.measurements[0].case
    results.starts.append(Start(case, "envpool_rs", "1", [0.5, 0.25], [100_000, 200_000]))
    results.starts.append(Start(case, "other", "2", [2.5, 5.0], [None, None]))
    lines = [line.split() for line in text_report(results).splitlines()[-2:]]
    assert lines[0] == ["CartPole-v1", "10", "envpool_rs", "1", "0.250", "150"]
    assert lines[1] == ["CartPole-v1", "10", "other", "2", "2.50", "10.0x"]


def test_markdown_is_written_between_the_markers_of_a_file(tmp_path):
    file = tmp_path / "page.md"
    file.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    results = results_of(envpool_rs=[1.0], other=[10.0])
    for _ in range(2):
        write_markdown(file, results, "python benches/python bench --rounds 1")
    text = file.read_text()
    assert text.startswith(f"before\n{BEGIN}\n")
    assert text.endswith(f"\n{END}\nafter\n")
    assert "old" not in text
    assert text.count("$ python benches/python bench --rounds 1") == 1
    assert "| 10 | other 1 | 2.00 | 2.00 | 5000000 | 5000000 | 10.0x | 10.0x |" in text


def test_markdown_creates_a_missing_file(tmp_path):
    file = tmp_path / "new.md"
    assert small_bench("--markdown", str(file)) == 0
    assert "### CartPole-v1\n\n| environments | library |" in file.read_text()


def test_plots_are_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "results.png"
    assert small_bench("--plot", str(file)) == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_an_interrupt_keeps_the_measurements(tmp_path, monkeypatch, capsys):
    from envpool_bench import run

    measure, done = run.measure, []

    def stop_after_one(*arguments):
        if done:
            raise KeyboardInterrupt
        done.append(True)
        return measure(*arguments)

    monkeypatch.setattr(run, "measure", stop_after_one)
    file = tmp_path / "results.json"
    assert small_bench("--json", str(file)) == 130
    assert [each["num_envs"] for each in json.loads(file.read_text())["results"]] == [1]
    captured = capsys.readouterr()
    assert captured.err == "python benches/python: interrupted\n"
    assert "environments  library" in captured.out


def test_scaling_has_a_row_for_each_number_of_threads(tmp_path, capsys):
    path = tmp_path / "page.md"
    path.write_text("# Page\n")
    arguments = ["CartPole-v1", "--threads", "1,2", "--num-envs", "4", "--async", "8/2", "--peers", "none"]
    assert main(["scaling", *arguments, "--seconds", "0.002", "--rounds", "2", "--markdown", str(path)]) == 0
    rows = [line.split(" | ") for line in path.read_text().splitlines() if line.startswith("| CartPole-v1")]
    assert [row[1:3] for row in rows] == [["4", "1"], ["4", "2"], ["async 8/2", "1"], ["async 8/2", "2"]]
    assert [row[4] for row in rows if row[2] == "1"] == ["1.0x", "1.0x"]
    assert path.read_text().startswith("# Page\n")
    assert "of one thread" in capsys.readouterr().out
