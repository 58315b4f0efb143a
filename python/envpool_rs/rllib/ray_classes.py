"""Which classes ours derive from: RLlib's own where ray is installed, plain ones where it is not.

RLlib tells the kinds of environments apart by ``isinstance``, so that its classes have to be among our bases. They are
looked for once, when ``envpool_rs.rllib`` is imported; nothing else in this package imports ray.
"""

from __future__ import annotations

import importlib
import importlib.util
import threading
import warnings
from typing import Any

import gymnasium

OLDEST_RAY = (2, 50)
"""The oldest release of ray whose RLlib calls environments as this package expects."""


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split(".")[:2] if part.isdigit())


def _is_ray(module: Any) -> bool:
    """Whether it is the package, and not some folder of that name, which Python imports as well."""
    return hasattr(module, "__version__") and hasattr(module, "init")


def _has_rllib() -> bool:
    """Whether a usable RLlib is installed. ray alone, without RLlib's own requirements, is none.

    Raises:
        ImportError: where ray is installed, and cannot be imported.
    """
    if importlib.util.find_spec("ray") is None:
        return False
    ray = importlib.import_module("ray")
    if not _is_ray(ray):
        return False
    if _version(ray.__version__) < OLDEST_RAY:
        oldest = ".".join(map(str, OLDEST_RAY))
        warnings.warn(
            f"ray {ray.__version__} is installed: envpool_rs.rllib needs {oldest} or later to give RLlib its "
            "environments, and does without RLlib",
            RuntimeWarning,
            stacklevel=2,
        )
        return False
    try:
        importlib.import_module("ray.rllib.env.base_env")
    except ModuleNotFoundError as error:
        # A requirement of RLlib's is missing, where ray came without its extra; all else is a broken installation.
        if error.name is None or error.name.partition(".")[0] == "ray":
            raise
        return False
    return True


def _rllib_class(module: str, name: str, otherwise: type) -> Any:
    return getattr(importlib.import_module(f"ray.rllib.env.{module}"), name) if uses_ray else otherwise


uses_ray: bool = _has_rllib()
"""Whether the classes of ``envpool_rs.rllib`` are subclasses of RLlib's."""


class PlainMultiAgentEnv(gymnasium.Env):
    """What environments with many agents are where there is no RLlib: a class to know them by."""


RayBaseEnv = _rllib_class("base_env", "BaseEnv", object)
RayVectorEnv = _rllib_class("vector_env", "VectorEnv", object)
RayMultiAgentEnv = _rllib_class("multi_agent_env", "MultiAgentEnv", PlainMultiAgentEnv)
RayExternalEnv = _rllib_class("external_env", "ExternalEnv", threading.Thread)
RayExternalMultiAgentEnv = _rllib_class("external_multi_agent_env", "ExternalMultiAgentEnv", threading.Thread)


def import_ray() -> Any:
    """The package ray.

    Raises:
        ImportError: without ray, naming the extra that brings it; what an installed ray raised itself.
    """
    needed = "remote_envs=True needs ray: pip install 'envpool_rs[ray]'"
    try:
        ray = importlib.import_module("ray")
    except ModuleNotFoundError as error:
        if error.name != "ray":
            raise
        raise ImportError(needed) from error
    if not _is_ray(ray):
        raise ImportError(needed)
    return ray
