"""Tests an environment with snapshots that have wrong bytes and valid checksums."""

import zlib

import numpy as np


def play_damaged(env, action, times=300):
    """Damages a snapshot of the pool's only environment ``times`` times, and steps from each damaged snapshot.

    The pool may reject a damaged snapshot, step it, or report a failure of the environment. Afterwards the undamaged
    snapshot must still work.
    """
    env.reset(seed=1)
    good = bytes(env.get_state()[0])
    random = np.random.default_rng(0)
    refused = 0
    for _ in range(times):
        damaged = bytearray(good)
        for place in random.integers(8, len(good), 2):
            damaged[place] = random.integers(256)
        damaged[4:8] = zlib.crc32(bytes(damaged[8:])).to_bytes(4, "little")
        try:
            env.set_state([bytes(damaged)])
            env.step(action)
        except ValueError:
            refused += 1
        except RuntimeError:
            env.reset(seed=1)
    assert refused > 0
    env.set_state([good])
    env.step(action)
