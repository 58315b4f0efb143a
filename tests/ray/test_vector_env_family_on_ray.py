"""The tests of the BaseVectorEnv family, on its Ray kind: two actors for whatever number of environments."""

import functools
import importlib.util

import pytest
import test_vector_env_family as family
from envpool_rs.vector import RayVectorEnv
from test_vector_env_family import *  # noqa: F403

on_ray = functools.partial(RayVectorEnv, num_cpus=1, num_cpu_per_worker=0.5)


@pytest.fixture
def make(cluster):
    """Makes vector environments on Ray, and closes them."""
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

# Tests of other kinds, which name them or take them as parameters, and those of arguments that are looked at here.
OTHERS = {"test_wrong_actions_are_refused_and_nothing_is_played", "test_methods_are_looked_up_and_never_evaluated"} | {
    name
    for name in dir(family)
    if name.startswith("test_")
    and not {"make", "make_ours"}
    & set(getattr(family, name).__code__.co_varnames[: getattr(family, name).__code__.co_argcount])
}
if importlib.util.find_spec("dm_env") is None:
    OTHERS.add("test_environments_of_dm_env_are_stepped_too")
for name in OTHERS:
    del globals()[name]
