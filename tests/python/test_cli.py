"""The command line: what it prints, writes, refuses, and how it ends."""

import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time

import envpool_rs
import numpy as np
import pytest
from envpool_rs._spec import mujoco_library
from envpool_rs._tasks import table
from envpool_rs._tasks.named_tasks import NamedTask
from envpool_rs._tasks.option_descriptions import task_descriptions
from envpool_rs.benchmark import ale_vector, libraries
from envpool_rs.benchmark.actions import random_actions
from envpool_rs.benchmark.case import Case
from envpool_rs.benchmark.machine import Machine
from envpool_rs.benchmark.results import Measurement, Results, Settings
from envpool_rs.benchmark.starts import Start
from envpool_rs.benchmark.windows import Contender
from envpool_rs.cli import demo_command, main
from envpool_rs.cli.live_line import LiveLine
from envpool_rs.cli.report import BEGIN, END, text_report, write_markdown
from envpool_rs.cli.table import rate_text
from gymnasium import spaces
from tasks import HAS_CARTRIDGES, TASKS

QUICK = ["--seconds", "0.002", "--rounds", "3", "--threads", "1"]


def command(*arguments, **how):
    how = {"capture_output": True, "text": True, "timeout": 120, **how}
    return subprocess.run([sys.executable, "-m", "envpool_rs", *arguments], check=False, **how)


def small_bench(*arguments):
    return main(["bench", *QUICK, "--num-envs", "1,4", "--async", "8/2", "--peers", "none", *arguments])


def test_list_names_every_task_with_its_spaces_and_limit():
    done = command("list")
    assert (done.returncode, done.stderr) == (0, "")
    rows = {line.split("  ")[0]: line for line in done.stdout.splitlines()[2:]}
    assert list(rows) == envpool_rs.list_all_envs()
    assert rows["CartPole-v1"].split() == ["CartPole-v1", "float32[4]", "Discrete(2)", "500"]
    assert rows["SimpleSpread-v3"].split()[1:4] == ["3", "x", "float32[18]"]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("taxi", ["Taxi-v3", "Taxi-v4"]),
        ("*Walking-v?", ["CliffWalking-v0", "CliffWalking-v1"]),
        ("Pendulum-v[1-9]", ["Pendulum-v1"]),
    ],
)
def test_list_takes_globs_and_parts_of_names(pattern, expected, capsys):
    assert main(["list", pattern]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[2:]] == expected


def test_list_says_where_nothing_matches(capsys):
    assert main(["list", "nothing-like-it"]) == 1
    assert "no task matches 'nothing-like-it'" in capsys.readouterr().err


def test_list_imports_neither_peers_nor_pictures():
    code = (
        "import sys; from envpool_rs.cli import main; main(['list']); "
        "print([m for m in ('envpool', 'matplotlib', 'dm_env', 'gym', 'envpool_rs.benchmark') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_reader_who_leaves_early_is_no_error():
    program = subprocess.Popen(
        [sys.executable, "-m", "envpool_rs", "list"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    program.stdout.close()
    assert program.stderr.read() == ""
    program.stderr.close()
    assert program.wait() == 1


def test_info_shows_spaces_options_infos_and_limits(capsys):
    assert main(["info", "Acrobot-v1"]) == 0
    text = capsys.readouterr().out
    for line in (
        "episode limit     500 steps",
        "reward threshold  -100",
        "low, high",
        "max_episode_steps          500",
    ):
        assert line in text
    assert any(line.split() == ["state", "float32[2]"] for line in text.splitlines())


def test_info_explains_every_option_of_every_task(capsys):
    # Most families have the same options for many tasks: the last of them stands for all.
    kinds = {tuple((option["name"], option["doc"]) for option in task["options"]): task for task in task_descriptions()}
    for task in kinds.values():
        assert main(["info", task["id"]]) == 0
        text = capsys.readouterr().out
        for option in task["options"]:
            assert f"  {option['name']} " in text
            assert option["doc"] in text
            assert option["allowed"] is None or option["allowed"] in text


def test_info_tells_the_default_of_what_is_decided_later_and_what_it_comes_to_here(capsys):
    pytest.importorskip("mujoco")
    assert main(["info", "Ant-v5"]) == 0
    (line,) = re.findall(r"^  physics +(.*?)  ", capsys.readouterr().out, re.M)
    (_, decided, _), *_ = envpool_rs.make_spec("Ant-v5").pool.decided
    assert line == f"'auto', here '{decided}'"


def test_info_explains_every_option_of_all_tasks(capsys):
    assert main(["info", "Pendulum-v1"]) == 0
    text = capsys.readouterr().out
    for name in envpool_rs.make_spec("Pendulum-v1").config_dict():
        assert re.search(rf"^  {name} .* \w+.*$", text, re.M), name
    for words in ("when a finished environment begins anew", '"next_step", "same_step" or "disabled"', "rgb_array"):
        assert words in text


def test_names_registered_for_a_task_show_their_own_defaults(capsys, monkeypatch):
    short = NamedTask("CartPole-v1", {"max_episode_steps": 7, "sutton_barto_reward": True})
    monkeypatch.setitem(table.tasks, "Short-v0", short)
    assert main(["info", "Short-v0"]) == 0
    text = capsys.readouterr().out
    assert "episode limit     7 steps" in text
    assert "sutton_barto_reward  True" in text


@pytest.mark.parametrize(
    "arguments", [["info", "CartPol-v1"], ["bench", "CartPol-v1"], ["bench", "Taxi-v3", "CartPol-v1"]]
)
def test_unknown_tasks_are_refused_with_a_suggestion(arguments):
    done = command(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("envpool-rs: error: unknown task 'CartPol-v1'; did you mean 'CartPole-v1'")
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
def test_what_cannot_be_done_is_refused_before_measuring(arguments, message, capsys):
    assert main(["bench", *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_missing_packages_name_the_extra(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert small_bench("--plot", "results.png") == 2
    assert "--plot needs matplotlib: pip install 'envpool_rs[bench]'" in capsys.readouterr().err
    monkeypatch.setattr(libraries, "find_spec", lambda name: None)
    assert main(["bench", "--peers", "envpool"]) == 2
    assert "--peers envpool needs the package envpool: pip install 'envpool_rs[bench]'" in capsys.readouterr().err


def test_bench_writes_what_it_measured(tmp_path, capsys):
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
    # A row for each task, and one of the means.
    assert sum(line.startswith("async 8/2") for line in out.splitlines()) == 4


def test_gymnasium_stands_beside_ours_with_a_ratio(tmp_path):
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


def test_what_a_library_cannot_play_is_said_with_the_reason(capsys):
    arguments = ["SimpleSpread-v3", "--num-envs", "2", "--async", "4/2", "--peers", "gymnasium-sync", "--facade", "B"]
    assert main(["bench", *QUICK, *arguments]) == 0
    out = capsys.readouterr().out
    assert "- SimpleSpread-v3: gymnasium-sync is not measured at 2, async 4/2: gymnasium has no such task." in out
    assert "envpool_rs is not measured" not in out


def test_envpool_plays_the_same_cases(tmp_path):
    pytest.importorskip("envpool")
    file = tmp_path / "results.json"
    arguments = ["--num-envs", "2", "--async", "4/2", "--peers", "envpool", "--json", str(file)]
    done = command("bench", *QUICK, *arguments)
    assert done.returncode == 0, done.stderr
    results = json.loads(file.read_text())["results"]
    assert [each["library"] for each in results] == ["envpool_rs", "envpool"] * 2


def test_ale_py_plays_the_same_cases_and_tells_its_start(tmp_path):
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


def test_windows_play_the_calls_they_count():
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


def test_random_actions_lie_in_their_space_and_reach_all_of_it():
    discrete = np.concatenate(random_actions(spaces.Discrete(3, start=-1), 100))
    assert set(discrete) == {-1, 0, 1}
    box = spaces.Box(np.float32([-1, 5]), np.float32([1, 6]))
    actions = random_actions(box, 100)
    assert all(actions[0].dtype == np.float32 and box.contains(row) for row in actions[0])
    assert np.ptp(actions[0], axis=0) == pytest.approx([2, 1], rel=0.2)
    both = random_actions(spaces.Dict({"a": box, "b": spaces.Discrete(2)}), 5)
    assert {key: value.shape for key, value in both[0].items()} == {"a": (5, 2), "b": (5,)}
    with pytest.raises(ValueError, match="expected Discrete, Box, or a Dict or Tuple"):
        random_actions(spaces.MultiBinary(3), 1)


def results_of(**windows):
    case = Case("CartPole-v1", 10, 10, 1)
    measurements = [Measurement(case, name, "1", 2, seconds) for name, seconds in windows.items()]
    return Results(Machine.this(), Settings(1, 3, "A"), measurements, [])


def test_ratios_are_best_against_best_and_median_against_median():
    results = results_of(envpool_rs=[1.0, 2.0, 3.0], other=[10.0, 40.0, 90.0])
    ratio = results.ratio(results.measurements[1])
    assert (ratio.best, ratio.median) == (10, 20)
    assert results.measurements[0].best_rate == 20
    assert results.measurements[0].median_rate == 10
    assert results.ratio(results.measurements[0]) is None


def test_means_are_geometric_and_of_complete_libraries():
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


def test_starts_are_told_beside_ours():
    results = results_of(envpool_rs=[1.0])
    case = results.measurements[0].case
    results.starts.append(Start(case, "envpool_rs", "1", [0.5, 0.25], [100_000, 200_000]))
    results.starts.append(Start(case, "other", "2", [2.5, 5.0], [None, None]))
    lines = [line.split() for line in text_report(results).splitlines()[-2:]]
    assert lines[0] == ["CartPole-v1", "10", "envpool_rs", "1", "0.250", "150"]
    assert lines[1] == ["CartPole-v1", "10", "other", "2", "2.50", "10.0x"]


def test_markdown_goes_between_the_marks_of_a_file(tmp_path):
    file = tmp_path / "page.md"
    file.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    results = results_of(envpool_rs=[1.0], other=[10.0])
    for _ in range(2):
        write_markdown(file, results, "envpool-rs bench --rounds 1")
    text = file.read_text()
    assert text.startswith(f"before\n{BEGIN}\n")
    assert text.endswith(f"\n{END}\nafter\n")
    assert "old" not in text
    assert text.count("$ envpool-rs bench --rounds 1") == 1
    assert "| 10 | other 1 | 2.00 | 2.00 | 5000000 | 5000000 | 10.0x | 10.0x |" in text


def test_markdown_makes_a_file_where_there_is_none(tmp_path):
    file = tmp_path / "new.md"
    assert small_bench("--markdown", str(file)) == 0
    assert "### CartPole-v1\n\n| environments | library |" in file.read_text()


def test_plots_are_pictures(tmp_path):
    pytest.importorskip("matplotlib")
    file = tmp_path / "results.png"
    assert small_bench("--plot", str(file)) == 0
    assert file.read_bytes().startswith(b"\x89PNG")


def test_the_demo_plays_every_task_it_names(capsys):
    assert main(["demo", "--num-envs", "64", "--seconds", "0.01"]) == 0
    out = capsys.readouterr().out
    table = out.split("steps/s\n")[-1]
    rows = [line.split()[:2] for line in table.split("\n\n")[0].splitlines()[1:]]
    atari = [["Breakout-v5", "1"]] if HAS_CARTRIDGES else []
    assert rows == [[task, "64"] for task in demo_command.TASKS] + atari
    assert "Together " in out


def test_rates_have_three_digits_and_a_unit():
    texts = [rate_text(rate) for rate in (0.5, 12.34, 999.4, 999.6, 1234, 99_960, 12_345_678, 2e9)]
    assert texts == ["0.500", "12.3", "999", "1.00 k", "1.23 k", "100 k", "12.3 M", "2.00 G"]


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_the_live_line_is_redrawn_on_terminals_only():
    terminal, pipe = Terminal(), io.StringIO()
    for stream in (terminal, pipe):
        with LiveLine(stream) as line:
            line.show("now")
            line.show("too soon")
            line.keep("stays")
    assert terminal.getvalue() == "\r\x1b[2Know\r\x1b[2Kstays\n"
    assert pipe.getvalue() == "stays\n"


def read_before(end, leader, output):
    """What the program prints next; fails where it stays silent."""
    ready, _, _ = select.select([leader], [], [], max(0, end - time.monotonic()))
    assert ready, output
    return os.read(leader, 4096)


def interrupted(*arguments):
    """Runs a command on a terminal of its own until it shows numbers, then interrupts it; its exit code and output."""
    leader, follower = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "envpool_rs", *arguments], stdout=follower, stderr=follower, start_new_session=True
    )
    os.close(follower)
    output = b""
    try:
        end = time.monotonic() + 60
        while b"round 2" not in output and b" episodes" not in output:
            output += read_before(end, leader, output)
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does it: worker processes get it too
        while True:
            try:
                output += read_before(end, leader, output)
            except OSError:  # how Linux says that nobody is left at the other end
                break
        return program.wait(timeout=30), output.decode()
    finally:
        program.kill()
        program.wait()
        os.close(leader)


@pytest.mark.parametrize(
    "arguments",
    [
        ["bench", "--rounds", "100000", "--peers", "none"],
        ["bench-python", "--rounds", "100000", "--ours", "multi-env-cores", "--peers", "gymnasium-async"],
        ["demo", "--seconds", "600"],
    ],
)
def test_an_interrupt_ends_with_one_line(arguments):
    code, output = interrupted(*arguments)
    assert code == 130
    assert output.replace("\r\n", "\n").endswith("\r\x1b[2Kenvpool-rs: interrupted\n")
    assert "Traceback" not in output


def test_an_interrupt_keeps_what_was_measured(tmp_path, monkeypatch, capsys):
    from envpool_rs.benchmark import run

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
    assert captured.err == "envpool-rs: interrupted\n"
    assert "environments  library" in captured.out


def test_programs_in_rust_are_told_where_mujoco_lies(tmp_path, monkeypatch, capsys):
    pytest.importorskip("mujoco")
    file = tmp_path / "mujoco.txt"
    assert main(["mujoco-library", str(file)]) == 0
    library, *fields = file.read_text().splitlines()
    assert os.path.isfile(library)  # noqa: PTH113
    assert capsys.readouterr().out == f"{file}: {library}\n"
    assert "mjData.qpos" in {line.split()[0] for line in fields}
    monkeypatch.setattr(mujoco_library, "_problem", lambda: f"this needs MuJoCo: {mujoco_library.EXTRA}")
    assert main(["mujoco-library", str(file)]) == 2
    assert "pip install 'envpool_rs[mujoco]'" in capsys.readouterr().err


def test_the_console_script_is_the_module():
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="envpool-rs")
    assert script.load() is main
