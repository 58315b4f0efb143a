"""Names of MetaWorld's tasks, and the tasks of its benchmarks, in the order of the package ``metaworld``."""

from __future__ import annotations

from envpool_rs._errors import UnknownNameError


def _names(text: str) -> list[str]:
    return [f"{name}-v3" for name in text.split()]


TASK_NAMES = _names(
    """
    assembly basketball bin-picking box-close button-press-topdown button-press-topdown-wall button-press
    button-press-wall coffee-button coffee-pull coffee-push dial-turn disassemble door-close door-lock door-open
    door-unlock hand-insert drawer-close drawer-open faucet-open faucet-close hammer handle-press-side
    handle-press handle-pull-side handle-pull lever-pull pick-place-wall pick-out-of-hole pick-place plate-slide
    plate-slide-side plate-slide-back plate-slide-back-side peg-insert-side peg-unplug-side soccer stick-push
    stick-pull push push-wall push-back reach reach-wall shelf-place sweep-into sweep window-open window-close
"""
)
"""Names of all tasks; the place of a name is EnvPool's info ``task_id``."""

MT10 = _names(
    """
    reach push pick-place door-open drawer-open drawer-close button-press-topdown peg-insert-side window-open
    window-close
"""
)

MT25 = MT10 + _names(
    """
    coffee-pull pick-out-of-hole disassemble pick-place-wall basketball stick-pull button-press-wall faucet-open
    door-lock lever-pull sweep-into faucet-close coffee-button button-press-topdown-wall dial-turn
"""
)

_ML10 = _names(
    """
    reach push pick-place door-open drawer-close button-press-topdown peg-insert-side window-open sweep
    basketball
"""
)

_ML45 = _names(
    """
    assembly basketball button-press-topdown button-press-topdown-wall button-press button-press-wall
    coffee-button coffee-pull coffee-push dial-turn disassemble door-close door-open drawer-close drawer-open
    faucet-open faucet-close hammer handle-press-side handle-press handle-pull-side handle-pull lever-pull
    pick-place-wall pick-out-of-hole push-back pick-place plate-slide plate-slide-side plate-slide-back
    plate-slide-back-side peg-insert-side peg-unplug-side soccer stick-push stick-pull push-wall push reach-wall
    reach shelf-place sweep-into sweep window-open window-close
"""
)

ML_TRAIN = {"ML10": _ML10, "ML25": MT25, "ML45": _ML45}
"""Tasks for training of each benchmark of meta-learning."""

ML_TEST = {
    "ML10": _names("drawer-open door-close shelf-place sweep-into lever-pull"),
    "ML25": _names("basketball door-close shelf-place sweep button-press"),
    "ML45": _names("bin-picking box-close hand-insert door-lock door-unlock"),
}
"""Tasks for tests of each benchmark of meta-learning."""


def id_of(name: str) -> str:
    """Returns the id of a task: ``MetaWorld/DrawerOpen-v3`` for ``drawer-open-v3``.

    Raises:
        ValueError: for an unknown name.
    """
    if name not in TASK_NAMES:
        raise UnknownNameError(
            f"Unknown MetaWorld task_name: {name}; expected one of {', '.join(TASK_NAMES[:3])}, ..., {TASK_NAMES[-1]}"
        )
    return "MetaWorld/" + "".join(part.capitalize() for part in name.removesuffix("-v3").split("-")) + "-v3"
