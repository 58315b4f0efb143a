"""The package crafter 1.8.3, changed so that the chunks of a world hold their objects in order of arrival.

The unchanged package holds objects in sets that are ordered by memory address, so that two processes get different
worlds.
"""

import collections
from unittest import mock

import crafter
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
