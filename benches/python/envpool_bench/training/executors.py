"""Vector environments of four projects behind one interface, for the training benchmark.

An executor has ``reset() -> observations``, ``step(actions) -> (observations, rewards, ends)`` and ``close()``. An end
is a termination or a truncation. With ``resets_in_next_step``, the step after an end resets the environment and ignores
the action. Otherwise, the step that ends an episode returns the first observation of the next episode.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Task:
    """Task of the benchmark: its ids in the projects, sizes and goal."""

    name: str
    """Id here and in EnvPool."""
    gymnasium_id: str
    """Id in gymnasium."""
    goal: float
    """Mean return of the last 100 episodes at which the training stops."""
    num_envs: int
    pool_options: dict[str, Any] = field(default_factory=dict)
    """Options of the task here and in EnvPool."""


FRAME = 42
"""Height and width of Atari's frames."""

TASKS = (
    Task("CartPole-v1", "CartPole-v1", 475.0, 32),
    Task("HalfCheetah-v4", "HalfCheetah-v4", 1000.0, 64),
    Task(
        "Pong-v5",
        "ALE/Pong-v5",
        10.0,
        128,
        {"img_height": FRAME, "img_width": FRAME, "reward_clip": True, "repeat_action_probability": 0.0},
    ),
    Task("myoElbowPose1D6MRandom-v0", "myoElbowPose1D6MRandom-v0", 700.0, 16),
    Task("myoHandPoseRandom-v0", "myoHandPoseRandom-v0", 100.0, 16),
)
"""Tasks of the benchmark."""


class Pool:
    """Executor over a pool of this package or of EnvPool."""

    resets_in_next_step = True
    solved: Array | None = None
    """Which environments report that the last step solved the task."""

    def __init__(self, make: Callable[..., Any], task: Task, seed: int, threads: int) -> None:
        options = {"num_envs": task.num_envs, "num_threads": threads, "seed": seed, **task.pool_options}
        self.envs = make(task.name, **options)
        self.action_space: Any = self.envs.action_space
        self.observation_shape: tuple[int, ...] = self.envs.observation_space.shape

    def reset(self) -> Array:
        """Resets all environments."""
        observations: Array = self.envs.reset()[0]
        return observations

    def step(self, actions: Array) -> tuple[Array, Array, Array]:
        """Steps all environments."""
        observations, rewards, terminated, truncated, info = self.envs.step(actions)
        self.solved = np.asarray(info.get("solved", np.zeros(len(rewards), bool)), bool)
        return observations, rewards, terminated | truncated

    def close(self) -> None:
        """Ends the threads or processes of the environments."""
        self.envs.close()


class Async(Pool):
    """Executor over gymnasium's ``AsyncVectorEnv``, with a process for each environment and observations in shared
    memory.
    """

    def __init__(self, task: Task, seed: int) -> None:
        from gymnasium.vector import AsyncVectorEnv

        self.envs = AsyncVectorEnv([lambda: single_env(task)] * task.num_envs)
        self.seed = seed
        self.action_space: Any = self.envs.single_action_space
        self.observation_shape: tuple[int, ...] = self.envs.single_observation_space.shape or ()

    def reset(self) -> Array:
        """Resets all environments with consecutive seeds, starting at the executor's seed."""
        observations: Array = self.envs.reset(seed=self.seed)[0]
        return observations


class Subproc:
    """Executor over Stable-Baselines3's ``SubprocVecEnv``, with a process for each environment and results through
    pipes.
    """

    resets_in_next_step = False
    solved: Array | None = None

    def __init__(self, task: Task, seed: int) -> None:
        from stable_baselines3.common.vec_env import SubprocVecEnv

        self.envs = SubprocVecEnv([lambda: single_env(task)] * task.num_envs)
        self.envs.seed(seed)
        self.action_space: Any = self.envs.action_space
        self.observation_shape: tuple[int, ...] = self.envs.observation_space.shape or ()

    def reset(self) -> Array:
        """Resets all environments."""
        return np.asarray(self.envs.reset())

    def step(self, actions: Array) -> tuple[Array, Array, Array]:
        """Steps all environments."""
        observations, rewards, ends, _ = self.envs.step(actions)
        return np.asarray(observations), rewards, ends

    def close(self) -> None:
        """Ends the environments' processes."""
        self.envs.close()


def single_env(task: Task) -> Any:
    """Makes gymnasium's environment of a task. Atari's environments get the wrappers whose functions pools contain."""
    import gymnasium

    if task.gymnasium_id.startswith("myo"):
        importlib.import_module("myosuite")
    if not task.gymnasium_id.startswith("ALE/"):
        return gymnasium.make(task.gymnasium_id)
    import ale_py
    from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation

    gymnasium.register_envs(ale_py)
    env = gymnasium.make(task.gymnasium_id, frameskip=1, repeat_action_probability=0.0)
    return FrameStackObservation(AtariPreprocessing(env, screen_size=FRAME), 4)


def envpool_rs_executor(task: Task, seed: int, threads: int) -> Pool:
    """Makes an executor over a pool of this package."""
    import envpool_rs

    return Pool(envpool_rs.make_gymnasium, task, seed, threads)


def envpool_executor(task: Task, seed: int, threads: int) -> Pool:
    """Makes an executor over a pool of EnvPool."""
    return Pool(importlib.import_module("envpool").make_gymnasium, task, seed, threads)


EXECUTORS: dict[str, Callable[[Task, int, int], Any]] = {
    "envpool_rs": envpool_rs_executor,
    "EnvPool": envpool_executor,
    "AsyncVectorEnv": lambda task, seed, _: Async(task, seed),
    "SubprocVecEnv": lambda task, seed, _: Subproc(task, seed),
}
"""Makers of the executors by name: task, seed, number of threads."""
