"""Checks that failures of dm_control's tasks are exceptions, and that unneeded modules are not imported."""

import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from damaged_snapshots import play_damaged
from envpool_rs._spec import assets
from tasks import HAS_DM_CONTROL

pytestmark = pytest.mark.skipif(not HAS_DM_CONTROL, reason="needs dm_control and mujoco")


@pytest.fixture(autouse=True)
def _no_log_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / "MUJOCO_LOG.TXT").exists()


@pytest.fixture
def folder(tmp_path):
    """Returns a copy of the suite's models."""
    copy = tmp_path / "suite"
    (copy / "common").mkdir(parents=True)
    suite = Path(assets.SUITE.installed())
    for file in [*suite.glob("*.xml"), *suite.glob("common/*.xml")]:
        shutil.copy(file, copy / file.relative_to(suite))
    return copy


def run(code):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_only_pools_with_generated_models_import_dm_control():
    run(
        """
    import sys, envpool_rs
    assert not {"mujoco", "dm_control"} & set(sys.modules)
    envpool_rs.make_spec("dm_control/swimmer-swimmer6")
    envpool_rs.make_vec("CheetahRun-v1", 1).reset()
    assert "dm_control" not in sys.modules
    envpool_rs.make_vec("dm_control/swimmer-swimmer6", 1).reset()
    assert "dm_control" in sys.modules
    """
    )


def test_without_dm_control_specs_work_and_pools_name_the_extra(monkeypatch):
    monkeypatch.setattr(assets, "folder_in", lambda *_: None)
    assert envpool_rs.make_spec("WalkerWalk-v1").observation_space["height"].shape == ()
    for make in (envpool_rs.make, envpool_rs.make_vec):
        with pytest.raises(ImportError, match=r"dm_control brings: pip install 'envpool_rs\[dm_control\]'"):
            make("dm_control/walker-walk", num_envs=1)


def test_models_are_read_from_a_custom_folder(folder):
    env = envpool_rs.make_vec("dm_control/pendulum-swingup", 1, suite_dir=folder)
    assert env.reset(seed=1)[0]["orientation"].shape == (1, 2)


def test_a_missing_or_broken_model_is_named(folder):
    (folder / "walker.xml").unlink()
    with pytest.raises(FileNotFoundError, match=r"suite_dir=.*there is no file .*walker\.xml"):
        envpool_rs.make_vec("WalkerWalk-v1", 1, suite_dir=folder)
    (folder / "walker.xml").write_text("<mujoco><nothing/></mujoco>")
    with pytest.raises(ValueError, match=r"(?s)walker\.xml: .*nothing"):
        envpool_rs.make_vec("WalkerWalk-v1", 1, suite_dir=folder)
    shutil.copy(folder / "hopper.xml", folder / "walker.xml")
    with pytest.raises(ValueError, match="the model of walker has other actuators or another time step"):
        envpool_rs.make_vec("WalkerWalk-v1", 1, suite_dir=folder)
    text = (folder / "reacher.xml").read_text()
    (folder / "reacher.xml").write_text(text.replace('geom name="finger"', 'geom name="tip"'))
    with pytest.raises(ValueError, match='the model has no geom called "finger"'):
        envpool_rs.make_vec("ReacherEasy-v1", 1, suite_dir=folder)


def test_a_model_with_other_observations_is_refused(folder):
    text = (folder / "walker.xml").read_text()
    hat = '<body name="hat" pos="0 0 .3"><geom name="hat" type="sphere" size=".02"/></body>'
    (folder / "walker.xml").write_text(text.replace('<geom name="torso"', f'{hat}<geom name="torso"'))
    for options in ({}, {"domain_keys": True}, {"flat_observation": True}):
        with pytest.raises(
            ValueError, match=r"suite_dir=.*walker has 26 observed values: expected the 24 of dm_control"
        ):
            envpool_rs.make_vec("WalkerWalk-v1", 1, suite_dir=folder, **options)


def test_a_model_without_a_valid_start_state_is_named(folder):
    text = (folder / "ball_in_cup.xml").read_text()
    assert text.count('size=".025"') == 1
    (folder / "ball_in_cup.xml").write_text(text.replace('size=".025"', 'size="1"'))
    env = envpool_rs.make_vec("BallInCupCatch-v1", 1, suite_dir=folder)
    message = (
        r"ball_in_cup\.xml: expected a model with start states without contacts; \d+ random start states were none"
    )
    with pytest.raises((ValueError, RuntimeError), match=message):
        env.reset(seed=0)


@pytest.mark.parametrize("physics", ["auto", "libmujoco"])
def test_disabled_actuation_stays_disabled(folder, physics):
    text = (folder / "reacher.xml").read_text()
    assert text.count('<flag contact="disable"/>') == 1
    (folder / "reacher.xml").write_text(
        text.replace('<flag contact="disable"/>', '<flag contact="disable" actuation="disable"/>')
    )
    ends = []
    for action in (0, 1):
        env = envpool_rs.make_vec("ReacherEasy-v1", 2, suite_dir=folder, physics=physics)
        env.reset(seed=0)
        for _ in range(3):
            observation, *_ = env.step(np.full((2, 2), action, np.float64))
        ends.append(observation["position"])
    np.testing.assert_array_equal(*ends)


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_nan_actions_are_refused(value):
    env = envpool_rs.make_vec("HopperHop-v1", 2)
    env.reset()
    action = np.zeros((2, 4))
    action[1, 2] = value
    with pytest.raises(ValueError, match=r"action\[1\] is .*expected a finite number"):
        env.step(action)


def test_a_diverged_simulation_fails_only_its_own_lane():
    env = envpool_rs.make_vec("dm_control/lqr-lqr_2_1", 2, autoreset_mode="disabled")
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"environment 1 failed: MuJoCo gives a warning: .*CTRL"):
        env.step(np.array([[0.0], [1e12]]))
    env.reset(seed=1)
    env.step(np.zeros((2, 1)))


def test_a_snapshot_of_another_model_is_refused(folder):
    text = (folder / "reacher.xml").read_text()
    (folder / "reacher.xml").write_text(text.replace('gear=".05"', 'gear=".06"'))
    own, other = envpool_rs.make_vec("ReacherEasy-v1", 1), envpool_rs.make_vec("ReacherEasy-v1", 1, suite_dir=folder)
    own.reset(seed=1)
    other.reset(seed=1)
    with pytest.raises(ValueError, match="it is of another model"):
        other.set_state(own.get_state())


def test_damaged_snapshots_are_refused_or_playable():
    play_damaged(envpool_rs.make_vec("FingerTurnEasy-v1", 1), np.zeros((1, 2)))
