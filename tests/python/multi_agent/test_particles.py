"""Compares the scenarios of MPE with mpe2, bit for bit: discrete and continuous actions, and other numbers of agents.

`PARTICLES_SEEDS` sets the number of seeds of each, with two episodes each.
"""

import os
import subprocess
import sys

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.pettingzoo import parallel_env

pytest.importorskip("mpe2")

from mpe2 import simple_v3
from references.mpe import MODULES, simple

SEEDS = int(os.environ.get("PARTICLES_SEEDS", "3"))

OPTIONS = {
    "Simple-v3": [{}],
    "SimpleAdversary-v3": [{}, {"N": 4}, {"N": 3, "num_agent_neighbors": 2, "num_landmark_neighbors": 5}],
    "SimpleCrypto-v3": [{}],
    "SimplePush-v3": [{}],
    "SimpleReference-v3": [{}, {"local_ratio": 0.2}],
    "SimpleTag-v3": [
        {},
        {"num_good": 3, "num_adversaries": 2, "num_obstacles": 0},
        {"num_good": 2, "num_agent_neighbors": 3, "num_landmark_neighbors": 1, "terminate_on_success": True},
    ],
    "SimpleWorldComm-v3": [{}, {"num_good": 3, "num_adversaries": 2, "num_food": 1, "num_forests": 3}],
    "SimpleFormation-v1": [{}, {"N": 1, "terminate_on_success": True}, {"N": 7}, {"N": 19}],
    "SimpleLine-v1": [{}, {"N": 1}, {"N": 2, "terminate_on_success": True}, {"N": 17}],
    "CollectTreasure-v1": [
        {},
        {"num_collectors": 1, "num_deposits": 1, "num_treasures": 60},
        {"num_collectors": 12, "num_deposits": 3},
    ],
}


def leaves(value):
    return [leaf for key in value for leaf in leaves(value[key])] if isinstance(value, dict) else [value]


class Driver:
    """Draws actions of one kind for some steps each, so that agents leave the plane and meet each other."""

    def __init__(self, envs, rng):
        self.envs, self.rng, self.kept = envs, rng, None

    def actions(self):
        if self.kept is None or self.rng.random() < 0.2:
            self.kept = self.envs.action_space.sample()
            if self.rng.random() < 0.1:
                self.kept = self.scaled(self.kept)
        return self.kept

    def scaled(self, action):
        if isinstance(action, dict):
            return {key: self.scaled(part) for key, part in action.items()}
        return action * np.float32(1.5) - np.float32(0.25) if action.dtype == np.float32 else action


def first(action):
    return {key: part[0] for key, part in action.items()} if isinstance(action, dict) else action


ALONE = """
import numpy as np
from envpool_rs import make_vec
from mpe2 import simple_formation_v1

pool = make_vec("SimpleFormation-v1", max_episode_steps=400)
reference = simple_formation_v1.parallel_env(max_cycles=400)
pool.reset(seed=1)
reference.reset(seed=1)
rng = np.random.default_rng(0)
for _ in range(400):
    actions = rng.integers(5, size=4)
    rewards = reference.step(dict(zip(reference.possible_agents, actions)))[1]
    assert pool.step(actions)[1].tolist() == list(rewards.values())
"""


def test_formations_are_exact_in_a_process_without_other_tasks():
    """Other tasks make numpy's functions known to the whole process."""
    subprocess.run([sys.executable, "-c", ALONE], check=True, timeout=120)


@pytest.mark.parametrize("is_continuous", [False, True])
@pytest.mark.parametrize("task", OPTIONS)
def test_scenarios_equal_mpe2s(task, is_continuous, parity_table):
    for options in OPTIONS[task]:
        given = {**options, "continuous_actions": is_continuous}
        is_alone = task == "Simple-v3"
        envs = envpool_rs.make_vec(task, 1, autoreset_mode="disabled", max_episode_steps=60, **given)
        envs.action_space.seed(1)
        modules, values, steps = MODULES.get(task), 0, 0
        env = simple(**given) if is_alone else modules[0].parallel_env(max_cycles=60, **given)
        rng = np.random.default_rng(0)
        for seed in range(SEEDS):
            for episode in (seed, None):
                own, _ = envs.reset(seed=episode)
                expected, _ = env.reset(seed=episode)
                values += compare(own, expected)
                driver, over = Driver(envs, rng), False
                while not over:
                    steps += 1
                    action = driver.actions()
                    own, rewards, terminated, truncated, _ = envs.step(action)
                    one = first(action)
                    if is_alone:
                        expected, reward, ended, _, _ = env.step(one[0])
                        theirs, cut = [reward], steps % 60 == 0
                    else:
                        players = env.possible_agents
                        chosen = one if isinstance(one, dict) else dict(zip(players, one, strict=True))
                        expected, reward, ends, cuts, _ = env.step(chosen)
                        theirs = [reward[player] for player in players]
                        ended, cut = ends[players[0]], cuts[players[0]]
                    values += compare(own, expected)
                    assert rewards.tobytes() == np.array(theirs, np.float64).tobytes(), (rewards, theirs)
                    assert (terminated[0], truncated[0]) == (ended, cut)
                    values += rewards.size
                    over = terminated[0] or truncated[0]
        parity_table.add(task, 1, steps, 2 * SEEDS, 0, values, 0)
        envs.close()


@pytest.mark.parametrize("options", [{"num_adversaries": 6, "num_good": 3}, {"num_good": 5, "num_food": 5}])
def test_rewards_of_several_touches_are_summed_as_mpe2_sums_them(options):
    env, own = MODULES["SimpleWorldComm-v3"][0].parallel_env(**options), parallel_env("SimpleWorldComm-v3", **options)
    most, rng = 0.0, np.random.default_rng(0)
    for seed in range(20):
        env.reset(seed=seed)
        own.reset(seed=seed)
        world = env.unwrapped.world
        goal = world.food[0] if seed % 2 else world.agents[-1]
        while env.agents:
            actions = {}
            for body in world.agents:  # all go to one place
                away = goal.state.p_pos - body.state.p_pos
                axis = int(abs(away[1]) > abs(away[0]))
                actions[body.name] = 1 + 2 * axis + int(away[axis] > 0) if rng.random() < 0.85 else 0
            rewards = env.step(actions)[1]
            assert own.step(actions)[1] == rewards
            most = max(most, *rewards.values())
    assert most > 15, "several touches at once"


def compare(own, expected):
    mine = np.concatenate([np.ravel(leaf) for leaf in leaves(own)])
    theirs = np.concatenate([np.ravel(leaf) for leaf in leaves(expected)])
    assert mine.tobytes() == theirs.tobytes(), np.flatnonzero(mine != theirs)
    return mine.size


@pytest.mark.parametrize("task", [*MODULES, "Simple-v3"])
def test_pictures_are_mpe2s_except_for_letters(task):
    """Letters are in the lowest rows, one line for each player that speaks."""
    several = [{}, *(options for options in OPTIONS.get(task, [])[1:] if len(options) < 3)]
    for given in [*several, {"dynamic_rescaling": False}, {"continuous_actions": True}]:
        ours = envpool_rs.make_vec(task, autoreset_mode="disabled", render_mode="rgb_array", **given)
        module = MODULES[task][0] if task in MODULES else simple_v3
        theirs = module.parallel_env(render_mode="rgb_array", **given)
        speakers = sum(not agent.silent for agent in theirs.unwrapped.world.agents)
        shown = 700 - 45 - 35 * (speakers - 1) if speakers else 700
        ours.reset(seed=3)
        theirs.reset(seed=3)
        has_names = isinstance(ours.action_space, gymnasium.spaces.Dict)
        for player in theirs.agents:
            theirs.action_space(player).seed(1)
        for _ in range(25):
            picture, expected = ours.render()[0], theirs.render()
            np.testing.assert_array_equal(picture[:shown], expected[:shown])
            assert bool((picture[shown:] != expected[shown:]).any()) == (speakers > 0)
            actions = {player: theirs.action_space(player).sample() for player in theirs.agents}
            batch = {player: np.asarray(action)[None] for player, action in actions.items()}
            ours.step(batch if has_names else np.stack(list(actions.values())))
            theirs.step(actions)
        ours.close()


@pytest.mark.parametrize(
    ("task", "options", "message"),
    [
        ("SimpleTag-v3", {"num_good": 0}, "num_good=0: expected an integer from 1 to 64"),
        ("SimpleTag-v3", {"max_cycles": 30}, "max_cycles=30: expected None; set max_episode_steps"),
        ("SimpleAdversary-v3", {"N": 0}, "N=0: expected an integer from 1 to 64"),
        ("SimpleWorldComm-v3", {"num_food": 0}, "num_food=0: expected an integer from 1 to 64"),
    ],
)
def test_worlds_without_agents_are_refused_by_name(task, options, message):
    with pytest.raises(ValueError, match=message):
        envpool_rs.make_vec(task, **options)
