"""MultiEnv, SubprocessEnv, create_subprocess_envs: lists of results, endless episodes, restarted processes."""

import contextlib
import copy
import gc
import multiprocessing
import os
import signal
import threading
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import gymnasium
import numpy as np
import pytest
from envpool_rs import workers
from envpool_rs.multi_env import MultiEnv, SubprocessEnv, _AutoResetWrapper, create_subprocess_envs
from gymnasium import spaces
from leftovers import children
from python_envs import CountingEnv, LegacyEnv, MisbehavingEnv, OwnError, SpaceEnv, message_spaces, row_spaces

try:
    import gym
except ImportError:
    gym = None

BASE = gymnasium.Env if gym is None else gym.Env
FORK = {"context": "fork"}
TRUNCATED = "TimeLimit.truncated"


class LoggedEnv(CountingEnv):
    """CountingEnv that records its calls."""

    def __init__(self, **how):
        super().__init__(**how)
        self.log = []

    def reset(self, **keywords):
        self.log.append(("reset", keywords))
        return super().reset(**keywords)

    def step(self, action):
        self.log.append(("step", action))
        return super().step(action)


class MortalEnv(CountingEnv):
    """CountingEnv whose process dies at the given call, ``deaths`` times over all processes; ``notes`` is a folder."""

    def __init__(self, notes, at="step", deaths=1):
        super().__init__(length=1000)
        self.notes, self.at, self.deaths = notes, at, deaths
        self._live("make")

    def _live(self, call):
        count = len(list(self.notes.iterdir()))
        if call == self.at and count < self.deaths:
            (self.notes / str(count)).touch()
            os.kill(os.getpid(), signal.SIGKILL)

    def reset(self, **keywords):
        self._live("reset")
        return super().reset(**keywords)

    def step(self, action):
        if action == 4:
            self._live("step")
        return super().step(action)

    def render(self):
        self._live("render")
        return super().render()

    def close(self):
        self._live("close")


class PidEnv(CountingEnv):
    """CountingEnv with its process id in infos."""

    def _info(self):
        return {"pid": os.getpid()}


def kill(pid):
    """Kills a process; returns after its death, so that it cannot reply any more."""
    os.kill(pid, signal.SIGKILL)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


def raising(error):
    raise error


def pid_of(env):
    return env.step(0)[4]["pid"]


@contextlib.contextmanager
def closing(env):
    """Closes environments that a test may have closed already."""
    try:
        yield env
    finally:
        with contextlib.suppress(ValueError):
            env.close()


def ready(env_fn, **how):
    env = SubprocessEnv(env_fn, **{**FORK, **how})
    env.start()
    env.initialize()
    return closing(env)


def multi_env(env_fns, **how):
    return MultiEnv(create_subprocess_envs(env_fns, **{**FORK, **how}))


@pytest.fixture
def no_child_is_left():
    """Checks that a test leaves no process; multiprocessing does not track those that host environments."""
    before = children()
    yield
    deadline = time.monotonic() + 60
    while (left := children().keys() - before.keys()) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not left, [text for pid, text in children().items() if pid in left]


def assert_same(ours, theirs):
    """Compares nested results, including dtypes and classes of containers."""
    if isinstance(theirs, dict):
        assert list(ours) == list(theirs)
        for key in theirs:
            assert_same(ours[key], theirs[key])
    elif isinstance(theirs, (tuple, list)):
        assert type(ours) is type(theirs)
        assert len(ours) == len(theirs)
        for one, other in zip(ours, theirs, strict=True):
            assert_same(one, other)
    elif isinstance(theirs, np.ndarray):
        assert ours.dtype == theirs.dtype
        np.testing.assert_array_equal(ours, theirs)
    else:
        assert ours == theirs


# --- the wrapper ------------------------------------------------------------------------------------------------------


def test_the_step_after_a_terminal_one_resets_discards_the_observation_and_applies_the_action():
    env = LoggedEnv(length=2)
    wrapper = _AutoResetWrapper(env)
    wrapper.reset(seed=7)
    results = [wrapper.step(action) for action in (1, 2, 3)]
    assert env.log == [("reset", {"seed": 7}), ("step", 1), ("step", 2), ("reset", {}), ("step", 3)]
    assert [list(observation) for observation, *_ in results] == [[7, 1, 1], [7, 1, 2], [7, 2, 1]]
    assert [terminal for _, _, terminal, _ in results] == [False, True, False]


def test_a_reset_by_hand_clears_the_flag():
    env = LoggedEnv(length=1)
    wrapper = _AutoResetWrapper(env)
    wrapper.reset()
    assert wrapper.step(0)[2]
    wrapper.reset(seed=3)
    wrapper.step(0)
    assert [call for call, _ in env.log] == ["reset", "step", "reset", "step"]


@pytest.mark.parametrize("truncates", [False, True])
def test_five_values_become_four_that_tell_why_the_episode_ended(truncates):
    env = CountingEnv(length=2, truncates=truncates, info=True)
    wrapper = _AutoResetWrapper(env)
    np.testing.assert_array_equal(wrapper.reset(), [-1, 1, 0])
    assert wrapper.step(0)[1:] == (1.0, False, {"steps": 1})
    assert wrapper.step(0)[1:] == (2.0, True, {"steps": 2, TRUNCATED: truncates})


def test_an_episode_that_is_terminated_and_truncated_at_once_was_not_cut_off():
    class Both(CountingEnv):
        def step(self, action):
            observation, reward, _, _, info = super().step(action)
            return observation, reward, True, True, info

    wrapper = _AutoResetWrapper(Both())
    wrapper.reset()
    assert wrapper.step(0)[2:] == (True, {TRUNCATED: False})


def test_four_values_of_old_gym_stay_as_they_are():
    wrapper = _AutoResetWrapper(LegacyEnv(length=1, truncates=True))
    wrapper.seed(5)
    np.testing.assert_array_equal(wrapper.reset(), np.float32([5, 0]))
    observation, *rest = wrapper.step(0)
    np.testing.assert_array_equal(observation, np.float32([5, 1]))
    assert rest == [1.0, True, {TRUNCATED: True}]


def test_a_pair_that_is_the_observation_is_not_taken_apart():
    class Pairs(LegacyEnv):
        observation_space = spaces.Tuple((spaces.Discrete(3), spaces.Dict({"a": spaces.Discrete(2)})))

        def reset(self):
            return (np.int64(2), {"a": np.int64(1)})

    assert _AutoResetWrapper(Pairs()).reset() == (2, {"a": 1})


def test_other_numbers_of_values_are_refused():
    class Three(CountingEnv):
        def step(self, action):
            return 1, 2, 3

    with pytest.raises(ValueError, match="step returned a tuple of 3: expected"):
        _AutoResetWrapper(Three()).step(0)


def test_a_wrapper_shows_the_attributes_of_its_environment_but_private_ones():
    env = CountingEnv(length=3)
    wrapper = _AutoResetWrapper(env)
    assert wrapper.length == 3
    assert (wrapper.metadata, wrapper.render_mode, wrapper.unwrapped) == (env.metadata, "rgb_array", env)
    assert (wrapper.observation_space, wrapper.action_space) == (env.observation_space, env.action_space)
    assert isinstance(wrapper, BASE)
    with pytest.raises(AttributeError, match="'_secret'"):
        _ = wrapper._secret
    assert copy.deepcopy(wrapper).length == 3


# --- parity -----------------------------------------------------------------------------------------------------------


def plain_step(wrappers, actions):
    rows = [(None,) * 4 if a is None else wrapper.step(a) for wrapper, a in zip(wrappers, actions, strict=True)]
    return tuple(list(column) for column in zip(*rows, strict=True))


def some_actions(rng, count, space):
    choice = rng.integers(4)
    if choice == 0:
        return [None if rng.random() < 0.5 else int(rng.integers(space.n)) for _ in range(count)]
    actions = rng.integers(0, space.n, count)
    return actions if choice == 1 else actions.tolist() if choice == 2 else tuple(actions)


def gyms_own_env(length):
    """Makes an environment whose classes are gym's."""

    class OwnEnv(LegacyEnv, gym.Env):
        observation_space = gym.spaces.Box(-1.0, np.inf, (2,), np.float32)
        action_space = gym.spaces.Discrete(3)

    return OwnEnv(length)


def space_env(space):
    """Makes an environment that samples from its own space."""
    return SpaceEnv(copy.deepcopy(space))


PARITY = {
    "CartPole": partial(gymnasium.make, "CartPole-v1"),
    "legacy": partial(LegacyEnv, 3, truncates=True),
    **({} if gym is None else {"gym's own": partial(gyms_own_env, 3)}),
    "truncating": partial(CountingEnv, 4, truncates=True, info=True),
    **{f"space: {name}": partial(space_env, space) for name, space in (row_spaces() | message_spaces()).items()},
}


def compared(env_fn, players, steps):
    """Compares a MultiEnv with a plain loop of wrapped environments."""
    plain = [_AutoResetWrapper(env_fn()) for _ in range(len(players))]
    seeded = not isinstance(plain[0].env, LegacyEnv)
    assert_same(
        players.reset(seed=11) if seeded else players.reset(),
        [wrapper.reset(**({"seed": 11 + i} if seeded else {})) for i, wrapper in enumerate(plain)],
    )
    rng = np.random.default_rng(5)
    for _ in range(steps):
        actions = some_actions(rng, len(plain), plain[0].action_space)
        assert_same(players.step(actions), plain_step(plain, actions))
        if rng.random() < 0.2:  # wrappers may be stepped directly in between
            chosen = int(rng.integers(len(plain)))
            assert_same(players.envs[chosen].step(1), plain[chosen].step(1))
        if rng.random() < 0.1:
            chosen = int(rng.integers(len(plain)))
            assert_same(players.envs[chosen].reset(), plain[chosen].reset())


@pytest.mark.parametrize("name", PARITY)
def test_worker_processes_play_what_a_plain_loop_plays(name, no_child_is_left):
    with multi_env([PARITY[name]] * 3, num_workers=2) as players:
        compared(PARITY[name], players, 40)


def test_environments_of_this_process_play_what_a_plain_loop_plays():
    for name in ("CartPole", "legacy"):
        with MultiEnv([PARITY[name]() for _ in range(3)]) as players:
            compared(PARITY[name], players, 100)


def test_all_kinds_of_environments_can_be_mixed(no_child_is_left):
    env_fn = PARITY["CartPole"]
    first, second = create_subprocess_envs([env_fn] * 2, **FORK), create_subprocess_envs([env_fn], **FORK)
    wrapped = create_subprocess_envs([env_fn], **FORK)[0]

    class Wrapped:
        def __getattr__(self, name):
            return getattr(wrapped, name)

    with MultiEnv([first[1], env_fn(), second[0], Wrapped(), first[0]]) as players:
        compared(env_fn, players, 60)


def test_spawned_processes_play_the_same(no_child_is_left):
    with multi_env([partial(CountingEnv, 3)] * 2, context="spawn") as players:
        compared(partial(CountingEnv, 3), players, 20)


def test_a_none_for_everybody_plays_nothing():
    with multi_env([CountingEnv] * 2) as players:
        players.reset()
        assert players.step([None, None]) == ([None] * 2,) * 4
        np.testing.assert_array_equal(players.step([0, 0])[0], [[-1, 1, 1]] * 2)


def test_observations_belong_to_their_receiver():
    with multi_env([CountingEnv] * 2) as players:
        first = players.reset()
        second = players.step([0, 0])[0]
        kept = copy.deepcopy((first, second))
        second[0][:] = 99
        players.step([0, 0])
        assert_same((first, second[1]), (kept[0], kept[1][1]))
        np.testing.assert_array_equal(second[0], [99] * 3)


def test_seeds_are_one_for_each_or_count_up():
    with multi_env([CountingEnv] * 3) as players:
        assert [observation[0] for observation in players.reset(seed=4)] == [4, 5, 6]
        assert [observation[0] for observation in players.reset(seed=[9, 1, None])] == [9, 1, 6]
        with pytest.raises(ValueError, match="seed has 2 entries: expected one for each of 3 environments"):
            players.reset(seed=[1, 2])


def wait_for_the_other(barrier):
    class Meeting(CountingEnv):
        def step(self, action):
            barrier.wait(20)
            return super().step(action)

    return Meeting


@pytest.mark.parametrize("kind", ["together", "apart", "in threads of the caller's", "of this process"])
def test_environments_are_stepped_at_the_same_time(kind):
    env_fn = wait_for_the_other(multiprocessing.get_context("fork").Barrier(2))
    if kind == "of this process":
        envs = [env_fn(), env_fn()]
    elif kind == "apart":
        envs = [create_subprocess_envs([env_fn], **FORK)[0] for _ in range(2)]
    else:
        envs = create_subprocess_envs([env_fn] * 2, **FORK)
    if kind != "in threads of the caller's":
        with MultiEnv(envs) as players:
            players.reset()
            for _ in range(3):
                players.step([0, 0])
        return
    with ThreadPoolExecutor(2) as executor:
        for count in range(1, 4):
            results = list(executor.map(lambda env: env.step(0), envs))
            assert [result[0][2] for result in results] == [count, count]
    for env in envs:
        env.close()


# --- misuse -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("actions", "error", "message"),
    [
        ([0], ValueError, "actions has 1 entries: expected one for each of 2 environments"),
        ([0, 0, 0], ValueError, "actions has 3 entries"),
        (np.zeros(3, int), ValueError, "actions has 3 entries"),
        (5, TypeError, "actions=5: expected one for each of 2 environments"),
        (None, TypeError, "actions=None"),
        (np.int64(1), TypeError, "actions="),
    ],
)
def test_another_number_of_actions_is_refused_and_none_is_stepped(actions, error, message):
    with MultiEnv([CountingEnv(), CountingEnv()]) as players:
        players.reset()
        with pytest.raises(error, match=message):
            players.step(actions)
        assert [observation[2] for observation in players.step([0, 0])[0]] == [1, 1]


def test_actions_may_be_any_iterable():
    with MultiEnv([LoggedEnv(), LoggedEnv()]) as players:
        players.reset()
        players.step(action for action in (3, 4))
        assert [env.last_action for env in players.envs] == [3, 4]


@pytest.mark.parametrize(
    ("envs", "error", "message"),
    [
        (list, ValueError, "envs is empty"),
        (lambda: [CountingEnv(), 5], TypeError, r"envs\[1\] is 5, without reset, step, close"),
        (lambda: [CountingEnv()] * 2, ValueError, r"envs\[1\] is given twice"),
        (
            lambda: [CountingEnv(), LegacyEnv()],
            ValueError,
            r"envs\[1\].observation_space is Box.*expected that of envs\[0\]",
        ),
        (
            lambda: [SpaceEnv(CountingEnv.observation_space), CountingEnv()],
            ValueError,
            r"envs\[1\].action_space is Disc",
        ),
        (lambda: [SubprocessEnv(CountingEnv)], ValueError, "the process is not started"),
    ],
)
def test_what_cannot_be_played_together_is_refused(envs, error, message):
    with pytest.raises(error, match=message):
        MultiEnv(envs())


@pytest.mark.parametrize(
    "make", [lambda: MultiEnv([CountingEnv(), CountingEnv()]), lambda: multi_env([CountingEnv] * 2)]
)
def test_closed_environments_refuse_everything_by_name(make, no_child_is_left):
    players = make()
    players.reset()
    assert len(players) == 2
    players.close()
    for name, call in {"step": lambda: players.step([0, 0]), "reset": players.reset, "close": players.close}.items():
        with pytest.raises(ValueError, match=rf"{name}\(\): these environments are closed"):
            call()


def test_environments_that_were_closed_by_themselves_are_not_played_and_skipped_in_the_end(no_child_is_left):
    players = multi_env([CountingEnv] * 2)
    players.reset()
    players.envs[1].close()
    for call in (lambda: players.step([0, 0]), players.reset):
        with pytest.raises(ValueError, match="environment 1 is closed"):
            call()
    np.testing.assert_array_equal(players.step([0, None])[0][0], [-1, 1, 1])
    players.close()


def test_processes_end_with_environments_that_were_not_closed(no_child_is_left):
    players = multi_env([CountingEnv] * 2)
    players.step([0, 0])
    del players
    gc.collect()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("initialize", "start"),
        ("step", "start"),
        ("reset", "start"),
        ("render", "start"),
        ("seed", "start"),
        ("close", "start"),
        ("observation_space", "start"),
        ("action_space", "start"),
    ],
)
def test_nothing_can_be_done_before_start(call, message):
    env = SubprocessEnv(CountingEnv)
    with pytest.raises(ValueError, match=rf"{call}.*is not started: call start\(\) first"):
        used(env, call)


def used(env, call):
    value = getattr(env, call)
    return value(0) if call == "step" else value() if callable(value) else value


@pytest.mark.parametrize("call", ["step", "reset", "render", "seed", "observation_space", "action_space"])
def test_nothing_can_be_used_before_initialize(call, no_child_is_left):
    env = SubprocessEnv(CountingEnv, **FORK)
    env.start()
    with closing(env), pytest.raises(ValueError, match=rf"{call}.*is not initialized: call initialize\(\) first"):
        used(env, call)


@pytest.mark.parametrize(
    "call", ["start", "initialize", "step", "reset", "render", "seed", "close", "observation_space", "action_space"]
)
def test_nothing_can_be_done_after_close(call, no_child_is_left):
    with ready(CountingEnv) as env:
        env.close()
        with pytest.raises(ValueError, match=rf"{call}.*this environment is closed"):
            used(env, call)


def test_starting_and_initialising_twice_changes_nothing(no_child_is_left):
    env = SubprocessEnv(PidEnv, **FORK)
    with closing(env):
        for _ in range(2):
            env.start()
        for _ in range(2):
            env.initialize()
        env.reset()
        pid = pid_of(env)
        env.start()
        env.initialize()
        assert pid_of(env) == pid != os.getpid()
        assert env.restarts == 0


def test_start_does_not_wait_for_the_environment(no_child_is_left):
    go = multiprocessing.get_context("fork").Event()
    env = SubprocessEnv(lambda: CountingEnv() if go.wait(20) else raising(TimeoutError()), **FORK)
    with closing(env):
        env.start()
        go.set()
        env.initialize()
        assert env.observation_space == CountingEnv.observation_space


def test_an_environment_that_was_only_started_can_be_closed(no_child_is_left):
    env = SubprocessEnv(lambda: threading.Event().wait(), **FORK)
    env.start()
    env.close()


@pytest.mark.parametrize("env_fn", [None, 5, CountingEnv()])
def test_an_env_fn_has_to_be_callable(env_fn):
    with pytest.raises(TypeError, match=r"env_fn=.*: expected a function that makes an environment"):
        SubprocessEnv(env_fn)


# --- a single environment ---------------------------------------------------------------------------------------------


def test_an_environment_returns_what_its_own_methods_return(no_child_is_left):
    with ready(partial(CountingEnv, 2, info=True)) as env:
        assert_same(env.reset(seed=3), (np.array([3.0, 1, 0]), {"steps": 0}))
        assert_same(env.step(1), (np.array([3.0, 1, 1]), 1.0, False, False, {"steps": 1}))
        assert_same(env.step(1), (np.array([3.0, 1, 2]), 2.0, True, False, {"steps": 2}))
        assert_same(env.step(1)[0], np.array([3.0, 1, 3]))  # it has no autoreset
        assert_same(env.render(), np.full((2, 3, 3), 3, np.uint8))
        assert_same(env.render("rgb_array"), env.render("human"))
        assert (env.metadata, env.render_mode, env.spec) == (CountingEnv.metadata, "rgb_array", None)
        assert isinstance(env, BASE)
        with pytest.raises(ValueError, match="mode='ansi': expected 'rgb_array', the render_mode that"):
            env.render("ansi")
        with pytest.raises(AttributeError, match="seed"):
            env.seed(3)


def test_an_environment_of_old_gym_keeps_its_interface(no_child_is_left):
    with ready(partial(LegacyEnv, 1, truncates=True)) as env:
        assert env.seed(8) == [8]
        assert_same(env.reset(), np.float32([8, 0]))
        assert_same(env.step(0), (np.float32([8, 1]), 1.0, True, {TRUNCATED: True}))
        assert env.render() is None
        assert env.render("rgb_array").shape == (2, 2, 3)
        assert env.reward_range == (0, 1)


@pytest.mark.parametrize("call", ["step", "reset", "render"])
def test_what_an_environment_raises_is_raised_here_and_restarts_nothing(call, no_child_is_left):
    script = {"step": {2: "raise"}, "reset": {"reset": "raise"}, "render": {"render": "raise"}}[call]
    with ready(partial(MisbehavingEnv, script)) as env:
        if call != "reset":
            env.reset()
            env.step(0)
        for _ in range(1 if call == "step" else 2):
            with pytest.raises(ValueError, match="out of fuel") as caught:
                used(env, call)
            assert "misbehave" in str(caught.value.__cause__)
            assert isinstance(caught.value.__cause__, workers.RemoteTraceback)
        if call == "step":
            assert env.step(0)[0][2] == 2
        assert env.restarts == 0


def test_an_environment_that_raises_what_lost_processes_raise_is_not_taken_for_one(no_child_is_left):
    class Raising(CountingEnv):
        def step(self, action):
            raise workers.WorkerDied("not mine", 0, [0], -9)

    with ready(Raising) as env, pytest.raises(workers.WorkerDied, match="not mine"):
        env.step(0)
    assert env.restarts == 0


@pytest.mark.parametrize("error", [OwnError(1, "x"), SystemExit(3), KeyboardInterrupt()])
def test_exceptions_of_any_kind_come_as_errors(error, no_child_is_left):
    class Raising(CountingEnv):
        def step(self, action):
            raise error

    with ready(Raising) as env:
        with pytest.raises(Exception, match=type(error).__name__):
            env.step(0)
        assert env.restarts == 0


def test_what_close_raises_is_raised_after_the_process_has_ended(no_child_is_left):
    with ready(partial(MisbehavingEnv, {"close": "raise"})) as env:
        with pytest.raises(ValueError, match="out of fuel"):
            env.close()
        with pytest.raises(ValueError, match="this environment is closed"):
            env.close()


# --- processes that die -----------------------------------------------------------------------------------------------


def restarted(times=1):
    return pytest.warns(RuntimeWarning, match=rf"its process died \(killed by signal 9.*restart {times}\)")


def test_a_process_killed_in_the_middle_of_a_step_is_recreated_reset_and_given_the_action(tmp_path, no_child_is_left):
    with ready(partial(MortalEnv, tmp_path)) as env:
        env.reset()
        env.step(0)
        with restarted():
            assert_same(env.step(4), (np.array([-1.0, 1, 1]), 1.0, False, False, {}))
        assert env.restarts == 1
        assert env.step(0)[0][2] == 2


def test_a_process_killed_while_it_is_idle_is_recreated_at_the_next_step(no_child_is_left):
    with ready(PidEnv) as env:
        for times in (1, 2, 3):
            env.reset()
            kill(pid_of(env))
            with restarted(times):
                assert env.step(0)[0][2] == 1
        assert env.restarts == 3


@pytest.mark.parametrize(("at", "episode"), [("reset", 1), ("render", 1)])
def test_whatever_was_asked_for_is_asked_again(at, episode, tmp_path, no_child_is_left):
    with ready(partial(MortalEnv, tmp_path, at)) as env:
        if at == "render":
            env.reset()
        with restarted():
            used(env, at)
        assert env.step(0)[0][1] == episode


def test_a_second_death_in_a_row_is_an_error_with_the_cause_and_not_the_end(tmp_path, no_child_is_left):
    with ready(partial(MortalEnv, tmp_path, deaths=2)) as env:
        env.reset()
        with pytest.raises(RuntimeError, match=r"died twice in a row \(killed by signal 9") as caught:
            env.step(4)
        second = caught.value.__cause__
        assert isinstance(second, workers.WorkerDied)
        assert isinstance(second.__cause__, workers.WorkerDied)
        assert second.__cause__ is not second
        assert env.restarts == 0
        with restarted():
            assert_same(env.step(4)[0], np.array([-1.0, 1, 1]))


@pytest.mark.parametrize("deaths", [1, 2])
def test_a_process_that_dies_while_it_makes_the_environment_is_started_once_more(deaths, tmp_path, no_child_is_left):
    env = SubprocessEnv(partial(MortalEnv, tmp_path, "make", deaths), **FORK)
    env.start()
    if deaths == 1:
        with restarted():
            env.initialize()
        env.reset()
        env.close()
    else:
        with pytest.raises(RuntimeError, match="died twice in a row while it made its environment"):
            env.initialize()


def test_an_env_fn_that_fails_the_second_time_says_so(tmp_path, no_child_is_left):
    def env_fn():
        return PidEnv() if not (tmp_path / "broken").exists() else raising(OSError(28, "the disk is full"))

    with ready(env_fn) as env:
        env.reset()
        kill(pid_of(env))
        (tmp_path / "broken").touch()
        for _ in range(2):
            with pytest.raises(OSError, match="the disk is full"):
                env.step(0)
        (tmp_path / "broken").unlink()
        with restarted():
            assert env.step(0)[0][2] == 1


def test_the_warning_can_be_an_error_and_nothing_is_left_half_done(no_child_is_left):
    with ready(PidEnv) as env:
        env.reset()
        kill(pid_of(env))
        with pytest.raises(RuntimeWarning, match="restart 1"):
            env.step(0)
        assert env.step(0)[0][2] == 2


@pytest.mark.parametrize("num_workers", [4, 2])
def test_only_those_who_lived_there_are_recreated(num_workers, no_child_is_left):
    with multi_env([partial(PidEnv, 1000)] * 4, num_workers=num_workers) as players:
        players.reset(seed=1)
        *_, infos = players.step([0] * 4)
        lost = [k for k, info in enumerate(infos) if info["pid"] == infos[1]["pid"]]
        assert len(lost) == 4 // num_workers
        kill(infos[1]["pid"])
        with restarted():
            observations, _, _, after = players.step([0] * 4)
        expected = [[-1, 1, 1] if k in lost else [1 + k, 1, 2] for k in range(4)]
        np.testing.assert_array_equal(observations, expected)
        assert players.restarts == [int(k in lost) for k in range(4)]
        assert len({infos[1]["pid"], *(info["pid"] for info in after)}) > len({info["pid"] for info in infos})
        observations = players.step([None, 0, 0, 0])[0]
        assert [row is None or row[2] == expected[k][2] + 1 for k, row in enumerate(observations)] == [True] * 4


def test_a_storm_of_kills_costs_only_the_episodes_of_the_killed(no_child_is_left):
    rng = np.random.default_rng(3)
    twin = MultiEnv([PidEnv(1000) for _ in range(3)])
    with multi_env([partial(PidEnv, 1000)] * 3) as players, warnings_ignored():
        players.reset(seed=1)
        twin.reset(seed=1)
        *_, infos = players.step([0] * 3)
        twin.step([0] * 3)
        kills = [0] * 3
        for _ in range(30):
            if rng.random() < 0.5:
                chosen = int(rng.integers(3))
                kill(infos[chosen]["pid"])
                kills[chosen] += 1
                twin.envs[chosen].env.seed_given, twin.envs[chosen].env.episode = -1, 0
                twin.envs[chosen].reset()
            observations, *_, infos = players.step([0] * 3)
            assert_same(observations, twin.step([0] * 3)[0])
        assert players.restarts == kills
    twin.close()


def test_wrapped_environments_in_threads_lose_no_more_than_those_played_together(no_child_is_left):
    class Wrapped:
        def __init__(self, env):
            self.env = env

        def __getattr__(self, name):
            return getattr(self.env, name)

    envs = create_subprocess_envs([partial(PidEnv, 1000)] * 4, num_workers=2, **FORK)
    with MultiEnv(map(Wrapped, envs)) as players, warnings_ignored():
        players.reset()
        for count in range(1, 11):
            *_, infos = players.step([0] * 4)
            if count % 5 == 0:
                kill(infos[count // 5]["pid"])
        observations = players.step([0] * 4)[0]
        assert all(env.restarts for env in envs)
        assert [row[2] for row in observations] == [6, 6, 1, 1]


@contextlib.contextmanager
def warnings_ignored():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        yield


def test_a_terminal_flag_survives_the_process(tmp_path, no_child_is_left):
    with multi_env([partial(PidEnv, 2)] * 2) as players:
        players.reset()
        players.step([0, 0])
        *_, terminals, infos = players.step([0, 0])
        assert terminals == [True, True]
        kill(infos[0]["pid"])
        with restarted():
            observations = players.step([0, 0])[0]
        np.testing.assert_array_equal(observations, [[-1, 1, 1], [-1, 2, 1]])
        assert players.step([0, 0])[2] == [True, True]
        np.testing.assert_array_equal(players.step([0, 0])[0], [[-1, 2, 1], [-1, 3, 1]])


# --- environments that raise among others -----------------------------------------------------------------------------


@pytest.mark.parametrize("make", [lambda env_fns: MultiEnv([env_fn() for env_fn in env_fns]), multi_env])
def test_the_others_make_their_step_and_their_results_come_with_the_error(make, no_child_is_left):
    env_fns = [partial(MisbehavingEnv, {2: "raise"} if k == 1 else {}) for k in range(3)]
    with make(env_fns) as players:
        players.reset()
        players.step([0] * 3)
        with pytest.raises(ValueError, match="out of fuel") as caught:
            players.step([0] * 3)
        observations, rewards, terminals, infos = caught.value.results
        assert (rewards, terminals, infos) == ([2.0, None, 2.0], [False, None, False], [{}, None, {}])
        assert observations[1] is None
        assert [row[2] for row in players.step([0] * 3)[0]] == [3, 2, 3]


@pytest.mark.parametrize("make", [lambda env_fns: MultiEnv([env_fn() for env_fn in env_fns]), multi_env])
def test_resets_and_closes_that_fail_are_raised_when_all_are_done(make, no_child_is_left):
    players = make([partial(MisbehavingEnv, {"reset": "raise", "close": "raise"} if k == 1 else {}) for k in range(3)])
    with pytest.raises(ValueError, match="out of fuel"):
        players.reset()
    assert players.envs[2].step(0)[0][1] == 1
    with pytest.raises(ValueError, match="out of fuel"):
        players.close()


def test_ctrl_c_interrupts_a_step_and_the_next_call_goes_on(no_child_is_left):
    interrupted = multiprocessing.get_context("fork").Event()

    class Napping(CountingEnv):
        def step(self, action):
            assert action != 1 or interrupted.wait(60)
            return super().step(action)

    with multi_env([Napping] * 2) as players:
        players.reset()
        timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            players.step([0, 1])
        timer.join()
        interrupted.set()
        assert [row[2] for row in players.step([0, 0])[0]] == [2, 2]


def test_environments_that_hang_can_be_closed_after_an_interrupt(no_child_is_left):
    envs = create_subprocess_envs([partial(MisbehavingEnv, {1: "hang"}), CountingEnv], **FORK)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        envs[0].step(0)
    timer.join()
    envs[1].reset()
    envs[0].close()
    assert envs[1].step(0)[0][2] == 1
    envs[1].close()


# --- create_subprocess_envs -------------------------------------------------------------------------------------------


def test_environments_are_started_together_and_in_order(no_child_is_left):
    envs = create_subprocess_envs([partial(PidEnv, k + 1) for k in range(3)], **FORK)
    for k, env in enumerate(envs):
        env.reset()
        ends = [env.step(0) for _ in range(k + 1)]
        assert [end[2] for end in ends] == [False] * k + [True]
    assert len({pid_of(env) for env in envs}) == 3
    for env in envs:
        env.close()


@pytest.mark.parametrize("context", ["fork", "spawn"])
def test_an_env_fn_that_raises_is_named_and_the_others_are_closed(context, no_child_is_left):
    env_fns = [CountingEnv, CountingEnv, partial(MisbehavingEnv, {"make": "raise"}), CountingEnv]
    with pytest.raises(ValueError, match=r"2.*out of fuel") as caught:
        create_subprocess_envs(env_fns, context=context)
    assert isinstance(caught.value.__cause__, workers.RemoteTraceback)


def test_making_an_environment_can_be_tried_again(tmp_path, no_child_is_left):
    env = SubprocessEnv(
        lambda: CountingEnv() if (tmp_path / "ready").exists() else raising(OSError("no display")), **FORK
    )
    env.start()
    for _ in range(2):
        with pytest.raises(OSError, match="no display"):
            env.initialize()
    (tmp_path / "ready").touch()
    with closing(env):
        env.initialize()
        env.reset()


def test_what_could_not_be_made_can_be_closed(no_child_is_left):
    env = SubprocessEnv(lambda: raising(OSError("no display")), **FORK)
    env.start()
    with pytest.raises(OSError, match="no display"):
        env.initialize()
    env.close()


def test_functions_that_cannot_travel_are_named(no_child_is_left):
    lock = threading.Lock()
    with pytest.raises(TypeError, match=r"env_fns\[1\].*cannot be pickled"):
        create_subprocess_envs([CountingEnv, lambda: lock and CountingEnv()], context="spawn")
    env = SubprocessEnv(lambda: lock and CountingEnv(), context="spawn")
    with pytest.raises(TypeError, match="cannot be pickled"):
        env.start()


@pytest.mark.parametrize(
    ("env_fns", "how", "error", "message"),
    [
        ([], {}, ValueError, "env_fns is empty"),
        ([CountingEnv, 5], {}, TypeError, r"env_fns\[1\]=5: expected a function"),
        ([CountingEnv], {"num_workers": 0}, ValueError, "num_workers"),
        ([CountingEnv], {"num_workers": "two"}, TypeError, "num_workers"),
        ([CountingEnv], {"context": "thread"}, ValueError, "context"),
    ],
)
def test_arguments_out_of_range_are_refused_by_name(env_fns, how, error, message, no_child_is_left):
    with pytest.raises(error, match=message):
        create_subprocess_envs(env_fns, **how)


def test_lambdas_travel_to_spawned_processes():
    pytest.importorskip("cloudpickle")
    length = 3
    (env,) = create_subprocess_envs([lambda: CountingEnv(length)], context="spawn")
    env.reset()
    assert [env.step(0)[2] for _ in range(3)] == [False, False, True]
    env.close()


def test_one_environment_can_be_closed_while_the_others_go_on(no_child_is_left):
    envs = create_subprocess_envs([CountingEnv] * 3, **FORK)
    envs[1].close()
    for env in (envs[0], envs[2]):
        env.reset()
        assert env.step(0)[0][2] == 1
    with pytest.raises(ValueError, match="closed"):
        envs[1].step(0)
    envs[0].close()
    envs[2].close()
