"""``python benches/python out``: measures the CPU time of steps whose results are stored in a rollout buffer, by
``out=`` or by copies.
"""

from __future__ import annotations

import argparse
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import envpool_rs
import numpy as np

from envpool_bench.rounds import Loop, add_arguments, random_actions, run_tasks

if TYPE_CHECKING:
    from envpool_bench.arguments import Commands

KEYS = ("obs", "reward", "terminated", "truncated")
"""Keys of the results that are stored."""


def add_to(commands: Commands) -> None:
    """Adds the command ``out`` to the argument parser."""
    parser = commands.add_parser(
        "out",
        help="compare results written into arrays of the caller with copies of them",
        description="Measures the CPU time of a step() whose results are kept in a rollout, in alternating rounds.",
    )
    add_arguments(parser, steps=128, rounds=60)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Measures the step time of each task with each way to store results, and prints a table."""
    return run_tasks(options, _loops)


def _loops(task: str, num_envs: int, steps: int) -> dict[str, Loop]:
    """Returns loops of ``steps`` steps of one pool, by name: one for each way to store the results."""
    env: Any = envpool_rs.make_gymnasium(task, num_envs=num_envs, num_threads=1, seed=1)
    actions = random_actions(env.action_space, num_envs, steps)
    buffer = env.rollout_buffer(steps)
    env.reset(out=buffer)
    first = env.step(actions[0])
    copies = [np.zeros((steps, *array.shape), array.dtype) for array in first[:4]]
    rows = [{key: array[t] for key, array in zip(KEYS, copies, strict=True)} for t in range(steps)]

    def step() -> None:
        for each in actions:
            env.step(each)

    def rollout_buffer() -> None:
        buffer.restart()
        for each in actions:
            env.step(each, out=buffer)

    without_infos = env.rollout_buffer(steps, infos=False)
    without_infos.obs[0] = buffer.obs[0]

    def rollout_buffer_without_infos() -> None:
        without_infos.restart()
        for each in actions:
            env.step(each, out=without_infos)

    one_row = env.rollout_buffer(1)
    one_row.obs[0] = buffer.obs[0]

    def same_row() -> None:
        for each in actions:
            one_row.restart()
            env.step(each, out=one_row)

    def dicts_of_views() -> None:
        for t, each in enumerate(actions):
            env.step(each, out=rows[t])

    def dicts_of_new_views() -> None:
        obs, reward, terminated, truncated = copies
        for t, each in enumerate(actions):
            out = {"obs": obs[t], "reward": reward[t], "terminated": terminated[t], "truncated": truncated[t]}
            env.step(each, out=out)

    def numpy_copies() -> None:
        for t, each in enumerate(actions):
            for array, part in zip(copies, env.step(each), strict=False):
                array[t] = part

    loops = {
        "step": step,
        "step again": step,
        "out=buffer": rollout_buffer,
        "out=buffer without infos": rollout_buffer_without_infos,
        "out=buffer, always row 0": same_row,
        "out=rows[t]": dicts_of_views,
        "out={key: array[t]}": dicts_of_new_views,
        "array[t] = ... of numpy": numpy_copies,
    }
    return {**loops, **_torch_loops(env, actions, copies)}


def _torch_loops(env: Any, actions: list[Any], copies: list[Any]) -> dict[str, Loop]:
    if find_spec("torch") is None:
        return {}
    import torch

    torch.set_num_threads(1)
    tensors = [torch.from_numpy(array) for array in copies]

    def torch_copies() -> None:
        for t, each in enumerate(actions):
            for tensor, part in zip(tensors, env.step(each), strict=False):
                tensor[t].copy_(torch.from_numpy(part))

    return {"array[t].copy_ of torch": torch_copies}
