"""Worker processes for environments, and new ones in the place of those that died."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from multiprocessing.context import BaseContext
from typing import Any

from envpool_rs._workers import EnvFailure, WorkerDied, WorkerGroup
from envpool_rs.multi_env.env_requests import STEP
from envpool_rs.multi_env.hosted_env import HostedEnv
from envpool_rs.multi_env.shared_workers import SharedWorkers
from envpool_rs.multi_env.worker_results import exact_result


def new_group(env_fns: Sequence[Callable[[], Any]], num_workers: int, context: str | BaseContext | None) -> WorkerGroup:
    """Starts processes that make environments; does not wait for them.

    Args:
        env_fns: make the environments.
        num_workers: processes.
        context: how they are started.
    """
    # Whatever environments return stays what it was, and their interface stays gym's or gymnasium's.
    return WorkerGroup(
        env_fns, num_workers=num_workers, context=context, lenient=True, adapt=False, wrap=HostedEnv, start=False
    )


def end(group: WorkerGroup) -> None:
    """Ends processes, whatever their environments do."""
    with contextlib.suppress(Exception):
        group.close(terminate=True)


def is_loss(failure: EnvFailure) -> bool:
    """Whether an environment was lost with its process."""
    # Only a lost process leaves no traceback: an environment may raise any exception, this one too.
    return isinstance(failure.exception, WorkerDied) and not failure.traceback


def replacement(
    env_fn: Callable[[], Any], context: str | BaseContext | None, operation: str, argument: Any
) -> tuple[SharedWorkers, Any]:
    """A new environment in a new process, reset (unless that is what it is asked for), and its answer.

    Args:
        env_fn: makes the environment.
        context: how the process is started.
        operation: what it is asked: ``STEP``, or a call's.
        argument: of the operation.

    Returns:
        The process, and the answer: an ``EnvFailure`` where the environment raised.

    Raises:
        WorkerDied: where this process died too; it is ended then, as after all other exceptions.
        Exception: what ``env_fn`` raised.
    """
    group = new_group([env_fn], 1, context)
    try:
        group.initialize()
        workers = SharedWorkers(group)
        answer = None if _is_reset(operation, argument) else _answer(workers, "call", ("reset", (), {}))
        if not isinstance(answer, EnvFailure):
            answer = _answer(workers, operation, argument)
    except BaseException:
        end(group)
        raise
    return workers, answer


def _is_reset(operation: str, argument: Any) -> bool:
    return operation == "call" and argument[0] == "reset"


def _answer(workers: SharedWorkers, operation: str, argument: Any) -> Any:
    if operation == STEP:
        workers.begin_steps([0], [argument])
        steps = workers.finish_steps([0])
        answer = steps.failures[0] if steps.failures else exact_result(steps, 0)
    else:
        workers.begin_calls([0], operation, [argument])
        answer = workers.finish_calls([0])[0]
    if isinstance(answer, EnvFailure) and is_loss(answer):
        raise answer.raised()
    return answer
