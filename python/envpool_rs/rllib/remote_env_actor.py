"""Ray actor that runs a remote environment. The module imports neither RLlib nor the rest of this package."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


class RemoteEnvActor:
    """Actor with one environment."""

    def __init__(self, make_env: Callable[[int], Any], index: int) -> None:
        self._env = make_env(index)

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> Any:
        """Calls the environment's ``reset``."""
        return self._env.reset(seed=seed, options=options)

    def step(self, action: Any) -> Any:
        """Calls the environment's ``step``."""
        return self._env.step(action)

    def render(self) -> Any:
        """Calls the environment's ``render``."""
        return self._env.render()

    def observation_space(self) -> Any:
        """Returns the environment's observation space."""
        return self._env.observation_space

    def action_space(self) -> Any:
        """Returns the environment's action space."""
        return self._env.action_space

    def agent_space(self, kind: str, agent_id: Any) -> Any:
        """Returns the space of one agent of a multi-agent environment.

        Args:
            kind: ``"observation"`` or ``"action"``.
            agent_id: the agent.
        """
        return getattr(self._env, f"get_{kind}_space")(agent_id)

    def get_agent_ids(self) -> set[Any]:
        """Returns the agents of a multi-agent environment."""
        return set(self._env.get_agent_ids())

    def close(self) -> None:
        """Closes the environment."""
        if hasattr(self._env, "close"):
            self._env.close()
