"""Pools of native environments with EnvPool's gymnasium interface, and as gymnasium's vector environments."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

import gymnasium
from gymnasium.vector import VectorEnv as GymnasiumVectorEnv

from envpool_rs._facades.environments import SharedAttributes, zero_other_rows
from envpool_rs._facades.interfaces import GymnasiumInterface, ObservationT, VectorInterface
from envpool_rs._facades.pool import EnvPoolCalls, NativePool, RandomGenerators
from envpool_rs._facades.rendering import EnvPoolRenderMixin, VectorRenderMixin

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class GymnasiumEnvPool(  # type: ignore[misc, override]
    GymnasiumInterface[ObservationT],
    EnvPoolRenderMixin,
    RandomGenerators,
    EnvPoolCalls,
    GymnasiumVectorEnv,
    gymnasium.Env,
    Generic[ObservationT],
):
    """EnvPool's gymnasium interface: ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environment's own infos. Rewards are float32, integers int32. The pool is an instance of both
    ``gymnasium.vector.VectorEnv`` and ``gymnasium.Env``, so that wrappers of both kinds accept it. All attributes below
    are assignable.

    Attributes:
        observation_space: observation space of *one* environment, as in EnvPool.
        action_space: action space of *one* environment, as in EnvPool.
    """


class VectorEnv(
    VectorInterface[ObservationT],
    SharedAttributes,
    VectorRenderMixin,
    RandomGenerators,
    NativePool,
    GymnasiumVectorEnv,
    Generic[ObservationT],
):
    """gymnasium's vector interface: batched spaces, float64 rewards, gymnasium's dtypes and infos (``key`` with
    ``_key`` masks).

    If an environment has several players that share one space, observations, actions and rewards have a row per player
    (players of environment 0 first), while the flags ``terminated`` and ``truncated`` have one per environment.

    Attributes:
        observation_space: the space of one result, ``batch_space(single_observation_space, rows)``, with rows for
            ``batch_size`` environments: all, unless the pool is asynchronous.
        action_space: the space of one step's actions, ``batch_space(single_action_space, rows)``.
    """

    def _mask_infos(self, info: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
        zero_other_rows(info, mask)
