"""``MultiEnv``, which steps many environments with one call and returns lists of results."""

from __future__ import annotations

import concurrent.futures
import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from types import TracebackType
from typing import Any

import numpy as np

from envpool_rs._arguments import seeds_of
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import owned
from envpool_rs._spec.installed_gym import EnvironmentBase
from envpool_rs._workers import Steps
from envpool_rs._workers.adapters import read_reset, reset_defaults
from envpool_rs._workers.serialization import reduced
from envpool_rs.multi_env.subprocess_env import GYM_VALUES, GYMNASIUM_VALUES, EnvProcesses, Errors, SubprocessEnv

TRUNCATED = "TimeLimit.truncated"
"""Key of an info: whether a time limit truncated the episode, instead of the environment's rules ending it."""


def four_values(result: Any) -> tuple[Any, Any, bool, Any]:
    """Converts a ``step``'s result to ``(observation, reward, terminal, info)``."""
    # gym's four values stay unchanged. For gymnasium's five, `terminal` is terminated or truncated, and the info of a
    # terminal step has "TimeLimit.truncated": whether it was only truncated.
    if isinstance(result, tuple):
        if len(result) == GYM_VALUES:
            return result
        if len(result) == GYMNASIUM_VALUES:
            observation, reward, terminated, truncated, info = result
            if terminated or truncated:
                return observation, reward, True, {**info, TRUNCATED: bool(truncated and not terminated)}
            return observation, reward, False, info
    described = f"a tuple of {len(result)}" if isinstance(result, tuple) else f"an object of {type(result).__name__}"
    raise ValueError(
        f"step returned {described}: expected (observation, reward, terminal, info) or "
        "(observation, reward, terminated, truncated, info)"
    )


FourLists = tuple[list[Any], list[Any], list[Any], list[Any]]
"""``(observations, rewards, terminals, infos)``, with an entry for each environment."""


class StepLists:
    """The result lists of a step, filled row by row, and the errors of environments that failed."""

    def __init__(self, length: int) -> None:
        self.lists: FourLists = ([None] * length, [None] * length, [None] * length, [None] * length)
        self.errors: Errors = {}

    def put(self, position: int, values: tuple[Any, Any, Any, Any]) -> None:
        """Stores the four values of one environment."""
        for column, value in zip(self.lists, values, strict=True):
            column[position] = value

    def result(self) -> FourLists:
        """Returns the four lists, or raises the first error with the attribute ``results``."""
        if self.errors:
            error = self.errors[min(self.errors)]
            # An exception class may not allow further attributes; its exceptions are raised without `results`.
            with contextlib.suppress(AttributeError):
                error.results = self.lists  # type: ignore[attr-defined]
            raise error
        return self.lists


ARRAY_ROW = 2
"""Minimum number of dimensions of a batch of observations whose rows are arrays and not numbers."""


def four_lists(steps: Steps, space: Any) -> FourLists:
    """Converts all rows to ``(observations, rewards, terminals, infos)``, as ``four_values`` does."""
    terminals = (steps.terminated | steps.truncated).tolist()
    infos = [{} for _ in terminals] if steps.infos is None else list(steps.infos)
    if True in terminals:
        for row, terminal in enumerate(terminals):
            if terminal and not steps.has_four_values(row):
                infos[row] = {**infos[row], TRUNCATED: not bool(steps.terminated[row])}
    rewards = steps.rewards.tolist()
    for row, reward in steps.odd_rewards.items():
        rewards[row] = reward
    leaves = steps.leaves
    is_array = leaves is not None and len(leaves) == 1 and leaves[0].ndim >= ARRAY_ROW and not hasattr(space, "spaces")
    if leaves is not None and is_array and steps.in_rows:
        # Rows need not be copied, because the caller owns the memory of the batch that it took.
        return list(leaves[0]), rewards, terminals, infos
    return [steps.observation(row) for row in range(len(steps.ids))], rewards, terminals, infos


def _forwarded(name: str, default: Callable[[], Any], text: str) -> property:
    """Returns a property with an attribute of the environment, which gym's base class would define otherwise."""
    return property(lambda wrapper: getattr(wrapper.env, name, default()), doc=text)


class _AutoResetWrapper(KnownAttributes, EnvironmentBase):  # type: ignore[misc]
    """Wrapper that resets an environment in the step after a terminal step.

    A terminal step returns its own observation. The next step resets, discards that observation, and applies the
    action. Steps return gym's four values, and resets return only the observation, for both interfaces. All other
    attributes are forwarded to the environment.

    Attributes:
        env: the environment of gym or gymnasium, or any object with their ``reset``, ``step`` and ``close``.
    """

    env: Any

    def __init__(self, env: Any) -> None:
        self.env = env
        self._reset_defaults = reset_defaults(env)
        self._terminated = False

    @property
    def observation_space(self) -> Any:
        """The environment's observation space."""
        return self.env.observation_space

    @property
    def action_space(self) -> Any:
        """The environment's action space."""
        return self.env.action_space

    @property
    def np_random(self) -> Any:
        """The environment's random generator."""
        return self.env.np_random

    @property
    def unwrapped(self) -> Any:
        """The environment inside all wrappers."""
        return getattr(self.env, "unwrapped", self.env)

    metadata = _forwarded("metadata", dict, "The environment's metadata; empty if it has none.")
    spec = _forwarded("spec", lambda: None, "The environment's specification; ``None`` if it has none.")
    render_mode = _forwarded("render_mode", lambda: None, "The environment's render mode; ``None`` if it has none.")
    reward_range = _forwarded(
        "reward_range",
        lambda: (-float("inf"), float("inf")),
        "The environment's bounds of rewards; infinite if it has none.",
    )

    def step(self, action: Any) -> Any:
        """Runs one step; resets the environment first if its last step was terminal.

        Returns ``(observation, reward, terminal, info)``; ``terminal`` is true if the episode was terminated or
        truncated. For gymnasium's environments, ``"TimeLimit.truncated"`` in the info of a terminal step distinguishes
        the two.
        """
        if self._terminated:
            self.env.reset(**self._reset_defaults)
            self._terminated = False
        result = four_values(self.env.step(action))
        self._terminated = bool(result[2])
        return result

    def reset(self, **kwargs: Any) -> Any:
        """Resets the environment and returns the observation; the next step does not reset it again.

        ``kwargs`` are the arguments of the environment's ``reset``.
        """
        result = self.env.reset(**{**self._reset_defaults, **kwargs})
        self._terminated = False
        return read_reset(result, getattr(self.env, "observation_space", None))[0]

    def render(self, *args: Any, **kwargs: Any) -> Any:
        """Returns the result of the environment's ``render`` with these arguments."""
        return self.env.render(*args, **kwargs)

    def seed(self, seed: Any = None) -> Any:
        """Calls the ``seed`` of an environment of gym before 0.26."""
        return self.env.seed(seed)

    def close(self) -> None:
        """Closes the environment."""
        self.env.close()

    def __getattr__(self, name: str) -> Any:
        # `copy` reads attributes of a new object before `env` is set, when no attribute can be forwarded.
        if name.startswith("_") or name == "env":
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}, and private ones are not passed on")
        return getattr(self.env, name)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}{self.env!r}>"

    __str__ = __repr__


class LocalEnvs:
    """Environments that are objects of this process, each in its own thread; a single one in the calling thread."""

    # Threads speed up environments that release the interpreter's lock, because they wait for another process or
    # compute in C. Requests are generators: they start calls up to `yield`, and wait for them afterwards.

    def __init__(self, positions: Sequence[int], envs: Sequence[_AutoResetWrapper]) -> None:
        self._envs = dict(zip(positions, envs, strict=True))
        self._executor = ThreadPoolExecutor(len(envs), "MultiEnv") if len(envs) > 1 else None
        self._futures: list[Future[Any]] = []

    def step(self, actions: Sequence[Any], into: StepLists) -> Iterator[None]:
        """Steps environments whose action is not ``None``."""
        calls = {
            position: partial(_owned_call, env.step, actions[position])
            for position, env in self._envs.items()
            if actions[position] is not None
        }
        return self._run(calls, into.put, into.errors)

    def reset(self, keywords: Sequence[dict[str, Any]], observations: list[Any], errors: Errors) -> Iterator[None]:
        """Resets all environments."""
        calls = {
            position: partial(_owned_call, env.reset, **keywords[position]) for position, env in self._envs.items()
        }
        return self._run(calls, observations.__setitem__, errors)

    def close(self, errors: Errors) -> None:
        """Closes all environments; stores their exceptions."""
        for _ in self._run({position: env.close for position, env in self._envs.items()}, lambda *_: None, errors):
            pass
        if self._executor is not None:
            self._executor.shutdown()

    def _run(
        self, calls: Mapping[int, Callable[[], Any]], put: Callable[[int, Any], None], errors: Errors
    ) -> Iterator[None]:
        # Waits for calls that an interrupted method left running, before their environments are called again.
        concurrent.futures.wait(self._futures)
        if self._executor is not None:
            futures = {position: self._executor.submit(call) for position, call in calls.items()}
            self._futures = list(futures.values())
            calls = {position: future.result for position, future in futures.items()}
        yield
        for position, call in calls.items():
            try:
                result = call()
            except Exception as error:
                errors[position] = error
            else:
                put(position, result)
        self._futures = []


def _owned_call(call: Callable[..., Any], /, *arguments: Any, **keywords: Any) -> Any:
    """Calls a method with copies of its arguments; returns a copy, because the environment may reuse its objects."""
    return owned(call(*owned(arguments), **owned(keywords)))


class WorkerEnvs:
    """``SubprocessEnv``s that share worker processes; one request steps all of them, resets included."""

    def __init__(self, positions: Sequence[int], envs: Sequence[_AutoResetWrapper], is_everybody: bool) -> None:
        self._processes: EnvProcesses = envs[0].env._processes
        self._space = envs[0].env.observation_space
        # Sorted by the environments' index in the processes, which expect ascending indices.
        indices = [env.env._index for env in envs]
        self._position_of = dict(sorted(zip(indices, positions, strict=True)))
        self._wrapper_of = dict(zip(indices, envs, strict=True))
        self._indices = list(self._position_of)
        self._envs = [self._wrapper_of[index] for index in self._indices]
        # If these are all environments of the list, in the processes' order, actions and results are passed on without
        # reordering.
        self._is_whole_list = is_everybody and list(self._position_of.values()) == list(range(len(envs)))

    def step(self, actions: Sequence[Any], into: StepLists) -> Iterator[None]:
        """Steps environments whose action is not ``None``."""
        chosen: Sequence[Any] = actions
        if self._is_whole_list and _without_none(actions):
            played = self._indices
        else:
            positions = self._position_of.items()
            played = [index for index, position in positions if actions[position] is not None]
            chosen = [actions[self._position_of[index]] for index in played]
        if not played:
            return
        self._processes.send_steps(played, chosen, [self._wrapper_of[index]._terminated for index in played])
        yield
        steps, errors = self._processes.take_steps(played)
        lists = four_lists(steps, self._space)
        if self._is_whole_list and len(played) == len(self._indices) and not steps.failures:
            for wrapper, terminal in zip(self._envs, lists[2], strict=True):
                wrapper._terminated = terminal
            into.lists = lists
            return
        for row, index in enumerate(played):
            if index not in steps.failures:
                self._wrapper_of[index]._terminated = bool(lists[2][row])
                into.put(self._position_of[index], (lists[0][row], lists[1][row], lists[2][row], lists[3][row]))
        self._store(errors, into.errors)

    def reset(self, keywords: Sequence[dict[str, Any]], observations: list[Any], errors: Errors) -> Iterator[None]:
        """Resets all environments."""
        arguments = [("reset", (), keywords[position]) for position in self._position_of.values()]
        self._processes.send_calls(self._indices, "call", arguments)
        yield
        results, failed = self._processes.take_values(self._indices)
        for index, result in results.items():
            self._wrapper_of[index]._terminated = False
            observations[self._position_of[index]] = read_reset(result, self._space)[0]
        self._store(failed, errors)

    def _store(self, failed: Errors, errors: Errors) -> None:
        errors.update({self._position_of[index]: error for index, error in failed.items()})

    def close(self, errors: Errors) -> None:
        """Closes the environments that are still open; stores their exceptions."""
        still_open = [env.env for env in self._wrapper_of.values() if not env.env._is_closed]
        for env in still_open:
            env._is_closed = True
        try:
            self._processes.close([env._index for env in still_open])
        except Exception as error:
            errors[min(self._position_of.values())] = error


def _without_none(actions: Any) -> bool:
    # Arrays that the caller passes hold only numbers. `None in actions` is not used, because it would compare arrays
    # among the actions elementwise.
    return isinstance(actions, np.ndarray) or not any(action is None for action in actions)


NEEDED = ("reset", "step", "close", "observation_space", "action_space")
"""Attributes that every environment must have."""


class ExclusiveUse:
    """Try-only lock: runs calls of one thread at a time and rejects a second thread's call at once."""

    __slots__ = ("_users", "_what")

    def __init__(self, what: str) -> None:
        # The entry of the running call comes first. Entries of calls that request to run follow, in the order of their
        # requests.
        self._users: dict[object, None] = {}
        self._what = what

    def run(self, call: Callable[..., Any], *arguments: Any) -> Any:
        """Runs a call while no other call runs, and returns its result; raises a ``RuntimeError`` if another call is
        running.

        An exception at any point, including Ctrl-C, releases the lock: each operation on the dict is atomic in the
        interpreter, and the call's entry is added inside the ``try`` block.
        """
        user = object()
        try:
            self._users[user] = None
            first, *_ = list(self._users)  # a list, because other threads change the dict during iteration
            if first is not user:
                raise RuntimeError(f"{self._what} is in use by another thread")
            return call(*arguments)
        finally:
            self._users.pop(user, None)


class MultiEnv(KnownAttributes):
    """Steps several environments at the same time, with autoreset: ``reset`` needs to be called only once.

    Environments may be ``SubprocessEnv``s or any objects with gym's or gymnasium's interface, with equal observation
    spaces and equal action spaces. ``SubprocessEnv``s made by one call of ``create_subprocess_envs`` are fastest: one
    message steps all of them. Other objects are stepped in threads. A ``MultiEnv`` of such objects can be copied and
    pickled, with its environments.

    A method raises a ``ValueError`` if the environments are closed, and a ``RuntimeError`` while another thread, or one
    of the environments themselves, resets or steps them. If environments fail, the exception of the first one is raised
    after all are done.
    """

    def __init__(self, envs: Iterable[Any]) -> None:
        if not isinstance(envs, Iterable):
            raise TypeError(f"envs={envs!r}: expected a list of environments")
        chosen = list(envs)
        _check_envs(chosen)
        self.__setstate__(([_AutoResetWrapper(env) for env in chosen], False))

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
        """Resets all environments; returns the observation of each.

        Args:
            seed: for gymnasium's environments; an int seeds environment ``i`` with ``seed + i``.
            kwargs: arguments of every environment's ``reset``.

        Raises:
            ValueError: for another number of seeds than environments.
        """
        self._check_open("reset()")
        keywords = [kwargs] * len(self)
        if seed is not None:
            seeds = seeds_of(seed, range(len(self)), f"one for each of {len(self)} environments")
            keywords = [{**kwargs, "seed": each} for each in seeds]
        observations: list[Any] = [None] * len(self)
        errors: Errors = {}
        self._run([each.reset(keywords, observations, errors) for each in self._groups])
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
            ValueError: for another number of actions than environments.
            Exception: the exception of the first environment that failed, after all have made their step. Its attribute
                ``results`` holds the four lists, with ``None`` for environments that failed.
        """
        self._check_open("step()")
        checked = self._checked_actions(actions)
        lists = StepLists(len(self._envs))
        self._run([each.step(checked, lists) for each in self._groups])
        return lists.result()

    def close(self) -> None:
        """Closes all environments."""
        self._check_open("close()")
        self._is_closed = True
        errors: Errors = {}
        for group in self._groups:
            group.close(errors)
        _raise_first(errors)

    def __reduce__(self) -> tuple[Any, ...]:
        return reduced(self, (self._envs, self._is_closed))

    def __setstate__(self, state: tuple[list[_AutoResetWrapper], bool]) -> None:
        self._envs, self._is_closed = state
        self._groups = _grouped(self._envs)
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

    def _run(self, requests: Sequence[Iterator[None]]) -> None:
        """Sends the requests of all groups, and then waits for the results of each."""
        self._use.run(_send_and_finish, requests)

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


def _send_and_finish(requests: Sequence[Iterator[None]]) -> None:
    for request in requests:
        next(request, None)
    for request in requests:
        next(request, None)


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


def _grouped(envs: list[_AutoResetWrapper]) -> list[WorkerEnvs | LocalEnvs]:
    """Groups environments: one group for each set of worker processes, and one for all other environments."""
    parts: dict[int, list[int]] = {}
    for position, wrapper in enumerate(envs):
        env = wrapper.env
        # Only instances of SubprocessEnv itself share requests, because a subclass may override `step`.
        shared = id(env._processes) if type(env) is SubprocessEnv else 0
        parts.setdefault(shared, []).append(position)
    local = parts.pop(0, [])
    groups: list[WorkerEnvs | LocalEnvs] = [
        WorkerEnvs(positions, [envs[position] for position in positions], len(positions) == len(envs))
        for positions in parts.values()
    ]
    return groups + ([LocalEnvs(local, [envs[position] for position in local])] if local else [])


def _raise_first(errors: Errors) -> None:
    if errors:
        raise errors[min(errors)]
