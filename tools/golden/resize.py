"""Records the results of OpenCV's resize; `src/pictures/resize/tests.rs` compares this package's results with them.

    python tools/golden/resize.py [--out tests/data/atari/resize.json]

Needs opencv-python-headless==5.0.0.93. An image has a random `integers(0, levels)` of `numpy.random.default_rng(seed)`
for each byte, scaled to 0 to 255. The file has a CRC-32 of each resized image.
"""

import argparse
import json
import pathlib
import zlib

import cv2
import numpy as np

METHODS = {"area": cv2.INTER_AREA, "linear": cv2.INTER_LINEAR}
SCREENS = [(210, 160), (214, 160), (220, 160), (230, 160), (250, 160)]
SIZES = [
    (84, 84),
    (64, 64),
    (96, 96),
    (42, 42),
    (105, 80),
    (84, 96),
    (1, 1),
    (1, 84),
    (84, 1),
    (210, 160),
    (211, 161),
    (300, 400),
]
# Old and new sizes for edge cases: whole and half factors, one side that grows while the other shrinks, single rows and
# columns.
ODD = [
    ((210, 160), (70, 40)),
    ((210, 160), (70, 160)),
    ((210, 160), (210, 80)),
    ((210, 160), (209, 159)),
    ((210, 160), (84, 200)),
    ((210, 160), (300, 84)),
    ((210, 160), (420, 320)),
    ((210, 160), (630, 480)),
    ((7, 1), (3, 1)),
    ((1, 7), (1, 3)),
    ((1, 1), (5, 5)),
    ((3, 5), (7, 9)),
    ((5, 3), (2, 4)),
]


def pairs(random):
    yield from ((screen, size) for screen in SCREENS for size in SIZES if screen[0] in {210, 250} or size == (84, 84))
    yield from ODD
    for _ in range(60):
        yield tuple(map(tuple, random.integers(1, 40, (2, 2)).tolist()))


def record(source, target, channels, method, levels, seed):
    drawn = np.random.default_rng(seed).integers(0, levels, (*source, channels))
    image = (drawn * 255 // (levels - 1)).astype(np.uint8)
    resized = cv2.resize(image, target[::-1], interpolation=METHODS[method])
    case = {"from": source, "to": target, "channels": channels, "method": method, "levels": levels, "seed": seed}
    return case | {"crc32": zlib.crc32(resized.tobytes())}


def cases():
    for number, (source, target) in enumerate(pairs(np.random.default_rng(0))):
        # With few grey levels, averages lie half-way between two bytes more often.
        for seed, levels in enumerate((256, 2, 5), 3 * number):
            if levels == 256 or target == (84, 84):
                yield from (
                    record(source, target, channels, method, levels, seed) for channels in (1, 3) for method in METHODS
                )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=pathlib.Path, default="tests/data/atari/resize.json")
    out = parser.parse_args().out
    out.parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(json.dumps(case) for case in cases())
    out.write_text(f'{{"opencv": "{cv2.__version__}", "cases": [\n{lines}\n]}}\n')


if __name__ == "__main__":
    main()
