"""Writes what type checkers, editors and help() are told of the functions that make environments.

    python tests/signatures.py

`make signatures` writes, tests/python/test_signatures.py checks: all of `python/envpool_rs/_make/signatures.pyi`, and
the lists of options that end the docstring of `make`. Both come from the table of tasks.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

from envpool_rs import _core
from envpool_rs._tasks.option_descriptions import kind_text, pool_options, task_descriptions

FOLDER = Path(__file__).parents[1] / "python" / "envpool_rs" / "_make"
STUB = FOLDER / "signatures.pyi"
MAKE = FOLDER / "make.py"

GENERATED = re.compile(r'^    Options of every task\n.*?(?=^    """$)', re.M | re.S)
"""What is written into the docstring of `make`."""

WIDE_FAMILIES = {
    "Adventure": "Atari",
    "ALE/Adventure": "AleAtari",
    "D1Basic": "EnvPoolVizdoom",
    "VizdoomBasic": "Vizdoom",
}
"""Names of families by the stem of their first task, where that names but one of many games."""

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
"""What the extension calls kinds, as types; text is typed by what it may say."""

HEADER = '''\
"""The functions that make environments, with the options of each task: for type checkers and editors.

Written by tests/signatures.py (`make signatures`) from the table of tasks. There is no such module when a program runs:
the functions are those of `envpool_rs`. Signatures of your own can have the options of a family:

    if TYPE_CHECKING:
        from envpool_rs._make.signatures import CartPoleOptions
"""

# A task's overload comes before that for options of other tasks, and both before that for any name.
# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypeAlias, TypedDict, TypeVar, overload

import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.envs.registration import VectorizeMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from typing_extensions import Unpack, deprecated

from envpool_rs._facades.dm_facade import DMEnvPool
from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool
from envpool_rs._facades.vector_facade import VectorEnv
from envpool_rs._python_pool.vector_env import PythonVectorEnv
from envpool_rs._spec.spec import EnvSpec

_T = TypeVar("_T")

ForEach: TypeAlias = _T | Sequence[_T] | npt.NDArray[Any]
"""One value for all environments, or `num_envs` values."""

Uniform: TypeAlias = tuple[Literal["uniform"], float, float]
"""A float between two bounds, drawn for each episode."""

Integers: TypeAlias = tuple[Literal["integers"], int, int]
"""An integer from the first bound to below the second, drawn for each episode."""

Choice: TypeAlias = tuple[Literal["choice"], Unpack[tuple[_T, ...]]]
"""One of the values that follow, drawn for each episode."""

TaskId: TypeAlias = str | list[str] | tuple[str, ...]
"""A task, or several that share a pool."""

EnvFn: TypeAlias = Callable[[], Any]
"""A function that makes an environment."""

Array: TypeAlias = npt.NDArray[Any]
"""A batch of observations."""

class NoSuchOption:
    """What type checkers take for the result where a task is given options of another: it can do nothing.

    When the program runs, there is a TypeError that names the option.
    """
'''

INTERFACES = {"gymnasium": "GymnasiumEnvPool", "gym": "GymEnvPool", "dm": "DMEnvPool"}

FUNCTIONS = ("make", "make_gymnasium", "make_gym", "make_dm", "make_spec", "make_vec")


class Family:
    """Tasks that take the same options.

    Attributes:
        name: what the names of its types begin with.
        tasks: their ids.
        own: the options that not every task has; where the defaults differ, that is said in the default's place.
    """

    def __init__(self, name, tasks):
        self.name = name
        self.tasks = [task["id"] for task in tasks]
        self.own = [_common(options) for options in zip(*(task["options"] for task in tasks), strict=True)]
        self.options = f"{name}Options" if self.own else "PoolOptions"

    def observation(self, dialect):
        """The type of a batch of observations."""
        return _observation(_core.Spec(self.tasks[0], dialect, {}).observation)

    def tasks_text(self, most=3):
        rest = len(self.tasks) - most
        return ", ".join(self.tasks[:most]) + (f" and {rest} more" if rest > 0 else "")


def _common(options):
    defaults = {repr(option["default"]) for option in options}
    return {**options[0], "default": defaults.pop() if len(defaults) == 1 else "by task"}


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
    """All families, in the order of their first tasks."""
    groups = {}
    for task in task_descriptions():
        if not task["id"].startswith("test/"):
            key = tuple((each["name"], kind_text(each), each["each_episode"], each["doc"]) for each in task["options"])
            # Those without options of their own need not look alike.
            groups.setdefault(key or task["id"], []).append(task)
    found = {}
    for tasks in groups.values():
        stem, _, version = tasks[0]["id"].rpartition("-v")
        name = WIDE_FAMILIES.get(stem, stem)
        # MiniGrid's names have hyphens: the first task of a class stands for all of its levels.
        name = name.replace("-", "") if stem.startswith(("MiniGrid-", "BabyAI-")) else name
        name = f"{name}V{version}" if name in found else name
        if name in found or not name.isidentifier():
            raise SystemExit(f"{tasks[0]['id']}: its family needs a name in WIDE_FAMILIES")
        found[name] = Family(name, tasks)
    return list(found.values())


# --- types of options ------------------------------------------------------------------------------------------------


def union(*types):
    """The types without doubles, None last."""
    parts = dict.fromkeys(types)
    return " | ".join(sorted(parts, key=lambda part: part == "None"))


def kinds_of(option):
    return option["kind"].split(" or ")


def value_types(option):
    """The types of one value."""
    texts = f"Literal[{', '.join(map(quoted, option['values']))}]" if option["values"] else "str"
    return [texts if kind == "str" else TYPES[kind] for kind in kinds_of(option)]


def option_type(option):
    """The type of an environment's option."""
    values = value_types(option)
    if not option["each_episode"]:
        return f"ForEach[{union(*values)}]"
    draws = [name for kind, name in (("float", "Uniform"), ("int", "Integers")) if kind in kinds_of(option)]
    return f"ForEach[{union(*values, *draws, f'Choice[{union(*values)}]')}]"


def pool_option_type(option):
    """The type of an option that every task has."""
    takes_lists = any(kind.startswith("list of ") for kind in kinds_of(option))
    return union(*value_types(option), *(["npt.NDArray[Any]"] if takes_lists else []))


def quoted(text):
    return f'"{text}"'


def words(option):
    """What an option does, which values it takes, and its default."""
    text = f"{option['doc']} ({kind_text(option)}; default {option['default']})."
    return (text[0].upper() + text[1:]).replace("\\", "\\\\").replace('"""', "'''")


def typed_dict(name, doc, fields, base):
    """A class of keyword arguments, all of which may be left out."""
    lines = [f"class {name}({base}, total=False):", f'    """{doc}"""', ""]
    for option, kind, says in fields:
        lines += [f"    {option}: {kind}", f'    """{says}"""']
    return "\n".join(lines) + "\n"


def any_options(all_families):
    """Every option that some task has, with its types in all of them."""
    kinds = {}
    for family in all_families:
        for option in family.own:
            kinds.setdefault(option["name"], {}).setdefault(option_type(option), family.name)
    for name, types in sorted(kinds.items()):
        yield name, union(*types), f"See {' and '.join(f'{family}Options' for family in types.values())}."


# --- the functions ---------------------------------------------------------------------------------------------------


def parameters(task, env_type, num_envs, options, return_info="Literal[True] | None"):
    """The parameters of all but make_vec."""
    given = [f"task_id: {task}", *env_type, "*", num_envs, f"gym_reset_return_info: {return_info} = None"]
    return ", ".join([*given, f"**options: Unpack[{options}]"])


def signatures(function, task, options, family=None):
    """Parameters and results of a function for a family of tasks; without one, for any name."""
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
    """The same of make_vec."""
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
    task = "TaskId | GymnasiumEnvSpec"
    mode = "vectorization_mode: None = None"
    yield f"task_id: {task}, {num_envs}, {mode}, {rest}", "VectorEnv | PythonVectorEnv"
    # Which of them it is, is for the task to say, and for the wrappers.
    mode = "vectorization_mode: VectorizeMode | str | None = None"
    yield f"task_id: {task} | Sequence[EnvFn] | None = None, {num_envs}, {mode}, {rest}", "Any"


def misfit(function):
    """The parameters for a known task with options that are not its own."""
    if function == "make_vec":
        mode = 'vectorization_mode: Literal["native"] | None = None'
        own = "vector_kwargs: Mapping[str, Any] | None = None, wrappers: None = None"
        return f"task_id: KnownTask, num_envs: int | None = None, {mode}, {own}, **options: Any"
    env_type = ['env_type: Literal["gymnasium", "gym", "dm"] = "gymnasium"'] if function == "make" else []
    return parameters("KnownTask", env_type, "num_envs: int = 1", "AnyOptions", "bool | None")


def overloads(function, all_families):
    """A function: each family, then known tasks with options that are not theirs, then any other name."""
    written = vec_signatures if function == "make_vec" else lambda *given: signatures(function, *given)
    for family in all_families:
        names = ", ".join(option["name"] for option in family.own) or "none"
        doc = f'"""{family.tasks_text()}. Own options: {names}."""'
        for given, result in written(f"{family.name}Task", family.options, family):
            yield f"@overload\ndef {function}({given}) -> {result}:\n    {doc}\n"
    reason = "not all of these are options of this task: see `python -m envpool_rs info TASK`"
    yield f'@overload\n@deprecated("{reason}")\ndef {function}({misfit(function)}) -> NoSuchOption: ...\n'
    for given, result in written("TaskId", "AnyOptions"):
        yield f"@overload\ndef {function}({given}) -> {result}: ...\n"


def task_literal(family):
    lines = textwrap.wrap(", ".join(map(quoted, family.tasks)), 120, break_long_words=False, break_on_hyphens=False)
    return f"{family.name}Task: TypeAlias = Literal[\n" + "".join(f"    {line}\n" for line in lines) + "]\n"


def stub():
    """The text of the stub, to be formatted."""
    every = families()
    explicit = ("num_envs", "gym_reset_return_info")
    shared = [
        (each["name"], pool_option_type(each), words(each)) for each in pool_options() if each["name"] not in explicit
    ]
    parts = [HEADER, typed_dict("PoolOptions", "Options of every task, beside `num_envs`.", shared, "TypedDict")]
    for family in every:
        parts.append(task_literal(family))
        if family.own:
            fields = [(option["name"], option_type(option), words(option)) for option in family.own]
            parts.append(typed_dict(family.options, f"Options of {family.tasks_text()}.", fields, "PoolOptions"))
    parts.append(f"KnownTask: TypeAlias = {' | '.join(f'{family.name}Task' for family in every)}\n")
    doc = "Options of all tasks, for names that only the running program knows."
    parts.append(typed_dict("AnyOptions", doc, any_options(every), "PoolOptions"))
    for function in FUNCTIONS:
        parts.extend(overloads(function, every))
    return "\n".join(parts)


# --- help() ----------------------------------------------------------------------------------------------------------


def wrapped(text, begin, indent):
    return textwrap.fill(text, 120, initial_indent=begin, subsequent_indent=indent, break_on_hyphens=False)


def lists_of_options():
    """The end of the docstring of `make`."""
    lines = ["    Options of every task", ""]
    for option in pool_options():
        text = f"``{option['name']}``: {option['doc']} ({kind_text(option)}; default {option['default']})"
        lines.append(wrapped(text, "    * ", "      "))
    lines += ["", "    Options of environments; ``python -m envpool_rs info TASK`` says what they do", ""]
    for family in families():
        names = ", ".join(f"``{option['name']}``" for option in family.own) or "none"
        lines.append(wrapped(f"{family.tasks_text()}: {names}", "    * ", "      "))
    return "\n".join(lines) + "\n"


def docstring_filled(source):
    """The module that defines `make`, with the lists as the table of tasks has them."""
    if len(GENERATED.findall(source)) != 1:
        raise SystemExit(f"{MAKE}: the docstring of make has no place for the lists of options")
    return GENERATED.sub(lambda _: lists_of_options(), source)


if __name__ == "__main__":
    STUB.write_text(stub())
    subprocess.run([sys.executable, "-m", "ruff", "format", "--quiet", str(STUB)], check=True)
    MAKE.write_text(docstring_filled(MAKE.read_text()))
