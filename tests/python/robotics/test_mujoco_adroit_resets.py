"""Tests that the reset option `initial_state_dict` of Adroit equals Gymnasium-Robotics'."""

from pathlib import Path

import envpool_rs
import gymnasium
import numpy as np
import pytest

pytest.importorskip("mujoco")
pytest.importorskip("gymnasium_robotics")
from robotics_reference import bits, check, reference

TASKS = ["AdroitHandDoor-v1", "AdroitHandHammer-v1", "AdroitHandPen-v1", "AdroitHandRelocateSparse-v1"]


def later_state(task, steps=4, seed=5):
    """Returns a state of the reference during an episode, with other places of objects."""
    env = gymnasium.make(task, disable_env_checker=True).unwrapped
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    for _ in range(steps):
        env.step(random.normal(size=env.action_space.shape).astype(np.float32))
    state = env.get_env_state()
    state = {key: np.array(state[key]) for key in env._state_space}
    for key in state.keys() - {"qpos", "qvel"}:
        state[key] += random.uniform(-0.02, 0.02, state[key].shape)
    return state


@pytest.mark.parametrize("task", TASKS)
def test_initial_states_are_the_references(task):
    ours, theirs = envpool_rs.make_vec(task, 2), reference(task, 2)
    random = np.random.default_rng(1)
    for seed in (3, None):
        options = {"initial_state_dict": later_state(task)}
        check(ours.reset(seed=seed, options=options), theirs.reset(seed=seed, options=options), seed)
        for step in range(6):
            action = random.normal(size=ours.action_space.shape).astype(np.float32)
            check(ours.step(action), theirs.step(action), step)
    # The next episode draws only some of the coordinates, and keeps the others.
    check(ours.reset(), theirs.reset(), "after")
    action = random.normal(size=ours.action_space.shape).astype(np.float32)
    check(ours.step(action), theirs.step(action), "after")


def test_initial_states_may_differ_between_environments():
    task = "AdroitHandRelocate-v1"
    states = [later_state(task, seed=1), None, later_state(task, seed=2)]
    columns = {key: [None if each is None else each[key] for each in states] for key in states[0]}
    single = [gymnasium.make(task, disable_env_checker=True) for _ in states]
    expected = [
        env.reset(seed=7 + index, options={"initial_state_dict": state} if state else None)[0]
        for index, (env, state) in enumerate(zip(single, states, strict=True))
    ]
    for given in (states, columns):
        ours = envpool_rs.make_vec(task, 3, num_threads=2)
        observation, _ = ours.reset(seed=7, options={"initial_state_dict": given})
        assert bits(observation) == bits(np.stack(expected))
        mask = np.array([True, False, True])
        observation, _ = ours.reset(seed=7, options={"initial_state_dict": given, "reset_mask": mask})
        assert bits(observation) == bits(np.stack(expected))
    plain, _ = envpool_rs.make_vec(task, 3).reset(seed=7, options={"initial_state_dict": None})
    assert bits(plain[1]) == bits(expected[1])
    assert bits(plain[0]) != bits(expected[0])


def test_initial_states_are_named_as_options_of_resets():
    names = envpool_rs.make_spec("AdroitHandRelocate-v1").pool.reset_options
    assert names == [f"initial_state_dict.{key}" for key in ("qpos", "qvel", "obj_pos", "target_pos")]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"qvel": None}, "initial_state_dict.qvel"),
        ({"qpos": np.zeros(29)}, r"initial_state_dict\.qpos: expected 30 numbers"),
        ({"qpos": np.zeros(31)}, r"initial_state_dict\.qpos: expected 30 numbers"),
        ({"qvel": np.full(30, np.nan)}, r"initial_state_dict\.qvel"),
        ({"board_pos": np.zeros(3)}, r"unknown reset option .initial_state_dict\.board_pos"),
        ({"door_body_pos": 0.1}, r"initial_state_dict\.door_body_pos: expected 3 numbers"),
        ({"door_body_pos": "here"}, r"initial_state_dict\.door_body_pos='here'"),
        ({"a.b": 1.0}, "unknown reset option"),
    ],
)
def test_bad_initial_states_are_named(change, named):
    ours = envpool_rs.make_vec("AdroitHandDoor-v1", 2)
    ours.reset(seed=0)
    state = {"qpos": np.zeros(30), "qvel": np.zeros(30), "door_body_pos": np.zeros(3)} | change
    state = {key: value for key, value in state.items() if value is not None}
    with pytest.raises(ValueError, match=named):
        ours.reset(options={"initial_state_dict": state})


@pytest.mark.parametrize("given", [{}, [{"qpos": np.zeros(30)}, None], [{"qpos": [0.0]}], 1.0, "start"])
def test_other_values_of_initial_states_are_refused(given):
    ours = envpool_rs.make_vec("AdroitHandDoor-v1", 2)
    with pytest.raises(ValueError, match="initial_state_dict"):
        ours.reset(seed=0, options={"initial_state_dict": given})


def test_models_of_other_sizes_are_refused(tmp_path):
    import gymnasium_robotics

    folder = Path(gymnasium_robotics.__path__[0], "envs", "assets", "adroit_hand")
    model = (folder / "adroit_door.xml").read_text()
    path = tmp_path / "door.xml"
    body = '<body name="more" pos="0 0 3"><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/><freejoint/></body>'
    model = model.replace("<worldbody>", f"<worldbody>{body}", 1)
    for included in ("adroit_model.xml", "adroit_assets.xml"):
        (tmp_path / included).write_text((folder / included).read_text().replace("resources/", f"{folder}/resources/"))
    path.write_text(model)
    with pytest.raises(ValueError, match=r"door\.xml.*expected a model of 30 positions, found 37"):
        envpool_rs.make_vec("AdroitHandDoor-v1", 1, xml_file=str(path))
