"""Tests of RayVectorEnv and RaySubprocVectorEnv: their actors, and recovery of their environments."""

import functools
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import cloudpickle
import envpool_rs.ray
import numpy as np
import pytest
import ray
from envpool_rs._core import wait_for_replies
from envpool_rs._workers import hosted_envs
from envpool_rs.vector import DummyEnvWorker, DummyVectorEnv, RaySubprocVectorEnv, RayVectorEnv
from envpool_rs.vector.ray_vector_env import ActorVectorEnv, RayEnvWorker
from envpool_rs.workers import WorkerDied
from python_envs import ChildEnv, CountingEnv, MisbehavingEnv
from ray_pools import end as end_actor

pytestmark = pytest.mark.usefixtures("cluster")


def counting(number, **keywords):
    return [functools.partial(CountingEnv, **keywords) for _ in range(number)]


def actors(env):
    return env._executor._group.actors


def end(env, number):
    """Kills an actor, and waits until its process is dead."""
    end_actor(actors(env)[number])
    if env.is_direct:
        connection = env._executor._group.connections[number]
        while connection.end is None:
            wait_for_replies([connection], [], 1, 0.1)


@pytest.mark.parametrize(
    ("number", "keywords", "expected"),
    [
        (5, {}, 1),
        (5, {"num_cpus": 2}, 2),
        (1, {"num_cpus": 2}, 1),
        (3, {"num_cpus": 2, "num_cpu_per_worker": 2}, 1),
        (3, {"num_cpus": 1, "num_cpu_per_worker": 0.25}, 3),
        (3, {"num_cpus": None}, 1),
    ],
)
def test_the_number_of_actors_follows_the_cpus(number, keywords, expected):
    with RayVectorEnv(counting(number), **keywords) as env:
        assert env.num_actors == expected
        assert len(env) == number
        observations = env.reset(seed=3)
        assert observations[:, 0].tolist() == list(range(3, 3 + number))
        _, rewards, _, infos = env.step([0] * number)
        assert rewards.tolist() == [1.0] * number
        assert [info["env_id"] for info in infos] == list(range(number))


def test_results_equal_a_plain_loop_in_any_order_of_ids():
    makers = counting(5, length=3, info=True)
    with RayVectorEnv(makers, num_cpus=1, num_cpu_per_worker=0.5) as env, DummyVectorEnv(makers) as loop:
        for ids in (None, [4, 0, 2], [1], 3):
            np.testing.assert_array_equal(env.reset(ids, seed=7), loop.reset(ids, seed=7))
        for ids in (None, [3, 4, 0], [2], None):
            actions = [0] * (5 if ids is None else len(ids))
            for one, other in zip(env.step(actions, ids), loop.step(actions, ids), strict=True):
                assert one.dtype == other.dtype
                np.testing.assert_array_equal(one, other)


def test_too_few_cpus_cause_a_warning_and_fewer_actors():
    with pytest.warns(RuntimeWarning, match=r"num_cpus=8 asks for 4 actors of 1 CPUs: the cluster has 2 CPUs, and 2"):
        env = RayVectorEnv(counting(4), num_cpus=8)
    with env:
        assert env.num_actors == 2
    with RayVectorEnv(counting(4), num_cpus=8, no_warning=True) as env:
        assert len(env.reset()) == 4


def test_resources_beyond_the_cluster_are_an_error():
    with pytest.raises(ValueError, match="need 3 CPUs: the cluster has 2"):
        RayVectorEnv(counting(2), num_cpus=3, num_cpu_per_worker=3, no_warning=True)
    with pytest.raises(ValueError, match="need 1 GPUs: the cluster has 0"):
        RayVectorEnv(counting(2), num_gpu_per_worker=1)
    late = pytest.raises(RuntimeError, match=r"did not start within start_timeout=0.5 s: 0 CPUs")
    with RayVectorEnv(counting(2), num_cpus=2), late:
        RayVectorEnv(counting(2), start_timeout=0.5)


def test_functions_that_cannot_be_pickled_are_named():
    lock = threading.Lock()
    with pytest.raises(TypeError, match=r"env_fns\[1\]=.*: it cannot be pickled: .*lock"):
        RayVectorEnv([CountingEnv, lambda: (lock, CountingEnv())])


@pytest.mark.parametrize(
    ("kind", "arguments", "error", "message"),
    [
        (RayVectorEnv, ([],), ValueError, "env_fns is empty"),
        (RayVectorEnv, ([CountingEnv], "2"), TypeError, "num_cpus='2': expected a number"),
        (RayVectorEnv, ([CountingEnv], -1), ValueError, "num_cpus=-1: expected a number, 0 or more"),
        (RaySubprocVectorEnv, ([CountingEnv], 1), TypeError, r"env_fns\[0\]=.*: expected a list of functions"),
        (RaySubprocVectorEnv, ([[CountingEnv], []], 1), ValueError, r"env_fns\[1\] is empty"),
        (RaySubprocVectorEnv, ([[CountingEnv, 3]], 1), TypeError, r"env_fns\[0\]\[1\]=3"),
        (RaySubprocVectorEnv, (7, 1), TypeError, "env_fns=7: expected a list of lists"),
    ],
)
def test_arguments_are_checked(kind, arguments, error, message):
    with pytest.raises(error, match=message):
        kind(*arguments)


def test_the_first_finished_environments_of_the_cluster_are_returned():
    makers = [functools.partial(CountingEnv, seconds=seconds) for seconds in (3.0, 3.0, 0.0, 0.0)]
    with RayVectorEnv(makers, num_cpus=1, num_cpu_per_worker=0.5, wait_num=2) as env:
        env.reset()
        *_, infos = env.step([0] * 4)
        assert sorted(info["env_id"] for info in infos) == [2, 3]
        with pytest.raises(RuntimeError, match="environment 0 is stepping"):
            env.step([0], [0])
        *_, infos = env.step(None)
        assert sorted(info["env_id"] for info in infos) == [0, 1]


def test_a_timeout_returns_the_finished_environments():
    makers = [functools.partial(CountingEnv, seconds=seconds) for seconds in (0.9, 0.0)]
    with RayVectorEnv(makers, num_cpus=1, num_cpu_per_worker=0.5, timeout=0.3) as env:
        env.reset()
        *_, infos = env.step([0, 0])
        assert [info["env_id"] for info in infos] == [1]
        *_, infos = env.step(None)
        assert [info["env_id"] for info in infos] == [0]


@pytest.mark.parametrize("direct", [True, False])
def test_environments_of_a_dead_actor_are_named_and_others_continue(direct):
    with RayVectorEnv(counting(4), num_cpus=1, num_cpu_per_worker=0.5, direct=direct) as env:
        env.reset()
        end(env, 0)
        with pytest.raises(
            envpool_rs.ray.ActorDied, match=r"environment 0: actor 0 died .*environments 0 to 1 are lost"
        ):
            env.step([0] * 4)
        with pytest.raises(RuntimeError, match="environment 1: actor 0 died"):
            env.step(None)
        *_, infos = env.step(None)
        assert [info["env_id"] for info in infos] == [2, 3]
        assert env.step([0, 0], [3, 2])[1].tolist() == [2.0, 2.0]
        with pytest.raises(RuntimeError, match="environment 1: actor 0 died"):
            env.reset([1])
        with pytest.raises(RuntimeError, match="actor 0 died"):
            env.get_env_attr("steps")
        assert env.get_env_attr("steps", [2, 3]) == [2, 2]


@pytest.mark.parametrize("direct", [True, False])
def test_a_dead_actor_is_restarted_on_request(direct):
    makers = counting(4, seconds=0.2)
    options = {"num_cpu_per_worker": 0.5, "restart": True, "return_truncated": True, "direct": direct}
    with RayVectorEnv(makers, num_cpus=1, **options) as env:
        env.reset(seed=10)
        killer = threading.Timer(0.1, ray.kill, [actors(env)[1]])
        killer.start()
        observations, rewards, terminated, truncated, infos = env.step([0] * 4)
        killer.join()
        assert [info.get("restarted", False) for info in infos] == [False, False, True, True]
        assert truncated.tolist() == [False, False, True, True]
        assert not terminated.any()
        assert rewards.tolist() == [1.0, 1.0, 0.0, 0.0]
        assert observations[:, 1:].tolist() == [[1, 1], [1, 1], [1, 0], [1, 0]]
        assert not set(observations[2:, 0]) & {10, 11, 12, 13, -1}
        assert env.step([0] * 4)[1].tolist() == [2.0, 2.0, 1.0, 1.0]
        # Idle environments must report the loss of their actor at their next step or reset.
        end(env, 0)
        with pytest.raises(RuntimeError, match="actor 0 died"):
            env.get_env_attr("steps", [0])
        *_, infos = env.step([0, 0], [1, 2])
        assert [info.get("restarted", False) for info in infos] == [True, False]
        _, infos = env.reset([0], return_info=True)
        assert env.step([0], [0])[1].tolist() == [1.0]


class DiesAtReset(CountingEnv):
    """CountingEnv that ends its actor in the first reset after a certain file was written, and removes the file."""

    def __init__(self, path):
        super().__init__()
        self.path = path

    def reset(self, *, seed=None, options=None):
        if self.path.exists():
            self.path.unlink()
            os._exit(1)
        return super().reset(seed=seed, options=options)


@pytest.mark.parametrize("direct", [True, False])
def test_a_reset_is_repeated_after_the_death_of_its_actor(direct, tmp_path):
    makers = [functools.partial(DiesAtReset, tmp_path / "die")]
    with RayVectorEnv(makers, num_cpus=1, num_cpu_per_worker=0.5, restart=True, direct=direct) as env:
        env.reset(seed=3)
        for _ in range(2):
            (tmp_path / "die").touch()
            observations, infos = env.reset(seed=5, return_info=True)
            assert observations[:, 0].tolist() == [5] and infos[0]["restarted"]
        assert env.step([0])[1].tolist() == [1.0]


def test_environments_of_a_new_actor_begin_with_their_next_request():
    actor = ActorVectorEnv(
        2, [cloudpickle.dumps(CountingEnv)] * 3, cloudpickle.dumps(DummyEnvWorker), True, True, {2: 70, 3: 71, 4: None}
    )
    actor.make()
    for ids, seeds, truncated in (([2], [70], [True]), (None, [70, 71, -1], [False, True, True])):
        steps = actor.steps(ids, np.zeros(len(seeds), int))
        assert steps.observations[:, 0].tolist() == seeds and steps.truncated.tolist() == truncated
        assert [info.get("restarted", False) for info in steps.infos] == truncated
        assert steps.rewards.tolist() == [1.0 - each for each in truncated]
    actor._owed = {2: 5, 3: 6}
    assert actor.ask([3], hosted_envs.seed, [(8,)]) == [[8]]
    reset = actor.resets([2, 4], [None, 9], {})
    assert reset.observations[:, 0].tolist() == [5, 9] and reset.infos == [{"restarted": True}, {}]
    steps = actor.steps([4, 3], [0, 0])
    assert steps.observations[:, 0].tolist() == [9, 8] and steps.truncated.tolist() == [False, True]
    assert [info["env_id"] for info in steps.infos] == [4, 3]
    assert actor.close() is None


def test_workers_in_actors_are_waited_for():
    with RayVectorEnv(counting(2), num_cpus=1) as env:
        env.reset()
        for worker in env.workers:
            worker.send(0)
        assert set(RayEnvWorker.wait(env.workers, 1)) <= set(env.workers)
        assert RayEnvWorker.wait(env.workers, 2) == env.workers
        assert [worker.recv()[1] for worker in env.workers] == [1.0, 1.0]


@pytest.mark.parametrize("direct", [True, False])
def test_requests_lost_together_are_reported_as_one_loss(direct):
    makers = [functools.partial(ChildEnv, seconds=0.4)] * 2
    options = {"num_cpu_per_worker": 0.5, "restart": True, "wait_num": 1, "direct": direct}
    with RaySubprocVectorEnv([makers], 1, **options) as env:
        env.reset()
        # SIGKILL ends the actor at once. `ray.kill` is not used: it ends the actor's workers first, so the actor could
        # still report their deaths.
        actor = env.get_env_attr("parent", 0)[0]
        killer = threading.Timer(0.1, os.kill, [actor, signal.SIGKILL])
        killer.start()
        reported = {}
        ids = [0, 1]
        while len(reported) < 2:
            *_, infos = env.step([0] * len(ids), ids) if ids else env.step(None)
            reported.update({info["env_id"]: info.get("restarted", False) for info in infos})
            ids = []
        killer.join()
        assert reported == {0: True, 1: True}
        assert [env.step([0], [env_id])[1].tolist() for env_id in (0, 1)] == [[1.0], [1.0]]


@pytest.mark.parametrize("direct", [True, False])
@pytest.mark.parametrize("restart", [True, False])
def test_the_death_of_one_process_of_an_actor_is_reported(direct, restart):
    makers = [MisbehavingEnv, functools.partial(MisbehavingEnv, {3: "kill"})]
    options = {"num_cpu_per_worker": 0.5, "restart": restart, "direct": direct}
    with RaySubprocVectorEnv([makers[:1], makers[1:]], 1, **options) as env:
        actor = actors(env)[0]
        env.reset(seed=3)
        for _ in range(2):
            env.step([0, 0])
        if not restart:
            with pytest.raises(WorkerDied, match=r"SIGKILL.*counted within an actor"):
                env.step([0, 0], [0, 1])
            return
        _, rewards, terminated, infos = env.step([0, 0])
        reported = [info.get("restarted", False) for info in infos]
        assert reported[1]
        assert (rewards[1], terminated[1]) == (0.0, True)
        # Whether environments 0 and 1 share a process depends on the number of cores.
        assert reported[0] or rewards[0] == 3.0
        assert env.step([0, 0])[1][1] == 1.0
        assert actors(env)[0] is actor


@pytest.mark.parametrize("direct", [True, False])
def test_an_actor_that_does_not_restart_is_lost(direct, tmp_path):
    def hang_the_second_time():
        if (tmp_path / "made").exists():
            time.sleep(1000)
        (tmp_path / "made").touch()
        return CountingEnv()

    options = {"num_cpu_per_worker": 0.5, "restart": True, "start_timeout": 20, "direct": direct}
    with RayVectorEnv([CountingEnv, hang_the_second_time], num_cpus=1, **options) as env:
        env.reset()
        end(env, 1)
        for ids in ([0, 1], [1]):
            with pytest.raises(RuntimeError, match="environment 1: actor 1 died") as caught:
                env.step([0] * len(ids), ids)
            assert "did not start within start_timeout=20 s" in str(caught.value.__cause__)
        assert env.reset([0])[:, 1:].tolist() == [[2, 0]]


def test_lists_of_environments_run_in_processes_of_actors():
    with RaySubprocVectorEnv([counting(1), counting(3)], 1, num_cpu_per_worker=0.5) as env:
        assert env.num_actors == 2
        assert len(env) == 4
        assert env.reset(seed=5)[:, 0].tolist() == [5, 6, 7, 8]
        *_, infos = env.step([0] * 4)
        assert [info["env_id"] for info in infos] == [0, 1, 2, 3]
        assert env.get_env_attr("seed_given", [3, 0]) == [8, 5]
    with RaySubprocVectorEnv([counting(1)] * 3, 1, sub_worker_fn=DummyEnvWorker) as env:
        assert (env.num_actors, len(env)) == (1, 3)
        assert env.reset().shape == (3, 3)


def test_ray_is_started_with_its_own_folder_if_not_running():
    program = """
        import os, sys, tempfile, ray
        from envpool_rs.vector import RayVectorEnv
        import gymnasium
        options = {"object_store_memory": 100 * 1024**2, "include_dashboard": False}
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            os.chdir(folder)
            try:
                RayVectorEnv([print], temp_ray_dir="x" * 60)
            except ValueError as error:
                assert "temp_ray_dir=" in str(error) and "too many for Ray's sockets" in str(error), error
            env = RayVectorEnv([lambda: gymnasium.make("CartPole-v1")] * 3, ray_options=options)
            assert env.reset().shape == (3, 4)
            assert os.listdir(".") == [], "nothing is written where the program happens to run"
            assert ray.cluster_resources()["CPU"] == 1
            env.close()
            ray.shutdown()
            with RayVectorEnv([lambda: gymnasium.make("CartPole-v1")], temp_ray_dir="r", ray_options=options):
                assert os.listdir(".") == ["r"] and os.listdir("r")
            ray.shutdown()
            os.chdir("/")
    """
    subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)], check=True, timeout=90)
