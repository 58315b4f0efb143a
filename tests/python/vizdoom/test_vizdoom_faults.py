"""Tests that failures of ViZDoom's engines, files or options raise exceptions and leak nothing."""

import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import envpool_rs
import numpy as np
import pytest

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("vizdoom") is None, reason="vizdoom is not installed"),
    pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are looked for in /proc"),
]

PRESS_NOTHING = np.zeros((2, 3))


def engines(parent):
    """Returns the engines that a process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)
            if int(fields[1].split()[1]) == parent and "vizdoom" in fields[0] and fields[1].split()[0] != "Z":
                found.append(int(folder.name))
        except (OSError, IndexError):
            continue
    return sorted(found)


def names(process):
    """Returns the files that a process's engines have in /dev/shm and in the temporary folder."""
    shared = [path for path in Path("/dev/shm").iterdir() if f"envpool{process}x" in path.name]
    return shared + list(Path(tempfile.gettempdir()).glob(f"envpool_rs-vizdoom-{process}-*"))


def commands():
    """Returns the command lines of all processes of the system."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            found.append((folder / "cmdline").read_bytes())
        except OSError:
            continue
    return found


def until(condition):
    """Waits until the condition is true."""
    while not condition():
        time.sleep(0.01)


@pytest.fixture
def make():
    """Makes pools of `Basic-v1`, and checks at the end that no engines or files of them remain."""
    pools = []

    def made(task="Basic-v1", **options):
        pools.append(envpool_rs.make(task, **{"num_envs": 2, "seed": 1, **options}))
        return pools[-1]

    yield made
    for pool in pools:
        pool.close()
    assert engines(os.getpid()) == []
    assert names(os.getpid()) == []


def test_a_killed_engine_is_named_and_restarts_at_the_next_reset(make):
    env = make()
    env.reset()
    os.kill(engines(os.getpid())[0], signal.SIGKILL)
    with pytest.raises(RuntimeError, match=r"environment \d failed: its engine failed \(signal: 9 \(SIGKILL\)\)"):
        [env.step(PRESS_NOTHING) for _ in range(3)]
    assert env.recv()[0].shape[0] == 1
    observation, info = env.reset()
    assert observation.shape == (2, 12, 84, 84)
    assert (info["HEALTH"] == 100).all()
    assert len(engines(os.getpid())) == 2


def test_a_stopped_engine_times_out(make):
    env = make(engine_timeout=2.0)
    env.reset()
    os.kill(engines(os.getpid())[0], signal.SIGSTOP)
    with pytest.raises(RuntimeError, match=r"its engine did not reply within 2 seconds and was killed"):
        env.step(PRESS_NOTHING)
    env.recv()
    env.reset()


def test_a_lost_engine_is_replaced_on_request(make):
    env = make(restart=True)
    env.reset()
    os.kill(engines(os.getpid())[0], signal.SIGKILL)
    truncated = np.zeros(2, bool)
    while not truncated.any():
        truncated = env.step(PRESS_NOTHING)[3]
    assert truncated.sum() == 1
    _, _, terminated, truncated, info = env.step(PRESS_NOTHING)
    assert not (terminated | truncated).any()
    assert 0 in info["elapsed_step"]


@pytest.mark.parametrize("task", ["Cig-v1", "MultiDuel-v1"])
def test_the_error_for_multiplayer_maps_names_the_required_arguments(make, task):
    env = make(task, num_envs=1)
    with pytest.raises(RuntimeError, match=r'No player 1 start .*game_args="-host 1 -deathmatch"'):
        env.reset()


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"vzd_path": "/nowhere"}, FileNotFoundError, 'vzd_path="/nowhere"'),
        ({"vzd_path": "/etc/passwd"}, ValueError, "an executable program"),
        ({"vizdoom_dir": "/nowhere"}, FileNotFoundError, "vizdoom_dir="),
        ({"vizdoom_dir": 3}, TypeError, "vizdoom_dir=3: expected a path or None"),
        ({"vizdoom_dir": [3]}, TypeError, "vizdoom_dir[0]=3: expected a path or None"),
        ({"vizdoom_dir": ""}, ValueError, 'vizdoom_dir="": expected a folder, or None for the installed one'),
        ({"assets_dir": ""}, ValueError, 'assets_dir="": expected a folder, or None for the installed one'),
        ({"scenario": ""}, FileNotFoundError, 'scenario="": expected one of the scenarios'),
        ({"game_args": "a\0b"}, ValueError, r'game_args="a\0b": expected text without NUL characters'),
        ({"cfg_path": "/nowhere.cfg"}, FileNotFoundError, 'cfg_path="/nowhere.cfg"'),
        ({"wad_path": "/nowhere.wad"}, FileNotFoundError, 'wad_path="/nowhere.wad"'),
        ({"iwad_path": "/nowhere.wad"}, FileNotFoundError, 'iwad_path="/nowhere.wad"'),
        ({"map_id": "map77"}, ValueError, 'map_id="map77": expected one of MAP01'),
        ({"lmp_save_dir": "/nowhere"}, FileNotFoundError, 'lmp_save_dir="/nowhere"'),
        ({"reward_config": {"KILLS": (1, 0)}}, ValueError, 'there is no variable "KILLS"'),
        ({"reward_config": {"KILLCOUNT": 1}}, ValueError, "two numbers for each variable"),
        ({"reward_config": {"KILLCOUNT": (1, float("nan"))}}, ValueError, "finite numbers"),
        ({"selected_weapon_reward_config": {9: 1.0}}, ValueError, 'there is no weapon "9"'),
        ({"delta_button_config": {"ATTACK": (3, 0, 1)}}, ValueError, 'there is no delta button "ATTACK"'),
        ({"reward_config": {"HEALTH": (1, 0)}, "reward_metric": {"HEALTH": (1, 0)}}, ValueError, "both given"),
        ({"base_path": "/a", "assets_dir": "/b"}, ValueError, "both given"),
        ({"frame_skip": 0}, ValueError, "frame_skip=0"),
        ({"reward_config": 3}, TypeError, "reward_config"),
    ],
    ids=str,
)
def test_impossible_options_are_refused_by_name(make, options, error, text):
    with pytest.raises(error) as raised:
        make(**options)
    assert text in str(raised.value)


@pytest.mark.parametrize("option", ["game_args", "doom_config_path", "doom_map"])
def test_invalid_program_arguments_are_refused(option):
    with pytest.raises(ValueError, match=option) as raised:
        envpool_rs.make("VizdoomBasic-v1", num_envs=1, **{option: "a\0b"})
    assert "expected text without NUL characters" in str(raised.value)


def test_invalid_files_are_refused_with_the_reason(make, tmp_path):
    wrong = tmp_path / "wrong.wad"
    wrong.write_bytes(b"no wad at all")
    with pytest.raises(ValueError, match="begins with neither IWAD nor PWAD"):
        make(wad_path=str(wrong))
    with pytest.raises(ValueError, match="begins with neither IWAD nor PWAD"):
        make(iwad_path=str(wrong))
    config = tmp_path / "wrong.cfg"
    config.write_text("screen_format = CRCGCB\navailable_buttons = { ATTACKS }\n")
    with pytest.raises(ValueError, match=r"there is no button .ATTACKS."):
        make(cfg_path=str(config))
    config.write_text("screen_format = CRCGCB\navailable_game_variables = { HEALTHS }\n")
    with pytest.raises(ValueError, match=r"there is no game variable .HEALTHS."):
        make(cfg_path=str(config))
    config.write_text("screen_format = CRCGCB\navailable_buttons = { ATTACK }\nepisode_timeouts = 3\n")
    with pytest.raises(ValueError, match=r"wrong\.cfg, line 3: there is no key .episode_timeouts.; did you mean"):
        make(cfg_path=str(config))


def test_the_error_for_scenarios_only_in_envpool_is_explicit(make):
    with pytest.raises(FileNotFoundError, match=r"EnvPool's assets, the only source of D3_battle\.cfg"):
        make("D3Battle-v1", assets_dir="/nowhere")


def test_a_program_that_is_not_an_engine_fails_its_environment(make):
    with pytest.raises(RuntimeError, match=r"its engine failed \(exit status: 1\)"):
        make(vzd_path="/bin/false").reset()


def test_reset_options_are_refused(make):
    env = make()
    env.reset()
    with pytest.raises(ValueError, match="unknown reset option"):
        env.reset(options={"speed": 1})


def test_pools_run_concurrently_in_read_only_folders(make, tmp_path, monkeypatch):
    tmp_path.chmod(0o555)
    monkeypatch.chdir(tmp_path)
    one, other = make(), make()
    np.testing.assert_array_equal(one.reset()[0], other.reset()[0])
    assert list(tmp_path.iterdir()) == []


def test_engines_without_a_writable_folder_raise_an_error(make, monkeypatch):
    env = make(num_envs=1)
    monkeypatch.setenv("TMPDIR", "/nowhere")
    with pytest.raises(RuntimeError, match=r"its working folder cannot be created .*/nowhere"):
        env.reset()
    monkeypatch.delenv("TMPDIR")
    env.reset()


FEW_FILES = """
import os, resource
few = len(os.listdir("/proc/self/fd")) + 3
env = envpool_rs.make("Basic-v1", num_envs=4, seed=1)
limits = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (few, limits[1]))
try:
    env.reset()
except RuntimeError as error:
    print(error, flush=True)
resource.setrlimit(resource.RLIMIT_NOFILE, limits)
"""


def test_exhausted_descriptors_are_reported_and_nothing_leaks():
    with child(before=FEW_FILES, after="") as process:
        assert "Too many open files" in process.stdout.readline()
        # A new pool works once there are enough file descriptors.
        assert process.stdout.readline() == "ready\n"
    assert process.returncode == 0
    assert names(process.pid) == []


def test_recordings_may_be_saved_to_long_paths(make, tmp_path):
    folder = tmp_path / ("a" * 100) / ("b" * 100)
    folder.mkdir(parents=True)
    env = make(num_envs=1, lmp_save_dir=str(folder), max_episode_steps=3)
    env.reset()
    [env.step(PRESS_NOTHING[:1]) for _ in range(9)]
    env.close()
    assert sorted(path.name for path in folder.iterdir()) == ["env_0_1.lmp", "env_0_2.lmp"]
    with pytest.raises(ValueError, match="map_id="):
        make(lmp_save_dir=str(folder), map_id="m" * 120)


def test_a_slowly_written_recording_is_complete(make, tmp_path):
    def record(folder, slow):
        folder.mkdir()
        env = make(num_envs=1, lmp_save_dir=str(folder), max_episode_steps=3)
        env.reset()
        [env.step(PRESS_NOTHING[:1]) for _ in range(5)]
        (engine,) = engines(os.getpid())
        closing = threading.Thread(target=env.close)
        if slow:
            os.kill(engine, signal.SIGSTOP)
            timer = threading.Timer(1.0, os.kill, (engine, signal.SIGCONT))
            timer.start()
        closing.start()
        closing.join()
        return (folder / "env_0_1.lmp").read_bytes()

    assert record(tmp_path / "slow", slow=True) == record(tmp_path / "quick", slow=False)


def test_a_recording_closed_during_a_step_is_complete(make, tmp_path):
    env = make(num_envs=1, lmp_save_dir=str(tmp_path), max_episode_steps=3, frame_skip=1000)
    env.reset()
    [env.step(PRESS_NOTHING[:1]) for _ in range(4)]
    env.send(PRESS_NOTHING[:1])
    env.close()
    recording = (tmp_path / "env_0_1.lmp").read_bytes()
    assert recording[:4] == b"FORM"
    assert len(recording) == 8 + int.from_bytes(recording[4:8], "big")


PARENT = """
import os, sys, time
import envpool_rs
env = envpool_rs.make("Basic-v1", num_envs={engines}, seed=1)
{before}
env.reset()
print("ready", flush=True)
{after}
"""


def child(before="", after="time.sleep(600)", engines=3):
    code = textwrap.dedent(PARENT).format(before=before, after=after, engines=engines)
    return subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)


def test_engines_and_their_shared_names_end_with_the_parent():
    with child() as process:
        assert process.stdout.readline() == "ready\n"
        running = engines(process.pid)
        assert len(running) == 3
        process.kill()
    until(lambda: not any(Path(f"/proc/{engine}").exists() for engine in running))
    assert names(process.pid) == []


def test_a_forked_child_leaves_the_engines_to_its_parent():
    with child(
        after="pid = os.fork()\nif pid == 0: sys.exit(0)\nos.waitpid(pid, 0)\nenv.reset()\nprint('well')"
    ) as process:
        assert process.stdout.readline() == "ready\n"
        assert process.stdout.readline() == "well\n"
    assert process.returncode == 0
    assert names(process.pid) == []


def test_an_interrupt_ends_the_start_of_many_engines():
    with child(before="print('starts', flush=True)", engines=32) as process:
        assert process.stdout.readline() == "starts\n"
        until(lambda: engines(process.pid))
        process.send_signal(signal.SIGINT)
    assert engines(process.pid) == []
    assert names(process.pid) == []


def test_closing_ends_a_wait(make):
    env = make(engine_timeout=600.0)
    env.reset()
    [os.kill(engine, signal.SIGSTOP) for engine in engines(os.getpid())]
    env.send(PRESS_NOTHING)
    errors = []

    def receive():
        try:
            env.recv()
        except RuntimeError as error:
            errors.append(str(error))

    thread = threading.Thread(target=receive)
    thread.start()
    env.close()
    thread.join()
    assert errors == ["this pool is closed"]


STARTING = """
import os, signal, threading, time
import envpool_rs
env = envpool_rs.make("Basic-v1", num_envs=150)
began = time.monotonic()
env.async_reset()
print("sent", time.monotonic() - began, flush=True)
time.sleep(1.0)
interrupted = None
try:
    began = time.monotonic()
    # On a busy machine, the signal may arrive before `start` has returned.
    threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)).start()
    env.close()
    time.sleep(1.0)
except KeyboardInterrupt:
    interrupted = time.monotonic() - began
print("interrupted", interrupted, env.closed if hasattr(env, "closed") else None, flush=True)
env.close()
print("closed", time.monotonic() - began, flush=True)
"""


def test_starting_and_ending_many_engines_does_not_delay_signals():
    durations = []
    # On a busy machine, calls may take longer by chance; delays by the engines would be there each time.
    while not durations or durations[-1][0] >= 0.5 or durations[-1][1] >= 0.5:
        assert len(durations) < 5, durations
        with subprocess.Popen([sys.executable, "-c", STARTING], stdout=subprocess.PIPE, text=True) as process:
            durations.append([float(process.stdout.readline().split()[1]) for _ in range(3)])
        # `close` must not start engines that have not been started, because starting them would take longer.
        assert durations[-1][2] < 10
        assert names(process.pid) == []


SMALL_MEMORY = """
import envpool_rs
env = envpool_rs.make("Basic-v1", num_envs=12, seed=1)
try:
    env.reset()
    print("reset")
except RuntimeError as error:
    print(error)
env.close()
"""


# With 600k, an engine runs out of shared memory and does not reply; the pool notices this after a minute.
@pytest.mark.parametrize("size", ["16k", pytest.param("600k", marks=pytest.mark.slow), "2m", "4m"])
def test_too_little_shared_memory_is_an_error(size):
    mounted = f"mount -t tmpfs -o size={size} none /dev/shm && exec {sys.executable} -c '{SMALL_MEMORY}'"
    unshare = ["unshare", "--mount", "--map-root-user", "sh", "-c"]
    if subprocess.run([*unshare, "mount -t tmpfs none /dev/shm"], check=False, capture_output=True).returncode:
        pytest.skip("no other /dev/shm can be mounted")
    process = subprocess.run([*unshare, mounted], check=False, capture_output=True, text=True, timeout=300)
    assert process.returncode == 0, process.stderr
    assert process.stdout == "reset\n" or "/dev/shm is too small" in process.stdout


COMING_UP = """
import envpool_rs
env = envpool_rs.make("Basic-v1", num_envs=8)
print("made", flush=True)
env.reset()
print("reset", flush=True)
"""


def test_leftovers_of_a_killed_process_are_removed_at_the_next_start(make):
    process = subprocess.Popen([sys.executable, "-c", COMING_UP], stdout=subprocess.PIPE)
    assert process.stdout.readline() == b"made\n"
    until(lambda: len(names(process.pid)) > 4)
    process.kill()
    process.wait()
    assert process.stdout.read() == b""
    process.stdout.close()
    until(lambda: not any(f"envpool{process.pid}x".encode() in command for command in commands()))
    make(num_envs=1).reset()
    assert names(process.pid) == []
