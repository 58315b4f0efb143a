"""Named objects of a batch's model, with slices of the batch's fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from envpool_rs.batch.errors import is_output, similar_names
from envpool_rs.batch.fields import ARRAY_FIELDS, DATA_FIELDS, MODEL_FIELDS, STATE_FIELDS

_COMPUTED = {("actuator", "moment")}
"""Attributes of the package's views that are no slices of a field."""

_FIELDS: dict[tuple[str, str, bool], str] = {}
"""Field that holds an attribute, by kind, attribute and whether it is a model's."""


def is_structural(field: str, _part: Any) -> bool:
    """Returns whether a field of the model holds addresses, counts, ids or types."""
    return field in ARRAY_FIELDS and field not in MODEL_FIELDS


def _field_of(owner: Any, names: Iterable[str], part: Any) -> str | None:
    """Returns the field of ``owner`` whose memory contains an array."""
    for name in names:
        whole = getattr(owner, name, None)
        if isinstance(whole, np.ndarray) and whole.dtype == part.dtype and part.size:
            offset = part.ctypes.data - whole.ctypes.data
            if 0 <= offset <= whole.nbytes - part.nbytes:
                return name
    return None


class Named:
    """An object of a batch's model, such as a joint. Its attributes are slices of fields, with a row for each
    simulation.

    Reading an attribute of ``MjData`` binds its field. An attribute of ``MjModel`` has the values of each simulation if
    its field is expanded. Otherwise it has the model's values and is read-only; an assignment expands the field.
    """

    _batch: Any
    _kind: str
    _views: tuple[Any, Any]
    id: int
    name: str

    def __init__(self, batch: Any, kind: str, key: int | str, *, has_data: bool = True) -> None:
        of_model = getattr(batch.model, kind)(key)
        of_data = getattr(batch._data, kind)(key) if has_data else None
        for name, value in (("_batch", batch), ("_kind", kind), ("_views", (of_data, of_model))):
            object.__setattr__(self, name, value)
        object.__setattr__(self, "id", of_model.id)
        object.__setattr__(self, "name", of_model.name)

    def __getattr__(self, attribute: str) -> Any:
        if attribute.startswith("_"):  # `copy` reads such attributes before `_batch` is set
            raise AttributeError(f"{attribute} is not a field")
        return self._slice(attribute, is_written=False)

    def __setattr__(self, attribute: str, value: Any) -> None:
        """Writes ``value`` to the slice of every simulation."""
        if attribute in ("id", "name") or attribute.startswith("_"):
            raise AttributeError(f"{attribute} is read-only")
        self._slice(attribute, is_written=True)[...] = value

    def _slice(self, attribute: str, *, is_written: bool) -> Any:
        batch, kind = self._batch, self._kind
        is_in_no_field = is_computed = (kind, attribute) in _COMPUTED
        sources = ((False, batch._data, DATA_FIELDS), (True, batch.model, ARRAY_FIELDS))
        for (is_model, owner, names), view in zip(sources, self._views, strict=True):
            part = None if view is None or (is_computed and not is_model) else getattr(view, attribute, None)
            if not isinstance(part, np.ndarray):
                continue
            if not part.size:
                empty = np.empty((batch.nsim, *part.shape), part.dtype)
                empty.flags.writeable = False
                return empty
            key = (kind, attribute, is_model)
            field = _FIELDS.get(key) or _field_of(owner, names, part)
            if field is None:
                is_in_no_field = True
                continue
            _FIELDS[key] = field
            if is_model:
                return self._of_model(attribute, field, part, is_written=is_written)
            if is_written and field not in STATE_FIELDS:
                raise is_output(f"{kind} {attribute}")
            return self._cut(batch.bind(field), owner, field, part)
        if is_in_no_field:
            raise AttributeError(f"{kind} {attribute} is not a slice of a field that the batch binds or expands")
        known = [name for view in self._views if view is not None for name in dir(view)]
        raise AttributeError(f"{attribute} is not a field of a {kind}{similar_names(attribute, known)}")

    def _of_model(self, attribute: str, field: str, part: Any, *, is_written: bool) -> Any:
        batch = self._batch
        if batch.models is not None:
            if is_written:
                raise ValueError(f"{field} comes from the caller models (set_models): edit them, call set_models again")
            views = (getattr(batch._model_of(sim), self._kind)(self.id) for sim in range(batch.nsim))
            stacked = np.stack([getattr(view, attribute) for view in views])
            stacked.flags.writeable = False
            return stacked
        if field not in batch._expanded:
            if is_structural(field, part):
                if is_written:
                    raise ValueError(f"{field} is structural: it cannot differ between simulations")
                return np.broadcast_to(part, (batch.nsim, *part.shape))
            if not is_written:
                values = batch.expanded(field)
                if values is None:
                    return np.broadcast_to(part, (batch.nsim, *part.shape))
                return self._cut(values, batch.model, field, part)
        return self._cut(batch.expand(field), batch.model, field, part)

    def _cut(self, rows: Any, owner: Any, field: str, part: Any) -> Any:
        """Returns, from each row, the elements that ``part`` selects in the owner's field ``whole``."""
        whole = getattr(owner, field)
        start = (part.ctypes.data - whole.ctypes.data) // whole.itemsize
        flat = rows.reshape(self._batch.nsim, -1)
        return flat[:, start : start + part.size].reshape(self._batch.nsim, *part.shape)
