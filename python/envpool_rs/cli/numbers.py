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
