"""Tests that PointMaze and AntMaze replay Gymnasium-Robotics' environments, bit for bit, on the same MuJoCo library.

Environment `i` of a pool with seed `s` equals `gymnasium.make` with seed `s + i` in observations, rewards, ends and
infos, over many episodes. Agents move towards their goals, so that they reach some and press against walls.

`MAZE_STEPS` sets the number of compared steps of each environment (`nox -s exactness`), by default some hundreds.
"""

import os

import envpool_rs
import numpy as np
import pytest
from envpool_rs import robotics
from gymnasium.vector import AutoresetMode
from tasks import MAZE

pytest.importorskip("mujoco")
pytest.importorskip("gymnasium_robotics")
from maze_reference import bits, check, make_one, reference
from robotics_reference import check_relabelled_goals

# Gymnasium warns that mazes of versions 3 and 4 are out of date; the tests ignore this warning.
pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning")

STEPS = int(os.environ.get("MAZE_STEPS", "0"))
SEED = 11

#: Rows of a map with all kinds of cells, for this package's option `maze_map`.
ROWS = ["111111", "1rg0c1", "100101", "1g00r1", "111111"]
CELLS = [[int(cell) if cell in "01" else cell for cell in row] for row in ROWS]

#: Cases: task, options of this package, and Gymnasium-Robotics' options if they differ.
CASES = [
    ("PointMaze_Open-v3", {"continuing_task": False}, None),
    ("PointMaze_Open-v3", {"reset_target": True}, None),
    ("PointMaze_OpenDense-v3", {"reset_target": True}, None),
    ("PointMaze_Open_Diverse_G-v3", {"reset_target": True, "reward_type": "dense"}, None),
    ("PointMaze_Medium_Diverse_GR-v3", {"continuing_task": False, "reset_target": True}, None),
    ("PointMaze_UMaze-v3", {"maze_map": ROWS, "reset_target": True}, {"maze_map": CELLS, "reset_target": True}),
    ("PointMaze_UMaze-v3", {"maze_map": ["1r0g1"]}, {"maze_map": [[1, "r", 0, "g", 1]]}),
    ("AntMaze_UMaze-v5", {"include_cfrc_ext_in_observation": False, "frame_skip": 2, "ctrl_cost_weight": 0.1}, None),
    ("AntMaze_OpenDense-v5", {"maze_map": ROWS, "main_body": 3}, {"maze_map": CELLS, "main_body": 3}),
    ("AntMaze_Medium-v4", {"use_contact_forces": True, "contact_cost_weight": 0.01}, None),
]

POINT = [task for task in MAZE if task.startswith("Point")]


def towards_goals(observation, space, random):
    """Returns float32 actions towards the goals, with noise; some actions are outside the action space."""
    away = observation["desired_goal"] - observation["achieved_goal"]
    noise = random.normal(size=(len(away), *space.shape))
    noise[:, :2] += 2 * away
    return noise.astype(np.float32)


def compare(task, count, steps, options=None, theirs=None, pool_options=None, table=None, **others):
    """Steps a pool and Gymnasium-Robotics' environments with equal actions, and compares all results. Adds the numbers
    of compared values to ``table``; returns the numbers of ended episodes and of steps at a goal.
    """
    ours = envpool_rs.make_vec(task, count, **options or {}, **pool_options or {})
    theirs = reference(task, count, (options if theirs is None else theirs) or {}, **others)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    got, expected = ours.reset(seed=SEED), theirs.reset(seed=SEED)
    check(got, expected, "reset")
    random = np.random.default_rng(0)
    ended = truncated = reached = values = 0
    for step in range(steps):
        action = towards_goals(expected[0], ours.single_action_space, random)
        got, expected = ours.step(action), theirs.step(action)
        final = expected[-1].pop("final_info", None)
        if final is not None:
            observations = expected[-1].pop("final_obs")
            mask = expected[-1].pop("_final_info") & expected[-1].pop("_final_obs")
            for env in np.flatnonzero(mask):
                assert bits(got[-1]["final_obs"][env]) == bits(observations[env]), step
            for key in ["success"] if "success" in final else []:
                assert bits(got[-1]["final_info"][key][mask]) == bits(final[key][mask]), step
            got = (*got[:-1], {key: value for key, value in got[-1].items() if "final" not in key})
        check(got, expected, step)
        ended += int((got[2] | got[3]).sum())
        truncated += int(got[3].sum())
        reached += int(np.sum(expected[-1].get("success", 0)))
        infos = (value for key, value in expected[-1].items() if not key.startswith("_"))
        values += sum(np.size(each) for each in [*expected[0].values(), *expected[1:4], *infos])
    theirs.close()
    if table is not None:
        table.add(task, 1, count * steps, ended, truncated, values, 0)
    return ended, reached


@pytest.mark.parametrize("task", MAZE)
def test_resets_are_the_references(task):
    ours, theirs = envpool_rs.make_vec(task, 2), reference(task, 2, {})
    for seed in range(10):
        check(ours.reset(seed=seed), theirs.reset(seed=seed), seed)
        check(ours.reset(), theirs.reset(), "without a seed")


@pytest.mark.parametrize("task", MAZE)
def test_episodes_are_the_references(task, parity_table):
    steps = 350 if task in POINT else 60
    ended, reached = compare(task, 2, STEPS or steps, table=parity_table)
    if task in POINT:
        # Walls keep some agents from their goals in large mazes, and episodes may be longer than the comparison.
        assert reached > 0 or "Medium" in task or "Large" in task
        assert ended >= 2 or "Medium" in task or "Large" in task


@pytest.mark.parametrize(("task", "options", "theirs"), CASES)
def test_options_do_what_the_references_do(task, options, theirs, parity_table):
    is_point = task in POINT
    ended, reached = compare(task, 4, STEPS or (400 if is_point else 80), options, theirs, table=parity_table)
    assert not is_point or (ended > 0 and reached > 0)


@pytest.mark.parametrize("version", ["v3", "v4", "v5"])
@pytest.mark.parametrize("options", [{"continuing_task": False}, {"reset_target": True}])
def test_ants_reach_goals_as_in_the_reference(version, options, monkeypatch):
    """Compares mazes with cells of 0.6 m, in which ants start close to goals; the test changes the reference's cell
    size, which is fixed at 4 m.
    """
    from gymnasium_robotics.envs.maze import maze, maze_v4

    for module in (maze, maze_v4):
        make = module.Maze.make_maze.__func__

        def make_small(cls, path, cells, scale, height, make=make):
            return make(cls, path, cells, 0.6, height)

        monkeypatch.setattr(module.Maze, "make_maze", classmethod(make_small))
    rows = ["00000", "0c0c0", "00000", "0c0c0"]
    cells = [[int(cell) if cell in "01" else cell for cell in row] for row in rows]
    if version == "v3":
        options = {"continuing_task": not options.get("reset_target", False)}
    ours = {**options, "maze_map": rows, "maze_size_scaling": 0.6}
    ended, reached = compare(f"AntMaze_OpenDense-{version}", 6, 150, ours, {**options, "maze_map": cells})
    assert ended > 0 or reached > 0 or version == "v3"


@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
def test_autoreset_modes_are_the_references(mode):
    options = {"continuing_task": False}
    ended, _ = compare(
        "PointMaze_Open-v3",
        8,
        250,
        options,
        pool_options={"autoreset_mode": mode, "num_threads": 2},
        autoreset_mode=mode,
    )
    assert ended > 3


def test_manual_resets_are_the_references():
    ours = envpool_rs.make_vec("PointMaze_Open-v3", 2, continuing_task=False, autoreset_mode=AutoresetMode.DISABLED)
    theirs = reference("PointMaze_Open-v3", 2, {"continuing_task": False}, autoreset_mode=AutoresetMode.DISABLED)
    check(ours.reset(seed=4), theirs.reset(seed=4), "reset")
    mask = np.array([False, True])
    check(ours.reset(options={"reset_mask": mask}), theirs.reset(options={"reset_mask": mask}), "one")


@pytest.mark.parametrize("task", ["PointMaze_Large_Diverse_GR-v3", "PointMaze_OpenDense-v3", "AntMaze_Open-v5"])
def test_a_snapshot_during_an_episode_continues_identically(task):
    first, other = (envpool_rs.make_vec(task, 3, reset_target=True) for _ in range(2))
    random = np.random.default_rng(2)
    observation, _ = first.reset(seed=3)
    other.reset(seed=900)
    for _ in range(40):
        observation = first.step(towards_goals(observation, first.single_action_space, random))[0]
        other.step(first.action_space.sample())
    other.set_state(first.get_state())
    for step in range(300 if task in POINT else 60):
        action = towards_goals(observation, first.single_action_space, random)
        result = first.step(action)
        check(other.step(action), result, step)
        observation = result[0]


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("PointMaze_Medium-v3", {"frame_skip": 5}),
        ("PointMaze_UMaze-v3", {"maze_size_scaling": 0.6, "reset_target": True}),
        ("AntMaze_UMaze-v5", {"maze_size_scaling": 2.0}),
        ("AntMaze_Large_Diverse_GR-v4", {"use_contact_forces": True, "maze_size_scaling": 2.0}),
        ("AntMaze_Medium-v3", {"maze_size_scaling": 2.0}),
    ],
)
def test_native_steps_against_walls_are_the_librarys(task, options):
    native, library = (envpool_rs.make_vec(task, 11, physics=physics, **options) for physics in ("native", "libmujoco"))
    assert native.decided[0][:2] == ("physics", "native")
    got, expected = native.reset(seed=SEED), library.reset(seed=SEED)
    random = np.random.default_rng(1)
    for step in range(350 if task in POINT else 150):
        check(got, expected, step)
        action = towards_goals(expected[0], native.single_action_space, random)
        got, expected = native.step(action), library.step(action)


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_envpools_interfaces_have_its_infos(env_type):
    ours = envpool_rs.make("PointMaze_UMaze-v3", env_type=env_type, num_envs=2, seed=4)
    vector = envpool_rs.make_vec("PointMaze_UMaze-v3", 2)
    expected, _ = vector.reset(seed=4)
    ours.reset()
    action = np.full((2, 2), 0.5, np.float32)
    result, expected = ours.step(action), vector.step(action)
    if env_type == "dm":
        assert bits(result.observation.desired_goal) == bits(expected[0]["desired_goal"])
        assert bits(result.observation.distance) == bits(result.observation.distance.astype(np.float64))
        return
    assert list(ours.observation_space) == ["observation", "achieved_goal", "desired_goal"]
    assert bits(result[0]) == bits(expected[0])
    away = expected[0]["desired_goal"] - expected[0]["achieved_goal"]
    assert np.allclose(result[-1]["distance"], np.linalg.norm(away, axis=-1), rtol=1e-15)
    assert bits(result[-1]["success"]) == bits(np.zeros(2))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"maze_map": "HUGE"}, 'maze_map="HUGE"'),
        ({"maze_map": ["111", "11"]}, "rows of the same length"),
        ({"maze_map": ["1x1"]}, "0, 1, g, r and c"),
        ({"maze_map": ["111"]}, "cells for goals"),
        ({"maze_map": ["1c1"]}, "further away"),
        ({"maze_map": []}, "maze_map"),
        ({"maze_size_scaling": 0}, "maze_size_scaling"),
        ({"maze_size_scaling": 0.1, "reset_target": True}, "maze_size_scaling=0.1"),
        ({"position_noise_range": 50.0}, "maze_map"),
        ({"reward_type": "none"}, "reward_type"),
        ({"maze_height": -1.0}, "maze_height"),
    ],
)
def test_bad_options_are_named(options, named):
    with pytest.raises(ValueError, match=named):
        envpool_rs.make_vec("PointMaze_UMaze-v3", 2, **options)


@pytest.mark.parametrize("task", ["PointMaze_UMaze-v3", "PointMaze_UMazeDense-v3", "AntMaze_OpenDense-v5"])
def test_relabelled_goals_have_the_references_rewards(task):
    theirs = make_one(task).unwrapped
    achieved, desired = check_relabelled_goals(task, theirs, 2, 0.4)
    shape = robotics.compute_reward(achieved[:6].reshape(2, 3, 2), desired[0], {}, reward_type=theirs.reward_type)
    assert bits(shape) == bits(theirs.compute_reward(achieved[:6].reshape(2, 3, 2), desired[0], {}))


def test_rewards_of_no_goals_are_refused():
    goals = np.zeros((3, 2))
    for wrong in (np.zeros((3, 3)), 1.0, np.zeros((4, 2))):
        with pytest.raises(ValueError, match="achieved_goal"):
            robotics.compute_reward(wrong, goals)
    with pytest.raises(TypeError, match="desired_goal"):
        robotics.compute_reward(goals, ["a", "b"])
    with pytest.raises(ValueError, match="reward_type"):
        robotics.compute_reward(goals, goals, reward_type="none")
    with pytest.raises(AttributeError, match="compute_reward"):
        envpool_rs.make_vec("CartPole-v1", 2).call("compute_reward", goals, goals, {})


def test_maps_have_gymnasium_robotics_form():
    forms = [CELLS, np.array(CELLS, object), tuple(map(tuple, CELLS)), [list(row) for row in ROWS], [CELLS, CELLS]]
    for maze_map in forms:
        spec = envpool_rs.make_spec("PointMaze_UMaze-v3", num_envs=2, maze_map=maze_map)
        assert spec.config.maze_map == ROWS
    with pytest.raises(ValueError, match="maze_map has the cell 2: expected 0, 1, 'g', 'r' or 'c'"):
        envpool_rs.make_spec("PointMaze_UMaze-v3", maze_map=[[1, 2, 1]])
