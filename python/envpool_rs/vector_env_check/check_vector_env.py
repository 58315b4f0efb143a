"""Implements ``check_vector_env``, which runs all checks of a vector environment in order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gymnasium.vector import VectorEnv

from envpool_rs._arguments import flag, integer
from envpool_rs.vector_env_check import checks
from envpool_rs.vector_env_check.trial import (
    BrokenPromise,
    CheckFailed,
    CheckSkipped,
    Trial,
    VectorEnvContractError,
)

CHECKS: tuple[Callable[[Trial], None], ...] = (
    checks.spaces_are_batches,
    checks.autoreset_mode_is_reported,
    checks.steps_return_five_values,
    checks.observations_lie_in_the_space,
    checks.rewards_are_numbers,
    checks.flags_are_booleans,
    checks.the_same_seed_plays_the_same_game,
    checks.an_int_seeds_environments_consecutively,
    checks.the_step_after_an_end_only_resets,
    checks.the_last_observation_is_kept,
    checks.the_last_observation_is_not_the_next_ones_first,
    checks.the_last_infos_are_kept,
    checks.a_mask_resets_the_others_not,
    checks.results_stay_as_they_are,
    checks.results_belong_to_the_caller,
    checks.actions_are_left_alone,
    checks.infos_have_a_row_for_each_environment,
    checks.infos_have_masks,
    checks.too_few_actions_are_refused,
    checks.too_many_actions_are_refused,
    checks.a_wrong_number_of_seeds_is_refused,
    checks.actions_outside_of_the_space_are_refused,
    checks.a_mistake_leaves_it_usable,
)
"""All checks, in order.

Each check takes a trial and raises an exception on a violation; its docstring is the promise. The last check may leave
the environment unusable.
"""


BEYOND_GYMNASIUM: frozenset[Callable[[Trial], None]] = frozenset(
    {
        checks.results_belong_to_the_caller,
        checks.too_few_actions_are_refused,
        checks.too_many_actions_are_refused,
        checks.a_wrong_number_of_seeds_is_refused,
        checks.actions_outside_of_the_space_are_refused,
        checks.a_mistake_leaves_it_usable,
    }
)
"""Checks of promises that gymnasium does not make."""


def check_vector_env(
    env: VectorEnv[Any, Any, Any], *, seed: int = 123, steps: int = 200, strict: bool = False
) -> list[str]:
    """Checks that any vector environment keeps the contract of ``gymnasium.vector.VectorEnv``.

    The checks cover spaces, determinism, the contract of each autoreset mode, ownership of results, the form of infos,
    and, with ``strict``, errors for invalid calls. The environment is stepped in several games with random actions, and
    is not closed. Make the vector environment with a short time limit, so that episodes end. Discard the vector
    environment afterwards, because it has received invalid calls.

    Args:
        env: a vector environment with one row per environment.
        seed: seed of every game and of the actions.
        steps: number of steps of every game.
        strict: whether the environment must also keep promises that gymnasium does not make: results belong to the
            caller, and invalid actions and seeds raise an exception, after which a reset makes the environment usable.

    Returns:
        The clauses of the contract that could not be checked, each with the reason: no episode ended, there were no
        infos, another autoreset mode is set, or ``strict`` is false.

    Raises:
        VectorEnvContractError: if the environment violates the contract, with a sentence for each violation.
        TypeError: if ``env`` is not a ``gymnasium.vector.VectorEnv``, or ``strict`` not a bool.
        ValueError: for ``steps`` below 1.
    """
    if not isinstance(env, VectorEnv):
        raise TypeError(f"env={env!r}: expected a gymnasium.vector.VectorEnv")
    integer("steps", steps, 1)
    flag("strict", strict)
    trial = Trial(env, seed, steps)
    broken, unseen = [], []
    for check in CHECKS:
        try:
            if check in BEYOND_GYMNASIUM and not strict:
                raise CheckSkipped("strict is false, and gymnasium does not promise it")
            check(trial)
        except CheckSkipped as reason:
            unseen.append(f"{promise_of(check)} Not looked at: {reason}.")
        except CheckFailed as seen:
            broken.append(BrokenPromise(check.__name__, promise_of(check), str(seen)))
        except Exception as error:
            seen_error = f"It raised {type(error).__name__}: {error}"
            broken.append(BrokenPromise(check.__name__, promise_of(check), seen_error))
    if broken:
        raise VectorEnvContractError(env, broken)
    return unseen


def promise_of(check: Callable[[Trial], None]) -> str:
    """Returns the clause of the contract that a check tests: the first paragraph of the check's docstring."""
    return " ".join((check.__doc__ or "").split("\n\n")[0].split())
