"""Pinned memory for a pool's results, and their copies on a GPU."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

try:
    import torch
except ImportError as error:
    raise ImportError(f"envpool_rs.torch needs torch: pip install 'envpool_rs[torch]' ({error})") from error


class Pinned:
    """Results of a synchronous pool as tensors on a device: ``pinned = Pinned(env); obs, info = pinned.reset()``.

    The environments write into pinned memory, from which the device copies while later steps run. A step waits only for
    the copies of the step that last used its buffer, two steps ago. On a device that is no GPU the results are copies
    in ordinary memory.

    Copies run on the device's current stream, so that later work on this stream uses the copied results. Work on
    another stream has to wait for this stream.

    Attributes:
        env: the pool.
        device: the ``torch.device`` of the results.
    """

    def __init__(self, env: Any, device: Any = "cuda", *, keys: Iterable[str] | None = None, buffers: int = 2) -> None:
        """Allocates the buffers.

        Args:
            env: a pool with gymnasium's or gym's interface whose ``batch_size`` is ``num_envs``.
            device: the device of the results.
            keys: results to copy: ``"obs"`` and names of reward and flags; ``None`` for all of these. All other
                results, and the infos, remain numpy arrays.
            buffers: number of buffers, at least 1; with one buffer, a step waits for the copies of the previous step.

        Raises:
            ValueError: for an unknown key, and for less than one buffer.
            RuntimeError: for an asynchronous pool, and if the device is missing.
        """
        if buffers < 1:
            raise ValueError(f"buffers={buffers}: expected at least 1")
        self.env = env
        self.device = torch.device(device)
        # The buffer of one step serves only to read the dtype and shape of each array.
        arrays = env.rollout_buffer(1).arrays
        self._names = [name for name in arrays if name != "info"]
        if self._names[:1] != ["obs"] or "step_type" in self._names:
            raise ValueError(f"env={type(env).__name__}: expected a pool with gymnasium's or gym's interface")
        self._keys = self._names if keys is None else list(keys)
        unknown = [key for key in self._keys if key not in self._names]
        if unknown:
            raise ValueError(f"keys={self._keys}: expected some of {', '.join(self._names)}")
        template = {key: arrays[key] for key in self._keys}
        self._buffers = [_Buffer(template, self.device) for _ in range(buffers)]
        self._next = 0

    def reset(self, **arguments: Any) -> Any:
        """Resets all environments.

        Args:
            arguments: as for the pool's own ``reset``.

        Returns:
            The result of the pool's own ``reset``, with tensors on the device.
        """
        buffer = self._free_buffer()
        result = self.env.reset(**arguments, out=buffer.out)
        tensors = buffer.upload(None)
        if not isinstance(result, tuple):
            return tensors.get("obs", result)
        return (tensors.get("obs", result[0]), *result[1:])

    def step(self, action: Any, *, into: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """Steps all environments.

        Args:
            action: as for the pool's own ``step``, or a tensor on any device.
            into: tensors on the device that receive the copies, by key; results without such a tensor are returned in
                new tensors.

        Returns:
            The result of the pool's own ``step``, with tensors on the device. The tensors are valid for later work on
            the device's current stream.

        Raises:
            ValueError: for a key of ``into`` that is not copied.
        """
        unknown = [key for key in into or () if key not in self._keys]
        if unknown:
            raise ValueError(f"into has the key {unknown[0]!r}: expected some of {', '.join(self._keys)}")
        buffer = self._free_buffer()
        if isinstance(action, torch.Tensor):
            action = action.detach().cpu()  # waits until the device has computed the action
        result = self.env.step(action, out=buffer.out)
        tensors = buffer.upload(into)
        return (*(tensors.get(name, array) for name, array in zip(self._names, result, strict=False)), result[-1])

    def _free_buffer(self) -> _Buffer:
        """Returns the buffer that was used longest ago, after its copies have ended."""
        buffer = self._buffers[self._next]
        buffer.wait()
        self._next = (self._next + 1) % len(self._buffers)
        return buffer


class _Buffer:
    """Memory for the results of one step, and the event that marks the end of their copies.

    Attributes:
        out: numpy arrays over the memory, for the pool.
    """

    def __init__(self, template: Mapping[str, Any], device: torch.device) -> None:
        self._device = device
        self._is_cuda = device.type == "cuda"
        self._tensors = {
            key: _mapped(lambda array: self._allocate(array[0].shape, array.dtype), part)
            for key, part in template.items()
        }
        self._copied = torch.cuda.Event() if self._is_cuda else None
        self.out = {key: _mapped(lambda tensor: tensor.numpy(), part) for key, part in self._tensors.items()}

    def _allocate(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> torch.Tensor:
        torch_dtype = torch.from_numpy(np.empty(0, dtype)).dtype
        return torch.zeros(shape, dtype=torch_dtype, pin_memory=self._is_cuda)

    def wait(self) -> None:
        """Waits until the last copies to the device have ended."""
        if self._copied is not None:
            self._copied.synchronize()

    def upload(self, into: Mapping[str, Any] | None) -> dict[str, Any]:
        """Starts copying the results to the device, and returns the device's tensors."""
        into = into or {}
        uploaded = {
            key: self._copy_into(into[key], part) if key in into else _mapped(self._copy, part)
            for key, part in self._tensors.items()
        }
        if self._copied is not None:
            self._copied.record(torch.cuda.current_stream(self._device))
        return uploaded

    def _copy(self, tensor: torch.Tensor) -> torch.Tensor:
        if self._is_cuda:
            return tensor.to(self._device, non_blocking=True)
        return tensor.to(self._device, copy=True)

    def _copy_into(self, target: Any, part: Any) -> Any:
        if isinstance(part, dict):
            return {key: self._copy_into(target[key], each) for key, each in part.items()}
        if isinstance(part, tuple):
            return tuple(self._copy_into(one, each) for one, each in zip(target, part, strict=True))
        return target.copy_(part, non_blocking=self._is_cuda)


def _mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """Applies a function to each array of a nested dict or tuple."""
    if isinstance(tree, dict):
        return {key: _mapped(function, part) for key, part in tree.items()}
    if isinstance(tree, tuple):
        return tuple(None if part is None else _mapped(function, part) for part in tree)
    return function(tree)
