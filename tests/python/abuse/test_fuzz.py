"""Tests that random values as arguments raise only documented exceptions, after which the pool still works.

``ENVPOOL_RS_LONG_TESTS=1`` tries a hundred times as many values. ``ENVPOOL_RS_INSTANCES_SEED`` selects other
values; CI draws and prints it.
"""

import os
import zlib

import envpool_rs
import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, seed, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as st_numpy
from instances import default_seed
from tasks import TASKS

DOCUMENTED = (ValueError, TypeError, IndexError, RuntimeError)
MANY = settings(
    max_examples=15_000 if "ENVPOOL_RS_LONG_TESTS" in os.environ else 150,
    deadline=None,
    database=None,
    suppress_health_check=list(HealthCheck),
)

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.binary(max_size=20)
scalars |= st.complex_numbers() | st.integers(-2, 6)
arrays = st_numpy.arrays(
    st_numpy.scalar_dtypes() | st.just(np.dtype(object)),
    st_numpy.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5),
)
names = st.sampled_from(
    ["action", "env_id", "players", "players.env_id", "low", "high", "reset_mask", "speaker_0", "x"]
)
values = st.recursive(
    scalars | arrays,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names | scalars.filter(bool), inner, max_size=3),
)
option_names = st.sampled_from(
    [
        "num_envs",
        "batch_size",
        "num_threads",
        "max_num_players",
        "thread_affinity_offset",
        "seed",
        "max_episode_steps",
        "reward_threshold",
        "autoreset_mode",
        "record_episode_statistics",
        "normalize_obs",
        "normalize_reward",
        "clip_obs",
        "clip_reward",
        "gamma",
        "epsilon",
        "gym_reset_return_info",
        "base_path",
        "render_mode",
        "render_env_id",
        "render_width",
        "render_camera_id",
        "desc",
        "map_name",
        "is_slippery",
        "success_rate",
        "reward_schedule",
        "g",
        "goal_velocity",
        "natural",
        "sab",
        "n",
        "slip",
        "small",
        "large",
        "rows",
        "columns",
        "N",
        "local_ratio",
        "x",
    ]
)
MAKERS = ["make", "make_vec", "make_gym"]
VALID = {"num_envs": 3, "seed": 5, "max_episode_steps": 7}
small = st.integers(-3, 9) | values.filter(lambda value: not (isinstance(value, int) and abs(value) > 10**4))


def tolerated(call, *args, **kwargs):
    try:
        return call(*args, **kwargs)
    except DOCUMENTED as error:
        assert "panicked" not in str(error)


@seed(default_seed())
@MANY
@given(
    task=st.sampled_from(TASKS),
    options=st.dictionaries(option_names, small, max_size=3),
    make=st.sampled_from(MAKERS),
)
@example(task="CartPole-v1", options=VALID, make="make")
@example(task="CartPole-v1", options=VALID, make="make_vec")
@example(task="CartPole-v1", options={}, make="make_gym")
def test_any_options_create_a_usable_pool_or_a_documented_error(task, options, make):
    env = tolerated(getattr(envpool_rs, make), task, **options)
    is_valid = repr(options) in ("{}", repr(VALID))
    assert env is not None or not is_valid, "valid options were refused"
    if env is not None and len(env) <= 100:
        if is_valid:
            env.reset()
        else:
            tolerated(env.reset)
        env.close()


CALLS = ["step", "send", "recv", "reset", "get_state", "set_state", "async_reset", "reset_envs"]


@seed(default_seed())
@MANY
@given(
    task=st.sampled_from(["CartPole-v1", "Pendulum-v1", "Blackjack-v1", "SimpleSpeakerListener-v4"]),
    batch_size=st.sampled_from([0, 2]),
    calls=st.lists(st.tuples(st.sampled_from(CALLS), st.lists(values, max_size=3), st.booleans()), max_size=8),
)
def test_a_pool_is_usable_after_any_calls(task, batch_size, calls):
    env = envpool_rs.make(task, num_envs=4, batch_size=batch_size)
    for name, arguments, valid in calls:
        if valid:
            tolerated(getattr(env, name))
        else:
            tolerated(getattr(env, name), *arguments)
    env.reset()
    if not batch_size and task == "CartPole-v1":
        assert env.step([0, 1, 0, 1])[-1]["elapsed_step"].tolist() == [1] * 4


def resealed(state, body):
    return state[:4] + zlib.crc32(body).to_bytes(4, "little") + body


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@seed(default_seed())
@MANY
@given(
    task=st.sampled_from(TASKS),
    cuts=st.lists(st.tuples(st.integers(0, 400), st.integers(0, 255)), min_size=1, max_size=4),
    at=st.booleans(),
)
def test_forged_states_are_refused_or_playable(task, cuts, at):
    env = envpool_rs.make(task, num_envs=1, record_episode_statistics=True)
    env.reset()
    state = env.get_state()[0]
    body = bytearray(state[8:])
    # In a snapshot, the phase, counters and the environment's own state follow the task's name and the package's
    # version.
    version = envpool_rs.__version__.encode()
    assert version in body
    first = body.rfind(version) + len(version) if at else 0
    for position, byte in cuts:
        body[first + position % (len(body) - first)] = byte
    tolerated(env.set_state, [resealed(state, bytes(body))])
    actions = env.spec.action_array_spec.items()
    action = {
        name.partition(":")[2] or name: np.zeros((env.spec.rows, *(n for n in spec.shape if n > 0)), spec.dtype)
        for name, spec in actions
        if name.startswith("action")
    }
    try:
        for _ in range(30):
            env.step(action if len(action) > 1 or "action" not in action else action["action"])
    except RuntimeError as error:
        # MuJoCo may be unable to simulate a valid state, such as one with huge velocities.
        if "The simulation is unstable" not in str(error):
            raise
    env.reset()
