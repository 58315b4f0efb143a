"""``AtariInterface``: attributes of ale-py's environments that gymnasium's ``AtariPreprocessing`` uses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium.utils import seeding

from envpool_rs import _core

NAMES = ("_frameskip", "ale", "get_action_meanings")
"""Attributes of a single environment that this interface provides."""

_LUMINANCE = np.array([2989, 5870, 1140], np.uint32)
"""Weights of red, green and blue in ALE's palette of grey values, in units of 1e-4."""


class AtariInterface:
    """The part of ale-py's ``AtariEnv`` and of its ``ale`` that ``AtariPreprocessing`` uses, for one environment.

    Attributes:
        np_random: the generator that ale-py's environment has after the same seed. Wrappers draw from it; the
            environment itself does not.
    """

    def __init__(self, config: Mapping[str, Any]) -> None:
        """Creates the interface before the first reset.

        Args:
            config: the environment's options.
        """
        self._config = config
        self._observation: Any = None
        self._lives = 0
        self._seed(None)

    @classmethod
    def of(cls, task_id: str, config: Mapping[str, Any]) -> AtariInterface | None:
        """Returns the interface of a task that has ale-py's observations; ``None`` for any other task."""
        return cls(config) if task_id.startswith("ALE/") and not config["preprocessing"] else None

    @property
    def owns_generator(self) -> bool:
        """Whether wrappers alone draw from ``np_random``, and not the environment, for random numbers of frames."""
        return isinstance(self._config["frameskip"], int)

    def _seed(self, seed: int | None) -> None:
        own, _ = np.random.SeedSequence(seed).generate_state(2)
        self.np_random: np.random.Generator = seeding.np_random(int(own))[0]

    def record_reset(self, observation: Any, info: Mapping[str, Any], seed: int | None) -> None:
        """Records the results of a reset."""
        if seed is not None:
            self._seed(seed)
        self.record_step(observation, info)

    def record_step(self, observation: Any, info: Mapping[str, Any]) -> None:
        """Records the results of a step."""
        self._observation, self._lives = observation, int(info["lives"])

    @property
    def _frameskip(self) -> Any:
        return self._config["frameskip"]

    @property
    def ale(self) -> AtariInterface:
        """The object with ``lives`` and the screen."""
        return self

    def get_action_meanings(self) -> list[str]:
        """Returns ALE's names of the actions, by number."""
        is_full = self._config["full_action_space"] or self._config["continuous"]
        return _core.atari_game(self._config["game"], is_full)[0]

    def lives(self) -> int:
        """Returns the number of lives left."""
        return self._lives

    def getScreenRGB(self, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:  # noqa: N802 - ALE's
        """Returns the screen uint8 ``(height, width, 3)``, in ``out`` if it is given.

        Raises:
            RuntimeError: before the first reset, and unless ``obs_type`` is ``"rgb"``.
        """
        return _stored(self._screen("getScreenRGB", "rgb"), out)

    def getScreenGrayscale(self, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:  # noqa: N802
        """Returns the screen's grey values uint8 ``(height, width)``, in ``out`` if it is given.

        Raises:
            RuntimeError: before the first reset, and unless ``obs_type`` is ``"grayscale"`` or, for games made for NTSC
                televisions, ``"rgb"``. In PAL games, grey values do not follow from colours.
        """
        is_pal = _core.atari_game(self._config["game"], False)[1]
        screen = self._screen("getScreenGrayscale", "grayscale", *(() if is_pal else ("rgb",)))
        if self._config["obs_type"] == "rgb":
            screen = ((screen @ _LUMINANCE + 5000) // 10_000).astype(np.uint8)
        return _stored(screen, out)

    def _screen(self, method: str, *kinds: str) -> npt.NDArray[np.uint8]:
        kind = self._config["obs_type"]
        if kind not in kinds:
            raise RuntimeError(f"{method}(): obs_type={kind!r}: expected {' or '.join(map(repr, kinds))}")
        if self._observation is None:
            raise RuntimeError(f"{method}(): the environment has no screen yet; call reset first")
        screen: npt.NDArray[np.uint8] = self._observation
        return screen


def _stored(screen: npt.NDArray[np.uint8], out: npt.NDArray[np.uint8] | None) -> npt.NDArray[np.uint8]:
    result = np.empty_like(screen) if out is None else out
    result[...] = screen
    return result
