"""Compares the multi-robot warehouse with the package rware, bit for bit: ids, options, ties, and errors.

`RWARE_IDS` sets the number of drawn ids, `RWARE_SEEDS` the number of seeds of each.
"""

import os
import random
from collections import deque

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.multi_agent import MultiAgentEnv
from side_by_side import SideBySide, package, registered

warehouse = package("rware.warehouse")
Warehouse, ObservationType, RewardType = warehouse.Warehouse, warehouse.ObservationType, warehouse.RewardType

# gymnasium warns of the spaces that the package makes.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

IDS, SEEDS = int(os.environ.get("RWARE_IDS", "4")), int(os.environ.get("RWARE_SEEDS", "1"))
STEPS = int(os.environ.get("RWARE_STEPS", "150"))
MOVES = [(0, -1), (0, 1), (-1, 0), (1, 0)]  # by direction: up, down, left, right


class Planner:
    """Leads agents to requested shelves, to goals, and back, on shortest ways that ignore all other agents."""

    def __init__(self, env, rng):
        self.env, self.rng, self.ways = env, rng, {}

    def way(self, agent):
        """Returns the cells that lead to the agent's aim, or an empty list."""
        env = self.env
        height, width = env.grid_size
        standing = {(shelf.x, shelf.y) for shelf in env.shelfs} - {(agent.x, agent.y)}
        if agent.carrying_shelf is None:
            aims = {(shelf.x, shelf.y) for shelf in env.request_queue}
            blocked = set()
        elif agent.carrying_shelf in env.request_queue:
            aims, blocked = set(env.goals), standing
        else:
            cells = {(x, y) for x in range(width) for y in range(height) if not env.highways[y, x]}
            aims, blocked = cells - standing, standing
        start = (agent.x, agent.y)
        before, queue = {start: None}, deque([start])
        while queue:
            cell = queue.popleft()
            if cell in aims:
                way = []
                while before[cell] is not None:
                    way.append(cell)
                    cell = before[cell]
                return way[::-1]
            steps = [(cell[0] + x, cell[1] + y) for x, y in MOVES]
            self.rng.shuffle(steps)
            for step in steps:
                if 0 <= step[0] < width and 0 <= step[1] < height and step not in before and step not in blocked:
                    before[step] = cell
                    queue.append(step)
        return []

    def action(self, agent):
        if self.rng.random() < 0.1:
            return self.rng.randrange(5)
        way = self.ways.get(agent.id, [])
        if (agent.x, agent.y) in way:
            way = way[way.index((agent.x, agent.y)) + 1 :]
        elif not way or abs(way[0][0] - agent.x) + abs(way[0][1] - agent.y) != 1 or self.rng.random() < 0.1:
            way = self.way(agent)
        self.ways[agent.id] = way
        if not way:
            at_goal = (agent.x, agent.y) in self.env.goals
            return self.rng.randrange(1, 4) if at_goal else 4
        ahead = MOVES[agent.dir.value]
        if way[0] == (agent.x + ahead[0], agent.y + ahead[1]):
            return 1
        return self.rng.choice([2, 3])

    def actions(self):
        return [self.action(agent) for agent in self.env.agents]


def play(sides, seeds, rng, steps=STEPS):
    for seed in seeds:
        for first in (seed, None):
            sides.reset(first)
            planner = Planner(sides.reference, rng)
            for _ in range(steps):
                actions = planner.actions()
                bits = sides.reference.msg_bits
                if bits:
                    actions = [[action, *(rng.randrange(2) for _ in range(bits))] for action in actions]
                if sides.step(actions):
                    break


def is_possible(arguments):
    """Returns whether the package's reset succeeds: whether there are more shelves than requests."""
    env = Warehouse(**arguments)
    return int((env.highways == 0).sum()) > arguments["request_queue_size"]


def test_registered_ids_equal_rwares(parity_table):
    ids = registered("rware", lambda module: module.image_registration())
    assert len(ids) == 228 + 912 and all(name in gymnasium.registry for name in ids)
    rng = random.Random(4)
    drawn = [name for name in rng.sample(sorted(ids), 2 * IDS) if is_possible(ids[name])][:IDS]
    rewarded = 0
    for name in drawn:
        sides = SideBySide(MultiAgentEnv(name), Warehouse(**ids[name]))
        sides.spaces_agree()
        play(sides, range(SEEDS), rng)
        parity_table.add("rware-v2", 1, sides.steps, sides.episodes, 0, sides.values, 0)
        rewarded += sides.rewarded
    assert rewarded > 0


def test_names_of_the_full_registration_state_the_packages_options():
    config = envpool_rs.make_spec("rware-img-Nd-3s-small-5h-4ag-hard-v2").config_dict()
    assert (config["request_queue_size"], config["sensor_range"], config["image_observation_directional"]) == (
        2,
        3,
        False,
    )
    config = envpool_rs.make_spec("rware-2x5-4h-3ag-5req-twostage-v2").config_dict()
    assert (config["shelf_rows"], config["reward_type"], config["request_queue_size"]) == (2, "two_stage", 5)


LAYOUTS = [None, ".......\n...x...\n..x.x..\n.x...x.\n..x.x..\n...x...\n.g...g.", "xx.xx\nxx.xx\n.....\ngg.xx"]


@pytest.mark.parametrize("agents", [1, 2, 5, 9])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_crowds_move_as_in_rware(agents, layout):
    """Crowded warehouses, in which ties of networkx decide who moves; also messages, layouts and rewards."""
    rng = random.Random(agents)
    for reward in RewardType:
        options = {
            "shelf_columns": 1,
            "column_height": 3,
            "shelf_rows": 2,
            "n_agents": agents,
            "msg_bits": rng.choice([0, 2]),
            "sensor_range": rng.choice([1, 2]),
            "request_queue_size": 3,
            "normalised_coordinates": rng.random() < 0.5,
            "layout": layout,
        }
        reference = Warehouse(**options, reward_type=reward, max_inactivity_steps=80, max_steps=300)
        own = MultiAgentEnv(
            "rware-v2", **options, reward_type=reward.name.lower(), max_inactivity_steps=80, max_steps=300
        )
        sides = SideBySide(own, reference)
        sides.spaces_agree()
        play(sides, range(SEEDS), rng)


@pytest.mark.parametrize("form", [ObservationType.DICT, ObservationType.IMAGE, ObservationType.IMAGE_DICT])
@pytest.mark.parametrize("bits", [0, 3])
def test_forms_of_observations_equal_rwares(form, bits):
    rng = random.Random(bits)
    options = {"shelf_columns": 3, "column_height": 2, "shelf_rows": 1, "n_agents": 3, "msg_bits": bits}
    options |= {"sensor_range": 2, "request_queue_size": 2}
    reference = Warehouse(
        **options, reward_type=RewardType.GLOBAL, max_inactivity_steps=None, max_steps=200, observation_type=form
    )
    own = MultiAgentEnv("rware-v2", **options, reward_type="global", max_steps=200, observation_type=form.name.lower())
    sides = SideBySide(own, reference)
    assert own.action_space == reference.action_space
    if form is ObservationType.DICT:
        sides.compare = lambda mine, theirs: compare_dicts(mine, theirs, sides)
    else:
        sides.spaces_agree()
    play(sides, range(SEEDS), rng)


def compare_dicts(mine, theirs, sides):
    """Compares dictionaries by value: those of the package have lists, and None for messages of no bits."""
    if isinstance(theirs, dict):
        theirs = {key: value for key, value in theirs.items() if value is not None}
        assert mine.keys() == theirs.keys()
        for key in theirs:
            compare_dicts(mine[key], theirs[key], sides)
    elif isinstance(theirs, tuple):
        for own, their in zip(mine, theirs, strict=True):
            compare_dicts(own, their, sides)
    else:
        np.testing.assert_array_equal(np.asarray(mine), np.asarray(theirs))
        sides.values += np.asarray(mine).size


def test_masks_have_the_actions_with_an_effect():
    env = MultiAgentEnv("rware-tiny-2ag-v2", action_mask=True)
    reference = Warehouse(**registered("rware")["rware-tiny-2ag-v2"])
    rng = random.Random(1)
    _, info = env.reset(seed=3)
    reference.reset(seed=3)
    planner = Planner(reference, rng)
    for _ in range(400):
        for agent, mask in zip(reference.agents, info["action_mask"], strict=True):
            shelf = reference.grid[1, agent.y, agent.x]
            can_toggle = not reference._is_highway(agent.x, agent.y) if agent.carrying_shelf else shelf > 0
            assert mask[[0, 2, 3]].all() and mask[4] == can_toggle
            agent.req_action = warehouse.Action.FORWARD
            assert mask[1] <= (agent.req_location(reference.grid_size) != (agent.x, agent.y))
        actions = planner.actions()
        *_, info = env.step(actions)
        reference.step(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_agents": 0}, "n_agents=0: expected an integer from 1 to 256"),
        ({"n_agents": 200}, "n_agents=200: expected at most 110, the number of cells"),
        ({"shelf_columns": 2}, "shelf_columns=2: expected an odd number"),
        ({"request_queue_size": 32}, "request_queue_size=32: expected less than 32, the number of shelves"),
        ({"layout": "xx.\nx"}, "expected rows of the same length"),
        ({"layout": "xx.\nxx."}, r"expected one goal \(g\) or more"),
        ({"layout": "xyz\nxgg"}, r"expected only g \(goal\), x \(shelf\) and . \(highway\)"),
        ({"layout": "...\n.g."}, "request_queue_size=2: expected less than 0"),
        ({"image_observation_layers": ["agent_load"]}, "expected one to five of shelves, requests, agents"),
        ({"reward_type": "team"}, 'expected "individual", "global" or "two_stage"'),
    ],
)
def test_warehouses_without_room_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        envpool_rs.make_vec("rware-v2", **options)


def test_registered_names_without_room_are_refused():
    """rware registers such names, too, and fails when they are reset."""
    with pytest.raises(ValueError, match="request_queue_size=38: expected less than 32"):
        MultiAgentEnv("rware-tiny-19ag-easy-v2")


def test_text_shows_agents_and_shelves():
    env = MultiAgentEnv("rware-tiny-2ag-v2", render_mode="ansi")
    env.reset(seed=0)
    text = env.render()
    assert text.count("\n") == 11 and text.count("X") + text.count("x") >= 30 and text.count("g") >= 1
