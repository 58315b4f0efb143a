"""EnvPool's package, with its modules, backed by envpool_rs: ``install_as_envpool`` installs it as ``envpool``."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from importlib.machinery import ModuleSpec
from pkgutil import resolve_name
from types import ModuleType
from typing import Any, NoReturn

from gymnasium import spaces

from envpool_rs import registration as _registration
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._facades.pool import EnvPoolMixin as EnvPool
from envpool_rs._facades.pool import NativePool
from envpool_rs._make.make import POOL_CLASSES, EnvPoolClass, classes_of
from envpool_rs._on_demand import on_demand
from envpool_rs._spec.assets import CARTRIDGES, PACKAGE
from envpool_rs._spec.envpool_config import DISTRIBUTION_MODES, TaskClass, families, family_of
from envpool_rs._spec.options import task_limits
from envpool_rs._spec.other_names import METAWORLD_NAMES, metaworld_id
from envpool_rs._spec.spaces import ArraySpec, dm_array, to_namedtuple, to_nested_dict
from envpool_rs._spec.spec import EnvSpec
from envpool_rs._tasks.table import ENVPOOL_ALIASES, ForeignTask, NamedTask, tasks, tasks_of_envpool_alone
from envpool_rs.minigrid import decode_mission
from envpool_rs.registration import make, make_dm, make_gym, make_gymnasium, make_spec

__version__ = "1.2.5"
"""Release of EnvPool whose interface this package has; programs read it to find out which calls exist."""


def __getattr__(name: str) -> object:
    # `DMEnvPool` and other names of dm_env's interface exist only if dm_env is installed.
    if name == "DMEnvPool":
        return sys.modules[f"{__name__}.python"].DMEnvPool
    raise AttributeError(f"module 'envpool' is envpool_rs here and has no {name!r}: there are {', '.join(__all__)}")


_ASSETS = CARTRIDGES.installed() or PACKAGE  # folder of EnvPool's files


def asset_base_path(package_name: str, local_asset_path: str) -> str:
    """Returns the folder of asset files: one for all packages, while EnvPool's function returns one for each."""
    return _ASSETS


def register(
    task_id: str,
    import_path: str | None = None,
    spec_cls: str | None = None,
    dm_cls: str | None = None,
    gymnasium_cls: str | None = None,
    aliases: Sequence[str] = (),
    **kwargs: Any,
) -> None:
    """Registers a name, as :func:`envpool_rs.register` does, with the parameters in EnvPool's order."""
    _registration.register(
        task_id, import_path, spec_cls, dm_cls, gymnasium_cls=gymnasium_cls, aliases=aliases, **kwargs
    )


def list_all_envs() -> list[str]:
    """Returns all task ids, including EnvPool's aliases."""
    return [*_registration.list_all_envs(), *ENVPOOL_ALIASES]


def _named(*objects: Any) -> dict[str, Any]:
    return {each.__name__: each for each in objects}


_MAKERS = _named(make, make_dm, make_gym, make_gymnasium, make_spec, register, list_all_envs)


class EnvRegistry:
    """EnvPool's registry object: its methods are the functions of the module ``registration``."""

    make, make_dm, make_gym, make_gymnasium, make_spec, register, list_all_envs = map(staticmethod, _MAKERS.values())

    @property
    def specs(self) -> dict[str, tuple[str, str, dict[str, Any]]]:
        """Module, specification class and options of each task, by the task's id."""
        return {task_id: _registered(task_id)[0] for task_id in list_all_envs()}

    @property
    def envpools(self) -> dict[str, dict[str, tuple[str, str]]]:
        """Module and pool class of each interface, by the task's id."""
        return {task_id: _registered(task_id)[1] for task_id in list_all_envs()}


def _registered(task_id: str) -> tuple[tuple[str, str, dict[str, Any]], dict[str, tuple[str, str]]]:
    """Returns module, specification class and options of a task, and its module and pool class by interface."""
    task = tasks[task_id]
    if isinstance(task, ForeignTask):
        pools = {interface: (task.import_path, cls) for interface, cls in task.classes.items() if cls is not None}
        return (task.import_path, task.spec_cls, dict(task.options)), pools
    spec = make_spec(task_id)
    family, own = family_of(spec), spec.config_dict()
    module, prefix = ("python.protocol", "") if family is None else (family.module, family.name)
    defaults = own if family is None else spec.defaults_of_class()
    own = {name: each for name, each in own.items() if name != "batch_size" and each != defaults[name]}
    pools = {interface: (f"envpool.{module}", f"{prefix}{cls}") for interface, cls in POOL_CLASSES.items()}
    return (f"envpool.{module}", f"{prefix}EnvSpec", own), pools


@cache
def _atari_games() -> list[str]:
    named = [task for name in list_all_envs() if isinstance(task := tasks[name], NamedTask)]
    return sorted({game for task in named for game in families()["Atari"].tasks.get(task.base, ())})


@cache
def _procgen_games() -> list[tuple[str, int | None, list[int]]]:
    """Returns the name, the time limit and the distribution modes of each game."""
    games: dict[str, tuple[str, int | None, list[int]]] = {}
    for task_id, (game, mode) in families()["Procgen"].tasks.items():
        games.setdefault(game, (game, task_limits()[task_id][0], []))[-1].append(mode)
    return list(games.values())


def _robotics_ids(prefix: str) -> list[str]:
    known = {*list_all_envs(), *tasks_of_envpool_alone()}
    return sorted(task_id for task_id in known if task_id.startswith(prefix))


# Families of EnvPool's robotics tasks, each with the beginning of its ids.
_ROBOTICS = {"fetch": "Fetch", "hand": "Hand", "adroit": "AdroitHand", "point_maze": "PointMaze_", "kitchen": "Franka"}


def py_env(envspec: Any, envpool: Any) -> NoReturn:
    """Raises an error: classes of C++ environments compiled for EnvPool run only in EnvPool's own pool."""
    raise NotImplementedError(
        f"py_env({getattr(envspec, '__name__', envspec)!r}, ...): environments written in C++ for EnvPool need EnvPool "
        "itself. Here an environment is written in Rust (one file: see CONTRIBUTING.md), or in Python "
        "(envpool_rs.make_python)"
    )


def preload_windows_gl_dlls(*args: object, **kwargs: object) -> None:
    """Does nothing; in EnvPool, this function loads OpenGL libraries on Windows."""


def check_key_duplication(cls: Any, keytype: str, keys: list[str]) -> None:
    """Raises a ``SystemError`` that names duplicates among the names of a class."""
    doubled = [key for key, count in Counter(keys).items() if count > 1]
    if doubled:
        raise SystemError(f"{keytype} keys of {cls}: {doubled} are there more than once")


def make_xla(obj: Any) -> NoReturn:
    """Raises an error: EnvPool's function makes XLA functions of lists of arrays, unlike ``xla()``, which it names."""
    raise NotImplementedError(
        f"make_xla({type(obj).__name__}): call its method xla(), which gives handle, recv, send and step"
    )


def dm_spec_transform(name: str, spec: ArraySpec, spec_type: str) -> Any:
    """Returns the dm_env spec of an array; both types of spec, ``"obs"`` and ``"act"``, treat discrete values alike."""
    return dm_array(name, spec)


def gym_spec_transform(name: str, spec: ArraySpec, spec_type: str) -> Any:
    """Returns the gymnasium space of an array; both types of spec, ``"obs"`` and ``"act"``, are alike."""
    if spec.discrete_range is not None:
        least, most = spec.discrete_range
        return spaces.Discrete(most - least + 1, start=least)
    shape = [size for size in spec.shape if size != -1]
    if spec.dtype.kind == "b":
        return spaces.MultiBinary(shape)
    return spaces.Box(spec.minimum, spec.maximum, shape, spec.dtype.type)


_ATARI, _MINIGRID = classes_of("atari"), classes_of("minigrid")
for _class in _MINIGRID.values():
    _class.decode_mission = staticmethod(decode_mission)
_POOLS = {"EnvPool": EnvPool, "EnvSpec": EnvSpec, "GymnasiumEnvPool": GymnasiumEnvPool}

_MODULES: dict[str, Mapping[str, Any]] = {
    "python": _POOLS,
    "registration": {
        **_MAKERS,
        **_named(EnvRegistry, EnvSpec, GymnasiumEnvPool, asset_base_path),
        "base_path": _ASSETS,
        "package_base_path": PACKAGE,
        "registry": EnvRegistry(),
    },
    "atari": _ATARI,
    "atari.atari_envpool": {"_AtariEnvSpec": _ATARI["AtariEnvSpec"], "_AtariEnvPool": _ATARI["AtariGymnasiumEnvPool"]},
    "atari.registration": {"atari_rom_path": CARTRIDGES.installed() or ""},
    **{family: classes_of(family) for family in ("classic_control", "toy_text", "procgen")},
    "procgen.registration": {"register": register, "distribution": DISTRIBUTION_MODES},
    "minigrid": {**_MINIGRID, "decode_mission": decode_mission},
    **{path: {} for path in ("mujoco", "mujoco.metaworld", "mujoco.robotics", "entry")},
    "mujoco.metaworld.registration": {
        "register": register,
        "metaworld_public_task_name": lambda task_name: metaworld_id(task_name).partition("/")[2],
        "metaworld_task_id": metaworld_id,
        "metaworld_v3_envs": METAWORLD_NAMES,
        "metaworld_v3_task_ids": [metaworld_id(name) for name in METAWORLD_NAMES],
    },
    **{
        f"{family}.registration": {"register": register}
        for family in ("classic_control", "toy_text", "minigrid", "mujoco.robotics")
    },
    "python.api": _named(py_env),
    "python.data": {
        **_named(dm_spec_transform, gym_spec_transform, to_namedtuple, to_nested_dict),
        "ACTION_THRESHOLD": 2**20,
        "gymnasium_spec_transform": gym_spec_transform,
    },
    "python.dm_envpool": {"DMEnvPoolMeta": EnvPoolClass, "EnvPoolMixin": EnvPool},
    "python.env_spec": {**_named(ArraySpec, EnvSpec), "EnvSpecMeta": TaskClass, "EnvSpecMixin": EnvSpec},
    "python.envpool": {"EnvPoolMixin": EnvPool},
    "python.glfw_context": _named(preload_windows_gl_dlls),
    "python.gymnasium_envpool": {
        "EnvPoolMixin": EnvPool,
        "GymnasiumEnvPoolMeta": EnvPoolClass,
        "GymnasiumEnvPoolMixin": GymnasiumEnvPool,
    },
    "python.lax": {"XlaMixin": NativePool},
    "python.protocol": {"ArraySpec": ArraySpec, **_POOLS},
    "python.utils": _named(check_key_duplication),
    "python.xla_template": _named(make_xla),
}
"""Names of each module by its path below this package, as in EnvPool."""

_COMPUTED: dict[str, dict[str, Callable[[], Any]]] = {
    "atari.registration": {"atari_game_list": _atari_games},
    "procgen.registration": {"procgen_game_config": _procgen_games},
    "mujoco.robotics.registration": {
        f"gymnasium_robotics_{family}_envs": partial(_robotics_ids, prefix) for family, prefix in _ROBOTICS.items()
    },
    "python.dm_envpool": {"DMEnvPoolMixin": partial(resolve_name, "envpool_rs._facades.dm_facade:DMEnvPool")},
}
"""Further names of modules, which are computed when they are read: they need all tasks, or dm_env."""


def _add_module(path: str, names: Mapping[str, Any]) -> None:
    parent, _, name = f"{__name__}.{path}".rpartition(".")
    module = ModuleType(f"{parent}.{name}", f"EnvPool's module ``envpool.{path}``.")
    inner = [each.rpartition(".")[2] for each in _MODULES if each.rpartition(".")[0] == path]
    public = sorted([*names, *inner] if path == "python" else names)
    spec = ModuleSpec(module.__name__, None, is_package=bool(inner))
    vars(module).update({"__all__": public, "__package__": parent, "__spec__": spec, **names})
    sys.modules[module.__name__] = module
    setattr(sys.modules[parent], name, module)
    if inner:
        vars(module)["__path__"] = []
    if path in ("python", "python.protocol", "registration"):  # where the name exists if dm_env is installed
        vars(module)["__getattr__"] = on_demand(module.__name__, {"DMEnvPool": "envpool_rs._facades.dm_facade"})
    elif path in _COMPUTED:

        def computed(name: str) -> Any:
            if name not in _COMPUTED[path]:
                raise AttributeError(f"module {module.__name__!r} has no attribute {name!r}")
            return _COMPUTED[path][name]()

        vars(module)["__getattr__"] = computed


for _path, _names in _MODULES.items():
    _add_module(_path, _names)

__all__ = list({**_POOLS, **dict(sorted(_MAKERS.items()))})
__all__ += [path for path in _MODULES if "." not in path]
