"""Small environments written in Python, for tests of pools, vector environments and worker processes."""

import copy
import os
import signal
import sys
import threading
import time

import gymnasium
import numpy as np
from gymnasium import spaces


class CountingEnv(gymnasium.Env):
    """Environment that observes [seed, number of the episode, number of the step].

    An episode has ``length`` steps; the reward of a step is its number. Actions are ignored. The observed seed is -1 if
    none was given.
    """

    observation_space = spaces.Box(-1.0, np.inf, (3,), np.float64)
    action_space = spaces.Discrete(5)
    metadata = {"render_modes": ["rgb_array"], "render_fps": 30}  # noqa: RUF012
    render_mode = "rgb_array"

    def __init__(self, length=5, truncates=False, info=False, seconds=0.0):
        self.length, self.truncates, self.info, self.seconds = length, truncates, info, seconds
        self.seed_given, self.episode, self.steps, self.closed = -1, 0, 0, False
        self.last_action = self.last_options = None

    def _observation(self):
        return np.array([self.seed_given, self.episode, self.steps], np.float64)

    def _info(self):
        return {"steps": self.steps} if self.info else {}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seed_given = self.seed_given if seed is None else seed
        self.episode, self.steps, self.last_options = self.episode + 1, 0, options
        return self._observation(), self._info()

    def step(self, action):
        time.sleep(self.seconds)
        self.last_action = action
        self.steps += 1
        ended = self.steps >= self.length
        return (
            self._observation(),
            float(self.steps),
            ended and not self.truncates,
            ended and self.truncates,
            self._info(),
        )

    def render(self):
        return np.full((2, 3, 3), self.steps, np.uint8)

    def close(self):
        self.closed = True

    def add(self, a, b=0):
        return self.steps + a + b


class GatedEnv(CountingEnv):
    """CountingEnv whose steps set the event ``step_started``, if there is one, and then wait for the event ``gate``."""

    def __init__(self, gate, step_started=None):
        super().__init__()
        self.gate, self.step_started = gate, step_started

    def step(self, action):
        if self.step_started is not None:
            self.step_started.set()
        assert self.gate.wait(60)
        return super().step(action)


def signal_sender(step_started, number=signal.SIGINT):
    """Returns a thread that sends this process a signal half a second after the event ``step_started``."""

    def send():
        assert step_started.wait(60)
        time.sleep(0.5)  # the calling thread may still be sending requests to other environments
        os.kill(os.getpid(), number)

    return threading.Thread(target=send)


class SpaceEnv(gymnasium.Env):
    """Environment that observes seeded samples of any space; equal seeds give equal samples. Episodes have 4 steps."""

    action_space = spaces.Discrete(2)

    def __init__(self, space):
        self.observation_space = copy.deepcopy(space)
        self.steps = 0

    def reset(self, *, seed=None, options=None):
        if seed is not None:
            self.observation_space.seed(seed)
        self.steps = 0
        return self.observation_space.sample(), {}

    def step(self, action):
        self.steps += 1
        return self.observation_space.sample(), 0.5, self.steps >= 4, False, {}


_NUMBERS = spaces.Box(0, 9, (2,), np.int64)

REUSED_SPACES = {
    "array": _NUMBERS,
    "dict": spaces.Dict({"a": _NUMBERS}),
    "pickled": spaces.Dict({"a": _NUMBERS, "text": spaces.Text(4)}),
    "undeclared": None,
}
"""Observation spaces of `ReusingEnv`, by the form in which observations travel; `None` declares no space."""


class ReusingEnv(gymnasium.Env):
    """Environment that returns the same objects from every step and reset, and changes them in place.

    Observation and info hold the number of the step. An episode has ``length`` steps. Actions are set to 9 after use.
    """

    action_space = spaces.Box(0, 9, (2,), np.float64)

    def __init__(self, form="array", length=3):
        self.observation_space, self.length, self.steps = REUSED_SPACES[form], length, 0
        self._array = np.zeros(2, np.int64)
        parts = {"a": self._array, "text": "0"}
        self._parts = {key: parts[key] for key in getattr(self.observation_space, "spaces", ())}
        self._info = {"t": 0, "array": np.zeros(1), "nested": {"t": 0}, "list": [0], "text": ""}

    def _returned(self):
        self._array[:] = self.steps
        if "text" in self._parts:
            self._parts["text"] = str(self.steps)
        self._info.update(t=self.steps, text=str(self.steps))
        self._info["array"][:] = self._info["nested"]["t"] = self._info["list"][0] = self.steps
        return self._parts or self._array, self._info

    def reset(self, *, seed=None, options=None):
        if options is not None:
            options.clear()
        self.steps = 0
        return self._returned()

    def step(self, action):
        action[:] = 9
        self.steps += 1
        observation, info = self._returned()
        return observation, float(self.steps), self.steps >= self.length, False, info


def number_in(observation):
    """Returns the number of the step that an observation of `ReusingEnv` holds."""
    array = observation["a"] if isinstance(observation, dict) else observation
    assert (array == array.flat[0]).all()
    if isinstance(observation, dict) and "text" in observation:
        assert observation["text"] == str(array.flat[0])
    return int(array.flat[0])


def row_spaces():
    """Returns, by name, a space of each kind whose observations are stored as rows in shared memory."""
    box = spaces.Box(-1.0, 1.0, (2,), np.float32)
    return {
        "box": box,
        "image": spaces.Box(0, 255, (4, 3, 2), np.uint8),
        "scalar box": spaces.Box(0.0, 1.0, (), np.float64),
        "discrete": spaces.Discrete(7, start=-3),
        "multi-discrete": spaces.MultiDiscrete([2, 5, 3]),
        "multi-binary": spaces.MultiBinary((2, 3)),
        "dict": spaces.Dict({"b": box, "a": spaces.Discrete(3)}),
        "tuple": spaces.Tuple((spaces.Discrete(3), box)),
        "nested": spaces.Dict(
            {"in": spaces.Tuple((box, spaces.Dict({"x": spaces.MultiBinary(4)}))), "n": spaces.Discrete(2)}
        ),
    }


def message_spaces():
    """Returns, by name, a space of each kind whose observations are sent as messages."""
    box = spaces.Box(-1.0, 1.0, (2,), np.float32)
    return {
        "text": spaces.Text(12),
        "sequence": spaces.Sequence(box),
        "graph": spaces.Graph(box, spaces.Discrete(3)),
        "one of": spaces.OneOf((spaces.Discrete(3), box)),
        "dict with text": spaces.Dict({"image": box, "caption": spaces.Text(8)}),
    }


class OwnError(Exception):
    """Exception that pickle cannot rebuild: its constructor needs more arguments than it stores."""

    def __init__(self, code, reason):
        super().__init__(f"{code}: {reason}")


class UnpicklableError(Exception):
    """Exception that pickle rejects."""

    def __init__(self, text="cannot travel"):
        super().__init__(text)
        self.lock = threading.Lock()


class DescribedError(Exception):
    """Exception whose text is made of an attribute, and whose constructor stores no arguments."""

    def __init__(self, *, reason):
        self.reason = reason

    def __str__(self):
        return f"{', '.join(self.args)} because of {self.reason}"


class UndescribedError(Exception):
    """Exception whose text is made of an attribute that pickle rejects."""

    def __init__(self):
        self.lock = threading.Lock()

    def __str__(self):
        return f"of a {type(self.lock).__name__}"


def _raise_local():
    class LocalError(Exception):
        pass

    raise LocalError("of a local class")


def _raise(error):
    raise error


def _print_to_closed_stdout():
    sys.stdout.close()
    print("hello")


def _fork_and_outlive():
    if os.fork() == 0:
        time.sleep(10)
        os._exit(0)


def _spin():
    while True:
        pass


MISBEHAVIOURS = {
    "raise": lambda: _raise(ValueError("out of fuel")),
    "raise own": lambda: _raise(OwnError(7, "cannot be rebuilt")),
    "raise unpicklable": lambda: _raise(UnpicklableError()),
    "raise described": lambda: _raise(DescribedError(reason="rain")),
    "raise undescribed": lambda: _raise(UndescribedError()),
    "raise local": _raise_local,
    "raise KeyboardInterrupt": lambda: _raise(KeyboardInterrupt()),
    "sys.exit": lambda: sys.exit(3),
    "os._exit": lambda: os._exit(3),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "hang": lambda: time.sleep(1000),
    "spin": _spin,
    "print to a closed stdout": _print_to_closed_stdout,
    "fork and return": os.fork,
    "fork and outlive": _fork_and_outlive,
}


def misbehave(what):
    """Simulates a fault of a broken environment (one of ``MISBEHAVIOURS``; None: nothing)."""
    if what is not None:
        MISBEHAVIOURS[what]()


class ChildEnv(CountingEnv):
    """CountingEnv that reports the parent process of the process in which it runs."""

    @property
    def parent(self):
        return os.getppid()


class MisbehavingEnv(CountingEnv):
    """CountingEnv with a script of faults.

    Args:
        script: for "make", "reset", "close", "render" or a step's number (counted over all episodes, from 1): the
            fault, as for ``misbehave``.
        info: for a step's number, the info it returns.
        observation: for a step's number, the observation it returns.
    """

    def __init__(self, script=None, infos=None, observations=None, length=1000):
        super().__init__(length)
        self.script, self.infos, self.observations = script or {}, infos or {}, observations or {}
        self.total = 0
        misbehave(self.script.get("make"))

    def reset(self, *, seed=None, options=None):
        misbehave(self.script.get("reset"))
        return super().reset(seed=seed, options=options)

    def step(self, action):
        self.total += 1
        misbehave(self.script.get(self.total))
        observation, *rest, info = super().step(action)
        info = self.infos.get(self.total, info)
        return self.observations.get(self.total, observation), *rest, info() if callable(info) else info

    def render(self):
        misbehave(self.script.get("render"))
        return super().render()

    def close(self):
        misbehave(self.script.get("close"))
        super().close()


class ActionEnv(CountingEnv):
    """CountingEnv whose actions select faults of ``misbehave``; all other actions run a normal step."""

    def step(self, action):
        if isinstance(action, str):
            misbehave(action)
        return super().step(action)


class LegacyEnv:
    """Environment in the style of legacy gym.

    `reset` returns only the observation, `step` returns four values, and there is a method `seed`.
    """

    observation_space = spaces.Box(-1.0, np.inf, (2,), np.float32)
    action_space = spaces.Discrete(3)
    metadata = {"render.modes": ["human", "rgb_array"]}  # noqa: RUF012
    reward_range = (0, 1)
    spec = None

    def __init__(self, length=4, truncates=False):
        self.length, self.truncates = length, truncates
        self.given, self.steps = -1, 0

    def seed(self, seed=None):
        self.given = -1 if seed is None else seed
        return [seed]

    def reset(self):
        self.steps = 0
        return np.array([self.given, 0], np.float32)

    def step(self, action):
        self.steps += 1
        done = self.steps >= self.length
        info = {"TimeLimit.truncated": True} if done and self.truncates else {}
        return np.array([self.given, self.steps], np.float32), 1.0, done, info

    def render(self, mode="human"):
        return np.zeros((2, 2, 3), np.uint8) if mode == "rgb_array" else None

    def close(self):
        pass


class Simulator:
    """Object that is no environment, but has an environment's attribute names."""

    def __init__(self):
        self.gravity, self.seeds = 9.8, []

    def seed(self, seed):
        self.seeds.append(seed)


class SimulatedEnv(CountingEnv):
    """Environment with a simulator as ``env``, and with attributes of the names that this package's classes use."""

    agent_spaces, raised, operation = 5, "no failure", "none"

    def __init__(self):
        super().__init__()
        self.env = Simulator()

    def seeds_of_simulator(self):
        return self.env.seeds

    def own_attributes(self):
        return sorted(vars(self))


class AnyAttributeEnv:
    """Environment that has any attribute: one that it does not define is a function that ignores its arguments."""

    def __init__(self):
        self.inner = CountingEnv(length=2)
        self.observation_space, self.action_space = self.inner.observation_space, self.inner.action_space

    def reset(self, *, seed=None, options=None):
        return self.inner.reset(seed=seed, options=options)

    def step(self, action):
        return self.inner.step(action)

    def inner_length(self):
        return self.inner.length

    def __getattr__(self, name):
        if name.startswith("__") or name == "inner":
            raise AttributeError(name)
        return lambda *arguments, **keywords: None


class KeywordEnv(CountingEnv):
    """Environment with methods that take any keywords."""

    def setup(self, **keywords):
        return keywords

    def reset(self, **keywords):
        self.reset_keywords = keywords
        return super().reset()

    def render(self, **keywords):
        return keywords


class RequiringEnv(CountingEnv):
    """Environment whose `reset` requires all of gymnasium's arguments."""

    def reset(self, seed, options):
        return super().reset(seed=seed, options=options)


class PairEnv:
    """Environment in the style of legacy gym whose observations are pairs, of which the second part is a dict."""

    observation_space = spaces.Tuple((spaces.Discrete(9), spaces.Dict({"steps": spaces.Discrete(9)})))
    action_space = spaces.Discrete(2)

    def reset(self):
        self.steps = 0
        return 0, {"steps": 0}

    def step(self, action):
        self.steps += 1
        return (self.steps, {"steps": self.steps}), 1.0, self.steps == 2, {}

    def close(self):
        pass


class PairAndInfoEnv(PairEnv):
    """`PairEnv` whose `reset` returns an info, too."""

    def reset(self, *, seed=None, options=None):
        return super().reset(), {"info": 1}


def dm_env_class():
    """Returns a class of dm_env environments that count their steps and end after 4 steps with discount
    ``last_discount``.
    """
    import dm_env
    from dm_env import specs

    class CountingDmEnv(dm_env.Environment):
        def __init__(self, last_discount=0.0):
            self.steps, self.last_discount = 0, last_discount

        def _observation(self):
            return {"steps": np.array([self.steps], np.int64), "half": np.float32(self.steps / 2)}

        def reset(self):
            self.steps = 0
            return dm_env.restart(self._observation())

        def step(self, action):
            self.steps += 1
            if self.steps < 4:
                return dm_env.transition(float(action), self._observation())
            return dm_env.TimeStep(dm_env.StepType.LAST, float(action), self.last_discount, self._observation())

        def observation_spec(self):
            return {"steps": specs.BoundedArray((1,), np.int64, 0, 10), "half": specs.Array((), np.float32)}

        def action_spec(self):
            return specs.DiscreteArray(3)

    return CountingDmEnv


def make_dm_env(last_discount=0.0):
    """Makes an environment of the class that `dm_env_class` returns."""
    return dm_env_class()(last_discount)
