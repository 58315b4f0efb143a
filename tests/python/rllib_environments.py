"""Small environments whose every value is known, for the tests of envpool_rs.rllib."""

import gymnasium
import numpy as np
from envpool_rs import rllib
from gymnasium.spaces import Box, Discrete


class Counter(gymnasium.Env):
    """Observes how many steps were played, after a first observation drawn by the generator; ends after ``length``."""

    observation_space = Box(-np.inf, np.inf, (1,), np.float64)
    action_space = Discrete(1000)

    def __init__(self, length=3, fail_at=None, fail_in_reset=False):
        self.length = length
        self.fail_at = fail_at
        self.fail_in_reset = fail_in_reset
        self.closed = False
        self.steps = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        if self.fail_in_reset:
            raise OSError("no new episode")
        self.steps = 0
        return np.array([self.np_random.random()]), {"options": options}

    def step(self, action):
        self.steps += 1
        if self.steps == self.fail_at or action == 666:
            raise ZeroDivisionError(f"broken by {action}")
        return np.array([float(self.steps)]), float(action), self.steps >= self.length, False, {"action": action}

    def render(self):
        return f"picture {self.steps}"

    def close(self):
        self.closed = True


class Talkers(rllib.MultiAgentEnv):
    """Two agents who act together; ends after ``length`` steps."""

    possible_agents = ("a", "b")
    observation_spaces = dict.fromkeys(possible_agents, Discrete(100))
    action_spaces = dict.fromkeys(possible_agents, Discrete(5))

    def __init__(self, length=3, fail_at=None):
        super().__init__()
        self.length = length
        self.fail_at = fail_at
        self.actions = []
        self.seed = None

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seed = seed
        self.actions = []
        return {"a": 0, "b": 0}, {"a": {}, "b": {}}

    def step(self, action_dict):
        self.actions.append(action_dict)
        steps = len(self.actions)
        if steps == self.fail_at:
            raise ZeroDivisionError("broken")
        done = steps >= self.length
        return (
            {"a": steps, "b": -steps},
            {agent: float(action) for agent, action in action_dict.items()},
            {"a": done, "b": done, "__all__": done},
            {"a": False, "b": False, "__all__": False},
            {"a": {}, "b": {}},
        )

    def render(self):
        return "two of them"


class TurnTakers(rllib.MultiAgentEnv):
    """Agents 0 and 1 act in turn; both are rewarded in every step."""

    def __init__(self):
        super().__init__()
        self.agents = [0, 1]
        self.turn = 0

    def reset(self, *, seed=None, options=None):
        self.turn = 0
        return {0: "first"}, {}

    def step(self, action_dict):
        assert list(action_dict) == [self.turn]
        self.turn = 1 - self.turn
        flags = {0: False, 1: False, "__all__": False}
        return {self.turn: "next"}, {0: 1.0, 1: 10.0}, flags, dict(flags), {}


class Visitors(rllib.MultiAgentEnv):
    """An agent joins in every step, and leaves in the next."""

    def __init__(self):
        super().__init__()
        self.steps = 0

    def reset(self, *, seed=None, options=None):
        self.steps = 0
        return {"visitor_0": 0}, {}

    def step(self, action_dict):
        self.steps += 1
        leaving, coming = f"visitor_{self.steps - 1}", f"visitor_{self.steps}"
        flags = {leaving: True, coming: False, "__all__": False}
        nobody = {leaving: False, coming: False, "__all__": False}
        return {leaving: -1, coming: self.steps}, {leaving: 5.0}, flags, nobody, {}


class Script(rllib.ExternalEnv):
    """Plays what a function says, in its thread."""

    def __init__(self, script):
        super().__init__(Discrete(10), Box(-1, 1, (1,)))
        self.script = script
        self.notes = []

    def run(self):
        self.script(self)


class MultiAgentScript(rllib.ExternalMultiAgentEnv):
    """The same with many agents."""

    def __init__(self, script):
        spaces = {"a": Discrete(10), "b": Discrete(10)}
        super().__init__(spaces, dict(spaces))
        self.script = script
        self.notes = []

    def run(self):
        self.script(self)
