"""Tests that the reset options `goal_cell` and `reset_cell` of mazes equal Gymnasium-Robotics'."""

import envpool_rs
import numpy as np
import pytest

pytest.importorskip("mujoco")
pytest.importorskip("gymnasium_robotics")
from maze_reference import bits, check, make_one, reference

# Gymnasium warns that mazes of versions 3 and 4 are out of date; the tests ignore this warning.
pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning")

RESET_OPTIONS = [
    {"goal_cell": [1, 3]},
    {"reset_cell": np.array([3, 1])},
    {"goal_cell": (1, 1), "reset_cell": [3, 3]},
    {"goal_cell": [1, 2], "reset_cell": [1, 2]},
    {"goal_cell": None, "reset_cell": [1, 3]},
    {},
]


@pytest.mark.parametrize(
    "task", ["PointMaze_UMaze-v3", "PointMaze_Open_Diverse_GR-v3", "AntMaze_UMaze-v3", "AntMaze_Open-v5"]
)
def test_cells_of_resets_are_the_references(task):
    ours, theirs = envpool_rs.make_vec(task, 2), reference(task, 2, {})
    for seed, options in enumerate(RESET_OPTIONS):
        check(ours.reset(seed=seed, options=options), theirs.reset(seed=seed, options=options), options)
        check(ours.reset(options=options), theirs.reset(options=options), options)
    got, expected = ours.reset(), theirs.reset()
    for step in range(5):
        check(got, expected, step)
        action = np.zeros(ours.action_space.shape, np.float32)
        got, expected = ours.step(action), theirs.step(action)


@pytest.mark.parametrize("num_threads", [1, 2])
def test_cells_of_resets_may_differ_between_environments(num_threads):
    ours = envpool_rs.make_vec("PointMaze_UMaze-v3", 3, num_threads=num_threads)
    single = [make_one("PointMaze_UMaze-v3") for _ in range(3)]
    goals, starts = [[1, 1], None, [3, 3]], np.array([[1, 3], [3, 1], [3, 1]])
    observation, _ = ours.reset(seed=2, options={"goal_cell": goals, "reset_cell": starts})
    expected = [
        env.reset(seed=2 + index, options={"goal_cell": goals[index], "reset_cell": starts[index]})[0]
        for index, env in enumerate(single)
    ]
    for key, rows in observation.items():
        assert bits(rows) == bits(np.stack([each[key] for each in expected])), key
    mask = np.array([True, False, True])
    observation, _ = ours.reset(options={"goal_cell": goals[::-1], "reset_mask": mask})
    for index in (0, 2):
        expected[index] = single[index].reset(options={"goal_cell": goals[::-1][index]})[0]
    for key, rows in observation.items():
        assert bits(rows) == bits(np.stack([each[key] for each in expected])), key


def test_cells_are_checked_against_the_map_of_their_environment():
    pool = envpool_rs.make_vec(("PointMaze_UMaze-v3", "PointMaze_Large-v3"), 2, seed=1)
    observation, _ = pool.reset(options={"goal_cell": [[1, 1], [7, 10]]})
    alone = envpool_rs.make_vec("PointMaze_Large-v3", 1, seed=2)
    expected, _ = alone.reset(options={"goal_cell": [7, 10]})
    np.testing.assert_array_equal(observation["desired_goal"][1:], expected["desired_goal"])
    mask = np.array([False, True])
    pool.reset(options={"goal_cell": [7, 10], "reset_mask": mask})
    with pytest.raises(ValueError, match=r"goal_cell=\[7, 10\]: expected a row from 0 to 4"):
        pool.reset(options={"goal_cell": [[7, 10], [7, 10]]})


def test_environments_without_a_cell_are_reset_as_usual():
    pools = [envpool_rs.make_vec("PointMaze_UMaze-v3", 2, seed=1) for _ in range(2)]
    first = [
        pool.reset(options=options)[0] for pool, options in zip(pools, ({"goal_cell": [None, None]}, {}), strict=True)
    ]
    np.testing.assert_array_equal(first[0]["desired_goal"], first[1]["desired_goal"])
    mask = np.array([True, False])
    options = ({"goal_cell": [None, [1, 1]], "reset_mask": mask}, {"reset_mask": mask})
    second = [pool.reset(options=each)[0] for pool, each in zip(pools, options, strict=True)]
    np.testing.assert_array_equal(second[0]["desired_goal"], second[1]["desired_goal"])


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"goal_cell": [0, 0]}, r"goal_cell=\[0, 0\]: expected a cell without a wall"),
        ({"reset_cell": [5, 1]}, r"reset_cell=\[5, 1\]: expected a row from 0 to 4 and a column from 0 to 4"),
        ({"reset_cell": [-1, 1]}, r"reset_cell=\[-1, 1\]: expected a row"),
        ({"goal_cell": [1.5, 1]}, r"goal_cell=\[1.5, 1\]: expected a row"),
        ({"goal_cell": [1]}, r"goal_cell=\[1\]: expected a row and a column"),
        ({"goal_cell": [1, 1, 1]}, "goal_cell: expected 2 numbers"),
        ({"goal_cell[0]": 1, "goal_cell[1]": 1}, r"unknown reset option .goal_cell\[\d\]"),
        ({"goal_cell": 3}, "goal_cell: expected 2 numbers"),
        ({"goal_cell": "ab"}, "goal_cell='ab': expected a number"),
        ({"goal_cell": [[1, 1]]}, r"goal_cell=\[1 values\]: expected one for each of the 2 environments"),
        ({"goal_cell": [[1, 1], [1]]}, "goal_cell"),
        ({"goal_cell": [[1, 1], [0, 0]]}, r"goal_cell=\[0, 0\]"),
        ({"goal_cell": [[1, 1]], "reset_mask": np.array([True, False])}, "1 rows: expected num_envs=2"),
        ({"goals": [1, 1]}, "unknown reset option"),
        ({"goals": None}, "goals=None"),
    ],
)
def test_bad_cells_of_resets_are_named(options, named):
    ours = envpool_rs.make_vec("PointMaze_UMaze-v3", 2)
    ours.reset(seed=0)
    with pytest.raises(ValueError, match=named):
        ours.reset(options=options)


def test_goals_close_to_all_starts_are_refused():
    ours = envpool_rs.make_vec("PointMaze_UMaze-v3", 2, maze_map=["1r0g1"])
    with pytest.raises(ValueError, match=r"goal_cell=.*far from a start"):
        ours.reset(options={"goal_cell": [0, 1]})
    ours.reset(options={"goal_cell": [0, 1], "reset_cell": [0, 2]})


def test_other_tasks_refuse_rows_of_reset_options():
    ours = envpool_rs.make_vec("CartPole-v1", 2)
    ours.reset()
    with pytest.raises(ValueError, match="low=a list: expected one value for all environments"):
        ours.reset(options={"low": [[0.0], [0.1]]})
    with pytest.raises(ValueError, match="low=None: expected a number"):
        ours.reset(options={"low": None})
