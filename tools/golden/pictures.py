"""Draws `docs/pictures.png`, which shows every environment next to its reference in the same state.

Needs gymnasium, mpe2, pygame-ce and pillow, which `nox -s pictures` installs into a separate virtual environment, because
no other target needs pygame. The reference's pictures are on the left. Prints the mean difference of each pair from 0
to
255. The difference is meaningful for classic control only, because toy text is drawn differently.
"""

import os
import sys
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
from PIL import Image, ImageDraw

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

SEED = 3
CASES = {
    "CartPole-v1": 12,
    "MountainCar-v0": 20,
    "MountainCarContinuous-v0": 40,
    "Pendulum-v1": 5,
    "Acrobot-v1": 9,
    "FrozenLake-v1": 3,
    "FrozenLake8x8-v1": 5,
    "Taxi-v4": 7,
    "CliffWalking-v1": 9,
    "Blackjack-v1": 0,
    "SimpleSpread-v3": 3,
    "SimpleSpeakerListener-v4": 3,
}
"""Number of steps before each task's picture."""


def gymnasium_pair(task, steps):
    """Returns gymnasium's picture and this package's after the same random actions."""
    theirs = gymnasium.make(task, render_mode="rgb_array")
    ours = envpool_rs.make_vec(task, 1, render_mode="rgb_array", seed=SEED)
    theirs.reset(seed=SEED)
    ours.reset(seed=SEED)
    theirs.action_space.seed(1)
    for _ in range(steps):
        action = theirs.action_space.sample()
        theirs.step(action)
        ours.step(np.asarray(action)[None])
    return theirs.render(), ours.render()[0]


def mpe2_pair(task, steps):
    """Returns mpe2's picture and this package's after the same random actions."""
    from mpe2 import simple_speaker_listener_v4, simple_spread_v3

    modules = {"SimpleSpread-v3": simple_spread_v3, "SimpleSpeakerListener-v4": simple_speaker_listener_v4}
    theirs = modules[task].parallel_env(render_mode="rgb_array")
    ours = envpool_rs.make_vec(task, 1, render_mode="rgb_array", seed=SEED)
    theirs.reset(seed=SEED)
    ours.reset(seed=SEED)
    rng = np.random.default_rng(1)
    for _ in range(steps):
        actions = {agent: int(rng.integers(theirs.action_space(agent).n)) for agent in theirs.agents}
        theirs.step(actions)
        shared = isinstance(ours.single_action_space, gymnasium.spaces.Discrete)
        ours.step(np.array(list(actions.values())) if shared else {name: [value] for name, value in actions.items()})
    return theirs.render(), ours.render()[0]


def tile(task, pair, width=380, height=250):
    """Draws both pictures of a pair side by side, under the task's name."""
    page = Image.new("RGB", (2 * width + 30, height + 30), "white")
    ImageDraw.Draw(page).text((10, 8), f"{task}: reference, envpool_rs", "black")
    for index, picture in enumerate(pair):
        image = Image.fromarray(picture)
        image.thumbnail((width, height), Image.Resampling.LANCZOS)
        page.paste(image, (10 + index * (width + 10), 25))
        ImageDraw.Draw(page).rectangle(
            (9 + index * (width + 10), 24, 10 + index * (width + 10) + image.width, 25 + image.height), outline="gray"
        )
    return page


def main(path):
    tiles = []
    for task, steps in CASES.items():
        pair = (mpe2_pair if task.startswith("Simple") else gymnasium_pair)(task, steps)
        if pair[0].shape != pair[1].shape:
            sys.exit(f"{task}: the reference's picture is {pair[0].shape}, ours {pair[1].shape}")
        print(f"{task}: {np.abs(pair[0].astype(int) - pair[1]).mean():.2f}")
        tiles.append(tile(task, pair))
    width, height = tiles[0].size
    sheet = Image.new("RGB", (2 * width, -(-len(tiles) // 2) * height), "white")
    for index, each in enumerate(tiles):
        sheet.paste(each, (index % 2 * width, index // 2 * height))
    sheet.quantize(128).save(path, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/pictures.png"))
