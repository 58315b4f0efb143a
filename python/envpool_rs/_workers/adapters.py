"""Adapters that give environments of legacy gym, dm_env and PettingZoo gymnasium's interface."""

from __future__ import annotations

import inspect
import sys
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from gymnasium import spaces

from envpool_rs._nested import fold_space, leaves, map_leaves, parts_of_space
from envpool_rs._workers.serialization import ObservationLayout, class_names


class Adapter:
    """Base class of objects that wrap an environment, such as adapters to gymnasium's interface."""

    env: Any

    def __init__(self, env: Any) -> None:
        self.env = env
        self._reset_defaults = reset_defaults(env)

    @property
    def unwrapped(self) -> Any:
        """The environment without any wrapper."""
        return getattr(self.env, "unwrapped", self.env)

    def reset(self, **keywords: Any) -> Any:
        """Resets the environment; arguments that its ``reset`` requires are ``None`` by default."""
        return self.env.reset(**{**self._reset_defaults, **keywords})

    def __getattr__(self, name: str) -> Any:
        if name == "env":  # copy and pickle read attributes before `env` is set
            raise AttributeError(name)
        return getattr(self.env, name)


def parameters_of(function: Any) -> Mapping[str, inspect.Parameter]:
    """Returns the parameters of a function; none for functions written in C, or without a Python signature."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}


def reset_defaults(env: Any) -> dict[str, None]:
    """Returns gymnasium's arguments that an environment's ``reset`` requires, with the value ``None``."""
    parameters = parameters_of(env.reset)
    present = [parameters[each] for each in ("seed", "options") if each in parameters]
    return {each.name: None for each in present if each.default is each.empty}


def read_reset(result: Any, space: Any) -> tuple[Any, Mapping[str, Any]]:
    """Returns observation and info of a reset; the info of old gym's bare observation is an empty dict."""
    if not isinstance(result, tuple) or len(result) != 2 or not isinstance(result[1], Mapping):  # noqa: PLR2004
        return result, {}
    accepts = pair_test(space)
    return (result, {}) if accepts is not None and accepts(result) else result


def pair_test(space: Any) -> Callable[[tuple[Any, Any]], bool] | None:
    """Returns a function that tests whether a pair of which the second part is a dict is an observation, if any is."""
    parts = parts_of_space(space)
    inner = parts_of_space(parts[1]) if isinstance(parts, tuple) and len(parts) == 2 else None  # noqa: PLR2004
    if not isinstance(inner, dict):
        return None

    def is_observation(pair: tuple[Any, Any]) -> bool:
        try:
            return pair[1].keys() == inner.keys() and not space.contains(pair[0])
        except Exception:  # some spaces raise errors for values of other types
            return True

    return is_observation


def adapt_dm_env(env: Any) -> Any:
    """Returns an adapter with gymnasium's interface for a dm_env environment; returns any other ``env`` unchanged."""
    return DmEnvAdapter(env) if _is_of("dm_env", "Environment", env) else env


def adapt(env: Any) -> Any:
    """Returns ``env`` with gymnasium's interface: ``env`` itself if it has that interface, otherwise an adapter."""
    # An environment of an unknown library counts as legacy gym if its `reset` does not accept `seed` and `options`, or
    # if it has legacy gym's spaces. No library is imported.
    if _is_of("gymnasium", "Env", env):
        return env
    if _is_of("dm_env", "Environment", env):
        return DmEnvAdapter(env)
    if _is_of("pettingzoo", "ParallelEnv", env):
        return ParallelEnvAdapter(env)
    if _is_of("pettingzoo", "AECEnv", env):
        raise TypeError(
            f"{type(env).__name__} is an AECEnv, whose agents take turns: expected a ParallelEnv; "
            "pettingzoo.utils.conversions.aec_to_parallel converts it"
        )
    accepted = _accepted_keywords(getattr(env, "reset", None))
    parts = (env, getattr(env, "observation_space", None), getattr(env, "action_space", None))
    is_current = (accepted is None or {"seed", "options"}.issubset(accepted)) and not any(
        class_names(each, "gym") for each in parts
    )
    return env if is_current else LegacyGymAdapter(env)


def _is_of(library: str, name: str, env: Any) -> bool:
    """Returns whether ``env`` is an instance of a library's class; False if the library is not imported."""
    found = getattr(sys.modules.get(library), name, None)
    return isinstance(found, type) and isinstance(env, found)


class LegacyGymAdapter(Adapter):
    """A legacy environment with gymnasium's ``reset(seed=, options=)`` and spaces; ``step`` is unchanged."""

    # Before gym 0.26, `env.seed(seed)` replaced `reset`'s argument, `reset` returned only the observation, and `step`
    # returned four values. The receiver of a step's results distinguishes four values from five.

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self._accepted = _accepted_keywords(env.reset)
        self.step = env.step
        for name in ("observation_space", "action_space"):
            space = getattr(env, name, None)
            if space is not None:
                setattr(self, name, gymnasium_space(space))

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None, **keywords: Any) -> Any:
        """Resets the environment, with seed and options if ``env.reset`` accepts them; calls ``env.seed`` otherwise."""
        keywords |= _seed_keywords(self.env, seed, takes_seed=self._accepted is None or "seed" in self._accepted)
        if options is not None and (self._accepted is None or "options" in self._accepted):
            keywords["options"] = options
        return read_reset(super().reset(**keywords), getattr(self.env, "observation_space", None))

    def render(self, *args: Any, **keywords: Any) -> Any:
        """Calls ``env.render``; before gym 0.26 with mode ``"rgb_array"``, unless the caller gives another."""
        accepted = _accepted_keywords(self.env.render)
        has_mode = bool(args or keywords or getattr(self.env, "render_mode", None))
        if not has_mode and accepted is not None and "mode" in accepted:
            return self.env.render(mode="rgb_array")
        return self.env.render(*args, **keywords)


def _seed_keywords(env: Any, seed: int | None, *, takes_seed: bool) -> dict[str, Any]:
    """Returns the seed as an argument of ``reset``; calls ``env.seed`` instead if ``reset`` does not take it."""
    if seed is not None and not takes_seed and callable(getattr(env, "seed", None)):
        env.seed(seed)
    return {"seed": seed} if seed is not None and takes_seed else {}


def _accepted_keywords(function: Any) -> Collection[str] | None:
    """Returns the argument names that a function takes; ``None`` if the function takes any keyword."""
    parameters = parameters_of(function)
    return None if any(each.kind is each.VAR_KEYWORD for each in parameters.values()) else parameters.keys()


def gymnasium_space(space: Any) -> Any:
    """Converts a legacy gym space to gymnasium's; returns any other value, or an unknown kind, unchanged."""
    kind = next((name for name in class_names(space, "gym") if name in _CONVERSIONS), None)
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
    "Graph": lambda space: spaces.Graph(gymnasium_space(space.node_space), gymnasium_space(space.edge_space)),
}


class DmEnvAdapter(Adapter):
    """A dm_env environment with gymnasium's interface."""

    # An episode that ends with discount 0 is terminated; with another discount it is truncated. `info["discount"]`
    # holds a discount that these flags do not express: below 1 within an episode, or neither 0 nor 1 at its end. A
    # reward of None, as in a first time step, becomes 0.

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.observation_space = space_of_spec(env.observation_spec())
        self.action_space = space_of_spec(env.action_spec())
        self.metadata: dict[str, Any] = {}
        self.render_mode = None
        self.spec = None

    def reset(  # type: ignore[override]
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        takes_seed = "seed" in (_accepted_keywords(self.env.reset) or ())
        return self.env.reset(**_seed_keywords(self.env, seed, takes_seed=takes_seed)).observation, {}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        time_step = self.env.step(action)
        discount = 1.0 if time_step.discount is None else time_step.discount
        last = bool(time_step.last())
        terminated = last and bool(np.all(np.asarray(discount) == 0))
        plain = np.all(np.asarray(discount) == 1) or terminated
        info = {} if plain else {"discount": discount}
        reward = 0.0 if time_step.reward is None else time_step.reward
        return time_step.observation, reward, terminated, last and not terminated, info


def space_of_spec(spec: Any) -> Any:
    """Converts a dm_env spec to a gymnasium space; a dict, list or tuple of specs becomes a nested space."""
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
    is_integer = np.issubdtype(spec.dtype, np.integer)
    limits = (np.iinfo(spec.dtype).min, np.iinfo(spec.dtype).max) if is_integer else (-np.inf, np.inf)
    bounds = getattr(spec, "minimum", limits[0]), getattr(spec, "maximum", limits[1])
    low, high = (np.broadcast_to(each, spec.shape).astype(spec.dtype) for each in bounds)
    return spaces.Box(low, high, spec.shape, spec.dtype)


_RESERVED = frozenset((
    "agent_mask", "agent_terminated", "agent_truncated", "elapsed_step", "env_id", "episode", "final_info", "final_obs",
    "players",
))  # fmt: skip
"""Keys of a pool's infos, which also have the names of agents as keys."""


ARRAY_SPACES = (spaces.Box, spaces.Discrete, spaces.MultiBinary, spaces.MultiDiscrete)


@dataclass(frozen=True)
class AgentSpaces:
    """Agents of one environment, and the spaces of one of its rows."""

    agents: tuple[Any, ...]  # all that may be present, in the order of rows
    shared: bool  # whether agents share their spaces, so that each has a row
    observation_space: Any  # of every agent if `shared`, otherwise a `Dict` of spaces by agent
    action_space: Any

    @classmethod
    def of(cls, env: Any) -> AgentSpaces:
        given = getattr(env, "possible_agents", None)
        if given is not None and not isinstance(given, Iterable):
            raise ValueError(f"possible_agents={given!r}: expected a list of agents")
        agents = () if given is None else tuple(given)
        if not agents:
            raise ValueError("possible_agents is empty: expected the names of all agents that may be present")
        agent_of_name: dict[str, Any] = {}
        for agent in agents:
            name, expected = str(agent), ""
            try:
                hash(agent)
            except TypeError:
                expected = "agents that are keys of a dict"
            if name in agent_of_name:
                expected = expected or f"agents with different names, got {agent_of_name[name]!r} and {agent!r}"
            if name in _RESERVED:
                expected = expected or f"no agent {name!r}, which is the name of an info"
            if expected:
                raise ValueError(f"possible_agents={given!r}: expected {expected}")
            agent_of_name[name] = agent
        observation = {agent: env.observation_space(agent) for agent in agents}
        action = {agent: env.action_space(agent) for agent in agents}
        for agent, space in observation.items():
            fold_space(space, partial(_check_leaf, agent))
        first = agents[0]
        shared = isinstance(action[first], ARRAY_SPACES) and all(
            observation[agent] == observation[first] and action[agent] == action[first] for agent in agents
        )
        if shared:
            return cls(agents, True, observation[first], action[first])
        return cls(agents, False, _dict_space(observation), _dict_space(action))


def _dict_space(parts: dict[Any, Any]) -> spaces.Dict:
    # An OrderedDict keeps the order of agents; gymnasium sorts the keys of a plain dict.
    return spaces.Dict(OrderedDict(parts))


def _check_leaf(agent: Any, space: Any) -> None:
    if not isinstance(space, ARRAY_SPACES):
        raise ValueError(
            f"observation_space({agent!r}) contains {space}: expected Box, Discrete, MultiBinary and MultiDiscrete, in "
            "Dict and Tuple to any depth; a wrapper may convert it"
        )


Mask: TypeAlias = npt.NDArray[np.bool_]


class ParallelEnvAdapter(Adapter):
    """A ``pettingzoo.ParallelEnv`` with gymnasium's interface."""

    # An observation is a pair: the observations of all possible agents, and their rewards `(players,)` float64, because
    # shared memory has one reward per environment. Agents that share their spaces have a row each in every array;
    # otherwise observations are a dict by agent. Absent agents have zeros. Infos have `agent_mask` (agents that act
    # next), `agent_terminated` and `agent_truncated` (agents that leave in this step), each `(players,)` bool, and the
    # agents' own infos by agent. The episode ends when no agent is left; it is terminated if every agent was
    # terminated, and truncated otherwise.

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        self.agent_spaces = AgentSpaces.of(env)
        agents, space = self.agent_spaces.agents, self.agent_spaces.observation_space
        self._index = {agent: index for index, agent in enumerate(agents)}
        rows = (len(agents),) if self.agent_spaces.shared else ()
        self._rows = fold_space(space, lambda leaf: np.zeros((*rows, *leaf.shape), leaf.dtype))
        shared = ObservationLayout.of(space) if self.agent_spaces.shared else None
        self._layouts = {agent: shared or ObservationLayout.of(space[agent]) for agent in agents}
        packed = fold_space(space, lambda leaf: _space_of_rows(leaf, rows), _dict_space, spaces.Tuple)
        self.observation_space = spaces.Tuple((packed, spaces.Box(-np.inf, np.inf, (len(agents),), np.float64)))
        self.action_space = self.agent_spaces.action_space
        self.metadata: dict[str, Any] = dict(getattr(env, "metadata", None) or {})
        self._was_truncated = False

    def reset(  # type: ignore[override]
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        result = self.env.reset(seed=seed, options=options)
        observations, infos = _dicts("reset", result, "observations", "infos")
        self._was_truncated = False
        mask = self._mask(self._present())
        none = np.zeros_like(mask)
        return self._packed(observations, {}, mask), self._info(infos, mask, none, none.copy())

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        acting = self._present()
        keyed = isinstance(action, Mapping)
        result = self.env.step({agent: action[agent if keyed else self._index[agent]] for agent in acting})
        observations, rewards, *flags, infos = _dicts(
            "step", result, "observations", "rewards", "terminations", "truncations", "infos"
        )
        terminated, truncated = (
            self._mask(agent for agent in acting if _as_bool(name, agent, each.get(agent), "a bool"))
            for name, each in zip(("terminations", "truncations"), flags, strict=True)
        )
        truncated &= ~terminated
        mask = self._mask(self._present()) & ~(terminated | truncated)
        self._was_truncated |= bool(truncated.any())
        over = not mask.any()
        packed = self._packed(observations, rewards, mask)
        info = self._info(infos, mask, terminated, truncated)
        return packed, 0.0, over and not self._was_truncated, over and self._was_truncated, info

    def _present(self) -> list[Any]:
        if not isinstance(self.env.agents, Iterable):
            raise TypeError(f"agents is {self.env.agents!r}: expected a list of agents")
        return list(self.env.agents)

    def _mask(self, agents: Iterable[Any]) -> Mask:
        mask = np.zeros(len(self._index), np.bool_)
        mask[[self._place(agent) for agent in agents]] = True
        return mask

    def _place(self, agent: Any) -> int:
        try:
            return self._index[agent]
        except (KeyError, TypeError):  # a list is no key
            known = ", ".join(map(repr, self._index))
            raise ValueError(f"agent {agent!r} is not in possible_agents: expected one of {known}") from None

    def _packed(self, observations: Mapping[Any, Any], rewards: Mapping[Any, Any], mask: Mask) -> tuple[Any, Any]:
        map_leaves(lambda rows: rows.fill(0), self._rows)
        for agent, is_present in zip(self._index, mask, strict=True):
            if is_present and agent not in observations:
                raise ValueError(f"observations lack {agent!r}: expected one of each agent in agents")
        for agent, value in observations.items():
            place = self._place(agent)
            rows, index = (self._rows, place) if self.agent_spaces.shared else (self._rows[agent], ...)
            arrays = self._layouts[agent].arrays(value, f"observations[{agent!r}]")
            assert arrays is not None  # all leaves are arrays of numbers
            for row, array in zip(leaves(rows), arrays, strict=True):
                row[index] = array
        own = np.zeros(len(self._index))
        for agent, reward in rewards.items():
            own[self._place(agent)] = reward if type(reward) is float else _reward(agent, reward)
        return self._rows, own

    def _info(self, infos: Any, mask: Mask, terminated: Mask, truncated: Mask) -> dict[str, Any]:
        own = {str(agent): info for agent, info in (infos or {}).items() if _as_bool("infos", agent, info, "a dict")}
        return {**own, "agent_mask": mask, "agent_terminated": terminated, "agent_truncated": truncated}


def _dicts(call: str, result: Any, *names: str) -> Sequence[Any]:
    """Returns the dicts that ``reset`` or ``step`` of an environment has returned; the last one may be ``None``."""
    if not isinstance(result, Sequence) or isinstance(result, (str, bytes)) or len(result) != len(names):
        raise ValueError(f"{call}: expected dicts of {', '.join(names[:-1])} and {names[-1]}")
    for name, part in zip(names, result, strict=True):
        if not isinstance(part, Mapping) and (part is not None or name != names[-1]):
            raise TypeError(f"{name} is {part!r}: expected a dict of agents")
    return result


def _as_bool(name: str, agent: Any, value: Any, expected: str) -> bool:
    try:
        return bool(value)
    except ValueError:
        raise ValueError(f"{name}[{agent!r}] is {value!r}: expected {expected}") from None


def _reward(agent: Any, value: Any) -> float:
    with suppress(TypeError, ValueError, OverflowError):
        if not isinstance(value, (str, bytes)) and getattr(value, "size", 1) == 1:
            return float(value.item() if hasattr(value, "item") else value)
    raise TypeError(f"rewards[{agent!r}] is {value!r}: expected a number")


def _space_of_rows(space: Any, rows: tuple[int, ...]) -> spaces.Box:
    """Returns a box with the given shape and dtype for rows of agents; the bounds of the box are not used."""
    dtype = np.dtype(space.dtype)
    low, high = (0, 1) if dtype.kind == "b" else (-np.inf, np.inf)
    if dtype.kind in "iu":
        low, high = np.iinfo(dtype.name).min, np.iinfo(dtype.name).max
    return spaces.Box(low, high, (*rows, *space.shape), space.dtype)
