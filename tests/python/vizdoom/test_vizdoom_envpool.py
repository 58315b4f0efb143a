"""Compares EnvPool's ViZDoom tasks with digests recorded from EnvPool 1.2.5."""

from importlib.util import find_spec
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from doom import envpool_runs
from references import envpool_digests

pytestmark = pytest.mark.skipif(find_spec("vizdoom") is None, reason="vizdoom is not installed")
"""Whether the vizdoom package, which contains the engine, is installed."""

HAS_ASSETS = find_spec("envpool_assets") is not None
"""Whether images equal EnvPool's, and scenarios that only EnvPool has are available."""


@pytest.mark.parametrize("run", envpool_runs.RUNS, ids=lambda run: run.name)
def test_a_run_has_envpools_digests(run, parity_table):
    if run.task.startswith("D") and run.task[1].isdigit() and not HAS_ASSETS:
        pytest.skip("envpool-assets is not installed")
    expected = envpool_runs.recorded()[run.name]
    results = list(envpool_runs.results(run, envpool_rs))
    got = envpool_digests.digests(results)
    if not HAS_ASSETS:
        got, expected = ([digest.split("/")[1] for digest in digests] for digests in (got, expected))
    differing = [number for number, pair in enumerate(zip(got, expected, strict=True)) if pair[0] != pair[1]]
    cut = sum(int(each["step_truncated"].sum()) for each in results[1:])
    ended = sum(int((each["step_terminated"] | each["step_truncated"]).sum()) for each in results[1:])
    values = sum(array.size for arrays in results for array in arrays.values())
    parity_table.add(run.task, 1, run.steps * run.envs, ended, cut, values, len(differing))
    assert not differing, f"parts {differing} of {envpool_digests.PART} results differ"


def test_every_run_was_recorded():
    assert set(envpool_runs.recorded()) == {run.name for run in envpool_runs.RUNS}


def test_the_older_option_name_of_rewards_is_an_alias():
    rewards = {"AMMO2": (-1.0, 2.0)}
    totals = []
    for name in ("reward_config", "reward_metric"):
        env = envpool_rs.make("Basic-v1", num_envs=1, **{name: rewards})
        env.reset()
        totals.append([float(env.step(np.array([[0.0, 0.0, 1.0]]))[1][0]) for _ in range(8)])
        env.close()
    assert totals[0] == totals[1]
    assert any(reward != 0 for reward in totals[0])


def test_pictures_have_the_size_of_the_game():
    env = envpool_rs.make("Basic-v1", num_envs=2, render_mode="rgb_array")
    env.reset()
    picture = np.asarray(env.render())
    assert picture.shape[-3:] == (240, 320, 3)
    assert picture.std() > 10
    env.close()


def test_results_are_returned_when_ready():
    env = envpool_rs.make("Basic-v1", num_envs=4, batch_size=2)
    env.async_reset()
    seen = set()
    while len(seen) < 4:  # engines that have started continue while others start
        ids = env.recv()[-1]["env_id"]
        assert len(set(ids.tolist())) == 2
        seen.update(ids.tolist())
        env.send(np.zeros((len(ids), 3)), ids)
    env.close()


def test_same_step_autoreset_starts_the_next_episode():
    env = envpool_rs.make(
        "DeadlyCorridor-v1", num_envs=2, max_episode_steps=5, autoreset_mode="same_step", seed=3, frame_skip=2
    )
    env.reset()
    for step in range(1, 11):
        _, _, terminated, truncated, info = env.step(np.zeros((2, 7)))
        assert (truncated == (step % 5 == 0)).all()
        assert not terminated.any()
        if step % 5 == 0:
            assert ("final_obs" in info) or ("final_observation" in info)
    env.close()


def test_the_package_replays_a_recording_to_the_same_end(tmp_path, monkeypatch):
    vizdoom = pytest.importorskip("vizdoom")
    env = envpool_rs.make("DefendTheCenter-v1", num_envs=1, seed=5, lmp_save_dir=str(tmp_path), max_episode_steps=30)
    env.reset()
    rng = np.random.default_rng(0)
    kills = ammo = None
    for _ in range(63):
        *_, truncated, info = env.step((rng.random((1, 3)) < 0.4).astype(float))
        if truncated[0]:
            kills, ammo = info["KILLCOUNT"][0], info["AMMO2"][0]
    env.close()
    files = sorted(path.name for path in tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)  # the package's engine writes its configuration into the working directory
    assert files[0] == "env_0_1.lmp"
    game = vizdoom.DoomGame()
    game.load_config("defend_the_center.cfg")
    game.set_window_visible(False)
    game.set_episode_timeout(0)
    game.set_available_game_variables([vizdoom.GameVariable.KILLCOUNT, vizdoom.GameVariable.AMMO2])
    game.init()
    game.replay_episode(str(tmp_path / "env_0_1.lmp"))
    last = None
    while not game.is_episode_finished():
        state = game.get_state()
        last = state.game_variables if state is not None else last
        game.advance_action()
    game.close()
    assert last is not None
    assert list(last) == [kills, ammo]


CONFIGURATION = """
doom_scenario_path = {folder}/scenarios/basic.wad
screen_resolution = {resolution}
screen_format = {format}
available_buttons = {{ TURN_LEFT TURN_RIGHT ATTACK }}
episode_start_time = 14
"""


@pytest.mark.parametrize("resolution", ["RES_160X120", "RES_320X240", "RES_640X480"])
@pytest.mark.parametrize("screen_format", ["GRAY8", "CRCGCB", "DOOM_256_COLORS8"])
@pytest.mark.parametrize("size", [(240, 320), (84, 100)], ids=str)
def test_a_picture_equals_the_observed_screen(tmp_path, resolution, screen_format, size):
    folder = Path(find_spec("vizdoom").origin).parent
    path = tmp_path / "small.cfg"
    path.write_text(CONFIGURATION.format(folder=folder, resolution=resolution, format=screen_format))
    height, width = size
    env = envpool_rs.make_gymnasium(
        "VizdoomCustom-v1",
        num_envs=2,
        cfg_path=str(path),
        render_mode="rgb_array",
        render_width=width,
        render_height=height,
        img_width=width,
        img_height=height,
        stack_num=1,
    )
    observation, _ = env.reset()
    for _ in range(3):
        planes = np.broadcast_to(observation, (2, 3, height, width))
        np.testing.assert_array_equal(env.render(env_ids=[0, 1]), planes.transpose(0, 2, 3, 1))
        observation = env.step(np.eye(3)[[1, 2]])[0]
    env.close()
