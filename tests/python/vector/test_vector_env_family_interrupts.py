"""Tests of vector environments whose calls are interrupted between any two instructions of Python."""

import dis
import gc
import itertools
import sys

import numpy as np
import pytest
from python_envs import CountingEnv
from vector_env_cases import KINDS

TRACED = ("vector/base_vector_env.py", "vector/env_worker.py", "_workers/worker_process.py")


@pytest.fixture(autouse=True)
def _no_garbage():
    """Finalizes what other tests have left, because interrupts of finalizers are ignored."""
    gc.collect()


class InterruptAt:
    """Trace function that raises KeyboardInterrupt before one instruction of the package, by its number.

    It leaves out functions that the extension calls while it converts failures which it has taken.
    """

    def __init__(self, number):
        self.left, self.previous = number, ""

    def __call__(self, frame, event, _):
        if not frame.f_code.co_filename.endswith(TRACED) or frame.f_code.co_name in ("failure", "unreadable"):
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        if event == "opcode":
            if self.left == 0:
                raise KeyboardInterrupt
            self.left -= 1
            self.previous = dis.opname[frame.f_code.co_code[frame.f_lasti]]
        return self


class ScatteredEnv(CountingEnv):
    """Environment whose rewards are an array in every third step, and which fails in every seventh if it ``fails``."""

    fails = False

    def step(self, action):
        observation, reward, *rest = super().step(action)
        if self.fails and self.steps % 7 == 0:
            raise ValueError(f"step {self.steps}")
        return observation, np.array([reward]) if self.steps % 3 == 0 else reward, *rest


class FailingEnv(ScatteredEnv):
    fails = True


def step_all(env):
    return env.step(np.zeros(len(env)))


def step_some(env):
    return env.step([0] * len(env.ready_id), env.ready_id)


def fetch(env):
    return env.step(None) if env.waiting_id else step_some(env)


class Deliveries:
    """Numbers of the steps that a vector environment delivered, by environment."""

    def __init__(self, env):
        self.env, self.numbers = env, [0] * len(env)

    def collect(self, step):
        """Runs a call that steps, and checks that it delivers no step twice."""
        try:
            observations, *_, infos = step(self.env)
        except ValueError as error:
            delivered = [(error.env_id, int(str(error).rpartition(" ")[2]))]
        else:
            ids = [info["env_id"] for info in infos]
            delivered = zip(ids, observations[:, 2].astype(int).tolist(), strict=True)
        for env_id, number in delivered:
            assert number > self.numbers[env_id]
            self.numbers[env_id] = number

    def is_complete(self):
        return self.numbers == self.env.get_env_attr("steps")


@pytest.mark.parametrize(
    ("step", "options"),
    [(step_all, {}), (step_some, {}), (step_some, {"wait_num": 2}), (fetch, {"wait_num": 1})],
    ids=["all", "ids", "asynchronous", "fetch"],
)
@pytest.mark.parametrize("made", [CountingEnv, FailingEnv])
@pytest.mark.parametrize("kind", ["subproc", "dummy"])
def test_an_interrupt_before_any_instruction_leaves_steps_pending(kind, made, step, options):
    with KINDS[kind]([lambda: made(10**9)] * 3, **options) as env:
        env.reset()
        deliveries = Deliveries(env)
        for number in itertools.count():
            interrupt = InterruptAt(number)
            before = sys.gettrace()
            sys.settrace(interrupt)
            try:
                deliveries.collect(step)
            except KeyboardInterrupt:
                pass
            else:
                break
            finally:
                sys.settrace(before)
            had = list(deliveries.numbers)
            while env.waiting_id:
                deliveries.collect(lambda env: env.step(None))
            if not deliveries.is_complete():
                # The call had returned the steps. Python handles signals after calls, so none interrupts it there. A
                # step in this process may be interrupted itself.
                assert kind == "dummy" or (not interrupt.previous.startswith("CALL") and deliveries.numbers == had)
                deliveries.numbers = env.get_env_attr("steps")
        assert number > 100
        while options and env.waiting_id:
            deliveries.collect(lambda env: env.step(None))
        assert env.reset()[:, 2].tolist() == [0, 0, 0]


@pytest.mark.parametrize("options", [{}, {"wait_num": 2}], ids=["synchronous", "asynchronous"])
@pytest.mark.parametrize("kind", ["subproc", "dummy"])
def test_an_interrupt_before_any_instruction_of_a_reset_leaves_environments_usable(kind, options):
    with KINDS[kind]([lambda: CountingEnv(10**9)] * 3, **options) as env:
        env.reset()
        for number in itertools.count():
            if not options:
                env._pending.send([0, 2], [0, 0])
            sys.settrace(InterruptAt(number))
            try:
                env.reset()
            except KeyboardInterrupt:
                pass
            else:
                break
            finally:
                sys.settrace(None)
            while env.waiting_id:
                env.step(None)
            env.reset()
            assert env.step(np.zeros(3))[0][:, 2].tolist() == [1] * len(env.ready_id)
            while env.waiting_id:
                env.step(None)
        assert number > 50
