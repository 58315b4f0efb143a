"""The tasks by name, and the functions that make environments of them."""

from envpool_rs._make.registration import (
    list_all_envs,
    make,
    make_dm,
    make_gym,
    make_gymnasium,
    make_spec,
    make_vec,
    register,
)
from envpool_rs._spec.spec import EnvSpec

__all__ = [
    "EnvSpec",
    "list_all_envs",
    "make",
    "make_dm",
    "make_gym",
    "make_gymnasium",
    "make_spec",
    "make_vec",
    "register",
]
