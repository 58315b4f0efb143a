"""What EnvPool has for MiniGrid beside its classes."""

from envpool_rs.minigrid import decode_mission

__all__ = ["decode_mission"]
