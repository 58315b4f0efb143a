"""``FrameMemory``: a memory for rollouts and replay that stores each frame once and assembles stacks from frames."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from envpool_rs._arguments import array, integer, optional_integer
from envpool_rs._errors import PendingCallError
from envpool_rs._known_attributes import KnownAttributes

__all__ = ["FrameMemory", "Transitions"]

_RESULTS = ("obs", "reward", "terminated", "truncated")  # keys of the results that a memory stores
MAX_SAMPLES = 2**40  # largest number of steps that a call of `FrameMemory.sample` draws, if they fit into memory

ZEROS = -1  # frame number of a frame of zeros, with which stacks are padded
_FIRST_EXTRA = -2  # frame number of the first extra frame; later ones count down


class FrameRing:
    """Frames ``(rows, num_envs, ...)`` of several environments, each stored once.

    A frame number of 0 or more is a time; its frames are in row ``time % rows``. A negative number is a frame of zeros
    or an extra frame: a frame that is in no row, such as the last frame of an episode that was reset in the same step.

    With ``joins``, stacks join their ``stack_num`` frames along a frame's first axis, like EnvPool's; otherwise stacks
    have an additional first axis.
    """

    def __init__(
        self, rows: int, num_envs: int, frame_shape: tuple[int, ...], dtype: Any, stack_num: int, joins: bool
    ) -> None:
        self.frames = np.zeros((rows, num_envs, *frame_shape), dtype)
        self.stack_num, self.joins = stack_num, joins
        self._extras: dict[int, npt.NDArray[Any]] = {}
        self._extras_of_row: dict[int, list[int]] = {}
        self._next_extra = _FIRST_EXTRA

    @property
    def nbytes(self) -> int:
        """Number of bytes of all frames."""
        return self.frames.nbytes + sum(frame.nbytes for frame in self._extras.values())

    def add_extra(self, row: int, frame: npt.NDArray[Any]) -> int:
        """Stores an extra frame until row ``row`` of the ring is reused; returns the frame's number."""
        number, self._next_extra = self._next_extra, self._next_extra - 1
        self._extras[number] = frame
        self._extras_of_row.setdefault(row, []).append(number)
        return number

    def free_extra(self, row: int, number: int) -> None:
        """Frees an extra frame that belongs to a row of the ring, because no stack contains it."""
        self._extras_of_row[row].remove(number)
        del self._extras[number]

    def forget(self, row: int) -> None:
        """Frees the extra frames that belong to a row of the ring, which is about to be reused."""
        for number in self._extras_of_row.pop(row, ()):
            del self._extras[number]

    def stacks(self, sources: npt.NDArray[np.int64], envs: npt.NDArray[Any], time: int) -> npt.NDArray[Any]:
        """Returns copies of stacks with frame numbers ``(m, stack_num)``, oldest first, of environments ``(m,)``."""
        rows = len(self.frames)
        oldest = int(sources[sources >= 0].min(initial=time))
        if oldest <= time - rows:
            raise RuntimeError(f"a stack contains the frame of time {oldest}, which newer frames have replaced")
        stacks = self.frames[sources % rows, envs[:, None]]
        if (sources < 0).any():
            stacks[sources == ZEROS] = 0
            for index, place in np.argwhere(sources <= _FIRST_EXTRA).tolist():
                stacks[index, place] = self._extras[int(sources[index, place])]
        return self.joined(stacks)

    def joined(self, stacks: npt.NDArray[Any]) -> npt.NDArray[Any]:
        shape = len(stacks), self.stack_num * stacks.shape[2], *stacks.shape[3:]
        return stacks.reshape(shape) if self.joins else stacks


class Transitions(NamedTuple):
    """Steps of single environments, one per row, as ``FrameMemory.sample`` returns them.

    ``obs`` and ``next_obs`` are stacks of frames ``(m, ...)`` before and after the steps. ``terminated`` ``(m,)`` is
    false for truncated steps, whose ``next_obs`` is the episode's last stack.
    """

    obs: npt.NDArray[Any]
    action: npt.NDArray[Any]
    reward: npt.NDArray[Any]
    terminated: npt.NDArray[np.bool_]
    next_obs: npt.NDArray[Any]


class FrameMemory(KnownAttributes):
    """Ring buffer of the last ``steps`` steps of a synchronous pool of ``make``, ``make_gymnasium`` or ``make_vec``
    with ``stack_once=True``: frames, actions, rewards and ends.

    Environments write each frame into the memory, once. The stacks of frames equal the observations of the same pool
    without ``stack_once``, also after ends of episodes, and in every autoreset mode. ``seed`` seeds the random draws of
    ``sample``.

    Observations have consecutive times: the first is 0, and a step goes from time ``t`` to ``t + 1``. In each array,
    row ``t % len(frames)`` belongs to time ``t``; in ``action``, ``reward``, ``terminated`` and ``truncated``, this row
    belongs to the step from time ``t`` to ``t + 1``.

    Attributes:
        env: the pool.
        steps: number of steps of each environment that can be read.
        stack_num: number of frames of a stack.
        time: time of the newest observation; -1 before the first reset.
        frames: the newest frame of each observation, ``(rows, n, ...)``.
        action, reward, terminated, truncated: actions and results of the steps, ``(rows, n, ...)``.
        is_step: bool ``(rows, n)``: false for steps that only reset the environment.
    """

    env: Any
    steps: int
    stack_num: int
    time: int
    frames: npt.NDArray[Any]
    action: npt.NDArray[Any]
    reward: npt.NDArray[Any]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]
    is_step: npt.NDArray[np.bool_]

    def __init__(self, env: Any, steps: int, seed: int | None = None) -> None:
        integer("steps", steps, 1)
        self._random = np.random.default_rng(optional_integer("seed", seed, 0))
        self.env = env
        config = getattr(env, "config", None)
        if not isinstance(config, Mapping) or config.get("stack_once") is not True:
            raise ValueError(f"env={type(env).__name__}: expected a pool of Atari or ViZDoom made with stack_once=True")
        if env.is_async:
            raise ValueError("env.batch_size is below num_envs: expected a pool that steps all environments at once")
        arrays = env.rollout_buffer(1).arrays
        if tuple(name for name in arrays if name != "info") != _RESULTS:
            raise ValueError(f"env={type(env).__name__}: expected a pool of make_gymnasium, make or make_vec")
        self.stack_num = integer("stack_num", config.get("stack_num") or config["stack_size"], 1)
        self._pads_with_zeros = config.get("padding_type") == "zero"
        self._mode = env.metadata["autoreset_mode"]
        frame, num_envs = arrays["obs"][0, 0], arrays["obs"].shape[1]
        row_bytes = num_envs * max(frame.nbytes, 8 * self.stack_num)
        self.steps = integer("steps", steps, 1, sys.maxsize // row_bytes - self.stack_num - 1)
        # One row more than the stacks of all readable times need: an unfinished call writes into it.
        self._rows = self.steps + self.stack_num + 1
        # EnvPool's stacks join frames along the first axis of a frame; gymnasium's stacks add an axis for the frames.
        self._ring = FrameRing(self._rows, num_envs, frame.shape, frame.dtype, self.stack_num, "stack_num" in config)
        self.frames = self._ring.frames
        self.reward, self.terminated, self.truncated = (
            np.zeros((self._rows, num_envs), arrays[name].dtype) for name in _RESULTS[1:]
        )
        self.action = np.zeros((self._rows, num_envs), np.int64)
        self.is_step = np.zeros((self._rows, num_envs), np.bool_)
        self.time = -1
        self._sources = np.zeros((self._rows, num_envs, self.stack_num), np.int64)  # frame numbers of the stacks
        self._next_sources = np.zeros_like(self._sources)
        self._ages = np.zeros(num_envs, np.int64)
        self._is_due = np.zeros(num_envs, np.bool_)  # environments whose next step only resets
        self._lanes = np.arange(num_envs)
        # Whether the last step was interrupted, so that `recv` may receive it; and the step's result, if it is known.
        self._is_interrupted = False
        self._result: Any = None

    @property
    def nbytes(self) -> int:
        """Number of bytes of all arrays of the memory."""
        steps = (self.action, self.reward, self.terminated, self.truncated, self.is_step)
        return self._ring.nbytes + sum(each.nbytes for each in (*steps, self._sources, self._next_sources))

    def reset(
        self, *, seed: Any = None, options: Mapping[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Resets the pool, by ``reset_mask`` in ``options`` only partly; returns stacks ``(n, ...)`` and infos."""
        following = (self.time + 1) % self._rows
        _, info = self.env.reset(seed=seed, options=options, out={"obs": self.frames[following]})
        self._is_interrupted, self._result = False, None
        mask = None if options is None else options.get("reset_mask")
        reset = np.ones(len(self._lanes), np.bool_) if mask is None else np.asarray(mask, np.bool_)
        row = max(self.time, 0) % self._rows
        replaced: dict[int, int] = {}
        if self.time >= 0:
            # The reset replaces the newest frames, which `next_obs` of the last steps still needs.
            for lane in np.flatnonzero(reset).tolist():
                replaced[lane] = self._ring.add_extra(row, self.frames[row, lane].copy())
                for sources in self._newest_sources(row, lane):
                    sources[sources == self.time] = replaced[lane]
            self.frames[row, reset] = self.frames[following, reset]
        self.time = max(self.time, 0)
        self._is_due &= ~reset
        self._push(self._sources[row], np.where(reset, info["stack_age"], self._ages), reset)
        for lane, number in replaced.items():
            if not any((sources == number).any() for sources in self._newest_sources(row, lane)):
                self._ring.free_extra(row, number)
        return self.stacks(), info

    def step(self, action: Any) -> tuple[npt.NDArray[Any], Any, Any, Any, dict[str, Any]]:
        """Steps all environments; returns stacks ``(n, ...)``, and all other results of the pool's ``step``.
        ``info["final_obs"]`` has stacks, too.

        Raises a ``RuntimeError`` before the first ``reset``, and ``gymnasium.error.AlreadyPendingCallError`` after an
        interrupted step, whose result ``recv`` receives.
        """
        if self.time < 0:
            raise RuntimeError("step(): the memory is empty; call reset first")
        if self._result is not None:
            raise PendingCallError("step(): the last step was interrupted; call recv or reset first")
        row, following = self.time % self._rows, (self.time + 1) % self._rows
        given = self._checked_action(action)
        result, deliveries = None, self.env._deliveries()
        try:
            result = self.env.step(action, out={"obs": self.frames[following]})
            self._store_action(row, given)
            return self._recorded(result)
        except PendingCallError:
            raise  # the row keeps the action of the pending step
        except BaseException:
            # Otherwise the step was refused.
            if self.env._deliveries() != deliveries or self.env._next_rows() is not None:
                self._store_action(row, given)
                self._is_interrupted, self._result = True, result
            raise

    def recv(self) -> tuple[npt.NDArray[Any], Any, Any, Any, dict[str, Any]]:
        """Receives and records the step that an interrupt (Ctrl-C) has interrupted; returns what ``step`` returns.
        Raises a ``RuntimeError`` without an interrupted step, and if one of its environments has failed.
        """
        if not self._is_interrupted:
            raise RuntimeError("recv(): no step was interrupted; call step")
        if self._result is None:
            self._result = self.env._recv_again()
        if len(self._result[0]) != len(self._lanes):
            raise RuntimeError("recv(): an environment of the interrupted step has failed; call reset")
        np.copyto(self.frames[(self.time + 1) % self._rows], self._result[0])
        return self._recorded(self._result)

    def _recorded(self, result: Any) -> tuple[npt.NDArray[Any], Any, Any, Any, dict[str, Any]]:
        """Records a step whose frames are in the memory; after an exception (Ctrl-C) it may be recorded again."""
        before = self.time, self._is_due, self._ages.copy()
        try:
            row, following = self.time % self._rows, (self.time + 1) % self._rows
            self._ring.forget(following)
            _, reward, terminated, truncated, info = result
            self.reward[row], self.terminated[row], self.truncated[row] = reward, terminated, truncated
            self.is_step[row] = ~self._is_due
            if self._mode is AutoresetMode.NEXT_STEP:
                self._is_due = (self.terminated[row] | self.truncated[row]) & ~self._is_due
            self.time += 1
            sources = self._sources[row].copy()
            ended = np.flatnonzero(info.get("_final_obs", ()))  # with a same-step autoreset
            if len(ended):
                finals = np.full(len(self._lanes), None, dtype=object)
                ages = info["final_info"]["stack_age"]
                for lane in ended.tolist():
                    if ages[lane] != self._ages[lane]:
                        extra = self._ring.add_extra(following, info["final_obs"][lane].copy())
                        sources[lane] = [*sources[lane, 1:], extra]
                    self._ages[lane] = ages[lane]
                    finals[lane] = self._ring.stacks(sources[lane][None], np.array([lane]), self.time)[0]
                info = {**info, "final_obs": finals}
            self._sources[following] = sources
            self._push(self._sources[following], info["stack_age"])
            self._next_sources[row] = self._sources[following]
            self._next_sources[row, ended] = sources[ended]
            recorded = self.stacks(), reward, terminated, truncated, info
            self._is_interrupted, self._result = False, None
            return recorded
        except BaseException:
            self.time, self._is_due, self._ages = before
            raise

    def _checked_action(self, action: Any) -> npt.NDArray[Any]:
        if isinstance(action, Mapping):
            if "action" not in action:
                raise ValueError(f'action has the keys {list(action)}: expected "action"')
            action = action["action"]
        given = array("action", action)
        if self.time > 0 and self.action.dtype.kind in "iu" and given.dtype.kind == "f":
            with np.errstate(invalid="ignore"):
                whole = given.astype(self.action.dtype)
            given = whole if (whole == given).all() else given
        if self.time > 0 and not self._holds(given):
            expected = f"those of the first step, {self.action.dtype} {self.action.shape[1:]}"
            raise ValueError(f"action has dtype {given.dtype} and shape {given.shape}: expected {expected}")
        return given

    def _holds(self, given: npt.NDArray[Any]) -> bool:
        return self.action.shape[1:] == given.shape and np.can_cast(given.dtype, self.action.dtype, "same_kind")

    def _store_action(self, row: int, given: npt.NDArray[Any]) -> None:
        if not self._holds(given):
            self.action = np.zeros((self._rows, *given.shape), given.dtype)
        self.action[row] = given

    def _push(self, sources: npt.NDArray[np.int64], ages: Any, reset: npt.NDArray[np.bool_] | bool = True) -> None:
        """Adds the number of the newest frame to the stacks ``sources`` of frame numbers ``(n, stack_num)``.

        ``ages`` are the numbers of frames since each stack was filled with one frame, ``(n,)``; an unchanged age means
        an unchanged stack. ``reset`` are the environments with a new frame, by default all.
        """
        ages = np.asarray(ages, np.int64)
        is_filled = (ages == 1) & reset
        is_new = is_filled | ((ages != self._ages) & reset)
        sources[is_new, :-1] = sources[is_new, 1:]
        sources[is_new, -1] = self.time
        sources[is_filled, :-1] = ZEROS if self._pads_with_zeros else self.time
        self._ages = ages.copy()

    def _newest_sources(self, row: int, lane: int) -> list[npt.NDArray[np.int64]]:
        """Returns the frame numbers of all stacks that may contain the newest frame of an environment."""
        last = [self._next_sources[(self.time - 1) % self._rows, lane]] if self.time > 0 else []
        return [self._sources[row, lane], *last]

    def stacks(self, times: Any = None, envs: Any = None) -> npt.NDArray[Any]:
        """Returns stacks of frames ``(m, ...)``, the oldest frame first, shaped as the observations of the pool without
        ``stack_once``: those of times ``(m,)``, among the last ``steps + 1``, in environments ``(m,)``.

        Without arguments, returns the newest observations: a view of the memory if no episode has just started and the
        frames are consecutive rows, otherwise a copy. A view changes if a reset replaces the newest frames, or if later
        steps overwrite the frames in a full memory. Raises a ``RuntimeError`` before the first ``reset``, an
        ``IndexError`` for a time or an environment out of range, and a ``ValueError`` for arrays of different lengths.
        """
        if self.time < 0:
            raise RuntimeError("stacks(): the memory is empty; call reset first")
        if times is None and envs is None:
            row, depth = self.time % self._rows, self.stack_num
            sources = self._sources[row]
            if row >= depth - 1 and (sources == np.arange(self.time - depth + 1, self.time + 1)).all():
                return self._ring.joined(self.frames[row - depth + 1 : row + 1].swapaxes(0, 1))
            return self._ring.stacks(sources, self._lanes, self.time)
        chosen, lanes = self._indices(times, envs)
        return self._ring.stacks(self._sources[chosen % self._rows, lanes], lanes, self.time)

    def _indices(self, times: Any, envs: Any) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        chosen, lanes = array("times", times), array("envs", envs)
        first = max(0, self.time - self.steps)
        for name, each, least, most in (("times", chosen, first, self.time), ("envs", lanes, 0, len(self._lanes) - 1)):
            if each.ndim != 1 or (each.dtype.kind not in "iu" and len(each)):
                raise ValueError(f"{name} has dtype {each.dtype} and shape {each.shape}: expected integers (m,)")
            wrong = np.flatnonzero((each < least) | (each > most))
            if len(wrong):
                raise IndexError(f"{name}[{wrong[0]}]={each[wrong[0]]}: expected {least} to {most}")
        if chosen.shape != lanes.shape:
            raise ValueError(f"times has shape {chosen.shape} and envs {lanes.shape}: expected the same")
        return chosen.astype(np.int64), lanes.astype(np.int64)

    def transitions(self, times: Any, envs: Any) -> Transitions:
        """Returns the steps that start at times ``(m,)``, among the last ``steps``, in environments ``(m,)``.

        Raises a ``RuntimeError`` before the first ``reset``, an ``IndexError`` for a time or an environment out of
        range, and a ``ValueError`` for arrays of different lengths and for a step that only reset its environment.
        """
        if self.time < 0:
            raise RuntimeError("transitions(): the memory is empty; call reset first")
        chosen, lanes = self._indices(times, envs)
        if (chosen == self.time).any():
            raise IndexError(f"times has the newest time, {self.time}: expected less, times of completed steps")
        rows = chosen % self._rows
        if not self.is_step[rows, lanes].all():
            index = np.flatnonzero(~self.is_step[rows, lanes])[0]
            raise ValueError(f"times[{index}]={chosen[index]}: environment {lanes[index]} was only reset; see is_step")
        stacks, next_stacks = (
            self._ring.stacks(sources[rows, lanes], lanes, self.time) for sources in (self._sources, self._next_sources)
        )
        steps = (column[rows, lanes] for column in (self.action, self.reward, self.terminated))
        return Transitions._make((stacks, *steps, next_stacks))

    def sample(self, count: int) -> Transitions:
        """Draws ``count`` stored steps uniformly, with replacement; raises a ``RuntimeError`` if there is none."""
        count = integer("count", count, 1, MAX_SAMPLES)
        first = max(0, self.time - self.steps)
        rows = np.arange(first, max(self.time, 0)) % self._rows
        if not self.is_step[rows].any():
            raise RuntimeError("sample(): the memory has no completed step; call reset and step first")
        times, lanes = np.zeros(0, np.int64), np.zeros(0, np.int64)
        while len(times) < count:
            some = self._random.integers(first, self.time, count)
            envs = self._random.integers(len(self._lanes), size=count)
            good = self.is_step[some % self._rows, envs]
            times, lanes = np.concatenate([times, some[good]]), np.concatenate([lanes, envs[good]])
        return self.transitions(times[:count], lanes[:count])
