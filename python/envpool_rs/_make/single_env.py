"""A single native environment with the interface that ``gymnasium.make`` expects."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from envpool_rs import _core
from envpool_rs._arguments import array
from envpool_rs._facades.environments import fixed_attribute, info_row, physics_of
from envpool_rs._facades.pool import Normalization
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._make.atari_interface import NAMES as ATARI_NAMES
from envpool_rs._make.atari_interface import AtariInterface
from envpool_rs._make.single_pool import SinglePool
from envpool_rs._make.vectorization import make_vec
from envpool_rs._nested import rows_of_batch
from envpool_rs._spec.render_options import render_metadata

_NEVER = 2**31 - 1


class SingleEnv(KnownAttributes, gymnasium.Env):
    """Pool of one environment without autoreset, with gymnasium's interface for single environments.

    Intended for evaluation and for tools that support no vector environments; pools are made for many environments.

    Attributes:
        render_mode: the format that ``render()`` returns. In the mode ``"human"`` every reset and step is shown in a
            window.
        metadata: ``render_modes`` and ``render_fps`` of the task; the class attribute lists the modes of all tasks.
    """

    metadata = {"render_modes": ["human", "rgb_array", "depth_array", "rgbd_tuple", "ansi"]}  # noqa: RUF012

    def __init__(self, task_id: str, max_episode_steps: int = _NEVER, **options: Any) -> None:
        """Creates the environment without resetting it.

        Args:
            task_id: the task.
            max_episode_steps: time limit in steps, after which an episode is truncated. By default there is no limit,
                because ``gymnasium.make`` adds its own time limit.
            options: the environment's own options, and those of rendering.

        Raises:
            ValueError: for tasks with several players, or an option that is not allowed.
        """
        fixed: dict[str, Any] = {"num_envs": 1, "vectorization_mode": "native", "autoreset_mode": "disabled"}
        self._pool: Any = make_vec(task_id, max_episode_steps=max_episode_steps, **fixed, **options)
        if self._pool.spec.players != 1:
            raise ValueError(
                f"{task_id!r} has {self._pool.spec.players} players: gymnasium.make takes environments with one; "
                "use make_vec"
            )
        self._calls = SinglePool(self._pool)
        self._atari = AtariInterface.of(self._pool.spec.task_id, self._pool.config)
        self.observation_space = self._pool.single_observation_space
        self.action_space = self._pool.single_action_space
        self.metadata = render_metadata(self._pool.spec.pool)
        self.render_mode = self._pool.render_mode

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode.

        Args:
            seed: ``None`` continues the random stream.
            options: the environment's reset options.
        """
        super().reset(seed=seed)
        batch, infos = self._calls.reset(seed, options)
        self._show()
        observation, info = rows_of_batch(self.observation_space, batch, 0), info_row(infos, 0)
        if self._atari is not None:
            self._atari.record_reset(observation, info, seed)
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Runs one step.

        If a signal interrupted the previous step, this call returns the result of that step and does not run another
        step.

        Args:
            action: a value of the action space.
        """
        batch, reward, terminated, truncated, infos = self._calls.step(_batched(action))
        self._show()
        observation, info = rows_of_batch(self.observation_space, batch, 0), info_row(infos, 0)
        if self._atari is not None:
            self._atari.record_step(observation, info)
        return observation, float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def render(self) -> Any:
        """Returns a frame in the format of ``render_mode``; ``None`` in the mode ``"human"``.

        The format is an image ``(height, width, 3)`` uint8, a depth image ``(height, width)`` float32, a tuple of both
        images, or text.

        Raises:
            NotImplementedError: if the task renders nothing.
            RuntimeError: if the environment was made without ``render_mode``, or was never reset.
        """
        pictures = self._pool.render()
        return None if pictures is None else pictures[0]

    def _show(self) -> None:
        if self.render_mode == "human":
            self._pool.render()

    def __getattr__(self, name: str) -> Any:
        """Returns an option of the environment, or a physics constant by gymnasium's name (classic control). Atari
        games also have ale-py's attributes that ``AtariPreprocessing`` uses.

        Raises:
            AttributeError: for any other name.
        """
        # Reads `__dict__` instead of the attribute, which is missing during unpickling and after a failed constructor.
        pool, atari = self.__dict__.get("_pool"), self.__dict__.get("_atari")
        if atari is not None and name in ATARI_NAMES:
            return getattr(atari, name)
        if pool is not None and (
            name == "np_random"
            or (name not in _POOL_OPTIONS and (name in pool.config or name in physics_of(pool.spec.task_id)))
        ):
            return pool.get_attr(name)[0]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _unknown_attribute(self, name: str) -> AttributeError:
        fixed = fixed_attribute(name, name, self._pool.config, self._pool.spec.task_id)
        return fixed or super()._unknown_attribute(name)

    @property
    def normalization(self) -> Normalization | None:
        """Statistics of normalisation, as pools have them; ``None`` if results are not normalised."""
        statistics: Normalization | None = self._pool.normalization
        return statistics

    def close(self) -> None:
        """Frees the environment."""
        self._pool.close()

    @property
    def np_random(self) -> np.random.Generator:
        """Copy of the environment's generator. Drawing from the copy changes nothing in the environment.

        Atari games draw from no generator of numpy's; theirs is ale-py's, from which wrappers draw.

        Raises:
            AttributeError: if the environment uses another generator than numpy's; and for an assignment.
        """
        if self._atari is not None and self._atari.owns_generator:
            return self._atari.np_random
        generator: np.random.Generator = self._pool.np_random[0]
        return generator

    @np_random.setter
    def np_random(self, value: Any) -> None:
        raise AttributeError("np_random: that is the engine's; reset(seed=...) seeds the environment")

    @property
    def np_random_seed(self) -> int:
        """Seed of the last seeded reset."""
        return int(self._pool.np_random_seed[0])


_POOL_OPTIONS = frozenset(option["name"] for option in _core.pool_options())
"""Names of pool options, which a single environment does not accept."""


def make_single(task_id: str | list[str], **options: Any) -> SingleEnv:
    """Makes a single environment of a pool's task: ``pool.spec.make()`` and ``gymnasium.make(pool.spec)`` call it.

    Args:
        task_id: the task.
        options: options of the pool, of which only those of the environment and ``render_mode`` apply.

    Raises:
        ValueError: for several tasks or players, or an option that is not allowed.
    """
    if not isinstance(task_id, str):
        raise ValueError(f"task_id={task_id!r}: expected one task; a single environment has one")
    dropped = (_POOL_OPTIONS | {"vectorization_mode", "vector_kwargs", "wrappers"}) - {"render_mode"}
    own = {name: value for name, value in options.items() if name not in dropped}
    return SingleEnv(task_id, **own)


def _batched(action: Any) -> Any:
    if isinstance(action, dict):
        return {key: _batched(part) for key, part in action.items()}
    return array("action", action)[None]
