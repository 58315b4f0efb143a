"""Tests that pools on Ray have the interface and the results of local pools."""

import gc
import weakref

import envpool_rs
import envpool_rs.ray
import gymnasium
import numpy as np
import pytest
from envpool_rs.ray import actors as connections
from envpool_rs.ray.pool import Actors, _recorded
from ray_pools import assert_same, kill, make_both

pytestmark = pytest.mark.usefixtures("cluster")


def random_actions(space, rng, rows):
    if isinstance(space, gymnasium.spaces.Dict):
        return {key: random_actions(part, rng, rows) for key, part in space.spaces.items()}
    if isinstance(space, gymnasium.spaces.Discrete):
        return rng.integers(0, space.n, rows)
    return rng.uniform(space.low, space.high, (rows, *space.shape)).astype(np.float32)


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
@pytest.mark.parametrize("how", ["make", "make_gym", "make_vec"])
def test_trajectories_equal_a_local_pool_in_every_interface(how, mode):
    options = {"num_envs": 7, "seed": 5, "autoreset_mode": mode, "max_episode_steps": 11}
    name, env_type = (
        ("make_vec", {}) if how == "make_vec" else ("make", {"env_type": "gym"} if how == "make_gym" else {})
    )
    ours, local = make_both(how=name, record_episode_statistics=True, **env_type, **options)
    rng = np.random.default_rng(0)
    with ours, local:
        assert_same(ours.reset(), local.reset())
        for _ in range(30):
            actions = rng.integers(0, 2, 7)
            assert_same(ours.step(actions), local.step(actions))
        assert_same(ours.reset(seed=3), local.reset(seed=3))
        assert ours.np_random_seed == tuple(range(3, 10))


@pytest.mark.parametrize("first_env", [3, [3, 0, 7, 7, 1]])
def test_levels_equal_a_local_pools_for_any_number_of_actors(first_env):
    ours, local = make_both("CoinrunEasy-v0", num_envs=5, seed=8, first_env=first_env)
    with ours, local:
        assert_same(ours.reset(), local.reset())
        for _ in range(5):
            assert_same(ours.step(np.full(5, 7)), local.step(np.full(5, 7)))
        assert_same(ours.reset(seed=[4, 9, 9, 1, 2]), local.reset(seed=[4, 9, 9, 1, 2]))


def test_goal_cells_of_resets_equal_a_local_pools():
    pytest.importorskip("mujoco")
    ours, local = make_both("PointMaze_UMaze-v3", "make_vec", num_envs=3, seed=8)
    with ours, local:
        for options in [{"goal_cell": [1, 1], "reset_cell": [3, 3]}, {"goal_cell": [3, 1]}]:
            assert_same(ours.reset(options=options), local.reset(options=options))
        mask = {"goal_cell": [1, 1], "reset_mask": np.array([True, False, True])}
        assert_same(ours.reset(options=mask), local.reset(options=mask))
        rows = {"goal_cell": [[1, 1], None, [3, 1]], "reset_cell": [[3, 3], [1, 2], None]}
        assert_same(ours.reset(options=rows), local.reset(options=rows))
        for bad in ([0, 0], [[1, 1], [0, 0], [3, 1]], [[1, 1]]):
            with pytest.raises(ValueError, match="goal_cell"):
                ours.reset(options={"goal_cell": bad})
        assert_same(ours.reset(options=rows), local.reset(options=rows))


def test_reset_options_are_checked_for_all_environments_before_any_reset():
    pytest.importorskip("mujoco")
    tasks = ["PointMaze_Large-v3", "PointMaze_UMaze-v3"]
    pool = envpool_rs.ray.make_vec(tasks, num_envs=4, seed=8, num_actors=2, num_cpus_per_actor=0.5)
    with pool:
        pool.reset()
        before = pool.get_state()
        with pytest.raises(ValueError, match=r"goal_cell=\[7, 10\]"):
            pool.reset(options={"goal_cell": [7, 10]})
        assert pool.get_state() == before


def test_exceptions_of_actors_are_kept_by_the_extension_only():
    class UnpicklableError(RuntimeError):
        def __reduce__(self):
            raise TypeError("it cannot be pickled")

    class LostError(ValueError):
        pass

    for cls in (LostError, UnpicklableError):
        error = cls("none left")
        reference = weakref.ref(error)
        text, payload = _recorded(error)
        rebuilt = Actors.rebuilt(object.__new__(Actors), 3, payload, text, 0, None)
        assert type(rebuilt) is cls and text in str(rebuilt)
        del error, rebuilt
        gc.collect()
        assert reference() is None


@pytest.mark.parametrize("semantics", [True, "sb3"])
def test_normalised_results_equal_a_local_pools(semantics):
    options = {"normalize_obs": semantics, "normalize_reward": semantics, "clip_obs": 5.0, "clip_reward": 3.0}
    ours, local = make_both(num_envs=5, seed=8, max_episode_steps=9, **options)
    with ours, local:
        assert_same(ours.reset(), local.reset())
        for action in np.random.default_rng(2).integers(0, 2, (25, 5)):
            assert_same(ours.step(action), local.step(action))


def test_time_steps_equal_a_local_pool():
    pytest.importorskip("dm_env")
    options = {"num_envs": 5, "max_episode_steps": 9, "env_type": "dm"}
    ours, local = make_both(**options)
    with ours, local:
        for spread, expected in [
            (ours.reset(), local.reset()),
            *((ours.step(np.ones(5, int)), local.step(np.ones(5, int))) for _ in range(25)),
        ]:
            assert_same(tuple(spread[:3]), tuple(expected[:3]))
            assert not spread.observation.restarted.any()
            assert_same(tuple(spread.observation)[:-1], tuple(expected.observation))
        assert ours.action_spec() == local.action_spec()


@pytest.mark.parametrize("task", ["SimpleSpread-v3", "SimpleSpeakerListener-v4", "Pendulum-v1", "Taxi-v4"])
def test_players_dicts_and_continuous_actions_are_split_and_joined(task):
    ours, local = make_both(task, num_envs=5, max_episode_steps=4)
    rng = np.random.default_rng(1)
    with ours, local:
        assert_same(ours.reset(seed=2), local.reset(seed=2))
        for _ in range(10):
            actions = random_actions(ours.action_space, rng, 5 * local.spec.rows)
            assert_same(ours.step(actions), local.step(actions))
        ids = np.array([4, 0, 3])
        actions = random_actions(ours.action_space, rng, 3 * local.spec.rows)
        assert_same(ours.step(actions, ids), local.step(actions, ids))
        assert_same(ours.reset(np.array([3, 1])), local.reset(np.array([3, 1])))


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_step_only_infos_are_masked_as_in_a_local_pool(mode):
    ours, local = make_both("HalfCheetah-v5", how="make_vec", num_envs=3, max_episode_steps=4, autoreset_mode=mode)
    rng = np.random.default_rng(1)
    with ours, local:
        first = ours.reset(seed=2)
        assert_same(first, local.reset(seed=2))
        assert first[1]["_x_position"].all() and not first[1]["_x_velocity"].any()
        for _ in range(10):
            actions = random_actions(local.single_action_space, rng, 3)
            assert_same(ours.step(actions), local.step(actions))


def test_options_unsupported_by_time_steps_are_refused():
    pytest.importorskip("dm_env")
    with pytest.raises(ValueError, match="dm_env time step"):
        envpool_rs.ray.make("CartPole-v1", "dm", num_envs=2, autoreset_mode="same_step")


def test_results_do_not_depend_on_the_number_of_actors():
    digests = set()
    for num_actors in (1, 2, 3):
        with envpool_rs.ray.make("CartPole-v1", num_envs=7, num_actors=num_actors, num_cpus_per_actor=0.25) as pool:
            pool.reset()
            rng = np.random.default_rng(0)
            digests.add(b"".join(pool.step(rng.integers(0, 2, 7))[0].tobytes() for _ in range(20)))
            assert pool.config["num_actors"] == num_actors
    assert len(digests) == 1


def test_batches_contain_the_first_finished_environments_of_all_actors():
    pool = envpool_rs.ray.make("test/Scripted-v0", num_envs=8, batch_size=4, num_actors=2, num_cpus_per_actor=0.5)
    with pool:
        assert pool.is_async
        pool.async_reset()
        ids = np.sort(np.concatenate([pool.recv()[4]["env_id"] for _ in range(2)]))
        assert ids.tolist() == list(range(8))
        # While the first actor sleeps, replies of the second actor to later requests arrive.
        pool.send(np.full(4, 700), np.arange(4))
        for _ in range(3):
            pool.send(np.zeros(4, int), np.arange(4, 8))
            assert pool.recv()[4]["env_id"].tolist() == [4, 5, 6, 7]
        assert pool.recv()[4]["env_id"].tolist() == [0, 1, 2, 3]


def test_asynchronous_trajectories_equal_single_environments():
    count = 6
    options = {"num_envs": count, "max_episode_steps": 12}
    local = envpool_rs.make("CartPole-v1", **options)
    expected = [local.reset()[0], *(local.step(np.zeros(count, int))[0] for _ in range(60))]
    pool = envpool_rs.ray.make("CartPole-v1", batch_size=4, num_actors=2, num_cpus_per_actor=0.5, **options)
    with pool:
        pool.async_reset()
        steps = np.full(count, -1)
        for _ in range(25):
            observation, *_, info = pool.recv()
            ids = info["env_id"]
            assert len(ids) == 4
            steps[ids] += 1
            for row, index in enumerate(ids):
                np.testing.assert_array_equal(observation[row], expected[steps[index]][index])
            pool.send(np.zeros(4, int), ids)
        assert steps.min() >= 3


def test_a_reset_of_an_asynchronous_pool_discards_results_in_flight():
    with envpool_rs.ray.make("CartPole-v1", num_envs=6, batch_size=3, num_actors=2, num_cpus_per_actor=0.5) as pool:
        pool.async_reset()
        observation, info = pool.reset()
        assert len(observation) == 3
        assert (info["elapsed_step"] == 0).all()
        rest = pool.recv()[4]["env_id"]
        assert sorted([*info["env_id"], *rest]) == list(range(6))


def test_recv_returns_results_in_the_order_of_sends():
    with envpool_rs.ray.make("CartPole-v1", num_envs=6, num_actors=2, num_cpus_per_actor=0.5) as pool:
        pool.reset()
        pool.send(np.zeros(2, int), np.array([5, 0]))
        pool.send(np.ones(3, int), np.array([1, 3, 2]))
        assert pool.recv()[4]["env_id"].tolist() == [5, 0]
        assert pool.recv()[4]["env_id"].tolist() == [1, 3, 2]
        assert pool.step(np.zeros(0, int), np.zeros(0, int))[0].shape == (0, 4)


def test_masked_resets_return_every_environment():
    ours, local = make_both(how="make_vec", num_envs=5, seed=1)
    mask = np.array([False, True, False, False, False])
    with ours, local:
        ours.reset(), local.reset()
        for actions in (np.ones(5, int), np.zeros(5, int)):
            assert_same(ours.step(actions), local.step(actions))
        both = [env.reset(seed=8, options={"reset_mask": mask}) for env in (ours, local)]
        assert_same(*both)
        assert_same(ours.reset(options={"low": -0.01, "high": 0.01}), local.reset(options={"low": -0.01, "high": 0.01}))
        assert_same(ours.step(np.ones(5, int)), local.step(np.ones(5, int)))


def test_snapshots_are_exchangeable_between_a_cluster_and_a_local_pool():
    ours, local = make_both(num_envs=5, seed=1)
    with ours, local:
        ours.reset()
        for _ in range(5):
            ours.step(np.ones(5, int))
        local.reset()
        local.set_state(ours.get_state())
        assert_same(ours.step(np.zeros(5, int)), local.step(np.zeros(5, int)))
        ours.set_state(local.get_state([3, 1]), [1, 3])
        local.set_state(local.get_state([3, 1]), [1, 3])
        assert_same(ours.step(np.zeros(5, int)), local.step(np.zeros(5, int)))


@pytest.mark.parametrize("copy", [True, False])
@pytest.mark.parametrize("num_envs", [8, 8192])
def test_results_of_one_actor_are_writable_if_copied(copy, num_envs):
    with envpool_rs.ray.make("CartPole-v1", num_envs=num_envs, num_actors=1, copy=copy) as pool:
        observation, *_ = pool.reset()
        assert observation.flags.writeable == (copy or num_envs == 8)
        observation, _, terminated, *_ = pool.step(np.zeros(num_envs, int))
        assert observation.flags.writeable == terminated.flags.writeable == (copy or num_envs == 8)


def test_large_results_are_read_from_the_object_store():
    count = 100_000
    ours, local = make_both(num_envs=count, num_actors=1)
    with ours, local:
        assert_same(ours.reset(), local.reset())
        for actions in (np.zeros(count, int), np.ones(count, int)):
            result = ours.step(actions)
            assert sum(part.nbytes for part in result[:4]) > connections.LARGEST_REPLY
            assert_same(result, local.step(actions))
        # Small requests and replies work after large ones.
        assert_same(ours.step(np.ones(10, int), np.arange(10)), local.step(np.ones(10, int), np.arange(10)))


@pytest.mark.parametrize("batch_size", [0, 3])
def test_actors_are_called_by_ray_on_request(batch_size, monkeypatch):
    options = {"num_envs": 6, "batch_size": batch_size, "num_actors": 2, "num_cpus_per_actor": 0.5}
    local = envpool_rs.make("CartPole-v1", num_envs=6)
    expected = [local.reset()[0], *(local.step(np.zeros(6, int))[0] for _ in range(20))]
    for direct, tls, is_direct in ((True, "0", True), (False, "0", False), (True, "1", False)):
        monkeypatch.setenv("RAY_USE_TLS", tls)
        with envpool_rs.ray.make("CartPole-v1", direct=direct, **options) as pool:
            assert pool.is_direct is pool.config["direct"] is is_direct
            pool.async_reset()
            steps = np.full(6, -1)
            for _ in range(12):
                observation, *_, info = pool.recv()
                ids = info["env_id"]
                steps[ids] += 1
                for row, index in enumerate(ids):
                    np.testing.assert_array_equal(observation[row], expected[steps[index]][index])
                pool.send(np.zeros(len(ids), int), ids)
    with pytest.raises(TypeError, match="direct=1: expected a bool"):
        envpool_rs.ray.make("CartPole-v1", direct=1)


def test_unreachable_actors_are_called_by_ray(monkeypatch):
    def refuse(*_, **__):
        raise ConnectionRefusedError

    monkeypatch.setattr(connections.DirectConnection, "connect", refuse)
    ours, local = make_both(num_envs=4)
    with ours, local:
        assert not ours.is_direct
        assert_same(ours.reset(), local.reset())
        assert_same(ours.step(np.ones(4, int)), local.step(np.ones(4, int)))


def test_ray_pools_have_the_attributes_of_their_interfaces():
    with envpool_rs.ray.make("CartPole-v1", num_envs=2, num_actors=1) as pool:
        assert isinstance(pool, gymnasium.vector.VectorEnv)
        assert isinstance(pool, gymnasium.Env)
        assert len(pool) == pool.num_envs == 2
        assert pool.all_env_ids.tolist() == [0, 1]
        assert pool.config["on_actor_death"] == "resume"
        assert pool.spec.action_space == gymnasium.spaces.Discrete(2)
        with pytest.raises(TypeError, match="cannot copy or pickle"):
            pool.__reduce__()
    with envpool_rs.ray.make_vec("CartPole-v1", 3, num_actors=1, seed=4) as env:
        assert isinstance(env, gymnasium.vector.VectorEnv)
        assert env.observation_space.shape == (3, 4)
        assert env.get_attr("np_random_seed") == (4, 5, 6)
        assert env.metadata["autoreset_mode"] is gymnasium.vector.AutoresetMode.NEXT_STEP


def test_misuse_is_refused_before_anything_is_sent():
    with envpool_rs.ray.make("CartPole-v1", num_envs=4, num_actors=2, num_cpus_per_actor=0.5) as pool:
        pool.reset()
        with pytest.raises(ValueError, match=r"action\[2\] is 2: expected an integer from 0 to 1"):
            pool.step(np.array([0, 0, 2, 0]))
        with pytest.raises(ValueError, match=r"action has shape \(3,\): expected \(4,\)"):
            pool.step(np.zeros(3, int))
        with pytest.raises(TypeError, match="action is None"):
            pool.step(None)
        with pytest.raises(IndexError, match=r"env_id\[0\]=4"):
            pool.step(np.zeros(1, int), np.array([4]))
        with pytest.raises(ValueError, match="each id once"):
            pool.step(np.zeros(2, int), np.array([1, 1]))
        with pytest.raises(RuntimeError, match="nothing has been sent"):
            pool.recv()
        with pytest.raises(ValueError, match="seed=-1"):
            pool.reset(seed=-1)
        with pytest.raises(ValueError, match='unknown reset option "lo"'):
            pool.reset(options={"lo": 1})
        with pytest.raises(ValueError, match=r"players\.env_id"):
            pool.step({"action": np.zeros(4, int), "env_id": np.arange(4), "players.env_id": np.arange(4)[::-1]})
        pool.send(np.zeros(4, int))
        with pytest.raises(RuntimeError, match="env_id 0 is in flight"):
            pool.send(np.zeros(1, int), np.array([0]))
        with pytest.raises(RuntimeError, match="in flight"):
            pool.get_state()
        with pytest.raises(RuntimeError, match="recv them first"):
            pool.step(np.zeros(0, int), np.zeros(0, int))
        assert (pool.recv()[4]["elapsed_step"] == 1).all()


def test_unsupported_autoreset_modes_are_refused_like_a_local_pools():
    for mode in ("disabled", "same_step"):
        with envpool_rs.ray.make(
            "CartPole-v1", num_envs=2, num_actors=1, autoreset_mode=mode, max_episode_steps=2
        ) as pool:
            with pytest.raises(RuntimeError, match="environment 0 has never been reset"):
                pool.step(np.zeros(2, int))
            pool.reset()
            pool.step(np.zeros(2, int))
            pool.step(np.zeros(2, int))
            if mode == "disabled":
                with pytest.raises(RuntimeError, match="environment 0 has finished its episode"):
                    pool.step(np.zeros(2, int))
                pool.reset(np.array([0]))
                pool.step(np.zeros(1, int), np.array([0]))


@pytest.mark.parametrize("batch_size", [0, 3])
def test_a_panic_affects_no_other_environment(batch_size):
    options = {"num_envs": 6, "num_actors": 2, "num_cpus_per_actor": 0.5, "batch_size": batch_size}
    with envpool_rs.ray.make("test/Scripted-v0", **options) as pool:
        pool.async_reset()
        pool.recv()
        if batch_size:
            pool.recv()
        pool.send(np.array([0, 0, 0, 0, 1001, 0]))
        received = []
        with pytest.raises(RuntimeError, match="environment 4 panicked: scripted panic in step 1") as caught:
            while True:
                received.extend(pool.recv()[4]["env_id"])
        assert caught.value.env_ids == [4]
        assert caught.value.reason == "scripted panic in step 1"
        while len(received) < 5:
            received.extend(pool.recv()[4]["env_id"])
        assert sorted(received) == [0, 1, 2, 3, 5]
        with pytest.raises(RuntimeError, match="environment 4 has failed: reset it before the next step"):
            pool.step(np.zeros(1, int), np.array([4]))


def test_a_panic_in_a_masked_reset_leaves_no_results():
    ours, local = make_both("test/Scripted-v0", how="make_vec", num_envs=4)
    mask = np.array([False, True, False, False])
    with ours, local:
        errors = []
        for env in (ours, local):
            env.reset()
            env.step(np.array([0, 1004, 0, 0]))  # with this action, environment 1's next reset panics
            with pytest.raises(RuntimeError) as caught:
                env.reset(options={"reset_mask": mask})
            errors.append((str(caught.value), caught.value.env_ids, caught.value.reason, caught.value.others))
        assert errors[0] == errors[1]
        assert errors[0][1:] == ([1], "scripted panic at this reset", 3)
        assert_same(ours.recv(), local.recv())
        for env in (ours, local):
            with pytest.raises(RuntimeError, match="environment 1 has failed: reset it before the next step"):
                env.step(np.zeros(4, int))
        assert_same(ours.reset(), local.reset())
        assert_same(ours.step(np.zeros(4, int)), local.step(np.zeros(4, int)))


def test_use_after_close_is_refused():
    pool = envpool_rs.ray.make("CartPole-v1", num_envs=2, num_actors=1)
    pool.close()
    pool.close()
    assert pool.closed
    for use in (pool.reset, pool.recv, pool.async_reset, pool.get_state, lambda: pool.step(np.zeros(2, int))):
        with pytest.raises(RuntimeError, match="this pool is closed"):
            use()


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"num_actors": 0}, ValueError, "num_actors=0: expected None or 1 to num_envs=4"),
        ({"num_actors": 5}, ValueError, "num_actors=5: expected None or 1 to num_envs=4"),
        ({"num_actors": 1.5}, TypeError, "num_actors=1.5"),
        ({"num_cpus_per_actor": -1}, ValueError, "num_cpus_per_actor=-1: expected a number, 0 or more"),
        ({"num_cpus_per_actor": float("inf")}, ValueError, "num_cpus_per_actor=inf: expected a number, 0 or more"),
        ({"num_cpus_per_actor": "1"}, TypeError, "num_cpus_per_actor='1'"),
        (
            {"on_actor_death": "ignore"},
            ValueError,
            "on_actor_death='ignore': expected .resume., .new_episode. or .raise.",
        ),
        ({"snapshot_interval": 0}, ValueError, "snapshot_interval=0: expected 1 or more"),
        ({"copy": 1}, TypeError, "copy=1: expected a bool"),
        ({"start_timeout": -1}, ValueError, "start_timeout=-1"),
        ({"thread_affinity_offset": 2}, ValueError, "thread_affinity_offset=2: expected -1"),
        ({"batch_size": 9}, ValueError, "batch_size=9"),
        ({"nun_envs": 9}, TypeError, "nun_envs"),
        ({"env_type": "gymnasyum"}, ValueError, "env_type='gymnasyum'"),
        ({"num_actors": 4, "num_cpus_per_actor": 3}, ValueError, "needs? 12 CPUs: the cluster has 2"),
    ],
)
def test_options_are_checked(options, error, message):
    with pytest.raises(error, match=message):
        envpool_rs.ray.make("CartPole-v1", **{"num_envs": 4, **options})
    with pytest.raises(ValueError, match="unknown task 'CartPool-v1'; did you mean 'CartPole-v1'"):
        envpool_rs.ray.make("CartPool-v1")


@pytest.mark.parametrize("mode", ["next_step", "same_step"])
def test_options_and_queues_equal_a_local_pools(mode):
    ours, local = make_both("Pendulum-v1", "make_vec", num_envs=5, seed=8, max_episode_steps=3, autoreset_mode=mode)
    with ours, local:
        for pool in (ours, local):
            pool.set_options(g=[3.0, ("uniform", 4, 5)], env_ids=[0, 4])
        assert_same(ours.reset(), local.reset())
        for number in range(30):
            if number % 7 == 2:
                for pool in (ours, local):
                    pool.queue_resets([4, 1, 4], seeds=[1, None, 2], options={"g": [1.0, 2.0, 3.0]})
                    pool.set_options(m=1.0 + number, env_ids=[2])
                assert_same(ours.queued_resets(), local.queued_resets())
            actions = np.full((5, 1), number % 3 - 1, np.float32)
            assert_same(ours.step(actions), local.step(actions))
            assert_same(ours.get_options(), local.get_options())
        for pool in (ours, local):
            pool.clear_resets([4])
            with pytest.raises(ValueError, match="seed is fixed"):
                pool.set_options(seed=3)
            with pytest.raises(TypeError, match="unknown option"):
                pool.set_options(gg=3)
        assert_same(ours.queued_resets(), local.queued_resets())
        kill(ours)
        actions = np.zeros((5, 1), np.float32)
        for _ in range(8):
            assert_same(ours.step(actions)[:4], local.step(actions)[:4])
