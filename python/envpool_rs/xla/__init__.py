"""EnvPool's ``handle, recv, send, step = env.xla()``: pools inside programs compiled by jax."""

from envpool_rs.xla.functions import xla_functions

__all__ = ["xla_functions"]
