"""Reinforcement-learning environments stepped in batches, with the interfaces that RL libraries already use.

A pool of native environments (written in Rust) has one of two interfaces:

* ``make``, ``make_gymnasium``, ``make_gym``, ``make_dm``: EnvPool's interface. ``observation_space`` and
  ``action_space`` are those of one environment, rewards are float32, ``info`` contains ``env_id``.
* ``make_vec`` and ``gymnasium.make_vec("envpool_rs/CartPole-v1", num_envs=8)``: gymnasium's ``VectorEnv``. Batched
  spaces next to ``single_*`` spaces, float64 rewards, gymnasium's infos.

``make_python`` and ``make_vec`` also run environments written in Python, in worker processes. ``load_plugin`` adds the
tasks of a shared library, ``envpool_rs.numba.env`` a task that Numba compiles. ``Batch`` steps many simulations of a
MuJoCo model. ``evaluate`` plays a fixed set of episodes, ``film`` writes one. ``install_as_envpool`` lets programs that
import ``envpool`` run unchanged. ``check_vector_env`` checks any vector environment. Importing this package registers
every task with gymnasium under ``envpool_rs/``.
"""

from __future__ import annotations

from pkgutil import iter_modules
from typing import TYPE_CHECKING

from envpool_rs._core import __version__
from envpool_rs._on_demand import on_demand
from envpool_rs._tasks.plugins import get_include, load_plugin, register
from envpool_rs._tasks.table import list_all_envs, register_with_gymnasium

if TYPE_CHECKING:
    from envpool_rs import as_envpool as as_envpool, batch as batch, cli as cli  # noqa: I001
    from envpool_rs import envpool_alias as envpool_alias, evaluation as evaluation
    from envpool_rs import films as films, frame_memory as frame_memory
    from envpool_rs import multi_agent as multi_agent, multi_env as multi_env, numba as numba, pettingzoo as pettingzoo
    from envpool_rs import pools as pools, pufferlib as pufferlib, ray as ray, recording as recording
    from envpool_rs import registration as registration, rllib as rllib, sb3 as sb3, spaces as spaces
    from envpool_rs import tianshou as tianshou, torch as torch, vector as vector
    from envpool_rs import vector_env_check as vector_env_check, workers as workers, xla as xla
    from envpool_rs._family_modules import *  # noqa: F403 - modules
    from envpool_rs._make.signatures import make, make_dm, make_gym, make_gymnasium, make_python, make_spec, make_vec
    from envpool_rs._tasks.plugin_checks import check_plugin
    from envpool_rs.batch import Batch
    from envpool_rs.envpool_alias import install_as_envpool
    from envpool_rs.evaluation import evaluate
    from envpool_rs.films import film
    from envpool_rs.frame_memory import FrameMemory
    from envpool_rs.recording import record
    from envpool_rs.vector_env_check import check_vector_env
else:
    from envpool_rs._make.make import make, make_dm, make_gym, make_gymnasium, make_spec, make_vec

__all__ = ["__version__", "make", "make_dm", "make_gym", "make_gymnasium", "make_python", "make_spec", "make_vec"]
__all__ += ["Batch", "FrameMemory", "check_vector_env", "evaluate", "film", "install_as_envpool", "record"]
__all__ += ["check_plugin", "get_include", "list_all_envs", "load_plugin", "register"]

register_with_gymnasium()

# Names and modules that are imported on first access, so that importing this package takes little time.
_ON_DEMAND = {
    "Batch": "envpool_rs.batch",
    "FrameMemory": "envpool_rs.frame_memory",
    "check_plugin": "envpool_rs._tasks.plugin_checks",
    "check_vector_env": "envpool_rs.vector_env_check",
    "evaluate": "envpool_rs.evaluation",
    "film": "envpool_rs.films",
    "install_as_envpool": "envpool_rs.envpool_alias",
    "make_python": "envpool_rs._python_pool",
    "record": "envpool_rs.recording",
}
_MODULES = frozenset(each.name for each in iter_modules(__path__) if not each.name.startswith("_"))  # noqa: F405

if not TYPE_CHECKING:  # for type checkers, which otherwise accept any attribute of this package
    __getattr__ = on_demand(__name__, _ON_DEMAND, _MODULES)


def __dir__() -> list[str]:
    return sorted({*globals(), *_ON_DEMAND, *_MODULES, "__all__"})
