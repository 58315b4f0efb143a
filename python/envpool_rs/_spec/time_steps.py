"""What dm_env's time steps hold of a step: the fields of their observation, and what there is no place for."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from envpool_rs._spec.spaces import field_name, tuple_type

if TYPE_CHECKING:
    from envpool_rs import _core


def timestep_fields(names: list[str]) -> dict[str, str]:
    """The state arrays that make up a dm time step's observation, in EnvPool's order, with their places in it (dots
    nest): ids, the observation, then infos.
    """
    ids = ["info:env_id", "info:players.env_id"]
    observation = [name for name in names if name == "obs" or name.startswith("obs:")]
    infos = [name for name in names if name.startswith("info:") and name not in ids]
    return {name: name if name == "obs" else name.partition(":")[2] for name in [*ids, *observation, *infos]}


def check_time_steps(autoreset_mode: str, record_episode_statistics: bool) -> None:
    """Refuses what a time step has no place for.

    Raises:
        ValueError: for same-step autoreset and for episode statistics.
    """
    if autoreset_mode == "same_step":
        raise ValueError(
            "autoreset_mode='same_step': a dm_env time step has no place for the last observation; "
            "expected 'next_step' or 'disabled'"
        )
    if record_episode_statistics:
        raise ValueError("record_episode_statistics=True: a dm_env time step has no place for them; expected False")


def observation_type(pool: _core.Spec, *more: str) -> Callable[..., Any]:
    """What makes a time step's observation from env_id, players' env_id, the observation's fields and the infos.

    Args:
        pool: the extension's specification.
        more: further fields, behind the infos.
    """
    keys = timestep_fields([name for name, _, _ in pool.state_arrays]).values()
    # Fields of nested dict spaces arrive as one dict under their first name.
    names = dict.fromkeys(field_name(key.split(".")[0]) for key in keys)
    state = tuple_type("State", [*names, *more])
    players = tuple_type("players", ["env_id"])

    def make(env_id: Any, players_env_id: Any, *rest: Any) -> Any:
        return state(env_id, players(players_env_id), *rest)

    return make
