"""Tests `python benches/python bench-python`: measured packages, counts, output files and rejected arguments."""

import json
import time

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_bench.machine import Machine
from envpool_bench.main import main
from envpool_bench.python_envs import peers
from envpool_bench.python_envs.busy_image_env import EPISODE, BusyImageEnv
from envpool_bench.python_envs.case import CASES, PythonCase
from envpool_bench.python_envs.contender import Contender, Window
from envpool_bench.python_envs.ours import OURS
from envpool_bench.python_envs.players import Player, play_base_vector_env, play_gymnasium, play_tianshou
from envpool_bench.python_envs.report import BEGIN, END, text_report, write_markdown
from envpool_bench.python_envs.results import PythonMeasurement, PythonResults
from gymnasium.utils.env_checker import check_env

pytestmark = pytest.mark.slow

QUICK = ["bench-python", "--seconds", "0.002", "--rounds", "2"]
CASE = PythonCase("two", "2 CartPoles", "CartPole-v1", 2)


def test_all_interfaces_are_reported_next_to_the_peers(tmp_path, capsys):
    file = tmp_path / "results.json"
    wanted = "gymnasium-async,gymnasium-sync"
    assert main([*QUICK, "--cases", "cart-pole-8", "--peers", wanted, "--json", str(file)]) == 0
    content = json.loads(file.read_text())
    assert content["settings"] == {"seconds": 0.002, "rounds": 2, "workers": None}
    assert [each["player"] for each in content["results"]] == [*OURS, *wanted.split(",")]
    for each in content["results"]:
        assert (each["case"], each["num_envs"]) == ("cart-pole-8", 8)
        assert len(each["window_seconds"]) == len(each["window_parent_cpu_seconds"]) == 2
        best = min(each["window_seconds"]) / each["calls_per_window"] * 1e6
        assert each["microseconds_per_step"]["best"] == pytest.approx(best)
        assert 0 < best <= each["microseconds_per_step"]["median"]
        assert each["parent_cpu_microseconds_per_step"] > 0
    out = capsys.readouterr().out
    assert f"envpool_rs MultiEnv, a process for each ({envpool_rs.__version__})" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("name", ["tianshou", "sb3"])
def test_installed_libraries_are_measured(name, tmp_path):
    pytest.importorskip(peers.PEERS[name][0])
    file = tmp_path / "results.json"
    chosen = ["--cases", "cart-pole-8", "--ours", "multi-env-cores", "--workers", "1", "--peers", name]
    assert main([*QUICK, *chosen, "--json", str(file)]) == 0
    assert [each["player"] for each in json.loads(file.read_text())["results"]] == ["multi-env-cores", name]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--cases", "pong"], "--cases pong: expected 'all' or some of cart-pole-8, cart-pole-64, image-8"),
        (["--ours", "mine"], "--ours mine: expected 'all' or some of make-vec, "),
        (["--peers", "isaac"], "--peers isaac: expected 'none', 'all' or some of gymnasium-async, "),
        (["--json", "/nowhere/results.json"], "there is no folder '/nowhere'"),
    ],
)
def test_unknown_names_are_refused_before_measuring(arguments, message, capsys):
    assert main([*QUICK, *arguments]) == 2
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_a_peer_that_is_not_installed_is_named(monkeypatch, capsys):
    monkeypatch.setattr(peers, "find_spec", lambda name: None)
    assert main([*QUICK, "--peers", "sb3"]) == 2
    assert "--peers sb3 needs the package stable_baselines3: pip install --group bench-python" in (
        capsys.readouterr().err
    )


class Counting:
    """Vector environment with gymnasium's or Tianshou's interface; all its episodes end in every third step."""

    def __init__(self, values):
        self.values, self.steps, self.resets, self.closed = values, 0, [], False

    def reset(self, ids=None):
        self.resets.append(ids)

    def step(self, actions):
        assert actions.shape == (2,)
        assert actions.dtype == np.int64
        self.steps += 1
        ended = np.full(2, self.steps % 3 == 0)
        return (None, None, ended, ended, {})[: self.values] if self.values == 5 else (None, None, ended, {})

    def close(self):
        self.closed = True


def test_measurement_windows_make_the_counted_calls_and_close_environments():
    env = Counting(5)
    contender = Contender(Player("counting", "Counting", "1", lambda case: env, play_gymnasium), CASE)
    contender.calibrate(1e-4)
    before = env.steps
    window = contender.time_window()
    assert env.steps - before == contender.calls + max(1, contender.calls // 10)
    assert window.seconds > 0
    assert contender.windows == [window]
    contender.close()
    assert env.closed


@pytest.mark.parametrize(("play", "values"), [(play_tianshou, 5), (play_base_vector_env, 4)])
def test_interfaces_without_autoreset_reset_ended_episodes(play, values):
    env = Counting(values)
    play(env, [np.zeros(2, np.int64)] * 7)
    assert [ids.tolist() for ids in env.resets] == [[0, 1], [0, 1]]


def test_the_image_environment_is_valid_and_uses_the_given_step_time():
    env = gymnasium.make(CASES["image-8"].task)
    assert env.observation_space == gymnasium.spaces.Box(0, 255, (84, 84, 4), np.uint8)
    check_env(BusyImageEnv(0.0), skip_render_check=True)
    env.reset()
    start = time.thread_time()
    ends = [env.step(0)[2:4] for _ in range(5)]
    assert time.thread_time() - start >= 0.005
    assert ends == [(False, False)] * 5
    ends = [env.step(0)[3] for _ in range(EPISODE - 5)]
    assert ends == [False] * (EPISODE - 6) + [True]


def results_of(**windows):
    def player(name):
        return Player(name, name.title(), "1", None, None)

    measured = [PythonMeasurement(CASE, player(name.replace("_", "-")), 10, each) for name, each in windows.items()]
    return PythonResults(Machine.this(), 1.0, 3, None, measured)


RESULTS = {
    "ours": [Window(1e-5, 5e-6), Window(2e-5, 5e-6), Window(3e-5, 5e-6)],
    "gymnasium_async": [Window(8e-5, 2e-5), Window(8e-5, 3e-5), Window(8e-5, 2e-5)],
    "gymnasium_sync": [Window(1e-5, 1e-5)] * 3,
}


def test_ratios_are_relative_to_gymnasiums_vector_environments():
    rows = {line.split(" ")[0]: line.split()[2:] for line in text_report(results_of(**RESULTS)).splitlines()}
    assert rows["Ours"] == ["1.00", "2.00", "0.500", "8.00x", "4.00x", "4.00x", "0.500x"]
    assert rows["Gymnasium-Async"] == ["8.00", "8.00", "2.00", "0.125x"]
    assert rows["Gymnasium-Sync"] == ["1.00", "1.00", "1.00", "8.00x", "8.00x", "2.00x"]


def test_without_the_peers_there_are_no_ratios():
    (row,) = [line for line in text_report(results_of(ours=RESULTS["ours"])).splitlines() if line.startswith("Ours")]
    assert row.split()[2:] == ["1.00", "2.00", "0.500"]


def test_the_tables_are_written_between_their_own_markers(tmp_path):
    file = tmp_path / "page.md"
    file.write_text(f"<!-- benchmark: begin -->\nother\n<!-- benchmark: end -->\n{BEGIN}\nold\n{END}\nafter\n")
    for _ in range(2):
        write_markdown(file, results_of(**RESULTS), "python benches/python bench-python")
    text = file.read_text()
    assert "begin -->\nother\n<!--" in text
    assert "old" not in text
    assert text.count("$ python benches/python bench-python") == text.count("### 2 CartPoles") == 1
    assert text.endswith(f"\n{END}\nafter\n")
