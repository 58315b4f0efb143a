"""What there is to say of every option: the extension's words, and those of the options that only Python knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from envpool_rs import _core
from envpool_rs._spec.render_options import RENDER_OPTIONS

if TYPE_CHECKING:
    from envpool_rs._core import OptionDescription, PoolOptionDescription

RETURN_INFO: PoolOptionDescription = {
    "name": "gym_reset_return_info",
    "default": "None: as the installed gym",
    "kind": "bool or None",
    "values": [],
    "doc": 'whether reset returns infos; False for env_type="gym" only',
}
"""The option of EnvPool's interfaces alone."""


def pool_options() -> list[PoolOptionDescription]:
    """The options of every task, in the order in which a configuration lists them, then those of Python alone."""
    return [*_core.pool_options(), *RENDER_OPTIONS.values(), RETURN_INFO]


def kind_text(option: OptionDescription | PoolOptionDescription) -> str:
    """The values that an option takes: its kind, or which of that kind."""
    allowed = option.get("allowed")
    if isinstance(allowed, str):
        return f"{option['kind']} from {allowed}" if allowed[0] in "-0123456789" else allowed
    if option["values"]:
        *most, last = [f'"{value}"' for value in option["values"]]
        others = [kind for kind in option["kind"].split(" or ") if kind != "str"]
        return " or ".join([", ".join(most), last, *others])
    return option["kind"]
