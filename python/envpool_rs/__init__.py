"""Reinforcement-learning environments stepped in bulk, behind the interfaces that trainers already speak.

Two contracts, one pool:

* ``make``, ``make_gymnasium``, ``make_gym``, ``make_dm``: EnvPool's. ``observation_space`` and ``action_space`` are
those of one
  environment, rewards are float32, ``info`` carries ``env_id``.
* ``make_vec`` and ``gymnasium.make_vec("envpool_rs/CartPole-v1", num_envs=8)``: gymnasium's ``VectorEnv``. Batched
spaces beside
  ``single_*`` spaces, float64 rewards, gymnasium's infos.

``make_python`` makes the former of environments written in Python, and ``make_vec`` the latter of every id that
``gymnasium.make`` takes: both in worker processes, over shared memory.

Importing this package registers every task with gymnasium under ``envpool_rs/``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from envpool_rs._core import __version__
from envpool_rs.registration import (
    list_all_envs,
    make,
    make_dm,
    make_gym,
    make_gymnasium,
    make_spec,
    make_vec,
    register,
    register_with_gymnasium,
)

if TYPE_CHECKING:
    from envpool_rs.python_pool import make_python

__all__ = [
    "__version__",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_python",
    "make_spec",
    "make_vec",
    "register",
]

register_with_gymnasium()


def __getattr__(name: str) -> Any:
    # Worker processes and all that belongs to them are imported when they are asked for.
    if name == "make_python":
        from envpool_rs.python_pool import make_python

        return make_python
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
