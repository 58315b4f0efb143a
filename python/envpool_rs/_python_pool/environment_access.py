"""Attributes, methods and pictures of the environments of a pool."""

from __future__ import annotations

from typing import Any


class EnvironmentAccess:
    """What gymnasium's vector environments offer of the environments themselves. All of it refuses environments that
    are in flight.

    Attributes:
        num_envs: number of environments.
    """

    num_envs: int

    def _call(self, env_ids: Any, operation: str, payloads: list[Any] | None) -> tuple[Any, ...]:
        raise NotImplementedError

    def call(self, name: str, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """What ``name`` is in each environment: the method's result, or the attribute where it is no method.

        Args:
            name: of the environment or of what it wraps; dots lead into attributes.
            arguments: for the method.
            keywords: for the method.

        Raises:
            AttributeError: where an environment has none, naming it.
            RuntimeError: while environments are in flight.
        """
        return self._call(None, "call", [(name, arguments, keywords)] * self.num_envs)

    def call_some(self, env_ids: Any, name: str, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """``call`` of some environments.

        Args:
            env_ids: ids ``(n,)``.
            name: as for ``call``.
            arguments: for the method.
            keywords: for the method.
        """
        return self._call(env_ids, "call", [(name, arguments, keywords)] * len(env_ids))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """An attribute of each environment; as gymnasium's, it calls what is callable.

        Args:
            name: of the environment or of what it wraps; dots lead into attributes.
        """
        return self.call(name)

    def get_attr_of_some(self, env_ids: Any, name: str) -> tuple[Any, ...]:
        """An attribute of some environments as it is, not called where it can be.

        Args:
            env_ids: ids ``(n,)``.
            name: of the environment or of what it wraps; dots lead into attributes.
        """
        return self._call(env_ids, "get_attr", [name] * len(env_ids))

    def apply_to_some(self, env_ids: Any, function: Any, *arguments: Any) -> tuple[Any, ...]:
        """What a function of one's own returns for each of some environments, where these live.

        Args:
            env_ids: ids ``(n,)``.
            function: ``function(env, *arguments)``; it is pickled.
            arguments: for the function.
        """
        return self._call(env_ids, "apply", [(function, arguments)] * len(env_ids))

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment.

        Args:
            name: of the environment or of what it wraps; dots lead into attributes.
            values: a list or tuple with one for each environment, or one for all.

        Raises:
            ValueError: for a list or tuple of another length.
            RuntimeError: while environments are in flight.
        """
        if not isinstance(values, (list, tuple)):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            raise ValueError(f"values has {len(values)} entries: expected num_envs={self.num_envs}")
        self._call(None, "set_attr", [(name, value) for value in values])

    def set_attr_of_some(self, env_ids: Any, name: str, value: Any) -> None:
        """Sets an attribute of some environments.

        Args:
            env_ids: ids ``(n,)``.
            name: of the environment or of what it wraps; dots lead into attributes.
            value: the same for all of them.
        """
        self._call(env_ids, "set_attr", [(name, value)] * len(env_ids))

    def render(self, env_ids: Any = None) -> tuple[Any, ...]:
        """What ``render()`` of each environment returns.

        Args:
            env_ids: ids ``(n,)``; ``None`` for all.
        """
        return self._call(env_ids, "render", None)

    @property
    def np_random_seed(self) -> tuple[Any, ...]:
        """The seed that each environment's generator was last given, as the environments say."""
        return self.get_attr("np_random_seed")

    @property
    def np_random(self) -> tuple[Any, ...]:
        """Copies of the environments' generators: drawing from them changes nothing in the environments."""
        return self.get_attr("np_random")
