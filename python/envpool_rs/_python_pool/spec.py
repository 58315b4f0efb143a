"""What a pool over Python environments is made of, in the words of both contracts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs._python_pool.dialects import SMALLER, envpool_space
from envpool_rs._python_pool.options import PoolOptions
from envpool_rs._spec.spaces import ArraySpec, array_spec
from envpool_rs._spec.spec import EnvSpec

if TYPE_CHECKING:
    from envpool_rs._core import Dialect

_INT32 = np.dtype(np.int32)


class PythonEnvSpec(EnvSpec):
    """Spaces and options of a pool over Python environments: the surface of :class:`envpool_rs.spec.EnvSpec`.

    There is no ``pool`` behind it: environments are described by their spaces alone.

    Attributes:
        options: the checked options.
        env_options: what ``gymnasium.make`` was given besides.
        dialect: ``"envpool"`` or ``"gymnasium"``: whose dtypes.
        counted_steps: steps after which the pool truncates episodes; ``None`` where the environments do so
            themselves, or nobody does.
        batched_observation_space: of all environments together; ``None`` for as many as there are of the single one.
    """

    def __init__(
        self,
        name: str,
        dialect: Dialect,
        options: PoolOptions,
        single_spaces: tuple[Any, Any],
        described: Mapping[str, Any],
    ) -> None:
        """Describes environments that have been made.

        Args:
            name: their id, or what they are called instead.
            dialect: ``"envpool"`` or ``"gymnasium"``: whose dtypes.
            options: the checked options.
            single_spaces: observation and action space of one environment, as it declares them.
            described: ``env_options``, ``gym_reset_return_info``, ``counted_steps``, ``batched_observation_space``, and
                fields of gymnasium's ``EnvSpec`` (``entry_point``, ``kwargs``, ...).
        """
        rest = dict(described)
        self.options = options
        self.env_options: dict[str, Any] = rest.pop("env_options", {})
        self._return_info: bool = rest.pop("gym_reset_return_info", True)
        self.counted_steps: int | None = rest.pop("counted_steps", None)
        self.batched_observation_space: Any = rest.pop("batched_observation_space", None)
        self.dialect = dialect
        self._task_id = name
        observation, self._action = single_spaces
        self._observation = envpool_space(observation) if dialect == "envpool" else observation
        fields = {"reward_threshold": options.reward_threshold, "max_episode_steps": options.max_episode_steps, **rest}
        GymnasiumEnvSpec.__init__(self, id=name, **fields)

    def __reduce__(self) -> tuple[Any, ...]:
        return object.__new__, (type(self),), self.__dict__.copy()

    @property
    def pool(self) -> NoReturn:
        """Native pools have one.

        Raises:
            AttributeError: always.
        """
        raise AttributeError("pool: the environments are Python's, and have no native specification")

    @property
    def task_id(self) -> str:
        """The id of the environments, or what they are called instead."""
        return self._task_id

    @property
    def players(self) -> int:
        """Players in one environment."""
        return 1

    @property
    def rows(self) -> int:
        """Rows that one environment takes in observation and action arrays."""
        return 1

    def config_dict(self) -> dict[str, Any]:
        """All options with their values: the pool's first, then those of ``gymnasium.make``."""
        config = {**self.options.as_dict(), **self.env_options}
        if self.dialect == "envpool":
            config["gym_reset_return_info"] = self._return_info
        return config

    def _defaults(self) -> dict[str, Any]:
        return self.config_dict()

    @property
    def state_array_spec(self) -> dict[str, ArraySpec]:
        """The arrays of a step's result by EnvPool's names. Observations that are no arrays are left out, and so are
        the environments' own infos, which are known only once they come.
        """
        reward = "float32" if self.dialect == "envpool" else "float64"
        arrays: dict[str, tuple[str, tuple[int, ...]]] = {
            "info:env_id": ("int32", ()),
            "info:players.env_id": ("int32", (-1,)),
            "elapsed_step": ("int32", ()),
            "done": ("bool", ()),
            "reward": (reward, (-1,)),
            "discount": ("float32", (-1,)),
            "step_type": ("int32", ()),
            "trunc": ("bool", ()),
        }
        observation = {name: _leaf_spec(leaf) for name, leaf in _leaves(self._observation, "obs", ":")}
        return {**{name: array_spec(*array) for name, array in arrays.items()}, **observation}

    @property
    def action_array_spec(self) -> dict[str, ArraySpec]:
        """The arrays of a step's input by EnvPool's names."""
        ids = {"env_id": array_spec("int32", ()), "players.env_id": array_spec("int32", (-1,))}
        # Rows of actions are players'.
        actions = {name: _leaf_spec(leaf) for name, leaf in _leaves(self._action, "action", ":")}
        return {**ids, **{name: replace(array, shape=[-1, *array.shape]) for name, array in actions.items()}}

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment, one of gymnasium's classes."""
        return self._observation

    @property
    def action_space(self) -> Any:
        """Action space of one environment, one of gymnasium's classes."""
        return self._action


def _leaves(space: Any, name: str, separator: str) -> Iterator[tuple[str, Any]]:
    """The spaces of arrays inside a space with EnvPool's names for them, depth first."""
    if isinstance(space, spaces.Dict):
        parts = [(str(key), part) for key, part in space.spaces.items()]
    elif isinstance(space, spaces.Tuple):
        parts = [(str(index), part) for index, part in enumerate(space.spaces)]
    else:
        if isinstance(space, (spaces.Box, spaces.Discrete, spaces.MultiDiscrete, spaces.MultiBinary)):
            yield name, space
        return
    for key, part in parts:
        yield from _leaves(part, f"{name}{separator}{key}", ".")


def _leaf_spec(space: Any) -> ArraySpec:
    dtype = np.dtype(space.dtype)
    if isinstance(space, spaces.Discrete):
        start = int(space.start)
        return ArraySpec(SMALLER.get(dtype, dtype), [], start, start + int(space.n) - 1)
    if isinstance(space, spaces.Box):
        return ArraySpec(dtype, list(space.shape), _bound(space.low), _bound(space.high))
    if isinstance(space, spaces.MultiDiscrete):
        return ArraySpec(dtype, list(space.shape), space.start, space.start + space.nvec - 1)
    return ArraySpec(dtype, list(space.shape), 0, 1)


def _bound(bound: Any) -> Any:
    same = bound.size and (bound == bound.reshape(-1)[0]).all()
    return bound.reshape(-1)[0].item() if same else bound
