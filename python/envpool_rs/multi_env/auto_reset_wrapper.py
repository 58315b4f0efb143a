"""Episodes one after the other, without calls of ``reset`` between them."""

from __future__ import annotations

from typing import Any

from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs.multi_env.step_results import four_values, reset_observation


class _AutoResetWrapper(EnvironmentBase):  # type: ignore[misc]
    """Resets an environment by itself: a terminal step returns its own observation, and the step after it resets,
    discards that observation, and applies the action.

    Steps have gym's four values, and resets return the observation alone, whichever interface the environment has.
    Every other attribute is the environment's.

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
        """The environment's metadata; empty where it has none."""
        return getattr(self.env, "metadata", {})

    @property
    def spec(self) -> Any:
        """The environment's specification; ``None`` where it has none."""
        return getattr(self.env, "spec", None)

    @property
    def render_mode(self) -> Any:
        """How the environment renders; ``None`` where it does not say."""
        return getattr(self.env, "render_mode", None)

    @property
    def reward_range(self) -> Any:
        """The environment's bounds of rewards; infinite where it has none."""
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
        """Plays one step, after a reset where the last one was terminal.

        Args:
            action: for the environment.

        Returns:
            ``(observation, reward, terminal, info)``; ``terminal`` is terminated or truncated, and the info of a
            terminal step of gymnasium says which under ``"TimeLimit.truncated"``.
        """
        if self._terminated:
            self.env.reset()
            self._terminated = False
        result = four_values(self.env.step(action))
        self._terminated = bool(result[2])
        return result

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment; the next step does not.

        Args:
            kwargs: for the environment's ``reset``.

        Returns:
            The observation.
        """
        result = self.env.reset(**kwargs)
        self._terminated = False
        return reset_observation(result, getattr(self.env, "observation_space", None))

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """What the environment's ``render`` returns.

        Args:
            args: for it.
            kwargs: for it.
        """
        return self.env.render(*args, **kwargs)

    def seed(self, seed: Any = None) -> Any:
        """Seeds an environment of gym before 0.26.

        Args:
            seed: for the environment's ``seed``.
        """
        return self.env.seed(seed)

    def close(self) -> None:
        """Closes the environment."""
        self.env.close()

    def __getattr__(self, name: str) -> Any:
        # Without `env` there is nobody to ask: copies are looked at before they have it.
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}, and private ones are not passed on")
        return getattr(self.env, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{self.env!r}>"

    __str__ = __repr__
