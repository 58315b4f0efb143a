"""Tests of a batch's descriptions, threads and terrains."""

import contextlib
import os
import time
from pathlib import Path

import numpy as np
import pytest

mujoco = pytest.importorskip("mujoco")
batch = pytest.importorskip("envpool_rs.batch")

PENDULUM = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/>
<geom name="tip" size=".05" pos="0 0 -1"/></body>
</worldbody></mujoco>"""

TERRAIN = """<mujoco><asset><hfield name="hills" nrow="5" ncol="7" size="3 2 .5 .1"/></asset>
<worldbody><geom name="ground" type="hfield" hfield="hills" pos="1 -.5 .25" euler="0 0 30"/>
<body><geom name="tilted" type="hfield" hfield="hills" euler="10 0 0"
 contype="0" conaffinity="0" group="1" pos="50 0 0"/></body>
<body pos="9 9 9"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>"""


def test_descriptions_name_the_sizes():
    own = batch.Batch(PENDULUM, 3, 1, physics="library")
    assert repr(own) == "<Batch of 3 simulations: nq=1, nv=1, nu=0, physics='library', 1 threads>"
    assert repr(own.joint("hinge")) == f"<joint 'hinge' (id 0) of {own!r}>"
    zeros = np.zeros(3)
    seen = []

    def reward(own, before, action):
        seen.append(repr(before))
        return zeros

    envs = batch.make_vec(
        own, lambda own: own.qpos, reward, lambda own: zeros > 0, lambda own, sims, randoms: seen.append(repr(randoms))
    )
    assert repr(envs) == f"<BatchVectorEnv of {own!r}>"
    envs.reset(seed=0)
    envs.step(np.zeros((3, 0)))
    assert seen == ["<Randoms of 3 environments>", f"<States of {own!r}>"]


def _cpus_of_threads():
    for task in Path("/proc/self/task").iterdir():
        with contextlib.suppress(ProcessLookupError):
            yield os.sched_getaffinity(int(task.name))


def test_threads_run_on_the_listed_cpus():
    usable = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    own, twin = batch.Batch(PENDULUM, 64, 3, cpu_ids=usable[-1:]), batch.Batch(PENDULUM, 64, 3)
    own.qpos[:] = twin.qpos[:] = np.linspace(-1, 1, 64)[:, None]
    own.step(nstep=20)
    twin.step(nstep=20)
    np.testing.assert_array_equal(own.state, twin.state)
    # A thread that starts after the steps were done pins itself later.
    for _ in range(3000 if len(usable) > 1 else 0):
        if {usable[-1]} in _cpus_of_threads():
            break
        time.sleep(0.01)
    else:
        assert len(usable) == 1
    with pytest.raises(ValueError, match=r"cpu_ids=\d+: expected CPUs that this process may use"):
        batch.Batch(PENDULUM, 2, cpu_ids=[10**6])
    with pytest.raises(TypeError, match=r"cpu_ids=3: expected a sequence"):
        batch.Batch(PENDULUM, 2, cpu_ids=3)


def test_heights_of_a_terrain_equal_those_that_rays_hit():
    model = mujoco.MjModel.from_xml_string(TERRAIN)
    model.hfield_data[:] = np.random.default_rng(0).uniform(size=model.hfield_data.size)
    own = batch.Batch(model, 2)
    own.forward()
    points = np.random.default_rng(1).uniform(-2.5, 3.5, (500, 2))
    heights = own.hfield_height("ground", points)
    origins = np.concatenate([points, np.full((500, 1), 5.0)], axis=1)
    distances, geoms = own.ray(origins, [0, 0, -1], geomgroup=[1, 0, 0, 0, 0, 0])
    inside = ~np.isnan(heights)
    assert 100 < inside.sum() < 500
    assert (geoms[0] == 0).tolist() == inside.tolist()
    np.testing.assert_allclose(heights[inside], 5 - distances[0, inside], atol=1e-9)
    assert own.hfield_height(0, points.reshape(2, 250, 2)).shape == (2, 250)
    for name in ("ball", "tilted"):
        with pytest.raises(ValueError, match=rf"geom='{name}': expected a height field of a static body"):
            own.hfield_height(name, points)
    with pytest.raises(ValueError, match=r"points has shape \(3,\): expected \(\.\.\., 2\)"):
        own.hfield_height("ground", np.zeros(3))
