"""Tests of `envpool_rs.Batch` with integrators that have their own equations for some bodies."""

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
batch = pytest.importorskip("envpool_rs.batch")


@pytest.mark.parametrize(
    "geom", ['type="sphere" size="0.2991628820602977"', 'type="box" size=".1 .2 .3"'], ids=["sphere", "box"]
)
def test_a_single_free_body_equals_mj_step_with_implicitfast(geom):
    text = f"""<mujoco><option integrator="implicitfast" timestep="0.01"/><worldbody><body><freejoint/>
    <geom {geom} contype="0"/></body></worldbody></mujoco>"""
    simulations = batch.Batch(text, 1024)
    # Since 3.7, MuJoCo has its own equations for such bodies.
    is_special = tuple(map(int, mujoco.__version__.split(".")[:2])) >= (3, 7)
    assert any("a free body without other joints" in why for why in simulations.why) == is_special
    random = np.random.default_rng(1)
    simulations.qvel[:] = 3 * random.normal(size=simulations.qvel.shape)
    turns = random.normal(size=(1024, 4))
    simulations.qpos[:, 3:7] = turns / np.linalg.norm(turns, axis=1, keepdims=True)
    data, expected = mujoco.MjData(simulations.model), []
    for position, velocity in zip(simulations.qpos, simulations.qvel, strict=True):
        mujoco.mj_resetData(simulations.model, data)
        data.qpos[:], data.qvel[:] = position, velocity
        mujoco.mj_step(simulations.model, data)
        expected.append([*data.qpos, *data.qvel])
    simulations.step()
    np.testing.assert_array_equal(np.c_[simulations.qpos, simulations.qvel], expected)
