"""A replacement of torch whose GPU runs copies only when a stream or event is synchronised.

Until then, the target of a copy holds garbage. A test therefore fails if code reads the target, or overwrites the
source, too early.
"""

import types

import numpy as np

GARBAGE = 0xA5


class Device:
    """A torch device, identified by its type and number."""

    def __init__(self, name, index=None):
        self.type, _, number = str(name).partition(":")
        self.index = int(number) if number else index

    def __eq__(self, other):
        return str(self) == str(other)

    def __str__(self):
        return self.type if self.index is None else f"{self.type}:{self.index}"

    __hash__ = None


class Driver:
    """GPU driver that queues copies, and runs them in order when a stream or event is synchronised."""

    def __init__(self):
        self.queued = []
        self.started = 0

    def copy(self, target, source):
        """Queues a copy."""
        target.view(np.uint8)[...] = GARBAGE
        self.queued.append((target, source))

    def run(self, count):
        """Runs queued copies in order, until `count` copies have run since the start."""
        while self.started < count:
            target, source = self.queued.pop(0)
            target[...] = source
            self.started += 1

    @property
    def issued(self):
        """Number of copies queued since the start."""
        return self.started + len(self.queued)


DRIVER = Driver()


class Tensor:
    """Array with the part of the interface of torch's tensors that Pinned uses."""

    def __init__(self, array, device="cpu", *, pinned=False):
        device = Device(device)
        device.index = 0 if device.type == "cuda" and device.index is None else device.index
        self.array, self.device, self.pinned = array, device, pinned
        self.requires_grad = False

    @property
    def dtype(self):
        return self.array.dtype

    @property
    def shape(self):
        return self.array.shape

    def stride(self):
        return self.array.strides

    def is_inference(self):
        return False

    def numpy(self):
        """Returns the tensor's memory without a copy; only for tensors on the CPU."""
        assert self.device.type == "cpu", "can't convert cuda device type tensor to numpy"
        return self.array

    def detach(self):
        return self

    def cpu(self):
        """Copies the tensor to the CPU, after all queued copies."""
        DRIVER.run(DRIVER.issued)
        return Tensor(self.array.copy())

    def to(self, device, *, non_blocking=False, copy=False):
        """Copies the tensor to a device."""
        target = Tensor(np.empty_like(self.array), device)
        if device.type == "cpu":
            assert copy
            target.array[...] = self.array
            return target
        return target.copy_(self, non_blocking=non_blocking)

    def copy_(self, source, *, non_blocking=False):
        """Copies from a tensor; asynchronously only from pinned memory, as in torch."""
        assert self.array.shape == source.array.shape
        if self.device.type == "cpu":
            self.array[...] = source.array
            return self
        DRIVER.copy(self.array, source.array)
        if not (non_blocking and source.pinned):
            DRIVER.run(DRIVER.issued)
        return self

    def __array__(self, dtype=None, copy=None):
        return self.array


class Event:
    """Event on the GPU's only stream."""

    def __init__(self):
        self.recorded = 0

    def record(self, _stream=None):
        self.recorded = DRIVER.issued

    def synchronize(self):
        DRIVER.run(self.recorded)


def module():
    """Returns the module that replaces `torch`."""
    torch = types.ModuleType("torch")
    torch.Tensor, torch.device = Tensor, Device
    torch.from_numpy = Tensor
    torch.zeros = lambda shape, dtype, pin_memory: Tensor(np.zeros(shape, dtype), pinned=pin_memory)
    torch.can_cast = lambda source, target: np.can_cast(source, target, "same_kind")
    torch.cuda = types.SimpleNamespace(
        Event=Event, current_stream=lambda _device: None, current_device=lambda: 0, is_available=lambda: True
    )
    return torch
