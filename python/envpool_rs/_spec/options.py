"""Options: tasks that have them, groups of options of every task, values, render options, and arguments of ``make``."""

from __future__ import annotations

import functools
import logging
import operator
import warnings
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from multiprocessing.context import BaseContext
from pkgutil import resolve_name
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from gymnasium import Space
from gymnasium.vector import AutoresetMode

from envpool_rs import _core
from envpool_rs._arguments import alternatives, choice, flag, integer, optional_integer, optional_number, text
from envpool_rs._errors import RefusedOptionError

TaskBase: TypeAlias = "str | tuple[tuple[str, dict[str, Any]], ...]"
"""Task of a pool: one of the extension, or several with the options preset for each."""
task_limits = functools.cache(_core.task_limits)


@functools.cache
def tasks_with(option: str) -> frozenset[str]:
    return frozenset(_core.tasks_with_option(option))


def forget_tasks() -> None:
    """Clears the cached tables of tasks after a library of tasks was loaded."""
    tasks_with.cache_clear()
    task_limits().update(_core.task_limits())


def ids_of(task_id: TaskBase) -> list[str]:
    return [task_id] if isinstance(task_id, str) else [each for each, _ in task_id]


def all_have(task_id: TaskBase, option: str) -> bool:
    return tasks_with(option).issuperset(ids_of(task_id))


def has_cameras(task_id: TaskBase) -> bool:
    return not tasks_with("from_pixels").isdisjoint(ids_of(task_id))


def uses_numpy(task_id: TaskBase) -> bool:
    """Returns whether one of the tasks calls numpy's functions: MPE's with a penalty at the border, or with angles."""
    of_angles = {"SimpleFormation-v1", "SimpleLine-v1"}
    return not (of_angles | tasks_with("num_adversaries")).isdisjoint(ids_of(task_id))


# Options of every task that the extension takes, in the order of a configuration, and those of a complete pool.
ENGINE_OPTIONS = tuple(each["name"] for each in _core.pool_options())
_PYTHON_OPTIONS = tuple(each["name"] for each in _core.options_of_python())
POOL_WIDE = frozenset({*ENGINE_OPTIONS, *_PYTHON_OPTIONS} - {"max_episode_steps", "reward_threshold", "base_path"})


def check_env_type(env_type: str) -> None:
    try:
        choice("env_type", env_type, ("gym", "gymnasium", "dm"))
    except ValueError as error:
        raise RefusedOptionError(str(error)) from None


def check_return_info(return_info: Any, env_type: str) -> bool:
    """Returns EnvPool's ``gym_reset_return_info``; if it is ``None``, the behaviour of the installed gym."""
    if return_info is None:
        # The module is imported here, because it imports gym.
        return env_type != "gym" or bool(resolve_name("envpool_rs._spec.installed_gym:FIVE_VALUES"))
    is_number = type(return_info) is int and return_info in (0, 1)
    returns_info = flag("gym_reset_return_info", bool(return_info) if is_number else return_info)
    if not returns_info and env_type != "gym":
        raise ValueError(f"gym_reset_return_info=False: only env_type='gym' resets without info, not {env_type!r}")
    return returns_info


POOL, ASYNC, SYNC, MAKE = "pools of Python environments", "AsyncVectorEnv", "SyncVectorEnv", "gymnasium.make"


class Option(NamedTuple):
    """Option of environments written in Python."""

    name: str
    takers: tuple[str, ...]  # those that take it, of `POOL`, `ASYNC`, `SYNC` and `MAKE`
    check: Callable[[str, Any], Any] | None = None  # of a name and a value, which it returns; `None`: others decide it
    default: Any = None


def _autoreset_mode(name: str, mode: Any) -> str:
    if isinstance(mode, AutoresetMode):
        return mode.name.lower()
    # gymnasium's names ("NextStep") differ from this package's ("next_step") in case and underscores.
    wanted = text(name, mode, "a str or an AutoresetMode").lower().replace("_", "").replace("-", "")
    for known in AutoresetMode.__members__:
        if wanted == known.lower().replace("_", ""):
            return known.lower()
    raise ValueError(f'{name}="{mode}": expected next_step, same_step or disabled')


def _context(name: str, context: Any) -> str | BaseContext | None:
    if context is None or isinstance(context, BaseContext):
        return context
    text(name, context, "None, a str or a context of multiprocessing")
    return choice(name, context, ("fork", "spawn", "forkserver"))  # type: ignore[no-any-return]


def _no_worker(name: str, worker: Any) -> None:
    if worker is not None:
        raise TypeError(f"{name}={worker!r}: expected None; what plays environments is no function of Python's here")


def _observation_mode(name: str, mode: Any) -> Any:
    if isinstance(mode, tuple) and len(mode) == 2:  # noqa: PLR2004 - the batched space and the single one
        if not all(isinstance(each, Space) for each in mode):
            raise TypeError(f"Expected both elements of {name} to be Spaces, got {type(mode[0])} and {type(mode[1])}")
        return mode
    if not isinstance(mode, str) or mode not in ("same", "different"):
        raise ValueError(  # with gymnasium's message, as in the next function
            f"Invalid `{name}`, expected: 'same' or 'different' or tuple of single and batch observation space, "
            f"actual got {mode}"
        )
    return mode


def _max_concurrency(name: str, most: Any) -> int | None:
    if most is None:
        return None
    if not isinstance(most, (int, np.integer)):
        raise ValueError(f"`{name}` must be an integer or None, got {type(most)}.")
    if most < 1:
        raise ValueError(f"`{name}` must be a positive or None, got {most}.")
    return int(most)


_SECONDS = partial(optional_number, expected="None or a number of seconds above 0", is_allowed=partial(operator.lt, 0))

PYTHON_POOL_OPTIONS = (
    Option("num_envs", (POOL, MAKE)),
    Option("batch_size", (POOL,)),
    Option("num_workers", (POOL,)),
    Option("num_threads", (POOL,)),
    Option("seed", (POOL,)),
    Option("max_episode_steps", (POOL, MAKE), partial(optional_integer, least=1, most=2**31 - 1)),
    Option("reward_threshold", (POOL,), partial(optional_number, expected="a float or None")),
    Option("thread_affinity_offset", (POOL,), partial(integer, least=-1, allowed="-1 (off) or more"), -1),
    Option("autoreset_mode", (POOL, SYNC), _autoreset_mode, "next_step"),
    Option("record_episode_statistics", (POOL,), flag, False),
    Option("caller_steps", (POOL,), flag, False),
    Option("context", (POOL, ASYNC), _context),
    Option("restart", (POOL,), flag, False),
    Option("copy", (POOL, ASYNC, SYNC), flag, True),
    Option("timeout", (POOL,), _SECONDS),
    Option("max_num_players", (POOL,), partial(optional_integer, least=1)),
    Option("worker", (ASYNC,), _no_worker),
    Option("shared_memory", (ASYNC,), lambda name, value: None if value is None else flag(name, value)),
    Option("daemon", (ASYNC,), flag, True),
    Option("observation_mode", (ASYNC, SYNC), _observation_mode, "same"),
    Option("max_concurrency", (ASYNC,), _max_concurrency),
)
"""Options of pools of Python environments, and arguments of gymnasium's vector environments."""


def options_of(taker: str, *, without: tuple[str, ...] = ()) -> tuple[str, ...]:
    """Returns the names of the options that ``taker`` takes, and none of ``without``."""
    known = [each for each in PYTHON_POOL_OPTIONS if not set(without) & set(each.takers)]
    return tuple(each.name for each in known if taker in each.takers)


def checked_options(given: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Returns the checked values of options, or their defaults; omits options whose values depend on others."""
    return {
        each.name: each.check(each.name, given[each.name]) if each.name in given else each.default
        for each in PYTHON_POOL_OPTIONS
        if each.name in names and each.check is not None
    }


MAX_DEPTH = 4  # of an option's lists: for each environment, a choice of maps, which are lists of rows
logger = logging.getLogger("envpool_rs")
_warn_once = functools.cache(partial(warnings.warn, category=RuntimeWarning, stacklevel=1))


def own_copy(value: Any, depth: int = MAX_DEPTH) -> Any:
    """Returns a deep copy of a list, tuple or array, of subclasses by their elements; any other value unchanged."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if depth == 0 or not isinstance(value, (list, tuple)):
        return value
    if isinstance(value, list):
        return [own_copy(entry, depth - 1) for entry in list.copy(value)]
    return tuple(own_copy(entry, depth - 1) for entry in tuple.__getitem__(value, slice(None)))


def is_same(one: Any, other: Any) -> bool:
    if isinstance(one, np.ndarray) or isinstance(other, np.ndarray):
        return type(one) is type(other) and np.array_equal(one, other)
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(value, other[key]) for key, value in one.items())
    if isinstance(one, (list, tuple)) and type(one) is type(other):
        return len(one) == len(other) and all(map(is_same, one, other))
    return bool(one == other)


_SLOW_REASONS = {
    "physics": ("'auto'", "version ", "install one of these versions, or give physics='libmujoco'"),
    "translate": (
        "True",
        "the system refuses",
        "allow this process to make memory executable, or give translate=False",
    ),
}
"""Options whose value may be slower than requested: requested value, first words of the reasons, and remedy."""


def log_resolved(task_id: str, decided: list[tuple[str, bool | str, str]]) -> None:
    """Logs resolved options (name, value, reason), and warns once of each that is slower than the user asked for."""
    for option, value, reason in decided:
        logger.info("%s: %s=%r (%s)", task_id, option, value, reason)
        asked, start, remedy = _SLOW_REASONS.get(option, ("", None, ""))
        if start is not None and reason.startswith(start):
            _warn_once(f"{reason}: {option}={asked} is {value!r}, which is slower; {remedy}")


DEPTH_MODES = ("depth_array", "rgbd_tuple")  # values of `render_mode` that include depth


class RenderOptions(NamedTuple):
    """Render options of a pool; ``mode`` is ``None`` without rendering, sizes in pixels are 0 for the task's own."""

    mode: str | None = None
    env_id: int = 0  # environment that EnvPool's `render()` shows
    width: int = 0
    height: int = 0

    @classmethod
    def checked(cls, options: Mapping[str, Any], spec: _core.Spec) -> RenderOptions:
        mode = options.get("render_mode")
        allowed = [None, *render_modes(spec)]
        if not (mode is None or isinstance(mode, str)) or mode not in allowed:
            reason = "" if len(allowed) > 1 else f" ({spec.task_id} draws no pictures)"
            raise ValueError(f"render_mode={mode!r}: expected {alternatives(allowed)}{reason}")
        width, height = (optional_integer(name, options.get(name)) or 0 for name in ("render_width", "render_height"))
        if spec.picture_size is not None:
            spec.picture_size_for(width, height)
        if not spec.has_cameras:
            check_camera("render_camera_id", options.get("render_camera_id"))
        last = int(spec.config["num_envs"]) - 1
        env_id = optional_integer("render_env_id", options.get("render_env_id"), 0, last) or 0
        return cls(mode, env_id, width, height)


def extension_options(task_id: TaskBase, dialect: str, options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the options without the render options that the task's environments do not need."""
    # An environment with cameras renders its own frames.
    kept = ("render_width", "render_height", "render_camera_id") if has_cameras(task_id) else ()
    dropped = {name for name in _PYTHON_OPTIONS if name.startswith("render_")}
    dropped -= {name for name in kept if options.get(name) is not None}
    own = {name: value for name, value in options.items() if name not in dropped}
    if dialect == "envpool" and isinstance(task_id, str) and task_id in tasks_with("default_camera"):
        # The "track" camera follows the robot. If the model has none, EnvPool places a camera, as gymnasium does for
        # version 5 only.
        own.setdefault("default_camera", "track")
        own.setdefault("gymnasium_v5_render_camera", task_id.endswith("-v5"))
    return own


def render_modes(spec: _core.Spec) -> list[str]:
    pictures = ["human", "rgb_array"] if spec.picture_size is not None else []
    return [*pictures, *(DEPTH_MODES if spec.has_cameras else []), *(["ansi"] if spec.has_text else [])]


def render_metadata(spec: _core.Spec) -> dict[str, Any]:
    modes = render_modes(spec)
    return {"render_modes": modes, **({"render_fps": spec.render_fps} if modes else {})}


def check_camera(name: str, camera_id: Any) -> None:
    """Rejects a camera index, other than ``None`` and -1, for a task without cameras."""
    optional_integer(name, camera_id, -1, -1, allowed="None or -1 (there are no cameras)")
