"""Generates random programs of valid and invalid calls, to compare pools with different backends."""

import envpool_rs
import numpy as np
from envpool_rs.recording import load

NUM_ENVS = 4
CALLS = {"step": 0.38, "send": 0.2, "recv": 0.2, "reset": 0.1, "masked": 0.07, "async_reset": 0.03, "closed": 0.02}
#: Calls for options of later episodes.
OPTION_CALLS = {
    "set_options": 0.06,
    "get_options": 0.04,
    "queue_resets": 0.06,
    "queued_resets": 0.03,
    "clear_resets": 0.01,
}


def random_call(rng, *, takes_ids=True, odd_actions=True, option=None):
    """Returns the name and arguments of a random call, which may be invalid. ``option``: an option of the task whose
    values may be from 1 to 12 and may be drawn, and which is set, too.
    """
    calls = CALLS if option is None else {**{name: 0.8 * share for name, share in CALLS.items()}, **OPTION_CALLS}
    ids = rng.permutation(NUM_ENVS)[: rng.integers(0, NUM_ENVS + 1)]
    if rng.random() < 0.05:
        ids = rng.integers(-1, NUM_ENVS + 1, 3)
    env_id = None if rng.random() < 0.4 else ids
    count = NUM_ENVS if env_id is None else len(ids)
    actions = rng.integers(0, 2, count + (rng.random() < 0.05)) + 2 * (rng.random(1) < 0.03 * odd_actions)
    mask = rng.random(NUM_ENVS) < 0.5
    seed = [None, 5, [int(each) for each in rng.integers(-1, 99, NUM_ENVS)]][rng.integers(0, 3)]
    name = rng.choice(list(calls), p=list(calls.values()))
    if name in OPTION_CALLS:
        low = float(rng.uniform(1, 6))
        value = ("uniform", low, 2 * low) if rng.random() < 0.3 else low
        ids = None if env_id is None else env_id.tolist()
        return {
            "set_options": ("set_options", (), {"env_ids": ids, option: value}),
            "queue_resets": ("queue_resets", (ids,), {"seeds": seed and 5, "options": {option: value}}),
        }.get(name, (str(name), (ids,), {}))
    resets = (env_id,) if takes_ids else ()
    arguments = {"step": (actions, env_id), "send": (actions, env_id), "reset": resets}.get(name, ())
    keywords = {"reset": {"seed": seed}, "masked": {"options": {"reset_mask": mask}}}.get(name, {})
    return "reset" if name == "masked" else str(name), arguments, keywords


def outcome(env, name, arguments, keywords):
    """Returns the result of a call, or the call's error as text."""
    try:
        result = getattr(env, name)
        return result(*arguments, **keywords) if callable(result) else result
    except (ValueError, IndexError, RuntimeError) as error:
        return type(error).__name__, str(error)


def assert_any_order_comes_to_the_same(pool, twin, program, same, folder=None, **how):
    """Runs the same random program of calls on two pools with equal environments, seeds and options.

    The results are compared by ``same``. With a ``folder``, both are recorded there; the recordings and the numbers of
    started episodes are compared, too.
    """
    rng = np.random.default_rng(program)
    paths = [] if folder is None else [folder / f"{program}-{number}" for number in range(2)]
    recordings = [envpool_rs.record(env, path) for env, path in zip((pool, twin), paths, strict=False)]
    [env.stats() for env in (pool, twin) if recordings]
    results = 0
    for step in range(150):
        call = random_call(rng, **how)
        got, expected = outcome(pool, *call), outcome(twin, *call)
        same(got, expected, f"call {step}: {call}")
        results += isinstance(expected, tuple) and not isinstance(expected[-1], str)
    assert results > 20
    if recordings:
        [recording.close() for recording in recordings]
        got, expected = (list(load(path).episodes()) for path in paths)
        assert len(got) == len(expected) > 0, (len(got), len(expected))
        for one, other in zip(got, expected, strict=True):
            same(vars(one), vars(other), f"episode of environment {other.env_id}")
        got, expected = pool.stats(), twin.stats()
        assert got.in_flight == expected.in_flight
        if not expected.in_flight:  # others may or may not have started their episodes
            np.testing.assert_array_equal(got.resets, expected.resets)
