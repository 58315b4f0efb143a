"""Generates random programs of valid and invalid calls, to compare pools with different backends."""

import numpy as np

NUM_ENVS = 4
CALLS = {"step": 0.38, "send": 0.2, "recv": 0.2, "reset": 0.1, "masked": 0.07, "async_reset": 0.03, "closed": 0.02}


def random_call(rng, *, takes_ids=True, odd_actions=True):
    """Returns the name and arguments of a random call, which may be invalid."""
    ids = rng.permutation(NUM_ENVS)[: rng.integers(0, NUM_ENVS + 1)]
    if rng.random() < 0.05:
        ids = rng.integers(-1, NUM_ENVS + 1, 3)
    env_id = None if rng.random() < 0.4 else ids
    count = NUM_ENVS if env_id is None else len(ids)
    actions = rng.integers(0, 2, count + (rng.random() < 0.05)) + 2 * (rng.random(1) < 0.03 * odd_actions)
    mask = rng.random(NUM_ENVS) < 0.5
    seed = [None, 5, [int(each) for each in rng.integers(-1, 99, NUM_ENVS)]][rng.integers(0, 3)]
    name = rng.choice(list(CALLS), p=list(CALLS.values()))
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


def assert_any_order_comes_to_the_same(pool, twin, program, same, **how):
    """Runs the same random program of calls on two pools with equal environments, seeds and options.

    The results are compared by ``same``.
    """
    rng = np.random.default_rng(program)
    results = 0
    for step in range(150):
        call = random_call(rng, **how)
        got, expected = outcome(pool, *call), outcome(twin, *call)
        same(got, expected, f"call {step}: {call}")
        results += isinstance(expected, tuple) and not isinstance(expected[-1], str)
    assert results > 20
