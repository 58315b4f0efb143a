"""Compares level-based foraging with the package lbforaging, bit for bit: ids, options, repeated seeds, and errors.

`FORAGING_IDS` sets the number of drawn ids, `FORAGING_SEEDS` the number of seeds of each.
"""

import os
import random

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.multi_agent import MultiAgentEnv, MultiAgentVectorEnv
from side_by_side import SideBySide, package, registered

ForagingEnv = package("lbforaging.foraging").ForagingEnv

IDS, SEEDS = int(os.environ.get("FORAGING_IDS", "6")), int(os.environ.get("FORAGING_SEEDS", "3"))


def seeking(env, rng):
    """Returns actions that mostly lead the players to foods."""
    actions = []
    for player in env.players:
        row, column = player.position
        foods = [(abs(row - y) + abs(column - x), y, x) for y, x in zip(*env.field.nonzero(), strict=True)]
        if not foods or rng.random() < 0.25:
            actions.append(rng.randrange(6))
            continue
        distance, y, x = min(foods)
        ways = ([1] if y < row else [2] if y > row else []) + ([3] if x < column else [4] if x > column else [])
        actions.append(5 if distance == 1 else int(rng.choice(ways)))
    return actions


def play(sides, seeds, rng):
    for seed in seeds:
        for first in (seed, None, seed):  # the third reset depends on the episode before
            sides.reset(first)
            while not sides.step(seeking(sides.reference, rng) if rng.random() < 0.8 else random_actions(sides, rng)):
                pass


def random_actions(sides, rng):
    return [rng.randrange(6) for _ in range(sides.own.n_agents)]


def test_registered_ids_equal_lbforagings(parity_table):
    ids = registered("lbforaging")
    assert len(ids) == 1920 and all(name in gymnasium.registry for name in ids)
    rng = random.Random(5)
    rewarded = 0
    for name in rng.sample(sorted(ids), IDS):
        sides = SideBySide(MultiAgentEnv(name), ForagingEnv(**ids[name]))
        sides.spaces_agree()
        play(sides, range(SEEDS), rng)
        parity_table.add("Foraging-v3", 1, sides.steps, sides.episodes, 0, sides.values, 0)
        rewarded += sides.rewarded
    assert rewarded > 0


def drawn_options(rng):
    players, foods, side = rng.randrange(1, 7), rng.randrange(1, 5), rng.choice([5, 6, 7, 8, 10, 12])
    options = {
        "players": players,
        "field_size": (side, side),
        "max_num_food": foods,
        "sight": rng.choice([1, 2, 3, side]),
        "min_player_level": 1,
        "max_player_level": rng.choice([1, 2, 3]),
        "min_food_level": 1,
        "max_food_level": rng.choice([None, None, 1, 3]),
        "force_coop": rng.random() < 0.3,
        "normalize_reward": rng.random() < 0.7,
        "observe_agent_levels": rng.random() < 0.7,
        "penalty": rng.choice([0.0, 0.1]),
    }
    if rng.random() < 0.3:
        options["min_player_level"] = [rng.randrange(1, 3) for _ in range(players)]
        options["max_player_level"] = [least + rng.randrange(2) for least in options["min_player_level"]]
    if options["max_food_level"] == 3 and rng.random() < 0.7:
        options["min_food_level"] = [rng.randrange(1, 3) for _ in range(foods)]
        options["max_food_level"] = [least + rng.randrange(2) for least in options["min_food_level"]]
    return options


def test_drawn_options_equal_lbforagings():
    rng = random.Random(7)
    for _ in range(3 * IDS):
        options = drawn_options(rng)
        limit = rng.choice([25, 50])
        own = {**options, "max_food_level": options["max_food_level"] or 0, "field_size": list(options["field_size"])}
        own["divide_rewards"] = own.pop("normalize_reward")
        sides = SideBySide(
            MultiAgentEnv("Foraging-v3", max_steps=limit, **own), ForagingEnv(max_episode_steps=limit, **options)
        )
        play(sides, range(SEEDS), rng)


def test_grid_observations_equal_lbforagings_layers():
    """lbforaging's own space has a wrong shape, so that its constructor fails; the test repairs the shape."""

    class Repaired(ForagingEnv):
        def _get_observation_space(self):
            side = 2 * self.sight + 1
            return gymnasium.spaces.Box(0, 9, (3, side, side), np.float32)

    common = {"players": 3, "max_num_food": 3, "sight": 2, "min_player_level": 1, "max_player_level": 2}
    common |= {"min_food_level": 1, "force_coop": False, "grid_observation": True}
    reference = Repaired(**common, field_size=(7, 7), max_food_level=None, max_episode_steps=50)
    sides = SideBySide(MultiAgentEnv("Foraging-grid-2s-7x7-3p-3f-v3"), reference)
    play(sides, range(SEEDS), random.Random(3))


def test_a_seeded_reset_depends_on_the_last_positions():
    fresh, used = (MultiAgentEnv("Foraging-5x5-4p-1f-v3") for _ in range(2))
    differing = 0
    for seed in range(60):
        used.reset(seed=1000 + seed)
        first, second = fresh.reset(seed=seed)[0], used.reset(seed=seed)[0]
        differing += any((a != b).any() for a, b in zip(first, second, strict=True))
        fresh.close()
        fresh = MultiAgentEnv("Foraging-5x5-4p-1f-v3")
    assert differing > 0


def test_seed_equals_a_seeded_reset():
    seeded, reseeded = (MultiAgentEnv("Foraging-8x8-2p-3f-v3") for _ in range(2))
    reseeded.unwrapped.seed(3)
    for mine, theirs in zip(reseeded.reset()[0], seeded.reset(seed=3)[0], strict=True):
        np.testing.assert_array_equal(mine, theirs)
    for mine, theirs in zip(reseeded.reset()[0], seeded.reset()[0], strict=True):
        np.testing.assert_array_equal(mine, theirs)


def test_the_limit_terminates_as_in_the_package():
    env = gymnasium.make("envpool_rs.multi_agent:Foraging-8x8-2p-3f-v3")
    env.reset(seed=0)
    ends = [env.step([0, 0])[2:4] for _ in range(50)]
    assert ends == [(False, False)] * 49 + [(True, False)]
    env.close()


def test_batches_have_an_array_for_each_player():
    envs = gymnasium.make_vec("envpool_rs.multi_agent:Foraging-8x8-3p-2f-v3", num_envs=4)
    assert isinstance(envs.unwrapped, MultiAgentVectorEnv)
    singles = [MultiAgentEnv("Foraging-8x8-3p-2f-v3") for _ in range(4)]
    observation, _ = envs.reset(seed=5)
    single = [env.reset(seed=5 + index)[0] for index, env in enumerate(singles)]
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert envs.observation_space.contains(observation)
        for index, each in enumerate(single):
            for player in range(3):
                np.testing.assert_array_equal(observation[player][index], each[player])
        actions = [rng.integers(6, size=4) for _ in range(3)]
        observation, rewards, terminated, _, _ = envs.step(actions)
        results = [env.step([int(action[index]) for action in actions]) for index, env in enumerate(singles)]
        single = [result[0] for result in results]
        assert rewards.tolist() == [result[1] for result in results]
        assert not terminated.any()
    envs.close()


def test_final_observations_are_tuples():
    envs = MultiAgentVectorEnv("Foraging-8x8-2p-3f-v3", 2, autoreset_mode="same_step", max_steps=3)
    envs.reset(seed=0)
    for _ in range(3):
        *_, terminated, _, info = envs.step(np.zeros((2, 2), np.int64))
    assert terminated.all()
    assert all(isinstance(each, tuple) and len(each) == 2 for each in info["final_obs"])
    envs.close()


def test_masks_have_the_actions_with_an_effect():
    env, reference = (
        MultiAgentEnv("Foraging-8x8-2p-3f-v3", action_mask=True),
        ForagingEnv(**registered("lbforaging")["Foraging-8x8-2p-3f-v3"]),
    )
    rng = random.Random(1)
    for seed in range(5):
        _, info = env.reset(seed=seed)
        reference.reset(seed=seed)
        over = False
        while not over:
            valid = [[int(a in reference._valid_actions[p]) for a in reference.action_set] for p in reference.players]
            assert info["action_mask"][:, 1:].tolist() == valid and info["action_mask"][:, 0].all()
            actions = seeking(reference, rng)
            *_, over, _, info = env.step(actions)
            reference.step(actions)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": 0}, "players=0: expected an integer from 1 to 64"),
        ({"field_size": 2}, r"field_size=2: expected an integer from 3 to 255"),
        ({"field_size": [3, 3], "players": 10}, r"field_size=\[3, 3\]: expected 10 cells or more"),
        ({"max_player_level": [1, 2, 3]}, r"max_player_level=\[1, 2, 3\]: expected one level, or players=2"),
        ({"min_player_level": 3}, "max_player_level=2: expected at least min_player_level=3"),
        ({"min_food_level": 9}, "min_food_level=9: expected at most 2"),
        ({"sight": 0}, "sight=0: expected an integer from 1 to 255"),
        ({"max_num_food": 0}, "max_num_food=0: expected an integer from 1 to 1000"),
    ],
)
def test_fields_without_room_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        envpool_rs.make_vec("Foraging-v3", **options)


def test_actions_are_checked_for_each_player():
    env = MultiAgentEnv("Foraging-8x8-2p-3f-v3")
    env.reset(seed=0)
    for actions in ([0], [0, 0, 0], None, 5, {0: 1, 1: 1}, np.array(3)):
        with pytest.raises(ValueError, match="expected 2 of them, one for each player"):
            env.step(actions)
    with pytest.raises(ValueError, match="seed=-1: expected 0 to"):
        env.seed(-1)
    with pytest.raises(ValueError, match="expected an integer from 0 to 5"):
        env.step([0, 6])
    assert env.render_mode is None


def test_text_shows_players_and_foods():
    env = MultiAgentEnv("Foraging-5x5-2p-1f-v3", render_mode="ansi")
    env.reset(seed=0)
    text = env.render()
    assert text.count("\n") == 5 and "A" in text and "B" in text


def test_small_fields_start_all_players():
    """Nine players on nine cells: as in the package, none of them finds a free cell in the next episode."""
    env = MultiAgentEnv("Foraging-v3", players=9, field_size=3, max_num_food=1)
    first, _ = env.reset(seed=1)
    second, _ = env.reset(seed=2)
    assert [each[3:5].tolist() for each in first] == [each[3:5].tolist() for each in second]
