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
import mujoco
from robotics_reference import bits, check, compare_one, mujoco_utils, reference

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


#: Options of hands by the names of the reference's arguments.
OPTIONS = [
    ("HandReach-v3", {"relative_control": True}),
    ("HandReachDense-v3", {"initial_qpos": {"robot0:FFJ3": 0.2, "robot0:THJ0": -0.3}, "distance_threshold": 0.1}),
    ("HandReach-v3", {"initial_qpos": {}}),
    ("HandManipulateBlock-v1", {"relative_control": True, "rotation_threshold": 3.0, "distance_threshold": 0.2}),
    ("HandManipulateBlockDense-v1", {"target_rotation": "fixed", "target_position": "ignore"}),
    ("HandManipulateEggDense-v1", {"target_rotation": "ignore", "ignore_z_target_rotation": True}),
    ("HandManipulateEgg-v1", {"target_rotation": "parallel", "randomize_initial_rotation": False}),
    ("HandManipulatePenDense-v1", {"target_rotation": "ignore", "target_position": "fixed"}),
    *(
        (
            "HandManipulatePen_BooleanTouchSensors-v1",
            {"touch_get_obs": touch, "target_rotation": "z", "randomize_initial_position": False},
        )
        for touch in ("sensordata", "boolean", "log", "off")
    ),
]


@pytest.fixture
def methods_of_mujoco_py(monkeypatch):
    """Adds methods of mujoco-py to mujoco's classes. For some options, the newest version of the reference still calls
    them, and raises an ``AttributeError`` without them.
    """

    def position(data, name):
        found = mujoco_utils.get_joint_qpos(data.model, data, name)
        # Where the reference asks for the object's position, it goes on to check that it has the four values of an
        # orientation.
        return found[3:] if len(found) == 7 else found[0]

    monkeypatch.setattr(mujoco.MjData, "get_joint_qpos", position, raising=False)
    names = property(lambda model: [model.actuator(index).name for index in range(model.nu)])
    monkeypatch.setattr(mujoco.MjModel, "actuator_names", names, raising=False)
    monkeypatch.setattr(mujoco.MjModel, "actuator_name2id", lambda model, name: model.actuator(name).id, raising=False)


@pytest.mark.usefixtures("methods_of_mujoco_py")
@pytest.mark.parametrize(("task", "options"), OPTIONS)
def test_options_do_what_the_references_arguments_do(task, options):
    theirs = gymnasium.make(task, disable_env_checker=True, **options).unwrapped
    compare_one(envpool_rs.make_vec(task, 1, **options), theirs, 6)


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


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("HandReach-v3", {"relative_control": True}),
        ("HandManipulatePen-v1", {}),
        ("HandManipulateEgg_ContinuousTouchSensors-v1", {"frame_skip": 3}),
        ("HandManipulatePen_BooleanTouchSensors-v1", {"frame_skip": 1}),
        ("HandManipulateBlock_BooleanTouchSensors-v1", {"touch_get_obs": "off"}),
    ],
)
def test_native_steps_are_the_librarys(task, options):
    native, library = (
        envpool_rs.make_vec(task, 11, seed=2, physics=physics, **options) for physics in ("native", "libmujoco")
    )
    random = np.random.default_rng(4)
    assert bits(native.reset()[0]) == bits(library.reset()[0])
    for step in range(8):
        action = random.normal(size=native.action_space.shape).astype(np.float32)
        results = [pool.step(action) for pool in (native, library)]
        assert bits(results[0][0]) == bits(results[1][0]), step
        assert bits(results[0][1]) == bits(results[1][1]), step
    assert native.get_state() == library.get_state()


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
        ("HandReach-v3", {"initial_qpos": {"robot0:FFJ3": [0.1, 0.2]}}, "initial_qpos.*one number"),
        ("HandReach-v3", {"initial_qpos": {"robot0:none": 0.1}}, "robot0:none"),
        ("HandReach-v3", {"initial_qpos": 0.1}, "initial_qpos=0.1: expected None or dict"),
        ("HandReach-v3", {"goal_dim": 15}, "goal_dim"),
        ("HandReach-v3", {"rotation_threshold": 0.1}, "rotation_threshold"),
        ("HandManipulatePen-v1", {"initial_qpos": {"robot0:FFJ3": 0.1}}, "initial_qpos"),
        ("HandManipulatePen-v1", {"touch_get_obs": "off"}, "touch_get_obs"),
        ("AdroitHandDoor-v1", {"adroit_task": "pen"}, "adroit_task"),
        ("HandManipulatePen-v1", {"target_rotation": "x"}, "target_rotation"),
        ("HandManipulatePen-v1", {"target_position_low1": 0.5}, "target_position_low1=0.5"),
        ("HandManipulatePen-v1", {"xml_file": "hand/reach.xml"}, "object:joint"),
    ],
)
def test_bad_options_are_named(task, options, named):
    with pytest.raises((ValueError, TypeError, FileNotFoundError), match=named):
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
    placed = robotics.compute_reward(achieved, desired, reward_type="dense", target_rotation="ignore")
    assert size == 15 or bits(placed) == bits(-10.0 * np.linalg.norm(achieved[:, :3] - desired[:, :3], axis=-1))
    assert bits(robotics.compute_reward(desired, desired, distance_threshold=0.0)) == bits(
        np.full(200, -0.0 if size == 15 else -1.0, np.float32)
    )
    with pytest.raises(ValueError, match=r"\(\.\.\., 7\)"):
        robotics.compute_reward(achieved[:, :5], desired[:, :5])
