"""Tests that any order of calls gives the same results with the actors of a cluster as with a local pool."""

import pytest
from any_order import NUM_ENVS, assert_any_order_comes_to_the_same
from ray_pools import assert_same, make_both

pytestmark = pytest.mark.usefixtures("cluster")


@pytest.mark.parametrize("num_actors", [1, 2])
@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_any_order_of_calls_gives_equal_results_over_actors(mode, num_actors, tmp_path):
    for program in range(2):
        options = {"num_envs": NUM_ENVS, "autoreset_mode": mode, "max_episode_steps": 2, "seed": program}
        on_ray, local = make_both(num_actors=num_actors, record_episode_statistics=True, **options)
        with on_ray, local:
            assert_any_order_comes_to_the_same(on_ray, local, program, assert_same, folder=tmp_path, option="gravity")
