"""Tests that `render()` of Box2D environments equals gymnasium's with pygame-ce, pixel by pixel.

`BOX2D_STEPS` sets the number of steps of each environment (`nox -s exact -- box2d`); by default some hundreds.
"""

import contextlib
import os
from types import SimpleNamespace

import envpool_rs
import gymnasium
import numpy as np
import pytest

pytest.importorskip("Box2D")
pygame = pytest.importorskip("pygame")

pytestmark = pytest.mark.slow

STEPS = int(os.environ.get("BOX2D_STEPS", "0"))
#: Pixels (rows, columns) of the reward that CarRacing draws, for which this package uses another font.
NUMBER = (slice(350, 400), slice(0, 90))
#: Skips a test without pygame-ce, because the older pygame covers other pixels.
needs_pygame_ce = pytest.mark.skipif(not hasattr(pygame, "IS_CE"), reason="gymnasium draws with pygame-ce")


def reference(task, monkeypatch):
    env = gymnasium.make(task, render_mode="rgb_array", disable_env_checker=True).unwrapped
    if task.startswith("Lunar"):
        # Replaces the lander's engine particles, which gymnasium simulates only if it renders, and this package never
        # simulates.
        spark = SimpleNamespace(ApplyLinearImpulse=lambda *impulse: None)
        monkeypatch.setattr(env, "_create_particle", lambda *where: spark)
    return env


class Policy:
    """Policy that uses gymnasium's heuristics in every other episode, and random actions in the others."""

    def __init__(self, task, env):
        from gymnasium.envs.box2d.bipedal_walker import BipedalWalkerHeuristics

        self.task, self.env, self.random = task, env, np.random.default_rng(3)
        self.walk = BipedalWalkerHeuristics()
        self.walk.a = np.zeros(4)
        self.drive = None

    def act(self, observation, step, is_able):
        from gymnasium.envs.box2d.lunar_lander import heuristic

        if self.task.startswith("Lunar"):
            return heuristic(self.env, observation) if is_able else int(self.random.integers(4))
        if self.task.startswith("Car"):
            if step % 12 == 0:
                steering, gas = self.random.uniform(-1, 1), self.random.uniform(0.3, 1)
                self.drive = np.array([steering, gas, self.random.choice([0, 0, 0, 0.5, 1])], np.float32)
            return self.drive
        action = self.walk.step_heuristic(observation) if is_able else self.random.uniform(-1, 1, 4)
        return np.asarray(action, np.float32)


@needs_pygame_ce
@pytest.mark.parametrize(
    "task", ["LunarLander-v3", "BipedalWalker-v3", "BipedalWalkerHardcore-v3", "CarRacing-v3"], ids=lambda task: task
)
def test_pictures_equal_gymnasiums(task, monkeypatch):
    """Compares images of some steps; for walkers, of the first 20 of every 100 steps, in which the lidar is drawn."""
    shown = marks = 0
    for episode, steps in enumerate([STEPS or 240] * 3):
        env = reference(task, monkeypatch)
        observation = env.reset(seed=episode)[0]
        shows = getattr(env, "_render", None)
        if shows:  # skips rendering of observations, which takes long and is tested elsewhere
            monkeypatch.setattr(env, "_render", lambda mode, shows=shows: shows(mode) if mode == "rgb_array" else None)
        policy = Policy(task, env)
        with contextlib.closing(envpool_rs.make_vec(task, 1, render_mode="rgb_array", seed=episode)) as ours:
            ours.reset()
            for step in range(steps):
                if "Walker" in task and step % 20 and step % 100 > 20:
                    env.lidar_render = (env.lidar_render + 1) % 100  # a call of `render` toggles this flag
                elif "Walker" in task or step % 20 == 0:
                    differs = (env.render() != ours.render()[0]).any(-1)
                    if shows:
                        differs[NUMBER] = False
                    assert not differs.any(), (episode, step, np.argwhere(differs)[:5])
                    shown += 1
                action = policy.act(observation, step, episode % 2)
                observation, _, terminated, _, _ = env.step(action)
                assert ours.step(np.array([action]))[2][0] == terminated
                if terminated:
                    break
            marks += len(env.car.particles) if shows else 0
    assert shown >= 12
    place = " beside the number" * bool(shows)
    print(f"\n{task}: {shown} pictures, {shown * differs.size} pixels: 0 differ{place}")
    assert marks > 10 or not shows


@pytest.mark.parametrize("task", ["LunarLander-v3", "BipedalWalker-v3", "BipedalWalkerHardcore-v3", "CarRacing-v3"])
def test_pictures_of_another_size_are_drawn_in_that_size(task):
    """Compares pictures of twice, once and half the default size, the larger averaged in blocks of 2 by 2 pixels."""

    def drawn(width, height):
        size = {"render_width": width, "render_height": height}
        with contextlib.closing(envpool_rs.make_vec(task, 1, render_mode="rgb_array", seed=3, **size)) as env:
            env.reset()
            pictures = []
            # A lander at rest, or an episode that ends, would leave nothing that moves.
            for step in range(120):
                env.step(np.full_like(np.asarray(env.action_space.sample()), step // 10 % 2))
                if step % 40 == 30:
                    pictures.append(env.render()[0])
        return np.stack(pictures)

    def halved(pictures):
        count, height, width, _ = pictures.shape
        return pictures.reshape(count, height // 2, 2, width // 2, 2, 3).mean((2, 4))

    def edges(pictures):
        """Returns the number of neighbouring pixels with different colours."""
        return sum((np.diff(pictures.astype(int), axis=axis) != 0).any(-1).sum() for axis in (1, 2))

    default = drawn(0, 0)
    double, half = drawn(1200, 800), drawn(300, 200)
    assert default.shape[1:] == (400, 600, 3) and double.shape[1:] == (800, 1200, 3) and half.shape[1:] == (200, 300, 3)
    assert np.abs(halved(double) - default).mean() < 2
    assert np.abs(half - halved(default)).mean() < 2
    # Edges are sharp in every size: scaling the default size gives four to six times as many.
    assert edges(double) < 3 * edges(default) and edges(half) < 0.65 * edges(default)
    # Everything that moves is at the same place.
    moved = [np.abs(np.diff(pictures.astype(float), axis=0)).sum(-1) > 90 for pictures in (halved(double), default)]
    assert moved[1].sum() > 200
    assert (moved[0] ^ moved[1]).sum() < 0.25 * moved[1].sum()
