"""Tests snapshots of ViZDoom's environments: another engine replays a saved game to an equal state."""

import os
import signal
import subprocess
import sys
import threading
import time
import zlib
from importlib.util import find_spec
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from references.batch import flat

pytestmark = pytest.mark.skipif(find_spec("vizdoom") is None, reason="vizdoom is not installed")

SEEN = {"depth_buffer_enabled": True, "labels_buffer_enabled": True, "automap_buffer_enabled": True}

#: Cases: task, options, and the steps after which states are saved, in an engine's first game and in later ones.
CASES = [
    ("Deathmatch-v1", {"max_episode_steps": 12}, (5, 31)),
    ("RocketBasic-v1", {}, (17,)),
    ("DefendTheCenter-v1", {"max_episode_steps": 150}, (100, 260)),  # the player dies occasionally
    ("PredictPosition-v1", {"episodic_life": True, "max_episode_steps": 20}, (45,)),
    ("TakeCover-v1", {"frame_skip": 20}, (30,)),  # more than 16 tics per step, which are sent to the engine one by one
    ("VizdoomDeadlyCorridor-v1", {"frame_skip": 4, "damage_taken_reward": -1.0, "kill_reward": 2.0, **SEEN}, (11, 60)),
    ("VizdoomBasicNotifications-v1", {"frame_skip": 4, "audio_buffer_enabled": False}, (60,)),
    ("VizdoomFreedoom2MAP01-S3-v0", {"frame_skip": 3, "audio_buffer_enabled": False}, (40,)),
]

#: With `VIZDOOM_STEPS`, the cases include longer runs of all scenarios of EnvPool and of the `vizdoom` package.
if os.environ.get("VIZDOOM_STEPS"):
    CASES += [
        (task, {"max_episode_steps": 60}, (20, 150))
        for task in envpool_rs.list_all_envs()
        if task in envpool_rs._core.tasks_with_option("vizdoom_dir")
        and not task.startswith(("VizdoomDoom", "VizdoomC"))
        if task not in ("Cig-v1", "MultiDuel-v1") and ("-S" not in task or task.endswith("MAP07-S3-v0"))
    ]


def sample(space, random):
    if hasattr(space, "spaces"):
        return {key: sample(part, random) for key, part in space.spaces.items()}
    if hasattr(space, "nvec"):
        return random.integers(space.nvec)
    if space.dtype.kind == "f":
        return (random.random(space.shape) < 0.3).astype(space.dtype)
    return np.asarray(random.integers(getattr(space, "n", 2) if space.shape == () else 2, size=space.shape))


def batch(rows):
    return {key: batch([row[key] for row in rows]) for key in rows[0]} if isinstance(rows[0], dict) else np.stack(rows)


def arrays(result):
    return [np.asarray(array).copy() for part in result for array in flat(part)]


@pytest.mark.parametrize(("task", "options", "saved_after"), CASES, ids=str)
def test_a_state_continues_in_another_pool(task, options, saved_after):
    env = envpool_rs.make(task, num_envs=2, seed=3, **options)
    other = envpool_rs.make(task, num_envs=2, seed=77, **options)
    env.reset()
    random = np.random.default_rng(1)

    def act():
        return batch([sample(env.single_action_space, random) for _ in range(2)])

    for step in range(max(saved_after) + 1):
        env.step(act())
        if step + 1 in saved_after:
            states = env.get_state()
            actions = [act() for _ in range(25)]
            expected = [arrays(env.step(action)) for action in actions]
            other.set_state(states)
            for number, (action, theirs) in enumerate(zip(actions, expected, strict=True)):
                for ours, there in zip(arrays(other.step(action)), theirs, strict=True):
                    np.testing.assert_array_equal(ours, there, err_msg=f"step {number} after {step + 1}")
            env.set_state(states)  # restores the earlier states
            assert env.get_state() == states
    env.close()
    other.close()


def test_a_state_before_the_first_reset_can_be_restored(tmp_path):
    env = envpool_rs.make("Basic-v1", num_envs=1, seed=3)
    states = env.get_state()
    expected = env.reset()[0]
    env.set_state(states)
    np.testing.assert_array_equal(env.reset()[0], expected)
    env.close()


@pytest.mark.parametrize(
    ("task", "options", "why"),
    [
        ("Basic-v1", {"lmp_save_dir": "."}, "a recorded game cannot be saved"),
        ("MultiDuel-v1", {"game_args": "-host 1 -deathmatch"}, "a multiplayer game cannot be saved"),
    ],
    ids=str,
)
def test_games_that_cannot_be_replayed_are_refused(task, options, why, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    env = envpool_rs.make(task, num_envs=1, seed=3, **options)
    env.reset()
    with pytest.raises(RuntimeError, match=why):
        env.get_state()
    env.step(np.zeros((1, 3)))
    env.close()


def test_invalid_state_bytes_change_nothing():
    env = envpool_rs.make("Basic-v1", num_envs=2, seed=3)
    env.reset()
    states = env.get_state()
    with pytest.raises(ValueError, match="state"):
        env.set_state([states[0], states[1][:-9]])
    assert env.get_state() == states
    env.close()


def number(value):
    """Encodes a number as snapshots do (varint): seven bits per byte, least significant first."""
    found = b""
    while value >= 0x80:
        found += bytes([value & 0x7F | 0x80])
        value >>= 7
    return found + bytes([value])


def forged(state, steps, times):
    """Returns a state in which the number of tics without buttons is replaced by ``times``."""
    entry = bytes([0, 0, 1, 1])  # encodes a tic: no button down, no other pressed, one tic, an image

    def journal(count):
        return bytes([4 + len(number(count))]) + entry + number(count) * 2 + number(count + 1) + bytes([0, 4])

    assert state.count(journal(steps)) == 1
    body = state[8:].replace(journal(steps), journal(times))
    return state[:4] + zlib.crc32(body).to_bytes(4, "little") + body


def test_a_forged_game_beyond_the_time_limit_is_refused():
    env = envpool_rs.make("VizdoomBasic-v1", num_envs=1, seed=3, audio_buffer_enabled=False, episode_timeout=300)
    env.reset()
    [env.step(np.zeros(1, int)) for _ in range(200)]
    (state,) = env.get_state()
    with pytest.raises(ValueError) as raised:
        env.set_state([forged(state, 200, 16000)])
    is_same = env.get_state() == [state]
    env.close()
    assert (
        "state: expected a snapshot that fits this pool, but it has a game of 16000 tics: expected at most 300"
        in str(raised.value)
    )
    assert is_same


LOADING = """
import os, signal, sys, threading, time, numpy as np, envpool_rs
env = envpool_rs.make("VizdoomBasic-v1", num_envs=3, seed=3, audio_buffer_enabled=False, episode_timeout=0)
env.reset()
[env.step(np.zeros(3, int)) for _ in range(200)]
states = env.get_state()
[env.step(np.zeros(3, int)) for _ in range(3)]
later = env.get_state()
interruptions = 0
for _ in range(2):
    try:
        threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()
        env.set_state(states)
    except KeyboardInterrupt:
        interruptions += 1
print("interrupted", interruptions, flush=True)
between = env.get_state()
assert all(now in (old, new) for now, old, new in zip(between, later, states, strict=True))
env.step(np.zeros(3, int))
env.set_state(states)
assert env.get_state() == states
env.set_state(later)
env.reset()
env.close()
"""


@pytest.mark.slow
def test_an_interrupt_leaves_each_environment_in_its_old_or_new_state():
    process = subprocess.run([sys.executable, "-c", LOADING], check=False, capture_output=True, text=True, timeout=300)
    assert (process.returncode, process.stdout) == (0, "interrupted 2\n"), process.stderr


def test_closing_a_pool_while_a_state_loads_is_reported():
    env = envpool_rs.make("VizdoomBasic-v1", num_envs=1, seed=3, audio_buffer_enabled=False, episode_timeout=0)
    env.reset()
    [env.step(np.zeros(1, int)) for _ in range(200)]
    (state,) = env.get_state()
    long = forged(state, 200, 16000)
    closing = threading.Timer(1.0, env.close)
    closing.start()
    with pytest.raises(RuntimeError, match="this pool is closed"):
        env.set_state([long])
    closing.join()


INTERRUPTED = """
import sys, numpy as np, envpool_rs
sys.path[:] = {path!r}
from test_vizdoom_states import forged
env = envpool_rs.make("VizdoomBasic-v1", num_envs=1, seed=3, audio_buffer_enabled=False, episode_timeout=0)
env.reset()
[env.step(np.zeros(1, int)) for _ in range(200)]
(state,) = env.get_state()
print("plays", flush=True)
try:
    env.set_state([forged(state, 200, 16000)])
except KeyboardInterrupt:
    print("interrupted", env.num_envs, flush=True)
"""


def test_an_interrupt_ends_a_replay():
    code = INTERRUPTED.format(path=[str(Path(__file__).parent), *sys.path])
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "plays\n"
        while playing(process.pid) < 2 and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted 1\n"
    assert process.returncode == 0


def playing(parent):
    """Returns the number of a process's children: its engine and, during a replay, the replaying engine."""
    tasks = Path(f"/proc/{parent}/task").glob("*/children")
    return sum(len(task.read_text().split()) for task in tasks)


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_resets_and_autoreset_take_queued_seeds(mode):
    env = envpool_rs.make_vec("RocketBasic-v1", 2, seed=3, max_episode_steps=3, autoreset_mode=mode)
    first = {seed: env.reset(seed=[seed, seed])[0][0].copy() for seed in (7, 8, 9)}
    assert not np.array_equal(first[7], first[8])
    env.queue_resets([0, 1, 0, 1], seeds=[7, 9, 8, None])
    observation = env.reset()[0]
    np.testing.assert_array_equal(observation, [first[7], first[9]])
    assert env.queued_resets().tolist() == [1, 1]
    for _ in range(4 if mode == "next_step" else 3):
        observation = env.step(np.zeros_like(env.action_space.sample()))[0]
    if mode == "disabled":
        observation = env.reset()[0]
    np.testing.assert_array_equal(observation[0], first[8])
    assert env.queued_resets().tolist() == [0, 0]
    env.queue_resets([1], seeds=4)
    saved = env.get_state()
    env.clear_resets()
    env.set_state(saved)
    assert env.queued_resets().tolist() == [0, 1]
    assert env.get_options() == {}
    with pytest.raises(ValueError, match="expected no change"):
        env.set_options(frame_skip=2)
    with pytest.raises(ValueError, match="expected seeds alone"):
        env.queue_resets(options={"speed": 1})
