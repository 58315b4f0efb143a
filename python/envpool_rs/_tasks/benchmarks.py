"""MetaWorld's benchmarks: pools of several of its tasks, with the ids and options of the package ``metaworld``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

from envpool_rs._arguments import bounded, choice, flag, integer, is_series, optional_integer, text
from envpool_rs._spec.families import FACTS
from envpool_rs._spec.other_names import METAWORLD_NAMES, metaworld_id

_GOALS = 50  # number of goals that a benchmark draws for each of its tasks

Pool = tuple["str | list[str]", dict[str, Any]]  # A pool's task or tasks, and its options


class Benchmark(NamedTuple):
    """Id whose options select the tasks of a pool."""

    expand: Callable[[dict[str, Any]], Pool]  # returns tasks and options of the pool for the given options
    vector_options: Mapping[str, Any] = MappingProxyType({})  # presets of gymnasium's vector environments
    has_fixed_tasks: bool = False  # whether no option names the tasks

    def checked(self, name: str, options: dict[str, Any]) -> Pool:
        for option in ("env_name", "task_name"):
            if option in options and self.has_fixed_tasks:
                reason = f"because its tasks are fixed: give {option} to Meta-World/MT1"
                raise TypeError(f"{name} has no option {option!r}, {reason}")
        return self.expand(options)


def _take(options: dict[str, Any], name: str, benchmark: str, example: Any = "reach-v3") -> Any:
    if name not in options:
        raise TypeError(f"Meta-World/{benchmark} needs {name}: expected {name}={example!r} or similar")
    return options.pop(name)


def _take_names(options: dict[str, Any], name: str, benchmark: str) -> list[str]:
    given = _take(options, name, benchmark, ["reach-v3", "push-v3"])
    names = list(bounded(name, given)) if is_series(given) else []
    if not names:
        raise ValueError(f"{name}={given!r}: expected a list of names of tasks, such as ['reach-v3', 'push-v3']")
    return names


def _take_select(options: dict[str, Any], default: str = "random") -> None:
    """Replaces the package's ``task_select``, and removes ``vector_strategy``, which has no effect on results."""
    choice("vector_strategy", options.pop("vector_strategy", "sync"), ("sync", "async"))
    select = options.get("task_select", default)
    options["task_select"] = "random" if select == "random" else "pseudorandom"
    options.setdefault("sample_tasks_on_reset", select == "random")


def _single(options: dict[str, Any]) -> Pool:
    """``Meta-World/MT1``: one task, whose goals are visible."""
    name = options.pop("task_name", None) or _take(options, "env_name", "MT1")
    _take_select(options)
    return metaworld_id(name), {"partially_observable": False, **options}


def _with_one_goal(suffix: str, is_hidden: bool, options: dict[str, Any]) -> Pool:
    """``Meta-World/goal_hidden`` and ``Meta-World/goal_observable``: one task with the same goal in all episodes."""
    name = text("env_name", _take(options, "env_name", suffix.replace("-", "_")))
    return metaworld_id(name.removesuffix(f"-{suffix}")), {"partially_observable": is_hidden, "num_goals": 1, **options}


def _multi_task(names: Sequence[str] | None, options: dict[str, Any]) -> Pool:
    """``Meta-World/MT10`` and the like; without ``names``, ``Meta-World/custom-mt-envs``."""
    _take_select(options)
    own = _take_names(options, "envs_list", "custom-mt-envs") if names is None else names
    count = options.pop("num_envs", None)
    count = len(own) if count is None else integer("num_envs", count, 1)
    share = count // len(own)  # number of environments of each task
    if count % len(own):
        raise ValueError(f"num_envs={count}: expected a multiple of the number of tasks, {len(own)}")
    allowed = f"None or {len(own)}, the number of tasks, or more"
    num_tasks = optional_integer("num_tasks", options.pop("num_tasks", None), len(own), allowed=allowed)
    given = {"partially_observable": False, "goal_space": "all", **options, "num_envs": count}
    if flag("use_one_hot", given.get("use_one_hot", False)):
        given["env_id"] = _of_each(list(range(len(own))), share)
        given["num_tasks"] = num_tasks or len(own)
    if names is not None:
        # Environment `k * share + j`, of replica `j`, has the seed `seed + j`.
        given["seed_offset"] = _of_each([task * share for task in range(len(own))], share)
        given["goals_after"] = _of_each(_earlier(own), share)
        given = _seeded(given)
    return [metaworld_id(name) for name in own], given


def _meta_learning(names: Sequence[str], split: str, test_offset: int, options: dict[str, Any]) -> Pool:
    """``Meta-World/ML10-train`` and the like; without ``names``, the option ``env_name`` names the task."""
    _take_select(options, "pseudorandom")
    options = {"terminate_on_success": split == "test", **options}
    own = names or [_take(options, "env_name", "ML1")]
    return _meta_batch(own, test_offset if split == "test" else 0, options)


def _custom_meta_learning(options: dict[str, Any]) -> Pool:
    """``Meta-World/custom-ml-envs``: the package makes environments of the tasks for training only."""
    _take_select(options)
    names = _take_names(options, "train_envs", "custom-ml-envs")
    common = set(names).intersection(_take_names(options, "test_envs", "custom-ml-envs"))
    if common:
        raise ValueError(f"test_envs has {min(common)!r}: The test tasks cannot contain any of the train tasks.")
    return _meta_batch(names, 0, options)


def _meta_batch(names: Sequence[str], goal_seed_offset: int, options: dict[str, Any]) -> Pool:
    num_envs = options.pop("num_envs", None)
    size = integer("meta_batch_size", options.pop("meta_batch_size", 20 if num_envs is None else num_envs), 1)
    goals = options.pop("total_tasks_per_cls", None)
    goals = _GOALS if goals is None else integer("total_tasks_per_cls", goals, 1, _GOALS)
    if num_envs is not None and num_envs != size:
        raise ValueError(f"num_envs={num_envs}: expected None or meta_batch_size={size}")
    share = size // len(names)
    if size % len(names) or goals % share:
        raise ValueError(
            f"meta_batch_size={size}: expected a multiple of the number of tasks, {len(names)}, that divides the "
            f"{goals} goals of a task into equal parts; give another meta_batch_size or total_tasks_per_cls"
        )
    given = {
        "partially_observable": True,
        **options,
        "num_envs": size,
        "seed_offset": list(range(size)),
        "goal_seed_offset": goal_seed_offset,
        "goals_after": _of_each(_earlier(names), share),
        "goal_slice": [[part, goals, share] for _ in names for part in range(share)],
    }
    return [metaworld_id(name) for name in names], _seeded(given)


def _earlier(names: Sequence[str]) -> list[list[int]]:
    """Returns for each task the numbers of the tasks before it, for which the stream of goals draws first."""
    numbers = [METAWORLD_NAMES.index(name) if name in METAWORLD_NAMES else -1 for name in names]
    return [numbers[:place] for place in range(len(names))]


def _of_each(values: Sequence[Any], share: int) -> list[Any]:
    return [value for value in values for _ in range(share)]


def _seeded(options: dict[str, Any]) -> dict[str, Any]:
    """Removes the offsets of seeds if the user gives a seed to each environment."""
    if any(is_series(options.get(name)) and any(True for _ in options[name]) for name in ("seed", "env_seed")):
        options["seed_offset"] = 0
    return options


# The package's vector environments have these presets.
_VECTOR = {"autoreset_mode": "same_step", "record_episode_statistics": True}

BENCHMARKS = {
    "Meta-World/MT1": Benchmark(_single),
    "Meta-World/goal_hidden": Benchmark(partial(_with_one_goal, "goal-hidden", True)),
    "Meta-World/goal_observable": Benchmark(partial(_with_one_goal, "goal-observable", False)),
    "Meta-World/MT50": Benchmark(partial(_multi_task, METAWORLD_NAMES), _VECTOR, True),
    "Meta-World/custom-mt-envs": Benchmark(partial(_multi_task, None), _VECTOR, True),
    "Meta-World/custom-ml-envs": Benchmark(_custom_meta_learning, _VECTOR, True),
    "Meta-World/ML1-train": Benchmark(partial(_meta_learning, [], "train", 1), _VECTOR),
    "Meta-World/ML1-test": Benchmark(partial(_meta_learning, [], "test", 1), _VECTOR),
}
"""Benchmarks by the package's ids."""

for _name, _names in FACTS["benchmarks"].items():
    if "test" in _names:
        for _split, _own in _names.items():
            _expand = partial(_meta_learning, _own, _split, 0)
            BENCHMARKS[f"Meta-World/{_name}-{_split}"] = Benchmark(_expand, _VECTOR, True)
    else:
        BENCHMARKS[f"Meta-World/{_name}"] = Benchmark(partial(_multi_task, _names["train"]), _VECTOR, True)
