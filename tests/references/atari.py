"""Makes ale-py's environment with gymnasium's wrappers, as the options of `ALE/<Game>-v5` select them."""

import gymnasium
from gymnasium.wrappers import AtariPreprocessing, FrameStackObservation, TimeLimit

#: names of the arguments of gymnasium's `AtariPreprocessing`
PREPROCESSING = (
    "noop_max",
    "frame_skip",
    "screen_size",
    "terminal_on_life_loss",
    "grayscale_obs",
    "grayscale_newaxis",
    "scale_obs",
)


class WithoutSeeds(gymnasium.Wrapper):
    """Wrapper that removes `seeds` from the info of a reset, because this package does not return it."""

    def reset(self, **arguments):
        observation, info = super().reset(**arguments)
        info.pop("seeds", None)
        return observation, info


def make(task_id, max_episode_steps=None, preprocessing=False, stack_size=None, padding_type="reset", **options):
    """Makes the environment with its wrappers; a time limit counts steps of the outermost wrapper."""
    import ale_py

    gymnasium.register_envs(ale_py)
    wrapping = {name: options.pop(name) for name in PREPROCESSING if name in options}
    env = WithoutSeeds(gymnasium.make(task_id, disable_env_checker=True, **options))
    if preprocessing:
        env = AtariPreprocessing(env, **wrapping)
    if stack_size is not None:
        env = FrameStackObservation(env, stack_size, padding_type=padding_type)
    return env if max_episode_steps is None else TimeLimit(env, max_episode_steps)
