"""``check_vector_env``: checks whether a vector environment fulfils the contract of ``gymnasium.vector.VectorEnv``."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium.spaces import Discrete
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space, iterate

from envpool_rs._arguments import flag, integer
from envpool_rs._nested import leaves

__all__ = ["BrokenPromise", "VectorEnvContractError", "check_vector_env"]


class BrokenPromise(NamedTuple):
    """Broken promise of the contract: the check's name, the promise as a sentence, and the observed behaviour."""

    check: str
    promise: str
    seen: str

    def __str__(self) -> str:
        return f"{self.promise} {self.seen}"


class CheckSkipped(Exception):  # noqa: N818
    """Raised by a check that cannot run, because a condition for it does not occur; the message names the condition."""


class VectorEnvContractError(AssertionError):
    """Raised if a vector environment breaks promises of the contract, the list ``broken``."""

    def __init__(self, env: object, broken: list[BrokenPromise]) -> None:
        self.broken = broken
        lines = "\n".join(f"- {each}" for each in broken)
        super().__init__(
            f"{env} breaks {len(broken)} promise{'s' * (len(broken) > 1)} of a vector environment:\n{lines}"
        )


RESET_RESULTS = ("observation", "info")
STEP_RESULTS = ("observation", "reward", "terminated", "truncated", "info")


class Step(NamedTuple):
    """Result of a step or reset; the environments whose episodes had ended before, and those that it ended."""

    result: tuple[Any, ...]
    ended_before: npt.NDArray[np.bool_]
    ended: npt.NDArray[np.bool_]


class Trial:
    """The vector environment under test, with the actions and the seed that all checks use."""

    def __init__(self, env: Any, seed: int, steps: int, *, strict: bool) -> None:
        self.env, self.seed, self.strict = env, seed, strict
        space = copy.deepcopy(env.action_space)
        space.seed(seed)
        self.actions = [space.sample() for _ in range(steps)]

    @property
    def num_envs(self) -> int:
        return int(self.env.num_envs)

    @property
    def mode(self) -> Any:
        return self.env.metadata.get("autoreset_mode")

    @cached_property
    def game(self) -> list[Step]:
        """Copies of all results of one game, starting with the result of the reset."""
        return self.play()

    @cached_property
    def endings(self) -> list[Step]:
        if found := [step for step in self.game[1:] if step.ended.any()]:
            return found
        raise CheckSkipped(f"no episode ended within steps={len(self.actions)}")

    def play(self, *, seed: Any = None, touch: Any = None) -> list[Step]:
        results = self.env.reset(seed=self.seed if seed is None else seed)
        ended = np.zeros(self.num_envs, dtype=np.bool_)
        game = [Step(copy.deepcopy(results), ended, ended)]
        for action in self.actions:
            if self.mode is AutoresetMode.DISABLED and ended.any():
                self.env.reset(options={"reset_mask": ended})
                ended = np.zeros_like(ended)
            results = self.env.step(copy.deepcopy(action))
            game.append(Step(copy.deepcopy(results), ended, np.logical_or(results[2], results[3])))
            ended = game[-1].ended
            if touch is not None:
                touch(results)
        return game

    def differences(self, other: list[Step]) -> Iterator[str]:
        for number, (left, right) in enumerate(zip(self.game, other, strict=True)):
            names = STEP_RESULTS if number else RESET_RESULTS
            for name, one, two in zip(names, left.result, right.result, strict=True):
                if not data_equivalence(_timeless(one), _timeless(two), exact=True):
                    yield f"After {number} steps, {name} was {one!r} in one game and {two!r} in the other."

    def misshapen(self, first: int, last: int, kind: type) -> Iterator[str]:
        """Yields parts of steps' results that are no arrays ``(num_envs,)`` of this kind."""
        for value in (value for step in self.game[1:] for value in step.result[first:last]):
            if not isinstance(value, np.ndarray):
                yield f"There was {value!r}."
            elif value.shape != (self.num_envs,) or not np.issubdtype(value.dtype, kind):
                yield f"There was {value.dtype}{value.shape}."

    def is_refused(self, mistake: Callable[[Trial], Any]) -> bool:
        try:
            mistake(self)
        except CheckSkipped:
            raise
        except Exception:
            return True
        return False

    def step_with_rows(self, rows: int) -> None:
        """Steps with another number of actions, by cutting or repeating the first batch."""
        action = self.actions[0]
        if not isinstance(action, np.ndarray):
            raise CheckSkipped("actions are not one array")
        self.env.step(np.resize(action, (rows, *action.shape[1:])))

    def step_outside(self) -> None:
        space = self.env.single_action_space
        if not isinstance(space, Discrete):
            raise CheckSkipped("the action space is not discrete")
        self.env.step(np.full(self.num_envs, space.start + space.n))

    def row_equals(self, batch: Any, index: int, expected: Any) -> bool:
        """Returns whether a row of a batch of observations has the expected value."""
        # An int, a numpy scalar and an array without dimensions are the same number of a discrete space.
        row = list(iterate(self.env.observation_space, batch))[index]
        one, two = (each if isinstance(each, (dict, tuple)) else np.asarray(each) for each in (row, expected))
        return bool(data_equivalence(one, two, exact=True))


def _only(
    *, mode: AutoresetMode | None = None, several: bool = False, beyond: bool = False, is_mistake: bool = False
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Iterator[str]]]:
    """Restricts a check to an autoreset mode, several environments or strict trials, or makes it that of a mistake."""

    def restrict(function: Callable[[Any], Any]) -> Callable[[Any], Iterator[str]]:
        @functools.wraps(function)
        def check(trial: Trial) -> Iterator[str]:
            if beyond and not trial.strict:
                raise CheckSkipped("strict is false, and gymnasium does not promise it")
            if mode is not None and trial.mode is not mode:
                raise CheckSkipped(f"the mode is {trial.mode}")
            if several and trial.num_envs == 1:
                raise CheckSkipped("there is one environment only")
            if not is_mistake:
                yield from function(trial)
                return
            try:
                trial.env.reset(seed=trial.seed)
            except Exception as error:
                name = type(error).__name__
                raise CheckSkipped(f"the mistake before this one made it unusable ({name})") from error
            if not trial.is_refused(function):
                yield "None was raised."

        return check

    return restrict


class Checks(Trial):
    """All checks, in order: each yields what it sees that breaks the promise in its docstring."""

    def spaces_are_batches(self) -> Iterator[str]:
        """`observation_space` and `action_space` are the single environment's spaces, batched `num_envs` times."""
        for kind in ("observation", "action"):
            single, batched = (getattr(self.env, f"{prefix}{kind}_space") for prefix in ("single_", ""))
            expected = batch_space(single, self.num_envs)
            if batched != expected:
                yield f"{kind}_space is {batched}, and not {expected}"

    def autoreset_mode_is_reported(self) -> Iterator[str]:
        """`metadata["autoreset_mode"]` is the autoreset mode, a `gymnasium.vector.AutoresetMode`."""
        if not isinstance(self.mode, AutoresetMode):
            yield f"It is {self.mode!r}."

    def steps_return_five_values(self) -> Iterator[str]:
        """A reset returns observation and info; a step returns observation, reward, terminated, truncated and info."""
        for number, step in enumerate(self.game):
            if not isinstance(step.result, tuple) or len(step.result) != len(STEP_RESULTS if number else RESET_RESULTS):
                yield f"Call {number} returned {step.result!r}."

    def observations_lie_in_the_space(self) -> Iterator[str]:
        """Observations are elements of `observation_space`."""
        for number, step in enumerate(self.game):
            if not self.env.observation_space.contains(step.result[0]):
                yield f"After {number} steps it was {step.result[0]!r}."

    def rewards_are_numbers(self) -> Iterator[str]:
        """Rewards are an array `(num_envs,)` of floats."""
        return self.misshapen(1, 2, np.floating)

    def flags_are_booleans(self) -> Iterator[str]:
        """Terminated and truncated are arrays `(num_envs,)` of booleans."""
        return self.misshapen(2, 4, np.bool_)

    def the_same_seed_plays_the_same_game(self) -> Iterator[str]:
        """After a reset with the same seed, the same actions return the same results."""
        return self.differences(self.play())

    def an_int_seeds_environments_consecutively(self) -> Iterator[str]:
        """`reset(seed=s)` seeds environment `i` with `s + i`, as the list of these seeds does."""
        seeds = [self.seed + index for index in range(self.num_envs)]
        try:
            self.env.reset(seed=seeds)
        except Exception as error:  # gymnasium declares ints only
            raise CheckSkipped(f"the environment takes no list of seeds ({type(error).__name__})") from error
        return self.differences(self.play(seed=seeds))

    @_only(mode=AutoresetMode.NEXT_STEP)
    def the_step_after_an_end_only_resets(self) -> Iterator[str]:
        """In next-step mode, the step after the end of an episode resets: its reward is 0 and no episode ends."""
        _ = self.endings
        for number, step in enumerate(self.game[1:], start=1):
            for index in np.flatnonzero(step.ended_before & (step.ended | (step.result[1] != 0))):
                reward = step.result[1][index]
                yield f"In step {number} environment {index} got reward {reward}, ended={step.ended[index]}."

    @_only(mode=AutoresetMode.SAME_STEP)
    def the_last_observation_is_kept(self) -> Iterator[str]:
        """In same-step mode, `info["final_obs"]` has the final observation of each ended episode, and
        `info["_final_obs"]` is true for these environments only.
        """
        for info, ended in ((step.result[-1], step.ended) for step in self.endings):
            mask = info.get("_final_obs")
            if mask is None or not np.array_equal(mask, ended):
                yield f"_final_obs was {mask!r} where {ended} ended."
            for index in np.flatnonzero(ended):
                last = info["final_obs"][index]
                if not self.env.single_observation_space.contains(last):
                    yield f"final_obs[{index}] was {last!r}."

    @_only(mode=AutoresetMode.SAME_STEP)
    def the_last_observation_is_not_the_next_ones_first(self) -> Iterator[str]:
        """In same-step mode, a step that ends an episode returns the first observation of the next one, not the final
        one.
        """
        ended = [(step.result, index) for step in self.endings for index in np.flatnonzero(step.ended).tolist()]
        if all(self.row_equals(result[0], index, result[-1]["final_obs"][index]) for result, index in ended):
            yield f"They were equal in all {len(ended)} cases."

    @_only(mode=AutoresetMode.SAME_STEP)
    def the_last_infos_are_kept(self) -> Iterator[str]:
        """In same-step mode, `info["final_info"]` has the infos of the step that ended an episode."""
        for step in self.endings:
            last, mask = (step.result[-1].get(key) for key in ("final_info", "_final_info"))
            if not isinstance(last, dict) or not np.array_equal(mask, step.ended):
                yield f"There was {last!r} with the mask {mask!r}."

    @_only(mode=AutoresetMode.DISABLED, several=True)
    def a_mask_resets_the_others_not(self) -> Iterator[str]:
        """In disabled mode, a reset under `options["reset_mask"]` does not change other environments' observations."""
        self.env.reset(seed=self.seed)
        observations = copy.deepcopy(self.env.step(copy.deepcopy(self.actions[0]))[0])
        before = list(iterate(self.env.observation_space, observations))
        after, _ = self.env.reset(options={"reset_mask": np.arange(self.num_envs) == 0})
        for index in range(1, self.num_envs):
            if not self.row_equals(after, index, before[index]):
                yield f"Environment {index} showed {before[index]!r} before, and something else after."

    def results_stay_as_they_are(self) -> Iterator[str]:
        """Later steps do not change returned results."""
        if getattr(self.env.unwrapped, "copy", True) is False:
            raise CheckSkipped("copy is false")
        kept: list[Any] = []
        game = self.play(touch=kept.append)
        for number, (step, result) in enumerate(zip(game[1:], kept, strict=True), start=1):
            for name, then, now in zip(STEP_RESULTS, step.result, result, strict=True):
                if not data_equivalence(then, now, exact=True):
                    yield f"The {name} of step {number} was {then!r} and became {now!r}."

    @_only(beyond=True)
    def results_belong_to_the_caller(self) -> Iterator[str]:
        """Writing into returned results does not change the environment."""

        def overwrite(results: Any) -> None:
            for each in leaves(results):
                if isinstance(each, np.ndarray) and each.dtype != object and each.flags.writeable:
                    each[...] = 1

        return self.differences(self.play(touch=overwrite))

    def actions_are_left_alone(self) -> Iterator[str]:
        """A step does not write to its actions."""
        self.env.reset(seed=self.seed)
        action = copy.deepcopy(self.actions[0])
        self.env.step(action)
        if not data_equivalence(action, self.actions[0], exact=True):
            yield f"{self.actions[0]!r} became {action!r}."

    def infos_have_a_row_for_each_environment(self) -> Iterator[str]:
        """Each entry of the infos is an array with a row for each environment, or a dict of such arrays."""
        entries = [pair for step in self.game for pair in _flat(step.result[-1])]
        if not entries:
            raise CheckSkipped("the infos were empty")
        for key, value in entries:
            if not isinstance(value, np.ndarray) or value.shape[:1] != (self.num_envs,):
                yield f"info[{key!r}] was {value!r}."

    def infos_have_masks(self) -> Iterator[str]:
        """Each entry of the infos has a mask, its name prefixed with an underscore: `(num_envs,)` booleans."""
        for info, key in ((step.result[-1], key) for step in self.game for key in step.result[-1]):
            mask = info.get(f"_{key}")
            is_array = isinstance(mask, np.ndarray) and mask.shape == (self.num_envs,) and mask.dtype == np.bool_
            if not is_array and not (key.startswith("_") and key[1:] in info):
                yield f"info has {key!r}, and info['_{key}'] was {mask!r}."

    @_only(beyond=True, several=True, is_mistake=True)
    def too_few_actions_are_refused(self) -> None:
        """Actions for fewer environments than `num_envs` raise an exception."""
        self.step_with_rows(self.num_envs - 1)

    @_only(beyond=True, is_mistake=True)
    def too_many_actions_are_refused(self) -> None:
        """Actions for more environments than `num_envs` raise an exception."""
        self.step_with_rows(self.num_envs + 1)

    @_only(beyond=True, is_mistake=True)
    def a_wrong_number_of_seeds_is_refused(self) -> None:
        """A list of more than `num_envs` seeds raises an exception."""
        self.env.reset(seed=[1] * (self.num_envs + 1))

    @_only(beyond=True, is_mistake=True)
    def actions_outside_of_the_space_are_refused(self) -> None:
        """Actions outside of a discrete action space raise an exception."""
        self.step_outside()

    @_only(beyond=True)  # the last check, because an environment that fails it cannot be stepped any more
    def a_mistake_leaves_it_usable(self) -> Iterator[str]:
        """After an exception, a reset makes the environment usable again."""
        try:
            self.env.reset(seed=self.seed)
            if not self.is_refused(Trial.step_outside):
                raise CheckSkipped("no exception was raised")
            self.env.reset(seed=self.seed)
            self.env.step(copy.deepcopy(self.actions[0]))
        except CheckSkipped:
            raise
        except Exception as error:
            yield f"It raised {type(error).__name__}: {error}."


CHECKS: list[Callable[[Any], Iterator[str]]] = [each for name, each in vars(Checks).items() if name[:1] != "_"]


def _timeless(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return {
        key: {name: each for name, each in part.items() if name not in ("t", "_t")}
        if key == "episode"
        else _timeless(part)
        for key, part in value.items()
    }


def _flat(info: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in info.items():
        if isinstance(value, dict):
            yield from _flat(value)
        else:
            yield key, value


def check_vector_env(
    env: VectorEnv[Any, Any, Any], *, seed: int = 123, steps: int = 200, strict: bool = False
) -> list[str]:
    """Checks that any vector environment keeps the contract of ``gymnasium.vector.VectorEnv``.

    The checks cover spaces, determinism, the contract of each autoreset mode, ownership of results, the form of infos,
    and, with ``strict``, promises that gymnasium does not make: results belong to the caller, and invalid actions and
    seeds raise an exception, after which a reset makes the environment usable. The environment, with one row per
    environment, is stepped in several games of ``steps`` random actions, all with the seed ``seed``, and is not closed.
    Make it with a short time limit, so that episodes end. Discard it afterwards, because it has received invalid calls.

    Returns the clauses of the contract that could not be checked, each with the reason: no episode ended, there were no
    infos, another autoreset mode is set, or ``strict`` is false. Raises a ``VectorEnvContractError`` with a sentence
    for each violation of the contract, a ``TypeError`` if ``env`` is not a ``gymnasium.vector.VectorEnv`` or ``strict``
    not a bool, and a ``ValueError`` for ``steps`` below 1.
    """
    if not isinstance(env, VectorEnv):
        raise TypeError(f"env={env!r}: expected a gymnasium.vector.VectorEnv")
    integer("steps", steps, 1)
    trial = Checks(env, seed, steps, strict=flag("strict", strict))
    broken, unseen = [], []
    for check in CHECKS:
        promise = " ".join((check.__doc__ or "").split())
        try:
            seen = next(check(trial), None)
        except CheckSkipped as reason:
            seen = None
            unseen.append(f"{promise} Not looked at: {reason}.")
        except Exception as error:
            seen = f"It raised {type(error).__name__}: {error}"
        if seen is not None:
            broken.append(BrokenPromise(check.__name__, promise, seen))
    if broken:
        raise VectorEnvContractError(env, broken)
    return unseen
