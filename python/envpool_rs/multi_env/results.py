"""Results of steps as gym's four values and as lists; autoreset in the calling process, and in the worker."""

from __future__ import annotations

import contextlib
import inspect
from typing import Any

from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs._workers import Steps
from envpool_rs._workers.adapters import Adapter, read_reset, reset_defaults

TRUNCATED = "TimeLimit.truncated"
"""Key of an info: whether a time limit truncated the episode, instead of the environment's rules ending it."""

GYM_VALUES, GYMNASIUM_VALUES = 4, 5


def four_values(result: Any) -> tuple[Any, Any, bool, Any]:
    """Converts a ``step``'s result to ``(observation, reward, terminal, info)``."""
    # gym's four values stay unchanged. For gymnasium's five, `terminal` is terminated or truncated, and the info of a
    # terminal step has "TimeLimit.truncated": whether it was only truncated.
    if isinstance(result, tuple):
        if len(result) == GYM_VALUES:
            return result
        if len(result) == GYMNASIUM_VALUES:
            observation, reward, terminated, truncated, info = result
            if terminated or truncated:
                return observation, reward, True, {**info, TRUNCATED: bool(truncated and not terminated)}
            return observation, reward, False, info
    raise ValueError(
        f"step returned {_described(result)}: expected (observation, reward, terminal, info) or "
        "(observation, reward, terminated, truncated, info)"
    )


def _described(result: Any) -> str:
    return f"a tuple of {len(result)}" if isinstance(result, tuple) else f"an object of {type(result).__name__}"


FourLists = tuple[list[Any], list[Any], list[Any], list[Any]]
"""``(observations, rewards, terminals, infos)``, with an entry for each environment."""


class StepLists:
    """The result lists of a step, filled row by row, and the errors of environments that failed."""

    def __init__(self, length: int) -> None:
        self.lists: FourLists = ([None] * length, [None] * length, [None] * length, [None] * length)
        self.errors: dict[int, BaseException] = {}

    def put(self, position: int, values: tuple[Any, Any, Any, Any]) -> None:
        """Stores the four values of one environment."""
        for column, value in zip(self.lists, values, strict=True):
            column[position] = value

    def result(self) -> FourLists:
        """Returns the four lists."""
        if self.errors:
            error = self.errors[min(self.errors)]
            # An exception class may not allow further attributes; its exceptions are raised without `results`.
            with contextlib.suppress(AttributeError):
                error.results = self.lists  # type: ignore[attr-defined]
            raise error
        return self.lists


ARRAY_ROW = 2
"""Minimum number of dimensions of a batch of observations whose rows are arrays and not numbers."""


def env_result(steps: Steps, row: int) -> tuple[Any, ...]:
    """Returns the result of ``step`` of the environment in one row: gym's four values or gymnasium's five."""
    observation, reward = steps.observation(row), _reward(steps, row)
    terminated, truncated = bool(steps.terminated[row]), bool(steps.truncated[row])
    info = {} if steps.infos is None else steps.infos[row]
    if steps.has_four_values(row):
        return observation, reward, terminated or truncated, info
    return observation, reward, terminated, truncated, info


def four_lists(steps: Steps, space: Any) -> FourLists:
    """Converts all rows to ``(observations, rewards, terminals, infos)``, as ``four_values`` does."""
    terminals = (steps.terminated | steps.truncated).tolist()
    infos = [{} for _ in terminals] if steps.infos is None else list(steps.infos)
    if True in terminals:
        for row, terminal in enumerate(terminals):
            if terminal and not steps.has_four_values(row):
                infos[row] = {**infos[row], TRUNCATED: not bool(steps.terminated[row])}
    rewards = steps.rewards.tolist()
    for row, reward in steps.odd_rewards.items():
        rewards[row] = reward
    return _observations(steps, space), rewards, terminals, infos


def _observations(steps: Steps, space: Any) -> list[Any]:
    leaves = steps.leaves
    is_array = leaves is not None and len(leaves) == 1 and leaves[0].ndim >= ARRAY_ROW and not hasattr(space, "spaces")
    if leaves is not None and is_array and steps.in_rows:
        # Rows need not be copied, because the caller owns the memory of the batch that it took.
        return list(leaves[0])
    return [steps.observation(row) for row in range(len(steps.ids))]


def _reward(steps: Steps, row: int) -> Any:
    return steps.odd_rewards[row] if row in steps.odd_rewards else float(steps.rewards[row])


class _AutoResetWrapper(KnownAttributes, EnvironmentBase):  # type: ignore[misc]
    """Wrapper that resets an environment in the step after a terminal step.

    A terminal step returns its own observation. The next step resets, discards that observation, and applies the
    action. Steps return gym's four values, and resets return only the observation, for both interfaces. All other
    attributes are forwarded to the environment.

    Attributes:
        env: the environment.
    """

    env: Any

    def __init__(self, env: Any) -> None:
        """Wraps an environment.

        Args:
            env: an environment of gym or gymnasium, or any object with their ``reset``, ``step`` and ``close``.
        """
        self.env = env
        self._reset_defaults = reset_defaults(env)
        self._terminated = False

    @property
    def observation_space(self) -> Any:
        """The environment's observation space."""
        return self.env.observation_space

    @property
    def action_space(self) -> Any:
        """The environment's action space."""
        return self.env.action_space

    @property
    def metadata(self) -> Any:
        """The environment's metadata; empty if it has none."""
        return getattr(self.env, "metadata", {})

    @property
    def spec(self) -> Any:
        """The environment's specification; ``None`` if it has none."""
        return getattr(self.env, "spec", None)

    @property
    def render_mode(self) -> Any:
        """The environment's render mode; ``None`` if it has none."""
        return getattr(self.env, "render_mode", None)

    @property
    def reward_range(self) -> Any:
        """The environment's bounds of rewards; infinite if it has none."""
        return getattr(self.env, "reward_range", (-float("inf"), float("inf")))

    @property
    def np_random(self) -> Any:
        """The environment's random generator."""
        return self.env.np_random

    @property
    def unwrapped(self) -> Any:
        """The environment inside all wrappers."""
        return getattr(self.env, "unwrapped", self.env)

    def step(self, action: Any) -> Any:
        """Runs one step; resets the environment first if its last step was terminal.

        Args:
            action: the environment's action.

        Returns:
            ``(observation, reward, terminal, info)``; ``terminal`` is true if the episode was terminated or truncated.
            For gymnasium's environments, ``"TimeLimit.truncated"`` in the info of a terminal step distinguishes the
            two.
        """
        if self._terminated:
            self.env.reset(**self._reset_defaults)
            self._terminated = False
        result = four_values(self.env.step(action))
        self._terminated = bool(result[2])
        return result

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment; the next step does not reset it again.

        Args:
            kwargs: arguments of the environment's ``reset``.

        Returns:
            The observation.
        """
        result = self.env.reset(**{**self._reset_defaults, **kwargs})
        self._terminated = False
        return read_reset(result, getattr(self.env, "observation_space", None))[0]

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``.

        Args:
            args: arguments of the environment's ``render``.
            kwargs: keyword arguments of the environment's ``render``.
        """
        return self.env.render(*args, **kwargs)

    def seed(self, seed: Any = None) -> Any:
        """Seeds an environment of gym before 0.26.

        Args:
            seed: argument of the environment's ``seed``.
        """
        return self.env.seed(seed)

    def close(self) -> None:
        """Closes the environment."""
        self.env.close()

    def __getattr__(self, name: str) -> Any:
        # `copy` reads attributes of a new object before `env` is set, when no attribute can be forwarded.
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}, and private ones are not passed on")
        return getattr(self.env, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{self.env!r}>"

    __str__ = __repr__


DEFAULT_MODE = "human"
"""Default of the argument ``mode`` of gym's ``render``."""


class HostedEnv(Adapter):
    """An environment in a worker process, with optional autoreset."""

    # Autoreset works as in `_AutoResetWrapper`; the reset after a terminal step needs no message from the caller.

    def __init__(self, env: Any) -> None:
        """Wraps an environment."""
        super().__init__(env)
        self._reset_defaults = reset_defaults(env)
        self._resets_itself = False
        self._terminated = False
        self._needs_reset = False

    @classmethod
    def restarted(cls, env: Any) -> HostedEnv:
        """Wraps an environment in a restarted process, so that its first operation resets it."""
        hosted = cls(env)
        hosted._needs_reset = True
        return hosted

    def set_autoreset(self, enabled: bool, terminated: bool) -> None:
        """Switches autoreset on or off."""
        self._resets_itself, self._terminated = enabled, terminated

    def step(self, action: Any) -> Any:
        """Runs a step; resets the environment first if its last step was terminal or its process was restarted."""
        if self._needs_reset or (self._resets_itself and self._terminated):
            self.reset()
        result = self.env.step(action)
        if self._resets_itself:
            self._terminated = _is_terminal(result)
        return result

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment."""
        result = self.env.reset(**{**self._reset_defaults, **kwargs})
        self._terminated = self._needs_reset = False
        return result

    def render_as(self, mode: str) -> Any:
        """Calls the environment's ``render`` and returns the result."""
        if self._needs_reset:
            self.reset()
        if _takes_mode(self.env.render):
            return self.env.render(mode)
        made_with = getattr(self.env, "render_mode", None)
        if mode not in (DEFAULT_MODE, made_with):
            raise ValueError(
                f"mode={mode!r}: expected {made_with!r}, the render_mode that the environment was made with"
            )
        return self.env.render()

    def seed(self, seed: Any = None) -> Any:
        """Seeds an environment of gym before 0.26."""
        if self._needs_reset:
            self.reset()
        return self.env.seed(seed)

    def close(self) -> None:
        """Closes the environment."""
        close = getattr(self.env, "close", None)
        if callable(close):
            close()


def _is_terminal(result: Any) -> bool:
    if isinstance(result, tuple) and len(result) == GYM_VALUES:
        return bool(result[2])
    if isinstance(result, tuple) and len(result) == GYMNASIUM_VALUES:
        return bool(result[2] or result[3])
    return False


def _takes_mode(render: Any) -> bool:
    try:
        parameters = inspect.signature(render).parameters
    except (TypeError, ValueError):  # functions written in C, without a signature
        return False
    return "mode" in parameters
