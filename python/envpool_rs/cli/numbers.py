"""Numbers on the command line; argparse turns the errors into messages that name the option."""

from __future__ import annotations

import argparse
import math


def positive_int(text: str) -> int:
    """An integer from 1 on."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected an integer from 1 on")
    return int(text)


def positive_float(text: str) -> float:
    """A finite number above 0."""
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0 < number < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number above 0")
    return number


def positive_ints(text: str) -> list[int]:
    """Integers from 1 on, separated by commas; ``none`` for none."""
    return [] if text == "none" else [positive_int(part) for part in text.split(",")]


def shapes(text: str) -> list[tuple[int, int]]:
    """``environments/batch size`` of asynchronous pools, separated by commas; ``none`` for none."""
    return [] if text == "none" else [_shape(part) for part in text.split(",")]


def _shape(text: str) -> tuple[int, int]:
    num_envs, slash, batch_size = text.partition("/")
    if not slash or positive_int(batch_size) >= positive_int(num_envs):
        raise argparse.ArgumentTypeError(
            f"{text!r}: expected environments/batch size with a smaller batch, such as 1024/256"
        )
    return int(num_envs), int(batch_size)
