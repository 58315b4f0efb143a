"""Tests that the tasks of the vizdoom package equal `gymnasium.make`'s environments, array by array."""

import ctypes
import os
import struct

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._spec.families import FACTS
from envpool_rs.cli.main import main

vizdoom_tasks = pytest.importorskip("vizdoom.gymnasium_wrapper", reason="vizdoom is not installed")

STEPS = int(os.environ.get("VIZDOOM_STEPS", "40"))

SCENARIOS = (
    *("Basic", "BasicNotifications", "DeadlyCorridor", "DefendCenter", "DefendLine", "HealthGathering", "MyWayHome"),
    *("PredictPosition", "TakeCover", "Deathmatch", "HealthGatheringSupreme"),
)

CASES = [
    *((f"Vizdoom{name}-v1", {}) for name in SCENARIOS),
    *((f"Vizdoom{name}-MultiBinary-v1", {}) for name in ("Basic", "DeadlyCorridor", "Deathmatch")),
    ("VizdoomBasic-v1", {"frame_skip": 4}),
    ("VizdoomBasic-v1", {"frame_skip": 4, "treat_episode_timeout_as_truncation": False, "episode_timeout": 60}),
    ("VizdoomBasic-v1", {"frame_skip": 3, "episode_timeout": 50}),
    ("VizdoomBasic-v1", {"max_buttons_pressed": 2, "screen_format": "GRAY8"}),
    ("VizdoomBasic-MultiBinary-v1", {"use_multi_binary_action_space": False, "living_reward": -0.5}),
    ("VizdoomDeathmatch-v1", {"max_buttons_pressed": 1, "frame_skip": 2, "doom_skill": 5}),
    ("VizdoomDeadlyCorridor-v1", {"depth_buffer_enabled": True, "labels_buffer_enabled": True, "frame_skip": 4}),
    ("VizdoomDefendCenter-v1", {"automap_buffer_enabled": True, "automap_mode": "WHOLE", "render_hud": True}),
    ("VizdoomTakeCover-v1", {"screen_resolution": "RES_160X120", "frame_skip": 4}),
    ("VizdoomMyWayHome-v1", {"screen_resolution": "RES_640X480", "available_game_variables": ["POSITION_X", "ANGLE"]}),
    ("VizdoomDefendLine-v1", {"kill_reward": 3.0, "hit_reward": 0.5, "damage_made_reward": 0.125, "frame_skip": 4}),
    ("VizdoomDefendLine-v1", {"damage_taken_reward": -1.0, "hit_taken_reward": -2.0, "frame_skip": 4}),
    ("VizdoomHealthGathering-v1", {"health_reward": 0.5, "hit_taken_penalty": 1.0, "frame_skip": 4}),
    ("VizdoomFreedoom2MAP01-S3-v0", {"audio_buffer_enabled": False, "frame_skip": 4}),
    ("VizdoomFreedoom1E1M1-S4-v0", {"audio_buffer_enabled": False}),
]


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path, monkeypatch):
    """Changes to a temporary folder.

    The package's engines write a configuration into the working directory, which would affect later tests.
    """
    monkeypatch.chdir(tmp_path)


def single(space, action, index):
    """Returns the action of one environment from a batch of actions."""
    if isinstance(space, gymnasium.spaces.Dict):
        return {key: single(part, action[key], index) for key, part in space.items()}
    return action[index]


@pytest.mark.parametrize(("task", "options"), CASES, ids=lambda part: str(part).replace(" ", ""))
def test_each_task_equals_the_packages(task, options):
    theirs = [gymnasium.make(task, disable_env_checker=True, **options).unwrapped for _ in range(2)]
    ours = envpool_rs.make_vec(task, 2, autoreset_mode="disabled", **options)
    assert ours.single_observation_space == theirs[0].observation_space
    assert ours.single_action_space == theirs[0].action_space
    space = gymnasium.vector.utils.batch_space(theirs[0].action_space, 2)
    space.seed(3)
    if "continuous" in str(space):
        moved = np.random.default_rng(4)
    observation, _ = ours.reset(seed=5)
    expected = [env.reset(seed=5 + index)[0] for index, env in enumerate(theirs)]
    for step in range(STEPS + 1):
        for key, part in observation.items():
            for index in range(2):
                np.testing.assert_array_equal(part[index], expected[index][key], err_msg=f"{key} after step {step}")
        action = space.sample()
        if "continuous" in str(space):
            action["continuous"] = moved.integers(-10, 11, action["continuous"].shape).astype(np.float32)
        observation, reward, terminated, truncated, _ = ours.step(action)
        for index, env in enumerate(theirs):
            expected[index], their_reward, their_end, their_cut, _ = env.step(
                single(theirs[0].action_space, action, index)
            )
            assert (reward[index], terminated[index], truncated[index]) == (their_reward, their_end, their_cut), step
        over = terminated | truncated
        if over.any():
            for key, part in observation.items():
                for index in np.flatnonzero(over):
                    np.testing.assert_array_equal(part[index], expected[index][key], err_msg=f"{key} at the end")
            fresh, _ = ours.reset(options={"reset_mask": over})
            for index in np.flatnonzero(over):
                expected[index] = theirs[index].reset()[0]
            observation = fresh
    for env in theirs:
        env.close()
    ours.close()


#: Cases for rare rewards: task, tics per step, probability of pressing each button, and options under which the rewards
#: occur.
FOUND = [
    ("VizdoomBasic-MultiBinary-v1", 4, {"MOVE_LEFT": 0.4, "MOVE_RIGHT": 0.4, "ATTACK": 0.6}, ["map_exit_reward"]),
    (
        "VizdoomFreedoom2MAP03-S1-v0",
        8,
        {"MOVE_FORWARD": 0.95, "SPEED": 0.8, "TURN_LEFT": 0.12, "TURN_RIGHT": 0.12, "USE": 0.3, "ATTACK": 0.3},
        ["item_reward", "armor_reward"],
    ),
]


@pytest.mark.parametrize(("task", "tics", "buttons", "rewards"), FOUND, ids=lambda part: str(part).replace(" ", ""))
def test_rare_rewards_equal_the_packages(task, tics, buttons, rewards):
    options = {"frame_skip": tics, "audio_buffer_enabled": False, "available_buttons": list(buttons)}
    options |= {reward: 1000.0 * 10**place for place, reward in enumerate(rewards)} | {"secret_reward": 7.0}
    theirs = gymnasium.make(task, disable_env_checker=True, **options).unwrapped
    ours = envpool_rs.make_vec(task, 1, autoreset_mode="next_step", **options)
    random = np.random.default_rng(2)
    theirs.reset(seed=2)
    ours.reset(seed=2)
    is_over, seen = False, set()
    for step in range(200):
        action = (random.random(len(buttons)) < list(buttons.values())).astype(np.int8)
        seen_there, *expected = (theirs.reset()[0], 0.0, False, False) if is_over else theirs.step(action)[:4]
        observation, reward, terminated, truncated, _ = ours.step(action[None])
        # This frame is compared, because picking up an item makes the screen flash.
        np.testing.assert_array_equal(observation["screen"][0], seen_there["screen"], err_msg=f"step {step}")
        assert [reward[0], terminated[0], truncated[0]] == expected, step
        is_over = expected[1] or expected[2]
        seen |= {place for place in range(len(rewards)) if reward[0] >= 1000 * 10**place}
    assert seen == set(range(len(rewards)))
    theirs.close()
    ours.close()


def texts(*names):
    """Returns names padded to eight bytes with zeros, as in Doom's WAD files."""
    return b"".join(name.encode().ljust(8, b"\0") for name in names)


def two_rooms():
    """Returns the bytes of a WAD file with a map of two rooms, the second of which is a secret."""
    corners = [(-64, -64), (-64, 64), (64, 64), (64, -64), (256, 64), (256, -64)]
    # Walls: the two corners of each, and the room to its right.
    walls = [(0, 1, 0), (1, 2, 0), (3, 0, 0), (2, 4, 1), (4, 5, 1), (5, 3, 1)]
    sides = [struct.pack("<2h", 0, 0) + texts("-", "-", "STARTAN3") + struct.pack("<h", room) for *_, room in walls]
    sides += [struct.pack("<2h", 0, 0) + texts("-", "-", "-") + struct.pack("<h", room) for room in (0, 1)]
    lines = [struct.pack("<5h2H", *wall[:2], 1, 0, 0, number, 0xFFFF) for number, wall in enumerate(walls)]
    lines.append(struct.pack("<5h2H", 2, 3, 4, 0, 0, len(walls), len(walls) + 1))
    secret = 9
    rooms = [
        struct.pack("<2h", 0, 128) + texts("FLOOR4_8", "FLOOR4_8") + struct.pack("<3h", 200, kind, 0)
        for kind in (0, secret)
    ]
    player = struct.pack("<5h", 0, 0, 0, 1, 7)
    lumps = [("MAP01", b""), ("THINGS", player), ("LINEDEFS", b"".join(lines)), ("SIDEDEFS", b"".join(sides))]
    lumps += [
        ("VERTEXES", b"".join(struct.pack("<2h", *corner) for corner in corners)),
        ("SEGS", b""),
        ("SSECTORS", b""),
    ]
    lumps += [("NODES", b""), ("SECTORS", b"".join(rooms)), ("REJECT", b""), ("BLOCKMAP", b"")]
    body, directory = b"", b""
    for name, lump in lumps:
        directory += struct.pack("<2i", 12 + len(body), len(lump)) + texts(name)
        body += lump
    return b"PWAD" + struct.pack("<2i", len(lumps), 12 + len(body)) + body + directory


def test_secret_rewards_equal_the_packages(tmp_path):
    scenario = tmp_path / "two_rooms.wad"
    scenario.write_bytes(two_rooms())
    options = {"doom_scenario_path": str(scenario), "available_buttons": ["MOVE_FORWARD"], "secret_reward": 7.0}
    theirs = gymnasium.make("VizdoomBasic-v1", disable_env_checker=True, frame_skip=4, **options).unwrapped
    ours = envpool_rs.make_vec("VizdoomBasic-v1", 1, frame_skip=4, **options)
    seen_there, seen = theirs.reset(seed=2)[0], ours.reset(seed=2)[0]
    rewards = []
    for step in range(12):
        np.testing.assert_array_equal(seen["screen"][0], seen_there["screen"], err_msg=f"step {step}")
        seen_there, reward, *_ = theirs.step(1)
        seen, rewarded, *_ = ours.step(np.array([1]))
        assert rewarded[0] == reward, step
        rewards.append(reward)
    assert max(rewards) == min(rewards) + 7.0
    theirs.close()
    ours.close()


def has_sound():
    """Returns whether the library for the engine's sound is installed."""
    try:
        ctypes.CDLL("libopenal.so.1")
    except OSError:
        return False
    return True


@pytest.mark.skipif(not has_sound(), reason="OpenAL is not installed")
@pytest.mark.parametrize(
    ("task", "options"),
    [
        ("VizdoomBasicAudio-v1", {"frame_skip": 4}),
        ("VizdoomDefendCenter-v1", {"frame_skip": 4, "audio_buffer_enabled": True, "episode_timeout": 100}),
        ("VizdoomDeadlyCorridor-v1", {"audio_buffer_enabled": True, "audio_sampling_rate": "SR_11025"}),
    ],
    ids=str,
)
def test_sound_equals_the_packages(task, options):
    theirs = gymnasium.make(task, disable_env_checker=True, **options).unwrapped
    ours = envpool_rs.make_vec(task, 1, autoreset_mode="next_step", **options)
    heard_there, heard = theirs.reset(seed=5)[0], ours.reset(seed=5)[0]
    random, is_over, is_heard = np.random.default_rng(0), False, False
    for step in range(STEPS + 1):
        np.testing.assert_array_equal(heard["audio"][0], heard_there["audio"], err_msg=f"step {step}")
        is_heard |= heard_there["audio"].any()
        action = int(random.integers(ours.single_action_space.n))
        heard_there, _, *ends = (theirs.reset()[0], 0.0, False, False) if is_over else theirs.step(action)[:4]
        heard, *_ = ours.step(np.array([action]))
        is_over = any(ends)
    assert is_heard
    theirs.close()
    ours.close()


def test_play_shows_a_game(capsys):
    assert main(["play", "VizdoomBasic-v1", "--steps", "3"]) == 0
    assert "VizdoomBasic-v1  step 3" in capsys.readouterr().out


def test_keys_press_the_matching_buttons():
    moved = {}
    for key, action in FACTS["keys"]["VizdoomBasic"].items():
        variables = ["POSITION_Y", "AMMO2"]
        env = envpool_rs.make_vec("VizdoomBasic-v1", 1, frame_skip=12, available_game_variables=variables)
        before = env.reset(seed=1)[0]["gamevariables"][0]
        moved[key] = env.step(np.array([action]))[0]["gamevariables"][0] - before
        env.close()
    assert moved["left"][0] > 0 > moved["right"][0]
    assert moved["up"][1] < 0
    assert (moved["down"] == 0).all()


def test_every_task_of_the_package_is_registered():
    theirs = {spec.id for spec in gymnasium.registry.values() if "vizdoom" in str(spec.entry_point)}
    ours = set(envpool_rs.list_all_envs())
    assert len(theirs) == 704
    assert theirs <= ours


def test_pictures_equal_the_packages():
    options = {"depth_buffer_enabled": True, "labels_buffer_enabled": True, "automap_buffer_enabled": True}
    theirs = gymnasium.make("VizdoomDefendCenter-v1", render_mode="rgb_array", disable_env_checker=True, **options)
    ours = envpool_rs.make_vec("VizdoomDefendCenter-v1", 1, render_mode="rgb_array", **options)
    theirs.reset(seed=2)
    ours.reset(seed=2)
    for _ in range(3):
        np.testing.assert_array_equal(np.asarray(ours.render())[0], theirs.render())
        theirs.step(2)
        ours.step(np.array([2]))
    theirs.close()
    ours.close()


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"doom_map": "MAP77"}, 'doom_map="MAP77": expected one of '),
        ({"doom_skill": 6}, 'doom_skill="6": expected 1 to 5'),
        ({"available_buttons": ["JUMPS"]}, 'there is no button "JUMPS"'),
        ({"available_game_variables": ["AMMO10"]}, 'there is no game variable "AMMO10"'),
        ({"screen_resolution": "RES_1X1"}, "screen_resolution="),
        ({"mode": "SPECTATOR"}, "expected PLAYER"),
        ({"max_buttons_pressed": -1}, "max_buttons_pressed=-1"),
        ({"episode_timeouts": 3}, "episode_timeout"),
    ],
    ids=str,
)
def test_impossible_options_are_refused_by_name(options, error):
    with pytest.raises((ValueError, TypeError, RuntimeError)) as raised:
        envpool_rs.make_vec("VizdoomBasic-v1", 1, **options)
    assert error in str(raised.value)
