"""Tests of `envpool_rs.batch.make_vec`, by comparison with gymnasium's Hopper."""

import runpy

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode
from repository import ROOT

mujoco = pytest.importorskip("mujoco")
batch = pytest.importorskip("envpool_rs.batch")

EXAMPLES = ROOT / "examples"
HOPPER = runpy.run_path(str(EXAMPLES / "own_hopper.py"))
QUADRUPED = runpy.run_path(str(EXAMPLES / "own_quadruped.py"))
NUM_ENVS = 6

LEG = """<body pos="{x} {y} 0"><joint name="{name}_hip" axis="0 1 0" damping="1"/>
<geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02"/>
<body pos="0 0 -.2"><joint name="{name}_knee" axis="0 1 0" damping="1"/>
<geom type="capsule" fromto="0 0 0 0 0 -.2" size=".02"/></body></body>"""
LEGS = [{"name": f"leg{number}", "x": (-0.2, 0.2)[number % 2], "y": (-0.1, 0.1)[number // 2]} for number in range(4)]
SERVOS = [
    f'<position joint="{leg["name"]}_{part}" kp="40" ctrlrange="-1 1"/>' for leg in LEGS for part in ("hip", "knee")
]
STANDING = f"""<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .45"><freejoint/>
<geom type="capsule" fromto="-.2 0 0 .2 0 0" size=".05"/>{"".join(LEG.format(**leg) for leg in LEGS)}</body></worldbody>
<actuator>{"".join(SERVOS)}</actuator>
<keyframe><key qpos="0 0 .45 1 0 0 0 0 0 0 0 0 0 0 0" ctrl="0 0 0 0 0 0 0 0"/></keyframe></mujoco>"""
"""A quadruped with eight joints, which stands on straight legs in its keyframe."""


def hoppers(**options):
    return HOPPER["make"](NUM_ENVS, **options)


def gymnasium_hoppers(mode):
    return gymnasium.make_vec("Hopper-v5", NUM_ENVS, "sync", vector_kwargs={"autoreset_mode": mode})


def heights(_batch, before, action):
    return {"x": before.qpos[:, 0], "effort": np.abs(action).sum(axis=1)}


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_own_hoppers_equal_gymnasiums_bit_for_bit(mode):
    envs, references = hoppers(autoreset_mode=mode.name.lower()), gymnasium_hoppers(mode)
    assert envs.single_action_space == references.single_action_space
    assert envs.single_observation_space == references.single_observation_space
    np.testing.assert_array_equal(envs.reset(seed=7)[0], references.reset(seed=7)[0])
    envs.action_space.seed(1)
    ends = 0
    for _ in range(200):
        action = envs.action_space.sample()
        *found, infos = envs.step(action)
        *expected, reference_infos = references.step(action)
        for one, other in zip(found, expected, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
        ends += int(found[2].sum())
        assert ("final_obs" in infos) == ("final_obs" in reference_infos)
        if "final_obs" in infos:
            np.testing.assert_array_equal(infos["_final_obs"], reference_infos["_final_obs"])
            for one, other in zip(infos["final_obs"], reference_infos["final_obs"], strict=True):
                np.testing.assert_array_equal(one, other)
    assert ends > NUM_ENVS


def test_quadrupeds_stand_until_they_are_pushed_and_fall():
    model = mujoco.MjModel.from_xml_string(STANDING)
    envs = QUADRUPED["make"](model, NUM_ENVS)
    obs, _ = envs.reset(seed=3)
    np.testing.assert_allclose(obs[:, :3], [[0, 0, 1]] * NUM_ENVS, atol=1e-12)
    for _ in range(30):
        _, rewards, terminated, _, _ = envs.step(np.zeros((NUM_ENVS, 8), np.float32))
    assert not terminated.any()
    assert (rewards > 0).all()
    envs.batch.qpos[2, 3:7] = [0, 1, 0, 0]  # on its back
    assert list(np.flatnonzero(envs.step(np.zeros((NUM_ENVS, 8), np.float32))[2])) == [2]


def test_vectors_in_the_quadrupeds_frame_equal_mujocos():
    random = np.random.default_rng(0)
    quaternions, vectors = random.normal(size=(20, 4)), random.normal(size=(20, 3))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    for quaternion, vector, found in zip(quaternions, vectors, QUADRUPED["to_body"](quaternions, vectors), strict=True):
        inverse, expected = np.empty(4), np.empty(3)
        mujoco.mju_negQuat(inverse, quaternion)
        mujoco.mju_rotVecQuat(expected, vector, inverse)
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_a_model_without_a_keyframe_is_no_quadruped():
    with pytest.raises(ValueError, match="expected a keyframe, a free joint"):
        QUADRUPED["make"](str(HOPPER["HOPPER"]), NUM_ENVS)


def test_limits_masks_and_the_disabled_mode():
    batches = batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1)
    functions = [HOPPER["observe"], HOPPER["reward"], lambda own: np.zeros(own.nsim, bool), HOPPER["begin"]]
    envs = batch.make_vec(batches, *functions, 3, 4, info=heights, autoreset_mode="disabled")
    envs.reset(seed=0)
    action = np.zeros(envs.action_space.shape, np.float32)
    for step in range(3):
        _, _, terminated, truncated, infos = envs.step(action)
        assert not terminated.any()
        assert truncated.all() == (step == 2)
        assert infos["_x"].all() and infos["x"].shape == (NUM_ENVS,)
    with pytest.raises(RuntimeError, match=r"environments \[0, 1, 2, 3, 4, 5\] have ended: reset them"):
        envs.step(action)
    envs.reset(options={"reset_mask": np.arange(NUM_ENVS) > 2})
    assert envs.elapsed.tolist() == [3, 3, 3, 0, 0, 0]

    envs = batch.make_vec(batches, *functions, 2, 4, info=heights)
    envs.reset(seed=0)
    envs.step(action)
    assert envs.step(action)[3].all()
    _, rewards, _, truncated, infos = envs.step(action)
    assert not infos["_x"].any() and not infos["x"].any() and not rewards.any() and not truncated.any()


def test_a_snapshot_continues_the_streams():
    envs, others = hoppers(), hoppers()
    envs.reset(seed=3)
    envs.action_space.seed(0)
    for _ in range(30):
        envs.step(envs.action_space.sample())
    others.set_state(envs.get_state())
    for _ in range(60):
        action = envs.action_space.sample()
        for one, other in zip(envs.step(action)[:4], others.step(action)[:4], strict=True):
            np.testing.assert_array_equal(one, other)


def progress(envs):
    """Returns a snapshot as comparable text."""
    return repr(
        {name: getattr(value, "tolist", lambda value=value: value)() for name, value in envs.get_state().items()}
    )


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
@pytest.mark.parametrize("name", ["observe", "reward", "ended", "begin", "info"])
def test_a_call_that_raises_changes_nothing(name, mode):
    def failing(function):
        def call(*arguments):
            calls.append(name)
            if len(calls) == fails_at:
                raise ZeroDivisionError(name)
            return function(*arguments)

        return call

    functions = {key: HOPPER[key] for key in ("observe", "reward", "ended", "begin")} | {"info": heights}
    # The number of steps between two resets is odd, because each round below takes two steps.
    calls, fails_at, limit = [], 0, 6 if mode == "next_step" else 7
    own, twins = (batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1) for _ in range(2))
    twins = batch.make_vec(twins, **functions, limit=limit, frame_skip=4, autoreset_mode=mode)
    functions[name] = failing(functions[name])
    envs = batch.make_vec(own, **functions, limit=limit, frame_skip=4, autoreset_mode=mode)
    positions, data = own.bind("xpos"), mujoco.MjData(own.model)
    envs.reset(seed=5), twins.reset(seed=5)
    envs.action_space.seed(1)
    failures = 0
    for step in range(30):
        action = envs.action_space.sample()
        if step % 3 == 0 or name == "begin":
            before = progress(envs)
            calls.clear()
            fails_at = 1 + (name == "begin" and step % 2)
            try:
                envs.step(action)
            except ZeroDivisionError:
                failures += 1
                assert progress(envs) == before
                data.qpos[:] = own.qpos[3]
                mujoco.mj_kinematics(own.model, data)
                np.testing.assert_array_equal(positions[3], data.xpos)
            else:
                assert name == "begin"
                twins.step(action)
            fails_at = 0
        for one, other in zip(envs.step(action)[:4], twins.step(action)[:4], strict=True):
            np.testing.assert_array_equal(one, other)
    assert failures > (0 if name == "begin" else 9)
    before, fails_at = progress(envs), 1
    calls.clear()
    if name in ("observe", "begin"):
        with pytest.raises(ZeroDivisionError):
            envs.reset(seed=9)
        assert progress(envs) == before


def test_begin_draws_a_row_for_each_environment_from_its_own_stream():
    drawn = []

    def begin(own, sims, randoms):
        assert (
            [type(each) for each in randoms]
            == [np.random.Generator] * len(sims)
            == [np.random.Generator] * len(randoms)
        )
        drawn.append((sims.tolist(), randoms.uniform(-1, 1, 2), randoms.integers(10), randoms[0:1].normal()))
        with pytest.raises(AttributeError, match=r"draw is no method of numpy's Generator"):
            _ = randoms.draw

    own = batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1)
    envs = batch.make_vec(own, HOPPER["observe"], HOPPER["reward"], HOPPER["ended"], begin)
    envs.reset(seed=3)
    envs.reset(options={"reset_mask": np.arange(NUM_ENVS) == 2})
    generators = [np.random.default_rng(3 + sim) for sim in range(NUM_ENVS)]
    (sims, rows, integers, _), (again, row, *_) = drawn
    assert sims == list(range(NUM_ENVS)) and again == [2]
    assert rows.tolist() == [each.uniform(-1, 1, 2).tolist() for each in generators]
    assert integers.tolist() == [each.integers(10) for each in generators]
    assert row.tolist() == [generators[2].uniform(-1, 1, 2).tolist()]


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_infos_of_new_episodes_are_masked_and_joined_with_those_of_steps(mode):
    def reset_info(own):
        return {"x": 100 + np.arange(NUM_ENVS), "start": own.qpos[:, :2]}

    own = batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1)
    functions = [HOPPER[key] for key in ("observe", "reward")]
    envs = batch.make_vec(
        *(own, *functions, lambda own: np.arange(NUM_ENVS) == 1, HOPPER["begin"]),
        info=lambda own, before, action: {"x": np.full(NUM_ENVS, 7)},
        reset_info=reset_info,
        autoreset_mode=mode,
    )
    _, infos = envs.reset(seed=0)
    assert infos["x"].tolist() == [100 + sim for sim in range(NUM_ENVS)] and infos["_start"].all()
    infos = envs.step(envs.action_space.sample())[4]
    if mode == "same_step":
        assert infos["final_info"]["x"][1] == 7
    elif mode == "next_step":
        assert infos["x"].tolist() == [7] * NUM_ENVS and "start" not in infos
        infos = envs.step(envs.action_space.sample())[4]
    else:
        _, infos = envs.reset(options={"reset_mask": np.arange(NUM_ENVS) == 1})
        assert infos["x"].tolist() == [0, 101, 0, 0, 0, 0] and infos["_x"].tolist() == infos["_start"].tolist()
        return
    assert infos["x"].tolist() == [7, 101, 7, 7, 7, 7] and infos["_x"].all()
    assert infos["_start"].tolist() == [False, True, False, False, False, False]
    np.testing.assert_array_equal(infos["start"][1], own.qpos[1, :2])
    assert not infos["start"][0].any()


def test_a_function_of_substeps_controls_every_physics_step():
    calls = []

    def substep(own, sims, actions):
        calls.append(sims.tolist())
        own.ctrl[sims] = actions[sims, :1] * np.sin(len(calls))

    own, twin = (batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1) for _ in range(2))
    functions = [HOPPER[key] for key in ("observe", "reward", "ended", "begin")]
    space = gymnasium.spaces.Box(-1, 1, (1,))
    envs = batch.make_vec(own, *functions, None, 4, substep=substep, action_space=space)
    envs.reset(seed=1)
    twin.state[...] = own.state
    actions = envs.action_space.sample()
    envs.step(actions)
    assert calls == [list(range(NUM_ENVS))] * 4
    for step in range(4):
        twin.ctrl[:] = actions * np.sin(step + 1)
        twin.step()
    np.testing.assert_array_equal(own.qpos, twin.qpos)
    with pytest.raises(TypeError, match=r"substep=3: expected a function or None"):
        batch.make_vec(own, *functions, substep=3)


def test_masses_that_begin_changes_have_their_constants():
    def begin(own, sims, randoms):
        own.expand("body_mass")[sims] = own.model.body_mass * randoms.uniform(0.8, 1.2, own.model.nbody)
        own.set_const(sims)

    own = batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1)
    envs = batch.make_vec(own, *(HOPPER[key] for key in ("observe", "reward", "ended")), begin)
    envs.reset(seed=1)
    kept = own.expand("dof_M0").copy()
    envs.reset(options={"reset_mask": np.arange(NUM_ENVS) == 4})
    assert (own.expand("dof_M0") != kept).any(axis=1).tolist() == [sim == 4 for sim in range(NUM_ENVS)]
    for sim in range(NUM_ENVS):
        model = mujoco.MjModel.from_xml_path(str(HOPPER["HOPPER"]))
        model.body_mass[:] = own.expand("body_mass")[sim]
        mujoco.mj_setConst(model, mujoco.MjData(model))
        np.testing.assert_array_equal(own.expand("dof_M0")[sim], model.dof_M0)
        np.testing.assert_array_equal(own.expand("body_invweight0")[sim], model.body_invweight0)


def test_pictures_show_the_simulations():
    envs = hoppers(render_mode="rgb_array")
    envs.reset(seed=1)
    try:
        pictures = envs.render()
    except RuntimeError as error:
        pytest.skip(f"pictures cannot be drawn here: {error}")
    assert len(pictures) == NUM_ENVS and pictures[0].shape == (480, 480, 3) and pictures[0].dtype == np.uint8
    own = envs.batch
    own.qpos[3, 1] += 1
    small = own.render([2, 3], width=64, height=48)
    assert small.shape == (2, 48, 64, 3) and (small[0] != small[1]).any()
    before = own.state.copy()
    assert (own.render(np.arange(NUM_ENVS) == 3, 64, 48)[0] == small[1]).all() and (own.state == before).all()
    own.expand("geom_rgba")[2, :, :3] = 0
    assert (own.render([2], 64, 48)[0] != small[0]).any()
    with pytest.raises(ValueError, match=r"camera='front': expected one of 'track'"):
        own.render(camera="front")
    with pytest.raises(ValueError, match=r"render_mode='human': expected 'rgb_array'"):
        hoppers(render_mode="human")
    assert hoppers().render() is None


def test_an_interrupted_restoration_is_completed_by_the_next_call():
    def reward(*arguments):
        if interruptions:
            raise KeyboardInterrupt
        return HOPPER["reward"](*arguments)

    def forward(*arguments, **options):
        if interruptions:
            interruptions.pop()
            raise KeyboardInterrupt
        return batch.Batch.forward(own, *arguments, **options)

    interruptions = []
    own = batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1)
    functions = [HOPPER["observe"], reward, HOPPER["ended"], HOPPER["begin"]]
    envs = batch.make_vec(own, *functions, 9, 4)
    positions, data = own.bind("xpos"), mujoco.MjData(own.model)
    envs.reset(seed=5)
    envs.action_space.seed(1)
    for _ in range(4):
        envs.step(envs.action_space.sample())
    before, elapsed = progress(envs), envs.elapsed.tolist()
    own.forward = forward
    interruptions.append(1)
    with pytest.raises(KeyboardInterrupt):
        envs.step(envs.action_space.sample())
    assert envs.elapsed.tolist() == elapsed
    assert progress(envs) == before
    data.qpos[:] = own.qpos[3]
    mujoco.mj_kinematics(own.model, data)
    np.testing.assert_array_equal(positions[3], data.xpos)


def test_an_unstable_simulation_changes_nothing():
    own = batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1, unstable="raise")
    functions = [HOPPER[key] for key in ("observe", "reward", "ended", "begin")]
    envs = batch.make_vec(own, *functions, 9, 4)
    envs.reset(seed=0)
    own.qvel[2] = np.inf
    before = progress(envs)
    with pytest.raises(batch.SimulationError):
        envs.step(np.zeros(envs.action_space.shape, np.float32))
    assert progress(envs) == before
    envs.reset(options={"reset_mask": np.arange(NUM_ENVS) == 2})
    envs.step(np.zeros(envs.action_space.shape, np.float32))
    assert envs.elapsed.tolist() == [1] * NUM_ENVS


def test_assigned_numbers_of_elapsed_steps_are_checked():
    envs = hoppers()
    for wrong, message in ((2**63 - 1, "^elapsed has 9223372036854775807: expected 0 to"), ("a", "^elapsed is <U1")):
        with pytest.raises(ValueError, match=message):
            envs.elapsed = wrong
    counts = envs.elapsed
    envs.elapsed = 7
    assert counts is envs.elapsed and counts.tolist() == [7] * NUM_ENVS


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"elapsed": np.zeros(5)}, r"^state\['elapsed'\] is float64 \(5,\): expected int64 \(6,\)"),
        ({"elapsed": np.full(NUM_ENVS, -1)}, r"^state\['elapsed'\] has -1: expected 0 to 4611686018427387904"),
        ({"elapsed": np.full(NUM_ENVS, 2**63 - 1)}, rf"^state\['elapsed'\] has {2**63 - 1}: expected 0 to "),
        ({"is_over": "x"}, r"^state\['is_over'\]"),
        ({"state": np.zeros((NUM_ENVS, 2))}, r"^state\['state'\] is float64 \(6, 2\): expected float64"),
        ({"streams": 5}, r"^state\['streams'\]: expected a list of 6"),
        ({"streams": [{"a": 1}] * NUM_ENVS}, r"^state\['streams'\]\[0\]=.*expected a state of numpy's PCG64"),
    ],
)
def test_a_wrong_snapshot_is_named_and_changes_nothing(changes, message):
    envs = hoppers()
    envs.reset(seed=3)
    snapshot = envs.get_state()
    envs.step(np.zeros(envs.action_space.shape, np.float32))
    before = progress(envs)
    with pytest.raises(ValueError, match=message):
        envs.set_state(snapshot | changes)
    assert progress(envs) == before


def zeros(*_):
    return np.zeros(NUM_ENVS)


def stepped(own, reward=zeros, ended=lambda own: np.zeros(own.nsim, bool), **options):
    """Makes and steps a vector environment of zeros."""
    envs = batch.make_vec(own, zeros, reward, ended, zeros, **options)
    envs.reset()
    envs.step(np.zeros(envs.action_space.shape, np.float32))


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda own: batch.make_vec(3, zeros, zeros, zeros, zeros),
            TypeError,
            "^batch=3: expected an envpool_rs.Batch$",
        ),
        (lambda own: batch.make_vec(own, 1, zeros, zeros, zeros), TypeError, "^observe=1: expected a function$"),
        (lambda own: batch.make_vec(own, zeros, zeros, zeros, zeros, 0), ValueError, "^limit=0: expected 1 or more$"),
        (lambda own: batch.make_vec(own, lambda own: 1, zeros, zeros, zeros), ValueError, "^observe returned an array"),
        (
            lambda own: batch.make_vec(own, zeros, zeros, zeros, zeros, autoreset_mode="now"),
            ValueError,
            "^autoreset_mode=",
        ),
        (
            lambda own: batch.make_vec(own, zeros, zeros, zeros, zeros).step(np.zeros((NUM_ENVS, 3))),
            RuntimeError,
            "reset",
        ),
        (lambda own: hoppers().step(np.zeros(3)), ValueError, "^actions has shape"),
        (
            lambda own: hoppers().step(np.full((NUM_ENVS, 3), np.nan)),
            ValueError,
            r"^actions\[0, 0\]=nan: expected finite numbers$",
        ),
        (lambda own: hoppers().step(np.full((NUM_ENVS, 3), "a")), TypeError, "^actions has the dtype <U1: expected"),
        (lambda own: hoppers().reset(seed=[1, 2]), ValueError, "^seed has 2 entries: expected 6"),
        (lambda own: hoppers().reset(options={"reset_mask": [1]}), ValueError, "reset_mask"),
        (lambda own: hoppers().set_state({}), ValueError, "^state has no elapsed, is_over, state, streams"),
        (lambda own: hoppers().reset(seed=-1), ValueError, "^seed=-1: expected 0 or more$"),
        (lambda own: stepped(own, info=5), TypeError, "^info=5: expected a function or None$"),
        (lambda own: stepped(own, info=zeros), TypeError, "^info returned a ndarray: expected a dict of arrays$"),
        (lambda own: stepped(own, frame_skip=2**31), ValueError, "^frame_skip=2147483648: expected 1 to 2147483647$"),
        (lambda own: stepped(own, lambda *_: ["a"] * NUM_ENVS), TypeError, "^reward returned an array of <U1"),
        (lambda own: stepped(own, ended=zeros), TypeError, "^ended returned an array of float64: expected bools$"),
        (
            lambda own: stepped(own, action_space=gymnasium.spaces.Discrete(3)),
            ValueError,
            r"^action_space=Discrete\(3\): expected a space of shape \(3,\)$",
        ),
        (
            lambda own: stepped(own, observation_space=gymnasium.spaces.Dict()),
            ValueError,
            r"^observation_space=Dict\(\): expected a space of shape \(\)$",
        ),
    ],
)
def test_bad_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call(batch.Batch(str(HOPPER["HOPPER"]), NUM_ENVS, 1))
