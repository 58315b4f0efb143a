"""Tests that robots have equal results, bit for bit, if this package's native stepper or MuJoCo's library steps them.

The results of an environment must not depend on other environments in the same vector register, threads, batches and
vector instructions. `nox -s mujoco_long` compares many steps.
"""

import os
import re
import subprocess
import sys

import envpool_rs
import numpy as np
import pytest
from envpool_rs import _core
from envpool_rs._spec import mujoco_library
from envpool_rs._spec.options import log_resolved
from repository import ROOT
from scripts import prints_the_same_with_all_vectors

mujoco = pytest.importorskip("mujoco")

KNOWN = mujoco.__version__ in mujoco_library._VERIFIED_VERSIONS
pytestmark = [pytest.mark.filterwarnings("error")]
needs_native = pytest.mark.skipif(
    not KNOWN or sys.platform != "linux", reason="another library than those that are stepped alike"
)

try:
    _core.picture_backend()
    NO_PICTURES = ""
except RuntimeError as error:
    NO_PICTURES = str(error)
needs_pictures = pytest.mark.skipif(NO_PICTURES != "", reason=f"pictures cannot be drawn here: {NO_PICTURES}")

#: Natively stepped robots, with options that cause many contacts and ends of episodes.
ROBOTS = {
    "Ant-v5": {"terminate_when_unhealthy": False},
    "Ant-v4": {"use_contact_forces": True},
    "HalfCheetah-v5": {"reset_noise_scale": 0.5},
    "Hopper-v5": {"terminate_when_unhealthy": False, "reset_noise_scale": 0.3},
    "Humanoid-v5": {},
    "HumanoidStandup-v5": {},
    "InvertedDoublePendulum-v5": {"reset_noise_scale": 0.3},
    "InvertedPendulum-v5": {},
    "Pusher-v5": {"reset_qvel_scale": 2.0},
    "Pusher-v4": {"cylinder_dist_min": 0.05},
    "Reacher-v5": {},
    "Swimmer-v5": {"frame_skip": 3},
    "Walker2d-v5": {"terminate_when_unhealthy": False},
    "Walker2d-v4": {},
}
LONG = int(os.environ.get("NATIVE_STEPS", "0"))


def pools(task, num_envs=13, **options):
    """Returns two equal pools, one stepped by this package's native stepper and one by MuJoCo's library."""
    own = [envpool_rs.make_gymnasium(task, num_envs=num_envs, physics=by, **options) for by in ("native", "libmujoco")]
    assert [env.config["physics"] for env in own] == ["native", "libmujoco"]
    return own


def actions_of(env, random, step):
    """Returns actions: inside the task's bounds, at the bounds, or far outside."""
    space = env.action_space
    share = random.uniform(-1, 1, (env.config["num_envs"], *space.shape))
    share = [share, np.sign(share), 0 * share, 3 * share][step // 10 % 4]
    return share * space.high


def arrays(result):
    *arrays, info = result
    results = [info[key] for key in sorted(info) if isinstance(info[key], np.ndarray) and info[key].dtype != object]
    flat = [*arrays, info["elapsed_step"], *results]
    return [(np.asarray(array).dtype, np.asarray(array).tobytes()) for array in flat]


@needs_native
@pytest.mark.parametrize("task", ROBOTS)
def test_native_steps_equal_the_library_bit_for_bit(task):
    ours, theirs = pools(task, seed=3, num_threads=2, **ROBOTS[task])
    assert arrays(ours.reset()) == arrays(theirs.reset())
    random = np.random.default_rng(0)
    for step in range(LONG or 100):
        action = actions_of(ours, random, step)
        assert arrays(ours.step(action)) == arrays(theirs.step(action)), step


@needs_native
@pytest.mark.parametrize("num_envs", [1, 2, 5, 8, 16, 21])
def test_results_do_not_depend_on_pool_size_and_threads(num_envs):
    """Checks that an environment's results do not depend on the size of the pool and the number of threads."""
    runs = []
    for count, threads in ((num_envs, 1), (21, 3)):
        env = envpool_rs.make_gymnasium("Walker2d-v5", num_envs=count, seed=5, num_threads=threads, physics="native")
        env.reset()
        action = np.random.default_rng(1).uniform(-1, 1, (40, 21, 6))
        runs.append([env.step(action[step, :count])[0][:num_envs].tobytes() for step in range(40)])
    assert runs[0] == runs[1]


@needs_native
def test_asynchronous_batches_have_equal_rows():
    rows = []
    for physics in ("native", "libmujoco"):
        env = envpool_rs.make_gymnasium("Hopper-v5", num_envs=20, batch_size=7, num_threads=2, seed=4, physics=physics)
        env.async_reset()
        seen = {lane: [] for lane in range(20)}
        while min(map(len, seen.values())) < 30:
            observation, _, _, _, info = env.recv()
            lanes = info["env_id"]
            for lane, row in zip(lanes, observation, strict=True):
                seen[int(lane)].append(row.tobytes())
            steps = np.array([len(seen[int(lane)]) for lane in lanes])
            env.send(np.sin(steps[:, None] + lanes[:, None] + np.arange(3.0)), lanes)
        rows.append({lane: of[:30] for lane, of in seen.items()})
    assert rows[0] == rows[1]


@needs_native
@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_autoreset_modes_equal_the_library(mode):
    ours, theirs = pools("Hopper-v5", seed=6, autoreset_mode=mode, max_episode_steps=30)
    for env in (ours, theirs):
        env.reset()
    random = np.random.default_rng(2)
    for step in range(60):
        action = random.uniform(-1, 1, (13, 3))
        our, their = ours.step(action), theirs.step(action)
        assert arrays(our) == arrays(their), step
        over = np.flatnonzero(our[2] | our[3])
        if mode == "disabled" and over.size:
            assert arrays(ours.reset(over)) == arrays(theirs.reset(over))


@needs_native
def test_separately_stepped_lanes_equal_the_library():
    ours, theirs = pools("Ant-v5", seed=7)
    for env in (ours, theirs):
        env.reset()
    random = np.random.default_rng(3)
    for step in range(40):
        lanes = np.flatnonzero(random.uniform(size=13) < 0.4)
        if lanes.size:
            action = random.uniform(-1, 1, (lanes.size, 8))
            assert arrays(ours.step(action, lanes)) == arrays(theirs.step(action, lanes)), step


@needs_native
def test_options_per_environment_and_episode_equal_the_library():
    """Compares a pool with one option per environment and one option drawn per episode.

    Environments of such a pool are stepped one by one.
    """
    noise = [0.01 * lane for lane in range(13)]
    ours, theirs = pools("Walker2d-v5", seed=8, reset_noise_scale=noise, ctrl_cost_weight=("uniform", 0.0, 1.0))
    assert arrays(ours.reset()) == arrays(theirs.reset())
    random = np.random.default_rng(4)
    for step in range(40):
        action = random.uniform(-1, 1, (13, 6))
        assert arrays(ours.step(action)) == arrays(theirs.step(action)), step


@needs_native
def test_environments_of_a_pool_may_have_different_steppers(tmp_path):
    """Checks that `env.config` reports the selected physics of each environment, and that results equal those of the
    library alone.
    """
    elsewhere = ball(tmp_path, outsides='<option integrator="implicit"/>')
    models = ["half_cheetah.xml", "half_cheetah.xml", "walker2d_v5.xml"]
    options = {"num_envs": 12, "seed": 12, "num_threads": 2, "frame_skip": [5, 5, 1] * 4, "xml_file": models * 4}
    mixed = envpool_rs.make_gymnasium("HalfCheetah-v5", physics=["native", "libmujoco", "auto"] * 4, **options)
    assert mixed.config["physics"] == ["native", "libmujoco", "native"] * 4
    theirs = envpool_rs.make_gymnasium("HalfCheetah-v5", physics="libmujoco", **options)
    assert theirs.config["physics"] == "libmujoco"
    assert arrays(mixed.reset()) == arrays(theirs.reset())
    random = np.random.default_rng(7)
    for step in range(40):
        action = random.uniform(-1, 1, (12, 6))
        assert arrays(mixed.step(action)) == arrays(theirs.step(action)), step
    pair = envpool_rs.make_gymnasium("Hopper-v5", num_envs=2, xml_file=[elsewhere, ball(tmp_path / "here")])
    assert pair.config["physics"] == ["libmujoco", "native"]


@needs_native
@pytest.mark.parametrize("task", ["Ant-v5", "HalfCheetah-v5", "Humanoid-v5", "InvertedDoublePendulum-v5"])
def test_native_steps_and_the_library_accept_each_others_snapshots(task):
    ours, theirs = pools(task, seed=9)
    for env in (ours, theirs):
        env.reset()
    random = np.random.default_rng(5)
    size = ours.action_space.shape[0]
    for step in range(45):
        if step % 15 == 10:
            states = ours.get_state(), theirs.get_state()
            for env in (ours, theirs):
                env.step(np.zeros((13, size)))
            # Each pool continues from the other's snapshots.
            ours.set_state(states[1])
            theirs.set_state(states[0])
        action = random.uniform(-0.4, 0.4, (13, size))
        assert arrays(ours.step(action)) == arrays(theirs.step(action)), step


@needs_native
def test_a_failed_environment_does_not_affect_its_neighbours(tmp_path):
    """Checks that all other environments continue after environment 5 has failed, because MuJoCo rejects accelerations
    beyond 1e10.
    """
    path = ball(tmp_path, gear=1e15)
    ours, theirs = pools("HalfCheetah-v5", seed=10, num_threads=1, xml_file=path)
    for env in (ours, theirs):
        env.reset()
    action = np.zeros((13, 1))
    action[5] = 1
    results = []
    for env in (ours, theirs):
        with pytest.raises(RuntimeError, match=r"environment 5.*unstable") as error:
            env.step(action)
        results.append(str(error.value))
    assert results[0] == results[1]
    assert arrays(ours.recv()) == arrays(theirs.recv())
    for env in (ours, theirs):
        env.reset(np.array([5]))
    assert arrays(ours.step(np.zeros((13, 1)))) == arrays(theirs.step(np.zeros((13, 1))))


@pytest.mark.slow
@needs_native
@needs_pictures
@pytest.mark.parametrize("task", ["HalfCheetah-v5", "Humanoid-v5", "InvertedPendulum-v5"])
def test_pictures_between_steps_equal_the_library(task):
    """Checks that pictures are equal between steps.

    Each thread has one simulation, which holds the environment that it stepped last. The states of all other
    environments are replayed before they are drawn.
    """
    ours, theirs = pools(task, num_envs=9, seed=11, num_threads=1, render_mode="rgb_array", width=48, height=32)
    for env in (ours, theirs):
        env.reset()
    random = np.random.default_rng(6)
    for step in range(4):
        action = random.uniform(-0.4, 0.4, (9, *ours.action_space.shape))
        assert arrays(ours.step(action)) == arrays(theirs.step(action)), step
        np.testing.assert_array_equal(ours.render([8, 0, 3]), theirs.render([8, 0, 3]))
    ours.set_state(ours.get_state())
    np.testing.assert_array_equal(ours.render(), theirs.render())


@needs_native
@needs_pictures
def test_the_library_steps_environments_with_picture_observations():
    options = {"num_envs": 2, "from_pixels": True, "render_width": 16, "render_height": 16}
    assert envpool_rs.make_gymnasium("Hopper-v5", **options).config["physics"] == "libmujoco"
    with pytest.raises(ValueError, match=r'physics="native": expected .*pictures'):
        envpool_rs.make_gymnasium("Hopper-v5", physics="native", **options)


PLAY = """
import hashlib, numpy as np, envpool_rs
digest = hashlib.sha256()
for task in ("Ant-v5", "HalfCheetah-v5", "Humanoid-v5", "Swimmer-v5"):
    env = envpool_rs.make_gymnasium(task, num_envs=11, seed=1, physics="native")
    env.reset()
    random = np.random.default_rng(0)
    for _ in range(40):
        result = env.step(random.uniform(-0.4, 0.4, (11, *env.action_space.shape)))
        digest.update(b"".join(array.tobytes() for array in result[:4]))
print(digest.hexdigest())
"""


@needs_native
def test_bits_are_equal_with_all_vector_instructions():
    assert prints_the_same_with_all_vectors(PLAY)


def ball(tmp_path, *, insides="", outsides="", gear=1):
    tmp_path.mkdir(exist_ok=True)
    path = tmp_path / "hopper.xml"
    path.write_text(f"""<mujoco><option timestep="0.002"/><worldbody><geom type="plane" size="9 9 1"/><body pos="0 0 1">
        <joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
        <joint name="y" axis="0 1 0"/><geom size="0.1" mass="1"/>{insides}</body></worldbody>
        <actuator><motor joint="y" gear="{gear}" ctrlrange="-1 1"/></actuator>{outsides}</mujoco>""")
    return str(path)


@needs_native
@pytest.mark.parametrize(
    ("insides", "outsides"),
    [("", ""), ('<body name="b"><geom size="0.1" mass="1"/></body>', '<equality><weld body1="b"/></equality>')],
)
def test_a_supported_custom_model_is_stepped_natively(tmp_path, insides, outsides):
    ours, theirs = pools(
        "Hopper-v5", xml_file=ball(tmp_path, insides=insides, outsides=outsides), terminate_when_unhealthy=False
    )
    for env in (ours, theirs):
        env.reset()
    for step in range(100):
        action = np.full((13, 1), np.cos(step))
        assert arrays(ours.step(action)) == arrays(theirs.step(action)), step


@needs_native
@pytest.mark.parametrize(
    ("insides", "outsides", "reason"),
    [
        (
            '<body><joint name="j" axis="0 0 1"/><geom size="0.1" mass="1"/></body>',
            '<tendon><fixed name="t"><joint joint="j" coef="1"/></fixed>'
            '<fixed name="u"><joint joint="j" coef="2"/></fixed></tendon>'
            '<equality><tendon tendon1="t" tendon2="u"/></equality>',
            "equality constraints",
        ),
        ("", '<option><flag warmstart="disable"/></option>', "<flag warmstart"),
        ("", '<option cone="elliptic" solver="PGS"/>', "elliptic cones of friction"),
        ("", '<option integrator="implicit"/>', "an implicit integrator"),
        ("", '<option wind="1 0 0"/>', "wind"),
    ],
)
def test_the_library_steps_unsupported_models(tmp_path, insides, outsides, reason):
    path = ball(tmp_path, insides=insides, outsides=outsides)
    options = {"xml_file": path, "terminate_when_unhealthy": False}
    env = envpool_rs.make_gymnasium("Hopper-v5", num_envs=2, **options)
    assert env.config["physics"] == "libmujoco"
    env.reset()
    env.step(np.zeros((2, 1)))
    with pytest.raises(ValueError, match=f'physics="native": expected .*{reason}'):
        envpool_rs.make_gymnasium("Hopper-v5", num_envs=2, physics="native", **options)


@pytest.mark.skipif(KNOWN, reason="the library is one that is stepped alike")
@pytest.mark.filterwarnings("ignore:version .* of MuJoCo:RuntimeWarning")
def test_the_library_steps_with_unsupported_versions():
    env = envpool_rs.make_gymnasium("HalfCheetah-v5", num_envs=2)
    assert env.config["physics"] == "libmujoco"
    with pytest.raises(ValueError, match="version"):
        envpool_rs.make_gymnasium("HalfCheetah-v5", num_envs=2, physics="native")


def test_the_stepper_is_logged(caplog):
    with caplog.at_level("INFO", logger="envpool_rs"):
        physics = envpool_rs.make_gymnasium("Pusher-v5", num_envs=1).config["physics"]
    assert f"Pusher-v5: physics={physics!r} (" in caplog.text


def test_a_broken_mesh_is_an_error(tmp_path):
    (tmp_path / "broken.stl").write_bytes(b"solid nothing")
    asset = (
        '<asset><mesh name="broken" file="broken.stl"/></asset><worldbody><geom type="mesh" mesh="broken"/></worldbody>'
    )
    (tmp_path / "mesh.xml").write_text(f"<mujoco>{asset}</mujoco>")
    program = f"import envpool_rs; envpool_rs.make_vec('Hopper-v5', 1, xml_file={str(tmp_path / 'mesh.xml')!r})"
    result = subprocess.run([sys.executable, "-c", program], check=False, capture_output=True, text=True, timeout=120)
    assert result.returncode == 1, result
    assert "ValueError: xml_file is no model that MuJoCo takes" in result.stderr


@pytest.mark.parametrize(
    ("path", "start", "end"),
    [
        ("tests/data/mujoco_fields.txt", "versions - - ", "\n"),
        ("noxfile.py", "\nMUJOCO = [", "]"),
        ("docs/mujoco.md", "| mujoco | own steps |", "| others "),
    ],
)
def test_lists_of_versions_with_native_steps_are_equal(path, start, end):
    text = (ROOT / path).read_text(encoding="utf-8")
    listed = text.partition(start)[2].partition(end)[0]
    cells = [cell.strip() for cell in re.split(r'[|",]', listed)]
    versions = [cell for cell in cells if re.fullmatch(r"\d+\.\d+\.\d+", cell)]
    assert versions == [*mujoco_library._VERIFIED_VERSIONS]


def test_an_unknown_version_is_warned_of_once():
    reason = "version 9.9.9 of MuJoCo: native steps exist for 3.6.0"
    with pytest.warns(RuntimeWarning, match=r"version 9\.9\.9 .*physics='auto' is 'libmujoco'") as warned:
        for _ in range(3):
            log_resolved("Ant-v5", [("physics", "libmujoco", reason)])
    assert len(warned) == 1
    log_resolved("Ant-v5", [("physics", "libmujoco", "a tendon")])


def model_at_random(seed):
    """Returns a model with a random tree of bodies, with joints, shapes, springs, limits, friction and all natively
    stepped motors.
    """
    random = np.random.default_rng(seed)

    def numbers(low, high, count=1):
        return " ".join(f"{value:.4f}" for value in random.uniform(low, high, count))

    def maybe(share, text):
        return text() if random.random() < share else ""

    def shape():
        kind = (
            f'type="sphere" size="{numbers(0.03, 0.12)}"'
            if random.random() < 0.4
            else f'type="capsule" size="{numbers(0.02, 0.08)} {numbers(0.05, 0.25)}"'
        )
        return (
            f'<geom {kind} mass="{numbers(0.1, 3)}" condim="{random.choice([1, 3])}" '
            + maybe(0.6, lambda: f'pos="{numbers(-0.1, 0.1, 3)}" ')
            + maybe(0.5, lambda: f'quat="{numbers(-1, 1, 4)}" ')
            + maybe(0.3, lambda: f'margin="{numbers(0, 0.02)}" ')
            + maybe(0.3, lambda: f'solimp="{numbers(0.5, 0.9)} 0.95 {numbers(0.001, 0.05)}" ')
            + maybe(0.5, lambda: 'conaffinity="0" ')
            + "/>"
        )

    def joint(number):
        axis = random.choice(["1 0 0", "0 -1 0", "0 0 1", numbers(-1, 1, 3)])
        return (
            f'<joint name="j{number}" type="{random.choice(["hinge", "slide"], p=[0.75, 0.25])}" axis="{axis}" '
            + maybe(0.5, lambda: f'pos="{numbers(-0.1, 0.1, 3)}" ')
            + maybe(0.5, lambda: f'limited="true" range="{numbers(-1, -0.1)} {numbers(0.1, 1)}" ')
            + maybe(0.3, lambda: f'stiffness="{numbers(1, 100)}" springref="{numbers(-0.5, 0.5)}" ')
            + maybe(0.6, lambda: f'damping="{numbers(0.1, 5)}" ')
            + maybe(0.5, lambda: f'armature="{numbers(0.01, 1)}" ')
            + maybe(0.3, lambda: f'frictionloss="{numbers(0.1, 5)}" ')
            + "/>"
        )

    count = int(random.integers(1, 10))
    is_free = random.random() < 0.3 and count > 6
    text, number = "", 6 * is_free
    for depth in range(count + 1):
        if number == count:
            break
        place = numbers(-0.3, 0.3, 3) if depth else f"0 0 {numbers(0.2, 1.2)}"
        text += f'<body pos="{place}" ' + maybe(0.4, lambda: f'quat="{numbers(-1, 1, 4)}"') + ">"
        if is_free and depth == 0:
            text += "<freejoint/>"
        else:
            joints = min(int(random.integers(1, 3)), count - number)
            text += "".join(joint(number + index) for index in range(joints))
            number += joints
        text += shape() + maybe(0.4, shape)
    text += "</body>" * text.count("<body")
    motors = "".join(
        f'<motor joint="j{index}" gear="{numbers(0.5, 50)}" ctrlrange="-1 1"/>' for index in range(6 * is_free, count)
    )
    return f"""<mujoco><compiler angle="radian"/><option timestep="{random.choice([0.001, 0.002, 0.005])}"
        integrator="{random.choice(["Euler", "RK4"])}" cone="{random.choice(["elliptic", "pyramidal"])}"
        {maybe(0.2, lambda: f'impratio="{numbers(1, 5)}"')}
        {maybe(0.2, lambda: f'density="{numbers(100, 2000)}" viscosity="0.1"')}/>
        <worldbody><geom type="plane" size="9 9 1"/>{text}</worldbody><actuator>{motors}</actuator></mujoco>"""


@needs_native
@pytest.mark.parametrize("seed", range(LONG // 10 or 12))
def test_random_models_equal_the_library_bit_for_bit(tmp_path, seed):
    path = tmp_path / "model.xml"
    path.write_text(model_at_random(seed))
    own = [
        envpool_rs.make_gymnasium("HalfCheetah-v5", num_envs=5, seed=seed, xml_file=str(path), physics=physics)
        for physics in ("native", "libmujoco")
    ]
    random = np.random.default_rng(seed)
    for step in range(61):
        action = random.uniform(-1, 1, (5, *own[0].action_space.shape))
        results = []
        for env in own:
            # Later versions of MuJoCo warn at the reset about models with two joints at the same position.
            try:
                results.append(arrays(env.step(action) if step else env.reset()))
            except RuntimeError as error:
                results.append(str(error))
        assert results[0] == results[1], step
        if isinstance(results[0], str):
            break
