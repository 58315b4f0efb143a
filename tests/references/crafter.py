"""The package crafter 1.8.3, changed so that the chunks of a world hold their objects in order of arrival, and players.

The unchanged package holds objects in sets that are ordered by memory address, so that two processes get different
worlds. One player draws random actions, the other pursues all achievements: it reads the state of the reference
environment, and its actions are also sent to the compared environments.
"""

import collections
import heapq
from unittest import mock

import crafter
import numpy as np
from crafter import constants, engine

ACTIONS = constants.actions
ACHIEVEMENTS = constants.achievements
ITEMS = constants.items


class ArrivalOrder(dict):
    """Set that iterates over its elements in the order in which they were added."""

    def add(self, item):
        self[item] = None

    def remove(self, item):
        del self[item]


class World(engine.World):
    """Crafter's world, made reproducible by `ArrivalOrder`."""

    def reset(self, seed=None):
        super().reset(seed)
        self._chunks = collections.defaultdict(ArrivalOrder)


def make(**options):
    """Returns `crafter.Env` with a reproducible world."""
    with mock.patch.object(engine, "World", World):
        return crafter.Env(**options)


# --- players ----------------------------------------------------------------------------------------------------------

#: Direction that the player faces after each move; the actions 1 to 4 are left, right, up, down.
MOVES = {1: (-1, 0), 2: (1, 0), 3: (0, -1), 4: (0, 1)}
#: Action without an effect on a player that hides in a rock and need not sleep.
REST = ACTIONS.index("place_plant")
DO, SLEEP, PLACE_STONE = (ACTIONS.index(name) for name in ("do", "sleep", "place_stone"))
WALKABLE = ("grass", "sand", "path")
SOLID = ("stone", "coal", "iron", "diamond", "water")
#: Tool that the player needs to collect each material.
TOOLS = {"stone": "wood_pickaxe", "coal": "wood_pickaxe", "iron": "stone_pickaxe", "diamond": "iron_pickaxe"}


class RandomPlayer:
    """Policy that repeats random actions for a while; moves and `do` are frequent."""

    WEIGHTS = np.array([2, 12, 12, 12, 12, 25, 5, 3, 2, 2, 3, *[10 / 6] * 6])

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.action = 0

    def act(self, env):
        if self.random.random() < 0.6:
            self.action = int(self.random.choice(len(ACTIONS), p=self.WEIGHTS / self.WEIGHTS.sum()))
        return self.action


class DirectedPlayer:
    """Policy that pursues all achievements: gathers, crafts, fights, eats, drinks and sleeps.

    With an odd seed, it grows a plant before it looks for iron.
    """

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)
        self.is_gardener = seed % 2 == 1
        self.planned = []

    def act(self, env):
        """Returns the next action, given the state of the reference environment."""
        self.player, self.world = env._player, env._world
        if self.player.sleeping:
            return 0
        if self.planned:
            return self.planned.pop(0)
        return self._fight() or self._survive(env) or self._progress() or int(self.random.integers(1, 5))

    def _fight(self):
        """Returns the action against a zombie next to the player: turns to the zombie, or hits it."""
        for action, (dx, dy) in MOVES.items():
            thing = self.world[self.player.pos + np.array((dx, dy))][1]
            if type(thing).__name__ in ("Zombie", "Skeleton"):
                return DO if tuple(self.player.facing) == (dx, dy) else action
        return None

    def _survive(self, env):
        """Returns the action for eating, drinking, or hiding in a rock by night and when hurt; `None` if none is
        needed.
        """
        items, unlocked = self.player.inventory, self.player.achievements
        night = env._world.daylight < 0.35
        if self._is_hidden() and (night or items["health"] < 8 or items["energy"] < 7):
            return SLEEP if items["energy"] < 9 else REST
        if items["drink"] < (3 if night else 6):
            return self._do(self._cells("water"))
        if items["food"] < (3 if night else 6):
            return self._do(self._things("Cow"))
        if not unlocked["wake_up"] and items["energy"] < 9 and not self._is_near("Zombie", 8):
            return SLEEP
        if night or items["health"] < 4 or items["energy"] < 4:
            return self._dig_in() if items["wood_pickaxe"] else None
        return None

    def _is_hidden(self):
        """Returns whether no creature can reach the player."""
        seen, cells = set(), [tuple(map(int, self.player.pos))]
        while cells and len(seen) < 4:
            cell = cells.pop()
            seen.add(cell)
            around = [(cell[0] + dx, cell[1] + dy) for dx, dy in MOVES.values()]
            cells += [each for each in around if each not in seen and self.world[each][0] in WALKABLE]
        return len(seen) < 4

    def _is_near(self, kind, distance):
        return any(abs(pos - self.player.pos).sum() < distance for pos in self._things(kind))

    def _rocks(self):
        """Yields each stone that the player can hide in, with a direction in which the player can dig two cells that no
        creature can reach from elsewhere.
        """
        for x, y in self._cells("stone"):
            for dx, dy in MOVES.values():
                inner, end, before = (x + dx, y + dy), (x + 2 * dx, y + 2 * dy), (x - dx, y - dy)
                sides = [(a + side * dy, b + side * dx) for a, b in ((x, y), inner) for side in (1, -1)]
                is_solid = all(self.world[cell][0] in SOLID for cell in [end, *sides])
                if is_solid and self.world[inner][0] == "stone" and self.world[before][0] in WALKABLE:
                    yield (int(x), int(y)), (dx, dy)

    def _dig_in(self):
        """Goes to a rock, digs two cells into it, closes the entrance, and sleeps."""
        facing = tuple(map(int, self.player.facing))
        rocks = set(self._rocks())
        if (tuple(map(int, self.player.pos + facing)), facing) in rocks:
            actions = {step: action for action, step in MOVES.items()}
            ahead, back = actions[facing], actions[-facing[0], -facing[1]]
            self.planned = [ahead, DO, ahead, back, PLACE_STONE, SLEEP]
            return DO
        return self._use("noop", [rock for rock, _ in rocks]) or SLEEP

    def _progress(self):
        """Returns an action toward the next possible achievement; `None` if there is none."""
        items, unlocked = self.player.inventory, self.player.achievements
        around = self.world.nearby(self.player.pos, 1)[0]
        if not unlocked["collect_drink"]:
            return self._do(self._cells("water"))
        if not unlocked["eat_cow"] and self._things("Cow"):
            return self._do(self._things("Cow"))
        step = self._basics(items, around)
        if step is not None:
            return step
        goals = [self._finish, self._garden]
        for goal in reversed(goals) if self.is_gardener else goals:
            step = goal(items, unlocked)
            if step is not None:
                return step
        return None

    def _basics(self, items, around):
        """Gathers wood and stone, and makes the wooden and stone tools."""
        if "table" not in around and items["wood"] < 5:
            return self._do(self._cells("tree"))
        for tool in ("wood_pickaxe", "wood_sword", "stone_pickaxe", "stone_sword"):
            if not items[tool]:
                return self._make(tool, ("table",), {"stone": 1} if "stone" in tool else {})
        return self._do(self._cells("stone")) if "furnace" not in around and items["stone"] < 6 else None

    def _garden(self, items, unlocked):
        """Plants a sapling, surrounds it with stones, and eats it when it is ripe."""
        if unlocked["eat_plant"]:
            return None
        plants = [thing for thing in self.world.objects if type(thing).__name__ == "Plant"]
        ripe = [thing.pos for thing in plants if thing.ripe]
        if ripe:
            return self._do(ripe)
        if not plants:
            planted = items["sapling"] > 0
            return self._use("place_plant", self._cells("grass")) if planted else self._do(self._cells("grass"))
        gaps = {tuple(map(int, plant.pos + step)) for plant in plants for step in MOVES.values()}
        gaps = [gap for gap in gaps - {tuple(map(int, self.player.pos))} if self.world[gap][0] in WALKABLE]
        if gaps:
            return self._use("place_stone", gaps)
        is_far = abs(plants[0].pos - self.player.pos).sum() > 8
        return self._use("place_plant", [plants[0].pos]) if is_far else REST

    def _finish(self, items, unlocked):
        """Makes the iron tools, and searches for rare materials."""
        for tool in ("iron_pickaxe", "iron_sword"):
            if not items[tool]:
                step = self._make(tool, ("table", "furnace"), {"coal": 1, "iron": 1})
                if step is not None:
                    return step
        if not unlocked["collect_diamond"] and items["iron_pickaxe"]:
            return self._do(self._cells("diamond"))
        for kind in ("Zombie", "Skeleton"):
            if not unlocked[f"defeat_{kind.lower()}"] and self._things(kind):
                return self._do(self._things(kind))
        return None

    def _make(self, tool, nearby, needs):
        """Gathers the materials for a tool, places the table or furnace that it requires nearby, and makes the tool."""
        items = self.player.inventory
        for name, amount in needs.items():
            if items[name] < amount:
                return self._do(self._cells(name))
        around = self.world.nearby(self.player.pos, 1)[0]
        for place in nearby:
            material, amount, cells = ("wood", 3, "tree") if place == "table" else ("stone", 4, "stone")
            if place not in around:
                enough = items[material] >= amount
                return self._use(f"place_{place}", self._cells(*WALKABLE)) if enough else self._do(self._cells(cells))
        return ACTIONS.index(f"make_{tool}") if items["wood"] else self._do(self._cells("tree"))

    def _cells(self, *materials):
        ids = [self.world._mat_ids[name] for name in materials]
        return list(np.argwhere(np.isin(self.world._mat_map, ids) & (self.world._obj_map == 0)))

    def _things(self, kind):
        return [thing.pos for thing in self.world.objects if type(thing).__name__ == kind]

    def _do(self, targets):
        return self._use("do", targets)

    def _use(self, action, targets):
        """Returns the next action on the way to a cell that faces one of the targets; at this cell, returns the given
        action.
        """
        targets = {(int(x), int(y)) for x, y in targets}
        step = self._path(targets)
        return ACTIONS.index(action) if step == "there" else step

    def _path(self, targets):
        """Returns the first action of the cheapest path to a cell that faces a target; "there" if the player faces one,
        `None` without a path.
        """
        start = (*map(int, self.player.pos), *map(int, self.player.facing))
        queue, seen = [(0, 0, start, None)], set()
        while queue:
            cost, _, (x, y, fx, fy), first = heapq.heappop(queue)
            if (x, y, fx, fy) in seen:
                continue
            seen.add((x, y, fx, fy))
            if (x + fx, y + fy) in targets:
                return first or "there"
            for action, (dx, dy) in MOVES.items():
                price = self._price((x + dx, y + dy))
                turned = (dx, dy) == (fx, fy)
                if price == 1:
                    following, step = (x + dx, y + dy, dx, dy), action
                elif price and turned:
                    following, step = (x + dx, y + dy, dx, dy), self._open((x + dx, y + dy))
                else:
                    following, step, price = (x, y, dx, dy), action, 1
                heapq.heappush(queue, (cost + price, len(seen) * 4 + action, following, first or step))
        return None

    def _price(self, cell):
        """Returns the number of steps that it takes to enter the cell in front; 0 if the cell cannot be entered."""
        material, thing = self.world[cell]
        if thing is not None:
            return 0
        if material in WALKABLE:
            return 1
        items = self.player.inventory
        if material == "tree" or material in ("table", "furnace", "lava", None):
            return 0
        if material == "water":
            return 4 if items["stone"] > 1 and items["wood_pickaxe"] else 0
        return 2 if items[TOOLS[material]] else 0

    def _open(self, cell):
        """Returns the action that makes the cell in front of the player walkable."""
        return PLACE_STONE if self.world[cell][0] == "water" else DO
