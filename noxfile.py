"""Checks with other packages, tools and processors than those of `make test`, measurements, and recorders.

    .venv/bin/nox --list                # `make tools` installs nox
    .venv/bin/nox -s gym ray            # .ci/run names the sessions that CI runs
    .venv/bin/nox -s "mujoco(3.6.0)"
    .venv/bin/nox -s exact -- box2d     # arguments follow --

Sessions install the wheel of `make wheel`. Their virtual environments are in .nox, and are used again.
"""

import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import nox

nox.options.default_venv_backend = "venv"
nox.options.reuse_existing_virtualenvs = True

# Sessions draw other instances of tests each day; the same seed repeats them.
SEED = os.environ.setdefault("ENVPOOL_RS_INSTANCES_SEED", time.strftime("%Y%m%d"))
print(f"ENVPOOL_RS_INSTANCES_SEED={SEED}")

ROOT = Path(__file__).parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")).absolute()
#: The interpreter of .venv, which runs nox, and has the packages of the tests and the wheel.
PYTHON = sys.executable
BIN = Path(PYTHON).parent
#: Arguments of Cargo for programs that run the Atari console.
ATARI = ["--locked", "--release", "--no-default-features", "--features", "atari,translate"]
GYMS = ["0.23.1", "0.25.2", "0.26.2"]
#: Versions of mujoco that have native steps: the oldest that a reference requires, and the last three minor versions,
#: each with its newest patch release. The test suite uses the last one that dm_control supports, not the newest.
MUJOCO = ["3.6.0", "3.16.0", "3.17.0", "4.0.0"]
PUFFERLIB = TARGET / "sources" / "pufferlib-3.0.0"

session = partial(nox.session, default=False)
#: A session in .venv.
in_main = partial(session, venv_backend="none")


def versions(name, values):
    return nox.parametrize(name, [nox.param(value, id=value) for value in values])


def requirements(*groups):
    """Returns the requirements of groups and extras of pyproject.toml."""
    text = subprocess.check_output([PYTHON, "tools/requirements.py", *groups], cwd=ROOT, text=True)
    return text.splitlines()


def make_wheel(session, profile="release"):
    """Builds the wheel if it is not current, and installs it into .venv."""
    make = ("make", "--no-print-directory", f"PROFILE={profile}", ".venv/.tools", f".venv/.wheel-{profile}")
    session.run_install(*make, external=True)


def install(session, *packages, groups=(), profile="release"):
    """Installs packages, groups of pyproject.toml, and the wheel."""
    make_wheel(session, profile)
    session.install(*packages, *(requirements(*groups) if groups else ()))
    (path,) = (TARGET / "wheels").glob("*.whl")
    session.install("--force-reinstall", "--no-deps", str(path))


def pytest(session, *arguments, **variables):
    session.run("python", "-m", "pytest", *arguments, *session.posargs, env=variables)


def run(session, *command, **variables):
    """Runs a program of .venv or of this machine."""
    session.run(*map(str, command), external=True, env=variables)


def cargo(session, *arguments, **variables):
    run(session, "cargo", *arguments, **variables)


def folder_of(module, python=PYTHON):
    code = f"import importlib.util as util; print(util.find_spec({module!r}).submodule_search_locations[0])"
    return subprocess.check_output([python, "-c", code], text=True).strip()


# --- targets of the Makefile ------------------------------------------------------------------------------------------


@in_main
def lint(session):
    """Checks the formatting, lints, types and stubs of Python, and workflows: `make lint`."""
    run(session, PYTHON, "-m", "ruff", "check")
    run(session, PYTHON, "-m", "ruff", "format", "--check")
    run(session, PYTHON, "-m", "mypy")
    with session.chdir("tools"):
        options = ("--allowlist", "stubtest_allowlist.txt", "--ignore-disjoint-bases")
        run(session, PYTHON, "-m", "mypy.stubtest", *options, "envpool_rs._core")
    workflows = sorted(Path(".github/workflows").glob("*.yml"))
    run(session, BIN / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows)
    run(session, BIN / "zizmor", "--offline", "--no-progress", ".github/workflows")


@in_main
def generate(session):
    """Writes what manifests and the table of tasks generate: `make generate`."""
    run(session, PYTHON, "tools/families.py")
    make_wheel(session)
    run(session, PYTHON, "tools/signatures.py")
    run(session, PYTHON, "docs/site/family_pages.py")


@in_main
def docs(session):
    """Builds the site into target/docs, with every warning an error: `make docs`."""
    make_wheel(session)
    run(session, PYTHON, "-m", "pip", "install", "--quiet", *requirements("docs"))
    run(session, PYTHON, "docs/site/family_pages.py", "--check")
    # With the flags of `make lint`, whose products are used again.
    cargo(session, "doc", "--locked", "--no-deps", RUSTDOCFLAGS="-D warnings")
    site = TARGET / "docs"
    shutil.rmtree(site, ignore_errors=True)
    options = ("--fail-on-warning", "--keep-going", "--quiet", "-c", "docs/site")
    run(session, PYTHON, "-m", "sphinx", *options, ".", site)
    shutil.copytree(TARGET / "doc", site / "rust")
    print((site / "rust" / "envpool_rs" / "index.html").resolve(strict=True), site / "index.html")


# --- other packages ---------------------------------------------------------------------------------------------------


@session
def smoke(session):
    """Steps the wheel's tasks in a virtual environment with nothing but the wheel."""
    make_wheel(session)
    (path,) = (TARGET / "wheels").glob("*.whl")
    session.install("--force-reinstall", str(path))
    session.run("python", "tools/smoke.py")


@session
@versions("version", GYMS)
def gym(session, version):
    """Tests the gym interface with a release of legacy gym, and numpy 1."""
    # The last pip and setuptools that accept the version requirements in gym's setup.py.
    session.install("pip<24.1", "setuptools<66", "wheel<0.40")
    session.install("--no-build-isolation", f"gym=={version}", "pygame", "numpy<2", "gymnasium>=1.2,<1.5", "pytest>=8")
    install(session, "cloudpickle>=1.2")
    names = ["test_gym_facade.py", "test_legacy_loop.py", "test_legacy_gym_envs.py"]
    pytest(session, *(f"tests/python/facades/{name}" for name in names), "tests/python/multi_env")
    pytest(session, *map(str, Path("tests/python/vector").glob("test_vector_env_family*.py")), "-k", "dummy")


@session
def ray(session):
    """Tests RLlib's environments with RLlib, and Ray's actors on this machine."""
    packages = ["ray[rllib]==2.60.*", "pytest>=8", "dm-env>=1.5", "mujoco>=3.6", "numba>=0.68"]
    install(session, *packages)
    session.install("--no-deps", *requirements("programs"))
    pytest(session, "tests/ray", "tests/python/rllib")


def install_native(session, version):
    packages = ["gymnasium==1.4.*", "numpy>=2", "pytest>=8", "dm-env>=1.5", "imageio>=2.14.1", "cloudpickle>=1.2"]
    install(session, *packages, f"mujoco=={version}")


def native_variables(session):
    """Writes the layout of the installed MuJoCo, and returns the variables with which Rust tests find it."""
    layout = Path(session.virtualenv.location).absolute() / "layout.txt"
    session.run("python", "-m", "envpool_rs", "mujoco-library", str(layout))
    # With nox's option --install-only, nothing runs, and there is no output.
    path = session.run("python", "-c", "import gymnasium; print(gymnasium.__path__[0])", silent=True) or ""
    return {"ENVPOOL_RS_MUJOCO": str(layout), "ENVPOOL_RS_MUJOCO_MODELS": f"{path.strip()}/envs/mujoco/assets"}


@session
@versions("version", MUJOCO)
def mujoco(session, version):
    """Compares this package's own steps with those of a version of mujoco, for a minute."""
    install_native(session, version)
    cargo(session, "test", "--locked", "--package", "envpool_rs_sim_mujoco", "--lib", **native_variables(session))
    names = ["test_mujoco_native.py", "test_mujoco_gymnasium.py", "test_mujoco_signatures.py"]
    pytest(session, *(f"tests/python/mujoco/{name}" for name in names))


@session
@versions("version", ["3.6.0", "4.0.0"])
def mujoco_long(session, version):
    """Compares this package's own steps with mujoco's for an hour: NATIVE_STEPS of each model, then whole pools."""
    install_native(session, version)
    steps = os.environ.get("NATIVE_STEPS", "80000")
    command = ("test", "--locked", "--release", "--package", "envpool_rs_sim_mujoco", "--lib", "native")
    cargo(session, *command, "--", "--nocapture", NATIVE_STEPS=steps, **native_variables(session))
    pytest(session, "tests/python/mujoco/test_mujoco_native.py", NATIVE_STEPS="2000", ENVPOOL_RS_ALL_TESTS="1")


@session
@versions("version", ["3.6.0", "4.0.0"])
def mujoco_fuzz(session, version):
    """Steps FUZZ_MODELS random models of FUZZ_SEED by this package and by mujoco, and compares every bit."""
    install_native(session, version)
    options = {"models": "FUZZ_MODELS", "seed": "FUZZ_SEED", "jobs": "FUZZ_JOBS"}
    values = {name: os.environ.get(variable) for name, variable in options.items()}
    values = {"models": "3000", "seed": "0", "jobs": "2", **{name: each for name, each in values.items() if each}}
    arguments = [f"--{name}={value}" for name, value in values.items()]
    session.run("python", "tools/mujoco_fuzz.py", *arguments, "--out", str(TARGET / "mujoco-fuzz"))


@session
@versions("version", ["3.6.0", "4.0.0"])
def mujoco_tasks(session, version):
    """Compares robots, dm_control's suite, mazes and hands with their packages on another mujoco."""
    # No dm_control supports mujoco 4.0.0.
    dm_control = {"3.6.0": ["dm_control==1.0.38"]}.get(version, [])
    others = [name for name in requirements("test") if not name.startswith(("mujoco", "dm_control"))]
    install(session, *others, f"mujoco=={version}", *dm_control)
    folders = [f"tests/python/{folder}" for folder in ("mujoco", "dm_control", "robotics")]
    names = ["mujoco_gymnasium", "mujoco_dm_control", "mujoco_maze", "mujoco_fetch", "mujoco_hands", "mujoco_kitchen"]
    names.append("mujoco_adroit_resets")
    files = [str(path) for folder in folders for name in names for path in Path(folder).glob(f"test_{name}.py")]
    steps = {name: os.environ.get(name, "5000") for name in ("MUJOCO_STEPS", "DM_CONTROL_STEPS")}
    pytest(session, *files, ENVPOOL_RS_ALL_TESTS="1", **steps)


@in_main
def mujoco_needs(session):
    """Checks that robots and dm_control's domains read only the fields that they have declared; `-- all`: more."""
    make_wheel(session)
    layout = TARGET / "mujoco_layout.txt"
    run(session, PYTHON, "-m", "envpool_rs", "mujoco-library", layout)
    variables = {
        "ENVPOOL_RS_MUJOCO": str(layout),
        "ENVPOOL_RS_MUJOCO_MODELS": f"{folder_of('gymnasium')}/envs/mujoco/assets",
        "ENVPOOL_RS_SUITE": f"{folder_of('dm_control')}/suite",
        "ENVPOOL_RS_PYTHON": PYTHON,
    }
    cargo(session, "test", "--locked", "--test", "all", "mujoco_needs", **variables)
    if session.posargs == ["all"]:
        crates = ["--package", "envpool_rs_sim_mujoco", "--package", "envpool_rs_envs_mujoco"]
        cargo(session, "test", "--locked", *crates, "--lib", **variables)
        cargo(session, "test", "--locked", "--example", "own_robot", **variables)


@session
def newest(session):
    """Tests with the newest releases of mujoco, gymnasium, ale-py, dm_control and gymnasium-robotics."""
    install(session, groups=["test"])
    session.install("--no-deps", *requirements("without-dependencies"))
    names = ["mujoco", "gymnasium", "ale-py", "dm_control", "gymnasium-robotics"]
    # Without their requirements, which exclude each other's newest releases.
    session.install("--upgrade", "--no-deps", *names)
    session.run("python", "-m", "pip", "freeze")
    folders = ["mujoco", "dm_control", "robotics", "atari", "facades", "specs"]
    pytest(session, *(f"tests/python/{folder}" for folder in folders))


@session(python="3.14t")
def free_threaded(session):
    """Builds the extension for a free-threaded interpreter, and tests pools with its lock enabled."""
    wheels = TARGET / "free-threaded"
    shutil.rmtree(wheels, ignore_errors=True)
    build = ("build", "--profile", "quick", "--locked", "--interpreter", Path(session.bin, "python"), "--out", wheels)
    run(session, BIN / "maturin", *build)
    (path,) = wheels.glob("*.whl")
    # The group `test` has packages without wheels for such an interpreter.
    packages = ["pytest", "hypothesis", "dm-env", "pettingzoo==1.27.0", "array-api-compat", "pillow"]
    session.install("--only-binary", ":all:", "--force-reinstall", str(path), *packages)
    files = ["pools/test_results.py", "pools/test_closing.py", "abuse/test_abuse_threads.py"]
    files += ["python_pools/test_python_episode_options.py", "transport"]
    pytest(session, *(f"tests/python/{file}" for file in files), PYTHON_GIL="1")


# --- trainers and other programs --------------------------------------------------------------------------------------


def install_consumers(session, *packages, profile="release"):
    """Installs trainers, and returns the folder with files of families for examples and other projects' programs.

    TorchRL cannot be imported if it finds some of these packages without their dependencies.
    """
    install(session, groups=["consumers"], profile=profile)
    # It pins gymnasium below 1.0 and numpy below 2, but runs with newer versions.
    session.install("--no-deps", "sample-factory==2.1.*")
    if packages:
        session.install(*packages)
    files = TARGET / "files"
    if not files.exists():
        session.install("--no-deps", "--target", str(files), *requirements("programs"))
    return str(files)


#: Files of tests that need legacy gym, which would change this package's gym interface for the others.
GYM_CONSUMERS = ["tests/consumers/test_torchrl.py", "tests/consumers/test_pufferlib.py"]


@session
def consumers(session):
    """Tests trainers (Stable-Baselines3, Tianshou, TorchRL, skrl, ...) at their own releases, without skips."""
    files = install_consumers(session)
    required = {"ENVPOOL_RS_ALL_CONSUMERS": "1"}
    pytest(session, "tests/consumers", *(f"--ignore={path}" for path in GYM_CONSUMERS), **required)
    pytest(session, "tests/consumers/test_ppo_levels.py", PYTHONPATH=files)
    pytest(session, "tests/python/vector/test_vector_wrappers.py", "tests/python/xla/test_xla_wrappers.py")


@session
def consumers_gym(session):
    """Tests the trainers that need legacy gym (TorchRL's wrapper, PufferLib), without skips."""
    install_consumers(session)
    session.install("pip<24.1", "setuptools<66", "wheel<0.40", "Cython")
    session.install("--no-build-isolation", "--no-deps", "gym==0.26.2", "gym-notices")
    # PufferLib is built without its C environments, because their sources are not on PyPI. The variable for that,
    # NO_OCEAN, needs a name that PufferLib's setup.py does not define and that pufferlib_build adds. The path is
    # absolute, because pip builds in another folder.
    variables = {"PYTHONPATH": str(ROOT / "tests/consumers/pufferlib_build"), "NO_OCEAN": "1", "NO_TRAIN": "1"}
    session.install("--no-build-isolation", "--no-deps", "pufferlib==3.0.0", env=variables)
    pytest(session, *GYM_CONSUMERS, ENVPOOL_RS_ALL_CONSUMERS="1")


def checkout(session, variable, url, tag):
    """Returns a checkout with tests that a PyPI package omits: that of a variable, or a clone."""
    path = Path(os.environ.get(variable, TARGET / "checkouts" / variable.lower()))
    if not path.exists():
        run(session, "git", "clone", "--quiet", "--depth", "1", "--branch", tag, url, path)
    return str(path)


@session
def gymnasium_suite(session):
    """Runs Gymnasium's own tests of vector environments, with only the maker replaced."""
    install_consumers(session, "gymnasium[box2d,classic-control,mujoco,other,toy-text]==1.4.*")
    path = checkout(session, "GYMNASIUM_CHECKOUT", "https://github.com/Farama-Foundation/Gymnasium", "v1.4.0")
    session.run("python", "tests/consumers/gymnasium_suite.py", path)


@session
def sb3_suite(session):
    """Runs Stable-Baselines3's own tests of vector environments, with only the maker replaced."""
    install_consumers(session, "gymnasium[classic-control,other]==1.4.*")
    path = checkout(session, "SB3_CHECKOUT", "https://github.com/DLR-RM/stable-baselines3", "v2.9.2")
    session.run("python", "tests/consumers/stable_baselines3_suite.py", path)


@session
def epymarl(session):
    """Compares environments behind EPyMARL's own wrapper with those of lbforaging and rware; needs torch."""
    install(session, "torch", "pytest>=8", "pettingzoo", "lbforaging==2.0.0", "rware==2.0.0", "networkx==3.6.1")
    path = checkout(session, "EPYMARL_CHECKOUT", "https://github.com/uoe-agents/epymarl", "v2.0.0")
    pytest(session, "tests/consumers/test_epymarl.py", EPYMARL_CHECKOUT=path)


@session
def programs(session):
    """Runs other projects' programs (names follow --) on this package and on EnvPool; fills docs/programs.md."""
    files = install_consumers(session)
    command = ("tests/consumers/programs.py", str(TARGET / "programs"), *session.posargs)
    session.run("python", *command, "--files", files, "--markdown", "docs/programs.md")


@in_main
def ocean(session):
    """Plays PufferLib's Breakout as a plugin, and compares it with the original; downloads 60 MB."""
    make_wheel(session)
    if not PUFFERLIB.exists():
        run(session, PYTHON, "tools/fetch_pufferlib.py", PUFFERLIB)
    run(session, PYTHON, "-m", "pytest", "tests/python/plugins/test_plugin_ocean.py")


# --- references -------------------------------------------------------------------------------------------------------


@session
def exact(session):
    """Compares a family (its name follows --) with its reference over many steps, as its manifest says."""
    install(session, groups=["test"])
    session.install("--no-deps", *requirements("without-dependencies"))
    packages = requirements("exact", *session.posargs)
    if packages:
        session.install(*packages)
    session.run("python", "tools/families.py", "exact", *session.posargs, env={"ENVPOOL_RS_ALL_TESTS": "1"})


@in_main
def exactness(session):
    """Compares every task with its reference over many steps; fills docs/exactness.csv and docs/exactness.md."""
    make_wheel(session)
    cargo(session, "build", *ATARI, "--example", "atari_trace")
    binary, consoles, parity = (
        TARGET / name for name in ("release/examples/atari_trace", "consoles.json", "parity.json")
    )
    run(session, PYTHON, "tools/atari/compare.py", "full", "--binary", binary, "--json", consoles)
    counts = (PYTHON, "tools/families.py", "exactness", "--parity-json", parity)
    run(session, *counts, ENVPOOL_RS_ALL_TESTS="1")
    run(session, PYTHON, "tools/exactness.py", parity, consoles)


@in_main
def atari(session):
    """Compares the Atari console with ALE's on all games for a minute; `-- full`: half an hour, all modes."""
    make_wheel(session)
    if session.posargs == ["full"]:
        cargo(session, "build", *ATARI, "--example", "atari_trace")
        binary = TARGET / "release/examples/atari_trace"
        run(session, PYTHON, "tools/atari/compare.py", "full", "--binary", binary, "--table", TARGET / "atari.md")
    else:
        cargo(session, "build", "--locked", "--example", "atari_trace")
        run(session, PYTHON, "tools/atari/compare.py", "quick", "--binary", TARGET / "debug/examples/atari_trace")


@in_main
def atari_translation(session):
    """Compares all games translated and interpreted, TRANSLATION_FRAMES each, and measures the speed of both."""
    frames = os.environ.get("TRANSLATION_FRAMES", "20000")
    cargo(session, "run", *ATARI, "--example", "atari_translation", "games", frames, f"{folder_of('ale_py')}/roms")


@in_main
def atari_aarch64(session):
    """Compares Atari's machine code for aarch64 with the interpreter, under qemu-user (docs/atari.md)."""
    variables = {
        "CARGO_BUILD_TARGET": "aarch64-unknown-linux-gnu",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER": "aarch64-linux-gnu-gcc",
        "CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER": "qemu-aarch64-static -L /usr/aarch64-linux-gnu",
    }
    example = ("run", "--locked", "--example")
    cargo(session, "test", "--locked", "--test", "all", "atari_translation", **variables)
    cargo(session, *example, "atari_noise", seconds(), **variables)
    cargo(session, *example, "atari_translation", "noise", seconds(), **variables)
    roms = f"{folder_of('ale_py')}/roms"
    cargo(session, *example, "atari_translation", "games", os.environ.get("AARCH64_FRAMES", "300"), roms, **variables)


# --- special tools ----------------------------------------------------------------------------------------------------


def seconds():
    return os.environ.get("FUZZ_SECONDS", "60")


@in_main
def loom(session):
    """Model-checks the ring, requests, the ledger of lanes and wait queues: every interleaving of a few threads."""
    # loom runs with optimisation, because it tries millions of interleavings.
    variables = {"RUSTFLAGS": "--cfg loom", "CARGO_TARGET_DIR": str(TARGET / "loom")}
    cargo(
        session, "test", "--locked", "--release", "--package", "envpool_rs_engine", "--lib", "--", "loom", **variables
    )


@in_main
def portable(session):
    """Tests the transport between processes as systems other than Linux build it; compiles the recompiler's stub."""
    variables = {"RUSTFLAGS": "--cfg portable", "CARGO_TARGET_DIR": str(TARGET / "portable")}
    test = ("test", "--locked", "--package", "envpool_rs_transport", "--lib", "--test", "transport")
    cargo(session, *test, **variables)
    cargo(session, "check", "--locked", "--package", "envpool_rs_sim_atari", "--no-default-features")


SANITIZED = ["--package", "envpool_rs_engine", "--target", "x86_64-unknown-linux-gnu"]


@in_main
def address_sanitizer(session):
    """Runs the engine's tests with every memory access checked."""
    variables = {
        # Tests request more memory than exists. The allocation must then fail, instead of the sanitizer ending the
        # process.
        "ASAN_OPTIONS": "allocator_may_return_null=1:detect_stack_use_after_return=0",
        "RUSTC_BOOTSTRAP": "1",
        "RUSTFLAGS": "-Zsanitizer=address",
        "CARGO_TARGET_DIR": str(TARGET / "address"),
    }
    cargo(session, "test", "--locked", *SANITIZED, **variables)


@in_main
def thread_sanitizer(session):
    """Runs the engine's tests with accesses checked for races; needs nightly Rust with rust-src."""
    variables = {"RUSTFLAGS": "-Zsanitizer=thread", "CARGO_TARGET_DIR": str(TARGET / "thread")}
    cargo(session, "+nightly", "test", "--locked", "-Zbuild-std", *SANITIZED, **variables)


@in_main
def miri(session):
    """Runs the engine's tests without system calls under Miri; needs nightly Rust with miri."""
    variables = {"CARGO_TARGET_DIR": str(TARGET / "miri"), "MIRIFLAGS": "-Zmiri-disable-isolation"}
    modules = "contract::row exec::per_lane exec::episode_tracker results:: pool::ledger threads::try_lock"
    command = ("+nightly", "miri", "test", "--locked", "--package", "envpool_rs_engine", "--lib", "--")
    cargo(session, *command, *modules.split(), "threads::interrupt_poller", "threads::owned_mutex", **variables)


@in_main
def fuzz(session):
    """Feeds damaged snapshots to pools for FUZZ_SECONDS; needs nightly Rust and cargo-fuzz."""
    cargo(session, "+nightly", "fuzz", "run", "set_state", "--", f"-max_total_time={seconds()}")


@in_main
def fuzz_atari(session):
    """Runs cartridges of noise and damaged snapshots on the Atari console, translated and interpreted."""
    cargo(session, "run", "--locked", "--example", "atari_noise", seconds())
    cargo(session, "run", "--locked", "--example", "atari_translation", "noise", seconds())


@in_main
def fuzz_atari_translation(session):
    """Searches for cartridges that are translated wrongly; needs nightly Rust and cargo-fuzz."""
    cargo(session, "+nightly", "fuzz", "run", "atari_translation", "--", f"-max_total_time={seconds()}")


def cargo_deny(session):
    """Returns cargo-deny, built without optimisation, because compiling it takes far longer than its checks."""
    path = TARGET / "tools" / "bin" / "cargo-deny"
    if not path.exists():
        options = ("--quiet", "--debug", "--locked", "--version", "0.20.2", "--root", TARGET / "tools")
        # In a folder of its own, so that other sessions need not wait for Cargo's lock.
        folder = {"CARGO_TARGET_DIR": str(TARGET / "tools" / "build")}
        cargo(session, "install", "cargo-deny", *options, CARGO_PROFILE_DEV_DEBUG="0", **folder)
    return path


@in_main
def deny(session):
    """Checks licences, sources and duplicate versions of all crates by deny.toml."""
    run(session, cargo_deny(session), "--locked", "check", "licenses", "bans", "sources")


@session
def advisories(session):
    """Checks crates and Python packages for known vulnerabilities; needs github.com and pypi.org."""
    run(session, cargo_deny(session), "--locked", "check", "advisories")
    session.install("pip-audit")
    path = TARGET / "requirements.txt"
    path.write_text("\n".join(requirements("build")) + "\n")
    session.run("pip-audit", "--requirement", str(path))


# --- measurements -----------------------------------------------------------------------------------------------------


@session
def bench(session):
    """Measures families (their names follow --) or small tasks against their peers; fills their pages."""
    install(session, groups=["test", "bench"], profile="dist")
    session.install("--no-deps", *requirements("without-dependencies"))
    for family in session.posargs:
        session.run("python", "benches/python", family)
    if session.posargs:
        return
    pages = ("--json", "docs/benchmark.json", "--markdown", "docs/cart_pole_speed.md", "--plot", "docs/benchmark.png")
    peers = ("--threads", "2", "--peers", "envpool,gymnasium-vector,gymnasium-sync")
    session.run("python", "benches/python", "bench", "CartPole-v1", *peers, *pages)
    tasks = "Pendulum-v1 MountainCar-v0 MountainCarContinuous-v0 Acrobot-v1 FrozenLake-v1 CliffWalking-v1 Blackjack-v1"
    arguments = ("--num-envs", "1024", "--async", "none", "--threads", "2", "--peers", "envpool")
    command = ("bench", *tasks.split(), "Taxi-v3", "NChain-v0", "Catch-v0", *arguments)
    session.run("python", "benches/python", *command, "--markdown", "docs/benchmarks.md")


@session
def bench_python(session):
    """Measures Python environments against gymnasium, Tianshou and SB3; fills docs/benchmarks.md."""
    install(session, groups=["bench-python"], profile="dist")
    pages = ("--json", "docs/benchmark_python.json", "--markdown", "docs/benchmarks.md")
    session.run("python", "benches/python", "bench-python", *pages)


@session
def bench_plugins(session):
    """Measures CartPole in C, Rust and Numba libraries against EnvPool and PufferLib."""
    install(session, groups=["test", "bench"], profile="dist")
    if not PUFFERLIB.exists():
        session.run("python", "tools/fetch_pufferlib.py", str(PUFFERLIB))
    session.run("python", "benches/python", "bench-plugins")


@session
def bench_training(session):
    """Trains by PPO with four projects' environments until a goal; fills docs/benchmarks.md and docs/training.png."""
    install_consumers(session, "envpool==1.2.*", "imageio", "matplotlib>=3.8", profile="dist")
    path = TARGET / "training.jsonl"
    path.unlink(missing_ok=True)
    pages = ("--json", str(path), "--markdown", "docs/benchmarks.md", "--plot", "docs/training.png")
    session.run("python", "benches/python", "train", "--tasks", "CartPole-v1", "HalfCheetah-v4", *pages)


@in_main
def atari_speed(session):
    """Measures the Atari console's frames per second on one core, SPEED_FRAMES each; names of games follow --."""
    cargo(session, "build", *ATARI, "--example", "atari_speed")
    roms = Path(folder_of("ale_py")) / "roms"
    without = {"combat", "joust", "maze_craze", "warlords"}
    games = session.posargs or sorted({path.stem for path in roms.glob("*.bin")} - without)
    with session.chdir(roms):
        frames = os.environ.get("SPEED_FRAMES", "20000")
        run(session, TARGET / "release/examples/atari_speed", frames, *(f"{game}.bin" for game in games))


@session
def pong(session):
    """Trains Pong for most of an hour; writes docs/pong.csv and its learning curve docs/pong.png."""
    install_consumers(session, "matplotlib>=3.8")
    session.run("python", "examples/ppo_atari.py", "--csv", "docs/pong.csv", "--csv-every", "20")
    session.run("python", "examples/plot_training.py", "docs/pong.csv", "docs/pong.png")


@session
def coinrun(session):
    """Trains coinrun on 200 levels (hours without a GPU); writes docs/coinrun.csv and docs/coinrun.png."""
    files = install_consumers(session, "matplotlib>=3.8")
    command = ("examples/ppo_levels.py", "--csv", "docs/coinrun.csv", "--csv-every", "10")
    session.run("python", *command, env={"PYTHONPATH": files})
    session.run("python", "examples/plot_training.py", "docs/coinrun.csv", "docs/coinrun.png")


# --- recorders --------------------------------------------------------------------------------------------------------


@session
def golden(session):
    """Records the references' traces in tests/data again. Review every change: a difference is a finding."""
    session.install("gymnasium==1.4.0", "numpy==2.4.6", "mpe2==1.1.1", "opencv-python-headless==5.0.0.93")
    for script in (
        "random_streams",
        "classic_control tests/data/classic_control",
        "toy_text gymnasium",
        "mpe",
        "resize",
    ):
        name, *arguments = script.split()
        session.run("python", f"tools/golden/{name}.py", *arguments)
    run(session, "git", "diff", "--stat", "tests/data")


@session
def golden_atari(session):
    """Records EnvPool's Atari traces in tests/data again."""
    install(session, "envpool==1.2.5", groups=["test"])
    session.run("python", "tools/atari/envpool_runs.py", "record")
    run(session, "git", "diff", "--stat", "tests/data")


@session
def pictures(session):
    """Renders every environment next to its reference into docs/pictures.png."""
    install(session, "gymnasium==1.4.0", "mpe2==1.1.1", "pygame-ce", "pillow", "cloudpickle>=1.2")
    session.run("python", "tools/golden/pictures.py", "docs/pictures.png")


@in_main
def docs_pictures(session):
    """Renders docs/environments/pictures, and plots the figures of docs/atari.md and docs/benchmarks.md."""
    make_wheel(session)
    run(session, PYTHON, "-m", "pip", "install", "--quiet", "pillow", "matplotlib")
    run(session, PYTHON, "docs/site/family_pictures.py")
    run(session, PYTHON, "docs/site/plots.py")
