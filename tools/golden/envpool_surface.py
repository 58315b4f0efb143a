"""Records EnvPool's interface, without trajectories: names, signatures, configurations, spaces, specs, structure of
results. tests/python/facades/test_envpool_surface.py compares the record with this package's interface.

Run with EnvPool 1.2.5, gymnasium 1.4.0 and dm_env 1.6 installed:

    python tools/golden/envpool_surface.py tests/data/envpool_surface.json
"""

import importlib
import inspect
import json
import sys
import types
import warnings
from pathlib import Path

import numpy as np

MODULES = (
    *("envpool", "envpool.registration", "envpool.entry"),
    *("envpool.atari", "envpool.atari.registration"),
    *("envpool.classic_control", "envpool.classic_control.registration"),
    *("envpool.toy_text", "envpool.toy_text.registration"),
    *("envpool.python", "envpool.python.api", "envpool.python.data", "envpool.python.dm_envpool"),
    *("envpool.python.env_spec", "envpool.python.envpool", "envpool.python.gymnasium_envpool"),
    *("envpool.python.protocol", "envpool.python.utils"),
)
"""Modules that programs can import without jax and without EnvPool's simulators."""

FAMILIES = ("envpool.atari", "envpool.classic_control", "envpool.toy_text")
INTERFACES = ("gymnasium", "gym", "dm")
LIKE = "Pong-v5"
"""The task that represents all Atari games."""

PLAIN = (bool, int, float, str, type(None))
NUM_ENVS = 2


def flat(value, path=""):
    """Flattens a nested dict to dotted keys."""
    if not isinstance(value, dict):
        return {path: value}
    return {
        key: each
        for name, part in value.items()
        for key, each in flat(part, f"{path}.{name}" if path else name).items()
    }


# --- descriptions of modules -----------------------------------------------------------------------------------------


def signature(function):
    """Returns the parameters of a function, each with its kind and whether it is optional."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [[each.name, each.kind.name, each.default is not each.empty] for each in parameters]


def described(value):
    """Describes a class, a callable, a list or an integer; returns ``None`` for other values."""
    if isinstance(value, type):
        return "class"
    if callable(value):
        return signature(value)
    return value if isinstance(value, (list, int)) else None


def names_of(module):
    """Returns the names that a module defines or lists in ``__all__``."""
    passed_on = getattr(module, "__all__", [])
    found = {}
    for name, value in sorted(vars(module).items()):
        is_own = getattr(value, "__module__", None) == module.__name__ or isinstance(value, (list, int))
        if not name.startswith("_") and not isinstance(value, types.ModuleType) and (is_own or name in passed_on):
            found[name] = described(value)
    return {name: each for name, each in found.items() if each is not None}


def modules():
    return {name: names_of(importlib.import_module(name)) for name in MODULES}


# --- descriptions of specifications ----------------------------------------------------------------------------------


def plain(value):
    """Converts a value of a configuration, or a bound of a space, to plain data for JSON."""
    if isinstance(value, np.ndarray):
        return value.astype(float).tolist()
    if isinstance(value, (np.generic,)):
        return value.item()
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if isinstance(value, PLAIN) else repr(value)


def array_spec(array):
    return {
        "dtype": str(np.dtype(array.dtype)),
        "shape": list(array.shape),
        "minimum": plain(array.minimum),
        "maximum": plain(array.maximum),
        "is_discrete": array.is_discrete,
    }


def dm_spec(spec):
    if hasattr(spec, "_fields"):
        return {
            "type": type(spec).__name__,
            "fields": list(spec._fields),
            **{name: dm_spec(getattr(spec, name)) for name in spec._fields},
        }
    found = {
        "class": type(spec).__name__,
        "name": spec.name,
        "dtype": str(np.dtype(spec.dtype)),
        "shape": list(spec.shape),
    }
    return {**found, "minimum": plain(spec.minimum), "maximum": plain(spec.maximum)}


def space(value):
    found = {"repr": repr(value), "class": f"{type(value).__module__}.{type(value).__name__}"}
    if hasattr(value, "low"):
        found |= {"low": plain(value.low), "high": plain(value.high), "dtype": str(value.dtype)}
        found["low"], found["high"] = (sorted(set(np.ravel(each).tolist())) for each in (value.low, value.high))
    return found


def specification(spec):
    config = spec.config._asdict()
    defaults = dict(zip(spec._config_keys, spec._default_config_values, strict=True))
    for each in (config, defaults):
        each["base_path"] = type(each["base_path"]).__name__
    return {
        "config": {name: plain(value) for name, value in config.items()},
        "config_keys": list(spec._config_keys),
        "config_class": type(spec.config).__name__,
        "defaults": {name: plain(value) for name, value in defaults.items()},
        "generated": {
            name: plain(value) for name, value in spec.gen_config(num_envs=3)._asdict().items() if name != "base_path"
        },
        "reward_threshold": spec.reward_threshold,
        "state_keys": list(spec._state_keys),
        "action_keys": list(spec._action_keys),
        "state_arrays": {name.replace(".", "/"): array_spec(array) for name, array in spec.state_array_spec.items()},
        "action_arrays": {name.replace(".", "/"): array_spec(array) for name, array in spec.action_array_spec.items()},
        "state_tuples": [plain((str(dtype), *rest)) for dtype, *rest in spec._state_spec],
        "action_tuples": [plain((str(dtype), *rest)) for dtype, *rest in spec._action_spec],
        "observation_space": space(spec.observation_space),
        "action_space": space(spec.action_space),
        "gymnasium_observation_space": space(spec.gymnasium_observation_space),
        "gymnasium_action_space": space(spec.gymnasium_action_space),
        "observation_spec": dm_spec(spec.observation_spec()),
        "action_spec": dm_spec(spec.action_spec()),
    }


# --- descriptions of pools -------------------------------------------------------------------------------------------


def shown(value):
    """Returns the structure of a result: types, shapes and names, in their order."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{list(value.shape)}"
    if isinstance(value, dict):
        return {"type": type(value).__name__, "keys": list(value), **{key: shown(part) for key, part in value.items()}}
    if hasattr(value, "_fields"):
        return {
            "type": type(value).__name__,
            "keys": list(value._fields),
            **{key: shown(getattr(value, key)) for key in value._fields},
        }
    if isinstance(value, (tuple, list)):
        return {"type": type(value).__name__, **{str(index): shown(part) for index, part in enumerate(value)}}
    return type(value).__name__


def pool(env):
    found = {
        "config_keys": list(env.config),
        "state_keys": list(env._state_keys),
        "action_keys": list(env._action_keys),
    }
    found |= {"len": len(env), "is_async": env.is_async, "all_env_ids": shown(env.all_env_ids)}
    found["reset"] = shown(env.reset())
    action = np.zeros((NUM_ENVS, *[size for size in env.spec.action_array_spec["action"].shape if size != -1]))
    found["step"] = shown(env.step(action))
    found["part"] = shown(env.step(action[:1], np.array([1])))
    found["reset_part"] = shown(env.reset(np.array([1])))
    env._reset(np.arange(NUM_ENVS, dtype=np.int32))
    found["raw_reset"] = shown(env._recv())
    ids = np.arange(NUM_ENVS, dtype=np.int32)
    env._send([ids, ids, action.astype(env.spec.action_array_spec["action"].dtype)])
    found["raw"] = shown(env._recv())
    return found


def task(envpool, task_id, interfaces):
    spec = envpool.make_spec(task_id)
    found = {"spec": specification(spec)}
    for kind in interfaces:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[kind] = pool(envpool.make(task_id, env_type=kind, num_envs=NUM_ENVS))
    return flat(found)


RAW = ("_action_keys", "_recv", "_reset", "_send", "_spec", "_state_keys")
GYMNASIUMS = ("np_random", "np_random_seed")
"""Names from gymnasium, for generators that no environment of EnvPool uses."""


def calls(env):
    """Returns the public methods of a pool with their parameters, and its other attributes."""
    found = {}
    for name in sorted({*dir(env)} - {*dir(object), *GYMNASIUMS}):
        if not name.startswith("_") or name in RAW:
            value = getattr(env, name, None)
            found[name] = signature(value) if callable(value) else "value"
    return found


def raised(function, *arguments, **options):
    try:
        function(*arguments, **options)
    except Exception as error:
        return [each.__name__ for each in type(error).__mro__ if each.__module__ == "builtins"][:-3]
    return []


def errors(envpool):
    make, spec = envpool.make, envpool.make_spec
    return {
        "make_spec_unknown": raised(spec, "Foo-v0"),
        "make_unknown": raised(make, "Foo-v0", "gym"),
        "make_gym_unknown": raised(envpool.make_gym, "Foo-v0"),
        "make_env_type": raised(make, "CartPole-v1", "foo"),
        "num_envs_0": raised(make, "CartPole-v1", "gym", num_envs=0),
        "batch_size_3_of_2": raised(make, "CartPole-v1", "gym", num_envs=2, batch_size=3),
        "max_num_players_0": raised(make, "CartPole-v1", "gym", max_num_players=0),
        "seeds_too_few": raised(make, "CartPole-v1", "gym", num_envs=2, seed=[1]),
        "seeds_twice": raised(make, "CartPole-v1", "gym", seed=[1], env_seed=[1]),
        "seed_float": raised(make, "CartPole-v1", "gym", seed=1.5),
        "option_unknown": raised(make, "CartPole-v1", "gym", foo=1),
        "render_mode_list": raised(make, "CartPole-v1", "gym", render_mode="rgb_array_list"),
        "from_pixels": raised(make, "CartPole-v1", "gym", from_pixels=True),
        "bool_text": raised(make, "Pong-v5", "gym", episodic_life="x"),
        "bool_1": raised(make, "Pong-v5", "gym", episodic_life=1, reward_clip=0),
        "seed_negative": raised(make, "CartPole-v1", "gym", seed=-3),
        "seed_list_negative": raised(make, "CartPole-v1", "gym", num_envs=2, seed=[-3, 4]),
        "seed_and_env_seed": raised(make, "CartPole-v1", "gym", seed=1, env_seed=[4]),
        "reset_after_close": raised(lambda: (env := make("CartPole-v1", "gym"), env.close(), env.reset())),
        "reset_options": raised(lambda: make("CartPole-v1", "gymnasium").reset(options={"a": 1})),
        "render_without_mode": raised(lambda: (env := make("CartPole-v1", "gym"), env.reset(), env.render())),
    }


def classes(envpool, family_ids):
    """Returns, for each task, EnvPool's specification class with its defaults, and whether its pool class can be
    constructed.
    """
    found = {}
    for task_id in family_ids:
        for path in FAMILIES:
            module = importlib.import_module(path)
            for name, cls in vars(module).items():
                if (
                    name.endswith("EnvSpec")
                    and not name.startswith("_")
                    and isinstance(envpool.make_spec(task_id), cls)
                ):
                    defaults = dict(zip(cls._config_keys, cls._default_config_values, strict=True))
                    config = cls.gen_config(num_envs=NUM_ENVS, base_path=envpool.make_spec(task_id).config.base_path)
                    found[task_id] = {
                        "class": f"{path}/{name}",
                        "fields": {key: plain(value) for key, value in defaults.items()},
                        "made": type(cls(config).config).__name__,
                    }
                    pool_class = getattr(module, name.replace("EnvSpec", "GymnasiumEnvPool"))
                    env = pool_class(cls(config))
                    found[task_id]["pool"] = isinstance(env, pool_class) and isinstance(
                        env, envpool.python.envpool.EnvPoolMixin
                    )
    return found


def surface(envpool, task_ids, one_of_each):
    """Returns the descriptions of EnvPool's modules, pools, errors and classes, and of tasks; for Atari games other
    than `LIKE`, only of their specifications.
    """
    alike = [task_id for task_id in task_ids if task_id.endswith("-v5") and task_id != LIKE]
    tasks = {task_id: task(envpool, task_id, () if task_id in alike else INTERFACES) for task_id in task_ids}
    return {
        "modules": modules(),
        "calls": {kind: calls(envpool.make("CartPole-v1", kind)) for kind in INTERFACES},
        "spec": sorted(name for name in dir(envpool.make_spec("CartPole-v1")) if not name.startswith("__")),
        "errors": errors(envpool),
        "classes": flat({name.replace(".", "/"): each for name, each in classes(envpool, one_of_each).items()}),
        "tasks": tasks,
    }


def without_repetition(tasks):
    """Returns descriptions of tasks; similar specifications are stored as differences."""
    first = tasks[LIKE]
    return {
        task_id: {path: each for path, each in described.items() if first[path] != each}
        if task_id.endswith("-v5") and task_id != LIKE
        else described
        for task_id, described in tasks.items()
    }


def with_repetition(tasks):
    """Returns complete descriptions of tasks from those that `without_repetition` stored as differences."""
    first = {path: each for path, each in tasks[LIKE].items() if path.startswith("spec.")}
    return {
        task_id: {**first, **described} if task_id.endswith("-v5") else described
        for task_id, described in tasks.items()
    }


def main(path):
    import envpool

    games = [
        f"{''.join(map(str.capitalize, game.split('_')))}-v5" for game in envpool.atari.registration.atari_game_list
    ]
    others = [
        task_id
        for task_id in envpool.list_all_envs()
        if envpool.registration.registry.specs[task_id][0] in ("envpool.classic_control", "envpool.toy_text")
    ]
    one_of_each = [task_id for task_id in others if "/" not in task_id and not task_id.endswith("Slippery-v1")] + [LIKE]
    found = surface(envpool, [*others, *games], one_of_each)
    found["tasks"] = without_repetition(found["tasks"])
    parts = {part: each for part, each in found.items() if part != "tasks"}
    # Writes one line per task, so that a diff of the file shows the changed tasks.
    lines = [f" {json.dumps(task_id)}: {json.dumps(each)}" for task_id, each in found["tasks"].items()]
    head = json.dumps({"envpool": envpool.__version__, **parts}, indent=1)[:-2]
    Path(path).write_text(head + ',\n "tasks": {\n' + ",\n".join(lines) + "\n }\n}\n")


if __name__ == "__main__":
    main(sys.argv[1])
