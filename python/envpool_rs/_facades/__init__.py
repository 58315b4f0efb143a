"""Interfaces of native pools: EnvPool's three interfaces and gymnasium's vector environment, and what they share."""
