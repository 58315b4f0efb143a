"""Tests pools of Box2D environments: recorded gymnasium trajectories, asynchronous batches, several tasks, snapshots.

Also tests options per environment and per episode, masks, autoreset modes and damaged snapshots. Without the package
`box2d`, only the tests that need gymnasium's environments are skipped.
"""

import contextlib
import importlib
import importlib.util
import json
import sys
import warnings

import envpool_rs
import gymnasium
import numpy as np
import pytest
from damaged_snapshots import play_damaged
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from repository import ROOT

GOLDEN = ROOT / "tools" / "golden" / "box2d.py"
SEED = 21


def has_box2d():
    """Returns whether `Box2D` can be imported.

    Warnings are ignored during the import: as errors they would end the process in SWIG's code.
    """
    with warnings.catch_warnings(), contextlib.suppress(ImportError):
        warnings.simplefilter("ignore")
        return importlib.import_module("Box2D") is not None
    return False


needs_box2d = pytest.mark.skipif(not has_box2d(), reason="gymnasium's environments need box2d")


def recorder():
    spec = importlib.util.spec_from_file_location("golden_box2d", GOLDEN)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RECORDER = recorder()
RUNS = json.loads(RECORDER.DATA.read_text())


def equal(ours, theirs):
    return np.asarray(ours).tobytes() == np.asarray(theirs).tobytes()


def actions(space, count, steps, seed=4):
    random = np.random.default_rng(seed)
    if hasattr(space, "n"):
        return random.integers(0, space.n, (steps, count))
    return random.uniform(space.low, space.high, (steps, count, *space.shape)).astype(np.float32)


@pytest.mark.skipif(
    sys.platform != "linux", reason="sines and cosines are the C library's, glibc's where it was recorded"
)
@pytest.mark.parametrize("run", RUNS, ids=lambda run: f"{run['task']}{len(run['options']) or ''}")
def test_runs_equal_the_recorded_runs_of_gymnasium(run):
    env = envpool_rs.make_vec(run["task"], RECORDER.COUNT, **run["options"])
    assert RECORDER.trace(env, run["steps"]) == run["traces"]


def test_the_recorded_runs_match_the_recorders_list():
    assert [(run["task"], run["options"], run["steps"]) for run in RUNS] == RECORDER.RUNS


@pytest.mark.parametrize(("task", "batch", "steps"), [("LunarLander-v3", 5, 500), ("CarRacing-v3", 2, 60)])
def test_asynchronous_batches_equal_synchronous_steps(task, batch, steps):
    """Steps environments in changing batches, and checks that batches do not affect their trajectories."""
    count = 12
    pool = envpool_rs.make_vec(task, count, batch_size=batch, num_threads=2, seed=SEED)
    together = envpool_rs.make_vec(task, count, seed=SEED)
    rows = [[] for _ in range(count)]
    played = actions(pool.single_action_space, count, steps)
    pool.async_reset()
    for _ in range(steps):
        observation, reward, terminated, truncated, info = pool.recv()
        ids = info["env_id"]
        for row, index in enumerate(ids):
            rows[index].append([np.array(part[row]) for part in (observation, reward, terminated, truncated)])
        pool.send(np.stack([played[len(rows[index])][index] for index in ids]), ids)
    expected = [(together.reset()[0], *[np.zeros(count)] * 3)]
    expected += [together.step(played[step])[:4] for step in range(1, max(map(len, rows)))]
    for index, own in enumerate(rows):
        assert len(own) > 2
        for step, row in enumerate(own):
            parts = 4 if step else 1
            assert all(map(equal, row[:parts], [part[index] for part in expected[step][:parts]])), (index, step)


def test_several_tasks_share_a_pool():
    tasks = ["BipedalWalker-v3", "BipedalWalkerHardcore-v3"]
    mixed, alone = envpool_rs.make_vec(tasks, 12, seed=SEED), [envpool_rs.make_vec(task, 6) for task in tasks]
    assert equal(
        mixed.reset()[0],
        np.concatenate([pool.reset(seed=SEED + 6 * index)[0] for index, pool in enumerate(alone)]),
    )
    for step, action in enumerate(actions(mixed.single_action_space, 12, 250)):
        ours = mixed.step(action)[:4]
        theirs = [pool.step(action[6 * index : 6 * index + 6])[:4] for index, pool in enumerate(alone)]
        for our, *their in zip(ours, *theirs, strict=True):
            assert equal(our, np.concatenate(their)), step


@needs_box2d
def test_gravity_and_wind_of_each_environment_equal_gymnasiums():
    options = {
        "gravity": [-10.0, -2.5, -11.9, -7.0],
        "enable_wind": [True, False, True, True],
        "wind_power": [15.0, 0.0, 5.0, 20.0],
        "turbulence_power": [1.5, 1.0, 0.0, 2.0],
    }
    ours = envpool_rs.make_vec("LunarLander-v3", 4, **options)
    each = [{name: values[index] for name, values in options.items()} for index in range(4)]
    theirs = SyncVectorEnv([lambda own=own: gymnasium.make("LunarLander-v3", **own) for own in each])
    assert equal(ours.reset(seed=SEED)[0], theirs.reset(seed=SEED)[0])
    for step, action in enumerate(actions(ours.single_action_space, 4, 300)):
        assert all(map(equal, ours.step(action)[:4], theirs.step(action)[:4])), step


def test_gravity_and_wind_drawn_for_an_episode_are_applied():
    """Checks gravity and wind that are drawn for each episode.

    Infos report the values that numpy draws from the same stream, and the reported gravity acts in the episode.
    """
    drawn = {
        "gravity": ("uniform", -11.0, -2.0),
        "enable_wind": ("choice", False, True),
        "wind_power": ("uniform", 5.0, 20.0),
    }
    pool = envpool_rs.make_vec("LunarLander-v3", 8, **drawn)
    _, info = pool.reset(seed=SEED)
    assert len({float(gravity) for gravity in info["gravity"]}) == 8
    played = actions(pool.single_action_space, 8, 40)
    firsts = [pool.step(action)[0].copy() for action in played]
    for index in range(8):
        random = np.random.default_rng(SEED + index)
        gravity, wind = random.uniform(-11.0, -2.0), bool(random.integers(0, 2))
        power = random.uniform(5.0, 20.0)
        assert (info["gravity"][index], info["wind_power"][index]) == (gravity, power)
        assert bool(info["enable_wind"][index]) == wind
        # Without contact, only gravity changes vertical velocities while the main engine is off.
        fall = np.diff([row[index][3] for row in firsts[:12]])[[played[k][index] != 2 for k in range(1, 12)]]
        np.testing.assert_allclose(fall, 0.02 * gravity * (400 / 30 / 2) / 50, atol=0.003)


@needs_box2d
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("task", ["LunarLander-v3", "BipedalWalker-v3"])
def test_episodes_restart_like_gymnasiums_in_every_mode(task, mode):
    count, limit = 3, 60
    ours = envpool_rs.make_vec(task, count, autoreset_mode=mode, max_episode_steps=limit)
    theirs = SyncVectorEnv([lambda: gymnasium.make(task, max_episode_steps=limit)] * count, autoreset_mode=mode)
    assert equal(ours.reset(seed=SEED)[0], theirs.reset(seed=SEED)[0])
    ends = 0
    for step, action in enumerate(actions(ours.single_action_space, count, 200)):
        our, their = ours.step(action), theirs.step(action)
        assert all(map(equal, our[:4], their[:4])), step
        done = our[2] | our[3]
        ends += int(done.sum())
        if mode == AutoresetMode.SAME_STEP and done.any():
            for index in np.flatnonzero(done):
                assert equal(our[4]["final_obs"][index], their[4]["final_obs"][index]), step
        if mode == AutoresetMode.DISABLED and done.any():
            mask = {"reset_mask": done.copy()}
            our, their = ours.reset(options=dict(mask))[0], theirs.reset(options=dict(mask))[0]
            assert equal(our[done], their[done]), step
    assert ends >= 3 * count


def reported_laps(info, count):
    """Returns `_lap_finished` and `lap_finished` of the infos, then of the final infos; false if they are missing."""
    last = info.get("final_info", {})
    nothing = np.zeros(count, bool)
    return [np.array(of.get(key, nothing)).tolist() for of in (info, last) for key in ("_lap_finished", "lap_finished")]


@needs_box2d
@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize(
    ("percent", "gas", "limit", "steps", "ends"),
    [([0.0, 0.95, 0.0], [0.1, 0.1, 0.1], 5, 12, (True,)), ([0.95, 0.95], [0.3, 0.0], 320, 330, (False,))],
    ids=["a lap", "off the field"],
)
def test_the_outcome_of_a_race_is_reported_like_gymnasiums(mode, percent, gas, limit, steps, ends, monkeypatch):
    """Checks that the info `lap_finished` exists only after a step that terminates an episode, not after other steps or
    truncation.

    With `lap_complete_percent=0.0` the first step completes a lap.
    """
    from gymnasium.envs.box2d.car_racing import CarRacing

    # Rendering is replaced, because it takes most of the reference's time and another test compares it.
    monkeypatch.setattr(CarRacing, "_render", lambda self, mode: np.zeros((96, 96, 3), np.uint8))
    count = len(percent)
    options = {"max_episode_steps": limit, "disable_env_checker": True}
    each = [
        lambda share=share: gymnasium.make("CarRacing-v3", lap_complete_percent=share, **options) for share in percent
    ]
    theirs = SyncVectorEnv(each, autoreset_mode=mode)
    ours = envpool_rs.make_vec(
        ["CarRacing-v3", "CarRacing-v2"] * (count // 2) + ["CarRacing-v3"] * (count % 2),
        count,
        lap_complete_percent=percent,
        autoreset_mode=mode,
        max_episode_steps=limit,
    )
    action = np.stack([np.zeros(count), gas, np.zeros(count)], 1).astype(np.float32)
    reset = [ours.reset(seed=SEED)[1], theirs.reset(seed=SEED)[1]]
    seen, timed_out = set(), 0
    for step in range(steps):
        assert reported_laps(reset[0], count) == reported_laps(reset[1], count), step
        our, their = ours.step(action), theirs.step(action)
        assert all(map(equal, our[1:4], their[1:4])), step
        assert reported_laps(our[4], count) == reported_laps(their[4], count), step
        info = our[4].get("final_info", our[4])
        seen |= set(info["lap_finished"][info["_lap_finished"]].tolist())
        timed_out += int((our[3] & ~our[2]).sum())
        done = our[2] | our[3]
        if mode == AutoresetMode.DISABLED and done.any():
            mask = {"reset_mask": done.copy()}
            reset = [ours.reset(options=dict(mask))[1], theirs.reset(options=dict(mask))[1]]
    assert seen == set(ends) and timed_out


def test_envpools_interface_has_no_info_of_laps():
    env = envpool_rs.make("CarRacing-v3", env_type="gymnasium", num_envs=2, lap_complete_percent=0.0)
    assert "lap_finished" not in env.reset()[1]
    info = env.step(np.zeros((2, 3), np.float32))
    assert info[2].all() and "lap_finished" not in info[4]


def test_a_mask_resets_only_masked_environments():
    ours = envpool_rs.make_vec("CarRacing-v3", 4, autoreset_mode="Disabled")
    other = envpool_rs.make_vec("CarRacing-v3", 4, autoreset_mode="Disabled")
    ours.reset(seed=1)
    other.reset(seed=1)
    played = actions(ours.single_action_space, 4, 30)
    for action in played[:20]:
        ours.step(action)
        before = other.step(action)[0].copy()
    mask = np.array([False, True, False, True])
    after = ours.reset(seed=[None, 50, None, 51], options={"reset_mask": mask})[0]
    assert equal(after[~mask], before[~mask])
    fresh = envpool_rs.make_vec("CarRacing-v3", 2).reset(seed=50)[0]
    assert equal(after[mask], fresh)
    for action in played[20:]:
        one, two = ours.step(action), other.step(action)
        assert equal(one[0][~mask], two[0][~mask])
        assert equal(one[1][~mask], two[1][~mask])


@pytest.mark.parametrize("task", ["LunarLander-v3", "BipedalWalkerHardcore-v3", "CarRacing-v3"])
def test_damaged_snapshots_are_refused_or_playable(task):
    with contextlib.closing(envpool_rs.make_vec(task, 1)) as env:
        play_damaged(env, actions(env.single_action_space, 1, 1)[0])
