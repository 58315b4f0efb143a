"""Checks arguments of ``reset``, resets single environments, and adds infos of ended episodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import SEEDS, array, integer, is_series, seeds_of, shown
from envpool_rs._nested import rows_of_batch
from envpool_rs._spec.spec import EnvSpec

Seeds: TypeAlias = int | list[int]
"""Seeds of all environments: environment ``i`` has ``seeds + i`` or ``seeds[i]``."""


class ResetArguments:
    """Validated arguments of gymnasium's ``reset(seed=..., options=...)``.

    Attributes:
        env_id: environments to reset; ``None`` for all.
        seed: ``None`` continues all random streams; an int gives environment ``i`` the seed ``seed + i``; a list has an
            entry (``None`` continues) for each of ``env_id``.
        options: the environment's own reset options, or ``None``.
        masked: whether a mask selected the environments.
    """

    def __init__(self, num_envs: int, env_id: Any, seed: Any, options: Mapping[str, Any] | None) -> None:
        """Checks ``seed`` and ``options["reset_mask"]``; the pool checks everything else.

        Args:
            num_envs: number of environments in the pool.
            env_id: the caller's ids, or ``None``.
            seed: ``None``, an int, or a sequence with an entry for each of ``env_id`` (without ids: for each
                environment of the pool, even under a mask).
            options: ``reset_mask`` (``(num_envs,)`` booleans, at least one of them true) and the environment's own:
                numbers, lists of numbers, dicts of them, or a list with a list of numbers, a dict or ``None`` for each
                environment.

        Raises:
            TypeError: for options that are no dict, a mask that is not a boolean array, or a seed that is no int.
            ValueError: for a mask or list of seeds of another length, a mask without true values, or both a mask and
                ids.
        """
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options={shown(options)}: expected a dict or None")
        own = dict(options or {})
        mask = own.pop("reset_mask", None)
        if mask is not None and env_id is not None:
            raise ValueError("env_id and options['reset_mask'] are both given: expected one of them")
        self._num_envs = num_envs
        self.masked = mask is not None
        self.env_id = env_id if mask is None else _masked_ids(mask, num_envs)
        if self.masked:
            own = {name: self._masked_rows(name, value) for name, value in own.items()}
        self.options = own or None
        self.seed = self._checked_seed(seed, whole_pool=env_id is None)

    def ids(self) -> list[int]:
        """Returns the ids of the environments to reset."""
        if self.env_id is None:
            return list(range(self._num_envs))
        given = np.atleast_1d(array("env_id", self.env_id)).tolist()
        return [integer(f"env_id[{index}]", each) for index, each in enumerate(given)]

    def _checked_seed(self, seed: Any, whole_pool: bool) -> int | list[int | None] | None:
        if seed is None:
            return None
        if self.env_id is None and not is_series(seed):
            return integer("seed", seed, kind=SEEDS)
        ids = self.ids()
        if not whole_pool:
            return seeds_of(seed, ids, f"len(env_id)={len(ids)}")
        every = seeds_of(seed, range(self._num_envs), f"num_envs={self._num_envs}")
        return [every[index] for index in ids]

    def _masked_rows(self, name: str, value: Any) -> Any:
        """Returns the rows of masked environments if a reset option has a row for each environment of the pool."""
        if isinstance(value, Mapping):
            return {key: self._masked_rows(f"{name}.{key}", each) for key, each in value.items()}
        if not is_series(value) or not any(
            each is None or is_series(each) or isinstance(each, Mapping) for each in value
        ):
            return value
        if len(value) != self._num_envs:
            raise ValueError(f"options[{name!r}]: {len(value)} rows: expected num_envs={self._num_envs}")
        return [value[index] for index in self.ids()]

    def seeds_after(self, seeds: Seeds) -> Seeds:
        """Returns the last seed of every environment of the pool after this reset.

        Args:
            seeds: the seeds before the reset.
        """
        if self.seed is None:
            return seeds
        if isinstance(self.seed, int):
            return self.seed
        after = seed_list(seeds, self._num_envs)
        for index, seed in zip(self.ids(), self.seed, strict=True):
            after[index] = after[index] if seed is None else seed
        return after


def seed_list(seeds: Seeds, num_envs: int) -> list[int]:
    """Returns the seed of each environment's generator."""
    return _core.maker_seeds(seeds, num_envs)[1]


def _masked_ids(mask: Any, num_envs: int) -> npt.NDArray[np.int32]:
    # The assertion messages below are gymnasium's.
    if not isinstance(mask, np.ndarray):
        raise TypeError(f"`options['reset_mask']` must be a numpy array, got {type(mask)}")
    if mask.shape != (num_envs,):
        raise ValueError(f"`options['reset_mask']` must have shape `({num_envs},)`, got {mask.shape}")
    if mask.dtype != np.bool_:
        raise TypeError(f"`options['reset_mask']` must have `dtype=np.bool_`, got {mask.dtype}")
    if not mask.any():
        raise ValueError(
            f"`options['reset_mask']` must contain a boolean array with at least one True value, got reset_mask={mask}"
        )
    return np.flatnonzero(mask).astype(np.int32)


class SingleResets:
    """Mixin that implements ``call("reset")`` for pools with gymnasium's vector interface."""

    single_observation_space: Any
    _reset_envs: Any
    _spec: Any

    def _reset_some(
        self, env_ids: Sequence[int], *, seed: Any = None, options: Mapping[str, Any] | None = None
    ) -> tuple[tuple[Any, dict[str, Any]], ...]:
        """Resets some environments, all with the same seed and options.

        Args:
            env_ids: ids, in this order.
            seed: seed of each of these environments; ``None`` continues their random streams.
            options: reset options of each of these environments.

        Returns:
            A pair of observation and info for each environment.
        """
        if not env_ids:
            return ()
        seeds = None if seed is None else [seed] * len(env_ids)
        batch, info = self._reset_envs(list(env_ids), seeds, options)
        return tuple((self._copy_row(batch, row), info_row(info, row)) for row in range(len(env_ids)))

    def _copy_row(self, batch: Any, position: int) -> Any:
        """Copies one environment's observation out of a batch, whose memory the pool may reuse for its next batch."""
        rows = int(self._spec.rows)
        of_env = position if rows == 1 else slice(position * rows, (position + 1) * rows)
        return rows_of_batch(self.single_observation_space, batch, of_env)


def info_row(infos: Mapping[str, Any], row: int) -> dict[str, Any]:
    """Copies one environment's info out of batched infos.

    Args:
        infos: batched infos: ``key`` with a mask ``_key`` of the environments that have it.
        row: the environment.
    """
    own: dict[str, Any] = {}
    for key, values in infos.items():
        mask = infos.get(f"_{key}")
        if (key.startswith("_") and key[1:] in infos) or (mask is not None and not mask[row]):
            continue
        own[key] = info_row(values, row) if isinstance(values, Mapping) else _own(values[row])
    return own


def _own(value: Any) -> Any:
    # Copies the row, because a row is a view of its array: holding the view would prevent the reuse of the whole batch.
    return value.copy() if isinstance(value, (np.ndarray, np.generic)) else deepcopy(value)


_MAX_ROWS_COPIED_SINGLY = 3
"""Maximum number of rows for which copying each row is faster than indexing by an array of row numbers."""


class FinalInfos:
    """Callable that adds final observations and infos to a step's result; the Rust extension calls it.

    Calls :func:`add_final_infos` with the observation space and the number of rows of one pool.

    The observation space is built by the first call and not by the constructor, because its bounds may exceed the
    available memory, an error that the pool itself reports.

    Args:
        spec: the pool's specification.
    """

    def __init__(self, spec: EnvSpec) -> None:
        self._spec = spec

    @cached_property
    def _space(self) -> Any:
        return self._spec.observation_space

    def __call__(self, *arguments: Any) -> None:
        """Calls :func:`add_final_infos`.

        Args:
            arguments: the arguments of :func:`add_final_infos` after ``space`` and ``rows``.
        """
        add_final_infos(self._space, self._spec.rows, *arguments)


def add_final_infos(
    space: Any,
    rows: int,
    info: dict[str, Any],
    mask: npt.NDArray[np.bool_],
    final_obs: Any,
    final_info: dict[str, Any],
) -> None:
    """Stores in ``info`` the final observations and infos of episodes that ended in this step.

    Args:
        space: the observation space of one row.
        rows: rows of one environment in ``final_obs``: the number of its players if they share one space; 1 otherwise.
        info: dict to which are added ``final_obs`` (an object array ``(n,)`` of the final observations, each with a row
            per player if there are several; ``None`` for running episodes), ``final_info`` (a dict) and their masks
            ``_final_obs`` and ``_final_info``.
        mask: ``(n,)``, true for ended episodes.
        final_obs: batched observation; only rows of ended episodes are read.
        final_info: batched infos of these steps; rows of running episodes are set to zero, as in gymnasium.
    """
    zero_other_rows(final_info, mask)
    info["final_obs"] = _rows_of_ended(space, rows, final_obs, mask)
    info["_final_obs"] = mask
    info["final_info"] = final_info
    info["_final_info"] = mask.copy()


def zero_other_rows(infos: dict[str, Any], mask: npt.NDArray[np.bool_]) -> None:
    """Sets the rows of infos outside ``mask`` to zero, as gymnasium does for environments that do not have an info.

    Args:
        infos: batched infos; masks (``_key``) are not changed.
        mask: ``(n,)``, true for environments with these infos.
    """
    for key, values in infos.items():
        if not key.startswith("_"):
            values[~mask] = 0


def _rows_of_ended(space: Any, rows: int, batch: Any, mask: npt.NDArray[np.bool_]) -> npt.NDArray[np.object_]:
    # Rows are copied, because the pool may reuse an array's memory once no reference to the complete array exists.
    finals = np.full(mask.shape, None, dtype=object)
    ended = mask.nonzero()[0]
    if isinstance(batch, np.ndarray) and rows == 1:
        copies = (
            batch[ended] if len(ended) > _MAX_ROWS_COPIED_SINGLY else (batch[index].copy() for index in ended.tolist())
        )
        for index, row in zip(ended.tolist(), copies, strict=True):
            finals[index] = row
        return finals
    for index in ended.tolist():
        of_env = index if rows == 1 else slice(index * rows, (index + 1) * rows)
        finals[index] = rows_of_batch(space, batch, of_env)
    return finals
