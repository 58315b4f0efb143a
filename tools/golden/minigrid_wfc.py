"""Records worlds of minigrid's `MiniGrid-WFC-*` levels, with which `src/envs/minigrid/levels/wfc/tests.rs` compares
this package's worlds.

    python tools/golden/minigrid_wfc.py PATTERNS [--seeds 3] [--resets 4] [--out tests/data/minigrid_wfc.json]

PATTERNS is the folder `minigrid/envs/wfc/patterns` of minigrid's git repository (commit 90928729): its wheels lack the pictures.
Needs minigrid==3.2.0, numpy==2.4.6, networkx==3.6.1 and imageio on CPython 3.11 to 3.14. A world takes 0.1 to 3 seconds.
"""

import argparse
import json
import pathlib

import numpy as np
from gymnasium.utils.seeding import np_random
from minigrid.envs.wfc import WFCEnv
from minigrid.envs.wfc.config import WFC_PRESETS

OPTIONS = [{}, {"ensure_connected": False}, {"size": 12}, {"size": 5}, {"size": 31}, {"size": 3}]


def world(env):
    """Resets an environment, and returns its world: bits of walls by column in hexadecimal, agent, direction, goal,
    state of the random stream.
    """
    try:
        env.reset()
    except (IndexError, RuntimeError) as error:
        # minigrid raises this error if a world has fewer than two free cells, or if every attempt to generate one ends
        # in a contradiction.
        return type(error).__name__
    kinds = env.grid.encode()[:, :, 0]
    walls = "".join("1" if kind == 2 else "0" for kind in kinds.ravel())
    goal = np.argwhere(kinds == 8)[0]
    agent = [int(each) for each in env.agent_pos]
    stream = env.np_random.bit_generator.state["state"]["state"]
    return {
        "walls": f"{int(walls, 2):x}",
        "agent": [*agent, int(env.agent_dir)],
        "goal": [int(each) for each in goal],
        "stream": f"{stream:x}",
    }


def games(preset, seeds, resets):
    """Returns the worlds of one preset of MiniGrid's WFC levels, with each of `OPTIONS`."""
    for options in OPTIONS:
        for seed in range(seeds if not options else 1):
            env = WFCEnv(wfc_config=preset, **options)
            env.np_random, _ = np_random(seed)
            worlds = [world(env) for _ in range(resets if not options else 2)]
            yield {"preset": preset, "options": options, "seed": seed, "worlds": worlds}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("patterns", type=pathlib.Path)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--resets", type=int, default=4)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("tests/data/minigrid_wfc.json"))
    arguments = parser.parse_args()
    recorded = []
    for preset, config in WFC_PRESETS.items():
        config.pattern_path = arguments.patterns / config.pattern_path.name
        recorded += games(preset, arguments.seeds, arguments.resets)
    arguments.out.write_text("[\n" + ",\n".join(json.dumps(game) for game in recorded) + "\n]\n")
    print(sum(len(game["worlds"]) for game in recorded), "worlds")


if __name__ == "__main__":
    main()
