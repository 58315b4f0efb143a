"""Autoreset wrapper with gym's four values."""

from __future__ import annotations

from typing import Any

from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs.multi_env.step_results import four_values, reset_observation


class _AutoResetWrapper(EnvironmentBase):  # type: ignore[misc]
    """Resets an environment in the step after a terminal one.

    A terminal step returns its own observation. The next step resets, discards that observation, and applies the
    action. Steps return gym's four values, and resets return only the observation, for both interfaces. Every other
    attribute is the environment's.

    Attributes:
        env: the environment.
    """

    def __init__(self, env: Any) -> None:
        """Wraps an environment.

        Args:
            env: an environment of gym or gymnasium, or any object with their ``reset``, ``step`` and ``close``.
        """
        self.env = env
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
        """Runs one step, after a reset if the last one was terminal.

        Args:
            action: for the environment.

        Returns:
            ``(observation, reward, terminal, info)``; ``terminal`` is terminated or truncated. For gymnasium's
            environments, the info of a terminal step distinguishes them under ``"TimeLimit.truncated"``.
        """
        if self._terminated:
            self.env.reset()
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
        result = self.env.reset(**kwargs)
        self._terminated = False
        return reset_observation(result, getattr(self.env, "observation_space", None))

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render``.

        Args:
            args: its arguments.
            kwargs: its keyword arguments.
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
        # copy reads attributes before `env` is set; no attribute can be forwarded then.
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}, and private ones are not passed on")
        return getattr(self.env, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{self.env!r}>"

    __str__ = __repr__
