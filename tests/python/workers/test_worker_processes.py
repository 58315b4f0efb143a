"""Tests that worker processes end after their parent is interrupted, killed, forked, or exits without closing.

Each case runs in its own process group, whose processes must all be gone at the end.
"""

import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

BEGIN = """
import functools, os, re, signal, sys, threading, time
import numpy as np
from python_envs import *
from envpool_rs.workers import WorkerDied, WorkerGroup

def reset(group):
    group.send_resets(None, list(range(group.num_envs)))
    group.wait()
    return group.take_steps()

def step(group, actions=None):
    group.send_steps(None, actions or [0] * group.num_envs)
    group.wait()
    return group.take_steps()

def ready():
    print("ready", flush=True)

class Telling(ActionEnv):
    def close(self):
        open(os.path.join(sys.argv[1], f"closed-{os.getpid()}"), "w").close()

def main():
"""

END = """
if __name__ == "__main__":
    main()
"""


class Script:
    """Python program in its own process group."""

    def __init__(self, folder, body, context="fork"):
        self.folder = Path(folder)
        (self.folder / "script.py").write_text(
            BEGIN + textwrap.indent(textwrap.dedent(body).replace("CONTEXT", repr(context)), "    ") + END
        )
        self.process = subprocess.Popen(
            [sys.executable, "-W", "error", str(self.folder / "script.py"), str(self.folder)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )

    def await_ready(self):
        """Waits for the line that the script's call of `ready()` prints."""
        line = self.process.stdout.readline()
        assert line == "ready\n", line + self.process.stderr.read()

    def finish(self, seconds=120):
        """Waits for the script to end; returns exit code, stdout and stderr."""
        out, err = self.process.communicate(timeout=seconds)
        return self.process.returncode, out, err

    def leaves_nothing_behind(self, seconds=60.0):
        """Returns whether all processes of the group end within ``seconds``."""
        deadline = time.monotonic() + seconds
        while members_of(self.process.pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        return not members_of(self.process.pid)


def members_of(group):
    """Returns the processes of a session, without zombies."""
    found = []
    for each in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, *fields = each.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[2]) == group and state != "Z":
            found.append(int(each.parent.name))
    return found


@pytest.fixture
def script(tmp_path):
    """Returns a function that makes scripts; their remaining processes are killed after the test."""
    made = []

    def make(*args, **keywords):
        made.append(Script(tmp_path, *args, **keywords))
        return made[-1]

    yield make
    for each in made:
        if members_of(each.process.pid):
            os.killpg(each.process.pid, signal.SIGKILL)
        each.process.communicate()


def closed_envs(folder):
    return len(list(Path(folder).glob("closed-*")))


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_ctrl_c_ends_parent_and_workers(script, context, tmp_path):
    running = script(
        """
        group = WorkerGroup([Telling] * 4, num_workers=2, context=CONTEXT)
        reset(group)
        group.send_steps(None, [0, 0, 0, "hang"])
        group.wait(count=3)
        while group._envs.block.states[3] != 2:  # until it hangs
            time.sleep(0.01)
        ready()
        group.wait()
        """,
        context,
    )
    running.await_ready()
    os.killpg(running.process.pid, signal.SIGINT)
    code, _, err = running.finish()
    assert code == -signal.SIGINT or (code == 1 and "KeyboardInterrupt" in err)
    assert err.count("Traceback") == 1, err
    assert running.leaves_nothing_behind() and closed_envs(tmp_path) == 1


def test_ctrl_c_loses_no_request_in_flight(script):
    running = script(
        """
        class Waiting(CountingEnv):
            def step(self, action):
                while not os.path.exists(os.path.join(sys.argv[1], "go on")):
                    time.sleep(0.01)
                return super().step(action)

        group = WorkerGroup([Waiting] * 2, num_workers=1, context=CONTEXT)
        reset(group)
        group.send_steps(None, [0, 0])
        try:
            threading.Timer(0.1, os.killpg, (0, signal.SIGINT)).start()
            group.wait()
        except KeyboardInterrupt:
            assert group.in_flight.tolist() == [0, 1]
        else:
            raise AssertionError("not interrupted")
        open(os.path.join(sys.argv[1], "go on"), "w").close()
        group.wait()
        assert group.take_steps().observations()[:, 2].tolist() == [1, 1]
        group.close()
        """,
    )
    assert running.finish()[::2] == (0, "") and running.leaves_nothing_behind()


def test_ctrl_c_in_a_call_leaves_the_environments_usable(script):
    running = script(
        """
        class Slow(CountingEnv):
            def render(self):
                while not os.path.exists(os.path.join(sys.argv[1], "go on")):
                    time.sleep(0.01)

        group = WorkerGroup([Slow, CountingEnv], num_workers=2, context=CONTEXT)
        reset(group)
        try:
            threading.Timer(0.2, os.killpg, (0, signal.SIGINT)).start()
            group.call(None, "render")
        except KeyboardInterrupt:
            pass
        else:
            raise AssertionError("not interrupted")
        assert group.wait().tolist() == []
        open(os.path.join(sys.argv[1], "go on"), "w").close()
        while group.in_flight.tolist():  # until the abandoned call has ended
            time.sleep(0.01)
        assert step(group).observations()[:, 2].tolist() == [1, 1]
        group.close()
        """,
    )
    assert running.finish()[::2] == (0, "") and running.leaves_nothing_behind()


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_ctrl_c_during_environment_construction_ends_all_processes(script, context):
    running = script(
        """
        def slow():
            time.sleep(1000)

        threading.Timer(0.2, ready).start()
        WorkerGroup([CountingEnv, slow], num_workers=2, context=CONTEXT)
        """,
        context,
    )
    running.await_ready()
    os.killpg(running.process.pid, signal.SIGINT)
    _, _, err = running.finish()
    assert err.count("KeyboardInterrupt") <= 1 and running.leaves_nothing_behind()


def test_ctrl_c_kills_starting_workers_and_closes_the_others(script, tmp_path):
    running = script(
        """
        from envpool_rs._workers.worker_process import WorkerProcess

        def touch(name):
            open(os.path.join(sys.argv[1], name), "w").close()

        def stubborn():
            signal.signal(signal.SIGTERM, lambda *arguments: touch("terminated"))
            touch("making")
            while True:
                time.sleep(1)

        reports = WorkerProcess.reports

        def reports_and_tells(process):
            made = reports(process)
            while not os.path.exists(os.path.join(sys.argv[1], "making")):
                time.sleep(0.01)
            threading.Timer(0.1, ready).start()
            return made

        WorkerProcess.reports = reports_and_tells
        WorkerGroup([Telling, stubborn], num_workers=2, context=CONTEXT)
        """
    )
    running.await_ready()
    os.killpg(running.process.pid, signal.SIGINT)
    _, _, err = running.finish()
    assert err.count("KeyboardInterrupt") == 1 and running.leaves_nothing_behind()
    assert not (tmp_path / "terminated").exists(), "there was nothing to wait for"
    assert closed_envs(tmp_path) == 1


def test_an_exit_during_a_worker_restart_ends_all_processes(script):
    running = script(
        """
        import envpool_rs
        from envpool_rs._workers.worker_process import WorkerEnvs

        class TellingEnv(CountingEnv):
            def pid(self):
                return os.getpid()

        restart, is_inside = WorkerEnvs._restart, threading.Event()

        def slowly(envs, worker):
            is_inside.set()
            for _ in range(300):
                time.sleep(0.001)  # Each sleep releases and acquires the interpreter's lock.
            return restart(envs, worker)

        WorkerEnvs._restart = slowly
        pool = envpool_rs.make_python([TellingEnv] * 2, num_workers=2, context=CONTEXT, restart=True)
        pool.reset()
        os.kill(pool.call("pid")[1], signal.SIGKILL)
        threading.Thread(target=pool.step, args=([0, 0],), daemon=True).start()
        is_inside.wait()
        """
    )
    assert running.finish()[::2] == (0, "") and running.leaves_nothing_behind()


@pytest.mark.parametrize(
    ("context", "doing"), [("fork", "hang"), ("fork", "nothing"), ("spawn", "nothing"), ("forkserver", "nothing")]
)
def test_workers_end_when_their_parent_is_killed(script, context, doing, tmp_path):
    running = script(
        f"""
        group = WorkerGroup([Telling] * 3, num_workers=3, context=CONTEXT)
        reset(group)
        if {doing!r} == "hang":
            group.send_steps([0], ["hang"])
            while group._envs.block.states[0] != 2:  # until it hangs
                time.sleep(0.01)
        ready()
        time.sleep(1000)
        """,
        context,
    )
    running.await_ready()
    running.process.kill()
    assert running.leaves_nothing_behind()
    assert closed_envs(tmp_path) == (3 if doing == "nothing" else 2)


def test_workers_end_if_their_parent_is_killed_before_construction(script):
    running = script(
        """
        def slow():
            time.sleep(1000)

        group = WorkerGroup([CountingEnv, slow, CountingEnv], num_workers=3, context=CONTEXT, start=False)
        ready()
        time.sleep(1000)
        """
    )
    running.await_ready()
    running.process.kill()
    assert running.leaves_nothing_behind()


@pytest.mark.parametrize(
    ("context", "end"),
    [("fork", ""), ("fork", "raise SystemExit(0)"), ("fork", "os.kill(os.getpid(), signal.SIGTERM)"), ("spawn", "")],
)
def test_an_exit_without_close_closes_environments_and_ends_processes(script, context, end, tmp_path):
    running = script(
        f"""
        group = WorkerGroup([Telling] * 3, num_workers=2, context=CONTEXT)
        other = WorkerGroup([Telling] * 1, num_workers=1, context=CONTEXT, daemon=False)
        reset(group)
        {end}
        """,
        context,
    )
    code, _, err = running.finish()
    assert (code, err) == (-signal.SIGTERM if "SIGTERM" in end else 0, "")
    assert running.leaves_nothing_behind() and closed_envs(tmp_path) == 3


def test_an_uncaught_exception_closes_the_callers_own_environments(script, tmp_path):
    running = script(
        """
        group = WorkerGroup([Telling] * 4, num_workers=1, caller_share=True, context=CONTEXT)
        reset(group)
        raise ValueError("uncaught")
        """
    )
    code, _, err = running.finish()
    assert code == 1 and err.splitlines()[-1] == "ValueError: uncaught"
    assert running.leaves_nothing_behind() and closed_envs(tmp_path) == 2


def test_hanging_environments_do_not_delay_the_exit(script):
    running = script(
        """
        group = WorkerGroup([ActionEnv] * 2, num_workers=2, context=CONTEXT, daemon=False)
        reset(group)
        group.send_steps(None, ["hang", 0])
        group.wait(count=1)
        """
    )
    assert running.finish()[::2] == (0, "")  # the environment sleeps for a thousand seconds
    assert running.leaves_nothing_behind()


def test_a_fork_of_the_parent_can_neither_use_nor_end_the_workers(script):
    running = script(
        """
        group = WorkerGroup([CountingEnv] * 2, num_workers=2, context=CONTEXT)
        reset(group)
        child = os.fork()
        if child == 0:
            for call in (lambda: group.send_steps(None, [0, 0]), group.wait, group.take_steps, lambda: group.in_flight):
                try:
                    call()
                except RuntimeError as error:
                    assert "belong to the parent process" in str(error)
                else:
                    os._exit(1)
            group.close()
            other = WorkerGroup([CountingEnv] * 2, num_workers=2, context=CONTEXT)
            assert reset(other).observations()[:, 2].tolist() == [0, 0]
            del group
            sys.exit(7)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
        assert step(group).observations()[:, 2].tolist() == [1, 1]
        group.close()
        """
    )
    assert running.finish()[::2] == (0, "") and running.leaves_nothing_behind()


def test_a_worker_that_prints_to_a_closed_pipe_continues(script):
    running = script(
        """
        class Printing(ActionEnv):
            def step(self, action):
                try:
                    print("x" * 100_000, flush=True)
                except BrokenPipeError:
                    pass
                return super().step(action)

        read, write = os.pipe()
        os.dup2(write, 1)
        os.close(read)
        os.close(write)
        group = WorkerGroup([Printing, ActionEnv], num_workers=2, context=CONTEXT)
        reset(group)
        assert step(group).observations()[:, 2].tolist() == [1, 1]
        group.close()
        os.dup2(2, 1)
        """
    )
    code, _, _ = running.finish()
    assert code == 0 and running.leaves_nothing_behind()


def test_shared_memory_and_temporary_folders_are_left_clean(script, tmp_path):
    running = script(
        """
        os.environ["TMPDIR"] = sys.argv[1]
        shared, temporary = set(os.listdir("/dev/shm")), sorted(os.listdir(sys.argv[1]))
        descriptors = len(os.listdir("/proc/self/fd"))
        for _ in range(3):
            group = WorkerGroup([CountingEnv] * 4, num_workers=2, context=CONTEXT)
            reset(group)
            group.close()
            del group
        left = len(os.listdir("/proc/self/fd")) - descriptors
        assert left <= 0, left
        assert sorted(os.listdir(sys.argv[1])) == temporary

        def leftovers():
            # Files of ViZDoom's engines are omitted, because they belong to other tests; all other files must
            # disappear.
            return [name for name in set(os.listdir("/dev/shm")) - shared if not re.search(r"envpool\\d+x", name)]

        deadline = time.monotonic() + 30
        while leftovers() and time.monotonic() < deadline:
            time.sleep(0.1)
        assert leftovers() == []
        """
    )
    assert running.finish()[::2] == (0, "") and running.leaves_nothing_behind()
