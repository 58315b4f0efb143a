"""Configurations of highway-env in which this package is compared with it, by id."""

KINEMATICS = {"type": "Kinematics"}
LIDAR = {"type": "LidarObservation"}
CONTINUOUS = {"type": "ContinuousAction"}
META = {"type": "DiscreteMetaAction"}
#: A grid whose cells do not turn, with features of vehicles in their own ranges.
GRID = {
    "type": "OccupancyGrid",
    "features": ["presence", "x", "vx", "vy", "cos_h", "sin_h", "on_road", "long_off"],
    "features_range": {"x": [-100, 100], "y": [-100, 100], "vx": [-20, 20], "vy": [-20, 20]},
    "grid_size": [[-27.5, 27.5], [-27.5, 27.5]],
    "grid_step": [5, 2],
}
AGENTS = {
    "observation": {"type": "MultiAgentObservation", "observation_config": KINEMATICS},
    "action": {"type": "MultiAgentAction", "action_config": META},
    "controlled_vehicles": 3,
}
EVERYTHING = {
    "type": "Kinematics",
    "vehicles_count": 7,
    "features": ["presence", "x", "y", "cos_h", "sin_h", "heading", "long_off", "lat_off", "ang_off"],
    "see_behind": True,
    "absolute": True,
    "clip": False,
}
GREY = {
    "type": "GrayscaleObservation",
    "observation_shape": [96, 64],
    "stack_size": 3,
    "weights": [0.2989, 0.587, 0.114],
}

CONFIGS = {
    "highway-fast-v0": [
        {"lanes_count": 1, "vehicles_count": 7, "duration": 9, "reward_speed_range": [15, 25], "initial_lane_id": 0},
        {"observation": {**EVERYTHING, "order": "shuffled"}, "normalize_reward": False, "policy_frequency": 2},
        {"action": {**CONTINUOUS, "speed_range": [10, 35]}, "offroad_terminal": True},
        {"action": {"type": "DiscreteAction", "actions_per_axis": 5, "dynamical": True}, "controlled_vehicles": 2},
        {"observation": {**GREY, "scaling": 1.75}, "duration": 9},
    ],
    "highway-v0": [
        {"neighbour_vehicles_connected_lanes": True, "vehicles_density": 2, "simulation_frequency": 10},
        {"observation": EVERYTHING, "lanes_count": 6, "vehicles_count": 30},
        {"observation": {**KINEMATICS, "order": "shuffled", "normalize": False}, "simulation_frequency": 5},
        {"observation": GRID, "vehicles_count": 25, "policy_frequency": 3},
        {"observation": {"type": "OccupancyGrid", "as_image": True}, "lanes_count": 2, "ego_spacing": 0.5},
        {"observation": {"type": "TimeToCollision", "horizon": 7}, "policy_frequency": 2, "vehicles_count": 20},
        {"observation": {**LIDAR, "cells": 64}, "vehicles_density": 3},
        {"observation": {**LIDAR, "normalize": False, "maximum_range": 100}, "controlled_vehicles": 3},
        {**AGENTS, "vehicles_count": 30},
        {"action": {**META, "target_speeds": [15, 20, 25, 30, 35], "lateral": False}, "collision_reward": -3},
        {"action": {**CONTINUOUS, "dynamical": True, "clip": False}, "right_lane_reward": 0.5, "duration": 20},
    ],
    "merge-v0": [
        {"observation": EVERYTHING, "merging_speed_reward": -2},
        {"observation": GRID, "simulation_frequency": 10},
        {"observation": {**LIDAR, "cells": 7}, "collision_reward": -5},
        {"observation": {"type": "TimeToCollision"}, "policy_frequency": 2},
        {"action": {"type": "DiscreteAction", "lateral": False}, "high_speed_reward": 1},
        {"action": {"type": "DiscreteAction"}, "policy_frequency": 5},
        {"action": {**META, "longitudinal": False}, "right_lane_reward": 0.3},
        {"neighbour_vehicles_connected_lanes": True, "policy_frequency": 3, "lane_change_reward": -0.2},
        {
            "observation": {**KINEMATICS, "include_obstacles": False, "vehicles_count": 3},
            "reward_speed_range": [10, 40],
        },
        {"observation": {**KINEMATICS, "observe_intentions": True, "features": ["x", "cos_d", "sin_d", "vx"]}},
    ],
    "roundabout-v0": [
        {"observation": EVERYTHING, "incoming_vehicle_destination": 1},
        {"observation": GRID, "incoming_vehicle_destination": 2},
        {"observation": {**LIDAR, "cells": 33, "maximum_range": 40}},
        {"observation": {"type": "TimeToCollision", "horizon": 4}, "policy_frequency": 5},
        {"action": {"type": "DiscreteAction", "dynamical": True}, "normalize_reward": False},
        {"action": {**META, "target_speeds": [0, 5, 10, 15]}, "duration": 20},
        {"action": {"type": "DiscreteAction", "longitudinal": False}, "collision_reward": -2},
        {"neighbour_vehicles_connected_lanes": True, "simulation_frequency": 20},
        {"observation": {**KINEMATICS, "observe_intentions": True, "features": ["y", "cos_d", "sin_d", "vy"]}},
        {"observation": {"type": "OccupancyGrid", "align_to_vehicle_axes": True}, "right_lane_reward": 0.1},
    ],
    "roundabout-generic-v0": [
        {"roundabout_radius": 30, "roundabout_lanes": 3, "vehicles_count": 20, "incoming_vehicle_destination": 2},
    ],
    "intersection-v0": [
        {"spawn_probability": 1.0, "destination": None, "initial_vehicle_count": 20, "normalize_reward": True},
        {"observation": EVERYTHING, "destination": "o2"},
        {"observation": {**GRID, "grid_size": [[-40, 40], [-20, 20]]}, "policy_frequency": 2},
        {"observation": {**LIDAR, "cells": 32}, "offroad_terminal": True, "destination": "o3"},
        {"observation": {"type": "TimeToCollision"}, "initial_vehicle_count": 3},
        {"action": {**CONTINUOUS, "steering_range": [-0.5, 0.7]}, "offroad_terminal": True},
        {"action": {**META, "target_speeds": [0, 3, 6, 9, 12]}, "arrived_reward": 4},
        {**AGENTS, "policy_frequency": 2},
        {"observation": {**KINEMATICS, "observe_intentions": True, "features": ["x", "y", "cos_d", "sin_d"]}},
        {"duration": 25, "simulation_frequency": 10, "high_speed_reward": 0.5, "reward_speed_range": [2, 12]},
    ],
    "parking-v0": [
        {"vehicles_count": 20, "add_walls": False},
        {"observation": {**KINEMATICS, "vehicles_count": 6}, "vehicles_count": 5},
        {"observation": GRID, "vehicles_count": 15},
        {"observation": {**LIDAR, "cells": 20}, "vehicles_count": 3},
        {"observation": {"type": "KinematicsGoal", "features": ["x", "y", "vx"], "scales": [100, 100, 5]}},
        {"action": {"type": "DiscreteAction", "actions_per_axis": 4}, "duration": 20},
        {"action": {**CONTINUOUS, "dynamical": True}, "duration": 15},
        {"action": {**CONTINUOUS, "acceleration_range": [-2, 8], "steering_range": [-1, 1]}, "collision_reward": -1},
        {"success_goal_reward": 0.5, "reward_weights": [1, 1, 0.1, 0.1, 0.5, 0.5], "duration": 30},
        {"policy_frequency": 15, "simulation_frequency": 30, "duration": 10, "controlled_vehicles": 3},
    ],
    "racetrack-v0": [
        {"other_vehicles": 12, "duration": 60},
        {"observation": GRID, "terminate_off_road": False, "duration": 40},
        {"observation": {"type": "OccupancyGrid", "as_image": True}, "controlled_vehicles": 3},
        {"observation": EVERYTHING, "terminate_off_road": False, "duration": 40},
        {"observation": LIDAR, "other_vehicles": 30},
        {"action": CONTINUOUS, "terminate_off_road": False, "duration": 30},
        {"action": {"type": "DiscreteAction", "actions_per_axis": 3, "longitudinal": False}, "duration": 30},
        {"action": {**CONTINUOUS, "longitudinal": False, "dynamical": True}, "lane_centering_cost": 1},
        {"collision_reward": -2.5, "action_reward": -0.1, "lane_centering_reward": 0.7, "other_vehicles": 0},
        {"observation": {**GRID, "clip": False, "align_to_vehicle_axes": True}, "policy_frequency": 15},
    ],
    "racetrack-large-v0": [
        {"speed_limit": 25, "other_vehicles": 5},
        {
            "observation": {"type": "MultiAgentObservation", "observation_config": {**GRID, "grid_step": [6, 6]}},
            "action": {"type": "MultiAgentAction", "action_config": {**CONTINUOUS, "longitudinal": False}},
            "controlled_vehicles": 4,
        },
        {
            "observation": {"type": "MultiAgentObservation", "observation_config": KINEMATICS},
            "action": {"type": "MultiAgentAction", "action_config": {"type": "DiscreteAction"}},
            "controlled_vehicles": 3,
            "terminate_off_road": False,
            "duration": 20,
        },
    ],
    "racetrack-oval-v0": [
        {"length": 180, "no_lanes": 5, "block_lane": True, "force_decision": True, "other_vehicles": 9},
        {"no_lanes": 2, "controlled_vehicles": 2, "terminate_off_road": False, "duration": 30},
    ],
    "lane-keeping-v0": [
        {"state_noise": 0.2, "derivative_noise": 0},
        {"observation": {"type": "AttributesObservation", "attributes": ["derivative", "state"]}},
        {"observation": GRID, "action": {"type": "DiscreteAction", "dynamical": True, "actions_per_axis": 7}},
    ],
    "intersection-multi-agent-v1": [
        {"controlled_vehicles": 4, "destination": None},
        {
            "observation": {"type": "MultiAgentObservation", "observation_config": LIDAR},
            "action": {"type": "MultiAgentAction", "action_config": {**CONTINUOUS, "dynamical": True}},
        },
    ],
    "merge-generic-v0": [{"observation": {**GREY, "centering_position": [0.7, 0.3]}}],
    "exit-v0": [{**AGENTS, "lanes_count": 4}, {"observation": GRID, "goal_reward": 2}],
    "two-way-v0": [{"observation": {**KINEMATICS, "absolute": True}}, {"observation": LIDAR}],
    "u-turn-v0": [{"observation": GRID}, {"observation": LIDAR, "normalize_reward": False}],
}

#: Tasks and configurations whose pictures are compared.
PICTURES = [
    *(
        (task, {})
        for task in ("highway-fast-v0", "merge-v0", "merge-generic-v0", "roundabout-v0", "roundabout-generic-v0")
    ),
    *((task, {}) for task in ("intersection-v0", "exit-v0", "two-way-v0", "u-turn-v0", "parking-parked-v0")),
    *((task, {}) for task in ("racetrack-v0", "racetrack-large-v0", "racetrack-oval-v0", "lane-keeping-v0")),
    ("highway-fast-v0", {"action": CONTINUOUS, "scaling": 31.3, "centering_position": [0.9, 0.2]}),
    ("merge-v0", {"scaling": 0.7}),
    ("intersection-v0", {"screen_width": 333, "screen_height": 401, "scaling": 20}),
    ("intersection-v0", {"observation": {**LIDAR, "normalize": False}, "scaling": 3}),
    ("intersection-multi-agent-v1", {**AGENTS, "observation": {**AGENTS["observation"], "observation_config": GREY}}),
    ("parking-v0", {"observation": GREY, "vehicles_count": 9, "controlled_vehicles": 2, "scaling": 13}),
    ("racetrack-v0", {"observation": {**LIDAR, "cells": 37}, "scaling": 2.5}),
    ("racetrack-oval-v0", {"length": 180, "no_lanes": 5, "block_lane": True, "force_decision": True}),
]
