"""Procgen's games in the library of procgen-mirror, called through the library's C interface, because gym3 needs numpy
below 2.
"""

from __future__ import annotations

import ctypes
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

UINT8, INT32 = 1, 2
"""The library's numbers of element types."""

MODES = {"easy": 0, "hard": 1, "extreme": 2, "memory": 10}

HAS_LIBRARY = find_spec("procgen") is not None


class Option(ctypes.Structure):
    """The library's `libenv_option`."""

    _fields_ = (
        ("name", ctypes.c_char * 128),
        ("dtype", ctypes.c_int),
        ("count", ctypes.c_int),
        ("data", ctypes.c_void_p),
    )


class Options(ctypes.Structure):
    """The library's `libenv_options`."""

    _fields_ = (("items", ctypes.POINTER(Option)), ("count", ctypes.c_int))


class Buffers(ctypes.Structure):
    """The library's `libenv_buffers`."""

    _fields_ = tuple((name, ctypes.c_void_p) for name in ("ob", "rew", "first", "info", "ac"))


def folder() -> Path:
    """Returns the folder of the installed package."""
    spec = find_spec("procgen")
    assert spec is not None and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


class Library:
    """Several environments of one game, like `procgen.ProcgenGym3Env`."""

    def __init__(self, num: int, env_name: str, rand_seed: int, distribution_mode: str, **options: Any) -> None:
        """Makes the environments.

        Args:
            num: number of environments.
            env_name: the game.
            rand_seed: seed of the streams of level seeds.
            distribution_mode: `"easy"`, `"hard"`, `"extreme"` or `"memory"`.
            options: further options of `ProcgenGym3Env`.
        """
        self._library = ctypes.CDLL(str(folder() / "data" / "prebuilt" / "libenv.so"))
        self._library.libenv_make.restype = ctypes.c_void_p
        self._library.libenv_make.argtypes = (ctypes.c_int, Options)
        values = {"num_levels": 0, "start_level": 0, "use_sequential_levels": False, "center_agent": True}
        values |= {"use_generated_assets": False, "use_monochrome_assets": False, "restrict_themes": False}
        values |= {"use_backgrounds": True, "paint_vel_info": False, **options}
        values |= {"env_name": env_name, "rand_seed": rand_seed, "distribution_mode": MODES[distribution_mode]}
        values |= {"num_actions": 15, "num_threads": 0, "debug_mode": 0, "render_human": False}
        values |= {"resource_root": str(folder() / "data" / "assets") + "/"}
        self._kept = [_option_data(value) for value in values.values()]
        items = [
            Option(name.encode(), INT32 if data.dtype == np.int32 else UINT8, data.size, data.ctypes.data)
            for name, data in zip(values, self._kept, strict=True)
        ]
        array = (Option * len(items))(*items)
        self._env = ctypes.c_void_p(self._library.libenv_make(num, Options(array, len(items))))
        self.rgb = np.zeros((num, 64, 64, 3), np.uint8)
        self.rewards = np.zeros(num, np.float32)
        self.firsts = np.zeros(num, np.uint8)
        self.prev_level_seed = np.zeros(num, np.int32)
        self.prev_level_complete = np.zeros(num, np.uint8)
        self.level_seed = np.zeros(num, np.int32)
        self._actions = np.zeros(num, np.int32)
        infos = _pointers(self.prev_level_seed, self.prev_level_complete, self.level_seed)
        self._pointers = (_pointers(self.rgb), infos, _pointers(self._actions))
        images, infos, actions = (pointers.ctypes.data for pointers in self._pointers)
        buffers = Buffers(images, self.rewards.ctypes.data, self.firsts.ctypes.data, infos, actions)
        self._library.libenv_set_buffers(self._env, ctypes.byref(buffers))
        self._library.libenv_observe(self._env)

    def step(self, actions: np.ndarray) -> None:
        """Steps all environments; results are in the attributes."""
        self._actions[:] = actions
        self._library.libenv_act(self._env)
        self._library.libenv_observe(self._env)

    def close(self) -> None:
        """Frees the environments."""
        self._library.libenv_close(self._env)


def _option_data(value: Any) -> np.ndarray:
    if isinstance(value, bool):
        return np.array([value], np.uint8)
    if isinstance(value, int):
        return np.array([value], np.int32)
    return np.frombuffer(value.encode(), np.uint8).copy()


def _pointers(*arrays: np.ndarray) -> np.ndarray:
    """Returns the addresses of all rows of the buffers, array by array."""
    return np.array([row.ctypes.data for array in arrays for row in (array[i : i + 1] for i in range(len(array)))])


def actions(num: int, steps: int, seed: int) -> np.ndarray:
    """Returns random actions `(steps, num)`, which are often repeated and often move the player to the right."""
    random = np.random.default_rng(seed)
    chosen = random.integers(0, 15, (steps, num))
    for step in range(1, steps):
        repeats = random.random(num) < 0.6
        chosen[step, repeats] = chosen[step - 1, repeats]
    rightwards = random.random((steps, num)) < 0.2
    chosen[rightwards] = random.choice([5, 6, 7, 8, 9], rightwards.sum())
    return chosen.astype(np.int32)
