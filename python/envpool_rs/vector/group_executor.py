"""Backend of environments in worker processes that share memory with the calling process."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from envpool_rs._workers import EnvFailure, Steps, WorkerGroup, hosted_envs
from envpool_rs.vector.executor import EnvBackend, Failure
from envpool_rs.vector.step_result import StepBatch, StepResult, read_info, read_reward


class WorkerGroupBackend(EnvBackend):
    """Backend of the environments of one `WorkerGroup`: wakes its workers once per request, and reads rows as a batch.

    Args:
        group: the group, made with ``lenient=True``.
    """

    def __init__(self, group: WorkerGroup) -> None:
        self.group = group
        self._all_ids = list(range(group.num_envs))

    def _group_ids(self, ids: Sequence[int]) -> Any:
        """Returns ids in the form that the group takes: `None` for all ids in order, which is faster."""
        return None if ids == self._all_ids else np.asarray(ids, dtype=np.int64)

    def send_steps(self, ids: Sequence[int], actions: Any) -> None:
        """Sends steps with one wake-up of the workers."""
        self.group.send_steps(self._group_ids(ids), actions)

    def send_resets(self, ids: Sequence[int], seeds: Sequence[int | None] | None, keywords: Mapping[str, Any]) -> None:
        """Sends resets with one wake-up of the workers."""
        self.group.send_resets(self._group_ids(ids), seeds, **keywords)

    def wait(self, ids: Sequence[int], count: int, timeout: float | None) -> list[int]:
        """Waits for requests.

        One call of the worker group waits; a second call collects environments that have finished meanwhile.
        """
        group_ids = self._group_ids(ids)
        if timeout is None and count == len(ids):
            self.group.wait_all(group_ids)
            return list(ids)
        finished = self.group.wait(group_ids, count, timeout)
        if not len(finished):
            finished = self.group.wait(group_ids, 1, None)
        if len(finished) < len(ids):
            finished = self.group.wait(group_ids, len(ids), 0.0)
        return [int(env_id) for env_id in finished]

    def step_all(self, actions: Any) -> StepBatch | tuple[Any, ...] | list[StepResult | Failure]:
        """Sends a step to all environments, waits, and takes the results, in one call.

        Returns:
            The result of `take_steps`, or a plain tuple of the fields of a `StepBatch`, in which ``four_values`` may be
            ``None``.
        """
        played = self.group.step(actions)
        return self._batch(played, self._all_ids) if isinstance(played, Steps) else played

    def in_flight(self) -> list[int]:
        """Returns the environments with a request whose reply is not taken."""
        flying: list[int] = self.group.in_flight.tolist()
        return flying

    def take_steps(self, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        """Returns the results of finished steps; reads all rows at once, unless an observation or a reward did not fit
        its row.
        """
        return self._batch(self.group.take_steps(self._group_ids(ids)), ids)

    def _batch(self, steps: Steps, ids: Sequence[int]) -> StepBatch | list[StepResult | Failure]:
        if steps.failures or steps.odd_rewards or not steps.in_rows:
            return [self._step(steps, row, env_id) for row, env_id in enumerate(ids)]
        if steps.infos is None:
            infos: list[dict[str, Any]] = [{"env_id": env_id} for env_id in ids]
        elif all(isinstance(info, dict) for info in steps.infos):
            infos = [{**info, "env_id": env_id} for info, env_id in zip(steps.infos, ids, strict=True)]
        else:
            return [self._step(steps, row, env_id) for row, env_id in enumerate(ids)]
        four_values = np.zeros(len(ids), bool) if steps.four_values is None else steps.four_values
        return StepBatch(steps.observations(), steps.rewards, steps.terminated, steps.truncated, four_values, infos)

    def _step(self, steps: Steps, row: int, env_id: int) -> StepResult | Failure:
        if env_id in steps.failures:
            return steps.failures[env_id]
        try:
            reward = read_reward(steps.reward(row))
            info = {} if steps.infos is None else read_info(steps.infos[row])
        except (TypeError, ValueError, OverflowError) as error:
            return EnvFailure.of(env_id, "step", error)
        return StepResult(
            steps.observation(row),
            reward,
            bool(steps.terminated[row]),
            bool(steps.truncated[row]),
            steps.has_four_values(row),
            info,
        )

    def take_resets(
        self, ids: Sequence[int]
    ) -> tuple[Any, list[dict[str, Any]]] | list[tuple[Any, dict[str, Any]] | Failure]:
        """Returns the results of finished resets; reads all rows at once, unless an observation did not fit its row."""
        steps = self.group.take_steps(self._group_ids(ids))
        if not steps.failures and steps.in_rows:
            return steps.observations(), self._infos(steps)
        return self._resets(steps, ids)

    def take_single_resets(self, ids: Sequence[int]) -> list[tuple[Any, dict[str, Any]] | Failure]:
        """Returns an observation and an info, or a failure, for each environment, without stacking."""
        return self._resets(self.group.take_steps(self._group_ids(ids)), ids)

    def _resets(self, steps: Steps, ids: Sequence[int]) -> list[tuple[Any, dict[str, Any]] | Failure]:
        infos = self._infos(steps)
        return [steps.failures.get(env_id) or (steps.observation(row), infos[row]) for row, env_id in enumerate(ids)]

    @staticmethod
    def _infos(steps: Steps) -> list[dict[str, Any]]:
        if steps.infos is None:
            return [{} for _ in range(len(steps.ids))]
        return [dict(info) for info in steps.infos]

    def discard(self, ids: Sequence[int]) -> None:
        """Waits for the requests in flight and drops their results."""
        self.group.discard(ids)

    def apply(self, operation: str, ids: Sequence[int], arguments: Sequence[tuple[Any, ...]]) -> list[Any]:
        """Runs an operation in all environments at once.

        Records the seeds that the operation sets; seeds of episodes after the loss of a worker are derived from them.
        """
        if operation == "seed_environment":
            self.group.record_seeds(ids, [seed for (seed,) in arguments])
        if not ids:
            return []
        group_ids = np.asarray(ids, dtype=np.int64)
        function = getattr(hosted_envs, operation)
        self.group.send_calls(group_ids, "apply", [(function, each) for each in arguments])
        self.group.wait_all(group_ids)
        return self.group.take_values(group_ids)

    def observation_spaces(self) -> Sequence[Any]:
        """Returns the spaces that the workers reported."""
        return self.group.observation_spaces

    def close_environment(self, env_id: int) -> list[Any]:
        """Closes one environment, whose process may continue; returns `None` or a failure."""
        group_ids = np.array([env_id], dtype=np.int64)
        self.group.send_calls(group_ids, "close", [None])
        self.group.wait_all(group_ids)
        return self.group.take_values(group_ids)

    def close(self) -> None:
        """Ends the worker processes."""
        self.group.close()
