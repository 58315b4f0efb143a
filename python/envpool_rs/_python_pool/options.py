"""Validates the options of pools of Python environments."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from multiprocessing.context import BaseContext
from typing import Any

from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._arguments import choice, flag, integer, optional_integer, optional_number

AUTORESET_MODES = ("next_step", "same_step", "disabled")
START_METHODS = ("fork", "spawn", "forkserver")
_MAX_ENVS = 2**16
_MAX_EPISODE_STEPS = 2**31 - 1
_SEEDS = 2**63


@dataclass(frozen=True)
class PoolOptions:
    """Options of a pool of Python environments.

    Attributes:
        num_envs: number of environments.
        batch_size: rows of one result; fewer than ``num_envs`` makes the pool asynchronous.
        num_workers: worker processes; ``None`` for one per core (asynchronous pools: one per environment).
        seed: seeds of the first resets: an int gives environment ``i`` the seed ``seed + i``; a list has a seed for
            each environment; or ``None``.
        max_episode_steps: steps after which an episode is truncated, or ``None``.
        reward_threshold: mean return at which the task counts as solved; the pool stores it only.
        thread_affinity_offset: pins worker ``k`` to CPU ``offset + k``; -1 pins none.
        autoreset_mode: ``"next_step"``, ``"same_step"`` or ``"disabled"``.
        record_episode_statistics: whether ended episodes are reported in ``info["episode"]``.
        caller_steps: whether the calling process steps a share of the environments itself.
        context: start method of worker processes.
        restart: whether a dead worker is restarted, with its environments.
        copy: whether the caller owns observations; if false, the next step overwrites them.
        timeout: seconds after which a waiting call raises an error, or ``None``.
        max_num_players: ``None``, or the number of players in one environment; it is only checked.
    """

    num_envs: int
    batch_size: int
    num_workers: int | None
    seed: int | list[int] | None
    max_episode_steps: int | None
    reward_threshold: float | None
    thread_affinity_offset: int
    autoreset_mode: str
    record_episode_statistics: bool
    caller_steps: bool
    context: str | BaseContext | None
    restart: bool
    copy: bool
    timeout: float | None
    max_num_players: int | None

    @classmethod
    def checked(cls, given: Mapping[str, Any], num_envs: int) -> PoolOptions:
        """Validates options, and fills in defaults.

        Args:
            given: options by name, without ``num_envs``.
            num_envs: number of environments, checked.

        Raises:
            ValueError: for a value that is not allowed.
            TypeError: for a value of the wrong type.
        """
        players = optional_integer("max_num_players", given.get("max_num_players"), 1)
        sizes = f"0 to num_envs={num_envs} (0 means all)"
        batch_size = integer("batch_size", given.get("batch_size", 0), 0, num_envs, allowed=sizes)
        offsets = "-1 (off) or more"
        offset = integer("thread_affinity_offset", given.get("thread_affinity_offset", -1), -1, allowed=offsets)
        seconds = "None or a number of seconds above 0"
        longest = optional_integer("max_episode_steps", given.get("max_episode_steps"), 1, _MAX_EPISODE_STEPS)
        return cls(
            num_envs=num_envs,
            batch_size=batch_size or num_envs,
            num_workers=_num_workers(given, num_envs, is_async=0 < batch_size < num_envs),
            seed=None if given.get("seed") is None else _core.maker_seeds(given["seed"], num_envs)[0],
            max_episode_steps=longest,
            reward_threshold=optional_number("reward_threshold", given.get("reward_threshold"), "a float or None"),
            thread_affinity_offset=offset,
            autoreset_mode=_autoreset_mode(given.get("autoreset_mode", "next_step")),
            context=check_context(given.get("context")),
            timeout=optional_number("timeout", given.get("timeout"), seconds, lambda each: each > 0),
            copy=flag("copy", given.get("copy", True)),
            max_num_players=players,
            **{name: flag(name, given.get(name, False)) for name in _OFF},
        )

    @property
    def is_async(self) -> bool:
        """Whether a result holds the ``batch_size`` environments that finish first, instead of all."""
        return self.batch_size < self.num_envs

    def as_dict(self) -> dict[str, Any]:
        """Returns all options by name."""
        return {name: getattr(self, name) for name in OPTIONS}

    def check_players(self, players: int) -> None:
        """Raises an error if ``max_num_players`` is not the number of players in one environment.

        Args:
            players: the number of players.

        Raises:
            ValueError: for another number.
        """
        if self.max_num_players not in (None, players):
            raise ValueError(
                f"max_num_players={self.max_num_players}: expected {players}, the players of these environments"
            )

    def first_seeds(self) -> list[int | None] | None:
        """Returns the seed of each environment's first reset, or ``None`` without seeds."""
        if self.seed is None:
            return None
        return [*_core.maker_seeds(self.seed, self.num_envs)[1]]


_OFF = ("record_episode_statistics", "caller_steps", "restart")

OPTIONS = tuple(field.name for field in fields(PoolOptions) if field.name != "max_num_players")
"""Names of all options."""

ENVPOOL_OPTIONS = ("num_threads", "max_num_players")
"""EnvPool's option names: ``num_threads`` stands for the number of worker processes; ``max_num_players`` is
checked only.
"""


def check_num_envs(num_envs: Any) -> int:
    """Checks the number of environments, and returns it as an int.

    Raises:
        ValueError: out of range.
        TypeError: if ``num_envs`` is not an int.
    """
    return integer("num_envs", num_envs, 1, _MAX_ENVS)


def _num_workers(given: Mapping[str, Any], num_envs: int, is_async: bool) -> int | None:
    # `num_threads` is EnvPool's name of `num_workers`; 0 lets the pool choose the number.
    threads = integer("num_threads", given.get("num_threads", 0), 0, allowed="0 (chosen for you) or more")
    workers = given.get("num_workers")
    if threads and workers is not None:
        raise ValueError(f"num_threads={threads} and num_workers={workers!r} are both given: expected one of them")
    if threads:
        return min(threads, num_envs)
    if workers is None:
        # Uses one process for each environment, so that a slow environment does not delay others that the caller could
        # receive first.
        return num_envs if is_async else None
    return integer("num_workers", workers, 1, num_envs, allowed=f"None or 1 to num_envs={num_envs}")


def _autoreset_mode(mode: Any) -> str:
    if isinstance(mode, AutoresetMode):
        return mode.name.lower()
    if not isinstance(mode, str):
        raise TypeError(f"autoreset_mode={mode!r}: expected a str or an AutoresetMode")
    # gymnasium's names of autoreset modes ("NextStep") differ from this package's ("next_step") in case and
    # underscores.
    for known in AUTORESET_MODES:
        if mode.lower().replace("_", "").replace("-", "") == known.replace("_", ""):
            return known
    raise ValueError(f'autoreset_mode="{mode}": expected next_step, same_step or disabled')


def check_context(context: Any) -> str | BaseContext | None:
    """Checks the start method of worker processes, and returns it.

    Raises:
        ValueError: for an unknown method.
        TypeError: for a value of the wrong type.
    """
    if context is None or isinstance(context, BaseContext):
        return context
    if not isinstance(context, str):
        raise TypeError(f"context={context!r}: expected None, a str or a context of multiprocessing")
    choice("context", context, START_METHODS)
    return context
