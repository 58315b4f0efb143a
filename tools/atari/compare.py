"""Plays Atari games on this package's console and on ALE's, and compares the results of each step.

    compare.py quick|full [--games A,B] [--variants V,W] [--jobs N] [--binary PATH] [--table FILE] [--json FILE]

Needs ale-py with its cartridges, and `cargo build --release --example atari_trace`. Memory (128 bytes), screen (every
pixel), reward, lives and end of the game are compared at every step, colour and grey screens at every 16th step.
Actions are random, or held for up to a second. One step in 400 is a reset, and ended games are reset. Prints a Markdown
row for each game, then each difference, and exits with 1 if there is any.

| variant | |
|---|---|
| random, held | each frame |
| skip | ALE's `frame_skip` of 4: games end, and lives are lost, in the middle of a step |
| two, one | `Console::play` of 4 frames, of which the last two, or one, are compared |
| sticky | actions repeat with probability 0.25; `Console::play` of 4 frames |
| modes | every other mode and difficulty (`quick`: a random one), sticky |
| averaged | `color_averaging` |
"""

import argparse
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import ale_py
import numpy as np
from ale_py import ALEInterface, LoggerMode, roms

UNSUPPORTED = {"combat", "joust", "maze_craze", "warlords"}
ENTRY = np.dtype(
    [("reward", "<i4"), ("lives", "<i4"), ("end", "<u4"), ("screen", "<u4"), ("shades", "<u4"), ("ram", "u1", 128)]
)
# Number of steps between comparisons of colours, because converting colours takes longer than playing.
SHADES_EVERY = 16
RESET = 255
RESET_EVERY = 400
TIMEOUT = 600


@dataclass(frozen=True)
class Variant:
    """Settings with which games are played: actions, frames per step, sticky actions, mode and difficulty."""

    name: str
    steps: int
    held: bool = False
    skip: int = 1
    play: tuple[int, int] | None = None
    sticky: float = 0.0
    averaged: bool = False
    modes: bool = False
    mode: int | None = None
    difficulty: int | None = None
    seed: int = 0

    @property
    def frames(self) -> int:
        """Returns the number of frames that a step takes if the game does not end."""
        return self.play[0] if self.play else self.skip

    def options(self) -> list[str]:
        """Returns the arguments of `atari_trace`."""
        options = {"skip": self.skip, "sticky": self.sticky, "seed": self.seed, "averaged": int(self.averaged)}
        if self.play:
            options |= {"frames": self.play[0], "shown": self.play[1]}
        options |= {key: getattr(self, key) for key in ("mode", "difficulty") if getattr(self, key) is not None}
        return [f"{key}={value}" for key, value in options.items()]


QUICK = (
    Variant("random", 200),
    Variant("sticky", 50, play=(4, 2), sticky=0.25, seed=1, held=True),
    Variant("modes", 20, play=(4, 1), sticky=0.25, modes=True, seed=2),
)
FULL = (
    Variant("random", 8000),
    Variant("held", 8000, held=True),
    Variant("skip", 2000, held=True, skip=4, seed=3),
    Variant("two", 2000, play=(4, 2), seed=4),
    Variant("one", 2000, play=(4, 1), held=True, seed=5),
    Variant("sticky", 2000, play=(4, 2), held=True, sticky=0.25, seed=1_234_567),
    Variant("averaged", 1000, averaged=True, seed=6),
    Variant("modes", 300, sticky=0.25, modes=True, seed=7),
)


@dataclass
class Outcome:
    """Result of the comparison of one game."""

    game: str
    frames: dict[str, int] = field(default_factory=dict)
    settings: int = 0
    ends: int = 0
    losses: int = 0
    differing: int = 0
    uncompared: int = 0
    findings: list[str] = field(default_factory=list)


def rom_path(name: str) -> Path:
    return Path(roms.__file__).parent / f"{name}.bin"


def games() -> list[str]:
    return sorted(path.stem for path in Path(roms.__file__).parent.glob("*.bin") if path.stem not in UNSUPPORTED)


def make_actions(variant: Variant) -> np.ndarray:
    random = np.random.default_rng(variant.seed)
    count = variant.steps
    if variant.held:
        lengths, held = random.integers((1, 0), (60 // variant.frames + 1, 18), (count, 2)).T
        actions = np.repeat(held, lengths)[:count].astype(np.uint8)
    else:
        actions = random.integers(0, 18, count).astype(np.uint8)
    actions[random.integers(0, RESET_EVERY, count) == 0] = RESET
    return actions


def variants_of(name: str, variant: Variant, quick: bool) -> list[Variant]:
    """Returns the variant itself, or, if it plays ``modes``, one variant for each mode and difficulty except the
    defaults.
    """
    if not variant.modes:
        return [variant]
    ale = ALEInterface()
    ale.loadROM(str(rom_path(name)))
    pairs = [(mode, difficulty) for mode in ale.getAvailableModes() for difficulty in ale.getAvailableDifficulties()]
    others = pairs[1:]
    if quick and others:
        others = [others[zlib.crc32(name.encode()) % len(others)]]
    return [Variant(**(vars(variant) | {"mode": mode, "difficulty": difficulty})) for mode, difficulty in others]


class Reference:
    """ALE's console with the settings of a variant, which returns a trace of its results."""

    def __init__(self, name: str, variant: Variant):
        self.variant = variant
        self.ale = self.make(name, variant.averaged)
        # European games can have pixels without colour; ALE's averages of these depend on the previous contents of its
        # memory.
        is_european = self.ale.getScreenDims()[0] == 250
        self.plain = self.make(name, False) if variant.averaged and is_european else None
        self.previous = np.zeros(0, np.uint8)
        self.fresh = True

    def make(self, name: str, averaged: bool) -> ALEInterface:
        ale = ALEInterface()
        ale.setInt("random_seed", self.variant.seed)
        ale.setFloat("repeat_action_probability", self.variant.sticky)
        ale.setInt("frame_skip", self.variant.skip)
        ale.setInt("max_num_frames_per_episode", 0)
        ale.setBool("color_averaging", averaged)
        ale.loadROM(str(rom_path(name)))
        if self.variant.mode is not None:
            ale.setMode(self.variant.mode)
            ale.setDifficulty(self.variant.difficulty)
        return ale

    def trace(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Returns the trace, and a mask of the screens that can be compared."""
        trace = np.zeros(len(actions) + 1, ENTRY)
        comparable = np.ones(len(trace), bool)
        for index, action in enumerate([RESET, *actions.tolist()]):
            before = self.plain and self.plain.getScreen()
            reward, frames = self.step(action)
            trace[index] = self.entry(index, reward, frames)
            if self.plain:
                comparable[index] = frames > 0 and not ((before | self.plain.getScreen()) & 1).any()
        return trace, comparable

    def step(self, action: int) -> tuple[int, int]:
        if action == RESET or self.ale.game_over():
            self.ale.reset_game()
            if self.plain:
                self.plain.reset_game()
            self.fresh = True
            return 0, 0
        reward = frames = 0
        for _ in range(self.variant.play[0] if self.variant.play else 1):
            if self.variant.play:
                self.previous = self.ale.getScreen()
            reward += self.ale.act(action)
            if self.plain:
                self.plain.act(action)
            frames += 1
            if self.ale.game_over():
                break
        return reward, frames

    def entry(self, index: int, reward: int, frames: int) -> tuple[object, ...]:
        ale = self.ale
        pictures = ale.getScreen().tobytes()
        shades = ale.getScreenRGB().tobytes() + ale.getScreenGrayscale().tobytes() if index % SHADES_EVERY == 0 else b""
        shows_two = self.variant.play is not None and self.variant.play[1] > 1
        if shows_two and (frames > 1 or (frames == 1 and not self.fresh)):
            pictures += self.previous.tobytes()
        if frames:
            self.fresh = False
        return reward, ale.lives(), ale.game_over(), zlib.crc32(pictures), zlib.crc32(shades), ale.getRAM()


def ours(binary: str, name: str, actions: np.ndarray, variant: Variant, translate: bool) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "actions").write_bytes(actions.tobytes())
        files = [str(rom_path(name)), f"{folder}/actions", f"{folder}/out"]
        command = [binary, *files, *variant.options(), f"translate={int(translate)}"]
        subprocess.run(command, check=True, timeout=TIMEOUT)
        return np.fromfile(f"{folder}/out", ENTRY)


def compare(binary: str, name: str, variant: Variant, outcome: Outcome) -> None:
    actions = make_actions(variant)
    expected, comparable = Reference(name, variant).trace(actions)
    found, interpreted = (ours(binary, name, actions, variant, translate) for translate in (True, False))
    if found.tobytes() != interpreted.tobytes():
        outcome.findings.append(
            f"{name} {variant.name} {' '.join(variant.options())}: translated and interpreted differ"
        )
    if len(found) != len(expected):
        raise RuntimeError(f"{name}: {len(found)} entries instead of {len(expected)}")
    for picture in ("screen", "shades"):
        found[picture][~comparable] = expected[picture][~comparable]
    differing = np.zeros(len(found), bool)
    for key in ENTRY.names:
        differs = (found[key] != expected[key]).reshape(len(found), -1).any(1)
        differing |= differs
        if differs.any():
            finding = f"{name} {variant.name} {' '.join(variant.options())}: {key} at {differs.sum()} steps"
            outcome.findings.append(f"{finding}, first {differs.argmax()}")
    lives = expected["lives"]
    outcome.frames[variant.name] = outcome.frames.get(variant.name, 0) + variant.frames * len(actions)
    outcome.settings += variant.modes
    outcome.ends += int(expected["end"].sum())
    outcome.losses += int((lives[1:] < lives[:-1]).sum())
    outcome.differing += int(differing.sum())
    outcome.uncompared += int((~comparable).sum())


def compare_game(job: tuple[str, str, tuple[Variant, ...], bool]) -> Outcome:
    binary, name, variants, quick = job
    ALEInterface.setLoggerMode(LoggerMode.Error)
    outcome = Outcome(name)
    for variant in variants:
        for each in variants_of(name, variant, quick):
            compare(binary, name, each, outcome)
    return outcome


def row(cells: list[object]) -> str:
    return f"| {' | '.join(str(cell) for cell in cells)} |"


def table(outcomes: list[Outcome], variants: tuple[Variant, ...]) -> str:
    """Returns the Markdown table: for each game the compared frames of each variant, and the differences in all
    variants.
    """
    names = [variant.name for variant in variants]
    lines = [
        row(["game", *names, "other modes and difficulties", "ends", "lives lost", "differing"]),
        row(["---"] * (len(names) + 5)),
    ]
    total = Outcome(f"all {len(outcomes)}")
    for outcome in [*sorted(outcomes, key=lambda one: one.game), total]:
        counts = [outcome.settings, outcome.ends, outcome.losses, outcome.differing]
        lines.append(row([outcome.game, *(outcome.frames.get(name, 0) for name in names), *counts]))
        for name, frames in outcome.frames.items() if outcome is not total else ():
            total.frames[name] = total.frames.get(name, 0) + frames
        for count in ("settings", "ends", "losses", "differing") if outcome is not total else ():
            setattr(total, count, getattr(total, count) + getattr(outcome, count))
    return "\n".join(lines)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("extent", choices=["quick", "full"])
    parser.add_argument("--games", default="")
    parser.add_argument("--variants", default="")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--binary", default="target/release/examples/atari_trace")
    parser.add_argument("--table", type=Path)
    parser.add_argument("--json", type=Path, help="the same as numbers, for docs/exactness.md")
    arguments = parser.parse_args()
    names = arguments.games.split(",") if arguments.games else games()
    variants = QUICK if arguments.extent == "quick" else FULL
    if arguments.variants:
        variants = tuple(variant for variant in variants if variant.name in arguments.variants.split(","))
    jobs = [(arguments.binary, name, variants, arguments.extent == "quick") for name in names]
    with multiprocessing.Pool(arguments.jobs) as pool:
        outcomes = list(pool.imap_unordered(compare_game, jobs))
    text = table(outcomes, variants)
    if arguments.table:
        arguments.table.write_text(f"{text}\n")
    if arguments.json:
        found = {outcome.game: vars(outcome) for outcome in sorted(outcomes, key=lambda one: one.game)}
        arguments.json.write_text(json.dumps({"ale-py": ale_py.__version__, "games": found}, indent=1) + "\n")
    uncompared = sum(outcome.uncompared for outcome in outcomes)
    print(text)
    print(
        f"\nale-py {ale_py.__version__}; {uncompared} averaged screens had pixels without colour, and were not compared"
    )
    findings = [finding for outcome in outcomes for finding in outcome.findings]
    print("\n".join(findings) or "No difference")
    return int(bool(findings))


if __name__ == "__main__":
    sys.exit(main())
