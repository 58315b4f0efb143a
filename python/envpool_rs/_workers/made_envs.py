"""Descriptions of all environments of a group, once they are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from envpool_rs._workers.all_rows import RowLayouts
from envpool_rs._workers.env_failure import EnvFailure
from envpool_rs._workers.hosted_envs import EnvReport
from envpool_rs._workers.observation_layout import ObservationLayout
from envpool_rs._workers.serialization import loads


class EnvReports:
    """Descriptions of all environments of a group.

    Args:
        reports: one for each environment.

    Attributes:
        observation_spaces, action_spaces: of each environment; None if it declares none.
        descriptions: of each, a dict with metadata, spec, reward_range and render_mode; None for a missing entry.
        layouts: of their observations.
        uniform: whether all observations are in rows of one layout.

    Raises:
        Exception: if a space cannot be unpickled in this process, naming its environment.
    """

    def __init__(self, reports: Sequence[EnvReport]) -> None:
        self._reports = reports
        each = list(enumerate(reports))
        self.observation_spaces = [_loaded(env_id, report.observation_space) for env_id, report in each]
        self.action_spaces = [_loaded(env_id, report.action_space) for env_id, report in each]
        self.descriptions = [
            {name: _loaded_or_none(data) for name, data in report.description.items()} for report in reports
        ]
        self.layouts = [ObservationLayout.of(space) for space in self.observation_spaces]
        first = self.layouts[0]
        self.uniform = first.structure is not None and all(layout == first for layout in self.layouts)

    def rows(self, *, final_rows: bool) -> RowLayouts:
        """Returns the layout of the rows; with ``final_rows`` also of rows for final observations of episodes.

        Observations of different layouts travel by message.
        """
        layouts = [layout.rows if self.uniform else [] for layout in self.layouts]
        return RowLayouts(layouts, final_rows, [report.observation_space for report in self._reports])


def _loaded(env_id: int, data: bytes | None) -> Any:
    if data is None:
        return None
    try:
        return loads(data)
    except Exception as error:
        raise EnvFailure.of(env_id, "make", error).raised() from error


def _loaded_or_none(data: bytes | None) -> Any:
    try:
        return None if data is None else loads(data)
    except Exception:
        return None
