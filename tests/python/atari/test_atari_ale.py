"""Tests that `ALE/<Game>-v5` equals ale-py's gymnasium environment with gymnasium's wrappers, bit for bit.

Environment `i` of a pool with seed `s` is `gymnasium.make` with seed `s + i`, episode after episode.

`ATARI_STEPS` sets the number of compared steps of each environment (`nox -s exact -- atari`), by default some dozens.
"""

import os

import envpool_rs
import gymnasium
import numpy as np
import pytest
from parity import SEED, Case, Run
from policies import random_actions
from tasks import ATARI, REGISTERED

pytest.importorskip("ale_py")
pytest.importorskip("cv2")

STEPS = int(os.environ.get("ATARI_STEPS", "0"))

GAMES = [task for task in ATARI if task.startswith("ALE/")]
SKIP_ONE = {"frameskip": 1, "preprocessing": True}
#: Compared runs: task, options, and steps of each environment. A second reset follows after half of the steps.
CASES = [
    ("ALE/Klax-v5", Case({"obs_type": "ram", "frameskip": (2, 6)}), 560),
    ("ALE/Berzerk-v5", Case({"obs_type": "ram", "repeat_action_probability": 0.6, "frameskip": 7}), 300),
    ("ALE/Breakout-v5", Case({"obs_type": "grayscale", "repeat_action_probability": 0.0}), 240),
    ("ALE/Pong-v5", Case({"full_action_space": True, "frameskip": 1}), 80),
    ("ALE/Freeway-v5", Case({"mode": 3, "difficulty": 1, "obs_type": "grayscale"}), 40),
    ("ALE/DoubleDunk-v5", Case({"mode": 9, "obs_type": "ram", "full_action_space": True}), 80),
    ("ALE/Adventure-v5", Case({"mode": 2, "difficulty": 2}), 40),
    ("ALE/Boxing-v5", Case({"max_num_frames_per_episode": 101, "obs_type": "ram"}), 120),
    ("ALE/Boxing-v5", Case({"max_num_frames_per_episode": None, "obs_type": "ram", "max_episode_steps": 30}), 120),
    ("ALE/Pong-v5", Case({"continuous": True, "obs_type": "ram"}), 160),
    ("ALE/Gravitar-v5", Case({"continuous": True, "continuous_action_threshold": 0.2, "obs_type": "ram"}), 160),
    ("ALE/Breakout-v5", Case({**SKIP_ONE, "stack_size": 4}), 400),
    ("ALE/Asterix-v5", Case({**SKIP_ONE, "terminal_on_life_loss": True, "stack_size": 3}), 200),
    ("ALE/SpaceInvaders-v5", Case({**SKIP_ONE, "grayscale_obs": False, "noop_max": 5, "stack_size": 2}), 80),
    ("ALE/Breakout-v5", Case({**SKIP_ONE, "frame_skip": 3, "noop_max": 0, "grayscale_newaxis": True}), 80),
    ("ALE/Breakout-v5", Case({**SKIP_ONE, "frame_skip": 2, "terminal_on_life_loss": True}), 300),
    ("ALE/Breakout-v5", Case({"preprocessing": True, "frame_skip": 1, "frameskip": (1, 4)}), 200),
    ("ALE/MsPacman-v5", Case({**SKIP_ONE, "scale_obs": True, "screen_size": (64, 96), "stack_size": 2}), 40),
    ("ALE/MsPacman-v5", Case({**SKIP_ONE, "scale_obs": True, "grayscale_obs": False}), 40),
    ("ALE/KingKong-v5", Case({**SKIP_ONE, "screen_size": 110}), 40),
    ("ALE/Carnival-v5", Case({**SKIP_ONE, "screen_size": (200, 300), "grayscale_obs": False}), 24),
    ("ALE/Freeway-v5", Case({"stack_size": 3, "padding_type": "zero", "obs_type": "grayscale"}), 24),
    ("ALE/Freeway-v5", Case({"stack_size": 2, "obs_type": "ram", "max_episode_steps": 11}), 60),
]


def actions_of(run, task, count, rng):
    """Returns random actions of the task's action space."""
    return np.clip(random_actions(run.vector.single_action_space, count, rng), *bounds(run.vector.single_action_space))


def bounds(space):
    return (0, space.n - 1) if hasattr(space, "n") else (space.low, space.high)


def play(run, task, steps, rng):
    for _ in range(steps):
        run.step(actions_of(run, task, run.count, rng))


def check_spaces(run):
    for name in ("observation_space", "action_space"):
        assert getattr(run.vector, f"single_{name}") == getattr(run.reference.envs[0], name)


def check(run, task, steps, parity_table):
    parity_table.add(task, *run.counts(steps))
    assert run.first_difference is None, (run.differences, *run.first_difference)


@pytest.mark.parametrize("task", GAMES)
def test_every_game_equals_ale(task, parity_table):
    run = Run(task, Case(), 1)
    ale = run.reference.envs[0].unwrapped.ale
    assert envpool_rs.make_spec(task, full_action_space=True).action_space.n == len(ale.getLegalActionSet())
    steps = STEPS or 24
    run.reset([SEED], {})
    play(run, task, steps, np.random.default_rng(7))
    check_spaces(run)
    check(run, task, steps, parity_table)


@pytest.mark.parametrize(("task", "case", "steps"), CASES, ids=str)
def test_options_equal_those_of_ale_and_its_wrappers(task, case, steps, parity_table):
    run = Run(task, case, 2)
    steps = STEPS or steps
    rng = np.random.default_rng(7)
    run.reset([SEED, SEED + 1], {})
    play(run, task, steps // 2, rng)
    run.reset([None, None], {})
    play(run, task, steps // 4, rng)
    run.reset(77, {}, [77, 78])
    play(run, task, steps - steps // 2 - steps // 4, rng)
    check_spaces(run)
    check(run, task, steps, parity_table)


@pytest.mark.parametrize(
    ("game", "options", "arguments"),
    [
        ("Pong", {}, {}),
        ("Breakout", {"repeat_action_probability": 0.0}, {"terminal_on_life_loss": True, "noop_max": 5}),
        ("AirRaid", {"obs_type": "grayscale"}, {"frame_skip": 2, "noop_max": 0}),
        ("MsPacman", {"full_action_space": True}, {"scale_obs": True, "screen_size": 64, "grayscale_obs": False}),
    ],
)
def test_gymnasiums_preprocessing_of_a_single_environment_equals_that_of_ale(game, options, arguments):
    ale = pytest.importorskip("ale_py")
    gymnasium.register_envs(ale)
    envs = [gymnasium.make(f"{name}{game}-v5", frameskip=1, **options) for name in ("envpool_rs/ALE-", "ALE/")]
    assert envs[0].unwrapped.get_action_meanings() == envs[1].unwrapped.get_action_meanings()
    envs = [gymnasium.wrappers.AtariPreprocessing(env, **arguments) for env in envs]
    assert envs[0].observation_space == envs[1].observation_space
    rng = np.random.default_rng(3)
    for seed in (7, None, None, 8):
        ours, theirs = (env.reset(seed=seed)[0] for env in envs)
        np.testing.assert_array_equal(ours, theirs)
        for action in rng.integers(0, envs[1].action_space.n, 12).tolist():
            ours, theirs = (env.step(action) for env in envs)
            np.testing.assert_array_equal(ours[0], theirs[0])
            assert ours[1:4] == theirs[1:4] and ours[4]["lives"] == theirs[4]["lives"]
    for env in envs:
        env.close()


def test_a_screen_that_observations_do_not_hold_is_refused():
    env = gymnasium.make("envpool_rs/ALE-Pong-v5", obs_type="ram")
    with pytest.raises(RuntimeError, match=r"getScreenRGB\(\): obs_type='ram': expected 'rgb'"):
        env.unwrapped.ale.getScreenRGB()
    env = gymnasium.make("envpool_rs/ALE-Pong-v5", obs_type="grayscale")
    with pytest.raises(RuntimeError, match=r"getScreenGrayscale\(\): the environment has no screen yet"):
        env.unwrapped.ale.getScreenGrayscale()
    pal = gymnasium.make("envpool_rs/ALE-AirRaid-v5")
    pal.reset()
    with pytest.raises(RuntimeError, match=r"getScreenGrayscale\(\): obs_type='rgb': expected 'grayscale'"):
        pal.unwrapped.ale.getScreenGrayscale()
    observation, _ = env.reset()
    assert (env.unwrapped.ale.getScreenGrayscale() == observation).all() and env.unwrapped.ale.lives() == 0
    with pytest.raises(AttributeError, match="get_action_meanings"):
        gymnasium.make("envpool_rs/CartPole-v1").unwrapped.get_action_meanings()


def test_every_option_is_compared():
    options = {option["name"] for task in REGISTERED if task["id"] in GAMES for option in task["options"]}
    compared = {name for _, case, _ in CASES for name in case.options} | {"rom_dir", "game", "stack_once", "translate"}
    assert options - compared == set()
