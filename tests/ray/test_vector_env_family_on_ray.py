"""Runs the tests of the BaseVectorEnv family with RayVectorEnv, limited to two actors."""

import functools
import importlib.util

import pytest
import test_vector_env_family
import test_vector_env_family_attributes
import test_vector_env_family_equivalence
import test_vector_env_family_misuse
import test_vector_env_family_processes
from envpool_rs.vector import RayVectorEnv

FAMILY = (
    test_vector_env_family,
    test_vector_env_family_attributes,
    test_vector_env_family_equivalence,
    test_vector_env_family_misuse,
    test_vector_env_family_processes,
)

on_ray = functools.partial(RayVectorEnv, num_cpus=1, num_cpu_per_worker=0.5)


@pytest.fixture
def make(cluster):
    """Fixture that makes RayVectorEnv instances, and closes them at the end."""
    made = []

    def make(env_fns, **keywords):
        made.append(on_ray(env_fns, **keywords))
        return made[-1]

    make.kind = "ray"
    yield make
    for each in made:
        if not each.is_closed:
            each.close()


make_ours = make

HERE = (
    "seeds_are_refused",
    "misused_methods",
    "evaluated",
    "statistics",
    "normalised",
    "wrong_actions",
    "no_method",
    "familys_attributes",
)
"""Parts of the names of tests that give the same result for every class: they check calls before sending, or results
after receiving.
"""


def is_for_ray(name, test):
    """Returns whether a test takes vector environments of any class, and tests behaviour that depends on the class."""
    code = test.__code__
    takes_any = {"make", "make_ours"} & set(code.co_varnames[: code.co_argcount])
    return bool(takes_any) and not any(part in name for part in HERE)


for name, test in [named for module in FAMILY for named in vars(module).items() if named[0].startswith("test_")]:
    without = name == "test_dm_env_environments_are_stepped" and importlib.util.find_spec("dm_env") is None
    if not without and is_for_ray(name, test):
        globals()[name] = test
