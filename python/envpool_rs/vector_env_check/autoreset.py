"""What happens at the end of an episode, in each autoreset mode."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import iterate

from envpool_rs.vector_env_check.broken_promise import NothingToSee, NotKept
from envpool_rs.vector_env_check.trial import Trial


def the_step_after_an_end_only_resets(trial: Trial) -> None:
    """In next-step mode, the step after the end of an episode resets: its reward is 0 and nothing ends."""
    _only(trial, AutoresetMode.NEXT_STEP)
    _ = trial.endings
    for number, step in enumerate(trial.steps, start=1):
        reset = step.ended_before
        if reset is not None and (step.ended[reset].any() or np.any(step.result[1][reset])):
            index = int(np.flatnonzero(reset & (step.ended | (step.result[1] != 0)))[0])
            raise NotKept(
                f"In step {number} environment {index} got reward {step.result[1][index]}, ended={step.ended[index]}."
            )


def the_last_observation_is_kept(trial: Trial) -> None:
    """In same-step mode, `info["final_obs"]` has the last observation of each episode that ended, and
    `info["_final_obs"]` is true for these alone.
    """
    _only(trial, AutoresetMode.SAME_STEP)
    for step in trial.endings:
        mask = step.info.get("_final_obs")
        if mask is None or not np.array_equal(mask, step.ended):
            raise NotKept(f"_final_obs was {mask!r} where {step.ended} ended.")
        for index in np.flatnonzero(step.ended):
            last = step.info["final_obs"][index]
            if not trial.env.single_observation_space.contains(last):
                raise NotKept(f"final_obs[{index}] was {last!r}.")


def the_last_observation_is_not_the_next_ones_first(trial: Trial) -> None:
    """In same-step mode, the observation of a step that ends an episode is the next episode's first, not the last one
    again.
    """
    _only(trial, AutoresetMode.SAME_STEP)
    ended = [(step, index) for step in trial.endings for index in np.flatnonzero(step.ended).tolist()]
    if all(_row(trial, step.observation, index, step.info["final_obs"][index]) for step, index in ended):
        raise NotKept(f"They were equal in all {len(ended)} cases.")


def the_last_infos_are_kept(trial: Trial) -> None:
    """In same-step mode, `info["final_info"]` has the infos of the step that ended an episode."""
    _only(trial, AutoresetMode.SAME_STEP)
    for step in trial.endings:
        mask = step.info.get("_final_info")
        if not isinstance(step.info.get("final_info"), dict) or not np.array_equal(mask, step.ended):
            raise NotKept(f"There was {step.info.get('final_info')!r} with the mask {mask!r}.")


def a_mask_resets_the_others_not(trial: Trial) -> None:
    """In disabled mode, a reset under `options["reset_mask"]` leaves the observations of all others as they are."""
    _only(trial, AutoresetMode.DISABLED)
    if trial.num_envs == 1:
        raise NothingToSee("there is one environment only")
    trial.env.reset(seed=trial.seed)
    before = copy.deepcopy(trial.env.step(copy.deepcopy(trial.actions[0]))[0])
    mask = np.arange(trial.num_envs) == 0
    after, _ = trial.env.reset(options={"reset_mask": mask})
    for index in range(1, trial.num_envs):
        rows = list(iterate(trial.env.observation_space, before))
        if not _row(trial, after, index, rows[index]):
            raise NotKept(f"Environment {index} showed {rows[index]!r} before, and something else after.")


def _only(trial: Trial, mode: AutoresetMode) -> None:
    if trial.mode is not mode:
        raise NothingToSee(f"the mode is {trial.mode}")


def _row(trial: Trial, batch: Any, index: int, expected: Any) -> bool:
    """Whether a row of a batch is what is expected."""
    row = list(iterate(trial.env.observation_space, batch))[index]
    return bool(data_equivalence(_array(row), _array(expected), exact=True))


def _array(value: Any) -> Any:
    # A number of a discrete space may come as an int, a numpy scalar, or an array without dimensions.
    return value if isinstance(value, (dict, tuple)) else np.asarray(value)
