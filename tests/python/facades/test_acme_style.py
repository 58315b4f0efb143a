"""Tests EnvPool's interfaces as ACME programs use them: through an adapter, with the attributes and types that it
reads.
"""

import envpool_rs
import numpy as np
import pytest

ENVS = 3


class BatchedEnvironment:
    """Adapter that makes dm_env time steps from results of EnvPool's gymnasium interface, one row per environment."""

    def __init__(self, pool):
        dm_env = pytest.importorskip("dm_env")
        self._dm_env, self._pool = dm_env, pool
        self.num_envs = len(pool.all_env_ids)
        space = pool.observation_space
        self.observations = dm_env.specs.BoundedArray(space.shape, space.dtype, space.low, space.high, "observation")
        actions = pool.action_space
        self.actions = (
            dm_env.specs.DiscreteArray(actions.n, np.int32)
            if hasattr(actions, "n")
            else dm_env.specs.BoundedArray(actions.shape, actions.dtype, actions.low, actions.high)
        )
        self._kinds = np.zeros(self.num_envs, np.int32)

    def reset(self):
        observation, _ = self._pool.reset()
        self._kinds = np.zeros(self.num_envs, np.int32)
        return self._dm_env.TimeStep(self._kinds, None, None, observation)

    def step(self, action):
        observation, reward, terminated, truncated, info = self._pool.step(action)
        first = info["elapsed_step"] == 0
        self._kinds = np.where(first, 0, (terminated + truncated + 1).astype(np.int32))
        return self._dm_env.TimeStep(self._kinds, reward, (1 - terminated).astype(np.float32), observation)


@pytest.mark.parametrize("task", ["CartPole-v1", "Pendulum-v1", "MountainCarContinuous-v0"])
def test_time_steps_equal_those_of_the_dm_interface(task):
    options = {"num_envs": ENVS, "seed": 3, "max_episode_steps": 6}
    adapter = BatchedEnvironment(envpool_rs.make_gymnasium(task, **options))
    ours = envpool_rs.make_dm(task, **options)
    np.testing.assert_array_equal(adapter.reset().observation, ours.reset().observation.obs)
    for _ in range(20):
        action = np.stack([adapter.actions.generate_value()] * ENVS)
        step, expected = adapter.step(action), ours.step(action)
        np.testing.assert_array_equal(step.step_type, expected.step_type)
        np.testing.assert_array_equal(step.reward, expected.reward)
        np.testing.assert_array_equal(step.observation, expected.observation.obs)
        for row in step.observation:
            adapter.observations.validate(row)
