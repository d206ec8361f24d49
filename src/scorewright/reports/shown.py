"""A report, two of them compared and a calibration, as they show themselves in a notebook and on a terminal.

What they say is in `report` and `comparison`, which know no page and no table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, final

import attrs

from scorewright.reports import calibrated_texts, compared, terminal
from scorewright.reports.comparison import RunComparison
from scorewright.reports.html.calibrating import calibration_fragment
from scorewright.reports.html.comparing import comparison_fragment
from scorewright.reports.html.page import fragment
from scorewright.reports.report import Report

if TYPE_CHECKING:
    from rich.console import RenderableType

    from scorewright.calibration import Calibration


@final
@attrs.frozen
class ShownReport(Report):
    """A report that shows itself."""

    def _repr_html_(self) -> str:
        return fragment(self)

    def __rich__(self) -> RenderableType:
        return terminal.renderable(self)


@final
@attrs.frozen
class ShownComparison(RunComparison):
    """Two evaluations compared, which show themselves."""

    def _repr_html_(self) -> str:
        return comparison_fragment(self)

    def __rich__(self) -> RenderableType:
        return compared.renderable(self)


@final
@attrs.frozen
class CalibrationReport:
    """A calibration that shows itself, and what its rows are called."""

    calibration: Calibration
    source: str = ""

    def _repr_html_(self) -> str:
        return calibration_fragment(self.calibration, self.source)

    def __rich__(self) -> RenderableType:
        return calibrated_texts.renderable(self.calibration)
