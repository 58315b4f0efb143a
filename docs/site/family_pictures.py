"""Draws the pictures of `docs/environments/pictures`, and `docs/families.png`: `nox -s docs_pictures`.

The pictures are those of `render()`, of the tasks that the families' manifests name. Needs pillow, and the packages
with the families' files; `docs/families.png` is the mosaic of all families.
"""

import sys
from pathlib import Path

import envpool_rs
import numpy as np
from PIL import Image, ImageDraw, ImageOps

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "environments" / "pictures"
sys.path.insert(0, str(ROOT / "tools"))
from families import families

#: For each picture, the tasks that it shows side by side, with the number of random steps before the picture is drawn.
PICTURES = {name: tasks for family in families() for name, tasks in family.pictures.items()}
#: The tasks of the mosaic, with their labels and the numbers of random steps before the pictures are drawn.
MOSAIC = {task: (cell["label"], cell["steps"]) for family in families() for task, cell in family.mosaic.items()}
COLUMNS, CELL, LABEL = 7, (150, 120), 16
HEIGHT = 180
GAP = 8


def picture_of(task, steps):
    """Returns a picture of one environment after some random steps; if the task has none, its observation in gray."""
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
    """Returns one image of all pictures side by side, scaled to one height, each in a frame."""
    scaled = [
        each.resize((round(each.width * HEIGHT / each.height), HEIGHT), Image.Resampling.LANCZOS) for each in pictures
    ]
    sheet = Image.new("RGB", (sum(each.width + GAP for each in scaled) + GAP, HEIGHT + 2 * GAP), "#d0d0d0")
    left = GAP
    for each in scaled:
        sheet.paste(each, (left, GAP))
        left += each.width + GAP
    return sheet.quantize(64)


def mosaic():
    """Returns a grid with a labelled picture of each family."""
    rows = -(-len(MOSAIC) // COLUMNS)
    width, height = CELL[0] + GAP, CELL[1] + LABEL + GAP
    sheet = Image.new("RGB", (COLUMNS * width + GAP, rows * height + GAP), "white")
    text = ImageDraw.Draw(sheet)
    for place, (task, (label, steps)) in enumerate(MOSAIC.items()):
        picture = ImageOps.contain(picture_of(task, steps), CELL, Image.Resampling.LANCZOS)
        left, top = GAP + place % COLUMNS * width, GAP + place // COLUMNS * height
        sheet.paste(picture, (left + (CELL[0] - picture.width) // 2, top + (CELL[1] - picture.height) // 2))
        text.text((left + CELL[0] // 2, top + CELL[1] + 2), label, fill="black", anchor="ma")
    return sheet.quantize(128)


def main():
    path = FOLDER.parents[1] / "families.png"
    mosaic().save(path, optimize=True)
    print(f"{path}: {path.stat().st_size // 1024} KiB")
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, tasks in PICTURES.items():
        path = FOLDER / f"{name}.png"
        side_by_side([picture_of(task, steps) for task, steps in tasks.items()]).save(path, optimize=True)
        print(f"{path}: {path.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    main()
