"""Tests that the import paths to which programs, pickles and gymnasium's registry refer do not change."""

import importlib
import pkgutil
import subprocess
import sys

import envpool_rs
import pytest
from families import merged_modules

MAKING = ["make", "make_dm", "make_gym", "make_gymnasium", "make_spec", "register"]

NAMES = {
    **{f"envpool_rs.{module}": names for module, names in merged_modules().items()},
    "envpool_rs": [
        *(*MAKING, "Batch", "check_plugin", "check_vector_env", "get_include", "install_as_envpool", "list_all_envs"),
        *("FrameMemory", "evaluate", "film", "load_plugin", "make_python", "make_vec", "record"),
    ],
    "envpool_rs.as_envpool": [
        *MAKING,
        *("EnvPool", "EnvSpec", "GymnasiumEnvPool"),
        *("atari", "classic_control", "entry", "list_all_envs", "minigrid", "mujoco", "procgen", "python"),
        *("registration", "toy_text"),
    ],
    "envpool_rs.as_envpool.entry": [],
    "envpool_rs.as_envpool.python.api": ["py_env"],
    "envpool_rs.as_envpool.python.envpool": ["EnvPoolMixin"],
    "envpool_rs.as_envpool.python.protocol": ["ArraySpec", "EnvPool", "EnvSpec", "GymnasiumEnvPool"],
    "envpool_rs.as_envpool.registration": [
        *(*MAKING, "EnvRegistry", "EnvSpec", "GymnasiumEnvPool", "list_all_envs", "registry"),
        *("asset_base_path", "base_path", "package_base_path"),
    ],
    "envpool_rs.batch": ["DATA_FIELDS", "MODEL_FIELDS", "Batch", "BatchVectorEnv", "SimulationError", "make_vec"],
    "envpool_rs.cli": ["main"],
    "envpool_rs.envpool_alias": ["EnvPoolAlias", "install_as_envpool"],
    "envpool_rs.evaluation": ["Evaluation", "evaluate"],
    "envpool_rs.films": ["film"],
    "envpool_rs.frame_memory": ["FrameMemory", "Transitions"],
    "envpool_rs.multi_agent": ["MultiAgentEnv", "MultiAgentVectorEnv"],
    "envpool_rs.multi_env": ["MultiEnv", "SubprocessEnv", "_AutoResetWrapper", "create_subprocess_envs"],
    "envpool_rs.numba": ["Info", "NumbaEnv", "Option", "env"],
    "envpool_rs.pettingzoo": ["AgentVectorEnv", "PoolParallelEnv", "make_agent_vec", "parallel_env"],
    "envpool_rs.pufferlib": ["PufferEnv"],
    "envpool_rs.pools": [
        *("DMEnvPool", "EnvPoolMixin", "EnvSpec", "FIVE_VALUES", "GymEnvPool", "GymEnvSpec", "GymnasiumEnvPool"),
        *("PythonGymnasiumEnvPool", "PythonVectorEnv", "SingleEnv", "VectorEnv"),
        *("gymnasium_id", "make_shared_memory_vec", "make_single"),
    ],
    "envpool_rs.ray": ["ActorDied", "make", "make_vec"],
    "envpool_rs.recording": ["Episode", "Recorded", "Recording", "load", "record"],
    "envpool_rs.registration": [*MAKING, "EnvSpec", "list_all_envs", "make_vec"],
    "envpool_rs.rllib": [
        *("ASYNC_RESET_REQUEST", "ASYNC_RESET_RETURN", "BaseEnv", "ExternalEnv", "ExternalEnvStopped"),
        *("ExternalEnvWrapper", "ExternalMultiAgentEnv", "GymnasiumBaseEnv", "MultiAgentEnv", "MultiAgentEnvWrapper"),
        *("PoolBaseEnv", "PoolMultiAgentEnv", "RemoteBaseEnv", "StackedBaseEnv", "VectorEnv", "VectorEnvWrapper"),
        *("convert_to_base_env", "uses_ray"),
    ],
    "envpool_rs.sb3": ["FrameReplayBuffer", "VecEnv", "make_vec_env"],
    "envpool_rs.spaces": ["ArraySpec", "array_spec", "build_space", "dm_array"],
    "envpool_rs.tianshou": [
        *("BaseVectorEnv", "DummyVectorEnv", "RayVectorEnv", "ShmemVectorEnv", "SubprocVectorEnv"),
    ],
    "envpool_rs.torch": ["Pinned"],
    "envpool_rs.vector": [
        *("BaseVectorEnv", "DummyEnvWorker", "DummyVectorEnv", "EnvWorker", "RayEnvWorker", "RaySubprocVectorEnv"),
        *("RayVectorEnv", "RunningMeanStd", "SubprocEnvWorker", "SubprocVectorEnv"),
    ],
    "envpool_rs.vector_env_check": ["BrokenPromise", "VectorEnvContractError", "check_vector_env"],
    "envpool_rs.workers": ["EnvFailure", "RemoteTraceback", "Steps", "WorkerDied", "WorkerGroup", "stacked"],
    "envpool_rs.xla": ["xla_functions"],
}
NEEDS = {
    "envpool_rs.pettingzoo": "pettingzoo",
    "envpool_rs.pools": "dm_env",
    "envpool_rs.pufferlib": "pufferlib",
    "envpool_rs.sb3": "stable_baselines3",
    "envpool_rs.torch": "torch",
}


@pytest.mark.parametrize("path", NAMES)
def test_public_paths_resolve_to_public_names(path):
    if path in NEEDS:
        pytest.importorskip(NEEDS[path])
    module = importlib.import_module(path)
    assert [name for name in NAMES[path] if not hasattr(module, name)] == []
    for name in getattr(module, "__all__", []):
        assert name in [*NAMES[path], "__version__"], "a new public name: put it into the table"


def test_all_public_modules_are_in_the_table_and_listed_by_dir():
    there = {each.name for each in pkgutil.iter_modules(envpool_rs.__path__) if not each.name.startswith("_")}
    assert there == {path.split(".")[1] for path in NAMES if "." in path}
    assert there | set(envpool_rs.__all__) <= set(dir(envpool_rs))
    with pytest.raises(AttributeError, match=r"module 'envpool_rs' has no attribute 'nothing'"):
        envpool_rs.nothing  # noqa: B018


def test_modules_are_imported_on_first_access():
    asked = sorted(path.split(".")[1] for path in NAMES if path.count(".") == 1 and path not in NEEDS)
    code = f"""
import sys, envpool_rs
for name in {asked}:
    module = getattr(envpool_rs, name)
    assert module is sys.modules[f"envpool_rs.{{name}}"], name
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_accessing_a_module_with_a_missing_package_names_the_package():
    code = """
import pydoc, sys
sys.modules["stable_baselines3"] = sys.modules["dm_env"] = None
import envpool_rs
assert not hasattr(envpool_rs, "sb3") and "DMEnvPool" not in dir(envpool_rs.pools)
try:
    envpool_rs.sb3
except AttributeError as error:
    assert "pip install 'envpool_rs[sb3]'" in str(error), error
try:
    from envpool_rs import sb3
except ImportError as error:
    assert "pip install 'envpool_rs[sb3]'" in str(error), error
try:
    from envpool_rs.pools import DMEnvPool
except ImportError as error:
    assert "pip install 'envpool_rs[dm]'" in str(error), error
assert "check_vector_env" in pydoc.render_doc(envpool_rs)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_optional_names_are_attribute_errors_without_their_packages():
    code = """
import inspect, sys
sys.modules["mujoco"] = sys.modules["dm_env"] = None
import envpool_rs
from envpool_rs import *
from envpool_rs.pools import *
make_vec, SingleEnv
inspect.getmembers(envpool_rs), inspect.getmembers(envpool_rs.pools)
for module, name, extra in ((envpool_rs, "Batch", "mujoco"), (envpool_rs.pools, "DMEnvPool", "dm")):
    assert not hasattr(module, name) and name not in module.__all__
    for code, kind in ((f"module.{name}", AttributeError), (f"from {module.__name__} import {name}", ImportError)):
        try:
            exec(code)
        except kind as error:
            assert f"pip install 'envpool_rs[{extra}]'" in str(error), error
        else:
            raise AssertionError(code)
"""
    subprocess.run([sys.executable, "-c", code], check=True)


SUBINTERPRETER = """
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
own = interpreters.create()
code = '''
try:
    import envpool_rs
except ImportError as error:
    assert "main interpreter" in str(error) or "subinterpreter" in str(error), error
else:
    raise AssertionError
'''
assert interpreters.run_string(own, code) is None
"""


def test_a_subinterpreter_is_refused():
    """Not destroyed, it would make the process wait forever at its end."""
    subprocess.run([sys.executable, "-c", SUBINTERPRETER], check=True, timeout=60)
