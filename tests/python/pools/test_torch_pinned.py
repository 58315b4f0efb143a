"""Tests `envpool_rs.torch.Pinned`: results on a device equal the pool's own.

The GPU is simulated: it copies only when a stream or event is synchronised.
"""

import importlib
import sys
from collections import deque

import envpool_rs
import fake_torch
import numpy as np
import pytest
from test_contract import assert_same

ENVS, STEPS = 3, 12


@pytest.fixture
def pinned_class(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", fake_torch.module())
    monkeypatch.delitem(sys.modules, "envpool_rs.torch", raising=False)
    yield importlib.import_module("envpool_rs.torch").Pinned
    sys.modules.pop("envpool_rs.torch", None)
    vars(envpool_rs).pop("torch", None)


def arrays(tree):
    """Returns the values of a result's tensors, as arrays."""
    if isinstance(tree, dict):
        return {key: arrays(part) for key, part in tree.items()}
    if isinstance(tree, tuple):
        return tuple(arrays(part) for part in tree)
    return tree.array if isinstance(tree, fake_torch.Tensor) else tree


def play(pinned, plain):
    """Plays a `Pinned` and a plain pool; returns the results of both, read after all copies have ended."""
    ours, expected = [pinned.reset(seed=1)], [plain.reset(seed=1)]
    for step in range(STEPS):
        actions = np.full(ENVS, step % 2)
        # The action stays on the CPU, because reading one from the device would wait for all copies.
        ours.append(pinned.step(actions))
        expected.append(plain.step(actions))
        expected[-1] = (*(part.copy() for part in expected[-1][:-1]), None)
        ours[-1] = (*ours[-1][:-1], None)
    fake_torch.DRIVER.run(fake_torch.DRIVER.issued)
    return ours, expected


@pytest.mark.parametrize("device", ["cuda", "cpu"])
@pytest.mark.parametrize("buffers", [1, 2, 3])
def test_results_on_the_device_equal_the_pools_results(pinned_class, device, buffers):
    env, plain = (envpool_rs.make("CartPole-v1", num_envs=ENVS) for _ in range(2))
    ours, expected = play(pinned_class(env, device, buffers=buffers), plain)
    assert [each[0].device.type for each in ours] == [device] * (STEPS + 1)
    for result, wanted in zip(ours[1:], expected[1:], strict=True):
        assert_same(arrays(result), wanted)
    assert_same(arrays(ours[0][0]), expected[0][0])


def test_copies_overlap_with_the_next_step(pinned_class):
    pinned = pinned_class(envpool_rs.make("CartPole-v1", num_envs=ENVS))
    pinned.reset()
    waiting = deque(maxlen=4)
    for _ in range(STEPS):
        pinned.step(np.zeros(ENVS, int))
        waiting.append(len(fake_torch.DRIVER.queued))
    assert set(waiting) == {8}, "the copies of two steps, four arrays each, are queued"


def test_the_fake_device_detects_memory_that_is_reused_too_early(pinned_class, monkeypatch):
    monkeypatch.setattr(fake_torch.Event, "synchronize", lambda _event: None)
    env, plain = (envpool_rs.make("CartPole-v1", num_envs=ENVS) for _ in range(2))
    ours, expected = play(pinned_class(env), plain)
    assert not np.array_equal(arrays(ours[1][0]), expected[1][0])


def test_pinned_copies_accept_tensors_and_keys(pinned_class):
    env, plain = (envpool_rs.make_gym("CartPole-v1", num_envs=ENVS, gym_reset_return_info=False) for _ in range(2))
    pinned = pinned_class(env, keys=["obs", "reward"])
    first = pinned.reset()
    plain.reset()
    target = fake_torch.Tensor(np.zeros((ENVS, 4), np.float32), "cuda")
    observation, reward, done, info = pinned.step(fake_torch.Tensor(np.zeros(ENVS, int), "cuda"), into={"obs": target})
    expected = plain.step(np.zeros(ENVS, int))
    fake_torch.DRIVER.run(fake_torch.DRIVER.issued)
    assert observation is target and reward.device.type == "cuda" and first.device.type == "cuda"
    assert_same((target.array, reward.array, done, info), expected)
    with pytest.raises(ValueError, match="into has the key 'done'"):
        pinned.step(np.zeros(ENVS, int), into={"done": target})


def test_a_step_with_wrong_targets_steps_no_environment(pinned_class):
    tensor = fake_torch.Tensor
    env = envpool_rs.make("CartPole-v1", num_envs=ENVS, max_episode_steps=9)
    pinned = pinned_class(env)
    pinned.reset()
    before = env.get_state()
    right = np.zeros((ENVS, 4), np.float32)
    expanded = tensor(np.broadcast_to(np.float32(0), (ENVS, 4)), "cuda")
    for into, error, message in (
        ({"obs": right}, TypeError, r"into\['obs'\]=ndarray: expected a tensor"),
        ({"obs": tensor(right)}, ValueError, r"into\['obs'\] is on cpu: expected a tensor on cuda:0"),
        ({"obs": tensor(right, "cuda:1")}, ValueError, "is on cuda:1"),
        ({"obs": tensor(right[:2], "cuda")}, ValueError, r"into\['obs'\] has shape \(2, 4\): expected \(3, 4\)"),
        ({"obs": tensor(right.astype(int), "cuda")}, ValueError, r"into\['obs'\] has dtype int64: expected float32"),
        ({"obs": expanded}, ValueError, r"into\['obs'\]: expected a tensor with memory for each element"),
        ([right], TypeError, "expected a dict of tensors"),
    ):
        with pytest.raises(error, match=message):
            pinned.step(np.zeros(ENVS, int), into=into)
    assert env.get_state() == before
    nested = envpool_rs.make_vec("MiniGrid-DoorKey-5x5-v0", ENVS, seed=1)
    pinned = pinned_class(nested, keys=["obs"])
    pinned.reset()
    with pytest.raises(ValueError, match=r"into\['obs'\] has the keys \[\]: expected 'direction', too"):
        pinned.step(np.zeros(ENVS, int), into={"obs": {}})


def test_nested_observations_are_copied(pinned_class):
    env, plain = (envpool_rs.make_vec("MiniGrid-DoorKey-5x5-v0", ENVS, seed=1) for _ in range(2))
    pinned = pinned_class(env, keys=["obs"])
    pinned.reset(), plain.reset()
    observation = pinned.step(np.zeros(ENVS, int))[0]
    expected = plain.step(np.zeros(ENVS, int))[0]
    fake_torch.DRIVER.run(fake_torch.DRIVER.issued)
    assert_same(arrays(observation), {key: expected[key] for key in observation})


def test_wrong_arguments_are_refused(pinned_class):
    env = envpool_rs.make("CartPole-v1", num_envs=4)
    with pytest.raises(ValueError, match=r"keys=\['observation'\]: expected some of obs, reward"):
        pinned_class(env, keys=["observation"])
    for wrong, error, message in (
        ({"buffers": 0}, ValueError, "buffers=0: expected 1 to 1024"),
        ({"buffers": 10**9}, ValueError, "buffers=1000000000: expected 1 to 1024"),
        ({"buffers": 2.0}, TypeError, r"buffers=2\.0: expected an int"),
        ({"keys": "obs"}, TypeError, "keys='obs': expected a list of names"),
    ):
        with pytest.raises(error, match=message):
            pinned_class(env, **wrong)
    with pytest.raises(RuntimeError, match="synchronous"):
        pinned_class(envpool_rs.make("CartPole-v1", num_envs=4, batch_size=2))


def test_without_torch_the_error_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "envpool_rs.torch", raising=False)
    with pytest.raises(ImportError, match=r"envpool_rs\[torch\]"):
        importlib.import_module("envpool_rs.torch")
