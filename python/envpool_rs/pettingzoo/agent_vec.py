"""``make_agent_vec``: gymnasium vector environments with a row for each agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from envpool_rs._arguments import flag
from envpool_rs._facades.agent_vector_env import AgentVectorEnv
from envpool_rs._make.make import make_vec

_FIXED = "autoreset_mode"


def make_agent_vec(
    env: str | Callable[[], Any] | Sequence[Callable[[], Any]],
    num_envs: int | None = None,
    *,
    record_episode_statistics: bool = False,
    **options: Any,
) -> AgentVectorEnv:
    """Makes a gymnasium vector environment with a row for each agent, as SuperSuit's ``pettingzoo_env_to_vec_env_v1``
    and ``concat_vec_envs_v1`` do.

    Args:
        env: a native task with several players; or a list of functions, each of which makes a PettingZoo
            ``ParallelEnv``; or one such function for all environments. Environments made by functions run in worker
            processes.
        num_envs: number of environments (by default the number of functions, or 1).
        record_episode_statistics: whether ``info["episode"]`` reports the ended episodes of each agent.
        options: those of ``envpool_rs.make_vec``, except ``batch_size`` and ``autoreset_mode``; the autoreset mode is
            ``"same_step"``.

    Returns:
        An environment with ``num_envs * agents`` rows, for ``envpool_rs.sb3.VecEnv`` or any other user of gymnasium's
        interface.

    Raises:
        ValueError: for agents with different spaces, or an option that is not allowed.
        TypeError: for an unknown option, or an option of the wrong type.
    """
    mode = options.setdefault(_FIXED, "same_step")
    if mode != "same_step":
        raise ValueError(f"autoreset_mode={mode!r}: expected 'same_step'; use make_vec for other modes")
    records = flag("record_episode_statistics", record_episode_statistics)
    pool = make_vec(env, num_envs, **options)
    try:
        return AgentVectorEnv(pool, records)
    except BaseException:
        pool.close()
        raise
