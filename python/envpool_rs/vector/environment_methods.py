"""Methods of a vector environment other than steps and resets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from envpool_rs._arguments import seeds_of, text
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs.vector import vector_arguments as arguments
from envpool_rs.vector.executor import EnvBackend, StepLedger, is_failure


class EnvironmentMethods(KnownAttributes):
    """Mixin with methods that access attributes, methods, seeds and rendered frames of single environments.

    It does not derive from gym's ``Env``, whose metaclass (in gym 0.24 and 0.25) replaces ``render`` with a method that
    reads the ``spec`` of a single environment.
    """

    _executor: EnvBackend
    _pending: StepLedger
    _all_ids: list[int]

    @property
    def metadata(self) -> list[Any]:
        """List of the environments' ``metadata``."""
        return self.get_env_attr("metadata")

    @property
    def reward_range(self) -> list[Any]:
        """List of the environments' ``reward_range``."""
        return self.get_env_attr("reward_range")

    @property
    def spec(self) -> list[Any]:
        """List of the environments' ``spec``."""
        return self.get_env_attr("spec")

    @property
    def action_space(self) -> list[Any]:
        """List of the environments' action spaces."""
        return self.get_env_attr("action_space")

    @property
    def observation_space(self) -> list[Any]:
        """List of the environments' observation spaces."""
        return self.get_env_attr("observation_space")

    def _unknown_attribute(self, name: str) -> AttributeError:
        error = super()._unknown_attribute(name)
        return AttributeError(f"{error} (set_env_attr({name!r}, ...) sets attributes of the environments)")

    def get_env_attr(self, key: str, id: Any = None) -> list[Any]:
        """Returns an attribute of each environment, in the order of ``id``.

        Args:
            key: the attribute's name.
            id: an id, or a sequence of ids; ``None`` for all.

        Raises:
            AttributeError: if an environment does not have the attribute, naming the environment.
            RuntimeError: after `close`; in asynchronous mode for environments that are stepping.
        """
        return self._ask(id, lambda ids: self._executor.get_attributes(ids, text("key", key, "an attribute's name")))

    def set_env_attr(self, key: str, value: Any, id: Any = None) -> None:
        """Sets an attribute in each environment: on the wrapper that has it, otherwise on the innermost environment.

        Args:
            key: the attribute's name.
            value: the value, equal for all.
            id: an id, or a sequence of ids; ``None`` for all.

        Raises:
            RuntimeError: as for `get_env_attr`.
        """
        self._ask(id, lambda ids: self._executor.set_attributes(ids, text("key", key, "an attribute's name"), value))

    def customized_method(self, call_method: str, data: Any = None, id: Any = None) -> list[Any]:
        """Calls a method of each environment; returns the results in the order of ``id``.

        Args:
            call_method: the method's name, or names joined by dots. The name is looked up as an attribute, never
                evaluated as code.
            data: a dict of arguments for each environment; ``None`` for none.
            id: an id, or a sequence of ids; ``None`` for all.

        Raises:
            AttributeError: if an environment does not have the method, naming the environment.
            RuntimeError: as for `get_env_attr`.
            ValueError: for a string that is not a name; for ``data`` of another length than ``id``.
        """
        path = arguments.check_method(call_method)
        return self._ask(id, lambda ids: self._executor.call_methods(ids, path, arguments.check_keywords(data, ids)))

    def get_env_obj(self) -> list[Any]:
        """Returns the environments as objects; copies if they are in other processes."""
        return self._ask(None, self._executor.environments)

    def seed(self, seed: Any = None) -> list[Any]:
        """Seeds each environment and its action space.

        Environments without a method ``seed`` are reset with the seed.

        Args:
            seed: ``None``; an integer, which gives environment ``i`` the seed ``seed + i``; or a sequence with a seed
                for each environment.

        Returns:
            For each environment the list of seeds that it reports, or ``[seed]`` if it reports none.
        """
        seeds = seeds_of(seed, self._all_ids, f"env_num={len(self._all_ids)}")
        return self._ask(None, lambda ids: self._executor.seed(ids, seeds))

    def render(self, **kwargs: Any) -> list[Any]:
        """Returns the result of each environment's ``render``.

        Args:
            kwargs: arguments of each environment's ``render``.

        Raises:
            RuntimeError: as for `get_env_attr`.
        """
        return self._ask(None, lambda ids: self._executor.render(ids, kwargs))

    def _ask(self, id: Any, ask: Callable[[Sequence[int]], list[Any]]) -> list[Any]:
        """Calls the function ``ask`` with the ids of idle environments, and returns their replies; raises the first
        failure.
        """
        self._assert_is_not_closed()
        ids = self._wrap_id(id)
        self._pending.require_idle(ids)
        self._pending.interrupted = ids
        values = ask(ids)
        self._pending.interrupted = ()
        return self._checked(values)

    @staticmethod
    def _checked(values: list[Any]) -> list[Any]:
        for value in values:
            if is_failure(value):
                raise value.raised()
        return values

    def _assert_is_not_closed(self) -> None:
        raise NotImplementedError

    def _wrap_id(self, id: Any = None) -> list[int]:
        raise NotImplementedError
