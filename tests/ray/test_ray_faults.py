"""Tests of pools on Ray with lost actors, and with unusable clusters."""

import itertools
import subprocess
import sys
import textwrap
import threading
import time

import envpool_rs
import envpool_rs.ray
import numpy as np
import pytest
from envpool_rs.vector import RayVectorEnv
from python_envs import CountingEnv
from ray_pools import assert_same, kill, make_both


def restarted(result):
    """Removes the info `restarted` from a result, and returns it as a list."""
    return result[4].pop("restarted").tolist()


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize(("interval", "direct"), [(1, True), (4, True), (64, True), (4, False)])
def test_environments_of_a_dead_actor_resume_exactly(interval, direct):
    options = {"num_envs": 6, "max_episode_steps": 9, "seed": 3}
    ours, local = make_both(actor_options={"snapshot_interval": interval, "direct": direct}, **options)
    rng = np.random.default_rng(2)
    with ours, local:
        assert_same(ours.reset(seed=11), local.reset(seed=11))
        for step in range(24):
            actions = rng.integers(0, 2, 6)
            if step in (7, 17):
                kill(ours, step % 2)
            result = ours.step(actions)
            if step in (7, 17):
                assert restarted(result) == [False] * 3 + [True] * 3
            assert_same(result, local.step(actions))


@pytest.mark.usefixtures("cluster")
def test_a_step_in_flight_of_a_killed_actor_is_repeated():
    ours, local = make_both("test/Scripted-v0", num_envs=4)
    with ours, local:
        ours.reset(), local.reset()
        ours.send(np.full(4, 200))
        time.sleep(0.05)
        kill(ours, 1)
        result = ours.recv()
        assert restarted(result) == [False, False, True, True]
        assert_same(result, local.step(np.full(4, 200)))


@pytest.mark.usefixtures("cluster")
def test_the_death_of_an_actor_does_not_affect_other_actors():
    options = {"num_envs": 8, "batch_size": 4, "num_actors": 2, "num_cpus_per_actor": 0.5}
    with envpool_rs.ray.make("test/Scripted-v0", **options) as pool:
        pool.reset()
        pool.recv()
        pool.send(np.full(4, 1), np.arange(4))
        kill(pool, 0)
        for step in range(5):
            pool.send(np.full(4, 1), np.arange(4, 8))
            *_, info = pool.recv()
            if "restarted" in info:
                assert info["env_id"].tolist() == [0, 1, 2, 3]
                assert step > 0
                break
            assert info["env_id"].tolist() == [4, 5, 6, 7]


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("direct", [True, False])
def test_asynchronous_environments_resume_exactly(direct):
    count = 8
    local = envpool_rs.make("CartPole-v1", num_envs=count)
    expected = [local.reset()[0]]
    options = {"num_envs": count, "batch_size": 4, "num_actors": 2, "num_cpus_per_actor": 0.5, "snapshot_interval": 3}
    with envpool_rs.ray.make("CartPole-v1", direct=direct, **options) as pool:
        pool.async_reset()
        steps = np.full(count, -1)
        marks = np.zeros(count, int)
        for turn in itertools.count():
            if turn in (9, 10, 22):
                kill(pool, turn % 2)
            observation, *_, info = pool.recv()
            ids = info["env_id"]
            steps[ids] += 1
            marks[ids] += info.get("restarted", np.zeros(4, bool))
            while len(expected) <= steps.max():
                expected.append(local.step(np.zeros(count, int))[0].copy())
            for row, index in enumerate(ids):
                np.testing.assert_array_equal(observation[row], expected[steps[index]][index])
            pool.send(np.zeros(4, int), ids)
            if turn > 22 and (marks > 0).all():
                break


@pytest.mark.usefixtures("cluster")
@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_a_truncated_row_starts_the_new_episode(mode):
    options = {"num_envs": 4, "autoreset_mode": mode, "seed": 1}
    ours, _ = make_both(actor_options={"on_actor_death": "new_episode"}, **options)
    with ours:
        first, _ = ours.reset()
        ours.step(np.zeros(4, int))
        kill(ours)
        observation, reward, terminated, truncated, info = ours.step(np.zeros(4, int))
        assert info["restarted"].tolist() == [True, True, False, False]
        assert truncated.tolist() == [True, True, False, False]
        assert not terminated.any()
        assert reward.tolist() == [0, 0, 1, 1]
        assert info["elapsed_step"].tolist() == [0, 0, 2, 2]
        assert not (observation[:2] == first[:2]).all()  # the new episode has another seed
        if mode == "disabled":
            with pytest.raises(RuntimeError, match="environment 0 has finished its episode"):
                ours.step(np.zeros(4, int))
            return
        after, reward, *_, info = ours.step(np.ones(4, int))
        assert "restarted" not in info
        if mode == "next_step":
            np.testing.assert_array_equal(after[:2], observation[:2])
            assert info["elapsed_step"].tolist() == [0, 0, 3, 3]
            assert reward.tolist() == [0, 0, 1, 1]
        else:
            assert info["elapsed_step"].tolist() == [1, 1, 3, 3]


@pytest.mark.usefixtures("cluster")
def test_idle_environments_report_new_episodes_at_their_next_step():
    ours, _ = make_both(num_envs=4, actor_options={"on_actor_death": "new_episode"})
    with ours:
        ours.reset()
        kill(ours)
        first = ours.step(np.zeros(1, int), np.array([1]))
        assert restarted(first) == [True]
        second = ours.step(np.zeros(3, int), np.array([2, 1, 0]))
        assert restarted(second) == [False, False, True]
        assert second[4]["env_id"].tolist() == [2, 1, 0]
        assert second[3].tolist() == [False, False, True]
        assert second[4]["elapsed_step"].tolist() == [1, 0, 0]
        kill(ours)
        _, info = ours.reset()
        assert info["restarted"].tolist() == [True, True, False, False]
        assert "restarted" not in ours.step(np.zeros(4, int))[4]


@pytest.mark.usefixtures("cluster")
def test_deaths_are_errors_on_request():
    ours, _ = make_both(num_envs=4, actor_options={"on_actor_death": "raise"})
    with ours:
        ours.reset()
        kill(ours)
        with pytest.raises(envpool_rs.ray.ActorDied, match=r"actor 0 died .*environments 0 to 1 are lost") as caught:
            ours.step(np.zeros(4, int))
        assert list(caught.value.env_ids) == [0, 1]
        assert ours.recv()[4]["env_id"].tolist() == [2, 3]
        with pytest.raises(RuntimeError, match="environments 0 to 1 are lost"):
            ours.step(np.zeros(4, int))
        assert len(ours.step(np.zeros(2, int), np.array([3, 2]))[0]) == 2


@pytest.mark.usefixtures("cluster")
def test_an_actor_that_dies_repeatedly_is_given_up():
    ours, _ = make_both("test/Scripted-v0", num_envs=2)
    with ours:
        ours.reset()
        ours.send(np.full(2, 1000))
        caught = []

        def receive():
            try:
                ours.recv()
            except RuntimeError as error:
                caught.append(error)

        thread = threading.Thread(target=receive)
        thread.start()
        end = time.monotonic() + 30
        while thread.is_alive() and time.monotonic() < end:
            kill(ours, 1)
            time.sleep(0.05)
        thread.join()
        assert "died 3 times without an answer in between" in str(caught[0])
        assert len(ours.recv()[0]) == 1


@pytest.mark.usefixtures("cluster")
def test_a_pool_closed_by_another_thread_ends_the_wait():
    pool = envpool_rs.ray.make("test/Scripted-v0", num_envs=1, num_actors=1)
    pool.reset()
    pool.send(np.full(1, 1000))
    threading.Timer(0.2, pool.close).start()
    with pytest.raises(RuntimeError, match="closed"):  # before the result arrives, which takes a second
        pool.recv()


@pytest.mark.usefixtures("cluster")
def test_actors_without_a_free_cpu_are_an_error():
    late = pytest.raises(RuntimeError, match=r"1 of 1 actors did not start within start_timeout=0.5 s: 0 CPUs")
    with envpool_rs.ray.make("CartPole-v1", num_envs=2, num_actors=2), late:
        envpool_rs.ray.make("CartPole-v1", num_envs=1, num_actors=1, start_timeout=0.5)
    with pytest.raises(ValueError, match="num_actors=3 with 1 CPUs each need 3 CPUs: the cluster has 2"):
        envpool_rs.ray.make("CartPole-v1", num_envs=3, num_actors=3)


def test_a_missing_ray_names_the_extra():
    program = """
        import sys
        import envpool_rs, envpool_rs.ray, envpool_rs.vector
        assert "ray" not in sys.modules
        import types
        sys.modules["ray"] = None
        for make in (lambda: envpool_rs.ray.make("CartPole-v1"), lambda: envpool_rs.vector.RayVectorEnv([print])):
            try:
                make()
            except ImportError as error:
                assert "pip install 'envpool_rs[ray]'" in str(error), error
            else:
                raise AssertionError
        sys.modules["ray"] = types.SimpleNamespace(__version__="1.13.0")
        try:
            envpool_rs.ray.make("CartPole-v1")
        except ImportError as error:
            assert "ray 1.13.0 is too old; expected ray 2.50 or later" in str(error), error
        else:
            raise AssertionError
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True, timeout=60)


def test_an_existing_ray_connection_is_used(cluster):
    address = cluster.get_runtime_context().gcs_address
    other = {"num_cpus": 64, "address": "local"}
    with envpool_rs.ray.make("CartPole-v1", num_envs=2, num_actors=2, ray_options=other) as pool:
        pool.reset()
        assert cluster.get_runtime_context().gcs_address == address
    with RayVectorEnv([CountingEnv] * 2, num_cpus=2, temp_ray_dir="/not/used", ray_options=other) as env:
        assert (env.num_actors, env.reset().shape) == (2, (2, 3))
        assert cluster.cluster_resources()["CPU"] == 2
    assert cluster.is_initialized()  # closing a pool ends its actors, not Ray


def test_two_drivers_share_a_cluster(cluster):
    program = """
        import sys, numpy as np, ray, envpool_rs.ray
        ray.init(address=sys.argv[1], log_to_driver=False)
        with envpool_rs.ray.make("CartPole-v1", num_envs=4, num_actors=1, num_cpus_per_actor=0.5) as pool:
            pool.reset()
            for _ in range(20):
                rows = pool.step(np.zeros(4, int))
            print(rows[0].tobytes().hex())
    """
    address = cluster.get_runtime_context().gcs_address
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), address]
    other = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    with envpool_rs.ray.make("CartPole-v1", num_envs=4, num_actors=1, num_cpus_per_actor=0.5) as pool:
        pool.reset()
        for _ in range(20):
            rows = pool.step(np.zeros(4, int))
        output, _ = other.communicate(timeout=60)
        assert other.returncode == 0
        assert output.split()[-1] == rows[0].tobytes().hex()
        pool.step(np.zeros(4, int))


def test_an_interrupt_while_waiting_loses_nothing(cluster):
    program = """
        import os, signal, sys, threading, numpy as np, ray, envpool_rs.ray
        ray.init(address=sys.argv[1], log_to_driver=False)
        with envpool_rs.ray.make("test/Scripted-v0", num_envs=2, num_actors=1, num_cpus_per_actor=0.5) as pool:
            pool.reset()
            pool.send(np.full(2, 500))
            threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
            try:
                pool.recv()
            except KeyboardInterrupt:
                print("interrupted", len(pool.recv()[0]))
    """
    address = cluster.get_runtime_context().gcs_address
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), address]
    output = subprocess.run(command, check=True, timeout=60, capture_output=True, text=True).stdout
    assert output.split()[-2:] == ["interrupted", "2"]


def test_repeated_interrupts_lose_nothing(cluster):
    program = """
        import os, signal, sys, threading, time, numpy as np, ray, envpool_rs, envpool_rs.ray
        ray.init(address=sys.argv[1], log_to_driver=False)
        options = {"num_envs": 4, "seed": 1}
        local = envpool_rs.make("test/Scripted-v0", **options)
        over = threading.Event()

        def interrupt():
            while not over.is_set():
                time.sleep(0.002)
                os.kill(os.getpid(), signal.SIGINT)

        interrupted = 0
        with envpool_rs.ray.make("test/Scripted-v0", num_actors=2, num_cpus_per_actor=0.5, **options) as pool:
            pool.reset(), local.reset()
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            thread = threading.Thread(target=interrupt, daemon=True)
            thread.start()
            for step in range(150):
                result, actions = None, np.full(4, 3)
                pool.send(actions)
                while result is None:
                    try:
                        signal.signal(signal.SIGINT, signal.default_int_handler)
                        result = pool.recv()
                        signal.signal(signal.SIGINT, signal.SIG_IGN)
                    except KeyboardInterrupt:
                        interrupted += 1
                    except RuntimeError as error:
                        assert "nothing has been sent" in str(error), error
                        break  # The interrupt came after recv had taken the result.
                    finally:
                        try:
                            signal.signal(signal.SIGINT, signal.SIG_IGN)
                        except KeyboardInterrupt:
                            signal.signal(signal.SIGINT, signal.SIG_IGN)
                expected = local.step(actions)
                if result is not None:
                    for one, other in zip(result[:4], expected[:4], strict=True):
                        np.testing.assert_array_equal(one, other)
            over.set()
            thread.join()
            print("interrupted", interrupted)
    """
    address = cluster.get_runtime_context().gcs_address
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), address]
    output = subprocess.run(command, check=True, timeout=120, capture_output=True, text=True).stdout
    assert int(output.split()[-1]) > 0


@pytest.mark.parametrize("direct", [True, False])
def test_a_pool_is_unusable_after_ray_shutdown(direct):
    program = """
        import sys, numpy as np, ray, envpool_rs.ray
        options = {"num_cpus": 1, "object_store_memory": 100 * 1024**2, "include_dashboard": False}
        pool = envpool_rs.ray.make("CartPole-v1", num_envs=2, ray_options=options, direct=sys.argv[1] == "True")
        assert ray.is_initialized()
        pool.reset()
        ray.shutdown()
        for again in (False, True):
            if again:
                ray.init(**options)
            for use in (lambda: pool.step(np.zeros(2, int)), pool.reset, pool.get_state):
                try:
                    use()
                except RuntimeError as error:
                    assert "Ray was shut down" in str(error) or "in flight" in str(error), error
                else:
                    raise AssertionError
        pool.close()
    """
    command = [sys.executable, "-W", "ignore", "-c", textwrap.dedent(program), str(direct)]
    subprocess.run(command, check=True, timeout=90)
