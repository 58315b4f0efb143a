"""Tests that Gymnasium-Robotics' families have in common: mazes, the Fetch robot, Adroit and the Shadow hand."""

import envpool_rs
import numpy as np
import pytest
from envpool_rs import robotics
from tasks import HAS_FETCH, representatives

MAZE_EXAMPLES, FETCH_EXAMPLES = representatives("maze"), representatives("fetch")
HAND_EXAMPLES = [*representatives("adroit"), *representatives("hand")]

TOUCH_EXAMPLES = ["HandManipulateEgg_ContinuousTouchSensors-v1"] if HAS_FETCH else []


@pytest.mark.parametrize("task", [*MAZE_EXAMPLES, *FETCH_EXAMPLES, *HAND_EXAMPLES, *TOUCH_EXAMPLES])
def test_a_frame_stack_holds_the_observations_of_plain_environments(task):
    plain, stacked = (envpool_rs.make_vec(task, 2, frame_stack=depth) for depth in (1, 3))
    keyed = (lambda value: {"": value}) if task.startswith("Adroit") else (lambda value: value)
    plain.action_space.seed(0)
    seen = [keyed(plain.reset(seed=5)[0])] * 3
    shown = keyed(stacked.reset(seed=5)[0])
    for _ in range(5):
        assert list(shown) in ([""], ["observation", "achieved_goal", "desired_goal"])
        for key, frames in shown.items():
            np.testing.assert_array_equal(frames, np.stack([each[key] for each in seen], 1), strict=True)
        action = plain.action_space.sample()
        seen = [*seen[1:], keyed(plain.step(action)[0])]
        shown = keyed(stacked.step(action)[0])


@pytest.mark.parametrize(
    ("older", "newer"), [("FetchPushDense-v1", "FetchPushDense-v4"), ("HandReach-v0", "HandReach-v3")]
)
@pytest.mark.skipif(not HAS_FETCH, reason="needs gymnasium-robotics")
def test_older_versions_are_aliases(older, newer):
    first, other = envpool_rs.make_vec(older, 2), envpool_rs.make_vec(newer, 2)
    for ours, theirs in zip(first.reset(seed=1)[0].values(), other.reset(seed=1)[0].values(), strict=True):
        np.testing.assert_array_equal(ours, theirs, strict=True)
    action = first.action_space.sample()
    np.testing.assert_array_equal(first.step(action)[1], other.step(action)[1], strict=True)


@pytest.mark.parametrize("task", ["FetchReach-v4", "AdroitHandDoor-v1", "HandReach-v3"])
@pytest.mark.skipif(not HAS_FETCH, reason="needs gymnasium-robotics")
def test_a_missing_package_names_the_extra(task, monkeypatch):
    from envpool_rs._spec import assets

    monkeypatch.setattr(assets, "folder_in", lambda *_: None)
    with pytest.raises(ImportError, match=r"envpool_rs\[robotics\]"):
        envpool_rs.make_vec(task, 1)


@pytest.mark.parametrize("size", [2, 3, 7, 15])
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"reward_type": None}, TypeError, 'reward_type=None: expected "sparse" or "dense"'),
        ({"reward_type": "none"}, ValueError, 'reward_type="none": expected "sparse" or "dense"'),
        ({"distance_threshold": "x"}, TypeError, "distance_threshold='x': expected a number or None"),
        ({"rotation_threshold": None}, TypeError, "rotation_threshold=None: expected a number"),
        ({"target_position": 3}, ValueError, "target_position=3: expected 'ignore', 'fixed' or 'random'"),
        ({"target_rotation": "x"}, ValueError, "target_rotation='x': expected 'ignore', .* or 'parallel'"),
        ({"ignore_z_target_rotation": "x"}, TypeError, "ignore_z_target_rotation='x': expected a bool"),
    ],
)
def test_wrong_options_of_rewards_are_named(size, options, error, message):
    with pytest.raises(error, match=message):
        robotics.compute_reward(np.zeros(size), np.zeros(size), **options)
