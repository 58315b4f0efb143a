"""ale-py's own vector environment, as a peer."""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import Any

from envpool_bench.case import Case


class AleVector:
    """``AtariVectorEnv`` with EnvPool's way of receiving what a reset gives, and otherwise as it is."""

    def __init__(self, env: Any) -> None:
        """Wraps.

        Args:
            env: an ``AtariVectorEnv``.
        """
        self._env = env
        self._first: Any = None
        # What is timed is ale-py's own.
        self.step, self.reset, self.close = env.step, env.reset, env.close

    def async_reset(self) -> None:
        """Resets all environments; the first of them are received by ``recv``, as all others are."""
        observation, info = self._env.reset()
        self._first = observation, None, None, None, info

    def recv(self) -> Any:
        """The next batch."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        return self._env.recv()

    def send(self, action: Any, _env_id: Any) -> None:
        """The next actions of the environments received last."""
        self._env.send(action)


def ale_game(task: str) -> str | None:
    """ale-py's name of the game that a task of EnvPool's pipeline (``MsPacman-v5``) plays; ``None`` for all others."""
    stem, separator, version = task.rpartition("-")
    games: list[str] = importlib.import_module("ale_py.roms").get_all_rom_ids()
    names = {game.replace("_", "").lower(): game for game in games}
    return names.get(stem.lower()) if (separator, version) == ("-", "v5") else None


def make(case: Case) -> AleVector:
    """The case's environments, with the options that make ``AtariVectorEnv`` play what EnvPool's defaults play.

    Args:
        case: what to make.
    """
    vector_env = importlib.import_module("ale_py.vector_env").AtariVectorEnv
    return AleVector(
        vector_env(
            ale_game(case.task),
            case.num_envs,
            batch_size=case.batch_size,
            num_threads=case.threads,
            reward_clipping=False,
        )
    )


def version() -> str:
    """Version of ale-py."""
    return metadata.version("ale-py")
