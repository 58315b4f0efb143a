"""Compares MiniGrid's own environments with this package's pools bit for bit, under equal actions.

``python tests/python/minigrid/minigrid_play.py`` prints a table of all ids. Environment variables set the seeds of each
id (``MINIGRID_SEEDS``, 200), the episodes of each seed (``MINIGRID_EPISODES``, 5) and the maximum number of steps of
each seed (``MINIGRID_MOST``).
"""

import contextlib
import importlib.util
import io
import os
import pathlib
import signal
import sys
import warnings
from collections import deque

import envpool_rs
import gymnasium
import numpy as np
from tasks import REGISTERED

#: All ids of MiniGrid and BabyAI in this package.
IDS = [task["id"] for task in REGISTERED if task["id"].startswith(("MiniGrid-", "BabyAI-"))]

WAYS = [(1, 0), (0, 1), (-1, 0), (0, -1)]
LEFT, RIGHT, FORWARD, PICK_UP, DROP, TOGGLE, DONE = range(7)


def has_patterns():
    """Returns whether minigrid can make its WFC levels: ``MINIGRID_PATTERNS`` names the folder of their images."""
    return "MINIGRID_PATTERNS" in os.environ and all(map(importlib.util.find_spec, ("networkx", "imageio")))


def reference(task, **options):
    """Makes one environment of minigrid."""
    import minigrid  # noqa: F401 - registers its ids

    if "-WFC-" in task:
        from minigrid.envs.wfc.config import WFC_PRESETS

        for preset in WFC_PRESETS.values():
            preset.pattern_path = pathlib.Path(os.environ["MINIGRID_PATTERNS"]) / preset.pattern_path.name

    with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
        warnings.simplefilter("ignore")
        return gymnasium.make(task, disable_env_checker=True, **options)


#: Time in seconds after which a reset of minigrid counts as endless; a search for a free cell takes milliseconds.
ENDLESS = 30


class EndlessError(Exception):
    """Raised by `limited` if a reset of minigrid does not end."""


@contextlib.contextmanager
def limited():
    """Interrupts the block of a `with` statement after ``ENDLESS`` seconds."""

    def give_up(*_):
        raise EndlessError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(ENDLESS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def quiet():
    """Suppresses BabyAI's output, a line for each level that it rejects."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def turn(env, way):
    """Returns the action that turns an agent to a direction, or moves the agent if it already faces that direction."""
    number = WAYS.index(way)
    if env.agent_dir == number:
        return FORWARD
    return RIGHT if (number - env.agent_dir) % 4 in (1, 2) else LEFT


def way_to(env, target):
    """Returns the first step on the path to a target, or None if there is no path."""
    start = tuple(map(int, env.agent_pos))
    seen, queue = {start: None}, deque([start])
    while queue:
        here = queue.popleft()
        for way in WAYS:
            there = (here[0] + way[0], here[1] + way[1])
            if there == target:
                first = way
                while seen[here] is not None:
                    here, first = seen[here]
                return first
            if there in seen or not (0 <= there[0] < env.width and 0 <= there[1] < env.height):
                continue
            cell = env.grid.get(*there)
            if cell is None or (cell.type == "door" and cell.is_open) or cell.type == "floor":
                seen[there] = (here, way)
                queue.append(there)
    return None


class Busy:
    """Policy that interacts with objects: picks them up, opens doors, drops them next to other objects, and walks into
    goals.

    Some actions are random.
    """

    def __init__(self, rng, whim=0.08):
        self.rng, self.whim, self.target = rng, whim, None

    def __call__(self, env):
        if self.rng.random() < self.whim:
            self.target = None
            return int(self.rng.integers(env.action_space.n))
        if self.target is None or env.grid.get(*self.target) is None or self.rng.random() < 0.02:
            self.target = self.choose(env)
        way = None if self.target is None else way_to(env, self.target)
        if way is None:
            self.target = None
            return int(self.rng.integers(env.action_space.n))
        front = (int(env.agent_pos[0]) + way[0], int(env.agent_pos[1]) + way[1])
        if front != self.target or env.agent_dir != WAYS.index(way):
            return turn(env, way)
        return self.act(env, env.grid.get(*front))

    def act(self, env, thing):
        self.target = None
        if env.action_space.n <= FORWARD + 1 or thing.type in ("goal", "lava"):
            return FORWARD
        if self.rng.random() < 0.1:
            return DONE
        if thing.type == "door":
            return TOGGLE
        if env.carrying is not None:
            # Drops the carried object, possibly next to the object in front.
            return DROP if self.rng.random() < 0.5 else int(self.rng.choice([LEFT, RIGHT, DROP]))
        return TOGGLE if thing.type == "box" and self.rng.random() < 0.4 else PICK_UP

    def choose(self, env):
        things = []
        for x in range(env.width):
            for y in range(env.height):
                thing = env.grid.get(x, y)
                if thing is not None and thing.type not in ("wall", "lava") and (x, y) != tuple(env.agent_pos):
                    useful = thing.type == "goal" or (thing.type == "key" and env.carrying is None)
                    things += [(x, y)] * (4 if useful else 1)
        return things[self.rng.integers(len(things))] if things else None


class Random:
    """Policy with random actions."""

    def __init__(self, rng):
        self.rng = rng

    def __call__(self, env):
        return int(self.rng.integers(env.action_space.n))


class Plans(list):
    """List of plans of BabyAI's bot that raises an error after too many calls of `append`.

    Without the limit, the bot may loop forever in levels with keys behind doors.
    """

    MOST = 2000
    """Maximum number of plan accesses for one action."""

    left = MOST

    def append(self, plan):
        self.left -= 1
        if self.left < 0:
            raise RecursionError("no end of plans")
        super().append(plan)


class Bot:
    """BabyAI's own bot, which solves solvable levels; if it gives up, a `Busy` agent continues."""

    def __init__(self, rng):
        self.rng, self.busy, self.bot, self.mission, self.last = rng, Busy(rng), None, None, None

    def __call__(self, env):
        from minigrid.utils.baby_ai_bot import BabyAIBot

        if env.step_count == 0:
            self.bot, self.last = BabyAIBot(env), None
            self.bot.stack = Plans(self.bot.stack)
        if self.bot is None:
            return self.busy(env)
        self.bot.stack.left = Plans.MOST
        try:
            self.last = int(self.bot.replan(self.last))
        except Exception:
            self.bot = None
            return self.busy(env)
        return self.last


class Play:
    """Environments of minigrid, a pool of `make_vec` and a pool of `make`, stepped with equal actions; compares their
    results.
    """

    def __init__(self, task, seeds, options=(), wrap=lambda env: env, reference_options=None):
        self.task, self.count = task, len(seeds)
        options = dict(options)
        kept = options if reference_options is None else reference_options
        self.envs = [wrap(reference(task, **kept)) for _ in seeds]
        self.seeds = [int(seed) for seed in seeds]
        self.vector = envpool_rs.make_vec(task, self.count, **options)
        self.envpool = envpool_rs.make(task, num_envs=self.count, seed=0, **options)
        self.values = self.steps = self.episodes = self.truncated = self.solved = self.differing = 0
        self.first_difference = None
        self.endless = False
        self.over = np.zeros(self.count, dtype=bool)

    def close(self):
        for env in self.envs:
            env.close()
        self.vector.close()
        self.envpool.close()

    def reset(self, *, seeded=True):
        """Resets all environments, with their seeds or with continued random streams."""
        seeds = self.seeds if seeded else [None] * self.count
        seed = self.seeds if seeded else None
        with quiet(), self.refused_if_endless(lambda: self.vector.reset(seed=seed)), limited():
            theirs = [env.reset(seed=seed) for env, seed in zip(self.envs, seeds, strict=True)]
        ours, info = self.vector.reset(seed=seed)
        assert info == {}
        self.compare_observations([observation for observation, _ in theirs], ours)
        self.compare_envpool([observation for observation, _ in theirs], *self.envpool.reset(seed=seed))
        self.over[:] = False

    def step(self, policies):
        actions = np.array([policy(env.unwrapped) for policy, env in zip(policies, self.envs, strict=True)])
        observations, rewards = [], np.zeros(self.count)
        terminated, truncated = np.zeros(self.count, dtype=bool), np.zeros(self.count, dtype=bool)
        with quiet(), self.refused_if_endless(lambda: self.vector.step(actions)), limited():
            for index, env in enumerate(self.envs):
                if self.over[index]:
                    observation, _ = env.reset()
                else:
                    observation, rewards[index], terminated[index], truncated[index], _ = env.step(int(actions[index]))
                    self.steps += 1
                observations.append(observation)
        self.over = terminated | truncated
        self.episodes += int(self.over.sum())
        self.truncated += int(truncated.sum())
        self.solved += int((rewards > 0).sum())
        ours, *outcome, info = self.vector.step(actions)
        assert info == {}
        self.compare_observations(observations, ours)
        for name, mine, expected in zip(
            ("reward", "terminated", "truncated"), outcome, (rewards, terminated, truncated), strict=True
        ):
            self.compare(name, mine, expected)
        ours, *outcome, info = self.envpool.step(actions.astype(np.int32))
        self.compare_envpool(observations, ours, info)
        expected = (rewards.astype(np.float32), terminated, truncated)
        for name, mine, each in zip(("float32 reward", "terminated", "truncated"), outcome, expected, strict=True):
            self.compare(f"EnvPool's {name}", mine, each)

    @contextlib.contextmanager
    def refused_if_endless(self, ours):
        """Checks that the pool reports an error for a level whose reset does not end in minigrid."""
        try:
            yield
        except EndlessError:
            self.endless = True
            try:
                ours()
            except RuntimeError:
                raise EndlessError from None
            self.differing += 1
            self.first_difference = ("a level that minigrid looks for without end", self.steps)
            raise

    def compare_observations(self, theirs, ours):
        if not isinstance(ours, dict):
            self.compare("observation", ours, np.stack(theirs))
            return
        assert list(ours) == [key for key in ("direction", "image", "mission") if key in ours]
        self.compare("direction", ours["direction"], np.array([each["direction"] for each in theirs]))
        self.compare("image", ours["image"], np.stack([each["image"] for each in theirs]))
        if isinstance(ours.get("mission"), tuple):
            self.compare_texts(ours["mission"], tuple(each["mission"] for each in theirs))
        elif "mission" in ours and not isinstance(theirs[0]["mission"], str):
            self.compare("tokens", ours["mission"], np.array([each["mission"] for each in theirs]))

    def compare_texts(self, ours, theirs):
        assert all(type(text) is str for text in ours)
        self.values += len(ours)
        if ours != theirs:
            self.differing += 1
            self.first_difference = self.first_difference or ("mission", ours, theirs)

    def compare_envpool(self, theirs, ours, info):
        if not isinstance(ours, dict):
            self.compare("EnvPool's observation", ours, narrow(np.stack(theirs)))
            return
        directions = np.array([each["direction"] for each in theirs], dtype=np.int32)
        self.compare("EnvPool's direction", ours["direction"], directions)
        self.compare("EnvPool's image", ours["image"], narrow(np.stack([each["image"] for each in theirs])))
        if "mission" in ours and isinstance(theirs[0]["mission"], str) and ours["mission"].dtype == np.uint8:
            length = ours["mission"].shape[1]
            missions = [each["mission"].encode().ljust(length, b"\0") for each in theirs]
            self.compare(
                "EnvPool's mission", ours["mission"], np.array([list(each) for each in missions], dtype=np.uint8)
            )
        places = np.array([env.unwrapped.agent_pos for env in self.envs], dtype=np.int32)
        self.compare("agent_pos", info["agent_pos"], places)

    def compare(self, what, ours, theirs):
        assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, (
            what,
            ours.dtype,
            theirs.dtype,
            ours.shape,
            theirs.shape,
        )
        self.values += ours.size
        if ours.tobytes() != theirs.tobytes():
            self.differing += 1
            self.first_difference = self.first_difference or (what, self.steps, ours, theirs)


def narrow(array):
    """Converts int64 to int32, EnvPool's dtype of integers; returns other arrays unchanged."""
    return array.astype(np.int32) if array.dtype == np.int64 else array


def policies_for(task, count, rng):
    """Returns a policy for each environment: a third are random, the others goal-directed."""
    kinds = [Random, Busy, Bot if task.startswith("BabyAI-") else Busy]
    return [kinds[index % 3](rng) for index in range(count)]


def play(task, seeds, episodes, most=100_000, longest=0, **arguments):
    """Steps the environments until each has ended ``episodes`` episodes, for at most ``most`` steps.

    All environments are also reset every ``longest`` steps.
    """
    run = Play(task, seeds, **arguments)
    policies = policies_for(task, run.count, np.random.default_rng(7))
    with contextlib.suppress(EndlessError):
        run.reset()
        ended = np.zeros(run.count, dtype=int)
        for step in range(most):
            if longest and step and step % longest == 0:
                run.episodes += int((~run.over).sum())
                ended += ~run.over
                if (ended >= episodes).all():
                    break
                run.reset(seeded=False)
            run.step(policies)
            ended += run.over
            if run.first_difference or (ended >= episodes).all():
                break
    run.close()
    return run


def runs(task, seeds, episodes):
    """Returns one comparison with all seeds. If minigrid's reset loops forever for one of the seeds, returns a
    comparison for each seed.
    """
    run = play(task, seeds, episodes, most=whole("MINIGRID_MOST", 100_000), longest=whole("MINIGRID_LONGEST", 0))
    if not run.endless or run.first_difference:
        return [run]
    if len(seeds) == 1:
        print(f"{task}, seed {seeds[0]}: minigrid does not end, ours says so", file=sys.stderr)
        return [run]
    return [alone for seed in seeds for alone in runs(task, [seed], episodes)]


def whole(name, default):
    """Reads an integer from an environment variable."""
    return int(os.environ.get(name, default))


def main(ids):
    """Compares the environments of the given ids, and prints a table of the results."""
    seeds, episodes = whole("MINIGRID_SEEDS", 200), whole("MINIGRID_EPISODES", 5)
    print("| id | seeds | episodes | solved | steps | values | differing |\n|---|---|---|---|---|---|---|")
    total, wrong = np.zeros(5, dtype=np.int64), 0
    for task in ids:
        counts = np.zeros(5, dtype=np.int64)
        for first in range(0, seeds, 12):
            for run in runs(task, range(first, min(first + 12, seeds)), episodes):
                counts += (run.episodes, run.solved, run.steps, run.values, run.differing)
                if run.first_difference:
                    print(task, run.first_difference, file=sys.stderr)
        print(f"| `{task}` | {seeds} | " + " | ".join(f"{number:,}" for number in counts) + " |", flush=True)
        total += counts
        wrong += int(counts[-1] > 0)
    print("| all | | " + " | ".join(f"{number:,}" for number in total) + " |")
    return wrong


if __name__ == "__main__":
    sys.exit(main([task for task in IDS if not sys.argv[1:] or any(part in task for part in sys.argv[1:])]))
