"""Converts batches of worker results to environments' own results or to four lists."""

from __future__ import annotations

from typing import Any

from envpool_rs._workers import Steps
from envpool_rs.multi_env.step_lists import FourLists
from envpool_rs.multi_env.step_results import TRUNCATED

ARRAY_ROW = 2
"""Minimum number of dimensions of a batch whose rows are arrays."""


def env_result(steps: Steps, row: int) -> tuple[Any, ...]:
    """Returns the result of ``step`` of this row's environment: four values, or five."""
    observation, reward = steps.observation(row), _reward(steps, row)
    terminated, truncated = bool(steps.terminated[row]), bool(steps.truncated[row])
    info = {} if steps.infos is None else steps.infos[row]
    if steps.has_four_values(row):
        return observation, reward, terminated or truncated, info
    return observation, reward, terminated, truncated, info


def four_lists(steps: Steps, space: Any) -> FourLists:
    """Converts all rows to ``(observations, rewards, terminals, infos)``, as ``four_values`` does.

    Args:
        steps: without failures.
        space: the environments' observation space.
    """
    terminals = (steps.terminated | steps.truncated).tolist()
    infos = [{} for _ in terminals] if steps.infos is None else list(steps.infos)
    if True in terminals:
        for row, terminal in enumerate(terminals):
            if terminal and not steps.has_four_values(row):
                infos[row] = {**infos[row], TRUNCATED: not bool(steps.terminated[row])}
    rewards = steps.rewards.tolist()
    for row, reward in steps.odd_rewards.items():
        rewards[row] = reward
    return _observations(steps, space), rewards, terminals, infos


def _observations(steps: Steps, space: Any) -> list[Any]:
    leaves = steps.leaves
    is_array = leaves is not None and len(leaves) == 1 and leaves[0].ndim >= ARRAY_ROW and not hasattr(space, "spaces")
    if leaves is not None and is_array and steps.in_rows:
        # The taker of a batch owns it: its rows need no further copy.
        return list(leaves[0])
    return [steps.observation(row) for row in range(len(steps.ids))]


def _reward(steps: Steps, row: int) -> Any:
    return steps.odd_rewards[row] if row in steps.odd_rewards else float(steps.rewards[row])
