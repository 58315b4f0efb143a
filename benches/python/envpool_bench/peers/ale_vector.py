"""Adapter of ale-py's vector environment, with which the benchmark compares this package's pools."""

from __future__ import annotations

import importlib
from importlib import metadata
from typing import Any

from envpool_bench.case import Case

PACKAGE = "ale_py"


class AleVector:
    """Wrapper of ``AtariVectorEnv`` with EnvPool's methods ``async_reset``, ``recv`` and ``send``."""

    def __init__(self, env: Any) -> None:
        """Creates the wrapper of ``env``.

        Args:
            env: an ``AtariVectorEnv``.
        """
        self._env = env
        self._first: Any = None
        # The benchmark times ale-py's own methods, without a wrapper around them.
        self.step, self.reset, self.close = env.step, env.reset, env.close

    def async_reset(self) -> None:
        """Resets all environments; ``recv`` returns their first observations in batches."""
        observation, info = self._env.reset()
        self._first = observation, None, None, None, info

    def recv(self) -> Any:
        """Returns the next batch of results."""
        if self._first is not None:
            first, self._first = self._first, None
            return first
        return self._env.recv()

    def send(self, action: Any, _env_id: Any) -> None:
        """Sends the next actions of the environments received last."""
        self._env.send(action)


def ale_game(task: str) -> str | None:
    """Returns the name that ale-py gives to the game of an Atari task such as ``MsPacman-v5``; ``None`` for other
    tasks.
    """
    stem, separator, version = task.rpartition("-")
    games: list[str] = importlib.import_module("ale_py.roms").get_all_rom_ids()
    names = {game.replace("_", "").lower(): game for game in games}
    return names.get(stem.lower()) if (separator, version) == ("-", "v5") else None


def refusal(case: Case) -> str | None:
    """Returns the reason why ale-py does not support a case; ``None`` if it does."""
    return "it has no such task" if ale_game(case.task) is None else None


def make(case: Case) -> AleVector:
    """Makes the case's environments, with ``AtariVectorEnv`` options that match EnvPool's defaults.

    Args:
        case: the case.
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
    """Returns the version of ale-py."""
    return metadata.version("ale-py")
