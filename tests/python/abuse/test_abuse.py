"""Tests misuses of the package that fit in one line of code.

Each row of the tables is a misuse with the only accepted outcome. It must finish within a second and leave all pools
unchanged: the misused pool continues exactly like an equal pool that was not misused.
"""

import copy
import faulthandler
import itertools
import pickle
import time
from dataclasses import dataclass, field

import envpool_rs
import numpy as np
import pytest
from envpool_rs import _core

I = np.arange  # noqa: E741
SCRIPTED = "test/Scripted-v0"


@dataclass(frozen=True)
class Row:
    """One misuse: the function that makes the pool, the invalid call, and the expected outcome."""

    name: str
    act: object
    error: type | None = None
    match: str = ""
    task: str = "CartPole-v1"
    options: dict = field(default_factory=dict)

    def make(self, make=envpool_rs.make):
        env = make(self.task, num_envs=4, **self.options)
        env.reset()
        return env


@pytest.fixture(autouse=True)
def without_much_work():
    """Asserts that a call is rejected at once, measured by CPU time, which other programs do not affect."""
    faulthandler.dump_traceback_later(240, exit=True)
    start = time.process_time()
    yield
    faulthandler.cancel_dump_traceback_later()
    assert time.process_time() - start < 2.0


def noop(env, count=4):
    specs = env.spec.action_array_spec
    arrays = {
        name.removeprefix("action:"): np.zeros(
            (count * env.spec.rows, *(size for size in spec.shape if size > 0)), spec.dtype
        )
        for name, spec in specs.items()
        if name.startswith("action")
    }
    return arrays.get("action", arrays)


def flat(result):
    if isinstance(result, dict):
        return [(key, *each) for key, value in result.items() for each in flat(value)]
    if isinstance(result, (tuple, list)):
        return [each for value in result for each in flat(value)]
    return [(str(result.dtype), result.tobytes())]


def goes_on_alike(env, twin):
    for _ in range(3):
        assert flat(env.step(noop(env))) == flat(twin.step(noop(twin)))


class Weird:
    """Object whose `item()` returns the object itself; numpy's scalars return a number."""

    def item(self):
        return self


class IntArray(np.ndarray):
    """Subclass of numpy's array whose conversions return a string."""

    def astype(self, *_, **__):
        return "not an array"


def unaligned(values):
    return np.frombuffer(b"\0" + values.tobytes(), values.dtype, offset=1)


def step(action, ids=None):
    return lambda env: env.step(action, ids)


def reset(*args, **kwargs):
    return lambda env: env.reset(*args, **kwargs)


PENDULUM, SPEAKER = {"task": "Pendulum-v1"}, {"task": "SimpleSpeakerListener-v4"}
OUT_OF_RANGE = r"action\[2\] is .*: expected an integer from 0 to 1"
NOT_FINITE = r"action\[1\] is .*: expected a finite number that fits float32"
SHAPE = r"action has shape .*: expected \(4,\)"
ACTIONS = [
    Row("short batch", step(I(3) * 0), ValueError, r"action has shape \(3,\): expected \(4,\)"),
    Row("long batch", step(I(5) * 0), ValueError, SHAPE),
    Row("short batch for ids", step(I(1) * 0, I(2)), ValueError, r"shape \(1,\): expected \(2,\)"),
    Row("action too large", step([0, 0, 2, 0]), ValueError, OUT_OF_RANGE),
    Row("action negative", step([0, 0, -1, 0]), ValueError, OUT_OF_RANGE),
    Row("action of 2**63", step(np.array([0, 0, 2**63, 0], np.uint64)), ValueError, OUT_OF_RANGE),
    Row("action of -2**63", step(np.array([0, 0, -(2**63), 0])), ValueError, OUT_OF_RANGE),
    Row("action of 2**32", step(np.array([0, 0, 2**32, 0])), ValueError, OUT_OF_RANGE),
    Row("action of 2**70", step([0, 0, 2**70, 0]), TypeError, "dtype object"),
    Row("fraction", step([0, 0, 0.5, 0]), ValueError, OUT_OF_RANGE),
    Row("NaN for discrete", step([0, 0, np.nan, 0]), ValueError, OUT_OF_RANGE),
    Row("infinity for discrete", step([0, 0, np.inf, 0]), ValueError, OUT_OF_RANGE),
    Row("float16 NaN", step(np.array([0, 0, np.nan, 0], np.float16)), ValueError, OUT_OF_RANGE),
    Row("strings", step(["0"] * 4), TypeError, "dtype <U1: expected integers, bools or floats"),
    Row("bytes", step(b"0000"), ValueError, SHAPE),
    Row("None", step(None), TypeError, "action is None"),
    Row("list of None", step([None] * 4), TypeError, "dtype object"),
    Row("objects", step(np.array([0, 1, Weird(), 0], object)), TypeError, "dtype object"),
    Row("complex", step(np.zeros(4, complex)), TypeError, "dtype complex128"),
    Row("dates", step(np.zeros(4, "M8[s]")), TypeError, "dtype datetime64"),
    Row("structured", step(np.zeros(4, "i4,i4")), TypeError, "expected integers"),
    Row("column", step(np.zeros((4, 1), int)), ValueError, r"shape \(4, 1\)"),
    Row("row", step(np.zeros((1, 4), int)), ValueError, r"shape \(1, 4\)"),
    Row("32 dimensions", step(np.zeros((1,) * 32, int)), ValueError, SHAPE),
    Row("no dimension", step(0), ValueError, r"action has shape \(\): expected \(4,\)"),
    Row(
        "ragged list",
        step([[0], [0, 1], 0, 0]),
        ValueError,
        r"^action=\[\[0\], \[0, 1\], 0, 0\]: expected an array .*inhomogeneous",
    ),
    Row(
        "dict with an unknown key",
        step({"actoin": I(4) * 0}),
        ValueError,
        'unknown key "actoin"; did you mean "action"',
    ),
    Row("dict without the key", step({}), ValueError, 'lacks the key "action"'),
    Row("dict with a key of another type", step({1: I(4)}), TypeError, "expected a str"),
    Row("wrong players", step({"action": I(4) * 0, "players.env_id": [3, 2, 1, 0]}), ValueError, "players.env_id="),
    Row("players no dict", step({"action": I(4) * 0, "players": 3}), TypeError, ""),
    Row("ids twice", step({"action": I(4) * 0, "env_id": I(4)}, I(4)), ValueError, "env_id is given twice"),
    Row("subclass that converts to no array", step(np.zeros(4, np.int8).view(IntArray)), TypeError, ""),
    Row("generator", step(0 for _ in range(4)), ValueError, SHAPE),
    Row("every second of eight", step(I(8, dtype=np.uint16)[::2]), ValueError, r"action\[1\] is 2"),
    Row("NaN", step(np.array([[0], [np.nan], [0], [0]])), ValueError, NOT_FINITE, **PENDULUM),
    Row("infinity", step(np.array([[0], [-np.inf], [0], [0]], np.float32)), ValueError, NOT_FINITE, **PENDULUM),
    Row("too much for float32", step(np.array([[0], [1e39], [0], [0]])), ValueError, NOT_FINITE, **PENDULUM),
    Row("float16 infinity", step(np.array([[0], [np.inf], [0], [0]], np.float16)), ValueError, NOT_FINITE, **PENDULUM),
    Row("flat batch", step(np.zeros(4)), ValueError, r"shape \(4,\): expected \(4, 1\)", **PENDULUM),
    Row("array for a dict", step(np.zeros(4)), TypeError, "expected a dict with the keys", **SPEAKER),
    Row("dict without a player", step({"listener_0": I(4) * 0}), ValueError, 'lacks the key "speaker_0"', **SPEAKER),
    Row("dict with another player", step({"x": 0}), ValueError, 'unknown key "x"', **SPEAKER),
]
IDS = [
    Row("id too large", step([0], [99]), IndexError, r"env_id\[0\]=99: expected 0 to 3"),
    Row("id negative", step([0], [-1]), IndexError, r"env_id\[0\]=-1: expected 0 to 3"),
    Row("id of 2**64 - 1", step([0], np.array([2**64 - 1], np.uint64)), IndexError, rf"^env_id\[0\]={2**64 - 1}: "),
    Row("id twice", step([0, 0, 0], [1, 2, 1]), ValueError, r"env_id\[2\]=1: expected each id once"),
    Row("more ids than actions", step([0], [0, 1]), ValueError, "action has shape"),
    Row("float ids", step([0], [0.0]), TypeError, "env_id has dtype float64: expected integers"),
    Row("bool ids", step([0], [True]), TypeError, "env_id has dtype bool"),
    Row("ragged ids", step([0], [[0], [1, 2]]), ValueError, r"^env_id=\[\[0\], \[1, 2\]\]: expected an array"),
    Row("ids in two dimensions", step([0], [[0]]), ValueError, "expected one dimension"),
    Row("id too large without dimension", step([0], 4), IndexError, r"env_id\[0\]=4: expected 0 to 3"),
    Row("float id without dimension", step([0], 0.0), TypeError, "env_id has dtype float64: expected integers"),
    Row("string of ids", step([0], "0"), TypeError, "env_id has dtype <U1: expected integers"),
    Row("list of strings", step([0], ["0"]), TypeError, "env_id has dtype"),
    Row("objects as ids", step([0], [None]), TypeError, "env_id has dtype object"),
    Row("ids that convert to no array", step([0], np.zeros(1, np.int8).view(IntArray)), TypeError, ""),
    Row("reset of an id too large", reset([4]), IndexError, r"env_id\[0\]=4"),
    Row("reset of an id twice", reset([1, 1]), ValueError, "once"),
    Row("state of an id too large", lambda env: env.get_state([4]), IndexError, "expected 0 to 3"),
]
CALLS = [
    Row("recv without send", lambda env: env.recv(), RuntimeError, "recv: nothing has been sent"),
    Row("unknown keyword", lambda env: env.step(I(4) * 0, ids=I(4)), TypeError, ""),
    Row("too many arguments", lambda env: env.step(I(4) * 0, None, 1), TypeError, ""),
    Row("spec of another type", lambda env: type(env)(None), AttributeError, ""),
    Row("pool of nothing", lambda _: _core.Pool(), TypeError, ""),
    Row("pool of a string", lambda _: _core.Pool("CartPole-v1", "gymnasium"), TypeError, ""),
    Row("pool class without arguments", lambda env: type(env).__new__(type(env)), TypeError, ""),
    Row("object made past the pool", lambda env: object.__new__(type(env)), TypeError, "not safe"),
    Row("unknown layout", lambda env: _core.Pool(env.spec.pool, "x"), ValueError, 'layout="x"'),
    Row("dm without types", lambda env: _core.Pool(env.spec.pool, "dm").reset_envs(), TypeError, "timestep_type"),
    Row("spec of nonsense", lambda _: _core.Spec(1, 2, 3), TypeError, ""),
    Row("spec of an unknown dialect", lambda _: _core.Spec("CartPole-v1", "x", {}), ValueError, "dialect"),
    Row("options with keys of another type", lambda _: _core.Spec("CartPole-v1", "envpool", {1: 2}), TypeError, ""),
    Row("closed is not to be set", lambda env: setattr(env, "closed", True), AttributeError, ""),
    Row("len is not to be deleted", lambda env: delattr(env, "config"), AttributeError, ""),
    Row("render without a mode", lambda env: env.render(), RuntimeError, "made without render_mode"),
    Row(
        "__init__ again with another spec",
        lambda env: (env.__init__(envpool_rs.make_spec("CartPole-v1", num_envs=9)), env.reset(I(9)))[1],
        IndexError,
        "expected 0 to 3",
    ),
]
MASK = np.ones(4, bool)
RESETS = [
    Row("seed negative", reset(seed=-1), ValueError, "seed=-1: expected 0 or more, and below"),
    Row("seed of 2**63", reset(seed=2**63), ValueError, "below 2\\*\\*63"),
    Row("seeds run over 2**63", reset(seed=2**63 - 2), ValueError, "2\\*\\*63"),
    Row("seed of 2**200", reset(seed=2**200), ValueError, "seed"),
    Row("seed a float", reset(seed=1.0), TypeError, "seed=1.0"),
    Row("seed a string", reset(seed="1"), TypeError, "seed='1'"),
    Row("seeds for others", reset(seed=[1, 2]), ValueError, "expected num_envs=4"),
    Row("seeds for other ids", reset([0, 1], seed=[1]), ValueError, r"expected len\(env_id\)=2"),
    Row("a seed in the list negative", reset(seed=[1, 2, -3, 4]), ValueError, "seed=-3"),
    Row("a seed in the list a float", reset(seed=[1, 2, 3.5, 4]), TypeError, "seed=3.5"),
    Row("ragged seeds", reset(seed=[[1], [2, 3]]), ValueError, ""),
    Row("endless seeds", lambda env: env.reset_envs(None, itertools.count()), ValueError, "more than 4 entries"),
    Row("low above high", reset(options={"low": 1.0, "high": 0.0}), ValueError, "low must not exceed high"),
    Row("low NaN", reset(options={"low": np.nan}), ValueError, "low=NaN"),
    Row("low infinite", reset(options={"low": -np.inf}), ValueError, "low=-inf"),
    Row("range infinite", reset(options={"low": -1e308, "high": 1e308}), ValueError, "finite range"),
    Row("low a string", reset(options={"low": "x"}), ValueError, "expected a number"),
    Row("low None", reset(options={"low": None}), ValueError, "expected a number"),
    Row("unknown reset option", reset(options={"lwo": 0.0}), ValueError, 'did you mean "low"'),
    Row("reset option with a key of another type", reset(options={1: 0.0}), TypeError, "expected a str"),
    Row("options no dict", reset(options=5), TypeError, ""),
    Row("mask no array", reset(options={"reset_mask": [True] * 4}), TypeError, "numpy array"),
    Row("mask of integers", reset(options={"reset_mask": MASK.astype(int)}), TypeError, "dtype=np.bool_"),
    Row("mask too short", reset(options={"reset_mask": MASK[:3]}), ValueError, "shape"),
    Row("mask of nothing", reset(options={"reset_mask": ~MASK}), ValueError, "at least one"),
    Row("mask and ids", reset([0], options={"reset_mask": MASK}), ValueError, "both given"),
    Row("x_init NaN", reset(options={"x_init": np.nan}), ValueError, "x_init", **PENDULUM),
]


def with_state(change):
    return lambda env: env.set_state(change(env.get_state()))


def bit(position):
    def change(states):
        damaged = bytearray(states[1])
        damaged[position] ^= 4
        return [states[0], bytes(damaged), *states[2:]]

    return with_state(change)


REFUSED = "expected a snapshot that fits this pool"
STATES = [
    Row("state a string", lambda env: env.set_state("abcd"), TypeError, "expected a sequence of bytes"),
    Row("state bytes", lambda env: env.set_state(b"abcd"), TypeError, "state is bytes"),
    Row("state a number", lambda env: env.set_state(5), TypeError, "expected a sequence of bytes"),
    Row("states None", lambda env: env.set_state([None] * 4), TypeError, r"^state\[0\]=None: expected bytes"),
    Row("a bytearray as states", lambda env: env.set_state(bytearray(4)), TypeError, "state is bytes"),
    Row("states of numbers", lambda env: env.set_state(np.zeros(4)), TypeError, r"^state\[0\]=np.float64\(0.0\): expected bytes"),
    Row("a long text as a state", with_state(lambda states: [*states[:3], "x" * 9999]), TypeError, r"^state\[3\]='x{79}\.\.\.: expected bytes"),
    Row("states empty", with_state(lambda states: [b""] * 4), ValueError, REFUSED),
    Row("states endless", lambda env: env.set_state(itertools.repeat(b"")), ValueError, "one for each of the 4"),
    Row("a state too few", with_state(lambda states: states[:3]), ValueError, "one for each of the 4"),
    Row("a state too many", with_state(lambda states: [*states, states[0]]), ValueError, "one for each of the 4"),
    Row("state truncated", with_state(lambda states: [*states[:3], states[3][:-1]]), ValueError, REFUSED),
    Row("state prolonged", with_state(lambda states: [*states[:3], states[3] + b"x"]), ValueError, REFUSED),
    Row("state of 10 MB", with_state(lambda states: [*states[:3], states[3] + bytes(10**7)]), ValueError, REFUSED),
    *(Row(f"bit flipped in byte {each}", bit(each), ValueError, REFUSED) for each in (0, 5, 12, -1)),
    Row("state of another task", lambda env: env.set_state(envpool_rs.make("Pendulum-v1", num_envs=4).get_state()), ValueError, "it is of Pendulum-v1"),
    Row("state of another option", lambda env: env.set_state(envpool_rs.make(env.spec.id, num_envs=4, sutton_barto_reward=True).get_state()), ValueError, "it is of CartPole-v1"),
]  # fmt: skip
MISUSES = [*ACTIONS, *IDS, *CALLS, *RESETS, *STATES]


@pytest.mark.parametrize("row", MISUSES, ids=lambda row: row.name)
def test_a_misuse_has_one_outcome_and_changes_nothing(row):
    env, twin = row.make(), row.make()
    with pytest.raises(row.error, match=row.match or None):
        row.act(env)
    goes_on_alike(env, twin)


@pytest.mark.parametrize(
    "row", [row for row in MISUSES if row.error is not None and row in ACTIONS + IDS[:11]], ids=lambda row: row.name
)
def test_a_misuse_of_send_leaves_an_async_pool_alone(row):
    env = envpool_rs.make(row.task, num_envs=4, batch_size=2)
    env.reset()
    env.recv()
    bystander = row.make()

    class Sender:
        spec = env.spec
        step = staticmethod(env.send)
        reset = staticmethod(env.reset)

    with pytest.raises(row.error, match=row.match or None):
        row.act(Sender)
    env.send(noop(env), I(4))
    assert sorted([*env.recv()[-1]["env_id"], *env.recv()[-1]["env_id"]]) == [0, 1, 2, 3]
    goes_on_alike(bystander, row.make())


ACCEPTED = [
    Row("floats that are integers", step(np.array([0.0, 1.0, 0.0, 1.0]))),
    Row("bools", step(np.array([False, True, False, True]))),
    Row("a list", step([0, 1, 0, 1])),
    Row("int8 backwards", step(np.array([1, 0, 1, 0], np.int8)[::-1])),
    Row("big end first", step(np.array([0, 1, 0, 1], ">i8"))),
    Row("unaligned", step(unaligned(np.array([0, 1, 0, 1])))),
    Row("read-only", step(np.frombuffer(np.array([0, 1, 0, 1]).tobytes(), np.int64))),
    Row("long double", step(np.array([0, 1, 0, 1], np.longdouble))),
    Row("ids unaligned", step([0, 1, 0, 1], unaligned(I(4, dtype=np.int32)))),
    Row("ids uint8", step([0, 1, 0, 1], I(4, dtype=np.uint8))),
    Row("ids a list", step([0, 1, 0, 1], [0, 1, 2, 3])),
    Row("dict", step({"action": np.array([0, 1, 0, 1]), "env_id": I(4), "players.env_id": I(4)})),
]


@pytest.mark.parametrize("row", ACCEPTED, ids=lambda row: row.name)
def test_equivalent_forms_of_an_action_give_equal_results(row):
    env, twin = row.make(), row.make()
    assert flat(row.act(env)) == flat(twin.step(np.array([0, 1, 0, 1])))


def make(task="CartPole-v1", *args, **options):
    return lambda make: make(task, *args, **options)


def only(function, task="CartPole-v1", **options):
    return lambda _: function(task, **options)


MAKES = [
    Row("num_envs 0", make(num_envs=0), ValueError, "num_envs=0: expected 1 to"),
    Row("num_envs negative", make(num_envs=-1), ValueError, "num_envs=-1"),
    Row("num_envs 10**12", make(num_envs=10**12), ValueError, "num_envs=1000000000000"),
    Row("num_envs 10**30", make(num_envs=10**30), ValueError, "num_envs="),
    Row("num_envs 2**63", make(num_envs=2**63), ValueError, "num_envs=9223372036854775808: expected an integer"),
    Row("num_envs 10**60", make(num_envs=10**60), ValueError, "num_envs="),
    Row("num_envs a fraction", make(num_envs=1.5), TypeError, "num_envs=1.5: expected an int"),
    Row("num_envs a string", make(num_envs="x"), TypeError, "num_envs='x': expected an int"),
    Row("num_envs a bool", make(num_envs=True), TypeError, "num_envs=True: expected an int"),
    Row("num_envs numpy's bool", make(num_envs=np.True_), TypeError, "num_envs=.*True_?: expected an int"),
    Row("more memory than there is", make("Catch-v0", num_envs=2**18, rows=1024, columns=1024), MemoryError, "num_envs=262144 takes .* MiB"),
    Row("batch_size above num_envs", make(num_envs=4, batch_size=5), ValueError, "batch_size=5: expected 0 to num_envs=4"),
    Row("batch_size negative", make(num_envs=4, batch_size=-1), ValueError, "batch_size=-1"),
    Row("batch_size a string", make(batch_size="x"), TypeError, "batch_size='x'"),
    Row("batch_size a bool", make(num_envs=4, batch_size=True), TypeError, "batch_size=True: expected an int"),
    Row("num_threads negative", make(num_threads=-1), ValueError, "num_threads=-1"),
    Row("num_threads a bool", make(num_threads=True), TypeError, "num_threads=True: expected an int"),
    Row("thread_affinity_offset -2", make(thread_affinity_offset=-2), ValueError, "thread_affinity_offset=-2"),
    Row("seed too negative", make(seed=-(2**31) - 1), ValueError, "seed=-2147483649"),
    Row("seed of 2**63", make(seed=2**63), ValueError, "seed=9223372036854775808"),
    Row("seed of 2**200", make(seed=2**200), ValueError, "seed"),
    Row("seed a text", make(num_envs=2, seed="ab"), TypeError, "seed='ab': expected an int, or a sequence"),
    Row("seed a float", make(seed=1.0), TypeError, "seed=1.0"),
    Row("seed a bool", make(seed=True), TypeError, "seed=True: expected an int"),
    Row("seeds too few", make(num_envs=4, seed=[1, 2]), ValueError, "expected num_envs=4"),
    Row("seeds endless", make(num_envs=4, seed=itertools.count()), ValueError, "more than 4 entries"),
    Row("a seed in the list no int", make(num_envs=2, seed=[1, "x"]), TypeError, "'x'"),
    Row("a seed in the list a bool", make(num_envs=2, seed=[1, False]), TypeError, "seed=False: expected an int"),
    Row("a seed in the list too large", make(num_envs=2, seed=[1, 2**64]), ValueError, "seed"),
    Row("max_episode_steps 0", make(max_episode_steps=0), ValueError, "max_episode_steps=0: expected 1 to"),
    Row("max_episode_steps negative", make(max_episode_steps=-1), ValueError, "max_episode_steps=-1"),
    Row("max_episode_steps a bool", make(max_episode_steps=True), TypeError, "max_episode_steps=True: expected an int"),
    Row("max_episode_steps 2**31", make(max_episode_steps=2**31), ValueError, "max_episode_steps"),
    Row("max_episode_steps 2**64", make(max_episode_steps=2**64), ValueError, f"max_episode_steps={2**64}"),
    Row("two players of one", make(max_num_players=2), ValueError, "max_num_players=2: expected 1"),
    Row("reward_threshold a string", make(reward_threshold="x"), TypeError, "reward_threshold='x'"),
    Row("unknown autoreset_mode", make(autoreset_mode="bogus"), ValueError, "next_step, same_step or disabled"),
    Row("autoreset_mode a number", make(autoreset_mode=3), TypeError, "autoreset_mode=3"),
    Row("statistics no bool", make(record_episode_statistics="yes"), TypeError, "record_episode_statistics"),
    Row("unknown option", make(num_env=4), TypeError, 'no option "num_env"; did you mean "num_envs"'),
    Row("task no string", make(None), ValueError, "task_id=None"),
    Row("unknown task", make("Cartpole-v1"), ValueError, "did you mean 'CartPole-v1'"),
    Row("unlike any task", make("zzzzzzzz"), ValueError, "list_all_envs"),
    Row("empty name", make(""), ValueError, "unknown task ''"),
    Row("name with a zero byte", make("CartPole-v1\0"), ValueError, "unknown task"),
    Row("task of EnvPool", make("Backgammon-v1"), ValueError, "EnvPool has it, this release of envpool_rs does not"),
    Row("unknown interface", only(envpool_rs.make, env_type="bogus"), ValueError, "env_type='bogus'"),
    Row("reset without info outside of gym", only(envpool_rs.make, gym_reset_return_info=False), ValueError, "only env_type='gym'"),
    Row("desc ragged", make("FrozenLake-v1", desc=["SF", "G"]), ValueError, "rows of the same length"),
    Row("desc without start", make("FrozenLake-v1", desc=["FF", "FG"]), ValueError, "a start, S"),
    Row("desc empty", make("FrozenLake-v1", desc=[]), ValueError, "at least one letter"),
    Row("desc of empty rows", make("FrozenLake-v1", desc=["", ""]), ValueError, "at least one letter"),
    Row("desc not ASCII", make("FrozenLake-v1", desc=["Sé", "FG"]), ValueError, "desc="),
    Row("desc a string", make("FrozenLake-v1", desc="SFFG"), TypeError, "desc="),
    Row("desc of numbers", make("FrozenLake-v1", desc=[1, 2]), TypeError, "desc="),
    Row("desc of millions", make("FrozenLake-v1", desc=["S" * 2**11] * 2**10), ValueError, "at most 1048576 cells"),
    Row("unknown map", make("FrozenLake-v1", map_name="bogus"), ValueError, "map_name"),
    Row("success_rate 2", make("FrozenLake-v1", success_rate=2.0), ValueError, "success_rate=2"),
    Row("success_rate NaN", make("FrozenLake-v1", success_rate=np.nan), ValueError, "success_rate=NaN"),
    Row("rewards too few", make("FrozenLake-v1", reward_schedule=[1.0]), ValueError, "three numbers"),
    Row("g NaN", make("Pendulum-v1", g=np.nan), ValueError, "g=NaN: expected finite numbers"),
    Row("g infinite", make("Pendulum-v1", g=-np.inf), ValueError, "g=-inf"),
    Row("g a string", make("Pendulum-v1", g="9.8"), TypeError, "g=.*expected float, not str"),
    Row("g a bool", make("Pendulum-v1", g=True), TypeError, "expected float, not bool"),
    Row("g its own item", make("Pendulum-v1", g=Weird()), TypeError, "no value for an option"),
    Row("g bytes", make("Pendulum-v1", g=b"9"), TypeError, "g=b'9': a bytes is no value"),
    Row("g of 10**400", make("Pendulum-v1", g=10**400), ValueError, "g=1000"),
    Row("a thousand agents and one", make("SimpleSpread-v3", N=1025), ValueError, "N=1025: expected an integer from 1 to 1024"),
    Row("chain of nothing", make("NChain-v0", n=0), ValueError, "n=0"),
    Row("rows of 2**70", make("Catch-v0", rows=2**70), ValueError, f"rows={2**70}: expected an integer from 2 to"),
    Row("a bool of -2**70", make("Blackjack-v1", natural=-(2**70)), TypeError, f"natural=-{2**70}: expected bool, not int"),
    Row("board without columns", make("Catch-v0", columns=0), ValueError, "columns=0"),
]  # fmt: skip


@pytest.mark.parametrize("row", MAKES, ids=lambda row: row.name)
def test_wrong_options_are_refused(row):
    for function in (envpool_rs.make, envpool_rs.make_vec, envpool_rs.make_gym, envpool_rs.make_spec):
        if function is envpool_rs.make_spec and row.error is MemoryError:
            continue  # `make_spec` allocates no environments
        with pytest.raises(row.error, match=row.match or None):
            row.act(function)


class Lying:
    """Series of 2 entries, as it says, which yields others without end."""

    def __len__(self):
        return 2

    def __iter__(self):
        return itertools.repeat(0)

    def __getitem__(self, index):
        return 0


def vector_env():
    env = envpool_rs.make_vec("CartPole-v1", 2)
    env.reset()
    return env


def spec_of_values(series):
    cls = type(envpool_rs.make_spec("CartPole-v1"))
    return cls(series)


MT = "Meta-World/custom-mt-envs"
SERIES = {
    "maze_map": lambda series: envpool_rs.make_spec("PointMaze_UMaze-v3", maze_map=series),
    "rows of maze_map": lambda series: envpool_rs.make_spec("PointMaze_UMaze-v3", maze_map=[series, series]),
    "seed": lambda series: envpool_rs.make_spec("CartPole-v1", num_envs=2, seed=series),
    "env_seed": lambda series: envpool_rs.make_spec("CartPole-v1", num_envs=2, env_seed=series),
    "envs_list": lambda series: envpool_rs.make_spec(MT, envs_list=series),
    "seed of a benchmark": lambda series: envpool_rs.make_spec("Meta-World/MT10", seed=series),
    "config": spec_of_values,
    "task_id": lambda series: envpool_rs.make_vec(series, 2),
    "env_fns": envpool_rs.make_python,
    "wrappers": lambda series: envpool_rs.make_vec("CartPole-v1", 2, "sync", wrappers=series),
    "aliases": lambda series: envpool_rs.register("Endless-v0", base="CartPole-v1", aliases=series),
    "seed of a reset": lambda series: vector_env().reset(seed=series),
    "row of a mask": lambda series: vector_env().reset(options={"reset_mask": np.array([True, False]), "low": series}),
    "ids of call_some": lambda series: vector_env().call_some(series, "spec"),
    "ids of set_attr_of_some": lambda series: vector_env().set_attr_of_some(series, "mine", 1),
    "achieved_goal": lambda series: envpool_rs.robotics.compute_reward(series, np.zeros(3)),
}
"""Calls that read an argument, which is a series."""


# The extension's iterators print that the length of a range is too large for them; they read its entries.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("series", [itertools.count, lambda: range(2**70), Lying], ids=["endless", "2**70", "lying"])
@pytest.mark.parametrize("name", SERIES)
def test_series_without_end_are_refused(name, series):
    if name.startswith(("maze", "rows of maze", "envs_list", "seed of a benchmark")):
        pytest.importorskip("mujoco")
    with pytest.raises((ValueError, TypeError)):
        SERIES[name](series())


@pytest.mark.parametrize("length", [2**40, 2**70])
def test_ranges_are_refused_before_they_are_arrays(length):
    env = envpool_rs.make("Pendulum-v1", num_envs=2)
    env.reset()
    for call in (
        lambda: env.step(range(length)),
        lambda: env.step(np.zeros((2, 1)), range(length)),
        lambda: env.send(range(length)),
    ):
        with pytest.raises(ValueError, match="expected at most 1048576 entries"):
            call()
    env.step(np.zeros((2, 1)))


def test_float_options_accept_integers_beyond_64_bits():
    assert envpool_rs.make("Pendulum-v1", g=2**70).config["g"] == 2.0**70
    assert envpool_rs.make("Pendulum-v1", g=np.uint64(2**64 - 1)).config["g"] == 2.0**64


def test_options_may_be_numpy_scalars_and_subclasses():
    class Gravity(float):
        pass

    for g in (Gravity(3.0), np.float32(3), np.float64(3), np.int8(3), np.array(3.0), np.array([3.0]), 3):
        env = envpool_rs.make("Pendulum-v1", num_envs=np.int64(2), seed=np.uint8(3), g=g)
        assert env.config["g"] == 3.0 and len(env) == 2


def test_the_number_of_threads_is_capped_at_the_number_of_environments():
    env = envpool_rs.make(SCRIPTED, num_envs=4, num_threads=10**6, thread_affinity_offset=2**62)
    assert env.config["num_threads"] == 10**6 and env.spec.pool.config["num_threads"] == 4
    env.reset()
    env.step(np.full(4, 1))


def test_discarded_actions_are_validated():
    env = envpool_rs.make(SCRIPTED, num_envs=2)
    env.reset()
    assert env.step([1002, 0])[2].tolist() == [True, False]
    with pytest.raises(ValueError, match=r"action\[0\] is 1005"):
        env.step([1005, 0])
    assert env.step([0, 0])[-1]["elapsed_step"].tolist() == [0, 2]


@pytest.mark.parametrize("options", [{}, {"batch_size": 2}], ids=["sync", "async"])
def test_a_closed_pool_accepts_only_close_and_reset(options):
    env = envpool_rs.make("CartPole-v1", num_envs=4, **options)
    env.reset()
    state = env.get_state() if not options else []
    env.close()
    env.close()
    for act in (
        step(I(4) * 0),
        lambda env: env.send(I(4) * 0, I(4)),
        lambda env: env.recv(),
        lambda env: env.get_state(),
        lambda env: env.set_state(state),
    ):
        with pytest.raises(RuntimeError, match="this pool is closed"):
            act(env)
    assert env.closed and len(env) == 4


def test_environments_in_flight_refuse_send_reset_snapshot_and_copy():
    env = envpool_rs.make("CartPole-v1", num_envs=4)
    env.reset()
    env.send([0, 0], [0, 1])
    state = env.get_state([2, 3])
    for act in (
        lambda: env.send([0, 0], [0, 1]),
        lambda: env.send([0, 0], [1, 2]),
        lambda: env.step([0], [1]),
        lambda: env.reset([0]),
        env.get_state,
        lambda: env.set_state(state, [0, 1]),
    ):
        with pytest.raises(RuntimeError, match=r"env_id \d is in flight: its result has to be received first"):
            act()
    with pytest.raises(RuntimeError, match="results of an earlier send are waiting"):
        env.step([0], [3])
    for act in (pickle.dumps, copy.deepcopy, copy.copy):
        with pytest.raises(TypeError, match=r"cannot copy or pickle GymnasiumEnvPool: .* in flight"):
            act(env)
    assert env.recv()[-1]["env_id"].tolist() == [0, 1]
    assert len(pickle.loads(pickle.dumps(env))) == 4


def test_async_calls_that_cannot_complete_a_batch_are_refused_unsent():
    env = envpool_rs.make("CartPole-v1", num_envs=4, batch_size=3)
    env.async_reset()
    env.recv()
    for act in (env.recv, lambda: env.step([0], [0]), lambda: env.reset([0])):
        with pytest.raises(RuntimeError, match=r"recv: \d environments are in flight, fewer than batch_size=3"):
            act()
    with pytest.raises(RuntimeError, match="env_id 3 is in flight"):
        env.send([0, 0, 0, 0], I(4))
    env.send([0, 0], [0, 1])
    assert sorted(env.recv()[-1]["env_id"]) == [0, 1, 3]


@pytest.mark.parametrize("options", [{}, {"batch_size": 2}], ids=["sync", "async"])
def test_an_empty_send_does_nothing(options):
    for task in ("CartPole-v1", SCRIPTED):
        env = envpool_rs.make(task, num_envs=4, **options)
        env.reset()
        if not options:
            assert env.step([], [])[0].shape[0] == 0
        env.send(np.zeros(0, int), np.zeros(0, int))
        env.reset()
        assert len(env.recv()[1] if options else env.step(I(4) * 0)[1]) == (2 if options else 4)
