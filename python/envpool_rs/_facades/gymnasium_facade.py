"""EnvPool's gymnasium interface."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Generic

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv

from envpool_rs._facades.envpool_calls import EnvPoolCalls
from envpool_rs._facades.envpool_mixin import NativePool, autoreset_mode
from envpool_rs._facades.rendering import EnvPoolRenderMixin
from envpool_rs._facades.resets import seed_list
from envpool_rs._spec.render_options import render_metadata
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias, overload

    import numpy.typing as npt
    from typing_extensions import TypeVar

    from envpool_rs._core import Out

    ObservationT = TypeVar("ObservationT", default=Any)
    Flags: TypeAlias = npt.NDArray[np.bool_]
    Step: TypeAlias = tuple[ObservationT, npt.NDArray[np.float32], Flags, Flags, dict[str, Any]]
    Reset: TypeAlias = tuple[ObservationT, dict[str, Any]]
else:
    from typing import TypeVar

    ObservationT = TypeVar("ObservationT")
    """Type of a batch of observations: an array, or a dict or tuple of arrays."""


class GymnasiumMixin(NativePool):
    """Attributes that EnvPool's gymnasium interface and gymnasium's vector environment share.

    Attributes:
        num_envs: number of environments.
        single_observation_space: observation space of one environment (one player).
        single_action_space: action space of one environment (one player).
        metadata: ``autoreset_mode`` is a ``gymnasium.vector.AutoresetMode``.
        autoreset_mode: equal to ``metadata["autoreset_mode"]``; gymnasium's own vector environments also have both.
    """

    is_vector_env = True
    num_envs: int
    single_observation_space: Any
    single_action_space: Any
    metadata: dict[str, Any]
    autoreset_mode: AutoresetMode

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(spec)
        self.num_envs = len(self)
        self.autoreset_mode = autoreset_mode(spec)
        self.metadata = {**render_metadata(spec.pool), "autoreset_mode": self.autoreset_mode}
        self.single_observation_space = spec.observation_space
        self.single_action_space = spec.action_space

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """Seed of each environment's last seeded reset, as in gymnasium's own vector environments."""
        return tuple(seed_list(self._seeds, len(self)))

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """Copies of the environments' generators. Drawing from the copies changes nothing in the environments.

        Raises:
            AttributeError: if the environments use another generator than numpy's, run outside this process, or are in
                flight.
        """
        try:
            generators = self._bit_generators()
        except RuntimeError as error:
            raise AttributeError(f"np_random: {error}") from error
        return tuple(_generator(parts) for parts in generators)


def _generator(parts: tuple[int, int, int | None] | None) -> np.random.Generator:
    if parts is None:
        raise AttributeError("np_random: these environments draw from another generator than numpy's Generator")
    state, increment, spare = parts
    generator = np.random.Generator(np.random.PCG64())
    generator.bit_generator.state = {
        "bit_generator": "PCG64",
        "state": {"state": state, "inc": increment},
        "has_uint32": int(spare is not None),
        "uinteger": spare or 0,
    }
    return generator


class GymnasiumEnvPool(  # type: ignore[misc, override]
    EnvPoolCalls, EnvPoolRenderMixin, GymnasiumMixin, VectorEnv, gymnasium.Env, Generic[ObservationT]
):
    """EnvPool's gymnasium interface: ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environment's own infos. Rewards are float32, integers int32. The pool is an instance of both
    ``gymnasium.vector.VectorEnv`` and ``gymnasium.Env``, so that wrappers of both kinds accept it. All attributes below
    are assignable.

    Attributes:
        observation_space: observation space of *one* environment, as in EnvPool.
        action_space: action space of *one* environment, as in EnvPool.
    """

    def __init__(self, spec: EnvSpec) -> None:
        super().__init__(spec)
        self.observation_space = self.single_observation_space
        self.action_space = self.single_action_space

    if TYPE_CHECKING:
        # At run time, `step`, `recv` and other methods are the Rust extension's, without Python wrappers. These
        # declarations are for type checkers.
        def step(  # type: ignore[override]
            self, action: Any, env_id: Any = None, *, out: Out | None = None
        ) -> Step[ObservationT]: ...
        @overload  # type: ignore[override]
        def recv(
            self, reset: Literal[False] = False, return_info: bool = True, *, out: Out | None = None
        ) -> Step[ObservationT]: ...
        @overload
        def recv(
            self, reset: Literal[True], return_info: bool = True, *, out: Out | None = None
        ) -> Reset[ObservationT]: ...
        def recv(self, reset: bool = False, return_info: bool = True, *, out: Out | None = None) -> Any: ...
        def reset(
            self,
            env_id: Any = None,
            *,
            seed: Any = None,
            options: Mapping[str, Any] | None = None,
            out: Out | None = None,
        ) -> Reset[ObservationT]: ...
