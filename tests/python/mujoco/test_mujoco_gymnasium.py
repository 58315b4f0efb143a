"""Tests that MuJoCo's robots replay gymnasium's, bit for bit, on the same library of MuJoCo.

Environment `i` of a pool with seed `s` equals `gymnasium.make` with seed `s + i` in observations, rewards, ends and
infos, over many episodes.

`MUJOCO_STEPS` sets the number of compared steps of each environment (`nox -s exact -- mujoco`), by default some
hundreds.
"""

import os
import types

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from tasks import MUJOCO, MUJOCO_ALIASES

pytest.importorskip("mujoco")

# Ignores gymnasium's warning that robots of version 4 are out of date.
pytestmark = pytest.mark.filterwarnings("ignore:.*is out of date:DeprecationWarning")

STEPS = int(os.environ.get("MUJOCO_STEPS", "0"))
SEED = 11

#: All MuJoCo robots of gymnasium, without EnvPool's aliases of them.
ROBOTS = [task for task in MUJOCO if task not in MUJOCO_ALIASES]

NO_END = {"terminate_when_unhealthy": False}
#: Cases: task, options of this package, and gymnasium's options if their names differ.
CASES = [
    ("Ant-v5", {"exclude_current_positions_from_observation": False, "main_body": "front_left_leg"}, None),
    ("Ant-v5", {"include_cfrc_ext_in_observation": False, "healthy_z_range": (0.3, 0.9), "healthy_reward": 0.5}, None),
    ("Ant-v5", {**NO_END, "contact_force_range": (-0.5, 0.25), "contact_cost_weight": 0.01, "frame_skip": 2}, None),
    ("Ant-v5", {"forward_reward_weight": 0.7, "ctrl_cost_weight": 0.3, "reset_noise_scale": 0.0, "main_body": 3}, None),
    ("Ant-v5", {"healthy_z_min": 0.4, "healthy_z_max": 0.8}, {"healthy_z_range": (0.4, 0.8)}),
    ("Ant-v4", {"use_contact_forces": True, "contact_cost_weight": 0.01}, None),
    ("Ant-v4", {**NO_END, "use_contact_force": True, "contact_force_max": 0.5},
     {**NO_END, "use_contact_forces": True, "contact_force_range": (-1.0, 0.5)}),
    ("HalfCheetah-v5", {"forward_reward_weight": 2.0, "ctrl_cost_weight": 0.3, "reset_noise_scale": 0.3}, None),
    ("HalfCheetah-v4", {"exclude_current_positions_from_observation": False}, None),
    ("HalfCheetah-v5", {"frame_skip": 3, "exclude_current_positions_from_observation": False}, None),
    ("Hopper-v5", {**NO_END, "exclude_current_positions_from_observation": False}, None),
    ("Hopper-v5", {"healthy_state_range": (-3.0, 3.0), "healthy_z_range": (0.5, np.inf), "healthy_reward": 2.5}, None),
    ("Hopper-v5", {"healthy_angle_range": (-0.4, 0.3), "healthy_z_range": (1.0, 1.3), "frame_skip": 5}, None),
    ("Hopper-v4", {**NO_END, "ctrl_cost_weight": 0.2, "forward_reward_weight": 0.3}, None),
    ("Hopper-v4", {"healthy_angle_min": -0.4, "healthy_state_max": 4.0},
     {"healthy_angle_range": (-0.4, 0.2), "healthy_state_range": (-100.0, 4.0)}),
    ("Walker2d-v5", {**NO_END, "reset_noise_scale": 0.2, "exclude_current_positions_from_observation": False}, None),
    ("Walker2d-v5", {"healthy_z_range": (0.9, 1.5), "healthy_angle_range": (-0.3, 0.3), "frame_skip": 3}, None),
    ("Walker2d-v4", {"healthy_z_max": 1.3, "forward_reward_weight": 0.4}, {"healthy_z_range": (0.8, 1.3),
                                                                           "forward_reward_weight": 0.4}),
    ("Humanoid-v5", {**NO_END, "contact_cost_weight": 1e-4, "contact_cost_range": (-np.inf, 3.0)}, None),
    ("Humanoid-v5", {"include_cinert_in_observation": False, "include_cfrc_ext_in_observation": False}, None),
    ("Humanoid-v5", {"include_cvel_in_observation": False, "include_qfrc_actuator_in_observation": False,
                     "exclude_current_positions_from_observation": False, "frame_skip": 2}, None),
    ("Humanoid-v4", {**NO_END, "healthy_z_range": (0.9, 1.6), "ctrl_cost_weight": 0.5}, None),
    ("HumanoidStandup-v5", {"include_cinert_in_observation": False, "uph_cost_weight": 3}, None),
    ("HumanoidStandup-v5", {"ctrl_cost_weight": 0.2, "reset_noise_scale": 0.1}, None),
    ("HumanoidStandup-v5", {"impact_cost_weight": 1e-3, "impact_cost_range": (0.5, 5.0)}, None),
    ("InvertedPendulum-v5", {"reset_noise_scale": 0.1, "frame_skip": 4}, None),
    ("InvertedDoublePendulum-v5", {"healthy_reward": 3.0, "reset_noise_scale": 0.02}, None),
    ("Pusher-v5", {"reward_near_weight": 0.2, "reward_dist_weight": 3, "reward_control_weight": 0.4}, None),
    ("Pusher-v5", {"ctrl_cost_weight": 0.7}, {"reward_control_weight": 0.7}),
    ("Reacher-v5", {"reward_dist_weight": 2.5, "reward_control_weight": 0.3, "frame_skip": 3}, None),
    ("Reacher-v5", {"dist_cost_weight": 2.5}, {"reward_dist_weight": 2.5}),
    ("Swimmer-v5", {"forward_reward_weight": 0.5, "ctrl_cost_weight": 0.1, "frame_skip": 2}, None),
    ("Swimmer-v4", {"exclude_current_positions_from_observation": False, "reset_noise_scale": 0.4}, None),
]  # fmt: skip


@pytest.fixture(autouse=True)
def _old_pusher(monkeypatch, tmp_path):
    """Disables the version check of gymnasium's Pusher-v4, which rejects new versions of MuJoCo but runs on them. The
    working directory is a temporary folder, because gymnasium's robots leave log files.
    """
    from gymnasium.envs.mujoco import pusher_v4

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pusher_v4, "mujoco", types.SimpleNamespace(__version__="2.3.7"))


def reference(task, count, options=None, **others):
    """Makes gymnasium's own vector environment."""
    from gymnasium.vector import SyncVectorEnv

    def make():
        return gymnasium.make(task, disable_env_checker=True, **options or {})

    return SyncVectorEnv([make] * count, **others)


def bits(value):
    array = np.asarray(value)
    return array.dtype, array.shape, array.tobytes()


def numbers_in(result):
    """Returns the number of array elements in a result, including infos."""
    arrays = [*result[:-1], *(value for key, value in result[-1].items() if not key.startswith("_"))]
    return sum(np.size(array) for array in arrays)


def check_infos(ours, theirs, where):
    """Checks that infos are equal, and that infos are masked out where gymnasium has none in this step."""
    for key, value in theirs.items():
        assert bits(ours[key]) == bits(value), (where, key, ours[key], value)
    for key in ours.keys() - theirs.keys():
        if not key.startswith("_"):
            assert not ours[f"_{key}"].any(), (where, key)


def check(ours, theirs, where):
    names = ("observation", "reward", "terminated", "truncated")[: len(theirs) - 1]
    for name, our, their in zip(names, ours[:-1], theirs[:-1], strict=True):
        assert bits(our) == bits(their), (where, name, our, their)
    check_infos(ours[-1], theirs[-1], where)


def actions(space, count, random):
    """Returns float32 actions, of which some are outside the space."""
    return random.uniform(1.2 * space.low, 1.2 * space.high, (count, *space.shape)).astype(np.float32)


def compare(task, count, steps, options=None, theirs=None, pool_options=None, table=None, **others):
    """Steps a pool and gymnasium's environments with equal actions, and compares all results.

    Adds the counts to ``table``, and returns the number of ended episodes.
    """
    ours = envpool_rs.make_vec(task, count, **options or {}, **pool_options or {})
    theirs = reference(task, count, options if theirs is None else theirs, **others)
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    check(ours.reset(seed=SEED), theirs.reset(seed=SEED), "reset")
    random = np.random.default_rng(0)
    ended = truncated = values = 0
    for step in range(steps):
        action = actions(ours.single_action_space, count, random)
        got, expected = ours.step(action), theirs.step(action)
        if "final_info" in expected[-1]:
            final = expected[-1].pop("final_info"), expected[-1].pop("final_obs")
            masks = expected[-1].pop("_final_info"), expected[-1].pop("_final_obs")
            check_ends(got[-1], final, masks, step)
            got = (*got[:-1], {key: value for key, value in got[-1].items() if "final" not in key})
        check(got, expected, step)
        ended += int((got[2] | got[3]).sum())
        truncated += int(got[3].sum())
        values += numbers_in(expected)
    theirs.close()
    if table is not None:
        table.add(task, 1, count * steps, ended, truncated, values, 0)
    return ended


def check_ends(ours, final, masks, where):
    infos, observations = final
    assert all((ours[name] == masks[0]).all() for name in ("_final_info", "_final_obs"))
    for env in np.flatnonzero(masks[0]):
        assert bits(ours["final_obs"][env]) == bits(observations[env]), where
        for key in infos:
            if not key.startswith("_") and infos[f"_{key}"][env]:
                assert bits(ours["final_info"][key][env]) == bits(infos[key][env]), (where, key)


@pytest.mark.parametrize("task", ROBOTS)
def test_resets_equal_gymnasiums(task):
    ours, theirs = envpool_rs.make_vec(task, 20), reference(task, 20)
    check(ours.reset(seed=SEED), theirs.reset(seed=SEED), "with a seed")
    check(ours.reset(), theirs.reset(), "without")


@pytest.mark.parametrize("task", ROBOTS)
def test_episodes_equal_gymnasiums(task, parity_table):
    long = task.startswith(("HalfCheetah", "Swimmer", "HumanoidStandup"))
    ended = compare(task, 3, STEPS or (120 if long else 260), table=parity_table)
    assert long or ended >= 3


@pytest.mark.parametrize(("task", "options", "theirs"), CASES)
def test_options_have_the_effect_of_gymnasiums(task, options, theirs, parity_table):
    compare(task, 2, STEPS or 120, options, theirs, table=parity_table)


@pytest.mark.parametrize("task", ["Hopper-v5", "Humanoid-v5"])
def test_episodes_started_by_same_step_autoreset_equal_gymnasiums(task):
    mode = AutoresetMode.SAME_STEP
    ended = compare(task, 3, 150, pool_options={"autoreset_mode": mode}, autoreset_mode=mode)
    assert ended > 3


@pytest.mark.parametrize("task", ["Walker2d-v5", "Ant-v5"])
def test_64_environments_on_two_threads_equal_gymnasiums(task):
    assert compare(task, 64, 40, pool_options={"num_threads": 2}) > 0


def test_truncation_equals_gymnasiums():
    assert compare("Reacher-v5", 2, 160) == 6
    assert compare("Pusher-v5", 2, 210) == 4


@pytest.mark.parametrize("task", [task for task in ROBOTS if task.endswith("-v5")])
def test_steps_are_equal_without_the_skipped_stages(task):
    """Compares steps that skip stages of the simulation with full steps.

    Stages are skipped only for gymnasium's models, not for an equal file given by ``xml_file``.
    """
    from gymnasium.envs.mujoco import mujoco_env

    first = envpool_rs.make_vec(task, 1)
    path = os.path.join(os.path.dirname(mujoco_env.__file__), "assets", first.spec.config.xml_file)  # noqa: PTH118, PTH120
    options = NO_END if "terminate_when_unhealthy" in first.spec.config_dict() else {}
    with_all, without = (envpool_rs.make_vec(task, 16, **options, **own) for own in ({"xml_file": path}, {}))
    random = np.random.default_rng(3)
    assert bits(with_all.reset(seed=1)[0]) == bits(without.reset(seed=1)[0])
    for step in range(STEPS or 250):
        action = actions(first.single_action_space, 16, random)
        check(without.step(action), with_all.step(action), step)


def test_a_frame_stack_holds_the_observations_of_plain_environments():
    plain, stacked = (envpool_rs.make_vec("HalfCheetah-v5", 2, frame_stack=depth) for depth in (1, 3))
    assert stacked.single_observation_space.shape == (3, 17)
    seen = [plain.reset(seed=5)[0]] * 3
    assert bits(stacked.reset(seed=5)[0]) == bits(np.stack(seen, 1))
    random = np.random.default_rng(1)
    for _ in range(5):
        action = actions(plain.single_action_space, 2, random)
        seen = [*seen[1:], plain.step(action)[0]]
        assert bits(stacked.step(action)[0]) == bits(np.stack(seen, 1))


@pytest.mark.parametrize("task", ROBOTS)
def test_a_snapshot_during_an_episode_continues_identically(task):
    first, other = (envpool_rs.make_vec(task, 2) for _ in range(2))
    random = np.random.default_rng(2)
    first.reset(seed=3)
    other.reset(seed=900)
    for _ in range(17):
        first.step(actions(first.single_action_space, 2, random))
        other.step(actions(first.single_action_space, 2, random))
    other.set_state(first.get_state())
    for step in range(60):
        action = actions(first.single_action_space, 2, random)
        check(other.step(action), first.step(action), step)


@pytest.mark.parametrize("alias", MUJOCO_ALIASES)
def test_older_ids_are_aliases_of_version_4(alias, parity_table):
    stem, _, _ = alias.rpartition("-")
    options = {"use_contact_forces": True} if stem == "Ant" else {}
    ours, fourth = envpool_rs.make_vec(alias, 2), envpool_rs.make_vec(f"{stem}-v4", 2, **options)
    check(ours.reset(seed=1), fourth.reset(seed=1), "reset")
    random = np.random.default_rng(0)
    steps, counts = STEPS or 60, np.zeros(3, int)
    for step in range(steps):
        action = actions(ours.single_action_space, 2, random)
        got, expected = ours.step(action), fourth.step(action)
        check(got, expected, step)
        counts += [(got[2] | got[3]).sum(), got[3].sum(), numbers_in(expected)]
    parity_table.add(alias, 1, 2 * steps, *map(int, counts), 0)


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_envpools_interfaces_return_equal_numbers_in_envpools_dtypes(env_type):
    if env_type == "dm":
        pytest.importorskip("dm_env")
    ours = envpool_rs.make("Ant-v5", env_type=env_type, num_envs=2, seed=4)
    vector = envpool_rs.make_vec("Ant-v5", 2)
    vector.reset(seed=4)
    ours.reset()
    action = actions(vector.single_action_space, 2, np.random.default_rng(0))
    result, expected = ours.step(action.astype(np.float64)), vector.step(action)
    if env_type == "dm":
        assert bits(result.observation.obs) == bits(expected[0])
        assert bits(result.reward) == bits(expected[1].astype(np.float32))
        return
    assert ours.action_space.dtype == np.float64
    assert bits(result[0]) == bits(expected[0])
    assert bits(result[1]) == bits(expected[1].astype(np.float32))
    for key in ("reward_ctrl", "reward_contact", "x_velocity", "distance_from_origin"):
        assert bits(result[-1][key]) == bits(expected[-1][key].astype(np.float64))


def test_control_costs_use_double_precision_actions():
    env = envpool_rs.make("HalfCheetah-v5", num_envs=1)
    env.reset()
    action = np.full((1, 6), 0.1)
    expected = -0.1 * np.sum(np.square(action[0]))
    assert env.step(action)[-1]["reward_ctrl"][0] == expected
    single = action.astype(np.float32)
    expected = -np.float64(0.1 * np.sum(np.square(single[0])))
    assert env.step(single.astype(np.float64))[-1]["reward_ctrl"][0] == expected


def test_configs_list_envpools_options_first_in_envpools_order():
    keys = envpool_rs.make_spec("Pusher-v4")._config_keys
    first = [
        "frame_skip",
        "frame_stack",
        "post_constraint",
        "ctrl_cost_weight",
        "dist_cost_weight",
        "near_cost_weight",
        "xml_file",
    ]
    start = keys.index("frame_skip")
    assert keys[start : start + len(first)] == first
    assert keys.index("cylinder_dist_min") < keys.index("reward_near_weight")


def test_envpools_standup_weights_scale_the_rewards():
    names = {"forward_reward_weight": 3.0, "healthy_reward": 0.5, "contact_cost_weight": 1e-5}
    plain, weighed = (envpool_rs.make_vec("HumanoidStandup-v5", 1, **options) for options in ({}, names))
    own = envpool_rs.make_vec("HumanoidStandup-v5", 1, impact_cost_weight=1e-5)
    action = actions(plain.single_action_space, 1, np.random.default_rng(0))
    results = [each.reset(seed=0) and each.step(action) for each in (plain, weighed, own)]
    infos = [result[4] for result in results]
    assert infos[1]["reward_linup"] == 3 * infos[0]["reward_linup"]
    assert infos[1]["reward_impact"] == infos[2]["reward_impact"] < infos[0]["reward_impact"] < 0
    parts = infos[1]["reward_linup"] + infos[1]["reward_quadctrl"] + infos[1]["reward_impact"] + 0.5
    assert results[1][1] == parts
