"""Tests names, interfaces and snapshots of Atari tasks.

`test_atari_ale.py` and `test_atari_envpool.py` compare results with ale-py and EnvPool.
"""

import pickle
import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._spec.assets import CARTRIDGES
from envpool_rs._tasks import table
from tasks import ATARI

ale_py = pytest.importorskip("ale_py")


def test_each_game_has_an_envpool_and_an_ale_task_id():
    games = set(ale_py.roms.get_all_rom_ids()) - {"combat", "joust", "maze_craze", "warlords"}
    assert len(ATARI) == 208
    ale = {f"ALE/{game.title().replace('_', '')}-v5" for game in games}
    envpool = {f"{''.join(part.capitalize() for part in game.split('_'))}-v5" for game in games}
    assert set(ATARI) == ale | envpool
    assert set(ATARI) <= set(envpool_rs.list_all_envs())


def test_step_limits_equal_the_references():
    assert gymnasium.spec("envpool_rs/Pong-v5").max_episode_steps == 27_000
    # ale-py's tasks have a limit of 108,000 frames. The console counts these frames, so gymnasium's specification has
    # no limit.
    assert gymnasium.spec("envpool_rs/ALE-Pong-v5").max_episode_steps is None
    assert envpool_rs.make_spec("ALE/Pong-v5").config.max_num_frames_per_episode == 108_000


def test_ale_py_is_neither_imported_nor_needed_before_a_game_is_played():
    code = """
import sys, envpool_rs
envpool_rs.list_all_envs(); envpool_rs.make_spec("Pong-v5"); envpool_rs.make("ALE/Pong-v5").reset()
print([name for name in sys.modules if name.split(".")[0] in ("ale_py", "cv2")])
"""
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


def test_envpools_info_has_envpools_dtypes():
    env = envpool_rs.make("SpaceInvaders-v5", num_envs=3)
    for info in (env.reset()[1], env.step([0, 1, 2])[4]):
        kinds = {key: (value.dtype.name, value.shape) for key, value in info.items() if key != "players"}
        assert kinds == {
            "env_id": ("int32", (3,)),
            "elapsed_step": ("int32", (3,)),
            "lives": ("int32", (3,)),
            "reward": ("float32", (3,)),
            "terminated": ("int32", (3,)),
            "ram": ("uint8", (3, 128)),
        }


def test_dm_env_and_legacy_gym_return_equal_results():
    pytest.importorskip("dm_env")
    options = {"num_envs": 2, "seed": 3}
    plain, dm = envpool_rs.make("Qbert-v5", **options), envpool_rs.make_dm("Qbert-v5", **options)
    gym = envpool_rs.make_gym("Qbert-v5", gym_reset_return_info=False, **options)
    plain.reset(), dm.reset(), gym.reset()
    for step in range(40):
        actions = np.array([step % 6, 1])
        observation, reward, terminated, _, info = plain.step(actions)
        timestep = dm.step(actions)
        old = gym.step(actions)
        for other in (timestep.observation.obs, old[0]):
            np.testing.assert_array_equal(other, observation)
        for key in ("lives", "reward", "terminated", "ram"):
            np.testing.assert_array_equal(getattr(timestep.observation, key), info[key])
            np.testing.assert_array_equal(old[3][key], info[key])
        np.testing.assert_array_equal(timestep.reward, reward)
        np.testing.assert_array_equal(old[2], terminated)


def test_gymnasium_makes_single_and_vector_environments():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vector = gymnasium.make_vec("envpool_rs/ALE-Pong-v5", num_envs=2, obs_type="ram")
        single = gymnasium.make("envpool_rs/Pong-v5", frame_skip=2)
    assert vector.reset(seed=1)[0].shape == (2, 128)
    observation, info = single.reset(seed=1)
    assert observation in single.observation_space and info["ram"].shape == (128,)
    assert envpool_rs.make_vec("envpool_rs/ALE-Pong-v5", 2).spec.task_id == "ALE/Pong-v5"


def test_a_variant_can_be_registered():
    name = "QuickPong-v0"
    envpool_rs.register(name, base="Pong-v5", frame_skip=2, img_height=42)
    try:
        assert envpool_rs.make(name).reset()[0].shape == (1, 4, 42, 84)
    finally:
        del table.tasks[name], gymnasium.registry[f"envpool_rs/{name}"]


PREPROCESSED = {"preprocessing": True, "frameskip": 1}
SAVED = [
    ("SpaceInvaders-v5", {"episodic_life": True}),
    ("Breakout-v5", {"repeat_action_probability": 0.3, "gray_scale": False}),
    ("TicTacToe3d-v5", {}),
    ("Robotank-v5", {"stack_num": 1, "frame_skip": 3}),
    ("ALE/Pitfall2-v5", {"obs_type": "ram", "frameskip": (2, 6)}),
    ("ALE/Breakout-v5", {**PREPROCESSED, "stack_size": 4, "terminal_on_life_loss": True}),
    ("ALE/Klax-v5", {**PREPROCESSED, "frame_skip": 2, "scale_obs": True, "screen_size": 40}),
    ("ALE/Pong-v5", {"continuous": True, "obs_type": "grayscale"}),
]


@pytest.mark.parametrize(("task", "options"), SAVED, ids=str)
def test_a_game_continues_from_a_snapshot_of_any_step(task, options):
    env, other = (envpool_rs.make(task, num_envs=2, seed=seed, **options) for seed in (3, 8))
    env.action_space.seed(1)
    actions = [np.stack([env.action_space.sample() for _ in range(2)]) for _ in range(260)]
    for step, action in enumerate(actions):
        if step % 20 != 7:
            env.step(action)
            continue
        saved = env.get_state()
        ahead = [played(env, action) for action in actions[step : step + 12]]
        for pool in (env, other):
            pool.set_state(saved)
            assert [played(pool, action) for action in actions[step : step + 12]] == ahead
        env.set_state(saved)


def played(env, actions):
    observation, *flags, info = env.step(actions)
    return [each.tobytes() for each in (observation, *flags, info["lives"], info["elapsed_step"])]


def test_snapshots_do_not_depend_on_the_cartridge_folder(tmp_path):
    shutil.copy(Path(CARTRIDGES.installed(), "pong.bin"), tmp_path)
    env, other = envpool_rs.make("Pong-v5"), envpool_rs.make("Pong-v5", rom_dir=str(tmp_path))
    env.reset()
    other.set_state(env.get_state())
    copy = pickle.loads(pickle.dumps(other))
    assert played(env, [3]) == played(other, [3]) == played(copy, [3])


def test_snapshots_of_other_games_and_options_are_refused():
    env = envpool_rs.make("Pong-v5")
    for other in (
        envpool_rs.make("Breakout-v5"),
        envpool_rs.make("ALE/Pong-v5"),
        envpool_rs.make("Pong-v5", frame_skip=3),
    ):
        other.reset()
        with pytest.raises(ValueError, match="state: expected a snapshot that fits this pool"):
            env.set_state(other.get_state())


def test_a_pool_is_restored_before_its_first_reset():
    env, other = envpool_rs.make("Pong-v5", num_envs=2, seed=4), envpool_rs.make("Pong-v5", num_envs=2, seed=9)
    other.reset()
    other.set_state(env.get_state())
    assert played(env, [1, 2]) == played(other, [1, 2])
