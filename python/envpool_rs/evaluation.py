"""``evaluate``: plays a fixed set of episodes, so that short episodes do not count more than long ones."""

from __future__ import annotations

import contextlib
import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from envpool_rs import _core
from envpool_rs._arguments import entries, flag, integer, is_series, mapping, shown, text
from envpool_rs._make.make import make_vec
from envpool_rs._nested import map_leaves, object_array, zip_leaves
from envpool_rs.films import filmed, grid_of, place_of

__all__ = ["Evaluation", "evaluate"]

_NUM_ENVS = 16
_CARRYING = ("BipedalWalker", "Foraging")
"""Tasks whose episodes depend on earlier ones of the same environment, as in the packages that they equal."""


class Predictor(Protocol):
    """Policy of Stable-Baselines3, which may have a recurrent state."""

    def predict(self, observation: Any, state: Any, episode_start: Any, deterministic: bool) -> tuple[Any, Any]: ...


Policy: TypeAlias = "Callable[[Any], Any] | Predictor"


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Results of ``evaluate``. Entry ``i`` of each array belongs to the episode with the seed ``seeds[i]``."""

    seeds: list[int]
    returns: npt.NDArray[np.float64]
    """Sums of rewards that are not normalised ``(episodes,)``, as in ``info["episode"]["r"]``."""
    lengths: npt.NDArray[np.int64]
    """Numbers of steps ``(episodes,)``."""
    terminated: npt.NDArray[np.bool_]
    """Whether the rules ended the episode, not a time limit ``(episodes,)``."""
    infos: dict[str, npt.NDArray[Any]] = field(default_factory=dict)
    """The selected infos of each episode's last step ``(episodes, ...)``."""

    @property
    def mean(self) -> float:
        """Mean return."""
        return float(self.returns.mean())

    @property
    def std(self) -> float:
        """Standard deviation of the returns."""
        return float(self.returns.std())

    def __repr__(self) -> str:
        returns = f"mean={self.mean:.6g}, std={self.std:.6g}"
        return f"Evaluation(episodes={len(self.seeds)}, {returns}, mean length={self.lengths.mean():.6g})"


def evaluate(
    policy: Policy,
    task: Any,
    episodes: int = 100,
    *,
    seeds: int | Sequence[int] = 0,
    num_envs: int | None = None,
    infos: Sequence[str] = (),
    deterministic: bool = True,
    reset_options: Mapping[str, Any] | None = None,
    film: str | os.PathLike[str] | None = None,
    grid: tuple[int, int] = (4, 4),
    **options: Any,
) -> Evaluation:
    """Plays exactly ``episodes`` episodes from their first to their last step, one for each seed.

    The seeds are chosen before the first step, and every episode counts once, however long it is. A loop over a vector
    environment that stops after the first ``episodes`` ends counts more of the short ones. The result does not depend
    on ``num_envs``, as far as a row of ``policy`` does not depend on the other rows. Episodes of ``BipedalWalker`` and
    ``Foraging`` depend on earlier ones of the same environment, as in their packages: here each starts in a new one,
    unless ``task`` is a pool or its results are normalised.

    Args:
        policy: function of the observations ``(num_envs, ...)`` that returns the actions; or an object with the
            ``predict`` of Stable-Baselines3's models, whose recurrent state starts again with each episode. It always
            gets rows of all environments; those of environments without a further episode are not used.
        task: an id or function that :func:`envpool_rs.make_vec` accepts; or a synchronous pool with gymnasium's vector
            interface, made with ``autoreset_mode="disabled"`` and ``record_episode_statistics=True``, which stays open.
        episodes: number of episodes.
        seeds: seed of the first episode, the next has the next one; or a seed for each episode.
        num_envs: environments that play at the same time; default 16, or as many as episodes if these are fewer.
        infos: names of infos of which ``Evaluation.infos`` has the last step's values.
        deterministic: argument of ``predict``.
        reset_options: the environment's reset options, for all episodes.
        film: path of a film of the evaluation, as ``envpool_rs.film`` writes them: the first environments in a ``grid``
            of rows and columns. An environment without a further episode shows the end of its last one.
        grid: rows and columns of the film.
        options: options of ``make_vec``; ``normalization=training.normalization`` for a policy that was trained with
            normalised observations.

    Returns:
        Returns, lengths and infos of the episodes in the order of their seeds.

    Raises:
        ValueError: for a number of seeds other than ``episodes``, an unknown info, and values that are not allowed.
        TypeError: for arguments of the wrong type.
    """
    count = integer("episodes", episodes, 1)
    if is_series(seeds):
        given = entries("seeds", seeds, count, f"one for each of {count} episodes")
        seeds_of = [integer(f"seeds[{index}]", each, 0) for index, each in enumerate(given)]
    else:
        first = integer("seeds", seeds, 0, kind="an int, or a sequence of ints")
        seeds_of = list(range(first, first + count))
    if isinstance(infos, str):
        raise TypeError(f"infos={infos!r}: expected a list of names")
    names = [text(f"infos[{index}]", name) for index, name in enumerate(infos)]
    if not callable(policy) and not hasattr(policy, "predict"):
        raise TypeError(f"policy={shown(policy)}: expected a function, or an object with a method predict")
    if reset_options is not None and "reset_mask" in mapping("reset_options", reset_options):
        raise ValueError(
            "reset_options has reset_mask: expected options of an episode; evaluate resets environments itself"
        )
    act = _Actor(policy, flag("deterministic", deterministic))
    place = None if film is None else (place_of("film", film), grid_of(grid))
    if hasattr(task, "reset_envs") or hasattr(task, "single_action_space"):
        if options or num_envs is not None:
            name = next(iter(options), "num_envs")
            raise TypeError(f"{name}: options belong to an id; this is an environment already")
        return _play(_checked(task), act, seeds_of, names, reset_options, place)
    if "seed" in options:
        raise TypeError(f"seed={shown(options['seed'])}: seeds are those of the episodes; give seeds")
    for name, needed in {"autoreset_mode": "disabled", "record_episode_statistics": True}.items():
        if options.setdefault(name, needed) != needed:
            raise ValueError(f"{name}={options[name]!r}: expected {needed!r}")
    if options.get("normalize_obs") and options.get("normalization") is None:
        warnings.warn(
            "normalize_obs: these environments have statistics of their own, which are not those of training; give "
            "normalization=training_env.normalization",
            stacklevel=2,
        )
    if place is not None:
        options.setdefault("render_mode", "rgb_array")
    size = min(_NUM_ENVS, count) if num_envs is None else min(integer("num_envs", num_envs, 1), count)
    with make_vec(task, size, **options) as env:
        carries = any(str(each).startswith(_CARRYING) for each in (task if isinstance(task, list) else [task]))
        new = env.get_state() if carries and env.normalization is None else None
        return _play(_checked(env), act, seeds_of, names, reset_options, place, new)


def _checked(env: Any) -> Any:
    if not isinstance(env, _core.Pool) or not hasattr(env, "single_action_space"):
        raise TypeError(f"task={shown(env)}: expected an id, or a pool that make_vec has made")
    config: Any = env.config  # type: ignore[attr-defined]
    if config["autoreset_mode"] != "disabled" or not config["record_episode_statistics"]:
        expected = "autoreset_mode='disabled' and record_episode_statistics=True"
        raise ValueError(f"task={shown(env)}: expected a pool made with {expected}")
    if env.is_async:  # type: ignore[attr-defined]
        raise ValueError(f"task={shown(env)}: expected a pool without batch_size")
    return env


class _Actor:
    """Calls a policy with the rows of all environments."""

    def __init__(self, policy: Any, deterministic: bool) -> None:
        self._policy, self._deterministic = policy, deterministic
        self._state: Any = None

    def __call__(self, observation: Any, starts: npt.NDArray[np.bool_]) -> Any:
        if not hasattr(self._policy, "predict"):
            return self._policy(observation)
        actions, self._state = self._policy.predict(
            observation, state=self._state, episode_start=starts, deterministic=self._deterministic
        )
        return actions


def _play(
    env: Any,
    act: _Actor,
    seeds: list[int],
    names: list[str],
    options: Mapping[str, Any] | None,
    place: tuple[Path, tuple[int, int]] | None,
    new: list[bytes] | None = None,
) -> Evaluation:
    """Plays the episodes; ``new`` are the states that environments get before each reset but the first."""
    count, size, rows = len(seeds), env.num_envs, env.spec.rows
    returns: list[Any] = [None] * count
    lengths, terminations = np.zeros(count, np.int64), np.zeros(count, np.bool_)
    chosen: dict[str, list[Any]] = {name: [None] * count for name in names}
    episode = np.arange(size)  # that each environment plays
    playing = episode < count
    first: list[int | None] = [seeds[index] if index < count else None for index in range(size)]
    observation, _ = env.reset(seed=first, options=options)
    starts, following = np.ones(size * rows, np.bool_), int(playing.sum())
    with contextlib.ExitStack() as stack:
        add_picture = None if place is None else stack.enter_context(filmed(env, *place))
        while playing.any():
            actions = act(observation, starts)
            ids = np.flatnonzero(playing)
            if len(ids) == size:
                result = env.step(actions)
            else:
                result = env.step(map_leaves(partial(_rows, places=_places(ids, rows)), actions), ids)
            stepped, _, terminated, truncated, info = result
            observation = stepped if len(ids) == size else _merged(observation, _places(ids, rows), stepped)
            starts[:] = False
            renewed = np.zeros(size, np.bool_)
            seeds_of: list[int | None] = [None] * size
            for row in np.flatnonzero(terminated | truncated).tolist():
                index, env_id = int(episode[ids[row]]), int(ids[row])
                returns[index], lengths[index] = np.array(info["episode"]["r"][row]), info["episode"]["l"][row]
                terminations[index] = terminated[row]
                for name in names:
                    if name not in info:
                        known = ", ".join(key for key in info if not key.startswith("_"))
                        raise ValueError(f"infos has the name {name!r}: expected some of {known}")
                    chosen[name][index] = np.array(info[name][row])
                playing[env_id] = renewed[env_id] = following < count
                if following < count:
                    episode[env_id], seeds_of[env_id] = following, seeds[following]
                    following += 1
            if renewed.any():
                if new is not None:
                    places = np.flatnonzero(renewed)
                    env.set_state([new[place] for place in places], places)
                observation, _ = env.reset(seed=seeds_of, options={**(options or {}), "reset_mask": renewed})
                starts |= np.repeat(renewed, rows)
            if add_picture is not None:
                add_picture()
    infos = {name: _stacked(values) for name, values in chosen.items()}
    return Evaluation(seeds, np.array(returns, np.float64), lengths, terminations, infos)


def _places(ids: npt.NDArray[Any], rows: int) -> npt.NDArray[Any]:
    """Returns the rows of environments in arrays of all environments with ``rows`` players each."""
    return (ids[:, None] * rows + np.arange(rows)).ravel()


def _rows(leaf: Any, places: npt.NDArray[Any]) -> Any:
    return np.asarray(leaf)[places]


def _merged(observation: Any, places: npt.NDArray[Any], stepped: Any) -> Any:
    """Returns the observations of all environments, with new rows at some places."""

    def put(old: Any, new: Any) -> Any:
        if isinstance(old, tuple):  # strings
            by_place = dict(zip(places.tolist(), new, strict=True))
            return tuple(by_place.get(place, each) for place, each in enumerate(old))
        merged = old.copy()
        merged[places] = new
        return merged

    return zip_leaves(put, observation, stepped)


def _stacked(values: list[Any]) -> npt.NDArray[Any]:
    shapes = {(each.shape, each.dtype) for each in values}
    return np.array(values) if len(shapes) == 1 else object_array(values)
