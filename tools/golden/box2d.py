"""Records digests of runs of gymnasium's Box2D environments in tests/data/box2d.json.

Run it with gymnasium 1.4.0, the wheel box2d 2.3.10 and pygame-ce: python tools/golden/box2d.py
"""

import hashlib
import json
from pathlib import Path

import numpy as np

#: The recorded runs: task, options, number of steps.
RUNS = [
    ("LunarLander-v3", {}, 400),
    ("LunarLander-v3", {"gravity": -4.0, "enable_wind": True}, 400),
    ("LunarLanderContinuous-v3", {}, 300),
    ("BipedalWalker-v3", {}, 300),
    ("BipedalWalkerHardcore-v3", {}, 300),
    ("CarRacing-v3", {}, 60),
]
SEED, COUNT, EVERY = 3, 3, 50
#: Pixels of the reward that CarRacing draws, which are not compared, because this package uses another font.
NUMBER = (slice(None), slice(87, 93), slice(0, 14))
DATA = Path(__file__).parents[2] / "tests" / "data" / "box2d.json"


def trace(env, steps):
    """Returns truncated digests of observations, rewards and ends at a fixed interval of steps."""
    random, digest, traces = np.random.default_rng(9), hashlib.sha256(), []
    space = env.single_action_space
    env.reset(seed=SEED)
    for step in range(1, steps + 1):
        if hasattr(space, "n"):
            action = random.integers(0, space.n, COUNT)
        else:
            action = random.uniform(space.low, space.high, (COUNT, *space.shape)).astype(np.float32)
        observation, reward, terminated, truncated = env.step(action)[:4]
        observation = np.array(observation)
        if observation.ndim == 4:
            observation[NUMBER] = 0
        for part in (observation, np.asarray(reward, np.float64), terminated, truncated):
            digest.update(np.ascontiguousarray(part).tobytes())
        if step % EVERY == 0:
            traces.append(digest.hexdigest()[:32])
    return traces


if __name__ == "__main__":
    import gymnasium
    from gymnasium.vector import SyncVectorEnv

    runs = []
    for task, options, steps in RUNS:
        make = lambda task=task, options=options: gymnasium.make(task, disable_env_checker=True, **options)  # noqa: E731
        runs.append(
            {"task": task, "options": options, "steps": steps, "traces": trace(SyncVectorEnv([make] * COUNT), steps)}
        )
    DATA.write_text(json.dumps(runs, indent=1) + "\n")
