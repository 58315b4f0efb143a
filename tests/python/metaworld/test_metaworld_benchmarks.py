"""Tests that MetaWorld's benchmarks replay the vector environments of the package `metaworld`, bit for bit.

`METAWORLD_ALL=1` also compares the benchmarks of 25, 45 and 50 tasks.
"""

import os

import envpool_rs
import gymnasium
import numpy as np
import pytest

pytest.importorskip("mujoco")
pytest.importorskip("scipy")
metaworld = pytest.importorskip("metaworld")
from metaworld.policies import ENV_POLICY_MAP  # noqa: E402
from metaworld_reference import INFOS, made_fast, patch_welds, same  # noqa: E402

# The reference's resets ignore seeds, and some of its observations are outside of its space.
pytestmark = pytest.mark.filterwarnings("ignore")

SEED = 11
LIMIT = 6
ALL = os.environ.get("METAWORLD_ALL") == "1"
NAMES = ["push-v3", "lever-pull-v3", "box-close-v3", "reach-v3"]


@pytest.fixture(autouse=True)
def _welds(monkeypatch):
    patch_welds(monkeypatch)


def compare(pool, theirs, *, episodes=2, samples=False):
    """Compares resets, steps and the ends of episodes; `samples` chooses goals explicitly, as in meta-learning."""
    random = np.random.default_rng(0)
    assert pool.num_envs == theirs.num_envs
    assert pool.single_observation_space.shape == theirs.single_observation_space.shape
    assert pool.single_observation_space.dtype == theirs.single_observation_space.dtype
    for episode in range(episodes):
        if samples:
            expected = np.stack([observation for observation, _ in theirs.call("sample_tasks")])
            observation, _ = pool.reset(options={"sample_tasks": True})
        else:
            expected, _ = theirs.reset()
            observation, _ = pool.reset()
        same(observation, expected, (episode, "reset"))
        for step in range(LIMIT + 2):
            actions = random.uniform(-1, 1, (pool.num_envs, 4)).astype(np.float32)
            compare_steps(pool.step(actions), theirs.step(actions), (episode, step))


def compare_steps(ours, theirs, where):
    for name, mine, expected in zip(("observation", "reward"), ours, theirs, strict=False):
        same(mine, expected, (*where, name))
    assert (ours[2] == theirs[2]).all(), where
    assert (ours[3] == theirs[3]).all(), where
    assert ("final_obs" in ours[4]) == ("final_obs" in theirs[4])
    infos = [(ours[4], theirs[4])]
    if "final_obs" in theirs[4]:
        for mine, expected in zip(ours[4]["final_obs"], theirs[4]["final_obs"], strict=True):
            # The reference's last observations are float64, also where its space is float32.
            same(mine, expected.astype(mine.dtype), (*where, "final_obs"))
        ended, final = ours[4], theirs[4]["final_info"]
        # The reference adds rewards of either dtype in that dtype.
        np.testing.assert_allclose(ended["episode"]["r"], final["episode"]["r"], rtol=1e-6)
        infos = [(ended["final_info"], final)]
    for mine, expected in infos:
        for key in INFOS:
            # The reference's infos have the dtype of the first environment's info, an int for some tasks.
            same(mine[key].astype(expected[key].dtype), expected[key], (*where, key))


@pytest.mark.parametrize("name", ["MT10", *(["MT25", "MT50"] if ALL else [])])
def test_multi_task_benchmarks_are_the_references(name):
    options = {"use_one_hot": True, "max_episode_steps": LIMIT, "seed": SEED}
    theirs = made_fast(gymnasium.make_vec, f"Meta-World/{name}", vector_strategy="sync", **options)
    compare(envpool_rs.make_vec(f"Meta-World/{name}", vector_strategy="sync", **options), theirs)


@pytest.mark.parametrize("split", ["train", "test"])
@pytest.mark.parametrize("name", ["ML1", "ML10", *(["ML25", "ML45"] if ALL else [])])
def test_meta_learning_benchmarks_are_the_references(name, split):
    size = {"ML1": 5, "ML25": 25, "ML45": 45}.get(name, 10) if split == "train" or name == "ML1" else 5
    make = metaworld.make_ml_envs_train if split == "train" else metaworld.make_ml_envs_test
    options = {"meta_batch_size": size, "max_episode_steps": LIMIT, "seed": SEED}
    one = {}
    if name == "ML1":
        # Three goals of each environment, so that the fourth episode shuffles them again.
        one, options["total_tasks_per_cls"] = {"env_name": "drawer-open-v3"}, 15
    theirs = made_fast(make, one.get("env_name", name), **options)
    ours = envpool_rs.make_vec(f"Meta-World/{name}-{split}", **one, **options)
    compare(ours, theirs, samples=True, episodes=4 if name == "ML1" else 2)


#: Options of the package's wrappers, in combinations that cover each of them.
WRAPPERS = [
    {"recurrent_info_in_obs": True, "terminate_on_success": True},
    {"recurrent_info_in_obs": True, "normalize_reward_in_recurrent_info": False, "use_one_hot": True},
    {"reward_normalization_method": "gymnasium", "normalize_observations": True},
    {"reward_normalization_method": "exponential", "reward_function_version": "v1"},
    {
        "reward_normalization_method": "exponential",
        "reward_alpha": 0.3,
        "recurrent_info_in_obs": True,
        "normalize_observations": True,
        "use_one_hot": True,
    },
]


@pytest.mark.parametrize("name", ["MT10", *(["MT50"] if ALL else [])])
@pytest.mark.parametrize("wrappers", WRAPPERS)
def test_wrapped_benchmarks_are_the_references(name, wrappers):
    options = {"max_episode_steps": LIMIT, "seed": SEED, **wrappers}
    theirs = made_fast(gymnasium.make_vec, f"Meta-World/{name}", vector_strategy="sync", **options)
    compare(envpool_rs.make_vec(f"Meta-World/{name}", **options), theirs, episodes=3)


def test_wrapped_tasks_are_the_references_until_they_are_solved():
    """Compares episodes of the scripted policy, which ends them, and a snapshot of the statistics."""
    policy = ENV_POLICY_MAP["reach-v3"]()
    options = {"env_name": "reach-v3", "seed": SEED, "terminate_on_success": True, **WRAPPERS[-1], "env_id": 1}
    options |= {"num_tasks": 2, "reward_normalization_method": "gymnasium", "normalize_observations": False}
    theirs = made_fast(gymnasium.make, "Meta-World/MT1", disable_env_checker=True, **options)
    ours = envpool_rs.make_vec("Meta-World/MT1", 1, autoreset_mode="disabled", **options)
    for episode in range(2):
        expected, _ = theirs.reset()
        same(ours.reset()[0][0], expected.astype(np.float32), (episode, "reset"))
        is_over, step = False, 0
        while not is_over:
            action = np.float32(policy.get_action(expected[:39]))
            ours.set_state(ours.get_state())
            observation, reward, terminated, *_ = ours.step(action[None])
            expected, expected_reward, is_over, *_ = theirs.step(action)
            same(observation[0], expected.astype(np.float32), (episode, step))
            same(reward[0], expected_reward, (episode, step))
            assert terminated[0] == is_over
            step += 1
        assert 0 < step < 100
        assert observation[0, -1] == 1


def test_stacked_observations_are_normalized_once():
    options = {"env_name": "reach-v3", "seed": SEED, "normalize_observations": True}
    single = envpool_rs.make_vec("Meta-World/MT1", 2, **options)
    stacked = envpool_rs.make_vec("Meta-World/MT1", 2, frame_stack=3, **options)
    frames = [single.reset()[0].copy()] * 3
    same(stacked.reset()[0], np.stack(frames, 1), "reset")
    random = np.random.default_rng(0)
    for step in range(4):
        actions = random.uniform(-1, 1, (2, 4)).astype(np.float32)
        frames = [*frames[1:], single.step(actions)[0].copy()]
        same(stacked.step(actions)[0], np.stack(frames, 1), step)


def test_custom_benchmarks_are_the_references():
    common = {"vector_strategy": "sync", "max_episode_steps": LIMIT, "seed": SEED}
    multi_task = {"envs_list": NAMES, "use_one_hot": True, **common}
    meta = {
        "train_envs": NAMES,
        "test_envs": ["push-wall-v3"],
        "meta_batch_size": 8,
        "total_tasks_per_cls": 40,
        **common,
    }
    for task_id, options in [("Meta-World/custom-mt-envs", multi_task), ("Meta-World/custom-ml-envs", meta)]:
        theirs = made_fast(gymnasium.make_vec, task_id, **options)
        compare(envpool_rs.make_vec(task_id, **options), theirs)


@pytest.mark.parametrize("kind", ["goal_hidden", "goal_observable"])
@pytest.mark.parametrize("name", NAMES)
def test_tasks_with_one_goal_are_the_references(kind, name):
    options = {"env_name": name, "seed": SEED, "disable_env_checker": True}
    theirs = made_fast(gymnasium.make, f"Meta-World/{kind}", **options)
    pool = envpool_rs.make_vec(f"Meta-World/{kind}", 1, env_name=name, seed=SEED)
    random = np.random.default_rng(0)
    for episode in range(3):
        same(pool.reset()[0][0], theirs.reset()[0], episode)
        for step in range(5):
            actions = random.uniform(-1, 1, (1, 4)).astype(np.float32)
            (observation, reward, *_), expected = pool.step(actions), theirs.step(actions[0])
            same(observation[0], expected[0], (episode, step))
            same(reward[0], expected[1], (episode, step))


def test_mt1_selects_its_task_in_each_interface():
    vector = envpool_rs.make_vec("Meta-World/MT1", 2, env_name="reach-v3", seed=SEED)
    pool = envpool_rs.make("Meta-World/MT1", "gymnasium", num_envs=2, env_name="reach-v3", seed=SEED)
    task = envpool_rs.make_vec("MetaWorld/Reach-v3", 2, partially_observable=False, seed=SEED)
    other = envpool_rs.make_vec("MetaWorld/Push-v3", 2, task_name="reach-v3", partially_observable=False, seed=SEED)
    expected = task.reset()[0]
    for each in (vector, pool, other):
        same(each.reset()[0], expected, each.spec.id)


def test_replicas_of_a_benchmark_have_consecutive_seeds():
    both = envpool_rs.make_vec("Meta-World/MT10", 20, seed=SEED)
    # Offsets apply to a seed of the pool, and not to seeds of single environments.
    second = envpool_rs.make_vec("Meta-World/MT10", seed=[SEED + 1] * 10)
    same(both.reset()[0][1::2], second.reset()[0], "made")
    same(both.reset(seed=5)[0][1::2], second.reset(seed=[6] * 10)[0], "reset")


def test_goals_are_sampled_on_request_only():
    pool = envpool_rs.make_vec("Meta-World/ML1-train", 5, env_name="reach-v3", seed=SEED, partially_observable=False)
    first = pool.reset()[0]
    same(pool.reset()[0], first, "the same goals")
    sampled = np.stack([observation for observation, _ in pool.call("sample_tasks")])
    assert (sampled[:, 36:] != first[:, 36:]).any(axis=1).all()
    snapshot = pool.get_state()
    expected = [pool.reset(options={"sample_tasks": 1})[0].copy() for _ in range(12)]
    pool.set_state(snapshot)
    for each in expected:
        same(pool.reset(options={"sample_tasks": 1})[0], each, "after a snapshot")
    pool.reset(options={"sample_tasks_on_reset": True})
    assert (pool.reset()[0][:, 36:] != pool.reset()[0][:, 36:]).any()


def test_success_ends_episodes_after_a_reset_that_asks_for_it():
    policy = ENV_POLICY_MAP["reach-v3"]()
    pool = envpool_rs.make_vec("Meta-World/MT1", 1, env_name="reach-v3", seed=SEED)
    for asked in (False, True):
        observation, _ = pool.reset(options={"terminate_on_success": asked})
        for _ in range(80):
            action = np.asarray([policy.get_action(observation[0])], np.float32)
            observation, _, terminated, _, info = pool.step(action)
            if info["success"][0]:
                break
        assert info["success"][0]
        assert terminated[0] == asked


@pytest.mark.parametrize(
    ("task_id", "options", "message"),
    [
        ("Meta-World/MT1", {}, "needs env_name"),
        ("Meta-World/MT1", {"env_name": "none-v3"}, "Unknown MetaWorld task_name: none-v3"),
        ("Meta-World/MT10", {"num_envs": 7}, "num_envs=7"),
        ("Meta-World/ML1-train", {"env_name": "reach-v3"}, "meta_batch_size=20"),
        ("Meta-World/ML10-train", {"meta_batch_size": 5}, "meta_batch_size=5"),
        ("Meta-World/custom-mt-envs", {"envs_list": []}, "envs_list="),
        ("Meta-World/custom-ml-envs", {"train_envs": NAMES, "test_envs": NAMES}, "test_envs has"),
        ("Meta-World/MT10", {"vector_strategy": "none"}, "vector_strategy"),
        ("MetaWorld/Reach-v3", {"env_id": 3}, "env_id=3"),
        ("MetaWorld/Reach-v3", {"goal_slice": [3, 3, 1]}, "goal_slice"),
        ("Meta-World/MT10", {"reward_normalization_method": "none"}, "reward_normalization_method"),
        ("Meta-World/MT10", {"reward_alpha": 2.0}, "reward_alpha"),
        ("MetaWorld/Reach-v3", {"goals_after": [50]}, "goals_after"),
        ("Meta-World/MT11", {}, "unknown task"),
    ],
)
def test_options_that_do_not_fit_are_refused(task_id, options, message):
    with pytest.raises((TypeError, ValueError), match=message):
        envpool_rs.make_vec(task_id, **options)
