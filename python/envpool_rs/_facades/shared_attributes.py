"""Attributes of native environments, which are no Python objects: what all of them share."""

from __future__ import annotations

from typing import Any, NoReturn


class SharedAttributes:
    """gymnasium's ``call``, ``get_attr`` and ``set_attr`` for pools of native environments."""

    num_envs: int
    config: Any
    spec: Any
    metadata: Any
    render_mode: Any
    render: Any
    np_random_seed: Any
    single_observation_space: Any
    single_action_space: Any

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
            pictures: tuple[Any, ...] | None = self.render(*arguments, **keywords)
            return (None,) * self.num_envs if pictures is None else pictures
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
            seeds: tuple[Any, ...] = self.np_random_seed
            return seeds
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
