"""Adapters that give environments of legacy gym, dm_env and PettingZoo gymnasium's interface."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np
from gymnasium import spaces

from envpool_rs._workers.env_wrapper import Adapter
from envpool_rs._workers.parallel_env import ParallelEnvAdapter
from envpool_rs._workers.reset_results import read_reset, reset_defaults


def adapt_dm_env(env: Any) -> Any:
    """Returns an adapter with gymnasium's interface for a dm_env environment; returns any other ``env`` unchanged."""
    if not _is_of("dm_env", "Environment", env):
        return env
    return DmEnvAdapter(env)


def adapt(env: Any) -> Any:
    """Returns ``env`` with gymnasium's interface: ``env`` itself if it has that interface, otherwise an adapter.

    dm_env's environments, PettingZoo's parallel ones and those of legacy gym get an adapter. An environment of an
    unknown library counts as legacy gym if its ``reset`` does not accept ``seed`` and ``options``. No library is
    imported.

    Raises:
        TypeError: for PettingZoo's environments in which agents take turns.
    """
    if _is_of("gymnasium", "Env", env):
        return env
    if _is_of("dm_env", "Environment", env):
        return adapt_dm_env(env)
    if _is_of("pettingzoo", "ParallelEnv", env):
        return ParallelEnvAdapter(env)
    if _is_of("pettingzoo", "AECEnv", env):
        raise TypeError(
            f"{type(env).__name__} is an AECEnv, whose agents take turns: expected a ParallelEnv; "
            "pettingzoo.utils.conversions.aec_to_parallel converts it"
        )
    return env if has_gymnasium_interface(env) else LegacyGymAdapter(env)


def _is_of(library: str, name: str, env: Any) -> bool:
    """Returns whether ``env`` is an instance of a library's class; False if the library is not imported."""
    found = getattr(sys.modules.get(library), name, None)
    return isinstance(found, type) and isinstance(env, found)


class LegacyGymAdapter(Adapter):
    """A legacy environment with gymnasium's ``reset(seed=, options=)`` and spaces; ``step`` is unchanged.

    Before gym 0.26, ``env.seed(seed)`` replaced ``reset``'s argument, ``reset`` returned only the observation, and
    ``step`` returned four values. The results of ``step`` are passed on unchanged; their receiver distinguishes four
    values from five.

    Args:
        env: the environment.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._reset_keywords = _accepted_keywords(env.reset)
        self._reset_defaults = reset_defaults(env)
        self.step = env.step
        for name in ("observation_space", "action_space"):
            space = getattr(env, name, None)
            if space is not None:
                setattr(self, name, gymnasium_space(space))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None, **keywords: Any) -> Any:
        """Resets the environment. The seed is passed to ``env.reset`` if it accepts a seed, otherwise to ``env.seed``.
        Options are passed only if ``env.reset`` accepts them.
        """
        if seed is not None:
            if self._takes("seed"):
                keywords["seed"] = seed
            elif callable(getattr(self.env, "seed", None)):
                self.env.seed(seed)
        if options is not None and self._takes("options"):
            keywords["options"] = options
        result = self.env.reset(**{**self._reset_defaults, **keywords})
        return read_reset(result, getattr(self.env, "observation_space", None))

    def _takes(self, name: str) -> bool:
        return self._reset_keywords is None or name in self._reset_keywords

    def render(self, *args: Any, **keywords: Any) -> Any:
        """Calls ``env.render``; before gym 0.26 with mode ``"rgb_array"``, unless the caller gives another."""
        accepted = _accepted_keywords(self.env.render)
        if not args and not keywords and accepted is not None and "mode" in accepted and not _render_mode(self.env):
            return self.env.render(mode="rgb_array")
        return self.env.render(*args, **keywords)


def _render_mode(env: Any) -> Any:
    return getattr(env, "render_mode", None)


def _accepted_keywords(function: Any) -> frozenset[str] | None:
    """Returns the argument names that a function takes; ``None`` if the function takes any keyword."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return frozenset()
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    return frozenset(each.name for each in parameters)


def has_gymnasium_interface(env: Any) -> bool:
    """Returns whether an environment of an unknown library has gymnasium's ``reset`` and no spaces of legacy gym."""
    accepted = _accepted_keywords(getattr(env, "reset", None))
    takes_all = accepted is None or {"seed", "options"} <= accepted
    legacy = any(_is_legacy(getattr(env, name, None)) for name in ("observation_space", "action_space"))
    return takes_all and not legacy and not _is_legacy(env)


def _is_legacy(value: Any) -> bool:
    return any(each.__module__.partition(".")[0] == "gym" for each in type(value).__mro__)


def gymnasium_space(space: Any) -> Any:
    """Converts a legacy gym space to gymnasium's; returns any other value, or an unknown kind, unchanged."""
    if not _is_legacy(space):
        return space
    kind = next((each.__name__ for each in type(space).__mro__ if each.__name__ in _CONVERSIONS), None)
    return space if kind is None else _CONVERSIONS[kind](space)


_CONVERSIONS: dict[str, Any] = {
    "Box": lambda space: spaces.Box(space.low, space.high, space.shape, space.dtype),
    "Discrete": lambda space: spaces.Discrete(int(space.n), start=int(getattr(space, "start", 0))),
    "MultiDiscrete": lambda space: spaces.MultiDiscrete(space.nvec, dtype=space.dtype),
    "MultiBinary": lambda space: spaces.MultiBinary(space.n),
    "Text": lambda space: spaces.Text(space.max_length, min_length=space.min_length, charset=space.character_set),
    "Dict": lambda space: spaces.Dict({name: gymnasium_space(each) for name, each in space.spaces.items()}),
    "Tuple": lambda space: spaces.Tuple(tuple(gymnasium_space(each) for each in space.spaces)),
    "Sequence": lambda space: spaces.Sequence(gymnasium_space(space.feature_space)),
    "Graph": lambda space: spaces.Graph(
        gymnasium_space(space.node_space), None if space.edge_space is None else gymnasium_space(space.edge_space)
    ),
}


class DmEnvAdapter(Adapter):
    """A dm_env environment with gymnasium's interface.

    An episode that ends with discount 0 is terminated; with another discount it is truncated. ``info["discount"]``
    holds a discount that these flags do not express: below 1 within an episode, or neither 0 nor 1 at its end. A reward
    of None, as in a first time step, becomes 0.

    Args:
        env: the environment.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.observation_space = space_of_spec(env.observation_spec())
        self.action_space = space_of_spec(env.action_spec())
        self.metadata: dict[str, Any] = {}
        self.render_mode = None
        self.spec = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Resets the environment.

        dm_env defines no seeding, so the seed is passed to ``reset(seed=)`` or ``env.seed`` if the environment has one
        of these.
        """
        keywords: dict[str, Any] = {}
        if seed is not None:
            if "seed" in (_accepted_keywords(self.env.reset) or ()):
                keywords["seed"] = seed
            elif callable(getattr(self.env, "seed", None)):
                self.env.seed(seed)
        return self.env.reset(**keywords).observation, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Steps the environment; returns the time step as gymnasium's five values."""
        time_step = self.env.step(action)
        discount = 1.0 if time_step.discount is None else time_step.discount
        last = bool(time_step.last())
        terminated = last and bool(np.all(np.asarray(discount) == 0))
        plain = np.all(np.asarray(discount) == 1) or terminated
        info = {} if plain else {"discount": discount}
        reward = 0.0 if time_step.reward is None else time_step.reward
        return time_step.observation, reward, terminated, last and not terminated, info


def space_of_spec(spec: Any) -> Any:
    """Converts a dm_env spec to a gymnasium space; a dict, list or tuple of specs becomes a nested space.

    Raises:
        TypeError: for a spec without a counterpart (strings, objects).
    """
    if isinstance(spec, Mapping):
        return spaces.Dict({name: space_of_spec(each) for name, each in spec.items()})
    if isinstance(spec, (list, tuple)):
        return spaces.Tuple(tuple(space_of_spec(each) for each in spec))
    kind = type(spec).__name__
    if kind == "DiscreteArray":
        return spaces.Discrete(int(spec.num_values))
    if kind == "StringArray" or spec.dtype == object:
        raise TypeError(f"spec {spec!r}: expected an array of numbers")
    if spec.dtype == bool:
        return spaces.MultiBinary(spec.shape) if spec.shape else spaces.Box(0, 1, (), np.int8)
    low, high = _bounds(spec)
    return spaces.Box(low, high, spec.shape, spec.dtype)


def _bounds(spec: Any) -> tuple[Any, Any]:
    if hasattr(spec, "minimum"):
        low, high = np.broadcast_to(spec.minimum, spec.shape), np.broadcast_to(spec.maximum, spec.shape)
        return low.astype(spec.dtype), high.astype(spec.dtype)
    if np.issubdtype(spec.dtype, np.integer):
        limits = np.iinfo(spec.dtype)
        return np.full(spec.shape, limits.min, spec.dtype), np.full(spec.shape, limits.max, spec.dtype)
    return np.full(spec.shape, -np.inf, spec.dtype), np.full(spec.shape, np.inf, spec.dtype)
