"""Correct and incorrect calls for type checkers; test_signatures.py compares the checkers' errors.

Checkers must report exactly the lines that end in ``# E``. Nothing here is run.
"""

from typing import TYPE_CHECKING, Any, Literal

import envpool_rs
import numpy as np
import numpy.typing as npt
from envpool_rs.pools import (
    DMEnvPool,
    EnvSpec,
    GymEnvPool,
    GymnasiumEnvPool,
    PythonGymnasiumEnvPool,
    PythonVectorEnv,
    VectorEnv,
)
from gymnasium import VectorizeMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from typing_extensions import Unpack, assert_type

if TYPE_CHECKING:
    from envpool_rs._make.signatures import EnvPool, PendulumOptions
    from envpool_rs._python_pool.dm_facade import PythonDMEnvPool
    from envpool_rs._python_pool.gym_facade import PythonGymEnvPool

INTERFACES: tuple[Literal["gymnasium", "gym", "dm"], ...] = ("gymnasium", "gym", "dm")

Array = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


def what_functions_make(name: str, options: dict[str, Any]) -> None:
    assert_type(envpool_rs.make("CartPole-v1"), GymnasiumEnvPool[Any])
    assert_type(envpool_rs.make("CartPole-v1", env_type="gymnasium"), GymnasiumEnvPool[Any])
    assert_type(envpool_rs.make("CartPole-v1", "gym"), GymEnvPool)
    assert_type(envpool_rs.make("CartPole-v1", "dm"), DMEnvPool)
    assert_type(envpool_rs.make_gymnasium("CartPole-v1"), GymnasiumEnvPool[Any])
    assert_type(envpool_rs.make_gym("CartPole-v1", gym_reset_return_info=False), GymEnvPool)
    assert_type(envpool_rs.make_dm("CartPole-v1"), DMEnvPool)
    assert_type(envpool_rs.make_spec("CartPole-v1", num_envs=3), EnvSpec)
    assert_type(envpool_rs.make_vec("CartPole-v1", num_envs=3), VectorEnv[Any] | PythonVectorEnv)
    assert_type(envpool_rs.make_vec("CartPole-v1", vectorization_mode="native"), VectorEnv[Any])
    # The type of observations can be declared.
    observed: GymnasiumEnvPool[dict[str, Array]] = envpool_rs.make("SimpleSpeakerListener-v4")
    assert_type(observed.reset(), tuple[dict[str, Array], dict[str, Any]])
    # Calls with task names that are known at run time only, lists of tasks, and ids of gymnasium.
    assert_type(envpool_rs.make(name), GymnasiumEnvPool[Any])
    assert_type(envpool_rs.make(name, "dm", num_envs=8), DMEnvPool)
    assert_type(envpool_rs.make(["Pong-v5", "Breakout-v5"], full_action_space=True), GymnasiumEnvPool[Any])
    assert_type(envpool_rs.make_vec("CartPole-v1", vectorization_mode="shared_memory", own=1), PythonVectorEnv)
    assert_type(envpool_rs.make_vec(["CartPole-v0", "CartPole-v1"]), VectorEnv[Any])
    assert_type(envpool_rs.make_vec("envpool_rs/CartPole-v1", whatever=1), VectorEnv[Any] | PythonVectorEnv)
    same_step = {"autoreset_mode": "SameStep"}
    assert_type(envpool_rs.make_vec(["CartPole-v1"], vector_kwargs=same_step), VectorEnv[Any])
    assert_type(envpool_rs.make_vec([dict, dict], observation_mode="different"), PythonVectorEnv)
    assert_type(envpool_rs.make_vec([dict, dict], vectorization_mode="sync"), SyncVectorEnv[Any, Any])
    assert_type(envpool_rs.make_vec("CartPole-v1", 2, VectorizeMode.ASYNC, wrappers=[dict]), Any)
    # Pools of environments in worker processes; interfaces that are known at run time only.
    assert_type(envpool_rs.make_python([dict, dict]), PythonGymnasiumEnvPool)
    assert_type(envpool_rs.make_python("CartPole-v1", "gym", num_envs=2, own=1), PythonGymEnvPool)
    assert_type(envpool_rs.make_python(dict, env_type="dm", num_workers=1), PythonDMEnvPool)
    pools: list[EnvPool] = [envpool_rs.make_gymnasium(name), envpool_rs.make_dm(name), envpool_rs.make_python(dict)]
    pools[0].send(0)
    for env_type in INTERFACES:
        envpool_rs.make(name, env_type).reset()
        envpool_rs.make_python(dict, env_type).step(0)
    envpool_rs.make("MyOwn-v0", **options).reset()
    envpool_rs.make(name, "gym", **options).reset()
    envpool_rs.make("CartPole-v1", **options).reset()


def what_steps_give(pool: GymnasiumEnvPool[Array], any_pool: GymnasiumEnvPool, vec: VectorEnv[Array]) -> None:
    obs, reward, terminated, truncated, info = pool.step(np.zeros(4, np.int32), np.arange(4))
    assert_type(obs, Array)
    assert_type(reward, npt.NDArray[np.float32])
    assert_type(terminated, Flags)
    assert_type(truncated, Flags)
    assert_type(info, dict[str, Any])
    assert_type(any_pool.step([0])[1], npt.NDArray[np.float32])
    assert_type(pool.reset(), tuple[Array, dict[str, Any]])
    assert_type(pool.recv(reset=True), tuple[Array, dict[str, Any]])
    assert_type(pool.recv()[2], Flags)
    assert_type(vec.step([0])[1], npt.NDArray[np.float64])
    assert_type(vec.reset(seed=3), tuple[Array, dict[str, Any]])
    time_step = envpool_rs.make_dm("CartPole-v1").step([0])
    assert_type(time_step.reward, npt.NDArray[np.float32])
    assert_type(time_step.last(), Flags)
    _obs, _reward, _done, _info = pool.step([0])  # E
    vec.step([0])[5]  # E
    pool.step()  # E


def right_options(name: str) -> None:
    envpool_rs.make("CartPole-v1", num_envs=4, batch_size=2, seed=[1, 2, 3, 4], sutton_barto_reward=True)
    envpool_rs.make("CartPole-v1", seed=None, max_episode_steps=[7, None], num_threads=1, thread_affinity_offset=0)
    envpool_rs.make("CartPole-v1", reward_threshold=3, record_episode_statistics=True, render_mode="rgb_array")
    envpool_rs.make("CartPole-v1", seed=np.arange(3), num_envs=3, autoreset_mode="same_step")
    envpool_rs.make_vec("CartPole-v1", autoreset_mode=AutoresetMode.DISABLED, sutton_barto_reward=("choice", True))
    envpool_rs.make("Pendulum-v1", g=9)
    envpool_rs.make("Pendulum-v1", num_envs=2, g=[9.8, 1])
    envpool_rs.make("Pendulum-v1", num_envs=2, g=np.array([9.8, 1.6]))
    envpool_rs.make("Pendulum-v1", g=("uniform", 9, 11.5))
    envpool_rs.make("Pendulum-v1", num_envs=3, g=[9.8, ("uniform", 9, 11), ("choice", 1, 2.5, 3)])
    envpool_rs.make("FrozenLake-v1", desc=["SF", "FG"], reward_schedule=(1, 0, 0), map_name=None)
    envpool_rs.make("FrozenLake-v1", num_envs=2, desc=[["SF", "FG"], None])
    envpool_rs.make("Pong-v5", noop_max=("integers", 1, 30), frame_skip=("choice", 2, 4), mode=None, stack_num=2)
    envpool_rs.make("ALE/Pong-v5", obs_type="ram", frameskip=(2, 5), stack_size=4, padding_type="zero")
    envpool_rs.make_vec("ALE/Pong-v5", frameskip=1, preprocessing=True, screen_size=(84, 64))
    envpool_rs.make("SimpleSpread-v3", N=4, num_agent_neighbors=None, local_ratio=0.25)
    envpool_rs.make(name, env_type="gym", num_envs=8, episodic_life=True, reward_clip=True, seed=1)


def pendulum(**options: Unpack["PendulumOptions"]) -> GymnasiumEnvPool[Array]:
    # A function of the user's own, with the options of a family.
    return envpool_rs.make_gymnasium("Pendulum-v1", **options)


def wrong_options(name: str, number: float) -> None:
    # Calls with options that no task has.
    envpool_rs.make("CartPole-v1", charge=9.8)  # E
    envpool_rs.make("CartPole-v1", num_env=8)  # E
    envpool_rs.make("CartPole-v1", "gym", charge=9.8)  # E
    envpool_rs.make_dm("CartPole-v1", charge=9.8)  # E
    envpool_rs.make_spec("CartPole-v1", charge=9.8)  # E
    envpool_rs.make(name, num_env=8)  # E
    envpool_rs.make(["CartPole-v0", "CartPole-v1"], num_env=8)  # E
    envpool_rs.make_gym("CartPole-v1", charge=9.8)  # E
    # `make_vec` accepts options of any name for gymnasium's environments.
    envpool_rs.make_vec("CartPole-v1", vectorization_mode="native", num_env=8).reset()  # E
    envpool_rs.make_vec("CartPole-v1", vectorization_mode="native", sutton_barto_reward="yes").reset()  # E
    envpool_rs.make_python(dict, num_envs="8")  # E
    # Calls with options that only other tasks have.
    pendulum(g=9.8, sutton_barto_reward=True)  # E
    # Calls with values of the wrong type.
    envpool_rs.make("CartPole-v1", "gymnasum")  # E
    envpool_rs.make("CartPole-v1", num_envs="8")  # E
    envpool_rs.make("CartPole-v1", seed="8")  # E
    envpool_rs.make("CartPole-v1", sutton_barto_reward="yes")  # E
    envpool_rs.make("CartPole-v1", autoreset_mode="same-step")  # E
    envpool_rs.make("CartPole-v1", render_mode="rgb")  # E
    envpool_rs.make_dm("CartPole-v1", gym_reset_return_info=False)  # E
    envpool_rs.make("Pendulum-v1", g="9.8")  # E
    envpool_rs.make("Pendulum-v1", g=None)  # E
    envpool_rs.make("Pendulum-v1", g=["9.8"])  # E
    envpool_rs.make("Pendulum-v1", g=("unifrom", 9, 11))  # E
    envpool_rs.make("Pendulum-v1", g=("uniform", 9))  # E
    envpool_rs.make("Pendulum-v1", g=("integers", 9, 11))  # E
    envpool_rs.make("Pong-v5", stack_num=number)  # E
    envpool_rs.make("Pong-v5", stack_num=("integers", 1, 4))  # E
    envpool_rs.make("Pong-v5", noop_max=("uniform", 1, 4))  # E
    envpool_rs.make("ALE/Pong-v5", obs_type="rbg")  # E
    envpool_rs.make("FrozenLake-v1", desc="SFFG")  # E
    envpool_rs.make_spec("ALE/Pong-v5", padding_type=0)  # E


def what_modules_have() -> None:
    envpool_rs.mkae("CartPole-v1")  # E
    print(envpool_rs.rlib.PoolBaseEnv)  # E
    print(envpool_rs.rllib.PolBaseEnv)  # E
    print(envpool_rs.rllib.PoolBaseEnv)
    envpool_rs.pools.SingleEnv("CartPole-v1").close()
