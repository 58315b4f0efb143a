"""Vector environments of Python environments, with Tianshou's and MetaBox's ``BaseVectorEnv`` interface."""

from envpool_rs.vector.base_vector_env import BaseVectorEnv, DummyVectorEnv, RunningMeanStd, SubprocVectorEnv
from envpool_rs.vector.env_worker import DummyEnvWorker, EnvWorker, SubprocEnvWorker
from envpool_rs.vector.ray_vector_env import RayEnvWorker, RaySubprocVectorEnv, RayVectorEnv

__all__ = [
    "BaseVectorEnv",
    "DummyEnvWorker",
    "DummyVectorEnv",
    "EnvWorker",
    "RayEnvWorker",
    "RaySubprocVectorEnv",
    "RayVectorEnv",
    "RunningMeanStd",
    "SubprocEnvWorker",
    "SubprocVectorEnv",
]
