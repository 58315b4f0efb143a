"""gymnasium's vector environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from gymnasium.vector import VectorEnv as GymnasiumVectorEnv
from gymnasium.vector.utils import batch_space

from envpool_rs.final_infos import zero_other_rows
from envpool_rs.gymnasium_facade import GymnasiumMixin
from envpool_rs.spec import EnvSpec


class VectorEnv(GymnasiumMixin, GymnasiumVectorEnv):  # type: ignore[misc, override]
    """gymnasium's vector interface: batched spaces, float64 rewards, gymnasium's dtypes and infos (``key`` with
    ``_key`` masks).

    Environments with several players that share one space have a row per player in observations, actions and rewards
    (players of environment 0 first), and one per environment in flags.

    Attributes:
        observation_space: the batched space, ``batch_space(single_observation_space, rows)``.
        action_space: the batched space, ``batch_space(single_action_space, rows)``.
    """

    def __init__(self, spec: EnvSpec) -> None:
        """Names the spaces.

        Args:
            spec: the specification that the pool was made of.
        """
        super().__init__(spec)
        rows = self.num_envs * spec.rows
        self.observation_space = batch_space(self.single_observation_space, rows)
        self.action_space = batch_space(self.single_action_space, rows)

    def reset(self, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets environments now, cancelling an autoreset that is due.

        Args:
            seed: ``None`` to go on with the generators; an int, where environment ``i`` gets ``seed + i``; or a
                sequence with an entry (``None`` allowed) for each environment.
            options: ``reset_mask`` (``(num_envs,)`` booleans) to reset some environments only, and the environment's
                reset options.

        Returns:
            Observations and infos of all environments; those that were not reset keep their observation, and are masked
            out in the infos.
        """
        mask = None if options is None else options.get("reset_mask")
        observation, info = self._reset(None, seed, options, all_rows=mask is not None)
        if mask is not None:
            zero_other_rows(info, mask)
        return observation, info

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._spec.id}, num_envs={self.num_envs})"

    def call(self, name: str, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """What ``name`` is in each environment.

        Args:
            name: ``"render"``, or an attribute that ``get_attr`` knows.
            arguments: for methods; attributes take none.
            keywords: for methods; attributes take none.

        Raises:
            AttributeError: for everything else: environments of a pool are no Python objects.
        """
        if name == "render":
            return self.render(*arguments, **keywords)
        if arguments or keywords:
            raise AttributeError(f"call({name!r}): environments of a pool have no methods")
        return self.get_attr(name)

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of each environment.

        Args:
            name: an option of the environment, ``"np_random_seed"``, ``"observation_space"``, ``"action_space"``,
                ``"spec"``, ``"metadata"`` or ``"render_mode"``.

        Raises:
            AttributeError: for everything else.
        """
        if name == "np_random_seed":
            return self.np_random_seed
        shared = {
            **self.config,
            "observation_space": self.single_observation_space,
            "action_space": self.single_action_space,
            "spec": self.spec,
            "metadata": self.metadata,
            "render_mode": self.render_mode,
        }
        if name not in shared:
            raise AttributeError(f"environments of a pool have no attribute {name!r}; there are: {', '.join(shared)}")
        return (shared[name],) * self.num_envs

    def set_attr(self, name: str, values: Any) -> NoReturn:
        """Options are fixed when the pool is made.

        Raises:
            AttributeError: always.
        """
        raise AttributeError(
            f"set_attr({name!r}): options are fixed when the pool is made; give {name} to make_vec instead"
        )
