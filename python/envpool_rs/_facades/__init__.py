"""Interfaces of native pools: EnvPool's three interfaces and gymnasium's vector environment, with
their shared parts.
"""
