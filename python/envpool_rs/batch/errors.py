"""Exceptions of batches, and their messages for unknown names of fields."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import numpy as np

from envpool_rs.batch.fields import ARRAY_FIELDS, COUNTS, DATA_FIELDS, MODEL_FIELDS, template_of

_SHOWN = 5
"""Largest number of simulations that a message lists."""


class SimulationError(RuntimeError):
    """Raised if a call failed for some simulations. These keep the state before the call; the call has run for all
    others.

    Attributes:
        ids: the simulations that failed. ``Batch.error(i)`` has the message of each.
    """

    def __init__(self, ids: Any, message: str, ncall: int | None = None) -> None:
        self.ids = ids
        shown = ", ".join(str(each) for each in ids[:_SHOWN]) + (", ..." if len(ids) > _SHOWN else "")
        of = "" if ncall is None else f" of {ncall}"
        super().__init__(f"MuJoCo raised in {len(ids)}{of} simulations ({shown}); simulation {ids[0]}: {message}")


def similar_names(name: str, names: Iterable[str]) -> str:
    """Returns the end of an error message that suggests similar names: `` (did you mean 'qpos'?)``, or an empty
    string.
    """
    close = difflib.get_close_matches(name, list(names), n=3)
    return f" (did you mean {', '.join(map(repr, close))}?)" if close else ""


def hint(name: str, names: Iterable[str]) -> str:
    """Returns the end of an error message: which method accepts a field of this name, or which names are similar."""
    if name in MODEL_FIELDS and names is not MODEL_FIELDS:
        return f"; {name} is an MjModel field: use expand({name!r})"
    if f"opt.{name}" in MODEL_FIELDS:
        return f"; {name} is an MjOption field: use expand('opt.{name}')"
    return similar_names(name, names)


def not_bindable(data: Any, name: str) -> ValueError:
    """Returns the error for a name that ``bind`` does not accept."""
    if name in MODEL_FIELDS:
        return ValueError(f"{name} is an MjModel field: use expand({name!r})")
    template = template_of(data, name)
    if template is not None and not isinstance(getattr(data, name), np.ndarray):
        return ValueError(f"{name} is not one of the MjData scalars bind() accepts: {', '.join(sorted(COUNTS))}")
    if template is not None:
        return ValueError(f"{name} is in the arena, whose size changes from step to step, and cannot be bound")
    return ValueError(f"{name} is not an MjData array field{hint(name, DATA_FIELDS)}")


def not_expandable(model: Any, name: str) -> ValueError:
    """Returns the error for a name that ``expand`` does not accept."""
    if name in DATA_FIELDS:
        return ValueError(f"{name} is an MjData field: use bind({name!r})")
    if name in ARRAY_FIELDS:
        return ValueError(
            f"{name} is structural (a type, index or address): it cannot differ between simulations; use set_models"
        )
    if isinstance(getattr(model, name, None), np.ndarray):
        return ValueError(f"{name} is asset data, shared by all simulations, and cannot be expanded")
    return ValueError(f"{name} is not an expandable MjModel field{hint(name, MODEL_FIELDS)}")


def is_output(name: str) -> ValueError:
    """Returns the error for a write to a read-only field, which calls of the batch compute."""
    return ValueError(
        f"{name} is computed by every call and cannot be written; write state fields (qpos, ctrl, ...) or expand model"
        " fields"
    )
