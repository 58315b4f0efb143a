"""Runs `<Game>-v5` through EnvPool's interface, and compares digests of the results of EnvPool and of this package.

`recorded()` returns the digests of EnvPool 1.2.5, so that the comparison does not need EnvPool.

    python tools/atari/envpool_runs.py record            # rewrites tests/data/atari/envpool.json (needs envpool 1.2.5)
    python tools/atari/envpool_runs.py compare [STEPS]   # compares both packages, every array of every step (2000)
"""

import sys
import warnings
import zlib
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tools")]

from references import envpool_digests

RECORDED = ROOT / "tests" / "data" / "atari" / "envpool.json"

#: number of environments of a run
ENVS = 2
#: keys that EnvPool and this package have in a step's info
INFOS = ("lives", "reward", "terminated", "ram", "elapsed_step")


@dataclass(frozen=True)
class Run:
    """A run of a pool: task, options, number of steps, interface."""

    task: str
    options: dict = field(default_factory=dict)
    steps: int = 100
    interface: str = "gymnasium"
    envs: int = ENVS

    @property
    def name(self):
        """Returns a unique name, readable in a test's id."""
        options = [f"{name}={value}".replace(" ", "") for name, value in self.options.items()]
        return ",".join([self.task, *([] if self.interface == "gymnasium" else [self.interface]), *options])

    def pool(self, package):
        """Makes the run's pool with ``package``: EnvPool or this package."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # EnvPool warns about its own spaces.
            options = {"num_envs": ENVS, "seed": 11, **self.options}
            return package.make(self.task, env_type=self.interface, **options)

    def actions(self, count):
        """Returns random actions `(steps, ENVS)`; the second environment repeats each action for 1 to 19 steps."""
        rng = np.random.default_rng(zlib.crc32(self.name.encode()))
        actions = rng.integers(0, count, (self.steps, ENVS))
        held = np.repeat(rng.integers(0, count, self.steps), rng.integers(1, 20, self.steps))[: self.steps]
        actions[:, 1] = held
        return actions


#: runs with options, each on a game in which the option has an effect
OPTIONS = [
    Run("Breakout-v5", {"episodic_life": True, "reward_clip": True}, 300),
    Run("SpaceInvaders-v5", {"episodic_life": True}, 300),
    Run("SpaceInvaders-v5", {"reward_clip": True, "use_fire_reset": False}, 200),
    Run("Breakout-v5", {"zero_discount_on_life_loss": True}, 300, "dm"),
    Run("Breakout-v5", {"zero_discount_on_life_loss": True, "episodic_life": True}, 200, "dm"),
    Run("Breakout-v5", {"use_fire_reset": False}, 100),
    Run("Qbert-v5", {"repeat_action_probability": 0.25}, 200),
    Run("Pong-v5", {"repeat_action_probability": 0.25, "full_action_space": True, "seed": [5, 3]}, 100),
    Run("Asteroids-v5", {"full_action_space": True}, 200),
    Run("MsPacman-v5", {"gray_scale": False}, 100),
    Run("KingKong-v5", {"gray_scale": False, "stack_num": 2}, 100),
    Run("Seaquest-v5", {"gray_scale": False, "img_height": 64, "img_width": 96, "stack_num": 1}, 60),
    Run("Seaquest-v5", {"img_height": 64, "img_width": 96}, 60),
    Run("Seaquest-v5", {"img_height": 300, "img_width": 200, "stack_num": 1}, 40),
    Run("Seaquest-v5", {"img_height": 210, "img_width": 160, "stack_num": 1}, 40),
    Run("Seaquest-v5", {"img_height": 105, "img_width": 80, "stack_num": 3}, 40),
    Run("BeamRider-v5", {"use_inter_area_resize": False}, 60),
    Run("BeamRider-v5", {"use_inter_area_resize": False, "gray_scale": False, "stack_num": 2}, 60),
    Run("BeamRider-v5", {"use_inter_area_resize": False, "img_height": 250, "img_width": 250, "stack_num": 1}, 40),
    Run("Enduro-v5", {"frame_skip": 1}, 200),
    Run("Breakout-v5", {"frame_skip": 2}, 300),
    Run("SpaceInvaders-v5", {"frame_skip": 7, "episodic_life": True}, 200),
    Run("SpaceInvaders-v5", {"max_episode_steps": 37}, 150),
    Run("Breakout-v5", {"max_episode_steps": 25, "episodic_life": True}, 150),
    Run("SpaceInvaders-v5", {"mode": 9, "difficulty": 1}, 100),
    Run("Breakout-v5", {"mode": 44, "difficulty": 1}, 100),
    Run("Adventure-v5", {"mode": 2, "difficulty": 3}, 60),
    Run("DoubleDunk-v5", {"mode": 9}, 60),
    Run("Freeway-v5", {"noop_max": 1}, 60),
    Run("Breakout-v5", {"noop_max": 7, "max_episode_steps": 9, "seed": 2**31 - 2}, 200),
    Run("Breakout-v5", {"noop_max": 100, "max_episode_steps": 5, "use_fire_reset": False, "seed": [0, 12345]}, 200),
    Run("SpaceInvaders-v5", {"noop_max": 30, "max_episode_steps": 20, "episodic_life": True, "seed": 3000}, 200),
]


def runs(games):
    """Returns every game with its defaults, then the runs with options."""
    return [Run(f"{game}-v5") for game in games] + OPTIONS


def spaces(pool):
    """Returns the number of actions of a pool's action space."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        space = pool.spec.action_space
    return int(space.n)


def results(run, package, steps=None):
    """Plays a run; yields the arrays of each result by name, starting with the reset."""
    run = run if steps is None else Run(run.task, run.options, steps, run.interface)
    pool = run.pool(package)
    read = read_dm if run.interface == "dm" else read_gymnasium
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield read(pool.reset())
        for actions in run.actions(spaces(pool)):
            yield read(pool.step(actions))


def read_gymnasium(result):
    info = result[-1]
    arrays = {"observation": result[0], **{key: info[key] for key in INFOS}}
    return arrays | dict(zip(("step_reward", "step_terminated", "step_truncated"), result[1:-1], strict=False))


def read_dm(step):
    observation = step.observation
    arrays = {"observation": observation.obs, "step_type": step.step_type, "discount": step.discount}
    return arrays | {key: getattr(observation, key) for key in INFOS[:-1]} | {"step_reward": step.reward}


def recorded():
    """Reads EnvPool's recorded digests; returns a list of them for each run's name."""
    return envpool_digests.recorded(RECORDED)


def games_of(envpool):
    from envpool.atari.registration import atari_game_list

    names = ("".join(part.capitalize() for part in game.split("_")) for game in atari_game_list)
    # These four games are for two players, and EnvPool's console refuses them.
    return [name for name in names if name not in ("Combat", "Joust", "MazeCraze", "Warlords")]


if __name__ == "__main__":
    import envpool

    every_run = runs(games_of(envpool))
    if sys.argv[1:2] == ["record"]:
        envpool_digests.record(RECORDED, every_run, results)
    else:
        sys.exit(envpool_digests.compare(every_run, results, int(sys.argv[2]) if len(sys.argv) > 2 else 2000))
