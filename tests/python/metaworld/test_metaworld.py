"""Tests that MetaWorld's tasks replay the package `metaworld`, bit for bit, on the same MuJoCo library.

Environment `i` of a pool with seed `s` equals `gymnasium.make("Meta-World/MT1", env_name=.., seed=s + i)` in
observations, rewards, ends and infos, over several episodes with the package's scripted policies and with random
actions.

`METAWORLD_STEPS` sets the number of compared steps of each episode, by default a hundred.
"""

import os

import envpool_rs
import numpy as np
import pytest
from tasks import METAWORLD

pytest.importorskip("mujoco")
pytest.importorskip("scipy")
pytest.importorskip("metaworld")
from metaworld.policies import ENV_POLICY_MAP
from metaworld_reference import INFOS, name_of, patch_welds, reference, same

# The reference's resets ignore seeds, and some of its observations are outside of its space.
pytestmark = pytest.mark.filterwarnings("ignore")

STEPS = int(os.environ.get("METAWORLD_STEPS", "0")) or 100
SEED = 11


@pytest.fixture(autouse=True)
def _welds(monkeypatch):
    patch_welds(monkeypatch)


def compare_steps(pool, references, actions, where):
    """Steps a pool and references with equal actions, compares the results, and returns the observations."""
    observation, reward, terminated, truncated, info = pool.step(actions)
    for env, theirs in enumerate(references):
        expected = theirs.step(actions[env])
        same(observation[env], expected[0], (*where, env, "observation"))
        same(reward[env], expected[1], (*where, env, "reward"))
        assert (terminated[env], truncated[env]) == expected[2:4], where
        for key in INFOS:
            same(info[key][env], expected[4][key], (*where, env, key))
    return observation, info


@pytest.mark.parametrize("task", METAWORLD)
def test_resets_are_the_references(task):
    pool = envpool_rs.make_vec(task, 2, partially_observable=False)
    references = [reference(task, SEED + env) for env in range(2)]
    assert pool.single_action_space == references[0].action_space
    for episode in range(3):
        observation, _ = pool.reset(seed=SEED if episode == 0 else None)
        for env, theirs in enumerate(references):
            same(observation[env], theirs.reset()[0], (episode, env))
    # The reference's `observation_space` has no goals, although its observations have them.
    assert pool.single_observation_space == references[0].unwrapped.sawyer_observation_space


@pytest.mark.parametrize("task", METAWORLD)
def test_episodes_are_the_references(task):
    """Compares an episode of the scripted policy, one of the policy with noise, and one of random actions that also
    exceed the action space.
    """
    policy = ENV_POLICY_MAP[name_of(task)]()
    pool = envpool_rs.make_vec(task, 2, partially_observable=False)
    references = [reference(task, SEED + env) for env in range(2)]
    random = np.random.default_rng(0)
    for episode in range(3):
        observation, _ = pool.reset(seed=SEED if episode == 0 else None)
        for env, theirs in enumerate(references):
            same(observation[env], theirs.reset()[0], (episode, env))
        for step in range(STEPS):
            actions = random.normal(size=(2, 4)).astype(np.float32)
            if episode < 2:
                scripted = np.stack([policy.get_action(each) for each in observation]).astype(np.float32)
                actions = scripted + np.float32(0.3 * episode) * actions
            observation, _ = compare_steps(pool, references, actions, (episode, step))


@pytest.mark.parametrize("task", METAWORLD)
def test_the_first_version_of_rewards_is_the_references(task):
    policy = ENV_POLICY_MAP[name_of(task)]()
    options = {"reward_function_version": "v1"}
    pool = envpool_rs.make_vec(task, 2, partially_observable=False, **options)
    references = [reference(task, SEED + env, **options) for env in range(2)]
    random = np.random.default_rng(0)
    for episode in range(2):
        observation, _ = pool.reset(seed=SEED if episode == 0 else None)
        for env, theirs in enumerate(references):
            same(observation[env], theirs.reset()[0], (episode, env))
        for step in range(STEPS):
            actions = np.stack([policy.get_action(each) for each in observation]).astype(np.float32)
            actions += np.float32(0.3 * episode) * random.normal(size=(2, 4)).astype(np.float32)
            observation, _ = compare_steps(pool, references, actions, (episode, step))


TASK = "MetaWorld/PickPlace-v3"


def solve(pool, observation):
    """Returns the actions of the scripted policy of `TASK`."""
    policy = ENV_POLICY_MAP[name_of(TASK)]()
    return np.stack([policy.get_action(each[-39:]) for each in observation]).astype(np.float32)


def test_pools_restart_at_the_time_limit_as_the_reference():
    pool = envpool_rs.make_vec(TASK, 1, partially_observable=False, max_episode_steps=20)
    theirs = reference(TASK, SEED, max_episode_steps=20)
    same(pool.reset(seed=SEED)[0][0], theirs.reset()[0], "reset")
    for step in range(70):
        action = np.full((1, 4), 0.1 * (step % 7 - 3), np.float32)
        observation, _, _, truncated, _ = pool.step(action)
        if step % 21 == 20:
            same(observation[0], theirs.reset()[0], step)
            continue
        expected = theirs.step(action[0])
        same(observation[0], expected[0], step)
        assert truncated[0] == expected[3] == (step % 21 == 19)


def test_episodes_end_at_success_if_asked():
    pool = envpool_rs.make_vec(TASK, 2, partially_observable=False, terminate_on_success=True)
    observation, _ = pool.reset(seed=SEED)
    for _ in range(200):
        observation, _, terminated, _, info = pool.step(solve(pool, observation))
        assert (terminated == (info["success"] == 1.0)).all()
        if terminated.all():
            return
    raise AssertionError("the scripted policy solves the task")


def test_goals_are_hidden_and_frames_stacked():
    shown, hidden = (
        envpool_rs.make_vec(TASK, 2, frame_stack=3, partially_observable=is_hidden) for is_hidden in (False, True)
    )
    frames, others = shown.reset(seed=SEED)[0], hidden.reset(seed=SEED)[0]
    assert frames.shape == (2, 3, 39)
    for step in range(5):
        same(others[..., :36], frames[..., :36], step)
        assert (others[..., 36:] == 0).all() and (frames[..., 36:] != 0).any()
        before = frames
        actions = np.full((2, 4), 0.2, np.float32)
        frames, others = shown.step(actions)[0], hidden.step(actions)[0]
        same(frames[:, :2], before[:, 1:], step)


def test_a_snapshot_during_an_episode_continues_identically():
    first, other = (envpool_rs.make_vec("MetaWorld/DrawerOpen-v3", 3, partially_observable=False) for _ in range(2))
    first.reset(seed=SEED)
    other.reset(seed=900)
    random = np.random.default_rng(0)
    for _ in range(30):
        first.step(random.uniform(-1, 1, (3, 4)).astype(np.float32))
    other.set_state(first.get_state())
    for step in range(40):
        actions = random.uniform(-1, 1, (3, 4)).astype(np.float32)
        for ours, theirs in zip(first.step(actions)[:4], other.step(actions)[:4], strict=True):
            same(ours, theirs, step)


def test_envpools_interface_has_its_infos():
    pool = envpool_rs.make(TASK, env_type="gymnasium", num_envs=2, seed=SEED)
    observation, info = pool.reset()
    assert (observation[:, 36:] == 0).all() and observation.dtype == np.float64
    assert {key: info[key].dtype for key in INFOS} == dict.fromkeys(INFOS, np.dtype(np.float64))
    assert info["task_id"].tolist() == [30, 30]
    assert np.isinf(pool.observation_space.high).all()


def test_what_is_missing_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match="metaworld_dir"):
        envpool_rs.make_vec(TASK, 1, metaworld_dir=tmp_path)


REACH_MODEL = """
<mujoco>
  <worldbody>
    <body name="mocap" mocap="true"/>
    <body name="hand">
      <inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
      <joint name="turn"/>
      <geom name="leftpad_geom" size="0.1"/>
      <geom name="rightpad_geom" size="0.1"/>
      <site name="rightEndEffector"/>
      <site name="leftEndEffector"/>
      <body name="rightclaw"/>
      <body name="leftclaw"/>
      <body name="leftpad"/>
      <body name="rightpad"/>
    </body>
    <body name="obj"><geom name="objGeom" size="0.1" contype="0"/></body>
    <site name="goal"/>
  </worldbody>
  <actuator>{actuators}</actuator>
</mujoco>
"""
"""Smallest model in which reach-v3 finds all names, with fewer positions than MetaWorld's own."""


@pytest.mark.parametrize(("motors", "named"), [(1, "nmocap=1 and nu=1"), (2, "nq=1: expected at least 12")])
def test_models_of_other_sizes_are_refused_with_an_error(tmp_path, motors, named):
    folder = tmp_path / "sawyer_xyz"
    folder.mkdir()
    (folder / "sawyer_reach_v3.xml").write_text(REACH_MODEL.format(actuators='<motor joint="turn"/>' * motors))
    with pytest.raises(ValueError, match=f"metaworld_dir holds a model with {named}"):
        envpool_rs.make_vec("MetaWorld/Reach-v3", 1, metaworld_dir=tmp_path)
