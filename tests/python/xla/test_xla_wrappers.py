"""Tests that gymnasium's wrappers that return jax arrays accept this package's single and vector environments."""

import envpool_rs
import gymnasium
import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("array_api_compat")
from gymnasium import wrappers  # noqa: E402
from gymnasium.wrappers import vector as vector_wrappers  # noqa: E402

ENVS = 3


def vectors():
    return envpool_rs.make_vec("CartPole-v1", ENVS, max_episode_steps=5)


def single():
    return gymnasium.make("envpool_rs/CartPole-v1", disable_env_checker=True)


def test_jax_to_numpy_wraps_a_pool():
    plain, wrapped = vectors(), vector_wrappers.JaxToNumpy(vectors())
    assert_equal(wrapped.reset(seed=1)[0], plain.reset(seed=1)[0])
    for _ in range(8):
        action = np.array([0, 1, 1])
        for ours, own in zip(wrapped.step(action)[:4], plain.step(action)[:4], strict=True):
            assert isinstance(ours, np.ndarray)
            assert_equal(ours, own)


def test_jax_to_torch_wraps_a_pool():
    torch = pytest.importorskip("torch")
    wrapped = vector_wrappers.JaxToTorch(vectors())
    observation, _ = wrapped.reset(seed=1)
    assert isinstance(observation, torch.Tensor)
    results = wrapped.step(torch.tensor([0, 1, 1]))
    assert all(isinstance(each, torch.Tensor) for each in results[:4])
    own = vectors()
    own.reset(seed=1)
    assert_equal(results[0].numpy(), own.step(np.array([0, 1, 1]))[0])


def test_wrappers_accept_a_single_environment():
    plain, wrapped = single(), wrappers.JaxToNumpy(single())
    assert_equal(wrapped.reset(seed=1)[0], plain.reset(seed=1)[0])
    assert_equal(wrapped.step(np.int64(1))[0], plain.step(1)[0])
    torch = pytest.importorskip("torch")
    tensors = wrappers.JaxToTorch(single())
    assert isinstance(tensors.reset(seed=1)[0], torch.Tensor)
    assert isinstance(tensors.step(torch.tensor(1))[0], torch.Tensor)


def test_the_pools_step_accepts_jax_arrays():
    env, own = vectors(), vectors()
    for each in (env, own):
        each.reset(seed=1)
    assert_equal(env.step(jax.numpy.array([0, 1, 1]))[0], own.step(np.array([0, 1, 1]))[0])


def assert_equal(ours, own):
    np.testing.assert_array_equal(np.asarray(ours), np.asarray(own))
