"""Tests RLlib's external environments behind `BaseEnv`, and conversions to `BaseEnv`."""

import os
import subprocess
import sys
import textwrap
import threading
import time

import envpool_rs
import gymnasium
import pytest
from counters import Counter
from envpool_rs import rllib
from envpool_rs.ray.actors import import_ray
from envpool_rs.rllib import convert_to_base_env
from rllib_cases import FLAGS, OVER, Doubles, counters, gymnasium_vector
from rllib_environments import MultiAgentScript, Script, Talkers


def stopped_after(env):
    """Context manager that stops the environment after its block."""

    class Stopped:
        def __enter__(self):
            return env

        def __exit__(self, *_):
            env.stop()

    return Stopped()


def one_episode(env):
    episode = env.start_episode("first")
    env.notes.append(env.get_action(episode, [0.1]))
    env.log_returns(episode, 1.0, info={"a": 1})
    env.log_returns(episode, 2)
    env.notes.append(env.get_action(episode, [0.2]))
    env.log_returns(episode, 5)
    env.end_episode(episode, [0.3])
    while True:
        time.sleep(0.01)
        env.start_episode()


def test_an_external_environment_asks_for_actions():
    script = Script(one_episode)
    with stopped_after(convert_to_base_env(script)) as env:
        assert env.poll() == (
            {"first": {"agent0": [0.1]}},
            {"first": {"agent0": None}},
            {"first": FLAGS},
            {"first": FLAGS},
            {"first": {"agent0": {}}},
            {},
        )
        env.send_actions({"first": {"agent0": 3}})
        result = env.poll()
        assert result[1] == {"first": {"agent0": 3.0}}
        assert result[4] == {"first": {"agent0": {"a": 1}}}
        env.send_actions({"first": {"agent0": 4}})
        result = env.poll()
        assert result[:3] == ({"first": {"agent0": [0.3]}}, {"first": {"agent0": 5.0}}, {"first": OVER})
        assert script.notes == [3, 4]
        assert env.try_reset("first") == (rllib.ASYNC_RESET_RETURN,) * 2
        with pytest.raises(ValueError, match="key='first': expected open episodes"):
            env.send_actions({"first": {"agent0": 4}})


def test_logged_actions_are_polled_and_require_no_reply():
    def script(env):
        episode = env.start_episode("log", training_enabled=False)
        env.log_action(episode, [0.1], 7)
        env.log_returns(episode, 1)
        env.log_action(episode, [0.2], 8)
        env.end_episode(episode, [0.3])

    with stopped_after(convert_to_base_env(Script(script))) as env:
        result = env.poll()
        assert result[5] == {"log": {"agent0": 7}}
        assert result[4] == {"log": {"agent0": {"training_enabled": False}}}
        env.send_actions({})
        assert env.poll()[5] == {"log": {"agent0": 8}}
        env.send_actions({"log": {"agent0": 1}})
        assert env.poll()[2] == {"log": OVER}


def test_the_threads_exception_is_raised_after_all_polls():
    def script(env):
        episode = env.start_episode("short")
        env.log_action(episode, [0.1], 7)
        raise OSError("the robot fell over")

    env = convert_to_base_env(Script(script))
    assert list(env.poll()[0]) == ["short"]
    with pytest.raises(RuntimeError, match=r"the thread of Script has ended: its run\(\) raised OSError") as caught:
        env.poll()
    assert isinstance(caught.value.__cause__, OSError)


def test_a_run_method_that_returns_is_an_error():
    env = convert_to_base_env(Script(lambda env: None))
    with pytest.raises(RuntimeError, match=r"its run\(\) returned"):
        env.poll()


def test_a_poll_that_would_block_forever_is_an_error():
    with stopped_after(convert_to_base_env(Script(one_episode))) as env:
        env.poll()
        with pytest.raises(RuntimeError, match=r"waits for actions of episodes \['first'\].*send_actions first"):
            env.poll()
        env.send_actions({"first": {"agent0": 3}})
        assert env.poll()[1] == {"first": {"agent0": 3.0}}


def test_several_episodes_run_in_separate_threads():
    def play(env, name):
        episode = env.start_episode(name)
        for _ in range(20):
            env.log_returns(episode, env.get_action(episode, [0.0]))
        env.end_episode(episode, [0.0])

    def script(env):
        threads = [threading.Thread(target=play, args=(env, f"episode {index}")) for index in range(3)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    total = dict.fromkeys((f"episode {index}" for index in range(3)), 0.0)
    with stopped_after(convert_to_base_env(Script(script))) as env:
        over = set()
        while len(over) < 3:
            _, rewards, terminated, _, _, _ = env.poll()
            for name, reward in rewards.items():
                total[name] += reward["agent0"] or 0.0
            over |= {name for name, flags in terminated.items() if flags["__all__"]}
            env.send_actions({name: {"agent0": 2} for name in rewards if name not in over})
    assert total == dict.fromkeys(total, 40.0)


def test_stop_ends_the_thread():
    script = Script(one_episode)
    env = convert_to_base_env(script)
    env.poll()
    env.stop()
    assert not script.is_alive()
    with pytest.raises(RuntimeError, match="is stopped"):
        env.poll()


def test_external_episodes_check_their_arguments():
    script = Script(one_episode)
    assert script.start_episode("x") == "x"
    with pytest.raises(ValueError, match="'x': this episode has already started"):
        script.start_episode("x")
    with pytest.raises(ValueError, match="'y': no such episode was started"):
        script.get_action("y", [0.0])
    with pytest.raises(TypeError, match="reward='lots': expected a number"):
        script.log_returns("x", "lots")
    script.end_episode("x", [0.0])
    with pytest.raises(ValueError, match="'x': this episode has already completed"):
        script.log_returns("x", 1.0)
    with pytest.raises(ValueError, match="num_envs=2: expected 1"):
        convert_to_base_env(script, num_envs=2)


def test_an_external_environment_is_converted_once():
    script = Script(lambda env: None)
    convert_to_base_env(script)
    with pytest.raises(RuntimeError, match="Script was converted before"):
        convert_to_base_env(script)


def test_external_agents_act_separately():
    def script(env):
        episode = env.start_episode("game")
        env.notes.append(env.get_action(episode, {"a": 1, "b": 2}))
        env.log_returns(episode, {"a": 1.0}, {"a": {"x": 1}}, {"b": True})
        env.log_returns(episode, {"a": 2.0, "b": 4.0})
        env.notes.append(env.get_action(episode, {"a": 3}))
        env.end_episode(episode, {"a": 5})

    external = MultiAgentScript(script)
    with stopped_after(convert_to_base_env(external)) as env:
        assert env.poll()[1] == {"game": {"a": None, "b": None}}
        env.send_actions({"game": {"a": 7}})
        observations, rewards, terminated, _, infos, _ = env.poll()
        assert observations == {"game": {"a": 3}}
        assert rewards == {"game": {"a": 3.0, "b": 4.0}}
        assert terminated == {"game": {"a": False, "b": True, "__all__": False}}
        assert infos == {"game": {"a": {"x": 1}}}
        with pytest.raises(ValueError, match=r"\['z'\]: expected agents \['a'\]"):
            env.send_actions({"game": {"z": 1}})
        env.send_actions({"game": {"a": 8}})
        assert env.poll()[2]["game"]["__all__"] is True
        assert external.notes == [{"a": 7}, {"a": 8}]
        assert env.get_agent_ids() == {"a", "b"}


def test_converted_environments_are_returned_unchanged():
    env = counters()
    assert convert_to_base_env(env) is env
    assert env.to_base_env() is env


def test_each_kind_of_environment_is_converted_to_its_class():
    for env, kind in (
        (Counter(), rllib.VectorEnvWrapper),
        (Doubles(), rllib.VectorEnvWrapper),
        (Talkers(), rllib.MultiAgentEnvWrapper),
        (envpool_rs.make_gymnasium("CartPole-v1"), rllib.PoolBaseEnv),
        (envpool_rs.make_vec("CartPole-v1"), rllib.PoolBaseEnv),
        (gymnasium_vector(gymnasium.vector.AutoresetMode.NEXT_STEP), rllib.GymnasiumBaseEnv),
    ):
        assert type(convert_to_base_env(env)) is kind
        assert isinstance(convert_to_base_env(env), rllib.BaseEnv)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"env": 5}, TypeError, "env is a int: expected a gymnasium.Env"),
        ({"num_envs": 0}, ValueError, "num_envs=0: expected 1 or more"),
        ({"num_envs": 1.5}, TypeError, r"num_envs=1\.5: expected an int"),
        ({"num_envs": 2}, ValueError, "make_env=None: expected a function that makes the environment at index 1"),
        ({"make_env": 3}, TypeError, "make_env=3: expected a function"),
        ({"remote_envs": 1}, TypeError, "remote_envs=1: expected a bool"),
        ({"remote_envs": True}, ValueError, "remote_envs=True with num_envs=1"),
        (
            {"remote_env_batch_wait_ms": -1},
            ValueError,
            "remote_env_batch_wait_ms=-1: expected a number of milliseconds, 0 or more",
        ),
        ({"remote_env_batch_wait_ms": "1"}, TypeError, "remote_env_batch_wait_ms='1': expected a number"),
        ({"policy_config": 1}, TypeError, "policy_config=1: expected a dict or None"),
        (
            {"env": envpool_rs.make_gymnasium("CartPole-v1", num_envs=2), "num_envs": 3},
            ValueError,
            "num_envs=3: expected 2",
        ),
        (
            {"env": envpool_rs.make_gymnasium("CartPole-v1", num_envs=2), "num_envs": 2, "remote_envs": True},
            ValueError,
            "remote_envs=True for a GymnasiumEnvPool: expected a single environment",
        ),
    ],
)
def test_conversions_check_their_arguments(arguments, error, message):
    with pytest.raises(error, match=message):
        convert_to_base_env(**{"env": Counter(), **arguments})


def test_make_env_must_make_environments_of_the_same_kind():
    with pytest.raises(TypeError, match="environment 1 is a Counter: expected a MultiAgentEnv"):
        convert_to_base_env(Talkers(), lambda _: Counter(), 2)


@pytest.mark.skipif(rllib.uses_ray, reason="ray is installed")
def test_without_ray_remote_environments_name_the_extra():
    with pytest.raises(ImportError, match=r"pip install 'envpool_rs\[ray\]'"):
        convert_to_base_env(Counter(), lambda _: Counter(), 2, remote_envs=True)


def test_an_old_ray_is_reported_and_not_used(tmp_path):
    (tmp_path / "ray").mkdir()
    (tmp_path / "ray" / "__init__.py").write_text("__version__ = '2.40.0'\ninit = None\n")
    code = """
        import warnings
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            from envpool_rs.rllib import BaseEnv, uses_ray
        texts = [str(each.message) for each in told]
        assert any("ray 2.40.0 is installed: envpool_rs.rllib needs 2.50 or later" in text for text in texts), texts
        assert not uses_ray and not any(base.__module__.startswith("ray.") for base in BaseEnv.__mro__)
    """
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True, timeout=60, env=environment)


WHOLE_RAY = "__version__ = '2.60.0'\ninit = None"


BROKEN_RAY = {
    "its own import": ("import a_shared_library_of_rays", ""),
    "a name of its own": ("from os import no_such_name", ""),
    "RLlib's own module": (WHOLE_RAY, "import ray.rllib.no_such_module"),
    "a name of RLlib's": (WHOLE_RAY, "from os import no_such_name"),
}


@pytest.mark.parametrize("fault", BROKEN_RAY)
def test_a_broken_ray_is_not_reported_as_missing(fault, tmp_path):
    outcome = imported_with(tmp_path, *BROKEN_RAY[fault])
    last = outcome.stderr.strip().splitlines()[-1]
    assert outcome.returncode == 1 and ("No module named" in last or "cannot import name 'no_such_name'" in last)


def test_ray_without_rllib_requirements_is_not_used(tmp_path):
    outcome = imported_with(tmp_path, WHOLE_RAY, "import a_requirement_of_rllibs")
    assert (outcome.returncode, outcome.stdout) == (0, "False\n"), outcome.stderr


def imported_with(folder, ray, base_env):
    """Returns the outcome of `import envpool_rs.rllib` with the given modules of ray and RLlib."""
    modules = folder / "ray" / "rllib" / "env"
    modules.mkdir(parents=True)
    (folder / "ray" / "__init__.py").write_text(f"{ray}\n")
    for each in (modules, modules.parent):
        (each / "__init__.py").touch()
    (modules / "base_env.py").write_text(f"{base_env}\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])}
    code = "from envpool_rs import rllib; print(rllib.uses_ray)"
    command = [sys.executable, "-c", code]
    return subprocess.run(command, check=False, timeout=120, env=environment, capture_output=True, text=True)


def test_the_import_error_of_a_broken_ray_is_raised(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    for name in [name for name in sys.modules if name.partition(".")[0] == "ray"]:
        monkeypatch.delitem(sys.modules, name)
    (tmp_path / "ray.py").write_text("import a_shared_library_of_rays\n")
    with pytest.raises(ModuleNotFoundError, match="'a_shared_library_of_rays'"):
        import_ray()


def test_importing_envpool_rs_imports_no_ray():
    code = "import sys, envpool_rs, envpool_rs.rllib; assert 'ray' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
