"""Tests of `envpool_rs.Batch` by MuJoCo's own tests of `mujoco.batch`, and by comparison with loops over one `MjData`
for each simulation.
"""

import copy
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import types
import unittest
from pathlib import Path

import gymnasium
import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")

batch = pytest.importorskip("envpool_rs.batch")

ASSETS = Path(gymnasium.__file__).parent / "envs/mujoco/assets"
NATIVE_FIELDS = ("xpos", "cvel", "cinert", "xipos", "site_xpos", "qfrc_actuator", "qfrc_constraint")
LIBRARY_FIELDS = ("xquat", "qacc", "ncon", "subtree_com")

#: Tests in MuJoCo's test file that `envpool_rs.Batch` cannot pass, with the reasons.
NOT_RUN = {
    "test_python_callbacks_rejected": "it calls no C callbacks, and refuses them by name as well",
    "test_callbacks_checked_on_construction": "as above",
    "test_expand_bvh_without_body_hierarchies": "it calls a private method of mujoco 3.17's batch",
}

#: int32, but not numpy's own dtype object.
MARKED = np.zeros(5, np.dtype("int32", metadata={"unit": "body"}))

PENDULUM = """<mujoco><option timestep=".01"/><worldbody><body><joint name="j" axis="0 1 0" damping=".1"/>
<geom type="capsule" fromto="0 0 0 0 0 -1" size=".05"/></body></worldbody>
<actuator><motor name="m" joint="j"/></actuator></mujoco>"""

STIFF = """<mujoco><option integrator="implicit" wind="1 0 0"><flag multiccd="enable"/></option><worldbody>
<body mocap="true"><geom size=".1"/></body>
<body gravcomp="1"><joint type="ball"/><geom size=".1"/></body></worldbody></mujoco>"""


def robot(name):
    return mujoco.MjModel.from_xml_path(str(ASSETS / f"{name}.xml"))


def test_mujocos_own_tests_pass_with_another_import():
    path = Path(mujoco.__file__).with_name("batch_test.py")
    if not path.exists():
        pytest.skip("this version of mujoco has no batch")
    source = path.read_text(encoding="utf-8")
    replaced = source.replace("from mujoco import batch\n", "from envpool_rs import batch\n")
    assert replaced != source
    module = types.ModuleType("mujoco_batch_test")
    sys.modules[module.__name__] = module
    try:
        exec(compile(replaced, str(path), "exec"), module.__dict__)
        tests = [
            test
            for suite in unittest.defaultTestLoader.loadTestsFromModule(module)
            for test in suite
            if test.id().rpartition(".")[2] not in NOT_RUN
        ]
        result = unittest.TestResult()
        unittest.TestSuite(tests).run(result)
    finally:
        del sys.modules[module.__name__]
    assert len(tests) > 40
    assert [*result.failures, *result.errors] == []


@pytest.mark.parametrize("name", ["half_cheetah", "hopper", "ant", "humanoid", "inverted_double_pendulum"])
@pytest.mark.parametrize("fields", [(), NATIVE_FIELDS, NATIVE_FIELDS + LIBRARY_FIELDS])
def test_each_simulation_equals_a_loop_over_its_own_data(name, fields):
    model, nsim = robot(name), 11
    simulations = batch.Batch(model, nsim, 2)
    bound = [(field, simulations.bind(field)) for field in fields]
    datas = [mujoco.MjData(model) for _ in range(nsim)]
    random = np.random.default_rng(0)
    speeds = random.normal(size=(nsim, model.nv)) * np.geomspace(0.01, 10, nsim)[:, None]
    simulations.qvel = speeds
    for data, speed in zip(datas, speeds, strict=True):
        data.qvel[:] = speed
    for call in range(40):
        controls = random.uniform(-1.2, 1.2, (nsim, model.nu))
        simulations.ctrl = controls
        ids = None if call % 3 else np.arange(call % 5, nsim, 2)
        count, stage = 1 + call % 3, [0, 0, 0, 3, 0, 2, 0, 1][call % 8]
        simulations.step(ids, count, stage)
        for sim in range(nsim) if ids is None else ids:
            data = datas[sim]
            data.ctrl[:] = controls[sim]
            for _ in range(count):
                mujoco.mj_step(model, data)
            advance(model, data, stage)
            for field, rows in bound:
                np.testing.assert_array_equal(rows[sim], getattr(data, field), f"{field} of call {call}")
        for data, control in zip(datas, controls, strict=True):
            data.ctrl[:] = control
        np.testing.assert_array_equal(simulations.state, states(model, datas))
    assert simulations.physics == "native"
    if fields == ():
        # In calls with a `stage` before the last, MuJoCo's library takes one step.
        assert 0 < simulations.left_to_library < nsim * 40


def advance(model, data, stage):
    """Computes the stages of `mj_forward` up to `stage` for one `MjData`."""
    if stage == 3:
        mujoco.mj_forward(model, data)
        return
    for last, functions in ((1, "mj_fwdPosition mj_sensorPos"), (2, "mj_fwdVelocity mj_sensorVel")):
        if stage >= last:
            for function in functions.split():
                getattr(mujoco, function)(model, data)


def states(model, datas):
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    rows = np.empty((len(datas), mujoco.mj_stateSize(model, spec)))
    for row, data in zip(rows, datas, strict=True):
        mujoco.mj_getState(model, data, row, spec)
    return rows


def test_results_do_not_depend_on_threads_or_stepper():
    model = robot("ant")
    found = []
    for nthread, physics in ((1, "native"), (3, "native"), (2, "library")):
        simulations = batch.Batch(model, 70, nthread, physics=physics)
        simulations.qvel = np.random.default_rng(1).normal(size=(70, model.nv))
        for _ in range(5):
            simulations.ctrl = np.linspace(-1, 1, 70)[:, None]
            simulations.step(nstep=70)
        found.append(simulations.state.copy())
        assert simulations.physics == physics
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_why_has_all_refusals_and_left_to_library_counts_steps():
    simulations = batch.Batch(STIFF, 3)
    assert simulations.physics == "library"
    assert {"an implicit integrator", "wind (<option wind>)"} <= {*simulations.why}
    simulations.step(nstep=7)
    assert simulations.left_to_library == 3 * 7
    with pytest.raises(ValueError, match=r"^physics='native': expected 'auto' or 'library' for this model: .*; .*"):
        batch.Batch(STIFF, 3, physics="native")

    native = batch.Batch(PENDULUM, 4)
    assert (native.physics, native.why) == ("native", [])
    native.step(nstep=5)
    assert native.left_to_library == 0
    native.bind("xpos")
    native.bind("qacc")
    assert ["qacc" in reason for reason in native.why] == [True]
    native.step(nstep=5)
    assert native.left_to_library == 4
    native.expand("jnt_range")
    native.step(nstep=5)
    assert native.left_to_library == 4 + 4 * 5
    assert native.physics == "library"


@pytest.mark.parametrize("physics", ["native", "library"])
def test_unstable_simulations_raise_and_keep_their_states(physics):
    simulations = batch.Batch(PENDULUM, 9, physics=physics, unstable="raise")
    simulations.qvel[4] = np.inf
    simulations.ctrl[6] = np.nan
    before = simulations.state.copy()
    with pytest.raises(batch.SimulationError, match=r"2 of 9 simulations \(4, 6\); simulation 4: .*QVEL") as raised:
        simulations.step(nstep=2)
    assert raised.value.ids.tolist() == [4, 6]
    assert simulations.status.tolist() == [0, 0, 0, 0, 1, 0, 1, 0, 0]
    np.testing.assert_array_equal(simulations.state[[4, 6]], before[[4, 6]])
    assert (np.delete(simulations.time, [4, 6]) == 0.02).all()
    assert simulations.error(4) != ""
    simulations.reset([4, 6])
    simulations.step()
    assert simulations.status.sum() == 0

    silent = batch.Batch(PENDULUM, 9, physics=physics)
    silent.qvel[4] = np.inf
    silent.step(nstep=2)
    assert silent.warning[4, int(mujoco.mjtWarning.mjWARN_BADQVEL), 1] == 1
    assert silent.warning[3].sum() == 0


MODEL = mujoco.MjModel.from_xml_string(PENDULUM)


def test_copies_of_named_objects_are_of_the_same_batch():
    simulations = batch.Batch(MODEL, 3)
    copied = copy.copy(simulations.joint("j"))
    copied.qpos = [[1], [2], [3]]
    assert simulations.qpos.tolist() == [[1], [2], [3]] and copied.name == "j"
    with pytest.raises(AttributeError, match="_hidden is not a field"):
        _ = copied._hidden
    for call in (copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="MujocoBatch"):
            call(copied)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((7, 1), TypeError, "^model=7: expected an MjModel, a path or XML text$"),
        ((MODEL, 0), ValueError, "^nsim=0: expected 1 to"),
        ((MODEL, 2.5), TypeError, "^nsim=2.5: expected an int$"),
        ((MODEL, 2**31), ValueError, "^nsim=2147483648: expected 1 to"),
        ((MODEL, 2**31 - 1), MemoryError, "nsim=2147483647 takes .* MiB, which this machine does not have$"),
        ((MODEL, 2, -1), ValueError, "^nthread=-1: expected 0 to 4096$"),
        ((MODEL, 2, 1, 3), TypeError, "^persistent=3: expected a bool$"),
        (("<mujoco><worldbody><geom/></worldbody></mujoco>", 2), ValueError, "size"),
        (("/nowhere.xml", 2), ValueError, "^model='/nowhere.xml': .*nowhere"),
        (("/nowhere.mjb", 2), ValueError, "^model='/nowhere.mjb': "),
        (("\udc80.xml", 2), ValueError, r"^model='\\udc80.xml': expected text that UTF-8 can hold$"),
        (("a\0.xml", 2), ValueError, r"^model='a\\x00.xml': expected a path without NUL$"),
        ((None, 2), TypeError, "^model=None: expected an MjModel, a path or XML text$"),
    ],
)
def test_bad_arguments_of_the_constructor_are_named(arguments, error, message):
    with pytest.raises(error, match=message):
        batch.Batch(*arguments)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda b: batch.Batch(MODEL, 2, physics="fast"), ValueError, "^physics='fast': expected 'auto', 'library' or"),
        (lambda b: batch.Batch(MODEL, 2, unstable=None), ValueError, "^unstable=None: expected 'raise' or 'reset'$"),
        (lambda b: b.step(nstep=-1), ValueError, "^nstep=-1: expected 0 to"),
        (lambda b: b.step(nstep=1.5), TypeError, "^nstep=1.5: expected an int$"),
        (lambda b: b.step(nstep=2**40), ValueError, "^nstep="),
        (lambda b: b.step(stage=4), ValueError, "^stage=4: expected 0 to 3$"),
        (lambda b: b.step(ids="all"), ValueError, "^ids has shape"),
        (lambda b: b.step(ids=[True]), ValueError, "boolean mask"),
        (lambda b: b.reset(keyframe=[1, 2, 3]), ValueError, "^keyframe must be in"),
        (lambda b: b.reset(keyframe=[-1, -1, -1]), ValueError, "^keyframe has shape"),
        (lambda b: b.rollout(-1), ValueError, "^nstep=-1"),
        (lambda b: b.rollout(2, np.zeros((9, 9))), ValueError, "^control has shape"),
        (lambda b: b.rollout(2, "x"), ValueError, "^control: expected numbers"),
        (lambda b: b.rollout(2, 0, control_spec=2), ValueError, "mjSTATE_USER"),
        (lambda b: b.rollout(2, control_spec=-1, control=1), ValueError, "^control_spec=-1"),
        (lambda b: b.rollout(2, record=(1 << 40,)), ValueError, "^record="),
        (lambda b: b.rollout(2, control_spec="x"), TypeError, "^control_spec='x': expected bits of mjtState$"),
        (lambda b: b.rollout(2, record=5), TypeError, "^record=5: expected a sequence of names"),
        (lambda b: b.rollout(2, record=[1.5]), TypeError, "^record=1.5: expected bits of mjtState$"),
        (lambda b: b.rollout(2, out=[1]), TypeError, r"^out=\[1\]: expected a dict of arrays"),
        (lambda b: b.set_models(5), TypeError, "^models=5: expected an MjModel, a sequence of them, or None$"),
        (lambda b: b.step(ids=[[0], [1, 2]]), ValueError, r"^ids=\[\[0\], \[1, 2\]\]: expected an array"),
        (lambda b: b.jac(0, [1, 2]), ValueError, "^point has shape"),
        (lambda b: b._core.jac(None, MARKED, np.zeros((5, 3)), None, None), TypeError, "^body: expected a contiguous"),
        (lambda b: b.ray([0, 0], [0, 0, 1]), ValueError, "pnt"),
        (lambda b: b.ray([0, 0, 1], [0, 0, 1], geomgroup=[1, 1]), ValueError, "^geomgroup: expected 6"),
        (lambda b: b.ray([0, 0, 1], [0, 0, 1], geomgroup=[300] * 6), ValueError, r"^geomgroup must be in \[0, 256\)"),
        (lambda b: b.ray([0, 0, 1], [0, 0, 1], geomgroup=[0.5] * 6), ValueError, "^geomgroup must be integers"),
        (lambda b: b.error(5), IndexError, r"^sim must be in \[0, 5\), got 5$"),
        (lambda b: b.error("x"), TypeError, "^sim='x': expected an int$"),
        (lambda b: b.get_data(0, mujoco.MjData(robot("ant"))), ValueError, "^data: expected an MjData"),
        (lambda b: b.get_model(0, robot("ant")), ValueError, "^model: expected a model of the same sizes"),
        (lambda b: b.set_models([1]), TypeError, r"^models\[0\]=1: expected an MjModel$"),
        (lambda b: b.set_models(robot("ant")), ValueError, "^models.0.: expected the sizes"),
        (lambda b: b.bind(3), TypeError, "^name=3: expected a str$"),
        (lambda b: b.bind("qpos", np.zeros(2)), ValueError, r"^dtype=array.*: expected np.float32, or None"),
        (lambda b: b.bind("qpos", "float3"), ValueError, r"^dtype='float3': expected np.float32, or None"),
        (lambda b: b.expand(["a"]), TypeError, "^name="),
        (lambda b: setattr(b, "qpos", np.zeros((3, 3))), ValueError, "broadcast"),
        (lambda b: setattr(b, "xpos", 0), ValueError, "^xpos is computed by every call"),
    ],
)
def test_bad_arguments_are_named_and_change_nothing(call, error, message):
    simulations = batch.Batch(MODEL, 5, 2)
    before = simulations.state.copy()
    with pytest.raises(error, match=message):
        call(simulations)
    np.testing.assert_array_equal(simulations.state, before)
    simulations.step()
    assert (simulations.time == 0.01).all()


def test_a_callback_is_refused_by_name():
    simulations = batch.Batch(MODEL, 2)
    mujoco.set_mjcb_control(lambda model, data: None)
    try:
        with pytest.raises(ValueError, match=r"^mjcb_control is set, and this batch calls no callbacks"):
            simulations.step()
    finally:
        mujoco.set_mjcb_control(None)


@pytest.mark.parametrize("physics", ["native", "library"])
def test_ctrl_c_ends_a_long_call(physics):
    simulations = batch.Batch(MODEL, 64, 2, physics=physics)
    before = simulations.state.copy()
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        simulations.step(nstep=2**31 - 1)
    timer.join()
    np.testing.assert_array_equal(simulations.state, before)
    simulations.step()
    assert (simulations.time == 0.01).all()


def test_other_threads_run_during_a_call_and_cannot_use_the_batch():
    simulations = batch.Batch(MODEL, 64, 2)
    found = []

    def other():
        while not found:  # until the main thread is in its call
            time.sleep(0.1)
            try:
                simulations.step()
            except RuntimeError as error:
                found.append(str(error))
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, other)
    with pytest.raises(KeyboardInterrupt):
        timer.start()
        simulations.step(nstep=2**31 - 1)
    timer.join()
    assert found == ["this batch is in use by another thread: use one thread, or a batch for each"]


@pytest.mark.parametrize("name", ["half_cheetah", "hopper", "ant"])
def test_native_rollouts_equal_the_librarys(name):
    path = str(ASSETS / f"{name}.xml")
    native, library = batch.Batch(path, 9, 2, physics="native"), batch.Batch(path, 9, 2, physics="library")
    spec = int(mujoco.mjtState.mjSTATE_FULLPHYSICS)
    record = ("qpos", "qacc_warmstart", "cvel", "xpos", spec)
    random = np.random.default_rng(1)
    for ids in (None, [1, 4, 8]):
        control = random.uniform(-1, 1, (9 if ids is None else len(ids), 40, native.model.nu))
        found = [each.rollout(40, control, record=record, ids=ids) for each in (native, library)]
        for item in record:
            np.testing.assert_array_equal(found[0][item], found[1][item], str(item))
        np.testing.assert_array_equal(native.state, library.state)
    assert native.left_to_library == 0
    control[1, 7] = np.nan  # MuJoCo warns and ends the rollout of the second simulation
    found = [each.rollout(40, control, record=("qpos",), ids=[1, 4, 8])["qpos"] for each in (native, library)]
    np.testing.assert_array_equal(*found)
    np.testing.assert_array_equal(found[0][1, 8:], found[0][1, [8] * 32])
    np.testing.assert_array_equal(native.state, library.state)
    np.testing.assert_array_equal(native.warning, library.warning)
    assert native.left_to_library == 8
    held = [each.rollout(5, record=("qacc", "qvel")) for each in (native, library)]
    np.testing.assert_array_equal(held[0]["qvel"], held[1]["qvel"])
    # The second simulation still has the invalid control, which ends its rollout after a step.
    assert native.left_to_library == 8 + 5 * 8 + 1


def test_bound_fields_are_those_of_a_native_rollouts_last_step():
    path = str(ASSETS / "hopper.xml")
    both = [batch.Batch(path, 6, 2, physics=physics) for physics in ("native", "library")]
    places = [each.bind("xpos") for each in both]
    control = np.random.default_rng(2).uniform(-1, 1, (6, 12, 3))
    for each in both:
        each.rollout(12, control, record=())
    np.testing.assert_array_equal(*places)
    np.testing.assert_array_equal(both[0].state, both[1].state)
    assert both[0].left_to_library == 0


def test_float32_copies_follow_every_call_of_their_simulations():
    envs = batch.Batch(str(ASSETS / "hopper.xml"), 4, 1)
    copies = {name: envs.bind(name, np.float32) for name in ("qpos", "time", "xpos")}
    assert envs.bind("qpos", "float32").base is copies["qpos"].base
    envs.qpos[:, 1] = [1.25, 1.3, 1.35, 1.4]
    envs.ctrl[:] = np.random.default_rng(0).uniform(-1, 1, (4, 3))
    for call in (lambda: envs.step(nstep=3), lambda: envs.step([1, 3]), lambda: envs.reset([2]), envs.forward):
        before = {name: each.copy() for name, each in copies.items()}
        call()
        assert any((copies[name] != before[name]).any() for name in copies)
        for name, values in copies.items():
            assert values.dtype == np.float32
            np.testing.assert_array_equal(values, envs.bind(name).astype(np.float32))
    with pytest.raises(ValueError, match="read-only"):
        copies["qpos"][0] = 1
    with pytest.raises(ValueError, match=r"int32'>: expected np\.float32, or None"):
        envs.bind("qpos", np.int32)
    with pytest.raises(ValueError, match="expected None for ncon, which has the dtype int32"):
        envs.bind("ncon", np.float32)


def test_sizes_are_read_only():
    envs = batch.Batch(mujoco.MjModel.from_xml_string(PENDULUM), 2)
    for name in ("nsim", "nthread", "nstate", "persistent", "model", "state"):
        with pytest.raises(AttributeError, match=f"^{name} is read-only"):
            setattr(envs, name, getattr(envs, name))
        with pytest.raises(AttributeError, match=f"^{name} is read-only"):
            delattr(envs, name)


class InterruptedCore:
    """Core of a batch whose method ``step`` is interrupted after the simulations have stepped."""

    def __init__(self, core):
        self._core = core

    def __getattr__(self, name):
        return getattr(self._core, name)

    def step(self, *arguments):
        self._core.step(*arguments)
        raise KeyboardInterrupt


def test_float32_copies_follow_an_interrupted_call():
    envs = batch.Batch(str(ASSETS / "hopper.xml"), 4, 1)
    copies, core = {name: envs.bind(name, np.float32) for name in ("qpos", "time", "xpos")}, envs._core
    envs._core = InterruptedCore(core)
    with pytest.raises(KeyboardInterrupt):
        envs.step([1, 3], nstep=3)
    assert envs.time.tolist() == [0, envs.time[1], 0, envs.time[1]] and envs.time[1] > 0
    for name, values in copies.items():
        np.testing.assert_array_equal(values, envs.bind(name).astype(np.float32))


def test_expanded_fields_are_live_views():
    simulations = batch.Batch(MODEL, 5, 2)
    kind = simulations.expand("geom_contype")
    assert (kind.shape, kind.dtype) == ((5, 1), np.int32)
    assert np.shares_memory(kind, simulations.expand("geom_contype"))
    gravity = simulations.expand("opt.gravity")
    gravity[:, 2] = -np.arange(5.0)
    simulations.qpos = 0.5
    simulations.step(nstep=3)
    for sim in range(5):
        model = mujoco.MjModel.from_xml_string(PENDULUM)
        model.opt.gravity[2] = -sim
        data = mujoco.MjData(model)
        data.qpos[:] = 0.5
        for _ in range(3):
            mujoco.mj_step(model, data)
        np.testing.assert_array_equal(simulations.qpos[sim], data.qpos)
        assert simulations.get_model(sim).opt.gravity[2] == -sim


def test_the_package_does_not_import_mujoco_and_a_missing_one_is_named():
    program = """
import sys
import envpool_rs
assert not any(name.split(".")[0] == "mujoco" for name in sys.modules)
sys.modules["mujoco"] = None
try:
    from envpool_rs import Batch
except ImportError as error:
    print(error)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert "envpool_rs[mujoco]" in ran.stdout
