"""Writes numpy's random draws to tests/data/random.json; src/numeric/random/tests compares its own draws with them.

    python3 random_streams.py   # with numpy 2.4.6

The file has a seed for each stream, a list of calls (method, arguments), and the bits of each call's result: integers
as int64 and floats as float64, reinterpreted as unsigned integers. A long stream is one call repeated. Long results are
summarised by `checksum`.
"""

import json
import pathlib

import numpy as np

TARGET = pathlib.Path(__file__).parents[2] / "tests/data/random.json"
SEEDS = [0, 1, 2, 42, 123, 2**31, 2**32 - 1, 2**32, 2**32 + 1, 2**53, 2**63 - 1, 2**64 - 1]
COUNTS = [1, 2, 3, 5, 255, 256, 2**31, 2**31 + 1, 2**32 - 1, 2**32, 2**32 + 1, 3 * 2**61, 2**63 - 1]
WEIGHTS = [0.125, 0.0, 0.5, 0.25, 0.125, 0.0]
UNEVEN = [0.1, 0.2, 0.3, 0.4]
NORMALS = [["standard_normal"], ["normal", -1.5, 0.25], ["standard_exponential"], ["exponential", 2.5]]
LONG = 50_000


def bits(values):
    values = np.atleast_1d(values)
    kind = np.float64 if values.dtype.kind == "f" else np.int64
    return values.astype(kind, casting="unsafe").view(np.uint64).tolist()


def checksum(words):
    """Returns the sum of the words weighted by 1, 3, 5, ..., modulo 2**64, which depends on the order of the words."""
    words = np.asarray(words, np.uint64)
    return int((words * (2 * np.arange(len(words), dtype=np.uint64) + np.uint64(1))).sum(dtype=np.uint64))


def integers_of(dtype):
    return lambda rng, low, high: rng.integers(low, high, dtype=dtype, endpoint=True)


def fill_of(dtype):
    return lambda rng, size, low, high: rng.integers(low, high, size=size, dtype=dtype, endpoint=True)


def shuffled(rng, count):
    items = list(range(count))
    rng.shuffle(items)
    return items


DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
SPECIAL = {
    "random_f32": lambda rng: rng.random(dtype=np.float32),
    "choice_weighted": lambda rng, p: rng.choice(len(p), p=p),
    "choice_without_replacement": lambda rng, count, size: rng.choice(count, size, replace=False),
    "shuffle": shuffled,
    "random_integers": lambda rng, low, high: rng.randint(low, high + 1),
    **{dtype: integers_of(dtype) for dtype in DTYPES},
    **{f"fill_{dtype}": fill_of(dtype) for dtype in DTYPES},
}


def draw(rng, call):
    name, *arguments = call
    return SPECIAL[name](rng, *arguments) if name in SPECIAL else getattr(rng, name)(*arguments)


def stream(seed, rng, calls):
    answers = [bits(draw(rng, call)) for call in calls]
    return {"seed": seed, "bits": [answer if len(answer) <= 20 else [checksum(answer)] for answer in answers]}


def streams(make, calls):
    return {"calls": calls, "streams": [stream(seed, make(seed), calls) for seed in SEEDS]}


def long_stream(seed, rng, call):
    return {
        "seed": seed,
        "call": call,
        "count": LONG,
        "checksum": checksum([bits(draw(rng, call))[0] for _ in range(LONG)]),
    }


def generator_calls():
    """Returns calls of every method between 32-bit draws, which detect misuse of the generator's buffered 32 bits."""
    calls = [["random"], ["random_f32"], ["uniform", -0.05, 0.05], ["uniform", -1e300, 3.0]]
    for count in COUNTS:
        calls += [["integers", 0, count], ["integers", 0, 5], ["random"], ["integers", -3, 4]]
    calls += [["integers", -(2**63), 2**63 - 1], ["integers", -(2**62), 2**62 + 5]]
    for dtype in DTYPES:
        low, high = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
        for bounds in [low, high], [low, high - 1], [high - 2, high], [low, low + high // 2 + 1], [high, high]:
            calls += [[dtype, *bounds], ["integers", 0, 7], ["fill_" + dtype, 9, *bounds]]
    calls += NORMALS * 3
    calls += [
        ["choice", 1],
        ["choice", 9],
        ["choice_weighted", WEIGHTS],
        ["choice_weighted", UNEVEN],
        ["integers", 0, 3],
    ]
    for count, size in [(10, 10), (10, 3), (50, 1), (7, 0), (1, 1), (10_001, 4), (10_050, 202)]:
        calls += [["choice_without_replacement", count, size], ["integers", 0, 2**40]]
    return calls + [
        ["shuffle", 1],
        ["shuffle", 13],
        ["permutation", 2],
        ["permutation", 40],
        ["random"],
        ["integers", 0, 11],
    ]


def legacy_calls():
    calls = [["random_sample"], ["uniform", -0.05, 0.05]]
    for count in COUNTS:
        calls += [["randint", 0, count], ["randint", -3, 4]]
    calls += [["randint", -(2**63), 2**63 - 1], ["random_integers", 1, 6], ["random_integers", 4, 4]]
    calls += NORMALS * 3
    calls += [["choice", 1], ["choice", 9], ["choice_weighted", WEIGHTS], ["choice_weighted", UNEVEN]]
    for count, size in [(10, 10), (10, 3), (50, 1), (7, 0)]:
        calls += [["choice_without_replacement", count, size]]
    return calls + [["shuffle", 1], ["shuffle", 13], ["permutation", 2], ["permutation", 40], ["randint", 0, 2**40]]


def legacy(seed):
    """Returns a `RandomState`; a seed of more than 32 bits, which numpy refuses, becomes a list of two words."""
    return np.random.RandomState(seed if seed < 2**32 else [seed % 2**32, seed >> 32])


def sequences():
    entropies = [
        [0],
        [1],
        [42],
        [2**32 - 1],
        [2**32],
        [2**64 - 1],
        [0, 0],
        [1, 2, 3],
        [7, 2**40, 0, 9, 2**33],
        [*range(12)],
    ]
    for entropy in entropies:
        for key in [], [0], [3, 2**35]:
            sequence = np.random.SeedSequence(entropy, spawn_key=key)
            u32, u64 = sequence.generate_state(9), sequence.generate_state(9, np.uint64)
            yield {"entropy": entropy, "spawn_key": key, "u32": u32.tolist(), "u64": u64.tolist()}


def main():
    long_calls = [["random"], ["integers", 0, 3], ["integers", 0, 3 * 2**61], ["uint8", 0, 200], *NORMALS]
    long_legacy = [["random_sample"], ["randint", 0, 5], ["randint", 0, 2**33], *NORMALS]
    words = [[0], [5, 6, 7], [*range(700)]]
    data = {
        "sequences": list(sequences()),
        "generator": streams(np.random.default_rng, generator_calls()),
        "generator_long": [long_stream(7, np.random.default_rng(7), call) for call in long_calls],
        "legacy": streams(legacy, legacy_calls()),
        "legacy_long": [long_stream(7, legacy(7), call) for call in long_legacy],
        "legacy_words": [{"words": w, "bits": bits(np.random.RandomState(w).random_sample(5))} for w in words],
    }
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(json.dumps(data, separators=(",", ":")).replace("},{", "},\n{") + "\n")


if __name__ == "__main__":
    main()
