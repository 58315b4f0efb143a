"""Tests that recordings have exactly the complete episodes that a pool has played, of every interface and format."""

import importlib.util
import json
import signal
import subprocess
import sys
import tracemalloc
from itertools import product

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.recording import load
from policies import random_actions
from tasks import OPTIONS, TASKS, VIZDOOM

CARTPOLE = "CartPole-v1"
FACADES = {
    "vector": envpool_rs.make_vec,
    "gymnasium": envpool_rs.make_gymnasium,
    "gym": envpool_rs.make_gym,
    "dm": envpool_rs.make_dm,
}
MODES = ("next_step", "same_step", "disabled")
ENVS = 4


def ends_of(result):
    if hasattr(result, "last"):
        return result.last()
    return result[2] | result[3] if len(result) == 5 else result[2]


def play(env, space, steps, mode, rng):
    """Steps all environments, and resets those that have ended if the pool does not."""
    ended = np.zeros(ENVS, np.bool_)
    rows = ENVS * env.spec.rows
    for _ in range(steps):
        if mode == "disabled" and ended.any():
            env.reset(options={"reset_mask": ended})
        ended = ends_of(env.step(random_actions(space, rows, rng)))


def single_episodes(task, env_id, seed, actions_of, count):
    """Yields the episodes of gymnasium's own environment with the actions of recorded episodes."""
    env = gymnasium.make(task)
    obs, _ = env.reset(seed=seed + env_id)
    for actions in actions_of:
        observations, rewards, terminations, truncations = [obs], [], [], []
        for action in actions:
            obs, reward, terminated, truncated, _ = env.step(action)
            observations.append(obs), rewards.append(reward)
            terminations.append(terminated), truncations.append(truncated)
        assert terminated or truncated
        yield np.array(observations), np.array(rewards), np.array(terminations), np.array(truncations)
        obs, _ = env.reset()
    env.close()


@pytest.mark.parametrize("task", [CARTPOLE, "Pendulum-v1", "FrozenLake-v1"])
@pytest.mark.parametrize(("name", "mode"), [each for each in product(FACADES, MODES) if each != ("dm", "same_step")])
def test_episodes_are_those_of_single_environments_with_the_same_actions(name, mode, task, tmp_path):
    if name == "dm":
        pytest.importorskip("dm_env")
    limit = {"max_episode_steps": 200}
    env = FACADES[name](task, num_envs=ENVS, seed=5, autoreset_mode=mode, **limit)
    space, rng = env.spec.gymnasium_action_space, np.random.default_rng(0)
    with envpool_rs.record(env, tmp_path / "data.npz"):
        env.reset()
        play(env, space, 450, mode, rng)
    recorded = load(tmp_path / "data.npz")
    episodes = list(recorded.episodes())
    assert not (tmp_path / "data.npz.recording").exists()
    for env_id in range(ENVS):
        own = [each for each in episodes if each.env_id == env_id]
        assert len(own) >= 2
        expected = single_episodes(task, env_id, 5, [each.actions for each in own], len(own))
        for ours, (obs, rewards, terminations, truncations) in zip(own, expected, strict=True):
            assert np.array_equal(ours.observations, obs) and ours.observations.shape == obs.shape
            assert np.array_equal(ours.rewards, rewards.astype(ours.rewards.dtype))
            assert np.array_equal(ours.terminations, terminations)
            assert np.array_equal(ours.truncations, truncations)
    valid = recorded.arrays()["valid"]
    assert valid.sum() >= sum(map(len, episodes))


def copied(result):
    return tuple(np.array(each) if isinstance(each, np.ndarray) else each for each in result)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", [task for task in TASKS if task not in VIZDOOM])
def test_arrays_are_the_results_of_the_pool(task, mode, tmp_path):
    options = {"num_envs": ENVS, "seed": 1, "autoreset_mode": mode, "max_episode_steps": 3, **OPTIONS.get(task, {})}
    recorded_env, plain = (envpool_rs.make_vec(task, **options) for _ in range(2))
    space = plain.spec.gymnasium_action_space
    rows, actions, results = ENVS * plain.spec.rows, [], []
    recording = envpool_rs.record(recorded_env, tmp_path / "data")
    first = [env.reset()[0] for env in (recorded_env, plain)][1]
    observations, is_step = [first], []  # of all results: those of steps and, if the pool does not reset, of resets
    rng, ended = np.random.default_rng(0), np.zeros(ENVS, np.bool_)
    for _ in range(7):
        if mode == "disabled" and ended.any():
            mask = {"reset_mask": ended}
            observations.append(copied([env.reset(options=mask) for env in (recorded_env, plain)][1])[0])
            is_step.append(False)
        actions.append(random_actions(space, rows, rng))
        results.append(copied([env.step(actions[-1]) for env in (recorded_env, plain)][1]))
        observations.append(results[-1][0])
        is_step.append(True)
        ended = (results[-1][2] | results[-1][3]).reshape(ENVS, -1).all(1)
    recording.close()
    arrays = load(tmp_path / "data").arrays()
    shape = (len(results), *results[0][1].shape)
    for index, key in enumerate(("reward", "terminated", "truncated"), 1):
        recorded = arrays[key][is_step]
        assert np.array_equal(recorded.reshape(len(results), -1), np.array([each[index] for each in results]))
    assert arrays["reward"][is_step].size == np.prod(shape)
    assert mode == "next_step" or np.array_equal(arrays["valid"], np.repeat(np.array(is_step)[:, None], ENVS, 1))
    if isinstance(first, np.ndarray):
        expected = np.array(observations)
        assert arrays["obs"].dtype == expected.dtype and arrays["obs"].tobytes() == expected.tobytes()
    if isinstance(actions[0], np.ndarray):
        assert np.array_equal(arrays["action"][is_step].ravel(), np.array(actions).astype(space.dtype).ravel())
    episodes = list(load(tmp_path / "data").episodes())
    assert len(episodes) >= ENVS and all(1 <= len(each) <= 3 for each in episodes)
    recorded_env.close(), plain.close()


def test_asynchronous_batches_and_partial_steps_are_recorded_by_environment(tmp_path):
    env = envpool_rs.make(CARTPOLE, num_envs=ENVS, batch_size=2, seed=5)
    rng = np.random.default_rng(0)
    with envpool_rs.record(env, tmp_path / "data"):
        env.async_reset()
        for _ in range(400):
            info = env.recv()[-1]
            env.send(rng.integers(0, 2, 2), info["env_id"])
    episodes = list(load(tmp_path / "data").episodes())
    for env_id in range(ENVS):
        own = [each for each in episodes if each.env_id == env_id]
        expected = single_episodes(CARTPOLE, env_id, 5, [each.actions for each in own], len(own))
        assert len(own) > 2
        for ours, (obs, *_) in zip(own, expected, strict=True):
            assert ours.observations.tobytes() == obs.tobytes()


def test_partial_steps_and_masked_resets_leave_other_environments_alone(tmp_path):
    env = envpool_rs.make_vec(CARTPOLE, ENVS, seed=5, autoreset_mode="disabled")
    rng, ended = np.random.default_rng(0), np.zeros(ENVS, np.bool_)
    with envpool_rs.record(env, tmp_path / "data"):
        env.reset()
        for step in range(300):
            ids = np.flatnonzero(~ended & ((np.arange(ENVS) + step) % 3 != 0))
            if len(ids):
                *_, terminated, truncated, _ = env.step(rng.integers(0, 2, len(ids)), ids)
                ended[ids] = terminated | truncated
            if ended.sum() > 1:
                env.reset(options={"reset_mask": ended})
                ended[:] = False
    episodes = list(load(tmp_path / "data").episodes())
    for env_id in range(ENVS):
        own = [each for each in episodes if each.env_id == env_id]
        expected = single_episodes(CARTPOLE, env_id, 5, [each.actions for each in own], len(own))
        assert own and all(
            ours.observations.tobytes() == obs.tobytes() for ours, (obs, *_) in zip(own, expected, strict=True)
        )


def test_resets_in_the_middle_restored_states_and_earlier_steps_make_no_episode(tmp_path):
    env = envpool_rs.make_vec(CARTPOLE, 1, seed=5, max_episode_steps=10)
    env.reset()
    env.step(np.array([1]))
    with envpool_rs.record(env, tmp_path / "data"):
        for _ in range(3):  # of an episode that began before
            env.step(np.array([0]))
        env.reset()
        saved = env.get_state()
        for _ in range(4):
            env.step(np.array([1]))
        env.set_state(saved)  # the episode is not that of one environment
        for action in (0, 1) * 6:
            env.step(np.array([action]))
        env.reset()
        for action in (0, 1) * 5:
            env.step(np.array([action]))
    episodes = list(load(tmp_path / "data").episodes())
    assert [len(each) for each in episodes] == [10]
    assert episodes[0].truncations[-1] and not episodes[0].terminations.any()


def test_a_recording_that_starts_after_an_end_begins_with_the_reset_of_each_environment(tmp_path):
    env = envpool_rs.make_vec("Pendulum-v1", 2, seed=5, max_episode_steps=3)
    zeros = np.zeros((2, 1), np.float32)
    env.reset()
    for _ in range(3):  # both episodes end
        env.step(zeros)
    ended = env.get_state()
    with envpool_rs.record(env, tmp_path / "data"):
        expected = [[env.step(zeros[:1], np.array([0]))[0][0] for _ in range(4)]]
        expected.append([env.step(zeros[:1], np.array([1]))[0][0] for _ in range(4)])
        env.step(zeros)  # begins the next episodes
        env.set_state(ended)
        env.step(zeros)  # begins others
        last = [env.step(zeros)[0] for _ in range(3)][-1]
    recorded = load(tmp_path / "data")
    episodes = sorted(recorded.episodes(), key=lambda each: each.env_id)
    assert [len(each) for each in episodes] == [3] * 4
    np.testing.assert_array_equal([each.observations for each in episodes[::2]], expected)
    np.testing.assert_array_equal([each.observations[-1] for each in episodes[1::2]], last)
    assert recorded.arrays()["valid"].sum() == 12


def test_pools_of_python_environments_and_mixed_pools_and_wrappers_are_recorded(tmp_path):
    def make():
        return gymnasium.make(CARTPOLE)

    pools = {
        "python": envpool_rs.make_vec([make] * ENVS, seed=5, autoreset_mode="same_step"),
        "mixed": envpool_rs.make_vec([CARTPOLE, CARTPOLE], ENVS, seed=5),
        "wrapped": gymnasium.wrappers.vector.RecordEpisodeStatistics(envpool_rs.make_vec(CARTPOLE, ENVS, seed=5)),
    }
    for name, env in pools.items():
        rng = np.random.default_rng(0)
        with envpool_rs.record(env, tmp_path / name):
            env.reset(seed=5)
            for _ in range(100):
                env.step(rng.integers(0, 2, ENVS))
        env.close()
        episodes = list(load(tmp_path / name).episodes())
        for env_id in range(ENVS):
            own = [each for each in episodes if each.env_id == env_id]
            expected = single_episodes(CARTPOLE, env_id, 5, [each.actions for each in own], len(own))
            assert own and all(
                ours.observations.tobytes() == obs.tobytes() for ours, (obs, *_) in zip(own, expected, strict=True)
            )


@pytest.mark.parametrize("mode", MODES)
def test_selected_infos_have_a_value_for_each_observation(mode, tmp_path):
    env = envpool_rs.make_vec("Taxi-v4", 2, seed=1, autoreset_mode=mode, max_episode_steps=4)
    rng, seen = np.random.default_rng(0), []
    with envpool_rs.record(env, tmp_path / "data", infos=["action_mask"]):
        seen.append(env.reset()[1]["action_mask"].copy())
        for _ in range(4):
            info = env.step(rng.integers(0, 4, 2))[-1]
            seen.append(info.get("final_info", info)["action_mask"].copy())
    for episode in load(tmp_path / "data").episodes():
        assert np.array_equal(episode.infos["action_mask"], np.array(seen)[:, episode.env_id])


def test_the_recorded_results_do_not_change_with_those_of_the_caller(tmp_path):
    env, plain = (envpool_rs.make_vec("Pendulum-v1", 2, seed=1, max_episode_steps=5) for _ in range(2))
    with envpool_rs.record(env, tmp_path / "data"):
        env.reset(), plain.reset()
        expected = []
        for _ in range(5):
            obs, *_ = env.step(np.zeros((2, 1), np.float32))
            obs[:] = 7
            expected.append(plain.step(np.zeros((2, 1), np.float32))[0].copy())
    assert np.array_equal(load(tmp_path / "data").arrays()["obs"][1:], expected)


def test_many_chunks_hold_the_same_episodes_as_a_few(tmp_path, monkeypatch):
    found = []
    for size in (1, 16 << 20):
        monkeypatch.setattr("envpool_rs.recording._CHUNK_BYTES", size)
        env = envpool_rs.make_vec(CARTPOLE, ENVS, seed=5, autoreset_mode="same_step")
        path = tmp_path / str(size)
        with envpool_rs.record(env, path):
            env.reset()
            play(env, env.spec.gymnasium_action_space, 200, "same_step", np.random.default_rng(0))
        found.append(sorted((each.env_id, each.observations.tobytes()) for each in load(path).episodes()))
    assert found[0] == found[1] and len(found[0]) > ENVS


PROGRAM = """
import envpool_rs, numpy as np, os, signal, sys, zlib
import envpool_rs.recording
envpool_rs.recording._CHUNK_BYTES = 1
env = envpool_rs.make_vec("CartPole-v1", 4, seed=5)
recording = envpool_rs.record(env, sys.argv[1])
env.reset()
rng = np.random.default_rng(0)
for _ in range(200):
    env.step(rng.integers(0, 2, 4))
recording.flush()
with open(str(sys.argv[1]) + ".recording", "ab") as file:
    length = (10**6).to_bytes(8, "little")
    file.write(length + zlib.crc32(length).to_bytes(4, "little") + b"half of a frame")
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_an_interrupted_recording_is_read_up_to_its_last_episode(tmp_path):
    path = tmp_path / "data"
    ended = subprocess.run([sys.executable, "-c", PROGRAM, str(path)], check=False)
    assert ended.returncode == -signal.SIGKILL and not path.exists()
    recorded = load(path)
    episodes = list(recorded.episodes())
    assert sum(map(len, episodes)) > 600
    for env_id in range(4):
        own = [each for each in episodes if each.env_id == env_id]
        expected = single_episodes(CARTPOLE, env_id, 5, [each.actions for each in own], len(own))
        assert own and all(
            ours.observations.tobytes() == obs.tobytes() for ours, (obs, *_) in zip(own, expected, strict=True)
        )
    recorded.save_npz(path)
    assert len(list(load(path).episodes())) == len(episodes)


@pytest.mark.parametrize("kind", ["npz", "hdf5"])
def test_a_running_recording_is_also_read_after_its_end(tmp_path, kind):
    pytest.importorskip("h5py" if kind == "hdf5" else "numpy")
    env = envpool_rs.make_vec(CARTPOLE, ENVS, seed=5, max_episode_steps=9)
    with envpool_rs.record(env, tmp_path / "data", format=kind) as recording:
        env.reset()
        play(env, env.spec.gymnasium_action_space, 40, "next_step", np.random.default_rng(0))
        recording.flush()
        recorded = load(tmp_path / "data")
        before = bits_of(recorded.episodes())
    assert before and sorted(bits_of(recorded.episodes())) == sorted(before)
    assert recorded.path == tmp_path / "data"


@pytest.fixture
def log(tmp_path, monkeypatch):
    """Returns the bytes of an interrupted recording, a file for such bytes, and the starts of its chunks."""
    monkeypatch.setattr("envpool_rs.recording._CHUNK_BYTES", 4000)
    env, path = envpool_rs.make_vec(CARTPOLE, ENVS, seed=5, max_episode_steps=9), tmp_path / "data"
    with envpool_rs.record(env, path) as recording:
        env.reset()
        play(env, env.spec.gymnasium_action_space, 200, "next_step", np.random.default_rng(0))
        recording.flush()
        content = (tmp_path / "data.recording").read_bytes()
    starts = [content.index(b"\n", content.index(b"{")) + 1]
    while starts[-1] < len(content):
        starts.append(starts[-1] + 17 + int.from_bytes(content[starts[-1] :][:8], "little"))
    assert starts.pop() == len(content) and len(starts) > 5
    return content, tmp_path / "other.recording", starts


def bits_of(episodes):
    parts = ("observations", "actions", "rewards", "terminations", "truncations")
    return [(each.env_id, *(getattr(each, name).tobytes() for name in parts)) for each in episodes]


def test_a_flipped_bit_is_an_error_and_no_wrong_value(log):
    content, path, starts = log
    path.write_bytes(content)
    expected, rng = bits_of(load(path).episodes()), np.random.default_rng(0)
    places = [*range(0, starts[0], 7), *(start + k for start in starts for k in range(20)), len(content) - 1]
    for place in [*places, *rng.integers(0, len(content), 100)]:
        damaged = bytearray(content)
        damaged[place] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        found = []
        with pytest.raises(ValueError, match=r"path='.*other\.recording': (the chunk at byte|expected a file)"):
            for episode in load(path).episodes():
                found.append(episode)
        assert bits_of(found) == expected[: len(found)] and len(found) < len(expected)
        assert found or place < starts[3]
        with pytest.raises(ValueError, match=r"path='.*other\.recording'"):
            load(path).arrays()


@pytest.mark.parametrize("zeros", [0, 1, 5000])
def test_chunks_before_a_cut_and_zeros_are_read(log, zeros):
    content, path, starts = log
    for start, following in zip(starts, [*starts[1:], len(content)], strict=True):
        path.write_bytes(content[:start])
        complete = bits_of(load(path).episodes())
        for cut in (0, 1, 9, 13, 500, following - start - 1):
            path.write_bytes(content[: start + cut] + bytes(zeros))
            assert bits_of(load(path).episodes()) == complete
            load(path).arrays()


FULL_DISK = """
import resource, signal, sys, warnings
import envpool_rs, numpy as np
import envpool_rs.recording
envpool_rs.recording._CHUNK_BYTES = 1
env = envpool_rs.make_vec("CartPole-v1", 2, seed=1)
recording = envpool_rs.record(env, sys.argv[1])
resource.setrlimit(resource.RLIMIT_FSIZE, (8000, 8000))
env.reset()
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    for _ in range(2):
        for _ in range(500):
            env.step(np.zeros(2, np.int64))
        recording.flush()
assert [each.category for each in caught] == [RuntimeWarning], caught
try:
    recording.close()
except OSError as error:
    print(len(list(envpool_rs.recording.load(sys.argv[1]).episodes())), error)
recording.close()
"""


def test_a_file_that_cannot_be_written_stops_the_recording_and_not_the_pool(tmp_path):
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "data")]
    ended = subprocess.run(command, check=True, capture_output=True, text=True)
    episodes, _, error = ended.stdout.partition(" ")
    assert int(episodes) > 2 and "File too large" in error


def test_a_closing_recording_is_not_in_memory(tmp_path):
    with envpool_rs.make_vec(CARTPOLE, 1024, seed=1) as env:
        recording = envpool_rs.record(env, path := tmp_path / "data.npz")
        env.reset()
        for _ in range(2000):
            env.step(np.zeros(1024, np.int64))
        tracemalloc.start()
        recording.close()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert 2 * peak < path.stat().st_size
    assert load(path).arrays()["obs"].shape == (2001, 1024, 4)


def test_a_conversion_that_fails_leaves_the_recording(tmp_path, monkeypatch):
    with envpool_rs.make_vec(CARTPOLE, 2, seed=1) as env:
        recording = envpool_rs.record(env, path := tmp_path / "data.npz")
        env.reset()
        for _ in range(50):
            env.step(np.zeros(2, np.int64))

        def fails(file, **_):
            raise OSError("the disk is full")

        monkeypatch.setattr(np, "savez", fails)
        with pytest.raises(OSError, match="full"):
            recording.close()
    assert not path.exists() and len(list(load(path).episodes())) > 2


FORK = """
import os, sys
import envpool_rs, numpy as np
env = envpool_rs.make_vec("CartPole-v1", 2, seed=1)
recording = envpool_rs.record(env, sys.argv[1])
env.reset()
env.step(np.zeros(2, np.int64))
child = os.fork()
if child == 0:
    for call in (recording.flush, env.stats, lambda: env.step(np.zeros(2, np.int64))):
        try:
            call()
        except RuntimeError as error:
            assert "this pool belongs to the parent process" in str(error), error
        else:
            os._exit(1)
    recording.close()
    sys.exit(0)  # runs atexit
assert os.waitpid(child, 0)[1] == 0
for _ in range(50):
    env.step(np.zeros(2, np.int64))
recording.close()
print(len(list(envpool_rs.recording.load(sys.argv[1]).episodes())))
"""


def test_a_forked_child_leaves_the_recording_to_its_parent(tmp_path):
    command = [sys.executable, "-c", FORK, str(tmp_path / "data")]
    ended = subprocess.run(command, check=True, capture_output=True, text=True, timeout=60)
    assert int(ended.stdout) > 4


def test_results_reach_the_file_after_a_time_or_a_flush(tmp_path):
    sizes = []
    for seconds in (0.0, 1000.0):
        env = envpool_rs.make_vec(CARTPOLE, 2, seed=1)
        with envpool_rs.record(env, tmp_path / str(seconds), flush_seconds=seconds) as recording:
            log = tmp_path / f"{seconds}.recording"
            size = log.stat().st_size
            env.reset()
            if seconds:
                assert log.stat().st_size == size
            recording.flush()
            sizes.append(log.stat().st_size - size)
    assert sizes[0] == sizes[1] > 0


def test_an_interrupted_flush_can_be_repeated(tmp_path):
    env = envpool_rs.make_vec(CARTPOLE, 2, seed=1)
    with envpool_rs.record(env, tmp_path / "data") as recording:
        env.reset()
        for _ in range(3):
            recording.flush()
        recording.close()
        recording.flush()
    assert (tmp_path / "data").exists()


@pytest.mark.parametrize("mode", MODES)
def test_stacks_of_frames_are_read_as_the_pool_returned_them(mode, tmp_path, monkeypatch):
    monkeypatch.setattr("envpool_rs.recording._DECODED_BYTES", 1 << 20)
    tasks = {
        "Pong-v5": {},
        "Breakout-v5": {"episodic_life": True, "gray_scale": False, "img_height": 30, "img_width": 31},
        "ALE/Breakout-v5": {"stack_size": 3, "padding_type": "zero", "repeat_action_probability": 0.25},
    }
    if importlib.util.find_spec("vizdoom"):
        tasks["HealthGathering-v1"] = {"img_height": 30, "img_width": 31, "stack_num": 3, "restart": True}
    for task, options in tasks.items():
        makes = {"num_envs": 3, "seed": 1, "autoreset_mode": mode, "max_episode_steps": 25, **options}
        env, path = envpool_rs.make_vec(task, **makes), tmp_path / task.replace("/", "-")
        rng, expected, finals = np.random.default_rng(0), [], []
        with envpool_rs.record(env, path):
            expected.append(env.reset()[0].copy())
            ended = np.zeros(3, np.bool_)
            for step in range(90):
                if mode == "disabled" and ended.any():
                    expected.append(env.reset(options={"reset_mask": ended})[0].copy())
                if step == 40:
                    env.set_state(env.get_state([0])[:1], [1])
                obs, _, terminated, truncated, info = env.step(random_actions(env.spec.gymnasium_action_space, 3, rng))
                ended = terminated | truncated
                expected.append(obs.copy())
                finals += [info["final_obs"][row].copy() for row in np.flatnonzero(ended) if mode == "same_step"]
            env.step(random_actions(env.spec.gymnasium_action_space, 3, rng))
        found = load(path).arrays()
        assert np.array_equal(found["obs"][:-1], expected), task
        if mode == "same_step":
            assert np.array_equal(found["final_obs"][: len(finals)], finals)
        assert load(path).metadata["stack"] > 1


def test_arrays_of_numpys_files_are_mapped_and_may_be_changed(tmp_path):
    env = envpool_rs.make_vec("Blackjack-v1", ENVS, seed=1, autoreset_mode="same_step")
    with envpool_rs.record(env, tmp_path / "data"):
        env.reset()
        play(env, env.single_action_space, 20, "same_step", np.random.default_rng(0))
    before, stored = (tmp_path / "data").read_bytes(), load(tmp_path / "data")
    arrays = stored.arrays()
    mapped = [*arrays["obs"], arrays["action"], arrays["reward"], arrays["valid"]]
    assert all(isinstance(each, np.memmap) for each in mapped)
    arrays["reward"][:] += 1
    assert np.array_equal(stored.arrays()["reward"] + 1, arrays["reward"])
    assert (tmp_path / "data").read_bytes() == before
    compressed = tmp_path / "compressed.npz"
    with np.load(tmp_path / "data") as copied:
        np.savez_compressed(compressed, **copied)
    for ours, theirs in zip(stored.episodes(), load(compressed).episodes(), strict=True):
        assert ours.rewards.tobytes() == theirs.rewards.tobytes()


def test_wrong_arguments_are_refused_by_name(tmp_path):
    env = envpool_rs.make_vec(CARTPOLE, 2)
    (tmp_path / "file").write_text("x")
    for arguments, error, text in (
        ({"format": "csv"}, ValueError, "format='csv': expected 'npz', 'hdf5' or 'minari'"),
        ({"env": 3}, TypeError, "env=3: expected a pool, or a wrapper around one"),
        ({"env": gymnasium.make_vec(CARTPOLE, 2, "sync")}, TypeError, "expected a pool, or a wrapper around one"),
        ({"infos": "lives"}, TypeError, "infos='lives': expected a list of names"),
        ({"infos": ["lives"]}, ValueError, 'infos has the name "lives": expected no names'),
        ({"path": tmp_path / "file"}, FileExistsError, "expected a new path"),
        ({"path": ""}, ValueError, "path='': expected the path of a file"),
        ({"path": None}, TypeError, "path=None: expected a path"),
    ):
        with pytest.raises(error, match=text):
            envpool_rs.record(**{"env": env, "path": tmp_path / "data", **arguments})
        assert not (tmp_path / "data.recording").exists()
    with pytest.raises(FileNotFoundError, match="no recording"):
        load(tmp_path / "data")
    with pytest.raises(ValueError, match="path='': expected the path of a file"):
        load("")
    with pytest.raises(ValueError, match=r"expected a file that envpool_rs\.record has written"):
        load(tmp_path / "file")
    with envpool_rs.record(env, tmp_path / "data"):
        with pytest.raises(RuntimeError, match="this pool is recorded already"):
            envpool_rs.record(env, tmp_path / "other")
        pytest.importorskip("jax")
        with pytest.raises(RuntimeError, match="the steps of XLA programs would be missing"):
            env.xla()


@pytest.mark.parametrize("infos", [(), ("elapsed_step",)])
def test_time_steps_of_dm_env_are_stored_with_their_truncation(infos, tmp_path):
    pytest.importorskip("dm_env")
    limits = [2, 5, 1000]
    env = envpool_rs.make_dm(CARTPOLE, num_envs=3, seed=5, max_episode_steps=limits)
    with envpool_rs.record(env, tmp_path / "data", infos=infos):
        env.reset()
        for _ in range(60):
            env.step(np.ones(3, np.int64))
    recorded = load(tmp_path / "data")
    assert list(recorded.arrays()["info"]) == list(infos)
    episodes = list(recorded.episodes())
    assert {each.env_id for each in episodes} == {0, 1, 2}
    for episode in episodes:
        is_truncated = len(episode) == limits[episode.env_id]
        assert (episode.truncations[-1], episode.terminations[-1]) == (is_truncated, not is_truncated)
        assert not (episode.truncations | episode.terminations)[:-1].any()
        assert list(episode.infos) == list(infos)
        for elapsed in episode.infos.values():
            assert np.array_equal(elapsed, np.arange(len(episode) + 1))


def test_an_episode_that_a_dm_env_truncates_itself_is_stored_as_truncated(tmp_path):
    pytest.importorskip("dm_env")
    flags = []
    for make in (envpool_rs.make_dm, envpool_rs.make_vec):
        env = make("ALE/Pong-v5", num_envs=2, seed=5, max_num_frames_per_episode=80)
        with envpool_rs.record(env, tmp_path / make.__name__):
            env.reset()
            for _ in range(60):
                env.step(np.zeros(2, np.int64))
        episodes = list(load(tmp_path / make.__name__).episodes())
        flags.append([(len(each), each.terminations[-1], each.truncations[-1]) for each in episodes])
    assert flags[0] == flags[1] and all(truncated and not terminated for _, terminated, truncated in flags[0])


def test_a_recording_without_steps_and_other_archives_are_read_or_refused(tmp_path):
    env = envpool_rs.make_vec(CARTPOLE, num_envs=3)
    with envpool_rs.record(env, tmp_path / "reset.npz"):
        env.reset()
    assert list(load(tmp_path / "reset.npz").episodes()) == []
    np.savez(tmp_path / "other.npz", a=1)
    (tmp_path / "cut.npz").write_bytes((tmp_path / "other.npz").read_bytes()[:100])
    for name in ("other", "cut"):
        with pytest.raises(ValueError, match=f"{name}.npz': expected a file that envpool_rs.record has written"):
            load(tmp_path / f"{name}.npz")


def test_damaged_and_other_files_are_refused_by_path(tmp_path):
    env = envpool_rs.make_vec(CARTPOLE, 2, max_episode_steps=9)
    with envpool_rs.record(env, tmp_path / "whole.npz"):
        env.reset()
        for _ in range(50):
            env.step(np.zeros(2, np.int64))
    whole, rng = (tmp_path / "whole.npz").read_bytes(), np.random.default_rng(0)
    expected = bits_of(load(tmp_path / "whole.npz").episodes())
    path = tmp_path / "damaged.npz"
    refused = 0
    for place in rng.integers(0, len(whole), 100):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        try:
            assert bits_of(load(path).episodes()) == expected  # a bit that the archive does not use
        except ValueError as error:
            assert "damaged.npz'" in str(error)
            refused += 1
    assert refused > 50
    np.savez(tmp_path / "other.npz", metadata=np.array("{}"))
    with pytest.raises(ValueError, match=r"other\.npz'.*its metadata lack action_space, "):
        load(tmp_path / "other.npz")


@pytest.mark.parametrize("written", [None, 4])
def test_a_file_of_another_format_is_refused_by_path(tmp_path, written):
    env = envpool_rs.make_vec(CARTPOLE, 2)
    with envpool_rs.record(env, tmp_path / "new.npz"):
        env.reset()
    with np.load(tmp_path / "new.npz") as arrays:
        parts = dict(arrays)
    described = {**json.loads(str(parts["metadata"])), "format": written}
    np.savez(tmp_path / "old.npz", **{**parts, "metadata": np.array(json.dumps(described))})
    with pytest.raises(ValueError, match=rf"old\.npz'.*its format is {written}: expected 5; record again"):
        load(tmp_path / "old.npz")


def test_another_hdf5_file_is_refused_by_path(tmp_path):
    h5py = pytest.importorskip("h5py")
    h5py.File(tmp_path / "other.h5", "w").close()
    with pytest.raises(ValueError, match=r"other\.h5': expected a file that envpool_rs\.record has written"):
        load(tmp_path / "other.h5")


ENDING = """
import sys
import envpool_rs, numpy as np
env = envpool_rs.make_vec("CartPole-v1", 4, max_episode_steps=9)
envpool_rs.record(env, sys.argv[1], sys.argv[2])
env.reset(seed=1)
for _ in range(100):
    env.step(np.zeros(4, np.int64))
"""


@pytest.mark.parametrize(("format", "package"), [("npz", "numpy"), ("hdf5", "h5py"), ("minari", "minari")])
def test_a_program_that_ends_closes_its_recording(format, package, tmp_path):
    pytest.importorskip(package)
    command = [sys.executable, "-W", "error", "-c", ENDING, str(tmp_path / "data"), format]
    ended = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert (tmp_path / "data").exists() and not (tmp_path / "data.recording").exists()


def test_formats_name_their_packages(tmp_path, monkeypatch):
    env = envpool_rs.make_vec(CARTPOLE, 2)
    for format, package in (("hdf5", "h5py"), ("minari", "minari")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(ImportError, match=rf"this format needs {package}: pip install 'envpool_rs\[{format}\]'"):
            envpool_rs.record(env, tmp_path / "data", format)


def test_hdf5_files_have_the_same_episodes(tmp_path):
    pytest.importorskip("h5py")
    found = []
    for format in ("npz", "hdf5"):
        env = envpool_rs.make_vec("Blackjack-v1", ENVS, seed=5, autoreset_mode="same_step")
        with envpool_rs.record(env, tmp_path / format, format):
            env.reset()
            play(env, env.spec.gymnasium_action_space, 30, "same_step", np.random.default_rng(0))
        found.append(list(load(tmp_path / format).episodes()))
    assert len(found[0]) == len(found[1]) > ENVS
    for one, other in zip(*found, strict=True):
        assert one.env_id == other.env_id and isinstance(other.observations, tuple)
        assert all(np.array_equal(*pair) for pair in zip(one.observations, other.observations, strict=True))
        assert np.array_equal(one.actions, other.actions) and np.array_equal(one.rewards, other.rewards)
    with pytest.raises(ValueError, match="expected the format npz"):
        load(tmp_path / "hdf5").arrays()


# Minari warns of actions outside the space, which it stores, and does not delete its temporary folder.
@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", [CARTPOLE, "Pendulum-v1", "FrozenLake-v1", "Blackjack-v1"])
def test_minari_datasets_equal_those_of_its_collector(task, mode, tmp_path, monkeypatch):
    minari = pytest.importorskip("minari")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(tmp_path / "minari"))
    env = envpool_rs.make_vec(task, ENVS, seed=5, autoreset_mode=mode, max_episode_steps=25)
    with envpool_rs.record(env, tmp_path / "ours", "minari"):
        env.reset()
        play(env, env.spec.gymnasium_action_space, 60, mode, np.random.default_rng(0))
    ours = minari.MinariDataset(tmp_path / "ours" / "data")
    by_env = [[] for _ in range(ENVS)]  # episodes in the order of each environment
    for episode in ours.iterate_episodes():
        by_env[ours.storage.get_episode_metadata([episode.id]).__iter__().__next__()["env_id"]].append(episode)
    assert all(by_env)
    collected = []
    for env_id in range(ENVS):
        collector = minari.DataCollector(gymnasium.make(task, max_episode_steps=25))
        collector.reset(seed=5 + env_id)
        own = by_env[env_id]
        for episode in own:
            for action in episode.actions:
                *_, terminated, truncated, _ = collector.step(action)
            assert terminated or truncated
            collector.reset(options={"minari_autoseed": False})
        collected += list(zip(own, collector._storage.get_episodes(range(len(own))), strict=True))
        collector.close()
    assert len(collected) == ours.total_episodes
    for episode, theirs in collected:
        for name in ("observations", "actions", "rewards", "terminations", "truncations"):
            one, other = getattr(episode, name), theirs[name]
            if (
                name == "rewards"
            ):  # gymnasium's single environments return integers, too; its vector environments do not
                other = other.astype(np.float64)
            pairs = zip(one, other, strict=True) if isinstance(one, tuple) else [(one, other)]
            for mine, their in pairs:
                assert mine.dtype == their.dtype and mine.shape == their.shape and mine.tobytes() == their.tobytes()


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("task", ["SimpleSpread-v3", "SimpleSpeakerListener-v4", "Foraging-8x8-2p-3f-v3"])
def test_minari_datasets_of_several_players_fit_their_spaces(task, tmp_path):
    minari = pytest.importorskip("minari")
    env = envpool_rs.make_vec(task, 2, seed=1, max_episode_steps=3)
    with envpool_rs.record(env, tmp_path / "data", "minari"):
        env.reset()
        for _ in range(8):
            env.step(random_actions(env.spec.gymnasium_action_space, 2 * env.spec.rows, np.random.default_rng(0)))
    dataset = minari.MinariDataset(tmp_path / "data" / "data")
    for episode in dataset.iterate_episodes():
        for name in ("observations", "actions"):
            values, space = getattr(episode, name), getattr(dataset, f"{name[:-1]}_space")
            parts = values if isinstance(values, dict) else {"": values}
            for step in zip(*parts.values(), strict=True):
                assert space.contains(dict(zip(parts, step, strict=True)) if isinstance(values, dict) else step[0])
    assert dataset.total_episodes > 0
