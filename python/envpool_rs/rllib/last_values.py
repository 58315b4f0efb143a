"""What an environment returned last."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from envpool_rs.rllib.multi_env_dict import ALL, EnvID, MultiEnvDict

_PARTS = 5
_MANY_LAYERS = 64


class LastValues:
    """The last observations, rewards, flags and infos of every environment, collected from polls and resets.

    Results are kept as they are and merged when somebody asks, because ``poll`` is called often and ``last`` hardly
    ever.
    """

    def __init__(self) -> None:
        self._layers: list[tuple[Mapping[Any, Any], ...]] = []

    def record(self, result: tuple[Mapping[Any, Any], ...], complete: bool = False) -> None:
        """Takes over a result.

        Args:
            result: dicts by environment: observations, rewards, terminated, truncated, infos.
            complete: whether it holds all environments, so that nothing before it counts.
        """
        if complete:
            self._layers = [result]
            return
        self._layers.append(result)
        if len(self._layers) > _MANY_LAYERS:
            self._layers = [self.merged()]

    def record_reset(self, observations: MultiEnvDict, infos: MultiEnvDict) -> None:
        """Takes over the result of a reset, where nobody has rewards yet.

        Args:
            observations: by environment; an exception where the reset failed.
            infos: by environment.
        """
        self.record((observations, infos))

    def forget(self) -> None:
        """Forgets everything."""
        self._layers = []

    def keep(self, env_ids: Collection[EnvID]) -> None:
        """Forgets all environments but these."""
        self._layers = [tuple({k: v for k, v in part.items() if k in env_ids} for part in self.merged())]

    def merged(self) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
        """Observations, rewards, terminated flags, truncated flags and infos by environment, in fresh outer dicts."""
        parts: list[MultiEnvDict] = [{} for _ in range(_PARTS)]
        for layer in self._layers:
            for part, values in zip(parts, layer if len(layer) >= _PARTS else _after_reset(*layer), strict=False):
                part.update(values)
        return parts[0], parts[1], parts[2], parts[3], parts[4]


def _after_reset(
    observations: Mapping[Any, Any], infos: Mapping[Any, Any]
) -> tuple[MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict, MultiEnvDict]:
    """All five parts of a reset's result: no rewards yet, no flags set."""
    agents = {env_id: [] if isinstance(each, Exception) else list(each) for env_id, each in observations.items()}
    rewards = {env_id: dict.fromkeys(ids) for env_id, ids in agents.items()}
    terminated, truncated = (
        {env_id: {**dict.fromkeys(ids, False), ALL: False} for env_id, ids in agents.items()} for _ in range(2)
    )
    return dict(observations), rewards, terminated, truncated, dict(infos)
