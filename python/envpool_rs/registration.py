"""Task registry, and the functions that make environments of tasks."""

from typing import TYPE_CHECKING

from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.plugins import register
from envpool_rs._tasks.table import list_all_envs

if TYPE_CHECKING:
    from envpool_rs._make.signatures import make, make_dm, make_gym, make_gymnasium, make_spec, make_vec
else:
    from envpool_rs._make.make import make, make_dm, make_gym, make_gymnasium, make_spec, make_vec

__all__ = ["make", "make_dm", "make_gym", "make_gymnasium", "make_spec", "make_vec"]
__all__ += ["EnvSpec", "list_all_envs", "register"]
