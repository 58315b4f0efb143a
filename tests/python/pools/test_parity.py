"""Tests that every task replays its reference, bit for bit, over runs of many episodes.

Environment `i` of a pool with seed `s` equals the reference with seed `s + i`.

Each run steps a pool with each of the two interfaces and the references with the same actions. `PARITY_STEPS` sets the
number of compared steps per task (1,000,000 takes about 20 minutes, the default half a minute).
"""

import os

import envpool_rs
import numpy as np
import pytest
import references
from parity import SEED, Case, Run
from policies import goal_actions, has_goal, random_actions
from tasks import LARGE_FAMILIES, REGISTERED

#: Default number of steps per task, by cost class: the speeds of references differ by a factor of a hundred.
STEPS = {"classic": 120_000, "toy": 40_000, "players": 6_000}
#: Environments per pool: for tasks with SIMD kernels, a full block of lanes, a small block and single lanes; else a
#: few.
LANES = {"classic": 27, "toy": 5, "players": 3}

WIDE_MAP = ["SFFHS", "FXFFF", "HFSFG"]
RAIN = Case({"is_rainy": True})
FICKLE = Case({"fickle_passenger": True})
SOAKED = Case({"is_rainy": True, "fickle_passenger": True})

CART = {"gravity": 3.7, "masscart": 0.6, "masspole": 0.3, "length": 0.71, "force_mag": 7.3}
LINKS = {
    **{"link_length_1": 1.3, "link_mass_1": 0.7, "link_mass_2": 1.2},
    **{"link_com_pos_1": 0.45, "link_com_pos_2": 0.62, "link_moi": 0.9},
}

#: Compared options of each task; all tasks are also compared with their default options.
CASES = {
    "CartPole-v0": [Case({"sutton_barto_reward": True}, {"low": -0.3, "high": 0.2}), Case(CART)],
    "CartPole-v1": [
        Case({"sutton_barto_reward": True}),
        Case({"max_episode_steps": 37}, {"low": -0.3, "high": 0.2}),
        Case(CART),
    ],
    "MountainCar-v0": [
        Case({"goal_velocity": 0.03}, {"low": -1.3, "high": 0.4}),
        Case({"force": 0.0013, "gravity": 0.0021}),
    ],
    "MountainCarContinuous-v0": [
        Case({"goal_velocity": 0.05}, {"low": -1.3, "high": 0.4}),
        Case({"power": 0.0021}),
    ],
    "Pendulum-v0": [Case({"g": 9.81}, {"x_init": 0.5, "y_init": 9.0}), Case({"g": 3.3, "m": 0.7, "l": 1.3})],
    "Pendulum-v1": [Case({"g": 9.81}, {"x_init": 0.5, "y_init": 9.0}), Case({"g": 3.3, "m": 0.7, "l": 1.3})],
    "Acrobot-v1": [Case(reset={"low": -4.0, "high": 4.0}), Case(LINKS)],
    "FrozenLake-v1": [
        Case({"is_slippery": False}),
        Case({"success_rate": 0.75}),
        Case({"success_rate": 0.0}),
        Case({"map_name": "8x8", "success_rate": 0.1}),
        Case({"desc": WIDE_MAP, "reward_schedule": (10, -1.5, 0.1)}),
        Case({"desc": WIDE_MAP, "is_slippery": False, "reward_schedule": (1, 0, -1)}),
    ],
    "FrozenLake8x8-v1": [
        Case({"is_slippery": False}),
        Case({"map_name": "4x4", "success_rate": 0.6}),
        Case({"desc": WIDE_MAP, "reward_schedule": (2, 1, 0.5)}),
    ],
    "Taxi-v3": [RAIN, FICKLE, SOAKED],
    "Taxi-v4": [
        RAIN,
        FICKLE,
        SOAKED,
        Case({"is_rainy": True, "rainy_probability": 0.35}),
        Case({"fickle_passenger": True, "fickle_probability": 0.9}),
    ],
    "CliffWalking-v0": [Case({"is_slippery": True})],
    "CliffWalking-v1": [Case({"is_slippery": True, "max_episode_steps": 40})],
    "CliffWalkingSlippery-v1": [Case({"is_slippery": False})],
    "Blackjack-v1": [
        Case({"sab": False}),
        Case({"sab": False, "natural": True}),
        Case({"sab": True, "natural": True}),
    ],
    "NChain-v0": [Case({"n": 3, "slip": 0.5, "small": -1, "large": 2.5}), Case({"n": 1, "max_episode_steps": 9})],
    "Catch-v0": [Case({"rows": 4, "columns": 7}), Case({"rows": 2, "columns": 1}), Case({"rows": 12, "columns": 8})],
    "SimpleSpread-v3": [
        Case({"continuous_actions": True}),
        Case({"N": 1, "local_ratio": 0.0, "num_agent_neighbors": 2}),
        Case({"N": 5, "local_ratio": 0.3, "benchmark_data": True, "max_episode_steps": 40}),
        Case({"N": 5, "num_agent_neighbors": 2, "num_landmark_neighbors": 7}),
        Case({"curriculum": True, "continuous_actions": True, "local_ratio": 1.0}),
        Case({"N": 2, "continuous_actions": True, "terminate_on_success": True, "max_episode_steps": 60}),
    ],
    "SimpleSpeakerListener-v4": [
        Case({"continuous_actions": True}),
        Case({"benchmark_data": True, "max_episode_steps": 7}),
    ],
    "Simple-v3": [Case({"continuous_actions": True})],
    "SimpleAdversary-v3": [
        Case({"continuous_actions": True}),
        Case({"N": 3, "num_agent_neighbors": 2, "num_landmark_neighbors": 5, "benchmark_data": True}),
    ],
    "SimpleCrypto-v3": [Case({"continuous_actions": True, "benchmark_data": True})],
    "SimplePush-v3": [Case({"continuous_actions": True})],
    "SimpleReference-v3": [Case({"continuous_actions": True, "local_ratio": 0.2})],
    "SimpleTag-v3": [
        Case({"num_good": 3, "num_adversaries": 2, "num_obstacles": 0, "max_episode_steps": 60}),
        Case({"continuous_actions": True, "num_good": 2, "num_agent_neighbors": 3, "num_landmark_neighbors": 1}),
        Case({"terminate_on_success": True, "max_episode_steps": 60, "benchmark_data": True}),
    ],
    "SimpleWorldComm-v3": [
        Case({"continuous_actions": True, "max_episode_steps": 60}),
        Case(
            {
                "num_good": 3,
                "num_adversaries": 2,
                "num_obstacles": 0,
                "num_food": 1,
                "num_forests": 3,
                "benchmark_data": True,
            }
        ),
    ],
    "SimpleFormation-v1": [Case({"continuous_actions": True, "N": 11}), Case({"N": 1, "terminate_on_success": True})],
    "SimpleLine-v1": [Case({"continuous_actions": True, "N": 9}), Case({"N": 2, "terminate_on_success": True})],
    "CollectTreasure-v1": [
        Case({"continuous_actions": True, "max_episode_steps": 60}),
        Case({"num_collectors": 2, "num_deposits": 3, "num_treasures": 40, "benchmark_data": True}),
    ],
}

#: Tasks of large families, which other files compare: the manifests of the families name these files.
ELSEWHERE = set().union(*LARGE_FAMILIES.values())

RUNS = [
    pytest.param(task, case, policy, id=f"{task}-{case}-{policy}")
    for task in envpool_rs.list_all_envs()
    if task not in ELSEWHERE
    for case in [Case(), *CASES.get(task, [])]
    for policy in ("random", *(["goal"] if has_goal(task) else []))
]


def kind(task):
    """Returns the cost class of a task's reference, a key of ``STEPS``."""
    if references.is_parallel(task):
        return "players"
    return "classic" if task.startswith(("CartPole", "MountainCar", "Pendulum", "Acrobot")) else "toy"


def budget(task):
    """Returns the number of steps of each environment in each of the task's runs."""
    total = int(os.environ.get("PARITY_STEPS", STEPS[kind(task)]))
    return -(-total // (2 * (1 + len(CASES.get(task, []))) * LANES[kind(task)]))


@pytest.mark.parametrize(("task", "case", "policy"), RUNS)
def test_a_pool_equals_its_reference(task, case, policy, parity_table):
    count, steps = LANES[kind(task)], budget(task)
    run = Run(task, case, count)
    space, rows = run.vector.single_action_space, count * (run.reference.rows or 1)
    rng = np.random.default_rng(7)
    run.reset([SEED + index for index in range(count)], case.reset)
    for step in range(steps):
        if step == 23:
            run.reset(77, {}, [77 + index for index in range(count)])
        if step == 61:
            run.reset([None, *range(5, 4 + count)], case.reset)
        if policy == "random":
            run.step(random_actions(space, rows, rng))
        else:
            run.step(goal_actions(task, run.observation, space, rows, rng))
    parity_table.add(task, *run.counts(steps))
    assert run.first_difference is None, (run.differences, *run.first_difference)


def test_every_option_of_every_task_is_compared():
    not_played = {"max_cycles", "dynamic_rescaling"}  # options that are rejected, or only affect rendering
    for task in REGISTERED:
        if task["id"] in ELSEWHERE:
            continue
        cases = CASES.get(task["id"], [])
        # EnvPool's names of options are omitted, because `test_option_names.py` tests them.
        own = [option for option in task["options"] if not option["doc"].startswith("EnvPool's name for")]
        options = {option["name"] for option in own} - not_played
        assert options == options & {name for case in cases for name in case.options}, task["id"]
        assert set(task["reset_options"]) <= {name for case in cases for name in case.reset}, task["id"]
