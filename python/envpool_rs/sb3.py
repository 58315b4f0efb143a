"""``VecEnv``, ``make_vec_env``: pools with Stable-Baselines3's interface. ``FrameReplayBuffer`` stores each frame once.

Importing this module imports Stable-Baselines3 and torch.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, cast
from weakref import WeakKeyDictionary, WeakSet

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec as GymnasiumEnvSpec
from gymnasium.vector import AutoresetMode, VectorEnv, VectorWrapper
from gymnasium.vector.utils import concatenate, create_empty_array
from gymnasium.wrappers.vector import RecordEpisodeStatistics

from envpool_rs import _core
from envpool_rs._arguments import bounded, integer, shown
from envpool_rs._errors import PendingCallError
from envpool_rs._facades.agent_vector_env import AgentVectorEnv
from envpool_rs._facades.environments import info_row
from envpool_rs._facades.episode_options import PoolOptions
from envpool_rs._facades.gymnasium_facade import VectorEnv as PoolVectorEnv
from envpool_rs._facades.normalization import Normalization
from envpool_rs._known_attributes import KnownAttributes, all_attributes
from envpool_rs._make.make import make_spec, make_vec, makes_environments
from envpool_rs._nested import object_array, rows_of_batch
from envpool_rs._spec.options import checked_options, render_modes
from envpool_rs._spec.spec import gymnasium_id
from envpool_rs._tasks.table import is_native, requested
from envpool_rs.frame_memory import ZEROS, FrameRing

try:
    from stable_baselines3.common.buffers import ReplayBuffer
    from stable_baselines3.common.env_util import is_wrapped
    from stable_baselines3.common.env_util import make_vec_env as make_sb3_vec_env
    from stable_baselines3.common.monitor import Monitor, ResultsWriter
    from stable_baselines3.common.type_aliases import ReplayBufferSamples
    from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv
    from stable_baselines3.common.vec_env import VecEnv as Sb3VecEnv
except ImportError as error:
    raise ImportError("envpool_rs.sb3 needs Stable-Baselines3: pip install 'envpool_rs[sb3]'") from error

__all__ = ["FrameReplayBuffer", "VecEnv", "make_vec_env"]

# Infos about the end of an episode that Stable-Baselines3 expects in another format.
_ENDINGS = ("episode", "final_obs", "final_info")

# Environments that normalise observations with statistics of their own.
_normalizing: WeakSet[Any] = WeakSet()

_REMEDY = "call step_wait, which resets them and returns the step's result, or reset"


class VecEnv(KnownAttributes, Sb3VecEnv, PoolOptions):  # type: ignore[misc, unused-ignore]
    """A pool with Stable-Baselines3's ``VecEnv`` interface, which replaces ``make_vec_env(task, n_envs)`` and
    ``VecMonitor``.

    ``env`` is a task or any other id that ``envpool_rs.make_vec`` accepts; functions that make one environment each,
    like those for ``SubprocVecEnv``; or any vector environment, kept as ``vector_env``, in gymnasium's same-step
    autoreset mode. ``options`` are those of ``make_vec``; a vector environment takes none. Episode statistics are
    recorded, except for environments made by functions, which may have their own ``Monitor``.

    Rewards are float32, ``dones`` (n,) bool, and infos a list of dicts. The step that ends an episode returns the first
    observation of the next episode. The step's info has ``terminal_observation``, ``TimeLimit.truncated``, and
    ``episode`` with return ``r``, length ``l`` and ``t``, the seconds since this object was made.

    Each player of an environment with several players, native or PettingZoo's, counts as an environment: player ``p``
    of environment ``i`` is number ``i * players + p``, and the seed of an environment is that of its first player.
    Methods take ``indices`` of environments: ``None`` for all, an int, or several.
    """

    vector_env: Any

    def __init__(
        self,
        env: str | GymnasiumEnvSpec | Callable[[], Any] | Sequence[Callable[[], Any]] | VectorEnv[Any, Any, Any],
        num_envs: int | None = None,
        **options: Any,
    ) -> None:
        self.vector_env = _vector_env(env, num_envs, options)
        # Attributes of single environments are accessed on the innermost vector environment, because gymnasium's vector
        # wrappers lack methods for such access.
        self._unwrapped: Any = self.vector_env.unwrapped
        self._records = _records_episodes(self.vector_env)
        self._started = time.time()
        pool = getattr(self._unwrapped, "pool", self._unwrapped)
        self._pool: Any = pool if isinstance(pool, _core.Pool) else None  # that runs the environments
        spec = getattr(self.vector_env.spec, "pool", None)
        self._has_action_masks = spec is not None and any(name == "action_mask" for name, *_ in spec.info)
        self._action_masks: npt.NDArray[np.bool_] | None = None
        self._forget_step()
        self._every = range(self.vector_env.num_envs)
        with all_attributes(self):
            super().__init__(
                self.vector_env.num_envs, self.vector_env.single_observation_space, self.vector_env.single_action_space
            )
        self.metadata = {key: value for key, value in self.vector_env.metadata.items() if key != "autoreset_mode"}
        self._others_counts = WeakKeyDictionary({env: env._count() or 0.0 for env in _normalizing})
        if self._count() is not None:
            _normalizing.add(self)
        self._monitors: list[ResultsWriter] = []  # files of `make_vec_env`, one for each environment
        self._info_keywords: tuple[str, ...] = ()

    @property
    def normalization(self) -> Normalization | None:
        """Statistics of the pool's normalisation; ``None`` if its results are not normalised.

        ``EvalCallback`` evaluates with the statistics of training if the evaluation's ``VecEnv`` was made with
        ``normalization=training_env.normalization``. An environment with statistics of its own warns at its first
        reset if another one was trained since it was made.
        """
        return getattr(self._unwrapped, "normalization", None)

    def _count(self) -> float | None:
        """Returns the number of observations in statistics that this environment's results update."""
        found = None if self._pool is None or self._pool.closed else self.normalization
        moments = found.obs_rms if found is not None and found.training else None
        return None if moments is None else moments.count

    def _check_statistics(self) -> None:
        """Warns if another environment was trained before the first episode of this one, with other statistics."""
        before, self._others_counts = self._others_counts, WeakKeyDictionary()
        own = self._count() if before else None
        if own is None or own >= 1:  # results, or statistics that were loaded
            return
        for other, count in before.items():
            is_alike = other.observation_space == self.observation_space
            if is_alike and (other._count() or 0.0) - count > 2 * other.num_envs:
                warnings.warn(
                    "reset(): this environment normalises observations with statistics of its own, which have counted "
                    "none, while another one is trained; for its evaluation, make this one with "
                    "normalization=training_env.normalization",
                    stacklevel=3,
                )
                return

    def reset(self) -> Any:
        """Starts an episode in every environment, with the seeds that ``seed`` and the options that ``set_options`` has
        stored. Options may differ between environments of this package only.
        """
        self._check_statistics()
        seeds = None if all(seed is None for seed in self._seeds) else self._seeds
        first = self._options[0]
        if all(each == first for each in self._options):
            observation, info = self.vector_env.reset(seed=seeds, options=first or None)
            if "action_mask" in info:
                self._action_masks = info["action_mask"].astype(np.bool_)
            self.reset_infos = [info_row(info, index) for index in self._every]
        elif hasattr(self.vector_env, "call_some"):
            rows = []
            for index, (seed, options) in enumerate(zip(self._seeds, self._options, strict=True)):
                [(row, _)] = self.env_method("reset", seed=seed, options=options or None, indices=index)
                rows.append(row)
            observation = _batched(self.observation_space, rows)
        else:
            raise ValueError(f"set_options({self._options!r}): expected the same options for all environments")
        self._reset_seeds()
        self._reset_options()
        self._forget_step()
        return observation

    def set_options(self, options: Any = None, *, env_ids: Any = None, **changes: Any) -> None:
        """Stores the options of the next ``reset``, as in Stable-Baselines3: a dict, or one for each environment.

        Keywords are options of the environments ``env_ids`` instead, in force when their next episodes begin, also by
        autoreset: those of ``set_options`` of the pool.
        """
        if options is not None and (changes or env_ids is not None):
            raise TypeError("set_options(): expected a dict for the next reset, or keywords for all next episodes")
        if changes or env_ids is not None:
            self._unwrapped.set_options(env_ids=env_ids, **changes)
        else:
            Sb3VecEnv.set_options(self, options)

    @property
    def _options_pool(self) -> Any:
        return self._unwrapped

    def _forget_step(self) -> None:
        self._actions: npt.NDArray[Any] | None = None  # of a step that was started or interrupted
        self._is_in_flight = False  # whether the step was interrupted
        self._failed: list[int] = []  # environments that failed in the step
        self._received: Any = None  # the step's results, once received

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Stores the actions ``(n,)`` or ``(n, ...)`` of the next ``step_wait``.

        Raises ``gymnasium.error.AlreadyPendingCallError`` after an interrupted step, and after one in which an
        environment failed: ``step_wait`` returns its result.
        """
        if self._failed:
            raise PendingCallError(f"step_async(): environments {self._failed} failed in the last step; {_REMEDY}")
        if self._is_in_flight:
            raise PendingCallError("step_async(): a step was interrupted; call step_wait, which returns its result")
        is_nested = isinstance(self.action_space, (spaces.Dict, spaces.Tuple))
        if is_nested and isinstance(actions, (list, np.ndarray)):  # an action for each environment, not one batch
            actions = _batched(self.action_space, actions)
        self._actions = actions

    def step_wait(self) -> tuple[Any, npt.NDArray[np.float32], npt.NDArray[np.bool_], list[dict[str, Any]]]:
        """Runs the step whose actions ``step_async`` has stored; returns observations, rewards ``(n,)``, dones ``(n,)``
        and a dict of infos for each environment.

        After Ctrl-C during this call, call it again: it returns the result of the interrupted step. After an exception
        of an environment, call it again, too: it resets the environments that failed, and returns the result of the
        step. The rows of these environments are as after a restart: the first observation of a new episode, reward 0,
        done, ``TimeLimit.truncated`` and ``restarted`` in the info, without ``terminal_observation``.

        Raises a ``RuntimeError`` without a preceding ``step_async``, a ``ValueError`` for actions that are not allowed
        (no environment is stepped then), and the exception of an environment that failed.
        """
        if self._actions is None:
            raise RuntimeError("step_wait(): no step was started; call step_async first")
        deliveries = 0 if self._pool is None else self._pool._deliveries()
        try:
            result = self._complete_step() if self._is_in_flight else self.vector_env.step(self._actions)
        except BaseException as error:
            if self._pool is not None and not self._failed:
                self._failed = list(getattr(error, "env_ids", ()))
                if self._failed and hasattr(error, "add_note"):  # Python 3.11 or later
                    error.add_note(f"VecEnv: {_REMEDY}")
            self._is_in_flight = self._pool is not None and (
                self._received is not None
                or bool(self._failed)
                or self._pool._next_rows() is not None
                or self._pool._deliveries() != deliveries
            )
            if not self._is_in_flight:
                self._forget_step()
            raise
        self._forget_step()
        observation, reward, terminated, truncated, info = result
        dones = terminated | truncated
        if "action_mask" in info:
            self._action_masks = info["action_mask"].astype(np.bool_)
        infos = self._infos(info, np.flatnonzero(dones).tolist())
        for each, timed_out in zip(infos, (truncated & ~terminated).tolist(), strict=True):
            each["TimeLimit.truncated"] = timed_out
        return observation, reward.astype(np.float32), dones, infos

    def _complete_step(self) -> Any:
        """Receives the interrupted step, and returns its result as changed by the wrappers of the pool."""
        self._pool.__dict__["step"] = self._receive
        try:
            return self.vector_env.step(self._actions)
        finally:
            del self._pool.__dict__["step"]

    def _receive(self, *_: Any) -> Any:
        """Returns the pool's result of the interrupted step, merged with a reset of the environments that failed."""
        pool, failed = self._pool, self._failed
        if self._received is None and len(failed) < pool.num_envs:
            self._received = pool._recv_again()
        if (0 if self._received is None else len(self._received[2])) + len(failed) != pool.num_envs:
            # An exception's class refuses the attribute `env_ids`.
            raise RuntimeError("step_wait(): an environment of the interrupted step has failed; call reset")
        if not failed:
            return self._received
        truncated = np.zeros(pool.num_envs, np.bool_)
        truncated[failed] = True
        is_failed, players, space = truncated.copy(), getattr(pool.spec, "rows", 1), pool.single_observation_space
        observation, first_info = pool.reset(options={"reset_mask": is_failed})
        rows_failed = np.repeat(is_failed, players)
        reward, terminated, info = np.zeros(len(rows_failed)), np.zeros(pool.num_envs, np.bool_), {}
        if self._received is not None:
            others, reward[~rows_failed], terminated[~is_failed], truncated[~is_failed], info = self._received
            position = np.cumsum(~rows_failed) - 1
            rows = [
                rows_of_batch(space, observation if failed else others, row if failed else position[row])
                for row, failed in enumerate(rows_failed.tolist())
            ]
            observation = _batched(space, rows)
        info = _merged_infos(info, first_info, is_failed, players)
        info["restarted"], info["_restarted"] = is_failed.copy(), is_failed.copy()
        return observation, reward, terminated, truncated, info

    def _infos(self, info: dict[str, Any], ended: list[int]) -> list[dict[str, Any]]:
        if not info:
            return [{} for _ in self._every]
        own = {key: value for key, value in info.items() if key.removeprefix("_") not in _ENDINGS}
        infos = [info_row(own, index) for index in self._every]
        if not ended:
            return infos
        last = [info_row(info.get("final_info", {}), index) for index in ended]
        has_finals = info.get("_final_obs")
        for index, each in zip(ended, last, strict=True):
            self.reset_infos[index] = infos[index]
            if has_finals is None or not has_finals[index]:  # restarted, or reset after a failure
                each.update(infos[index])
            else:
                each["terminal_observation"] = info["final_obs"][index]
            infos[index] = each
            statistics = info.get("episode") or each.get("episode")
            has_statistics = info.get("_episode")
            if statistics is not None and (has_statistics is None or has_statistics[index]):
                returned, length = (np.broadcast_to(statistics[key], self.num_envs)[index] for key in "rl")
                seconds = round(time.time() - self._started, 6)
                each["episode"] = {"r": round(float(returned), 6), "l": int(length), "t": seconds}
                each["episode"].update({key: each[key] for key in self._info_keywords})
                if self._monitors:
                    self._monitors[index].write_row(each["episode"])
        return infos

    def close(self) -> None:
        """Closes all environments, and the files of ``make_vec_env``."""
        self.vector_env.close()
        for monitor in self._monitors:
            monitor.close()

    def _write_monitors(
        self,
        env_id: Any,
        folder: str | os.PathLike[str] | None,
        start_index: int,
        info_keywords: Sequence[str] = (),
        override_existing: bool = True,
        reset_keywords: Sequence[str] = (),
        allow_early_resets: bool = True,
    ) -> None:
        """Writes a row for each ended episode to a file of each environment, as Stable-Baselines3's Monitor does."""
        self._info_keywords = tuple(info_keywords)
        if folder is None:
            return
        os.makedirs(folder, exist_ok=True)  # noqa: PTH103
        header = {"t_start": self._started, "env_id": str(env_id)}
        for index in self._every:
            name = os.path.join(folder, str(start_index + index))  # noqa: PTH118
            self._monitors.append(ResultsWriter(name, header, self._info_keywords, override_existing))

    def get_images(self) -> Sequence[Any]:
        """Returns a rendered frame of each environment, with ``render_mode="rgb_array"``."""
        if self.render_mode != "rgb_array":
            warnings.warn(f"render_mode is {self.render_mode!r}: pictures need 'rgb_array'", stacklevel=2)
            return [None] * self.num_envs
        return self.vector_env.render()  # type: ignore[no-any-return]

    def _masks_of(self, index: int) -> Any:
        if self._action_masks is None:
            raise RuntimeError("action_masks(): the environments have no state yet; call reset first")
        return self._action_masks[index].copy()

    def _chosen(self, indices: Any) -> list[int]:
        """Returns the ids of the selected environments; negative indices count from the end."""
        return [range(self.num_envs)[index] for index in bounded("indices", self._get_indices(indices))]

    def env_method(self, method_name: str, *method_args: Any, indices: Any = None, **method_kwargs: Any) -> list[Any]:
        """Calls a method of environments; returns the results.

        Methods are ``"action_masks"``, if the environments report allowed actions; ``"render"``, ``"reset"``,
        ``"get_wrapper_attr"``, ``"has_wrapper_attr"`` and ``"set_wrapper_attr"``; and every method of environments
        written in Python. Raises an ``AttributeError`` for methods that the environments lack, and a ``ValueError`` for
        ``"reset"`` if gymnasium's vector wrappers surround the environments.
        """
        chosen = self._chosen(indices)
        if method_name == "action_masks" and self._has_action_masks:
            return [self._masks_of(index) for index in chosen]
        if method_name == "reset" and self._unwrapped is not self.vector_env:
            raise ValueError("method_name='reset': expected a vector environment without wrappers; call VecEnv.reset")
        if not hasattr(self._unwrapped, "call_some"):
            results = self._unwrapped.call(method_name, *method_args, **method_kwargs)
            return [results[index] for index in chosen]
        answers = list(self._unwrapped.call_some(chosen, method_name, *method_args, **method_kwargs))
        for index, (_, info) in zip(chosen, answers, strict=True) if method_name == "reset" else ():
            self.reset_infos[index] = info
            if "action_mask" in info:
                mask = np.asarray(info["action_mask"], np.bool_)
                if self._action_masks is None:
                    self._action_masks = np.zeros((self.num_envs, *mask.shape), np.bool_)
                self._action_masks[index] = mask
        return answers

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Returns an attribute: a task's option, ``"spec"``, ``"render_mode"``, ...; any of environments in Python."""
        chosen = self._chosen(indices)
        if attr_name == "action_masks" and self._has_action_masks:
            return [partial(self._masks_of, index) for index in chosen]
        if hasattr(self._unwrapped, "get_attr_of_some"):
            return list(self._unwrapped.get_attr_of_some(chosen, attr_name))
        values = self._unwrapped.get_attr(attr_name)
        return [values[index] for index in chosen]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Sets any attribute of environments written in Python to one value. Native environments raise an
        ``AttributeError``, because their attributes are fixed at construction: the pool's ``normalization`` and
        ``set_attr`` of ``vector_env`` are for those of the pool.
        """
        chosen = self._chosen(indices)
        if isinstance(self._pool, PoolVectorEnv):
            self._pool.get_attr(attr_name)  # raises an error for an attribute that would have no effect
        if hasattr(self._unwrapped, "set_attr_of_some"):
            self._unwrapped.set_attr_of_some(chosen, attr_name, value)
        elif len(chosen) == self.num_envs:
            self._unwrapped.set_attr(attr_name, [value] * self.num_envs)
        else:
            raise ValueError(f"indices={indices!r}: {type(self._unwrapped).__name__} sets attributes of all or none")

    def env_is_wrapped(self, wrapper_class: type, indices: Any = None) -> list[bool]:
        """Returns whether environments have a wrapper; ``Monitor`` counts if ``info["episode"]`` has statistics."""
        chosen = self._chosen(indices)
        if self._records and issubclass(wrapper_class, Monitor):
            return [True] * len(chosen)
        if not hasattr(self._unwrapped, "apply_to_some"):
            return [False] * len(chosen)
        return list(self._unwrapped.apply_to_some(chosen, is_wrapped, wrapper_class))


def make_vec_env(
    env_id: str | Callable[..., Any],
    n_envs: int = 1,
    seed: int | None = None,
    start_index: int = 0,
    monitor_dir: str | os.PathLike[str] | None = None,
    wrapper_class: Callable[..., Any] | None = None,
    env_kwargs: Mapping[str, Any] | None = None,
    vec_env_cls: type[Any] | None = None,
    vec_env_kwargs: Mapping[str, Any] | None = None,
    monitor_kwargs: Mapping[str, Any] | None = None,
    wrapper_kwargs: Mapping[str, Any] | None = None,
) -> VecEnv:
    """Makes a :class:`VecEnv` with the arguments of Stable-Baselines3's ``make_vec_env``, and with its monitor files.

    Native tasks run in one pool, which takes ``env_kwargs`` and ``vec_env_kwargs`` as options: ``num_threads``,
    ``normalize_obs``, ... Other ids and functions, and native tasks with a ``wrapper_class`` or with Monitor's
    ``reset_keywords`` or ``allow_early_resets=False``, are single environments in worker processes, whose
    ``start_method`` is one of ``vec_env_kwargs``. ``DummyVecEnv`` and ``SubprocVecEnv`` stand for either of these; any
    other ``vec_env_cls`` raises a ``ValueError``.
    """
    if vec_env_cls not in (None, VecEnv, DummyVecEnv, SubprocVecEnv):
        expected = "None; stable_baselines3.common.env_util.make_vec_env makes other classes"
        raise ValueError(f"vec_env_cls={vec_env_cls!r}: expected {expected}")
    own, monitor = dict(env_kwargs or {}), dict(monitor_kwargs or {})
    pool_options = dict(vec_env_kwargs or {})
    if "start_method" in pool_options:
        pool_options["context"] = pool_options.pop("start_method")
    native_id = requested(env_id)[0]
    is_single = (
        wrapper_class is not None or monitor.get("reset_keywords") or not monitor.get("allow_early_resets", True)
    )
    if is_single or not is_native(native_id):
        each = gymnasium_id(native_id) if isinstance(native_id, str) and is_native(native_id) else env_id
        made = make_sb3_vec_env(
            each,
            n_envs,
            seed,
            start_index,
            None if monitor_dir is None else os.fspath(monitor_dir),
            wrapper_class,
            own,
            VecEnv,
            pool_options,
            monitor,
            None if wrapper_kwargs is None else dict(wrapper_kwargs),
        )
        return cast("VecEnv", made)
    if wrapper_kwargs:
        raise TypeError(f"wrapper_kwargs={shown(wrapper_kwargs)}: expected None without a wrapper_class")
    checked_options(pool_options, ("context",))  # native environments have no processes
    twice = own.keys() & pool_options.keys()
    if twice:
        raise TypeError(f"{min(twice)} is given twice: in env_kwargs and in vec_env_kwargs")
    options = {**own, **{name: value for name, value in pool_options.items() if name != "context"}}
    if "render_mode" not in options and "rgb_array" in render_modes(make_spec(native_id).pool):
        options["render_mode"] = "rgb_array"  # as Stable-Baselines3's function
    env = VecEnv(native_id, n_envs, **options)
    try:
        env._write_monitors(env_id, monitor_dir, start_index, **monitor)
    except BaseException:
        env.close()
        raise
    if seed is not None:
        env.action_space.seed(seed + start_index)
    env.seed(seed)
    return env


def _records_episodes(env: Any) -> bool:
    """Returns whether a vector environment, or a wrapper of it, puts ``episode`` into infos of ended episodes."""
    while isinstance(env, VectorWrapper):
        if isinstance(env, RecordEpisodeStatistics) and env._stats_key == "episode":
            return True
        env = env.env
    config = getattr(env, "config", None)
    return isinstance(config, Mapping) and bool(config.get("record_episode_statistics"))


def _batched(space: Any, values: Any) -> Any:
    empty: Any = create_empty_array(space, len(values))
    return concatenate(space, values, empty)


def _merged_infos(
    others: Mapping[str, Any], first: Mapping[str, Any], is_failed: npt.NDArray[np.bool_], players: int
) -> dict[str, Any]:
    """Merges infos of all environments: ``first`` has rows of all, ``others`` only of those that did not fail."""
    merged: dict[str, Any] = {}
    for key in {**others, **first}:
        old: Any = others.get(key)
        new: Any = first.get(key)
        if isinstance(old, Mapping) or isinstance(new, Mapping):
            merged[key] = _merged_infos(old or {}, new or {}, is_failed, players)
            continue
        has_row_per_env = len(new) == len(is_failed) if old is None else len(old) == np.count_nonzero(~is_failed)
        mask = is_failed if has_row_per_env else np.repeat(is_failed, players)
        parts = [(~mask, old)] if old is not None else []
        if new is not None:
            parts.append((mask, new[mask]))
        kinds = {(values.dtype, values.shape[1:]) for _, values in parts}
        dtype, shape = kinds.pop() if len(kinds) == 1 else (np.dtype(object), ())
        merged[key] = np.full((len(mask), *shape), None if dtype.hasobject else 0, dtype)
        for rows, values in parts:
            merged[key][rows] = object_array(values) if dtype.hasobject else values
    return merged


def _vector_env(env: Any, num_envs: int | None, options: dict[str, Any]) -> Any:
    """Makes a pool of an id or functions; checks a vector environment."""
    if isinstance(env, VectorEnv) or not (isinstance(env, (str, GymnasiumEnvSpec)) or makes_environments(env)):
        if options:
            raise TypeError(f"{next(iter(options))}: options belong to an id; this is a vector environment already")
        if not isinstance(env, VectorEnv):
            raise TypeError(f"env={env!r}: expected an id or a gymnasium.vector.VectorEnv")
        mode, kind = env.metadata.get("autoreset_mode"), type(env).__name__
        if mode is not AutoresetMode.SAME_STEP:
            raise ValueError(f"env.metadata['autoreset_mode'] is {mode}: expected AutoresetMode.SAME_STEP")
        if env.observation_space == env.single_observation_space:
            raise ValueError(f"env is {kind}, with a single environment's spaces: expected one of make_vec's")
        return env
    statistics = {} if makes_environments(env) else {"record_episode_statistics": True}
    for name, allowed in {"autoreset_mode": "same_step", **statistics}.items():
        if options.setdefault(name, allowed) != allowed:
            raise ValueError(f"{name}={options[name]!r}: Stable-Baselines3 expects {allowed!r}")
    env = make_vec(env, num_envs, **options)
    if not env.is_async and env.spec is not None and getattr(env.spec, "players", 1) == 1:
        return env
    try:
        return AgentVectorEnv(env, record_episode_statistics=True)
    except BaseException:
        env.close()
        raise


class FrameReplayBuffer(KnownAttributes, ReplayBuffer):  # type: ignore[misc, unused-ignore]
    """Stable-Baselines3's ``ReplayBuffer`` for observations that are stacks of frames: ``DQN("CnnPolicy", env,
    replay_buffer_class=FrameReplayBuffer)``.

    Samples equal those of ``ReplayBuffer``, whose arguments it takes. For stacks of four frames, this buffer needs an
    eighth of its memory. Any environment whose observations are stacks of ``stack_num`` frames along the first axis
    (``(4, 84, 84)``), the oldest first, may be used. If a stack does not continue the previous stack, for example after
    a reset, its frames are stored in addition. ``frames`` is the ring buffer of the stored frames, whose numbers
    ``observations`` and ``next_observations`` hold.
    """

    frames: FrameRing

    def __init__(
        self,
        buffer_size: int,
        observation_space: Any,
        action_space: Any,
        device: Any = "auto",
        n_envs: int = 1,
        optimize_memory_usage: bool = False,
        handle_timeout_termination: bool = True,
        stack_num: int = 4,
    ) -> None:
        if optimize_memory_usage:
            raise ValueError("optimize_memory_usage=True: expected False; FrameReplayBuffer uses less memory")
        shape = getattr(observation_space, "shape", None)
        depth = integer("stack_num", stack_num, 1)
        if not shape or shape[0] % depth:
            raise ValueError(
                f"observation_space={observation_space}: expected a Box whose first axis holds stack_num={depth} frames"
            )
        frame = (shape[0] // depth, *shape[1:])
        capacity = max(buffer_size // n_envs, 1)
        self.frames = FrameRing(capacity + depth, n_envs, frame, observation_space.dtype, depth, joins=True)
        # The base class allocates arrays of one step, because frame numbers replace its arrays of observations.
        with all_attributes(self):
            super().__init__(n_envs, observation_space, action_space, device, n_envs, False, handle_timeout_termination)
            self.buffer_size = capacity
            for name in ("actions", "rewards", "dones", "timeouts"):
                one = getattr(self, name)
                setattr(self, name, np.zeros((capacity, *one.shape[1:]), one.dtype))
            self.observations = np.zeros((capacity, n_envs, depth), np.int64)
            self.next_observations = np.zeros_like(self.observations)
        # The stacks after the last step, and their frame numbers.
        self._last = np.zeros((n_envs, depth, *frame), observation_space.dtype)
        self._last_sources = np.full((n_envs, depth), ZEROS, np.int64)
        self._time = 0

    @property
    def nbytes(self) -> int:
        """Number of bytes of all arrays of the buffer."""
        names = ("actions", "rewards", "dones", "timeouts", "observations", "next_observations")
        own: int = sum(getattr(self, name).nbytes for name in names)
        return self.frames.nbytes + own

    def add(
        self,
        obs: npt.NDArray[Any],
        next_obs: npt.NDArray[Any],
        action: npt.NDArray[Any],
        reward: npt.NDArray[Any],
        done: npt.NDArray[Any],
        infos: list[dict[str, Any]],
    ) -> None:
        """Adds a step of all environments; the arguments are those of ``ReplayBuffer.add``."""
        depth, frame = self.frames.stack_num, self.frames.frames.shape[2:]
        stacks = np.asarray(obs).reshape(self.n_envs, depth, *frame)
        following = np.array(next_obs).reshape(self.n_envs, depth, *frame)
        row = (self._time + 1) % len(self.frames.frames)
        self.frames.forget(row)
        # The stacks before the step are the last ones, unless a reset changed them.
        sources = self._last_sources.copy()
        for env in _different(self._last, stacks):
            sources[env] = self._add_stack(stacks[env], row)
        self._time += 1
        self.frames.frames[row] = following[:, -1]
        next_sources = np.concatenate([sources[:, 1:], np.full((self.n_envs, 1), self._time)], axis=1)
        for env in _different(following[:, :-1], stacks[:, 1:]):
            next_sources[env, :-1] = self._add_stack(following[env], row)[:-1]
        self._last, self._last_sources = following, next_sources
        super().add(sources, next_sources, action, reward, done, infos)

    def _add_stack(self, stack: npt.NDArray[Any], row: int) -> list[int]:
        """Stores the frames of a stack as extra frames, equal frames only once; returns the frame numbers."""
        numbers: list[int] = []
        for place, frame in enumerate(stack):
            if place and np.array_equal(frame, stack[place - 1]):
                numbers.append(numbers[-1])
            elif not frame.any():
                numbers.append(ZEROS)
            else:
                numbers.append(self.frames.add_extra(row, frame.copy()))
        return numbers

    def _get_samples(self, batch_inds: npt.NDArray[Any], env: Any = None) -> ReplayBufferSamples:
        envs = np.random.randint(0, high=self.n_envs, size=(len(batch_inds),))
        obs, next_obs = (
            self._normalize_obs(self.frames.stacks(sources[batch_inds, envs], envs, self._time), env)
            for sources in (self.observations, self.next_observations)
        )
        dones = self.dones[batch_inds, envs] * (1 - self.timeouts[batch_inds, envs])
        rewards = self._normalize_reward(self.rewards[batch_inds, envs].reshape(-1, 1), env)
        parts = (obs, self.actions[batch_inds, envs], next_obs, dones.reshape(-1, 1), rewards)
        return ReplayBufferSamples(*map(self.to_torch, parts))


def _different(stacks: npt.NDArray[Any], others: npt.NDArray[Any]) -> list[int]:
    rows: list[int] = np.flatnonzero((stacks != others).reshape(len(stacks), -1).any(axis=1)).tolist()
    return rows
