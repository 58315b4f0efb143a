"""Tests that `<Game>-v5` equals EnvPool 1.2.5: compares results with recorded digests of EnvPool's results, and with
EnvPool itself if it is installed.
"""

import envpool_rs
import numpy as np
import pytest
from atari import envpool_runs
from references import envpool_digests
from tasks import ATARI, REGISTERED

pytest.importorskip("ale_py")

GAMES = [task.removesuffix("-v5") for task in ATARI if not task.startswith("ALE/")]
RUNS = envpool_runs.runs(GAMES)


def episodes(results):
    """Returns the numbers of ended and of truncated episodes in results.

    dm_env's time steps do not report truncation.
    """
    cut = [each.get("step_truncated", False) for each in results[1:]]
    ends = [each["step_type"] == 2 if "step_type" in each else each["step_terminated"] for each in results[1:]]
    ended = sum(int(np.logical_or(*pair).sum()) for pair in zip(ends, cut, strict=True))
    return ended, sum(int(np.sum(each)) for each in cut)


@pytest.mark.parametrize("run", RUNS, ids=lambda run: run.name)
def test_a_run_has_envpools_digests(run, parity_table):
    expected = envpool_runs.recorded()[run.name]
    results = list(envpool_runs.results(run, envpool_rs))
    got = envpool_digests.digests(results)
    differing = [number for number, pair in enumerate(zip(got, expected, strict=True)) if pair[0] != pair[1]]
    part = envpool_digests.PART
    values = sum(array.size for arrays in results for array in arrays.values())
    parity_table.add(run.task, 1, run.steps * envpool_runs.ENVS, *episodes(results), values, len(differing))
    assert not differing, (
        f"{len(differing)} parts of {part} results differ, the first after result {differing[0] * part}"
    )


def test_every_game_and_option_was_recorded():
    assert set(envpool_runs.recorded()) == {run.name for run in RUNS}
    options = {option["name"] for task in REGISTERED if task["id"] == "Pong-v5" for option in task["options"]}
    compared = {name for run in RUNS for name in run.options} | {
        "noop_max",
        "rom_dir",
        "stack_once",
        "task",
        "translate",
    }
    assert options - compared == set()


def test_without_noops_a_reset_draws_nothing():
    """Checks that `noop_max=0` means that a reset plays no NOOPs; in EnvPool, this value has no defined meaning."""
    first, second = (envpool_rs.make("Pong-v5", num_envs=2, seed=seed, noop_max=0) for seed in ([1, 2], [5, 6]))
    assert (first.reset()[0] == second.reset()[0]).all()
    third = envpool_rs.make("Freeway-v5", num_envs=2, noop_max=0)
    fourth = envpool_rs.make("Freeway-v5", num_envs=2, noop_max=1)
    assert (third.reset()[1]["ram"] != fourth.reset()[1]["ram"]).any()


def test_noops_differ_between_seeds_and_stay_below_their_maximum():
    env = envpool_rs.make("Freeway-v5", num_envs=16, noop_max=30)
    apart = {ram.tobytes() for ram in env.reset()[1]["ram"]}
    assert 4 < len(apart) <= 16
    again = envpool_rs.make("Freeway-v5", num_envs=16, noop_max=30)
    np.testing.assert_array_equal(again.reset()[1]["ram"], envpool_rs.make("Freeway-v5", num_envs=16).reset()[1]["ram"])


@pytest.mark.parametrize("task", ["Pong-v5", "MontezumaRevenge-v5", "ALE/Pitfall2-v5"])
def test_translated_and_interpreted_games_are_equal(task):
    """Compares observations, rewards and states of translated and interpreted games; each pool then continues from the
    other's snapshots.
    """
    translated, interpreted = (envpool_rs.make(task, num_envs=3, seed=4, translate=choice) for choice in (True, False))
    rng = np.random.default_rng(2)

    def play(steps: int) -> None:
        for _ in range(steps):
            actions = rng.integers(0, translated.action_space.n, 3)
            for ours, theirs in zip(translated.step(actions)[:4], interpreted.step(actions)[:4], strict=True):
                np.testing.assert_array_equal(ours, theirs)

    np.testing.assert_array_equal(translated.reset()[0], interpreted.reset()[0])
    play(40)
    states = [env.get_state() for env in (translated, interpreted)]
    assert states[0] == states[1]
    interpreted.set_state(states[0])
    translated.set_state(states[1])
    play(20)
