"""Tests that the Franka kitchen replays Gymnasium-Robotics' environment, bit for bit, on the same MuJoCo library.

Environment `i` of a pool with seed `s` equals `gymnasium.make` with seed `s + i` in observations, rewards, ends and
infos. The reference's infos are lists of names, whose order depends on Python's hashes; this package has masks.

`KITCHEN_STEPS` sets the number of compared steps of each environment, by default a few.
"""

import os
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs import robotics
from gymnasium.vector import AutoresetMode
from tasks import KITCHEN

pytest.importorskip("mujoco")
pytest.importorskip("gymnasium_robotics")
from gymnasium_robotics.envs.franka_kitchen import kitchen_env
from robotics_reference import bits, reference

STEPS = int(os.environ.get("KITCHEN_STEPS", "12"))
SEED = 11
(TASK,) = KITCHEN
NAMES = list(kitchen_env.OBS_ELEMENT_GOALS)
INFOS = ("tasks_to_complete", "step_task_completions", "episode_task_completions")
ASSETS = Path(kitchen_env.__file__).parents[1] / "assets" / "kitchen_franka"

#: Springs that complete tasks of the kitchen without the robot: file, joint, and attributes of the joint.
SPRINGS = [
    ("microwave_chain.xml", 'name="microwave"', 'stiffness="300" springref="-0.75"'),
    ("slidecabinet_chain.xml", 'name="slide_cabinet"', 'stiffness="300" springref="0.37"'),
]


def action_of(random, count):
    """Returns float64 actions, some of them outside of the action space."""
    return random.normal(size=(count, 9))


def masks(lists):
    """Converts lists of tasks' names, one for each environment, to masks."""
    return np.array([[name in names for name in NAMES] for names in lists])


def check(ours, theirs, where):
    """Compares the results of a reset or of a step, bit for bit."""
    assert bits(ours[0]) == bits(theirs[0]), where
    for our, their in zip(ours[1:-1], theirs[1:-1], strict=True):
        assert bits(our) == bits(their), (where, our, their)
    for key in INFOS:
        assert bits(ours[-1][key]) == bits(masks(theirs[-1][key])), (where, key, theirs[-1][key])
    for key in ours[-1].keys() - theirs[-1].keys():
        assert "final" in key or key.startswith("_"), (where, key)


def compare(ours, theirs, steps, random, seeds=(SEED,), table=None):
    """Steps a pool and the reference with equal actions, and compares all results. Adds the numbers of compared values
    to ``table``; returns the numbers of ended episodes and of completed tasks.
    """
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    for seed in seeds:
        check(ours.reset(seed=seed), theirs.reset(seed=seed), seed)
        check(ours.reset(), theirs.reset(), "without a seed")
    ended = completed = values = truncated = 0
    for step in range(steps):
        action = action_of(random, ours.num_envs)
        result = ours.step(action)
        check(result, theirs.step(action), step)
        ended += int((result[2] | result[3]).sum())
        truncated += int(result[3].sum())
        completed += int(result[1].sum())
        goals = [*result[0]["achieved_goal"].values(), *result[0]["desired_goal"].values()]
        values += sum(each.size for each in [result[0]["observation"], *goals, *result[1:4]])
        values += sum(result[-1][key].size for key in INFOS)
    theirs.close()
    if table is not None:
        table.add(TASK, 1, ours.num_envs * steps, ended, truncated, values, 0)
    return ended, completed


def reference_with(count, vector=None, **arguments):
    """Returns a vector environment of the reference's environments with arguments of their constructor."""
    make = lambda: gymnasium.make(TASK, disable_env_checker=True, **arguments)  # noqa: E731
    return gymnasium.vector.SyncVectorEnv([make] * count, **vector or {})


@pytest.fixture
def model_with_springs(tmp_path, monkeypatch):
    """Returns the path of a model in which springs open the microwave and the slide cabinet, for both sides."""
    (tmp_path / "franka_assets").symlink_to(ASSETS / "franka_assets")
    own = tmp_path / "kitchen_assets"
    (own / "item_assets").mkdir(parents=True)
    for path in (ASSETS / "kitchen_assets").iterdir():
        if path.name != "item_assets":
            (own / path.name).symlink_to(path)
    changed = {name: (joint, attributes) for name, joint, attributes in SPRINGS}
    for path in (ASSETS / "kitchen_assets" / "item_assets").iterdir():
        text = path.read_text()
        if path.name in changed:
            joint, attributes = changed[path.name]
            assert text.count(joint) == 1
            text = text.replace(joint, f"{joint} {attributes}")
        (own / "item_assets" / path.name).write_text(text)
    model = str(own / "kitchen_env_model.xml")
    original = kitchen_env.FrankaRobot
    monkeypatch.setattr(kitchen_env, "FrankaRobot", lambda model_path, **others: original(model_path=model, **others))
    return model


def test_the_ids_are_gymnasium_robotics():
    assert {name for name in gymnasium.registry if "Kitchen" in name and "/" not in name} == {TASK}


def test_steps_are_the_references(parity_table):
    ours = envpool_rs.make_vec(TASK, 2, num_threads=2)
    compare(ours, reference(TASK, 2), STEPS, np.random.default_rng(0), table=parity_table)


def test_resets_are_the_references():
    ours = envpool_rs.make_vec(TASK, 2)
    compare(ours, reference(TASK, 2), 2, np.random.default_rng(0), seeds=range(5))


@pytest.mark.parametrize("mode", list(AutoresetMode)[:2])
def test_autoreset_modes_give_the_references_results(mode):
    ours = envpool_rs.make_vec(TASK, 3, max_episode_steps=3, autoreset_mode=mode, num_threads=2)
    theirs = reference_with(3, {"autoreset_mode": mode}, max_episode_steps=3)
    ended, _ = compare(ours, theirs, 8, np.random.default_rng(1))
    assert ended == 6


@pytest.mark.parametrize(("removes", "terminates"), [(True, True), (False, True), (True, False), (False, False)])
def test_completed_tasks_are_rewarded_as_in_the_reference(removes, terminates, model_with_springs):
    options = {"remove_task_when_completed": removes, "terminate_on_tasks_completed": terminates}
    options["tasks_to_complete"] = ["slide cabinet", "kettle", "microwave"] if not terminates else NAMES[3:6:2]
    ours = envpool_rs.make_vec(TASK, 2, xml_file=model_with_springs, **options)
    ended, completed = compare(ours, reference_with(2, **options), 12, np.random.default_rng(2))
    assert (ended > 0) == terminates
    assert completed >= 4
    # Episodes that do not terminate have two tasks to complete, in each of two environments.
    assert terminates or (completed > 4) == (not removes)


@pytest.mark.parametrize("tasks", [["kettle"], ("light switch", "hinge cabinet", "light switch")])
def test_options_do_what_the_references_arguments_do(tasks):
    options = {"tasks_to_complete": tasks, "robot_noise_ratio": 0.3, "object_noise_ratio": 0.0}
    ours = envpool_rs.make_vec(TASK, 1, **options)
    compare(ours, reference_with(1, **options), 5, np.random.default_rng(3))
    assert list(ours.single_observation_space["desired_goal"]) == sorted(set(tasks), key=NAMES.index)


def test_a_snapshot_during_an_episode_continues_identically():
    first, other = (envpool_rs.make_vec(TASK, 2) for _ in range(2))
    random = np.random.default_rng(2)
    first.reset(seed=3)
    other.reset(seed=900)
    for _ in range(4):
        first.step(action_of(random, 2))
        other.step(other.action_space.sample())
    other.set_state(first.get_state())
    for _ in range(4):
        action = action_of(random, 2)
        observation, *rest = first.step(action)
        continued, *others = other.step(action)
        assert bits(continued) == bits(observation)
        assert [bits(each) for each in others] == [bits(each) for each in rest]
    assert bits(first.reset()[0]) == bits(other.reset()[0])


def test_a_snapshot_of_other_tasks_is_refused():
    first = envpool_rs.make_vec(TASK, 1)
    other = envpool_rs.make_vec(TASK, 1, tasks_to_complete=["kettle"])
    first.reset(seed=0)
    with pytest.raises(ValueError, match="state"):
        other.set_state(first.get_state())


def test_a_frame_stack_holds_the_observations_of_plain_environments():
    plain, stacked = (envpool_rs.make_vec(TASK, 2, frame_stack=depth) for depth in (1, 3))
    seen, shown = [plain.reset(seed=5)[0]] * 3, stacked.reset(seed=5)[0]
    random = np.random.default_rng(5)
    for _ in range(4):
        for goal in ("achieved_goal", "desired_goal"):
            expected = {key: np.stack([each[goal][key] for each in seen], 1) for key in NAMES}
            assert bits(shown[goal]) == bits(expected)
        assert bits(shown["observation"]) == bits(np.stack([each["observation"] for each in seen], 1))
        action = action_of(random, 2)
        seen = [*seen[1:], plain.step(action)[0]]
        shown = stacked.step(action)[0]
    assert shown["achieved_goal"]["kettle"].shape == (2, 3, 7)


def test_envpools_observations_have_the_goals_of_all_tasks():
    ours = envpool_rs.make(TASK, env_type="gymnasium", num_envs=2, seed=4, tasks_to_complete=["kettle", "microwave"])
    every = envpool_rs.make(TASK, env_type="gymnasium", num_envs=2, seed=4)
    assert ours.observation_space == every.observation_space
    assert bits(ours.reset()[0]) == bits(every.reset()[0])
    action = action_of(np.random.default_rng(4), 2)
    result, expected = ours.step(action), every.step(action)
    assert bits(result[0]) == bits(expected[0])
    assert list(result[0]["achieved_goal"]) == NAMES
    assert result[-1]["tasks_to_complete"].tolist() == [[0, 0, 0, 0, 0, 1, 1]] * 2


@pytest.mark.parametrize("env_type", ["gymnasium", "gym", "dm"])
def test_envpools_interfaces_have_its_infos(env_type):
    ours = envpool_rs.make(TASK, env_type=env_type, num_envs=2, seed=4)
    vector = envpool_rs.make_vec(TASK, 2)
    vector.reset(seed=4)
    ours.reset()
    action = action_of(np.random.default_rng(4), 2)
    result, expected = ours.step(action), vector.step(action)
    if env_type == "dm":
        assert bits(result.observation.observation) == bits(expected[0]["observation"])
        achieved = result.observation.achieved_goal
        assert bits(achieved.bottom_burner) == bits(expected[0]["achieved_goal"]["bottom burner"])
        # EnvPool's specifications are flat, its observations are nested.
        names = [name for name in ours.observation_spec()._fields if name.startswith("achieved_goal_")]
        assert names == [f"achieved_goal_{name}" for name in achieved._fields]
        infos = {key: getattr(result.observation, key) for key in INFOS}
    else:
        assert list(ours.observation_space) == ["observation", "desired_goal", "achieved_goal"]
        assert bits(result[0]) == bits(expected[0])
        infos = result[-1]
    for key in INFOS:
        assert bits(infos[key]) == bits(expected[-1][key].astype(np.int32))
    spec = envpool_rs.make_spec(TASK)
    assert spec.state_array_spec["obs:desired_goal:hinge cabinet"].shape == [2]
    assert spec.state_array_spec["info:tasks_to_complete"].maximum == 1
    assert spec.action_array_spec["action"].dtype == np.float64


def test_an_asynchronous_pool_has_the_results_of_a_synchronous_one():
    vector = envpool_rs.make_vec(TASK, 4)
    pool = envpool_rs.make(TASK, env_type="gymnasium", num_envs=4, batch_size=2, num_threads=2, seed=6)
    observation, _ = vector.reset(seed=6)
    action = action_of(np.random.default_rng(6), 4)
    expected = vector.step(action)[0]
    pool.async_reset()
    stepped = set()
    while len(stepped) < 4:
        shown, *_, info = pool.recv()
        for row, env_id in enumerate(info["env_id"]):
            if info["elapsed_step"][row] > 1:
                continue
            wanted = expected if info["elapsed_step"][row] else observation
            assert bits(shown["observation"][row]) == bits(wanted["observation"][env_id])
            assert bits(shown["achieved_goal"]["kettle"][row]) == bits(wanted["achieved_goal"]["kettle"][env_id])
            stepped |= {env_id} if info["elapsed_step"][row] else set()
        pool.send(action[info["env_id"]], info["env_id"])


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"tasks_to_complete": ["oven"]}, r"tasks_to_complete=\[\"oven\"\]: expected one or more of \"bottom burner\""),
        ({"tasks_to_complete": []}, r"tasks_to_complete=\[\]"),
        ({"robot_noise_ratio": -1.0}, "robot_noise_ratio"),
        ({"object_noise_ratio": float("nan")}, "object_noise_ratio"),
        ({"frame_skip": 0}, "frame_skip"),
        ({"xml_file": "kitchen_franka/none.xml"}, "kitchen_franka/none.xml"),
        ({"xml_file": "fetch/reach.xml"}, "no model of the kitchen: expected nq=30, nv=29 and nu=9"),
    ],
)
def test_bad_options_are_named(options, named):
    with pytest.raises((ValueError, FileNotFoundError), match=named):
        envpool_rs.make_vec(TASK, 2, **options)


@pytest.mark.parametrize("action", [np.zeros((2, 8)), np.full((2, 9), np.nan), np.zeros((2, 9), complex)])
def test_bad_actions_are_refused(action):
    envs = envpool_rs.make_vec(TASK, 2)
    envs.reset(seed=0)
    with pytest.raises((ValueError, TypeError), match="action"):
        envs.step(action)


def test_relabelled_goals_have_the_references_rewards():
    ours, theirs = envpool_rs.make_vec(TASK, 2), gymnasium.make(TASK, disable_env_checker=True).unwrapped
    theirs.reset(seed=0)
    random = np.random.default_rng(0)
    desired = {name: np.tile(goal, (200, 1)) for name, goal in kitchen_env.OBS_ELEMENT_GOALS.items()}
    achieved = {name: goal + random.normal(size=goal.shape) * 0.2 for name, goal in desired.items()}
    rows = [[{name: goal[row] for name, goal in goals.items()} for goals in (achieved, desired)] for row in range(200)]
    expected = np.array([theirs.compute_reward(*pair, {}) for pair in rows])
    assert len(set(expected.tolist())) > 3
    for got in ours.call("compute_reward", achieved, desired, [{}] * 200):
        assert bits(got) == bits(expected)
    assert robotics.compute_reward(*rows[0]) == expected[0]
    only = [{"kettle": goals["kettle"]} for goals in (achieved, desired)]
    assert bits(robotics.compute_reward(*only).max()) == bits(np.float64(1.0))


@pytest.mark.parametrize(
    ("achieved", "desired", "error", "named"),
    [
        ({"kettle": np.zeros(7)}, np.zeros(7), TypeError, r"desired_goal=array\(.*: expected a dict of goals"),
        ({"kettle": np.zeros(6)}, {"kettle": np.zeros(7)}, ValueError, r"achieved_goal\['kettle'\] has shape \(6,\)"),
        ({"oven": np.zeros(7)}, {"oven": np.zeros(7)}, ValueError, r"achieved_goal has the keys \['oven'\]"),
        ({}, {}, ValueError, r"achieved_goal has the keys \[\]"),
        ({"kettle": np.zeros(7)}, {"microwave": np.zeros(1)}, ValueError, "expected equal keys"),
        ({"kettle": ["a"] * 7}, {"kettle": np.zeros(7)}, TypeError, r"achieved_goal\['kettle'\] has dtype"),
        (
            {"kettle": np.zeros((3, 7)), "microwave": np.zeros((2, 1))},
            {"kettle": np.zeros(7), "microwave": np.zeros(1)},
            ValueError,
            "the same number of goals",
        ),
        ({"kettle": np.zeros((3, 7))}, {"kettle": np.zeros((2, 7))}, ValueError, "expected shapes that match"),
    ],
)
def test_bad_goals_are_named(achieved, desired, error, named):
    with pytest.raises(error, match=named):
        robotics.compute_reward(achieved, desired)


def test_a_missing_package_names_the_extra(monkeypatch):
    from envpool_rs._spec import assets

    monkeypatch.setattr(assets, "folder_in", lambda *_: None)
    with pytest.raises(ImportError, match=r"envpool_rs\[robotics\]"):
        envpool_rs.make_vec(TASK, 1)
