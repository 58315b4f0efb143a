"""Helpers of the tests of pools on Ray."""

import envpool_rs
import envpool_rs.ray
import numpy as np
import ray


def make_both(task="CartPole-v1", how="make", num_actors=2, actor_options=None, **options):
    """Returns a pool on Ray and a local pool of the same task and options."""
    spread = {"num_actors": num_actors, "num_cpus_per_actor": 0.5, **(actor_options or {})}
    on_ray = getattr(envpool_rs.ray, how)(task, **spread, **options)
    return on_ray, getattr(envpool_rs, how)(task, **options)


def assert_same(got, expected, path="result"):
    """Compares results: types, keys in their order, dtypes, shapes, values. Times are not compared."""
    if isinstance(expected, dict):
        assert list(got) == list(expected), path
        for key in expected:
            assert_same(got[key], expected[key], f"{path}[{key!r}]")
    elif isinstance(expected, tuple):
        assert len(got) == len(expected), path
        for index, (one, other) in enumerate(zip(got, expected, strict=True)):
            assert_same(one, other, f"{path}[{index}]")
    elif isinstance(expected, np.ndarray):
        assert (got.dtype, got.shape) == (expected.dtype, expected.shape), path
        if expected.dtype == object:
            for one, other in zip(got, expected, strict=True):
                assert_same(one, other, path)
        elif not path.endswith("['episode']['t']"):
            np.testing.assert_array_equal(got, expected, path)
    else:
        assert got is expected or got == expected, path


def kill(pool, actor=0):
    """Kills an actor, and waits until it is dead and its connection is closed."""
    connection = pool._actors.connections[actor] if pool.is_direct else None
    end(pool._actors.actors[actor])
    # Waits for the connection, because Ray reports an actor dead a moment before the actor's process has ended.
    while connection is not None and connection.is_open:
        connection.check()


def end(actor):
    """Kills an actor by its handle, and waits until it is dead."""
    ray.kill(actor)
    while True:
        try:
            ray.get(actor.ready.remote(), timeout=10)
        except ray.exceptions.RayActorError:
            return
