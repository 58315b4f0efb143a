"""Tests that stacks of `FrameMemory` equal the observations of pools that stack frames."""

import signal
import sys

import envpool_rs
import numpy as np
import pytest
from envpool_rs import FrameMemory
from gymnasium.error import AlreadyPendingCallError

MODES = ["next_step", "same_step", "disabled"]
ATARI = {"num_envs": 3, "seed": 3, "num_threads": 1}

TASKS = {
    "short episodes": ("Pong-v5", {"max_episode_steps": 9, "img_height": 21, "img_width": 17}),
    "lives": ("Breakout-v5", {"episodic_life": True, "frame_skip": 12, "img_height": 21, "img_width": 21}),
    "colours": ("Breakout-v5", {"gray_scale": False, "max_episode_steps": 6, "stack_num": 3, "img_height": 11}),
    "one frame": ("Pong-v5", {"stack_num": 1, "max_episode_steps": 6}),
    "zeros": ("ALE/Breakout-v5", {"stack_size": 4, "padding_type": "zero", "max_episode_steps": 7, "obs_type": "ram"}),
    "first frame": ("ALE/Pong-v5", {"stack_size": 3, "max_episode_steps": 5, "frameskip": 2}),
    "floats": (
        "ALE/Pong-v5",
        {"preprocessing": True, "frameskip": 1, "scale_obs": True, "stack_size": 4, "max_episode_steps": 6},
    ),
    "vizdoom": ("Basic-v1", {"max_episode_steps": 30, "frame_skip": 12, "img_height": 21, "img_width": 21}),
}
"""Tasks and options, by the property of their frames."""


def pair(name, mode, make=envpool_rs.make_vec, steps=40, **options):
    """Returns a `FrameMemory` of a pool, and an equal pool that stacks frames itself."""
    task, own = TASKS[name]
    pytest.importorskip("vizdoom" if name == "vizdoom" else "ale_py")
    given = {**ATARI, **own, "autoreset_mode": mode, **options}
    return FrameMemory(make(task, stack_once=True, **given), steps, seed=0), make(task, **given)


class Recorder:
    """Plays a `FrameMemory` and a pool that stacks frames itself with the same actions, and compares their
    observations.

    Attributes:
        stacks: the stacking pool's observations, by time. A reset replaces the observations of the environments that it
            resets.
        last: observations after each step, by time and environment; for steps that ended an episode, the final
            observations.
        steps: (time, environment) of all steps that did not only reset.
    """

    def __init__(self, memory, pool, seed=0):
        self.memory, self.pool = memory, pool
        self.random = np.random.default_rng(seed)
        self.stacks, self.last, self.actions, self.rewards, self.ends = [], {}, [], [], []
        self.steps = set()
        self.due = np.zeros(pool.num_envs, bool)
        self.mode = pool.metadata["autoreset_mode"].name

    def reset(self, **arguments):
        stacks, info = self.memory.reset(**arguments)
        expected, _ = self.pool.reset(**arguments)
        np.testing.assert_array_equal(stacks, expected)
        assert info["stack_age"].shape == (self.pool.num_envs,)
        self.stacks[-1:] = [expected.copy()]
        mask = (arguments.get("options") or {}).get("reset_mask", np.ones(self.pool.num_envs, bool))
        self.due &= ~mask

    def step(self):
        action = np.array([self.pool.single_action_space.sample() for _ in range(self.pool.num_envs)])
        time = self.memory.time
        stacks, reward, terminated, truncated, info = self.memory.step(action)
        expected, other, *flags, expected_info = self.pool.step(action)
        np.testing.assert_array_equal(stacks, expected)
        assert stacks.dtype == expected.dtype
        np.testing.assert_array_equal(reward, other)
        np.testing.assert_array_equal([terminated, truncated], flags)
        self.stacks.append(expected.copy())
        self.actions.append(action), self.rewards.append(other.copy()), self.ends.append(flags[0].copy())
        ended = terminated | truncated
        for env in range(len(ended)):
            if not self.due[env]:
                self.steps.add((time, env))
            self.last[time, env] = expected[env].copy()
            if ended[env] and self.mode == "SAME_STEP":
                final = expected_info["final_obs"][env]
                np.testing.assert_array_equal(info["final_obs"][env], final)
                self.last[time, env] = final.copy()
        self.due = ended & ~self.due if self.mode == "NEXT_STEP" else self.due
        return ended

    def check_all(self):
        """Compares all stacks and all transitions that the memory holds with those of the stacking pool."""
        memory = self.memory
        first = max(0, memory.time - memory.steps)
        times, envs = np.meshgrid(np.arange(first, memory.time + 1), np.arange(self.pool.num_envs), indexing="ij")
        expected = np.array([self.stacks[time][env] for time, env in zip(times.flat, envs.flat, strict=True)])
        np.testing.assert_array_equal(memory.stacks(times.ravel(), envs.ravel()), expected)
        steps = sorted(step for step in self.steps if step[0] >= first)
        got = memory.transitions(*np.array(steps).T)
        np.testing.assert_array_equal(got.obs, [self.stacks[time][env] for time, env in steps])
        np.testing.assert_array_equal(got.next_obs, [self.last[step] for step in steps])
        np.testing.assert_array_equal(got.action, [self.actions[time][env] for time, env in steps])
        np.testing.assert_array_equal(got.reward, [self.rewards[time][env] for time, env in steps])
        np.testing.assert_array_equal(got.terminated, [self.ends[time][env] for time, env in steps])
        rows = np.arange(first, memory.time) % len(memory.frames)
        assert memory.is_step[rows].sum() == len(steps)


@pytest.mark.parametrize("name", TASKS)
@pytest.mark.parametrize("mode", MODES)
def test_stacks_equal_those_of_the_pool_that_stacks(name, mode):
    memory, pool = pair(name, mode)
    recorder = Recorder(memory, pool)
    pool.action_space.seed(1), pool.single_action_space.seed(1)
    recorder.reset(seed=5)
    ends = 0
    for step in range(95):
        ended = recorder.step()
        ends += int(ended.sum())
        if mode == "disabled" and ended.any():
            recorder.reset(options={"reset_mask": ended})
        if step in (20, 70):
            recorder.reset()
        if step in (10, 60):
            recorder.check_all()
    recorder.check_all()
    assert ends > 3
    assert len(memory._ring._extras) < len(memory.frames) * 3
    memory.env.close(), pool.close()


@pytest.mark.parametrize("make", [envpool_rs.make, envpool_rs.make_gymnasium])
@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_envpools_interface_has_the_same_stacks(make, mode):
    memory, pool = pair("short episodes", mode, make=make)
    pool.single_action_space.seed(2)
    recorder = Recorder(memory, pool)
    recorder.reset()
    for _ in range(30):
        recorder.step()
    recorder.check_all()


def test_newest_stacks_are_views_where_they_can_be():
    memory, _ = pair("one frame", "next_step", stack_num=4, max_episode_steps=30)
    stacks, _ = memory.reset()
    assert not np.shares_memory(stacks, memory.frames)
    for step in range(1, 8):
        stacks, *_ = memory.step(np.zeros(3, np.int32))
        assert np.shares_memory(stacks, memory.frames) == (step >= 3)
        assert stacks.shape == (3, 4, 84, 84)


def test_each_frame_is_stored_once():
    memory, pool = pair("one frame", "next_step", steps=100, stack_num=4)
    frame = 84 * 84
    assert memory.frames.nbytes == (100 + 4 + 1) * 3 * frame
    assert memory.nbytes < 1.03 * memory.frames.nbytes
    assert pool.reset()[0].nbytes == 4 * memory.frames[0].nbytes


def test_samples_are_steps_of_the_memory():
    memory, pool = pair("short episodes", "next_step", steps=20)
    recorder = Recorder(memory, pool)
    recorder.reset()
    for _ in range(50):
        recorder.step()
    samples = memory.sample(400)
    assert samples.obs.shape == (400, 4, 21, 17) == samples.next_obs.shape
    seen = {memory.time - 20 <= time for time, _ in recorder.steps}
    assert seen == {True, False}
    held = {recorder.stacks[time][env].tobytes() for time, env in recorder.steps if time >= memory.time - 20}
    assert {each.tobytes() for each in samples.obs} == held, "all held steps are drawn, and no others"


def test_snapshots_keep_the_age_of_the_stack():
    memory, _ = pair("short episodes", "next_step")
    memory.reset()
    for _ in range(5):
        memory.step(np.zeros(3, np.int32))
    state = memory.env.get_state()
    *_, info = memory.env.step(np.zeros(3, np.int32))
    memory.env.set_state(state)
    *_, again = memory.env.step(np.zeros(3, np.int32))
    np.testing.assert_array_equal(info["stack_age"], again["stack_age"])
    assert info["stack_age"].tolist() == [7, 7, 7]


def test_wrong_uses_are_named():
    pytest.importorskip("ale_py")
    make = envpool_rs.make_vec
    with pytest.raises(ValueError, match="expected a pool of Atari or ViZDoom made with stack_once=True"):
        FrameMemory(make("Pong-v5", 2), 10)
    with pytest.raises(ValueError, match="env=NoneType: expected a pool"):
        FrameMemory(None, 10)
    with pytest.raises(ValueError, match="stack_once=True: expected False without stack_size"):
        make("ALE/Pong-v5", 2, stack_once=True)
    env = make("Pong-v5", 2, stack_once=True, seed=1)
    with pytest.raises(ValueError, match="steps=0: expected 1 or more"):
        FrameMemory(env, 0)
    with pytest.raises(TypeError, match=r"steps=2\.5"):
        FrameMemory(env, 2.5)
    for wrong, error, message in (
        ({"seed": -1}, ValueError, "seed=-1: expected 0 or more"),
        ({"seed": 1.5}, TypeError, r"seed=1\.5: expected an int or None"),
        ({"seed": "x"}, TypeError, "seed='x': expected an int or None"),
        ({"steps": 2**63}, ValueError, f"steps={2**63}: expected 1 to "),
    ):
        with pytest.raises(error, match=message):
            FrameMemory(env, **{"steps": 2, **wrong})
    with pytest.raises(ValueError, match="batch_size is below num_envs"):
        FrameMemory(make("Pong-v5", 2, stack_once=True, batch_size=1), 10)
    with pytest.raises(ValueError, match="expected a pool of make_gymnasium, make or make_vec"):
        FrameMemory(envpool_rs.make_dm("Pong-v5", num_envs=2, stack_once=True), 10)
    memory = FrameMemory(env, 4)
    for call in (
        memory.stacks,
        lambda: memory.transitions([0], [0]),
        lambda: memory.step(np.zeros(2, int)),
        lambda: memory.sample(3),
    ):
        with pytest.raises(RuntimeError, match=r"call reset (first|and step first)"):
            call()
    memory.reset()
    for _ in range(9):
        memory.step(np.zeros(2, np.int64))
    for times, envs, error, message in (
        ([4], [0], IndexError, r"times\[0\]=4: expected 5 to 9"),
        ([10], [0], IndexError, r"times\[0\]=10: expected 5 to 9"),
        ([2**63], [0], IndexError, rf"times\[0\]={2**63}: expected 5 to 9"),
        ([5], [2**63], IndexError, rf"envs\[0\]={2**63}: expected 0 to 1"),
        ([5, 6], [0, 2], IndexError, r"envs\[1\]=2: expected 0 to 1"),
        ([5, 6], [0], ValueError, r"times has shape \(2,\) and envs \(1,\): expected the same"),
        ([5.5], [0], ValueError, r"times has dtype float64 and shape \(1,\): expected integers"),
    ):
        with pytest.raises(error, match=message):
            memory.stacks(times, envs)
    with pytest.raises(IndexError, match="times has the newest time, 9"):
        memory.transitions([9], [0])
    with pytest.raises(ValueError, match="count=0: expected 1 to"):
        memory.sample(0)
    for keys in ("x", ""):
        with pytest.raises(ValueError, match=r'action has the keys .*: expected "action"'):
            memory.step(dict.fromkeys(keys, 1))
    for action in (np.zeros((2, 1), np.int64), [0.5, 1], [np.nan, 1], [1e300, 1], [0]):
        with pytest.raises(ValueError, match=r"expected (those of the first step, int64 \(2,\)|\(2,\))"):
            memory.step(action)
    memory.step([0, 1])
    memory.step([1.0, 3.0])
    assert memory.time == 11 and memory.action[10 % len(memory.frames)].tolist() == [1, 3]


@pytest.mark.parametrize("mode", MODES)
def test_repeated_resets_keep_no_frames(mode):
    memory, pool = pair("short episodes", mode)
    recorder = Recorder(memory, pool)
    recorder.reset()
    size = memory.nbytes
    for _ in range(3):
        recorder.reset()
        assert memory.nbytes == size
    for _ in range(4):
        recorder.step()
    recorder.reset()
    kept = memory.nbytes - size
    assert kept <= 3 * memory.frames[0, 0].nbytes
    for _ in range(3):
        recorder.reset(options={"reset_mask": np.array([True, False, True])})
        recorder.reset()
        assert memory.nbytes == size + kept
    recorder.check_all()
    for _ in range(60):
        ended = recorder.step()
        if mode == "disabled" and ended.any():
            recorder.reset(options={"reset_mask": ended})
    recorder.check_all()


@pytest.mark.parametrize("mode", MODES)
def test_refused_calls_leave_the_memory_as_it_was(mode):
    memory, pool = pair("short episodes", mode, steps=6)
    recorder = Recorder(memory, pool)

    def refused():
        for wrong in (np.full(3, 99), np.zeros(2, int)):
            with pytest.raises(ValueError, match="action"):
                memory.step(wrong)
            with pytest.raises(RuntimeError, match=r"recv\(\): no step was interrupted; call step"):
                memory.recv()
        for arguments, error in (({"seed": "x"}, TypeError), ({"options": {"reset_mask": [True]}}, TypeError)):
            with pytest.raises(error):
                memory.reset(**arguments)
        with pytest.raises(TypeError, match="options"):
            memory.reset(options=3)

    recorder.reset()
    refused()
    for _ in range(20):
        ended = recorder.step()
        if mode == "disabled" and ended.any():
            recorder.reset(options={"reset_mask": ended})
        refused()
        recorder.check_all()


class AlarmError(Exception):
    """Raised by the handler of a signal."""


def interrupted(memory, action, seconds):
    """Calls a memory's `step`, which a signal interrupts; returns whether the signal came during the call."""

    def ring(*_):
        raise AlarmError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds)
        memory.step(action)
    except AlarmError:
        return memory._is_interrupted
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    return False


@pytest.mark.parametrize("make", [envpool_rs.make, envpool_rs.make_vec])
def test_an_interrupted_step_can_be_received(make):
    options = {"num_envs": 24, "frame_skip": 1000}
    first, second, other = (np.arange(start, start + 24) % 6 for start in range(3))
    # If the signal comes before or after the step, which takes a tenth of a second, another memory is interrupted.
    for seconds in (0.02, 0.01, 0.04, 0.005):
        memory, pool = pair("short episodes", "next_step", make=make, **options)
        memory.reset(), pool.reset()
        memory.step(first), pool.step(first)
        if interrupted(memory, second, seconds):
            break
    else:
        pytest.fail("no signal came during a step")
    with pytest.raises(AlreadyPendingCallError):
        memory.step(other)
    with pytest.raises(TypeError):
        memory.reset(seed="x")
    for got, expected in zip(memory.recv()[:4], pool.step(second)[:4], strict=True):
        np.testing.assert_array_equal(got, expected)
    assert memory.time == 2 and (memory.action[1] == second).all() and memory.is_step[1].all()
    with pytest.raises(RuntimeError, match=r"recv\(\): no step was interrupted; call step"):
        memory.recv()
    np.testing.assert_array_equal(memory.step(first)[0], pool.step(first)[0])
    interrupted(memory, second, seconds)
    np.testing.assert_array_equal(memory.reset(seed=9)[0], pool.reset(seed=9)[0])
    with pytest.raises(RuntimeError, match="no step was interrupted"):
        memory.recv()


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_an_exception_anywhere_after_the_step_loses_nothing(mode):
    memory, pool = pair("short episodes", mode)
    memory.reset(), pool.reset()
    num_envs = len(memory.action[0])
    lines = count = 0
    while lines == count:  # until a step has fewer lines
        lines, count = lines + 1, 0

        def trace(frame, event, _, last=lines):
            nonlocal count
            if frame.f_code.co_filename != envpool_rs.frame_memory.__file__:
                return None
            count += event == "line" and is_stepped(frame)
            if count == last:
                sys.settrace(None)
                raise KeyboardInterrupt
            return trace

        action = np.full(num_envs, lines % 4)
        sys.settrace(trace)
        try:
            memory.step(action)
        except KeyboardInterrupt:
            memory.recv()
        finally:
            sys.settrace(None)
        pool_obs, reward, terminated, truncated, _ = pool.step(action)
        row = (memory.time - 1) % len(memory.frames)
        assert memory.time == lines
        np.testing.assert_array_equal(memory.stacks(), pool_obs)
        np.testing.assert_array_equal(memory.action[row], action)
        kept = memory.reward, memory.terminated, memory.truncated
        for got, expected in zip(kept, (reward, terminated, truncated), strict=True):
            np.testing.assert_array_equal(got[row], expected)
    assert lines > 30


def is_stepped(frame):
    """Returns whether a step that this frame belongs to has been taken, so that its result is known."""
    while frame is not None and frame.f_code.co_name != "step":
        frame = frame.f_back
    return frame is not None and frame.f_locals.get("result") is not None


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_a_step_whose_result_an_interrupt_loses_is_recorded(mode):
    memory, pool = pair("short episodes", mode)
    memory.reset(), pool.reset()
    for time in range(12):
        action = np.full(memory.action.shape[1] if time else 3, time % 4)

        def profile(frame, event, function):
            if event == "c_return" and function.__name__ == "step":
                sys.setprofile(None)
                raise KeyboardInterrupt

        sys.setprofile(profile)
        try:
            memory.step(action)
            pytest.fail("no step returned")
        except KeyboardInterrupt:
            got = memory.recv()
        finally:
            sys.setprofile(None)
        for ours, expected in zip(got[:4], pool.step(action)[:4], strict=True):
            np.testing.assert_array_equal(ours, expected)
        assert memory.time == time + 1
        with pytest.raises(ValueError, match="action"):
            memory.step(np.full(3, 99))
        with pytest.raises(RuntimeError, match="no step was interrupted"):
            memory.recv()
