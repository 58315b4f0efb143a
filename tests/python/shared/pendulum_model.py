"""Model of a pool of pendulums in plain Python: options of later episodes, and queues of resets.

The pendulum's observation begins with the cosine of its angle, which a reset draws from `-x_init` to `x_init` before it
draws another number. Its option `g` may change from episode to episode.
"""

import copy
import pickle

import envpool_rs
import numpy as np
from hypothesis import strategies as st

MODES = ("next_step", "same_step", "disabled")
LIMIT = 3


class Model:
    """A pool of pendulums in plain Python: the gravity and the seed with which each environment's episode began."""

    def __init__(self, num_envs, mode, seed):
        self.mode, self.ids = mode, range(num_envs)
        self.seeds = [seed + index for index in self.ids]
        self.next = [10.0] * num_envs
        self.current = [None] * num_envs
        self.elapsed = [0] * num_envs
        self.queues = [[] for _ in self.ids]
        self.generators = [np.random.default_rng(seed) for seed in self.seeds]
        self.angles = [None] * num_envs

    def begin(self, index, seed=None):
        entry = self.queues[index].pop(0) if seed is None and self.queues[index] else {}
        seed = entry.get("seed", seed)
        if seed is not None:
            self.generators[index] = np.random.default_rng(seed)
        gravity = entry.get("g", self.next[index])
        if isinstance(gravity, tuple):
            gravity = self.generators[index].uniform(*gravity[1:])
        bound = entry.get("x_init", np.pi)
        angle = self.generators[index].uniform(-bound, bound)
        self.generators[index].uniform(-1, 1)
        self.current[index], self.angles[index], self.elapsed[index] = gravity, angle, 0

    def step(self):
        """Steps all environments; returns whether each row is the first of an episode."""
        begins = []
        for index in self.ids:
            ended = self.elapsed[index] == LIMIT
            if ended and self.mode == "next_step":
                self.begin(index)
                begins.append(True)
                continue
            self.elapsed[index] += 1
            begins.append(self.elapsed[index] == LIMIT and self.mode == "same_step")
            if begins[-1]:
                self.begin(index)
        return begins


GRAVITY = st.floats(0, 20) | st.tuples(st.just("uniform"), st.floats(1, 2), st.floats(3, 4))
CHANGES = st.one_of(
    st.tuples(st.just("set"), st.lists(st.integers(0, 3), min_size=1, unique=True), GRAVITY),
    st.tuples(st.just("each"), st.permutations(range(4)), st.lists(GRAVITY, min_size=4, max_size=4)),
    st.tuples(
        st.just("queue"),
        st.lists(st.integers(0, 3), min_size=1, max_size=6),
        st.fixed_dictionaries({}, optional={"seed": st.integers(0, 9), "g": GRAVITY, "x_init": st.floats(0, 1)}),
    ),
    st.tuples(st.just("clear"), st.lists(st.integers(0, 3), min_size=1, unique=True)),
    st.tuples(st.just("reset"), st.none() | st.integers(0, 99)),
    st.tuples(st.just("restore")),
    st.tuples(st.just("step"), st.integers(1, 5)),
)

PLANS = st.lists(CHANGES, max_size=12)


def follow(task, mode, plan):  # noqa: PLR0912 - one branch for each call
    """Runs a plan with a pool of a task and with the model, and compares them after each call."""
    env = envpool_rs.make_vec(task, 4, seed=5, max_episode_steps=LIMIT, autoreset_mode=mode)
    model, actions = Model(4, mode, 5), np.zeros((4, 1), np.float32)

    def check(observations, begins):
        angles = [model.angles[index] for index in model.ids]
        for index in np.flatnonzero(begins):
            assert observations[index][0] == np.float32(np.cos(angles[index]))
        np.testing.assert_array_equal(env.get_options()["g"], model.current)
        np.testing.assert_array_equal(env.queued_resets(), [len(queue) for queue in model.queues])

    def reset(seed=None):
        observations, _ = env.reset(seed=seed)
        for index in model.ids:
            model.begin(index, None if seed is None else seed + index)
        check(observations, np.ones(4, bool))

    def step():
        if mode == "disabled" and model.elapsed[0] == LIMIT:
            reset()
        observations = env.step(actions)[0]
        check(observations, model.step())

    reset()
    for change, *arguments in plan:
        if change == "set":
            ids, gravity = arguments
            env.set_options(g=gravity, env_ids=ids)
            for index in ids:
                model.next[index] = gravity
        elif change == "each":
            ids, gravities = arguments
            env.set_options(g=gravities, env_ids=ids)
            for index, gravity in zip(ids, gravities, strict=True):
                model.next[index] = gravity
        elif change == "queue":
            ids, entry = arguments
            options = {name: value for name, value in entry.items() if name != "seed"}
            env.queue_resets(ids, seeds=entry.get("seed"), options=options)
            for index in ids:
                model.queues[index].append(entry)
        elif change == "clear":
            env.clear_resets(arguments[0])
            for index in arguments[0]:
                model.queues[index].clear()
        elif change == "reset":
            reset(arguments[0])
        elif change == "restore":
            other = pickle.loads(pickle.dumps(env))
            other.set_state(env.get_state())
            env = copy.deepcopy(other)
        else:
            for _ in range(arguments[0]):
                step()
