"""Tests the start of ViZDoom's engines: with and without a cached archive, and with a faster copy of the screen."""

import os
from importlib.util import find_spec
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from leftovers import children
from references.batch import flat

pytestmark = pytest.mark.skipif(find_spec("vizdoom") is None, reason="vizdoom is not installed")

VARIABLE = "ENVPOOL_RS_CACHE"


def programs():
    """Returns the paths of the executables of this process's engines."""
    commands = [Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") for pid in children()]
    return {os.fsdecode(command[0]) for command in commands if b"+viz_instance_id" in command}


def code_changes():
    """Returns for each engine the number of bytes of its code that differ from its program file."""
    changes = []
    for pid in children():
        maps = Path(f"/proc/{pid}/maps").read_text().splitlines()
        code = next((line.split() for line in maps if "r-xp" in line and line.endswith("/vizdoom")), None)
        if code:
            start, end = (int(address, 16) for address in code[0].split("-"))
            offset = int(code[2], 16)
            with Path(f"/proc/{pid}/mem").open("rb") as memory:
                memory.seek(start)
                found = np.frombuffer(memory.read(end - start), np.uint8)
            expected = np.frombuffer(Path(code[5]).read_bytes(), np.uint8)[offset : offset + len(found)]
            changes.append(int((found[: len(expected)] != expected).sum()))
    return changes


def played(task, options, steps=20, seen=programs):
    """Plays a short game; returns copies of all arrays that the pool returned, and what `seen` returns while engines
    run.
    """
    env = envpool_rs.make_vec(task, 2, **options)
    found = [*flat(env.reset(seed=4)[0])]
    env.action_space.seed(0)
    for _ in range(steps):
        observation, reward, terminated, truncated, _ = env.step(env.action_space.sample())
        found += [*flat(observation), reward, terminated, truncated]
    found = [np.copy(array) for array in found]
    result = seen()
    env.close()
    return found, result


def archives(folder):
    return sorted(folder.glob("*/vizdoom.pk3"))


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("VizdoomBasicNotifications-v1", {"frame_skip": 4, "audio_buffer_enabled": False}),
        (
            "VizdoomFreedoom2MAP01-S3-v0",
            {
                "frame_skip": 3,
                "audio_buffer_enabled": False,
                "render_hud": True,
                "render_messages": True,
                "automap_buffer_enabled": True,
                "notifications_buffer_enabled": True,
            },
        ),
    ],
    ids=["notifications", "status bar and messages"],
)
def test_a_game_is_equal_with_a_cached_archive(task, options, tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, "off")
    expected, names = played(task, options)
    assert not any(name.startswith(str(tmp_path)) for name in names)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    found, names = played(task, options)
    assert names == {str(path.with_name("vizdoom")) for path in archives(tmp_path / "cache")}
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def started(**options):
    env = envpool_rs.make("Basic-v1", num_envs=1, **options)
    observation = env.reset()[0].copy()
    names = programs()
    env.close()
    return observation, names


def test_a_damaged_or_missing_archive_is_rebuilt(tmp_path, monkeypatch):
    monkeypatch.setenv(VARIABLE, str(tmp_path))
    expected, _ = started()
    (archive,) = archives(tmp_path)
    whole = archive.read_bytes()
    archive.write_bytes(whole[:1000] + b"damage" + whole[1006:])
    np.testing.assert_array_equal(started()[0], expected)
    assert archive.read_bytes() == whole
    env = envpool_rs.make("Basic-v1", num_envs=1)
    archive.unlink()
    np.testing.assert_array_equal(env.reset()[0], expected)
    assert not any(name.startswith(str(tmp_path)) for name in programs())
    env.close()


def test_engines_start_without_an_archive_if_the_cache_is_unusable(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "file"))
    expected, names = started()
    assert not any(name.startswith(str(tmp_path)) for name in names)
    monkeypatch.setenv(VARIABLE, str(tmp_path / "cache"))
    observation, names = started(game_args="+language fra")
    np.testing.assert_array_equal(observation, expected)
    assert not any(name.startswith(str(tmp_path)) for name in names)
    assert archives(tmp_path / "cache") == []


@pytest.fixture(name="unknown_package")
def package_with_an_unknown_engine(tmp_path):
    """Returns a folder like that of the package vizdoom, whose engine has a byte more at its end."""
    package = Path(find_spec("vizdoom").origin).parent
    folder = tmp_path / "vizdoom"
    folder.mkdir()
    for path in package.iterdir():
        (folder / path.name).symlink_to(path)
    (tmp_path / "vizdoom.libs").symlink_to(package.with_name("vizdoom.libs"))
    (folder / "vizdoom").unlink()
    (folder / "vizdoom").write_bytes((package / "vizdoom").read_bytes() + b"\0")
    (folder / "vizdoom").chmod(0o755)
    return folder


FLASHES = {"frame_skip": 4, "render_screen_flashes": True, "audio_buffer_enabled": False}


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("VizdoomBasic-v1", {"automap_buffer_enabled": True}),
        ("VizdoomFreedoom2MAP01-S3-v0", FLASHES | {"screen_format": "RGB24", "screen_resolution": "RES_640X480"}),
        ("VizdoomFreedoom2MAP01-S3-v0", FLASHES | {"screen_format": "GRAY8"}),
    ],
    ids=["palette", "flashes", "gray flashes"],
)
def test_a_faster_copy_of_the_screen_gives_equal_pictures(task, options, unknown_package):
    found, changes = played(task, options, seen=code_changes)
    assert len(changes) == 2
    assert all(changes)
    expected, changes = played(task, options | {"vizdoom_dir": str(unknown_package)}, seen=code_changes)
    assert changes == [0, 0]
    for ours, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(ours, theirs)


def test_an_engine_whose_screen_has_gaps_is_not_changed():
    _, changes = played("VizdoomBasic-v1", {"screen_resolution": "RES_800X600"}, steps=1, seen=code_changes)
    assert changes == [0, 0]
