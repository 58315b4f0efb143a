"""Tests pools on a system that refuses executable memory.

Games are then interpreted, with equal results, more slowly, and with a warning.
"""

import subprocess
import sys
import textwrap

import pytest

pytest.importorskip("ale_py")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform != "linux", reason="translations, and their refusal, are Linux's"),
]

PREAMBLE = """
    import ctypes, errno, hashlib, logging, sys, warnings
    import numpy as np
    import envpool_rs

    def refuse():
        PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN = 65, 1
        libc = ctypes.CDLL(None, use_errno=True)
        if libc.prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0) != 0:
            sys.exit(77)  # Linux before 6.3 lacks this setting.

    def made(task="Pong-v5", make=envpool_rs.make, **options):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            env = make(task, num_envs=2, **options)
        return env, [str(each.message) for each in caught if each.category is RuntimeWarning]

    def played(env):
        digest = hashlib.sha256()
        digest.update(env.reset()[0].tobytes())
        for step in range(200):
            digest.update(env.step(np.array([step % 6, 2]))[0].tobytes())
        return digest.hexdigest()
"""


def run(code):
    command = [sys.executable, "-c", textwrap.dedent(PREAMBLE) + textwrap.dedent(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode == 77:
        pytest.skip("this kernel cannot refuse executable memory")
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


PLAYED = """
    env, warned = made(seed=3)
    assert env.config["translate"] is {translate}, env.config
    assert len(warned) == {warnings}, warned
    print(played(env))
"""


def test_refused_executable_memory_warns_and_games_are_equal():
    translated = run(PLAYED.format(translate=True, warnings=0))
    refused = run("\n    refuse()\n" + PLAYED.format(translate=False, warnings=1))
    assert len(translated) == 65
    assert refused == translated


def test_the_warning_appears_once_per_process_with_a_remedy():
    run("""
    refuse()
    spec = envpool_rs.make_spec("Pong-v5")
    assert spec.config.translate is False, spec.config
    env, warned = made()
    reason = "the system refuses executable memory: Permission denied (os error 13)"
    expected = f"{reason}: translate=True is False, which is slower; "
    assert len(warned) == 1 and warned[0].startswith(expected) and "give translate=False" in warned[0], warned
    assert env.decided == [("translate", False, reason)], env.decided
    for task in ("Pong-v5", "Breakout-v5", "ALE/Pong-v5"):
        for make in (envpool_rs.make, envpool_rs.make_vec):
            assert made(task, make)[1] == []
    """)


@pytest.mark.parametrize("options", ["translate=False", "difficulty=[0, 1], translate=False"])
def test_options_without_translations_give_no_warning(options):
    run(f"""
    refuse()
    env, warned = made({options})
    assert warned == [] and env.config["translate"] is False and env.decided == []
    """)


def test_environments_with_their_own_options_warn_equally():
    run("""
    refuse()
    env, warned = made(difficulty=[0, 1])
    assert len(warned) == 1 and env.config["translate"] is False
    """)


def test_a_later_refusal_affects_only_new_pools():
    run("""
    env, warned = made()
    assert warned == [] and env.config["translate"] is True
    refuse()
    played(env)  # Code that has not been translated yet is interpreted.
    env, warned = made()
    assert len(warned) == 1 and env.config["translate"] is False
    """)
