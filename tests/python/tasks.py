"""Which tasks the tests of all tasks go over.

Atari has 208: 104 games in two pipelines. A pipeline is the same code for all games, so that tests of interfaces,
threads, snapshots and the like go over one each; all 104 games are compared with the references in `test_atari_*.py`.
"""

from importlib.util import find_spec

import envpool_rs
from envpool_rs import _core

HAS_CARTRIDGES = find_spec("ale_py") is not None

ATARI = [task["id"] for task in _core.tasks() if any(option["name"] == "rom_dir" for option in task["options"])]

#: Of each pipeline one game: with paddles, and with a joystick.
ATARI_EXAMPLES = ["Breakout-v5", "ALE/SpaceInvaders-v5"] if HAS_CARTRIDGES else []

#: All tasks but Atari's, and Atari's examples.
TASKS = [task for task in envpool_rs.list_all_envs() if task not in ATARI or task in ATARI_EXAMPLES]


def is_atari(task):
    """Whether an environment takes milliseconds, and hundreds of kilobytes."""
    return task in ATARI
