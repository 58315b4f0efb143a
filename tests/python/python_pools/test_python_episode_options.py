"""Tests that Python environments get options and seeds of later episodes, also by autoreset in a worker process."""

import os

import envpool_rs
import gymnasium
import numpy as np
import pytest

MODES = ("next_step", "same_step", "disabled")


class Recorder(gymnasium.Env):
    """Environment whose observation has the seed and the option ``g`` of its last reset; episodes have 2 steps."""

    observation_space = gymnasium.spaces.Box(-100, 100, (2,), np.float64)
    action_space = gymnasium.spaces.Discrete(2)

    def reset(self, *, seed=None, options=None):
        self.count = 0
        self.shown = np.array([-1 if seed is None else seed, (options or {}).get("g", -1)], np.float64)
        return self.shown, {}

    def step(self, action):
        self.count += 1
        return self.shown, 0.0, self.count == 2, False, {}


class Fragile(Recorder):
    """Environment whose process ends in a step with action 1."""

    def step(self, action):
        if action == 1:
            os._exit(1)
        return super().step(action)


def pool(mode, env=Recorder, **options):
    return envpool_rs.make_vec([env] * 3, autoreset_mode=mode, num_workers=2, **options)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("options", [{}, {"seed": 40}, {"caller_steps": True}])
def test_resets_get_options_and_queued_seeds(mode, options):
    with pool(mode, **options) as env:
        env.queue_resets([0, 0, 2], seeds=[7, None, 8], options={"g": [1.0, 2.0, 3.0]})
        env.set_options(g=5.0, env_ids=[0, 1])
        assert env.queued_resets().tolist() == [2, 0, 1]
        first = 40 if "seed" in options else -1
        shown = env.reset()[0]
        np.testing.assert_array_equal(shown, [[7, 1], [first + ("seed" in options), 5], [8, 3]])
        assert env.get_options()["g"].tolist() == [1, 5, 3]
        for expected in ([[-1, 2], [-1, 5], [-1, -1]], [[-1, 5], [-1, 5], [-1, -1]]):
            for _ in range({"next_step": 3, "same_step": 2, "disabled": 2}[mode]):
                shown = env.step(np.zeros(3, np.int64))[0]
            if mode == "disabled":
                shown = env.reset(options={"reset_mask": np.ones(3, bool)})[0]
            np.testing.assert_array_equal(shown, expected)
        env.queue_resets([1], seeds=9)
        np.testing.assert_array_equal(env.reset(seed=20)[0], [[20, 5], [21, 5], [22, -1]])
        assert env.queued_resets().tolist() == [0, 1, 0]
        env.clear_resets()
        np.testing.assert_array_equal(env.reset(options={"g": 6.0})[0][:, 1], [6, 6, 6])


def test_distributions_follow_the_seeds_of_resets():
    with pool("next_step") as env:
        env.set_options(g=("uniform", 2.0, 3.0))
        drawn = [env.reset(seed=seed)[0][:, 1].tolist() for seed in (4, 4, 5)]
        assert drawn[0] == drawn[1] != drawn[2]
        assert drawn[0] == [np.random.default_rng(4 + index).uniform(2, 3) for index in range(3)]


def test_a_list_that_begins_with_a_name_is_a_distribution():
    with pool("next_step") as env:
        env.set_options(g=["uniform", 2.0, 3.0])
        shown = env.reset(seed=4)[0][:, 1].tolist()
        assert shown == [np.random.default_rng(4 + index).uniform(2, 3) for index in range(3)]


def test_a_restarted_worker_keeps_the_options_of_later_episodes():
    with pool("next_step", restart=True) as env:
        env.set_options(g=5.0)
        env.reset()
        env.apply_to_some([0], _die)
        for _ in range(4):
            shown = env.step(np.zeros(3, np.int64))[0]
        assert shown[:, 1].tolist() == [5, 5, 5]


def test_seeds_of_some_environments_leave_the_queues_of_others_to_them():
    mask = np.array([True, True, False])
    with pool("disabled") as env:
        for options in (None, {"reset_mask": mask}):
            env.reset()
            env.queue_resets(seeds=[7, 8, 9])
            assert env.reset(seed=[5, None, 6], options=options)[0][:2, 0].tolist() == [5, 8]
            assert env.queued_resets().tolist() == [1, 0, 1]
            assert env.reset(seed=[None] * 3, options=options)[0][0, 0] == 7
            assert env.queued_resets().tolist() == [0, 0, 0 if options is None else 1]
            env.clear_resets()


def test_a_restarted_worker_keeps_the_queue():
    with pool("same_step", restart=True, env=Fragile) as env:
        env.queue_resets([0, 0, 0, 2], seeds=[6, 7, 8, 9])
        env.queue_resets([0], seeds=10)
        assert env.reset()[0][:, 0].tolist() == [6, -1, 9]
        env.clear_resets([2])
        env.queue_resets([1, 2], seeds=11)
        for expected, queued in ((7, [2, 0, 1]), (8, [1, 0, 0])):
            shown, _, _, _, infos = env.step(np.array([1, 0, 0]))  # ends the process of the first two environments
            assert infos["restarted"].tolist() == [True, True, False]
            assert shown[0, 0] == expected and env.queued_resets().tolist() == queued
        assert env.reset()[0][:, 0].tolist() == [10, -1, -1]


@pytest.mark.parametrize("mode", ["next_step", "disabled"])
@pytest.mark.parametrize("options", [{}, {"seed": 40}])
def test_the_row_of_a_lost_environment_takes_no_queued_reset(mode, options):
    with pool(mode, restart=True, env=Fragile, **options) as env:
        env.queue_resets([0, 0, 1], seeds=[6, 7, 8])
        env.reset()
        env.set_options(g=5.0)
        *_, truncated, infos = env.step(np.array([1, 0, 0]))  # ends the process of the first two environments
        assert infos["restarted"].tolist() == truncated.tolist() == [True, True, False]
        assert env.queued_resets().tolist() == [1, 0, 0]
        if mode == "disabled":
            shown = env.reset(options={"reset_mask": np.array([True, True, False])})[0]
        else:
            shown = env.step(np.zeros(3, np.int64))[0]
        assert shown[0].tolist() == [7, 5] and env.queued_resets().tolist() == [0, 0, 0]


def _die(env):
    import os
    import threading

    threading.Timer(0.05, os._exit, [1]).start()


def test_wrong_arguments_are_refused():
    with pool("next_step") as env:
        for call, error in (
            (lambda: env.set_options(g=[1, 2]), ValueError),
            (lambda: env.set_options(g=("uniform", 3, 2)), ValueError),
            (lambda: env.set_options(g=1, when="now"), ValueError),
            (lambda: env.set_options(g=1, env_ids=[9]), IndexError),
            (lambda: env.queue_resets(seeds=[1]), ValueError),
            (lambda: env.queue_resets(seeds="x"), TypeError),
            (lambda: env.queue_resets(seeds={1, 2, 3}), TypeError),
            (lambda: env.queue_resets(options={1: 2}), TypeError),
            (lambda: env.set_options(seed=3), ValueError),
            (lambda: env.set_options(max_episode_steps=3), ValueError),
            (lambda: env.queue_resets(options={"num_envs": 3}), ValueError),
            (lambda: env.queue_resets(options={"reset_mask": np.ones(3, bool)}), ValueError),
            (lambda: env.queue_resets(seeds=-1), ValueError),
            (lambda: env.queue_resets(seeds=[0, 1, 2**63]), ValueError),
            (lambda: env.queue_resets(options=[1]), TypeError),
            (lambda: env.set_options(g=("uniform", 0, np.inf)), ValueError),
            (lambda: env.set_options(g=("uniform", -1e308, 1e308)), ValueError),
            (lambda: env.set_options(g=("uniform", "a", "b")), ValueError),
            (lambda: env.set_options(g=("integers", 0.5, 1.5)), ValueError),
            (lambda: env.set_options(g=("integers", 0, 2**70)), ValueError),
            (lambda: env.set_options(g=("choice",)), ValueError),
            (lambda: env.set_options(g=["uniform", 2, 1]), ValueError),
            (lambda: env.queue_resets(options={"g": [1, 2, ("choice",)]}), ValueError),
        ):
            with pytest.raises(error):
                call()
        assert env.reset()[0][:, 1].tolist() == [-1, -1, -1]
