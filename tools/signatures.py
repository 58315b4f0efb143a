"""Writes the signatures and docstrings of the functions that make environments.

    python tools/signatures.py

`make generate` writes two files from the table of tasks and the families' manifests:
`python/envpool_rs/_make/signatures.pyi`, and `options.txt` with the lists of options that end the docstring of `make`.
tests/python/tools/test_signatures.py checks both files.
"""

import inspect
import textwrap
from pathlib import Path

import envpool_rs
from envpool_rs import _core
from envpool_rs._tasks.table import kind_text, pool_option_descriptions
from families import families as manifests

FOLDER = Path(__file__).parents[1] / "python" / "envpool_rs" / "_make"
STUB = FOLDER / "signatures.pyi"
OPTIONS = FOLDER / "options.txt"

WIDE_FAMILIES = {
    family.options_class["option"]: family.options_class["name"] for family in manifests() if family.options_class
}
"""Names of the classes of options of families whose tasks have different options, each by an option that all of these
tasks have. All other tasks belong to a family with those that have the same options.
"""

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
    "Normalization": "Normalization",
    "None": "None",
}
"""Types by the extension's names of kinds; strings are typed by their allowed values."""

HEADER = '''\
"""Signatures of the functions that make environments, written by tools/signatures.py (`make generate`).

They have the options of each task, for type checkers and editors. This module does not exist at run
time; the functions themselves are in `envpool_rs`. Functions take the options of all tasks. Signatures in your own code
can have the options of a family only:

    if TYPE_CHECKING:
        from envpool_rs._make.signatures import CartPoleOptions

    def make(**options: Unpack[CartPoleOptions]) -> GymnasiumEnvPool: ...
"""

# mypy: disable-error-code="overload-overlap"
# pyright: reportOverlappingOverload=false
# The file is not formatted: a formatter would put every task, value and parameter on a separate line.
# fmt: off

from collections.abc import Callable, Mapping, Sequence
from multiprocessing.context import BaseContext
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, TypeVar, overload

import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.envs.registration import VectorizeMode
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from typing_extensions import Unpack

from envpool_rs._facades.dm_facade import DMEnvPool
from envpool_rs._facades.gym_facade import GymEnvPool
from envpool_rs._facades.gymnasium_facade import GymnasiumEnvPool, VectorEnv
from envpool_rs._facades.normalization import Normalization
from envpool_rs._python_pool.dm_facade import PythonDMEnvPool
from envpool_rs._python_pool.gym_facade import PythonGymEnvPool
from envpool_rs._python_pool.pool import PythonGymnasiumEnvPool, PythonVectorEnv
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

EnvFns: TypeAlias = EnvFn | Sequence[EnvFn]
"""One function that makes each environment, or functions that make one each."""

PythonMode: TypeAlias = VectorizeMode | Literal["sync", "async", "vector_entry_point", "shared_memory"]
"""Modes that accept options of environments written in Python."""

Wrappers: TypeAlias = Sequence[Callable[[Any], Any]] | None
"""Functions that wrap each environment."""

EnvType: TypeAlias = Literal["gymnasium", "gym", "dm"]
"""An interface that only the running program knows."""

class EnvPool(Protocol):
    """Pool with any of EnvPool's interfaces."""

    def __len__(self) -> int: ...
    @property
    def spec(self) -> EnvSpec: ...
    @property
    def config(self) -> dict[str, Any]: ...
    @property
    def all_env_ids(self) -> npt.NDArray[Any]: ...
    @property
    def is_async(self) -> bool: ...
    def reset(self, env_id: Any = None) -> Any: ...
    def step(self, action: Any, env_id: Any = None) -> Any: ...
    def async_reset(self) -> None: ...
    def send(self, action: Any, env_id: Any = None) -> None: ...
    def recv(self) -> Any: ...
    def close(self) -> None: ...
'''

NO_INFO = "Literal[True] | None"
"""Type of `gym_reset_return_info` of interfaces whose resets always return infos."""

POOLS = {
    'Literal["gymnasium"] = "gymnasium"': ("GymnasiumEnvPool", NO_INFO),
    'Literal["gym"]': ("GymEnvPool", "bool | None"),
    'Literal["dm"]': ("DMEnvPool", NO_INFO),
    "EnvType": ("EnvPool", "bool | None"),
}
"""Result of `make`, and type of `gym_reset_return_info`, by the type of `env_type`."""

VECTORS = (
    ("TaskId", '*, vectorization_mode: Literal["native"]', "None", "VectorEnv"),
    ("list[str] | tuple[str, ...]", "vectorization_mode: None = None", "None", "VectorEnv"),
    ("str | GymnasiumEnvSpec", '*, vectorization_mode: Literal["shared_memory"]', "Wrappers", "PythonVectorEnv"),
    ("EnvFns", 'vectorization_mode: Literal["async", "shared_memory"] | None = None', "Wrappers", "PythonVectorEnv"),
    ("EnvFns", '*, vectorization_mode: Literal["sync"]', "Wrappers", "SyncVectorEnv[Any, Any]"),
    ("str | GymnasiumEnvSpec", "vectorization_mode: None = None", "None", "VectorEnv | PythonVectorEnv"),
    ("TaskId | EnvFns | None = None", "vectorization_mode: PythonMode | None = None", "Wrappers", "Any"),
)
"""Types of the task, the mode and the wrappers of `make_vec`, with the result."""


class Family:
    """Tasks that take similar options.

    Attributes:
        name: prefix of the name of its class of options.
        tasks: ids of the family's tasks.
        options: the options of its tasks by name; an option's values are the union over the tasks.
    """

    def __init__(self, name, tasks):
        self.name = name
        self.tasks = [task["id"] for task in tasks]
        found = {}
        for task in tasks:
            for option in task["options"]:
                found.setdefault(option["name"], []).append(option)
        self.options = {name: _merged(options) for name, options in found.items()}


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


def families():
    """Returns all families, in the order of their first tasks."""
    found, alike = {}, {}
    for task in _core.tasks():
        if task["id"].startswith("test/"):
            continue
        names = frozenset(option["name"] for option in task["options"])
        stem = task["id"].rpartition("-v")[0]
        wide = [name for option, name in WIDE_FAMILIES.items() if option in names]
        name = wide[0] if wide else stem if stem in found else alike.setdefault(names, stem)
        found.setdefault(name, []).append(task)
    return [Family(name, tasks) for name, tasks in found.items()]


def common_options(every):
    """Returns the options of several families by name; an option's values are the union over the families."""
    owners = {}
    for family in every:
        for name, option in family.options.items():
            owners.setdefault(name, []).append(option)
    return {name: options for name, options in owners.items() if len(options) > 1}


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


# --- signatures of the functions -------------------------------------------------------------------------------------


def pool_signature(name, result, return_info, *env_type):
    """Returns the source of the signature of a function that makes a pool of a task."""
    info = f"gym_reset_return_info: {return_info} = None"
    given = ", ".join(["task_id: TaskId", *env_type, "*, num_envs: int = 1", info, "**options: Unpack[AnyOptions]"])
    return f"def {name}({given}) -> {result}: ..."


def vec_signature(task, mode, wrappers, result):
    """Returns the source of a signature of `make_vec`; options of native tasks only are checked."""
    kwargs = f"vector_kwargs: Mapping[str, Any] | None = None, wrappers: {wrappers} = None"
    options = "Unpack[AnyOptions]" if result == "VectorEnv" else "Any"
    given = f"task_id: {task}, num_envs: int | None = None, {mode}, {kwargs}, **options: {options}"
    return f"def make_vec({given}) -> {result}: ..."


def python_signatures():
    """Yields the source of the signatures of `make_python`, with the parameters of the function itself."""
    parameters = inspect.signature(envpool_rs.make_python).parameters.values()
    named = [
        f"{each.name}: {each.annotation} = {each.default!r}" for each in parameters if each.kind is each.KEYWORD_ONLY
    ]
    for env_type, (pool, _) in POOLS.items():
        result = pool if pool == "EnvPool" else f"Python{pool}"
        given = ", ".join([f"env_fns: EnvFns | str | GymnasiumEnvSpec, env_type: {env_type}, *", *named])
        yield f"def make_python({given}, **env_options: Any) -> {result}: ..."


def functions():
    """Returns the source of the signatures of all functions."""
    lines = [f"@overload\n{pool_signature('make', *POOLS[kind], f'env_type: {kind}')}" for kind in POOLS]
    for name, kind in zip(("make_gymnasium", "make_gym", "make_dm"), POOLS, strict=False):
        lines.append(pool_signature(name, *POOLS[kind]))
    lines.append(pool_signature("make_spec", "EnvSpec", NO_INFO))
    lines += [f"@overload\n{vec_signature(*each)}" for each in VECTORS]
    lines += [f"@overload\n{each}" for each in python_signatures()]
    return "\n".join(lines) + "\n"


def stub():
    """Returns the text of the stub."""
    every = families()
    common = common_options(every)
    explicit = ("num_envs", "gym_reset_return_info")
    of_all = [each for each in pool_option_descriptions() if each["name"] not in explicit]
    doc = "Options of every task, except `num_envs`."
    parts = [HEADER, typed_dict("PoolOptions", doc, of_all, ["TypedDict"], pool_option_type)]
    types = {name: union(*map(option_type, options)) for name, options in common.items()}
    merged = [_merged(options) for _, options in sorted(common.items())]
    doc = "Options that tasks of several families have."
    parts.append(typed_dict("CommonOptions", doc, merged, ["TypedDict"], lambda option: types[option["name"]]))
    classes = []
    for family in every:
        own = [option for name, option in family.options.items() if name not in common]
        if own:
            doc = f"Options of {tasks_text(family.tasks)}."
            classes.append(f"{family.name}Options")
            parts.append(typed_dict(classes[-1], doc, own, ["PoolOptions", "CommonOptions"]))
    doc = "Options of all tasks."
    parts.append(f'class AnyOptions({", ".join(classes)}, total=False):\n    """{doc}"""\n')
    return "\n".join([*parts, functions()])


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
        "Options of environments, by family; ``python -m envpool_rs info TASK`` says which a task has, and what they do"
    )
    lines += ["", wrapped(text, "", ""), ""]
    for family in families():
        if family.options:
            names = ", ".join(f"``{name}``" for name in family.options)
            lines.append(wrapped(f"{tasks_text(family.tasks)}: {names}", "* ", "  "))
    return "\n".join(lines) + "\n"


def options_file():
    """Returns the text of `options.txt`, whose first line `make` leaves out."""
    return f"# Written by tools/signatures.py (`make generate`).\n{lists_of_options()}"


if __name__ == "__main__":
    STUB.write_text(stub())
    OPTIONS.write_text(options_file())
