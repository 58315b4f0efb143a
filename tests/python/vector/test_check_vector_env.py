"""Tests that `check_vector_env` accepts valid vector environments, and that each of its checks finds the fault it is
meant for.
"""

import warnings

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs.vector_env_check import CHECKS, VectorEnvContractError, check_vector_env
from gymnasium.vector import AutoresetMode, VectorWrapper

MODES = ["next_step", "same_step", "disabled"]
TASKS = ["CartPole-v1", "Pendulum-v1", "Taxi-v3", "FrozenLake-v1", "Blackjack-v1"]
ENVS = 3


def make(task="CartPole-v1", mode="next_step", num_envs=ENVS, **options):
    return envpool_rs.make_vec(task, num_envs, autoreset_mode=mode, max_episode_steps=11, **options)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("task", TASKS)
def test_native_environments_satisfy_the_contract(task, mode):
    unseen = check_vector_env(make(task, mode), steps=60, strict=True)
    assert not any("no episode ended" in each for each in unseen)


@pytest.mark.parametrize("mode", MODES)
def test_native_environments_with_statistics_satisfy_the_contract(mode):
    check_vector_env(make(mode=mode, record_episode_statistics=True), steps=60, strict=True)


def test_python_environments_satisfy_the_contract():
    with make(mode="same_step", vectorization_mode="shared_memory") as env:
        check_vector_env(env, steps=60, strict=True)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_gymnasiums_sync_vector_env_satisfies_the_contract(mode):
    single = [lambda: gymnasium.make("CartPole-v1", max_episode_steps=11)] * ENVS
    check_vector_env(gymnasium.vector.SyncVectorEnv(single, autoreset_mode=mode), steps=60, strict=True)


def test_gymnasiums_async_vector_env_violates_one_check():
    single = [lambda: gymnasium.make("CartPole-v1", max_episode_steps=11)] * ENVS
    env = gymnasium.vector.AsyncVectorEnv(single, autoreset_mode=AutoresetMode.SAME_STEP)
    try:
        with pytest.raises(VectorEnvContractError) as failure:
            check_vector_env(env, steps=60, strict=True)
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            env.close(terminate=True)
    # After AsyncVectorEnv rejects a batch of the wrong length, unread replies remain in some of its workers.
    assert [each.check for each in failure.value.broken] == ["a_mistake_leaves_it_usable"]


# Faulty vector environments, each of which one check must find.


class Broken(VectorWrapper):
    """A vector environment with a fault: `on_reset` and `on_step` change the results."""

    def __init__(self, mode="next_step", task="CartPole-v1"):
        super().__init__(make(task, mode))
        self.games = self.count = 0
        self.ended = np.zeros(ENVS, dtype=bool)

    def reset(self, *, seed=None, options=None):
        self.games, self.count = self.games + 1, 0
        return self.on_reset(self.env.reset(seed=seed, options=options), seed, options)

    def step(self, actions):
        self.count += 1
        result = self.env.step(actions)
        changed = self.on_step(*result)
        self.ended = np.logical_or(result[2], result[3])
        return changed

    def on_reset(self, results, seed, options):
        return results

    def on_step(self, *results):
        return results


class SingleSpaces(Broken):
    @property
    def observation_space(self):
        return self.env.single_observation_space


class ModeAsText(Broken):
    @property
    def metadata(self):
        return {"autoreset_mode": "next_step"}


class FourValues(Broken):
    def on_step(self, observation, reward, terminated, truncated, info):
        return observation, reward, terminated, truncated


class OutsideOfItsSpace(Broken):
    def on_step(self, observation, *others):
        return observation.astype(np.float64), *others


class IntegerRewards(Broken):
    def on_step(self, observation, reward, *others):
        return observation, reward.astype(np.int64), *others


class FlagsAsNumbers(Broken):
    def on_step(self, observation, reward, terminated, *others):
        return observation, reward, terminated.astype(np.int8), *others


class NotDeterministic(Broken):
    def on_step(self, observation, reward, *others):
        return observation, reward + self.games, *others


class OneSeedForAll(Broken):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=[seed] * ENVS if isinstance(seed, int) else seed, options=options)


class RewardsForResets(Broken):
    def on_step(self, observation, reward, *others):
        return observation, reward + self.ended, *others


class NoLastObservation(Broken):
    def on_step(self, *results):
        return *results[:4], {key: value for key, value in results[4].items() if "final_obs" not in key}


class LastObservationTwice(Broken):
    def on_step(self, observation, *others):
        for index in np.flatnonzero(others[3].get("_final_obs", [])):
            observation[index] = others[3]["final_obs"][index]
        return observation, *others


class NoLastInfos(Broken):
    def on_step(self, *results):
        return *results[:4], {key: value for key, value in results[4].items() if "final_info" not in key}


class MasksResetAll(Broken):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed)


class OneBuffer(Broken):
    buffer = np.zeros((ENVS, 4), np.float32)

    def on_step(self, observation, *others):
        self.buffer[:] = observation
        return self.buffer, *others


class SharesItsState(Broken):
    """Broken environment whose rewards, sums of all rewards, are the array from which it computes the next sums."""

    def on_reset(self, results, seed, options):
        self.returns = np.zeros(ENVS)
        return results

    def on_step(self, observation, reward, *others):
        self.returns = np.where(self.ended, 0.0, self.returns + reward)
        return observation, self.returns, *others


class WritesIntoActions(Broken):
    def step(self, actions):
        results = super().step(actions)
        actions[:] = 0
        return results


class ScalarInfos(Broken):
    def on_step(self, *results):
        return *results[:4], {"difficulty": 3, "_difficulty": np.ones(ENVS, dtype=bool)}


class NoMasks(Broken):
    def on_step(self, *results):
        return *results[:4], {"height": np.zeros(ENVS)}


class FillsUpActions(Broken):
    def step(self, actions):
        return super().step(np.resize(actions, ENVS) if len(actions) < ENVS else actions)


class CutsActions(Broken):
    def step(self, actions):
        return super().step(actions[:ENVS])


class CutsSeeds(Broken):
    def reset(self, *, seed=None, options=None):
        return super().reset(seed=seed[:ENVS] if isinstance(seed, list) else seed, options=options)


class ClipsActions(Broken):
    def step(self, actions):
        return super().step(np.minimum(actions, 1))


class DiesOfMistakes(Broken):
    dead = False

    def reset(self, *, seed=None, options=None):
        if self.dead:
            raise RuntimeError("dead")
        return super().reset(seed=seed, options=options)

    def step(self, actions):
        self.dead |= len(actions) == ENVS and bool((actions > 1).any())
        return super().step(actions)


FAULTS = {
    "spaces_are_batches": SingleSpaces,
    "autoreset_mode_is_reported": ModeAsText,
    "steps_return_five_values": FourValues,
    "observations_lie_in_the_space": OutsideOfItsSpace,
    "rewards_are_numbers": IntegerRewards,
    "flags_are_booleans": FlagsAsNumbers,
    "the_same_seed_plays_the_same_game": NotDeterministic,
    "an_int_seeds_environments_consecutively": OneSeedForAll,
    "the_step_after_an_end_only_resets": RewardsForResets,
    "the_last_observation_is_kept": lambda: NoLastObservation("same_step"),
    "the_last_observation_is_not_the_next_ones_first": lambda: LastObservationTwice("same_step"),
    "the_last_infos_are_kept": lambda: NoLastInfos("same_step"),
    "a_mask_resets_the_others_not": lambda: MasksResetAll("disabled"),
    "results_stay_as_they_are": OneBuffer,
    "results_belong_to_the_caller": SharesItsState,
    "actions_are_left_alone": WritesIntoActions,
    "infos_have_a_row_for_each_environment": ScalarInfos,
    "infos_have_masks": NoMasks,
    "too_few_actions_are_refused": FillsUpActions,
    "too_many_actions_are_refused": CutsActions,
    "a_wrong_number_of_seeds_is_refused": CutsSeeds,
    "actions_outside_of_the_space_are_refused": ClipsActions,
    "a_mistake_leaves_it_usable": DiesOfMistakes,
}


def test_every_check_detects_a_fault():
    assert list(FAULTS) == [check.__name__ for check in CHECKS]


@pytest.mark.parametrize("check", FAULTS)
def test_the_fault_is_detected(check):
    env = FAULTS[check]()
    with pytest.raises(VectorEnvContractError) as failure:
        check_vector_env(env, steps=60, strict=True)
    found = {each.check: each for each in failure.value.broken}
    assert check in found
    assert found[check].promise.endswith(".") and str(found[check]) in str(failure.value)


def test_an_environment_without_the_fault_passes():
    check_vector_env(Broken(), steps=60, strict=True)


def test_skipped_checks_are_reported():
    unseen = check_vector_env(envpool_rs.make_vec("Pendulum-v1", 1), steps=5, strict=True)
    assert any("no episode ended within steps=5" in each for each in unseen)
    assert any("the action space is not discrete" in each for each in unseen)
    assert any("the mode is AutoresetMode.NEXT_STEP" in each for each in unseen)


def test_only_vector_environments_are_checked():
    with pytest.raises(TypeError, match=r"expected a gymnasium.vector.VectorEnv"):
        check_vector_env(gymnasium.make("CartPole-v1"))
    with pytest.raises(ValueError, match="steps=0: expected 1 or more"):
        check_vector_env(make(), steps=0)


def test_check_vector_env_is_importable_from_the_package():
    assert envpool_rs.check_vector_env is check_vector_env


def test_the_actions_space_of_the_environment_keeps_its_generator():
    env, other = make(), make()
    env.action_space.seed(1), other.action_space.seed(1)
    check_vector_env(env, steps=5, strict=True)
    np.testing.assert_array_equal(env.action_space.sample(), other.action_space.sample())


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("mode", [*AutoresetMode, "copy", "statistics"])
def test_gymnasiums_own_environments_satisfy_what_gymnasium_promises(mode):
    own = {"autoreset_mode": mode} if isinstance(mode, AutoresetMode) else {"copy": mode != "copy"}
    env = gymnasium.make_vec("CartPole-v1", ENVS, "sync", vector_kwargs=own, max_episode_steps=11)
    if mode == "statistics":
        env = gymnasium.wrappers.vector.RecordEpisodeStatistics(env)
    unseen = check_vector_env(env, steps=30)
    assert sum("strict is false" in each for each in unseen) == 6
    assert any("Not looked at: copy is false." in each for each in unseen) == (mode == "copy")


def test_an_environment_without_lists_of_seeds_satisfies_the_contract():
    env = gymnasium.make_vec("CartPole-v1", ENVS, "vector_entry_point", max_episode_steps=11)
    unseen = check_vector_env(env, steps=30)
    assert any("takes no list of seeds" in each for each in unseen)


def test_strict_is_a_bool():
    with pytest.raises(TypeError, match="strict=1: expected a bool"):
        check_vector_env(make(), strict=1)
