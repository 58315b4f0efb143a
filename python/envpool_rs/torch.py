"""Results of pools in pinned memory, copied to a GPU while the environments step. Importing this imports torch."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from envpool_rs._arguments import bounded, integer, is_series, mapping
from envpool_rs._known_attributes import KnownAttributes
from envpool_rs._nested import map_leaves, zip_leaves

try:
    import torch
except ImportError as error:
    raise ImportError(f"envpool_rs.torch needs torch: pip install 'envpool_rs[torch]' ({error})") from error

__all__ = ["Pinned"]


class Pinned(KnownAttributes):
    """Results of a synchronous pool as tensors on a device: ``pinned = Pinned(env); obs, info = pinned.reset()``.

    The environments write into pinned memory, from which the device copies while later steps run. A step waits only for
    the copies of the step that last used its buffer, two steps ago; with ``buffers=1``, of the previous step. On a
    device that is no GPU the results are copies in ordinary memory.

    Copies run on the device's current stream, so that later work on this stream uses the copied results. Work on
    another stream has to wait for this stream.

    Args:
        env: a pool with gymnasium's or gym's interface whose ``batch_size`` is ``num_envs``.
        device: the device of the results.
        keys: results to copy: ``"obs"`` and names of reward and flags; ``None`` for all of these. All other results,
            and the infos, remain numpy arrays.
        buffers: number of buffers, 1 to 1,024.
    """

    env: Any
    device: torch.device

    def __init__(self, env: Any, device: Any = "cuda", *, keys: Iterable[str] | None = None, buffers: int = 2) -> None:
        count = integer("buffers", buffers, 1, 1024)
        self.env = env
        self.device = torch.device(device)
        if self.device.type == "cuda" and self.device.index is None:  # tensors have the number of the current GPU
            if not torch.cuda.is_available():
                raise RuntimeError(f"device={str(device)!r}: torch has no GPU")
            self.device = torch.device("cuda", torch.cuda.current_device())
        # The buffer of one step serves only to read the dtype and shape of each array.
        arrays = env.rollout_buffer(1).arrays
        self._names = [name for name in arrays if name != "info"]
        if self._names[:1] != ["obs"] or "step_type" in self._names:
            raise ValueError(f"env={type(env).__name__}: expected a pool with gymnasium's or gym's interface")
        if keys is not None and not is_series(keys):
            raise TypeError(f"keys={keys!r}: expected a list of names, or None")
        self._keys = self._names if keys is None else list(bounded("keys", keys))
        unknown = [key for key in self._keys if key not in self._names]
        if unknown:
            raise ValueError(f"keys={self._keys}: expected some of {', '.join(self._names)}")
        template = {key: arrays[key] for key in self._keys}
        self._buffers = [_Buffer(template, self.device) for _ in range(count)]
        self._next = 0

    def reset(self, **arguments: Any) -> Any:
        """Resets all environments as the pool's own ``reset`` does; returns its result with tensors on the device."""
        buffer = self._free_buffer()
        result = self.env.reset(**arguments, out=buffer.out)
        tensors = buffer.upload({})
        if not isinstance(result, tuple):
            return tensors.get("obs", result)
        return (tensors.get("obs", result[0]), *result[1:])

    def step(self, action: Any, *, into: Mapping[str, Any] | None = None) -> tuple[Any, ...]:
        """Steps all environments as the pool's own ``step`` does, with an action that may also be a tensor on any
        device; returns its result with tensors on the device.

        ``into`` has tensors on the device that receive the copies, by key; results without such a tensor are returned
        in new tensors. The tensors are valid for later work on the device's current stream. Wrong tensors raise a
        ``TypeError`` or ``ValueError``, and no environment is stepped then.
        """
        targets = dict(mapping("into", {} if into is None else into, "a dict of tensors"))
        for key, target in targets.items():
            if key not in self._keys:
                raise ValueError(f"into has the key {key!r}: expected some of {', '.join(self._keys)}")
            targets[key] = _checked(f"into[{key!r}]", target, self._buffers[0].tensors[key], self.device)
        buffer = self._free_buffer()
        if isinstance(action, torch.Tensor):
            action = action.detach().cpu()  # waits until the device has computed the action
        result = self.env.step(action, out=buffer.out)
        tensors = buffer.upload(targets)
        return (*(tensors.get(name, array) for name, array in zip(self._names, result, strict=False)), result[-1])

    def _free_buffer(self) -> _Buffer:
        buffer = self._buffers[self._next]
        if buffer.copied is not None:
            buffer.copied.synchronize()
        self._next = (self._next + 1) % len(self._buffers)
        return buffer


class _Buffer:
    """Tensors for the results of one step, arrays ``out`` over their memory, and the event that ends their copies."""

    def __init__(self, template: Mapping[str, Any], device: torch.device) -> None:
        def allocated(array: Any) -> torch.Tensor:
            dtype = torch.from_numpy(np.empty(0, array.dtype)).dtype
            return torch.zeros(array[0].shape, dtype=dtype, pin_memory=self._is_cuda)

        self._device = device
        self._is_cuda = device.type == "cuda"
        self.tensors: dict[str, Any] = _mapped(allocated, template)
        self.copied = torch.cuda.Event() if self._is_cuda else None
        self.out: dict[str, Any] = _mapped(lambda tensor: tensor.numpy(), self.tensors)

    def upload(self, into: Mapping[str, Any]) -> dict[str, Any]:
        """Starts copying the results to the device, into the given tensors or new ones, and returns these."""

        def copied(part: torch.Tensor, target: torch.Tensor | None = None) -> torch.Tensor:
            if target is not None:
                return target.copy_(part, non_blocking=self._is_cuda)
            return part.to(self._device, non_blocking=True) if self._is_cuda else part.to(self._device, copy=True)

        uploaded = {key: _mapped(copied, part) for key, part in self.tensors.items() if key not in into}
        for key, target in into.items():
            uploaded[key] = zip_leaves(
                lambda one, to: one if one is None else copied(one, to), self.tensors[key], target
            )
        if self.copied is not None:
            self.copied.record(torch.cuda.current_stream(self._device))
        return uploaded


def _mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    """Applies a function to each array of a nested dict or tuple, which may have ``None`` for a part without arrays."""
    return map_leaves(lambda part: None if part is None else function(part), tree)


def _checked(name: str, target: Any, source: Any, device: torch.device) -> Any:
    """Returns a tensor, or a nested dict or tuple of tensors, that can receive the copies of a result."""
    if isinstance(source, dict):
        given = mapping(name, target, "a dict of tensors")
        if missing := [key for key in source if key not in given]:
            raise ValueError(f"{name} has the keys {list(given)}: expected {missing[0]!r}, too")
        return {key: _checked(f"{name}[{key!r}]", given[key], part, device) for key, part in source.items()}
    if isinstance(source, tuple):
        if not isinstance(target, (tuple, list)) or len(target) != len(source):
            raise ValueError(f"{name}={type(target).__name__}: expected a tuple of {len(source)} entries")
        parts = enumerate(zip(target, source, strict=True))
        return tuple(_checked(f"{name}[{index}]", one, part, device) for index, (one, part) in parts)
    if source is None:
        return None
    if not isinstance(target, torch.Tensor):
        raise TypeError(f"{name}={type(target).__name__}: expected a tensor")
    if target.device != device:
        raise ValueError(f"{name} is on {target.device}: expected a tensor on {device}")
    if target.shape != source.shape:
        raise ValueError(f"{name} has shape {tuple(target.shape)}: expected {tuple(source.shape)}")
    if not torch.can_cast(source.dtype, target.dtype):
        raise ValueError(f"{name} has dtype {target.dtype}: expected {source.dtype}")
    if target.requires_grad or (target.is_inference() and not torch.is_inference_mode_enabled()):
        raise ValueError(f"{name}: expected a tensor that can be written, without gradients")
    if any(stride == 0 and size > 1 for stride, size in zip(target.stride(), target.shape, strict=True)):
        raise ValueError(f"{name}: expected a tensor with memory for each element, not an expanded one")
    return target
