"""Tests ``envpool-rs play``: output in the terminal, control by the keyboard, and videos."""

import contextlib
import os
import re
import select
import subprocess
import sys
import time
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_rs.cli import main
from envpool_rs.cli.main import half_blocks, key_of, size_in_terminal
from envpool_rs.films import tiled, writer


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
        (["CartPole-v1", "--text"], "--text: CartPole-v1 has no text; leave it out"),
        (["CartPole-v1", "--out", "film.avi"], "expected a name that ends in .gif, .mp4 or .webm"),
        (["CartPole-v1", "--out", "no/such/folder/film.gif"], "there is no folder"),
        (["CartPole-v1", "--out", "film.gif", "--keys"], "neither --text nor --keys"),
        (["CartPole-v1", "--keys"], "the input is none"),
        (["CartPole-v1", "--num-envs", "4", "--keys"], "--num-envs=4: expected 1 with --text or --keys"),
        (["CartPole-v1", "--policy", "nothing"], "--policy='nothing': expected module:function"),
        (["CartPole-v1", "--policy", "math:nothing"], "--policy='math:nothing'"),
        (["CartPole-v1", "--policy", "math:pi"], "expected a function, or an object with a method predict"),
        (["CartPole-v1", "-o", "gravitation=3"], "gravitation"),
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
        with pytest.raises(ImportError, match=r"envpool_rs\[film\]"), writer(tmp_path / name, 10, (60, 40)):
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


def test_play_shows_many_environments_of_a_policy_in_a_grid(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("LINES", "22")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my_policy.py").write_text("import numpy as np\ndef left(obs): return np.zeros(len(obs), np.int64)\n")
    arguments = ["--num-envs", "4", "-o", "max_episode_steps=5", "--policy", "my_policy:left"]
    code, out, _ = play(capsys, "CartPole-v1", *arguments, "--steps", "7", "--fps", "1000")
    assert code == 0
    found = re.findall(r"CartPole-v1  step (\d+)  mean return (\d+)", out)
    assert [int(mean) for _, mean in found] == [0, 1, 2, 3, 4, 0, 0, 1]
    assert out.count("▀") % (8 * 2 * 30) == 0, "two columns and two rows of tiles"


def test_a_film_shows_a_grid_of_any_interface(tmp_path):
    image = pytest.importorskip("PIL.Image")
    gymnasium = pytest.importorskip("gymnasium")
    options = {"render_mode": "rgb_array"}
    small = {"render_width": 60, "render_height": 40, **options}
    envs = {
        "make": envpool_rs.make("CartPole-v1", num_envs=6, **small),
        "gym": envpool_rs.make_gym("CartPole-v1", num_envs=6, **small),
        "dm": envpool_rs.make_dm("CartPole-v1", num_envs=6, **small),
        "vec": envpool_rs.make_vec("CartPole-v1", 6, **small),
        "python": envpool_rs.make_vec("CartPole-v1", 2, "shared_memory", **options),
        "sync": gymnasium.make_vec("CartPole-v1", 2, "sync", **options),
        "single": gymnasium.make("envpool_rs/CartPole-v1", **small),
    }
    pools = dict.fromkeys(("make", "gym", "dm", "vec"), (120, 80))
    sizes = {**pools, "python": (1200, 400), "sync": (1200, 400), "single": (60, 40)}
    with contextlib.ExitStack() as stack:
        for env in envs.values():
            stack.callback(env.close)
        for name, env in envs.items():
            path = envpool_rs.film(env, None, tmp_path / f"{name}.gif", (2, 2), steps=30, seed=3, frames_per_second=50)
            with image.open(path) as opened:
                assert (opened.size, pictures_of(opened, 20)) == (sizes[name], 31), name


def pictures_of(film, milliseconds):
    """Returns the number of pictures of a GIF, in which one frame shows equal pictures for their time together."""
    times = []
    for number in range(film.n_frames):
        film.seek(number)
        times.append(film.info["duration"])
    assert all(time >= milliseconds and time % milliseconds == 0 for time in times)
    return sum(times) // milliseconds


def test_a_film_follows_a_policy_with_or_without_predict(tmp_path):
    image = pytest.importorskip("PIL.Image")

    class Model:
        def predict(self, observation, deterministic):
            assert deterministic
            return left(observation), None

    def left(observation):
        return np.zeros(len(observation), np.int64)

    films = []
    for policy in (left, Model()):
        with contextlib.closing(envpool_rs.make_vec("CartPole-v1", 3, **SMALL)) as env:
            envpool_rs.film(env, policy, tmp_path / "film.gif", (1, 4), steps=9, seed=3, frames_per_second=10)
        with image.open(tmp_path / "film.gif") as opened:
            assert opened.size == (180, 40) and opened.info["duration"] == 100
            opened.seek(9)
            films.append(np.array(opened.convert("RGB")))
    np.testing.assert_array_equal(*films)


SMALL = {"render_mode": "rgb_array", "render_width": 60, "render_height": 40}


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"path": "film.avi"}, ValueError, "expected a name that ends in"),
        ({"path": None}, TypeError, "path=None: expected the path of a film"),
        ({"grid": (0, 4)}, ValueError, r"grid\[0\]=0: expected 1 or more"),
        ({"grid": 4}, TypeError, r"grid=4: expected \(rows, columns\)"),
        ({"grid": np.array(4)}, TypeError, r"grid=array\(4\): expected \(rows, columns\)"),
        ({"policy": 3}, TypeError, "policy=3: expected a function, an object with a method predict, or None"),
        ({"steps": -1}, ValueError, "steps=-1: expected 0 or more"),
        ({"frames_per_second": 0}, ValueError, "frames_per_second=0: expected None or a number above 0"),
    ],
)
def test_wrong_arguments_of_a_film_are_refused_by_name(tmp_path, arguments, error, message):
    given = {"policy": None, "path": tmp_path / "film.gif", **arguments}
    with contextlib.closing(envpool_rs.make_vec("CartPole-v1", 2, **SMALL)) as env, pytest.raises(error, match=message):
        envpool_rs.film(env, **given)


def test_a_film_of_an_environment_without_pictures_is_refused(tmp_path):
    for make in (envpool_rs.make, envpool_rs.make_vec):
        with contextlib.closing(make("CartPole-v1", num_envs=2)) as env, pytest.raises((ValueError, RuntimeError)):
            envpool_rs.film(env, None, tmp_path / "film.gif")
    for task in ("Catch-v0", "NChain-v0"):
        env = contextlib.closing(envpool_rs.make_vec(task, num_envs=2))
        with env as pool, pytest.raises(ValueError, match=f"{task} draws no pictures; expected a task that does"):
            envpool_rs.film(pool, None, tmp_path / "film.gif")
    assert not list(tmp_path.iterdir())


def test_a_film_of_several_environments_requires_autoreset(tmp_path):
    for make in (envpool_rs.make_gym, envpool_rs.make_vec):
        options = {**SMALL, "autoreset_mode": "disabled"}
        refused = pytest.raises(ValueError, match="env has autoreset_mode='disabled': expected one that begins")
        with contextlib.closing(make("CartPole-v1", num_envs=2, **options)) as env, refused:
            envpool_rs.film(env, None, tmp_path / "film.gif")
    with pytest.raises(TypeError, match="env='CartPole-v1': expected an environment with reset, step and render"):
        envpool_rs.film("CartPole-v1", None, tmp_path / "film.gif")


def failing(observation):
    raise ArithmeticError("a policy without a value")


@pytest.mark.parametrize("name", ["film.gif", "film.mp4"])
def test_an_error_leaves_no_new_film_and_keeps_an_old_one(ffmpeg, name):
    if name == "film.gif":
        pytest.importorskip("PIL.Image")
    path = ffmpeg / name
    for content in (None, b"an older film"):
        if content is not None:
            path.write_bytes(content)
        with (
            contextlib.closing(envpool_rs.make_vec("CartPole-v1", 2, **SMALL)) as env,
            pytest.raises(ArithmeticError, match="without a value"),
        ):
            envpool_rs.film(env, failing, path)
        found = {each.name: each.read_bytes() for each in ffmpeg.iterdir() if each.name != "ffmpeg"}
        assert found == ({} if content is None else {name: content})


def test_an_evaluation_is_filmed(ffmpeg):
    def left(observation):
        return np.zeros(len(observation), np.int64)

    path = ffmpeg / "film.mp4"
    options = {"render_width": 60, "render_height": 40}
    filmed = envpool_rs.evaluate(left, "CartPole-v1", 3, num_envs=2, film=path, grid=(2, 1), **options)
    plain = envpool_rs.evaluate(left, "CartPole-v1", 3, num_envs=2)
    assert filmed.returns.tolist() == plain.returns.tolist()
    assert path.stat().st_size % (80 * 60 * 3) == 0 and path.stat().st_size // (80 * 60 * 3) > max(plain.lengths)
    with pytest.raises(ValueError, match="expected a name that ends in"):
        envpool_rs.evaluate(left, "CartPole-v1", 3, film="film.avi")


OWN_TASK = """
import numpy as np
from envpool_rs import numba
from gymnasium import spaces


@numba.env("Dot-v0", observation=spaces.Box(0, 8, (1,), np.float32), action=2, state=("int64", 1), frame=(8, 4))
class Dot:
    def reset(state):
        state[0] = 0

    def step(state, action):
        state[0] = (state[0] + 1 + action) % 8
        return 1.0, False

    def observe(state, out):
        out[0] = state[0]

    def render(state, picture):
        picture[:] = 0
        picture[:, state[0]] = 255
"""


def test_a_task_of_a_python_file_is_played(ffmpeg):
    pytest.importorskip("numba")
    plugin, path = ffmpeg / "dots.py", ffmpeg / "film.mp4"
    plugin.write_text(OWN_TASK)
    (ffmpeg / "own_policy.py").write_text("def wait(observation):\n    return [0] * len(observation)\n")
    command = [sys.executable, "-m", "envpool_rs", "play", "Dot-v0", "--plugin", str(plugin), "--num-envs", "2"]
    command += ["--policy", "own_policy:wait", "--steps", "3", "--out", str(path)]
    hidden = "import sys; sys.modules['imageio_ffmpeg'] = None; from envpool_rs.cli import main; sys.exit(main())"
    command[1:3] = ["-c", hidden]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ffmpeg)
    assert done.returncode == 0, done.stderr
    film = np.fromfile(path, np.uint8).reshape(4, 4, 2, 8, 3)
    assert film[:, 0, 0, :, 0].argmax(1).tolist() == [0, 1, 2, 3] and np.array_equal(film[:, :, 0], film[:, :, 1])


def test_a_film_of_many_environments_is_small(ffmpeg, capsys):
    path = ffmpeg / "film.mp4"
    assert play(capsys, "Pendulum-v1", "--num-envs", "9", "--steps", "1", "--out", str(path))[0] == 0
    assert np.fromfile(path, np.uint8).size == 2 * 960 * 960 * 3


def test_tiles_fill_rows_and_leave_the_rest_black():
    frames = [np.full((2, 3, 3), value, np.uint8) for value in (1, 2, 3)]
    picture = tiled(frames, 2)
    assert picture.shape == (4, 6, 3)
    assert picture[::2, ::3, 0].tolist() == [[1, 2], [3, 0]]
    assert tiled(frames[:1], 4).shape == (2, 3, 3)
