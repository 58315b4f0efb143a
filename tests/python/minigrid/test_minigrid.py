"""Compares MiniGrid and BabyAI with the Python package: all ids, wrappers, images, and errors.

`MINIGRID_STEPS` sets the number of compared steps of each environment for each id, by default a few dozen; `make
parity-minigrid` compares many whole episodes.
"""

import json
import os
import warnings

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.minigrid import decode_mission
from instances import id_of
from tasks import MINIGRID

pytest.importorskip("minigrid")

from minigrid import wrappers
from minigrid_play import Bot, Busy, Play, Random, has_patterns, play, policies_for, quiet, reference

STEPS = int(os.environ.get("MINIGRID_STEPS", "24"))


@pytest.mark.parametrize("task", MINIGRID)
def test_each_task_equals_minigrids(task, parity_table):
    """Compares observations, rewards, ends, missions and positions with minigrid's, for pools of `make_vec` and `make`.

    Resets are seeded and unseeded.
    """
    if "-WFC-" in task and not has_patterns():
        pytest.skip("needs MINIGRID_PATTERNS, networkx and imageio; tests/data/minigrid_wfc.json has recorded worlds")
    run = Play(task, [3, 11, 27])
    policies = policies_for(task, run.count, np.random.default_rng(5))
    run.reset()
    for _ in range(STEPS):
        run.step(policies)
    run.seeds = [100, 101, 102]
    run.reset()
    for _ in range(4):
        run.step(policies)
    run.close()
    parity_table.add(task, 1, run.steps, run.episodes, run.truncated, run.values, run.differing)
    assert run.first_difference is None


EPISODES = [
    ("MiniGrid-DoorKey-5x5-v0", 3),
    ("MiniGrid-Dynamic-Obstacles-Random-5x5-v0", 8),
    ("MiniGrid-Fetch-5x5-N2-v0", 6),
    ("MiniGrid-GoToDoor-5x5-v0", 6),
    ("MiniGrid-MemoryS7-v0", 2),
    ("MiniGrid-PutNear-6x6-N2-v0", 4),
    ("MiniGrid-RedBlueDoors-6x6-v0", 1),
    ("MiniGrid-Unlock-v0", 1),
    ("BabyAI-GoToLocal-v0", 3),
    ("BabyAI-OpenDoorsOrderN4Debug-v0", 2),
    ("BabyAI-PickupDistDebug-v0", 4),
    ("BabyAI-PutNextS5N2Carrying-v0", 2),
    ("BabyAI-KeyInBox-v0", 1),
]


@pytest.mark.parametrize(("task", "episodes"), EPISODES)
def test_complete_episodes_equal_minigrids(task, episodes, parity_table):
    run = play(task, range(40, 46), episodes, most=1500)
    parity_table.add(task, 1, run.steps, run.episodes, run.truncated, run.values, run.differing)
    assert run.first_difference is None
    assert run.solved > 0


def test_a_step_that_succeeds_at_the_limit_is_terminated_and_truncated():
    options = {"size": 5, "max_steps": 5}
    run = Play("MiniGrid-Empty-5x5-v0", [0, 1], options)
    run.reset()
    way = iter([2, 2, 1, 2, 2])
    for _ in range(5):
        action = next(way)
        run.step([lambda env, action=action: action] * 2)
    assert run.first_difference is None
    assert run.over.all() and run.solved == 2
    run.close()


OPTIONS = [
    ("MiniGrid-Empty-8x8-v0", {"size": 6, "agent_start_pos": (2, 3), "agent_start_dir": 3}),
    ("MiniGrid-Empty-8x8-v0", {"agent_start_pos": None, "max_steps": 9}),
    ("MiniGrid-DoorKey-8x8-v0", {"size": 7, "see_through_walls": True, "agent_view_size": 5}),
    ("MiniGrid-LavaCrossingS9N1-v0", {"size": 13, "num_crossings": 4, "obstacle_type": "wall"}),
    ("MiniGrid-DistShift1-v0", {"width": 12, "height": 9, "strip2_row": 4, "agent_start_pos": None}),
    ("MiniGrid-Dynamic-Obstacles-8x8-v0", {"n_obstacles": 20}),
    ("MiniGrid-Fetch-8x8-N3-v0", {"numObjs": 9, "size": 7}),
    ("MiniGrid-FourRooms-v0", {"agent_pos": (3, 4), "goal_pos": (12, 12), "max_steps": 30}),
    ("MiniGrid-GoToObject-6x6-N2-v0", {"size": 9, "numObjs": 7}),
    ("MiniGrid-KeyCorridorS3R1-v0", {"num_rows": 4, "obj_type": "box", "room_size": 5}),
    ("MiniGrid-LockedRoom-v0", {"size": 25, "max_steps": 50}),
    ("MiniGrid-MemoryS7-v0", {"size": 11, "random_length": True}),
    ("MiniGrid-MultiRoom-N6-v0", {"minNumRooms": 2, "maxNumRooms": 5, "maxRoomSize": 7, "width": 30, "height": 28}),
    ("MiniGrid-ObstructedMaze-Full-v0", {"num_quarters": 3, "key_in_box": False, "agent_room": (2, 1)}),
    ("MiniGrid-ObstructedMaze-Full-v1", {"num_quarters": 2, "blocked": False, "num_rooms_visited": 7}),
    ("MiniGrid-PutNear-6x6-N2-v0", {"size": 9, "numObjs": 5}),
    ("MiniGrid-RedBlueDoors-6x6-v0", {"size": 9}),
    ("BabyAI-GoToLocal-v0", {"room_size": 6, "num_dists": 3, "max_steps": 7}),
    ("BabyAI-GoTo-v0", {"num_rows": 2, "num_cols": 4, "doors_open": True, "agent_view_size": 9}),
    ("BabyAI-OpenTwoDoors-v0", {"first_color": "grey", "strict": True}),
    ("BabyAI-OpenDoorsOrderN2-v0", {"num_doors": 3, "debug": True}),
    ("BabyAI-PutNextS4N1-v0", {"room_size": 6, "objs_per_room": 4, "start_carrying": True}),
    ("BabyAI-UnlockLocal-v0", {"distractors": True}),
    ("BabyAI-KeyCorridor-v0", {"obj_type": "key", "room_size": 4, "num_rows": 2}),
    ("BabyAI-BossLevel-v0", {"num_rows": 2, "num_cols": 2, "room_size": 6, "num_dists": 5, "instr_kinds": ("seq",)}),
    ("BabyAI-BossLevel-v0", {"action_kinds": ("putnext", "goto"), "locations": False, "unblocking": False}),
    ("BabyAI-BossLevel-v0", {"locked_room_prob": 1.0, "implicit_unlock": False, "num_dists": 9}),
]


@pytest.mark.parametrize(("task", "options"), OPTIONS, ids=lambda value: str(value).replace(" ", ""))
def test_options_equal_minigrids(task, options):
    run = Play(task, [5, 6], options)
    policies = policies_for(task, run.count, np.random.default_rng(1))
    run.reset()
    for _ in range(30):
        run.step(policies)
    run.close()
    assert run.first_difference is None


def pixels(env):
    return wrappers.ImgObsWrapper(wrappers.RGBImgObsWrapper(env, tile_size=6))


def sometimes_forward(env):
    return wrappers.StochasticActionWrapper(env, prob=0.6, random_action=2)


WRAPPED = [
    ({"obs": "full"}, wrappers.FullyObsWrapper),
    ({"obs": "onehot"}, wrappers.OneHotPartialObsWrapper),
    ({"obs": "rgb_partial"}, wrappers.RGBImgPartialObsWrapper),
    ({"obs": "rgb_partial", "obs_tile_size": 5}, lambda env: wrappers.RGBImgPartialObsWrapper(env, tile_size=5)),
    ({"obs": "rgb"}, wrappers.RGBImgObsWrapper),
    ({"obs": "rgb", "obs_tile_size": 6, "image_only": True}, pixels),
    ({"obs": "symbolic"}, wrappers.SymbolicObsWrapper),
    ({"image_only": True}, wrappers.ImgObsWrapper),
    ({"agent_view_size": 3}, lambda env: wrappers.ViewSizeWrapper(env, agent_view_size=3)),
    ({"agent_view_size": 11}, lambda env: wrappers.ViewSizeWrapper(env, agent_view_size=11)),
]
IN_MINIGRID = [
    ({"obs": "flat"}, wrappers.FlatObsWrapper),
    ({"mission": "tokens"}, wrappers.DictObservationSpaceWrapper),
    ({"action_prob": 0.7}, lambda env: wrappers.StochasticActionWrapper(env, prob=0.7)),
    ({"action_prob": 0.6, "random_action": 2}, sometimes_forward),
]
NO_DEATH = [
    ("MiniGrid-LavaCrossingS9N3-v0", {"no_death": ("lava",)}, ("lava",), -1.0),
    ("MiniGrid-Dynamic-Obstacles-5x5-v0", {"no_death": ("ball",), "death_cost": -0.25}, ("ball",), -0.25),
]


def compare_wrapped(task, options, wrap, steps=40):
    run = Play(task, [8, 9, 10], options, wrap, reference_options={})
    policies = [Random(np.random.default_rng(2)), Busy(np.random.default_rng(3)), Busy(np.random.default_rng(4))]
    run.reset()
    for _ in range(steps):
        run.step(policies)
    run.close()
    assert run.first_difference is None


@pytest.mark.parametrize("task", ["MiniGrid-DoorKey-6x6-v0", "MiniGrid-DistShift1-v0", "BabyAI-PutNextS5N2Carrying-v0"])
@pytest.mark.parametrize(("options", "wrap"), WRAPPED, ids=[json.dumps(options) for options, _ in WRAPPED])
def test_observations_equal_those_of_minigrids_wrappers(task, options, wrap):
    # minigrid's `ViewSizeWrapper` computes the observation again after the reset, when the carried object is no longer
    # on the grid.
    if "Carrying" in task and "agent_view_size" in options:
        pytest.skip("the option is minigrid's own, which looks before")
    compare_wrapped(task, options, wrap)


@pytest.mark.parametrize("task", ["MiniGrid-LockedRoom-v0", "MiniGrid-PutNear-6x6-N2-v0"])
@pytest.mark.parametrize(("options", "wrap"), IN_MINIGRID, ids=[json.dumps(options) for options, _ in IN_MINIGRID])
def test_missions_and_probabilities_equal_those_of_minigrids_wrappers(task, options, wrap):
    compare_wrapped(task, options, wrap)


@pytest.mark.parametrize(("task", "options", "types", "cost"), NO_DEATH)
def test_no_death_types_and_costs_equal_minigrids_wrapper(task, options, types, cost):
    compare_wrapped(task, options, lambda env: wrappers.NoDeath(env, types, cost), steps=120)


def test_fixed_seeds_are_repeated_like_minigrids_reseed_wrapper():
    seeds = (4, 9, 2)
    task = "MiniGrid-Fetch-5x5-N2-v0"
    reseeded = lambda env: wrappers.ReseedWrapper(env, seeds)  # noqa: E731
    run = Play(task, [0, 1], {"seeds": seeds}, reseeded, reference_options={})
    policies = [Busy(np.random.default_rng(3)), Random(np.random.default_rng(4))]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the wrapper warns about seeds
        run.reset()
    for _ in range(200):
        run.step(policies)
    run.close()
    assert run.first_difference is None and run.episodes > 6


def spaces_agree(ours, theirs):
    """Returns whether two spaces are equal.

    Dicts must have the same keys; spaces of missions may differ.
    """
    if hasattr(theirs, "spaces"):
        assert list(ours.spaces) == list(theirs.spaces)
        return all(key == "mission" or spaces_agree(ours[key], theirs[key]) for key in theirs.spaces)
    return ours == theirs


@pytest.mark.parametrize(("options", "wrap"), [({}, lambda env: env), *WRAPPED], ids=lambda value: id_of(value)[:40])
def test_spaces_equal_those_of_minigrids_environments(options, wrap):
    env = wrap(reference("MiniGrid-DistShift1-v0"))
    pool = envpool_rs.make_vec("MiniGrid-DistShift1-v0", 1, **options)
    assert spaces_agree(pool.single_observation_space, env.observation_space)
    assert pool.single_action_space == env.action_space
    observation, _ = pool.reset(seed=0)
    assert pool.observation_space.contains(observation)
    pool.close()


PICTURES = [
    ("MiniGrid-Playground-v0", {}),
    ("MiniGrid-LavaCrossingS9N2-v0", {"tile_size": 16}),
    ("MiniGrid-UnlockPickup-v0", {"tile_size": 5}),
    ("MiniGrid-ObstructedMaze-2Dlhb-v0", {"highlight": False, "tile_size": 7}),
    ("BabyAI-GoToOpen-v0", {"tile_size": 11}),
    ("BabyAI-UnlockLocalDist-v0", {"agent_pov": True}),
    ("MiniGrid-Dynamic-Obstacles-6x6-v0", {"agent_pov": True, "agent_view_size": 9, "tile_size": 21}),
]


@pytest.mark.parametrize(("task", "options"), PICTURES)
def test_pictures_equal_minigrids(task, options):
    env = reference(task, render_mode="rgb_array", **options)
    pool = envpool_rs.make_vec(task, 1, render_mode="rgb_array", **options)
    with quiet():
        env.reset(seed=21)
    pool.reset(seed=[21])
    busy = Busy(np.random.default_rng(0))
    for _ in range(6):
        for _ in range(4):
            action = busy(env.unwrapped)
            if env.step(action)[2]:
                break
            pool.step([action])
        else:
            np.testing.assert_array_equal(np.asarray(pool.render())[0], env.render())
            continue
        break
    pool.close()


@pytest.mark.parametrize("tile_size", [5, 6, 8, 13, 24, 32])
def test_tiles_of_any_size_equal_minigrids(tile_size):
    """Compares images of all kinds of cells with minigrid's: walls, doors of all states, keys, balls, boxes, lava, the
    goal and the agent.

    The cells are drawn with and without highlight.
    """
    for task in ("MiniGrid-Playground-v0", "MiniGrid-LockedRoom-v0", "MiniGrid-DistShift2-v0"):
        env = reference(task, render_mode="rgb_array", tile_size=tile_size)
        pool = envpool_rs.make_vec(task, 1, render_mode="rgb_array", tile_size=tile_size)
        for seed in (1, 2):
            env.reset(seed=seed)
            pool.reset(seed=[seed])
            np.testing.assert_array_equal(np.asarray(pool.render())[0], env.render())
        pool.close()


@pytest.mark.parametrize("tile_size", [1, 7, 16, 32, 64])
def test_pictures_of_another_size_have_minigrids_tiles_of_that_size(tile_size):
    env = reference("MiniGrid-UnlockPickup-v0", render_mode="rgb_array", tile_size=tile_size)
    columns, rows = env.unwrapped.width, env.unwrapped.height
    size = {"render_width": columns * tile_size, "render_height": rows * tile_size}
    pool = envpool_rs.make_vec("MiniGrid-UnlockPickup-v0", 1, render_mode="rgb_array", **size)
    env.reset(seed=3)
    pool.reset(seed=[3])
    np.testing.assert_array_equal(np.asarray(pool.render())[0], env.render())
    pool.close()


@pytest.mark.parametrize("size", [(84, 84), (300, 204), (1200, 30), (4, 999), (2000, 1998)])
def test_pictures_of_any_size_show_the_same(size):
    """Compares the mean colour of four by three parts."""

    def parts(width, height):
        options = {"render_width": width, "render_height": height}
        pool = envpool_rs.make_vec("MiniGrid-LavaCrossingS9N2-v0", 1, render_mode="rgb_array", **options)
        pool.reset(seed=[3])
        picture = np.asarray(pool.render())[0]
        pool.close()
        assert picture.shape == (height or 288, width or 288, 3)
        return picture.reshape(3, picture.shape[0] // 3, 4, picture.shape[1] // 4, 3).mean((1, 3))

    assert np.abs(parts(*size) - parts(0, 0)).max() < 6


def test_text_equals_minigrids():
    env = reference("MiniGrid-LockedRoom-v0")
    pool = envpool_rs.make_vec("MiniGrid-LockedRoom-v0", 1, render_mode="ansi")
    busy = Busy(np.random.default_rng(0))
    env.reset(seed=2)
    pool.reset(seed=[2])
    for _ in range(40):
        assert pool.render()[0] == env.unwrapped.pprint_grid()
        action = busy(env.unwrapped)
        env.step(action)
        pool.step([action])
    pool.close()


def test_missions_have_envpools_bytes_and_are_decoded():
    pool = envpool_rs.make("BabyAI-GoToSeqS5R2-v0", num_envs=3, seed=5)
    observation, info = pool.reset()
    vector = envpool_rs.make_vec("BabyAI-GoToSeqS5R2-v0", 3)
    texts, _ = vector.reset(seed=5)
    assert observation["mission"].shape == (3, 512) and observation["direction"].dtype == np.int32
    assert decode_mission(observation["mission"]).tolist() == list(texts["mission"])
    assert decode_mission(observation["mission"][1]) == texts["mission"][1]
    assert info["mission_id"].tolist() == [-1, -1, -1]
    pool.close()
    vector.close()


def test_missions_of_fetch_are_numbered_like_envpools():
    colours = ["red", "green", "blue", "purple", "yellow", "grey"]
    words = ["get a", "go get a", "fetch a", "go fetch a", "you must fetch a"]
    pool = envpool_rs.make("MiniGrid-Fetch-8x8-N3-v0", num_envs=16, seed=1)
    observation, info = pool.reset()
    for mission, number in zip(decode_mission(observation["mission"]), info["mission_id"], strict=True):
        start, colour, kind = mission.rsplit(" ", 2)
        assert number == words.index(start) * 12 + colours.index(colour) * 2 + (kind == "ball")
    pool.close()


def test_gymnasiums_interface_returns_missions_as_bytes_and_tokens():
    texts = envpool_rs.make_vec("BabyAI-BossLevel-v0", 4)
    missions = texts.reset(seed=1)[0]["mission"]
    letters = envpool_rs.make_vec("BabyAI-BossLevel-v0", 4, mission="bytes")
    assert decode_mission(letters.reset(seed=1)[0]["mission"]).tolist() == list(missions)
    tokens = envpool_rs.make_vec("BabyAI-BossLevel-v0", 4, mission="tokens").reset(seed=1)[0]["mission"]
    assert tokens.shape == (4, 128)
    counts = [len(mission.replace(",", " ,").split()) for mission in missions]
    assert (tokens > 0).sum(axis=1).tolist() == counts
    none = envpool_rs.make_vec("BabyAI-BossLevel-v0", 4, mission="none").reset(seed=1)[0]
    assert list(none) == ["direction", "image"]


OTHER_NAMES = [
    ("MiniGrid-Fetch-8x8-N3-v0", {"numObjs": 7}, {"num_objs": 7}),
    ("MiniGrid-GoToObject-6x6-N2-v0", {"numObjs": 5}, {"num_objs": 5}),
    ("MiniGrid-PutNear-6x6-N2-v0", {"numObjs": 4}, {"num_objs": 4}),
    (
        "MiniGrid-MultiRoom-N6-v0",
        {"minNumRooms": 2, "maxNumRooms": 3, "maxRoomSize": 6},
        {"min_num_rooms": 2, "max_num_rooms": 3, "max_room_size": 6},
    ),
]


@pytest.mark.parametrize(("task", "minigrids", "envpools"), OTHER_NAMES, ids=str)
def test_envpools_option_names_are_aliases_of_minigrids(task, minigrids, envpools):
    worlds = []
    for options in (minigrids, envpools, {}):
        pool = envpool_rs.make(task, num_envs=8, seed=3, obs="full", mission="none", **options)
        observation, _ = pool.reset()
        worlds.append(observation["image"].tobytes())
        pool.close()
    assert worlds[0] == worlds[1] != worlds[2]


REFUSED = [
    ("MiniGrid-Empty-5x5-v0", {"size": 2}, "size=2"),
    ("MiniGrid-Empty-5x5-v0", {"agent_start_pos": (0, 1)}, "agent_start_pos="),
    ("MiniGrid-Empty-5x5-v0", {"agent_view_size": 4}, "agent_view_size=4"),
    ("MiniGrid-Empty-5x5-v0", {"agent_view_size": 33}, "agent_view_size=33"),
    ("MiniGrid-Empty-5x5-v0", {"env_name": "doorkey"}, "env_name="),
    ("MiniGrid-Empty-5x5-v0", {"max_steps": 0}, "max_steps=0"),
    ("MiniGrid-Empty-5x5-v0", {"obs": "flat", "mission": "tokens"}, "mission="),
    ("MiniGrid-Empty-5x5-v0", {"random_action": 1}, "random_action="),
    ("MiniGrid-Empty-5x5-v0", {"no_death": ("goal",)}, "no_death="),
    ("MiniGrid-Empty-5x5-v0", {"seeds": (-1,)}, "seeds="),
    ("MiniGrid-Dynamic-Obstacles-5x5-v0", {"random_action": 3, "action_prob": 0.5}, "random_action="),
    ("MiniGrid-LavaCrossingS9N1-v0", {"size": 8}, "size=8"),
    ("MiniGrid-MemoryS7-v0", {"size": 8}, "size=8"),
    ("MiniGrid-MultiRoom-N6-v0", {"minNumRooms": 7}, "minNumRooms=7"),
    ("MiniGrid-GoToObject-6x6-N2-v0", {"numObjs": 19}, "numObjs=19"),
    ("MiniGrid-GoToObject-6x6-N2-v0", {"num_objs": 19}, "num_objs=19"),
    ("MiniGrid-DistShift1-v0", {"strip2_row": 6}, "strip2_row=6"),
    ("MiniGrid-ObstructedMaze-Full-v0", {"agent_room": (3, 0)}, "agent_room="),
    ("BabyAI-BossLevel-v0", {"action_kinds": ("sing",)}, "action_kinds="),
    ("BabyAI-BossLevel-v0", {"instr_kinds": ()}, "instr_kinds="),
    ("BabyAI-OpenTwoDoors-v0", {"first_color": "pink"}, "first_color="),
]


@pytest.mark.parametrize(("task", "options", "named"), REFUSED, ids=str)
def test_invalid_values_are_refused_by_name(task, options, named):
    with pytest.raises(ValueError, match=named):
        envpool_rs.make_vec(task, 1, **options)


IMPOSSIBLE = [
    ("MiniGrid-Fetch-5x5-N2-v0", {"numObjs": 60}),
    ("MiniGrid-MultiRoom-N2-S4-v0", {"width": 6, "height": 6}),
    ("BabyAI-GoToLocal-v0", {"room_size": 4, "num_dists": 30}),
    ("BabyAI-PutNextLocal-v0", {"room_size": 4, "num_objs": 10}),
]


@pytest.mark.parametrize(("task", "options"), IMPOSSIBLE, ids=str)
def test_impossible_worlds_are_errors_and_not_endless_loops(task, options):
    pool = envpool_rs.make_vec(task, 1, **options)
    with pytest.raises(RuntimeError, match="no world can be generated"):
        pool.reset(seed=0)
    pool.close()


def test_wave_function_collapse_levels_accept_both_option_names():
    def first(**options):
        with envpool_rs.make_vec("MiniGrid-WFC-MazeSimple-v0", 2, obs="full", image_only=True, **options) as pool:
            return pool.reset(seed=4)[0]

    fabric = first(wfc_config="RoomsFabric")
    np.testing.assert_array_equal(fabric, first(wfc_preset="RoomsFabric", wfc_config="ObstaclesAngular"))
    assert (fabric != first()).any()
    with pytest.raises(ValueError, match=r"wfc_config=.*Maze.*MazeSimple"):
        first(wfc_config="Maze")


def test_levels_of_several_kinds_share_a_pool():
    tasks = ["MiniGrid-Empty-8x8-v0", "MiniGrid-DoorKey-8x8-v0", "MiniGrid-DoorKey-6x6-v0", "MiniGrid-MultiRoom-N6-v0"]
    mixed = envpool_rs.make_vec(tasks, 8)
    alone = [envpool_rs.make_vec(task, 2) for task in tasks]
    seeds = list(range(8))
    rng = np.random.default_rng(0)
    together, _ = mixed.reset(seed=seeds)
    apart = [pool.reset(seed=seeds[2 * index : 2 * index + 2])[0] for index, pool in enumerate(alone)]
    for _ in range(60):
        np.testing.assert_array_equal(together["image"], np.concatenate([each["image"] for each in apart]))
        assert together["mission"] == sum((each["mission"] for each in apart), ())
        actions = rng.integers(0, 7, 8)
        together = mixed.step(actions)[0]
        apart = [pool.step(actions[2 * index : 2 * index + 2])[0] for index, pool in enumerate(alone)]


def test_sizes_are_drawn_for_each_episode():
    pool = envpool_rs.make_vec("MiniGrid-Empty-8x8-v0", 4, size=("integers", 4, 12), max_steps=5)
    pool.reset(seed=0)
    seen = set()
    for _ in range(60):
        *_, info = pool.step(np.zeros(4, dtype=np.int64))
        seen.update(info["size"].tolist())
    assert seen == set(range(4, 12))
    pool.close()


def test_gymnasium_make_keeps_minigrids_own_environments():
    """Checks that minigrid's gymnasium ids and this package's tasks coexist in one process."""
    env = gymnasium.make("MiniGrid-Empty-5x5-v0")
    assert type(env.unwrapped).__module__.startswith("minigrid")


def test_babyai_bots_solve_our_levels():
    run = Play("BabyAI-GoToSeqS5R2-v0", [1, 2, 3])
    bots = [Bot(np.random.default_rng(index)) for index in range(3)]
    run.reset()
    while run.episodes < 3 and run.steps < 600:
        run.step(bots)
    run.close()
    assert run.first_difference is None and run.solved >= 2
