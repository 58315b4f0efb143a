"""Tests of direct connections between the driver and actors."""

import functools
import pickle
import socket
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest
import ray
from envpool_rs._core import FrameConnection, wait_for_replies
from envpool_rs.ray import actors as connections
from envpool_rs.vector import RayVectorEnv
from envpool_rs.vector.ray_vector_env import ActorVectorEnv
from gymnasium import Env
from gymnasium.spaces import Box
from python_envs import CountingEnv

pytestmark = pytest.mark.usefixtures("cluster")

on_ray = functools.partial(RayVectorEnv, num_cpus=1, num_cpu_per_worker=0.5)


class Pictures(Env):
    """Environment with large observations and actions; each observation is the last action."""

    def __init__(self, size):
        self.observation_space = self.action_space = Box(-np.inf, np.inf, (size,), np.float64)

    def reset(self, *, seed=None, options=None):
        return np.zeros(self.observation_space.shape), {}

    def step(self, action):
        return action, float(action[0]), False, False, {}


class Speechless(CountingEnv):
    """Environment whose second step returns a value that cannot be pickled."""

    def step(self, action):
        result = super().step(action)
        return (*result[:4], {"lock": threading.Lock()}) if self.steps == 2 else result


def test_actors_are_called_directly_unless_configured_otherwise():
    for options, expected in (({}, True), ({"direct": True}, True), ({"direct": False}, False)):
        with on_ray([CountingEnv] * 2, **options) as env:
            env.reset()
            assert env.step([0, 0])[1].tolist() == [1.0, 1.0]
            assert env.is_direct is expected
    with pytest.raises((TypeError, ValueError), match="direct='no': expected a bool"):
        on_ray([CountingEnv], direct="no")


@pytest.mark.parametrize(("direct", "patience"), [(True, 1.0), (True, 0.001), (False, 1.0)])
def test_large_observations_are_read_from_the_object_store(direct, patience, monkeypatch):
    monkeypatch.setattr(connections.DirectConnection, "PATIENCE", patience)
    numbers = 1 + connections.LARGEST_REPLY // 8
    with on_ray([functools.partial(Pictures, numbers)] * 2, direct=direct) as env:
        env.reset()
        for value in (1.0, 2.0, 3.0):
            observations, rewards, _, _ = env.step(np.full((2, numbers), value))
            assert observations.shape == (2, numbers)
            assert (observations == value).all()
            assert rewards.tolist() == [value, value]
            observations[:] = 0  # the caller may write to observations


def test_many_concurrent_large_requests_do_not_deadlock():
    numbers = 200_000
    with RayVectorEnv([functools.partial(Pictures, numbers)] * 6, wait_num=1) as env:
        env.reset()
        assert env.num_actors == 1
        # The first step returns the environment that finishes first, and all others that have finished meanwhile.
        seen = len(env.step(np.arange(6.0)[:, None].repeat(numbers, axis=1))[3])
        while seen < 6:
            observations, rewards, _, infos = env.step(None)
            seen += len(infos)
            assert rewards.tolist() == observations[:, -1].tolist() == [info["env_id"] for info in infos]


def test_unreachable_actors_are_called_by_ray(monkeypatch):
    def refuse(*_, **__):
        raise ConnectionRefusedError

    monkeypatch.setattr(connections.DirectConnection, "connect", refuse)
    with on_ray([CountingEnv] * 2) as env:
        assert not env.is_direct
        env.reset()
        assert env.step([0, 0])[1].tolist() == [1.0, 1.0]


def test_encrypted_clusters_are_not_circumvented(monkeypatch):
    with on_ray([CountingEnv], direct=True) as env:
        assert env.is_direct
    monkeypatch.setenv("RAY_USE_TLS", "1")
    with on_ray([CountingEnv], direct=True) as env:
        assert not env.is_direct


def test_unpicklable_values_are_reported_and_environments_stay_usable():
    with on_ray([Speechless]) as env:
        env.reset()
        env.step([0])
        with pytest.raises(TypeError, match="cannot be pickled"):
            env.step([0])
        env.reset()
        assert env.step([0])[1].tolist() == [1.0]


@pytest.mark.parametrize("knows", [True, False])
def test_only_clients_with_the_key_are_served(knows):
    actor = ray.remote(ActorVectorEnv).options(num_cpus=0).remote(0, [], b"", no_warning=True, restart=False)
    address = tuple(ray.get(actor.listen.remote(None, b"k" * 32)))
    serving = actor.serve.remote()
    silent = socket.create_connection(address, timeout=30)
    silent.close()
    for key in [b"k" * 32] if knows else [b"x" * 32, b"k" * 32]:
        connection = FrameConnection()
        connection.connect(*address, 30)
        assert connection.authenticate(key, 30) is (key == b"k" * 32)
        assert connection.is_open is (key == b"k" * 32)
        connection.close()
    assert ray.get(serving, timeout=30) is None
    ray.kill(actor)


def test_calls_may_overlap_and_return_in_order():
    log, sent = [], threading.Event()

    def begin(name):
        if name == "alone":
            return None
        sent.wait(30)
        log.append(f"begin {name}")
        return lambda: log.append(f"finish {name}") or name

    def call(name):
        log.append(f"call {name}")
        return name

    server = connections.ActorMethods({"play": call}, {"play": begin})
    address = server.listen("127.0.0.1", b"k" * 32)
    names = ["a", "b", "c", "alone", "d", "alone", "e"]
    serving = threading.Thread(target=server.serve, daemon=True)
    serving.start()
    connection = FrameConnection()
    connection.connect(*address, 30)
    # Calls that were made before the connection are queued.
    calls = [connection.send_call(pickle.dumps(("play", (name,)))) for name in names]
    assert connection.authenticate(b"k" * 32, 30)
    sent.set()
    assert len(wait_for_replies([connection], calls, len(calls), 30)) == len(calls)
    assert [pickle.loads(call.reply()[1]) for call in calls] == names
    connection.close()
    serving.join(30)
    assert not serving.is_alive()
    finished = [each.split()[1] for each in log if not each.startswith("begin")]
    assert finished == names
    # Two requests are in flight at a time. An exclusive request waits for all requests before it, and delays those
    # after it.
    assert log.index("begin b") < log.index("finish a") < log.index("begin c") < log.index("finish b")
    assert log.index("finish c") < log.index("call alone") < log.index("begin d")


def test_the_connection_survives_repeated_interrupts(cluster):
    program = """
        import functools, os, signal, sys, threading, time, ray
        from envpool_rs.vector import RayVectorEnv
        from python_envs import CountingEnv

        ray.init(address=sys.argv[1], log_to_driver=False)
        maker = functools.partial(CountingEnv, seconds=0.002)
        env = RayVectorEnv([maker] * 2, num_cpu_per_worker=0.5, num_cpus=0.5)
        env.reset()
        over = threading.Event()

        def interrupt():
            while not over.is_set():
                time.sleep(0.005)
                os.kill(os.getpid(), signal.SIGINT)

        interrupted, seen = 0, 0
        thread = threading.Thread(target=interrupt, daemon=True)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        thread.start()
        for _ in range(200):
            try:
                signal.signal(signal.SIGINT, signal.default_int_handler)
                rewards = env.step(None)[1] if env.waiting_id else env.step([0, 0])[1]
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                assert (rewards > seen).all() and rewards[0] == rewards[1], (rewards, seen)
                seen = rewards[0]
            except KeyboardInterrupt:
                interrupted += 1
            finally:
                try:
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
                except KeyboardInterrupt:
                    signal.signal(signal.SIGINT, signal.SIG_IGN)
        over.set()
        thread.join()
        if env.waiting_id:
            env.step(None)
        last = env.step([0, 0])[1].tolist()
        assert last[0] == last[1] > seen, (last, seen)
        print("interrupted", interrupted)
        env.close()
    """
    address = cluster.get_runtime_context().gcs_address
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), address]
    output = subprocess.run(command, check=True, timeout=120, capture_output=True, text=True).stdout
    assert int(output.split()[-1]) > 0


def test_two_drivers_on_one_cluster_have_separate_connections(cluster):
    program = """
        import sys, ray
        from envpool_rs.vector import RayVectorEnv
        from python_envs import CountingEnv

        ray.init(address=sys.argv[1], log_to_driver=False)
        with RayVectorEnv([CountingEnv] * 2, num_cpu_per_worker=0.5) as env:
            env.reset()
            for _ in range(50):
                rewards = env.step([0, 0])[1]
            print(env.is_direct, rewards.tolist())
    """
    address = cluster.get_runtime_context().gcs_address
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), address]
    other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with on_ray([CountingEnv] * 2) as env:
        env.reset()
        for _ in range(20):
            env.step([0, 0])
        output, _ = other.communicate(timeout=90)
        assert output.strip() == "True [50.0, 50.0]"
        assert env.step([0, 0])[1].tolist() == [21.0, 21.0]


def test_a_vector_environment_is_unusable_after_ray_shutdown():
    program = """
        import ray
        from envpool_rs.vector import RayVectorEnv
        from python_envs import CountingEnv

        options = {"object_store_memory": 100 * 1024**2, "include_dashboard": False}
        env = RayVectorEnv([CountingEnv] * 2, ray_options=options, temp_ray_dir="/tmp/ray_of_shutdown")
        env.reset()
        ray.shutdown()
        for again in (False, True):
            if again:
                ray.init(**options)
            for use in (lambda: env.step([0, 0]), env.reset, lambda: env.get_env_attr("steps")):
                try:
                    use()
                except RuntimeError as error:
                    assert "Ray was shut down" in str(error) or (again and "is stepping" in str(error)), error
                else:
                    raise AssertionError
        env.close()
    """
    subprocess.run([sys.executable, "-W", "ignore", "-c", textwrap.dedent(program)], check=True, timeout=90)
