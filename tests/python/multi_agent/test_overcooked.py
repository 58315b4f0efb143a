"""Compares Overcooked with the package overcooked_ai, bit for bit: layouts, encodings, rewards, events, and starts.

`OVERCOOKED_SEEDS` sets the number of seeds of each layout; from 2 on, all layouts are compared in both encodings.
"""

import functools
import importlib
import inspect
import os
import random
import sys
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.multi_agent import MultiAgentEnv, MultiAgentVectorEnv
from envpool_rs.pettingzoo import parallel_env
from side_by_side import SideBySide, package

# The release's `__init__` registers an environment with the old gym, which nothing here uses.
STAND_INS = {"gym", "gym.envs", "gym.envs.registration"} - sys.modules.keys()
sys.modules.update(dict.fromkeys(STAND_INS, SimpleNamespace(register=lambda **_: None)))
package("overcooked_ai_py")
for name in STAND_INS:
    del sys.modules[name]
mdp_module = importlib.import_module("overcooked_ai_py.mdp.overcooked_mdp")
planners = importlib.import_module("overcooked_ai_py.planning.planners")
static = importlib.import_module("overcooked_ai_py.static")
Action, OvercookedGridworld = mdp_module.Action, mdp_module.OvercookedGridworld

SEEDS = int(os.environ.get("OVERCOOKED_SEEDS", "1"))
LAYOUTS = sorted(path.stem for path in Path(static.LAYOUTS_DIR).glob("*.layout"))
# The release and the repository have layouts with infinite bonuses, whose potentials are no numbers.
INFINITE = {layout for layout in LAYOUTS if mdp_module.read_layout_dict(layout).get("order_bonus") == float("inf")}
HAS_OLD_DYNAMICS = "old_dynamics" in inspect.signature(OvercookedGridworld.__init__).parameters
SHARED = ("encoding", "horizon", "num_pots", "display_phi")
SMALL = ["cramped_room", "forced_coordination_tomato", "tutorial_1", "mdp_test", "bonus_order_test"]


@pytest.fixture(autouse=True)
def _old_name(monkeypatch):
    """Gives numpy the name `Inf`, which the release's planners use."""
    monkeypatch.setattr(np, "Inf", np.inf, raising=False)


@functools.cache
def planner(layout):
    """Returns the motion planner of a layout, with the package's default that counters are no goals."""
    return planners.MotionPlanner(gridworld(layout), [])


def gridworld(layout, **parameters):
    if "tutorial_1" in layout or "old_dynamics" in layout:  # their start states need recipes before there are any
        OvercookedGridworld.from_layout_name("cramped_room")
    return OvercookedGridworld.from_layout_name(layout, **parameters)


def letters(order):
    return " ".join(order["ingredients"])


class Reference:
    """The package's `OvercookedEnv` with the interface of `MultiAgentEnv`, without the packages that it imports."""

    def __init__(
        self,
        layout,
        encoding="lossless",
        horizon=400,
        num_pots=2,
        start=None,
        draws_index=False,
        display_phi=False,
        **parameters,
    ):
        # Creating the planner's layout changes the recipes of all layouts.
        self.planner = planner(layout) if encoding == "featurized" or display_phi else None
        self.display_phi = display_phi
        self.mdp = gridworld(layout, **parameters)
        self.encoding, self.horizon, self.num_pots, self.draws_index = encoding, horizon, num_pots, draws_index
        self.start = self.mdp.get_standard_start_state if start is None else self.mdp.get_random_start_state_fn(*start)

    def reset(self, seed=None):
        if seed is not None:
            np.random.seed(seed)
        self.state = self.start()
        self.index = np.random.choice([0, 1]) if self.draws_index else 0
        return self.observation(), {}

    def order(self, values):
        return tuple(values)[::-1] if self.index else tuple(values)

    def observation(self):
        if self.encoding == "lossless":
            return self.order(self.mdp.lossless_state_encoding(self.state, self.horizon))
        manager = SimpleNamespace(motion_planner=self.planner)
        return self.order(self.mdp.featurize_state(self.state, manager, num_pots=self.num_pots))

    def step(self, actions):
        joint = self.order(Action.INDEX_TO_ACTION[action] for action in actions)
        self.state, infos = self.mdp.get_state_transition(
            self.state, joint, display_phi=self.display_phi, motion_planner=self.planner
        )
        rewards = [sum(infos["sparse_reward_by_agent"])] * self.mdp.num_players
        return self.observation(), rewards, False, self.state.timestep >= self.horizon, infos


class Blind(Reference):
    """Reference of a single player, for whom the package has no observations."""

    def observation(self):
        return ()


class Kitchens(SideBySide):
    """Two kitchens, of which infos are compared, too."""

    def step(self, actions):
        ended = super().step(actions)
        own, theirs = self.infos
        order = self.reference.order
        assert own["sparse_r_by_agent"].tolist() == list(order(theirs["sparse_reward_by_agent"]))
        assert own["shaped_r_by_agent"].tolist() == list(order(theirs["shaped_reward_by_agent"]))
        events = [order(theirs["event_infos"][name]) for name in mdp_module.EVENT_TYPES]
        np.testing.assert_array_equal(own["event_infos"].T, events)
        for name in {"phi_s", "phi_s_prime"} & theirs.keys():
            assert own[name] == theirs[name], (name, own[name], theirs[name])
            self.values += 1
        self.values += own["event_infos"].size + 2 * self.own.n_agents
        return ended


class Cook:
    """Walks to something useful and interacts, on shortest ways that ignore the other players."""

    def __init__(self, mdp, rng):
        self.mdp, self.rng = mdp, rng

    def goals(self, state, player):
        cells, rng = self.mdp.terrain_pos_dict, self.rng
        soups = {pot: state.objects[pot] for pot in cells["P"] if pot in state.objects}
        ready = [pot for pot, soup in soups.items() if soup.is_ready]
        open_pots = [pot for pot in cells["P"] if pot not in soups or not soups[pot].is_full]
        startable = [
            pot for pot, soup in soups.items() if soup.is_idle and len(soup.ingredients) >= rng.choice([1, 3, 3])
        ]
        counters = cells["X"]
        held = player.held_object.name if player.held_object else None
        if held is None:
            ingredients = cells["O"] + cells["T"]
            choices = [
                startable or ingredients,
                cells["D"] if ready or rng.random() < 0.2 else startable or ingredients,
            ]
            choices.append([cell for cell in counters if cell in state.objects] or ingredients)
            return rng.choices(choices, [4, 3, 1])[0]
        if held == "soup":
            return cells["S"] if rng.random() < 0.9 else counters
        if held == "dish":
            return ready or (counters if rng.random() < 0.2 else cells["P"])
        return open_pots if open_pots and rng.random() < 0.9 else counters

    def action(self, state, player):
        if self.rng.random() < 0.1:
            return self.rng.randrange(6)
        goals = set(self.goals(state, player))
        steps = Action.INDEX_TO_ACTION[:4]
        start = player.pos_and_or
        queue, known = deque([(start, None)]), {start}
        while queue:
            ((x, y), (dx, dy)), first = queue.popleft()
            if (x + dx, y + dy) in goals:
                return 5 if first is None else first
            for number, (dx, dy) in enumerate(steps):
                ahead = (x + dx, y + dy)
                place = ahead if self.mdp.terrain_mtx[ahead[1]][ahead[0]] == " " else (x, y)
                if (place, (dx, dy)) not in known:
                    known.add((place, (dx, dy)))
                    queue.append(((place, (dx, dy)), number if first is None else first))
        return self.rng.randrange(6)

    def actions(self, state):
        return [self.action(state, player) for player in state.players]


def play(sides, seeds, rng):
    reference = sides.reference
    cook = Cook(reference.mdp, rng)
    for seed in seeds:
        sides.reset(seed)
        is_random = rng.random() < 0.3
        while True:
            actions = (
                [rng.randrange(6) for _ in range(sides.own.n_agents)] if is_random else cook.actions(reference.state)
            )
            if sides.step(list(reference.order(actions))):
                break


def compared(layout, rng, seeds, kind=Reference, options=None, **arguments):
    """Plays a layout next to the package, and returns what was compared."""
    reference = kind(layout, **arguments)
    shared = {name: arguments[name] for name in SHARED if name in arguments}
    own = MultiAgentEnv("Overcooked-v0", layout=layout, event_infos=True, **shared, **(options or {}))
    sides = Kitchens(own, reference)
    assert own.n_agents == reference.mdp.num_players
    if kind is Blind:
        sides.compare = lambda mine, theirs: None
    play(sides, seeds, rng)
    own.close()
    return sides


def drawn(layouts, count):
    return layouts if SEEDS > 1 else random.Random(8).sample(layouts, count)


def players_of(layout):
    return sum(character.isdigit() for character in mdp_module.read_layout_dict(layout)["grid"])


@pytest.mark.parametrize("encoding", ["lossless", "featurized"])
def test_layouts_equal_overcookeds(parity_table, encoding):
    rng = random.Random(encoding)
    rewarded = 0
    of_players = {"lossless": [2], "featurized": [2, 3, 4]}[encoding]
    layouts = [layout for layout in LAYOUTS if players_of(layout) in of_players]
    for layout in drawn(layouts, 8) if encoding == "lossless" else layouts if SEEDS > 1 else SMALL:
        shown = encoding == "featurized" and layout not in INFINITE
        horizon = 400 if SEEDS > 1 else 250
        sides = compared(layout, rng, range(SEEDS), encoding=encoding, horizon=horizon, display_phi=shown)
        parity_table.add("Overcooked-v0", 1, sides.steps, sides.episodes, 0, sides.values, 0)
        rewarded += sides.rewarded
    assert rewarded > 0


def test_single_players_equal_overcookeds():
    """The package has no observation of a single player; this package's has its own features and its place."""
    rng = random.Random(2)
    for layout in (layout for layout in LAYOUTS if players_of(layout) == 1):
        shown = layout not in INFINITE
        compared(layout, rng, range(SEEDS), Blind, {"encoding": "featurized"}, horizon=200, display_phi=shown)
    env = MultiAgentEnv("Overcooked-v0", layout="cramped_room_single", encoding="featurized")
    (features,), _ = env.reset(seed=0)
    assert features.shape == (48,)
    env.close()


@pytest.mark.parametrize("layout", SMALL)
def test_drawn_parameters_equal_overcookeds(layout):
    rng = random.Random(layout)
    for _ in range(4):
        stated = mdp_module.read_layout_dict(layout)
        parameters, options = {}, {}
        if not {"onion_time", "recipe_times", "recipe_values"} & stated.keys():
            parameters = {"cook_time": rng.choice([1, 3, 7]), "delivery_reward": rng.choice([5, 30])}
        if rng.random() < 0.5:
            parameters["order_bonus"] = rng.choice([3, 1.5])
        shaping = {**mdp_module.BASE_REW_SHAPING_PARAMS, "DISH_PICKUP_REWARD": 4, "PLACEMENT_IN_POT_REW": 0.25}
        options = {**parameters, "rew_shaping_params": {name: float(value) for name, value in shaping.items()}}
        compared(layout, rng, range(2), options=options, horizon=120, rew_shaping_params=shaping, **parameters)


@pytest.mark.parametrize("pots", [1, 4])
@pytest.mark.parametrize("parameters", [{}, {"onion_value": 9, "tomato_value": 4, "onion_time": 2, "tomato_time": 7}])
def test_potentials_of_several_pots_equal_overcookeds(monkeypatch, pots, parameters):
    """Pots of equal value come in the order of a set of places."""
    monkeypatch.setattr(mdp_module.OvercookedGridworld, "from_layout_name", staticmethod(drawn_kitchen))
    rng = random.Random(pots)
    for number in range(4 * SEEDS):
        layout = (pots, number)
        stated = {**parameters, "start_all_orders": [["onion"] * 3, ["onion", "tomato"], ["tomato"] * 2]}
        sides = Kitchens(
            MultiAgentEnv(
                "Overcooked-v0",
                layout=drawn_grid(*layout),
                display_phi=True,
                event_infos=True,
                horizon=150,
                rnd_obj_prob_thresh=0.5,
                **{**stated, "start_all_orders": [" ".join(order) for order in stated["start_all_orders"]]},
            ),
            Reference(layout, horizon=150, display_phi=True, start=(False, 0.5), **stated),
        )
        play(sides, [number, None], rng)
        sides.own.close()


def drawn_grid(pots, number):
    """Returns a kitchen with this many pots on random places of its border."""
    rng = random.Random(repr((pots, number)))
    width, height = rng.randrange(5, 9), rng.randrange(4, 7)
    places = [(0, x) for x in range(1, width - 1)] + [(height - 1, x) for x in range(1, width - 1)]
    places += [(y, x) for y in range(1, height - 1) for x in (0, width - 1)]
    grid = [["X" if y in (0, height - 1) or x in (0, width - 1) else " " for x in range(width)] for y in range(height)]
    for letter, (y, x) in zip("P" * pots + "OTDS", rng.sample(places, pots + 4), strict=True):
        grid[y][x] = letter
    grid[1][1], grid[height - 2][width - 2] = "1", "2"
    return "\n".join("".join(row) for row in grid)


def drawn_kitchen(layout, start_all_orders=(), **parameters):
    orders = [{"ingredients": order} for order in start_all_orders]
    base = {"start_all_orders": orders, "layout_name": "drawn"} | parameters
    return OvercookedGridworld.from_grid(drawn_grid(*layout).split("\n"), base)


@pytest.mark.skipif(not HAS_OLD_DYNAMICS, reason="the package's release has no old dynamics")
@pytest.mark.parametrize("layout", ["cramped_room", "old_dynamics_cook_test", "old_dynamics_put_test", "random3"])
def test_old_dynamics_equal_overcookeds(layout):
    rng = random.Random(layout)
    options = {"old_dynamics": True}
    kind = Reference if players_of(layout) == 2 else Blind
    if kind is Blind:
        options["encoding"] = "featurized"
    compared(layout, rng, range(SEEDS + 2), kind, options, horizon=200, old_dynamics=True)


@pytest.mark.parametrize("encoding", ["lossless", "featurized"])
@pytest.mark.parametrize("threshold", [0.0, 0.6])
@pytest.mark.parametrize("has_places", [False, True])
def test_random_starts_and_orders_of_players_equal_overcookeds(encoding, threshold, has_places):
    rng = random.Random(repr((encoding, threshold, has_places)))
    options = {"random_start_pos": has_places, "rnd_obj_prob_thresh": threshold, "random_agent_idx": True}
    seeds = [3, None, None, 4, 5, None]
    arguments = {"encoding": encoding, "horizon": 60, "num_pots": rng.choice([1, 3])}
    start = (has_places, threshold) if has_places or threshold else None
    sides = compared("cramped_room", rng, seeds, Reference, options, start=start, draws_index=True, **arguments)
    assert sides.episodes == 6


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_text_of_a_layout_gives_the_same_kitchen(layout):
    """Grids and parameters as options equal the layouts by name."""
    stated = mdp_module.read_layout_dict(layout)
    options = {
        name: stated[name] for name in ("onion_value", "tomato_value", "onion_time", "tomato_time") if name in stated
    }
    for name in ("start_all_orders", "start_bonus_orders"):
        options[name] = [letters(order) for order in stated.get(name, [])]
    options |= {name: stated[name] for name in ("recipe_values", "recipe_times") if name in stated}
    if "start_state" in stated or "order_bonus" in stated:
        pytest.skip("start states and infinite bonuses are no options")
    shared = {"encoding": "featurized", "event_infos": True, "render_mode": "ansi"}
    named = MultiAgentEnv("Overcooked-v0", layout=layout, **shared)
    own = MultiAgentEnv("Overcooked-v0", layout=stated["grid"], **options, **shared)
    rng = random.Random(layout)
    for env in (named, own):
        env.reset(seed=0)
    for _ in range(100):
        actions = [rng.choice([0, 1, 2, 3, 5, 5]) for _ in range(own.n_agents)]
        results = [env.step(actions) for env in (named, own)]
        for mine, theirs in zip(*(result[0] for result in results), strict=True):
            np.testing.assert_array_equal(mine, theirs)
        assert results[0][1] == results[1][1] and named.render() == own.render()
    named.close()
    own.close()


@pytest.mark.parametrize("layout", ["bonus_order_test", "pipeline", "cramped_room"])
def test_text_equals_overcookeds_state_string(layout):
    rng = random.Random(layout)
    reference = Reference(layout)
    env = MultiAgentEnv("Overcooked-v0", layout=layout, render_mode="ansi")
    env.reset(seed=0)
    reference.reset(0)
    cook = Cook(reference.mdp, rng)
    for _ in range(150):
        assert env.render() == reference.mdp.state_string(reference.state)
        actions = cook.actions(reference.state)
        env.step(actions)
        reference.step(actions)
    env.close()


def test_shaped_rewards_are_added_by_player():
    rng = random.Random(1)
    env = MultiAgentEnv("Overcooked-v0", reward_shaping_factor=0.5)
    reference = Reference("cramped_room")
    env.reset(seed=0)
    reference.reset(0)
    cook = Cook(reference.mdp, rng)
    shaped = 0
    for _ in range(200):
        actions = cook.actions(reference.state)
        _, rewards, _, _, infos = reference.step(actions)
        expected = [rewards[0] + 0.5 * bonus for bonus in infos["shaped_reward_by_agent"]]
        assert env.step(actions)[1] == expected
        shaped += any(infos["shaped_reward_by_agent"])
    assert shaped > 3
    env.close()


def test_interfaces_have_the_kitchen():
    env = gymnasium.make("envpool_rs.multi_agent:Overcooked-v0", layout="coordination_ring")
    assert isinstance(env.observation_space, gymnasium.spaces.Tuple) and env.unwrapped.n_agents == 2
    env.close()
    parallel = parallel_env("Overcooked-v0", layout="cramped_room", horizon=3)
    observations, _ = parallel.reset(seed=0)
    assert observations["agent_0"].shape == (5, 4, 26) and observations["agent_0"].dtype == np.int64
    ends = [parallel.step({"agent_0": 4, "agent_1": 4})[2:4] for _ in range(3)]
    assert ends[-1] == ({"agent_0": False, "agent_1": False}, {"agent_0": True, "agent_1": True})
    parallel.close()
    envs = MultiAgentVectorEnv("Overcooked-v0", 3, layout="multiplayer_schelling", encoding="featurized")
    observations, _ = envs.reset(seed=0)
    assert len(observations) == 4 and observations[0].shape == (3, 192)
    envs.close()


GRID = "XXPXX\nO1 2O\nX   X\nXDXSX"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"layout": "cramped_rom"},
            'layout="cramped_rom": expected the name of a layout, or rows of a grid; did you mean "cramped_room"',
        ),
        ({"layout": GRID.replace("P", "X")}, r"expected a pot \(P\)"),
        ({"layout": GRID.replace("D", "X")}, r"expected dishes \(D\)"),
        ({"layout": GRID.replace("S", "X")}, r"expected a serving place \(S\)"),
        ({"layout": GRID.replace("O", "X")}, r"expected onions \(O\) or tomatoes \(T\)"),
        ({"layout": GRID.replace("1", " ").replace("2", " ")}, "expected the players 1, 2, ..., each once; place one"),
        ({"layout": GRID.replace("2", "3")}, "expected the players 1, 2, ..., each once"),
        ({"layout": GRID.replace("XXPXX", "X PXX")}, "expected borders without free cells"),
        ({"layout": GRID.replace("O1", "1X")}, "expected borders without free cells"),
        ({"layout": GRID + "X"}, "expected rows of the same length"),
        ({"layout": GRID.replace("X", "Y")}, "expected only X, O, T, P, D, S"),
        ({"layout": "\n".join(["X" * 40] * 40)}, "expected at most 1024 cells"),
        (
            {"layout": "cramped_room_single"},
            'encoding="lossless": expected "featurized" for a layout with 1 instead of 2',
        ),
        ({"horizon": 0}, "horizon=0: expected an integer from 1"),
        ({"start_all_orders": ["onion leek"]}, "expected recipes of one to three ingredients"),
        ({"start_all_orders": ["onion"] * 2}, "expected each recipe once"),
        ({"start_bonus_orders": ["tomato"]}, "expected recipes of start_all_orders"),
        ({"recipe_values": [1.0, 2.0]}, "recipe_values=.*: expected 1 numbers, one for each of start_all_orders"),
        ({"cook_time": 3, "recipe_times": [4]}, "cook_time=3: expected None, because of recipe_times"),
        ({"onion_time": 3}, "onion_time=3: expected None; or set tomato_time, too"),
        ({"delivery_reward": 0}, "delivery_reward=0.0: expected a number other than 0"),
        ({"delivery_reward": -1}, "expected a recipe with a value above 0"),
        ({"rew_shaping_params": {"DISH": 1.0}}, "expected a number for each of PLACEMENT_IN_POT_REW"),
        ({"layout": "tutorial_3", "display_phi": True}, "display_phi=True: expected False for recipes of infinite"),
        ({"layout": "pipeline", "old_dynamics": True}, "old_dynamics=True: expected False, unless start_all_orders"),
        (
            {"layout": "multiplayer_schelling", "encoding": "featurized", "random_agent_idx": True},
            "random_agent_idx=True",
        ),
    ],
)
def test_impossible_kitchens_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        envpool_rs.make_vec("Overcooked-v0", **options)


def test_snapshots_continue_an_episode():
    envs = envpool_rs.make_vec(
        "Overcooked-v0", 4, encoding="featurized", random_start_pos=True, rnd_obj_prob_thresh=0.5
    )
    envs.reset(seed=2)
    rng = np.random.default_rng(0)
    actions = rng.integers(6, size=(40, 8))
    for action in actions[:20]:
        envs.step(action)
    snapshot = envs.get_state()
    first = [envs.step(action)[0].copy() for action in actions[20:]]
    envs.set_state(snapshot)
    for action, expected in zip(actions[20:], first, strict=True):
        np.testing.assert_array_equal(envs.step(action)[0], expected)
    envs.close()
