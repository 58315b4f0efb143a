"""Vectors of environments with one agent each: RLlib's ``VectorEnv``, and the conversions of vectors to ``BaseEnv``."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Tuple
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import concatenate, create_empty_array, iterate

from envpool_rs._arguments import integer
from envpool_rs._facades.environments import info_row
from envpool_rs.rllib import base_env
from envpool_rs.rllib.base_env import AgentResults, EnvPhase, IndexedBaseEnv, MakeEnv, Options, call_each

logger = logging.getLogger(__name__)

MAX_CONSECUTIVE_FAILURES = 10
"""Maximum number of failures of an environment in a row, without a successful step or reset in between."""


VectorStep: TypeAlias = tuple[list[Any], list[float], list[bool], list[bool], list[dict[str, Any]]]
"""Observations, rewards, terminated flags, truncated flags and infos, with an entry for each environment."""


class SubEnvironments:
    """Environments ``envs`` that are called and recreated one by one: existing ones, then those of ``make_env``."""

    def __init__(self, make_env: MakeEnv, existing_envs: Sequence[Any], num_envs: int, restart_failed: bool) -> None:
        self._make_env = make_env
        self._restart_failed = restart_failed
        self._failures = [0] * integer("num_envs", num_envs, 1)
        if len(existing_envs) > num_envs:
            raise ValueError(
                f"existing_envs has {len(existing_envs)} environments: expected at most num_envs={num_envs}"
            )
        self.envs = list(existing_envs)
        for index in range(len(self.envs), num_envs):
            self._check_maker(index)
            self.envs.append(self._make(index))

    def _check_maker(self, index: int) -> None:
        if not callable(self._make_env):
            raise ValueError(
                f"make_env={self._make_env!r}: expected a function that makes the environment at index {index}"
            )

    def _make(self, index: int) -> Any:
        return self._make_env(index)  # type: ignore[misc]

    def _discard(self, index: int) -> None:
        try:
            self.envs[index].close()
        except Exception as error:
            logger.warning("closing environment %d before it is recreated failed: %s", index, error)

    def restart(self, index: int) -> None:
        self._check_maker(index)
        self._discard(index)
        self.envs[index] = self._make(index)

    def call(self, index: int, method: str, /, *arguments: Any, **keywords: Any) -> Any:
        """Returns the result of one environment's method, or the exception that `failed` returns."""
        try:
            result = getattr(self.envs[index], method)(*arguments, **keywords)
        except Exception as error:
            return self.failed(index, method, error)
        self.succeeded(index)
        return result

    def succeeded(self, index: int) -> None:
        self._failures[index] = 0

    def failed(self, index: int, method: str, error: Exception) -> Exception:
        """Recreates an environment and returns its exception; or raises it, if failed environments are not recreated.

        After ten consecutive failures a RuntimeError is raised.
        """
        annotate(error, index, method)
        if not self._restart_failed:
            raise error
        self._failures[index] += 1
        if self._failures[index] > MAX_CONSECUTIVE_FAILURES:
            raise RuntimeError(
                f"environment {index} failed {self._failures[index]} times in a row, most recently in {method}(): "
                "it is not recreated"
            ) from error
        logger.warning("environment %d failed in %s() and is recreated", index, method, exc_info=error)
        self.restart(index)
        return error

    def close(self) -> None:
        """Closes all environments, then raises the first failure."""
        call_each(lambda environment: environment.close(), [each for each in self.envs if hasattr(each, "close")])


def annotate(error: Exception, index: int, method: str) -> Exception:
    """Adds a note of its origin to an exception, also in Python 3.10, whose exceptions have no ``add_note``."""
    notes = [*getattr(error, "__notes__", ()), f"raised by {method}() of environment {index!r}"]
    error.__notes__ = notes  # type: ignore[attr-defined, unused-ignore]
    return error


class VectorEnv(base_env.Convertible, base_env.RayVectorEnv):  # type: ignore[misc]
    """Several environments with one agent each, stepped together with a list of actions. Derive from this class, or use
    :meth:`vectorize_gym_envs`.

    ``observation_space`` and ``action_space`` are the spaces of one environment. ``index=None`` means the first
    environment.
    """

    def __init__(self, observation_space: Any, action_space: Any, num_envs: int) -> None:
        self.observation_space = observation_space
        self.action_space = action_space
        self.num_envs = num_envs

    @staticmethod
    def vectorize_gym_envs(
        make_env: MakeEnv = None,
        existing_envs: Sequence[Any] | None = None,
        num_envs: int = 1,
        action_space: Any = None,
        observation_space: Any = None,
        restart_failed_sub_environments: bool = False,
    ) -> VectorizedGymEnv:
        """Makes a vector of single environments with gymnasium's interface.

        ``existing_envs`` come first; the others are made by ``make_env``, a function of the index; without it, a
        missing environment raises a ValueError. Spaces are the first environment's by default.
        ``restart_failed_sub_environments`` recreates an environment that raised an exception.
        """
        environments = SubEnvironments(make_env, existing_envs or [], num_envs, restart_failed_sub_environments)
        first = environments.envs[0]
        return VectorizedGymEnv(
            environments, observation_space or first.observation_space, action_space or first.action_space
        )

    def vector_reset(
        self, *, seeds: list[int] | None = None, options: list[dict[str, Any]] | None = None
    ) -> tuple[list[Any], list[dict[str, Any]]]:
        """Starts an episode in every environment, with its entry of ``seeds`` and ``options``; returns a list of
        observations and a list of infos.
        """
        raise NotImplementedError

    def reset_at(self, index: int | None = None, *, seed: int | None = None, options: Options = None) -> Any:
        """Starts an episode in one environment; returns its observation (the exception, if the environment failed and
        was recreated) and info.
        """
        raise NotImplementedError

    def restart_at(self, index: int | None = None) -> None:
        """Closes and recreates one environment; raises a ValueError without ``make_env``."""
        raise NotImplementedError

    def vector_step(self, actions: list[Any]) -> VectorStep:
        """Steps every environment with its action; returns lists with an entry for each environment: observations,
        rewards, terminated flags, truncated flags and infos.
        """
        raise NotImplementedError

    def get_sub_environments(self) -> list[Any]:
        """Returns the environment objects, if there are any."""
        return []

    def try_render_at(self, index: int | None = None) -> Any:
        """Renders one environment."""
        return None

    def _to_base_env(self, *options: Any) -> VectorEnvWrapper:
        return VectorEnvWrapper(self, strict_rllib=options[-1])


class VectorizedGymEnv(VectorEnv):
    """List of single environments that can be stepped, reset and recreated individually."""

    def __init__(self, environments: SubEnvironments, observation_space: Any, action_space: Any) -> None:
        super().__init__(observation_space, action_space, len(environments.envs))
        self._environments = environments

    def step_at(self, index: int, action: Any) -> tuple[Any, Any, Any, Any, Any]:
        """Steps one environment; returns observation (the exception, if the environment failed and was recreated),
        reward, terminated, truncated and info.
        """
        result = self._environments.call(index, "step", action)
        if isinstance(result, Exception):
            return result, 0.0, True, True, {}
        if not isinstance(result, tuple) or len(result) != 5:  # noqa: PLR2004
            raise ValueError(
                f"step() of environment {index} returned {_kind(result)}: "
                "expected observation, reward, terminated, truncated, info"
            )
        if not isinstance(result[4], dict):
            raise ValueError(f"step() of environment {index} returned the info {result[4]!r}: expected a dict")
        return result

    def vector_step(self, actions: list[Any]) -> VectorStep:
        """Steps every environment. An exception is raised after all environments were stepped."""
        if len(actions) != self.num_envs:
            raise ValueError(f"actions has {len(actions)} entries: expected num_envs={self.num_envs}")
        rows = call_each(lambda index: self.step_at(index, actions[index]), range(self.num_envs))
        observations, rewards, terminated, truncated, infos = (list(column) for column in zip(*rows, strict=True))
        return observations, rewards, terminated, truncated, infos

    def reset_at(self, index: int | None = None, *, seed: int | None = None, options: Options = None) -> Any:
        index = index or 0
        result = self._environments.call(index, "reset", seed=seed, options=options)
        if isinstance(result, Exception):
            return result, {}
        if not isinstance(result, tuple) or len(result) != 2:  # noqa: PLR2004
            error = ValueError(f"reset() returned {_kind(result)}: expected observation and info")
            raise annotate(error, index, "reset")
        return result

    def vector_reset(
        self, *, seeds: list[int] | None = None, options: list[dict[str, Any]] | None = None
    ) -> tuple[list[Any], list[dict[str, Any]]]:
        """Starts an episode in every environment; recreates failed ones, if enabled, until their reset succeeds."""
        rows: list[tuple[Any, dict[str, Any]]] = []
        while len(rows) < self.num_envs:
            index = len(rows)
            row = self.reset_at(index, seed=seeds and seeds[index], options=options and options[index])  # type: ignore[arg-type]
            if not isinstance(row[0], Exception):  # after ten failures, SubEnvironments raises an error
                rows.append(row)
        return [observation for observation, _ in rows], [info for _, info in rows]

    def restart_at(self, index: int | None = None) -> None:
        self._environments.restart(index or 0)

    def get_sub_environments(self) -> list[Any]:
        return self._environments.envs

    def try_render_at(self, index: int | None = None) -> Any:
        return self._environments.envs[index or 0].render()

    def close(self) -> None:
        """Closes all environments."""
        self._environments.close()


def _kind(result: Any) -> str:
    return f"{len(result)} values" if isinstance(result, tuple) else f"a {type(result).__name__}"


def _check_complete(vector_env: Any, missing: set[int], remedy: str = "") -> None:
    """Checks that a vector that steps all environments at once misses no action."""
    if missing:
        raise ValueError(
            f"action_dict has no actions for environments {sorted(missing)}: {type(vector_env).__name__} steps all "
            f"{vector_env.num_envs} at once{remedy}"
        )


class VectorEnvWrapper(IndexedBaseEnv):
    """RLlib ``VectorEnv`` (of this package or ray's) as a ``BaseEnv``.

    A vector with the method ``step_at`` accepts actions for a subset of its environments. Every other vector steps all
    environments at once: each must have an action, and environments whose episode has ended must be reset before.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        super().__init__(vector_env, vector_env.num_envs, strict_rllib)
        self.vector_env = vector_env
        self._steps_single_environments = hasattr(vector_env, "step_at")

    def _call(self, index: int, method: str, *arguments: Any, **keywords: Any) -> Any:
        return getattr(self.vector_env, f"{method}_at")(index, *arguments, **keywords)

    def _step(self, actions: dict[int, Any]) -> None:
        if self._steps_single_environments:
            super()._step(actions)
            return
        _check_complete(self.vector_env, {*self._everyone} - {*actions})
        columns = self.vector_env.vector_step([actions[index] for index in self._everyone])
        for index, row in enumerate(zip(*columns, strict=True)):
            self._store(index, self._result(index, "step", row))

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults | None:
        if len(ids) == self.num_envs and not self._steps_single_environments:
            each = None if options is None else [options] * len(ids)
            return self._began(ids, zip(*self.vector_env.vector_reset(seeds=seeds, options=each), strict=True))
        return super()._reset(ids, seeds, options)

    def _recreate(self, index: int) -> None:
        self.vector_env.restart_at(index)

    def _environments(self) -> Sequence[Any]:
        return self.vector_env.get_sub_environments()  # type: ignore[no-any-return]

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        return [self.vector_env.try_render_at(index) for index in ids]

    def _close(self) -> None:
        closable = [self.vector_env] if hasattr(self.vector_env, "close") else self._environments()
        for each in closable:
            if hasattr(each, "close"):
                each.close()


def is_stacked(env: Any) -> bool:
    """Returns whether an environment is a ``BaseVectorEnv`` of ``envpool_rs.vector``, without importing that module."""
    return any(
        each.__name__ == "BaseVectorEnv" and each.__module__.startswith("envpool_rs.vector.")
        for each in type(env).__mro__
    )


class StackedBaseEnv(IndexedBaseEnv):
    """``BaseVectorEnv`` (``DummyVectorEnv``, ``SubprocVectorEnv``, ...) as a ``BaseEnv``.

    Each call may send actions to a subset of environments. With ``wait_num`` or ``timeout``, a poll returns the
    environments that have finished.
    """

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        super().__init__(vector_env, len(vector_env), strict_rllib)
        self.vector_env = vector_env

    def _space_of_all(self, kind: str) -> Any:
        return super()._space_of_all(kind)[0]

    def _collect(self) -> None:
        if not self._unpolled and EnvPhase.IN_FLIGHT in self._phases:
            self._store_rows(self.vector_env.step(None))
        super()._collect()

    def _step(self, actions: dict[int, Any]) -> None:
        ids = list(actions)
        self._set_phases(ids, EnvPhase.IN_FLIGHT)
        try:
            result = self.vector_env.step(list(actions.values()), ids)
        except Exception:
            # Stores the results of environments that did not fail; failed environments must be reset.
            if self.vector_env.waiting_id:
                self._store_rows(self.vector_env.step(None))
            waiting = self.vector_env.waiting_id
            failed = [index for index in ids if self._phases[index] == EnvPhase.IN_FLIGHT and index not in waiting]
            self._set_phases(failed, EnvPhase.DONE)
            raise
        self._store_rows(result)

    def _store_rows(self, result: Any) -> None:
        observations, rewards, terminated, *truncated, infos = result
        for row, observation in enumerate(split_rows(observations)):
            info = dict(infos[row])
            index = int(info.pop("env_id"))
            ended = bool(terminated[row])
            cut_off = bool(truncated[0][row]) if truncated else ended and bool(info.get("TimeLimit.truncated"))
            reward = rewards[row].item() if rewards[row].ndim == 0 else rewards[row]
            outcome = observation, reward, ended and (bool(truncated) or not cut_off), cut_off, info
            self._store(index, self._result(index, "step", outcome))

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults:
        keywords: dict[str, Any] = {} if options is None else {"options": options}
        if seeds is not None:
            keywords["seed"] = list(seeds)
        observations, infos = self.vector_env.reset(list(ids), return_info=True, **keywords)
        return self._began(ids, zip(split_rows(observations), infos, strict=True))

    def _render(self, ids: Sequence[int]) -> Sequence[Any]:
        frames = self.vector_env.render()
        return [frames[index] for index in ids]

    def _close(self) -> None:
        if not self.vector_env.is_closed:
            self.vector_env.close()


class GymnasiumBaseEnv(IndexedBaseEnv):
    """``gymnasium.vector.VectorEnv`` as a ``BaseEnv``.

    A step runs all environments, so every environment needs an action, unless it starts a new episode in this step.
    ``try_reset`` of one environment resets it if the vector's autoreset is disabled. With same-step autoreset it
    returns the reset that the vector already made; with next-step autoreset, the poll after the next step returns the
    reset, and seeds, options and ``try_restart`` of one environment are refused. ``try_restart`` only schedules a
    reset.
    """

    _space_prefix = "single_"

    def __init__(self, vector_env: Any, *, strict_rllib: bool = False) -> None:
        super().__init__(vector_env, vector_env.num_envs, strict_rllib)
        self.vector_env = vector_env
        self._mode = AutoresetMode(vector_env.metadata.get("autoreset_mode", AutoresetMode.NEXT_STEP))
        self._last_actions: dict[int, Any] = {}
        if self._mode is not AutoresetMode.DISABLED:
            which = f"under autoreset mode {self._mode.name}, single environments"
            self._autoreset_only = which, "; make the vector with autoreset mode DISABLED"

    def _collect(self) -> None:
        if self.num_envs and self._phases.count(EnvPhase.IN_FLIGHT) == self.num_envs:
            self._step({})
        super()._collect()

    def _step(self, actions: dict[int, Any]) -> None:
        waiting = {index for index, phase in enumerate(self._phases) if phase == EnvPhase.IN_FLIGHT}
        missing = {*self._everyone} - {*actions} - waiting
        _check_complete(self.vector_env, missing, " (try_reset those that are done)")
        self._last_actions.update(actions)
        for index in self._everyone:  # an environment that the step resets gets an arbitrary action
            if index not in self._last_actions:
                self._last_actions[index] = self.action_space.sample()
        sent = batched_actions(self.action_space, [self._last_actions[index] for index in self._everyone])
        observation, reward, terminated, truncated, info = self.vector_env.step(sent)
        for index, first in enumerate(self._rows(observation, info)):
            outcome = float(reward[index]), bool(terminated[index]), bool(truncated[index])
            if index in waiting:
                result = self._result(index, "reset", first)
            elif self._mode is AutoresetMode.SAME_STEP and (outcome[1] or outcome[2]):
                self._next_episodes[index] = self._result(index, "reset", first)
                final = info.get("final_info", {})
                last_info = info_row(_without_finals(final), index) if isinstance(final, Mapping) else final[index]
                result = self._result(index, "step", (info["final_obs"][index], *outcome, last_info or {}))
            else:
                result = self._result(index, "step", (first[0], *outcome, first[1]))
            self._store(index, result)

    def _rows(self, observation: Any, info: Mapping[str, Any]) -> list[tuple[Any, dict[str, Any]]]:
        """Splits observations and infos by environments."""
        own = _without_finals(info)
        rows = iterate(self.vector_env.observation_space, observation)
        return [(row, info_row(own, index)) for index, row in enumerate(rows)]

    def _reset(self, ids: list[int], seeds: list[int] | None, options: Options) -> AgentResults:
        if len(ids) < self.num_envs:
            mask = np.zeros(self.num_envs, dtype=np.bool_)
            mask[list(ids)] = True
            options = {**(options or {}), "reset_mask": mask}
        seed = None
        if seeds is not None:
            by_id = dict(zip(ids, seeds, strict=True))
            seed = [by_id.get(index) for index in self._everyone]
        rows = self._rows(*self.vector_env.reset(seed=seed, options=options))
        return self._began(ids, [rows[index] for index in ids])

    def _autoreset(self, index: int) -> None:
        self._set_phases([index], EnvPhase.IN_FLIGHT)

    def _environments(self) -> Sequence[Any]:
        return getattr(self.vector_env, "envs", ())

    def try_render(self, env_id: Any = None) -> Any:
        """Renders all environments; returns the result of ``render``, or one environment's part of it."""
        self._check_open()
        drawn = self.vector_env.render()
        return drawn if env_id is None or drawn is None else drawn[self._checked_id("env_id", env_id)]


def _without_finals(info: Mapping[str, Any]) -> dict[str, Any]:
    return {key: values for key, values in info.items() if key.removeprefix("_") not in ("final_obs", "final_info")}


def split_rows(batch: Any, space: Any = None) -> list[Any]:
    """Splits a batch into one observation per environment: views of arrays, and Python numbers for scalars.

    A dict has a batch for each key. A tuple has a batch for each component of a tuple space (also without ``space``,
    the space of one environment); for a space without components, it has one object for each environment.
    """
    if isinstance(batch, dict):
        columns = [split_rows(part, None if space is None else space[key]) for key, part in batch.items()]
        return [dict(zip(batch, values, strict=True)) for values in zip(*columns, strict=True)]
    if isinstance(batch, tuple):
        if space is not None and not isinstance(space, Tuple):
            return list(batch)
        components = [split_rows(part, None if space is None else space[key]) for key, part in enumerate(batch)]
        return list(zip(*components, strict=True))
    return batch.tolist() if batch.ndim == 1 else list(batch)


def batched_actions(space: Any, actions: Sequence[Any]) -> Any:
    """Batches actions for a vector whose environments have the action space ``space``."""
    try:
        out: Any = create_empty_array(space, len(actions))
        return concatenate(space, actions, out)
    except (KeyError, IndexError, TypeError, ValueError) as error:
        raise ValueError(f"action_dict has actions that do not fit {space}: {error!r}") from error
