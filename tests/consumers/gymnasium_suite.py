"""Runs Gymnasium's own tests of vector environments with this package's makers.

    python tests/consumers/gymnasium_suite.py FOLDER [arguments of pytest]

FOLDER is a checkout of Gymnasium at the installed release; `nox -s gymnasium_suite` fetches it.
`gymnasium.vector.AsyncVectorEnv`, `SyncVectorEnv` and `gymnasium.make_vec` are replaced by `envpool_rs.make_vec` before
the tests are imported. Tests that cannot pass are named below with the reason, and must fail.
"""

import os
import sys
from pathlib import Path

import pytest
from expected_failures import ExpectedFailures

SUITES = ("tests/vector", "tests/wrappers/vector")

NO_ENVS = "looks into the list `envs` of SyncVectorEnv: environments live in other processes, or in the engine"
NAMES_THE_CLASS = "expects the name of gymnasium's class in the message"
LOG_LINES = "expects the lines that gymnasium's processes log; here the exception itself names the environment"
NO_LISTS = "asks native environments for `rgb_array_list`: they collect no pictures, and say so when they are made"
MASKED_KEYS = "expects infos without keys that no environment reports; infos of native environments have them, masked"
FIXED_PHYSICS = "sets the gravity of native environments, whose physics are fixed"

EXPECTED = {
    "tests/vector/test_async_vector_env.py::test_async_vector_subenv_error": LOG_LINES,
    "tests/vector/test_sync_vector_env.py::test_check_spaces_sync_vector_env": NAMES_THE_CLASS,
    "tests/vector/test_sync_vector_env.py::test_metadata_sync_vector_env": NO_ENVS,
    "tests/vector/test_vector_wrapper.py::test_vector_env_wrapper_attributes": FIXED_PHYSICS,
    "tests/wrappers/vector/test_human_rendering.py::test_render_modes": NO_LISTS,
    "tests/wrappers/vector/test_normalize_reward.py::test_equivalence_with_wrapper": NO_ENVS,
    **{
        f"tests/wrappers/vector/test_vector_wrappers.py::test_vector_wrapper_equivalence"
        f"[CarRacing-v3-{wrapper}-{count}-AutoresetMode.{mode}]": MASKED_KEYS
        for wrapper in (
            "GrayscaleObservation-kwargs2",
            "ResizeObservation-kwargs3",
            "ReshapeObservation-kwargs4",
            "DtypeObservation-kwargs6",
        )
        for count in (1, 3)
        for mode in ("NEXT_STEP", "SAME_STEP")
    },
}
"""Gymnasium's tests that fail with this package's makers, with the reasons."""


def replace_makers():
    """Replaces gymnasium's classes and functions for vector environments by `envpool_rs.make_vec`."""
    import envpool_rs
    import gymnasium

    def vector_env(env_fns, *arguments, **keywords):
        names = ("shared_memory", "copy", "context", "daemon", "worker", "observation_mode", "autoreset_mode")
        return envpool_rs.make_vec(env_fns, **dict(zip(names, arguments, strict=False)), **keywords)

    gymnasium.vector.AsyncVectorEnv = vector_env
    gymnasium.vector.SyncVectorEnv = vector_env
    gymnasium.make_vec = envpool_rs.make_vec


def main(folder, *arguments):
    """Runs the tests of a checkout; returns pytest's exit status."""
    os.chdir(folder)
    sys.path.insert(0, str(Path.cwd()))
    replace_makers()
    suites = [] if any("tests/" in each for each in arguments) else [*SUITES, "--ignore=tests/vector/utils"]
    return pytest.main(
        [*suites, "-p", "no:cacheprovider", "-q", "-rxX", *arguments], plugins=[ExpectedFailures(EXPECTED)]
    )


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
