"""Adapts environments of any version of legacy gym to gymnasium's interface."""

from __future__ import annotations

import inspect
from typing import Any

from gymnasium import spaces


class Adapter:
    """Gives another library's environment gymnasium's interface; forwards all other attributes to the environment.

    Attributes:
        env: the adapted environment.
    """

    env: Any

    def __init__(self, env: Any) -> None:
        self.env = env

    @property
    def unwrapped(self) -> Any:
        """The environment without any wrapper."""
        return getattr(self.env, "unwrapped", self.env)

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # copy and pickle read attributes before it is set
            raise AttributeError(name)
        return getattr(self.env, name)


class LegacyGymAdapter(Adapter):
    """A legacy environment with gymnasium's ``reset(seed=, options=)`` and spaces; ``step`` is unchanged.

    Before gym 0.26, ``env.seed(seed)`` replaced ``reset``'s argument, ``reset`` returned only the observation, and
    ``step`` returned four values. The receiver distinguishes four values from five.

    Args:
        env: the environment.
    """

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._reset_keywords = _accepted_keywords(env.reset)
        self.step = env.step
        for name in ("observation_space", "action_space"):
            space = getattr(env, name, None)
            if space is not None:
                setattr(self, name, gymnasium_space(space))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None, **keywords: Any) -> Any:
        """Resets; the seed goes to ``env.seed`` if ``env.reset`` does not accept it; options only if ``reset`` does."""
        if seed is not None:
            if self._takes("seed"):
                keywords["seed"] = seed
            elif callable(getattr(self.env, "seed", None)):
                self.env.seed(seed)
        if options is not None and self._takes("options"):
            keywords["options"] = options
        result = self.env.reset(**keywords)
        return result if _has_info(result) else (result, {})

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


def _has_info(result: Any) -> bool:
    return isinstance(result, tuple) and len(result) == 2 and isinstance(result[1], dict)  # noqa: PLR2004


def _accepted_keywords(function: Any) -> frozenset[str] | None:
    """Returns the argument names that a function takes; None if it takes any."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return frozenset()
    if any(each.kind is each.VAR_KEYWORD for each in parameters):
        return None
    return frozenset(each.name for each in parameters)


def has_gymnasium_interface(env: Any) -> bool:
    """Returns whether an environment of no known library has gymnasium's ``reset`` and no legacy spaces."""
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
