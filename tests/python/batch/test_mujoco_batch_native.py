"""Tests that native steps of a `Batch` equal `mj_step` bit for bit where MuJoCo's decisions depend on details.

These are islands, the broad and middle phase, empty constraints, and numbers that MuJoCo refuses.
"""

from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

batch = pytest.importorskip("envpool_rs.batch")

ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"


def library_states(model, states, count=1):
    """Returns the states after `count` calls of `mj_step`."""
    data, kind = mujoco.MjData(model), int(mujoco.mjtState.mjSTATE_INTEGRATION)
    after = np.empty_like(states)
    for before, found in zip(states, after, strict=True):
        mujoco.mj_resetData(model, data)
        mujoco.mj_setState(model, data, before, kind)
        for _ in range(count):
            mujoco.mj_step(model, data)
        mujoco.mj_getState(model, data, found, kind)
    return after


def assert_steps_equal(simulations, count=1):
    """Steps a batch, and compares its states with those of `mj_step`."""
    expected = library_states(simulations.model, simulations.state.copy(), count)
    simulations.step(nstep=count)
    np.testing.assert_array_equal(simulations.state, expected)


#: A box and a ball that touch, and a marker without collisions.
MARKED_BALL = """<mujoco><option><flag gravity="disable"/></option><worldbody><geom type="box" size=".2 .2 .04"/>
<body name="marker" pos="9 9 9"><freejoint/><geom size=".05" contype="0" conaffinity="0"/></body>
<body name="ball" pos="0 0 .3"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""

#: Two hinges, one of which has a limit.
HINGES = """<mujoco><worldbody><body><joint axis="0 1 0" damping=".1"/><geom size=".1" pos="0 0 .3"/></body>
<body pos="2 0 0"><joint axis="0 1 0" range="-30 30"/><geom size=".1" pos="0 0 .3"/></body></worldbody></mujoco>"""


@pytest.mark.parametrize(("xml", "heights"), [(MARKED_BALL, 9), (HINGES, None)])
def test_a_tree_without_constraints_is_no_part_of_an_island(xml, heights):
    model = mujoco.MjModel.from_xml_string(xml)
    simulations = batch.Batch(model, 100, 1, physics="native")
    random = np.random.default_rng(0)
    simulations.qvel[:] = random.normal(size=simulations.qvel.shape)
    if heights is None:
        simulations.qpos[:] = random.uniform(-1, 1, simulations.qpos.shape)
    else:
        simulations.qpos[:, heights] = 0.13
    assert_steps_equal(simulations)
    assert_steps_equal(simulations, 30)
    assert simulations.left_to_library == 0


MARKER = """<body name="passive marker" pos="0 0 3"><joint type="slide" axis="1 0 0" limited="false"/>
<geom size=".05" contype="0" conaffinity="0"/></body></worldbody>"""


@pytest.mark.parametrize("name", ["half_cheetah", "hopper", "ant"])
def test_robots_with_a_passive_marker_stay_native_and_exact(name):
    xml = (ASSETS / f"{name}.xml").read_text().replace("</worldbody>", MARKER)
    simulations = batch.Batch(xml, 32, 1, physics="native")
    random = np.random.default_rng(1)
    simulations.qpos[:] += random.uniform(-0.2, 0.2, simulations.qpos.shape)
    simulations.qvel[:] = random.normal(size=simulations.qvel.shape)
    for _ in range(12):
        simulations.ctrl[:] = random.uniform(-1, 1, simulations.ctrl.shape)
        assert_steps_equal(simulations, 5)
    assert simulations.left_to_library < 200


#: A plane and a wall, which are two geoms of the world, so that the middle phase is used.
WALLED = """<mujoco><worldbody><geom type="plane" size="5 5 1" pos="0 0 {height}"/>
<geom type="box" size=".05 1 .3" pos="-.8 0 .3"/><body pos="0 0 .5" euler="{euler}"><freejoint/>{geom}</body>
</worldbody></mujoco>"""
FALLING = {
    "box": '<geom type="box" size=".066 .046 .033" margin=".01761"/>',
    "capsule": '<geom type="capsule" size=".0978226 .116455"/>',
    "cylinder": '<geom type="cylinder" size=".05 .07"/>',
    "sphere": '<geom size=".07" condim="6" friction="1 .1 .1"/>',
    "mesh": '<geom type="mesh" mesh="wedge"/>',
}


@pytest.mark.parametrize("height", [0, -0.287828, 0.7])
@pytest.mark.parametrize("kind", FALLING)
def test_contacts_that_the_middle_phase_may_drop_are_the_librarys(kind, height):
    xml = WALLED.format(height=height, geom=FALLING[kind], euler="0 0 0" if kind == "capsule" else "20 30 0")
    wedge = '<mujoco><asset><mesh name="wedge" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1 .1 .1 .02"/></asset>'
    model = mujoco.MjModel.from_xml_string(xml.replace("<mujoco>", wedge))
    simulations = batch.Batch(model, 64, 1, physics="native")
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    lowest = 0.5 - mujoco.mj_geomDistance(model, data, 0, 2, 10, None)
    depths = np.concatenate([np.geomspace(1e-9, 1e-4, 40), -np.geomspace(1e-9, 1e-6, 24)])
    simulations.qpos[:, 2] = lowest + model.geom_margin[2] - depths
    simulations.qvel[:, 2] = -1
    assert_steps_equal(simulations)
    # `mj_collision` decides about pairs that the native colliders leave open; about boxes, the whole step does.
    assert simulations.left_to_library < 64
    assert simulations.left_to_library > 0 or kind != "box"
    assert simulations.left_to_library == 0 or kind in ("box", "capsule")


#: A plane, with or without a second geom of the world, and a cylinder whose orientation is a product of rotations.
CYLINDER = """<mujoco><default><joint armature=".1"/></default><worldbody>
<geom type="plane" size="5 5 1" euler="{slope} 0 0"/>{wall}<body euler="{slope} 0 0"><joint type="slide" axis="0 0 1"/>
<joint axis="0 0 1"/><joint axis="0 0 1"/><joint axis="0 0 1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>
<body><joint type="ball"/><geom type="cylinder" size=".2 .13" condim="{condim}"/></body></body></worldbody></mujoco>"""


@pytest.mark.parametrize("wall", ["", '<geom type="box" size=".05 1 .3" pos="-3 0 .3"/>'])
@pytest.mark.parametrize("slope", [0, 20])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_cylinders_that_are_upright_except_for_rounding_have_the_librarys_contacts(condim, slope, wall):
    """`mjc_PlaneCylinder` normalises the rounding error: contacts may be lower than the cylinder, by its radius."""
    model = mujoco.MjModel.from_xml_string(CYLINDER.format(condim=condim, slope=slope, wall=wall))
    simulations = batch.Batch(model, 2048, 1, physics="native")
    random = np.random.default_rng(0)
    simulations.qpos[:, 0] = heights = random.uniform(0.1, 0.36, 2048)
    simulations.qpos[:, 1:4] = random.uniform(-3, 3, (2048, 3))
    yaws = random.uniform(-0.01, 0.01, 2048)
    simulations.qpos[:, [4, 7]] = np.stack([np.cos(yaws), np.sin(yaws)], axis=1)
    simulations.qpos[:, 5:7] = random.normal(size=(2048, 2)) * 1e-19
    simulations.qvel[:, 0] = -1
    assert_steps_equal(simulations)
    is_stopped = simulations.qvel[:, 0] > -1
    assert is_stopped[heights < 0.12].mean() > 0.9
    assert is_stopped[heights > 0.14].any() == (not wall), "the middle phase drops contacts below the cylinder"
    assert simulations.left_to_library == 0 or (wall and condim < 4)


def test_contacts_that_the_broad_phase_may_drop_are_the_librarys():
    geoms = ('<geom size=".1"/>', '<geom type="capsule" size=".1 .2"/>')
    bodies = "".join(f'<body pos="{at} 0 0"><freejoint/>{geom}</body>' for at, geom in enumerate(geoms))
    model = mujoco.MjModel.from_xml_string(f'<mujoco><option gravity="0 0 0"/><worldbody>{bodies}</worldbody></mujoco>')
    simulations = batch.Batch(model, 64, 1, physics="native")
    places = np.tile([[0.0], [7.3], [251.7], [90210.5]], (1, 16))
    depths = np.tile(np.geomspace(1e-9, 1e-4, 16), (4, 1)) * np.maximum(1, places)
    simulations.qpos[:, 0] = places.ravel()
    simulations.qpos[:, 7] = (places + 0.2 - depths).ravel()
    simulations.qvel[:, 0] = 1
    assert_steps_equal(simulations)
    # `mj_collision` decides about each such pair, so the library takes no whole step.
    assert simulations.left_to_library == 0


@pytest.mark.parametrize("first", ["m", "s"])
@pytest.mark.parametrize("constraint", ["connect", "weld"])
@pytest.mark.parametrize("has_joint", [False, True])
def test_constraints_of_bodies_without_a_joint_between_them_are_refused(constraint, first, has_joint):
    joint = "<freejoint/>" if has_joint else ""
    model = f"""<mujoco><worldbody><body name="m" pos="0 0 1">{joint}<geom size=".1"/>
    <body name="s" pos="0 .3 1"><geom size=".03"/></body><body name="t" pos=".1 0 1"><geom size=".03"/></body></body>
    <body pos="3 0 0"><joint/><geom size=".1"/></body></worldbody>
    <equality><{constraint} body1="{first}" body2="t" anchor="0 0 .3"/></equality></mujoco>"""
    simulations = batch.Batch(model, 2)
    assert "equality constraints of two bodies without a joint between them" in simulations.why
    assert_steps_equal(simulations, 3)


PIVOT = """<mujoco><worldbody><body name="b"><joint axis="0 1 0"/><geom size=".1" pos="0 0 .3"/></body></worldbody>
<equality><connect body1="b" anchor="0 {y} 0"/></equality></mujoco>"""


@pytest.mark.parametrize("y", [0, 0.2])
def test_constraints_without_effect_are_dropped_as_in_the_library(y):
    simulations = batch.Batch(PIVOT.format(y=y), 16, 1)
    simulations.qpos[:, 0] = np.linspace(-2, 2, 16)
    simulations.qvel[:] = 1
    assert_steps_equal(simulations, 5)


INPUTS = """<mujoco><worldbody><geom type="plane" size="5 5 1"/>
<body name="m" mocap="true" pos="0 0 2"><geom size=".1"/></body>
<body pos="0 0 .05"><joint name="z" type="slide" axis="0 0 1"/><joint name="y" axis="0 1 0" range="-1 1"/>
<geom size=".1"/></body>
</worldbody><actuator><motor joint="y"/><motor joint="y" ctrlrange="-1 1"/><motor joint="z" gear="1e-9"/>
<general joint="y" dyntype="integrator"/></actuator></mujoco>"""


@pytest.mark.parametrize("value", [np.nan, np.inf, 2e10, -1e11, 9e9])
@pytest.mark.parametrize(
    "name", ["ctrl", "act", "mocap_pos", "mocap_quat", "qacc_warmstart", "qfrc_applied", "xfrc_applied"]
)
@pytest.mark.parametrize("physics", ["native", "library"])
def test_bad_inputs_have_the_librarys_results(physics, name, value):
    model = mujoco.MjModel.from_xml_string(INPUTS)
    field = getattr(batch.Batch(model, 1), name)[0]
    simulations = batch.Batch(model, field.size, 1, physics=physics)
    for sim in range(field.size):
        getattr(simulations, name)[sim].flat[sim] = value
    assert_steps_equal(simulations, 3)


@pytest.mark.parametrize("value", [np.nan, np.inf, 2e10])
@pytest.mark.parametrize("angle", [0.3, 0.6])
def test_bad_accelerations_of_the_warm_start_have_the_librarys_results(value, angle):
    simulations = batch.Batch(HINGES, 2, 1)
    simulations.qpos[:] = angle
    np.fill_diagonal(simulations.qacc_warmstart, value)
    assert_steps_equal(simulations, 2)


@pytest.mark.parametrize("place", [1e6, 1e8, 1e9])
def test_far_simulations_have_the_librarys_results(place):
    xml = """<mujoco><option gravity="0 0 0"/><worldbody><body><freejoint/><geom type="box" size=".1 .1 .1"/>
    <body pos=".3 0 0"><joint/><geom size=".05"/><body pos=".1 0 0"><joint axis="0 1 0"/>
    <geom type="box" size=".15 .1 .1" pos="-.2 0 0"/></body></body></body></worldbody></mujoco>"""
    simulations = batch.Batch(xml, 16, 1)
    simulations.qpos[:, 0] = place * np.linspace(1, 1.5, 16)
    simulations.qpos[:, 7:] = np.random.default_rng(0).uniform(-1, 1, (16, 2))
    assert_steps_equal(simulations)


@pytest.mark.parametrize("physics", ["native", "library"])
def test_rollouts_stop_at_each_reset_of_a_simulation(physics):
    xml = '<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>'
    simulations = batch.Batch(xml, 3, 1, physics=physics)
    counts = simulations.warning[1, :, 1]
    for _ in range(3):
        simulations.qvel[1] = np.nan
        positions = simulations.rollout(6)["qpos"]
        assert (positions[1] == positions[1, :1]).all()
        assert counts.sum() == 1
    assert (positions[0, 1:] != positions[0, :-1]).any()


def own_pendulum(tmp_path, ctrlrange):
    """Writes a copy of gymnasium's inverted pendulum whose actuator has other limits, and returns its path."""
    source = (ASSETS / "inverted_pendulum.xml").read_text()
    assert source.count('ctrllimited="true" ctrlrange="-3 3"') == 1
    path = tmp_path / "pendulum.xml"
    path.write_text(source.replace('ctrllimited="true" ctrlrange="-3 3"', ctrlrange))
    return str(path)


@pytest.mark.parametrize("physics", ["auto", "libmujoco"])
@pytest.mark.parametrize("ctrlrange", ['ctrllimited="false"', 'ctrllimited="true" ctrlrange="-3 3"'])
def test_huge_actions_have_gymnasiums_results(tmp_path, ctrlrange, physics):
    path = own_pendulum(tmp_path, ctrlrange)
    env = gymnasium.make("InvertedPendulum-v5", xml_file=path)
    envs = envpool_rs.make_vec("InvertedPendulum-v5", num_envs=2, xml_file=path, physics=physics)
    for action in (0.5, 1e11, -1e11, 2.0):
        np.testing.assert_array_equal(env.reset(seed=3)[0], envs.reset(seed=3)[0][0])
        expected = env.step(np.array([action], np.float32))
        found = envs.step(np.full((2, 1), action, np.float32))
        for one, other in zip(expected[:4], found[:4], strict=True):
            np.testing.assert_array_equal(one, other[0])


#: A chain of two bodies and a box that fall on a floor, with the options, the joints and the contacts of each case.
FALL = """<mujoco><compiler autolimits="true"/><option timestep=".004">{option}</option>
<asset><hfield name="hills" nrow="3" ncol="3" elevation="0 1 0 1 2 1 0 1 0" size="2 2 .2 .1"/></asset>
<worldbody><geom {floor}/><body pos="0 0 .4"><joint {first}/>
<geom type="capsule" fromto="0 0 0 .3 0 0" size=".04" {contact}/>
<body pos=".3 0 0"><joint {second}/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".05" {contact}/></body></body>
<body pos=".2 .1 .8"><joint type="free" {free}/><geom type="box" size=".1 .08 .06" {contact}/></body>
</worldbody></mujoco>"""
PLAIN = {
    "option": "",
    "floor": 'type="plane" size="5 5 1"',
    "first": 'axis="0 1 0" range="-70 70" damping=".5"',
    "second": 'axis="0 0 1" frictionloss=".1"',
    "contact": "",
    "free": "",
}
PARTS = {
    "eulerdamp": {"option": '<flag eulerdamp="disable"/>'},
    "nativeccd": {"option": '<flag nativeccd="disable"/>'},
    "multiccd": {"option": '<flag multiccd="disable"/>'},
    "frictionloss": {"option": '<flag frictionloss="disable" equality="disable"/>'},
    "ball": {"first": 'type="ball" damping=".1"', "second": 'type="ball" pos=".02 0 0" armature=".01"'},
    "ball limit": {"first": 'type="ball" range="0 40" margin=".1"', "second": 'type="ball" range="0 20"'},
    "ball spring": {"first": 'type="ball" stiffness="8" frictionloss=".1"', "free": 'stiffness="20"'},
    "slope": {"floor": 'type="plane" size="5 5 1" euler="20 -15 40"'},
    "moving plane": {"contact": 'friction=".6"/><geom type="plane" size="1 1 1" pos="0 0 -.2"'},
    "hills": {"floor": 'type="hfield" hfield="hills" pos="0 0 -.1"'},
    "stiffness": {
        "contact": 'solref="-3000 -60" solmix="2"',
        "first": 'axis="0 1 0" range="-70 70" solreflimit="-900 -9"',
    },
    "sigmoid": {"contact": 'solimp=".5 .95 .01 .4 4.5"', "first": 'axis="0 1 0" range="-70 70" solimplimit=".5 .9 0"'},
}


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("part", PARTS)
def test_models_with_a_part_step_natively_and_exactly(part, integrator):
    xml = FALL.format(**PLAIN | PARTS[part])
    try:
        model = mujoco.MjModel.from_xml_string(xml)
    except ValueError as error:
        pytest.skip(f"this version of mujoco has no such part: {error}")
    model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    simulations = batch.Batch(model, 24, 1)
    if integrator == "implicitfast" and simulations.physics == "library":
        assert "a free body" in simulations.why[0]
        return
    assert simulations.why == []
    random = np.random.default_rng(2)
    simulations.qpos[:] += random.uniform(-0.3, 0.3, simulations.qpos.shape)
    simulations.qvel[:] = random.normal(size=simulations.qvel.shape)
    for _ in range(10):
        assert_steps_equal(simulations, 20)
    assert simulations.left_to_library < 0.3 * 24 * 200


#: Balls of six trees that touch one another, so that more islands can form than a list of all of them could hold.
PILE = "<mujoco><worldbody><geom type='plane' size='5 5 1'/>{}</worldbody></mujoco>".format(
    "".join(
        f"<body pos='{0.11 * (n % 3)} {0.12 * (n // 3)} .1'><freejoint/><geom size='.06'/></body>" for n in range(6)
    )
)


def test_many_trees_form_any_islands():
    simulations = batch.Batch(mujoco.MjModel.from_xml_string(PILE), 32, 1, physics="native")
    random = np.random.default_rng(3)
    simulations.qpos[:] += random.uniform(-0.03, 0.03, simulations.qpos.shape)
    simulations.qvel[:] = random.normal(size=simulations.qvel.shape)
    for _ in range(12):
        assert_steps_equal(simulations, 15)
    assert simulations.left_to_library < 32 * 9


#: A body with a ball joint below a free one, sites, and a crank with a slider.
DRIVEN = """<mujoco><option integrator="{integrator}" timestep=".003"/><worldbody><geom type="plane" size="5 5 1"/>
<body pos="0 0 .6"><freejoint name="free"/><geom type="box" size=".1 .1 .03"/>
<site name="rotor" pos=".1 .1 0" euler="5 0 9"/>
<body pos=".1 0 0"><joint name="ball" type="ball" pos=".01 0 0"/><geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
<site name="tip" pos=".3 0 .02"/></body></body>
<body pos="2 0 1"><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .2 0 0" size=".02"/>
<site name="pin" pos=".2 0 0"/>
</body><body pos="2.7 0 1"><joint type="slide" axis="1 0 0" damping="5"/><geom size=".05"/>
<site name="slider" euler="0 -90 0"/></body><site name="fixed"/></worldbody>
<actuator><position site="fixed" gear="0 0 1"/><motor site="rotor" gear="0 0 8 0 0 .1"/>
<position site="tip" gear="1 2 .5 .1 .1 0" kp="3"/>
<motor joint="free" gear="1 2 3 .1 .2 .3"/><general jointinparent="free" gear="0 1 0 .3 0 0" gainprm="2"/>
<general joint="ball" gear="1 .5 -.2" gainprm="3" biastype="affine" biasprm=".1 0 {bias}"/>
<motor jointinparent="ball" gear=".4 0 1"/>
<position cranksite="pin" slidersite="slider" cranklength="{rod}" kp="20" gear="-1.5"/></actuator></mujoco>"""


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicitfast"])
@pytest.mark.parametrize("rod", [0.7, 0.1])
def test_wrenches_and_cranks_are_native_and_exact(integrator, rod):
    bias = 0 if integrator == "implicitfast" else -0.005
    xml = DRIVEN.format(integrator=integrator, rod=rod, bias=bias)
    simulations = batch.Batch(mujoco.MjModel.from_xml_string(xml), 19, 1, physics="native")
    if rod < 0.5:
        # The values of each simulation are those of the model.
        simulations.expand("actuator_biasprm")
    random = np.random.default_rng(4)
    simulations.qpos[:] += random.uniform(-0.2, 0.2, simulations.qpos.shape)
    simulations.qvel[:] = random.normal(size=simulations.qvel.shape)
    for _ in range(10):
        simulations.ctrl[:] = random.uniform(-1, 1, simulations.ctrl.shape)
        assert_steps_equal(simulations, 15)
    assert simulations.left_to_library < 19 * 60


@pytest.mark.parametrize("joint", ["ball", "free"])
def test_a_quaternion_without_length_is_the_identity(joint):
    body = f'<body><joint type="{joint}"/><geom type="box" size=".1 .2 .3"/></body>'
    xml = f"<mujoco><worldbody>{body}</worldbody></mujoco>"
    quaternions = [(1e-16, 1e-16, 0, 0), (0, 9.99e-16, 0, 0), (0, 0, 0, 1e-16), (0, 0, 0, 0), (1e-14, 0, 1e-14, 0)]
    simulations = batch.Batch(mujoco.MjModel.from_xml_string(xml), len(quaternions), 1, physics="native")
    simulations.qpos[:, -4:] = quaternions
    assert_steps_equal(simulations)
    assert simulations.left_to_library == 0


def test_a_negative_zero_of_a_position_becomes_positive():
    xml = '<mujoco><worldbody><body pos="0 0 1"><joint axis="0 1 0"/><geom size=".05"/></body></worldbody></mujoco>'
    simulations = batch.Batch(mujoco.MjModel.from_xml_string(xml), 3, 1, physics="native")
    simulations.expand("body_pos")[:] *= -1
    xpos = simulations.bind("xpos")
    model = simulations.get_model(0)
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    simulations.step()
    assert xpos[0].tobytes() == data.xpos.tobytes()


@pytest.mark.parametrize("side", [7, np.inf])
def test_a_side_site_that_does_not_exist_is_left_to_the_library(side):
    xml = """<mujoco><worldbody><site name="a" pos="-.3 0 .1"/><geom name="g" type="sphere" size=".1"/>
    <body pos=".3 0 0"><joint axis="0 1 0"/><geom size=".05"/><site name="b"/><site name="d" pos="-.3 0 .2"/></body>
    </worldbody>
    <tendon><spatial><site site="a"/><geom geom="g" sidesite="d"/><site site="b"/></spatial></tendon></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    model.wrap_prm[1] = side
    assert any("wrap_prm" in reason for reason in batch.Batch(model, 1, 1).why)
