"""A single native environment as ``gymnasium.make`` and, of Atari games, gymnasium's ``AtariPreprocessing`` expect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.utils import seeding

from envpool_rs import _core
from envpool_rs._arguments import array
from envpool_rs._errors import PendingCallError
from envpool_rs._facades.environments import fixed_attribute, info_row, physics_of
from envpool_rs._facades.episode_options import SingleOptions
from envpool_rs._facades.normalization import Normalization
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._make.make import make_vec
from envpool_rs._nested import rows_of_batch
from envpool_rs._spec.options import ENGINE_OPTIONS, render_metadata
from envpool_rs._spec.spec import with_shared_statistics


class SinglePool:
    """Resets and steps a pool of one environment; a step after an interrupted call returns or completes this first."""

    _is_resetting = False
    _is_lost = False  # whether an exception has lost the previous step's result after the pool returned it

    def __init__(self, pool: Any) -> None:
        self._pool = pool

    def reset(self, seed: int | None, options: Mapping[str, Any] | None) -> tuple[Any, dict[str, Any]]:
        self._is_resetting, self._is_lost = True, False
        result: tuple[Any, dict[str, Any]] = self._pool.reset(seed=seed, options=options)
        self._is_resetting = False
        return result

    def step(self, actions: Any) -> Any:
        was_resetting, self._is_resetting = self._is_resetting, False
        was_lost, deliveries = self._is_lost, self._pool._deliveries()
        try:
            result = self._pool._recv_again() if was_lost else self._pool.step(actions)
            self._is_lost = False
            return result
        except PendingCallError:
            # A signal interrupted the previous call, and the environment still runs that call's request.
            self._is_resetting = was_resetting
            result = self._pool.recv()
        except BaseException:
            self._is_lost = was_lost or self._pool._deliveries() != deliveries
            raise
        self._is_resetting = False
        return self._pool.step(actions) if was_resetting else result


class SingleEnv(SingleOptions, KnownAttributes, gymnasium.Env):
    """Pool of one environment without autoreset, with gymnasium's interface for single environments.

    Intended for evaluation and for tools that support no vector environments; pools are made for many environments.
    ``render_mode`` is the format that ``render()`` returns; with ``"human"`` every reset and step is shown in a window.
    ``metadata`` has ``render_modes`` and ``render_fps`` of the task; the class attribute, the modes of all tasks.
    """

    metadata = {"render_modes": ["human", "rgb_array", "depth_array", "rgbd_tuple", "ansi"]}  # noqa: RUF012
    _spec: GymnasiumEnvSpec | None = None

    def __init__(self, task_id: str, max_episode_steps: int = 2**31 - 1, **options: Any) -> None:
        """Creates the environment without resetting it; raises ValueError for tasks with several players.

        Episodes are truncated after ``max_episode_steps`` steps; by default there is no limit, because
        ``gymnasium.make`` adds its own. ``options`` are the environment's own options, and those of rendering.
        """
        fixed: dict[str, Any] = {"num_envs": 1, "vectorization_mode": "native", "autoreset_mode": "disabled"}
        self._pool: Any = make_vec(task_id, max_episode_steps=max_episode_steps, **fixed, **options)
        if self._pool.spec.players != 1:
            players = f"{self._pool.spec.players} players"
            raise ValueError(f"{task_id!r} has {players}: gymnasium.make takes environments with one; use make_vec")
        self._calls = SinglePool(self._pool)
        # Only ale-py's tasks have the option, and without preprocessing its observations.
        has_screen = self._pool.config.get("preprocessing") is False
        self._atari = AtariInterface(self._pool.config) if has_screen else None
        self.observation_space, self.action_space = self._pool.single_observation_space, self._pool.single_action_space
        self.metadata, self.render_mode = render_metadata(self._pool.spec.pool), self._pool.render_mode

    @property
    def spec(self) -> GymnasiumEnvSpec | None:
        """Specification that ``gymnasium.make`` assigned."""
        return self._spec

    @spec.setter
    def spec(self, spec: GymnasiumEnvSpec | None) -> None:
        self._spec = spec
        if spec is not None:
            spec.kwargs = with_shared_statistics(spec.kwargs)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts an episode, with the environment's reset options; the seed ``None`` continues the random stream."""
        super().reset(seed=seed)
        observation, info = self._received(*self._calls.reset(seed, options))
        if self._atari is not None and seed is not None:
            self._atari.seed(seed)
        return observation, info

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Runs one step, with a value of the action space. If a signal interrupted the previous step, this call returns
        the result of that step and does not run another step.
        """
        try:
            batch, reward, terminated, truncated, infos = self._calls.step(_batched(action))
        except ValueError:
            _check_shapes("action", action, self.action_space)  # without the pool's axis of environments
            raise
        observation, info = self._received(batch, infos)
        return observation, float(reward[0]), bool(terminated[0]), bool(truncated[0]), info

    def _received(self, batch: Any, infos: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        if self.render_mode == "human":
            self._pool.render()
        observation, info = rows_of_batch(self.observation_space, batch, 0), info_row(infos, 0)
        if self._atari is not None:
            self._atari.observation, self._atari.remaining = observation, int(info["lives"])
        return observation, info

    def render(self) -> Any:
        """Returns a frame in the format of ``render_mode``; ``None`` in the mode ``"human"``.

        The format is an image ``(height, width, 3)`` uint8, a depth image ``(height, width)`` float32, a tuple of both
        images, or text. Raises NotImplementedError if the task renders nothing, and RuntimeError if the environment was
        made without ``render_mode``, or was never reset.
        """
        pictures = self._pool.render()
        return None if pictures is None else pictures[0]

    def __getattr__(self, name: str) -> Any:
        """Returns an option of the environment, or a physics constant by gymnasium's name (classic control). Atari
        games also have ale-py's attributes that ``AtariPreprocessing`` uses.
        """
        # Reads `__dict__` instead of the attribute, which is missing during unpickling and after a failed constructor.
        pool, atari = self.__dict__.get("_pool"), self.__dict__.get("_atari")
        if atari is not None and name in ATARI_NAMES:
            return getattr(atari, name)
        if pool is not None and (
            name == "np_random"
            or (name not in ENGINE_OPTIONS and (name in pool.config or name in physics_of(pool.spec.task_id)))
        ):
            return pool.get_attr(name)[0]
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

    def _unknown_attribute(self, name: str) -> AttributeError:
        spec = self._pool.spec
        fixed = fixed_attribute(name, name, self._pool.config, spec.task_id, spec.pool.episode_options)
        return fixed or super()._unknown_attribute(name)

    @property
    def normalization(self) -> Normalization | None:
        """Statistics of normalisation, as pools have them; ``None`` if results are not normalised."""
        return self._pool.normalization  # type: ignore[no-any-return]

    def close(self) -> None:
        self._pool.close()

    @property
    def np_random(self) -> np.random.Generator:
        """Copy of the environment's generator. Drawing from the copy changes nothing in the environment.

        Atari games draw from no generator of numpy's; theirs is ale-py's, from which wrappers draw. Raises
        AttributeError if the environment uses another generator than numpy's, and for an assignment.
        """
        # The environment itself draws random numbers of frames.
        if self._atari is not None and isinstance(self._pool.config["frameskip"], int):
            return self._atari.np_random
        return self._pool.np_random[0]  # type: ignore[no-any-return]

    @np_random.setter
    def np_random(self, value: Any) -> None:
        raise AttributeError("np_random: that is the engine's; reset(seed=...) seeds the environment")

    @property
    def np_random_seed(self) -> int:
        """Seed of the last seeded reset."""
        return int(self._pool.np_random_seed[0])


def make_single(task_id: str | list[str], **options: Any) -> SingleEnv:
    """Makes a single environment of a pool's task: ``pool.spec.make()`` and ``gymnasium.make(pool.spec)`` call it.

    Of the pool's options, only those of the environment and ``render_mode`` apply. Raises ValueError for several tasks
    or players, or an option that is not allowed.
    """
    if not isinstance(task_id, str):
        raise ValueError(f"task_id={task_id!r}: expected one task; a single environment has one")
    dropped = {*ENGINE_OPTIONS, "vectorization_mode", "vector_kwargs", "wrappers"} - {"render_mode"}
    own = {name: value for name, value in options.items() if name not in dropped}
    return SingleEnv(task_id, **own)


def _batched(action: Any) -> Any:
    if isinstance(action, dict):
        return {key: _batched(part) for key, part in action.items()}
    return array("action", action)[None]


def _check_shapes(name: str, action: Any, space: Any) -> None:
    if isinstance(action, dict) and isinstance(space, gymnasium.spaces.Dict):
        for key in action.keys() & space.keys():
            _check_shapes(key, action[key], space[key])
    elif space.shape is not None and (shape := array(name, action).shape) != space.shape:
        raise ValueError(f"{name} has shape {shape}: expected {space.shape}") from None


ATARI_NAMES = ("_frameskip", "ale", "get_action_meanings")  # those that a single environment has

# Weights of red, green and blue in ALE's palette of grey values, in units of 1e-4.
_LUMINANCE = np.array([2989, 5870, 1140], np.uint32)


class AtariInterface(KnownAttributes):
    """The part of ale-py's ``AtariEnv`` and of its ``ale`` that ``AtariPreprocessing`` uses, for one environment."""

    np_random: np.random.Generator
    observation: Any = None  # observation of the last reset or step
    remaining: int = 0  # number of lives after it

    def __init__(self, config: Mapping[str, Any]) -> None:
        self._config = config
        self._frameskip = config["frameskip"]
        self.seed(None)

    @property
    def ale(self) -> AtariInterface:
        return self

    def seed(self, seed: int | None) -> None:
        own, _ = np.random.SeedSequence(seed).generate_state(2)
        self.np_random = seeding.np_random(int(own))[0]

    def get_action_meanings(self) -> list[str]:
        is_full = self._config["full_action_space"] or self._config["continuous"]
        return _core.atari_game(self._config["game"], is_full)[0]

    def lives(self) -> int:
        return self.remaining

    def getScreenRGB(self, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:  # noqa: N802 - ALE's
        """Returns the screen uint8 ``(height, width, 3)``, in ``out`` if it is given."""
        return self._screen("getScreenRGB", "rgb", out=out)

    def getScreenGrayscale(self, out: npt.NDArray[np.uint8] | None = None) -> npt.NDArray[np.uint8]:  # noqa: N802
        """Returns the screen's grey values uint8 ``(height, width)``, in ``out`` if it is given."""
        is_pal = _core.atari_game(self._config["game"], False)[1]
        return self._screen("getScreenGrayscale", "grayscale", *(() if is_pal else ("rgb",)), out=out)

    def _screen(self, method: str, *kinds: str, out: Any) -> npt.NDArray[np.uint8]:
        kind = self._config["obs_type"]
        if kind not in kinds:
            raise RuntimeError(f"{method}(): obs_type={kind!r}: expected {' or '.join(map(repr, kinds))}")
        if self.observation is None:
            raise RuntimeError(f"{method}(): the environment has no screen yet; call reset first")
        screen = self.observation
        if kind != kinds[0]:
            screen = ((screen @ _LUMINANCE + 5000) // 10_000).astype(np.uint8)
        result = np.empty_like(screen) if out is None else out
        result[...] = screen
        return result  # type: ignore[no-any-return]
