"""``MultiEnv``, which steps many environments with one call and returns lists of results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

import numpy as np

from envpool_rs._arguments import seeds_of
from envpool_rs._facades.async_calls import ExclusiveUse
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._workers.serialization import reduced
from envpool_rs.multi_env.step_results import FourLists, StepLists, _AutoResetWrapper
from envpool_rs.multi_env.steppers import LocalStepper, WorkerStepper
from envpool_rs.multi_env.subprocess_env import SubprocessEnv

NEEDED = ("reset", "step", "close", "observation_space", "action_space")
"""Attributes that every environment must have."""


class MultiEnv(KnownAttributes):
    """Steps several environments at the same time, with autoreset: ``reset`` needs to be called only once.

    Environments may be ``SubprocessEnv``s or any objects with gym's or gymnasium's interface. ``SubprocessEnv``s made
    by one call of ``create_subprocess_envs`` are fastest: one message steps all of them. Other objects are stepped in
    threads. A ``MultiEnv`` of such objects can be copied and pickled, with its environments.
    """

    def __init__(self, envs: Iterable[Any]) -> None:
        """Wraps environments.

        Args:
            envs: the environments, with equal observation spaces and equal action spaces.

        Raises:
            ValueError: if there is no environment, if spaces differ, or if an environment is repeated or not
                initialized yet.
            TypeError: for an object without an environment's interface.
        """
        if not isinstance(envs, Iterable):
            raise TypeError(f"envs={envs!r}: expected a list of environments")
        chosen = list(envs)
        _check_envs(chosen)
        self._envs = [_AutoResetWrapper(env) for env in chosen]
        self._steppers = _steppers(self._envs)
        self._use = ExclusiveUse("this MultiEnv")
        self._is_closed = False

    @property
    def envs(self) -> list[_AutoResetWrapper]:
        """The environments, each in a wrapper with autoreset."""
        return self._envs

    @property
    def observation_space(self) -> Any:
        """The observation space of every environment."""
        return self._envs[0].observation_space

    @property
    def action_space(self) -> Any:
        """The action space of every environment."""
        return self._envs[0].action_space

    @property
    def restarts(self) -> list[int]:
        """The number of restarts of each environment's process; 0 for environments of this process."""
        return [env.env.restarts if isinstance(env.env, SubprocessEnv) else 0 for env in self._envs]

    def __len__(self) -> int:
        return len(self._envs)

    def reset(self, *, seed: int | Sequence[int | None] | None = None, **kwargs: Any) -> list[Any]:
        """Resets all environments.

        Args:
            seed: for gymnasium's environments; an int seeds environment ``i`` with ``seed + i``.
            kwargs: arguments of every environment's ``reset``.

        Returns:
            The observation of each environment.

        Raises:
            ValueError: for another number of seeds than environments; if the environments are closed.
            RuntimeError: while another thread, or one of the environments themselves, resets or steps them.
            Exception: the exception of the first environment that failed, after all are done.
        """
        self._check_open("reset()")
        keywords = self._reset_keywords(seed, kwargs)
        observations: list[Any] = [None] * len(self._envs)
        errors: dict[int, BaseException] = {}
        self._use.run(self._reset_all, keywords, observations, errors)
        _raise_first(errors)
        return observations

    def step(self, actions: Any) -> FourLists:
        """Steps all environments at the same time.

        An environment whose last step was terminal is reset first; that observation is discarded, and the action is
        applied. An environment whose action is ``None`` is not stepped.

        Args:
            actions: an action for each environment, in a list, an array, or any other iterable.

        Returns:
            ``(observations, rewards, terminals, infos)``, lists with an entry for each environment; for an environment
            whose action is ``None``, all four entries are ``None``. An entry of ``terminals`` is true if the episode
            was terminated or truncated; for gymnasium's environments, ``"TimeLimit.truncated"`` in the info
            distinguishes the two.

        Raises:
            ValueError: for another number of actions than environments; if the environments are closed.
            RuntimeError: as for ``reset``.
            Exception: the exception of the first environment that failed, after all have made their step. Its attribute
                ``results`` holds the four lists, with ``None`` for environments that failed.
        """
        self._check_open("step()")
        checked = self._checked_actions(actions)
        lists = StepLists(len(self._envs))
        self._use.run(self._step_all, checked, lists)
        return lists.result()

    def close(self) -> None:
        """Closes all environments.

        Raises:
            ValueError: if the environments are already closed.
            Exception: the exception of the first environment that failed to close, after all are closed.
        """
        self._check_open("close()")
        self._is_closed = True
        errors: dict[int, BaseException] = {}
        for stepper in self._steppers:
            stepper.close(errors)
        _raise_first(errors)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, (self._envs, self._is_closed))

    def __setstate__(self, state: tuple[list[_AutoResetWrapper], bool]) -> None:
        self._envs, self._is_closed = state
        self._steppers = _steppers(self._envs)
        self._use = ExclusiveUse("this MultiEnv")

    def __enter__(self) -> MultiEnv:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if not self._is_closed:
            self.close()

    def _check_open(self, method: str) -> None:
        if self._is_closed:
            raise ValueError(f"{method}: these environments are closed")

    def _reset_all(
        self, keywords: list[dict[str, Any]], observations: list[Any], errors: dict[int, BaseException]
    ) -> None:
        for stepper in self._steppers:
            stepper.begin_resets(keywords)
        for stepper in self._steppers:
            stepper.finish_resets(observations, errors)

    def _step_all(self, actions: Sequence[Any], lists: StepLists) -> None:
        for stepper in self._steppers:
            stepper.begin_steps(actions)
        for stepper in self._steppers:
            stepper.finish_steps(lists)

    def _checked_actions(self, actions: Any) -> Sequence[Any]:
        # Arrays of numbers are passed on unchanged, since they cannot contain None.
        if not isinstance(actions, np.ndarray) or actions.dtype == object or actions.ndim == 0:
            try:
                actions = list(actions)
            except TypeError:
                raise TypeError(f"actions={actions!r}: expected one for each of {len(self)} environments") from None
        if len(actions) != len(self):
            raise ValueError(f"actions has {len(actions)} entries: expected one for each of {len(self)} environments")
        checked: Sequence[Any] = actions
        return checked

    def _reset_keywords(self, seed: Any, kwargs: dict[str, Any]) -> list[dict[str, Any]]:
        if seed is None:
            return [kwargs] * len(self)
        seeds = seeds_of(seed, range(len(self)), f"one for each of {len(self)} environments")
        return [{**kwargs, "seed": each} for each in seeds]


def _check_envs(envs: list[Any]) -> None:
    if not envs:
        raise ValueError("envs is empty: expected at least one environment")
    for position, env in enumerate(envs):
        missing = [name for name in NEEDED if not hasattr(env, name)]
        if missing:
            raise TypeError(f"envs[{position}] is {env!r}, without {', '.join(missing)}: expected an environment")
        if any(env is other for other in envs[:position]):
            raise ValueError(f"envs[{position}] is given twice: expected each environment once")
        for name in ("observation_space", "action_space"):
            value, first = getattr(env, name), getattr(envs[0], name)
            if value != first:
                raise ValueError(f"envs[{position}].{name} is {value}: expected that of envs[0], {first}")


def _steppers(envs: list[_AutoResetWrapper]) -> list[WorkerStepper | LocalStepper]:
    """Groups environments into steppers: one stepper for each set of worker processes, and one for all other
    environments.
    """
    parts: dict[int, list[int]] = {}
    for position, wrapper in enumerate(envs):
        env = wrapper.env
        # Only instances of SubprocessEnv itself share a stepper, because a subclass may override `step`.
        shared = id(env._processes) if type(env) is SubprocessEnv else 0
        parts.setdefault(shared, []).append(position)
    local = parts.pop(0, [])
    steppers: list[WorkerStepper | LocalStepper] = [
        WorkerStepper(positions, [envs[position] for position in positions], len(positions) == len(envs))
        for positions in parts.values()
    ]
    return steppers + ([LocalStepper(local, [envs[position] for position in local])] if local else [])


def _raise_first(errors: dict[int, BaseException]) -> None:
    if errors:
        raise errors[min(errors)]
