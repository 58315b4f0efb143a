"""Tests that public objects refuse assignments to attributes that they do not have."""

import dataclasses
import importlib
import inspect

import envpool_rs
import gymnasium
import numpy as np
import pytest
from envpool_rs._facades.agent_vector_env import AgentVectorEnv
from envpool_rs._known_attributes import KnownAttributes, all_attributes
from envpool_rs.multi_env import MultiEnv, SubprocessEnv
from envpool_rs.vector import DummyVectorEnv, EnvWorker, RunningMeanStd, SubprocVectorEnv
from envpool_rs.workers import WorkerGroup
from test_public_names import NAMES
from test_torch_pinned import pinned_class  # noqa: F401

OTHERS = {
    "envpool_rs.as_envpool.registration.EnvRegistry": "EnvPool's object, which has functions only",
    "envpool_rs.envpool_alias.EnvPoolAlias": "a finder of modules",
    "envpool_rs.spaces.ArraySpec": "EnvPool's object",
    "envpool_rs.workers.EnvFailure": "a value",
    "envpool_rs.workers.Steps": "has slots",
}
"""Public classes whose instances accept any attribute, or that refuse unknown ones by other means."""

KINDS = ("gymnasium", "gym", "dm")


def refuse(value, name, message):
    with pytest.raises(AttributeError, match=message):
        setattr(value, name, 1)
    assert name not in vars(value)


@pytest.mark.parametrize("kind", KINDS)
def test_pools_refuse_unknown_attributes_options_and_physics(kind):
    pool = envpool_rs.make("Pendulum-v1", kind, normalize_obs=True)
    refuse(pool, "g", r"g: options are fixed .*; give g to make_vec, or call set_options\(g=...\)")
    refuse(pool, "max_speed", "max_speed: the physics of native environments are fixed")
    refuse(pool, "nothing", "no attribute 'nothing' to assign")
    refuse(pool.spec, "ide", "EnvSpec has no attribute 'ide' to assign; did you mean 'id'")
    refuse(pool.spec, "num_envs", "num_envs")
    refuse(pool.normalization, "trained", "Normalization has no attribute 'trained' .*training")
    pool.normalization.update_running_mean = False


@pytest.mark.parametrize("kind", KINDS)
def test_pools_of_python_environments_name_set_attr(kind):
    with envpool_rs.make_python("CartPole-v1", kind) as pool:
        refuse(pool, "gravity", "no attribute 'gravity' .*set_attr\\('gravity', ...\\) sets attributes")
        refuse(pool.spec, "batched_observation", "did you mean 'batched_observation_space'")


def test_vector_environments_suggest_similar_names():
    env = envpool_rs.make_vec("CartPole-v1", 2)
    refuse(env, "num_env", "VectorEnv has no attribute 'num_env' to assign; did you mean 'num_envs'")
    refuse(env, "tau", "tau: the physics of native")
    refuse(env, "state", "state: that is the engine's")


def test_single_environments_refuse_what_pools_refuse():
    env = gymnasium.make("envpool_rs/CartPole-v1").unwrapped
    refuse(env, "tau", "tau: the physics of native")
    refuse(env, "sutton_barto_reward", "options are fixed")
    refuse(env, "state", "state: that is the engine's")
    refuse(env, "np_random", "np_random: that is the engine's")
    refuse(env, "render_mod", "SingleEnv has no attribute 'render_mod' to assign; did you mean 'render_mode'")
    assert env.gravity == 9.8


@pytest.mark.parametrize("kind", ["gymnasium", "gym"])
def test_names_that_trainers_assign_are_assignable(kind):
    pool = envpool_rs.make("CartPole-v1", kind, num_envs=2)
    pool.num_envs, pool.is_vector_env, pool.render_mode, pool.metadata = 2, True, None, {}
    pool.single_action_space, pool.single_observation_space = pool.action_space, pool.observation_space
    pool.spec.id = "other"
    pool._own = 1
    assert (pool.spec.id, pool._own) == ("other", 1)
    env = gymnasium.make("envpool_rs/CartPole-v1").unwrapped
    env.spec, env.metadata, env.render_mode = gymnasium.spec("envpool_rs/CartPole-v1"), {}, None


def test_subclasses_of_users_have_attributes_of_their_own():
    class Counting(envpool_rs.pools.SingleEnv):
        def __init__(self):
            super().__init__("CartPole-v1")
            self.counter = 0

    env = Counting()
    env.counter, env.other = 1, 2
    assert (env.counter, env.other) == (1, 2)


def test_batches_refuse_unknown_fields():
    mujoco = pytest.importorskip("mujoco")
    xml = "<mujoco><worldbody><body><joint name='hinge'/><geom size='1'/></body></worldbody></mujoco>"
    batch = envpool_rs.Batch(mujoco.MjModel.from_xml_string(xml), 2)
    refuse(batch, "ctlr", r"no attribute 'ctlr' to assign \(did you mean 'ctrl'\?\)")
    refuse(batch, "body_mass", "MjModel field: use expand\\('body_mass'\\)")
    state = batch.state
    for name, message in (("state", r"write to batch.state\[...\]"), ("warning", "read-only"), ("model", "read-only")):
        with pytest.raises(AttributeError, match=message):
            setattr(batch, name, np.zeros_like(state))
    assert batch.state is state
    with pytest.raises(AttributeError, match="did you mean 'qpos'"):
        batch.joint("hinge").qps = 1
    env = envpool_rs.batch.make_vec(
        *(batch, lambda b: b.qpos, lambda b, before, action: b.qpos[:, 0], lambda b: b.qpos[:, 0] > 1, lambda *_: None)
    )
    refuse(env, "limit", "BatchVectorEnv has no attribute 'limit' to assign")


def test_agent_vector_environments_refuse_unknown_attributes():
    pool = envpool_rs.make_vec("SimpleSpread-v3", 2, autoreset_mode="same_step")
    env = AgentVectorEnv(pool)
    refuse(env, "agent", "AgentVectorEnv has no attribute 'agent' to assign; did you mean 'agents'")


def test_messages_list_few_names_and_no_methods():
    class Few(KnownAttributes):
        width: int
        height = 1

        def area(self):
            return self.width * self.height

        @property
        def read_only(self):
            return 0

    Few.__module__ = "envpool_rs.few"
    few = Few()
    few.width = few.height = 2
    with pytest.raises(AttributeError, match=r"^Few has no attribute 'colour' to assign; there are: height, width$"):
        few.colour = 1
    few.area = lambda: 5
    assert few.area() == 5


def test_vector_environments_of_workers_name_set_env_attr():
    for cls in (DummyVectorEnv, SubprocVectorEnv):
        venv = cls([lambda: gymnasium.make("CartPole-v1")])
        refuse(venv, "gravity", r"no attribute 'gravity' .*set_env_attr\('gravity', ...\) sets attributes")
        refuse(venv, "normobs", "did you mean 'norm_obs'")
        venv.norm_obs, venv.obs_rms, venv.update_obs_rms = True, RunningMeanStd(), False
        venv.close()


def test_groups_of_environments_refuse_unknown_attributes():
    env = SubprocessEnv(lambda: gymnasium.make("CartPole-v1"))
    refuse(env, "gravity", "SubprocessEnv has no attribute 'gravity'")
    env.start()
    env.initialize()
    multi = MultiEnv([env])
    refuse(multi, "training", "MultiEnv has no attribute 'training'")
    refuse(multi.envs[0], "gravity", "no attribute 'gravity'")
    multi.close()
    group = WorkerGroup([lambda: gymnasium.make("CartPole-v1")])
    refuse(group, "num_worker", "did you mean 'num_workers'")
    group.close()
    refuse(RunningMeanStd(), "variance", "no attribute 'variance'")


def test_parallel_environments_accept_what_pettingzoo_assigns():
    pettingzoo = pytest.importorskip("envpool_rs.pettingzoo")
    env = pettingzoo.parallel_env("SimpleSpread-v3")
    refuse(env, "possible_agent", "PoolParallelEnv has no attribute 'possible_agent' .*did you mean 'possible_agents'")
    refuse(env, "training", "no attribute 'training'")
    env.max_cycles, env.render_mode, env.metadata = 9, None, {}
    env.close()


def test_memories_refuse_unknown_attributes():
    pytest.importorskip("ale_py")
    env = gymnasium.make("envpool_rs/ALE-Pong-v5").unwrapped
    refuse(env.ale, "lives_left", "AtariInterface has no attribute 'lives_left'")
    env.ale.np_random = np.random.default_rng(1)
    memory = envpool_rs.FrameMemory(envpool_rs.make_vec("Pong-v5", 2, stack_once=True), 8)
    refuse(memory, "step_count", "FrameMemory has no attribute 'step_count' to assign")
    refuse(memory, "rewards", "did you mean 'reward'")
    memory.env.close()


def test_pinned_memory_refuses_unknown_attributes(pinned_class):  # noqa: F811
    pinned = pinned_class(envpool_rs.make("CartPole-v1", num_envs=2), "cpu")
    refuse(pinned, "devices", "Pinned has no attribute 'devices' to assign; did you mean 'device'")


def test_base_classes_of_other_packages_may_assign_any_attribute():
    class Theirs:
        def __init__(self):
            self.number = 1

    class Ours(KnownAttributes, Theirs):
        def __init__(self):
            with all_attributes(self):
                super().__init__()

    Ours.__module__ = "envpool_rs.ours"
    ours = Ours()
    ours.number = 2
    refuse(ours, "numbers", "did you mean 'number'")


@pytest.mark.parametrize("path", NAMES)
def test_public_classes_refuse_unknown_attributes(path):
    try:
        module = importlib.import_module(path)
    except ImportError as error:
        pytest.skip(str(error))
    classes = [value for name in NAMES[path] if inspect.isclass(value := getattr(module, name, None))]
    for cls in classes:
        # Users derive classes of their own from RLlib's.
        is_other = issubclass(cls, (BaseException, tuple)) or cls.__module__.startswith("envpool_rs.rllib")
        is_frozen = dataclasses.is_dataclass(cls) and cls.__dataclass_params__.frozen
        name = f"{path}.{cls.__name__}"
        is_worker = issubclass(cls, EnvWorker)  # assigns attributes in every step of every environment
        assert issubclass(cls, KnownAttributes) or is_other or is_frozen or is_worker or name in OTHERS, name
