"""The arguments of a reset, as gymnasium and EnvPool pass them: checked, and in the pool's terms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import SEEDS, integer, is_series, seeds_of

Seeds: TypeAlias = int | list[int]
"""Seeds of all environments: environment ``i`` has ``seeds + i`` or ``seeds[i]``."""


class ResetArguments:
    """The arguments of gymnasium's ``reset(seed=..., options=...)``, checked.

    Attributes:
        env_id: environments to reset; ``None`` for all.
        seed: ``None`` to go on with all generators; an int, where environment ``i`` gets ``seed + i``; or an entry
            (``None`` to go on) for each of ``env_id``.
        options: the environment's own reset options; ``None`` without any.
        masked: whether a mask chose the environments.
    """

    def __init__(self, num_envs: int, env_id: Any, seed: Any, options: Mapping[str, Any] | None) -> None:
        """Checks ``seed`` and ``options["reset_mask"]``; everything else is the pool's to check.

        Args:
            num_envs: environments of the pool.
            env_id: ids given by the caller, or ``None``.
            seed: ``None``, an int, or a sequence with an entry for each of ``env_id`` (without ids: for each
                environment of the pool, even under a mask).
            options: ``reset_mask`` (``(num_envs,)`` booleans, at least one of them true) and the environment's own.

        Raises:
            TypeError: for options that are no dict, a mask that is not a boolean array, or a seed that is no int.
            ValueError: for a mask or list of seeds of another length, a mask without true values, or both a mask and
                ids.
        """
        if options is not None and not isinstance(options, Mapping):
            raise TypeError(f"options={options!r}: expected a dict or None")
        own = dict(options or {})
        mask = own.pop("reset_mask", None)
        if mask is not None and env_id is not None:
            raise ValueError("env_id and options['reset_mask'] are both given: expected one of them")
        self._num_envs = num_envs
        self.masked = mask is not None
        self.env_id = env_id if mask is None else _masked_ids(mask, num_envs)
        self.options = own or None
        self.seed = self._checked_seed(seed, whole_pool=env_id is None)

    def _ids(self) -> list[int]:
        return (
            list(range(self._num_envs)) if self.env_id is None else [int(each) for each in np.atleast_1d(self.env_id)]
        )

    def _checked_seed(self, seed: Any, whole_pool: bool) -> int | list[int | None] | None:
        if seed is None:
            return None
        if self.env_id is None and not is_series(seed):
            return integer("seed", seed, kind=SEEDS)
        ids = self._ids()
        if not whole_pool:
            return seeds_of(seed, ids, f"len(env_id)={len(ids)}")
        every = seeds_of(seed, range(self._num_envs), f"num_envs={self._num_envs}")
        return [every[index] for index in ids]

    def seeds_after(self, seeds: Seeds) -> Seeds:
        """The seeds of all environments after this reset.

        Args:
            seeds: those before it.
        """
        if self.seed is None:
            return seeds
        if isinstance(self.seed, int):
            return self.seed
        after = seed_list(seeds, self._num_envs)
        for index, seed in zip(self._ids(), self.seed, strict=True):
            after[index] = after[index] if seed is None else seed
        return after


def seed_list(seeds: Seeds, num_envs: int) -> list[int]:
    """The seed of each environment's generator."""
    return _core.maker_seeds(seeds, num_envs)[1]


def _masked_ids(mask: Any, num_envs: int) -> npt.NDArray[np.int32]:
    # In gymnasium's words.
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
