"""Draws the pictures of `docs/environments/pictures`, through the package's own interfaces: `make docs-pictures`.

Needs pillow, and for Atari's screens ale-py's cartridges.
"""

from pathlib import Path

import envpool_rs
import numpy as np
from PIL import Image

FOLDER = Path(__file__).parents[1] / "environments" / "pictures"
#: picture: tasks side by side, with the steps to play before
PICTURES = {
    "classic_control": {"CartPole-v1": 14, "MountainCar-v0": 60, "Pendulum-v1": 12, "Acrobot-v1": 25},
    "toy_text": {"FrozenLake-v1": 3, "Taxi-v4": 7, "CliffWalking-v1": 9, "Blackjack-v1": 1},
    "particles": {"SimpleSpread-v3": 4, "SimpleSpeakerListener-v4": 4},
    "atari": {"Pong-v5": 60, "Breakout-v5": 40},
    "bsuite": {"Catch-v0": 5},
}
HEIGHT = 180
GAP = 8


def picture_of(task, steps):
    """Returns a picture of one environment after some random steps; without pictures, its observation in gray."""
    draws = envpool_rs.make_spec(task).pool.picture_size is not None
    env = envpool_rs.make_vec(task, 1, seed=3, **({"render_mode": "rgb_array"} if draws else {}))
    env.action_space.seed(1)
    observation, _ = env.reset()
    for _ in range(steps):
        observation = env.step(env.action_space.sample())[0]
    if draws:
        return Image.fromarray(env.render()[0])
    board = Image.fromarray((255 * (1 - observation[0])).astype(np.uint8))
    return board.resize((16 * board.width, 16 * board.height), Image.Resampling.NEAREST).convert("RGB")


def side_by_side(pictures):
    """All at one height, in a frame each."""
    scaled = [
        each.resize((round(each.width * HEIGHT / each.height), HEIGHT), Image.Resampling.LANCZOS) for each in pictures
    ]
    sheet = Image.new("RGB", (sum(each.width + GAP for each in scaled) + GAP, HEIGHT + 2 * GAP), "#d0d0d0")
    left = GAP
    for each in scaled:
        sheet.paste(each, (left, GAP))
        left += each.width + GAP
    return sheet.quantize(64)


def main():
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, tasks in PICTURES.items():
        path = FOLDER / f"{name}.png"
        side_by_side([picture_of(task, steps) for task, steps in tasks.items()]).save(path, optimize=True)
        print(f"{path}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
