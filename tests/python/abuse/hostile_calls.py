"""Public functions with valid arguments, and values that none of their arguments should crash on.

As a program, it calls each function with one argument replaced, and prints the calls that end in an unexpected way.
"""

import faulthandler
import itertools
import re
import resource
import sys
import warnings

import envpool_rs
import gymnasium
import numpy as np
from envpool_rs import _core, minigrid, vector
from envpool_rs.multi_env import MultiEnv
from python_envs import CountingEnv

SECONDS = 25
"""Longest time of a call."""

MEMORY = 8 << 30
"""Largest address space of the process."""

ALLOWED = (ValueError, TypeError, IndexError, RuntimeError, KeyError, AttributeError, MemoryError, OSError)
"""Exceptions that functions document, apart from the subclasses of gymnasium's errors."""

MODEL = """<mujoco><worldbody><body name="b"><joint name="j" axis="0 1 0"/><geom name="g" size=".1"/></body></worldbody>
<actuator><motor name="m" joint="j"/></actuator></mujoco>"""


class Unhashable:
    __hash__ = None

    def __repr__(self):
        return "Unhashable()"


def circle():
    """Returns a list that contains itself."""
    values = []
    values.append(values)
    return values


VALUES = {
    "None": lambda: None,
    "True": lambda: True,
    "-1": lambda: -1,
    "0": lambda: 0,
    "3": lambda: 3,
    "10**9": lambda: 10**9,
    "2**31": lambda: 2**31,
    "2**63": lambda: 2**63,
    "2**70": lambda: 2**70,
    "-2**70": lambda: -(2**70),
    "10**400": lambda: 10**400,
    "1.5": lambda: 1.5,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "1e308": lambda: 1e308,
    "1j": lambda: 1j,
    "''": lambda: "",
    "'x'": lambda: "x",
    "surrogate": lambda: "\udc80",
    "nul": lambda: "a\0b",
    "300 letters": lambda: "x" * 300,
    "b'x'": lambda: b"x",
    "[]": lambda: [],
    "[None]": lambda: [None],
    "[2**70]": lambda: [2**70, 2**70],
    "ragged": lambda: [[1], [1, 2]],
    "circle": circle,
    "{}": lambda: {},
    "{'x': 1}": lambda: {"x": 1},
    "{1: 2}": lambda: {1: 2},
    "object": object,
    "unhashable": Unhashable,
    "type": lambda: int,
    "function": lambda: print,
    "zeros(2)": lambda: np.zeros(2),
    "int zeros(2)": lambda: np.zeros(2, int),
    "zeros(0)": lambda: np.zeros(0),
    "0-d": lambda: np.array(1),
    "objects": lambda: np.array([2**70, None], object),
    "texts": lambda: np.array(["a", "b"]),
    "nans": lambda: np.full(2, np.nan),
    "dates": lambda: np.zeros(2, "M8[s]"),
    "endless": itertools.count,
    "range(2**40)": lambda: range(2**40),
    "range(2**70)": lambda: range(2**70),
    "generator": lambda: (each for each in [1, 2]),
    "float16": lambda: np.float16(1),
    "uint64": lambda: np.uint64(2**64 - 1),
}
"""Makers of hostile values, by name."""


def pool(make=envpool_rs.make_vec, task="CartPole-v1", **options):
    env = make(task, num_envs=2, seed=1, **options)
    env.reset()
    return env


def drawing_pool():
    return pool(envpool_rs.make_gymnasium, render_mode="rgb_array")


def framed():
    return pool(task="Pong-v5", stack_once=True, num_threads=1)


def played_memory():
    memory = envpool_rs.FrameMemory(framed(), 4)
    memory.reset()
    for _ in range(3):
        memory.step(np.zeros(2, int))
    return memory


def simulations():
    return envpool_rs.Batch(MODEL, 2)


def two_zeros(*_):
    return np.zeros(2)


def batch_env():
    env = envpool_rs.batch.make_vec(simulations(), **FUNCTIONS)
    env.reset()
    return env


def normalization():
    return pool(normalize_obs=True, normalize_reward=True).normalization


class Moments:
    def __init__(self, mean, var, count):
        self.mean, self.var, self.count = mean, var, count


def assign(owner, name):
    return lambda value: setattr(owner, name, value)


def assign_moments(mean=0.0, var=1.0, count=1.0):
    normalization().return_rms = Moments(mean, var, count)


def dummy():
    env = vector.DummyVectorEnv([CountingEnv] * 2)
    env.reset()
    return env


def waiting(method):
    def call(timeout):
        env = pool()
        getattr(env, f"{method}_async")(*([np.zeros(2, int)] if method == "step" else []))
        return getattr(env, f"{method}_wait")(timeout)

    return call


def after(method, prepare, env):
    """Prepares an environment, and returns its method."""
    prepare(env)
    return getattr(env, method)


def single(method):
    env = gymnasium.make("envpool_rs/CartPole-v1").unwrapped
    env.reset()
    return getattr(env, method)


def reset_with(name):
    return lambda value: pool().reset(options={name: value})


def saved_with(name):
    env = batch_env()
    return lambda value: env.set_state({**env.get_state(), name: value})


def set_state():
    env = pool()
    return lambda state, env_ids=None: env.set_state(env.get_state() if state is OWN else state, env_ids)


MASKS = ("reset_mask", "low")
SAVED = ("state", "streams", "elapsed", "is_over")
OWN = object()
ZEROS = np.zeros(2, int)
OPTIONS = [option["name"] for option in _core.pool_options() if option["name"] != "num_envs"]
STATISTICS = ("obs_rms", "return_rms", "returns", "update_running_mean")
CARTPOLE = {"task_id": "CartPole-v1", "num_envs": 2}
TASKS = {
    "Pong-v5": {
        "img_height": 84,
        "stack_num": 4,
        "frame_skip": 4,
        "noop_max": 30,
        "reward_clip": True,
        "rom_dir": None,
    },
    "HalfCheetah-v5": {"xml_file": "half_cheetah.xml", "frame_skip": 5, "reset_noise_scale": 0.1},
    "PointMaze_UMaze-v3": {"maze_map": None},
    "FrozenLake-v1": {"map_name": "4x4", "desc": None, "is_slippery": True},
}
RAYS = {"pnt": np.ones(3), "vec": np.ones(3), "geomgroup": None, "flg_static": True, "bodyexclude": -1, "ids": None}
FUNCTIONS = dict.fromkeys(("observe", "reward", "ended", "begin"), two_zeros)
SPACES = {"limit": None, "frame_skip": 1, "action_space": None, "observation_space": None}

CASES = [
    *((f"make_vec {name}", lambda: envpool_rs.make_vec, {**CARTPOLE, name: None}, (name,)) for name in OPTIONS),
    *(
        (f"make_vec {task}", lambda: envpool_rs.make_vec, {"task_id": task, "num_envs": 1, **given}, tuple(given))
        for task, given in TASKS.items()
    ),
    ("make_vec", lambda: envpool_rs.make_vec, CARTPOLE),
    ("make", lambda: envpool_rs.make, {**CARTPOLE, "env_type": "gymnasium"}),
    ("make_gym", lambda: envpool_rs.make_gym, CARTPOLE),
    ("make_dm", lambda: envpool_rs.make_dm, CARTPOLE),
    ("make_spec", lambda: envpool_rs.make_spec, CARTPOLE),
    ("make_python", lambda: envpool_rs.make_python, {"env_fns": CountingEnv}),
    ("load_plugin", lambda: envpool_rs.load_plugin, {"path": "/nowhere"}),
    ("check_plugin", lambda: envpool_rs.check_plugin, {"plugin": "CartPole-v1"}),
    ("register", lambda: envpool_rs.register, {"task_id": "CartPole-v1", "aliases": ()}),
    ("check_vector_env", lambda: envpool_rs.check_vector_env, {"env": None}),
    ("step", lambda: pool().step, {"action": ZEROS, "env_id": None, "out": None}),
    ("step of floats", lambda: pool(task="Pendulum-v1").step, {"action": np.zeros((2, 1)), "env_id": None}),
    ("step of make", lambda: pool(envpool_rs.make_gymnasium).step, {"action": ZEROS, "env_id": [0, 1], "out": None}),
    ("step of one", lambda: single("step"), {"action": 0}),
    ("send", lambda: pool().send, {"action": ZEROS, "env_id": None}),
    ("recv", lambda: after("recv", lambda env: env.send(ZEROS), pool()), {"reset": False, "return_info": True}),
    ("reset", lambda: pool().reset, {"seed": 1, "options": None, "out": None}),
    ("reset of make", lambda: pool(envpool_rs.make_gymnasium).reset, {"env_id": None, "seed": 1, "options": None}),
    ("reset of one", lambda: single("reset"), {"seed": 1, "options": None}),
    *((f"reset with {name}", lambda name=name: reset_with(name), {}, ("value",), (name, "option")) for name in MASKS),
    ("reset_async", lambda: pool().reset_async, {"seed": 1, "options": None}),
    ("step_async", lambda: pool().step_async, {"actions": ZEROS}),
    ("step_wait", lambda: waiting("step"), {"timeout": None}),
    ("reset_wait", lambda: waiting("reset"), {"timeout": None}),
    ("rollout_buffer", lambda: pool().rollout_buffer, {"steps": 2, "allocate": None, "infos": True}),
    ("get_state", lambda: pool().get_state, {"env_ids": None}),
    ("set_state", set_state, {"state": OWN, "env_ids": None}),
    (
        "render",
        lambda: drawing_pool().render,
        {"env_ids": 0, "camera_id": None},
    ),
    ("get_attr", lambda: pool().get_attr, {"name": "spec"}),
    ("set_attr", lambda: pool().set_attr, {"name": "mine", "values": 1}),
    ("call", lambda: pool().call, {}, ("value",), ("name", "attribute")),
    ("FrameMemory", lambda: envpool_rs.FrameMemory, {"env": framed(), "steps": 4, "seed": 1}),
    ("memory.reset", lambda: played_memory().reset, {"seed": 1, "options": None}),
    ("memory.step", lambda: played_memory().step, {"action": ZEROS}),
    ("memory.stacks", lambda: played_memory().stacks, {"times": [1], "envs": [1]}),
    ("memory.transitions", lambda: played_memory().transitions, {"times": [1], "envs": [1]}),
    ("memory.sample", lambda: played_memory().sample, {"count": 3}),
    *(
        (f"normalization.{name}", lambda name=name: assign(normalization(), name), {}, ("value",), (name,))
        for name in STATISTICS
    ),
    ("return_rms", lambda: assign_moments, {"mean": 0.0, "var": 1.0, "count": 1.0}),
    ("merge", lambda: normalization().merge, {}, ("value",), ("others",)),
    ("Batch", lambda: envpool_rs.Batch, {"model": MODEL, "nsim": 2, "nthread": 1, "persistent": False}),
    ("Batch of physics", lambda: envpool_rs.Batch, {"model": MODEL, "nsim": 2, "physics": "auto", "unstable": "reset"}),
    ("batch.step", lambda: simulations().step, {"ids": None, "nstep": 1, "stage": 0}),
    ("batch.forward", lambda: simulations().forward, {"ids": None, "stage": 0}),
    ("batch.reset", lambda: simulations().reset, {"ids": None, "keyframe": -1, "stage": 0}),
    ("batch.rollout", lambda: simulations().rollout, {"nstep": 2, "control": None, "record": ("qpos",), "ids": None}),
    ("batch.rollout with spec", lambda: simulations().rollout, {"nstep": 2, "control": 0, "control_spec": 64}),
    ("batch.jac", lambda: simulations().jac, {"body": 1, "point": np.zeros(3), "ids": None}),
    ("batch.ray", lambda: simulations().ray, {**RAYS, "normal": False}),
    ("batch.bind", lambda: simulations().bind, {"name": "qpos", "dtype": None}),
    ("batch.expand", lambda: simulations().expand, {"name": "body_mass"}),
    ("batch.expanded", lambda: simulations().expanded, {"name": "body_mass"}),
    ("batch.set_const", lambda: simulations().set_const, {"ids": None}),
    ("batch.set_models", lambda: simulations().set_models, {"models": None}),
    ("batch.get_data", lambda: simulations().get_data, {"sim": 0, "data": None}),
    ("batch.get_model", lambda: simulations().get_model, {"sim": 0}),
    ("batch.error", lambda: simulations().error, {"sim": 0}),
    ("batch.make_vec", lambda: envpool_rs.batch.make_vec, {"batch": simulations(), **FUNCTIONS, **SPACES}),
    ("batch env.step", lambda: batch_env().step, {"actions": np.zeros((2, 1))}),
    ("batch env.reset", lambda: batch_env().reset, {"seed": 1, "options": None}),
    ("batch env.set_state", lambda: batch_env().set_state, {"state": batch_env().get_state()}),
    *((f"batch env {name}", lambda name=name: saved_with(name), {}, ("value",), (name,)) for name in SAVED),
    ("DummyVectorEnv", lambda: vector.DummyVectorEnv, {"env_fns": [CountingEnv], "wait_num": None, "timeout": None}),
    ("dummy.step", lambda: dummy().step, {"action": ZEROS, "id": None}),
    ("dummy.reset", lambda: dummy().reset, {"id": None}),
    ("dummy.seed", lambda: dummy().seed, {"seed": 1}),
    ("RunningMeanStd", lambda: vector.RunningMeanStd, {"mean": 0.0, "var": 1.0, "count": 0, "clip_max": 10.0}),
    ("RunningMeanStd.update", lambda: vector.RunningMeanStd().update, {"batch": np.zeros((2, 3))}),
    ("RunningMeanStd.norm", lambda: vector.RunningMeanStd().norm, {"batch": np.zeros((2, 3))}),
    ("MultiEnv", lambda: MultiEnv, {"env_fns": [CountingEnv]}),
    ("decode_mission", lambda: minigrid.decode_mission, {"mission": np.zeros(9, np.uint8)}),
]
"""Name, maker of the function, its valid arguments, the arguments to replace (all if not given), and the names in
messages (the argument if not given).
"""

WORDS = {
    "task_id": ("task", "task_id", "register()"),
    "aliases": ("aliases", "task_id"),
    "plugin": ("plugin", "path"),
    "env_fns": ("env_fns", "factory"),
    "env_ids": ("env_id", "environment"),
    "env_id": ("env_id", "action"),
    "actions": ("action",),
    "options": ("option",),
    "seed": ("seed", "Seed"),
    "record": ("record", "field"),
    "name": ("name", "attribute", "field"),
    "vec": ("vec", "vector"),
    **{name: (name, f"{name} returned") for name in ("observe", "reward", "ended", "begin")},
}
"""Names of arguments in messages, if they differ."""


SKIPPED = {("nstep", "10**9"), ("observe", "type"), ("allocate", "type")}
"""Arguments and values that are allowed and take long, or that raise an exception of their own."""


def problem(call, given, argument, words, value):
    """Calls a function with one argument replaced; returns what is wrong with its exception, or ``None``."""
    try:
        function = call()
        if given:
            function(**{**given, argument: value})
        else:
            function(value)
    except MemoryError:
        return None
    except (*ALLOWED, gymnasium.error.Error) as error:
        text = str(error)
        named = any(re.search(rf"(?<![a-zA-Z]){re.escape(word)}s?(?![a-zA-Z])", text) for word in words)
        # Exceptions of an environment's own method have its number.
        return None if named or text.startswith("environment ") else f"{type(error).__name__}: {text[:200]}"
    except BaseException as error:
        if str(error).startswith("environment "):
            return None
        return f"!! {type(error).__name__}: {str(error)[:200]}"
    return None


def main(pattern):
    """Calls the functions whose names match a pattern, and prints problems and the number of calls."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    warnings.simplefilter("ignore")
    count = 0
    for name, call, given, *rest in CASES:
        if not re.match(pattern, name):
            continue
        arguments = rest[0] if rest else tuple(given)
        for argument, (shown, make) in itertools.product(arguments, VALUES.items()):
            if (argument, shown) in SKIPPED:
                continue
            words = rest[1] if len(rest) > 1 else WORDS.get(argument, (argument,))
            print(f"{name}({argument}={shown})", file=sys.stderr, flush=True)
            faulthandler.dump_traceback_later(SECONDS, exit=True)
            found = problem(call, given, argument, words, make())
            faulthandler.cancel_dump_traceback_later()
            count += 1
            if found is not None:
                print(f"{name}({argument}={shown}): {found!a}", flush=True)
    print(f"{count} calls")


if __name__ == "__main__":
    main(sys.argv[1])
