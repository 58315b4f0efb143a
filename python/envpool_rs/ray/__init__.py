"""Pools on a Ray cluster, whose environments are in actors.

Importing this package imports no ray; making a pool does (``pip install 'envpool_rs[ray]'``).
"""

from envpool_rs.ray.actors import ActorDied
from envpool_rs.ray.pool import make, make_vec

__all__ = ["ActorDied", "make", "make_vec"]
