"""Tests that MyoSuite's tasks replay the package `myosuite`, bit for bit, on the same MuJoCo library.

Environment `i` of a pool with seed `s` equals `gymnasium.make(id, seed=s + i)` in observations, rewards, ends and
infos, over several episodes with random and with constant actions.

`MYOSUITE_STEPS` sets the number of compared steps of each environment, by default 20; `MYOSUITE_ALL` compares ten
environments of each task instead of two.
"""

import os
import re
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._spec.options import tasks_with
from repository import ROOT

pytest.importorskip("mujoco")
pytest.importorskip("myosuite")
chasetag_v0 = pytest.importorskip("myosuite.envs.myo.myochallenge.chasetag_v0")

# numpy 2.4 refuses `float()` of an array with one element, by which the package computes the score of a game of tag.
chasetag_v0.float = lambda value: np.asarray(value).item()

pytestmark = pytest.mark.filterwarnings("ignore")  # observations of the reference leave its space

STEPS = int(os.environ.get("MYOSUITE_STEPS", "0")) or 20
ENVS = 10 if os.environ.get("MYOSUITE_ALL") else 2
SEED = 5
COMMON = ("time", "rwd_dense", "rwd_sparse", "solved", "done")
IN_INFOS = {"dense", "sparse", "solved", "done"}  # parts of `rwd_dict` that are infos of their own


def bits(value, dtype):
    return np.asarray(value).astype(dtype).tobytes()


class Reference(gymnasium.Wrapper):
    """Environment of the package whose resets draw from a global stream of the environment's seed."""

    def __init__(self, task, seed, **options):
        super().__init__(gymnasium.make(task, seed=seed, **options))
        self.stream = np.random.RandomState(seed).get_state()

    def reset(self, **arguments):
        np.random.set_state(self.stream)
        result = self.env.reset(**arguments)
        self.stream = np.random.get_state()
        return result


def references(task, count, **options):
    if re.search("TableTennis|Bimanual", task):
        pytest.importorskip("scipy")
    if "Soccer" in task and np.lib.NumpyVersion(np.__version__) >= "2.4.0":
        pytest.skip("the reference needs numpy<2.4")
    return [Reference(task, SEED + index, **options) for index in range(count)]


def infos_of(info):
    state = {key: info["state"][key] for key in ("qpos", "qvel", "act") if info["state"][key] is not None}
    parts = {f"rwd_{key}": value for key, value in info["rwd_dict"].items() if key not in IN_INFOS}
    return {**{key: info[key] for key in COMMON}, **state, **parts}


def compare(ours, theirs, steps):
    random = np.random.default_rng(3)
    constant = random.uniform(-1, 1, ours.action_space.shape).astype(np.float32)
    observation, _ = ours.reset()
    assert observation.tobytes() == np.stack([env.reset()[0] for env in theirs]).tobytes()
    has_ended = np.zeros(len(theirs), bool)
    for step in range(steps):
        action = random.uniform(-1.5, 1.5, constant.shape).astype(np.float32)
        action[::2] = constant[::2]
        observation, reward, terminated, truncated, info = ours.step(action)
        for index, env in enumerate(theirs):
            where = (step, index)
            if has_ended[index]:
                assert observation[index].tobytes() == env.reset()[0].tobytes(), where
                continue
            expected, value, *ends, expected_info = env.step(action[index])
            assert observation[index].tobytes() == expected.tobytes(), where
            assert bits(reward[index], float) == bits(value, float), where
            assert [terminated[index], truncated[index]] == ends, where
            for key, each in infos_of(expected_info).items():
                assert info[key][index].tobytes() == bits(each, info[key].dtype), (*where, key)
        has_ended = terminated | truncated


@pytest.mark.parametrize("task", sorted(tasks_with("myosuite_dir")))
def test_episodes_are_the_references(task):
    ours, theirs = envpool_rs.make_vec(task, ENVS, seed=SEED), references(task, ENVS)
    assert ours.single_observation_space == theirs[0].observation_space
    assert ours.single_action_space == theirs[0].action_space
    compare(ours, theirs, STEPS)


@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("myoFatiHandPoseRandom-v0", {"fatigue_reset_random": True}),
        ("myoElbowPose1D6MRandom-v0", {"reset_type": "init", "pose_thd": 0.5, "frame_skip": 3}),
        ("myoFingerReachRandom-v0", {"far_th": 0.05, "muscle_condition": "fatigue"}),
        ("myoChallengeDieReorientP2-v0", {"pos_th": 0.1, "rot_th": 2.0, "drop_th": 0.1, "frame_skip": 10}),
        ("myoChallengeDieReorientP1-v0", {"goal_pos": [-0.03, 0.02], "goal_rot": [0.0, 1.0], "obj_size_change": 0.003}),
        ("myoChallengeBaodingP2-v1", {"goal_time_period": [3.0, 7.0], "goal_xrange": [0.01, 0.02]}),
        ("myoChallengeBaodingP1-v1", {"drop_th": 1.3, "proximity_th": 0.1, "muscle_condition": "fatigue"}),
        ("myoLegWalk-v0", {"reset_type": "none", "max_rot": 0.5, "target_x_vel": 0.3}),
        ("myoFatiChallengeOslRunRandom-v0", {"fatigue_reset_random": True, "start_pos": 40}),
        ("myoChallengeChaseTagP2eval-v0", {"task_choice": "EVADE", "win_distance": 3.0}),
        ("myoLegStairTerrainWalk-v0", {"variant": "", "reset_type": "random", "hip_period": 30}),
        (
            "MyoHandAirplaneFly-v0",
            {"Termimate_pose_fail": True, "motion_start_time": 1.5, "muscle_condition": "fatigue"},
        ),
        ("myoChallengeSoccerP2-v0", {"max_time_sec": 0.1, "rnd_pos_noise": 0.5, "rnd_joint_noise": 0.1}),
        ("myoChallengeBimanual-v0", {"proximity_th": 0.9, "frame_skip": 10, "muscle_condition": "fatigue"}),
        ("MyoHandCupRandom-v0", {"Termimate_obj_fail": False, "muscle_condition": "sarcopenia"}),
        ("myoHandKeyTurnRandom-v0", {"key_init_range": [-0.3, 0.4], "reward_mode": "sparse"}),
        ("myoHandPose3Fixed-v0", {"target_jnt_value": np.linspace(-0.3, 0.3, 23)}),
        ("myoLegStandRandom-v0", {"joint_random_range": [-0.05, 0.1]}),
        ("myoElbowPose1D6MExoRandom-v0", {"weight_range": [0.5, 3.0]}),
        ("myoLegHillyTerrainWalk-v0", {"target_rot": [0.7, 0.1, 0.0, -0.7], "reset_type": "none"}),
        ("myoChallengeBaodingP1-v1", {"task_choice": "random"}),
        ("myoChallengeBaodingP2-v1", {"task_choice": "fixed", "obj_size_range": [0.02, 0.021]}),
        ("myoChallengeBaodingP2-v1", {"obj_friction_change": (0.1, 0.0005, 1e-5), "obj_mass_range": [0.1, 0.2]}),
        ("myoChallengeDieReorientP2-v0", {"obj_friction_change": (0.1, 0.0005, 1e-5), "obj_mass_range": [0.1, 0.2]}),
        ("myoChallengeChaseTagP1-v0", {"reset_type": "none", "min_spawn_distance": 3.0, "chase_vel_range": [0.5, 2.0]}),
        (
            "myoChallengeChaseTagP1-v0",
            {"random_vel_range": [-1.0, 0.5], "opponent_probabilities": [0.0, 0.1, 0.9]},
        ),
        (
            "myoChallengeChaseTagP2eval-v0",
            {"hills_range": [0.0, 0.1], "rough_range": [0.01, 0.02], "relief_range": [0.2, 0.2]},
        ),
        (
            "myoChallengeChaseTagP2eval-v0",
            {"repeller_vel_range": [0.1, 0.2], "opponent_probabilities": [0.0, 0.0, 0.2, 0.8]},
        ),
        ("myoChallengeOslRunRandom-v0", {"terrain": "random_mixed", "real_width": 0.5}),
        ("myoChallengeOslRunRandom-v0", {"rough_difficulties": [0.1] * 7, "hills_difficulties": [0.1, 0.2, 0.0]}),
        ("myoFatiChallengeOslRunRandom-v0", {"reset_type": "init", "fatigue_reset_random": True}),
        ("myoFatiChallengeOslRunFixed-v0", {"reset_type": "none", "fatigue_reset_random": True}),
        ("myoChallengeOslRunFixed-v0", {"reset_type": "osl_init", "start_pos": 60.0}),
        ("myoChallengeSoccerP1-v0", {"reset_type": "random", "random_vel_range": [0.5, 9.0]}),
        ("myoChallengeSoccerP2-v0", {"reset_type": "init", "goalkeeper_probabilities": [0.2, 0.8, 0.0]}),
        ("myoChallengeTableTennisP2-v0", {"ball_qvel": False, "paddle_mass_range": [0.05, 0.06]}),
    ],
)
def test_options_are_the_references(task, options):
    ours = envpool_rs.make_vec(task, 2, seed=SEED, **options)
    compare(ours, references(task, 2, **options), STEPS)


@pytest.mark.parametrize("task", ["myoElbowPose1D6MExoRandom-v0", "myoArmReachRandom-v0", "myoFatiLegStandRandom-v0"])
def test_both_backends_take_the_same_steps(task):
    pools = [envpool_rs.make_vec(task, 3, seed=SEED, physics=physics) for physics in ("auto", "libmujoco")]
    results = [pool.reset()[0] for pool in pools]
    random = np.random.default_rng(0)
    for _ in range(STEPS):
        assert results[0].tobytes() == results[1].tobytes()
        action = random.uniform(-1, 1, pools[0].action_space.shape).astype(np.float32)
        results = [pool.step(action)[0] for pool in pools]


def test_an_own_motion_is_tracked_as_the_reference_tracks_it(tmp_path):
    random = np.random.default_rng(0)
    motion = {"time": np.arange(30) / 50, "robot": random.uniform(-0.1, 0.1, (30, 29))}
    motion["object"] = np.hstack([random.uniform(0, 0.1, (30, 3)), random.normal(size=(30, 4))])
    path = str(tmp_path / "motion.npz")
    np.savez_compressed(path, **motion)
    task = "MyoHandCupPass-v0"
    compare(envpool_rs.make_vec(task, 2, seed=SEED, reference=path), references(task, 2, reference=path), 35)
    start = {"robot_init": motion["robot"][2].astype(np.float32), "object_init": motion["object"][0, :6]}
    np.savez(path, **motion | start)
    compare(envpool_rs.make_vec(task, 2, seed=SEED, reference=path), references(task, 2, reference=path), 5)


@pytest.mark.parametrize(("task", "frames"), [("MyoHandCupFixed-v0", 1), ("MyoHandCupRandom-v0", 2)])
def test_an_own_target_is_the_references(tmp_path, task, frames):
    random = np.random.default_rng(0)
    target = {"time": np.zeros(2)} | {key: random.uniform(-0.1, 0.1, (1, 29)) for key in ("robot", "robot_vel")}
    target["object"] = np.hstack([random.uniform(0, 0.1, (1, 3)), random.normal(size=(1, 4))])
    if frames == 2:
        target = {key: np.vstack([value, value + 0.1]) if value.ndim == 2 else value for key, value in target.items()}
    target["object_init"] = np.array([0.0, 0.1, 0.2, 0.3, 0.4, 0.5])
    path = str(tmp_path / "target.npz")
    np.savez(path, **target)
    compare(envpool_rs.make_vec(task, 2, seed=SEED, reference=path), references(task, 2, reference=target), 35)
    with pytest.raises(ValueError, match=r"^reference=.*: expected a file with 50 frames.*it has the array robot_vel"):
        envpool_rs.make_vec("MyoHandCupPass-v0", 1, reference=path)
    del target["robot_vel"]
    np.savez(path, **target)
    with pytest.raises(ValueError, match=r"^reference=.*: expected a file of .*it has no array robot_vel"):
        envpool_rs.make_vec(task, 1, reference=path)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"time": np.arange(30) / 40}, "without velocities$"),
        ({"robot_init": np.zeros(28), "object_init": np.zeros(7)}, r"robot_init has shape \(28,\): expected \(29,\)"),
        ({"robot_init": np.zeros(30), "object_init": np.zeros(6)}, r"robot_init has shape \(30,\)"),
        ({"robot_init": np.zeros(28), "object_init": np.zeros(8)}, r"robot_init has shape \(28,\)"),
        ({"object_init": np.zeros(8)}, r"object_init has shape \(8,\): expected \(7,\) or \(6,\)"),
        ({"robot_init": np.zeros((1, 29))}, r"robot_init has shape \(1, 29\)"),
        ({"robot": np.zeros((30, 28))}, "of 29 joints"),
        ({"time": np.arange(30, dtype=np.float32) / 50}, "time is float32: expected float64"),
        ({"robot": np.zeros((30, 29), complex)}, "robot is complex128: expected float64 or float32"),
        ({"robot_vel": np.zeros((30, 29))}, "it has the array robot_vel"),
        (None, "not a zip file"),
    ],
)
def test_a_motion_that_the_package_refuses_or_rounds_is_refused(tmp_path, changes, reason):
    path = tmp_path / "motion.npz"
    motion = {"time": np.arange(30) / 50, "robot": np.zeros((30, 29)), "object": np.zeros((30, 7))}
    if changes is None:
        path.write_bytes(b"PK\x03\x04 damaged")
    else:
        np.savez(path, **motion | changes)
    with pytest.raises(ValueError, match=rf"(?s)^reference=.*: expected a file with 50 frames per second.*{reason}"):
        envpool_rs.make_vec("MyoHandCupPass-v0", 1, reference=str(path))


def test_a_missing_motion_is_not_found(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"^reference=.*: there is no such file"):
        envpool_rs.make_vec("MyoHandCupPass-v0", 1, reference=str(tmp_path / "motion.npz"))


@pytest.mark.parametrize("task", ["myoFingerReachRandom-v0", "myoArmReachRandom-v0", "MyoHandCupPass-v0"])
@pytest.mark.parametrize("content", [b"<mujoco", b"\xff<mujoco", None])
def test_a_broken_model_is_refused_by_the_options_name(tmp_path, task, content):
    path = tmp_path / "model.xml"
    if content is not None:
        path.write_bytes(content)
    error, reason = (
        (FileNotFoundError, "there is no") if content is None else (ValueError, "expected a model that MuJoCo")
    )
    with pytest.raises(error, match=rf'^model_path="{path}": {reason}'):
        envpool_rs.make_vec(task, 1, model_path=str(path))


def test_another_version_of_the_package_is_refused(tmp_path):
    (tmp_path / "version.py").write_text("__version_tuple__ = (3, 0, 0)\n")
    with pytest.raises(
        ValueError, match=r"^myosuite_dir=.*: expected the package myosuite 2.12.2, not 3.0.0; pip install"
    ):
        envpool_rs.make_vec("myoChallengeBimanual-v0", 1, myosuite_dir=str(tmp_path))


def test_an_own_model_is_simulated_as_the_reference_simulates_it(tmp_path):
    mujoco, task = pytest.importorskip("mujoco"), "myoFingerReachRandom-v0"
    spec = mujoco.MjSpec.from_file(gymnasium.spec(task).kwargs["model_path"])
    folder = Path(gymnasium.spec(task).kwargs["model_path"]).parent
    spec.meshdir, spec.texturedir = (str((folder / each).resolve()) for each in (spec.meshdir, spec.texturedir))
    for joint in spec.joints:
        joint.damping *= 2
    path = tmp_path / "model.xml"
    path.write_text(spec.to_xml())
    ours = envpool_rs.make_vec(task, 2, seed=SEED, model_path=str(path))
    compare(ours, references(task, 2, model_path=str(path)), 35)
    with pytest.raises(ValueError, match=r"model_path=.*: expected the sizes of"):
        envpool_rs.make_vec("myoHandReachRandom-v0", 1, model_path=str(path))


def test_episodes_go_on_after_mujoco_has_reset_an_unstable_simulation():
    task = "myoChallengeRelocateP1-v0"
    ours, theirs = envpool_rs.make_vec(task, 1, seed=4), gymnasium.make(task, seed=4)
    ours.reset(), theirs.reset()
    times = []
    for step in range(26):
        action = np.random.default_rng(step % 8).uniform(-1, 1, (64, 63))[3].astype(np.float32)
        observation, reward, *_, info = ours.step(action[None])
        expected, value, *_, _ = theirs.step(action)
        assert observation[0].tobytes() == expected.tobytes() and reward[0] == value, step
        times.append(info["time"][0])
    assert np.diff(times).min() < 0


def test_a_snapshot_of_an_unstable_simulation_is_taken_back():
    pool = envpool_rs.make_vec("myoChallengeDieReorientP1-v0", 2, seed=SEED, obj_mass_range=[-1.0, -1.0])
    pool.reset()
    actions = np.random.default_rng(0).uniform(-1, 1, (12, *pool.action_space.shape)).astype(np.float32)
    are_finite = []
    for action in actions[:6]:
        are_finite.append(np.isfinite(pool.step(action)[0]).all())
        state = pool.get_state()
        pool.set_state(state)
    assert not all(are_finite)
    expected = [pool.step(action)[0].tobytes() for action in actions[6:]]
    pool.set_state(state)
    assert [pool.step(action)[0].tobytes() for action in actions[6:]] == expected


@pytest.mark.parametrize(
    "task",
    # Dice and balls keep fatigue, places of geoms and targets from the episode before.
    ["myoHandPoseRandom-v0", "myoFatiChallengeDieReorientP2-v0", "myoChallengeBaodingP2-v1"],
)
def test_a_seed_of_a_reset_starts_the_stream_of_a_made_environment(task):
    pool = envpool_rs.make_vec(task, 2)
    pool.reset()
    pool.step(np.ones(pool.action_space.shape, np.float32))
    theirs = references(task, 2)
    for observation in (pool.reset(seed=SEED)[0], pool.reset()[0]):
        assert observation.tobytes() == np.stack([env.reset()[0] for env in theirs]).tobytes()


@pytest.mark.parametrize(
    ("task", "options", "theirs"),
    [
        (
            "myoHandObjHoldFixed-v0",
            {"goal_dist_weight": 3.0, "bonus_weight": 0.5, "penalty_weight": 7.0},
            {"weighted_reward_keys": {"goal_dist": 3.0, "bonus": 0.5, "penalty": 7.0}},
        ),
        (
            "myoElbowPose1D6MRandom-v0",
            {"target_jnt_range": [1.0, 1.5]},
            {"target_jnt_range": {"r_elbow_flex": (1.0, 1.5)}},
        ),
        (
            "myoFingerReachRandom-v0",
            {"target_reach_range": [0.1, 0.0, 0.2, 0.2, 0.1, 0.3]},
            {"target_reach_range": {"IFtip": ((0.1, 0.0, 0.2), (0.2, 0.1, 0.3))}},
        ),
        (
            "myoChallengeSoccerP2-v0",
            {"time_cost_weight": 3.0},
            {"weighted_reward_keys": {"goal_scored": 1000, "time_cost": 3.0, "act_reg": -100, "pain": -10}},
        ),
        (
            "myoChallengeBimanual-v0",
            {"act_weight": 3.0},
            {"weighted_reward_keys": {"reach_dist": -0.1, "act": 3.0, "fin_dis": -0.5, "pass_err": -1.0}},
        ),
        (
            "myoChallengeBimanual-v0",
            {"start_shifts": [0.1, 0.05, 0.01], "goal_center": [0.3, -0.2, 1.05], "obj_mass_change": [-0.02, 0.1]},
            {
                "start_shifts": np.array([0.1, 0.05, 0.01]),
                "goal_center": np.array([0.3, -0.2, 1.05]),
                "obj_mass_change": [-0.02, 0.1],
            },
        ),
        (
            "myoChallengeTableTennisP1-v0",
            {
                "qpos_noise_range": [-0.01, 0.02],
                "ball_qvel": True,
                "ball_xyz_range": [-1.2, -0.4, 1.0, -1.0, 0.3, 1.2],
                "paddle_quat_weight": 3.0,
            },
            {
                "qpos_noise_range": {"low": -0.01, "high": 0.02},
                "ball_qvel": True,
                "ball_xyz_range": {"low": [-1.2, -0.4, 1.0], "high": [-1.0, 0.3, 1.2]},
                "weighted_reward_keys": {
                    "reach_dist": 1,
                    "palm_dist": 1,
                    "paddle_quat": 3,
                    "act_reg": 0.5,
                    "torso_up": 2,
                    "sparse": 100,
                    "solved": 1000,
                    "done": -10,
                },
            },
        ),
        (
            "myoChallengeRelocateP2-v0",
            {
                "target_xyz_range": [0.2, -0.45, 0.9, 0.3, -0.4, 1.0],
                "obj_geom_range": [0.01, 0.01, 0.01, 0.02, 0.02, 0.02],
                "qpos_noise_range": 0.012,
                "rot_th": 1.0,
            },
            {
                "target_xyz_range": {"low": [0.2, -0.45, 0.9], "high": [0.3, -0.4, 1.0]},
                "obj_geom_range": {"low": [0.01] * 3, "high": [0.02] * 3},
                "qpos_noise_range": 0.012,
                "rot_th": 1.0,
            },
        ),
    ],
)
def test_lists_are_the_packages_dictionaries(task, options, theirs):
    compare(envpool_rs.make_vec(task, 2, seed=SEED, **options), references(task, 2, **theirs), STEPS)


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("myoElbowPose1D6MRandom-v0", {"muscle_condition": "reafferentation"}, "no actuator called"),
        ("myoElbowPose1D6MRandom-v0", {"fatigue_reset_random": True}, "fatigue_reset_random=True: expected False"),
        ("MyoHandCupPass-v0", {"frame_skip": 5}, "frame_skip=5: expected 10"),
        ("MyoHandCupPass-v0", {"motion_start_time": 0.05}, "motion_start_time=0.05: expected the time of a frame"),
        ("myoLegWalk-v0", {"hip_period": 0.0}, "hip_period=0.0: expected above 0"),
        ("myoLegRoughTerrainWalk-v0", {"hip_period": -100.0}, "hip_period=-100.0: expected above 0"),
        (
            "myoChallengeBaodingP1-v1",
            {"goal_time_period": [0.0, 7.0]},
            "goal_time_period=.*: expected bounds other than 0",
        ),
        ("myoChallengeBaodingP1-v1", {"goal_xrange": [-1e308, 1e308]}, "goal_xrange=.*: expected two finite numbers"),
        ("myoChallengeDieReorientP1-v0", {"goal_pos": [0.0, np.inf]}, "goal_pos=.*: expected two finite numbers"),
        ("myoChallengeDieReorientP1-v0", {"obj_size_change": -0.1}, "obj_size_change=-0.1: expected 0 or more"),
        ("myoChallengeDieReorientP1-v0", {"obj_size_change": 1e308}, "obj_size_change=1.*: expected 0 or more"),
        ("myoHandPoseRandom-v0", {"target_jnt_range": [-1e308, 1e308] * 23}, "target_jnt_range=.* finite differences"),
        ("myoChallengeSoccerP2-v0", {"rnd_joint_noise": 1e308}, "rnd_joint_noise=.*: expected at most half"),
        ("myoChallengeSoccerP1-v0", {"goalkeeper_probabilities": [0.1, 0.1, 0.1]}, "goalkeeper_prob.* with the sum 1"),
        ("myoChallengeSoccerP1-v0", {"random_vel_range": [-1.0, 1.0]}, "random_vel_range=.*: expected bounds from 0"),
        (
            "myoChallengeRelocateP2-v0",
            {"obj_geom_range": [-0.02] * 3 + [0.02] * 3},
            "obj_geom_range=.*: expected lower",
        ),
        ("myoChallengeChaseTagP1-v0", {"min_spawn_distance": 8.0}, "min_spawn_distance=8.0: expected"),
        ("myoChallengeChaseTagP1-v0", {"chase_vel_range": [0.0, 0.0]}, "chase_vel_range=.*: expected bounds from 0"),
        ("myoLegStandRandom-v0", {"joint_random_range": [0.0, 0.0]}, "joint_random_range=.*: expected two different"),
        ("myoLegWalk-v0", {"target_rot": [1.0, 0.0]}, "target_rot=.*: expected a list of 4 numbers"),
        ("myoHandPoseRandom-v0", {"reset_type": "none"}, 'reset_type="none": expected "init" or "random"'),
        (
            "myoChallengeBaodingP2-v1",
            {"obj_friction_change": [0.1, -0.1, 0.0]},
            "obj_friction_change=.*: expected numb",
        ),
        (
            "myoChallengeOslRunRandom-v0",
            {"rough_difficulties": [0.1, -0.1]},
            "rough_difficulties=.*: expected 1 to 600",
        ),
        (
            "myoChallengeOslRunFixed-v0",
            {"terrain": "random_mixed"},
            "stairs_difficulties=.*: expected 23 to 600 numbers",
        ),
        (
            "myoChallengeTableTennisP2-v0",
            {"ball_xyz_range": [-1.2, -0.4, 0.7, -1.0, 0.3, 1.2]},
            "ball_xyz_range=.*: expected places above",
        ),
    ],
)
def test_what_the_package_does_not_do_is_refused_by_name(task, options, message):
    with pytest.raises(ValueError, match=message):
        envpool_rs.make_vec(task, 1, **options)


def test_intervals_change_from_episode_to_episode():
    task = "myoFingerPoseRandom-v0"
    ours, theirs = envpool_rs.make_vec(task, 2, seed=SEED), references(task, 2)
    for targets in ([0.0, 0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [-0.1, 0.1] * 4):
        ours.set_options(target_jnt_range=targets)
        for env in theirs:
            env.unwrapped.target_jnt_range = np.reshape(targets, (4, 2))
        assert ours.reset()[0].tobytes() == np.stack([env.reset()[0] for env in theirs]).tobytes()


@pytest.mark.parametrize(
    ("task", "made_with", "changed"),
    [
        ("myoChallengeOslRunFixed-v0", {}, {"reset_type": "osl_init"}),
        ("myoChallengeChaseTagP1-v0", {"opponent_probabilities": [0.0, 0.0, 1.0]}, {}),
    ],
)
def test_resets_that_follow_resets_are_the_references(task, made_with, changed):
    ours, theirs = envpool_rs.make_vec(task, 2, seed=SEED, **made_with), references(task, 2, **made_with)
    compare(ours, theirs, 3)
    ours.set_options(**changed)
    for env in theirs:
        vars(env.unwrapped).update(changed)
    for _ in range(3):
        assert ours.reset()[0].tobytes() == np.stack([env.reset()[0] for env in theirs]).tobytes()


def test_intervals_are_drawn_for_each_episode():
    choices = [0.0, 0.0] * 4, [0.1, 0.1] * 4
    pool = envpool_rs.make_vec("myoFingerPoseRandom-v0", 8, seed=SEED, target_jnt_range=("choice", *choices))
    observation, _ = pool.reset()
    drawn = np.array(pool.get_options()["target_jnt_range"])
    assert len(np.unique(drawn)) == 2
    assert np.allclose(observation[:, :4] + observation[:, 8:12], drawn[:, ::2])


@pytest.mark.skipif(not (ROOT / "docs").exists(), reason="needs the repository, not only the tests")
def test_the_pages_example_runs():
    page = (ROOT / "docs/environments/myosuite.md").read_text()
    for block in re.findall(r"^```py\n(.*?)^```", page, re.M | re.S):
        exec(compile(block, "myosuite.md", "exec"), {"__name__": "example"})
