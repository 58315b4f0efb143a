"""Tests that the fuzz of MuJoCo models finds wrong steps, and that half of its models are stepped natively."""

import subprocess
import sys

import pytest

mujoco = pytest.importorskip("mujoco")
pytest.importorskip("envpool_rs.batch")

import mujoco_fuzz  # noqa: E402 - it imports mujoco
from envpool_rs import Batch  # noqa: E402
from mujoco_fuzz import Draw, compare  # noqa: E402

pytestmark = pytest.mark.slow

BALL = '<body pos="0 0 .3"><freejoint/><geom size=".1"/></body>'
#: Models with the stepper's model in place of a stepper that ignores a part: the limit of a tendon's total force, the
#: adhesion of a pair, islands, and the middle phase of collision detection.
PAIRS = {
    "tendon limit": (
        """<mujoco><worldbody><body><joint name="j" axis="0 1 0" damping="2"/>
        <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05" mass="1"/></body></worldbody>
        <tendon><fixed name="t" actuatorfrclimited="true" actuatorfrcrange="-15 15"><joint joint="j" coef="1"/></fixed>
        </tendon>
        <actuator><motor tendon="t" ctrlrange="-10 10"/><motor tendon="t" ctrlrange="-10 10"/></actuator></mujoco>""",
        'actuatorfrclimited="true" actuatorfrcrange="-15 15"',
        "",
    ),
    "adhesion": (
        """<mujoco><worldbody><geom name="f" type="plane" size="5 5 1"/><body pos="0 0 .1"><freejoint/>
        <geom name="g" size=".1" mass="1"/></body></worldbody>
        <contact><pair geom1="f" geom2="g" adhesion="5"/></contact></mujoco>""",
        'adhesion="5"',
        "",
    ),
    "islands": (
        f"""<mujoco><option><flag gravity="disable" island="enable"/></option><worldbody>
        <geom type="box" size=".2 .2 .04"/><body name="marker" pos="9 9 9"><freejoint/>
        <geom size=".05" contype="0" conaffinity="0"/></body>{BALL}</worldbody></mujoco>""",
        'island="enable"',
        'island="disable"',
    ),
    "middle phase": (
        """<mujoco><option><flag midphase="enable"/></option><worldbody><geom type="plane" size="5 5 1"/>
        <geom type="box" size=".05 1 .3" pos="-.8 0 .3"/><body pos="0 0 .2" euler="20 30 0"><freejoint/>
        <geom type="box" size=".066 .046 .033" margin=".01761"/></body></worldbody></mujoco>""",
        'midphase="enable"',
        'midphase="disable"',
    ),
}


def compile_model(xml):
    try:
        return mujoco.MjModel.from_xml_string(xml)
    except ValueError as error:
        pytest.skip(f"this version of mujoco has no such attribute: {error}")


@pytest.mark.parametrize("name", PAIRS)
def test_a_stepper_that_ignores_a_part_is_found(name):
    xml, old, new = PAIRS[name]
    assert old in xml
    model, wrong = compile_model(xml), compile_model(xml.replace(old, new))
    outcomes = [compare(model, Batch(wrong, 16, 1), Draw(f"{name}/{number}"), calls=60) for number in range(10)]
    assert any(outcome.difference for outcome in outcomes)
    assert compare(model, Batch(model, 16, 1, physics="library"), Draw(name)).difference is None


class OneBit:
    """Batch that changes the last bit of one number of the state in one step."""

    def __init__(self, model, nsim, place):
        self.batch = Batch(model, nsim, 1)
        self.place = place
        self.calls = 0

    def __getattr__(self, name):
        return getattr(self.batch, name)

    def step(self, ids, nstep):
        self.batch.step(ids, nstep)
        self.change(ids)

    def rollout(self, *arguments, **options):
        records = self.batch.rollout(*arguments, **options)
        self.change(options["ids"])
        return records

    def change(self, ids):
        self.calls += 1
        if self.calls == 7:
            self.batch.state.view("uint64")[ids, self.place] ^= 1


def test_each_bit_of_the_state_is_compared():
    model = compile_model(f"<mujoco><worldbody>{BALL}</worldbody></mujoco>")
    names = set()
    for place in range(Batch(model, 1).nstate):
        difference = compare(model, OneBit(model, 3, place), Draw("0"), calls=9).difference
        assert difference is not None
        names.update(difference["fields"])
    assert names >= {"time", "qpos", "qvel", "warmstart"}


def test_models_do_not_depend_on_the_process_and_half_of_them_are_native():
    command = [sys.executable, mujoco_fuzz.__file__, "--first", "7", "--seed", "3"]
    text = subprocess.run([*command, "--models", "1", "--show"], check=True, capture_output=True, text=True).stdout
    assert mujoco_fuzz.make_model(3, 7)[0] == text.rstrip("\n")
    physics = []
    for number in range(30):
        _, model = mujoco_fuzz.make_model(3, number)
        physics.append(mujoco_fuzz.run_model(model, Draw(f"3/{number}/states"))["physics"])
    assert physics.count("native") >= 10


def test_a_process_counts_its_models_and_minimises_a_model(tmp_path):
    command = [sys.executable, mujoco_fuzz.__file__, "--models", "4", "--jobs", "2", "--out", str(tmp_path / "out")]
    found = subprocess.run(command, check=False, capture_output=True, text=True)
    assert f"mujoco {mujoco.__version__}: 4 models" in found.stdout, found.stderr
    assert found.stdout.count("silent differences: 0") == 1 - found.returncode

    floor = '<geom name="floor" type="plane" size="1 1 1"/>'
    xml = f'<mujoco><option timestep="0.01"/><worldbody>{floor}{BALL}{BALL}</worldbody></mujoco>'
    minimal = mujoco_fuzz.minimise(xml, lambda each: "floor" in each and "freejoint" in each)
    assert minimal.count("<body>") == 1
    assert "timestep" not in minimal
