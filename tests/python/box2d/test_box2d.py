"""Tests that Box2D environments equal gymnasium's, bit for bit, with the package `box2d` 2.3.10.

Environment `i` of a pool with seed `s` is `gymnasium.make` with seed `s + i`, episode after episode in one world.

`BOX2D_STEPS` sets the number of compared steps of each environment, and `BOX2D_SEEDS` the number of environments of
each task, each with its own seed (`nox -s exact -- box2d`); by default some hundreds, and a few.
"""

import contextlib
import os

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from scripts import prints_the_same_with_all_vectors
from tasks import BOX2D_ALIASES

pytest.importorskip("Box2D")
pygame = pytest.importorskip("pygame")

STEPS = int(os.environ.get("BOX2D_STEPS", "0"))
SEED = 11
LANES = int(os.environ.get("BOX2D_SEEDS", "4"))
#: Pixels (rows, columns) that are not compared: CarRacing draws the reward into observations, and fonts differ.
NUMBER = (slice(87, 93), slice(0, 14))

WIND = {"enable_wind": True, "wind_power": 15.0, "turbulence_power": 1.5}
#: Compared runs: task, options, default number of steps.
CASES = [
    ("LunarLander-v3", {}, 1000),
    ("LunarLander-v3", {"gravity": -3.7, **WIND}, 500),
    ("LunarLander-v3", {"continuous": True, "gravity": -11.5}, 500),
    ("LunarLanderContinuous-v3", {**WIND, "wind_power": 20.0, "turbulence_power": 0.3}, 500),
    ("BipedalWalker-v3", {}, 700),
    ("BipedalWalker-v3", {"hardcore": True}, 700),
    ("BipedalWalkerHardcore-v3", {}, 700),
]


def lander_acts(observation, random, continuous):
    """Returns an action for a lander.

    Every other episode follows gymnasium's heuristic, which lands; in the others the action is random.
    """
    from gymnasium.envs.box2d.lunar_lander import heuristic

    class Lander:
        unwrapped = None

    lander = Lander()
    lander.unwrapped = lander
    lander.continuous = continuous
    if random.random() < 0.1:
        return random.uniform(-1.2, 1.2, 2).astype(np.float32) if continuous else random.integers(4)
    return heuristic(lander, observation)


class Policies:
    """A policy for each environment.

    Policies of environments with odd numbers use gymnasium's heuristics; all other policies use random actions.
    """

    def __init__(self, task, options, count):
        from gymnasium.envs.box2d.bipedal_walker import BipedalWalkerHeuristics

        self.task, self.random = task, np.random.default_rng(3)
        self.continuous = "Continuous" in task or options.get("continuous", "Lunar" not in task)
        self.walks = [BipedalWalkerHeuristics() for _ in range(count)]
        for walk in self.walks:
            walk.a = np.zeros(4)

    def act(self, observation):
        return np.array([self.of(lane, row) for lane, row in enumerate(observation)], self.dtype)

    @property
    def dtype(self):
        return np.float32 if self.continuous else np.int64

    def of(self, lane, row):
        if self.task.startswith("Lunar"):
            if lane % 2:
                return lander_acts(row, self.random, self.continuous)
            return self.random.uniform(-1.2, 1.2, 2) if self.continuous else self.random.integers(4)
        return self.walks[lane].step_heuristic(row) if lane % 2 else self.random.uniform(-1.2, 1.2, 4)


def reference(task, options, count):
    return SyncVectorEnv([lambda: gymnasium.make(task, disable_env_checker=True, **options)] * count)


@pytest.mark.parametrize(("task", "options", "steps"), CASES)
def test_a_pool_equals_gymnasium(task, options, steps, parity_table):
    ours, theirs = envpool_rs.make_vec(task, LANES, **options), reference(task, options, LANES)
    policies, episodes, truncated = Policies(task, options, LANES), 0, 0
    observation, _ = ours.reset(seed=SEED)
    assert observation.tobytes() == theirs.reset(seed=SEED)[0].tobytes()
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    steps = STEPS or steps
    for step in range(steps):
        action = policies.act(observation)
        result, expected = ours.step(action)[:4], theirs.step(action)[:4]
        for name, our, their in zip(
            ("observation", "reward", "terminated", "truncated"), result, expected, strict=True
        ):
            assert np.asarray(our).tobytes() == np.asarray(their).tobytes(), (task, options, step, name, our, their)
        observation = np.array(result[0])
        episodes, truncated = episodes + int((result[2] | result[3]).sum()), truncated + int(result[3].sum())
    values = steps * LANES * (observation.shape[1] + 3)
    parity_table.add(task, 1, steps * LANES, episodes, truncated, values, 0)
    tell(task, options, LANES, episodes, steps * LANES, values)
    assert episodes


def tell(task, options, seeds, episodes, steps, values, pixels=0):
    """Prints the numbers of compared episodes, steps, values and pixels, for `pytest -s`.

    All compared values were equal, because a difference would have ended the test.
    """
    options = " ".join(f"{name}={value}" for name, value in options.items())
    counts = f"{seeds} seeds, {episodes} episodes, {steps} steps, {values} values"
    shown = f", {pixels} pixels but for those of the number" if pixels else ""
    print(f"\n{task} {options}: {counts}{shown}: 0 differ")


def cars(count, continuous, options):
    return [
        gymnasium.make("CarRacing-v3", continuous=continuous, disable_env_checker=True, **options) for _ in range(count)
    ]


@pytest.mark.parametrize(
    ("continuous", "options"),
    [(True, {}), (False, {}), (True, {"domain_randomize": True, "lap_complete_percent": 0.5})],
)
def test_races_equal_gymnasiums(continuous, options, parity_table, pytestconfig):
    """Compares rewards and ends of episodes, which depend on all of the physics, and pixels.

    Pixels of the displayed reward are excluded, because fonts differ.
    """
    # gymnasium draws a picture in each step, which takes most of the test's time.
    count, steps = max(2, LANES // 20), STEPS // 4 or (150 if pytestconfig.getoption("all_instances") else 40)
    ours = envpool_rs.make_vec("CarRacing-v3", count, continuous=continuous, autoreset_mode="Disabled", **options)
    theirs, random = cars(count, continuous, options), np.random.default_rng(5)
    ours.reset(seed=SEED)
    for lane, car in enumerate(theirs):
        car.reset(seed=SEED + lane)
    pixels = wrong = ended = truncated = 0
    for step in range(steps):
        if step % 10 == 0 and continuous:
            action = np.stack(
                [random.uniform(-0.5, 0.5, count), random.uniform(0, 1, count), random.choice([0, 0, 0.3], count)], 1
            ).astype(np.float32)
        elif step % 10 == 0:
            action = random.choice([0, 1, 2, 3, 3, 3, 4], count)
        result = ours.step(action)
        expected = [car.step(act) for car, act in zip(theirs, action, strict=True)]
        for part, name in ((1, "reward"), (2, "terminated"), (3, "truncated")):
            their = np.array([each[part] for each in expected], result[part].dtype)
            assert result[part].tobytes() == their.tobytes(), (step, name, result[part], their)
        differs = (np.stack([each[0] for each in expected]) != result[0]).any(-1)
        differs[:, NUMBER[0], NUMBER[1]] = False
        pixels, wrong = pixels + differs.size, wrong + int(differs.sum())
        done = result[2] | result[3]
        if done.any():
            ended, truncated = ended + int(done.sum()), truncated + int(result[3].sum())
            ours.reset(options={"reset_mask": done.copy()})
            for car in np.array(theirs, dtype=object)[done]:
                car.reset()
    parity_table.add("CarRacing-v3", 1, steps * count, ended, truncated, steps * count * 3, 0)
    tell("CarRacing-v3", {"continuous": continuous, **options}, count, ended, steps * count, steps * count * 3, pixels)
    # pygame rounds the car's corners differently from pygame-ce, which gymnasium uses.
    assert wrong == 0 if hasattr(pygame, "IS_CE") else wrong / pixels < 0.01


def follow(car, track):
    """Returns the action that steers along the road, aiming ahead of the car, and slows down before turns."""
    place, velocity = np.array(car.hull.position), np.hypot(*car.hull.linearVelocity)
    here = int(((track - place) ** 2).sum(1).argmin())

    def turn(ahead):
        x, y = track[(here + ahead) % len(track)] - place
        return (np.arctan2(y, x) - np.pi / 2 - car.hull.angle + np.pi) % (2 * np.pi) - np.pi

    wanted = max(18, 60 - 60 * abs(turn(10 + int(velocity / 6))))
    gas, brake = 0.5 * (velocity < wanted), 0.4 * (velocity > wanted + 8)
    return np.array([np.clip(-1.2 * turn(4 + int(velocity / 12)), -1, 1), gas, brake], np.float32)


@pytest.mark.parametrize("drives", ["a lap", "off the field"])
def test_race_ends_equal_gymnasiums(drives, parity_table):
    """Compares races that end after a complete lap (1000 points), or because the car leaves the field."""
    ours = envpool_rs.make_vec("CarRacing-v3", 1, max_episode_steps=3000, autoreset_mode="Disabled")
    race = gymnasium.make("CarRacing-v3", max_episode_steps=3000, disable_env_checker=True).unwrapped
    shows = race._render
    ours.reset(seed=1)
    race.reset(seed=1)
    track = np.array([place[2:] for place in race.track])
    for step in range(3000):
        # The reference renders only every 50th frame, because rendering takes most of its time.
        race._render = shows if step % 50 == 0 else lambda mode: None
        action = follow(race.car, track) if drives == "a lap" else np.array([0, 0.15, 0], np.float32)
        pixels, reward, terminated = ours.step(action[None])[:3]
        expected, wanted, ended, _, info = race.step(action)
        assert (reward[0], terminated[0]) == (wanted, ended), step
        if expected is not None:
            differs = (pixels[0] != expected).any(-1)
            differs[NUMBER] = False
            assert not differs.any() if hasattr(pygame, "IS_CE") else differs.mean() < 0.01
        if ended:
            break
    assert info == {"lap_finished": drives == "a lap"}
    parity_table.add("CarRacing-v3", 1, step + 1, 1, 0, 2 * (step + 1), 0)


@pytest.mark.parametrize("alias", BOX2D_ALIASES)
def test_older_ids_are_aliases_of_version_3(alias, parity_table):
    ours, third = envpool_rs.make_vec(alias, 3), envpool_rs.make_vec(alias.replace("-v2", "-v3"), 3)
    ours.action_space.seed(2)
    ours.reset(seed=1)
    third.reset(seed=1)
    episodes = truncated = values = 0
    for step in range(steps := 150):
        action = ours.action_space.sample()
        result, expected = ours.step(action)[:4], third.step(action)[:4]
        for our, their in zip(result, expected, strict=True):
            assert np.asarray(our).tobytes() == np.asarray(their).tobytes(), step
            values += np.size(our)
        episodes, truncated = episodes + int((result[2] | result[3]).sum()), truncated + int(result[3].sum())
    parity_table.add(alias, 1, 3 * steps, episodes, truncated, values, 0)


@pytest.mark.parametrize("task", ["LunarLander-v3", "BipedalWalkerHardcore-v3", "CarRacing-v3"])
def test_a_snapshot_during_contacts_continues_bit_for_bit(task):
    with (
        contextlib.closing(envpool_rs.make_vec(task, 6)) as ours,
        contextlib.closing(envpool_rs.make_vec(task, 6)) as other,
    ):
        ours.action_space.seed(1)
        ours.reset(seed=5)
        other.reset(seed=900)
        for _ in range(90):
            ours.step(ours.action_space.sample())
        other.set_state(ours.get_state())
        for step in range(150):
            action = ours.action_space.sample()
            one, two = ours.step(action)[:4], other.step(action)[:4]
            assert [np.asarray(part).tobytes() for part in one] == [np.asarray(part).tobytes() for part in two], step


PROGRAM = """
import hashlib, envpool_rs, numpy as np
for task in ("LunarLander-v3", "BipedalWalker-v3", "BipedalWalkerHardcore-v3"):
    env = envpool_rs.make_vec(task, 37, num_threads=1)
    env.action_space.seed(2)
    env.reset(seed=4)
    digest = hashlib.sha256()
    for _ in range(250):
        for part in env.step(env.action_space.sample())[:4]:
            digest.update(np.ascontiguousarray(part).tobytes())
    print(task, digest.hexdigest())
"""


@pytest.mark.slow
def test_all_vector_instructions_give_equal_bits():
    assert prints_the_same_with_all_vectors(PROGRAM).count("\n") == 3


@pytest.mark.parametrize("gravity", [0.0, -12.0, 3.0, np.nan, np.inf, -np.inf, [-10.0, 1.0]])
def test_gravity_that_gymnasium_refuses_is_refused(gravity):
    with pytest.raises(ValueError, match="gravity"):
        envpool_rs.make_vec("LunarLander-v3", 2, gravity=gravity)


def test_drawn_gravity_outside_gymnasiums_range_is_refused():
    with pytest.raises(ValueError, match="gravity"):
        envpool_rs.make_vec("LunarLander-v3", 2, gravity=("uniform", -13.0, -10.0)).reset(seed=0)


@pytest.mark.parametrize("task", ["LunarLanderContinuous-v3", "BipedalWalker-v3", "CarRacing-v3"])
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_nan_actions_are_refused_and_change_nothing(task, value):
    env, other = (envpool_rs.make_vec(task, 2, seed=3) for _ in range(2))
    for each in (env, other):
        each.reset()
    well = np.full((2, *env.single_action_space.shape), 0.2, np.float32)
    ill = well.copy()
    ill[1, -1] = value
    for _ in range(3):
        with pytest.raises(ValueError, match="finite"):
            env.step(ill)
        one, two = env.step(well)[:4], other.step(well)[:4]
        assert [part.tobytes() for part in one] == [part.tobytes() for part in two]


@pytest.mark.parametrize("task", ["LunarLanderContinuous-v3", "BipedalWalker-v3", "CarRacing-v3"])
@pytest.mark.parametrize("value", [5.0, 1e30, -1e30, 3e38])
def test_extreme_actions_affect_only_their_environment(task, value):
    """Checks that a world in any state can be rendered, and that extreme actions do not affect other environments."""
    env = envpool_rs.make_vec(task, 3, autoreset_mode="Disabled", render_mode="rgb_array")
    well = envpool_rs.make_vec(task, 3, autoreset_mode="Disabled")
    env.reset(seed=1)
    well.reset(seed=1)
    action = np.full((3, *env.single_action_space.shape), value, np.float32)
    action[1] = 0.0
    for _ in range(20):
        one, other = env.step(action), well.step(np.zeros_like(action))
        assert [part[1].tobytes() for part in one[:3]] == [part[1].tobytes() for part in other[:3]]
    assert len(env.render()) == 3
    env.reset(seed=7)
    well.reset(seed=7)
    action[:] = 0.3
    for _ in range(20):
        one, other = env.step(action), well.step(action)
        assert [part[1].tobytes() for part in one[:3]] == [part[1].tobytes() for part in other[:3]]
        assert np.isfinite(one[0]).all()


@pytest.mark.parametrize(("task", "options"), [("LunarLander-v3", {}), ("CarRacing-v3", {"continuous": False})])
def test_discrete_actions_out_of_range_are_refused(task, options):
    env = envpool_rs.make_vec(task, 2, **options)
    env.reset(seed=0)
    for action in ([-1, 0], [0, env.single_action_space.n], [2**40, 0], [0.5, np.nan]):
        with pytest.raises((ValueError, TypeError)):
            env.step(np.array(action))
    assert np.isfinite(env.step(np.array([0, 1]))[0]).all()


@pytest.mark.parametrize("power", [np.nan, np.inf, -5.0, 1e30])
def test_extreme_wind_does_not_panic(power):
    options = {"enable_wind": True, "wind_power": power, "turbulence_power": power}
    if not np.isfinite(power):
        with pytest.raises(ValueError, match=r"_power="):
            envpool_rs.make_vec("LunarLander-v3", 2, **options)
        return
    env = envpool_rs.make_vec("LunarLander-v3", 2, **options)
    env.reset(seed=0)
    for _ in range(50):
        env.step(np.array([0, 2]))
    assert env.reset(seed=0)[0].shape == (2, 8)
    well = envpool_rs.make_vec("LunarLander-v3", 2)
    assert np.isfinite(well.reset(seed=0)[0]).all()


@pytest.mark.parametrize("percent", [-1.0, 0.0, 2.0])
def test_lap_complete_percent_accepts_any_number(percent):
    """Checks that the option `lap_complete_percent` accepts any number, as in gymnasium, which only compares it with
    the driven share of the road.
    """
    env = envpool_rs.make_vec("CarRacing-v3", 1, lap_complete_percent=percent)
    env.reset(seed=0)
    assert env.step(np.zeros((1, 3), np.float32))[2][0] == (percent <= 0)


@pytest.mark.parametrize("way", ["queue", "reset", "set"])
def test_colours_of_a_randomized_race_end_with_its_episode(way):
    env = envpool_rs.make_vec("CarRacing-v3", 1)
    plain = env.reset(seed=3)[0]
    if way == "queue":
        env.queue_resets(seeds=7, options={"domain_randomize": True})
    if way == "set":
        env.set_options(domain_randomize=True)
    randomized = env.reset(options={"domain_randomize": True} if way == "reset" else None)[0]
    assert env.get_options()["domain_randomize"].all() and (randomized != plain).any()
    env.set_options(domain_randomize=False)
    np.testing.assert_array_equal(env.reset(seed=3)[0], plain)


def test_options_may_be_drawn_for_each_episode():
    env = envpool_rs.make_vec("LunarLander-v3", 8, gravity=("uniform", -11.0, -2.0), enable_wind=[True, False] * 4)
    env.action_space.seed(0)
    env.reset(seed=1)
    for _ in range(300):
        observation = env.step(env.action_space.sample())[0]
    assert np.isfinite(observation).all()
