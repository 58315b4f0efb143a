"""Selects the tasks of tests that cover all tasks.

Atari has 208 tasks: 104 games in two preprocessing pipelines. A pipeline is the same code for all games, so that tests
of interfaces, threads, snapshots and the like cover one game each; `test_atari_*.py` compare all 104 games with the
references. MuJoCo's 33 share code around eleven robots: three of them are here, the others in `test_mujoco_*.py`.
dm_control's suite, Gymnasium-Robotics' mazes and Fetch tasks, and MetaWorld's tasks are split the same way. MiniGrid's
and BabyAI's 178 are levels of one environment: three of them are here, all others in `test_minigrid.py`. Procgen's 66
are sixteen games in two interfaces: one task of each interface is here, and `test_procgen.py` covers the games.
ViZDoom's 725 use two pieces of code around one engine, of which each environment is a process: one task of each is
here, the others are in `test_vizdoom_*.py`.
"""

from importlib.util import find_spec

import envpool_rs
from envpool_rs import _core

#: Descriptions of all tasks of this release, which take a third of a second to make.
REGISTERED = _core.tasks()

#: Ids of all tasks of the package, stored here because tests that load libraries of tasks extend `list_all_envs()` for
#: their process.
ALL = envpool_rs.list_all_envs()

HAS_CARTRIDGES = find_spec("ale_py") is not None

ATARI = [task["id"] for task in REGISTERED if any(option["name"] == "rom_dir" for option in task["options"])]

#: One Atari task of each preprocessing pipeline: a game with paddles, and a game with a joystick.
ATARI_EXAMPLES = ["Breakout-v5", "ALE/SpaceInvaders-v5"] if HAS_CARTRIDGES else []

HAS_MUJOCO = find_spec("mujoco") is not None

#: Gymnasium-Robotics' mazes: 20 of PointMaze, 60 of AntMaze.
MAZE = [
    task["id"] for task in REGISTERED if any(option["name"] == "position_noise_range" for option in task["options"])
]

#: Two of the eighty mazes, which differ in their agents, maps and rewards.
MAZE_EXAMPLES = ["PointMaze_UMaze-v3", "AntMaze_Open_Diverse_GRDense-v5"] if HAS_MUJOCO else []

#: MetaWorld's tasks of the robot Sawyer.
METAWORLD = [task["id"] for task in REGISTERED if any(option["name"] == "metaworld_dir" for option in task["options"])]

#: Two of MetaWorld's tasks: one that changes its model at each reset, and one that reads contacts.
METAWORLD_EXAMPLES = (
    ["MetaWorld/DrawerOpen-v3", "MetaWorld/PickPlace-v3"] if HAS_MUJOCO and find_spec("metaworld") else []
)
#: Gymnasium-Robotics' tasks of the Fetch robot: four tasks, each with two rewards and two versions.
FETCH = [task["id"] for task in REGISTERED if task["id"].startswith("Fetch")]

#: Gymnasium-Robotics' tasks of the Adroit hand: four tasks, each with two rewards.
ADROIT = [task["id"] for task in REGISTERED if task["id"].startswith("AdroitHand")]

#: Gymnasium-Robotics' tasks of the Shadow hand: twenty-eight tasks, each with two rewards and two versions.
HAND = [task["id"] for task in REGISTERED if task["id"].startswith(("HandReach", "HandManipulate"))]

#: Gymnasium-Robotics' tasks of the Franka kitchen, of which there is one.
KITCHEN = [task["id"] for task in REGISTERED if task["id"].startswith("FrankaKitchen")]

#: Gymnasium-Robotics' tasks. gymnasium knows them after an import of gymnasium_robotics, which other tests do.
ROBOTICS = [*MAZE, *FETCH, *ADROIT, *HAND, *KITCHEN]

HAS_ROBOTICS = HAS_MUJOCO and find_spec("gymnasium_robotics") is not None

#: One task of the Fetch robot.
FETCH_EXAMPLES = ["FetchPickAndPlace-v4"] if HAS_ROBOTICS else []

#: One task of each hand.
HAND_EXAMPLES = ["AdroitHandRelocate-v1", "HandReach-v3"] if HAS_ROBOTICS else []

#: The task of the Franka kitchen.
KITCHEN_EXAMPLES = [*KITCHEN] if HAS_ROBOTICS else []

MUJOCO = [
    task["id"]
    for task in REGISTERED
    if task["id"] not in MAZE and any(option["name"] == "xml_dir" for option in task["options"])
]

#: EnvPool's names, with versions 2 and 3, of MuJoCo's robots of version 4.
MUJOCO_ALIASES = [task for task in MUJOCO if task.endswith(("-v3", "-v2"))]

MUJOCO_EXAMPLES = ["HalfCheetah-v5", "InvertedPendulum-v4", "Reacher-v5"] if HAS_MUJOCO else []

HAS_DM_CONTROL = HAS_MUJOCO and find_spec("dm_control") is not None

#: Environments on Box2D, which need the wheel `box2d` in addition to gymnasium for comparisons.
BOX2D = [task["id"] for task in REGISTERED if task["id"].startswith(("LunarLander", "BipedalWalker", "CarRacing"))]

#: EnvPool's names (version 2) of the Box2D tasks of version 3.
BOX2D_ALIASES = [task for task in BOX2D if task.endswith("-v2")]

DM_CONTROL = [task["id"] for task in REGISTERED if any(option["name"] == "suite_dir" for option in task["options"])]

#: Two tasks of dm_control: a robot, and a task in which each environment changes its model.
DM_CONTROL_EXAMPLES = ["CheetahRun-v1", "dm_control/reacher-easy"] if HAS_DM_CONTROL else []

MINIGRID = [task["id"] for task in REGISTERED if task["id"].startswith(("MiniGrid-", "BabyAI-"))]

#: Three levels of MiniGrid and BabyAI: a static one, one with moving obstacles, and one with instructions in words.
MINIGRID_EXAMPLES = ["MiniGrid-DoorKey-5x5-v0", "MiniGrid-Dynamic-Obstacles-Random-5x5-v0", "BabyAI-MiniBossLevel-v0"]

HAS_VIZDOOM = find_spec("vizdoom") is not None

VIZDOOM = [task["id"] for task in REGISTERED if any(option["name"] == "vizdoom_dir" for option in task["options"])]

#: A ViZDoom task of EnvPool, and one of the `vizdoom` package.
VIZDOOM_EXAMPLES = ["Basic-v1", "VizdoomBasic-v1"] if HAS_VIZDOOM else []

HAS_CRAFTER = find_spec("crafter") is not None

CRAFTER = [task["id"] for task in REGISTERED if any(option["name"] == "crafter_dir" for option in task["options"])]

#: One of Crafter's two tasks; the other differs only in its rewards.
CRAFTER_EXAMPLES = ["CrafterReward-v1"] if HAS_CRAFTER else []

HAS_PROCGEN = find_spec("procgen") is not None

PROCGEN = [task["id"] for task in REGISTERED if any(option["name"] == "procgen_dir" for option in task["options"])]

#: One Procgen task with an EnvPool id, and one with an id from the `procgen` package.
PROCGEN_EXAMPLES = ["CoinrunEasy-v0", "procgen-maze-v0"] if HAS_PROCGEN else []

#: Tasks of families that have tests of their own, by family.
LARGE_FAMILIES = {
    "atari": {task for task in ATARI if not task.startswith("ALE/")},
    "ale": {task for task in ATARI if task.startswith("ALE/")},
    "box2d": {*BOX2D},
    "dm_control": {*DM_CONTROL},
    "mujoco": {*MUJOCO} - {*DM_CONTROL},
    "maze": {*MAZE},
    "metaworld": {*METAWORLD},
    "fetch": {*FETCH},
    "adroit": {*ADROIT},
    "hand": {*HAND},
    "kitchen": {*KITCHEN},
    "minigrid": {task for task in MINIGRID if task.startswith("MiniGrid-")},
    "babyai": {task for task in MINIGRID if task.startswith("BabyAI-")},
    "procgen": {*PROCGEN},
    "vizdoom": {*VIZDOOM},
    "crafter": {*CRAFTER},
}

_EXAMPLES = {
    *ATARI_EXAMPLES,
    *MUJOCO_EXAMPLES,
    *DM_CONTROL_EXAMPLES,
    *MAZE_EXAMPLES,
    *METAWORLD_EXAMPLES,
    *FETCH_EXAMPLES,
    *HAND_EXAMPLES,
    *KITCHEN_EXAMPLES,
    *MINIGRID_EXAMPLES,
    *PROCGEN_EXAMPLES,
    *VIZDOOM_EXAMPLES,
    *CRAFTER_EXAMPLES,
}

#: Tasks that tests over all tasks omit: large families except their examples, and older names of Box2D tasks.
_OTHERS = set().union(*LARGE_FAMILIES.values()) - ({*BOX2D} - {*BOX2D_ALIASES}) - _EXAMPLES
TASKS = [task for task in envpool_rs.list_all_envs() if task not in _OTHERS]


def is_heavy(task):
    """Returns whether an environment of the task is expensive.

    An expensive environment takes milliseconds per step, uses megabytes of memory or address space, or generates a
    world per episode.
    """
    cheap = LARGE_FAMILIES["minigrid"] | LARGE_FAMILIES["babyai"]
    return task not in cheap and any(task in tasks for tasks in LARGE_FAMILIES.values())
