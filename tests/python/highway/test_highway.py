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
import numpy as np
import pytest
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

#: Compared cases: id, the package's configuration, the same as options, and the number of steps if episodes are long.
CASES = {
    **{
        task: (task, {}, {})
        for task in (
            *("highway-fast-v0", "highway-v0", "merge-v0", "merge-v1", "merge-generic-v0", "merge-generic-v1"),
            *("roundabout-v0", "roundabout-v1", "roundabout-generic-v0", "roundabout-generic-v1"),
            *("intersection-v0", "intersection-v1", "intersection-v2", "exit-v0", "exit-v1"),
            *("two-way-v0", "u-turn-v0", "u-turn-v1", "parking-v0", "parking-ActionRepeat-v0", "parking-parked-v0"),
            *("intersection-multi-agent-v0", "intersection-multi-agent-v1", "intersection-multi-agent-v2"),
            *("racetrack-v0", "racetrack-v1", "racetrack-large-v0", "racetrack-large-v1", "racetrack-oval-v0"),
            *("racetrack-oval-v1", "lane-keeping-v0"),
        )
    },
    **{own: (task, {}, {}, 10) for own, task in OTHER_NAMES.items()},
    "narrow": (
        "highway-fast-v0",
        {"lanes_count": 1, "vehicles_count": 7, "duration": 9, "reward_speed_range": [15, 25], "initial_lane_id": 0},
        {"lanes_count": 1, "vehicles_count": 7, "duration": 9, "reward_speed_range": [15, 25], "initial_lane_id": 0},
    ),
    "shuffled": (
        "highway-fast-v0",
        {
            "observation": {
                "type": "Kinematics",
                "vehicles_count": 7,
                "features": ["presence", "x", "y", "cos_h", "sin_h", "heading", "long_off", "lat_off", "ang_off"],
                "order": "shuffled",
                "see_behind": True,
                "absolute": True,
                "clip": False,
            },
            "normalize_reward": False,
            "policy_frequency": 2,
        },
        {
            "observation_vehicles_count": 7,
            "observation_features": [
                "presence",
                "x",
                "y",
                "cos_h",
                "sin_h",
                "heading",
                "long_off",
                "lat_off",
                "ang_off",
            ],
            "observation_order": "shuffled",
            "observation_see_behind": True,
            "observation_absolute": True,
            "observation_clip": False,
            "normalized_reward": False,
            "policy_frequency": 2,
        },
    ),
    "steered": (
        "highway-fast-v0",
        {"action": {"type": "ContinuousAction", "speed_range": [10, 35]}, "offroad_terminal": True},
        {"action_type": "ContinuousAction", "action_speed_range": [10, 35], "offroad_terminal": True},
    ),
    "discrete": (
        "highway-fast-v0",
        {"action": {"type": "DiscreteAction", "actions_per_axis": 5, "dynamical": True}, "controlled_vehicles": 2},
        {
            "action_type": "DiscreteAction",
            "action_actions_per_axis": 5,
            "action_dynamical": True,
            "controlled_vehicles": 2,
        },
    ),
    "connected highway": (
        "highway-v0",
        {"neighbour_vehicles_connected_lanes": True, "vehicles_density": 2, "simulation_frequency": 10},
        {"neighbour_vehicles_connected_lanes": True, "vehicles_density": 2, "simulation_frequency": 10},
    ),
    "large roundabout": (
        "roundabout-generic-v0",
        {"roundabout_radius": 30, "roundabout_lanes": 3, "vehicles_count": 20, "incoming_vehicle_destination": 2},
        {"roundabout_radius": 30, "roundabout_lanes": 3, "vehicles_count": 20, "incoming_vehicle_destination": 2},
    ),
    "busy intersection": (
        "intersection-v0",
        {"spawn_probability": 1.0, "destination": None, "initial_vehicle_count": 20, "normalize_reward": True},
        {"spawn_probability": 1.0, "destination": None, "initial_vehicle_count": 20, "normalized_reward": True},
    ),
}


@needs_package
@pytest.mark.parametrize("name", CASES)
def test_every_number_equals_the_package(name, parity_table):
    task, config, options, *steps = CASES[name]
    case = {"id": task, "seeds": list(range(3, 3 + SEEDS)), "config": config, "options": options, "episodes": 2}
    case |= {"own_id": name} if name in OTHER_NAMES else {}
    case |= {"steps": steps[0]} if steps else {}
    environment = {**os.environ, **SETTING, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    command = [sys.executable, Path(__file__).with_name("highway_play.py"), json.dumps(case)]
    done = subprocess.run(command, check=False, env=environment, capture_output=True, text=True, timeout=1200)
    assert done.returncode == 0, done.stderr
    total = json.loads(done.stdout.splitlines()[-1])
    counted = ("steps", "episodes", "truncated", "values", "different")
    parity_table.add(case.get("own_id", task), 1, *(total[count] for count in counted))
    assert total["different"] == 0, total["first"]
    assert total["values"] > 100


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
