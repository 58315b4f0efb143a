"""Tests the command line: output, files, rejected arguments, and exit codes."""

import io
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_bench import __file__ as bench_package
from envpool_rs import _core
from envpool_rs._facades.tuning import random_actions
from envpool_rs._spec import mujoco_library
from envpool_rs._tasks import table
from envpool_rs._tasks.table import NamedTask
from envpool_rs.cli import main
from envpool_rs.cli.main import TASKS
from envpool_rs.cli.text import LiveLine, rate_text
from gymnasium import spaces
from tasks import ALL, HAS_ATARI

OURS = [sys.executable, "-m", "envpool_rs"]
BENCHES = [sys.executable, str(Path(bench_package).parents[1])]


def command(*arguments, **how):
    how = {"capture_output": True, "text": True, "timeout": 120, **how}
    return subprocess.run([*OURS, *arguments], check=False, **how)


def test_list_prints_every_task_with_its_spaces_and_limit():
    done = command("list")
    assert (done.returncode, done.stderr) == (0, "")
    rows = {line.split("  ")[0]: line for line in done.stdout.splitlines()[1:]}
    assert list(rows) == ALL
    assert rows["CartPole-v1"].split() == ["CartPole-v1", "float32[4]", "Discrete(2)", "500"]
    assert rows["SimpleSpread-v3"].split()[1:4] == ["3", "x", "float32[18]"]


@pytest.mark.parametrize(("columns", "most"), [(None, 80), ("20", 80), ("100", 100), ("500", 120)])
def test_lists_and_descriptions_fit_the_terminal(columns, most, capsys, monkeypatch):
    monkeypatch.delenv("COLUMNS", raising=False)
    if columns is not None:
        monkeypatch.setenv("COLUMNS", columns)
    for arguments in (
        ["list", "Hand*"],
        ["list", "*humanoid*"],
        *(["info", task] for task in ("Hopper-v5", "Taxi-v4")),
    ):
        assert main(arguments) == 0
        widths = [len(line) for line in capsys.readouterr().out.splitlines()]
        assert max(widths) <= most
        assert max(widths) == most or arguments[0] == "info"


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
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()[1:]] == expected


def test_list_reports_that_nothing_matches(capsys):
    assert main(["list", "nothing-like-it"]) == 1
    assert "no task matches 'nothing-like-it'" in capsys.readouterr().err


def test_list_imports_neither_peers_nor_pictures():
    code = (
        "import sys; from envpool_rs.cli import main; main(['list']); "
        "print([m for m in ('envpool', 'matplotlib', 'dm_env', 'gym') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "[]"


def test_a_closed_output_pipe_is_not_an_error():
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
    # Tests one task for each distinct set of options, because many tasks of a family have the same options.
    kinds = {tuple((option["name"], option["doc"]) for option in task["options"]): task for task in _core.tasks()}
    for task in kinds.values():
        assert main(["info", task["id"]]) == 0
        text = capsys.readouterr().out
        words = " ".join(text.split())
        for option in task["options"]:
            assert f"  {option['name']} " in text
            assert option["doc"] in words
            assert option["allowed"] is None or option["allowed"] in words


def test_info_shows_the_default_and_the_resolved_value_of_auto_options(capsys):
    pytest.importorskip("mujoco")
    assert main(["info", "Ant-v5"]) == 0
    (line,) = re.findall(r"^  physics +(.*)$", capsys.readouterr().out, re.M)
    (_, decided, _), *_ = envpool_rs.make_spec("Ant-v5").pool.decided
    assert line == f"'auto', here '{decided}'"


def test_info_explains_every_option_of_all_tasks(capsys):
    assert main(["info", "Pendulum-v1"]) == 0
    text = capsys.readouterr().out
    for name in envpool_rs.make_spec("Pendulum-v1").config_dict():
        # A long default, such as a path, continues in further lines.
        assert re.search(rf"^  {name} +\S.*\n(      .*\n)*?      .*: \w+", text, re.M), name
    for words in ("when a finished environment is reset", '"next_step", "same_step" or "disabled"', "rgb_array"):
        assert words in " ".join(text.split())


def test_info_shows_the_defaults_of_registered_names(capsys, monkeypatch):
    short = NamedTask("CartPole-v1", {"max_episode_steps": 7, "sutton_barto_reward": True})
    monkeypatch.setitem(table.tasks, "Short-v0", short)
    assert main(["info", "Short-v0"]) == 0
    text = capsys.readouterr().out
    assert "episode limit     7 steps" in text
    assert re.search(r"^  sutton_barto_reward +True$", text, re.M)


def test_unknown_tasks_are_refused_with_a_suggestion():
    done = command("info", "CartPol-v1")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("envpool-rs: error: unknown task 'CartPol-v1'; did you mean 'CartPole-v1'")
    assert "Traceback" not in done.stderr


def test_random_actions_lie_in_their_space_and_reach_all_of_it():
    discrete = np.concatenate(random_actions(spaces.Discrete(3, start=-1), 100))
    assert set(discrete) == {-1, 0, 1}
    box = spaces.Box(np.float32([-1, 5]), np.float32([1, 6]))
    actions = random_actions(box, 100)
    assert all(actions[0].dtype == np.float32 and box.contains(row) for row in actions[0])
    assert np.ptp(actions[0], axis=0) == pytest.approx([2, 1], rel=0.2)
    both = random_actions(spaces.Dict({"a": box, "b": spaces.Discrete(2)}), 5)
    assert {key: value.shape for key, value in both[0].items()} == {"a": (5, 2), "b": (5,)}
    several = spaces.MultiDiscrete([2, 5], start=[0, 3])
    assert all(several.contains(row) for row in random_actions(several, 50)[0])
    assert all(spaces.MultiBinary(3).contains(row) for row in random_actions(spaces.MultiBinary(3), 50)[0])
    with pytest.raises(ValueError, match="expected Discrete, Box, MultiDiscrete, MultiBinary, or a Dict or Tuple"):
        random_actions(spaces.Text(3), 1)


def test_tune_prints_a_table_and_a_line_that_makes_the_fastest_pool(capsys):
    arguments = ["--num-envs", "4", "--seconds", "0.01", "--policy-ms", "0.1", "-o", "sutton_barto_reward=True"]
    assert main(["tune", "CartPole-v1", *arguments]) == 0
    header, _, *rows, _, line = capsys.readouterr().out.splitlines()[-9:]
    assert "100%" in "".join(rows) and {row.split()[1] for row in rows if row} <= {"4", "2", "1"}, header
    pool = eval(line, {"envpool_rs": envpool_rs})
    assert pool.config["num_envs"] == 4 and pool.config["sutton_barto_reward"] is True
    assert pool.config["num_threads"] >= 1
    pool.close()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (["--policy-ms", "-1"], "--policy-ms=-1.0: expected milliseconds, 0 or more"),
        (["-o", "reward"], "-o reward: expected NAME=VALUE"),
        (["-o", "no_option=3"], "no_option"),
        (["-o", "sutton_barto_reward=7"], "sutton_barto_reward=7: expected bool"),
    ],
)
def test_tune_refuses_wrong_arguments_by_name(wrong, message, capsys):
    assert main(["tune", "CartPole-v1", "--seconds", "0.01", *wrong]) == 2
    assert message in capsys.readouterr().err


def test_the_demo_runs_every_task_that_is_named(capsys):
    assert main(["demo", "--num-envs", "64", "--seconds", "0.01"]) == 0
    out = capsys.readouterr().out
    table = out.split("steps/s\n")[-1]
    rows = [line.split()[:2] for line in table.split("\n\n")[0].splitlines()[1:]]
    atari = [["Breakout-v5", "1"]] if HAS_ATARI else []
    assert rows == [[task, "64"] for task in TASKS] + atari
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
    """Returns the program's next output; fails if there is none before `end`."""
    ready, _, _ = select.select([leader], [], [], max(0, end - time.monotonic()))
    assert ready, output
    return os.read(leader, 4096)


def interrupted(*arguments):
    """Runs a command on its own terminal until it prints numbers, then interrupts it; returns exit code and output."""
    leader, follower = pytest.importorskip("pty").openpty()
    program = subprocess.Popen(arguments, stdout=follower, stderr=follower, start_new_session=True)
    os.close(follower)
    output = b""
    try:
        end = time.monotonic() + 60
        while b"round 2" not in output and b" episodes" not in output:
            output += read_before(end, leader, output)
        os.killpg(program.pid, signal.SIGINT)  # a terminal sends the signal to worker processes, too
        while True:
            try:
                output += read_before(end, leader, output)
            except OSError:  # Linux raises OSError if no process has the terminal's other end open
                break
        return program.wait(timeout=30), output.decode()
    finally:
        program.kill()
        program.wait()
        os.close(leader)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("python benches/python", [*BENCHES, "bench", "--rounds", "100000", "--peers", "none"]),
        (
            "python benches/python",
            [*BENCHES, "bench-python", "--rounds=100000", "--ours=multi-env-cores", "--peers=gymnasium-async"],
        ),
        ("envpool-rs", [*OURS, "demo", "--seconds", "600"]),
    ],
)
def test_an_interrupt_ends_with_one_line(name, arguments):
    code, output = interrupted(*arguments)
    assert code == 130
    assert output.replace("\r\n", "\n").endswith(f"\r\x1b[2K{name}: interrupted\n")
    assert "Traceback" not in output


def test_programs_in_rust_get_the_path_of_mujoco(tmp_path, monkeypatch, capsys):
    pytest.importorskip("mujoco")
    file = tmp_path / "mujoco.txt"
    assert main(["mujoco-library", str(file)]) == 0
    library, *fields = file.read_text().splitlines()
    assert os.path.isfile(library)  # noqa: PTH113
    assert capsys.readouterr().out == f"{file}: {library}\n"
    assert "mjData.qpos" in {line.split()[0] for line in fields}
    monkeypatch.setattr(mujoco_library, "_open", lambda: mujoco_library.path_of([]))
    monkeypatch.setattr(mujoco_library, "find_spec", lambda name: None)
    assert main(["mujoco-library", str(file)]) == 2
    assert "pip install 'envpool_rs[mujoco]'" in capsys.readouterr().err


def test_the_console_script_runs_the_module():
    from importlib.metadata import entry_points

    (script,) = entry_points(group="console_scripts", name="envpool-rs")
    assert script.load() is main
