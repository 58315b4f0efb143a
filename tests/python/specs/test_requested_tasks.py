"""Tests that every function that makes environments accepts the same ids and specifications."""

import copy

import envpool_rs
import gymnasium
import pytest
from envpool_rs.pools import PythonVectorEnv, SingleEnv, VectorEnv
from numba_tasks import own_tasks


def _forms():
    own = envpool_rs.make("Pendulum-v1", num_envs=3, g=5.0, seed=4)
    vector = gymnasium.make_vec("envpool_rs/Pendulum-v1", 3, g=5.0, seed=4)
    return [own.spec, envpool_rs.make_vec("Pendulum-v1", 3, g=5.0, seed=4).spec, vector.spec]


def test_specifications_of_pools_make_equal_pools():
    for spec in _forms():
        for make in (envpool_rs.make, envpool_rs.make_vec, envpool_rs.make_gym, envpool_rs.make_dm):
            env = make(spec)
            assert (len(env), env.spec.config.g) == (3, 5.0) and 4 in (env.spec.config.seed,), make
        assert envpool_rs.make_spec(spec, num_envs=2).num_envs == 2
        assert envpool_rs.make_vec(spec, 5).num_envs == 5
        assert gymnasium.make_vec(spec).num_envs == 3


def test_specifications_of_pools_make_single_environments():
    for spec in _forms():
        for env in (spec.make(), gymnasium.make(spec)):
            assert isinstance(env.unwrapped, SingleEnv) and env.unwrapped.g == 5.0
            assert env.reset(seed=1)[0].shape == (3,) and env.step([0.0])[3] is False
    with pytest.raises(ValueError, match=r"task_id=\['CartPole-v1', 'CartPole-v0'\]: expected one task"):
        envpool_rs.make(["CartPole-v1", "CartPole-v0"]).spec.make()
    with pytest.raises(TypeError, match="num_envs"):
        gymnasium.make("envpool_rs/CartPole-v1", num_envs=2)


GYMNASIUM_ID = "envpool_rs/CartPole-v1"


def test_all_makers_accept_ids_of_gymnasium_and_their_specifications():
    spec = gymnasium.spec(GYMNASIUM_ID)
    for form in (GYMNASIUM_ID, f"envpool_rs:{GYMNASIUM_ID}", spec, [GYMNASIUM_ID], [f"envpool_rs:{GYMNASIUM_ID}"]):
        for make in (envpool_rs.make, envpool_rs.make_gym, envpool_rs.make_dm, envpool_rs.make_spec):
            made = make(form)
            assert getattr(made, "spec", made).task_id == "CartPole-v1"
        assert isinstance(envpool_rs.make_vec(form), VectorEnv)
    assert SingleEnv(spec).reset(seed=1)[0].shape == (4,)


def test_changed_fields_of_a_specification_apply():
    spec = copy.deepcopy(gymnasium.spec(GYMNASIUM_ID))
    spec.max_episode_steps, spec.reward_threshold = 7, 3.0
    for env in (envpool_rs.make(spec), envpool_rs.make_vec(spec, 2)):
        assert (env.spec.max_episode_steps, env.spec.reward_threshold) == (7, 3.0)
    assert envpool_rs.make(spec, max_episode_steps=9).spec.max_episode_steps == 9


def test_specifications_of_other_environments_are_refused_by_native_makers():
    spec = gymnasium.spec("CartPole-v1")
    for make in (envpool_rs.make, envpool_rs.make_spec, SingleEnv):
        with pytest.raises(ValueError, match="task_id='CartPole-v1': expected a task of envpool_rs; make_vec and"):
            make(spec)
    with envpool_rs.make_vec(spec, 2) as env:
        assert isinstance(env, PythonVectorEnv)
        again = envpool_rs.make_vec(env.spec)
        assert isinstance(again, PythonVectorEnv) and again.num_envs == 2
        again.close()
        assert env.spec.make().unwrapped.gravity == 9.8


def test_a_registered_name_may_have_a_specification_as_base():
    with own_tasks():
        envpool_rs.register("Light-v0", base=envpool_rs.make_spec("envpool_rs/Pendulum-v1", g=5.0))
        assert envpool_rs.make("Light-v0").spec.config.g == 5.0


@pytest.mark.parametrize("kind", ["gymnasium", "gym", "dm"])
def test_specifications_of_python_environments_have_the_attributes_of_native_ones(kind):
    with envpool_rs.make_python("CartPole-v1", kind, num_envs=3, batch_size=2, seed=[1, 2, 3]) as pool:
        spec, native = pool.spec, envpool_rs.make("CartPole-v1", kind).spec
        public = [name for name in dir(native) if not name.startswith("_") and name != "pool"]
        assert [name for name in public if hasattr(native, name) and not hasattr(spec, name)] == []
        assert (spec.num_envs, spec.batch_size, spec.is_async) == (3, 2, True)
        assert pool._state_keys == spec._state_keys == list(spec.state_array_spec)
        assert pool._action_keys == spec._action_keys == ["env_id", "players.env_id", "action"]
        assert spec.gen_config(num_envs=8).num_envs == 8 and spec.gen_config() == spec.config
        other = spec.with_options(num_envs=5, seed=4, reward_threshold=1.0)
        assert (other.num_envs, other.batch_size, other.reward_threshold) == (5, 2, 1.0)
        assert spec.num_envs == 3 and spec.for_envs([2, 0]).config.seed == [3, 1]
        assert spec.make().unwrapped.gravity == 9.8
        with pytest.raises(TypeError, match=r"with_options\(gravity=...\): expected one of num_envs, batch_size"):
            spec.with_options(gravity=1.0)
        with pytest.raises(ValueError, match="batch_size=9"):
            spec.with_options(batch_size=9)


def test_specifications_of_functions_make_no_environment():
    pool = envpool_rs.make_python([lambda: gymnasium.make("CartPole-v1")])
    pool.close()
    with pytest.raises(ValueError, match=r"spec.make\(\): functions made these environments"):
        pool.spec.make()


def test_installed_files_of_one_task_are_no_option_of_another():
    # The folder of models that InvertedPendulum reads must not be refused as an option of CartPole.
    with pytest.raises(ValueError, match="cannot share a pool"):
        envpool_rs.make_spec(["InvertedPendulum-v5", "CartPole-v1"])
