"""Environments in worker processes, with the interface of actorcritic's ``multi_env``.

``create_subprocess_envs`` makes environments in worker processes behind shared memory. ``MultiEnv`` steps all of them
at the same time and resets each when its episode ends. ``SubprocessEnv`` is a single environment in a process.
"""

from envpool_rs.multi_env.multi_env import MultiEnv, _AutoResetWrapper
from envpool_rs.multi_env.subprocess_env import SubprocessEnv, create_subprocess_envs

__all__ = ["MultiEnv", "SubprocessEnv", "_AutoResetWrapper", "create_subprocess_envs"]
