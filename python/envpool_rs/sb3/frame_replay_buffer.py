"""Replay buffer for Stable-Baselines3 that stores each frame of stacked observations once."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from envpool_rs._arguments import integer
from envpool_rs._frame_ring import ZEROS, FrameRing
from envpool_rs._known_attributes import KnownAttributes, all_attributes

try:
    from stable_baselines3.common.buffers import ReplayBuffer
    from stable_baselines3.common.type_aliases import ReplayBufferSamples
except ImportError as error:
    raise ImportError("envpool_rs.sb3 needs Stable-Baselines3: pip install 'envpool_rs[sb3]'") from error


class FrameReplayBuffer(KnownAttributes, ReplayBuffer):  # type: ignore[misc, unused-ignore]
    """Stable-Baselines3's ``ReplayBuffer`` for observations that are stacks of frames: ``DQN("CnnPolicy", env,
    replay_buffer_class=FrameReplayBuffer)``.

    Samples equal those of ``ReplayBuffer``. For stacks of four frames, this buffer needs an eighth of its memory. Any
    environment whose observations are stacks along the first axis (``(4, 84, 84)``) may be used. If a stack does not
    continue the previous stack, for example after a reset, its frames are stored in addition.

    Attributes:
        frames: ring buffer of the stored frames.
    """

    frames: FrameRing
    pos: int
    full: bool
    actions: npt.NDArray[Any]
    rewards: npt.NDArray[Any]
    dones: npt.NDArray[Any]
    timeouts: npt.NDArray[Any]

    def __init__(
        self,
        buffer_size: int,
        observation_space: Any,
        action_space: Any,
        device: Any = "auto",
        n_envs: int = 1,
        optimize_memory_usage: bool = False,
        handle_timeout_termination: bool = True,
        stack_num: int = 4,
    ) -> None:
        """Allocates the buffer.

        Args:
            buffer_size: number of steps, of all environments together.
            observation_space: a ``Box`` whose first axis is that of frames, the oldest first.
            action_space: as for ``ReplayBuffer``.
            device: as for ``ReplayBuffer``.
            n_envs: number of environments of the vector environment.
            optimize_memory_usage: must be false; this class uses less memory.
            handle_timeout_termination: as for ``ReplayBuffer``.
            stack_num: number of frames of a stack.

        Raises:
            ValueError: for an observation space without stacks of this size, and for ``optimize_memory_usage``.
            TypeError: for a ``stack_num`` that is not an int.
        """
        if optimize_memory_usage:
            raise ValueError("optimize_memory_usage=True: expected False; FrameReplayBuffer uses less memory")
        shape = getattr(observation_space, "shape", None)
        depth = integer("stack_num", stack_num, 1)
        if not shape or shape[0] % depth:
            raise ValueError(
                f"observation_space={observation_space}: expected a Box whose first axis holds stack_num={depth} frames"
            )
        # The base class allocates observations of one step only, because frames replace its arrays of observations.
        with all_attributes(self):
            super().__init__(n_envs, observation_space, action_space, device, n_envs, False, handle_timeout_termination)
        self.buffer_size = max(buffer_size // n_envs, 1)
        self.actions, self.rewards, self.dones, self.timeouts = (
            np.zeros((self.buffer_size, *each.shape[1:]), each.dtype)
            for each in (self.actions, self.rewards, self.dones, self.timeouts)
        )
        del self.observations, self.next_observations
        frame = (shape[0] // depth, *shape[1:])
        self.frames = FrameRing(self.buffer_size + depth, n_envs, frame, observation_space.dtype, depth, joins=True)
        self._sources = np.zeros((self.buffer_size, n_envs, depth), np.int64)
        self._next_sources = np.zeros_like(self._sources)
        # `_last` has the stacks after the last step; the next attribute has their frame numbers.
        self._last: npt.NDArray[Any] | None = None
        self._last_sources = np.zeros((n_envs, depth), np.int64)
        self._time = 0

    @property
    def nbytes(self) -> int:
        """Number of bytes of all arrays of the buffer."""
        arrays = (self.actions, self.rewards, self.dones, self.timeouts, self._sources, self._next_sources)
        return self.frames.nbytes + sum(each.nbytes for each in arrays)

    def add(
        self,
        obs: npt.NDArray[Any],
        next_obs: npt.NDArray[Any],
        action: npt.NDArray[Any],
        reward: npt.NDArray[Any],
        done: npt.NDArray[Any],
        infos: list[dict[str, Any]],
    ) -> None:
        """Adds a step of all environments; the arguments are those of ``ReplayBuffer.add``."""
        depth, frame = self.frames.stack_num, self.frames.frames.shape[2:]
        stacks = np.asarray(obs).reshape(self.n_envs, depth, *frame)
        following = np.array(next_obs).reshape(self.n_envs, depth, *frame)
        row = (self._time + 1) % len(self.frames.frames)
        self.frames.forget(row)
        sources = self._sources_of(stacks, row)
        self._time += 1
        self.frames.frames[row] = following[:, -1]
        next_sources = np.concatenate([sources[:, 1:], np.full((self.n_envs, 1), self._time)], axis=1)
        for env in np.flatnonzero(~_are_equal(following[:, :-1], stacks[:, 1:])).tolist():
            next_sources[env, :-1] = self._add_stack(following[env], row)[:-1]
        self._sources[self.pos], self._next_sources[self.pos] = sources, next_sources
        self._last, self._last_sources = following, next_sources
        self.actions[self.pos] = action.reshape((self.n_envs, self.action_dim))
        self.rewards[self.pos], self.dones[self.pos] = reward, done
        if self.handle_timeout_termination:
            self.timeouts[self.pos] = [info.get("TimeLimit.truncated", False) for info in infos]
        self.pos += 1
        if self.pos == self.buffer_size:
            self.full, self.pos = True, 0

    def _sources_of(self, stacks: npt.NDArray[Any], row: int) -> npt.NDArray[np.int64]:
        """Returns the frame numbers of the stacks before a step: those of the stacks after the last step, unless a
        reset has changed the stacks.
        """
        sources: npt.NDArray[np.int64] = self._last_sources.copy()
        known = np.zeros(self.n_envs, np.bool_) if self._last is None else _are_equal(self._last, stacks)
        for env in np.flatnonzero(~known).tolist():
            sources[env] = self._add_stack(stacks[env], row)
        return sources

    def _add_stack(self, stack: npt.NDArray[Any], row: int) -> list[int]:
        """Stores the frames of a stack as extra frames, equal frames only once; returns the frame numbers."""
        numbers: list[int] = []
        for place, frame in enumerate(stack):
            if place and np.array_equal(frame, stack[place - 1]):
                numbers.append(numbers[-1])
            elif not frame.any():
                numbers.append(ZEROS)
            else:
                numbers.append(self.frames.add_extra(row, frame.copy()))
        return numbers

    def _get_samples(self, batch_inds: npt.NDArray[Any], env: Any = None) -> ReplayBufferSamples:
        envs = np.random.randint(0, high=self.n_envs, size=(len(batch_inds),))
        obs, next_obs = (
            self._normalize_obs(self.frames.stacks(sources[batch_inds, envs], envs, self._time), env)
            for sources in (self._sources, self._next_sources)
        )
        dones = self.dones[batch_inds, envs] * (1 - self.timeouts[batch_inds, envs])
        rewards = self._normalize_reward(self.rewards[batch_inds, envs].reshape(-1, 1), env)
        parts = (obs, self.actions[batch_inds, envs], next_obs, dones.reshape(-1, 1), rewards)
        return ReplayBufferSamples(*map(self.to_torch, parts))


def _are_equal(stacks: npt.NDArray[Any], others: npt.NDArray[Any]) -> npt.NDArray[np.bool_]:
    equal: npt.NDArray[np.bool_] = (stacks == others).reshape(len(stacks), -1).all(axis=1)
    return equal
