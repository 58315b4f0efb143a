"""Tests that results belong to the caller: results that the caller holds never change, and changed ones are never
returned again.
"""

import copy
import ctypes
import functools
import gc
import operator
import signal
import subprocess
import sys
import sysconfig
import threading
import weakref

import envpool_rs
import gymnasium
import numpy as np
import pytest
import tasks
from envpool_rs._facades.environments import FinalInfos

CARTPOLE = "CartPole-v1"
STEPS = 300
#: Whether this interpreter is a free-threaded build, for which the extension is built on its own.
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))

#: Functions that make a pool of three environments of a task, by their names in the tests' ids.
FACADES = {
    "vector": lambda task, **options: envpool_rs.make_vec(task, 3, seed=1, **options),
    "gymnasium": lambda task, **options: envpool_rs.make_gymnasium(task, num_envs=3, seed=1, **options),
    "gym": lambda task, **options: envpool_rs.make_gym(
        task, num_envs=3, seed=1, gym_reset_return_info=False, **options
    ),
    "dm": lambda task, **options: envpool_rs.make_dm(task, num_envs=3, seed=1, **options),
}
TASKS = [CARTPOLE, "Taxi-v4", "Blackjack-v1", "SimpleSpread-v3", "SimpleSpeakerListener-v4"]

ACTIONS = {
    "SimpleSpread-v3": np.arange(9) % 5,
    "SimpleSpeakerListener-v4": {"speaker_0": np.arange(3), "listener_0": np.arange(3)},
}


def action_for(task):
    return ACTIONS.get(task, np.array([0, 1, 1]))


def make(facade, task, **options):
    if facade == "dm":
        pytest.importorskip("dm_env")
    env = FACADES[facade](task, **options)
    env.reset()
    return env


def leaves(value):
    """Returns all arrays in a nested result."""
    if isinstance(value, dict):
        return [leaf for part in value.values() for leaf in leaves(part)]
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    if isinstance(value, np.ndarray) and value.dtype == object:
        return [leaf for part in value for leaf in leaves(part)]
    return [value]


def shape_of(value):
    """Returns the structure of a result without its numbers: keys in their order, types, dtypes, shapes."""
    if isinstance(value, dict):
        return [(key, shape_of(part)) for key, part in value.items()]
    if isinstance(value, tuple):
        return [shape_of(part) for part in value]
    return (type(value), getattr(value, "dtype", None), getattr(value, "shape", None))


def identical(left, right):
    return shape_of(left) == shape_of(right) and all(map(np.array_equal, leaves(left), leaves(right)))


@pytest.mark.parametrize("facade", FACADES)
@pytest.mark.parametrize("task", TASKS)
def test_results_that_are_held_never_change(facade, task):
    env = make(facade, task)
    held = [env.reset()]
    copies = [copy.deepcopy(held[0])]
    for _ in range(STEPS):
        held.append(env.step(action_for(task)))
        copies.append(copy.deepcopy(held[-1]))
    env.reset()
    env.close()
    assert all(map(identical, held, copies))


@pytest.mark.parametrize("task", TASKS)
def test_final_observations_that_are_held_never_change(task):
    env = make("vector", task, autoreset_mode="same_step", max_episode_steps=4, record_episode_statistics=True)
    held = [env.step(action_for(task)) for _ in range(50)]
    copies = copy.deepcopy(held)
    for _ in range(50):
        env.step(action_for(task))
    assert sum("final_obs" in result[4] for result in held) >= 10
    assert all(map(identical, held, copies))


def test_results_of_asynchronous_batches_that_are_held_never_change():
    env = envpool_rs.make(CARTPOLE, num_envs=6, batch_size=2, num_threads=2, seed=3)
    env.async_reset()
    held, copies = [], []
    for _ in range(STEPS):
        result = env.recv()
        held.append(result)
        copies.append(copy.deepcopy(result))
        env.send(np.ones(2, dtype=np.int64), result[4]["env_id"])
    assert all(map(identical, held, copies))


#: Functions that take a part of a result, by name, each with a function that reads the numbers of that part.
PARTS = {
    "observation": (lambda result: result[0], leaves),
    "reward": (lambda result: result[1], leaves),
    "flag": (lambda result: result[2], leaves),
    "info": (lambda result: result[-1], leaves),
    "entry of info": (lambda result: list(result[-1].values())[-1], leaves),
    "view of a row": (lambda result: leaves(result[0])[0][1:], leaves),
    "transposed view": (lambda result: leaves(result[0])[-1].T, leaves),
    "view of a view": (lambda result: leaves(result[0])[0].reshape(-1)[::2], leaves),
    "view as bytes": (lambda result: leaves(result[0])[0].view(np.uint8), leaves),
    "memoryview": (lambda result: memoryview(leaves(result[0])[0]), lambda view: [np.asarray(view)]),
    "dlpack": (lambda result: np.from_dlpack(leaves(result[0])[0]), leaves),
    "flat iterator": (lambda result: leaves(result[0])[0].flat, lambda each: [np.array(each[:])]),
    "ctypes pointer": (
        lambda result: (
            leaves(result[0])[0].ctypes.data_as(ctypes.POINTER(ctypes.c_ubyte)),
            leaves(result[0])[0].nbytes,
        ),
        lambda pointer: [np.array(pointer[0][: pointer[1]])],
    ),
    "bound method": (lambda result: leaves(result[0])[0].copy, lambda method: [method()]),
    "closure": (lambda result: lambda: result[0], lambda function: leaves(function())),
}


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("facade", ["vector", "gymnasium", "gym"])
@pytest.mark.parametrize("task", ["CliffWalking-v1", *TASKS[2:]])
def test_a_separately_held_part_never_changes(facade, task, part):
    take, read = PARTS[part]
    env = make(facade, task)
    if part == "entry of info" and not env.step(action_for(task))[-1]:
        pytest.skip("this task has no infos")
    held, copies = [], []
    for _ in range(40):
        held.append(take(env.step(action_for(task))))
        copies.append(copy.deepcopy(read(held[-1])))
    assert all(identical(tuple(read(each)), tuple(expected)) for each, expected in zip(held, copies, strict=True))


def rename(info):
    info["x"] = info.pop("env_id")


def swap(info):
    info["env_id"], info["elapsed_step"] = info["elapsed_step"], info["env_id"]


def reorder(info):
    info["env_id"] = info.pop("env_id")


def rename_player(info):
    info["players"]["x"] = info["players"].pop("env_id")


def assign(name, value):
    return lambda array: setattr(array, name, value)


#: Ways in which a user may change the infos of a result.
CHANGES_OF_INFOS = {
    "add": lambda info: info.update(r=np.zeros(3)),
    "delete": lambda info: info.pop("env_id"),
    "replace": lambda info: info.update(env_id=np.array([7, 8, 9])),
    "rename": rename,
    "swap": swap,
    "reorder": reorder,
    "clear": dict.clear,
    "delete players": lambda info: info.pop("players"),
    "replace players": lambda info: info.update(players={"env_id": info["players"]["env_id"]}),
    "add to players": lambda info: info["players"].update(x=1),
    "rename in players": rename_player,
}
#: Ways in which a user may change an array of a result.
CHANGES_OF_ARRAYS = {
    "shape": assign("shape", (-1,)),
    "columns": assign("shape", (-1, 1)),
    "dtype": assign("dtype", np.uint8),
    "writeable": lambda array: array.setflags(write=False),
    "fill": lambda array: array.fill(1),
    "byteswap": lambda array: array.byteswap(inplace=True),
}


def fresh_results(facade, task, count):
    """Returns copies of the results of ``count`` steps of a pool whose results no caller changes."""
    env = make(facade, task)
    return [copy.deepcopy(env.step(action_for(task))) for _ in range(count)]


def step_and_change(facade, task, change, count=30):
    """Steps a pool, and changes and drops every third result; returns copies of all results from before the changes."""
    env = make(facade, task)
    results = []
    for index in range(count):
        result = env.step(action_for(task))
        results.append(copy.deepcopy(result))
        if index % 3 == 2:
            change(result)
        del result
    return results


@pytest.mark.parametrize("change", CHANGES_OF_INFOS)
@pytest.mark.parametrize("task", [CARTPOLE, "CliffWalking-v1", "SimpleSpeakerListener-v4"])
@pytest.mark.parametrize("facade", ["gymnasium", "gym"])
def test_a_modified_info_is_not_reused(facade, task, change):
    changed = step_and_change(facade, task, lambda result: CHANGES_OF_INFOS[change](result[-1]))
    assert all(map(identical, changed, fresh_results(facade, task, len(changed))))


@pytest.mark.filterwarnings("ignore:Setting the (shape|dtype) on a NumPy array:DeprecationWarning")
@pytest.mark.parametrize("change", CHANGES_OF_ARRAYS)
@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("facade", ["vector", "gymnasium", "gym"])
def test_modified_arrays_are_not_reused(facade, task, change):
    def change_all(result):
        for array in leaves(result):
            CHANGES_OF_ARRAYS[change](array)
            del array

    changed = step_and_change(facade, task, change_all)
    assert all(map(identical, changed, fresh_results(facade, task, len(changed))))
    assert all(array.flags.writeable for array in leaves(tuple(changed)))


@pytest.mark.parametrize("task", ["SimpleSpeakerListener-v4"])
@pytest.mark.parametrize("facade", ["vector", "gymnasium", "gym"])
def test_a_modified_observation_dict_is_not_reused(facade, task):
    changed = step_and_change(facade, task, lambda result: result[0].clear())
    assert all(map(identical, changed, fresh_results(facade, task, len(changed))))


def test_a_weak_reference_never_sees_another_result():
    env = make("gymnasium", CARTPOLE)
    seen = []
    for _ in range(40):
        result = env.step(action_for(CARTPOLE))
        seen.append([(weakref.ref(array), array.copy()) for array in leaves(result)])
        del result
    gc.collect()
    for reference, expected in (pair for pairs in seen for pair in pairs):
        array = reference()
        assert array is None or np.array_equal(array, expected)


def test_results_outlive_their_pool():
    env = make("gymnasium", CARTPOLE)
    results = [env.step(action_for(CARTPOLE)) for _ in range(5)]
    copies = copy.deepcopy(results)
    env.close()
    del env
    gc.collect()
    assert all(map(identical, results, copies))


def test_dropped_results_are_reused():
    env = make("vector", CARTPOLE)
    addresses = set()
    for _ in range(50):
        observation = env.step(action_for(CARTPOLE))[0]
        addresses.add(observation.ctypes.data)
        del observation
    assert len(addresses) <= 4


def in_thread(function, *arguments):
    """Calls a function in a thread of its own."""
    thread = threading.Thread(target=function, args=arguments)
    thread.start()
    thread.join()


@pytest.mark.parametrize("facade", ["vector", "gymnasium", "dm"])
def test_results_that_another_thread_made_or_holds_are_not_reused(facade):
    env, held = make(facade, CARTPOLE), []

    def step(times):
        for time in range(times):
            result = env.step(action_for(CARTPOLE))
            if time % 3 == 0:
                held.append((leaves(result), copy.deepcopy(leaves(result))))

    def drop():
        for arrays, copies in held[-4::2]:
            assert all(map(np.array_equal, arrays, copies))
        del held[-4::2]

    for _ in range(20):
        step(7)
        in_thread(step, 7)
        in_thread(drop)
    assert len(held) == 20 * 4
    assert all(
        np.array_equal(array, copied) for arrays, copies in held for array, copied in zip(arrays, copies, strict=True)
    )


def test_each_thread_reuses_the_results_that_it_dropped():
    env, addresses = make("vector", CARTPOLE), set()

    def step(times):
        for _ in range(times):
            addresses.add(env.step(action_for(CARTPOLE))[0].ctypes.data)

    step(50)
    for _ in range(5):
        in_thread(step, 50)
    assert len(addresses) <= 8


def test_memory_of_dropped_results_is_reused_by_results_that_are_held():
    env = make("vector", CARTPOLE)

    def addresses():
        held = [env.step(action_for(CARTPOLE))[0] for _ in range(20)]
        assert len({observation.ctypes.data for observation in held}) == len(held)
        return {observation.ctypes.data for observation in held}

    first = addresses()
    assert len(addresses() - first) <= 4


@pytest.mark.parametrize("task", tasks.TASKS)
@pytest.mark.parametrize("facade", ["vector", "gymnasium", "gym", "dm"])
def test_all_arrays_of_a_result_are_writable_contiguous_and_disjoint(facade, task):
    env = make(facade, task)
    first, second = env.reset(), env.step(batch_of_actions(env))
    arrays = [leaf for leaf in leaves(first) + leaves(second) if not isinstance(leaf, str)]
    assert all(array.flags.writeable and array.flags.c_contiguous and array.flags.aligned for array in arrays)
    assert not any(np.shares_memory(a, b) for i, a in enumerate(arrays) for b in arrays[:i])


def batch_of_actions(env):
    vector = envpool_rs.make_vec(env.spec.task_id, 3)
    vector.action_space.seed(0)
    return vector.action_space.sample()


def run(script):
    """Runs a program in a new interpreter, and returns its output."""
    done = subprocess.run([sys.executable, "-c", script], check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("disguise", "exact"),
    [
        ("", True),
        ("sys.implementation.name = 'pypy'", False),
        ("sys.version_info = (3, 15, 0, 'final', 0)", False),
        ("sys.version_info = (4, 0, 0, 'final', 0)", False),
        ("import sysconfig; sysconfig.get_config_vars()['Py_GIL_DISABLED'] = 1", FREE_THREADED),
        ("sys.abiflags = 't'", FREE_THREADED),
    ],
)
def test_reference_counts_are_used_only_on_known_interpreters(disguise, exact):
    script = f"""
import sys
import numpy, gymnasium
{disguise}
from envpool_rs import _core
print(_core.EXACT_REFERENCE_COUNTS)
"""
    assert run(script) == str(exact)


def test_results_are_not_reused_without_exact_reference_counts():
    script = """
import sys
import numpy as np, gymnasium
sys.implementation.name = "pypy"
import envpool_rs
sys.implementation.name = "cpython"
env = envpool_rs.make_gymnasium("CartPole-v1", num_envs=2)
env.reset()
action = np.zeros(2, int)
owners = []
for _ in range(20):
    # The test holds the owner of the array's memory, but not the array itself.
    owners.append(env.step(action)[0].base)
print(len({id(owner) for owner in owners}))
"""
    assert run(script) == "20"


def test_a_free_threaded_interpreter_is_refused():
    script = """
import sys
sys._is_gil_enabled = lambda: False
try:
    import envpool_rs
except ImportError as error:
    print(error)
"""
    assert "needs the interpreter's global lock" in run(script)


def lose(call, *arguments, **keywords):
    """Calls a method that a pool implements in Rust, and loses its result to an exception at its return, as by a late
    Ctrl-C.
    """

    def profile(frame, event, function):
        if event == "c_return" and function.__name__ == call.__name__:
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(profile)
    try:
        call(*arguments, **keywords)
    except KeyboardInterrupt:
        return
    finally:
        sys.setprofile(None)
    pytest.fail(f"no call of {call.__name__} returned")


@pytest.mark.parametrize("facade", FACADES)
@pytest.mark.parametrize("task", [*TASKS, "python"])
def test_a_result_that_an_interrupt_loses_is_received_again(facade, task):
    options = {"autoreset_mode": "same_step", "max_episode_steps": 5} if facade == "vector" else {}
    if task == "python":
        env, twin = (envpool_rs.make_python([PythonCounter] * 3, autoreset_mode="next_step") for _ in range(2))
        env.reset(), twin.reset()
    else:
        env, twin = (make(facade, task, **options) for _ in range(2))
    for time in range(14):
        expected = twin.step(action_for(task))
        lose(env.step, action_for(task))
        assert identical(env.recv(), expected), time
        held = env.step(action_for(task))
        assert identical(held, twin.step(action_for(task)))
        with pytest.raises(RuntimeError):
            env.recv()  # the caller holds the last result
        del held
        env.send(action_for(task)), twin.send(action_for(task))
        expected = twin.recv()
        lose(env.recv)
        assert identical(env.recv(), expected), time
    env.close(), twin.close()


CALLS_AFTER = {
    "set_state": lambda env, states: env.set_state(states),
    "a refused array of the caller": lambda env, _: refused(env.step, action_for(CARTPOLE), out={"unknown": 0}),
    "a refused action": lambda env, _: refused(env.step, [[[]]]),
}


def refused(call, *arguments, **keywords):
    with pytest.raises((TypeError, ValueError)):
        call(*arguments, **keywords)


@pytest.mark.parametrize("name", CALLS_AFTER)
def test_a_lost_result_is_not_received_after_another_call(name):
    env = make("gymnasium", CARTPOLE)
    states = env.get_state()
    lose(env.step, action_for(CARTPOLE))
    CALLS_AFTER[name](env, states)
    with pytest.raises(RuntimeError, match="nothing has been sent"):
        env.recv()


def test_a_reset_that_is_refused_keeps_a_lost_result():
    env, twin = (make("gymnasium", CARTPOLE) for _ in range(2))
    lose(env.step, action_for(CARTPOLE))
    refused(env.reset, seed="none")
    assert identical(env.recv(), twin.step(action_for(CARTPOLE)))
    assert identical(env.step(action_for(CARTPOLE)), twin.step(action_for(CARTPOLE)))


@pytest.mark.parametrize("facade", FACADES)
def test_a_loop_that_receives_until_an_error_ends(facade):
    env = make(facade, CARTPOLE)
    env.step(action_for(CARTPOLE))
    assert env.recv() is not None
    with pytest.raises(RuntimeError, match="nothing has been sent"):
        env.recv()


class StopError(Exception):
    pass


@pytest.fixture
def interrupted():
    """A function that calls another one while a signal is pending, whose handler raises ``StopError``."""

    def stop(*_):
        raise StopError

    def call(function):
        signal_self = functools.partial(ctypes.CDLL(None)["raise"], signal.SIGUSR1)
        with pytest.raises(StopError):  # `map` runs no bytecode in between, at which Python would call the handler
            list(map(operator.methodcaller("__call__"), [signal_self, function]))

    before = signal.signal(signal.SIGUSR1, stop)
    yield call
    signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize("is_reset", [False, True])
def test_an_asynchronous_pool_keeps_an_interrupted_result_until_it_is_received(interrupted, is_reset):
    env = envpool_rs.make_gymnasium("CartPole-v1", num_envs=4, batch_size=2, num_threads=1)
    env.async_reset()
    first = env.recv(reset=is_reset)[-1]["env_id"].copy()
    interrupted(functools.partial(env.recv, reset=is_reset))
    with pytest.raises(ValueError, match="action"):
        env.send(np.full(2, 9), first)
    with pytest.raises(RuntimeError, match="interrupted recv"):
        env.step(np.zeros(2, int), first)
    with pytest.raises(RuntimeError, match="interrupted recv"):
        env.recv(out={"obs": np.zeros((2, 4), np.float32)})
    second = env.recv(reset=is_reset)[-1]["env_id"]
    assert sorted([*first, *second]) == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="in flight"):
        env.recv()


@pytest.mark.parametrize("facade", FACADES)
def test_a_result_of_which_the_caller_holds_a_part_is_not_received_again(facade):
    options = {"autoreset_mode": "same_step", "max_episode_steps": 1} if facade == "vector" else {}
    env = make(facade, CARTPOLE, **options)
    for part in range(4):
        held = env.step(action_for(CARTPOLE))[part]
        with pytest.raises(RuntimeError, match="nothing has been sent"):
            env.recv()
        del held


def interrupt_conversion(call, *arguments, **keywords):
    """Calls a method of a pool. Python code that converts the result raises ``StopError``, as by a signal handler;
    returns the result if no such code runs.
    """

    def profile(frame, event, _):
        is_conversion = frame.f_code.co_name == "make" or isinstance(frame.f_locals.get("self"), FinalInfos)
        if event == "call" and is_conversion:
            sys.setprofile(None)
            raise StopError

    sys.setprofile(profile)
    try:
        return call(*arguments, **keywords)
    except StopError:
        return None
    finally:
        sys.setprofile(None)


CONVERTED = {
    "dm": {},
    "vector": {"autoreset_mode": "same_step", "max_episode_steps": 2, "record_episode_statistics": True},
}
"""Facades whose results are converted by Python code, with their options."""


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("facade", CONVERTED)
def test_a_result_whose_conversion_is_interrupted_is_received_again(facade, task):
    env, twin = (make(facade, task, **CONVERTED[facade]) for _ in range(2))
    interrupts = 0
    for time in range(12):
        expected = without_times(twin.step(action_for(task)))
        if time % 2:
            result = interrupt_conversion(env.step, action_for(task))
        else:
            env.send(action_for(task))
            result = interrupt_conversion(env.recv)
        if result is None:
            interrupts += 1
            with pytest.raises(RuntimeError, match="results of an earlier send are waiting: recv them first"):
                env.step(action_for(task))
            assert interrupt_conversion(env.recv) is None
            result = env.recv()
        assert identical(without_times(result), expected), time
        with pytest.raises(RuntimeError, match="nothing has been sent"):
            env.recv()
        del result
    assert interrupts >= 4


def test_set_state_is_refused_while_a_result_waits_for_its_conversion():
    env = make("dm", CARTPOLE)
    env.reset()
    states = env.get_state()
    assert interrupt_conversion(env.step, action_for(CARTPOLE)) is None
    with pytest.raises(RuntimeError, match="are waiting: recv them first"):
        env.set_state(states)
    result = env.recv()
    env.set_state(states)
    assert identical(env.step(action_for(CARTPOLE)), result)


def without_times(result):
    """Removes the episodes' durations from a result."""
    if isinstance(result[-1], dict) and "episode" in result[-1]:
        del result[-1]["episode"]["t"]
    return result


def test_a_reset_whose_conversion_is_interrupted_is_received_or_repeated():
    env, twin = (make("dm", CARTPOLE) for _ in range(2))
    assert interrupt_conversion(env.reset) is None
    assert identical(env.recv(), twin.reset())
    assert interrupt_conversion(env.reset) is None
    twin.reset()
    assert identical(env.reset(), twin.reset())
    assert identical(env.step(action_for(CARTPOLE)), twin.step(action_for(CARTPOLE)))


@pytest.mark.parametrize("is_buffer", [False, True])
@pytest.mark.parametrize("facade", CONVERTED)
def test_a_result_in_arrays_of_the_caller_whose_conversion_is_interrupted_is_received(facade, is_buffer):
    env, twin = (make(facade, CARTPOLE, **CONVERTED[facade]) for _ in range(2))
    buffer, kept = env.rollout_buffer(8), []
    env.reset(out=buffer), twin.reset()
    for _ in range(6):
        out = buffer if is_buffer else {"obs": np.empty((3, 4), np.float32)}
        result = interrupt_conversion(env.step, action_for(CARTPOLE), out=out)
        kept.append((env.recv() if result is None else result, copy.deepcopy(twin.step(action_for(CARTPOLE)))))
    assert all(identical(without_times(result), without_times(expected)) for result, expected in kept)


def test_an_asynchronous_result_whose_conversion_is_interrupted_is_received():
    pytest.importorskip("dm_env")
    env = envpool_rs.make_dm(CARTPOLE, num_envs=4, batch_size=2, num_threads=1)
    env.async_reset()
    assert interrupt_conversion(env.recv) is None
    with pytest.raises(RuntimeError, match="recv them first"):
        env.step(np.zeros(2, int), np.arange(2))
    ids = [*env.recv().observation.env_id, *env.recv().observation.env_id]
    assert sorted(ids) == [0, 1, 2, 3]
    with pytest.raises(RuntimeError, match="in flight"):
        env.recv()


class PythonCounter(gymnasium.Env):
    observation_space = gymnasium.spaces.Box(0, 99, (1,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.count = 0
        return np.zeros(1, np.float32), {}

    def step(self, action):
        self.count += 1
        return np.full(1, self.count, np.float32), float(action), self.count == 4, False, {"count": str(self.count)}


def test_a_single_environment_returns_a_lost_result_by_its_next_step():
    env, twin = (gymnasium.make("envpool_rs/CartPole-v1") for _ in range(2))
    env.reset(seed=3), twin.reset(seed=3)
    for action in (0, 1, 1):
        before = env.step(action)
        assert identical(before[:4], twin.step(action)[:4])
        lose_inner(env, action)
        assert identical(env.step(action)[:4], twin.step(action)[:4])


def lose_inner(env, action):
    """Steps a single environment, and loses the result at the return of its pool's step."""
    with pytest.MonkeyPatch.context() as patch:
        pool = env.unwrapped._calls._pool
        inner = pool.step

        def step(*arguments):
            lose(inner, *arguments)
            raise KeyboardInterrupt

        patch.setitem(pool.__dict__, "step", step)
        with pytest.raises(KeyboardInterrupt):
            env.step(action)
