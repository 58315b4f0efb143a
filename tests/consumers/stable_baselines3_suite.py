"""Runs Stable-Baselines3's own tests of vector environments with this package's makers.

    python tests/consumers/stable_baselines3_suite.py FOLDER [arguments of pytest]

FOLDER is a checkout of Stable-Baselines3 at the installed release; `nox -s sb3_suite` fetches it.
`DummyVecEnv`, `SubprocVecEnv` and `make_vec_env` are replaced by `envpool_rs.sb3.VecEnv` before the tests are imported,
but not inside of Stable-Baselines3. Tests that cannot pass are named below with the reason, and must fail.
"""

import os
import sys

import pytest
from expected_failures import ExpectedFailures

NO_ENVS = "looks into the list `envs` of DummyVecEnv: environments live in other processes"
OWN_COPIES = "expects one process: what functions share is each worker process's own copy"

OTHER_WORDS = "expects multiprocessing's words for a start method that there is not; ours name those that there are"

EXPECTED = {
    "tests/test_vec_envs.py::test_vecenv_func_checker": OWN_COPIES,
    "tests/test_vec_envs.py::test_subproc_start_method": OTHER_WORDS,
    "tests/test_vec_envs.py::test_vecenv_custom_calls[None-DummyVecEnv]": NO_ENVS,
    "tests/test_vec_envs.py::test_vecenv_custom_calls[VecNormalize-DummyVecEnv]": NO_ENVS,
    "tests/test_vec_envs.py::test_vecenv_custom_calls[VecFrameStack-DummyVecEnv]": NO_ENVS,
}
"""Stable-Baselines3's tests that fail with this package's makers, with the reasons."""


def replace_makers():
    """Replaces Stable-Baselines3's classes and functions for vector environments by `envpool_rs.sb3.VecEnv`."""
    import stable_baselines3  # noqa: F401 (imports its own vector environments first)
    from envpool_rs.sb3 import VecEnv
    from stable_baselines3.common import env_util, vec_env

    def DummyVecEnv(env_fns):  # noqa: N802 (the name of the class, which tests go by)
        return VecEnv(env_fns)

    def SubprocVecEnv(env_fns, start_method=None):  # noqa: N802
        return VecEnv(env_fns, context=start_method)

    def make_vec_env(env_id, n_envs=1, seed=None, env_kwargs=None, vec_env_cls=None):
        env = VecEnv(env_id, n_envs, **{"render_mode": "rgb_array", **(env_kwargs or {})})
        env.seed(seed)
        return env

    vec_env.DummyVecEnv, vec_env.SubprocVecEnv, env_util.make_vec_env = DummyVecEnv, SubprocVecEnv, make_vec_env


def main(folder, *arguments):
    """Runs the tests of a checkout; returns pytest's exit status."""
    os.chdir(folder)
    replace_makers()
    return pytest.main(
        ["tests/test_vec_envs.py", "-p", "no:cacheprovider", "-q", "-rxX", *arguments],
        plugins=[ExpectedFailures(EXPECTED)],
    )


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
