"""The specification of pools behind the interface for legacy gym."""

from __future__ import annotations

from typing import Any

from envpool_rs._spec.installed_gym import SPACES
from envpool_rs._spec.spaces import build_space
from envpool_rs._spec.spec import EnvSpec


class GymEnvSpec(EnvSpec):
    """The specification of a pool behind the gym interface: its spaces are of the classes of ``SPACES``, as EnvPool's
    ``spec.action_space`` is gym's and ``spec.gymnasium_action_space`` gymnasium's.
    """

    @property
    def observation_space(self) -> Any:
        """Observation space of one environment, one of gym's classes where gym is installed."""
        return build_space(self.pool.observation, SPACES)

    @property
    def action_space(self) -> Any:
        """Action space of one environment, one of gym's classes where gym is installed."""
        return build_space(self.pool.action, SPACES)
