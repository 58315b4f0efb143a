"""Pools whose environments run in Ray actors, with gymnasium's interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, NoReturn

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import is_series
from envpool_rs._facades.environments import FinalInfos, ResetArguments
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool, RandomGenerators, VectorEnv
from envpool_rs._facades.interfaces import GymnasiumAttributes
from envpool_rs._facades.pool import EnvPoolMixin
from envpool_rs._spec.spec import EnvSpec
from envpool_rs.ray.actors import Actors
from envpool_rs.ray.direct import LARGEST_COPIED

_LOCAL_OPTIONS = {"batch_size": 0, "num_threads": 1, "seed": 0, "render_env_id": 0}
"""Options of the local pools that validate arguments and render copies of environments."""


class RayPool(GymnasiumAttributes, RandomGenerators):
    """Native environments in the actors of a Ray cluster, as one pool.

    Ids, seeds, batches, autoreset, errors and trajectories equal those of a local pool.

    An actor replies to a ``send`` with a single object, so the rows of its environments arrive together; an
    asynchronous batch contains the replies that arrive first. ``info["restarted"]`` (``(n,)`` booleans) marks
    environments whose actor died; it is present only in batches with such rows.
    """

    _is_final_when_closed = True
    _added_infos: ClassVar[tuple[str, ...]] = ("restarted",)
    _actors: Actors

    def __init__(self, spec: EnvSpec, actors: Actors) -> None:
        super().__init__(spec)

    def __new__(cls, spec: EnvSpec, actors: Actors) -> Any:
        """Makes a pool of started actors, which host all environments of the specification."""
        options = actors.actor_options
        recoveries = {"resume": options["snapshot_interval"], "new_episode": "new_episode", "raise": None}
        recovery: Any = recoveries[options["on_actor_death"]]
        env_counts = [len(env_ids) for env_ids in actors.env_ids]
        # Results of several actors are joined into new arrays, so only results of a single actor may be read-only
        # views.
        limit = LARGEST_COPIED if not options["copy"] and len(env_counts) == 1 else None
        remote = _core.RemoteSpec(spec.pool, actors, env_counts, recovery=recovery, read_only=limit)
        pool: Any = _core.Pool.__new__(cls, remote, **cls._format(spec), finish=FinalInfos(spec))
        pool._actors = actors
        return pool

    @property
    def config(self) -> dict[str, Any]:
        """All options with their values; options of the actors come last."""
        return {**super().config, **self._actors.options()}

    @property
    def is_direct(self) -> bool:
        """Whether this process calls actors over its own connections, not by Ray's calls."""
        return self._actors.is_direct

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        arguments = ResetArguments(len(self), env_id, seed, options)
        own = arguments.options
        if own:
            # A local pool validates the options before any request is sent, because an actor sees its own environments
            # only. The pool needs all environments only if reset options differ between them, otherwise one for each
            # task and combination of options. Ids that are out of range are refused below.
            differ = any(is_series(value) and any(map(is_series, value)) for value in own.values())
            env_ids = arguments.ids()
            if env_ids and all(0 <= each < len(self) for each in env_ids):
                env_ids = env_ids if differ else self._spec.distinct_envs(env_ids)
                local = self._spec.for_envs(env_ids, **_LOCAL_OPTIONS)
                _core.Pool(local.pool, "gymnasium").reset_envs(options=own)
        return super()._reset_envs(env_id, seed, options, **how)

    def draw_pictures(
        self, env_ids: Any, width: int, height: int, camera: int | None = None, depth: bool = False
    ) -> Any:
        """Renders environments (``None``: all) in this process from copies of their states; returns frames ``(n,
        height, width, 3)``.
        """
        pool, ids = self._local_copy(env_ids)
        return pool.draw_pictures(ids, width, height, camera, depth)

    def draw_texts(self, env_ids: Any = None) -> list[str]:
        """Renders environments (``None``: all) as strings, in this process from copies of their states."""
        pool, ids = self._local_copy(env_ids)
        return pool.draw_texts(ids)

    def _local_copy(self, env_ids: Any) -> tuple[_core.Pool, npt.NDArray[np.int64]]:
        """Returns a local pool with copies of some environments' states, and the ids of these copies in that pool."""
        states = self.get_state(env_ids)
        env_ids = range(len(states)) if env_ids is None else [int(env_id) for env_id in env_ids]
        pool = _core.Pool(self._spec.for_envs(env_ids or [0], **_LOCAL_OPTIONS).pool, "gymnasium")
        ids = np.arange(len(states))
        pool.set_state(states, ids)
        return pool, ids

    @property
    def np_random(self) -> NoReturn:
        """Raises an AttributeError: the generators are in the actors, where numpy's ``Generator`` has no access."""
        raise AttributeError("np_random: the generators live in the actors; seed them with reset(seed=...)")

    def xla(self) -> Any:
        return EnvPoolMixin.xla(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in actors")


class GymnasiumRayPool(RayPool, GymnasiumEnvPool[Any]):  # type: ignore[misc, override]
    """Pool on a cluster with EnvPool's gymnasium interface, as :class:`envpool_rs.pools.GymnasiumEnvPool`."""


class VectorRayPool(RayPool, VectorEnv[Any]):  # type: ignore[misc]
    """Pool on a cluster with gymnasium's vector interface, as :class:`envpool_rs.pools.VectorEnv`."""
