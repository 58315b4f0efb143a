"""Compares every ViZDoom task in every interface with its reference; prints a table of compared and differing steps.

    python tools/doom/parity.py [--steps N] [--only REGEX] [--write FILE]

EnvPool's tasks run in `make_gymnasium`, `make_dm` and `make_vec`, and are compared with EnvPool 1.2.5 if it is
installed. Those of ViZDoom's package run in `make` and `make_vec`, and are compared with `gymnasium.make`. All arrays
are compared byte for byte. The maps of Doom and Doom II run on Freedoom's files, which have maps of the same names,
because the original games are not free.
"""

import argparse
import contextlib
import os
import re
import sys
import tempfile
import warnings
import zlib
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from doom import envpool_runs

SEED = 5

#: The free game file with maps of the same names, for each game that is not free.
FREE = {"Doom2": "freedoom2.wad", "Doom": "freedoom1.wad"}


@contextlib.contextmanager
def empty_folder():
    """Changes to an empty folder, because engines read and write a configuration in the working directory."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(here)


def flat(value, name=""):
    """Yields the names and values of the leaves of a nested value: arrays and strings."""
    if isinstance(value, dict):
        for key in value:
            yield from flat(value[key], f"{name}.{key}")
    elif hasattr(value, "_fields"):
        yield from flat(value._asdict(), name)
    else:
        yield name, value if isinstance(value, str) else np.asarray(value)


def same(ours, theirs):
    """Returns whether an observation equals the reference's, byte for byte."""
    left, right = dict(flat(ours)), dict(flat(theirs))
    return left.keys() == right.keys() and all(is_same(left[name], right[name]) for name in right)


def is_same(ours, theirs):
    if isinstance(theirs, str):  # EnvPool's interface returns arrays of characters
        return (ours if isinstance(ours, str) else ours.tobytes().rstrip(b"\0").decode()) == theirs
    return ours.shape == theirs.shape and ours.tobytes() == theirs.tobytes()


# --- tasks of the vizdoom package -------------------------------------------------------------------------------------


def package_options(task):
    """Returns options: four tics per step, no sound (its library may be missing), and a free game file."""
    found = re.match(r"Vizdoom(Doom2?)(?:MAP|E)", task)
    options = {"frame_skip": 4, "audio_buffer_enabled": False}
    if found:
        import vizdoom

        options["doom_game_path"] = str(Path(vizdoom.__file__).parent / FREE[found[1]])
    return options


def sample(space, rng):
    """Returns a random action; values of delta buttons are from -10 to 10."""
    if isinstance(space, gymnasium.spaces.Dict):
        return {key: sample(part, rng) for key, part in space.items()}
    if isinstance(space, gymnasium.spaces.Discrete):
        return rng.integers(space.n)
    if isinstance(space, gymnasium.spaces.Box):
        return rng.integers(-10, 11, space.shape).astype(space.dtype)
    return rng.integers(2, size=space.shape).astype(space.dtype)


def batched(action):
    return {key: batched(part) for key, part in action.items()} if isinstance(action, dict) else np.asarray([action])


def first(value):
    return {key: first(part) for key, part in value.items()} if isinstance(value, dict) else value[0]


def package_reference(task, steps):
    """Returns random actions, and the results of `gymnasium.make`'s environment: of the first reset, and of each step,
    or of a reset after an episode's end.
    """
    env = gymnasium.make(task, disable_env_checker=True, **package_options(task)).unwrapped
    rng = np.random.default_rng(zlib.crc32(task.encode()))
    actions = [sample(env.action_space, rng) for _ in range(steps)]
    rows, is_over = [(env.reset(seed=SEED)[0], 0.0, False, False)], False
    for action in actions:
        rows.append((env.reset()[0], 0.0, False, False) if is_over else env.step(action)[:4])
        is_over = bool(rows[-1][2] or rows[-1][3])
    env.close()
    return actions, rows


def through_make(task, actions):
    env = envpool_rs.make(task, num_envs=1, seed=SEED, max_episode_steps=2**31 - 1, **package_options(task))
    yield first(env.reset()[0]), 0.0, False, False
    for action in actions:
        observation, reward, terminated, truncated, _ = env.step(batched(action))
        yield first(observation), reward[0], terminated[0], truncated[0]
    env.close()


def through_make_vec(task, actions):
    env = envpool_rs.make_vec(task, 1, autoreset_mode="next_step", **package_options(task))
    yield first(env.reset(seed=SEED)[0]), 0.0, False, False
    for action in actions:
        observation, reward, terminated, truncated, _ = env.step(batched(action))
        yield first(observation), reward[0], terminated[0], truncated[0]
    env.close()


def package_rows(task, steps):
    """Returns, for each interface, its name and the numbers of steps, ended episodes and differing steps."""
    with empty_folder():
        actions, expected = package_reference(task, steps)
        ends = sum(bool(row[2] or row[3]) for row in expected)
        for name, play in (("make", through_make), ("make_vec", through_make_vec)):
            # Rewards are compared as float32, because EnvPool's interface rounds them to float32.
            differing = sum(
                not same(ours[0], theirs[0])
                or np.float32(ours[1]) != np.float32(theirs[1])
                or [bool(flag) for flag in ours[2:]] != [bool(flag) for flag in theirs[2:]]
                for ours, theirs in zip(play(task, actions), expected, strict=True)
            )
            yield name, steps, ends, differing


# --- tasks of EnvPool -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Buttons:
    """Action space of the dm_env interface, of which `Run.actions` needs only the shape."""

    shape: tuple


def envpool_arrays(package, facade, run):
    """Plays a run on one package through one interface; yields the arrays of each result."""
    make = {"make_gymnasium": "make_gymnasium", "make_dm": "make_dm", "make_vec": "make_gymnasium"}[facade]
    if facade == "make_vec" and package is envpool_rs:
        options = {key: value for key, value in run.options.items() if key != "seed"}
        options |= {"autoreset_mode": "next_step", "max_episode_steps": 525}
        pool = envpool_rs.make_vec(run.task, run.envs, **options)
        yield {"observation": pool.reset(seed=11)[0]}
        for actions in run.actions(pool.single_action_space):
            observation, reward, terminated, truncated, _ = pool.step(actions)
            yield {
                "observation": observation,
                "reward": np.asarray(reward, np.float32),
                "terminated": terminated,
                "truncated": truncated,
            }
        pool.close()
        return
    pool = getattr(package, make)(run.task, num_envs=run.envs, **{"seed": 11, **run.options})
    space = pool.action_space if facade != "make_dm" else Buttons((pool.action_spec().shape[-1],))
    result = pool.reset()
    for actions in [None, *run.actions(space)]:
        if actions is not None:
            result = pool.step(actions)
        if facade == "make_dm":
            yield {
                "step_type": result.step_type,
                "reward": result.reward,
                "discount": result.discount,
                "observation": result.observation.obs,
            }
            continue
        names = ("observation",) if actions is None else ("observation", "reward", "terminated", "truncated")
        arrays = dict(zip(names, result, strict=False))
        if facade == "make_gymnasium":
            arrays |= {key: result[-1][key] for key in envpool_runs.INFOS}
        yield arrays
    if hasattr(pool, "close"):
        pool.close()


def envpool_rows(run):
    import envpool

    for facade in ("make_gymnasium", "make_dm", "make_vec"):
        with empty_folder():
            differing = ends = 0
            pairs = zip(envpool_arrays(envpool_rs, facade, run), envpool_arrays(envpool, facade, run), strict=True)
            for ours, theirs in pairs:
                differing += run.envs if not same(ours, theirs) else 0
                flags = [theirs[name] for name in ("terminated", "truncated") if name in theirs]
                ends += (
                    int(np.any(flags, axis=0).sum())
                    if flags
                    else int((theirs.get("step_type", np.zeros(1)) == 2).sum())
                )
            yield facade, run.steps * run.envs, ends, differing


# --- table of compared and differing steps ----------------------------------------------------------------------------


def rows(steps, only):
    chosen = re.compile(only)
    if find_spec("envpool"):
        for run in envpool_runs.DEFAULTS:
            if chosen.search(run.task):
                longer = envpool_runs.Run(run.task, run.options, 10 * steps, run.envs)
                yield from ((run.task, "EnvPool", *row) for row in envpool_rows(longer))
    import vizdoom.gymnasium_wrapper  # noqa: F401  registers its tasks

    for task in sorted(spec.id for spec in gymnasium.registry.values() if "vizdoom" in str(spec.entry_point)):
        if chosen.search(task):
            yield from ((task, "vizdoom", *row) for row in package_rows(task, steps))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--steps", type=int, default=20, help="of each of the package's tasks; of EnvPool's, tenfold")
    parser.add_argument("--only", default="", help="tasks whose name has this in it")
    parser.add_argument("--write", type=Path)
    given = parser.parse_args()
    lines = ["| task | exact to | interface | steps | ends | steps that differ |", "|---|---|---|---:|---:|---:|"]
    total = differing = 0
    print("\n".join(lines))
    for row in rows(given.steps, given.only):
        lines.append(f"| {' | '.join(str(cell) for cell in row)} |")
        print(lines[-1], flush=True)
        total, differing = total + row[3], differing + row[5]
        if given.write:
            given.write.write_text("\n".join(lines) + "\n")
    lines.append(f"\n{len(lines) - 2:,} rows, {total:,} steps compared, {differing:,} differ.")
    print(lines[-1])
    if given.write:
        given.write.write_text("\n".join(lines) + "\n")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
