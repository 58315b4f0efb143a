"""Drives an `EnvHost` through the client that pools use, and reads the words of replies in the shared memory."""

import os
import pickle
import struct

import numpy as np
from envpool_rs._core import WorkerClient, Workers

HEADER, LINE, SLOT = 192, 64, 4096
"""Sizes in bytes in the shared block: the header, the line of a worker or environment, and a slot for a message."""

PAGE, SPILL, SPILL_BYTES = 1 << 16, 1 << 40, 1 << 32
"""Alignment of the rows in the shared block: a page. Long messages have separate ranges."""

OPERATION, FLAGS, REWARD, REPLY_BYTES, ENDS = 4, 12, 16, 40, 48
"""Offsets in bytes of the fields in an environment's line of the shared block."""

FINAL, CALL, FINAL_IN_ROW, PLAIN_INFO = 16, 128, 256, 512


class NoProcesses:
    """Process supervisor for a block without processes; it reports the workers in ``dead`` as ended."""

    def __init__(self):
        self.dead = []

    def lost(self, known):
        return next(((worker, "it was killed", b"") for worker in self.dead if worker not in known), None)

    def failure(self, env_id, payload, text, losses):
        return env_id, payload, text, losses

    def rebuilt(self, env_id, payload, text, losses, advice):
        return RuntimeError(f"environment {env_id}: {text}")

    def close_request(self):
        return None

    def end(self, seconds, replies):
        return []


class HostClient:
    """Sends requests to the environments of a block.

    Attributes:
        processes: the supervisor of the block's workers.
        failures: failures of the last `take`, by environment.
    """

    def __init__(self, block, host=None, leaves=(), dumps=pickle.dumps):
        self.block, self.processes, self.failures = block, NoProcesses(), {}
        workers = Workers(block, self.processes, host)
        self._client = WorkerClient(workers, block.num_envs, leaves=list(leaves), recovery=None, dumps=dumps)
        self._messages, self._infos = {}, {}

    def send_steps(self, ids, actions):
        self._client.send_steps(ids, actions)

    def send_resets(self, ids, seeds=None, keywords=None):
        self._client.send_resets(ids, seeds, keywords)

    def send_call(self, env_id, payload):
        self._client.send_calls([env_id], [payload])

    def wait(self, ids, count=None, seconds=None):
        """Returns the environments that have finished, in order of completion."""
        self._client.wait(ids, count, seconds)
        return self._client.completed(ids, count)

    def take(self, ids):
        """Takes the replies of environments.

        Returns leaves, rewards, terminated, truncated, flags, and the union of all flags.
        """
        envs = list(range(self.block.num_envs)) if ids is None else [env for env in ids if env < self.block.num_envs]
        lines = [self._line(env) for env in envs]
        messages = {env: self._read_message(env, line) for env, line in zip(envs, lines, strict=True)}
        flags = np.array([struct.unpack_from("=I", line, FLAGS)[0] for line in lines])
        for env, each in zip(envs, flags.tolist(), strict=True):
            if each & FINAL:  # clears the flags, because a client without autoreset expects no final observations
                self._write(env, FLAGS, each & ~(FINAL | FINAL_IN_ROW))
        if np.any(flags & CALL):
            assert self._client.take_values(ids) == list(messages.values())
            leaves, infos, self.failures = None, None, {}
        else:
            leaves, _, _, _, _, infos, _, self.failures, _ = self._client.take(ids)
        self._messages.update(messages)
        for row, env in enumerate(envs):
            self._infos[env] = infos[row] if infos is not None and flags[row] & PLAIN_INFO else {}
        rewards = np.array([struct.unpack_from("=d", line, REWARD)[0] for line in lines])
        terminated, truncated = np.array([[line[ENDS] != 0, line[ENDS + 1] != 0] for line in lines]).T
        return leaves, rewards, terminated, truncated, flags, int(np.bitwise_or.reduce(flags))

    def message(self, env_id):
        """Returns the message of an environment's last reply that was taken."""
        return self._messages[env_id]

    def infos(self, ids):
        """Returns the infos in the last taken replies; an empty dict for a reply whose info does not contain only
        numbers.
        """
        return [self._infos[env] for env in (range(self.block.num_envs) if ids is None else ids)]

    def set_operation(self, env_id, operation):
        """Replaces the operation of a request that was sent."""
        self._write(env_id, OPERATION, operation)

    def row(self, offset, dtype, count):
        """Reads ``count`` elements at byte ``offset`` of the rows in shared memory."""
        size = np.dtype(dtype).itemsize * count
        return np.frombuffer(os.pread(self.block.fd, size, self._rows + offset), dtype).tolist()

    def end(self):
        return self._client.end(0.0, False)

    def _offset(self, env_id):
        return HEADER + LINE * (self.block.num_workers + env_id)

    def _write(self, env_id, offset, word):
        os.pwrite(self.block.fd, struct.pack("=I", word), self._offset(env_id) + offset)

    def _line(self, env_id):
        return os.pread(self.block.fd, LINE, self._offset(env_id))

    @property
    def _slots(self):
        end = self._offset(self.block.num_envs) + 4 * self.block.num_envs
        return -(-end // 64) * 64

    @property
    def _rows(self):
        return -(-(self._slots + 2 * self.block.num_envs * SLOT) // PAGE) * PAGE

    def _read_message(self, env_id, line):
        (size,) = struct.unpack_from("=Q", line, REPLY_BYTES)
        slot = 2 * env_id + 1
        offset = self._slots + slot * SLOT if size <= SLOT else SPILL + slot * SPILL_BYTES
        return os.pread(self.block.fd, size, offset)
