"""Tests that gymnasium's vector wrappers accept this package's environments, with equal results as over gymnasium's
own.
"""

import importlib.util

import envpool_rs
import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import vector as wrappers
from gymnasium.wrappers.transform_action import ClipAction as ClipOneAction
from gymnasium.wrappers.transform_observation import FlattenObservation as FlattenOneObservation
from gymnasium.wrappers.transform_reward import ClipReward as ClipOneReward
from test_contract import assert_same

ENVS = 3
HALF_UNIT = spaces.Box(-0.5, 0.5, (ENVS, 3))
CONTINUOUS = [
    (wrappers.TransformObservation, {"func": lambda obs: obs / 2, "observation_space": HALF_UNIT}),
    (wrappers.FlattenObservation, {}),
    (wrappers.ReshapeObservation, {"shape": (3, 1)}),
    (wrappers.RescaleObservation, {"min_obs": 0.0, "max_obs": 1.0}),
    (wrappers.DtypeObservation, {"dtype": np.float64}),
    (wrappers.NormalizeObservation, {}),
    (wrappers.TransformAction, {"func": lambda action: -action}),
    (wrappers.ClipAction, {}),
    (wrappers.RescaleAction, {"min_action": -1.0, "max_action": 1.0}),
    (wrappers.TransformReward, {"func": lambda reward: reward - 1}),
    (wrappers.ClipReward, {"min_reward": -1.0, "max_reward": 0.0}),
    (wrappers.NormalizeReward, {}),
    (wrappers.DictInfoToList, {}),
    (wrappers.VectorizeTransformObservation, {"wrapper": FlattenOneObservation}),
    (wrappers.VectorizeTransformAction, {"wrapper": ClipOneAction}),
    (wrappers.VectorizeTransformReward, {"wrapper": ClipOneReward, "min_reward": -1.0, "max_reward": 0.0}),
    (wrappers.RecordEpisodeStatistics, {}),
]
ON_CART_POLE = [
    (wrappers.ReshapeObservation, {"shape": (2, 2)}),
    (wrappers.TransformObservation, {"func": np.tanh, "observation_space": spaces.Box(-1, 1, (ENVS, 4))}),
    *(
        (wrapper, arguments)
        for wrapper, arguments in CONTINUOUS
        if "Reward" in wrapper.__name__
        or wrapper.__name__ in ("DictInfoToList", "DtypeObservation", "FlattenObservation", "NormalizeObservation")
        or wrapper is wrappers.RecordEpisodeStatistics
    ),
]
"""Wrappers around an environment whose episodes terminate."""

NEEDS_OTHERS = {
    "FilterObservation": "dict observations",
    "GrayscaleObservation": "pictures as observations",
    "ResizeObservation": "pictures as observations",
    "RecordVideo": "render()",
    "HumanRendering": "render()",
    "ArrayConversion": "torch or jax",
    "JaxToNumpy": "jax",
    "JaxToTorch": "jax",
    "NumpyToTorch": "torch",
}
"""Wrappers that the general tests omit: they need other observations or further packages.

Tests in this file, in test_rendering.py and in test_xla_wrappers.py cover them.
"""


LIMITS = {"Pendulum-v1": 7, "CartPole-v1": 500}


def ours(task="Pendulum-v1", **options):
    return envpool_rs.make_vec(task, ENVS, max_episode_steps=LIMITS[task], **options)


def theirs(task="Pendulum-v1"):
    return SyncVectorEnv([lambda: gymnasium.make(task, max_episode_steps=LIMITS[task])] * ENVS)


# Ignores warnings that gymnasium's own vector environments also cause.
SPACES = pytest.mark.filterwarnings(
    "ignore:.*observation space and the batched single observation space",
    "ignore:.*precision lowered by casting",
    "ignore:overflow encountered in cast",
)


def play(env, actions):
    """Resets and steps a vector environment; returns the results without elapsed times."""
    results = [env.reset(seed=5), *(env.step(action) for action in actions)]
    for result in results:
        infos = result[-1] if isinstance(result[-1], (list, tuple)) else [result[-1]]
        for info in infos:
            info.get("episode", {}).pop("t", None)
    return results


def test_every_wrapper_is_tested():
    assert {wrapper.__name__ for wrapper, _ in CONTINUOUS} | NEEDS_OTHERS.keys() == set(wrappers.__all__)


@SPACES
@pytest.mark.parametrize(
    ("task", "wrapper", "arguments"),
    [*(("Pendulum-v1", *each) for each in CONTINUOUS), *(("CartPole-v1", *each) for each in ON_CART_POLE)],
    ids=lambda value: value if isinstance(value, str) else getattr(value, "__name__", ""),
)
def test_a_wrapper_gives_equal_results_around_gymnasiums_environment(task, wrapper, arguments):
    mine, other = wrapper(ours(task), **arguments), wrapper(theirs(task), **arguments)
    assert mine.observation_space == other.observation_space and mine.action_space == other.action_space
    assert mine.metadata["autoreset_mode"] is other.metadata["autoreset_mode"]
    rng = np.random.default_rng(1)
    if task == "Pendulum-v1":
        actions = [rng.uniform(-3, 3, (ENVS, 1)).astype(np.float32) for _ in range(20)]
    else:
        actions = rng.integers(2, size=(60, ENVS))
    for left, right in zip(play(mine, actions), play(other, actions), strict=True):
        assert_same(left, right)


def test_wrappers_can_be_nested():
    env = wrappers.NormalizeReward(wrappers.NormalizeObservation(wrappers.RecordEpisodeStatistics(ours())))
    env.reset(seed=1)
    infos = [env.step(np.zeros((ENVS, 1), np.float32))[4] for _ in range(7)]
    assert infos[6]["episode"]["l"].tolist() == [7] * ENVS


def test_observations_are_normalised_in_next_step_mode_only():
    with pytest.raises((AssertionError, ValueError), match="NEXT_STEP"):
        wrappers.NormalizeObservation(ours(autoreset_mode="same_step"))


def test_statistics_are_not_recorded_twice():
    env = wrappers.RecordEpisodeStatistics(ours(record_episode_statistics=True))
    env.reset()
    with pytest.raises(ValueError, match="already exists in info"):
        for _ in range(7):
            env.step(np.zeros((ENVS, 1), np.float32))


class Pictures(gymnasium.Wrapper):
    """Wrapper that replaces the observation by an image."""

    def __init__(self, env):
        super().__init__(env)
        self.observation_space = spaces.Box(0, 255, (6, 8, 3), np.uint8)

    def reset(self, **arguments):
        observation, info = super().reset(**arguments)
        return self.picture(observation), info

    def step(self, action):
        observation, *others = super().step(action)
        return self.picture(observation), *others

    def picture(self, observation):
        return np.full((6, 8, 3), (observation[:3] * 30 + 128).astype(np.uint8), np.uint8)


def test_pictures_become_gray_around_python_environments():
    with envpool_rs.make_vec("CartPole-v1", 2, vectorization_mode="shared_memory", wrappers=[Pictures]) as envs:
        gray = wrappers.GrayscaleObservation(envs)
        assert gray.reset(seed=1)[0].shape == (2, 6, 8)


@pytest.mark.skipif(importlib.util.find_spec("cv2") is None, reason="gymnasium resizes with OpenCV")
def test_pictures_are_resized_around_python_environments():
    with envpool_rs.make_vec("CartPole-v1", 2, vectorization_mode="shared_memory", wrappers=[Pictures]) as envs:
        assert wrappers.ResizeObservation(envs, (3, 4)).reset(seed=1)[0].shape == (2, 3, 4, 3)


def dict_env():
    class Dicts(gymnasium.ObservationWrapper):
        def __init__(self, env):
            super().__init__(env)
            self.observation_space = spaces.Dict(a=env.observation_space, b=env.observation_space)

        def observation(self, observation):
            return {"a": observation, "b": -observation}

    return Dicts(gymnasium.make("CartPole-v1"))


def test_dict_observations_are_filtered_around_python_environments():
    env = wrappers.FilterObservation(SyncVectorEnv([dict_env] * 2), ["a"])
    pool = envpool_rs.make_python([dict_env] * 2)
    assert pool.observation_space == env.unwrapped.single_observation_space
    pool.close()


@pytest.mark.parametrize("wrapper", ["NumpyToTorch", "ArrayConversion"])
def test_observations_are_converted_to_tensors(wrapper):
    torch = pytest.importorskip("torch")
    pytest.importorskip("array_api_compat")
    env = wrappers.NumpyToTorch(ours()) if wrapper == "NumpyToTorch" else wrappers.ArrayConversion(ours(), np, torch)
    observation, _ = env.reset(seed=1)
    observation, reward, terminated, *_ = env.step(torch.zeros(ENVS, 1))
    assert all(isinstance(each, torch.Tensor) for each in (observation, reward, terminated))


@pytest.mark.parametrize("mode", AutoresetMode)
def test_gymnasium_makes_vector_environments_in_every_mode(mode):
    env = gymnasium.make_vec("envpool_rs/CartPole-v1", num_envs=2, autoreset_mode=mode)
    assert env.metadata["autoreset_mode"] is env.autoreset_mode is mode
    assert env.unwrapped is env and env.spec.id == "envpool_rs/CartPole-v1"
