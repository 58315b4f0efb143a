"""Plays tasks of HighwayEnv in this package and in highway-env 1.12.1 side by side, and compares every number.

    echo '{"id": "highway-v0", "seeds": [0, 1], "config": {}, "episodes": 2}' | python highway_play.py

For each line, prints a JSON object with the numbers of compared steps and values, and the first difference, if any; or
with the error. `config` is the package's, and `own_id` is the task's id in this package, if it is another one. With
`"pictures": true`, pictures are compared, too. Each line is played in a forked process, because the package's
`IntersectionEnv` changes the behaviour of vehicles for a whole process, and imports take two seconds. `SETTING` makes
numpy's arithmetic independent of the processor.
"""

import json
import os
import signal
import sys
import traceback

import numpy as np

SETTING = {
    "OPENBLAS_CORETYPE": "Sandybridge",
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "OPENBLAS_NUM_THREADS": "1",
    "SDL_VIDEODRIVER": "offscreen",
}
"""Environment variables of the process that plays the package."""

LIMIT = 1200
"""Seconds after which a case is ended."""

MOST_STEPS = 1600
"""Steps after which an episode is left: a merging car that steers may turn in circles for ever."""


def leaves(value):
    """Returns the arrays of a nested value, in order."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in leaves(value[key])]
    if isinstance(value, tuple):
        return [leaf for part in value for leaf in leaves(part)]
    return [np.asarray(value)]


class Comparison:
    """Counts equal and different numbers. Signs of zeros count as equal, as do two NaN."""

    def __init__(self):
        self.values = self.different = self.steps = self.episodes = self.truncated = self.crashes = 0
        self.first = None

    def compare(self, place, ours, theirs):
        ours, theirs = (np.asarray(value, np.float64).ravel() for value in (ours, theirs))
        assert ours.shape == theirs.shape, (place, ours.shape, theirs.shape)
        different = ~((ours == theirs) | (np.isnan(ours) & np.isnan(theirs)))
        self.values += ours.size
        self.different += int(different.sum())
        if different.any() and self.first is None:
            at = np.flatnonzero(different)[:4]
            self.first = f"{place} at {at.tolist()}: {ours[at].tolist()} instead of {theirs[at].tolist()}"

    def observation(self, place, ours, theirs):
        # Agents are rows of one array here, and parts of a tuple in the package.
        ours = [row for leaf in leaves(ours) for row in leaf]
        theirs = leaves(theirs)
        assert len(ours) == len(theirs), place
        for number, (our, their) in enumerate(zip(ours, theirs, strict=True)):
            assert their.dtype in (our.dtype, np.int64), (place, our.dtype, their.dtype)
            self.compare(f"{place}, observation {number}", our, their)


def chooser(space, kind):
    """Returns a function that chooses the actions of an episode: random ones, or always the same."""
    if kind % 3 == 2:
        action = space.sample()
        return lambda: action
    return space.sample


def with_tuples(config):
    """Returns a configuration with tuples where the package needs them; JSON has none."""
    if not isinstance(config, dict):
        return config
    return {key: tuple(value) if key == "observation_shape" else with_tuples(value) for key, value in config.items()}


def batched(pool, action):
    """Returns the actions of a pool of one: a row for each agent."""
    return np.asarray(action if pool.spec.players > 1 else [action])


def compare_step(total, place, ours, theirs, env):
    """Compares the results of a step of a pool of one and of the package's environment `env`."""
    (mine, my_reward, my_terminated, my_truncated, my_info) = ours
    (observation, reward, terminated, truncated, info) = theirs
    total.observation(place, mine, observation)
    total.compare(f"{place}, reward", my_reward, np.broadcast_to(reward, my_reward.shape))
    if isinstance(terminated, tuple):
        total.compare(f"{place}, ends of agents", my_info["agents_terminated"][0], terminated)
        terminated = env.unwrapped._is_terminated()
    if "agents_rewards" in my_info:
        total.compare(f"{place}, rewards of agents", my_info["agents_rewards"][0], info["agents_rewards"])
    total.compare(f"{place}, ends", [my_terminated[0], my_truncated[0]], [terminated, truncated])
    for name in ("speed", "crashed", "is_success"):
        if name in info and name in my_info:
            total.compare(f"{place}, {name}", my_info[name][0], info[name])
    for name, part in info.get("rewards", {}).items():
        total.compare(f"{place}, {name}", my_info[name][0], part)
    if "action_mask" in my_info:
        kind = env.unwrapped.action_type
        masks = [
            np.isin(np.arange(each.space().n), each.get_available_actions())
            for each in getattr(kind, "agents_action_types", [kind])
        ]
        total.compare(f"{place}, mask", my_info["action_mask"][0], masks)
    return bool(terminated or truncated)


def compare_pictures(total, place, ours, theirs):
    """Compares the pictures of a pool of one and of the package's environment, if they have any."""
    if theirs.render_mode:
        total.compare(f"{place}, picture", ours.render()[0], theirs.render())


def play_seed(case, seed, total):
    """Plays the episodes of a seed: the first after a reset with the seed, the others on the same stream."""
    task, config = case["id"], case["config"]
    own = case.get("own_id", task)
    given = {"config": with_tuples(config)} if config else {}
    mode = "rgb_array" if case.get("pictures") else None
    theirs = gymnasium.make(task, disable_env_checker=True, **given)
    theirs.unwrapped.render_mode = mode  # which not all of its classes accept as an argument
    ours = envpool_rs.make_vec(own, 1, seed=seed, render_mode=mode, **given)
    space = theirs.action_space[0] if ours.spec.players > 1 else theirs.action_space
    assert str(ours.single_action_space) == str(space), (ours.single_action_space, space)
    action, ended = None, True
    for episode in range(case["episodes"]):
        if not ended:
            break
        theirs.action_space.seed(1000 * seed + episode)
        choose = chooser(theirs.action_space, seed + episode)
        observation, _ = theirs.reset(seed=seed if episode == 0 else None)
        mine = ours.reset(seed=seed)[0] if episode == 0 else ours.step(batched(ours, action))[0]
        place = f"{own}, seed {seed}, episode {episode}"
        total.observation(f"{place}, reset", mine, observation)
        compare_pictures(total, place, ours, theirs)
        for step in range(case.get("steps", MOST_STEPS)):
            action = choose()
            results = theirs.step(action)
            ended = compare_step(total, f"{place}, step {step}", ours.step(batched(ours, action)), results, theirs)
            compare_pictures(total, f"{place}, step {step}", ours, theirs)
            total.steps += 1
            if ended:
                total.truncated += bool(results[3])
                total.crashes += bool(results[4].get("crashed"))
                break
        total.episodes += 1
    theirs.close()
    ours.close()


def play(line):
    """Returns the result of a case."""
    total = Comparison()
    try:
        case = {"config": {}, "episodes": 2, **json.loads(line)}
        for seed in case["seeds"]:
            play_seed(case, seed, total)
    except BaseException:
        return {"error": traceback.format_exc()}
    return vars(total)


def main(answers):
    for line in sys.stdin:
        if not (child := os.fork()):
            signal.alarm(LIMIT)
            print(json.dumps(play(line)), file=answers, flush=True)
            os._exit(0)
        if status := os.waitpid(child, 0)[1]:
            print(json.dumps({"error": f"wait status {status}"}), file=answers, flush=True)


if __name__ == "__main__":
    # Other output must not be taken for an answer.
    answers, sys.stdout = sys.stdout, sys.stderr
    import envpool_rs
    import gymnasium
    import highway_env  # noqa: F401

    main(answers)
