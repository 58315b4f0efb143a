"""Tests that `evaluate` plays exactly the episodes of its seeds, whatever the number of environments."""

import envpool_rs
import gymnasium
import numpy as np
import pytest

CARTPOLE = "CartPole-v1"


def lean(obs):
    return (obs[:, 2] > 0).astype(np.int64)


def returns_of_single_episodes(seeds):
    env = gymnasium.make(CARTPOLE)
    returns, lengths, terminated = [], [], []
    for seed in seeds:
        (obs, _), total, steps, is_over = env.reset(seed=seed), 0.0, 0, False
        while not is_over:
            obs, reward, ended, truncated, _ = env.step(int(lean(obs[None])[0]))
            total, steps, is_over = total + reward, steps + 1, ended or truncated
        returns.append(total), lengths.append(steps), terminated.append(ended)
    return returns, lengths, terminated


@pytest.mark.parametrize("task", ["BipedalWalker-v3", "BipedalWalkerHardcore-v3", "Foraging-8x8-2p-3f-v3"])
def test_episodes_that_carry_state_start_in_new_environments(task):
    def act(observation):
        sums = np.floor(np.abs(observation).sum(1) * 37).astype(np.int64)
        return sums % 6 if task[0] == "F" else np.stack([(sums * k) % 101 / 50 - 1 for k in (3, 4, 5, 6)], 1)

    all_at_once, *others = (envpool_rs.evaluate(act, task, 8, num_envs=n, max_episode_steps=40) for n in (8, 1, 3))
    for other in others:
        np.testing.assert_array_equal(other.returns, all_at_once.returns)


@pytest.mark.parametrize("num_envs", [1, 7, None, 20, 50])
def test_returns_are_those_of_single_episodes_with_any_number_of_environments(num_envs):
    result = envpool_rs.evaluate(lean, CARTPOLE, 20, seeds=5, num_envs=num_envs)
    returns, lengths, terminated = returns_of_single_episodes(range(5, 25))
    assert result.seeds == list(range(5, 25)) and result.returns.dtype == np.float64
    assert result.returns.tolist() == returns and result.lengths.tolist() == lengths
    assert result.terminated.tolist() == terminated
    assert result.mean == np.mean(returns) and result.std == np.std(returns)
    assert repr(result).startswith(f"Evaluation(episodes=20, mean={np.mean(returns):.6g}, ")


def test_seeds_of_a_list_are_played_in_their_order():
    seeds = [9, 3, 3, 2**40]
    result = envpool_rs.evaluate(lean, CARTPOLE, 4, seeds=seeds, num_envs=3)
    assert result.returns.tolist() == returns_of_single_episodes(seeds)[0]


@pytest.mark.parametrize(
    ("task", "action", "options", "infos"),
    [
        ("Pendulum-v1", np.zeros((1,), np.float32), {"g": ("uniform", 4.0, 9.0)}, ["g"]),
        ("SimpleSpread-v3", 1, {}, []),
        ("MiniGrid-Empty-Random-5x5-v0", 2, {}, []),
        ("Taxi-v4", 1, {}, ["prob", "action_mask"]),
    ],
)
def test_results_do_not_depend_on_the_number_of_environments(task, action, options, infos):
    def constant(obs):
        rows = len(obs["image"]) if isinstance(obs, dict) else len(obs)
        return np.array([action] * rows)

    limits = {"max_episode_steps": 9, **options}
    one, other = (envpool_rs.evaluate(constant, task, 5, num_envs=n, infos=infos, **limits) for n in (1, 3))
    assert one.returns.tobytes() == other.returns.tobytes() and list(one.infos) == infos
    assert one.returns.shape == (5,)
    for name in infos:
        assert one.infos[name].tobytes() == other.infos[name].tobytes() and len(one.infos[name]) == 5


def test_environments_written_in_python_are_evaluated():
    result = envpool_rs.evaluate(lean, lambda: gymnasium.make(CARTPOLE), 3, num_envs=2)
    assert result.returns.tolist() == returns_of_single_episodes(range(3))[0]


def test_a_pool_that_exists_is_evaluated_and_stays_open():
    options = {"autoreset_mode": "disabled", "record_episode_statistics": True}
    with envpool_rs.make_vec(CARTPOLE, 4, **options) as env:
        results = [envpool_rs.evaluate(lean, env, 6) for _ in range(2)]
        assert not env.closed
    assert [result.returns.tolist() for result in results] == [returns_of_single_episodes(range(6))[0]] * 2


def test_a_policy_with_a_state_starts_again_with_each_episode():
    class Model:
        def predict(self, obs, state=None, episode_start=None, deterministic=False):
            assert deterministic
            state = np.zeros(len(obs), np.int64) if state is None else state
            state = np.where(episode_start, 0, state + 1)
            return state % 2, state

    def alternate(seed):
        env, steps, is_over = gymnasium.make(CARTPOLE), 0, False
        env.reset(seed=seed)
        while not is_over:
            *_, terminated, truncated, _ = env.step(steps % 2)
            steps, is_over = steps + 1, terminated or truncated
        return steps

    result = envpool_rs.evaluate(Model(), CARTPOLE, 6, num_envs=2)
    assert result.lengths.tolist() == [alternate(seed) for seed in range(6)]


def test_observations_are_normalised_by_the_statistics_of_training():
    training = envpool_rs.make_vec(CARTPOLE, 16, seed=1, normalize_obs=True, normalize_reward=True)
    training.reset()
    for _ in range(5):
        training.step(training.action_space.sample())
    moments, seen = training.normalization.obs_rms, []

    def policy(obs):
        seen.append(obs.copy())
        return lean(obs * np.sqrt(moments.var + 1e-8) + moments.mean)

    result = envpool_rs.evaluate(policy, CARTPOLE, 3, normalization=training.normalization)
    assert result.returns.tolist() == returns_of_single_episodes(range(3))[0]  # rewards are not normalised
    with pytest.warns(UserWarning, match="normalize_obs: these environments have statistics of their own"):
        envpool_rs.evaluate(lean, CARTPOLE, 3, normalize_obs=True)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"episodes": 0}, ValueError, "episodes=0: expected 1 or more"),
        ({"seeds": [1, 2]}, ValueError, "seeds has 2 entries: expected one for each of 100 episodes"),
        ({"seeds": -1}, ValueError, "seeds=-1: expected 0 or more"),
        ({"seeds": 1.5}, TypeError, "seeds=1.5: expected an int, or a sequence of ints"),
        ({"num_envs": 0}, ValueError, "num_envs=0: expected 1 or more"),
        ({"infos": "lives"}, TypeError, "infos='lives': expected a list of names"),
        ({"infos": ["lives"]}, ValueError, "infos has the name 'lives': expected some of episode"),
        ({"policy": 3}, TypeError, "policy=3: expected a function, or an object with a method predict"),
        ({"autoreset_mode": "same_step"}, ValueError, "autoreset_mode='same_step': expected 'disabled'"),
        ({"gravitation": 3}, TypeError, 'no option "gravitation"'),
        ({"seed": 3}, TypeError, "seed=3: seeds are those of the episodes; give seeds"),
        ({"reset_options": {"reset_mask": [True]}}, ValueError, "reset_options has reset_mask"),
        ({"reset_options": [3]}, TypeError, "reset_options=.*: expected a dict"),
    ],
)
def test_wrong_arguments_are_refused(arguments, error, text):
    with pytest.raises(error, match=text):
        envpool_rs.evaluate(**{"policy": lean, "task": CARTPOLE, **arguments})


def test_pools_that_cannot_play_single_episodes_are_refused():
    for env, options, error, text in (
        (envpool_rs.make_vec(CARTPOLE, 2), {}, ValueError, "expected a pool made with autoreset_mode='disabled'"),
        (envpool_rs.make_vec(CARTPOLE, 2), {"num_envs": 3}, TypeError, "num_envs: options belong to an id"),
        (gymnasium.make_vec(CARTPOLE, 2, "sync"), {}, TypeError, "expected an id, or a pool that make_vec has made"),
    ):
        with pytest.raises(error, match=text):
            envpool_rs.evaluate(lean, env, **options)
