"""Writes src/numeric/random/ziggurat_tables.rs: the tables of numpy's normal and exponential draws.

The area under a density f(x), f(0) = 1, is covered by 256 strips of equal area v: strip 0 is the base with the tail beyond
x[255], strip i reaches from 0 to x[i] and from f(x[i]) to f(x[i-1]). The one value x[255] for which the topmost strip closes
exactly at f = 1 is found by bisection, in 60 digits.

numpy's exponential tables are the correctly rounded ones. Its normal tables were computed with rounded arithmetic: they
differ from the correct ones by up to 1 part in 10**14. Therefore, the derived tables only serve to find and check
numpy's tables, whose bits are read from numpy's shared library.

    python3 ziggurat_tables.py   # with numpy 2.4.6; then run cargo fmt
"""

import importlib.util
import pathlib
from decimal import Decimal, getcontext

import numpy as np

getcontext().prec = 60
TARGET = pathlib.Path(__file__).parents[2] / "src/numeric/random/ziggurat_tables.rs"
STRIPS = 256
ONE = Decimal(1)


def half_gaussian_area():
    """Returns sqrt(pi / 2), with pi from Machin's formula."""

    def arctan_of_inverse(n):
        total, power, k = Decimal(0), ONE / n, 0
        while abs(power) > Decimal("1e-65"):
            total += power / (2 * k + 1)
            power, k = -power / (n * n), k + 1
        return total

    pi = 16 * arctan_of_inverse(5) - 4 * arctan_of_inverse(239)
    return (pi / 2).sqrt()


class Normal:
    bits, unit, bracket = 52, 1, ("3.6", "3.7")
    whole = half_gaussian_area()

    @staticmethod
    def density(x):
        return (-x * x / 2).exp()

    @staticmethod
    def inverse(y):
        return (-2 * y.ln()).sqrt()

    @classmethod
    def tail(cls, r):
        """Returns the area beyond r: the whole area minus the Taylor series of the area before r."""
        total, term, k = Decimal(0), r, 0
        while abs(term) > Decimal("1e-62"):
            total += term / (2 * k + 1)
            k += 1
            term = -term * r * r / (2 * k)
        return cls.whole - total


class Exponential:
    # numpy stores the limits of 53-bit draws with 52 bits, so each limit is even.
    bits, unit, bracket = 53, 2, ("7.6", "7.8")

    @staticmethod
    def density(x):
        return (-x).exp()

    @staticmethod
    def inverse(y):
        return -y.ln()

    @staticmethod
    def tail(r):
        return (-r).exp()


def edges(law, r):
    """Returns the area of a strip and x[1..255]; None if the strips are too large to fit under f = 1."""
    height = law.density(r)
    area = r * height + law.tail(r)
    xs = [r]
    while len(xs) < STRIPS - 1:
        height += area / xs[-1]
        if height >= 1:
            return area, None
        xs.append(law.inverse(height))
    return area, xs[::-1]


def closing_edge(law):
    """Returns x[255] by bisection: if it is too small, the topmost strip rises above f = 1."""
    low, high = map(Decimal, law.bracket)
    for _ in range(190):
        middle = (low + high) / 2
        area, xs = edges(law, middle)
        too_small = xs is None or area / xs[0] + law.density(xs[0]) > 1
        low, high = (middle, high) if too_small else (low, middle)
    return high


def tables(law):
    """Returns the limits below which a draw is inside its strip, widths per unit of the draw, heights, and x[255]."""
    r = closing_edge(law)
    area, xs = edges(law, r)
    base = area / law.density(r)
    ratios = [r / base, Decimal(0)] + [inner / outer for inner, outer in zip(xs, xs[1:])]
    scale = Decimal(2) ** law.bits
    limits = [int(ratio * scale / law.unit) * law.unit for ratio in ratios]
    widths = [float(x / scale) for x in [base] + xs]
    heights = [1.0] + [float(law.density(x)) for x in xs]
    return limits, widths, heights, r


def as_numpy_has_it(derived, kind, library):
    """Returns the 256 consecutive numbers in numpy's shared library that agree with the derived table."""
    dtype = {"u64": np.uint64, "f64": np.float64}[kind]
    wanted = np.array(derived, np.float64)
    numbers = np.frombuffer(library, dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        # Searches the library for entry 255 first, so that only a few places need a comparison of all 256 entries.
        last = np.flatnonzero(np.abs(numbers.astype(np.float64) / wanted[-1] - 1) < 1e-13)
    runs = {numbers[i - STRIPS + 1 : i + 1].tobytes() for i in last if i >= STRIPS - 1}
    close = [
        run for run in runs if np.allclose(np.frombuffer(run, dtype).astype(np.float64), wanted, rtol=1e-13, atol=0)
    ]
    (run,) = close
    found = np.frombuffer(run, dtype).tolist()
    print(f"{sum(a != b for a, b in zip(found, derived)):3} of {STRIPS} entries differ from the correctly rounded ones")
    return found


def rust(name, doc, kind, values):
    digits = ", ".join(f"0x{value:x}" if kind == "u64" else repr(value) for value in values)
    return f"/// {doc}\npub static {name}: [{kind}; {STRIPS}] = [{digits}];\n"


def main():
    library = pathlib.Path(importlib.util.find_spec("numpy.random._generator").origin).read_bytes()
    library = library[: len(library) // 8 * 8]
    parts = [
        "//! The ziggurat tables of numpy's normal and exponential draws: generated data, written by\n"
        "//! `tools/golden/ziggurat_tables.py` (limits of length do not apply).\n"
    ]
    for law in (Normal, Exponential):
        name = law.__name__.upper()
        limits, widths, heights, r = tables(law)
        parts.append(
            f"/// Where the tail of the {name.lower()} density begins.\npub const {name}_TAIL: f64 = {float(r)!r};\n"
        )
        for suffix, doc, kind, derived in (
            ("LIMITS", "Draws below this lie inside their strip whatever their height.", "u64", limits),
            ("WIDTHS", "Length of one unit of the draw.", "f64", widths),
            ("HEIGHTS", "Density at the outer end of each strip.", "f64", heights),
        ):
            parts.append(rust(f"{name}_{suffix}", doc, kind, as_numpy_has_it(derived, kind, library)))
    TARGET.write_text("\n".join(parts))


if __name__ == "__main__":
    main()
