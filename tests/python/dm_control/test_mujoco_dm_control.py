"""Tests that dm_control's tasks replay dm_control itself, bit for bit, on the same library of MuJoCo.

Environment `i` of a pool with seed `s` equals `suite.load(domain, task, task_kwargs={"random": s + i})` in
observations, rewards, ends and discounts, over many episodes.

`DM_CONTROL_STEPS` sets the number of compared steps of each environment (`nox -s exact -- dm_control`), by default some
dozens.
"""

import copy
import os
from unittest import mock

import envpool_rs
import numpy as np
import pytest
from tasks import DM_CONTROL, HAS_DM_CONTROL

pytestmark = pytest.mark.skipif(not HAS_DM_CONTROL, reason="needs dm_control and mujoco")

STEPS = int(os.environ.get("DM_CONTROL_STEPS", "0"))
SEED = 11

#: All tasks with dm_control's names.
TASKS = [task for task in DM_CONTROL if "/" in task]
#: All tasks with EnvPool's names.
ENVPOOL = [task for task in DM_CONTROL if "/" not in task]

#: One task of each domain.
DOMAINS = list({task.partition("-")[0]: task for task in TASKS}.values())

#: Cases: task, options of this package, and `task_kwargs` and `environment_kwargs` of `suite.load`.
CASES = [
    ("cheetah-run", {"n_sub_steps": 7, "time_limit": 0.5}, {"time_limit": 0.5}, {"n_sub_steps": 7}),
    ("pendulum-swingup", {"time_limit": 0.31}, {"time_limit": 0.31}, {}),
    ("reacher-hard", {"legacy_step": False, "n_sub_steps": 2}, {}, {"legacy_step": False, "n_sub_steps": 2}),
    ("acrobot-swingup", {"legacy_step": False}, {}, {"legacy_step": False}),
    ("walker-walk", {"time_limit": 0.25}, {"time_limit": 0.25}, {}),
    ("cartpole-three_poles", {"num_poles": 4, "sparse": True}, {"num_poles": 4, "sparse": True}, {}),
    ("cartpole-three_poles", {"num_poles": 5}, {"num_poles": 5}, {}),
    ("humanoid-run", {"time_limit": 0.25, "legacy_step": False}, {"time_limit": 0.25}, {"legacy_step": False}),
    ("lqr-lqr_6_2", {"time_limit": 0.45, "n_sub_steps": 3}, {"time_limit": 0.45}, {"n_sub_steps": 3}),
    ("manipulator-insert_peg", {"fully_observable": False}, {"fully_observable": False}, {}),
    ("stacker-stack_4", {"fully_observable": False}, {"fully_observable": False}, {}),
]  # fmt: skip


@pytest.fixture(autouse=True, scope="module")
def suite(tmp_path_factory):
    """Imports dm_control's suite without rendering, because `quadruped-escape` would render its ground.

    The working directory is a temporary folder, because the suite leaves log files.
    """
    folder = os.getcwd()  # noqa: PTH109
    os.chdir(tmp_path_factory.mktemp("logs"))
    with mock.patch.dict(os.environ, MUJOCO_GL="disable"):
        from dm_control import mujoco, suite
        from dm_control.mujoco.wrapper import MjModel
    compiled = mock.patch.object(MjModel, "from_xml_string", compiled_once(MjModel.from_xml_string))
    with mock.patch.object(mujoco.Physics, "contexts", None), compiled:
        yield suite
    os.chdir(folder)


def compiled_once(compile_model):
    """Wraps MuJoCo's compiler of models by a cache, which returns copies of the last compiled model.

    Compiling a dog takes half a second.
    """
    last = {}

    def model(text, assets=None):
        if text not in last:
            last.clear()
            last[text] = compile_model(text, assets=assets)
        return copy.copy(last[text])

    return model


def bits(array):
    array = np.asarray(array)
    return array.dtype, array.shape, array.tobytes()


class Reference:
    """Environments of dm_control's suite; environment ``number`` has the random seed `SEED + number`."""

    def __init__(self, suite, task, numbers, arguments=None, **others):
        domain, _, task = task.removeprefix("dm_control/").partition("-")
        self.envs = [
            suite.load(domain, task, {"random": SEED + number, **(arguments or {})}, others or None)
            for number in numbers
        ]
        self.spec = self.envs[0].action_spec()

    def reset(self):
        return [env.reset() for env in self.envs]

    def step(self, actions):
        return [env.step(action) for env, action in zip(self.envs, actions, strict=True)]

    def actions(self, random, count):
        """Returns actions, of which some are out of bounds."""
        low, high = np.maximum(self.spec.minimum, -3), np.minimum(self.spec.maximum, 3)
        return random.uniform(1.2 * low, 1.2 * high, (count, *self.spec.shape))


def of(observation, numbers):
    """Returns the rows of the environments ``numbers`` from each array of a batched observation."""
    return {key: value[numbers] for key, value in observation.items()}


def check_observation(ours, theirs, where):
    for number, step in enumerate(theirs):
        assert list(ours) == list(step.observation), where
        for key, value in step.observation.items():
            expected = np.asarray(value, np.float64)
            assert bits(ours[key][number]) == bits(expected), (where, number, key, ours[key][number], value)


def check(ours, theirs, where):
    observation, reward, terminated, truncated, _ = ours
    check_observation(observation, theirs, where)
    for number, step in enumerate(theirs):
        assert reward[number] == (step.reward or 0.0), (where, number, reward[number], step.reward)
        assert terminated[number] == (step.last() and step.discount == 0.0), (where, number)
        assert truncated[number] == (step.last() and step.discount == 1.0), (where, number)


def compare(
    suite, task, count, steps, options=None, arguments=None, table=None, pool_options=None, numbers=None, **others
):
    """Steps a pool and dm_control's environments with equal actions, and compares all results.

    Adds the counts to ``table``, and returns the number of ended episodes. With ``numbers``, only these environments
    are compared.
    """
    ours = envpool_rs.make_vec(task, count, **options or {}, **pool_options or {})
    numbers = list(range(count) if numbers is None else numbers)
    theirs = Reference(suite, task, numbers, arguments, **others)
    assert bits(ours.single_action_space.low) == bits(theirs.spec.minimum)
    assert bits(ours.single_action_space.high) == bits(theirs.spec.maximum)
    first = theirs.reset()
    check_observation(of(ours.reset(seed=SEED)[0], numbers), first, "reset")
    random = np.random.default_rng(0)
    ended = truncated = values = 0
    for step in range(steps):
        action = theirs.actions(random, count)
        got, expected = ours.step(action), theirs.step(action[numbers])
        check((of(got[0], numbers), *(array[numbers] for array in got[1:4]), got[4]), expected, step)
        ended += int((got[2] | got[3]).sum())
        truncated += int(got[3].sum())
        values += sum(2 + sum(np.size(value) for value in each.observation.values()) for each in expected)
    if table is not None:
        table.add(task, 1, count * steps, ended, truncated, values, 0)
    return ended


@pytest.mark.parametrize("task", TASKS)
def test_episodes_equal_dm_controls(suite, task, parity_table):
    steps = STEPS or 40
    options = {} if STEPS else {"max_episode_steps": 15}
    arguments = {} if STEPS else {"time_limit": 15 * control_seconds(suite, task)}
    ended = compare(suite, task, 3, steps, options, arguments, parity_table)
    assert ended == 3 * ((steps + 1) // 16) or STEPS


def control_seconds(suite, task):
    domain, _, task = task.removeprefix("dm_control/").partition("-")
    return suite.load(domain, task).control_timestep()


@pytest.mark.parametrize(("task", "options", "arguments", "others"), CASES)
def test_options_have_the_effect_of_dm_controls(suite, task, options, arguments, others, parity_table):
    task = f"dm_control/{task}"
    ended = compare(suite, task, 2, STEPS or 60, options, arguments, parity_table, **others)
    assert ended > 0 or "time_limit" not in options


@pytest.mark.parametrize("task", DOMAINS)
def test_64_environments_on_two_threads_equal_dm_controls(suite, task):
    steps, limit = 12, 5
    arguments = {"time_limit": limit * control_seconds(suite, task)}
    options = {"num_threads": 2, "max_episode_steps": limit}
    numbers = (0, 1, 30, 47, 63)
    assert compare(suite, task, 64, steps, None, arguments, pool_options=options, numbers=numbers) == 64 * 2


@pytest.mark.parametrize("task", TASKS)
def test_a_snapshot_during_an_episode_continues_identically(task):
    first, other = (envpool_rs.make_vec(task, 2, max_episode_steps=30) for _ in range(2))
    random = np.random.default_rng(2)
    low, high = (np.clip(bound, -3, 3) for bound in (first.single_action_space.low, first.single_action_space.high))
    first.reset(seed=3)
    other.reset(seed=900)
    for _ in range(9):
        first.step(random.uniform(low, high, (2, *low.shape)))
        other.step(random.uniform(low, high, (2, *low.shape)))
    other.set_state(first.get_state())
    for step in range(40):
        action = random.uniform(low, high, (2, *low.shape))
        got, expected = other.step(action), first.step(action)
        assert all(bits(got[0][key]) == bits(value) for key, value in expected[0].items()), step
        assert all(bits(ours) == bits(theirs) for ours, theirs in zip(got[1:4], expected[1:4], strict=True)), step


@pytest.mark.parametrize(("name", "task"), list(zip(ENVPOOL, TASKS, strict=True)))
def test_envpools_ids_are_aliases(name, task, parity_table):
    ours, other = (envpool_rs.make_vec(each, 1, max_episode_steps=4) for each in (name, task))
    assert name.partition("-")[0].lower() == task.removeprefix("dm_control/").replace("-", "").replace("_", "").lower()
    first, second = (env.reset(seed=5)[0] for env in (ours, other))
    values = 0
    for _ in range(STEPS or 6):
        assert all(bits(first[key]) == bits(value) for key, value in second.items())
        values += sum(value.size for value in second.values())
        action = ours.action_space.sample().clip(-3, 3)
        first, second = (env.step(action)[0] for env in (ours, other))
    parity_table.add(name, 1, STEPS or 6, 0, 0, values, 0)


@pytest.mark.parametrize("task", ["CheetahRun-v1", "WalkerWalk-v1"])
def test_dm_controls_interface_returns_equal_results(suite, task):
    theirs = Reference(suite, {"CheetahRun-v1": "cheetah-run", "WalkerWalk-v1": "walker-walk"}[task], range(2))
    ours = envpool_rs.make_dm(task, num_envs=2, seed=SEED)
    random = np.random.default_rng(0)
    got, expected = ours.reset(), theirs.reset()
    for _ in range(5):
        for number, step in enumerate(expected):
            assert got.step_type[number] == step.step_type
            for key, value in step.observation.items():
                seen = getattr(got.observation, key)[number]
                assert bits(seen) == bits(np.asarray(value, np.float64))
            if step.reward is not None:
                assert got.reward[number] == np.float32(step.reward) and got.discount[number] == step.discount
        action = theirs.actions(random, 2)
        got, expected = ours.step(action), theirs.step(action)


def test_observations_may_be_flat_or_stacked():
    plain, flat, stacked = (
        envpool_rs.make_vec("WalkerWalk-v1", 2, **options)
        for options in ({}, {"flat_observation": True}, {"frame_stack": 3})
    )
    assert flat.single_observation_space.shape == (24,)
    assert {key: space.shape for key, space in stacked.single_observation_space.items()} == {
        "orientations": (3, 14), "height": (3,), "velocity": (3, 9),
    }  # fmt: skip
    seen = [plain.reset(seed=1)[0]] * 3
    first, third = flat.reset(seed=1)[0], stacked.reset(seed=1)[0]
    random = np.random.default_rng(0)
    for _ in range(5):
        parts = [seen[-1][key].reshape(2, -1) for key in ("orientations", "height", "velocity")]
        assert bits(first) == bits(np.concatenate(parts, 1))
        for key, value in third.items():
            assert bits(value) == bits(np.stack([each[key] for each in seen], 1))
        action = random.uniform(-1, 1, (2, 6))
        seen = [*seen[1:], plain.step(action)[0]]
        first, third = flat.step(action)[0], stacked.step(action)[0]
    dm = envpool_rs.make_dm("WalkerWalk-v1", num_envs=2, flat_observation=True)
    assert dm.reset().observation.observations.shape == (2, 24)


@pytest.mark.parametrize("links", [3, 10])
def test_a_swimmer_of_any_length_equals_dm_controls(suite, links, parity_table):
    from dm_control.suite import swimmer

    task, count = "dm_control/swimmer-swimmer6", 2
    with mock.patch.dict(swimmer.SUITE._tasks, swimmer6=lambda **how: swimmer.swimmer(links, **how)):
        compare(
            suite, task, count, STEPS or 40, {"n_links": links, "time_limit": 0.9}, {"time_limit": 0.9}, parity_table
        )


def test_masses_at_rest_end_the_episode_with_discount_zero(suite):
    from dm_control.suite import lqr_solver

    task, count = "dm_control/lqr-lqr_2_1", 2
    theirs = Reference(suite, task, range(count))
    ours, dm = envpool_rs.make_vec(task, count), envpool_rs.make_dm(task, num_envs=count, seed=SEED)
    gains = [lqr_solver.solve(env)[1] for env in theirs.envs]
    expected = theirs.reset()
    check_observation(ours.reset(seed=SEED)[0], expected, "reset")
    dm.reset()
    for step in range(5000):
        states = [np.concatenate([each.observation["position"], each.observation["velocity"]]) for each in expected]
        action = np.stack([gain @ state for gain, state in zip(gains, states, strict=True)])
        expected = theirs.step(action)
        check(ours.step(action), expected, step)
        seen = dm.step(action)
        assert all(each.discount == discount for each, discount in zip(expected, seen.discount, strict=True))
        if any(each.last() for each in expected):
            break
    assert any(each.last() and each.discount == 0.0 for each in expected)


#: EnvPool 1.2.5's order of observation keys. For all other tasks, EnvPool puts the task's own keys before the keys that
#: all tasks of the domain have.
ENVPOOLS_ORDER = {
    "FishSwim-v1": "joint_angles upright velocity target",
    "HumanoidRun-v1": "joint_angles head_height extremities torso_vertical com_velocity position velocity",
    "HumanoidRunPureState-v1": "joint_angles head_height extremities torso_vertical com_velocity position velocity",
    "QuadrupedFetch-v1": "egocentric_state torso_velocity torso_upright imu force_torque origin rangefinder ball_state "
    "target_position",
}


@pytest.mark.parametrize(
    ("task", "others"),
    [
        ("FishSwim-v1", {}),
        ("QuadrupedFetch-v1", {"origin": (3,), "rangefinder": (20,)}),
        ("FingerSpin-v1", {"target_position": (2,), "dist_to_target": ()}),
        ("FishUpright-v1", {"target": (3,)}),
        ("HumanoidRun-v1", {"position": (28,)}),
        (
            "HumanoidRunPureState-v1",
            {
                "joint_angles": (21,),
                "head_height": (),
                "extremities": (12,),
                "torso_vertical": (3,),
                "com_velocity": (3,),
            },
        ),
        ("WalkerRun-v1", {}),
        ("QuadrupedEscape-v1", {"ball_state": (9,), "target_position": (3,)}),
    ],
)
def test_keys_of_other_tasks_are_zero_like_envpools(task, others):
    own, all_keys = (envpool_rs.make_vec(task, 2, domain_keys=domain_keys) for domain_keys in (False, True))
    first, second = (env.reset(seed=1)[0] for env in (own, all_keys))
    for _ in range(2):
        assert set(second) == {*first, *others}
        if task in ENVPOOLS_ORDER:
            assert list(second) == ENVPOOLS_ORDER[task].split()
        assert all(bits(second[key]) == bits(value) for key, value in first.items())
        assert all(bits(second[key]) == bits(np.zeros((2, *shape))) for key, shape in others.items())
        action = own.action_space.sample()
        first, second = (env.step(action)[0] for env in (own, all_keys))


def test_configurations_have_envpools_names_in_envpools_order():
    spec = envpool_rs.make_spec("WalkerWalk-v1")
    names = list(spec.config._asdict())
    assert names[names.index("max_episode_steps") + 1 :][:3] == ["frame_skip", "frame_stack", "task_name"]
    assert (spec.config.frame_skip, spec.config.frame_stack, spec.config.task_name) == (10, 1, "walk")
    arrays = dict(zip(spec._state_keys, spec._state_spec, strict=True))
    assert arrays["obs:height"][1] == [] and arrays["obs:velocity"][1] == [9]
    assert spec._action_spec[2][1:4] == ([-1, 6], (-1.0, 1.0), ([], []))
    pixels = envpool_rs.make_spec("WalkerWalk-v1", from_pixels=True).config._asdict()
    names = list(pixels)
    after = names.index("task_name") + 1
    assert {name: pixels[name] for name in names[after : after + 3]} == {
        "render_width": 84, "render_height": 84, "render_camera_id": -1,
    }  # fmt: skip


def test_a_reset_with_a_seed_restarts_the_stream():
    env = envpool_rs.make_vec("dm_control/reacher-easy", 2)
    first = env.reset(seed=4)[0]
    second = env.reset()[0]
    assert bits(first["to_target"]) != bits(second["to_target"])
    assert bits(env.reset(seed=4)[0]["to_target"]) == bits(first["to_target"])
    assert bits(env.reset()[0]["to_target"]) == bits(second["to_target"])


def test_episode_length_is_given_in_steps_or_seconds():
    def limit(**options):
        return envpool_rs.make_spec("CheetahRun-v1", **options).config.max_episode_steps

    assert limit() == limit(frame_skip=4) == 1000
    assert (limit(n_sub_steps=4), limit(time_limit=0.305), limit(time_limit=1, n_sub_steps=3)) == (250, 31, 34)
    assert limit(time_limit=1e-9) == 1 and limit(time_limit=1, max_episode_steps=7) == 7
