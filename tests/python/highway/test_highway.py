"""Tests that HighwayEnv's tasks equal the package highway-env 1.12.1, bit for bit, in the setting that the page names.

`HIGHWAY_SEEDS` sets the number of compared seeds of each case (`nox -s exact -- highway`).
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import robotics
from highway_configs import CONFIGS, GREY, PICTURES
from highway_play import SETTING

SEEDS = int(os.environ.get("HIGHWAY_SEEDS", "1"))

needs_package = pytest.mark.skipif(find_spec("highway_env") is None, reason="highway-env is not installed")

#: EnvPool's names of tasks, each with the package's.
OTHER_NAMES = {
    "Highway-v0": "highway-v0",
    "HighwayFast-v0": "highway-fast-v0",
    "Merge-v0": "merge-v0",
    "Roundabout-v0": "roundabout-v0",
    "Intersection-v0": "intersection-v0",
    "Intersection-v1": "intersection-v1",
    "Exit-v0": "exit-v0",
    "TwoWay-v0": "two-way-v0",
    "UTurn-v0": "u-turn-v0",
    "Parking-v0": "parking-v0",
    "ParkingActionRepeat-v0": "parking-ActionRepeat-v0",
    "ParkingParked-v0": "parking-parked-v0",
    "IntersectionMultiAgent-v0": "intersection-multi-agent-v0",
    "IntersectionMultiAgent-v1": "intersection-multi-agent-v1",
    "Racetrack-v0": "racetrack-v0",
    "RacetrackLarge-v0": "racetrack-large-v0",
    "RacetrackOval-v0": "racetrack-oval-v0",
    "LaneKeeping-v0": "lane-keeping-v0",
}

#: Ids of the package.
IDS = (
    *("highway-fast-v0", "highway-v0", "merge-v0", "merge-v1", "merge-generic-v0", "merge-generic-v1"),
    *("roundabout-v0", "roundabout-v1", "roundabout-generic-v0", "roundabout-generic-v1"),
    *("intersection-v0", "intersection-v1", "intersection-v2", "exit-v0", "exit-v1"),
    *("two-way-v0", "u-turn-v0", "u-turn-v1", "parking-v0", "parking-ActionRepeat-v0", "parking-parked-v0"),
    *("intersection-multi-agent-v0", "intersection-multi-agent-v1", "intersection-multi-agent-v2"),
    *("racetrack-v0", "racetrack-v1", "racetrack-large-v0", "racetrack-large-v1", "racetrack-oval-v0"),
    *("racetrack-oval-v1", "lane-keeping-v0"),
)

#: Compared cases: id, the package's configuration, and the number of steps if episodes are long.
CASES = {
    **{task: (task, {}) for task in IDS},
    **{own: (task, {}, 10) for own, task in OTHER_NAMES.items()},
    **{
        f"{task}, {number}": (task, config)
        for task, configs in CONFIGS.items()
        for number, config in enumerate(configs)
    },
}


@pytest.fixture(scope="module")
def play():
    """Returns a function that returns the counts of a comparison with the package, played by another process."""
    environment = {**os.environ, **SETTING, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    command = [sys.executable, Path(__file__).with_name("highway_play.py")]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:

        def played(case):
            print(json.dumps(case), file=process.stdin, flush=True)
            line = process.stdout.readline()
            assert line, f"the player ended: {process.wait()}"
            total = json.loads(line)
            assert "error" not in total, total["error"]
            return total

        yield played


@needs_package
@pytest.mark.parametrize("name", CASES)
def test_every_number_equals_the_package(name, play, parity_table):
    task, config, *steps = CASES[name]
    case = {"id": task, "seeds": list(range(3, 3 + SEEDS)), "config": config, "episodes": 2}
    case |= {"own_id": name} if name in OTHER_NAMES else {}
    case |= {"steps": steps[0]} if steps else {}
    total = play(case)
    counted = ("steps", "episodes", "truncated", "values", "different")
    parity_table.add(case.get("own_id", task), 1, *(total[count] for count in counted))
    assert total["different"] == 0, total["first"]
    assert total["values"] > 100


@needs_package
@pytest.mark.parametrize("task, config", PICTURES)
def test_every_pixel_equals_the_package(task, config, play):
    case = {"id": task, "seeds": list(range(3, 3 + SEEDS)), "config": config, "episodes": 2, "steps": 8 * SEEDS}
    total = play({**case, "pictures": True})
    assert total["different"] == 0, total["first"]


#: Options that are refused, each with a word of the message.
REFUSED = [
    ({"lanes_count": 0}, "lanes_count"),
    ({"vehicles_count": 1000}, "vehicles_count"),
    ({"collision_reward": float("nan")}, "collision_reward"),
    ({"simulation_frequency": -5}, "simulation_frequency"),
    ({"policy_frequency": -1.0}, "policy_frequency"),
    ({"policy_frequency": 20, "simulation_frequency": 15}, "policy_frequency"),
    ({"duration": 1e300}, "duration"),
    ({"lanes_count": 2, "initial_lane_id": 2}, "initial_lane_id"),
    ({"reward_speed_range": [20, 20]}, "reward_speed_range"),
    ({"collision_reward": 0.5}, "normalized_reward"),
    ({"action_lateral": False, "action_longitudinal": False}, "action_longitudinal"),
    ({"action_target_speeds": [20]}, "action_target_speeds"),
    ({"action_speed_range": [0, 30]}, "action_speed_range"),
    ({"observation_features": ["presence", "colour"]}, "observation_features"),
    ({"observation_features_range": {"x": [1, 1]}}, "observation_features_range"),
    ({"observation_vehicles_count": 1}, "observation_vehicles_count"),
    ({"lane_count": 3}, "lanes_count"),
]


@pytest.mark.parametrize("options, word", REFUSED)
def test_options_without_meaning_are_refused_by_name(options, word):
    with pytest.raises((ValueError, TypeError), match=word):
        envpool_rs.make_vec("highway-v0", 1, **options)


def test_extreme_options_neither_fail_nor_hang():
    extreme = {"vehicles_count": 500, "lanes_count": 50, "vehicles_density": 100.0, "controlled_vehicles": 50}
    envs = envpool_rs.make_vec("highway-v0", 2, seed=0, duration=3, **extreme)
    envs.reset(seed=0)
    for _ in range(8):
        observation, reward, *_ = envs.step(envs.action_space.sample())
        assert np.isfinite(observation).all() and np.isfinite(reward).all()


def test_the_mask_allows_idling_and_forbids_leaving_the_road():
    envs = envpool_rs.make_vec("highway-fast-v0", 4, seed=0, initial_lane_id=0)
    _, info = envs.reset(seed=0)
    assert info["action_mask"][:, 1].all() and not info["action_mask"][:, 0].any()


@needs_package
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("task", IDS)
def test_the_packages_own_configuration_changes_nothing(task):
    import highway_env  # noqa: F401

    config = gymnasium.make(task).unwrapped.config
    default, given = (envpool_rs.make_spec(task, **each).pool.config for each in ({}, {"config": config}))
    # Missing keys are None, and parking's grids have a key that the package does not read.
    changed = {name for name, value in given.items() if value is not None and value != default[name]}
    assert changed <= {"observation_normalize"}


@pytest.mark.parametrize(
    "config, message",
    [
        ({"lane_count": 3}, r"config has the unknown key 'lane_count'; did you mean 'lanes_count'"),
        ({"seed": 3}, "config has the unknown key 'seed'"),
        (
            {"normalize_reward": False, "normalized_reward": True},
            r"\['normalized_reward'\] is given twice: also as 'normalize_r",
        ),
        ({"observation": {"vehicles_count": 3}}, r"config\['observation'\] has no 'type'"),
        ({"observation": {"type": "Kinematics", "vehicle_count": 3}}, "did you mean 'vehicles_count'"),
        (
            {"observation": {"type": "Kinematics", "vehicles_count": 1}},
            r"config\['observation'\]\['vehicles_count'\]=1",
        ),
        ({"observation": {"type": "Kinematics", "horizon": 5}}, r"\['horizon'\]=5: .* it belongs to TimeToCollision"),
        ({"observation": {"type": "PictureObservation"}}, r"\['type'\]=\"PictureObservation\": expected"),
        ({"observation": {"type": "GrayscaleObservation"}}, r"observation_shape=None: expected width and height"),
        ({"observation": {**GREY, "stack_size": None}}, r"\['stack_size'\]=None"),
        ({"observation": {**GREY, "observation_shape": [84, 5000]}}, r"\['observation_shape'\]=\[84, 5000\]"),
        ({"observation": {**GREY, "observation_shape": [1024, 1024], "stack_size": 5}}, "at most 4,194,304 pixels"),
        ({"observation": {**GREY, "weights": [1.0]}}, r"\['weights'\]=\[1.0\]"),
        ({"show_trajectories": True}, r"config\['show_trajectories'\]=True: expected False"),
        ({"scaling": 0}, r"config\['scaling'\]=0"),
        ({"screen_width": 10**6}, r"config\['screen_width'\]=1000000"),
        ({"centering_position": [0.5]}, r"config\['centering_position'\]=\[0.5\]"),
        ({"observation": {"type": "OccupancyGrid", "absolute": True}}, r"\['absolute'\]=True"),
        (
            {"observation": {"type": "OccupancyGrid", "grid_size": [[1, 1], [0, 3]]}},
            r"\['grid_size'\]=\[1.0, 1.0, 0.0, 3.0\]",
        ),
        ({"observation": {"type": "MultiAgentObservation", "observation_config": {"type": "Kinematics"}}}, "together"),
        ({"action": {"type": "DiscreteAction", "speed_range": [0, 1]}}, "it belongs to ContinuousAction"),
        (
            {"action": {"type": "ContinuousAction"}, "observation": {"type": "TimeToCollision"}},
            r"\['action'\]\['type'\]",
        ),
        ({"action": 3}, r"config\['action'\]=3: expected a dict"),
        ({"normalize_reward": 3}, r"config\['normalize_reward'\]=3: expected bool"),
        ({"collision_reward": float("nan")}, r"config\['collision_reward'\]=NaN"),
        ({"observation": {"type": "OccupancyGrid", "grid_step": [1e-9, 1]}}, r"\['grid_step'\]=\[1e-9, 1.0\]"),
        ({"observation": {"type": "LidarObservation", "cells": 0}}, r"\['cells'\]=0"),
        ({"vehicles_count": 1000}, r"config\['vehicles_count'\]=1000"),
        ({"lanes_count": 0}, r"config\['lanes_count'\]=0"),
        ({"duration": 1e300}, r"config\['duration'\]=1e300"),
        ({"policy_frequency": -1}, r"config\['policy_frequency'\]=-1"),
        ({"manual_control": True}, r"config\['manual_control'\]=True: expected False"),
        ({"other_vehicles_type": "LinearVehicle"}, r"config\['other_vehicles_type'\]='LinearVehicle'"),
        (3, "config=3: expected a dict"),
    ],
)
def test_configurations_without_meaning_are_refused_by_their_own_names(config, message):
    with pytest.raises((ValueError, TypeError), match=message):
        envpool_rs.make_vec("highway-v0", 1, config=config)


def test_a_configuration_reaches_every_maker_and_may_be_drawn():
    config = {"lanes_count": ("integers", 2, 5), "observation": {"type": "Kinematics", "vehicles_count": 7}}
    assert envpool_rs.make_vec("highway-fast-v0", 2, config=config).reset(seed=0)[0].shape == (2, 7, 5)
    assert envpool_rs.make_gymnasium("HighwayFast-v0", num_envs=2, config=config).reset()[0].shape == (2, 7, 5)
    assert gymnasium.make("envpool_rs/highway-fast-v0", config=config).reset(seed=0)[0].shape == (7, 5)
    with pytest.raises(ValueError, match=r"config\['lanes_count'\] is given twice"):
        envpool_rs.make_vec("highway-v0", 1, config={"lanes_count": 3}, lanes_count=4)
    with pytest.raises(ValueError, match=r'"config.vehicles_count"; give "vehicles_count" itself'):
        envpool_rs.make_vec("highway-v0", 1).reset(options={"config": {"vehicles_count": 3}})


@pytest.mark.parametrize("task", ["merge-v0", "parking-v0", "racetrack-v0", "lane-keeping-v0", "two-way-v0"])
def test_keys_that_a_task_does_not_have_are_not_suggested(task):
    with pytest.raises(TypeError, match="unknown key 'normalize_reward'") as error:
        envpool_rs.make_vec(task, 1, config={"normalize_reward": True})
    assert str(error.value).count("normalize") == 1 + str(error.value).count("observation_normalize")


@needs_package
def test_rewards_of_replaced_goals_equal_the_packages():
    import highway_env  # noqa: F401

    weights = [1.0, 0.5, 0.0, 0.1, 0.02, 0.02]
    theirs = gymnasium.make("parking-v0", config={"reward_weights": weights}).unwrapped
    achieved, desired = np.random.default_rng(0).normal(size=(2, 100, 6))
    expected = [-np.sqrt(sum(np.abs(a - d) * weights)) for a, d in zip(achieved, desired, strict=True)]
    ours = envpool_rs.make_vec("parking-v0", 2, reward_weights=weights)
    for got in ours.call("compute_reward", achieved, desired, [{}] * 100):
        assert got.tolist() == expected
        reference = [theirs.compute_reward(*pair, {}) for pair in zip(achieved, desired, strict=True)]
        np.testing.assert_allclose(got, reference, rtol=1e-15)
    ours.reset(seed=0)
    observation, reward, *_, info = ours.step(np.zeros((2, 2), np.float32))
    goals = observation["achieved_goal"], observation["desired_goal"]
    assert robotics.compute_reward(*goals, info, reward_weights=weights).tolist() == reward.tolist()
    with pytest.raises(ValueError, match=r"reward_weights\[1\]=-1"):
        robotics.compute_reward(achieved, desired, reward_weights=[1, -1, 0, 0, 0, 0])


def test_agents_are_players_with_rewards_and_masks_of_their_own():
    envs = envpool_rs.make_vec("intersection-multi-agent-v1", 3, seed=0)
    observation, info = envs.reset(seed=0)
    assert envs.spec.players == 2 and observation.shape == (6, 15, 7) and info["action_mask"].shape == (3, 2, 3)
    for _ in range(2):
        _, reward, _, _, info = envs.step(envs.action_space.sample())
        assert (reward.reshape(3, 2) == info["agents_rewards"]).all()
    shared = envpool_rs.make_vec("highway-fast-v0", 2, seed=0, multi_agent=True, controlled_vehicles=3)
    assert shared.reset(seed=0)[0].shape == (6, 5, 5)
    with pytest.raises(ValueError, match="controlled_vehicles=1"):
        envpool_rs.make_vec("highway-fast-v0", 2, multi_agent=True)


def test_pettingzoo_plays_an_intersection_with_agents():
    pettingzoo_test = pytest.importorskip("pettingzoo.test")
    from envpool_rs.pettingzoo import parallel_env

    for task in ("intersection-multi-agent-v0", "intersection-multi-agent-v2"):
        with pytest.warns(UserWarning, match="the task has no such option"):  # which that test gives
            pettingzoo_test.parallel_api_test(parallel_env(task), num_cycles=200)
