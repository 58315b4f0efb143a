"""Tests sends, steps, resets and receives in random order.

Each environment must behave as if it were alone, and each result must arrive once.
"""

import copy

import envpool_rs
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from test_results import identical

SEED = 11
#: Tested tasks, with options and number of actions: one with a SIMD kernel, one with scalar rules, one with several
#: players.
TASKS = {"CartPole-v1": ({}, 2), "FrozenLake-v1": ({}, 4), "SimpleSpread-v3": ({"N": 2}, 5)}


class Orders(RuleBasedStateMachine):
    """State machine for hypothesis: random operations on a pool, compared with a separate pool for each environment."""

    @initialize(task=st.sampled_from(list(TASKS)), count=st.integers(1, 9), threads=st.integers(1, 3), data=st.data())
    def make(self, task, count, threads, data):
        options, self.choices = TASKS[task]
        options = {**options, "max_episode_steps": 4}
        self.count = count
        self.batch_size = data.draw(st.integers(1, count), label="batch_size")
        self.pool = envpool_rs.make(
            task, num_envs=count, batch_size=self.batch_size, num_threads=threads, seed=SEED, **options
        )
        self.alone = [envpool_rs.make(task, num_envs=1, seed=SEED + index, **options) for index in range(count)]
        self.players = self.pool.spec.players
        self.in_flight = {}  # expected result of each environment that is in flight
        self.requests = []  # ids of each request, in order (synchronous pools)
        self.held, self.copies = [], []

    def teardown(self):
        if hasattr(self, "pool"):
            while len(self.in_flight) >= (self.batch_size if self.pool.is_async else 1):
                self.receive()
            assert all(map(identical, self.held, self.copies))
            self.pool.close()

    # Random choices of environments and actions.

    @property
    def idle(self):
        return [index for index in range(self.count) if index not in self.in_flight]

    def some_idle(self, data, least=1):
        subsets = st.lists(st.sampled_from(self.idle), unique=True, min_size=least)
        return data.draw(subsets, label="ids")

    def actions(self, data, ids):
        rows = len(ids) * self.players
        actions = st.lists(st.integers(0, self.choices - 1), min_size=rows, max_size=rows)
        return np.array(data.draw(actions, label="actions"), dtype=np.int64)

    # Expected results, from pools of one environment.

    def expect_step(self, ids, actions):
        for index, own in zip(ids, actions.reshape(len(ids), self.players), strict=True):
            self.expect(index, copy.deepcopy(self.alone[index].step(own)))

    def expect_reset(self, ids, seeds=None):
        for position, index in enumerate(ids):
            seed = None if seeds is None else [seeds[position]]
            observation, info = copy.deepcopy(self.alone[index].reset(seed=seed))
            nothing = np.zeros(1, dtype=bool)
            self.expect(index, (observation, np.zeros(self.players, dtype=np.float32), nothing, nothing, info))

    def expect(self, index, result):
        assert index not in self.in_flight
        result[4]["env_id"] = np.array([index], dtype=np.int32)
        result[4]["players"]["env_id"] = np.full(self.players, index, dtype=np.int32)
        self.in_flight[index] = result

    # Checks of received results.

    def receive(self, as_reset=False):
        self.check(self.pool.recv(reset=as_reset))

    def check(self, result, ids=None):
        """Compares a result with the expected result, and stores it; `ids` gives the order of rows if this order is
        known.
        """
        self.held.append(result)
        self.copies.append(copy.deepcopy(result))
        got = result[-1]["env_id"].tolist()
        if ids is None and not self.pool.is_async:
            ids = self.requests.pop(0)
        assert got == ids if ids is not None else len(got) == self.batch_size
        for row, index in enumerate(got):
            expected = self.in_flight.pop(index)  # raises an error if a result arrives twice
            expected = expected if len(result) == 5 else (expected[0], expected[-1])
            assert identical(self.row(result, row), expected), index

    def row(self, value, row):
        if isinstance(value, dict):
            return {key: self.row(part, row) for key, part in value.items()}
        if isinstance(value, tuple):
            return tuple(self.row(part, row) for part in value)
        width = len(value) // len(self.held[-1][-1]["env_id"])
        return value[row * width : (row + 1) * width]

    # Rules: operations on the pool, of which hypothesis calls random ones.

    @precondition(lambda self: self.idle)
    @rule(data=st.data())
    def send(self, data):
        ids = self.some_idle(data)
        actions = self.actions(data, ids)
        self.pool.send(actions, np.array(ids))
        self.expect_step(ids, actions)
        self.requests.append(ids)

    @precondition(lambda self: not self.in_flight)
    @rule(data=st.data())
    def send_to_all(self, data):
        actions = self.actions(data, range(self.count))
        self.pool.send(actions)
        self.expect_step(range(self.count), actions)
        self.requests.append(list(range(self.count)))

    @rule(as_reset=st.booleans())
    def recv(self, as_reset):
        if len(self.in_flight) >= (self.batch_size if self.pool.is_async else 1):
            self.receive(as_reset)
        else:
            with pytest.raises(RuntimeError, match="recv"):
                self.pool.recv()

    @precondition(lambda self: self.idle)
    @rule(data=st.data())
    def step(self, data):
        if self.pool.is_async:
            ids = self.some_idle(data, least=max(1, self.batch_size - len(self.in_flight)))
            actions = self.actions(data, ids)
            self.expect_step(ids, actions)
            self.check(self.pool.step(actions, np.array(ids)))
            return
        ids = self.some_idle(data)
        actions = self.actions(data, ids)
        if self.in_flight:
            with pytest.raises(RuntimeError, match="recv them first"):
                self.pool.step(actions, np.array(ids))
            return
        self.expect_step(ids, actions)
        self.check(self.pool.step(actions, np.array(ids)), ids)

    @precondition(lambda self: self.idle and (self.pool.is_async or not self.in_flight))
    @rule(data=st.data(), seed=st.none() | st.integers(0, 2**40))
    def reset_some(self, data, seed):
        least = max(1, self.batch_size - len(self.in_flight)) if self.pool.is_async else 1
        ids = self.some_idle(data, least)
        seeds = None if seed is None else [seed + position for position in range(len(ids))]
        self.expect_reset(ids, seeds)
        self.check(self.pool.reset(np.array(ids), seed=seeds), None if self.pool.is_async else ids)

    @rule(seed=st.none() | st.integers(0, 2**40))
    def reset_all(self, seed):
        """Resets all environments, which discards results in flight."""
        self.in_flight.clear()
        self.requests.clear()
        ids = list(range(self.count))
        self.expect_reset(ids, None if seed is None else [seed + index for index in ids])
        self.check(self.pool.reset(seed=seed), None if self.pool.is_async else ids)

    @precondition(lambda self: not self.in_flight)
    @rule()
    def async_reset(self):
        self.pool.async_reset()
        self.expect_reset(range(self.count))
        self.requests.append(list(range(self.count)))

    @precondition(lambda self: self.in_flight)
    @rule(data=st.data())
    def what_is_in_flight_is_refused(self, data):
        index = data.draw(st.sampled_from(sorted(self.in_flight)), label="id")
        actions = np.zeros(self.players, dtype=np.int64)
        with pytest.raises(RuntimeError, match=f"env_id {index} is in flight"):
            self.pool.send(actions, np.array([index]))
        with pytest.raises(RuntimeError, match=f"env_id {index} is in flight"):
            self.pool.get_state([index])

    @precondition(lambda self: self.idle)
    @rule(data=st.data())
    def copy_state(self, data):
        """Copies the state of an idle environment to another idle one, also while further
        environments are in flight.
        """
        source = data.draw(st.sampled_from(self.idle), label="from")
        target = data.draw(st.sampled_from(self.idle), label="to")
        self.pool.set_state(self.pool.get_state([source]), [target])
        self.alone[target].set_state(self.alone[source].get_state())

    @invariant()
    def none_is_lost(self):
        assert sorted([*self.in_flight, *self.idle]) == list(range(self.count))


TestOrders = Orders.TestCase
TestOrders.settings = settings(max_examples=150, stateful_step_count=40, deadline=None)
