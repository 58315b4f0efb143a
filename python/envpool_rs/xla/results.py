"""Assembles a call's arrays into the result of the pool's own ``step``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from envpool_rs._nested import fold_space, parts_of_descriptor
from envpool_rs._spec.spaces import import_dm_env, observation_type

if TYPE_CHECKING:
    from envpool_rs._core import SpaceDescriptor

Arrays = dict[str, list[Any]]


class ResultBuilder:
    """Builds the results of one pool's calls.

    The results equal those of the pool's own ``step``, except for values of ended episodes. Results of a compiled
    program have a fixed structure, so ``episode``, ``final_obs`` and ``final_info`` always exist, with masks of the
    environments that have them and zeros for all other environments. ``final_obs`` has the observation's structure and
    rows.
    """

    def __init__(self, spec: Any, names: Sequence[str]) -> None:
        self._names = list(names)
        self._observation: SpaceDescriptor = spec.pool.observation
        self._info_keys = [key for key, _, _ in spec.pool.info]
        self._of_terminations = set(spec.pool.infos_of_terminations)
        self._has_players = spec.pool.dialect == "envpool"
        self._time_step = _time_step_types(spec) if "step_type" in names else None

    def build(self, values: Sequence[Any]) -> Any:
        """Builds the result of a call from its arrays.

        Args:
            values: the arrays, in the order of the names.
        """
        arrays: Arrays = {}
        for name, value in zip(self._names, values, strict=True):
            arrays.setdefault(name, []).append(value)
        observation = nest(self._observation, iter(arrays["observation"]))
        reward = arrays["reward"][0]
        if self._time_step is not None:
            return self._build_time_step(arrays, observation)
        if "terminated" in arrays:
            flags = [arrays["terminated"][0], arrays["truncated"][0]]
            return observation, reward, *flags, self._info(arrays)
        info = self._info(arrays)
        return observation, reward, arrays["done"][0], info

    def _info(self, arrays: Arrays) -> dict[str, Any]:
        info: dict[str, Any] = {}
        if "env_id" in arrays:
            info["env_id"] = arrays["env_id"][0]
        if self._has_players:
            info["players"] = {"env_id": _player_ids(arrays)}
        present = arrays.get("present", [])
        info |= self._keyed(arrays.get("info", []), present)
        if "elapsed_step" in arrays:
            info["elapsed_step"] = arrays["elapsed_step"][0]
        if "terminated" not in arrays:
            info["TimeLimit.truncated"] = arrays["truncated"][0]
        self._add_ended_episodes(info, arrays, bool(present))
        return info

    def _final_masks(self, arrays: Arrays, has_masks: bool) -> list[Any]:
        """Returns the masks of final infos.

        A mask is true where an episode ended, or where an episode terminated if the info exists only then.
        """
        if not has_masks:
            return []
        done = arrays["done"][0]
        if not self._of_terminations:
            return [done]
        return [arrays["terminated"][0] if key in self._of_terminations else done for key in self._info_keys]

    def _keyed(self, values: Sequence[Any], present: Sequence[Any]) -> dict[str, Any]:
        """Returns a dict of infos with their masks; ``present`` has a mask for each info, one mask for all, or none."""
        keyed = {}
        for index, (key, value) in enumerate(zip(self._info_keys, values, strict=True)):
            keyed[key] = value
            if present:
                keyed[f"_{key}"] = present[index if len(present) > 1 else 0]
        return keyed

    def _add_ended_episodes(self, info: dict[str, Any], arrays: Arrays, has_masks: bool) -> None:
        if "episode_return" in arrays:
            names = {"r": "episode_return", "l": "episode_length", "t": "episode_time"}
            info["episode"] = {key: arrays[name][0] for key, name in names.items()}
            info["_episode"] = arrays["done"][0]
        if "final_observation" in arrays:
            done = arrays["done"][0]
            info["final_obs"] = nest(self._observation, iter(arrays["final_observation"]))
            info["_final_obs"] = done
            info["final_info"] = self._keyed(arrays.get("final_info", []), self._final_masks(arrays, has_masks))
            info["_final_info"] = done

    def _build_time_step(self, arrays: Arrays, observation: Any) -> Any:
        assert self._time_step is not None
        time_step, state = self._time_step
        kind = self._observation[0]
        parts = [observation]
        if kind in ("dict", "tuple"):
            parts = list(observation.values() if kind == "dict" else observation)
        fields = [*parts, *arrays.get("info", [])]
        values = state(arrays["env_id"][0], _player_ids(arrays), *fields)
        return time_step(arrays["step_type"][0], arrays["reward"][0], arrays["discount"][0], values)


def nest(descriptor: SpaceDescriptor, values: Iterator[Any]) -> Any:
    """Nests arrays in the structure of a space.

    Args:
        descriptor: the space.
        values: the leaves of the nested value, depth first.
    """
    return fold_space(descriptor, lambda _: next(values), parts=parts_of_descriptor)


def _player_ids(arrays: Arrays) -> Any:
    # With one player per environment, its id is the environment's id.
    return arrays.get("player_env_id", arrays["env_id"])[0]


def _time_step_types(spec: Any) -> tuple[Any, Any]:
    return import_dm_env().TimeStep, observation_type(spec.pool)
