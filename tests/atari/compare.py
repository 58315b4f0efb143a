"""Plays games on our console and on ALE's, and compares every frame.

    compare.py [--games A,B] [--frames N] [--actions random|held] [--mode M|all] [--difficulty D|all] [--sticky P]
               [--skip N] [--seed S] [--binary PATH]

Needs ale-py, and `cargo build --release --no-default-features --example atari_trace`. Prints, for each game, how many
frames were compared, how many differ in memory, screen, reward, lives and end, and the first frame that does.
"""

import argparse
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

import ale_py
import numpy as np
from ale_py import ALEInterface, LoggerMode, roms

UNSUPPORTED = {"combat", "joust", "maze_craze", "warlords"}
ENTRY = np.dtype(
    [("reward", "<i4"), ("lives", "<i4"), ("end", "<u4"), ("screen", "<u4"), ("shades", "<u4"), ("ram", "u1", 128)]
)

# Colours are compared every so many entries: converting them takes longer than playing.
SHADES_EVERY = 16


def rom_path(name: str) -> Path:
    return Path(roms.__file__).parent / f"{name}.bin"


def games() -> list[str]:
    return sorted(path.stem for path in Path(roms.__file__).parent.glob("*.bin") if path.stem not in UNSUPPORTED)


def make_actions(kind: str, frames: int, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    if kind == "random":
        return random.integers(0, 18, frames).astype(np.uint8)
    lengths, held = random.integers((1, 0), (60, 18), (frames, 2)).T
    return np.repeat(held, lengths)[:frames].astype(np.uint8)


def reference(name: str, actions: np.ndarray, options: dict[str, float]) -> np.ndarray:
    ale = ALEInterface()
    ale.setInt("random_seed", int(options.get("seed", 0)))
    ale.setFloat("repeat_action_probability", options.get("sticky", 0.0))
    ale.setInt("frame_skip", int(options.get("skip", 1)))
    ale.setInt("max_num_frames_per_episode", 0)
    ale.loadROM(str(rom_path(name)))
    trace = np.zeros(len(actions) + 1, ENTRY)

    def record(index: int, reward: int) -> None:
        screen = ale.getScreen()
        shades = ale.getScreenRGB().tobytes() + ale.getScreenGrayscale().tobytes() if index % SHADES_EVERY == 0 else b""
        pictures = zlib.crc32(screen.tobytes()), zlib.crc32(shades)
        trace[index] = (reward, ale.lives(), ale.game_over(), *pictures, ale.getRAM())

    if "mode" in options:
        ale.setMode(int(options["mode"]))
    if "difficulty" in options:
        ale.setDifficulty(int(options["difficulty"]))
    ale.reset_game()
    record(0, 0)
    for index, action in enumerate(actions.tolist(), 1):
        reward = 0
        if action == 255 or ale.game_over():
            ale.reset_game()
        else:
            reward = ale.act(action)
        record(index, reward)
    return trace


def ours(binary: str, name: str, actions: np.ndarray, options: dict[str, float]) -> np.ndarray:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "actions").write_bytes(actions.tobytes())
        command = [
            binary,
            str(rom_path(name)),
            f"{folder}/actions",
            f"{folder}/out",
            *(f"{k}={v}" for k, v in options.items()),
        ]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            return np.zeros(0, ENTRY)
        return np.fromfile(f"{folder}/out", ENTRY)


def compare(found: np.ndarray, expected: np.ndarray) -> tuple[bool, str]:
    if len(found) != len(expected):
        return False, "no trace"
    words = []
    for field in ENTRY.names:
        differs = (found[field] != expected[field]).reshape(len(found), -1).any(1)
        if differs.any():
            words.append(f"{field} {differs.sum()} from {differs.argmax()}")
    ends = int(expected["end"].sum())
    return not words, f"{len(found)} frames, {ends} ends: {', '.join(words) or 'equal'}"


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", default="")
    parser.add_argument("--frames", type=int, default=1000)
    parser.add_argument("--actions", choices=["random", "held"], default="random")
    parser.add_argument("--mode", default="")
    parser.add_argument("--difficulty", default="")
    parser.add_argument("--sticky", type=float, default=0.0)
    parser.add_argument("--skip", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--binary", default="target/release/examples/atari_trace")
    arguments = parser.parse_args()
    ALEInterface.setLoggerMode(LoggerMode.Error)
    names = arguments.games.split(",") if arguments.games else games()
    compared = equal = 0
    for name in names:
        for options in variants(name, arguments):
            actions = make_actions(arguments.actions, arguments.frames, arguments.seed)
            expected = reference(name, actions, options)
            same, text = compare(ours(arguments.binary, name, actions, options), expected)
            compared += 1
            equal += same
            if not same or not (arguments.mode or arguments.difficulty):
                print(f"{name} {options}: {text}", flush=True)
    print(f"{equal} of {compared} equal (ale-py {ale_py.__version__})")
    return int(equal != compared)


def variants(name: str, arguments: argparse.Namespace) -> list[dict[str, float]]:
    base: dict[str, float] = {"seed": arguments.seed, "skip": arguments.skip, "sticky": arguments.sticky}
    ale = ALEInterface()
    ale.loadROM(str(rom_path(name)))

    def values(given: str, available: list[int]) -> list[int | None]:
        return list(available) if given == "all" else [int(given)] if given else [None]

    found = []
    for mode in values(arguments.mode, ale.getAvailableModes()):
        for difficulty in values(arguments.difficulty, ale.getAvailableDifficulties()):
            chosen = {"mode": mode, "difficulty": difficulty}
            found.append(base | {name: value for name, value in chosen.items() if value is not None})
    return found


if __name__ == "__main__":
    sys.exit(main())
