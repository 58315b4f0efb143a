"""Tests that the tasks of the Adroit hand and of the Shadow hand replay Gymnasium-Robotics' environments, bit for bit,
on the same MuJoCo library.

Environment `i` of a pool with seed `s` equals `gymnasium.make` with seed `s + i` in observations, rewards, ends and
infos. Version 0, which needs mujoco-py in the reference, equals the newest version.

`HAND_STEPS` sets the number of compared steps of each environment, by default a few.
"""

import os

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import robotics
from tasks import ADROIT, HAND

pytest.importorskip("mujoco")
pytest.importorskip("gymnasium_robotics")
from robotics_reference import bits, check, reference

STEPS = int(os.environ.get("HAND_STEPS", "12"))
SEED = 11
REFERENCES = [*ADROIT, *(task for task in HAND if not task.endswith("-v0"))]
EXAMPLES = ["AdroitHandPen-v1", "HandReach-v3", "HandManipulateEgg_ContinuousTouchSensors-v1"]


def compare(task, steps, count=2, table=None, seeds=(SEED,), **options):
    """Steps a pool and the reference with equal actions, some of them outside of the action space, and compares all
    results. Adds the numbers of compared values to ``table``; returns the number of ended episodes.
    """
    ours, theirs = envpool_rs.make_vec(task, count, **options), reference(task, count)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    for seed in seeds:
        check(ours.reset(seed=seed), theirs.reset(seed=seed), seed)
        check(ours.reset(), theirs.reset(), "without a seed")
    random = np.random.default_rng(0)
    ended = values = 0
    for step in range(steps):
        action = random.normal(size=ours.action_space.shape).astype(np.float32)
        expected = theirs.step(action)
        parts = expected[0].values() if isinstance(expected[0], dict) else [expected[0]]
        values += sum(np.size(each) for each in [*parts, *expected[1:4]]) + count
        ended += int(np.sum(expected[3]))
        check(ours.step(action), expected, step)
    theirs.close()
    if table is not None:
        table.add(task, 1, count * steps, ended, ended, values, 0)
    return ended


def test_the_ids_are_gymnasium_robotics():
    registered = {name for name in gymnasium.registry if "/" not in name}
    assert set(ADROIT) == {name for name in registered if name.startswith("AdroitHand") and name.endswith("-v1")}
    assert set(HAND) == {name for name in registered if name.startswith(("HandReach", "HandManipulate"))}
    assert (len(ADROIT), len(HAND)) == (8, 112)


@pytest.mark.parametrize("task", REFERENCES)
def test_steps_are_the_references(task, parity_table):
    compare(task, STEPS, table=parity_table)


@pytest.mark.parametrize("task", ["AdroitHandDoor-v1", "HandReachDense-v3"])
def test_episodes_are_the_references(task):
    assert compare(task, 260 if task in ADROIT else 60, num_threads=2) == 2


@pytest.mark.parametrize("task", ["AdroitHandRelocate-v1", "HandReach-v3", "HandManipulateBlockRotateParallel-v1"])
def test_resets_are_the_references(task):
    compare(task, 2, seeds=range(5))


def test_version_0_is_an_alias():
    first, other = (envpool_rs.make_vec(f"HandReachDense-{version}", 2) for version in ("v0", "v3"))
    assert bits(first.reset(seed=1)[0]) == bits(other.reset(seed=1)[0])
    action = first.action_space.sample()
    assert bits(first.step(action)[1]) == bits(other.step(action)[1])


@pytest.mark.parametrize("touch", ["sensordata", "boolean", "log"])
def test_options_do_what_the_references_arguments_do(touch):
    from gymnasium_robotics.envs.shadow_dexterous_hand.manipulate_pen_touch_sensors import MujocoHandPenTouchSensorsEnv

    theirs = MujocoHandPenTouchSensorsEnv("fixed", "z", touch, "dense", randomize_initial_position=False)
    options = {"target_position": "fixed", "target_rotation": "z", "touch_get_obs": touch, "reward_type": "dense"}
    ours = envpool_rs.make_vec(
        "HandManipulatePen_BooleanTouchSensors-v1", 1, randomize_initial_position=False, **options
    )
    observation, _ = ours.reset(seed=SEED)
    expected, _ = theirs.reset(seed=SEED)
    random = np.random.default_rng(3)
    for _ in range(8):
        assert bits(observation) == bits({key: value[None] for key, value in expected.items()})
        action = random.normal(size=20).astype(np.float32)
        observation, reward, *_ = ours.step(action[None])
        expected, their_reward, *_ = theirs.step(action)
        assert reward[0] == their_reward


@pytest.mark.parametrize("task", EXAMPLES)
def test_a_snapshot_during_an_episode_continues_identically(task):
    first, other = (envpool_rs.make_vec(task, 2) for _ in range(2))
    random = np.random.default_rng(2)
    first.reset(seed=3)
    other.reset(seed=900)
    for _ in range(4):
        first.step(random.normal(size=first.action_space.shape).astype(np.float32))
        other.step(other.action_space.sample())
    other.set_state(first.get_state())
    for _ in range(4):
        action = random.normal(size=first.action_space.shape).astype(np.float32)
        observation, *rest = first.step(action)
        continued, *others = other.step(action)
        assert bits(continued) == bits(observation)
        assert [bits(each) for each in others[:3]] == [bits(each) for each in rest[:3]]
    assert [bits(each) for each in first.reset()[:1]] == [bits(each) for each in other.reset()[:1]]


@pytest.mark.parametrize("task", EXAMPLES)
def test_a_frame_stack_holds_the_observations_of_plain_environments(task):
    plain, stacked = (envpool_rs.make_vec(task, 2, frame_stack=depth) for depth in (1, 3))
    keyed = (lambda value: value) if task in HAND else (lambda value: {"": value})
    seen = [keyed(plain.reset(seed=5)[0])] * 3
    shown = keyed(stacked.reset(seed=5)[0])
    for _ in range(3):
        assert bits(shown) == bits({key: np.stack([each[key] for each in seen], 1) for key in shown})
        action = plain.action_space.sample()
        seen = [*seen[1:], keyed(plain.step(action)[0])]
        shown = keyed(stacked.step(action)[0])


@pytest.mark.parametrize("task", EXAMPLES)
def test_envpools_interface_has_its_infos(task):
    ours, vector = envpool_rs.make(task, env_type="gymnasium", num_envs=2, seed=4), envpool_rs.make_vec(task, 2)
    vector.reset(seed=4)
    ours.reset()
    action = np.full(vector.action_space.shape, 0.5, np.float32)
    result, expected = ours.step(action), vector.step(action)
    assert bits(result[0]) == bits(expected[0])
    assert (result[-1]["distance"] > 0).all()
    assert bits(result[-1]["success" if task in ADROIT else "is_success"]) == bits(np.zeros(2))


@pytest.mark.parametrize(
    ("task", "options", "named"),
    [
        ("AdroitHandDoor-v1", {"reward_type": "none"}, "reward_type"),
        ("AdroitHandDoor-v1", {"xml_file": "hand/reach.xml"}, "xml_file"),
        ("AdroitHandDoor-v1", {"xml_file": "adroit_hand/none.xml"}, "adroit_hand/none.xml"),
        ("HandReach-v3", {"distance_threshold": -1.0}, "distance_threshold"),
        ("HandReach-v3", {"xml_file": "fetch/reach.xml"}, "Shadow hand"),
        ("HandManipulatePen-v1", {"target_rotation": "fixed"}, "target_rotation"),
        ("HandManipulatePen-v1", {"target_position_low1": 0.5}, "target_position_low1=0.5"),
        ("HandManipulatePen-v1", {"xml_file": "hand/reach.xml"}, "object:joint"),
    ],
)
def test_bad_options_are_named(task, options, named):
    with pytest.raises((ValueError, FileNotFoundError), match=named):
        envpool_rs.make_vec(task, 2, **options)


@pytest.mark.parametrize(
    ("task", "size"), [("HandReach-v3", 15), ("HandManipulateEggDense-v1", 7), ("HandManipulatePenRotateDense-v1", 7)]
)
def test_relabelled_goals_have_the_references_rewards(task, size):
    ours, theirs = envpool_rs.make_vec(task, 2), gymnasium.make(task, disable_env_checker=True).unwrapped
    random = np.random.default_rng(0)
    desired = random.normal(size=(200, size))
    achieved = desired + random.normal(size=(200, size)) * 0.0025
    # The reference's formula for many goals of pens differs from that for one goal, so it takes goals one by one.
    expected = np.array([theirs.compute_reward(*pair, {}) for pair in zip(achieved, desired, strict=True)])
    assert len(set(expected.tolist())) > 1
    for got in ours.call("compute_reward", achieved, desired, [{}] * 200):
        assert bits(got) == bits(expected)
    assert bits(robotics.compute_reward(desired, desired, distance_threshold=0.0)) == bits(
        np.full(200, -0.0 if size == 15 else -1.0, np.float32)
    )
    with pytest.raises(ValueError, match=r"\(\.\.\., 7\)"):
        robotics.compute_reward(achieved[:, :5], desired[:, :5])


@pytest.mark.parametrize("task", ["AdroitHandDoor-v1", "HandReach-v3"])
def test_a_missing_package_names_the_extra(task, monkeypatch):
    from envpool_rs._spec import mujoco_library

    monkeypatch.setattr(mujoco_library, "_installed_robotics", lambda: None)
    with pytest.raises(ImportError, match=r"envpool_rs\[robotics\]"):
        envpool_rs.make_vec(task, 1)
