"""Pools of Python environments: their base class, and gymnasium's interfaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import gymnasium
import numpy as np
from gymnasium.vector import VectorEnv

from envpool_rs import _core
from envpool_rs._arguments import array
from envpool_rs._facades.environments import ResetArguments
from envpool_rs._facades.interfaces import GymnasiumAttributes, GymnasiumInterface, VectorInterface
from envpool_rs._facades.pool import EnvPoolMixin
from envpool_rs._python_pool.spec import PythonEnvSpec, backend_pool_spec
from envpool_rs._workers.serialization import EnvFailure, dumps, loaded_value
from envpool_rs._workers.worker_process import WorkerEnvs


class PythonPool(GymnasiumAttributes, EnvPoolMixin, _core.Pool):
    """Pool of Python environments in worker processes, stepped in batches by the Rust extension's pool."""

    _spec: PythonEnvSpec

    def __new__(cls, envs: WorkerEnvs, spec: PythonEnvSpec) -> Any:
        """Creates a pool of existing environments, none of which may be in flight."""
        return _core.Pool.__new__(cls, backend_pool_spec(envs, spec), **cls._format(spec))

    def __init__(self, envs: WorkerEnvs, spec: PythonEnvSpec) -> None:
        super().__init__(spec)

    def _close(self, how: Mapping[str, Any]) -> None:
        self._end(how.get("timeout"), bool(how.get("terminate")))

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot copy or pickle {type(self).__name__}: its environments live in worker processes")

    # Methods that access the environments, as in gymnasium's vector environments. A name is that of an attribute of an
    # environment or of an environment that it wraps; dots lead into attributes. Each method raises a RuntimeError while
    # environments are in flight, and an environment's exception, naming the environment.

    def call(self, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Calls a method of each environment, or reads an attribute."""
        return self._call(None, "call", [(name, arguments, keywords)] * self.num_envs)

    def call_some(self, env_ids: Any, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        """Calls a method of the environments ``env_ids`` ``(n,)``, or reads an attribute."""
        return self._call(env_ids, "call", [(name, arguments, keywords)] * len(env_ids))

    def get_attr(self, name: str) -> tuple[Any, ...]:
        """Returns an attribute of each environment; as in gymnasium, the result of a callable attribute."""
        return self.call(name)

    def get_attr_of_some(self, env_ids: Any, name: str) -> tuple[Any, ...]:
        """Returns an attribute of the environments ``env_ids`` ``(n,)``; a callable attribute is not called."""
        return self._call(env_ids, "get_attr", [name] * len(env_ids))

    def apply_to_some(self, env_ids: Any, function: Any, *arguments: Any) -> tuple[Any, ...]:
        """Calls ``function(env, *arguments)`` in the processes of the environments ``env_ids`` ``(n,)``."""
        return self._call(env_ids, "apply", [(function, arguments)] * len(env_ids))

    def set_attr(self, name: str, values: Any) -> None:
        """Sets an attribute of each environment to its entry of ``values`` (a list or tuple), or to one value."""
        if not isinstance(values, (list, tuple)):
            values = [values] * self.num_envs
        if len(values) != self.num_envs:
            raise ValueError(f"values has {len(values)} entries: expected num_envs={self.num_envs}")
        self._call(None, "set_attr", [(name, value) for value in values])

    def set_attr_of_some(self, env_ids: Any, name: str, value: Any) -> None:
        """Sets an attribute of the environments ``env_ids`` ``(n,)`` to one value."""
        self._call(env_ids, "set_attr", [(name, value)] * len(env_ids))

    def render(self, env_ids: Any = None) -> tuple[Any, ...]:
        """Returns the result of ``render()`` of an environment, of several ``(n,)``, or of all (``None``)."""
        return self._call(None if env_ids is None else np.atleast_1d(array("env_ids", env_ids)), "render", None)

    @property
    def np_random_seed(self) -> tuple[Any, ...]:
        """Seed of each environment's generator, as the environments report it."""
        return self.get_attr("np_random_seed")

    @property
    def np_random(self) -> tuple[Any, ...]:
        """Copies of the environments' generators: drawing from them changes nothing in the environments."""
        return self.get_attr("np_random")

    def get_state(self, env_ids: Any = None) -> NoReturn:
        """Raises ``NotImplementedError``, because Python environments have no snapshots."""
        raise NotImplementedError("get_state(): Python environments have no snapshots")

    def set_state(self, state: Any, env_ids: Any = None) -> NoReturn:
        """Raises ``NotImplementedError``, because Python environments have no snapshots."""
        raise NotImplementedError("set_state(): Python environments have no snapshots")

    def _unknown_attribute(self, name: str) -> AttributeError:
        error = super()._unknown_attribute(name)
        return AttributeError(f"{error} (set_attr({name!r}, ...) sets attributes of the environments)")

    def _reset_envs(self, env_id: Any, seed: Any, options: Mapping[str, Any] | None, **how: Any) -> Any:
        if how.get("all_rows") and self.is_async:
            raise ValueError("options['reset_mask'] needs a pool whose batch_size is num_envs")
        arguments = ResetArguments(self.num_envs, env_id, seed, options)
        return self.reset_envs(arguments.env_id, arguments.seed, _own_options(options), **how)

    def _begin_reset_envs(self, seed: Any, options: Mapping[str, Any] | None) -> None:
        arguments = ResetArguments(self.num_envs, None, seed, options)
        self._send_reset(arguments.env_id, arguments.seed, _own_options(options), all_rows=arguments.masked)

    def _call(self, env_ids: Any, operation: str, payloads: list[Any] | None) -> tuple[Any, ...]:
        # Without payloads, the same message is sent to all environments.
        messages = [dumps((operation, payload)) for payload in ([None] if payloads is None else payloads)]
        answers = self._ask(env_ids, messages)
        ids = range(self.num_envs) if env_ids is None else env_ids
        values = tuple(loaded_value(each, int(env_id), operation) for each, env_id in zip(answers, ids, strict=True))
        for value in values:
            if isinstance(value, EnvFailure):
                raise value.raised()
        return values


def _own_options(options: Mapping[str, Any] | None) -> dict[str, Any] | None:
    return None if options is None else {name: each for name, each in options.items() if name != "reset_mask"}


class PythonGymnasiumEnvPool(  # type: ignore[misc, override]
    GymnasiumInterface[Any], PythonPool, VectorEnv, gymnasium.Env
):
    """EnvPool's gymnasium interface over Python environments:
    ``step(action, env_id) -> (obs, reward, terminated, truncated, info)``.

    ``info`` is a plain dict with ``env_id`` (int32), ``players`` (``{"env_id": int32}``), ``elapsed_step`` (int32) and
    the environments' own infos as arrays. Rewards are float32; int64 and float64 observations become int32 and float32.
    As in EnvPool, ``observation_space`` and ``action_space`` are those of *one* environment.
    """


class PythonVectorEnv(VectorInterface[Any], PythonPool, VectorEnv):  # type: ignore[misc]
    """gymnasium's vector interface over Python environments, with the results of ``gymnasium.vector.AsyncVectorEnv``.

    ``observation_space`` and ``action_space`` are those of one result and one step's actions, with rows for
    ``batch_size`` environments: all, unless the pool is asynchronous.
    """

    def call_some(self, env_ids: Any, name: str, /, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
        if name == "reset":
            return self._reset_some([int(each) for each in env_ids], *arguments, **keywords)
        # A reset also updates the pool's own state.
        return super().call_some(list(env_ids), name, *arguments, **keywords)
