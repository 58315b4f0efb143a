"""Small environments with known values, for the tests of envpool_rs.rllib."""

from envpool_rs import rllib
from gymnasium.spaces import Box, Discrete


class Talkers(rllib.MultiAgentEnv):
    """Environment whose two agents act at the same time; episodes end after ``length`` steps."""

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
    """Environment whose agents 0 and 1 act in turn; both are rewarded in every step."""

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
    """Environment in which a new agent joins in every step, and leaves in the next."""

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
    """External environment that runs the function ``script`` in its own thread."""

    def __init__(self, script):
        super().__init__(Discrete(10), Box(-1, 1, (1,)))
        self.script = script
        self.notes = []

    def run(self):
        self.script(self)


class MultiAgentScript(rllib.ExternalMultiAgentEnv):
    """External environment of two agents that runs the function ``script`` in its own thread."""

    def __init__(self, script):
        spaces = {"a": Discrete(10), "b": Discrete(10)}
        super().__init__(spaces, dict(spaces))
        self.script = script
        self.notes = []

    def run(self):
        self.script(self)
