"""``envpool-rs play``: shows a task in the terminal, records a video, or lets the user play by the keyboard."""

from __future__ import annotations

import argparse
import contextlib
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from gymnasium import spaces

from envpool_rs._make.make import make_spec, make_vec
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.cli.film import FORMATS, Film, film
from envpool_rs.cli.terminal import Keyboard, half_blocks, size_in_terminal
from envpool_rs.cli.text import positive_float, positive_int

if TYPE_CHECKING:
    from envpool_rs.cli.text import Commands

_MAX_TURN_BASED_RATE = 4
"""Frame rate up to which an environment waits for a key before each step."""

_VIZDOOM = (
    *("VizdoomBasic", "VizdoomBasicAudio", "VizdoomBasicNotifications", "VizdoomDefendCenter", "VizdoomDefendLine"),
    *("VizdoomHealthGathering", "VizdoomHealthGatheringSupreme", "VizdoomPredictPosition"),
)
"""ViZDoom scenarios whose actions are left, right and a third one: attack or move forward."""

_KEYS: dict[str, dict[str, float]] = {
    "CartPole": {"left": 0, "right": 1},
    "MountainCar": {"left": 0, "down": 1, "right": 2},
    "MountainCarContinuous": {"left": -1, "down": 0, "right": 1},
    "Acrobot": {"left": 0, "down": 1, "right": 2},
    "Pendulum": {"left": 2, "down": 0, "right": -2},
    "FrozenLake": {"left": 0, "down": 1, "right": 2, "up": 3},
    "FrozenLake8x8": {"left": 0, "down": 1, "right": 2, "up": 3},
    "CliffWalking": {"up": 0, "right": 1, "down": 2, "left": 3},
    "CliffWalkingSlippery": {"up": 0, "right": 1, "down": 2, "left": 3},
    "Taxi": {"down": 0, "up": 1, "right": 2, "left": 3, "p": 4, "d": 5},
    "Blackjack": {"s": 0, "h": 1},
    "VizdoomTakeCover": {"left": 2, "right": 1, "down": 0},
    "VizdoomMyWayHome": {"left": 5, "right": 4, "up": 3, "down": 0},
    **{name: {"left": 3, "right": 2, "up": 1, "down": 0} for name in _VIZDOOM},
}
"""Action of each key, by the task's name without its version. Digits are action numbers in every task."""

_IDLE_ACTIONS = {
    **{"MountainCar": 1, "MountainCarContinuous": 0, "Acrobot": 1, "Pendulum": 0},
    **dict.fromkeys(["VizdoomTakeCover", "VizdoomMyWayHome", *_VIZDOOM], 0),
}
"""Actions while no key is pressed, for tasks that continue then; other tasks repeat the last key's action."""


def add_to(commands: Commands) -> None:
    """Adds the command ``play`` to the command line."""
    parser = commands.add_parser(
        "play",
        help="watch, film or play a task",
        description="Plays a task with random actions, or by the keyboard, and shows it in the terminal or in a film.",
    )
    parser.add_argument("task", metavar="TASK", help="a task's id, as in `list`")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"make a film ({', '.join(FORMATS)}) instead")
    parser.add_argument("--keys", action="store_true", help="play by the keyboard: arrows, or digits; q ends")
    parser.add_argument("--text", action="store_true", help="show the environment's text instead of its picture")
    parser.add_argument("--steps", type=positive_int, default=500, help="steps to play (500)")
    parser.add_argument("--seed", type=int, default=0, help="of the environment and of the actions (0)")
    parser.add_argument("--fps", type=positive_float, default=None, help="pictures per second (the task's own)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Shows the task in the terminal, records a video, or lets the user play by the keyboard.

    Raises:
        ValueError: for a task that does not exist or cannot be rendered, and for conflicting options.
        ImportError: if a video needs a package that is not installed.
        OSError: if there is no keyboard, or a video cannot be written.
    """
    spec: Any = make_spec(options.task)
    if not isinstance(spec, EnvSpec) or spec.pool.picture_size is None:
        raise ValueError(f"{options.task}: draws no pictures")
    if options.out is not None and (options.text or options.keys):
        raise ValueError("--out makes a film of random play: expected neither --text nor --keys with it")
    rate = options.fps or spec.pool.render_fps
    with contextlib.closing(_make_env(options, spec)) as env:
        if options.out is not None:
            _film(env, options, film(options.out, max(1, round(rate))))
        else:
            keyboard = Keyboard() if options.keys else None
            with _screen(), keyboard or contextlib.nullcontext():
                _show(env, options, _Player(env, keyboard, options.task, rate))
    return 0


def _make_env(options: argparse.Namespace, spec: EnvSpec) -> Any:
    if options.text:
        return make_vec(options.task, 1, render_mode="ansi", seed=options.seed)
    size = spec.pool.picture_size or (1, 1)
    width, height = size if options.out is not None else size_in_terminal(*size)
    shown: dict[str, Any] = {"render_mode": "rgb_array", "render_width": width, "render_height": height}
    return make_vec(options.task, 1, seed=options.seed, **shown)


def _film(env: Any, options: argparse.Namespace, to: Film) -> None:
    env.reset()
    env.action_space.seed(options.seed)
    with contextlib.closing(to):
        to.add(env.render()[0])
        for _ in range(options.steps):
            env.step(env.action_space.sample())
            to.add(env.render()[0])
    print(f"{options.out}: {options.steps + 1} pictures of {options.task}")


@dataclass
class _Player:
    """Supplies actions from the keyboard or at random, at the environment's frame rate.

    Attributes:
        env: the environment.
        keyboard: the keyboard that selects actions; ``None`` for random actions.
        task: the task's id.
        rate: steps per second.
    """

    env: Any
    keyboard: Keyboard | None
    task: str
    rate: float

    def __post_init__(self) -> None:
        name = self.task.rpartition("/")[2].rpartition("-v")[0]
        self._keys = _KEYS.get(name, {})
        self._resting = _IDLE_ACTIONS.get(name)
        self._last = 0.0
        self._next = time.monotonic()

    def action(self) -> Any:
        """Returns the next action; ``None`` if the user ended the program."""
        if self.keyboard is None:
            self._next = max(self._next, time.monotonic() - 1) + 1 / self.rate
            time.sleep(max(0.0, self._next - time.monotonic()))
            return self.env.action_space.sample()
        key = self.keyboard.pressed(None if self.rate <= _MAX_TURN_BASED_RATE else 1 / self.rate)
        if key == "q":
            return None
        if key is None and self._resting is not None:
            self._last = self._resting
        elif key is not None and key in self._keys:
            self._last = self._keys[key]
        elif key is not None and key.isdecimal():
            self._last = float(key)
        return self._batched(self._last)

    def _batched(self, chosen: float) -> Any:
        space = self.env.single_action_space
        if isinstance(space, spaces.Discrete):
            return np.full(self.env.action_space.shape, min(int(chosen), int(space.n) - 1))
        if isinstance(space, spaces.Box):
            return np.clip(np.full(self.env.action_space.shape, chosen, space.dtype), space.low, space.high)
        raise ValueError(f"--keys: {self.task} has actions of several parts, which no key stands for")


def _show(env: Any, options: argparse.Namespace, player: _Player) -> None:
    env.reset()
    env.action_space.seed(options.seed)
    total = 0.0
    for step in range(options.steps + 1):
        shown = env.render()[0]
        text = shown if isinstance(shown, str) else half_blocks(shown) + "\n"
        line = f"{options.task}  step {step}  return {total:g}"
        print(f"\x1b[H{text.replace(chr(10), chr(27) + '[K' + chr(10))}{line}\x1b[K", end="", flush=True)
        action = player.action() if step < options.steps else None
        if action is None:
            break
        _, rewards, terminated, truncated, _ = env.step(action)
        total = 0.0 if terminated[0] or truncated[0] else total + float(np.sum(rewards))


@contextlib.contextmanager
def _screen() -> Iterator[None]:
    """Context manager that clears the terminal, and hides the cursor until the block ends."""
    print("\x1b[2J\x1b[?25l", end="")
    try:
        yield
    finally:
        print("\x1b[0m\x1b[?25h")
