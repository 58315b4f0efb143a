"""Fixtures of the tests of vector environments."""

import pytest
from vector_env_cases import KINDS


def _maker(kind):
    made = []

    def make(env_fns, **keywords):
        made.append(KINDS[kind](env_fns, **keywords))
        return made[-1]

    make.kind = kind
    yield make
    for each in made:
        if not each.is_closed:
            each.close()


@pytest.fixture(params=KINDS)
def make(request):
    """Fixture that makes vector environments of one kind, and closes them at the end."""
    yield from _maker(request.param)


@pytest.fixture(params=["dummy", "subproc", "caller"])
def make_ours(request):
    """Fixture like `make`, for all kinds of vector environments except those with a user's own worker class."""
    yield from _maker(request.param)
