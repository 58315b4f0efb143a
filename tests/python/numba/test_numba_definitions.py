"""Tests definitions of tasks for Numba: invalid definitions and their error messages, and functions run in Python."""

import numpy as np
import pytest
from gymnasium import spaces

pytest.importorskip("numba")

from envpool_rs import numba
from numba_tasks import own_tasks

BOX = spaces.Box(-1, 1, (2,), np.float32)


@pytest.fixture(autouse=True)
def _own_tasks():
    with own_tasks():
        yield


class Fine:
    def reset(state):
        state.x = 0.0

    def step(state, action):
        return 1.0, False

    def observe(state, out):
        out[0] = state.x
        out[1] = state.x


GIVEN = {"observation": BOX, "action": 2, "state": {"x": np.float64}}


def define(cls=Fine, task_id="Bad-v0", **changes):
    return numba.env(task_id, **{**GIVEN, **changes})(cls)


def variant(**functions):
    """Returns the class `Fine` with some functions replaced; ``None`` removes a function."""
    kept = {name: value for name, value in vars(Fine).items() if name in ("reset", "step", "observe")}
    kept.update(functions)
    return type("Bad", (), {name: value for name, value in kept.items() if value is not None})


WRONG_ARGUMENTS = [
    ({"task_id": "Bad"}, ValueError, r"id='Bad': expected a name with a version"),
    ({"task_id": 3}, TypeError, r"id=3: expected a str"),
    ({"task_id": "CartPole-v1"}, ValueError, r"id='CartPole-v1': this task exists already; expected a new id"),
    ({"task_id": f"{'a' * 300}-v0"}, ValueError, r"id='a+\.\.\.: expected at most 128 characters"),
    ({"observation": spaces.Text(3)}, TypeError, r"Bad-v0: observation=Text.*expected a Box, Discrete, "),
    ({"observation": spaces.Tuple([BOX])}, TypeError, r"observation=Tuple.*or a Dict of these"),
    ({"observation": spaces.Dict()}, ValueError, r"observation=Dict\(\): expected at least one key"),
    ({"observation": spaces.Dict({"a b": BOX})}, ValueError, r"observation: key 'a b': expected an identifier"),
    ({"observation": spaces.Dict({"for": BOX})}, ValueError, r"observation: key 'for': expected an identifier"),
    ({"observation": spaces.Dict(a=spaces.Dict(b=spaces.Text(3)))}, TypeError, r"observation\['a'\]\['b'\]=Text"),
    ({"observation": spaces.Box(0, 1, (2,), np.float16)}, ValueError, r"dtype=float16: expected 'bool', 'uint8'"),
    ({"observation": spaces.Box(0, 1, (2, 0), np.float32)}, ValueError, r"shape=0: expected sizes of 1 or"),
    ({"action": 0}, ValueError, r"action=0: expected 1 to 2147483647 actions"),
    ({"action": 2**70}, ValueError, rf"action={2**70}: expected 1 to 2147483647 actions"),
    ({"action": "left"}, TypeError, r"action='left': expected a Box"),
    ({"options": {"n": 2**63}}, ValueError, rf"options\['n'\]={2**63}: expected {-(2**63)} to {2**63 - 1}"),
    ({"options": {"n": -(2**63) - 1}}, ValueError, rf"options\['n'\]={-(2**63) - 1}: expected {-(2**63)} to "),
    ({"options": {"n": numba.Option(3, low="a")}}, TypeError, r"options\['n'\]: low='a': expected a number or None"),
    ({"options": {"n": numba.Option(3, doc=5)}}, TypeError, r"options\['n'\]: doc=5: expected a str"),
    ({"max_episode_steps": 2**64 + 5}, ValueError, rf"max_episode_steps={2**64 + 5}: expected 1 to 2147483646"),
    ({"reward_threshold": "a"}, TypeError, r"reward_threshold='a': expected a number or None"),
    ({"action": spaces.Box(0, 9, (1,), np.int32)}, ValueError, r"action: dtype=int32: expected a Box of float32"),
    ({"action": spaces.MultiDiscrete([2, 2], start=[1, 0])}, ValueError, r"start=\[1, 0\]: expected a MultiDiscrete"),
    ({"state": {}}, ValueError, r"state={}: expected at least one field"),
    ({"state": np.float64}, TypeError, r"state=.*expected a dict of fields and dtypes, or \(dtype, shape\)"),
    ({"state": {"x": "text"}}, TypeError, r"state\['x'\]: dtype='text': expected 'bool'"),
    ({"state": {"x": object}}, ValueError, r"state\['x'\]: dtype=object: expected"),
    ({"state": {"x": (np.float64, "wide")}}, TypeError, r"state\['x'\]: shape='wide': expected an int or a tuple"),
    ({"state": {"x": (np.float64, -1)}}, ValueError, r"state\['x'\]: shape=-1: expected sizes of 1 or more"),
    ({"state": {"x y": np.float64}}, ValueError, r"state: field 'x y': expected an identifier"),
    ({"options": {"map": "4x4"}}, TypeError, r"options\['map'\]='4x4': expected a bool, an int or a float"),
    ({"options": {"a-b": 1}}, ValueError, r"options: name 'a-b': expected an identifier"),
    (
        {"options": {"n": numba.Option(9, low=0, high=5)}},
        ValueError,
        r"options\['n'\]=9: expected a number from 0 to 5",
    ),
    ({"options": [("n", 1)]}, TypeError, r"options=\[.*expected a dict of names and defaults"),
    ({"infos": {"x": np.float64}}, TypeError, r"infos are given: expected a function inform"),
    ({"frame": (64, 64)}, TypeError, r"frame=\(64, 64\) is given: expected a function render"),
    ({"players": 0}, ValueError, r"players=0: expected 1 to 1024"),
    ({"max_episode_steps": 0}, ValueError, r"max_episode_steps=0: expected 1 to 2147483646"),
    ({"uniform": "yes"}, TypeError, r"uniform='yes': expected a bool"),
    ({"max_episode_steps": 2**70}, ValueError, f"max_episode_steps={2**70}: expected 1 to 2147483646"),
    ({"frames_per_second": 2**70}, ValueError, f"frames_per_second={2**70}: expected 1 to 1000"),
    ({"reward_threshold": "a"}, TypeError, "reward_threshold='a': expected a number or None"),
    ({"reward_threshold": 10**400}, ValueError, r"reward_threshold=10+\.\.\.: expected a number or None"),
    ({"version": 2}, TypeError, r"version=2: expected a str or None"),
]


@pytest.mark.parametrize(
    ("changes", "error", "message"), WRONG_ARGUMENTS, ids=[each[2][:40] for each in WRONG_ARGUMENTS]
)
def test_a_wrong_argument_is_named(changes, error, message):
    with pytest.raises(error, match=message):
        define(**changes)


def with_self(self, state):
    pass


def with_another_name(state, act):
    return 1.0, False


def without_out(state):
    pass


def unused(state, out):
    pass


WRONG_FUNCTIONS = [
    ({"step": None}, r"class Bad has None as step: expected a function step\(state, action, random, options\)"),
    ({"observe": 3}, r"class Bad has 3 as observe: expected a function observe"),
    ({"reset": with_self}, r"reset: expected a function without self"),
    ({"step": with_another_name}, r"step: parameter 'act': expected some of state, action, random, options"),
    ({"observe": without_out}, r"observe\(state\): expected the parameter out, which it fills in"),
    ({"reset": lambda: None}, r"reset\(\): expected the parameter state"),
    ({"inform": unused}, r"the class has a function inform: expected infos="),
    ({"render": lambda state, picture: None}, r"the class has a function render: expected frame="),
]


@pytest.mark.parametrize(("functions", "message"), WRONG_FUNCTIONS, ids=[each[1][:40] for each in WRONG_FUNCTIONS])
def test_a_wrong_function_is_named(functions, message):
    with pytest.raises(TypeError, match=message):
        define(variant(**functions))


def test_the_decorator_is_applied_to_a_class():
    with pytest.raises(TypeError, match=r"expected a class with the functions reset, step and observe"):
        define(Fine.reset)


def beyond(state, out):
    out[0] = out[1] = 0.0
    out[2] = state.x


def half(state, out):
    out[1] = state.x


def wide(state, out):
    out[:] = np.zeros(3, np.float32)


def misspelt(state, out):
    out[:] = stat.x  # noqa: F821


def has_no_field(state, out):
    out[:] = state.y


OUT_OF_BOUNDS = [
    (has_no_field, r"AttributeError: 'record' object has no attribute 'y', at `out\[:\] = state\.y`"),
    (beyond, r"observe|beyond .*test_numba_definitions\.py, line \d+\) fails in Python: IndexError: .*`out\[2\] ="),
    (half, r"observe leaves out\[0\] unwritten: expected all 2 elements to be set"),
    (wide, r"fails in Python: ValueError: could not broadcast input array from shape \(3,\) into shape \(2,\)"),
    (misspelt, r"NameError: name 'stat' is not defined.*; expected functions and constants to stand above the class"),
]


@pytest.mark.parametrize(("observe", "message"), OUT_OF_BOUNDS, ids=[each[0].__name__ for each in OUT_OF_BOUNDS])
def test_a_row_must_be_written_completely_and_within_bounds(observe, message):
    with pytest.raises(ValueError, match=message):
        define(variant(observe=observe))


def without_tuple(state):
    return 1.0


def with_four(state):
    return 1.0, False, False, {}


def with_two_kinds(state):
    if state.x > 3:
        return 1.0
    return 1.0, False


def with_text(state):
    return "much", False


def with_number_as_flag(state):
    return 1.0, 0.5


def adds_text(state, out):
    out[0] = out[1] = state.x + len("x")
    out[0] = state.x + "x"


def has_text_of_number(state):
    return float(f"{state.x:.3f}"), False


WRONG_TYPES = [
    ({"step": without_tuple}, r"step returns float64: expected \(reward, terminated\) or \(reward, terminated, trunc"),
    ({"step": with_four}, r"expected step to return \(reward, terminated\) or \(reward, terminated, truncated\)"),
    ({"step": with_two_kinds}, r"unify return type.*; expected step to return \(reward, terminated\) or \(reward, ter"),
    ({"step": with_text}, r"step returns a reward of type .*: expected a number in \(reward, terminated\)"),
    ({"step": with_number_as_flag}, r"step returns .*: expected .*, with bools as the last ones"),
    ({"observe": adds_text}, r"test_numba_definitions\.py, line \d+\) cannot be compiled: .*add\(float64, "),
    ({"step": has_text_of_number}, r"test_numba_definitions\.py, line \d+\) cannot be compiled: "),
]


@pytest.mark.parametrize(
    ("functions", "message"), WRONG_TYPES, ids=[next(iter(each[0].values())).__name__ for each in WRONG_TYPES]
)
def test_a_type_error_names_the_users_line_in_one_sentence(functions, message):
    with pytest.raises(TypeError, match=message) as caught:
        define(variant(**functions))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400


def test_rewards_are_one_for_each_player():
    def observe(state, out):
        out[:, :] = state.x

    with pytest.raises(TypeError, match=r"step returns rewards float64: expected 2 numbers, one for each player"):
        define(variant(observe=observe), players=2)


# --- functions in Python ----------------------------------------------------------------------------------------------


def test_functions_run_in_python_with_the_checks_of_tasks():
    from numba_tasks import cart_pole

    task = cart_pole()
    state = np.zeros(4)
    options = task._definition.option_values.nest([9.8])
    assert task.step(state, 1, options) == (1.0, False)
    assert state[1] > 0
    env = task.python(gravity=9)
    with pytest.raises(TypeError, match=r"unknown option 'g': expected some of gravity"):
        task.python(g=1)
    with pytest.raises(TypeError, match=r"gravity='low': expected a number"):
        task.python(gravity="low")
    with pytest.raises(NotImplementedError, match=r"has no function render"):
        env.render()
    observation, info = env.reset(seed=3)
    assert env.observation_space.contains(observation)
    assert info == {}
    assert env.step(env.action_space.sample())[1] == 1.0
    assert env.options.gravity == 9
