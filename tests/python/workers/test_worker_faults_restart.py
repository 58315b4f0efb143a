"""Tests restarts of lost worker processes."""

import functools
import os
import signal

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.workers import EnvFailure, WorkerDied, WorkerGroup
from python_envs import ActionEnv, CountingEnv, MisbehavingEnv
from worker_fault_cases import FORK_AND_SPAWN, group_of, is_running, pids_of, reset, step

pytestmark = pytest.mark.slow


@FORK_AND_SPAWN
def test_a_dead_worker_is_restarted_on_request(context):
    group = group_of([ActionEnv] * 4, context=context, restart=True)
    reset(group, [1, 2, 3, 4])
    steps = step(group, [0, "kill", 0, 0])
    assert steps.restarted in ([0, 1], [1]) and not steps.failures
    assert steps.rewards.tolist()[1:] == [0, 1, 1] and steps.truncated.tolist()[1:] == [True, False, False]
    assert steps.infos[1] == {"restarted": True} and steps.infos[2] == {} and not steps.terminated.any()
    assert steps.observation(1)[1:].tolist() == [1, 0] and steps.observation(1)[0] not in (-1, 2)
    steps = step(group)
    assert steps.observations()[1:, 2].tolist() == [1, 2, 2] and group.restarts == [1, 0]
    group.close()


def test_seeds_after_a_restart_are_derived_from_the_last_seeds():
    def seeds():
        group = group_of([ActionEnv] * 2, num_workers=1, restart=True)
        reset(group, [7, None])
        found = []
        for _ in range(2):
            steps = step(group, [0, "kill"])
            steps = step(group) if 0 not in steps.restarted else steps
            found.append(steps.observations()[:, 0].tolist())
        group.close()
        return found

    first, second = seeds(), seeds()
    assert first == second and first[0][0] != first[1][0] != 7 and [each[1] for each in first] == [-1, -1]


def test_losses_of_idle_environments_are_reported_at_their_next_step():
    group = group_of([ActionEnv] * 4, restart=True, num_workers=2)
    reset(group, [1, 2, 3, 4])
    assert step(group, ["kill"], [0]).restarted == [0]
    steps = step(group, [0, 0, 0], [0, 1, 2])
    assert steps.restarted == [1] and steps.observations()[:, 2].tolist() == [1, 0, 1]
    assert steps.truncated.tolist() == [False, True, False]
    assert step(group).observations()[:, 2].tolist() == [2, 1, 2, 1]
    group.close()


def test_a_reset_after_a_restart_is_an_ordinary_reset():
    group = group_of([ActionEnv] * 2, num_workers=1, restart=True)
    reset(group, [1, 2])
    step(group, ["kill"], [0])
    steps = reset(group, [5, 6])
    assert steps.observations()[:, 0].tolist() == [5, 6] and not steps.truncated.any()
    assert steps.infos == [{}, {"restarted": True}]
    assert step(group).infos is None
    group.close()


def test_a_reset_lost_with_its_worker_is_repeated(tmp_path):
    class DiesOnce(CountingEnv):
        def reset(self, *, seed=None, options=None):
            if not (tmp_path / "died").exists():
                (tmp_path / "died").touch()
                os._exit(1)
            return super().reset(seed=seed, options=options)

    group = group_of([DiesOnce], num_workers=1, restart=True)
    steps = reset(group, options={"level": 2})
    assert steps.restarted == [0] and steps.infos == [{"restarted": True}] and not steps.truncated.any()
    assert group.call(None, "get_attr", ["last_options"]) == [{"level": 2}]
    group.close()


class DiesAtReset(CountingEnv):
    """CountingEnv that ends its process in the first reset after a certain file was written, and removes the file."""

    def __init__(self, path):
        super().__init__()
        self.path = path

    def reset(self, *, seed=None, options=None):
        if self.path.exists():
            self.path.unlink()
            os._exit(1)
        return super().reset(seed=seed, options=options)


class TextActionEnv(ActionEnv):
    """Environment whose text actions select faults."""

    action_space = gymnasium.spaces.Text(20)


def second_seed(seed, losses):
    return int(np.random.SeedSequence([seed, losses]).generate_state(1)[0]) >> 1


def test_a_lost_reset_keeps_its_seed_or_gets_a_derived_seed(tmp_path):
    group = group_of([functools.partial(DiesAtReset, tmp_path / "die")], num_workers=1, restart=True)
    reset(group, [7])
    for losses, (given, expected) in enumerate([([8], 8), (None, second_seed(8, 2))], 1):
        (tmp_path / "die").touch()
        steps = reset(group, given)
        assert steps.restarted == [0] and steps.observation(0)[0] == expected and group.restarts == [losses]
    group.close()


def test_resets_of_lost_idle_environments_are_seeded_like_the_engines():
    group = group_of([ActionEnv] * 2, num_workers=1, restart=True)
    reset(group, [7, 9])
    assert step(group, ["kill"], [0]).restarted == [0]
    found = reset(group).observations()[:, 0].tolist()
    group.close()
    assert found == [second_seed(7, 1), second_seed(9, 1)]
    pool = envpool_rs.make_python([TextActionEnv] * 2, num_workers=1, restart=True)
    pool.reset(seed=[7, 9])
    pool.send(("kill",), env_id=[0])
    pool.recv()
    theirs = pool.reset()[0][:, 0]
    pool.close()
    assert theirs.tolist() == np.array(found, theirs.dtype).tolist()


def test_lost_calls_are_reported_and_the_environment_stays_usable():
    group = group_of([functools.partial(MisbehavingEnv, {"render": "kill"}), CountingEnv], restart=True)
    reset(group, [1, 2])
    with pytest.raises(WorkerDied, match="environment 0 is lost"):
        group.call([0], "render")
    assert step(group).restarted == [0]
    group.close()


def test_a_worker_that_dies_twice_in_succession_is_given_up():
    group = group_of([functools.partial(MisbehavingEnv, {"reset": "kill"}), CountingEnv], restart=True)
    steps = reset(group)
    assert list(steps.failures) == [0] and group.restarts == [1, 0]
    with pytest.raises(WorkerDied, match=r"worker 0 .*a second time in a row"):
        raise steps.failures[0].raised()
    assert not step(group, ids=[1]).failures
    group.close()


def test_a_factory_that_fails_after_a_restart_is_the_cause(tmp_path):
    def once():
        if (tmp_path / "made").exists():
            raise OSError("the simulator is gone")
        (tmp_path / "made").touch()
        return ActionEnv()

    group = group_of([once], num_workers=1, restart=True)
    reset(group)
    error = step(group, ["kill"]).failures[0].raised()
    assert isinstance(error, WorkerDied) and "the simulator is gone" in str(error.__cause__)
    group.close()


def test_a_worker_that_cannot_be_recreated_is_given_up(monkeypatch):
    group = group_of([ActionEnv] * 2, restart=True)
    reset(group)

    def started(*args):
        raise OSError("no more processes")

    monkeypatch.setattr(group._envs, "_start", started)
    failure = step(group, ["kill", 0]).failures[0].raised()
    assert isinstance(failure, WorkerDied) and "no more processes" in str(failure.__cause__)
    assert not step(group, ids=[1]).failures
    group.close()


def test_a_group_survives_repeated_kills_over_a_thousand_steps():
    group = group_of([functools.partial(CountingEnv, 20)] * 8, num_workers=4, restart=True)
    reset(group, range(8))
    random = np.random.default_rng(0)
    reported, count = 0, np.zeros(8)
    for _ in range(1000):
        if random.random() < 0.05:
            os.kill(pids_of(group)[random.integers(4)], signal.SIGKILL)
        steps = step(group)
        assert not steps.failures
        for k in range(8):
            count[k] = 0 if k in steps.restarted else count[k] + 1
            assert steps.observation(k)[2] == count[k]
            assert steps.truncated[k] == (k in steps.restarted)
            assert steps.terminated[k] == (count[k] >= 20)
        reported += len(steps.restarted)
        if len(ended := np.flatnonzero(count >= 20)):
            # If a worker has died in the meantime, the reset's result reports the restart.
            steps = reset(group, ids=ended)
            assert not steps.failures and not steps.observations()[:, 2].any()
            count[ended] = 0
            reported += len(steps.restarted)
    assert sum(group.restarts) >= 30 and reported >= sum(group.restarts)
    group.close()


def test_with_one_process_per_environment_a_kill_loses_one_step():
    class Walk(CountingEnv):
        def step(self, action):
            observation, *rest = super().step(action)
            observation[0] = self.np_random.random() + action
            return observation, *rest

    def play(killed):
        group = group_of([functools.partial(Walk, 10**6)] * 4, num_workers=4, restart=True)
        rows = [reset(group, range(4)).observations()]
        random, lost = np.random.default_rng(1), {}
        for t in range(200):
            if killed and t % 20 == 10:
                os.kill(pids_of(group)[victim := t // 20 % 3], signal.SIGKILL)
            steps = step(group, random.integers(0, 5, 4))
            if killed and t % 20 == 10:
                assert steps.restarted == [victim]
                lost[victim] = lost.get(victim, 0) + 1
            else:
                assert not steps.restarted
            rows.append(steps.observations())
        group.close()
        return np.array(rows), lost

    (undisturbed, _), (stormy, lost) = play(False), play(True)
    assert set(lost) == {0, 1, 2} and np.array_equal(undisturbed[:, 3], stormy[:, 3])
    first_kills = {0: 10, 1: 30, 2: 50}
    for victim, t in first_kills.items():
        assert np.array_equal(undisturbed[: t + 1, victim], stormy[: t + 1, victim])


class _Program:
    """Program of random requests to a worker group, including faults; asserts invariants after each request."""

    MISBEHAVIOURS = ("raise", "raise own", "raise local", "sys.exit", "os._exit", "kill", "fork and return")

    def __init__(self, seed):
        self.random = random = np.random.default_rng(seed)
        share = bool(random.integers(2))
        self.restart = bool(random.integers(2))
        self.group = WorkerGroup(
            [functools.partial(ActionEnv, 3)] * int(random.integers(1, 7)),
            num_workers=int(random.integers(0 if share else 1, 5)),
            caller_share=share,
            context="fork",
            restart=self.restart,
            wake_up=str(random.choice(["auto", "poll"])),
        )
        # The running operation of each busy environment, and the set of lost environments.
        self.busy, self.dead = {}, set()

    def idle(self):
        """Returns a random subset of the environments that are neither busy nor lost."""
        idle = [i for i in range(self.group.num_envs) if i not in self.busy and i not in self.dead]
        return [i for i in idle if self.random.integers(2)]

    def send(self, kind):
        ids = self.idle()
        if kind == "step":
            mine = [self.group.worker_of[i] < 0 for i in ids]
            bad = [not own and self.random.random() < 0.1 for own in mine]
            self.group.send_steps(ids, [str(self.random.choice(self.MISBEHAVIOURS)) if each else 0 for each in bad])
        elif kind == "reset":
            self.group.send_resets(ids, [int(self.random.integers(100)) for _ in ids])
        else:
            self.group.send_calls(ids, "get_attr", ["length"] * len(ids))
        self.busy.update((i, kind) for i in ids)

    def take(self):
        count = [None, 1, 3][self.random.integers(3)]
        done = self.group.wait(None, count, [None, 0.0, 0.01][self.random.integers(3)]).tolist()
        calls = [i for i in done if self.busy.pop(i) == "call"]
        assert all(value == 3 or isinstance(value, EnvFailure) for value in self.group.take_values(calls))
        steps = self.group.take_steps(rest := [i for i in done if i not in calls])
        for k, env_id in enumerate(rest):
            if env_id in steps.failures:
                error = steps.failures[env_id].raised()
                assert (
                    env_id in error.env_ids if isinstance(error, WorkerDied) else f"environment {env_id}" in str(error)
                )
            else:
                assert steps.observation(k).shape == (3,)

    def kill(self):
        pids = [process.pid for process in self.group._processes if not process.has_ended()]
        if pids and self.random.integers(2):
            os.kill(self.random.choice(pids), signal.SIGKILL)

    def play(self, count):
        for _ in range(count):
            action = self.random.choice(["step", "step", "step", "reset", "call", "take", "take", "take", "kill"])
            try:
                getattr(self, action, functools.partial(self.send, action))()
            except WorkerDied as died:
                assert not self.restart or "a second time" in str(died)
                self.dead.update(died.env_ids)
            assert self.group.in_flight.tolist() == sorted(self.busy)
        pids = pids_of(self.group)
        self.group.close(terminate=bool(self.random.integers(2)))
        assert not any(map(is_running, pids))


@pytest.mark.parametrize("seed", range(12))
def test_random_requests_and_faults_do_not_corrupt_results(seed):
    _Program(seed).play(40)
