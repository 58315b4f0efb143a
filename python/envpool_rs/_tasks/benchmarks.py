"""MetaWorld's benchmarks: pools of several of its tasks, with the ids and options of the package ``metaworld``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from envpool_rs._arguments import choice, flag, integer, is_series, optional_integer, text
from envpool_rs._spec.other_names import METAWORLD_NAMES, metaworld_id


def _full_names(text: str) -> list[str]:
    """Returns MetaWorld's full names of tasks, given names without versions, separated by spaces."""
    return [f"{name}-v3" for name in text.split()]


_MT10 = _full_names(
    """
    reach push pick-place door-open drawer-open drawer-close button-press-topdown peg-insert-side window-open
    window-close
"""
)

_MT25 = _MT10 + _full_names(
    """
    coffee-pull pick-out-of-hole disassemble pick-place-wall basketball stick-pull button-press-wall faucet-open
    door-lock lever-pull sweep-into faucet-close coffee-button button-press-topdown-wall dial-turn
"""
)

_ML10 = _full_names(
    """
    reach push pick-place door-open drawer-close button-press-topdown peg-insert-side window-open sweep
    basketball
"""
)

_ML45 = _full_names(
    """
    assembly basketball button-press-topdown button-press-topdown-wall button-press button-press-wall
    coffee-button coffee-pull coffee-push dial-turn disassemble door-close door-open drawer-close drawer-open
    faucet-open faucet-close hammer handle-press-side handle-press handle-pull-side handle-pull lever-pull
    pick-place-wall pick-out-of-hole push-back pick-place plate-slide plate-slide-side plate-slide-back
    plate-slide-back-side peg-insert-side peg-unplug-side soccer stick-push stick-pull push-wall push reach-wall
    reach shelf-place sweep-into sweep window-open window-close
"""
)

_ML_TRAIN = {"ML10": _ML10, "ML25": _MT25, "ML45": _ML45}
"""Tasks for training of each benchmark of meta-learning."""

_ML_TEST = {
    "ML10": _full_names("drawer-open door-close shelf-place sweep-into lever-pull"),
    "ML25": _full_names("basketball door-close shelf-place sweep button-press"),
    "ML45": _full_names("bin-picking box-close hand-insert door-lock door-unlock"),
}
"""Tasks for tests of each benchmark of meta-learning."""

_GOALS = 50
"""Number of goals that a benchmark draws for each of its tasks."""

Pool = tuple["str | list[str]", dict[str, Any]]
"""A pool's task or tasks, and its options."""


@dataclass(frozen=True)
class Benchmark:
    """Id whose options select the tasks of a pool.

    Attributes:
        expand: returns tasks and options of the pool for the given options.
        vector_options: presets of gymnasium's vector environments.
        has_fixed_tasks: whether no option names the tasks.
    """

    expand: Callable[[dict[str, Any]], Pool]
    vector_options: dict[str, Any] = field(default_factory=dict)
    has_fixed_tasks: bool = False

    def checked(self, name: str, options: dict[str, Any]) -> Pool:
        """Returns tasks and options of the pool."""
        for option in ("env_name", "task_name") if self.has_fixed_tasks else ():
            if option in options:
                raise TypeError(
                    f"{name} has no option {option!r}, because its tasks are fixed: give {option} to Meta-World/MT1"
                )
        return self.expand(options)


def _take(options: dict[str, Any], name: str, benchmark: str, example: Any) -> Any:
    if name not in options:
        raise TypeError(f"{benchmark} needs {name}: expected {name}={example!r} or similar")
    return options.pop(name)


def _take_strategy(options: dict[str, Any]) -> None:
    """Removes ``vector_strategy``, which selects a vector environment in the package and has no effect on results."""
    choice("vector_strategy", options.pop("vector_strategy", "sync"), ("sync", "async"))


def _take_select(options: dict[str, Any], default: str) -> None:
    """Replaces the package's ``task_select``, in which each other name than ``"random"`` means pseudorandom."""
    select = options.get("task_select", default)
    options["task_select"] = "random" if select == "random" else "pseudorandom"
    options.setdefault("sample_tasks_on_reset", select == "random")


def _single(options: dict[str, Any]) -> Pool:
    """``Meta-World/MT1``: one task, whose goals are visible."""
    _take_strategy(options)
    name = options.pop("task_name", None) or _take(options, "env_name", "Meta-World/MT1", "reach-v3")
    _take_select(options, "random")
    return metaworld_id(name), {"partially_observable": False, **options}


def _with_one_goal(suffix: str, is_hidden: bool, options: dict[str, Any]) -> Pool:
    """``Meta-World/goal_hidden`` and ``Meta-World/goal_observable``: one task with the same goal in all episodes."""
    name = text("env_name", _take(options, "env_name", f"Meta-World/{suffix.replace('-', '_')}", "reach-v3"))
    return metaworld_id(name.removesuffix(f"-{suffix}")), {"partially_observable": is_hidden, "num_goals": 1, **options}


def _multi_task(names: Sequence[str], options: dict[str, Any]) -> Pool:
    """``Meta-World/MT10`` and the like: the environments of each replica share a seed, and a stream of goals."""
    _take_strategy(options)
    _take_select(options, "random")
    given = _with_replicas(names, options)
    share = given["num_envs"] // len(names)
    # Environment `k * share + j`, of replica `j`, has the seed `seed + j`.
    given["seed_offset"] = _of_each([task * share for task in range(len(names))], share)
    given["goals_after"] = _of_each(_earlier(names), share)
    return [metaworld_id(name) for name in names], _seeded(given)


def _custom_multi_task(options: dict[str, Any]) -> Pool:
    """``Meta-World/custom-mt-envs``: each environment is that of ``Meta-World/MT1`` with its own seed."""
    _take_strategy(options)
    _take_select(options, "random")
    names = _names(options, "envs_list", "Meta-World/custom-mt-envs")
    return [metaworld_id(name) for name in names], _with_replicas(names, options)


def _with_replicas(names: Sequence[str], options: dict[str, Any]) -> dict[str, Any]:
    """Adds the number of environments, a multiple of the number of tasks, and the tasks' one-hot vectors."""
    count = options.pop("num_envs", None)
    count = len(names) if count is None else integer("num_envs", count, 1)
    if count % len(names):
        raise ValueError(f"num_envs={count}: expected a multiple of the number of tasks, {len(names)}")
    allowed = f"None or {len(names)}, the number of tasks, or more"
    optional_integer("num_tasks", options.get("num_tasks"), len(names), allowed=allowed)
    given = {"partially_observable": False, "goal_space": "all", **options, "num_envs": count}
    if flag("use_one_hot", given.get("use_one_hot", False)):
        given["env_id"] = _of_each(list(range(len(names))), count // len(names))
        given["num_tasks"] = given.get("num_tasks") or len(names)
    else:
        given.pop("num_tasks", None)
    return given


def _meta_learning(
    train: Sequence[str] | None, test: Sequence[str] | None, split: str, test_offset: int, options: dict[str, Any]
) -> Pool:
    """``Meta-World/ML10-train`` and the like: environments of a task share its goals, which are hidden.

    Without tasks, the option ``env_name`` names one. ``test_offset`` is added to the seed of the goals for tests.
    """
    _take_select(options, "pseudorandom")
    options = {"terminate_on_success": split == "test", **options}
    names = (train if split == "train" else test) or [_take(options, "env_name", "Meta-World/ML1", "reach-v3")]
    return _meta_batch(names, test_offset if split == "test" else 0, options)


def _custom_meta_learning(options: dict[str, Any]) -> Pool:
    """``Meta-World/custom-ml-envs``: the package makes environments of the tasks for training only."""
    _take_select(options, "random")
    names = _names(options, "train_envs", "Meta-World/custom-ml-envs")
    common = set(names).intersection(_names(options, "test_envs", "Meta-World/custom-ml-envs"))
    if common:
        raise ValueError(f"test_envs has {min(common)!r}: The test tasks cannot contain any of the train tasks.")
    return _meta_batch(names, 0, options)


def _meta_batch(names: Sequence[str], goal_seed_offset: int, options: dict[str, Any]) -> Pool:
    _take_strategy(options)
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


def _names(options: dict[str, Any], name: str, benchmark: str) -> list[str]:
    names = _take(options, name, benchmark, ["reach-v3", "push-v3"])
    if not is_series(names) or not len(names):
        raise ValueError(f"{name}={names!r}: expected a list of names of tasks, such as ['reach-v3', 'push-v3']")
    return list(names)


def _earlier(names: Sequence[str]) -> list[list[int]]:
    """Returns for each task the numbers of the tasks before it, for which the stream of goals draws first."""
    numbers = [METAWORLD_NAMES.index(name) if name in METAWORLD_NAMES else -1 for name in names]
    return [numbers[:place] for place in range(len(names))]


def _of_each(values: Sequence[Any], share: int) -> list[Any]:
    """Repeats the value of each task for its environments."""
    return [value for value in values for _ in range(share)]


def _seeded(options: dict[str, Any]) -> dict[str, Any]:
    """Removes the offsets of seeds if the user gives a seed to each environment."""
    if any(is_series(options.get(name)) and len(options[name]) for name in ("seed", "env_seed")):
        options["seed_offset"] = 0
    return options


_VECTOR = {"autoreset_mode": "same_step", "record_episode_statistics": True}
"""Presets of the package's vector environments."""

BENCHMARKS = {
    "Meta-World/MT1": Benchmark(_single),
    "Meta-World/goal_hidden": Benchmark(partial(_with_one_goal, "goal-hidden", True)),
    "Meta-World/goal_observable": Benchmark(partial(_with_one_goal, "goal-observable", False)),
    **{
        f"Meta-World/{name}": Benchmark(partial(_multi_task, names), _VECTOR, has_fixed_tasks=True)
        for name, names in {"MT10": _MT10, "MT25": _MT25, "MT50": METAWORLD_NAMES}.items()
    },
    "Meta-World/custom-mt-envs": Benchmark(_custom_multi_task, _VECTOR, has_fixed_tasks=True),
    **{
        f"Meta-World/ML1-{split}": Benchmark(partial(_meta_learning, None, None, split, 1), _VECTOR)
        for split in ("train", "test")
    },
    **{
        f"Meta-World/{name}-{split}": Benchmark(
            partial(_meta_learning, _ML_TRAIN[name], _ML_TEST[name], split, 0), _VECTOR, has_fixed_tasks=True
        )
        for name in _ML_TRAIN
        for split in ("train", "test")
    },
    "Meta-World/custom-ml-envs": Benchmark(_custom_meta_learning, _VECTOR, has_fixed_tasks=True),
}
"""Benchmarks by the package's ids."""
