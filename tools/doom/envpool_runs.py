"""Runs EnvPool's ViZDoom tasks through EnvPool's interface, and compares digests of the results of EnvPool and of this
package.

`recorded()` returns the digests of EnvPool 1.2.5, so that the comparison does not need EnvPool. The runs use the game
files of EnvPool's assets (`envpool-assets`), because the vizdoom package's files of the same names have other pictures.

    python tools/doom/envpool_runs.py record            # rewrites tests/data/vizdoom/envpool.json (needs envpool 1.2.5)
    python tools/doom/envpool_runs.py compare [STEPS]   # compares both packages, every array of every step (700)
"""

import os
import sys
import tempfile
import warnings
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from references import envpool_digests

RECORDED = ROOT / "tests" / "data" / "vizdoom" / "envpool.json"

#: Working directory after a run. Runs that alternate, as in `compare`, would return to each other's temporary folders.
HERE = Path.cwd()

#: Compared keys of a step's info: game variables, and the keys that all of EnvPool's tasks have.
INFOS = (
    *("AMMO2", "AMMO3", "AMMO4", "AMMO5", "AMMO6", "AMMO7", "ARMOR", "DAMAGECOUNT", "DEATHCOUNT", "FRAGCOUNT"),
    *("HEALTH", "HITCOUNT", "KILLCOUNT", "SELECTED_WEAPON", "SELECTED_WEAPON_AMMO", "USER2", "elapsed_step", "env_id"),
)


@dataclass(frozen=True)
class Run:
    """A run of a pool: task, options, number of steps, number of environments."""

    task: str
    options: dict = field(default_factory=dict)
    steps: int = 60
    envs: int = 2

    @property
    def name(self):
        """Returns a unique name, readable in a test's id."""
        return ",".join([self.task, *(f"{name}={value}".replace(" ", "") for name, value in self.options.items())])

    def pool(self, package):
        """Makes the run's pool with ``package``: EnvPool or this package."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # EnvPool warns about its own spaces.
            options = {"num_envs": self.envs, "seed": 11, **self.options}
            return package.make_gymnasium(self.task, **options)

    def actions(self, space):
        """Returns random actions: indices of button combinations, or a value for each button."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        if hasattr(space, "n"):
            return rng.integers(0, space.n, (self.steps, self.envs))
        actions = (rng.random((self.steps, self.envs, *space.shape)) < 0.3).astype(float)
        moved = {"Deathmatch-v1": 3, "Cig-v1": 2}.get(self.task, 0)
        if moved:
            actions[..., -moved:] = rng.integers(-10, 11, (*actions.shape[:-1], moved))
        return actions


#: options that start a multiplayer game with one player
ALONE = {"game_args": "-host 1 -deathmatch"}

#: runs of every task with its default options
DEFAULTS = [
    *(Run(f"{name}-v1") for name in ("D1Basic", "D2Navigation", "D3Battle", "D4Battle2")),
    *(Run(f"{name}-v1") for name in ("Basic", "BasicAudio", "BasicNotifications", "DeadlyCorridor", "Deathmatch")),
    *(Run(f"{name}-v1") for name in ("DefendTheCenter", "DefendTheLine", "HealthGathering", "HealthGatheringSupreme")),
    *(Run(f"{name}-v1") for name in ("MyWayHome", "PredictPosition", "RocketBasic", "SimplerBasic", "TakeCover")),
    Run("Cig-v1", ALONE, envs=1),
    Run("MultiDuel-v1", ALONE, envs=1),
]

#: `delta_button_config` with one delta button (a turn by a number of degrees)
TURNS = {"TURN_LEFT_RIGHT_DELTA": (4, -9.0, 9.5)}

#: runs with options, each on a task in which the option has an effect
OPTIONS = [
    Run("D3Battle-v1", {"use_combined_action": True}),
    Run("D3Battle-v1", {"use_combined_action": True, "force_speed": True}),
    Run("Deathmatch-v1", {"use_combined_action": True, "delta_button_config": TURNS}),
    Run("Basic-v1", {"frame_skip": 1, "stack_num": 1}),
    Run("DefendTheCenter-v1", {"frame_skip": 7, "stack_num": 3, "img_height": 60, "img_width": 100}),
    Run("DeadlyCorridor-v1", {"use_inter_area_resize": False}),
    Run("SimplerBasic-v1", {"img_height": 240, "img_width": 320, "stack_num": 1}),
    Run("HealthGathering-v1", {"img_height": 120, "img_width": 160, "stack_num": 2}),
    Run("TakeCover-v1", {"img_height": 300, "img_width": 400, "stack_num": 1}, 30),
    Run("DeadlyCorridor-v1", {"max_episode_steps": 9, "seed": 2**31 - 2}),
    Run("PredictPosition-v1", {"episodic_life": True}),
    Run("MultiDuel-v1", {**ALONE, "episodic_life": True}, envs=1),
    Run("Deathmatch-v1", {"reward_config": {"AMMO2": (3.0, -2.0), "HEALTH": (0.25, -0.5)}, "weapon_duration": 2}),
    Run("Deathmatch-v1", {"selected_weapon_reward_config": {2: 0.5}, "weapon_duration": 0}),
]

RUNS = DEFAULTS + OPTIONS


def results(run, package, steps=None):
    """Plays a run; yields the arrays of each result by name, starting with the reset.

    Changes to a temporary folder, because EnvPool's engine keeps a configuration in the working directory, which would
    change the next run.
    """
    run = run if steps is None else Run(run.task, run.options, steps, run.envs)
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            pool = run.pool(package)
            observation, info = pool.reset()
            yield {"observation": observation, **{key: info[key] for key in INFOS}}
            for actions in run.actions(pool.action_space):
                observation, reward, terminated, truncated, info = pool.step(actions)
                yield {
                    "observation": observation,
                    **{key: info[key] for key in INFOS},
                    "step_reward": reward,
                    "step_terminated": terminated,
                    "step_truncated": truncated,
                }
            if hasattr(pool, "close"):
                pool.close()
        finally:
            os.chdir(HERE)


def recorded():
    """Reads EnvPool's recorded digests; returns a list of them for each run's name."""
    return envpool_digests.recorded(RECORDED)


if __name__ == "__main__":
    if sys.argv[1:2] == ["record"]:
        envpool_digests.record(RECORDED, RUNS, results)
    else:
        sys.exit(envpool_digests.compare(RUNS, results, int(sys.argv[2]) if len(sys.argv) > 2 else 700))
