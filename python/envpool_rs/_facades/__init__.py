"""Interfaces of native pools: EnvPool's three, gymnasium's vector environment, and their shared parts."""
