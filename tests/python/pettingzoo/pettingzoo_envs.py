"""PettingZoo environments with predictable results, for tests."""

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv, ParallelEnv


class Leaving(ParallelEnv):
    """Environment with the agents ``a``, ``b``, ``c``. The agent with number ``k`` leaves in step ``2 + k``, the last
    agent by truncation.

    An agent's observation is (episode, step, number of the agent, last action). Its reward is ten times its number plus
    the action.
    """

    metadata = {"name": "leaving", "render_modes": ["rgb_array"]}  # noqa: RUF012
    render_mode = "rgb_array"
    possible_agents = ["a", "b", "c"]  # noqa: RUF012

    def __init__(self, truncates=True, infos=False):
        self.truncates, self.infos = truncates, infos
        self.episode = 0
        self.seeds = []
        self.agents = []
        self.asked = []

    def observation_space(self, agent):
        return spaces.Box(-1, 1000, (4,), np.float32)

    def action_space(self, agent):
        return spaces.Discrete(5)

    def _observation(self, agent, action):
        number = self.possible_agents.index(agent)
        return np.array([self.episode, self.steps, number, action], np.float32)

    def reset(self, seed=None, options=None):
        self.seeds.append(seed)
        self.episode = 1 if seed is not None else self.episode + 1
        self.steps = 0
        self.agents = [*self.possible_agents]
        return {each: self._observation(each, -1) for each in self.agents}, {each: {} for each in self.agents}

    def step(self, actions):
        assert list(actions) == self.agents, "actions are those of the agents that are present"
        self.asked.append(actions)
        self.steps += 1
        observations = {each: self._observation(each, action) for each, action in actions.items()}
        rewards = {each: 10.0 * self.possible_agents.index(each) + action for each, action in actions.items()}
        leaves = {each: self.steps >= 2 + self.possible_agents.index(each) for each in actions}
        truncations = {each: leaves[each] and self.truncates and each == "c" for each in actions}
        terminations = {each: leaves[each] and not truncations[each] for each in actions}
        infos = {each: {"doubled": 2 * int(actions[each])} if self.infos else {} for each in actions}
        self.agents = [each for each in self.agents if not leaves[each]]
        return observations, rewards, terminations, truncations, infos

    def render(self):
        return np.full((2, 2, 3), self.steps, np.uint8)


class Different(Leaving):
    """Environment like ``Leaving``, but with different observation spaces of the agents: a box, a number, and a
    dict.
    """

    def observation_space(self, agent):
        own = {
            "a": spaces.Box(-1, 1000, (2,), np.float32),
            "b": spaces.Discrete(100),
            "c": spaces.Dict({"x": spaces.Box(0, 255, (1, 2), np.uint8), "n": spaces.MultiDiscrete([100, 100])}),
        }
        return own[agent]

    def action_space(self, agent):
        return {"a": spaces.Discrete(5), "b": spaces.Box(-1, 1, (2,), np.float32), "c": spaces.Discrete(3)}[agent]

    def _observation(self, agent, action):
        if agent == "a":
            return np.array([self.episode, self.steps], np.float32)
        if agent == "b":
            return self.steps
        return {"x": np.full((1, 2), self.steps, np.uint8), "n": np.array([self.episode, self.steps])}

    def step(self, actions):
        return super().step({each: float(np.sum(action)) for each, action in actions.items()})


class Turns(AECEnv):
    """An environment whose agents take turns."""


class Misshapen(Leaving):
    """Environment whose observations do not have the shape of the space, from the second step on."""

    def _observation(self, agent, action):
        return np.zeros(3 if self.steps > 1 else 4, np.float32)


class Forgetful(Leaving):
    """Environment that omits the observation of agent ``c``."""

    def _without(self, result):
        result[0].pop("c")
        return result

    def reset(self, seed=None, options=None):
        return self._without(super().reset(seed, options))


class Stranger(Leaving):
    """Environment that returns an observation of an agent that is not in ``possible_agents``."""

    def reset(self, seed=None, options=None):
        observations, infos = super().reset(seed, options)
        return {**observations, "d": observations["a"]}, infos


class Altered(Leaving):
    """Environment in which a function replaces the results of the first step, and another those of each reset.

    Each function gets the environment and the list of results.
    """

    def __init__(self, of_step=None, of_reset=None):
        super().__init__()
        self.of_step, self.of_reset = of_step, of_reset

    def reset(self, seed=None, options=None):
        result = super().reset(seed, options)
        return result if self.of_reset is None else self.of_reset(self, [*result])

    def step(self, actions):
        result = super().step(actions)
        return result if self.of_step is None else self.of_step(self, [*result])


class Named(Leaving):
    """Environment with given ``possible_agents``."""

    def __init__(self, possible_agents):
        super().__init__()
        self.possible_agents = possible_agents
