"""EnvPool's interface for legacy gym: gym's own classes where gym is installed, gymnasium's otherwise."""

from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._spec.installed_gym import FIVE_VALUES, GymEnvSpec

__all__ = ["FIVE_VALUES", "GymEnvPool", "GymEnvSpec"]
