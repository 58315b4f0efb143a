"""Tests of model fields with a value for each simulation: native steps equal those of MuJoCo's library and of
`mujoco.batch` bit for bit.
"""

import subprocess
import sys
import textwrap
from pathlib import Path

import gymnasium
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

batch = pytest.importorskip("envpool_rs.batch")

ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"

#: Two legs with elliptic friction cones, friction in the joints, servos and boxes, on a static body.
SERVOS = """<mujoco><option timestep=".004" integrator="{integrator}" cone="{cone}"/>
<default><geom condim="{condim}" friction="1 .02 .01"/><joint damping=".5" armature=".02" frictionloss=".05"/></default>
<worldbody><geom type="plane" size="5 5 1"/>
<body name="base" pos="0 0 -.2"><geom name="step" type="box" size=".4 .4 .22"/></body>
<body name="trunk" pos="0 0 .45"><freejoint/><geom type="capsule" size=".08 .15"/><site name="head" pos="0 0 .2"/>
<body name="thigh" pos=".1 0 -.1"><joint name="hip" axis="0 1 0" range="-60 60"/>
<geom type="capsule" size=".04" fromto="0 0 0 .1 0 -.15"/>
<body name="foot" pos=".1 0 -.15"><joint name="ankle" axis="0 1 0"/><geom type="sphere" size=".06"/></body></body>
<body name="arm" pos="-.1 .1 .1" euler="20 0 10"><joint name="elbow" axis="0 0 1"/>
<geom type="box" size=".04 .12 .04" pos="0 .12 0"/></body></body></worldbody>
<actuator><position joint="hip" kp="20" kv="1"/><motor joint="ankle" gear="3"/><position joint="elbow" kp="5"/>
</actuator></mujoco>"""

FIELDS = (
    "opt.gravity",
    "body_pos",
    "body_quat",
    "body_mass",
    "body_inertia",
    "geom_friction",
    "site_pos",
    "dof_damping",
    "dof_armature",
    "dof_frictionloss",
    "actuator_gainprm",
    "actuator_biasprm",
)

MODELS = {
    **{
        name: (lambda name=name: mujoco.MjModel.from_xml_path(str(ASSETS / f"{name}.xml")))
        for name in ("half_cheetah", "hopper", "ant", "humanoid")
    },
    **{
        f"{integrator} {cone} {condim}": (
            lambda integrator=integrator, cone=cone, condim=condim: mujoco.MjModel.from_xml_string(
                SERVOS.format(integrator=integrator, cone=cone, condim=condim)
            )
        )
        for integrator, cone, condim in [
            ("Euler", "elliptic", 3),
            ("implicitfast", "elliptic", 4),
            ("implicitfast", "pyramidal", 6),
            ("RK4", "pyramidal", 3),
        ]
    },
}


def randomize(simulations, fields, seed=1):
    """Gives each simulation its own values of the fields."""
    random = np.random.default_rng(seed)
    for name in fields:
        values = simulations.expand(name)
        shape = values.shape
        if name == "opt.gravity":
            # Planar robots move in the plane of x and z only.
            values[:] += random.normal(size=shape) * [0.5, 0.0, 1.0]
        elif name == "body_quat":
            values[:] += 0.02 * random.normal(size=shape) * [0.0, 0.0, 1.0, 0.0]
            values /= np.linalg.norm(values, axis=-1, keepdims=True)
        elif name in ("body_pos", "site_pos"):
            values[:] += 0.01 * random.normal(size=shape)
        else:
            values[:] *= random.uniform(0.6, 1.5, size=shape)
    if "dof_damping" in fields:
        simulations.expand("dof_damping")[::3] = 0.0


def drive(simulations, steps, seed=2):
    """Steps the simulations with random controls, and returns their states after each call."""
    random, model, states = np.random.default_rng(seed), simulations.model, []
    simulations.qvel[:] = 0.1 * random.normal(size=simulations.qvel.shape)
    for _ in range(steps):
        simulations.ctrl[:] = random.uniform(-1, 1, size=(simulations.nsim, model.nu))
        simulations.step(nstep=2)
        states.append(simulations.state.copy())
    return np.array(states)


def randomized(model, nsim, fields, **options):
    simulations = batch.Batch(model, nsim, nthread=2, **options)
    randomize(simulations, fields)
    return simulations


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("fields", [("body_mass", "geom_friction"), FIELDS], ids=["two", "all"])
def test_native_steps_with_expanded_fields_equal_the_librarys(name, fields):
    model = MODELS[name]()
    fields = [field for field in fields if field == "opt.gravity" or getattr(model, field).size]
    native, library = (randomized(model, 13, fields, physics=physics) for physics in ("native", "library"))
    for each in (native, library):
        each.bind("xpos")
        each.bind("site_xpos")
    found, expected = drive(native, 150), drive(library, 150)
    assert native.why == []
    assert native.physics == "native"
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(native.xpos, library.xpos)
    np.testing.assert_array_equal(native.site_xpos, library.site_xpos)
    assert native.left_to_library < 0.02 * 13 * 300
    assert len(np.unique(found[-1, :, 1])) == 13


@pytest.mark.parametrize("name", ["hopper", "humanoid", "Euler elliptic 3"])
def test_native_steps_with_expanded_fields_equal_those_of_mujocos_batch(name):
    mujoco_batch = pytest.importorskip("mujoco.batch")
    model = MODELS[name]()
    native, theirs = randomized(model, 9, FIELDS, physics="native"), mujoco_batch.Batch(model, 9)
    randomize(theirs, FIELDS)
    found, expected = drive(native, 100), drive(theirs, 100)
    np.testing.assert_array_equal(found, expected)
    assert native.left_to_library < 0.02 * 9 * 200


@pytest.mark.parametrize("name", ["hopper", "ant", "implicitfast elliptic 4"])
def test_steps_stay_native_after_set_const(name):
    model, states = MODELS[name](), []
    for physics in ("native", "library"):
        simulations = randomized(model, 10, ["body_mass", "body_inertia", "dof_armature"], physics=physics)
        simulations.set_const()
        assert not np.array_equal(simulations.expanded("body_invweight0")[0], model.body_invweight0)
        states.append(drive(simulations, 100))
        assert simulations.physics == physics
        assert (simulations.left_to_library < 0.02 * 10 * 200) == (physics == "native")
    np.testing.assert_array_equal(states[0], states[1])


def test_rollouts_with_expanded_fields_are_native():
    model, records = MODELS["ant"](), []
    control = np.random.default_rng(3).uniform(-1, 1, size=(6, 40, model.nu))
    for physics in ("native", "library"):
        simulations = randomized(model, 6, ["body_mass", "dof_damping"], physics=physics)
        records.append(simulations.rollout(40, control, record=("qpos", "xpos")))
        assert (simulations.left_to_library == 0) == (physics == "native")
    for name in ("qpos", "xpos"):
        np.testing.assert_array_equal(records[0][name], records[1][name])


def test_why_names_the_expanded_fields_without_lanes_and_no_others():
    native = batch.Batch(MODELS["hopper"](), 3, physics="native")
    native.expand("body_mass")
    native.expand("geom_rgba")
    native.expand("cam_pos")
    assert (native.physics, native.why) == ("native", [])
    native.expand("jnt_range")
    native.expand("opt.timestep")
    assert native.why == [f"{name} has values for each simulation" for name in ("jnt_range", "opt.timestep")]
    native.step()
    assert (native.physics, native.left_to_library) == ("library", 3)

    swimmer = batch.Batch(mujoco.MjModel.from_xml_path(str(ASSETS / "swimmer.xml")), 3)
    swimmer.expand("body_mass")
    assert swimmer.why == ["body_mass has values for each simulation, and the medium has viscosity or density"]


def test_the_library_steps_simulations_whose_values_have_no_lanes():
    model, states = MODELS["Euler elliptic 3"](), []
    ball = model.geom("step").id
    for physics in ("native", "library"):
        simulations = batch.Batch(model, 5, physics=physics)
        simulations.expand("geom_pos")[2, ball] = [0.0, 0.0, 0.01]
        simulations.expand("dof_frictionloss")[3] = 0.0
        states.append(drive(simulations, 30))
        assert simulations.physics == physics
        assert simulations.left_to_library == (2 * 60 if physics == "native" else 5 * 60)
    np.testing.assert_array_equal(states[0], states[1])


#: Explicit pairs: with other friction along both tangents, with all parameters, between a body and its parent, and one
#: pair of boxes that are also a pair by their types.
PAIRS = """<mujoco><option timestep=".004" cone="{cone}"/>
<worldbody><geom name="floor" type="plane" size="5 5 1"/>
<body name="trunk" pos="0 0 .3"><freejoint/><geom name="trunk" type="box" size=".1 .1 .05" contype="0" conaffinity="0"/>
<body pos="0 .1 .1"><joint name="j" axis="1 0 0" range="-120 120"/>
<geom name="lid" type="capsule" size=".03" fromto="0 -.1 0 .1 .1 0" contype="0" conaffinity="0"/></body></body>
<body pos=".05 0 .6"><freejoint/><geom name="ball" size=".06"/></body>
<body pos="-.05 .05 .8"><freejoint/><geom name="crate" type="box" size=".05 .06 .04"/></body></worldbody>
<contact><pair geom1="floor" geom2="trunk" condim="3" friction=".4 .4 .01 .01 .01" solref=".03 1.2"/>
<pair geom1="trunk" geom2="lid" condim="1" margin=".01"/>
<pair geom1="trunk" geom2="ball" condim="4" friction=".7 .2 .05 .01 .01" solimp=".8 .9 .01"/>
<pair geom1="crate" geom2="ball" condim="6" friction=".5 .5 .02 .03 .04"/>
<pair geom1="floor" geom2="crate" condim="3" friction=".2 .9 .02 .03 .04"/></contact>
<actuator><motor joint="j" gear=".3"/></actuator></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("fields", [(), ("geom_friction", "body_mass", "body_pos")], ids=["none", "some"])
def test_explicit_pairs_have_their_own_parameters(cone, fields):
    model, states = mujoco.MjModel.from_xml_string(PAIRS.format(cone=cone)), []
    for physics in ("native", "library"):
        simulations = randomized(model, 9, fields, physics=physics)
        states.append(drive(simulations, 300))
        assert simulations.physics == physics
        assert (simulations.left_to_library < 0.05 * 9 * 600) == (physics == "native")
    np.testing.assert_array_equal(states[0], states[1])


def test_the_library_steps_simulations_while_bodies_with_other_inertial_frames_touch():
    model, states = MODELS["Euler elliptic 3"](), []
    for physics in ("native", "library"):
        simulations = randomized(model, 8, ["body_ipos", "body_mass"], physics=physics)
        simulations.expand("body_ipos")[:] = model.body_ipos
        simulations.expand("body_ipos")[2:, model.body("trunk").id] += [0.01, 0.0, 0.02]
        simulations.expand("body_ipos")[5:, model.body("foot").id] += [0.0, 0.01, 0.0]
        states.append(drive(simulations, 100))
        assert simulations.physics == physics
        if physics == "native":
            assert 200 < simulations.left_to_library < 0.7 * 8 * 200
    np.testing.assert_array_equal(states[0], states[1])


#: Parts of models whose effect the native stepper does not compute, with the reasons that name them.
REFUSED = {
    "adhesion": ('<contact><pair geom1="f" geom2="g" adhesion="5"/></contact>', "shapes that stick"),
    "history": ('<actuator><motor joint="j" nsample="5"/></actuator>', "actuators or sensors that are late"),
    "memory": ('<size memory="20K"/>', "an arena of 20480 bytes (<size memory>)"),
    "disabled": ('<option><flag warmstart="disable"/></option>', '<flag warmstart="disable"/>'),
    "enabled": ('<option><flag override="enable"/></option>', '<flag override="enable"/>'),
}

SWING = """<mujoco><worldbody><geom name="f" type="plane" size="5 5 1"/><body pos="0 0 1">
<joint name="j" axis="0 1 0" damping="2"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05" mass="1"/></body>
<body pos="3 0 .1"><freejoint/><geom name="g" size=".1"/></body></worldbody>{}</mujoco>"""


@pytest.mark.parametrize("part", REFUSED)
def test_models_with_parts_that_no_reader_knows_are_the_librarys(part):
    text, reason = REFUSED[part]
    try:
        model = mujoco.MjModel.from_xml_string(SWING.format(text))
    except ValueError as error:
        pytest.skip(f"this version of mujoco has no such part: {error}")
    refused = batch.Batch(model, 2)
    assert refused.physics == "library"
    assert [why for why in refused.why if why.startswith(reason)], refused.why
    assert batch.Batch(mujoco.MjModel.from_xml_string(SWING.format("")), 2).why == []


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("geom_contype", 4, "body_contype"),
        ("geom_margin", 0.2, "body_margin"),
        ("geom_size", 0.5, "geom_rbound"),
        ("geom_pos", 0.3, "bvh_aabb"),
    ],
)
def test_fields_that_were_changed_after_compilation_without_those_computed_from_them_are_refused(field, value, reason):
    model = mujoco.MjModel.from_xml_string(SWING.format(""))
    getattr(model, field)[-1] = value
    refused = batch.Batch(model, 2)
    assert [why for why in refused.why if reason in why], refused.why


def test_structural_fields_are_not_expanded():
    model = MODELS["Euler elliptic 3"]()
    simulations = batch.Batch(model, 2)
    for name in ("jnt_qposadr", "dof_parentid", "body_parentid", "geom_type", "actuator_trnid", "M_rowadr"):
        assert name not in batch.MODEL_FIELDS
        with pytest.raises(ValueError, match=f"{name} is structural .*: it cannot differ between simulations"):
            simulations.expand(name)
    assert {"geom_contype", "jnt_limited", "opt.iterations", "body_mass"} <= batch.MODEL_FIELDS


def test_any_numbers_in_expanded_fields_of_integers_are_safe():
    program = """
    import mujoco, numpy as np
    from envpool_rs import batch
    model = mujoco.MjModel.from_xml_string({text!r})
    random = np.random.default_rng(0)
    for name in sorted(batch.MODEL_FIELDS):
        simulations = batch.Batch(model, 8, nthread=1, physics="library")
        values = simulations.expand(name)
        if values.size and values.dtype.kind in "iu":
            info = np.iinfo(values.dtype)
            values[:] = random.choice([info.min, -1, 0, 1, 2, 3, 7, 100, info.max], values.shape).astype(values.dtype)
            for _ in range(3):
                try:
                    simulations.step()
                    simulations.set_const()
                except batch.SimulationError:
                    pass
    print("safe")
    """
    text = SERVOS.format(integrator="implicitfast", cone="elliptic", condim=4).replace(
        "<actuator>", '<equality><connect body1="arm" body2="foot" anchor="0 0 0"/></equality><actuator>'
    )
    code = textwrap.dedent(program.format(text=text))
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=False)
    assert ran.stdout.endswith("safe\n"), ran


def test_equality_constraints_of_another_type_are_errors():
    text = SWING.format('<equality><joint joint1="j" active="true"/></equality>')
    simulations = batch.Batch(mujoco.MjModel.from_xml_string(text), 3)
    simulations.expand("eq_type")[1] = int(mujoco.mjtEq.mjEQ_TENDON)
    with pytest.raises(batch.SimulationError, match=r"eq_type\[0\]=3: expected 2") as raised:
        simulations.step()
    assert list(raised.value.ids) == [1]


def test_physics_and_why_tell_that_all_simulations_have_values_without_native_steps():
    model = MODELS["Euler elliptic 3"]()
    simulations = batch.Batch(model, 4)
    positions = simulations.expand("geom_pos")
    assert (simulations.physics, simulations.why) == ("native", [])
    positions[1, model.geom("step").id, 2] += 0.01
    reason = "geom_pos has values for each simulation that have no native step"
    assert (simulations.physics, simulations.why) == ("native", [f"{reason}: 1 of 4 simulations"])
    positions[:, model.geom("step").id, 2] += 0.01
    assert (simulations.physics, simulations.why) == ("library", [f"{reason}: 4 of 4 simulations"])
    simulations.step()
    assert simulations.left_to_library == 4
    positions[:] = model.geom_pos
    simulations.qfrc_applied[:] = 1.0
    assert simulations.physics == "library"
    assert "qfrc_applied" in simulations.why[0]
    simulations.qfrc_applied[:] = 0.0
    assert (simulations.physics, simulations.why) == ("native", [])


@pytest.mark.parametrize(
    ("name", "field", "read"),
    [
        # Steps depend on these constants, which only some versions of MuJoCo compute, or only older solvers read.
        ("humanoid", "body_mass", {"stat.meaninertia"}),
        ("half_cheetah", "body_ipos", {"bvh_aabb", "geom_sameframe"}),
    ],
)
def test_constants_that_no_step_reads_do_not_bar_native_steps(name, field, read):
    states = []
    for physics in ("native", "library"):
        simulations = batch.Batch(MODELS[name](), 9, physics=physics)
        values = simulations.expand(field)
        values *= np.linspace(0.9, 1.1, 9).reshape(-1, *[1] * (values.ndim - 1))
        simulations.set_const()
        states.append(drive(simulations, 30))
        if physics == "native":
            assert {reason.split()[0] for reason in simulations.why} <= read
            assert simulations.physics == ("library" if simulations.why else "native")
    np.testing.assert_array_equal(states[0], states[1])


def test_the_library_steps_simulations_whose_constraints_might_not_fit_into_the_arena():
    feet = "".join(f'<geom size=".1" pos="{x} {y} 0"/>' for x in (-1, 0, 1) for y in (-1, 0, 1))
    text = f"""<mujoco><size memory="100K"/><worldbody><geom type="plane" size="9 9 1"/>
    <body pos="0 0 3"><freejoint/>{feet}</body></worldbody></mujoco>"""
    states = []
    for physics in ("native", "library"):
        simulations = batch.Batch(mujoco.MjModel.from_xml_string(text), 3, physics=physics)
        simulations.qpos[0, 2] = 0.09
        simulations.step(nstep=5)
        states.append(simulations.state.copy())
        # Simulations in one register are left together.
        assert 5 <= simulations.left_to_library <= 15
    np.testing.assert_array_equal(states[0], states[1])
