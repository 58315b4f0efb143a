"""``film``: a film of several environments, side by side in a grid."""

from __future__ import annotations

import contextlib
import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode, VectorEnv

from envpool_rs import _core
from envpool_rs._arguments import entries, integer, optional_number, shown
from envpool_rs._arguments import path as checked_path
from envpool_rs._facades.tuning import random_actions
from envpool_rs._spec.options import render_modes

__all__ = ["film"]

FORMATS = (".gif", ".mp4", ".webm")
"""Ends of the names of films."""

Add: TypeAlias = Callable[[npt.NDArray[np.uint8]], Any]  # adds a frame `(height, width, 3)` to a film
_FRAMES_PER_SECOND = 30
_DRAWN = 256  # batches of random actions, which then start again


def film(
    env: Any,
    policy: Any,
    path: Any,
    grid: tuple[int, int] = (4, 4),
    *,
    steps: int = 500,
    frames_per_second: float | None = None,
    seed: Any = None,
) -> Path:
    """Resets an environment, plays ``steps`` steps, and writes a film of its environments in a grid. Returns the path.

    Args:
        env: any environment with ``reset``, ``step`` and ``render``, made with ``render_mode="rgb_array"``: a pool, a
            vector environment, a single one, or Stable-Baselines3's. It stays open.
        policy: function of observations that returns actions; an object with the ``predict`` of Stable-Baselines3's
            models; or ``None`` for random actions.
        path: file to be written; its name ends in ``.gif``, ``.mp4`` or ``.webm``.
        grid: rows and columns of the pictures. The first ``rows * columns`` environments are shown.
        steps: number of steps; the film also has the picture of the reset.
        frames_per_second: speed of the film; ``None`` for the task's own.
        seed: seed of the reset, for environments whose ``reset`` takes one.

    Raises:
        ValueError: for a path or grid that is not allowed, an environment that renders no pictures, and several
            environments that do not begin their next episodes themselves: autoreset mode ``"disabled"``.
        TypeError: for an environment or a policy that is none.
        ImportError: if the library that writes the format is not installed; names the extra ``envpool_rs[film]``.
        OSError: if the film cannot be written.
    """
    place, (rows, columns) = place_of("path", path), grid_of(grid)
    steps = integer("steps", steps, 0)
    rate = optional_number(
        "frames_per_second", frames_per_second, "None or a number above 0", lambda each: 0 < each < float("inf")
    )
    if not all(callable(getattr(env, name, None)) for name in ("reset", "step", "render")):
        raise TypeError(f"env={shown(env)}: expected an environment with reset, step and render")
    if _never_resets(env):
        raise ValueError("env has autoreset_mode='disabled': expected one that begins the next episodes itself")
    if policy is not None and not callable(policy) and not hasattr(policy, "predict"):
        raise TypeError(f"policy={shown(policy)}: expected a function, an object with a method predict, or None")
    act = _policy_of(policy, env)
    is_single = isinstance(env, gymnasium.Env) and not isinstance(env, _core.Pool)
    observation = _observation(env.reset() if seed is None else env.reset(seed=seed))
    with filmed(env, place, (rows, columns), rate) as add_picture:
        for _ in range(steps):
            result = env.step(act(observation))
            if is_single and (result[2] or result[3]):
                result = env.reset()  # a single environment does not begin its next episode itself
            observation = _observation(result)
            add_picture()
    return place


def place_of(name: str, path: Any) -> Path:
    """Returns the path of a film that can be written."""
    checked = checked_path(name, path, expected := "the path of a film")
    if checked is None:
        raise TypeError(f"{name}=None: expected {expected}")
    check_place(Path(checked))
    return Path(checked)


def grid_of(grid: Any) -> tuple[int, int]:
    """Returns the numbers of rows and columns of a film's pictures."""
    rows, columns = (
        integer(f"grid[{k}]", each, 1) for k, each in enumerate(entries("grid", grid, 2, "(rows, columns)"))
    )
    return rows, columns


@contextlib.contextmanager
def filmed(env: Any, path: Path, grid: tuple[int, int], rate: float | None = None) -> Iterator[Callable[[], None]]:
    """Context manager that films an environment; returns a function that adds a picture after the first one."""
    rows, columns = grid
    count = min(int(getattr(env, "num_envs", 0) or _size(env)), rows * columns)
    metadata = getattr(env, "metadata", None) or {}
    speed = rate or metadata.get("render_fps") or _FRAMES_PER_SECOND
    picture = tiled(frames_of(env, count), columns)
    with writer(path, max(1, round(speed)), (picture.shape[1], picture.shape[0])) as add:
        add(picture)
        yield lambda: add(tiled(frames_of(env, count), columns))


def _never_resets(env: Any) -> bool:
    is_pool = isinstance(env, _core.Pool)
    mode = env.spec.autoreset_mode if is_pool else (getattr(env, "metadata", None) or {}).get("autoreset_mode")
    return bool(mode == AutoresetMode.DISABLED)


def _size(env: Any) -> int:
    try:
        return len(env)
    except TypeError:
        return 1


def _observation(result: Any) -> Any:
    """Returns the observation in the result of a reset or step of any interface."""
    if hasattr(result, "step_type"):
        return result.observation
    return result[0] if isinstance(result, tuple) else result


def _policy_of(policy: Any, env: Any) -> Callable[[Any], Any]:
    if policy is None:
        if isinstance(env, (gymnasium.Env, VectorEnv)) and not isinstance(env, _core.Pool):
            space = env.action_space
            return lambda observation: space.sample()
        # The action space of pools, and of Stable-Baselines3's environments, is that of one environment.
        if isinstance(env, _core.Pool):
            pool: Any = env
            rows = len(pool) * pool.spec.rows
            drawn = itertools.cycle(random_actions(pool.spec.gymnasium_action_space, rows, _DRAWN))
        else:
            drawn = itertools.cycle(random_actions(env.action_space, env.num_envs, _DRAWN))
        return lambda observation: next(drawn)
    function: Callable[[Any], Any] = policy_function(policy)
    return function


def policy_function(policy: Any) -> Any:
    """Returns a function of observations that returns a policy's actions; ``None`` for ``None``."""
    if hasattr(policy, "predict"):
        return lambda observation: policy.predict(observation, deterministic=True)[0]
    return policy


def frames_of(env: Any, count: int) -> list[npt.NDArray[np.uint8]]:
    """Returns pictures of the first ``count`` environments of any interface."""
    if isinstance(env, _core.Pool):
        pool: Any = env
        native = getattr(pool._spec, "pool", None)
        if native is not None and "rgb_array" not in render_modes(native):
            raise ValueError(f"env={shown(env)}: {pool._spec.task_id} draws no pictures; expected a task that does")
        found = pool.render(np.arange(count, dtype=np.int32))
    elif hasattr(env, "get_images"):
        found = env.get_images()
    else:
        found = env.render()
    frames = [found] if isinstance(found, np.ndarray) and found.ndim == 3 else list(() if found is None else found)  # noqa: PLR2004
    is_picture = [isinstance(each, np.ndarray) and each.ndim == 3 and each.shape[2] == 3 for each in frames[:count]]  # noqa: PLR2004
    if not is_picture or not all(is_picture):
        raise ValueError(f"env={shown(env)}: expected an environment made with render_mode='rgb_array'")
    return frames[:count]


def tiled(frames: Sequence[npt.NDArray[np.uint8]], columns: int) -> npt.NDArray[np.uint8]:
    """Returns one picture of several of the same size, row by row in as many columns."""
    columns = min(columns, len(frames))
    height, width, colors = frames[0].shape
    rows = -(-len(frames) // columns)
    room = np.zeros((rows * columns, height, width, colors), np.uint8)
    room[: len(frames)] = frames
    tiles: npt.NDArray[np.uint8] = room.reshape(rows, columns, height, width, colors).swapaxes(1, 2)
    return tiles.reshape(rows * height, -1, colors)


def check_place(path: Path) -> None:
    """Raises an error for a file name that is no film's, and for a folder that does not exist."""
    if path.suffix.lower() not in FORMATS:
        raise ValueError(f"{str(path)!r}: expected a name that ends in {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")
    if not path.absolute().parent.is_dir():
        raise FileNotFoundError(f"{str(path)!r}: there is no folder {str(path.absolute().parent)!r}")


@contextlib.contextmanager
def writer(path: Path, frames_per_second: int, size: tuple[int, int]) -> Iterator[Add]:
    """Context manager that writes a film of this width and height to ``path``; returns a function that adds frames.

    After an exception, there is no new file.
    """
    check_place(path)
    partial = path.with_name(f"{path.stem}.partial{path.suffix}")
    is_gif = path.suffix.lower() == ".gif"
    try:
        with _gif(partial, frames_per_second) if is_gif else _video(partial, frames_per_second, size) as add:
            yield add
        if partial.exists():
            partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)


@contextlib.contextmanager
def _gif(path: Path, frames_per_second: int) -> Iterator[Add]:
    """Writes a GIF that repeats forever. All frames are in memory until the end, one byte per pixel."""
    try:
        from PIL import Image
    except ImportError as error:
        raise ImportError("films in GIF need Pillow: pip install 'envpool_rs[film]'") from error
    frames: list[Any] = []
    yield lambda frame: frames.append(Image.fromarray(frame).quantize(colors=256))
    if frames:
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=1000 / frames_per_second, loop=0)


@contextlib.contextmanager
def _video(path: Path, frames_per_second: int, size: tuple[int, int]) -> Iterator[Add]:
    """Writes a video that ffmpeg encodes while frames are added."""
    try:
        import imageio_ffmpeg
    except ImportError:
        program = shutil.which("ffmpeg")
    else:
        program = imageio_ffmpeg.get_ffmpeg_exe()
    if program is None:
        raise ImportError("films other than GIF need ffmpeg: pip install 'envpool_rs[film]', or install the program")
    raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{size[0]}x{size[1]}", "-r", f"{frames_per_second}", "-i", "-"]
    # Video players require an even width and height and this pixel format.
    made = ["-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p", str(path)]
    command = [program, "-y", "-loglevel", "error", *raw, *made]
    process: Any = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        with contextlib.suppress(BrokenPipeError):  # ffmpeg has ended, with an error
            yield lambda frame: process.stdin.write(frame.tobytes())
    finally:
        _, said = process.communicate()
        if process.returncode != 0:
            raise OSError(f"ffmpeg could not write {str(path)!r}: {said.decode(errors='replace').strip()}")
