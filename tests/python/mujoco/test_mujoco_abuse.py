"""Checks that MuJoCo's failures raise exceptions.

No failure may end the process or leave a log file.
"""

import os
import pickle
import re
import subprocess
import sys
import textwrap
from importlib.metadata import version

import envpool_rs
import numpy as np
import pytest
from damaged_snapshots import play_damaged
from envpool_rs import _core
from envpool_rs._spec import mujoco_library
from scripts import run_script
from tasks import MUJOCO

mujoco = pytest.importorskip("mujoco")

POLE = """
<mujoco><option timestep="{timestep}"/>{size}
<worldbody><body><joint type="slide" axis="1 0 0"/><geom size=".1" mass="1"/>
<body><joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".05" mass="1"/></body></body>{more}
</worldbody>
<actuator><motor joint="{joint}" ctrlrange="-3 3" ctrllimited="true" gear="{gear}"/></actuator></mujoco>
"""


@pytest.fixture(autouse=True)
def _no_log_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    yield
    assert not (tmp_path / "MUJOCO_LOG.TXT").exists()


def pole(path, timestep=0.02, size="", more="", gear=1, joint="j"):
    text = POLE.format(timestep=timestep, size=size, more=more, gear=gear, joint=joint)
    path.write_text(text.replace('<joint type="slide"', '<joint name="j" type="slide"'))
    return str(path)


def test_a_custom_model_is_simulated(tmp_path):
    env = envpool_rs.make_vec("InvertedPendulum-v5", 2, xml_file=pole(tmp_path / "pole.xml"))
    assert env.reset(seed=1)[0].shape == (2, 4)
    assert np.isfinite(env.step(np.zeros((2, 1), np.float32))[0]).all()


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_actions_are_refused(value):
    for env in (envpool_rs.make_vec("Hopper-v5", 2), envpool_rs.make("Hopper-v5", num_envs=2)):
        env.reset()
        action = np.zeros((2, 3))
        action[1, 2] = value
        with pytest.raises(ValueError, match=r"action\[1\] is .*expected a finite number"):
            env.step(action)
        env.step(np.zeros((2, 3)))


def test_actions_beyond_float32_are_clipped_to_the_largest_torque():
    for env in (envpool_rs.make_vec("Hopper-v5", 2), envpool_rs.make("Hopper-v5", num_envs=2)):
        env.reset(seed=[1, 1])
        observations = env.step(np.array([[1e39] * 3, [1.0] * 3]))[0]
        assert np.array_equal(observations[0], observations[1])


def test_a_missing_model_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"xml_file=\"no\.xml\": there is no file .*no\.xml"):
        envpool_rs.make_vec("Ant-v5", xml_file="no.xml")
    with pytest.raises(FileNotFoundError, match=r"there is no file .*half_cheetah\.xml \(xml_dir=\"/"):
        envpool_rs.make_vec("HalfCheetah-v5", xml_dir=str(tmp_path))


@pytest.mark.parametrize("text", ["", "<mujoco><worldbody>", "<mujoco><nothing/></mujoco>", "\0\0", "no xml"])
def test_a_broken_model_is_named_with_mujocos_message(tmp_path, text):
    path = tmp_path / "broken.xml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"xml_file is no model that MuJoCo takes: .*broken\.xml: "):
        envpool_rs.make_vec("Ant-v5", xml_file=str(path))


def test_the_error_for_an_incompatible_model_names_the_missing_part(tmp_path):
    path = pole(tmp_path / "pole.xml")
    with pytest.raises(ValueError, match='a model without a body "tips_arm"'):
        envpool_rs.make_vec("Pusher-v5", xml_file=path)
    with pytest.raises(ValueError, match="2 positions, 2 velocities and 0 sites: expected 3"):
        envpool_rs.make_vec("Hopper-v5", xml_file=path)
    with pytest.raises(ValueError, match="main_body=99: expected one of the model's 14 bodies"):
        envpool_rs.make_vec("Ant-v5", main_body=99)
    with pytest.raises(ValueError, match='main_body="wing": expected the name of one of the model\'s 14 bodies'):
        envpool_rs.make_vec("Ant-v5", main_body="wing")


def test_a_diverged_simulation_fails_only_its_own_lane(tmp_path):
    path = pole(tmp_path / "wild.xml", timestep=0.5, gear=1e12)
    env = envpool_rs.make_vec("InvertedPendulum-v5", 2, xml_file=path, autoreset_mode="disabled")
    env.reset(seed=1)
    with pytest.raises(RuntimeError, match=r"environment 1 failed: MuJoCo gives a warning: .*unstable"):
        for _ in range(50):
            env.step(np.array([[0.0], [3.0]], np.float32))
    env.reset(seed=1)
    env.step(np.zeros((2, 1), np.float32))


@pytest.mark.parametrize("memory", ["96K", "200K"])
def test_a_simulation_without_memory_is_an_error(tmp_path, memory):
    # Whether MuJoCo warns or reports an error depends on its version and on the number of touching bodies.
    words = "MuJoCo (gives a warning|reports an error): "
    body = '<body pos="{} 0 .1"><freejoint/><geom size=".1" mass="1"/></body>'
    crowd = '<geom type="plane" size="5 5 1"/>' + "".join(body.format(0.05 * number) for number in range(20))
    path = pole(tmp_path / "crowd.xml", size=f'<size memory="{memory}"/>', more=crowd)
    env = envpool_rs.make_vec("HalfCheetah-v5", 1, xml_file=path)
    for _ in range(2):
        with pytest.raises(RuntimeError, match=words):
            env.reset(seed=1)
    envpool_rs.make_vec("HalfCheetah-v5", 1).reset()


def test_a_snapshot_of_another_model_is_refused(tmp_path):
    light, heavy = (
        envpool_rs.make_vec("InvertedPendulum-v5", 1, xml_dir=str(folder), xml_file="pole.xml")
        for folder in (tmp_path / "a", tmp_path / "b")
        for _ in [folder.mkdir(), pole(folder / "pole.xml", gear=2 if folder.name == "a" else 3)][:1]
    )
    light.reset(seed=1)
    heavy.reset(seed=1)
    with pytest.raises(ValueError, match="it is of another model"):
        heavy.set_state(light.get_state())


@pytest.mark.parametrize("task", ["Ant-v5", "CheetahRun-v1"])
@pytest.mark.parametrize("options", [{"a": 1}, {1: "x"}, {1: 0.5}, {None: True}], ids=str)
def test_invalid_flags_are_refused_by_the_options_name(task, options):
    with pytest.raises(TypeError, match=rf"^visual_options={re.escape(str(options))}: expected a dict of numbers"):
        envpool_rs.make_spec(task, visual_options=options)
    flag, value = mujoco.mjtVisFlag.mjVIS_JOINT, np.True_
    assert envpool_rs.make_spec(task, visual_options={flag: value}).config.visual_options == [int(flag), 1]


def test_damaged_snapshots_are_refused_or_playable():
    play_damaged(envpool_rs.make_vec("Hopper-v5", 1), np.zeros((1, 3), np.float32))


def run(code):
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


BLOCKED = """
    import sys, importlib.machinery
    find = importlib.machinery.PathFinder.find_spec
    def without(name, *rest):
        return None if name.split(".")[0] == "mujoco" else find(name, *rest)
    importlib.machinery.PathFinder.find_spec = without
    import envpool_rs
"""


def test_without_mujoco_specs_work_and_pools_name_the_extra():
    out = run(
        BLOCKED
        + """
    assert envpool_rs.make_spec("Humanoid-v5").observation_space.shape == (348,)
    for make in (envpool_rs.make, envpool_rs.make_vec):
        try:
            make("Ant-v5", num_envs=1)
        except ImportError as error:
            print(error)
    try:
        envpool_rs.make_vec("Ant-v5", 1, xml_file="/own.xml")
    except ImportError as error:
        print(error)
    """
    )
    assert out.count("pip install 'envpool_rs[mujoco]'") == 3


def test_an_unknown_mujoco_version_is_an_import_error_with_the_version():
    out = run(
        """
    import envpool_rs
    from envpool_rs._spec import mujoco_library
    mujoco_library._import_introspect(mujoco_library._folders(), "structs").STRUCTS.pop("mjData")
    try:
        envpool_rs.make_vec("Ant-v5", 1)
    except ImportError as error:
        print(error)
    """
    )
    assert f"mujoco {version('mujoco')} cannot be used" in out
    assert "pip install 'envpool_rs[mujoco]'" in out


def test_a_library_with_a_verified_layout_does_not_import_mujoco():
    run(
        """
    import sys, envpool_rs
    from envpool_rs._spec import mujoco_library
    layout = "\\n".join(mujoco_library.layout_of(mujoco_library._folders()))
    mujoco_library._VERIFIED_VERSIONS[mujoco_library._version()] = mujoco_library.digest_of(layout)
    envpool_rs.make_vec("Reacher-v5", 1).reset()
    assert "mujoco" not in sys.modules
    """
    )


def test_a_library_of_another_version_than_its_description_is_refused():
    out = run(
        """
    import envpool_rs
    from envpool_rs._spec import mujoco_library
    layout = "\\n".join(mujoco_library.layout_of(mujoco_library._folders()))
    mujoco_library._VERIFIED_VERSIONS.clear()
    mujoco_library._VERIFIED_VERSIONS["3.1.4"] = mujoco_library.digest_of(layout)
    try:
        envpool_rs.make_vec("Ant-v5", 1)
    except ImportError as error:
        print(error)
    """
    )
    assert f"has the version {mujoco.mj_version()}: expected 3001004" in out


def test_a_field_that_is_not_known_bars_native_steps():
    out = run(
        """
    import envpool_rs
    from envpool_rs._spec import mujoco_library
    further = mujoco_library.further_layout_of
    mujoco_library.further_layout_of = lambda folders: [*further(folders), "mjModel.body_charm 0 float64* 1 8"]
    xml = "<mujoco><worldbody><body><joint/><geom size='.1'/></body></worldbody></mujoco>"
    print(envpool_rs.Batch(xml, 1).why)
    """
    )
    assert out == "['body_charm, a field of mjModel that is not known']\n"


def test_an_unverified_layout_is_checked_with_the_mujoco_package():
    out = run(
        """
    import sys, envpool_rs
    from envpool_rs._spec import mujoco_library
    mujoco_library._VERIFIED_VERSIONS.clear()
    check = mujoco_library.check_layout
    mujoco_library.check_layout = lambda mujoco, layout: print("checked", check(mujoco, layout))
    envpool_rs.make_vec("Reacher-v5", 1).reset()
    """
    )
    assert out == "checked None\n"


def test_the_verified_layout_equals_that_of_the_mujoco_package():
    layout = "\n".join(mujoco_library.layout_of(mujoco_library._folders()))
    mujoco_library.check_layout(mujoco, layout)
    if mujoco.__version__ in mujoco_library._VERIFIED_VERSIONS:
        assert mujoco_library._VERIFIED_VERSIONS[mujoco.__version__] == mujoco_library.digest_of(layout)
    with pytest.raises(ImportError, match=r"mjModel\.nq does not lie where it should"):
        mujoco_library.check_layout(mujoco, layout.replace("mjModel.nq 0 ", "mjModel.nq 8 "))


def test_a_second_library_is_refused():
    envpool_rs.make_vec("Reacher-v5", 1)
    with pytest.raises(ImportError, match="MuJoCo's library is open"):
        _core.install_mujoco(os.path.join(os.sep, "other.so"), "", [], [], True, [])  # noqa: PTH118


@pytest.mark.parametrize("task", MUJOCO)
def test_specs_do_not_depend_on_the_models_of_robots(task):
    with_model = envpool_rs.make_spec(task)
    without = _core.Spec(task, "envpool", {})
    assert without.observation == with_model.pool.observation
    assert without.action == with_model.pool.action
    assert without.info == with_model.pool.info


@pytest.mark.parametrize(("task", "option"), [("Ant-v5", "xml_dir"), ("CheetahRun-v1", "suite_dir")])
def test_invalid_folders_are_refused_by_name(task, option):
    for folder, place in ((3, ""), ([None, 3], "[1]")):
        with pytest.raises(TypeError, match=re.escape(f"{option}{place}=3: expected a path or None")):
            envpool_rs.make(task, num_envs=2, **{option: folder})


def test_an_interrupted_import_of_mujoco_is_retried(monkeypatch):
    def interrupted(name):
        raise ImportError("initialization failed") from KeyboardInterrupt()

    envpool_rs.make("Ant-v5").close()
    with monkeypatch.context() as patched:
        patched.setattr(mujoco_library, "import_module", interrupted)
        with pytest.raises(KeyboardInterrupt):
            envpool_rs.make("Ant-v5", xml_file="ant.xml")
    envpool_rs.make("Ant-v5", xml_file="ant.xml").close()


@pytest.mark.parametrize("option", ["xml_file", "xml_dir"])
def test_a_relative_model_path_is_resolved_when_the_option_is_set(tmp_path, monkeypatch, option):
    pole(tmp_path / "pole.xml")
    (tmp_path / "elsewhere").mkdir()
    options = {"xml_file": "./pole.xml"} if option == "xml_file" else {"xml_file": "pole.xml", "xml_dir": "."}
    env = envpool_rs.make_vec("InvertedPendulum-v5", 2, **options)
    first, _ = env.reset(seed=1)
    saved = pickle.dumps(env)
    monkeypatch.chdir(tmp_path / "elsewhere")
    with pickle.loads(saved) as loaded:
        assert loaded.config[option] == str(tmp_path / "pole.xml" if option == "xml_file" else tmp_path)
        assert np.array_equal(loaded.reset(seed=1)[0], first)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("task", [task for task in MUJOCO if task.endswith("-v5")])
def test_envpools_model_names_select_gymnasiums_models(task):
    with envpool_rs.make_gymnasium(task, num_envs=1, seed=3) as env:
        own = env.config["xml_file"]
        expected, _ = env.reset()
    name = own.replace(".xml", "_envpool.xml")
    with envpool_rs.make_gymnasium(task, num_envs=1, seed=3, xml_file=name) as env:
        assert env.config["xml_file"] == name
        assert np.array_equal(env.reset()[0], expected)


def test_a_file_with_envpools_suffix_takes_precedence(tmp_path):
    pole(tmp_path / "own_envpool.xml", timestep=0.5)
    options = {"xml_dir": str(tmp_path), "xml_file": "own_envpool.xml"}
    with envpool_rs.make_vec("InvertedPendulum-v5", 1, **options) as env:
        env.reset()
    with pytest.raises(FileNotFoundError, match=r'xml_file="other_envpool\.xml": there is no file .*other\.xml'):
        envpool_rs.make_vec("InvertedPendulum-v5", 1, **{**options, "xml_file": "other_envpool.xml"})


@pytest.mark.skipif(sys.platform != "linux", reason="the library is copied on Linux only")
def test_the_library_itself_is_opened_if_no_copy_is_possible():
    program = """
    import resource
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
    import envpool_rs
    env = envpool_rs.make_vec("Hopper-v5", 2)
    env.reset(seed=1)
    print(env.step(env.action_space.sample())[0].shape)
    """
    assert run_script(program) == "(2, 11)"


def results_of_a_small_stack_are_equal(play):
    """Returns whether the body ``play`` of a function returns the same array in a thread with a stack of 600 KiB."""
    program = f"""
import threading
from pathlib import Path
import envpool_rs, gymnasium, mujoco, numpy as np

random, results = np.random.default_rng(0), []
def play():
{textwrap.indent(textwrap.dedent(play), "    ")}
threading.stack_size(600 << 10)
small = threading.Thread(target=lambda: results.append(play()))
small.start()
small.join()
random = np.random.default_rng(0)
print(np.array_equal(results[0], play()))
"""
    return run_script(program) == "True"


@pytest.mark.parametrize("num_envs", [8, 16])
def test_a_thread_with_a_small_stack_can_step_humanoids(num_envs):
    assert results_of_a_small_stack_are_equal(f"""
        env = envpool_rs.make_gymnasium("Humanoid-v5", num_envs={num_envs}, seed=1, num_threads=2)
        env.reset()
        actions = random.uniform(-0.4, 0.4, (50, {num_envs}, 17))
        return np.array([env.step(action)[0] for action in actions])
    """)


@pytest.mark.parametrize("nthread", [1, 3])
def test_a_thread_with_a_small_stack_can_step_batches(nthread):
    assert results_of_a_small_stack_are_equal(f"""
        path = Path(gymnasium.__file__).parent / "envs/mujoco/assets/humanoid.xml"
        batch = envpool_rs.Batch(mujoco.MjModel.from_xml_path(str(path)), 32, {nthread}, physics="native")
        batch.ctrl = random.uniform(-0.4, 0.4, (32, 17))
        batch.step(nstep=100)
        return np.array(batch.qpos)
    """)


@pytest.mark.parametrize(
    "other", [{"more": '<geom name="g" size=".3"/>'}, {"size": '<option gravity="0 0 -1"/>'}], ids=["geom", "gravity"]
)
def test_a_snapshot_of_a_model_with_other_gravity_or_shapes_is_refused(tmp_path, other):
    shape = {"more": '<geom name="g" size=".2"/>'}
    folders = {"one": shape, "two": {**shape, **other}}
    for folder, options in folders.items():
        (tmp_path / folder).mkdir()
        pole(tmp_path / folder / "pole.xml", **options)
    one, two = (
        envpool_rs.make_vec("InvertedPendulum-v5", 1, xml_dir=str(tmp_path / folder), xml_file="pole.xml")
        for folder in folders
    )
    one.reset(seed=1)
    two.reset(seed=1)
    one.set_state(one.get_state())
    with pytest.raises(ValueError, match="it is of another model"):
        two.set_state(one.get_state())
    one.close()
    two.close()
