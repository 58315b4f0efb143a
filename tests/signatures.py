"""Writes the signatures and docstrings of the functions that make environments.

    python tests/signatures.py

`make signatures` writes two files from the table of tasks: `python/envpool_rs/_make/signatures.pyi`, and `options.txt`
with the lists of options that end the docstring of `make`. tests/python/test_signatures.py checks both files.
"""

import textwrap
from pathlib import Path

from envpool_rs import _core
from envpool_rs._tasks.table import kind_text, pool_option_descriptions, task_descriptions

FOLDER = Path(__file__).parents[1] / "python" / "envpool_rs" / "_make"
STUB = FOLDER / "signatures.pyi"
OPTIONS = FOLDER / "options.txt"

WIDE_FAMILIES = {
    "Adventure": "Atari",
    "ALE/Adventure": "AleAtari",
    "AcrobotSwingup": "DmControl",
    "BigfishEasy": "EnvPoolProcgen",
    "procgen-bigfish": "Procgen",
    "D1Basic": "EnvPoolVizdoom",
    "VizdoomBasic": "Vizdoom",
    "PointMaze_UMaze": "PointMaze",
    "AntMaze_UMaze": "AntMaze",
    "MetaWorld/Assembly": "MetaWorld",
    "FetchReach": "Fetch",
    "AdroitHandDoor": "Adroit",
    "HandReach": "HandReach",
    "HandManipulateBlockRotateZ_BooleanTouchSensors": "HandTouch",
    "HandManipulateBlockRotateZ": "HandManipulate",
}
"""Names of the families whose first task's name is the name of a single game, by that name."""

SHARED = {
    "agent_view_size": "Level",
    "benchmark_data": "Particles",
    "contact_force_range": "AntBody",
    "domain_keys": "Suite",
    "exclude_root_actuator_forces": "HumanoidBody",
    "fast_palette_copy": "Doom",
    "from_pixels": "Mujoco",
    "healthy_angle_range": "Legs",
    "legacy_healthy_reward": "Walkers",
    "position_noise_range": "Maze",
    "procgen_dir": "ProcgenGame",
    "reward_control_weight": "Arm",
    "rom_dir": "Console",
    "rotation_threshold": "HandObject",
    "touch_get_obs": "Touch",
}
"""Names for options that several families share, by one of these options."""

LEAST_SHARED = 4
"""Minimum number of shared options for a separate class; fewer are repeated."""

TYPES = {
    "bool": "bool",
    "int": "int",
    "float": "float",
    "list of str": "list[str] | tuple[str, ...]",
    "list of int": "Sequence[int]",
    "list of float": "Sequence[float]",
    "dict of numbers": "Mapping[Any, float | Sequence[float]]",
    "list of such": "Sequence[int | None]",
    "dict": "Mapping[Any, Any]",
    "AutoresetMode": "AutoresetMode",
    "None": "None",
}
"""Types by the extension's names of kinds; strings are typed by their allowed values."""

HEADER = '''\
"""Signatures of the functions that make environments, with the options of each task, for type checkers and editors.

Written by tests/signatures.py (`make signatures`) from the table of tasks. This module does not exist at run
time; the functions themselves are in `envpool_rs`. Signatures in your own code can have the options of a family:

    if TYPE_CHECKING:
        from envpool_rs._make.signatures import CartPoleOptions
"""

# Order of a function's overloads: for each family of tasks, for options of other tasks, for any name.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# The file is not formatted: a formatter would put every task, value and parameter on a separate line.
# fmt: off

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, overload

import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.envs.registration import VectorizeMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from typing_extensions import Unpack, deprecated

from envpool_rs._facades.dm_facade import DMEnvPool
from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool, VectorEnv
from envpool_rs._python_pool.pool import PythonVectorEnv
from envpool_rs._spec.spec import EnvSpec

_T = TypeVar("_T")

ForEach: TypeAlias = _T | Sequence[_T] | npt.NDArray[Any]
"""One value for all environments, or `num_envs` values."""

Uniform: TypeAlias = tuple[Literal["uniform"], float, float]
"""A float between two bounds, drawn for each episode."""

Integers: TypeAlias = tuple[Literal["integers"], int, int]
"""An integer of at least the first bound and below the second, drawn for each episode."""

Choice: TypeAlias = tuple[Literal["choice"], Unpack[tuple[_T, ...]]]
"""One of the listed values, drawn for each episode."""

TaskId: TypeAlias = str | GymnasiumEnvSpec | list[str] | tuple[str, ...]
"""A task, or several that share a pool."""

EnvFn: TypeAlias = Callable[[], Any]
"""A function that makes an environment."""

Array: TypeAlias = npt.NDArray[Any]
"""A batch of observations."""

class NoSuchOption:
    """Type of the result of a call with options of another task: it has no methods, so type checkers report its use.

    At run time, the call raises a TypeError that names the option.
    """
'''

INTERFACES = {"gymnasium": "GymnasiumEnvPool", "gym": "GymEnvPool", "dm": "DMEnvPool"}

FUNCTIONS = ("make", "make_gymnasium", "make_gym", "make_dm", "make_spec", "make_vec")


class Family:
    """Tasks that take the same options and have observations of the same type.

    Attributes:
        name: prefix of the names of its types.
        tasks: ids of the family's tasks.
        own: the options that only some tasks of the package have; an option's values are the union over the family's
            tasks.
        shared: classes of options that this family has in common with other families.
        options: the class of all its options.
    """

    def __init__(self, name, tasks):
        self.name = name
        self.tasks = [task["id"] for task in tasks]
        self.own = [_merged(options) for options in zip(*(task["options"] for task in tasks), strict=True)]
        self.shared = []
        self.options = f"{name}Options" if self.own else "PoolOptions"

    def observation(self, dialect):
        """Returns the type of a batch of observations."""
        return _observation(_core.Spec(self.tasks[0], dialect, {}).observation)

    def rest(self):
        """Returns the family's options that no shared class contains."""
        shared = {option["name"] for each in self.shared for option in each.own}
        return [option for option in self.own if option["name"] not in shared]


class Shared:
    """Options that several families share.

    Attributes:
        families: the families that have these options.
        own: the options.
        options: the class of these options.
    """

    def __init__(self, families, own):
        self.families = families
        self.own = own
        names = {SHARED[option["name"]] for option in own if option["name"] in SHARED}
        if len(names) != 1:
            raise SystemExit(f"{[option['name'] for option in own]}: these options need a name in SHARED")
        self.options = f"{names.pop()}Options"


def tasks_text(tasks, most=3):
    rest = len(tasks) - most
    return ", ".join(tasks[:most]) + (f" and {rest} more" if rest > 0 else "")


def _merged(options):
    """Merges the descriptions of one option in several tasks; the result has the values of all tasks."""
    # The default of an option that was merged before is already source text.
    defaults = {option["default"] if "text" in option else repr(option["default"]) for option in options}
    kinds = dict.fromkeys(kind for option in options for kind in kinds_of(option))
    merged = {
        **options[0],
        "default": defaults.pop() if len(defaults) == 1 else "by task",
        "kind": " or ".join(kinds),
        "values": list(dict.fromkeys(value for option in options for value in option["values"])),
    }
    texts = {option.get("text") or kind_text(option) for option in options}
    return {**merged, "text": texts.pop() if len(texts) == 1 else kind_text({**merged, "allowed": None})}


def _observation(space):
    match space:
        case ("tuple", parts):
            return f"tuple[{', '.join(_observation(part) for part in parts)}]"
        case ("dict", parts):
            return f"dict[str, {union(*sorted({_observation(part) for _, part in parts}))}]"
        case ("text", *_):
            return "tuple[str, ...]"
        case _:
            return "Array"


def families():
    """Returns all families, in the order of their first tasks."""
    groups = {}
    for task in task_descriptions():
        if not task["id"].startswith("test/"):
            key = tuple((each["name"], each["doc"], kind_text(each), each["each_episode"]) for each in task["options"])
            # Each task without options of its own gets a separate group, because observations may differ.
            groups.setdefault(key or task["id"], []).append(task)
    alike = {}
    for key, tasks in groups.items():
        names = key if isinstance(key, str) else frozenset(each[:2] for each in key)
        observation = _observation(_core.Spec(tasks[0]["id"], "envpool", {}).observation)
        alike.setdefault((names, observation), []).extend(_in_order_of(tasks, alike.get((names, observation))))
    found = {}
    for tasks in alike.values():
        stem, _, version = tasks[0]["id"].rpartition("-v")
        name = WIDE_FAMILIES.get(stem, stem)
        # MiniGrid's names have hyphens: the first task of a class stands for all of its levels.
        name = name.replace("-", "") if stem.startswith(("MiniGrid-", "BabyAI-")) else name
        name = f"{name}V{version}" if name in found else name
        if name in found or not name.isidentifier():
            raise SystemExit(f"{tasks[0]['id']}: its family needs a name in WIDE_FAMILIES")
        found[name] = Family(name, tasks)
    _share_options(list(found.values()))
    return list(found.values())


def _in_order_of(tasks, others):
    """Returns the tasks with their options in the order of the options of ``others``, which are tasks with equal
    options.
    """
    if not others:
        return tasks
    names = [option["name"] for option in others[0]["options"]]
    return [{**task, "options": sorted(task["options"], key=lambda each: names.index(each["name"]))} for task in tasks]


def _share_options(found):
    """Creates a class for each set of options that several families have, and adds it to these families."""
    owners = {}
    for family in found:
        for option in family.own:
            key = option["name"], option["doc"], option["kind"], option["each_episode"]
            owners.setdefault(key, []).append((family.name, option))
    together = {}
    for each in owners.values():
        together.setdefault(tuple(name for name, _ in each), []).append(_merged([option for _, option in each]))
    for names, own in together.items():
        if len(names) > 1 and len(own) >= LEAST_SHARED:
            sharing = [family for family in found if family.name in names]
            shared = Shared(sharing, own)
            merged = {option["name"]: option for option in own}
            for family in sharing:
                family.shared.append(shared)
                family.own = [merged.get(option["name"], option) for option in family.own]


# --- types of options ------------------------------------------------------------------------------------------------


def union(*types):
    """Returns the union of types as source, without duplicates, None last."""
    parts = dict.fromkeys(types)
    return " | ".join(sorted(parts, key=lambda part: part == "None"))


def kinds_of(option):
    return option["kind"].split(" or ")


def value_types(option):
    """Returns the types that one value of an option may have."""
    texts = f"Literal[{', '.join(map(quoted, option['values']))}]" if option["values"] else "str"
    return [texts if kind == "str" else TYPES[kind] for kind in kinds_of(option)]


def option_type(option):
    """Returns the type of an environment's option, including lists per environment and draws per episode."""
    values = value_types(option)
    if not option["each_episode"]:
        return f"ForEach[{union(*values)}]"
    draws = [name for kind, name in (("float", "Uniform"), ("int", "Integers")) if kind in kinds_of(option)]
    return f"ForEach[{union(*values, *draws, f'Choice[{union(*values)}]')}]"


def pool_option_type(option):
    """Returns the type of an option that every task has."""
    takes_lists = any(kind.startswith("list of ") for kind in kinds_of(option))
    return union(*value_types(option), *(["npt.NDArray[Any]"] if takes_lists else []))


def quoted(text):
    return f'"{text}"'


def words(option):
    """Returns the description of an option with its values and its default."""
    text = f"{option['doc']} ({option.get('text') or kind_text(option)}; default {option['default']})."
    return (text[0].upper() + text[1:]).replace("\\", "\\\\").replace('"""', "'''")


def typed_dict(name, doc, options, bases, kind=option_type):
    """Returns the source of a `TypedDict` of optional keyword arguments."""
    lines = [f"class {name}({', '.join(bases)}, total=False):", f'    """{doc}"""', ""]
    for option in options:
        lines += [f"    {option['name']}: {kind(option)}", f'    """{words(option)}"""']
    return "\n".join(lines) + "\n"


def any_options(all_families, all_shared):
    """Returns the source of the class of all tasks' options; an option's type is the union over all tasks."""
    kinds = {}
    for family in all_families:
        for option in family.own:
            kinds.setdefault(option["name"], {})[option_type(option)] = None
    types = {name: union(*found) for name, found in kinds.items()}
    # A class cannot change the type of an inherited field, so only classes with equal types are base classes.
    bases = [each for each in all_shared if all(types[option["name"]] == option_type(option) for option in each.own)]
    inherited = {option["name"] for each in bases for option in each.own}
    lines = [
        f"class AnyOptions({', '.join(['PoolOptions', *(each.options for each in bases)])}, total=False):",
        '    """Options of all tasks, for names that only the running program knows."""',
        "",
        *(f"    {name}: {kind}" for name, kind in sorted(types.items()) if name not in inherited),
    ]
    return "\n".join(lines) + "\n"


# --- signatures of the functions -------------------------------------------------------------------------------------


def parameters(task, env_type, num_envs, options, return_info="Literal[True] | None"):
    """Returns the parameters of a maker other than make_vec as source."""
    given = [f"task_id: {task}", *env_type, "*", num_envs, f"gym_reset_return_info: {return_info} = None"]
    return ", ".join([*given, f"**options: Unpack[{options}]"])


def signatures(function, task, options, family=None):
    """Yields parameters and result of a function's overloads for a family of tasks, or for any name if ``family`` is
    None.
    """
    num_envs = "num_envs: int = 1"
    if function == "make_spec":
        yield parameters(task, [], num_envs, options), "EnvSpec"
        return
    for env_type, cls in INTERFACES.items():
        kind = f'env_type: Literal["{env_type}"]' + (' = "gymnasium"' if env_type == "gymnasium" else "")
        info = "bool | None" if env_type == "gym" else "Literal[True] | None"
        result = f"{cls}[{family.observation('envpool')}]" if family and env_type == "gymnasium" else cls
        if function == "make":
            yield parameters(task, [kind], num_envs, options, info), result
        elif function == f"make_{env_type}":
            yield parameters(task, [], num_envs, options, info), result


def vec_signatures(task, options, family=None):
    """Yields parameters and result of make_vec's overloads for a family of tasks, or for any name if ``family`` is
    None.
    """
    num_envs = "num_envs: int | None = None"
    if family:
        mode = 'vectorization_mode: Literal["native"] | None = None'
        result = f"VectorEnv[{family.observation('gymnasium')}]"
        own = "vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None"
        yield f"task_id: {task}, {num_envs}, {mode}, {own}, **options: Unpack[{options}]", result
        return
    own = "vector_kwargs: Mapping[str, Any] | None = None, wrappers: Sequence[Callable[[Any], Any]] | None = None"
    rest = f"{own}, **options: Any"
    mode = 'vectorization_mode: Literal["shared_memory"]'
    yield f"task_id: str | GymnasiumEnvSpec, {num_envs}, *, {mode}, {rest}", "PythonVectorEnv"
    mode = 'vectorization_mode: Literal["native"]'
    yield f"task_id: TaskId, {num_envs}, *, {mode}, {rest}", "VectorEnv"
    yield f"task_id: list[str] | tuple[str, ...], {num_envs}, vectorization_mode: None = None, {rest}", "VectorEnv"
    task = "EnvFn | list[EnvFn] | tuple[EnvFn, ...]"
    mode = 'vectorization_mode: Literal["async", "shared_memory"] | None = None'
    yield f"task_id: {task}, {num_envs}, {mode}, {rest}", "PythonVectorEnv"
    mode = 'vectorization_mode: Literal["sync"]'
    yield f"task_id: {task}, {num_envs}, *, {mode}, {rest}", "SyncVectorEnv[Any, Any]"
    task = "TaskId"
    mode = "vectorization_mode: None = None"
    yield f"task_id: {task}, {num_envs}, {mode}, {rest}", "VectorEnv | PythonVectorEnv"
    # The task and the wrappers determine the class of the result.
    mode = "vectorization_mode: VectorizeMode | str | None = None"
    yield f"task_id: {task} | Sequence[EnvFn] | None = None, {num_envs}, {mode}, {rest}", "Any"


def misfit(function):
    """Returns the parameters of the overload for calls that pass an option of another task to a known task."""
    if function == "make_vec":
        mode = 'vectorization_mode: Literal["native"] | None = None'
        own = "vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None"
        return f"task_id: KnownTask, num_envs: int | None = None, {mode}, {own}, **options: Any"
    env_type = ['env_type: Literal["gymnasium", "gym", "dm"] = "gymnasium"'] if function == "make" else []
    return parameters("KnownTask", env_type, "num_envs: int = 1", "AnyOptions", "bool | None")


def overloads(function, all_families):
    """Yields a function's overloads: each family, then known tasks with options of other tasks, then any other name."""
    written = vec_signatures if function == "make_vec" else lambda *given: signatures(function, *given)
    for family in all_families:
        for given, result in written(f"{family.name}Task", family.options, family):
            yield f"@overload\ndef {function}({given}) -> {result}: ..."
    reason = "not all of these are options of this task: see `python -m envpool_rs info TASK`"
    yield f'@overload\n@deprecated("{reason}")\ndef {function}({misfit(function)}) -> NoSuchOption: ...'
    for given, result in written("TaskId", "AnyOptions"):
        yield f"@overload\ndef {function}({given}) -> {result}: ..."


def task_literal(family):
    text = f"{family.name}Task: TypeAlias = Literal[{', '.join(map(quoted, family.tasks))}]"
    return textwrap.fill(text, 200, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False) + "\n"


def stub():
    """Returns the text of the stub."""
    every = families()
    every_shared = list(dict.fromkeys(shared for family in every for shared in family.shared))
    explicit = ("num_envs", "gym_reset_return_info")
    of_all = [each for each in pool_option_descriptions() if each["name"] not in explicit]
    doc = "Options of every task, except `num_envs`."
    parts = [HEADER, typed_dict("PoolOptions", doc, of_all, ["TypedDict"], pool_option_type)]
    for shared in every_shared:
        names = ", ".join(family.name for family in shared.families)
        doc = f"Options that several families share: {names}."
        parts.append(typed_dict(shared.options, doc, shared.own, ["TypedDict"]))
    for family in every:
        if family.own:
            bases = ["PoolOptions", *(each.options for each in family.shared)]
            doc = f"Options of {tasks_text(family.tasks)}."
            parts.append(typed_dict(family.options, doc, family.rest(), bases))
    parts.append(any_options(every, every_shared))
    parts += [task_literal(family) for family in every]
    parts.append(f"KnownTask: TypeAlias = {' | '.join(f'{family.name}Task' for family in every)}\n")
    for function in FUNCTIONS:
        parts += [*overloads(function, every), ""]
    return "\n".join(parts)


# --- docstring of make, which help() shows ---------------------------------------------------------------------------


def wrapped(text, begin, indent):
    return textwrap.fill(text, 120, initial_indent=begin, subsequent_indent=indent, break_on_hyphens=False)


def lists_of_options():
    """Returns the lists of options that end the docstring of `make`."""
    lines = ["Options of every task", ""]
    for option in pool_option_descriptions():
        text = f"``{option['name']}``: {option['doc']} ({kind_text(option)}; default {option['default']})"
        lines.append(wrapped(text, "* ", "  "))
    text = (
        "Options of environments, each of which may have those of several lines; ``python -m envpool_rs info TASK`` "
        "says what they do"
    )
    lines += ["", wrapped(text, "", ""), ""]
    every = families()
    for shared in dict.fromkeys(shared for family in every for shared in family.shared):
        tasks = [task for family in shared.families for task in family.tasks]
        lines.append(wrapped(f"{tasks_text(tasks)}: {_names(shared.own)}", "* ", "  "))
    for family in every:
        if family.rest():
            lines.append(wrapped(f"{tasks_text(family.tasks)}: {_names(family.rest())}", "* ", "  "))
    return "\n".join(lines) + "\n"


def _names(options):
    return ", ".join(f"``{option['name']}``" for option in options)


if __name__ == "__main__":
    STUB.write_text(stub())
    OPTIONS.write_text(lists_of_options())
