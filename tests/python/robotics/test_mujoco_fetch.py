"""Tests that the Fetch robot's tasks replay Gymnasium-Robotics' environments, bit for bit, on the same MuJoCo library.

Environment `i` of a pool with seed `s` equals `gymnasium.make` with seed `s + i` in observations, rewards, ends and
infos, over several episodes. Version 1, which needs mujoco-py in the reference, equals version 4.

`FETCH_STEPS` sets the number of compared steps of each environment (`nox -s exactness`), by default one episode and a
part of the next.
"""

import os

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import robotics
from gymnasium.vector import AutoresetMode
from tasks import FETCH

pytest.importorskip("mujoco")
pytest.importorskip("gymnasium_robotics")
from robotics_reference import bits, check, check_relabelled_goals, compare_one, reference

STEPS = int(os.environ.get("FETCH_STEPS", "60"))
SEED = 11
REFERENCES = [task for task in FETCH if task.endswith("-v4")]


def actions(observation, random):
    """Returns float32 actions: towards the goal without an object, otherwise towards the object and, every few steps,
    in any direction. Some actions are outside the action space.
    """
    own = observation["observation"]
    to = observation["desired_goal"] if own.shape[1] == 10 else own[:, 3:6]
    action = random.normal(size=(len(own), 4))
    action[:, :3] = 12 * (to - own[:, :3]) + 0.4 * action[:, :3]
    return action.astype(np.float32)


def compare(task, count, steps, table=None, pool_options=None, **others):
    """Steps a pool and the reference with equal actions, and compares all results. Adds the numbers of compared values
    to ``table``; returns the numbers of ended episodes and of steps at a goal.
    """
    ours, theirs = envpool_rs.make_vec(task, count, **pool_options or {}), reference(task, count, **others)
    assert ours.decided[0][:2] == ("physics", "native")
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    expected = theirs.reset(seed=SEED)
    check(ours.reset(seed=SEED), expected, "reset")
    random = np.random.default_rng(0)
    ended = reached = values = 0
    for step in range(steps):
        action = actions(expected[0], random)
        expected = theirs.step(action)
        check(ours.step(action), expected, step)
        ended += int(expected[3].sum())
        reached += int(np.sum(expected[-1].get("is_success", 0)))
        values += sum(np.size(each) for each in [*expected[0].values(), *expected[1:4]]) + count
    theirs.close()
    if table is not None:
        table.add(task, 1, count * steps, ended, ended, values, 0)
    return ended, reached


def test_the_ids_are_gymnasium_robotics():
    ids = {name for name in gymnasium.registry if name.startswith("Fetch") and "/" not in name}
    assert set(FETCH) == ids
    assert len(FETCH) == 16


@pytest.mark.parametrize("task", REFERENCES)
def test_episodes_are_the_references(task, parity_table):
    ended, reached = compare(task, 2, STEPS, table=parity_table)
    assert ended >= 2
    assert reached > 0 or "Reach" not in task


@pytest.mark.parametrize("task", [task for task in REFERENCES if "Dense" not in task])
def test_resets_are_the_references(task):
    ours, theirs = envpool_rs.make_vec(task, 2), reference(task, 2)
    for seed in range(5):
        check(ours.reset(seed=seed), theirs.reset(seed=seed), seed)
        check(ours.reset(), theirs.reset(), "without a seed")


@pytest.mark.parametrize(
    ("task", "options"),
    [
        *((task, {}) for task in REFERENCES),
        ("FetchReach-v4", {"block_gripper": False, "frame_skip": 3}),
        ("FetchPush-v4", {"frame_skip": 1, "frame_stack": 3}),
        ("FetchSlideDense-v4", {"num_threads": 2, "block_gripper": False}),
        ("FetchPickAndPlace-v4", {"frame_skip": 1}),
        ("FetchPickAndPlaceDense-v4", {"frame_skip": 33, "initial_object_x": 1.3}),
    ],
)
def test_native_steps_are_the_librarys(task, options):
    native, library = (envpool_rs.make_vec(task, 11, physics=physics, **options) for physics in ("native", "libmujoco"))
    assert native.decided[0][:2] == ("physics", "native")
    got, expected = native.reset(seed=SEED), library.reset(seed=SEED)
    random = np.random.default_rng(1)
    for step in range(55):
        check(got, expected, step)
        if "frame_stack" in options:
            action = random.normal(size=(11, 4)).astype(np.float32)
        else:
            action = actions(expected[0], random)
        got, expected = native.step(action), library.step(action)


def test_each_backend_continues_from_the_others_snapshots():
    pools = [envpool_rs.make_vec("FetchPickAndPlace-v4", 5, physics=by) for by in ("native", "libmujoco")]
    observations = [pool.reset(seed=seed)[0] for seed, pool in enumerate(pools)]
    random = np.random.default_rng(4)
    for _ in range(12):
        observations = [pool.step(actions(own, random))[0] for pool, own in zip(pools, observations, strict=True)]
    for first, other in (pools, pools[::-1]):
        other.set_state(first.get_state())
        for step in range(20):
            action = random.normal(size=(5, 4)).astype(np.float32)
            check(other.step(action), first.step(action), step)


@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
def test_threads_and_autoreset_modes_give_the_references_results(mode):
    ended, _ = compare(
        "FetchReach-v4", 6, 60, pool_options={"autoreset_mode": mode, "num_threads": 2}, autoreset_mode=mode
    )
    assert ended >= 6


def test_options_do_what_the_references_arguments_do():
    from gymnasium_robotics.envs.fetch.fetch_env import MujocoFetchEnv
    from gymnasium_robotics.envs.fetch.push import MODEL_XML_PATH

    theirs = MujocoFetchEnv(
        model_path=MODEL_XML_PATH,
        has_object=True,
        block_gripper=False,
        n_substeps=20,
        gripper_extra_height=0.1,
        target_in_the_air=True,
        target_offset=np.array([0.1, -0.05, 0.3]),
        obj_range=0.12,
        target_range=0.05,
        distance_threshold=0.2,
        initial_qpos={
            "robot0:slide0": 0.3,
            "robot0:slide1": 0.5,
            "robot0:slide2": 0.0,
            "object0:joint": [1.3, 0.6, 0.45, 1.0, 0.0, 0.0, 0.0],
        },
        reward_type="sparse",
    )
    ours = envpool_rs.make_vec(
        "FetchPush-v4",
        1,
        block_gripper=False,
        gripper_extra_height=0.1,
        target_in_the_air=True,
        target_offset_x=0.1,
        target_offset_y=-0.05,
        target_offset_z=0.3,
        obj_range=0.12,
        target_range=0.05,
        distance_threshold=0.2,
        initial_slide0=0.3,
        initial_slide1=0.5,
        initial_object_x=1.3,
        initial_object_y=0.6,
        initial_object_z=0.45,
    )
    compare_one(ours, theirs, 15)


@pytest.mark.parametrize("task", ["FetchPickAndPlaceDense-v4", "FetchReach-v4"])
def test_a_snapshot_during_an_episode_continues_identically(task):
    first, other = (envpool_rs.make_vec(task, 3) for _ in range(2))
    random = np.random.default_rng(2)
    observation, _ = first.reset(seed=3)
    other.reset(seed=900)
    for _ in range(20):
        observation = first.step(actions(observation, random))[0]
        other.step(other.action_space.sample())
    other.set_state(first.get_state())
    for step in range(50):
        action = actions(observation, random)
        observation, *rest = first.step(action)
        continued, *others = other.step(action)
        assert bits(continued) == bits(observation), step
        assert [bits(each) for each in others[:3]] == [bits(each) for each in rest[:3]]


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_envpools_interfaces_have_its_infos(env_type):
    ours = envpool_rs.make("FetchReachDense-v4", env_type=env_type, num_envs=2, seed=4)
    vector = envpool_rs.make_vec("FetchReachDense-v4", 2)
    vector.reset(seed=4)
    ours.reset()
    action = np.full((2, 4), 0.5, np.float32)
    result, expected = ours.step(action), vector.step(action)
    if env_type == "dm":
        assert bits(result.observation.desired_goal) == bits(expected[0]["desired_goal"])
        assert bits(result.observation.distance) == bits(-expected[1])
        return
    assert list(ours.observation_space) == ["observation", "achieved_goal", "desired_goal"]
    assert bits(result[0]) == bits(expected[0])
    assert bits(result[-1]["distance"]) == bits(-expected[1])
    assert bits(result[-1]["is_success"]) == bits(np.zeros(2))


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"reward_type": "none"}, "reward_type"),
        ({"obj_range": 0.01}, "obj_range=0.01"),
        ({"distance_threshold": -1.0}, "distance_threshold"),
        ({"xml_file": "fetch/none.xml"}, "xml_file"),
        ({"xml_file": "fetch/reach.xml"}, "object0"),
    ],
)
def test_bad_options_are_named(options, named):
    with pytest.raises((ValueError, FileNotFoundError), match=named):
        envpool_rs.make_vec("FetchPush-v4", 2, **options)


MODEL = """
<mujoco>
  <worldbody>
    <body name="mocap" mocap="true"><site name="mocap_site"/></body>
    <body name="base">
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <joint name="robot0:slide0" type="slide" axis="1 0 0"/>
      <joint name="robot0:slide1" type="slide" axis="0 1 0"/>
      <joint name="robot0:slide2" type="slide" axis="0 0 1"/>
      <site name="robot0:grip"/>
      <body name="right">
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <joint name="robot0:r_gripper_finger_joint" type="slide"/>
      </body>
      <body name="left">
        <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
        <joint name="robot0:l_gripper_finger_joint" type="slide"/>
      </body>
    </body>
    <body name="target"><site name="target0"/></body>
  </worldbody>
  <equality>{welds}</equality>
  <actuator>
    <position {moved}/>
    <position joint="robot0:l_gripper_finger_joint"/>
  </actuator>
</mujoco>
"""
"""Smallest model of the Fetch robot, without its welds and the target of its first actuator."""

SITES = '<weld site1="mocap_site" site2="robot0:grip"/>'
BODIES = '<weld body1="mocap" body2="base" relpose="0.3 0.2 0.1 1 0 0 0"/>'
MOVED = 'joint="robot0:r_gripper_finger_joint"'


def model_file(folder, welds=BODIES, moved=MOVED):
    path = folder / "model.xml"
    path.write_text(MODEL.format(welds=welds, moved=moved))
    return str(path)


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"moved": 'site="robot0:grip" refsite="target0"'}, "xml_file is a model without a joint for each actuator"),
        ({"welds": SITES}, "xml_file is a model without a mocap body that is welded"),
    ],
)
def test_models_of_other_robots_are_refused(tmp_path, changed, named):
    with pytest.raises(ValueError, match=named):
        envpool_rs.make_vec("FetchReach-v4", 1, xml_file=model_file(tmp_path, **changed))


def test_the_gripper_follows_the_mocap_body_of_a_later_weld(tmp_path):
    unrelated = '<weld body1="left" body2="right" active="false"/>'
    results = []
    for welds in (BODIES, unrelated + BODIES, unrelated + SITES.replace("/>", ' active="false"/>') + BODIES):
        envs = envpool_rs.make_vec("FetchReach-v4", 1, xml_file=model_file(tmp_path, welds=welds))
        observation, _ = envs.reset(seed=1)
        moved, *_ = envs.step(np.full((1, 4), 0.5, np.float32))
        results.append(bits(observation) | {"moved": bits(moved)})
    assert results[0] == results[1] == results[2]


def test_the_library_steps_unsupported_models(tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(welds=BODIES, moved=MOVED).replace("<worldbody>", "<option wind='1 0 0'/><worldbody>"))
    envs = envpool_rs.make_vec("FetchReach-v4", 2, xml_file=str(path))
    assert envs.decided[0] == ("physics", "libmujoco", "wind (<option wind>)")
    envs.reset(seed=0)
    assert np.isfinite(envs.step(np.ones((2, 4), np.float32))[0]["observation"]).all()
    with pytest.raises(ValueError, match=r'physics="native": expected .*\(wind '):
        envpool_rs.make_vec("FetchReach-v4", 2, xml_file=str(path), physics="native")


def test_the_library_steps_models_with_runge_kutta(tmp_path):
    path = tmp_path / "model.xml"
    text = MODEL.format(welds=BODIES, moved=MOVED)
    path.write_text(text.replace("<worldbody>", "<option integrator='RK4'/><worldbody>"))
    envs = envpool_rs.make_vec("FetchReach-v4", 2, xml_file=str(path))
    reason = "the integrator RK4, whose last stage only the library shows"
    assert envs.decided[0] == ("physics", "libmujoco", reason)


@pytest.mark.parametrize("task", ["FetchReach-v4", "FetchSlideDense-v4"])
def test_relabelled_goals_have_the_references_rewards(task):
    theirs = gymnasium.make(task, disable_env_checker=True).unwrapped
    achieved, desired = check_relabelled_goals(task, theirs, 3, 0.03)
    far = robotics.compute_reward(achieved, desired, distance_threshold=10.0)
    assert bits(far) == bits(np.full(1000, -0.0, np.float32))
    with pytest.raises(ValueError, match="shapes that match"):
        robotics.compute_reward(achieved, desired[:, :2])


def test_an_absolute_path_of_a_model_needs_no_package(tmp_path, monkeypatch):
    from envpool_rs._spec import assets

    monkeypatch.setattr(assets, "folder_in", lambda *_: None)
    envs = envpool_rs.make_vec("FetchReach-v4", 1, xml_file=model_file(tmp_path))
    envs.reset(seed=0)
    assert np.isfinite(envs.step(np.ones((1, 4), np.float32))[0]["observation"]).all()
