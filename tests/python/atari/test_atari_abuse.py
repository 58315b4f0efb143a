"""Tests invalid values of Atari options; `test_abuse.py` tests invalid actions and calls of every task."""

import hashlib
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_rs._spec.assets import CARTRIDGES
from tasks import ALL

pytest.importorskip("ale_py")


@dataclass(frozen=True)
class Row:
    """One case: options of an Atari task, and the expected outcome."""

    options: dict = field(default_factory=dict)
    match: str = ""
    error: type = ValueError
    task: str = "Breakout-v5"

    def __str__(self):
        return f"{self.task} {self.options}"


class Endless:
    """Sequence that never ends."""

    def __getitem__(self, _):
        return 1

    def __repr__(self):
        return "Endless()"


def ale(options, match, error=ValueError, task="ALE/Breakout-v5"):
    return Row(options, match, error, task)


SKIP = {"preprocessing": True, "frameskip": 1}
MODES = "0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40, 44"
ROWS = [
    Row({"mode": 1}, f"mode=1: expected -1 for the default, or one of breakout's: {MODES}$"),
    Row({"mode": "0"}, "mode=.*expected int or None, not str", TypeError),
    Row({"difficulty": 2}, "difficulty=2: expected -1 for the default, or one of breakout's: 0, 1$"),
    Row({"difficulty": -2}, "difficulty=-2: expected -1 for the default"),
    Row({"img_height": 0}, "img_height=0: expected an integer from 1 to"),
    Row({"img_width": 0}, "img_width=0: expected an integer from 1 to"),
    Row({"img_height": -84}, "img_height=-84: expected an integer from 1 to"),
    Row({"img_width": 10**6}, "img_width=1000000: expected an integer from 1 to 4096"),
    Row({"img_height": 4096, "img_width": 4096, "stack_num": 1000}, "stack_num=1000: .*bytes"),
    Row({"stack_num": 0}, "stack_num=0: expected an integer from 1 to 1000"),
    Row({"stack_num": 10**9}, "stack_num=1000000000: expected an integer from 1 to 1000"),
    Row({"noop_max": -1}, "noop_max=-1: expected an integer from 0 to"),
    Row({"noop_max": 10**9}, "noop_max=1000000000: expected an integer from 0 to"),
    Row({"frame_skip": 0}, "frame_skip=0: expected an integer from 1 to"),
    Row({"frame_skip": 2**40}, "frame_skip=1099511627776: expected an integer from 1 to"),
    Row({"frame_skip": (2, 5, 6)}, "frame_skip has .* entries: expected one value, or num_envs="),
    Row({"repeat_action_probability": 1.5}, "repeat_action_probability=1.5: expected a probability, from 0 to 1"),
    Row({"repeat_action_probability": np.nan}, "repeat_action_probability=NaN"),
    Row({"gray_scale": 2}, "gray_scale=2: expected bool, not int", TypeError),
    Row({"task": "breakou"}, 'task="breakou": expected the name of a game; did you mean "breakout"'),
    Row({"obs_type": "ram"}, 'no option "obs_type"', TypeError),
    Row({"max_episode_steps": 0}, "max_episode_steps=0"),
    Row({"rom_dir": "\udcff"}, "rom_dir='.udcff': expected text that UTF-8 can hold"),
    Row({"mode": range(10**12)}, "mode: a range of more than 1048576 entries"),
    Row({"mode": range(10**30)}, "mode: a range of more than 1048576 entries"),
    Row({"mode": Endless()}, "mode: a Endless of more than 1048576 entries"),
    ale({"mode": 1}, f"mode=1: expected None for the default, or one of breakout's: {MODES}$"),
    ale({"difficulty": 2}, "difficulty=2: expected None for the default, or one of breakout's: 0, 1$"),
    ale({"obs_type": "rbg"}, 'obs_type="rbg": expected "rgb", "grayscale" or "ram"'),
    ale({"frameskip": 0}, "frameskip=0: expected an integer from 1 to"),
    ale({"frameskip": (5, 2)}, "frameskip=.5, 2.: expected two integers, the first smaller than the second"),
    ale({"frameskip": (3, 3)}, "frameskip=.3, 3.: expected two integers"),
    ale({"frameskip": (0, 3)}, "frameskip=.0, 3.: expected an integer from 1 to"),
    ale({"frameskip": (2, 3, 4)}, "frameskip=.2, 3, 4.: expected an integer from 1 to .* or two of them"),
    ale({"frameskip": 2.5}, "frameskip=2.5: expected int", TypeError),
    ale({"repeat_action_probability": -0.1}, "repeat_action_probability=-0.1: expected a probability"),
    ale({"max_num_frames_per_episode": -1}, "max_num_frames_per_episode=-1: expected"),
    ale({"noop_max": 3}, "noop_max=3: expected 30, without preprocessing=True"),
    ale({"screen_size": 64}, "screen_size=64: expected 84, without preprocessing=True"),
    ale({"preprocessing": True}, "frameskip=4: expected 1 with preprocessing=True"),
    ale({**SKIP, "screen_size": 0}, "screen_size=0: expected an integer from 1 to"),
    ale({**SKIP, "screen_size": (84, 10**6)}, "screen_size=.84, 1000000.: expected an integer from 1 to"),
    ale({**SKIP, "noop_max": -1}, "noop_max=-1: expected an integer from 0 to"),
    ale({**SKIP, "frame_skip": 0}, "frame_skip=0: expected an integer from 1 to"),
    ale({"stack_size": 0}, "stack_size=0: expected an integer from 1 to"),
    ale({**SKIP, "stack_size": 1000, "screen_size": 4096}, "stack_size=1000: .*bytes"),
    ale({"stack_size": 1001}, "stack_size=1001: expected an integer from 1 to 1000"),
    ale({"padding_type": "zero"}, 'padding_type="zero": expected "reset", without stack_size'),
    ale({"stack_size": 2, "padding_type": "x"}, 'padding_type="x": expected "reset" or "zero"'),
    ale({"rom_dir": 3}, "rom_dir=3: expected a path or None", TypeError),
    ale({"rom_dir": [None, 3]}, r"rom_dir\[1\]=3: expected a path or None", TypeError),
    ale({"rom_dir": [None] * 3}, "rom_dir has .* entries: expected one value, or num_envs=2 of them"),
    ale({"base_path": 3}, "base_path=3: expected a path or None", TypeError),
    ale({"rom_dir": "/nowhere", "base_path": "/x"}, "base_path='/x' and rom_dir='/nowhere' are both given"),
]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_options_out_of_range_are_refused_by_name(row):
    for make in (envpool_rs.make, envpool_rs.make_vec, envpool_rs.make_gym, envpool_rs.make_spec):
        with pytest.raises(row.error, match=row.match):
            make(row.task, num_envs=2, **row.options)


def test_rom_dir_accepts_none_for_each_environment():
    env = envpool_rs.make("Breakout-v5", num_envs=2, rom_dir=[None, None])
    assert env.config["rom_dir"] == envpool_rs.make("Breakout-v5").config["rom_dir"]


@pytest.mark.parametrize("task", ["Breakout-v5", "ALE/Breakout-v5"])
def test_actions_out_of_range_are_refused_and_change_nothing(task):
    env, twin = (envpool_rs.make(task, num_envs=2) for _ in range(2))
    env.reset(), twin.reset()
    for action in (-1, 4, 18, 2**40):
        with pytest.raises(ValueError, match=r"action\[1\] is .*: expected an integer from 0 to 3"):
            env.step([0, action])
    np.testing.assert_array_equal(env.step([1, 2])[0], twin.step([1, 2])[0])


@pytest.mark.parametrize("task", ["Pong-v5", "ALE/Pong-v5"])
def test_pools_that_exceed_memory_are_refused_at_creation(task):
    machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGESIZE")
    with pytest.raises(MemoryError, match=r"a pool of num_envs=.* takes"):
        envpool_rs.make(task, num_envs=machine // 80_000)  # the frame buffers of a console take 83,200 bytes


def test_a_frame_limit_too_small_for_the_mode_selection_is_named():
    with pytest.raises(ValueError, match="max_num_frames_per_episode=5: expected enough frames for double_dunk"):
        envpool_rs.make("ALE/DoubleDunk-v5", num_envs=1, max_num_frames_per_episode=5)


def test_continuous_actions_must_be_finite():
    env = envpool_rs.make("ALE/Pong-v5", num_envs=2, continuous=True)
    env.reset()
    for value in (np.nan, np.inf, 1e39):
        with pytest.raises(ValueError, match=r"action\[0\] is .*: expected a finite number"):
            env.step([[0, value, 0]] * 2)
    with pytest.raises(ValueError, match=r"shape \(2,\): expected \(2, 3\)"):
        env.step([0, 0])


# Tests of missing, wrong and unreadable cartridges.


def digest(path):
    return hashlib.md5(Path(path).read_bytes()).hexdigest()


@pytest.fixture
def folder(tmp_path):
    """Returns a folder with Pong's cartridge, and its digest."""
    shutil.copy(Path(CARTRIDGES.installed(), "pong.bin"), tmp_path)
    return tmp_path, digest(tmp_path / "pong.bin")


def all_makes(task, **options):
    for make in (envpool_rs.make, envpool_rs.make_vec, envpool_rs.make_gym):
        yield lambda make=make: make(task, **options)


@pytest.mark.parametrize("task", ["Pong-v5", "ALE/Pong-v5"])
def test_a_cartridge_with_a_wrong_digest_is_refused_with_both_digests(task, folder):
    path, expected = folder
    image = (path / "pong.bin").read_bytes()
    wrong = {
        "truncated": image[:-1],
        "prolonged": image + b"\0",
        "changed": bytes([image[0] ^ 1]) + image[1:],
        "of another game": Path(CARTRIDGES.installed(), "breakout.bin").read_bytes(),
        "of nobody": bytes(range(256)) * 16,
        "empty": b"",
        "of a megabyte": bytes(2**20),
    }
    with (path / "pong.bin").open("wb") as file:
        file.truncate(2**40)
    for make in all_makes(task, rom_dir=str(path)):
        with pytest.raises(ValueError, match=r"pong\.bin.*a file of more than 16 MiB"):
            make()
    for content in wrong.values():
        (path / "pong.bin").write_bytes(content)
        found = digest(path / "pong.bin")
        for make in all_makes(task, rom_dir=str(path)):
            with pytest.raises(ValueError, match=f"pong.bin.*{found}.*{expected}"):
                make()


@pytest.mark.parametrize("task", ["Pong-v5", "ALE/Pong-v5"])
def test_a_missing_cartridge_is_named(task, folder):
    path, _ = folder
    (path / "pong.bin").unlink()
    (path / "breakout.bin").mkdir()
    for option in ("rom_dir", "base_path"):
        for make in all_makes(task, **{option: path}):
            with pytest.raises(FileNotFoundError, match=r"pong\.bin"):
                make()
    for make in all_makes(task.replace("Pong", "Breakout"), rom_dir=str(path)):
        with pytest.raises((FileNotFoundError, ValueError), match=r"breakout\.bin"):
            make()


def test_cartridges_may_be_in_a_user_folder(folder):
    path, _ = folder
    expected = envpool_rs.make("Pong-v5", num_envs=2).reset()[0]
    for option in ("rom_dir", "base_path"):
        for value in (path, str(path)):
            env = envpool_rs.make("Pong-v5", num_envs=2, **{option: value})
            np.testing.assert_array_equal(env.reset()[0], expected)
    (path / "atari" / "roms").mkdir(parents=True)
    (path / "pong.bin").rename(path / "atari" / "roms" / "pong.bin")
    for make in (envpool_rs.make_gymnasium, envpool_rs.make_vec):
        assert make("Pong-v5", num_envs=2, base_path=path, seed=42).reset()[0].tobytes() == expected.tobytes()


def run(code, **variables):
    names = {name: value for name, value in os.environ.items() if name != "ALE_ROMS_DIR"}
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True, env=names | variables
    )
    return done.stdout.strip()


WITHOUT_ALE_PY = "import sys; sys.modules['ale_py'] = None; import envpool_rs, gymnasium\n"


def test_a_missing_ale_py_names_the_extra_and_specs_need_none():
    code = """
def make_single(task): gymnasium.make("envpool_rs/" + task.replace("/", "-"))
for make in (envpool_rs.make, envpool_rs.make_gym, envpool_rs.make_vec, make_single):
    for task in ("Pong-v5", "ALE/Pong-v5"):
        try: make(task)
        except ImportError as error: print(error)
print(envpool_rs.make_spec("ALE/Adventure-v5").observation_space.shape, len(envpool_rs.list_all_envs()))
"""
    *errors, spec = run(WITHOUT_ALE_PY + code).splitlines()
    assert len(errors) == 8 and all("pip install 'envpool_rs[atari]'" in error for error in errors)
    assert spec == f"(250, 160, 3) {len(ALL)}"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="a system without fork")
def test_a_process_forked_during_resets_can_reset_games():
    code = """
import os, signal, time, warnings
import envpool_rs
warnings.simplefilter("ignore")
small = dict(noop_max=0, stack_num=1, img_height=8, img_width=8)
for attempt in range(12):
    env = envpool_rs.make("Pong-v5", num_envs=400, batch_size=4, num_threads=2, **small)
    env.async_reset()
    time.sleep(attempt / 2000)
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        envpool_rs.make("Pong-v5", num_envs=1, **small).reset()
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    env.close()
print("done")
"""
    assert run(code) == "done"


def test_ales_environment_variable_selects_the_folder(folder):
    path, _ = folder
    code = "print(envpool_rs.make('Pong-v5').reset()[0].shape)"
    assert run(WITHOUT_ALE_PY + code, ALE_ROMS_DIR=str(path)) == "(1, 4, 84, 84)"
    code = "\ntry: envpool_rs.make('Breakout-v5')\nexcept FileNotFoundError as error: print(error)"
    assert "breakout.bin" in run(WITHOUT_ALE_PY + code, ALE_ROMS_DIR=str(path))
