"""Table of tasks by name: tasks of this release and tasks registered later, their options, and their gymnasium ids.

Creates the error for unknown names.
"""

from __future__ import annotations

import difflib
import importlib
import numbers
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from gymnasium.envs import registration as gymnasium_registration
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec

from envpool_rs import _core
from envpool_rs._arguments import shown
from envpool_rs._errors import UnknownTaskError
from envpool_rs._spec.entry_points import MAKE_SHARED_MEMORY_VEC, MAKE_VEC, SINGLE_ENV
from envpool_rs._spec.families import FACTS
from envpool_rs._spec.options import POOL_WIDE, is_same, task_limits, tasks_with
from envpool_rs._spec.spec import NAMESPACE, EnvSpec, gymnasium_id
from envpool_rs._tasks.benchmarks import BENCHMARKS, Benchmark
from envpool_rs._tasks.option_names import named_options

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription, PoolOptionDescription


def unknown_task(task_id: object, known: Iterable[str], failures: Sequence[str] = ()) -> UnknownTaskError:
    """Returns the error for an unknown ``task_id``, with suggestions; it says so if EnvPool 1.2.5 has the task."""
    if isinstance(task_id, GymnasiumEnvSpec):
        return UnknownTaskError(
            f"task_id={task_id.id!r}: expected a task of envpool_rs; make_vec and make_python make other environments"
        )
    if not isinstance(task_id, str):
        return UnknownTaskError(f"task_id={shown(task_id)}: expected a str, such as 'CartPole-v1'")
    message = f"unknown task {task_id!r}"
    if task_id in tasks_of_envpool_alone():
        message += ": EnvPool has it, this release of envpool_rs does not"
    # Up to three names whose stems, the parts before the version, are similar, those of the same version first.
    most, least_ratio, least_prefix = 3, 0.7, 4
    stem, version = _stem(task_id)
    names_of: dict[str, list[str]] = {}
    for name in known:
        names_of.setdefault(_stem(name)[0], []).append(name)
    stems = difflib.get_close_matches(stem, names_of, n=most, cutoff=least_ratio)
    # Gym's ids of Atari games begin with the game: BreakoutNoFrameskip-v4.
    stems += [each for each in names_of if stem.startswith(each) and len(each) >= least_prefix and each not in stems]
    near = [name for each in stems for name in sorted(names_of[each], key=lambda name: _stem(name)[1] != version)]
    hint = f"did you mean {' or '.join(map(repr, dict.fromkeys(near[:most])))}?" if near else "see list_all_envs()"
    game = _ATARI_ID.fullmatch(task_id)
    ale_id = f"ALE/{game['name']}-v5" if game is not None else ""
    if game is not None and ale_id in names_of.get(_stem(ale_id)[0], ()):
        hint = f"did you mean {ale_id!r} with {_ale_options(game)}, or the preprocessed {game['name'] + '-v5'!r}?"
    elif task_id in gymnasium_registration.registry:
        hint = f"gymnasium has it: make_vec({task_id!r}) and make_python({task_id!r}) run it in worker processes"
    return UnknownTaskError("; ".join([message, hint, *failures]))


_ATARI_ID = re.compile(
    r"(ALE/)?(?P<name>[A-Z]\w*?)(?P<ram>-ram)?(?P<skip>NoFrameskip|Deterministic)?-v(?P<version>[04])"
)
_FRAMES = {"NoFrameskip": "1", "Deterministic": "4", None: "(2, 5)"}  # of a step, by the end of ALE's old ids


def _ale_options(game: re.Match[str]) -> str:
    """Returns the options of ale-py's version 5 of a game that stand for an id of version 0 or 4."""
    repeats = "0.25" if game["version"] == "0" else "0.0"
    observes = "obs_type='ram', " if game["ram"] else ""
    return f"{observes}frameskip={_FRAMES[game['skip']]}, repeat_action_probability={repeats}"


def _stem(name: str) -> tuple[str, str]:
    stem, _, version = name.lower().rpartition("-v")
    return (stem, version) if version.isdigit() else (name.lower(), "")


def tasks_of_envpool_alone() -> set[str]:
    from importlib import resources  # imported here: seldom needed, and as expensive to import as half of this package

    return set(resources.files("envpool_rs._tasks").joinpath("envpool_only.txt").read_text().split())


@dataclass(frozen=True)
class NamedTask:
    """Task of the Rust extension with preset values of some options."""

    base: str
    options: dict[str, Any] = field(default_factory=dict)

    def with_presets(self, given: dict[str, Any]) -> dict[str, Any]:
        return {**self.options, **given}


@dataclass(frozen=True)
class MixedTask:
    """Several tasks in one pool: consecutive, equal shares of its environments run the tasks in order."""

    base: tuple[tuple[str, dict[str, Any]], ...]  # tasks of the extension, each with its preset options
    options: dict[str, Any]  # presets of pool-wide options that all tasks share
    disputed: dict[str, str]  # pool-wide options that are preset for some tasks only, with the error message

    @classmethod
    def of(cls, task_ids: Sequence[str], tasks: Sequence[NamedTask]) -> MixedTask:
        presets: dict[str, Any] = {}
        disputed: dict[str, str] = {}
        for task_id, task in zip(task_ids, tasks, strict=True):
            for name in POOL_WIDE & task.options.keys():
                presets[name] = value = task.options[name]
                if not all(name in other.options and is_same(other.options[name], value) for other in tasks):
                    expected = f"expected {name} to be given, which holds for all of them"
                    given = f"{name}={value!r} is preset for {task_id!r} and not for all tasks of the pool"
                    disputed[name] = f"{given}: {expected}"
        own = [{name: each for name, each in task.options.items() if name not in POOL_WIDE} for task in tasks]
        return cls(tuple(zip((task.base for task in tasks), own, strict=True)), presets, disputed)

    def with_presets(self, given: dict[str, Any]) -> dict[str, Any]:
        for name, reason in self.disputed.items():
            if name not in given:
                raise ValueError(reason)
        return {**self.options, **given}


@dataclass(frozen=True)
class ForeignTask:
    """Task whose classes belong to another package and follow EnvPool's ``py_env`` protocol."""

    import_path: str
    spec_cls: str
    classes: dict[str, str | None]
    options: dict[str, Any]

    def spec(self, options: dict[str, Any]) -> Any:
        spec_cls = getattr(importlib.import_module(self.import_path), self.spec_cls)
        return spec_cls(spec_cls.gen_config(**{**self.options, **options}))

    def env(self, env_type: str, options: dict[str, Any]) -> Any:
        name = self.classes[env_type]
        if name is None:
            there = [each for each, cls in self.classes.items() if cls is not None]
            raise ValueError(f"env_type={env_type!r}: this task was registered for {' and '.join(there)} only")
        return getattr(importlib.import_module(self.import_path), name)(self.spec(options))


TaskId: TypeAlias = "str | Sequence[str]"  # name of a task, or names of several tasks that share a pool

_LIMITS = "max_episode_steps", "reward_threshold"
limits = task_limits()  # these two of each task of this release

ENVPOOL_ALIASES = {
    "phys2d/CartPole-v0": "CartPole-v0",
    "phys2d/CartPole-v1": "CartPole-v1",
    "phys2d/Pendulum-v0": "Pendulum-v0",
    "tabular/Blackjack-v0": "Blackjack-v1",
    "tabular/CliffWalking-v0": "CliffWalking-v1",
    **{f"MyoSuite/{task_id}": task_id for task_id in sorted(tasks_with("myosuite_dir"))},
}
"""EnvPool's second names for tasks."""
_IN_JAX = (
    "phys2d/",
    "tabular/",
)  # prefixes of aliases of which gymnasium has other tasks, which :func:`make_vec` makes

tasks: dict[str, NamedTask | ForeignTask] = {task_id: NamedTask(task_id) for task_id in limits}
"""All tasks by name, in order of registration."""
tasks |= {alias: NamedTask(task_id) for alias, task_id in ENVPOOL_ALIASES.items()}

sources: list[Callable[[], list[str]]] = []  # functions that load libraries, and return a sentence for each failure
_TEST_PREFIX = "test/"  # of tasks for testing: they can be made, but `list_all_envs` omits them


def list_all_envs() -> list[str]:
    """Returns all task ids: those of this release, then those loaded and registered later, in order of registration.

    Libraries of installed packages (entry points ``envpool_rs.plugins``) and of the environment variable
    ``ENVPOOL_RS_PLUGINS`` are loaded first. EnvPool's aliases are omitted.
    """
    _discover()
    # Copied in one step: another thread may load a library meanwhile.
    return [name for name in list(tasks) if not name.startswith(_TEST_PREFIX) and name not in ENVPOOL_ALIASES]


def _discover() -> list[str]:
    """Loads libraries of tasks; called for unknown names, and before all tasks are listed."""
    return [failure for source in sources for failure in source()]


def task_named(name: str) -> NamedTask | ForeignTask | None:
    """Returns the task of a name: one of the table, or one whose name states its options; otherwise ``None``."""
    if name in tasks:
        return tasks[name]
    stated = named_options(name)
    return NamedTask(*stated) if stated and stated[0] in tasks else None


def is_native(task_id: Any) -> bool:
    """Returns whether ``task_id`` names a task, several tasks or a benchmark whose environments run in native pools."""
    if isinstance(task_id, str):
        return task_id in BENCHMARKS or (task_named(task_id) is not None and not task_id.startswith(_IN_JAX))
    return isinstance(task_id, list)


def find(task_id: TaskId) -> NamedTask | MixedTask | ForeignTask | Benchmark:
    """Returns the task or benchmark with a given name, or the mixture of the tasks with several names."""
    if isinstance(task_id, (list, tuple)):
        is_nested = any(isinstance(each, (list, tuple)) for each in task_id)
        found = [] if is_nested else [find(each) for each in task_id]
        named = [task for task in found if isinstance(task, NamedTask)]
        if len(named) < len(found) or not named:
            raise ValueError(f"task_id={task_id!r}: expected one or more tasks of envpool_rs")
        return MixedTask.of(task_id, named)
    name = task_id if isinstance(task_id, str) else ""
    failures = [] if name in BENCHMARKS or task_named(name) else _discover()
    task = BENCHMARKS.get(name) or task_named(name)
    if task is None:
        raise unknown_task(task_id, list_all_envs(), failures)
    return task


def joined_name(task_id: TaskId) -> str:
    """Returns a task's name, with aliases resolved; several names are joined by commas."""
    if isinstance(task_id, str):
        return ENVPOOL_ALIASES.get(task_id, task_id)
    return ", ".join(joined_name(each) for each in task_id)


def requested(task_id: Any) -> tuple[Any, dict[str, Any]]:
    """Returns the task or tasks that a user requests, and the options that a specification contains."""
    if isinstance(task_id, (list, tuple)):
        return [_task_of_gymnasium_id(each) for each in task_id], {}
    if not isinstance(task_id, GymnasiumEnvSpec):
        return _task_of_gymnasium_id(task_id), {}
    spec = task_id
    if spec.vector_entry_point not in (MAKE_VEC, MAKE_SHARED_MEMORY_VEC) or "task_id" not in spec.kwargs:
        return spec, {}
    options = dict(spec.kwargs)
    task_id = options.pop("task_id")
    options.pop("vectorization_mode", None)  # gymnasium's make_vec adds it
    if isinstance(spec, EnvSpec):
        options.setdefault("num_envs", spec.num_envs)
    task = task_named(task_id) if isinstance(task_id, str) else None
    presets = limits.get(task.base if isinstance(task, NamedTask) else "", (None, None))
    for name, preset in zip(_LIMITS, presets, strict=True):
        value = getattr(spec, name)  # a field, which users change
        if value is not None and value != preset:
            options[name] = value
    return task_id, options


def _task_of_gymnasium_id(task_id: Any) -> Any:
    """Returns the name of the task with a gymnasium id; any other value unchanged."""
    if not isinstance(task_id, str):
        return task_id
    own = task_id
    # Ids may state modules that gymnasium imports to register tasks: envpool_rs:envpool_rs/CartPole-v1.
    for module in (*FACTS["gymnasium_modules"], NAMESPACE):
        own = own.removeprefix(f"{module}:")

    def name() -> str | None:
        stated = own.removeprefix(f"{NAMESPACE}/")
        if own in tasks or named_options(stated):
            return own if own in tasks else stated
        return next((each for each in list(tasks) if gymnasium_id(each) == own), None)

    found = name()
    if found is None and task_id not in gymnasium_registration.registry:
        _discover()
        found = name()
    return task_id if found is None else found


def register_with_gymnasium() -> None:
    """Registers all tasks with gymnasium as ``envpool_rs/<task id>``; runs when the package is imported."""
    add_to_gymnasium({name: task for name, task in tasks.items() if name not in ENVPOOL_ALIASES})


def add_to_gymnasium(named: Mapping[str, NamedTask | ForeignTask]) -> None:
    """Registers tasks with gymnasium, except tasks whose classes belong to other packages."""
    specs = {}
    for name, task in named.items():
        if isinstance(task, NamedTask):
            pairs = zip(_LIMITS, limits[task.base], strict=True)
            limit, threshold = (task.options.get(option, own) for option, own in pairs)
            specs[gymnasium_id(name)] = GymnasiumEnvSpec(
                id=gymnasium_id(name),
                entry_point=SINGLE_ENV,
                vector_entry_point=MAKE_VEC,
                # gymnasium's specification has one time limit for all environments of a pool.
                max_episode_steps=limit if isinstance(limit, numbers.Integral) else None,  # type: ignore[arg-type]
                reward_threshold=threshold,
                kwargs={"task_id": name},
            )
    # gymnasium's own `register` scans all ids for other versions of each, which is noticeable with hundreds of ids.
    gymnasium_registration.registry.update(specs)


def pool_option_descriptions() -> list[PoolOptionDescription]:
    """Returns descriptions of the options of every task: the extension's in order, then Python's."""
    return [*_core.pool_options(), *_core.options_of_python()]


def kind_text(option: OptionDescription | PoolOptionDescription) -> str:
    """Describes the values that an option accepts: its type, or a subset of that type."""
    allowed = option.get("allowed")
    if isinstance(allowed, str):
        if allowed[0] in "-0123456789":
            return f"{option['kind']}{' from' if ' to ' in allowed else ','} {allowed}"
        return f"{option['kind']}, {allowed}" if allowed.startswith("above") else allowed
    if option["values"]:
        *most, last = [f'"{value}"' for value in option["values"]]
        others = [kind for kind in option["kind"].split(" or ") if kind != "str"]
        return " or ".join([", ".join(most), last, *others])
    return option["kind"]
