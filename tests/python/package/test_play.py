"""Tests ``envpool-rs play``: output in the terminal, control by the keyboard, and videos."""

import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from envpool_rs.cli import main
from envpool_rs.cli.main import film, half_blocks, key_of, size_in_terminal


def play(capsys, *arguments):
    """Returns a function that runs a command, and returns its exit code, output and errors."""
    code = main(["play", *arguments])
    return code, *capsys.readouterr()


def test_play_shows_a_task_step_by_step(capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "12")
    code, out, _ = play(capsys, "CartPole-v1", "--steps", "3", "--fps", "1000")
    assert code == 0
    assert re.findall(r"CartPole-v1  step (\d)  return (\d)", out) == [(str(step), str(step)) for step in range(4)]
    assert out.count("▀") == 4 * 30 * 10  # 600 by 400 pixels in 10 lines
    assert out.endswith("\x1b[?25h\n"), "the cursor is back"


def test_play_shows_a_task_in_text(capsys):
    code, out, _ = play(capsys, "CliffWalking-v1", "--text", "--steps", "1", "--fps", "1000")
    assert code == 0 and out.count("x  C  C") + out.count("x  o  o") == 2


def test_play_shows_tasks_of_several_players(capsys):
    assert play(capsys, "SimpleSpeakerListener-v4", "--steps", "2", "--fps", "1000")[0] == 0


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["CartPol-v1"], "CartPole-v1"),
        (["NChain-v0"], "NChain-v0: draws no pictures"),
        (["CartPole-v1", "--text"], "render_mode='ansi'"),
        (["CartPole-v1", "--out", "film.avi"], "expected a name that ends in .gif, .mp4 or .webm"),
        (["CartPole-v1", "--out", "no/such/folder/film.gif"], "there is no folder"),
        (["CartPole-v1", "--out", "film.gif", "--keys"], "neither --text nor --keys"),
        (["CartPole-v1", "--keys"], "the input is none"),
    ],
)
def test_play_refuses_tasks_without_pictures(capsys, monkeypatch, arguments, says):
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        code, _, err = play(capsys, *arguments)
    assert code == 2 and says in err


def test_numbers_out_of_range_are_refused(capsys):
    for arguments in (["--steps", "0"], ["--fps", "0"], ["--fps", "nan"]):
        with pytest.raises(SystemExit):
            main(["play", "CartPole-v1", *arguments])
        assert arguments[0] in capsys.readouterr().err


def test_films_require_their_extra(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "PIL", None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", "")
    for name in ("film.gif", "film.mp4"):
        with pytest.raises(ImportError, match=r"envpool_rs\[film\]"), film(tmp_path / name, 10, (60, 40)):
            pass


def test_a_gif_contains_every_picture(capsys, tmp_path):
    image = pytest.importorskip("PIL.Image")
    path = tmp_path / "film.gif"
    assert play(capsys, "CartPole-v1", "--steps", "6", "--out", str(path))[0] == 0
    with image.open(path) as opened:
        assert (opened.size, opened.n_frames, opened.info["duration"]) == ((600, 400), 7, 20)


PRETEND_FFMPEG = """#!{python}
import sys
data = sys.stdin.buffer.read()
if "fail" in sys.argv[-1]:
    sys.exit("no room")
open(sys.argv[-1], "wb").write(data)
"""


@pytest.fixture
def ffmpeg(monkeypatch, tmp_path):
    """Installs a fake ffmpeg, which writes its input unchanged to the output file."""
    program = tmp_path / "ffmpeg"
    program.write_text(PRETEND_FFMPEG.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def test_ffmpeg_gets_every_picture(capsys, ffmpeg):
    path = ffmpeg / "film.mp4"
    assert play(capsys, "FrozenLake-v1", "--steps", "2", "--out", str(path))[0] == 0
    assert path.stat().st_size == 3 * 256 * 256 * 3


def test_error_messages_of_ffmpeg_are_reported(capsys, ffmpeg):
    code, _, err = play(capsys, "FrozenLake-v1", "--steps", "2", "--out", str(ffmpeg / "fail.mp4"))
    assert code == 2 and "ffmpeg could not write" in err and "no room" in err


def test_two_pixels_share_a_character():
    picture = np.zeros((2, 3, 3), np.uint8)
    picture[0, 2] = 255
    assert half_blocks(picture) == ("\x1b[38;2;0;0;0;48;2;0;0;0m▀▀\x1b[38;2;255;255;255;48;2;0;0;0m▀\x1b[0m")


def test_pictures_fit_the_terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    assert size_in_terminal(600, 400) == (66, 44)
    assert size_in_terminal(768, 256) == (80, 26)
    assert size_in_terminal(20, 10) == (20, 10)


def test_keys_are_decoded_from_terminal_sequences():
    assert [key_of(data) for data in (b"\x1b[A", b"\x1b[D", b"q", b"ab", b"\xff", b"x\x1b[C")] == [
        *["up", "left", "q", "b", None],
        "right",
    ]


def test_keys_control_a_game_and_the_terminal_is_restored():
    pty = pytest.importorskip("pty")
    command = [sys.executable, "-m", "envpool_rs", "play", "CliffWalking-v1", "--keys", "--text"]
    terminal, theirs = pty.openpty()
    child = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs)
    shown = until(terminal, "step 0")
    for number, key in enumerate(["\x1b[A", "\x1b[C", "\x1b[C"], 1):
        os.write(terminal, key.encode())
        shown = until(terminal, f"step {number}")
    assert shown.count("x") == 1 and "o  o  x  o" in shown
    os.write(terminal, b"q")
    assert until(terminal, "\x1b[?25h")
    assert child.wait(60) == 0
    os.close(terminal)
    os.close(theirs)


def until(terminal, text, seconds=60):
    """Returns a terminal's output up to and including ``text``."""
    shown, end = "", time.monotonic() + seconds
    while text not in shown:
        assert time.monotonic() < end, shown
        if select.select([terminal], [], [], 0.1)[0]:
            shown += os.read(terminal, 4096).decode(errors="replace")
    return shown
