"""Tests that Procgen's games equal the library of procgen-mirror 0.10.7: pictures, rewards, ends, level seeds."""

import importlib
import os
import shutil
import struct
import zlib
from pathlib import Path

import envpool_rs
import numpy as np
import pytest
from envpool_rs import install_as_envpool
from references import procgen
from tasks import REGISTERED

HAS_PICTURES = procgen.HAS_LIBRARY
needs_pictures = pytest.mark.skipif(not HAS_PICTURES, reason="procgen-mirror is not installed")

ENVS = int(os.environ.get("PROCGEN_ENVS", "3"))
STEPS = int(os.environ.get("PROCGEN_STEPS", "150"))
"""Number of environments and of steps of each comparison; `nox -s exact -- procgen` sets more."""

PROCGEN = [task["id"] for task in REGISTERED if any(option["name"] == "procgen_dir" for option in task["options"])]
GAMES = [task.split("-")[1] for task in PROCGEN if task.startswith("procgen-")]
MODES = [
    (game, mode) for game in GAMES for mode in procgen.MODES if f"{game.capitalize()}{mode.capitalize()}-v0" in PROCGEN
]
OPTIONS = (
    {"use_backgrounds": False, "restrict_themes": True},
    {"use_monochrome_assets": True, "paint_vel_info": True},
    {"center_agent": False, "use_sequential_levels": True},
    {"num_levels": 3, "start_level": 17},
)
OPTION_CASES = [(game, OPTIONS[number % len(OPTIONS)]) for number, game in enumerate(GAMES * len(OPTIONS))]


def compare(game, mode, seed, steps=STEPS, **options):
    """Steps the package's task and the library; returns the numbers of differing frames and other results."""
    library = procgen.Library(ENVS, game, seed, mode, **options)
    pool = envpool_rs.make_vec(
        f"procgen-{game}-v0", num_envs=ENVS, seed=seed, distribution_mode=mode, autoreset_mode="same_step", **options
    )
    obs, infos = pool.reset()
    ended = np.ones(ENVS, bool)
    rewards = np.zeros(ENVS)
    frames = others = ends = 0
    for action in procgen.actions(ENVS, steps, seed):
        frames += int((obs != library.rgb).any((1, 2, 3)).sum())
        others += int((rewards.astype(np.float32) != library.rewards).sum() + (ended != library.firsts).sum())
        others += sum(int((infos[name] != getattr(library, name)).sum()) for name in ("level_seed", "prev_level_seed"))
        others += int((infos["prev_level_complete"] != library.prev_level_complete).sum())
        obs, rewards, terminated, truncated, infos = pool.step(action)
        ended = terminated | truncated
        ends += int(ended.sum())
        library.step(action)
    library.close()
    pool.close()
    return frames, others, ends


@needs_pictures
@pytest.mark.parametrize(("game", "mode"), MODES)
def test_a_game_equals_the_library(game, mode):
    frames, others, _ = compare(game, mode, seed=4)
    assert (frames, others) == (0, 0), f"{frames} frames and {others} other results differ"


@needs_pictures
@pytest.mark.parametrize(("game", "options"), OPTION_CASES, ids=str)
def test_options_equal_the_librarys(game, options):
    frames, others, _ = compare(game, "hard", seed=9, steps=STEPS // 2, **options)
    assert (frames, others) == (0, 0), f"{frames} frames and {others} other results differ"


@needs_pictures
@pytest.mark.parametrize("game", GAMES)
def test_envpools_task_equals_the_game_in_planes_until_the_end(game):
    library = procgen.Library(2, game, 5, "easy")
    pool = envpool_rs.make_gymnasium(f"{game.capitalize()}Easy-v0", num_envs=2, seed=5)
    obs, _ = pool.reset()
    alive = np.ones(2, bool)
    for action in procgen.actions(2, 60, 1):
        assert (obs[alive] == library.rgb.transpose(0, 3, 1, 2)[alive]).all()
        obs, _, terminated, truncated, _ = pool.step(action)
        library.step(action)
        alive &= ~(terminated | truncated)
        assert (library.firsts[alive] == 0).all()
    library.close()


@needs_pictures
def test_a_saved_state_continues_in_another_pool():
    options = {"num_envs": 4, "seed": 3}
    first = envpool_rs.make_gymnasium("BossfightHard-v0", **options)
    second = envpool_rs.make_gymnasium("BossfightHard-v0", **{**options, "seed": 99})
    first.reset()
    second.reset()
    actions = procgen.actions(4, 80, 2)
    for action in actions[:40]:
        first.step(action)
    second.set_state(first.get_state())
    for action in actions[40:]:
        for one, other in zip(first.step(action)[:4], second.step(action)[:4], strict=True):
            np.testing.assert_array_equal(one, other)


@needs_pictures
@pytest.mark.parametrize("game", GAMES)
def test_every_state_of_a_game_can_be_loaded(game):
    pool = envpool_rs.make_gymnasium(f"{game.capitalize()}Hard-v0", num_envs=4, seed=6)
    pool.reset()
    for step, action in enumerate(procgen.actions(4, 400, 3)):
        pool.step(action)
        if step % 3 == 0:
            pool.set_state(pool.get_state())


@needs_pictures
@pytest.mark.parametrize(("game", "other"), [("maze", 1e4), ("coinrun", 1e4), ("caveflyer", 1e30), ("starpilot", -1e9)])
def test_numbers_out_of_range_in_a_snapshot_are_refused_or_harmless(game, other):
    pool = envpool_rs.make_gymnasium(f"{game.capitalize()}Easy-v0", num_envs=1, num_threads=1, seed=1)
    pool.reset()
    for _ in range(5):
        pool.step(np.zeros(1, int))
    state, one = pool.get_state()[0], struct.pack("<f", 1.0)
    refused = 0
    for offset in range(8, len(state) - 4):
        if state[offset : offset + 4] == one:
            changed = state[8:offset] + struct.pack("<f", other) + state[offset + 4 :]
            try:
                pool.set_state([state[:4] + struct.pack("<I", zlib.crc32(changed)) + changed])
            except ValueError:
                refused += 1
            else:
                for _ in range(4):
                    pool.step(np.zeros(1, int))
    assert refused > 3


@needs_pictures
def test_an_asynchronous_pool_has_equal_frames():
    options = {"num_envs": 4, "seed": 8}
    whole = envpool_rs.make_gymnasium("StarpilotEasy-v0", **options)
    parts = envpool_rs.make_gymnasium("StarpilotEasy-v0", batch_size=2, **options)
    frames, seen = [whole.reset()[0]], {}
    parts.async_reset()
    frames += [whole.step(np.full(4, 7))[0] for _ in range(20)]
    for _ in range(42):
        obs, *_, info = parts.recv()
        for env_id, picture in zip(info["env_id"], obs, strict=True):
            seen.setdefault(int(env_id), []).append(picture.copy())
        parts.send(np.full(2, 7), info["env_id"])
    for env_id, pictures in seen.items():
        for number, picture in enumerate(pictures[:21]):
            assert (picture == frames[number][env_id]).all(), (env_id, number)


@needs_pictures
def test_games_that_share_a_pool_play_as_in_pools_of_their_own():
    tasks = ["CoinrunEasy-v0", "NinjaHard-v0"]
    mixed = envpool_rs.make_vec(tasks, 6, seed=4)
    alone = [envpool_rs.make_vec(task, 6, seed=4) for task in tasks]
    rows = [slice(0, 3), slice(3, 6)]
    expected = [pool.reset()[0][own] for pool, own in zip(alone, rows, strict=True)]
    np.testing.assert_array_equal(mixed.reset()[0], np.concatenate(expected))
    for action in procgen.actions(6, 40, 5):
        parts = [pool.step(action) for pool in alone]
        for got, *whole in zip(mixed.step(action)[:4], *(part[:4] for part in parts), strict=True):
            np.testing.assert_array_equal(
                got, np.concatenate([each[own] for each, own in zip(whole, rows, strict=True)])
            )


@needs_pictures
def test_pools_that_continue_each_other_play_the_levels_of_one_pool():
    whole = envpool_rs.make_vec("procgen-ninja-v0", 5, seed=4)
    parts = [
        envpool_rs.make_vec("procgen-ninja-v0", 2, seed=4),
        envpool_rs.make_vec("procgen-ninja-v0", 3, seed=4 + 2, first_env=2),
    ]
    for seeds in (None, [9, 10, 11, 12, 13]):
        obs, info = whole.reset(seed=seeds)
        own = [
            part.reset(seed=seeds and seeds[rows]) for part, rows in zip(parts, (slice(0, 2), slice(2, 5)), strict=True)
        ]
        np.testing.assert_array_equal(obs, np.concatenate([each[0] for each in own]))
        levels = np.concatenate([each[1]["level_seed"] for each in own])
        np.testing.assert_array_equal(info["level_seed"], levels)
        assert len(set(levels)) == 5


@needs_pictures
def test_exploration_mode_has_one_level():
    pool = envpool_rs.make_gymnasium("MazeExploration-v0", num_envs=3, seed=1)
    assert set(pool.reset()[1]["level_seed"]) == {158988835}


@needs_pictures
def test_the_packages_id_is_an_alias():
    assert envpool_rs.make_spec("procgen:procgen-maze-v0").pool.task_id == "procgen-maze-v0"
    for make in (envpool_rs.make, envpool_rs.make_gymnasium, envpool_rs.make_vec):
        for task in ("procgen:procgen-maze-v0", ["procgen:procgen-maze-v0"]):
            pool = make(task, num_envs=1)
            assert pool.spec.pool.task_id == "procgen-maze-v0"
            pool.close()


BAD = [
    ({"distribution_mode": "extreme"}, "distribution_mode=.extreme.: expected a mode of maze"),
    ({"distribution_mode": "exploration", "num_levels": 5}, "num_levels=5: expected 0"),
    ({"num_levels": -1}, "num_levels=-1"),
    ({"first_env": -1}, "first_env=-1: expected an integer from 0 to 65536"),
    ({"num_levels": 10, "start_level": 2**31 - 5}, "start_level=2147483643"),
    ({"use_generated_assets": True}, "use_generated_assets=True: expected False"),
]


@pytest.mark.parametrize(("options", "message"), BAD, ids=str)
def test_bad_options_are_errors_that_name_them(options, message):
    with pytest.raises(ValueError, match=message):
        envpool_rs.make_vec("procgen-maze-v0", num_envs=1, **options)


def test_a_missing_folder_is_an_error_that_names_the_package(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"procgen_dir=.*procgen-mirror"):
        envpool_rs.make("MazeEasy-v0", num_envs=1, procgen_dir=str(tmp_path))


def test_without_the_package_the_error_names_the_command_that_keeps_numpy(monkeypatch):
    monkeypatch.setattr("envpool_rs._spec.assets.folder_in", lambda *_: None)
    with pytest.raises(ImportError, match="pip install --no-deps procgen-mirror, or"):
        envpool_rs.make("MazeEasy-v0", num_envs=1)


@needs_pictures
@pytest.mark.parametrize("damage", ["truncated", "flipped", "undecodable", "missing"])
def test_a_damaged_picture_is_an_error_that_names_it(tmp_path, damage):
    root = procgen.folder() / "data" / "assets"
    for name in ("topdown_backgrounds", "misc_assets", "kenney/Ground/Sand", "kenney/Enemies"):
        shutil.copytree(root / name, tmp_path / name)
    picture = Path(tmp_path / "misc_assets" / "cheese.png")
    content = bytearray(picture.read_bytes())
    if damage == "truncated":
        picture.write_bytes(content[: len(content) // 2])
    elif damage == "flipped":
        content[len(content) // 2] ^= 1
        picture.write_bytes(content)
    elif damage == "undecodable":  # all checksums are right
        body = b"IDAT" + bytes(20)
        data = (20).to_bytes(4, "big") + body + zlib.crc32(body).to_bytes(4, "big")
        picture.write_bytes(content[:33] + data + content[-12:])
    else:
        picture.unlink()
    expected = FileNotFoundError if damage == "missing" else ValueError
    with pytest.raises(expected, match=r"procgen_dir.*cheese\.png"):
        envpool_rs.make("MazeEasy-v0", num_envs=1, procgen_dir=str(tmp_path))


@needs_pictures
@pytest.mark.parametrize("autoreset_mode", ["next_step", "same_step", "disabled"])
def test_episode_ends_are_equal_in_all_autoreset_modes(autoreset_mode):
    pool = envpool_rs.make_vec("procgen-fruitbot-v0", num_envs=2, seed=2, autoreset_mode=autoreset_mode)
    pool.reset()
    ended = np.zeros(2, bool)
    for action in procgen.actions(2, 150, 3):
        if autoreset_mode == "disabled" and ended.any():
            pool.reset(options={"reset_mask": ended})
        _, _, terminated, truncated, _ = pool.step(action)
        ended = terminated | truncated
        if ended.any():
            return
    pytest.fail("no episode ended")


def test_envpools_class_makes_the_task_of_its_game_and_mode():
    with install_as_envpool(force=True):
        envpool = importlib.import_module("envpool")
        module = importlib.import_module("envpool.procgen")
        assert {"ProcgenEnvSpec", "ProcgenGymnasiumEnvPool", "ProcgenDMEnvPool"} <= {*dir(module)}
        assert hasattr(envpool.procgen.registration, "distribution")
        spec_class = envpool.procgen.ProcgenEnvSpec
        spec = spec_class(spec_class.gen_config(env_name="ninja", distribution_mode=20))
        assert (spec.config.env_name, spec.config.distribution_mode, spec.envpool_task) == (
            "ninja",
            20,
            "NinjaExploration-v0",
        )
        games = {name: modes for name, _, modes in envpool.procgen.registration.procgen_game_config}
        assert len(games) == 16 and games["chaser"] == [0, 1, 2]
        with pytest.raises(ValueError, match="env_name='tetris': expected one of bigfish, "):
            spec_class(spec_class.gen_config(env_name="tetris"))
        with pytest.raises(
            ValueError, match=r"distribution_mode=10: expected a mode of ninja: 0 \(Easy\), 1 \(Hard\), 20"
        ):
            spec_class(spec_class.gen_config(env_name="ninja", distribution_mode=10))
