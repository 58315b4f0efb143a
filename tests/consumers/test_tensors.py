"""Tests torch tensors as actions and ids, and as views of a pool's results."""

import envpool_rs
import numpy as np
import pytest

torch = pytest.importorskip("torch")

ENVS = 3


def pool(task="CartPole-v1", **options):
    env = envpool_rs.make(task, num_envs=ENVS, seed=2, **options)
    env.reset()
    return env


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "bool", "float32", "float64", "float16"])
def test_tensors_of_every_dtype_are_accepted_as_actions(dtype):
    expected = pool().step(np.array([0, 1, 1]))[0]
    actions = torch.tensor([0, 1, 1]).to(getattr(torch, dtype))
    np.testing.assert_array_equal(pool().step(actions)[0], expected)


def test_continuous_tensors_of_any_strides_are_actions():
    expected = pool("Pendulum-v1").step(np.array([[0.5], [1.0], [-1.0]], np.float32))[0]
    wide = torch.tensor([[0.5, 9.0], [1.0, 9.0], [-1.0, 9.0]])
    np.testing.assert_array_equal(pool("Pendulum-v1").step(wide[:, :1])[0], expected)


def test_tensors_are_accepted_as_env_ids():
    env = envpool_rs.make("CartPole-v1", num_envs=ENVS, batch_size=2)
    env.async_reset()
    *_, info = env.recv()
    env.send(torch.zeros(2, dtype=torch.int64), torch.from_numpy(info["env_id"]))
    assert env.recv()[4]["env_id"].shape == (2,)
    sync = pool()
    assert sync.reset(torch.tensor([2, 0]))[1]["env_id"].tolist() == [2, 0]
    assert sync.step(torch.tensor([1]), torch.tensor([1]))[4]["env_id"].tolist() == [1]


def test_errors_for_tensors_with_gradients_name_the_remedy():
    with pytest.raises(RuntimeError, match="detach"):
        pool("Pendulum-v1").step(torch.zeros(ENVS, 1, requires_grad=True))


def test_wrong_tensors_are_refused_like_wrong_arrays():
    with pytest.raises(ValueError, match=r"action\[1\] is 2: expected an integer from 0 to 1"):
        pool().step(torch.tensor([0, 2, 1]))
    with pytest.raises(ValueError, match="action"):
        pool().step(torch.zeros(ENVS + 1, dtype=torch.int64))


@pytest.mark.parametrize("view", [torch.from_numpy, torch.as_tensor, torch.from_dlpack])
def test_tensors_share_the_memory_of_observations(view):
    observation = pool().step(torch.zeros(ENVS, dtype=torch.int64))[0]
    assert view(observation).data_ptr() == observation.ctypes.data


@pytest.mark.parametrize("view", [torch.from_numpy, torch.from_dlpack])
def test_a_tensor_keeps_its_observation_alive(view):
    env = pool()
    shown, copies = [], []
    for _ in range(50):
        observation = env.step(torch.ones(ENVS, dtype=torch.int64))[0]
        shown.append(view(observation))
        copies.append(observation.copy())
        del observation
    assert all((tensor.numpy() == copy).all() for tensor, copy in zip(shown, copies, strict=True))


def test_vector_environments_accept_tensors():
    env = envpool_rs.make_vec("CartPole-v1", ENVS)
    env.reset(seed=1)
    assert env.step(torch.ones(ENVS, dtype=torch.int64))[0].shape == (ENVS, 4)
    with envpool_rs.make_vec("CartPole-v1", ENVS, vectorization_mode="shared_memory") as env:
        env.reset(seed=1)
        assert env.step(torch.ones(ENVS, dtype=torch.int64))[0].shape == (ENVS, 4)
