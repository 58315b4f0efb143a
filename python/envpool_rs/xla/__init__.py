"""EnvPool's ``handle, recv, send, step = env.xla()``: calls a pool from programs compiled by jax."""

from envpool_rs.xla.functions import xla_functions

__all__ = ["xla_functions"]
