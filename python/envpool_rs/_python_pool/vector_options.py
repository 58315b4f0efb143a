"""Checks the arguments of gymnasium's ``AsyncVectorEnv`` other than ``env_fns``, and converts them to pool options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.error import CustomSpaceError
from gymnasium.spaces.utils import is_space_dtype_shape_equiv
from gymnasium.vector.utils import batch_differing_spaces, batch_space, create_shared_memory

from envpool_rs._arguments import flag
from envpool_rs._errors import DifferentSpacesError
from envpool_rs._python_pool.environments import check_declared
from envpool_rs._python_pool.options import PoolOptions
from envpool_rs._workers.worker_process import available_cores

NAMES = ("shared_memory", "daemon", "worker", "observation_mode", "max_concurrency")
"""Arguments of ``AsyncVectorEnv`` that are not options of the pool."""


_PAIR = 2
"""Length of an ``observation_mode`` that is a tuple of spaces: the batched space and the single one."""


@dataclass(frozen=True)
class VectorOptions:
    """Options of gymnasium's vector interface over Python environments.

    Attributes:
        shared_memory: whether observations that cannot be stored in shared memory raise an error; if false, they are
            pickled.
        daemon: whether worker processes are daemonic, so that they may not have child processes.
        observation_mode: ``"same"``, ``"different"``, or a tuple of the batched observation space and the single one.
        max_concurrency: largest number of environments that run at once; ``None`` for no limit.
        given: the options that the caller passed explicitly, by name.
    """

    shared_memory: bool | None
    daemon: bool
    observation_mode: Any
    max_concurrency: int | None
    given: Mapping[str, Any]

    @classmethod
    def checked(cls, given: Mapping[str, Any]) -> VectorOptions:
        """Validates arguments, and fills in defaults.

        Args:
            given: arguments by name, some of :data:`NAMES`.

        Raises:
            ValueError: for a value that is not allowed.
            TypeError: for a value of the wrong type.
        """
        if given.get("worker") is not None:
            raise TypeError(
                f"worker={given['worker']!r}: expected None; what plays environments is no function of Python's here"
            )
        shared_memory = given.get("shared_memory")
        return cls(
            shared_memory=None if shared_memory is None else flag("shared_memory", shared_memory),
            daemon=flag("daemon", given.get("daemon", True)),
            observation_mode=_observation_mode(given.get("observation_mode", "same")),
            max_concurrency=_max_concurrency(given.get("max_concurrency")),
            given=given,
        )

    def limit_workers(self, options: PoolOptions) -> PoolOptions:
        """Returns the pool's options with ``max_concurrency`` worker processes, since each process steps one
        environment at a time.

        Args:
            options: the pool's options.

        Raises:
            ValueError: if the number of processes is also given.
        """
        if self.max_concurrency is None:
            return options
        if options.num_workers is not None and not options.is_async:
            raise ValueError(
                f"max_concurrency={self.max_concurrency} and num_workers={options.num_workers} are both given: "
                "expected one of them"
            )
        chosen = options.num_workers or len(available_cores())
        return replace(options, num_workers=min(chosen, self.max_concurrency, options.num_envs))

    def spaces(self, observation: Sequence[Any], action: Sequence[Any]) -> tuple[Any, Any, Any]:
        """Returns the spaces of the vector environment.

        Args:
            observation: observation space of each environment, ``None`` if it declares none.
            action: action space of each environment, ``None`` if it declares none.

        Returns: The batched observation space, the observation space of one environment, and the action space of one
        environment.

        Raises:
            ValueError: if an environment has no spaces, if they differ and must not, or if observations must be in
                shared memory and cannot. The error for different spaces is also a ``RuntimeError``, as in gymnasium.
            TypeError, AssertionError: gymnasium's errors for spaces that cannot be batched.
        """
        check_declared("observation_space", observation)
        check_declared("action_space", action)
        batched, single = self._observation_spaces(observation)
        if self.shared_memory:
            _check_shared(single)
        for index, space in enumerate(action):
            if space != action[0]:
                raise DifferentSpacesError(
                    f"environment {index} has action_space={space}: expected that of environment 0, {action[0]}. "
                    "In order to batch actions, the action spaces from all environments must be equal."
                )
        return batched, single, action[0]

    def _observation_spaces(self, spaces: Sequence[Any]) -> tuple[Any, Any]:
        if self.observation_mode == "same":
            for index, space in enumerate(spaces):
                if space != spaces[0]:
                    raise DifferentSpacesError(
                        "make_vec(..., observation_mode='same') however the sub-environments observation spaces are "
                        f"not equivalent. environment {index} has observation_space={space}: expected that of "
                        f"environment 0, {spaces[0]}. If this is intentional, use `observation_mode='different'` "
                        "instead."
                    )
            return batch_space(spaces[0], len(spaces)), spaces[0]
        if self.observation_mode == "different":
            batched, single = batch_differing_spaces(list(spaces)), spaces[0]
        else:
            batched, single = self.observation_mode
        for index, space in enumerate(spaces):
            if not is_space_dtype_shape_equiv(space, single):
                raise DifferentSpacesError(
                    f"make_vec(..., observation_mode='different' or custom space) however environment {index} has "
                    f"observation_space={space}, whose shape and dtype are not those of {single}"
                )
        return batched, single


def _observation_mode(mode: Any) -> Any:
    if isinstance(mode, tuple) and len(mode) == _PAIR:
        if not all(isinstance(each, Space) for each in mode):
            raise TypeError(
                f"Expected both elements of observation_mode to be Spaces, got {type(mode[0])} and {type(mode[1])}"
            )
        return mode
    if not isinstance(mode, str) or mode not in ("same", "different"):
        # gymnasium raises the same error message.
        raise ValueError(
            "Invalid `observation_mode`, expected: 'same' or 'different' or tuple of single and batch observation "
            f"space, actual got {mode}"
        )
    return mode


def _max_concurrency(most: Any) -> int | None:
    if most is None:
        return None
    # gymnasium raises the same error message.
    if not isinstance(most, (int, np.integer)):
        raise ValueError(f"`max_concurrency` must be an integer or None, got {type(most)}.")
    if most < 1:
        raise ValueError(f"`max_concurrency` must be a positive or None, got {most}.")
    return int(most)


def _check_shared(space: Any) -> None:
    try:
        create_shared_memory(space, n=1)
    except CustomSpaceError as error:
        raise ValueError(
            f"shared_memory=True: observations of {space} cannot lie in shared memory; leave it out, or give False"
        ) from error
